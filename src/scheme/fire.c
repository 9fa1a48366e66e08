/* fire.c: functional interpolation for relative positions (Li et al. 2024).
 *
 *   A_ts = c q_t·k_s + f(x_ts),  x_ts = ψ(t-s) / (ψ(max(t, L)) + ε),  ψ(x) = ln(|c x| + 1)
 *
 * f is a network with one hidden layer. Up to t = L the argument depends only on the distance,
 * so f is evaluated once for each; beyond, every pair has an argument of its own. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include <math.h>

#include "scheme/broken_line.h"
#include "scheme/differences.h"
#include "scheme/inject.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"

enum own { OWN_OF_LAYERS, OWN_OF_ALL };
static const char *const own_names[] = {"none", "layer", NULL};

struct fire {
	long width;
	double start, eps;
	int share;
	bool causal;
};

struct fire_state {
	struct differences d;
	struct broken_line f;
	struct node *table; /* [h, count] if t <= L for all t, else NULL */
};

/* Hidden number k starts at x = (k - 1/2) / width: corners spread over [0,1], none at 0. */
static double make_b1(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	return (0.5 - (double)col) / (double)of->cols;
}

/* Returns the steepness of head i in the demonstration. */
static double steepness(size_t i)
{
	return 20 / exp2((double)(i / 3));
}

/* Returns the slope of head i before its corner; with one hidden number it has only this corner. */
static double head_start(size_t i, size_t width)
{
	const double by = steepness(i);
	return i % 3 == 0 ? -by : i % 3 == 1 ? (width > 1 ? by : -by) : by / 2;
}

/* Heads alternately fall from the start, rise to a corner a few steps away and fall, and rise. */
static double make_w2(const struct leaf_maker *of, size_t row, size_t col)
{
	if (row == 0)
		return head_start(col, of->rows);
	return col % 3 == 1 && row == (of->rows > 2 ? 2 : 1) ? -2 * steepness(col) : 0;
}

/* Makes f(0) = 0 by subtracting the value of hidden number 0 there. */
static double make_b2(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	const struct fire *p = of->m->param;
	return -head_start(col, (size_t)p->width) / (2 * (double)p->width);
}

static struct node *absolute(struct tape *t, struct node *x)
{
	return tape_add(t, tape_relu(t, x), tape_relu(t, tape_scale(t, x, -1)));
}

/* ψ(x) = ln(|c x| + 1) */
static struct node *psi_of(struct tape *t, struct node *x, struct node *c)
{
	return tape_log(t, tape_add_scalar(t, absolute(t, tape_mul(t, x, c)), 1));
}

/* Returns 1 / (ψ(max(at, L)) + ε) for each number of `at`, a column. */
static struct node *normaliser(struct run *run, const struct member *m, struct node *at)
{
	const struct fire *p = m->param;
	struct tape *t = run->tape;
	struct node *c = run_leaf(run, m, "c");
	struct node *start = absolute(t, tape_scale(t, run_leaf(run, m, "L_multiplier"), p->start));
	struct node *beyond = tape_relu(t, tape_sub(t, at, start));
	struct node *most = tape_add(t, beyond, start);
	return tape_pow(t, tape_add_scalar(t, psi_of(t, most, c), p->eps), -1);
}

static bool all_before(struct run *run, const struct member *m, const double *position)
{
	const struct fire *p = m->param;
	const double start = fabs(run_leaf(run, m, "L_multiplier")->v.at[0] * p->start);
	for (size_t t = 0; t < run->n; t++)
		if (!(position[t] <= start))
			return false;
	return true;
}

static void prepare_table(struct run *run, const struct member *m, struct fire_state *state)
{
	struct tape *t = run->tape;
	struct node *before = tape_const(t, mat_zero(run->arena, 1, 1));
	struct node *steps = psi_of(t, tape_const(t, state->d.at), run_leaf(run, m, "c"));
	struct node *x = tape_mul(t, steps, normaliser(run, m, before));
	struct node *table = t->recording ? broken_line_network(&state->f, t, x)
					  : differences_apply(t, x->v, run->model->config.heads,
							      broken_line_network, &state->f);
	state->table = tape_transpose(t, table);
}

static void prepare_beyond(struct run *run, const struct member *m, struct fire_state *state,
			   const double *position)
{
	struct tape *t = run->tape;
	const struct mat column = mat_new(run->arena, run->n, 1);
	for (size_t i = 0; i < run->n; i++)
		column.at[i] = position[i];
	struct node *steps = psi_of(t, differences_row(t, &state->d), run_leaf(run, m, "c"));
	struct node *of_pairs = tape_gather(t, steps, state->d.index, GATHER_SHARED);
	broken_line_read(run, &state->f,
			 tape_mul(t, of_pairs, normaliser(run, m, tape_const(t, column))));
}

static bool fire_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct fire_state *state = run_state(run, m, sizeof *state);
	if (!differences_init(&state->d, run, m, true, err))
		return false;
	state->f = (struct broken_line){.w1 = run_leaf(run, m, "w1"),
					.b1 = run_leaf(run, m, "b1"),
					.w2 = run_leaf(run, m, "w2"),
					.b2 = run_leaf(run, m, "b2")};
	const double *position = run_column(run, m, err);
	if (all_before(run, m, position))
		prepare_table(run, m, state);
	else
		prepare_beyond(run, m, state, position);
	return true;
}

static bool fire_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct fire_state *state = head_state(head, m);
	if (state->table)
		inject_numbers(head, "f(x)", TERM_POSITION, state->table, state->d.index, 1);
	else
		head_add_term(head, "f(x)", TERM_POSITION, broken_line_of(head, &state->f));
	return true;
}

/* Training beyond L has covered all arguments from 0 to 1, and there are no others. */
static double fire_reach(const void *param, const struct model_config *config)
{
	const struct fire *p = param;
	return (double)config->t_max >= p->start ? INFINITY : (double)config->t_max - 1;
}

static const struct param fire_params[] = {
	RATIO_PARAM(struct fire, width, 32, 1, BROKEN_LINE_CORNERS, 2,
		    "hidden numbers of the network"),
	RATIO_PARAM(struct fire, start, 512, 0, 1e6, 2,
		    "L to start from, before its learned factor: up to there arguments are not "
		    "interpolated"),
	RATIO_PARAM(struct fire, eps, 1e-6, 1e-12, 1, 10, "ε, added to the normaliser"),
	CHOICE_PARAM(struct fire, share, OWN_OF_LAYERS, own_names,
		     "none: every layer its own network; layer: the layers share one, FIRE-S"),
	SWITCH_PARAM(struct fire, causal, true,
		     "on: brings the causal mask; off: both directions, distance |t−s|"),
	{0},
};

#define UP_TO_L "up to position L; beyond it distances are shares of t"

static const struct claim fire_claims[] = {
	{CLAIM_RELATIVE, ANSWER_NO, UP_TO_L, "start < 24"},
	{CLAIM_RELATIVE, ANSWER_YES, UP_TO_L},
	{0},
};

#define OWN "share == none"

static const struct leaf_row fire_leaves[] = {
	{"c", "1, 1", "scales the distance in ψ(x) = ln(|c x| + 1)", .by_layer = OWN,
	 .demo = {FILL_CONSTANT, 0.1}, .paper = {FILL_CONSTANT, 0.1}},
	{"L_multiplier", "1, 1", "multiplies the learned threshold L", .by_layer = OWN,
	 .demo = {FILL_CONSTANT, 1}, .paper = {FILL_CONSTANT, 1}},
	{"w1", "1, width", "from x to the hidden layer", .by_layer = OWN,
	 .demo = {FILL_CONSTANT, 1}, .paper = {FILL_UNIFORM, 1}},
	{"b1", "1, width", "added in the hidden layer", .by_layer = OWN, .demo = {.entry = make_b1},
	 .paper = {FILL_UNIFORM, 1}},
	{"w2", "width, h", "from the hidden layer to a number for each head", .by_layer = OWN,
	 .demo = {.entry = make_w2}, .paper = LINEAR_INIT("width")},
	{"b2", "1, h", "added to that", .spare = true, .by_layer = OWN, .demo = {.entry = make_b2},
	 .paper = LINEAR_INIT("width")},
	{0},
};

const struct scheme scheme_fire[] = {
	{
		.id = "fire",
		.aliases = "functional-interpolation",
		.title = "Functional interpolation of relative positions",
		.formula = "A_ts = q_t·k_s / √d_h + f(ψ(t−s) / ψ(max(t, L))),  ψ(x) = ln(c x + 1)",
		.authors = "Li et al.",
		.cite = "@li2024functional",
		.recipe = "term.f(x)[t,s] = column H of relu(x w1 + b1) w2 + b2, x = ln(1 + |c (t "
			  "- s)|) / (ln(1 + |c| max(t, |L_multiplier start|)) + eps), all "
			  "param.fire.NAME.L (no .L where layers share), t and s in the member's "
			  "column",
		.about = "A small network reads the distance as a share of the query's position, "
			 "so that it never sees a number above 1, however long the input is. Up to "
			 "position L the share is taken of L: only there is it relative.",
		.year = 2024,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = fire_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note = "copies of the listing in the paper's appendix; sharing over "
				 "layers (FIRE-S) as the paper says, without code",
		.demo_note = "corners at x = (k−½)/width, f(0) = 0; heads in turn fall at 20, rise "
			     "at 20 to the third corner and fall, and rise at 10; half as steep "
			     "from rotation to rotation",
		.claims = fire_claims,
		.params = fire_params,
		.param_size = sizeof(struct fire),
		.reach = fire_reach,
		.hooks = {.declare = leaves_declare,
			  .relation = encoding_relate_apart,
			  .prepare = fire_prepare,
			  .mask = mask_causal,
			  .logits = fire_logits,
			  .matrices = 4},
	},
	{0},
};
