/* swin.c: the relative position bias of Swin Transformer, in windows (Liu et al. 2021).
 *
 *   A_ts = q_t·k_s / √d_h + T[(Δy + H - 1)(2W - 1) + Δx + W - 1][head],  Δ = query - key
 *
 * Only patches of the same window of H rows and W columns attend to each other. With a shift the
 * windows lie on the picture after it was rolled up and to the left by as many patches; a window
 * then joins opposite borders, and pairs from different sides get -100. Windows at the border of a
 * picture that they do not fill are smaller. A token that is no patch is in every window, without
 * a bias. */
#include "posviz/scheme/scheme.h"
#include "scheme/grid.h"
#include "scheme/inject.h"

#include <math.h>

enum { SIDE = 4, GRID = 4 };
static const double other_region = -100;

struct swin {
	long rows, columns, shift, grid;
	bool masked, bias;
};

/* The cell of every token in the rolled picture. */
struct cells {
	size_t n;
	long high, wide;	       /* of a window */
	size_t *picture;	       /* 0: no patch */
	long *row, *col;	       /* [n] in the rolled picture */
	long *window_row, *window_col; /* [n] the window */
	long *region;		       /* [n] where its part of the window comes from */
};

static bool swin_check(const void *param, struct err *err)
{
	const struct swin *p = param;
	const long side = p->rows < p->columns ? p->rows : p->columns;
	return p->shift < side ||
	       err_set(err, "shift: %ld; a window of %ld by %ld is shifted by less than %ld",
		       p->shift, p->rows, p->columns, side);
}

static long up_to(double size, long by)
{
	const long n = (long)size;
	return (n + by - 1) / by * by;
}

/* Returns 0 before the last window, 1 in its first part, 2 in what was rolled over. */
static long side_of(long at, long size, long window, long shift)
{
	return at < size - window ? 0 : at < size - shift ? 1 : 2;
}

static bool read_cells(struct run *run, const struct member *m, struct cells *out, struct err *err)
{
	const struct swin *p = m->param;
	struct grid g;
	long *at[5];
	if (!grid_read(run, m, p->grid, p->grid != GRID, &g, err))
		return false;
	for (size_t i = 0; i < 5; i++)
		at[i] = arena_calloc(run->arena, g.n + 1, sizeof *at[i]);
	*out = (struct cells){g.n,   p->rows, p->columns, g.picture, at[0],
			      at[1], at[2],   at[3],	  at[4]};
	for (size_t t = 0; t < g.n; t++) {
		if (!g.picture[t])
			continue;
		/* A shift of all positions moves the windows along. */
		const long rows = up_to(g.rows[t], p->rows), cols = up_to(g.cols[t], p->columns);
		const long y = (long)floor(g.row[t] - g.top[t] + 0.5) - p->shift;
		const long x = (long)floor(g.col[t] - g.left[t] + 0.5) - p->shift;
		at[0][t] = y < 0 ? y + rows : y;
		at[1][t] = x < 0 ? x + cols : x;
		at[2][t] = at[0][t] / p->rows;
		at[3][t] = at[1][t] / p->columns;
		at[4][t] = p->shift ? 3 * side_of(at[0][t], rows, p->rows, p->shift) +
					      side_of(at[1][t], cols, p->columns, p->shift)
				    : 0;
	}
	return true;
}

static bool in_window(const struct cells *c, size_t t, size_t s)
{
	return c->picture[t] == c->picture[s] && c->window_row[t] == c->window_row[s] &&
	       c->window_col[t] == c->window_col[s];
}

/* Returns the row of the table; -1: the pair is in no window. */
static long pair_row(const void *context, size_t t, size_t s)
{
	const struct cells *const c = context;
	if (!c->picture[t] || !c->picture[s] || !in_window(c, t, s))
		return -1;
	return (c->row[t] - c->row[s] + c->high - 1) * (2 * c->wide - 1) + c->col[t] - c->col[s] +
	       c->wide - 1;
}

static const struct index *swin_index(struct run *run, const struct member *m,
				      const struct encoding *e, struct err *err)
{
	struct cells cells;
	return read_cells(run, m, &cells, err)
		       ? run_index_places(run, m, e->title, encoding_rows(e), pair_row, &cells, err)
		       : NULL;
}

/* Each head prefers one of the offsets: left, right, up, down, then twice as far. */
static double make_bias(const struct leaf_maker *of, size_t row, size_t col)
{
	static const int ways[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
	const struct swin *p = of->m->param;
	const long wide = 2 * p->columns - 1, far = 1 + (long)(col / 4);
	const long dy = (long)row / wide - (p->rows - 1), dx = (long)row % wide - (p->columns - 1);
	const long y = ways[col % 4][0] * far, x = ways[col % 4][1] * far;
	return 2 - hypot((double)(dy - y), (double)(dx - x));
}

static size_t injects(const struct model *model, const struct member *m, struct inject *out)
{
	(void)model;
	const struct swin *p = m->param;
	*out = (struct inject){.at = INJECT_ADD,
			       .by = {.title = "window",
				      .most = (2 * p->rows - 1) * (2 * p->columns - 1) - 1,
				      .index = swin_index},
			       .leaf = "bias_table",
			       .label = "bias",
			       .demo = {.entry = make_bias},
			       .paper = {.fill = FILL_NORMAL, .value = 0.02}};
	return p->bias;
}

/* Without a bias, and without pairs from opposite borders, there are only windows. */
static bool swin_only_mask(const struct member *m)
{
	const struct swin *p = m->param;
	return !p->bias && (p->shift == 0 || !p->masked);
}

static bool swin_mask(struct head *head, const struct member *m, struct err *err)
{
	const struct run *const run = head->run;
	struct cells c;
	if (!read_cells(head->run, m, &c, err))
		return false;
	uint8_t *const allowed = head_mask(head);
	for (size_t t = 0; t < run->n; t++)
		for (size_t s = 0; s < run->n; s++)
			if (c.picture[t] && c.picture[s] && !in_window(&c, t, s))
				allowed[t * run->n + s] = 0;
	return true;
}

struct swin_state {
	struct injected injected;
	struct node *regions; /* [n,n] 0 or -100; NULL: no window has two */
};

static bool swin_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct swin *p = m->param;
	struct swin_state *const state = run_state(run, m, sizeof *state);
	struct cells c;
	if (!inject_fill(run, m, &state->injected, err) || !read_cells(run, m, &c, err))
		return false;
	if (p->shift == 0 || !p->masked)
		return true;
	const struct mat at = mat_zero(run->arena, run->n, run->n);
	for (size_t t = 0; t < run->n; t++)
		for (size_t s = 0; s < run->n; s++)
			if (c.picture[t] && c.picture[s] && in_window(&c, t, s) &&
			    c.region[t] != c.region[s])
				mat_row(at, t)[s] = other_region;
	state->regions = tape_const(run->tape, at);
	run_keep(run, m, "regions", at);
	return true;
}

static bool swin_logits(struct head *head, const struct member *m, struct err *err)
{
	const struct swin_state *const state = head_state(head, m);
	if (!inject_logits(head, m, err))
		return false;
	if (state->regions)
		head_add_term(head, "region", TERM_OTHER, head_rows(head, state->regions));
	return true;
}

static const struct param swin_params[] = {
	NUMBER_PARAM(struct swin, rows, SIDE, 1, 256, 1, "H: rows of a window; Swin has 7 by 7"),
	NUMBER_PARAM(struct swin, columns, SIDE, 1, 256, 1, "W: columns of a window"),
	NUMBER_PARAM(struct swin, shift, 0, 0, 255, 1,
		     "patches by which the windows lie farther down and right: half a window, in a "
		     "second member with layers=even; 0: none"),
	SWITCH_PARAM(struct swin, masked, true,
		     "-100 for pairs of a shifted window that come from opposite borders"),
	SWITCH_PARAM(
		struct swin, bias, true,
		"a number for each offset; off: windows alone, as log_cpb(grid=on) takes them in "
		"version 2"),
	GRID_WIDTH_PARAM(struct swin, GRID),
	{0},
};

static const struct claim swin_claims[] = {
	{CLAIM_RELATIVE, ANSWER_UNSAID,
	 "the bias depends on differences of rows and columns, but windows have their positions"},
	{CLAIM_LEARNABLE, ANSWER_NO, "windows alone learn nothing", "bias == 0"},
	{CLAIM_UNBOUNDED, ANSWER_UNSAID,
	 "how far a window reaches depends on its size and on that of the picture",
	 "rows > 16 || columns > 16 || shift > 0 || bias == 0"},
	{0},
};

static const struct leaf_row swin_leaves[] = {
	{"bias_table", "(2 rows - 1) (2 columns - 1), h",
	 "row (Δy + rows - 1)(2 columns - 1) + Δx + columns - 1 of query minus key, a column for each "
	 "head"},
	{0},
};

const struct scheme scheme_swin[] = {
	{
		.id = "swin",
		.aliases = "swin-v1 shifted-window",
		.title = "Relative bias in windows",
		.formula =
			"A_ts = q_t·k_s / √d_h + T_{y_t−y_s, x_t−x_s} within a window of H rows and "
			"W columns, else −∞",
		.authors = "Liu et al.",
		.cite = "@liu2021swin",
		.recipe =
			"term.bias = param.swin.bias_table.L[index.window, H], 0 where that is -1; "
			"term.region = member.swin.regions, where windows are shifted",
		.about =
			"A patch sees the patches of its window alone, and each head has a learned "
			"number for every offset of rows and columns in it. A second member, "
			"swin(shift=2,layers=even), whose first has layers=odd, shifts the windows in "
			"every second layer, so what a border parted comes together.",
		.year = 2021,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = swin_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"microsoft/Swin-Transformer f82860b, swin_transformer.py; pictures "
			"that windows do not fill, tokens that are no patches and texts that "
			"fill rows of 4 are ours; version 2 is log_cpb",
		.demo_note =
			"head i has its greatest number at the patch to the left, right, above, "
			"below, then twice as far; it falls by 1 for each patch away from it",
		.claims = swin_claims,
		.cells_when = "1",
		.params = swin_params,
		.param_size = sizeof(struct swin),
		.check = swin_check,
		.hooks = {.injects = injects,
			  .declare = inject_declare,
			  .prepare = swin_prepare,
			  .mask = swin_mask,
			  .logits = swin_logits,
			  .relation = grid_relation,
			  .only_mask = swin_only_mask},
	},
	{0},
};
