/* test_graphics.c: pages in the terminal: terminals that answer, are silent, are late or talk rubbish; what
 * they are sent is read back, and nothing they say is ever a key. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_svg.h"
#include "help_pictures.h"
#include "help_tui.h"
#include "posviz/export/export.h"
#include "posviz/format/file.h"

enum { COLS = 100, ROWS = 30, CELL_WIDTH = 9, CELL_HEIGHT = 18 };
#define ATTRIBUTES "\033[?62;22c"

static const struct pty_answers kitty = {.kitty = "\033_Gi=31;OK\033\\",
					 .background = "\033]11;rgb:0000/0000/0000\033\\",
					 .mode = "\033[?2026;2$y",
					 .attributes = ATTRIBUTES};
static const struct pty_answers sixel = {.mode = "\033[?2026;0$y",
					 .colours = "\033[?1;0;1024S",
					 .largest = "\033[?2;0;800;400S",
					 .attributes = "\033[?63;1;2;4;6;9;15;22c"};
static const struct pty_answers plain = {.attributes = ATTRIBUTES}, silent;

static struct arena arena;

static int enter(void **state)
{
	(void)state;
	arena_init(&arena);
	return 0;
}

static int leave(void **state)
{
	arena_release(&arena);
	return tui_teardown(state);
}

FIXTURE(enter, leave)

/* TERM of a terminal that draws pictures is not told from others'. */
static struct pty_look look_of(const struct pty_answers *answers)
{
	return (struct pty_look){.rows = ROWS,
				 .cols = COLS,
				 .width = COLS * CELL_WIDTH,
				 .height = ROWS * CELL_HEIGHT,
				 .answers = answers,
				 .env = {"COLORTERM=truecolor"},
				 .args = {"--scheme", "t5"}};
}

/* The program run by a shell, so that what it prints is all there is. */
static struct pty *run(const struct pty_answers *answers, const char *command, int code)
{
	struct pty_look look = look_of(answers);
	look.shell = command;
	struct pty *const p = tui_start(&look);
	const int got = pty_exit(p);
	if (got != code)
		PTY_FAIL(p, "exit %d", got);
	return p;
}

/* The PNG that `render -o` writes of the same. */
static void render(const char *expression, int width, int height, char **png, size_t *len)
{
	struct err err;
	char command[512];
	const char *const dir = tui_directory(), *const program = getenv("POSVIZ");
	const char *const path = arena_printf(&arena, "%s/x.png", dir);
	snprintf(command, sizeof command, "%s render %s --size %dx%d -o %s --force",
		 program ? program : "build/release/posviz", expression, width, height, path);
	assert_int_equal(system(command), 0);
	assert_true(file_read(path, 1 << 24, &arena, png, len, &err));
}

static void assert_page(const struct pty *p, const char *expression, int width, int height)
{
	struct kitty_picture picture;
	char *png;
	size_t len;
	if (!kitty_read(p->raw, p->raw_len, &arena, &picture))
		PTY_FAIL(p, "there is no picture");
	render(expression, width, height, &png, &len);
	assert_int_equal(picture.size, len);
	assert_memory_equal(picture.file, png, len);
}

struct sent {
	const char *bytes;
};

static bool was_sent(struct pty *p, const void *context)
{
	const struct sent *const sent = context;
	return p->raw && strstr(p->raw, sent->bytes) != NULL;
}

static bool draws(const struct pty *p)
{
	return strstr(p->raw, "\033_Ga=T") || strstr(p->raw, "\033P0;1;0q");
}

/* ---- render ------------------------------------------------------------------------------------ */

/* As wide as the terminal and in the form of a usual page: 900 pixels, 562.5 of which are 32 rows, where
 * there are 28 beside the prompt. */
TEST(render_draws_where_the_terminal_answers)
{
	const struct pty *const p = run(&kitty, "\"$POSVIZ\" render rope", 0);
	assert_page(p, "rope", COLS * CELL_WIDTH, (ROWS - 2) * CELL_HEIGHT);
	assert_true(pty_restored(p));
}

/* The next one is drawn too: it asks when the terminal has drawn the first. */
TEST(render_waits_until_the_picture_is_drawn)
{
	const struct pty *const p = run(&kitty, "\"$POSVIZ\" render rope --size 300x300", 0);
	const char *const picture = strstr(p->raw, "\033_Ga=T");
	assert_non_null(picture);
	assert_non_null(strstr(picture, "\033[c"));
	const struct pty *const forced =
		run(&silent, "\"$POSVIZ\" render rope --size 300x300 --graphics kitty", 0);
	assert_null(strstr(strstr(forced->raw, "\033_Ga=T"), "\033[c"));
}

TEST(render_keeps_the_size_that_was_given)
{
	const struct pty *const p = run(&kitty, "\"$POSVIZ\" render rope --size 600x400", 0);
	struct kitty_picture picture;
	assert_page(p, "rope", 600, 400);
	assert_true(kitty_read(p->raw, p->raw_len, &arena, &picture));
	assert_null(strstr(picture.control, "c="));
}

/* 800 x 400 pixels are all that such sixels may have: 88 columns and 22 rows of 9 x 18. */
TEST(sixels_are_no_larger_than_the_terminal_takes)
{
	const struct pty *const p = run(&sixel, "\"$POSVIZ\" render rope", 0);
	struct image back, page;
	char *png;
	size_t len;
	struct err err;
	assert_true(sixel_read(p->raw, p->raw_len, &arena, &back));
	assert_int_equal(back.width, 88 * CELL_WIDTH);
	assert_int_equal(back.height, 22 * CELL_HEIGHT / 6 * 6);
	render("rope", back.width, back.height, &png, &len);
	assert_true(export_png_read(png, len, &arena, &page, NULL, NULL, &err));
	for (size_t i = 0; i < 3 * (size_t)back.width * (size_t)back.height; i++)
		assert_in_range(back.rgb[i] + 16, page.rgb[i], page.rgb[i] + 32);
}

/* Colours that are too few are asked for, and the answer to that does not reach the shell. */
TEST(sixels_get_their_colours)
{
	struct pty_answers few = sixel;
	few.colours = "\033[?1;0;16S";
	const struct pty *const p = run(&few,
					"\"$POSVIZ\" render rope; sleep 0.1; read -t 0.1 -n 1 x; "
					"echo \"LEFT <$x>\"",
					0);
	assert_non_null(strstr(p->raw, "\033[?1;3;256S"));
	assert_non_null(strstr(p->raw, "LEFT <>"));
	const struct pty *const many = run(&sixel, "\"$POSVIZ\" render rope", 0);
	assert_null(strstr(many->raw, "\033[?1;3;256S"));
}

TEST(cells_are_drawn_where_nothing_else_is)
{
	const struct pty_answers *const without[] = {&plain, &silent};
	for (size_t i = 0; i < 2; i++) {
		const struct pty *const p = run(without[i], "\"$POSVIZ\" render rope 2>&1", 0);
		assert_false(draws(p));
		assert_true(pty_has(p, "Position bias"));
		assert_true(pty_has(p, "Attention weights"));
		assert_null(strstr(p->raw, "posviz:"));
		assert_true(pty_restored(p));
	}
}

/* On the background that the terminal answers; on one that it does not tell, as on a dark one. */
TEST(cells_are_drawn_for_the_background_that_is_answered)
{
	static const struct {
		const char *background, *map;
	} cases[] = {{"\033]11;rgb:ffff/ffff/ffff\033\\", "paper"},
		     {"\033]11;rgb:1a1a/1b1b/2020\033\\", "night"},
		     {NULL, "night"}};
	for (size_t i = 0; i < 3; i++) {
		const struct pty_answers answers = {.background = cases[i].background,
						    .attributes = ATTRIBUTES};
		const struct pty *const p = run(&answers, "\"$POSVIZ\" render t5", 0);
		if (!pty_has(p, cases[i].map))
			PTY_FAIL(p, "not in %s", cases[i].map);
	}
}

/* What is asked for is done without an answer; what cannot be done says so. */
TEST(the_setting_forces)
{
	assert_true(draws(run(&silent, "\"$POSVIZ\" render rope --graphics kitty", 0)));
	assert_true(draws(run(&silent, "\"$POSVIZ\" render rope --graphics sixel", 0)));
	assert_false(draws(run(&kitty, "\"$POSVIZ\" render rope --graphics cells", 0)));
	assert_false(draws(run(&kitty, "\"$POSVIZ\" render rope --color 256", 0)));
	assert_false(draws(run(&kitty, "\"$POSVIZ\" render rope --cells 60x20", 0)));
	const struct pty *p = run(&kitty, "\"$POSVIZ\" render rope --graphics tektronix", 2);
	assert_non_null(strstr(p->raw, "graphics"));
	p = run(&kitty, "\"$POSVIZ\" render rope --graphics kitty -o /tmp/never.png", 2);
	assert_non_null(strstr(p->raw, "--graphics is for a terminal"));
	assert_false(file_exists("/tmp/never.png"));
	p = run(&kitty, "\"$POSVIZ\" render rope -c 'nonsense'", 2);
	assert_true(pty_restored(p));
}

/* Into a pipe nothing has changed, and a format that is named is written anywhere. */
TEST(pipes_get_what_is_named)
{
	const struct pty *p =
		run(&kitty, "\"$POSVIZ\" render rope | cat; exit ${PIPESTATUS[0]}", 2);
	assert_non_null(strstr(p->raw, "give -o FILE"));
	assert_null(strchr(p->raw, '\033'));
	p = run(&silent, "\"$POSVIZ\" render rope --size 300x300 --format kitty | cat", 0);
	assert_page(p, "rope", 300, 300);
	p = run(&silent, "\"$POSVIZ\" render rope --format sixel", 0);
	assert_true(draws(p));
	p = run(&kitty, "\"$POSVIZ\" render rope --format png", 2);
	assert_non_null(strstr(p->raw, "png is not for a terminal"));
}

/* What comes after 50 ms changes nothing any more and is no key for the shell either. */
TEST(a_late_answer_does_not_reach_the_shell)
{
	struct pty_look look = look_of(&silent);
	look.shell = "\"$POSVIZ\" render rope; read -t 0.2 -n 1 x; echo \"LEFT <$x>\"";
	struct pty *const p = tui_start(&look);
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	pty_type(p, "\033_Gi=31;OK\033\\\033[?62;4c");
	PTY_EXPECT(p, pty_wait(p, "LEFT"));
	PTY_EXPECT(p, pty_has(p, "LEFT <>"));
	PTY_EXPECT(p, !draws(p));
}

/* Keys are not shown while an answer may come, and interrupt all the same. */
TEST(interrupting_render_gives_the_terminal_back)
{
	struct pty_look look = look_of(&silent);
	look.shell = "exec \"$POSVIZ\" render rope --view table";
	struct pty *const p = tui_start(&look);
	PTY_EXPECT(p, pty_until(p, was_sent, &(struct sent){"\033[c"}));
	pty_type(p, "\003");
	assert_int_equal(pty_exit(p), 128 + SIGINT);
	assert_true(pty_restored(p));
}

/* ---- tmux -------------------------------------------------------------------------------------- */

/* A tmux that answers one question, and the terminal around it. */
static struct pty_look in_tmux(const char *allows, const struct pty_answers *answers)
{
	const char *const dir = tui_directory();
	const char *const path = arena_printf(&arena, "%s/tmux", dir);
	const char *const script = arena_printf(&arena, "#!/bin/sh\necho %s\n", allows);
	struct err err;
	struct pty_look look = look_of(answers);
	assert_true(file_write(path, script, strlen(script), true, &err));
	assert_int_equal(chmod(path, 0755), 0);
	look.env[1] = "TERM=tmux-256color";
	look.env[2] = "TMUX=/tmp/tmux-0/default,1,0";
	look.env[3] = arena_printf(&arena, "PATH=%s:/usr/bin:/bin", dir);
	return look;
}

/* 28 rows of 100 columns. */
TEST(tmux_gets_cells_that_stand_for_a_picture)
{
	struct pty_look look = in_tmux("1", &kitty);
	look.shell = "\"$POSVIZ\" render rope 2>&1";
	struct pty *const p = tui_start(&look);
	struct kitty_picture picture;
	assert_int_equal(pty_exit(p), 0);
	assert_true(kitty_read(p->raw, p->raw_len, &arena, &picture));
	assert_true(picture.wrapped);
	assert_non_null(strstr(picture.control, "U=1"));
	assert_non_null(strstr(picture.control, "c=100,r=28"));
	assert_int_equal(help_count(p->raw, "\U0010EEEE"), 2800);
	assert_int_equal(help_count(p->raw, "\033_G"), help_count(p->raw, "\033Ptmux;\033\033_G"));
	assert_null(strstr(p->raw, "posviz:"));
}

TEST(tmux_that_lets_nothing_through_is_said)
{
	static const char *const commands[] = {"\"$POSVIZ\" render rope 2>&1",
					       "\"$POSVIZ\" render rope --graphics kitty 2>&1"};
	for (size_t i = 0; i < 2; i++) {
		struct pty_look look = in_tmux("0", &plain);
		look.shell = commands[i];
		struct pty *const p = tui_start(&look);
		assert_int_equal(pty_exit(p), 0);
		assert_false(draws(p));
		assert_null(strstr(p->raw, "_Gi=31"));
		assert_non_null(strstr(p->raw, "tmux lets no pictures through; \"tmux set -g "
					       "allow-passthrough on\" would change that"));
	}
}

/* ---- the page on the screen -------------------------------------------------------------------- */

static struct pty *page(const struct pty_answers *answers, const char *line)
{
	const struct pty_look look = look_of(answers);
	struct pty *const p = tui_ready(&look);
	pty_type(p, "P");
	PTY_EXPECT(p, pty_wait(p, line));
	PTY_EXPECT(p, pty_settle(p));
	return p;
}

/* What `s` would write at that size. */
TEST(the_page_is_the_picture_of_the_scene)
{
	struct pty *const p = page(&kitty, "the page at 900 x 522 pixels");
	struct kitty_picture picture;
	struct image image;
	struct export_text *texts;
	size_t n;
	struct err err;
	PTY_EXPECT(p, pty_has(p, "any key goes back"));
	PTY_EXPECT(p, !pty_has(p, "Position bias"));
	assert_true(kitty_read(p->raw, p->raw_len, &arena, &picture));
	assert_non_null(strstr(picture.control, "c=100,r=29"));
	assert_true(export_png_read(picture.file, picture.size, &arena, &image, &texts, &n, &err));
	assert_int_equal(image.width, COLS * CELL_WIDTH);
	assert_int_equal(image.height, (ROWS - 1) * CELL_HEIGHT);
	/* The scene that it carries makes the same file again. */
	const char *scene = NULL;
	for (size_t i = 0; i < n && !scene; i++)
		scene = strstr(texts[i].keyword, "scene") ? texts[i].text : NULL;
	assert_non_null(scene);
	const char *const dir = tui_directory();
	const char *const png = arena_printf(&arena, "%s/page.png", dir);
	assert_true(file_write(png, picture.file, picture.size, true, &err));
	pty_type(p, "x");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	pty_type(p, arena_printf(&arena, ":open %s\r:save %s/again.png\r", png, dir));
	PTY_EXPECT(p, pty_wait(p, "wrote"));
	char *again;
	size_t len;
	assert_true(file_read(arena_printf(&arena, "%s/again.png", dir), 1 << 24, &arena, &again,
			      &len, &err));
	assert_int_equal(len, picture.size);
	assert_memory_equal(again, picture.file, len);
}

/* Any key, a click too, and it means nothing else; the picture is deleted. */
TEST(any_key_goes_back)
{
	static const char *const keys[] = {"x", "q", "\033OA", "\r", "\t", "P", "\033[<0;5;5M"};
	struct pty *const p = page(&kitty, "the page at");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const size_t before = p->raw_len;
		pty_type(p, keys[i]);
		PTY_EXPECT(p, pty_wait(p, "Position bias"));
		PTY_EXPECT(p, pty_settle(p));
		PTY_EXPECT(p, strstr(p->raw + before, "\033_Ga=d,d=I,i=") != NULL);
		PTY_EXPECT(p, pty_has(p, "4,2 ") || pty_has(p, "? help"));
		pty_type(p, "P");
		PTY_EXPECT(p, pty_wait(p, "the page at"));
		PTY_EXPECT(p, pty_settle(p));
	}
	pty_type(p, "x");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	tui_quit(p);
}

TEST(a_page_of_sixels_stands_in_the_middle)
{
	struct pty *const p = page(&sixel, "the page at 792 x 396 pixels");
	struct image back;
	assert_true(sixel_read(p->raw, p->raw_len, &arena, &back));
	assert_int_equal(back.width, 792);
	assert_non_null(strstr(p->raw, "\0337\033[4;7H\033P0;1;0q"));
	pty_type(p, "x");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	tui_quit(p);
}

TEST(without_pictures_the_page_is_in_cells)
{
	static const struct {
		const struct pty_answers *answers;
		const char *line;
	} cases[] = {{&plain, "in cells: the terminal does not say that it draws pictures"},
		     {&silent, "in cells: the terminal did not answer within 50 ms"}};
	for (size_t i = 0; i < 2; i++) {
		struct pty *const p = page(cases[i].answers, cases[i].line);
		PTY_EXPECT(p, pty_has(p, "Position bias"));
		PTY_EXPECT(p, !pty_has(p, "? help"));
		PTY_EXPECT(p, !draws(p));
		pty_type(p, "q");
		PTY_EXPECT(p, pty_wait(p, "? help"));
		tui_quit(p);
	}
}

/* Typed while the terminal may still answer: what it did not say by then is not waited for. */
TEST(a_page_wanted_at_once_waits_for_no_answer)
{
	const struct pty_look look = look_of(&silent);
	struct pty *const p = tui_start(&look);
	PTY_EXPECT(p, pty_until(p, was_sent, &(struct sent){"\033[c"}));
	pty_type(p, "P");
	PTY_EXPECT(p, pty_wait(p, "in cells: the terminal did not answer within 50 ms"));
	pty_type(p, "x");
	PTY_EXPECT(p, pty_wait(p, "? help"));
	tui_quit(p);
}

/* The page at the new size, and the old one taken away. */
TEST(a_page_follows_the_size_of_the_screen)
{
	struct pty *const p = page(&sixel, "the page at 792 x 396 pixels");
	pty_resize(p, 10, 60); /* pixels are not told any more: cells of 10 x 20 */
	PTY_EXPECT(p, pty_wait(p, "in cells: there is no room"));
	pty_resize(p, 24, 80);
	PTY_EXPECT(p, pty_wait(p, "the page at 800 x 396 pixels"));
	PTY_EXPECT(p, pty_settle(p));
	pty_type(p, "x");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	tui_quit(p);
}

/* Signals and stops take the picture away before they leave the screen. */
TEST(leaving_takes_the_picture_away)
{
	static const int numbers[] = {SIGTERM, SIGSEGV, SIGQUIT};
	for (size_t i = 0; i < 3; i++) {
		struct pty_look look = look_of(&kitty);
		look.env[1] = PTY_OWN_CRASHES;
		struct pty *const p = tui_ready(&look);
		pty_type(p, "P");
		PTY_EXPECT(p, pty_wait(p, "the page at"));
		kill(p->pid, numbers[i]);
		assert_int_equal(pty_exit(p), 128 + numbers[i]);
		PTY_EXPECT(p, pty_restored(p));
		const char *const gone = strstr(p->raw, "\033_Ga=d,d=I"), *const left = strstr(
										  p->raw,
										  "\033[?1049l");
		PTY_EXPECT(p, gone && left && gone < left);
	}
}

TEST(a_stopped_page_comes_back)
{
	const bool yes = true;
	struct pty_look look = look_of(&kitty);
	look.shell =
		"set -m; \"$POSVIZ\" --fresh --scheme t5; echo STOPPED; read x; fg; echo \"LEFT $?\"";
	struct pty *const p = tui_start(&look);
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	PTY_EXPECT(p, tui_has_measured(p));
	pty_type(p, "P");
	PTY_EXPECT(p, pty_wait(p, "the page at"));
	pty_type(p, "\032");
	PTY_EXPECT(p, pty_wait(p, "STOPPED"));
	PTY_EXPECT(p, pty_until(p, tui_canonical, &yes));
	PTY_EXPECT(p, strstr(p->raw, "\033_Ga=d,d=I") != NULL);
	const size_t before = p->raw_len;
	pty_type(p, "\n");
	PTY_EXPECT(p, pty_wait(p, "the page at"));
	PTY_EXPECT(p, strstr(p->raw + before, "\033_Ga=T") != NULL);
	pty_type(p, "x");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	pty_type(p, "q");
	PTY_EXPECT(p, pty_wait(p, "LEFT 0"));
}

/* tmux is asked, and through it the terminal around it, when a page is wanted. */
TEST(a_page_goes_through_tmux)
{
	struct pty_look look = in_tmux("1", &kitty);
	struct pty *p = tui_ready(&look);
	PTY_EXPECT(p, strstr(p->raw, "_Gi=31") == NULL);
	pty_type(p, "P");
	PTY_EXPECT(p, pty_wait(p, "the page at 900 x 522"));
	PTY_EXPECT(p, pty_settle(p));
	assert_int_equal(help_count(p->raw, "\U0010EEEE"), COLS * (ROWS - 1));
	pty_type(p, "x");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	PTY_EXPECT(p, strstr(p->raw, "\033Ptmux;\033\033_Ga=d,d=I") != NULL);
	tui_quit(p);
	tui_teardown(NULL);
	look = in_tmux("0", &plain);
	look.cols = 130;
	p = tui_ready(&look);
	pty_type(p, "P");
	PTY_EXPECT(p, pty_wait(p, "in cells: tmux lets no pictures through"));
	PTY_EXPECT(p, pty_has(p, "\"tmux set -g allow-passthrough on\" would"));
	pty_type(p, "x");
	PTY_EXPECT(p, pty_wait(p, "? help"));
	tui_quit(p);
}

/* ---- what terminals say is no key --------------------------------------------------------------- */

/* Each of its letters is one: [ another scheme, ? help, G the last row, i the projection, c the mask. */
static const char *const said[] = {
	"\033[?62;4;22c",
	"\033_Gi=31;OK\033\\",
	"\033_Gi=31;EINVAL:zero width\033\\",
	"\033]11;rgb:1a1a/1b1b/2020\033\\",
	"\033]11;rgb:ffff/ffff/ffff\a",
	"\033[?2026;2$y",
	"\033[?1;0;256S",
	"\033[?2;0;1000;1000S",
	"\033[4;540;900t",
	"\033[?;;;;;;$$$$c",
	"\033[?99999999999999999999;4c",
};

static void assert_untouched(struct pty *p)
{
	PTY_EXPECT(p, pty_settle(p));
	PTY_EXPECT(p, pty_has(p, "Position bias"));
	PTY_EXPECT(p, pty_has(p, "Bucketed relative bias"));
	PTY_EXPECT(p, pty_has(p, "head 1 of 4"));
	PTY_EXPECT(p, !pty_has(p, "causal"));
	PTY_EXPECT(p, !pty_has(p, "does nothing here"));
}

TEST(late_answers_are_no_keys)
{
	const struct pty_look look = look_of(&silent);
	struct pty *const p = tui_ready(&look);
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		pty_type(p, said[i]);
	assert_untouched(p);
	tui_quit(p);
}

/* Byte by byte, as slow lines bring them, and cut: what follows a cut one is a key again. */
TEST(answers_in_pieces_are_no_keys)
{
	const struct pty_look look = look_of(&silent);
	struct pty *const p = tui_ready(&look);
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		for (size_t k = strcspn(said[i] + 1, "[]_") + 4; k < strlen(said[i]); k++) {
			pty_push(p, k == 4 ? said[i] : said[i] + k, k == 4 ? 5 : 1);
			pty_pump(p, 0);
		}
	assert_untouched(p);
	tui_quit(p);
}

/* A megabyte that no end follows: ^C is heard. */
TEST(an_endless_answer_does_not_hold_the_program)
{
	static char rubbish[1 << 16];
	const struct pty_look look = look_of(&silent);
	struct pty *const p = tui_ready(&look);
	memset(rubbish, '1', sizeof rubbish);
	memcpy(rubbish, "\033_G", 3);
	for (size_t at = 0; at < sizeof rubbish;) {
		at += pty_push(p, rubbish + at, sizeof rubbish - at);
		pty_pump(p, 1);
	}
	pty_type(p, "\003");
	assert_int_equal(pty_exit(p), 0);
	assert_true(pty_restored(p));
}

/* ---- whole frames ------------------------------------------------------------------------------- */

/* Every beginning has its end before the next one, and nothing else is sent between frames. */
static void assert_frames(const struct pty *p, bool any)
{
	static const char begin[] = "\033[?2026h", end[] = "\033[?2026l";
	const size_t begun = help_count(p->raw, begin), ended = help_count(p->raw, end);
	assert_int_equal(begun, ended);
	assert_int_equal(begun > 0, any);
	const char *at = p->raw;
	for (size_t i = 0; i < begun; i++) {
		const char *const from = strstr(at, begin), *const to = strstr(at, end);
		assert_true(from && to && from < to);
		at = to + 1;
	}
}

TEST(frames_are_kept_back_where_the_terminal_can)
{
	static const struct {
		const struct pty_answers *answers;
		bool any;
	} cases[] = {{&kitty, true}, {&sixel, false}, {&silent, false}};
	for (size_t i = 0; i < 3; i++) {
		const struct pty_look look = look_of(cases[i].answers);
		struct pty *const p = tui_ready(&look);
		pty_type(p, "jjll");
		PTY_EXPECT(p, pty_settle(p));
		tui_quit(p);
		assert_frames(p, cases[i].any);
	}
}

/* ---- a real terminal ----------------------------------------------------------------------------- */

/* xterm as a VT340 on a screen of its own, of which a picture is taken; its page is looked for in it. */
static const char xterm[] =
	"for n in $(seq 90 140); do [ -e /tmp/.X$n-lock ] || break; done\n"
	"Xvfb :$n -screen 0 1400x1000x24 >/dev/null 2>&1 & x=$!\n"
	"export DISPLAY=:$n POSVIZ\n"
	"for i in $(seq 100); do xwininfo -root >/dev/null 2>&1 && break; sleep 0.1; done\n"
	"xterm -ti vt340 -fn fixed -geometry 130x60 -e sh -c '\"$POSVIZ\" render rope --size 700x500; "
	"touch drawn; sleep 100' >/dev/null 2>&1 & t=$!\n"
	"for i in $(seq 200); do [ -e drawn ] && break; sleep 0.1; done; sleep 1\n"
	"import -window root screen.png\n"
	"kill $t $x\n";

/* How many pixels of the page are found on the screen when its corner is put at (left, top). */
static size_t found_at(const struct image *screen, const struct image *page, int left, int top)
{
	enum { STEP = 3 }; /* in 255: a hundredth, rounded twice */
	size_t n = 0;
	for (int y = 0; y < page->height; y++)
		for (int x = 0; x < page->width; x++) {
			const uint8_t *const a =
				screen->rgb + 3 * ((size_t)(y + top) * (size_t)screen->width +
						   (size_t)(x + left));
			const uint8_t *const b =
				page->rgb + 3 * ((size_t)y * (size_t)page->width + (size_t)x);
			n += abs(a[0] - b[0]) <= STEP && abs(a[1] - b[1]) <= STEP &&
			     abs(a[2] - b[2]) <= STEP;
		}
	return n;
}

/* Letters have edges of more shades than there are colours; nine pixels in ten are what they were, and none
 * of that is blank paper alone: half of the page is not. */
TEST_THAT_LASTS(a_page_is_seen_in_xterm, 1)
{
	if (system("command -v xterm Xvfb import xwininfo >/dev/null") != 0) {
		print_message("no xterm, Xvfb or ImageMagick here (make long-deps)\n");
		skip();
	}
	char here[4096], *png;
	struct image screen, page;
	struct err err;
	size_t len, best = 0;
	assert_non_null(getcwd(here, sizeof here));
	const char *const dir = tui_directory();
	assert_int_equal(chdir(dir), 0);
	const int code = system(xterm);
	assert_int_equal(chdir(here), 0);
	assert_int_equal(code, 0);
	assert_true(file_read(arena_printf(&arena, "%s/screen.png", dir), 1 << 24, &arena, &png,
			      &len, &err));
	assert_true(export_png_read(png, len, &arena, &screen, NULL, NULL, &err));
	render("rope", 700, 500, &png, &len);
	assert_true(export_png_read(png, len, &arena, &page, NULL, NULL, &err));
	for (int top = 0; top < 8; top++)
		for (int left = 0; left < 8; left++) {
			const size_t n = found_at(&screen, &page, left, top);
			best = n > best ? n : best;
		}
	print_message("%zu of %d pixels\n", best, page.width * page.height);
	assert_true(best * 10 > (size_t)page.width * (size_t)page.height * 9);
}

/* ---- doctor ------------------------------------------------------------------------------------- */

TEST(doctor_says_what_the_terminal_draws)
{
	const struct pty *p = run(&kitty, "\"$POSVIZ\" doctor", 0);
	assert_non_null(strstr(p->raw, "by kitty's protocol"));
	assert_non_null(strstr(p->raw, "9 x 18 pixels"));
	assert_non_null(strstr(p->raw, "kept back until their end"));
	p = run(&sixel, "\"$POSVIZ\" doctor", 0);
	assert_non_null(strstr(p->raw, "drawn, in 1024 colours"));
	assert_non_null(strstr(p->raw, "as sixels"));
	p = run(&silent, "\"$POSVIZ\" doctor", 0);
	assert_non_null(strstr(p->raw, "the terminal did not answer within 50 ms"));
	p = run(&silent, "\"$POSVIZ\" doctor --graphics sixel | cat", 0);
	assert_null(strchr(p->raw, '\033'));
}
