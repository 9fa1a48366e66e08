/* figure_cursor.c: the cursor of all panels of a figure, and what is pointed out in them.
 *
 * Both are given in the figure's own rows and columns, or by name; each panel knows where these are in it. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/plot/figure.h"

/* Where a row or column of the figure is, of `tokens`; SIZE_MAX: nowhere. */
static size_t among(const size_t *at, size_t n, size_t tokens, long from)
{
	const size_t i = (size_t)from - 1;
	const size_t found = at == NULL ? i : i < n ? at[i] : SIZE_MAX;
	return found < tokens ? found : SIZE_MAX;
}

static void cursor_in_heatmap(struct heatmap *h, long row, long col)
{
	const size_t rows = h->values.rows, cols = h->values.cols;
	h->has_cursor = false;
	if (h->no_cursor || row < 1 || col < 1)
		return;
	const size_t r =
		among(h->cursor_row, h->n_cursor_rows ? h->n_cursor_rows : rows, rows, row);
	const size_t c =
		among(h->cursor_col, h->n_cursor_cols ? h->n_cursor_cols : cols, cols, col);
	h->has_cursor = r != SIZE_MAX && c != SIZE_MAX;
	if (!h->has_cursor)
		return;
	h->row = r;
	h->col = c;
}

static void cursor_in_links(struct links *l, long row)
{
	l->has_cursor = row > 0 && (size_t)row <= l->n_below;
	if (l->has_cursor)
		l->cursor = l->cursor_row ? l->cursor_row[row - 1] : (size_t)row - 1;
}

void figure_without_foot(const struct figure *f, struct figure *out)
{
	*out = *f;
	out->n = 0;
	for (size_t i = 0; i < f->n; i++)
		if (!f->panels[i].at_foot)
			out->panels[out->n++] = f->panels[i];
	if (out->n == 0)
		*out = *f;
}

/* Without a cursor the row stays where the view put it. */
static void cursor_in_table(struct table *t, long row)
{
	if (!t->cursor_row || row < 1)
		return;
	t->has_cursor = (size_t)row <= t->n_cursor;
	t->from_top = false;
	if (t->has_cursor)
		t->row = t->cursor_row[row - 1];
}

static void cursor_in_drawing(struct drawing *d, long row, long col)
{
	d->query = d->key = SIZE_MAX;
	if (row > 0 && col > 0) {
		d->query = among(d->cursor_row, d->n_rows, d->n_tokens, row);
		d->key = among(d->cursor_col, d->n_cols, d->n_tokens, col);
	}
	d->has_cursor = d->query != SIZE_MAX || d->key != SIZE_MAX;
}

static void cursor_in_curves(struct curves *c, long row, long col)
{
	if (c->by_distance) {
		const long x = col - row - c->rows_from;
		c->has_cursor = row > 0 && col > 0;
		c->cursor = (double)(c->folded ? -labs(x) : x);
	}
	if (!c->number)
		return;
	const bool inside = row > 0 && col > 0 && (size_t)row <= c->rows && (size_t)col <= c->cols;
	const int32_t x =
		inside ? c->number[(size_t)(row - 1) * c->cols + (size_t)col - 1] : INT32_MIN;
	c->has_cursor = x != INT32_MIN;
	c->cursor = x;
}

struct heatmap *figure_heatmap(struct figure *f, size_t i, size_t *panel)
{
	for (size_t k = 0; k < f->n; k++) {
		struct panel *const p = &f->panels[k];
		const size_t n = p->absent		      ? 0
				 : p->kind == PANEL_HEATMAP   ? 1
				 : p->kind == PANEL_MULTIPLES ? p->multiples.n
							      : 0;
		if (panel)
			*panel = k;
		if (i < n)
			return p->kind == PANEL_HEATMAP ? &p->heatmap : &p->multiples.items[i].map;
		i -= n;
	}
	return NULL;
}

static void cursor_in_panel(struct panel *p, long row, long col)
{
	if (p->kind == PANEL_HEATMAP)
		cursor_in_heatmap(&p->heatmap, row, col);
	if (p->kind == PANEL_LINKS)
		cursor_in_links(&p->links, row);
	if (p->kind == PANEL_STRUCTURE)
		cursor_in_drawing(&p->drawing, row, col);
	if (p->kind == PANEL_TABLE)
		cursor_in_table(&p->table, row);
	if (p->kind == PANEL_CURVES)
		cursor_in_curves(&p->curves, row, col);
}

void figure_cursor(struct figure *f, long row, long col)
{
	for (size_t i = 0; i < f->n; i++) {
		struct panel *const p = &f->panels[i];
		if (!p->absent)
			cursor_in_panel(p, p->no_cursor ? 0 : row, p->no_cursor ? 0 : col);
	}
}

/* ---- what is pointed out ----------------------------------------------------------------------- */

/* Where row 0 is among the columns: behind those of a memory, of which another scheme may have none. */
static long own_memory(const struct heatmap *h)
{
	return h->values.cols > h->values.rows ? (long)(h->values.cols - h->values.rows) : 0;
}

static bool is_named(enum mark_kind kind)
{
	return kind == MARK_CURVE || kind == MARK_AT || kind == MARK_LINE || kind == MARK_HEADING;
}

static void mark_heatmap(struct heatmap *h, const struct mark *marks, size_t n, struct arena *a)
{
	const size_t rows = h->values.rows, cols = h->values.cols;
	struct mark *const out = arena_calloc(a, n + 1, sizeof *out);
	h->n_marks = 0;
	h->marks = out;
	h->mark_from = own_memory(h);
	for (size_t i = 0; i < n && (!h->no_cursor || h->own_cols); i++) {
		struct mark m = marks[i];
		if (h->own_cols && m.kind != MARK_ROW)
			continue;
		m.row = among(h->cursor_row, h->n_cursor_rows ? h->n_cursor_rows : rows, rows,
			      (long)m.row + 1);
		m.col = among(h->cursor_col, h->n_cursor_cols ? h->n_cursor_cols : cols, cols,
			      (long)m.col + 1);
		const bool row = m.kind == MARK_CELL || m.kind == MARK_ROW;
		const bool col = m.kind == MARK_CELL || m.kind == MARK_COLUMN;
		const long at = m.diagonal + h->mark_from;
		const bool crosses = at > -(long)rows && at < (long)cols && rows <= cols;
		if (is_named(m.kind) || (row && m.row == SIZE_MAX) || (col && m.col == SIZE_MAX) ||
		    (m.kind == MARK_DIAGONAL && !crosses))
			continue;
		out[h->n_marks++] = m;
	}
}

/* The x of a place on the axis, by its name or as a number; false: no curve has a point there. */
static bool place_of(const struct curves *c, const char *name, double *x)
{
	double y;
	for (size_t i = 0; i < c->n_places; i++)
		if (strcasecmp(c->places[i].name, name) == 0) {
			*x = c->places[i].x;
			return true;
		}
	if (!num_parse_double(name, strlen(name), -DBL_MAX, DBL_MAX, x, NULL))
		return false;
	for (size_t i = 0; i < c->n; i++)
		if (curves_height(&c->series[i], *x, &y))
			return true;
	return false;
}

/* Distances only where the panel has the figure's rows and columns. */
static void mark_curves(struct curves *c, bool distances, const struct mark *marks, size_t n,
			struct arena *a)
{
	double *const out = arena_calloc(a, n + 1, sizeof *out);
	c->n_pointed = 0;
	c->pointed = out;
	for (size_t i = 0; i < n; i++) {
		const long apart = marks[i].diagonal;
		double x;
		if (marks[i].kind == MARK_DIAGONAL && distances && c->by_distance)
			out[c->n_pointed++] = (double)(c->folded ? -labs(apart) : apart);
		else if (marks[i].kind == MARK_AT && place_of(c, marks[i].name, &x))
			out[c->n_pointed++] = x;
	}
}

static void mark_token(const struct links *l, size_t row, bool *out)
{
	const size_t at = among(l->cursor_row, l->n_below, l->n_below, (long)row + 1);
	if (at != SIZE_MAX)
		out[at] = true;
}

/* Words of rows, and of columns that are tokens of theirs. */
static void mark_links(struct links *l, const struct mark *marks, size_t n, size_t memory,
		       struct arena *a)
{
	bool *const out = arena_calloc(a, l->n_below + 1, sizeof *out);
	l->pointed = n > 0 ? out : NULL;
	for (size_t i = 0; i < n; i++) {
		const enum mark_kind kind = marks[i].kind;
		if (kind == MARK_CELL || kind == MARK_ROW)
			mark_token(l, marks[i].row, out);
		if ((kind == MARK_CELL || kind == MARK_COLUMN) && marks[i].col >= memory)
			mark_token(l, marks[i].col - memory, out);
	}
}

/* Tokens of rows and of columns. */
static void mark_drawing(struct drawing *d, const struct mark *marks, size_t n, struct arena *a)
{
	bool *const out = arena_calloc(a, d->n_tokens + 1, sizeof *out);
	d->pointed = n > 0 ? out : NULL;
	for (size_t i = 0; i < n; i++) {
		const enum mark_kind kind = marks[i].kind;
		const size_t row =
			among(d->cursor_row, d->n_rows, d->n_tokens, (long)marks[i].row + 1);
		const size_t col =
			among(d->cursor_col, d->n_cols, d->n_tokens, (long)marks[i].col + 1);
		if ((kind == MARK_CELL || kind == MARK_ROW) && row != SIZE_MAX)
			out[row] = true;
		if ((kind == MARK_CELL || kind == MARK_COLUMN) && col != SIZE_MAX)
			out[col] = true;
	}
}

/* The text that a name means: that text, or else the first that begins with it, or the one of that number; n: none. */
static size_t named(const char *const *texts, size_t n, const char *name)
{
	const size_t len = strlen(name);
	size_t begins = n;
	for (size_t i = 0; i < n; i++) {
		const char *const text = texts[i] ? texts[i] : "";
		if (strcasecmp(text, name) == 0)
			return i;
		if (begins == n && strncasecmp(text, name, len) == 0)
			begins = i;
	}
	long number;
	if (begins == n && num_parse_long(name, len, 1, (long)n, &number, NULL))
		begins = (size_t)number - 1;
	return begins;
}

/* Names of curves may be written with ^ and _ where they have signs: "Relative γ^K only". */
static size_t find_name(const char *const *texts, size_t n, const char *name, struct arena *a)
{
	const size_t found = named(texts, n, name);
	return found < n ? found : named(texts, n, figure_scripts(a, name));
}

/* What a mark of this kind can mean in a panel: *n texts; NULL: nothing. */
static const char *const *names_in(const struct panel *p, enum mark_kind kind, struct arena *a,
				   size_t *n)
{
	const char **out = NULL;
	*n = 0;
	if (p->absent)
		return NULL;
	if (p->kind == PANEL_CURVES && kind == MARK_CURVE) {
		*n = p->curves.n;
		out = arena_calloc(a, *n + 1, sizeof *out);
		for (size_t i = 0; i < *n; i++)
			out[i] = p->curves.series[i].label;
	}
	if (p->kind == PANEL_BARS && kind == MARK_LINE && p->bars.labels) {
		*n = p->bars.n;
		out = arena_calloc(a, *n + 1, sizeof *out);
		memcpy(out, p->bars.labels, *n * sizeof *out);
	}
	if (p->kind == PANEL_TABLE && kind == MARK_LINE && p->table.cols > 0) {
		const struct table *const t = &p->table;
		*n = t->rows;
		out = arena_calloc(a, *n + 1, sizeof *out);
		for (size_t i = 0; i < *n; i++)
			out[i] = t->group && t->group[i] ? NULL : t->cells[i * t->cols];
	}
	if (p->kind == PANEL_TABLE && kind == MARK_HEADING && p->table.head) {
		*n = p->table.cols;
		out = arena_calloc(a, *n + 1, sizeof *out);
		memcpy(out, p->table.head, *n * sizeof *out);
	}
	if (p->kind == PANEL_CARD && kind == MARK_LINE) {
		*n = p->card.n;
		out = arena_calloc(a, *n + 1, sizeof *out);
		for (size_t i = 0; i < *n; i++)
			out[i] = p->card.lines[i].key;
	}
	return out;
}

/* "0–25, 26–50", or "8 to 4096". */
static const char *places_in(const struct curves *c, struct arena *a)
{
	const char *known = "";
	char from[32], to[32];
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = 0; i < c->n_places; i++)
		known = arena_printf(a, "%s%s%s", known, i > 0 ? ", " : "", c->places[i].name);
	for (size_t i = 0; i < c->n; i++)
		if (c->series[i].n > 0) {
			lo = fmin(lo, c->series[i].x[0]);
			hi = fmax(hi, c->series[i].x[c->series[i].n - 1]);
		}
	if (c->n_places > 0 || lo > hi)
		return known;
	return arena_printf(a, "%s to %s", num_print(from, sizeof from, lo),
			    num_print(to, sizeof to, hi));
}

static bool has_place(const struct figure *f, const char *name, struct arena *a, struct err *err)
{
	const char *known = "";
	double x;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		if (p->kind != PANEL_CURVES || p->absent)
			continue;
		if (place_of(&p->curves, name, &x))
			return true;
		if (*known == '\0')
			known = places_in(&p->curves, a);
	}
	if (*known == '\0')
		return err_set(err, "there is no curve here");
	return err_set(err, "no curve has a point at %s; there are %s",
		       text_quote(a, name, strlen(name)), known);
}

static const char *kind_words(enum mark_kind kind)
{
	return kind == MARK_CURVE ? "curve" : kind == MARK_LINE ? "line" : "column of a table";
}

bool figure_has_mark(const struct figure *f, const struct mark *m, struct arena *a, struct err *err)
{
	const char *known = "";
	if (m->kind == MARK_AT)
		return has_place(f, m->name, a, err);
	if (!is_named(m->kind))
		return true;
	for (size_t i = 0; i < f->n; i++) {
		size_t n;
		const char *const *const names = names_in(&f->panels[i], m->kind, a, &n);
		if (n > 0 && find_name(names, n, m->name, a) < n)
			return true;
		for (size_t k = 0; k < n; k++)
			if (names[k])
				known = arena_printf(a, "%s%s%s", known, *known ? ", " : "",
						     names[k]);
	}
	const char *const what = kind_words(m->kind);
	if (*known == '\0')
		return err_set(err, "there is no %s here", what);
	return err_set(err, "no %s is called %s; there are %s", what,
		       text_quote(a, m->name, strlen(m->name)), known);
}

static const bool *mark_names(const struct panel *p, enum mark_kind kind, const struct mark *marks,
			      size_t n, struct arena *a)
{
	size_t of;
	const char *const *const names = names_in(p, kind, a, &of);
	bool *const out = arena_calloc(a, of + 1, sizeof *out);
	bool any = false;
	for (size_t i = 0; i < n && of > 0; i++) {
		const size_t at =
			marks[i].kind == kind ? find_name(names, of, marks[i].name, a) : of;
		out[at] = true;
		any = any || at < of;
	}
	return any ? out : NULL;
}

void figure_mark(struct figure *f, const struct mark *marks, size_t n, size_t memory,
		 struct arena *a)
{
	for (size_t i = 0; i < f->n; i++) {
		struct panel *const p = &f->panels[i];
		if (p->absent)
			continue;
		if (p->kind == PANEL_CURVES)
			p->curves.marked = mark_names(p, MARK_CURVE, marks, n, a);
		if (p->kind == PANEL_CARD)
			p->card.marked = mark_names(p, MARK_LINE, marks, n, a);
		if (p->kind == PANEL_CURVES)
			mark_curves(&p->curves, !p->no_cursor, marks, n, a);
		if (p->kind == PANEL_BARS)
			p->bars.marked = mark_names(p, MARK_LINE, marks, n, a);
		if (p->kind == PANEL_TABLE) {
			p->table.marked = mark_names(p, MARK_LINE, marks, n, a);
			p->table.marked_cols = mark_names(p, MARK_HEADING, marks, n, a);
		}
		if (p->no_cursor)
			continue;
		if (p->kind == PANEL_HEATMAP)
			mark_heatmap(&p->heatmap, marks, n, a);
		for (size_t k = 0; p->kind == PANEL_MULTIPLES && k < p->multiples.n; k++)
			mark_heatmap(&p->multiples.items[k].map, marks, n, a);
		if (p->kind == PANEL_LINKS)
			mark_links(&p->links, marks, n, memory, a);
		if (p->kind == PANEL_STRUCTURE)
			mark_drawing(&p->drawing, marks, n, a);
	}
}
