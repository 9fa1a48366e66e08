/* help_pages.c: pages of the views Terms and Order made by hand, with numbers similar to those of a
 * sinusoidal encoding. */
#include "help_pages.h"

#include <math.h>

#include "plot/raster_in.h"
#include "test.h"

static const char *const short_words[] = {"the", "cat", "chases", "the", "dog", "again", "."};
static const char *const cjk[] = {"猫", "犬が", "はじめまして", "走る", "。"};
static const char *const arabic[] = {"عربي", "القطة", "كلب", "في"};

const char **help_words(struct arena *a, size_t n, enum help_words kind)
{
	const char **out = arena_calloc(a, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++) {
		const enum help_words mine =
			kind == WORDS_MIXED ? (enum help_words)(i % WORDS_MIXED) : kind;
		if (mine == WORDS_LONG)
			out[i] = arena_printf(a, "Donaudampfschifffahrts%zugesellschaft", i);
		else if (mine == WORDS_CJK)
			out[i] = arena_printf(a, "%s%zu", cjk[i % 5], i);
		else if (mine == WORDS_ARABIC)
			out[i] = arena_printf(a, "%s%zu", arabic[i % 4], i);
		else
			out[i] = i < 7 ? short_words[i]
				       : arena_printf(a, "%s%zu", short_words[i % 7], i);
	}
	return out;
}

size_t *help_order(struct arena *a, size_t n)
{
	size_t *order = arena_calloc(a, n + 1, sizeof *order);
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	/* Every third token keeps its position; the others rotate. */
	size_t last = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (i % 3 == 2)
			continue;
		if (last != SIZE_MAX) {
			const size_t held = order[last];
			order[last] = order[i];
			order[i] = held;
		}
		last = i;
	}
	return order;
}

struct links help_links(struct arena *a, size_t n, enum help_words kind)
{
	const size_t *order = help_order(a, n);
	const char **above = help_words(a, n, kind);
	const char **below = arena_calloc(a, n + 1, sizeof *below);
	struct link *links = arena_calloc(a, n + 1, sizeof *links);
	for (size_t i = 0; i < n; i++) {
		below[i] = above[order[i]];
		links[i] = (struct link){order[i], i, order[i] != i};
	}
	return (struct links){.n_above = n,
			      .n_below = n,
			      .n = n,
			      .above = above,
			      .below = below,
			      .above_title = "as written",
			      .below_title = "now",
			      .links = links};
}

static double sinusoids(double distance)
{
	double sum = 0;
	for (int i = 0; i < 8; i++)
		sum += cos(distance / pow(10000, i / 8.0));
	return sum / 8;
}

/* Returns a number similar to term `which` of the logits. */
static double term(size_t which, double t, double s)
{
	switch (which % 5) {
	case 0:
		return fmod(t * 7 + s * 3, 5) < 1 ? 1.6 : t == s ? 2 : -0.3;
	case 1:
		return 0.4 * sin(t * 1.7 + s * 0.3);
	case 2:
		return 0.4 * sin(s * 1.7 + t * 0.3);
	default:
		return 1.5 * sinusoids(t - s) - (double)which / 9;
	}
}

static struct heatmap make_map(struct arena *a, const struct help_page *page, const char **words)
{
	const size_t n = page->n;
	return (struct heatmap){.values = {n, n, n, arena_calloc(a, n * n + 1, sizeof(double))},
				.row_labels = words,
				.col_labels = words,
				.row_title = "query t",
				.col_title = "key s",
				.has_cursor = page->cursor,
				.row = n / 2,
				.col = n - 1};
}

static struct panel map_panel(struct arena *a, const struct help_page *page, size_t which)
{
	static const char *const names[] = {"unit–unit",	 "unit–position", "position–unit",
					    "position–position", "shaw bias",	  "t5 bias",
					    "relative position", "the rest",	  "sum"};
	struct panel p = {.kind = PANEL_HEATMAP,
			  .title = names[which],
			  .note = "head 1 of 4",
			  .short_note = "head 1",
			  .subtitle = which == 3 ? "R_t · R_s, whose length is that of all the "
						   "others together"
						 : NULL,
			  .rows = 1,
			  .cols = 1,
			  .off = page->off && which % 4 == 1};
	p.heatmap = make_map(a, page, help_words(a, page->n, page->words));
	p.heatmap.scale = scale_fit(-2.4, 2.4, SCALE_LINEAR, true, false);
	p.heatmap.colormap = colormap_find(page->dark ? "night" : "vik");
	p.heatmap.no_bar = which + 1 < page->maps;
	for (size_t i = 0; i < page->n * page->n; i++)
		p.heatmap.values.at[i] = term(which, (double)(i / page->n), (double)(i % page->n));
	return p;
}

static struct figure make_page(const char *title)
{
	return (struct figure){
		.title = title,
		.subtitle = "Vaswani et al. 2017   ·   sinusoidal+causal   ·   head 1 of 4",
		.caption =
			"“the cat chases the dog again .”   n 7 · d 64 · h 4 · layers 2 · seed 0 "
			"· identity projection · c 0.25 · content 2 · colours vik",
		.caption_right = "posviz 0.1",
		.command = "posviz render sinusoidal+causal --view terms -o figure.png"};
}

static const struct card_line lines[] = {
	{"order", "seen", "equivariance ‖P·T(X) − T(P·X)‖ / ‖T(X)‖ = 0.21, 8 shuffles"},
	{"this order", "0.34", "the same for the order that is shown"},
	{"invariance", "0.19", "the same of the mean over tokens"},
	{"prefix order", "0.022, 0.043",
	 "change of the last row, earlier tokens shuffled, by layer"},
	{"shift", "0 (1e-16)",
	 "change of the logits when positions move by 3, with all tokens equal"},
	{"insertion", "0 (2e-16)", "change of the common block, 2 tokens in front"},
};

static struct panel card_panel(const char *title)
{
	return (struct panel){.kind = PANEL_CARD,
			      .title = title,
			      .rows = 1,
			      .cols = 1,
			      .card = {.lines = lines, .n = sizeof lines / sizeof lines[0]}};
}

struct figure help_terms(struct arena *a, const struct help_page *page)
{
	static const double shares[] = {0.42, -0.03, 0.02, 0.31, 0.09, 0.11, 0.004, 0.08, 1};
	struct figure f = make_page("Sinusoidal position encoding");
	const unsigned char side = page->maps > 4 ? 3 : page->maps > 1 ? 2 : 1;
	const char **labels = arena_calloc(a, page->maps, sizeof *labels);
	const char **notes = arena_calloc(a, page->maps, sizeof *notes);
	bool *off = arena_calloc(a, page->maps, sizeof *off);
	for (size_t i = 0; i < page->maps; i++) {
		f.panels[i] = map_panel(a, page, i);
		f.panels[i].row = (unsigned char)(i / side);
		f.panels[i].col = (unsigned char)(i % side);
		labels[i] = f.panels[i].title;
		notes[i] = arena_printf(a, "%s%.0f %%", shares[i] < 0 ? "\u2212" : "",
					100 * fabs(shares[i]));
		off[i] = f.panels[i].off;
	}
	f.n = page->maps;
	f.panels[f.n] = (struct panel){.kind = PANEL_BARS,
				       .title = "Shares",
				       .note = "space switches a term",
				       .rows = 1,
				       .cols = 1,
				       .col = side,
				       .bars = {.n = page->maps,
						.labels = labels,
						.values = shares,
						.notes = notes,
						.off = off,
						.unit = "share of the variance of the sum",
						.has_cursor = page->cursor,
						.cursor = 1}};
	f.n++;
	f.panels[f.n] = card_panel("What was measured");
	f.panels[f.n].col = side;
	f.panels[f.n].row = side > 1 ? 1 : 0;
	f.panels[f.n].rows = page->maps > 6 ? 2 : 1;
	if (side == 1)
		f.panels[f.n].col++;
	f.n++;
	for (unsigned char i = 0; i < side; i++)
		f.col_weight[i] = 8;
	f.col_weight[side] = 7;
	if (side == 1)
		f.col_weight[2] = 7;
	return f;
}

struct figure help_order_page(struct arena *a, const struct help_page *page)
{
	static const char *const titles[] = {"Attention weights", "Permuted", "Difference"};
	static const char *const subtitles[] = {"A(X): in the order as written", "A(PX)",
						"A(PX) − P·A(X)·Pᵀ"};
	struct figure f = make_page("Order");
	const size_t n = page->n, *order = help_order(a, n);
	const struct links links = help_links(a, n, page->words);
	for (size_t m = 0; m < 3; m++) {
		struct heatmap h = make_map(
			a, page, m == 0 ? help_words(a, n, page->words) : (const char **)NULL);
		if (m > 0)
			h.row_labels = h.col_labels = links.below;
		h.scale = m < 2 ? scale_fit(0, 1, SCALE_LINEAR, false, true)
				: scale_fit(-0.31, 0.27, SCALE_LINEAR, true, false);
		h.colormap = colormap_find(m < 2 ? "viridis" : page->dark ? "night" : "vik");
		h.no_bar = m == 0;
		for (size_t i = 0; i < n * n; i++) {
			const double t = (double)(i / n), s = (double)(i % n);
			const double ot = (double)order[i / n], os = (double)order[i % n];
			h.values.at[i] = m == 0	  ? exp(-fabs(t - s) / 2)
					 : m == 1 ? exp(-fabs(t - s) / 2) * (ot > os ? 0.9 : 1)
						  : 0.3 * sin(t - s + ot - os);
		}
		f.panels[m] = (struct panel){.kind = PANEL_HEATMAP,
					     .title = titles[m],
					     .subtitle = subtitles[m],
					     .note = "head 1 of 4",
					     .rows = 1,
					     .cols = 1,
					     .col = (unsigned char)m,
					     .heatmap = h};
	}
	f.panels[3] = (struct panel){.kind = PANEL_LINKS,
				     .title = "How the tokens moved",
				     .note = "4 of 7 moved",
				     .row = 1,
				     .rows = 1,
				     .cols = 2,
				     .links = links};
	f.panels[3].links.has_cursor = page->cursor;
	f.panels[3].links.cursor = n / 2;
	f.panels[4] = card_panel("What was measured");
	f.panels[4].row = 1;
	f.panels[4].col = 2;
	f.n = 5;
	f.row_weight[0] = 5;
	f.row_weight[1] = 4;
	return f;
}

struct raster_report help_page_report(const struct figure *f, const struct raster_look *look,
				      struct arena *a)
{
	struct page page = {0};
	struct err err = {""};
	struct image nothing;
	if (!raster_open(&page, f, look, a, &err) ||
	    !raster_draw(&page, f, device_pixels(a, 1, 1, 1, &nothing), &err))
		fail_msg("%s", err.text);
	raster_text_close(&page);
	return page.report;
}

bool help_plots_apart(const struct plot_box *a, const struct plot_box *b)
{
	return a->x + a->width <= b->x || b->x + b->width <= a->x || a->y + a->height <= b->y ||
	       b->y + b->height <= a->y;
}

bool help_page_says(const struct raster_report *r, const char *part)
{
	for (size_t i = 0; i < r->n; i++)
		if (strstr(r->boxes[i].text, part))
			return true;
	return false;
}

const struct text_box *help_box_of(const struct raster_report *r, const char *text)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->boxes[i].text, text) == 0)
			return &r->boxes[i];
	return NULL;
}

size_t help_boxes_of(const struct raster_report *r, const char *text)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n; i++)
		n += strcmp(r->boxes[i].text, text) == 0;
	return n;
}

uint32_t help_pixel(const struct image *image, double x, double y)
{
	const uint8_t *const c = image->rgb + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
	return (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
}

/* Checks that each plot is on the page and overlaps no other plot. */
static void plots_read(const char *what, const struct raster_report *r, int width, int height)
{
	for (size_t i = 0; i < r->plot_n; i++) {
		const struct plot_box *const b = &r->plots[i];
		if (b->x < 0 || b->y < 0 || b->x + b->width > width || b->y + b->height > height)
			fail_msg("%s: plot %zu is cut", what, i);
		for (size_t k = 0; k < i; k++)
			if (!help_plots_apart(b, &r->plots[k]))
				fail_msg("%s: plot %zu lies on plot %zu", what, i, k);
	}
}

/* Returns a rectangle with each side moved outwards. */
static struct text_box about(const struct plot_box *b, double by)
{
	return (struct text_box){.x = b->x - by,
				 .y = b->y - by,
				 .width = b->width + 2 * by,
				 .height = b->height + 2 * by};
}

/* Returns whether the box crosses the frame of a rectangle, which is four boxes a pixel thin. */
static bool crosses(const struct text_box *box, const struct text_box *frame)
{
	const struct text_box sides[] = {
		{.x = frame->x, .y = frame->y, .width = frame->width, .height = 1.5},
		{.x = frame->x, .y = frame->y, .width = 1.5, .height = frame->height},
		{.x = frame->x,
		 .y = frame->y + frame->height,
		 .width = frame->width,
		 .height = 1.5},
		{.x = frame->x + frame->width,
		 .y = frame->y,
		 .width = 1.5,
		 .height = frame->height}};
	for (size_t i = 0; i < 4; i++)
		if (text_box_overlap(box, &sides[i]))
			return true;
	return false;
}

/* Checks that words are inside a plot or beside it: the line box of words may reach over its edge
 * by the space above and below its letters. */
static void beside_plots(const char *what, const struct raster_report *r,
			 const struct text_box *box)
{
	const double hair = 3;
	for (size_t i = 0; i < r->plot_n; i++) {
		const struct text_box outside = about(&r->plots[i], hair),
				      inside = about(&r->plots[i], -hair);
		if (r->plots[i].framed && crosses(box, &outside) && crosses(box, &inside))
			fail_msg("%s: \"%s\" lies on the edge of plot %zu", what, box->text, i);
	}
}

void help_page_reads(const char *what, const struct raster_report *r, int width, int height)
{
	const double least = 12; /* px of the smallest letter */
	assert_true(r->n > 4);	 /* a view may show only a sentence */
	plots_read(what, r, width, height);
	for (size_t i = 0; i < r->n; i++) {
		const struct text_box *box = &r->boxes[i];
		if (!text_box_inside(box, width, height))
			fail_msg("%s: \"%s\" is cut", what, box->text);
		if (colour_contrast(box->ink, box->paper) < 4.5)
			fail_msg("%s: \"%s\" cannot be read", what, box->text);
		if (box->letters < least)
			fail_msg("%s: \"%s\" is in %g px", what, box->text, box->letters);
		beside_plots(what, r, box);
		for (size_t k = 0; k < i; k++)
			if (text_box_overlap(box, &r->boxes[k]))
				fail_msg("%s: \"%s\" lies on \"%s\"", what, box->text,
					 r->boxes[k].text);
	}
	assert_int_equal(r->missing_glyphs, 0);
}
