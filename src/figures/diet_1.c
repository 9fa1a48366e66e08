/* diet_1.c: what each way of encoding positions gains over adding them at the input, on three tasks. */
#include <math.h>

#include "fig.h"
#include "posviz/scheme/results.h"

/* The later row is meant of names that stand twice: DIET-REL with segments per head. */
static const struct {
	const char *ids[2], *label; /* the second one: Table 4 has other positions at the input */
} methods[] = {{{"bert", "sinusoidal"}, "at the input"},
	       {{"shaw"}, "Shaw et al."},
	       {{"t5"}, "Raffel et al."},
	       {{"tupe_r"}, "Ke et al."},
	       {{"diet_rel"}, "DIET-REL"},
	       {{"diet_abs"}, "DIET-ABS"}};

static const struct {
	const char *table, *name, *title, *unit;
	size_t column;
	int decimals;
} tasks[] = {
	{"diet-2", "mnli", "MNLI, matched", "points above the first", 0, 1},
	{"diet-3", "xnli", "XNLI", "points above the first", 0, 1},
	{"diet-4", "cs_en", "Czech to English", "BLEU above the first", 3, 2},
};
enum { METHODS = sizeof methods / sizeof *methods, TASKS = sizeof tasks / sizeof *tasks };

static double published(const struct results *r, size_t method, size_t column)
{
	for (size_t i = r->n; i-- > 0;)
		for (size_t k = 0; k < 2; k++)
			if (methods[method].ids[k] &&
			    results_name(&r->rows[i], methods[method].ids[k]))
				return r->rows[i].values[column];
	return NAN;
}

/* Those that the table has; the first is what the others are held against. */
static void add_bars(struct fig *f, size_t task, const double *scores)
{
	const char **const labels = arena_calloc(f->a, METHODS, sizeof *labels);
	const char **const notes = arena_calloc(f->a, METHODS, sizeof *notes);
	double *const gains = arena_calloc(f->a, METHODS, sizeof *gains);
	struct panel *const p =
		fig_panel(f, tasks[task].name, tasks[task].title, 0, (unsigned char)task, 1, 0);
	p->kind = PANEL_BARS;
	p->bars = (struct bars){
		.labels = labels, .values = gains, .notes = notes, .unit = tasks[task].unit};
	for (size_t i = 0; i < METHODS; i++) {
		if (isnan(scores[i]))
			continue;
		labels[p->bars.n] = methods[i].label;
		notes[p->bars.n] = arena_printf(f->a, "%.*f", tasks[task].decimals, scores[i]);
		gains[p->bars.n++] = scores[i] - scores[0];
		fig_number(f, arena_printf(f->a, "%s.%s", tasks[task].name, methods[i].ids[0]),
			   scores[i], "as printed");
	}
}

void draw_diet_1(struct fig *f)
{
	for (size_t k = 0; k < TASKS; k++) {
		const struct results *const r = results_of(tasks[k].table, f->a);
		double scores[METHODS];
		for (size_t i = 0; i < METHODS; i++)
			scores[i] = published(r, i, tasks[k].column);
		add_bars(f, k, scores);
	}
}
