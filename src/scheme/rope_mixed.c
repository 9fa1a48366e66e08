/* rope_mixed.c: mixed rotary embedding of a grid (Heo et al. 2024, RoPE-ViT).
 *
 *   A_ts = c (R_t q_t)·(R_s k_s),  R_t rotates pair i of head H by x_t f_x[H,i] + y_t f_y[H,i]
 *
 * The rates of columns x and rows y are learned for each pair, so a pair may rotate along any
 * direction of the picture. A token that is no patch does not rotate. */
#include "posviz/scheme/scheme.h"
#include "scheme/grid.h"
#include "scheme/leaves.h"
#include "scheme/rope.h"
#include "scheme/rotation.h"

#include <math.h>

enum { GRID = 4 };

struct mixed {
	int layout; /* enum rope_layout */
	double base;
	long grid;
};

struct mixed_state {
	struct node *cos, *sin; /* [n, h·d_h/2] */
	struct node *swap;	/* [d_h, d_h]: (a, b) to (-b, a) for each pair */
	struct node *spread;	/* [d_h/2, d_h]: the number of a pair for both of its columns */
};

static bool mixed_declare(struct model *model, const struct member *m, struct err *err)
{
	return rotation_has_pairs(model, m, err) && leaves_declare(model, m, err);
}

/* Fills the rates as they are before training: pair i of the first half of head H has the length
 * B^(-4i/d_h) and the direction of the head's angle, that of the second half the direction across.
 * The angle is random; for demonstration the heads divide half a circle. */
static void fill_rates(struct mat at, const struct leaf_maker *of, bool drawn)
{
	const struct mixed *p = of->m->param;
	const size_t heads = at.rows / 2, pairs = at.cols, half = pairs / 2;
	for (size_t h = 0; h < heads; h++) {
		const double angle = drawn ? 2 * M_PI * rng_uniform(of->rng)
					   : M_PI / 2 * (double)h / (double)heads;
		for (size_t i = 0; i < pairs; i++) {
			const double rate = rotation_rate(p->base, i < half ? i : i - half, pairs);
			const double x = i < half ? cos(angle) : -sin(angle);
			const double y = i < half ? sin(angle) : cos(angle);
			mat_row(at, h)[i] = rate * x;
			mat_row(at, heads + h)[i] = rate * y;
		}
	}
}

static void demo_rates(struct mat at, const struct leaf_maker *of)
{
	fill_rates(at, of, false);
}

static void paper_rates(struct mat at, const struct leaf_maker *of)
{
	fill_rates(at, of, true);
}

/* Makes the two constant matrices that turn pairs by learned angles: q cos + (q swap) sin. */
static void make_pairs(struct run *run, struct mixed_state *state, bool halves)
{
	const size_t dk = run->model->dk, pairs = dk / 2;
	const struct mat swap = mat_zero(run->arena, dk, dk);
	const struct mat spread = mat_zero(run->arena, pairs, dk);
	for (size_t i = 0; i < pairs; i++) {
		const size_t a = halves ? i : 2 * i, b = halves ? i + pairs : 2 * i + 1;
		mat_row(swap, b)[a] = -1;
		mat_row(swap, a)[b] = 1;
		mat_row(spread, i)[a] = mat_row(spread, i)[b] = 1;
	}
	state->swap = tape_const(run->tape, swap);
	state->spread = tape_const(run->tape, spread);
}

/* Keeps how far each pair rotates for a patch more along its own direction. */
static void keep_rates(struct run *run, const struct member *m, struct mat rates)
{
	const size_t heads = rates.rows / 2, n = heads * rates.cols;
	const struct mat rate = mat_new(run->arena, 1, n), axis = mat_new(run->arena, 1, n);
	for (size_t i = 0; i < n; i++)
		rate.at[i] = hypot(rates.at[i], rates.at[n + i]);
	mat_fill(axis, PLACE_AXES);
	step_keep(run, m, "rate", rate);
	step_keep(run, m, "axis", axis);
}

static bool mixed_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct mixed *p = m->param;
	struct mixed_state *const state = run_state(run, m, sizeof *state);
	struct tape *const t = run->tape;
	struct grid g;
	if (!grid_read(run, m, p->grid, p->grid != GRID, &g, err))
		return false;
	const struct mat at = mat_zero(run->arena, run->n, 2);
	for (size_t i = 0; i < run->n; i++)
		if (g.picture[i]) {
			mat_row(at, i)[0] = g.col[i];
			mat_row(at, i)[1] = g.row[i];
		}
	struct node *const rates = run_leaf(run, m, "freqs");
	struct node *const angle =
		tape_matmul(t, tape_const(t, at), false,
			    tape_reshape(t, rates, 2, rates->v.rows * rates->v.cols / 2), false, 1);
	keep_rates(run, m, rates->v);
	make_pairs(run, state, p->layout == ROPE_HALF);
	state->cos = tape_cos(t, angle);
	state->sin = tape_sin(t, angle);
	step_keep(run, m, "cos", state->cos->v);
	step_keep(run, m, "sin", state->sin->v);
	return true;
}

static struct node *turned(struct head *head, const struct mixed_state *state, struct node *x)
{
	struct tape *const t = head->tape;
	const size_t pairs = state->spread->v.rows;
	struct node *const c =
		tape_matmul(t, head_slice(head, state->cos, pairs), false, state->spread, false, 1);
	struct node *const s =
		tape_matmul(t, head_slice(head, state->sin, pairs), false, state->spread, false, 1);
	return tape_add(t, tape_mul(t, x, c),
			tape_mul(t, tape_matmul(t, x, false, state->swap, false, 1), s));
}

static bool mixed_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct mixed_state *const state = head_state(head, m);
	if (!head_needs_width(head, m, err))
		return false;
	head->q = turned(head, state, head->q);
	head->k = turned(head, state, head->k);
	return true;
}

static const struct param mixed_params[] = {
	CHOICE_PARAM(struct mixed, layout, ROPE_INTERLEAVED, rope_layout_names,
		     "which columns are a pair: neighbours, as in the code, or halves"),
	RATIO_PARAM(struct mixed, base, 10, 1, 1e300, 10,
		    "B of the rates before training, B^(-4i/d_h)"),
	GRID_WIDTH_PARAM(struct mixed, GRID),
	{0},
};

static const struct claim mixed_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID, GRID_CLAIM, "grid > 10"},
	{CLAIM_RELATIVE, ANSWER_NO, GRID_CLAIM, "grid > 1"},
	{0},
};

static const struct leaf_row mixed_leaves[] = {
	{"freqs", "2 h, d_h / 2",
	 "rates of the pairs of each head along columns, then along rows of the picture",
	 .by_layer = EACH_LAYER, .demo = {.make = demo_rates}, .paper = {.make = paper_rates}},
	{0},
};

const struct scheme scheme_rope_mixed[] = {
	{
		.id = "rope_mixed",
		.aliases = "rope-mixed rope2d-mixed",
		.title = "Mixed rotary embedding of a grid",
		.formula = "A_ts = (R_t q_t)·(R_s k_s) / √d_h, R_t rotates pair i by x·f^x_i + "
			   "y·f^y_i, column x, row y",
		.authors = "Heo et al.",
		.cite = "@heo2024rotary",
		.recipe = "q and k are q_raw and k_raw with pairs of columns rotated: (a, b) to (a "
			  "cos - b sin, b cos + a sin), pair i = columns 2i and 2i + 1, or, with "
			  "layout=half, i and i + dk/2; cos and sin = those of "
			  "layer.L.member.rope_mixed, [:, H dk/2 + i], of the angle column * "
			  "param.rope_mixed.freqs.L[H, i] + row * freqs.L[h + H, i], 0 for tokens "
			  "outside pictures",
		.about =
			"Each pair of columns rotates along a direction of the picture that the "
			"head has learned, so logits depend on the differences of rows and columns, "
			"diagonals included.",
		.year = 2024,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = mixed_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"naver-ai/rope-vit ce85c2e, vit_rope.py (theta 10); texts that fill "
			"rows of 4 are ours",
		.demo_note = "directions of the heads divide a right angle; a head's first half of "
			     "pairs rotates along its direction, the second across it",
		.claims = mixed_claims,
		.rotates_when = "1",
		.cells_when = "1",
		.params = mixed_params,
		.param_size = sizeof(struct mixed),
		.hooks = {.declare = mixed_declare,
			  .prepare = mixed_prepare,
			  .qk = mixed_qk,
			  .relation = grid_relation,
			  .modulates = true},
	},
	{0},
};
