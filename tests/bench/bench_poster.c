/* bench_poster.c: a poster of all schemes. */
#include <stdio.h>

#include "bench.h"
#include "posviz/app/app.h"
#include "posviz/export/export.h"
#include "posviz/picture/sheet.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/contact.h"
#include "posviz/plot/raster.h"
#include "posviz/view/view.h"

enum { ROUNDS = 3 };

struct poster_ms {
	double maps[ROUNDS], cells[ROUNDS], page[ROUNDS], png[ROUNDS];
};

static void draw_cells(struct arena *a, const struct figure *f)
{
	struct canvas *canvas = canvas_new(a, 50, 200, TIER_DIRECT, false, true);
	const int rows = canvas_contact_rows(canvas, f, 50);
	canvas_contact(canvas_new(a, rows > 0 ? rows : 50, 200, TIER_DIRECT, false, true), f);
}

static bool draw(struct contact_request r, struct poster_ms *at, size_t i)
{
	struct arena a;
	struct figure f;
	struct image image;
	struct err err;
	struct raster_look look = {.dpi = 150};
	const char *left_out;
	char *data;
	size_t len;
	arena_init(&a);
	r.cache = cache_new(CACHE_BYTES);
	const double t0 = now_ms();
	bool ok = contact_make(&r, &a, &f, &left_out, &err);
	const double t1 = now_ms();
	if (ok)
		draw_cells(&a, &f);
	const double t2 = now_ms();
	ok = ok && raster_contact_size(&f, &look, &a, &err) &&
	     raster_image(&f, &look, &a, &image, NULL, &err);
	const double t3 = now_ms();
	ok = ok && export_png(&image, 150, NULL, 0, &a, &data, &len, &err);
	if (!ok)
		printf("%s\n", err.text);
	at->maps[i] = t1 - t0, at->cells[i] = t2 - t1;
	at->page[i] = t3 - t2, at->png[i] = now_ms() - t3;
	cache_free(r.cache);
	arena_release(&a);
	return ok;
}

static void draw_rounds(size_t n, long d, long heads, double goal)
{
	struct arena keep;
	struct scene scene;
	struct poster_ms at;
	size_t items, i = 0;
	arena_init(&keep);
	scene_for(&scene, &keep, n, d, heads);
	const struct menu_item *const menu = menu_items(NULL, &keep, &items);
	struct contact_wish *const wishes = arena_calloc(&keep, items, sizeof *wishes);
	for (size_t k = 0; k < items; k++)
		wishes[k] = (struct contact_wish){menu[k].scheme->id, menu[k].scheme->id,
						  menu[k].group, true};
	const struct contact_request request = {.wishes = wishes,
						.n = items,
						.scenes = &scene,
						.n_scenes = 1,
						.background = BACKGROUND_LIGHT};
	while (i < ROUNDS && draw(request, &at, i))
		i++;
	const double maps = median(at.maps, i), page = median(at.page, i), png = median(at.png, i);
	printf("%6zu %5ld %3ld %9.0f %9.0f %9.0f %9.0f %9.0f", n, d, heads, maps,
	       median(at.cells, i), page, png, maps + page + png);
	goal_at_most(maps + page + png, goal, "poster, n %zu, ms", n);
	putchar('\n');
	arena_release(&keep);
}

void bench_poster(void)
{
	printf("\nall %zu schemes on a contact sheet: maps, cells, page, PNG, without cells; ms\n",
	       scheme_count());
	printf("%6s %5s %3s %9s %9s %9s %9s %9s\n", "n", "d", "h", "maps", "cells", "page", "png",
	       "sum");
	draw_rounds(9, 64, 4, 500);
	draw_rounds(60, 64, 4, 5000);
}
