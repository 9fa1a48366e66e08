/* svg_write.c: numbers, colours and paths in SVG, written briefly, because a page has thousands of
 * them. */
#include "plot/svg.h"

#include <math.h>
#include <stdlib.h>

/* ---- numbers, colours --------------------------------------------------------------------------- */

static long hundredths(double x)
{
	const double most = 1e9;
	BUG_IF(isnan(x));
	return lround(fmax(-most, fmin(most, x)) * 100);
}

/* Writes 1234 as 12.34, without unnecessary zeros. */
static void add_hundredths(struct strbuf *b, long x)
{
	const ldiv_t parts = ldiv(labs(x), 100);
	if (x < 0)
		strbuf_add_char(b, '-');
	if (parts.quot > 0 || parts.rem == 0)
		strbuf_printf(b, "%ld", parts.quot);
	if (parts.rem % 10 > 0)
		strbuf_printf(b, ".%02ld", parts.rem);
	else if (parts.rem > 0)
		strbuf_printf(b, ".%ld", parts.rem / 10);
}

void svg_number(struct strbuf *b, double x)
{
	add_hundredths(b, hundredths(x));
}

void svg_attribute(struct strbuf *b, const char *name, double value)
{
	strbuf_printf(b, " %s=\"", name);
	svg_number(b, value);
	strbuf_add_char(b, '"');
}

void svg_colour(struct strbuf *b, const char *name, uint32_t rgb, double alpha)
{
	const uint32_t twice = (rgb >> 4 & 0x0f0f0f) * 0x11;
	if (rgb == twice)
		strbuf_printf(b, " %s=\"#%x%x%x\"", name, (unsigned)(rgb >> 16 & 15),
			      (unsigned)(rgb >> 8 & 15), (unsigned)(rgb & 15));
	else
		strbuf_printf(b, " %s=\"#%06x\"", name, (unsigned)rgb);
	if (alpha < 1) {
		strbuf_printf(b, " %s-opacity=\"", name);
		svg_number(b, alpha);
		strbuf_add_char(b, '"');
	}
}

/* ---- paths -------------------------------------------------------------------------------------- */

/* The state of a path in hundredths. Differences are taken to these rounded positions, so that
 * rounding errors do not add up. */
struct writer {
	struct strbuf *b;
	long x, y;	     /* current position */
	long from_x, from_y; /* beginning of the current part */
	char command;	     /* the last command, which is not repeated */
};

static void add_command(struct writer *w, char command, const long *numbers, size_t n)
{
	const bool said = w->command == command;
	if (!said)
		strbuf_add_char(w->b, command);
	for (size_t i = 0; i < n; i++) {
		if (numbers[i] >= 0 && (i > 0 || said))
			strbuf_add_char(w->b, ' ');
		add_hundredths(w->b, numbers[i]);
	}
	w->command = command;
}

static void move(struct writer *w, long x, long y)
{
	w->command = '\0'; /* numbers after an M would mean lines */
	add_command(w, 'M', (long[]){x, y}, 2);
	w->x = w->from_x = x;
	w->y = w->from_y = y;
}

static void line(struct writer *w, long x, long y)
{
	const long by[] = {x - w->x, y - w->y};
	if (by[1] == 0 && by[0] != 0)
		add_command(w, 'h', by, 1);
	else if (by[0] == 0 && by[1] != 0)
		add_command(w, 'v', by + 1, 1);
	else if (by[0] != 0)
		add_command(w, 'l', by, 2);
	w->x = x;
	w->y = y;
}

static void close_part(struct writer *w)
{
	add_command(w, 'z', NULL, 0);
	w->command = '\0';
	w->x = w->from_x;
	w->y = w->from_y;
}

static void curve(struct writer *w, const double *at)
{
	long by[6];
	for (size_t i = 0; i < 6; i++)
		by[i] = hundredths(at[i]) - (i % 2 == 0 ? w->x : w->y);
	add_command(w, 'c', by, 6);
	w->x += by[4];
	w->y += by[5];
}

static void rect(struct writer *w, const double *at)
{
	const long x = hundredths(at[0]), y = hundredths(at[1]);
	const long right = hundredths(at[0] + at[2]), foot = hundredths(at[1] + at[3]);
	move(w, x, y);
	line(w, right, y);
	line(w, right, foot);
	line(w, x, foot);
	close_part(w);
}

/* Writes a circle as two halves, because an arc back to its beginning is empty. */
static void circle(struct writer *w, const double *at)
{
	const long r = hundredths(at[2]);
	move(w, hundredths(at[0]) + r, hundredths(at[1]));
	add_command(w, 'a', (long[]){r, r, 0, 100, 100, -2 * r, 0}, 7);
	add_command(w, 'a', (long[]){r, r, 0, 100, 100, 2 * r, 0}, 7);
	close_part(w);
}

void svg_path(struct strbuf *b, const struct path *path)
{
	struct writer w = {.b = b};
	strbuf_add(b, " d=\"");
	for (size_t i = 0; i < path->n; i++) {
		const double *const at = path->steps[i].at;
		switch (path->steps[i].kind) {
		case PATH_MOVE:
			move(&w, hundredths(at[0]), hundredths(at[1]));
			break;
		case PATH_LINE:
			line(&w, hundredths(at[0]), hundredths(at[1]));
			break;
		case PATH_CURVE:
			curve(&w, at);
			break;
		case PATH_CLOSE:
			close_part(&w);
			break;
		case PATH_RECT:
			rect(&w, at);
			break;
		case PATH_CIRCLE:
			circle(&w, at);
			break;
		}
	}
	strbuf_add_char(b, '"');
}
