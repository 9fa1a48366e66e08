/* help_screen.c: converts the cells of libvterm into lines of text. */
#include "help_screen.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/strbuf.h"

/* ---- masks ------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Masks numbers such as 3e-16: they are rounding noise, which depends on the processor. */
static void mask_noise(char *row)
{
	for (char *e = row; (e = strstr(e, "e-1")) != NULL; e += 3)
		if (e > row && is_digit(e[-1]) && is_digit(e[3]))
			e[-1] = e[2] = e[3] = '#';
}

char *screen_text(const struct pty *p, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (int row = 1; row < p->rows; row++) {
		char *const line = arena_strdup(a, pty_row(p, row));
		size_t len = strlen(line);
		mask_noise(line);
		while (len > 0 && line[len - 1] == ' ')
			len--;
		strbuf_add_n(&out, line, len);
		strbuf_add_char(&out, '\n');
	}
	return out.at;
}

enum { FULL_BLOCK = 0x2588 };

/* ---- look -------------------------------------------------------------------------------- */

static void add_colour(struct strbuf *b, VTermColor c)
{
	if (VTERM_COLOR_IS_RGB(&c))
		strbuf_printf(b, "#%02x%02x%02x", c.rgb.red, c.rgb.green, c.rgb.blue);
	else
		strbuf_printf(b, "%d", c.indexed.idx);
}

/* The look of a cell: `ink` is the look of its character, NULL if nothing of it is visible. */
struct look {
	const char *ink, *ground;
};

static struct look look_of(VTermScreenCell cell, struct arena *a)
{
	const bool blank = cell.chars[0] == 0 || cell.chars[0] == ' ';
	struct strbuf ink, ground;
	strbuf_init(&ink, a);
	strbuf_init(&ground, a);
	if (cell.chars[0] != FULL_BLOCK && !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg)) {
		strbuf_add(&ground, " on ");
		add_colour(&ground, cell.bg);
	}
	if (cell.attrs.bold && !blank)
		strbuf_add(&ink, " bold");
	if (cell.attrs.strike)
		strbuf_add(&ink, " dim");
	if (cell.attrs.reverse)
		strbuf_add(&ink, " reverse");
	if (cell.attrs.underline)
		strbuf_add(&ink, " underlined");
	if (!VTERM_COLOR_IS_DEFAULT_FG(&cell.fg)) {
		strbuf_add(&ink, " fg ");
		add_colour(&ink, cell.fg);
	}
	const bool seen = !blank || cell.attrs.underline || cell.attrs.reverse;
	return (struct look){seen ? ink.at : NULL, ground.at};
}

/* A run of columns with the same look; blanks get the look of their neighbours. */
struct run {
	int first, end;
	struct look look;
};

static struct run run_from(const struct pty *p, int row, int col, struct arena *a)
{
	struct run run = {col, col, look_of(pty_cell(p, row, col), a)};
	for (int next = col; next < p->cols; next++) {
		const VTermScreenCell cell = pty_cell(p, row, next);
		const struct look look = look_of(cell, a);
		const bool second_half = cell.chars[0] == (uint32_t)-1;
		if (!second_half && strcmp(look.ground, run.look.ground) != 0)
			break;
		if (!second_half && look.ink && run.look.ink && strcmp(look.ink, run.look.ink) != 0)
			break;
		if (!look.ink && !second_half && *look.ground == '\0' && next == col)
			break;
		if (!run.look.ink)
			run.look.ink = look.ink;
		if (look.ink || *look.ground)
			run.end = next + 1;
	}
	return run;
}

static const char *row_look(const struct pty *p, int row, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (int col = 0; col < p->cols;) {
		const struct run run = run_from(p, row, col, a);
		const char *const ink = run.look.ink ? run.look.ink : "";
		col = run.end > col ? run.end : col + 1;
		if (run.end == run.first || (*ink == '\0' && *run.look.ground == '\0'))
			continue;
		strbuf_printf(&b, b.len ? "; %d" : "%d", run.first + 1);
		if (run.end > run.first + 1)
			strbuf_printf(&b, "-%d", run.end);
		strbuf_add(&b, ink);
		strbuf_add(&b, run.look.ground);
	}
	return b.at;
}

char *screen_look(const struct pty *p, struct arena *a)
{
	struct strbuf out;
	const char *before = "";
	strbuf_init(&out, a);
	for (int row = 1; row < p->rows; row++) {
		const char *const look = row_look(p, row, a);
		const bool same = *look && strcmp(look, before) == 0;
		strbuf_printf(&out, *look ? "%d: %s\n" : "%d:\n", row + 1, same ? "\"" : look);
		before = look;
	}
	return out.at;
}

/* ---- differences ------------------------------------------------------------------------- */

static size_t line_len(const char *at)
{
	return strcspn(at, "\n");
}

size_t screen_diff(const char *was, const char *is, size_t most)
{
	size_t n = 0;
	for (size_t line = 1; *was || *is; line++) {
		const size_t a = line_len(was), b = line_len(is);
		if (a != b || memcmp(was, is, a) != 0) {
			if (n++ < most)
				fprintf(stderr, "%4zu was  %.*s\n     is   %.*s\n", line, (int)a,
					was, (int)b, is);
		}
		was += a + (was[a] == '\n');
		is += b + (is[b] == '\n');
	}
	if (n > most)
		fprintf(stderr, "     ... and %zu more\n", n - most);
	return n;
}
