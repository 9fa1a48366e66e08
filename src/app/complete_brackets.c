/* complete_brackets.c: completion of the arguments of a member: t5(buckets=, t5(scale=rs,
 * t5:buckets=16,sc, matrix(from=FILE:TENSOR. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/text.h"

/* The arguments that are open at the end of a text. Formulas and lists have brackets of their
 * own. */
struct open {
	const char *name;     /* begin of the scheme's name */
	const char *end;      /* end of the name: the bracket or the colon */
	const char *argument; /* the typed part of the last argument */
};

/* True for a character before a member; "*" follows a weight, but within arguments it is a product
 * in a formula. */
static bool begins_member(char c, bool in_arguments)
{
	return c == '+' || c == ';' || (!in_arguments && (c == ' ' || c == '*'));
}

/* Finds, in one pass over the text, the member at its end and the depth of brackets there. */
static bool find_open(const char *text, struct open *o)
{
	int depth = 0;
	*o = (struct open){.name = text};
	for (const char *at = text; *at; at++) {
		if (strchr("([{", *at)) {
			if (depth++ == 0 && !o->end) {
				o->end = at;
				o->argument = at + 1;
			}
		} else if (strchr(")]}", *at) && depth > 0) {
			if (--depth == 0 && *o->end == '(')
				*o = (struct open){.name = at + 1};
		} else if (depth == 0 && *at == ':' && !o->end) {
			o->end = at;
			o->argument = at + 1;
		} else if (depth == 0 && begins_member(*at, o->end != NULL)) {
			*o = (struct open){.name = at + 1};
		} else if (*at == ',' && o->end && depth == (*o->end == '(')) {
			o->argument = at + 1;
		}
	}
	return o->end != NULL;
}

/* Arguments that every member takes. */
static const struct shared {
	const char *name, *help;
	const char *const values[8];
} shared[] = {
	{"pos", "the positions that it reads", {"seq", "remaining", "word", "segment", NULL}},
	{"layers", "where it acts", {"all", "odd", "even", "1", "2", NULL}},
	{"heads", "where it acts", {"all", "odd", "even", "1", "2", NULL}},
};
enum { SHARED = sizeof shared / sizeof *shared };

static void add_names(const struct scheme *s, struct candidates *out)
{
	struct arena *const a = out->arena;
	for (const struct param *p = s->params; p && p->name; p++)
		candidates_note(out, arena_printf(a, "%s=", p->name),
				arena_printf(a, "%s: %s", p->help, value_range(&p->type, a)));
	for (size_t i = 0; i < SHARED; i++)
		candidates_note(out, arena_printf(a, "%s=", shared[i].name), shared[i].help);
}

static void add_shared(const char *name, size_t len, struct candidates *out)
{
	for (size_t i = 0; i < SHARED; i++)
		if (strlen(shared[i].name) == len && memcmp(shared[i].name, name, len) == 0)
			for (const char *const *v = shared[i].values; *v; v++)
				candidates_add(out, *v);
}

bool complete_brackets(const struct app *app, const char *args, struct candidates *out)
{
	struct open o;
	(void)app;
	if (!find_open(args, &o))
		return false;
	const char *const argument = o.argument + strspn(o.argument, " ");
	const size_t len = strcspn(argument, "=");
	const char *const name = o.name + strspn(o.name, " ");
	const struct scheme *const s = scheme_find(name, (size_t)(o.end - name), NULL);
	if (!s || s->expression)
		return true;
	out->from = (size_t)(argument - args) + (argument[len] ? len + 1 : 0);
	if (!argument[len]) {
		add_names(s, out);
		return true;
	}
	const struct param *const p = scheme_param(s, argument, len);
	if (p && p->type.kind == &value_file)
		complete_tensor(argument + len + 1, out);
	else if (p)
		complete_values(&p->type, param_default(p, out->arena), out);
	else
		add_shared(argument, len, out);
	return true;
}
