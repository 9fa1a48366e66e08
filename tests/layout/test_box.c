/* test_box.c: boxes of text over a screen: help on a word, and looking for a text in it. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "posviz/app/glossary.h"

FIXTURE(help_begin, help_end)

static const struct help_look usual = {.cols = 100, .rows = 30, .tier = TIER_MONO};

/* Keys one by one, a frame drawn after each, as the program does. */
static const struct canvas *press(struct tui *t, const char *const *keys)
{
	const struct canvas *c = NULL;
	for (; *keys; keys++) {
		struct key key = {0};
		snprintf(key.name, sizeof key.name, "%s", *keys);
		if (strlen(*keys) == 1)
			snprintf(key.text, sizeof key.text, "%s", *keys);
		tui_key(t, &key);
		c = help_frame(t, usual);
	}
	return c;
}
#define PRESS(t, ...) press(t, (const char *const[]){__VA_ARGS__, NULL})

static struct tui *open_tui(void)
{
	return help_tui(&help_arena, "t5", "view explore\n", BACKGROUND_DARK);
}

static const char *row(const struct canvas *c, int r)
{
	return help_between(c, r, 0, c->cols);
}

static bool shows(const struct canvas *c, const char *text)
{
	for (int r = 0; r < c->rows; r++)
		if (strstr(row(c, r), text))
			return true;
	return false;
}

/* Cells in reverse inside the box, below its title: what is found, as letters. */
static const char *marked(const struct canvas *c)
{
	char text[64];
	size_t n = 0;
	for (int i = 2 * c->cols; i < (c->rows - 1) * c->cols && n < sizeof text - 1; i++)
		if (c->cells[i].attrs & ATTR_REVERSE && !strstr(row(c, i / c->cols), " Keys "))
			text[n++] = c->cells[i].at[0];
	text[n] = '\0';
	return arena_strdup(&help_arena, text);
}

TEST(a_text_is_found_in_help_while_it_is_typed)
{
	struct tui *const t = open_tui();
	PRESS(t, "?");
	const size_t top = t->scroll;
	const struct canvas *c = PRESS(t, "/", "e", "n", "t", "r", "o", "p", "y");
	assert_true(t->search.typing);
	assert_true(t->scroll > top);
	assert_true(shows(c, "found 1 of "));
	assert_true(strstr(row(c, usual.rows - 1), "/entropy") != NULL);
	assert_true(strncmp(marked(c), "entropy", 7) == 0);
	/* What is erased is looked for no longer. */
	c = PRESS(t, "x");
	assert_true(shows(c, "not found"));
	assert_int_equal(t->scroll, top);
	assert_string_equal(marked(c), "");
	c = PRESS(t, "Backspace");
	assert_true(shows(c, "found 1 of "));
	help_tui_done(t);
}

TEST(n_goes_on_and_round_and_esc_leaves_in_two_steps)
{
	struct tui *const t = open_tui();
	PRESS(t, "?", "/", "s", "o", "f", "t", "m", "a", "x");
	PRESS(t, "Enter");
	assert_false(t->search.typing);
	const size_t n = t->search.n, first = t->search.line;
	assert_true(n > 3);
	size_t last = first;
	for (size_t i = 1; i < n; i++) {
		PRESS(t, "n");
		assert_true(t->search.line > last);
		assert_int_equal(t->search.at, i + 1);
		last = t->search.line;
	}
	PRESS(t, "n");
	assert_int_equal(t->search.line, first);
	PRESS(t, "N");
	assert_int_equal(t->search.line, last);
	assert_true(t->search.line >= t->scroll && t->search.line < t->scroll + 28);
	const struct canvas *c = PRESS(t, "Esc");
	assert_int_equal(t->overlay, OVERLAY_HELP);
	assert_string_equal(marked(c), "");
	PRESS(t, "Esc");
	assert_int_equal(t->overlay, OVERLAY_NONE);
	/* Opened anew nothing is looked for. */
	PRESS(t, "?");
	assert_int_equal(t->search.text[0], 0);
	help_tui_done(t);
}

TEST(esc_while_typing_goes_back_to_where_it_began)
{
	struct tui *const t = open_tui();
	while (t->help_page < 14) /* words, of which there are many */
		PRESS(t, t->overlay == OVERLAY_HELP ? "Tab" : "?");
	PRESS(t, "PgDn");
	const size_t from = t->scroll, page = t->help_page;
	assert_true(from > 0);
	PRESS(t, "/", "O", "S", "C");
	assert_true(t->scroll != from);
	PRESS(t, "Esc");
	assert_int_equal(t->scroll, from);
	assert_int_equal(t->help_page, page);
	assert_int_equal(t->overlay, OVERLAY_HELP);
	/* Keys that elsewhere do something are letters of what is looked for. */
	PRESS(t, "/", "q", "n");
	assert_string_equal(t->search.text, "qn");
	PRESS(t, "Backspace", "Backspace", "Backspace");
	assert_false(t->search.typing);
	help_tui_done(t);
}

/* The first page has the keys that are wanted now and the topics; each key that works everywhere is in one of these. */
TEST(help_is_parted_by_what_one_wants_to_do)
{
	struct tui *const t = open_tui();
	const struct binding *b;
	const struct canvas *c = PRESS(t, "?");
	size_t keys = 0;
	assert_true(shows(c, "why this cell?") && shows(c, "edit the sentence"));
	assert_true(shows(c, "Topics: ") && shows(c, "2 Find a scheme"));
	assert_false(shows(c, "next colour map"));
	for (int i = 0; i < usual.rows; i++) {
		keys = strstr(row(c, i), " Keys ") ? 0 : keys + 1;
		if (strstr(row(c, i), "Topics: "))
			break;
	}
	assert_in_range(keys, 12, 20); /* with headings and blank lines */
	for (size_t i = 0; (b = keymap_row(t->app, i)) != NULL; i++)
		if (*b->context == '\0' && !key_topic_of(b->command))
			fail_msg("%s is in no topic", b->key);
	c = PRESS(t, "7");
	assert_true(shows(c, "next colour map") && shows(c, "Colours and size"));
	assert_false(shows(c, "edit the sentence"));
	c = PRESS(t, "Tab");
	assert_true(shows(c, "Keep a picture or numbers"));
	c = PRESS(t, "Shift-Tab", "1");
	assert_true(shows(c, "Topics: "));
	/* A text is looked for in all of them. */
	c = PRESS(t, "/", "c", "o", "l", "o", "u", "r", " ", "m", "a", "p");
	assert_true(shows(c, "next colour map"));
	help_tui_done(t);
}

/* A key that would be refused is not offered: llama3 is defined with its causal mask. */
TEST(help_offers_nothing_that_is_refused)
{
	static const char *const schemes[] = {"rope", "llama3"};
	for (size_t i = 0; i < 2; i++) {
		struct tui *const t =
			help_tui(&help_arena, schemes[i], "view explore\n", BACKGROUND_DARK);
		if (shows(PRESS(t, "?", "2"), "causal mask on and off") != (i == 0))
			fail_msg("%s", schemes[i]);
		help_tui_done(t);
	}
}

TEST(help_on_a_word_is_a_box_and_of_a_key_a_line)
{
	struct tui *const t = open_tui();
	assert_true(tui_run_line(t, "help buckets"));
	const struct canvas *c = help_frame(t, usual);
	assert_int_equal(t->overlay, OVERLAY_TEXT);
	assert_true(shows(c, "bucket (buckets, relative_attention_num_buckets)"));
	assert_true(shows(c, "parameter buckets"));
	assert_true(shows(c, "of t5: buckets of distances"));
	PRESS(t, "/", "k", "e", "r", "p", "Esc", "Esc");
	assert_int_equal(t->overlay, OVERLAY_NONE);
	assert_true(tui_run_line(t, "help z"));
	assert_int_equal(t->overlay, OVERLAY_NONE);
	assert_string_equal(t->app->message, "z: one pane on the whole screen, and back (zoom)");
	assert_false(tui_run_line(t, "help bukkets"));
	assert_non_null(strstr(t->app->message, "did you mean \"buckets\"?"));
	help_tui_done(t);
}

/* A box has its title and its word at every size, and in ASCII no signs. */
TEST_SAMPLED(help_on_words_can_be_read_at_any_size, 1, 3)
{
	struct tui *const t = open_tui();
	size_t n;
	const struct glossary_entry *const all = glossary_all(&help_arena, &n);
	for (size_t i = test_part; i < n; i += test_parts)
		for (size_t s = i % 2; s < HELP_SCREENS; s += 2) {
			const struct help_look look = {help_screens[s][0], help_screens[s][1],
						       TIER_MONO, i / 2 % 2};
			t->terminal.ascii = look.ascii;
			assert_true(tui_run_line(
				t, arena_printf(&help_arena, "help %s", all[i].names[0])));
			const struct canvas *const c = help_frame(t, look);
			size_t box = 0;
			for (int r = 0; r < c->rows; r++) {
				const char *const text = row(c, r);
				box += strstr(text, " Help ") != NULL;
				if (look.ascii && strchr(text, '\xE2')) /* where signs are */
					fail_msg("%s: %s", all[i].names[0], text);
			}
			if (t->overlay == OVERLAY_TEXT)
				assert_int_equal(box, 1);
			if (!shows(c, arena_printf(&help_arena, "%.8s", all[i].names[0])) &&
			    !look.ascii)
				fail_msg("%s is not on %dx%d", all[i].names[0], look.cols,
					 look.rows);
		}
	help_tui_done(t);
}

/* Whatever help says has letters in ASCII, where signs begin with this byte. */
TEST(every_word_of_help_is_ascii_where_nothing_else_is)
{
	size_t n;
	const struct glossary_entry *const all = glossary_all(&help_arena, &n);
	for (size_t i = 0; i < n; i++) {
		const char *const text = all[i].text;
		const int cols = (int)text_width(text);
		struct canvas *const c = canvas_new(&help_arena, 1, cols, TIER_MONO, true, true);
		canvas_text(c, 0, 0, cols, text, 0);
		if (strchr(row(c, 0), '\xE2'))
			fail_msg("%s: %s", all[i].names[0], row(c, 0));
	}
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* The letters of the rows where an error stands, blanks and ends of lines left out. */
static const char *letters(const struct canvas *c)
{
	char *const out = arena_alloc(&help_arena, (size_t)(c->rows * c->cols) * CELL_BYTES + 1);
	size_t n = 0;
	for (int i = 0; i < c->rows * c->cols; i++)
		if (c->cells[i].attrs & ATTR_BOLD && strcmp(c->cells[i].at, " ") != 0)
			n += strlen(strcpy(out + n, c->cells[i].at));
	out[n] = '\0';
	return out;
}

/* Names that an error is about can be read and copied: it takes the rows above where it is long. */
TEST(an_error_is_whole_where_there_is_room)
{
	static const char name[] = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias."
				   "of_a_long_named_thing.weight";
	struct tui *const t = open_tui();
	const char *const text = arena_printf(
		&help_arena, "params: there is no t5.bias_table (32 x 4) in \"x\"; it has \"%s\"",
		name);
	for (int typed = 0; typed < 2; typed++)
		for (int s = 0; s < HELP_SCREENS; s++) {
			const struct help_look look = {help_screens[s][0], help_screens[s][1],
						       TIER_MONO, false};
			t->mode = MODE_LOOK;
			snprintf(t->app->message, sizeof t->app->message, "%s", text);
			t->app->message_is_error = true;
			if (typed) {
				prompt_open(t, MODE_COMMAND, "params x");
				snprintf(t->prompt.wrong.text, sizeof t->prompt.wrong.text, "%s",
					 text);
				t->app->message[0] = '\0';
			}
			if (!strstr(letters(help_frame(t, look)), name))
				fail_msg("%dx%d: %s", look.cols, look.rows,
					 help_screen(help_frame(t, look)));
		}
	help_tui_done(t);
}
