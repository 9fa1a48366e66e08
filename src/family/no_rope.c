/* no_rope.c: see no_rope.h. */
#include "family/no_rope.h"

static void by_interval(struct reading *r)
{
	struct known *const k = r->out;
	long every = 4;
	read_long(r, "no_rope_layer_interval", 1, 1000, &every);
	for (long i = 0; i < k->layers; i++)
		if ((i + 1) % every == 0)
			k->layer[i].rotation = -1;
}

void read_no_rope(struct reading *r)
{
	struct known *const k = r->out;
	const char *const path = key_path(r, "no_rope_layers");
	const struct json_value *const v = key_find(r->text, "no_rope_layers", NULL);
	if (!v || (v->kind == JSON_VALUE_ARRAY && v->count == 0)) {
		by_interval(r);
		return;
	}
	if (v->kind != JSON_VALUE_ARRAY || (long)v->count != k->layers) {
		say_unknown(
			r, path,
			arena_printf(r->arena, "\"no_rope_layers\": [%ld times 0 or 1]", k->layers),
			"%zu numbers for %ld layers; a 1 for each that rotates and a 0 for each "
			"that does not would be right",
			v->kind == JSON_VALUE_ARRAY ? v->count : (size_t)1, k->layers);
		return;
	}
	for (size_t i = 0; i < v->count; i++) {
		double x = 0;
		if (!number_of(&v->as.items[i], &x) || (x != 0 && x != 1)) {
			say_unknown(r, path, NULL, "number %zu of it is %s; 0 or 1 would be right",
				    i + 1, key_text(r, &v->as.items[i]));
			return;
		}
		if (x == 0)
			k->layer[i].rotation = -1;
	}
}
