/* spectrum.c: see spectrum.h. The data of the eigenvectors rarely change, so they are cached
 * between evaluations, with two more rows: their eigenvalues, and whether each eigenvalue has
 * several. */
#include "scheme/spectrum.h"

#include <math.h>
#include <string.h>

#include "posviz/base/text.h"

const char *const spectrum_drop_names[] = {"first", "zero", NULL};

static const double same_value = 1e-9;

/* The values of the last row. */
enum { COLUMN_ALONE, COLUMN_ONE_OF_SEVERAL, COLUMN_EMPTY };

/* ---- the matrix ------------------------------------------------------------------------------ */

/* Returns √degree of a node with an edge. */
static double root_degree(const struct graph *g, size_t i)
{
	return sqrt((double)graph_degree(g, i));
}

static struct mat laplacian(const struct graph *g, struct arena *a)
{
	const struct mat out = mat_eye(a, g->n);
	for (size_t i = 0; i < g->n; i++)
		for (size_t e = g->first[i]; e < g->first[i + 1]; e++)
			mat_row(out, i)[g->to[e]] -=
				1 / (root_degree(g, i) * root_degree(g, g->to[e]));
	return out;
}

static bool several(const double *values, size_t n, size_t j)
{
	return (j > 0 && values[j] - values[j - 1] < same_value) ||
	       (j + 1 < n && values[j + 1] - values[j] < same_value);
}

/* ---- cached between evaluations
 * ---------------------------------------------------------------- */

static size_t dropped(const struct spectrum_param *p, const double *values, size_t n)
{
	size_t drop = n > 0;
	while (p->drop == SPECTRUM_DROP_ZERO && drop < n && values[drop] < same_value)
		drop++;
	return drop;
}

static void draw_signs(struct mat vectors, size_t n, const struct run *run, const struct member *m,
		       long batch)
{
	struct rng rng;
	rng_init_name(&rng, run->model->config.seed,
		      arena_printf(run->arena, "%s signs %ld", m->name, batch));
	for (size_t j = 0; j < vectors.cols; j++)
		if (rng_below(&rng, 2))
			for (size_t i = 0; i < n; i++)
				mat_row(vectors, i)[j] = 0 - mat_row(vectors, i)[j];
}

static struct node *build(struct run *run, const struct member *m, struct err *err)
{
	const struct spectrum_param *p = m->param;
	const struct graph g = graph_of(run);
	struct arena work;
	arena_init(&work);
	const size_t n = g.n, k = (size_t)p->k;
	const struct mat vectors = mat_new(&work, n, n);
	double *values = mat_zero(&work, 1, n + 1).at;
	const bool ok = mat_eigen_symmetric(laplacian(&g, &work), values, vectors, &work, err);
	const struct mat out = mat_zero(run->arena, n + 3, k);
	const size_t drop = ok ? dropped(p, values, n) : n;
	for (size_t j = 0; j < k; j++) {
		const bool there = drop + j < n;
		mat_row(out, n + 1)[j] = there ? values[drop + j] : 0;
		mat_row(out, n + 2)[j] = !there				? COLUMN_EMPTY
					 : several(values, n, drop + j) ? COLUMN_ONE_OF_SEVERAL
									: COLUMN_ALONE;
		if (!there)
			continue;
		const double *v = mat_row(vectors, drop + j);
		for (size_t i = 0; i < n; i++)
			mat_row(out, i)[j] = v[i];
	}
	if (p->flips > 0)
		draw_signs(out, n, run, m, p->flips);
	arena_release(&work);
	return ok ? tape_const(run->tape, out) : NULL;
}

/* ---- from a file
 * ------------------------------------------------------------------------------- */

bool spectrum_load(void *param, struct arena *a, struct member *out, struct err *err)
{
	static const char *const usual[] = {"eigenvectors", "vectors", "data", NULL};
	struct spectrum_param *const p = param;
	const struct tensor *t;
	struct tensor_set set;
	if (*p->vectors == '\0')
		return true;
	tensor_set_init(&set, a);
	if (!tensor_read_one(&set, p->vectors, usual, &t, err) || !tensor_check_finite(t, err))
		return err_prefix(err, "%s: ", out->name);
	const char *const name = text_quote(a, p->vectors, strlen(p->vectors));
	if (t->dims != 2)
		return err_set(err, "%s: %s has %zu dimension%s; [nodes, k] would be right",
			       out->name, name, t->dims, t->dims == 1 ? "" : "s");
	if (t->shape[1] != (size_t)p->k)
		return err_set(err, "%s: %s has %zu columns, and k is %ld; k=%zu would be right",
			       out->name, name, t->shape[1], p->k, t->shape[1]);
	p->given = t;
	return true;
}

/* Returns (Δv)_i of column j. */
static double laplacian_of(const struct graph *g, struct mat v, size_t i, size_t j)
{
	double sum = mat_row(v, i)[j];
	for (size_t e = g->first[i]; e < g->first[i + 1]; e++)
		sum -= mat_row(v, g->to[e])[j] / (root_degree(g, i) * root_degree(g, g->to[e]));
	return sum;
}

/* Returns vᵀΔv / vᵀv of column j; *eigen tells whether Δv is that times v. */
static double value_of(const struct graph *g, struct mat v, size_t j, bool *eigen)
{
	double square = 0, product = 0, off = 0;
	for (size_t i = 0; i < g->n; i++) {
		square += mat_row(v, i)[j] * mat_row(v, i)[j];
		product += mat_row(v, i)[j] * laplacian_of(g, v, i, j);
	}
	const double value = square > 0 ? product / square : 0;
	for (size_t i = 0; i < g->n; i++)
		off += pow(laplacian_of(g, v, i, j) - value * mat_row(v, i)[j], 2);
	*eigen = square > 0 && off <= 1e-8 * square;
	return value;
}

static void say_given(struct run *run, const struct member *m, size_t others, size_t k)
{
	if (others > 0)
		run_note(run, m,
			 arena_printf(run->arena,
				      "%zu of the %zu columns given are no eigenvectors of this "
				      "graph's Laplacian I − D^(−1/2) A D^(−1/2)",
				      others, k));
}

/* Makes the same rows as for computed eigenvectors. */
static struct node *take_given(struct run *run, const struct member *m, const struct graph *g,
			       struct err *err)
{
	const struct spectrum_param *const p = m->param;
	const struct mat v = tensor_mat(p->given);
	const size_t n = g->n, k = v.cols;
	if (v.rows != n) {
		err_set(err, "%s: the vectors are for %zu nodes, and the graph has %zu", m->text,
			v.rows, n);
		return NULL;
	}
	const struct mat out = mat_zero(run->arena, n + 3, k);
	double *const value = mat_row(out, n + 1);
	size_t others = 0;
	mat_set(mat_rows(out, 0, n), v);
	for (size_t j = 0; j < k; j++) {
		bool eigen;
		value[j] = value_of(g, v, j, &eigen);
		others += !eigen;
		for (size_t i = 0; i < j; i++)
			if (fabs(value[i] - value[j]) < same_value)
				mat_row(out, n + 2)[i] = mat_row(out, n + 2)[j] =
					COLUMN_ONE_OF_SEVERAL;
	}
	if (p->flips > 0)
		draw_signs(out, n, run, m, p->flips);
	say_given(run, m, others, k);
	return tape_const(run->tape, out);
}

/* ---- trace and notes ------------------------------------------------------------------------- */

/* Returns the number of eigenvectors. */
static size_t count_vectors(struct mat all, size_t n)
{
	size_t k = 0;
	while (k < all.cols && mat_row(all, n + 2)[k] != COLUMN_EMPTY)
		k++;
	return k;
}

static size_t lonely(const struct graph *g)
{
	size_t n = 0;
	for (size_t i = 0; i < g->n; i++)
		n += graph_degree(g, i) == 0;
	return n;
}

static const char *left_out(const struct run *run, const struct member *m, const struct graph *g)
{
	const struct spectrum_param *p = m->param;
	if (p->given)
		return "not known";
	const size_t zeros = graph_components(g, run->arena) - lonely(g);
	return p->drop == SPECTRUM_DROP_FIRST || zeros <= 1
		       ? "the first"
		       : arena_printf(run->arena, "the first %zu, of eigenvalue 0", zeros);
}

/* Keeps the columns for the tokens, and their eigenvalues. */
static void keep_spectrum(struct run *run, const struct member *m, const struct graph *g,
			  struct mat all)
{
	const struct spectrum_param *const p = m->param;
	const size_t n = run->n, k = count_vectors(all, g->n);
	const int32_t *rows = graph_rows(run, g);
	const double *value = mat_row(all, g->n + 1), *kind = mat_row(all, g->n + 2);
	double *vectors = arena_calloc(run->arena, n * k + 1, sizeof *vectors);
	double *values = arena_calloc(run->arena, k + 1, sizeof *values);
	bool *several = arena_calloc(run->arena, k + 1, sizeof *several);
	size_t *group = arena_calloc(run->arena, k + 1, sizeof *group);
	for (size_t i = 0; i < n * k; i++)
		vectors[i] = mat_row(all, (size_t)rows[i / k])[i % k];
	for (size_t j = 0; j < k; j++) {
		values[j] = fabs(value[j]) < same_value ? 0 : value[j];
		several[j] = kind[j] == COLUMN_ONE_OF_SEVERAL;
		if (j > 0)
			group[j] = group[j - 1] + !(fabs(value[j] - value[j - 1]) < same_value);
	}
	run_keep_spectrum(run, &(struct spectrum){.n = n,
						  .k = k,
						  .vectors = vectors,
						  .values = values,
						  .several = several,
						  .group = group,
						  .left_out = left_out(run, m, g),
						  .given = p->given != NULL});
}

static void say(struct run *run, const struct member *m, const struct graph *g, struct mat all)
{
	const struct spectrum_param *p = m->param;
	const size_t empty = all.cols - count_vectors(all, g->n);
	if (empty > 0)
		run_note(
			run, m,
			arena_printf(run->arena,
				     "%zu nodes have %zu eigenvectors to show: the last %zu of %zu "
				     "columns are 0",
				     g->n, all.cols - empty, empty, all.cols));
	const size_t alone = lonely(g), parts = graph_components(g, run->arena) - alone;
	if (parts > 1)
		run_note(run, m,
			 arena_printf(run->arena,
				      "%zu unconnected parts with edges have as many eigenvalues "
				      "0%s",
				      parts,
				      p->drop == SPECTRUM_DROP_ZERO
					      ? ", all left out"
					      : "; drop=zero leaves out all, not just the first"));
	if (alone > 0 && g->n > 1)
		run_note(run, m,
			 arena_printf(run->arena, "nodes without an edge (%zu) have λ = 1", alone));
}

/* Checks the memory for the matrix, its eigenvectors, a copy, and LAPACK's two. */
static bool check_memory(const struct run *run, const struct member *m, size_t n, struct err *err)
{
	const double bytes = 5 * 8 * (double)n * (double)n,
		     limit = (double)run->model->config.memory;
	return limit <= 0 || bytes <= limit ||
	       err_set(err,
		       "%s: the eigenvectors of %zu nodes take %.0f MB, above the limit of %.0f "
		       "MB; give it fewer nodes, or raise memory",
		       m->text, n, bytes / 1e6, limit / 1e6);
}

struct node *spectrum_of(struct run *run, const struct member *m, const struct graph *g,
			 struct err *err)
{
	const struct spectrum_param *const p = m->param;
	if (!p->given && !check_memory(run, m, g->n, err))
		return NULL;
	struct node *all = p->given ? take_given(run, m, g, err)
				    : run_cached(run, m, "spectrum", false, build, err);
	if (all == NULL)
		return NULL;
	if (!p->given)
		say(run, m, g, all->v);
	keep_spectrum(run, m, g, all->v);
	return tape_slice(run->tape, all, 0, g->n + 1, 0, all->v.cols);
}
