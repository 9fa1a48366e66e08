/* snapshot.c: writes a figure with all that is needed to make it again, reads this back, and
 * compares.
 *
 * A picture may come from an unknown author: everything in it is checked, and nothing in it can
 * cause a file to be written. */
#include "posviz/app/snapshot.h"
#include "posviz/plot/panel.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "posviz/format/json_read.h"
#include "posviz/app/format.h"
#include "posviz/base/rng.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/format/json.h"
#include "posviz/learn/known.h"
#include "posviz/math/machine.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/model_seen.h"

/* Returns the entry, or 0 if it is masked or not finite. */
static double entry(const struct heatmap *h, size_t row, size_t col, bool *counts)
{
	const double x = mat_row(h->values, row)[col];
	const bool masked = h->masked != NULL && h->masked[row * h->values.cols + col] != 0;
	*counts = !masked && isfinite(x);
	return *counts ? x : 0;
}

/* Returns uᵀMv with u [rows] and v [cols]. */
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

static void write_matrix(struct json_writer *w, const char *title, const struct heatmap *h,
			 size_t index, struct arena *a)
{
	json_writer_object(w, NULL);
	json_writer_string(w, "title", title);
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
	struct figure all = *figure;
	const struct heatmap *h;
	size_t panel;
	for (size_t i = 0; (h = figure_heatmap(&all, i, &panel)) != NULL; i++)
		if (h->values.at != NULL)
			write_matrix(w, all.panels[panel].title, h,
				     panel_type(&all.panels[panel])->map ? panel : i, a);
	for (size_t i = 0; i < figure->n; i++) {
		const struct panel *const p = &figure->panels[i];
		struct heatmap numbers = {0};
		if (!p->absent && panel_type(p)->numbers && panel_type(p)->numbers(p, a, &numbers))
			write_matrix(w, figure->panels[i].title, &numbers, i, a);
	}
	json_writer_end(w);
	return json_writer_done(w, 0);
}

/* A picture need not show a number for it to be the model's: a table has more rows than the sentence
 * has tokens. */
static size_t write_params(struct json_writer *w, const struct scene *scene, struct arena *a)
{
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	size_t n = 0;
	if (!*scene->setup.params || !setup_build(&scene->setup, a, b, NULL))
		return 0;
	for (size_t i = 0; i < b->model.n_leaves; i++) {
		const struct leaf *const leaf = &b->model.leaves[i];
		if (!leaf->tensor)
			continue;
		const struct heatmap numbers = {.values = model_leaf_at(&b->model, leaf)};
		write_matrix(w, arena_printf(a, "param.%s", leaf->name), &numbers, n++, a);
	}
	return n;
}

static bool is_training(const struct scene *scene)
{
	return strcmp(scene->view, "learn") == 0;
}

static size_t write_training(struct json_writer *w, const struct scene *scene, size_t n,
			     struct arena *a)
{
	struct learn_options o;
	struct heatmap loss = {0}, numbers = {0};
	if (!is_training(scene))
		return 0;
	learn_of_scene(scene, scene->setup.scheme, &o);
	if (!learn_first_steps(&o, SNAPSHOT_STEPS, a, &loss.values, &numbers.values, NULL))
		return 0;
	write_matrix(w, "training.loss", &loss, n, a);
	write_matrix(w, "training.numbers", &numbers, n + 1, a);
	return 2;
}

const char *snapshot_learned(const struct scene *scene, struct arena *a)
{
	struct json_writer *const w = json_writer_new(a);
	json_writer_array(w, NULL);
	size_t n = write_params(w, scene, a);
	n += write_training(w, scene, n, a);
	json_writer_end(w);
	return n > 0 ? json_writer_done(w, 0) : NULL;
}

static const char *kernel(struct arena *a)
{
	char machine[200];
	machine_describe(machine, sizeof machine);
	return arena_strdup(a, machine);
}

/* With a size on paper, or a font size, the page is measured in inches, and a unit is 1/96 inch. */
struct raster_look snapshot_look(const struct scene *scene)
{
	static const double unit = 96, point = 96.0 / 72, usual = 8;
	static const enum foot feet[CAPTION_COUNT] = {[CAPTION_NONE] = FOOT_NONE,
						      [CAPTION_SHORT] = FOOT_CAPTION,
						      [CAPTION_FULL] = FOOT_COMMAND};
	const struct page_size *const size = &scene->size;
	const bool paper = size->unit != PAGE_PX, inches = paper || scene->font_size > 0;
	const double dpi = scene->dpi > 0 ? scene->dpi : paper ? 300 : 150;
	const double scale = !inches ? 1 : paper ? unit * page_inches(1, size->unit) : unit / dpi;
	const double letters = scene->font_size > 0 ? scene->font_size : usual;
	return (struct raster_look){
		.width = size->width * scale,
		.height = size->height * scale,
		.pixels = inches ? dpi / unit : 1,
		.dpi = dpi,
		.type = inches ? letters * point : 0,
		.font = strcmp(scene->font, "auto") == 0 ? NULL : scene->font,
		.foot = scene->caption != CAPTION_AUTO ? feet[scene->caption]
			: paper			       ? FOOT_NONE
						       : FOOT_CAPTION,
		.dark = scene->theme == THEME_DARK,
		.embed_fonts = scene->embed_fonts,
	};
}

size_t snapshot_texts(const struct scene *scene, const struct figure *figure, const char *tour,
		      struct arena *a, struct export_text *out)
{
	struct scene kept = *scene;
	scene_make_absolute(&kept, a);
	out[0] = (struct export_text){SNAPSHOT_SCENE, scene_print(&kept, a)};
	out[1] = (struct export_text){SNAPSHOT_VERSION, POSVIZ_VERSION};
	out[2] = (struct export_text){SNAPSHOT_MATRICES, snapshot_matrices(figure, a)};
	size_t n = 3;
	const char *const learned = snapshot_learned(scene, a);
	if (learned)
		out[n++] = (struct export_text){SNAPSHOT_LEARNED, learned};
	if (is_training(scene))
		out[n++] = (struct export_text){SNAPSHOT_KERNEL, kernel(a)};
	const char *seen;
	if (model_seen(&kept.setup, a, &seen, NULL) && seen)
		out[n++] = (struct export_text){SNAPSHOT_MODEL, seen};
	if (tour)
		out[n++] = (struct export_text){SNAPSHOT_TOUR, tour};
	return n;
}

bool snapshot_png(const struct scene *scene, const struct figure *figure, const char *tour,
		  struct arena *a, char **data, size_t *len, struct raster_report *report,
		  struct err *err)
{
	const struct raster_look look = snapshot_look(scene);
	struct export_text texts[SNAPSHOT_TEXTS];
	const size_t n = snapshot_texts(scene, figure, tour, a, texts);
	struct image image;
	if (!raster_image(figure, &look, a, &image, report, err))
		return false;
	return export_png(&image, look.dpi, texts, n, a, data, len, err);
}

/* ---- reading ----------------------------------------------------------------------------- */

struct texts {
	const char *scene, *version, *matrices, *learned, *kernel, *model,
		*tour; /* NULL: not there */
};

/* Reads the texts; the first of each keyword counts. */
static bool read_texts(const void *data, size_t len, struct arena *a, struct texts *out,
		       struct err *err)
{
	struct export_text *texts;
	size_t n;
	*out = (struct texts){0};
	if (!format_of_bytes(data, len)->texts(data, len, a, &texts, &n, err))
		return false;
	const struct {
		const char *keyword, **to;
	} wanted[] = {{SNAPSHOT_SCENE, &out->scene},	   {SNAPSHOT_VERSION, &out->version},
		      {SNAPSHOT_MATRICES, &out->matrices}, {SNAPSHOT_LEARNED, &out->learned},
		      {SNAPSHOT_KERNEL, &out->kernel},	   {SNAPSHOT_MODEL, &out->model},
		      {SNAPSHOT_TOUR, &out->tour}};
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
			if (!*wanted[k].to && strcmp(texts[i].keyword, wanted[k].keyword) == 0)
				*wanted[k].to = texts[i].text;
	return out->scene ||
	       err_set(err, "this picture carries no scene: it is not a snapshot of posviz");
}

/* Checks a file of the scene, whose name may be followed by a tensor's; tensors may be in a model's
 * directory, whose files are checked when they are opened. A user who opens another person's picture
 * must not be blocked by a pipe or device. */
static bool check_file(const char *name, const char *path, struct arena *a, struct err *err)
{
	const bool tensors = strcmp(name, "units") == 0 || strcmp(name, "weights") == 0 ||
			     strcmp(name, "params") == 0 || strcmp(name, "checkpoint") == 0;
	struct stat st;
	const char *const colon = strrchr(path, ':');
	const char *const quoted = text_quote(a, path, strlen(path));
	if (strcmp(path, "-") == 0)
		return err_set(err, "its scene has %s -, standard input; a file would be right",
			       name);
	const bool there =
		stat(path, &st) == 0 ||
		(colon && stat(arena_strndup(a, path, (size_t)(colon - path)), &st) == 0);
	return !there || S_ISREG(st.st_mode) || (tensors && S_ISDIR(st.st_mode)) ||
	       err_set(err, "its scene has %s %s, which is no regular file", name, quoted);
}

static bool read_scene(const struct texts *texts, struct arena *a, struct scene *scene,
		       struct err *err)
{
	struct scene made;
	if (!scene_parse(&made, texts->scene, err))
		return err_prefix(err, "the scene in the picture: ");
	const struct setup *const s = &made.setup;
	if (!check_file("conllu", s->conllu, a, err) || !check_file("tree", s->tree, a, err) ||
	    !check_file("graph", s->graph, a, err) || !check_file("file", s->file, a, err) ||
	    !check_file("units", s->units, a, err) || !check_file("weights", s->weights, a, err) ||
	    !check_file("params", s->params, a, err) ||
	    !check_file("checkpoint", s->checkpoint, a, err))
		return false;
	if (texts->model && !model_seen_again(s, texts->model, a, err))
		return false;
	*scene = made;
	return true;
}

bool snapshot_scene(const void *data, size_t len, struct arena *a, struct scene *scene,
		    struct err *err)
{
	struct texts texts;
	return read_texts(data, len, a, &texts, err) && read_scene(&texts, a, scene, err);
}

const char *snapshot_tour(const void *data, size_t len, struct arena *a)
{
	struct texts texts;
	return read_texts(data, len, a, &texts, NULL) ? texts.tour : NULL;
}

/* ---- comparing --------------------------------------------------------------------------- */

/* The summary of one matrix by snapshot_matrices. */
struct sums {
	const char *title;
	size_t rows, cols;
	double lo, hi, norm, projections[SNAPSHOT_PROJECTIONS];
};

static bool get_number(const struct json_value *v, double *out)
{
	if (!v)
		return false;
	if (v->kind == JSON_VALUE_INTEGER)
		*out = (double)v->as.integer;
	else if (v->kind == JSON_VALUE_REAL)
		*out = v->as.real;
	else if (v->kind == JSON_VALUE_STRING && strcmp(v->as.string, "inf") == 0)
		*out = INFINITY;
	else if (v->kind == JSON_VALUE_STRING && strcmp(v->as.string, "-inf") == 0)
		*out = -INFINITY;
	else
		return false;
	return true;
}

static bool get_size(const struct json_value *v, size_t *out)
{
	if (!v || v->kind != JSON_VALUE_INTEGER || v->as.integer < 0)
		return false;
	*out = (size_t)v->as.integer;
	return true;
}

static bool get_sums(const struct json_value *v, struct sums *out)
{
	const struct json_value *const title = json_member(v, "title");
	const struct json_value *const p = json_member(v, "projections");
	if (!title || title->kind != JSON_VALUE_STRING || !p || p->kind != JSON_VALUE_ARRAY ||
	    p->count != SNAPSHOT_PROJECTIONS)
		return false;
	out->title = title->as.string;
	for (size_t i = 0; i < SNAPSHOT_PROJECTIONS; i++)
		if (!get_number(&p->as.items[i], &out->projections[i]))
			return false;
	return get_size(json_member(v, "rows"), &out->rows) &&
	       get_size(json_member(v, "cols"), &out->cols) &&
	       get_number(json_member(v, "min"), &out->lo) &&
	       get_number(json_member(v, "max"), &out->hi) &&
	       get_number(json_member(v, "norm"), &out->norm);
}

/* The limit: every head of every layer, with their means. */
enum { MATRICES_MOST = (MODEL_MAX_HEADS + 1) * (2 * MODEL_MAX_LAYERS + 1) };

/* Reads the summaries of a text; at most as many as a figure can show. */
static bool read_sums(const char *text, struct arena *a, struct sums **out, size_t *n,
		      struct err *err)
{
	const struct json_value *const root = json_parse(a, text, strlen(text), err);
	if (!root)
		return err_prefix(err, "the numbers in the picture: ");
	if (root->kind != JSON_VALUE_ARRAY || root->count > MATRICES_MOST)
		return err_set(err,
			       "the numbers in the picture are damaged: a list of at most %d "
			       "matrices would be right",
			       MATRICES_MOST);
	*n = root->count;
	*out = arena_calloc(a, *n + 1, sizeof **out);
	for (size_t i = 0; i < *n; i++)
		if (!get_sums(&root->as.items[i], &(*out)[i]))
			return err_set(err,
				       "the numbers in the picture are damaged: those of matrix "
				       "%zu are not complete",
				       i + 1);
	return true;
}

/* Returns the relative difference. Infinite limits, of a matrix without values, are equal or
 * infinitely far apart. */
static double difference(double x, double y, double size)
{
	if (isfinite(x) && isfinite(y))
		return fabs(x - y) / size;
	return x < y || x > y ? INFINITY : 0;
}

/* No entry of a matrix, and hardly a projection, is larger than its norm. A matrix of rounding
 * errors (a difference that should be zero) differs between machines: below this norm, differences
 * are no longer relative. */
static const double smallest_norm = 1e-3;

static double worst_difference(const struct sums *there, const struct sums *here)
{
	const double size = fmax(fmax(fabs(there->norm), fabs(here->norm)), smallest_norm);
	double worst =
		fmax(difference(there->lo, here->lo, size), difference(there->hi, here->hi, size));
	worst = fmax(worst, difference(there->norm, here->norm, size));
	for (size_t i = 0; i < SNAPSHOT_PROJECTIONS; i++)
		worst = fmax(worst, difference(there->projections[i], here->projections[i], size));
	return worst;
}

/* Compares two summaries, one of which may be NULL. */
static struct verification compare(const struct sums *there, const struct sums *here,
				   struct arena *a)
{
	const struct sums *const any = here ? here : there;
	BUG_IF(!any);
	struct verification v = {.title = text_escape(a, any->title, strlen(any->title)),
				 .rows = any->rows,
				 .cols = any->cols,
				 .worst = INFINITY};
	if (!here)
		v.trouble = "is in the picture and is not computed";
	else if (!there)
		v.trouble = "is computed and is not in the picture";
	else if (strcmp(there->title, here->title) != 0)
		v.trouble = arena_printf(a, "is %s in the picture",
					 text_quote(a, there->title, strlen(there->title)));
	else if (there->rows != here->rows || there->cols != here->cols)
		v.trouble = arena_printf(a, "is %zux%zu in the picture", there->rows, there->cols);
	if (!v.trouble) {
		v.worst = worst_difference(there, here);
		v.ok = v.worst <= SNAPSHOT_TOLERANCE;
	}
	return v;
}

/* Computes the same summaries for the present figure. */
static bool compute(const struct scene *scene, struct cache *cache, struct arena *a,
		    struct sums **out, size_t *n, struct err *err)
{
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	return picture_make(scene, NULL, false, BACKGROUND_LIGHT, cache, NULL, a, p, err) &&
	       read_sums(snapshot_matrices(&p->figure, a), a, out, n, err);
}

static bool same_titles(const struct sums *there, size_t n_there, const struct sums *here,
			size_t n_here)
{
	bool same = n_there == n_here;
	for (size_t i = 0; same && i < n_here; i++)
		same = strcmp(there[i].title, here[i].title) == 0;
	return same;
}

/* Replaces the summaries by those of the figure as earlier versions drew it, if their titles are
 * those in the picture and the present ones are not. */
static void compute_earlier(const struct scene *scene, const struct sums *there, size_t n_there,
			    struct cache *cache, struct arena *a, struct sums **here,
			    size_t *n_here)
{
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	struct sums *earlier;
	size_t n;
	if (same_titles(there, n_there, *here, *n_here) ||
	    !picture_make_earlier(scene, BACKGROUND_LIGHT, cache, a, p, NULL) ||
	    !read_sums(snapshot_matrices(&p->figure, a), a, &earlier, &n, NULL) ||
	    !same_titles(there, n_there, earlier, n))
		return;
	*here = earlier;
	*n_here = n;
}

/* Adds the learned numbers to the summaries, on both sides; a picture of an earlier version has
 * none. */
static bool add_learned(const struct scene *scene, const char *text, struct arena *a,
			struct verification **rows, size_t *n, struct err *err)
{
	struct sums *there, *here = NULL;
	size_t n_there, n_here = 0;
	const char *const now = text ? snapshot_learned(scene, a) : NULL;
	if (!text)
		return true;
	if (!read_sums(text, a, &there, &n_there, err) ||
	    (now && !read_sums(now, a, &here, &n_here, err)))
		return false;
	const size_t more = n_there > n_here ? n_there : n_here;
	struct verification *const all = arena_calloc(a, *n + more + 1, sizeof *all);
	for (size_t i = 0; i < *n; i++)
		all[i] = (*rows)[i];
	for (size_t i = 0; i < more; i++)
		all[*n + i] =
			compare(i < n_there ? &there[i] : NULL, i < n_here ? &here[i] : NULL, a);
	*rows = all;
	*n += more;
	return true;
}

/* Says of the numbers of a training on another kernel that they are not compared: roundings grow from step
 * to step. */
static void leave_training(const struct texts *texts, const struct scene *scene, struct arena *a,
			   struct verification *rows, size_t n)
{
	const char *const there = texts->kernel;
	if (!is_training(scene) || !there || strcmp(there, kernel(a)) == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		rows[i].ok = true;
		rows[i].trouble = arena_printf(
			a, "is of another kernel, %s: the first %d steps are compared alone",
			text_escape(a, there, strlen(there)), SNAPSHOT_STEPS);
	}
}

bool snapshot_verify(const void *data, size_t len, struct cache *cache, struct arena *a,
		     double memory, struct scene *scene, struct verification **out, size_t *n,
		     const char **version, struct err *err)
{
	struct texts texts;
	struct sums *there, *here;
	size_t n_there, n_here;
	if (!read_texts(data, len, a, &texts, err) || !read_scene(&texts, a, scene, err))
		return false;
	/* The user's limit applies, whatever the picture asks for. */
	if (scene->setup.memory > memory)
		scene->setup.memory = memory;
	if (!texts.matrices)
		return err_set(err, "this picture carries a scene, but no numbers to compare with");
	if (!read_sums(texts.matrices, a, &there, &n_there, err) ||
	    !compute(scene, cache, a, &here, &n_here, err))
		return false;
	compute_earlier(scene, there, n_there, cache, a, &here, &n_here);
	*n = n_there > n_here ? n_there : n_here;
	*out = arena_calloc(a, *n + 1, sizeof **out);
	for (size_t i = 0; i < *n; i++)
		(*out)[i] =
			compare(i < n_there ? &there[i] : NULL, i < n_here ? &here[i] : NULL, a);
	leave_training(&texts, scene, a, *out, *n);
	*version = texts.version ? text_escape(a, texts.version, strlen(texts.version)) : NULL;
	return add_learned(scene, texts.learned, a, out, n, err);
}
