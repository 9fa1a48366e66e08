/* test_walk.c: every key of the table, pressed one after the other in the real program.
 *
 * tests/walk.keys is the walk; its head says how it is written. What it waits for is looked at on
 * the screen that it was written for; on the smallest one the same keys must do no harm. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_keys.h"
#include "help_pty.h"
#include "posviz/app/app.h"
#include "posviz/format/file.h"

#define WALK "tests/walk.keys"

enum { WORDS = 48, STEPS = 700, ROWS = 36, COLS = 120 };

struct word {
	const char *text;
	bool quoted;
};

/* A line of the walk. */
struct stride {
	size_t line;
	struct word words[WORDS];
	size_t n;
	const char *check; /* "expect", "gone", "always" or NULL */
	const char *text;  /* that it is about */
};

static struct {
	struct arena arena;
	struct stride steps[STEPS];
	size_t n;
	struct pty pty;
	bool started, small;
	char dir[32];
} walk;

/* ---- reading ----------------------------------------------------------------------------- */

static bool is_check(const char *word)
{
	return strcmp(word, "expect") == 0 || strcmp(word, "gone") == 0 ||
	       strcmp(word, "always") == 0;
}

/* The next word of a line: up to a blank or a quote, or between quotes. */
static bool next_word(char **at, struct word *out)
{
	char *from = *at + strspn(*at, " \t");
	if (*from == '\0')
		return false;
	out->quoted = *from == '"' && strchr(from + 1, '"');
	from += out->quoted;
	const size_t len = out->quoted ? strcspn(from, "\"") : 1 + strcspn(from + 1, " \t\"");
	out->text = arena_strndup(&walk.arena, from, len);
	*at = from + len + (out->quoted && from[len] != '\0');
	return true;
}

static void read_step(char *line, size_t number)
{
	struct stride *const s = &walk.steps[walk.n];
	struct word word;
	*s = (struct stride){.line = number};
	while (next_word(&line, &word)) {
		if (!word.quoted && is_check(word.text)) {
			s->check = word.text;
			s->text = line + strspn(line, " \t");
			break;
		}
		if (s->n == WORDS)
			fail_msg(WALK ":%zu: too long", number);
		s->words[s->n++] = word;
	}
	if ((s->n > 0 || s->check) && ++walk.n == STEPS)
		fail_msg(WALK ": too many lines");
}

static int read_walk(void **state)
{
	(void)state;
	struct err err;
	char *text;
	size_t len, number = 0;
	arena_init(&walk.arena);
	if (!file_read(WALK, 1 << 20, &walk.arena, &text, &len, &err))
		fail_msg("%s", err.text);
	for (char *line; (line = strsep(&text, "\n")) != NULL;) {
		number++;
		if (*line != '\0' && strncmp(line, "# ", 2) != 0)
			read_step(line, number);
	}
	return 0;
}

static int forget_walk(void **state)
{
	(void)state;
	arena_release(&walk.arena);
	return 0;
}

FIXTURE(read_walk, forget_walk)

/* ---- the table of keys is covered -------------------------------------------------------- */

/* Words that take the words after them, and how many. */
static const struct {
	const char *name;
	size_t args;
} directives[] = {{"in", 3},	{"start", WORDS}, {"leaves", 0},   {"file", 1},	     {"paste", 1},
		  {"click", 1}, {"drag", 2},	  {"wheel-up", 1}, {"wheel-down", 1}};

static size_t directive_args(const struct word *word, bool *is_one)
{
	*is_one = false;
	for (size_t i = 0; i < sizeof directives / sizeof *directives && !word->quoted; i++) {
		if (strcmp(directives[i].name, word->text) == 0) {
			*is_one = true;
			return directives[i].args;
		}
	}
	return 0;
}

/* The row that a key means in contexts that are looked through in turn. */
static size_t row_of(const struct word *contexts, size_t n, const char *key)
{
	for (size_t c = 0; c < n; c++) {
		const char *const name =
			strcmp(contexts[c].text, "everywhere") == 0 ? "" : contexts[c].text;
		for (size_t i = 0; bindings[i].key; i++)
			if (strcmp(bindings[i].context, name) == 0 &&
			    strcmp(bindings[i].key, key) == 0)
				return i;
	}
	return SIZE_MAX;
}

TEST(every_binding_is_walked)
{
	bool seen[512] = {false};
	const struct stride *in = NULL;
	size_t missing = 0;
	for (size_t s = 0; s < walk.n; s++) {
		const struct stride *const step = &walk.steps[s];
		if (step->n > 0 && strcmp(step->words[0].text, "in") == 0)
			in = step;
		for (size_t w = 0; w < step->n && in && in != step; w++) {
			bool directive;
			const size_t args = directive_args(&step->words[w], &directive);
			const size_t row =
				directive || step->words[w].quoted
					? SIZE_MAX
					: row_of(in->words + 1, in->n - 1, step->words[w].text);
			if (row < sizeof seen)
				seen[row] = true;
			w += args;
		}
	}
	for (size_t i = 0; bindings[i].key; i++) {
		if (seen[i])
			continue;
		print_error("not in " WALK ": %s in \"%s\" (%s)\n", bindings[i].key,
			    bindings[i].context, bindings[i].command);
		missing++;
	}
	assert_int_equal(missing, 0);
}

/* ---- walking ----------------------------------------------------------------------------- */

#define STEP_FAIL(step, ...)                              \
	do {                                              \
		pty_show(&walk.pty);                      \
		print_error(WALK ":%zu: ", (step)->line); \
		fail_msg(__VA_ARGS__);                    \
	} while (0)

static void start(const struct stride *step)
{
	static char state[64];
	struct pty_look look = {
		.rows = walk.small ? 12 : ROWS, .cols = walk.small ? 40 : COLS, .dir = walk.dir};
	snprintf(state, sizeof state, "XDG_STATE_HOME=%s", walk.dir);
	look.env[0] = state;
	for (size_t i = 1; i < step->n; i++)
		look.args[i - 1] = step->words[i].text;
	if (walk.started)
		STEP_FAIL(step, "the program before this one was not left");
	walk.started = true;
	pty_start(&walk.pty, &look);
	if (!pty_settle(&walk.pty))
		STEP_FAIL(step, "it does not come to rest");
}

static void leaves(const struct stride *step)
{
	const int code = pty_exit(&walk.pty);
	if (code != 0)
		STEP_FAIL(step, "exit code %d", code);
	if (!pty_restored(&walk.pty))
		STEP_FAIL(step, "the terminal is not as it was");
	pty_stop(&walk.pty);
	walk.started = false;
}

static bool is_written(struct pty *p, const void *context)
{
	(void)p;
	char path[600];
	snprintf(path, sizeof path, "%s/%s", walk.dir, (const char *)context);
	return file_exists(path);
}

/* Where a text stands; on the small screen, where not all stands, the middle. */
static void place_of(const struct stride *step, const char *text, int *row, int *col)
{
	if (!pty_settle(&walk.pty))
		STEP_FAIL(step, "the program does not come to rest");
	*row = walk.pty.rows / 2;
	*col = walk.pty.cols / 2;
	if (!pty_find(&walk.pty, text, row, col) && !walk.small)
		STEP_FAIL(step, "no \"%s\" to point at", text);
}

static void mouse(int button, int row, int col, bool pressed)
{
	char bytes[KEY_BYTES];
	key_mouse(button, row, col, pressed, bytes);
	pty_type(&walk.pty, bytes);
}

static void drag(const struct stride *step, const char *from, const char *to)
{
	int row, col, end_row, end_col;
	place_of(step, from, &row, &col);
	place_of(step, to, &end_row, &end_col);
	mouse(0, row, col, true);
	for (int at = col; at != end_col; at += at < end_col ? 1 : -1)
		mouse(32, end_row, at, true);
	mouse(32, end_row, end_col, true);
	mouse(0, end_row, end_col, false);
}

static void point(const struct stride *step, const char *how, const char *text)
{
	int row, col;
	place_of(step, text, &row, &col);
	if (strcmp(how, "click") == 0) {
		mouse(0, row, col, true);
		mouse(0, row, col, false);
	} else {
		mouse(strcmp(how, "wheel-up") == 0 ? 64 : 65, row, col, true);
	}
}

static void direct(const struct stride *step, const struct word *word)
{
	const char *const name = word->text, *const arg = word[1].text;
	if (strcmp(name, "start") == 0) {
		start(step);
	} else if (strcmp(name, "leaves") == 0) {
		leaves(step);
	} else if (strcmp(name, "file") == 0) {
		if (!pty_until(&walk.pty, is_written, arg))
			STEP_FAIL(step, "no file %s", arg);
	} else if (strcmp(name, "paste") == 0) {
		pty_type(&walk.pty, "\033[200~");
		pty_type(&walk.pty, arg);
		pty_type(&walk.pty, "\033[201~");
	} else if (strcmp(name, "drag") == 0) {
		drag(step, arg, word[2].text);
	} else if (strcmp(name, "in") != 0) {
		point(step, name, arg);
	}
}

static void press(const struct stride *step, const struct word *word)
{
	char bytes[KEY_BYTES];
	if (word->quoted) {
		pty_type(&walk.pty, word->text);
		return;
	}
	if (!key_bytes(word->text, bytes))
		STEP_FAIL(step, "\"%s\" is no key", word->text);
	pty_type(&walk.pty, bytes);
	/* What follows at once would belong to it. */
	if (strcmp(word->text, "Esc") == 0 && !pty_settle(&walk.pty))
		STEP_FAIL(step, "no rest after Esc");
}

static void check(const struct stride *step)
{
	struct pty *const p = &walk.pty;
	const bool looked_at = step->check && (!walk.small || strcmp(step->check, "always") == 0);
	if (walk.started && !pty_settle(p) && !p->closed)
		STEP_FAIL(step, "the program does not come to rest");
	if (!looked_at)
		return;
	const bool gone = strcmp(step->check, "gone") == 0;
	if (!(gone ? pty_wait_gone(p, step->text) : pty_wait(p, step->text)))
		STEP_FAIL(step, "%s \"%s\"", gone ? "still" : "no", step->text);
}

static void walk_through(bool small)
{
	walk.small = small;
	snprintf(walk.dir, sizeof walk.dir, "/tmp/posviz-walk-XXXXXX");
	assert_non_null(mkdtemp(walk.dir));
	for (size_t s = 0; s < walk.n; s++) {
		const struct stride *const step = &walk.steps[s];
		for (size_t w = 0; w < step->n; w++) {
			bool directive;
			const size_t args = directive_args(&step->words[w], &directive);
			if (directive)
				direct(step, &step->words[w]);
			else
				press(step, &step->words[w]);
			w += args;
		}
		check(step);
	}
	assert_false(walk.started);
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status, (void)type, (void)at;
	return remove(path);
}

static int clean_up(void **state)
{
	(void)state;
	if (walk.started)
		pty_stop(&walk.pty);
	walk.started = false;
	return nftw(walk.dir, drop, 8, FTW_DEPTH | FTW_PHYS);
}

TEST_OF(the_walk_ends_well, NULL, clean_up, 1, 1, 0)
{
	walk_through(false);
}

TEST_OF(the_walk_ends_well_at_40x12, NULL, clean_up, 1, 0, 1)
{
	walk_through(true);
}
