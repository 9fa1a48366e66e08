/* hier.c: hierarchical decomposition of a table of positions (Su 2020, kexue.fm 7947).
 *
 * A trained table of n rows is extended to n²: position i·n + j is a mixture of vectors for i
 * and j, chosen so that the first n positions keep their rows exactly: q_{in+j} = α u_i + (1-α)
 * u_j with u_i = (p_i - α p_0)/(1-α), which is p_j + α/(1-α) (p_i - p_0). */
#include <math.h>

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"

struct hier {
	long n;
	double alpha;
	bool again;
};

static const struct param hier_params[] = {
	NUMBER_PARAM(struct hier, n, 4, 2, 4096, 1,
		     "rows of the trained table; it reaches n² positions"),
	/* Steps from 0.4 do not reach 0.5. */
	NUMBER_PARAM(struct hier, alpha, 0.4, 0.04, 0.96, 0.04,
		     "α, the weight of the segment against the position in it; any but 0.5"),
	SWITCH_PARAM(struct hier, again, true,
		     "beyond n² decompose the segment's number too; off: the source's bound of n²"),
	{0},
};

static bool hier_check(const void *param, struct err *err)
{
	const struct hier *p = param;
	return fabs(p->alpha - 0.5) > 1e-9 ||
	       err_set(err, "alpha=0.5 makes positions i n + j and j n + i one; take less or more");
}

static bool check_reach(const struct member *m, const int32_t *rows, size_t n, struct err *err)
{
	const struct hier *p = m->param;
	for (size_t t = 0; t < n && !p->again; t++)
		if (rows[t] >= p->n * p->n)
			return err_set(err,
				       "%s reaches %ld positions, n^2, and this input needs number "
				       "%d; raise n or set again=on",
				       m->text, p->n * p->n, (int)rows[t] + 1);
	return true;
}

/* Removes the last digit in base n of every row; false when all of them were 0. */
static bool next_digit(int32_t *digit, int32_t *rest, size_t count, long n)
{
	bool any = false;
	for (size_t t = 0; t < count; t++) {
		any |= rest[t] > 0;
		digit[t] = rest[t] % (int32_t)n;
		rest[t] /= (int32_t)n;
	}
	return any;
}

/* q_t = p_{t mod n} + β (q_{t div n} - p_0), β = α/(1-α): a sum over the digits of t in base n. */
static struct node *hier_rows(struct run *run, const struct member *m, int32_t *rest)
{
	const struct hier *p = m->param;
	const size_t n = run->n, d = run->model->config.d;
	struct tape *tape = run->tape;
	struct node *table = run_leaf(run, m, "p");
	struct node *less_first = tape_scale(tape, tape_slice(tape, table, 0, 1, 0, d), -1);
	int32_t *digit = arena_alloc(run->arena, n * sizeof *digit);
	next_digit(digit, rest, n, p->n);
	struct node *q = tape_gather_rows(tape, table, digit, n);
	double weight = p->alpha / (1 - p->alpha);
	const double beta = weight;
	for (;;) {
		digit = arena_alloc(run->arena, n * sizeof *digit);
		if (!next_digit(digit, rest, n, p->n))
			return q;
		struct node *segment = tape_gather_rows(tape, table, digit, n);
		segment = tape_scale(tape, tape_add(tape, segment, less_first), weight);
		q = tape_add(tape, q, segment);
		weight *= beta;
	}
}

static bool hier_embed(struct run *run, const struct member *m, struct err *err)
{
	const int32_t *rows = run_rows(run, m, run->model->config.t_max, err);
	if (rows == NULL || !check_reach(m, rows, run->n, err))
		return false;
	int32_t *rest = arena_alloc(run->arena, run->n * sizeof *rest);
	for (size_t t = 0; t < run->n; t++)
		rest[t] = rows[t];
	run_add_part(run, "position", hier_rows(run, m, rest));
	return true;
}

static const struct leaf_row hier_leaves[] = {
	/* Shorter than token vectors: later segments are sums of several rows. */
	{"p", "n, d", "row i: the vector of position i, from which all up to n² are made",
	 .by_layer = ALL_LAYERS, .demo = {.make = learned_signs, .formula = "1 / sqrt(2)"},
	 .paper = {FILL_NORMAL, 0.02}},
	{0},
};

const struct scheme scheme_hier[] = {
	{
		.id = "hier",
		.aliases = "hierarchical",
		.title = "Hierarchical decomposition of positions",
		.formula = "X_t = U_t + q_t,  q_{in+j} = α u_i + (1−α) u_j,  u_i = (p_i − α "
			   "p_0)/(1−α)",
		.authors = "Su",
		.cite = "@su2020hierarchical",
		.about =
			"A learned table of n rows is stretched to n² positions without new "
			"parameters: each position is a mixture of its segment and its position in "
			"it. The first n keep their rows, so a trained BERT can be lengthened.",
		.year = 2020,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = hier_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "bojone/bert4keras c1ae0dc, PositionEmbedding(hierarchical), up "
				 "to n² positions; from there on again=on repeats the step, which "
				 "is ours. BERT has n = 512",
		.demo_note = "rows of ±1/√2, mostly orthogonal: as long as sinusoids, unlike each "
			     "other; n = 4 shows segments in a short sentence",
		.params = hier_params,
		.param_size = sizeof(struct hier),
		.hooks = {.declare = leaves_declare, .embed = hier_embed},
		.check = hier_check,
	},
	{0},
};
