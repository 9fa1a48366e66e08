/* cmd_tour_folder.c: writes a tour as a directory: a picture for each step, which can be opened
 * again, and README.md as their index. */
#include "cli.h"

#include <string.h>

#include "posviz/app/snapshot.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/raster.h"
#include "posviz/tour/tour.h"
#include "posviz/tour/tour_paper.h"

static const char index_name[] = "README.md";

struct folder {
	struct cli *c;
	const struct tour *t;
	const struct tour_paper *paper;
	struct cache *cache;
	struct watch *watch;
	struct raster_report report; /* missing glyphs of all pictures */
};

/* Returns whether no file is in the way; checked before the first is written. */
static bool all_free(struct cli *c, const struct tour_image *images, size_t n, struct err *err)
{
	for (size_t i = 0; i <= n; i++) {
		struct cli one = *c;
		one.output = output_in_folder(c, i < n ? images[i].name : index_name, &c->arena);
		if (!output_free(&one, NULL, err))
			return false;
	}
	return true;
}

static bool bytes_of(const struct folder *f, size_t beat, const struct scene *scene,
		     const struct figure *figure, struct arena *a, char **data, size_t *len,
		     struct raster_report *report, struct err *err)
{
	const struct raster_look look = snapshot_look(scene);
	const struct format_page page = {.figure = figure,
					 .look = &look,
					 .scene = scene,
					 .tour = tour_where(f->t, beat, a),
					 .report = report};
	return format_find(f->c->format)->page(&page, a, data, len, err);
}

/* Returns the alternative text of a picture: "Attention weights: “dog bites man” · ..." */
static const char *alt_of(const struct figure *figure, struct arena *a)
{
	const char *titles = "";
	for (size_t i = 0; i < figure->n; i++)
		if (figure->panels[i].title)
			titles = arena_printf(a, "%s%s%s", titles, *titles ? ", " : "",
					      figure->panels[i].title);
	return arena_printf(a, "%s: %s", titles, tour_paper_below(figure, a));
}

static void note_glyphs(struct folder *f, const struct raster_report *report)
{
	f->report.missing_glyphs += report->missing_glyphs;
	if (!f->report.missing_sample && report->missing_sample)
		f->report.missing_sample = arena_strdup(&f->c->arena, report->missing_sample);
}

static bool write_file(const struct cli *c, const char *name, const char *data, size_t len,
		       struct err *err)
{
	struct cli one = *c;
	struct arena a;
	arena_init(&a);
	one.output = output_in_folder(c, name, &a);
	const bool ok = output_write(&one, data, len, err);
	arena_release(&a);
	return ok;
}

static bool write_one(struct folder *f, struct tour_image *image, struct err *err)
{
	struct arena a;
	struct err why;
	arena_init(&a);
	struct picture *const p = arena_calloc(&a, 1, sizeof *p);
	struct scene scene;
	struct raster_report report = {0};
	char *data;
	size_t len;
	const enum background background =
		f->c->scene.theme == THEME_DARK ? BACKGROUND_DARK : BACKGROUND_LIGHT;
	bool ok = tour_paper_picture(f->t, image->beat, f->paper, background, f->cache, f->watch,
				     &a, p, &scene, &why);
	if (ok) {
		image->alt = alt_of(&p->figure, &f->c->arena);
		ok = bytes_of(f, image->beat, &scene, &p->figure, &a, &data, &len, &report, err) &&
		     write_file(f->c, image->name, data, len, err);
		note_glyphs(f, &report);
	} else {
		ok = f->t->beats[image->beat].refused || err_set(err, "%s", why.text);
		image->message = arena_strdup(&f->c->arena, why.text);
	}
	arena_release(&a);
	return ok;
}

static bool write_all(struct folder *f, struct tour_image *images, size_t n, struct err *err)
{
	f->watch = progress_begin();
	size_t i = 0;
	while (i < n && write_one(f, &images[i], err))
		i++;
	progress_end();
	return i == n || err_prefix(err, "%s: ", images[i].name);
}

bool tour_folder(struct cli *c, const struct tour *t, const struct tour_paper *paper,
		 struct cache *cache, struct err *err)
{
	struct folder f = {.c = c, .t = t, .paper = paper, .cache = cache};
	struct handout h;
	size_t n;
	tour_paper(t, paper, &c->arena, &h);
	struct tour_image *const images = tour_images(&h, c->format, &c->arena, &n);
	if (!all_free(c, images, n, err) || !output_folder_begin(c, err))
		return false;
	bool ok = write_all(&f, images, n, err);
	if (ok) {
		const char *const text = tour_markdown(&h, images, n, &c->arena);
		ok = write_file(c, index_name, text, strlen(text), err);
	}
	if (!output_folder_end(c, ok, err))
		return err_prefix(err, "none of %zu pictures was written: ", n);
	output_glyphs(c, &f.report, true);
	return true;
}
