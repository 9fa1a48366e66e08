/* kind.h: kinds of files, told by their bytes, their name and their first lines.
 *
 * One table names every kind: for people, by the suffixes of its files, and by the options that take it.
 * Every option that takes a file asks here before its reader sees it: a file that does not fit is refused by its
 * kind, and with the options that would take it. */
#ifndef POSVIZ_KIND_H
#define POSVIZ_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

enum kind_id {
	KIND_PICTURE, /* a PNG with its scene */
	KIND_PAGE,    /* a picture of posviz without one */
	KIND_IMAGE,   /* a picture of another program */
	KIND_PDF,     /* of another program */
	KIND_SCRIPT,
	KIND_CONFIG,
	KIND_TOUR,
	KIND_TOURS,
	KIND_SAFETENSORS,
	KIND_NPY,
	KIND_NPZ,
	KIND_TABLE,   /* CSV, TSV */
	KIND_TENSORS, /* JSON */
	KIND_CONLLU,
	KIND_CONLLUP,
	KIND_BRACKETS,
	KIND_PENMAN,
	KIND_TRIPLES,
	KIND_DOT,
	KIND_GRAPHML,
	KIND_EDGES,
	KIND_TOKENS,
	KIND_TEXT,
	KIND_DOCUMENT,
	KIND_PROGRAM,
	KIND_MODEL_CONFIG,
	KIND_MODEL_INDEX,
	KIND_TOKENIZER,
	KIND_MODEL_DIR,
	KIND_GGUF,
	KIND_PICKLE,
	KIND_ARCHIVE,
	KIND_JSON,
	KIND_DIRECTORY,
	KIND_EMPTY,
	KIND_BINARY,
	KIND_COUNT
};

struct kind {
	enum kind_id id;
	const char *name;     /* "a graph in DOT" */
	const char *suffixes; /* without dots, parted by blanks; "" */
	const char *takers; /* options that take it, the usual one first; "open": posviz FILE; "" */
	const char *advice; /* where nothing takes it, what would be right; NULL: nothing to say */
};
/* By kind_id, [KIND_COUNT]. */
extern const struct kind kinds[];
/* Names of the fields that tokenizers print in an object beside "tokens"; NULL ends them. */
extern const char *const kind_token_fields[];

/* How it was told. By default is what no mark and no suffix tells: a text. */
enum kind_by { KIND_BY_BYTES, KIND_BY_NAME, KIND_BY_LINES, KIND_BY_DEFAULT };

struct kind_seen {
	const struct kind *kind;
	enum kind_by by;
	char detail[64]; /* "model_type qwen2", "PNG"; or "" */
};

/* The first bytes that are enough to tell. */
enum { KIND_HEAD = 64 << 10 };

/* Tells what bytes[0..len) are, a file's first ones or all of them; `name` is the file's, or NULL, and need
 * not exist. `is_command` knows the words that a line of a script begins with; NULL: no script is
 * told by its lines. */
void kind_look(const char *name, const char *bytes, size_t len,
	       bool (*is_command)(const char *word), struct kind_seen *out);
/* The same of a file or a directory. False where it cannot be read, and of what is neither. */
bool kind_of_file(const char *path, bool (*is_command)(const char *word), struct kind_seen *out,
		  struct err *err);
/* By the name alone; NULL: no suffix tells. */
const struct kind *kind_by_name(const char *name);

/* True where an option, named without dashes, takes such a file; "open" is a bare argument. */
bool kind_is_taken(const struct kind *kind, const char *option);
/* The suffixes of the files that an option takes, parted by blanks; "": they may have any. */
const char *kind_suffixes(const char *option, struct arena *a);
/* "a model's configuration (model_type qwen2)" */
const char *kind_text(const struct kind_seen *seen, struct arena *a);
/* "--params FILE or --units FILE": all that take it but one option; a bare argument where that is the usual
 * way. "": nothing takes it. */
const char *kind_takers(const struct kind *kind, const char *but, struct arena *a);
/* Fills the error: what the file is and what takes it, or what the option would take; without the option's
 * name in front. Returns false. */
bool kind_refuse(const struct kind_seen *seen, const char *option, const char *path,
		 struct err *err);
/* Refuses the bytes of a file that the option does not take; *seen may be NULL. */
bool kind_fits(const char *option, const char *path, const char *bytes, size_t len,
	       struct kind_seen *seen, struct err *err);

/* True where each line of a text may be an edge: two or three words, columns between tabs, or an arrow. */
bool kind_may_be_edges(const char *text, size_t len);

#endif
