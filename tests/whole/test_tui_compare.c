/* test_tui_compare.c: comparing on the screen: pinning, what the lines say, and which of several is
 * meant. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_tui.h"
#include "posviz/format/file.h"

FIXTURE(NULL, tui_teardown)

#define LINE(text) ":" text "\r"

struct step {
	const char *keys, *then, *title; /* on the screen, in the first row; NULL: anything */
};

static void walk(struct pty *p, const struct step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		pty_type(p, steps[i].keys);
		if (steps[i].then && !pty_wait(p, steps[i].then))
			PTY_FAIL(p, "step %zu: no \"%s\"", i, steps[i].then);
		if (steps[i].title && !pty_wait_row(p, 0, steps[i].title))
			PTY_FAIL(p, "step %zu: no \"%s\" in the title", i, steps[i].title);
	}
}
#define WALK(p, steps) walk(p, steps, sizeof(steps) / sizeof *(steps))

/* One key of the view Compare chooses the second scheme, another one has the scheme with and without the mask. */
TEST(the_second_scheme_is_a_key_away)
{
	static const struct pty_look look = {
		.rows = 36, .cols = 120, .args = {"-s", "a b c", "--scheme", "rope+causal"}};
	static const struct step steps[] = {
		{"4", "V 2nd scheme", "4 Compare"},
		{"V", "second scheme /", NULL},
		{"alibi", "Attention with linear biases", "rope+causal | alibi+causal"},
		{"\033", "V 2nd scheme", "rope+causal | "},
		{"Valibi\r", "─ 2 alibi+causal", "rope+causal | alibi+causal"},
		{"Vrope\r", "rope+causal is number 1 itself", "rope+causal | alibi+causal"},
		{"Vt5 + causal\r", "─ 2 t5+causal", "rope+causal | t5+causal"},
		{"Vqwertyu+\r", "nothing is called qwertyu+", "rope+causal | t5+causal"},
		{"\033", NULL, NULL},
		{"Valibi\r", "─ 2 alibi+causal", "rope+causal | alibi+causal"},
		{"W", "─ 2 rope ─", "rope+causal | rope"},
		{"u", "taken back", "rope+causal | alibi+causal"},
		{LINE("versus t5(buckets=8)"), "─ 2 t5(buckets=8) ─",
		 "rope+causal | t5(buckets=8)"},
		{LINE("pick t5"), "─ 1 t5+causal", "t5+causal | t5(buckets=8)"},
		{"W", "─ 2 t5 ─", "t5+causal | t5"},
		{"1" LINE("versus-mask"), "─ 2 t5 ─", "4 Compare"},
		{"/alibi\r", "─ 1 alibi+causal", "alibi+causal | t5"},
		{LINE("versus nosuch"), "versus: ", "alibi+causal | t5"},
		{"\033", "V 2nd scheme", NULL},
	};
	struct pty *const p = tui_ready(&look);
	WALK(p, steps);
	tui_quit(p);
}

TEST(schemes_are_pinned_and_come_to_the_front)
{
	static const struct pty_look look = {
		.rows = 36, .cols = 120, .args = {"-s", "a b c", "--scheme", "t5+causal"}};
	static const struct step steps[] = {
		{"C", "t5+causal is pinned as 2", "4 Compare"},
		{LINE("pick shaw"), "┌─ 1 shaw+causal", "shaw+causal | t5+causal"},
		{"", "C keep  I keep text  X make 1st  D next pair  T farther  U drop", NULL},
		{"X", "┌─ 1 t5+causal", "t5+causal | shaw+causal"},
		{"C", "t5+causal is pinned as 3", NULL},
		{LINE("pick rope"), "┌─ 3 t5+causal", "rope+causal | shaw+causal | t5+causal"},
		{"D", "rope+causal − t5", NULL},
		{"", "difference 1-3: rope+causal and t5+causal", NULL},
		{"\t\t\tX", "t5+causal is 1 now, it was 3",
		 "t5+causal | shaw+causal | rope+causal"},
		{"\r", "of rope+causal alone, not of what", "Why"},
		{"\r", "rope+causal", "t5+causal | shaw+causal | rope+causal"},
		{"U", "rope+causal is not compared any more", "t5+causal | shaw+causal"},
		{"u", "taken back", "t5+causal | shaw+causal | rope+causal"},
		{LINE("export"), "of t5+causal alone", NULL},
		{LINE("help D"), "D: the difference of another pair (pair next)", NULL},
		{LINE("help Space"), "Space does nothing here; in terms: this term", NULL},
	};
	const char *const dir = tui_directory();
	struct pty_look here = look;
	here.dir = dir;
	struct pty *const p = tui_ready(&here);
	WALK(p, steps);
	tui_quit(p);
}

TEST(a_narrow_title_says_how_many)
{
	static const struct {
		int cols;
		const char *title;
	} rows[] = {{120, " | 2 others"}, {80, "3 expressions"}, {40, "3 expressions"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct pty_look look = {.rows = 24,
					      .cols = rows[i].cols,
					      .args = {"--view", "compare", "--scheme",
						       "sinusoidal+shaw(clip=8)+causal",
						       "--compare",
						       "sinusoidal+t5(buckets=16)+causal; "
						       "sinusoidal+rope(base=500)+causal"}};
		struct pty *const p = tui_start(&look);
		if (!pty_wait_row(p, 0, rows[i].title))
			PTY_FAIL(p, "%d columns", rows[i].cols);
		tui_quit(p);
	}
}

/* A name of the user's own stands beside what it is; a text is edited, not typed anew. */
TEST(own_names_and_texts_are_seen)
{
	static const struct pty_look look = {.rows = 36, .cols = 120, .args = {"-s", "a b c"}};
	static const struct step steps[] = {
		{LINE("define mine formula(b=s-t)"), "mine stands for formula(b=s-t)", NULL},
		{LINE("scheme mine"), "▸ mine", "mine: formula(b=s-t)"},
		{LINE("add causal"), "▸ mine", "mine: formula(b=s-t)+causal"},
		{LINE("value"), ":param b s-t", NULL},
		{"+1\r", "formula(b=s-t+1)+causal", "  formula(b=s-t+1)+causal"},
	};
	struct pty *const p = tui_ready(&look);
	WALK(p, steps);
	tui_quit(p);
}

/* A key that the view binds is not told a second time as what it does elsewhere. */
TEST(help_names_a_key_once)
{
	static const char note[] = "compare the scheme with the next";
	static const struct pty_look look = {
		.rows = 100, .cols = 120, .args = {"-s", "a b c", "--view", "compare"}};
	struct pty *const p = tui_ready(&look);
	pty_type(p, "?");
	PTY_EXPECT(p, pty_wait(p, note));
	const char *const first = strstr(pty_text(p), note);
	PTY_EXPECT(p, strstr(pty_text(p), "Everywhere") && !strstr(first + 1, note));
	pty_type(p, "4");
	PTY_EXPECT(p, pty_wait(p, "previous layer"));
	PTY_EXPECT(p, pty_has(p, "Choose what is shown") && !pty_has(p, note));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "previous layer"));
	tui_quit(p);
}

/* The file has one expression's own; that the others take nothing from it is said. */
TEST(expressions_without_a_part_in_the_params_are_named)
{
	static const struct step steps[] = {
		{LINE("export t5.safetensors"), "wrote t5.safetensors", NULL},
		{LINE("params t5.safetensors") LINE("compare rope; t5; shaw") LINE("view compare"),
		 "the file is not used by 2, 4", "4 Compare"},
		{LINE("compare t5"), "┌─ 2 t5", NULL},
	};
	struct pty_look look = {.rows = 36, .cols = 120, .args = {"--scheme", "t5"}};
	look.dir = tui_directory();
	struct pty *const p = tui_ready(&look);
	WALK(p, steps);
	PTY_EXPECT(p, pty_wait_gone(p, "the file is not used"));
	tui_quit(p);
}

/* What is wrong with a file is not hidden by what is compared; what nobody takes of it is said. */
TEST(what_a_file_lacks_or_has_too_much_is_said)
{
	static const struct {
		const char *name, *text;
	} files[] = {{"less.json", "{\"tensors\": {\"w_kex\": {\"shape\": [1], \"data\": [1]}}}"},
		     {"more.json",
		      "{\"tensors\": {\"w\": {\"shape\": [4, 1], \"data\": [1, 1, 1, 1]}, "
		      "\"v\": {\"shape\": [4, 1], \"data\": [1, 1, 1, 1]}, "
		      "\"vv\": {\"shape\": [1], \"data\": [1]}}}"}};
	static const struct step steps[] = {
		{LINE("compare shaw") LINE("params less.json"), "it has \"w_kex\";", NULL},
		{LINE("compare none") LINE("scheme da(shared=on)") LINE("params more.json"),
		 "params: nothing takes \"vv\" (is it \"v\"?)", NULL},
	};
	struct pty_look look = {.rows = 36, .cols = 120, .args = {"--scheme", "rope"}};
	look.dir = tui_directory();
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char path[256];
		snprintf(path, sizeof path, "%s/%s", look.dir, files[i].name);
		assert_true(file_write(path, files[i].text, strlen(files[i].text), true, NULL));
	}
	struct pty *const p = tui_ready(&look);
	WALK(p, steps);
	tui_quit(p);
}
