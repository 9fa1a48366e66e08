/* raster.c: the page: title, grid of panels, caption; and the image it can be drawn into.
 *
 * A sheet is laid out at several sizes of type, largest first, until every panel has the room it
 * asks for; only then is it drawn. The floor of the type is 12 px on a page of the usual size. */
#include "plot/fold.h"
#include "plot/raster_in.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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
	{.paper = 0x1a1b20,
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

uint32_t raster_shade(const struct page *p, uint32_t rgb)
{
	uint32_t out = 0;
	for (int shift = 0; p->strength < 1 && shift <= 16; shift += 8) {
		const double from = p->theme->paper >> shift & 255, to = rgb >> shift & 255;
		out |= (uint32_t)lround(from + (to - from) * p->strength) << shift;
	}
	return p->strength < 1 ? out : rgb;
}

void raster_colour(struct page *p, uint32_t rgb, double alpha)
{
	rgb = raster_shade(p, rgb);
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
	/* Axis-parallel lines of one pixel stand on pixels, those of a vector file as well, which
	 * screens show pixel by pixel. */
	const double half = width > 1.5 ? 0 : 0.5;
	raster_colour(p, rgb, 1);
	cairo_set_line_width(p->cr, width);
	cairo_move_to(p->cr, x0 == x1 ? floor(x0) + half : x0, y0 == y1 ? floor(y0) + half : y0);
	cairo_line_to(p->cr, x0 == x1 ? floor(x1) + half : x1, y0 == y1 ? floor(y1) + half : y1);
	cairo_stroke(p->cr);
}

static struct area overlap(struct area a, struct area b)
{
	const double x = fmin(fmax(a.x, b.x), b.x + b.w), y = fmin(fmax(a.y, b.y), b.y + b.h);
	return (struct area){x, y, fmax(0, fmin(a.x + a.w, b.x + b.w) - x),
			     fmax(0, fmin(a.y + a.h, b.y + b.h) - y)};
}

void raster_plot(struct page *p, struct area a)
{
	struct raster_report *r = &p->report;
	if (p->within != NULL)
		a = overlap(a, *p->within);
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
	if (panel->off)
		title = arena_printf(p->arena, "%s (off)", title);
	const struct size size = raster_text_measure(p, FACE_HEAD, title);
	const double gap = title[0] != '\0' ? 20 * p->space : 0;
	const char *note = p->terse && panel->short_note != NULL ? panel->short_note
			   : panel->note != NULL		 ? panel->note
								 : "";
	const char *below = panel->subtitle != NULL ? panel->subtitle : "";
	const bool beside =
		size.w + gap + raster_text_measure(p, FACE_TEXT, note).w <= at.w && note[0] != '\0';
	double y = paragraph(p, FACE_HEAD, p->theme->ink, at, draw, title);
	if (p->terse && note[0] != '\0')
		below = "";
	if (beside && draw)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, at.x + size.w + gap,
				at.y + (p->line[FACE_HEAD] - p->line[FACE_TEXT]) * 0.72, note);
	if (beside)
		y = fmax(y, at.y + p->line[FACE_HEAD]);
	else if (note[0] != '\0')
		below = below[0] == '\0' ? note : arena_printf(p->arena, "%s · %s", note, below);
	if (p->terse)
		below = raster_text_fit(p, FACE_TEXT, below, at.w);
	if (below[0] != '\0') {
		at.y = y + 4 * p->space;
		y = paragraph(p, FACE_TEXT, p->theme->second, at, draw, below);
	}
	return y + (panel->kind == PANEL_HEATMAP ? 10 : 14) * p->space;
}

static struct size pen_least(struct page *p, const struct panel *panel, double width)
{
	const struct pen pen = pen_page(p, (struct area){.w = width});
	const double line = p->line[FACE_TEXT], space = p->space, type = p->type;
	const double rows = fmin(3, (double)panel->table.rows);
	if (panel->kind == PANEL_TABLE)
		return (struct size){140 * type, (rows + 2) * (line + 8 * space) + 6 * space};
	if (panel->kind == PANEL_BARS)
		return (struct size){180 * type,
				     line * fmin(6, fmax(5, (double)panel->bars.n + 2))};
	if (panel->kind == PANEL_CARD)
		return (struct size){120 * type, pen_card_least(&pen, &panel->card)};
	return panel->kind == PANEL_LINKS ? (struct size){240 * type, 8 * line}
					  : (struct size){200 * type, 7 * line};
}

static void draw_with_pen(struct page *p, const struct panel *panel, struct area at)
{
	const struct pen pen = pen_page(p, at);
	pen_panel(&pen, panel);
}

/* One row per kind of panel. */
static const struct {
	struct size (*least)(struct page *p, const struct panel *panel, double width);
	void (*draw)(struct page *p, const struct panel *panel, struct area at);
} kinds[] = {
	[PANEL_HEATMAP] = {raster_heatmap_least, raster_heatmap_draw},
	[PANEL_CURVES] = {raster_curves_least, raster_curves_draw},
	[PANEL_BARS] = {pen_least, draw_with_pen},
	[PANEL_TABLE] = {pen_least, draw_with_pen},
	[PANEL_CARD] = {pen_least, draw_with_pen},
	[PANEL_LINKS] = {pen_least, draw_with_pen},
	[PANEL_STRUCTURE] = {pen_least, draw_with_pen},
};
static_assert(sizeof kinds / sizeof kinds[0] == PANEL_STRUCTURE + 1, "one row per kind of panel");

static struct size body_least(struct page *p, const struct panel *panel, double width)
{
	const struct area at = {.w = width};
	if (panel->absent == NULL)
		return kinds[panel->kind].least(p, panel, width);
	return (struct size){120 * p->type,
			     raster_text_wrap(p, FACE_TEXT, 0, at, false, panel->absent)};
}

void raster_body(struct page *p, const struct panel *panel, struct area at)
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
	const double unit = fmax(0, length - gap * (double)(tracks - 1)) / total;
	*from = round(unit * before + gap * (double)first);
	*size = floor(unit * mine + gap * (double)(count - 1));
}

static size_t span(unsigned char tracks)
{
	return tracks > 0 ? tracks : 1;
}

/* How much more than the mean of them each track needs that needs anything: it is added to the track's
 * share, and the other tracks keep theirs. */
static void from_mean(double *need)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < FIGURE_TRACKS; i++) {
		sum += need[i];
		n += need[i] > 0;
	}
	for (size_t i = 0; i < FIGURE_TRACKS; i++)
		need[i] = need[i] > 0 ? need[i] - sum / n : 0;
}

/* The panels' columns; colour bars and labels do not cost their matrix its size. */
static void place_cols(struct page *p, const struct figure *f, struct area body, size_t cols,
		       double height, struct sheet *sheet)
{
	double extra[FIGURE_TRACKS] = {0};
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		const double tracks = (double)span(panel->cols) / (double)cols;
		const struct area at = {.w = body.w * tracks, .h = height};
		if (!raster_plan_wanted(panel))
			continue;
		const double each = raster_plan_around(p, f, i, at).w / (double)span(panel->cols);
		for (size_t c = panel->col; c < panel->col + span(panel->cols); c++)
			extra[c] = fmax(extra[c], each);
	}
	from_mean(extra);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		struct area *at = &sheet->panel[i];
		track(f->col_weight, cols, body.w, 48 * p->space, panel->col, span(panel->cols),
		      &at->x, &at->w);
		for (size_t c = 0; c < panel->col + span(panel->cols); c++)
			*(c < panel->col ? &at->x : &at->w) += extra[c];
		at->x = round(at->x) + body.x;
		at->w = fmax(1, floor(at->w));
	}
}

/* The same for rows, where heads count as well. */
static void place_rows(struct page *p, const struct figure *f, struct area body, size_t rows,
		       struct sheet *sheet)
{
	double extra[FIGURE_TRACKS] = {0};
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		const struct area at = {.w = sheet->panel[i].w};
		if (!raster_plan_wanted(panel) || span(panel->rows) > 1)
			continue;
		const double head = panel_head(p, panel, at, false);
		const struct area inner = {.w = at.w, .h = fmax(40, body.h / (double)rows - head)};
		extra[panel->row] =
			fmax(extra[panel->row], head + raster_plan_around(p, f, i, inner).h);
	}
	from_mean(extra);
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		struct area *at = &sheet->panel[i];
		track(f->row_weight, rows, body.h, 28 * p->space, panel->row, span(panel->rows),
		      &at->y, &at->h);
		for (size_t r = 0; r < panel->row + span(panel->rows); r++)
			*(r < panel->row ? &at->y : &at->h) += extra[r];
		at->y = round(at->y) + body.y;
		at->h = fmax(1, floor(at->h));
	}
}

static void place_panels(struct page *p, const struct figure *f, struct area body,
			 struct sheet *sheet)
{
	size_t rows = 1, cols = 1;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *panel = &f->panels[i];
		const size_t bottom = panel->row + span(panel->rows);
		const size_t right = panel->col + span(panel->cols);
		rows = bottom > rows ? bottom : rows;
		cols = right > cols ? right : cols;
	}
	if (rows > FIGURE_TRACKS || cols > FIGURE_TRACKS)
		BUG("a figure of %zu x %zu tracks", rows, cols);
	place_cols(p, f, body, cols, body.h / (double)rows, sheet);
	place_rows(p, f, body, rows, sheet);
}

/* Less than this shows nothing of a panel. */
static bool is_tiny(struct area a)
{
	return a.w < 60 || a.h < 40;
}

static bool panel_fits(struct page *p, const struct panel *panel, struct area at)
{
	if (is_tiny(at))
		return false;
	const double taken = panel_head(p, panel, at, false) - at.y;
	const struct size least = body_least(p, panel, at.w);
	return least.w <= at.w && least.h + taken <= at.h;
}

/* What is left of the panels under their heads; heatmaps beside each other begin at one height. */
static void place_bodies(struct page *p, const struct figure *f, const struct sheet *sheet,
			 struct area *body)
{
	double top[FIGURE_TRACKS] = {0};
	for (size_t i = 0; i < f->n; i++) {
		const struct area at = sheet->panel[i];
		const double y = panel_head(p, &f->panels[i], at, false);
		double *row = &top[f->panels[i].row];
		body[i] = (struct area){at.x, y, at.w, at.y + at.h - y};
		if (raster_plan_wanted(&f->panels[i]))
			*row = fmax(*row, y);
	}
	for (size_t i = 0; i < f->n; i++) {
		const double down = top[f->panels[i].row] - body[i].y;
		/* Not at the price of what the panel needs. */
		if (!raster_plan_wanted(&f->panels[i]) || down > body[i].h * 0.2)
			continue;
		body[i].y += down;
		body[i].h -= down;
	}
}

/* Lays out the sheet at the page's type. False when not everything has the room it needs. */
static bool lay_out(struct page *p, const struct figure *f, const struct raster_look *look,
		    struct sheet *sheet)
{
	const double margin = round(48 * p->space);
	struct area in = {margin, round(36 * p->space), p->width - 2 * margin, p->height};
	if (is_tiny(in))
		return false;
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
	const struct area body = {in.x, top, in.w, floor(bottom - top)};
	if (is_tiny(body))
		return false;
	place_panels(p, f, body, sheet);
	for (size_t i = 0; i < f->n; i++) {
		p->panel = i;
		if (!panel_fits(p, &f->panels[i], sheet->panel[i]))
			return false;
	}
	struct area bodies[FIGURE_PANELS];
	place_bodies(p, f, sheet, bodies);
	return raster_plan_shows(p, f, bodies);
}

static bool fits_at(struct page *p, const struct figure *f, const struct raster_look *look,
		    struct sheet *sheet, double type, bool terse)
{
	p->terse = terse;
	raster_text_size(p, type);
	return lay_out(p, f, look, sheet);
}

/* Finds the largest type at which the sheet can be legible; where there is none, without the sentences
 * that explain. */
static bool fit_sheet(struct page *p, const struct figure *f, const struct raster_look *look,
		      struct sheet *sheet)
{
	const double unit = fmin(p->width / 1600, p->height / 1000);
	const double usual = 12.0 / 14, small = 10.0 / 14;
	const double floor_type = unit < usual ? small : usual, first = fmax(unit, usual);
	p->space = fmax(unit, 0.5);
	raster_plan_prepare(p, f);
	if (fits_at(p, f, look, sheet, first, false))
		return true;
	/* What has no room at its smallest need not be tried in between. */
	if (!fits_at(p, f, look, sheet, floor_type, true))
		return false;
	for (int terse = 0; terse < 2; terse++)
		for (double type = first; type > floor_type * 0.95; type *= 0.95)
			if (fits_at(p, f, look, sheet, fmax(type, floor_type), terse == 1))
				return true;
	return false;
}

static void draw_sheet(struct page *p, const struct figure *f, const struct raster_look *look,
		       const struct sheet *sheet)
{
	page_head(p, f, sheet->head, true);
	const double left = sheet->head.x, right = left + sheet->head.w;
	if (sheet->head_rule > 0)
		raster_line(p, left, sheet->head_rule, right, sheet->head_rule, 1, p->theme->hair);
	struct area body[FIGURE_PANELS];
	place_bodies(p, f, sheet, body);
	raster_plan_align(p, f, body);
	for (size_t i = 0; i < f->n; i++) {
		p->panel = i;
		panel_head(p, &f->panels[i], sheet->panel[i], true);
		p->strength = f->panels[i].off ? 0.4 : 1;
		raster_body(p, &f->panels[i], body[i]);
		p->strength = 1;
	}
	if (sheet->foot_rule > 0)
		raster_line(p, left, sheet->foot_rule, right, sheet->foot_rule, 1, p->theme->hair);
	page_foot(p, f, look->command, sheet->foot, true);
}

bool raster_open(struct page *p, const struct raster_look *look, struct arena *a, bool vector,
		 struct err *err)
{
	const int least = 1, most = 12000;
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
		.strength = 1,
		.paper = themes[look->dark].paper,
		.arena = a,
	};
	return raster_text_open(p, err);
}

/* Finds the most of the figure that the page can show legibly, and where it goes; false when that is
 * nothing. */
static bool fit_figure(struct page *p, const struct figure *f, const struct raster_look *look,
		       struct figure *shown, struct sheet *sheet)
{
	struct figure part = *f;
	const char *gone = NULL;
	do {
		if (p->height > p->width && f->pairs)
			raster_tall(&part, shown);
		else
			*shown = part;
		if (gone != NULL)
			shown->subtitle = arena_printf(p->arena, "%s   ·   not on this page: %s",
						       f->subtitle, gone);
		if (fit_sheet(p, shown, look, sheet))
			return true;
	} while (figure_fold(&part, &gone, p->arena));
	return false;
}

bool raster_draw(struct page *p, const struct figure *f, const struct raster_look *look,
		 cairo_surface_t *surface, double scale, struct err *err)
{
	struct sheet sheet = {0};
	struct figure shown;
	const bool legible = fit_figure(p, f, look, &shown, &sheet);
	p->cr = cairo_create(surface);
	cairo_scale(p->cr, scale, scale);
	raster_rect(p, (struct area){0, 0, p->width, p->height}, p->theme->paper);
	if (legible)
		draw_sheet(p, &shown, look, &sheet);
	else
		raster_single(p, f);
	if (p->vector)
		cairo_show_page(p->cr);
	const cairo_status_t status = cairo_status(p->cr);
	cairo_destroy(p->cr);
	if (p->vector)
		cairo_surface_finish(surface);
	return status == CAIRO_STATUS_SUCCESS ||
	       err_set(err, "cannot draw the figure: %s", cairo_status_to_string(status));
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
	bool good = raster_open(&page, look, a, false, err);
	if (good) {
		cairo_surface_t *surface =
			cairo_image_surface_create(CAIRO_FORMAT_RGB24, look->width, look->height);
		good = raster_draw(&page, f, look, surface, 1, err);
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
