/* sixel.c: pixels as sixels: https://vt100.net/docs/vt3xx-gp/chapter14.html
 *
 * A sixel is a column of six pixels. In each band of six rows every colour is drawn in turn, and
 * runs are counted. There are 256 colours, of 101 steps for each component. A page has thousands,
 * nearly all of them shades at the edges of letters; those that cover most of the page are kept
 * exactly, as the colours of a scale must be, and the others are chosen so that no pixel is far
 * from its colour. */
#include "posviz/export/export.h"

#include <stdlib.h>
#include <string.h>

#include "posviz/base/strbuf.h"

enum { COLOURS = 256, KEPT = COLOURS / 2, STEPS = 101, CELLS = STEPS * STEPS * STEPS, SIXEL = 6 };

/* ---- colours --------------------------------------------------------------------------------- */

struct shade {
	uint8_t rgb[3]; /* in steps of 0 to STEPS - 1 */
	uint8_t index;	/* of the nearest chosen colour */
	int distance;	/* the squared distance to that colour */
	uint32_t pixels;
};

struct shades {
	struct shade *at;
	size_t n;
	uint32_t *place; /* [CELLS]: 1 + the index of a colour in `at`; 0: absent */
	const struct shade *chosen[COLOURS];
	size_t n_chosen;
};

static uint8_t step_of(uint8_t value)
{
	return (uint8_t)((value * (STEPS - 1) + 127) / 255);
}

static size_t cell_of(const uint8_t *pixel)
{
	return ((size_t)step_of(pixel[0]) * STEPS + step_of(pixel[1])) * STEPS + step_of(pixel[2]);
}

static void count(const struct image *image, struct shades *s, struct arena *a)
{
	const size_t n = (size_t)image->width * (size_t)image->height;
	size_t room = 1024;
	s->place = arena_calloc(a, CELLS, sizeof *s->place);
	s->at = arena_calloc(a, room, sizeof *s->at);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *const pixel = image->rgb + 3 * i;
		uint32_t *const place = &s->place[cell_of(pixel)];
		if (*place == 0 && s->n == room) {
			struct shade *const more = arena_calloc(a, 2 * room, sizeof *more);
			memcpy(more, s->at, room * sizeof *more);
			s->at = more;
			room *= 2;
		}
		if (*place == 0) {
			s->at[s->n] = (struct shade){
				.rgb = {step_of(pixel[0]), step_of(pixel[1]), step_of(pixel[2])},
				.distance = CELLS};
			*place = (uint32_t)++s->n;
		}
		s->at[*place - 1].pixels++;
	}
}

static int distance(const struct shade *a, const struct shade *b)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += (a->rgb[i] - b->rgb[i]) * (a->rgb[i] - b->rgb[i]);
	return sum;
}

static void choose(struct shades *s, const struct shade *colour)
{
	const uint8_t index = (uint8_t)s->n_chosen;
	s->chosen[s->n_chosen++] = colour;
	for (size_t i = 0; i < s->n; i++) {
		const int far = distance(&s->at[i], colour);
		if (far >= s->at[i].distance)
			continue;
		s->at[i].distance = far;
		s->at[i].index = index;
	}
}

/* Returns the shade, not chosen yet, that covers most pixels or is farthest from all chosen
 * colours; NULL: all are chosen. */
static const struct shade *next_shade(const struct shades *s, bool most)
{
	const struct shade *found = NULL;
	for (size_t i = 0; i < s->n; i++) {
		const struct shade *const one = &s->at[i];
		const bool better = !found || (most ? one->pixels > found->pixels
						    : one->distance > found->distance);
		if (one->distance > 0 && better)
			found = one;
	}
	return found;
}

static void choose_all(struct shades *s)
{
	const struct shade *next;
	while (s->n_chosen < COLOURS && (next = next_shade(s, s->n_chosen < KEPT)) != NULL)
		choose(s, next);
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Adds the same sixel `times` times, as a count if that is shorter. */
static void add_run(struct strbuf *b, char sixel, int times)
{
	if (times > 3)
		strbuf_printf(b, "!%d%c", times, sixel);
	for (; times > 0 && times <= 3; times--)
		strbuf_add_char(b, sixel);
}

/* Adds one colour of a band: bits[width], the lowest bit for the upper row; blanks at its end are
 * left out. */
static void add_colour(struct strbuf *b, unsigned index, const uint8_t *bits, int width)
{
	strbuf_printf(b, "#%u", index);
	while (width > 0 && bits[width - 1] == 0)
		width--;
	for (int from = 0, x = 1; x <= width; x++)
		if (x == width || bits[x] != bits[from]) {
			add_run(b, (char)('?' + bits[from]), x - from);
			from = x;
		}
}

static void add_band(struct strbuf *b, const struct image *image, const struct shades *s, int top,
		     uint8_t *bits)
{
	const int width = image->width, left = image->height - top;
	bool used[COLOURS] = {false}, first = true;
	for (int y = 0; y < SIXEL && y < left; y++)
		for (int x = 0; x < width; x++) {
			const size_t pixel = (size_t)(top + y) * (size_t)width + (size_t)x;
			const uint32_t place = s->place[cell_of(image->rgb + 3 * pixel)];
			const unsigned index = s->at[place - 1].index;
			uint8_t *const row = bits + (size_t)index * (size_t)width;
			if (!used[index])
				memset(row, 0, (size_t)width);
			used[index] = true;
			row[x] |= (uint8_t)(1u << y);
		}
	for (unsigned i = 0; i < COLOURS; i++) {
		if (!used[i])
			continue;
		strbuf_add(b, first ? "" : "$");
		add_colour(b, i, bits + (size_t)i * (size_t)width, width);
		first = false;
	}
	strbuf_add(b, "-");
}

void export_sixel(const struct image *image, const struct export_place *place, struct arena *a,
		  char **data, size_t *len)
{
	struct shades *const s = arena_calloc(a, 1, sizeof *s);
	uint8_t *const bits = arena_alloc(a, COLOURS * (size_t)image->width);
	struct strbuf b;
	strbuf_init(&b, a);
	count(image, s, a);
	choose_all(s);
	if (place->row > 0)
		strbuf_printf(&b, "\033[%d;%dH", place->row, place->col);
	strbuf_printf(&b, "\033P0;1;0q\"1;1;%d;%d", image->width, image->height);
	for (size_t i = 0; i < s->n_chosen; i++)
		strbuf_printf(&b, "#%zu;2;%d;%d;%d", i, s->chosen[i]->rgb[0], s->chosen[i]->rgb[1],
			      s->chosen[i]->rgb[2]);
	for (int top = 0; top < image->height; top += SIXEL)
		add_band(&b, image, s, top, bits);
	strbuf_add(&b, place->row > 0 ? "\033\\" : "\033\\\n");
	*data = b.at;
	*len = b.len;
}
