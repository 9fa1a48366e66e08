/* canvas_table.c: a table in a panel: columns that have no room go, by the table's own order; rows that
 * have none scroll around the chosen one. What is not seen is said at the bottom. */
#include "plot/canvas_in.h"

#include <string.h>

#include "posviz/text.h"

enum { GAP = 2, MARK = 2, NARROW = 10, NARROW_FIRST = 14 };

struct plan {
	const struct table *t;
	struct rect at; /* without the mark of the chosen row */
	size_t *col;	/* which columns are shown, n of them */
	int *width;	/* of each shown column */
	size_t n;
};

static const char *cell(const struct table *t, size_t row, size_t col)
{
	const char *const text = t->cells[row * t->cols + col];
	return text != NULL ? text : "";
}

static bool is_group(const struct table *t, size_t row)
{
	return t->group != NULL && t->group[row];
}

static int natural_width(const struct table *t, size_t col)
{
	int width = t->head != NULL ? (int)text_width(t->head[col]) : 0;
	for (size_t i = 0; i < t->rows; i++) {
		const int w = is_group(t, i) ? 0 : (int)text_width(cell(t, i, col));
		width = w > width ? w : width;
	}
	return width;
}

/* What a column is shortened to before another one goes. */
static int narrow(const struct plan *p, size_t j)
{
	const bool stays = p->t->priority != NULL && p->t->priority[p->col[j]] == 0;
	return stays ? NARROW_FIRST : NARROW;
}

static int sum(const struct plan *p, bool narrowed)
{
	int all = p->n > 0 ? GAP * (int)(p->n - 1) : 0;
	for (size_t j = 0; j < p->n; j++) {
		const int least = narrow(p, j);
		all += narrowed && p->width[j] > least ? least : p->width[j];
	}
	return all;
}

/* The shown column that has the most to give. */
static size_t widest(const struct plan *p)
{
	size_t most = 0;
	for (size_t j = 1; j < p->n; j++)
		if (p->width[j] - narrow(p, j) > p->width[most] - narrow(p, most))
			most = j;
	return most;
}

/* The shown column that goes next, or n when all stay. */
static size_t next_to_go(const struct plan *p)
{
	size_t found = p->n;
	for (size_t j = 0; j < p->n && p->t->priority != NULL; j++) {
		const unsigned char now = p->t->priority[p->col[j]];
		if (now > 0 && (found == p->n || now >= p->t->priority[p->col[found]]))
			found = j;
	}
	return found;
}

/* Columns go while the others would be narrow; then the widest gives way until all fit. */
static void plan_columns(struct plan *p, struct arena *a)
{
	const struct table *const t = p->t;
	p->n = t->cols;
	p->col = arena_calloc(a, t->cols, sizeof *p->col);
	p->width = arena_calloc(a, t->cols, sizeof *p->width);
	for (size_t j = 0; j < t->cols; j++) {
		p->col[j] = j;
		p->width[j] = natural_width(t, j);
	}
	while (sum(p, true) > p->at.cols) {
		const size_t j = next_to_go(p);
		if (j == p->n)
			break;
		memmove(&p->col[j], &p->col[j + 1], (p->n - j - 1) * sizeof *p->col);
		memmove(&p->width[j], &p->width[j + 1], (p->n - j - 1) * sizeof *p->width);
		p->n--;
	}
	for (int over = sum(p, false) - p->at.cols; over > 0; over--) {
		const size_t j = widest(p);
		if (p->width[j] <= 1)
			break;
		p->width[j]--;
	}
}

static void draw_cells(struct canvas *c, struct arena *a, const struct plan *p, int row,
		       const char *const *cells, unsigned attrs)
{
	int col = p->at.col;
	for (size_t j = 0; j < p->n; j++) {
		const char *const text = cells[p->col[j]] != NULL ? cells[p->col[j]] : "";
		const int left = p->at.col + p->at.cols - col;
		const int w = p->width[j] < left ? p->width[j] : left;
		if (p->t->right != NULL && p->t->right[p->col[j]])
			canvas_text_right(c, a, row, col + w, w, text, attrs);
		else
			canvas_text_short(c, a, row, col, w, text, attrs);
		col += p->width[j] + GAP;
	}
}

static void draw_row(struct canvas *c, struct arena *a, const struct plan *p, size_t i, int row)
{
	const struct table *const t = p->t;
	const bool here = t->has_cursor && i == t->row;
	if (is_group(t, i)) {
		canvas_text_short(c, a, row, p->at.col, p->at.cols, cell(t, i, 0), ATTR_BOLD);
		return;
	}
	if (here)
		canvas_text(c, row, p->at.col - MARK, 1, c->ascii ? ">" : "▸",
			    ATTR_BOLD | ATTR_ACCENT);
	draw_cells(c, a, p, row, t->cells + i * t->cols, here ? ATTR_BOLD | ATTR_ACCENT : 0);
}

/* "rows 1–20 of 64 · 9 of 15 columns" */
static const char *part_text(const struct canvas *c, struct arena *a, const struct plan *p,
			     size_t first, size_t n)
{
	const struct table *const t = p->t;
	const char *rows = "", *cols = "";
	if (n < t->rows)
		rows = arena_printf(a, "rows %zu%s%zu of %zu", first + 1, c->ascii ? "-" : "–",
				    first + n, t->rows);
	if (p->n < t->cols)
		cols = arena_printf(a, "%zu of %zu columns", p->n, t->cols);
	return arena_printf(a, "%s%s%s", rows, *rows && *cols ? " · " : "", cols);
}

void canvas_table(struct canvas *c, struct arena *a, struct rect inner, const struct table *t)
{
	if (inner.rows < 1 || inner.cols < 1 || t->cols == 0)
		return;
	struct plan p = {.t = t, .at = inner};
	if (t->has_cursor)
		p.at = (struct rect){inner.row, inner.col + MARK, inner.rows, inner.cols - MARK};
	plan_columns(&p, a);
	const int head = t->head != NULL && inner.rows > 1;
	if (head)
		draw_cells(c, a, &p, inner.row, t->head, ATTR_DIM);
	size_t room = (size_t)(inner.rows - head), first = 0;
	const bool part = (t->rows > room || p.n < t->cols) && room > 1;
	room -= part;
	const size_t n = t->rows < room ? t->rows : room;
	if (t->has_cursor && t->row >= n / 2 && t->rows > n)
		first = t->row - n / 2 < t->rows - n ? t->row - n / 2 : t->rows - n;
	for (size_t i = 0; i < n; i++)
		draw_row(c, a, &p, first + i, inner.row + head + (int)i);
	if (part)
		canvas_text_short(c, a, inner.row + head + (int)n, p.at.col, p.at.cols,
				  part_text(c, a, &p, first, n), ATTR_DIM);
}
