/* clex.c: continuous length extrapolation (Chen et al. 2024): frequencies of rope as a curve.
 *
 *   d ln θ/dt = silu((ln θ + ln θ^ntk(t)) W_up) W_down + d ln θ^ntk/dt,   θ(1) = rope,
 *   θ^ntk(t)_i = (B (2t-1)^{D/(D-2)})^{-2i/D},   t = min(⌈n/L⌉, most)
 *
 * A small network bends the curve along which NTK-aware scaling slows the pairs down. Steps of
 * the solver are those of the 3/8 rule. Positions are not divided. */
#include <math.h>

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/encoding.h"
#include "scheme/leaves.h"
#include "scheme/rotation.h"

struct clex {
	double base, original, step;
	long width, most;
};

struct clex_state {
	struct node *cos, *sin; /* [n, d_h/2] */
};

/* The curve, at time t. */
struct curve {
	struct tape *tape;
	struct arena *a;
	double base;
	size_t pairs;
	struct node *up, *down;
};

static double stretch(size_t pairs)
{
	return pairs > 1 ? (double)pairs / (double)(pairs - 1) : 1;
}

/* Returns ln θ^ntk(t), or its derivative, [1, D/2]. */
static struct node *ntk(const struct curve *c, double t, bool derivative)
{
	const struct mat out = mat_new(c->a, 1, c->pairs);
	const double by = stretch(c->pairs);
	for (size_t i = 0; i < c->pairs; i++)
		out.at[i] =
			-(double)i / (double)c->pairs *
			(derivative ? by * 2 / (2 * t - 1) : log(c->base) + by * log(2 * t - 1));
	return tape_const(c->tape, out);
}

static struct node *slope(const struct curve *c, double t, struct node *y)
{
	struct tape *const tape = c->tape;
	struct node *in = tape_add(tape, y, ntk(c, t, false));
	struct node *hidden = tape_silu(tape, tape_matmul(tape, in, false, c->up, false, 1));
	return tape_add(tape, tape_matmul(tape, hidden, false, c->down, false, 1), ntk(c, t, true));
}

/* Returns y + a·k. */
static struct node *moved(const struct curve *c, struct node *y, double a, struct node *k)
{
	return tape_add(c->tape, y, tape_scale(c->tape, k, a));
}

/* Returns ln θ at t + h. */
static struct node *stepped(const struct curve *c, double t, double h, struct node *y)
{
	struct node *const k1 = slope(c, t, y);
	struct node *const k2 = slope(c, t + h / 3, moved(c, y, h / 3, k1));
	struct node *const k3 = slope(c, t + 2 * h / 3, moved(c, moved(c, y, h, k2), -h / 3, k1));
	struct node *const k4 =
		slope(c, t + h, moved(c, moved(c, moved(c, y, h, k1), -h, k2), h, k3));
	struct node *const ends = tape_add(c->tape, k1, k4);
	struct node *const inner = tape_add(c->tape, k2, k3);
	return moved(c, moved(c, y, h / 8, ends), 3 * h / 8, inner);
}

/* Returns θ at a whole time. */
static struct node *frequencies(const struct curve *c, double until, double step)
{
	struct node *y = ntk(c, 1, false);
	const double steps = ceil((until - 1) / step - 1e-9);
	for (double i = 0; i < steps; i++)
		y = stepped(c, 1 + i * step, fmin(step, until - 1 - i * step), y);
	return tape_exp(c->tape, y);
}

static double length_of(const struct clex *p, const struct model_config *config)
{
	return p->original > 0 ? fmax(p->original, 1) : (double)config->t_max;
}

/* The length that counts is that of the input; of given positions the greatest plus one. The
 * column is not read otherwise: a shift of it would change the logits. */
static double time_of(const struct run *run, const struct member *m)
{
	const struct clex *p = m->param;
	double n = (double)run->n;
	for (size_t i = 0; run_reads_given(run, m) && i < run->in->axis.n; i++)
		n = fmax(n, run->in->position[i] + 1);
	return fmin(fmax(ceil(n / length_of(p, &run->model->config)), 1), (double)p->most);
}

static bool clex_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct clex *p = m->param;
	struct clex_state *const state = run_state(run, m, sizeof *state);
	const double *position = run_column(run, m, err);
	if (!position)
		return false;
	struct tape *const t = run->tape;
	const struct curve c = {.tape = t,
				.a = run->arena,
				.base = p->base,
				.pairs = run->model->dk / 2,
				.up = run_leaf(run, m, "w_up"),
				.down = run_leaf(run, m, "w_down")};
	struct node *const theta = frequencies(&c, time_of(run, m), p->step);
	const struct mat at = mat_new(run->arena, run->n, 1);
	for (size_t i = 0; i < run->n; i++)
		at.at[i] = position[i];
	struct node *const angle = tape_matmul(t, tape_const(t, at), false, theta, false, 1);
	state->cos = tape_cos(t, angle);
	state->sin = tape_sin(t, angle);
	run_keep(run, m, "theta", theta->v);
	run_keep(run, m, "cos", state->cos->v);
	run_keep(run, m, "sin", state->sin->v);
	return true;
}

static bool clex_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct clex_state *const state = head_state(head, m);
	return rotation_by_nodes(head, m, state->cos, state->sin, head->run->model->dk / 2, err);
}

/* Training draws times up to the greatest. */
static double clex_reach(const void *param, const struct model_config *config)
{
	const struct clex *p = param;
	return length_of(p, config) * (double)p->most - 1;
}

static const struct param clex_params[] = {
	RATIO_PARAM(struct clex, base, 10000, 1, 1e9, 10,
		    "B: at time 1 pair i rotates by B^(-2i/d_h) per position"),
	RATIO_PARAM(
		struct clex, original, 4, 0, 1e9, 2,
		"L: the length trained on, from 1, where time is 1; small, so that a sentence is "
		"longer; the authors' models have 4096; 0: t-max"),
	RATIO_PARAM(struct clex, width, 1, 1, 64, 2,
		    "hidden numbers of the network, as many times d_h (param_factor)"),
	NUMBER_PARAM(struct clex, most, 4, 1, 1024, 1,
		     "greatest time: longer inputs than that many times L have its frequencies"),
	RATIO_PARAM(struct clex, step, 0.25, 0.01, 1, 2, "of the solver, in time (time_dt)"),
	{0},
};

static const struct leaf_row clex_leaves[] = {
	{"w_up", "floor(d_h / 2), width d_h", "from logarithms of frequencies to the hidden layer",
	 .by_layer = ALL_LAYERS, .demo = {FILL_NORMAL, 0.05}, .paper = {FILL_NORMAL, 0.02}},
	{"w_down", "width d_h, floor(d_h / 2)",
	 "from the hidden layer to the slope of these logarithms; 0 when training begins",
	 .by_layer = ALL_LAYERS, .demo = {FILL_NORMAL, 0.05}, .paper = {FILL_CONSTANT}},
	{0},
};

const struct scheme scheme_clex[] = {
	{
		.id = "clex",
		.aliases = "continuous-length-extrapolation",
		.title = "Continuous length extrapolation",
		.formula =
			"A_ts = q_t·R_{s−t} k_s / √d_h,  d ln θ/dt = f(ln θ + ln θ^{ntk}) + d ln "
			"θ^{ntk}/dt,  t = n/L rounded up",
		.authors = "Chen et al.",
		.cite = "@chen2024clex",
		.recipe =
			"q and k are q_raw and k_raw with pairs of columns (i, i + dk/2) rotated: (a, "
			"b) to (a cos - b sin, b cos + a sin), cos and sin of member.clex at [t, i], "
			"of position times member.clex.theta: its logarithm goes from -2i/dk ln base "
			"at time 1 to time min(ceil(n / L), most) with the slope silu((ln theta + "
			"ntk) @ w_up) @ w_down + d ntk/dt, ntk = -2i/dk (ln base + dk/(dk-2) ln(2t-1)), "
			"in steps of the 3/8 rule",
		.about = "The longer the input, the further the frequencies of RoPE have moved "
			 "along a curve, which a small learned network bends away from that of "
			 "NTK-aware scaling. Up to L tokens it is RoPE.",
		.year = 2024,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = clex_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"DAMO-NLP-SG/CLEX 023709d, clex_layer.py: frequencies; the library "
			"of its solver was not run, its 3/8 rule is our reading",
		.demo_note =
			"w_up and w_down drawn with deviation 0.05: frequencies beyond L differ a "
			"little from those of rope_ntk",
		.rotates_when = "1",
		.params = clex_params,
		.param_size = sizeof(struct clex),
		.hooks = {.declare = leaves_declare,
			  .prepare = clex_prepare,
			  .qk = clex_qk,
			  .relation = encoding_relate_signed,
			  .modulates = true},
		.reach = clex_reach,
	},
	{0},
};
