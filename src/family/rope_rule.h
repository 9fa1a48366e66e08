/* rope_rule.h: the keys of one rotation. */
#ifndef FAMILY_ROPE_RULE_H
#define FAMILY_ROPE_RULE_H

#include "family/reading.h"

/* An object with the keys of a rotation, and its place in the file. */
struct rope_object {
	const struct json_value *at; /* or NULL */
	const char *path;	     /* "rope_scaling." */
};

/* Reads one rotation: without rope_theta inside, the base is that of the top level's key, or
 * `fallback`. */
void read_rotation(struct reading *r, const struct rope_object *o, const char *base_key,
		   double fallback, struct rotation_rule *out);

/* Returns the row of a type as it is written; NULL: there is none. */
struct rope_type_row {
	const char *names; /* of rope_type, separated by "|" */
	enum rope_type type;
	const char *needs, *may; /* keys, parted by blanks */
};
extern const struct rope_type_row rope_type_rows[]; /* ends with names == NULL */
const struct rope_type_row *rope_type_find(const char *word);

/* Keys that mean something only inside the object; ends with NULL. */
extern const char *const rope_inner_keys[];

#endif
