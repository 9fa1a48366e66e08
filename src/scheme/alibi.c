/* alibi.c: attention with linear biases (Press, Smith, Lewis 2022).
 *
 * A head pays for distance at its own fixed rate. With the causal mask the rule is -m(t-s) for
 * every pair: above the diagonal, where the mask forbids, the same line goes on upwards. So the
 * matrix is Toeplitz, and it is the authors' +m·s less a constant of the row, which softmax does
 * not see. */
#include "scheme/alibi.h"

#include <math.h>

#include "posviz/scheme.h"
#include "posviz/stage.h"
#include "scheme/mask.h"

struct alibi {
	bool causal;
	double factor;
};

static const struct param alibi_params[] = {
	{.name = "causal",
	 .help = "on: brings the causal mask, distance t-s; off: both directions, distance |t-s|",
	 .kind = PARAM_BOOL,
	 .offset = offsetof(struct alibi, causal),
	 .def = 1},
	{.name = "factor",
	 .help = "multiplies the slopes of all heads; 0 leaves no bias",
	 .kind = PARAM_REAL,
	 .offset = offsetof(struct alibi, factor),
	 .def = 1,
	 .min = 0,
	 .max = 1024,
	 .step = 2,
	 .geometric = true},
	{0},
};

/* Slope of head i when the number of heads is a power of two: 2^(-8(i+1)/heads). */
static double geometric_slope(size_t i, size_t heads)
{
	return exp2(-8 * (double)(i + 1) / (double)heads);
}

/* Otherwise the slopes of the power of two below, then every second one of the power above. */
void alibi_slopes(double *out, size_t heads)
{
	size_t below = 1;
	while (2 * below <= heads)
		below *= 2;
	for (size_t i = 0; i < heads; i++)
		out[i] = i < below ? geometric_slope(i, below)
				   : geometric_slope(2 * (i - below), 2 * below);
}

/* What a step of the column costs in a head; delta is s-t. */
static double bias(const struct alibi *p, double m, double delta)
{
	return m * (p->causal ? delta : -fabs(delta));
}

/* What the heads share. Where positions are whole: an index of differences, and `lo`, the
 * difference that entry 0 stands for. Else `index` is NULL and a head computes its matrix. */
struct distances {
	const double *positions;
	const struct index *index;
	long lo;
	double slopes[MODEL_MAX_HEADS];
};

static long difference_row(const void *lo, long delta)
{
	return delta - *(const long *)lo;
}

static bool alibi_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct alibi *p = m->param;
	return !p->causal || mask_later(head, m, err);
}

static bool alibi_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct distances *d = run_state(run, m, sizeof *d);
	if (run->keys->n != run->n)
		return err_set(err, "%s needs a key for every query: %zu queries, %zu keys",
			       m->name, run->n, run->keys->n);
	d->positions = run_column(run, m, err);
	if (d->positions == NULL)
		return false;
	alibi_slopes(d->slopes, run->model->config.heads);
	long hi = 0;
	const bool whole = run_delta_range(run, m, &d->lo, &hi, NULL);
	/* A table longer than a few rows of the matrix would save nothing. */
	if (!whole || (size_t)(hi - d->lo) > 4 * run->n)
		return true;
	d->index = run_index_delta(run, m, "difference", (size_t)(hi - d->lo + 1), difference_row,
				   &d->lo, err);
	return d->index != NULL;
}

static struct node *bias_table(struct head *head, const struct alibi *p, double m,
			       const struct distances *d)
{
	const struct mat table = mat_new(head->tape->arena, 1, d->index->count);
	for (size_t i = 0; i < table.cols; i++)
		table.at[i] = bias(p, m, (double)(d->lo + (long)i));
	return tape_const(head->tape, table);
}

static struct node *bias_matrix(struct head *head, const struct alibi *p, double m,
				const struct distances *d)
{
	const size_t n = head->run->n;
	const struct mat matrix = mat_new(head->tape->arena, n, n);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			mat_row(matrix, t)[s] = bias(p, m, d->positions[s] - d->positions[t]);
	return tape_const(head->tape, matrix);
}

/* A_ts = c q_t·k_s - m (t-s): the bias is not scaled by c */
static bool alibi_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct alibi *p = m->param;
	const struct distances *d = head_state(head, m);
	const double rate = p->factor * d->slopes[head->index];
	if (d->index != NULL)
		head_add_indexed(head, "distance", TERM_POSITION, bias_table(head, p, rate, d),
				 d->index, GATHER_SHARED, 1);
	else
		head_add_term(head, "distance", TERM_POSITION, bias_matrix(head, p, rate, d));
	return true;
}

const struct scheme scheme_alibi[] = {
	{
		.id = "alibi",
		.aliases = "linear-bias",
		.title = "Attention with linear biases",
		.authors = "Press et al.",
		.cite = "Press, Smith, Lewis: Train short, test long: attention with linear biases "
			"enables input length extrapolation. ICLR 2022",
		.formula = "A_ts = q_t·k_s / √d_h − m_i (t − s),  m_i = 2^{−8i/h} in head i of h",
		.about = "Every head takes a fixed amount off a logit for each step of distance: "
			 "steep heads look nearby, flat heads far. Nothing is learned and no "
			 "length is too long.",
		.year = 2022,
		.topic = TOPIC_SEQUENCE,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.rows = ROWS_STOCHASTIC,
		.flags = SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "ofirpress/attention_with_linear_biases (adds m·s, equal after "
				 "softmax), BLOOM, MPT; causal=off as in x-transformers",
		.params = alibi_params,
		.param_size = sizeof(struct alibi),
		.hooks = {.mask = alibi_mask,
			  .prepare = alibi_prepare,
			  .logits = alibi_logits,
			  .matrices = 1},
	},
	{0},
};
