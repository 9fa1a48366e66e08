/* output.c: the destinations of results, a file written whole or standard output, and the abilities
 * of a terminal there. */
#include "cli.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/base/portable.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor.h"
#include "posviz/plot/raster.h"
#include "posviz/tui/tui.h"

enum { TEXT_COLS = 120, TEXT_ROWS = 36 };

bool output_is_standard(const struct cli *c)
{
	return !c->output || strcmp(c->output, "-") == 0;
}

static bool one_of(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static const char *join(const char *const *names, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; names[i]; i++)
		strbuf_printf(&b, "%s%s", i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
	return b.at;
}

static bool bad_format(const struct cli *c, const char *name, struct arena *a, struct err *err)
{
	const char *const *const names = subcommand_formats(c->sub, a);
	size_t n = 0;
	while (names[n])
		n++;
	const char *const near = text_nearest(name, names, n);
	return err_set(err, "format: %s is none of %s%s%s%s", text_quote(a, name, strlen(name)),
		       join(names, a), near ? "; did you mean \"" : "", near ? near : "",
		       near ? "\"?" : "");
}

bool output_format(struct cli *c, struct err *err)
{
	const char *const *const names = subcommand_formats(c->sub, &c->arena);
	const char *const words = join(names, &c->arena);
	if (c->format)
		return one_of(names, c->format) || bad_format(c, c->format, &c->arena, err);
	if (!c->output)
		return err_set(err, "%s: give -o FILE; its ending is the format: %s", c->sub->name,
			       words);
	if (output_is_standard(c))
		return err_set(err, "standard output has no ending: give --format %s", words);
	struct stat st;
	if (stat(c->output, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(err, "output: %s is a directory; name a file in it",
			       text_quote(&c->arena, c->output, strlen(c->output)));
	const char *const slash = strrchr(c->output, '/');
	const char *const dot = strrchr(slash ? slash : c->output, '.');
	const struct format *const known = dot ? format_by_suffix(dot + 1) : NULL;
	const char *const name = known ? known->name : dot ? dot + 1 : "";
	if (one_of(names, name)) {
		c->format = name;
		return true;
	}
	return err_set(err, "output: the ending of %s is none of %s; or give --format",
		       text_quote(&c->arena, c->output, strlen(c->output)), words);
}

bool output_format_or_text(struct cli *c, struct err *err)
{
	if (!c->format)
		c->format = "text";
	return output_format(c, err);
}

bool output_is_json(const struct cli *c)
{
	return c->format && strcmp(c->format, "json") == 0;
}

static bool to_terminal(const struct cli *c)
{
	return output_is_standard(c) && isatty(STDOUT_FILENO);
}

static bool check_directory(const struct cli *c, struct err *err)
{
	struct stat st;
	char dir[PATH_MAX] = ".", quoted[200];
	const char *const slash = strrchr(c->output, '/');
	if (slash)
		snprintf(dir, sizeof dir, "%.*s", (int)(slash - c->output) + 1, c->output);
	return (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)) ||
	       err_set(err, "cannot write %s: its directory does not exist",
		       text_quote_buf(quoted, sizeof quoted, c->output, strlen(c->output)));
}

bool output_check(const struct cli *c, bool binary, struct err *err)
{
	char quoted[200];
	struct stat st;
	if (output_is_standard(c))
		return !(binary && isatty(STDOUT_FILENO)) ||
		       err_set(err, "%s is not for a terminal: give -o FILE", c->format);
	if (stat(c->output, &st) != 0)
		return check_directory(c, err);
	return !S_ISDIR(st.st_mode) ||
	       err_set(err, "cannot write %s: it is a directory",
		       text_quote_buf(quoted, sizeof quoted, c->output, strlen(c->output)));
}

static bool is_free(const struct cli *c, const char *path, struct err *err)
{
	char quoted[200];
	struct stat st;
	return c->force || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	       err_set(err, "%s exists already, --force overwrites it",
		       text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
}

bool output_free(const struct cli *c, const char *beside, struct err *err)
{
	return (output_is_standard(c) || is_free(c, c->output, err)) &&
	       (!beside || is_free(c, beside, err));
}

bool output_beside(struct cli *c, const char *ending, const char **path, struct err *err)
{
	if (output_is_standard(c))
		return err_set(err, "write-caption: there is nothing beside standard output; give "
				    "-o FILE");
	const char *const slash = strrchr(c->output, '/');
	const char *const dot = strrchr(slash ? slash : c->output, '.');
	const size_t len = dot ? (size_t)(dot - c->output) : strlen(c->output);
	*path = arena_printf(&c->arena, "%.*s%s", (int)len, c->output, ending);
	return true;
}

bool output_write(const struct cli *c, const char *data, size_t len, struct err *err)
{
	const char *const path = c->output ? c->output : "-";
	return c->together ? file_batch_add(c->together, path, data, len, c->force, err)
			   : file_write(path, data, len, c->force, err);
}

bool output_picture(struct cli *c, const char *data, size_t len, const struct figure *f,
		    const struct raster_report *shown, const char *caption, struct err *err)
{
	char *text;
	size_t text_len;
	if (!caption)
		return output_write(c, data, len, err);
	struct file_batch *const both = file_batch_new();
	export_caption(f, shown, &c->arena, &text, &text_len);
	const bool ok = file_batch_add(both, c->output, data, len, c->force, err) &&
			file_batch_add(both, caption, text, text_len, c->force, err) &&
			file_batch_write(both, err);
	file_batch_free(both);
	return ok;
}

const char *output_command(const struct cli *c, size_t n_args, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_printf(&b, "posviz %s", c->sub->name);
	for (size_t i = 0; i < n_args; i++) {
		strbuf_add_char(&b, ' ');
		scene_shell(&b, c->args[i]);
	}
	for (size_t i = 0; i < c->n_given; i++) {
		const struct given_option *const o = &c->given[i];
		if (strcmp(o->name, "output") == 0 || strcmp(o->name, "force") == 0)
			continue;
		strbuf_printf(&b, " --%s", o->name);
		if (o->value) {
			strbuf_add_char(&b, ' ');
			scene_shell(&b, o->value);
		}
	}
	return b.at;
}

/* ---- a directory of results ------------------------------------------------------------------ */

const char *output_in_folder(const struct cli *c, const char *name, struct arena *a)
{
	const size_t len = strlen(c->output);
	return arena_printf(a, "%s%s%s", c->output, c->output[len - 1] == '/' ? "" : "/", name);
}

bool output_folder_begin(struct cli *c, struct err *err)
{
	char quoted[200];
	struct stat st;
	text_quote_buf(quoted, sizeof quoted, c->output, strlen(c->output));
	const bool there = stat(c->output, &st) == 0;
	if (there && !S_ISDIR(st.st_mode))
		return err_set(err, "output: %s is a file; several go into a directory", quoted);
	if (!there && mkdir(c->output, 0777) != 0)
		return err_set(err, "cannot make the directory %s: %s", quoted,
			       portable_reason(errno));
	c->made_folder = !there;
	c->together = file_batch_new();
	return true;
}

bool output_folder_end(struct cli *c, bool ok, struct err *err)
{
	ok = ok && file_batch_write(c->together, err);
	file_batch_free(c->together);
	c->together = NULL;
	if (!ok && c->made_folder)
		rmdir(c->output);
	return ok;
}

bool output_text(const struct strbuf *text, struct err *err)
{
	return file_write("-", text->at, text->len, false, err);
}

void output_size(const struct cli *c, size_t len)
{
	enum { MUCH = 10000000 };
	const bool json = output_is_json(c);
	if (len < MUCH)
		return;
	const bool too_much = json && len > TENSOR_MAX_JSON;
	char more[64] = "";
	if (too_much)
		snprintf(more, sizeof more, ", more than the %d MiB that posviz reads",
			 TENSOR_MAX_JSON >> 20);
	fprintf(stderr, "posviz: wrote %.0f MB of %s%s%s\n", (double)len / 1e6, c->format, more,
		json ? "; safetensors holds the same in less" : "");
}

void output_warn(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	fputs("posviz: warning: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
}

void output_glyphs(struct cli *c, const struct raster_report *report, bool page)
{
	const char *const trouble = page ? raster_fonts_trouble() : "";
	if (*trouble)
		output_warn(
			"fonts: Fontconfig takes its built-in configuration, because of this in "
			"its own: %s; FONTCONFIG_FILE or /etc/fonts would be the place",
			text_escape(&c->arena, trouble, strlen(trouble)));
	if (page && report->font)
		output_warn("font: there is no %s here, %s was taken; fc-list names the families",
			    report->font, report->font_taken);
	if (report->missing_glyphs > 0)
		output_warn(
			"no font has %zu of the glyphs, first in \"%s\"; fc-list names the fonts",
			report->missing_glyphs,
			report->missing_sample ? report->missing_sample : "");
}

/* ---- terminals ------------------------------------------------------------------------------- */

bool output_ansi(const struct cli *c, struct err *err)
{
	const bool piped = output_is_standard(c) && !isatty(STDOUT_FILENO);
	return !format_bears(c->format, FORMAT_COLOUR) || !piped || c->app.settings.color > 0 ||
	       err_set(err,
		       "%s into a pipe holds escape codes: say --color direct, 256, 16, 8 or "
		       "mono, or take --format txt",
		       c->format);
}

enum tier output_tier(const struct cli *c)
{
	struct tui_tier here;
	if (c->app.settings.color > 0)
		return (enum tier)(c->app.settings.color - 1);
	tui_choose(&c->app.settings, THEME_AUTO, &here);
	return to_terminal(c) ? here.tier : TIER_DIRECT;
}

enum background output_background(const struct cli *c)
{
	struct tui_tier here;
	if (c->scene.theme != THEME_AUTO || !to_terminal(c))
		return (enum background)c->scene.theme;
	tui_choose(&c->app.settings, THEME_AUTO, &here);
	return here.background;
}

bool output_ascii(const struct cli *c)
{
	return c->app.settings.glyphs == GLYPHS_ASCII ||
	       (to_terminal(c) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
}

void output_cells(const struct cli *c, int *cols, int *rows)
{
	struct winsize size = {0};
	*cols = TEXT_COLS;
	*rows = TEXT_ROWS;
	if (c->cols) {
		*cols = (int)c->cols;
		*rows = (int)c->rows;
	} else if (to_terminal(c) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
		   size.ws_col >= 20 && size.ws_row >= 8) {
		*cols = size.ws_col;
		*rows = size.ws_row - 1; /* the row of the prompt */
	}
}
