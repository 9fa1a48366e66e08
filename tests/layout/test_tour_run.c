/* test_tour_run.c: going through tours without a screen: each beat's scene is exactly what was there, from wherever one
 * comes and whatever was done in between; what was there before the tour comes back after it. */
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "posviz/base/rng.h"
#include "posviz/tour/tour.h"
#include "posviz/tour/tour_run.h"

FIXTURE(open_arena, close_arena)

static struct app app;
static struct tour_run run;

static const struct tour *tour_of(const char *name)
{
	struct tour *const t = arena_calloc(&arena, 1, sizeof *t);
	struct err err;
	if (!tour_open(name, TOUR_LINES, NULL, NULL, &arena, t, NULL, &err))
		fail_msg("%s: %s", name, err.text);
	return t;
}

static const struct tour *tour_text(const char *text)
{
	struct tour *const t = arena_calloc(&arena, 1, sizeof *t);
	struct tour_report report = {.arena = &arena};
	if (!tour_read("x.tour", text, strlen(text), TOUR_LINES, NULL, NULL, &arena, t, &report))
		fail_msg("%s", report.lines[0].text);
	return t;
}

static void begin(const struct tour *t, size_t beat)
{
	app_init(&app);
	help_app_run(&app, "scheme alibi");
	help_app_run(&app, "view order");
	help_app_run(&app, "cursor 2 3");
	app.pane = 2;
	tour_begin(&run, t, beat, &app, 0);
}

static void expect_beat(size_t beat)
{
	struct scene there = tour_scene(&run, beat);
	assert_int_equal(run.beat, beat);
	if (!scene_equal(&there, &app.scene))
		fail_msg("%s, beat %zu: %s stands where %s would be right", run.tour->name, beat,
			 scene_print(&app.scene, &arena), scene_print(&there, &arena));
	assert_false(tour_left_path(&run, &app));
}

static void end(void)
{
	const struct scene before = run.before;
	tour_end(&run, &app);
	assert_true(scene_equal(&app.scene, &before));
	assert_int_equal(app.pane, 2);
	assert_null(run.tour);
	app_release(&app);
}

/* All but the lecture, which is made of them. */
static const char *const names[] = {"order",   "sinusoids",    "bias",		 "relative",
				    "buckets", "expansion",    "rotation",	 "extrapolation",
				    "rank",    "trees-graphs", "learning-order", "lengths",
				    "inside"};
enum { NAMES = sizeof names / sizeof *names };

TEST_IN_PARTS(there_and_back_and_from_everywhere, 2)
{
	for (size_t i = test_part; i < NAMES; i += test_parts) {
		const struct tour *const t = tour_of(names[i]);
		size_t at = 0;
		begin(t, 0);
		expect_beat(0);
		while (tour_forward(&run, &app, 1))
			expect_beat(++at);
		assert_int_equal(at + 1, t->n_beats);
		expect_beat(at);
		while (tour_backward(&run, &app, 2))
			expect_beat(--at);
		expect_beat(0);
		for (size_t from = 0; from < t->n_beats; from += 3)
			for (size_t to = 0; to < t->n_beats; to++) {
				tour_show(&run, from, &app, 3);
				tour_show(&run, to, &app, 3);
				expect_beat(to);
			}
		assert_int_equal(app.n_undo, 0); /* nothing was changed by hand */
		end();
	}
}

TEST(a_change_is_put_away_by_the_first_step_and_brought_back_by_undo)
{
	const struct tour *const t = tour_of("order");
	begin(t, 4);
	bool (*const steps[])(struct tour_run *, struct app *, double) = {tour_forward,
									  tour_backward};
	for (size_t i = 0; i < 2; i++) {
		help_app_run(&app, "scheme t5");
		help_app_run(&app, "heads 2");
		const struct scene changed = app.scene;
		assert_true(tour_left_path(&run, &app));
		assert_true(steps[i](&run, &app, 1));
		expect_beat(4);
		help_app_run(&app, "undo");
		assert_true(scene_equal(&changed, &app.scene));
		assert_true(steps[i](&run, &app, 1));
		expect_beat(4);
	}
	/* The cursor is no change. */
	help_app_run(&app, "cursor 2 2");
	assert_false(tour_left_path(&run, &app));
	assert_true(tour_forward(&run, &app, 1));
	expect_beat(5);
	end();
}

TEST(what_was_changed_before_the_tour_is_taken_back_after_it_alone)
{
	begin(tour_of("order"), 0);
	const size_t before = run.n_undo;
	unsigned reactions;
	struct err err;
	assert_true(before > 0);
	assert_false(app_command(&app, "undo", &reactions, &err));
	help_app_run(&app, "heads 2");
	tour_forward(&run, &app, 1);
	help_app_run(&app, "undo");
	help_app_run(&app, "undo");
	expect_beat(0);
	help_app_run(&app, "heads 8");
	tour_end(&run, &app);
	assert_string_equal(app.scene.setup.scheme, "alibi");
	help_app_run(&app, "undo");
	assert_int_equal(app.scene.setup.heads, 8); /* as it was left */
	while (app.n_undo >= before)
		help_app_run(&app, "undo");
	assert_string_not_equal(app.scene.view, "order");
	app_release(&app);
}

TEST(the_room_keeps_what_is_its_own)
{
	begin(tour_text("title T\nstep A\nsay a\nstep B\ntheme dark\nsay b\n"), 0);
	help_app_run(&app, "presenter on");
	assert_false(tour_left_path(&run, &app));
	tour_forward(&run, &app, 1);
	assert_true(app.scene.presenter);
	assert_int_equal(app.scene.theme, THEME_DARK);
	tour_backward(&run, &app, 1);
	assert_true(app.scene.presenter);
	tour_end(&run, &app);
	assert_true(app.scene.presenter);
	assert_int_equal(app.scene.theme, THEME_AUTO);
	assert_string_equal(app.scene.setup.scheme, "alibi");
	app_release(&app);
}

TEST(time_is_counted_for_each_step)
{
	begin(tour_text("title T\nstep A\nsay a\nwait\nsay a\nstep B\nsay b\n"), 0);
	tour_forward(&run, &app, 5);
	tour_forward(&run, &app, 12);
	tour_backward(&run, &app, 20);
	assert_true(fabs(run.spent[0] - 12) < 1e-9);
	assert_true(fabs(run.spent[1] - 8) < 1e-9);
	assert_true(fabs(tour_elapsed(&run, 21) - 21) < 1e-9);
	end();
}

/* The clock of a tour that is gone on with begins where it was, and stands if it stood. */
TEST(times_are_taken_over)
{
	const double spent[] = {40, 60, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	const struct tour *const t = tour_of("order");
	assert_int_equal(t->n_steps, 12);
	begin(t, t->steps[2].first);
	tour_take_times(&run, spent, 12, 130, false, 1000);
	assert_true(tour_elapsed(&run, 1005) == 135 && tour_spent(&run, 1005) == 17);
	tour_take_times(&run, spent, 11, 130, true, 1000);
	assert_true(tour_elapsed(&run, 1005) == 130 && tour_spent(&run, 1005) == 12);
	tour_pause(&run, 1010);
	assert_true(tour_elapsed(&run, 1015) == 135 && tour_spent(&run, 1015) == 17);
	end();
}

TEST(a_place_is_found_again)
{
	const struct tour *const t = tour_of("order");
	for (size_t i = 0; i < t->n_beats; i++) {
		struct tour_spec spec;
		struct err err;
		size_t beat;
		const char *const where = tour_where(t, i, &arena);
		assert_true(tour_spec_parse(where, &arena, &spec, &err));
		assert_string_equal(spec.name, "order");
		assert_true(tour_spec_beat(&spec, t, false, &beat, &err));
		assert_int_equal(beat, i);
	}
	assert_string_equal(tour_where(t, 2, &arena), "order#2.2");
	assert_null(tour_where(tour_text("title T\nstep A\nsay a\n"), 0, &arena));
}

/* ---- keys at random ------------------------------------------------------------------------------ */

static bool is_for_the_screen(const char *command)
{
	static const char *const words[] = {"quit", "snapshot", "save", "export", "suspend"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(command, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/* What a key or a typed line does; what asks for a screen does nothing. */
static void press(struct rng *rng)
{
	static const char *const typed[] = {
		"reset",	"sentence a b c d", "order reverse", "scheme t5+causal",
		"view compare", "open @agreement",  "tokens chars",  "heads 1",
		"theme dark",	"size 400x300",	    "cursor 3 1",    "nothing",
		"layers 3",	"shuffle",	    "figure next"};
	enum { TYPED = sizeof typed / sizeof *typed };
	struct err err;
	unsigned reactions;
	size_t n = 0;
	while (bindings[n].key)
		n++;
	const size_t at = rng_below(rng, n + TYPED);
	const char *const line = at < n ? bindings[at].command : typed[at - n];
	if (!is_for_the_screen(line))
		app_command(&app, line, &reactions, &err);
	app.request = REQUEST_NONE;
	app.write = NULL;
}

/* Now and then a step, which goes back to the beat where something was changed, and else on. */
static void step(struct rng *rng)
{
	const bool left = tour_left_path(&run, &app), on = rng_below(rng, 2);
	const size_t beat = run.beat, last = run.tour->n_beats - 1;
	const struct scene changed = app.scene;
	const bool moved = (on ? tour_forward : tour_backward)(&run, &app, 1);
	const size_t want = left || !moved ? beat : on ? beat + 1 : beat - 1;
	assert_true(moved || (!left && beat == (on ? last : 0)));
	assert_int_equal(run.beat, want);
	assert_false(tour_left_path(&run, &app));
	if (!left || rng_below(rng, 4) > 0)
		return;
	help_app_run(&app, "undo");
	if (!scene_equal(&changed, &app.scene))
		fail_msg("%s stands where %s would be right", scene_print(&app.scene, &arena),
			 scene_print(&changed, &arena));
}

/* 10,000 keys where all parts run. */
TEST_SAMPLED(whatever_is_typed_the_first_step_leads_back, 1, 8)
{
	struct rng rng;
	rng_init(&rng, 17 + test_part);
	begin(tour_of(names[test_part % NAMES]), 0);
	for (int i = 0; i < 1250; i++) {
		press(&rng);
		if (rng_below(&rng, 8) == 0)
			step(&rng);
		if (rng_below(&rng, 200) == 0)
			tour_show(&run, rng_below(&rng, run.tour->n_beats), &app, 1);
	}
	while (tour_left_path(&run, &app))
		tour_forward(&run, &app, 1);
	assert_false(tour_left_path(&run, &app));
	tour_end(&run, &app);
	assert_string_equal(app.scene.setup.scheme, "alibi");
	assert_string_equal(app.scene.view, "order");
	assert_int_equal(app.scene.row, 2);
	app_release(&app);
}

/* The table of fields says what a tour leaves as somebody set it, and nothing else is left. */
TEST(a_tour_keeps_the_fields_of_the_room)
{
	static const char *const lines[] = {"theme light",  "presenter on",   "size 84mm",
					    "dpi 200",	    "font-size 9",    "font Serif",
					    "caption full", "embed-fonts on", "memory 2G"};
	enum { LINES = sizeof lines / sizeof *lines };
	struct scene room, beat;
	size_t n = 0;
	for (const struct field *f = scene_fields; f->name; f++)
		n += f->of_room;
	assert_int_equal(n, LINES);
	scene_init(&room);
	for (size_t i = 0; i < LINES; i++)
		assert_true(scene_set_line(&room, lines[i], NULL));
	scene_init(&beat);
	tour_keep_room(&beat, &room);
	assert_true(scene_equal(&beat, &room));
	scene_init(&beat);
	assert_true(scene_set_line(&beat, "dpi 96", NULL));
	assert_true(scene_set_line(&room, "scheme alibi", NULL));
	tour_keep_room(&beat, &room);
	assert_true(beat.dpi == 96 && strcmp(beat.setup.scheme, room.setup.scheme) != 0);
	assert_int_equal(beat.theme, room.theme);
}
