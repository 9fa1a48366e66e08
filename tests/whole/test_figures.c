/* test_figures.c: the figures that people get: every view and scheme, several sentences and sizes, through
 * the whole way from scene to page. Nothing overlaps, nothing is cut, everything can be read. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_measure.h"
#include "help_pages.h"
#include "help_sample.h"
#include "help_view.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/raster.h"

struct wanted {
	const char *lines; /* commands on top of the scheme's */
	int width, height;
	bool dark;
	size_t tokens; /* where they are many */
};

static const struct wanted wanted[] = {
	{"sentence the cat chases the dog .\n", 1600, 1000, false},
	{"sentence a\n", 1600, 1000, true},
	{"sentence Donaudampfschifffahrtsgesellschaft 猫 عربي e\nmatrix logits\n", 1600, 1000,
	 false},
	{"sentence one two three four five six seven eight nine ten eleven twelve thirteen "
	 "fourteen "
	 "fifteen sixteen seventeen eighteen nineteen twenty\nheads 8\nhead 8\nproj random\n",
	 1600, 1000, true, 20},
	{"special cls,sep\nsentence to be ||| or not\nrow 2\ncol 3\ncaption full\n", 1920, 1080,
	 false},
	{"init paper\norder reverse\nscale log\nlayer 2\n", 1400, 1000, false},
	{"sentence the cat chases the dog .\norder shuffle:3\nrow 2\ncol 2\n", 1000, 700, true},
	{"sentence 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
	 "30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 "
	 "59 60 61 62 63 64\norder shuffle:1\n",
	 1600, 1000, false, 64},
};

enum { WANTED = sizeof wanted / sizeof wanted[0], USUAL = 0, SMALL = 6 };

/* A scheme brings words and panels, a sentence labels and sizes, which hardly depend on each other:
 * every scheme is drawn on a page of the usual size or on a small one, the views in turn, and half of
 * them of one of the other sentences. */
static bool is_wanted(size_t scheme, size_t k)
{
	return k == USUAL || k == SMALL || scheme % WANTED == k;
}

/* Of the table of all schemes only the card is another one; Compare is pages of the same panels. Of a view with
 * numbers that take long every tenth scheme is drawn. */
static bool is_drawn(const struct view *view, size_t scheme, size_t k)
{
	const bool even = (scheme / 2 + view_index(view)) % 2 == 0;
	if ((view->slow && scheme % 10 != 0) || (k == USUAL ? !even : even))
		return false;
	return view->table ? scheme == 0 || k == USUAL : view->compare ? k != SMALL : true;
}

static void draw_one(const struct scene *scene, const struct wanted *w,
		     const struct measures *measures, struct cache *cache)
{
	struct arena a;
	arena_init(&a);
	struct err err = {""};
	const char *lines = scene_print(scene, &a);
	struct picture picture;
	if (!picture_make(scene, measures, false, w->dark ? BACKGROUND_DARK : BACKGROUND_LIGHT,
			  cache, NULL, &a, &picture, &err))
		fail_msg("%s: %s", lines, err.text);
	const struct raster_look look = {.width = w->width,
					 .height = w->height,
					 .dpi = 150,
					 .dark = w->dark,
					 .foot = scene->caption == CAPTION_FULL ? FOOT_COMMAND
										: FOOT_CAPTION};
	const struct raster_report report = help_page_report(&picture.figure, &look, &a);
	help_page_reads(lines, &report, w->width, w->height);
	arena_release(&a);
}

/* All views of one scheme and sentence; what is measured is the same in all. */
static void draw_views(size_t scheme, size_t k, struct cache *cache)
{
	struct arena a;
	arena_init(&a);
	struct err err = {""};
	struct scene scene;
	struct measures measures;
	const char *id = scheme_at(scheme)->id;
	const char *lines = arena_printf(&a, "scheme %s\n%s", id, wanted[k].lines);
	if (!scene_parse(&scene, lines, &err) ||
	    !help_measure(&scene.setup, cache, &measures, &err))
		fail_msg("%s: %s", lines, err.text);
	help_train_briefly(&scene);
	scene.timing = scheme % 16 == 1; /* of the others passes are only counted */
	const long t_max = scene.setup.t_max;
	for (const struct view *const *at = views, *view; (view = *at) != NULL; at++) {
		scene.view = view->name;
		scene.setup.t_max = view->lengths ? 16 : t_max; /* how long texts get */
		if (is_drawn(view, scheme, k))
			draw_one(&scene, &wanted[k], &measures, cache);
	}
	arena_release(&a);
}

TEST_SAMPLED(every_view_of_every_scheme_prints_well, 1, 28)
{
	struct cache *cache = cache_new(64 << 20);
	for (size_t i = test_part; i < scheme_count(); i += test_parts)
		for (size_t k = 0; k < WANTED; k++)
			if (is_wanted(i, k) && help_sample_has(scheme_at(i)->id, wanted[k].tokens))
				draw_views(i, k, cache);
	cache_free(cache);
}

static void draw_with(const struct wanted *w, const char *scheme, const char *view,
		      struct cache *cache)
{
	struct arena a;
	arena_init(&a);
	struct err err = {""};
	struct scene scene;
	struct measures measures;
	const char *lines = arena_printf(&a, "scheme %s\nview %s\n%s", scheme, view, w->lines);
	if (!scene_parse(&scene, lines, &err) ||
	    !help_measure(&scene.setup, cache, &measures, &err))
		fail_msg("%s: %s", lines, err.text);
	draw_one(&scene, w, &measures, cache);
	arena_release(&a);
}

/* Samples of every kind of structure, in the views that draw them. */
TEST(every_structure_prints_well)
{
	static const struct {
		const char *scheme, *line;
	} all[] = {{"spr_rel", "conllu @dep2"},
		   {"spr_rel", "conllu @wide"},
		   {"spr_rel", "conllu @nonprojective"},
		   {"tpe", "tree @lisp"},
		   {"spr_abs", "tree @bin1"},
		   {"graformer", "graph @amr2"},
		   {"graphbert", "graph @kg1"},
		   {"graphormer", "graph @g5"},
		   {"struct_tr", "graph @amr2"},
		   {"graph_tr", "graph @amr1"},
		   {"graformer", "graph @disconnected"},
		   {"shaw", "conllu @dep1"}};
	static const char *const drawn[] = {"explore", "order", "relation"};
	static const int pages[][2] = {{1600, 1000}, {1000, 640}, {800, 600}};
	struct cache *cache = cache_new(64 << 20);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (size_t v = 0; v < sizeof drawn / sizeof *drawn; v++)
			for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
				char lines[128];
				snprintf(lines, sizeof lines, "%s\nrow 1\ncol 3\norder %s\n",
					 all[i].line, k % 2 ? "reverse" : "identity");
				draw_with(&(struct wanted){lines, pages[k][0], pages[k][1], k % 2},
					  all[i].scheme, drawn[v], cache);
			}
	cache_free(cache);
}
