/* diet_costs.c: what DIET says of time and of learned numbers, with ours beside it. */
#include <math.h>
#include <string.h>

#include "fig.h"
#include "posviz/analysis/cost.h"
#include "posviz/scheme/results.h"

/* Little, for a page is waited for: the view Cost and posviz cost take their time. */
static const struct cost_patience short_patience = {
	.width = 0.05, .seconds = 0.5, .least = COST_FEWEST, .most = 12};

/* Measures costs as posviz cost does, at BERT-base's sizes. Without `timed` passes are not run. */
static const struct cost *measure(struct fig *f, const char *const *expressions, size_t n,
				  bool timed)
{
	struct cost *const out = arena_calloc(f->a, 1, sizeof *out);
	struct scene *const plain = arena_calloc(f->a, 1, sizeof *plain);
	struct setup *const setup = arena_calloc(f->a, 1, sizeof *setup);
	struct err err = {""};
	scene_init(plain);
	*setup = cost_setup(&plain->setup, cost_own(&plain->setup));
	setup->memory = f->d->scene->setup.memory;
	const struct cost_request r = {.setup = setup,
				       .expressions = expressions,
				       .n = n,
				       .most = timed ? SIZE_MAX : 0,
				       .untimed = !timed,
				       .patience = short_patience,
				       .cache = f->d->cache,
				       .watch = f->d->watch};
	if (!cost_measure(&r, f->a, out, &err)) {
		f->why = arena_strdup(f->a, err.text);
		return NULL;
	}
	return out;
}

static const struct cost_row *row_of(const struct cost *c, const char *expression)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->rows[i].expression, expression) == 0)
			return &c->rows[i];
	BUG("%s has no cost", expression);
}

/* ---- Table 1 ------------------------------------------------------------------------------------ */

enum { TIMES = 6, TIMED = 4 };

static const struct timed {
	const char *model, *expression;
} timed[TIMED] = {{"Shaw et al. 2018", "shaw"},
		  {"Ke et al. 2020", "tupe_r"},
		  {"DIET-ABS", "diet_abs(rank=128)"},
		  {"DIET-REL", "diet_rel"}};

static const char *own_time(struct fig *f, const struct cost_row *row)
{
	if (!row->timed)
		return "not timed";
	const double percent = 100 * (row->time.ratio - 1);
	return arena_printf(f->a, "%s%.0f %%", percent < -0.5 ? "−" : "+", fabs(percent));
}

void draw_diet_table_1(struct fig *f)
{
	static const char *const head[TIMES] = {
		"model",	   "training, base",   "inference, base",
		"training, small", "inference, small", "here, inference, base"};
	const struct results *const r = results_of("diet-1", f->a);
	const char *expressions[TIMED];
	for (size_t i = 0; i < TIMED; i++)
		expressions[i] = timed[i].expression;
	const struct cost *const c = measure(f, expressions, TIMED, true);
	const char **const cells = arena_calloc(f->a, TIMED * TIMES, sizeof *cells);
	if (!c)
		return;
	for (size_t i = 0; i < TIMED; i++) {
		const struct cost_row *const row = row_of(c, timed[i].expression);
		cells[i * TIMES] = r->rows[i].model;
		for (size_t k = 0; k < r->cols; k++)
			cells[i * TIMES + k + 1] =
				arena_printf(f->a, "+%s %%", r->rows[i].cells[k]);
		cells[i * TIMES + TIMES - 1] = own_time(f, row);
		BUG_IF(strcmp(r->rows[i].model, timed[i].model) != 0);
		fig_number(f, arena_printf(f->a, "printed.%zu", i + 1), r->rows[i].values[1],
			   "percent that inference of BERT-base takes longer, as printed");
		fig_number(f, arena_printf(f->a, "more.%zu", i + 1), row->more,
			   "multiply-adds of one layer beyond those without positions");
	}
	fig_table(f, fig_panel(f, "table", "Time over BERT", 0, 0, 1, 0), head, TIMES, cells, TIMED,
		  1);
}

/* ---- Table 6 ------------------------------------------------------------------------------------ */

enum { SIZES = 6, SIZED = 6 };

/* Rows of Table 6 in its order, and what they are here. */
static const struct sized {
	const char *expression, *name;
} sized[SIZED] = {{"learned", "learned"},
		  {"shaw", "shaw"},
		  {"diet_rel", "rel"},
		  {"diet_rel(share=layer)", "rel.shared"},
		  {"diet_abs(rank=128,share=none)", "abs"},
		  {"diet_abs(rank=128)", "abs.shared"}};

static const char *millions(struct fig *f, double value)
{
	return arena_printf(f->a, "%.2f", value / 1e6);
}

void draw_diet_table_6(struct fig *f)
{
	static const char *const head[SIZES] = {"model", "10⁶ parameters",
						"added", "of positions, from that",
						"here",	 "of BERT-base"};
	const struct results *const r = results_of("diet-6", f->a);
	const char *expressions[SIZED];
	for (size_t i = 0; i < SIZED; i++)
		expressions[i] = sized[i].expression;
	const struct cost *const c = measure(f, expressions, SIZED, false);
	const char **const cells = arena_calloc(f->a, SIZED * SIZES, sizeof *cells);
	double worst = 0;
	if (!c)
		return;
	BUG_IF(r->n != SIZED);
	for (size_t i = 0; i < SIZED; i++) {
		const struct cost_row *const row = row_of(c, sized[i].expression);
		const char **const cell = cells + i * SIZES;
		const double made = (double)row->parameters;
		cell[0] = r->rows[i].model;
		cell[1] = r->rows[i].cells[0];
		cell[2] = *r->rows[i].cells[2] ? arena_printf(f->a, "+%s %%", r->rows[i].cells[2])
					       : "";
		cell[3] = arena_printf(f->a, "%.1f", row->printed_parameters / 1e6);
		cell[4] = millions(f, made);
		cell[5] = arena_printf(f->a, "%.2f %%", 100 * made / cost_bert);
		if (strcmp(sized[i].name, "shaw") != 0)
			worst = fmax(worst, fabs(made - row->printed_parameters));
		fig_number(f, arena_printf(f->a, "here.%s", sized[i].name), made,
			   "learned numbers of positions in BERT-base");
	}
	fig_number(f, "worst", worst, "the most that printed and made differ, but for shaw");
	fig_table(f, fig_panel(f, "table", "Learned numbers of positions", 0, 0, 1, 0), head, SIZES,
		  cells, SIZED, 1);
}
