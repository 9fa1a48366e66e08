/* deberta_rows.c: see deberta.h. */
#include "scheme/deberta.h"

#include <math.h>

#include "scheme/inject.h"
#include "scheme/leaves.h"
#include "scheme/near_past.h"

long deberta_span(const struct model *model, const struct deberta *p)
{
	if (p->buckets > 0)
		return p->buckets;
	return p->max_relative > 0 ? p->max_relative : (long)model->config.t_max;
}

/* Returns δ for r = query minus key position. */
static long delta_row(const struct encoding *e, long r)
{
	const struct deberta *p = e->context;
	const long b = p->buckets > 0 ? bucket_signed(p->buckets, p->max_position, r) : r;
	const long row = b + e->radius;
	return row < 0 ? 0 : row > 2 * e->radius - 1 ? 2 * e->radius - 1 : row;
}

static long delta_of(const struct encoding *e, long delta)
{
	return delta_row(e, e->ts ? -delta : delta);
}

struct encoding deberta_encoding(const struct model *model, const struct deberta *p, bool ts)
{
	const long k = deberta_span(model, p);
	return (struct encoding){.title = ts ? "δ(t,s)" : "δ(s,t)",
				 .number = delta_of,
				 .most = 2 * k - 1,
				 .reached = true,
				 .ts = ts,
				 .radius = k,
				 .context = p};
}

static double make_near_past(const struct leaf_maker *of, size_t row, size_t col)
{
	return near_past(col, deberta_span(of->model, of->m->param) - (long)row);
}

/* Queries carry the gain, for positions as for token vectors. δ(s,t) sees the pair from its
 * other end, so terms that are odd in the distance change their sign: both terms then favour the
 * past. */
static double make_gain(const struct leaf_maker *of, size_t row, size_t col)
{
	if (row != col)
		return 0;
	return row % 2 == 0 ? of->model->gain : -of->model->gain;
}

/* Odd components count half: LayerNorm makes the sum of a row 0, and a query of ones would give
 * 0. */
static double make_uneven(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)of, (void)row;
	return col % 2 == 0 ? 1 : 0.5;
}

/* Returns the rows of A^r that the input reads, after LayerNorm when it is on. */
static struct node *relative_rows(struct run *run, const struct member *m)
{
	const struct deberta *p = m->param;
	const struct encoded *by = inject_encoded(run, m, 0);
	struct tape *t = run->tape;
	struct node *table = run_leaf(run, m, "rel_embeddings");
	table = tape_slice(t, table, by->first, by->rows, 0, table->v.cols);
	if (!p->norm)
		return table;
	table = tape_mul(t, tape_layer_norm(t, table, 1e-7), run_leaf(run, m, "ln_weight"));
	return tape_add(t, table, run_leaf(run, m, "ln_bias"));
}

/* Projects by the model's own weights when shared, biases included, else by V. */
static struct node *projected(struct run *run, const struct member *m, const char *weight,
			      const char *bias)
{
	const struct deberta *p = m->param;
	struct node *table = relative_rows(run, m);
	struct node *w = p->share ? run_weight(run, weight) : run_leaf(run, m, weight);
	struct node *b = p->share ? run_weight(run, bias) : run_leaf(run, m, bias);
	struct node *out = tape_matmul(run->tape, table, false, w, false, 1);
	return b ? tape_accumulate(run->tape, out, b) : out;
}

struct node *deberta_keys(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct deberta *p = m->param;
	return projected(run, m, p->share ? "w_k" : "v_k", p->share ? "b_k" : "v_k_bias");
}

struct node *deberta_queries(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct deberta *p = m->param;
	return projected(run, m, p->share ? "w_q" : "v_q", p->share ? "b_q" : "v_q_bias");
}

static bool same_rows(const struct encoding *e, long a, long b)
{
	return delta_row(e, a) == delta_row(e, b) && delta_row(e, -a) == delta_row(e, -b);
}

double deberta_reach(const void *param, const struct model_config *config)
{
	static const long endless = 1L << 30;
	const struct deberta *p = param;
	const struct model model = {.config = *config};
	const struct encoding e = deberta_encoding(&model, p, true);
	const long seen = (long)config->t_max - 1;
	long last = seen;
	if (!p->emd && same_rows(&e, seen, endless))
		return INFINITY;
	while (!p->emd && same_rows(&e, seen, last + 1))
		last++;
	return (double)last;
}

/* clang-format off */
#define SMALL {FILL_NORMAL, 0.02}
#define ADDED .spare = true, .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}
#define KEYS .by_layer = EACH_LAYER, .when = "c2p && !share"
#define QUERIES .by_layer = EACH_LAYER, .when = "p2c && !share"
#define NORM .by_layer = ALL_LAYERS, .when = "norm && (c2p || p2c)"
/* clang-format on */

const struct leaf_row deberta_leaves[] = {
	{"p", "t_max, d", "row t: the absolute position vector of the decoder (emd)",
	 .by_layer = ALL_LAYERS, .when = "emd", .demo = {FILL_NORMAL, 1}, .paper = SMALL},
	{"rel_embeddings", "2 (buckets ? buckets : max_relative ? max_relative : t_max), d",
	 "row δ(t,s) = clip(bucket(t − s) + K): the vector of a relative position, K is half of "
	 "the rows",
	 .by_layer = ALL_LAYERS, .when = "c2p || p2c", .demo = {.entry = make_near_past},
	 .paper = SMALL},
	{"v_k", "d, h d_h", "from vectors of relative positions to keys", KEYS,
	 .demo = {FILL_DIAGONAL, 1}, .paper = SMALL},
	/* It shifts all logits of a row together, so only a gradient depends on it. */
	{"v_k_bias", "1, h d_h", "added to those keys", KEYS, ADDED},
	{"v_q", "d, h d_h", "from vectors of relative positions to queries", QUERIES,
	 .demo = {.entry = make_gain}, .paper = SMALL},
	{"v_q_bias", "1, h d_h", "added to those queries", QUERIES, ADDED},
	{"ln_weight", "1, d", "LayerNorm of rel_embeddings: multiplies", NORM,
	 .demo = {.entry = make_uneven}, .paper = {FILL_CONSTANT, 1}},
	{"ln_bias", "1, d", "LayerNorm of rel_embeddings: added", NORM, .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{0},
};
