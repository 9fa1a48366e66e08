/* raster_card.c: cards on paper.
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
