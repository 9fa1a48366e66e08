/* candidates.c: tensors that may be of positions, by their shapes and names. */
#include "posviz/family/candidates.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"

int candidate_name_points(const char *name)
{
	static const char *const words[] = {"pos", "wpe", "relative", "rel_", "distance"};
	int points = 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		points += strstr(name, words[i]) != NULL;
	return points;
}

struct guess {
	const struct known *k;
	const struct tensor_file *f;
	const struct tensor_entry *e;
	size_t rows, cols;
	struct arena *a;
	const char *scheme, *map; /* the expression; "p=%s", or NULL: nothing is read */
	long t_max;		  /* 0: not set */
};

static bool is_vector(const struct tensor_entry *e)
{
	return tensor_entry_rows(e) == 1;
}

/* A row for each position, as wide as the model, and a few more before the first where there are more than the
 * context is long; tables of relations are of distances. */
static int guess_table(struct guess *g)
{
	enum { SPARE = 8 };
	const size_t d = (size_t)g->k->d, n = (size_t)g->k->declared;
	const int named = candidate_name_points(g->e->name);
	if (d == 0 || g->cols != d || g->rows < 2 || g->rows == (size_t)g->k->vocabulary ||
	    strstr(g->e->name, "rel"))
		return 0;
	if (!named) /* as wide as the model is many a weight */
		return 0;
	const bool fits = n > 0 && g->rows >= n && g->rows <= n + SPARE;
	const size_t skipped = fits ? g->rows - n : 0;
	g->scheme = "learned";
	g->t_max = (long)(g->rows - skipped);
	g->map = skipped ? arena_printf(g->a, "p=%s[%zu:]", g->e->name, skipped)
			 : arena_printf(g->a, "p=%s", g->e->name);
	return 2 * fits + 2 * named;
}

/* A row for each bucket of a distance, a column for each head. */
static int guess_buckets(struct guess *g)
{
	enum { LEAST = 4, MOST = 4096 };
	const int named = candidate_name_points(g->e->name);
	if (g->k->heads == 0 || g->cols != (size_t)g->k->heads || g->rows < LEAST ||
	    g->rows > MOST || g->rows % 2 != 0 || !named)
		return 0;
	g->scheme = arena_printf(g->a, "t5(buckets=%zu)", g->rows);
	g->map = arena_printf(g->a, "bias_table=%s", g->e->name);
	return 2 + 2 * named;
}

/* A row for each distance up to a limit on both sides, as wide as a head. */
static int guess_distances(struct guess *g)
{
	const int named = candidate_name_points(g->e->name);
	if (g->k->head_dim == 0 || g->cols != (size_t)g->k->head_dim || g->rows % 2 != 1 ||
	    g->rows < 3 || !named)
		return 0;
	g->scheme = arena_printf(g->a, "shaw(clip=%zu,values=off)", (g->rows - 1) / 2);
	g->map = arena_printf(g->a, "w_key=%s", g->e->name);
	return 1 + 2 * named;
}

/* Frequencies base^(-2i/r), whose second gives the base; the scheme is the rotation, and reads no file. */
static int guess_frequencies(struct guess *g)
{
	const char *const name = g->e->name;
	const size_t len = strlen(name), n = g->cols, dk = (size_t)g->k->head_dim;
	static const char end[] = "inv_freq";
	const size_t most = sizeof end - 1;
	if (!is_vector(g->e) || len < most || strcmp(name + len - most, end) != 0 || n < 2 ||
	    2 * n > dk)
		return 0;
	double *const at = arena_calloc(g->a, n, sizeof *at);
	if (!tensor_file_rows(g->f, g->e, 0, 1, at, NULL) || !(at[1] > 0 && at[1] < 1))
		return 0;
	char base[32], partial[32];
	num_show(base, sizeof base, pow(at[1], -(double)n), 6);
	num_show(partial, sizeof partial, 2 * (double)n / (double)dk, 6);
	g->scheme = 2 * n == dk ? arena_printf(g->a, "rope(base=%s)", base)
				: arena_printf(g->a, "rope(base=%s,partial=%s)", base, partial);
	return 5;
}

static const struct {
	const char *may_be;
	int (*guess)(struct guess *g); /* points; 0: it is none */
} kinds[] = {
	{"a table of positions", guess_table},
	{"a bias of distances in buckets", guess_buckets},
	{"vectors of distances", guess_distances},
	{"frequencies of a rotation", guess_frequencies},
};

/* Keeps the best, the first of equal ones before the others. */
static void keep(struct candidate *out, size_t *n, const struct candidate *c)
{
	size_t at = *n;
	while (at > 0 && out[at - 1].points < c->points)
		at--;
	if (at == MOST_CANDIDATES)
		return;
	const size_t last = *n < MOST_CANDIDATES ? (*n)++ : MOST_CANDIDATES - 1;
	memmove(out + at + 1, out + at, (last - at) * sizeof *out);
	out[at] = *c;
}

/* A name with a blank cannot stand in a map, nor one in a line that a screen would change. */
static bool can_be_named(const char *name, struct arena *a)
{
	return !strpbrk(name, " =[]+\"'") && strcmp(text_escape(a, name, strlen(name)), name) == 0;
}

size_t known_candidates(const struct known *k, const char *path, struct arena *a,
			struct candidate *out)
{
	const struct tensor_file *const f = tensor_file_open_in(a, path, NULL);
	size_t n = 0;
	for (size_t i = 0; f && i < tensor_file_count(f); i++) {
		const struct tensor_entry *const e = tensor_file_at(f, i);
		if (e->unread || e->dims > 2 || !can_be_named(e->name, a))
			continue;
		for (size_t j = 0; j < sizeof kinds / sizeof *kinds; j++) {
			struct guess g = {.k = k,
					  .f = f,
					  .e = e,
					  .rows = tensor_entry_rows(e),
					  .cols = tensor_entry_cols(e),
					  .a = a};
			const int points = kinds[j].guess(&g);
			if (points > 0)
				keep(out, &n,
				     &(struct candidate){e->name, g.rows, g.cols, kinds[j].may_be,
							 g.scheme, g.map, g.t_max, points});
		}
	}
	return n;
}
