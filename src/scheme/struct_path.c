/* struct_path.c: see struct_tr.h: the five encodings of the labels of a path.
 *
 * A label at a step of a path is the same in all paths, so its products are computed once and
 * read by the paths. Paths of the same length are computed together; sums come from those of
 * paths with one label less. */
#include "scheme/struct_tr.h"

#include <math.h>
#include <string.h>

#include "scheme/label_rows.h"
#include "scheme/sinusoid.h"

/* The data from which vectors of a step are made; several pieces of paths read it at the same
 * time. */
struct maker {
	struct run *run;
	const struct struct_tr *p;
	const struct label_paths *paths;
	const int32_t *symbols; /* [count, LABEL_PATH_LONGEST]; after the end the row of zeros */
	size_t e, length;	/* length: of the present paths, padding included */
	size_t n_symbols;
	/* [n_symbols, e]: the vector of a label at each step of a path; and of all steps, below
	 * each other */
	struct node *place[LABEL_PATH_LONGEST], *q, *k, *v;
	size_t heads;		     /* of the attention over labels */
	struct map o, hidden, score; /* after it, and of the layer that weights labels */
	struct node *taps, *bias;    /* of the convolution */
};

struct map struct_tr_map(struct run *run, const struct member *m, const char *w, const char *b)
{
	const struct struct_tr *p = m->param;
	return (struct map){run_leaf(run, m, w), p->form == FORM_CODE ? run_leaf(run, m, b) : NULL};
}

struct node *struct_tr_mapped(struct tape *t, struct node *x, struct map map)
{
	struct node *y = tape_matmul(t, x, false, map.w, false, 1);
	return map.b ? tape_add(t, y, map.b) : y;
}

/* Reads the vectors of the labels that paths have at this step. */
static struct node *read_step(const struct maker *k, struct tape *t, struct node *table,
			      size_t step, size_t first, size_t n)
{
	int32_t *rows = arena_alloc(t->arena, n * sizeof *rows);
	for (size_t i = 0; i < n; i++)
		rows[i] = k->symbols[(first + i) * LABEL_PATH_LONGEST + step];
	return tape_gather_rows(t, table, rows, n);
}

static struct node *place_labels(const struct maker *k, struct node *table, size_t step)
{
	struct tape *t = k->run->tape;
	if (!struct_tr_numbers_steps(k->p))
		return table;
	const double at = (double)step;
	const struct mat row = mat_new(k->run->arena, 1, k->e);
	sinusoid_fill(row, &at, SINUSOID_INTERLEAVED, SINUSOID_PAPER, 10000);
	return tape_add(t, tape_scale(t, table, sqrt((double)k->e)), tape_const(t, row));
}

/* Computes max(0, Σ_i m_i K_i + b). If m is a label, the products of all labels are read. */
static struct node *convolve(const struct maker *k, struct tape *t, struct node *const *steps,
			     size_t first, size_t n)
{
	struct node *sum = NULL;
	for (size_t i = 0; i < KERNEL; i++) {
		struct node *tap = tape_slice(t, k->taps, i * k->e, k->e, 0, k->e);
		struct node *x =
			tape_matmul(t, steps ? steps[i] : k->place[i], false, tap, false, 1);
		if (!steps)
			x = read_step(k, t, x, i, first, n);
		sum = sum ? tape_add(t, sum, x) : x;
	}
	return tape_relu(t, tape_add(t, sum, k->bias));
}

/* Makes an index of n groups of `each` rows. */
static const struct index *group_index(struct arena *a, const int32_t *rows, size_t n, size_t each,
				       size_t count)
{
	struct index *index = arena_alloc(a, sizeof *index);
	*index = (struct index){.rows = n, .cols = each, .count = count, .at = rows};
	return index;
}

/* Computes the attention of each step over all steps of its path: [n · length, e]. */
static struct node *attend(const struct maker *k, struct tape *t, size_t first, size_t n)
{
	const size_t length = k->length, steps = n * length;
	int32_t *step = arena_alloc(t->arena, steps * sizeof *step);
	int32_t *all = arena_alloc(t->arena, steps * length * sizeof *all);
	for (size_t i = 0; i < steps; i++)
		step[i] = (int32_t)(i % length * k->n_symbols) +
			  k->symbols[(first + i / length) * LABEL_PATH_LONGEST + i % length];
	for (size_t i = 0; i < steps; i++)
		memcpy(all + i * length, step + i / length * length, length * sizeof *all);
	const struct index *index = group_index(t->arena, all, steps, length, k->k->v.rows);
	struct node *scores = tape_chosen_dots(t, k->q, step, k->k, index, k->heads);
	struct node *weights =
		tape_softmax(t, tape_reshape(t, scores, steps * k->heads, length), NULL, true);
	weights = tape_reshape(t, weights, steps, k->heads * length);
	struct node *out = tape_chosen_mix(t, weights, k->v, index, k->heads);
	return k->o.w ? struct_tr_mapped(t, out, k->o) : out;
}

/* Σ_a softmax_a(w·tanh(m_a W)) m_a */
static struct node *pool(const struct maker *k, struct tape *t, struct node *steps, size_t n)
{
	const size_t count = n * k->length;
	struct node *hidden = tape_tanh(t, struct_tr_mapped(t, steps, k->hidden));
	struct node *scores = tape_reshape(t, struct_tr_mapped(t, hidden, k->score), n, k->length);
	int32_t *own = arena_alloc(t->arena, count * sizeof *own);
	for (size_t i = 0; i < count; i++)
		own[i] = (int32_t)i;
	const struct index *index = group_index(t->arena, own, n, k->length, count);
	return tape_chosen_mix(t, tape_softmax(t, scores, NULL, true), steps, index, 1);
}

static struct node *self_attention(const struct maker *k, struct tape *t, size_t first, size_t n)
{
	struct node *out = attend(k, t, first, n), *steps[KERNEL];
	if (k->p->pool)
		return pool(k, t, out, n);
	struct node *paths = tape_reshape(t, out, n, k->length * k->e);
	for (size_t i = 0; i < KERNEL; i++)
		steps[i] = tape_slice(t, paths, 0, n, i * k->e, k->e);
	return convolve(k, t, steps, first, n);
}

/* Computes paths first .. first + n - 1, all of k->length. */
static struct node *some_vectors(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct maker *k = context;
	return k->p->variant == VARIANT_SA ? self_attention(k, t, first, n)
					   : convolve(k, t, NULL, first, n);
}

/* Computes the vectors length by length, or all at once if shorter paths are padded. */
static struct node *vectors_by_length(struct maker *k, struct arena *a, struct err *err)
{
	const size_t *first = k->paths->first, count = k->paths->count;
	const bool pads = struct_tr_pads(k->p);
	struct label_rows rows = label_rows_begin(k->run, mat_new(a, count, k->e));
	for (k->length = pads ? KERNEL : 1; rows.filled < count; k->length++)
		label_rows_add(&rows, pads ? count : first[k->length + 1] - first[k->length],
			       some_vectors, k);
	return label_rows_end(&rows, err);
}

static size_t common_divisor(size_t a, size_t b)
{
	return b == 0 ? a : common_divisor(b, a % b);
}

/* Computes the vectors of all labels at all steps, and their maps for the attention. */
static void place_all(struct maker *k, const struct member *m, struct node *table)
{
	struct run *run = k->run;
	struct tape *t = run->tape;
	struct node *both[] = {table, tape_const(t, mat_zero(run->arena, 1, k->e))};
	struct node *all = tape_concat_rows(t, both, 2);
	k->n_symbols = all->v.rows;
	k->heads = common_divisor(k->e, run->model->config.heads);
	const size_t longest = struct_tr_pads(k->p) ? KERNEL : struct_tr_rules(k->p).longest;
	for (size_t i = 0; i < longest; i++)
		k->place[i] = place_labels(k, all, i);
	if (k->p->variant != VARIANT_SA)
		return;
	struct node *places = tape_concat_rows(t, k->place, longest);
	const struct map q = struct_tr_map(run, m, "label_w_q", "label_b_q");
	k->q = tape_scale(t, struct_tr_mapped(t, places, q), 1 / sqrt((double)(k->e / k->heads)));
	k->k = struct_tr_mapped(t, places, struct_tr_map(run, m, "label_w_k", "label_b_k"));
	k->v = struct_tr_mapped(t, places, struct_tr_map(run, m, "label_w_v", "label_b_v"));
}

static void take_leaves(struct maker *k, const struct member *m)
{
	struct run *run = k->run;
	const bool attends = k->p->variant == VARIANT_SA;
	if (attends && k->p->form == FORM_CODE)
		k->o = struct_tr_map(run, m, "label_w_o", "label_b_o");
	if (attends && k->p->pool) {
		k->hidden = struct_tr_map(run, m, "pool_w1", "pool_b1");
		k->score = struct_tr_map(run, m, "pool_w2", "pool_b2");
	}
	if (struct_tr_convolves(k->p)) {
		k->taps = run_leaf(run, m, "conv_weight");
		k->bias = run_leaf(run, m, "conv_bias");
	}
}

static struct node *neural_vectors(struct run *run, const struct member *m,
				   const struct label_paths *paths, struct arena *a,
				   struct err *err)
{
	struct node *table = run_leaf(run, m, "label");
	struct maker k = {.run = run, .p = m->param, .paths = paths, .e = table->v.cols};
	const size_t cells = paths->count * LABEL_PATH_LONGEST;
	int32_t *symbols = arena_alloc(run->arena, cells * sizeof *symbols);
	for (size_t i = 0; i < cells; i++)
		symbols[i] = (int32_t)table->v.rows;
	for (size_t i = 0; i < paths->count; i++)
		label_path_symbols(paths, (int32_t)i, symbols + i * LABEL_PATH_LONGEST);
	k.symbols = symbols;
	place_all(&k, m, table);
	take_leaves(&k, m);
	return vectors_by_length(&k, a, err);
}

struct sums {
	const struct label_paths *paths;
	struct node *table, *shorter; /* shorter NULL: paths of one label */
};

/* A path's sum is its prefix's plus one label. */
static struct node *some_sums(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct sums *k = context;
	const struct path *p = k->paths->at + first;
	int32_t *last = arena_alloc(t->arena, 2 * n * sizeof *last), *before = last + n;
	for (size_t i = 0; i < n; i++) {
		last[i] = p[i].last;
		before[i] = p[i].before - (int32_t)k->paths->first[p[i].length - 1];
	}
	struct node *sum = tape_gather_rows(t, k->table, last, n);
	return k->shorter ? tape_add(t, sum, tape_gather_rows(t, k->shorter, before, n)) : sum;
}

static struct node *sums(struct run *run, const struct member *m, const struct label_paths *paths,
			 struct arena *a, struct err *err)
{
	struct sums k = {.paths = paths, .table = run_leaf(run, m, "label")};
	struct label_rows rows = label_rows_begin(run, mat_new(a, paths->count, k.table->v.cols));
	for (size_t length = 1; rows.filled < paths->count; length++)
		k.shorter = label_rows_add(&rows, paths->first[length + 1] - paths->first[length],
					   some_sums, &k);
	return label_rows_end(&rows, err);
}

struct averages {
	const struct label_paths *paths;
	struct node *sums;
	long most; /* number of possible labels; 0: the labels of the path count */
};

static struct node *some_averages(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct averages *k = context;
	const struct mat by = mat_new(t->arena, n, 1);
	for (size_t i = 0; i < n; i++)
		mat_row(by, i)[0] =
			1.0 / (double)(k->most ? k->most : k->paths->at[first + i].length);
	struct node *sum = tape_slice(t, k->sums, first, n, 0, k->sums->v.cols);
	return tape_mul(t, sum, tape_const(t, by));
}

/* Averages over the labels of the path; the authors' code over the number of possible labels. */
static struct node *averages(struct run *run, const struct member *m,
			     const struct label_paths *paths, struct arena *a, struct err *err)
{
	const struct struct_tr *p = m->param;
	const struct averages k = {.paths = paths,
				   .sums = sums(run, m, paths, run->arena, err),
				   .most = p->form == FORM_CODE ? p->longest : 0};
	if (!k.sums)
		return NULL;
	struct label_rows rows = label_rows_begin(run, mat_new(a, paths->count, k.sums->v.cols));
	label_rows_add(&rows, paths->count, some_averages, &k);
	return label_rows_end(&rows, err);
}

/* The first paths among those that some pair has own the rows 1, 2, ...; the others share row 0. */
struct features {
	struct node *table;
	const int32_t *rank;
	size_t own;
};

static struct node *some_features(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct features *k = context;
	int32_t *rows = arena_alloc(t->arena, n * sizeof *rows);
	for (size_t i = 0; i < n; i++)
		rows[i] = k->rank[first + i] < (int32_t)k->own ? k->rank[first + i] + 1 : 0;
	return tape_gather_rows(t, k->table, rows, n);
}

static struct node *features(struct run *run, const struct member *m,
			     const struct label_paths *paths, struct arena *a, struct err *err)
{
	const struct struct_tr *p = m->param;
	const struct features k = {
		.table = run_leaf(run, m, "path"), .rank = paths->rank, .own = (size_t)p->paths};
	struct label_rows rows = label_rows_begin(run, mat_new(a, paths->count, k.table->v.cols));
	label_rows_add(&rows, paths->count, some_features, &k);
	return label_rows_end(&rows, err);
}

struct node *struct_tr_vectors(struct run *run, const struct member *m,
			       const struct label_paths *paths, struct arena *a, struct err *err)
{
	static label_paths_make *const variants[] = {
		[VARIANT_FEATURE] = features,  [VARIANT_SUM] = sums,
		[VARIANT_AVG] = averages,      [VARIANT_CNN] = neural_vectors,
		[VARIANT_SA] = neural_vectors,
	};
	const struct struct_tr *p = m->param;
	return variants[p->variant](run, m, paths, a, err);
}

struct node *struct_tr_with_queries(struct run *run, struct node *r, const struct index *paths,
				    const struct index **out)
{
	struct tape *t = run->tape;
	struct arena *a = run->arena;
	const size_t n = run->n;
	int32_t *at = arena_alloc(a, n * n * sizeof *at),
		*seen = arena_alloc(a, r->v.rows * sizeof *seen);
	int32_t *rows = arena_alloc(a, n * n * sizeof *rows);
	double *query = arena_alloc(a, n * n * sizeof *query);
	size_t count = 0;
	for (size_t q = 0; q < n; q++) {
		const size_t before = count;
		memset(seen, -1, r->v.rows * sizeof *seen);
		for (size_t s = 0; s < n; s++) {
			const int32_t path = paths->at[q * n + s];
			if (seen[path] < (int32_t)before) {
				seen[path] = (int32_t)count;
				rows[count] = path;
				query[count++] = (double)q;
			}
			at[q * n + s] = seen[path];
		}
	}
	struct index *index = arena_alloc(a, sizeof *index);
	*index = (struct index){.rows = n, .cols = n, .count = count, .at = at};
	*out = index;
	const struct mat steps = mat_new(a, count, r->v.cols);
	sinusoid_fill(steps, query, SINUSOID_INTERLEAVED, SINUSOID_PAPER, 10000);
	struct node *scaled = tape_scale(t, r, sqrt((double)r->v.cols));
	return tape_add(t, tape_gather_rows(t, scaled, rows, count), tape_const(t, steps));
}
