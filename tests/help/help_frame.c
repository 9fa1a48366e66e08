/* help_frame.c: see help_frame.h. */
#include <string.h>

#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"
#include "test.h"

const int help_screens[HELP_SCREENS][2] = {{200, 50}, {120, 36}, {80, 24}, {60, 20}, {40, 12}};

/* Returns curves for all schemes of the list, of arbitrary form. */
static struct result *listed(struct arena *a, const struct scene *scene)
{
	struct result *const r = arena_calloc(a, 1, sizeof *r);
	const struct menu_item *const items = menu_items(scene, a, &r->n_curves);
	r->curves = arena_calloc(a, r->n_curves, sizeof *r->curves);
	for (size_t i = 0; i < r->n_curves; i++) {
		r->curves[i].scheme = items[i].scheme;
		for (size_t k = 0; k < SCHEME_CURVE_PLACES; k++)
			r->curves[i].curve.at[k] = (double)((i + k) % 5) - 2;
	}
	return r;
}

struct tui *help_tui(struct arena *a, const char *expression, const char *lines,
		     enum background background)
{
	struct tui *const t = arena_calloc(a, 1, sizeof *t);
	struct result *const r = arena_calloc(a, 1, sizeof *r);
	struct err err = {""};
	t->app = arena_calloc(a, 1, sizeof *t->app);
	t->report = arena_calloc(a, 1, sizeof *t->report);
	app_init(t->app);
	arena_init(&t->frame);
	arena_init(&t->box.arena);
	arena_init(&t->prompt.arena);
	r->scene = help_scene(expression, lines);
	r->ok = true;
	r->seconds = 0.0123;
	struct scene *const s = &r->scene;
	/* What fills takes long: a table of schemes, a profile, a training. Layers are soon there. */
	const size_t most = strcmp(s->view, "layers") == 0 ? SIZE_MAX : 0;
	if (!setup_build(&s->setup, a, &r->picture.built, &err) ||
	    !picture_compute_part(s, most, NULL, NULL, a, &r->picture, &err))
		fail_msg("%s %s: %s", expression, lines, err.text);
	if (!r->picture.table && s->row == 0 && s->col == 0)
		view_first_cell(r->picture.trace.query.n, r->picture.trace.key.n, &s->row, &s->col);
	picture_redraw(s, NULL, false, background, a, &r->picture, NULL);
	t->app->scene = t->drawn = *s;
	t->picture = r;
	t->curves = listed(a, s);
	t->unmeasured = true;
	t->terminal = (struct terminal){.utf8 = true, .background = background};
	return t;
}

void help_tui_done(struct tui *t)
{
	app_release(t->app);
	arena_release(&t->frame);
	arena_release(&t->box.arena);
	arena_release(&t->prompt.arena);
}

const struct canvas *help_frame(struct tui *t, struct help_look look)
{
	t->terminal.cols = look.cols;
	t->terminal.rows = look.rows;
	t->terminal.tier = look.tier;
	t->terminal.ascii = look.ascii;
	*t->report = (struct canvas_report){0};
	return tui_frame(t);
}

const char *help_frame_name(struct arena *a, const struct tui *t, struct help_look look)
{
	return arena_printf(a, "%s of %s, %dx%d, %s%s%s", t->drawn.view, t->drawn.setup.scheme,
			    look.cols, look.rows, tier_names[look.tier], look.ascii ? " ascii" : "",
			    t->terminal.background == BACKGROUND_LIGHT ? ", light" : ", dark");
}

/* Returns whether a cell is drawn: a value has a colour; a masked cell or a name has a sign or
 * nothing, also under the cursor. */
static bool is_drawn(const struct heatmap *h, const struct cell *k, size_t row, size_t col)
{
	const bool masked = h->masked && h->masked[row * h->values.cols + col];
	if (h->has_cursor && h->row == row && h->col == col)
		return true;
	if (heatmap_name(h, mat_row(h->values, row)[col]))
		return true;
	if (h->uniform != NULL) /* a sentence lies over cells of one value */
		return true;
	if (masked)
		return k->bg == CELL_DEFAULT &&
		       (strcmp(k->at, " ") == 0 || strcmp(k->at, "·") == 0);
	return k->bg != CELL_DEFAULT || (k->fg != CELL_DEFAULT && strcmp(k->at, " ") != 0);
}

int help_map_cells(const struct tui *t, const struct canvas *c)
{
	int n = 0;
	for (size_t i = 0; i < t->n_zones; i++) {
		const struct zone *const z = &t->zones[i];
		if (z->kind != ZONE_CELLS)
			continue;
		const struct heatmap *const h =
			&t->picture->picture.figure.panels[z->index].heatmap;
		for (int k = 0; k < z->at.rows * z->at.cols; k++) {
			const int y = z->at.row + k / z->at.cols, x = z->at.col + k % z->at.cols;
			size_t row, col;
			if (!canvas_hit(z->data, &z->view, y, x, &row, &col))
				continue;
			n++;
			if (!is_drawn(h, help_at(c, y, x), row, col))
				fail_msg("row %zu, column %zu is not drawn:\n%s", row + 1, col + 1,
					 help_screen(c));
		}
	}
	return n;
}
