/* raster_labels.c: the labels around a matrix: its rows and its columns.
 *
 * Words stand at every row or column while they have room, then at every second to fourth; beyond
 * that numbers at round places say more. Column labels lie, lean, or stand, in this order. */
#include "plot/raster_heatmap.h"

#include <math.h>

static const double slant = 56 * G_PI / 180;

/* Numbers from 1 at round places, or at every place when there is room. */
static struct side number_side(struct page *p, enum face face, size_t n, double room)
{
	struct side s = {.numbers = true};
	double ticks[12];
	const bool all = (double)n <= room;
	size_t most = room < 2 ? 2 : room < 8 ? (size_t)room : 8;
	s.n = all ? n : scale_ticks_integer(1, (double)n, most, ticks);
	/* So many have room, but perhaps not so near to each other. */
	while (!all && s.n > 1 && (ticks[1] - ticks[0]) * room < (double)n)
		s.n = s.n == 2 ? 1 : scale_ticks_integer(1, (double)n, --most, ticks);
	s.at = arena_calloc(p->arena, s.n + 1, sizeof *s.at);
	s.text = arena_calloc(p->arena, s.n + 1, sizeof *s.text);
	for (size_t i = 0; i < s.n; i++) {
		s.at[i] = all ? i : (size_t)ticks[i] - 1;
		s.text[i] = arena_printf(p->arena, "%zu", s.at[i] + 1);
		const struct size size = raster_text_measure(p, face, s.text[i]);
		s.most = (struct size){fmax(s.most.w, size.w), fmax(s.most.h, size.h)};
	}
	return s;
}

static struct side word_side(struct page *p, enum face face, const char *const *labels, size_t n,
			     size_t step, double width)
{
	struct side s = {.n = (n + step - 1) / step};
	s.at = arena_calloc(p->arena, s.n, sizeof *s.at);
	s.text = raster_text_labels(p, face, labels, n, 0, width, &s.most);
	for (size_t i = 0; i < s.n; i++) {
		s.at[i] = i * step;
		s.text[i] = s.text[i * step];
	}
	return s;
}

/* The cursor's label is bold: every label must fit when it is. */
static enum face face_of(const struct heatmap *h)
{
	return h->has_cursor ? FACE_BOLD : FACE_TEXT;
}

/* Above this many cells per label the words say little: numbers take their place. */
enum { STEP_MOST = 4 };

/* Every how many cells something so long has room; at least 1. */
static size_t step_of(double length, double pitch)
{
	return (size_t)fmax(1, ceil(length / fmax(pitch, LEAST_PITCH)));
}

/* How many labels so long stand on n cells. */
static double room_for(size_t n, double pitch, double length)
{
	return (double)n * fmax(pitch, LEAST_PITCH) / length;
}

struct side raster_labels_rows(struct page *p, const struct heatmap *h, double pitch, double width)
{
	const size_t n = h->values.rows;
	size_t step = step_of(p->line[FACE_TEXT], pitch);
	if (h->row_labels == NULL || step > STEP_MOST)
		return number_side(p, face_of(h), n, room_for(n, pitch, p->line[FACE_TEXT] * 1.01));
	struct side s = word_side(p, face_of(h), h->row_labels, n, step, width);
	if (s.most.h > pitch * (double)step && s.n > 1) {
		step = step_of(s.most.h, pitch);
		s = word_side(p, face_of(h), h->row_labels, n, step, width);
	}
	return s;
}

/* How words at every `step`-th of n columns are turned: not at all, leaning, or standing. */
static double angle_of(const struct page *p, const struct side *s, double pitch, size_t step,
		       size_t n)
{
	const double air = 8 * p->space;
	if (n == 1 || (step == 1 && s->most.w + air <= pitch))
		return 0;
	return s->most.h <= pitch * (double)step * sin(slant) ? slant : G_PI / 2;
}

struct side raster_labels_cols(struct page *p, const struct heatmap *h, double pitch, double length)
{
	const size_t n = h->values.cols;
	size_t step = step_of(p->line[FACE_TEXT], pitch);
	if (h->col_labels == NULL || step > STEP_MOST) {
		const char *last = arena_printf(p->arena, "%zu", n);
		const double wide = raster_text_measure(p, FACE_TEXT, last).w + 10 * p->space;
		return number_side(p, face_of(h), n, room_for(n, pitch, wide));
	}
	struct side s = word_side(p, face_of(h), h->col_labels, n, step, length);
	if (s.most.h > pitch * (double)step) {
		step = step_of(s.most.h, pitch);
		s = word_side(p, face_of(h), h->col_labels, n, step, length);
	}
	s.angle = angle_of(p, &s, pitch, step, n);
	return s;
}

double raster_labels_height(const struct page *p, const struct side *s)
{
	return s->most.w * sin(s->angle) + s->most.h * cos(s->angle) + 8 * p->space;
}

double raster_labels_overhang(struct page *p, const struct side *s, size_t n, double pitch)
{
	double most = 0;
	for (size_t i = 0; i < s->n; i++) {
		const double w = raster_text_measure(p, FACE_TEXT, s->text[i]).w;
		const double reach =
			s->angle == 0 ? w / 2 : w * cos(s->angle) + s->most.h * sin(s->angle) / 2;
		most = fmax(most, reach - ((double)(n - s->at[i]) - 0.5) * pitch);
	}
	return most;
}
