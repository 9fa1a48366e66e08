/* device_svg.c: pages as SVG whose elements can be edited: words are text, cells are rectangles,
 * panels are groups with names. Files contain no date: the same input gives the same bytes. */
#include "plot/svg.h"

#include <math.h>
#include <string.h>

#include "plot/page_library.h"

static struct svg *of(struct device *d)
{
	return (struct svg *)d;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static bool is_defined(const struct svg *s, const char *id)
{
	for (size_t i = 0; i < s->n_ids; i++)
		if (strcmp(s->ids[i], id) == 0)
			return true;
	return false;
}

static void remember(struct svg *s, const char *id)
{
	if (s->n_ids == s->id_room) {
		s->id_room = s->id_room == 0 ? 16 : 2 * s->id_room;
		const char **const wider = arena_calloc(s->arena, s->id_room, sizeof *wider);
		if (s->n_ids > 0)
			memcpy(wider, s->ids, s->n_ids * sizeof *wider);
		s->ids = wider;
	}
	s->ids[s->n_ids++] = id;
}

/* Writes an element that others refer to by the id returned. The id is a hash of the content, so if
 * several files are parts of one document, equal ids belong to equal elements. */
static const char *define(struct svg *s, const char *element, const char *attributes,
			  const char *content)
{
	uint32_t hash = 0x811c9dc5;
	const char *const parts[] = {element, attributes, content};
	for (size_t i = 0; i < 3; i++)
		for (const char *at = parts[i]; *at != '\0'; at++)
			hash = (hash ^ (unsigned char)*at) * 0x01000193;
	const char *const id = arena_printf(s->arena, "%s-%08x", element, (unsigned)hash);
	if (is_defined(s, id))
		return id;
	remember(s, id);
	strbuf_printf(&s->body, "<%s id=\"%s\"%s>%s</%s>\n", element, id, attributes, content,
		      element);
	return id;
}

/* ---- shapes ------------------------------------------------------------------------------------- */

void svg_smooth(struct svg *s)
{
	if (s->crisp)
		strbuf_add(&s->body, "</g>\n");
	s->crisp = false;
}

static void set_crisp(struct svg *s, bool crisp)
{
	if (crisp && !s->crisp)
		strbuf_add(&s->body, "<g shape-rendering=\"crispEdges\">\n");
	else if (!crisp)
		svg_smooth(s);
	s->crisp = crisp;
}

/* A straight line has no inside, so needs no fill="none". */
static bool is_line(const struct path *path)
{
	return path->n == 2 && path->steps[1].kind == PATH_LINE;
}

static void add_style(struct strbuf *b, const struct path *path, const struct style *s)
{
	if (s->fills)
		svg_colour(b, "fill", s->fill, s->fill_alpha);
	else if (!is_line(path))
		strbuf_add(b, " fill=\"none\"");
	if (!s->strokes)
		return;
	svg_colour(b, "stroke", s->stroke, s->stroke_alpha);
	if (s->width != 1)
		svg_attribute(b, "stroke-width", s->width);
	if (s->round)
		strbuf_add(b, " stroke-linejoin=\"round\"");
	if (s->dash[0] + s->dash[1] > 0) {
		strbuf_add(b, " stroke-dasharray=\"");
		svg_number(b, s->dash[0]);
		strbuf_add_char(b, ' ');
		svg_number(b, s->dash[1]);
		strbuf_add_char(b, '"');
	}
}

static void add_area(struct strbuf *b, struct area a)
{
	svg_attribute(b, "x", a.x);
	svg_attribute(b, "y", a.y);
	svg_attribute(b, "width", a.w);
	svg_attribute(b, "height", a.h);
}

static void add_rect(struct strbuf *b, const double *at)
{
	strbuf_add(b, "<rect");
	add_area(b, (struct area){at[0], at[1], at[2], at[3]});
}

static bool are_rects(const struct path *path)
{
	size_t n = 0;
	while (n < path->n && path->steps[n].kind == PATH_RECT)
		n++;
	return n == path->n;
}

static void draw_rects(struct strbuf *b, const struct path *path, const struct style *style)
{
	strbuf_add(b, "<g");
	add_style(b, path, style);
	strbuf_add(b, ">");
	for (size_t i = 0; i < path->n; i++) {
		add_rect(b, path->steps[i].at);
		strbuf_add(b, "/>");
	}
	strbuf_add(b, "</g>\n");
}

static void draw(struct device *d, const struct path *path, const struct style *style)
{
	struct strbuf *const b = &of(d)->body;
	if (path->n == 0)
		return;
	set_crisp(of(d), style->crisp);
	if (path->n > 1 && are_rects(path)) {
		draw_rects(b, path, style);
		return;
	}
	const double *const at = path->steps[0].at;
	if (path->n == 1 && path->steps[0].kind == PATH_RECT) {
		add_rect(b, at);
	} else if (path->n == 1 && path->steps[0].kind == PATH_CIRCLE) {
		strbuf_add(b, "<circle");
		svg_attribute(b, "cx", at[0]);
		svg_attribute(b, "cy", at[1]);
		svg_attribute(b, "r", at[2]);
	} else {
		strbuf_add(b, "<path");
		svg_path(b, path);
	}
	add_style(b, path, style);
	strbuf_add(b, "/>\n");
}

/* ---- colours ------------------------------------------------------------------------------------ */

/* Tells if a gradient from stop `from` to stop `to` gives the colours between, up to rounding. */
static bool is_between(const uint32_t *colours, size_t from, size_t to)
{
	for (size_t i = from + 1; i < to; i++) {
		const double t = (double)(i - from) / (double)(to - from);
		for (int shift = 0; shift <= 16; shift += 8) {
			const double a = colours[from] >> shift & 255,
				     b = colours[to] >> shift & 255;
			if (fabs(a + (b - a) * t - (colours[i] >> shift & 255)) > 1)
				return false;
		}
	}
	return true;
}

static void add_stop(struct strbuf *b, double at, uint32_t rgb)
{
	/* The offset has four decimals, as a percentage with two. */
	strbuf_add(b, "<stop offset=\"");
	svg_number(b, 100 * at);
	strbuf_add(b, "%\"");
	svg_colour(b, "stop-color", rgb, 1);
	strbuf_add(b, "/>");
}

/* Draws a gradient through the middles of the stripes, with as few stops as possible. */
static void stripes(struct device *d, struct area at, const uint32_t *colours, size_t n,
		    bool upright)
{
	struct svg *const s = of(d);
	struct strbuf stops;
	strbuf_init(&stops, s->arena);
	for (size_t i = 0; i < n;) {
		size_t next = i + 1;
		add_stop(&stops, ((double)i + 0.5) / (double)n, colours[i]);
		while (next + 1 < n && is_between(colours, i, next + 1))
			next++;
		i = next;
	}
	svg_smooth(s);
	const char *const id =
		define(s, "linearGradient", upright ? " x2=\"0\" y1=\"1\" y2=\"0\"" : "", stops.at);
	strbuf_add(&s->body, "<rect");
	add_area(&s->body, at);
	strbuf_printf(&s->body, " fill=\"url(#%s)\"/>\n", id);
}

static void image(struct device *d, struct area at, const uint32_t *pixels, size_t w, size_t h)
{
	struct svg *const s = of(d);
	struct strbuf png;
	strbuf_init(&png, s->arena);
	device_png(pixels, w, h, &png);
	char *const text = g_base64_encode((const guchar *)png.at, png.len);
	svg_smooth(s);
	s->images = true;
	strbuf_add(&s->body, "<image");
	add_area(&s->body, at);
	/* Pixels stay squares: one attribute for SVG 1.1, one property for browsers. */
	strbuf_add(&s->body, " preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" "
			     "style=\"image-rendering:pixelated\" "
			     "xlink:href=\"data:image/png;base64,");
	strbuf_add(&s->body, text);
	strbuf_add(&s->body, "\"/>\n");
	g_free(text);
}

/* ---- groups ------------------------------------------------------------------------------------- */

/* Opens a group; the caller appends attributes and then calls opened(). */
static struct strbuf *open_group(struct svg *s)
{
	svg_smooth(s);
	BUG_IF(s->depth == SVG_DEEP);
	s->open[s->depth++].from = s->body.len;
	strbuf_add(&s->body, "<g");
	return &s->body;
}

static void opened(struct svg *s)
{
	strbuf_add(&s->body, ">\n");
	s->open[s->depth - 1].to = s->body.len;
}

static void clip(struct device *d, struct area to)
{
	struct svg *const s = of(d);
	struct strbuf rect;
	strbuf_init(&rect, s->arena);
	strbuf_add(&rect, "<rect");
	add_area(&rect, to);
	strbuf_add(&rect, "/>");
	svg_smooth(s);
	const char *const id = define(s, "clipPath", "", rect.at);
	strbuf_printf(open_group(s), " clip-path=\"url(#%s)\"", id);
	opened(s);
}

static void fade(struct device *d, double alpha)
{
	svg_attribute(open_group(of(d)), "opacity", alpha);
	opened(of(d));
}

static void part(struct device *d, const char *id, const char *name)
{
	struct svg *const s = of(d);
	strbuf_printf(open_group(s), " id=\"%s\" role=\"group\"", id);
	if (name[0] != '\0') {
		strbuf_add(&s->body, " aria-label=\"");
		markup_escape(&s->body, name, strlen(name));
		strbuf_add_char(&s->body, '"');
	}
	opened(s);
}

static void place(struct device *d, double x, double y)
{
	struct svg *const s = of(d);
	strbuf_add(open_group(s), " transform=\"translate(");
	svg_number(&s->body, x);
	strbuf_add_char(&s->body, ' ');
	svg_number(&s->body, y);
	strbuf_add(&s->body, ")\"");
	opened(s);
}

static void end(struct device *d)
{
	struct svg *const s = of(d);
	svg_smooth(s);
	BUG_IF(s->depth == 0);
	s->depth--;
	if (s->body.len > s->open[s->depth].to) {
		strbuf_add(&s->body, "</g>\n");
		return;
	}
	/* The group is empty, so its tag is removed. */
	s->body.len = s->open[s->depth].from;
	s->body.at[s->body.len] = '\0';
}

/* ---- the file ----------------------------------------------------------------------------------- */

static void add_element(struct strbuf *b, const char *name, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	strbuf_printf(b, "<%s>", name);
	markup_escape(b, text, strlen(text));
	strbuf_printf(b, "</%s>\n", name);
}

/* Title and command follow the root's tag, where viewers look for them. */
static void write_file(struct svg *s, const char *faces)
{
	struct strbuf *const b = s->out;
	strbuf_add(
		b,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"");
	if (s->images)
		strbuf_add(b, " xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
	svg_attribute(b, "width", s->width);
	svg_attribute(b, "height", s->height);
	strbuf_add(b, " viewBox=\"0 0 ");
	svg_number(b, s->width);
	strbuf_add_char(b, ' ');
	svg_number(b, s->height);
	strbuf_add_char(b, '"');
	strbuf_add(
		b,
		" class=\"posviz\" stroke-miterlimit=\"10\" text-rendering=\"geometricPrecision\" "
		"xml:space=\"preserve\">\n");
	add_element(b, "title", s->figure->title);
	add_element(b, "desc", s->figure->command);
	/* The style keeps digits equally wide, "1600x1000" without a multiplication sign, and
	 * blanks as they are; for old viewers xml:space of the root does the last. */
	strbuf_printf(
		b,
		"<style>%s.posviz text{white-space:pre;font-feature-settings:\"tnum\",\"calt\" 0}"
		".posviz .formula{font-feature-settings:normal}</style>\n",
		faces);
	strbuf_add_n(b, s->body.at, s->body.len);
	strbuf_add(b, "</svg>\n");
}

static bool close_device(struct device *d, struct err *err)
{
	struct svg *const s = of(d);
	struct strbuf faces;
	strbuf_init(&faces, s->arena);
	svg_smooth(s);
	const bool good = !s->embedded || svg_fonts_embed(s, &faces, err);
	if (good)
		write_file(s, faces.at);
	svg_fonts_release(s);
	return good;
}

static const struct device_kind kind = {
	.draw = draw,
	.stripes = stripes,
	.image = image,
	.text = svg_text,
	.clip = clip,
	.fade = fade,
	.part = part,
	.place = place,
	.end = end,
	.close = close_device,
};

struct device *device_svg(struct arena *a, double width, double height, const struct figure *f,
			  bool embedded, struct strbuf *out)
{
	struct svg *const s = arena_calloc(a, 1, sizeof *s);
	*s = (struct svg){.base = {.kind = &kind, .vector = true, .most_cells = 1024},
			  .arena = a,
			  .figure = f,
			  .width = width,
			  .height = height,
			  .embedded = embedded,
			  .out = out};
	strbuf_init(&s->body, a);
	return &s->base;
}
