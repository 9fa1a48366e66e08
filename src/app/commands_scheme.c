/* commands_scheme.c: commands that change the expression.
 *
 * Each reads the expression, changes it as a value, and sets the field from its canonical text, so
 * that a wrong result is refused by the same check that refuses a wrong word of the user. */
#include <string.h>

#include "app_in.h"
#include "posviz/num.h"
#include "posviz/text.h"

struct work {
	struct app *app;
	struct arena *a;
	struct expr expr;
	size_t was; /* members at first */
};

static bool begin(struct work *w, struct app *app, struct err *err)
{
	w->app = app;
	w->a = app->scratch;
	if (!expr_parse(&w->expr, app->scene.setup.scheme, w->a, err))
		return false;
	w->was = w->expr.n;
	return true;
}

/* Takes over the expression. */
static bool finish(struct work *w, struct err *err)
{
	if (w->expr.n == 0 && !expr_parse(&w->expr, "none", w->a, err))
		return false;
	if (!scene_set(&w->app->scene, field_find("scheme"), expr_print(&w->expr, w->a), err))
		return false;
	if (w->expr.n != w->was)
		w->app->scene.member = 0;
	return true;
}

static void drop(struct expr *e, size_t i)
{
	memmove(&e->members[i], &e->members[i + 1], (e->n - i - 1) * sizeof e->members[0]);
	e->n--;
}

static bool is_mask(const struct expr_member *m)
{
	return (m->scheme->flags & SCHEME_MASK) != 0;
}

static bool append(struct work *w, const char *text, struct err *err)
{
	struct expr more;
	if (!expr_parse(&more, text, w->a, err))
		return false;
	if (w->expr.n + more.n > MODEL_MAX_MEMBERS)
		return err_set(err, "an expression has at most %d members", MODEL_MAX_MEMBERS);
	for (size_t i = 0; i < more.n; i++)
		w->expr.members[w->expr.n++] = more.members[i];
	return true;
}

/* The member whose parameters are looked at, to be changed. */
static struct expr_member *shown_member(struct work *w)
{
	return &w->expr.members[scene_member(&w->app->scene, &w->expr) - w->expr.members];
}

/* ---- picking ----------------------------------------------------------------------------- */

/* A name of the user's own may stand for masks too. */
static bool has_member(const struct expr *e, const struct expr_member *m, struct arena *a)
{
	const char *const text = expr_print_member(m, a);
	for (size_t i = 0; i < e->n; i++)
		if (strcmp(expr_print_member(&e->members[i], a), text) == 0)
			return true;
	return false;
}

/* A picked mask goes on or off; anything else takes the place of what is not a mask. */
static bool pick(struct app *app, const struct scheme *s, struct err *err)
{
	struct work w;
	if (!begin(&w, app, err))
		return false;
	struct expr *const e = &w.expr;
	app->param = 0;
	app->scene.member = 0;
	if (s->flags & SCHEME_MASK) {
		const size_t before = e->n;
		for (size_t i = e->n; i-- > 0;)
			if (e->members[i].scheme == s)
				drop(e, i);
		return (before != e->n || append(&w, s->id, err)) && finish(&w, err);
	}
	struct expr picked;
	if (!expr_parse(&picked, s->id, w.a, err))
		return false;
	for (size_t i = 0; i < e->n && picked.n < MODEL_MAX_MEMBERS; i++)
		if (is_mask(&e->members[i]) && !has_member(&picked, &e->members[i], w.a))
			picked.members[picked.n++] = e->members[i];
	*e = picked;
	return finish(&w, err);
}

bool run_pick(struct app *app, const char *args, struct err *err)
{
	if (*args == '\0')
		return command_usage("pick", err);
	/* No scheme is a number. */
	if (command_direction(args) != 0 || strspn(args, "0123456789") == strlen(args))
		return command_field(app, field_find("pick"), args, err);
	const struct scheme *const s = scheme_find(args, strlen(args), err);
	return s && pick(app, s, err);
}

void complete_pick(const struct app *app, const char *args, struct candidates *out)
{
	complete_scheme(app, args, out);
	complete_step(app, args, out);
}

/* Masks are passed over: going through the menu must not leave one behind. */
bool run_scheme_beside(struct app *app, const char *args, struct err *err)
{
	const size_t direction = (size_t)command_direction(args);
	size_t n, at = 0;
	const struct menu_item *const items = menu_items(&app->scene, app->scratch, &n);
	const struct scheme *const now = menu_chosen(&app->scene);
	while (at < n && items[at].scheme != now)
		at++;
	if (at == n && direction == 1) /* of none that is listed the next is the first */
		at = n - 1;
	for (size_t i = 0; i < n; i++) {
		at = (at + n + direction) % n;
		if (items[at].scheme->flags & SCHEME_MASK)
			continue;
		app->series = "pick";
		return pick(app, items[at].scheme, err);
	}
	return err_set(err, "no scheme is listed; listed all shows every one");
}

static void add_values(const struct param *p, struct candidates *out)
{
	for (size_t i = 0; p->kind == PARAM_CHOICE && p->choices[i]; i++)
		candidates_add(out, p->choices[i]);
	if (p->kind != PARAM_BOOL)
		return;
	candidates_add(out, "on");
	candidates_add(out, "off");
}

/* The bracket of a member that is open at the end of the text, and what is typed of its last
 * argument: its first byte. NULL: none is open. Formulas and lists have brackets of their own. */
static const char *open_bracket(const char *text, const char **argument)
{
	const char *open = NULL;
	int depth = 0;
	for (const char *at = text; *at; at++) {
		if (strchr("([", *at) && depth++ == 0) {
			open = at;
			*argument = at + 1;
		} else if (strchr(")]", *at) && depth > 0) {
			depth--;
		} else if (*at == ',' && depth == 1) {
			*argument = at + 1;
		}
	}
	return depth > 0 ? open : NULL;
}

/* In brackets: the names of parameters, behind one its values where they have names. */
static void complete_member(const char *args, const char *open, const char *argument,
			    struct candidates *out)
{
	static const char *const shared[] = {"pos", "layers", "heads"};
	const char *name = open;
	argument += strspn(argument, " ");
	const size_t len = strcspn(argument, "=");
	while (name > args && !strchr(" +;", name[-1]))
		name--;
	const struct scheme *const s = scheme_find(name, (size_t)(open - name), NULL);
	if (!s || s->expression)
		return;
	const struct param *const p = argument[len] ? scheme_param(s, argument, len) : NULL;
	out->from = (size_t)(argument - args) + (argument[len] ? len + 1 : 0);
	if (argument[len]) {
		if (p)
			add_values(p, out);
		return;
	}
	for (size_t i = 0; s->params && s->params[i].name; i++)
		candidates_add(out, arena_printf(out->arena, "%s=", s->params[i].name));
	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
		candidates_add(out, arena_printf(out->arena, "%s=", shared[i]));
}

void complete_scheme(const struct app *app, const char *args, struct candidates *out)
{
	const char *argument = args, *const open = open_bracket(args, &argument);
	if (open) {
		complete_member(args, open, argument, out);
		return;
	}
	for (size_t i = 0; i < scheme_count(); i++)
		candidates_add(out, scheme_at(i)->id);
	complete_undefine(app, args, out);
}

/* ---- members ----------------------------------------------------------------------------- */

bool run_add(struct app *app, const char *args, struct err *err)
{
	struct work w;
	if (*args == '\0')
		return command_usage("add", err);
	return begin(&w, app, err) && append(&w, args, err) && finish(&w, err);
}

bool run_remove(struct app *app, const char *args, struct err *err)
{
	struct work w;
	if (!begin(&w, app, err))
		return false;
	long n = (long)w.expr.n;
	if (n == 1 && strcmp(w.expr.members[0].scheme->id, "none") == 0)
		return err_set(err, "none is all there is; nothing can be removed");
	if (*args != '\0' && !num_parse_long(args, strlen(args), 1, n, &n, err))
		return err_prefix(err, "remove: ");
	drop(&w.expr, (size_t)n - 1);
	app->param = 0;
	return finish(&w, err);
}

/* The member's own switch for a causal mask, where it has one. */
static bool *own_switch(const struct expr_member *m, bool *by_default)
{
	const struct param *const p = scheme_param(m->scheme, "causal", strlen("causal"));
	if (!p || p->kind != PARAM_BOOL)
		return NULL;
	*by_default = p->def != 0;
	return (bool *)((char *)m->param + p->offset);
}

/* Every `causal` goes, and every own switch goes off. */
static bool mask_off(struct work *w, const struct scheme *mask, struct err *err)
{
	struct expr *const e = &w->expr;
	for (size_t i = e->n; i-- > 0;) {
		struct expr_member *const m = &e->members[i];
		const struct expr one = {.members = {*m}, .n = 1};
		bool by_default, *const own = own_switch(m, &by_default);
		if (m->scheme == mask)
			drop(e, i);
		else if (own)
			*own = false;
		else if (expr_is_causal(&one))
			return err_set(err, "%s is defined with its causal mask", m->scheme->id);
	}
	return true;
}

/* What `+causal` says: the mask for all heads and layers. A scheme that is made for it is then as it was
 * made; one that is made for both directions stays that. */
static bool mask_on(struct work *w, const struct scheme *mask, struct err *err)
{
	for (size_t i = 0; i < w->expr.n; i++) {
		bool by_default, *const own = own_switch(&w->expr.members[i], &by_default);
		if (own && by_default)
			*own = true;
	}
	return append(w, mask->id, err);
}

static bool turn_causal(struct work *w, struct err *err)
{
	const struct scheme *const mask = scheme_find("causal", strlen("causal"), err);
	return expr_is_causal(&w->expr) ? mask_off(w, mask, err) : mask_on(w, mask, err);
}

bool run_causal(struct app *app, const char *args, struct err *err)
{
	(void)args;
	struct work w;
	return begin(&w, app, err) && turn_causal(&w, err) && finish(&w, err);
}

/* ---- parameters -------------------------------------------------------------------------- */

static size_t param_count(const struct scheme *s)
{
	size_t n = 0;
	while (s->params && s->params[n].name)
		n++;
	return n;
}

/* The scheme of the member whose parameters are looked at; NULL when the expression cannot be read. */
static const struct scheme *shown_scheme(const struct app *app)
{
	struct arena a;
	struct expr e;
	arena_init(&a);
	const bool read = expr_parse(&e, app->scene.setup.scheme, &a, NULL);
	const struct scheme *const found = read ? scene_member(&app->scene, &e)->scheme : NULL;
	arena_release(&a);
	return found;
}

/* The parameter of that member that + and - change. */
static const struct param *chosen(struct app *app, const struct scheme *s, struct err *err)
{
	const size_t n = param_count(s);
	if (n == 0) {
		err_set(err, "%s has no parameters", s->id);
		return NULL;
	}
	if (app->param >= n)
		app->param = 0;
	return &s->params[app->param];
}

/* Another member may have it. */
static bool refuse_param(struct work *w, const struct expr_member *m, const char *name, size_t len,
			 struct err *err)
{
	err_set(err, "%s has no parameter %s", m->scheme->id, text_quote(w->a, name, len));
	for (size_t i = 0; i < w->expr.n; i++) {
		const struct scheme *const other = w->expr.members[i].scheme;
		if (!scheme_param(other, name, len))
			continue;
		return err_set(err, "%s; %s has it: member %zu", err->text, other->id, i + 1);
	}
	return false;
}

bool run_param(struct app *app, const char *args, struct err *err)
{
	const size_t len = strcspn(args, " =");
	const char *const value = args + len + strspn(args + len, " =");
	struct work w;
	if (len == 0 || *value == '\0')
		return command_usage("param", err);
	if (!begin(&w, app, err))
		return false;
	struct expr_member *const m = shown_member(&w);
	const struct param *const p = scheme_param(m->scheme, args, len);
	if (!p)
		return refuse_param(&w, m, args, len, err);
	if (!param_set(p, m->param, value, strlen(value), w.a, err))
		return false;
	app->param = (size_t)(p - m->scheme->params);
	return finish(&w, err);
}

void complete_param(const struct app *app, const char *args, struct candidates *out)
{
	const struct scheme *const s = shown_scheme(app);
	const size_t len = strcspn(args, " ");
	const struct param *const p = s && args[len] ? scheme_param(s, args, len) : NULL;
	if (p)
		add_values(p, out);
	for (size_t i = 0; s && !args[len] && i < param_count(s); i++)
		candidates_add(out, s->params[i].name);
}

const char *app_chosen_value(struct app *app, struct arena *a, const struct param **p,
			     struct err *err)
{
	struct expr e;
	if (!expr_parse(&e, app->scene.setup.scheme, a, err))
		return NULL;
	const struct expr_member *const m = scene_member(&app->scene, &e);
	*p = chosen(app, m->scheme, err);
	return *p ? param_print(*p, m->param, a) : NULL;
}

void complete_value(const struct app *app, const char *args, struct candidates *out)
{
	const struct scheme *const s = shown_scheme(app);
	(void)args;
	if (s && app->param < param_count(s))
		add_values(&s->params[app->param], out);
}

bool run_param_beside(struct app *app, const char *args, struct err *err)
{
	const struct scheme *const s = shown_scheme(app);
	if (!s || !chosen(app, s, err))
		return false;
	const size_t n = param_count(s);
	app->param = (app->param + n + (size_t)command_direction(args)) % n;
	return true;
}

/* Its parameters are then those that + and - change. */
bool run_member(struct app *app, const char *args, struct err *err)
{
	struct expr e;
	long *const member = &app->scene.member;
	if (!expr_parse(&e, app->scene.setup.scheme, app->scratch, err))
		return false;
	if (*member == 0 && command_direction(args) != 0)
		*member = scene_member(&app->scene, &e) - e.members + 1;
	app->series = "member";
	app->param = 0;
	if (strcmp(args, "0") != 0)
		return command_one_of(member, (long)e.n, args, "member", err);
	*member = 0;
	return true;
}

bool run_param_step(struct app *app, const char *args, struct err *err)
{
	const int direction = strcmp(args, "+1") == 0 ? 1 : strcmp(args, "-1") == 0 ? -1 : 0;
	struct work w;
	if (direction == 0)
		return command_usage("param-step", err);
	if (!begin(&w, app, err))
		return false;
	struct expr_member *const m = shown_member(&w);
	const struct param *const p = chosen(app, m->scheme, err);
	if (!p)
		return false;
	if (!param_step(p, m->param, direction)) {
		const char *const now = param_print(p, m->param, w.a);
		if (!param_has_steps(p))
			return err_set(err, "%s has no steps; \"value\" types one", p->name);
		return err_set(err, "%s ends at %s", p->name, now);
	}
	app->series = p->name;
	return finish(&w, err);
}

bool run_reset_param(struct app *app, const char *args, struct err *err)
{
	(void)args;
	struct work w;
	if (!begin(&w, app, err))
		return false;
	struct expr_member *const m = shown_member(&w);
	const struct param *const p = chosen(app, m->scheme, err);
	const void *const defaults = scheme_defaults(m->scheme, w.a);
	if (!p)
		return false;
	const char *const value = param_print(p, defaults, w.a);
	return param_set(p, m->param, value, strlen(value), w.a, err) && finish(&w, err);
}

size_t app_params(const struct app *app, struct arena *a, const char **out, size_t most)
{
	struct expr e;
	struct err err;
	if (!expr_parse(&e, app->scene.setup.scheme, a, &err))
		return 0;
	const struct expr_member *const m = scene_member(&app->scene, &e);
	const size_t n = param_count(m->scheme) < most ? param_count(m->scheme) : most;
	for (size_t i = 0; i < n; i++)
		out[i] = arena_printf(a, "%s %s", m->scheme->params[i].name,
				      param_print(&m->scheme->params[i], m->param, a));
	return n;
}

const char *app_param_text(const struct app *app, struct arena *a)
{
	const char *all[APP_PARAMS];
	const size_t n = app_params(app, a, all, APP_PARAMS);
	return n == 0 ? NULL : all[app->param < n ? app->param : 0];
}
