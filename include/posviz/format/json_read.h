/* json_read.h: JSON text as a tree of plain values in an arena, for the readers of this folder. */
#ifndef FORMAT_JSON_READ_H
#define FORMAT_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

enum json_kind {
	JSON_VALUE_NULL,
	JSON_VALUE_BOOL,
	JSON_VALUE_INTEGER,
	JSON_VALUE_REAL,
	JSON_VALUE_STRING,
	JSON_VALUE_ARRAY,
	JSON_VALUE_OBJECT,
};

struct json_value {
	enum json_kind kind;
	const char *name; /* inside an object, else NULL */
	size_t count;	  /* of items */
	union {
		bool truth;
		long long integer;
		double real;
		const char *string;
		struct json_value *items; /* of an array or object, in the order of the text */
	} as;
};

/* Parses all of text[0..len). Names within an object are distinct, strings hold no NUL and are
 * valid UTF-8, nesting is bounded. NULL with `err` when it is not JSON. */
const struct json_value *json_parse(struct arena *a, const char *text, size_t len, struct err *err);

/* Returns the value as compact text, numbers as json_writer_number prints them; NULL if it is
 * nested deeper than a writer can go. */
const char *json_value_text(const struct json_value *value, struct arena *a);

/* Returns the member of that name, or NULL when there is none or the value is not an object. */
const struct json_value *json_member(const struct json_value *object, const char *name);

#endif
