/* test_storm.c: random keys, text, fragments of escape sequences, mouse events, pastes and resizes
 * against the real program, which must neither crash nor hang, and leave the terminal as it was.
 *
 * STORM_KEYS (7000), STORM_SEED (1). A key in forty is a new size. What is typed is the same
 * for the same seed, when the program reads it is not. A failure tells the seed and the last keys. */
#include <ctype.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "help_keys.h"
#include "help_pty.h"
#include "posviz/app/app.h"
#include "posviz/base/rng.h"
#include "posviz/format/file.h"

enum {
	EVENT_BYTES = 256,
	LAST = 50,
	KEYS_PER_RESIZE = 40,
	KEYS_PER_RESET = 400,
	KEYS_PER_REST = 300,
	MAX_ROWS = 80,
	MAX_COLS = 250,
	MOST_FILES = 10, /* that may be asked for */
	MOST_BYTES = 64 << 20,
	HANG_SECONDS = 60,
	TAIL = 2000 /* of the output, to be told */
};

static struct {
	struct rng rng;	 /* of what is typed */
	struct rng pace; /* of all that hangs on when the program does something */
	int rows, cols;
	unsigned long seed, keys, done;
	struct pty pty;
	bool started;
	size_t starts, resizes, files, written;
	char dir[32];
	char last[LAST][EVENT_BYTES];
	size_t n_last;
} storm;

static size_t below(size_t n)
{
	return rng_below(&storm.rng, n);
}

static bool one_in(size_t n)
{
	return below(n) == 0;
}

/* ---- failing ----------------------------------------------------------------------------- */

static int show_report(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status;
	char line[512];
	FILE *const f = type == FTW_F && strncmp(path + at->base, "report", 6) == 0
				? fopen(path, "r")
				: NULL;
	for (int i = 0; f && i < 60 && fgets(line, sizeof line, f); i++)
		print_error("%s", line);
	if (f)
		fclose(f);
	return 0;
}

static void tell(void)
{
	const size_t n = storm.n_last < LAST ? storm.n_last : LAST;
	const size_t tail = storm.pty.raw_len < TAIL ? storm.pty.raw_len : TAIL;
	for (size_t i = storm.pty.raw_len - tail; i < storm.pty.raw_len; i++)
		print_error(isprint((unsigned char)storm.pty.raw[i]) ? "%c" : "\\x%02x",
			    (unsigned char)storm.pty.raw[i]);
	print_error("\nthe last %zu of %lu keys (STORM_SEED=%lu), %dx%d:\n", n, storm.done,
		    storm.seed, storm.cols, storm.rows);
	for (size_t i = storm.n_last - n; i < storm.n_last; i++)
		print_error(" %s", storm.last[i % LAST]);
	print_error("\n");
	nftw(storm.dir, show_report, 8, FTW_PHYS);
}

#define STORM_FAIL(...)                \
	do {                           \
		tell();                \
		fail_msg(__VA_ARGS__); \
	} while (0)

/* ---- what is typed ----------------------------------------------------------------------- */

struct event {
	char bytes[EVENT_BYTES];
	size_t len, keys;
};

static void add(struct event *e, const char *bytes)
{
	const size_t len = strlen(bytes);
	if (e->len + len >= EVENT_BYTES)
		return;
	memcpy(e->bytes + e->len, bytes, len);
	e->len += len;
	e->bytes[e->len] = '\0';
}

static bool writes_files(const char *command)
{
	static const char *const words[] = {"snapshot", "save", "export", "write"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(command, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/* Letters that write files or leave, in whatever mode they come, are no part of random text. */
static void add_text(struct event *e, size_t most)
{
	static const char *const pieces[] = {
		" ",   "e",    "a",   "i",	 "o",		"n",  "t",    "r", "l",	 "c",
		"the", "cat ", "dog", "1",	 "2",		"7",  ".",    "-", "+",	 "*",
		"(",   ")",    "=",   ",",	 "_",		"\"", "\\",   "%", "\t", "é",
		"猫",  "ש",    "عر",  "a\u0301", "👩‍🔬", "##", "||| ", "Z", "{",	 "~"};
	const size_t n = 1 + below(most);
	for (size_t i = 0; i < n; i++)
		add(e, pieces[below(sizeof pieces / sizeof *pieces)]);
	e->keys += n;
}

static void bound_key(struct event *e)
{
	size_t n = 0;
	while (bindings[n].key)
		n++;
	const struct binding *const b = &bindings[below(n)];
	char bytes[KEY_BYTES];
	const bool leaves = strcmp(b->command, "quit") == 0, file = writes_files(b->command);
	if (strcmp(b->command, "suspend") == 0 || (leaves && !one_in(20)) ||
	    strchr("sSxq", *b->key))
		return;
	if (file && (storm.files >= MOST_FILES || !one_in(10)))
		return;
	storm.files += file;
	if (!key_bytes(b->key, bytes))
		fail_msg("no bytes for the key %s", b->key);
	add(e, bytes);
	e->keys++;
}

static void file_key(struct event *e)
{
	static const char *const keys[] = {"s", "s", "S", "x"};
	if (storm.files >= MOST_FILES)
		return;
	storm.files++;
	add(e, keys[below(4)]);
	e->keys++;
}

/* Fields that ask for much work or memory, or that read files, are left out. */
static bool is_cheap(const char *name)
{
	static const char *const dear[] = {"file",   "units", "weights", "params", "map",
					   "memory", "size",  "dpi",	 "t-max",  "ff",
					   "quit",   "open",  "suspend"};
	for (size_t i = 0; i < sizeof dear / sizeof *dear; i++)
		if (strcmp(name, dear[i]) == 0)
			return false;
	return !writes_files(name);
}

static void add_argument(struct event *e, const struct field *f)
{
	static const char *const words[] = {"next",    "prev", "on",   "off",  "auto",	  "1",
					    "2",       "3",    "4",    "8",    "0",	  "-1",
					    "16",      "up",   "rope", "cope", "t5+rope", "nope",
					    "reverse", "",     "2 1 3"};
	size_t n = 0;
	while (f && f->type.choices && f->type.choices[n])
		n++;
	if (n > 0 && !one_in(3))
		add(e, f->type.choices[below(n)]);
	else
		add(e, words[below(sizeof words / sizeof *words)]);
}

static void command_line(struct event *e)
{
	const struct field *f = NULL;
	const char *name;
	size_t n = 0;
	if (one_in(2)) {
		while (commands[n].name)
			n++;
		name = commands[below(n)].name;
	} else {
		const struct field *const fields = one_in(4) ? setting_fields : scene_fields;
		while (fields[n].name)
			n++;
		f = &fields[below(n)];
		name = f->name;
	}
	if (one_in(25)) {
		add(e, ":open posviz-001.png\r");
		e->keys++;
	}
	if (!is_cheap(name))
		return;
	add(e, ":");
	add(e, name);
	add(e, one_in(6) ? "\t" : " ");
	if (one_in(8))
		add_text(e, 4);
	else
		add_argument(e, f);
	add(e, one_in(8) ? "\t" : one_in(12) ? "\033OA" : "");
	add(e, "\r");
	e->keys += 4;
}

static void fragment(struct event *e)
{
	static const char *const pieces[] = {"\033[",
					     "\033O",
					     "\033[1;5",
					     "\033[<0;",
					     "\033]0;title\007",
					     "\033[200~",
					     "\033[201~",
					     "\033[?1;2c",
					     "\033P1$r\033\\",
					     "\033[M !!",
					     "\033[1;5A",
					     "\033[27;5;9~",
					     "\033\033",
					     "\033[99~",
					     "\033[I",
					     "\033[O",
					     "\xff\xfe",
					     "\xc3",
					     "\xe7\x8c",
					     "\033[<999;99999;99999M",
					     "\033[A",
					     "\033[38;2;1",
					     "\x01",
					     "\x07",
					     "\x1e"};
	add(e, pieces[below(sizeof pieces / sizeof *pieces)]);
	e->keys++;
}

static void mouse(struct event *e)
{
	static const int buttons[] = {0, 0, 0, 1, 2, 32, 32, 35, 64, 65, 66, 16, 8, 128};
	const size_t n = 1 + below(4);
	for (size_t i = 0; i < n; i++) {
		char bytes[KEY_BYTES];
		const int button = buttons[below(sizeof buttons / sizeof *buttons)];
		const int row = (int)below((size_t)storm.rows + 2);
		const int col = (int)below((size_t)storm.cols + 2);
		key_mouse(button, row, col, !one_in(3), bytes);
		add(e, bytes);
	}
	e->keys += n;
}

static void drag(struct event *e)
{
	char bytes[KEY_BYTES];
	int row = (int)below((size_t)storm.rows), col = (int)below((size_t)storm.cols);
	const size_t n = 1 + below(5);
	for (size_t i = 0; i <= n + 1; i++) {
		key_mouse(i == 0 || i > n ? 0 : 32, row, col, i <= n, bytes);
		add(e, bytes);
		row += (int)below(3) - 1;
		col += (int)below(9) - 4;
		row = row < 0 ? 0 : row;
		col = col < 0 ? 0 : col;
	}
	e->keys += n;
}

/* Editing a line. Ctrl-c leaves, Ctrl-z stops, the others are bytes of something else. */
static void control(struct event *e)
{
	static const char keys[] = "abdefghklnoprtuvwxy";
	const char bytes[] = {(char)(keys[below(sizeof keys - 1)] - 'a' + 1), '\0'};
	add(e, bytes);
	e->keys++;
}

static void paste(struct event *e)
{
	add(e, "\033[200~");
	add_text(e, 12);
	add(e, one_in(2) ? "\nq\r\n" : "");
	add(e, "\033[201~");
}

static void escape(struct event *e)
{
	add(e, "\033");
	e->keys++;
}

static void make_event(struct event *e)
{
	static const struct {
		size_t weight;
		void (*make)(struct event *e);
	} kinds[] = {{400, bound_key}, {90, escape}, {60, command_line},
		     {90, fragment},   {50, mouse},  {40, drag},
		     {60, control},    {25, paste},  {1, file_key}};
	size_t all = 60; /* the rest is text */
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		all += kinds[i].weight;
	size_t at = below(all);
	*e = (struct event){0};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (at < kinds[i].weight) {
			kinds[i].make(e);
			return;
		}
		at -= kinds[i].weight;
	}
	add_text(e, 5);
}

/* ---- the program ------------------------------------------------------------------------- */

/* What the sanitizers find goes to files: the terminal is no place for it. */
static const char *with_log(const char *name, char *out, size_t size)
{
	const char *const now = getenv(name);
	snprintf(out, size, "%s=%s:log_path=%s/report", name, now ? now : "", storm.dir);
	return out;
}

static void start(void)
{
	static char home[2][64], options[3][1024];
	const struct pty_look look = {
		.rows = storm.rows,
		.cols = storm.cols,
		.dir = storm.dir,
		.args = {"-s", "the cat sat"},
		.env = {home[0], home[1], storm.starts % 2 ? "COLORTERM=truecolor" : "COLORTERM",
			with_log("ASAN_OPTIONS", options[0], sizeof options[0]),
			with_log("UBSAN_OPTIONS", options[1], sizeof options[1]),
			with_log("TSAN_OPTIONS", options[2], sizeof options[2])}};
	snprintf(home[0], sizeof home[0], "XDG_STATE_HOME=%s", storm.dir);
	snprintf(home[1], sizeof home[1], "XDG_CONFIG_HOME=%s", storm.dir);
	storm.started = true;
	storm.starts++;
	pty_start(&storm.pty, &look);
	if (!pty_settle(&storm.pty))
		STORM_FAIL("it does not start");
	pty_look(&storm.pty, false);
}

/* The program has ended, which some keys make it do. Once the terminal is as it was, Ctrl-c is a
 * signal again: one that comes while the program is still leaving ends it at once. */
static void ended(void)
{
	enum { INTERRUPTED = 130 };
	const int code = pty_exit(&storm.pty);
	if (code != 0 && code != INTERRUPTED)
		STORM_FAIL("exit code %d (-1: it does not end)", code);
	if (!pty_restored(&storm.pty))
		STORM_FAIL("the terminal is not as it was");
	storm.written += storm.pty.written;
	pty_stop(&storm.pty);
	storm.started = false;
}

/* Writes what the terminal takes and reads what comes. */
static void send(const struct event *e)
{
	struct pty *const p = &storm.pty;
	const time_t end = time(NULL) + HANG_SECONDS;
	for (size_t at = 0; at < e->len && !p->closed;) {
		const size_t n = pty_push(p, e->bytes + at, e->len - at);
		at += n;
		pty_pump(p, n > 0 ? 0 : 10);
		if (time(NULL) > end)
			STORM_FAIL("it takes no keys any more");
	}
}

static void remember(const struct event *e)
{
	char *const out = storm.last[storm.n_last++ % LAST];
	size_t n = 0;
	for (size_t i = 0; i < e->len && n + 5 < EVENT_BYTES; i++) {
		const unsigned char c = (unsigned char)e->bytes[i];
		if (isgraph(c) && c < 128)
			out[n++] = (char)c;
		else
			n += (size_t)snprintf(out + n, 5, "\\x%02x", c);
	}
	out[n] = '\0';
}

static void resize(int rows, int cols)
{
	storm.rows = rows;
	storm.cols = cols;
	storm.resizes++;
	if (storm.started && !storm.pty.closed)
		pty_resize(&storm.pty, rows, cols);
}

static void resize_somehow(void)
{
	const bool tiny = one_in(4);
	const int rows = 1 + (int)below(tiny ? 6 : MAX_ROWS);
	resize(rows, 1 + (int)below(tiny ? 12 : MAX_COLS));
}

static void type_all(const char *bytes)
{
	struct event e = {0};
	add(&e, bytes);
	send(&e);
}

/* Out of whatever is open, and back to the first scene. */
static void reset(void)
{
	type_all("\033[201~\033");
	if (pty_settle(&storm.pty))
		type_all("\033");
	if (pty_settle(&storm.pty))
		type_all(":reset\r:sentence the cat sat\r");
}

/* Now and then the program comes to rest; mostly it has no time to. */
static void pause_a_little(void)
{
	if (rng_below(&storm.pace, KEYS_PER_REST) == 0 && !pty_settle(&storm.pty) &&
	    !storm.pty.closed)
		STORM_FAIL("it does not come to rest");
	else if (rng_below(&storm.pace, 4) == 0)
		pty_pump(&storm.pty, (int)rng_below(&storm.pace, 16));
}

static void rage(void)
{
	size_t next_resize = KEYS_PER_RESIZE, next_reset = KEYS_PER_RESET;
	while (storm.done < storm.keys) {
		struct event e;
		if (!storm.started)
			start();
		make_event(&e);
		if (e.keys == 0)
			continue;
		remember(&e);
		storm.done += e.keys;
		send(&e);
		for (; storm.done >= next_resize; next_resize += KEYS_PER_RESIZE)
			resize_somehow();
		if (!storm.pty.closed)
			pause_a_little();
		if (!storm.pty.closed && storm.done >= next_reset) {
			reset();
			next_reset += KEYS_PER_RESET;
		}
		if (storm.pty.closed)
			ended();
	}
}

/* ---- the test ---------------------------------------------------------------------------- */

static unsigned long number(const char *name, unsigned long otherwise)
{
	const char *const text = getenv(name);
	return text ? strtoul(text, NULL, 10) : otherwise;
}

static size_t bytes_written, reports;

static int count_file(const char *path, const struct stat *status, int type, struct FTW *at)
{
	if (type == FTW_F)
		bytes_written += (size_t)status->st_size;
	reports += type == FTW_F && strncmp(path + at->base, "report", 6) == 0;
	return 0;
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status, (void)type, (void)at;
	return remove(path);
}

static int clean_up(void **state)
{
	(void)state;
	if (storm.started)
		pty_stop(&storm.pty);
	return nftw(storm.dir, drop, 8, FTW_DEPTH | FTW_PHYS);
}

FIXTURE(NULL, clean_up)

/* In the long tier keys from other seeds as well. */
TEST_SAMPLED(random_keys_do_no_harm, 1, 3)
{
	storm.seed = number("STORM_SEED", 1 + test_part);
	storm.keys = number("STORM_KEYS", 7000);
	rng_init_name(&storm.rng, storm.seed, "keys");
	rng_init_name(&storm.pace, storm.seed, "pace");
	storm.rows = 36;
	storm.cols = 120;
	snprintf(storm.dir, sizeof storm.dir, "/tmp/posviz-storm-XXXXXX");
	assert_non_null(mkdtemp(storm.dir));
	rage();
	if (!storm.started)
		start();
	resize(36, 120);
	reset();
	pty_look(&storm.pty, true);
	type_all("\014");
	if (!pty_wait(&storm.pty, " sat ") || !pty_wait(&storm.pty, "q quit"))
		STORM_FAIL("it does not come back to its first screen");
	type_all("\003");
	ended();
	nftw(storm.dir, count_file, 8, FTW_PHYS);
	print_message("%lu keys, %zu resizes, %zu starts, %zu files asked for, %zu kB drawn\n",
		      storm.done, storm.resizes, storm.starts, storm.files, storm.written / 1000);
	if (reports > 0)
		STORM_FAIL("a sanitizer has something to say");
	assert_true(bytes_written < MOST_BYTES);
}
