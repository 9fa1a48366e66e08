/* rosendahl_lengths.c: translation with absolute and relative positions by length of the sentence, of one published table;
 * and beside two of them, the same schemes trained here on tasks. */
#include <math.h>
#include <string.h>

#include "fig.h"
#include "posviz/learn/runs.h"
#include "posviz/scheme/results.h"

enum {
	LENGTHS = 5,
	TOGETHER = 4
}; /* lengths of each metric, BLEU first; curves that one plot has room for */

/* Ranges of lengths by their middle; the last is open. */
static const double middle[LENGTHS] = {12.5, 38, 63, 88, 113};
static const struct curve_place ranges[LENGTHS] = {
	{12.5, "0–25"}, {38, "26–50"}, {63, "51–75"}, {88, "76–100"}, {113, ">100"}};

static bool ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text), tail = strlen(end);
	return len >= tail && strcmp(text + len - tail, end) == 0;
}

/* The rows of one metric whose model ends so, as curves; of these colours unless it is NULL. */
static struct panel *curves_panel(struct fig *f, const struct results *r, size_t metric,
				  const char *end, const size_t *colours, unsigned char row,
				  unsigned char col)
{
	static const char *const names[] = {"BLEU", "TER"};
	static const char *const better[] = {"higher is better", "lower is better"};
	struct panel *const p = fig_panel(
		f, "curve",
		arena_printf(f->a, "%s by length%s%s", names[metric], *end ? ", trained" : "", end),
		row, col, 1, metric == 0 ? 0 : 1);
	p->note = "in tokens";
	p->paper_note = ""; /* the axis says so */
	p->subtitle = better[metric];
	fig_curves(f, p, "source length J, tokens", names[metric]);
	p->curves.places = ranges;
	p->curves.n_places = LENGTHS;
	for (size_t i = 0; i < r->n; i++) {
		if (!ends_with(r->rows[i].model, end))
			continue;
		struct series *const series =
			fig_curve(f, p, figure_scripts(f->a, r->rows[i].model), LENGTHS, middle,
				  r->rows[i].values + metric * LENGTHS);
		if (colours)
			series->colour = colours[p->curves.n - 1];
	}
	return p;
}

/* Draws the table as printed; the heads of lengths without the J of each. */
static void table_panel(struct fig *f, const struct results *r, unsigned char row)
{
	struct panel *const p = fig_panel(f, "table", "As printed", row, 0, 2, 2);
	const char **const head = arena_calloc(f->a, r->cols + 1, sizeof *head);
	fig_results_table(f, p, r);
	head[0] = p->table.head[0];
	for (size_t k = 0; k < r->cols; k++) {
		const char *const task = r->tasks[k];
		head[k + 1] = arena_printf(f->a, "%s %s", r->metrics[k],
					   strncmp(task, "J ", 2) == 0 ? task + 2 : task);
	}
	p->table.head = head;
	p->subtitle = "by length J of the source, in tokens";
}

void draw_rosendahl_lengths(struct fig *f)
{
	const struct results *const r = results_of(f->argument, f->a);
	const bool apart = r->n > TOGETHER;
	for (size_t m = 0; m < 2; m++) {
		curves_panel(f, r, m, apart ? " to 100" : "", NULL, 0, (unsigned char)m);
		if (apart)
			curves_panel(f, r, m, " to 75", NULL, 1, (unsigned char)m);
	}
	const unsigned char below = apart ? 2 : 1;
	table_panel(f, r, below);
	f->out->row_weight[below] = apart ? 4 : 3;
	for (size_t i = 0; i < r->n; i++) {
		fig_number(f, arena_printf(f->a, "bleu.short.%zu", i + 1), r->rows[i].values[0],
			   "BLEU to 25 tokens");
		fig_number(f, arena_printf(f->a, "bleu.long.%zu", i + 1),
			   r->rows[i].values[LENGTHS - 1], "BLEU beyond 100 tokens");
		fig_number(f, arena_printf(f->a, "ter.long.%zu", i + 1),
			   r->rows[i].values[2 * LENGTHS - 1], "TER beyond 100 tokens");
	}
}

/* ---- trained here ---------------------------------------------------------------------------- */

enum { SEEDS = 3, WIDE = 6 }; /* WIDE: columns of the page's grid */

/* The variants of the paper. Distances are clipped at half of the trained length, that of the paper at less than a
 * fifth. */
static const struct {
	const char *scheme, *label, *brief; /* label: on the curve; brief: of numbers */
	size_t colour;			    /* as the published variant has it beside them */
} variants[] = {
	{"sinusoidal", "Absolute", "absolute", 4},
	{"shaw(clip=8)", "Relative", "relative", 0},
	{"shaw(clip=8,values=off)", "γ^K only", "keys", 2},
	{"shaw(clip=8,table=sinusoidal)", "sinusoidal", "sinusoids", 1},
	{"sinusoidal+shaw(clip=8)", "and absolute", "both", 3},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* Sets the mean accuracies over the seeds. */
static bool means_of(struct fig *f, const char *scheme, const char *task, size_t n[LEARN_LENGTHS],
		     double mean[LEARN_LENGTHS])
{
	struct err err = {""};
	struct learn_options o;
	learn_defaults(&o);
	o.scheme = scheme;
	o.task = task;
	for (size_t k = 0; k < LEARN_LENGTHS; k++)
		mean[k] = 0;
	for (o.seed = 1; o.seed <= SEEDS; o.seed++) {
		struct learn_result run;
		if (!learn_run_known(&o, f->d->watch, f->a, &run, &err) || run.absent) {
			fig_fail(f, run.absent ? run.absent : arena_strdup(f->a, err.text));
			return false;
		}
		for (size_t k = 0; k < LEARN_LENGTHS; k++) {
			n[k] = run.at[k].n;
			mean[k] += run.at[k].right / SEEDS;
		}
	}
	return true;
}

static const struct curve_place *places_of(struct fig *f, const size_t n[LEARN_LENGTHS])
{
	struct curve_place *const places = arena_calloc(f->a, LEARN_LENGTHS, sizeof *places);
	for (size_t k = 0; k < LEARN_LENGTHS; k++)
		places[k] = (struct curve_place){(double)k, arena_printf(f->a, "%zu", n[k])};
	return places;
}

static void task_panel(struct fig *f, const char *task, const char *asked, unsigned char row,
		       unsigned char col)
{
	struct panel *const p =
		fig_panel(f, "curve", arena_printf(f->a, "Here: %s", task), row, col, WIDE / 3, 1);
	size_t n[LEARN_LENGTHS];
	p->subtitle = asked;
	fig_curves(f, p, "length n, trained to 16", "right answers");
	p->curves.together = true;
	p->curves.unit = true;
	for (size_t i = 0; i < VARIANTS; i++) {
		double *const mean = arena_calloc(f->a, LEARN_LENGTHS, sizeof *mean);
		if (!means_of(f, variants[i].scheme, task, n, mean))
			return;
		fig_curve(f, p, figure_scripts(f->a, variants[i].label), LEARN_LENGTHS,
			  fig_steps(f, 0, 1, LEARN_LENGTHS), mean)
			->colour = variants[i].colour;
		fig_number(f, arena_printf(f->a, "%s.%s", task, variants[i].brief),
			   mean[LEARN_LENGTHS - 1], "right answers at 128 tokens, trained to 16");
	}
	p->curves.places = places_of(f, n);
	p->curves.n_places = LEARN_LENGTHS;
}

void draw_rosendahl_trained(struct fig *f)
{
	static const struct {
		const char *table, *end, *title;
	} published[] = {{"rosendahl-2", " to 75", "Published, Table 2: BLEU, trained to 75"},
			 {"rosendahl-4", "", "Published, Table 4: BLEU, trained to 100"}};
	static const size_t absolute_first[] = {4, 0}; /* as the variants below */
	static const char *const tasks[][2] = {{"shift", "say the letter before"},
					       {"order", "say which of two came first"},
					       {"dist", "say how far the marker is back"}};
	for (size_t i = 0; i < 2; i++) {
		struct panel *const p = curves_panel(
			f, results_of(published[i].table, f->a), 0, published[i].end,
			i == 0 ? absolute_first : NULL, 0, (unsigned char)(i * WIDE / 2));
		p->cols = WIDE / 2;
		p->title = p->paper_title = published[i].title;
	}
	for (size_t i = 0; i < 3 && fig_goes_on(f); i++)
		task_panel(f, tasks[i][0], tasks[i][1], 1, (unsigned char)(i * WIDE / 3));
	f->out->row_weight[0] = f->out->row_weight[1] = 8;
	f->out->row_weight[2] = 6;
}
