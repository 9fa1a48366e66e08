/* diet_7.c: rows of P_Q·P_Kᵀ: the same pattern, shifted with the query. */
#include <math.h>

#include "diet_tables.h"
#include "fig.h"

enum { UNITS = 128, RANK = 128, ROWS = 4 };
static const size_t sampled[ROWS] = {16, 48, 80, 112};

static const struct {
	const char *name, *title;
	struct diet_pattern is;
} heads[] = {
	{"forward", "To the next tokens", {1, 3, 4, 0, 0}},
	{"previous", "To previous tokens", {-8, 6, 4, 0, 0}},
};
enum { HEADS = sizeof heads / sizeof *heads };

static size_t largest_at(const double *row)
{
	size_t most = 1;
	for (size_t s = 2; s < UNITS; s++)
		most = row[s] > row[most] ? s : most;
	return most;
}

/* How far a row is from the one before, moved by one key; [CLS] apart. */
static double uneven(struct mat m)
{
	double worst = 0;
	for (size_t t = 2; t < UNITS; t++)
		for (size_t s = 2; s < UNITS; s++)
			worst = fmax(worst, fabs(mat_row(m, t)[s] - mat_row(m, t - 1)[s - 1]));
	return worst;
}

static void add_head(struct fig *f, size_t i)
{
	const struct mat m = diet_scores(&heads[i].is, UNITS, RANK, f->a);
	struct panel *const p =
		fig_panel(f, heads[i].name, heads[i].title, 0, (unsigned char)i, 1, 0);
	fig_curves(f, p, "key s", "score");
	p->curves.integer_x = true;
	for (size_t k = 0; k < ROWS; k++) {
		const size_t t = sampled[k];
		const double *const row = mat_row(m, t);
		/* [CLS], in column 0, is no part of the pattern. */
		fig_curve(f, p, arena_printf(f->a, "t %zu", t), UNITS - 1,
			  fig_steps(f, 1, 1, UNITS - 1), row + 1);
		fig_number(f, arena_printf(f->a, "%s.%zu", heads[i].name, t),
			   (double)largest_at(row) - (double)t,
			   "where this query looks most, s − t");
	}
	fig_number(f, arena_printf(f->a, "%s.uneven", heads[i].name), uneven(m),
		   "the most that two rows differ, each from its query on");
}

static void make(struct fig *f)
{
	for (size_t i = 0; i < HEADS; i++)
		add_head(f, i);
}

const struct source_figure source_figure_diet_7 = {
	.name = "diet-7",
	.title = "Shifting patterns of absolute positions",
	.source = "Chen et al. 2021, Figure 7",
	.shows =
		"Rows of P_Q·P_Kᵀ for four queries t. Each has the pattern of the others, shifted with t: a "
		"relative scheme would say it with one number for each distance.",
	.made = "The source shows trained heads. These are made: n 128, d_p 128, and a score is "
		"4·exp(−(s−t−k)²/2w²), to the next with k 1 and w 3, to previous ones with k −8 and w 6.",
	.width = 1600,
	.height = 700,
	.make = make,
	.expects = (const char *const[]){"forward.16 = 1", "forward.80 = 1", "previous.48 < 0",
					 "previous.48 = -8", "previous.112 = previous.48",
					 "forward.uneven = 0", "previous.uneven = 0", NULL}};
