/* reading.c: see reading.h. */
#include "family/reading.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"

/* ---- remarks --------------------------------------------------------------------------------- */

enum { MOST_REMARKS = 60 };

/* A hostile file gives few remarks; the last says that there are more. */
static void add(struct reading *r, bool wrong, const char *key, const char *right, const char *says)
{
	struct known *const k = r->out;
	if (k->n_remarks > MOST_REMARKS)
		return;
	r->remarks = arena_grow(r->arena, r->remarks, k->n_remarks, &r->cap, sizeof *r->remarks);
	k->remarks = r->remarks;
	r->remarks[k->n_remarks] = (struct remark){wrong, key, says, right};
	if (k->n_remarks++ == MOST_REMARKS)
		r->remarks[MOST_REMARKS] = (struct remark){true, "", "and more of this kind", NULL};
}

#define SAY(wrong)                                                             \
	do {                                                                   \
		va_list args;                                                  \
		va_start(args, fmt);                                           \
		add(r, wrong, key, right, arena_vprintf(r->arena, fmt, args)); \
		va_end(args);                                                  \
	} while (0)

void say_wrong(struct reading *r, const char *key, const char *right, const char *fmt, ...)
{
	SAY(true);
}

void say_unusual(struct reading *r, const char *key, const char *right, const char *fmt, ...)
{
	SAY(false);
}

void say_unknown(struct reading *r, const char *key, const char *right, const char *fmt, ...)
{
	SAY(true);
	r->unknown = true;
}

void leave_out(struct reading *r, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const char *const what = arena_vprintf(r->arena, fmt, args);
	va_end(args);
	r->out->left_out =
		r->out->left_out ? arena_printf(r->arena, "%s; %s", r->out->left_out, what) : what;
}

/* ---- keys ------------------------------------------------------------------------------------ */

const struct json_value *key_find(const struct json_value *object, const char *names,
				  const char **name)
{
	if (!object || object->kind != JSON_VALUE_OBJECT)
		return NULL;
	for (const char *at = names; at && *at; at += *at == '|') {
		const size_t len = strcspn(at, "|");
		for (size_t i = 0; i < object->count; i++) {
			const struct json_value *const v = &object->as.items[i];
			if (strlen(v->name) == len && memcmp(v->name, at, len) == 0 &&
			    v->kind != JSON_VALUE_NULL) {
				if (name)
					*name = v->name;
				return v;
			}
		}
		at += len;
	}
	return NULL;
}

const char *key_path(const struct reading *r, const char *name)
{
	return arena_printf(r->arena, "%s%s", r->inside, name);
}

const char *key_text(const struct reading *r, const struct json_value *v)
{
	if (v->kind == JSON_VALUE_STRING)
		return text_quote(r->arena, v->as.string, strlen(v->as.string));
	if (v->kind == JSON_VALUE_ARRAY)
		return arena_printf(r->arena, "a list of %zu", v->count);
	if (v->kind == JSON_VALUE_OBJECT)
		return "an object";
	if (v->kind == JSON_VALUE_REAL)
		return print_pointed(r->arena, v->as.real);
	return json_value_text(v, r->arena);
}

const char *print_number(struct arena *a, double x)
{
	char text[32];
	return arena_strdup(a, num_print(text, sizeof text, x));
}

const char *print_pointed(struct arena *a, double x)
{
	const char *const text = print_number(a, x);
	return strpbrk(text, ".e") ? text : arena_printf(a, "%s.0", text);
}

const char *print_numbers(struct arena *a, const struct number_list *list)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < list->n; i++)
		strbuf_printf(&out, "%s%s", i > 0 ? "," : "", print_number(a, list->at[i]));
	return arena_printf(a, "[%s]", out.at);
}

bool number_of(const struct json_value *v, double *out)
{
	if (v->kind == JSON_VALUE_INTEGER)
		*out = (double)v->as.integer;
	else if (v->kind == JSON_VALUE_REAL)
		*out = v->as.real;
	else
		return false;
	return isfinite(*out);
}

static bool same_items(const struct json_value *a, const struct json_value *b)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct json_value *const x = &a->as.items[i];
		const struct json_value *const y =
			a->kind == JSON_VALUE_OBJECT ? json_member(b, x->name) : &b->as.items[i];
		if (!y || !same_value(x, y))
			return false;
	}
	return true;
}

bool same_value(const struct json_value *a, const struct json_value *b)
{
	double x, y;
	if (number_of(a, &x) && number_of(b, &y))
		return x >= y && x <= y;
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case JSON_VALUE_ARRAY:
	case JSON_VALUE_OBJECT:
		return a->count == b->count && same_items(a, b);
	case JSON_VALUE_STRING:
		return strcmp(a->as.string, b->as.string) == 0;
	case JSON_VALUE_BOOL:
		return a->as.truth == b->as.truth;
	default:
		return a->kind == JSON_VALUE_NULL;
	}
}

static bool take_number(struct reading *r, const struct json_value *v, const char *path,
			double least, double most, double *out)
{
	double x;
	if (!number_of(v, &x))
		say_wrong(r, path, NULL, "it is %s; a number would be right", key_text(r, v));
	else if (x < least)
		say_wrong(r, path, NULL, "%s; a number from %s on would be right",
			  print_number(r->arena, x), print_number(r->arena, least));
	else if (x > most)
		say_wrong(r, path, NULL, "%s; a number up to %s would be right",
			  print_number(r->arena, x), print_number(r->arena, most));
	else
		return *out = x, true;
	return false;
}

bool read_number(struct reading *r, const char *names, double least, double most, double *out)
{
	const char *name;
	const struct json_value *const v = key_find(r->text, names, &name);
	return v && take_number(r, v, key_path(r, name), least, most, out);
}

bool member_number(struct reading *r, const struct json_value *object, const char *path,
		   const char *name, double least, double most, double *out)
{
	const struct json_value *const v = key_find(object, name, NULL);
	return v && take_number(r, v, arena_printf(r->arena, "%s%s%s", r->inside, path, name),
				least, most, out);
}

bool read_long(struct reading *r, const char *names, long least, long most, long *out)
{
	const char *name;
	const struct json_value *const v = key_find(r->text, names, &name);
	double x;
	if (!v || !take_number(r, v, key_path(r, name), (double)least, (double)most, &x))
		return false;
	if (x != floor(x)) {
		say_wrong(r, key_path(r, name), NULL, "%s; a whole number would be right",
			  print_number(r->arena, x));
		return false;
	}
	*out = (long)x;
	return true;
}

bool read_switch(struct reading *r, const char *names, bool *out)
{
	const char *name;
	const struct json_value *const v = key_find(r->text, names, &name);
	if (v && v->kind != JSON_VALUE_BOOL)
		say_wrong(r, key_path(r, name), NULL, "it is %s; true or false would be right",
			  key_text(r, v));
	else if (v)
		return *out = v->as.truth, true;
	return false;
}

bool read_word(struct reading *r, const char *names, const char **out)
{
	const char *name;
	const struct json_value *const v = key_find(r->text, names, &name);
	if (v && v->kind != JSON_VALUE_STRING)
		say_wrong(r, key_path(r, name), NULL, "it is %s; a word would be right",
			  key_text(r, v));
	else if (v)
		return *out = text_escape(r->arena, v->as.string, strlen(v->as.string)), true;
	return false;
}
