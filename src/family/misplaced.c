/* misplaced.c: keys of positions that stand where nobody reads them. */
#include <string.h>

#include "family/rope_rule.h"
#include "posviz/base/text.h"

static const char *const outer_keys[] = {
	"rope_scaling",		 "rope_parameters", "rope_theta", "max_position_embeddings",
	"partial_rotary_factor", "sliding_window",  "layer_types"};
enum { OUTER_KEYS = sizeof outer_keys / sizeof *outer_keys };

/* The object of rotation in the file, be it null: where keys would have an effect. */
static const char *object_name(const struct reading *r)
{
	return json_member(r->text, "rope_parameters") && !json_member(r->text, "rope_scaling")
		       ? "rope_parameters"
		       : "rope_scaling";
}

static const struct json_value *object_there(const struct reading *r)
{
	const struct json_value *const v = key_find(r->text, object_name(r), NULL);
	return v && v->kind == JSON_VALUE_OBJECT ? v : NULL;
}

/* Returns the value as JSON, shortened. */
static const char *value_text(const struct reading *r, const struct json_value *v)
{
	return v->kind == JSON_VALUE_ARRAY || v->kind == JSON_VALUE_OBJECT ? "..." : key_text(r, v);
}

/* Returns "{"rope_type": "linear", "factor": 4}": all keys that stand outside, inside. */
static const char *as_object(const struct reading *r, const struct json_value *from)
{
	struct strbuf out;
	strbuf_init(&out, r->arena);
	for (size_t i = 0; rope_inner_keys[i]; i++) {
		const struct json_value *const v = key_find(from, rope_inner_keys[i], NULL);
		if (v)
			strbuf_printf(&out, "%s\"%s\": %s", out.len ? ", " : "", v->name,
				      value_text(r, v));
	}
	return arena_printf(r->arena, "\"%s\": {%s}", object_name(r), out.at);
}

/* Keys of a scaling beside rope_scaling, or outside the text model's keys. */
static void look_inner(struct reading *r, const struct json_value *from, const char *inside)
{
	struct strbuf others;
	strbuf_init(&others, r->arena);
	const struct json_value *const object = object_there(r);
	const char *first = NULL;
	for (size_t i = 0; rope_inner_keys[i]; i++) {
		const struct json_value *const v = key_find(from, rope_inner_keys[i], NULL);
		const struct json_value *const in = v ? key_find(object, v->name, NULL) : NULL;
		if (!v || (in && same_value(v, in)))
			continue;
		if (first)
			strbuf_printf(&others, "%s%s", others.len ? " and " : "", v->name);
		first = first ? first : v->name;
	}
	if (first)
		say_wrong(r, arena_printf(r->arena, "%s%s", inside, first), as_object(r, from),
			  "it stands outside %s%s%s%s%s, where nobody reads it, so it scales "
			  "nothing",
			  r->inside, object_name(r), others.len ? ", as " : "", others.at,
			  !others.len		       ? ""
			  : strstr(others.at, " and ") ? " do"
						       : " does");
}

/* Keys beside text_config: of models that keep theirs inside. */
static void look_beside(struct reading *r)
{
	for (size_t i = 0; i < 3; i++) {
		const struct json_value *const v = key_find(r->top, outer_keys[i], NULL);
		const struct json_value *const in = v ? key_find(r->text, v->name, NULL) : NULL;
		if (!v || (in && same_value(v, in)))
			continue;
		if (v->kind == JSON_VALUE_OBJECT && v->count == 0)
			continue;
		say_wrong(r, v->name,
			  arena_printf(r->arena, "\"%.*s\": {\"%s\": %s, ...}",
				       (int)strlen(r->inside) - 1, r->inside, v->name,
				       value_text(r, v)),
			  "it stands outside; the text model reads %s%s%s", r->inside, v->name,
			  in ? ", which says something else" : ", which is not there");
	}
	look_inner(r, r->top, "");
}

/* Scaling of a model that does not rotate, or whose rotation no release scales. */
static void look_idle(struct reading *r)
{
	const struct json_value *const o = object_there(r);
	const struct json_value *const type = key_find(o, "rope_type|type", NULL);
	const bool plain =
		type && type->kind == JSON_VALUE_STRING && strcmp(type->as.string, "default") == 0;
	const bool rotates = r->out->n_rotations > 0;
	if ((rotates && !r->family->scales_nothing) || !o || o->count == 0 || plain)
		return;
	say_wrong(r, key_path(r, object_name(r)),
		  arena_printf(r->arena, "\"%s\": null", object_name(r)),
		  rotates ? "%s rotates by fixed frequencies and does not read it, so it has no "
			    "effect"
			  : "%s does not rotate, so it has no effect",
		  r->family->title);
}

/* Keys that are nearly those of the positions; use_sliding_window, which has one within, is a word of
 * its own. */
static void look_spelling(struct reading *r)
{
	for (size_t i = 0; i < r->text->count; i++) {
		const struct json_value *const v = &r->text->as.items[i];
		const char *near = text_nearest(v->name, outer_keys, OUTER_KEYS);
		if (!near || strstr(v->name, near) || json_member(r->text, near) ||
		    v->kind == JSON_VALUE_NULL)
			continue;
		const char *const name = text_escape(r->arena, v->name, strlen(v->name));
		say_wrong(r, key_path(r, name),
			  arena_printf(r->arena, "\"%s\": %s", near, value_text(r, v)),
			  "nobody reads this key; %s was probably meant", near);
	}
}

void look_misplaced(struct reading *r)
{
	look_inner(r, r->text, r->inside);
	if (r->text != r->top)
		look_beside(r);
	look_idle(r);
	look_spelling(r);
}
