/* test_screens.c: what the user sees, kept as files: every view in every size in full colour, views that
 * differ most in other depths and on light, and what opens over them. What no file shows, every view in every
 * depth, is measured (test_frames.c, test_depths.c).
 *
 * tests/screens/NAME-COLSxROWS-DEPTH.txt holds the text of the screen and what it looks like
 * (help_screen.h); a depth whose text is that of another one refers to it. `make screens` writes them
 * anew, and git shows what changed. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test.h"
#include "help_screen.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"

#define FOLDER "tests/screens"
#define DARK   "COLORFGBG=15;0"

/* The first of a screen's depths has the text that others refer to. */
enum { FULL, ASCII, MONO, LITTLE, PALETTE, DEPTHS };
static const struct depth {
	const char *name, *env[4], *option;
} depths[DEPTHS] = {
	{"direct", {"TERM=xterm-256color", DARK, "COLORTERM=truecolor"}, NULL},
	{"ascii", {"TERM=xterm-256color", DARK, "LC_ALL=C"}, NULL},
	{"mono", {"TERM=xterm-256color", DARK}, "--color=mono"},
	{"8", {"TERM=xterm", DARK}, NULL},
	{"256", {"TERM=xterm-256color", DARK}, NULL},
};
#define IN(depth) (1u << (depth))
#define IN_ALL	  (IN(DEPTHS) - 1)

static const struct size {
	const char *name;
	int rows, cols;
} sizes[] = {
	{"200x50", 50, 200}, {"120x36", 36, 120}, {"80x24", 24, 80},
	{"60x20", 20, 60},   {"40x12", 12, 40},
};
enum { N_SIZES = sizeof sizes / sizeof *sizes, MIDDLE = 1 };

/* A new scheme changes no screen. */
#define LISTED                                                                                   \
	"none sinusoidal learned complex tupe_a shaw t5 huang1 composite diet_rel txl tener da " \
	"rope alibi kerple cope tupe_r spr_abs spr_rel tpe graformer graphormer graph_tr pnat "  \
	"causal window bert llama3"

/* A picture to take in some depths; keys are typed once the program has come to rest. */
struct shot {
	const char *name, *args[7], *keys;
	unsigned depths;
};

/* A heatmap, many of them, curves and a table. */
static const struct shot views_in_depth[] = {
	{"explore", {"--view", "explore"}, NULL, IN_ALL},
	{"heads", {"--view", "heads"}, NULL, IN(FULL) | IN(MONO)},
	{"lengths", {"--view", "lengths"}, NULL, IN(FULL) | IN(ASCII)},
	{"table", {"--view", "table"}, NULL, IN_ALL},
};

static const struct shot overlays[] = {
	{"help", {NULL}, "? ", IN(FULL) | IN(ASCII)},
	{"find", {NULL}, "/rot", IN(FULL) | IN(ASCII)},
	{"prompt-error", {NULL}, ":heads many\r", IN(FULL)},
	{"trouble", {NULL}, ":heads 5\r", IN(FULL)},
	{"complete", {NULL}, ":open @\t", IN(FULL) | IN(MONO)},
	{"permute-lifted", {NULL}, "p \033OC", IN(FULL) | IN(MONO)},
	{"presenter", {"--view", "explore"}, "\033[15~", IN(FULL) | IN(ASCII)},
	{"shuffled", {"--view", "order", "--order", "shuffle:3"}, "", IN(FULL)},
	{"light", {"--theme", "light"}, "", IN(FULL) | IN(PALETTE)},
	{"light-table", {"--theme", "light", "--view", "table"}, "", IN(FULL)},
	{"wide-tokens",
	 {"-s", "猫 が é שלום the Donaudampfschiff 👩‍🔬"},
	 "",
	 IN(FULL) | IN(ASCII)},
};

/* Structures over tokens, in the sizes of most terminals. */
#define OVER(option, sample, view, scheme)                             \
	{                                                              \
		option, sample, "--view", view, "-c", "scheme " scheme \
	}
static const struct shot structures[] = {
	{"relation-words", OVER("--conllu", "@dep2", "relation", "spr_rel"), ":cursor 2 8\r",
	 IN(FULL)},
	{"relation-tree", OVER("--tree", "@lisp", "relation", "tpe"), ":cursor 2 6\r", IN(FULL)},
	{"relation-graph", OVER("--graph", "@amr2", "relation", "graph_tr"), ":cursor 2 5\r",
	 IN(FULL) | IN(ASCII)},
	{"relation-fact", OVER("--graph", "@kg1", "relation", "graph_tr"), ":cursor 2 4\r",
	 IN(FULL)},
	{"order-words", OVER("--conllu", "@dep2", "order", "spr_rel"), ":reverse\r", IN(FULL)},
};

enum {
	N_DEEP = sizeof views_in_depth / sizeof *views_in_depth,
	N_OVERLAYS = sizeof overlays / sizeof *overlays,
	N_STRUCTURES = sizeof structures / sizeof *structures
};

/* ---- one screen -------------------------------------------------------------------------- */

/* A depth, its screen, and what that says. */
struct taken {
	const struct depth *depth;
	struct pty pty;
	const char *text, *look;
};

static void start(struct taken *t, const struct shot *s, const struct size *z)
{
	struct pty_look look = {.rows = z->rows, .cols = z->cols};
	size_t n_env = 0, n_args = 0;
	while (t->depth->env[n_env]) {
		look.env[n_env] = t->depth->env[n_env];
		n_env++;
	}
#if defined(__x86_64__)
	/* The same last digits on every machine that can. */
	if (__builtin_cpu_supports("avx2"))
		look.env[n_env++] = "OPENBLAS_CORETYPE=Haswell";
#endif
	for (; s->args[n_args]; n_args++)
		look.args[n_args] = s->args[n_args];
	look.args[n_args++] = "--listed";
	look.args[n_args++] = LISTED;
	look.args[n_args++] = "--timing"; /* times are no two times the same */
	look.args[n_args++] = "off";
	look.args[n_args++] = "--motion"; /* nor what moves */
	look.args[n_args++] = "off";
	if (strcmp(s->name, "learn") == 0) { /* the last digits of many steps are the processor's */
		look.args[n_args++] = "--train-steps";
		look.args[n_args++] = "20";
	}
	look.args[n_args] = t->depth->option;
	pty_start(&t->pty, &look);
}

/* The picture and its measures are there, and nothing more will come. */
static void take(struct taken *t, const struct shot *s, const struct size *z, struct arena *a)
{
	struct pty *const p = &t->pty;
	if (!pty_settle(p))
		PTY_FAIL(p, "%s %s %s: the program does not come to rest", s->name, z->name,
			 t->depth->name);
	if (pty_has(p, "computing"))
		PTY_FAIL(p, "%s %s %s: rests while it computes", s->name, z->name, t->depth->name);
	t->text = screen_text(p, a);
	t->look = screen_look(p, a);
}

/* The text stands only in the first depth that has it. */
static const char *file_text(const struct taken *all, size_t i, const struct shot *s,
			     const struct size *z, struct arena *a)
{
	size_t same = 0;
	while (strcmp(all[same].text, all[i].text) != 0)
		same++;
	const char *const text = same == i ? all[i].text
					   : arena_printf(a, "as in %s-%s-%s.txt\n", s->name,
							  z->name, all[same].depth->name);
	return arena_printf(a, "%s %s %s\n\n%s\n%s", s->name, z->name, all[i].depth->name, text,
			    all[i].look);
}

/* ---- what is kept ------------------------------------------------------------------------ */

static bool read_kept(const char *name, struct arena *a, char **out)
{
	enum { LIMIT = 1 << 20 };
	struct err err;
	size_t len;
	const char *const path = arena_printf(a, FOLDER "/%s", name);
	if (file_read(path, LIMIT, a, out, &len, &err))
		return true;
	print_error("%s (\"make screens\" writes it)\n", err.text);
	return false;
}

static char *after_lines(char *at, size_t n)
{
	for (; n > 0 && *at; n--)
		at += strcspn(at, "\n") + (strchr(at, '\n') != NULL);
	return at;
}

/* The two parts of a file: the look, and the text, perhaps that of the file that it refers to. */
static bool kept_parts(const char *name, const struct size *z, struct arena *a, const char **text,
		       const char **look)
{
	static const char refers[] = "as in ";
	const char *other;
	char *kept;
	if (!read_kept(name, a, &kept))
		return false;
	char *const from = after_lines(kept, 2);
	if (strncmp(from, refers, sizeof refers - 1) == 0) {
		*look = after_lines(from, 2);
		from[strcspn(from, "\n")] = '\0';
		return kept_parts(from + sizeof refers - 1, z, a, text, &other);
	}
	char *const end = after_lines(from, (size_t)z->rows - 1);
	*look = after_lines(end, 1);
	*text = arena_strndup(a, from, (size_t)(end - from));
	return true;
}

/* How many lines differ from what is kept; or writes it. */
static size_t compare(struct taken *all, size_t i, const struct shot *s, const struct size *z,
		      struct arena *a)
{
	enum { MOST = 12, LATE_SECONDS = 5 };
	const time_t end = time(NULL) + LATE_SECONDS;
	struct err err;
	const char *text, *look;
	const char *const name =
		arena_printf(a, "%s-%s-%s.txt", s->name, z->name, all[i].depth->name);
	if (getenv("SCREENS_WRITE")) {
		const char *const is = file_text(all, i, s, z, a);
		const char *const path = arena_printf(a, FOLDER "/%s", name);
		if (!file_write(path, is, strlen(is), true, &err))
			fail_msg("%s", err.text);
		return 0;
	}
	if (!kept_parts(name, z, a, &text, &look))
		return 1;
	/* On a busy machine a curve of the list can come after a rest. */
	for (; time(NULL) <= end; take(&all[i], s, z, a)) {
		if (strcmp(text, all[i].text) == 0 && strcmp(look, all[i].look) == 0)
			return 0;
		pty_pump(&all[i].pty, 50);
	}
	print_error(FOLDER "/%s\n", name);
	return screen_diff(text, all[i].text, MOST) + screen_diff(look, all[i].look, MOST);
}

/* ---- all of them ------------------------------------------------------------------------- */

/* A picture in its depths, which run at the same time, in one size after another. Returns how many lines
 * differ. */
static size_t shoot(const struct shot *s, const struct size *z, size_t n_sizes)
{
	struct taken all[DEPTHS];
	struct arena a;
	size_t wrong = 0, n = 0;
	arena_init(&a);
	for (size_t i = 0; i < DEPTHS; i++)
		if (s->depths & IN(i))
			all[n++].depth = &depths[i];
	for (size_t i = 0; i < n; i++)
		start(&all[i], s, z);
	for (size_t i = 0; i < n && s->keys; i++) {
		pty_settle(&all[i].pty);
		pty_type(&all[i].pty, s->keys);
	}
	for (size_t k = 0; k < n_sizes; k++) {
		for (size_t i = 0; i < n && k > 0; i++)
			pty_resize(&all[i].pty, z[k].rows, z[k].cols);
		for (size_t i = 0; i < n; i++)
			take(&all[i], s, &z[k], &a);
		for (size_t i = 0; i < n; i++)
			wrong += compare(all, i, s, &z[k], &a);
	}
	for (size_t i = 0; i < n; i++)
		pty_stop(&all[i].pty);
	arena_release(&a);
	return wrong;
}

TEST_IN_PARTS(views_are_as_kept, 3)
{
	size_t wrong = 0;
	for (size_t i = test_part; i < view_count(); i += test_parts) {
		const char *const view = views[i]->name;
		wrong += shoot(&(struct shot){view, {"--view", view}, NULL, IN(FULL)}, sizes,
			       N_SIZES);
	}
	assert_int_equal(wrong, 0);
}

TEST(depths_are_as_kept)
{
	size_t wrong = 0;
	for (size_t i = 0; i < N_DEEP; i++)
		wrong += shoot(&views_in_depth[i], &sizes[MIDDLE], 1);
	assert_int_equal(wrong, 0);
}

TEST(what_opens_is_as_kept)
{
	size_t wrong = 0;
	for (size_t i = 0; i < N_OVERLAYS; i++)
		wrong += shoot(&overlays[i], &sizes[MIDDLE], 1);
	assert_int_equal(wrong, 0);
}

TEST(structures_are_as_kept)
{
	size_t wrong = 0;
	for (size_t i = 0; i < N_STRUCTURES; i++)
		wrong += shoot(&structures[i], &sizes[MIDDLE], 2);
	assert_int_equal(wrong, 0);
}

static size_t count_depths(const struct shot *s, size_t n)
{
	size_t count = 0;
	for (size_t i = 0; i < n * DEPTHS; i++)
		count += (s[i / DEPTHS].depths & IN(i % DEPTHS)) != 0;
	return count;
}

TEST(no_file_is_left_over)
{
	if (getenv("SCREENS_WRITE"))
		skip();
	DIR *const dir = opendir(FOLDER);
	size_t n = 0;
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir)) != NULL;)
		n += strstr(e->d_name, ".txt") != NULL;
	closedir(dir);
	/* Views in depth are among the views, in full colour. */
	assert_int_equal(n, view_count() * N_SIZES + count_depths(views_in_depth, N_DEEP) - N_DEEP +
				    count_depths(overlays, N_OVERLAYS) +
				    2 * count_depths(structures, N_STRUCTURES));
}
