/* commands_look.c: commands that change the way in which the scene is shown. */
#include <stdlib.h>
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/colormap.h"
#include "posviz/plot/figure.h"
#include "posviz/scene/sweep.h"

enum { PAGE = 8 }; /* rows, if the visible number is unknown */

/* ---- the cell cursor --------------------------------------------------------------------- */

static const struct jump {
	const char *name;
	long rows, cols;       /* steps; PAGE rows stand for the visible ones */
	bool row_end, col_end; /* the step goes to the end */
} jumps[] = {
	{"up", -1, 0},
	{"down", 1, 0},
	{"left", 0, -1},
	{"right", 0, 1},
	{"page-up", -PAGE, 0},
	{"page-down", PAGE, 0},
	{"half-up", -PAGE / 2, 0},
	{"half-down", PAGE / 2, 0},
	{"top", -1, 0, .row_end = true},
	{"bottom", 1, 0, .row_end = true},
	{"first", 0, -1, .col_end = true},
	{"last", 0, 1, .col_end = true},
};

enum { JUMPS = sizeof jumps / sizeof jumps[0] };

static long within(long at, size_t n)
{
	const long last = n > 0 ? (long)n : INPUT_MAX_TOKENS;
	return at < 1 ? 1 : at > last ? last : at;
}

static long jumped(long at, long step, bool end, size_t n)
{
	if (step == 0)
		return within(at, n);
	return end ? within(step < 0 ? 1 : (long)n, n) : within(at + step, n);
}

/* Converts a page to the visible rows of the matrix, at least one. */
static long row_step(const struct app *app, long step)
{
	const long page = (long)app->shown.page_rows;
	if (page == 0 || labs(step) < PAGE / 2)
		return step;
	const long rows = labs(step) == PAGE || page == 1 ? page : page / 2;
	return step < 0 ? -rows : rows;
}

/* Returns the number of rows for the cursor: those of a list of schemes, else of the matrices.
 * *from is its present row. */
static size_t cursor_rows(const struct app *app, long *from)
{
	struct view_row *rows;
	size_t n = app->shown.rows;
	*from = app->scene.row;
	if (!view_of(&app->scene)->rows)
		return n;
	const size_t at = app_rows(app, app->scratch, &rows, &n);
	*from = at > 0 ? (long)at : app->scene.row;
	return n;
}

/* Moves in a plane of schemes by one step; false where the focus is on none. */
static bool step_in_plane(struct app *app, const struct jump *j)
{
	const struct shown *const s = &app->shown;
	const bool one = labs(j->rows) + labs(j->cols) == 1 && !j->row_end && !j->col_end;
	if (!one || !view_of(&app->scene)->step || !s->picture || !s->scene ||
	    strcmp(s->scene->view, app->scene.view) != 0 || app->pane >= s->picture->figure.n ||
	    s->picture->figure.panels[app->pane].kind != PANEL_PLANE)
		return false;
	struct picture p = *s->picture;
	const size_t row = picture_step(&app->scene, &p, app->pane, (int)j->cols, (int)-j->rows);
	if (row > 0)
		app->scene.row = (long)row;
	else
		app_say(app, "no scheme lies there");
	return true;
}

static bool jump(struct app *app, const char *name)
{
	for (size_t i = 0; i < JUMPS; i++) {
		const struct jump *const j = &jumps[i];
		if (strcmp(name, j->name) != 0)
			continue;
		if (step_in_plane(app, j))
			return true;
		struct scene *const s = &app->scene;
		long from;
		const size_t rows = cursor_rows(app, &from);
		s->row = jumped(from, row_step(app, j->rows), j->row_end, rows);
		s->col = jumped(s->col, j->cols, j->col_end, app->shown.cols);
		return true;
	}
	return false;
}

/* Reads a place up to n (0: n is unknown), or a token; *args moves behind it. */
static bool take_place(struct app *app, const char **args, bool key, size_t n, long *place,
		       struct err *err)
{
	const size_t len = strcspn(*args, " ");
	if (**args == '\'')
		return command_unit(app, args, key, place, err);
	if (!num_parse_long(*args, len, 1, within(INPUT_MAX_TOKENS, n), place, err))
		return false;
	*args += len + strspn(*args + len, " ");
	return true;
}

static bool cursor_to(struct app *app, const char *args, struct err *err)
{
	long row, col;
	const size_t rows = cursor_rows(app, &row);
	if (!take_place(app, &args, false, rows, &row, err))
		return err_prefix(err, "cursor: row: ");
	if (!take_place(app, &args, true, app->shown.cols, &col, err))
		return err_prefix(err, "cursor: column: ");
	if (*args)
		return command_usage("cursor", err);
	app->scene.row = row;
	app->scene.col = col;
	return true;
}

bool run_cursor(struct app *app, const char *args, struct err *err)
{
	if (strcmp(args, "off") == 0) {
		app->scene.row = app->scene.col = 0;
		return true;
	}
	if ((*args >= '0' && *args <= '9') || *args == '\'')
		return cursor_to(app, args, err);
	return jump(app, args) || command_usage("cursor", err);
}

void complete_cursor(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	for (size_t i = 0; i < JUMPS; i++)
		candidates_add(out, jumps[i].name);
	candidates_add(out, "off");
}

/* ---- head, layer, matrix ----------------------------------------------------------------- */

bool command_one_of(long *at, long most, const char *args, const char *name, struct err *err)
{
	const int direction = command_direction(args);
	if (*args == '\0')
		return command_usage(name, err);
	if (direction != 0) {
		const long now = *at < most ? *at : most;
		*at = (now - 1 + most + direction) % most + 1;
		return true;
	}
	return num_parse_long(args, strlen(args), 1, most, at, err) ||
	       err_prefix(err, "%s: ", name);
}

/* The same for heads or layers: with several, their mean follows the last. */
static bool one_or_mean(long *at, long most, const char *args, const char *name, struct err *err)
{
	const int direction = command_direction(args);
	if (direction == 0 && strcmp(args, field_find(name)->type.zero) == 0) {
		*at = SCENE_MEAN;
		return true;
	}
	if (direction == 0 || most == 1)
		return command_one_of(at, most, args, name, err);
	long place = *at == SCENE_MEAN ? most + 1 : *at < most ? *at : most;
	if (!command_one_of(&place, most + 1, args, name, err))
		return false;
	*at = place == most + 1 ? SCENE_MEAN : place;
	return true;
}

bool run_head(struct app *app, const char *args, struct err *err)
{
	app->series = "head";
	if (command_direction(args) != 0)
		choose_shown_head(app);
	app->scene.chose_head = true;
	return one_or_mean(&app->scene.head, app->scene.setup.heads, args, "head", err);
}

bool run_layer(struct app *app, const char *args, struct err *err)
{
	const long shown = (long)app->shown.layers;
	app->series = "layer";
	if (command_direction(args) != 0)
		choose_shown_head(app);
	app->scene.chose_head = true;
	return one_or_mean(&app->scene.layer, shown > 0 ? shown : app->scene.setup.layers, args,
			   "layer", err);
}

void complete_step(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	candidates_add(out, "next");
	candidates_add(out, "prev");
}

void complete_mean(const struct app *app, const char *args, struct candidates *out)
{
	candidates_add(out, field_find("head")->type.zero);
	complete_step(app, args, out);
}

static void complete_choice(const struct app *app, const char *name, const char *args,
			    struct candidates *out)
{
	const struct field *const field = field_find(name);
	complete_values(&field->type, field->type.def_text, out);
	complete_step(app, args, out);
}

bool run_heads_of(struct app *app, const char *args, struct err *err)
{
	static const char *const said[HEADS_OF_COUNT] = {
		"all heads of the layer", "all layers of the head", "all heads of all layers"};
	if (!command_field(app, field_find("heads-of"), args, err))
		return false;
	app->scene.sweep = scene_intern("none"); /* the user wants to see heads */
	app_say(app, "%s", said[app->scene.heads_of]);
	return true;
}

void complete_heads_of(const struct app *app, const char *args, struct candidates *out)
{
	complete_choice(app, "heads-of", args, out);
}

/* The limit is the number of shown vectors; before the first picture, that of the field. */
bool run_vectors(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("vectors");
	const size_t n =
		app->shown.picture ? picture_vectors(app->shown.scene, app->shown.picture) : 0;
	app->series = "vectors";
	return command_one_of(&app->scene.vectors, n > 0 ? (long)n : (long)field->type.max, args,
			      "vectors", err);
}

/* Sets the scheme to the next or previous value of the sweep; from a value outside of it to the
 * first or last. */
static bool step_sweep(struct app *app, int direction, struct err *err)
{
	struct sweep s;
	if (strcmp(app->scene.sweep, "none") == 0)
		return err_set(err, "there is no sweep; sweep PARAMETER=VALUE,VALUE,... makes one");
	if (!sweep_of(app->scene.setup.scheme, app->scene.sweep, app->scratch, &s, err))
		return false;
	size_t at = 0;
	while (at < s.n && strcmp(s.expressions[at], app->scene.setup.scheme) != 0)
		at++;
	if (at == s.n)
		at = direction > 0 ? 0 : s.n - 1;
	else if (direction > 0 ? at + 1 < s.n : at > 0)
		at = direction > 0 ? at + 1 : at - 1;
	return command_line(app, arena_printf(app->scratch, "scheme %s", s.expressions[at]), err);
}

/* Refuses values that the scheme cannot have before the view changes. */
bool run_sweep(struct app *app, const char *args, struct err *err)
{
	if (command_direction(args) != 0)
		return step_sweep(app, command_direction(args), err);
	struct scene made = app->scene;
	struct sweep s;
	if (!*args)
		return command_usage("sweep", err);
	if (!scene_set(&made, field_find("sweep"), args, err))
		return false;
	if (strcmp(made.sweep, "none") != 0) {
		if (!sweep_of(made.setup.scheme, made.sweep, app->scratch, &s, err))
			return false;
		/* A sweep changes the bias, which other views show. */
		if (!view_of(&app->scene)->all_heads)
			made.matrix = MATRIX_BIAS;
	}
	app->scene = made;
	if (strcmp(made.sweep, "none") == 0)
		return true;
	app_say(app, "%s at %zu values; :sweep none shows the heads again", s.param, s.n);
	return command_line(app, "view heads", err);
}

/* Completes "base=" for every parameter of the scheme. */
void complete_sweep(const struct app *app, const char *args, struct candidates *out)
{
	const struct expr *const e = expr_of(app->scene.setup.scheme, out->arena, NULL);
	if (strchr(args, '=') || !e)
		return;
	for (size_t i = 0; i < e->n; i++)
		for (const struct param *p = e->members[i].scheme->params; p && p->name; p++)
			candidates_add(out, arena_printf(out->arena, "%s=", p->name));
	candidates_add(out, "none");
	complete_step(app, args, out);
}

/* Skips the bias in views that have a panel for it. */
bool run_matrix(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("matrix");
	if (!command_field(app, field, args, err))
		return false;
	if (view_of(&app->scene)->all_heads)
		return true;
	if (command_direction(args) != 0 && app->scene.matrix == MATRIX_BIAS)
		return command_field(app, field, args, err);
	return true;
}

void complete_matrix(const struct app *app, const char *args, struct candidates *out)
{
	for (size_t i = 0; i < MATRIX_COUNT; i++)
		candidates_add(out, matrix_names[i]);
	complete_step(app, args, out);
}

bool run_probe(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("probe");
	if (command_direction(args) == 0)
		return command_field(app, field, args, err);
	const bool off = strcmp(app->scene.setup.probe, "off") == 0;
	app->series = "probe";
	app_say(app, off ? "bias with the same token vector at every position"
			 : "bias of the sentence itself");
	return scene_set(&app->scene, field, off ? "ones" : "off", err);
}

void complete_probe(const struct app *app, const char *args, struct candidates *out)
{
	candidates_add(out, "ones");
	candidates_add(out, "off");
	complete_step(app, args, out);
}

/* ---- colours ----------------------------------------------------------------------------- */

static size_t colormap_count(void)
{
	size_t n = 0;
	while (colormaps[n].name)
		n++;
	return n;
}

/* Returns map i; "auto" comes first. */
static const char *colormap_name(size_t i)
{
	return i == 0 ? "auto" : i <= colormap_count() ? colormaps[i - 1].name : NULL;
}

bool run_colormap(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("colormap");
	const int direction = command_direction(args);
	const size_t n = colormap_count() + 1;
	size_t at = 0;
	if (direction != 0) {
		while (at < n && strcmp(colormap_name(at), app->scene.colormap) != 0)
			at++;
		const char *const next = colormap_name((at + n + (size_t)direction) % n);
		app->series = "colormap";
		app_say(app, "colours: %s", next);
		return scene_set(&app->scene, field, next, err);
	}
	if (*args && strcmp(args, "auto") != 0 && !colormap_find(args)) {
		char quoted[120];
		text_quote_buf(quoted, sizeof quoted, args, strlen(args));
		return err_set(err, "there is no colour map %s; \"list colormaps\" names them",
			       quoted);
	}
	return command_field(app, field, args, err);
}

void complete_colormap(const struct app *app, const char *args, struct candidates *out)
{
	for (size_t i = 0; colormap_name(i); i++)
		candidates_add(out, colormap_name(i));
	complete_step(app, args, out);
}

bool run_scale(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("scale");
	const int direction = command_direction(args);
	if (direction == 0)
		return command_field(app, field, args, err);
	value_step(&field->type, &app->scene.scale, direction, true);
	app->series = "scale";
	app_say(app, "scale of the colours: %s", scene_get(&app->scene, field, app->scratch));
	return true;
}

bool run_lock(struct app *app, const char *args, struct err *err)
{
	struct scene *const s = &app->scene;
	if (!command_field(app, field_find("lock"), args, err))
		return false;
	if (s->lock && app->shown.lo < app->shown.hi) {
		s->lock_lo = app->shown.lo;
		s->lock_hi = app->shown.hi;
		s->lock_scale = app->shown.scale;
		s->lock_linear = app->shown.linear;
	}
	app_say(app,
		s->lock ? "the colours' limits stay as they are" : "the limits follow the data");
	return true;
}

/* True if the screen shows a window of single cells and not the whole matrix; "auto" depends on the
 * pane. */
static bool shows_cells(const struct app *app)
{
	const struct shown *const s = &app->shown;
	if (app->scene.grid != GRID_AUTO)
		return app->scene.grid == GRID_CELLS;
	return s->page_rows > 0 && (s->page_rows < s->rows || s->page_cols < s->cols);
}

/* "next" always changes the visible form: a key without effect would seem broken. */
bool run_grid(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("grid");
	if (command_direction(args) == 0)
		return command_field(app, field, args, err);
	app->series = "grid";
	if (view_of(&app->scene)->step) {
		const bool near = app->scene.grid != GRID_CELLS;
		app_say(app, near ? "four times as large; the arrows go on" : "the whole plane");
		return scene_set(&app->scene, field, near ? "cells" : "fit", err);
	}
	const bool cells = !shows_cells(app);
	app_say(app, cells ? "single cells; the arrows, page keys and wheel go on"
			   : "the whole matrix; a cell is the mean of many where it is large");
	return scene_set(&app->scene, field, cells ? "cells" : "fit", err);
}

void complete_grid(const struct app *app, const char *args, struct candidates *out)
{
	complete_choice(app, "grid", args, out);
}

void complete_scale(const struct app *app, const char *args, struct candidates *out)
{
	complete_choice(app, "scale", args, out);
}

/* ---- panes ------------------------------------------------------------------------------- */

bool run_zoom(struct app *app, const char *args, struct err *err)
{
	(void)args, (void)err;
	app->zoom = !app->zoom;
	app->reactions |= REACT_LAYOUT;
	return true;
}

/* If a figure is on the screen, a wrong name is refused at once. */
bool run_panel(struct app *app, const char *args, struct err *err)
{
	const struct scene before = app->scene;
	const struct picture *const p = app->shown.picture;
	if (!command_field(app, field_find("panel"), args, err))
		return false;
	struct figure whole = {0};
	if (p && strcmp(before.panel, "all") == 0 && strcmp(before.view, app->scene.view) == 0)
		whole = p->figure;
	if (whole.n == 0 ||
	    view_pick(view_of(&app->scene), &whole, app->scene.panel, app->scratch, err))
		return true;
	app->scene = before;
	return false;
}

void complete_pane(const struct app *app, const char *args, struct candidates *out)
{
	const struct picture *const p = app->shown.picture;
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; p && i < p->figure.n; i++)
		candidates_add(out, scene_intern(figure_panel_name(&p->figure, i, &a)));
	arena_release(&a);
	complete_step(app, args, out);
}

void complete_panel(const struct app *app, const char *args, struct candidates *out)
{
	const struct picture *const p = app->shown.picture;
	struct arena a;
	(void)args;
	arena_init(&a);
	candidates_add(out, "all");
	for (size_t i = 0; p && i < p->figure.n; i++)
		candidates_add(out, scene_intern(figure_panel_name(&p->figure, i, &a)));
	arena_release(&a);
}

bool run_presenter(struct app *app, const char *args, struct err *err)
{
	if (!command_field(app, field_find("presenter"), args, err))
		return false;
	app->reactions |= REACT_LAYOUT;
	if (app->scene.presenter)
		app_say(app, "q leaves the presenter, Tab shows the next panel");
	return true;
}

bool run_pane(struct app *app, const char *args, struct err *err)
{
	const int direction = command_direction(args);
	const struct picture *const p = app->shown.picture;
	const size_t n = app->shown.panes;
	if (*args == '\0')
		return command_usage("pane", err);
	if (direction == 0) {
		if (!p)
			return err_set(err, "pane: there is no picture yet that has panes");
		app->reactions |= REACT_LAYOUT;
		return view_pane(view_of(app->shown.scene), &p->figure, args, app->scratch,
				 &app->pane, err);
	}
	app->pane = n > 0 ? (app->pane + n + (size_t)direction) % n : 0;
	app->reactions |= REACT_LAYOUT;
	return true;
}

/* ---- curves of the view Compare ------------------------------------------------------------- */

/* Doubled at each step: a scheme for 512 positions is shown up to 1024, 2048, 4096. */
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
