/* test_doctor.c: facts, decisions and reasons in words, and the picture on a terminal. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "help_pty.h"
#include "posviz/base/text.h"

FIXTURE(cli_enter, cli_leave)

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

TEST(report_is_plain_text)
{
	static const char *const groups[] = {"Program and machine\n", "\nTerminal\n",
					     "\nDecisions\n", "\nFiles\n"};
	struct cli_result r;
	cli_run(&r,
		&(struct cli_case){.args = {"doctor"},
				   .environment = {"TERM=xterm-256color", "COLORTERM=truecolor"}});
	assert_int_equal(r.code, 0);
	assert_string_equal(r.err, "");
	assert_null(strchr(r.out, '\033'));
	assert_null(strstr(r.out, "Picture"));
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		assert_has(r.out, groups[i]);
	assert_has(r.out, "not a terminal");
	assert_has(r.out, "OpenBLAS");
	for (char *line; (line = strsep(&r.out, "\n")) != NULL;)
		if (text_width(line) > 80)
			fail_msg("wider than 80 columns: %s", line);
	cli_done(&r);
}

/* Lines are broken where they are full: one blank for all white space. */
static void unwrap(char *text)
{
	char *to = text;
	for (const char *from = text; *from; from++) {
		const bool white = *from == ' ' || *from == '\n';
		if (!white || (to > text && to[-1] != ' '))
			*to++ = white ? ' ' : *from;
	}
	*to = '\0';
}

/* What is decided is said with its reason, and with what would decide otherwise. */
TEST(decisions_have_reasons)
{
	static const struct {
		const char *environment[4];
		const char *args[4];
		const char *parts[3];
	} cases[] = {
		{{"TERM=xterm-256color"},
		 {NULL},
		 {"256: the fixed", "because: TERM describes so many"}},
		{{"TERM=xterm", "COLORTERM=truecolor"},
		 {NULL},
		 {"direct: 24-bit", "because: COLORTERM is truecolor",
		  "otherwise: --color direct"}},
		{{"TERM=xterm", "NO_COLOR=1"},
		 {NULL},
		 {"mono: values are told by signs", "because: NO_COLOR is set"}},
		{{"TERM=xterm", "NO_COLOR=1"}, {"--color", "8"}, {"8 of", "because: asked for"}},
		{{"TERM=xterm"},
		 {"--color", "256"},
		 {"8 of", "because: more was asked for, but this is all that TERM describes"}},
		{{"TERM=no-such"}, {NULL}, {"no-such: no description is installed"}},
		{{"TERM="}, {NULL}, {"because: TERM is not set"}},
		{{"TERM=dumb"}, {NULL}, {"posviz cannot run here"}},
		{{"TERM=vt100"}, {NULL}, {"not described, so it is not asked for", "not marked"}},
		{{"TERM=xterm", "SSH_CONNECTION=::1 1 ::1 22"}, {NULL}, {"from elsewhere"}},
		{{"TERM=xterm", "LC_ALL=C"},
		 {NULL},
		 {"ASCII alone", "because: the locale is not UTF-8",
		  "otherwise: a locale such as"}},
		{{"TERM=xterm"},
		 {"--glyphs", "quadrants"},
		 {"quarter blocks", "because: asked for"}},
		{{"TERM=xterm", "COLORFGBG=0;15"},
		 {NULL},
		 {"light", "because: COLORFGBG tells it"}},
		{{"TERM=xterm", "XDG_CONFIG_HOME=/dev/null"},
		 {NULL},
		 {"/dev/null/posviz/config", "is not there and cannot be made: Not a directory"}},
		{{"TERM=xterm", "XDG_STATE_HOME=/tmp/no/such"},
		 {NULL},
		 {"/tmp/no/such/posviz", "is not there yet"}},
		{{"TERM=xterm", "XDG_CONFIG_HOME=x", "HOME="}, {NULL}, {"nowhere"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cli_case c = {.args = {"doctor"}};
		struct cli_result r;
		memcpy(c.args + 1, cases[i].args, sizeof cases[i].args);
		memcpy(c.environment, cases[i].environment, sizeof c.environment);
		cli_run(&r, &c);
		assert_int_equal(r.code, 0);
		unwrap(r.out);
		for (size_t k = 0; k < 3 && cases[i].parts[k]; k++)
			assert_has(r.out, cases[i].parts[k]);
		cli_done(&r);
	}
}

TEST(hostile_environment_is_escaped)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"doctor"},
				       .environment = {"TERM=\033[31mred", "COLORTERM=a\nb\x9b"}});
	assert_int_equal(r.code, 0);
	assert_null(strchr(r.out, '\033'));
	assert_null(strchr(r.out, '\x9b'));
	assert_has(r.out, "\\x1B[31mred");
	assert_has(r.out, "a\\nb\\x9B");
	cli_done(&r);
}

/* On a terminal: runs it there, and waits for its end. */
static void start(struct pty *p, int cols, const char *command, const char *color)
{
	pty_start(p,
		  &(struct pty_look){.rows = 100, .cols = cols, .env = {color}, .shell = command});
	assert_int_equal(pty_exit(p), 0);
}

/* Of the machine it still tells the rest. */
TEST(too_few_open_files_are_a_fact_and_no_noise)
{
#define LIMITED(n) "for i in {3..63}; do eval \"exec $i>&-\"; done; ulimit -n " #n "; $POSVIZ"
	struct pty p;
	start(&p, 110, LIMITED(4) " doctor", "COLORTERM=truecolor");
	PTY_EXPECT(&p, pty_has(&p, "too many open files, at most 4 are allowed"));
	PTY_EXPECT(&p, !pty_has(&p, "Fontconfig error"));
	pty_stop(&p);
	pty_start(&p, &(struct pty_look){.rows = 36, .cols = 140, .shell = LIMITED(8)});
	assert_int_equal(pty_exit(&p), 2);
	PTY_EXPECT(&p,
		   pty_has(&p, "posviz: cannot open the terminal: too many open files, at most 8"));
	PTY_EXPECT(&p, pty_restored(&p));
	pty_stop(&p);
}

TEST(picture_shows_colours_and_signs)
{
	static const char *const parts[] = {"weights", "signed", "curve",  "▀▄█", "⣿",
					    "┌─┬─┐",   "←",	 "24-bit", "256", "accent"};
	struct pty p;
	int row, col;
	start(&p, 100, "$POSVIZ doctor", "COLORTERM=truecolor");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!pty_has(&p, parts[i]))
			PTY_FAIL(&p, "%s is not there", parts[i]);
	assert_non_null(strstr(p.raw, "48;2;"));
	/* The first and the last colour of the table. */
	PTY_EXPECT(&p, pty_find(&p, "24-bit glow", &row, &col));
	VTermScreenCell cell = pty_cell(&p, row, 17);
	assert_true(VTERM_COLOR_IS_RGB(&cell.bg));
	assert_int_equal(cell.bg.rgb.red << 16 | cell.bg.rgb.green << 8 | cell.bg.rgb.blue,
			 0x26272c);
	cell = pty_cell(&p, row, 79);
	assert_int_equal(cell.bg.rgb.red << 16 | cell.bg.rgb.green << 8 | cell.bg.rgb.blue,
			 0xebfa80);
	pty_stop(&p);
}

TEST(picture_of_256_takes_its_ladder)
{
	struct pty p;
	int row, col;
	start(&p, 80, "$POSVIZ doctor", "COLORTERM");
	PTY_EXPECT(&p, pty_find(&p, "256    glow", &row, &col));
	const VTermScreenCell cell = pty_cell(&p, row, 17);
	assert_true(VTERM_COLOR_IS_INDEXED(&cell.bg));
	assert_int_equal(cell.bg.indexed.idx, 235);
	/* Asked of the eye: more colours than were promised. */
	PTY_EXPECT(&p, pty_has(&p, "if this last strip is smooth"));
	pty_stop(&p);
}

/* GNU screen would take a 24-bit colour for other attributes. */
TEST(screen_gets_no_24_bit_colours)
{
	struct pty p;
	start(&p, 80, "STY=1.x $POSVIZ doctor", "COLORTERM=truecolor");
	assert_null(strstr(p.raw, "8;2;"));
	PTY_EXPECT(&p, !pty_has(&p, "if this last strip is smooth"));
	pty_stop(&p);
}

/* Terminals and the program agree here on widths, so the bars stand in line. */
TEST(width_rows_are_aligned)
{
	struct pty p;
	int row, col;
	start(&p, 80, "$POSVIZ doctor", "COLORTERM");
	PTY_EXPECT(&p, pty_find(&p, "widths", &row, &col));
	size_t bars = 0;
	for (col = 0; col < 80; col++) {
		const bool upper = pty_cell(&p, row, col).chars[0] == 0x2502;
		assert_int_equal(pty_cell(&p, row + 1, col).chars[0] == 0x2502, upper);
		bars += upper;
	}
	assert_int_equal(bars, 6);
	pty_stop(&p);
}

TEST(ascii_and_mono_have_a_picture_of_their_own)
{
	struct pty p;
	start(&p, 80, "LC_ALL=C $POSVIZ doctor --color mono", "COLORTERM");
	PTY_EXPECT(&p, pty_has(&p, "+- weights "));
	assert_null(strstr(p.raw, "[0;3"));
	assert_null(strstr(p.raw, "[0;4;"));
	for (size_t i = 0; i < p.raw_len; i++)
		assert_true((unsigned char)p.raw[i] < 128);
	pty_stop(&p);
}

/* A narrow window: the picture is made for it. */
TEST(picture_fits_the_window)
{
	struct pty p;
	int row, col;
	start(&p, 60, "$POSVIZ doctor", "COLORTERM=truecolor");
	PTY_EXPECT(&p, pty_find(&p, " curve ", &row, &col));
	assert_int_equal(pty_cell(&p, row, 59).chars[0], 0x2510);
	pty_stop(&p);
}
