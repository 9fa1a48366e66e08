/* param.h: a parameter as a row of a table: its name, its meaning, its offset in a struct, its
 * type, and the conversion to text and back. */
#ifndef POSVIZ_PARAM_H
#define POSVIZ_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/value.h"

/* The bytes of a text or the name of a file, with the end. */
enum { PARAM_TEXT_MAX = 256, PARAM_FILE_MAX = 4096 };

/* A parameter, stored at `offset` of the scheme's struct as the C type of its kind. */
struct param {
	const char *name, *help;
	size_t offset;
	struct value_type type;
	/* Returns whether a text can be used; if not, *wrong is the byte that the error is
	 * about. NULL: any text can. */
	bool (*read)(const char *text, size_t *wrong, struct err *err);
	/* Returns whether the parameter has an effect with the present values of the others; if
	 * not it is not shown. NULL: always. */
	bool (*used)(const struct param *p, const void *params);
};

/* Rows of a table of parameters; the C type of the field decides the kind, and the last argument
 * is the help. A step of a ratio multiplies it. */
#define NUMBER_PARAM(type_, field, def_, min_, max_, step_, ...) \
	PARAM_AT(type_, field, field, __VA_ARGS__, NUMBER_TYPE(def_, min_, max_, step_))
#define RATIO_PARAM(type_, field, def, min, max, step, ...) \
	NUMBER_PARAM(type_, field, def, min, max, step, __VA_ARGS__, .type.geometric = true)
#define SWITCH_PARAM(type_, field, def_, ...) \
	PARAM_AT(type_, field, field, __VA_ARGS__, .type.def = def_)
#define CHOICE_PARAM(type_, field, def_, choices_, ...) \
	PARAM_AT(type_, field, field, __VA_ARGS__, .type.def = def_, .type.choices = choices_)
#define LIST_PARAM(type_, field, def_, min_, max_, ...)                                     \
	PARAM_AT(type_, field, field, __VA_ARGS__, .type.def_text = def_, .type.min = min_, \
		 .type.max = max_)
#define NUMBER_TYPE(def_, min_, max_, step_) \
	.type.def = def_, .type.min = min_, .type.max = max_, .type.step = step_
/* A row whose name differs from that of the field, or whose field is in a struct within the
 * struct; the help is followed by the rest of the row. */
/* clang-format off */
#define PARAM_AT(type_, place, id, ...) \
	{.name = #id, .type.kind = PARAM_KIND(((type_ *)0)->place), \
	 .offset = offsetof(type_, place), .help = __VA_ARGS__}
/* A text in an expression is a file's name unless its row says otherwise. */
#define PARAM_KIND(field) \
	_Generic((field), const char *: &value_file, default: VALUE_KIND(field))
/* clang-format on */

/* Sets a parameter from text as in an expression. */
bool param_set(const struct param *p, void *params, const char *value, size_t len, struct arena *a,
	       struct err *err);
/* Works like param_set and tells the location of an error: *wrong is its offset in `value`. */
bool param_set_at(const struct param *p, void *params, const char *value, size_t len, size_t *wrong,
		  struct arena *a, struct err *err);
const char *param_print(const struct param *p, const void *params, struct arena *a);
/* The default, in the form of param_print. */
const char *param_default(const struct param *p, struct arena *a);
/* Writes the value as a JSON number, true or false, a list of numbers, or text. */
struct json_writer;
void param_write(struct json_writer *w, const char *name, const struct param *p, const void *params,
		 struct arena *a);
bool param_is_used(const struct param *p, const void *params);
bool param_is_default(const struct param *p, const void *params);
/* The next value in direction +1 or -1 by the parameter's step, clamped; false when there is
 * none. */
bool param_step(const struct param *p, void *params, int direction);

#endif
