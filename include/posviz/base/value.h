/* value.h: typed values: their range, and the conversion to text and back.
 *
 * Parameters of schemes, fields of a scene, settings and options of the command line each hold a
 * struct value_type. The owner stores the value, as the C type of its kind. Errors contain the
 * text that was read and the range of right values; the owner puts its own name in front. */
#ifndef POSVIZ_VALUE_H
#define POSVIZ_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

/* A list may have a number for each token of the longest input, or for each pair of columns of a
 * wide head. */
enum { VALUE_LIST_MAX = 4096 };

struct value_list {
	size_t n;
	const double *at; /* in the arena given to value_parse */
};

struct value_type {
	const struct value_kind *kind;
	double def;	      /* the default of a number; of a switch or a choice its index */
	const char *def_text; /* the default as text, before `def`; NULL: none */
	double min, max;      /* of numbers, and of the numbers of a list where min < max */
	double step;	      /* of value_step; 0: 1 of whole numbers, none of others */
	bool geometric;	      /* steps multiply */
	bool in_series;	      /* steps go to the next of 1 1.2 1.5 2 2.5 3 4 5 6 8 times a power
				     * of ten, also for negative numbers; from 0 by `step` */
	const char *const *choices; /* ends with NULL */
	const char *const *was;	    /* a choice of earlier versions, and its new name; NULL: none */
	const char *zero; /* the word for the number 0, which may be out of range; NULL: none */
	const char *unit; /* optional after a real number, and printed there; NULL: none */
};

/* The operations of a kind of value; NULL: the kind does not have the operation. */
struct value_kind {
	const char *name;  /* "integer" */
	size_t size;	   /* at most VALUE_SIZE */
	const char *empty; /* the default of a type without def_text; NULL: the number `def` */
	bool (*parse)(const struct value_type *t, const char *text, size_t len, void *to,
		      struct arena *a, struct err *err);
	const char *(*print)(const struct value_type *t, const void *from, struct arena *a);
	bool (*equal)(const void *a, const void *b);
	const char *(*range)(const struct value_type *t, struct arena *a);
	double (*number)(const void *from);
	void (*set_number)(void *to, double number);
	bool (*step)(const struct value_type *t, void *value, int direction, bool wrap);
};
enum { VALUE_SIZE = 24 };

/* The kinds, with the C types in which values are stored. */
extern const struct value_kind value_integer, /* long */
	value_real,			      /* double */
	value_switch,			      /* bool: on, off */
	value_choice,			      /* int: an index into choices */
	value_listed,			      /* struct value_list */
	value_text,			      /* const char *, in the arena */
	value_file,  /* the same, the name of a file, perhaps with a part of it */
	value_seed,  /* uint64_t */
	value_bytes; /* double: 1.5G */

/* The kind of a member of a struct by its C type. */
/* clang-format off */
#define VALUE_KIND(field) \
	_Generic((field), long: &value_integer, double: &value_real, bool: &value_switch, \
		 int: &value_choice, struct value_list: &value_listed, const char *: &value_text, \
		 uint64_t: &value_seed)
/* clang-format on */

/* Reads text into *to, which stays unchanged if the text is wrong. Texts and lists are stored in
 * `a`. */
bool value_parse(const struct value_type *t, const char *text, size_t len, void *to,
		 struct arena *a, struct err *err);
/* The shortest text that value_parse reads as the same value. */
const char *value_print(const struct value_type *t, const void *from, struct arena *a);
bool value_equal(const struct value_type *t, const void *a, const void *b);
void value_reset(const struct value_type *t, void *to, struct arena *a);
bool value_is_default(const struct value_type *t, const void *from);

/* The range of the value for people: "2 to 1024", "on|off". */
const char *value_range(const struct value_type *t, struct arena *a);
/* The words of a choice or a switch, ended by NULL; NULL for other kinds. */
const char *const *value_choices(const struct value_type *t);

/* Returns whether the value is a whole or a real number. */
bool value_is_number(const struct value_type *t);
bool value_has_steps(const struct value_type *t);
/* Goes to the next value in direction +1 or -1, within the range; false when there is none. With
 * `wrap` the first word follows the last. */
bool value_step(const struct value_type *t, void *value, int direction, bool wrap);

/* Goes through the items of "[a, b]", or "a" as the only item: without blanks around them,
 * perhaps empty. */
struct value_items {
	const char *at, *end; /* at NULL: no more items */
};
struct value_items value_items(const char *text, size_t len);
const char *value_next(struct value_items *items, size_t *len); /* NULL at the end */
bool value_is_blank(char c);

#endif
