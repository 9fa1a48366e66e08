/* test_recorder.c: sessions are kept as tours: what is read back has the scenes that were there, exactly; undo takes a
 * step back; the file is whole at any time and nobody else's. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "posviz/base/rng.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"
#include "posviz/tour/recorder.h"
#include "posviz/tour/tour.h"

struct session {
	struct app app;
	struct recorder *recorder;
	struct picture picture;
	struct scene drawn;
	struct arena pictures;
};
static struct session *now;

static int open_session(void **state)
{
	struct err err = {""};
	open_folder(state);
	now = arena_calloc(&arena, 1, sizeof *now);
	app_init(&now->app);
	now->app.background = true;
	arena_init(&now->pictures);
	if (!recorder_new("lesson.tour", false, &now->recorder, &err))
		fail_msg("%s", err.text);
	return 0;
}

static int close_session(void **state)
{
	recorder_free(now->recorder);
	app_release(&now->app);
	arena_release(&now->pictures);
	return close_folder(state);
}

FIXTURE(open_session, close_session)

/* Why there can be no picture; NULL: there can. */
static const char *trouble(const struct scene *s)
{
	struct built *const b = arena_calloc(&now->pictures, 1, sizeof *b);
	struct err err = {""};
	if (setup_build(&s->setup, &now->pictures, b, &err) && view_fits(s, b, &err))
		return NULL;
	return arena_strdup(&now->pictures, err.text);
}

/* What the terminal program does when the picture is there. */
static void draw(void)
{
	struct app *const app = &now->app;
	struct err err = {""};
	now->drawn = app->scene;
	memset(&now->picture, 0, sizeof now->picture);
	if (!setup_build(&app->scene.setup, &now->pictures, &now->picture.built, &err) ||
	    !picture_compute(&app->scene, NULL, NULL, &now->pictures, &now->picture, &err) ||
	    !picture_redraw(&app->scene, NULL, false, BACKGROUND_DARK, &now->pictures,
			    &now->picture, &err))
		fail_msg("%s", err.text);
	app->shown = (struct shown){.rows = now->picture.trace.query.n,
				    .cols = now->picture.trace.key.n,
				    .layers = now->picture.trace.n_layers,
				    .panes = now->picture.figure.n,
				    .scene = &now->drawn,
				    .picture = &now->picture};
}

static void look(void)
{
	struct err err = {""};
	if (!recorder_look(now->recorder, &now->app, now->app.n_undo, trouble(&now->app.scene),
			   &err))
		fail_msg("%s", err.text);
}

static void run(const char *line)
{
	help_app_run(&now->app, line);
	look();
}

static void run_drawn(const char *line)
{
	help_app_run(&now->app, line);
	draw();
	look();
}

/* The file as it is now, read to that depth. */
static struct tour read_back(enum tour_depth depth)
{
	struct tour t;
	struct tour_report report = {.arena = &arena};
	struct err err = {""};
	if (!tour_open("lesson.tour", depth, NULL, NULL, &arena, &t, &report, &err))
		fail_msg("%s\n%s", err.text, recorder_text(now->recorder, &arena));
	assert_int_equal(report.warnings, 0);
	assert_int_equal(t.n_steps, recorder_steps(now->recorder));
	for (size_t i = 0; i < t.n_steps; i++)
		if (!scene_equal(&t.beats[i].scene, recorder_scene(now->recorder, i)))
			fail_msg("step %zu is\n%snot\n%s", i + 1,
				 scene_print(&t.beats[i].scene, &arena),
				 scene_print(recorder_scene(now->recorder, i), &arena));
	return t;
}

static bool has_line(const char *text, const char *line)
{
	const char *const at = strstr(text, arena_printf(&arena, "\n%s\n", line));
	return at != NULL;
}

TEST(a_session_becomes_a_tour_of_short_commands)
{
	draw();
	look();
	run_drawn("scheme rope");
	run_drawn("order reverse");
	run_drawn("view order");
	const char *const text = recorder_text(now->recorder, &arena);
	assert_true(has_line(text, "title lesson"));
	assert_true(has_line(text, "step Beginning"));
	assert_true(has_line(text, "step scheme rope\nscheme rope\nfocus bias\n"
				   "say Write here what there is to see."));
	assert_true(has_line(text, "step order reverse\norder reverse"));
	assert_true(has_line(text, "view order"));
	const struct tour t = read_back(TOUR_SCENES);
	assert_int_equal(t.n_steps, 4);
	assert_string_equal(t.steps[3].title, "view order");
	assert_string_equal(t.beats[1].focus, "bias");
}

TEST(what_goes_back_to_its_default_says_so)
{
	look();
	run("order reverse");
	run("order identity");
	assert_true(file_write("words.txt", "a b c", 5, true, &(struct err){""}));
	run("file words.txt");
	run("sentence to be or not to be");
	const char *const text = recorder_text(now->recorder, &arena);
	assert_true(has_line(text, "order identity"));
	assert_true(has_line(text, "sentence to be or not to be"));
	assert_non_null(strstr(text, "\nfile /")); /* absolute */
	read_back(TOUR_LINES);
	assert_int_equal(unlink("words.txt"), 0);
}

/* A tour that says nothing of its tokens is one of earlier versions, which cut words otherwise. */
TEST(words_are_read_back_as_they_were)
{
	look();
	run("scheme rope");
	assert_null(strstr(recorder_text(now->recorder, &arena), "tokens"));
	run("sentence the U.S. won 3.14");
	assert_non_null(
		strstr(recorder_text(now->recorder, &arena), "title lesson\ntokens words\n\n"));
	run("tokens plain-words");
	run("sentence dog bites man");
	run("tokens words");
	run("sentence it is 3.14");
	const struct tour t = read_back(TOUR_SCENES);
	assert_int_equal(t.beats[2].scene.setup.tokens, TOKENS_WORDS);
	assert_int_equal(t.beats[3].scene.setup.tokens, TOKENS_PLAIN_WORDS);
}

TEST(steps_of_one_parameter_are_one)
{
	look();
	run("heads next");
	run("heads next");
	run("heads next");
	assert_int_equal(recorder_steps(now->recorder), 2);
	run("view next");
	run("view next");
	assert_int_equal(recorder_steps(now->recorder), 3);
	read_back(TOUR_LINES);
}

TEST(undo_takes_the_step_with_it_and_redo_brings_it)
{
	look();
	run("scheme rope");
	run("heads 2");
	run("undo");
	assert_int_equal(recorder_steps(now->recorder), 2);
	run("redo");
	assert_int_equal(recorder_steps(now->recorder), 3);
	run("undo");
	run("undo");
	assert_int_equal(recorder_steps(now->recorder), 1);
	assert_true(scene_equal(recorder_scene(now->recorder, 0), &now->app.scene));
	run("scheme alibi");
	assert_int_equal(recorder_steps(now->recorder), 2);
	read_back(TOUR_LINES);
}

/* What was there before it began is no step of it. */
TEST(undo_before_the_first_step_is_a_step)
{
	help_app_run(&now->app, "scheme rope");
	look();
	run("undo");
	assert_int_equal(recorder_steps(now->recorder), 2);
	run("heads 2");
	read_back(TOUR_LINES);
	assert_int_equal(recorder_steps(now->recorder), 3);
}

/* A change and the change back are two, and not one undone. */
TEST(the_same_scene_again_is_another_step)
{
	look();
	run("causal");
	run("causal");
	assert_int_equal(recorder_steps(now->recorder), 3);
	read_back(TOUR_LINES);
}

TEST(a_cell_is_pointed_out_where_the_cursor_was_moved)
{
	help_app_run(&now->app, "sentence the dog bites the man");
	help_app_run(&now->app, "cursor 2 2");
	draw();
	look();
	assert_null(strstr(recorder_text(now->recorder, &arena), "highlight"));
	help_app_run(&now->app, "cursor 2 4");
	look();
	assert_int_equal(recorder_steps(now->recorder), 1);
	run_drawn("scheme rope");
	const char *const text = recorder_text(now->recorder, &arena);
	assert_true(has_line(text, "highlight cell 'dog'→'the'#2"));
	const struct tour t = read_back(TOUR_SCENES);
	assert_int_equal(t.beats[0].n_marks, 1);
	assert_int_equal(t.beats[1].n_marks, 0);
	assert_int_equal(t.beats[0].scene.row, 0);
}

/* The cell is what the view is of. */
TEST(a_view_of_a_cell_has_it_in_its_scene)
{
	draw();
	look();
	help_app_run(&now->app, "cursor 5 2");
	look();
	run_drawn("why");
	help_app_run(&now->app, "cursor 4 4");
	look();
	help_app_run(&now->app, "cursor 5 2");
	look();
	run_drawn("heads 2");
	assert_int_equal(recorder_steps(now->recorder), 3);
	const struct tour t = read_back(TOUR_SCENES);
	assert_string_equal(t.steps[1].title, "view why");
	assert_int_equal(t.beats[1].scene.row, 5);
	assert_int_equal(t.beats[1].scene.col, 2);
}

TEST(a_scene_that_cannot_be_computed_is_refused_in_the_tour)
{
	struct err err = {""};
	look();
	run("scheme learned");
	help_app_run(&now->app, "t-max 3");
	/* Nobody knows yet; and what was said. */
	assert_true(recorder_look(now->recorder, &now->app, now->app.n_undo, "", &err));
	help_app_run(&now->app, "t-max 2");
	assert_true(
		recorder_look(now->recorder, &now->app, now->app.n_undo, "needs number 3", &err));
	const struct tour t = read_back(TOUR_SCENES);
	assert_non_null(t.beats[t.n_beats - 1].refused);
	assert_int_equal(t.n_beats, 4);
	assert_non_null(strstr(t.beats[2].refused, "t-max"));
	assert_string_equal(t.beats[3].refused, "needs number 3");
}

/* ---- any session ------------------------------------------------------------------------------------- */

static const char *const pool[] = {
	"scheme rope",
	"scheme alibi+causal",
	"scheme t5",
	"scheme shaw",
	"scheme shaw(k=4)+causal",
	"pick next",
	"pick prev",
	"pick alibi",
	"add window",
	"remove",
	"causal",
	"param-step +1",
	"param-step -1",
	"reset-param",
	"heads 2",
	"heads next",
	"layers 3",
	"layer next",
	"head next",
	"head mean",
	"layer mean",
	"d-model 16",
	"t-max 64",
	"sentence a b c d e",
	"sentence \"  two  blanks \\\\ and a \\\" quote  \"",
	"sentence 東京 the the é",
	"sentence next",
	"tokens chars",
	"tokens words",
	"special cls,sep",
	"special none",
	"governors 2 3 0 3 3",
	"tree (S (NP (D the) (N dog)) (VP (V ran)))",
	"tree-units nodes",
	"graph 1 2; 2 3; 3 1",
	"order reverse",
	"order shuffle:7",
	"move 1 3",
	"swap 1 2",
	"shuffle",
	"reverse",
	"restore",
	"view next",
	"view explore",
	"view terms",
	"view compare",
	"view table",
	"view heads",
	"view figures",
	"pin",
	"unpin all",
	"compare rope; alibi",
	"compare @ to be or not",
	"compare none",
	"front 2",
	"pair next",
	"matrix next",
	"probe next",
	"scale next",
	"colormap next",
	"curve-scale next",
	"theme next",
	"grid next",
	"lock",
	"lock off",
	"terms-off none",
	"reach next",
	"sweep base=100,1000",
	"sweep none",
	"heads-of next",
	"figure next",
	"presenter",
	"for slide",
	"size 8cm",
	"caption next",
	"sort year",
	"filter rel",
	"cursor down",
	"cursor 2 1",
	"cursor off",
	"why",
	"clocks",
	"undo",
	"undo",
	"redo",
	"reset",
};
enum { POOL = sizeof pool / sizeof *pool, SESSIONS = 12, COMMANDS = 90 };

TEST_SAMPLED(any_session_is_read_back_as_it_was, 2, SESSIONS)
{
	struct rng rng;
	rng_init(&rng, 1700 + test_part);
	look();
	for (size_t i = 0; i < COMMANDS && recorder_steps(now->recorder) < 190; i++) {
		struct err err = {""};
		unsigned reactions;
		const char *const line = pool[(size_t)(rng_uniform(&rng) * POOL)];
		if (app_command(&now->app, line, &reactions, &err))
			look();
		arena_clear(&now->pictures);
		struct scene last =
			*recorder_scene(now->recorder, recorder_steps(now->recorder) - 1);
		last.row = now->app.scene.row;
		last.col = now->app.scene.col;
		assert_true(scene_equal(&last, &now->app.scene));
	}
	assert_true(recorder_steps(now->recorder) > 20);
	read_back(TOUR_LINES);
}

/* Commands after which a cell, a head or an order of before may be none any more. */
static const char *const shrinking[] = {"sentence a",	   "sentence a b c d e f g h",
					"view compare",	   "view rank",
					"view map",	   "view table",
					"cursor 6 6",	   "cursor down",
					"row 5",	   "col 2",
					"heads 8",	   "head 8",
					"layers 1",	   "layer 2",
					"memory-tokens 1", "order reverse",
					"special bos",	   "view why",
					"view order"};
enum { SHRINKING = sizeof shrinking / sizeof *shrinking, CHECKED = 30, SHORT = 14 };

/* As the terminal program does when the answer is there: the cursor stands in the picture; of what cannot be drawn the
 * last picture stays, and why is known. */
static void wait_and_look(void)
{
	struct app *const app = &now->app;
	struct scene still = app->scene;
	struct err err = {""};
	still.row = still.col = 0;
	const char *const refused = trouble(&still);
	if (!refused) {
		draw();
		view_settle_cell(&app->scene, now->picture.trace.query.n, now->picture.trace.key.n);
		now->drawn = app->scene;
	}
	if (!recorder_look(now->recorder, app, app->n_undo, refused, &err))
		fail_msg("%s", err.text);
}

/* The answer has not come yet. */
static void look_before_it_comes(void)
{
	struct err err = {""};
	if (!recorder_look(now->recorder, &now->app, now->app.n_undo, "", &err))
		fail_msg("%s", err.text);
}

/* Views that go through every scheme for each picture, for seconds; and what leads to any view. */
static bool measures_all(const char *line)
{
	return strcmp(line, "view table") == 0 || strcmp(line, "view next") == 0;
}

/* What posviz tour --check says of a recording, whatever was done in it: that it is right. Some pictures were waited
 * for, others not. */
TEST_SAMPLED(any_recording_passes_its_own_check, 3, CHECKED)
{
	struct rng rng;
	rng_init(&rng, 5200 + test_part);
	struct err err = {""};
	wait_and_look();
	for (size_t i = 0; i < SHORT; i++) {
		unsigned reactions;
		const char *const line = rng_uniform(&rng) < 0.5
						 ? pool[rng_below(&rng, POOL)]
						 : shrinking[rng_below(&rng, SHRINKING)];
		if (measures_all(line) || !app_command(&now->app, line, &reactions, &err))
			continue;
		if (rng_uniform(&rng) < 0.7)
			wait_and_look();
		else
			look_before_it_comes();
	}
	assert_true(recorder_write(now->recorder, &err)); /* the end, with the cell moved last */
	read_back(TOUR_SCENES);
}

/* The cell of Compare, in Rank no cell of the scene, is none of a sentence of one word. */
TEST(a_sentence_that_shrinks_takes_the_cell_with_it)
{
	draw();
	look();
	help_app_run(&now->app, "cursor 6 2");
	run_drawn("view compare");
	run_drawn("heads 2");
	run_drawn("view rank");
	help_app_run(&now->app, "sentence a");
	wait_and_look();
	help_app_run(&now->app, "view compare");
	look_before_it_comes();
	const struct tour t = read_back(TOUR_SCENES);
	assert_int_equal(t.n_steps, 6);
	assert_int_equal(t.beats[2].scene.row, 6);
	for (size_t i = 4; i < 6; i++) {
		assert_int_equal(t.beats[i].scene.row, 1);
		assert_int_equal(t.beats[i].scene.col, 1);
		assert_null(t.beats[i].refused);
	}
}

/* A title is a line of the tour, whatever the file is called. */
TEST(names_of_blanks_make_titles)
{
	static const char *const names[] = {" .tour",	"\t .tour",   "# x.tour",
					    " a .tour", "title.tour", "\x01.tour"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tour_report report = {.arena = &arena};
		struct err err = {""};
		struct recorder *r;
		struct tour t;
		if (!recorder_new(names[i], false, &r, &err) ||
		    !recorder_look(r, &now->app, now->app.n_undo, NULL, &err) ||
		    !tour_open(names[i], TOUR_SCENES, NULL, NULL, &arena, &t, &report, &err))
			fail_msg("\"%s\": %s", names[i], err.text);
		assert_true(*t.title);
		recorder_free(r);
		unlink(names[i]);
	}
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static void refuse(const char *path, bool over, const char *part)
{
	struct recorder *r = NULL;
	struct err err = {""};
	assert_false(recorder_new(path, over, &r, &err));
	if (!text_contains(err.text, part))
		fail_msg("%s", err.text);
}

TEST(a_file_that_is_there_stays_unless_it_may_go)
{
	struct err err = {""};
	struct recorder *r;
	char *data;
	size_t len;
	assert_true(file_write("mine.tour", "mine", 4, false, &err));
	refuse("mine.tour", false, "exists already");
	assert_true(recorder_new("mine.tour", true, &r, &err));
	assert_true(file_read("mine.tour", 100, &arena, &data, &len, &err));
	assert_string_equal(data, "mine"); /* nothing yet */
	assert_true(recorder_look(r, &now->app, now->app.n_undo, NULL, &err));
	assert_true(file_read("mine.tour", 10000, &arena, &data, &len, &err));
	assert_non_null(strstr(data, "title mine\n"));
	recorder_free(r);
}

/* It begins with no history of its own; what was done before it is still there to be taken back. */
TEST(a_tour_that_begins_takes_no_step_away)
{
	struct err err = {""};
	look();
	run("scheme alibi");
	run("scheme t5");
	assert_int_equal(recorder_steps(now->recorder), 3);
	const size_t before = now->app.n_undo;
	now->app.n_undo = 0;
	help_app_run(&now->app, "scheme shaw");
	assert_true(recorder_look(now->recorder, &now->app, before + now->app.n_undo, NULL, &err));
	assert_int_equal(recorder_steps(now->recorder), 4);
}

TEST(names_that_are_no_tour_are_refused)
{
	refuse("x.txt", false, "FILE.tour would be right");
	refuse(".tour", false, "FILE.tour would be right");
	refuse("nowhere/x.tour", false, "its directory does not exist");
	assert_int_equal(mkdir("dir.tour", 0700), 0);
	refuse("dir.tour", true, "exists already");
	assert_int_equal(rmdir("dir.tour"), 0);
}

static const char *content(const char *path)
{
	struct err err = {""};
	char *data;
	size_t len;
	if (!file_read(path, 1 << 20, &arena, &data, &len, &err))
		fail_msg("%s", err.text);
	return data;
}

/* A step that is not written where others write, but beside it. */
static void expect_beside(const char *command, const char *beside)
{
	struct err err = {""};
	help_app_run(&now->app, command);
	assert_false(recorder_look(now->recorder, &now->app, now->app.n_undo, NULL, &err));
	if (!strstr(err.text, "\"lesson.tour\" was changed by somebody else and stays as it is") ||
	    !strstr(err.text, beside))
		fail_msg("%s", err.text);
	assert_non_null(strstr(recorder_path(now->recorder), beside));
	assert_non_null(strstr(content(beside), command));
}

/* Before the first step, and between two of them, by somebody who edits it. */
TEST(what_another_wrote_meanwhile_is_not_overwritten)
{
	struct err err = {""};
	assert_true(file_write("lesson.tour", "mine", 4, false, &err));
	expect_beside("heads 2", "lesson-2.tour");
	assert_string_equal(content("lesson.tour"), "mine");
	/* It goes on there, without a word. */
	run("scheme alibi");
	assert_non_null(strstr(content("lesson-2.tour"), "scheme alibi"));
}

TEST(what_another_edits_meanwhile_is_not_overwritten)
{
	struct err err = {""};
	look();
	run("scheme alibi");
	const char *const edited = arena_printf(&arena, "%s# edited\n", content("lesson.tour"));
	assert_true(file_write("lesson.tour", edited, strlen(edited), true, &err));
	assert_true(file_write("lesson-2.tour", "also mine", 9, false, &err));
	expect_beside("heads 2", "lesson-3.tour");
	assert_string_equal(content("lesson.tour"), edited);
	assert_string_equal(content("lesson-2.tour"), "also mine");
	/* The last words of the recording are its own as well. */
	run("heads 8");
	assert_true(recorder_write(now->recorder, &err));
	assert_string_equal(content("lesson.tour"), edited);
}

/* What a link that was put in its place leads to is somebody else's, whatever stands in it. */
TEST(a_link_in_its_place_is_not_followed)
{
	for (int same = 0; same < 2; same++) {
		struct err err = {""};
		struct stat st;
		unlink("lesson.tour");
		recorder_free(now->recorder);
		assert_true(recorder_new("lesson.tour", false, &now->recorder, &err));
		look();
		if (same)
			assert_int_equal(rename("lesson.tour", "target"), 0);
		else
			assert_true(file_write("target", "mine", 4, true, &err));
		const char *const before = content("target");
		unlink("lesson.tour");
		assert_int_equal(symlink("target", "lesson.tour"), 0);
		expect_beside("heads 2", same ? "lesson-3.tour" : "lesson-2.tour");
		assert_string_equal(content("target"), before);
		assert_true(lstat("lesson.tour", &st) == 0 && S_ISLNK(st.st_mode));
		help_app_run(&now->app, "heads 4");
	}
}

/* What was removed is written again: nothing of anybody's is lost by it. */
TEST(a_recording_that_was_removed_is_written_again)
{
	look();
	assert_int_equal(unlink("lesson.tour"), 0);
	run("scheme alibi");
	assert_non_null(strstr(content("lesson.tour"), "scheme alibi"));
}

TEST(the_recording_can_be_read_after_each_step)
{
	static const char *const lines[] = {"scheme rope", "view terms", "heads 8", "undo"};
	look();
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		run(lines[i]);
		read_back(TOUR_LINES);
	}
}
