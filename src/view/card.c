/* card.c: the card of a scheme: its formula and facts, each beside the value computed or
 * measured here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/scheme/results.h"
#include "view_in.h"

/* A mixture has two more lines for each member. */
enum { CARD_LINES = 24 + 2 * MODEL_MAX_MEMBERS };

static const double rounding = 1e-9; /* a smaller change of logits is rounding */

struct card *card_new(struct panel *panel, struct arena *a)
{
	panel->kind = PANEL_CARD;
	panel->card = (struct card){.lines = arena_calloc(a, CARD_LINES, sizeof(struct card_line))};
	return &panel->card;
}

/* The lines belong to this file until the figure is drawn; `const` is meant for the readers of
 * the figure. */
struct card_line *card_last(struct card *card)
{
	struct card_line *const lines = (struct card_line *)(uintptr_t)card->lines;
	return &lines[card->n - 1];
}

void card_add(struct card *card, const char *key, const char *value, const char *note)
{
	BUG_IF(card->n == CARD_LINES);
	card->n++;
	*card_last(card) = (struct card_line){.key = key, .value = value, .note = note};
}

static const char *shown(const struct view_data *data, const struct measure *m, struct arena *a)
{
	return data->measures ? measure_show(m, a) : "…";
}

void card_measured(const struct view_data *data, enum measure_id which, const char *more,
		   struct arena *a, struct card *card)
{
	const struct measure_row *const row = &measure_table[which];
	const char *const meaning = measure_meaning(row, view_has_logits(data), a);
	const struct measures *const m = data->measures;
	card_add(card, row->title, m ? measure_show(measure_at(m, row), a) : "…",
		 more ? arena_printf(a, "%s; %s", meaning, more) : meaning);
}

void card_prefix(const struct view_data *data, struct arena *a, struct card *card)
{
	enum { MOST = 6 };
	const struct measures *const m = data->measures;
	const char *const note = arena_printf(a, "%s, by layer", measure_by_layer.sentence);
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; m && i < m->n_prefix && i < MOST; i++)
		strbuf_printf(&b, "%s%s", i ? ", " : "", measure_show(&m->prefix[i], a));
	if (m && m->n_prefix > MOST)
		strbuf_add(&b, ", …");
	if (!expr_is_causal(&data->built->expr))
		card_add(card, measure_by_layer.title, "n/a", "for causal models only");
	else if (!m || !(m->known & MEASURED_PREFIX))
		card_add(card, measure_by_layer.title, "…", note);
	else if (m->n_prefix == 0)
		card_add(card, measure_by_layer.title, "n/a",
			 "fewer than three tokens: none to shuffle");
	else
		card_add(card, measure_by_layer.title, b.at, note);
}

/* Returns the name of the numbers whose change under a shift is measured. */
static const char *scores_of(const struct view_data *data)
{
	return view_has_logits(data) ? "logits" : "weights";
}

static const char *reference_note(const struct view_data *data, enum reference ref, struct arena *a)
{
	const struct measures *const m = data->measures;
	const unsigned needed = MEASURED_SHIFT | MEASURED_SHIFT_RANDOM;
	if (!m || (m->known & needed) != needed)
		return arena_printf(a, "a shift moves %s by …", scores_of(data));
	if (m->constant_bias && ref == REF_NONE)
		return "the bias is the same everywhere";
	if (!m->shift_random.there)
		return "nothing to compare under a shift";
	/* If it is not zero, it differs from the shift on the probe, which another panel shows. */
	return arena_printf(
		a, "a shift moves %s by %s%s", scores_of(data), shown(data, &m->shift_random, a),
		m->shift_random.value <= rounding		    ? ""
		: model_weight_is_given(&data->built->model, "w_q") ? " with the weights read"
								    : " with random projections");
}

/* Returns in which layers position enters; the expression may name some. */
static const char *recurs(const struct expr_member *m, struct arena *a)
{
	const struct scheme *s = m->scheme;
	const char *const some = m->layers_text;
	if (scheme_holds(s, m->param, CLAIM_RECURRING) == ANSWER_YES)
		return !some ? "in every layer"
			     : arena_printf(a, "in layer%s %s",
					    strspn(some, "0123456789") == strlen(some) ? "" : "s",
					    some);
	return s->inj == INJ_EMBEDDING || s->inj == INJ_BOTH ? "in front of layer 1" : NULL;
}

static const char *count_note(const struct view_data *data, const struct expr_member *m,
			      struct arena *a)
{
	const struct model *model = &data->built->model;
	const size_t made = model_position_parameters(model);
	const size_t frozen = model_frozen_parameters(model);
	const bool mixture = mixture_is(&data->built->expr);
	const char *head = arena_printf(a, "%zu parameter%s%s", made, made == 1 ? "" : "s",
					mixture ? " in all members" : "");
	if (frozen > 0)
		head = frozen == made ? arena_printf(a, "%s, frozen", head)
				      : arena_printf(a, "%s, %zu of them frozen", head, frozen);
	const char *const formula = m->scheme->count_printed;
	if (mixture || !formula)
		return head;
	const double printed = scheme_value(m->scheme, m->param, &model->config, formula);
	if (fabs(printed - (double)made) < 0.5)
		return arena_printf(a, "%s, as printed", head);
	return arena_printf(a, "%s; printed %s = %.0f", head, formula, printed);
}

static bool any_learned(const struct view_data *data)
{
	const struct model *model = &data->built->model;
	return model_position_parameters(model) > model_frozen_parameters(model);
}

/* Adds the line about the length that the scheme is defined for, which may differ from the
 * survey's entry. */
static void add_length(const struct view_data *data, const struct expr_member *m, struct arena *a,
		       struct card *card)
{
	static const char *const words[] = {
		[ANSWER_UNSAID] = "depends", [ANSWER_NO] = "bounded", [ANSWER_YES] = "unbounded"};
	const struct scheme *const s = m->scheme;
	const struct claim *const c = scheme_claim(s, m->param, CLAIM_UNBOUNDED);
	const enum answer holds = scheme_holds(s, m->param, CLAIM_UNBOUNDED);
	const char *note = holds == ANSWER_YES ? "defined for every position"
					       : "what lies beyond its options is told no further";
	if (c && holds != ANSWER_YES)
		note = c->why;
	else if (holds == ANSWER_NO && !(s->flags & (SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH)))
		note = arena_printf(a, "t-max %zu", data->built->model.config.t_max);
	card_add(card, "length", words[holds], note);
}

enum { SHORT = 60 }; /* bytes of a reason that fits beside the word it explains */

/* These two add why a shift changes the logits as it does, if the word for the reference point
 * is not enough. A short reason is part of the line; a long one has its own line, which may be
 * dropped if there is little room. */
static void add_reference(const struct view_data *data, const struct expr_member *m,
			  struct arena *a, struct card *card)
{
	const struct claim *const c = scheme_claim(m->scheme, m->param, CLAIM_RELATIVE);
	const enum reference ref = scheme_reference(m->scheme, m->param);
	const char *note = reference_note(data, ref, a);
	if (c && strlen(c->why) <= SHORT)
		note = arena_printf(a, "%s; %s", note, c->why);
	card_add(card, "reference", reference_names[ref], note);
}

static void add_relative(const struct expr_member *m, struct card *card)
{
	static const char *const words[] = {
		[ANSWER_UNSAID] = "depends", [ANSWER_NO] = "no", [ANSWER_YES] = "yes"};
	const struct claim *const c = scheme_claim(m->scheme, m->param, CLAIM_RELATIVE);
	if (!c || strlen(c->why) <= SHORT)
		return;
	card_add(card, "relative", words[c->holds], c->why);
	card->n_spare++;
}

static bool all_given(const struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (!model->leaves[i].given)
			return false;
	return true;
}

/* Adds the origin of the learned numbers: a file, the paper's initialisation, or the
 * demonstration rule. */
static void add_init(const struct view_data *data, const struct scheme *s, struct arena *a,
		     struct card *card)
{
	const struct model *const model = &data->built->model;
	const char *const given = view_given_leaves(data, data->built, a);
	if (model->n_leaves == 0)
		return;
	if (given)
		card_add(card, "values", "from a file",
			 all_given(model) ? given
					  : arena_printf(a, "%s, the others not trained", given));
	else if (model->config.init == INIT_PAPER)
		card_add(card, "values", "not trained", "drawn as the paper initialises them");
	else
		card_add(card, "values", "not trained", s->demo_note);
}

/* Adds everything else that the numbers depend on; these lines may be dropped because a page has
 * them in its caption. */
static void add_input(const struct view_data *data, const struct expr_member *m, struct arena *a,
		      struct card *card)
{
	const struct model_config *const c = &data->built->model.config;
	const char *const probe = data->scene->setup.probe;
	struct strbuf b;
	strbuf_init(&b, a);
	const struct view_axes axes = view_axes(data->built);
	const size_t n = view_units(data->trace)->n;
	const char *const size = data->built->keys.n > 0 ? view_two_sizes(data->trace, a)
							 : arena_printf(a, "n %zu", n);
	if (view_is_own(data->built))
		card_add(
			card, "input",
			arena_printf(a, "%s%s%s", size,
				     axes.heads ? arena_printf(a, "  h %zu", c->heads) : "",
				     axes.layers ? arena_printf(a, "  layers %zu", c->layers) : ""),
			NULL);
	else
		card_add(card, "input",
			 arena_printf(a, "n %zu  d %zu  h %zu%s  layers %zu", n, c->d, c->heads,
				      setup_heads_text(&data->scene->setup, a), c->layers),
			 data->built->checkpoint
				 ? arena_printf(a, "the model's weights, probe %s",
						text_escape(a, probe, strlen(probe)))
				 : arena_printf(a, "seed %llu, %s projection, probe %s",
						(unsigned long long)c->seed,
						projection_names[c->proj],
						text_escape(a, probe, strlen(probe))));
	const struct param *const params = m->scheme->params;
	for (size_t i = 0; params && params[i].name; i++)
		if (param_is_used(&params[i], m->param))
			strbuf_printf(&b, "%s%s %s", b.len ? "  " : "", params[i].name,
				      param_print(&params[i], m->param, a));
	card->n_spare++;
	card->n_keys++;
	if (b.len == 0)
		return;
	card_add(card, "parameters", b.at, NULL);
	card->n_spare++;
	card->n_keys++;
}

/* Adds the user's own definition: "b(t, s)" as key, the right side as value. */
static void add_definition(const struct expr_member *m, struct arena *a, struct card *card)
{
	const char *const text = m->scheme->defines ? m->scheme->defines(m->param, a) : NULL;
	if (!text)
		return;
	const char *const equals = strstr(text, " = ");
	const char *const value = equals + strlen(" = ");
	card_add(card, arena_strndup(a, text, (size_t)(equals - text)), figure_typeset(a, value),
		 NULL);
	card_last(card)->formula = value;
}

/* Adds the sources of published results about the scheme, and their number. */
static void add_published(const struct scheme *s, struct arena *a, struct card *card)
{
	size_t n, found = 0;
	const struct results *all = results_all(a, &n);
	const char *sources = "";
	for (size_t t = 0; t < n; t++) {
		const size_t before = found;
		for (size_t r = 0; r < all[t].n; r++)
			found += results_name(&all[t].rows[r], s->id);
		if (found > before && !strstr(sources, all[t].source))
			sources = arena_printf(a, "%s%s%s", sources, *sources ? "; " : "",
					       all[t].source);
	}
	if (found == 0)
		return;
	card_add(card, "published", sources,
		 arena_printf(a, "%zu row%s in the view Table", found, found == 1 ? "" : "s"));
	card->n_spare++;
}

/* Adds the structure that the scheme reads. If none was given, the line names the options that
 * give one; else it tells which edges the scheme does not see. */
static void add_structure(const struct view_data *data, const struct expr_member *m,
			  struct arena *a, struct card *card)
{
	const struct scheme *const s = m->scheme;
	const struct structure *at = data->built->structure;
	if (!(s->flags & (SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH)))
		return;
	if (!at) {
		card_add(card, "structure", "none: a chain",
			 s->flags & SCHEME_NEEDS_TREE
				 ? "--conllu, --governors or --tree gives a tree"
				 : "--graph, --conllu, --governors or --tree gives one");
		return;
	}
	const char *const unseen = scheme_unseen(s, m->param, at);
	card_add(card, "structure", structure_names[at->kind],
		 arena_printf(a, "%zu node%s, %zu edge%s%s%s%s%s", at->n, at->n == 1 ? "" : "s",
			      at->n_edges, at->n_edges == 1 ? "" : "s", unseen ? "; " : "",
			      unseen ? unseen : "", at->note ? "; " : "",
			      at->note ? at->note : ""));
}

/* In a mixture the weight is shown beside the member instead. */
static void add_weight(const struct view_data *data, const struct expr_member *m, struct arena *a,
		       struct card *card)
{
	char text[32];
	if (m->weight == 1 || mixture_is(&data->built->expr))
		return;
	num_show(text, sizeof text, m->weight, 6);
	card_add(card, "weight", arena_strdup(a, text),
		 "times what it adds; its mask and the factor of q·k stay");
}

void card_scheme(const struct view_data *data, struct arena *a, struct panel *panel)
{
	const struct expr_member *m = scene_member(data->scene, &data->built->expr);
	const struct scheme *s = m->scheme;
	struct card *card = card_new(panel, a);
	panel->title = s->title;
	panel->paper_title = mixture_is(&data->built->expr) ? arena_printf(a, "What %s does", s->id)
							    : "What it does";
	panel->note = mixture_by(s, a);
	/* If the keys are other tokens than the queries, only the file's numbers have a meaning:
	 * properties of positions are left out. */
	const bool square = data->built->keys.n == 0;
	if (square)
		panel->measured =
			MEASURED_SHIFT | MEASURED_SHIFT_RANDOM; /* for the line "reference" */
	card->formula = scheme_formula_of(s, m->param, a);
	card->about = scheme_about_of(s, m->param);
	/* What is wrong with the positions of this input stands first, then the origin of the
	 * numbers: drawn, trained or given. */
	terms_ids(data, a, card);
	const bool said = card->n > 0 && !strchr(data->trace->note, ';');
	add_init(data, s, a, card);
	if (view_given(data, a))
		card_add(card, "given", view_given(data, a), NULL);
	card->leads = card->n > 0;
	add_definition(m, a, card);
	mixture_lines(data, m, a, card);
	add_weight(data, m, a, card);
	if (data->trace->spectrum.n > 0)
		spectrum_line(&data->trace->spectrum, a, card);
	if (square)
		add_reference(data, m, a, card);
	if (data->split && square)
		card_split(data->split, a, card);
	card_add(card, "injection", injection_names[s->inj],
		 view_is_own(data->built) ? NULL : recurs(m, a));
	if (data->trace->bias_absent)
		card_add(card, "bias", "none", data->trace->bias_absent);
	card_add(card, "learned", any_learned(data) ? "yes" : "no", count_note(data, m, a));
	if (square)
		add_length(data, m, a, card);
	add_structure(data, m, a, card);
	if (data->trace->note && !said)
		card_add(card, "here", data->trace->note, NULL);
	card_add(card, "evidence", evidence_names[s->evidence], s->evidence_note);
	mixture_cards(data, m, a, card);
	if (square)
		add_relative(m, card);
	if (s->table2 != TABLE2_NONE) {
		card_add(card, "topic", table2_names[s->table2], "in the survey's Table 2");
		card->n_spare++;
	}
	add_published(s, a, card);
	add_input(data, m, a, card);
}

static const char *seen_word(const struct measure *m)
{
	if (!m->there)
		return m->why ? "n/a" : "…";
	return m->value < 1e-9 ? "not seen" : "seen";
}

void card_measures(const struct view_data *data, struct arena *a, struct panel *panel)
{
	struct card *card = card_new(panel, a);
	panel->name = "measures";
	panel->title = "Measured";
	panel->paper_title = "What was measured";
	if (data->built->keys.n > 0) {
		panel->absent = view_not_measured;
		return;
	}
	panel->stale = data->measures_stale;
	panel->measured = MEASURED_OWN_ORDER | MEASURED_ORDER | MEASURED_PREFIX | MEASURED_SHIFT |
			  MEASURED_INSERTION;
	if (!data->measures) {
		panel->absent = "being measured …";
		return;
	}
	const struct measures *m = data->measures;
	if (view_is_own(data->built))
		card_add(card, "measured with", "drawn token vectors",
			 "the file has no words and values: outputs are those of drawn ones");
	const char *const on = measure_show_on(&m->on, a);
	if (on)
		card_add(card, "measured on", on,
			 m->on.layers > 0 ? NULL : "so that nobody waits for the rest");
	card_add(card, measure_table[MEASURE_ROW_equivariance].name, seen_word(&m->equivariance),
		 arena_printf(a, "%d shuffles change the %s by %s; equivariance, %s",
			      MEASURE_SHUFFLES, m->on.layers > 0 ? "weights of layer 1" : "output",
			      shown(data, &m->equivariance, a),
			      m->on.layers > 0 ? "‖P·W(X)·Pᵀ − W(P·X)‖ / ‖W(X)‖"
					       : "‖P·T(X) − T(P·X)‖ / ‖T(X)‖"));
	if (m->own_order.there && m->own_order.value > 0)
		card_measured(data, MEASURE_ROW_own_order, NULL, a, card);
	card_measured(data, MEASURE_ROW_invariance, NULL, a, card);
	if (m->known & MEASURED_PREFIX ? m->n_prefix > 0 : expr_is_causal(&data->built->expr))
		card_prefix(data, a, card);
	card_measured(data, MEASURE_ROW_shift, NULL, a, card);
	card_measured(data, MEASURE_ROW_insertion, NULL, a, card);
}
