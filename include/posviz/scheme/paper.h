/* paper.h: the papers that schemes come from: one table, of which the one line of a card and the entry
 * for a bibliography are both made. */
#ifndef POSVIZ_PAPER_H
#define POSVIZ_PAPER_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/scheme/scheme.h"

enum paper_kind {
	PAPER_PREPRINT, /* at arXiv alone */
	PAPER_PROCEEDINGS,
	PAPER_JOURNAL,
	PAPER_REPORT, /* of an institution, which is `where` */
	PAPER_PAGE,   /* a post, a repository: `venue` says where, `url` is it */
	PAPER_KINDS
};

/* Text is UTF-8; what a style of bibliography must not turn into small letters is in braces. NULL: not
 * known, or there is none. One of doi, arxiv and url there always is. */
struct paper {
	const char *key;     /* small letters and digits: "vaswani2017attention" */
	const char *authors; /* "Vaswani, Ashish and Shazeer, Noam": family name first; the last may
			      * be "others"; who has one name alone, in braces */
	const char *title;   /* as printed, words in capitals */
	const char *venue;   /* as people say it: "NeurIPS" */
	const char *where;   /* the proceedings or the journal in full, or the institution */
	const char *series, *volume, *number;
	const char *pages; /* "5998--6008" */
	const char *doi;   /* "10.18653/v1/N18-2074" */
	const char *arxiv; /* "1706.03762" */
	const char *url;
	enum paper_kind kind;
	int year;
};

/* All papers in alphabetical order of their keys; NULL from the first that is none. */
const struct paper *paper_at(size_t i);
/* NULL when there is none. */
const struct paper *paper_find(const char *key, size_t len);

/* One line of UTF-8: "Shaw, Uszkoreit, Vaswani: Self-attention with relative position representations.
 * NAACL 2018". */
const char *paper_line(const struct paper *p, struct arena *a);
/* The entry for BibTeX and Biber, with a line end: ASCII, other letters written as LaTeX has them, as
 * BibTeX cuts names between bytes. */
const char *paper_bibtex(const struct paper *p, struct arena *a);

/* A text with papers named in it, "@su2021roformer, section 3", with their lines in place of names. */
const char *paper_expand(const char *text, struct arena *a);

/* ---- of schemes ------------------------------------------------------------------------------- */

/* The papers that a scheme's `cite` names, in order; out[PAPERS_OF_SCHEME], returns how many: 0 where
 * it is of one's own. */
enum { PAPERS_OF_SCHEME = 4 };
size_t scheme_papers(const struct scheme *s, const struct paper *out[PAPERS_OF_SCHEME]);
/* Its `cite` as one line; lives as long as the process. */
const char *scheme_cite(const struct scheme *s);
/* The entries of its papers; NULL where it has none: numbers or a formula of one's own. */
const char *scheme_bibtex(const struct scheme *s, struct arena *a);
/* Those of all members, each paper once; of members that have none a line before them says so, which
 * BibTeX passes over. NULL where no member has any. */
const char *expr_bibtex(const struct expr *e, struct arena *a);

#endif
