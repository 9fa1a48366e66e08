/* terms.c: the view Terms: what the logits are the sum of, what is left when a term is switched off, and
 * how much of the sum's variance each term makes up; for schemes that multiply, what they multiply.
 *
 * All terms lie on one scale, so that sizes compare. The shares are those within rows: softmax sees
 * nothing else. Everything follows from the trace, so switching a term runs no model. */
#include <math.h>
#include <string.h>

#include "posviz/num.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"
#include "view_in.h"

/* What the figure is made of. */
struct parts {
	const struct view_data *d;
	const struct trace_head *head;
	struct arena *a;
	struct term_sum sum;
	size_t shown;		     /* terms that have a panel */
	bool card, modulated, apart; /* apart: "content after" is more than one term */
	double limit;		     /* of the common scale */
};

static unsigned terms_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS | WANT_MODULATION;
}

/* ---- what is off -------------------------------------------------------------------------------- */

/* The next label of "a; b": its bytes without blanks around them. */
static bool next_label(const char **at, const char **label, size_t *len)
{
	while (**at) {
		const char *from = *at + strspn(*at, " ");
		const size_t all = strcspn(from, ";");
		*at = from + all + (from[all] == ';');
		*label = from;
		for (*len = all; *len > 0 && from[*len - 1] == ' ';)
			--*len;
		if (*len > 0)
			return true;
	}
	return false;
}

bool view_term_is_off(const struct scene *scene, const char *term)
{
	const char *at = scene->terms_off, *label;
	size_t len;
	if (strcmp(at, "none") == 0)
		return false;
	while (next_label(&at, &label, &len))
		if (strlen(term) == len && memcmp(term, label, len) == 0)
			return true;
	return false;
}

static bool is_term(const struct trace_head *head, const char *label, size_t len)
{
	for (size_t i = 0; i < head->n_terms; i++)
		if (strlen(head->terms[i].label) == len &&
		    memcmp(head->terms[i].label, label, len) == 0)
			return true;
	return false;
}

/* Labels that name nothing here: of another scheme, or misspelt. */
static const char *unknown_labels(const struct parts *p)
{
	const char *at = p->d->scene->terms_off, *label;
	struct strbuf b;
	size_t len;
	strbuf_init(&b, p->a);
	if (strcmp(at, "none") == 0)
		return NULL;
	while (next_label(&at, &label, &len))
		if (!is_term(p->head, label, len))
			strbuf_printf(&b, "%s%s", b.len ? ", " : "", text_quote(p->a, label, len));
	return b.len ? b.at : NULL;
}

/* ---- words -------------------------------------------------------------------------------------- */

/* Whole percents; under one, tenths. */
static const char *percent(const struct parts *p, double share)
{
	const int digits = fabs(share) < 0.01;
	const double scale = digits ? 10 : 1, rounded = round(100 * share * scale) / scale;
	if (fabs(rounded) <= 0)
		return "0 %";
	return arena_printf(p->a, "%s%.*f %%", rounded < 0 ? "−" : "", digits, fabs(rounded));
}

/* Three digits, zeros at their end as well: numbers below each other are to be compared. */
static const char *number(const struct parts *p, double value)
{
	char text[32];
	if (fabs(value) < 1e-12)
		return "0";
	const int whole = (int)floor(log10(fabs(value))) + 1;
	if (whole < -1 || whole > 3)
		return arena_strdup(p->a, num_show(text, sizeof text, value, 3));
	return arena_printf(p->a, "%s%.*f", value < 0 ? "−" : "", 3 - (whole > 0 ? whole : 0),
			    fabs(value));
}

static const char *kind_words(const struct parts *p, const struct trace_term *term)
{
	switch (term->kind) {
	case TERM_UNIT_UNIT:
		return view_layer(p->d) > 0 ? "unit: what the layer below gives" : "units alone";
	case TERM_UNIT_POSITION:
		return "query's unit, key's position";
	case TERM_POSITION_UNIT:
		return "query's position, key's unit";
	case TERM_POSITION:
		return "positions alone";
	case TERM_OTHER:
		break;
	}
	return strcmp(term->label, "content") == 0 ? "all of q·k, not parted"
	       : strcmp(term->label, "rest") == 0  ? "what else is in the logits"
						   : "units and positions together";
}

/* ---- panels ------------------------------------------------------------------------------------- */

static double size_of(const struct parts *p, struct mat m)
{
	double most = 0;
	for (size_t t = 0; m.at && t < m.rows; t++)
		for (size_t s = 0; s < m.cols; s++)
			if (!p->head->mask || p->head->mask[t * m.cols + s])
				most = fabs(mat_row(m, t)[s]) > most ? fabs(mat_row(m, t)[s])
								     : most;
	return most;
}

/* One scale for all that is measured in logits; terms that are off count too, so that switching one
 * moves no colour as long as the sum does not grow beyond it. */
static double common_limit(const struct parts *p)
{
	return fmax(p->sum.most, fmax(size_of(p, p->head->logits), size_of(p, p->head->before)));
}

static void logits_panel(const struct parts *p, struct mat m, struct panel *panel)
{
	const struct paint paint = {
		.allowed = p->head->mask, .is_signed = true, .shared = true, .limit = p->limit};
	view_heatmap(p->d, m, &paint, p->a, panel);
}

static bool equal(struct mat a, struct mat b)
{
	double lo = 0, hi = 0;
	mat_range(a, &lo, &hi);
	return mat_max_abs_diff(a, b) <= 1e-12 * (1 + fmax(fabs(lo), fabs(hi)));
}

static void term_panel(const struct parts *p, size_t i, struct panel *panel)
{
	const struct trace_term *term = &p->head->terms[i];
	const bool on = p->sum.on[i];
	const char *share = p->sum.varies_within ? percent(p, p->sum.within[i]) : "n/a";
	const bool whole = p->modulated && !p->apart && i == 0;
	*panel = (struct panel){
		.title = whole ? "Content after" : term->label,
		.paper_title = whole ? arena_printf(p->a, "Content after (%s)", term->label) : NULL,
		.term = term->label,
		.off = !on,
		.note = on ? arena_printf(p->a, "%s of variance", share)
			   : view_short_layer(p->d, p->a),
		.short_note = on ? share : NULL,
		.subtitle = arena_printf(p->a, "%s · σ %s", kind_words(p, term),
					 number(p, p->sum.sd[i])),
	};
	logits_panel(p, term->at, panel);
}

static void before_panel(const struct parts *p, struct panel *panel)
{
	*panel = (struct panel){.title = "Content before",
				.note = view_layer_note(p->d, p->a),
				.short_note = view_short_layer(p->d, p->a),
				.subtitle = "c·q·k of q and k as projected"};
	logits_panel(p, p->head->before, panel);
}

static void after_panel(const struct parts *p, struct panel *panel)
{
	*panel = (struct panel){.title = "Content after",
				.note = view_layer_note(p->d, p->a),
				.short_note = view_short_layer(p->d, p->a),
				.subtitle = "c·q·k of q and k as the scheme leaves them"};
	if (equal(p->head->after, p->head->logits))
		panel->subtitle = "the logits as the scheme leaves them";
	logits_panel(p, p->head->after, panel);
}

/* Where there is a factor: the others are hatched. */
static const uint8_t *defined(struct mat m, bool *all, struct arena *a)
{
	uint8_t *at = arena_alloc(a, m.rows * m.cols);
	*all = true;
	for (size_t t = 0; t < m.rows; t++) {
		for (size_t s = 0; s < m.cols; s++) {
			at[t * m.cols + s] = !isnan(mat_row(m, t)[s]);
			*all &= at[t * m.cols + s];
		}
	}
	return *all ? NULL : at;
}

static void modulation_panel(const struct parts *p, struct panel *panel)
{
	const struct mat m = p->d->trace->layers[0].heads[view_head(p->d)].modulation;
	*panel = (struct panel){
		.title = "Modulation",
		.note = arena_printf(p->a, "%s · layer 1", view_short_head(p->d, p->a)),
		.short_note = view_short_head(p->d, p->a),
		.kind = PANEL_HEATMAP,
		.absent = p->d->trace->bias_absent};
	if (!m.at && !panel->absent)
		panel->absent = "nothing multiplies in layer 1, where the factor is taken";
	if (panel->absent)
		return;
	bool all;
	const struct paint paint = {
		.allowed = defined(m, &all, p->a), .is_signed = true, .own = true};
	panel->subtitle = arena_printf(p->a, "factor on unit–unit, %s%s", view_probe(p->d, p->a),
				       all ? "" : "; stroke: undefined, 0 before");
	view_heatmap(p->d, m, &paint, p->a, panel);
}

static const char *sum_words(const struct parts *p)
{
	const struct term_sum *sum = &p->sum;
	const char *unknown = unknown_labels(p);
	struct strbuf b;
	strbuf_init(&b, p->a);
	if (sum->n_on == sum->n)
		strbuf_printf(&b, "%s: the logits", sum->n == 1 ? "one term" : "all terms");
	else
		strbuf_printf(&b, "%zu of %zu terms", sum->n_on, sum->n);
	strbuf_printf(&b, " · σ %s", number(p, sum->sum_sd));
	if (p->shown < sum->n)
		strbuf_printf(&b, "; %zu of %zu are shown", p->shown, sum->n);
	if (unknown)
		strbuf_printf(&b, "; no term is called %s", unknown);
	if (!p->card && p->d->trace->split_absent)
		strbuf_printf(&b, "; %s", p->d->trace->split_absent);
	return b.at;
}

static void sum_panel(const struct parts *p, struct panel *panel)
{
	const struct term_sum *sum = &p->sum;
	const char *head = view_short_layer(p->d, p->a);
	*panel = (struct panel){.title = "Sum",
				.note = sum->n_on < sum->n || p->shown < sum->n
						? arena_printf(p->a, "%zu of %zu terms · %s",
							       sum->n_on, sum->n, head)
						: view_layer_note(p->d, p->a),
				.short_note = head,
				.subtitle = sum_words(p)};
	logits_panel(p, sum->sum, panel);
}

/* Something other than a softmax makes the model's weights of these logits. */
static bool weighs_otherwise(const struct parts *p)
{
	for (size_t i = 0; i < p->d->built->n_members; i++) {
		const struct member *m = &p->d->built->members[i];
		if (m->hooks->weights && view_acts(p->d, m))
			return true;
	}
	return false;
}

static const char *weights_words(const struct parts *p)
{
	const char *masked = p->head->mask ? "softmax over allowed keys" : "softmax over the keys";
	const double apart = mat_max_abs_diff(p->sum.weights, p->head->weights);
	const size_t heads = p->d->built->model.config.heads;
	const bool mean = view_head(p->d) == heads || view_layer(p->d) == p->d->trace->n_layers;
	if (mean && p->sum.n_on == p->sum.n)
		return arena_printf(p->a, "%s; the mean of the weights differs by up to %s", masked,
				    number(p, apart));
	if (weighs_otherwise(p))
		return arena_printf(p->a, "%s; the scheme itself weighs otherwise", masked);
	if (p->sum.n_on == p->sum.n)
		return masked;
	return arena_printf(p->a, "%s; off terms change weights by up to %s", masked,
			    number(p, apart));
}

static void weights_panel(const struct parts *p, struct panel *panel)
{
	*panel = (struct panel){.title = "Sum's weights",
				.paper_title = "Weights of the sum",
				.note = view_layer_note(p->d, p->a),
				.short_note = view_short_layer(p->d, p->a),
				.subtitle = weights_words(p)};
	const struct paint paint = {.allowed = p->head->mask, .unit = true};
	view_heatmap(p->d, p->sum.weights, &paint, p->a, panel);
}

static void bars_panel(const struct parts *p, struct panel *panel)
{
	const struct term_sum *sum = &p->sum;
	const char **labels = arena_calloc(p->a, sum->n, sizeof *labels);
	const char **notes = arena_calloc(p->a, sum->n, sizeof *notes);
	double *values = arena_calloc(p->a, sum->n, sizeof *values);
	bool *off = arena_calloc(p->a, sum->n, sizeof *off);
	for (size_t i = 0; i < sum->n; i++) {
		values[i] = sum->within[i];
		off[i] = !sum->on[i];
		labels[i] = p->head->terms[i].label;
		notes[i] = sum->on[i] ? percent(p, sum->within[i]) : "";
	}
	*panel = (struct panel){.kind = PANEL_BARS,
				.title = "Share of the variance",
				.note = "within rows",
				.subtitle = "cov(term, sum) / var(sum), each from the mean of its "
					    "row: what softmax sees",
				.bars = {.n = sum->n,
					 .labels = labels,
					 .values = values,
					 .notes = notes,
					 .off = off,
					 .unit = ""}};
	if (!sum->varies_within)
		panel->absent = sum->n_on
					? "in no row does the sum differ between allowed keys: all "
					  "get the same weight, and there is nothing to share"
					: "every term is off: there is no sum to share";
}

/* ---- the card ----------------------------------------------------------------------------------- */

static const char *term_note(const struct parts *p, size_t i)
{
	const struct term_sum *sum = &p->sum;
	if (sum->sd_within[i] <= 1e-12 * fmax(1, p->limit))
		return sum->sd[i] > 1e-12 * fmax(1, p->limit)
			       ? "the same for every key of a row: it changes no weight"
			       : "the same everywhere: it changes no weight";
	const char *sd = arena_printf(p->a, "σ %s · in rows %s", number(p, sum->sd[i]),
				      number(p, sum->sd_within[i]));
	return !sum->on[i] || !sum->varies
		       ? sd
		       : arena_printf(p->a, "%s · of all %s", sd, percent(p, sum->all[i]));
}

static void card_panel(const struct parts *p, struct panel *panel)
{
	const struct trace *trace = p->d->trace;
	*panel = (struct panel){.title = "Terms", .paper_title = "What is added"};
	struct card *card = card_new(panel, p->a);
	card->about =
		"The logits are the sum of these terms. The share is of the sum's variance within "
		"rows, all that softmax sees; “of all”: over all allowed pairs. σ: standard "
		"deviation over them; in rows: from the means of the rows.";
	for (size_t i = 0; i < p->shown; i++)
		card_add(card, p->head->terms[i].label,
			 !p->sum.on[i]		? "off"
			 : p->sum.varies_within ? percent(p, p->sum.within[i])
						: "n/a",
			 term_note(p, i));
	if (trace->split_absent)
		card_add(card, "split", "none", trace->split_absent);
	if (view_layer(p->d) > 0)
		card_add(card, arena_printf(p->a, "layer %zu", view_layer(p->d) + 1), "mixed",
			 "“unit” is what the layer below gives: unit and position are no longer "
			 "apart there");
}

/* ---- the page ----------------------------------------------------------------------------------- */

enum { ROW = 4 }; /* panels in a row when there are many */

/* Many panels leave the card what is left of their last row, or nothing. */
static bool has_card(size_t maps)
{
	return maps < 5 || (maps < 8 && (maps + 3) % ROW != 0);
}

static void place(struct panel *p, size_t row, size_t col, size_t cols)
{
	p->row = (unsigned char)row;
	p->col = (unsigned char)col;
	p->cols = (unsigned char)cols;
}

/* Sum, weights, bars and card. Up to three matrices: sum and weights below them (a single one: beside
 * it). Four: a square, and a column beside it. More: all in turn. */
static void place_rest(struct figure *f, size_t maps)
{
	struct panel *sum = &f->panels[maps], *weights = sum + 1, *bars = sum + 2, *card = sum + 3;
	if (maps == 1) {
		place(sum, 0, 1, 1);
		place(weights, 0, 2, 1);
		place(bars, 1, 0, 1);
		place(card, 1, 1, 2);
	} else if (maps <= 3) {
		place(sum, 1, 0, 1);
		place(weights, 1, 1, 1);
		place(bars, 0, maps, 1);
		place(card, 1, 2, maps - 1);
	} else if (maps == 4) {
		place(sum, 0, 2, 1);
		place(weights, 1, 2, 1);
		place(bars, 0, 3, 1);
		place(card, 1, 3, 1);
	} else {
		for (size_t i = 0; i < 3; i++)
			place(&sum[i], (maps + i) / ROW, (maps + i) % ROW, 1);
		const size_t end = maps + 3;
		if (has_card(maps))
			place(card, end / ROW, end % ROW, ROW - end % ROW);
	}
}

static void place_all(struct figure *f, size_t maps)
{
	const size_t cols = maps > 4 ? ROW : maps == 4 ? 2 : maps;
	for (size_t i = 0; i < maps; i++)
		place(&f->panels[i], i / cols, i % cols, 1);
	place_rest(f, maps);
	memset(f->col_weight, 8, maps == 1 ? 3 : maps <= 3 ? maps + 1 : ROW);
	memset(f->row_weight, 5, maps > 5 ? 3 : 2);
	if (maps == 1)
		f->row_weight[1] = 3;
}

/* What stays on a terminal: the first term and that of positions alone (else the second), the shares,
 * the weights, the other terms, their sum. Of a single term sum and bars say nothing new; where it
 * is multiplied, the factor and what was before stay with it. */
static void rank(const struct parts *p, struct figure *f, size_t maps)
{
	const bool single = p->sum.n == 1;
	size_t second = 1;
	for (size_t i = p->shown; i-- > 1 && !p->modulated;)
		second = p->head->terms[i].kind == TERM_POSITION ? i : second;
	for (size_t i = 0; i < maps; i++)
		f->panels[i].priority = i == 0 ? 0 : i == second ? 1 : 4;
	if (single && maps == 3) {
		static const unsigned char before_after_factor[] = {3, 0, 1};
		for (size_t i = 0; i < maps; i++)
			f->panels[i].priority = before_after_factor[i];
	}
	f->panels[maps].priority = single ? 6 : 5;
	f->panels[maps + 1].priority = 3;
	f->panels[maps + 2].priority = single ? 6 : 2;
	if (p->card)
		f->panels[maps + 3].priority = 7;
}

static void without_logits(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct trace_head *head = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	struct panel *p = out->panels;
	const struct paint paint = {.allowed = head->mask, .unit = true};
	p[0] = (struct panel){.kind = PANEL_HEATMAP,
			      .title = "Terms",
			      .note = view_layer_note(d, a),
			      .short_note = view_short_layer(d, a),
			      .absent =
				      "there are no logits, so there are no terms: the weights are "
				      "given directly"};
	p[1] = (struct panel){.title = "Attention weights",
			      .note = view_layer_note(d, a),
			      .short_note = view_short_layer(d, a),
			      .subtitle = "not a softmax of logits"};
	view_heatmap(d, head->weights, &paint, a, &p[1]);
	card_scheme(d, a, &p[2]);
	place(&p[0], 0, 0, 1);
	place(&p[1], 0, 1, 1);
	place(&p[2], 0, 2, 1);
	p[0].priority = 1;
	p[2].priority = 2;
	memcpy(out->col_weight, (unsigned char[]){5, 8, 6}, 3);
	out->row_weight[0] = 1;
	out->n = 3;
}

static void fill(struct parts *p, struct figure *out)
{
	const size_t extra = p->modulated ? 2 + p->apart : 0, others = 3;
	const size_t room = FIGURE_PANELS - others - extra;
	p->shown = p->head->n_terms < room ? p->head->n_terms : room;
	const size_t maps = p->shown + extra;
	p->card = has_card(maps);
	const bool whole = p->modulated && !p->apart; /* the first term is what is multiplied */
	struct panel *next = out->panels;
	if (whole)
		before_panel(p, next++);
	for (size_t i = 0; i < p->shown; i++)
		term_panel(p, i, next++);
	if (p->apart) {
		before_panel(p, next++);
		after_panel(p, next++);
	}
	if (p->modulated)
		modulation_panel(p, next++);
	sum_panel(p, next++);
	weights_panel(p, next++);
	bars_panel(p, next++);
	if (p->card)
		card_panel(p, next++);
	out->n = (size_t)(next - out->panels);
	place_all(out, maps);
	rank(p, out, maps);
}

/* The sum for the terms that are on now; it holds until one is switched, whatever the looks. */
struct kept {
	const struct trace_head *head;
	struct term_sum sum;
	bool apart;
	double limit;
};

static struct parts parts_of(const struct view_data *data, struct arena *a)
{
	struct parts p = {.d = data, .a = a};
	p.head = &data->trace->layers[view_layer(data)].heads[view_head(data)];
	p.modulated = p.head->before.at != NULL;
	return p;
}

static void add_up(struct parts *p)
{
	const struct kept *kept = p->d->kept;
	bool on[MODEL_MAX_TERMS], same = kept && kept->head == p->head;
	for (size_t i = 0; i < p->head->n_terms; i++) {
		on[i] = !view_term_is_off(p->d->scene, p->head->terms[i].label);
		same = same && on[i] == kept->sum.on[i];
	}
	if (same) {
		p->sum = kept->sum;
		p->apart = kept->apart;
		p->limit = kept->limit;
		return;
	}
	terms_sum(p->head, on, p->a, &p->sum);
	p->apart = p->modulated && !equal(p->head->after, p->head->terms[0].at);
	p->limit = common_limit(p);
}

static const void *terms_keep(const struct view_data *data, struct arena *a)
{
	struct parts p = parts_of(data, a);
	if (p.head->n_terms == 0)
		return NULL;
	add_up(&p);
	struct kept *kept = arena_calloc(a, 1, sizeof *kept);
	*kept = (struct kept){p.head, p.sum, p.apart, p.limit};
	return kept;
}

static void terms_figure(const struct view_data *data, struct arena *a, struct figure *out)
{
	struct parts p = parts_of(data, a);
	view_frame(data, view_layer_note(data, a), a, out);
	if (p.head->n_terms == 0) {
		without_logits(data, a, out);
	} else {
		add_up(&p);
		fill(&p, out);
	}
	view_close(data, a, out);
}

const struct view view_terms = {
	"terms",	  "Terms",	"what the logits are the sum of, and what multiplies them",
	terms_wants,	  terms_figure, .keep = terms_keep,
	.measures = true, .sum = true};
