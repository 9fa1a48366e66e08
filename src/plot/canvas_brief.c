/* canvas_brief.c: a structure in a few rows, if there is no room for a drawing: under each word the
 * place of its governor, and in further rows the positions of the word; a tree in brackets; the
 * edges of a graph, those of the cursor's path first. */
#include <string.h>

#include "plot/canvas_pen.h"
#include "plot/pen_structure.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum {
	WORD_MOST = 10,
	GAP = 2,
	WRAPPED = 16 /* columns that may stay blank where a line ends before a word */
};

/* ---- words and governors --------------------------------------------------------------------- */

static const char governor_title[] = "governor";

/* Returns "2", "root", or "" for a token without a node. */
static const char *governor(const struct structure *s, const long *token, size_t i)
{
	const long node = s->d->node[i], up = node < 0 ? -1 : s->d->parent[node];
	if (node < 0 || (up >= 0 && token[up] < 0))
		return "";
	return up < 0 ? "root" : arena_printf(s->pen.arena, "%ld", token[up] + 1);
}

static int column_width(const struct structure *s, const long *token, size_t i)
{
	const int word = (int)text_width(s->d->tokens[i]),
		  most = word < WORD_MOST ? word : WORD_MOST;
	const int number = (int)text_width(governor(s, token, i));
	return most > number ? most : number;
}

/* Returns the first of the visible words around word `at`; `*n` gets how many have room in
 * `cols`. */
static size_t choose_first(const struct structure *s, const long *token, size_t at, int cols,
			   size_t *n)
{
	const size_t all = s->d->n_tokens;
	size_t first = at, end = at + 1;
	int used = column_width(s, token, at);
	for (bool more = true; more;) {
		more = false;
		const int left = first > 0 ? column_width(s, token, first - 1) + GAP : cols + 1;
		if (used + left <= cols) {
			used += left;
			first--;
			more = true;
		}
		const int right = end < all ? column_width(s, token, end) + GAP : cols + 1;
		if (used + right <= cols) {
			used += right;
			end++;
			more = true;
		}
	}
	*n = end - first;
	return first;
}

/* Writes `text` in a line of the panel from column `col` on, if the panel has that line. */
static void put(const struct structure *s, int line, int col, int cols, const char *text,
		enum role role)
{
	if (line < (int)s->pen.at.h)
		pen_text_fit(&s->pen, role, 0, col, s->pen.at.y + line + 0.5, cols, text);
}

/* Writes words from `col` on, and below them their governors and positions if there are rows for
 * these. */
static void draw_governors(const struct structure *s, int col)
{
	const struct drawing *d = s->d;
	const long *token = drawing_tokens(d, s->pen.arena);
	const size_t at = !d->has_cursor ? 0 : d->query != SIZE_MAX ? d->query : d->key;
	const int left = (int)s->pen.at.x, right = left + (int)s->pen.at.w;
	size_t n;
	const size_t first = choose_first(s, token, at, right - col - 2 * GAP, &n);
	put(s, 1, left, col - left, governor_title, ROLE_QUIET);
	for (size_t k = 0; k < d->n_below; k++)
		put(s, 2 + (int)k, left, col - left - 1, d->below[k].title, ROLE_QUIET);
	if (first > 0) {
		put(s, 0, col, 1, pen_more(&s->pen), ROLE_QUIET);
		col += 2;
	}
	for (size_t i = first; i < first + n; i++) {
		const int width = column_width(s, token, i);
		const enum role look =
			structure_token(s, i) == ROLE_PLAIN ? ROLE_PLAIN : ROLE_STRONG;
		put(s, 0, col, width, d->tokens[i], structure_token(s, i));
		put(s, 1, col, width, governor(s, token, i), look);
		for (size_t k = 0; k < d->n_below; k++)
			put(s, 2 + (int)k, col, width, d->below[k].text[i], look);
		col += width + GAP;
	}
	if (first + n < d->n_tokens)
		put(s, 0, col - 1, 1, pen_more(&s->pen), ROLE_QUIET);
}

/* ---- trees and graphs ------------------------------------------------------------------------ */

/* Returns a tree as "(S (NP The cat) …)". */
static const char *brackets(const struct structure *s)
{
	const struct outline o = drawing_outline(s->d, s->pen.arena);
	const char **names = drawing_names(s->d, s->pen.arena);
	struct strbuf b;
	size_t open = 0;
	strbuf_init(&b, s->pen.arena);
	for (size_t k = 0; k < o.n; k++) {
		const size_t node = o.order[k], depth = o.depth[node];
		for (; open > depth; open--)
			strbuf_add(&b, ")");
		strbuf_add(&b, b.len ? " " : "");
		if (!drawing_is_leaf(s->d, &o, k)) {
			strbuf_add(&b, "(");
			open++;
		}
		strbuf_add(&b, names[node]);
	}
	for (; open > 0; open--)
		strbuf_add(&b, ")");
	return b.at;
}

/* Returns edges as "want-01 →ARG0 gardener, …", as many as have room, and the number of the
 * others. */
static const char *edges(const struct structure *s, int room)
{
	const struct drawing *d = s->d;
	const char **names = drawing_names(d, s->pen.arena);
	const size_t *order = drawing_list(d, &s->light, 0, s->pen.arena);
	const char *const arrow = !d->directed ? "–" : s->pen.ascii ? "->" : "→";
	const char *all = "";
	for (size_t k = 0; k < d->n_edges; k++) {
		const struct drawn_edge *e = &d->edges[order[k]];
		const char *next = arena_printf(
			s->pen.arena, "%s%s%s %s%s%s %s", all, *all ? ", " : "", names[e->from],
			d->directed ? "" : arrow, e->label, d->directed ? arrow : "", names[e->to]);
		const size_t left = d->n_edges - k - 1;
		const char *rest = arena_printf(s->pen.arena, ", … %zu more edges", left + 1);
		if ((int)(text_width(next) + (left > 0 ? text_width(rest) : 0)) > room)
			return *all ? arena_printf(s->pen.arena, "%s%s", all, rest)
				    : arena_printf(s->pen.arena, "%zu edges", d->n_edges);
		all = next;
	}
	return all;
}

static bool has_governors(const struct drawing *d)
{
	return d->kind == DRAWING_ARCS && d->parent != NULL;
}

int canvas_structure_brief_rows(const struct drawing *d)
{
	return BRIEF_ROWS + (has_governors(d) ? (int)d->n_below : 0);
}

void canvas_structure_brief(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
			    bool focus)
{
	const struct drawing *d = &p->drawing;
	struct structure s = {pen_cells(c, a, r), d, drawing_light(d, a)};
	const char *const title = p->title != NULL ? p->title : "";
	unsigned attrs = focus ? ATTR_BOLD | ATTR_ACCENT : ATTR_BOLD;
	if (focus && c->tier == TIER_MONO)
		attrs |= ATTR_REVERSE;
	if (r.rows < 1 || r.cols < 12 || d->n == 0 || d->n_tokens == 0)
		return;
	int used = canvas_text_short(c, a, r.row, r.col, r.cols / 4, title, attrs);
	if (has_governors(d)) {
		const int least = (int)sizeof governor_title - 1;
		draw_governors(&s, r.col + (used > least ? used : least) + GAP);
		return;
	}
	used += GAP;
	const struct rect rest = {r.row, r.col + used, r.rows, r.cols - used};
	canvas_paragraph(c, a, rest,
			 d->kind == DRAWING_TREE && d->parent != NULL
				 ? brackets(&s)
				 : edges(&s, rest.cols * r.rows - WRAPPED * (r.rows - 1)),
			 0);
}
