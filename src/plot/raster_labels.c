/* raster_labels.c: the labels of the rows and columns of a matrix.
 *
 * Words label every row or column if they have room, else every second to fourth one; if that is
 * not possible, numbers at round positions are more useful. Column labels are horizontal, slanted
 * or vertical, in this order. */
#include "plot/raster_heatmap.h"

#include <math.h>
#include <string.h>

static const double slant = 56 * G_PI / 180;

/* Returns numbers from 1 at round positions, or at every position if there is room. */
static struct side number_side(struct page *p, enum face face, size_t n, double room)
{
	struct side s = {.numbers = true};
	double ticks[12];
	const bool all = (double)n <= room;
	size_t most = room < 2 ? 2 : room < 8 ? (size_t)room : 8;
	s.n = all ? n : scale_ticks_integer(1, (double)n, most, ticks);
	/* So many labels have room, but perhaps not at the distance of these ticks. */
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

/* The cursor's label is bold, so every label must fit in bold. */
static enum face face_of(const struct heatmap *h)
{
	return h->has_cursor ? FACE_BOLD : FACE_TEXT;
}

/* If a label would have to stand for more cells than this, numbers replace the words. */
enum { STEP_MOST = 4 };

double raster_labels_apart(struct page *p, enum face face, const char *const *texts, size_t n,
			   size_t step)
{
	/* A pixel of paper is visible between them. */
	const double air = fmax(p->line[face] / 32, 1.2 / p->pixels);
	double most = 0, below = 0;
	for (size_t i = 0; i < n; i += step) {
		const struct ink ink = raster_text_ink(p, face, texts[i]);
		if (i > 0)
			most = fmax(most, below + ink.above + air);
		below = ink.below;
	}
	return most;
}

/* The words as they will be drawn, and the number of cells from one label to the next. */
struct words {
	const char **text;
	struct size most;
	size_t n, step;
	/* the least distance at which consecutive words do not touch */
	double apart;
};

/* Prepares the words; false: there are none, or not even every fourth has room. */
static bool words_of(struct page *p, enum face face, const char *const *labels, size_t n,
		     double pitch, double width, struct words *w)
{
	/* No word is lower than half a line, so in this case nothing needs to be measured. */
	if (labels == NULL || p->line[FACE_TEXT] / 2 > pitch * STEP_MOST)
		return false;
	*w = (struct words){.n = n};
	w->text = raster_text_labels(p, face, labels, n, 0, width, &w->most);
	for (w->step = 1; w->step <= STEP_MOST; w->step++) {
		w->apart = raster_labels_apart(p, face, w->text, n, w->step);
		if (w->apart <= pitch * (double)w->step)
			return true;
	}
	return false;
}

/* Returns the words that have room. */
static struct side word_side(struct page *p, const struct words *w, const char *const *labels)
{
	struct side s = {.n = (w->n + w->step - 1) / w->step, .text = w->text, .most = w->most};
	s.at = arena_calloc(p->arena, s.n + 1, sizeof *s.at);
	for (size_t i = 0; i < w->n; i++)
		s.cut += strcmp(w->text[i], labels[i]) != 0;
	for (size_t i = 0; i < s.n; i++) {
		s.at[i] = i * w->step;
		s.text[i] = s.text[i * w->step];
	}
	return s;
}

/* Returns the number of labels of this length that n cells have room for. */
static double room_for(size_t n, double pitch, double length)
{
	return (double)n * fmax(pitch, LEAST_PITCH) / length;
}

struct side raster_labels_rows(struct page *p, const struct heatmap *h, double pitch, double width)
{
	const size_t n = h->values.rows;
	struct words w;
	if (!words_of(p, face_of(h), h->row_labels, n, pitch, width, &w))
		return number_side(p, face_of(h), n, room_for(n, pitch, p->line[FACE_TEXT] * 1.01));
	return word_side(p, &w, h->row_labels);
}

/* Returns whether all words are numbers, of which every letter is high. */
static bool are_numbers(const struct words *w)
{
	bool all = true;
	for (size_t i = 0; i < w->n && all; i++)
		all = w->text[i][0] >= '0' && w->text[i][0] <= '9';
	return all;
}

/* Returns the angle of the words: horizontal, slanted, or vertical. */
static double angle_of(const struct page *p, const struct words *w, double pitch)
{
	const double air = 8 * p->space;
	if (w->n == 1 || (w->step == 1 && w->most.w + air <= pitch))
		return 0;
	/* Slanted numbers that nearly touch run into one another for the eye; vertical ones have more room. */
	const double between = are_numbers(w) ? p->line[FACE_TEXT] / 4 : 0;
	return w->apart + between <= pitch * (double)w->step * sin(slant) ? slant : G_PI / 2;
}

struct side raster_labels_cols(struct page *p, const struct heatmap *h, double pitch, double length)
{
	const size_t n = h->values.cols;
	struct words w;
	if (!words_of(p, face_of(h), h->col_labels, n, pitch, length, &w)) {
		const char *last = arena_printf(p->arena, "%zu", n);
		const double wide = raster_text_measure(p, FACE_TEXT, last).w + 10 * p->space;
		return number_side(p, face_of(h), n, room_for(n, pitch, wide));
	}
	struct side s = word_side(p, &w, h->col_labels);
	s.angle = angle_of(p, &w, pitch);
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
		const double down = raster_text_ink(p, FACE_TEXT, s->text[i]).below;
		const double reach =
			s->angle == 0 ? w / 2 : w * cos(s->angle) + down * sin(s->angle);
		most = fmax(most, reach - ((double)(n - s->at[i]) - 0.5) * pitch);
	}
	return most;
}
