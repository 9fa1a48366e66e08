/* recursive.c: positions computed from one another (Su 2021, kexue.fm 8130).
 *
 *   X_t = U_t + p_t,  p_{k+1} = f(p_k)
 *
 * A start and a map are learned instead of a table, so there is a row for every position, but
 * each requires all before it. */
#include <math.h>

#include "posviz/model/stage.h"
#include "scheme/leaves.h"

enum map { MAP_TANH, MAP_LINEAR, MAP_GRU };
static const char *const map_names[] = {"tanh", "linear", "gru", NULL};

/* The largest position; each costs a product with W. */
enum { MAX_POSITION = 16383 };

struct recursive {
	int f;
};

static const struct param recursive_params[] = {
	CHOICE_PARAM(struct recursive, f, MAP_TANH, map_names,
		     "the map: tanh(W p + b), W p + b, or a gated recurrent unit"),
	{0},
};

/* p_0 = 0, 1, 0, 1, …: the sinusoids of position 0. */
static double make_start(const struct leaf_maker *of, size_t row, size_t j)
{
	(void)of, (void)row;
	return (double)(j % 2);
}

/* Maps (sin a, cos a) in pair i of columns to (sin(a + w), cos(a + w)): the linear map gives the
 * sinusoidal embedding. A tanh shrinks every vector, so there the rotations are scaled up; slow
 * ones would stop between the corners, so those of the tanh are all fast. */
static void make_turns(struct mat at, const struct leaf_maker *of)
{
	static const double pi = 3.14159265358979323846, stretch = 1.2, fast = 6, slow = 40;
	const struct recursive *p = of->m->param;
	const size_t d = of->model->config.d, first = at.cols - d; /* for a GRU: the last block */
	const bool linear = p->f == MAP_LINEAR;
	mat_fill(at, 0);
	for (size_t j = 0; j < d; j += 2) {
		const double part = (double)j / (double)d;
		const double w =
			linear ? pow(10000, -part) : 2 * pi / (fast * pow(slow / fast, part));
		const double by = linear ? 1 : stretch;
		mat_row(at, j)[first + j] = by * cos(w);
		if (j + 1 == d)
			continue;
		mat_row(at, j)[first + j + 1] = -by * sin(w);
		mat_row(at, j + 1)[first + j] = by * sin(w);
		mat_row(at, j + 1)[first + j + 1] = by * cos(w);
	}
}

/* For a GRU: the reset gate is open and the update gate closed, so that it is nearly the tanh. */
static double make_bias(const struct leaf_maker *of, size_t row, size_t j)
{
	(void)row;
	const size_t d = of->model->config.d;
	return j + d >= of->cols ? 0 : j < d ? 4 : -4;
}

/* Computes p' = n + z (p - n); r, z = σ(p W + b), n = tanh(b_n + r (p W_n + b_hn)): the constant
 * input is in b. Blocks of W and b in the order r, z, n. */
static struct node *gru(struct tape *t, struct node *p, struct node *w, struct node *b,
			struct node *b_hn)
{
	const size_t d = p->v.cols;
	struct node *all = tape_matmul(t, p, false, w, false, 1);
	struct node *gates = tape_slice(t, all, 0, 1, 0, 2 * d);
	gates = tape_sigmoid(t, tape_add(t, gates, tape_slice(t, b, 0, 1, 0, 2 * d)));
	struct node *inner = tape_add(t, tape_slice(t, all, 0, 1, 2 * d, d), b_hn);
	inner = tape_mul(t, tape_slice(t, gates, 0, 1, 0, d), inner);
	struct node *n = tape_tanh(t, tape_add(t, tape_slice(t, b, 0, 1, 2 * d, d), inner));
	struct node *kept = tape_mul(t, tape_slice(t, gates, 0, 1, d, d), tape_sub(t, p, n));
	return tape_add(t, n, kept);
}

static struct node *next(struct run *run, const struct member *m, struct node *p)
{
	const struct recursive *param = m->param;
	struct tape *t = run->tape;
	struct node *w = run_leaf(run, m, "w"), *b = run_leaf(run, m, "b");
	if (param->f == MAP_GRU)
		return gru(t, p, w, b, run_leaf(run, m, "b_hn"));
	struct node *affine = tape_accumulate(t, tape_matmul(t, p, false, w, false, 1), b);
	return param->f == MAP_TANH ? tape_tanh(t, affine) : affine;
}

static const int32_t *positions_of(struct run *run, const struct member *m, struct err *err)
{
	static const struct bound most = {MAX_POSITION + 1, "each costs a step",
					  "give smaller positions"};
	return run_rows_below(run, m, &most, err);
}

/* Returns [k+1, d] up to the largest position k. */
static struct node *recursive_table(struct run *run, const struct member *m, struct err *err)
{
	const int32_t *rows = positions_of(run, m, err);
	if (rows == NULL)
		return NULL;
	size_t count = 1;
	for (size_t t = 0; t < run->n; t++)
		count = (size_t)rows[t] + 1 > count ? (size_t)rows[t] + 1 : count;
	struct node **p = arena_alloc(run->arena, count * sizeof(struct node *));
	p[0] = run_leaf(run, m, "p0");
	for (size_t k = 1; k < count; k++) {
		if (run_cancelled(run)) {
			err_set(err, "cancelled");
			return NULL;
		}
		p[k] = next(run, m, p[k - 1]);
	}
	return tape_concat_rows(run->tape, p, count);
}

static bool recursive_embed(struct run *run, const struct member *m, struct err *err)
{
	struct node *table = run_cached(run, m, "table", false, recursive_table, err);
	const int32_t *rows = table ? positions_of(run, m, err) : NULL;
	if (rows == NULL)
		return false;
	run_add_part(run, "position", tape_gather_rows(run->tape, table, rows, run->n));
	return true;
}

static const struct leaf_row recursive_leaves[] = {
	{"p0", "1, d", "the vector of position 0", .by_layer = ALL_LAYERS,
	 .demo = {.entry = make_start}, .paper = LINEAR_INIT("d")},
	{"w", "d, (f == gru ? 3 : 1) d",
	 "from a position's vector to the next one's; of a GRU to its gates side by side",
	 .by_layer = ALL_LAYERS, .demo = {.make = make_turns}, .paper = LINEAR_INIT("d")},
	{"b", "1, (f == gru ? 3 : 1) d", "added to that", .spare = true, .by_layer = ALL_LAYERS,
	 .demo = {.entry = make_bias}, .paper = LINEAR_INIT("d")},
	{"b_hn", "1, d", "of a GRU: added to the state within its candidate", .spare = true,
	 .by_layer = ALL_LAYERS, .when = "f == gru", .demo = {FILL_CONSTANT},
	 .paper = LINEAR_INIT("d")},
	{0},
};

const struct scheme scheme_recursive[] = {
	{
		.id = "recursive",
		.aliases = "recurrent-table",
		.title = "Recursive position embedding",
		.formula = "X_t = U_t + p_t,  p_{t+1} = f(p_t)",
		.authors = "Su",
		.cite = "@su2021encodings, section Recursive",
		.about = "Only a first vector and a map are learned; every position is the map of "
			 "the one before. It reaches any length, one step after another, and "
			 "contains the sinusoids as the linear map that rotates.",
		.year = 2021,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = recursive_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_OURS,
		.evidence_note = "p_{k+1} = f(p_k) is all the source says; the three maps and both "
				 "initialisations are ours (paper: uniform within 1/√d, as in "
				 "PyTorch's recurrent units)",
		.demo_note = "W rotates pairs of columns: f=linear gives the sinusoids; else "
			     "wavelengths 6 to 40, stretched 1.2 times against the tanh, a GRU's "
			     "gates at ±4",
		.params = recursive_params,
		.param_size = sizeof(struct recursive),
		.hooks = {.declare = leaves_declare, .embed = recursive_embed},
	},
	{0},
};
