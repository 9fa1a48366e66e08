/* test_raster.c: every figure of a table is measured: nothing overlaps, nothing is cut, everything
 * can be read, labels stay distinct, cells have the colours of their values, bytes repeat. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_pages.h"
#include "posviz/plot/raster.h"

enum words { SHORT, LONG, CJK, ARABIC, MIXED, NUMBERS };

struct spec {
	size_t n;
	enum words words;
	size_t series;
	int width, height;
	bool dark, cursor, nan, absent, other;
	enum scale_mode mode;
};

static const struct spec specs[] = {
	{1, SHORT, 1, 1600, 1000},
	{2, SHORT, 2, 1600, 1000, .dark = true},
	{7, SHORT, 3, 1600, 1000, .cursor = true},
	{12, SHORT, 4, 1600, 1000},
	{12, SHORT, 4, 800, 500},
	{12, SHORT, 8, 2400, 1500, .dark = true},
	{12, LONG, 4, 1600, 1000, .cursor = true},
	{12, LONG, 4, 800, 500},
	{7, LONG, 8, 1000, 1000},
	{2, LONG, 1, 1600, 1000},
	{1, LONG, 2, 1600, 1000},
	{12, CJK, 5, 1600, 1000},
	{12, ARABIC, 6, 1600, 1000},
	{12, MIXED, 7, 1200, 800, .nan = true},
	{12, NUMBERS, 4, 1600, 1000},
	{64, SHORT, 4, 1600, 1000, .mode = SCALE_SQRT},
	{64, LONG, 8, 2400, 1500, .cursor = true},
	{64, NUMBERS, 4, 800, 500, .mode = SCALE_SYMLOG},
	{100, MIXED, 4, 2000, 1000, .mode = SCALE_SYMLOG},
	{513, SHORT, 4, 1600, 1000},
	{513, NUMBERS, 1, 800, 500, .dark = true},
	{12, SHORT, 4, 1600, 1000, .other = true},
	{12, LONG, 4, 900, 600, .other = true, .dark = true},
	{12, SHORT, 4, 1600, 1000, .absent = true},
	{12, SHORT, 4, 1600, 500},
	{12, SHORT, 4, 1000, 1400},
};
enum { SPECS = sizeof specs / sizeof specs[0] };

static const char **make_labels(struct arena *a, const struct spec *s)
{
	static const char *const words[] = {"the", "cat", "that", "dog", "chased", "all", "."};
	static const char *const cjk[] = {"猫", "犬が", "はじめまして", "走る", "。"};
	static const char *const arabic[] = {"عربي", "القطة", "كلب", "في"};
	if (s->words == NUMBERS)
		return NULL;
	const char **out = arena_calloc(a, s->n, sizeof *out);
	for (size_t i = 0; i < s->n; i++) {
		const enum words kind = s->words == MIXED ? (enum words)(i % 4) : s->words;
		if (kind == SHORT)
			out[i] = i < 7 ? words[i] : arena_printf(a, "%s%zu", words[i % 7], i);
		else if (kind == LONG)
			out[i] =
				arena_printf(a, "Donaudampfschifffahrts%zugesellschaftskapitän", i);
		else if (kind == CJK)
			out[i] = arena_printf(a, "%s%zu", cjk[i % 5], i);
		else
			out[i] = arena_printf(a, "%s%zu", arabic[i % 4], i);
	}
	return out;
}

static struct panel make_heatmap(struct arena *a, const struct spec *s, bool weights)
{
	struct heatmap h = {
		.values = {s->n, s->n, s->n, arena_calloc(a, s->n * s->n, sizeof(double))},
		.row_labels = make_labels(a, s),
		.row_title = "query t",
		.col_title = "key s",
		.scale = scale_fit(-1.7, weights ? 1 : 0.4, s->mode, !weights, weights),
		.colormap = colormap_find(weights   ? "viridis"
					  : s->dark ? "night"
						    : "vik"),
		.has_cursor = s->cursor,
		.row = s->n / 2,
		.col = s->n - 1,
	};
	h.col_labels = h.row_labels;
	uint8_t *masked = arena_calloc(a, s->n, s->n);
	for (size_t t = 0; t < s->n; t++)
		for (size_t k = 0; k < s->n; k++) {
			const double d = (double)k - (double)t;
			h.values.at[t * s->n + k] =
				weights ? exp(-fabs(d)) : -1.7 * (1 - cos(d / 4)) / 2;
			masked[t * s->n + k] = weights && k > t;
		}
	if (weights)
		h.masked = masked;
	if (s->nan)
		h.values.at[s->n] = NAN;
	return (struct panel){.kind = PANEL_HEATMAP,
			      .title = weights ? "Attention weights" : "Position bias",
			      .note = "head 1 of 4",
			      .subtitle =
				      "logits, the same word everywhere, minus the same without it",
			      .rows = 1,
			      .cols = 1,
			      .col = weights,
			      .heatmap = h};
}

static struct panel make_curves(struct arena *a, const struct spec *s)
{
	struct series *series = arena_calloc(a, s->series, sizeof *series);
	const size_t n = 2 * s->n - 1;
	for (size_t i = 0; i < s->series; i++) {
		double *at = arena_calloc(a, 4 * n, sizeof *at);
		series[i] = (struct series){
			.label = arena_printf(a, "head %zu%s", i + 1,
					      s->words == LONG ? " of Donaudampfschifffahrt" : ""),
			.n = n,
			.x = at,
			.y = at + n,
			.lo = at + 2 * n,
			.hi = at + 3 * n,
			.colour = i,
			.active = i == 6};
		for (size_t k = 0; k < n; k++) {
			at[k] = (double)k - (double)s->n + 1;
			at[n + k] = -fabs(at[k]) / (double)(s->n + i);
			at[2 * n + k] = at[n + k] * 1.2;
			at[3 * n + k] = at[n + k] * 0.8;
		}
		if (s->nan)
			at[n] = NAN;
	}
	return (struct panel){.kind = PANEL_CURVES,
			      .title = "Position bias by distance",
			      .note = "mean over t; band: min to max",
			      .row = 1,
			      .rows = 1,
			      .cols = 2,
			      .curves = {.series = series,
					 .n = s->series,
					 .x_title = "key minus query, s − t",
					 .y_title = "logit",
					 .integer_x = true,
					 .has_cursor = s->cursor,
					 .cursor = 1}};
}

static const struct card_line lines[] = {
	{"reference point", "relative", "moves 3·10⁻¹⁶ under a shift"},
	{"injection", "attention matrix", "queries and keys, every layer"},
	{"direction", "aware", "under a random projection; blind when q = k, that is, when tied"},
	{NULL, "also", "continued"},
	{"order", "seen", "‖P·T(X) − T(P·X)‖ / ‖T(X)‖ = 0.83, 8 shuffles"},
};

static void add_other_panels(struct figure *f)
{
	static const char *const names[] = {"unit–unit", "unit–position", "rest"};
	static const double shares[] = {0.61, -0.2, 0.004};
	static const char *const head[] = {"scheme", "authors", "year", "parameters"};
	static const char *const cells[] = {"rope",
					    "Su et al.",
					    "2021",
					    "0",
					    "a scheme of a very long name indeed",
					    "Shaw et al.",
					    "2018",
					    "(2 t_max − 1) d",
					    "t5",
					    "Raffel et al.",
					    "2020",
					    "32 h"};
	static const bool right[] = {false, false, true, true};
	f->panels[1].kind = PANEL_BARS;
	f->panels[1].bars = (struct bars){
		.n = 3, .labels = names, .values = shares, .unit = "share of variance"};
	f->panels[2].kind = PANEL_TABLE;
	f->panels[2].table = (struct table){3, 4, head, cells, right, true, 1};
}

static struct figure make_figure(struct arena *a, const struct spec *s)
{
	struct figure f = {
		.title = "Rotary position embedding",
		.subtitle = "Su et al. 2021 · rope+causal · head 1 of 4",
		.caption = "“the cat that the dog chased all morning finally fell asleep .” n "
			   "12 · d 64 · h 4 · seed 0 · identity projection · base 10000",
		.caption_right = "posviz 0.1",
		.command = "posviz render rope+causal -s 'the cat' -o figure.png",
		.col_weight = {10, 10, 7},
		.row_weight = {3, 2}};
	f.panels[f.n++] = make_heatmap(a, s, false);
	f.panels[f.n++] = make_heatmap(a, s, true);
	f.panels[f.n++] = make_curves(a, s);
	f.panels[f.n++] = (struct panel){.kind = PANEL_CARD,
					 .title = "What it does",
					 .col = 2,
					 .rows = 2,
					 .cols = 1,
					 .card = {.formula = "A_ts = (R_t q_t)ᵀ (R_s k_s) / √d_h",
						  .about = "Rotates queries and keys by an angle "
							   "that grows with the position.",
						  .lines = lines,
						  .n = sizeof lines / sizeof lines[0]}};
	if (s->other)
		add_other_panels(&f);
	if (s->absent)
		for (size_t i = 0; i < f.n; i++)
			f.panels[i].absent = "The Gaussian replaces the weights: there is no bias.";
	return f;
}

struct drawn {
	struct arena arena;
	struct figure figure;
	struct image image;
	struct raster_report report;
};

static void draw(struct drawn *d, const struct spec *s)
{
	struct err err = {{0}};
	const struct raster_look look = {s->width, s->height, 150, s->dark, true};
	arena_init(&d->arena);
	d->figure = make_figure(&d->arena, s);
	if (!raster_image(&d->figure, &look, &d->arena, &d->image, &d->report, &err))
		fail_msg("n %zu at %d x %d: %s", s->n, s->width, s->height, err.text);
}

static void check_texts(size_t figure, const struct raster_report *r, int width, int height)
{
	assert_true(r->n >= 3);
	assert_int_equal(r->missing_glyphs, 0);
	for (size_t k = 0; k < r->n; k++) {
		const struct text_box *box = &r->boxes[k];
		if (!text_box_inside(box, width, height))
			fail_msg("figure %zu: cut: %s", figure, box->text);
		if (colour_contrast(box->ink, box->paper) < 4.5)
			fail_msg("figure %zu: pale: %s", figure, box->text);
		if (box->height < 11)
			fail_msg("figure %zu: tiny: %s", figure, box->text);
		for (size_t m = 0; m < k; m++)
			if (text_box_overlap(box, &r->boxes[m]))
				fail_msg("figure %zu: overlap: %s / %s", figure, box->text,
					 r->boxes[m].text);
	}
}

TEST(figures_keep_texts_apart_and_on_the_page)
{
	for (size_t i = 0; i < SPECS; i++) {
		struct drawn d;
		draw(&d, &specs[i]);
		check_texts(i, &d.report, specs[i].width, specs[i].height);
		arena_release(&d.arena);
	}
}

/* Cells of few pixels have room for one number beside them, or for none. */
TEST_SAMPLED(numbers_of_a_small_map_keep_apart, 1, 4)
{
	for (int width = 300; width < 420; width += 6)
		for (size_t n = 2; n < 10; n++) {
			if ((n + (size_t)width / 6) % test_parts != test_part)
				continue;
			const struct spec s = {n, LONG, 1, width, 1000, .cursor = true};
			const struct raster_look look = {width, 1000, 150, false, true};
			struct arena a;
			arena_init(&a);
			struct figure f = make_figure(&a, &s);
			f.n = 2;
			const struct raster_report r = help_page_report(&f, &look, &a);
			for (size_t i = 0; i < r.n; i++)
				for (size_t k = 0; k < i; k++)
					if (text_box_overlap(&r.boxes[i], &r.boxes[k]))
						fail_msg("n %zu, %d wide: %s / %s", n, width,
							 r.boxes[i].text, r.boxes[k].text);
			arena_release(&a);
		}
}

/* Shapes and values at their limits: all that is asked is a page that can be read. */
TEST(odd_matrices_are_drawn)
{
	static const struct {
		size_t rows, cols;
		double value;
		bool integers;
	} cases[] = {
		{1, 64, 0.5},	{64, 1, 0.5},	   {4, 512, -0.5}, {512, 4, 3},
		{12, 5, 1e300}, {5, 12, 1e-300},   {3, 3, NAN},	   {3, 3, -INFINITY},
		{0, 0, 0},	{40, 40, 7, true}, {2, 2, -1},	   {1, 1, -0.0001},
	};
	for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
		const size_t rows = cases[i / 2].rows, cols = cases[i / 2].cols;
		const double value = cases[i / 2].value;
		struct arena a;
		struct err err = {{0}};
		struct image image;
		struct raster_report report;
		arena_init(&a);
		struct mat values = {rows, cols, cols, arena_calloc(&a, rows * cols + 1, 8)};
		for (size_t k = 0; k < rows * cols; k++)
			values.at[k] = k % 3 == 0 ? value : 0;
		const struct figure f = {
			.caption = "odd",
			.panels = {{.kind = PANEL_HEATMAP,
				    .title = "Odd",
				    .heatmap = {.values = values,
						.row_title = "a rather long title of rows",
						.col_title = "a rather long title of columns",
						.scale = scale_fit(fmin(value, 0), fmax(value, 0),
								   (enum scale_mode)(i % 3),
								   i % 2 == 0, false),
						.colormap = colormap_find("vik"),
						.integers = cases[i / 2].integers}}},
			.n = 1};
		const struct raster_look look = {i % 2 == 0 ? 900 : 500, 600, 96};
		if (!raster_image(&f, &look, &a, &image, &report, &err))
			fail_msg("odd %zu: %s", i, err.text);
		check_texts(i, &report, look.width, look.height);
		arena_release(&a);
	}
}

TEST(figures_keep_texts_out_of_plots)
{
	for (size_t i = 0; i < SPECS; i++) {
		struct drawn d;
		draw(&d, &specs[i]);
		for (size_t k = 0; k < d.report.plot_n; k++) {
			const struct plot_box *plot = &d.report.plots[k];
			const struct text_box data = {plot->x + 1, plot->y + 1, plot->width - 2,
						      plot->height - 2};
			assert_true(plot->x >= 0 && plot->x + plot->width <= specs[i].width);
			assert_true(plot->y >= 0 && plot->y + plot->height <= specs[i].height);
			if (d.figure.panels[plot->panel].kind != PANEL_HEATMAP)
				continue;
			for (size_t m = 0; m < d.report.n; m++) {
				const struct text_box *box = &d.report.boxes[m];
				const bool in_cell =
					box->paper != (specs[i].dark ? 0x1a1b20 : 0xffffff);
				if (!in_cell && text_box_overlap(box, &data))
					fail_msg("figure %zu: on the data: %s", i, box->text);
			}
		}
		arena_release(&d.arena);
	}
}

/* Row labels end just left of the data, beside it; turned ones belong to columns. */
static bool is_label(const struct text_box *box, const struct plot_box *plot, bool row)
{
	if (!row)
		return box->angle < 0 && box->x > plot->x - 30 && box->x < plot->x + plot->width;
	const double mid = box->y + box->height / 2, end = box->x + box->width;
	return box->angle == 0 && mid > plot->y && mid < plot->y + plot->height &&
	       end > plot->x - 14 && end < plot->x && box->x > plot->x - 300;
}

TEST(labels_of_one_axis_are_distinct)
{
	size_t pairs = 0;
	for (size_t i = 0; i < SPECS; i++) {
		struct drawn d;
		draw(&d, &specs[i]);
		for (size_t k = 0; k < 2 * d.report.plot_n; k++) {
			const struct plot_box *plot = &d.report.plots[k / 2];
			if (d.figure.panels[plot->panel].kind != PANEL_HEATMAP)
				continue;
			for (size_t m = 0; m < d.report.n; m++) {
				for (size_t o = 0; o < m; o++) {
					const struct text_box *x = &d.report.boxes[m];
					const struct text_box *y = &d.report.boxes[o];
					if (!is_label(x, plot, k % 2) || !is_label(y, plot, k % 2))
						continue;
					pairs++;
					if (strcmp(x->text, y->text) == 0)
						fail_msg("figure %zu: twice: %s", i, x->text);
				}
			}
		}
		arena_release(&d.arena);
	}
	assert_true(pairs > 500);
}

/* A little above the middle, where a number may stand. */
TEST(cells_have_the_colours_of_their_values)
{
	size_t checked = 0;
	for (size_t i = 0; i < SPECS; i++) {
		if (specs[i].cursor || specs[i].nan)
			continue;
		struct drawn d;
		draw(&d, &specs[i]);
		for (size_t k = 0; k < d.report.plot_n; k++) {
			const struct plot_box *plot = &d.report.plots[k];
			const struct panel *panel = &d.figure.panels[plot->panel];
			const struct heatmap *h = &panel->heatmap;
			if (panel->kind != PANEL_HEATMAP ||
			    plot->width < 3.0 * (double)h->values.cols)
				continue;
			for (size_t c = 0; c < h->values.rows * h->values.cols; c++) {
				const double row = (double)(c / h->values.cols);
				const double col = (double)(c % h->values.cols);
				const double x =
					plot->x + (col + 0.5) * plot->width / (double)specs[i].n;
				const double y =
					plot->y + (row + 0.3) * plot->height / (double)specs[i].n;
				if (h->masked != NULL && h->masked[c])
					continue;
				const double at = scale_at(&h->scale, h->values.at[c], NULL);
				assert_int_equal(help_pixel(&d.image, x, y),
						 colormap_rgb(h->colormap, at));
				checked++;
			}
		}
		arena_release(&d.arena);
	}
	assert_true(checked > 5000);
}

TEST(an_alarm_is_seen_and_said)
{
	const struct spec s = {12, SHORT, 2, 1600, 1000, .nan = true};
	struct drawn d;
	draw(&d, &s);
	bool mark = false, words = false;
	for (size_t i = 0; i < d.report.n; i++) {
		mark = mark || strcmp(d.report.boxes[i].text, "!") == 0;
		words = words || strstr(d.report.boxes[i].text, "not a finite number") != NULL;
	}
	assert_true(mark && words);
	arena_release(&d.arena);
}

TEST(a_mean_over_cells_is_said)
{
	const struct spec s = {513, SHORT, 2, 1000, 700};
	struct drawn d;
	bool words = false;
	draw(&d, &s);
	for (size_t i = 0; i < d.report.n; i++)
		words = words || strstr(d.report.boxes[i].text, "the mean of") != NULL;
	assert_true(words);
	arena_release(&d.arena);
}

TEST(markers_of_a_formula_become_attributes)
{
	const struct spec s = {2, SHORT, 1, 1600, 1000};
	struct drawn d;
	bool found = false;
	draw(&d, &s);
	for (size_t i = 0; i < d.report.n; i++)
		found = found ||
			strcmp(d.report.boxes[i].text, "Ats = (Rt qt)ᵀ (Rs ks) / √dh") == 0;
	assert_true(found);
	arena_release(&d.arena);
}

TEST(the_same_figure_gives_the_same_bytes)
{
	const struct spec s = {12, MIXED, 5, 1600, 1000};
	struct drawn one, two;
	draw(&one, &s);
	draw(&two, &s);
	assert_memory_equal(one.image.rgb, two.image.rgb, 3u * 1600 * 1000);
	const struct raster_look look = {1600, 1000, 150};
	for (int kind = RASTER_SVG; kind <= RASTER_PDF; kind++) {
		char *first, *second;
		size_t first_len, second_len;
		assert_true(raster_vector(&one.figure, &look, kind, &one.arena, &first, &first_len,
					  NULL, NULL));
		assert_true(raster_vector(&two.figure, &look, kind, &two.arena, &second,
					  &second_len, NULL, NULL));
		assert_int_equal(first_len, second_len);
		assert_memory_equal(first, second, first_len);
		assert_memory_equal(first, kind == RASTER_SVG ? "<?xml" : "%PDF-", 5);
	}
	arena_release(&one.arena);
	arena_release(&two.arena);
}

/* What no font can show is counted, with the text it stands in; joined signs that a font can show are
 * not. */
TEST(missing_glyphs_are_reported)
{
	static const struct {
		const char *word;
		bool missing;
	} cases[] = {
		{"plain", false},
		{"naïve", false},
		{"\xf3\xb0\x80\x80", true},   /* U+F0000, for private use */
		{"a\xf4\x8f\xbf\xbdz", true}, /* U+10FFFD, within a word */
		{"a\u200db", false},	      /* a joiner is no glyph */
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct arena a;
		struct err err = {{0}};
		struct image image;
		struct raster_report r;
		const struct raster_look look = {900, 600, 96};
		double value[1] = {0.5};
		const char *words[1] = {cases[i].word};
		arena_init(&a);
		const struct figure f = {
			.caption = "glyphs",
			.panels = {{.kind = PANEL_HEATMAP,
				    .heatmap = {.values = {1, 1, 1, value},
						.row_labels = words,
						.scale = scale_fit(0, 1, SCALE_LINEAR, false, true),
						.colormap = colormap_find("viridis")}}},
			.n = 1};
		assert_true(raster_image(&f, &look, &a, &image, &r, &err));
		assert_int_equal(r.missing_glyphs, cases[i].missing);
		if (cases[i].missing)
			assert_string_equal(r.missing_sample, cases[i].word);
		else
			assert_null(r.missing_sample);
		arena_release(&a);
	}
}

TEST(absurd_sizes_are_refused)
{
	static const struct {
		int width, height;
	} cases[] = {{0, 0}, {-5, 1000}, {100000, 1000}, {12000, 12000}};
	const struct spec s = {12, SHORT, 4};
	struct arena a;
	arena_init(&a);
	const struct figure f = make_figure(&a, &s);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct raster_look look = {cases[i].width, cases[i].height, 96};
		struct image image;
		struct err err = {{0}};
		assert_false(raster_image(&f, &look, &a, &image, NULL, &err));
		assert_non_null(strstr(err.text, "would be right"));
	}
	arena_release(&a);
}

TEST(text_boxes_meet_as_turned)
{
	const struct text_box lying = {0, 0, 100, 10, 0, 12, "a", 0, 0};
	struct text_box leaning = {50, 40, 100, 10, -0.8, 12, "b", 0, 0};
	assert_true(text_box_overlap(&lying, &leaning));
	leaning.y = 100;
	assert_false(text_box_overlap(&lying, &leaning));
	/* Parallel slanted lines whose upright bounds overlap. */
	struct text_box beside = leaning;
	beside.x += 20;
	assert_false(text_box_overlap(&beside, &leaning));
	beside.x -= 12;
	assert_true(text_box_overlap(&beside, &leaning));
	assert_true(text_box_inside(&lying, 100, 10));
	assert_false(text_box_inside(&leaning, 100, 100));
}

static void *draw_in_thread(void *early)
{
	const struct spec s = {12, MIXED, 4, 1000, 700};
	struct drawn *d = calloc(1, sizeof *d);
	if (early)
		raster_begin(&(struct raster_look){.width = 1000, .height = 700});
	draw(d, &s);
	raster_begin_end();
	return d;
}

/* One of them with fonts that were made ready before. */
TEST(threads_draw_at_the_same_time)
{
	pthread_t threads[2];
	struct drawn *d[2];
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(
			pthread_create(&threads[i], NULL, draw_in_thread, i == 0 ? NULL : threads),
			0);
	for (size_t i = 0; i < 2; i++) {
		void *result;
		pthread_join(threads[i], &result);
		d[i] = result;
	}
	assert_memory_equal(d[0]->image.rgb, d[1]->image.rgb, 3u * 1000 * 700);
	for (size_t i = 0; i < 2; i++) {
		arena_release(&d[i]->arena);
		free(d[i]);
	}
}

TEST(fonts_are_named)
{
	struct arena a;
	arena_init(&a);
	assert_true(strlen(raster_fonts(&a)) > 0);
	arena_release(&a);
}
