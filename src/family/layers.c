/* layers.c: which layers have a window. layer_types decides where it is given, else the family's
 * rule; use_sliding_window false beats any number. */
#include <string.h>

#include "family/reading.h"
#include "posviz/base/text.h"

enum { MOST_WINDOW = 1000000000 };

/* Returns the number of layers from one without a window to the next. */
static long every_of(struct reading *r)
{
	long every = r->family->every;
	if (r->family->every_key && !read_long(r, r->family->every_key, 1, 1000, &every))
		every = r->family->every;
	return every > 0 ? every : 1;
}

/* Returns whether the family's own rule gives layer i a window. */
static bool by_rule(const struct reading *r, long i, long every, long beyond)
{
	switch (r->family->layering) {
	case LAYERS_ALIKE:
		return false;
	case LAYERS_WINDOW:
		return true;
	case LAYERS_FIRST_OF_2:
		return i % 2 == 0;
	case LAYERS_PATTERN:
		return (i + 1) % every != 0;
	case LAYERS_GLOBAL_FIRST:
		return i % every != 0;
	case LAYERS_BEYOND:
		return i >= beyond;
	}
	return false;
}

/* Returns the window of the family's layers that have one; 0: none. */
static long window_of(struct reading *r)
{
	const struct family *const f = r->family;
	long window = f->window;
	bool use = true;
	if (!f->window_key)
		return 0;
	const struct json_value *const given = json_member(r->text, f->window_key);
	if (given && given->kind == JSON_VALUE_NULL)
		window = 0;
	else if (given && !read_long(r, f->window_key, 1, MOST_WINDOW, &window))
		r->unknown = true;
	/* The families with this key have it false unless the file says otherwise. */
	if (f->layering == LAYERS_BEYOND) {
		use = false;
		read_switch(r, "use_sliding_window", &use);
	}
	return use ? window : 0;
}

static bool is_windowed(const struct json_value *type)
{
	return strcmp(type->as.string, "sliding_attention") == 0 ||
	       strcmp(type->as.string, "chunked_attention") == 0;
}

/* Returns layer_types, if each layer has one that is known. */
static const struct json_value *types_of(struct reading *r)
{
	const struct json_value *const v = key_find(r->text, "layer_types", NULL);
	const long layers = r->out->layers;
	if (!v || layers == 0)
		return NULL;
	const char *const path = key_path(r, "layer_types");
	if (v->kind != JSON_VALUE_ARRAY) {
		say_unknown(r, path, NULL,
			    "it is %s; a list with a word for each layer would be "
			    "right",
			    key_text(r, v));
		return NULL;
	}
	if ((long)v->count != layers) {
		say_unknown(r, path,
			    arena_printf(r->arena, "\"%s\": %zu",
					 arena_strndup(r->arena, r->family->keys.layers,
						       strcspn(r->family->keys.layers, "|")),
					 v->count),
			    "%zu layer types for %ld layers; the library stops", v->count, layers);
		return NULL;
	}
	for (size_t i = 0; i < v->count; i++) {
		const struct json_value *const t = &v->as.items[i];
		if (t->kind == JSON_VALUE_STRING &&
		    (strcmp(t->as.string, "full_attention") == 0 || is_windowed(t)))
			continue;
		say_unknown(r, path, NULL,
			    "the type of layer %zu is %s; full_attention, sliding_attention or "
			    "chunked_attention would be right",
			    i, key_text(r, t));
		return NULL;
	}
	return v;
}

/* Layers of layer_types with another pattern than that which the file gives beside it. */
static void compare_pattern(struct reading *r, const struct json_value *types, long every)
{
	const char *name;
	if (!r->family->every_key || !key_find(r->text, r->family->every_key, &name))
		return;
	for (size_t i = 0; i < types->count; i++)
		if (is_windowed(&types->as.items[i]) != by_rule(r, (long)i, every, 0)) {
			say_wrong(r, key_path(r, name), NULL,
				  "%ld and layer_types disagree from layer %zu on; layer_types "
				  "decides, so %s without effect would better go",
				  every, i, name);
			return;
		}
}

/* A window that a family of which no layer has one gives. */
static void look_unused(struct reading *r)
{
	const char *const key = r->family->window_key ? r->family->window_key : "sliding_window";
	bool use = true;
	const bool said = read_switch(r, "use_sliding_window", &use);
	const struct json_value *const v = key_find(r->text, key, NULL);
	double x;
	if (r->family->window_key || !v || !number_of(v, &x) || (said && !use))
		return;
	say_unusual(r, key_path(r, key), NULL,
		    "%s, but no layer of %s has a window, so it is without effect",
		    print_number(r->arena, x), r->family->title);
}

void read_layers(struct reading *r)
{
	struct known *const k = r->out;
	const struct family *const f = r->family;
	const long every = every_of(r), window = window_of(r);
	const struct json_value *const types = types_of(r);
	long beyond = 28;
	bool wanted = false;
	if (f->layering == LAYERS_BEYOND)
		read_long(r, "max_window_layers", 0, MOST_WINDOW, &beyond);
	for (long i = 0; i < k->layers; i++) {
		const bool on =
			types ? is_windowed(&types->as.items[i]) : by_rule(r, i, every, beyond);
		const bool chunk = types && on &&
				   strcmp(types->as.items[i].as.string, "chunked_attention") == 0;
		struct layer_rule *const l = &k->layer[i];
		wanted |= on;
		if (on && window > 0)
			*l = (struct layer_rule){.rotation = l->rotation,
						 .window = f->encoder ? window / 2 : window,
						 .kind = chunk	      ? WINDOW_CHUNK
							 : f->encoder ? WINDOW_SIDES
								      : WINDOW_BEHIND};
	}
	if (types && wanted && window == 0)
		say_unknown(r, key_path(r, f->window_key ? f->window_key : "sliding_window"), NULL,
			    "layer_types has layers with a window, and no number says how wide "
			    "it is");
	if (types)
		compare_pattern(r, types, every);
	look_unused(r);
}

/* ---- layers as text -------------------------------------------------------------------------- */

static bool repeats(const bool *on, size_t n, size_t period)
{
	for (size_t i = period; i < n; i++)
		if (on[i] != on[i - period])
			return false;
	return true;
}

/* Finds the only run of layers that are on among the first n, [from, to). */
static bool one_run(const bool *on, size_t n, size_t *from, size_t *to)
{
	for (*from = 0; *from < n && !on[*from]; (*from)++)
		;
	for (*to = *from; *to < n && on[*to]; (*to)++)
		;
	for (size_t i = *to; i < n; i++)
		if (on[i])
			return false;
	return *from < n;
}

static const char *run_text(struct arena *a, size_t from, size_t to)
{
	return to - from == 1 ? arena_printf(a, "%zu", from + 1)
			      : arena_printf(a, "%zu-%zu", from + 1, to);
}

const char *layers_text(struct arena *a, const bool *on, size_t n)
{
	size_t from, to, count = 0;
	for (size_t i = 0; i < n; i++)
		count += on[i];
	if (count == n)
		return NULL;
	if (count == 0)
		return "";
	for (size_t period = 2; 2 * period <= n; period++) {
		if (!repeats(on, n, period) || !one_run(on, period, &from, &to))
			continue;
		return period == 2 ? (from == 0 ? "odd" : "even")
				   : arena_printf(a, "%s/%zu", run_text(a, from, to), period);
	}
	if (one_run(on, n, &from, &to))
		return run_text(a, from, to);
	struct strbuf out;
	strbuf_init(&out, a);
	for (from = 0; from < n; from = to) {
		for (to = from; to < n && on[to]; to++)
			;
		if (to > from)
			strbuf_printf(&out, "%s%s", out.len ? "," : "", run_text(a, from, to));
		else
			to = from + 1;
	}
	return arena_printf(a, "[%s]", out.at);
}
