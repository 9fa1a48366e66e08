/* commands_scheme.c: commands that change the expression.
 *
 * Each reads the expression, changes it as a value, and sets the field from its canonical text, so
 * that the field's check refuses a wrong result as it refuses a wrong word of the user. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"

bool expr_work_begin(struct expr_work *w, struct app *app, struct err *err)
{
	w->app = app;
	w->a = app->scratch;
	if (!expr_parse(&w->expr, app->scene.setup.scheme, w->a, err))
		return false;
	w->was = w->expr.n;
	return true;
}

bool expr_work_finish(struct expr_work *w, struct err *err)
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

static bool append(struct expr_work *w, const char *text, struct err *err)
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

/* ---- picking ----------------------------------------------------------------------------- */

/* Toggles a picked mask or rule; any other scheme replaces all members that are neither. */
static bool pick(struct app *app, const struct scheme *s, struct err *err)
{
	struct expr_work w;
	if (!expr_work_begin(&w, app, err))
		return false;
	struct expr *const e = &w.expr;
	app->param = PARAM_OBVIOUS;
	app->scene.member = 0;
	if (s->flags & SCHEME_BESIDE) {
		const size_t before = e->n;
		for (size_t i = e->n; i-- > 0;)
			if (e->members[i].scheme == s)
				drop(e, i);
		return (before != e->n || append(&w, s->id, err)) && expr_work_finish(&w, err);
	}
	struct expr picked;
	if (!expr_parse(&picked, s->id, w.a, err))
		return false;
	expr_keep_masks(&picked, e, w.a);
	*e = picked;
	return expr_work_finish(&w, err);
}

/* Leaves the tokens of a trained model where its layers are not computed with the scheme that was picked:
 * what the scheme learns is in no file of the model. */
static void leave_layers(struct app *app)
{
	struct setup *const setup = &app->scene.setup;
	struct built *const b = arena_calloc(app->scratch, 1, sizeof *b);
	struct err err = {""};
	if (setup->tokens != TOKENS_MODEL || setup_build(setup, app->scratch, b, &err))
		return;
	setup->tokens = TOKENS_WORDS;
	app_say(app, "words on drawn vectors: %s", err.text);
}

/* Goes to the next sentence, tree or graph of the file that can be read; broken ones are skipped
 * with a message. */
static bool pick_beside(struct app *app, const char *args, struct err *err)
{
	enum { PASSED_OVER = 32 };
	const struct field *const field = field_find("pick");
	struct setup setup = app->scene.setup;
	struct err broken = {0};
	setup.governors = setup.moved_edges = ""; /* they belong to the present words */
	for (size_t passed = 0; passed <= PASSED_OVER; passed++) {
		struct input in;
		struct err why = {0};
		size_t count = 0;
		setup.pick += command_direction(args);
		if (setup_tokens(&setup, app->scratch, &in, NULL, &count, &why)) {
			if (passed == 0)
				break;
			app_drop_governors(app, field);
			app->series = field->name;
			app_say(app, "%zu passed over: %s", passed, broken.text);
			return scene_set(&app->scene, field,
					 arena_printf(app->scratch, "%ld", setup.pick), err);
		}
		if (setup.pick < 1 || (size_t)setup.pick > count)
			break;
		if (passed == 0)
			broken = why;
	}
	return command_field(app, field, args, err);
}

bool run_pick(struct app *app, const char *args, struct err *err)
{
	if (*args == '\0')
		return command_usage("pick", err);
	/* No scheme is a number. */
	if (command_direction(args) != 0)
		return pick_beside(app, args, err);
	if (strspn(args, "0123456789") == strlen(args))
		return command_field(app, field_find("pick"), args, err);
	const struct scheme *const s = scheme_find(args, strlen(args), err);
	if (!s || !pick(app, s, err))
		return false;
	leave_layers(app);
	return true;
}

void complete_pick(const struct app *app, const char *args, struct candidates *out)
{
	complete_scheme(app, args, out);
	complete_step(app, args, out);
}

/* Skips masks and rules: going through the menu must not leave one behind. */
bool run_scheme_beside(struct app *app, const char *args, struct err *err)
{
	const size_t direction = (size_t)command_direction(args);
	size_t n, at = 0;
	const struct menu_item *const items = menu_items(&app->scene, app->scratch, &n);
	const struct scheme *const now = menu_chosen(&app->scene);
	while (at < n && items[at].scheme != now)
		at++;
	if (at == n && direction == 1) /* after an unlisted scheme comes the first */
		at = n - 1;
	for (size_t i = 0; i < n; i++) {
		at = (at + n + direction) % n;
		if (items[at].scheme->flags & SCHEME_BESIDE)
			continue;
		app->series = "pick";
		if (!pick(app, items[at].scheme, err))
			return false;
		leave_layers(app);
		return true;
	}
	return err_set(err, "no scheme is listed; listed all shows every one");
}

/* True if the word at the end follows "0.5*". */
static bool follows_weight(const char *args)
{
	size_t at = strlen(args);
	while (at > 0 && !strchr("+;*", args[at - 1]))
		at--;
	return at > 0 && args[at - 1] == '*';
}

static bool takes_weight(const struct scheme *s, struct arena *a)
{
	const struct expr_member m = {.scheme = s, .param = scheme_defaults(s, a)};
	return expr_takes_weight(&m, NULL);
}

void complete_scheme(const struct app *app, const char *args, struct candidates *out)
{
	if (complete_brackets(app, args, out))
		return;
	const bool weighted = follows_weight(args);
	for (size_t i = 0; i < scheme_count(); i++)
		if (!weighted || takes_weight(scheme_at(i), out->arena))
			candidates_note(out, scheme_at(i)->id, scheme_at(i)->title);
	complete_undefine(app, args, out);
}

/* ---- members ----------------------------------------------------------------------------- */

bool run_add(struct app *app, const char *args, struct err *err)
{
	struct expr_work w;
	if (*args == '\0')
		return command_usage("add", err);
	if (!expr_work_begin(&w, app, err) || !append(&w, args, err))
		return false;
	/* `none` and another scheme become the other; with a mask or a rule `none` stays, because
	 * that acts on it. */
	for (size_t i = w.was; i-- > 0 && !(w.expr.members[w.was].scheme->flags & SCHEME_BESIDE);) {
		const struct expr one = {.members = {w.expr.members[i]}, .n = 1};
		if (strcmp(expr_print(&one, w.a), "none") == 0)
			drop(&w.expr, i);
	}
	app->scene.member = 0;
	return expr_work_finish(&w, err);
}

bool run_remove(struct app *app, const char *args, struct err *err)
{
	struct expr_work w;
	if (!expr_work_begin(&w, app, err))
		return false;
	long n = (long)w.expr.n;
	if (n == 1 && strcmp(w.expr.members[0].scheme->id, "none") == 0)
		return err_set(err, "none is all there is; nothing can be removed");
	if (*args != '\0' && !num_parse_long(args, strlen(args), 1, n, &n, err))
		return err_prefix(err, "remove: ");
	drop(&w.expr, (size_t)n - 1);
	app->param = PARAM_OBVIOUS;
	return expr_work_finish(&w, err);
}

/* Returns the member's own switch for a causal mask; NULL: it has none. */
static bool *own_switch(const struct expr_member *m, bool *by_default)
{
	const struct param *const p = scheme_param(m->scheme, "causal", strlen("causal"));
	if (!p || p->type.kind != &value_switch)
		return NULL;
	*by_default = p->type.def != 0;
	return (bool *)((char *)m->param + p->offset);
}

/* Removes every `causal`, and turns off every own switch. */
static bool mask_off(struct expr_work *w, const struct scheme *mask, struct err *err)
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

/* Adds the mask for all heads and layers, as `+causal` does. A scheme whose own switch is on by
 * default gets it on; one for both directions stays so. */
static bool mask_on(struct expr_work *w, const struct scheme *mask, struct err *err)
{
	for (size_t i = 0; i < w->expr.n; i++) {
		bool by_default, *const own = own_switch(&w->expr.members[i], &by_default);
		if (own && by_default)
			*own = true;
	}
	return append(w, mask->id, err);
}

static bool turn_causal(struct expr_work *w, struct err *err)
{
	const struct scheme *const mask = scheme_find("causal", strlen("causal"), err);
	return expr_is_causal(&w->expr) ? mask_off(w, mask, err) : mask_on(w, mask, err);
}

bool app_turns_causal(const struct app *app, struct arena *a)
{
	struct expr_work w = {.a = a};
	return expr_parse(&w.expr, app->scene.setup.scheme, a, NULL) && turn_causal(&w, NULL);
}

const char *app_other_mask(const char *expression, struct arena *a, struct err *err)
{
	struct expr_work w = {.a = a};
	return expr_parse(&w.expr, expression, a, err) && turn_causal(&w, err)
		       ? expr_print(&w.expr, a)
		       : NULL;
}

bool run_causal(struct app *app, const char *args, struct err *err)
{
	(void)args;
	struct expr_work w;
	return expr_work_begin(&w, app, err) && turn_causal(&w, err) && expr_work_finish(&w, err);
}

/* + and - then change the parameters of this member. */
bool run_member(struct app *app, const char *args, struct err *err)
{
	const struct expr *const e = expr_of(app->scene.setup.scheme, app->scratch, err);
	long *const member = &app->scene.member;
	if (!e)
		return false;
	if (*member == 0 && command_direction(args) != 0)
		*member = scene_member(&app->scene, e) - e->members + 1;
	app->series = "member";
	app->param = PARAM_OBVIOUS;
	if (strcmp(args, "0") != 0)
		return command_one_of(member, (long)e->n, args, "member", err);
	*member = 0;
	return true;
}
