/* kind_in.h: the parts of kind.c. Each function fills *out and returns true if it recognises the
 * bytes. */
#ifndef FORMAT_KIND_IN_H
#define FORMAT_KIND_IN_H

#include "posviz/format/kind.h"

bool kind_set(struct kind_seen *out, enum kind_id id, enum kind_by by, const char *detail);
/* kind_bytes.c: formats that begin with characteristic bytes. */
bool kind_look_bytes(const char *name, const char *at, size_t len, struct kind_seen *out);
/* kind_json.c: JSON, by its beginning. */
bool kind_look_json(const char *at, size_t len, struct kind_seen *out);
/* kind_lines.c: marks at the beginning of a text, and its first significant line. */
bool kind_look_marks(const char *at, size_t len, struct kind_seen *out);
bool kind_look_lines(const char *at, size_t len, bool (*is_command)(const char *word),
		     struct kind_seen *out);
/* Returns whether a table has a number in its first lines. */
bool kind_has_numbers(const char *at, size_t len);

#endif
