/* profile_columns.c: the numbers of heads by name, and heads chosen and put in order by them. */
#include "posviz/analysis/profile_columns.h"

#include <math.h>
#include <stdlib.h>

/* The places in profile_names of those that no score has. */
enum { POSITION, BY_DISTANCE, BY_KEY, CONTENT, PEAK, OWN = 13, LAYER, HEAD };

#define NO_SCORE .score = PROFILE_SCORES

const struct profile_column profile_columns[PROFILE_COLUMNS] = {
	[POSITION] = {"position", "position, % of the variance", "% position",
		      "share of the logits' variance within rows by distance and by key", true,
		      NO_SCORE, 1},
	[BY_DISTANCE] = {"distance", "by distance, % of the variance", "% distance",
			 "what of it a function of s−t explains", true, NO_SCORE, 1},
	[BY_KEY] = {"key", "by the key's position, % of the variance", "% key",
		    "what of it a function of s explains beyond that", true, NO_SCORE, 2},
	[CONTENT] = {"content", "content, % of the variance", "% content", "the rest", true,
		     NO_SCORE, 1},
	[PEAK] = {"peak", "distance of the kernel's peak", "peak",
		  "the distance s−t where the kernel is largest", NO_SCORE, .priority = 6},
	{"previous", "weight of the previous token", "previous", "weight of the token before",
	 false, PROFILE_PREVIOUS, 1},
	{"first", "weight of the first token", "first", "weight of token 1", false, PROFILE_FIRST,
	 1},
	{"same", "weight of the same token elsewhere", "same",
	 "weight of other occurrences of the query's token", false, PROFILE_SAME, 3},
	{"induction", "weight of what followed before", "induction",
	 "weight of what followed the token before, on random tokens repeated", false,
	 PROFILE_INDUCTION, 2},
	{"local", "weight within 8 tokens", "local", "weight of tokens up to 8 away", false,
	 PROFILE_LOCAL, 3},
	{"entropy", "entropy of the weights, nats", "entropy", "−Σ p ln p of the weights, in nats",
	 false, PROFILE_ENTROPY, 4},
	{"tokens", "mean distance, tokens", "tokens", "mean distance of the weights", false,
	 PROFILE_DISTANCE, 6},
	{"order", "order sensitivity", "order",
	 "share of a query's weights that moves when tokens farther than 8 are shuffled", false,
	 PROFILE_ORDER, 5},
	[OWN] = {"own", "likeness to the scheme's own kernel, %", "% own",
		 "how much of the kernel is the scheme's own; 0 or less: none", true, NO_SCORE, 5},
	[LAYER] = {"layer", "layer", "layer", NULL, NO_SCORE},
	[HEAD] = {"head", "head of its layer", "head", NULL, NO_SCORE},
};

double profile_value(const struct profile_sizes *z, const struct profile_head *heads, size_t i,
		     size_t column)
{
	const struct profile_head *const h = &heads[i];
	switch (column) {
	case POSITION:
		return h->distance + h->key;
	case BY_DISTANCE:
		return h->distance;
	case BY_KEY:
		return h->key;
	case CONTENT:
		return h->content;
	case PEAK:
		return h->peak;
	case OWN:
		return h->own_like;
	case LAYER:
		return (double)(i / z->heads + 1);
	case HEAD:
		return (double)(i % z->heads + 1);
	default:
		return h->score[profile_columns[column].score];
	}
}

const char *profile_text(const struct profile_sizes *z, const struct profile_head *heads, size_t i,
			 size_t column, struct arena *a)
{
	const struct profile_column *const c = &profile_columns[column];
	const double value = profile_value(z, heads, i, column);
	if (isnan(value))
		return "–";
	if (c->percent)
		return arena_printf(a, "%s%.0f %%", value <= -0.005 ? "−" : "", fabs(100 * value));
	if (c->score == PROFILE_SCORES)
		return arena_printf(a, "%s%.0f", value < 0 ? "−" : "", fabs(value));
	return arena_printf(a, "%s%.2f%s", value <= -0.005 ? "−" : "", fabs(value),
			    heads[i].stands[c->score] ? "*" : " ");
}

/* ---- choice and order -------------------------------------------------------------------------- */

static bool holds(const struct profile_condition *c, const struct profile_head *h, double value)
{
	const struct profile_column *const column = &profile_columns[c->column];
	const double x = column->percent ? 100 * value : value;
	switch (c->sign) {
	case PROFILE_STARRED:
		return h->stands[column->score];
	case PROFILE_ABOVE:
		return x > c->value;
	case PROFILE_BELOW:
		return x < c->value;
	case PROFILE_FROM:
		return x >= c->value;
	case PROFILE_TO:
		return x <= c->value;
	case PROFILE_EQUAL:
		return fabs(x - c->value) < 1e-9;
	}
	return false;
}

struct entry {
	size_t head;
	double key; /* NaN: last */
};

static int by_key(const void *a, const void *b)
{
	const struct entry *const x = a, *const y = b;
	if (isnan(x->key) != isnan(y->key))
		return isnan(x->key) ? 1 : -1;
	const int keys = isnan(x->key) ? 0 : (x->key > y->key) - (x->key < y->key);
	return keys ? keys : (x->head > y->head) - (x->head < y->head);
}

size_t *profile_order(const struct profile_sizes *z, const struct profile_head *heads,
		      const struct scene *scene, size_t column, bool sizes, struct arena *a,
		      size_t *n)
{
	const size_t all = z->layers * z->heads;
	const bool smallest = (column == LAYER || column == HEAD) != scene->descending;
	struct profile_condition *c;
	size_t n_c;
	struct err err;
	struct entry *const at = arena_calloc(a, all + 1, sizeof *at);
	size_t *const out = arena_calloc(a, all + 1, sizeof *out);
	if (!profile_filter_read(scene->profile_filter, a, &c, &n_c, &err))
		n_c = 0; /* the field's check refuses it */
	*n = 0;
	for (size_t i = 0; i < all; i++) {
		bool passes = true;
		for (size_t k = 0; k < n_c; k++)
			passes &= holds(&c[k], &heads[i], profile_value(z, heads, i, c[k].column));
		const double is = profile_value(z, heads, i, column),
			     value = sizes && column < LAYER ? fabs(is) : is;
		if (passes)
			at[(*n)++] = (struct entry){i, smallest ? value : -value};
	}
	qsort(at, *n, sizeof *at, by_key);
	for (size_t i = 0; i < *n; i++)
		out[i] = at[i].head;
	return out;
}

size_t profile_first(const struct profile_known *k, const struct scene *scene)
{
	struct arena a;
	size_t n;
	arena_init(&a);
	const size_t *const of =
		profile_order(&k->run.sizes, k->shown, scene, (size_t)scene->profile_sort,
			      k->other != NULL, &a, &n);
	const size_t first = n > 0 ? of[0] : SIZE_MAX;
	arena_release(&a);
	return first;
}
