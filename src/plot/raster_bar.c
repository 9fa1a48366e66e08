/* raster_bar.c: the bar that explains the colours of a matrix on a page: upright at its right, or lying
 * below it where the page is too narrow for that. It shows the part of the scale that values are in, its
 * limits, round ticks, how the scale is bent, and the weight of no preference. */
#include <math.h>

#include "plot/raster_heatmap.h"

enum { MOST = 14 };

double raster_three_digits(double x)
{
	if (fabs(x) < 1e-300)
		return x;
	const double unit = pow(10, floor(log10(fabs(x))) - 2);
	return unit < 1 ? round(x / unit) / round(1 / unit) : round(x / unit) * unit;
}

/* A bar being filled with labels, and what each takes along it. */
struct ticks {
	struct page *p;
	const struct heatmap *h;
	struct bar *bar;
	double lo, hi, from, to;
	double begin[MOST], end[MOST];
};

static double place_of(const struct ticks *t, double value)
{
	const double at = scale_at(&t->h->scale, fmin(fmax(value, t->lo), t->hi), NULL);
	return (at - t->from) / (t->to - t->from);
}

/* One swatch says that nothing is there. */
static bool all_zero(const struct scale *s)
{
	return !(s->lo < 0) && !(s->hi > 0);
}

static double words_gap(const struct page *p)
{
	return 7 * p->space;
}

/* Adds a label unless it would stand on another one; of a bar that lies with the words of its end, which
 * stand further in. */
static void add_tick(struct ticks *t, double at, const char *text)
{
	struct bar *const bar = t->bar;
	const struct size size = raster_text_measure(t->p, FACE_TEXT, text);
	const bool lies = t->p->bars_below;
	const double half = lies ? size.w / 2 + 4 * t->p->space : size.h * 0.575;
	double begin = at * bar->length - half, end = at * bar->length + half;
	for (int side = 0; side < 2 && lies; side++) {
		if (!bar->words[side] || fabs(at - side) > 1e-9)
			continue;
		const double more = raster_text_measure(t->p, FACE_TEXT, bar->words[side]).w;
		*(side ? &begin : &end) += (side ? -1 : 1) * (more + words_gap(t->p));
	}
	for (size_t i = 0; i < bar->n; i++)
		if (begin < t->end[i] && t->begin[i] < end)
			return;
	if (bar->n == MOST)
		return;
	t->begin[bar->n] = begin;
	t->end[bar->n] = end;
	bar->at[bar->n] = at;
	bar->text[bar->n++] = text;
}

/* Words that both ends have room for: a third of the bar each. */
static void choose_words(struct page *p, const struct heatmap *h, struct bar *bar)
{
	for (int brief = p->bars_below ? 0 : 1; brief < 2; brief++) {
		double most = 0;
		for (int side = 0; side < 2; side++) {
			const char *const words =
				heatmap_end_words(p->arena, h, side == 1, brief == 1);
			bar->words[side] = words;
			if (words)
				most = fmax(most, raster_text_measure(p, FACE_TEXT, words).w);
		}
		if (!p->bars_below || most <= bar->length / 3)
			return;
	}
	bar->words[0] = bar->words[1] = NULL;
}

/* What weights are told by besides the ends of a root: a hundredth, and what each key gets when all get
 * the same. */
static void add_weights(struct ticks *t)
{
	if (t->h->even > 0)
		add_tick(t, place_of(t, t->h->even),
			 arena_printf(t->p->arena, "1/%.0f", 1 / t->h->even));
	if (t->h->scale.mode == SCALE_SQRT)
		add_tick(t, place_of(t, 0.01), "0.01");
}

static void add_ticks(struct ticks *t)
{
	const struct scale *const s = &t->h->scale;
	const bool plus = t->lo < 0 && t->hi > 0 && !t->h->integers;
	const size_t want = t->bar->length < 8 * t->p->line[FACE_TEXT] ? 3 : 5;
	double value[MOST];
	value[0] = t->h->integers ? round(t->lo) : raster_three_digits(t->lo);
	value[1] = t->h->integers ? round(t->hi) : raster_three_digits(t->hi);
	size_t n = 2 + (t->h->integers ? scale_ticks_integer(t->lo, t->hi, want, value + 2)
				       : scale_bar_ticks(s, s->mode == SCALE_SYMLOG ? 9 : want,
							 value + 2));
	if (all_zero(&t->h->scale)) {
		value[0] = 0;
		n = 1;
	}
	const char **const text = scale_tick_labels(t->p->arena, value, n, plus);
	for (size_t i = 0; i < n; i++) {
		/* Powers of ten have no decimals in common. */
		const char *const own =
			s->mode == SCALE_SYMLOG
				? scale_tick_labels(t->p->arena, &value[i], 1, plus)[0]
				: text[i];
		add_tick(t, n == 1 ? 0.5 : i == 0 ? 0 : i == 1 ? 1 : place_of(t, value[i]), own);
		if (i == 1 && !s->diverging && t->h->even > 0)
			add_weights(t);
	}
}

/* Of a bar that stands: the number at an end, and its words behind it. */
static const char *upright_text(struct page *p, const struct bar *bar, size_t i)
{
	for (int side = 0; side < 2; side++)
		if (bar->words[side] && fabs(bar->at[i] - side) < 1e-9)
			return arena_printf(p->arena, "%s %s", bar->text[i], bar->words[side]);
	return bar->text[i];
}

static double widest(struct page *p, const struct bar *bar)
{
	double wide = 0;
	for (size_t i = 0; i < bar->n; i++)
		wide = fmax(wide, raster_text_measure(p, FACE_TEXT, upright_text(p, bar, i)).w);
	return wide;
}

struct bar raster_bar(struct page *p, const struct heatmap *h, double side)
{
	struct bar bar = {.mode = "", .length = side};
	struct ticks t = {.p = p, .h = h, .bar = &bar};
	if (h->scale.mode != SCALE_LINEAR && !all_zero(&h->scale))
		bar.mode = arena_printf(p->arena, "%s scale", scale_mode_names[h->scale.mode]);
	const double mode = bar.mode[0] != '\0' ? raster_text_measure(p, FACE_TEXT, bar.mode).w : 0;
	if (p->bars_below && mode > 0)
		bar.length = fmax(side / 3, side - mode - 12 * p->space);
	bar.length = fmax(bar.length, (p->bars_below ? 60 : 100) * p->space);
	if (all_zero(&h->scale))
		bar.length = 32 * p->space;
	bar.beyond = bar.length - side + (mode > 0 ? 12 * p->space + mode : 0);
	bar.at = arena_calloc(p->arena, MOST, sizeof *bar.at);
	bar.text = arena_calloc(p->arena, MOST, sizeof *bar.text);
	scale_part_limits(&h->scale, &t.lo, &t.hi);
	scale_part(&h->scale, &t.from, &t.to);
	choose_words(p, h, &bar);
	add_ticks(&t);
	bar.across = p->bars_below ? 41 * p->space + p->line[FACE_TEXT]
				   : fmax(42 * p->space + widest(p, &bar), 20 * p->space + mode);
	return bar;
}

/* The colours along the bar, from its low end. */
static void draw_colours(struct page *p, const struct heatmap *h, struct area a)
{
	double from, to;
	const double length = p->bars_below ? a.w : a.h;
	const bool one = all_zero(&h->scale);
	const size_t n = length < COLORMAP_LEVELS ? (size_t)length + 1 : COLORMAP_LEVELS;
	scale_part(&h->scale, &from, &to);
	uint32_t *const colours = arena_calloc(p->arena, n, sizeof *colours);
	for (size_t i = 0; i < n; i++)
		colours[i] = colormap_rgb(h->colormap,
					  one ? scale_at(&h->scale, 0, NULL)
					      : from + (to - from) * ((double)i + 0.5) / (double)n);
	raster_stripes(p, a, colours, n, !p->bars_below);
}

static void draw_below(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const struct bar *const bar = &g->bar;
	const double y = g->at.y + g->at.h + round(18 * p->space), high = round(14 * p->space);
	draw_colours(p, h, (struct area){g->at.x, y, bar->length, high});
	for (size_t i = 0; i < bar->n; i++) {
		const double x = g->at.x + bar->at[i] * (bar->length - 1);
		raster_line(p, x, y + high, x, y + high + 4 * p->space, 1, p->theme->axis);
		raster_text_put(p, FACE_TEXT, p->theme->second, 0.5, x, y + high + 8 * p->space,
				bar->text[i]);
		for (int side = 0; side < 2; side++) {
			const double half = raster_text_measure(p, FACE_TEXT, bar->text[i]).w / 2 +
					    words_gap(p);
			if (bar->words[side] && fabs(bar->at[i] - side) < 1e-9)
				raster_text_put(p, FACE_TEXT, p->theme->second, side,
						side ? x - half : x + half, y + high + 8 * p->space,
						bar->words[side]);
		}
	}
	raster_text_mid(p, FACE_TEXT, p->theme->second, 0, g->at.x + bar->length + 12 * p->space,
			y + high / 2, bar->mode);
}

static void draw_beside(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const struct bar *const bar = &g->bar;
	const double x = g->at.x + g->at.w + round(20 * p->space), w = round(12 * p->space);
	const double y = g->at.y, length = bar->length;
	draw_colours(p, h, (struct area){x, y, w, length});
	for (size_t i = 0; i < bar->n; i++) {
		const double ty = y + (1 - bar->at[i]) * (length - 1);
		raster_line(p, x + w, ty, x + w + 5 * p->space, ty, 1, p->theme->axis);
		raster_text_mid(p, FACE_TEXT, p->theme->second, 0, x + w + 9 * p->space, ty + 0.5,
				upright_text(p, bar, i));
	}
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, x,
			y + length + p->line[FACE_TEXT] / 2 + 2, bar->mode);
}

void raster_bar_draw(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const double strength = p->strength;
	if (p->fit[p->panel].no_bar)
		return;
	p->strength = 1; /* neighbours may share it */
	(p->bars_below ? draw_below : draw_beside)(p, h, g);
	p->strength = strength;
}
