/* test_motion.c: orders on the way from one to another, and what was before something ran. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "posviz/base/rng.h"
#include "posviz/export/export.h"
#include "posviz/input/input.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/figure.h"
#include "posviz/plot/raster.h"
#include "posviz/scene/scene.h"

FIXTURE(open_arena, close_arena)

/* ---- tokens that walk ----------------------------------------------------------------------------------- */

enum { MOST = 16 };

/* Only neighbours have changed places, none of them twice, and some have. */
static void expect_round(const size_t *before, const size_t *after, size_t n)
{
	size_t changed = 0;
	for (size_t i = 0; i < n;) {
		if (before[i] == after[i]) {
			i++;
			continue;
		}
		assert_true(i + 1 < n);
		assert_int_equal(before[i], after[i + 1]);
		assert_int_equal(before[i + 1], after[i]);
		changed++;
		i += 2;
	}
	assert_true(changed > 0);
}

static size_t walk(const size_t *from, const size_t *to, size_t n)
{
	size_t frames;
	size_t **const orders = input_orders_between(from, to, n, &arena, &frames);
	assert_true(frames <= n);
	for (size_t i = 0; i < frames; i++)
		expect_round(i > 0 ? orders[i - 1] : from, orders[i], n);
	if (n > 0)
		assert_memory_equal(frames > 0 ? orders[frames - 1] : from, to, n * sizeof *to);
	return frames;
}

TEST(tokens_walk_by_neighbours)
{
	struct rng rng;
	rng_init(&rng, 17);
	for (size_t n = 0; n <= MOST; n++) {
		for (size_t round = 0; round < 40; round++) {
			size_t from[MOST], to[MOST];
			for (size_t i = 0; i < n; i++)
				from[i] = to[i] = i;
			rng_shuffle(&rng, from, n);
			rng_shuffle(&rng, to, n);
			walk(from, to, n);
		}
	}
}

TEST(a_reversal_takes_all_rounds_and_a_swap_one)
{
	size_t as_written[MOST], reversed[MOST];
	for (size_t i = 0; i < MOST; i++)
		reversed[MOST - 1 - i] = as_written[i] = i;
	assert_int_equal(walk(as_written, reversed, MOST), MOST);
	assert_int_equal(walk(as_written, as_written, MOST), 0);
	static const size_t even[] = {1, 0, 2, 3}, odd[] = {0, 2, 1, 3}, far[] = {3, 0, 1, 2};
	assert_int_equal(walk(as_written, even, 4), 1);
	assert_int_equal(walk(as_written, odd, 4), 1);
	assert_int_equal(walk(as_written, far, 4), 3); /* as many places as it goes */
}

/* ---- what the room has ------------------------------------------------------------------------------------ */

TEST(changes_are_taken_and_nothing_else)
{
	struct scene from, to, scene, wanted;
	scene_init(&from);
	scene_init(&to);
	scene_init(&scene);
	assert_true(scene_set_line(&from, "scheme rope(base=10)", NULL));
	assert_true(scene_set_line(&to, "scheme rope(base=10)", NULL));
	assert_true(scene_set_line(&to, "theme dark", NULL));
	assert_true(scene_set_line(&to, "presenter on", NULL));
	assert_true(scene_set_line(&scene, "scheme rope(base=100)", NULL));
	wanted = scene;
	assert_true(scene_set_line(&wanted, "theme dark", NULL));
	assert_true(scene_set_line(&wanted, "presenter on", NULL));
	scene_take_changes(&scene, &from, &to);
	assert_true(scene_equal(&scene, &wanted));
	scene_take_changes(&scene, &from, &from);
	assert_true(scene_equal(&scene, &wanted));
}

/* ---- ghosts ----------------------------------------------------------------------------------------------- */

static struct figure *figure_of(const char *scheme)
{
	struct scene s;
	struct err err = {""};
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	scene_init(&s);
	if (!scene_set(&s, field_find("scheme"), scheme, &err) ||
	    !picture_make(&s, NULL, false, BACKGROUND_DARK, NULL, NULL, &arena, p, &err))
		fail_msg("%s: %s", scheme, err.text);
	return &p->figure;
}

static struct panel *curves_of(struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == PANEL_CURVES)
			return &f->panels[i];
	fail_msg("no curves");
	return NULL;
}

/* The copy does not hang on what it is of. */
static void keep(const char *scheme, struct figure *out)
{
	struct figure *const f = figure_of(scheme);
	struct curves *const k = &curves_of(f)->curves;
	double *const y = arena_calloc(&arena, k->series[0].n, sizeof *y);
	memcpy(y, k->series[0].y, k->series[0].n * sizeof *y);
	struct series mine = k->series[0];
	mine.y = y;
	k->series = &mine;
	k->n = 1;
	figure_keep_curves(f, &arena, out);
	memset(y, 0, k->series[0].n * sizeof *y);
}

TEST(a_ghost_is_the_curve_that_was)
{
	struct figure first;
	struct figure *const f = figure_of("rope(base=10000)"), *const was =
									figure_of("rope(base=10)");
	struct panel *const p = curves_of(f), before = *p;
	keep("rope(base=10)", &first);
	figure_ghost(f, &first, "base 10", &arena);
	const struct series *const now = &p->curves.series[0], *const ghost = now->before;
	assert_non_null(ghost);
	assert_int_equal(p->curves.n, before.curves.n);
	assert_ptr_equal(now->y, before.curves.series[0].y);
	assert_string_equal(ghost->label, "base 10");
	const struct series *const wanted = &curves_of(was)->curves.series[0];
	assert_int_equal(ghost->n, wanted->n);
	assert_memory_equal(ghost->y, wanted->y, wanted->n * sizeof *wanted->y);
	assert_non_null(strstr(p->note, "faint: base 10"));
	assert_non_null(strstr(p->paper_note, "faint: base 10"));
	for (size_t i = 0; i < f->n; i++) /* matrices are what they are */
		if (&f->panels[i] != p && f->panels[i].note)
			assert_null(strstr(f->panels[i].note, "faint"));
}

TEST(what_has_not_changed_has_no_ghost)
{
	struct figure first;
	struct figure *const f = figure_of("rope(base=10)");
	const struct panel before = *curves_of(f);
	keep("rope(base=10)", &first);
	figure_ghost(f, &first, "base 10", &arena);
	assert_null(curves_of(f)->curves.series[0].before);
	assert_ptr_equal(curves_of(f)->note, before.note);
	/* nor what has no panel of that name, or another number of curves */
	struct figure none = {0};
	figure_ghost(f, &none, "base 10", &arena);
	assert_null(curves_of(f)->curves.series[0].before);
	first.panels[0].curves.n = 0;
	figure_ghost(f, &first, "base 10", &arena);
	assert_null(curves_of(f)->curves.series[0].before);
}

static size_t dim_dots(const struct canvas *c)
{
	size_t n = 0;
	for (int i = 0; i < c->rows * c->cols; i++) {
		const struct cell *const cell = &c->cells[i];
		n += (cell->attrs & ATTR_DIM) != 0 && cell->fg != CELL_DEFAULT;
	}
	return n;
}

/* A straight line, and one that was twice as high: in the limits, faint, and below what is now. */
TEST(a_ghost_is_drawn_faint)
{
	enum { N = 9 };
	static double x[N], y[N], twice[N];
	for (size_t i = 0; i < N; i++) {
		x[i] = (double)i;
		y[i] = (double)i;
		twice[i] = 2 * y[i];
	}
	const struct series was = {.n = N, .x = x, .y = twice};
	struct series now = {.label = "now", .n = N, .x = x, .y = y};
	struct figure f = {.title = "f",
			   .n = 1,
			   .panels = {{.kind = PANEL_CURVES,
				       .title = "curve",
				       .cols = 1,
				       .rows = 1,
				       .curves = {.series = &now, .n = 1}}},
			   .col_weight = {1},
			   .row_weight = {1}};
	for (int ascii = 0; ascii < 2; ascii++) {
		struct canvas *const plain =
			canvas_new(&arena, 20, 60, TIER_DIRECT, ascii == 1, true);
		struct canvas *const ghost =
			canvas_new(&arena, 20, 60, TIER_DIRECT, ascii == 1, true);
		now.before = NULL;
		canvas_figure(plain, &f);
		now.before = &was;
		canvas_figure(ghost, &f);
		assert_int_equal(dim_dots(plain), 0);
		assert_true(dim_dots(ghost) > 15);
	}
	const struct raster_look look = {.width = 400, .height = 300};
	struct image with, without;
	assert_true(raster_image(&f, &look, &arena, &with, NULL, NULL));
	now.before = NULL;
	assert_true(raster_image(&f, &look, &arena, &without, NULL, NULL));
	assert_true(memcmp(with.rgb, without.rgb, 3u * 400 * 300) != 0);
}

/* Where curves have no room each is a row of colours, and so is what it was, under its name. */
TEST(a_ghost_among_rows_is_one)
{
	static const double x[] = {1, 2, 3, 4}, y[] = {4, 3, 2, 1}, was_y[] = {1, 1, 2, 2};
	const struct series was = {
		.label = "rank 1", .brief = "rank 1", .n = 4, .x = x, .y = was_y};
	const struct series series[] = {
		{.label = "logits", .brief = "l", .n = 4, .x = x, .y = y, .before = &was},
		{.label = "weights", .brief = "w", .n = 4, .x = x, .y = y}};
	const struct figure f = {.title = "f",
				 .n = 1,
				 .panels = {{.kind = PANEL_CURVES,
					     .title = "curve",
					     .cols = 1,
					     .rows = 1,
					     .curves = {.series = series,
							.n = 2,
							.integer_x = true,
							.colormap = colormap_find("paper")}}},
				 .col_weight = {1},
				 .row_weight = {1}};
	struct canvas *const c = canvas_new(&arena, 7, 22, TIER_DIRECT, false, true);
	char *text;
	size_t len;
	canvas_figure(c, &f);
	export_text(c, false, &arena, &text, &len);
	assert_non_null(strstr(text, "rank 1"));
}

/* ---- keys -------------------------------------------------------------------------------------------------- */

/* Any other key shows at once where it leads. */
TEST(the_presenter_lets_a_motion_go_on)
{
	enum { FRAMES = 3 };
	const struct key f5 = {.name = "F5"}, down = {.name = "Down"};
	struct tui *const t = help_tui(&arena, "alibi", "view explore\n", BACKGROUND_DARK);
	struct scene frames[FRAMES];
	t->worker = worker_new();
	touring_open(t);
	for (int i = 0; i < FRAMES; i++) {
		frames[i] = t->app->scene;
		frames[i].setup.seed = (uint64_t)i + 1;
	}
	t->app->settings.motion = true;
	motion_begin(t, frames, FRAMES, 3600);
	assert_true(motion_runs(t));
	tui_key(t, &f5);
	assert_true(motion_runs(t) && t->app->scene.presenter);
	for (int i = 0; i < FRAMES; i++)
		assert_true(t->motion.frames[i].presenter &&
			    t->motion.frames[i].setup.seed == (uint64_t)i + 1);
	tui_key(t, &down);
	assert_false(motion_runs(t));
	touring_close(t);
	reading_free(t);
	arena_release(&t->motion.arena);
	worker_free(t->worker);
	help_tui_done(t);
}
