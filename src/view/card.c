/* card.c: the card of a scheme: formula and facts, each beside what was made or measured here. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/num.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"
#include "view_in.h"

enum { CARD_LINES = 16 };

static const double rounding = 1e-9; /* below it a change of logits is none */

static void add_line(struct card *card, struct card_line *lines, const char *key, const char *value,
		     const char *note)
{
	BUG_IF(card->n == CARD_LINES);
	lines[card->n++] = (struct card_line){.key = key, .value = value, .note = note};
}

static struct card *new_card(struct panel *panel, struct arena *a, struct card_line **lines)
{
	*lines = arena_calloc(a, CARD_LINES, sizeof **lines);
	panel->kind = PANEL_CARD;
	panel->card = (struct card){.lines = *lines};
	return &panel->card;
}

static const char *measured(const struct view_data *data, const struct measure *m, struct arena *a)
{
	return data->measures ? measure_show(m, a) : "…";
}

/* What a shift is measured in. */
static const char *scores_word(const struct view_data *data)
{
	return data->trace->bias_absent ? "weights" : "logits";
}

static const char *reference_note(const struct view_data *data, const struct scheme *s,
				  struct arena *a)
{
	if (!data->measures)
		return arena_printf(a, "a shift moves %s by …", scores_word(data));
	const struct measures *m = data->measures;
	if (m->constant_bias && s->ref == REF_NONE)
		return "the bias is the same everywhere";
	if (!m->shift_random.there)
		return "nothing to compare under a shift";
	/* Where it is not zero it differs from the one on the probe, which is shown elsewhere. */
	return arena_printf(a, "a shift moves %s by %s%s", scores_word(data),
			    measured(data, &m->shift_random, a),
			    m->shift_random.value > rounding ? " with random projections" : "");
}

static const char *recurs(const struct scheme *s)
{
	if (s->flags & SCHEME_RECURRING)
		return "in every layer";
	return s->inj == INJ_EMBEDDING || s->inj == INJ_BOTH ? "in front of layer 1" : NULL;
}

static const char *count_note(const struct view_data *data, const struct expr_member *m,
			      struct arena *a)
{
	const struct model *model = &data->built->model;
	const size_t made = model_position_parameters(model);
	const char *head = arena_printf(a, "%zu parameter%s", made, made == 1 ? "" : "s");
	double printed;
	if (!m->scheme->count_printed || !count_eval(m->scheme->count_printed, &model->config,
						     m->scheme, m->param, &printed, NULL))
		return head;
	if (fabs(printed - (double)made) < 0.5)
		return arena_printf(a, "%s, as printed", head);
	return arena_printf(a, "%s; printed %s = %.0f", head, m->scheme->count_printed, printed);
}

static bool any_learned(const struct view_data *data)
{
	return data->built->model.n_leaves > 0;
}

static bool any_given(const struct view_data *data)
{
	for (size_t i = 0; i < data->built->model.n_leaves; i++)
		if (data->built->model.leaves[i].given)
			return true;
	return false;
}

static const char *length_note(const struct scheme *s, const struct view_data *data,
			       struct arena *a)
{
	if (s->flags & SCHEME_UNBOUNDED)
		return "defined for every position";
	return arena_printf(a, "t-max %zu", data->built->model.config.t_max);
}

/* Whose numbers these are: drawn by the demonstration rule, as in the paper, or from a file. */
static void add_init(const struct view_data *data, const struct scheme *s, struct card *card,
		     struct card_line *lines)
{
	if (!any_learned(data))
		return;
	if (any_given(data))
		add_line(card, lines, "values", "from a file", NULL);
	else if (data->built->model.config.init == INIT_PAPER)
		add_line(card, lines, "values", "not trained",
			 "drawn as the paper initialises them");
	else
		add_line(card, lines, "values", "not trained", s->demo_note);
}

static const char *year_note(const struct scheme *s, struct arena *a)
{
	return arena_printf(a, "%s %d", s->authors, s->year);
}

void card_scheme(const struct view_data *data, struct arena *a, struct panel *panel)
{
	const struct expr_member *m = expr_main(&data->built->expr);
	const struct scheme *s = m->scheme;
	struct card_line *lines;
	struct card *card = new_card(panel, a, &lines);
	panel->title = s->title;
	panel->paper_title = "What it does";
	panel->note = year_note(s, a);
	card->formula = s->formula;
	card->about = s->about;
	add_line(card, lines, "reference", reference_names[s->ref], reference_note(data, s, a));
	add_line(card, lines, "injection", injection_names[s->inj], recurs(s));
	add_line(card, lines, "learned", any_learned(data) ? "yes" : "no", count_note(data, m, a));
	add_line(card, lines, "length", s->flags & SCHEME_UNBOUNDED ? "unbounded" : "bounded",
		 length_note(s, data, a));
	add_init(data, s, card, lines);
	add_line(card, lines, "evidence", evidence_names[s->evidence], s->evidence_note);
}

static const char *seen_word(const struct measure *m)
{
	if (!m->there)
		return "n/a";
	return m->value < 1e-9 ? "not seen" : "seen";
}

void card_measures(const struct view_data *data, struct arena *a, struct panel *panel)
{
	struct card_line *lines;
	struct card *card = new_card(panel, a, &lines);
	panel->title = "Measured";
	panel->paper_title = "What was measured";
	panel->stale = data->measures_stale;
	if (!data->measures) {
		panel->absent = "being measured …";
		return;
	}
	const struct measures *m = data->measures;
	add_line(card, lines, "order", seen_word(&m->equivariance),
		 arena_printf(a, "equivariance ‖P·T(X) − T(P·X)‖ / ‖T(X)‖ = %s, %d shuffles",
			      measured(data, &m->equivariance, a), MEASURE_SHUFFLES));
	if (m->own_order.there && m->own_order.value > 0)
		add_line(card, lines, "your order", measured(data, &m->own_order, a),
			 "the same for the order shown");
	add_line(card, lines, "invariance", measured(data, &m->invariance, a),
		 "the same of the mean over tokens");
	if (m->n_prefix > 0) {
		struct strbuf b;
		strbuf_init(&b, a);
		for (size_t i = 0; i < m->n_prefix && i < 4; i++)
			strbuf_printf(&b, "%s%s", i ? ", " : "", measured(data, &m->prefix[i], a));
		add_line(card, lines, "prefix order", b.at,
			 "change of the last row, earlier tokens shuffled, by layer");
	}
	add_line(card, lines, "shift", measured(data, &m->shift, a),
		 arena_printf(a, "change of the %s when positions move by 3, on the probe",
			      scores_word(data)));
	add_line(card, lines, "insertion", measured(data, &m->insertion, a),
		 "change of the common block, 2 tokens in front");
}
