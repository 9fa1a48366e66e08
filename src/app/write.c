/* write.c: a scene as the bytes of a file, and into a file under a name that was free.
 *
 * A row of a table is a format: whether it is a picture, and what makes its bytes. Everything is
 * computed from the scene alone, so what is written is what anybody gets who has the scene. */
#include "posviz/app/write.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/app/snapshot.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/format/file.h"
#include "posviz/format/json.h"
#include "posviz/format/tensor.h"
#include "posviz/picture/picture.h"

enum { LAST_NUMBER = 9999 };
static const char number_mark[] = "NNN", default_path[] = "posviz-NNN.png";
static const struct write_look usual_look = {.cols = 120, .rows = 36, .tier = TIER_DIRECT};

const char *const picture_formats[] = {"png", "svg", "pdf", "tex", "txt", "ansi", NULL};
const char *const number_formats[] = {"safetensors", "npz", "npy", "csv", "json", NULL};

/* ---- pictures ------------------------------------------------------------------------------- */

static bool build(struct write_job *j, struct err *err)
{
	if (j->picture)
		return true;
	j->picture = arena_calloc(j->a, 1, sizeof *j->picture);
	return setup_build(&j->scene->setup, j->a, &j->picture->built, err);
}

/* The figure with its measures. On a page the background is white unless the scene says dark; a
 * terminal's is more often dark. */
static bool make_figure(struct write_job *j, enum background background, struct figure **out,
			struct err *err)
{
	const struct scene *const s = j->scene;
	if (!build(j, err))
		return false;
	struct picture *const p = j->picture;
	if (!picture_compute(s, j->cache, j->watch, j->a, p, err))
		return false;
	if (!picture_measured(s, background, j->cache, j->watch, j->a, p, err))
		return false;
	if (j->point_out)
		j->point_out(j->what, s, &p->trace, j->a, &p->figure);
	*out = &p->figure;
	return true;
}

static bool make_page(struct write_job *j, struct figure **out, struct err *err)
{
	return make_figure(j, j->scene->theme == THEME_DARK ? BACKGROUND_DARK : BACKGROUND_LIGHT,
			   out, err);
}

static bool write_png(struct write_job *j, struct err *err)
{
	struct figure *f;
	return make_page(j, &f, err) && snapshot_png(j->scene, f, j->look ? j->look->tour : NULL,
						     j->a, &j->data, &j->len, j->report, err);
}

static bool write_vector(struct write_job *j, enum raster_vector kind, struct err *err)
{
	const struct raster_look look = snapshot_look(j->scene);
	struct figure *f;
	return make_page(j, &f, err) &&
	       raster_vector(f, &look, kind, j->a, &j->data, &j->len, j->report, err);
}

static bool write_svg(struct write_job *j, struct err *err)
{
	return write_vector(j, RASTER_SVG, err);
}

static bool write_pdf(struct write_job *j, struct err *err)
{
	return write_vector(j, RASTER_PDF, err);
}

/* A size in pixels is one of images: then the paper says how wide it is. */
static bool write_tex(struct write_job *j, struct err *err)
{
	const struct scene *const s = j->scene;
	const struct page_size *const size = &s->size;
	const bool paper = size->unit != PAGE_PX;
	const double usual = paper ? 8 : 0;
	struct export_tex look = {.width = paper ? page_inches(size->width, size->unit) : 0,
				  .height = paper ? page_inches(size->height, size->unit) : 0,
				  .letters = s->font_size > 0 ? s->font_size : usual,
				  .titles = s->caption != CAPTION_NONE &&
					    !(paper && s->caption == CAPTION_AUTO),
				  .dark = s->theme == THEME_DARK};
	struct figure *f;
	if (!make_page(j, &f, err) || !export_tex(f, &look, j->a, &j->data, &j->len, err))
		return false;
	if (j->report)
		*j->report = look.shown;
	j->remark = look.remark;
	return true;
}

static bool write_cells(struct write_job *j, bool colour, struct err *err)
{
	const struct write_look *const look = j->look ? j->look : &usual_look;
	const enum background background =
		j->scene->theme == THEME_AUTO ? look->background : (enum background)j->scene->theme;
	const bool dark = background != BACKGROUND_LIGHT;
	struct figure *f;
	if (!make_figure(j, background, &f, err))
		return false;
	struct canvas *const canvas = canvas_new(
		j->a, look->rows, look->cols, colour ? look->tier : TIER_MONO, look->ascii, dark);
	canvas->quadrants = look->quadrants;
	canvas_figure(canvas, f);
	export_text(canvas, colour, j->a, &j->data, &j->len);
	return true;
}

static bool write_txt(struct write_job *j, struct err *err)
{
	return write_cells(j, false, err);
}

static bool write_ansi(struct write_job *j, struct err *err)
{
	return write_cells(j, true, err);
}

/* ---- pictures that the terminal draws ------------------------------------------------------- */

/* Bytes 16 to 23 of a PNG are its width and height. */
static int big_endian(const char *at)
{
	const unsigned char *const b = (const unsigned char *)at;
	return b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
}

/* A picture of its own size takes as many cells as it has pixels for; of the usual size where nobody says
 * how large they are. */
static struct export_place place_of(const struct write_job *j, int width, int height)
{
	enum { USUAL_WIDTH = 10, USUAL_HEIGHT = 20 };
	struct export_place out = {.natural = true};
	if (j->look)
		out = j->look->place;
	if (out.cols > 0 && !out.natural)
		return out;
	if (out.cols == 0)
		out = (struct export_place){
			.natural = true, .cell_width = USUAL_WIDTH, .cell_height = USUAL_HEIGHT};
	out.cols = (width + out.cell_width - 1) / out.cell_width;
	out.rows = (height + out.cell_height - 1) / out.cell_height;
	out.cols = out.cols < EXPORT_PLACE_MOST ? out.cols : EXPORT_PLACE_MOST;
	out.rows = out.rows < EXPORT_PLACE_MOST ? out.rows : EXPORT_PLACE_MOST;
	return out;
}

static bool write_kitty(struct write_job *j, struct err *err)
{
	enum { WIDTH_AT = 16, HEIGHT_AT = 20 };
	if (!write_png(j, err))
		return false;
	const struct export_place place =
		place_of(j, big_endian(j->data + WIDTH_AT), big_endian(j->data + HEIGHT_AT));
	export_kitty(j->data, j->len, &place, j->a, &j->data, &j->len);
	return true;
}

static bool write_sixel(struct write_job *j, struct err *err)
{
	const struct raster_look look = snapshot_look(j->scene);
	struct figure *f;
	struct image image;
	if (!make_page(j, &f, err) || !raster_image(f, &look, j->a, &image, j->report, err))
		return false;
	const struct export_place place = place_of(j, image.width, image.height);
	export_sixel(&image, &place, j->a, &j->data, &j->len);
	return true;
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* What is kept lives in j->a. */
static struct picture *evaluate_for(struct write_job *j, struct want *want, struct err *err)
{
	if (!build(j, err))
		return NULL;
	struct built *const b = &j->picture->built;
	const long heads = (long)b->model.config.heads;
	if (want->head >= heads)
		want->head = heads - 1;
	return built_run(b, &b->model_input, want, j->cache, j->watch, j->a, &j->picture->trace,
			 err)
		       ? j->picture
		       : NULL;
}

/* Tables of vectors of more places than the input has and a page shows, which nobody asked for. */
static bool is_left_out(const struct write_job *j, const struct picture *p, const struct number *at)
{
	enum { SHOWN = 32 };
	const bool table = strcmp(at->name, "vectors.table") == 0 ||
			   strcmp(at->name, "vectors.rows") == 0 ||
			   strcmp(at->name, "vectors.cosine") == 0;
	return table && j->leaves == LEAVES_READ && !j->numbers && at->at.rows > SHOWN &&
	       at->at.rows > p->trace.key.n;
}

/* A number is [1]. */
static bool add_numbers(struct write_job *j, const struct picture *p, struct tensor_set *set,
			struct err *err)
{
	struct numbers numbers;
	struct json_writer *const left_out = json_writer_new(j->a);
	json_writer_array(left_out, NULL);
	numbers_init(&numbers, j->a);
	if (!view_numbers(j->scene, j->numbers ? j->numbers : "quick", &p->built, j->cache,
			  j->watch, j->a, &numbers, err))
		return false;
	for (size_t i = 0; i < numbers.n; i++) {
		const struct mat at = numbers.at[i].at;
		if (is_left_out(j, p, &numbers.at[i]))
			json_writer_string(left_out, NULL, numbers.at[i].name);
		else if (at.at)
			tensor_set_add(set, numbers.at[i].name, at, at.rows == 1);
	}
	json_writer_end(left_out);
	if (j->leaves == LEAVES_READ)
		tensor_set_add_meta_json(set, "left_out.views", json_writer_done(left_out, 0));
	return true;
}

static bool everything(struct write_job *j, struct tensor_set *set, struct err *err)
{
	struct want want = {.kinds = dump_wants(), .layer = -1, .head = -1};
	struct picture *const n = evaluate_for(j, &want, err);
	if (!n)
		return false;
	dump_tensors(j->scene, &n->built, &n->trace, j->leaves == LEAVES_READ, j->a, set);
	return add_numbers(j, n, set, err);
}

static bool write_safetensors(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	return everything(j, &set, err) &&
	       tensor_write_safetensors(&set, j->a, &j->data, &j->len, err);
}

static bool write_npz(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	return everything(j, &set, err) && tensor_write_npz(&set, j->a, &j->data, &j->len, err);
}

static bool write_json(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	if (!everything(j, &set, err))
		return false;
	set.progress = j->progress;
	return tensor_write_json(&set, j->a, &j->data, &j->len, err);
}

/* The mask as numbers: 1 where the key is allowed. */
static struct mat mask_of(const struct trace *trace, const uint8_t *mask, struct arena *a)
{
	const struct mat m = mat_new(a, trace->query.n, trace->key.n);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		m.at[i] = mask ? mask[i] : 1;
	return m;
}

/* The scene's matrix, of its head and layer. */
static struct mat matrix_of(const struct write_job *j, const struct scene *scene, struct picture *n)
{
	const size_t heads = n->built.model.config.heads;
	const struct trace *const t = &n->trace;
	const struct trace_head *const at = view_shown(scene, heads, &n->trace, j->a);
	switch ((enum matrix)scene->matrix) {
	case MATRIX_BIAS:
		return t->layers[0].heads[view_chosen(scene->head, heads)].bias;
	case MATRIX_LOGITS:
		return at->logits;
	case MATRIX_WEIGHTS:
		return at->weights;
	case MATRIX_MASK:
		return mask_of(t, at->mask, j->a);
	case MATRIX_COUNT:
		break;
	}
	BUG("matrix %d", scene->matrix);
}

/* Those of all heads, one behind the other: [heads · n_q, n_k]; without numbers where one has none. */
static struct mat matrices_of(const struct write_job *j, struct picture *n)
{
	const size_t heads = n->built.model.config.heads;
	struct scene one = *j->scene;
	struct mat all = {0};
	for (size_t h = 0; h < heads; h++) {
		one.head = (long)h + 1;
		const struct mat m = matrix_of(j, &one, n);
		if (!m.at)
			return m;
		if (!all.at)
			all = mat_new(j->a, heads * m.rows, m.cols);
		mat_set(mat_rows(all, h * m.rows, m.rows), m);
	}
	return all;
}

/* Of the view Relation it is the encoding of pairs. */
static struct picture *one_relation(struct write_job *j, struct tensor_set *set, struct err *err)
{
	struct want want = {.kinds = WANT_RELATION, .layer = 0, .head = 0};
	struct picture *const n = evaluate_for(j, &want, err);
	struct mat m, mask;
	const char *legend;
	if (!n)
		return NULL;
	if (!dump_relation(&n->trace.relation, j->a, &m, &mask, &legend)) {
		err_set(err,
			"matrix: %s has no relation: it makes no encoding of pairs before it is "
			"embedded%s",
			j->scene->setup.scheme,
			n->trace.spectrum.n > 0 ? "; its eigenvectors and eigenvalues are in "
						  "safetensors and json"
						: "");
		return NULL;
	}
	/* One tensor, so no mask beside it. */
	for (size_t i = 0; i < m.rows * m.cols; i++)
		m.at[i] = mask.at[i] > 0 ? m.at[i] : NAN;
	tensor_set_init(set, j->a);
	tensor_set_add(set, "data", m, false);
	return n;
}

static struct picture *one_matrix(struct write_job *j, struct tensor_set *set, struct err *err)
{
	if (view_of(j->scene)->relation)
		return one_relation(j, set, err);
	static const unsigned wants[MATRIX_COUNT] = {WANT_BIAS, WANT_LOGITS, WANT_WEIGHTS,
						     WANT_MASK};
	const struct scene *const s = j->scene;
	/* Which heads a mean is over hangs on their masks. */
	struct want want = {.kinds = wants[s->matrix] | WANT_MASK,
			    .layer = -1,
			    .head = j->every_head || s->head == SCENE_MEAN ? -1 : s->head - 1};
	if (s->matrix == MATRIX_BIAS && s->layer != 1) {
		err_set(err, "matrix: the bias is one of layer 1; layer 1 would be right");
		return NULL;
	}
	struct picture *const n = evaluate_for(j, &want, err);
	if (!n)
		return NULL;
	const struct mat m = j->every_head ? matrices_of(j, n) : matrix_of(j, s, n);
	if (!m.at) {
		const char *const why = n->trace.bias_absent;
		err_set(err, "matrix: %s has no %s%s%s", s->setup.scheme, matrix_names[s->matrix],
			why ? ": " : "", why ? why : "");
		return NULL;
	}
	tensor_set_init(set, j->a);
	tensor_set_add(set, "data", m, false);
	if (j->every_head) {
		const size_t heads = n->built.model.config.heads;
		struct tensor *const t = set->tensors;
		*t = (struct tensor){.name = t->name,
				     .dims = 3,
				     .shape = {heads, m.rows / heads, m.cols},
				     .at = t->at};
	}
	return n;
}

static bool write_npy(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	return one_matrix(j, &set, err) &&
	       tensor_write_npy(set.tensors, j->a, &j->data, &j->len, err);
}

static bool write_csv(struct write_job *j, struct err *err)
{
	struct tensor_set set;
	const struct picture *const n = one_matrix(j, &set, err);
	if (!n)
		return false;
	/* A relation is of all units, those of a memory too. */
	const struct trace *const t = &n->trace;
	const bool units = t->memory > 0 && view_of(j->scene)->relation;
	return tensor_write_csv(set.tensors, units ? t->key.labels : t->query.labels, t->key.labels,
				j->a, &j->data, &j->len, err);
}

/* ---- formats -------------------------------------------------------------------------------- */

static const struct format {
	const char *name;
	bool (*write)(struct write_job *j, struct err *err);
	bool terminals; /* for a terminal; no file ends so */
} formats[] = {
	{"png", write_png},
	{"svg", write_svg},
	{"pdf", write_pdf},
	{"tex", write_tex},
	{"txt", write_txt},
	{"ansi", write_ansi},
	{"safetensors", write_safetensors},
	{"npz", write_npz},
	{"npy", write_npy},
	{"csv", write_csv},
	{"json", write_json},
	{"kitty", write_kitty, .terminals = true},
	{"sixel", write_sixel, .terminals = true},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

bool write_bytes(struct write_job *j, struct err *err)
{
	const struct format *f = formats;
	while (f < formats + FORMATS && strcmp(f->name, j->format) != 0)
		f++;
	BUG_IF(f == formats + FORMATS);
	if (j->leaves == LEAVES_AS_FORMAT && f->write == write_json)
		j->leaves = LEAVES_READ;
	return f->write(j, err);
}

static const char *base_name(const char *path)
{
	const char *const slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const char *write_format(const char *path, struct err *err)
{
	const char *const dot = strrchr(base_name(path), '.');
	const char *names[FORMATS];
	char quoted[120];
	size_t n = 0;
	for (size_t i = 0; i < FORMATS; i++) {
		if (formats[i].terminals)
			continue;
		names[n++] = formats[i].name;
		if (dot && strcasecmp(dot + 1, formats[i].name) == 0)
			return formats[i].name;
	}
	const char *const near = dot && dot[1] ? text_nearest(dot + 1, names, n) : NULL;
	text_quote_buf(quoted, sizeof quoted, path, strlen(path));
	if (near)
		err_set(err, "no format ends as %s does; did you mean .%s?", quoted, near);
	else
		err_set(err,
			"%s needs an ending that says the format: png svg pdf tex txt ansi, or "
			"safetensors npz npy csv json",
			quoted);
	return NULL;
}

/* ---- names ---------------------------------------------------------------------------------- */

static const char *number_of(const char *path)
{
	return strstr(base_name(path), number_mark);
}

static bool is_taken(const char *path, struct err *err)
{
	char quoted[200];
	return err_set(err, "%s exists already; give another name, or one with NNN for a number",
		       text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
}

bool write_check(const char *path, struct err *err)
{
	char dir[PATH_MAX], quoted[200];
	struct stat st;
	if (*path == '\0')
		path = default_path;
	if (!write_format(path, err))
		return false;
	if (!number_of(path) && lstat(path, &st) == 0)
		return is_taken(path, err);
	snprintf(dir, sizeof dir, "./%.*s", (int)(base_name(path) - path), path);
	if (stat(*path == '/' ? dir + 2 : dir, &st) == 0 && S_ISDIR(st.st_mode))
		return true;
	return err_set(err, "cannot write %s: its directory does not exist",
		       text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
}

/* Takes the first number that is free. Between looking and writing somebody else may take it: then
 * the file is refused, and the next number is tried. */
static bool write_numbered(const char *path, const char *data, size_t len, struct arena *a,
			   const char **written, struct err *err)
{
	const char *const mark = number_of(path), *const rest = mark + strlen(number_mark);
	struct err why; /* of a number that was taken meanwhile it is nobody's business */
	for (int i = 1; i <= LAST_NUMBER; i++) {
		*written = arena_printf(a, "%.*s%03d%s", (int)(mark - path), path, i, rest);
		if (file_exists(*written))
			continue;
		if (file_write(*written, data, len, false, &why))
			return true;
		if (!file_exists(*written))
			return err_set(err, "%s", why.text);
	}
	return err_set(err, "%s: all numbers up to %d are taken; give another name",
		       text_quote(a, path, strlen(path)), LAST_NUMBER);
}

static bool write_named(const char *path, const char *data, size_t len, struct err *err)
{
	return file_write(path, data, len, false, err) ||
	       (file_exists(path) && is_taken(path, err));
}

static const char *said_of(const char *path, const struct raster_report *report, struct arena *a)
{
	struct strbuf b;
	char here[PATH_MAX];
	strbuf_init(&b, a);
	strbuf_printf(&b, "wrote %s", text_escape(a, path, strlen(path)));
	if (*path != '/' && getcwd(here, sizeof here))
		strbuf_printf(&b, " in %s", text_escape(a, here, strlen(here)));
	if (report->missing_glyphs > 0)
		strbuf_printf(&b, "; no font has %zu of its glyphs", report->missing_glyphs);
	if (report->left_out)
		strbuf_printf(&b, "; without %s, for which a larger size has room",
			      report->left_out);
	if (report->font)
		strbuf_printf(&b, "; there is no font %s, %s was taken",
			      text_escape(a, report->font, strlen(report->font)),
			      report->font_taken);
	return b.at;
}

static bool is_number_format(const char *name)
{
	const char *const *f = number_formats;
	while (*f && strcmp(*f, name) != 0)
		f++;
	return *f;
}

/* What stands in the look. */
static void point_out(const void *what, const struct scene *scene, const struct trace *trace,
		      struct arena *a, struct figure *f)
{
	const struct write_look *const look = what;
	(void)scene;
	figure_mark(f, look->marks, look->n_marks, trace->memory, a);
}

bool write_scene(const struct scene *scene, const char *path, const struct write_look *look,
		 struct cache *cache, struct watch *watch, struct arena *a, const char **said,
		 struct err *err)
{
	struct raster_report report = {0};
	if (*path == '\0')
		path = default_path;
	struct write_job job = {.scene = scene,
				.format = write_format(path, err),
				.look = look,
				.cache = cache,
				.watch = watch,
				.report = &report,
				.point_out = look && look->n_marks > 0 ? point_out : NULL,
				.what = look,
				.a = a};
	if (!write_check(path, err) || !write_bytes(&job, err))
		return false;
	if (watch_cancelled(watch))
		return err_set(err, "given up");
	if (number_of(path) ? !write_numbered(path, job.data, job.len, a, &path, err)
			    : !write_named(path, job.data, job.len, err))
		return false;
	*said = said_of(path, &report, a);
	if (job.remark)
		*said = arena_printf(a, "%s; %s", *said, job.remark);
	/* A picture shows all that are compared, numbers are of one. */
	const char *const of = scene->setup.scheme;
	if (view_of(scene)->compare && is_number_format(job.format))
		*said = arena_printf(a, "%s; of %s alone", *said, text_escape(a, of, strlen(of)));
	return true;
}
