/* canvas_legend.c: the line of a figure on cells that names rows and columns by their numbers.
 *
 * Names of tokens stand beside their rows and above their columns as long as they are whole there. Where they would be
 * cut, or two of them share a row of the screen, all matrices with these tokens have numbers instead, and the last rows
 * of the figure say what they are: "1 the  2 cat  3 sat". The layout leaves these rows, so the decision follows from
 * its places alone. */
#include <string.h>

#include "plot/canvas_map.h"
#include "plot/canvas_pen.h"
#include "posviz/base/text.h"
#include "posviz/plot/panel.h"

enum {
	LEAST_ROWS = 15, /* of a figure that has such a line */
	TWO_FROM = 16,	 /* rows from which on it may have two lines */
	LEAST_NAMES = 3,
	MOST_NAMES = 32
};

/* ---- names of one matrix -------------------------------------------------------------------- */

bool canvas_shares_rows(const struct heatmap *h, const struct heatmap_plan *plan)
{
	return h->row_labels != NULL && !h->ruler && plan->label_cols > 0 &&
	       plan->view.cell_rows2 == 1 && plan->view.block == 1;
}

bool canvas_has_numbers(const struct heatmap *h)
{
	return h->by_number && *h->row_labels[0] >= '0' && *h->row_labels[0] <= '9';
}

bool canvas_names_alike(const struct heatmap *h)
{
	bool same = h->row_labels && h->col_labels && !h->ruler && h->values.rows == h->values.cols;
	for (size_t i = 0; same && i < h->values.rows; i++)
		same = strcmp(h->row_labels[i], h->col_labels[i]) == 0;
	return same;
}

bool canvas_plan_lacks_names(struct arena *a, const struct heatmap *h,
			     const struct heatmap_plan *plan)
{
	const struct heatmap_view *const v = &plan->view;
	const bool shown = !v->averaged && v->rows == h->values.rows && v->cols == h->values.cols;
	if (!shown || plan->numbers || plan->data.rows == 0)
		return false;
	const bool cut =
		plan->label_cols > 0 && plan->number_cols == 0 &&
		(size_t)plan->label_cols < canvas_widest(h->row_labels, h->values.rows, SIZE_MAX);
	return (canvas_shares_rows(h, plan) && plan->pair_cols == 0) || cut ||
	       (plan->heads > 0 && canvas_names_alike(h) &&
		canvas_words_fit(a, h, plan, plan->heads) != WORDS_WHOLE);
}

/* ---- names of a figure ---------------------------------------------------------------------- */

/* Returns the first matrix of a panel; NULL if it has none. */
static const struct heatmap *map_of(const struct panel *p)
{
	if (panel_shows_map(p))
		return &p->heatmap;
	const bool many = p->kind == PANEL_MULTIPLES && p->absent == NULL && p->multiples.n > 0 &&
			  p->multiples.across == 0;
	return many && p->multiples.items[0].map.values.at ? &p->multiples.items[0].map : NULL;
}

/* Returns whether the rows have names that numbers may stand for: those are not numbers themselves. */
static bool is_named(const struct heatmap *h)
{
	const size_t n = h != NULL ? h->values.rows : 0;
	bool names = n >= LEAST_NAMES && n <= MOST_NAMES && h->row_labels && !h->ruler;
	for (size_t i = 0; names && i < n; i++)
		names = strpbrk(h->row_labels[i], "0123456789") != h->row_labels[i];
	return names;
}

/* Returns the number that a label has among the names of a matrix; 0: none. */
static size_t number_of(const struct heatmap *names, const char *label)
{
	for (size_t i = 0; i < names->values.rows; i++)
		if (strcmp(names->row_labels[i], label) == 0)
			return i + 1;
	return 0;
}

/* Returns whether all rows have a name that is among `names`; *same: in the same order. */
static bool has_names(const struct heatmap *h, const struct heatmap *names, bool *same)
{
	bool all = is_named(h);
	*same = all && h->values.rows == names->values.rows;
	for (size_t i = 0; all && i < h->values.rows; i++) {
		/* Names need not be distinct. */
		const bool here = i < names->values.rows &&
				  strcmp(names->row_labels[i], h->row_labels[i]) == 0;
		const size_t number = here ? i + 1 : number_of(names, h->row_labels[i]);
		all = number > 0;
		*same = *same && number == i + 1;
	}
	return all;
}

/* Returns the matrix with the most names, of several the first on the page, if those of all others with the same names in rows and columns are among them;
 * else NULL. */
static const struct heatmap *common(const struct figure *f)
{
	const struct heatmap *all[FIGURE_PANELS], *most = NULL;
	const struct panel *first = NULL;
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct heatmap *const h = map_of(&f->panels[i]);
		if (!is_named(h) || !canvas_names_alike(h))
			continue;
		all[n++] = h;
		const struct panel *const p = &f->panels[i];
		const bool before = first && (p->row < first->row ||
					      (p->row == first->row && p->col < first->col));
		if (most && (most->values.rows > h->values.rows ||
			     (most->values.rows == h->values.rows && !before)))
			continue;
		most = h;
		first = p;
	}
	for (size_t i = 0; i < n; i++) {
		bool same;
		if (!has_names(all[i], most, &same))
			return NULL;
	}
	return most;
}

/* The words of the line, in rows of at most `cols` columns with `gap` blanks between two of them. */
struct legend {
	struct canvas *c; /* NULL: nothing is written */
	struct arena *a;
	const struct heatmap *h;
	bool ascii;
	int col, cols, gap;
};

static const char *word_of(const struct legend *l, size_t i)
{
	return l->ascii ? canvas_plain_text(l->a, l->h->row_labels[i]) : l->h->row_labels[i];
}

/* Writes the names from `row` on; returns the rows that they take. */
static int write_names(const struct legend *l, int row)
{
	int at = 0, rows = 1;
	for (size_t i = 0; i < l->h->values.rows; i++) {
		const char *const number = arena_printf(l->a, "%zu ", i + 1), *const word =
										      word_of(l, i);
		const int wide = (int)(text_width(number) + text_width(word));
		const int gap = at > 0 ? l->gap : 0;
		if (at + gap + wide > l->cols && at > 0) {
			rows++;
			at = 0;
		} else {
			at += gap;
		}
		const bool here = l->h->has_cursor && (i == l->h->row || i == l->h->col);
		if (l->c != NULL) {
			const int col = l->col + at, line = row + rows - 1;
			const int used =
				canvas_text(l->c, line, col, l->cols - at, number, ATTR_DIM);
			canvas_text(l->c, line, col + used, l->cols - at - used, word,
				    here ? ATTR_ACCENT | ATTR_BOLD : 0);
		}
		at += wide;
	}
	return rows;
}

/* Returns the least rows of the line in a figure of this size; *gap gets the widest gap with which it has no more; 0: it
 * has no room. */
static int rows_of(struct legend *l, struct rect r)
{
	const int most = r.rows < LEAST_ROWS ? 0 : r.rows < TWO_FROM ? 1 : 2;
	l->col = r.col + 1;
	l->cols = r.cols - 2;
	l->gap = 1;
	for (size_t i = 0; i < l->h->values.rows; i++)
		if ((int)text_width(word_of(l, i)) + 4 > l->cols)
			return 0;
	const int rows = write_names(l, 0);
	l->gap = 2;
	if (write_names(l, 0) > rows)
		l->gap = 1;
	return rows <= most ? rows : 0;
}

/* Lets numbers stand for the names of a matrix; rows in another order have them as labels. */
static void number_map(struct arena *a, const struct heatmap *names, struct heatmap *h)
{
	bool same;
	if (!has_names(h, names, &same))
		return;
	h->by_number = true;
	if (same)
		return;
	const bool alike = canvas_names_alike(h);
	const char **const numbers = arena_calloc(a, h->values.rows, sizeof *numbers);
	for (size_t i = 0; i < h->values.rows; i++)
		numbers[i] = arena_printf(a, "%zu", number_of(names, h->row_labels[i]));
	h->row_labels = numbers;
	h->col_labels = alike ? numbers : h->col_labels;
}

const struct figure *canvas_by_number(const struct canvas *like, struct arena *a,
				      const struct figure *f, struct rect r, struct rect *line)
{
	struct legend l = {.a = a, .h = common(f), .ascii = like->ascii};
	const int rows = l.h != NULL && r.cols > 2 ? rows_of(&l, r) : 0;
	*line = (struct rect){r.row + r.rows - rows, r.col, rows, r.cols};
	if (rows == 0)
		return NULL;
	struct figure *const out = arena_alloc(a, sizeof *out);
	*out = *f;
	for (size_t i = 0; i < f->n; i++) {
		struct panel *const p = &out->panels[i];
		if (map_of(p) == NULL)
			continue;
		if (panel_shows_map(p))
			number_map(a, l.h, &p->heatmap);
		struct multiples *const m = &p->multiples;
		if (p->kind != PANEL_MULTIPLES)
			continue;
		struct multiple *const items = arena_calloc(a, m->n, sizeof *items);
		memcpy(items, m->items, m->n * sizeof *items);
		for (size_t k = 0; k < m->n; k++)
			number_map(a, l.h, &items[k].map);
		m->items = items;
	}
	return out;
}

bool canvas_lacks_names(const struct canvas *like, struct arena *a, const struct figure *f,
			struct rect r, const struct rect *place)
{
	bool lacks = false, permuted = false, numbered = false;
	if (canvas_equation_is_at(like, a, f, canvas_finding_leave(f, r), place, &lacks))
		return lacks;
	for (size_t i = 0; i < f->n && !lacks; i++) {
		const struct heatmap *const names = common(f), *const h = map_of(&f->panels[i]);
		bool same;
		if (place[i].rows <= 0 || names == NULL || h == NULL || !has_names(h, names, &same))
			continue;
		permuted |= !same;
		struct panel *const own = arena_alloc(a, sizeof *own);
		bool box;
		*own = like->ascii ? canvas_plain(a, &f->panels[i]) : f->panels[i];
		const struct rect inner = canvas_panel_inner(own, place[i], &box);
		if (own->kind == PANEL_MULTIPLES) {
			lacks = canvas_multiples_lack_names(like, a, inner, &own->multiples);
			continue;
		}
		struct heatmap_plan plan;
		canvas_shared_labels(f, place, i, &own->heatmap);
		canvas_heatmap_plan(like, a, inner, &own->heatmap, &plan);
		lacks = canvas_plan_lacks_names(a, &own->heatmap, &plan);
		numbered |= plan.numbers;
	}
	/* A token has one number in all orders. */
	return lacks || (permuted && numbered);
}

/* Returns whether numbers at these places in `r` help: they stand where names had no room, of an equation at its own
 * places. */
static bool helps(const struct canvas *c, struct arena *a, const struct figure *f,
		  const struct figure *numbered, struct rect r, struct rect less,
		  const struct rect *place)
{
	bool lacks, still;
	if (canvas_equation_is_at(c, a, numbered, canvas_finding_leave(numbered, less), place,
				  &still))
		return !still && (!canvas_equation_is_at(c, a, f, canvas_finding_leave(f, r), place,
							 &lacks) ||
				  lacks);
	if (canvas_equation_is_at(c, a, f, canvas_finding_leave(f, r), place, &lacks))
		return false;
	return canvas_lacks_names(c, a, f, r, place) &&
	       !canvas_lacks_names(c, a, numbered, less, place);
}

const struct figure *canvas_numbered(const struct canvas *c, struct arena *a,
				     const struct figure *f, struct rect *r,
				     const struct rect *place, struct rect *line)
{
	const struct figure *const numbered = canvas_by_number(c, a, f, *r, line);
	const struct rect less = {r->row, r->col, r->rows - line->rows, r->cols};
	for (size_t i = 0; i < f->n && numbered != NULL; i++)
		if (place[i].rows > 0 && place[i].row + place[i].rows > line->row)
			return f;
	if (numbered == NULL || !helps(c, a, f, numbered, *r, less, place))
		return f;
	*r = less;
	return numbered;
}

const struct figure *canvas_drawn(const struct canvas *c, struct arena *a, const struct figure *f,
				  struct rect r, const struct rect *place)
{
	struct rect line;
	return canvas_numbered(c, a, f, &r, place, &line);
}

void canvas_legend(struct canvas *c, struct arena *a, const struct figure *f, struct rect line)
{
	struct legend l = {.c = NULL, .a = a, .h = common(f), .ascii = c->ascii};
	if (l.h == NULL)
		return;
	rows_of(&l, (struct rect){line.row, line.col, TWO_FROM, line.cols});
	l.c = c;
	write_names(&l, line.row);
	canvas_isolate(c, line);
}
