/* raster_heatmap_plan.c: the places of a matrix, its labels and its colour bar.
 *
 * Cells are square and in whole pixels if that costs little room. The size of a cell depends on the
 * room that the labels leave, which depends on the size of a cell: solve_once repeats until both
 * agree. raster_heatmap_agree.c lets the heatmaps of a figure agree. */
#include "plot/raster_heatmap.h"

#include <math.h>
#include <string.h>

#include "posviz/base/strbuf.h"

enum cell_state raster_plan_cell(const struct heatmap *h, size_t r, size_t c)
{
	const double v = h->values.at[r * h->values.stride + c];
	if (h->masked != NULL && h->masked[r * h->values.cols + c])
		return CELL_MASKED;
	if (v == -INFINITY)
		return CELL_MASKED;
	if (!isfinite(v))
		return CELL_ALARM;
	return heatmap_name(h, v) != NULL ? CELL_NAME : CELL_VALUE;
}

double raster_plan_pixel(const struct page *p)
{
	return 1 / p->pixels;
}

double raster_plan_edge(double from, double length, size_t i, size_t n, double pixel)
{
	return from + round(length * (double)i / (double)n / pixel) * pixel;
}

struct area raster_plan_area(const struct grid *g, const struct heatmap *h, size_t row, size_t col)
{
	const double x0 = raster_plan_edge(g->at.x, g->at.w, col, h->values.cols, g->pixel);
	const double x1 = raster_plan_edge(g->at.x, g->at.w, col + 1, h->values.cols, g->pixel);
	const double y0 = raster_plan_edge(g->at.y, g->at.h, row, h->values.rows, g->pixel);
	const double y1 = raster_plan_edge(g->at.y, g->at.h, row + 1, h->values.rows, g->pixel);
	return (struct area){x0, y0, x1 - x0, y1 - y0};
}

uint32_t raster_plan_colour(const struct page *p, const struct heatmap *h, size_t row, size_t col)
{
	const enum cell_state state = raster_plan_cell(h, row, col);
	const double value = mat_row(h->values, row)[col];
	return state == CELL_ALARM  ? p->theme->alarm
	       : state == CELL_NAME ? p->theme->hair
				    : colormap_rgb(h->colormap, scale_at(&h->scale, value, NULL));
}

static void add_note(struct strbuf *note, const char *text)
{
	strbuf_printf(note, "%s%s", note->len > 0 && text[0] != '\0' ? " · " : "", text);
}

/* Values of a matrix that its scale cannot show. The layout of a page asks for them many times, and a
 * matrix may have millions. */
struct unshown {
	struct mat values;
	const uint8_t *masked;
	struct scale scale;
	size_t alarms, clipped;
	struct unshown *next;
};

static void count_unshown(const struct heatmap *h, struct unshown *out)
{
	for (size_t r = 0; r < h->values.rows; r++) {
		for (size_t c = 0; c < h->values.cols; c++) {
			const enum cell_state state = raster_plan_cell(h, r, c);
			bool beyond = false;
			if (state == CELL_VALUE && h->scale.locked)
				scale_at(&h->scale, mat_row(h->values, r)[c], &beyond);
			out->alarms += state == CELL_ALARM;
			out->clipped += beyond;
		}
	}
}

/* Tells if they are counts of this matrix under this scale. */
static bool is_of(const struct unshown *k, const struct heatmap *h)
{
	const struct mat *const a = &k->values, *const b = &h->values;
	return a->at == b->at && a->rows == b->rows && a->cols == b->cols &&
	       k->masked == h->masked && k->scale.locked == h->scale.locked &&
	       k->scale.lo == h->scale.lo && k->scale.hi == h->scale.hi;
}

static const struct unshown *unshown_of(struct page *p, const struct heatmap *h)
{
	struct unshown *k = p->unshown;
	while (k != NULL && !is_of(k, h))
		k = k->next;
	if (k == NULL) {
		k = arena_calloc(p->arena, 1, sizeof *k);
		*k = (struct unshown){.values = h->values,
				      .masked = h->masked,
				      .scale = h->scale,
				      .next = p->unshown};
		count_unshown(h, k);
		p->unshown = k;
	}
	return k;
}

/* Returns what readers must know about the values besides their scale. */
const char *raster_plan_note(struct page *p, const struct heatmap *h, enum inside inside)
{
	const struct unshown *const unshown = unshown_of(p, h);
	const size_t alarms = unshown->alarms, clipped = unshown->clipped;
	struct strbuf note;
	strbuf_init(&note, p->arena);
	if (alarms > 0)
		add_note(&note, arena_printf(p->arena, "! %zu value%s not a finite number", alarms,
					     alarms == 1 ? " is" : "s are"));
	if (clipped > 0)
		add_note(&note, arena_printf(p->arena, "%zu beyond the limits", clipped));
	add_note(&note, raster_inside_note(p, h, inside));
	for (size_t i = 0; i < h->n_names; i++)
		add_note(&note, arena_printf(p->arena, "%s, grey: %s", h->names[i].sign,
					     heatmap_name_means(&h->names[i])));
	return note.at;
}

double raster_plan_most(const struct page *p, const struct heatmap *h)
{
	const double cell = 128, alone = 256, part = 0.3;
	const size_t n = h->values.rows > h->values.cols ? h->values.rows : h->values.cols;
	return n > 1 ? cell * p->space : fmin(alone * p->type, part * p->height);
}

/* Returns the side of one cell: in whole pixels unless that wastes too much of the room, and never
 * larger than a cell may be. */
static double whole(const struct page *p, const struct heatmap *h, double cell)
{
	const double pixel = raster_plan_pixel(p), hair = 1e-9;
	cell = fmax(fmin(cell, raster_plan_most(p, h)), LEAST_PITCH);
	const double least = floor(cell / pixel + hair) * pixel;
	return least >= 0.93 * cell ? least : cell;
}

/* Chooses square cells. A matrix far from square may stretch them to the height or width of a
 * label, and words or whole numbers in the cells may widen them. */
static void size_cells(struct page *p, const struct heatmap *h, struct size room, double *cell_w,
		       double *cell_h)
{
	const double rows = (double)h->values.rows, cols = (double)h->values.cols;
	const double w = whole(p, h, room.w / cols), ht = whole(p, h, room.h / rows);
	const double cell = fmin(w, ht), label = ceil(p->line[FACE_TEXT] * 1.2);
	*cell_w = *cell_h = cell;
	if (h->broad)
		*cell_w = fmax(cell, fmin(w, 3 * label));
	else if (cols >= 2 * rows)
		*cell_h = fmax(cell, fmin(ht, label));
	else if (rows >= 2 * cols)
		*cell_w = fmax(cell, fmin(w, 2 * label));
	const double inside = raster_inside_width(p, h, floor(room.w / cols), *cell_h);
	*cell_w = inside > 0 ? fmax(*cell_w, inside) : *cell_w;
}

/* Returns the distance from the matrix to the titles below it, which are half a line below the last
 * row's label. */
static double under(const struct page *p)
{
	return fmax(8 * p->space, p->line[FACE_TEXT] * 0.55);
}

/* Returns a title, or its first word if there is little room, with an arrow along its axis; nothing
 * for no title. */
static const char *with_arrow(struct page *p, const char *title, const char *arrow)
{
	if (title == NULL || title[0] == '\0')
		return "";
	const size_t len = p->terse ? strcspn(title, " ") : strlen(title);
	return arena_printf(p->arena, "%.*s%s", (int)len, title, arrow);
}

/* Returns how far the bar, its labels and the name of its mode extend below the matrix. */
static double bar_foot(const struct page *p, const struct bar *bar, double height)
{
	const double labels = p->line[FACE_TEXT] * ((double)bar->lines + 0.5) + 2;
	if (p->bars_below)
		return bar->n > 0 ? bar->across : 0;
	return labels + fmax(0, bar->length - height);
}

/* Tells if the title of the columns is wider than the matrix, or the bar is below it: then the
 * title is below the bar as well. */
static bool title_sticks_out(struct page *p, const struct grid *g, double width)
{
	return p->bars_below ||
	       raster_text_measure(p, FACE_TEXT, g->col_title).w > width + 12 * p->space;
}

static bool has_titles(const struct grid *g)
{
	return g->row_title[0] != '\0' || g->col_title[0] != '\0';
}

double raster_plan_corner(const struct page *p, const struct grid *g)
{
	return fmax(0, (p->line[FACE_TEXT] - g->cell_h) / 2) + 3 * p->space;
}

/* Tells if the titles have room one above the other in the corner of row and column labels, where
 * they need no further room. */
static bool corner_is_free(struct page *p, const struct fit *fit, const struct grid *g)
{
	const double wide = fmax(raster_text_measure(p, FACE_TEXT, g->row_title).w,
				 raster_text_measure(p, FACE_TEXT, g->col_title).w);
	return !fit->no_rows && !fit->no_cols && wide <= g->left - g->gap - 2 * p->space &&
	       2 * p->line[FACE_TEXT] + raster_plan_corner(p, g) <= g->top;
}

/* Returns the height of the room below a matrix of this width: titles, the end of the bar, the
 * note. */
static double room_below(struct page *p, const struct grid *g, double width, double height,
			 double note_w)
{
	const double line = p->line[FACE_TEXT], foot = bar_foot(p, &g->bar, height);
	const bool titles = !g->corner && has_titles(g) && !p->terse;
	double below = foot;
	if (titles && title_sticks_out(p, g, width))
		below = foot + line + 4 * p->space;
	else if (titles)
		below = fmax(foot, line + under(p));
	if (g->note[0] != '\0')
		below += raster_text_wrap(p, FACE_TEXT, 0, (struct area){.w = note_w}, false,
					  g->note) +
			 6 * p->space;
	return below;
}

/* Returns the gap between row labels and matrix. The first row's label may extend above the matrix,
 * but the first column's label may extend to the left of it, and the row labels keep clear of
 * that. */
static double label_gap(const struct page *p, const struct grid *g)
{
	const double out = (g->cols.most.h * sin(g->cols.angle) - g->cell_w) / 2;
	return fmax(8 * p->space, out + 1);
}

/* Returns a bar as long as the height of the matrix, or as its width if bars are below. */
static struct bar bar_of(struct page *p, const struct heatmap *h, const struct fit *fit,
			 const struct grid *g)
{
	static const struct bar none = {.mode = "", .of = ""};
	const double length = p->bars_below ? g->cell_w * (double)h->values.cols
					    : g->cell_h * (double)h->values.rows;
	return fit->no_bar ? none : raster_bar(p, h, length, fit->bar_of);
}

/* Returns the row labels; none if a matrix at the left has them. */
static struct side rows_of(struct page *p, const struct heatmap *h, const struct fit *fit,
			   const struct grid *g, double width)
{
	static const struct side none = {0};
	return fit->no_rows ? none : raster_labels_rows(p, h, g->cell_h, width);
}

/* The largest width of row labels, the largest length of column labels, and whether these are
 * vertical instead of slanted. */
struct words {
	double width, length;
	bool stand;
};

static struct side cols_of(struct page *p, const struct heatmap *h, const struct grid *g,
			   struct words words)
{
	struct side s = raster_labels_cols(p, h, g->cell_w, words.length);
	if (words.stand && s.angle > 0)
		s.angle = G_PI / 2;
	return s;
}

static void solve_once(struct page *p, const struct heatmap *h, struct area at,
		       const struct fit *fit, struct words words, struct grid *g)
{
	const double rows = (double)h->values.rows, cols = (double)h->values.cols;
	const double title_w = ceil(raster_text_measure(p, FACE_TEXT, g->row_title).w);
	size_cells(p, h, (struct size){at.w * 0.72, at.h * 0.72}, &g->cell_w, &g->cell_h);
	static const struct side no_side = {0};
	bool same = false;
	g->leant = false;
	for (int round_trip = 0; round_trip < 5 && !same; round_trip++) {
		g->rows = rows_of(p, h, fit, g, words.width);
		g->cols = fit->no_cols ? no_side : cols_of(p, h, g, words);
		g->bar = bar_of(p, h, fit, g);
		g->gap = label_gap(p, g);
		g->left = fit->no_rows ? g->gap
				       : fmax(g->rows.most.w, fmin(title_w, at.w * 0.35)) + g->gap +
						 2 * p->space;
		g->left = fmax(g->left, fit->left);
		g->top = fit->no_cols ? 4 * p->space : raster_labels_height(p, &g->cols);
		g->top = fmax(g->top, fit->top);
		g->corner = corner_is_free(p, fit, g);
		g->below = room_below(p, g, g->cell_w * cols, g->cell_h * rows, at.w);
		const double over = raster_labels_overhang(p, &g->cols, h->values.cols, g->cell_w);
		g->right = fmax(p->bars_below ? g->bar.beyond : g->bar.across, over + 2);
		g->leant |= g->cols.angle > 0 && g->cols.angle < G_PI / 2;
		double cell_w, cell_h;
		size_cells(p, h, (struct size){at.w - g->left - g->right, at.h - g->top - g->below},
			   &cell_w, &cell_h);
		cell_w = fit->cell_w > 0 ? fmin(cell_w, fit->cell_w) : cell_w;
		cell_h = fit->cell_h > 0 ? fmin(cell_h, fit->cell_h) : cell_h;
		same = cell_w == g->cell_w && cell_h == g->cell_h;
		/* After two rounds cells only shrink, so that the search ends with labels that
		 * fit. */
		g->cell_w = round_trip < 2 ? cell_w : fmin(g->cell_w, cell_w);
		g->cell_h = round_trip < 2 ? cell_h : fmin(g->cell_h, cell_h);
	}
	if (same)
		return;
	/* Smaller cells have fewer labels, for which the same room is enough. */
	g->rows = rows_of(p, h, fit, g, words.width);
	g->cols = fit->no_cols ? no_side : cols_of(p, h, g, words);
}

/* Tells if `other` has words on both sides, no more of them cut than `g`, and cells that are at
 * least this part of those of `g` in size. */
static bool is_better(const struct grid *g, const struct grid *other, double part)
{
	return !other->rows.numbers && !other->cols.numbers &&
	       other->rows.cut + other->cols.cut <= g->rows.cut + g->cols.cut &&
	       other->cell_w >= part * g->cell_w && other->cell_h >= part * g->cell_h;
}

/* Slanted words take room beyond the last column, so they are vertical if the matrix gets larger by
 * that. If words are cut, those of up to ten letters are shown whole as long as the matrix keeps
 * nearly all of its size. */
static void solve_words(struct page *p, const struct heatmap *h, struct area at,
			const struct fit *fit, struct words words, struct grid *g)
{
	static const double larger = 1.08, nearly = 0.85;
	const double ten = raster_text_measure(p, FACE_TEXT, "0000000000").w;
	const struct words whole = {fmax(words.width, ten), fmax(words.length, ten), false};
	struct grid other = *g;
	other.leant = false;
	solve_once(p, h, at, fit, words, g);
	for (int cut = 0; cut < 2; cut++) {
		struct words now = cut ? whole : words;
		if (cut && g->rows.cut + g->cols.cut == 0)
			return;
		if (cut) {
			solve_once(p, h, at, fit, now, &other);
			if (is_better(g, &other, nearly))
				*g = other;
		}
		now.stand = true;
		if (!g->leant && !other.leant)
			continue;
		solve_once(p, h, at, fit, now, &other);
		if (is_better(g, &other,
			      other.rows.cut + other.cols.cut < g->rows.cut + g->cols.cut ? nearly
											  : larger))
			*g = other;
	}
}

/* Returns the side of n cells. */
static double side_of(double cell, double n, double pixel)
{
	return fmax(1, round(cell * n / pixel) * pixel);
}

static void solve_alone(struct page *p, const struct heatmap *h, struct area at, struct grid *g)
{
	size_cells(p, h, (struct size){at.w, at.h}, &g->cell_w, &g->cell_h);
	g->pixel = raster_plan_pixel(p);
	g->row_title = g->col_title = g->bar.mode = g->bar.of = "";
	g->at = (struct area){at.x, at.y,
			      fmin(at.w, side_of(g->cell_w, (double)h->values.cols, g->pixel)),
			      fmin(at.h, side_of(g->cell_h, (double)h->values.rows, g->pixel))};
}

void raster_plan_solve(struct page *p, const struct heatmap *h, struct area at,
		       const struct fit *fit, struct grid *g)
{
	if (fit->alone) {
		solve_alone(p, h, at, g);
		return;
	}
	const double rows = (double)h->values.rows, cols = (double)h->values.cols;
	struct heatmap plain = *h;
	const bool labelled = !fit->no_rows && !fit->no_cols, titles = !fit->no_bar || labelled;
	g->row_title = titles ? with_arrow(p, h->row_title, " ↓") : "";
	g->col_title = titles ? with_arrow(p, h->col_title, " →") : "";
	const struct words words = {at.w * 0.3, at.h * 0.28, false};
	solve_words(p, h, at, fit, words, g);
	/* The titles of the axes, which another matrix has for this one beside its bar, are repeated only
	 * if the corner has room for them. */
	if (titles && fit->no_bar && !g->corner) {
		g->row_title = g->col_title = "";
		solve_words(p, h, at, fit, words, g);
	}
	/* If words took so much room that only numbers were left, it is solved again, because
	 * numbers need less. */
	plain.row_labels = g->rows.numbers ? NULL : h->row_labels;
	plain.col_labels = g->cols.numbers ? NULL : h->col_labels;
	if (plain.row_labels != h->row_labels || plain.col_labels != h->col_labels)
		solve_once(p, &plain, at, fit, words, g);
	if (p->terse && !g->corner)
		g->row_title = g->col_title = "";
	g->pixel = raster_plan_pixel(p);
	g->left = ceil(g->left);
	g->top = ceil(g->top);
	g->at = (struct area){round(at.x + g->left), round(at.y + g->top),
			      side_of(g->cell_w, cols, g->pixel),
			      side_of(g->cell_h, rows, g->pixel)};
}

/* Puts the title of the rows before that of the columns if it has no room at the left of the
 * matrix, for instance because another matrix has the row labels. */
static void join_titles(struct page *p, struct grid *g, double room)
{
	const char *const both = arena_printf(p->arena, "%s  %s", g->row_title, g->col_title);
	if (g->corner || !*g->row_title || !*g->col_title ||
	    raster_text_measure(p, FACE_TEXT, g->row_title).w <= g->left - g->gap ||
	    raster_text_measure(p, FACE_TEXT, both).w > room)
		return;
	g->row_title = "";
	g->col_title = both;
}

/* Places bar, titles and note around the matrix. */
void raster_plan_rest(struct page *p, const struct heatmap *h, struct area at, struct grid *g)
{
	const double line = p->line[FACE_TEXT];
	g->bar = bar_of(p, h, &p->fit[p->panel], g);
	const double bar_end = g->at.y + g->at.h + bar_foot(p, &g->bar, g->at.h);
	const bool out = title_sticks_out(p, g, g->at.w);
	const bool titles = !g->corner && has_titles(g);
	g->title_y = out ? bar_end + 4 * p->space : g->at.y + g->at.h + under(p);
	g->note_y = fmax(bar_end, titles ? g->title_y + line : 0) + 6 * p->space;
	join_titles(p, g, out ? at.w - g->left : g->at.w);
	g->row_title = raster_text_fit(p, FACE_TEXT, g->row_title, g->left - g->gap);
	g->col_title = raster_text_fit(p, FACE_TEXT, g->col_title, at.w - g->left);
}
