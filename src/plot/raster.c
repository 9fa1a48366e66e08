/* raster.c: the page: title, grid of panels, caption; and the surfaces it can be drawn on.
 *
 * A sheet is laid out at several sizes of type, largest first, until every panel has the room it
 * asks for; only then is it drawn. The floor of the type is 12 px on a page of the usual size. */
#include "plot/raster_in.h"

#include <assert.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/strbuf.h"
#include "posviz/text.h"

static const struct theme themes[2] = {
	{.paper = 0xffffff,
	 .ink = 0x1a1a1a,
	 .second = 0x6b7280,
	 .hair = 0xd1d5db,
	 .axis = 0x9ca3af,
	 .hatch = 0xd5d9df,
	 .tint = 0xf7f8fa,
	 .alarm = 0xd1006c},
	{.paper = 0x16181d,
	 .ink = 0xf3f4f6,
	 .second = 0xa3aab6,
	 .hair = 0x3a3f4a,
	 .axis = 0x6b7280,
	 .hatch = 0x444a56,
	 .tint = 0x23262e,
	 .alarm = 0xff5fae},
};

/* Where everything goes. */
struct sheet {
	struct area head, foot; /* within the margins; the rules lie below and above them */
	double head_rule, foot_rule;
	struct area panel[FIGURE_PANELS];
};

void raster_colour(struct page *p, uint32_t rgb, double alpha)
{
	cairo_set_source_rgba(p->cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
			      (rgb & 255) / 255.0, alpha);
}

void raster_rect(struct page *p, struct area a, uint32_t rgb)
{
	raster_colour(p, rgb, 1);
	cairo_rectangle(p->cr, a.x, a.y, a.w, a.h);
	cairo_fill(p->cr);
}

void raster_line(struct page *p, double x0, double y0, double x1, double y1, double width,
		 uint32_t rgb)
{
	/* Axis-parallel lines of one pixel stand on pixels. */
	const double half = p->vector || width > 1.5 ? 0 : 0.5;
	raster_colour(p, rgb, 1);
	cairo_set_line_width(p->cr, width);
	cairo_move_to(p->cr, x0 == x1 ? floor(x0) + half : x0, y0 == y1 ? floor(y0) + half : y0);
	cairo_line_to(p->cr, x0 == x1 ? floor(x1) + half : x1, y0 == y1 ? floor(y1) + half : y1);
	cairo_stroke(p->cr);
}

void raster_plot(struct page *p, struct area a)
{
	struct raster_report *r = &p->report;
	if (r->plot_n == p->plot_room) {
		p->plot_room = p->plot_room == 0 ? FIGURE_PANELS : 2 * p->plot_room;
		struct plot_box *wider = arena_calloc(p->arena, p->plot_room, sizeof *wider);
		if (r->plot_n > 0)
			memcpy(wider, r->plots, r->plot_n * sizeof *wider);
		r->plots = wider;
	}
	r->plots[r->plot_n++] = (struct plot_box){a.x, a.y, a.w, a.h, p->panel};
}

/* Draws (or measures) one paragraph and returns where the next may start. */
static double paragraph(struct page *p, enum face face, uint32_t ink, struct area at, bool draw,
			const char *text)
{
	return at.y + raster_text_wrap(p, face, ink, at, draw, text);
}

static double page_head(struct page *p, const struct figure *f, struct area at, bool draw)
{
	double y = at.y;
	if (f->title != NULL)
		y = paragraph(p, FACE_TITLE, p->theme->ink, at, draw, f->title);
	if (f->subtitle != NULL) {
		at.y = y + 6 * p->space;
		y = paragraph(p, FACE_TEXT, p->theme->second, at, draw, f->subtitle);
	}
	return y;
}

static double page_foot(struct page *p, const struct figure *f, bool command, struct area at,
			bool draw)
{
	struct area left = at;
	double y = at.y;
	if (f->caption_right != NULL && f->caption_right[0] != '\0') {
		const char *right = raster_text_fit(p, FACE_TEXT, f->caption_right, at.w * 0.4);
		const struct size size = raster_text_measure(p, FACE_TEXT, right);
		left.w -= size.w + 32 * p->space;
		y += size.h;
		if (draw)
			raster_text_put(p, FACE_TEXT, p->theme->second, 1, at.x + at.w, at.y,
					right);
	}
	if (f->caption != NULL)
		y = fmax(y, paragraph(p, FACE_TEXT, p->theme->second, left, draw, f->caption));
	if (command && f->command != NULL) {
		at.y = y + 4 * p->space;
		y = paragraph(p, FACE_TEXT, p->theme->second, at, draw, f->command);
	}
	return y;
}

/* Title, note and subtitle of a panel; returns where its body starts. The note stands beside the
 * title while there is room, else before the subtitle. */
static double panel_head(struct page *p, const struct panel *panel, struct area at, bool draw)
{
	const char *title = panel->paper_title != NULL ? panel->paper_title : panel->title;
	if (title == NULL)
		title = "";
	if (panel->stale)
		title = arena_printf(p->arena, "%s …", title);
	const struct size size = raster_text_measure(p, FACE_HEAD, title);
	const double gap = title[0] != '\0' ? 20 * p->space : 0;
	const char *note = panel->note != NULL ? panel->note : "";
	const char *below = panel->subtitle != NULL ? panel->subtitle : "";
	const bool beside =
		size.w + gap + raster_text_measure(p, FACE_TEXT, note).w <= at.w && note[0] != '\0';
	double y = paragraph(p, FACE_HEAD, p->theme->ink, at, draw, title);
	if (beside && draw)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, at.x + size.w + gap,
				at.y + (p->line[FACE_HEAD] - p->line[FACE_TEXT]) * 0.72, note);
	if (beside)
		y = fmax(y, at.y + p->line[FACE_HEAD]);
	else if (note[0] != '\0')
		below = below[0] == '\0' ? note : arena_printf(p->arena, "%s · %s", note, below);
	if (below[0] != '\0') {
		at.y = y + 4 * p->space;
		y = paragraph(p, FACE_TEXT, p->theme->second, at, draw, below);
	}
	return y + 14 * p->space;
}

/* One row per kind of panel. */
static const struct {
	struct size (*least)(struct page *p, const struct panel *panel, double width);
	void (*draw)(struct page *p, const struct panel *panel, struct area at);
} kinds[] = {
	[PANEL_HEATMAP] = {raster_heatmap_least, raster_heatmap_draw},
	[PANEL_CURVES] = {raster_curves_least, raster_curves_draw},
	[PANEL_BARS] = {raster_bars_least, raster_bars_draw},
	[PANEL_TABLE] = {raster_table_least, raster_table_draw},
	[PANEL_CARD] = {raster_card_least, raster_card_draw},
};
static_assert(sizeof kinds / sizeof kinds[0] == PANEL_CARD + 1, "one row per kind of panel");

static struct size body_least(struct page *p, const struct panel *panel, double width)
{
	const struct area at = {.w = width};
	if (panel->absent == NULL)
		return kinds[panel->kind].least(p, panel, width);
	return (struct size){120 * p->type,
			     raster_text_wrap(p, FACE_TEXT, 0, at, false, panel->absent)};
}

static void body_draw(struct page *p, const struct panel *panel, struct area at)
{
	if (panel->absent == NULL)
		kinds[panel->kind].draw(p, panel, at);
	else
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, panel->absent);
}

/* Start and length of the tracks [first, first + count) of `length` shared by weight. */
static void track(const unsigned char *weight, size_t tracks, double length, double gap,
		  size_t first, size_t count, double *from, double *size)
{
	double total = 0, before = 0, mine = 0;
	for (size_t i = 0; i < tracks; i++) {
		const double w = weight[i] > 0 ? weight[i] : 1;
		total += w;
		before += i < first ? w : 0;
		mine += i >= first && i < first + count ? w : 0;
	}
	const double unit = (length - gap * (double)(tracks - 1)) / total;
	*from = round(unit * before + gap * (double)first);
	*size = floor(unit * mine + gap * (double)(count - 1));
}

static void place_panels(const struct page *p, const struct figure *f, struct area body,
			 struct sheet *sheet)
{
	size_t rows = 1, cols = 1;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		const size_t bottom = panel->row + (panel->rows > 0 ? panel->rows : 1u);
		const size_t right = panel->col + (panel->cols > 0 ? panel->cols : 1u);
		rows = bottom > rows ? bottom : rows;
		cols = right > cols ? right : cols;
	}
	if (rows > FIGURE_TRACKS || cols > FIGURE_TRACKS)
		BUG("a figure of %zu x %zu tracks", rows, cols);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		struct area *at = &sheet->panel[i];
		track(f->col_weight, cols, body.w, 48 * p->space, panel->col,
		      panel->cols > 0 ? panel->cols : 1, &at->x, &at->w);
		track(f->row_weight, rows, body.h, 28 * p->space, panel->row,
		      panel->rows > 0 ? panel->rows : 1, &at->y, &at->h);
		at->x += body.x;
		at->y += body.y;
	}
}

/* Lays out the sheet at the page's type. Returns how much larger the page would have to be: at most
 * 1 when everything has the room it needs. */
static double lay_out(struct page *p, const struct figure *f, const struct raster_look *look,
		      struct sheet *sheet)
{
	const double margin = round(48 * p->space);
	struct area in = {margin, round(36 * p->space), p->width - 2 * margin, 0};
	sheet->head = in;
	double top = page_head(p, f, in, false);
	sheet->head_rule = 0;
	if (top > in.y) {
		sheet->head_rule = round(top + 16 * p->space);
		top = sheet->head_rule + 16 * p->space;
	}
	const double foot = page_foot(p, f, look->command, (struct area){.w = in.w}, false);
	double bottom = p->height - 28 * p->space;
	sheet->foot_rule = 0;
	if (foot > 0) {
		sheet->foot = (struct area){in.x, bottom - foot, in.w, foot};
		sheet->foot_rule = round(sheet->foot.y - 12 * p->space);
		bottom = sheet->foot_rule - 16 * p->space;
	}
	top = round(top);
	place_panels(p, f, (struct area){in.x, top, in.w, floor(bottom - top)}, sheet);

	double grow = bottom - top < 60 ? 2 : 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct area at = sheet->panel[i];
		if (at.w < 60 || at.h < 40) {
			grow = fmax(grow, 2);
			continue;
		}
		const double taken = panel_head(p, &f->panels[i], at, false) - at.y;
		const struct size least = body_least(p, &f->panels[i], at.w);
		grow = fmax(grow, fmax(least.w / at.w, (least.h + taken) / at.h));
	}
	return grow;
}

/* Finds the largest type at which the sheet can be legible. */
static bool fit_sheet(struct page *p, const struct figure *f, const struct raster_look *look,
		      struct sheet *sheet, struct err *err)
{
	const double unit = fmin(p->width / 1600, p->height / 1000);
	const double usual = 12.0 / 14, small = 10.0 / 14;
	const double floor_type = unit < usual ? small : usual;
	p->space = fmax(unit, 0.5);
	double grow = 0;
	for (double type = fmax(unit, usual); type > floor_type * 0.95; type *= 0.95) {
		raster_text_size(p, fmax(type, floor_type));
		grow = lay_out(p, f, look, sheet);
		if (grow <= 1)
			return true;
	}
	return err_set(
		err,
		"this figure cannot be legible on %.0f x %.0f pixels: about %.0f x %.0f would "
		"do",
		p->width, p->height, ceil(p->width * grow * 1.1 / 50) * 50,
		ceil(p->height * grow * 1.1 / 50) * 50);
}

static void draw_sheet(struct page *p, const struct figure *f, const struct raster_look *look,
		       const struct sheet *sheet)
{
	raster_rect(p, (struct area){0, 0, p->width, p->height}, p->theme->paper);
	page_head(p, f, sheet->head, true);
	const double left = sheet->head.x, right = left + sheet->head.w;
	if (sheet->head_rule > 0)
		raster_line(p, left, sheet->head_rule, right, sheet->head_rule, 1, p->theme->hair);
	for (size_t i = 0; i < f->n; i++) {
		struct area at = sheet->panel[i];
		p->panel = i;
		const double body = panel_head(p, &f->panels[i], at, true);
		at.h -= body - at.y;
		at.y = body;
		body_draw(p, &f->panels[i], at);
	}
	if (sheet->foot_rule > 0)
		raster_line(p, left, sheet->foot_rule, right, sheet->foot_rule, 1, p->theme->hair);
	page_foot(p, f, look->command, sheet->foot, true);
}

static bool open_page(struct page *p, const struct raster_look *look, struct arena *a, bool vector,
		      struct err *err)
{
	const int least = 200, most = 12000;
	if (look->width < least || look->height < least || look->width > most ||
	    look->height > most || (double)look->width * look->height > 64e6)
		return err_set(
			err,
			"a page of %d x %d pixels: %d to %d each way and at most 64 million in "
			"all would be right",
			look->width, look->height, least, most);
	*p = (struct page){
		.vector = vector,
		.dark = look->dark,
		.theme = &themes[look->dark],
		.width = look->width,
		.height = look->height,
		.paper = themes[look->dark].paper,
		.arena = a,
	};
	return raster_text_open(p, err);
}

/* Lays out and draws on `surface`, which it ends and destroys. */
static bool draw_page(struct page *p, const struct figure *f, const struct raster_look *look,
		      cairo_surface_t *surface, double scale, struct err *err)
{
	struct sheet sheet = {0};
	bool good = fit_sheet(p, f, look, &sheet, err);
	if (good) {
		p->cr = cairo_create(surface);
		cairo_scale(p->cr, scale, scale);
		draw_sheet(p, f, look, &sheet);
		if (p->vector)
			cairo_show_page(p->cr);
		const cairo_status_t status = cairo_status(p->cr);
		cairo_destroy(p->cr);
		if (status != CAIRO_STATUS_SUCCESS)
			good = err_set(err, "cannot draw the figure: %s",
				       cairo_status_to_string(status));
	}
	if (p->vector)
		cairo_surface_finish(surface);
	return good;
}

static void copy_pixels(struct image *out, cairo_surface_t *surface)
{
	cairo_surface_flush(surface);
	const unsigned char *data = cairo_image_surface_get_data(surface);
	const size_t stride = (size_t)cairo_image_surface_get_stride(surface);
	uint8_t *to = out->rgb;
	for (int y = 0; y < out->height; y++) {
		const unsigned char *row = data + (size_t)y * stride;
		for (int x = 0; x < out->width; x++) {
			uint32_t pixel;
			memcpy(&pixel, row + 4 * x, sizeof pixel);
			*to++ = (uint8_t)(pixel >> 16);
			*to++ = (uint8_t)(pixel >> 8);
			*to++ = (uint8_t)pixel;
		}
	}
}

bool raster_image(const struct figure *f, const struct raster_look *look, struct arena *a,
		  struct image *out, struct raster_report *report, struct err *err)
{
	struct page page = {0};
	bool good = open_page(&page, look, a, false, err);
	if (good) {
		cairo_surface_t *surface =
			cairo_image_surface_create(CAIRO_FORMAT_RGB24, look->width, look->height);
		good = draw_page(&page, f, look, surface, 1, err);
		if (good) {
			*out = (struct image){.width = look->width, .height = look->height};
			out->rgb = arena_alloc(a, (size_t)look->width * (size_t)look->height * 3);
			copy_pixels(out, surface);
		}
		cairo_surface_destroy(surface);
	}
	raster_text_close(&page);
	if (good && report != NULL)
		*report = page.report;
	return good;
}

static cairo_status_t append(void *closure, const unsigned char *data, unsigned int length)
{
	struct strbuf *out = closure;
	strbuf_add_n(out, (const char *)data, length);
	return CAIRO_STATUS_SUCCESS;
}

/* cairo numbers surfaces and images of an SVG by a counter of the process; here they are numbered in
 * the order of their appearance. Texts are outlines, so that nothing else looks like an id. */
static void renumber(struct strbuf *svg, struct arena *a)
{
	enum { IDS = 64 };
	static const char *const names[] = {"surface", "image"};
	unsigned long seen[IDS];
	size_t n = 0;
	struct strbuf out;
	strbuf_init(&out, a);
	const char *from = svg->at;
	for (const char *at = from; *at != '\0'; at++) {
		if (*at != '"' && *at != '#')
			continue;
		size_t len = 0;
		for (size_t i = 0; i < 2 && len == 0; i++)
			if (strncmp(at + 1, names[i], strlen(names[i])) == 0)
				len = strlen(names[i]);
		const char *digits = at + 1 + len;
		if (len == 0 || !g_ascii_isdigit(*digits))
			continue;
		char *end;
		const unsigned long id = strtoul(digits, &end, 10);
		size_t k = 0;
		while (k < n && seen[k] != id)
			k++;
		if (k == n && n < IDS)
			seen[n++] = id;
		strbuf_add_n(&out, from, (size_t)(digits - from));
		strbuf_printf(&out, "%zu", k);
		from = end;
		at = end - 1;
	}
	strbuf_add(&out, from);
	*svg = out;
}

bool raster_vector(const struct figure *f, const struct raster_look *look, enum raster_vector kind,
		   struct arena *a, char **data, size_t *len, struct raster_report *report,
		   struct err *err)
{
	/* PDF counts in points, 72 to the inch, where a page pixel is 1/96 of an inch. */
	const double scale = kind == RASTER_PDF ? 0.75 : 1;
	struct page page = {0};
	struct strbuf out;
	strbuf_init(&out, a);
	bool good = open_page(&page, look, a, true, err);
	if (good) {
		const double w = look->width * scale, h = look->height * scale;
		cairo_surface_t *surface =
			kind == RASTER_PDF
				? cairo_pdf_surface_create_for_stream(append, &out, w, h)
				: cairo_svg_surface_create_for_stream(append, &out, w, h);
		if (kind == RASTER_SVG)
			cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
		if (kind == RASTER_PDF) {
			/* No clock: the same input gives the same bytes. */
			cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
						       "2000-01-01T00:00:00Z");
			if (f->title != NULL)
				cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE,
							       f->title);
		}
		good = draw_page(&page, f, look, surface, scale, err);
		cairo_surface_destroy(surface);
	}
	raster_text_close(&page);
	if (!good)
		return false;
	if (kind == RASTER_SVG)
		renumber(&out, a);
	*data = out.at;
	*len = out.len;
	if (report != NULL)
		*report = page.report;
	return true;
}
