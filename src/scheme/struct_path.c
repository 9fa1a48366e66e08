/* struct_path.c: see struct_tr.h: what the five variants make of the labels of a path.
 *
 * A label at a step of a path is the same in all paths, so it is multiplied once by what it meets, and
 * paths read the products. Paths of one length are made together; their sums from those a label
 * shorter. */
#include "scheme/struct_tr.h"

#include <math.h>
#include <string.h>

#include "scheme/label_rows.h"
#include "scheme/sinusoid.h"

/* What the vectors of a step are made from: pieces of paths read it, several at a time. */
struct maker {
	struct run *run;
	const struct struct_tr *p;
	const struct label_paths *paths;
	const int32_t *symbols; /* [count, LABEL_PATH_LONGEST]; behind the end the row of zeros */
	size_t e, length;	/* of the paths that are made now, with what is padded */
	struct node
		*place[LABEL_PATH_LONGEST]; /* [symbols + 1, e]: a label as its step in a path */
	struct node *q[LABEL_PATH_LONGEST], *k[LABEL_PATH_LONGEST], *v[LABEL_PATH_LONGEST];
	size_t heads;		     /* of the attention over labels */
	struct map o, hidden, score; /* behind it, and of the layer that weighs labels */
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

/* Row: the label in every path that has it at this step. */
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

/* Σ_i m_i K_i + b, negative ones as 0. Where m is a label, the products of all labels are read. */
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

/* A head's columns of a path as a row of their own. */
static struct node *by_head(const struct maker *k, struct tape *t, struct node *x)
{
	return tape_reshape(t, x, x->v.rows * k->heads, k->e / k->heads);
}

/* What a step takes from all steps; rows are those of heads. */
static struct node *attend(const struct maker *k, struct tape *t, struct node *q,
			   struct node *const *keys, struct node *const *values)
{
	struct node *scores[LABEL_PATH_LONGEST];
	for (size_t b = 0; b < k->length; b++)
		scores[b] = tape_row_sum(t, tape_mul(t, q, keys[b]));
	struct node *all =
		tape_scale(t, tape_concat_cols(t, scores, k->length), 1 / sqrt((double)q->v.cols));
	struct node *weights = tape_softmax(t, all, NULL, true);
	const size_t rows = weights->v.rows;
	struct node *out = tape_mul(t, values[0], tape_slice(t, weights, 0, rows, 0, 1));
	for (size_t b = 1; b < k->length; b++)
		out = tape_accumulate(
			t, out, tape_mul(t, values[b], tape_slice(t, weights, 0, rows, b, 1)));
	out = tape_reshape(t, out, out->v.rows / k->heads, k->e);
	return k->o.w ? struct_tr_mapped(t, out, k->o) : out;
}

/* Σ_a softmax_a(w·tanh(m_a W)) m_a */
static struct node *pool(const struct maker *k, struct tape *t, struct node *const *steps)
{
	struct node *scores[LABEL_PATH_LONGEST], *out = NULL;
	for (size_t a = 0; a < k->length; a++) {
		struct node *hidden = tape_tanh(t, struct_tr_mapped(t, steps[a], k->hidden));
		scores[a] = struct_tr_mapped(t, hidden, k->score);
	}
	struct node *weights = tape_softmax(t, tape_concat_cols(t, scores, k->length), NULL, false);
	for (size_t a = 0; a < k->length; a++) {
		struct node *one_step = tape_slice(t, weights, 0, weights->v.rows, a, 1);
		struct node *x = tape_mul(t, steps[a], one_step);
		out = out ? tape_add(t, out, x) : x;
	}
	return out;
}

static struct node *self_attention(const struct maker *k, struct tape *t, size_t first, size_t n)
{
	struct node *keys[LABEL_PATH_LONGEST], *values[LABEL_PATH_LONGEST];
	struct node *out[LABEL_PATH_LONGEST];
	for (size_t i = 0; i < k->length; i++) {
		keys[i] = by_head(k, t, read_step(k, t, k->k[i], i, first, n));
		values[i] = by_head(k, t, read_step(k, t, k->v[i], i, first, n));
	}
	for (size_t i = 0; i < k->length; i++) {
		struct node *q = by_head(k, t, read_step(k, t, k->q[i], i, first, n));
		out[i] = attend(k, t, q, keys, values);
	}
	return k->p->pool ? pool(k, t, out) : convolve(k, t, out, first, n);
}

/* Paths first .. first + n - 1, all of k->length. */
static struct node *some_vectors(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct maker *k = context;
	return k->p->variant == VARIANT_SA ? self_attention(k, t, first, n)
					   : convolve(k, t, NULL, first, n);
}

/* Length by length, or all at once where the shorter ones are padded. */
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

/* A label at a step of a path, and what the attention makes of it. */
static void place_all(struct maker *k, const struct member *m, struct node *table)
{
	struct run *run = k->run;
	struct tape *t = run->tape;
	struct node *both[] = {table, tape_const(t, mat_zero(run->arena, 1, k->e))};
	struct node *all = tape_concat_rows(t, both, 2);
	const bool attends = k->p->variant == VARIANT_SA;
	const size_t longest = struct_tr_pads(k->p) ? KERNEL : struct_tr_rules(k->p).longest;
	for (size_t i = 0; i < longest; i++) {
		k->place[i] = place_labels(k, all, i);
		if (!attends)
			continue;
		k->q[i] = struct_tr_mapped(t, k->place[i],
					   struct_tr_map(run, m, "label_w_q", "label_b_q"));
		k->k[i] = struct_tr_mapped(t, k->place[i],
					   struct_tr_map(run, m, "label_w_k", "label_b_k"));
		k->v[i] = struct_tr_mapped(t, k->place[i],
					   struct_tr_map(run, m, "label_w_v", "label_b_v"));
	}
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
	k.heads = common_divisor(k.e, run->model->config.heads);
	place_all(&k, m, table);
	take_leaves(&k, m);
	return vectors_by_length(&k, a, err);
}

struct sums {
	const struct label_paths *paths;
	struct node *table, *shorter; /* NULL: paths of one label */
};

/* A path's sum is its prefix's and one label more. */
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
	long most; /* labels that there could be; 0: those that there are count */
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

/* Over the labels there are; the code's over the labels there could be. */
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

/* Of the paths that some pair has the first ones have rows 1, 2, ...; the others share row 0. */
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
