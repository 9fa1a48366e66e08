/* test_map_view.c: the view Map: what it is of, against evaluations of their own; what is the same; filling bit by bit;
 * its rows and keys. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_pages.h"
#include "help_view.h"
#include "app/app_in.h"
#include "posviz/plot/raster.h"
#include "view/map_in.h"

FIXTURE(open_arena, close_arena)

static const char few[] =
	"view map\nlisted none alibi bloom rope rope_dyn t5 window causal gauss dufter_abs\n";

static const struct shown_map *map_of(const struct picture *p)
{
	return p->kept;
}

/* The place of a scheme among those of a kind; fails the test where it is not. */
static size_t place_of(const struct picture *p, enum distance_of kind, const char *name)
{
	const struct map_kind *const k = &map_of(p)->kinds[kind];
	for (size_t i = 0; i < k->n; i++)
		if (strcmp(map_of(p)->entries[k->entry[i]].name, name) == 0)
			return i;
	fail_msg("no %s", name);
	return 0;
}

static double apart(const struct picture *p, enum distance_of kind, const char *a, const char *b)
{
	return mat_row(map_of(p)->kinds[kind].d, place_of(p, kind, a))[place_of(p, kind, b)];
}

static struct trace evaluated(const char *expression, const char *lines)
{
	const struct scene s = help_scene(expression, lines);
	const struct want want = {
		.kinds = WANT_BIAS | WANT_MASK | WANT_WEIGHTS, .layer = -1, .head = -1};
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct trace t;
	struct err err = {""};
	if (!evaluate(&s.setup, &want, NULL, NULL, &arena, b, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

/* ---- numbers ------------------------------------------------------------------------------------- */

/* Each scheme has the masks of the one that is looked at; head and layer are those of the scene. */
TEST(distances_are_those_of_two_evaluations)
{
	static const char lines[] =
		"view map\nlisted none alibi rope t5\nhead 3\nlayer 2\nproj random\n";
	const struct picture *const p = help_picture(&arena, "rope(base=100)+causal", lines);
	const char *const own = map_of(p)->entries[0].name;
	const struct trace a = evaluated("rope(base=100)+causal", lines);
	static const char *const names[] = {"none", "alibi", "rope", "t5"};
	for (size_t i = 0; i < 4; i++) {
		const struct trace b =
			evaluated(arena_printf(&arena, "%s+causal", names[i]), lines);
		const struct trace_head *const x = &a.layers[1].heads[2],
					       *const y = &b.layers[1].heads[2];
		const struct trace_head *const f = &a.layers[0].heads[2],
					       *const g = &b.layers[0].heads[2];
		struct apart is;
		apart_weights(x->weights, x->mask, y->weights, y->mask, &is);
		assert_true(is.distance > 0.001);
		assert_within(apart(p, DISTANCE_WEIGHTS, own, names[i]), is.distance, 1e-12);
		apart_scores(f->bias, f->mask, g->bias, g->mask, &is);
		assert_within(apart(p, DISTANCE_BIAS, own, names[i]), is.distance, 1e-12);
	}
}

/* BLOOM is ALiBi, and rope_dyn differs beyond t-max alone: one point, and distance 0. */
TEST(what_is_the_same_is_one_point)
{
	const struct picture *const p = help_picture(&arena, "alibi+causal", few);
	const struct plane *const plane = &p->figure.panels[0].plane;
	for (size_t k = 0; k < DISTANCE_OF_COUNT; k++) {
		assert_within(apart(p, (enum distance_of)k, "alibi+causal", "bloom"), 0, 1e-12);
		assert_within(apart(p, (enum distance_of)k, "rope", "rope_dyn"), 0, 1e-12);
		assert_true(apart(p, (enum distance_of)k, "rope", "alibi+causal") > 0.01);
	}
	assert_string_equal(plane->at[plane->own].label, "alibi+causal");
	assert_string_equal(plane->at[plane->own].same, "= bloom");
	assert_true(plane->n < map_of(p)->kinds[DISTANCE_WEIGHTS].n);
	for (size_t i = 0; i < plane->n; i++)
		for (size_t j = 0; j < i; j++)
			assert_true(hypot(plane->at[i].x - plane->at[j].x,
					  plane->at[i].y - plane->at[j].y) > 1e-9);
	const struct table *const t = &p->figure.panels[1].table;
	assert_string_equal(t->cells[0], "bloom");
	assert_string_equal(t->cells[1], "the same");
}

/* Every kind that the list names is in the legend, though a mark of another kind may stand for its schemes; the star
 * has one look in the legend and in the plane, even where the chosen scheme has its cell. */
TEST(the_legend_has_every_kind_and_the_star)
{
	const struct picture *const p = help_picture(
		&arena, "sinusoidal", "view map\nlisted none rope floater langpe alibi\n");
	const struct table *const t = &p->figure.panels[1].table;
	struct canvas *const c = help_canvas(34, 80, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, c->rows, c->cols}, &p->figure.panels[0], false, NULL,
		     NULL);
	const char *const legend = strstr(help_screen(c), "positions:");
	assert_non_null(legend);
	for (size_t i = 0; i < t->rows; i++) {
		const char *const kind = t->cells[t->cols * i + 2], *const at =
									    strstr(legend, kind);
		if (!at || at - legend > (long)strcspn(legend, "\n"))
			fail_msg("%s is not in the legend\n%s", kind, legend);
	}
	const struct cell *star[2] = {NULL, NULL};
	for (int i = 0, n = 0; i < c->rows * c->cols; i++)
		if (strcmp(c->cells[i].at, "★") == 0 && n < 2)
			star[n++] = &c->cells[i];
	if (!star[0] || !star[1])
		fail_msg("the star is not in legend and plane\n%s", help_screen(c));
	assert_int_equal(star[0]->fg, star[1]->fg);
	assert_int_equal(star[0]->attrs, star[1]->attrs);
}

/* A causal mask changes weights and no bias. */
/* Before a key is pressed the nearest scheme is chosen: it is lit, and where it is the scene's own point, named there. */
TEST(the_chosen_scheme_is_lit_from_the_start)
{
	const struct plane *p = &help_picture(&arena, "rope", few)->figure.panels[0].plane;
	assert_true(p->has_cursor);
	assert_int_equal(p->cursor, 0);
	assert_string_equal(p->at[0].more, "= rope_dyn");
	p = &help_picture(&arena, "rope", "view map\nlisted none t5 window\n")
		     ->figure.panels[0]
		     .plane;
	assert_true(p->has_cursor && p->cursor > 0);
	assert_non_null(p->at[p->cursor].more);
}

TEST(masks_are_seen_in_the_weights)
{
	const struct picture *const p = help_picture(&arena, "none", few);
	assert_within(apart(p, DISTANCE_BIAS, "none", "causal"), 0, 1e-12);
	assert_true(apart(p, DISTANCE_WEIGHTS, "none", "causal") > 0.2);
	const struct picture *const both = help_picture(&arena, "none+causal", few);
	const struct map_entry *const e = map_of(both)->entries;
	assert_string_equal(e[place_of(both, DISTANCE_WEIGHTS, "rope")].expression, "rope+causal");
	assert_true(apart(both, DISTANCE_WEIGHTS, "none+causal", "rope") <
		    apart(p, DISTANCE_WEIGHTS, "none", "causal"));
}

/* What has no bias is left out where biases count, and the card says how many; looked at itself it has no map. */
TEST(what_has_no_bias_is_left_out_and_said)
{
	const struct picture *p =
		help_picture(&arena, "rope", arena_printf(&arena, "%sdistance-of bias\n", few));
	const struct card *const card = &help_named_panel(&p->figure, "card")->card;
	bool said = false;
	for (size_t i = 0; i < card->n; i++)
		said |= strcmp(card->lines[i].key, "left out") == 0 &&
			strstr(card->lines[i].value, "1 without a bias: gauss");
	assert_true(said);
	assert_int_equal(map_of(p)->kinds[DISTANCE_BIAS].n + 1,
			 map_of(p)->kinds[DISTANCE_WEIGHTS].n);
	p = help_picture(&arena, "gauss", arena_printf(&arena, "%sdistance-of bias\n", few));
	assert_non_null(strstr(p->figure.panels[0].absent, "distance-of weights"));
	help_figure_is_sound(&arena, &p->figure, "gauss");
	assert_null(help_picture(&arena, "gauss", few)->figure.panels[0].absent);
}

TEST(any_input_has_a_map)
{
	static const char *const lines[] = {"sentence cat\n",
					    "sentence to be or not to be\nspecial cls,sep\n",
					    "sentence to be or not to be\nmemory-tokens 2\n",
					    "conllu @dep1\n", "head mean\nlayer mean\n"};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		const char *const all = arena_printf(&arena, "%s%s", few, lines[i]);
		struct picture *const p = help_picture(&arena, "t5", all);
		struct scene s = help_scene("t5", all);
		for (s.distance_of = 0; s.distance_of < DISTANCE_OF_COUNT; s.distance_of++) {
			picture_redraw(&s, NULL, false, BACKGROUND_DARK, &arena, p, NULL);
			help_figure_is_sound(&arena, &p->figure, all);
			assert_null(p->figure.panels[0].absent);
			assert_true(map_of(p)->kinds[s.distance_of].n >= 9);
		}
	}
}

/* ---- filling ------------------------------------------------------------------------------------- */

static struct picture *part(const struct scene *s, size_t most, struct cache *cache)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct err err = {""};
	assert_true(setup_build(&s->setup, &arena, &p->built, &err));
	assert_true(picture_compute_part(s, most, cache, NULL, &arena, p, &err));
	picture_redraw(s, NULL, false, BACKGROUND_LIGHT, &arena, p, NULL);
	help_figure_is_sound(&arena, &p->figure, "map in part");
	return p;
}

/* The one that is looked at is there at once; nothing is computed twice, and the end is the same as at once. */
TEST(it_fills_bit_by_bit)
{
	const struct scene s = help_scene("rope", few);
	struct cache *const cache = cache_new(16 << 20);
	struct picture *p = part(&s, 0, cache);
	const size_t all = map_of(p)->n;
	assert_int_equal(p->unmeasured, all - 1);
	assert_string_equal(p->figure.panels[0].note,
			    arena_printf(&arena, "1 of %zu computed …", all));
	for (size_t left = all - 1; left > 0;) {
		p = part(&s, 4, cache);
		left = left > 4 ? left - 4 : 0;
		assert_int_equal(p->unmeasured, left);
	}
	const struct picture *const whole = help_picture(&arena, "rope", few);
	assert_int_equal(whole->unmeasured, 0);
	for (size_t k = 0; k < DISTANCE_OF_COUNT; k++) {
		const struct map_kind *const a = &map_of(p)->kinds[k], *const b =
									       &map_of(whole)
											->kinds[k];
		assert_int_equal(a->n, b->n);
		assert_within(mat_max_abs_diff(a->d, b->d), 0, 0);
		assert_within(mat_max_abs_diff(a->plane.at, b->plane.at), 0, 0);
	}
	assert_string_equal(p->figure.panels[0].note, whole->figure.panels[0].note);
	cache_free(cache);
}

/* Another distance is another figure of the same numbers. */
TEST(another_distance_is_there_at_once)
{
	struct scene s = help_scene("rope", few), other = s;
	struct picture *const p = help_picture(&arena, "rope", few);
	other.distance_of = DISTANCE_BIAS;
	assert_true(app_same_numbers(&s, &other));
	assert_false(scene_equal(&s, &other));
	picture_redraw(&other, NULL, false, BACKGROUND_LIGHT, &arena, p, NULL);
	assert_string_equal(p->figure.panels[0].title, "Map of schemes by bias");
}

/* ---- rows and keys ------------------------------------------------------------------------------- */

static unsigned run(struct app *app, const char *line)
{
	struct err err = {""};
	unsigned reactions = 0;
	if (!app_command(app, line, &reactions, &err))
		fail_msg("%s: %s", line, err.text);
	return reactions;
}

static void show(struct app *app, struct picture *p)
{
	struct err err = {""};
	if (!picture_make(&app->scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err))
		fail_msg("%s", err.text);
	app->shown.picture = p;
	app->shown.scene = &app->scene;
}

TEST(its_rows_are_neighbours)
{
	struct app app;
	struct picture p;
	app_init(&app);
	run(&app, "listed none alibi bloom t5 rope");
	run(&app, "scheme alibi+causal");
	run(&app, "cursor 5 2");
	run(&app, "view map");
	assert_int_equal(app.scene.row, 0);
	show(&app, &p);
	app.pane = 1; /* in the plane the arrows go through that */
	assert_int_equal(run(&app, "cursor down") & REACT_COMPUTE, 0);
	assert_int_equal(app.scene.row, 2);
	run(&app, "cursor bottom");
	assert_int_equal(app.scene.row, 4);
	run(&app, "cursor down");
	assert_int_equal(app.scene.row, 4);
	picture_redraw(&app.scene, NULL, false, BACKGROUND_LIGHT, &arena, &p, NULL);
	const struct table *const t = &p.figure.panels[1].table;
	const char *const last = t->cells[3 * t->cols];
	assert_string_equal(p.figure.panels[0].plane.at[p.figure.panels[0].plane.cursor].label,
			    last);
	run(&app, "pin-row");
	assert_string_equal(app.scene.view, "compare");
	assert_string_equal(app.scene.setup.compare, arena_printf(&arena, "%s+causal", last));
	run(&app, "undo");
	run(&app, "cursor top");
	run(&app, "pick-row");
	assert_string_equal(app.scene.view, "explore");
	assert_string_equal(app.scene.setup.scheme, "bloom+causal");
	app_release(&app);
}

/* Without a screen the map is computed. */
TEST(a_row_is_picked_without_a_screen)
{
	struct app app;
	struct err err = {""};
	unsigned reactions;
	app_init(&app);
	run(&app, "listed none alibi bloom");
	run(&app, "scheme alibi");
	run(&app, "view map");
	run(&app, "pin-row");
	assert_string_equal(app.scene.setup.compare, "bloom");
	run(&app, "view map");
	run(&app, "listed alibi");
	assert_false(app_command(&app, "pick-row", &reactions, &err));
	assert_non_null(strstr(err.text, "listed all"));
	app_release(&app);
}

/* ---- as it is seen ------------------------------------------------------------------------------- */

TEST(it_reads_on_any_page_and_screen)
{
	static const int pages[][2] = {{1600, 1000}, {800, 500}, {700, 1200}};
	static const int sizes[][2] = {{48, 200}, {34, 120}, {22, 80}, {18, 60}, {10, 40}};
	const struct picture *const p = help_picture(&arena, "rope+causal", few);
	for (size_t i = 0; i < 3; i++) {
		const struct raster_report r = help_page_report(
			&p->figure,
			&(struct raster_look){.width = pages[i][0], .height = pages[i][1]}, &arena);
		help_page_reads("map", &r, pages[i][0], pages[i][1]);
	}
	for (size_t i = 0; i < 5 * 2; i++) {
		struct canvas_report report = {0};
		struct canvas *const c = help_canvas(sizes[i % 5][0], sizes[i % 5][1],
						     i < 5 ? TIER_DIRECT : TIER_MONO, i >= 5);
		c->report = &report;
		canvas_panel(c, (struct rect){0, 0, c->rows, c->cols}, &p->figure.panels[0], false,
			     NULL, NULL);
		help_assert_whole(c);
		if (report.cut || report.over)
			fail_msg("%dx%d: cut \"%s\", over \"%s\"\n%s", c->cols, c->rows,
				 report.cut_text, report.over_text, help_screen(c));
		if (!strstr(help_screen(c), "rope+causal"))
			fail_msg("own not named\n%s", help_screen(c));
	}
}

/* ---- the same places ----------------------------------------------------------------------------- */

static const struct shown_map *made(const char *expression, const char *lines, struct cache *cache,
				    struct arena *a)
{
	const struct scene s = help_scene(expression, lines);
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	struct err err = {""};
	if (!picture_make(&s, NULL, false, BACKGROUND_DARK, cache, NULL, a, p, &err))
		fail_msg("%s: %s", expression, err.text);
	return map_of(p);
}

/* The place of a scheme that is not the user's own; NULL: it is not on the map. */
static const double *at_of(const struct shown_map *m, enum distance_of kind, const char *id)
{
	const struct map_kind *const k = &m->kinds[kind];
	for (size_t i = 0; i < k->n && !k->absent; i++)
		if (!m->entries[k->entry[i]].aside &&
		    strcmp(m->entries[k->entry[i]].scheme->id, id) == 0)
			return mat_row(k->plane.at, i);
	return NULL;
}

/* Compares the places of all schemes; those with another mask attend otherwise, and are elsewhere. */
static void assert_same_places(const struct shown_map *m, const struct shown_map *first,
			       enum distance_of kind, const char *own)
{
	const double *const alibi = at_of(m, kind, "alibi");
	size_t n = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const char *const id = scheme_at(i)->id;
		const double *const is = at_of(m, kind, id), *const was = at_of(first, kind, id);
		if (!is || !was)
			continue;
		n++;
		if (hypot(is[0] - was[0], is[1] - was[1]) > 1e-7)
			fail_msg("of %s, %s is at %g, %g, not at %g, %g", own, id, is[0], is[1],
				 was[0], was[1]);
	}
	assert_true(alibi && n > 100);
}

/* False where the scheme that is looked at has brought its mask to all. */
static bool has_expression(const struct shown_map *m, const char *expression)
{
	bool has = false;
	for (size_t i = 0; i < m->n; i++)
		has |= strcmp(m->entries[i].expression, expression) == 0;
	return has;
}

TEST(schemes_stand_in_the_same_places_whatever_is_looked_at)
{
	struct cache *const cache = cache_new(64 << 20);
	const struct shown_map *const first = made("none", "view map\n", cache, &arena);
	size_t compared = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		struct arena a;
		arena_init(&a);
		const char *const id = scheme_at(i)->id;
		const struct shown_map *const m = made(id, "view map\n", cache, &a);
		const bool same = m->n == first->n && has_expression(m, "alibi") &&
				  m->kinds[DISTANCE_WEIGHTS].n == first->kinds[DISTANCE_WEIGHTS].n;
		compared += same;
		if (same)
			assert_same_places(m, first, DISTANCE_WEIGHTS, id);
		const double *const alibi = at_of(m, DISTANCE_WEIGHTS, "alibi");
		if (alibi && (alibi[0] < 0 || alibi[1] < 0))
			fail_msg("of %s, alibi is at %g, %g", id, alibi[0], alibi[1]);
		arena_release(&a);
	}
	if (compared < 90)
		fail_msg("only %zu of %zu were compared", compared, scheme_count());
	cache_free(cache);
}

/* Parameters, mixtures and the user's names come among them, and move nothing. */
TEST(what_the_user_makes_moves_no_scheme)
{
	static const char *const rows[] = {"rope(base=20)", "rope+alibi", "0.5*t5+shaw", "mine"};
	struct cache *const cache = cache_new(64 << 20);
	const struct shown_map *const first = made("none", "view map\n", cache, &arena);
	struct err err = {""};
	assert_true(define_set("mine", "alibi+t5", &err));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct shown_map *const m = made(rows[i], "view map\n", cache, &arena);
		assert_same_places(m, first, DISTANCE_WEIGHTS, rows[i]);
		bool named = false;
		for (size_t k = 0; k < m->n; k++)
			named |= strstr(m->entries[k].name, "mine") != NULL;
		if (!named)
			fail_msg("of %s: the user's own name is not on the map", rows[i]);
	}
	define_remove("mine", NULL);
	cache_free(cache);
}

/* A point that is aside and equal to another one is placed where that is. */
TEST(a_scheme_written_out_lies_on_the_same_scheme)
{
	const struct picture *const p =
		help_picture(&arena, "0.5*alibi+0.5*alibi",
			     "view map\nlisted none alibi rope t5 shaw sinusoidal\n");
	const struct map_kind *const k = &map_of(p)->kinds[DISTANCE_WEIGHTS];
	const double *const alibi = at_of(map_of(p), DISTANCE_WEIGHTS, "alibi");
	assert_true(map_of(p)->entries[0].aside);
	assert_within(mat_row(k->plane.at, 0)[0], alibi[0], 1e-9);
	assert_within(mat_row(k->plane.at, 0)[1], alibi[1], 1e-9);
}

/* ---- names, steps, filter -------------------------------------------------------------------------- */

static bool is_mark(const struct canvas *c, int row, int col)
{
	static const char *const marks[] = {"●", "■", "▲", "◆", "▼", "○", "□", "▀", "▄",
					    "█", "▌", "▐", "░", "▒", "▓", "*", "+", "#",
					    "%", "=", "&", "~", "@", "·", "0", "1", "2",
					    "3", "4", "5", "6", "7", "8", "9", "★"};
	if (row < 0 || col < 0 || row >= c->rows || col >= c->cols)
		return false;
	const struct cell *const k = help_at(c, row, col);
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (strcmp(k->at, marks[i]) == 0)
			return true;
	return k->bg != CELL_DEFAULT;
}

/* Tells whether dots of a line are there, in Braille. */
static bool is_line(const struct canvas *c, int row, int col)
{
	return row >= 0 && col >= 0 && row < c->rows && col < c->cols &&
	       (strncmp(help_at(c, row, col)->at, "\xe2\xa0", 2) == 0 ||
		strncmp(help_at(c, row, col)->at, "\xe2\xa1", 2) == 0 ||
		strncmp(help_at(c, row, col)->at, "\xe2\xa2", 2) == 0 ||
		strncmp(help_at(c, row, col)->at, "\xe2\xa3", 2) == 0);
}

/* Every name in the plane stands at a mark or a picture, or at the end of a line: in its row at most a blank away, or
 * in the row above or below it. */
TEST(names_touch_their_points)
{
	static const int sizes[][2] = {{200, 50}, {120, 36}, {80, 24}, {60, 20}};
	struct tui *const t = help_tui(&arena, "rope", "view map\n", BACKGROUND_DARK);
	const struct plane *const p = &t->picture->picture.figure.panels[0].plane;
	for (size_t i = 0; i < 4 * 3; i++) {
		static const enum tier tiers[] = {TIER_MONO, TIER_16, TIER_DIRECT};
		const struct help_look look = {
			.cols = sizes[i / 3][0], .rows = sizes[i / 3][1], .tier = tiers[i % 3]};
		const struct canvas *const c = help_frame(t, look);
		struct rect in = {0};
		for (size_t z = 0; z < t->n_zones; z++)
			if (t->zones[z].kind == ZONE_PANE && t->zones[z].index == 0)
				in = t->zones[z].at;
		size_t found = 0;
		for (size_t k = 0; k < p->n; k++) {
			const int w = (int)text_width(p->at[k].label);
			for (int at = 0; at < in.rows * in.cols; at++) {
				const int row = in.row + at / in.cols, col = in.col + at % in.cols;
				if (col + w >= in.col + in.cols ||
				    strcmp(help_between(c, row, col, col + w), p->at[k].label) !=
					    0 ||
				    strcmp(help_at(c, row, col - 1)->at, " ") != 0 ||
				    strcmp(help_at(c, row, col + w)->at, " ") != 0)
					continue;
				bool touches = false;
				/* A picture of shades is blank where there is nothing. */
				for (int x = 1; x <= (look.tier == TIER_DIRECT ? 1 : 6); x++)
					touches |= is_mark(c, row, col - 1 - x) ||
						   is_mark(c, row, col + w + x);
				for (int x = col; x < col + w; x++)
					touches |= is_mark(c, row - 1, x) || is_mark(c, row + 1, x);
				for (int x = 0; x < 3 * (w + 4); x++)
					touches |= is_line(c, row - 1 + x / (w + 4),
							   col - 2 + x % (w + 4));
				if (!touches)
					fail_msg("%s: %s floats:\n%s",
						 help_frame_name(&arena, t, look), p->at[k].label,
						 help_screen(c));
				found++;
			}
		}
		if (found < 4)
			fail_msg("%s: %zu names:\n%s", help_frame_name(&arena, t, look), found,
				 help_screen(c));
	}
	help_tui_done(t);
}

/* The own scheme and those nearest to it are named at any size, these with the distance that the list has; how many
 * are near is counted from the distances; and the nearest ones have a map of their own at such distances. */
TEST(the_nearest_are_named_with_their_distances)
{
	struct tui *const t = help_tui(&arena, "spr_rel", "view map\n", BACKGROUND_DARK);
	const struct picture *const picture = &t->picture->picture;
	const struct map_kind *const k = &map_of(picture)->kinds[DISTANCE_WEIGHTS];
	const struct plane *const p = &picture->figure.panels[0].plane;
	const char *const finding = picture->figure.finding;
	const struct panel *const inset = help_named_panel(&picture->figure, "near");
	size_t of, all, n = 0;
	double within;
	assert_int_equal(sscanf(finding, "%zu of %zu schemes lie within %lf of spr_rel;", &of, &all,
				&within),
			 3);
	assert_non_null(strstr(finding, "Distance 0.1: a tenth of the attention"));
	for (size_t i = 1; i < k->n; i++)
		n += mat_row(k->d, 0)[i] <= within;
	assert_true(of == n && all == k->n - 1 && 4 * n >= all);
	assert_true(p->n_called == 5 && inset->plane.n == 11);
	for (size_t i = 1; i < inset->plane.n; i++) {
		const size_t scheme = place_of(picture, DISTANCE_WEIGHTS, inset->plane.at[i].label);
		const double is = mat_row(k->d, 0)[scheme];
		if (is > map_same)
			assert_within(strtod(inset->plane.at[i].more, NULL), is, 0.05 * is);
	}
	const char *screen = help_screen(
		help_frame(t, (struct help_look){.cols = 120, .rows = 36, .tier = TIER_DIRECT}));
	assert_non_null(strstr(screen, "0.0277")); /* shaw_abs, in the list */
	assert_non_null(strstr(screen, "lie within 0.2 of spr_rel; the farthest is "));
	screen = help_screen(
		help_frame(t, (struct help_look){.cols = 200, .rows = 50, .tier = TIER_DIRECT}));
	assert_non_null(strstr(screen, "shaw_abs 0.028"));
	help_tui_done(t);
}

/* Tells whether a row of the screen names the groups, or is a sentence. */
static bool is_legend(const struct canvas *c, int row)
{
	const char *const text = help_between(c, row, 0, c->cols);
	return strstr(text, "positions: ") || strstr(text, "lie within") ||
	       strstr(text, "● none") || strstr(text, "farthest");
}

/* Every scheme of the map is at a mark, and marks are few: what their names count is all of them; enlarged, more of
 * them have names. */
TEST(marks_are_few_and_count_every_scheme)
{
	static const int sizes[][2] = {{200, 50}, {120, 36}, {80, 24}};
	static const char *const scenes[] = {"view map\n", "view map\ngrid cells\n",
					     "view map\nfilter relative\n"};
	for (size_t k = 0; k < 3 * 3; k++) {
		struct tui *const t = help_tui(&arena, "t5", scenes[k % 3], BACKGROUND_DARK);
		const struct plane *const p = &t->picture->picture.figure.panels[0].plane;
		const struct canvas *const c =
			help_frame(t, (struct help_look){.cols = sizes[k / 3][0],
							 .rows = sizes[k / 3][1],
							 .tier = TIER_DIRECT});
		struct rect in = {0};
		size_t n = 0, sum = 0, names = 0;
		for (size_t z = 0; z < t->n_zones; z++)
			if (t->zones[z].kind == ZONE_PANE && t->zones[z].index == 0)
				in = t->zones[z].at;
		for (size_t i = 0; i < p->n; i++)
			n += p->at[i].x >= p->window[0] && p->at[i].x <= p->window[1] &&
					     p->at[i].y >= p->window[2] &&
					     p->at[i].y <= p->window[3]
				     ? 1 + p->also[i]
				     : 0;
		for (size_t i = 0; i < p->n; i++) {
			const int w = (int)text_width(p->at[i].label);
			for (int at = 0; at < in.rows * in.cols; at++) {
				const int row = in.row + at / in.cols, col = in.col + at % in.cols;
				if (col + w >= in.col + in.cols ||
				    strcmp(help_between(c, row, col, col + w), p->at[i].label) ||
				    strcmp(help_at(c, row, col - 1)->at, " ") ||
				    strcmp(help_at(c, row, col + w)->at, " ") ||
				    help_at(c, row, col)->attrs & ATTR_DIM)
					continue;
				const char *const rest = help_between(c, row, col + w,
								      in.col + in.cols),
						  *const plus = strchr(rest, '+');
				const bool own = plus && strspn(rest, " 0123456789.") ==
								 (size_t)(plus - rest);
				if (row == in.row || is_legend(c, row))
					continue;
				names++;
				sum += own ? 1 + strtoul(plus + 1, NULL, 10) : 1 + p->also[i];
			}
		}
		if (sum != n || names > 40 || names < 4)
			fail_msg("%zu of %zu in %zu names\n%s", sum, n, names, help_screen(c));
		help_tui_done(t);
	}
}

/* A step goes to a point in its direction, and every point is reached from some other one. */
TEST(arrows_go_through_the_plane)
{
	static const int ways[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
	struct scene s = help_scene("rope", "view map\nlisted none alibi bloom t5 shaw rope "
					    "sinusoidal gauss kerple_log fire\n");
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct err err = {""};
	assert_true(picture_make(&s, NULL, false, BACKGROUND_DARK, NULL, NULL, &arena, p, &err));
	const struct map_kind *const k = &map_of(p)->kinds[DISTANCE_WEIGHTS];
	bool reached[16] = {false};
	for (long row = 1; row < (long)k->n; row++) {
		const double *const from = mat_row(k->plane.at, k->nearest[row - 1]);
		s.row = row;
		for (size_t i = 0; i < 4; i++) {
			const size_t to = picture_step(&s, p, 0, ways[i][0], ways[i][1]);
			if (to == 0)
				continue;
			const double *const at = mat_row(k->plane.at, k->nearest[to - 1]);
			assert_true(ways[i][0] * (at[0] - from[0]) +
					    ways[i][1] * (at[1] - from[1]) >
				    0);
			reached[to] = true;
		}
	}
	for (size_t i = 1; i < k->n; i++)
		if (!reached[i] && k->first[k->nearest[i - 1]] == k->nearest[i - 1] &&
		    mat_row(k->d, 0)[k->nearest[i - 1]] > map_same)
			fail_msg("no arrow leads to %s",
				 map_of(p)->entries[k->entry[k->nearest[i - 1]]].name);
	assert_int_equal(picture_step(&s, p, 1, 1, 0), 0); /* the list is no plane */
}

/* The filter and the enlargement show fewer points, and each where it was. */
TEST(a_filter_moves_no_point)
{
	static const char *const lines[] = {"view map\n", "view map\nfilter su et al\n",
					    "view map\nfilter relative rope\n"};
	const struct picture *const all = help_picture(&arena, "alibi", lines[0]);
	const struct plane *const whole = &all->figure.panels[0].plane;
	for (size_t i = 1; i < 3; i++) {
		const struct picture *const p = help_picture(&arena, "alibi", lines[i]);
		const struct plane *const some = &p->figure.panels[0].plane;
		assert_true(some->n > 1 && some->n < whole->n / 2);
		assert_memory_equal(some->window, whole->window, 4 * sizeof(double));
		for (size_t k = 0; k < some->n; k++) {
			bool there = false;
			for (size_t o = 0; o < whole->n; o++)
				there |= hypot(some->at[k].x - whole->at[o].x,
					       some->at[k].y - whole->at[o].y) < 1e-9;
			assert_true(there);
		}
	}
	const struct picture *const near = help_picture(&arena, "alibi", "view map\ngrid cells\n");
	const double *const w = near->figure.panels[0].plane.window, *const v = whole->window;
	assert_within(4 * (w[1] - w[0]), v[1] - v[0], 1e-9);
	assert_within(4 * (w[3] - w[2]), v[3] - v[2], 1e-9);
}
