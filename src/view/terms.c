/* terms.c: the view Terms: the logits as an equation of the terms, their sum and its softmax;
 * the share of each term in the sum's variance; and the result without terms that are off.
 *
 * A scheme that multiplies is shown as a product: if each logit is multiplied by a factor of its
 * pair, as content ⊙ factor; if q and k are changed, as the content before and after, with the
 * factor on equal units, which differs from that on other units, beside it.
 *
 * All terms are on one scale, so that their sizes can be compared, except for a presenter, who
 * shows one at a time. Shares are within rows: softmax sees nothing else. Everything is computed
 * from the trace, so switching a term runs no model. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/percent.h"
#include "posviz/plot/equation.h"
#include "said_in.h"

/* The data of the figure. */
struct parts {
	const struct view_data *d;
	const struct trace_head *head;
	struct arena *a;
	struct term_sum sum;
	const char *const *within; /* shares of the sum, rounded together; off terms have none */
	bool modulated;
	bool whole;    /* the content after the change is the first term */
	bool all;      /* the content after the change is the sum of all logits */
	bool factored; /* after = before · factor at each pair */
	double limit;  /* limit of the common scale */
	/* The matrices in logits, even of terms that are off: they decide the scale's mode. */
	struct mat *measured;
	size_t n_measured;
};

static unsigned terms_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS | WANT_MODULATION;
}

/* Formats three digits, including zeros at the end, so that numbers in a column can be compared. */
static const char *number(const struct parts *p, double value)
{
	char text[32];
	if (fabs(value) < 1e-12)
		return "0";
	const double whole = floor(log10(fabs(value))) + 1;
	if (!(whole >= -1 && whole <= 3)) /* also true of values that are not finite */
		return arena_strdup(p->a, num_show(text, sizeof text, value, 3));
	return arena_printf(p->a, "%s%.*f", value < 0 ? "−" : "", 3 - (int)fmax(whole, 0),
			    fabs(value));
}

/* ---- panels ---------------------------------------------------------------------------------- */

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

/* Returns the limit of the scale for all matrices measured in logits. It does not depend on
 * which terms are on, so that switching one changes no colour of the others. */
static double common_limit(const struct parts *p)
{
	return fmax(p->sum.most, fmax(size_of(p, p->head->logits), size_of(p, p->head->before)));
}

static void gather_measured(struct parts *p)
{
	p->measured = arena_calloc(p->a, p->head->n_terms + 3, sizeof *p->measured);
	for (size_t i = 0; i < p->head->n_terms; i++)
		p->measured[p->n_measured++] = p->head->terms[i].at;
	p->measured[p->n_measured++] = p->head->logits;
	if (p->modulated)
		p->measured[p->n_measured++] = p->head->before;
	if (p->modulated && !p->whole && !p->all)
		p->measured[p->n_measured++] = p->head->after;
}

/* For a presenter each matrix is alone, and has a scale for its own values. */
static void logits_panel(const struct parts *p, struct mat m, struct panel *panel)
{
	const bool shared = !p->d->scene->presenter;
	const struct paint paint = {.allowed = p->head->mask,
				    .is_signed = true,
				    .shared = shared,
				    .limit = p->limit,
				    .spread_by = shared ? p->measured : NULL,
				    .n_spread_by = shared ? p->n_measured : 0,
				    .more_of = "attention"};
	view_heatmap(p->d, m, &paint, p->a, panel);
}

static bool equal(struct mat a, struct mat b)
{
	double lo = 0, hi = 0;
	mat_range(a, &lo, &hi);
	return mat_max_abs_diff(a, b) <= 1e-12 * (1 + fmax(fabs(lo), fabs(hi)));
}

static struct operand operand(enum sign sign, const char *formula)
{
	return (struct operand){.sign = sign, .formula = formula, .unit = "logit"};
}

/* Returns "0.5 × bias". Messages and names use `label` alone. */
static const char *weighted(const struct parts *p, const struct trace_term *term)
{
	return arena_printf(p->a, "%s%s", mixture_weight(term->weight, p->a), term->label);
}

static void term_panel(const struct parts *p, size_t i, struct panel *panel)
{
	const struct trace_term *term = &p->head->terms[i];
	const bool on = p->sum.on[i];
	const char *share = p->sum.varies_within ? p->within[i] : "n/a";
	const bool after = p->modulated && p->whole && i == 0;
	*panel = (struct panel){
		.name = "terms",
		.title = after ? "Content after" : figure_scripts(p->a, weighted(p, term)),
		.brief_title =
			after ? "after"
			      : view_brief_name(figure_scripts(p->a, weighted(p, term)), p->a),
		.paper_title = after ? arena_printf(p->a, "Content after (%s)", term->label)
				     : weighted(p, term),
		.term = term->label,
		.off = !on,
		.note = on ? arena_printf(p->a, "%s of variance", share)
			   : view_short_term(p->d, term->label, p->a),
		.short_note = on ? share : NULL,
		.subtitle = term_kind(term, view_layer(p->d) > 0),
		.operand = operand(i == 0 ? SIGN_FIRST : SIGN_PLUS, term_formula(p->head, i, p->a)),
	};
	if (p->sum.n > 1 && p->sum.varies_within) {
		panel->operand.share = on ? share : "off";
		panel->operand.of_whole = on ? p->sum.within[i] : 0;
	}
	logits_panel(p, term->at, panel);
}

static void before_panel(const struct parts *p, struct panel *panel)
{
	*panel = (struct panel){.name = "before",
				.title = "Content before",
				.note = view_layer_note(p->d, p->a),
				.short_note = view_short_layer(p->d, p->a),
				.subtitle = "c·q·k of q and k as projected",
				.operand = operand(SIGN_FIRST, "q_t^⊤ k_s")};
	logits_panel(p, p->head->before, panel);
}

static void after_panel(const struct parts *p, struct panel *panel)
{
	*panel = (struct panel){.name = "after",
				.title = "Content after",
				.note = view_layer_note(p->d, p->a),
				.short_note = view_short_layer(p->d, p->a),
				.subtitle = p->all ? "the logits as the scheme leaves them"
						   : "c·q·k of q and k as the scheme leaves them",
				.operand = operand(SIGN_EQUALS, p->all ? "A_{ts}" : "q′_t^⊤ k′_s")};
	logits_panel(p, p->head->after, panel);
}

static void modulation_panel(const struct parts *p, struct panel *panel)
{
	const struct trace_head *head = &p->d->trace->layers[0].heads[view_head(p->d)];
	const struct mat m = head->modulation;
	*panel =
		(struct panel){.name = "modulation",
			       .title = view_layer(p->d) > 0 ? "Modulation, layer 1" : "Modulation",
			       .note = view_beside(view_short_head(p->d, p->a), "layer 1", p->a),
			       .short_note = view_short_head(p->d, p->a),
			       .kind = PANEL_HEATMAP,
			       .absent = p->d->trace->bias_absent};
	if (!m.at && !panel->absent)
		panel->absent = "nothing multiplies in layer 1, where the factor is taken";
	if (panel->absent)
		return;
	bool all;
	const struct paint paint = {
		.allowed = term_defined(m, head->mask, &all, p->a), .is_signed = true, .own = true};
	panel->subtitle = arena_printf(p->a, "factor on unit–unit, %s%s", view_probe(p->d, p->a),
				       all	    ? ""
				       : head->mask ? "; stroke: masked, or undefined, 0 before"
						    : "; stroke: undefined, 0 before");
	panel->operand = operand(p->factored ? SIGN_TIMES : SIGN_FIRST, "f_{ts}");
	panel->operand.unit = "factor";
	view_heatmap(p->d, m, &paint, p->a, panel);
}

static const char *sum_words(const struct parts *p)
{
	const struct term_sum *sum = &p->sum;
	const char *of = sum->n_on < sum->n
				 ? arena_printf(p->a, "%zu of %zu terms", sum->n_on, sum->n)
			 : sum->n == 1 ? "one term: the logits"
				       : "all terms: the logits";
	return arena_printf(p->a, "%s · σ %s", of, number(p, sum->sum_sd));
}

/* If there is a single term and it is on, the sum repeats it. */
static void sum_panel(const struct parts *p, struct panel *panel)
{
	const struct term_sum *sum = &p->sum;
	const bool partial = sum->n_on < sum->n;
	const char *head = view_short_layer(p->d, p->a);
	const char *some = arena_printf(p->a, "%zu of %zu terms", sum->n_on, sum->n);
	*panel = (struct panel){.name = "sum",
				.title = "Sum",
				.note = partial ? view_beside(some, head, p->a)
						: view_layer_note(p->d, p->a),
				.short_note = head,
				.subtitle = sum_words(p),
				.operand = operand(SIGN_EQUALS, partial ? "A′_{ts}" : "A_{ts}")};
	panel->operand.part = partial ? some : NULL;
	panel->operand.implied = sum->n == 1 && !partial;
	logits_panel(p, sum->sum, panel);
}

/* Returns whether the weights are those that a scheme makes itself: a part of its sum has none. */
static bool shows_own_weights(const struct parts *p)
{
	return view_weighs_otherwise(p->d, p->head) && p->sum.n_on == p->sum.n &&
	       !view_is_mean(p->d) && mat_max_abs_diff(p->sum.weights, p->head->weights) > 1e-9;
}

static const char *weights_words(const struct parts *p)
{
	const char *const of =
		p->head->mask ? "softmax over allowed keys" : "softmax over the keys";
	const char *const sums = p->head->sink_logit ? view_row_sums(p->head, p->a) : NULL;
	const char *const masked = sums ? arena_printf(p->a, "%s and a sink; %s", of, sums) : of;
	const double apart = mat_max_abs_diff(p->sum.weights, p->head->weights);
	if (view_is_mean(p->d) && p->sum.n_on == p->sum.n)
		return arena_printf(p->a, "%s; the mean of the weights differs by up to %s", masked,
				    number(p, apart));
	if (shows_own_weights(p)) {
		const char *const own = view_row_sums(p->head, p->a);
		return arena_printf(p->a, "as the scheme weighs, no softmax of the sum%s%s",
				    own ? "; " : "", own ? own : "");
	}
	if (view_weighs_otherwise(p->d, p->head))
		return arena_printf(p->a, "%s; the scheme itself weighs otherwise", masked);
	if (p->sum.n_on == p->sum.n)
		return masked;
	return arena_printf(p->a, "%s; off terms change weights by up to %s", masked,
			    number(p, apart));
}

static void weights_panel(const struct parts *p, struct panel *panel)
{
	*panel = (struct panel){.name = "weights",
				.title = "Sum's weights",
				.brief_title = "Weights",
				.paper_title = "Weights of the sum",
				.note = view_layer_note(p->d, p->a),
				.short_note = view_short_layer(p->d, p->a),
				.subtitle = weights_words(p),
				.operand = {.sign = SIGN_BECOMES,
					    .done = "softmax",
					    .formula = "α_{ts}",
					    .unit = "weight"}};
	const struct paint paint = {.allowed = p->head->mask, .unit = true, .more_of = "attention"};
	const bool own = shows_own_weights(p);
	if (own)
		panel->operand.done = "weighs";
	view_heatmap(p->d, own ? p->head->weights : p->sum.weights, &paint, p->a, panel);
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
		notes[i] = sum->on[i] ? p->within[i] : "";
	}
	*panel = (struct panel){.kind = PANEL_BARS,
				.name = "share",
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

static const char *term_note(const struct parts *p, size_t i)
{
	const struct term_sum *sum = &p->sum;
	if (sum->sd_within[i] <= 1e-12 * fmax(1, p->limit))
		return sum->sd[i] > 1e-12 * fmax(1, p->limit)
			       ? "the same for every key of a row: it changes no weight"
			       : "the same everywhere: it changes no weight";
	if (sum->n >= MANY_TERMS) /* a row for each */
		return sum->on[i] && sum->varies_within ? p->within[i] : NULL;
	return arena_printf(p->a, "spread within rows; %s over all pairs", number(p, sum->sd[i]));
}

/* Returns the name of a term; of many a brief one, which fits into a row. */
static const char *key_of(const struct parts *p, size_t i)
{
	const char *const name = figure_scripts(p->a, weighted(p, &p->head->terms[i]));
	const char *const brief = view_brief_name(name, p->a);
	return p->sum.n >= MANY_TERMS && brief ? brief : name;
}

static void add_spread(const struct parts *p, size_t i, struct card *card)
{
	const char *const spread = arena_printf(p->a, "σ %s", number(p, p->sum.sd_within[i]));
	card_add(card, key_of(p, i), p->sum.on[i] ? spread : "off", term_note(p, i));
}

static void card_panel(const struct parts *p, struct panel *panel)
{
	const struct trace *trace = p->d->trace;
	const struct expr *expr = &p->d->built->expr;
	const char *const formula = expr->n == 1 ? expr->members[0].scheme->formula : NULL;
	*panel = (struct panel){.title = formula ? "Formula, spread of its terms"
						 : "Spread of the terms",
				.paper_title = "What is added"};
	struct card *card = card_new(panel, p->a);
	card->formula = formula;
	card->about = "Softmax subtracts what a row has in common, so shares and σ are of "
		      "deviations within rows: cov(term, sum) / var(sum). σ over all pairs: from "
		      "the mean of them all.";
	if (p->sum.n >= MANY_TERMS)
		card_add(card, "term", "σ in rows", "share of variance");
	size_t order[MODEL_MAX_TERMS];
	term_order(&p->sum, order);
	for (size_t k = 0; k < p->sum.n; k++)
		add_spread(p, order[k], card);
	if (trace->split_absent)
		card_add(card, "split", "none", trace->split_absent);
	terms_ids(p->d, p->a, card);
	if (view_is_mean(p->d))
		card_add(card, "weights", "of the mean logits",
			 arena_printf(
				 p->a, "the mean of the weights differs by up to %s",
				 number(p, mat_max_abs_diff(p->sum.weights, p->head->weights))));
	terms_parts(p->d, p->head, p->a, card);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Priorities when there is little room. */
enum { OTHERS = 4, WEIGHTS = OTHERS + MODEL_MAX_TERMS, FACTOR, LEAST };
enum { ROW = 4 }; /* panels in a row if there is no room for an equation */

static void place_all(struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		view_place(&f->panels[i], (unsigned char)(i / ROW), (unsigned char)(i % ROW), 1,
			   f->panels[i].priority);
	memset(f->col_weight, 8, f->n < ROW ? f->n : ROW);
	memset(f->row_weight, 5, (f->n + ROW - 1) / ROW);
}

/* Returns the priority of a term when there is little room. Panels are kept in this order: the
 * first term, the largest other one, the shares, their sum, the other terms by their shares, the
 * weights, small terms. With a single term, sum and shares show nothing new; if it is multiplied, the content
 * before is kept with it. */
static unsigned char rank(const struct parts *p, size_t term)
{
	return term == 0				? 0
	       : term == term_largest(p->head, &p->sum) ? 1
	       : term_is_small(&p->sum, term)		? EQUATION_SMALL
							: OTHERS + term_rank(&p->sum, term);
}

static struct panel *add_terms(const struct parts *p, struct panel *next)
{
	for (size_t i = 0; i < p->sum.n; i++) {
		term_panel(p, i, next);
		next++->priority = rank(p, i);
	}
	return next;
}

static struct panel *add_sum(const struct parts *p, struct panel *next)
{
	sum_panel(p, next);
	next++->priority = p->sum.n == 1 ? 6 : 3;
	weights_panel(p, next);
	next++->priority = p->sum.n == 1 ? 1 : WEIGHTS;
	return next;
}

/* Returns the name of the member that multiplies: "rope". */
static const char *multiplier(const struct parts *p)
{
	const struct built *b = p->d->built;
	const char *name = NULL;
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].hooks->modulates)
			name = name ? "the scheme" : b->members[i].name;
	return name ? name : "the scheme";
}

/* Adds "before ⊙ factor = logits → weights", or "before → logits → weights" and the factor
 * apart. The terms are then only a part and the rest of these logits. */
static struct panel *add_product(const struct parts *p, struct panel *next)
{
	before_panel(p, next);
	next++->priority = 2;
	if (p->factored) {
		modulation_panel(p, next);
		next++->priority = 1;
	}
	struct panel *const sum = next;
	next = add_sum(p, next);
	sum->priority = 0;
	sum->operand.implied = false;
	if (!p->factored) {
		sum->operand.sign = SIGN_BECOMES;
		sum->operand.done = multiplier(p);
		modulation_panel(p, next);
		next++->priority = 4;
	}
	struct panel *const terms = next;
	next = add_terms(p, terms);
	for (struct panel *t = terms; t < next; t++) {
		t->operand.implied = true;
		t->priority = LEAST;
	}
	return next;
}

/* Returns whether the logits are made from the content otherwise than by a sum. */
static bool is_made(const struct parts *p)
{
	const size_t n = p->sum.n;
	return p->modulated && p->all && p->sum.n_on == n &&
	       (p->factored || strcmp(p->head->terms[n - 1].label, "rest") == 0);
}

/* Adds "before ⊙ factor = after", or "before → after" and the factor apart; then the terms. */
static struct panel *add_modulated(const struct parts *p, struct panel *next)
{
	struct panel *after = NULL;
	before_panel(p, next);
	next++->priority = p->sum.n == 1 ? 2 : FACTOR;
	if (p->factored) {
		modulation_panel(p, next);
		next++->priority = FACTOR;
	}
	if (p->factored || !p->whole) {
		after = next;
		after_panel(p, next);
		next++->priority = FACTOR;
	}
	struct panel *const terms = next;
	next = add_terms(p, next);
	if (!p->factored)
		(after ? after : terms)->operand.sign = SIGN_BECOMES;
	(after ? after : terms)->operand.done = multiplier(p);
	next = add_sum(p, next);
	if (!p->factored) {
		modulation_panel(p, next);
		next++->priority = p->sum.n == 1 ? 3 : FACTOR;
	}
	return next;
}

static void fill(struct parts *p, struct figure *out)
{
	struct panel *next = out->panels;
	if (is_made(p))
		next = add_product(p, next);
	else if (p->modulated)
		next = add_modulated(p, next);
	else
		next = add_sum(p, add_terms(p, next));
	bars_panel(p, next);
	next++->priority = p->sum.n == 1 ? 6 : 2;
	card_panel(p, next);
	next++->priority = LEAST;
	out->n = (size_t)(next - out->panels);
	place_all(out);
}

static struct parts parts_of(const struct view_data *data, struct arena *a)
{
	struct parts p = {.d = data, .a = a};
	p.head = &data->trace->layers[view_layer(data)].heads[view_head(data)];
	p.modulated = p.head->before.at != NULL;
	return p;
}

/* Returns whether after = before ⊙ factor. */
static bool is_product(const struct parts *p)
{
	const struct mat f = p->d->trace->layers[0].heads[view_head(p->d)].modulation;
	const struct mat before = p->head->before, after = p->head->after;
	const double size = size_of(p, before) + size_of(p, after);
	if (view_layer(p->d) > 0 || !f.at)
		return false;
	for (size_t t = 0; t < f.rows; t++)
		for (size_t s = 0; s < f.cols; s++) {
			const double of = mat_row(before, t)[s] * mat_row(f, t)[s];
			if (!(fabs(of - mat_row(after, t)[s]) <= 1e-12 * size))
				return false;
		}
	return true;
}

/* Makes the sum of the terms that are on now. A kept sum is valid until a term is switched; it
 * does not depend on cursor or colours. */
static void add_up(struct parts *p)
{
	const struct parts *kept = p->d->kept;
	bool on[MODEL_MAX_TERMS], same = kept && kept->head == p->head;
	for (size_t i = 0; i < p->head->n_terms; i++) {
		on[i] = !scene_term_is_off(p->d->scene, p->head->terms[i].label);
		same = same && on[i] == kept->sum.on[i];
	}
	if (same) {
		const struct parts now = *p;
		*p = *kept;
		p->d = now.d;
		p->a = now.a;
		return;
	}
	terms_sum(p->head, on, p->a, &p->sum);
	p->within = percent_texts(p->sum.within, p->sum.n, p->a);
	p->whole = p->modulated && equal(p->head->after, p->head->terms[0].at);
	p->all = p->modulated && equal(p->head->after, p->head->logits);
	p->factored = p->modulated && is_product(p);
	p->limit = common_limit(p);
	gather_measured(p);
}

static const void *terms_keep(const struct view_data *data, struct arena *a)
{
	struct parts p = parts_of(data, a);
	if (p.head->n_terms == 0)
		return NULL;
	add_up(&p);
	struct parts *kept = arena_calloc(a, 1, sizeof *kept);
	*kept = p;
	return kept;
}

static void say_finding(const struct parts *p, struct figure *out)
{
	const struct term_told t = {.head = p->head,
				    .sum = &p->sum,
				    .shares = p->within,
				    .where = view_head_words(p->d, p->a),
				    .by = multiplier(p),
				    .above = view_layer(p->d) > 0};
	term_say(&t, p->d->trace, p->a, out);
}

static void terms_figure(const struct view_data *data, struct arena *a, struct figure *out)
{
	struct parts p = parts_of(data, a);
	view_frame(data, view_layer_note(data, a), a, out);
	if (p.head->n_terms == 0) {
		terms_without_logits(data, a, out);
	} else {
		const char *unknown = scene_terms_unknown(data->scene, p.head, a);
		add_up(&p);
		fill(&p, out);
		say_finding(&p, out);
		if (unknown)
			out->subtitle = arena_printf(a, "%s   ·   no term is called %s",
						     out->subtitle, unknown);
	}
	view_close(data, out);
}

const struct view view_terms = {"terms",	 "Terms",	"What is each logit the sum of?",
				terms_wants,	 terms_figure,	.keep = terms_keep,
				.sum = true,	 .broad = true, .split = true,
				.by_words = true};
