/* cpe.c: conditional position encoding (Chu et al. 2023, CPVT), a convolution over the picture.
 *
 *   X_t <- X_t + b + Σ_{a,b<3} kernel[·,a,b] ∘ X at (y+a-1, x+b-1), zero beyond the border
 *
 * Each component has a kernel of its own. The same function everywhere, it knows positions only
 * through the zeros around the picture. A token that is no patch passes by. The models put it
 * behind the first block: cpe(layers=2). */
#include "posviz/scheme/scheme.h"
#include "scheme/grid.h"
#include "scheme/leaves.h"

#include <math.h>

enum { GRID = 4, SIDE = 3, TAPS = SIDE * SIDE };

struct cpe {
	long grid;
};

/* Returns for each token the one at an offset in its picture, and of its frame if `frame` has the
 * frames of the tokens; -1: there is none. Of several the nearest in the text counts. */
static void neighbours(const struct grid *g, const double *frame, double dy, double dx,
		       int32_t *out)
{
	for (size_t t = 0; t < g->n; t++) {
		size_t gap = g->n + 1;
		out[t] = -1;
		for (size_t s = 0; s < g->n && g->picture[t]; s++) {
			const size_t by = s > t ? s - t : t - s;
			if (g->picture[s] != g->picture[t] || by >= gap ||
			    (frame && fabs(frame[s] - frame[t]) > 0.5) ||
			    fabs(g->row[s] - g->row[t] - dy) > 0.5 ||
			    fabs(g->col[s] - g->col[t] - dx) > 0.5)
				continue;
			out[t] = (int32_t)s;
			gap = by;
		}
	}
}

static bool cpe_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct cpe *p = m->param;
	const size_t d = run->model->config.d, n = run->n;
	struct tape *const t = run->tape;
	struct grid g;
	if (!grid_read(run, m, p->grid, p->grid != GRID, &g, err))
		return false;
	struct node *const x = run_sum_parts(run, &run->x);
	const bool pictures = !g.of_text && run_find_column(run, "picture");
	const double *const frame = pictures ? run_find_column(run, "temporal") : NULL;
	/* A row of zeros behind the tokens is what lies beyond the border. */
	struct node *const all[] = {x, tape_const(t, mat_zero(run->arena, 1, d))};
	struct node *const padded = tape_concat_rows(t, all, 2);
	struct node *const kernel =
		tape_transpose(t, tape_reshape(t, run_leaf(run, m, "kernel"), d, TAPS));
	struct node *sum = NULL;
	for (size_t tap = 0; tap < TAPS; tap++) {
		int32_t *const at = arena_calloc(run->arena, n, sizeof *at);
		neighbours(&g, frame, (double)(tap / SIDE) - 1, (double)(tap % SIDE) - 1, at);
		for (size_t i = 0; i < n; i++)
			at[i] = at[i] < 0 ? (int32_t)n : at[i];
		struct node *const part = tape_mul(t, tape_gather_rows(t, padded, at, n),
						   tape_slice(t, kernel, tap, 1, 0, d));
		sum = sum ? tape_add(t, sum, part) : part;
	}
	const struct mat patch = mat_new(run->arena, n, 1);
	for (size_t i = 0; i < n; i++)
		patch.at[i] = g.picture[i] != 0;
	sum = tape_mul(t, tape_add(t, sum, run_leaf(run, m, "bias")), tape_const(t, patch));
	run_add_part(run, "position", sum);
	return true;
}

/* Neighbours above, below and beside count a third of the patch itself. */
static double make_kernel(const struct leaf_maker *of, size_t row, size_t col)
{
	(void)of;
	const size_t a = row % SIDE, off = (a != 1) + (size_t)(col != 1);
	return off == 0 ? 0.5 : off == 1 ? 1. / 6 : 0;
}

static const struct param cpe_params[] = {GRID_WIDTH_PARAM(struct cpe, GRID), {0}};

static const struct claim cpe_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID,
	 "the zeros around the picture tell how far the border is; inside nothing changes with the "
	 "position"},
	{0},
};

static const struct leaf_row cpe_leaves[] = {
	{"kernel", "3 d, 3", "a kernel of 3 rows and 3 columns for each component",
	 .by_layer = ALL_LAYERS, .demo = {.entry = make_kernel},
	 .paper = {FILL_UNIFORM, .formula = "1 / 3"}},
	{"bias", "1, d", "added to every patch", .by_layer = ALL_LAYERS, .demo = {FILL_CONSTANT},
	 .paper = {FILL_UNIFORM, .formula = "1 / 3"}},
	{0},
};

const struct scheme scheme_cpe[] = {
	{
		.id = "cpe",
		.aliases = "peg cpvt conditional-position",
		.title = "Conditional position encoding",
		.formula =
			"X_t = U_t + b + Σ_{|a|,|b| ≤ 1} K_{ab} ∘ U at (y+a, x+b),  0 beyond the "
			"border",
		.authors = "Chu et al.",
		.cite = "@chu2023conditional",
		.recipe =
			"part.position[t] of a patch = bias + the sum over a, b < 3 of kernel[3 c + "
			"a, b] times component c of the sum of the other parts at row y + a - 1 and "
			"column x + b - 1 of its picture, in a video of its frame (position.temporal), "
			"0 beyond it, of param.cpe.NAME; 0 outside pictures",
		.about =
			"A convolution over the picture is added to it. It is the same everywhere, "
			"and yet patches at the border differ: there it has met zeros. So it makes "
			"positions for a picture of any size.",
		.year = 2023,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = cpe_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "Meituan-AutoML/Twins c1ff671, gvt.py, PosCNN; behind the first "
				 "block, as in the models, it is cpe(layers=2)",
		.demo_note =
			"a half of the patch itself and a sixth of those above, below and beside",
		.claims = cpe_claims,
		.cells_when = "1",
		.params = cpe_params,
		.param_size = sizeof(struct cpe),
		.hooks = {.declare = leaves_declare, .embed = cpe_embed, .nonlinear = true},
	},
	{0},
};
