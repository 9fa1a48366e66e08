/* canvas_multiples.c: small multiples on cells: the matrices in the largest size at which all of
 * them fit (canvas_multiples_plan.c), and their curves as one matrix beside, below or behind them,
 * a row each, with the facts in columns. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "plot/canvas_multiples.h"
#include "plot/canvas_pen.h"
#include "posviz/base/text.h"

/* ---- drawing --------------------------------------------------------------------------------- */

static unsigned look_of(const struct canvas *c, bool chosen)
{
	return !chosen ? 0u : ATTR_ACCENT | ATTR_BOLD | (c->tier == TIER_MONO ? ATTR_REVERSE : 0u);
}

/* Writes the title with the note at the right end of the matrix, or of `most` columns where both need them. */
static void draw_title(struct canvas *c, struct arena *a, const struct multiple *item, bool chosen,
		       struct rect at, int most)
{
	const char *const note = item->note != NULL ? item->note : "";
	const bool whole = (int)(text_width(item->title) + text_width(note)) + 2 <= at.cols;
	const char *const brief = whole ? note : item->brief != NULL ? item->brief : "";
	const int behind = *brief ? (int)text_width(brief) + 1 : 0;
	const int wanted = (int)text_width(item->title) + behind;
	const char *const name = wanted <= most ? item->title : item->name;
	at.cols = wanted <= most && wanted > at.cols ? wanted : at.cols;
	const int used = canvas_text_short(c, a, at.row, at.col, at.cols, name, look_of(c, chosen));
	if (used + behind <= at.cols)
		canvas_text_right(c, a, at.row, at.col + at.cols, at.cols, brief, ATTR_DIM);
}

/* Returns the plan of an item at this place; `labels`: it has the names of the rows. */
static struct heatmap_plan item_plan(const struct multiples_plan *p, const struct heatmap *h,
				     bool labels, struct rect at)
{
	const struct mat v = h->values;
	struct heatmap_plan plan = {.view = {.rows = v.rows,
					     .cols = v.cols,
					     .cell_rows2 = p->half,
					     .cell_cols = p->cell,
					     .averaged = p->block > 1,
					     .block = p->block},
				    .data = {at.row + p->title + p->heads, at.col, p->h, p->w},
				    .label_cols = labels ? p->label_cols : 0,
				    .heads = p->heads,
				    .head_left = at.col - (labels ? p->label_cols : 1),
				    .head_right = at.col + p->slot};
	plan.numbers = h->by_number && p->block == 1;
	plan.number_cols = plan.numbers || p->block > 1 ? plan.label_cols : 0;
	canvas_name_shared(h, &plan);
	return plan;
}

static void draw_item(struct canvas *c, struct arena *a, const struct multiples_plan *p,
		      const struct multiple *item, bool chosen, bool labels, struct rect at)
{
	const int left = p->maps.col + p->maps.cols - at.col, most = p->slot + p->gap_x - 1;
	const struct heatmap_plan plan = item_plan(p, &item->map, labels, at);
	if (p->title)
		draw_title(c, a, item, chosen,
			   (struct rect){at.row, at.col, 1, p->slot < left ? p->slot : left},
			   most < left ? most : left);
	if (item->map.values.at != NULL)
		canvas_heatmap(c, a, plan.data, &item->map, &plan);
}

static void draw_under(struct canvas *c, struct arena *a, const struct multiples *m,
		       const struct multiples_plan *p, const struct multiple *item, int row,
		       int col)
{
	for (int i = 0; i < p->under; i++) {
		const size_t f = m->n_facts - (size_t)(p->under - i);
		canvas_text(c, row + i, col, p->w, m->facts[f], ATTR_DIM);
		canvas_text_right(c, a, row + i, col + p->w, p->w, item->facts[f], 0);
	}
}

/* Writes the names of the columns above the matrices, those of the rows at the left. */
static void draw_tracks(struct canvas *c, struct arena *a, const struct multiples *m,
			const struct multiples_plan *p)
{
	const size_t chosen = m->chosen < m->n ? m->chosen : SIZE_MAX;
	for (size_t j = 0; j < p->cols; j++) {
		const size_t col = p->first_col + j;
		canvas_text_short(c, a, p->maps.row - 1,
				  p->maps.col + (int)j * (p->slot + p->gap_x), p->w,
				  m->col_names[col],
				  look_of(c, chosen != SIZE_MAX && chosen % p->across == col));
	}
	for (size_t i = 0; i < p->rows; i++) {
		const size_t row = p->first_row + i;
		canvas_text_right(c, a, p->maps.row + (int)i * (p->h + p->gap_y), p->maps.col - 1,
				  MULTIPLES_LABEL, m->row_names[row],
				  look_of(c, chosen != SIZE_MAX && chosen / p->across == row));
	}
}

/* Returns the rectangle of the item in row i and column j of the shown ones. */
static struct rect item_at(const struct multiples_plan *p, size_t i, size_t j)
{
	const int pitch = multiples_rows(p) + p->under + p->gap_y;
	return (struct rect){p->maps.row + (int)i * pitch,
			     p->maps.col + (int)j * (p->slot + p->gap_x), multiples_rows(p), p->w};
}

/* Draws lines left and right of the chosen matrix, in the free columns beside it. */
static void frame_chosen(struct canvas *c, const struct multiples *m,
			 const struct multiples_plan *p, struct rect inner)
{
	const size_t row = m->chosen / p->across - p->first_row,
		     col = m->chosen % p->across - p->first_col;
	if (m->chosen >= m->n || !p->title || p->gap_x < 1 || row >= p->rows || col >= p->cols)
		return;
	const struct rect at = item_at(p, row, col);
	const int beside[] = {at.col - 1, at.col + p->w};
	for (int i = p->title; i < p->title + p->heads + p->h; i++)
		for (size_t k = 0; k < 2; k++) /* "key→" ends beside the names of the first one */
			if (!(k == 0 && col == 0 && i < p->title + p->heads) &&
			    beside[k] >= inner.col && beside[k] < inner.col + inner.cols)
				canvas_text(c, at.row + i, beside[k], 1, c->ascii ? "|" : "│",
					    look_of(c, true));
}

static void draw_items(struct canvas *c, struct arena *a, const struct multiples *m,
		       const struct multiples_plan *p)
{
	for (size_t i = 0; i < p->rows; i++)
		for (size_t j = 0; j < p->cols; j++) {
			const size_t k = (p->first_row + i) * p->across + p->first_col + j;
			const struct rect at = item_at(p, i, j);
			if (k >= m->n)
				break;
			draw_item(c, a, p, &m->items[k], k == m->chosen, j == 0, at);
			draw_under(c, a, m, p, &m->items[k], at.row + at.rows, at.col);
		}
	if (multiples_in_grid(m))
		draw_tracks(c, a, m, p);
}

void canvas_multiples_places(const struct canvas *c, struct rect inner, const struct multiples *m,
			     struct rect *at)
{
	memset(at, 0, m->n * sizeof *at);
	if (m->n == 0 || inner.rows < 1 || inner.cols < 1)
		return;
	const struct multiples_plan p = multiples_plan_of(c, m, inner);
	for (size_t i = 0; i < p.rows; i++)
		for (size_t j = 0; j < p.cols; j++) {
			const size_t k = (p.first_row + i) * p.across + p.first_col + j;
			if (k < m->n)
				at[k] = item_at(&p, i, j);
		}
}

static void draw_bar(struct canvas *c, struct arena *a, const struct multiples *m, struct rect at)
{
	const struct heatmap_plan plan = {.data = {at.row - 1, at.col, 1, at.cols}};
	const struct map map = {.c = c, .a = a, .h = &m->items[0].map, .plan = &plan};
	canvas_bar(&map, at);
}

/* Turns marked distances into marked columns of the matrix of curves. */
static void mark_curves(const struct multiples *m, const struct multiples_plan *p, struct arena *a,
			struct heatmap *h)
{
	const struct heatmap from = *h;
	struct mark *const out = arena_calloc(a, from.n_marks + 1, sizeof *out);
	h->marks = out;
	h->n_marks = 0;
	for (size_t i = 0; i < from.n_marks; i++)
		for (size_t k = 0; from.marks[i].kind == MARK_DIAGONAL && k < m->n_x; k++)
			if ((long)m->x[k] == from.marks[i].diagonal)
				out[h->n_marks++] = (struct mark){MARK_COLUMN, 0, k / p->merged, 0};
}

/* Returns the curves as a matrix: an item in each row, the mean of `merged` distances in each
 * column. */
static struct heatmap curves_map(const struct multiples *m, const struct multiples_plan *p,
				 struct arena *a)
{
	const size_t cols = canvas_shown(m->n_x, p->merged);
	struct heatmap h = m->items[0].map;
	uint8_t *const masked = arena_calloc(a, m->n * cols, 1);
	h.values = mat_zero(a, m->n, cols);
	h.masked = masked;
	h.sums = NULL;
	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; k < cols; k++) {
			double sum = 0, n = 0;
			for (size_t x = k * p->merged; x < (k + 1) * p->merged && x < m->n_x; x++)
				if (m->items[i].curve != NULL && !isnan(m->items[i].curve[x])) {
					sum += m->items[i].curve[x];
					n++;
				}
			masked[i * cols + k] = n <= 0;
			mat_row(h.values, i)[k] = n > 0 ? sum / n : 0;
		}
	mark_curves(m, p, a, &h);
	return h;
}

/* Writes the first, zero and last distance under their columns. */
static void draw_axis(struct canvas *c, struct arena *a, const struct multiples *m,
		      const struct multiples_plan *p, int row, int left)
{
	const size_t last = m->n_x - 1;
	int end = left + multiples_curve_cols(p, m), from = left;
	for (size_t pass = 0; pass < 3; pass++) {
		size_t i = pass == 0 ? 0 : last;
		for (size_t k = 0; pass == 2 && k <= last; k++)
			i = m->x[k] >= 0 && m->x[k] < 1 ? k : i;
		const long x = (long)m->x[i];
		const char *const sign = x < 0 ? (c->ascii ? "-" : "−") : "";
		const char *const text = arena_printf(a, "%s%ld", sign, x < 0 ? -x : x);
		const int width = (int)text_width(text);
		const int col = pass == 0   ? left
				: pass == 1 ? end - width
					    : left + p->step_cols * (int)(i / p->merged) +
						      (p->step_cols - 1) / 2;
		if (col < from || col + width > end)
			continue;
		canvas_text(c, row, col, width, text, ATTR_DIM);
		from = pass == 0 ? col + width + 1 : from;
		end = pass == 1 ? col - 1 : end;
	}
}

static void draw_facts(struct canvas *c, struct arena *a, const struct multiples *m,
		       const struct multiples_plan *p, int row, int right, size_t i)
{
	for (size_t f = 0; f < p->facts; f++) {
		right += multiples_fact_cols(m, f);
		const bool head = i == SIZE_MAX;
		canvas_text_right(c, a, row, right, multiples_fact_cols(m, f) - 1,
				  head ? m->facts[f] : m->items[i].facts[f],
				  head ? ATTR_DIM : look_of(c, i == m->chosen));
	}
}

/* Writes the text if all of it fits. */
static void draw_says(struct canvas *c, struct arena *a, const char *says, struct rect at)
{
	const struct pen pen = pen_cells(c, a, at);
	const struct text_run run = {.role = ROLE_PLAIN, .text = says};
	if (pen_wrap(&pen, pen.at, &run, 1, false) <= at.rows)
		pen_wrap(&pen, pen.at, &run, 1, true);
}

/* Returns the title of the curves, "each head's mean by distance s−t", or what of it has room. */
static const char *curves_title(struct arena *a, const struct multiples *m, const char *title,
				int cols)
{
	static const char by[] = "by ";
	const int one = (int)strlen(m->what) - 1; /* without the "s" of several */
	const char *const of = arena_printf(a, "each %.*s's mean %s", one, m->what, title);
	const char *const mean = arena_printf(a, "mean %s", title);
	const char *const bare = arena_printf(a, "mean %s", m->y_title);
	if ((int)text_width(of) <= cols)
		return of;
	if ((int)text_width(mean) <= cols)
		return mean;
	if ((int)text_width(title) > cols && (int)text_width(bare) <= cols)
		return bare;
	return (int)text_width(title) <= cols || strncmp(title, by, strlen(by)) != 0
		       ? title
		       : title + strlen(by);
}

static void draw_side(struct canvas *c, struct arena *a, const struct multiples *m,
		      const struct multiples_plan *p)
{
	const struct rect r = p->beside;
	const struct heatmap h = curves_map(m, p, a);
	const int left = r.col + p->names + 1, wide = multiples_curve_cols(p, m);
	const char *const title =
		p->merged > 1 ? arena_printf(a, "%s, means of %zu", m->y_title, p->merged)
			      : m->y_title;
	const struct heatmap_plan plan = {
		.view = {.rows = m->n,
			 .cols = h.values.cols,
			 .cell_rows2 = 2,
			 .cell_cols = p->step_cols,
			 .block = 1},
		.data = {r.row + 1 + (p->facts > 0), left, (int)m->n, wide}};
	canvas_text_short(c, a, r.row, r.col, r.cols, curves_title(a, m, title, r.cols), ATTR_BOLD);
	draw_facts(c, a, m, p, r.row + 1, left + wide, SIZE_MAX);
	canvas_heatmap(c, a, plan.data, &h, &plan);
	for (size_t i = 0; i < m->n; i++) {
		const int row = plan.data.row + (int)i;
		canvas_text_right(c, a, row, left - 1, p->names, m->items[i].name,
				  look_of(c, i == m->chosen));
		draw_facts(c, a, m, p, row, left + wide, i);
	}
	const int below = plan.data.row + plan.data.rows, end = r.row + r.rows;
	draw_axis(c, a, m, p, below, left);
	const int free = below + 3 < end; /* a blank line */
	const struct rect bar = {below + 1 + free, r.col, 1, r.cols};
	if (bar.row < end)
		draw_bar(c, a, m, bar);
	const int from = bar.row + 1 + (bar.row + 3 < end);
	if (m->says != NULL && from < end)
		draw_says(c, a, m->says, (struct rect){from, r.col, end - from, r.cols});
}

void canvas_multiples(struct canvas *c, struct arena *a, struct rect inner,
		      const struct multiples *m)
{
	if (m->n == 0 || inner.rows < 1 || inner.cols < 1)
		return;
	const struct multiples_plan p = multiples_plan_of(c, m, inner);
	if (p.w > inner.cols)
		return;
	frame_chosen(c, m, &p, inner);
	draw_items(c, a, m, &p);
	if (p.side != SIDE_NONE && multiples_side_cols(&p, m) <= inner.cols)
		draw_side(c, a, m, &p);
	if (p.side != SIDE_NONE)
		return;
	if (inner.rows > MULTIPLES_BAR + p.h)
		draw_bar(c, a, m,
			 (struct rect){inner.row + inner.rows - MULTIPLES_BAR, inner.col,
				       MULTIPLES_BAR, inner.cols});
}

bool canvas_multiples_lack_names(const struct canvas *c, struct arena *a, struct rect inner,
				 const struct multiples *m)
{
	if (m->n == 0 || inner.rows < 1 || inner.cols < 1 || multiples_in_grid(m))
		return false;
	const struct multiples_plan p = multiples_plan_of(c, m, inner);
	const struct heatmap *const h = &m->items[0].map;
	const struct heatmap_plan plan = item_plan(&p, h, true, item_at(&p, 0, 0));
	return p.block == 1 &&
	       (p.heads == 0 || p.label_cols == 0 || canvas_plan_lacks_names(a, h, &plan));
}

/* Returns which items are shown, in a long or short form; NULL if all are. */
static const char *part_words(const struct canvas *c, struct arena *a, const struct multiples *m,
			      const struct multiples_plan *p, bool brief)
{
	const char *const dash = c->ascii ? "-" : "–", *const by = c->ascii ? "x" : "×";
	const size_t shown = p->rows * p->cols, first = p->first_row * p->across;
	const size_t end = first + shown < m->n ? first + shown : m->n;
	if (shown >= m->n)
		return NULL;
	if (multiples_in_grid(m) && brief)
		return arena_printf(a, "%zu of %zu", shown, m->n);
	if (multiples_in_grid(m))
		return arena_printf(
			a, "%s%s%s %s %s%s%s of %zu %s %zu", m->row_names[p->first_row], dash,
			m->row_names[p->first_row + p->rows - 1], by, m->col_names[p->first_col],
			dash, m->col_names[p->first_col + p->cols - 1], p->down, by, p->across);
	/* The mean comes last, and is none of those that are counted. */
	const bool mean = strcmp(m->items[m->n - 1].name, "mean") == 0;
	const size_t of = mean ? m->n - 1 : m->n, last = end < of ? end : of;
	const char *const range = first + 1 < last
					  ? arena_printf(a, "%zu%s%zu", first + 1, dash, last)
					  : arena_printf(a, "%zu", last);
	if (first >= of)
		return "the mean";
	if (first == 0 && end == of)
		return brief ? arena_printf(a, "all %zu", of)
			     : arena_printf(a, "all %zu %s, without the mean", of, m->what);
	return arena_printf(a, "%s%s%s of %zu%s", brief ? "" : m->what, brief ? "" : " ", range, of,
			    end > of ? " and the mean" : "");
}

void canvas_multiples_part(const struct canvas *c, struct arena *a, struct rect inner,
			   const struct multiples *m, const char **part)
{
	enum { TITLE = 24 };
	if (m->n == 0 || inner.rows < 1 || inner.cols < 1)
		return;
	const struct multiples_plan p = multiples_plan_of(c, m, inner);
	const char *words = part_words(c, a, m, &p, false);
	if (words != NULL && (int)text_width(words) + TITLE > inner.cols)
		words = part_words(c, a, m, &p, true);
	const char *const means = p.block > 1 ? arena_printf(a, "means of %zu%s%zu", p.block,
							     c->ascii ? "x" : "×", p.block)
					      : NULL;
	part[2] = words != NULL ? words : means;
	if (words != NULL && means != NULL && (int)text_width(words) + 2 * TITLE <= inner.cols)
		words = arena_printf(a, "%s; %s", words, means);
	part[0] = part[1] = words != NULL ? words : means;
}
