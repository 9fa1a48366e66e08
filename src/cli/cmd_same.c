/* cmd_same.c: tells whether two expressions are one model in two conventions. In JSON channels,
 * layers, heads and positions count from 1; null: not tried, or nonexistent. */
#include "report.h"

#include <math.h>
#include <string.h>

#include "posviz/analysis/same.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

static const char *small(struct arena *a, double value)
{
	return value > 0 ? arena_printf(a, "%.1e", value) : "0";
}

static const char *value(struct arena *a, double v)
{
	char text[32];
	return arena_strdup(a, num_show(text, sizeof text, v, 3));
}

/* Adds sizes at which the two were compared; of 0 tokens: they were not. */
static void add_sizes(struct report *r, const char *key, size_t n, size_t layers)
{
	if (n == 0) {
		report_word(r, key, NULL);
		return;
	}
	report_object(r, key);
	report_number(r, "units", (double)n);
	report_number(r, "layers", (double)layers);
	report_end(r);
}

/* ---- channels ------------------------------------------------------------------------------ */

static bool goes(const size_t *to, size_t n, size_t (*where)(size_t i, size_t n))
{
	for (size_t i = 0; i < n; i++)
		if (to[i] != where(i, n))
			return false;
	return true;
}

static size_t to_halves(size_t i, size_t n)
{
	return i % 2 * ((n + 1) / 2) + i / 2;
}

static size_t to_neighbours(size_t i, size_t n)
{
	const size_t half = (n + 1) / 2;
	return i < half ? 2 * i : 2 * (i - half) + 1;
}

/* Returns the channel of the second model, counted from 1, for each channel of the first. */
static const char *channels(struct arena *a, const size_t *to, size_t n)
{
	enum { SHOWN = 16 };
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < n && i < SHOWN; i++)
		strbuf_printf(&b, "%s%zu", i ? " " : "", to[i] + 1);
	strbuf_add(&b, n > SHOWN ? " …" : "");
	if (goes(to, n, to_halves))
		strbuf_add(&b, ": neighbours become the two halves");
	else if (goes(to, n, to_neighbours))
		strbuf_add(&b, ": the two halves become neighbours");
	return b.at;
}

static void add_channels(struct report *r, const char *label, const char *of, const char *key,
			 const size_t *to, size_t n)
{
	if (!to) {
		report_word(r, key, NULL);
		return;
	}
	report_line(r, label, "channel 1, 2, 3 … of %s%zu becomes %s", of, n,
		    channels(r->arena, to, n));
	report_array(r, key);
	for (size_t i = 0; i < n; i++)
		report_number(r, NULL, (double)(to[i] + 1));
	report_end(r);
}

/* ---- equal models ---------------------------------------------------------------------------- */

static void add_proof(struct report *r, const struct same *s, const char *on)
{
	struct arena *const a = r->arena;
	report_number(r, "unit_vector_pairs", (double)s->n_pairs);
	if (s->n_pairs > 0) {
		report_line(
			r, "token vectors",
			"%zu pairs of q and k in layer 1, every cell, every head: logits differ "
			"by %s at most",
			s->n_pairs, small(a, s->pairs));
		report_number(r, "unit_vector_difference", s->pairs);
		report_number(r, "affine_to", s->affine);
	}
	if (s->proven)
		report_line(r, "every q and k",
			    "proven%s%s: logits are affine in q and in k each (to %s), so those "
			    "pairs decide",
			    on ? " " : "", on ? on : "", small(a, s->affine));
	else
		report_line(r, "every q and k", "not proven, only drawn: %s",
			    s->why_not ? s->why_not
				       : "logits are not affine in the query and the key of their "
					 "own cell alone");
	report_bool(r, "proven", s->proven);
	report_word(r, "why_not_proven", s->proven ? NULL : s->why_not);
}

static void add_draws(struct report *r, const struct same *s)
{
	struct arena *const a = r->arena;
	report_line(r, "random weights",
		    "%zu draws of them and of what is learned, %zu %s: attention weights differ by "
		    "%s, outputs by %s at most",
		    s->n_draws, s->layers, s->layers == 1 ? "layer" : "layers",
		    small(a, s->weights), small(a, s->outputs));
	report_number(r, "draws", (double)s->n_draws);
	report_number(r, "weights_difference", s->weights);
	report_number(r, "outputs_difference", s->outputs);
	add_sizes(r, "longer", s->far_n, s->far_layers);
	if (s->far_n > 0) {
		report_line(r, "longer, deeper",
			    "%zu tokens, %zu layers: outputs differ by %s at most", s->far_n,
			    s->far_layers, small(a, s->far_outputs));
		report_number(r, "longer_outputs_difference", s->far_outputs);
	} else {
		report_line(r, "longer, deeper", "not tried: %s",
			    s->far_refused ? s->far_refused : "refused");
		report_word(r, "why_not_longer", s->far_refused);
	}
}

/* ---- different models ------------------------------------------------------------------------ */

static void add_masks(struct report *r, const struct same *s)
{
	if (s->only_first || s->only_second)
		report_line(
			r, "masks",
			"%zu pairs of positions only the first may look at, %zu only the second",
			s->only_first, s->only_second);
	report_number(r, "pairs_only_first_sees", (double)s->only_first);
	report_number(r, "pairs_only_second_sees", (double)s->only_second);
}

static const char *relation(const struct same *s, struct arena *a)
{
	switch (s->relation) {
	case RELATION_NO_BIAS:
		return "one of them has none that can be compared";
	case RELATION_EQUAL:
		return s->only_first || s->only_second ? "equal wherever both may look"
						       : "equal in layer 1: they differ in another "
							 "layer, in the values, or in "
							 "what becomes of the logits";
	case RELATION_ROWS:
		return "equal but for a constant of each row, which a softmax does not see";
	case RELATION_MIRRORED:
		return "each is the other with t and s exchanged: one counts t−s, the other s−t; a "
		       "learned table can be read backwards";
	case RELATION_MULTIPLE:
		return arena_printf(a, "the second is %s times the first", value(a, s->factor));
	case RELATION_PAST:
		return arena_printf(
			a, "equal for keys up to the query; for later keys they differ by up to %s",
			value(a, s->bias_most));
	case RELATION_NONE:
	case RELATION_COUNT:
		break;
	}
	if (!s->distances_differ)
		return arena_printf(a, "they differ by up to %s, at every distance",
				    value(a, s->bias_most));
	return arena_printf(a, "equal up to distance %ld, then they differ by up to %s",
			    s->agree_to, value(a, s->bias_most));
}

/* Tells where the models part if all weights are the same there: later layers read other vectors. */
static void add_written(struct report *r, const struct same *s)
{
	report_bool(r, "same_weights", s->same_weights);
	if (!s->same_weights)
		return;
	report_line(r, "outputs",
		    "on every draw the first result that differs is what layer %zu writes: its "
		    "weights are the same%s; those of later layers differ because they read it "
		    "(posviz --view values shows both)",
		    s->outputs_layer, s->weights_mirrored ? ", tables read backwards" : "");
	report_bool(r, "weights_mirrored", s->weights_mirrored);
	report_number(r, "outputs_differ_in_layer", (double)s->outputs_layer);
	report_number(r, "outputs_relative_difference", s->outputs_relative);
}

static void add_bias(struct report *r, const struct same *s)
{
	static const char *const relations[RELATION_COUNT] = {[RELATION_NONE] = "apart",
							      [RELATION_NO_BIAS] = "no bias",
							      [RELATION_EQUAL] = "equal",
							      [RELATION_ROWS] = "constant of a row",
							      [RELATION_MIRRORED] = "mirrored",
							      [RELATION_MULTIPLE] = "multiple",
							      [RELATION_PAST] =
								      "equal for the past"};
	report_line(r, "bias", "%s", relation(s, r->arena));
	if (s->mirrored)
		report_line(
			r, "tables",
			"the same on all draws when the second's are read from their other ends");
	report_word(r, "bias", relations[s->relation]);
	report_bool(r, "mirrored", s->mirrored);
	if (s->relation == RELATION_MULTIPLE)
		report_number(r, "bias_factor", s->factor);
	if (s->relation != RELATION_NO_BIAS)
		report_number(r, "bias_difference", s->bias_most);
	if (s->distances_differ)
		report_number(r, "bias_equal_to_distance", (double)s->agree_to);
}

/* Adds the cell in which the scores differ most. */
static void add_most(struct report *r, const struct same *s)
{
	if (!isfinite(s->scores) || s->layer == 0) {
		report_word(r, "differ_most", NULL);
		return;
	}
	report_line(r, "random weights",
		    "drawn, and what is learned too: %s differ most at query %zu, key %zu of head "
		    "%zu in layer %zu: %s and %s",
		    s->score_name, s->row, s->col, s->head, s->layer, value(r->arena, s->first),
		    value(r->arena, s->second));
	report_object(r, "differ_most");
	report_word(r, "in", s->score_name);
	report_number(r, "layer", (double)s->layer);
	report_number(r, "head", (double)s->head);
	report_number(r, "query", (double)s->row);
	report_number(r, "key", (double)s->col);
	report_number(r, "first", s->first);
	report_number(r, "second", s->second);
	report_end(r);
}

static void add_difference(struct report *r, const struct same *s)
{
	add_sizes(r, "same_for", s->near_n, s->near_layers);
	add_masks(r, s);
	add_written(r, s);
	add_bias(r, s);
	add_most(r, s);
	report_line(r, "weights",
		    "total variation of a row, in the head where it is largest: %s of 1",
		    value(r->arena, s->variation));
	report_number(r, "total_variation", s->variation);
}

/* ---- the command --------------------------------------------------------------------------- */

static const char *verdict(const struct same *s, struct arena *a)
{
	switch (s->verdict) {
	case SAME_EQUAL:
		return "the same";
	case SAME_PERMUTED:
		return "the same up to a permutation of channels";
	case SAME_APART:
		break;
	}
	if (s->same_weights && !s->near_n)
		return arena_printf(
			a,
			"not the same: same weights%s, other outputs (relative difference "
			"%s in layer %zu)",
			s->weights_mirrored
				? " when the second's tables are read from their other ends"
				: "",
			value(a, s->outputs_relative), s->outputs_layer);
	return s->near_n ? arena_printf(a,
					"the same for these %zu tokens in %zu layers, but not for "
					"%zu in %zu",
					s->near_n, s->near_layers, s->n, s->layers)
			 : "not the same";
}

/* Returns the condition of the verdict: schemes that read a structure, if none is given, are
 * compared on a chain. */
static const char *condition(const struct setup *setup, const char *const *expressions,
			     struct arena *a)
{
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	bool chain = false;
	for (size_t i = 0; i < 2; i++) {
		struct setup one = *setup;
		one.scheme = expressions[i];
		if (!setup_build(&one, a, b, NULL) || b->structure)
			continue;
		for (size_t k = 0; k < b->n_members; k++) {
			const struct scheme *const s = b->members[k].scheme;
			chain |= s && s->flags & (SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH);
		}
	}
	return chain ? "on a chain" : NULL;
}

/* Tells the result: in text of the expressions as they were given, in JSON in canonical form. */
static void tell(struct report *r, const struct cli *c, const char *const canonical[2],
		 const struct same *s, const char *on)
{
	static const char *const keys[] = {"first", "second"};
	static const char *const verdicts[] = {
		[SAME_EQUAL] = "equal", [SAME_PERMUTED] = "permuted", [SAME_APART] = "apart"};
	const size_t d = (size_t)c->scene.setup.d_model;
	report_open(r);
	for (size_t i = 0; i < 2; i++) {
		report_say(r, "%s\n", text_escape(r->arena, c->args[i], strlen(c->args[i])));
		report_word(r, keys[i], canonical[i]);
	}
	report_line(r, "found", "%s%s%s%s", verdict(s, r->arena), on ? ", " : "", on ? on : "",
		    on ? " alone: a tree or a graph may tell another thing" : "");
	report_word(r, "found", verdicts[s->verdict]);
	report_word(r, "condition", on);
	add_sizes(r, "compared", s->n, s->layers);
	if (s->verdict == SAME_APART) {
		add_difference(r, s);
	} else {
		add_channels(r, "columns", "", "unit_channels", s->model_channels, d);
		add_channels(r, "queries, keys", "each head's ", "head_channels", s->head_channels,
			     s->dk);
		add_proof(r, s, on);
		add_draws(r, s);
	}
	report_end(r);
}

int cmd_same(struct cli *c, struct err *err)
{
	if (c->n_args != 2) {
		err_set(err, "--same compares two expressions, not %zu", c->n_args);
		return EXIT_BAD_USE;
	}
	const char *canonical[2];
	for (size_t i = 0; i < 2; i++) {
		struct scene scene = c->scene;
		if (!scene_set(&scene, field_find("scheme"), c->args[i], err))
			return EXIT_BAD_USE;
		canonical[i] = scene.setup.scheme;
	}
	struct same s;
	struct report report;
	if (!analysis_same(&c->scene.setup, canonical[0], canonical[1], NULL, &c->arena, &s, err))
		return EXIT_BAD_USE;
	report_init(&report, c, &c->arena, 18);
	tell(&report, c, canonical, &s, condition(&c->scene.setup, canonical, &c->arena));
	if (!report_write(&report, c, err))
		return EXIT_BAD_USE;
	return s.verdict == SAME_APART ? EXIT_CHECK_FAILED : EXIT_FINE;
}
