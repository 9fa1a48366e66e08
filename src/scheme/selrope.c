/* selrope.c: selective rotation (Movahedi et al. 2025): the tokens say how far to turn.
 *
 *   φ_t = conv(proj(x_t/√(‖x_t‖² + ε) by heads)) in [h, d_h/2],  Φ_t = Σ_{r<=t} φ_r,
 *   pair (i, i + d_h/2) of q_t and k_t turns by T_i Φ_ti,  T_i = B^(-2i/d_h)
 *
 * So A_ts depends on Φ_t - Φ_s: where tokens turn by 1 it is RoPE, where they turn by 0 they take no
 * room. What comes before what is said by the member's column, and nothing else of it is read. */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "scheme/leaves.h"
#include "scheme/reading.h"
#include "scheme/rotation.h"

enum { TAPS = 4 };
static const double norm_eps = 1e-6; /* ε, of the l2_norm that the code calls */

enum proj { LOW_RANK, PER_HEAD };
static const char *const proj_names[] = {"low-rank", "per-head", NULL};

struct selrope {
	int proj;
	long rank;
	bool bias, gate;
	double base;
};

struct selrope_state {
	struct node *cos, *sin; /* [n, d/2] */
};

/* Numbers that sum to 0 over n, and whose squares sum to `squares`. */
static void draw_balanced(double *out, size_t stride, size_t n, double squares, struct rng *rng)
{
	double mean = 0, sum = 0;
	for (size_t i = 0; i < n; i++) {
		out[i * stride] = rng_normal(rng);
		mean += out[i * stride] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		out[i * stride] -= mean;
		sum += out[i * stride] * out[i * stride];
	}
	for (size_t i = 0; i < n && sum > 0; i++)
		out[i * stride] *= sqrt(squares / sum);
}

/* [d,rank]: the first column reads 1 off a unit of ones, the others nothing off it and N(0,1) or so
 * off any other. A unit of ones is 1/√(d_h + ε) everywhere when each head is normalised. */
static void make_down(struct mat at, const struct leaf_maker *of)
{
	const double dk = (double)of->model->dk, d = (double)at.rows;
	mat_fill(mat_cols(at, 0, 1), sqrt(dk + norm_eps) / d);
	for (size_t j = 1; j < at.cols; j++)
		draw_balanced(at.at + j, at.stride, at.rows, dk, of->rng);
}

/* [rank, d/2] */
static void make_up(struct mat at, const struct leaf_maker *of)
{
	mat_fill_normal(at, at.rows > 1 ? 1 / sqrt((double)at.rows - 1) : 1, of->rng);
	mat_fill(mat_rows(at, 0, 1), 1);
}

/* [d, d_h/2], the blocks of the heads one below the other: ones, and as much that sums to 0. */
static void make_by_head(struct mat at, const struct leaf_maker *of)
{
	const size_t dk = of->model->dk;
	for (size_t row = 0; row < at.rows; row += dk)
		for (size_t j = 0; j < at.cols; j++)
			draw_balanced(mat_row(at, row) + j, at.stride, dk, (double)dk, of->rng);
	for (size_t row = 0; row < at.rows; row++)
		for (size_t j = 0; j < at.cols; j++)
			mat_row(at, row)[j] += 1;
}

/* [4, d/2]: the token itself, and not the three before it */
static void make_last_tap(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	mat_fill(at, 0);
	mat_fill(mat_rows(at, TAPS - 1, 1), 1);
}

static bool selrope_declare(struct model *model, const struct member *m, struct err *err)
{
	if (model->dk % 2 == 0)
		return leaves_declare(model, m, err);
	return err_set(err,
		       "%s turns the halves of a head, but a head has %zu columns; take d-model / "
		       "heads even",
		       m->text, model->dk);
}

/* Each head's columns of x divided by √(‖x‖² + ε). */
static struct node *normalise_heads(struct run *run, struct node *x)
{
	struct tape *t = run->tape;
	const size_t n = x->v.rows, d = x->v.cols, dk = run->model->dk;
	struct node *rows = tape_reshape(t, x, n * d / dk, dk);
	struct node *squares =
		tape_add_scalar(t, tape_row_sum(t, tape_mul(t, rows, rows)), norm_eps);
	return tape_reshape(t, tape_mul(t, rows, tape_pow(t, squares, -0.5)), n, d);
}

/* A head's columns times its own matrix, whose columns have length `scalar`. */
static struct node *project_heads(struct run *run, const struct member *m, struct node *x)
{
	struct tape *t = run->tape;
	const size_t n = x->v.rows, dk = run->model->dk, heads = run->model->config.heads;
	struct node *w = run_leaf(run, m, "w_phi"), *scalar = run_leaf(run, m, "scalar");
	struct node **parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++) {
		struct node *block = tape_slice(t, w, i * dk, dk, 0, dk / 2);
		struct node *unit = tape_row_normalise(t, tape_transpose(t, block), 1e-12);
		struct node *phi =
			tape_matmul(t, tape_slice(t, x, 0, n, i * dk, dk), false, unit, true, 1);
		parts[i] = tape_mul(t, phi, tape_slice(t, scalar, 0, 1, i, 1));
	}
	return tape_concat_cols(t, parts, heads);
}

static struct node *project(struct run *run, const struct member *m, struct node *x)
{
	const struct selrope *p = m->param;
	if (p->proj == PER_HEAD)
		return project_heads(run, m, x);
	struct node *down = tape_matmul(run->tape, x, false, run_leaf(run, m, "w_down"), false, 1);
	return tape_matmul(run->tape, down, false, run_leaf(run, m, "w_up"), false, 1);
}

/* y_t = Σ_j kernel_j · x_{t+j-3}, column by column: nothing from behind t */
static struct node *convolve(struct run *run, struct node *x, struct node *kernel)
{
	struct tape *t = run->tape;
	const size_t n = x->v.rows, cols = x->v.cols;
	struct node *padded[] = {tape_const(t, mat_zero(run->arena, TAPS - 1, cols)), x};
	struct node *wide = tape_concat_rows(t, padded, 2), *sum = NULL;
	for (size_t j = 0; j < TAPS; j++) {
		struct node *tap = tape_mul(t, tape_slice(t, wide, j, n, 0, cols),
					    tape_slice(t, kernel, j, 1, 0, cols));
		sum = sum ? tape_accumulate(t, sum, tap) : tap;
	}
	return sum;
}

/* phi times σ(x W + b), one gate for a head */
static struct node *gated(struct run *run, const struct member *m, struct node *phi, struct node *x)
{
	struct tape *t = run->tape;
	const size_t n = x->v.rows, half = run->model->dk / 2, heads = run->model->config.heads;
	struct node *z = tape_matmul(t, x, false, run_leaf(run, m, "w_gate"), false, 1);
	struct node *gate = tape_sigmoid(t, tape_add(t, z, run_leaf(run, m, "b_gate")));
	struct node **parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++)
		parts[i] = tape_mul(t, tape_slice(t, phi, 0, n, i * half, half),
				    tape_slice(t, gate, 0, n, i, 1));
	return tape_concat_cols(t, parts, heads);
}

/* φ in reading order, [n, d/2] */
static struct node *steps(struct run *run, const struct member *m, struct node *units)
{
	const struct selrope *p = m->param;
	struct node *x = normalise_heads(run, units);
	struct node *phi = convolve(run, project(run, m, x), run_leaf(run, m, "conv"));
	if (p->bias)
		phi = tape_add(run->tape, phi, tape_exp(run->tape, run_leaf(run, m, "bias")));
	return p->gate ? gated(run, m, phi, x) : phi;
}

/* Sums down the columns, each times its temperature. */
static struct node *angles(struct run *run, const struct selrope *p, struct node *phi)
{
	struct tape *t = run->tape;
	const size_t dk = run->model->dk;
	const struct mat rate = mat_new(run->arena, 1, phi->v.cols);
	for (size_t i = 0; i < rate.cols; i++)
		rate.at[i] = rotation_rate(p->base, i % (dk / 2), dk);
	struct node *sums = tape_prefix_sum(t, tape_transpose(t, phi));
	return tape_mul(t, tape_transpose(t, sums), tape_const(t, rate));
}

static bool selrope_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct selrope_state *state = run_state(run, m, sizeof *state);
	struct reading r;
	if (run_column(run, m, err) == NULL || !reading_of_text(run, m, false, &r, err))
		return false;
	struct tape *t = run->tape;
	struct node *x = reading_take(t, &r, run_sum_parts(run, &run->x));
	struct node *angle = angles(run, m->param, steps(run, m, x));
	state->cos = reading_put_back(t, &r, tape_cos(t, angle));
	state->sin = reading_put_back(t, &r, tape_sin(t, angle));
	step_keep(run, m, "cos", state->cos->v);
	step_keep(run, m, "sin", state->sin->v);
	return true;
}

/* (a, b) -> (a cos - b sin, a sin + b cos); columns beyond 2·half pass. The angles are learned, so
 * this is no tape_rotate. */
static struct node *turn(struct tape *t, struct node *x, struct node *cosine, struct node *sine)
{
	const size_t n = x->v.rows, half = cosine->v.cols, rest = x->v.cols - 2 * half;
	struct node *a = tape_slice(t, x, 0, n, 0, half), *b = tape_slice(t, x, 0, n, half, half);
	struct node *parts[] = {
		tape_sub(t, tape_mul(t, a, cosine), tape_mul(t, b, sine)),
		tape_accumulate(t, tape_mul(t, a, sine), tape_mul(t, b, cosine)),
		tape_slice(t, x, 0, n, 2 * half, rest),
	};
	return tape_concat_cols(t, parts, rest ? 3 : 2);
}

static bool selrope_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct selrope_state *state = head_state(head, m);
	const size_t half = head->run->model->dk / 2;
	if (head->q->v.cols < 2 * half)
		return err_set(err, "%s turns %zu columns, but only %zu are left of a head",
			       m->name, 2 * half, head->q->v.cols);
	struct node *cosine = head_slice(head, state->cos, half);
	struct node *sine = head_slice(head, state->sin, half);
	head->q = turn(head->tape, head->q, cosine, sine);
	head->k = turn(head->tape, head->k, cosine, sine);
	return true;
}

static const struct param selrope_params[] = {
	CHOICE_PARAM(struct selrope, proj, LOW_RANK, proj_names,
		     "phases from all heads' units through few numbers, or from each head's own"),
	RATIO_PARAM(struct selrope, rank, 16, 1, 512, 2,
		    "how many numbers proj=low-rank goes through"),
	SWITCH_PARAM(struct selrope, bias, false,
		     "adds exp(b) to every phase: a turn that no token can do without"),
	SWITCH_PARAM(struct selrope, gate, false,
		     "multiplies a head's phases by a sigmoid of the unit"),
	RATIO_PARAM(struct selrope, base, 500000, 1, 1e300, 10, "B: temperature i is B^(-2i/d_h)"),
	{0},
};

static const struct leaf_row selrope_leaves[] = {
	{"w_phi", "d, d_h / 2", "from the input of a head to its angles", .by_layer = EACH_LAYER,
	 .when = "proj", .demo = {.make = make_by_head},
	 .paper = {FILL_UNIFORM, .formula = "sqrt(6 / (d_h / 2))"}},
	{"scalar", "1, h", "of a head: multiplies its angles", .by_layer = EACH_LAYER,
	 .when = "proj", .demo = {FILL_CONSTANT, .formula = "sqrt(2 + 2 * 0.000001 / d_h)"},
	 .paper = {FILL_CONSTANT, 1}},
	{"w_down", "d, rank", "from the input to the narrow middle of that map",
	 .by_layer = EACH_LAYER, .when = "!proj", .demo = {.make = make_down},
	 .paper = LINEAR_INIT("d")},
	{"w_up", "rank, d / 2", "from the middle to the angles of all heads",
	 .by_layer = EACH_LAYER, .when = "!proj", .demo = {.make = make_up},
	 .paper = LINEAR_INIT("rank")},
	{"conv", "4, d / 2",
	 "the short convolution of the angles: row of a tap, the earliest token first",
	 .by_layer = EACH_LAYER, .demo = {.make = make_last_tap}, .paper = LINEAR_INIT("4")},
	{"bias", "1, d / 2", "added to the angles", .spare = true, .by_layer = EACH_LAYER,
	 .when = "bias", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"w_gate", "d, h", "from the input to the gate of each head", .by_layer = EACH_LAYER,
	 .when = "gate", .demo = LINEAR_INIT("d"), .paper = LINEAR_INIT("d")},
	{"b_gate", "1, h", "added in the gate", .by_layer = EACH_LAYER, .when = "gate",
	 .demo = LINEAR_INIT("d"), .paper = LINEAR_INIT("d")},
	{0},
};

const struct scheme scheme_selrope[] = {
	{
		.id = "selrope",
		.aliases = "selective-rope",
		.title = "Selective rotary position embedding",
		.formula = "A_ts = q_t·R(T(Φ_s − Φ_t)) k_s / √d_h,  Φ_t = Σ_{r≤t} φ_r,  φ from x_r "
			   "and the three before it",
		.authors = "Movahedi et al.",
		.cite = "Movahedi, Carstensen, Afzal, Hutter, Orvieto, Cevher: Selective rotary "
			"position embedding. arXiv 2511.17388, 2025",
		.recipe = "q and k are q_raw and k_raw with pairs of columns turned: (a, b) to (a "
			  "cos - b sin, b cos + a sin), pair i = columns (i, i + dk/2), cos and "
			  "sin = those of layer.L.member.selrope, [:, H dk/2 + i], of angle "
			  "base^(-2i/dk) times the sum up to t, in the order of the column, of "
			  "phi: x = each head's columns of input divided by the root of the sum of "
			  "their squares + 1e-6, y = x @ w_down @ w_up (per-head: x of the head @ "
			  "w_phi with columns of length scalar[H]), phi[t] = the sum over j < 4 of "
			  "conv[j] y[t + j - 3], + exp(bias), times sigmoid(x @ w_gate + "
			  "b_gate)[H] with gate=on, all param.selrope.NAME.L",
		.about = "RoPE with steps of content: every token says how far it turns what "
			 "follows, so distance is counted in what was said and may run backwards.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = selrope_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "timurcarstensen/selective-rope 9d06c33, whose x_r is divided by "
				 "√(‖x_r‖² + 10⁻⁶), head by head; its norm of the turned q and k, "
				 "off unless asked for, is left out",
		.demo_note = "a unit of ones turns by 1 as in RoPE; others by their mean and "
			     "numbers drawn with variance about 1; conv reads the token itself",
		.numbers_when = "0",
		.params = selrope_params,
		.param_size = sizeof(struct selrope),
		.hooks = {.declare = selrope_declare,
			  .prepare = selrope_prepare,
			  .qk = selrope_qk,
			  .modulates = true},
	},
	{0},
};
