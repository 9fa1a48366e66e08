/* diet_8.c: ranks of what is positional in the logits: of positions at the input, through W_Q and W_K, and of
 * P_Q·P_Kᵀ at several widths.
 *
 * A·Bᵀ has the singular values of R_A·R_Bᵀ, the triangles of both: d_p of them rather than n. */
#include <math.h>

#include "diet_tables.h"
#include "fig.h"
#include "posviz/analysis/rank.h"
#include "posviz/base/rng.h"

enum { UNITS = 512, WIDTH = 768, HEAD = 64, MATRICES = 4 };

static const struct {
	const char *name, *label;
	size_t dp; /* 0: positions at the input */
} matrices[MATRICES] = {{"input", "BERT", 0},
			{"diet_64", "d_p 64", 64},
			{"diet_128", "d_p 128", 128},
			{"diet_256", "d_p 256", 256}};

static struct mat drawn(struct fig *f, size_t rows, size_t cols, double sd, const char *name)
{
	struct rng rng;
	const struct mat out = mat_new(f->a, rows, cols);
	rng_init_name(&rng, 1, name);
	mat_fill_normal(out, sd, &rng);
	return out;
}

/* P·W, W ~ N(0, 1/d). */
static struct mat projected(struct fig *f, struct mat p, const char *name)
{
	const struct mat out = mat_new(f->a, p.rows, HEAD);
	mat_mul(out, 1, p, false, drawn(f, WIDTH, HEAD, 1 / sqrt(WIDTH), name), false, 0);
	return out;
}

static struct rank rank_of_product(struct fig *f, struct mat a, struct mat b)
{
	const struct mat r_a = mat_new(f->a, a.cols, a.cols), r_b = mat_new(f->a, b.cols, b.cols),
			 product = mat_new(f->a, a.cols, b.cols);
	struct rank out;
	struct err err = {""};
	if (!mat_triangle(a, r_a, f->a, &err) || !mat_triangle(b, r_b, f->a, &err))
		BUG("%s", err.text);
	mat_mul(product, 1, r_a, false, r_b, true, 0);
	rank_of(product, 0, 0, f->a, &out);
	BUG_IF(!out.values);
	return out;
}

static struct rank rank_of_matrix(struct fig *f, struct mat p, size_t i)
{
	const size_t dp = matrices[i].dp;
	return dp == 0 ? rank_of_product(f, projected(f, p, "W_Q"), projected(f, p, "W_K"))
		       : rank_of_product(f, drawn(f, UNITS, dp, 0.5, "P_Q"),
					 drawn(f, UNITS, dp, 0.5, "P_K"));
}

/* Each against its largest, so that the scales of made tables do not matter. */
static const double *spectrum(struct fig *f, const struct rank *r)
{
	double *const out = arena_alloc(f->a, r->n * sizeof *out);
	for (size_t k = 0; k < r->n; k++)
		out[k] = r->values[k] > r->tolerance ? r->values[k] / r->values[0] : NAN;
	return out;
}

void draw_diet_8(struct fig *f)
{
	const struct fig_run *const r = diet_bert(f, UNITS);
	if (!r)
		return;
	const char **const labels = arena_calloc(f->a, MATRICES, sizeof *labels);
	double *const ranks = arena_calloc(f->a, MATRICES, sizeof *ranks);
	struct panel *const p = fig_panel(f, "spectrum", "Singular values", 0, 0, 2, 0);
	struct panel *const bars = fig_panel(f, "ranks", "Rank of 512 × 512", 0, 2, 1, 1);
	fig_curves(f, p, "singular value", "of the largest");
	p->curves.spread = CURVES_LOG;
	p->curves.integer_x = true;
	for (size_t i = 0; i < MATRICES && fig_goes_on(f); i++) {
		const struct rank is = rank_of_matrix(f, r->trace.position_vectors, i);
		labels[i] = matrices[i].label;
		ranks[i] = (double)is.numerical;
		fig_curve(f, p, matrices[i].label, is.n, fig_steps(f, 1, 1, is.n),
			  spectrum(f, &is));
		fig_number(f, arena_printf(f->a, "rank.%s", matrices[i].name), ranks[i],
			   "of a matrix of 512 × 512");
	}
	bars->kind = PANEL_BARS;
	bars->bars =
		(struct bars){.n = MATRICES, .labels = labels, .values = ranks, .unit = "rank"};
}
