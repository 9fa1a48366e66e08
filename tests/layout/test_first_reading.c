/* test_first_reading.c: what somebody who has never seen the program must find on one screen of a view: the words
 * and names that say what is drawn, whole, where they were once cut or hidden. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"
#include "posviz/plot/raster.h"

FIXTURE(open_arena, close_arena)

enum { WORDS = 6 };

static const struct {
	const char *view, *scheme, *words[WORDS];
} screens[] = {
	{"gradients",
	 "deberta",
	 {"chased, query", "cat, key", "rows: distance s − t, 9 longest of", "−4",
	  "largest first"}},
	{"gradients",
	 "sinusoidal",
	 {"chased, query", "By token vectors it is the same", "change of the weight, |∂α/∂p|",
	  "change of α · token"}},
	{"gradients",
	 "spr_rel",
	 {"a_key: vectors of the way in the tree, added to the", "chased, query",
	  "rows: relation"}},
	{"gradients", "t5", {"a row for each bucket of s − t.", "chased, query", "distance"}},
	{"vectors",
	 "deberta",
	 {"for each of the distances s − t", "−12", "−0.96.", "Similarity of rows"}},
	{"vectors", "spr_rel", {"−12", "Similarity of rows", "of 33"}},
	{"vectors", "t5", {"head 1", "head 4", "−91…", "−9.04", "unused"}},
	{"map",
	 "rope",
	 {"0.00191", "rope_llama3", "relative", "lie within 0.2 of rope", "a tenth of the"}},
	{"map", "spr_rel", {"*: only outputs differ", "★ this", "0.0277", "+N: N more drawn here"}},
	{"map", "graphormer", {"Attention weights", "No other scheme is near"}},
	{"values",
	 "graphormer",
	 {"Contributions", "weight α", "[VNode]", "asleep", "68 %", "chased"}},
	{"values", "rope", {"Contributions", "weight α", "length of α v"}},
	{"relation",
	 "deberta",
	 {"cat is 4 before chased", "the scheme reads a number", "520", "504"}},
	{"relation", "graphormer", {"4 edges away", "shortest path"}},
	{"layers", "spr_rel", {"0.82 after layer 1", "with causal mask", "this model"}},
	{"lengths", "graphormer", {"There is nothing to measure", "The view Explore"}},
	{"clocks", "deberta", {"deberta has no clocks", "instead", "it rotates nothing"}},
};

/* A tour that looks at a panel that is left out here looks at another one, and goes on. */
TEST(what_is_left_out_has_another_in_its_place)
{
	static const struct {
		const char *view, *scheme, *panel, *instead;
	} rows[] = {{"vectors", "t5", "cosine", "curve"},
		    {"vectors", "t5", "path", "curve"},
		    {"vectors", "sinusoidal", "cosine", "cosine"},
		    {"map", "graphormer", "nearest", "map"},
		    {"map", "rope", "nearest", "nearest"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene scene =
			help_scene(rows[i].scheme, help_view(&arena, rows[i].view));
		const struct picture *const p =
			help_picture(&arena, rows[i].scheme, help_view(&arena, rows[i].view));
		struct err err = {""};
		size_t pane;
		if (!view_pane(view_of(&scene), &p->figure, rows[i].panel, &arena, &pane, &err))
			fail_msg("%s", err.text);
		assert_string_equal(figure_panel_name(&p->figure, pane, &arena), rows[i].instead);
	}
}

/* Returns the screen without line ends within sentences. */
static const char *text_of(const struct canvas *c)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (int row = 0; row < c->rows; row++) {
		const char *at = help_between(c, row, 0, c->cols);
		at += strspn(at, " ");
		size_t len = strlen(at);
		while (len > 0 && at[len - 1] == ' ')
			len--;
		strbuf_printf(&b, "%.*s ", (int)len, at);
	}
	return b.at;
}

/* Weights of one word are all near 1/n: their colours are spread between the least and the largest, whose numbers
 * the bar says; equal ones keep the scale from 0, on which they have one colour. */
TEST(weights_of_one_word_have_all_colours)
{
	const struct picture *p = help_picture(&arena, "spr_rel", help_view(&arena, "metrics"));
	const struct heatmap *h = &help_named_panel(&p->figure, "repeated")->heatmap;
	double lo = INFINITY, hi = 0;
	for (size_t i = 0; i < h->values.rows * h->values.cols; i++) {
		const double x = mat_row(h->values, i / h->values.cols)[i % h->values.cols];
		lo = fmin(lo, x);
		hi = fmax(hi, x);
	}
	assert_true(lo * 2 > hi); /* else the case is no case */
	assert_within(h->scale.lo, lo, 0);
	assert_within(h->scale.hi, hi, 0);
	p = help_picture(&arena, "none", help_view(&arena, "metrics"));
	assert_within(help_named_panel(&p->figure, "repeated")->heatmap.scale.lo, 0, 0);
}

/* A page of the table says above it, in one sentence, what its signs mean, and that sentence is whole. */
TEST(a_page_of_the_table_says_its_signs)
{
	const struct picture *const p = help_picture(&arena, "rope", help_view(&arena, "table"));
	const struct raster_look look = {1600, 1000, 96, false, false};
	struct image image;
	struct raster_report r;
	struct err err = {""};
	bool whole = false;
	if (!raster_image(&p->figure, &look, &arena, &image, &r, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < r.n; i++)
		whole |= strstr(r.boxes[i].text, "words in (brackets) were measured") &&
			 strstr(r.boxes[i].text, "behind ≠ is what was measured") &&
			 !strstr(r.boxes[i].text, "…");
	assert_true(whole);
}

/* On a low screen heads have their sentence in the row that is free above the curves. */
TEST(heads_have_their_sentence_on_a_low_screen)
{
	struct tui *const t = help_tui(&arena, "rope", help_view(&arena, "heads"), BACKGROUND_DARK);
	const struct help_look look = {60, 20, TIER_DIRECT, false};
	const struct canvas *const c = help_frame(t, look);
	if (!strstr(text_of(c), "All 4 heads attend most to the token itself (s−t = 0)."))
		fail_msg("%s", help_screen(c));
}

TEST_IN_PARTS(a_first_reader_finds_what_is_drawn, 2)
{
	static const int sizes[][2] = {{80, 24}, {120, 36}};
	enum { N = sizeof screens / sizeof *screens };
	for (size_t i = test_part; i < N; i += test_parts) {
		struct tui *const t = help_tui(&arena, screens[i].scheme,
					       help_view(&arena, screens[i].view), BACKGROUND_DARK);
		for (size_t k = 0; k < 2; k++) {
			const struct help_look look = {sizes[k][0], sizes[k][1], TIER_DIRECT,
						       false};
			const struct canvas *const c = help_frame(t, look);
			const char *const text = text_of(c);
			/* A time is whole, also while measures are on their way. */
			if (strstr(help_between(c, 0, 0, c->cols), "s…"))
				fail_msg("%s", help_screen(c));
			for (size_t w = 0; w < WORDS && screens[i].words[w]; w++)
				if (!strstr(text, screens[i].words[w]))
					fail_msg("%s of %s at %dx%d lacks \"%s\":\n%s",
						 screens[i].view, screens[i].scheme, sizes[k][0],
						 sizes[k][1], screens[i].words[w], help_screen(c));
		}
		help_tui_done(t);
	}
}
