/* survey_5.c: a recurrent network in front of the first layer, by what it makes of another order. */
#include <math.h>

#include "fig.h"

/* "dog" and "cat" change places: what is in front of both stays. */
enum { WORDS = 6, FIRST = 2, SECOND = 5, MODELS = 3, WIDTH = 64 };
static const char lines[] = "sentence then the dog chased the cat\nd-model 64\nlayers 1\n";
static const char *const schemes[MODELS] = {"none", "sinusoidal", "gru"};

/* Row i is that of the word that was written there: what it goes into layer 1 with. */
static struct mat inputs(struct fig *f, const char *scheme, const char *order,
			 const struct fig_run **run)
{
	*run = fig_run(f, arena_printf(f->a, "scheme %s\norder %s\n%s", scheme, order, lines),
		       WANT_INPUT);
	if (!*run)
		return (struct mat){0};
	const struct mat in = (*run)->trace.layers[0].input, out = mat_new(f->a, in.rows, in.cols);
	for (size_t i = 0; i < in.rows; i++)
		mat_set(mat_rows(out, (size_t)(*run)->trace.query.token[i], 1), mat_rows(in, i, 1));
	return out;
}

static double distance(struct mat a, struct mat b, size_t row)
{
	double sum = 0;
	for (size_t k = 0; k < a.cols; k++)
		sum += pow(mat_row(a, row)[k] - mat_row(b, row)[k], 2);
	return sqrt(sum);
}

static void show_words(struct fig *f, const struct axis *above, const struct axis *below)
{
	struct panel *const p = fig_panel(f, "links", "Words that move", 0, 0, 1, 1);
	struct link *const links = arena_calloc(f->a, below->n, sizeof *links);
	for (size_t i = 0; i < below->n; i++) {
		const size_t from = (size_t)below->token[i];
		links[i] = (struct link){from, i, from != i};
	}
	p->kind = PANEL_LINKS;
	p->links = (struct links){.n_above = above->n,
				  .n_below = below->n,
				  .n = below->n,
				  .above = above->names,
				  .below = below->names,
				  .above_title = "as written",
				  .below_title = "reordered",
				  .links = links};
}

/* Draws a table of what the source draws: where positions come from. */
static void show_models(struct fig *f)
{
	static const char *const head[] = {"model", "input", "each layer"};
	static const char *const cells[] = {"Transformer",
					    "token vector + sinusoid",
					    "",
					    "RNN-Transformer",
					    "GRU",
					    "",
					    "RR-Transformer",
					    "GRU",
					    "Shaw's vectors"};
	fig_table(f, fig_panel(f, "models", "Where positions come from", 1, 0, 2, 2), head, 3,
		  cells, MODELS, 3);
}

void draw_survey_5(struct fig *f)
{
	const struct mat m = mat_new(f->a, MODELS, WORDS);
	const struct fig_run *written = NULL, *moved = NULL;
	for (size_t i = 0; i < MODELS; i++) {
		const struct mat before = inputs(f, schemes[i], "identity", &written);
		const struct mat after = inputs(f, schemes[i], "1 2 6 4 5 3", &moved);
		if (!written || !moved)
			return;
		for (size_t t = 0; t < WORDS; t++) {
			mat_row(m, i)[t] = distance(before, after, t);
			fig_number(f, arena_printf(f->a, "%s.%zu", schemes[i], t + 1),
				   mat_row(m, i)[t], "change of this word's vector, a norm");
		}
	}
	show_words(f, &written->trace.query, &moved->trace.query);
	show_models(f);
	struct panel *const p = fig_panel(f, "change", "Change of words", 0, 1, 1, 0);
	const struct paint paint = {.own = true};
	fig_map(f, p, written, m, &paint);
	p->subtitle = "norm of the change of each word's vector in front of layer 1";
	p->heatmap.row_labels = schemes;
	p->heatmap.row_title = "scheme";
	p->heatmap.col_title = "word";
	p->heatmap.linear = true;
	f->out->row_weight[0] = 2;
	f->out->row_weight[1] = 1;
	double theory = WIDTH;
	for (int k = 0; k < WIDTH / 2; k++)
		theory -= 2 * cos((SECOND - FIRST) * pow(10000, -2.0 * k / WIDTH));
	fig_number(f, "sinusoidal.formula", sqrt(theory),
		   "the same in closed form: ‖P_t − P_s‖² = d − 2 Σ cos((t − s) ω_i)");
}
