/* test_sizes.c: figures on pages and screens of every size, down to one pixel and one cell: what has room
 * lies on the page and apart, the essential matrix is always drawn, and nothing else changes. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_view.h"
#include "posviz/plot/raster.h"

/* The first are for every figure, each of the others for one in four. */
static const struct {
	int width, height;
} pages[] = {
	{1, 1},	     {320, 240}, {300, 200}, {200, 300}, {320, 200}, {151, 1478}, {2, 1},
	{1, 2},	     {5, 3},	 {16, 16},   {60, 40},	 {100, 60},  {120, 300},  {200, 200},
	{400, 300},  {500, 400}, {640, 480}, {8000, 1},	 {1, 8000},  {8000, 30},  {30, 8000},
	{2000, 250}, {250, 900}, {139, 138}, {170, 500}, {1200, 90},
};
enum { PAGES = sizeof pages / sizeof *pages, ALWAYS = 6 };

static const struct {
	const char *scheme, *lines;
} figures[] = {
	{"rope", "sentence a\n"}, /* of one token nothing deviates from anything */
	{"rope+causal", "sentence the cat that the dog chased fell asleep .\nrow 2\ncol 3\n"},
	{"none", "sentence Donaudampfschifffahrtsgesellschaftskapitän 猫 عربي 日本語 e\n"},
	{"alibi",
	 "compare rope; t5; none\nsentence 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 "
	 "20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 "
	 "47 48 49 50 51 52 53 54 55 56 57 58 59 60\norder reverse\n"},
	{"spr_rel", "conllu @wide\norder shuffle:3\n"},
	{"tpe", "tree @lisp\n"},
	{"graformer", "graph @amr2\nrow 1\ncol 2\n"},
};
enum { FIGURES = sizeof figures / sizeof *figures };

static bool is_map(const struct panel *p)
{
	return p->kind == PANEL_HEATMAP && !p->absent;
}

static void reads(const struct figure *f, const struct raster_report *r, int width, int height)
{
	bool map = false, drawn = false;
	for (size_t i = 0; i < r->n; i++) {
		const struct text_box *const b = &r->boxes[i];
		if (!text_box_inside(b, width, height))
			fail_msg("%s, %d x %d: \"%s\" is cut", f->command, width, height, b->text);
		if (colour_contrast(b->ink, b->paper) < 4.5)
			fail_msg("%s, %d x %d: \"%s\" is pale", f->command, width, height, b->text);
		for (size_t k = 0; k < i; k++)
			if (text_box_overlap(b, &r->boxes[k]))
				fail_msg("%s, %d x %d: \"%s\" lies on \"%s\"", f->command, width,
					 height, b->text, r->boxes[k].text);
	}
	for (size_t i = 0; i < f->n; i++)
		map = map || (is_map(&f->panels[i]) && f->panels[i].priority == 0);
	/* Plots are numbered among the panels that the page has, which may be fewer. */
	bool kept = false;
	for (size_t i = 0; i < r->n_shown; i++)
		kept = kept || is_map(&r->shown[i].panel);
	for (size_t i = 0; i < r->plot_n; i++) {
		const struct plot_box *const p = &r->plots[i];
		assert_true(p->x >= 0 && p->x + p->width <= width);
		assert_true(p->y >= 0 && p->y + p->height <= height);
		drawn = drawn ||
			(p->width >= 1 && p->height >= 1 && (kept || is_map(&f->panels[p->panel])));
	}
	if (!drawn && map)
		fail_msg("%s, %d x %d: no matrix is drawn", f->command, width, height);
}

static void draw_page(const struct figure *f, size_t page, bool vector)
{
	struct arena a;
	struct err err = {""};
	struct image image;
	struct raster_report report;
	char *data;
	size_t len;
	const struct raster_look look = {pages[page].width, pages[page].height, 96, page % 2,
					 page % 3 == 0};
	arena_init(&a);
	const bool good =
		vector ? raster_vector(f, &look, RASTER_SVG, &a, &data, &len, &report, &err)
		       : raster_image(f, &look, &a, &image, &report, &err);
	if (!good)
		fail_msg("%s, %d x %d: %s", f->command, look.width, look.height, err.text);
	if (vector) /* outlines, colours and places: "nan" could be nothing but a number */
		assert_null(strstr(strstr(data, "</desc>"), "nan"));
	reads(f, &report, look.width, look.height);
	assert_true(a.peak < (64 << 20));
	arena_release(&a);
}

static struct picture *picture(struct arena *a, const struct view *view, size_t figure)
{
	return help_picture(a, figures[figure].scheme,
			    arena_printf(a, "view %s\nheads 2\nd-model 8\n%s", view->name,
					 figures[figure].lines));
}

static void draw_screen(const struct figure *f, int rows, int cols, int turn)
{
	struct arena a;
	struct canvas *c;
	arena_init(&a);
	for (int k = 0; k < 3; k++) {
		const int tier = (turn + k) % TIER_COUNT;
		c = canvas_new(&a, rows, cols, (enum tier)tier, k == 1, turn % 2);
		c->presenter = k == 2;
		canvas_figure(c, f);
		help_assert_whole(c);
	}
	/* In a part of a screen: around it nothing changes. */
	const struct rect r = {1, 2, rows, cols};
	struct rect place[FIGURE_PANELS];
	c = canvas_new(&a, rows + 2, cols + 4, TIER_DIRECT, false, true);
	for (int i = 0; i < c->rows * c->cols; i++)
		c->cells[i].at[0] = '#';
	help_layout(f, r, 0, false, place);
	canvas_panels(c, f, r, place, 0, NULL);
	for (int i = 0; i < c->rows * c->cols; i++) {
		const int row = i / c->cols, col = i % c->cols;
		if ((row < 1 || row > rows || col < 2 || col >= cols + 2) &&
		    strcmp(c->cells[i].at, "#") != 0)
			fail_msg("%s, %d x %d: \"%s\" at %d, %d", f->command, cols, rows,
				 c->cells[i].at, row - 1, col - 2);
	}
	arena_release(&a);
}

static const struct {
	int rows, cols;
} screens[] = {{1, 1},	 {2, 1},   {1, 2},   {3, 3},   {5, 12}, {200, 1},
	       {200, 6}, {1, 500}, {12, 40}, {24, 80}, {7, 23}, {200, 14}};

TEST_SAMPLED(every_view_is_drawn_at_every_size, 1, 3)
{
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++) {
		for (size_t i = 0; i < (v->table ? 1 : FIGURES); i++) {
			struct arena a;
			const size_t turn = view_index(v) + i;
			if (turn % test_parts != test_part)
				continue;
			arena_init(&a);
			const struct figure *const f = &picture(&a, v, i)->figure;
			for (size_t k = 0; k < PAGES; k++)
				if (k < ALWAYS || k % 4 == turn % 4)
					draw_page(f, k, k % 5 == i % 5);
			for (size_t k = turn % 2; k < sizeof screens / sizeof *screens; k += 2)
				draw_screen(f, screens[k].rows, screens[k].cols, (int)(i + k));
			arena_release(&a);
		}
	}
}

/* A sentence in a column of one cell has more lines than are kept. */
TEST(a_long_narrow_sentence_is_cut)
{
	char text[400];
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	const struct panel p = {.kind = PANEL_HEATMAP, .title = "", .absent = text};
	struct arena a;
	arena_init(&a);
	for (int cols = 1; cols < 8; cols++) {
		struct canvas *const c = canvas_new(&a, 300, cols, TIER_MONO, false, true);
		canvas_panel(c, (struct rect){0, 0, 300, cols}, &p, false, NULL, NULL);
		help_assert_whole(c);
	}
	arena_release(&a);
}

/* Each panel of the figures alone, so that every kind of them is the essential one. */
TEST(every_kind_of_panel_is_drawn_alone)
{
	bool seen[PANEL_PLANE + 1] = {false};
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++) {
		for (size_t i = 0; i < FIGURES && !v->table; i++) {
			struct arena a;
			arena_init(&a);
			struct figure f = picture(&a, v, i)->figure;
			struct panel panels[FIGURE_PANELS];
			const size_t n = f.n;
			memcpy(panels, f.panels, sizeof panels);
			f.n = 1;
			for (size_t k = 0; k < n; k++) {
				f.panels[0] = panels[k];
				f.panels[0].row = f.panels[0].col = 0;
				for (size_t page = (i + k) % 16; page < PAGES; page += 16)
					draw_page(&f, page, false);
				seen[panels[k].kind] = true;
			}
			arena_release(&a);
		}
	}
	for (size_t i = 0; i <= PANEL_PLANE; i++)
		assert_true(seen[i] || i == PANEL_TABLE);
}

/* What a reader of the page has to know. */
TEST(a_page_says_what_it_leaves_out)
{
	static const struct {
		int width, height;
		const char *says;
		bool card; /* alone */
	} rows[] = {
		{320, 240, "not on this page: 4 panels, scale, caption", false},
		{320, 220, "not on this page: 4 panels, scale, caption", false},
		{300, 200, "not on this page: 4 panels, scale, names, caption", false},
		{90, 120, "1 of 5 panels", false},
		{16, 16, NULL, false},
		{300, 180, "not on this page: some words, caption", true},
	};
	struct arena a;
	arena_init(&a);
	const struct figure *const all = &picture(&a, view_find("explore"), 1)->figure;
	struct figure card = *all;
	card.panels[0] = *help_panel(all, "What it does");
	card.panels[0].row = card.panels[0].col = 0;
	card.n = 1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct figure *const f = rows[i].card ? &card : all;
		struct image image;
		struct raster_report report;
		struct err err;
		const struct raster_look look = {rows[i].width, rows[i].height, 96};
		assert_true(raster_image(f, &look, &a, &image, &report, &err));
		bool said = rows[i].says == NULL && report.n == 0;
		for (size_t k = 0; k < report.n && !said; k++)
			said = strcmp(report.boxes[k].text, rows[i].says) == 0;
		if (!said)
			fail_msg("%d x %d: %s", rows[i].width, rows[i].height,
				 report.n > 0 ? report.boxes[report.n - 1].text : "nothing");
	}
	arena_release(&a);
}

/* One pixel is the mean of all cells, or one of them; not paper. */
TEST(one_pixel_shows_the_matrix)
{
	struct arena a;
	arena_init(&a);
	const struct figure *const f = &picture(&a, view_find("explore"), 1)->figure;
	struct image image;
	struct err err;
	for (int dark = 0; dark < 2; dark++) {
		const struct raster_look look = {.width = 1, .height = 1, .dark = dark};
		assert_true(raster_image(f, &look, &a, &image, NULL, &err));
		const uint8_t paper[2][3] = {{0xff, 0xff, 0xff}, {0x16, 0x18, 0x1d}};
		assert_memory_not_equal(image.rgb, paper[dark], 3);
	}
	arena_release(&a);
}
