/* json.h: text of a JSON value made from C values.
 *
 * A json_writer builds a value depth-first; names are given before values inside objects. Numbers
 * are the shortest decimals that read back exactly; bytes that are not UTF-8 become U+FFFD. */
#ifndef POSVIZ_JSON_H
#define POSVIZ_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"

struct json_writer; /* from an arena */

/* The names are long because jansson owns the short ones: a json_object of ours would replace
 * jansson's own function inside its library.
 *
 * `name` is NULL inside arrays and at the top, and only there. */
struct json_writer *json_writer_new(struct arena *a);
void json_writer_object(struct json_writer *w, const char *name);
void json_writer_array(struct json_writer *w, const char *name);
void json_writer_end(struct json_writer *w); /* closes the innermost object or array */
void json_writer_string(struct json_writer *w, const char *name,
			const char *value); /* NULL writes null */
void json_writer_number(struct json_writer *w, const char *name,
			double value); /* non-finite: "inf", "-inf", "nan" */
void json_writer_integer(struct json_writer *w, const char *name, long value);
void json_writer_bool(struct json_writer *w, const char *name, bool value);
/* Writes a value that another writer made, given as compact text. */
void json_writer_value(struct json_writer *w, const char *name, const char *text);

/* Returns the text: compact, or with `indent` > 0 one name or value a line (arrays that hold no
 * arrays or objects stay on one line). It comes from the writer's arena; the writer must not be
 * used afterwards. */
/* Returns the bytes written so far, not counting indentation. */
size_t json_writer_bytes(const struct json_writer *w);
const char *json_writer_done(struct json_writer *w, int indent);

#endif
