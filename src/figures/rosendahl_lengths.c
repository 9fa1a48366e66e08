/* rosendahl_lengths.c: translation with absolute and relative positions by length of the sentence, of one published table. */
#include <math.h>
#include <string.h>

#include "fig.h"
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

/* The rows of one metric whose model ends so, as curves. */
static void curves_panel(struct fig *f, const struct results *r, size_t metric, const char *end,
			 unsigned char row, unsigned char col)
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
	for (size_t i = 0; i < r->n; i++)
		if (ends_with(r->rows[i].model, end))
			fig_curve(f, p, figure_scripts(f->a, r->rows[i].model), LENGTHS, middle,
				  r->rows[i].values + metric * LENGTHS);
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
		curves_panel(f, r, m, apart ? " to 100" : "", 0, (unsigned char)m);
		if (apart)
			curves_panel(f, r, m, " to 75", 1, (unsigned char)m);
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
