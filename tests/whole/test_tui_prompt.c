/* test_tui_prompt.c: the lines that are typed: commands, the sentence, the search. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_tui.h"

FIXTURE(NULL, tui_teardown)

#define UP   "\033OA"
#define DOWN "\033OB"

static const struct pty_look usual = {.rows = 36, .cols = 120};

struct step {
	const char *keys, *then;
};

static void walk(struct pty *p, const struct step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pty_type(p, steps[i].keys);
		if (!pty_wait(p, steps[i].then))
			PTY_FAIL(p, "step %zu, after \"%s\": no \"%s\"", i, steps[i].keys,
				 steps[i].then);
	}
}
#define WALK(p, steps) walk(p, steps, sizeof(steps) / sizeof *(steps))

/* ---- commands ---------------------------------------------------------------------------- */

TEST(a_wrong_command_stays_to_be_mended)
{
	static const struct step steps[] = {
		{":heats 2\r", "no command \"heats\""},
		{"", ":heats 2"}, /* still there, the cursor behind the word */
		{"\177\177ds\r", "head 1 of 2"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	PTY_EXPECT(p, pty_wait(p, "? help"));
	pty_type(p, ":nosuch\r");
	PTY_EXPECT(p, pty_wait(p, "no command"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "no command"));
	PTY_EXPECT(p, pty_wait(p, "? help"));
	tui_quit(p);
}

/* What is typed at once mends the line; the key that begins a command begins another. */
TEST(after_an_error_a_command_is_begun_anew)
{
	static const struct step steps[] = {
		{":rendr\r", ":rendr"}, {":", " :   "},	   {"view table\r", "Position schemes:"},
		{":vieww\r", "vieww"},	{"x", ":viewwx "}, {":", ":viewwx:"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	pty_type(p, "\033");
	if (!pty_wait_gone(p, "viewwx:"))
		PTY_FAIL(p, "Esc leaves the line");
	tui_quit(p);
}

TEST(history_is_recalled_by_its_beginning)
{
	static const struct step steps[] = {
		{":heads 2\r", "head 1 of 2"},
		{":seed 7\r", "seed 7"},
		{":heads 8\r", "head 1 of 8"},
		{":" UP, ":heads 8"},
		{UP, ":seed 7"},
		{UP UP, ":heads 2"},
		{DOWN, ":seed 7"},
		{"\025se" UP, ":seed 7"},
		{DOWN, ":se "},
		{"\025he" UP UP "\r", "head 1 of 2"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

TEST(candidates_stand_above_the_line)
{
	struct pty *const p = tui_ready(&usual);
	pty_type(p, ":scheme-");
	PTY_EXPECT(p, pty_wait(p, "scheme-prev  the previous scheme of the menu"));
	pty_type(p, "\t");
	PTY_EXPECT(p, pty_wait(p, "scheme-next  the next scheme of the menu"));
	PTY_EXPECT(p, pty_wait(p, ":scheme-next"));
	pty_type(p, "\t");
	PTY_EXPECT(p, pty_wait(p, ":scheme-prev"));
	PTY_EXPECT(p, pty_click_on(p, "scheme-next"));
	PTY_EXPECT(p, pty_wait(p, ":scheme-next"));
	pty_type(p, "\r");
	PTY_EXPECT(p, pty_wait_gone(p, " rope+causal"));
	tui_quit(p);
}

TEST(the_line_is_edited_as_in_a_shell)
{
	static const struct step steps[] = {
		{":two one", ":two one"},
		{"\033b", ":two one"},
		{"x", ":two xone"},
		{"\001y", ":ytwo xone"},
		{"\033[1;5Cz", ":ytwoz xone"},
		{"\005!", ":ytwoz xone!"},
		{"\027", ":ytwoz "},
		{"\001\013", ": "},
		{"\033[200~one\r\ntwo\tthree\033[201~", ":one two three"},
		{"\025head 2\r", "head 2 of 4"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

TEST(bytes_that_are_no_text_are_kept_and_shown)
{
	struct pty *const p = tui_ready(&usual);
	pty_type(p, "e\025a \351t\351 b");
	PTY_EXPECT(p, pty_wait(p, "a \\xE9t\\xE9 b"));
	pty_type(p, "\025\303\251t\303\251");
	PTY_EXPECT(p, pty_wait(p, "sentence été"));
	pty_type(p, "\033");
	tui_quit(p);
}

/* ---- search ------------------------------------------------------------------------------ */

TEST(the_best_match_comes_first)
{
	static const struct step steps[] = {
		{"/rope", "Rotary position embedding · Su et al. 2021"},
		{"\025press 22", "Press et al. 2022"},
		{"\025su", "· Su 2020"}, /* an author's name, not part of one */
		{"\0252018", "Shaw et al. 2018"},
		{"\025linear b", "linear biases"},    /* a word of the title */
		{"\025snsdl", "Sinusoidal position"}, /* letters in their order */
		{"\025rotery embeding",
		 "Rotary position embedding · Su et al. 2021"}, /* misspelt */
		/* A misspelt id comes before titles in which its letters can be found. */
		{"\025rpoe", "Rotary position embedding · Su et al. 2021"},
		{"\025zzz", "no scheme fits"},
		{"\r", "Esc goes back"}, /* there is nothing to take */
		{"\025\025alib\r", "alibi+causal"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

/* The figure behind shows what is chosen; Esc takes all of it back, Enter is one step of the history. */
TEST(a_search_shows_what_it_would_take)
{
	static const struct step steps[] = {
		{"/alibi", "Attention with linear biases"},
		{"\033", "Rotary position embedding"},
		{"u", "there is nothing to take back"},
		{"/alibi", "Attention with linear biases"},
		{"\177\177\177\177\177", "Rotary position embedding"},
		{"alibi", "Attention with linear biases"},
		{"\r", "/ find"},
		{"u", "Rotary position embedding"},
		{"u", "there is nothing to take back"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

TEST(the_search_goes_on_with_n)
{
	static const struct step steps[] = {
		{"n", "look for a scheme first"},
		{"/press\r", "shortformer+causal"},
		{"n", "alibi+causal"},
		{"N", "shortformer+causal"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

/* ---- what a newcomer stumbled on --------------------------------------------------------- */

TEST(a_sentence_may_hold_quotes_and_backslashes)
{
	static const struct step steps[] = {
		{"e\025a\\b \"c\" d\r", " \\ "},
		{"p", " permute    a  \\  b  \"₁  c  \"₂  d"},
		{"q", "permute"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

TEST(a_sentence_that_is_none_is_refused_in_place)
{
	static const struct step steps[] = {
		{"e\025\r", "the sentence is empty"},
		{"", "Enter keeps it"}, /* still open */
		{"one two\r", "q quit"},
		{"e\025\r", "the sentence is empty"},
		{"\033", "q quit"},
		{":sentence \"\"\r", "the sentence is empty"},
		{"\033.", "head 2 of 4"}, /* nothing is broken */
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

TEST(a_new_sentence_is_shown_as_typed)
{
	static const struct step steps[] = {
		{":order reverse\r", "order 9 8 7"},
		{"e", "Ctrl-u clears the line"},
		{"\r", "order 9 8 7"}, /* the old one keeps its order */
		{"e\025one two three\r", "three"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	PTY_EXPECT(p, pty_wait(p, "q quit") && pty_settle(p));
	PTY_EXPECT(p, pty_has(p, "three") && !pty_has(p, "order 3"));
	pty_type(p, "u");
	PTY_EXPECT(p, pty_wait(p, "order 9 8 7")); /* one step of the history */
	tui_quit(p);
}

/* Commands that follow each other before a picture of the first can be there: the last one's is shown, while words walk
 * and without. */
TEST(of_orders_that_follow_each_other_at_once_the_last_is_shown)
{
	struct pty *const p = tui_ready(&usual);
	for (int i = 0; i < 6; i++) {
		pty_type(p, i % 2 ? ":motion off\r" : ":motion on\r");
		pty_type(p, ":order reverse\r:retype \"one two three\"\r:order reverse\r"
			    ":retype \"north east south west\"\r");
		PTY_EXPECT(p, pty_wait(p, "west"));
		PTY_EXPECT(p, pty_settle(p) && !pty_has(p, "order 4") && !pty_has(p, "three"));
		pty_type(p, ":order reverse\r:order identity\r:order reverse\r");
		PTY_EXPECT(p, pty_wait(p, "order 4 3 2 1") && pty_settle(p));
		PTY_EXPECT(p, pty_has(p, "order 4 3 2 1"));
	}
	tui_quit(p);
}

TEST(a_long_sentence_leaves_the_words_on_how_to_go_on)
{
	const struct pty_look look = {.rows = 24, .cols = 80};
	struct pty *const p = tui_ready(&look);
	pty_type(p, "e");
	PTY_EXPECT(p, pty_wait(p, "Ctrl-u clears the line"));
	pty_type(p, " and then some more words");
	PTY_EXPECT(p, pty_wait(p, "more words") && pty_settle(p));
	PTY_EXPECT(p, pty_has(p, "Ctrl-u clears the line"));
	pty_type(p, "\033");
	tui_quit(p);
}

/* What the key is good for is said with the key that leads there. */
TEST(a_key_that_does_nothing_says_where_it_does_something)
{
	static const struct step steps[] = {
		{":shuffle\r", "order "},
		{"o", "o does nothing here; while tokens are moved, after p: the order as written"},
		{"po\033", "q quit"},
		{"T", "T does nothing here; ? lists"}, /* several views have it */
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

TEST(the_end_of_a_range_is_no_error)
{
	struct pty *const p = tui_ready(&usual);
	pty_type(p, ":scheme shaw(clip=2)\r:param clip 2\r---");
	PTY_EXPECT(p, pty_wait(p, "the least that it can be; + goes back"));
	PTY_EXPECT(p, !pty_has(p, " error "));
	pty_type(p, ":scheme t5(buckets=4)\r:param buckets 4\r-");
	PTY_EXPECT(p, pty_wait(p, "buckets stays 4: "));
	PTY_EXPECT(p, !pty_has(p, " error "));
	tui_quit(p);
}

TEST(the_text_of_a_file_is_edited)
{
	const struct pty_look look = {
		.rows = 36, .cols = 120, .dir = tui_directory(), .args = {"-f", "text.txt"}};
	char path[4200];
	snprintf(path, sizeof path, "%s/text.txt", look.dir);
	FILE *const f = fopen(path, "w");
	assert_non_null(f);
	fputs("from a\nfile\n", f);
	fclose(f);
	static const struct step steps[] = {
		{"e", "sentence from a file "},
		{"\033", " file "},
		{"e too\r", " too "},
	};
	struct pty *const p = tui_ready(&look);
	WALK(p, steps);
	tui_quit(p);
}

TEST(a_value_is_typed_over_and_explained)
{
	static const struct step steps[] = {
		{"\t\t\t", "⏎ value"},
		{"\033OB\r", ":param base"},
		{"", "1 to 1e300"},
		{"50\025", "1 to 1e300"}, /* still there while it is typed */
		{"500\r", "rope(base=500)+causal"},
		{"\r\025\025head 2\r", "head 2 of 4"}, /* the second time all goes */
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

TEST(nothing_happens_in_silence)
{
	static const struct step steps[] = {
		{"Q", "Q does nothing here; ?"},
		{" ", "space does nothing here"},
		{"?", "/ search  Esc back"},
		{"\033A", "Panel 1 of 5, facts"}, /* for who hears the screen */
		{"\033[6~", "Strongest 10 cells"},
		{"\033m", "┌─ Mask"},
		{"c", " rope "},
		{"u", "taken back: scheme rope+causal"},
		{"\022", "done again: scheme rope"},
		{"2", "2 Terms"},
		{"u", "taken back: view explore"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	tui_quit(p);
}

/* ---- copying ----------------------------------------------------------------------------- */

/* The bytes that a terminal would put on its clipboard: base64 of the command, as the standard has it. */
TEST(what_is_copied_reaches_the_terminal)
{
	static const char sent[] =
		"\033]52;c;"
		"cG9zdml6IHJlbmRlciBhbGliaSAtLXNlbnRlbmNlICdhIGInIC0tcm93IDIgLS1jb2wgMQ==\033\\";
	static const struct pty_look look = {
		.rows = 24,
		.cols = 80,
		.args = {"--scheme", "alibi", "-s", "a b", "-c", "cursor 2 1"}};
	struct pty *const p = tui_ready(&look);
	pty_type(p, "y");
	PTY_EXPECT(p, pty_wait(p, "c cell  m command  b BibTeX  Esc back"));
	pty_type(p, "m");
	PTY_EXPECT(p, pty_wait(p, "copied the command (OSC 52, if "));
	PTY_EXPECT(p, pty_wait(p, "? help"));
	if (!memmem(p->raw, p->raw_len, sent, sizeof sent - 1))
		PTY_FAIL(p, "nothing was sent");
	tui_quit(p);
}

/* ---- help -------------------------------------------------------------------------------- */

TEST(help_is_searched_and_says_what_words_mean)
{
	static const struct step steps[] = {
		{"?/entropy", "found 1 of 4"},
		{"\r", "/ search"},
	};
	static const struct step words[] = {
		{"\033", "? help"},
		{":help prefix order\r", "For causal models"},
		{"q", "? help"},
		{":help probx\r", "did you mean \"probe\"?"},
	};
	struct pty *const p = tui_ready(&usual);
	WALK(p, steps);
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "found 1 of 1"));
	WALK(p, words);
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait(p, "? help"));
	tui_quit(p);
}
