/* raster_text.c: measuring of words, and drawing of all text on a page.
 *
 * The layout of a page measures the same words many times, and finally they are drawn, so measured
 * texts are kept, most of them with their layout. All text is drawn by put_layout or put_lines,
 * which report its boxes, so no text on the page is missing in the report. */
#include "plot/raster_in.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "plot/page_library.h"
#include "plot/layout_lines.h"
#include "posviz/base/isolate.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

/* Layouts take some kilobytes each, so no more are kept than a large page has words. */
enum { BUCKETS = 512, KEPT_LAYOUTS = 1024, PARAGRAPH_LETTERS = 8000 };

void raster_text_size(struct page *p, double type)
{
	if (p->measured == NULL)
		p->measured = arena_calloc(p->arena, BUCKETS, sizeof *p->measured);
	raster_faces_size(p, type);
	for (size_t i = 0; i < FACES_OF_ALL; i++)
		p->line[i] = raster_text_line(p, (enum face)i);
}

double raster_text_line(struct page *p, enum face face)
{
	return raster_text_measure(p, face, "Ag").h;
}

bool raster_text_open(struct page *p, struct err *err)
{
	if (!raster_faces_open(p, err))
		return false;
	p->layout = pango_layout_new(p->context);
	/* The features make digits equally wide, and prevent a multiplication sign in
	 * "1600x1000". */
	p->features = pango_attr_list_new();
	pango_attr_list_insert(p->features, pango_attr_font_features_new("tnum=1, calt=0"));
	return true;
}

static bool letter_or_digit(char c)
{
	return (unsigned char)c < 0x80 && isalnum((unsigned char)c);
}

/* Returns the bytes of at[0..left) that belong to an index marker: one cluster or, if it is a
 * letter or digit, that and the letters and digits after it; a minus may precede these. */
static size_t script_bytes(const char *at, size_t left)
{
	static const char minus[] = "\u2212";
	const size_t size = sizeof minus - 1;
	size_t n = 0;
	if (*at == '-')
		n = 1;
	else if (left >= size && memcmp(at, minus, size) == 0)
		n = size;
	if (n == left || !letter_or_digit(at[n]))
		return n + text_cluster(at + n, left - n);
	while (n < left && letter_or_digit(at[n]))
		n++;
	return n;
}

static void shift_script(PangoAttrList *attrs, bool sub, size_t start, size_t end)
{
	PangoAttribute *const made[] = {
		pango_attr_font_scale_new(sub ? PANGO_FONT_SCALE_SUBSCRIPT
					      : PANGO_FONT_SCALE_SUPERSCRIPT),
		pango_attr_baseline_shift_new(sub ? PANGO_BASELINE_SHIFT_SUBSCRIPT
						  : PANGO_BASELINE_SHIFT_SUPERSCRIPT),
	};
	for (size_t i = 0; i < 2; i++) {
		made[i]->start_index = (guint)start;
		made[i]->end_index = (guint)end;
		pango_attr_list_insert(attrs, made[i]);
	}
}

/* Removes the markers of a formula and adds attributes instead; a group in braces may contain
 * further scripts. */
static void parse_formula(struct strbuf *out, const char *text, size_t len, PangoAttrList *attrs)
{
	bool closes = true; /* false once no closing brace is left */
	for (const char *at = text, *end = text + len; at < end;) {
		if ((*at != '_' && *at != '^') || at + 1 >= end || at[1] == ' ') {
			strbuf_add_char(out, *at++);
			continue;
		}
		const bool sub = *at++ == '_';
		const bool opens = *at == '{' && closes;
		const char *close = opens ? memchr(at, '}', (size_t)(end - at)) : NULL;
		closes = closes && (!opens || close != NULL);
		const char *from = close != NULL ? at + 1 : at;
		const size_t n = close != NULL ? (size_t)(close - from)
					       : script_bytes(at, (size_t)(end - at));
		const size_t start = out->len;
		parse_formula(out, from, n, attrs);
		shift_script(attrs, sub, start, out->len);
		at = from + n + (close != NULL);
	}
}

static void set_text(struct page *p, PangoLayout *layout, enum face face, const char *text,
		     double width)
{
	pango_layout_set_font_description(layout, p->face[face]);
	pango_layout_set_width(layout, width < 0 ? -1 : (int)(width * PANGO_SCALE));
	pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
	pango_layout_set_line_spacing(layout, (float)p->leading);
	/* Each line of a paragraph is shaped from the rest of the text, so a very long text is cut;
	 * no page has room for so many letters. */
	text = width < 0 ? text : text_shorten(p->arena, text, PARAGRAPH_LETTERS, false);
	/* Sentences of the program are written from left to right, whatever words they quote; a text
	 * that its author wrote has the direction of its first letter. */
	pango_layout_set_auto_dir(layout, p->authored);
	text = p->authored ? text : isolate_words(p->arena, text);
	if (!raster_faces_formula(face)) {
		pango_layout_set_attributes(layout, p->features);
		pango_layout_set_text(layout, text, -1);
		return;
	}
	PangoAttrList *attrs = pango_attr_list_new();
	struct strbuf plain;
	strbuf_init(&plain, p->arena);
	parse_formula(&plain, text, strlen(text), attrs);
	pango_layout_set_attributes(layout, attrs);
	pango_attr_list_unref(attrs);
	pango_layout_set_text(layout, plain.at, -1);
}

/* The layout and the measures of a text. */
struct extents {
	PangoLayout *layout; /* NULL: not kept */
	struct size size;
	struct ink ink;
};

/* Puts the text into the layout and measures it. */
static struct extents lay_out(struct page *p, PangoLayout *layout, enum face face, const char *text,
			      double width)
{
	PangoRectangle ink, logical;
	set_text(p, layout, face, text, width);
	pango_layout_get_extents(layout, &ink, &logical);
	const double middle = logical.y + logical.height / 2.0;
	return (struct extents){
		.layout = layout,
		.size = {(double)logical.width / PANGO_SCALE, (double)logical.height / PANGO_SCALE},
		.ink = {(middle - ink.y) / PANGO_SCALE,
			(ink.y + ink.height - middle) / PANGO_SCALE}};
}

/* ---- kept measures --------------------------------------------------------------------------- */

/* Right-to-left text begins at the right end of the width for which it was laid out, so its layout
 * cannot be reused. */
static bool is_ltr(PangoLayout *layout)
{
	for (GSList *at = pango_layout_get_lines_readonly(layout); at != NULL; at = at->next)
		if (pango_layout_line_get_resolved_direction(at->data) != PANGO_DIRECTION_LTR)
			return false;
	return true;
}

/* Measures a text in a layout of its own, which is kept if it can be drawn as it is. */
static struct extents lay_out_kept(struct page *p, enum face face, const char *text, double width)
{
	const bool room = p->kept_layouts < KEPT_LAYOUTS;
	PangoLayout *const layout = room ? pango_layout_new(p->context) : g_object_ref(p->layout);
	struct extents out = lay_out(p, layout, face, text, width);
	if (room && is_ltr(layout))
		p->kept_layouts++;
	else
		g_clear_object(&out.layout);
	return out;
}

/* A text wrapped to a width. A line contains the words that it has room for, so the result is the
 * same for all widths down to that of the longest line. */
struct wrapped {
	double from, to; /* widths with this result */
	struct extents of;
	struct wrapped *next;
};

struct measured {
	enum face face;
	int letters; /* their size, in Pango's units */
	bool authored;
	const char *text;
	struct extents line; /* in one line */
	struct wrapped *wrapped;
	struct measured *next;
};

static struct measured **bucket_of(const struct page *p, enum face face, int letters,
				   const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ull ^ (uint64_t)face ^ (uint64_t)letters << 8;
	for (const char *at = text; *at != '\0'; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3ull;
	return &p->measured[(hash ^ hash >> 32) % BUCKETS];
}

static struct measured *measured_of(struct page *p, enum face face, const char *text)
{
	const int letters = pango_font_description_get_size(p->face[face]);
	struct measured **const bucket = bucket_of(p, face, letters, text), *m = *bucket;
	while (m != NULL && (m->face != face || m->letters != letters ||
			     m->authored != p->authored || strcmp(m->text, text) != 0))
		m = m->next;
	if (m != NULL)
		return m;
	m = arena_calloc(p->arena, 1, sizeof *m);
	*m = (struct measured){.face = face,
			       .letters = letters,
			       .authored = p->authored,
			       .text = arena_strdup(p->arena, text),
			       .line = lay_out_kept(p, face, text, -1),
			       .next = *bucket};
	return *bucket = m;
}

/* Returns the measures in one line if `width` is below 0 or large enough, else those of the wrapped
 * text. */
static struct extents measure(struct page *p, enum face face, const char *text, double width)
{
	struct measured *const m = measured_of(p, face, text);
	if (width < 0 || m->line.size.w <= width)
		return m->line;
	struct wrapped *w = m->wrapped;
	while (w != NULL && (width < w->from || width > w->to))
		w = w->next;
	if (w != NULL)
		return w->of;
	w = arena_calloc(p->arena, 1, sizeof *w);
	*w = (struct wrapped){
		.to = width, .of = lay_out_kept(p, face, text, width), .next = m->wrapped};
	w->from = fmin(w->of.size.w,
		       width); /* with less than a letter's width the text is wider than `width` */
	m->wrapped = w;
	return w->of;
}

/* The same, with a layout that can be drawn. */
static struct extents laid_out(struct page *p, enum face face, const char *text, double width)
{
	const struct extents out = measure(p, face, text, width);
	return out.layout != NULL ? out : lay_out(p, p->layout, face, text, width);
}

static void release_measured(struct page *p)
{
	for (size_t i = 0; p->measured != NULL && i < BUCKETS; i++) {
		for (struct measured *m = p->measured[i]; m != NULL; m = m->next) {
			g_clear_object(&m->line.layout);
			for (struct wrapped *w = m->wrapped; w != NULL; w = w->next)
				g_clear_object(&w->of.layout);
		}
	}
}

struct size raster_text_measure(struct page *p, enum face face, const char *text)
{
	return measure(p, face, text, -1).size;
}

struct ink raster_text_ink(struct page *p, enum face face, const char *text)
{
	return measure(p, face, text, -1).ink;
}

void raster_text_close(struct page *p)
{
	release_measured(p);
	if (p->features != NULL)
		pango_attr_list_unref(p->features);
	if (p->layout != NULL)
		g_object_unref(p->layout);
	raster_faces_close(p);
}

/* ---- drawing ------------------------------------------------------------------------------------ */

static void report_box(struct page *p, struct text_box box)
{
	struct raster_report *r = &p->report;
	if (r->n == p->box_room) {
		p->box_room = p->box_room == 0 ? 256 : 2 * p->box_room;
		struct text_box *wider = arena_calloc(p->arena, p->box_room, sizeof *wider);
		if (r->n > 0)
			memcpy(wider, r->boxes, r->n * sizeof *wider);
		r->boxes = wider;
	}
	r->boxes[r->n++] = box;
}

static void report_glyphs(struct page *p, PangoLayout *layout, const char *text)
{
	const int unknown = pango_layout_get_unknown_glyphs_count(layout);
	if (unknown <= 0)
		return;
	p->report.missing_glyphs += (size_t)unknown;
	if (p->report.missing_sample == NULL)
		p->report.missing_sample = arena_strdup(p->arena, text);
}

/* Words in a panel that is switched off keep their strength, but lose their colour. */
static uint32_t ink_of(const struct page *p, uint32_t ink)
{
	return p->strength < 1 && p->paper == p->theme->paper ? p->theme->second : ink;
}

/* Tells if a text has room at its place. Outside of p->within that is so by the layout. */
static bool has_room(struct page *p, const struct text_box *box)
{
	const struct area *in = p->within;
	if (in == NULL)
		return true;
	struct text_box moved = *box;
	moved.x -= in->x;
	moved.y -= in->y;
	bool free = text_box_inside(&moved, in->w, in->h);
	for (size_t i = 0; i < p->report.n && free; i++)
		free = !text_box_overlap(box, &p->report.boxes[i]);
	p->lost += !free;
	return free;
}

static double letters_of(PangoLayout *layout)
{
	return (double)pango_font_description_get_size(pango_layout_get_font_description(layout)) /
	       PANGO_SCALE;
}

/* Draws a layout with its box's first corner at (x, y). The neighbours of a label may use the parts
 * of its box without ink. */
static void put_layout(struct page *p, uint32_t ink, const struct extents *of, bool label,
		       double align, double x, double y, double angle, const char *text)
{
	ink = ink_of(p, ink);
	const struct text_box box = {
		.x = x,
		.y = y,
		.width = of->size.w,
		.height = of->size.h,
		.free_above = label ? of->size.h / 2 - of->ink.above : 0,
		.free_below = label ? of->size.h / 2 - of->ink.below : 0,
		.angle = angle,
		.letters = letters_of(of->layout),
		.text = arena_strdup(p->arena,
				     isolate_removed(p->arena, pango_layout_get_text(of->layout))),
		.ink = ink,
		.paper = p->paper};
	if (!has_room(p, &box))
		return;
	report_glyphs(p, of->layout, text);
	report_box(p, box);
	p->device->kind->text(p->device, of->layout, align, x, y, angle, ink);
}

void raster_text_put(struct page *p, enum face face, uint32_t ink, double align, double x, double y,
		     const char *text)
{
	if (text[0] == '\0')
		return;
	const struct extents of = laid_out(p, face, text, -1);
	put_layout(p, ink, &of, false, align, x - align * of.size.w, y, 0, text);
}

void raster_text_mid(struct page *p, enum face face, uint32_t ink, double align, double x, double y,
		     const char *text)
{
	if (text[0] == '\0')
		return;
	const struct extents of = laid_out(p, face, text, -1);
	put_layout(p, ink, &of, false, align, x - align * of.size.w, y - of.size.h / 2, 0, text);
}

void raster_text_label(struct page *p, enum face face, uint32_t ink, double align, double x,
		       double y, double angle, const char *text)
{
	if (text[0] == '\0')
		return;
	const struct extents of = laid_out(p, face, text, -1);
	const double back = align * of.size.w, up = of.size.h / 2;
	put_layout(p, ink, &of, true, align, x - back * cos(angle) + up * sin(angle),
		   y - back * sin(angle) - up * cos(angle), angle, text);
}

/* Inserts no-break spaces between a number and its per cent sign, and between σ and its number. */
static const char *glued(struct page *p, const char *text)
{
	static const char sigma[] = "σ";
	const size_t len = sizeof sigma - 1;
	struct strbuf out;
	strbuf_init(&out, p->arena);
	for (const char *at = text; *at != '\0'; at++) {
		const bool after = at >= text + len && memcmp(at - len, sigma, len) == 0;
		if (*at == ' ' && (at[1] == '%' || after))
			strbuf_add(&out, "\u00a0");
		else
			strbuf_add_char(&out, *at);
	}
	return out.at;
}

/* Returns the boxes of the lines of a layout whose first corner is at (x, y). */
static struct text_box *line_boxes(struct page *p, PangoLayout *layout, uint32_t ink, double x,
				   double y, size_t *n)
{
	const struct layout_line *const lines = layout_lines(layout, p->arena, n);
	struct text_box *const out = arena_calloc(p->arena, *n + 1, sizeof *out);
	for (size_t i = 0; i < *n; i++)
		out[i] = (struct text_box){.x = x + lines[i].x,
					   .y = y + lines[i].y,
					   .width = lines[i].width,
					   .height = lines[i].height,
					   .letters = letters_of(layout),
					   .text = isolate_removed(p->arena, lines[i].text),
					   .ink = ink,
					   .paper = p->paper};
	return out;
}

/* Draws all lines, or none if one of them has no room. */
static void put_lines(struct page *p, PangoLayout *layout, uint32_t ink, double x, double y,
		      const char *text)
{
	size_t n;
	const struct text_box *boxes = line_boxes(p, layout, ink_of(p, ink), x, y, &n);
	for (size_t i = 0; i < n; i++)
		if (!has_room(p, &boxes[i]))
			return;
	p->lost += pango_layout_is_ellipsized(layout);
	report_glyphs(p, layout, text);
	for (size_t i = 0; i < n; i++)
		report_box(p, boxes[i]);
	p->device->kind->text(p->device, layout, 0, x, y, 0, ink_of(p, ink));
}

double raster_text_wrap(struct page *p, enum face face, uint32_t ink, struct area at, bool draw,
			const char *text)
{
	if (text[0] == '\0')
		return 0;
	const char *const shown = glued(p, text);
	const double width = fmax(at.w, 0);
	if (!draw)
		return measure(p, face, shown, width).size.h;
	/* Text that does not fit ends with an ellipsis. Formulas are excepted, because Pango
	 * complains about an ellipsis in an index. */
	const bool cut = p->within != NULL && face != FACE_FORMULA;
	if (cut) {
		const double room = fmax(0, p->within->y + p->within->h - at.y);
		pango_layout_set_ellipsize(p->layout, PANGO_ELLIPSIZE_END);
		pango_layout_set_height(p->layout, (int)(room * PANGO_SCALE));
	}
	const struct extents of =
		cut ? lay_out(p, p->layout, face, shown, width) : laid_out(p, face, shown, width);
	put_lines(p, of.layout, ink, at.x, at.y, text);
	pango_layout_set_ellipsize(p->layout, PANGO_ELLIPSIZE_NONE);
	return of.size.h;
}

const char *raster_text_fit(struct page *p, enum face face, const char *text, double width)
{
	double wide = raster_text_measure(p, face, text).w;
	size_t columns = text_width(text);
	const char *fitted = text;
	width = fmax(width, 0);
	while (wide > width && columns > 1) {
		const size_t guess = (size_t)((double)columns * width / wide);
		columns = guess < columns ? (guess > 1 ? guess : 1) : columns - 1;
		fitted = text_shorten(p->arena, text, columns, false);
		wide = raster_text_measure(p, face, fitted).w;
	}
	return fitted;
}
