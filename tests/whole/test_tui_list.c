/* test_tui_list.c: the list of schemes and their small curves: what the worker hands over and when, and
 * what is seen of it at every size. */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_tui.h"
#include "posviz/app/app.h"
#include "posviz/app/worker.h"
#include "posviz/base/text.h"
#include "posviz/scheme/scheme.h"

FIXTURE(NULL, tui_teardown)

/* ---- the worker -------------------------------------------------------------------------- */

static int patience_ms(void)
{
	return 1000 * (int)pty_patience();
}

/* The next result of a kind; those of other kinds are counted on the way. */
static const struct result *take(struct worker *w, enum result_kind kind, int *others)
{
	struct pollfd bell = {.fd = worker_fd(w), .events = POLLIN};
	for (;;) {
		const struct result *found = worker_take(w, kind);
		for (enum result_kind k = 0; k < RESULT_KINDS; k++)
			if (k != kind && k != RESULT_WRITE && worker_take(w, k))
				++*others;
		if (found)
			return found;
		char rung;
		if (poll(&bell, 1, patience_ms()) != 1 || read(worker_fd(w), &rung, 1) != 1)
			fail_msg("no result of kind %d", (int)kind);
	}
}

static const struct scheme_curve *curve_in(const struct result *r, const char *id)
{
	for (size_t i = 0; i < r->n_curves; i++)
		if (strcmp(r->curves[i].scheme->id, id) == 0)
			return &r->curves[i].curve;
	return NULL;
}

TEST(curves_come_after_the_picture_and_its_measures)
{
	struct worker *const w = worker_new();
	struct scene s;
	int before = 0;
	scene_init(&s);
	worker_submit(w, &s);
	worker_submit_measures(w, &s, MEASURED_OWN_ORDER, 0);
	worker_submit_curves(w, &s);
	const struct result *const r = take(w, RESULT_CURVES, &before);
	assert_in_range(before, 2, 3); /* measures come as far as they are known, and all */
	assert_true(r->ok);
	assert_true(r->n_curves >= scheme_count());
	for (size_t i = 0; i < scheme_count(); i++)
		assert_non_null(curve_in(r, scheme_at(i)->id));
	assert_true(curve_in(r, "alibi")->at[0] < 0 && isnan(curve_in(r, "alibi")->at[8]));
	worker_free(w);
}

/* Whether one comes of its own accord, also behind others; it would take it a thousandth of this time. */
static bool comes(struct worker *w, enum result_kind kind)
{
	struct pollfd bell = {.fd = worker_fd(w), .events = POLLIN};
	char rung;
	bool there = worker_take(w, kind) != NULL;
	while (!there && poll(&bell, 1, 300) == 1 && read(worker_fd(w), &rung, 1) == 1)
		there = worker_take(w, kind) != NULL;
	return there;
}

/* What is looked at does not change them; another seed does, another list and a name of one's own. */
TEST(curves_are_made_again_only_for_another_list)
{
	static const char *const fields[][2] = {
		{"sentence", "a b"}, {"scheme", "t5"}, {"heads", "2"}, {"head", "2"}};
	struct worker *const w = worker_new();
	struct scene s;
	int others = 0;
	scene_init(&s);
	worker_submit_curves(w, &s);
	take(w, RESULT_CURVES, &others);
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		assert_true(scene_set(&s, field_find(fields[i][0]), fields[i][1], NULL));
		worker_submit_curves(w, &s);
		worker_submit(w, &s);
		take(w, RESULT_PICTURE, &others);
	}
	assert_false(comes(w, RESULT_CURVES));
	assert_true(scene_set(&s, field_find("listed"), "t5 alibi", NULL));
	worker_submit_curves(w, &s);
	assert_int_equal(take(w, RESULT_CURVES, &others)->n_curves, 2);
	assert_true(scene_set(&s, field_find("seed"), "7", NULL));
	worker_submit_curves(w, &s);
	assert_int_equal(take(w, RESULT_CURVES, &others)->scene.setup.seed, 7);
	assert_true(scene_set(&s, field_find("listed"), "all", NULL));
	assert_true(define_set("of-my-own", "alibi+causal", NULL));
	worker_submit_curves(w, &s);
	assert_non_null(curve_in(take(w, RESULT_CURVES, &others), "of-my-own"));
	assert_true(define_set("of-my-own", "tupe_r+deberta", NULL)); /* no model has both */
	worker_submit_curves(w, &s);
	const struct result *const r = take(w, RESULT_CURVES, &others);
	assert_true(r->ok && isnan(curve_in(r, "of-my-own")->at[0]));
	define_remove("of-my-own", NULL);
	worker_free(w);
}

/* A picture cancels them, and they come all the same. */
TEST(curves_outlast_pictures_and_what_is_given_up)
{
	struct worker *const w = worker_new();
	struct scene s;
	int others = 0;
	scene_init(&s);
	worker_submit_curves(w, &s);
	for (int i = 0; i < 20; i++) {
		s.setup.heads = i % 2 ? 4 : 2;
		worker_submit(w, &s);
	}
	worker_cancel(w);
	assert_true(take(w, RESULT_CURVES, &others)->ok);
	worker_free(w);
}

/* The curves are being computed, not asked for alone. */
static void wait_until_running(struct worker *w)
{
	struct work_done done;
	for (int ms = 0; !worker_progress(w, RESULT_CURVES, &done); ms++) {
		if (ms == patience_ms())
			fail_msg("curves are not begun");
		poll(NULL, 0, 1);
	}
}

/* The worker begins curves again that a picture made it give up. */
TEST(curves_that_a_picture_stops_go_on_behind_it)
{
	struct worker *const w = worker_new();
	struct scene s;
	int others = 0;
	scene_init(&s);
	for (int i = 1; i <= 3; i++) {
		s.setup.seed = (uint64_t)i;
		worker_submit_curves(w, &s);
		wait_until_running(w);
		worker_submit(w, &s);
		const struct result *const r = take(w, RESULT_CURVES, &others);
		assert_true(r->ok);
		assert_int_equal(r->scene.setup.seed, i);
	}
	worker_free(w);
}

/* ---- the screen -------------------------------------------------------------------------- */

/* Columns in which the list has braille; and its names, each of a scheme. */
static bool has_braille(const char *text)
{
	for (; *text; text++)
		if (text[0] == '\xe2' && (unsigned char)text[1] >= 0xa0 &&
		    (unsigned char)text[1] <= 0xa3)
			return true;
	return false;
}

/* The first `cols` columns of a row. */
static const char *left_of(const struct pty *p, int row, int cols)
{
	static char out[512];
	size_t used;
	const char *const text = pty_row(p, row);
	snprintf(out, sizeof out, "%.*s", (int)text_fit(text, (size_t)cols, &used), text);
	return out;
}

/* The first word of a row of the list that is a scheme's; "" of other rows. */
static const char *name_in(const char *row)
{
	static char name[64];
	const char *const at = strstr(row, "│") ? strstr(row, "│") + strlen("│") : row;
	name[0] = '\0';
	if (strncmp(at, "   ", 3) == 0 || strncmp(at, " ▸ ", strlen(" ▸ ")) == 0)
		sscanf(at + strspn(at, " ▸"), "%63[a-z0-9_]", name);
	return name;
}

static const struct {
	int rows, cols, list; /* columns of the list */
	const char *keys;     /* that bring it */
} sizes[] = {
	{50, 200, 32, ""},   {36, 120, 26, ""},	  {24, 80, 26, "/su"},
	{20, 60, 26, "/su"}, {12, 40, 26, "/su"},
};

TEST(names_stand_whole_beside_authors_and_curves)
{
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct pty_look look = {.rows = sizes[i].rows,
					      .cols = sizes[i].cols,
					      .args = {"--scheme", "kerple"}};
		struct pty *const p = tui_start(&look);
		int names = 0, curves = 0;
		PTY_EXPECT(p, pty_wait(p, "chased"));
		pty_type(p, sizes[i].keys);
		PTY_EXPECT(p, *sizes[i].keys == '\0' || pty_wait(p, "found"));
		PTY_EXPECT(p, pty_settle(p));
		for (int row = 1; row + 3 < look.rows; row++) {
			const char *const text = left_of(p, row, sizes[i].list);
			const char *const name = name_in(text);
			if (!*name)
				continue;
			if (!scheme_find(name, strlen(name), NULL))
				PTY_FAIL(p, "\"%s\" is no scheme", name);
			names++;
			curves += has_braille(text);
		}
		if (names < 4 || (look.cols >= 160 ? curves < names - 2 : curves > 0))
			PTY_FAIL(p, "%d curves of %d names", curves, names);
	}
}

/* Of the worked values in test_scheme_curve.c, in four levels: 0 to −8/9·… down in a line to the left. */
TEST(the_list_shows_what_the_schemes_do)
{
	static const struct {
		const char *scheme, *curve;
	} cases[] = {{"alibi", "Press ⢀⠔⠊   2022"},
		     {"none", "Vaswani ⢀⣀⣀⣀⣀ 2017"},
		     {"rope", "Su ⢀⢄⠎⢆⢄ 2021"},
		     {"sinusoidal", " ⢀⡠⠊⠢⣀ 2017"},
		     {"causal", "⢀⣀⣀"},
		     {"t5", "Raffel ⢀⡠⠊⠢⣀ 2020"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct pty_look look = {
			.rows = 36, .cols = 160, .args = {"--scheme", cases[i].scheme}};
		struct pty *const p = tui_ready(&look);
		char begin[64];
		int row, col;
		snprintf(begin, sizeof begin, "▸ %s ", cases[i].scheme);
		PTY_EXPECT(p, pty_find(p, begin, &row, &col));
		if (!strstr(left_of(p, row, 32), cases[i].curve))
			PTY_FAIL(p, "%s: no %s", cases[i].scheme, cases[i].curve);
	}
}

TEST(where_dots_are_missing_there_are_no_curves)
{
	static const struct pty_look looks[] = {
		{.rows = 36, .cols = 120, .args = {"--glyphs", "quadrants"}},
		{.rows = 36, .cols = 120, .args = {"--glyphs", "ascii"}},
		{.rows = 24, .cols = 24}};
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
		struct pty *const p = tui_start(&looks[i]);
		PTY_EXPECT(p, pty_wait(p, "chased"));
		pty_type(p, "/rope");
		PTY_EXPECT(p, pty_wait(p, "found"));
		PTY_EXPECT(p, pty_settle(p));
		for (int row = 0; row < looks[i].rows; row++)
			assert_false(has_braille(left_of(p, row, 24)));
		PTY_EXPECT(p, pty_has(p, "Su 2021")); /* the author has the room */
	}
}

/* A name that is defined has its curve at once, and another seed changes those that are drawn. */
TEST(the_list_follows_names_and_seed)
{
	const struct pty_look look = {.rows = 50, .cols = 200, .args = {"--scheme", "tisa"}};
	struct pty *const p = tui_ready(&look);
	char before[512];
	int row, col;
	PTY_EXPECT(p, pty_find(p, "▸ tisa ", &row, &col));
	snprintf(before, sizeof before, "%s", left_of(p, row, 32));
	pty_type(p, ":seed 3\r");
	PTY_EXPECT(p, pty_settle(p));
	assert_string_not_equal(before, left_of(p, row, 32));
	pty_type(p, ":define downhill alibi\r");
	PTY_EXPECT(p, pty_settle(p));
	pty_type(p, "/downhill");
	PTY_EXPECT(p, pty_wait(p, "1 found"));
	PTY_EXPECT(p, pty_has(p, "⢀⠔⠊"));
	pty_type(p, "\033");
	PTY_EXPECT(p, pty_wait_gone(p, "1 found"));
	tui_quit(p);
}
