/* conllu_in.h: the columns of CoNLL-U and its relatives. */
#ifndef INPUT_CONLLU_IN_H
#define INPUT_CONLLU_IN_H

#include "structure_in.h"

struct field {
	const char *at;
	size_t len;
};

/* The columns of a word that are read. */
enum { ID, FORM, HEAD, DEPREL, FIELDS };
#define NO_COLUMN SIZE_MAX

/* A line "# global.columns = ID FORM ..."; line 0: none. */
struct naming {
	struct field names;
	size_t line;
};

struct columns {
	size_t n;	   /* number of columns in a line */
	bool more;	   /* or more */
	size_t at[FIELDS]; /* from 0; NO_COLUMN: missing */
	size_t line;	   /* the line that names them; 0: none */
	const char *note;  /* a remark for the user; or NULL */
};

/* Stores a comment that names the columns; other lines change nothing. */
void naming_read(struct naming *out, struct field line, size_t number);

/* Finds the columns of a sentence whose first line is `first`: by their names, else by the
 * content of this line. */
bool columns_find(struct columns *out, const struct source *s, const struct naming *naming,
		  struct field first, struct arena *a, struct err *err);

#endif
