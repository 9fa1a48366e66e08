/* canvas_arcs.c: arcs above a row of words, as trees of dependencies are written.
 *
 * A word has three columns for strokes: in the middle comes down the arc from its governor and ends
 * in an arrow, left and right of it go up those to its dependents. So in a projective tree no two
 * strokes cross. A label stands in its arc, as near to the middle as no stroke goes up; where the
 * arc is too short for it above it; else shortened. Arcs to words that are left out end where those
 * are. */
#include <string.h>

#include "plot/canvas_arcs.h"
#include "posviz/text.h"

enum {
	FEWEST = 4,	/* rows: level, arrow, words, places */
	LABEL_LEAST = 4 /* columns of a shortened label */
};

/* Where the rows of one drawing are. */
struct heights {
	int top, foot, step; /* of the root's label, of the arrows, of a level */
	bool above;	     /* the root's label has a row */
	int *row_of;	     /* [levels + 1] */
};

static bool is_lit(const struct row_of_words *w, const struct arc *x)
{
	return w->s->light.edge[x->edge];
}

static bool is_shown(const struct row_of_words *w, size_t token)
{
	return w->sight.slot[token] % 2 == 1;
}

/* The column in which an arc meets a token; where that is left out, at its side of the gap. */
static int meets(const struct row_of_words *w, size_t token, size_t other, bool dependent)
{
	const size_t k = w->sight.slot[token] / 2;
	if (is_shown(w, token))
		return w->stem[token] + (dependent ? 0 : other < token ? -1 : 1);
	const int from = other < token ? -1 : 1; /* from which side it comes */
	const int col = w->gap[k] + (k > 0 && k < w->sight.n ? from : 0);
	return col < w->left ? w->left : col > w->right ? w->right : col;
}

static void draw_arc(const struct row_of_words *w, const struct strokes *strokes,
		     const struct arc *x, int row, int foot)
{
	const bool lit = is_lit(w, x);
	const int from = meets(w, x->from, x->to, false), to = meets(w, x->to, x->from, true);
	strokes_level(strokes, row, from, to, lit);
	if (is_shown(w, x->from))
		strokes_upright(strokes, from, row, foot, lit);
	if (is_shown(w, x->to))
		strokes_upright(strokes, to, row, foot, lit);
}

/* ---- labels ------------------------------------------------------------------------------------- */

/* What lies on the strokes: [rows * cols] of the inside. */
struct written {
	const struct row_of_words *w;
	bool *at;
};

static bool *written_at(const struct written *t, int row, int col)
{
	const struct rect r = t->w->s->inner;
	const bool inside =
		row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
	return inside ? &t->at[(row - r.row) * r.cols + col - r.col] : NULL;
}

/* Whether `width` columns hold nothing but strokes that go along, and no label is beside them;
 * `blank`: no strokes either. */
static bool is_open(const struct written *t, int row, int col, int width, bool blank)
{
	const struct canvas *c = t->w->s->c;
	static const char *const along[] = {"─", "━", "-", "="};
	for (int i = -1; i <= width; i++) {
		const bool *const taken = written_at(t, row, col + i);
		const bool end = i < 0 || i == width;
		if (taken == NULL ? !end : *taken)
			return false;
		if (end)
			continue;
		const char *const sign = c->cells[row * c->cols + col + i].at;
		bool open = strcmp(sign, " ") == 0;
		for (size_t k = 0; !blank && k < sizeof along / sizeof *along; k++)
			open = open || strcmp(sign, along[k]) == 0;
		if (!open)
			return false;
	}
	return true;
}

static void write_at(const struct written *t, int row, int col, const char *label, unsigned look)
{
	const int width = (int)text_width(label);
	for (int i = 0; i < width; i++)
		*written_at(t, row, col + i) = true;
	canvas_text(t->w->s->c, row, col, width, label, look);
}

/* As near to the middle of columns lo to hi as it is open, with at least one of them under it. */
static bool write_between(const struct written *t, int row, int lo, int hi, const char *label,
			  bool blank, unsigned look)
{
	const int width = (int)text_width(label), room = hi - lo + 1;
	const int reach = blank ? room + width : room - width;
	const int mid = lo + (room - width) / 2;
	for (int i = 0; width > 0 && i <= reach; i++) {
		const int col = mid + (i % 2 ? (i + 1) / 2 : -(i / 2));
		const bool near =
			blank ? col <= hi && col + width > lo : col >= lo && col + width <= hi + 1;
		if (!near || !is_open(t, row, col, width, blank))
			continue;
		write_at(t, row, col, label, look);
		return true;
	}
	return false;
}

/* False: it has no room, or not for all of it. */
static bool write_label(const struct written *t, const struct arc *x, const struct heights *h)
{
	const struct row_of_words *w = t->w;
	const char *label = w->s->d->edges[x->edge].label;
	const int from = meets(w, x->from, x->to, false), to = meets(w, x->to, x->from, true);
	const int lo = (from < to ? from : to) + 1, hi = (from < to ? to : from) - 1;
	const unsigned look = is_lit(w, x) ? ATTR_BOLD | ATTR_ACCENT : 0;
	const int row = h->row_of[x->level];
	if (*label == '\0' || write_between(t, row, lo, hi, label, false, look))
		return true;
	if (h->step > 1 && write_between(t, row - 1, lo, hi, label, true, look))
		return true;
	for (int room = hi - lo + 1; room >= LABEL_LEAST; room--) {
		const char *less = text_shorten(w->s->a, label, (size_t)room, w->s->c->ascii);
		if ((int)text_width(less) < LABEL_LEAST)
			break;
		if (write_between(t, row, lo, hi, less, false, look))
			return false;
	}
	return false;
}

/* Beside the stroke of a root, where there is room. */
static void write_root(const struct written *t, size_t token, int top)
{
	const int col = t->w->stem[token];
	const int places[] = {col + 2, col - 5};
	for (size_t i = 0; i < 2; i++)
		if (is_open(t, top, places[i], 4, true)) {
			write_at(t, top, places[i], "root", ATTR_DIM);
			return;
		}
}

/* The roots', the lit arcs', then the others', short ones first; whether all are there. */
static bool write_labels(const struct row_of_words *w, const struct heights *h)
{
	const struct rect r = w->s->inner;
	const struct written t = {w,
				  arena_calloc(w->s->a, (size_t)(r.rows * r.cols), sizeof(bool))};
	bool all = true;
	for (size_t k = 0; k < w->sight.n; k++)
		if (h->above && w->arcs.root[w->sight.at[k]])
			write_root(&t, w->sight.at[k], h->top);
	for (int lit = 1; lit >= 0; lit--)
		for (size_t k = 0; k < w->arcs.n; k++)
			if (is_lit(w, &w->arcs.at[k]) == (lit == 1))
				all = write_label(&t, &w->arcs.at[k], h) && all;
	return all;
}

/* ---- all of it ---------------------------------------------------------------------------------- */

/* Arrows at dependents; a root has a dot. */
static void draw_feet(const struct row_of_words *w, int foot)
{
	const struct sketch *s = w->s;
	for (size_t k = 0; s->d->directed && k < w->arcs.n; k++) {
		const struct arc *x = &w->arcs.at[k];
		if (is_shown(w, x->to))
			canvas_put(s->c, foot, w->stem[x->to], s->c->ascii ? "v" : "▼",
				   is_lit(w, x) ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM, CELL_DEFAULT,
				   CELL_DEFAULT);
	}
	for (size_t k = 0; k < w->sight.n; k++)
		if (w->arcs.root[w->sight.at[k]])
			canvas_put(s->c, foot, w->stem[w->sight.at[k]], s->c->ascii ? "o" : "●",
				   ATTR_BOLD, CELL_DEFAULT, CELL_DEFAULT);
}

static void draw_strokes(const struct row_of_words *w, const struct heights *h)
{
	const struct sketch *s = w->s;
	const struct strokes strokes = strokes_new(s->c, s->a, s->inner);
	for (size_t k = 0; k < w->arcs.n; k++)
		draw_arc(w, &strokes, &w->arcs.at[k], h->row_of[w->arcs.at[k].level], h->foot);
	for (size_t k = 0; k < w->sight.n; k++)
		if (h->above && w->arcs.root[w->sight.at[k]])
			strokes_upright(&strokes, w->stem[w->sight.at[k]], h->top, h->foot, false);
	strokes_draw(&strokes);
}

/* Rows under the arrows: words and places, and positions where they leave arcs three levels. */
static int rows_below(const struct row_of_words *w)
{
	const struct sketch *s = w->s;
	const int levels = (int)(w->arcs.levels < 3 ? w->arcs.levels : 3);
	const int most = s->inner.rows - FEWEST + 1 - levels;
	const int n = (int)s->d->n_below, wanted = n + (n > 0 && w->title == 0);
	return 2 + (wanted < most ? wanted : most > 0 ? most : 0);
}

/* What the arcs do not show, where a row is left for it. */
static void say_rest(const struct row_of_words *w, const struct heights *h)
{
	const struct sketch *s = w->s;
	const size_t hidden = s->d->n_tokens - w->sight.n;
	const char *const words =
		arena_printf(s->a, "%zu of %zu words", w->sight.n, s->d->n_tokens);
	const char *const arcs = arena_printf(s->a, "%zu long arcs left out", w->arcs.left_out);
	/* Labels may stand above the highest arc. */
	if (h->top <= s->inner.row + !h->above || (hidden == 0 && w->arcs.left_out == 0))
		return;
	const char *const text = hidden == 0 ? arcs
				 : w->arcs.left_out == 0
					 ? words
					 : arena_printf(s->a, "%s, %s", words, arcs);
	canvas_text_right(s->c, s->a, s->inner.row, s->inner.col + s->inner.cols, s->inner.cols,
			  text, ATTR_DIM);
}

bool sketch_arcs(const struct sketch *s, bool whole)
{
	const struct drawing *d = s->d;
	const struct rect r = s->inner;
	struct row_of_words w = {.s = s};
	if (r.rows < FEWEST || r.cols < 8 || d->n_tokens == 0 || !sketch_words(&w, whole))
		return false;
	const int below = rows_below(&w);
	const size_t most = (size_t)(r.rows - 1 - below);
	w.arcs = drawing_arcs(d, &s->light, &w.sight, most, s->a);
	const int levels = (int)w.arcs.levels;
	if (levels > (int)most ||
	    (whole && w.arcs.left_out > 0)) /* nothing but the path is too high */
		return false;
	const bool roots = d->parent != NULL;
	struct heights h = {.step = 2 * levels + 1 + below + roots <= r.rows ? 2 : 1,
			    .row_of = arena_calloc(s->a, w.arcs.levels + 2, sizeof *h.row_of)};
	h.above = roots && levels * h.step + 2 + below <= r.rows;
	/* A label above the highest arc needs a row as that of a root does. */
	const int used = levels * h.step + 1 + below + h.above;
	h.top = r.row + (r.rows - used) / 2;
	h.foot = h.top + h.above + levels * h.step;
	for (int i = 0; i <= levels; i++)
		h.row_of[i] = h.foot - i * h.step;
	draw_strokes(&w, &h);
	const bool all = write_labels(&w, &h);
	draw_feet(&w, h.foot);
	sketch_words_draw(&w, h.foot + 1, below);
	say_rest(&w, &h);
	if (whole && !all)
		canvas_fill(s->c, r, 0, CELL_DEFAULT);
	return all || !whole;
}
