/* snapshot.c: writing a figure with what is needed to make it again, and reading that back. */
#include "posviz/snapshot.h"

#include <math.h>
#include <string.h>

#include "posviz/export.h"
#include "posviz/json.h"
#include "posviz/rng.h"

/* The entry as it counts: 0 when it is masked or not finite. */
static double entry(const struct heatmap *h, size_t row, size_t col, bool *counts)
{
	const double x = mat_row(h->values, row)[col];
	const bool masked = h->masked != NULL && h->masked[row * h->values.cols + col] != 0;
	*counts = !masked && isfinite(x);
	return *counts ? x : 0;
}

/* uᵀMv with u [rows] and v [cols]. */
static double project(const struct heatmap *h, const double *u, const double *v)
{
	double sum = 0;
	bool counts;
	for (size_t r = 0; r < h->values.rows; r++) {
		double row = 0;
		for (size_t c = 0; c < h->values.cols; c++)
			row += entry(h, r, c, &counts) * v[c];
		sum += u[r] * row;
	}
	return sum;
}

static double *draw(struct arena *a, struct rng *rng, size_t n)
{
	double *const out = arena_alloc(a, n * sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = rng_normal(rng);
	return out;
}

static void write_range(struct json_writer *w, const struct heatmap *h)
{
	double lo = INFINITY, hi = -INFINITY, squares = 0;
	for (size_t r = 0; r < h->values.rows; r++) {
		for (size_t c = 0; c < h->values.cols; c++) {
			bool counts;
			const double x = entry(h, r, c, &counts);
			squares += x * x;
			if (counts) {
				lo = fmin(lo, x);
				hi = fmax(hi, x);
			}
		}
	}
	json_writer_number(w, "min", lo);
	json_writer_number(w, "max", hi);
	json_writer_number(w, "norm", sqrt(squares));
}

static void write_matrix(struct json_writer *w, const struct panel *p, size_t index,
			 struct arena *a)
{
	const struct heatmap *const h = &p->heatmap;
	json_writer_object(w, NULL);
	json_writer_string(w, "title", p->title);
	json_writer_integer(w, "rows", (long)h->values.rows);
	json_writer_integer(w, "cols", (long)h->values.cols);
	write_range(w, h);
	json_writer_array(w, "projections");
	for (size_t k = 0; k < SNAPSHOT_PROJECTIONS; k++) {
		struct rng rng;
		rng_init(&rng, index * SNAPSHOT_PROJECTIONS + k);
		const double *const u = draw(a, &rng, h->values.rows);
		const double *const v = draw(a, &rng, h->values.cols);
		json_writer_number(w, NULL, project(h, u, v));
	}
	json_writer_end(w);
	json_writer_end(w);
}

const char *snapshot_matrices(const struct figure *figure, struct arena *a)
{
	struct json_writer *const w = json_writer_new(a);
	json_writer_array(w, NULL);
	for (size_t i = 0; i < figure->n; i++) {
		const struct panel *const p = &figure->panels[i];
		if (p->kind == PANEL_HEATMAP && p->absent == NULL && p->heatmap.values.at != NULL)
			write_matrix(w, p, i, a);
	}
	json_writer_end(w);
	return json_writer_done(w, 0);
}

struct raster_look snapshot_look(const struct scene *scene)
{
	return (struct raster_look){.width = (int)scene->width,
				    .height = (int)scene->height,
				    .dpi = scene->dpi,
				    .dark = scene->theme == THEME_DARK,
				    .command = scene->full_caption};
}

bool snapshot_png(const struct scene *scene, const struct figure *figure, struct arena *a,
		  char **data, size_t *len, struct raster_report *report, struct err *err)
{
	const struct raster_look look = snapshot_look(scene);
	const struct export_text texts[] = {
		{SNAPSHOT_SCENE, scene_print(scene, a)},
		{SNAPSHOT_VERSION, POSVIZ_VERSION},
		{SNAPSHOT_MATRICES, snapshot_matrices(figure, a)},
	};
	struct image image;
	if (!raster_image(figure, &look, a, &image, report, err))
		return false;
	return export_png(&image, look.dpi, texts, sizeof texts / sizeof *texts, a, data, len, err);
}

bool snapshot_scene(const void *data, size_t len, struct arena *a, struct scene *scene,
		    struct err *err)
{
	struct export_text *texts;
	size_t n;
	if (!export_png_read(data, len, a, NULL, &texts, &n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(texts[i].keyword, SNAPSHOT_SCENE) == 0)
			return scene_parse(scene, texts[i].text, err);
	return err_set(err, "this picture carries no scene: it is not a snapshot of posviz");
}
