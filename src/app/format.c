/* format.c: finds the formats of format_list.h by name and ending, lists them, and has the common
 * code of their writers. */
#include <string.h>
#include <strings.h>

#include "format_in.h"
#include "posviz/app/snapshot.h"
#include "posviz/base/strbuf.h"

#define FORMAT(id) &format_##id,
const struct format *const formats[] = {
#include "format_list.h"
	NULL};
#undef FORMAT

/* ---- the list ------------------------------------------------------------------------------- */

const struct format *format_find(const char *name)
{
	for (const struct format *const *f = formats; name && *f; f++)
		if (strcmp((*f)->name, name) == 0)
			return *f;
	return NULL;
}

const struct format *format_by_suffix(const char *suffix)
{
	for (const struct format *const *f = formats; *f; f++) {
		const char *at = (*f)->suffixes;
		for (size_t len; (len = strcspn(at, " ")) > 0; at += len, at += strspn(at, " "))
			if (strlen(suffix) == len && strncasecmp(at, suffix, len) == 0)
				return *f;
	}
	return NULL;
}

static bool has(const struct format *f, unsigned bits)
{
	return (f->bears & bits) == bits;
}

bool format_bears(const char *name, unsigned bits)
{
	const struct format *const f = format_find(name);
	return f && has(f, bits);
}

const char *format_first(unsigned bits)
{
	const struct format *const *f = formats;
	while (*f && !has(*f, bits))
		f++;
	BUG_IF(!*f);
	return (*f)->name;
}

const struct format *format_of_bytes(const void *data, size_t len)
{
	for (const struct format *const *f = formats; *f; f++) {
		const size_t n = (*f)->magic ? strlen((*f)->magic) : 0;
		if (n > 0 && len >= n && memcmp(data, (*f)->magic, n) == 0)
			return *f;
	}
	return format_find(format_first(FORMAT_SCENE));
}

/* Returns the names of the formats with all of these bits; ends with NULL. */
static const char *const *names_with(unsigned bits, struct arena *a)
{
	const char **const out = arena_calloc(a, sizeof formats / sizeof *formats, sizeof *out);
	size_t n = 0;
	for (const struct format *const *f = formats; *f; f++)
		if (has(*f, bits))
			out[n++] = (*f)->name;
	return out;
}

const char *format_words(unsigned bits, const char *before, const char *between, const char *last,
			 struct arena *a)
{
	const char *const *const names = names_with(bits, a);
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; names[i]; i++)
		strbuf_printf(&out, "%s%s%s",
			      i == 0	     ? ""
			      : names[i + 1] ? between
					     : last,
			      before, names[i]);
	return out.at;
}

/* ---- common code of the writers -------------------------------------------------------------- */

/* Builds the job's scene, unless it is built. */
static bool build(struct write_job *j, struct err *err)
{
	if (j->picture)
		return true;
	j->picture = arena_calloc(j->a, 1, sizeof *j->picture);
	return setup_build(&j->scene->setup, j->a, &j->picture->built, err);
}

bool format_figure(struct write_job *j, enum background background, struct figure **out,
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

bool format_page_figure(struct write_job *j, struct figure **out, struct err *err)
{
	return format_figure(j, j->scene->theme == THEME_DARK ? BACKGROUND_DARK : BACKGROUND_LIGHT,
			     out, err);
}

struct picture *format_evaluate(struct write_job *j, struct want *want, struct err *err)
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

/* ---- writing -------------------------------------------------------------------------------- */

bool format_on_page(const struct format *format, struct write_job *j, struct err *err)
{
	const struct raster_look look = snapshot_look(j->scene);
	struct figure *f;
	if (!format_page_figure(j, &f, err))
		return false;
	const struct format_page page = {.figure = f,
					 .look = &look,
					 .scene = j->scene,
					 .tour = j->look ? j->look->tour : NULL,
					 .report = j->report};
	return format->page(&page, j->a, &j->data, &j->len, err);
}

bool write_bytes(struct write_job *j, struct err *err)
{
	const struct format *const f = format_find(j->format);
	BUG_IF(!f);
	if (j->leaves == LEAVES_AS_FORMAT && f->bears & FORMAT_LEAVES_READ)
		j->leaves = LEAVES_READ;
	return f->write ? f->write(j, err) : format_on_page(f, j, err);
}
