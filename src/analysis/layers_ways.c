/* layers_ways.c: variants of a scheme's model: more layers, and the other way of entering:
 * members are copied with other hooks or layers, and the model is built again. */
#include <string.h>

#include "layers_in.h"
#include "posviz/model/stage.h"

/* ---- the scheme as it is
 * --------------------------------------------------------------------------- */

/* Returns whether a file gives the number of layers: that of a model, of weights, or of a member. */
static bool has_own_layers(const struct layers_of *of)
{
	bool own = *of->setup->checkpoint || *of->setup->weights || *of->setup->params;
	for (size_t i = 0; i < of->built->n_members; i++)
		own |= of->built->members[i].n_layers > 0;
	return own;
}

static bool build(const struct model *like, size_t layers, struct layers_model *out,
		  struct arena *a, struct err *err)
{
	struct model_config config = like->config;
	config.layers = layers;
	return model_build(&out->model, &config, out->members, out->n, like->given, a, err);
}

bool layers_as_is(const struct layers_of *of, struct layers_model *out, struct arena *a,
		  struct err *err)
{
	const struct model *const own = &of->built->model;
	const size_t layers = own->config.layers;
	memcpy(out->members, of->built->members, sizeof out->members);
	out->n = of->built->n_members;
	return (layers < LAYERS_DEPTH && !has_own_layers(of) &&
		build(own, LAYERS_DEPTH, out, a, NULL)) ||
	       build(own, layers, out, a, err);
}

/* ---- once, or in each layer
 * ------------------------------------------------------------------------ */

static bool acts_in_layers(const struct hooks *h)
{
	return h->project || h->qk || h->content || h->logits || h->adjust || h->adjust_heads ||
	       h->weights || h->values || h->feed_forward;
}

/* Returns whether a member brings positions in: one that only masks, or only changes the
 * residual, does not. */
static bool brings_positions(const struct member *m)
{
	const struct hooks *const h = m->hooks;
	if (h->only_mask && h->only_mask(m))
		return false;
	return h->embed || (acts_in_layers(h) && !h->block);
}

/* Returns whether a member enters only the first layer by its own definition. */
static bool is_once(const struct member *m)
{
	const struct scheme *const s = scheme_of_member(m);
	return s && scheme_holds(s, m->param, CLAIM_RECURRING) == ANSWER_NO;
}

static const struct hooks *recurring(const struct hooks *h, bool is, struct arena *a)
{
	struct hooks *const out = arena_alloc(a, sizeof *out);
	*out = *h;
	out->recurring = is;
	return out;
}

enum turned { TURNED_NOT, TURNED_EACH, TURNED_ONCE };

/* Changes a member to enter the other way. A member that computes the last output from those of
 * all layers cannot leave one out: only the part it adds is restricted to the first layer. */
static enum turned swap_entrance(struct member *m, bool alone, size_t layers, struct arena *a)
{
	const struct hooks *const h = m->hooks;
	const struct subset on = subset_and(m->layers, subset_first(layers));
	const bool in_layers = acts_in_layers(h) && !is_once(m), each = in_layers || h->recurring;
	if (!brings_positions(m) || layers < 2 || !subset_any(on))
		return TURNED_NOT;
	if (each && subset_same(on, subset_least(on))) { /* the user restricted it to one layer */
		m->layers = alone ? SUBSET_ALL : m->layers;
		return alone ? TURNED_EACH : TURNED_NOT;
	}
	if (each && h->finish && h->embed) {
		m->hooks = recurring(h, false, a);
		return TURNED_ONCE;
	}
	if (each) {
		m->layers = subset_least(on);
		return TURNED_ONCE;
	}
	if (!h->embed)
		return TURNED_NOT;
	m->hooks = recurring(h, true, a);
	m->layers = SUBSET_ALL;
	return TURNED_EACH;
}

static const char *joined(const char *before, const char *text, struct arena *a)
{
	return before ? arena_printf(a, "%s; %s", before, text) : text;
}

static bool swap_entrances(struct layers_model *out, size_t layers, struct layers_way *way,
			   struct arena *a)
{
	bool kinds[TURNED_ONCE + 1] = {false};
	const char *says = NULL;
	size_t bring = 0;
	for (size_t i = 0; i < out->n; i++)
		bring += brings_positions(&out->members[i]);
	for (size_t i = 0; i < out->n; i++) {
		struct member *const m = &out->members[i];
		const enum turned kind = swap_entrance(m, bring == 1, layers, a);
		kinds[kind] = true;
		if (kind == TURNED_EACH)
			says = joined(says,
				      arena_printf(a, "%s %s every layer", m->name,
						   m->hooks->embed ? "in front of" : "in"),
				      a);
		if (kind == TURNED_ONCE)
			says = joined(says, arena_printf(a, "%s in its first layer alone", m->name),
				      a);
	}
	way->says = says;
	way->label = kinds[TURNED_EACH] == kinds[TURNED_ONCE] ? "other way"
		     : kinds[TURNED_EACH]		      ? "each layer"
							      : "layer 1 only";
	return says || !(way->why = "it has no other way to bring positions in");
}

/* ---- the residual ---------------------------------------------------------------------------- */

static bool drop_block(struct run *run, const struct member *m, struct err *err)
{
	(void)m, (void)err;
	run->residual = NULL;
	return true;
}

static const struct hooks drop_hooks = {.block = drop_block};

size_t layers_middle(const struct model *model)
{
	return (model->config.layers + 1) / 2 - 1;
}

static bool changes_residual(const struct member *m)
{
	return m->hooks->block && !m->hooks->embed;
}

/* Removes members that drop the residual; if there are none, adds one. */
static bool swap_residual(struct layers_model *out, const struct layers_model *as_is,
			  struct layers_way *way, struct arena *a)
{
	const size_t middle = layers_middle(&as_is->model);
	size_t n = 0;
	for (size_t i = 0; i < out->n; i++)
		if (!changes_residual(&out->members[i]))
			out->members[n++] = out->members[i];
	if (n < out->n) {
		out->n = n;
		way->label = "with residual";
		way->says = "every layer has one around its attention";
		return true;
	}
	way->label = "no residual";
	way->says = arena_printf(a, "no residual connection around the attention of layer %zu",
				 middle + 1);
	if (n == MODEL_MAX_MEMBERS) {
		way->why = "there are as many members as there can be";
		return false;
	}
	out->members[out->n++] = (struct member){.hooks = &drop_hooks,
						 .name = "no residual",
						 .text = "no residual",
						 .pos = "seq",
						 .layers = subset_one(middle),
						 .heads = SUBSET_ALL,
						 .index = n};
	return true;
}

/* ---- the mask -------------------------------------------------------------------------------- */

static bool is_mask(const struct member *m)
{
	const struct scheme *const s = scheme_of_member(m);
	return s && (s->flags & SCHEME_MASK);
}

static bool add_causal(struct layers_model *out, struct layers_way *way, struct arena *a)
{
	struct expr *const e = arena_calloc(a, 1, sizeof *e);
	struct member *const mask = arena_calloc(a, MODEL_MAX_MEMBERS, sizeof *mask);
	struct err err = {""};
	size_t n = 0;
	if (out->n == MODEL_MAX_MEMBERS) {
		way->why = "there are as many members as there can be";
		return false;
	}
	if (!expr_parse(e, "causal", a, &err) || !expr_members(e, mask, &n, a, &err) || n != 1)
		BUG("causal is one member: %s", err.text);
	mask->index = out->n;
	out->members[out->n++] = *mask;
	return true;
}

/* Removes masks; if there are none, adds a causal one. */
static bool swap_mask(struct layers_model *out, struct layers_way *way, struct arena *a)
{
	size_t n = 0;
	for (size_t i = 0; i < out->n; i++)
		if (!is_mask(&out->members[i]))
			out->members[n++] = out->members[i];
	const bool masked = n < out->n;
	out->n = n;
	way->label = masked ? "no mask" : "causal mask";
	way->says = masked ? "every token sees all others" : "no token sees a later one";
	if (masked && n == 0) {
		way->why = "nothing but the mask brings positions in";
		return false;
	}
	return masked || add_causal(out, way, a);
}

/* Makes the members of a variant; false: way->why. */
static bool change(struct layers_model *out, const struct layers_model *as_is,
		   enum layers_way_kind kind, struct layers_way *way, struct arena *a)
{
	return kind == LAYERS_OTHER	 ? swap_entrances(out, as_is->model.config.layers, way, a)
	       : kind == LAYERS_RESIDUAL ? swap_residual(out, as_is, way, a)
					 : swap_mask(out, way, a);
}

bool layers_other_way(const struct layers_model *as_is, enum layers_way_kind kind,
		      struct layers_model *out, struct layers_way *way, struct arena *a)
{
	const size_t layers = as_is->model.config.layers;
	struct err err = {""};
	memcpy(out->members, as_is->members, sizeof out->members);
	out->n = as_is->n;
	if (!change(out, as_is, kind, way, a))
		return false;
	if (build(&as_is->model, layers, out, a, &err))
		return true;
	way->why = arena_strdup(a, err.text);
	return false;
}
