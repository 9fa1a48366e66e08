/* fuzz_page.c: any picture on any page: pixels, vectors and cells of every size. Whatever has room lies on
 * the page, apart from all else, at places that are numbers, and the essential matrix is always drawn. The
 * bytes are choices, one after another: first the picture, of which many are kept, then what it is on. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/raster.h"

struct choices {
	const uint8_t *at, *end;
};

static size_t choose(struct choices *c, size_t n)
{
	return c->at < c->end ? *c->at++ % n : 0;
}

/* From 1 to n, small ones as likely as large ones. */
static int length(struct choices *c, int n)
{
	const size_t bits = choose(c, 14);
	const size_t value = choose(c, 256) << 8 | choose(c, 256);
	return 1 + (int)((value & ((1u << bits) - 1)) % (size_t)n);
}

/* ---- pictures --------------------------------------------------------------------------------- */

static const char *const schemes[] = {
	"rope\n",
	"none\n",
	"shaw+causal\n",
	"sinusoidal+t5+causal\n",
	"rope\ncompare alibi; t5; xlnet\n",
	"alibi\ncompare none\n",
	"spr_rel\nconllu @dep2\n",
	"spr_rel\nconllu @wide\n",
	"tpe\ntree @lisp\n",
	"graformer\ngraph @amr2\n",
	"graphbert\ngraph @kg1\n",
	"graphormer\ngraph @disconnected\n",
};
enum { SCHEMES = sizeof schemes / sizeof *schemes, OF_A_SENTENCE = 6 };

static const char *const sentences[] = {
	"a\n",
	"the cat that the dog chased fell asleep .\n",
	"猫 犬が はじめまして 走る 。 日本語\nlock off\nscale log\n",
	"עברית abc عربي 12 שלום\ncol 2\nrow 3\n",
	"Donaudampfschifffahrtsgesellschaftskapitän Llanfairpwllgwyngyllgogerychwyrndrobwll "
	"e\u0301te\u0301\u0302\u0303 a\nfull-caption on\n",
	"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 "
	"34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60\n",
};
enum { SENTENCES = sizeof sentences / sizeof *sentences };

static const char *const orders[] = {"identity", "reverse", "shuffle:3"};

struct kept {
	struct arena arena;
	struct scene scene;
	struct picture picture;
	size_t id; /* 0: none was made yet */
	bool good;
};
enum { LOOKS = 12, KEPT = 127 };
static struct kept pictures[KEPT];
static struct cache *cache;

/* All schemes, as if nothing of them had been measured: that takes its time. */
static void make_table(struct kept *k)
{
	struct picture *const p = &k->picture;
	p->n_table = scheme_count();
	p->table = arena_calloc(&k->arena, p->n_table, sizeof *p->table);
	for (size_t i = 0; i < p->n_table; i++)
		p->table[i] = (struct table_row){.scheme = scheme_at(i),
						 .printed = NAN,
						 .no_count = "not made",
						 .is = {NAN, NAN, NAN}};
	k->scene.view = "table";
	picture_redraw(&k->scene, NULL, false, (enum background)k->scene.theme, &k->arena, p, NULL);
}

static void make(struct kept *k, size_t scheme, size_t view, size_t sentence, size_t look)
{
	struct err err = {0};
	struct measures measures = {0};
	const struct measure_request all = {.kinds = MEASURED_ALL, .cache = cache};
	arena_init(&k->arena);
	const char *const lines = arena_printf(
		&k->arena,
		"scheme %sview %s\norder %s\nmatrix %s\nd-model 4\nheads 2\ntrain-steps 10\n"
		"train-seeds 1\n%s%s",
		schemes[scheme], views[views[view]->table ? 0 : view]->name, orders[look % 3],
		look % 2 ? "logits" : "weights", scheme < OF_A_SENTENCE ? "sentence " : "",
		scheme < OF_A_SENTENCE ? sentences[sentence] : "");
	if (!scene_parse(&k->scene, lines, &err))
		BUG("%s", err.text);
	const bool measured = look % 4 == 3 && sentence < 2 &&
			      analysis_measure(&k->scene.setup, &all, &measures, &err);
	k->good = picture_make(&k->scene, measured ? &measures : NULL, false,
			       (enum background)(look / 6 + 1), cache, NULL, &k->arena, &k->picture,
			       &err);
	if (k->good && views[view]->table)
		make_table(k);
	BUG_IF(!k->good && err.text[0] == '\0');
}

static const struct kept *picture(struct choices *c)
{
	const size_t view = choose(c, view_count()), scheme = choose(c, SCHEMES);
	const size_t sentence = scheme < OF_A_SENTENCE ? choose(c, SENTENCES) : 0;
	const size_t look = choose(c, LOOKS);
	const size_t id =
		1 + ((scheme * view_count() + view) * SENTENCES + sentence) * LOOKS + look;
	struct kept *const k = &pictures[id % KEPT];
	if (k->id == id)
		return k;
	arena_release(&k->arena);
	memset(k, 0, sizeof *k);
	k->id = id;
	make(k, scheme, view, sentence, look);
	return k;
}

/* Of some pictures a panel alone, and the cursor anywhere. */
static struct figure figure_of(struct choices *c, const struct kept *k)
{
	struct figure f = k->picture.figure;
	const size_t alone = choose(c, 4 * f.n);
	if (alone < f.n) {
		f.panels[0] = f.panels[alone];
		f.panels[0].row = f.panels[0].col = 0;
		f.n = 1;
	}
	figure_cursor(&f, (long)choose(c, 80), (long)choose(c, 80));
	return f;
}

/* ---- pixels and vectors ----------------------------------------------------------------------- */

static bool is_map(const struct panel *p)
{
	return p->kind == PANEL_HEATMAP && !p->absent && p->heatmap.values.rows > 0 &&
	       p->heatmap.values.cols > 0;
}

static void expect_apart(const struct raster_report *r, const struct raster_look *look)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct text_box *const b = &r->boxes[i];
		BUG_IF(!isfinite(b->x) || !isfinite(b->y) || !isfinite(b->angle));
		if (!text_box_inside(b, look->width, look->height))
			BUG("\"%s\" is cut at %g, %g on %g x %g", b->text, b->x, b->y, look->width,
			    look->height);
		for (size_t k = 0; k < i; k++)
			if (text_box_overlap(b, &r->boxes[k]))
				BUG("\"%s\" lies on \"%s\" on %g x %g", b->text, r->boxes[k].text,
				    look->width, look->height);
	}
}

static void expect_drawn(const struct figure *f, const struct raster_report *r,
			 const struct raster_look *look)
{
	bool map = false, drawn = false;
	for (size_t i = 0; i < f->n; i++)
		map = map || is_map(&f->panels[i]);
	for (size_t i = 0; i < r->plot_n; i++) {
		const struct plot_box *const p = &r->plots[i];
		if (!(p->x >= 0 && p->y >= 0 && p->x + p->width <= look->width &&
		      p->y + p->height <= look->height))
			BUG("a plot of %g x %g at %g, %g on %g x %g", p->width, p->height, p->x,
			    p->y, look->width, look->height);
		drawn = drawn || (p->width >= 1 && p->height >= 1);
	}
	BUG_IF(map && !drawn);
}

/* An image takes what its area takes: large pages are vectors but for one in 64. */
static void draw_page(struct choices *c, const struct figure *f, struct arena *a)
{
	const bool large = choose(c, 64) == 63, vector = choose(c, 4) == 0;
	struct raster_look look = {.width = length(c, 8000),
				   .height = length(c, 8000),
				   .dpi = 150,
				   .dark = choose(c, 2),
				   .foot = (enum foot)choose(c, 3)};
	const double area = (double)look.width * look.height;
	struct raster_report report = {0};
	struct err err = {0};
	struct image image;
	char *data;
	size_t len;
	const size_t before = a->used;
	if (vector || area > (large ? 4e6 : 2e5)) {
		const bool svg = choose(c, 2);
		look.embed_fonts = look.dark && look.foot == FOOT_NONE;
		if (!raster_vector(f, &look, svg ? RASTER_SVG : RASTER_PDF, a, &data, &len, &report,
				   &err))
			BUG("%s", err.text);
		BUG_IF(svg && !text_valid(data, len));
	} else if (!raster_image(f, &look, a, &image, &report, &err)) {
		BUG("%s", err.text);
	}
	BUG_IF(a->used - before > ((size_t)256 << 20));
	expect_apart(&report, &look);
	expect_drawn(f, &report, &look);
}

/* ---- cells ------------------------------------------------------------------------------------ */

static void expect_whole(const struct canvas *c)
{
	for (int i = 0; i < c->rows * c->cols; i++) {
		const struct cell *const k = &c->cells[i];
		BUG_IF(memchr(k->at, '\0', CELL_BYTES) == NULL);
		BUG_IF(!text_valid(k->at, strlen(k->at)) || text_width(k->at) != k->width);
		BUG_IF(k->width == 2 && (i % c->cols == c->cols - 1 || k[1].width != 0));
		BUG_IF(k->width == 0 && (i % c->cols == 0 || k[-1].width != 2));
		BUG_IF(c->tier == TIER_MONO && (k->fg != CELL_DEFAULT || k->bg != CELL_DEFAULT));
		BUG_IF(c->tier < TIER_256 && ((k->fg | k->bg) & CELL_RGB(0)));
	}
}

static bool is_inside(struct rect in, int row, int col)
{
	return row >= in.row && row < in.row + in.rows && col >= in.col && col < in.col + in.cols;
}

/* What the mouse hits is what is there. */
static void expect_hits(const struct panel *p, struct rect place, struct rect hit,
			const struct heatmap_view *v)
{
	const struct mat m = p->heatmap.values;
	if (!is_map(p) || hit.rows <= 0 || hit.cols <= 0)
		return;
	BUG_IF(!is_inside(place, hit.row, hit.col));
	BUG_IF(!is_inside(place, hit.row + hit.rows - 1, hit.col + hit.cols - 1));
	BUG_IF(v->first_row + v->rows > m.rows || v->first_col + v->cols > m.cols);
	for (int row = hit.row; row < hit.row + hit.rows; row++) {
		size_t r, s;
		if (canvas_hit(hit, v, row, hit.col + (row - hit.row) % hit.cols, &r, &s))
			BUG_IF(r >= m.rows || s >= m.cols);
	}
}

/* Panels in a part of a screen: nothing around them changes. */
static void draw_panels(struct choices *c, const struct figure *f, struct canvas *k)
{
	const struct rect r = {length(c, 20) - 1, length(c, 20) - 1, length(c, 200),
			       length(c, 500)};
	struct rect place[FIGURE_PANELS];
	const size_t focus = choose(c, f->n);
	canvas_layout(&(struct canvas){.tier = TIER_DIRECT}, f, r, focus, choose(c, 4) == 0, place);
	for (int i = 0; i < k->rows * k->cols; i++)
		memcpy(k->cells[i].at, "#", 2);
	for (size_t i = 0; i < f->n; i++) {
		struct rect hit = {0};
		struct heatmap_view v = {0};
		if (place[i].rows <= 0)
			continue;
		BUG_IF(!is_inside(r, place[i].row, place[i].col) || place[i].cols <= 0);
		BUG_IF(!is_inside(r, place[i].row + place[i].rows - 1,
				  place[i].col + place[i].cols - 1));
		canvas_panel(k, place[i], &f->panels[i], i == focus, &hit, &v);
		expect_hits(&f->panels[i], place[i], hit, &v);
	}
	for (int i = 0; i < k->rows * k->cols; i++)
		BUG_IF(!is_inside(r, i / k->cols, i % k->cols) && strcmp(k->cells[i].at, "#") != 0);
}

static void draw_cells(struct choices *c, const struct figure *f, struct arena *a)
{
	const int rows = length(c, 200), cols = length(c, 500);
	struct canvas *const k = canvas_new(a, rows, cols, (enum tier)choose(c, TIER_COUNT),
					    choose(c, 2), choose(c, 2));
	char *data;
	size_t len;
	k->quadrants = choose(c, 2);
	k->presenter = choose(c, 4) == 0;
	k->contrast = choose(c, 4) == 0;
	if (choose(c, 2) == 0)
		canvas_figure(k, f);
	else
		draw_panels(c, f, k);
	expect_whole(k);
	export_text(k, true, a, &data, &len);
	BUG_IF(!text_valid(data, len));
	BUG_IF(a->used > ((size_t)256 << 20));
}

FUZZ(page)
{
	struct choices c = {data, data + size};
	if (cache == NULL)
		cache = cache_new(64 << 20);
	const struct kept *const k = picture(&c);
	struct arena arena;
	if (!k->good)
		return 0;
	arena_init(&arena);
	const struct figure f = figure_of(&c, k);
	(choose(&c, 4) == 0 ? draw_cells : draw_page)(&c, &f, &arena);
	arena_release(&arena);
	return 0;
}
