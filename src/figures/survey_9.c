/* survey_9.c: PNAT: a predicted permutation re-orders the position embeddings of a decoder. */
#include <string.h>

#include "fig.h"

enum { WORDS = 3, WIDTH = 4 };
static const char inputs[] = "sentence cat the sleeps\nd-model 4\nheads 1\nlayers 1\n";
/* Similarity of each input with each word of the target: what the order is trained on. */
static const double similarity[WORDS * WORDS] = {0.9, 0.8, 0.1, 0.85, 0.2, 0.3, 0.4, 0.7, 0.6};

static const struct fig_run *run(struct fig *f, const char *scheme, const char *order)
{
	return fig_run(f, arena_printf(f->a, "scheme %s\norder %s\n%s", scheme, order, inputs),
		       WANT_POSITION | WANT_OUTPUT);
}

static const char *pnat(struct fig *f, const char *match)
{
	const char *values = "";
	for (size_t i = 0; i < WORDS * WORDS; i++)
		values = arena_printf(f->a, "%s%s%g", values, i ? "," : "", similarity[i]);
	return arena_printf(f->a, "pnat(from=matrix,match=%s,similarity=[%s])", match, values);
}

/* The position that each input gets. */
static const double *predicted(const struct fig_run *r)
{
	for (size_t i = 0; i < r->trace.n_columns; i++)
		if (strcmp(r->trace.columns[i].name, "z") == 0)
			return r->trace.columns[i].at;
	BUG("pnat without z");
}

static double total(const double *z)
{
	double sum = 0;
	for (size_t t = 0; t < WORDS; t++)
		sum += similarity[t * WORDS + (size_t)z[t]];
	return sum;
}

/* ---- panels -------------------------------------------------------------------------------------- */

static void show_match(struct fig *f, const struct fig_run *r, const double *z,
		       const double *greedy)
{
	static const char *const targets[] = {"the", "cat", "sleeps"};
	struct panel *const p = fig_panel(f, "similarity", "Similarity", 0, 0, 1, 1);
	double *const values = arena_calloc(f->a, WORDS * WORDS, sizeof *values);
	memcpy(values, similarity, sizeof similarity);
	const struct paint paint = {.unit = true, .own = true};
	fig_map(f, p, r, mat_view(values, WORDS, WORDS), &paint);
	p->subtitle = arena_printf(
		f->a,
		"z matches each input with a word of the target: %.2f in all; with the largest first %.2f",
		total(z), total(greedy));
	p->heatmap.col_labels = targets;
	p->heatmap.row_title = "input";
	p->heatmap.col_title = "word";
	p->heatmap.linear = true;
}

static void show_order(struct fig *f, const struct fig_run *r, const double *z)
{
	struct panel *const p = fig_panel(f, "order", "Predicted order", 0, 1, 1, 0);
	struct link *const links = arena_calloc(f->a, WORDS, sizeof *links);
	const char **const below = arena_calloc(f->a, WORDS, sizeof *below);
	for (size_t t = 0; t < WORDS; t++) {
		const size_t to = (size_t)z[t];
		links[t] = (struct link){t, to, to != t};
		below[to] = r->trace.query.names[t];
	}
	p->kind = PANEL_LINKS;
	p->links = (struct links){.n_above = WORDS,
				  .n_below = WORDS,
				  .n = WORDS,
				  .above = r->trace.query.names,
				  .below = below,
				  .above_title = "inputs",
				  .below_title = "by z",
				  .links = links};
}

static void show_rows(struct fig *f, const char *name, const char *title, const char *subtitle,
		      struct mat m, const char *const *rows, unsigned char col)
{
	struct panel *const p = fig_panel(f, name, title, 1, col, 1, 0);
	const struct paint paint = {.is_signed = true, .shared = true, .limit = 1, .own = true};
	fig_map(f, p, NULL, m, &paint);
	p->subtitle = subtitle;
	p->heatmap.row_labels = rows;
	p->heatmap.col_labels = fig_count_from(f, 0, WIDTH);
	p->heatmap.row_title = col ? "input" : "position";
	p->heatmap.col_title = "column j";
	p->heatmap.linear = true;
}

/* ---- the figure ---------------------------------------------------------------------------------- */

/* Rows of the second are the first's, by the place that z gives to each. */
static double moved_otherwise(struct mat by_input, struct mat by_place, const double *z)
{
	double worst = 0;
	for (size_t t = 0; t < WORDS; t++) {
		const double now = mat_max_abs_diff(mat_rows(by_input, t, 1),
						    mat_rows(by_place, (size_t)z[t], 1));
		worst = now > worst ? now : worst;
	}
	return worst;
}

void draw_survey_9(struct fig *f)
{
	const struct fig_run *const r = run(f, pnat(f, "code"), "identity");
	const struct fig_run *const greedy = run(f, pnat(f, "greedy"), "identity");
	const struct fig_run *const plain = run(f, "sinusoidal", "2 1 3");
	if (!r || !greedy || !plain)
		return;
	const double *const z = predicted(r);
	const struct mat p = plain->trace.position_vectors, moved = r->trace.position_vectors;
	show_match(f, r, z, predicted(greedy));
	show_order(f, r, z);
	show_rows(f, "p", "P, as usual", "row t: sinusoids of position t", p,
		  fig_count_from(f, 0, WORDS), 0);
	show_rows(f, "moved", "P, re-ordered by z", "added to the inputs: row t is row z_t of P",
		  moved, r->trace.query.names, 1);
	for (size_t t = 0; t < WORDS; t++)
		fig_number(f, arena_printf(f->a, "z.%zu", t + 1), z[t],
			   "position of this input, from 0");
	fig_number(f, "total", total(z), "similarity of all that are matched");
	fig_number(f, "total.greedy", total(predicted(greedy)),
		   "the same where the largest are matched first");
	fig_number(f, "rows", moved_otherwise(moved, p, z),
		   "how far rows of P are others than z says");
	fig_number(f, "outputs",
		   moved_otherwise(r->trace.layers[0].output, plain->trace.layers[0].output, z),
		   "how far outputs are others than of the words in that order");
}
