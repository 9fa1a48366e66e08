/* posviz.c: the program's parts as a library; see posviz.h.
 *
 * Numbers in texts have a point whatever the locale of the caller: each function that reads or
 * writes numbers calls inside() first and outside() at the end. */
#include "posviz.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/analysis/analysis.h"
#include "posviz/app/write.h"
#include "posviz/format/file.h"
#include "posviz/math/machine.h"
#include "posviz/picture/picture.h"
#include "posviz/scheme/paper.h"

static_assert(sizeof((struct posviz_error *)0)->text == sizeof((struct err *)0)->text,
	      "a message of ours fits");

struct posviz_scene {
	struct scene scene;
	struct arena text; /* the text returned last */
};

struct posviz_result {
	struct arena arena;
	struct built built;
	struct trace trace;
};

static locale_t c_locale;
static struct err memory_error; /* "": there is enough memory */

static void begin(void)
{
	c_locale = newlocale(LC_NUMERIC_MASK, "C", duplocale(LC_GLOBAL_LOCALE));
	if (c_locale == (locale_t)0)
		die("no C locale");
	machine_check_memory(0, &memory_error);
}

static locale_t inside(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, begin);
	return uselocale(c_locale);
}

/* Restores the caller's locale, and copies the error, if there is one. Returns `ok`. */
static bool outside(locale_t before, bool ok, const struct err *from, struct posviz_error *err)
{
	uselocale(before);
	if (!ok && err)
		memcpy(err->text, from->text, sizeof err->text);
	return ok;
}

const char *posviz_version(void)
{
	return POSVIZ_VERSION;
}

/* ---- schemes --------------------------------------------------------------------------------- */

const char *posviz_scheme(size_t i, enum posviz_fact fact)
{
	if (i >= scheme_count() || (unsigned)fact > POSVIZ_ABOUT)
		return NULL;
	const struct scheme *const s = scheme_at(i);
	const char *const facts[] = {
		[POSVIZ_ID] = s->id,	       [POSVIZ_TITLE] = s->title,
		[POSVIZ_AUTHORS] = s->authors, [POSVIZ_SOURCE] = scheme_cite(s),
		[POSVIZ_FORMULA] = s->formula, [POSVIZ_ABOUT] = s->about,
	};
	return facts[fact] ? facts[fact] : "";
}

size_t posviz_scheme_count(void)
{
	return scheme_count();
}

/* ---- scenes ---------------------------------------------------------------------------------- */

struct posviz_scene *posviz_scene_new(void)
{
	struct posviz_scene *const s = calloc(1, sizeof *s);
	if (!s)
		die("no memory for a scene");
	arena_init(&s->text);
	scene_init(&s->scene);
	return s;
}

void posviz_scene_free(struct posviz_scene *s)
{
	if (!s)
		return;
	arena_release(&s->text);
	free(s);
}

bool posviz_scene_command(struct posviz_scene *s, const char *line, struct posviz_error *err)
{
	struct err why;
	struct scene made = s->scene;
	const locale_t before = inside();
	const bool ok = scene_set_line(&made, line, &why) && view_names_known(&made, &why);
	if (ok) {
		scene_adopt_sizes(&made);
		s->scene = made;
	}
	return outside(before, ok, &why, err);
}

const char *posviz_scene_print(struct posviz_scene *s)
{
	const locale_t before = inside();
	arena_clear(&s->text);
	const char *const text = scene_print(&s->scene, &s->text);
	uselocale(before);
	return text;
}

const char *posviz_scene_get(struct posviz_scene *s, const char *name)
{
	const struct field *const field = field_find(name);
	if (!field)
		return NULL;
	const locale_t before = inside();
	arena_clear(&s->text);
	const char *const text = scene_get(&s->scene, field, &s->text);
	uselocale(before);
	return text;
}

/* ---- matrices -------------------------------------------------------------------------------- */

static bool has_memory(struct err *err)
{
	return *memory_error.text == '\0' || err_set(err, "%s", memory_error.text);
}

struct posviz_result *posviz_evaluate(const struct posviz_scene *s, struct posviz_error *err)
{
	static const struct want all = {.kinds = WANT_BIAS | WANT_LOGITS | WANT_MASK |
						 WANT_WEIGHTS | WANT_TERMS | WANT_OUTPUT,
					.layer = -1,
					.head = -1};
	struct err why;
	struct posviz_result *const r = calloc(1, sizeof *r);
	if (!r)
		die("no memory for a result");
	arena_init(&r->arena);
	const locale_t before = inside();
	const bool ok = has_memory(&why) && evaluate(&s->scene.setup, &all, NULL, NULL, &r->arena,
						     &r->built, &r->trace, &why);
	if (outside(before, ok, &why, err))
		return r;
	posviz_result_free(r);
	return NULL;
}

void posviz_result_free(struct posviz_result *r)
{
	if (!r)
		return;
	arena_release(&r->arena);
	free(r);
}

size_t posviz_layers(const struct posviz_result *r)
{
	return r->trace.n_layers;
}

size_t posviz_heads(const struct posviz_result *r)
{
	return r->built.model.config.heads;
}

const char *posviz_row_label(const struct posviz_result *r, size_t i)
{
	return i < r->trace.query.n ? r->trace.query.labels[i] : NULL;
}

const char *posviz_column_label(const struct posviz_result *r, size_t i)
{
	return i < r->trace.key.n ? r->trace.key.labels[i] : NULL;
}

static const struct trace_head *head_of(const struct posviz_result *r, size_t layer, size_t head)
{
	return layer < r->trace.n_layers && head < posviz_heads(r)
		       ? &r->trace.layers[layer].heads[head]
		       : NULL;
}

static void give(struct posviz_result *r, struct mat m, struct posviz_matrix *out)
{
	const struct mat whole = m.stride == m.cols ? m : mat_copy(&r->arena, m);
	*out = (struct posviz_matrix){whole.rows, whole.cols, whole.at};
}

/* Returns the mask of a head as numbers; no mask allows all. */
static struct mat mask_of(struct posviz_result *r, const struct trace_head *head)
{
	const struct mat out = mat_new(&r->arena, r->trace.query.n, r->trace.key.n);
	for (size_t i = 0; i < out.rows * out.cols; i++)
		out.at[i] = head->mask ? head->mask[i] : 1;
	return out;
}

static bool find_matrix(struct posviz_result *r, enum posviz_kind kind, size_t layer, size_t head,
			struct mat *out, struct err *err)
{
	static const char *const names[] = {"bias", "logits", "mask", "weights", "output"};
	const struct trace_head *const h = head_of(r, layer, kind == POSVIZ_OUTPUT ? 0 : head);
	if ((unsigned)kind > POSVIZ_OUTPUT)
		return err_set(err, "there is no kind %d of matrix", (int)kind);
	if (!h)
		return err_set(
			err, "there is no layer %zu with a head %zu, there are %zu and %zu, from 0",
			layer, head, r->trace.n_layers, posviz_heads(r));
	*out = kind == POSVIZ_BIAS	? h->bias
	       : kind == POSVIZ_LOGITS	? h->logits
	       : kind == POSVIZ_MASK	? mask_of(r, h)
	       : kind == POSVIZ_WEIGHTS ? h->weights
					: r->trace.layers[layer].output;
	if (out->at)
		return true;
	if (kind == POSVIZ_BIAS && layer > 0)
		return err_set(err, "bias: it is of layer 0");
	const char *const why = kind == POSVIZ_BIAS ? r->trace.bias_absent : NULL;
	return err_set(err, "%s: %s", names[kind], why ? why : "the scheme has none");
}

bool posviz_matrix(struct posviz_result *r, enum posviz_kind kind, size_t layer, size_t head,
		   struct posviz_matrix *out, struct posviz_error *err)
{
	struct mat m = {0};
	struct err why;
	const locale_t before = inside();
	const bool ok = find_matrix(r, kind, layer, head, &m, &why);
	if (ok)
		give(r, m, out);
	return outside(before, ok, &why, err);
}

bool posviz_term(struct posviz_result *r, size_t layer, size_t head, size_t i,
		 struct posviz_matrix *out, const char **label)
{
	const struct trace_head *const h = head_of(r, layer, head);
	if (!h || i >= h->n_terms)
		return false;
	give(r, h->terms[i].at, out);
	*label = h->terms[i].label;
	return true;
}

/* ---- measures -------------------------------------------------------------------------------- */

bool posviz_measures(const struct posviz_scene *s, double *out, size_t n, struct posviz_error *err)
{
	struct err why;
	struct measures m = {0};
	const locale_t before = inside();
	struct cache *const cache = cache_new(CACHE_BYTES);
	const struct measure_request all_of_them = {.kinds = MEASURED_ALL, .cache = cache};
	const bool ok =
		has_memory(&why) && analysis_measure(&s->scene.setup, &all_of_them, &m, &why);
	cache_free(cache);
	const struct measure_row *row = measure_table;
	for (size_t i = 0; ok && i < n; i++, row += row->name != NULL) {
		const bool there = row->name && measure_at(&m, row)->there;
		out[i] = there ? measure_at(&m, row)->value : NAN;
	}
	return outside(before, ok, &why, err);
}

/* ---- pictures and files ---------------------------------------------------------------------- */

/* Makes the bytes of a format in job->a; the scene is built once. */
static bool make_bytes(struct write_job *job, struct err *err)
{
	struct picture *const p = arena_calloc(job->a, 1, sizeof *p);
	job->picture = p;
	return setup_build(&job->scene->setup, job->a, &p->built, err) &&
	       view_fits(job->scene, &p->built, err) && write_bytes(job, err);
}

bool posviz_write(const struct posviz_scene *s, const char *path, bool overwrite,
		  struct posviz_error *err)
{
	struct err why;
	struct arena a;
	arena_init(&a);
	const locale_t before = inside();
	struct write_job job = {.scene = &s->scene,
				.format = write_format(path, &why),
				.cache = cache_new(CACHE_BYTES),
				.a = &a};
	const bool ok = job.format && has_memory(&why) && make_bytes(&job, &why) &&
			file_write(path, job.data, job.len, overwrite, &why);
	cache_free(job.cache);
	arena_release(&a);
	return outside(before, ok, &why, err);
}
