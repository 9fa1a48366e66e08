/* diet_4.c: patterns of P_Q·P_Kᵀ: relative ones, but for the row and the column of [CLS]. */
#include <math.h>

#include "diet_tables.h"
#include "fig.h"

enum { UNITS = 64, RANK = 64, HEADS = 6, ACROSS = 3 };
static const double limit = 4;

static const struct {
	const char *name, *title;
	struct diet_pattern is;
} heads[HEADS] = {
	{"next", "To the next", {1, 2.5, 4, 2, -2}},
	{"previous", "To the previous", {-1, 2.5, 4, 3, 3}},
	{"back", "To eight before", {-8, 3, 4, 4, 0}},
	{"near", "To what is near", {0, 5, 4, -3, 1}},
	{"wide", "To a wide range", {0, 16, 3, 4, -3}},
	{"elsewhere", "Away from itself", {0, 8, -4, 3, 4}},
};

/* How far cells of one diagonal differ, apart from [CLS]. */
static double uneven(struct mat m)
{
	double worst = 0;
	for (size_t t = 2; t < m.rows; t++)
		for (size_t s = 2; s < m.cols; s++)
			worst = fmax(worst, fabs(mat_row(m, t)[s] - mat_row(m, t - 1)[s - 1]));
	return worst;
}

static double largest_at(const double *row, size_t n)
{
	size_t most = 1;
	for (size_t s = 2; s < n; s++)
		most = row[s] > row[most] ? s : most;
	return (double)most;
}

static void say(struct fig *f, size_t i, struct mat m)
{
	const size_t t = UNITS / 2;
	fig_number(f, arena_printf(f->a, "%s.uneven", heads[i].name), uneven(m),
		   "the most that cells of one diagonal differ, apart from [CLS]");
	fig_number(f, arena_printf(f->a, "%s.shift", heads[i].name),
		   largest_at(mat_row(m, t), UNITS) - (double)t,
		   "where query 32 looks most, s − t");
	fig_number(f, arena_printf(f->a, "%s.to_cls", heads[i].name), mat_row(m, t)[0],
		   "what query 32 has for [CLS]");
	fig_number(f, arena_printf(f->a, "%s.from_cls", heads[i].name), mat_row(m, 0)[t],
		   "what [CLS] has for key 32");
}

/* "k 1, w 2.5, g 4; a 2, b −2" */
static const char *parameters(struct fig *f, const struct diet_pattern *of)
{
	const struct {
		const char *text;
		double value;
	} all[] = {{"k ", of->shift},
		   {", w ", of->width},
		   {", g ", of->gain},
		   {"; a ", of->to_cls},
		   {", b ", of->from_cls}};
	const char *out = "";
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		out = arena_printf(f->a, "%s%s%s%g", out, all[i].text, all[i].value < 0 ? "−" : "",
				   fabs(all[i].value));
	return out;
}

void draw_diet_4(struct fig *f)
{
	const char **const labels = arena_calloc(f->a, UNITS + 1, sizeof *labels);
	const char *const *const numbers = fig_count_from(f, 0, UNITS);
	for (size_t i = 0; i < UNITS; i++)
		labels[i] = i == 0 ? "[CLS]" : numbers[i];
	for (size_t i = 0; i < HEADS; i++) {
		const struct mat m = diet_scores(&heads[i].is, UNITS, RANK, f->a);
		struct panel *const p =
			fig_panel(f, "head", heads[i].title, (unsigned char)(i / ACROSS),
				  (unsigned char)(i % ACROSS), 1, (unsigned char)i);
		fig_map(f, p, NULL, m,
			&(struct paint){.is_signed = true, .shared = true, .limit = limit});
		p->subtitle = parameters(f, &heads[i].is);
		p->heatmap.row_labels = p->heatmap.col_labels = labels;
		p->heatmap.row_title = "query t";
		p->heatmap.col_title = "key s";
		say(f, i, m);
	}
}
