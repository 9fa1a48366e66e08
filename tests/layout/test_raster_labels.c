/* Labels above columns and beside rows on a page: how they are turned, cut and kept apart. */
#include <math.h>
#include <string.h>

#include "help_pages.h"
#include "posviz/base/text.h"
#include "posviz/model/trace.h"
#include "test.h"

static const double lean = 56 * 3.14159265358979323846 / 180;

static const char *const nine[] = {"the",    "cat",  "that",   "the", "dog",
				   "chased", "fell", "asleep", "."};

/* A page with one matrix of n tokens, called as a trace calls them. */
static struct figure page_of(const char *const *words, size_t n, struct arena *a)
{
	double *const at = arena_calloc(a, n * n, sizeof *at);
	for (size_t i = 0; i < n * n; i++)
		at[i] = (double)(i % n) - (double)(i / n);
	const struct axis axis = {.n = n, .labels = words};
	const char *const *const names = axis_names(&axis, a);
	struct figure f = {.title = "One matrix", .n = 1};
	f.panels[0] = (struct panel){.kind = PANEL_HEATMAP, .title = "Bias", .rows = 1, .cols = 1};
	f.panels[0].heatmap = (struct heatmap){.values = {n, n, n, at},
					       .row_labels = names,
					       .col_labels = names,
					       .row_title = "query t",
					       .col_title = "key s",
					       .scale = {.lo = -(double)n, .hi = (double)n},
					       .colormap = colormap_find("paper")};
	return f;
}

struct page {
	struct figure figure;
	struct raster_report report;
	struct plot_box plot;
	double cell;
};

static struct page draw(const char *const *words, size_t n, int width, int height, struct arena *a)
{
	const struct raster_look look = {.width = width, .height = height};
	struct page p = {.figure = page_of(words, n, a)};
	p.report = help_page_report(&p.figure, &look, a);
	assert_int_equal(p.report.plot_n, 1);
	p.plot = p.report.plots[0];
	p.cell = p.plot.width / (double)n;
	return p;
}

/* A word above the matrix: it ends, or begins where it is turned, just above its upper edge. */
static bool is_above(const struct page *p, const struct text_box *box)
{
	const double foot = box->y + (box->angle < 0 ? 0 : box->height);
	return foot <= p->plot.y && foot > p->plot.y - 24 && box->x > p->plot.x - 24 &&
	       box->x < p->plot.x + p->plot.width;
}

static size_t count_above(const struct page *p, double angle)
{
	size_t n = 0;
	for (size_t i = 0; i < p->report.n; i++)
		n += is_above(p, &p->report.boxes[i]) &&
		     fabs(p->report.boxes[i].angle - angle) < 1e-9;
	return n;
}

static double widest_above(const struct page *p)
{
	double most = 0;
	for (size_t i = 0; i < p->report.n; i++)
		if (is_above(p, &p->report.boxes[i]))
			most = fmax(most, p->report.boxes[i].width);
	return most;
}

TEST(words_above_lie_where_each_fits_its_cell_and_lean_elsewhere)
{
	size_t level = 0, leaning = 0;
	for (int size = 300; size <= 1200; size += 20) {
		struct arena a;
		arena_init(&a);
		const struct page p = draw(nine, 9, size, size, &a);
		const size_t lie = count_above(&p, 0), turned = count_above(&p, -lean);
		if (p.cell >= 22)
			assert_true(lie == 9 || turned == 9);
		if (p.cell >= 22 && (lie == 9) != (widest_above(&p) + 4 < p.cell))
			fail_msg("%d: cells of %g, words of %g, %zu lie", size, p.cell,
				 widest_above(&p), lie);
		level += lie == 9;
		leaning += turned == 9;
		arena_release(&a);
	}
	assert_true(level > 3 && leaning > 3);
}

/* Where leaning numbers would be nearer to one another than their lines are high, they stand upright. */
TEST(leaning_numbers_keep_a_line_apart)
{
	static const char *const ids[] = {"37", "110", "82", "101", "37",  "125", "110", "54",
					  "82", "47",  "54", "101", "110", "125", "101", "37"};
	size_t leaning = 0, upright = 0;
	for (int size = 240; size <= 900; size += 20) {
		struct arena a;
		arena_init(&a);
		const struct page p = draw(ids, 16, size, size, &a);
		double line = 0;
		for (size_t i = 0; i < p.report.n; i++)
			if (is_above(&p, &p.report.boxes[i]))
				line = fmax(line, p.report.boxes[i].height);
		const bool lean_here = count_above(&p, -lean) == 16;
		if (lean_here && p.cell * sin(lean) < line)
			fail_msg("%d: %g apart, lines of %g", size, p.cell * sin(lean), line);
		leaning += lean_here;
		upright += count_above(&p, -3.14159265358979323846 / 2) == 16;
		arena_release(&a);
	}
	assert_true(leaning > 3 && upright > 3);
}

TEST(labels_of_any_words_keep_apart_and_whole)
{
	static const char *const strange[] = {
		"猫",	    "猫", "e\u0301te\u0301",	  "internationalization",
		"日本語の", "of", "internationalization", "عربي",
		"."};
	const char *sixty[60];
	for (size_t i = 0; i < 60; i++)
		sixty[i] = i % 11 == 3 ? "internationalization" : nine[i * 5 % 9];
	const struct {
		const char *const *words;
		size_t n;
	} rows[] = {{nine, 9}, {strange, 9}, {sixty, 60}, {sixty, 24}, {nine, 1}, {nine, 2}};
	static const int sizes[][2] = {{800, 500}, {700, 1200}, {1600, 1000}, {420, 420}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			struct arena a;
			arena_init(&a);
			const int w = sizes[k][0], h = sizes[k][1];
			const struct page p = draw(rows[i].words, rows[i].n, w, h, &a);
			for (size_t b = 0; b < p.report.n; b++) {
				const struct text_box *const box = &p.report.boxes[b];
				assert_true(box->height >= 12);
				assert_true(text_box_inside(box, w, h));
				for (size_t o = 0; o < b; o++)
					if (text_box_overlap(box, &p.report.boxes[o]))
						fail_msg("%zu at %d×%d: %s / %s", i, w, h,
							 box->text, p.report.boxes[o].text);
			}
			arena_release(&a);
		}
}

TEST(a_word_cut_on_paper_keeps_its_number)
{
	static const char *const words[] = {"Donaudampfschifffahrtsgesellschaft", "a",
					    "Donaudampfschifffahrtsgesellschaft", "b"};
	struct arena a;
	arena_init(&a);
	const struct page p = draw(words, 4, 420, 420, &a);
	size_t cut[2] = {0};
	for (size_t i = 0; i < p.report.n; i++) {
		const char *const dots = strstr(p.report.boxes[i].text, "…");
		cut[0] += dots != NULL && strcmp(dots, "…₁") == 0;
		cut[1] += dots != NULL && strcmp(dots, "…₂") == 0;
	}
	assert_int_equal(cut[0], 2); /* beside its row and above its column */
	assert_int_equal(cut[1], 2);
	arena_release(&a);
}

TEST(titles_say_where_their_axes_go)
{
	size_t named = 0;
	for (int size = 300; size <= 1200; size += 20) {
		struct arena a;
		arena_init(&a);
		const struct page p = draw(nine, 9, size, size, &a);
		const struct text_box *down = NULL, *across = NULL;
		for (size_t i = 0; i < p.report.n; i++) {
			const struct text_box *const box = &p.report.boxes[i];
			down = strstr(box->text, " ↓") != NULL ? box : down;
			across = strstr(box->text, " →") != NULL ? box : across;
		}
		assert_true((down == NULL) == (across == NULL));
		/* Beside words that lean they stand in the corner, which costs nothing. */
		if (count_above(&p, -lean) == 9) {
			assert_int_equal(strncmp(down->text, "query", 5), 0);
			assert_int_equal(strncmp(across->text, "key", 3), 0);
			assert_true(down->x + down->width < p.plot.x);
			assert_true(down->y + down->height <= p.plot.y);
			assert_true(across->y + across->height <= down->y + 0.5);
			named++;
		}
		arena_release(&a);
	}
	assert_true(named > 3);
}

/* Words beside the rows: how many, and how far to the right they reach. */
static size_t beside_rows(const struct page *p, double *right)
{
	size_t n = 0;
	*right = 0;
	for (size_t i = 0; i < p->report.n; i++) {
		const struct text_box *const box = &p->report.boxes[i];
		const double middle = box->y + box->height / 2;
		if (box->angle < 0 || box->x + box->width > p->plot.x || middle < p->plot.y ||
		    middle > p->plot.y + p->plot.height)
			continue;
		*right = fmax(*right, box->x + box->width);
		n++;
	}
	return n;
}

/* Lines of pixels with ink that follow each other, left of x. */
static size_t runs_of_ink(const struct image *image, const struct page *p, double right)
{
	size_t runs = 0;
	bool before = false;
	const int from = (int)p->plot.y - 1, to = (int)(p->plot.y + p->plot.height);
	for (int y = from; y < to; y++) {
		bool ink = false;
		for (int x = 0; x < (int)right; x++)
			ink |= image->rgb[3 * ((size_t)y * (size_t)image->width + (size_t)x)] < 200;
		runs += ink && !before;
		before = ink;
	}
	return runs;
}

/* As near as their ink allows: what is drawn of one never touches the next. */
TEST(rows_are_named_while_their_ink_keeps_apart)
{
	size_t close = 0;
	for (int size = 220; size <= 420; size += 4) {
		struct arena a;
		struct image image;
		struct err err = {""};
		double right;
		arena_init(&a);
		const struct page p = draw(nine, 9, size, size, &a);
		const struct raster_look look = {.width = size, .height = size};
		const size_t n = beside_rows(&p, &right);
		assert_true(raster_image(&p.figure, &look, &a, &image, NULL, &err));
		if (n == 9 && runs_of_ink(&image, &p, right) != n)
			fail_msg("%d: %zu words, cells of %g, %zu runs", size, n, p.cell,
				 runs_of_ink(&image, &p, right));
		if (n > 1 && p.cell >= 13 && n != 9)
			fail_msg("%d: %zu of 9 words beside cells of %g", size, n, p.cell);
		close += n == 9 && p.cell < 14.5;
		arena_release(&a);
	}
	assert_true(close > 2);
}
