/* raster_contact.c: a contact sheet on a page: families under their names, each map with its name
 * below and its numbers beside it, in columns of one width.
 *
 * The number of maps in a row is chosen so that maps are as large as possible. Letters grow with
 * the maps: on a poster they are large, on a small page they stop at the smallest size while the
 * maps continue to shrink. If the numbers have no room beside the maps, or cells have less than a
 * few pixels, the page is refused. */
#include <math.h>

#include "plot/raster_heatmap.h"
#include "posviz/base/num.h"
#include "posviz/plot/contact.h"

/* The side of a map relative to the size of letters; the fewest pixels of a value. */
static const double side_of_type = 104, least_cell = 2.5;

struct plan {
	const struct contact *k;
	struct area body; /* between the head and the foot of the page */
	size_t across;
	double side, slot;	 /* side of a map; width of an entry, without the gap */
	double numbers;		 /* width of the numbers beside a map, with their gap; 0: none */
	double gap, pad;	 /* between entries; below a map, and beside it */
	double head, name, note; /* heights */
	double bar;		 /* height of the legend at the foot */
	double air;		 /* added between rows if there is room */
	struct contact_flow flow;
};

struct contact_page {
	struct sheet sheet;
	struct plan plan;
};

/* ---- sizes --------------------------------------------------------------------------------------- */

static double numbers_width(struct page *p, const struct contact *k)
{
	double wide = 0;
	if (k->wide_number == NULL)
		return 0;
	wide = fmax(wide, raster_text_measure(p, FACE_TEXT, k->wide_number).w);
	if (k->wide_percent != NULL)
		wide = fmax(wide, raster_text_measure(p, FACE_BOLD, k->wide_percent).w);
	return wide + 6 * p->type;
}

/* Returns the sizes that do not depend on the number of columns. */
static struct plan plan_of(struct page *p, const struct contact *k, struct area body)
{
	const double type = p->type;
	return (struct plan){.k = k,
			     .body = body,
			     .numbers = numbers_width(p, k),
			     .gap = 18 * type,
			     .pad = 4 * type,
			     .head = p->line[FACE_HEAD] + 14 * type,
			     .name = p->line[FACE_BOLD],
			     .note = p->line[FACE_TEXT],
			     .bar = p->line[FACE_TEXT] + 20 * type};
}

static double slot_for(const struct plan *l, size_t across)
{
	return (l->body.w + l->gap) / (double)across - l->gap;
}

/* Returns the columns that a family's name needs above its entries. */
static size_t *name_columns(struct page *p, const struct plan *l, double slot)
{
	size_t *const out = arena_calloc(p->arena, l->k->n_families + 1, sizeof *out);
	for (size_t f = 0; f < l->k->n_families; f++) {
		const double wide =
			raster_text_measure(p, FACE_HEAD, l->k->families[f].name).w + l->gap;
		out[f] = (size_t)ceil(wide / (slot + l->gap));
	}
	return out;
}

/* Returns the sum of the heights of all rows without their maps. */
static double around(const struct plan *l)
{
	double high = l->bar;
	for (size_t r = 0; r < l->flow.rows; r++)
		high += (l->flow.headed[r] ? l->head : 0) + l->pad + l->name +
			(l->flow.noted[r] ? l->note : 0) + (r + 1 < l->flow.rows ? l->gap : 0);
	return high;
}

static void size_maps(struct page *p, struct plan *l, size_t across)
{
	const double columns = (double)l->k->columns;
	l->across = across;
	l->slot = slot_for(l, across);
	contact_flow(l->k, across, name_columns(p, l, l->slot), p->arena, &l->flow);
	const double wide = (l->slot - (columns - 1) * 2 * l->pad) / columns - l->numbers;
	const double high = (l->body.h - around(l)) / (double)l->flow.rows;
	l->side = floor(fmin(wide, high));
}

/* Chooses the number of entries in a row that makes the maps largest; among equal ones the larger
 * number, which needs fewer rows. */
static void choose_across(struct page *p, struct plan *l)
{
	struct plan best = *l;
	if (l->k->across > 0) {
		size_maps(p, l, l->k->across);
		return;
	}
	best.side = -INFINITY;
	for (size_t n = 1; n <= l->k->n && slot_for(l, n) > l->numbers; n++) {
		size_maps(p, l, n);
		if (l->side >= best.side)
			best = *l;
	}
	*l = best;
}

/* Tells if a map has room for its numbers beside it, and visible cells. */
static bool is_legible(struct page *p, const struct plan *l)
{
	const double lines = l->numbers > 0 ? 3 : 1.5;
	return l->side >= lines * p->line[FACE_TEXT] &&
	       l->side >= least_cell * (double)l->k->longest;
}

static void lay_out_at(struct page *p, const struct figure *f, double type, struct sheet *sheet,
		       struct plan *out)
{
	p->compact = false; /* the head describes the maps in full */
	raster_text_size(p, type);
	*out = plan_of(p, f->contact, raster_page_frame(p, f, sheet));
	choose_across(p, out);
}

/* Lays out with the largest letters that suit the maps; false: it is not legible with the smallest
 * ones. */
static bool lay_out(struct page *p, const struct figure *f, struct sheet *sheet, struct plan *out)
{
	raster_page_space(p);
	const double first = raster_faces_first(p), last = raster_faces_last(p);
	for (double type = first; type > last * 0.93; type *= 0.93) {
		lay_out_at(p, f, fmax(type, last), sheet, out);
		if (out->side >= side_of_type * p->type)
			break;
	}
	return is_legible(p, out);
}

/* Moves rows apart if there is room, up to three times the gap. */
static void use_height(struct plan *l)
{
	const double left = l->body.h - around(l) - (double)l->flow.rows * l->side;
	if (l->flow.rows > 1)
		l->air = floor(fmin(2 * l->gap, left / (double)(l->flow.rows - 1)));
}

/* ---- drawing ------------------------------------------------------------------------------------- */

static void draw_share(struct page *p, const struct contact_map *m, struct area at)
{
	const double line = p->line[FACE_TEXT], x = at.x + at.w + 6 * p->type;
	const bool all = m->share > 1 - 1e-9;
	if (m->percent == NULL)
		return;
	raster_text_put(p, all ? FACE_BOLD : FACE_TEXT, all ? p->theme->ink : p->theme->second, 0,
			x, at.y + at.h - line, m->percent);
	/* The bar needs room for more than its number. */
	const double top = at.y + 2 * line + 5 * p->type, end = at.y + at.h - line - 3 * p->type;
	const double wide = round(5 * p->type), part = fmax(0, m->share) * (end - top);
	if (end - top < 1.5 * line)
		return;
	raster_rect(p, (struct area){x, top, wide, end - top}, p->theme->tint);
	raster_rect(p, (struct area){x, end - part, wide, part}, p->theme->second);
}

static void draw_map(struct page *p, const struct contact_map *m, struct area at)
{
	const double line = p->line[FACE_TEXT], x = at.x + at.w + 6 * p->type;
	const struct grid g = {.at = at,
			       .pixel = raster_plan_pixel(p),
			       .cell_w = at.w / (double)m->map.values.cols,
			       .cell_h = at.h / (double)m->map.values.rows};
	raster_heatmap_cells(p, &m->map, &g);
	if (m->low == NULL)
		return;
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, x, at.y, m->low);
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, x, at.y + line, m->high);
	draw_share(p, m, at);
}

/* Returns the distance from one map of an entry to the next. */
static double map_step(const struct plan *l)
{
	return l->side + l->numbers + 2 * l->pad;
}

/* Draws name and year under the first map with the note below them, and under the others the number
 * of their sentence. */
static void draw_words(struct page *p, const struct plan *l, const struct contact_entry *e,
		       double x, double y)
{
	const double wide = l->k->columns > 1 ? l->side + l->numbers : l->slot;
	const char *const name = raster_text_fit(p, FACE_BOLD, e->name, wide);
	const double used = raster_text_measure(p, FACE_BOLD, name).w + 6 * p->type;
	const char *const year = e->year > 0 ? arena_printf(p->arena, "’%02d", e->year % 100) : "";
	raster_text_put(p, FACE_BOLD, p->theme->ink, 0, x, y, name);
	if (used + raster_text_measure(p, FACE_TEXT, year).w <= wide)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, x + used, y, year);
	for (size_t s = 1; s < l->k->columns; s++)
		if (e->maps[s].map.values.at != NULL)
			raster_text_put(p, FACE_TEXT, p->theme->second, 0,
					x + (double)s * map_step(l), y,
					arena_printf(p->arena, "%zu", s + 1));
	if (e->note != NULL)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, x, y + l->name,
				raster_text_fit(p, FACE_TEXT, e->note, wide));
}

static void draw_entry(struct page *p, const struct plan *l, const struct contact_entry *e,
		       double x, double y)
{
	for (size_t s = 0; s < l->k->columns; s++) {
		/* In a map that is not square cells have equal sides, too. */
		const struct mat v = e->maps[s].map.values;
		const double most = (double)(v.rows > v.cols ? v.rows : v.cols);
		const struct area at = {round(x + (double)s * map_step(l)), round(y),
					fmax(1, floor(l->side * (double)v.cols / most)),
					fmax(1, floor(l->side * (double)v.rows / most))};
		if (v.at != NULL)
			draw_map(p, &e->maps[s], at);
	}
	draw_words(p, l, e, x, y + l->side + l->pad);
}

static void draw_part(struct page *p, const struct plan *l, size_t entry, double x, double y)
{
	const struct contact_entry *const e = &l->k->entries[entry];
	raster_part(p, arena_printf(p->arena, "map-%zu", entry + 1), e->name);
	draw_entry(p, l, e, x, y);
	raster_end(p);
}

/* Draws the family's name, under a hairline, above its entries. */
static void draw_head(struct page *p, const struct plan *l, const struct contact_run *run, double x,
		      double y)
{
	const double wide = (double)run->cols * (l->slot + l->gap) - l->gap;
	const char *const name = l->k->families[run->family].name;
	raster_line(p, x, y, x + wide, y, 1, p->theme->hair);
	raster_text_put(p, FACE_HEAD, run->again ? p->theme->second : p->theme->ink, 0, x,
			y + 5 * p->type, raster_text_fit(p, FACE_HEAD, name, wide));
}

static void draw_runs(struct page *p, const struct plan *l)
{
	double y = l->body.y;
	for (size_t r = 0; r < l->flow.rows; r++) {
		const double top = y + (l->flow.headed[r] ? l->head : 0);
		for (size_t i = 0; i < l->flow.n; i++) {
			const struct contact_run *const run = &l->flow.runs[i];
			if (run->row != r)
				continue;
			for (size_t n = 0; n < run->n; n++)
				draw_part(p, l, run->first + n,
					  l->body.x + (double)(run->col + n) * (l->slot + l->gap),
					  top);
			if (l->flow.headed[r])
				draw_head(p, l, run,
					  l->body.x + (double)run->col * (l->slot + l->gap), y);
		}
		y = top + l->side + l->pad + l->name + (l->flow.noted[r] ? l->note : 0) + l->gap +
		    l->air;
	}
}

/* Returns the meaning of the ends of the colours: in words, or the limits that maps share. */
static const char *ends_of(struct page *p, const struct plan *l, const struct heatmap *h)
{
	double lo, hi;
	char text[2][32];
	if (l->k->own)
		return h->scale.diverging ? "−max … 0 … +max" : "0 … max";
	scale_part_limits(&h->scale, &lo, &hi);
	const char *const mode =
		h->scale.mode == SCALE_LINEAR
			? ""
			: arena_printf(p->arena, ", %s scale", scale_mode_names[h->scale.mode]);
	return arena_printf(p->arena, "%s … %s%s%s", num_show(text[0], sizeof text[0], lo, 3),
			    hi > 0 && lo < 0 ? "+" : "", num_show(text[1], sizeof text[1], hi, 3),
			    mode);
}

/* Draws the colours and the meaning of their ends from x on, if they have room; returns the x where
 * the next may begin. */
static double draw_colours(struct page *p, const struct plan *l, const struct heatmap *h,
			   const char *what, double x)
{
	const double line = p->line[FACE_TEXT], high = round(10 * p->type), gap = 8 * p->type;
	const double wide = round(140 * p->type), y = l->body.y + l->body.h - line;
	const char *const words = arena_printf(p->arena, "%s%s", what, ends_of(p, l, h));
	const double all = wide + gap + raster_text_measure(p, FACE_TEXT, words).w;
	double from = 0, to = 1;
	if (x + all > l->body.x + l->body.w)
		return x;
	if (!l->k->own)
		scale_part(&h->scale, &from, &to);
	enum { STRIPES = 128 };
	uint32_t colours[STRIPES];
	for (size_t i = 0; i < STRIPES; i++)
		colours[i] =
			colormap_rgb(h->colormap, from + (to - from) * ((double)i + 0.5) / STRIPES);
	raster_stripes(p, (struct area){round(x), round(y + (line - high) / 2), wide, high},
		       colours, STRIPES, false);
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, x + wide + gap, y, words);
	return x + all + 36 * p->type;
}

static void draw_legend(struct page *p, const struct plan *l)
{
	const char *const masked = l->side >= STROKE_LEAST * (double)l->k->longest
					   ? "a stroke: masked"
					   : "blank: masked";
	const struct contact *const k = l->k;
	const bool both = k->bar.colormap != NULL && k->weights.colormap != NULL;
	double x = l->body.x;
	if (k->bar.colormap != NULL)
		x = draw_colours(p, l, &k->bar, "", x);
	if (k->weights.colormap != NULL)
		x = draw_colours(p, l, &k->weights, both ? "weights " : "", x);
	if (k->masked && x + raster_text_measure(p, FACE_TEXT, masked).w <= l->body.x + l->body.w)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, x,
				l->body.y + l->body.h - p->line[FACE_TEXT], masked);
}

/* ---- the size of the page ------------------------------------------------------------------------ */

/* Tells if a page of this size is legible with the smallest letters. */
static bool fits(struct page *p, const struct figure *f, double width, double height)
{
	struct sheet sheet = {0};
	struct plan l = {0};
	p->width = width;
	p->height = height;
	raster_page_space(p);
	lay_out_at(p, f, raster_faces_last(p), &sheet, &l);
	return is_legible(p, &l);
}

/* Returns "800 x 600 pixels", for paper "3.3 x 2.5 in". */
static const char *size_words(const struct page *p, double width, double height)
{
	static const double inch = 96;
	return p->given > 0 ? arena_printf(p->arena, "%.1f x %.1f in", ceil(width / inch * 10) / 10,
					   ceil(height / inch * 10) / 10)
			    : arena_printf(p->arena, "%.0f x %.0f pixels", width, height);
}

/* Sets an error that names the smallest legible page of this shape, in tens of pixels. */
static void refuse(struct page *p, const struct figure *f, struct err *err)
{
	const double w = p->width, h = p->height, most = RASTER_CONTACT_MOST / fmax(w, h);
	const struct contact *const k = f->contact;
	const size_t n = k->n * k->columns;
	const char *const what = arena_printf(
		p->arena, "a page of %s is too small for %zu map%s of %zu token%s",
		size_words(p, w, h), n, n == 1 ? "" : "s", k->longest, k->longest == 1 ? "" : "s");
	double less = 1, more = most;
	if (most <= 1 || !fits(p, f, w * most, h * most)) {
		err_set(err, "%s; no page up to %s would do: fewer of either would be right", what,
			size_words(p, RASTER_CONTACT_MOST, RASTER_CONTACT_MOST));
		return;
	}
	while (more - less > 0.01) {
		const double middle = (less + more) / 2;
		*(fits(p, f, w * middle, h * middle) ? &more : &less) = middle;
	}
	err_set(err, "%s; %s would be right", what,
		size_words(p, fmin(RASTER_CONTACT_MOST, ceil(w * more / 10) * 10),
			   fmin(RASTER_CONTACT_MOST, ceil(h * more / 10) * 10)));
}

/* The height on which a page has as much room as its rows ask for. */
static const double endless = 1e5;

/* Returns the plan with as many maps in a row as leave their sides this part of the usual. */
static struct plan plan_with(struct page *p, const struct plan *from, double least)
{
	struct plan l = *from;
	size_maps(p, &l, l.k->across > 0 ? l.k->across : 1);
	for (size_t n = 2; l.k->across == 0 && n <= l.k->n && slot_for(&l, n) > l.numbers; n++) {
		struct plan more = l;
		size_maps(p, &more, n);
		if (more.side >= least * side_of_type * p->type && is_legible(p, &more))
			l = more;
	}
	return l;
}

static double height_of(const struct plan *l)
{
	return ceil(endless - l->body.h + around(l) + (double)l->flow.rows * fmax(1, l->side));
}

static struct plan endless_plan(struct page *p, const struct figure *f)
{
	struct sheet sheet = {0};
	p->height = endless;
	raster_page_space(p);
	p->compact = false;
	raster_text_size(p, raster_faces_first(p));
	return plan_of(p, f->contact, raster_page_frame(p, f, &sheet));
}

/* Returns the height of a page with as many maps in a row as letters of the given size allow; with
 * more and smaller ones if these, and not the others, have room on a page of paper. */
double raster_contact_height(struct page *p, const struct figure *f)
{
	static const double parts[] = {0.7, 0.6, 0.5, 0.4};
	const struct plan l = endless_plan(p, f);
	double usual = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const struct plan dense = plan_with(p, &l, parts[i]);
		const double high = height_of(&dense);
		usual = i == 0 ? high : usual;
		if (high <= RASTER_CONTACT_PAPER)
			return high;
	}
	return usual;
}

struct contact_rows raster_contact_rows(struct page *p, const struct figure *f)
{
	static const double part = 0.55;
	const struct plan from = endless_plan(p, f), l = plan_with(p, &from, part);
	struct contact_rows out = {.across = l.across,
				   .n = l.flow.rows,
				   .around = ceil(endless - l.body.h + l.bar),
				   .high = arena_calloc(p->arena, l.flow.rows + 1, sizeof(double)),
				   .end = arena_calloc(p->arena, l.flow.rows + 1, sizeof(size_t))};
	for (size_t i = 0; i < l.flow.n; i++)
		out.end[l.flow.runs[i].row] = l.flow.runs[i].first + l.flow.runs[i].n;
	out.head = l.head;
	out.headed = l.flow.headed;
	for (size_t r = 0; r < l.flow.rows; r++)
		out.high[r] =
			l.pad + l.name + (l.flow.noted[r] ? l.note : 0) + l.gap + fmax(1, l.side);
	return out;
}

bool raster_contact_refuse(const struct page *p, const struct figure *f, struct err *err)
{
	return err_set(
		err,
		"%zu maps need a page of %.0f x %.0f pixels at this width, larger than pages "
		"are: a PDF, which has several, a family, fewer schemes, a wider page (--size) or "
		"--for poster would be right",
		f->contact->n * f->contact->columns, round(p->width * p->pixels),
		round(p->cut * p->pixels));
}

/* Page sizes to choose from: screens, whose height is reduced to what the maps need, then paper
 * from A3 to A0 at 150 dots per inch. The first is taken on which maps have at least this `side`;
 * on screens they get no larger than `most`. */
static const struct {
	int width, height;
	double side, most;
} usual_pages[] = {
	{900, 600, 150, 240}, {1200, 800, 130, 240}, {1600, 1000, 110, 200}, {2480, 1754, 118, 0},
	{3508, 2480, 118, 0}, {4961, 3508, 118, 0},  {7016, 4961, 0, 0},
};

bool raster_contact_size(const struct figure *f, struct raster_look *look, struct arena *a,
			 struct err *err)
{
	struct page page = {0};
	look->width = usual_pages[0].width;
	look->height = usual_pages[0].height;
	const bool good = raster_open(&page, f, look, a, err);
	for (size_t i = 0; good && i < sizeof usual_pages / sizeof *usual_pages; i++) {
		struct sheet sheet = {0};
		struct plan l = {0};
		look->width = page.width = usual_pages[i].width;
		look->height = page.height = usual_pages[i].height;
		const bool legible = lay_out(&page, f, &sheet, &l);
		const double most = usual_pages[i].most;
		if (!legible || l.side < usual_pages[i].side)
			continue;
		if (most > 0)
			look->height -= floor(l.body.h - around(&l) -
					      (double)l.flow.rows * fmin(l.side, most));
		break;
	}
	raster_text_close(&page);
	return good;
}

bool raster_contact_letters(const struct figure *f, struct raster_look *look, double least,
			    struct arena *a, struct err *err)
{
	static const double tenth = 96.0 / 72 / 10;
	struct page page = {0};
	const bool good = raster_open(&page, f, look, a, err);
	double less = ceil(least / tenth), more = floor(look->type / tenth);
	if (good && less < more && !fits(&page, f, page.width, page.height)) {
		while (more - less > 1) {
			page.given = floor((less + more) / 2) * tenth;
			*(fits(&page, f, page.width, page.height) ? &less : &more) =
				floor((less + more) / 2);
		}
		look->type = less * tenth;
	}
	raster_text_close(&page);
	return good;
}

const struct contact_page *raster_contact(struct page *p, const struct figure *f, struct err *err)
{
	struct contact_page *const out = arena_calloc(p->arena, 1, sizeof *out);
	if (!lay_out(p, f, &out->sheet, &out->plan)) {
		refuse(p, f, err);
		return NULL;
	}
	use_height(&out->plan);
	return out;
}

void raster_contact_draw(struct page *p, const struct figure *f, const struct contact_page *page)
{
	raster_page_begin(p, f, &page->sheet);
	draw_runs(p, &page->plan);
	draw_legend(p, &page->plan);
	raster_page_end(p, f, &page->sheet);
}
