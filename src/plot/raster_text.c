/* raster_text.c: fonts, measuring, and every letter on a page.
 *
 * Laying a page out measures the same words again and again, and at last they are drawn: what was
 * measured is kept, and most of it as it was laid out. Whatever is drawn goes
 * through put_layout or put_lines, which report its boxes: what is not in the report is not on the page. The
 * font options are fixed (grey antialiasing, no hinting), so that the same input gives the same
 * bytes. */
#include "plot/raster_in.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "plot/layout_lines.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"

static const struct {
	const char *families; /* the first that is there is taken */
	double size;	      /* pixels at type 1, */
	double more;	      /* and points more than the labels where their size was asked for */
	PangoWeight weight;
	bool italic, formula; /* formula: understands _x ^x _{..} ^{..} */
} faces[FACE_COUNT] = {
	[FACE_TITLE] = {"Inter,DejaVu Sans,sans-serif", 28, 4, PANGO_WEIGHT_BOLD},
	[FACE_HEAD] = {"Inter,DejaVu Sans,sans-serif", 18, 1, PANGO_WEIGHT_BOLD},
	[FACE_TEXT] = {"Inter,DejaVu Sans,sans-serif", 14, 0, PANGO_WEIGHT_NORMAL},
	[FACE_BOLD] = {"Inter,DejaVu Sans,sans-serif", 14, 0, PANGO_WEIGHT_SEMIBOLD},
	[FACE_FORMULA] = {"DejaVu Serif,serif", 19, 1, PANGO_WEIGHT_NORMAL, false, true},
	[FACE_MATH] = {"DejaVu Serif,serif", 19, 1, PANGO_WEIGHT_NORMAL, true, true},
	[FACE_NAME] = {"Inter,DejaVu Sans,sans-serif", 18, 1, PANGO_WEIGHT_BOLD, false, true},
	[FACE_LETTER] = {"Inter,DejaVu Sans,sans-serif", 20, 2, PANGO_WEIGHT_BOLD},
};

static const double small_title = 20.0 / 24; /* on a page without room for a large one */

/* Layouts take some kilobytes each: no more than the words of a large page are kept. */
enum { BUCKETS = 512, KEPT_LAYOUTS = 1024 };

static const double point = 96.0 / 72; /* in units of a page whose labels have a given size */

double raster_text_first(const struct page *p)
{
	const double fits = fmin(p->width / USUAL_W, p->height / USUAL_H);
	return p->given > 0 ? p->given / faces[FACE_TEXT].size : fmax(fits, LEAST_TYPE);
}

double raster_text_last(const struct page *p)
{
	return p->given > 0 ? raster_text_first(p) : LEAST_TYPE;
}

static double size_of(const struct page *p, enum face face, double type)
{
	const double size = faces[face].size * (face == FACE_TITLE && p->compact ? small_title : 1);
	return p->given > 0 ? p->given + faces[face].more * point : round(size * type * 4) / 4;
}

/* Its families: where the first is there it alone, for what it has not comes from the same fonts then, and
 * Pango, which asks for each font that it took once more by its name, has it found already. One that was
 * asked for stands before the usual, which is there for what that has not. */
static const char *families_of(const struct page *p, enum face face)
{
	const char *const usual = faces[face].families;
	const bool asked = p->font != NULL && strncmp(usual, "Inter", strlen("Inter")) == 0;
	if (asked)
		return arena_printf(p->arena, "%s,%s", p->font, usual);
	const char *const first = arena_strndup(p->arena, usual, strcspn(usual, ","));
	return raster_fonts_have(first) ? first : usual;
}

const char *raster_text_families(const char *taken)
{
	const size_t len = strlen(taken);
	for (size_t i = 0; i < FACE_COUNT; i++)
		if (strncmp(faces[i].families, taken, len) == 0 && faces[i].families[len] == ',')
			return faces[i].families;
	return taken;
}

static PangoFontDescription *face_of(const struct page *p, enum face face)
{
	PangoFontDescription *const out = pango_font_description_new();
	pango_font_description_set_family_static(out, families_of(p, face));
	pango_font_description_set_weight(out, faces[face].weight);
	if (faces[face].italic)
		pango_font_description_set_style(out, PANGO_STYLE_ITALIC);
	return out;
}

static void set_letters(const struct page *p, PangoFontDescription *to, enum face face, double type)
{
	pango_font_description_set_absolute_size(to, size_of(p, face, type) * PANGO_SCALE);
}

void raster_text_size(struct page *p, double type)
{
	p->type = type;
	if (p->measured == NULL)
		p->measured = arena_calloc(p->arena, BUCKETS, sizeof *p->measured);
	for (size_t i = 0; i < FACE_COUNT; i++) {
		if (p->face[i] == NULL)
			p->face[i] = face_of(p, (enum face)i);
		set_letters(p, p->face[i], (enum face)i, type);
	}
	for (size_t i = 0; i < FACES_OF_ALL; i++)
		p->line[i] = raster_text_line(p, (enum face)i);
}

double raster_text_line(struct page *p, enum face face)
{
	return raster_text_measure(p, face, "Ag").h;
}

/* Finding fonts takes longer than most pages: a thread does it once. Threads cannot share them. */
static PangoFontMap *fonts_of_thread(void)
{
	static GPrivate kept = G_PRIVATE_INIT(g_object_unref);
	PangoFontMap *fonts = g_private_get(&kept);
	if (fonts == NULL && (fonts = raster_begun()) != NULL)
		g_private_set(&kept, fonts);
	if (fonts == NULL) {
		fonts = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
		pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(fonts), 96);
		g_private_set(&kept, fonts);
	}
	return g_object_ref(fonts);
}

/* Another family than the one that was asked for. */
static void report_font(struct page *p, PangoFont *font)
{
	if (p->font == NULL)
		return;
	PangoFontDescription *const taken = pango_font_describe(font);
	const char *const family = pango_font_description_get_family(taken);
	if (g_ascii_strcasecmp(family, p->font) != 0) {
		p->report.font = p->font;
		p->report.font_taken = arena_strdup(p->arena, family);
	}
	pango_font_description_free(taken);
}

/* That of most letters, as the layout will ask for it; NULL: there is none. */
static PangoFont *first_font(struct page *p)
{
	PangoFontDescription *const face = face_of(p, FACE_TEXT);
	set_letters(p, face, FACE_TEXT, raster_text_first(p));
	PangoFontset *const set = pango_font_map_load_fontset(p->fonts, p->context, face,
							      pango_language_get_default());
	PangoFont *const font = set != NULL ? pango_fontset_get_font(set, 'A') : NULL;
	if (set != NULL)
		g_object_unref(set);
	pango_font_description_free(face);
	return font;
}

bool raster_text_open(struct page *p, struct err *err)
{
	raster_fonts_trouble();
	p->fonts = fonts_of_thread();
	p->context = pango_font_map_create_context(p->fonts);
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	pango_cairo_context_set_font_options(p->context, options);
	cairo_font_options_destroy(options);
	pango_context_set_round_glyph_positions(p->context, FALSE);
	p->layout = pango_layout_new(p->context);
	/* Figures of one width, and no "1600x1000" turned into a multiplication. */
	p->features = pango_attr_list_new();
	pango_attr_list_insert(p->features, pango_attr_font_features_new("tnum=1, calt=0"));

	PangoFont *const font = first_font(p);
	if (font == NULL)
		return err_set(err, "no font can be found: install one, for example the package "
				    "fonts-dejavu-core, and see `fc-list`");
	report_font(p, font);
	g_object_unref(font);
	return true;
}

/* Bytes of what an index marker takes: one cluster, and the letters and digits that follow it when
 * it is one itself; a sign may lead an exponent. */
static size_t script_bytes(const char *at)
{
	size_t n = 0;
	if (*at == '-' || strncmp(at, "\u2212", 3) == 0)
		n = *at == '-' ? 1 : 3;
	if (!g_ascii_isalnum(at[n]))
		return n + text_cluster(at + n, strlen(at + n));
	while (g_ascii_isalnum(at[n]))
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

/* Takes the markers out of a formula and puts attributes in their place; a group in braces may hold
 * scripts of its own. */
static void parse_formula(struct strbuf *out, const char *text, size_t len, PangoAttrList *attrs)
{
	for (const char *at = text, *end = text + len; at < end;) {
		if ((*at != '_' && *at != '^') || at + 1 >= end || at[1] == ' ') {
			strbuf_add_char(out, *at++);
			continue;
		}
		const bool sub = *at++ == '_';
		const char *close = *at == '{' ? memchr(at, '}', (size_t)(end - at)) : NULL;
		const char *from = close != NULL ? at + 1 : at;
		const size_t n = close != NULL ? (size_t)(close - from) : script_bytes(at);
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
	if (!faces[face].formula) {
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

/* A text as laid out. */
struct extents {
	PangoLayout *layout; /* NULL: it was not kept */
	struct size size;
	struct ink ink;
};

/* Puts the text into the layout and measures it there. */
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

/* ---- what was measured ------------------------------------------------------------------------- */

/* What is from right to left begins at the right of the width it was laid out for. */
static bool is_ltr(PangoLayout *layout)
{
	for (GSList *at = pango_layout_get_lines_readonly(layout); at != NULL; at = at->next)
		if (pango_layout_line_get_resolved_direction(at->data) != PANGO_DIRECTION_LTR)
			return false;
	return true;
}

/* In a layout of its own, which is kept where it can be drawn as it is. */
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

/* Wrapped to a width. A line takes the words that it has room for: at any width down to that of the longest
 * line the text is the same. */
struct wrapped {
	double from, to; /* widths */
	struct extents of;
	struct wrapped *next;
};

struct measured {
	enum face face;
	int letters; /* their size, in Pango's units */
	const char *text;
	struct extents line; /* in one */
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
	while (m != NULL &&
	       (m->face != face || m->letters != letters || strcmp(m->text, text) != 0))
		m = m->next;
	if (m != NULL)
		return m;
	m = arena_calloc(p->arena, 1, sizeof *m);
	*m = (struct measured){.face = face,
			       .letters = letters,
			       .text = arena_strdup(p->arena, text),
			       .line = lay_out_kept(p, face, text, -1),
			       .next = *bucket};
	return *bucket = m;
}

/* In one line where `width` is below 0 or has room for it. */
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
	w->from = fmin(w->of.size.w, width); /* less than a letter is wide leaves it as wide */
	m->wrapped = w;
	return w->of;
}

/* The same, in a layout to be drawn. */
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
	for (size_t i = 0; i < FACE_COUNT; i++)
		if (p->face[i] != NULL)
			pango_font_description_free(p->face[i]);
	if (p->features != NULL)
		pango_attr_list_unref(p->features);
	if (p->layout != NULL)
		g_object_unref(p->layout);
	if (p->context != NULL)
		g_object_unref(p->context);
	if (p->fonts != NULL)
		g_object_unref(p->fonts);
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

/* Words keep their strength in a panel that is off, but not their colour. */
static uint32_t ink_of(const struct page *p, uint32_t ink)
{
	return p->strength < 1 && p->paper == p->theme->paper ? p->theme->second : ink;
}

/* Whether a text may stand there: where pages are legible they were laid out so. */
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

/* Draws the layout as set, its box's first corner at (x, y). A label's neighbours may take what it has no
 * ink on. */
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
		.text = arena_strdup(p->arena, pango_layout_get_text(of->layout)),
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

/* No line ends between a number and its per cent sign, or between σ and its number. */
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

/* The lines of the layout as set, its first corner at (x, y). */
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
					   .text = lines[i].text,
					   .ink = ink,
					   .paper = p->paper};
	return out;
}

/* All lines, or none where one of them has no room. */
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
	/* What does not fit ends with an ellipsis; one in an index of a formula Pango complains of. */
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

/* Corners of a box, in order. */
static void corners(const struct text_box *b, double x[4], double y[4])
{
	const double c = cos(b->angle), s = sin(b->angle);
	const double w[4] = {0, b->width, b->width, 0}, h[4] = {0, 0, b->height, b->height};
	for (int i = 0; i < 4; i++) {
		x[i] = b->x + w[i] * c - h[i] * s;
		y[i] = b->y + w[i] * s + h[i] * c;
	}
}

/* Whether a side of `a` separates it from `b` (the separating axis theorem). */
static bool separated(const struct text_box *a, const struct text_box *b)
{
	const double hair = 0.5;
	double x[4], y[4];
	corners(b, x, y);
	const double c = cos(a->angle), s = sin(a->angle);
	double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
	for (int i = 0; i < 4; i++) {
		const double along = (x[i] - a->x) * c + (y[i] - a->y) * s;
		const double down = -(x[i] - a->x) * s + (y[i] - a->y) * c;
		left = fmin(left, along);
		right = fmax(right, along);
		top = fmin(top, down);
		bottom = fmax(bottom, down);
	}
	return right <= hair || left >= a->width - hair || bottom <= hair ||
	       top >= a->height - hair;
}

/* Without the parts of its height that are free of ink. */
static struct text_box inked(const struct text_box *b)
{
	struct text_box out = *b;
	out.x -= b->free_above * sin(b->angle);
	out.y += b->free_above * cos(b->angle);
	out.height -= b->free_above + b->free_below;
	out.free_above = out.free_below = 0;
	return out;
}

bool text_box_overlap(const struct text_box *a, const struct text_box *b)
{
	const struct text_box x = inked(a), y = inked(b);
	return !separated(&x, &y) && !separated(&y, &x);
}

double text_box_bottom(const struct text_box *box)
{
	double x[4], y[4];
	corners(box, x, y);
	return fmax(fmax(y[0], y[1]), fmax(y[2], y[3]));
}

bool text_box_inside(const struct text_box *box, double width, double height)
{
	const struct text_box ink = inked(box);
	double x[4], y[4];
	corners(&ink, x, y);
	for (int i = 0; i < 4; i++)
		if (x[i] < 0 || y[i] < 0 || x[i] > width || y[i] > height)
			return false;
	return true;
}
