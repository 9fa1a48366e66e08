/* known_text.c: what is known of a model in words. */
#include "posviz/family/known_text.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"

const char *known_number(double x, int digits, struct arena *a)
{
	char text[32];
	return arena_strdup(a, num_show(text, sizeof text, x, digits));
}

/* ---- the model ------------------------------------------------------------------------------- */

/* Returns whether divisors act at any length, as in a GGUF file. */
static bool is_one_list(const struct rotation_rule *rule)
{
	return rule->short_factor.n > 0 && rule->short_factor.at == rule->long_factor.at;
}

bool known_no_length(const struct rotation_rule *rule)
{
	return rule->type == ROPE_TYPE_LINEAR || is_one_list(rule);
}

const char *known_context(const struct known *k, struct arena *a)
{
	if (k->declared == 0)
		return "no length is declared";
	if (k->trained == k->declared)
		return arena_printf(a, "%ld positions (%s)%s", k->declared, k->trained_by,
				    k->n_rotations > 0 && known_no_length(&k->rotations[0])
					    ? "; no key says how many there were before scaling"
					    : "");
	return arena_printf(a, "%ld positions declared; %ld before scaling (%s)", k->declared,
			    k->trained, k->trained_by);
}

static bool same_window(const struct layer_rule *x, const struct layer_rule *y)
{
	return x->kind == y->kind && x->window == y->window;
}

const char *known_layers_like(const struct known *k, long layer, struct arena *a)
{
	bool on[MODEL_MAX_LAYERS];
	for (long i = 0; i < k->layers; i++)
		on[i] = same_window(&k->layer[i], &k->layer[layer]);
	const char *const layers = layers_text(a, on, (size_t)k->layers);
	const char *const s = layers && strspn(layers, "0123456789") == strlen(layers) ? "" : "s";
	return layers ? arena_printf(a, "in layer%s %s", s, layers) : "in all layers";
}

bool known_is_first(const struct known *k, long layer)
{
	for (long i = 0; i < layer; i++)
		if (same_window(&k->layer[i], &k->layer[layer]))
			return false;
	return true;
}

const char *known_sees(const struct known *k, struct arena *a)
{
	static const char *const how[][4] = {
		{"all keys", "the last %ld keys", "%ld keys to each side",
		 "keys of the same chunk of %ld"},
		{"all keys up to its own", "the last %ld keys", "%ld keys to each side",
		 "keys up to its own in the same chunk of %ld"}};
	struct strbuf out;
	strbuf_init(&out, a);
	for (long i = 0; i < k->layers; i++) {
		if (!known_is_first(k, i))
			continue;
		strbuf_add(&out, out.len ? "; " : "");
		strbuf_printf(&out, how[k->causal][k->layer[i].kind], k->layer[i].window);
		strbuf_printf(&out, " %s", known_layers_like(k, i, a));
	}
	strbuf_add(&out, k->causal ? "" : ", both directions");
	return out.at;
}

const char *known_block(const struct known *k, struct arena *a)
{
	const struct block_rule *const b = &k->block;
	return arena_printf(a, "%s, eps %s, %s; feed-forward %s%s%s", norm_kind_names[b->norm],
			    known_number(b->eps, 3, a), block_order_names[b->order],
			    b->gated ? "gated, " : "", b->activation,
			    k->ff ? arena_printf(a, ", %ld wide", k->ff) : "");
}

const char *known_verdict(const struct known *k, struct arena *a)
{
	const size_t wrong = known_wrong(k);
	return wrong == 0
		       ? "nothing is wrong"
		       : arena_printf(a, "%zu thing%s wrong", wrong, wrong == 1 ? " is" : "s are");
}

/* ---- a rotation ------------------------------------------------------------------------------ */

const char *known_rotation_layers(const struct known *k, const struct rotation_seen *s,
				  struct arena *a)
{
	bool on[MODEL_MAX_LAYERS];
	for (long l = 0; l < k->layers; l++)
		on[l] = k->layer[l].rotation >= 0 && &k->rotations[k->layer[l].rotation] == s->rule;
	const char *const layers = layers_text(a, on, (size_t)k->layers);
	return layers ? arena_printf(a, "layers %s", layers) : "all layers";
}

const char *known_rotation(const struct known *k, const struct rotation_seen *s, struct arena *a)
{
	return arena_printf(a, "%zu of %ld columns of a head, %s as pairs, base %.10g", s->columns,
			    k->head_dim, s->half ? "halves" : "neighbours", s->base);
}

const char *known_scaling(const struct known *k, const struct rotation_seen *s, struct arena *a)
{
	const struct rotation_rule *const rule = s->rule;
	size_t slower = 0;
	for (size_t i = 0; i < s->n_bands; i++)
		slower += s->bands[i].way == BAND_KEPT ? 0 : s->bands[i].to - s->bands[i].from;
	const char *const type = rule->written ? rule->written : "default";
	if (rule->type == ROPE_TYPE_DEFAULT)
		return rule->written ? arena_printf(a, "%s: no pair is scaled", type)
				     : "none is declared, and no pair is scaled";
	if (rule->type == ROPE_TYPE_DYNAMIC)
		return arena_printf(a,
				    "%s with factor %s: up to %ld tokens none; beyond, the base "
				    "grows with the length of the text",
				    type, known_number(rule->factor, 6, a), k->declared);
	const char *const slow =
		arena_printf(a, "%zu of %zu pairs rotate slower", slower, s->pairs);
	if (is_one_list(rule))
		return arena_printf(a, "%s, which divide at any length: %s", type, slow);
	const char *const lists =
		rule->type == ROPE_TYPE_LONGROPE
			? arena_printf(a, "the short list up to %s tokens, the long one beyond: ",
				       known_number(s->trained, 9, a))
			: "";
	return arena_printf(a, "%s with factor %s: %s%s at %ld tokens", type,
			    known_number(rule->factor, 6, a), lists, slow, k->declared);
}

const char *known_temperature(const struct rotation_seen *s, struct arena *a)
{
	if (!(s->attention < 1 || s->attention > 1))
		return NULL;
	return arena_printf(a, "cosines and sines times %s, so logits of rotated columns times %s",
			    known_number(s->attention, 6, a),
			    known_number(s->attention * s->attention, 6, a));
}

const char *known_bands(const struct rotation_seen *s, struct arena *a)
{
	return arena_printf(
		a,
		"wavelength: positions for one full rotation; rotations: within %s "
		"positions%s; angles seen in training: the distances, up to this one, at "
		"which training had all angles of these pairs",
		known_number(s->trained, 9, a), known_no_length(s->rule) ? "" : " of training");
}

static const char *range(double from, double to, struct arena *a)
{
	const char *const x = known_number(from, 3, a), *const y = known_number(to, 3, a);
	return strcmp(x, y) == 0 ? x : arena_printf(a, "%s–%s", x, y);
}

/* Returns up to which distance the angles occurred in training. */
static const char *seen_text(const struct rotation_seen *s, double seen, struct arena *a)
{
	if (isinf(seen))
		return "at any distance";
	if (!(s->farthest > 0))
		return arena_printf(a, "up to %.0f", seen);
	return seen < s->farthest ? arena_printf(a, "up to %.0f of %.0f", seen, s->farthest)
				  : arena_printf(a, "up to %.0f, the farthest", s->farthest);
}

struct band_text known_band(const struct rotation_seen *s, const struct band *b, struct arena *a)
{
	return (struct band_text){
		.pairs = b->to - b->from == 1 ? arena_printf(a, "%zu", b->to)
					      : arena_printf(a, "%zu–%zu", b->from + 1, b->to),
		.wavelength = range(b->wave_from, b->wave_to, a),
		.rotations = range(b->turns_to, b->turns_from, a),
		.scaling = b->way == BAND_KEPT ? "not scaled"
					       : arena_printf(a, "%s times slower",
							      range(b->slow_from, b->slow_to, a)),
		.seen = seen_text(s, b->seen, a)};
}
