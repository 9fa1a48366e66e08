/* canvas_contact.c: a contact sheet on cells: a value is a square of k columns by k half rows, one
 * column by half a row if there is little room; name and year are above a map, its numbers at its
 * right.
 *
 * The width is given, the number of rows follows: values are as large as the available rows permit,
 * and the sheet is longer than these rows if even the smallest values do not fit. */
#include <math.h>
#include <string.h>

#include "plot/canvas_map.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/plot/contact.h"

enum {
	GAP = 3,
	BETWEEN = 2,
	NUMBER_ROWS = 3,
	MOST_CELL = 8,
	MARGIN = 1,
	FOOT_ROWS = 2,
	NAME_COLS = 28
};

struct plan {
	const struct contact *k;
	int cell, half; /* columns and half rows of a value */
	int w, h;	/* columns and rows of a map */
	int numbers;	/* columns of the numbers, with a blank before them */
	int step;	/* columns from one map of an entry to the next */
	int slot, high; /* columns and rows of an entry */
	size_t across;
	int head; /* rows of the title and subtitle */
	int rows; /* of the whole sheet */
	struct contact_flow flow;
};

static int imax(int a, int b)
{
	return a > b ? a : b;
}

static int imin(int a, int b)
{
	return a < b ? a : b;
}

static int width_of(const char *text)
{
	return text != NULL ? (int)text_width(text) : 0;
}

/* Returns the columns of the numbers, with a blank; notes share these columns. */
static int numbers_cols(const struct contact *k)
{
	const int wide = imax(width_of(k->wide_number), width_of(k->wide_percent));
	return imax(wide, width_of(k->wide_note)) + 1;
}

static int wrapped(struct canvas *c, struct arena *a, struct rect r, const char *text,
		   unsigned look, bool draw)
{
	int rows = 0, used = 0;
	for (const char *at = text != NULL ? text : ""; *at;) {
		const size_t len = strcspn(at, " ");
		const char *const word = arena_strndup(a, at, len);
		const int wide = (int)text_width(word);
		if (used > 0 && used + 1 + wide > r.cols) {
			rows++;
			used = 0;
		}
		used += used > 0;
		if (draw)
			canvas_text_short(c, a, r.row + rows, r.col + used, r.cols - used, word,
					  look);
		used += wide;
		at += len;
		at += strspn(at, " ");
	}
	return rows + (used > 0);
}

static size_t *name_columns(const struct plan *p, struct arena *a)
{
	size_t *const out = arena_calloc(a, p->k->n_families + 1, sizeof *out);
	for (size_t f = 0; f < p->k->n_families; f++) {
		const int wide = (int)text_width(p->k->families[f].name) + GAP;
		out[f] = (size_t)((wide + p->slot + GAP - 1) / (p->slot + GAP));
	}
	return out;
}

/* Computes the plan for values of size `cell`; false if an entry is wider than the canvas. */
static bool size_plan(const struct canvas *c, struct arena *a, const struct figure *f, int cell,
		      struct plan *p)
{
	const int n = (int)f->contact->longest, columns = (int)f->contact->columns;
	*p = (struct plan){.k = f->contact, .cell = cell};
	p->half = canvas_shaded(c) ? imax(2, cell + cell % 2) : cell;
	p->w = n * cell;
	p->h = (n * p->half + 1) / 2;
	p->numbers = numbers_cols(p->k);
	/* Names are written whole, unless they are long expressions. */
	const int room = c->cols - 2 * MARGIN;
	const int name =
		imin(width_of(p->k->wide_name), columns == 1 ? imin(room, NAME_COLS) : NAME_COLS);
	p->step = imax(p->w + p->numbers, name) + BETWEEN;
	p->slot = columns * p->step - BETWEEN;
	p->high = 1 + imax(p->h, NUMBER_ROWS + (p->k->wide_note != NULL));
	if (p->slot > room)
		return false;
	p->across = (size_t)((room + GAP) / (p->slot + GAP));
	p->across = p->across > p->k->n ? p->k->n : p->across;
	contact_flow(p->k, p->across, name_columns(p, a), a, &p->flow);
	const struct rect words = {0, MARGIN, 0, room};
	struct canvas none = *c;
	p->head = 1 + wrapped(&none, a, words, f->subtitle, 0, false) + 1;
	p->rows = p->head + FOOT_ROWS + wrapped(&none, a, words, f->caption, 0, false);
	for (size_t r = 0; r < p->flow.rows; r++)
		p->rows += p->flow.headed[r] + p->high + 1;
	return true;
}

static bool plan_of(const struct canvas *c, struct arena *a, const struct figure *f, int rows,
		    struct plan *out)
{
	for (int cell = MOST_CELL; cell > 0; cell--)
		if (size_plan(c, a, f, cell, out) && (cell == 1 || out->rows <= rows))
			return true;
	return false;
}

int canvas_contact_rows(const struct canvas *like, const struct figure *f, int rows)
{
	struct arena a;
	struct plan p;
	arena_init(&a);
	const int needed = plan_of(like, &a, f, rows, &p) ? p.rows : 0;
	arena_release(&a);
	return needed;
}

bool canvas_contact_refuse(const struct canvas *like, const struct figure *f, struct err *err)
{
	const struct contact *const k = f->contact;
	const int columns = (int)k->columns, n = (int)k->longest;
	const int name = imin(width_of(k->wide_name), columns == 1 ? 0 : NAME_COLS);
	const int wide =
		columns * (imax(n + numbers_cols(k), name) + BETWEEN) - BETWEEN + 2 * MARGIN;
	struct canvas wider = *like;
	wider.cols = imax(like->cols, wide);
	return err_set(err,
		       "%d columns and %d rows of cells are too few for %zu map%s of %zu tokens; "
		       "--cells %dx%d would be right",
		       like->cols, like->rows, k->n * k->columns, k->n * k->columns == 1 ? "" : "s",
		       k->longest, wider.cols, canvas_contact_rows(&wider, f, 0));
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_map(struct canvas *c, struct arena *a, const struct plan *p,
		     const struct contact_map *m, struct rect at)
{
	const struct mat v = m->map.values;
	const struct heatmap_plan plan = {
		.view = {.rows = v.rows,
			 .cols = v.cols,
			 .cell_rows2 = p->half,
			 .cell_cols = p->cell,
			 .block = 1},
		.data = {at.row, at.col, ((int)v.rows * p->half + 1) / 2, (int)v.cols * p->cell}};
	canvas_heatmap(c, a, plan.data, &m->map, &plan);
}

static void put_number(struct canvas *c, struct arena *a, int row, int col, int cols,
		       const char *text, unsigned look)
{
	if (text != NULL)
		canvas_text_short(c, a, row, col, cols,
				  c->ascii ? canvas_plain_text(a, text) : text, look);
}

/* Writes least and largest value at the top, the share at the bottom, bold if it is 100 %. */
static void draw_numbers(struct canvas *c, struct arena *a, const struct plan *p,
			 const struct contact_map *m, const char *note, struct rect at)
{
	const bool all = m->share > 1 - 1e-9;
	const int last = at.row + p->high - 2, cols = p->numbers - 1;
	put_number(c, a, at.row, at.col, cols, m->low, ATTR_DIM);
	put_number(c, a, at.row + 1, at.col, cols, m->high, ATTR_DIM);
	put_number(c, a, m->percent != NULL ? last - 1 : last, at.col, cols, note, ATTR_DIM);
	put_number(c, a, last, at.col, cols, m->percent, all ? ATTR_BOLD : ATTR_DIM);
}

static void draw_entry(struct canvas *c, struct arena *a, const struct plan *p,
		       const struct contact_entry *e, int row, int col)
{
	enum { YEAR = 3 };
	const int wide = p->step - BETWEEN;
	const int used = canvas_text_short(c, a, row, col, wide, e->name, 0);
	if (e->year > 0 && used + 1 + YEAR <= wide)
		canvas_text(c, row, col + used + 1, YEAR,
			    arena_printf(a, "%s%02d", c->ascii ? "'" : "’", e->year % 100),
			    ATTR_DIM);
	for (size_t s = 0; s < p->k->columns; s++) {
		const struct rect at = {row + 1, col + (int)s * p->step, p->h, p->w};
		const struct mat v = e->maps[s].map.values;
		if (v.at == NULL)
			continue;
		if (s > 0)
			canvas_text(c, row, at.col, 1, arena_printf(a, "%zu", s + 1), ATTR_DIM);
		draw_map(c, a, p, &e->maps[s], at);
		draw_numbers(c, a, p, &e->maps[s], s == 0 ? e->note : NULL,
			     (struct rect){at.row, at.col + (int)v.cols * p->cell + 1, 0, 0});
	}
}

/* Writes the name of the family, and a line to the end of its columns. */
static void draw_head(struct canvas *c, struct arena *a, const struct plan *p,
		      const struct contact_run *run, int row, int col)
{
	const int wide = (int)run->cols * (p->slot + GAP) - GAP;
	const int used = canvas_text_short(c, a, row, col, wide, p->k->families[run->family].name,
					   run->again ? ATTR_DIM : ATTR_BOLD);
	for (int x = used + 1; x < wide; x++)
		canvas_text(c, row, col + x, 1, c->ascii ? "-" : "─", ATTR_DIM);
}

static int draw_runs(struct canvas *c, struct arena *a, const struct plan *p, int row)
{
	for (size_t r = 0; r < p->flow.rows; r++) {
		const int top = row + p->flow.headed[r];
		for (size_t i = 0; i < p->flow.n; i++) {
			const struct contact_run *const run = &p->flow.runs[i];
			const int col = MARGIN + (int)run->col * (p->slot + GAP);
			if (run->row != r)
				continue;
			if (p->flow.headed[r])
				draw_head(c, a, p, run, row, col);
			for (size_t n = 0; n < run->n; n++)
				draw_entry(c, a, p, &p->k->entries[run->first + n], top,
					   col + (int)n * (p->slot + GAP));
		}
		row = top + p->high + 1;
	}
	return row;
}

/* Draws the colours from `col` on, and their ends in words or the limits that all maps share;
 * returns the next free column. */
static int draw_colours(struct canvas *c, struct arena *a, const struct contact *k,
			const struct heatmap *h, const char *what, int row, int col)
{
	enum { RAMP = 16 };
	const int steps = (int)canvas_swatches(c, h), n = steps > 0 ? steps : RAMP;
	const int each = c->ascii || c->tier == TIER_MONO ? 2 : 1;
	double from = 0, to = 1, lo, hi;
	char text[2][32];
	scale_part_limits(&h->scale, &lo, &hi);
	if (!k->own)
		scale_part(&h->scale, &from, &to);
	const char *const ends =
		!k->own ? arena_printf(
				  a, "%s … %s%s%s", num_show(text[0], sizeof text[0], lo, 3),
				  hi > 0 && lo < 0 ? "+" : "",
				  num_show(text[1], sizeof text[1], hi, 3),
				  h->scale.mode == SCALE_LINEAR
					  ? ""
					  : arena_printf(a, " %s", scale_mode_names[h->scale.mode]))
		: h->scale.diverging ? "−max … 0 … +max"
				     : "0 … max";
	const char *const plain = arena_printf(a, "%s%s", what, ends);
	const char *const words = c->ascii ? canvas_plain_text(a, plain) : plain;
	const int wide = n * each + 1 + width_of(words);
	if (col + wide > c->cols - MARGIN)
		return col;
	for (int i = 0; i < n; i++)
		canvas_swatch_fill(c, (struct rect){row, col + i * each, 1, each}, h,
				   from + (to - from) * i / (n - 1), 0);
	canvas_text(c, row, col + n * each + 1, width_of(words), words, ATTR_DIM);
	return col + wide + GAP;
}

static void draw_legend(struct canvas *c, struct arena *a, const struct contact *k, int row)
{
	const bool both = k->bar.colormap != NULL && k->weights.colormap != NULL;
	int col = MARGIN;
	if (k->bar.colormap != NULL)
		col = draw_colours(c, a, k, &k->bar, "", row, col);
	if (k->weights.colormap != NULL)
		col = draw_colours(c, a, k, &k->weights, both ? "weights " : "", row, col);
	if (k->masked && col + 8 <= c->cols - MARGIN)
		canvas_text(c, row, col, 8, c->ascii ? ". masked" : "· masked", ATTR_DIM);
}

void canvas_contact(struct canvas *c, const struct figure *f)
{
	struct arena a;
	struct plan p;
	arena_init(&a);
	const struct rect words = {0, MARGIN, 0, c->cols - 2 * MARGIN};
	if (plan_of(c, &a, f, c->rows, &p)) {
		const struct rect below = {1, words.col, 0, words.cols};
		put_number(c, &a, 0, MARGIN, words.cols, f->title, ATTR_BOLD);
		wrapped(c, &a, below, c->ascii ? canvas_plain_text(&a, f->subtitle) : f->subtitle,
			ATTR_DIM, true);
		const int row = draw_runs(c, &a, &p, p.head);
		draw_legend(c, &a, p.k, row);
		const struct rect foot = {row + 1, words.col, 0, words.cols};
		wrapped(c, &a, foot, c->ascii ? canvas_plain_text(&a, f->caption) : f->caption,
			ATTR_DIM, true);
	}
	arena_release(&a);
}
