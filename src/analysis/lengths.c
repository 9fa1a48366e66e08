/* lengths.c: the measures of a scheme's attention at growing lengths, length by length. */
#include "posviz/analysis/lengths.h"

#include <math.h>
#include <string.h>

#include "lengths_in.h"
#include "posviz/math/machine.h"

const char *const lengths_measure_names[LENGTHS_MEASURES] = {"distance", "entropy", "within",
							     "first"};

/* ---- lengths, queries and distances
 * ------------------------------------------------------------ */

/* Fills in lengths downwards from 8·t_max by factors of √2, or of 2 if these are too many. */
static size_t grid_by(size_t t_max, int halves, size_t *out)
{
	const size_t first = t_max < LENGTHS_FIRST ? 1 : LENGTHS_FIRST;
	size_t down[8 * sizeof(size_t) * 2], n = 0;
	for (int k = 3 * halves;; k--) {
		const double at = (double)t_max * exp2((double)k / halves);
		const size_t length = (size_t)llround(at);
		if (length < first)
			break;
		if (n == 0 || length < down[n - 1])
			down[n++] = length;
		if (length == first)
			break;
	}
	for (size_t i = 0; i < n && n <= LENGTHS_GRID; i++)
		out[i] = down[n - 1 - i];
	return n;
}

size_t lengths_grid(size_t t_max, size_t *out)
{
	const size_t n = grid_by(t_max, 2, out);
	return n <= LENGTHS_GRID ? n : grid_by(t_max, 1, out);
}

/* Makes buckets 0, 1, 2 and 3, 4 to 7: each twice as large as the one before. */
static void make_buckets(size_t longest, struct lengths *out)
{
	out->n_buckets = 0;
	for (int k = -1; out->n_buckets < LENGTHS_BUCKETS; k++) {
		const size_t from = k < 0 ? 0 : (size_t)1 << k;
		if (from >= longest)
			break;
		out->from[out->n_buckets++] = from;
	}
	out->from[out->n_buckets] = longest;
}

/* Selects queries, ascending; the last one is at the end, and in a short text already among
 * them. */
static size_t spread_queries(size_t n, long *out)
{
	const size_t many = n < LENGTHS_QUERIES ? n : LENGTHS_QUERIES;
	for (size_t i = 0; i < many; i++)
		out[i] = (long)((2 * i + 1) * n / (2 * many));
	if (out[many - 1] == (long)n - 1)
		return many;
	out[many] = (long)n - 1;
	return many + 1;
}

/* ---- the repeated text
 * ------------------------------------------------------------------------- */

/* Repeats the words of the text. */
static void repeated_input(const struct built *b, size_t n, struct arena *a,
			   struct model_input *out)
{
	const struct model_input *const text = &b->model_input;
	const size_t m = text->axis.n;
	double *const word = arena_calloc(a, n, sizeof *word);
	built_plain(b, n, a, out);
	out->units = mat_new(a, n, text->units.cols);
	out->probe = (struct mat){0};
	for (size_t i = 0; i < n; i++) {
		mat_set(mat_rows(out->units, i, 1), mat_rows(text->units, i % m, 1));
		word[i] = text->word ? text->word[i % m] : (double)(i % m);
	}
	out->word = word;
}

static const unsigned structural = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;

const char *lengths_why_none(const struct built *b, struct arena *a)
{
	if (b->position_ids)
		return "position ids are given for these tokens, and for no longer text";
	if (b->pictures)
		return "the pictures of this text have rows and columns of their own";
	if (b->model_input.memory > 0)
		return "a memory is of this text: there are no lengths beside it";
	for (size_t i = 0; i < b->expr.n; i++)
		if (b->expr.members[i].scheme->flags & structural)
			return arena_printf(
				a,
				"There is nothing to measure: %s works on a tree or a graph, which does not grow "
				"with the number of positions",
				b->expr.members[i].scheme->id);
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].units)
			return arena_printf(a,
					    "%s reads a matrix of %zu tokens, which has one length",
					    b->members[i].name, b->members[i].units);
	if (b->structure)
		return arena_printf(a, "lengths are of texts: the tokens here are those of a %s",
				    b->structure->kind == STRUCTURE_GRAPH ? "graph" : "tree");
	if (b->reorder)
		return "a re-ordering is given of these words, and of no longer text";
	return NULL;
}

/* ---- the last query, by buckets of distance -------------------------------------------------- */

static void fill_buckets(const struct lengths *l, const double *at, size_t n, bool sums,
			 double *bucket)
{
	for (size_t i = 0; i < l->n_buckets; i++) {
		double sum = 0;
		size_t count = 0;
		for (size_t d = l->from[i]; d < l->from[i + 1] && d < n; d++) {
			sum += isfinite(at[d]) ? at[d] : 0;
			count += isfinite(at[d]);
		}
		bucket[i] = count == 0 ? (double)NAN : sums ? sum : sum / (double)count;
	}
}

/* ---- one length ------------------------------------------------------------------------------ */

struct at_length {
	const struct lengths_of *of;
	const struct lengths *l;
	size_t n;
	struct trace trace;
	const long *places;
	struct lengths_head *heads;
	struct arena *a; /* of the head that is measured */
};

static struct mat wanted_matrix(const struct at_length *at, const struct trace_head *h)
{
	const struct lengths_of *const of = at->of;
	return at->l->matrix_absent ? h->weights
	       : of->matrix == MATRIX_BIAS
		       ? at->trace.layers[0].heads[h - at->trace.layers[of->layer].heads].bias
	       : of->matrix == MATRIX_LOGITS ? h->logits
					     : h->weights;
}

static void bucket_last(const struct at_length *at, const struct trace_head *h, size_t row,
			struct lengths_head *out)
{
	const struct axis *const key = &at->trace.key;
	const bool mask = at->of->matrix == MATRIX_MASK && !at->l->matrix_absent;
	double *const values = arena_calloc(at->a, key->n + 1, sizeof *values);
	for (size_t s = 0; mask && s < key->n; s++)
		values[s] = h->mask ? h->mask[row * key->n + s] : 1;
	const struct mat m = wanted_matrix(at, h);
	const bool sums = m.at == h->weights.at;
	const double *const from = mask ? values : m.at ? mat_row(m, row) : NULL;
	for (size_t i = 0; i < LENGTHS_BUCKETS; i++)
		out->bucket[i] = NAN;
	if (from)
		fill_buckets(at->l, lengths_by_distance(from, key, at->n, at->a), at->n,
			     sums && !mask, out->bucket);
}

static void measure_last(const struct at_length *at, const struct trace_head *h, size_t head,
			 size_t row, struct lengths_head *out)
{
	const struct axis *const key = &at->trace.key;
	const double *const w = mat_row(h->weights, row), sum = lengths_row_sum(w, key->n);
	lengths_measure_row(mat_rows(h->weights, row, 1), key, (long)at->n - 1, at->of->within,
			    out->last);
	bucket_last(at, h, row, out);
	if (!isnan(sum) && lengths_has_places(key)) {
		const double *const by = lengths_by_distance(w, key, at->n, at->a);
		out->window = lengths_window(by, at->n, sum);
		out->unseen = lengths_beyond(by, at->n, sum, at->l->trained[head]);
	}
	if (h->logits.at && lengths_has_places(key)) {
		const double *const by =
			lengths_by_distance(mat_row(h->logits, row), key, at->n, at->a);
		out->near = by[0];
		out->saturates = at->l->plain ? lengths_saturation(by, at->n) : (double)NAN;
	}
}

static void measure_mean(const struct at_length *at, const struct trace_head *h, const long *spread,
			 size_t n_spread, double *out)
{
	size_t counted = 0;
	double sum[LENGTHS_MEASURES] = {0};
	for (size_t row = 0; row < at->trace.query.n; row++) {
		double own[LENGTHS_MEASURES];
		bool is_one = false;
		for (size_t i = 0; i < n_spread; i++)
			is_one |= spread[i] == at->trace.query.token[row];
		if (!is_one)
			continue;
		lengths_measure_row(mat_rows(h->weights, row, 1), &at->trace.key,
				    at->trace.query.token[row], at->of->within, own);
		for (size_t m = 0; m < LENGTHS_MEASURES; m++)
			sum[m] += own[m];
		counted++;
	}
	for (size_t m = 0; m < LENGTHS_MEASURES; m++)
		out[m] = counted > 0 ? sum[m] / (double)counted : (double)NAN;
}

static void measure_head(const struct at_length *at, size_t head, struct lengths_head *out)
{
	const struct trace_head *const h = &at->trace.layers[at->of->layer].heads[head];
	const size_t many = at->n < LENGTHS_QUERIES ? at->n : LENGTHS_QUERIES;
	*out = (struct lengths_head){.window = NAN, .unseen = NAN, .saturates = NAN, .near = NAN};
	for (size_t m = 0; m < LENGTHS_MEASURES; m++)
		out->last[m] = out->mean[m] = NAN;
	for (size_t i = 0; i < LENGTHS_BUCKETS; i++)
		out->bucket[i] = NAN;
	if (!h->weights.at)
		return;
	for (size_t row = 0; row < at->trace.query.n; row++)
		if (at->trace.query.token[row] == (long)at->n - 1)
			measure_last(at, h, head, row, out);
	measure_mean(at, h, at->places, many, out->mean);
}

static void measure_one(void *context, size_t head, size_t worker)
{
	struct at_length at = *(const struct at_length *)context;
	struct arena scratch;
	(void)worker;
	arena_init(&scratch);
	at.a = &scratch;
	measure_head(&at, head, &at.heads[head]);
	arena_release(&scratch);
}

static struct want want_of(const struct lengths_of *of, const struct lengths *l, const long *places,
			   size_t n_places)
{
	unsigned kinds = WANT_WEIGHTS | WANT_LOGITS;
	kinds |= of->matrix == MATRIX_BIAS && !l->matrix_absent ? WANT_BIAS : 0;
	kinds |= of->matrix == MATRIX_MASK ? WANT_MASK : 0;
	return (struct want){.kinds = kinds,
			     .layer = of->layer,
			     .head = -1,
			     .places = places,
			     .n_places = n_places};
}

/* Runs one length. False: it cannot be computed; *memory: it would exceed the memory limit. */
static bool run_length(const struct lengths_of *of, const struct lengths *l, size_t n,
		       struct lengths_head *heads, bool *memory, struct err *err)
{
	struct arena scratch;
	struct model_input in;
	long places[LENGTHS_QUERIES + 1];
	struct at_length at = {.of = of, .l = l, .n = n, .places = places, .heads = heads};
	const struct model *const model = &of->built->model;
	const struct want want = want_of(of, l, places, spread_queries(n, places));
	arena_init(&scratch);
	*memory = false;
	/* A run with the cache would store large results there and displace others. */
	in = (struct model_input){.axis = {.n = n}};
	const size_t limit = model->config.memory, need = model_estimate(model, &in, &want);
	bool ok = limit == 0 || need <= limit;
	if (!ok) {
		*memory = true;
		err_set(err,
			"%zu positions need about %.0f MB, above the limit of %.0f MB; raise memory",
			n, (double)need / 1e6, (double)limit / 1e6);
	} else {
		(l->plain ? built_plain : repeated_input)(of->built, n, &scratch, &in);
		ok = built_run(of->built, &in, &want, NULL, of->watch, &scratch, &at.trace, err);
	}
	if (ok)
		machine_parallel(l->heads, measure_one, &at);
	arena_release(&scratch);
	return ok;
}

/* ---- all lengths
 * ------------------------------------------------------------------------------- */

static const size_t numbers_of_head = sizeof(struct lengths_head) / sizeof(double);

/* Stores the mean after the heads; a number that one head lacks makes it NaN. The saturation
 * distance of all heads is the largest. */
static void mean_of_heads(const struct lengths *l, struct lengths_head *heads)
{
	struct lengths_head *const all = &heads[l->heads];
	double *const mean = (double *)all;
	for (size_t k = 0; k < numbers_of_head; k++) {
		mean[k] = 0;
		for (size_t h = 0; h < l->heads; h++)
			mean[k] += ((const double *)&heads[h])[k] / (double)l->heads;
	}
	for (size_t h = 0; h < l->heads; h++) {
		all->window = isnan(all->window) ? all->window : fmax(all->window, heads[h].window);
		if (!isnan(all->saturates))
			all->saturates = fmax(all->saturates, heads[h].saturates);
	}
}

static const char *key_of(const struct lengths_of *of, size_t n, struct arena *a)
{
	const char *const id = of->cache ? setup_identity(of->setup, false, a) : NULL;
	return id ? arena_printf(a, "lengths %zu layer %ld within %ld matrix %d\n%s", n, of->layer,
				 of->within, (int)of->matrix, id)
		  : NULL;
}

/* Finds the exact limit between a length that can be computed and one that cannot. */
static void find_end(const struct lengths_of *of, struct lengths *l, size_t good, size_t bad,
		     struct arena *a)
{
	struct lengths_head *const heads = arena_calloc(a, l->heads + 1, sizeof *heads);
	struct err err = {""};
	bool memory;
	for (size_t n = good + 1; bad - good > 1; n = good + (bad - good) / 2) {
		if (watch_cancelled(of->watch))
			return;
		if (run_length(of, l, n, heads, &memory, &err)) {
			good = n;
			continue;
		}
		bad = n;
		l->why_ends = arena_strdup(a, err.text);
	}
	l->ends = good;
}

/* Ends the lengths at one that a scheme refuses, or for which there is no memory. */
static void end_at(const struct lengths_of *of, struct lengths *l, size_t i, bool memory,
		   const char *why, struct arena *a)
{
	const size_t good = i > 0 ? l->rows[i - 1].n : 0, bad = l->rows[i].n;
	l->n = i;
	l->ends = good;
	l->why_ends = arena_strdup(a, why);
	l->memory_ends = memory;
	if (!memory)
		find_end(of, l, good, bad, a);
	if (l->ends == 0)
		l->why = l->why_ends;
}

/* Makes a row. False: cancelled. */
static bool make_row(const struct lengths_of *of, struct lengths *l, size_t i, bool may, bool *made,
		     struct arena *a, struct err *err)
{
	struct lengths_row *const row = &l->rows[i];
	const size_t numbers = numbers_of_head * l->heads;
	const char *const key = key_of(of, row->n, a);
	struct err refused = {""};
	bool memory;
	row->heads = arena_calloc(a, l->heads + 1, sizeof *row->heads);
	row->known = key && cache_recall(of->cache, key, (double *)row->heads, numbers);
	*made = !row->known && may;
	if (*made) {
		row->known = run_length(of, l, row->n, row->heads, &memory, &refused);
		if (!row->known && watch_cancelled(of->watch))
			return err_set(err, "cancelled");
		if (!row->known)
			end_at(of, l, i, memory, refused.text, a);
		else if (key)
			cache_remember(of->cache, key, (double *)row->heads, numbers);
	}
	if (row->known)
		mean_of_heads(l, row->heads);
	return true;
}

static void begin(const struct lengths_of *of, struct arena *a, struct lengths *l)
{
	const struct built *const b = of->built;
	size_t grid[LENGTHS_GRID];
	*l = (struct lengths){.heads = b->model.config.heads,
			      .t_max = b->model.config.t_max,
			      .plain = b->model_input.probe.at != NULL,
			      .why = lengths_why_none(of->built, a)};
	l->n = lengths_grid(l->t_max, grid);
	for (size_t i = 0; i < l->n; i++)
		l->rows[i].n = grid[i];
	make_buckets(grid[l->n - 1], l);
	l->trained = arena_calloc(a, l->heads + 1, sizeof *l->trained);
	for (size_t h = 0; h <= l->heads; h++)
		l->trained[h] = expr_reach(&b->expr, &b->model.config, h, a);
	for (size_t i = 0; i < b->n_members; i++) {
		const struct hooks *const h = b->members[i].hooks;
		l->matrix_absent |= (h->no_logits || (h->content && !h->content_of_units)) &&
				    of->matrix == MATRIX_BIAS;
		l->matrix_absent |= h->no_logits && of->matrix == MATRIX_LOGITS;
	}
}

size_t lengths_part(const struct lengths_of *of, double cells, struct arena *a, struct lengths *out,
		    struct err *err)
{
	size_t to_come = 0;
	begin(of, a, out);
	if (out->why) {
		out->n = 0;
		return 0;
	}
	double left = key_of(of, 1, a) ? cells : INFINITY;
	bool none = true, made;
	for (size_t i = 0; i < out->n; i++) {
		const double own = (double)out->rows[i].n * (double)out->rows[i].n;
		const bool may = to_come == 0 && (none || own <= left);
		if (!make_row(of, out, i, may, &made, a, err))
			return SIZE_MAX;
		left -= made ? own : 0;
		none = none && !made;
		if (i < out->n)
			to_come += !out->rows[i].known;
	}
	lengths_unseen(of, out);
	lengths_find_turns(of, a, out);
	return to_come;
}
