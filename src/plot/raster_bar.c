/* raster_bar.c: the bar that explains the colours of a matrix on a page: vertical at its right, or
 * horizontal below it if the page is too narrow for that. It shows the part of the scale that
 * values can have, its limits, round ticks, the mode of the scale, and the weight if all keys get
 * the same. */
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

/* A bar that is being given labels, and the room of each label along it. */
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

/* True if all values are zero: the bar is then a single swatch. */
static bool all_zero(const struct scale *s)
{
	return !(s->lo < 0) && !(s->hi > 0);
}

static double words_gap(const struct page *p)
{
	return 7 * p->space;
}

/* Returns the middle of a label on a horizontal bar. If letters have a given size, there is no
 * margin beyond the end of the bar, and the label ends there. */
static double middle_of(const struct page *p, const struct bar *bar, double at, double width)
{
	const double x = at * bar->length;
	return p->given > 0 ? fmin(x, bar->length - width / 2) : x;
}

/* Adds a label unless it would overlap another one. On a horizontal bar a label at an end includes
 * the words of that end, which are on its inner side. */
static void add_tick(struct ticks *t, double at, const char *text)
{
	struct bar *const bar = t->bar;
	const struct size size = raster_text_measure(t->p, FACE_TEXT, text);
	const bool lies = t->p->bars_below;
	const double air = (t->p->given > 0 ? 3 : 4) * t->p->space;
	const double half = lies ? size.w / 2 + air : size.h * 0.575;
	const double middle = lies ? middle_of(t->p, bar, at, size.w) : at * bar->length;
	double begin = middle - half, end = middle + half;
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

/* Chooses words for which both ends have room: a third of the bar each. */
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

/* Adds further ticks for weights: the weight if all keys get the same, and 0.01 on a root scale. */
static void add_weights(struct ticks *t)
{
	if (t->h->even > 0 && !t->h->even_unmarked)
		add_tick(t, place_of(t, t->h->even),
			 arena_printf(t->p->arena, "1/%.0f", 1 / t->h->even));
	if (t->h->scale.mode == SCALE_SQRT)
		add_tick(t, place_of(t, 0.01), "0.01");
}

/* Returns the limits as they are printed. */
static void end_values(const struct ticks *t, double value[2])
{
	value[0] = t->h->integers ? round(t->lo) : raster_three_digits(t->lo);
	value[1] = t->h->integers ? round(t->hi) : raster_three_digits(t->hi);
}

static bool has_plus(const struct ticks *t)
{
	return t->lo < 0 && t->hi > 0 && !t->h->integers;
}

/* Returns the texts of both limits: their words if the matrix has some, else the numbers. */
static const char **end_texts(const struct ticks *t)
{
	double value[2];
	end_values(t, value);
	const char **const text = scale_tick_labels(t->p->arena, value, 2, has_plus(t));
	for (int side = 0; side < 2; side++)
		text[side] = t->h->ends[side] ? t->h->ends[side] : text[side];
	return text;
}

/* Adds both limits, and zero if it is between them; if they have no room together with the words of
 * the ends, these are removed. */
static void add_ends(struct ticks *t, const char *const text[2])
{
	const bool zero = t->lo < 0 && t->hi > 0;
	for (int wordless = 0; wordless < 2; wordless++) {
		t->bar->n = 0;
		add_tick(t, 0, text[0]);
		add_tick(t, 1, text[1]);
		if (zero)
			add_tick(t, place_of(t, 0), "0");
		if (t->bar->n == 2 + (size_t)zero)
			return;
		t->bar->words[0] = t->bar->words[1] = NULL;
	}
}

/* Adds the words of two values at the middles of their boxes; false: they have no room. */
static bool add_either(struct ticks *t, const char *const text[2])
{
	t->bar->n = 0;
	add_tick(t, 0.25, text[0]);
	add_tick(t, 0.75, text[1]);
	return t->bar->n == 2;
}

/* Adds the limits first, then zero, then the other ticks that have room. */
static void add_ticks(struct ticks *t)
{
	const struct scale *const s = &t->h->scale;
	const bool plus = has_plus(t);
	const size_t want = t->bar->length < 8 * t->p->line[FACE_TEXT] ? 3 : 5;
	double value[MOST];
	end_values(t, value);
	size_t n = 2 + (t->h->integers ? scale_ticks_integer(t->lo, t->hi, want, value + 2)
				       : scale_bar_ticks(s, s->mode == SCALE_SYMLOG ? 9 : want,
							 value + 2));
	const char **const text = scale_tick_labels(t->p->arena, value, n, plus);
	/* Powers of ten have different numbers of decimals. */
	for (size_t i = 0; i < n && s->mode == SCALE_SYMLOG; i++)
		text[i] = scale_tick_labels(t->p->arena, &value[i], 1, plus)[0];
	if (all_zero(s)) {
		add_tick(t, 0.5, "0");
		return;
	}
	if (heatmap_is_either(t->h) && add_either(t, end_texts(t)))
		return;
	if (t->h->ends[0] && t->h->ends[1]) {
		add_ends(t, end_texts(t));
		return;
	}
	add_ends(t, text);
	if (!s->diverging && t->h->even > 0 && !t->h->even_unmarked)
		add_weights(t);
	for (size_t i = 2; i < n; i++)
		add_tick(t, place_of(t, value[i]), text[i]);
}

/* Returns the number at a tick of a vertical bar, followed by the words of its end. */
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

/* Returns how long a horizontal bar must be for its limits, and for a third label between them. */
static void least_lengths(const struct ticks *t, double *ends, double *three)
{
	const double gap = 9 * t->p->space;
	const char **const text = end_texts(t);
	const double low = raster_text_measure(t->p, FACE_TEXT, text[0]).w;
	const double high = raster_text_measure(t->p, FACE_TEXT, text[1]).w;
	const bool zero = t->lo < 0 && t->hi > 0;
	const double middle = zero ? raster_text_measure(t->p, FACE_TEXT, "0").w : fmax(low, high);
	/* Zero is in the middle; another number of a root or symlog scale is nearer to an end. */
	const double place = zero ? 0.5 : 0.3;
	*ends = low / 2 + high + gap;
	*three = fmax(*ends, (middle / 2 + fmax(low / 2, high) + gap) / place);
}

/* Returns the panels that the bar is for: "of a, b, c". */
static const char *letters_of(struct page *p, unsigned panels)
{
	const char *out = "";
	for (char letter = 'a'; panels != 0 && letter < 'a' + FIGURE_PANELS; letter++)
		for (size_t i = 0; i < FIGURE_PANELS; i++)
			if (panels >> i & 1 && p->letter[i] == letter)
				out = arena_printf(p->arena, "%s%s%c", out, *out ? ", " : "of ",
						   letter);
	return out;
}

/* Returns the largest width that this text can have. */
static double letters_width(struct page *p, unsigned panels)
{
	double width = 0;
	for (size_t i = 0; i < FIGURE_PANELS; i++)
		if (panels >> i & 1)
			width += raster_text_measure(p, FACE_TEXT, width > 0 ? ", b" : "of b").w;
	return width;
}

/* Returns the width of half of the upper limit beyond the end of the bar, less the part that the
 * page's margin has room for. */
static double limit_beyond(const struct ticks *t)
{
	const char **const text = end_texts(t);
	const double half = raster_text_measure(t->p, FACE_TEXT, text[1]).w / 2;
	return t->p->given > 0 ? 0 : fmax(0, half - 44 * t->p->space);
}

/* Finds the length of a horizontal bar beside its words. These go below the bar if it would have no
 * room for a label between its limits. `beyond` becomes the width beyond `side`. */
static void size_lying(const struct ticks *t, double words, double side)
{
	const double gap = 12 * t->p->space, beside = words > 0 ? side - words - gap : side;
	double ends, three;
	least_lengths(t, &ends, &three);
	t->bar->stacked = words > 0 && beside < three;
	/* Both limits are always printed, and so is zero if it is between them. */
	const double least = t->lo < 0 && t->hi > 0 ? three : ends;
	t->bar->length = fmax(t->bar->stacked ? side : beside, fmax(least, 60 * t->p->space));
	if (all_zero(&t->h->scale))
		t->bar->length = 32 * t->p->space;
	const double right = t->bar->length + (words > 0 ? gap + words : 0);
	const double limit = t->bar->length + limit_beyond(t);
	t->bar->beyond = fmax(t->bar->stacked ? fmax(t->bar->length, words) : right, limit) - side;
}

static double lying_height(const struct page *p, const struct bar *bar)
{
	const double line = p->line[FACE_TEXT];
	return 41 * p->space + line + (bar->stacked ? line + 2 * p->space : 0);
}

static struct bar make_bar(struct page *p, const struct heatmap *h, double side, unsigned panels)
{
	struct bar bar = {.mode = ""};
	struct ticks t = {.p = p, .h = h, .bar = &bar};
	scale_part_limits(&h->scale, &t.lo, &t.hi);
	scale_part(&h->scale, &t.from, &t.to);
	if (h->scale.mode != SCALE_LINEAR && !all_zero(&h->scale))
		bar.mode = arena_printf(p->arena, "%s scale%s", scale_mode_names[h->scale.mode],
					scale_above(&h->scale, p->arena));
	const double mode = bar.mode[0] != '\0' ? raster_text_measure(p, FACE_TEXT, bar.mode).w : 0;
	const double of = letters_width(p, panels);
	const double space = mode > 0 && of > 0 ? raster_text_measure(p, FACE_TEXT, " ").w : 0;
	bar.lines = (mode > 0) + (panels != 0);
	bar.length = all_zero(&h->scale) ? 32 * p->space : fmax(side, 100 * p->space);
	if (p->bars_below)
		size_lying(&t, mode + space + of, side);
	bar.at = arena_calloc(p->arena, MOST, sizeof *bar.at);
	bar.text = arena_calloc(p->arena, MOST, sizeof *bar.text);
	choose_words(p, h, &bar);
	add_ticks(&t);
	bar.across = p->bars_below ? lying_height(p, &bar)
				   : fmax(42 * p->space + widest(p, &bar),
					  20 * p->space + fmax(mode, of));
	return bar;
}

/* ---- cache of bars --------------------------------------------------------------------------- */

/* A bar that was made before: the layout of a page asks for each bar many times. */
struct kept_bar {
	struct heatmap of;
	double side, type, space;
	unsigned panels;
	bool below, either;
	struct bar bar;
	struct kept_bar *next;
};

enum { BUCKETS = 256 };

static struct kept_bar **bucket_of(struct page *p, double side)
{
	if (p->bars == NULL)
		p->bars = arena_calloc(p->arena, BUCKETS, sizeof *p->bars);
	return &p->bars[(size_t)fmin(fabs(side) * 16, 1e9) % BUCKETS];
}

static bool same_scale(const struct scale *a, const struct scale *b)
{
	return a->lo == b->lo && a->hi == b->hi && a->mode == b->mode &&
	       a->diverging == b->diverging && a->half == b->half && a->linear == b->linear;
}

/* Tells if a bar would be the same for both. */
static bool same_bar(const struct heatmap *a, const struct heatmap *b)
{
	return same_scale(&a->scale, &b->scale) && a->integers == b->integers &&
	       a->even == b->even && a->first == b->first && a->second == b->second &&
	       a->more_of == b->more_of && a->ends[0] == b->ends[0] && a->ends[1] == b->ends[1];
}

static bool is_kept(const struct kept_bar *k, const struct page *p, const struct heatmap *h,
		    double side, unsigned panels)
{
	return k->side == side && k->panels == panels && k->type == p->type &&
	       k->space == p->space && k->below == p->bars_below &&
	       k->either == heatmap_is_either(h) && same_bar(&k->of, h);
}

/* The letters of panels are known only after the layout, so they are added to the kept bar. */
struct bar raster_bar(struct page *p, const struct heatmap *h, double side, unsigned panels)
{
	struct kept_bar **const bucket = bucket_of(p, side), *k = *bucket;
	while (k != NULL && !is_kept(k, p, h, side, panels))
		k = k->next;
	if (k == NULL) {
		k = arena_calloc(p->arena, 1, sizeof *k);
		*k = (struct kept_bar){.of = *h,
				       .side = side,
				       .type = p->type,
				       .space = p->space,
				       .panels = panels,
				       .below = p->bars_below,
				       .either = heatmap_is_either(h),
				       .bar = make_bar(p, h, side, panels),
				       .next = *bucket};
		*bucket = k;
	}
	struct bar bar = k->bar;
	bar.of = letters_of(p, panels);
	return bar;
}

/* ---- drawing ------------------------------------------------------------------------------------ */

/* Draws the colours along the bar, from its low end. */
static void draw_colours(struct page *p, const struct heatmap *h, struct area a)
{
	double from, to;
	const double length = p->bars_below ? a.w : a.h;
	const bool one = all_zero(&h->scale), either = heatmap_is_either(h);
	const size_t n = either			    ? 2
			 : length < COLORMAP_LEVELS ? (size_t)length + 1
						    : COLORMAP_LEVELS;
	scale_part(&h->scale, &from, &to);
	uint32_t *const colours = arena_calloc(p->arena, n, sizeof *colours);
	for (size_t i = 0; i < n; i++)
		colours[i] = colormap_rgb(
			h->colormap, either ? (i ? to : from)
				     : one  ? scale_at(&h->scale, 0, NULL)
					    : from + (to - from) * ((double)i + 0.5) / (double)n);
	raster_stripes(p, a, colours, n, !p->bars_below);
}

static void report_bar(struct page *p, const struct heatmap *h, struct area a)
{
	struct raster_report *const r = &p->report;
	struct ticks t = {.h = h};
	double ends[2];
	scale_part_limits(&h->scale, &t.lo, &t.hi);
	end_values(&t, ends);
	if (r->bar_n < FIGURE_PANELS && !all_zero(&h->scale))
		r->bars[r->bar_n++] =
			(struct bar_box){a.x, a.y, a.w, a.h, ends[0], ends[1], p->bars_below};
}

static void draw_below(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const struct bar *const bar = &g->bar;
	const double y = g->at.y + g->at.h + round(18 * p->space), high = round(14 * p->space);
	draw_colours(p, h, (struct area){g->at.x, y, bar->length, high});
	report_bar(p, h, (struct area){g->at.x, y, bar->length, high});
	for (size_t i = 0; i < bar->n; i++) {
		const double x = g->at.x + bar->at[i] * (bar->length - 1);
		raster_line(p, x, y + high, x, y + high + 4 * p->space, 1, p->theme->axis);
		const double wide = raster_text_measure(p, FACE_TEXT, bar->text[i]).w;
		const double mid = g->at.x + middle_of(p, bar, bar->at[i], wide);
		const double half = wide / 2 + words_gap(p), text_y = y + high + 8 * p->space;
		raster_text_put(p, FACE_TEXT, p->theme->second, 0.5, mid, text_y, bar->text[i]);
		for (int side = 0; side < 2; side++)
			if (bar->words[side] && fabs(bar->at[i] - side) < 1e-9)
				raster_text_put(p, FACE_TEXT, p->theme->second, side,
						side ? mid - half : mid + half, text_y,
						bar->words[side]);
	}
	const char *const words = arena_printf(p->arena, "%s%s%s", bar->mode,
					       *bar->mode && *bar->of ? " " : "", bar->of);
	if (bar->stacked)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, g->at.x,
				y + high + 10 * p->space + p->line[FACE_TEXT], words);
	else
		raster_text_mid(p, FACE_TEXT, p->theme->second, 0,
				g->at.x + bar->length + 12 * p->space, y + high / 2, words);
}

static void draw_beside(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const struct bar *const bar = &g->bar;
	const double x = g->at.x + g->at.w + round(20 * p->space), w = round(12 * p->space);
	const double y = g->at.y, length = bar->length;
	draw_colours(p, h, (struct area){x, y, w, length});
	report_bar(p, h, (struct area){x, y, w, length});
	for (size_t i = 0; i < bar->n; i++) {
		const double ty = y + (1 - bar->at[i]) * (length - 1);
		raster_line(p, x + w, ty, x + w + 5 * p->space, ty, 1, p->theme->axis);
		raster_text_mid(p, FACE_TEXT, p->theme->second, 0, x + w + 9 * p->space, ty + 0.5,
				upright_text(p, bar, i));
	}
	const double below = y + length + p->line[FACE_TEXT] / 2 + 2;
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, x, below, bar->mode);
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, x,
			below + (*bar->mode ? p->line[FACE_TEXT] : 0), bar->of);
}

void raster_bar_draw(struct page *p, const struct heatmap *h, const struct grid *g)
{
	const double strength = p->strength;
	if (p->fit[p->panel].no_bar)
		return;
	p->strength = 1; /* neighbours may share the bar */
	(p->bars_below ? draw_below : draw_beside)(p, h, g);
	p->strength = strength;
}
