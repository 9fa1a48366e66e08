/* path.c: PaTH attention (Yang et al. 2025): every token in between reflects, fully or partly, the
 * keys before it.
 *
 *   H_r = I - β_r w_r w_rᵀ,  A_ts = c q_tᵀ H_t H_{t-1} … H_{s+1} k_s
 *
 * The transformed key is y_r = H_r y_{r-1} = k_s - Σ_{i<=r} u_i w_i with u_i = β_i w_i·y_{i-1}, and
 *
 *   u_i + Σ_{s<j<i} β_i (w_i·w_j) u_j = β_i w_i·k_s    for i > s
 *
 * is one triangular system for all keys: column s of the right-hand side is 0 down to row s, and so
 * is column s of U. With W the rows w, B = diag(β), and [·] the part below the diagonal:
 *
 *   U = (I + [B W Wᵀ])⁻¹ [B W Kᵀ],  A = c (Q Kᵀ - lower(Q Wᵀ) U)
 *
 * Everything is computed in reading order; tokens at the same position keep the order of rows. */
#include <math.h>

#include "scheme/forget.h"
#include "scheme/leaves.h"
#include "scheme/mask.h"
#include "scheme/reading.h"

enum { TAPS = 3 };
static const double least_norm = 1e-6;

struct path {
	bool low_rank, conv, forget;
	long rank;
};

struct path_state {
	struct reading reading;
	struct node *w, *beta; /* [n,h·dk], [n,h] in reading order */
	struct node *sums;     /* [n,h] of the forget gates, not in reading order; or NULL */
};

static void make_taps(struct mat at, const struct leaf_maker *of)
{
	(void)of;
	for (size_t j = 0; j < at.rows; j++)
		mat_fill(mat_rows(at, j, 1), exp2((double)j + 1 - (double)at.rows));
}

/* From -1.5, which removes a third, in equal steps to 4.5, nearly a full reflection. */
static double make_strengths(const struct leaf_maker *of, size_t row, size_t i)
{
	(void)row;
	return of->cols > 1 ? -1.5 + 6 * (double)i / (double)(of->cols - 1) : -1.5;
}

static bool path_declare(struct model *model, const struct member *m, struct err *err)
{
	const struct path *p = m->param;
	return leaves_declare(model, m, err) &&
	       (!p->forget || forget_declare(model, m, false, false, err));
}

/* Each column has a kernel of its own, whose last tap is for the token itself. */
static struct node *convolve(struct run *run, struct node *x, struct node *taps)
{
	struct tape *t = run->tape;
	const size_t n = x->v.rows, cols = x->v.cols;
	struct node *rows[] = {tape_const(t, mat_zero(run->arena, TAPS - 1, cols)), x}, *sum = NULL;
	struct node *padded = tape_concat_rows(t, rows, 2);
	for (size_t j = 0; j < TAPS; j++) {
		struct node *tap = tape_slice(t, taps, j, 1, 0, cols);
		struct node *part = tape_mul(t, tape_slice(t, padded, j, n, 0, cols), tap);
		sum = sum ? tape_add(t, sum, part) : part;
	}
	return tape_silu(t, sum);
}

/* Returns w before it is normalised in each head, [n,h·dk]. */
static struct node *directions(struct run *run, const struct member *m, struct node *x)
{
	const struct path *p = m->param;
	struct tape *t = run->tape;
	struct node *first = run_leaf(run, m, p->low_rank ? "w_down" : "w_w");
	struct node *w = tape_matmul(t, x, false, first, false, 1);
	if (p->low_rank)
		w = tape_matmul(t, w, false, run_leaf(run, m, "w_up"), false, 1);
	return p->conv ? convolve(run, w, run_leaf(run, m, "conv")) : w;
}

static bool path_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct path *p = m->param;
	struct tape *t = run->tape;
	struct path_state *state = run_state(run, m, sizeof *state);
	if (!reading_of_text(run, m, false, &state->reading, err))
		return false;
	struct node *x = reading_take(t, &state->reading, run_sum_parts(run, &run->x));
	state->w = directions(run, m, x);
	step_keep(run, m, "w", reading_put_back(t, &state->reading, state->w)->v);
	struct node *beta = tape_matmul(t, x, false, run_leaf(run, m, "w_beta"), false, 1);
	beta = tape_sigmoid(t, tape_add(t, beta, run_leaf(run, m, "b_beta")));
	state->beta = tape_scale(t, beta, 2);
	if (p->forget)
		state->sums = forget_sums(run, m, 1, err);
	return !p->forget || state->sums != NULL;
}

/* Returns -c lower(Q Wᵀ) U, in reading order. */
static struct node *changes(struct head *head, const struct path_state *state)
{
	struct tape *t = head->tape;
	struct node *q = reading_take(t, &state->reading, head->q);
	struct node *k = reading_take(t, &state->reading, head->k);
	struct node *w = head_slice(head, state->w, head->run->model->dk);
	w = tape_row_normalise(t, w, least_norm);
	struct node *bw = tape_mul(t, w, head_slice(head, state->beta, 1));
	struct node *system = tape_matmul(t, bw, false, w, true, 1);
	struct node *right = tape_lower(t, tape_matmul(t, bw, false, k, true, 1), true, true);
	struct node *u = tape_solve_lower(t, system, right, true);
	struct node *left = tape_lower(t, tape_matmul(t, q, false, w, true, 1), false, true);
	return tape_matmul(t, left, false, u, false, -head_scale(head));
}

static bool path_logits(struct head *head, const struct member *m, struct err *err)
{
	const struct path_state *state = head_state(head, m);
	const struct reading *r = &state->reading;
	struct tape *t = head->tape;
	if (!head_needs_width(head, m, err))
		return false;
	struct node *term = changes(head, state);
	for (size_t side = 0; side < 2 && !r->plain; side++)
		term = tape_transpose(t, reading_put_back(t, r, term));
	head_add_term(head, "path", TERM_OTHER, term);
	if (state->sums)
		head_add_term(head, "forgetting", TERM_OTHER,
			      tape_scale(t, forget_gains(head, state->sums), head_scale(head)));
	return true;
}

static const struct param path_params[] = {
	SWITCH_PARAM(struct path, low_rank, false,
		     "w from a product of two matrices with rank columns between, as the paper "
		     "trains"),
	RATIO_PARAM(struct path, rank, 32, 1, 4096, 2,
		    "columns between the two matrices of low_rank=on"),
	SWITCH_PARAM(struct path, conv, false,
		     "w passes a convolution over three tokens and SiLU before it is normalised"),
	SWITCH_PARAM(struct path, forget, false, "adds forget gates as in fox, times c (PaTH-FoX)"),
	{0},
};

static const struct leaf_row path_leaves[] = {
	/* It is the token vector, so a key fades with each similar token after it. */
	{"w_w", "d, h d_h", "from the input to the direction that a token mirrors at",
	 .by_layer = EACH_LAYER, .when = "!low_rank", .demo = {FILL_DIAGONAL, 1},
	 .paper = LINEAR_INIT("d")},
	{"w_down", "d, rank", "from the input to the narrow middle of that map",
	 .by_layer = EACH_LAYER, .when = "low_rank", .demo = {FILL_DIAGONAL, 1},
	 .paper = LINEAR_INIT("d")},
	{"w_up", "rank, h d_h", "from the middle to the direction", .by_layer = EACH_LAYER,
	 .when = "low_rank", .demo = {FILL_DIAGONAL, 1}, .paper = LINEAR_INIT("rank")},
	{"conv", "3, h d_h",
	 "the short convolution of the directions: row of a tap, the earliest token first",
	 .by_layer = EACH_LAYER, .when = "conv", .demo = {.make = make_taps, .taps = TAPS},
	 .paper = LINEAR_INIT("3")},
	{"w_beta", "d, h", "from the input to the strength β of each head", .by_layer = EACH_LAYER,
	 .demo = {FILL_BALANCED, .formula = "sqrt(1 / d)"}, .paper = LINEAR_INIT("d")},
	{"b_beta", "1, h", "added in the strength", .spare = true, .by_layer = EACH_LAYER,
	 .demo = {.entry = make_strengths}, .paper = LINEAR_INIT("d")},
	{"w_f", "d, h", "from the input to the forget gate of each head"},
	{"b_f", "1, h", "added in the forget gate"},
	{0},
};

const struct scheme scheme_path[] = {
	{
		.id = "path",
		.aliases = "path-attention householder",
		.title = "PaTH attention",
		.formula = "A_ts = q_tᵀ H_t ⋯ H_{s+1} k_s / √d_h,  H_r = I − β_r w_r w_rᵀ",
		.authors = "Yang et al.",
		.cite = "@yang2025path",
		.recipe = "term.path[t,s] = c q[t] · (k' - k[s]), k' = k[s] with 2 "
			  "sigmoid(input[r] @ w_beta + b_beta)[H] times its part along w[r] "
			  "taken away for one r after the other, s < r <= t in the order of "
			  "the column, 0 where t is before s; w = columns of H of "
			  "layer.L.member.path.w, which is input @ w_w (with low_rank=on @ "
			  "w_down @ w_up, with conv=on convolved by conv); with forget=on "
			  "term.forgetting[t,s] = c times " FORGET_SUM "; all of param.path.NAME.L",
		.about = "What lies between query and key is a product of matrices, one for each "
			 "token: it takes from the key, or mirrors, its part along a direction of "
			 "the token's own. Rope is the product of equal rotations instead.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = path_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED | SCHEME_CAUSAL |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "products as in the reference of fla-org/flash-linear-attention "
				 "bc3b101; w from one matrix here, its layer (27289fc) has "
				 "low_rank=on,conv=on; the forget gate as there, to 3.3e-15; "
				 "convolution: not compared in numbers",
		.demo_note =
			"w_w is the identity (w_down, w_up fold onto rank columns; taps ¼, ½, "
			"1): w is the token vector; b_beta from −1.5 (first head) to 4.5, w_beta "
			"normal of variance 1/d less the mean of its column; forget gates as "
			"in fox",
		.numbers_when = "0",
		.params = path_params,
		.param_size = sizeof(struct path),
		.hooks = {.declare = path_declare,
			  .prepare = path_prepare,
			  .mask = mask_later,
			  .logits = path_logits,
			  .matrices = 8},
	},
	{0},
};
