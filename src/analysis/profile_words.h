/* profile_words.h: a text as numbers of tokens, for windows. */
#ifndef ANALYSIS_PROFILE_WORDS_H
#define ANALYSIS_PROFILE_WORDS_H

#include "posviz/analysis/profile_run.h"

struct profile_tokens {
	size_t n, front, back;
	long *ids; /* [n] without the frame */
	long *front_ids, *back_ids;
	const char *const *words; /* by id, of a text of words; NULL: ids of a model */
	long *kinds;		  /* [n_kinds] the different ids */
	size_t n_kinds;
	bool drawn; /* from the vocabulary of the model, which cannot spell our text */
};

bool profile_tokens(const struct profile_of *of, struct arena *a, struct profile_tokens *out,
		    struct err *err);
/* Writes the ids of window w, [n], with the frame. */
void profile_window(const struct profile_tokens *t, const struct profile_sizes *z, uint64_t seed,
		    size_t w, long *ids);
/* The same of repeated random tokens. */
void profile_repeated(const struct profile_tokens *t, const struct profile_sizes *z, uint64_t seed,
		      size_t w, long *ids);

#endif
