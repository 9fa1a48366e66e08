/* values_panels.c: the panels of the view Values and their words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "values_in.h"

/* The number of keys that have a bar; of more keys those with the largest. */
enum { KEYS = 24 };

double values_sum(const double *row, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += row[i];
	return sum;
}

size_t values_largest(const double *row, size_t n)
{
	size_t at = 0;
	for (size_t i = 1; i < n; i++)
		at = row[i] > row[at] ? i : at;
	return at;
}

size_t values_elsewhere(struct mat c, struct mat w)
{
	size_t n = 0;
	for (size_t t = 0; t < c.rows; t++) {
		const size_t by = values_largest(mat_row(c, t), c.cols),
			     to = values_largest(mat_row(w, t), w.cols);
		n += mat_row(c, t)[by] > (1 + 1e-9) * mat_row(c, t)[to];
	}
	return n;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const struct {
	const char *label, *formula, *means, *name; /* name: on the screen; NULL: the label */
} words[] = {
	{"token", "Σ_s α_{ts} v_s", "the token vectors' values"},
	{"position", "Σ_s α_{ts} p_s W_v", "the position vectors' values: they are in X"},
	{"rotation", "Σ_s α_{ts} (R_s − I) v_s", "what rotating the values changes"},
	{"w_value", "Σ_s α_{ts} a_{ts}", "vectors of the distance, added to the values",
	 "distance vectors"},
	{"a_value", "Σ_s α_{ts} a_{ts}", "vectors of the pair, added to the values",
	 "pair vectors"},
	{"sinusoids", "Σ_s α_{ts} a_{ts}", "sinusoids of the distance, added to the values"},
	{"path", "Σ_s α_{ts} r_{ts}", "vectors of the path, added to the values", "path vectors"},
	{"convolution", NULL, "a convolution beside the weights"},
	{"remainder", "(1 − Σ_s α_{ts}) v_t",
	 "the weight that is left goes to the query's own value"},
	{"global", "Σ_s α_{ts} (v′_s − v_s)", "global queries have values of their own"},
	{"b_v", "b_v", "the bias of the values"},
	{"bias", NULL, "the bias of the norm in front of the layer", "norm bias"},
	{"norm", NULL, "what the norm of the head's output changes", "norm"},
	{"features", NULL, "each feature of a value has weights of its own"},
	{"rest", NULL, "what else is in the output", "all else"},
};

const char *values_means(const struct output_term *t)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].label, t->label) == 0)
			return words[i].means;
	return t->of_values ? "values of vectors that hold position already"
			    : "what the scheme adds to the values";
}

/* Returns the name of a term on the screen; in dumps it has its label. */
static const char *name_of(const struct output_term *t)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].label, t->label) == 0 && words[i].name)
			return words[i].name;
	return t->label;
}

static const char *formula(const struct values_page *p, const struct output_term *t)
{
	if (strcmp(t->label, "token") == 0 && p->k->o.n_terms > 1 &&
	    strcmp(p->k->o.terms[1].label, "position") == 0)
		return "Σ_s α_{ts} u_s W_v";
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].label, t->label) == 0)
			return words[i].formula;
	return NULL;
}

const char *values_number(double value, struct arena *a)
{
	char text[32];
	if (isnan(value))
		return "–";
	if (fabs(value) < 1e-12)
		return "0";
	num_show(text, sizeof text, fabs(value), 3);
	return arena_printf(a, "%s%s", value < 0 ? "−" : "", text);
}

const char *values_percent(double share, struct arena *a)
{
	const int digits = fabs(share) < 0.1 && fabs(share) >= 5e-4;
	const double shown = fabs(100 * share) < (digits ? 0.05 : 0.5) ? 0 : 100 * share;
	return isnan(share)
		       ? "–"
		       : arena_printf(a, "%s%.*f %%", shown < 0 ? "−" : "", digits, fabs(shown));
}

const char *values_which(const struct view_data *d, struct arena *a)
{
	const size_t heads = d->built->model.config.heads;
	if (view_head(d) != heads || view_layer(d) == d->trace->n_layers)
		return view_layer_note(d, a);
	return d->trace->n_layers > 1 ? arena_printf(a, "all %zu heads · %s", heads,
						     view_layer_name(d, view_layer(d), a))
				      : arena_printf(a, "all %zu heads", heads);
}

static const char *short_which(const struct view_data *d, struct arena *a)
{
	return view_head(d) == d->built->model.config.heads
		       ? arena_printf(a, "all %zu", d->built->model.config.heads)
		       : view_short_layer(d, a);
}

static const char *length_words(const struct values_page *p)
{
	return p->k->o.projected ? "length of α v W_o" : "length of α v";
}

static const char *identity_words(const struct values_page *p)
{
	return p->k->o.projected ? "W_o is read from a file"
				 : "W_o is the identity, as no file gives it";
}

/* ---- matrices by query and key --------------------------------------------------------------- */

/* Frames the cell of the key that gives the chosen query most, unless the cursor is there. */
static void frame_most(const struct values_page *p, struct panel *out)
{
	const struct mat norms = p->k->o.norms;
	if (p->k->absent || p->k->o.why || !norms.at)
		return;
	const size_t most = values_largest(mat_row(norms, p->t), norms.cols);
	if (p->d->scene->col > 0 && most == p->s)
		return;
	struct mark *const mark = arena_calloc(p->a, 1, sizeof *mark);
	*mark = (struct mark){.kind = MARK_CELL, .row = p->t, .col = most};
	out->heatmap.marks = mark;
	out->heatmap.n_marks = 1;
	out->heatmap.marks_said = true;
}

void values_weights_panel(const struct values_page *p, struct panel *out)
{
	const bool all = p->k->o.heads > 1 && !p->k->absent;
	*out = (struct panel){.kind = PANEL_HEATMAP,
			      .name = "weights",
			      .title = all ? "Weights, mean of heads" : "Weights",
			      .brief_title = "Weights α",
			      .note = values_which(p->d, p->a),
			      .short_note = short_which(p->d, p->a),
			      .subtitle = "α: where each query looks"};
	const struct paint paint = {
		.allowed = p->head->mask, .unit = true, .weights = true, .more_of = "attention"};
	view_heatmap(p->d, p->head->weights, &paint, p->a, out);
	frame_most(p, out);
}

/* Returns the cells that the mask allows, and those where a key contributes without a weight; NULL:
 * all. */
static const uint8_t *where_written(const struct values_page *p)
{
	const struct mat m = p->k->o.norms;
	if (!p->head->mask)
		return NULL;
	uint8_t *const out = arena_alloc(p->a, m.rows * m.cols);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		out[i] = p->head->mask[i] || m.at[i] > 0;
	return out;
}

void values_contributions_panel(const struct values_page *p, struct panel *out)
{
	*out = (struct panel){.kind = PANEL_HEATMAP,
			      .name = "contributions",
			      .title = "Contributions",
			      .note = length_words(p),
			      .short_note = length_words(p),
			      .paper_note = values_which(p->d, p->a),
			      .subtitle = arena_printf(p->a, "%s, what the key writes; %s",
						       length_words(p), identity_words(p)),
			      .absent = p->k->absent ? p->k->absent : p->k->o.why};
	if (out->absent)
		return;
	const struct paint paint = {
		.allowed = where_written(p), .ranged = true, .hi = p->k->most, .own = true};
	view_heatmap(p->d, p->k->o.norms, &paint, p->a, out);
	/* The scale has the mode of that of the weights beside it. */
	frame_most(p, out);
	out->heatmap.even = p->k->most / (double)p->k->o.norms.cols;
	out->heatmap.even_unmarked = true;
}

/* ---- matrices by token and dimension --------------------------------------------------------- */

static void vectors_panel(const struct values_page *p, struct mat m, bool keys, struct panel *out)
{
	const struct trace *const trace = p->d->trace;
	const struct paint paint = {.is_signed = true,
				    .shared = true,
				    .limit = p->k->limit,
				    .spread_by = p->k->spread,
				    .n_spread_by = p->k->n_spread,
				    .own = true};
	view_heatmap(p->d, m, &paint, p->a, out);
	struct heatmap *const h = &out->heatmap;
	h->row_labels = keys ? trace->key.names : trace->query.names;
	h->col_labels = NULL;
	h->row_title = keys ? "key s" : "query t";
	h->col_title = "dimension";
	h->no_cursor = h->no_means = true;
	h->own_cols = !keys || (trace->memory == 0 && trace->key.n == trace->query.n);
}

static const char *size_note(struct mat m, const char *rows, struct arena *a)
{
	return arena_printf(a, "%zu %s ↓ · %zu dimensions →", m.rows, rows, m.cols);
}

static void values_panel(const struct values_page *p, struct panel *out)
{
	const bool w_o = p->k->o.projected;
	*out = (struct panel){.kind = PANEL_HEATMAP,
			      .name = "values",
			      .title = w_o ? "Values v W_o" : "Values v",
			      .brief_title = "Values",
			      .subtitle = "what each key can give",
			      .absent = p->k->absent ? p->k->absent : p->k->o.why};
	if (!p->k->absent && p->k->o.why)
		out->absent = p->k->o.why;
	if (out->absent)
		return;
	out->note = size_note(p->k->o.values, "keys", p->a);
	out->short_note = "keys × dims";
	vectors_panel(p, p->k->o.values, true, out);
}

static void output_panel(const struct values_page *p, struct panel *out)
{
	*out = (struct panel){.kind = PANEL_HEATMAP,
			      .name = "output",
			      .title = p->k->o.projected ? "Output o W_o" : "Output o",
			      .brief_title = "Output",
			      .subtitle = p->k->o.n_terms > 1
						  ? "the sum of the terms: what each query gets"
						  : "Σ α v: what each query gets",
			      .absent = p->k->absent};
	if (out->absent)
		return;
	out->note = size_note(p->k->o.at, "queries", p->a);
	out->short_note = "queries × dims";
	vectors_panel(p, p->k->o.at, false, out);
}

static void term_panel(const struct values_page *p, size_t i, struct panel *out)
{
	const struct output_term *const t = &p->k->o.terms[i];
	const char *const says = formula(p, t);
	*out = (struct panel){.kind = PANEL_HEATMAP,
			      .name = "terms",
			      .title = arena_printf(p->a, "Term %s", name_of(t)),
			      .brief_title = name_of(t),
			      .note = arena_printf(p->a, "%s of the output's square",
						   values_percent(t->share, p->a)),
			      .short_note = values_percent(t->share, p->a),
			      .subtitle = says ? arena_printf(p->a, "%s: %s",
							      figure_typeset(p->a, says),
							      values_means(t))
					       : values_means(t)};
	vectors_panel(p, t->at, false, out);
}

static void difference_panel(const struct values_page *p, struct panel *out)
{
	const unsigned char *const pair = pairs[p->d->scene->pair];
	const struct compared *const x = &p->d->compared[pair[0] - 1],
				     *const y = &p->d->compared[pair[1] - 1];
	*out = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "difference",
		.title = arena_printf(p->a, "%d−%d difference of outputs", pair[0], pair[1]),
		.brief_title = arena_printf(p->a, "%d−%d of outputs", pair[0], pair[1]),
		.paper_title = arena_printf(p->a, "Outputs %d − %d", pair[0], pair[1]),
		.subtitle = arena_printf(p->a, "%s minus %s", x->name, y->name),
		.absent = p->k->absent ? p->k->absent : p->k->no_difference};
	if (out->absent)
		return;
	out->note = arena_printf(p->a, "relative difference %s", values_number(p->k->apart, p->a));
	out->short_note = values_number(p->k->apart, p->a);
	vectors_panel(p, p->k->difference, false, out);
}

/* ---- bars ------------------------------------------------------------------------------------ */

struct rank {
	double value;
	size_t at;
};

static int by_value(const void *x, const void *y)
{
	const struct rank *const a = x, *const b = y;
	return a->value > b->value ? -1 : a->value < b->value ? 1 : a->at < b->at ? -1 : 1;
}

/* Returns whether a share or a weight is written as more than 0 %. */
static bool is_seen(double part)
{
	return part >= 5e-4;
}

/* Chooses the keys with the largest weight or contribution that is not written as 0, and the chosen one; those that
 * contribute most come first, so that they are seen where not all bars have room. */
static size_t choose_keys(const struct values_page *p, const double *part, const double *weight,
			  size_t n, struct rank *ranks)
{
	for (size_t s = 0; s < n; s++)
		ranks[s] = (struct rank){s == p->s ? INFINITY : fmax(part[s], weight[s]), s};
	qsort(ranks, n, sizeof *ranks, by_value);
	size_t shown = n < KEYS ? n : KEYS;
	while (shown > 1 && !is_seen(ranks[shown - 1].value))
		shown--;
	for (size_t i = 0; i < shown; i++)
		ranks[i].value = part[ranks[i].at];
	qsort(ranks, shown, sizeof *ranks, by_value);
	return shown;
}

/* The bars are a query's contributions as shares of their sum, so that they and the weights behind
 * them both add up to 1. */
void values_query_panel(const struct values_page *p, struct panel *out)
{
	const struct trace *const trace = p->d->trace;
	*out = (struct panel){.kind = PANEL_BARS,
			      .name = "query",
			      .title = arena_printf(p->a, "Query %s: what each key gives",
						    view_unit_name(&trace->query, p->t, p->a)),
			      .brief_title =
				      arena_printf(p->a, "What query %s gets",
						   view_unit_name(&trace->query, p->t, p->a)),
			      .absent = p->k->absent ? p->k->absent : p->k->o.why};
	if (out->absent)
		return;
	const size_t n = trace->key.n;
	const double *const norms = mat_row(p->k->o.norms, p->t);
	const double *const weight = mat_row(p->head->weights, p->t), all = values_sum(norms, n);
	double *const part = arena_calloc(p->a, n + 1, sizeof *part);
	for (size_t s = 0; s < n; s++)
		part[s] = all > 0 ? norms[s] / all : 0;
	struct rank *const ranks = arena_calloc(p->a, n + 1, sizeof *ranks);
	const size_t shown = choose_keys(p, part, weight, n, ranks);
	size_t given = 0;
	for (size_t s = 0; s < n; s++)
		given += is_seen(fmax(part[s], weight[s]));
	const char **const labels = arena_calloc(p->a, n + 1, sizeof *labels);
	const char **const notes = arena_calloc(p->a, n + 1, sizeof *notes);
	const char **const briefs = arena_calloc(p->a, n + 1, sizeof *briefs);
	double *const values = arena_calloc(p->a, n + 1, sizeof *values);
	out->bars = (struct bars){.n = shown,
				  .labels = labels,
				  .values = values,
				  .notes = notes,
				  .briefs = briefs,
				  .brief_unit = "share of the lengths",
				  .ranked = true,
				  .unit = "share of the lengths · weight α"};
	for (size_t i = 0; i < shown; i++) {
		const size_t s = ranks[i].at;
		labels[i] = view_unit_name(&trace->key, s, p->a);
		values[i] = part[s];
		briefs[i] = values_percent(part[s], p->a);
		notes[i] =
			arena_printf(p->a, "%s · α %s", briefs[i], values_percent(weight[s], p->a));
		if (s != p->s)
			continue;
		out->bars.has_cursor = true;
		out->bars.cursor = i;
	}
	out->note = shown == n	     ? "largest first"
		    : shown >= given ? arena_printf(p->a, "%zu of %zu keys, others 0 %%", shown, n)
				     : arena_printf(p->a, "%zu of %zu keys", shown, n);
	out->short_note =
		shown == n ? "largest first" : arena_printf(p->a, "%zu of %zu keys", shown, n);
	out->subtitle = "the share of each key in the sum of these lengths, beside its weight α";
}

/* ---- the card -------------------------------------------------------------------------------- */

/* Returns whether the scheme enters the values; *only_bias tells that b_v alone does. */
static bool scheme_enters(const struct outputs *o)
{
	for (size_t i = 0; i < o->n_terms; i++)
		if (o->terms[i].kind == WRITTEN_SCHEME)
			return true;
	return false;
}

static void say_scheme(const struct values_page *p, struct card *card)
{
	const struct outputs *const o = &p->k->o;
	const bool deeper = view_layer(p->d) > 0;
	if (!view_has_tokens(&p->d->trace->key))
		card_add(card, "position", "in the keys",
			 "each key is a mixture of tokens by position");
	else if (!scheme_enters(o))
		card_add(card, "position", "no position in the values",
			 deeper ? "but in what the layer below wrote: nothing more is added here"
				: "what a key gives is the same wherever it stands");
	else if (o->n_terms == 1)
		card_add(card, "position", "in the values", values_means(&o->terms[0]));
	for (size_t i = 0; i < o->n_terms && o->n_terms > 1; i++)
		card_add(card, name_of(&o->terms[i]), values_percent(o->terms[i].share, p->a),
			 arena_printf(p->a, "of the output's square; length %s; %s",
				      values_number(o->terms[i].norm, p->a),
				      values_means(&o->terms[i])));
}

static void say_cell(const struct values_page *p, struct card *card)
{
	const struct trace *const trace = p->d->trace;
	const double norm = mat_row(p->k->o.norms, p->t)[p->s];
	const double weight = mat_row(p->head->weights, p->t)[p->s];
	const double all = values_sum(mat_row(p->k->o.norms, p->t), trace->key.n);
	card_add(card, "cell",
		 arena_printf(p->a, "%s → %s", view_unit_name(&trace->query, p->t, p->a),
			      view_unit_name(&trace->key, p->s, p->a)),
		 arena_printf(p->a, "weight %s, contribution %s, %s of all",
			      values_number(weight, p->a), values_number(norm, p->a),
			      values_percent(all > 0 ? norm / all : 0, p->a)));
}

static void say_two(const struct values_page *p, struct card *card)
{
	if (p->k->two)
		card_add(card, "outputs",
			 p->k->apart < 1e-9 ? "the same" : values_number(p->k->apart, p->a),
			 "relative difference: its norm over the larger of both");
}

/* The heads' values of a width that is not d_model's are made as wide by a W_o that no file gives. */
static void say_w_o(const struct values_page *p, struct card *card)
{
	const struct model *const model = &p->d->built->model;
	const bool given = model_weight_is_given(model, "w_o");
	const bool drawn = model->config.proj != PROJ_IDENTITY;
	if (!p->k->o.projected)
		card_add(card, "W_o", "W_o = identity",
			 "the output projection: no file gives it (--weights)");
	else
		card_add(card, "W_o",
			 given	 ? "W_o given"
			 : drawn ? "W_o drawn"
				 : "W_o not read",
			 given ? "the output projection: it is in outputs, values and contributions"
			 : drawn ? "of no file, and in outputs, values and contributions"
				 : "the identity, folded to the width of the model");
}

/* Tells how many queries get most from the key that they look at most. */
static void say_same(const struct values_page *p, struct card *card)
{
	const size_t n = p->k->o.norms.rows, other = p->k->elsewhere;
	card_add(card, "same key",
		 arena_printf(p->a,
			      "%zu of %zu queries get most from the key of their largest weight",
			      n - other, n),
		 other == 0 ? NULL
		 : other == 1
			 ? "the other one gets most from another key"
			 : arena_printf(p->a, "the other %zu get most from another key", other));
}

void values_card_panel(const struct values_page *p, struct panel *out)
{
	const struct outputs *const o = &p->k->o;
	*out = (struct panel){.title = "What is written", .paper_title = "What is written"};
	struct card *const card = card_new(out, p->a);
	if (p->k->absent) {
		card_add(card, "outputs", "n/a", p->k->absent);
		return;
	}
	card->about = "A large weight of a short value gives the query little: lengths of what the "
		      "keys write tell more than weights (Kobayashi et al. 2020).";
	say_two(p, card);
	if (o->why) {
		card_add(card, "keys", "n/a", o->why);
		return;
	}
	say_scheme(p, card);
	say_same(p, card);
	say_w_o(p, card);
	say_cell(p, card);
}

/* Returns whether a term is of the scheme, and no bias of a norm. */
static bool is_schemes(const struct output_term *t)
{
	return t->kind == WRITTEN_SCHEME && strcmp(t->label, "bias") != 0;
}

/* Returns the term that has no panel where there are many: that of the tokens, which alone is what the
 * values look like; if it is the largest, the least of the others that are not of the scheme. SIZE_MAX:
 * all have one. */
static size_t left_out(const struct values_page *p, size_t most)
{
	const struct outputs *const o = &p->k->o;
	size_t token = SIZE_MAX, least = SIZE_MAX;
	if (o->n_terms <= 2 || text_contains(p->d->scene->panel, "terms"))
		return SIZE_MAX;
	for (size_t i = 0; i < o->n_terms; i++) {
		if (strcmp(o->terms[i].label, "token") == 0)
			token = i;
		else if (!is_schemes(&o->terms[i]) &&
			 (least == SIZE_MAX || o->terms[i].share < o->terms[least].share))
			least = i;
	}
	return token == most ? least : token;
}

size_t values_vectors(const struct values_page *p, struct panel *to)
{
	const struct outputs *const o = &p->k->o;
	size_t n = 0;
	/* Beside another scheme there is no room for what both share. */
	if (p->d->n_compared < 2) {
		values_panel(p, &to[n]);
		to[n++].priority = 7;
	}
	size_t most = 0;
	for (size_t i = 1; i < o->n_terms; i++)
		most = o->terms[i].share > o->terms[most].share ? i : most;
	const size_t without = left_out(p, most);
	for (size_t i = 0; i < o->n_terms && o->n_terms > 1; i++) {
		if (i == without)
			continue;
		term_panel(p, i, &to[n]);
		to[n++].priority = is_schemes(&o->terms[i]) ? 4 : i == most ? 5 : 8;
	}
	output_panel(p, &to[n]);
	to[n++].priority = 3;
	if (p->d->n_compared > 1) {
		difference_panel(p, &to[n]);
		to[n++].priority = 0;
	}
	return n;
}
