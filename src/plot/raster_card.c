/* raster_card.c: words and numbers on paper: cards, tables, bars.
 *
 * A card is laid out by one walk that measures or draws, so that what was measured is what is drawn.
 * It has four densities; the loosest that fits is taken. The last leaves the notes out and says so. */
#include "plot/raster_in.h"

#include <math.h>

struct density {
	double row;  /* above and below a rule */
	double part; /* between formula, about and rows */
	enum { NOTES_BELOW, NOTES_BESIDE, NOTES_NONE } notes;
};

static const struct density densities[] = {
	{9, 18, NOTES_BELOW}, {5, 10, NOTES_BELOW}, {3, 7, NOTES_BESIDE}, {3, 7, NOTES_NONE}};
enum { DENSITIES = sizeof densities / sizeof densities[0] };

static bool given(const char *text)
{
	return text != NULL && text[0] != '\0';
}

static double keys_width(struct page *p, const struct card *card, double width)
{
	double most = 0;
	for (size_t i = 0; i < card->n; i++)
		if (given(card->lines[i].key))
			most = fmax(most, raster_text_measure(p, FACE_TEXT, card->lines[i].key).w);
	return most > 0 ? fmin(most, width * 0.36) + 20 * p->space : 0;
}

/* Value and note of one line; returns the height. */
static double card_value(struct page *p, const struct card_line *line, const struct density *d,
			 struct area at, bool draw)
{
	const struct theme *t = p->theme;
	const double top = at.y;
	const bool noted = given(line->note) && (d->notes != NOTES_NONE || !given(line->value));
	const bool both = given(line->value) && noted;
	if (both && d->notes == NOTES_BESIDE) {
		const double w = raster_text_measure(p, FACE_BOLD, line->value).w + 10 * p->space;
		const double rest = raster_text_measure(p, FACE_TEXT, line->note).w;
		if (w + rest <= at.w) {
			if (draw) {
				raster_text_put(p, FACE_BOLD, t->ink, 0, at.x, at.y, line->value);
				raster_text_put(p, FACE_TEXT, t->second, 0, at.x + w, at.y,
						line->note);
			}
			return p->line[FACE_TEXT];
		}
	}
	if (given(line->value))
		at.y += raster_text_wrap(p, FACE_BOLD, t->ink, at, draw, line->value);
	if (both)
		at.y += 2 * p->space;
	if (noted)
		at.y += raster_text_wrap(p, FACE_TEXT, t->second, at, draw, line->note);
	return at.y - top;
}

/* The formula, smaller when it is long, wrapped when that does not do. */
static double card_formula(struct page *p, const char *formula, struct area at, bool draw)
{
	const double wide = raster_text_measure(p, FACE_FORMULA, formula).w;
	if (wide <= at.w || wide > at.w * 1.35)
		return raster_text_wrap(p, FACE_FORMULA, p->theme->ink, at, draw, formula);
	PangoFontDescription *face = p->face[FACE_FORMULA];
	const double size = pango_font_description_get_size(face);
	pango_font_description_set_absolute_size(face, floor(size * at.w / wide * 0.99));
	const double height = raster_text_wrap(p, FACE_FORMULA, p->theme->ink, at, draw, formula);
	pango_font_description_set_absolute_size(face, size);
	return height;
}

static double card_walk(struct page *p, const struct card *card, const struct density *d,
			struct area at, bool draw)
{
	const double top = at.y, key_w = keys_width(p, card, at.w);
	if (given(card->formula))
		at.y += card_formula(p, card->formula, at, draw) + d->part * p->space;
	if (given(card->about))
		at.y += raster_text_wrap(p, FACE_TEXT, p->theme->second, at, draw, card->about) +
			d->part * p->space;
	for (size_t i = 0; i < card->n; i++) {
		const struct card_line *line = &card->lines[i];
		const bool keyed = given(line->key);
		if (i > 0)
			at.y += (keyed ? d->row : d->row / 2) * p->space;
		if (i > 0 && keyed) {
			if (draw)
				raster_line(p, at.x, at.y, at.x + at.w, at.y, 1, p->theme->hair);
			at.y += d->row * p->space;
		}
		const struct area key = {at.x, at.y, fmax(key_w - 20 * p->space, 1), 0};
		const struct area value = {at.x + key_w, at.y, at.w - key_w, 0};
		double height = card_value(p, line, d, value, draw);
		if (keyed)
			height = fmax(height, raster_text_wrap(p, FACE_TEXT, p->theme->second, key,
							       draw, line->key));
		at.y += height;
	}
	if (d->notes == NOTES_NONE) {
		at.y += d->part * p->space;
		at.y += raster_text_wrap(p, FACE_TEXT, p->theme->second, at, draw,
					 "notes: on a larger page");
	}
	return at.y - top;
}

struct size raster_card_least(struct page *p, const struct panel *panel, double width)
{
	double least = INFINITY;
	for (size_t i = 0; i < DENSITIES; i++)
		least = fmin(least, card_walk(p, &panel->card, &densities[i],
					      (struct area){.w = width}, false));
	return (struct size){120 * p->type, least};
}

void raster_card_draw(struct page *p, const struct panel *panel, struct area at)
{
	size_t i = 0;
	while (i + 1 < DENSITIES && card_walk(p, &panel->card, &densities[i], at, false) > at.h)
		i++;
	card_walk(p, &panel->card, &densities[i], at, true);
}

/* Tables */

struct columns {
	double *x, *w;
	size_t n; /* shown; fewer than there are when even short ones find no room */
};

static const char *cell_at(const struct table *t, size_t row, size_t col)
{
	const char *text = t->cells[row * t->cols + col];
	return text != NULL ? text : "";
}

/* Natural widths; then the widest gives way until all fit. */
static struct columns fit_columns(struct page *p, const struct table *t, size_t rows, double width)
{
	/* The cursor's row is bold: every row must fit when it is. */
	const enum face face = t->has_cursor ? FACE_BOLD : FACE_TEXT;
	const double least = 40 * p->type;
	double gap = 22 * p->space;
	struct columns c = {.n = t->cols};
	c.x = arena_calloc(p->arena, t->cols + 1, sizeof *c.x);
	c.w = arena_calloc(p->arena, t->cols + 1, sizeof *c.w);
	for (size_t i = 0; i < t->cols; i++) {
		if (t->head != NULL && given(t->head[i]))
			c.w[i] = raster_text_measure(p, FACE_TEXT, t->head[i]).w;
		for (size_t r = 0; r < rows; r++)
			c.w[i] = fmax(c.w[i],
				      ceil(raster_text_measure(p, face, cell_at(t, r, i)).w));
	}
	while (c.n > 1 && (double)c.n * (least + gap) - gap > width)
		c.n--;
	for (;;) {
		double total = gap * (double)(c.n - 1);
		size_t widest = 0;
		for (size_t i = 0; i < c.n; i++) {
			total += c.w[i];
			widest = c.w[i] > c.w[widest] ? i : widest;
		}
		if (total <= width || c.w[widest] <= least)
			break;
		c.w[widest] = fmax(least, fmin(c.w[widest] - (total - width), c.w[widest] * 0.9));
	}
	double total = 0;
	for (size_t i = 0; i < c.n; i++)
		total += c.w[i];
	if (c.n > 1)
		gap = fmax(gap, fmin(56 * p->space, (width - total) / (double)(c.n - 1)));
	for (size_t i = 1; i < c.n; i++)
		c.x[i] = c.x[i - 1] + c.w[i - 1] + gap;
	return c;
}

static void table_text(struct page *p, const struct table *t, const struct columns *c, size_t col,
		       enum face face, uint32_t ink, double x, double y, const char *text)
{
	const bool right = t->right != NULL && t->right[col];
	raster_text_put(p, face, ink, right ? 1 : 0, x + c->x[col] + (right ? c->w[col] : 0), y,
			raster_text_fit(p, face, text, c->w[col]));
}

struct size raster_table_least(struct page *p, const struct panel *panel, double width)
{
	(void)width;
	const double rows = (double)(panel->table.rows < 3 ? panel->table.rows : 3);
	return (struct size){140 * p->type,
			     (rows + 2) * (p->line[FACE_TEXT] + 8 * p->space) + 6 * p->space};
}

void raster_table_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct table *t = &panel->table;
	const double pitch = p->line[FACE_TEXT] + 8 * p->space;
	const double head = t->head != NULL ? pitch + 4 * p->space : 0;
	size_t room = (size_t)fmax(1, floor((at.h - head) / pitch));
	if (t->cols == 0 || t->rows == 0) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, "no rows");
		return;
	}
	const bool cut = t->rows > room;
	const size_t rows = cut ? (room > 1 ? room - 1 : 1) : t->rows;
	/* The cursor's row is always shown. */
	const size_t first = cut && t->has_cursor && t->row >= rows ? t->row - rows + 1 : 0;
	const struct table shown = {.rows = rows,
				    .cols = t->cols,
				    .head = t->head,
				    .cells = t->cells + first * t->cols,
				    .right = t->right,
				    .has_cursor = t->has_cursor};
	const struct columns c = fit_columns(p, &shown, rows, at.w);
	double y = at.y;
	if (t->head != NULL) {
		for (size_t i = 0; i < c.n; i++)
			table_text(p, t, &c, i, FACE_TEXT, p->theme->second, at.x, y,
				   t->head[i] != NULL ? t->head[i] : "");
		raster_line(p, at.x, y + pitch - 2 * p->space, at.x + at.w,
			    y + pitch - 2 * p->space, 1, p->theme->hair);
		y += head;
	}
	for (size_t r = 0; r < rows; r++, y += pitch) {
		const bool here = t->has_cursor && first + r == t->row;
		if (here) {
			p->paper = p->theme->tint;
			raster_rect(p,
				    (struct area){at.x - 6 * p->space, y - 4 * p->space,
						  at.w + 12 * p->space, pitch},
				    p->paper);
		}
		for (size_t i = 0; i < c.n; i++)
			table_text(p, t, &c, i, here ? FACE_BOLD : FACE_TEXT, p->theme->ink, at.x,
				   y, cell_at(&shown, r, i));
		p->paper = p->theme->paper;
	}
	if (cut || c.n < t->cols) {
		const char *more = cut ? arena_printf(p->arena, "rows %zu to %zu of %zu", first + 1,
						      first + rows, t->rows)
				       : arena_printf(p->arena, "%zu of %zu columns", c.n, t->cols);
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, at.x, y, more);
	}
}

/* Bars */

struct size raster_bars_least(struct page *p, const struct panel *panel, double width)
{
	(void)panel;
	(void)width;
	return (struct size){180 * p->type, 5 * p->line[FACE_TEXT]};
}

static const char *bar_value(struct page *p, double value)
{
	if (!isfinite(value))
		return "not finite";
	const double at[1] = {raster_three_digits(value)};
	return scale_tick_labels(p->arena, at, 1, false)[0];
}

void raster_bars_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct bars *b = &panel->bars;
	const double line = p->line[FACE_TEXT];
	const double foot = given(b->unit) ? line + 6 * p->space : 0;
	if (b->n == 0) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, "nothing to compare");
		return;
	}
	const double pitch = fmin((at.h - foot) / (double)b->n, 2 * line);
	size_t step = (size_t)fmax(1, ceil(line / pitch));
	double lo = 0, hi = 0, value_w = 0;
	const char **chosen = arena_calloc(p->arena, b->n, sizeof *chosen);
	size_t n = 0;
	for (size_t i = 0; i < b->n; i++) {
		if (isfinite(b->values[i])) {
			lo = fmin(lo, b->values[i]);
			hi = fmax(hi, b->values[i]);
		}
		if (i % step != 0)
			continue;
		chosen[n++] =
			b->labels != NULL ? b->labels[i] : arena_printf(p->arena, "%zu", i + 1);
		value_w = fmax(value_w,
			       raster_text_measure(p, FACE_TEXT, bar_value(p, b->values[i])).w);
	}
	struct size most;
	const char **labels = raster_text_labels(p, FACE_TEXT, chosen, n, at.w * 0.4, &most);
	const double air = 8 * p->space;
	const double left = at.x + most.w + air + (lo < 0 ? value_w + air : 0);
	const double width = at.x + at.w - value_w - air - left;
	const double per = hi > lo ? width / (hi - lo) : 0, zero = left - lo * per;
	raster_plot(p, (struct area){left, at.y, width, pitch * (double)b->n});
	for (size_t i = 0; i < b->n; i++) {
		const double y = at.y + pitch * ((double)i + 0.5), thick = fmax(pitch * 0.62, 1);
		const double v = isfinite(b->values[i]) ? b->values[i] : 0;
		const double from = fmin(zero, zero + v * per);
		raster_rect(p, (struct area){from, y - thick / 2, fabs(v) * per, thick},
			    figure_series_colour(v < 0 ? 1 : 0, p->dark));
		if (i % step != 0)
			continue;
		raster_text_mid(p, FACE_TEXT, p->theme->ink, 1, at.x + most.w, y, labels[i / step]);
		raster_text_mid(p, FACE_TEXT, p->theme->second, v < 0 ? 1 : 0,
				v < 0 ? from - air : zero + v * per + air, y,
				bar_value(p, b->values[i]));
	}
	raster_line(p, zero, at.y, zero, at.y + pitch * (double)b->n, 1, p->theme->axis);
	if (given(b->unit))
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, left,
				at.y + pitch * (double)b->n + 6 * p->space,
				raster_text_fit(p, FACE_TEXT, b->unit, at.x + at.w - left));
}
