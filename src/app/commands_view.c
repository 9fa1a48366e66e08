/* commands_view.c: commands that choose the view, and the terms of its sum. */
#include <stdio.h>
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/figures/source_figure.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/beside.h"

enum { MOST_VIEWS = 32 };

/* ---- views ------------------------------------------------------------------------------- */

static bool no_view(const char *args, struct err *err)
{
	char quoted[120], list[300] = "";
	const char *names[MOST_VIEWS];
	const size_t n = view_count();
	for (size_t i = 0; i < n && i < MOST_VIEWS; i++) {
		const size_t len = strlen(list);
		names[i] = views[i]->name;
		snprintf(list + len, sizeof list - len, "%s%zu %s", i ? ", " : "", i + 1,
			 views[i]->name);
	}
	text_quote_buf(quoted, sizeof quoted, args, strlen(args));
	const char *const near = text_suggest(args, names, n < MOST_VIEWS ? n : MOST_VIEWS);
	if (near)
		return err_set(err, "there is no view %s; did you mean \"%s\"?", quoted, near);
	return err_set(err, "there is no view %s; there is %s", quoted, list);
}

static const struct view *view_beside(const char *name, int direction)
{
	const size_t n = view_count();
	const struct view *const now = view_find(name);
	const size_t at = now ? view_index(now) : 0;
	return views[(at + n + (size_t)direction) % n];
}

static const struct view *view_named(const char *text)
{
	long number;
	if (num_parse_long(text, strlen(text), 1, (long)view_count(), &number, NULL))
		return views[number - 1];
	return view_find(text);
}

/* Adapts the cursor: rows of a table or map are schemes, those of other views tokens. A view of
 * schemes begins at its default row (0); back at tokens, the first row is chosen. */
static void enter_view(struct scene *scene, const struct view *to)
{
	const struct view *const from = view_find(scene->view);
	/* In a view with a panel for the bias, the other panel shows another matrix. */
	if (to->no_bias && scene->matrix == MATRIX_BIAS)
		scene->matrix = MATRIX_WEIGHTS;
	if (from != to)
		scene->panel = scene_intern("all");
	if (from && from->rows == to->rows)
		return;
	if (to->rows)
		scene->row = 0;
	else if (scene->row == 0 && scene->col > 0)
		scene->row = 1;
}

/* Restores the expression and input that "why" replaced, unless they were changed in the
 * meantime. */
static void restore_scheme(struct app *app)
{
	const struct setup *const before = &app->before_why.setup, *const shown =
									   &app->before_why.shown;
	struct setup *const now = &app->scene.setup;
	if (app->before_why.view && now->scheme == shown->scheme)
		now->scheme = before->scheme;
	if (app->before_why.view && setup_same_input(now, shown) &&
	    !setup_same_input(shown, before)) {
		setup_take_input(now, before);
		app->scene.row = app->before_why.row;
		app->scene.col = app->before_why.col;
	}
	app->before_why.view = NULL;
}

/* For "A or B" returns A if there is such a view, else B. */
static const char *first_there(const char *args, struct arena *a)
{
	const char *const or = strstr(args, " or ");
	if (! or)
		return args;
	const char *const first = arena_strndup(a, args, strcspn(args, " "));
	return view_named(first) ? first : or +4 + strspn(or +4, " ");
}

bool run_view(struct app *app, const char *args, struct err *err)
{
	args = first_there(args, app->scratch);
	const int direction = command_direction(args);
	if (*args == '\0')
		return command_usage("view", err);
	const struct view *const v =
		direction ? view_beside(app->scene.view, direction) : view_named(args);
	if (!v)
		return no_view(args, err);
	app->series = "view";
	app->before_head = NULL;
	if (v->compare && !view_of(&app->scene)->compare)
		app->before_compare = view_of(&app->scene)->of_cell ? NULL : app->scene.view;
	enter_view(&app->scene, v);
	restore_scheme(app);
	return scene_set(&app->scene, field_find("view"), v->name, err);
}

/* Goes back to the view from which it was opened; without one to the first view. */
static bool leave_why(struct app *app, struct err *err)
{
	const char *const view = app->before_why.view ? app->before_why.view : views[0]->name;
	app->next_pane = app->before_why.view ? app->before_why.pane : 0;
	restore_scheme(app);
	return scene_set(&app->scene, field_find("view"), view, err);
}

/* Enters a view of one cell, or leaves it. It shows the focused one of several expressions; a table
 * has no cells. */
static bool enter_cell(struct app *app, const char *view, struct err *err)
{
	const struct scene focused = app_focused(app);
	if (strcmp(app->scene.view, view) == 0)
		return leave_why(app, err);
	if (view_of(&app->scene)->rows)
		return err_set(err, "%s: a row of a table is no cell; choose one in another view",
			       view);
	if (!view_of(&app->scene)->of_cell) {
		app->before_why.view = app->scene.view;
		app->before_why.setup = app->scene.setup;
		app->before_why.shown = focused.setup;
		app->before_why.row = app->scene.row;
		app->before_why.col = app->scene.col;
		app->before_why.pane = app->pane;
	}
	app->scene.setup = focused.setup;
	app->scene.row = focused.row;
	app->scene.col = focused.col;
	return scene_set(&app->scene, field_find("view"), view, err);
}

bool run_why(struct app *app, const char *args, struct err *err)
{
	(void)args;
	return enter_cell(app, "why", err);
}

bool run_clocks(struct app *app, const char *args, struct err *err)
{
	(void)args;
	return enter_cell(app, "clocks", err);
}

void complete_view(const struct app *app, const char *args, struct candidates *out)
{
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		candidates_note(out, v->name, v->help);
	complete_step(app, args, out);
}

/* ---- figures of the papers ----------------------------------------------------------------- */

/* Returns the next or previous figure, which wrap around; from another view, the figure that was
 * shown last. */
static const struct source_figure *figure_beside(const struct scene *scene, int direction)
{
	const size_t n = source_figure_count();
	size_t at = 0;
	while (at < n && strcmp(source_figure_at(at)->name, scene->figure) != 0)
		at++;
	if (strcmp(scene->view, "figures") != 0)
		direction = 0;
	return source_figure_at((at + n + (size_t)direction) % n);
}

bool run_figure(struct app *app, const char *args, struct err *err)
{
	const int direction = command_direction(args);
	if (*args == '\0')
		return command_usage("figure", err);
	const struct source_figure *const to =
		direction ? figure_beside(&app->scene, direction) : source_figure_find(args, err);
	if (!to)
		return false;
	const bool ok = scene_set(&app->scene, field_find("figure"), to->name, err) &&
			run_view(app, "figures", err);
	app->series = NULL; /* undo takes each back by itself */
	return ok;
}

void complete_figure(const struct app *app, const char *args, struct candidates *out)
{
	const struct source_figure *f;
	for (size_t i = 0; (f = source_figure_at(i)) != NULL; i++)
		candidates_note(out, f->name, f->title);
	complete_step(app, args, out);
}

/* ---- the table ----------------------------------------------------------------------------- */

size_t app_rows(const struct app *app, struct arena *a, struct view_row **rows, size_t *n)
{
	const struct shown *const s = &app->shown;
	*n = 0;
	if (!s->picture || !s->scene || strcmp(s->scene->view, app->scene.view) != 0)
		return 0;
	struct picture p = *s->picture;
	return picture_rows(&app->scene, &p, a, rows, n);
}

/* Computes the rows without a screen: those of the view, or those of the table if the view has
 * none. */
static bool compute_rows(const struct app *app, struct arena *a, struct view_row **rows, size_t *n,
			 size_t *at, struct err *err)
{
	struct scene scene = app->scene;
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	if (!view_of(&scene)->rows)
		scene.view = "table";
	/* The order of the survey's groups needs no measure. */
	const bool unmeasured =
		view_of(&scene)->table && scene.sort == 0 && strcmp(scene.filter, "all") == 0;
	if (!setup_build(&scene.setup, a, &p->built, err) ||
	    !picture_compute_part(&scene, unmeasured ? 0 : SIZE_MAX, NULL, NULL, a, p, err))
		return false;
	*at = picture_rows(&scene, p, a, rows, n);
	return true;
}

bool app_chosen_row(const struct app *app, struct arena *a, struct view_row *out, struct err *err)
{
	struct view_row *rows;
	size_t n, at = app_rows(app, a, &rows, &n);
	if (n == 0 && app->background && !view_of(&app->scene)->rows)
		return err_set(err, "no rows of schemes are on the screen; view table shows them");
	if (n == 0 && !app->background && !compute_rows(app, a, &rows, &n, &at, err))
		return false;
	if (at == 0)
		return err_set(err, "no row is shown; filter all and listed all show every scheme");
	*out = rows[at - 1];
	return true;
}

/* Makes the row's scheme that of the scene: picks it, or sets the row's expression. */
static bool look_at(struct app *app, const struct view_row *row, struct err *err)
{
	if (!row->expression)
		return run_pick(app, row->scheme->id, err);
	app->param = PARAM_OBVIOUS;
	app->scene.member = 0;
	return scene_set(&app->scene, field_find("scheme"), row->expression, err);
}

bool run_pick_row(struct app *app, const char *args, struct err *err)
{
	struct view_row row;
	(void)args;
	const bool ok = app_chosen_row(app, app->scratch, &row, err) && look_at(app, &row, err) &&
			run_view(app, views[0]->name, err);
	app->series = NULL;
	return ok;
}

/* ---- terms ------------------------------------------------------------------------------- */

struct terms {
	const char *label[MODEL_MAX_TERMS];
	size_t n;
};

/* Takes the terms of the shown head; for a mean, those of all heads, if the mean was made. */
static void take_terms(const struct trace *trace, size_t heads, const struct scene *scene,
		       struct arena *a, struct terms *out)
{
	out->n = 0;
	if (trace->n_layers == 0 || heads == 0)
		return;
	const struct trace_layer *const layer =
		&trace->layers[view_chosen(scene->layer, trace->n_layers)];
	if (!layer->heads)
		return;
	const struct trace_head *const head = &layer->heads[view_chosen(scene->head, heads)];
	for (size_t i = 0; i < head->n_terms; i++)
		out->label[out->n++] = arena_strdup(a, head->terms[i].label);
}

/* Computes them without a screen. */
static bool evaluate_terms(const struct app *app, struct arena *a, struct terms *out,
			   struct err *err)
{
	const struct scene *const s = &app->scene;
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	struct trace *const trace = arena_calloc(a, 1, sizeof *trace);
	if (!setup_build(&s->setup, a, b, err))
		return false;
	const struct want want = {.kinds = WANT_TERMS,
				  .layer = view_wanted(s->layer, b->model.n_steps),
				  .head = view_wanted(s->head, b->model.config.heads)};
	if (!built_run(b, &b->model_input, &want, NULL, NULL, a, trace, err))
		return false;
	view_shown(s, b->model.config.heads, trace, a);
	take_terms(trace, b->model.config.heads, s, a, out);
	return true;
}

static bool find_terms(const struct app *app, struct arena *a, struct terms *out, struct err *err)
{
	const struct shown *const s = &app->shown;
	if (s->picture && s->scene)
		take_terms(&s->picture->trace, s->picture->built.model.config.heads, s->scene, a,
			   out);
	else if (app->background)
		out->n = 0;
	else if (!evaluate_terms(app, a, out, err))
		return false;
	if (out->n > 0)
		return true;
	return s->picture || app->background
		       ? err_set(err, "there are no terms on the screen; view terms shows them")
		       : err_set(err, "%s has no terms here", app->scene.setup.scheme);
}

/* Returns the length in bytes of the dash at the beginning of the text; 0: none. */
static size_t dash_len(const char *text)
{
	static const char *const dashes[] = {"-", "–", "−", "—"};
	for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
		if (strncmp(text, dashes[i], strlen(dashes[i])) == 0)
			return strlen(dashes[i]);
	return 0;
}

bool command_begins(const char *text, const char *part)
{
	while (*part) {
		const size_t one = dash_len(text), other = dash_len(part);
		if ((one > 0) != (other > 0) || (one == 0 && *text != *part))
			return false;
		text += one ? one : 1;
		part += other ? other : 1;
	}
	return true;
}

static bool no_term(const char *args, const struct terms *terms, struct arena *a, struct err *err)
{
	struct strbuf list;
	strbuf_init(&list, a);
	for (size_t i = 0; i < terms->n; i++)
		strbuf_printf(&list, "%s%zu %s", i ? ", " : "", i + 1, terms->label[i]);
	if (*args == '\0')
		return err_set(err, "the pane with the focus is no term; Tab goes to one of %s",
			       list.at);
	return err_set(err, "there is no term %s; there is %s", text_quote(a, args, strlen(args)),
		       list.at);
}

static bool same_label(const char *a, const char *b)
{
	return command_begins(a, b) && command_begins(b, a);
}

static bool choose_term(const struct app *app, const char *args, const struct terms *terms,
			struct arena *a, size_t *at, struct err *err)
{
	long number;
	const char *const name = *args ? args : app->shown.term ? app->shown.term : "";
	if (num_parse_long(name, strlen(name), 1, (long)terms->n, &number, NULL)) {
		*at = (size_t)number - 1;
		return true;
	}
	for (*at = 0; *at < terms->n; ++*at)
		if (same_label(terms->label[*at], name) ||
		    same_label(figure_scripts(a, terms->label[*at]), name))
			return true;
	return no_term(name, terms, a, err);
}

/* True if text[0..len) is one of the labels in `list`. */
static bool is_listed(const char *list, const char *text, size_t len)
{
	for (; *list; list += strcspn(list, ";"), list += *list == ';')
		if (strcspn(list, ";") == len && memcmp(list, text, len) == 0)
			return true;
	return false;
}

static void add_label(struct strbuf *b, const char *text, size_t len)
{
	if (b->len > 0)
		strbuf_add_char(b, ';');
	strbuf_add_n(b, text, len);
}

/* Returns the list in the order of the terms, so that the same choice is the same text; labels of
 * other schemes come last. */
static const char *toggled(const char *off, const struct terms *terms, size_t at, struct arena *a)
{
	struct strbuf b, known;
	strbuf_init(&b, a);
	strbuf_init(&known, a);
	if (strcmp(off, "none") == 0)
		off = "";
	for (size_t i = 0; i < terms->n; i++) {
		const char *const label = terms->label[i];
		const size_t len = strlen(label);
		add_label(&known, label, len);
		if (is_listed(off, label, len) != (i == at))
			add_label(&b, label, len);
	}
	for (const char *c = off; *c; c += strcspn(c, ";"), c += *c == ';') {
		const size_t len = strcspn(c, ";");
		if (len > 0 && !is_listed(known.at, c, len))
			add_label(&b, c, len);
	}
	return b.len > 0 ? b.at : "none";
}

static bool toggle(struct app *app, const char *args, struct arena *a, struct err *err)
{
	struct terms terms;
	size_t at;
	if (!find_terms(app, a, &terms, err) || !choose_term(app, args, &terms, a, &at, err))
		return false;
	const char *const label = terms.label[at];
	const char *const off = toggled(app->scene.terms_off, &terms, at, a);
	app_say(app, "%s: %s", figure_scripts(a, label),
		is_listed(off, label, strlen(label)) ? "off" : "on");
	return scene_set(&app->scene, field_find("terms-off"), off, err);
}

bool run_term(struct app *app, const char *args, struct err *err)
{
	const char *label;
	if (strcmp(args, "all") == 0) {
		app_say(app, "all terms: on");
		return scene_set(&app->scene, field_find("terms-off"), "none", err);
	}
	return scene_unquote(args, app->scratch, &label, err) &&
	       toggle(app, label, app->scratch, err);
}

/* Labels contain blanks, so a candidate replaces the whole argument. */
void complete_term(const struct app *app, const char *args, struct candidates *out)
{
	struct terms terms = {0};
	struct err err;
	(void)args;
	out->from = 0;
	if (app->shown.picture)
		find_terms(app, out->arena, &terms, &err);
	for (size_t i = 0; i < terms.n; i++)
		candidates_add(out, terms.label[i]);
	candidates_add(out, "all");
}
