/* test_tour_drawn.c: every beat of every tour on screens of all sizes: nothing is cut, nothing lies over anything else,
 * and all its words are there, if need be one window after the other. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_view.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/tour/tour.h"

FIXTURE(open_arena, close_arena)

static const int sizes[][2] = {{120, 36}, {80, 24}, {60, 20}, {40, 12}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *const names[] = {"order",   "sinusoids",    "bias",		 "relative",
				    "buckets", "expansion",    "rotation",	 "extrapolation",
				    "rank",    "trees-graphs", "learning-order", "lengths",
				    "inside"};
enum { NAMES = sizeof names / sizeof *names };

static const struct tour *tour_of(const char *name)
{
	struct tour *const t = arena_calloc(&arena, 1, sizeof *t);
	struct err err;
	if (!tour_open(name, TOUR_LINES, NULL, NULL, &arena, t, NULL, &err))
		fail_msg("%s: %s", name, err.text);
	return t;
}

static struct canvas *canvas_of(const int *size, enum tier tier, bool ascii,
				struct canvas_report *report)
{
	struct canvas *const c = canvas_new(&arena, size[1], size[0], tier, ascii, true);
	*report = (struct canvas_report){0};
	c->report = report;
	return c;
}

static void expect_whole(const struct tour *t, size_t beat, const struct canvas *c,
			 const char *what)
{
	const struct canvas_report *const r = c->report;
	help_assert_whole(c);
	if (r->cut + r->over > 0)
		fail_msg("%s, %s, %dx%d: cut \"%s\", over \"%s\"\n%s", tour_where(t, beat, &arena),
			 what, c->cols, c->rows, r->cut_text, r->over_text, help_screen(c));
}

/* ---- words ---------------------------------------------------------------------------------------- */

/* Words without what parts them: blanks, ends of lines, labels. */
static void add_words(struct strbuf *b, const char *text)
{
	for (; text && *text; text++)
		if (*text != ' ' && *text != '\n')
			strbuf_add_char(b, *text);
}

static const char *all_words(const struct lesson *l)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	if (l->answer)
		add_words(&b, "answer");
	add_words(&b, l->answer);
	add_words(&b, l->say);
	if (l->ask)
		add_words(&b, "?");
	add_words(&b, l->ask);
	return b.len ? b.at : "";
}

/* The rule says that there is more, in words where it has room. */
static void expect_more(const struct canvas *c)
{
	const char *const rule = help_between(c, 0, 0, c->cols);
	assert_true(strstr(rule, "space: more") || strstr(rule, " … "));
}

/* What windows have below the rule, one after the other, as the space bar shows them. */
static const char *read_words(const struct tour *t, size_t beat, const int *size, int rows,
			      struct lesson l)
{
	struct strbuf b;
	struct canvas_report report;
	int of = 1, seen = 0, head = 0;
	strbuf_init(&b, &arena);
	for (l.first = 0; l.first < of; l.first += seen) {
		struct canvas *const c = canvas_of(size, TIER_256, false, &report);
		seen = canvas_lesson(c, (struct rect){0, 0, rows, c->cols}, &l, &of);
		expect_whole(t, beat, c, "words");
		assert_true(seen > 0);
		if (l.first + seen < of && !l.note)
			expect_more(c);
		head = l.first == 0 ? rows - seen : head; /* the first window is full, or all */
		for (int row = head; row < head + seen; row++)
			add_words(&b, help_between(c, row, 0, c->cols));
	}
	return b.len ? b.at : "";
}

/* Options may stand side by side: each is looked for by itself. */
static void expect_words(const struct tour *t, size_t beat, const int *size, const char *note)
{
	struct lesson l = tour_lesson(t, beat, &arena);
	struct canvas_report report;
	l.clock = "13:20 of 59:00";
	l.note = note;
	const struct canvas *const c = canvas_of(size, TIER_256, false, &report);
	const int rows = canvas_lesson_rows(c, &l, c->cols, canvas_lesson_room(c->rows));
	assert_true(rows + 4 <= c->rows);
	const char *const read = read_words(t, beat, size, rows, l);
	const char *const words = all_words(&l);
	if (strncmp(read, words, strlen(words)) != 0)
		fail_msg("%s, %dx%d: \"%s\" stands where \"%s\" would be right",
			 tour_where(t, beat, &arena), size[0], size[1], read, words);
	for (size_t i = 0; i < l.n_options; i++) {
		struct strbuf option;
		strbuf_init(&option, &arena);
		strbuf_add_char(&option, tour_letter((int)i));
		add_words(&option, l.options[i]);
		if (!strstr(read, option.at))
			fail_msg("%s, %dx%d: no \"%s\" in \"%s\"", tour_where(t, beat, &arena),
				 size[0], size[1], option.at, read);
	}
}

TEST(all_words_of_all_tours_are_read)
{
	for (size_t i = 0; i < NAMES; i++) {
		const struct tour *const t = tour_of(names[i]);
		for (size_t beat = 0; beat < t->n_beats; beat++)
			for (size_t s = 0; s < SIZES; s++) {
				expect_words(t, beat, sizes[s], NULL);
				expect_words(t, beat, sizes[s], "changed: space goes back");
			}
	}
}

/* ---- with the figure ------------------------------------------------------------------------------ */

static const char *missing_word(const char *in, const char *title)
{
	char *const all = arena_strdup(&arena, title ? title : "");
	char *rest = all;
	for (char *word = strtok_r(all, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		if (!strstr(in, word))
			return word;
	return NULL;
}

/* For the back row it is always said what is shown: all words of the panel's title, or of its brief one, stand above
 * the step's. */
static void expect_title(const struct tour *t, size_t beat, const struct canvas *c,
			 const struct panel *p, const struct lesson *l)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (int row = 0; row < c->rows; row++) {
		const char *const text = help_between(c, row, 0, c->cols);
		if (strstr(text, l->title))
			break;
		strbuf_printf(&b, "%s\n", text);
	}
	const char *const word = missing_word(b.at, p->title);
	if (word && !(p->brief_title && !missing_word(b.at, p->brief_title)))
		fail_msg("%s: no \"%s\" of \"%s\"\n%s", tour_where(t, beat, &arena), word, p->title,
			 help_screen(c));
}

static void draw(const struct tour *t, size_t beat, struct cache *cache, bool presenter)
{
	const struct tour_beat *const b = &t->beats[beat];
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct lesson l = tour_lesson(t, beat, &arena);
	struct scene scene = b->scene;
	struct err err = {""};
	size_t pane = SIZE_MAX;
	scene.presenter = presenter;
	if (strcmp(scene.view, "learn") == 0) /* what is drawn is of any steps */
		help_train_briefly(&scene);
	l.clock = "13:20 of 59:00";
	const bool made = tour_picture(b, &scene, false, BACKGROUND_DARK, cache, NULL, &arena, p,
				       &pane, &err);
	if (!made && !b->refused)
		fail_msg("%s: %s", tour_where(t, beat, &arena), err.text);
	for (size_t s = 0; s < SIZES; s++) {
		struct canvas_report report;
		const bool ascii = (beat + s) % 3 == 2;
		struct canvas *const c =
			canvas_of(sizes[s], ascii ? TIER_MONO : TIER_256, ascii, &report);
		canvas_lecture(c, &p->figure, pane, made ? NULL : err.text, &l, NULL);
		expect_whole(t, beat, c, presenter ? "presenter" : "screen");
		if (made && presenter && !ascii && sizes[s][0] >= 60)
			expect_title(t, beat, c,
				     &p->figure.panels[pane < p->figure.n
							       ? pane
							       : figure_first_map(&p->figure, 0)],
				     &l);
		if (!made)
			assert_non_null(strstr(help_screen(c), "…") ? NULL : "whole");
	}
}

static void draw_tours(size_t part, size_t parts, bool presenter)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	for (size_t i = 0; i < NAMES; i++) {
		const struct tour *const t = tour_of(names[i]);
		for (size_t beat = (part + i) % parts; beat < t->n_beats; beat += parts)
			draw(t, beat, cache, presenter);
	}
	cache_free(cache);
}

TEST_SAMPLED(every_beat_is_drawn, 1, 32)
{
	draw_tours(test_part, test_parts, false);
}

TEST_SAMPLED(every_beat_is_drawn_for_the_back_row, 1, 32)
{
	draw_tours(test_part, test_parts, true);
}
