/* commands_compare.c: commands that choose the compared expressions of the view Compare, and the
 * differences that it shows.
 *
 * Number 1 is the scheme itself, which all commands about schemes change; the others are pinned in
 * the field `compare`. A command reads the list, changes it as an array, and sets it as a whole. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/beside.h"

enum { NAME_COLS = 40 };

struct list {
	struct arena *a;
	struct beside at[COMPARE_MAX];
	size_t n;
};

/* Makes the expression and input of the first entry those of the scene. */
static bool set_first(struct scene *scene, struct beside *first, struct err *err)
{
	if (!first->expression)
		return err_set(err, "an expression stands in front of @ here");
	return beside_apply(first, &scene->setup, err) &&
	       scene_set(scene, field_find("scheme"), first->expression, err);
}

bool app_set_compared(struct scene *scene, const char *const *expressions, size_t n,
		      struct err *err)
{
	struct scene made = *scene;
	struct beside all[COMPARE_MAX];
	struct arena a;
	BUG_IF(n == 0 || n > COMPARE_MAX);
	arena_init(&a);
	bool ok = true;
	for (size_t i = 0; ok && i < n; i++)
		ok = (beside_parse(expressions[i], &a, &all[i], err) &&
		      (i > 0 || set_first(&made, &all[0], err))) ||
		     err_prefix(err, "expression %zu: ", i + 1);
	ok = ok && scene_set(&made, field_find("compare"), beside_list(all + 1, n - 1, &a), err);
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
	l->n = scene_beside(&app->scene.setup, a, l->at);
}

/* Reads the list; if nothing is pinned and the view is shown, adds the entries that the view chose
 * itself. */
static void list_shown(struct list *l, const struct app *app, struct arena *a)
{
	const struct shown *const s = &app->shown;
	list_read(l, app, a);
	if (l->n > 1 || !is_in_view(app) || !s->picture || !s->scene ||
	    strcmp(s->scene->setup.scheme, app->scene.setup.scheme) != 0 ||
	    strcmp(s->scene->setup.compare, app->scene.setup.compare) != 0)
		return;
	for (size_t i = 1; i < s->picture->n_compared && l->n < COMPARE_MAX; i++)
		l->at[l->n++] = (struct beside){
			.expression = arena_strdup(a, s->picture->compared[i].expression)};
}

/* Sets the scene's expression and `compare`; the scene has the input of the first entry already. */
static bool list_set(struct list *l, struct app *app, struct err *err)
{
	struct scene made = app->scene;
	if (!scene_set(&made, field_find("scheme"), l->at[0].expression, err) ||
	    !scene_set(&made, field_find("compare"), beside_list(l->at + 1, l->n - 1, l->a), err))
		return false;
	app->scene = made;
	return true;
}

static const char *name_of(struct list *l, size_t i)
{
	const char *const text = beside_print(&l->at[i], l->a);
	return text_shorten(l->a, text_escape(l->a, text, strlen(text)), NAME_COLS, false);
}

/* Returns the scene's setup with the expression and input of entry i > 0 (from 0); if the input
 * does not fit, with its own input. */
static struct setup setup_of(const struct app *app, const struct list *l, size_t i)
{
	struct setup setup = app->scene.setup;
	if (!beside_apply(&l->at[i], &setup, NULL))
		setup = app->scene.setup;
	if (l->at[i].expression)
		setup.scheme = scene_intern(l->at[i].expression);
	return setup;
}

/* Returns the number, from 1, of the expression whose matrix has the focus; 0: none. The first pane
 * is the difference; the matrices follow in the order of their numbers. */
static size_t with_focus(const struct app *app, const struct list *l)
{
	const struct picture *const p = app->shown.picture;
	const bool whole = strcmp(app->scene.panel, "all") == 0;
	return p && whole && is_in_view(app) && app->pane <= p->n_compared && app->pane <= l->n
		       ? app->pane
		       : 0;
}

/* Converts a place, from 1, to the axis of another input: the place of the same word if it is
 * there, else 1. */
static long place_on(const struct axis *other, const struct axis *own, long place, struct arena *a)
{
	if (place < 1 || (size_t)place > own->n)
		return place;
	const size_t at = axis_places(own, other, a)[place - 1];
	return at == SIZE_MAX ? 1 : (long)at + 1;
}

static void look_at(const struct app *app, const struct list *l, size_t i, struct scene *scene)
{
	const struct compared *const all = app->shown.picture->compared;
	scene->setup = setup_of(app, l, i);
	if (setup_same_input(&scene->setup, &app->scene.setup))
		return;
	scene->row = place_on(&all[i].trace->query, &all[0].trace->query, scene->row, l->a);
	scene->col = place_on(&all[i].trace->key, &all[0].trace->key, scene->col, l->a);
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
		look_at(app, &l, number - 1, &scene);
	arena_release(&a);
	return scene;
}

/* ---- pinning ------------------------------------------------------------------------------- */

static bool pin(struct app *app, struct list *l, struct err *err)
{
	const struct beside own = beside_own(&app->scene.setup);
	for (size_t i = 1; i < l->n; i++) {
		if (strcmp(beside_print(&l->at[i], l->a), beside_print(&own, l->a)) != 0)
			continue;
		app_say(app, "%s is pinned already, as %zu; choose another with / or J K",
			name_of(l, 0), i + 1);
		return true;
	}
	if (l->n == COMPARE_MAX)
		return err_set(err, "pin: %d are compared already; unpin takes one away",
			       COMPARE_MAX);
	l->at[l->n++] = own;
	app_say(app, "%s is pinned as %zu; choose another with / or J K", name_of(l, 0), l->n);
	return true;
}

/* Pins the whole input, so that it stays when the user types and moves words; the scheme stays the
 * present one. */
static bool pin_input(struct app *app, struct list *l, struct err *err)
{
	struct beside own = {0};
	beside_keep_input(&own, &app->scene.setup, l->a);
	const char *const text = beside_print(&own, l->a);
	for (size_t i = 1; i < l->n; i++) {
		if (strcmp(beside_print(&l->at[i], l->a), text) != 0)
			continue;
		app_say(app, "this input is kept already, as %zu; e edits it, p moves its words",
			i + 1);
		return true;
	}
	if (l->n == COMPARE_MAX)
		return err_set(err, "pin-input: %d are compared already; unpin takes one away",
			       COMPARE_MAX);
	l->at[l->n++] = own;
	app_say(app, "this input is kept as %zu; e edits 1, p moves its words", l->n);
	return true;
}

/* In the view Lengths the scheme's curves stay under those of the next. */
static bool lay(struct app *app, struct err *err)
{
	const struct field *const field = field_find("lengths");
	struct laid_over all[LENGTHS_MOST];
	const size_t n = scene_lengths(&app->scene, app->scratch, all);
	const struct beside this = beside_own(&app->scene.setup);
	const char *const now = app->scene.lengths, *const own = beside_print(&this, app->scratch);
	if (n == LENGTHS_MOST)
		return err_set(err, "pin: %d lie over one another already; unpin takes one away",
			       LENGTHS_MOST);
	const char *const more =
		strcmp(now, "none") == 0 ? own : arena_printf(app->scratch, "%s,%s", now, own);
	if (!scene_set(&app->scene, field, strcmp(more, "none") == 0 ? "none()" : more, err))
		return false;
	app->series = NULL;
	app_say(app, "%s stays; choose another with / or J K", expr_brief(own, app->scratch));
	return true;
}

/* Takes the last away. */
static bool lift(struct app *app, struct err *err)
{
	const char *const now = app->scene.lengths;
	size_t depth = 0, cut = 0;
	if (strcmp(now, "none") == 0)
		return err_set(err, "unpin: no other scheme lies here");
	for (size_t i = 0; now[i]; i++) {
		depth += strchr("([", now[i]) != NULL;
		depth -= depth > 0 && strchr(")]", now[i]) != NULL;
		cut = now[i] == ',' && depth == 0 ? i : cut;
	}
	return scene_set(&app->scene, field_find("lengths"),
			 cut == 0 ? "none" : arena_strndup(app->scratch, now, cut), err);
}

static bool pin_by(struct app *app, bool (*how)(struct app *, struct list *, struct err *),
		   bool stays, struct err *err)
{
	struct list l;
	list_read(&l, app, app->scratch);
	const bool ok = how(app, &l, err) && list_set(&l, app, err) &&
			(stays || run_view(app, "compare", err));
	app->series = NULL;
	return ok;
}

/* A view of several schemes that shows no cell stays; others leave to Compare. */
bool run_pin(struct app *app, const char *args, struct err *err)
{
	const struct view *const v = view_of(&app->scene);
	(void)args;
	return v->lengths ? lay(app, err)
			  : pin_by(app, pin, v->compare || (v->beside && v->no_cell), err);
}

bool run_pin_input(struct app *app, const char *args, struct err *err)
{
	(void)args;
	return pin_by(app, pin_input, is_in_view(app), err);
}

/* Returns the expression that picking the row would make: with the masks of the present one. */
static const char *expression_of(const struct app *app, const struct view_row *row, struct arena *a)
{
	const struct expr *const alone = row->expression ? NULL : expr_of(row->scheme->id, a, NULL);
	const struct expr *const now = expr_of(app->scene.setup.scheme, a, NULL);
	if (!alone || !now)
		return row->expression;
	struct expr picked = *alone;
	expr_keep_masks(&picked, now, a);
	return expr_print(&picked, a);
}

static bool pin_row(struct app *app, const struct view_row *row, struct list *l, struct err *err)
{
	const char *const other = expression_of(app, row, l->a);
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].expression && !beside_has_input(&l->at[i]) &&
		    strcmp(l->at[i].expression, other) == 0)
			return i > 0 ||
			       err_set(err, "pin-row: %s is what is looked at; choose another row",
				       name_of(l, i));
	if (l->n == COMPARE_MAX)
		return err_set(err, "pin-row: %d are compared already; unpin takes one away",
			       COMPARE_MAX);
	l->at[l->n++] = (struct beside){.expression = other};
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

/* Returns an expression for the list; the name of a scheme alone gets the masks of number 1. */
static const char *beside_first(const struct list *l, const char *text, struct err *err)
{
	const struct expr *const now = expr_of(l->at[0].expression, l->a, NULL);
	struct expr other;
	if (!expr_parse(&other, text, l->a, err))
		return NULL;
	if (now && scheme_find(text, strlen(text), NULL))
		expr_keep_masks(&other, now, l->a);
	return expr_print(&other, l->a);
}

/* Puts an expression beside number 1: instead of that with the focus, else of number 2. */
static bool put_beside(struct app *app, const char *other, struct list *l, struct err *err)
{
	const size_t focus = with_focus(app, l), number = focus > 1 ? focus : 2;
	if (!beside_has_input(&l->at[0]) && strcmp(other, l->at[0].expression) == 0)
		return err_set(err, "versus: %s is number 1 itself; choose another", name_of(l, 0));
	l->n = l->n < 2 ? 2 : l->n;
	l->at[number - 1] = (struct beside){.expression = other};
	app->series = NULL;
	return list_set(l, app, err) && (is_in_view(app) || run_view(app, "compare", err));
}

bool run_versus(struct app *app, const char *args, struct err *err)
{
	struct list l;
	if (*args == '\0')
		return command_request(app, REQUEST_FIND_SECOND, NULL);
	list_shown(&l, app, app->scratch);
	const char *const other = beside_first(&l, args, err);
	return other ? put_beside(app, other, &l, err) : err_prefix(err, "versus: ");
}

bool run_versus_mask(struct app *app, const char *args, struct err *err)
{
	struct list l;
	(void)args;
	list_shown(&l, app, app->scratch);
	const char *const other = app_other_mask(l.at[0].expression, l.a, err);
	return other ? put_beside(app, other, &l, err) : err_prefix(err, "versus-mask: ");
}

/* True if the screen still shows pins that are removed, because the new picture is being
 * computed. */
static bool is_behind(const struct app *app)
{
	const struct scene *const shown = app->shown.scene;
	return shown && app->shown.picture && strcmp(shown->setup.compare, "none") != 0 &&
	       strcmp(shown->setup.compare, app->scene.setup.compare) != 0;
}

/* Reads a number of the list from 2 on. Without one: the number of the focused matrix, else
 * `usual`. */
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

/* Leaves the view Compare: it would compare a single scheme with another one that the user did not
 * choose. */
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
	if (view_of(&app->scene)->lengths && strcmp(app->scene.setup.compare, "none") == 0)
		return lift(app, err);
	list_read(&l, app, app->scratch);
	if (!unpin(app, args, &l, err) || !list_set(&l, app, err))
		return false;
	return l.n > 1 || !is_in_view(app) || leave_compare(app, err);
}

/* Makes the input of entry i the scene's. Entries that used the scene's input keep the old one
 * (only the order if the words stay); entries that follow the scheme still do. */
static bool bring_forward(struct app *app, struct list *l, size_t i, struct err *err)
{
	const struct setup before = app->scene.setup;
	struct setup made = before;
	const struct beside at = l->at[i];
	if (!beside_apply(&at, &made, err))
		return err_prefix(err, "front: ");
	l->at[i] = l->at[0];
	l->at[0].expression = at.expression ? at.expression : l->at[0].expression;
	l->at[i].expression = at.expression ? l->at[i].expression : NULL;
	l->at[i].model = at.model && *before.checkpoint ? before.checkpoint : NULL;
	for (size_t k = 1; beside_has_input(&at) && k < l->n; k++) {
		struct beside *const b = &l->at[k];
		if (beside_has_words(b))
			continue;
		if (beside_has_words(&at))
			beside_keep_input(b, &before, l->a);
		else if (!b->input[BESIDE_ORDER])
			b->input[BESIDE_ORDER] = before.order;
	}
	app->scene.setup = made;
	return true;
}

/* Exchanges number 1 and another one. Without pins, the entry that the view chose comes to the
 * front and the scheme is pinned. */
bool run_front(struct app *app, const char *args, struct err *err)
{
	struct list l;
	size_t number;
	list_shown(&l, app, app->scratch);
	if (!other_number(app, &l, "front", args, 2, &number, err))
		return false;
	const char *const name = name_of(&l, number - 1);
	if (!bring_forward(app, &l, number - 1, err) || !list_set(&l, app, err))
		return false;
	app_say(app, "%s is 1 now, it was %zu; + - a d c change it", name, number);
	app->param = PARAM_OBVIOUS;
	return true;
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

/* ---- the differences and curves -------------------------------------------------------------- */

/* True if the input of each entry exists and its order fits. */
static bool inputs_right(const struct app *app, struct err *err)
{
	struct list l;
	list_read(&l, app, app->scratch);
	for (size_t i = 1; i < l.n; i++) {
		struct setup setup = app->scene.setup;
		struct input tokens;
		size_t *order, n;
		if (!beside_has_input(&l.at[i]) && !l.at[i].model)
			continue;
		if (!beside_apply(&l.at[i], &setup, err) ||
		    !setup_order(&setup, app->scratch, &order, &n, &tokens, err))
			return err_prefix(err, "compare: %s: ", name_of(&l, i));
	}
	return true;
}

bool run_compare(struct app *app, const char *args, struct err *err)
{
	if (!command_field(app, field_find("compare"), args, err) || !inputs_right(app, err))
		return false;
	if (!is_in_view(app) && strcmp(app->scene.setup.compare, "none") != 0)
		app_say(app, "the view Compare shows them: view compare");
	return true;
}

/* Completes the names of inputs, and the words of an order; a sentence has no completion. */
void complete_compare(const struct app *app, const char *args, struct candidates *out)
{
	const char *const last = strrchr(args, ';'), *const one = last ? last + 1 : args;
	const char *const input = strrchr(one, '@'), *const word = strrchr(args, ' ');
	const size_t order = strlen("@order ");
	if (!input)
		complete_scheme(app, args, out);
	if (!input || (word ? word + 1 : args) == input) {
		candidates_note(out, "@", "a sentence of its own");
		for (size_t i = BESIDE_FILE; i < BESIDE_INPUTS; i++)
			candidates_note(out, arena_printf(out->arena, "@%s", beside_inputs[i]),
					field_find(beside_inputs[i])->help);
	} else if (strncmp(input, "@order ", order) == 0) {
		candidates_add(out, "identity");
		candidates_add(out, "reverse");
		candidates_add(out, "shuffle:");
	}
}

/* Returns the number of compared entries: for a single scheme the view chooses a second. */
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
