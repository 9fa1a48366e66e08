/* profile_run.h: where the windows of a profile come from. */
#ifndef ANALYSIS_PROFILE_RUN_H
#define ANALYSIS_PROFILE_RUN_H

#include "profile_words.h"

/* The columns of a layer's heads that rotate together. */
struct profile_turns {
	size_t pairs;
	bool half;
	double attention; /* multiplies cosines and sines */
};

struct profile_source {
	struct arena *arena;
	const struct setup *setup;
	struct profile_tokens tokens;
	struct built *built;
	struct profile_turns *turns; /* [layers] */
	/* profile_given.c: of a file. */
	struct mat q, k;     /* [windows·layers·heads·n, d_h], rotated */
	struct mat weights;  /* [windows·layers·heads·n, n] */
	const double *ids;   /* [windows·n], or NULL */
	const uint8_t *mask; /* [n·n], or NULL */
	double c;
};

/* Finds what rotates q and k of each layer, for windows of n tokens. */
void profile_find_turns(const struct built *b, size_t t_max, size_t n, size_t layers, size_t dk,
			struct arena *a, struct profile_run *out, struct profile_turns *turns);
/* profile_own.c: returns what a head's scheme adds to its logits by positions alone, at NULL: nothing; whether two
 * windows have the same in n heads. */
struct mat profile_own_term(const struct trace *trace, size_t layer, size_t head, struct arena *a);
bool profile_own_same(const struct mat *x, const struct mat *y, size_t n);
/* Makes the hash of texts, which end with NULL. */
const char *profile_identity(const char *const *texts, struct arena *a);

bool profile_open_given(const struct profile_of *of, struct arena *a, struct profile_run *out,
			struct err *err);
bool profile_step_given(struct profile_run *run, struct profile *p, size_t w, struct err *err);

#endif
