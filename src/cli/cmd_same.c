/* cmd_same.c: tells whether two expressions are one model in two conventions. */
#include "show.h"

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

static void line(struct strbuf *out, const char *head, const char *text)
{
	strbuf_printf(out, "  %-15s ", head);
	words_wrap(out, text, 18);
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

static void add_channels(struct strbuf *out, const struct same *s, size_t d)
{
	struct arena *const a = out->arena;
	if (s->model_channels)
		line(out, "units",
		     arena_printf(a, "channel 1, 2, 3 … of %zu becomes %s", d,
				  channels(a, s->model_channels, d)));
	if (s->head_channels)
		line(out, "queries, keys",
		     arena_printf(a, "channel 1, 2, 3 … of each head's %zu becomes %s", s->dk,
				  channels(a, s->head_channels, s->dk)));
}

/* ---- equal models ---------------------------------------------------------------------------- */

static void add_proof(struct strbuf *out, const struct same *s, const char *on)
{
	struct arena *const a = out->arena;
	if (s->n_pairs)
		line(out, "unit vectors",
		     arena_printf(a,
				  "%zu pairs of q and k in layer 1, every cell, every head: logits "
				  "differ by %s at most",
				  s->n_pairs, small(a, s->pairs)));
	if (s->proven)
		line(out, "every q and k",
		     arena_printf(a,
				  "proven%s%s: logits are affine in q and in k each (to %s), so "
				  "those pairs decide",
				  on ? " " : "", on ? on : "", small(a, s->affine)));
	else
		line(out, "every q and k",
		     arena_printf(a, "not proven, only drawn: %s",
				  s->why_not ? s->why_not
					     : "logits are not affine in the query and the key of "
					       "their own cell alone"));
}

static void add_draws(struct strbuf *out, const struct same *s)
{
	struct arena *const a = out->arena;
	line(out, "random weights",
	     arena_printf(a,
			  "%zu draws of them and of what is learned, %zu %s: attention weights "
			  "differ by %s, outputs by %s at most",
			  s->n_draws, s->layers, s->layers == 1 ? "layer" : "layers",
			  small(a, s->weights), small(a, s->outputs)));
	if (s->far_n)
		line(out, "longer, deeper",
		     arena_printf(a, "%zu units, %zu layers: outputs differ by %s at most",
				  s->far_n, s->far_layers, small(a, s->far_outputs)));
	else
		line(out, "longer, deeper",
		     arena_printf(a, "not tried: %s", s->far_refused ? s->far_refused : "refused"));
}

/* ---- different models ------------------------------------------------------------------------ */

static void add_masks(struct strbuf *out, const struct same *s)
{
	if (!s->only_first && !s->only_second)
		return;
	line(out, "masks",
	     arena_printf(out->arena,
			  "%zu pairs of places only the first may look at, %zu only the second",
			  s->only_first, s->only_second));
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
		return arena_printf(a,
				    "equal for keys up to the query; for later keys up to %s apart",
				    value(a, s->bias_most));
	case RELATION_NONE:
	case RELATION_COUNT:
		break;
	}
	if (!s->distances_differ)
		return arena_printf(a, "up to %s apart, at every distance", value(a, s->bias_most));
	return arena_printf(a, "equal up to distance %ld, then up to %s apart", s->agree_to,
			    value(a, s->bias_most));
}

/* Says where the models part if all weights are the same there: later layers read other vectors. */
static void add_written(struct strbuf *out, const struct same *s)
{
	if (!s->same_weights)
		return;
	line(out, "outputs",
	     arena_printf(
		     out->arena,
		     "on every draw the first result that differs is what layer %zu writes: its "
		     "weights are the same%s; those of later layers differ because they read it "
		     "(posviz --view values shows both)",
		     s->outputs_layer, s->weights_mirrored ? ", tables read backwards" : ""));
}

static void add_difference(struct strbuf *out, const struct same *s)
{
	struct arena *const a = out->arena;
	add_masks(out, s);
	add_written(out, s);
	line(out, "bias", relation(s, a));
	if (s->mirrored)
		line(out, "tables",
		     "the same on all draws when the second's are read from their other ends");
	if (isfinite(s->scores) && s->layer)
		line(out, "random weights",
		     arena_printf(a,
				  "drawn, and what is learned too: %s differ most at query %zu, "
				  "key %zu of head %zu in layer %zu: "
				  "%s and %s",
				  s->score_name, s->row, s->col, s->head, s->layer,
				  value(a, s->first), value(a, s->second)));
	line(out, "weights",
	     arena_printf(a, "total variation of a row, in the head where it is largest: %s of 1",
			  value(a, s->variation)));
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
					"the same for these %zu units in %zu layers, but not for "
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

static void print(struct strbuf *out, const char *first, const char *second, const struct same *s,
		  const char *on, size_t d)
{
	strbuf_printf(out, "%s\n%s\n", first, second);
	const char *const found = verdict(s, out->arena);
	line(out, "found",
	     on ? arena_printf(out->arena, "%s, %s alone: a tree or a graph may tell another thing",
			       found, on)
		: found);
	if (s->verdict == SAME_APART) {
		add_difference(out, s);
		return;
	}
	add_channels(out, s, d);
	add_proof(out, s, on);
	add_draws(out, s);
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
	struct strbuf out;
	strbuf_init(&out, &c->arena);
	if (!analysis_same(&c->scene.setup, canonical[0], canonical[1], NULL, &c->arena, &s, err))
		return EXIT_BAD_USE;
	const char *const on = condition(&c->scene.setup, canonical, &c->arena);
	if (output_is_json(c))
		same_json(&s, canonical, on, (size_t)c->scene.setup.d_model, &out);
	else
		print(&out, text_escape(&c->arena, c->args[0], strlen(c->args[0])),
		      text_escape(&c->arena, c->args[1], strlen(c->args[1])), &s, on,
		      (size_t)c->scene.setup.d_model);
	if (!output_text(&out, err))
		return EXIT_BAD_USE;
	return s.verdict == SAME_APART ? EXIT_CHECK_FAILED : EXIT_FINE;
}
