/* raster_equation_plan.c: the places of the parts of an equation on a page.
 *
 * Every number of matrices in a line is tried, and the one with the largest cells is taken. If
 * matrices have no room to be legible, the least important are left out. */
#include <math.h>
#include <string.h>

#include "plot/raster_equation.h"
#include "plot/raster_pen.h"

enum {
	LEAST_SIDE = 84, /* the smallest side of a matrix at full size of letters ... */
	LEAST_CELL = 24, /* ... unless its cells are as large as this */
	SCALE_WIDTH = 200,
	CARD_WIDTH = 300,
	CARD_BESIDE = 640,
	CARD_MOST = 960,
	TRIPS = 4
};

const struct panel *raster_equation_panel(const struct raster_equation *q, size_t i)
{
	return &q->e.figure->panels[q->e.panel[i]];
}

static const struct heatmap *map_of(const struct raster_equation *q, size_t i)
{
	return &raster_equation_panel(q, i)->heatmap;
}

double raster_equation_width(const struct raster_equation *q)
{
	return round(q->cell * (double)map_of(q, 0)->values.cols);
}

double raster_equation_height(const struct raster_equation *q)
{
	return round(q->cell * (double)map_of(q, 0)->values.rows);
}

/* Returns the factor by which gaps shrink with the page; it has a lower limit, so that parts of the
 * equation do not run into each other. */
static double pitch(const struct page *p)
{
	return fmin(1, fmax(p->width / USUAL_W, 0.55));
}

/* ---- sizes --------------------------------------------------------------------------------------- */

enum face raster_equation_face(const struct signs *s, size_t i)
{
	const bool word = (s->arrow && i + 1 == s->n) || strchr(s->text[i], ' ') != NULL;
	return word ? FACE_TEXT : FACE_TITLE;
}

static double sign_width(struct page *p, const struct signs *s)
{
	double width = 0;
	for (size_t i = 0; i < s->n; i++) {
		const double own = raster_text_measure(p, raster_equation_face(s, i), s->text[i]).w;
		width = fmax(width, own + (s->arrow && i + 1 == s->n ? 20 * p->space : 0));
	}
	const double usual = (s->arrow ? 104 : 50) * pitch(p);
	return s->n > 0 ? fmax(usual, ceil(width + 20 * p->space)) : 0;
}

static void find_gaps(struct page *p, struct raster_equation *q)
{
	const struct equation *e = &q->e;
	q->lead = 0;
	memset(q->gap, 0, sizeof q->gap);
	for (size_t i = 0; i <= e->n; i++) {
		const bool end = i == e->n;
		const size_t col = end ? e->col[i - 1] + 1 : e->col[i];
		double *const gap = col == 0 ? &q->lead : &q->gap[col];
		const double own =
			equation_begins(e, i) ? 110 * pitch(p) : sign_width(p, &e->signs[i]);
		*gap = fmax(*gap, end || col == 0 ? own : fmax(own, 30 * pitch(p)));
	}
}

static double all_gaps(const struct raster_equation *q)
{
	double sum = 0;
	for (size_t i = 1; i <= q->e.cols; i++)
		sum += q->gap[i];
	return sum;
}

static bool has_shares(const struct raster_equation *q, size_t line)
{
	for (size_t i = 0; i < q->e.n; i++)
		if (q->e.line[i] == line && equation_share(q->e.figure, q->e.panel[i]) != SIZE_MAX)
			return true;
	return false;
}

static bool has_sum(const struct raster_equation *q, size_t line)
{
	for (size_t i = 0; i < q->e.n; i++)
		if (q->e.line[i] == line && equation_is_sum(q->e.figure, q->e.panel[i]))
			return true;
	return false;
}

double raster_equation_thick(const struct page *p)
{
	return fmax(6, round(11 * p->space));
}

/* Returns the height of the number, the bar, and for the sum the names of its parts below. */
static double share_height(const struct page *p, const struct raster_equation *q, size_t line)
{
	const bool sum = has_sum(q, line);
	if (!has_shares(q, line) && !sum)
		return 0;
	return 8 * p->space + p->line[q->number] + raster_equation_thick(p) +
	       (sum && !q->tight ? p->line[FACE_TEXT] + 4 * p->space : 0) + 8 * p->space;
}

double raster_equation_scale(const struct page *p)
{
	return 2 * p->line[FACE_TEXT] + raster_equation_thick(p) + 18 * p->space;
}

/* Colour bars are side by side, on a narrow page one below the other. */
static void find_scales(const struct page *p, struct raster_equation *q)
{
	size_t n = 0;
	for (size_t i = 0; i < q->e.n; i++)
		n += equation_bar(&q->e, q->e.panel[i]) == q->e.panel[i];
	q->scale_cols = q->body.w / (double)n >= SCALE_WIDTH * p->type ? n : 1;
	q->scale_rows = (n + q->scale_cols - 1) / q->scale_cols;
}

static double scale_height(const struct page *p, const struct raster_equation *q)
{
	return (double)q->scale_rows * raster_equation_scale(p);
}

static double between(const struct page *p)
{
	return 30 * p->space;
}

/* Returns the height of all lines without the values themselves. */
static double other_heights(const struct page *p, const struct raster_equation *q)
{
	double sum = scale_height(p, q) + 20 * p->space;
	for (size_t i = 0; i < q->e.lines; i++)
		sum += q->labels + q->heads + q->formula + share_height(p, q, i) +
		       (i > 0 ? between(p) : 0);
	return sum;
}

static bool any_formula(const struct raster_equation *q)
{
	for (size_t i = 0; i < q->e.n; i++)
		if (raster_equation_panel(q, i)->operand.formula != NULL)
			return true;
	return false;
}

struct side raster_equation_rows(struct page *p, const struct raster_equation *q, double cell)
{
	return raster_labels_rows(p, map_of(q, 0), cell, q->body.w * 0.14);
}

struct side raster_equation_cols(struct page *p, const struct raster_equation *q, double cell)
{
	return raster_labels_cols(p, map_of(q, 0), cell, q->body.h * 0.2);
}

/* Makes labels for cells of this size, and returns the size of a cell that they leave room for. */
static double cell_beside_labels(struct page *p, struct raster_equation *q, double cell)
{
	const struct heatmap *h = map_of(q, 0);
	const struct side rows = raster_equation_rows(p, q, cell);
	const struct side cols = raster_equation_cols(p, q, cell);
	const double over = raster_labels_overhang(p, &cols, h->values.cols, cell);
	/* The first row's label may extend above the matrix, the first column's to the left of
	 * it. */
	q->label_gap = fmax(8 * p->space, (cols.most.h * sin(cols.angle) - cell) / 2 + 1);
	q->label = ceil(rows.most.w) + q->label_gap + 2 * p->space;
	q->labels = ceil(raster_labels_height(p, &cols));
	/* Between both kinds of labels are the names of the axes, one above the other. */
	if (h->row_title != NULL && h->col_title != NULL)
		q->labels = fmax(q->labels, ceil(2 * p->line[FACE_TEXT] + 3 * p->space +
						 fmax(0, (p->line[FACE_TEXT] - cell) / 2)));
	const double w = (q->body.w - q->lead - q->label - all_gaps(q) - over) / (double)q->e.cols;
	const double h_all = q->body.h - other_heights(p, q);
	const double own = fmin(w / (double)h->values.cols,
				h_all / (double)q->e.lines / (double)h->values.rows);
	const double most = fmin(own, raster_plan_most(p, h));
	return most >= 4 ? floor(most) : most;
}

/* Returns the largest cell with at most so many matrices in a line; 0: there is no room. */
static double size_lines(struct page *p, struct raster_equation *q, size_t cols)
{
	equation_flow(&q->e, cols);
	find_gaps(p, q);
	find_scales(p, q);
	q->number = q->tight ? FACE_BOLD : FACE_TITLE;
	q->heads = raster_text_line(p, FACE_NAME) +
		   (q->tight ? 4 * p->space : p->line[FACE_TEXT] + 11 * p->space);
	q->formula = any_formula(q) ? raster_text_line(p, FACE_MATH) + 12 * p->space : 8 * p->space;
	double cell = 24 * p->space, least = INFINITY;
	for (int trip = 0; trip < TRIPS && cell > 0; trip++) {
		cell = cell_beside_labels(p, q, cell);
		least = fmin(least, cell);
	}
	/* The labels of the smallest cell found need no more room than those of larger ones. */
	q->cell = fmin(least, cell > 0 ? cell_beside_labels(p, q, fmax(least, LEAST_PITCH)) : 0);
	return q->cell;
}

static bool worth_seeing(const struct page *p, const struct raster_equation *q)
{
	return q->cell > 0 && (q->cell >= LEAST_CELL ||
			       fmax(raster_equation_width(q), raster_equation_height(q)) >=
				       LEAST_SIDE * fmin(1, p->type));
}

double raster_equation_column(const struct raster_equation *q, size_t col)
{
	double at = q->body.x + q->lead + q->label;
	for (size_t i = 1; i <= col; i++)
		at += raster_equation_width(q) + q->gap[i];
	return round(at);
}

static double line_end(const struct raster_equation *q, size_t line)
{
	double end = q->body.x;
	for (size_t i = 0; i < q->e.n; i++)
		if (q->e.line[i] == line)
			end = fmax(end, raster_equation_column(q, q->e.col[i]) +
						raster_equation_width(q) +
						(i + 1 == q->e.n ? q->gap[q->e.col[i] + 1] : 0));
	return end;
}

double raster_equation_top(const struct raster_equation *q, size_t line)
{
	return round(q->top[line] + q->heads + q->labels);
}

/* Returns the width from the matrix's left edge to its neighbour in the line. */
double raster_equation_room(const struct page *p, const struct raster_equation *q, size_t i)
{
	const struct equation *e = &q->e;
	const bool follows = i + 1 < e->n && e->line[i + 1] == e->line[i];
	const double end = q->card.w > 0 && e->line[i] + 1 == e->lines && q->card.x > q->body.x
				   ? q->card.x
				   : q->body.x + q->body.w;
	return (follows ? raster_equation_width(q) + q->gap[e->col[i] + 1]
			: end - raster_equation_column(q, e->col[i])) -
	       8 * p->space;
}

/* Tells if the descriptions of all terms have room. */
static bool has_words(struct page *p, const struct raster_equation *q)
{
	for (size_t i = 0; i < q->e.n; i++) {
		const struct panel *panel = raster_equation_panel(q, i);
		if (panel->term != NULL && panel->subtitle != NULL &&
		    raster_text_measure(p, FACE_TEXT, panel->subtitle).w >
			    raster_equation_room(p, q, i))
			return false;
	}
	return true;
}

const struct panel *raster_equation_card(const struct figure *f, size_t *at)
{
	for (*at = 0; *at < f->n; ++*at)
		if (f->panels[*at].kind == PANEL_CARD)
			return &f->panels[*at];
	return NULL;
}

static double card_least(struct page *p, const struct panel *card, double width)
{
	const struct pen pen = pen_page(p, (struct area){.w = width});
	return pen_card_least(&pen, &card->card) + p->line[FACE_HEAD] + 10 * p->space;
}

/* Places the card at the right of the last line, or below all lines. */
static void place_card(struct page *p, struct raster_equation *q, double spare)
{
	size_t at;
	const struct panel *card = raster_equation_card(q->e.figure, &at);
	const double end = q->body.x + q->body.w, air = 48 * p->space;
	const double left = line_end(q, q->e.lines - 1) + air, top = q->top[q->e.lines - 1];
	const double right_h = q->scales - top, below = spare - air;
	const double beside = fmin(end - left, CARD_BESIDE * p->type);
	const double under = fmin(q->body.w, CARD_MOST * p->type);
	q->card = (struct area){0};
	if (card == NULL)
		return;
	if (beside >= CARD_WIDTH * p->type && card_least(p, card, beside) <= right_h)
		q->card = (struct area){left, top, beside, right_h};
	else if (card_least(p, card, under) <= below)
		q->card = (struct area){q->body.x, q->body.y + q->body.h - below, under, below};
}

static void place_lines(struct page *p, struct raster_equation *q)
{
	double at = q->body.y;
	for (size_t i = 0; i < q->e.lines; i++) {
		at += i > 0 ? between(p) : 0;
		q->top[i] = round(at);
		at = raster_equation_top(q, i) + raster_equation_height(q) + q->formula +
		     share_height(p, q, i);
	}
	q->scales = round(at + 20 * p->space);
	const double spare = q->body.y + q->body.h - q->scales - scale_height(p, q);
	place_card(p, q, spare);
	if (q->card.w <= 0 || q->card.x > q->body.x)
		q->scales = round(q->scales + fmin(spare * 0.5, 40 * p->space));
	q->words = !q->tight && has_words(p, q);
}

/* Returns the largest cell, over all numbers of lines; 0: too small. */
static double size_all(struct page *p, struct raster_equation *q, struct raster_equation *best)
{
	double most = 0;
	for (size_t cols = q->e.n; cols > 0; cols--) {
		if (size_lines(p, q, cols) <= most || !worth_seeing(p, q))
			continue;
		most = q->cell;
		*best = *q;
	}
	return most;
}

/* Finds the plan for the panels that are on; returns its cell, 0 if there is no room. */
static double fit_on(struct page *p, const struct figure *f, struct area body, const bool *on,
		     struct raster_equation *out)
{
	const double worth_words = 1.15; /* cells must be this much larger to leave out the words */
	struct raster_equation q = {.body = body}, tight;
	equation_of(f, on, p->arena, &q.e);
	const double most = size_all(p, &q, out);
	q.tight = true;
	const double more = size_all(p, &q, &tight);
	if (more > worth_words * most)
		*out = tight;
	return fmax(more > worth_words * most ? more : 0, most);
}

bool raster_equation_fit(struct page *p, const struct figure *f, struct area body,
			 struct raster_equation *out)
{
	const double worth_terms = 1.25; /* ... and to leave out small terms */
	bool on[FIGURE_PANELS];
	struct raster_equation larger;
	equation_all(f, f->n, on);
	do {
		const double cell = fit_on(p, f, body, on, out);
		if (cell <= 0)
			continue;
		if (equation_drop_small(f, f->n, on) &&
		    fit_on(p, f, body, on, &larger) > worth_terms * cell)
			*out = larger;
		place_lines(p, out);
		return out->e.n > 1;
	} while (equation_drop(f, f->n, on));
	return false;
}
