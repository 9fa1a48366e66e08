/* commands_param.c: commands that change a parameter of the shown member, or its weight.
 *
 * A weight is one more parameter, behind those of the scheme; it lies in the member itself.
 * Parameters that have no effect with the present values of the others are not listed. */
#include <math.h>
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

/* A parameter, and the struct that contains its value. */
struct slot {
	const struct param *p;
	void *in;
};

static const struct param weight_param =
	PARAM_AT(struct expr_member, weight, weight,
		 "times what the member adds to the logits; 0: nothing, 1: as without",
		 NUMBER_TYPE(1, -1e6, 1e6, 0.1));

/* True if the weight is listed. A weight of 1 of a single member is hidden, unless + and - have
 * just changed the weight to 1. */
static bool shows_weight(const struct app *app, const struct expr *e, const struct expr_member *m,
			 size_t params)
{
	size_t beside = 0;
	for (size_t i = 0; i < e->n; i++)
		beside += &e->members[i] != m && !(e->members[i].scheme->flags & SCHEME_MASK);
	const bool has = m->weight != 1 || beside > 0 || app->param == params;
	return has && expr_takes_weight(m, NULL);
}

static size_t slots(const struct app *app, const struct expr *e, struct expr_member *m,
		    struct slot out[APP_PARAMS])
{
	size_t n = 0;
	for (const struct param *p = m->scheme->params; p && p->name; p++)
		if (param_is_used(p, m->param)) {
			BUG_IF(n + 1 >= APP_PARAMS);
			out[n++] = (struct slot){p, m->param};
		}
	if (shows_weight(app, e, m, n))
		out[n++] = (struct slot){&weight_param, m};
	return n;
}

/* Returns the index of the parameter that + and - change. By default it is a weight other than 1,
 * else the first parameter, or the first number if that is a text. */
static size_t chosen(const struct app *app, const struct slot *of, size_t n)
{
	if (app->param < n)
		return app->param;
	const struct slot *const last = &of[n - 1];
	if (last->p == &weight_param && !param_is_default(last->p, last->in))
		return n - 1;
	for (size_t i = 0; i < n && !value_has_steps(&of[0].p->type); i++)
		if (value_is_number(&of[i].p->type))
			return i;
	return 0;
}

/* The member whose parameters are shown, and these parameters. */
struct look {
	struct expr_work w;
	struct expr_member *m;
	struct slot slots[APP_PARAMS];
	size_t n, chosen;
};

static void look_at(struct look *l, const struct app *app, struct expr *e)
{
	l->m = &e->members[scene_member(&app->scene, e) - e->members];
	l->n = slots(app, e, l->m, l->slots);
	l->chosen = l->n > 0 ? chosen(app, l->slots, l->n) : 0;
}

/* Reads them for a change. False if the expression cannot be read, or has no parameter. */
static bool look(struct look *l, struct app *app, struct err *err)
{
	if (!expr_work_begin(&l->w, app, err))
		return false;
	look_at(l, app, &l->w.expr);
	return l->n > 0 || err_set(err, "%s has no parameters", l->m->scheme->id);
}

/* Reads them without a change; the expression is in l->w.expr. */
static bool look_on(struct look *l, const struct app *app, struct arena *a)
{
	struct expr *const e = &l->w.expr;
	if (!expr_parse(e, app->scene.setup.scheme, a, NULL))
		return false;
	look_at(l, app, e);
	return l->n > 0;
}

/* ---- setting ----------------------------------------------------------------------------- */

/* The error names another member that has the parameter. */
static bool refuse_param(struct look *l, const char *name, size_t len, struct err *err)
{
	const struct expr *const e = &l->w.expr;
	err_set(err, "%s has no parameter %s", l->m->scheme->id, text_quote(l->w.a, name, len));
	for (size_t i = 0; i < e->n; i++) {
		const struct scheme *const other = e->members[i].scheme;
		if (!scheme_param(other, name, len))
			continue;
		return err_set(err, "%s; %s has it: member %zu", err->text, other->id, i + 1);
	}
	return false;
}

/* True if the name means the weight. If the scheme has a parameter of this name, only a number
 * means the weight. */
static bool is_weight(const struct expr_member *m, const char *name, size_t len, const char *value)
{
	const size_t size = strlen(value);
	const bool named =
		len == strlen(weight_param.name) && memcmp(name, weight_param.name, len) == 0;
	return named && (!scheme_param(m->scheme, name, len) || num_length(value, size) == size);
}

/* Resets parameters that no longer have an effect, such as a letter that the formula does not
 * contain any more. */
static bool reset_unused(const struct expr_member *m, const struct param *given, struct arena *a,
			 struct err *err)
{
	for (const struct param *p = m->scheme->params; p && p->name; p++) {
		if (p == given || param_is_used(p, m->param))
			continue;
		const char *const value = param_default(p, a);
		if (!param_set(p, m->param, value, strlen(value), a, err))
			return false;
	}
	return true;
}

/* Makes the parameter the one that + and - change. */
static void choose(struct look *l, const struct param *p)
{
	struct app *const app = l->w.app;
	app->param = PARAM_OBVIOUS;
	look_at(l, app, &l->w.expr);
	for (size_t i = 0; i < l->n; i++)
		if (l->slots[i].p == p)
			app->param = i;
}

bool run_param(struct app *app, const char *args, struct err *err)
{
	const size_t len = strcspn(args, " =");
	const char *const value = args + len + strspn(args + len, " =");
	struct look l;
	if (len == 0 || *value == '\0')
		return command_usage("param", err);
	if (!expr_work_begin(&l.w, app, err))
		return false;
	look_at(&l, app, &l.w.expr);
	const bool weight = is_weight(l.m, args, len, value);
	const struct param *const p = weight ? &weight_param : scheme_param(l.m->scheme, args, len);
	if (!p)
		return refuse_param(&l, args, len, err);
	if (weight && !expr_takes_weight(l.m, err))
		return false;
	if (!param_set(p, weight ? (void *)l.m : l.m->param, value, strlen(value), l.w.a, err) ||
	    !reset_unused(l.m, p, l.w.a, err) || !expr_work_finish(&l.w, err))
		return false;
	choose(&l, p);
	return true;
}

bool run_param_step(struct app *app, const char *args, struct err *err)
{
	const int direction = strcmp(args, "+1") == 0 ? 1 : strcmp(args, "-1") == 0 ? -1 : 0;
	struct look l;
	if (direction == 0)
		return command_usage("param-step", err);
	if (!look(&l, app, err))
		return false;
	const struct slot *const s = &l.slots[l.chosen];
	const char *const now = param_print(s->p, s->in, l.w.a);
	if (!param_step(s->p, s->in, direction)) {
		if (!value_has_steps(&s->p->type))
			return err_set(err, "%s has no steps; \"value\" types one", s->p->name);
		return app_ends(app,
				arena_printf(l.w.a, "%s is %s, the %s that it can be; %s goes back",
					     s->p->name, now, direction > 0 ? "most" : "least",
					     direction > 0 ? "-" : "+"),
				err);
	}
	app->param = l.chosen;
	app->series = s->p->name;
	struct err why;
	return expr_work_finish(&l.w, &why) ||
	       app_ends(app, arena_printf(l.w.a, "%s stays %s: %s", s->p->name, now, why.text),
			err);
}

bool run_reset_param(struct app *app, const char *args, struct err *err)
{
	(void)args;
	struct look l;
	if (!look(&l, app, err))
		return false;
	const struct slot *const s = &l.slots[l.chosen];
	const char *const value = param_default(s->p, l.w.a);
	app->param = l.chosen;
	return param_set(s->p, s->in, value, strlen(value), l.w.a, err) &&
	       expr_work_finish(&l.w, err);
}

bool run_param_beside(struct app *app, const char *args, struct err *err)
{
	struct look l;
	if (!look(&l, app, err))
		return false;
	app->param = (l.chosen + l.n + (size_t)command_direction(args)) % l.n;
	return true;
}

/* ---- completing and showing -------------------------------------------------------------- */

void complete_param(const struct app *app, const char *args, struct candidates *out)
{
	struct look l;
	if (!look_on(&l, app, out->arena))
		return;
	const size_t len = strcspn(args, " ");
	const struct param *const p = args[len] ? scheme_param(l.m->scheme, args, len) : NULL;
	if (p)
		complete_values(&p->type, param_default(p, out->arena), out);
	for (size_t i = 0; !args[len] && i < l.n; i++)
		candidates_note(out, l.slots[i].p->name, l.slots[i].p->help);
}

void complete_value(const struct app *app, const char *args, struct candidates *out)
{
	struct look l;
	(void)args;
	if (!look_on(&l, app, out->arena))
		return;
	const struct param *const p = l.slots[l.chosen].p;
	complete_values(&p->type, param_default(p, out->arena), out);
}

const char *app_chosen_value(struct app *app, struct arena *a, const struct param **p,
			     struct err *err)
{
	struct look l;
	if (!look(&l, app, err))
		return NULL;
	const struct slot *const s = &l.slots[l.chosen];
	*p = s->p;
	return param_print(s->p, s->in, a);
}

size_t app_params(const struct app *app, struct arena *a, const char **out, size_t most)
{
	struct look l;
	if (!look_on(&l, app, a))
		return 0;
	const size_t n = l.n < most ? l.n : most;
	for (size_t i = 0; i < n; i++)
		out[i] = arena_printf(a, "%s %s", l.slots[i].p->name,
				      param_print(l.slots[i].p, l.slots[i].in, a));
	return n;
}

size_t app_param_chosen(const struct app *app)
{
	struct arena a;
	struct look l;
	arena_init(&a);
	const size_t at = look_on(&l, app, &a) ? l.chosen : 0;
	arena_release(&a);
	return at;
}

const char *app_param_text(const struct app *app, struct arena *a)
{
	const char *all[APP_PARAMS];
	const size_t n = app_params(app, a, all, APP_PARAMS);
	return n == 0 ? NULL : all[app_param_chosen(app)];
}
