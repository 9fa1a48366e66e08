/* write.c: writes a scene to a file under an unused name. Everything is computed from the scene
 * alone, so the result is the same for everybody who has the scene. */
#include "posviz/app/write.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/app/format.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"

enum { LAST_NUMBER = 9999 };
static const char number_mark[] = "NNN", default_path[] = "posviz-NNN.png";

static const char *base_name(const char *path)
{
	const char *const slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const char *write_formats(struct arena *a)
{
	return arena_printf(a, "%s, or %s", format_words(FORMAT_PICTURE, "", " ", " ", a),
			    format_words(FORMAT_NUMBERS, "", " ", " ", a));
}

/* Sets the error for a name whose ending is no format's. */
static void refuse_name(const char *path, const char *ending, struct err *err)
{
	const char *names[32];
	char quoted[120];
	struct arena a;
	size_t n = 0;
	arena_init(&a);
	for (const struct format *const *f = formats; *f; f++)
		if (*(*f)->suffixes && n < sizeof names / sizeof *names)
			names[n++] = (*f)->name;
	const char *const near = *ending ? text_nearest(ending, names, n) : NULL;
	text_quote_buf(quoted, sizeof quoted, path, strlen(path));
	if (near)
		err_set(err, "no format ends as %s does; did you mean .%s?", quoted, near);
	else
		err_set(err, "%s needs an ending that says the format: %s", quoted,
			write_formats(&a));
	arena_release(&a);
}

const char *write_format(const char *path, struct err *err)
{
	const char *const dot = strrchr(base_name(path), '.');
	const struct format *const f = dot ? format_by_suffix(dot + 1) : NULL;
	if (!f)
		refuse_name(path, dot ? dot + 1 : "", err);
	return f ? f->name : NULL;
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

/* Takes the first free number. Another process may take it between the test and the write: then
 * file_write fails, and the next number is tried. */
static bool write_numbered(const char *path, const char *data, size_t len, struct arena *a,
			   const char **written, struct err *err)
{
	const char *const mark = number_of(path), *const rest = mark + strlen(number_mark);
	struct err why; /* not reported for a number taken by another process */
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

/* Emphasises the marks of the look. */
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
	/* A picture shows all compared expressions, numbers are of one. */
	const char *const of = scene->setup.scheme;
	if (view_compares(view_of(scene), scene) && format_bears(job.format, FORMAT_NUMBERS))
		*said = arena_printf(a, "%s; of %s alone", *said, text_escape(a, of, strlen(of)));
	return true;
}
