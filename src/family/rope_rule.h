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

#define ORIGINAL "original_max_position_embeddings"

/* The object that is read, and what it is read into. */
struct rule_reading {
	struct reading *r;
	const struct rope_object *o;
	struct rotation_rule *out;
};

/* Return the place of one of its keys for messages, and its value; NULL: absent or null. */
const char *rule_path(const struct rule_reading *p, const char *name);
const struct json_value *rule_value(const struct rule_reading *p, const char *name);

/* rope_type.c. The types, and the row of one as it is written; NULL: there is none. */
struct rope_type_row {
	const char *names; /* of rope_type, separated by "|" */
	enum rope_type type;
	const char *needs, *may; /* keys, parted by blanks */
};
extern const struct rope_type_row rope_type_rows[]; /* ends with names == NULL */
const struct rope_type_row *rope_type_find(const char *word);

/* Returns the row of the object's type; NULL: it is none that is known, which is said. */
const struct rope_type_row *read_type(const struct rule_reading *p);
/* Looks for keys that this type does not read. */
void look_keys(const struct rule_reading *p, const struct rope_type_row *row);

/* Keys that mean something only inside the object; ends with NULL. */
extern const char *const rope_inner_keys[];

#endif
