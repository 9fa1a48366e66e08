/* spectrum.c: the view Relation for schemes with eigenvectors as positions: the eigenvectors and
 * their eigenvalues. Eigenvectors that share an eigenvalue are in brackets. */
#include <string.h>

#include "posviz/base/num.h"
#include "relation_in.h"

enum { SHOWN_MOST = 16 };

static bool begins(const struct spectrum *s, size_t j)
{
	return s->several[j] && (j == 0 || s->group[j - 1] != s->group[j]);
}

static bool ends(const struct spectrum *s, size_t j)
{
	return s->several[j] && (j + 1 == s->k || s->group[j + 1] != s->group[j]);
}

/* Returns "[0.5" for the first of several, "0.5]" for the last. */
static const char *in_brackets(const struct spectrum *s, size_t j, struct arena *a)
{
	char text[32];
	return arena_printf(a, "%s%s%s", begins(s, j) ? "[" : "",
			    num_show(text, sizeof text, s->values[j], 3), ends(s, j) ? "]" : "");
}

/* Returns "[0.5 0.5] 1.5". */
static const char *values_of(const struct spectrum *s, struct arena *a)
{
	const char *all = s->k > 0 ? "" : "none";
	for (size_t j = 0; j < s->k && j < SHOWN_MOST; j++)
		all = arena_printf(a, "%s%s%s", all, j ? " " : "", in_brackets(s, j, a));
	return s->k > SHOWN_MOST ? arena_printf(a, "%s … of %zu", all, s->k) : all;
}

/* Returns the columns that share an eigenvalue: "1–2, 3–4"; or NULL. */
static const char *shared_columns(const struct spectrum *s, struct arena *a)
{
	const char *all = NULL;
	for (size_t j = 0, end; j < s->k; j = end) {
		end = j + 1;
		while (end < s->k && s->group[end] == s->group[j])
			end++;
		if (!s->several[j])
			continue;
		const char *one = end > j + 1 ? arena_printf(a, "%zu–%zu", j + 1, end)
					      : arena_printf(a, "%zu", j + 1);
		all = all ? arena_printf(a, "%s, %s", all, one) : one;
	}
	return all;
}

void spectrum_line(const struct spectrum *s, struct arena *a, struct card *card)
{
	const char *words = values_of(s, a);
	const bool shared = shared_columns(s, a) != NULL;
	card_add(card, "λ", shared ? arena_printf(a, "%s, [ ]: degenerate", words) : words,
		 shared ? "several eigenvectors of one eigenvalue: any rotation of them is valid"
			: "eigenvalues, each of one eigenvector, which is known up to its sign");
}

/* Returns the labels of the columns. A column in the middle of a bracket has its number, because
 * labels must differ. */
static const char *const *labels(const struct spectrum *s, struct arena *a)
{
	const char **out = arena_calloc(a, s->k + 1, sizeof *out);
	for (size_t j = 0; j < s->k; j++)
		out[j] = s->several[j] && !begins(s, j) && !ends(s, j)
				 ? arena_printf(a, "λ%zu", j + 1)
				 : in_brackets(s, j, a);
	return out;
}

static void vectors_panel(const struct view_data *d, const struct spectrum *s, struct arena *a,
			  struct panel *out)
{
	*out = (struct panel){.kind = PANEL_HEATMAP,
			      .name = "vectors",
			      .title = "Eigenvectors",
			      .note = s->given ? arena_printf(a, "%zu of a file", s->k)
					       : arena_printf(a, "%zu of Δ, by λ", s->k),
			      .subtitle = s->given ? "columns as given; λ = vᵀΔv / vᵀv"
						   : "columns by eigenvalue λ; in brackets: of one "
						     "eigenvalue"};
	if (s->k == 0) {
		out->absent = "there is one node, and no eigenvector after the first";
		return;
	}
	const struct paint paint = {.is_signed = true, .own = true};
	const struct mat at = mat_new(a, s->n, s->k);
	memcpy(at.at, s->vectors, s->n * s->k * sizeof *at.at);
	const size_t memory = d->trace->memory; /* rows are queries */
	view_heatmap(d, mat_rows(at, memory, at.rows - memory), &paint, a, out);
	out->heatmap.col_labels = labels(s, a);
	out->heatmap.row_title = "token";
	out->heatmap.col_title = s->given ? "column" : "column, by λ";
	out->heatmap.no_cursor = true;
}

/* Returns "pair 0.5": the number of columns that share the eigenvalue. The number is unknown for
 * the last group, which may continue after the kept columns, and for eigenvalue 0, whose first
 * eigenvector is left out. */
static const char *among(const struct spectrum *s, size_t j, struct arena *a)
{
	char text[32];
	const char *const value = num_show(text, sizeof text, s->values[j], 3);
	size_t n = 0;
	for (size_t i = 0; i < s->k; i++)
		n += s->group[i] == s->group[j];
	const bool open =
		s->values[j] < 1e-9 || (s->group[j] == s->group[s->k - 1] && s->k + 1 < s->n);
	if (!s->several[j])
		return arena_strdup(a, value);
	if (open || n < 2)
		return arena_printf(a, "one of several  %s", value);
	return n == 2 ? arena_printf(a, "pair  %s", value)
		      : arena_printf(a, "one of %zu  %s", n, value);
}

static void values_panel(const struct spectrum *s, struct arena *a, struct panel *out)
{
	*out = (struct panel){
		.kind = PANEL_BARS,
		.name = "values",
		.title = "Eigenvalues",
		.note = "between 0 and 2",
		.subtitle = "of Δ, by column; a pair: two eigenvectors of one eigenvalue"};
	if (s->k == 0) {
		out->absent = "there are none after the first";
		return;
	}
	const char **names = arena_calloc(a, s->k, sizeof *names);
	const char **notes = arena_calloc(a, s->k, sizeof *notes);
	for (size_t j = 0; j < s->k; j++) {
		names[j] = arena_printf(a, "%zu", j + 1);
		notes[j] = among(s, j, a);
	}
	out->bars = (struct bars){
		.n = s->k, .labels = names, .values = s->values, .notes = notes, .unit = ""};
}

static void card_panel(const struct view_data *d, const struct spectrum *s, struct arena *a,
		       struct panel *out)
{
	struct card *card = card_new(out, a);
	const char *shared = shared_columns(s, a);
	const struct structure *of = d->built->model_input.structure;
	out->title = "What the columns are";
	spectrum_line(s, a, card);
	card_add(card, "degenerate", shared ? arena_printf(a, "columns %s", shared) : "none", NULL);
	card_add(card, "left out", s->left_out,
		 s->given ? "the columns are a file's"
			  : "eigenvectors that tell no node from another");
	if (d->trace->note)
		card_add(card, "here", d->trace->note, NULL);
	card_add(card, "structure", of ? structure_names[of->kind] : "none: a chain",
		 of ? of->note : "--graph, --conllu, --governors or --tree gives one");
	card->n_spare = 1;
}

void spectrum_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct spectrum *s = &d->trace->spectrum;
	view_frame(d, "eigenvectors of the graph", a, out);
	vectors_panel(d, s, a, &out->panels[0]);
	card_panel(d, s, a, &out->panels[1]);
	values_panel(s, a, &out->panels[2]);
}
