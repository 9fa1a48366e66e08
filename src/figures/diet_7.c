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

void draw_diet_7(struct fig *f)
{
	for (size_t i = 0; i < HEADS; i++)
		add_head(f, i);
}
