/* findings.h: findings as rows of cells, made once and printed as a table for people, and as JSON
 * and CSV for programs. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/strbuf.h"
#include "posviz/format/json.h"
#include "posviz/scheme/scheme.h"

struct finding_column {
	const char *head; /* in the table and in CSV; NULL: absent */
	/* In JSON; NULL: absent. Neighbours "time.ratio", "time.low" are the members of an object
	 * "time", which is null where the first is. */
	const char *key;
	bool rounded; /* the text is rounded: CSV has the number instead */
};

/* A cell: its text in the table, and its value in JSON. */
struct finding_cell {
	const char *text;
	enum { CELL_NONE, CELL_WORD, CELL_NUMBER, CELL_YES, CELL_NO, CELL_NOTE } is;
	const char *word;
	double number;
};
/* Return a cell with the same word for both, or with another word in JSON; NULL: an empty cell,
 * null. */
struct finding_cell finding_word(const char *word);
struct finding_cell finding_words(const char *text, const char *word);
struct finding_cell finding_number(const char *text, double number);
/* Returns an empty cell, null, for a number that is NaN: it is not known. */
struct finding_cell finding_known(const char *text, double number);
struct finding_cell finding_bool(const char *text, bool yes);
struct finding_cell finding_answer(enum answer answer); /* "yes", "no", "-"; true, false, null */

struct findings {
	struct arena *arena;
	const struct finding_column *columns; /* `cols` of them */
	size_t cols, n, cap;
	struct finding_cell *at;
	const char *margin; /* of the table: two blanks, unless it is changed after findings_init */
};
void findings_init(struct findings *f, struct arena *a, const struct finding_column *columns,
		   size_t cols);
void findings_add(struct findings *f,
		  const struct finding_cell *row); /* row: cells in the order of the columns */
/* Adds a row that appears only in the table, with this text in one column. */
void findings_note(struct findings *f, size_t col, const char *text);
/* Add rows [from, to) as a table behind the margin, and all rows as an array of objects and as
 * CSV. */
void findings_table(const struct findings *f, size_t from, size_t to, struct strbuf *out);
void findings_json(const struct findings *f, struct json_writer *w, const char *name);
void findings_csv(const struct findings *f, struct strbuf *out);

#endif
