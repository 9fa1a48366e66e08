/* commands_compare.c: which expressions the view Compare shows, and what of them.
 *
 * Number 1 is the scheme itself, which all commands about schemes change; the others are pinned in the
 * field `compare`. The list is read, changed as an array and set as a whole. */
#include <string.h>

#include "app_in.h"
#include "posviz/num.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"
#include "posviz/view.h"

enum { NAME_COLS = 40 };

struct list {
	struct arena *a;
	const char *at[COMPARE_MAX];
	size_t n;
};

bool app_set_compared(struct scene *scene, const char *const *expressions, size_t n,
		      struct err *err)
{
	const struct field *const scheme = field_find("scheme");
	struct scene probe = *scene, made = *scene;
	struct arena a;
	struct strbuf rest;
	BUG_IF(n == 0 || n > COMPARE_MAX);
	arena_init(&a);
	strbuf_init(&rest, &a);
	bool ok = true;
	for (size_t i = 0; ok && i < n; i++) {
		ok = scene_set(i == 0 ? &made : &probe, scheme, expressions[i], err) ||
		     err_prefix(err, "expression %zu: ", i + 1);
		if (ok && i > 0)
			strbuf_printf(&rest, "%s%s", i > 1 ? "; " : "", probe.setup.scheme);
	}
	/* The word alone would say that there is nothing to compare with. */
	const char *const value = n == 1			 ? "none"
				  : strcmp(rest.at, "none") == 0 ? "none()"
								 : rest.at;
	ok = ok && scene_set(&made, field_find("compare"), value, err);
	if (ok)
		*scene = made;
	arena_release(&a);
	return ok;
}

static bool is_in_view(const struct app *app)
{
	return view_of(&app->scene)->compare;
}

static void list_read(struct list *l, const struct app *app, struct arena *a)
{
	l->a = a;
	l->n = scene_compared(&app->scene.setup, a, l->at);
}

/* With what the view has chosen itself, where nothing is pinned and it is on the screen. */
static void list_shown(struct list *l, const struct app *app, struct arena *a)
{
	const struct shown *const s = &app->shown;
	list_read(l, app, a);
	if (l->n > 1 || !is_in_view(app) || !s->picture || !s->scene ||
	    strcmp(s->scene->setup.scheme, app->scene.setup.scheme) != 0 ||
	    strcmp(s->scene->setup.compare, app->scene.setup.compare) != 0)
		return;
	for (size_t i = 1; i < s->picture->n_compared && l->n < COMPARE_MAX; i++)
		l->at[l->n++] = arena_strdup(a, s->picture->compared[i].expression);
}

static bool list_set(struct list *l, struct app *app, struct err *err)
{
	return app_set_compared(&app->scene, l->at, l->n, err);
}

static const char *name_of(struct list *l, size_t i)
{
	return text_shorten(l->a, l->at[i], NAME_COLS, false);
}

/* The number of the expression whose matrix has the focus, from 1; 0: none has. The first pane is the
 * difference, behind it the matrices stand by their numbers. */
static size_t with_focus(const struct app *app, const struct list *l)
{
	const struct picture *const p = app->shown.picture;
	const bool whole = strcmp(app->scene.panel, "all") == 0;
	return p && whole && is_in_view(app) && app->pane <= p->n_compared && app->pane <= l->n
		       ? app->pane
		       : 0;
}

struct scene app_focused(const struct app *app)
{
	struct scene scene = app->scene;
	struct arena a;
	struct list l;
	arena_init(&a);
	list_shown(&l, app, &a);
	const size_t number = with_focus(app, &l);
	if (number > 1)
		scene.setup.scheme = scene_intern(l.at[number - 1]);
	arena_release(&a);
	return scene;
}

/* ---- pinning ------------------------------------------------------------------------------- */

static bool pin(struct app *app, struct list *l, struct err *err)
{
	for (size_t i = 1; i < l->n; i++) {
		if (strcmp(l->at[i], l->at[0]) != 0)
			continue;
		app_say(app, "%s is pinned already, as %zu; choose another with / or J K",
			name_of(l, 0), i + 1);
		return true;
	}
	if (l->n == COMPARE_MAX)
		return err_set(err, "pin: %d are compared already; unpin takes one away",
			       COMPARE_MAX);
	l->at[l->n++] = l->at[0];
	app_say(app, "%s is pinned as %zu; choose another with / or J K", name_of(l, 0), l->n);
	return true;
}

bool run_pin(struct app *app, const char *args, struct err *err)
{
	struct list l;
	(void)args;
	list_read(&l, app, app->scratch);
	const bool ok = pin(app, &l, err) && list_set(&l, app, err) &&
			(is_in_view(app) || run_view(app, "compare", err));
	app->series = NULL;
	return ok;
}

/* With the masks of what is looked at, as if it were picked. */
static const char *expression_of(const struct app *app, const struct view_row *row, struct arena *a)
{
	struct expr picked, now;
	if (row->expression || !expr_parse(&picked, row->scheme->id, a, NULL) ||
	    !expr_parse(&now, app->scene.setup.scheme, a, NULL))
		return row->expression;
	expr_keep_masks(&picked, &now, a);
	return expr_print(&picked, a);
}

static bool pin_row(struct app *app, const struct view_row *row, struct list *l, struct err *err)
{
	const char *const other = expression_of(app, row, l->a);
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->at[i], other) == 0)
			return i > 0 ||
			       err_set(err, "pin-row: %s is what is looked at; choose another row",
				       name_of(l, i));
	if (l->n == COMPARE_MAX)
		return err_set(err, "pin-row: %d are compared already; unpin takes one away",
			       COMPARE_MAX);
	l->at[l->n++] = other;
	app_say(app, "%s is compared as %zu", name_of(l, l->n - 1), l->n);
	return list_set(l, app, err);
}

bool run_pin_row(struct app *app, const char *args, struct err *err)
{
	struct view_row row;
	struct list l;
	(void)args;
	list_read(&l, app, app->scratch);
	const bool ok = app_chosen_row(app, app->scratch, &row, err) &&
			pin_row(app, &row, &l, err) && run_view(app, "compare", err);
	app->series = NULL;
	return ok;
}

/* Whether more is on the screen than is compared now, because that is still computed. */
static bool is_behind(const struct app *app)
{
	const struct scene *const shown = app->shown.scene;
	return shown && app->shown.picture && strcmp(shown->setup.compare, "none") != 0 &&
	       strcmp(shown->setup.compare, app->scene.setup.compare) != 0;
}

/* A number of the list from 2 on. Without one: that with the focus, else `usual`. */
static bool other_number(const struct app *app, const struct list *l, const char *name,
			 const char *args, size_t usual, size_t *out, struct err *err)
{
	const size_t focus = with_focus(app, l);
	long number;
	if (l->n == 1 && is_behind(app))
		return err_set(err, "%s: nothing is pinned any more; the picture of it is made",
			       name);
	if (l->n == 1)
		return err_set(err, "%s: nothing is pinned; pin takes the scheme that is looked at",
			       name);
	*out = focus > 1 ? focus : usual;
	if (*args == '\0')
		return true;
	if (num_parse_long(args, strlen(args), 2, (long)l->n, &number, NULL)) {
		*out = (size_t)number;
		return true;
	}
	if (l->n == 2)
		return err_set(err, "%s: there is number 2 alone to name", name);
	if (!num_parse_long(args, strlen(args), 2, (long)l->n, &number, err))
		return err_prefix(err, "%s: ", name);
	*out = (size_t)number;
	return true;
}

static bool unpin(struct app *app, const char *args, struct list *l, struct err *err)
{
	size_t number;
	const bool all = strcmp(args, "all") == 0;
	if (!other_number(app, l, "unpin", all ? "" : args, l->n, &number, err))
		return false;
	const char *const gone = name_of(l, number - 1);
	if (all) {
		l->n = 1;
	} else {
		l->n--;
		memmove(&l->at[number - 1], &l->at[number], (l->n - number + 1) * sizeof l->at[0]);
	}
	if (l->n == 1)
		app_say(app, "nothing is pinned any more: %s alone", name_of(l, 0));
	else
		app_say(app, "%s is not compared any more", gone);
	return true;
}

/* Left alone in its view the scheme would be compared with another that nobody chose. */
static bool leave_compare(struct app *app, struct err *err)
{
	const bool ok =
		run_view(app, app->before_compare ? app->before_compare : views[0]->name, err);
	app->series = NULL;
	return ok;
}

bool run_unpin(struct app *app, const char *args, struct err *err)
{
	struct list l;
	list_read(&l, app, app->scratch);
	if (!unpin(app, args, &l, err) || !list_set(&l, app, err))
		return false;
	return l.n > 1 || !is_in_view(app) || leave_compare(app, err);
}

/* Without pins what the view has chosen comes to the front, and what was looked at is pinned. */
bool run_front(struct app *app, const char *args, struct err *err)
{
	struct list l;
	size_t number;
	list_shown(&l, app, app->scratch);
	if (!other_number(app, &l, "front", args, 2, &number, err))
		return false;
	const char *const first = l.at[0];
	l.at[0] = l.at[number - 1];
	l.at[number - 1] = first;
	app_say(app, "%s is 1 now, it was %zu; + - a d c change it", name_of(&l, 0), number);
	app->param = PARAM_OBVIOUS;
	return list_set(&l, app, err);
}

static void add_numbers(const struct app *app, struct candidates *out)
{
	struct list l;
	list_shown(&l, app, out->arena);
	for (size_t i = 2; i <= l.n; i++)
		candidates_add(out, arena_printf(out->arena, "%zu", i));
}

void complete_unpin(const struct app *app, const char *args, struct candidates *out)
{
	(void)args;
	add_numbers(app, out);
	candidates_add(out, "all");
}

void complete_front(const struct app *app, const char *args, struct candidates *out)
{
	(void)args;
	add_numbers(app, out);
}

/* ---- what is shown of them ----------------------------------------------------------------- */

bool run_compare(struct app *app, const char *args, struct err *err)
{
	if (!command_field(app, field_find("compare"), args, err))
		return false;
	if (!is_in_view(app) && strcmp(app->scene.setup.compare, "none") != 0)
		app_say(app, "the view Compare shows them: view compare");
	return true;
}

/* How many there are: the view chooses a second itself where there is one alone. */
static size_t numbers(const struct app *app, struct arena *a)
{
	struct list l;
	list_shown(&l, app, a);
	return l.n < 2 ? 2 : l.n;
}

bool app_has_pair(const struct scene *scene)
{
	struct arena a;
	const char *all[COMPARE_MAX];
	arena_init(&a);
	const size_t n = scene_compared(&scene->setup, &a, all);
	arena_release(&a);
	return pairs[scene->pair][1] <= (n < 2 ? 2 : n);
}

const char *app_pair_name(const char *text)
{
	for (size_t i = 0; i < PAIRS; i++) {
		const char *const name = pair_names[i];
		if (strlen(text) == 3 && text[0] == name[2] && text[1] == '-' && text[2] == name[0])
			return name;
	}
	return text;
}

static void say_pair(struct app *app)
{
	const unsigned char *const pair = pairs[app->scene.pair];
	struct list l;
	list_shown(&l, app, app->scratch);
	if (pair[1] <= l.n)
		app_say(app, "difference %s: %s and %s", pair_names[app->scene.pair],
			name_of(&l, pair[0] - 1u), name_of(&l, pair[1] - 1u));
}

bool run_pair(struct app *app, const char *args, struct err *err)
{
	const int direction = command_direction(args);
	const size_t n = numbers(app, app->scratch);
	if (direction == 0 && !command_field(app, field_find("pair"), app_pair_name(args), err))
		return false;
	if (direction == 0 && pairs[app->scene.pair][1] > n)
		return err_set(err, "pair: there is no %d; %zu expressions are compared",
			       pairs[app->scene.pair][1], n);
	if (direction != 0 && n == 2 && app->scene.pair == 0)
		app_say(app, "1-2 is the only pair; pin adds an expression");
	if (direction == 0 || n == 2)
		return true;
	do
		app->scene.pair = (app->scene.pair + direction + PAIRS) % PAIRS;
	while (pairs[app->scene.pair][1] > n);
	app->series = "pair";
	say_pair(app);
	return true;
}

void complete_pair(const struct app *app, const char *args, struct candidates *out)
{
	const size_t n = numbers(app, out->arena);
	for (size_t i = 0; i < PAIRS; i++)
		if (pairs[i][1] <= n)
			candidates_add(out, pair_names[i]);
	complete_step(app, args, out);
}

/* Doubled at each step: what is trained for 512 is asked for 1024, 2048, 4096. */
static const long reaches[] = {0, 2, 4, 8};
enum { REACHES = sizeof reaches / sizeof reaches[0] };

bool run_reach(struct app *app, const char *args, struct err *err)
{
	const int direction = command_direction(args);
	long *const reach = &app->scene.reach;
	size_t at = 0;
	if (direction == 0)
		return command_field(app, field_find("reach"), args, err);
	while (at + 1 < REACHES && reaches[at + 1] <= *reach)
		at++;
	*reach = reaches[(at + REACHES + (size_t)direction) % REACHES];
	app->series = "reach";
	if (*reach == 0)
		app_say(app, "curves go as far as the tokens");
	else
		app_say(app, "curves go to %ld times t-max, %ld", *reach,
			*reach * app->scene.setup.t_max);
	return true;
}
