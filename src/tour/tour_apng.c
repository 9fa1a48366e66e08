/* tour_apng.c: what a beat plays, as pictures that follow each other in one file. */
#include "posviz/app/snapshot.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"
#include "posviz/tour/tour.h"

static enum background background_of(const struct scene *scene)
{
	return scene->theme == THEME_DARK ? BACKGROUND_DARK : BACKGROUND_LIGHT;
}

struct filming {
	const struct tour_beat *beat;
	struct cache *cache;
	struct watch *watch;
	struct apng *film;
	double height; /* of the first page: all are as high; 0: not known yet */
};

static bool add_frame(struct filming *f, const struct scene *scene, double seconds, struct arena *a,
		      struct err *err)
{
	struct raster_look look = snapshot_look(scene);
	struct raster_report report;
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	struct image image;
	size_t pane;
	look.height = look.height > 0 ? look.height : f->height;
	if (!tour_picture(f->beat, scene, true, background_of(scene), f->cache, f->watch, a, p,
			  &pane, err) ||
	    !raster_image(&p->figure, &look, a, &image, &report, err))
		return false;
	f->height = report.height;
	return export_apng_add(f->film, &image, seconds, err);
}

bool tour_apng(const struct tour_beat *beat, const struct scene *scene, struct cache *cache,
	       struct watch *watch, struct arena *a, char **data, size_t *len, struct err *err)
{
	const struct tour_play *const play = &beat->play;
	BUG_IF(play->n == 0);
	struct filming f = {
		.beat = beat, .cache = cache, .watch = watch, .film = export_apng_begin(false, a)};
	bool ok = true;
	for (size_t i = 0; i < play->n && ok; i++) {
		struct arena frame;
		struct scene at = play->frames[i];
		arena_init(&frame);
		scene_take_changes(&at, &play->frames[play->n - 1], scene);
		ok = add_frame(&f, &at, play->seconds / (double)play->n, &frame, err);
		arena_release(&frame);
	}
	if (ok)
		export_apng_end(f.film, data, len);
	else
		export_apng_drop(f.film);
	return ok;
}
