/* sinusoid_2d.c: sinusoids of the column and the row of a patch (He et al. 2022, MAE; Chen, Xie and
 * He 2021, MoCo v3).
 *
 *   P_t = [sin x ω | cos x ω | sin y ω | cos y ω],  d/4 columns each
 *
 * The code of MAE calls the column h; it comes first. A token that is no patch gets zeros. */
#include "scheme/grid.h"
#include "scheme/sinusoid.h"

enum { GRID = 4 };

struct sinusoid_2d {
	int freq; /* enum sinusoid_freq */
	int first;
	double base;
	long grid;
};

enum first { FIRST_COLUMNS, FIRST_ROWS };
static const char *const first_names[] = {"columns", "rows", NULL};

static bool sinusoid_2d_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct sinusoid_2d *p = m->param;
	struct grid g;
	if (!grid_read(run, m, p->grid, p->grid != GRID, &g, err))
		return false;
	const size_t d = run->model->config.d, half = d / 2;
	const struct mat out = mat_new(run->arena, run->n, d);
	const bool columns = p->first == FIRST_COLUMNS;
	sinusoid_fill(mat_cols(out, 0, half), columns ? g.col : g.row, SINUSOID_CONCAT,
		      (enum sinusoid_freq)p->freq, p->base);
	sinusoid_fill(mat_cols(out, half, d - half), columns ? g.row : g.col, SINUSOID_CONCAT,
		      (enum sinusoid_freq)p->freq, p->base);
	for (size_t t = 0; t < run->n; t++)
		if (!g.picture[t])
			mat_fill(mat_rows(out, t, 1), 0);
	run_add_part(run, "position", tape_const(run->tape, out));
	return true;
}

static const struct param sinusoid_2d_params[] = {
	CHOICE_PARAM(
		struct sinusoid_2d, freq, SINUSOID_PAPER, sinusoid_freq_names,
		"frequencies: B^(-4i/d), as MAE, or B^(-i/(d/4-1)), as MoCo v3 and big_vision"),
	CHOICE_PARAM(struct sinusoid_2d, first, FIRST_COLUMNS, first_names,
		     "what the first half of the vector tells"),
	RATIO_PARAM(struct sinusoid_2d, base, 10000, 1, 1e300, 10,
		    "B: the slowest pair rotates about B times slower than the fastest"),
	GRID_WIDTH_PARAM(struct sinusoid_2d, GRID),
	{0},
};

const struct scheme scheme_sinusoid_2d[] = {
	{
		.id = "sinusoidal_2d",
		.aliases = "sinusoidal-2d sin2d sincos-2d",
		.title = "Sinusoids of rows and columns",
		.formula = "X_t = U_t + [sin x ω_i, cos x ω_i, sin y ω_i, cos y ω_i],  ω_i = "
			   "B^{−4i/d}, column x, row y",
		.authors = "He et al.",
		.cite = "@he2022masked; @chen2021empirical",
		.recipe = "part.position[t] = sines of the column times the frequencies, their "
			  "cosines, then those of the row, d/4 each (first=rows: the row first); "
			  "frequency i is base^(-4i/d), with freq=t2t base^(-i/(d/4-1)); 0 for "
			  "tokens outside pictures",
		.about =
			"Half of the vector tells the column of a patch in its picture, half the "
			"row, each by sinusoids of its own. The class token and words get nothing.",
		.year = 2022,
		.ref = REF_ABSOLUTE,
		.inj = INJ_EMBEDDING,
		.flags = SCHEME_UNBOUNDED | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"facebookresearch/mae efb2a80, pos_embed.py, and "
			"google-research/big_vision 0127fb6, vit.py (freq=t2t, the rule of "
			"MoCo v3); texts that fill rows of 4 are ours",
		.cells_when = "1",
		.params = sinusoid_2d_params,
		.param_size = sizeof(struct sinusoid_2d),
		.hooks = {.embed = sinusoid_2d_embed},
	},
	{0},
};
