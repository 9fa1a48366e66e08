/* svg_text.c: words in an SVG: one element for each line, as long as it was measured, whatever font a
 * viewer finds. */
#include "plot/svg.h"

#include <math.h>
#include <string.h>

#include "plot/layout_lines.h"

static double size_of(const PangoFontDescription *d)
{
	return (double)pango_font_description_get_size(d) / PANGO_SCALE;
}

/* Formulas are laid out without the features of other text. */
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

/* The line's first letter stands at (x, y), on its baseline. */
static void open_text(struct svg *s, PangoLayout *layout, const struct layout_line *line, double x,
		      double y, double angle, uint32_t ink)
{
	const PangoFontDescription *const d = pango_layout_get_font_description(layout);
	const char **const used = arena_calloc(s->arena, line->n + 1, sizeof *used);
	struct strbuf *const b = &s->body;
	const PangoWeight weight = pango_font_description_get_weight(d);
	for (size_t i = 0; i < line->n; i++)
		used[i] = svg_fonts_use(s, line->pieces[i].font, line->pieces[i].text)->family;
	strbuf_add(b, "<text");
	svg_attribute(b, "x", x);
	svg_attribute(b, "y", y);
	svg_attribute(b, "font-size", size_of(d));
	if (weight != PANGO_WEIGHT_NORMAL)
		strbuf_printf(b, " font-weight=\"%d\"", (int)weight);
	if (pango_font_description_get_style(d) != PANGO_STYLE_NORMAL)
		strbuf_add(b, " font-style=\"italic\"");
	strbuf_printf(b, " font-family=\"%s\"",
		      svg_families(s->arena, pango_font_description_get_family(d), used, line->n));
	svg_colour(b, "fill", ink, 1);
	if (!has_features(layout))
		strbuf_add(b, " class=\"formula\"");
	if (line->leftwards)
		strbuf_add(b, " direction=\"rtl\" text-anchor=\"end\"");
	if (angle != 0) {
		strbuf_add(b, " transform=\"rotate(");
		svg_number(b, angle * 180 / G_PI);
		strbuf_add_char(b, ' ');
		svg_number(b, x);
		strbuf_add_char(b, ' ');
		svg_number(b, y);
		strbuf_add(b, ")\"");
	}
	svg_attribute(b, "textLength", line->width);
	strbuf_add(b, " lengthAdjust=\"spacingAndGlyphs\">");
}

/* What is raised, lowered or smaller than the line's other letters is an element in it. */
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
		svg_escape(b, at->text, strlen(at->text));
		if (!plain || !level)
			strbuf_add(b, "</tspan>");
		rise = at->rise;
	}
}

void svg_text(struct device *d, PangoLayout *layout, double x, double y, double angle, uint32_t ink)
{
	struct svg *const s = (struct svg *)d;
	const double size = size_of(pango_layout_get_font_description(layout));
	size_t n;
	const struct layout_line *const lines = layout_lines(layout, s->arena, &n);
	svg_smooth(s);
	for (size_t i = 0; i < n; i++) {
		const struct layout_line *const line = &lines[i];
		if (line->text[0] == '\0' || line->width <= 0)
			continue;
		open_text(s, layout, line, x + line->x * cos(angle) - line->baseline * sin(angle),
			  y + line->x * sin(angle) + line->baseline * cos(angle), angle, ink);
		add_pieces(s, line, size);
		strbuf_add(&s->body, "</text>\n");
	}
}
