/* bench_pictures.c: from a scene to its figure, and the figure as cells, as a page and as PNG. */
#include <stdio.h>

#include "bench.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/raster.h"

enum { ROUNDS = 9 };

/* Milliseconds of each part, round by round. */
struct parts_ms {
	double figure[ROUNDS], cells[ROUNDS], page[ROUNDS], png[ROUNDS], again[ROUNDS];
};

static bool draw(const struct scene *scene, struct cache *cache, struct parts_ms *at, size_t i)
{
	struct arena a;
	struct picture picture;
	struct err err;
	struct image image;
	const struct raster_look look = {.width = 1600, .height = 1000, .dpi = 150};
	char *data;
	size_t len;
	arena_init(&a);
	const double t0 = now_ms();
	bool ok =
		picture_make(scene, NULL, false, BACKGROUND_DARK, cache, NULL, &a, &picture, &err);
	const double t1 = now_ms();
	if (ok)
		canvas_figure(canvas_new(&a, 50, 200, TIER_DIRECT, false, true), &picture.figure);
	const double t2 = now_ms();
	ok = ok && raster_image(&picture.figure, &look, &a, &image, NULL, &err);
	const double t3 = now_ms();
	ok = ok && export_png(&image, 150, NULL, 0, &a, &data, &len, &err);
	const double t4 = now_ms();
	if (ok)
		picture_redraw(scene, NULL, false, BACKGROUND_DARK, &a, &picture, NULL);
	else
		printf("%s\n", err.text);
	at->again[i] = now_ms() - t4;
	at->figure[i] = t1 - t0, at->cells[i] = t2 - t1;
	at->page[i] = t3 - t2, at->png[i] = t4 - t3;
	arena_release(&a);
	return ok;
}

/* `compared`: NULL for Explore, else what Compare shows beside the scheme. */
static void draw_rounds(size_t n, long d, long heads, const char *compared)
{
	struct arena keep;
	struct scene scene;
	struct parts_ms at;
	arena_init(&keep);
	scene_for(&scene, &keep, n, d, heads);
	if (compared) {
		scene.view = "compare";
		scene.setup.compare = compared;
	}
	struct cache *cache = cache_new((size_t)1 << 28);
	size_t i = 0;
	while (i < ROUNDS && draw(&scene, cache, &at, i))
		i++;
	const double page = median(at.page, i), png = median(at.png, i);
	printf("%6zu %5ld %3ld %14.2f %14.2f %10.1f %9.1f %9.1f %9.2f%s\n", n, d, heads,
	       median(at.figure, i), median(at.cells, i), page, png, page + png,
	       median(at.again, i), compared ? "  four compared" : "");
	cache_free(cache);
	arena_release(&keep);
}

void bench_pictures(void)
{
	printf("\nscene to figure, to cells (200x50), to page (1600x1000), to PNG; ms\n");
	printf("%6s %5s %3s %14s %14s %10s %9s %9s %9s\n", "n", "d", "h", "scene→figure",
	       "figure→cells", "page", "png", "sum", "redraw");
	draw_rounds(9, 64, 4, NULL);
	draw_rounds(64, 64, 4, NULL);
	draw_rounds(64, 64, 4, "alibi; t5; shaw+causal");
	draw_rounds(512, 768, 12, NULL);
	draw_rounds(512, 768, 12, "alibi; t5; shaw+causal");
}
