/* irpe.c: relative position encoding of images (Wu et al. 2021, iRPE).
 *
 *   A_ts += (q_t/√d_h)·T_k[bucket(t,s)] + (k_s/√d_h)·T_q[bucket(s,t)],  context_t += Σ_s α_ts T_v[bucket(t,s)]
 *   A_ts += b[bucket(t,s)]   (mode=bias)
 *
 * An offset of rows and columns, query minus key, is put into a bucket piecewise: near offsets have
 * their own, far ones share. */
#include "posviz/base/strbuf.h"
#include "posviz/scheme/scheme.h"
#include "scheme/grid.h"
#include "scheme/inject.h"

#include <math.h>

enum { GRID = 4 };
enum method { METHOD_PRODUCT, METHOD_CROSS, METHOD_EUCLIDEAN, METHOD_QUANTIZATION };
static const char *const method_names[] = {"product", "cross", "euclidean", "quantization", NULL};
enum mode { MODE_CONTEXTUAL, MODE_BIAS };
static const char *const mode_names[] = {"contextual", "bias", NULL};
/* A bit for each of keys, queries and values, in the order of the names. */
enum on { ON_K, ON_Q, ON_QK, ON_V, ON_KV, ON_QV, ON_QKV };
static const char *const on_names[] = {"k", "q", "qk", "v", "kv", "qv", "qkv", NULL};
enum offset_part { PART_BOTH, PART_ROWS, PART_COLUMNS };

struct irpe {
	int method, mode, on;
	bool shared, special;
	double ratio;
	long grid;
};

static bool irpe_check(const void *param, struct err *err)
{
	const struct irpe *p = param;
	return p->mode != MODE_BIAS || p->on == ON_K ||
	       err_set(err, "mode=bias adds numbers to the logits; on=k would be right");
}

/* ---- buckets --------------------------------------------------------------------------------- */

/* Returns g(x): x itself up to α = r, then logarithmically, at most β = 2r, which γ = 8r reaches; not
 * whole when clipped, so truncated. */
static long piecewise(double ratio, double x)
{
	const double alpha = ratio, beta = 2 * ratio, gamma = 8 * ratio, far = fabs(x);
	if (far <= alpha)
		return lrint(x);
	const double by = rint(alpha + log(far / alpha) / log(gamma / alpha) * (beta - alpha));
	return (long)trunc(copysign(fmin(by, beta), x));
}

/* The context of an index: what the buckets are of. */
struct bucketing {
	const struct irpe *p;
	struct grid grid;
	enum offset_part part;
	bool swapped; /* bucket(s, t) */
};

static long most_of(const struct irpe *p)
{
	return (long)floor(2 * p->ratio);
}

/* Returns the number of buckets, without that of tokens that are no patches. */
static long buckets_of(const struct irpe *p, enum offset_part part)
{
	const long side = 2 * most_of(p) + 1;
	return p->method == METHOD_PRODUCT && part == PART_BOTH ? side * side : side;
}

static long bucket_at(const void *context, size_t t, size_t s)
{
	const struct bucketing *const b = context;
	const struct irpe *const p = b->p;
	const struct grid *const g = &b->grid;
	const size_t from = b->swapped ? s : t, to = b->swapped ? t : s;
	const long most = most_of(p);
	if (!g->picture[t] || !g->picture[s])
		return p->special ? buckets_of(p, b->part) : -1;
	const double dy = g->row[from] - g->row[to], dx = g->col[from] - g->col[to];
	if (b->part == PART_ROWS)
		return piecewise(p->ratio, dy) + most;
	if (b->part == PART_COLUMNS)
		return piecewise(p->ratio, dx) + most;
	if (p->method == METHOD_PRODUCT)
		return (piecewise(p->ratio, dy) + most) * (2 * most + 1) + piecewise(p->ratio, dx) +
		       most;
	const double apart =
		p->method == METHOD_EUCLIDEAN ? rint(hypot(dy, dx)) : dy * dy + dx * dx;
	return piecewise(p->ratio, apart) + most;
}

static const struct index *index_of(struct run *run, const struct member *m,
				    const struct encoding *e, enum offset_part part, bool swapped,
				    struct err *err)
{
	const struct irpe *const p = m->param;
	struct bucketing b = {.p = p, .part = part, .swapped = swapped};
	if (!grid_read(run, m, p->grid, p->grid != GRID, &b.grid, err))
		return NULL;
	return run_index_places(run, m, e->title, encoding_rows(e), bucket_at, &b, err);
}

/* An encoding names its function, so there is one for each part and direction. */
#define INDEX(name, part, swapped)                                                 \
	static const struct index *name(struct run *run, const struct member *m,   \
					const struct encoding *e, struct err *err) \
	{                                                                          \
		return index_of(run, m, e, part, swapped, err);                    \
	}
INDEX(index_both, PART_BOTH, false)
INDEX(index_rows, PART_ROWS, false)
INDEX(index_columns, PART_COLUMNS, false)
INDEX(turned_both, PART_BOTH, true)
INDEX(turned_rows, PART_ROWS, true)
INDEX(turned_columns, PART_COLUMNS, true)

/* ---- where they enter ------------------------------------------------------------------------ */

static const struct part_row {
	const char *title, *turned_title;
	const struct index *(*index)(struct run *run, const struct member *m,
				     const struct encoding *e, struct err *err);
	const struct index *(*turned)(struct run *run, const struct member *m,
				      const struct encoding *e, struct err *err);
	const char *leaf[3]; /* of keys, queries, values */
} parts[] = {
	[PART_BOTH] = {"bucket",
		       "bucket of (s, t)",
		       index_both,
		       turned_both,
		       {"table_k", "table_q", "table_v"}},
	[PART_ROWS] = {"bucket of rows",
		       "bucket of rows (s, t)",
		       index_rows,
		       turned_rows,
		       {"table_k_rows", "table_q_rows", "table_v_rows"}},
	[PART_COLUMNS] = {"bucket of columns",
			  "bucket of columns (s, t)",
			  index_columns,
			  turned_columns,
			  {"table_k_cols", "table_q_cols", "table_v_cols"}},
};

/* Demonstration: in a head near offsets are liked, by a vector of equal numbers. */
static double make_table(const struct leaf_maker *of, size_t row, size_t col)
{
	const struct irpe *p = of->m->param;
	const long most = most_of(p), side = 2 * most + 1;
	const size_t heads = of->model->config.heads, dk = of->model->dk;
	const size_t head = of->cols == heads ? col : of->cols > dk ? col / dk : 0;
	const double slope = inject_slope(head, heads, 0);
	if ((long)row >= side * side)
		return 0;
	const double a = (double)((long)row / side - most), b = (double)((long)row % side - most);
	const double away =
		of->rows >= (size_t)(side * side) ? hypot(a, b) : fabs((double)((long)row - most));
	return -slope * away * (of->cols == heads || p->mode == MODE_BIAS ? 1 : 0.5);
}

static size_t injects(const struct model *model, const struct member *m, struct inject *out)
{
	(void)model;
	static const enum inject_at at[] = {INJECT_KEYS, INJECT_QUERIES, INJECT_VALUES};
	const struct irpe *const p = m->param;
	const unsigned on = (unsigned)p->on + 1;
	const bool cross = p->method == METHOD_CROSS;
	size_t n = 0;
	for (size_t i = 0; i < 3; i++)
		for (enum offset_part part = cross ? PART_ROWS : PART_BOTH;
		     (on & 1u << i) && part <= (cross ? PART_COLUMNS : PART_BOTH); part++) {
			const struct part_row *const row = &parts[part];
			const bool turned = at[i] == INJECT_QUERIES;
			out[n++] = (struct inject){
				.at = p->mode == MODE_BIAS ? INJECT_ADD : at[i],
				.by = {.title = turned ? row->turned_title : row->title,
				       .most = buckets_of(p, part) - !p->special,
				       .index = turned ? row->turned : row->index},
				.leaf = row->leaf[i],
				.label = row->leaf[i],
				.share = p->shared ? SHARE_HEAD : SHARE_NONE,
				.remedy = "set on=qk",
				.demo = {.entry = make_table},
				.paper = {.fill = FILL_CONSTANT}};
		}
	return n;
}

static const struct param irpe_params[] = {
	CHOICE_PARAM(
		struct irpe, method, METHOD_PRODUCT, method_names,
		"product: a bucket for each pair of those of rows and of columns; cross: a table "
		"for rows and one for columns; euclidean, quantization: by distance, or its square"),
	CHOICE_PARAM(struct irpe, mode, MODE_CONTEXTUAL, mode_names,
		     "contextual: a vector that multiplies the query; bias: a number"),
	CHOICE_PARAM(
		struct irpe, on, ON_K, on_names,
		"what the vectors stand beside: keys, which queries are multiplied by, queries, which keys are, values"),
	SWITCH_PARAM(struct irpe, shared, true, "the heads of a layer share a table"),
	SWITCH_PARAM(struct irpe, special, true,
		     "one more bucket, for pairs with a token that is no patch"),
	NUMBER_PARAM(struct irpe, ratio, 1.9, 0.5, 64, 0.5,
		     "r: offsets up to r have buckets of their own; at 8r there are 2r"),
	GRID_WIDTH_PARAM(struct irpe, GRID),
	{0},
};

static const struct claim irpe_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, GRID_CLAIM, "grid > 10"},
	{CLAIM_RELATIVE, ANSWER_NO, GRID_CLAIM, "grid > 1"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "far offsets share a bucket, and where they begin to depends on the picture",
	 "method != product || ratio > 8 || grid != 4"},
	{0},
};

static const struct leaf_row irpe_leaves[] = {
	{"table_*", NULL,
	 "a row for each bucket, for each head or all of them a vector, or with mode=bias a number; "
	 "_k of keys, _q of queries, _v of values"},
	{0},
};

const struct scheme scheme_irpe[] = {
	{
		.id = "irpe",
		.aliases = "image-rpe",
		.title = "Relative positions of images",
		.formula = "A_ts = q_t·(k_s + T_{g(y_t−y_s), g(x_t−x_s)}) / √d_h,  g whole near 0, "
			   "logarithmic farther",
		.authors = "Wu et al.",
		.cite = "@wu2021rethinking",
		.recipe =
			"term.table_k = c * q_raw @ param.irpe.table_k.L[index.bucket[t, s]] of the "
			"head, table_q alike of k_raw with index.bucket of (s, t); with mode=bias "
			"the number itself; context is increased by sum over s of weights * "
			"table_v; _rows and _cols with the buckets of rows and of columns",
		.about =
			"Offsets of rows and columns are put into buckets, fine near the patch and "
			"coarse farther away; each bucket has a learned vector that queries are "
			"compared with, or a number.",
		.year = 2021,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = irpe_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"microsoft/Cream 4a13c40, iRPE/DeiT-with-iRPE/irpe.py; tables start "
			"at zero there; texts that fill rows of 4 are ours",
		.demo_note =
			"a vector of equal numbers, less the farther the bucket is, steeply in the "
			"first head",
		.claims = irpe_claims,
		.cells_when = "1",
		.params = irpe_params,
		.param_size = sizeof(struct irpe),
		.check = irpe_check,
		.hooks = {INJECT_HOOKS(injects), .values = inject_values, .by_rows = true},
	},
	{0},
};
