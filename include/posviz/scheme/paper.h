/* paper.h: the papers that schemes come from: one table, from which both the line of a card and
 * the bibliography entry are made. */
#ifndef POSVIZ_PAPER_H
#define POSVIZ_PAPER_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/scheme/scheme.h"

enum paper_kind {
	PAPER_PREPRINT, /* only at arXiv */
	PAPER_PROCEEDINGS,
	PAPER_JOURNAL,
	PAPER_REPORT, /* of an institution, named in `where` */
	PAPER_PAGE,   /* a post or a repository: `venue` names the site, `url` is the address */
	PAPER_KINDS
};

/* A paper. Text is UTF-8; words that a bibliography style must not turn into lower case are in
 * braces. NULL: not known, or there is none. At least one of doi, arxiv and url is given. */
struct paper {
	const char *key; /* lower-case letters and digits: "vaswani2017attention" */
	/* "Vaswani, Ashish and Shazeer, Noam": family name first; the last may be "others"; a
	 * single name is in braces. */
	const char *authors;
	const char *title; /* as printed, with capitalised words */
	const char *venue; /* its usual short name: "NeurIPS" */
	const char *where; /* the full name of the proceedings or the journal, or the institution */
	const char *series, *volume, *number;
	const char *pages; /* "5998--6008" */
	const char *doi;   /* "10.18653/v1/N18-2074" */
	const char *arxiv; /* "1706.03762" */
	const char *url;
	enum paper_kind kind;
	int year;
};

/* Returns the papers in alphabetical order of their keys; NULL after the last. */
const struct paper *paper_at(size_t i);
/* Returns the paper with this key, or NULL. */
const struct paper *paper_find(const char *key, size_t len);

/* Returns one line of UTF-8: "Shaw, Uszkoreit, Vaswani: Self-attention with relative position
 * representations. NAACL 2018". */
const char *paper_line(const struct paper *p, struct arena *a);
/* Returns the entry for BibTeX and Biber, with a line end: in ASCII, other letters written as
 * LaTeX commands, because BibTeX cuts names between bytes. */
const char *paper_bibtex(const struct paper *p, struct arena *a);

/* ---- of schemes ------------------------------------------------------------------------------ */

/* Finds the papers that a scheme's `cite` names, in order; out[PAPERS_OF_SCHEME]. Returns their
 * number: 0 for a scheme of the user's. */
enum { PAPERS_OF_SCHEME = 4 };
size_t scheme_papers(const struct scheme *s, const struct paper *out[PAPERS_OF_SCHEME]);
/* Returns its `cite` as one line; valid as long as the process. */
const char *scheme_cite(const struct scheme *s);
/* Returns the entries of all members, each paper once; a line before them, which BibTeX skips,
 * names members without a paper, numbers or a formula of the user's. NULL if no member has any. */
const char *expr_bibtex(const struct expr *e, struct arena *a);

#endif
