/* floater.c: positions as a flow (Liu et al. 2020, FLOATER).
 *
 *   X_t = X_t + p(t Δt),  p(t) = p(s) + ∫ h(τ, p(τ)) dτ from s to t
 *
 * One network h for all layers; each layer starts the flow from a state of its own. The result
 * depends only on parameters and positions, so it is cached. */
#include <math.h>
#include <string.h>

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/flow.h"
#include "scheme/reading.h"
#include "scheme/rotation.h"

enum site { SITE_INPUT, SITE_BIAS };
static const char *const site_names[] = {"input", "bias", NULL};

enum start { START_RANDOM, START_REST };
static const char *const start_names[] = {"random", "rest", NULL};

enum { MAX_POSITION = 4096 };

struct floater {
	int site, start;
	double delta;
	long steps;
};

/* Returns the number of states: X's, or those of q, k and v. Row site·layers + layer of "p0". */
static size_t site_count(const struct floater *p)
{
	return p->site == SITE_BIAS ? 3 : 1;
}

/* ---- leaves: the demonstration rotates like sinusoids
 * ----------------------------------------- */

/* Larger than any state, so that relu(p + shift) equals p + shift and the flow is linear. */
static const double shift = 4;

static double make_w1(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)of;
	return row == col;
}

/* Returns the rotation rate of a pair per unit of τ, so that it rotates by 10000^(-2i/d) per
 * position. */
static double speed(const struct leaf_maker *of, size_t pair)
{
	const struct floater *p = of->m->param;
	return rotation_rate(10000, pair, of->model->config.d) / p->delta;
}

/* p' = Ω p: (sin, cos)' = ω (cos, -sin) */
static double make_w2(const struct leaf_maker *of, size_t row, size_t col)
{
	if (col != (row ^ 1) || col >= of->rows)
		return 0;
	return row % 2 ? -speed(of, row / 2) : speed(of, row / 2);
}

static double make_b2(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)row;
	if ((col ^ 1) >= of->cols)
		return 0;
	return (col % 2 ? shift : -shift) * speed(of, col / 2);
}

/* (0, 1, 0, 1, …) rotated by a radian for each layer. */
static double make_p0(const struct leaf_maker *of, size_t row, size_t col)
{
	const double angle = (double)(row % of->model->config.layers);
	return col % 2 ? cos(angle) : sin(angle);
}

static bool floater_declare(struct model *model, const struct member *m, struct err *err)
{
	static const struct leaf_init w1 = {.entry = make_w1}, w2 = {.entry = make_w2};
	static const struct leaf_init b1 = {.fill = FILL_CONSTANT, .value = shift};
	static const struct leaf_init b2 = {.entry = make_b2}, p0 = {.entry = make_p0};
	static const struct leaf_init zero = {.fill = FILL_CONSTANT, .value = 0};
	const struct floater *p = m->param;
	const bool rest = p->start == START_REST;
	const size_t d = model->config.d, sites = site_count(p), l = model->config.layers;
	if (p->site == SITE_BIAS && (model->qk_width != d || model->v_width != d))
		return err_set(err,
			       "%s adds states as wide as the token vectors to queries, keys and "
			       "values: heads times head-dim and value-dim must be d-model %zu, or "
			       "site=input",
			       m->text, d);
	const struct leaf_init xavier = {.fill = FILL_NORMAL,
					 .value = sqrt(2 / (2 * (double)d + 1))};
	const struct leaf_init even = {.fill = FILL_UNIFORM,
				       .value = sqrt(6 / (double)((sites + l) * d))};
	return model_leaf(model, m, "w1", d, d + 1, false, w1, xavier, err) &&
	       model_leaf(model, m, "b1", 1, d, false, b1, zero, err) &&
	       model_leaf(model, m, "w2", d, d + 1, false, w2, rest ? zero : xavier, err) &&
	       model_leaf(model, m, "b2", 1, d, false, b2, zero, err) &&
	       model_leaf(model, m, "p0", sites * l, d, false, p0, rest ? zero : even, err);
}

static const double *times(struct run *run, const struct member *m, struct err *err)
{
	const struct floater *p = m->param;
	struct reading r;
	const double *at = run_column(run, m, err);
	if (!at || !reading_of(run, m, false, &r, err))
		return NULL;
	double *tau = arena_alloc(run->arena, run->n * sizeof *tau);
	for (size_t i = 0; i < run->n; i++) {
		const double position = at[r.order[i]];
		tau[i] = p->delta * position;
		if (position >= 0 && position <= MAX_POSITION)
			continue;
		err_set(err, "%s flows from position 0 to %d at most; column %s has %g", m->text,
			MAX_POSITION, m->pos, position);
		return NULL;
	}
	return tau;
}

/* Computes the states at every position, in the order of positions: [n · states, d] */
static struct node *build_flow(struct run *run, const struct member *m, struct err *err)
{
	const struct floater *p = m->param;
	const double *tau = times(run, m, err);
	return tau ? flow_states(run, m, tau, p->delta / (double)p->steps, err) : NULL;
}

/* The flow of the first input of a tape. */
struct first_flow {
	size_t n;
	const double *tau; /* [n] */
	struct node *states;
};

static const void *build_first(struct run *run, const struct member *m, const void *context,
			       struct arena *own, struct err *err)
{
	(void)context;
	struct first_flow *const out = arena_alloc(own, sizeof *out);
	*out = (struct first_flow){run->n, times(run, m, err), NULL};
	out->states = out->tau ? build_flow(run, m, err) : NULL;
	return out->states ? out : NULL;
}

/* Returns the states at every position, or at more behind them: inputs of a tape that begin alike read
 * the flow of the first one. */
static struct node *flow_of(struct run *run, const struct member *m, struct err *err)
{
	static const struct cached what = {.name = "first flow", .build = build_first};
	if (!run->tape->recording)
		return run_cached(run, m, "flow", false, build_flow, err);
	const struct first_flow *const first = run_cached_block(run, m, &what, err);
	const double *const tau = first ? times(run, m, err) : NULL;
	if (!tau)
		return NULL;
	if (run->n <= first->n && memcmp(tau, first->tau, run->n * sizeof *tau) == 0)
		return first->states;
	return run_cached(run, m, "flow", false, build_flow, err);
}

/* Returns the state of a site in the present layer, at the position of every token: [n, d] */
static struct node *state_of(struct run *run, const struct member *m, size_t site, struct err *err)
{
	const size_t layers = run->model->config.layers;
	const size_t states = site_count(m->param) * layers;
	struct node *flow = flow_of(run, m, err);
	struct reading r;
	if (!flow || !reading_of(run, m, false, &r, err))
		return NULL;
	int32_t *rows = arena_alloc(run->arena, run->n * sizeof *rows);
	for (size_t t = 0; t < run->n; t++)
		rows[t] = (int32_t)((size_t)r.place[t] * states + site * layers + run->layer);
	return tape_gather_rows(run->tape, flow, rows, run->n);
}

/* X = X + p(t Δt), before every layer */
static bool floater_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct floater *p = m->param;
	if (p->site != SITE_INPUT)
		return true;
	struct node *state = state_of(run, m, 0, err);
	if (!state)
		return false;
	run_add_part(run, "position", state);
	return true;
}

/* q = X W_q + b_q(t), likewise k and v */
static bool floater_project(struct run *run, const struct member *m, struct err *err)
{
	const struct floater *p = m->param;
	struct node **const biases[] = {&run->q_bias, &run->k_bias, &run->v_bias};
	if (p->site != SITE_BIAS)
		return true;
	for (size_t i = 0; i < 3; i++) {
		struct node *state = state_of(run, m, i, err);
		if (!state)
			return false;
		*biases[i] = *biases[i] ? tape_add(run->tape, state, *biases[i]) : state;
	}
	return true;
}

static const struct param floater_params[] = {
	CHOICE_PARAM(struct floater, site, SITE_INPUT, site_names,
		     "add the state to the layer's input (paper), or one each to q, k and v "
		     "(code)"),
	CHOICE_PARAM(struct floater, start, START_RANDOM, start_names,
		     "what init=paper draws; rest: states and the last map of h are 0, so that a "
		     "pretrained model stays what it was, as in learned+floater(start=rest)"),
	RATIO_PARAM(struct floater, delta, 0.01, 1e-4, 1, 2,
		    "Δt: time from a position to the next"),
	NUMBER_PARAM(struct floater, steps, 5, 1, 50, 1,
		     "steps of the solver from a position to the next"),
	{0},
};

static const struct claim floater_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed as \"0 or more\": it depends on h, which here is the network of the code"},
	{0},
};

static const struct leaf_row floater_leaves[] = {
	{"w1", "d, d + 1",
	 "first layer of the flow: a row for each output, the last column reads the time"},
	{"b1", "1, d", "added in the first layer"},
	{"w2", "d, d + 1", "second layer of the flow, as w1"},
	{"b2", "1, d", "added in the second layer"},
	{"p0", NULL,
	 "where the flow starts: a row for each layer; with site=bias queries, keys and values one "
	 "after the other"},
	{0},
};

const struct scheme scheme_floater[] = {
	{
		.id = "floater",
		.aliases = "flow",
		.title = "FLOATER",
		.formula = "X_t = X_t + p(tΔt),  p(t) = p(s) + ∫_s^t h(τ, p(τ)) dτ",
		.authors = "Liu et al.",
		.cite = "@liu2020learning",
		.recipe = "with site=bias q = input @ w_q + b_q(t), and k and v alike, where b_q, "
			  "b_k, b_v are the flow of rows 0 + L, l + L, 2 l + L of p0 (l layers)",
		.about = "A learned dynamic moves the position vector on from each position to the "
			 "next, so a few parameters serve any length. Every layer starts it from a "
			 "vector of its own.",
		.year = 2020,
		.table2 = TABLE2_GENERIC,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = floater_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "h, Δt and solver of xuanqing94/FLOATER d788b5e, which adds "
				 "three states to q, k and v (site=bias) beside sinusoids or a "
				 "pretrained table, which a flow at rest leaves as they are "
				 "(start=rest); the default, one state added to the input, is "
				 "survey eq. 6",
		.demo_note = "h rotates the pairs of p as sinusoids do, a special case of the "
			     "model; layer L starts L radians on; with start=rest W_2, b_2 and "
			     "p(0) are 0",
		.count_printed = "0",
		.claims = floater_claims,
		.params = floater_params,
		.param_size = sizeof(struct floater),
		.hooks = {.declare = floater_declare,
			  .embed = floater_embed,
			  .project = floater_project,
			  .recurring = true},
	},
	{0},
};
