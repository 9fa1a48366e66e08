/* canvas_edges.c: a graph as a list of its edges, from —label→ to, in as many columns as there is
 * room for; then nodes without an edge, then the positions of its tokens. Edges on the cursor's
 * path have heavy strokes; a node of several tokens is one in brackets: "[New York]". */
#include <string.h>

#include "plot/canvas_arcs.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"

enum { NAME_MOST = 18, LABEL_MOST = 14, BETWEEN = 3 };

struct list {
	const struct sketch *s;
	const char **names;
	int from, label, to; /* columns of each part */
	const size_t *order; /* of the edges */
	size_t rows, cols;
	const char *alone;
};

static int shorter(int a, int b)
{
	return a < b ? a : b;
}

/* The name with a mark where the cursor is. */
static const char *name_of(const struct list *l, size_t node)
{
	const struct light *light = &l->s->light;
	const char *const t = (long)node == light->query ? "t=" : "";
	const char *const s = (long)node == light->key ? "s=" : "";
	return arena_printf(l->s->a, "%s%s%s", t, s, l->names[node]);
}

static int least_arrow(const struct list *l)
{
	return l->label > 0 ? l->label + 4 : 3;
}

static void measure(struct list *l, int name, int label)
{
	const struct drawing *d = l->s->d;
	l->from = l->to = l->label = 0;
	for (size_t e = 0; e < d->n_edges; e++) {
		const struct drawn_edge *x = &d->edges[e];
		const int from = shorter((int)text_width(name_of(l, x->from)), name);
		const int to = shorter((int)text_width(name_of(l, x->to)), name);
		const int own = shorter((int)text_width(x->label), label);
		l->from = from > l->from ? from : l->from;
		l->to = to > l->to ? to : l->to;
		l->label = own > l->label ? own : l->label;
	}
}

static int width_of(const struct list *l)
{
	return l->from + 1 + least_arrow(l) + 1 + l->to;
}

/* "alone: x, y": nodes that no edge touches. */
static const char *alone(const struct list *l)
{
	const struct drawing *d = l->s->d;
	bool *touched = arena_calloc(l->s->a, d->n + 1, sizeof *touched);
	struct strbuf b;
	size_t n = 0;
	for (size_t e = 0; e < d->n_edges; e++)
		touched[d->edges[e].from] = touched[d->edges[e].to] = true;
	strbuf_init(&b, l->s->a);
	for (size_t i = 0; i < d->n; i++)
		if (!touched[i])
			strbuf_printf(&b, "%s%s", n++ ? ", " : "without edges: ", name_of(l, i));
	return n > 0 ? b.at : NULL;
}

static void plan(struct list *l)
{
	static const struct {
		int name, label;
	} tries[] = {{NAME_MOST, LABEL_MOST}, {12, 8}, {8, 6}, {6, 4}, {4, 3}, {2, 1}};
	const struct rect r = l->s->inner;
	const struct drawing *d = l->s->d;
	l->alone = alone(l);
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
		measure(l, tries[i].name, tries[i].label);
		if (width_of(l) <= r.cols)
			break;
	}
	size_t room = (size_t)r.rows - (l->alone != NULL && r.rows > 1);
	l->cols = (size_t)((r.cols + BETWEEN) / (width_of(l) + BETWEEN));
	l->cols = l->cols > 0 ? l->cols : 1;
	const size_t needed = (d->n_edges + l->cols - 1) / l->cols;
	if (needed > room && room > 1)
		room--; /* for the words that say which part it is */
	l->rows = needed < room ? needed : room;
	const size_t most = l->rows * l->cols;
	l->order = drawing_list(d, &l->s->light, most, l->s->a);
}

static const char *repeated(struct arena *a, const char *sign, int n)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (int i = 0; i < n; i++)
		strbuf_add(&b, sign);
	return b.at;
}

static const char *arrow_of(const struct list *l, size_t e)
{
	const struct sketch *s = l->s;
	const bool lit = s->light.edge[e], ascii = s->c->ascii;
	const char *label = text_shorten(s->a, s->d->edges[e].label, (size_t)l->label, ascii);
	const char *stroke = ascii ? lit ? "=" : "-" : lit ? "━" : "─";
	const char *head = !s->d->directed ? stroke : ascii ? ">" : lit ? "▶" : "→";
	const int strokes = least_arrow(l) - (int)text_width(label) - 1;
	return arena_printf(s->a, "%s%s%s%s", repeated(s->a, stroke, strokes / 2), label,
			    repeated(s->a, stroke, strokes - strokes / 2), head);
}

/* Columns from `col` on that a part of `width` has: on a few even the shortest edge is cut. */
static int room_at(const struct list *l, int col, int width)
{
	const struct rect r = l->s->inner;
	const int room = r.col + r.cols - col;
	return room < 0 ? 0 : shorter(room, width);
}

static void draw_edge(const struct list *l, size_t e, int row, int col)
{
	const struct sketch *s = l->s;
	const struct drawn_edge *x = &s->d->edges[e];
	const bool lit = s->light.edge[e];
	const int arrow = col + l->from + 1, to = arrow + least_arrow(l) + 1;
	const int from = room_at(l, col, l->from);
	canvas_text_right(s->c, s->a, row, col + from, from, name_of(l, x->from),
			  sketch_node(s, x->from));
	canvas_text_short(s->c, s->a, row, arrow, room_at(l, arrow, least_arrow(l)), arrow_of(l, e),
			  lit ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM);
	canvas_text_short(s->c, s->a, row, to, room_at(l, to, l->to), name_of(l, x->to),
			  sketch_node(s, x->to));
}

/* Words, places and positions in the rows that are left. */
static void draw_positions(const struct sketch *s, int row)
{
	struct sketch rest = *s;
	struct row_of_words w = {.s = &rest};
	rest.inner.rows -= row - rest.inner.row;
	rest.inner.row = row;
	const int needed = 2 + (int)s->d->n_below;
	if (s->d->n_below > 0 && rest.inner.rows >= needed && sketch_words(&w, false))
		sketch_words_draw(&w, row, rest.inner.rows);
}

void sketch_edges(const struct sketch *s)
{
	struct list l = {.s = s, .names = drawing_names(s->d, "[", "]", s->a)};
	const struct rect r = s->inner;
	plan(&l);
	const size_t n = s->d->n_edges, most = l.rows * l.cols;
	const size_t shown = most < n ? most : n;
	for (size_t k = 0; k < shown; k++)
		draw_edge(&l, l.order[k], r.row + (int)(k % l.rows),
			  r.col + (int)(k / l.rows) * (width_of(&l) + BETWEEN));
	int row = r.row + (int)l.rows;
	if (shown < n && row < r.row + r.rows)
		canvas_text_short(s->c, s->a, row++, r.col, r.cols,
				  arena_printf(s->a, "… %zu more edge%s", n - shown,
					       n - shown == 1 ? "" : "s"),
				  ATTR_DIM);
	if (l.alone != NULL && row < r.row + r.rows)
		canvas_text_short(s->c, s->a, row++, r.col, r.cols, l.alone, ATTR_DIM);
	draw_positions(s, row + 1);
}
