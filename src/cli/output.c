/* output.c: where results go: a file written whole, or standard output; and how a terminal is drawn
 * on. */
#include "cli.h"

#include <langinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/file.h"
#include "posviz/text.h"
#include "posviz/tui.h"

enum { TEXT_COLS = 120, TEXT_ROWS = 36, WRAP_COLS = 80 };

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
	size_t n = 0;
	while (c->sub->formats[n])
		n++;
	const char *const near = text_nearest(name, c->sub->formats, n);
	return err_set(err, "format: %s is none of %s%s%s%s", text_quote(a, name, strlen(name)),
		       join(c->sub->formats, a), near ? "; did you mean \"" : "", near ? near : "",
		       near ? "\"?" : "");
}

bool output_format(struct cli *c, struct err *err)
{
	const char *const words = join(c->sub->formats, &c->arena);
	const bool to_file = c->output && strcmp(c->output, "-") != 0;
	if (c->format)
		return one_of(c->sub->formats, c->format) ||
		       bad_format(c, c->format, &c->arena, err);
	if (!c->output)
		return err_set(err, "%s: give -o FILE; its ending is the format: %s", c->sub->name,
			       words);
	if (!to_file)
		return err_set(err, "standard output has no ending: give --format %s", words);
	const char *const slash = strrchr(c->output, '/');
	const char *const dot = strrchr(slash ? slash : c->output, '.');
	if (dot && one_of(c->sub->formats, dot + 1)) {
		c->format = dot + 1;
		return true;
	}
	return err_set(err, "output: the ending of %s is none of %s; or give --format",
		       text_quote(&c->arena, c->output, strlen(c->output)), words);
}

bool output_to_terminal(const struct cli *c)
{
	return (!c->output || strcmp(c->output, "-") == 0) && isatty(STDOUT_FILENO);
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
	if (!c->output || strcmp(c->output, "-") == 0)
		return !(binary && isatty(STDOUT_FILENO)) ||
		       err_set(err, "%s is not for a terminal: give -o FILE", c->format);
	if (stat(c->output, &st) != 0)
		return check_directory(c, err);
	text_quote_buf(quoted, sizeof quoted, c->output, strlen(c->output));
	if (S_ISDIR(st.st_mode))
		return err_set(err, "cannot write %s: it is a directory", quoted);
	return c->force || !S_ISREG(st.st_mode) ||
	       err_set(err, "%s exists already, --force overwrites it", quoted);
}

bool output_write(const struct cli *c, const char *data, size_t len, struct err *err)
{
	return file_write(c->output ? c->output : "-", data, len, c->force, err);
}

bool output_text(const struct strbuf *text, struct err *err)
{
	return file_write("-", text->at, text->len, false, err);
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

/* ---- terminals --------------------------------------------------------------------------------- */

enum tier output_tier(const struct cli *c)
{
	if (c->color >= 0)
		return (enum tier)c->color;
	return output_to_terminal(c) ? tui_tier() : TIER_DIRECT;
}

bool output_ascii(const struct cli *c)
{
	return c->ascii || (output_to_terminal(c) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
}

void output_cells(const struct cli *c, int *cols, int *rows)
{
	struct winsize size = {0};
	*cols = TEXT_COLS;
	*rows = TEXT_ROWS;
	if (c->cols) {
		*cols = (int)c->cols;
		*rows = (int)c->rows;
	} else if (output_to_terminal(c) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
		   size.ws_col >= 20 && size.ws_row >= 8) {
		*cols = size.ws_col;
		*rows = size.ws_row - 1; /* the prompt's */
	}
}

/* ---- text -------------------------------------------------------------------------------------- */

void cli_wrap(struct strbuf *out, const char *text, size_t indent)
{
	size_t at = indent;
	for (const char *word = text + strspn(text, " "); *word;) {
		const size_t len = strcspn(word, " ");
		const char *const copy = arena_strndup(out->arena, word, len);
		const size_t width = text_width(copy);
		if (at > indent && at + 1 + width > WRAP_COLS) {
			strbuf_printf(out, "\n%*s", (int)indent, "");
			at = indent;
		}
		if (at > indent) {
			strbuf_add_char(out, ' ');
			at++;
		}
		strbuf_add(out, copy);
		at += width;
		word += len;
		word += strspn(word, " ");
	}
	strbuf_add_char(out, '\n');
}

/* ---- what sub-commands share ------------------------------------------------------------------- */

bool cli_expression(struct cli *c, struct err *err)
{
	if (c->n_args == 0)
		return c->scheme_given || err_set(err, "%s: give an expression, such as posviz %s",
						  c->sub->name, c->sub->example);
	if (c->scheme_given)
		return err_set(err, "%s: give one expression, by --scheme or without it",
			       c->sub->name);
	return scene_set(&c->scene, field_find("scheme"), c->args[0], err);
}

static bool within(const char *what, long value, size_t limit, struct err *err)
{
	if (value >= 0 && (size_t)value <= limit)
		return true;
	return err_set(err, "%s: there is no %ld; 1 to %zu would be right", what, value, limit);
}

bool cli_fits(const struct cli *c, const struct built *b, struct err *err)
{
	return within("head", c->scene.head, b->model.config.heads, err) &&
	       within("layer", c->scene.layer, b->model.n_steps, err) &&
	       within("row", c->scene.row, b->model_input.axis.n, err) &&
	       within("col", c->scene.col, b->model_input.axis.n, err);
}
