/* param.h: a parameter as a row of a table: its name and meaning, its field in a struct, its
 * range, and its conversion to text and back. */
#ifndef POSVIZ_PARAM_H
#define POSVIZ_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

enum param_kind {
	PARAM_INT,
	PARAM_REAL,
	PARAM_BOOL,
	PARAM_CHOICE,
	PARAM_LIST,
	PARAM_TEXT,
	PARAM_FILE /* a text: the name of a file, perhaps with a part of it */
};
/* The largest length of a list, enough for a number for each token of the longest input, or each
 * pair of a wide head; and of texts. */
enum { PARAM_LIST_MAX = 4096, PARAM_TEXT_MAX = 256, PARAM_FILE_MAX = 4096 };

struct param_list {
	size_t n;
	const double *at; /* in the arena that param_set was given */
};

/* A parameter, stored at `offset` of the scheme's struct as long, double, bool, int (index into
 * choices), struct param_list, char[PARAM_TEXT_MAX] or char[PARAM_FILE_MAX]. */
struct param {
	const char *name, *help;
	enum param_kind kind;
	size_t offset;
	double def, min, max, step; /* INT and REAL; for CHOICE and BOOL `def` is the index */
	const char *def_text;	    /* LIST, TEXT and FILE */
	const char *const *choices; /* ends with NULL */
	bool geometric;		    /* + and - multiply by step */
	bool in_series; /* + and - go to the next of 1 1.2 1.5 2 2.5 3 4 5 6 8 times a power of ten,
			 * below zero too; from 0 a step away */
	/* For TEXT: checks whether the text can be used; if not *wrong is the offset of the
	 * error. NULL: any text. */
	bool (*read)(const char *text, size_t *wrong, struct err *err);
	/* Returns whether the parameter has an effect with the present values of the others; if
	 * not it is not shown. NULL: always. */
	bool (*used)(const struct param *p, const void *params);
};

/* These macros make rows of a table of parameters, each of the kind that its field's type gives;
 * the last argument is the help. A ratio is a number that is multiplied by its step. */
#define NUMBER_PARAM(type, field, def_, min_, max_, step_, ...)                          \
	PARAM_AT(type, field, field, __VA_ARGS__, .def = def_, .min = min_, .max = max_, \
		 .step = step_)
#define RATIO_PARAM(type, field, def, min, max, step, ...) \
	NUMBER_PARAM(type, field, def, min, max, step, __VA_ARGS__, .geometric = true)
#define SWITCH_PARAM(type, field, def_, ...) PARAM_AT(type, field, field, __VA_ARGS__, .def = def_)
#define CHOICE_PARAM(type, field, def_, choices_, ...) \
	PARAM_AT(type, field, field, __VA_ARGS__, .def = def_, .choices = choices_)
#define LIST_PARAM(type, field, def, min_, max_, ...) \
	PARAM_AT(type, field, field, __VA_ARGS__, .def_text = def, .min = min_, .max = max_)
/* For a field with another name, or in a nested struct; the rest of the row follows the help. */
/* clang-format off */
#define PARAM_AT(type, place, id, ...) \
	{.name = #id, .kind = PARAM_KIND(((type *)0)->place), .offset = offsetof(type, place), \
	 .help = __VA_ARGS__}
#define PARAM_KIND(field) \
	_Generic((field), long: PARAM_INT, double: PARAM_REAL, bool: PARAM_BOOL, \
		 int: PARAM_CHOICE, struct param_list: PARAM_LIST, char *: PARAM_FILE)
/* clang-format on */

/* Sets a parameter from text as in an expression. */
bool param_set(const struct param *p, void *params, const char *value, size_t len, struct arena *a,
	       struct err *err);
/* Works like param_set and tells the location of an error: *wrong is its offset in `value`. */
bool param_set_at(const struct param *p, void *params, const char *value, size_t len, size_t *wrong,
		  struct arena *a, struct err *err);
const char *param_print(const struct param *p, const void *params, struct arena *a);
/* Writes the value as a number, true or false, a list of numbers, or text. */
struct json_writer;
void param_write(struct json_writer *w, const char *name, const struct param *p, const void *params,
		 struct arena *a);
bool param_is_used(const struct param *p, const void *params);
/* Returns the range for people: "2 to 1024", "on|off". */
const char *param_range(const struct param *p, struct arena *a);
bool param_is_default(const struct param *p, const void *params);
/* Returns whether it can be stepped; LIST, TEXT and FILE cannot. */
bool param_has_steps(const struct param *p);
/* Changes to the next value in direction +1 or -1 by the parameter's step, clamped; false when
 * there is none. */
bool param_step(const struct param *p, void *params, int direction);

#endif
