/* tex_sums.c: panels that show values by their length: the values of a row as columns, bars, a sum
 * step by step. */
#include <math.h>

#include "posviz/plot/tex.h"
#include "posviz/base/num.h"

static bool is_masked(const struct columns *c, size_t i)
{
	return (c->masked && c->masked[i]) || !isfinite(c->values[i]);
}

static void add_columns(struct tex *t, const struct columns *c, bool chosen)
{
	strbuf_printf(&t->out, "\\addplot[ybar, fill=posviz0%s, draw=none] table {\nkey value\n",
		      chosen ? "" : "!45");
	for (size_t i = 0; i < c->n; i++)
		if (!is_masked(c, i) && (i == c->cursor) == chosen)
			strbuf_printf(&t->out, "%zu %s\n", i + 1, tex_number(t->a, c->values[i]));
	strbuf_add(&t->out, "};\n");
}

void tex_columns(struct tex *t, const struct columns *c)
{
	const double cell = (t->width - 4 * t->letters) / (double)c->n;
	const struct tex_side side = tex_side(t, c->labels, c->n, cell);
	const bool lean = !side.numbers && side.width + 0.5 * t->letters > cell;
	double most = 0, least = 0, at[8];
	for (size_t i = 0; i < c->n; i++) {
		most = is_masked(c, i) ? most : fmax(most, c->values[i]);
		least = is_masked(c, i) ? least : fmin(least, c->values[i]);
	}
	const size_t n = scale_ticks(least, most > 0 ? most : 1, 5, at);
	const char **const labels = scale_tick_labels(t->a, at, n, false);
	tex_widest(t, 0, labels, n);
	strbuf_printf(
		&t->out,
		"\\begin{tikzpicture}\n\\begin{axis}[posviz curves, bar width=0.7,\n"
		"\twidth={\\posvizwidth-\\wd0-2em}, height=8*\\posvizline,\n"
		"\txmin=0.4, xmax=%zu.6, ymin=%s, ymax=%s, xtick style={draw=none}, x tick label style={text=posvizink},\n%s",
		c->n, tex_number(t->a, 1.08 * least), tex_number(t->a, most > 0 ? 1.08 * most : 1),
		lean ? "\tx tick label style={rotate=55, anchor=north east, inner sep=1pt},\n"
		     : "");
	tex_ticks(t, "x", side.at, side.text, side.n);
	tex_ticks(t, "y", at, labels, n);
	strbuf_add(&t->out, "]\n");
	add_columns(t, c, false);
	if (c->cursor < c->n && !is_masked(c, c->cursor))
		add_columns(t, c, true);
	strbuf_add(&t->out, "\\end{axis}\n\\end{tikzpicture}\\par\n");
}

/* ---- horizontal bars ------------------------------------------------------------------------- */

/* A bar from one value to another, with its number behind it. */
struct lying {
	const char *label, *number;
	double from, to;
	const char *colour;
	double mark; /* position of a dot; NaN: none */
};

static void add_bar(struct tex *t, const struct lying *b, size_t at)
{
	const char *const from = tex_number(t->a, b->from), *const to = tex_number(t->a, b->to);
	if (fabs(b->to - b->from) > 0)
		strbuf_printf(&t->out,
			      "\\fill[%s] (axis cs:%s,%zu.65) rectangle (axis cs:%s,%zu.35);\n",
			      b->colour, from, at, to, at + 1);
	const double end = fmax(b->from, b->to);
	if (isfinite(b->mark))
		strbuf_printf(
			&t->out,
			"\\fill[posvizink, draw=white] (axis cs:%s,%zu) circle[radius=0.25em];\n",
			tex_number(t->a, b->mark), at + 1);
	if (b->number)
		strbuf_printf(&t->out, "\\node[posviz name] at (axis cs:%s,%zu) {%s};\n",
			      tex_number(t->a, isfinite(b->mark) ? fmax(end, b->mark) : end),
			      at + 1, tex_text(t, b->number));
}

static void add_lying(struct tex *t, const struct lying *bars, size_t n, const char *dots)
{
	const char **const labels = arena_calloc(t->a, n + 1, sizeof *labels);
	const char **const numbers = arena_calloc(t->a, n + 1, sizeof *numbers);
	double *const at = arena_calloc(t->a, n + 1, sizeof *at), ticks[8];
	double lo = n > 0 ? bars[0].from : 0, hi = lo;
	for (size_t i = 0; i < n; i++) {
		at[i] = (double)i + 1;
		labels[i] = bars[i].label ? bars[i].label : "";
		numbers[i] = bars[i].number ? bars[i].number : "";
		lo = fmin(lo, fmin(bars[i].from, bars[i].to));
		hi = fmax(hi, fmax(bars[i].from, bars[i].to));
		lo = isfinite(bars[i].mark) ? fmin(lo, bars[i].mark) : lo;
		hi = isfinite(bars[i].mark) ? fmax(hi, bars[i].mark) : hi;
	}
	hi = lo < hi ? hi : lo + 1;
	const size_t n_ticks = scale_ticks(lo, hi, 4, ticks);
	tex_widest(t, 0, labels, n);
	tex_widest(t, 1, numbers, n);
	strbuf_printf(&t->out,
		      "\\begin{tikzpicture}\n\\begin{axis}[posviz curves, y dir=reverse, "
		      "ymajorgrids=false, xmajorgrids, y tick label style={text=posvizink},\n"
		      "\twidth={\\posvizwidth-\\wd0-\\wd1-2em}, height=%zu*1.5*\\posvizline,\n"
		      "\txmin=%s, xmax=%s, ymin=0.5, ymax=%zu.5,\n",
		      n, tex_number(t->a, lo), tex_number(t->a, hi), n);
	tex_ticks(t, "x", ticks, scale_tick_labels(t->a, ticks, n_ticks, false), n_ticks);
	tex_ticks(t, "y", at, labels, n);
	if (dots)
		strbuf_printf(&t->out, "\txlabel={dot: %s},\n", tex_text(t, dots));
	strbuf_add(&t->out, "]\n");
	for (size_t i = 0; i < n; i++)
		add_bar(t, &bars[i], i);
	strbuf_add(&t->out, "\\end{axis}\n\\end{tikzpicture}\\par\n");
}

static const char *shown(const struct tex *t, double value)
{
	char text[32];
	return arena_strdup(t->a, num_show(text, sizeof text, value, 3));
}

void tex_bars(struct tex *t, const struct bars *b)
{
	struct lying *const bars = arena_calloc(t->a, b->n + 1, sizeof *bars);
	for (size_t i = 0; i < b->n; i++) {
		const bool off = (b->off && b->off[i]) || (b->faint && b->faint[i]);
		const bool span =
			b->spans && b->lo && b->hi && isfinite(b->lo[i]) && isfinite(b->hi[i]);
		bars[i] = (struct lying){.label = b->labels ? b->labels[i]
							    : arena_printf(t->a, "%zu", i + 1),
					 .number = b->off && b->off[i] ? "off"
						   : b->notes	       ? b->notes[i]
								       : shown(t, b->values[i]),
					 .from = span ? b->lo[i] : b->base,
					 .to = span			? b->hi[i]
					       : isfinite(b->values[i]) ? b->values[i]
									: b->base,
					 .colour = off ? "posvizhair" : "posviz0",
					 .mark = b->marks ? b->marks[i] : NAN};
	}
	add_lying(t, bars, b->n, b->marks ? b->mark_title : NULL);
}

/* The bar of an addend begins where the one before it ended, that of a total at zero. */
void tex_waterfall(struct tex *t, const struct waterfall *w)
{
	struct lying *const bars = arena_calloc(t->a, w->n + 1, sizeof *bars);
	double end = 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct sum_step *const s = &w->steps[i];
		bars[i].label = s->label;
		bars[i].mark = NAN;
		if (s->kind == STEP_NOTE) {
			bars[i].number = s->text;
			bars[i].from = bars[i].to = end;
			continue;
		}
		bars[i].from = s->kind == STEP_TOTAL ? 0 : end;
		bars[i].to = bars[i].from + s->value;
		bars[i].number = shown(t, s->value);
		bars[i].colour = s->kind == STEP_TOTAL ? "posvizsecond"
				 : s->value < 0	       ? "posviz0"
						       : "posviz1";
		end = bars[i].to;
	}
	add_lying(t, bars, w->n, NULL);
}
