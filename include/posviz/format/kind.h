/* kind.h: kinds of files, recognised by their bytes, their name and their first lines.
 *
 * One table gives for every kind its name for people, the suffixes of its files and the options
 * that take it. Every option that takes a file asks here before its reader sees it: a file that
 * does not fit is refused with its kind and the options that would take it. */
#ifndef POSVIZ_KIND_H
#define POSVIZ_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

enum kind_id {
	KIND_PICTURE, /* a PNG or an HTML page that contains its scene */
	KIND_PAGE,    /* a picture of posviz without its scene */
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
	const char *suffixes; /* without dots, separated by blanks; "" */
	const char *takers; /* options that take it, the usual one first; "open": posviz FILE; "" */
	const char *advice; /* the remedy if no option takes it; NULL: none */
	/* Suffixes that files of this kind may have but that by name belong to another kind;
	 * NULL: none. */
	const char *shared;
};
/* The table of kinds, by kind_id, [KIND_COUNT]. */
extern const struct kind kinds[];
/* Names of the fields that tokenizers print in an object besides "tokens"; ends with NULL. */
extern const char *const kind_token_fields[];

/* The evidence for the kind. A file without a mark or a known suffix is by default a text. */
enum kind_by { KIND_BY_BYTES, KIND_BY_NAME, KIND_BY_LINES, KIND_BY_DEFAULT };

struct kind_seen {
	const struct kind *kind;
	enum kind_by by;
	char detail[64]; /* "model_type qwen2", "PNG"; or "" */
};

/* The number of first bytes that suffice to recognise a kind. */
enum { KIND_HEAD = 64 << 10 };

/* Recognises the kind of bytes[0..len), the first bytes of a file or all of them; `name` is the
 * name of the file, or NULL, and need not exist. `is_command` knows the words that begin a line
 * of a script; NULL: scripts are not recognised by their lines. */
void kind_look(const char *name, const char *bytes, size_t len,
	       bool (*is_command)(const char *word), struct kind_seen *out);
/* Recognises the kind of a file or a directory. False if it cannot be read or is neither. */
bool kind_of_file(const char *path, bool (*is_command)(const char *word), struct kind_seen *out,
		  struct err *err);
/* Returns the kind that the suffix of the name belongs to; NULL: to none. */
const struct kind *kind_by_name(const char *name);

/* Returns whether an option, named without dashes, takes such a file; "open" is a bare argument. */
bool kind_is_taken(const struct kind *kind, const char *option);
/* Returns the suffixes of the files that an option takes, separated by blanks; "": any suffix. */
const char *kind_suffixes(const char *option, struct arena *a);
/* Returns the kind in words: "a model's configuration (model_type qwen2)". */
const char *kind_text(const struct kind_seen *seen, struct arena *a);
/* Returns "--params FILE or --units FILE": the ways to give such a file to posviz, without the
 * option `but`; a bare argument if that is the usual way. "": there is none. */
const char *kind_takers(const struct kind *kind, const char *but, struct arena *a);
/* Fills the error with the kind of the file and the options that take it, or with the kinds that
 * the option takes. The message does not begin with the option's name. Returns false. */
bool kind_refuse(const struct kind_seen *seen, const char *option, const char *path,
		 struct err *err);
/* Refuses the bytes of a file that the option does not take; *seen may be NULL. */
bool kind_fits(const char *option, const char *path, const char *bytes, size_t len,
	       struct kind_seen *seen, struct err *err);

/* Returns whether each line of a text may be an edge: two or three words, columns between tabs,
 * or an arrow. */
bool kind_may_be_edges(const char *text, size_t len);

#endif
