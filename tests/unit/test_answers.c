/* test_answers.c: what terminals answer, whole, cut, too long and hostile: what is said of them, and that
 * none of their bytes is a key. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "posviz/tui/answers.h"
#include "posviz/tui/graphics.h"

/* Feeds the bytes; how many belonged to no answer. */
static size_t hear(const char *bytes, size_t len, struct answers *out)
{
	struct answer_bytes a = {0};
	size_t keys = 0;
	*out = (struct answers){0};
	for (size_t i = 0; i < len; i++)
		keys += !answers_take(&a, (unsigned char)bytes[i], out);
	return keys;
}

/* As terminals answer; the numbers are those of xterm 379, kitty 0.26 and foot 1.13. */
TEST(answers_say_what_the_terminal_can)
{
	static const struct {
		const char *bytes;
		struct answers said;
	} cases[] = {
		{"\033[?63;1;2;4;6;9;15;16;22;28c", {.attributes = true, .sixel = true}},
		{"\033[?62;c", {.attributes = true}},
		{"\033[?1;2c", {.attributes = true}},
		{"\033[?62;14;44c", {.attributes = true}},
		{"\033[?4c", {.attributes = true}}, /* a VT132: the first is no attribute */
		{"\033[?2026;2$y", {.synchronized = true}},
		{"\033[?2026;1$y", {.synchronized = true}},
		{"\033[?2026;0$y", {0}},
		{"\033[?2026;4$y", {0}},
		{"\033[?2027;2$y", {0}},
		{"\033[?1;0;1024S", {.registers = 1024}},
		{"\033[?1;3;1024S", {0}},
		{"\033[?2;0;1000;850S", {.sixel_width = 1000, .sixel_height = 850}},
		{"\033[?2;0;0;0S", {0}},
		{"\033[4;680;960t", {.height = 680, .width = 960}},
		{"\033[8;40;120t", {0}},
		{"\033_Gi=31;OK\033\\", {.kitty = true}},
		{"\033_Gi=31;EINVAL:bad\033\\", {0}},
		{"\033_Gi=32;OK\033\\", {0}},
		{"\033]11;rgb:1a1a/1b1b/2020\033\\", {.background = BACKGROUND_DARK}},
		{"\033]11;rgb:f/f/f\a", {.background = BACKGROUND_LIGHT}},
		{"\033]11;nobody knows\033\\", {0}},
		{"\033]10;rgb:f/f/f\a", {0}},
		{"\033P>|kitty(0.26.5)\033\\", {0}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct answers said;
		assert_int_equal(hear(cases[i].bytes, strlen(cases[i].bytes), &said), 0);
		if (memcmp(&said, &cases[i].said, sizeof said) != 0)
			fail_msg("%s", cases[i].bytes + 1);
	}
}

/* Every part of one says nothing, and is no key as long as no other key cuts it. */
TEST(a_part_of_an_answer_says_nothing)
{
	static const char *const whole[] = {"\033[?62;4c", "\033_Gi=31;OK\033\\",
					    "\033]11;rgb:f/f/f\a", "\033[?2026;2$y"};
	static const struct answers nothing;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		for (size_t n = 1; n < strlen(whole[i]); n++) {
			struct answers said;
			assert_int_equal(hear(whole[i], n, &said), 0);
			assert_memory_equal(&said, &nothing, sizeof said);
		}
}

TEST(a_key_between_two_answers_is_a_key)
{
	struct answers said;
	static const char bytes[] = "\033[?62;4cj\033_Gi=31;OK\033\\q";
	assert_int_equal(hear(bytes, sizeof bytes - 1, &said), 2);
	assert_true(said.sixel && said.kitty);
}

/* ^C has to end the program, whatever the terminal began. */
TEST(a_control_character_cuts_an_answer)
{
	static const char *const open[] = {"\033]11;rgb:", "\033_Gi=31", "\033[?62;"};
	for (size_t i = 0; i < 3; i++) {
		char bytes[40];
		struct answers said;
		snprintf(bytes, sizeof bytes, "%s\003j", open[i]);
		assert_int_equal(hear(bytes, strlen(bytes), &said), 2);
	}
}

/* Megabytes without an end are swallowed for so long, and say nothing. */
TEST(an_answer_without_end_ends)
{
	enum { MUCH = 3 * ANSWER_MOST };
	static char bytes[MUCH + 8];
	static const struct answers nothing;
	struct answers said;
	memcpy(bytes, "\033_Gi=31;", 8);
	memset(bytes + 8, 'O', MUCH);
	const size_t keys = hear(bytes, sizeof bytes, &said);
	assert_in_range(keys, MUCH - ANSWER_MOST, MUCH);
	assert_memory_equal(&said, &nothing, sizeof said);
}

/* What is too long to be kept does not become another answer by losing its beginning. */
TEST(a_long_answer_does_not_become_a_short_one)
{
	for (size_t n = 0; n < 3 * ANSWER_BYTES; n++) {
		char bytes[4 * ANSWER_BYTES] = "\033[";
		static const struct answers nothing;
		struct answers said;
		memset(bytes + 2, '0', n);
		strcpy(bytes + 2 + n, "?62;4c");
		assert_int_equal(hear(bytes, strlen(bytes), &said), 0);
		if (n > 0)
			assert_memory_equal(&said, &nothing, sizeof said);
	}
}

/* Attributes are asked for last, so that their answer is the end; of tmux what is handed on is wrapped. */
TEST(questions_end_with_the_attributes)
{
	struct arena a;
	struct strbuf b;
	arena_init(&a);
	strbuf_init(&b, &a);
	answers_ask(&(struct questions){.background = true, .modes = true}, &b);
	assert_string_equal(b.at, "\033]11;?\033\\\033[?2026$p\033[?1;1;0S\033[?2;1;0S\033[c");
	strbuf_init(&b, &a);
	answers_ask(&(struct questions){.kitty = true, .tmux = true}, &b);
	assert_string_equal(b.at, "\0337\033Ptmux;\033\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA"
				  "\033\033\\\033\\\0338\033[K\033[c");
	arena_release(&a);
}

/* Pictures are drawn in the way that was asked for, or that the terminal answered and tmux lets through. */
TEST(pictures_are_drawn_where_they_arrive)
{
	static const struct {
		enum graphics_way asked;
		enum tmux tmux;
		bool kitty, sixel;
		enum graphics_way way;
		const char *why;
	} rows[] = {
		{GRAPHICS_AUTO, TMUX_NONE, true, true, GRAPHICS_KITTY, "answers kitty's question"},
		{GRAPHICS_AUTO, TMUX_HANDS_ON, true, true, GRAPHICS_KITTY,
		 "answers kitty's question"},
		{GRAPHICS_AUTO, TMUX_KEEPS, true, false, GRAPHICS_CELLS,
		 "tmux lets no pictures through"},
		{GRAPHICS_AUTO, TMUX_KEEPS, true, true, GRAPHICS_SIXEL, "draws sixels"},
		{GRAPHICS_AUTO, TMUX_NONE, false, true, GRAPHICS_SIXEL, "draws sixels"},
		{GRAPHICS_AUTO, TMUX_NONE, false, false, GRAPHICS_CELLS, "does not say"},
		{GRAPHICS_AUTO, TMUX_HANDS_ON, false, false, GRAPHICS_CELLS, "around tmux"},
		{GRAPHICS_KITTY, TMUX_NONE, false, false, GRAPHICS_KITTY, "asked for"},
		{GRAPHICS_KITTY, TMUX_KEEPS, true, true, GRAPHICS_CELLS,
		 "tmux lets no pictures through"},
		{GRAPHICS_SIXEL, TMUX_KEEPS, false, false, GRAPHICS_SIXEL, "asked for"},
		{GRAPHICS_CELLS, TMUX_NONE, true, true, GRAPHICS_CELLS, "asked for"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct settings settings = {.graphics = (int)rows[i].asked};
		const struct tui_tier terminal = {.talks = true};
		const struct answers answers = {
			.attributes = true, .kitty = rows[i].kitty, .sixel = rows[i].sixel};
		const struct graphics g =
			graphics_choose(&settings, &terminal, rows[i].tmux, &answers);
		if (g.way != rows[i].way || !strstr(g.why, rows[i].why))
			fail_msg("row %zu: %d, %s", i, (int)g.way, g.why);
		assert_int_equal(g.tmux, g.way == GRAPHICS_KITTY && rows[i].tmux == TMUX_HANDS_ON);
	}
}
