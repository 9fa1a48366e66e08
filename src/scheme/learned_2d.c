/* learned_2d.c: learned vectors of the patches of a picture (Dosovitskiy et al. 2021, ViT), or of
 * their columns and rows (Carion et al. 2020, DETR).
 *
 *   one:  P_t = p[1 + W y + x], resized to the picture;  p[0] for tokens that are no patches
 *   two:  P_t = [x[column] | y[row]];  0 for tokens that are no patches
 *
 * A picture of another size than the table reads it between its rows: bicubic, a = -0.75, centres
 * of cells on centres, the border repeated, as models resize theirs before training goes on. */
#include "posviz/scheme/scheme.h"
#include "scheme/grid.h"
#include "scheme/learned.h"
#include "scheme/leaves.h"

#include <math.h>

enum { SIDE = 8, GRID = 4, TAPS = 4 };
enum tables { TABLES_ONE, TABLES_TWO };
static const char *const tables_names[] = {"one", "two", NULL};

struct learned_2d {
	int tables;
	long rows, columns, grid;
};

/* Returns the weight of a cell at a distance, Keys' cubic with a = -0.75. */
static double cubic(double by)
{
	static const double a = -0.75;
	const double x = fabs(by);
	if (x <= 1)
		return ((a + 2) * x - (a + 3)) * x * x + 1;
	return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* The cells of a table of `in` from which number `at` of `out` is made, with their weights. */
struct taps {
	size_t cell[TAPS];
	double weight[TAPS];
};

static struct taps taps_of(double at, double out, long in)
{
	struct taps taps;
	const double source = (at + 0.5) * (double)in / out - 0.5, first = floor(source) - 1;
	for (size_t i = 0; i < TAPS; i++) {
		const double cell = first + (double)i;
		taps.cell[i] = (size_t)fmin(fmax(cell, 0), (double)in - 1);
		taps.weight[i] = cubic(source - cell);
	}
	return taps;
}

/* Returns the matrix by which the table is multiplied: a row for each token. A picture of a text
 * whose last row is not full is as high as the table needs. */
static struct mat resizing(struct run *run, const struct learned_2d *p, const struct grid *g)
{
	const struct mat out = mat_zero(run->arena, run->n, 1 + (size_t)(p->rows * p->columns));
	for (size_t t = 0; t < run->n; t++) {
		double *const to = mat_row(out, t);
		if (!g->picture[t]) {
			to[0] = 1;
			continue;
		}
		const struct taps y = taps_of(g->row[t], g->rows[t], p->rows);
		const struct taps x = taps_of(g->col[t], g->cols[t], p->columns);
		for (size_t i = 0; i < TAPS; i++)
			for (size_t k = 0; k < TAPS; k++)
				to[1 + y.cell[i] * (size_t)p->columns + x.cell[k]] +=
					y.weight[i] * x.weight[k];
	}
	return out;
}

/* Gets the rows of the two tables; a picture that is larger is an error. */
static bool read_sides(const struct member *m, const struct grid *g, int32_t *x, int32_t *y,
		       struct err *err)
{
	const struct learned_2d *p = m->param;
	for (size_t t = 0; t < g->n; t++) {
		const double col = g->col[t], row = g->row[t];
		if (g->picture[t] && !(col >= 0 && col < (double)p->columns))
			return err_set(
				err,
				"%s has vectors for %ld columns, and this input needs number "
				"%.0f; columns=%.0f would be right",
				m->text, p->columns, col + 1, col + 1);
		if (g->picture[t] && !(row >= 0 && row < (double)p->rows))
			return err_set(err,
				       "%s has vectors for %ld rows, and this input needs number "
				       "%.0f; rows=%.0f would be right",
				       m->text, p->rows, row + 1, row + 1);
		x[t] = (int32_t)col;
		y[t] = (int32_t)row;
	}
	return true;
}

static bool add_two(struct run *run, const struct member *m, const struct grid *g, struct err *err)
{
	struct tape *const t = run->tape;
	int32_t *const x = arena_calloc(run->arena, run->n, sizeof *x);
	int32_t *const y = arena_calloc(run->arena, run->n, sizeof *y);
	if (!read_sides(m, g, x, y, err))
		return false;
	struct node *const halves[] = {tape_gather_rows(t, run_leaf(run, m, "x"), x, run->n),
				       tape_gather_rows(t, run_leaf(run, m, "y"), y, run->n)};
	const struct mat patch = mat_new(run->arena, run->n, 1);
	for (size_t i = 0; i < run->n; i++)
		patch.at[i] = g->picture[i] != 0;
	run_add_part(run, "position",
		     tape_mul(t, tape_concat_cols(t, halves, 2), tape_const(t, patch)));
	return true;
}

static bool learned_2d_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct learned_2d *p = m->param;
	struct grid g;
	if (!grid_read(run, m, p->grid, p->grid != GRID, &g, err))
		return false;
	if (p->tables == TABLES_TWO)
		return add_two(run, m, &g, err);
	struct node *const by = tape_const(run->tape, resizing(run, p, &g));
	run_add_part(run, "position",
		     tape_matmul(run->tape, by, false, run_leaf(run, m, "p"), false, 1));
	return true;
}

static const struct param learned_2d_params[] = {
	CHOICE_PARAM(struct learned_2d, tables, TABLES_ONE, tables_names,
		     "one: a vector for each cell, resized to the picture (ViT); two: one for each "
		     "column and one for each row, side by side (DETR)"),
	NUMBER_PARAM(struct learned_2d, rows, SIDE, 1, 1024, 1, "rows that there are vectors for"),
	NUMBER_PARAM(struct learned_2d, columns, SIDE, 1, 1024, 1,
		     "columns that there are vectors for"),
	GRID_WIDTH_PARAM(struct learned_2d, GRID),
	{0},
};

static const struct claim learned_2d_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_YES, "the table is resized to any picture", "tables == one"},
	{0},
};

static const struct leaf_row learned_2d_leaves[] = {
	{"p", "1 + rows columns, d",
	 "row 0: tokens that are no patches; then the cells, row by row", .by_layer = ALL_LAYERS,
	 .when = "tables == one", .demo = {.make = learned_signs}, .paper = {FILL_NORMAL, 0.02}},
	{"x", "columns, floor(d / 2)", "the first half of the vector: the column",
	 .by_layer = ALL_LAYERS, .when = "tables == two", .demo = {.make = learned_signs},
	 .paper = {FILL_UNIFORM, 0.5}},
	{"y", "rows, d - floor(d / 2)", "the second half: the row", .by_layer = ALL_LAYERS,
	 .when = "tables == two", .demo = {.make = learned_signs}, .paper = {FILL_UNIFORM, 0.5}},
	{0},
};

const struct scheme scheme_learned_2d[] = {
	{
		.id = "learned_2d",
		.aliases = "learned-2d learned2d vit-table",
		.title = "Learned vectors of a grid",
		.formula = "X_t = U_t + p_{y,x}, resized to the picture, or [p^x_x, p^y_y], column "
			   "x, row y",
		.authors = "Dosovitskiy et al.",
		.cite = "@dosovitskiy2021image; @carion2020detr",
		.recipe =
			"part.position[t] = sum of param.learned_2d.p over the 4 by 4 cells around "
			"(y + 1/2) rows/R - 1/2, (x + 1/2) columns/C - 1/2 of a picture of R rows "
			"and C columns, times the cubic weights with a = -0.75, cells beyond the "
			"border being those at it; p[0] outside pictures; with tables=two [x of "
			"the column, y of the row], 0 outside pictures",
		.about =
			"Every cell of a grid has a learned vector; a picture of another size reads "
			"the grid at points between its cells. Or columns and rows have tables of "
			"their own, so a cell needs no vector that was seen in training.",
		.year = 2021,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.leaves = learned_2d_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PORT,
		.evidence_note =
			"torch's bicubic interpolation as facebookresearch/mae and "
			"naver-ai/rope-vit call it; two tables by the formula alone; DINOv2's "
			"offset of 0.1 is left out; 8 by 8 is ours",
		.demo_note = "rows of ±1, mostly orthogonal: a row is like itself and unlike the "
			     "others",
		.claims = learned_2d_claims,
		.cells_when = "1",
		.params = learned_2d_params,
		.param_size = sizeof(struct learned_2d),
		.hooks = {.declare = leaves_declare, .embed = learned_2d_embed},
	},
	{0},
};
