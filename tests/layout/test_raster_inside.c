/* test_raster_inside.c: what stands in the cells of a relation on paper: words or numbers, never
 * both; names that are no numbers; and what a pixel stands for where there are fewer of them than
 * cells. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_pages.h"

FIXTURE(open_arena, close_arena)

struct printed {
	struct image image;
	struct raster_report report;
};

/* A page of nothing but this matrix; only[] are the texts in its cells. */
static struct printed print(const struct heatmap *h, int width, int height)
{
	struct figure f = {.title = "Relation",
			   .subtitle = "made by hand",
			   .caption = "every pair of tokens has a number, or the labels on its way",
			   .n = 1,
			   .col_weight = {1},
			   .row_weight = {1}};
	f.panels[0] = (struct panel){.kind = PANEL_HEATMAP,
				     .title = "Relation",
				     .note = "labels",
				     .rows = 1,
				     .cols = 1,
				     .heatmap = *h};
	struct err err = {""};
	struct printed out;
	const struct raster_look look = {.width = width, .height = height, .dpi = 150};
	if (!raster_image(&f, &look, &arena, &out.image, &out.report, &err))
		fail_msg("%s", err.text);
	help_page_reads("relation", &out.report, width, height);
	return out;
}

static bool in_cell(const struct text_box *box)
{
	return box->paper != 0xffffff;
}

/* Lengths 0 to 3 and their words; the last column is hatched. */
static struct heatmap lengths(size_t n, const char *const *forms)
{
	double *at = arena_calloc(&arena, n * n, sizeof *at);
	uint8_t *masked = arena_calloc(&arena, n, n);
	const char **words = arena_calloc(&arena, n * n, sizeof *words);
	for (size_t i = 0; i < n * n; i++) {
		at[i] = (double)((i / n + i % n) % 4);
		masked[i] = i % n == n - 1;
		words[i] = masked[i] ? NULL : forms[(size_t)at[i]];
	}
	return (struct heatmap){.values = {n, n, n, at},
				.masked = masked,
				.row_title = "query t",
				.col_title = "key s",
				.scale = {.lo = 0, .hi = 3},
				.colormap = colormap_find("viridis"),
				.integers = true,
				.words = words,
				.words_are = "labels of the path",
				.numbers_are = "lengths of the path"};
}

TEST(cells_hold_words_or_numbers_and_never_both)
{
	static const char *const forms[][4] = {
		{"None", "↑ARG0", "↑ARG0↓ARG1", "↑ARG0↓ARG1↓mod"},
		{"ε", "↓", "↓→", "↓→→"},
		{"a", "a rather long word", "a b", "a word that is longer than all others"}};
	size_t worded = 0, numbered = 0, shortened = 0;
	for (size_t k = 0; k < 3; k++)
		for (size_t n = 3; n <= 24; n += 3)
			for (int width = 500; width <= 1700; width += 400) {
				const struct heatmap h = lengths(n, forms[k]);
				const struct printed p = print(&h, width, width * 5 / 8);
				size_t words = 0, numbers = 0;
				for (size_t i = 0; i < p.report.n; i++) {
					const struct text_box *box = &p.report.boxes[i];
					const bool digit = box->text[1] == '\0' &&
							   box->text[0] >= '0' &&
							   box->text[0] <= '3';
					words += in_cell(box) && !digit;
					numbers += in_cell(box) && digit;
					shortened += in_cell(box) && strstr(box->text, "…") != NULL;
				}
				assert_true(words == 0 || words == n * (n - 1));
				assert_true(numbers == 0 || numbers == n * (n - 1));
				assert_true(words == 0 || numbers == 0);
				assert_true(help_page_says(&p.report,
							   words ? "words are labels of the path"
							   : numbers ? "numbers are lengths"
								     : "colours are lengths"));
				worded += words > 0;
				numbered += numbers > 0;
			}
	assert_true(worded > 0 && numbered > 0 && shortened > 0);
}

TEST(a_name_is_no_number_of_the_scale)
{
	static const struct heatmap_name names[] = {{-1, "[VNode]", "V"}};
	for (size_t n = 4; n <= 40; n += 18) {
		double *at = arena_calloc(&arena, n * n, sizeof *at);
		for (size_t i = 0; i < n * n; i++)
			at[i] = i < n || i % n == 0 ? -1 : i / n == i % n ? 0 : 1;
		const struct heatmap h = {.values = {n, n, n, at},
					  .scale = {.lo = 0, .hi = 1},
					  .colormap = colormap_find("viridis"),
					  .integers = true,
					  .names = names,
					  .n_names = 1};
		const struct printed p = print(&h, 1000, 640);
		size_t named = 0;
		for (size_t i = 0; i < p.report.n; i++) {
			const char *text = p.report.boxes[i].text;
			assert_int_not_equal(strcmp(text, "−1"), 0);
			named += in_cell(&p.report.boxes[i]) &&
				 strcmp(text, n == 4 ? "[VNode]" : "V") == 0;
		}
		assert_int_equal(named, n == 40 ? 0 : 2 * n - 1);
		assert_true(help_page_says(&p.report, "V, grey: [VNode]"));
	}
}

/* Labels have no mean: each pixel has the colour of one of them. */
TEST(a_pixel_of_many_labels_is_one_of_them)
{
	const size_t n = 1500;
	double *at = arena_calloc(&arena, n * n, sizeof *at);
	for (size_t i = 0; i < n * n; i++)
		at[i] = (double)(i * 7919 % 3 == 0);
	const struct heatmap h = {.values = {n, n, n, at},
				  .scale = {.lo = 0, .hi = 1},
				  .colormap = colormap_find("viridis"),
				  .integers = true};
	const struct printed p = print(&h, 1000, 640);
	const struct plot_box *plot = &p.report.plots[0];
	const uint32_t colours[] = {colormap_rgb(h.colormap, 0), colormap_rgb(h.colormap, 1)};
	size_t seen[2] = {0};
	for (int y = (int)plot->y + 2; y < plot->y + plot->height - 2; y++)
		for (int x = (int)plot->x + 2; x < plot->x + plot->width - 2; x++) {
			const uint8_t *c = p.image.rgb + 3 * (y * p.image.width + x);
			const uint32_t rgb = (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
			assert_true(rgb == colours[0] || rgb == colours[1]);
			seen[rgb == colours[1]]++;
		}
	assert_true(seen[0] > 0 && seen[1] > 0);
	assert_true(help_page_says(&p.report, "each pixel is one of "));
}
