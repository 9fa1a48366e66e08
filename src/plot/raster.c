/* raster.c: the page with title, panels and caption, which are drawn at the places chosen by
 * raster_layout.c; and the image it can be drawn into. */
#include "plot/drawing.h"
#include "plot/panel_in.h"
#include "plot/raster_pen.h"
#include "plot/raster_equation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Draws (or only measures) one paragraph and returns the y where the next may start. */
static double paragraph(struct page *p, enum face face, uint32_t ink, struct area at, bool draw,
			const char *text)
{
	return at.y + raster_text_wrap(p, face, ink, at, draw, text);
}

/* The title, followed on the same line by the subtitle, which loses its first parts if they have no
 * room; false if no part has room. */
static bool head_in_one_line(struct page *p, const struct figure *f, struct area at, bool draw,
			     double *y)
{
	static const char dot[] = "   ·   ";
	const char *const title = f->title != NULL ? f->title : "";
	const char *rest = f->subtitle != NULL ? f->subtitle : "";
	const struct size size = raster_text_measure(p, FACE_TITLE, title);
	const double gap = 28 * p->space, line = p->line[FACE_TITLE];
	while (size.w + gap + raster_text_measure(p, FACE_TEXT, rest).w > at.w) {
		rest = strstr(rest, dot);
		if (rest == NULL)
			return false;
		rest += strlen(dot);
	}
	if (draw) {
		raster_text_put(p, FACE_TITLE, p->theme->ink, 0, at.x, at.y, title);
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, at.x + size.w + gap,
				at.y + (line - p->line[FACE_TEXT]) * 0.72, rest);
	}
	*y = at.y + line;
	return true;
}

/* Draws the finding below a head that ends at y, on a compact page the brief one if it has more than a
 * line, unless it would take much of a small page; returns the end of both. */
static double finding(struct page *p, const struct figure *f, struct area at, bool draw, double y)
{
	static const double most = 0.12; /* of the height of the page */
	const char *said = f->finding;
	if (said == NULL)
		return y;
	if (p->compact && f->finding_brief != NULL &&
	    raster_text_measure(p, FACE_TEXT, said).w > at.w)
		said = f->finding_brief;
	at.y = y + (p->compact ? 3 : 8) * p->space;
	if (paragraph(p, FACE_TEXT, p->theme->ink, at, false, said) - y > most * p->height)
		return y;
	return paragraph(p, FACE_TEXT, p->theme->ink, at, draw, said);
}

double raster_page_head(struct page *p, const struct figure *f, struct area at, bool draw)
{
	double y = at.y;
	if (p->foot == FOOT_NONE)
		return y;
	if (p->compact && head_in_one_line(p, f, at, draw, &y))
		return finding(p, f, at, draw, y);
	if (f->title != NULL)
		y = paragraph(p, FACE_TITLE, p->theme->ink, at, draw, f->title);
	if (f->subtitle != NULL) {
		at.y = y + 6 * p->space;
		y = paragraph(p, FACE_TEXT, p->theme->second, at, draw, f->subtitle);
	}
	return finding(p, f, at, draw, y);
}

/* Returns as many of the first parts between dots as fit. */
static const char *one_line(struct page *p, const char *text, double width)
{
	static const char dot[] = " · ";
	char *const shown = arena_strdup(p->arena, text), *end = NULL;
	bool more = raster_text_measure(p, FACE_TEXT, shown).w >
		    width; /* true as long as more parts may fit */
	for (char *at = strstr(shown, dot); at && more; at = strstr(at + 1, dot)) {
		*at = '\0';
		more = raster_text_measure(p, FACE_TEXT, shown).w <= width;
		*at = *dot;
		end = more || end == NULL ? at : end;
	}
	if (end)
		*end = '\0';
	return raster_text_fit(p, FACE_TEXT, shown, width);
}

double raster_page_foot(struct page *p, const struct figure *f, struct area at, bool draw)
{
	struct area left = at;
	double y = at.y;
	if (p->foot == FOOT_NONE)
		return y;
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
		y = fmax(y, paragraph(p, FACE_TEXT, p->theme->second, left, draw,
				      p->compact && !f->whole ? one_line(p, f->caption, left.w)
							      : f->caption));
	if (p->foot == FOOT_COMMAND && f->command != NULL) {
		at.y = y + 4 * p->space;
		y = paragraph(p, FACE_TEXT, p->theme->second, at, draw, f->command);
	}
	return y;
}

/* Returns the words beside a panel's title if there is no room below it: both note and subtitle, or
 * the one that fits. */
static const char *words_beside(struct page *p, const struct panel *panel, double width)
{
	const char *const note = panel->paper_note != NULL   ? panel->paper_note
				 : panel->short_note != NULL ? panel->short_note
				 : panel->note != NULL	     ? panel->note
							     : "";
	const char *const below = panel->subtitle != NULL ? panel->subtitle : "";
	const char *const both = note[0] != '\0' && below[0] != '\0'
					 ? arena_printf(p->arena, "%s · %s", note, below)
					 : below;
	const char *const legend =
		panel_shows_map(panel)
			? heatmap_one_sided(p->arena, &panel->heatmap, "\\\\", "//", true)
			: NULL;
	const char *const forms[] = {both, below, legend != NULL ? legend : "", note};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i][0] != '\0' && raster_text_measure(p, FACE_TEXT, forms[i]).w <= width)
			return forms[i];
	return "";
}

/* Draws the letter of a panel and takes its width from *rest; returns how far below the top of the
 * letter the title begins, so that both are on a line. */
static double letter(struct page *p, struct area at, bool draw, struct area *rest)
{
	if (!p->letters)
		return 0;
	const char text[] = {draw ? p->letter[p->panel] : 'b', '\0'};
	const double taken = raster_text_measure(p, FACE_LETTER, "b").w + 0.6 * p->line[FACE_TEXT];
	if (draw)
		raster_text_put(p, FACE_LETTER, p->theme->ink, 0, at.x, at.y, text);
	rest->x += taken;
	rest->w -= taken;
	return (raster_text_line(p, FACE_LETTER) - p->line[FACE_HEAD]) * 0.8;
}

/* Draws title, note and subtitle of a panel; returns the y where its body starts. The note is
 * beside the title if it has room there, else before the subtitle. */
double raster_panel_head(struct page *p, const struct panel *panel, struct area at, bool draw)
{
	const double down = letter(p, at, draw, &at);
	const char *title = panel->paper_title != NULL ? panel->paper_title : panel->title;
	if (title == NULL)
		title = "";
	/* The shorter title is used if the paper title would need a second line. */
	if (panel->title != NULL && raster_text_measure(p, FACE_HEAD, title).w > at.w &&
	    raster_text_measure(p, FACE_HEAD, panel->title).w <= at.w)
		title = panel->title;
	if (panel->off)
		title = arena_printf(p->arena, "%s (off)", title);
	const struct size size = raster_text_measure(p, FACE_HEAD, title);
	const double gap = title[0] != '\0' ? 20 * p->space : 0, room = at.w - size.w - gap;
	at.y += down;
	const char *note = p->terse		       ? words_beside(p, panel, room)
			   : panel->paper_note != NULL ? panel->paper_note
			   : panel->note != NULL       ? panel->note
						       : "";
	const char *below = !p->terse && panel->subtitle != NULL ? panel->subtitle : "";
	const bool beside = raster_text_measure(p, FACE_TEXT, note).w <= room && note[0] != '\0';
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
	return y + (panel_is_map(panel) ? 10 : 14) * p->space;
}

static struct size body_of(struct page *p, const struct panel *panel, double width)
{
	const struct panel_type *const type = panel_type(panel);
	return type->body != NULL ? type->body(p, panel, width)
				  : panel_body(p, type->smallest.width, type->smallest.lines);
}

struct size raster_body_least(struct page *p, const struct panel *panel, double width)
{
	const struct area at = {.w = width};
	if (panel->absent == NULL)
		return body_of(p, panel, width);
	return (struct size){120 * p->type,
			     raster_text_wrap(p, FACE_TEXT, 0, at, false, panel->absent)};
}

void raster_body(struct page *p, const struct panel *panel, struct area at)
{
	const struct pen pen = pen_page(p, at);
	if (panel->absent != NULL)
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, panel->absent);
	else if (panel_type(panel)->page != NULL)
		panel_type(panel)->page(p, panel, at);
	else
		panel_draw(&pen, panel);
}

static void draw_panels(struct page *p, const struct figure *f, const struct sheet *sheet)
{
	struct area body[FIGURE_PANELS];
	raster_layout_bodies(p, f, sheet, body);
	for (size_t i = 0; i < f->n; i++) {
		p->panel = i;
		raster_panel_part(p, f, i);
		raster_panel_head(p, &f->panels[i], sheet->panel[i], true);
		p->strength = f->panels[i].off ? 0.4 : 1;
		raster_body(p, &f->panels[i], body[i]);
		p->strength = 1;
		raster_end(p);
	}
}

static void draw_rule(struct page *p, const struct sheet *sheet, double y)
{
	if (y > 0)
		raster_line(p, sheet->head.x, y, sheet->head.x + sheet->head.w, y, 1,
			    p->theme->hair);
}

void raster_page_begin(struct page *p, const struct figure *f, const struct sheet *sheet)
{
	raster_part(p, "head", "title");
	raster_page_head(p, f, sheet->head, true);
	raster_end(p);
	draw_rule(p, sheet, sheet->head_rule);
}

void raster_page_end(struct page *p, const struct figure *f, const struct sheet *sheet)
{
	draw_rule(p, sheet, sheet->foot_rule);
	raster_part(p, "foot", "caption");
	raster_page_foot(p, f, sheet->foot, true);
	raster_end(p);
}

static void draw_sheet(struct page *p, const struct figure *f, const struct sheet *sheet)
{
	raster_page_begin(p, f, sheet);
	if (sheet->equation != NULL)
		raster_equation_draw(p, sheet->equation);
	else
		draw_panels(p, f, sheet);
	raster_page_end(p, f, sheet);
}

int raster_pixels(const struct raster_look *look, double units)
{
	return (int)lround(units * (look->pixels > 0 ? look->pixels : 1));
}

static bool check_size(const struct page *p, struct err *err)
{
	const double least = 1, most = 12000, all = 64e6;
	const double w = round(p->width * p->pixels), h = round(p->cut * p->pixels);
	return (w >= least && h >= least && w <= most && h <= most && w * h <= all) ||
	       err_set(err,
		       "a page of %.0f x %.0f pixels: %.0f to %.0f each way and at most 64 million "
		       "in all would be right",
		       w, h, least, most);
}

/* Returns the figure with the panels that a page of this shape shows. */
static const struct figure *figure_of(struct page *p, const struct figure *f)
{
	bool all = f->presented == NULL;
	for (size_t i = 0; i < f->n; i++)
		all &= !f->panels[i].at_foot;
	if (all)
		return f;
	struct figure *const one = arena_calloc(p->arena, 1, sizeof *one);
	if (f->presented == NULL) {
		figure_without_foot(f, one);
		return one;
	}
	raster_presented(f, p->width > p->height, p->arena, one);
	return one;
}

/* Draws into an image of one pixel to find the lower end of the figure, and cuts the page there. */
static bool cut_page(struct page *p, const struct figure *f, struct err *err)
{
	const double hair = 3;
	struct image nothing;
	double end = 0;
	const bool good = raster_draw(p, f, device_pixels(p->arena, 1, 1, 1, &nothing), err);
	for (size_t i = 0; i < p->report.n; i++)
		end = fmax(end, text_box_bottom(&p->report.boxes[i]));
	for (size_t i = 0; i < p->report.plot_n; i++)
		end = fmax(end, p->report.plots[i].y + p->report.plots[i].height);
	p->cut = fmin(p->height, ceil(end + hair));
	p->report =
		(struct raster_report){.font = p->report.font, .font_taken = p->report.font_taken};
	p->box_room = p->plot_room = p->lost = 0;
	return good;
}

bool raster_open(struct page *p, const struct figure *f, const struct raster_look *look,
		 struct arena *a, struct err *err)
{
	*p = (struct page){
		.dark = look->dark,
		.foot = look->foot,
		.letters = look->foot == FOOT_NONE && f->n > 1,
		.quiet = look->type > 0 || look->foot == FOOT_NONE || f->picked,
		.given = look->type,
		.pixels = look->pixels > 0 ? look->pixels : 1,
		.font = look->font,
		.theme = &page_themes[look->dark],
		.width = look->width,
		.height = look->height,
		.strength = 1,
		.paper = page_themes[look->dark].paper,
		.arena = a,
	};
	p->as_needed = fabs(look->height) <= 0;
	p->cut = p->as_needed ? 1 : look->height;
	if (!check_size(p, err) || !raster_text_open(p, err))
		return false;
	if (p->as_needed)
		p->cut = p->height = f->contact != NULL ? raster_contact_height(p, f)
							: raster_height(p, figure_of(p, f));
	if (p->as_needed && !cut_page(p, f, err))
		return false;
	p->report.width = p->width;
	p->report.height = p->cut;
	if (check_size(p, err))
		return true;
	return p->as_needed && f->contact != NULL ? raster_contact_refuse(p, f, err) : false;
}

bool raster_lay(struct page *p, const struct figure *f, struct laid_page *out, struct err *err)
{
	*out = (struct laid_page){.figure = f};
	if (f->contact != NULL && (out->contact = raster_contact(p, f, err)) == NULL)
		return false;
	out->figure = figure_of(p, f);
	out->legible =
		out->contact == NULL && raster_layout(p, out->figure, &out->shown, &out->sheet);
	return true;
}

void raster_put(struct page *p, const struct laid_page *laid)
{
	if (laid->contact != NULL)
		raster_contact_draw(p, laid->figure, laid->contact);
	else if (laid->legible)
		draw_sheet(p, &laid->shown, &laid->sheet);
	else
		raster_single(p, laid->figure);
}

/* Returns the area of all boxes and plots of the report. */
static struct area reported_area(const struct page *p)
{
	double left = p->width, top = p->height, right = 0, end = 0;
	for (size_t i = 0; i < p->report.n; i++) {
		const struct text_box *const b = &p->report.boxes[i];
		left = fmin(left, b->x);
		top = fmin(top, b->y);
		right = fmax(right, b->x + (b->angle < 0 ? b->width * cos(b->angle) : b->width));
		end = fmax(end, text_box_bottom(b));
	}
	for (size_t i = 0; i < p->report.plot_n; i++) {
		const struct plot_box *const b = &p->report.plots[i];
		right = fmax(right, b->x + b->width);
		end = fmax(end, b->y + b->height);
	}
	return (struct area){left, top, right - left, end - top};
}

struct area raster_used(struct page *p, const struct laid_page *laid, bool panels)
{
	struct device *const before = p->device;
	const struct raster_report kept = p->report;
	struct image nothing;
	struct err err;
	if (!laid->legible && laid->contact == NULL) /* its drawing has all of the page */
		return (struct area){0, 0, p->width, p->height};
	p->device = device_pixels(p->arena, 1, 1, 1, &nothing);
	p->report.n = p->report.plot_n = p->report.bar_n = 0;
	if (panels)
		draw_panels(p, &laid->shown, &laid->sheet);
	else
		raster_put(p, laid);
	const struct area used = reported_area(p);
	p->device->kind->close(p->device, &err);
	p->device = before;
	p->report = kept;
	p->box_room = p->plot_room = 0;
	return used;
}

/* On a slide or a poster, panels that cannot use all of the page are moved to its middle. */
static void centre(struct page *p, struct laid_page *laid)
{
	struct sheet *const sheet = &laid->sheet;
	if (!laid->legible || !(p->given > 0) || p->as_needed || p->foot == FOOT_NONE ||
	    sheet->equation != NULL)
		return;
	const struct area used = raster_used(p, laid, true);
	const double foot = sheet->foot_rule > 0 ? sheet->foot_rule : p->height;
	const double spare = sheet->head.x + sheet->head.w - used.x - used.w;
	const double right = floor(fmax(0, spare) / 2);
	const double down = floor(fmax(0, foot - used.y - used.h - 28 * p->space) / 2);
	for (size_t i = 0; i < laid->shown.n; i++) {
		sheet->panel[i].x += right;
		sheet->panel[i].y += down;
	}
}

bool raster_draw(struct page *p, const struct figure *f, struct device *device, struct err *err)
{
	struct laid_page laid;
	if (!raster_lay(p, f, &laid, err))
		return false;
	centre(p, &laid);
	p->device = device;
	/* The area is one unit larger, because the page may cover only a part of its last
	 * pixels. */
	raster_rect(p, (struct area){0, 0, p->width + 1, p->height + 1}, p->theme->paper);
	raster_put(p, &laid);
	return device->kind->close(device, err);
}

bool raster_image(const struct figure *f, const struct raster_look *look, struct arena *a,
		  struct image *out, struct raster_report *report, struct err *err)
{
	struct page page = {0};
	const bool good =
		raster_open(&page, f, look, a, err) &&
		raster_draw(&page, f,
			    device_pixels(a, raster_pixels(look, page.width),
					  raster_pixels(look, page.cut), page.pixels, out),
			    err);
	raster_text_close(&page);
	if (good && report != NULL)
		*report = page.report;
	return good;
}
