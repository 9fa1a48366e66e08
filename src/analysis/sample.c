/* sample.c: selecting rows of a large matrix by selection sampling: each row in turn is selected
 * with probability (rows still wanted) / (rows still to come) (Knuth, vol. 2, 3.4.2, algorithm
 * S). */
#include "posviz/analysis/sample.h"

#include "posviz/base/rng.h"

struct row_sample sample_rows(size_t of, size_t most, uint64_t seed, struct arena *a)
{
	const size_t n = of < most ? of : most;
	size_t *const at = arena_calloc(a, n + 1, sizeof *at);
	struct rng rng;
	size_t taken = 0;
	rng_init(&rng, seed);
	for (size_t row = 0; taken < n; row++)
		if (rng_below(&rng, of - row) < n - taken)
			at[taken++] = row;
	return (struct row_sample){.at = at, .n = n, .of = of, .seed = seed};
}

const char *sample_show(const struct row_sample *s, struct arena *a)
{
	return s->n == s->of ? NULL
			     : arena_printf(a, "%zu of %zu rows, seed %llu", s->n, s->of,
					    (unsigned long long)s->seed);
}
