/* svg_text.c: words in an SVG: one element for each line, with its measured length, whatever font a
 * viewer finds. */
#include "plot/svg.h"

#include <math.h>
#include <string.h>

#include "plot/page_library.h"
#include "plot/layout_lines.h"
#include "plot/raster_in.h"

static double size_of(const PangoFontDescription *d)
{
	return (double)pango_font_description_get_size(d) / PANGO_SCALE;
}

/* Formulas are laid out without the features that other text has. */
static bool has_features(PangoLayout *layout)
{
	PangoAttrList *const list = pango_layout_get_attributes(layout);
	PangoAttrIterator *const at = list != NULL ? pango_attr_list_get_iterator(list) : NULL;
	const bool has =
		at != NULL && pango_attr_iterator_get(at, PANGO_ATTR_FONT_FEATURES) != NULL;
	if (at != NULL)
		pango_attr_iterator_destroy(at);
	return has;
}

static void add_font(struct svg *s, PangoLayout *layout, const struct layout_line *line)
{
	const PangoFontDescription *const d = pango_layout_get_font_description(layout);
	const PangoWeight weight = pango_font_description_get_weight(d);
	const char **const used = arena_calloc(s->arena, line->n + 1, sizeof *used);
	for (size_t i = 0; i < line->n; i++)
		used[i] = svg_fonts_use(s, line->pieces[i].font, line->pieces[i].text)->family;
	svg_attribute(&s->body, "font-size", size_of(d));
	if (weight != PANGO_WEIGHT_NORMAL)
		strbuf_printf(&s->body, " font-weight=\"%d\"", (int)weight);
	if (pango_font_description_get_style(d) != PANGO_STYLE_NORMAL)
		strbuf_add(&s->body, " font-style=\"italic\"");
	strbuf_printf(&s->body, " font-family=\"%s\"",
		      svg_families(s->arena,
				   raster_faces_families(pango_font_description_get_family(d)),
				   used, line->n));
	if (!has_features(layout))
		strbuf_add(&s->body, " class=\"formula\"");
}

/* Sets the anchor: (x, y) is the left end of the line if `along` is 0, and the right end if it is
 * 1. In right-to-left text the line begins at the right end. */
static void add_anchor(struct strbuf *b, double along, bool leftwards)
{
	const double behind = leftwards ? 1 - along : along;
	if (leftwards)
		strbuf_add(b, " direction=\"rtl\"");
	if (behind > 0)
		strbuf_printf(b, " text-anchor=\"%s\"", behind < 1 ? "middle" : "end");
}

static void add_turn(struct strbuf *b, double angle, double x, double y)
{
	strbuf_add(b, " transform=\"rotate(");
	svg_number(b, angle * 180 / G_PI);
	strbuf_add_char(b, ' ');
	svg_number(b, x);
	strbuf_add_char(b, ' ');
	svg_number(b, y);
	strbuf_add(b, ")\"");
}

/* Adds the text; pieces that are raised, lowered or smaller than the line's other letters are
 * elements of their own. */
static void add_pieces(struct svg *s, const struct layout_line *line, double size)
{
	struct strbuf *const b = &s->body;
	double rise = 0;
	for (size_t i = 0; i < line->n; i++) {
		const struct layout_piece *const at = &line->pieces[i];
		const double own = svg_fonts_use(s, at->font, "")->size;
		const bool plain = fabs(own - size) < 0.01, level = fabs(at->rise - rise) < 0.005;
		if (!plain || !level)
			strbuf_add(b, "<tspan");
		if (!level)
			svg_attribute(b, "dy", rise - at->rise);
		if (!plain)
			svg_attribute(b, "font-size", own);
		if (!plain || !level)
			strbuf_add_char(b, '>');
		markup_escape(b, at->text, strlen(at->text));
		if (!plain || !level)
			strbuf_add(b, "</tspan>");
		rise = at->rise;
	}
}

void svg_text(struct device *d, PangoLayout *layout, double align, double x, double y, double angle,
	      uint32_t ink)
{
	struct svg *const s = (struct svg *)d;
	struct strbuf *const b = &s->body;
	const double size = size_of(pango_layout_get_font_description(layout));
	size_t n;
	const struct layout_line *const lines = layout_lines(layout, s->arena, &n);
	svg_smooth(s);
	for (size_t i = 0; i < n; i++) {
		const struct layout_line *const line = &lines[i];
		if (line->text[0] == '\0' || line->width <= 0)
			continue;
		const double across = line->x + align * line->width, down = line->baseline;
		const double at_x = x + across * cos(angle) - down * sin(angle);
		const double at_y = y + across * sin(angle) + down * cos(angle);
		strbuf_add(b, "<text");
		svg_attribute(b, "x", at_x);
		svg_attribute(b, "y", at_y);
		add_font(s, layout, line);
		svg_colour(b, "fill", ink, 1);
		add_anchor(b, align, line->leftwards);
		if (angle != 0)
			add_turn(b, angle, at_x, at_y);
		svg_attribute(b, "textLength", line->width);
		strbuf_add(b, " lengthAdjust=\"spacingAndGlyphs\">");
		add_pieces(s, line, size);
		strbuf_add(b, "</text>\n");
	}
}
