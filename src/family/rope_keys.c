/* rope_keys.c: where the keys of rotation stand, in the styles of all releases.
 *
 * Until 4.57 rope_theta, rope_scaling and partial_rotary_factor stand beside each other. From 5.0
 * on rope_parameters holds all of them, or an object for each type of layer. Where a file has both,
 * rope_scaling replaces rope_parameters as a whole, and a base or a partial factor inside counts
 * before one outside. */
#include <math.h>
#include <string.h>

#include "family/rope_rule.h"

/* Returns whether the members of the object are objects for types of layers. */
static bool is_nested(const struct json_value *o)
{
	return o && (json_member(o, "full_attention") || json_member(o, "sliding_attention") ||
		     json_member(o, "chunked_attention"));
}

/* Returns the member that the library reads under one of two names. */
static const struct json_value *named(const struct json_value *o, const char *names)
{
	return key_find(o, names, NULL);
}

/* Both objects are there: rope_scaling counts, and what differs is lost. */
static void compare_styles(struct reading *r, const struct json_value *s,
			   const struct json_value *p)
{
	static const char *const names[] = {"rope_type|type", "factor",
					    "rope_theta",     "original_max_position_embeddings",
					    "mrope_section",  NULL};
	for (size_t i = 0; names[i]; i++) {
		const struct json_value *const x = named(s, names[i]), *const y =
									       named(p, names[i]);
		const struct json_value *const any = y ? y : x;
		if (is_nested(p) || !any || (x && y && same_value(x, y)))
			continue;
		if (!x && strcmp(names[i], "rope_theta") == 0)
			continue; /* an old object has none */
		say_wrong(r, key_path(r, "rope_parameters"),
			  y ? arena_printf(r->arena, "\"rope_scaling\": null") : NULL,
			  "it and rope_scaling disagree on %s: %s and %s; releases before 5 read "
			  "rope_scaling alone, and those from 5 on let it replace rope_parameters",
			  any->name, y ? key_text(r, y) : "none", x ? key_text(r, x) : "none");
		return;
	}
	say_unusual(r, key_path(r, "rope_parameters"), NULL,
		    "rope_scaling stands beside it and replaces it");
}

/* Returns an object of the text model, NULL if it is none; another value is said to be wrong. */
static const struct json_value *object_of(struct reading *r, const char *name)
{
	const struct json_value *const v = key_find(r->text, name, NULL);
	if (!v || v->kind == JSON_VALUE_OBJECT)
		return v && v->count > 0 ? v : NULL;
	say_unknown(r, key_path(r, name), arena_printf(r->arena, "\"%s\": null", name),
		    "it is %s; an object or null would be right", key_text(r, v));
	return NULL;
}

static struct rope_object find_object(struct reading *r)
{
	const struct json_value *const s = object_of(r, "rope_scaling");
	const struct json_value *const p = object_of(r, "rope_parameters");
	if (s && p)
		compare_styles(r, s, p);
	return s ? (struct rope_object){s, "rope_scaling."}
		 : (struct rope_object){p, p ? "rope_parameters." : "rope_scaling."};
}

static struct rope_object inner(struct reading *r, const struct rope_object *o, const char *name)
{
	const struct json_value *const in = key_find(o->at, name, NULL);
	const char *const path = arena_printf(r->arena, "%s%s.", o->path, name);
	if (in && in->kind != JSON_VALUE_OBJECT) {
		say_unknown(r, arena_printf(r->arena, "%s%s%s", r->inside, o->path, name), NULL,
			    "it is %s; an object would be right", key_text(r, in));
		return (struct rope_object){NULL, path};
	}
	return (struct rope_object){in, path};
}

/* In files for 5 that name a base inside alone, older releases find none. */
static void tell_of_releases(struct reading *r, const struct rope_object *o)
{
	const struct known *const k = r->out;
	if (!o->at || strcmp(o->path, "rope_parameters.") != 0 || !r->family->base_key ||
	    key_find(r->text, r->family->base_key, NULL))
		return;
	const bool other = fabs(k->rotations[0].base - r->family->base) > 0;
	if (other || k->rotations[0].type != ROPE_TYPE_DEFAULT)
		say_unusual(
			r, key_path(r, "rope_parameters"), NULL,
			"releases from 5 on read it; those before know neither its base nor its "
			"scaling, and take base %s without scaling",
			print_number(r->arena, r->family->base));
}

/* Layers with a window have a rotation of their own. */
static void assign(struct known *k, bool two)
{
	for (long i = 0; i < k->layers; i++)
		k->layer[i].rotation = two && k->layer[i].kind != WINDOW_NONE ? 1 : 0;
	k->n_rotations = two ? 2 : 1;
}

static bool any_window(const struct known *k)
{
	for (long i = 0; i < k->layers; i++)
		if (k->layer[i].kind != WINDOW_NONE)
			return true;
	return false;
}

static void compare_bases(struct reading *r, const char *global, const char *local)
{
	const struct known *const k = r->out;
	const double g = k->rotations[0].base, l = k->rotations[1].base;
	if (l > g)
		say_wrong(r, key_path(r, local),
			  arena_printf(r->arena, "\"%s\": %s, \"%s\": %s", global,
				       print_number(r->arena, l), local, print_number(r->arena, g)),
			  "layers with a window have base %s and layers that see everything %s: "
			  "the other way round would be right, as near keys need no long "
			  "wavelengths",
			  print_number(r->arena, l), print_number(r->arena, g));
}

/* The rotation of layers with a window, where it is another. */
static void read_local(struct reading *r, const struct rope_object *o)
{
	const struct family *const f = r->family;
	struct rotation_rule *const out = &r->out->rotations[1];
	const struct rope_object nested = inner(r, o, "sliding_attention");
	const struct rope_object none = {NULL, o->path};
	const bool own = is_nested(o->at);
	read_rotation(r, own ? &nested : &none, f->local_key ? f->local_key : f->base_key,
		      f->local_base > 0 ? f->local_base : r->out->rotations[0].base, out);
	if (!own && f->local_base <= 0)
		out->base = r->out->rotations[0].base;
	if (f->local_base > 0)
		compare_bases(r, own ? "full_attention.rope_theta" : f->base_key,
			      own ? "sliding_attention.rope_theta" : f->local_key);
}

static bool same_rotation(const struct rotation_rule *x, const struct rotation_rule *y)
{
	return x->type == ROPE_TYPE_DEFAULT && y->type == ROPE_TYPE_DEFAULT &&
	       fabs(x->base - y->base) <= 0 && fabs(x->partial - y->partial) <= 0;
}

void read_rotations(struct reading *r)
{
	struct known *const k = r->out;
	const struct family *const f = r->family;
	if (f->base <= 0) {
		for (long i = 0; i < k->layers; i++)
			k->layer[i].rotation = -1;
		return;
	}
	const struct rope_object o =
		f->scales_nothing ? (struct rope_object){NULL, "rope_scaling."} : find_object(r);
	const struct rope_object full = is_nested(o.at) ? inner(r, &o, "full_attention") : o;
	read_rotation(r, &full, f->base_key, f->base, &k->rotations[0]);
	const bool differ = f->local_base > 0 || f->local_plain || is_nested(o.at);
	bool two = differ && any_window(k);
	if (two) {
		read_local(r, &o);
		two = !same_rotation(&k->rotations[0], &k->rotations[1]);
	}
	assign(k, two);
	tell_of_releases(r, &o);
}
