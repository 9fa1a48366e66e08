/* test_tui.c: the terminal program as its user meets it, on a pseudo-terminal. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_pty.h"
#include "help_tui.h"
#include "posviz/format/file.h"

#define UP    "\033OA"
#define DOWN  "\033OB"
#define RIGHT "\033OC"
#define END   "\033OF"

FIXTURE(NULL, tui_teardown)

/* A screen whose picture and measures are there. */
static struct pty *start_ready(const struct pty_look *look)
{
	struct pty *const p = tui_start(look);
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	PTY_EXPECT(p, tui_has_measured(p));
	return p;
}

static const struct pty_look usual = {.rows = 36, .cols = 120};
static const struct pty_look wide = {.rows = 36, .cols = 240};

/* ---- sizes ------------------------------------------------------------------------------- */

TEST(every_size_shows_what_fits)
{
	static const struct {
		int rows, cols;
		const char *there[9];
	} cases[] = {
		{50,
		 200,
		 {"posviz", "Explore", "rope+causal", "Schemes", "Position bias",
		  "Attention weights", "Bias by distance", "Measured", "q quit"}},
		{36,
		 120,
		 {"posviz", "rope+causal", "Schemes", "Position bias", "Attention weights",
		  "Bias by distance", "Rotary", "⏎ why", "q quit"}},
		{24,
		 80,
		 {"1 Explore", "rope+causal", "Position bias", "Attention weights", "Rotary",
		  "⏎ why", "? help", "q quit"}},
		{12, 40, {"v Explore", "Position bias", "chased → cat"}},
		{5, 20, {"rope+causal", "q quit"}},
		{3, 300, {"q quit"}},
		{100, 8, {"q"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct pty_look look = {.rows = cases[i].rows, .cols = cases[i].cols};
		struct pty *const p = tui_start(&look);
		for (size_t k = 0; k < 9 && cases[i].there[k]; k++)
			if (!pty_wait(p, cases[i].there[k]))
				PTY_FAIL(p, "%dx%d: no \"%s\"", look.cols, look.rows,
					 cases[i].there[k]);
		tui_quit(p);
	}
}

TEST(the_smallest_screens_do_no_harm)
{
	const bool no = false;
	static const int sizes[][2] = {{1, 1}, {1, 80}, {2, 2}, {80, 1}, {2, 40}, {4, 3}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct pty_look look = {.rows = sizes[i][0], .cols = sizes[i][1]};
		struct pty *const p = tui_start(&look);
		assert_true(pty_until(p, tui_canonical, &no)); /* Ctrl-C is a key from here on */
		pty_type(p, "?\033v\0332\033[<0;1;1M\033[<32;2;2M\033[<0;1;1m\033[<65;1;1M3");
		pty_type(p, "/s\033:x\033pJe\033\t\tz");
		pty_type(p, "\003");
		assert_int_equal(pty_exit(p), 0);
		assert_true(pty_restored(p));
	}
}

static const char *const words[] = {"the", "cat", "that", "dog", "chased", "fell", "asleep"};

TEST(tokens_stand_on_both_axes)
{
	const struct pty_look look = {.rows = 50, .cols = 200};
	struct pty *const p = start_ready(&look);
	int row, col, at;
	PTY_EXPECT(p, pty_find(p, "Position bias", &row, &col));
	PTY_EXPECT(p, strstr(pty_row(p, row + 1), "cat") != NULL);
	PTY_EXPECT(p, strstr(pty_row(p, row + 2), "fell") != NULL); /* by turns in two lines */
	int last = row;
	for (size_t i = 1; i < sizeof words / sizeof *words; i++) {
		for (at = last + 1; at < p->rows && !strstr(pty_row(p, at), words[i]); at++)
			;
		if (at == p->rows)
			PTY_FAIL(p, "no row for %s", words[i]);
		last = at > row + 1 ? at : last;
	}
}

/* ---- keys -------------------------------------------------------------------------------- */

TEST(keys_change_what_is_shown)
{
	static const struct {
		const char *keys, *then;
	} steps[] = {
		{".", "head 2 of 4"},
		{",", "head 1 of 4"},
		{"'", "layer 2"},
		{";", "layer 1"},
		{"m", "┌─ Mask"},
		{"m", "┌─ Logits"},
		{"m", "Attention weights"},
		{":pick none\r", "none+causal"},
		{"J", "learned+causal"},
		{":pick rope\r", "rope+causal"},
		{"c", " rope "},
		{"u", "rope+causal"},
		{":heads 2\r", "head 1 of 2"},
		{"u", "head 1 of 4"},
		{"\022", "head 1 of 2"},
		{":param base 500\r", "rope(base=500)+causal"},
		{"\177", " rope+causal"},
		{":nosuch\r", "no command \"nosuch\""},
		{"\033:heads 5\r", "heads"},
		{"u", "head 1 of 2"},
		{"g", "the₁ → "},
		{DOWN, "cat → "},
		{RIGHT, "2,3"},
		{"M", "colours:"},
		{"i", "proj: tied"},
		{"w", "bias of the sentence itself"},
		{":file -\r", "standard input is the keyboard"},
		{"\033", "? help"},
	};
	struct pty *const p = start_ready(&usual);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		pty_type(p, steps[i].keys);
		if (!pty_wait(p, steps[i].then))
			PTY_FAIL(p, "after \"%s\" no \"%s\"", steps[i].keys, steps[i].then);
	}
	tui_quit(p);
}

/* ---- the rows at the bottom ------------------------------------------------------------------ */

/* Hints are parted by two blanks; whether each of `some` is one of `all`, and the last is how to leave. */
static bool are_whole_hints(const char *some, const char *all)
{
	char *const copy = strdup(some), *rest = copy;
	const char *last = "";
	bool whole = true;
	for (char *end; whole && *(rest += strspn(rest, " ")); rest = end) {
		end = strstr(rest, "  ");
		end = end ? end : rest + strlen(rest);
		char hint[80];
		snprintf(hint, sizeof hint, "%.*s", (int)(end - rest), rest);
		for (size_t n = strlen(hint); n > 0 && hint[n - 1] == ' '; n--)
			hint[n - 1] = '\0';
		whole = strstr(all, hint) != NULL;
		last = strstr(all, hint);
	}
	whole = whole && last && strncmp(last, "q quit", 6) == 0;
	free(copy);
	return whole;
}

TEST(two_rows_below_the_figure_are_the_cell_and_whole_hints)
{
	const struct pty_look look = {.rows = 24, .cols = 200};
	struct pty *p = start_ready(&look);
	PTY_EXPECT(p, strstr(pty_row(p, 21), "└") != NULL); /* the figure is all above */
	PTY_EXPECT(p, strncmp(pty_row(p, 22), " cell ", 6) == 0);
	char *const all = strdup(pty_row(p, 23));
	static const int cols[] = {120, 99, 80, 61, 47, 40, 33, 21};
	for (size_t i = 0; i < sizeof cols / sizeof *cols; i++) {
		const struct pty_look narrow = {.rows = 24, .cols = cols[i]};
		p = tui_start(&narrow);
		PTY_EXPECT(p, pty_wait(p, " → ") && pty_wait_row(p, 23, "q quit"));
		PTY_EXPECT(p, are_whole_hints(pty_row(p, 23), all));
	}
	free(all);
	tui_quit(p);
}

/* A low screen leaves the row of keys to the matrix, until something is asked for. */
TEST(a_low_screen_has_one_row_until_it_is_asked)
{
	const struct pty_look look = {.rows = 12, .cols = 80};
	struct pty *const p = start_ready(&look);
	PTY_EXPECT(p, strncmp(pty_row(p, 11), " cell ", 6) == 0);
	PTY_EXPECT(p, strstr(pty_row(p, 10), "cell") == NULL && !pty_has(p, "q quit"));
	pty_type(p, ":nosuch\r");
	PTY_EXPECT(p, pty_wait_row(p, 10, "no command \"nosuch\""));
	PTY_EXPECT(p, pty_wait_row(p, 11, ":nosuch"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_row(p, 11, " cell "));
	pty_type(p, "p");
	PTY_EXPECT(p, pty_wait_row(p, 10, " permute ") && pty_wait_row(p, 11, "lift, drop"));
	pty_type(p, "pL"); /* what is said takes the row of the cell for its time */
	PTY_EXPECT(p, pty_wait_row(p, 11, "the colours' limits stay"));
	pty_type(p, "j");
	PTY_EXPECT(p, pty_wait_row(p, 11, " cell "));
	tui_quit(p);
}

TEST(editing_is_live_and_escape_restores)
{
	struct pty *const p = start_ready(&usual);
	pty_type(p, "e\025");
	PTY_EXPECT(p, pty_settle(p));
	PTY_EXPECT(p, !pty_has(p, "the sentence is empty") && pty_has(p, "asleep"));
	pty_type(p, "\r");
	PTY_EXPECT(p, pty_wait(p, "the sentence is empty"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "the sentence is empty") && pty_has(p, "asleep"));
	pty_type(p, "e\025one two three");
	PTY_EXPECT(p, pty_wait_gone(p, "asleep"));
	PTY_EXPECT(p, pty_wait(p, "sentence one two three"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "asleep"));
	pty_type(p, "e\025猫 \"x\" y\r");
	PTY_EXPECT(p, pty_wait_gone(p, "asleep"));
	PTY_EXPECT(p, pty_wait_gone(p, "Enter keeps"));
	PTY_EXPECT(p, pty_has(p, "猫"));
	pty_type(p, "u");
	PTY_EXPECT(p, pty_wait(p, "asleep"));
	/* A pasted line end is a blank, and a pasted text runs nothing. */
	pty_type(p, "\033[200~q\rq\033[201~");
	pty_type(p, "e\025\033[200~a\rb\033[201~");
	PTY_EXPECT(p, pty_wait(p, "sentence a b"));
	pty_type(p, "\033");
	tui_quit(p);
}

TEST(pasted_text_is_the_sentence)
{
	struct pty *const p = start_ready(&usual);
	pty_type(p, "\033[200~dogs \"bite\"\r\tmen q\r\033[201~");
	PTY_EXPECT(p, pty_wait(p, "what was pasted is the sentence; u brings the old one back"));
	PTY_EXPECT(p, pty_wait(p, "men"));
	pty_type(p, "u");
	PTY_EXPECT(p, pty_wait(p, "chased"));
	tui_quit(p);
}

TEST(tokens_are_moved_by_hand)
{
	struct pty *const p = start_ready(&wide);
	pty_type(p, "p " RIGHT RIGHT);
	PTY_EXPECT(p, pty_wait(p, "cat  that [the₁]"));
	pty_type(p, " \r");
	PTY_EXPECT(p, pty_wait(p, "order 2 3 1 4 5"));
	pty_type(p, "u");
	PTY_EXPECT(p, pty_wait_gone(p, "order 2 3 1")); /* as written it is not said */
	pty_type(p, "pR");
	PTY_EXPECT(p, pty_wait(p, ".  asleep  fell"));
	pty_type(p, "o");
	PTY_EXPECT(p, pty_wait(p, "the₁  cat  that"));
	pty_type(p, " " END);
	PTY_EXPECT(p, pty_wait(p, ". [the₁]"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "the₁  cat  that"));
	pty_type(p, "qq");
	assert_int_equal(pty_exit(p), 0);
}

/* What README.md's walk leads to is there on 24 rows of 80 columns as well: the numbers of a cell, three
 * matrices and threads of an order, the keys that reverse and restore it. */
TEST(a_small_screen_shows_the_walk)
{
	const struct pty_look look = {.rows = 24, .cols = 80, .args = {"--scheme", "t5"}};
	struct pty *const p = start_ready(&look);
	PTY_EXPECT(p, pty_wait(p, "bias −3.22  logit −2.6  weight 0.00719  ⏎ why"));
	pty_type(p, "3");
	PTY_EXPECT(p, pty_wait(p, "Tokens that would move") && pty_has(p, "A(PX) if reversed"));
	pty_type(p, "pR");
	PTY_EXPECT(p, pty_wait(p, ".  asleep  fell"));
	PTY_EXPECT(p, pty_wait_gone(p, "if reversed"));
	PTY_EXPECT(p, pty_has(p, "A(X) as written") && pty_has(p, "A(PX) as shown"));
	PTY_EXPECT(p, pty_has(p, "Difference") && pty_has(p, "Tokens that move"));
	PTY_EXPECT(p, pty_has(p, "r shuffle  R reverse  o restore  Esc done"));
	PTY_EXPECT(p, !pty_has(p, "order 9 8"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "order 9 8 7"));
	tui_quit(p);
}

/* What the program is for: without positions a shuffle changes nothing, with them it does. */
TEST(a_shuffle_shows_what_knows_order)
{
	static const struct {
		const char *scheme, *seen, *shuffled;
	} cases[] = {
		{"none", "8 shuffles change the output by 0 (", "order changes the output by 0 ("},
		{"sinusoidal", "8 shuffles change the output by 0.",
		 "order changes the output by 0."}};
	for (size_t i = 0; i < 2; i++) {
		struct pty_look look = wide;
		look.args[0] = "--scheme";
		look.args[1] = cases[i].scheme;
		struct pty *const p = start_ready(&look);
		PTY_EXPECT(p, pty_wait(p, cases[i].seen));
		pty_type(p, "pr\r");
		PTY_EXPECT(p, pty_wait(p, cases[i].shuffled));
	}
}

TEST(schemes_are_found_as_you_type)
{
	struct pty *const p = start_ready(&usual);
	pty_type(p, "/vaswani");
	PTY_EXPECT(p, pty_wait_gone(p, "alibi"));
	pty_type(p, "\025sinusoidal");
	PTY_EXPECT(p, pty_wait(p, "Sinusoidal position embedding · Vaswani"));
	pty_type(p, "\r");
	PTY_EXPECT(p, pty_wait(p, "sinusoidal+causal"));
	pty_type(p, "/zzzz");
	PTY_EXPECT(p, pty_wait(p, "0 found"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "0 found"));
	tui_quit(p);
}

TEST(overlays_open_and_close)
{
	struct pty *const p = start_ready(&usual);
	pty_type(p, "?");
	PTY_EXPECT(p, pty_wait(p, "┌─ Keys"));
	PTY_EXPECT(p, pty_wait(p, "edit the sentence"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "┌─ Keys"));
	pty_type(p, "\r");
	PTY_EXPECT(p, pty_wait(p, "Why this cell?"));
	PTY_EXPECT(p, pty_wait(p, "Softmax of the row"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "Why this cell?"));
	pty_type(p, ":sh\t");
	PTY_EXPECT(p, pty_wait(p, ":shuffle"));
	pty_type(p, "\r");
	PTY_EXPECT(p, pty_wait(p, "order "));
	pty_type(p, "z");
	PTY_EXPECT(p, pty_wait_gone(p, "Attention weights"));
	pty_type(p, "z\t");
	PTY_EXPECT(p, pty_wait(p, "Attention weights"));
	tui_quit(p);
}

TEST(folded_panes_come_with_tab)
{
	const struct pty_look look = {.rows = 18, .cols = 70};
	struct pty *const p = start_ready(&look);
	PTY_EXPECT(p, !pty_has(p, "Bias by distance"));
	pty_type(p, "\t\t");
	PTY_EXPECT(p, pty_wait(p, "Bias by distance"));
	tui_quit(p);
}

/* Terminals describe keys with modifiers, such as Alt-Delete and Alt-Home, to which curses gives codes beyond all others. */
TEST(keys_of_the_terminals_own_do_no_harm)
{
	struct pty *const p = start_ready(&usual);
	pty_type(p, "\033[3;3~\033[1;3H\033[3;7~\033[5;3~");
	pty_type(p, ".");
	PTY_EXPECT(p, pty_wait(p, "head 2 of 4"));
	tui_quit(p);
}

TEST(snapshots_are_written)
{
	char dir[] = "/tmp/posviz-tui-XXXXXX", path[64];
	assert_non_null(mkdtemp(dir));
	struct pty_look look = usual;
	look.dir = dir;
	struct pty *const p = start_ready(&look);
	pty_type(p, "s");
	PTY_EXPECT(p, pty_wait(p, "wrote posviz-001.png"));
	tui_quit(p);
	snprintf(path, sizeof path, "%s/posviz-001.png", dir);
	assert_true(file_exists(path));
	unlink(path);
	rmdir(dir);
}

/* ---- sizes that change ------------------------------------------------------------------- */

TEST(a_storm_of_resizes_ends_at_the_last_size)
{
	struct pty *const p = start_ready(&usual);
	unsigned seed = 7;
	for (int i = 0; i < 120; i++) {
		seed = seed * 1103515245u + 12345u;
		pty_resize(p, 1 + (int)(seed >> 16 & 63), 1 + (int)(seed >> 8 & 255));
	}
	pty_resize(p, 30, 100);
	PTY_EXPECT(p, pty_wait_row(p, 29, "? help"));
	PTY_EXPECT(p, pty_wait_row(p, 0, "1 Explore"));
	pty_resize(p, 24, 130);
	PTY_EXPECT(p, pty_wait_row(p, 23, "? help"));
	PTY_EXPECT(p, pty_wait_row(p, 1, "Schemes"));
	tui_quit(p);
}

/* ---- the ways out ------------------------------------------------------------------------ */

static const struct pty_look bare = {.rows = 36, .cols = 120, .env = {PTY_OWN_CRASHES}};

TEST(signals_restore_the_terminal)
{
	const int numbers[] = {SIGTERM, SIGHUP,	 SIGINT,    SIGQUIT,  SIGUSR1,	SIGUSR2,
			       SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF,  SIGXFSZ,	SIGIO,
			       SIGPWR,	SIGTRAP, SIGSYS,    SIGRTMIN, SIGRTMAX, SIGABRT,
			       SIGSEGV, SIGBUS,	 SIGFPE,    SIGILL};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct pty *const p = start_ready(&bare);
		kill(p->pid, numbers[i]);
		assert_int_equal(pty_exit(p), 128 + numbers[i]);
		if (!pty_restored(p))
			fail_msg("signal %d leaves the terminal as it is", numbers[i]);
	}
}

TEST(a_lost_terminal_ends_it)
{
	struct pty *const p = start_ready(&usual);
	close(p->fd);
	p->fd = -1;
	p->closed = true;
	assert_int_equal(pty_exit(p), 129);
}

TEST(it_stops_and_comes_back)
{
	const bool yes = true, no = false;
	struct pty_look look = usual;
	look.shell = "set -m; \"$POSVIZ\" --fresh; echo STOPPED; read x; fg; echo \"LEFT $?\"";
	struct pty *const p = start_ready(&look);
	pty_type(p, "\032");
	PTY_EXPECT(p, pty_wait(p, "STOPPED"));
	PTY_EXPECT(p, pty_until(p, tui_canonical, &yes));
	PTY_EXPECT(p, !pty_has(p, "Position bias"));
	pty_resize(p, 30, 100);
	pty_type(p, "\n");
	PTY_EXPECT(p, pty_wait(p, "Position bias"));
	PTY_EXPECT(p, pty_wait_row(p, 29, "? help"));
	PTY_EXPECT(p, pty_until(p, tui_canonical, &no));
	pty_type(p, "q");
	PTY_EXPECT(p, pty_wait(p, "LEFT 0"));
	assert_int_equal(pty_exit(p), 0);
}

/* ---- terminals --------------------------------------------------------------------------- */

/* Where no screen can be had the numbers are printed, and why is said. */
TEST(terminals_that_cannot_get_words)
{
	static const char *const terms[] = {"TERM=dumb", "TERM=", "TERM", "TERM=nosuchterminal"};
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		struct pty_look look = usual;
		look.env[0] = terms[i];
		struct pty *const p = tui_start(&look);
		assert_int_equal(pty_exit(p), 0);
		if (!p->raw || !strstr(p->raw, "posviz: ") || strchr(p->raw, '\033'))
			fail_msg("%s: \"%s\"", terms[i], p->raw ? p->raw : "");
	}
	struct pty_look look = usual;
	look.shell = "\"$POSVIZ\" --fresh | cat; exit ${PIPESTATUS[0]}";
	struct pty *const p = tui_start(&look);
	assert_int_equal(pty_exit(p), 0);
	assert_null(strchr(p->raw, '\033'));
}

static bool is_ascii(const struct pty *p)
{
	for (const char *c = pty_text(p); *c; c++)
		if ((unsigned char)*c >= 128)
			return false;
	return true;
}

struct colours {
	size_t plain, base, indexed, rgb;
};

static void count_colour(struct colours *n, VTermColor c)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(&c) || VTERM_COLOR_IS_DEFAULT_BG(&c))
		n->plain++;
	else if (VTERM_COLOR_IS_RGB(&c))
		n->rgb++;
	else if (c.indexed.idx < 16)
		n->base++;
	else
		n->indexed++;
}

static struct colours colours_of(const struct pty *p)
{
	struct colours n = {0};
	for (int row = 0; row < p->rows; row++) {
		for (int col = 0; col < p->cols; col++) {
			const VTermScreenCell cell = pty_cell(p, row, col);
			count_colour(&n, cell.fg);
			count_colour(&n, cell.bg);
		}
	}
	return n;
}

TEST(each_terminal_gets_the_colours_it_has)
{
	static const struct {
		const char *env[3], *args[2];
		bool base, indexed, rgb, ascii;
	} cases[] = {
		{{"TERM=xterm-256color"}, {NULL}, true, true, false, false},
		{{"TERM=xterm-256color", "COLORTERM=truecolor"}, {NULL}, true, false, true, false},
		{{"TERM=tmux-256color"}, {NULL}, true, false, true, false},
		{{"TERM=screen-256color", "COLORTERM=truecolor"}, {NULL}, true, true, false, false},
		{{"TERM=xterm"}, {NULL}, true, false, false, false},
		{{"TERM=vt100"}, {NULL}, false, false, false, false},
		{{"TERM=xterm-256color", "NO_COLOR=1"}, {NULL}, false, false, false, false},
		{{"TERM=xterm-256color"}, {"--color=mono"}, false, false, false, false},
		{{"TERM=xterm-256color"}, {"--color=16"}, true, false, false, false},
		{{"TERM=xterm-256color"}, {"--color=direct"}, true, false, true, false},
		{{"TERM=xterm-256color"}, {"--ascii"}, true, true, false, true},
		{{"TERM=xterm-256color", "LC_ALL=C"}, {NULL}, true, true, false, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty_look look = usual;
		memcpy(look.env, cases[i].env, sizeof cases[i].env);
		look.args[0] = cases[i].args[0];
		struct pty *const p = start_ready(&look);
		const struct colours n = colours_of(p);
		if ((n.base > 0) != cases[i].base || (n.indexed > 0) != cases[i].indexed ||
		    (n.rgb > 0) != cases[i].rgb || (cases[i].ascii && pty_has(p, "─")) ||
		    (cases[i].env[1] && strcmp(cases[i].env[1], "LC_ALL=C") == 0 && !is_ascii(p)))
			PTY_FAIL(p, "case %zu: %zu base, %zu indexed, %zu rgb", i, n.base,
				 n.indexed, n.rgb);
		tui_quit(p);
	}
}

/* Text that would speak to the terminal is only shown. */
TEST(hostile_text_is_shown_not_sent)
{
	struct pty_look look = usual;
	look.args[0] = "--sentence";
	look.args[1] = "a \033]0;owned\007b \342\200\256c \033[31md";
	struct pty *const p = start_ready(&look);
	PTY_EXPECT(p, pty_has(p, "\\x1B") || pty_has(p, "\\x1b"));
	assert_null(strstr(p->raw, "\033]0;"));
	assert_null(strstr(p->raw, "\342\200\256"));
	tui_quit(p);
}

/* Once drawn, nothing is written until something happens. */
TEST(nothing_is_drawn_while_nothing_changes)
{
	struct pty *const p = start_ready(&usual);
	pty_type(p, "g");
	PTY_EXPECT(p, pty_wait(p, "1,2"));
	pty_type(p, "g");
	const size_t before = p->raw_len;
	pty_type(p, "?"); /* is answered after the key that changed nothing */
	PTY_EXPECT(p, pty_wait(p, "┌─ Keys"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "┌─ Keys"));
	assert_true(p->raw_len - before < 20000);
	tui_quit(p);
}
