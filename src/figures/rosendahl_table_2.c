/* rosendahl_table_2.c: translation by length of the sentence, as a table and as curves. */
#include <math.h>

#include "fig.h"
#include "posviz/results.h"

enum { LENGTHS = 5 }; /* of each metric; BLEU is the first */

static void make(struct fig *f)
{
	const struct results *const r = fig_results(f, "rosendahl-2");
	static const char *const titles[] = {"BLEU by length, higher is better",
					     "TER by length, lower is better"};
	struct panel *const table = fig_panel(f, "table", "As printed", 1, 0, 2, 1);
	for (size_t m = 0; m < 2; m++) {
		struct panel *const p = fig_panel(f, "curve", titles[m], 0, (unsigned char)m, 1, 0);
		/* Ranges of lengths by their middle; the last is open. */
		static const double middle[LENGTHS] = {12.5, 38, 63, 88, 113};
		fig_curves(f, p, "source length J", m == 0 ? "BLEU" : "TER");
		for (size_t i = 0; i < r->n; i++)
			fig_curve(f, p, r->rows[i].model, LENGTHS, middle,
				  r->rows[i].values + m * LENGTHS);
	}
	fig_results_table(f, table, r);
	f->out->row_weight[1] = 3;
	for (size_t i = 0; i < r->n; i++)
		fig_number(f, arena_printf(f->a, "bleu.long.%zu", i + 1),
			   r->rows[i].values[LENGTHS - 1], "BLEU beyond 100 tokens");
}

const struct source_figure source_figure_rosendahl_table_2 = {
	.name = "rosendahl-table-2",
	.title = "Translation by length",
	.source = "Rosendahl et al. 2019, Table 2",
	.shows =
		"Up to the lengths seen in training all systems translate alike; beyond them absolute "
		"positions lose most, relative ones least. All numbers are the paper's.",
	.width = 1600,
	.height = 900,
	.make = make,
	.expects = (const char *const[]){"bleu.long.1 = 21.5", "bleu.long.2 = 29.3",
					 "bleu.long.2 > bleu.long.1", NULL}};
