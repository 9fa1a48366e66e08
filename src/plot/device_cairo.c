/* device_cairo.c: pages as pixels and as PDF, by cairo, which is used for drawing in this file
 * only. Files contain no date: the same input gives the same bytes. */
#include "plot/device.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/page_library.h"
#include "posviz/base/portable.h"

enum { DEEP = 16, OUTLINE_DEEP = 4 };

struct cairo_device {
	struct device base;
	cairo_t *cr;
	cairo_surface_t *surface;
	/* the open groups from the outermost inwards: true for fades, false for clips and parts */
	bool fades[DEEP];
	double alpha[DEEP];
	size_t depth;
	int outline[OUTLINE_DEEP]; /* the last line of the outline at each depth */
	size_t page;		   /* number of the page in a file of pages, from 1 */
	struct arena *arena;
	struct image *out; /* NULL: output is a file */
};

static struct cairo_device *of(struct device *d)
{
	return (struct cairo_device *)d;
}

static void set_colour(cairo_t *cr, uint32_t rgb, double alpha)
{
	cairo_set_source_rgba(cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
			      (rgb & 255) / 255.0, alpha);
}

/* ---- paths -------------------------------------------------------------------------------------- */

static void add_step(cairo_t *cr, const struct path_step *s)
{
	const double *const at = s->at;
	switch (s->kind) {
	case PATH_MOVE:
		cairo_move_to(cr, at[0], at[1]);
		break;
	case PATH_LINE:
		cairo_line_to(cr, at[0], at[1]);
		break;
	case PATH_CURVE:
		cairo_curve_to(cr, at[0], at[1], at[2], at[3], at[4], at[5]);
		break;
	case PATH_CLOSE:
		cairo_close_path(cr);
		break;
	case PATH_RECT:
		cairo_rectangle(cr, at[0], at[1], at[2], at[3]);
		break;
	case PATH_CIRCLE:
		cairo_new_sub_path(cr);
		cairo_arc(cr, at[0], at[1], at[2], 0, 2 * G_PI);
		break;
	}
}

static void draw(struct device *d, const struct path *path, const struct style *s)
{
	cairo_t *const cr = of(d)->cr;
	cairo_new_path(cr);
	for (size_t i = 0; i < path->n; i++)
		add_step(cr, &path->steps[i]);
	cairo_set_antialias(cr, s->crisp ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
	if (s->fills) {
		set_colour(cr, s->fill, s->fill_alpha);
		cairo_fill_preserve(cr);
	}
	if (s->strokes) {
		set_colour(cr, s->stroke, s->stroke_alpha);
		cairo_set_line_width(cr, s->width);
		cairo_set_line_join(cr, s->round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
		cairo_set_dash(cr, s->dash, s->dash[0] + s->dash[1] > 0 ? 2 : 0, 0);
		cairo_stroke_preserve(cr);
	}
	cairo_new_path(cr);
	cairo_set_antialias(cr, CAIRO_ANTIALIAS_DEFAULT); /* clips use this setting too */
}

static void stripes(struct device *d, struct area at, const uint32_t *colours, size_t n,
		    bool upright)
{
	const double length = upright ? at.h : at.w;
	for (size_t i = 0; i < n; i++) {
		const double from = round(length * (double)i / (double)n);
		const double size = round(length * (double)(i + 1) / (double)n) - from;
		struct path path = path_new(of(d)->arena);
		path_rect(&path,
			  upright ? (struct area){at.x, at.y + at.h - from - size, at.w, size}
				  : (struct area){at.x + from, at.y, size, at.h});
		draw(d, &path,
		     &(struct style){
			     .fills = true, .fill = colours[i], .fill_alpha = 1, .crisp = true});
	}
}

/* ---- images, text ------------------------------------------------------------------------------- */

/* Returns a copy of the pixels [h, w]. */
static cairo_surface_t *surface_of(const uint32_t *pixels, size_t w, size_t h)
{
	cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)w, (int)h);
	cairo_surface_flush(s);
	unsigned char *const data = cairo_image_surface_get_data(s);
	const size_t stride = (size_t)cairo_image_surface_get_stride(s);
	for (size_t y = 0; data != NULL && y < h; y++)
		memcpy(data + y * stride, pixels + y * w, w * sizeof *pixels);
	cairo_surface_mark_dirty(s);
	return s;
}

static void draw_image(struct device *d, struct area at, const uint32_t *pixels, size_t w, size_t h)
{
	cairo_t *const cr = of(d)->cr;
	cairo_surface_t *const s = surface_of(pixels, w, h);
	cairo_save(cr);
	cairo_translate(cr, at.x, at.y);
	cairo_scale(cr, at.w / (double)w, at.h / (double)h);
	cairo_set_source_surface(cr, s, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
	cairo_paint(cr);
	cairo_restore(cr);
	cairo_surface_destroy(s);
}

static void draw_text(struct device *d, PangoLayout *layout, double align, double x, double y,
		      double angle, uint32_t ink)
{
	(void)align; /* cairo draws these very glyphs */
	cairo_t *const cr = of(d)->cr;
	cairo_save(cr);
	cairo_translate(cr, x, y);
	cairo_rotate(cr, angle);
	cairo_move_to(cr, 0, 0);
	set_colour(cr, ink, 1);
	pango_cairo_show_layout(cr, layout);
	cairo_restore(cr);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void begin(struct cairo_device *c, bool fades, double alpha)
{
	BUG_IF(c->depth == DEEP);
	c->fades[c->depth] = fades;
	c->alpha[c->depth++] = alpha;
	cairo_save(c->cr);
}

static void clip(struct device *d, struct area to)
{
	begin(of(d), false, 1);
	cairo_rectangle(of(d)->cr, to.x, to.y, to.w, to.h);
	cairo_clip(of(d)->cr);
}

static void fade(struct device *d, double alpha)
{
	begin(of(d), true, alpha);
	cairo_push_group(of(d)->cr);
}

static void part(struct device *d, const char *id, const char *name)
{
	(void)id;
	(void)name; /* neither PNG nor PDF can store them */
	begin(of(d), false, 1);
}

static void place(struct device *d, double x, double y)
{
	begin(of(d), false, 1);
	cairo_translate(of(d)->cr, x, y);
}

static void end(struct device *d)
{
	struct cairo_device *const c = of(d);
	BUG_IF(c->depth == 0);
	c->depth--;
	if (c->fades[c->depth]) {
		cairo_pop_group_to_source(c->cr);
		cairo_paint_with_alpha(c->cr, c->alpha[c->depth]);
	}
	cairo_restore(c->cr);
}

/* ---- files of several pages ---------------------------------------------------------------------- */

/* Links lead to a page by its name, because the number of a later page is not known yet. Cairo
 * forgets a destination once something covers the whole page, so a page gets its name at its
 * end. */
static void name_page(struct cairo_device *c)
{
	char name[64];
	snprintf(name, sizeof name, "name='page-%zu' x=0 y=0", ++c->page);
	cairo_tag_begin(c->cr, CAIRO_TAG_DEST, name);
	cairo_tag_end(c->cr, CAIRO_TAG_DEST);
}

static void next_page(struct device *d)
{
	BUG_IF(of(d)->depth > 0);
	name_page(of(d));
	cairo_show_page(of(d)->cr);
}

/* Cairo wants the area in points, whatever scale the page has. */
static void link_area(struct device *d, struct area at, size_t page)
{
	cairo_t *const cr = of(d)->cr;
	char where[200];
	double x = at.x, y = at.y, w = at.w, h = at.h;
	cairo_user_to_device(cr, &x, &y);
	cairo_user_to_device_distance(cr, &w, &h);
	snprintf(where, sizeof where, "rect=[%.3f %.3f %.3f %.3f] dest='page-%zu'", x, y, w, h,
		 page);
	cairo_tag_begin(cr, CAIRO_TAG_LINK, where);
	cairo_tag_end(cr, CAIRO_TAG_LINK);
}

static void outline(struct device *d, size_t depth, const char *name, size_t page)
{
	struct cairo_device *const c = of(d);
	char where[64];
	BUG_IF(depth >= OUTLINE_DEEP);
	snprintf(where, sizeof where, "page=%zu pos=[0 0]", page);
	c->outline[depth] = cairo_pdf_surface_add_outline(
		c->surface, depth == 0 ? CAIRO_PDF_OUTLINE_ROOT : c->outline[depth - 1], name,
		where, depth == 0 ? CAIRO_PDF_OUTLINE_FLAG_OPEN : 0);
}

/* ---- opening and closing ------------------------------------------------------------------------ */

/* Writes four bytes at a time, of which the next pixel overwrites the fourth. `to` may be `from`, or
 * lie before it. */
static void pack_row(uint8_t *to, const unsigned char *from, size_t n)
{
	uint32_t rgb;
	for (size_t x = 0; x < n; x++) {
		memcpy(&rgb, from + 4 * x, 4);
		rgb = htonl(rgb << 8);
		memcpy(to + 3 * x, &rgb, x + 1 < n ? 4 : 3);
	}
}

/* The picture takes the place of the surface's pixels: new pages of memory cost more than this. */
static void take_pixels(struct cairo_device *c)
{
	cairo_surface_flush(c->surface);
	unsigned char *const data = cairo_image_surface_get_data(c->surface);
	const size_t stride = (size_t)cairo_image_surface_get_stride(c->surface);
	const struct image out = {cairo_image_surface_get_width(c->surface),
				  cairo_image_surface_get_height(c->surface), data};
	for (size_t y = 0; y < (size_t)out.height; y++)
		pack_row(out.rgb + y * (size_t)out.width * 3, data + y * stride, (size_t)out.width);
	*c->out = out;
}

static bool close_device(struct device *d, struct err *err)
{
	struct cairo_device *const c = of(d);
	if (c->page > 0)
		name_page(c);
	if (c->out == NULL)
		cairo_show_page(c->cr);
	const cairo_status_t status = cairo_status(c->cr);
	cairo_destroy(c->cr);
	if (c->out == NULL)
		cairo_surface_finish(c->surface);
	else if (status == CAIRO_STATUS_SUCCESS)
		take_pixels(c);
	cairo_surface_destroy(c->surface);
	return status == CAIRO_STATUS_SUCCESS ||
	       err_set(err, "cannot draw the figure: %s", cairo_status_to_string(status));
}

static const struct device_kind kind = {
	.draw = draw,
	.stripes = stripes,
	.image = draw_image,
	.text = draw_text,
	.clip = clip,
	.fade = fade,
	.part = part,
	.place = place,
	.end = end,
	.close = close_device,
};

static const struct device_kind kind_of_pages = {
	.draw = draw,
	.stripes = stripes,
	.image = draw_image,
	.text = draw_text,
	.clip = clip,
	.fade = fade,
	.part = part,
	.place = place,
	.end = end,
	.next_page = next_page,
	.link = link_area,
	.outline = outline,
	.close = close_device,
};

static struct cairo_device *open_device(struct arena *a, cairo_surface_t *surface)
{
	struct cairo_device *const c = arena_calloc(a, 1, sizeof *c);
	*c = (struct cairo_device){.base = {.kind = &kind},
				   .cr = cairo_create(surface),
				   .surface = surface,
				   .arena = a};
	return c;
}

/* Returns zeros in large pages of memory, if the system has them: they begin at multiples of their
 * size. */
static unsigned char *black_pixels(struct arena *a, size_t size)
{
	enum { LARGE_PAGE = 2 << 20 };
	const size_t beside = size < LARGE_PAGE ? 0 : LARGE_PAGE - 1;
	unsigned char *const at = arena_alloc(a, size + beside);
	unsigned char *const from = at + (beside & -(uintptr_t)at);
	portable_large_pages(from, size);
	return memset(from, 0, size);
}

struct device *device_pixels(struct arena *a, int width, int height, double scale,
			     struct image *out)
{
	const int stride = cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, width);
	unsigned char *const pixels = black_pixels(a, (size_t)height * (size_t)stride);
	struct cairo_device *const c =
		open_device(a, cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_RGB24,
								   width, height, stride));
	cairo_scale(c->cr, scale, scale);
	c->out = out;
	return &c->base;
}

static cairo_status_t append(void *closure, const unsigned char *data, unsigned int length)
{
	strbuf_add_n(closure, (const char *)data, length);
	return CAIRO_STATUS_SUCCESS;
}

static void set_metadata(cairo_surface_t *surface, const struct device_words *words)
{
	const struct {
		cairo_pdf_metadata_t field;
		const char *text;
	} rows[] = {
		{CAIRO_PDF_METADATA_TITLE, words->title},
		{CAIRO_PDF_METADATA_AUTHOR, words->author},
		{CAIRO_PDF_METADATA_SUBJECT, words->subject},
		{CAIRO_PDF_METADATA_CREATOR, words->creator},
		/* The empty date removes the field, as the output must not depend on the clock. */
		{CAIRO_PDF_METADATA_CREATE_DATE, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].text != NULL)
			cairo_pdf_surface_set_metadata(surface, rows[i].field, rows[i].text);
}

struct device *device_pdf(struct arena *a, double width, double height, double points,
			  const struct device_words *words, struct strbuf *out)
{
	cairo_surface_t *const surface =
		cairo_pdf_surface_create_for_stream(append, out, width * points, height * points);
	set_metadata(surface, words);
	struct cairo_device *const c = open_device(a, surface);
	c->base.kind = &kind_of_pages;
	cairo_scale(c->cr, points, points);
	c->base.vector = true;
	return &c->base;
}

void device_png(const uint32_t *pixels, size_t w, size_t h, struct strbuf *out)
{
	cairo_surface_t *const s = surface_of(pixels, w, h);
	cairo_surface_write_to_png_stream(s, append, out);
	cairo_surface_destroy(s);
}
