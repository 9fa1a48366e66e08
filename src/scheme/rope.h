/* rope.h: the hooks that every row of the family shares, and their parameters. */
#ifndef SCHEME_ROPE_H
#define SCHEME_ROPE_H

#include "posviz/stage.h"
#include "scheme/rope_scaling.h"

enum rope_layout { ROPE_INTERLEAVED, ROPE_HALF };
extern const char *const rope_layout_names[]; /* interleaved half, ends with NULL */

struct rope {
	int layout; /* enum rope_layout */
	double base, partial;
	long start;
	bool rotary_value;
	long grid; /* W; 0: a line */
	struct rope_scaling scaling;
};

bool rope_declare(struct model *model, const struct member *m, struct err *err);
bool rope_prepare(struct run *run, const struct member *m, struct err *err);
bool rope_qk(struct head *head, const struct member *m, struct err *err);
bool rope_logits(struct head *head, const struct member *m, struct err *err);
bool rope_only_qk(const struct member *m);
double rope_reach(const void *param, const struct model_config *config);

#endif
