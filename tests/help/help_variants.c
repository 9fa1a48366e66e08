/* help_variants.c: see help_variants.h. */
#include "help_variants.h"

#include <string.h>

#include "test.h"

static void add_variant(struct variants *v, const struct scheme *s, const char *text)
{
	assert_true(v->n < VARIANTS_MAX);
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->text[i], text) == 0)
			return;
	v->scheme[v->n] = s;
	v->text[v->n++] = text;
}

/* Adds an expression for a value that is not the default, which has its expression without
 * parameters already. */
static void add_value(struct variants *v, const struct scheme *s, const struct param *p,
		      const char *value)
{
	void *param = scheme_defaults(s, &v->arena);
	if (param_set(p, param, value, strlen(value), &v->arena, NULL) &&
	    param_is_default(p, param))
		return;
	add_variant(v, s, arena_printf(&v->arena, "%s(%s=%s)", s->id, p->name, value));
}

static void add_stepped(struct variants *v, const struct scheme *s, const struct param *p,
			int direction)
{
	void *param = scheme_defaults(s, &v->arena);
	for (size_t i = 0; i < 2 && param_step(p, param, direction); i++)
		add_value(v, s, p, param_print(p, param, &v->arena));
}

static void add_words(struct variants *v, const struct scheme *s, const struct param *p)
{
	if (p->type.kind == &value_switch) {
		add_value(v, s, p, "on");
		add_value(v, s, p, "off");
	} else if (p->type.kind == &value_choice) {
		for (size_t i = 0; p->type.choices[i]; i++)
			add_value(v, s, p, p->type.choices[i]);
	}
}

static void add_numbers(struct variants *v, const struct scheme *s, const struct param *p)
{
	if (value_is_number(&p->type)) {
		add_stepped(v, s, p, 1);
		add_stepped(v, s, p, -1);
		add_value(v, s, p, arena_printf(&v->arena, "%.17g", p->type.min));
		add_value(v, s, p, arena_printf(&v->arena, "%.17g", p->type.max));
	} else if (p->type.kind == &value_listed) {
		add_value(v, s, p, "[1]");
		add_value(v, s, p, "[1,2,3,4,5]");
	}
}

void variants_open(struct variants *v, bool numbers)
{
	memset(v, 0, sizeof *v);
	arena_init(&v->arena);
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *s = scheme_at(i);
		add_variant(v, s, s->id);
		for (const struct param *p = s->params; p && p->name; p++) {
			add_words(v, s, p);
			if (numbers)
				add_numbers(v, s, p);
		}
	}
}

void variants_close(struct variants *v)
{
	arena_release(&v->arena);
}
