/* raster_card.c: words and numbers on paper: cards, bars.
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
	const bool brief = p->terse && d->notes == NOTES_NONE;
	if (given(card->about) && !brief)
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
					 "with notes on a larger page");
	}
	return at.y - top;
}

static struct card without_spare(const struct card *card)
{
	struct card out = *card;
	out.n -= out.n_spare;
	out.n_spare = 0;
	return out;
}

/* The loosest density that fits, else the last. */
static size_t loosest(struct page *p, const struct card *card, struct area at)
{
	size_t i = 0;
	while (i + 1 < DENSITIES && card_walk(p, card, &densities[i], at, false) > at.h)
		i++;
	return i;
}

struct size raster_card_least(struct page *p, const struct panel *panel, double width)
{
	const struct card card = without_spare(&panel->card);
	double least = INFINITY;
	for (size_t i = 0; i < DENSITIES; i++)
		least = fmin(least,
			     card_walk(p, &card, &densities[i], (struct area){.w = width}, false));
	return (struct size){120 * p->type, least};
}

void raster_card_draw(struct page *p, const struct panel *panel, struct area at)
{
	struct card card = panel->card;
	card.n -= card.n_keys;
	card.n_spare -= card.n_keys;
	size_t i = loosest(p, &card, at);
	if (densities[i].notes == NOTES_NONE && card.n_spare > 0) {
		card = without_spare(&card);
		i = loosest(p, &card, at);
	}
	card_walk(p, &card, &densities[i], at, true);
}

/* Bars */

struct chart {
	size_t step; /* every step-th bar is labelled */
	const char **labels, **values;
	struct size most; /* of the labels */
	double value_w, pitch, left, width, per, zero;
};

struct size raster_bars_least(struct page *p, const struct panel *panel, double width)
{
	(void)width;
	const double bars = (double)(panel->bars.n < 4 ? panel->bars.n : 4);
	return (struct size){180 * p->type, fmax(5, bars + 2) * p->line[FACE_TEXT]};
}

/* The note, or the value's digits; of a bar that is off with that word. */
static const char *bar_value(struct page *p, const struct bars *b, size_t i)
{
	const double digits[1] = {raster_three_digits(b->values[i])};
	const char *text = !isfinite(b->values[i])
				   ? "not finite"
				   : scale_tick_labels(p->arena, digits, 1, false)[0];
	if (b->notes != NULL)
		text = b->notes[i] != NULL ? b->notes[i] : "";
	if (b->off == NULL || !b->off[i])
		return text;
	return text[0] != '\0' ? arena_printf(p->arena, "%s, off", text) : "off";
}

static struct chart plan_bars(struct page *p, const struct bars *b, struct area at)
{
	const double line = p->line[FACE_TEXT], air = 8 * p->space;
	struct chart t = {.pitch = fmax(fmin(at.h / (double)b->n, 2 * line), LEAST_PITCH)};
	const char **chosen = arena_calloc(p->arena, b->n, sizeof *chosen);
	double lo = 0, hi = 0;
	size_t n = 0;
	t.step = raster_side_step(line, t.pitch);
	t.values = arena_calloc(p->arena, b->n, sizeof *t.values);
	for (size_t i = 0; i < b->n; i++) {
		const double v = isfinite(b->values[i]) ? b->values[i] : 0;
		lo = fmin(lo, v);
		hi = fmax(hi, v);
		t.values[i] = bar_value(p, b, i);
		if (i % t.step != 0)
			continue;
		chosen[n++] =
			b->labels != NULL ? b->labels[i] : arena_printf(p->arena, "%zu", i + 1);
		t.value_w = fmax(t.value_w, raster_text_measure(p, FACE_BOLD, t.values[i]).w);
	}
	t.labels = raster_text_labels(p, FACE_BOLD, chosen, n, at.w * 0.4, &t.most);
	t.left = at.x + t.most.w + air;
	t.width = fmax(1, at.x + at.w - t.value_w - air - t.left);
	t.per = hi > lo ? t.width / (hi - lo) : 0;
	t.zero = t.left - lo * t.per;
	return t;
}

/* A bar that is off is an outline, hatched. */
static void draw_bar(struct page *p, struct area a, uint32_t rgb, bool off)
{
	if (!off) {
		raster_rect(p, a, rgb);
		return;
	}
	const double step = fmax(4, round(6 * p->space));
	cairo_save(p->cr);
	cairo_rectangle(p->cr, a.x, a.y, a.w, a.h);
	cairo_clip(p->cr);
	raster_colour(p, rgb, 0.55);
	cairo_set_line_width(p->cr, 1);
	for (double d = step / 2; d < a.w + a.h; d += step) {
		cairo_move_to(p->cr, a.x + d, a.y);
		cairo_line_to(p->cr, a.x + d - a.h, a.y + a.h);
	}
	cairo_stroke(p->cr);
	cairo_rectangle(p->cr, a.x, a.y, a.w, a.h);
	cairo_set_line_width(p->cr, 2); /* half of it is clipped */
	cairo_stroke(p->cr);
	cairo_restore(p->cr);
}

static void draw_bar_row(struct page *p, const struct bars *b, const struct chart *t,
			 struct area at, size_t i)
{
	const bool off = b->off != NULL && b->off[i], here = b->has_cursor && b->cursor == i;
	const enum face face = here ? FACE_BOLD : FACE_TEXT;
	const double y = at.y + t->pitch * ((double)i + 0.5);
	const double thick = fmax(fmin(t->pitch * 0.62, 26 * p->space), 1);
	const double v = isfinite(b->values[i]) ? b->values[i] : 0;
	const double end = t->zero + v * t->per, from = fmin(t->zero, end);
	draw_bar(p, (struct area){from, y - thick / 2, fabs(v) * t->per, thick},
		 figure_series_colour(v < 0 ? 1 : 0, p->dark), off);
	if (i % t->step != 0)
		return;
	raster_text_mid(p, face, off ? p->theme->second : p->theme->ink, 1, at.x + t->most.w, y,
			t->labels[i / t->step]);
	raster_text_mid(p, face, p->theme->second, 1, at.x + at.w, y, t->values[i]);
}

void raster_bars_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct bars *b = &panel->bars;
	if (b->n == 0) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, "nothing to compare");
		return;
	}
	const double foot = given(b->unit) ? p->line[FACE_TEXT] + 6 * p->space : 0;
	const struct chart t =
		plan_bars(p, b, (struct area){at.x, at.y, at.w, fmax(1, at.h - foot)});
	const double end = at.y + t.pitch * (double)b->n;
	raster_plot(p, (struct area){t.left, at.y, t.width, end - at.y});
	for (size_t i = 0; i < b->n; i++)
		draw_bar_row(p, b, &t, at, i);
	raster_line(p, t.zero, at.y, t.zero, end, 1, p->theme->axis);
	if (!given(b->unit))
		return;
	/* Under the bars, or as far left of that as its length needs. */
	const char *unit = raster_text_fit(p, FACE_TEXT, b->unit, at.w);
	const double room = at.w - raster_text_measure(p, FACE_TEXT, unit).w;
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, fmin(t.left, at.x + room),
			end + 6 * p->space, unit);
}
