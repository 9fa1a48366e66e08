/* tex_bar.c: the colours of matrices as colour maps of pgfplots, and the bar below a matrix that
 * explains them by the part of the scale that values can have. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/plot/tex.h"

/* SAMPLES: the colours of a map between which pgfplots interpolates, with an error below one level.
 * MOST: the most ticks. */
enum { SAMPLES = 65, MOST = 14 };

const char *tex_colormap_name(struct arena *a, const struct heatmap *h)
{
	const int half = h->scale.diverging ? h->scale.half : 0;
	return arena_printf(a, "posviz-%s%s", h->colormap->name,
			    half < 0   ? "-below"
			    : half > 0 ? "-above"
				       : "");
}

static void add_colormap(struct tex *t, const struct heatmap *h)
{
	double from, to;
	scale_part(&h->scale, &from, &to);
	strbuf_printf(&t->out, "\\pgfplotsset{colormap={%s}{", tex_colormap_name(t->a, h));
	for (int i = 0; i < SAMPLES; i++) {
		const uint32_t rgb = colormap_rgb(
			h->colormap, from + (to - from) * (double)i / (double)(SAMPLES - 1));
		strbuf_printf(&t->out, "%srgb255=(%u,%u,%u)", i % 5 == 0 ? "\n" : " ", rgb >> 16,
			      rgb >> 8 & 255, rgb & 255);
	}
	strbuf_add(&t->out, "}}\n");
}

void tex_colormaps(struct tex *t, const struct figure *f)
{
	struct figure all = *f;
	const struct heatmap *h;
	for (size_t i = 0; (h = figure_heatmap(&all, i, NULL)) != NULL; i++) {
		const char *const name = tex_colormap_name(t->a, h);
		size_t k = 0;
		while (strcmp(tex_colormap_name(t->a, figure_heatmap(&all, k, NULL)), name) != 0)
			k++;
		if (k == i)
			add_colormap(t, h);
	}
}

/* ---- ticks --------------------------------------------------------------------------------------------- */

struct ticks {
	struct tex *t;
	const struct heatmap *h;
	double length, lo, hi; /* in points; the limits shown */
	size_t n;
	double at[MOST], begin[MOST], end[MOST];
	const char *text[MOST];
};

/* True if all values are zero: the bar is then a single swatch. */
static bool all_zero(const struct scale *s)
{
	return !(s->lo < 0) && !(s->hi > 0);
}

/* Returns the number at an end of the bar, rounded to what can be read off a bar. */
static double three_digits(double x)
{
	char text[32];
	snprintf(text, sizeof text, "%.3g", x);
	return strtod(text, NULL);
}

/* Adds a tick unless its label would overlap another one. */
static void add_tick(struct ticks *k, double value, const char *text)
{
	double from, to;
	scale_part(&k->h->scale, &from, &to);
	const double at = scale_at(&k->h->scale, fmin(fmax(value, k->lo), k->hi), NULL);
	const double half = tex_width(k->t, text) / 2 + 0.4 * k->t->letters;
	const double x = (at - from) / (to - from) * k->length;
	for (size_t i = 0; i < k->n; i++)
		if (x - half < k->end[i] && k->begin[i] < x + half)
			return;
	if (k->n == MOST)
		return;
	k->at[k->n] = at;
	k->begin[k->n] = x - half;
	k->end[k->n] = x + half;
	k->text[k->n++] = text;
}

static void add_number(struct ticks *k, double value)
{
	const bool plus = k->lo < 0 && k->hi > 0 && !k->h->integers;
	add_tick(k, value, scale_tick_labels(k->t->a, &value, 1, plus)[0]);
}

/* Adds the limit at an end, and its meaning. */
static void add_end(struct ticks *k, bool high)
{
	const double value = high ? k->hi : k->lo;
	const bool plus = k->lo < 0 && k->hi > 0 && !k->h->integers;
	const double shown[] = {k->h->integers ? round(value) : three_digits(value)};
	const char *const number =
		k->h->ends[high] ? k->h->ends[high] : scale_tick_labels(k->t->a, shown, 1, plus)[0];
	const char *const words = heatmap_end_words(k->t->a, k->h, high, true);
	add_tick(k, value,
		 !words ? number
		 : high ? arena_printf(k->t->a, "%s %s", words, number)
			: arena_printf(k->t->a, "%s %s", number, words));
}

static void add_ticks(struct ticks *k)
{
	const struct scale *const s = &k->h->scale;
	double value[MOST];
	if (all_zero(s)) {
		add_number(k, 0);
		return;
	}
	add_end(k, false);
	add_end(k, true);
	if (k->h->even > 0 && !k->h->even_unmarked && !s->diverging)
		add_tick(k, k->h->even, arena_printf(k->t->a, "1/%.0f", 1 / k->h->even));
	const size_t n = k->h->integers
				 ? scale_ticks_integer(k->lo, k->hi, 5, value)
				 : scale_bar_ticks(s, s->mode == SCALE_SYMLOG ? 9 : 5, value);
	for (size_t i = 0; i < n; i++)
		add_number(k, value[i]);
}

void tex_bar(struct tex *t, const struct heatmap *h, const char *width, double points)
{
	struct ticks k = {.t = t, .h = h, .length = points};
	double from, to;
	scale_part_limits(&h->scale, &k.lo, &k.hi);
	scale_part(&h->scale, &from, &to);
	add_ticks(&k);
	strbuf_printf(&t->out,
		      "\tcolorbar horizontal, colorbar style={posviz bar, width=%s,\n"
		      "\txmin=%g, xmax=%g,\n",
		      width, from, to);
	tex_ticks(t, "x", k.at, k.text, k.n);
	strbuf_add(&t->out, "\t},\n");
}

void tex_bar_alone(struct tex *t, const struct heatmap *h, const char *width, double points)
{
	double from, to;
	scale_part(&h->scale, &from, &to);
	strbuf_printf(
		&t->out,
		"\\begin{tikzpicture}[baseline=-1.3em, trim left=0pt]\n\\begin{axis}[scale only axis, hide "
		"axis, width=1pt, height=1pt,\n"
		"\txmin=0, xmax=1, ymin=0, ymax=1,\n"
		"\tcolormap name=%s, point meta min=%g, point meta max=%g,\n",
		tex_colormap_name(t->a, h), from, to);
	tex_bar(t, h, width, points);
	strbuf_add(&t->out,
		   "]\n\\addplot[draw=none] coordinates {(0,0)};\n\\end{axis}\n\\end{tikzpicture}");
}
