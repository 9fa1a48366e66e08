/* raster_table.c: a table on paper: columns that have no room go, by the table's own order; rows stand
 * closer when they are many, and those that find no room even so are told of at the bottom. */
#include "plot/raster_in.h"

#include <math.h>
#include <string.h>

struct plan {
	size_t *col; /* which columns are shown, n of them */
	double *x, *w;
	size_t n;
	double pitch, head; /* of a row, and all that the titles take */
	size_t first, rows; /* shown */
	bool part;
};

static bool given(const char *text)
{
	return text != NULL && text[0] != '\0';
}

static const char *cell_at(const struct table *t, size_t row, size_t col)
{
	const char *text = t->cells[row * t->cols + col];
	return text != NULL ? text : "";
}

static bool is_group(const struct table *t, size_t row)
{
	return t->group != NULL && t->group[row];
}

/* ---- columns */

static double natural_width(struct page *p, const struct table *t, size_t col)
{
	/* The cursor's row is bold: every row must fit when it is. */
	const enum face face = t->has_cursor ? FACE_BOLD : FACE_TEXT;
	double w = 0;
	if (t->head != NULL && given(t->head[col]))
		w = raster_text_measure(p, FACE_TEXT, t->head[col]).w;
	for (size_t r = 0; r < t->rows; r++)
		if (!is_group(t, r))
			w = fmax(w, ceil(raster_text_measure(p, face, cell_at(t, r, col)).w));
	return w;
}

/* A column that never goes is not shortened for the others' sake. */
static bool stays(const struct table *t, const struct plan *plan, size_t i)
{
	return t->priority != NULL && t->priority[plan->col[i]] == 0;
}

/* The width of all, those that may go at most `most` wide. */
static double sum(const struct table *t, const struct plan *plan, double gap, double most)
{
	double all = gap * (double)(plan->n - 1);
	for (size_t i = 0; i < plan->n; i++)
		all += stays(t, plan, i) ? plan->w[i] : fmin(plan->w[i], most);
	return all;
}

/* The shown column that goes next: by priority, else the last; n when only one is left. */
static size_t next_to_go(const struct plan *plan, const struct table *t)
{
	size_t found = plan->n;
	if (t->priority == NULL)
		return plan->n > 1 ? plan->n - 1 : plan->n;
	for (size_t i = 0; i < plan->n; i++) {
		const unsigned char now = t->priority[plan->col[i]];
		if (now > 0 && (found == plan->n || now >= t->priority[plan->col[found]]))
			found = i;
	}
	return found;
}

static void drop(struct plan *plan, size_t i)
{
	memmove(&plan->col[i], &plan->col[i + 1], (plan->n - i - 1) * sizeof *plan->col);
	memmove(&plan->w[i], &plan->w[i + 1], (plan->n - i - 1) * sizeof *plan->w);
	plan->n--;
}

/* Natural widths; columns go while the others would be narrow, then the widest gives way. */
static void plan_columns(struct page *p, const struct table *t, double width, struct plan *plan)
{
	const double least = 40 * p->type, narrow = t->priority != NULL ? 110 * p->type : least;
	double gap = (t->priority != NULL ? 14 : 22) * p->space;
	plan->n = t->cols;
	plan->col = arena_calloc(p->arena, t->cols, sizeof *plan->col);
	plan->x = arena_calloc(p->arena, t->cols, sizeof *plan->x);
	plan->w = arena_calloc(p->arena, t->cols, sizeof *plan->w);
	for (size_t i = 0; i < t->cols; i++) {
		plan->col[i] = i;
		plan->w[i] = natural_width(p, t, i);
	}
	while (sum(t, plan, gap, narrow) > width) {
		const size_t i = next_to_go(plan, t);
		if (i == plan->n)
			break;
		drop(plan, i);
	}
	/* One limit for all: the widest give way together. */
	double most = INFINITY;
	if (sum(t, plan, gap, INFINITY) > width) {
		double hi = width;
		most = least;
		for (int halved = 0; halved < 20; halved++) {
			const double middle = (most + hi) / 2;
			*(sum(t, plan, gap, middle) > width ? &hi : &most) = middle;
		}
	}
	for (size_t i = 0; i < plan->n; i++)
		plan->w[i] = stays(t, plan, i) ? plan->w[i] : fmin(plan->w[i], most);
	const double rest = width - sum(t, plan, 0, INFINITY);
	if (plan->n > 1)
		gap = fmax(gap, fmin(56 * p->space, rest / (double)(plan->n - 1)));
	for (size_t i = 1; i < plan->n; i++)
		plan->x[i] = plan->x[i - 1] + plan->w[i - 1] + gap;
}

/* ---- rows */

/* Rows stand as close as it takes, down to one line each; then some are left out, never the
 * cursor's. A line says what is not shown. */
static void plan_rows(struct page *p, const struct table *t, double height, struct plan *plan)
{
	const double line = p->line[FACE_TEXT], title = t->head != NULL ? 1 : 0;
	const double rule = 4 * p->space * title, note = plan->n < t->cols ? line : 0;
	const double pitch = (height - note - rule) / ((double)t->rows + title);
	plan->rows = t->rows;
	plan->part = pitch < line + 1;
	plan->pitch = fmin(plan->part ? line + 2 * p->space : pitch, line + 8 * p->space);
	plan->head = title * plan->pitch + rule;
	if (!plan->part)
		return;
	const double room = floor((height - line - plan->head) / plan->pitch);
	plan->rows = (size_t)fmin(fmax(1, room), (double)t->rows);
	if (t->has_cursor && t->row >= plan->rows)
		plan->first = t->row - plan->rows + 1;
}

struct size raster_table_least(struct page *p, const struct panel *panel, double width)
{
	(void)width;
	const double rows = (double)(panel->table.rows < 3 ? panel->table.rows : 3);
	return (struct size){140 * p->type,
			     (rows + 2) * (p->line[FACE_TEXT] + 8 * p->space) + 6 * p->space};
}

/* ---- drawing */

static void draw_text(struct page *p, const struct table *t, const struct plan *plan, size_t i,
		      enum face face, uint32_t ink, double x, double y, const char *text)
{
	const bool right = t->right != NULL && t->right[plan->col[i]];
	raster_text_put(p, face, ink, right ? 1 : 0, x + plan->x[i] + (right ? plan->w[i] : 0), y,
			raster_text_fit(p, face, text, plan->w[i]));
}

static void draw_row(struct page *p, const struct table *t, const struct plan *plan, size_t row,
		     struct area at)
{
	const bool here = t->has_cursor && row == t->row;
	if (is_group(t, row)) {
		raster_text_put(p, FACE_BOLD, p->theme->second, 0, at.x, at.y,
				raster_text_fit(p, FACE_BOLD, cell_at(t, row, 0), at.w));
		return;
	}
	if (here) {
		const double air = (plan->pitch - p->line[FACE_TEXT]) / 2;
		p->paper = p->theme->tint;
		raster_rect(p,
			    (struct area){at.x - 6 * p->space, at.y - air, at.w + 12 * p->space,
					  plan->pitch},
			    p->paper);
	}
	for (size_t i = 0; i < plan->n; i++)
		draw_text(p, t, plan, i, here ? FACE_BOLD : FACE_TEXT, p->theme->ink, at.x, at.y,
			  cell_at(t, row, plan->col[i]));
	p->paper = p->theme->paper;
}

static const char *part_text(struct page *p, const struct table *t, const struct plan *plan)
{
	const char *rows = "", *cols = "";
	if (plan->part)
		rows = arena_printf(p->arena, "rows %zu to %zu of %zu", plan->first + 1,
				    plan->first + plan->rows, t->rows);
	if (plan->n < t->cols)
		cols = arena_printf(p->arena, "%zu of %zu columns", plan->n, t->cols);
	return arena_printf(p->arena, "%s%s%s", rows, *rows && *cols ? " · " : "", cols);
}

void raster_table_draw(struct page *p, const struct panel *panel, struct area at)
{
	const struct table *t = &panel->table;
	struct plan plan = {0};
	if (t->cols == 0 || t->rows == 0) {
		raster_text_wrap(p, FACE_TEXT, p->theme->second, at, true, "no rows");
		return;
	}
	plan_columns(p, t, at.w, &plan);
	plan_rows(p, t, at.h, &plan);
	struct area row = {at.x, at.y, at.w, plan.pitch};
	if (t->head != NULL) {
		for (size_t i = 0; i < plan.n; i++)
			draw_text(p, t, &plan, i, FACE_TEXT, p->theme->second, at.x, at.y,
				  given(t->head[plan.col[i]]) ? t->head[plan.col[i]] : "");
		const double line = at.y + plan.pitch - fmin(2 * p->space, plan.pitch / 8);
		raster_line(p, at.x, line, at.x + at.w, line, 1, p->theme->hair);
		row.y += plan.head;
	}
	for (size_t r = 0; r < plan.rows; r++, row.y += plan.pitch)
		draw_row(p, t, &plan, plan.first + r, row);
	if (plan.part || plan.n < t->cols)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, at.x, row.y,
				raster_text_fit(p, FACE_TEXT, part_text(p, t, &plan), at.w));
}
