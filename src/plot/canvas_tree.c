/* canvas_tree.c: a tree from its root at the left to its leaves, a row each, in a column of their
 * own with their places among the tokens and their positions behind them. A node stands in the row
 * of its first child.
 *
 * Where that is too wide names are shortened, then the strokes between them; where even that is too
 * wide the levels near the root go. What is too high is shown in a window around the cursor. */
#include <string.h>

#include "plot/canvas_structure.h"
#include "posviz/text.h"

enum { NAME_MOST = 16 };

struct tree {
	const struct sketch *s;
	struct outline o;
	const char **names;
	const long *token; /* first token of a node */
	size_t *of_row;	   /* leaf of each row */
	size_t skipped;	   /* levels that have gone */
	size_t first, rows;
	int *left, *width; /* of the inner nodes of each level */
	int gap;	   /* columns from a name to those of its children */
	int leaves, leaf_width, place_width;
	int below_width; /* of positions behind the places; 0: none are shown */
};

static bool is_inner(const struct tree *t, size_t k)
{
	return !drawing_is_leaf(t->s->d, &t->o, k);
}

/* Columns of the whole tree when names have at most `most` columns. */
static int measure(struct tree *t, int most, int gap)
{
	memset(t->width, 0, (t->o.depths + 1) * sizeof *t->width);
	t->leaf_width = 1;
	t->gap = gap;
	for (size_t k = 0; k < t->o.n; k++) {
		const size_t node = t->o.order[k], depth = t->o.depth[node];
		int width = (int)text_width(t->names[node]);
		width = width < most ? width : most;
		int *widest = is_inner(t, k) ? &t->width[depth] : &t->leaf_width;
		*widest = *widest < width ? width : *widest;
	}
	int col = 0;
	for (size_t depth = t->skipped; depth < t->o.depths; depth++) {
		t->left[depth] = col;
		col += t->width[depth] > 0 ? t->width[depth] + gap : 0;
	}
	t->leaves = col;
	return col + t->leaf_width + t->place_width + t->below_width;
}

/* "3", of several tokens "3–4". */
static const char *place_of(const struct sketch *s, size_t token)
{
	const size_t last = drawing_run(s->d, token);
	return last == token ? sketch_place(s, token)
			     : arena_printf(s->a, "%s%s%s", sketch_place(s, token),
					    s->c->ascii ? "-" : "–", sketch_place(s, last));
}

static int widest_place(const struct sketch *s)
{
	int most = 0;
	for (size_t i = 0; i < s->d->n_tokens; i++) {
		const int width = (int)text_width(place_of(s, i));
		most = width > most ? width : most;
	}
	return most > 0 ? most + 2 : 0;
}

/* Columns of one kind of positions, with those between. */
static int row_width(const struct sketch *s, const struct drawn_row *below)
{
	return (int)canvas_widest(below->text, s->d->n_tokens, 24) + 2;
}

static int widest_below(const struct sketch *s)
{
	int all = 0;
	for (size_t i = 0; i < s->d->n_below; i++)
		all += row_width(s, &s->d->below[i]);
	return all;
}

static void plan_cols(struct tree *t)
{
	static const struct {
		int most, gap;
	} tries[] = {{NAME_MOST, 5}, {8, 5}, {8, 3}, {5, 3}, {4, 2}};
	const int cols = t->s->inner.cols;
	const size_t n = sizeof tries / sizeof *tries, airy = 3;
	/* Their titles have a row of their own, which is no leaf's. */
	const bool titled = t->o.rows != (size_t)t->s->inner.rows && t->s->inner.rows > 3;
	t->below_width = titled ? widest_below(t->s) : 0;
	for (size_t i = 0; i < airy && t->below_width > 0; i++)
		if (measure(t, tries[i].most, tries[i].gap) <= cols)
			return;
	t->below_width = 0;
	for (size_t i = 0; i < n; i++)
		if (measure(t, tries[i].most, tries[i].gap) <= cols)
			return;
	/* Names that can be read are worth more than the root. */
	while (t->skipped + 1 < t->o.depths && measure(t, 4, 2) > cols)
		t->skipped++;
	if (measure(t, 4, 2) <= cols)
		return;
	t->place_width = 0;
	measure(t, cols > 16 ? 16 : cols, 0);
}

static void plan_rows(struct tree *t)
{
	const struct drawing *d = t->s->d;
	const size_t room = (size_t)t->s->inner.rows;
	const long node = t->s->light.query >= 0 ? t->s->light.query : t->s->light.key;
	t->rows = t->o.rows <= room - (t->skipped > 0 && room > 1) ? t->o.rows
		  : room > 1					   ? room - 1
								   : 1;
	t->first =
		sketch_window(node >= 0 && d->has_cursor ? t->o.row[node] : 0, t->rows, t->o.rows);
}

/* ---- drawing ------------------------------------------------------------------------------------ */

static int row_at(const struct tree *t, size_t row)
{
	return t->s->inner.row + (int)row - (int)t->first;
}

static bool is_visible(const struct tree *t, size_t row)
{
	return row >= t->first && row < t->first + t->rows;
}

static int col_at(const struct tree *t, size_t node, bool inner)
{
	return t->s->inner.col + (inner ? t->left[t->o.depth[node]] : t->leaves);
}

static const char *name_of(const struct tree *t, size_t node, bool inner)
{
	const int most = inner ? t->width[t->o.depth[node]] : t->leaf_width;
	return text_shorten(t->s->a, t->names[node], (size_t)most, t->s->c->ascii);
}

/* The strokes from a node's parent: along the parent's row, down its trunk, along its own row. */
static void draw_branch(const struct tree *t, const struct strokes *strokes, size_t k, bool lit)
{
	const size_t node = t->o.order[k];
	const size_t parent = (size_t)t->s->d->parent[node];
	const size_t depth = t->o.depth[parent];
	if (depth < t->skipped || t->gap == 0)
		return;
	const int end = t->s->inner.col + t->left[depth] + t->width[depth];
	const int trunk = end + t->gap / 2;
	const int top = row_at(t, t->o.row[parent]), row = row_at(t, t->o.row[node]);
	const int name = col_at(t, parent, true) + (int)text_width(name_of(t, parent, true));
	const int to = col_at(t, node, is_inner(t, k)) - (t->gap > 1 ? 2 : 1);
	const int from = name + (t->gap > 2);
	if (is_visible(t, t->o.row[parent]))
		strokes_level(strokes, top, from < trunk ? from : trunk, trunk, lit);
	const int bottom = t->s->inner.row + (int)t->rows - 1;
	strokes_upright(strokes, trunk, top < t->s->inner.row ? t->s->inner.row - 1 : top,
			row > bottom ? bottom + 1 : row, lit);
	if (is_visible(t, t->o.row[node]))
		strokes_level(strokes, row, trunk, to > trunk ? to : trunk, lit);
}

/* The edge from a node's parent to it, or SIZE_MAX. */
static size_t *edges_of(const struct drawing *d, struct arena *a)
{
	size_t *edge = arena_calloc(a, d->n + 1, sizeof *edge);
	for (size_t i = 0; i < d->n; i++)
		edge[i] = SIZE_MAX;
	for (size_t e = 0; e < d->n_edges; e++)
		if (d->parent[d->edges[e].to] == (long)d->edges[e].from)
			edge[d->edges[e].to] = e;
	return edge;
}

static void draw_branches(const struct tree *t)
{
	const struct sketch *s = t->s;
	struct rect r = s->inner;
	r.rows = (int)t->rows;
	const struct strokes strokes = strokes_new(s->c, s->a, r);
	const size_t *edge = edges_of(s->d, s->a);
	for (size_t k = 0; k < t->o.n; k++) {
		const size_t node = t->o.order[k];
		if (s->d->parent[node] >= 0)
			draw_branch(t, &strokes, k,
				    edge[node] != SIZE_MAX && s->light.edge[edge[node]]);
	}
	strokes_draw(&strokes);
}

static void draw_names(const struct tree *t)
{
	const struct sketch *s = t->s;
	for (size_t k = 0; k < t->o.n; k++) {
		const size_t node = t->o.order[k];
		const bool inner = is_inner(t, k);
		if (!is_visible(t, t->o.row[node]) || (inner && t->o.depth[node] < t->skipped))
			continue;
		const int row = row_at(t, t->o.row[node]), col = col_at(t, node, inner);
		const unsigned plain = inner && t->token[node] < 0 ? ATTR_DIM : 0;
		const unsigned attrs = sketch_node(s, node);
		canvas_text(s->c, row, col, s->inner.cols, name_of(t, node, inner),
			    attrs != 0 ? attrs : plain);
		if (inner || t->token[node] < 0 || t->place_width == 0)
			continue;
		const bool here = attrs & ATTR_UNDERLINE;
		int at = col + t->leaf_width + 1;
		canvas_text(s->c, row, at, t->place_width - 1, place_of(s, (size_t)t->token[node]),
			    here ? ATTR_BOLD | ATTR_ACCENT : ATTR_DIM);
		at += t->place_width;
		for (size_t i = 0; i < s->d->n_below && t->below_width > 0; i++) {
			const int width = row_width(s, &s->d->below[i]);
			canvas_text_short(s->c, s->a, row, at, width - 2,
					  s->d->below[i].text[t->token[node]],
					  here ? ATTR_BOLD | ATTR_ACCENT : 0);
			at += width;
		}
	}
}

/* Over the columns of positions; the last may be as long as the row, and begin before its
 * column. */
static void draw_titles(const struct tree *t, int row)
{
	const struct sketch *s = t->s;
	const int right = s->inner.col + s->inner.cols;
	int at = s->inner.col + t->leaves + t->leaf_width + 1 + t->place_width, end = s->inner.col;
	for (size_t i = 0; i < s->d->n_below; i++) {
		const char *const title = s->d->below[i].title;
		const int width = row_width(s, &s->d->below[i]), own = (int)text_width(title);
		if (i + 1 < s->d->n_below)
			end = at +
			      canvas_text_short(s->c, s->a, row, at, width - 1, title, ATTR_DIM);
		else if (own <= right - at)
			canvas_text(s->c, row, at, own, title, ATTR_DIM);
		else
			canvas_text_right(s->c, s->a, row, right, right - end - 1, title, ATTR_DIM);
		at += width;
	}
}

void sketch_tree(const struct sketch *sketch)
{
	struct sketch under = *sketch; /* the titles */
	const struct sketch *const s = &under;
	struct tree t = {.s = s,
			 .o = drawing_outline(s->d, s->a),
			 .names = drawing_names(s->d, "[", "]", s->a),
			 .token = drawing_tokens(s->d, s->a),
			 .place_width = widest_place(s)};
	if (t.o.rows == 0)
		return;
	t.left = arena_calloc(s->a, t.o.depths + 1, sizeof *t.left);
	t.width = arena_calloc(s->a, t.o.depths + 1, sizeof *t.width);
	plan_cols(&t);
	if (t.below_width > 0) {
		draw_titles(&t, under.inner.row++);
		under.inner.rows--;
	}
	plan_rows(&t);
	draw_branches(&t);
	draw_names(&t);
	if (t.skipped > 0)
		canvas_text_short(s->c, s->a, s->inner.row + s->inner.rows - 1, s->inner.col,
				  s->inner.cols,
				  arena_printf(s->a, "%zu of %zu levels, without those at the root",
					       t.o.depths - t.skipped, t.o.depths),
				  ATTR_DIM);
	if (t.rows < t.o.rows)
		sketch_part(s, s->inner.row + s->inner.rows - 1, "leaves", t.first,
			    t.first + t.rows, t.o.rows);
}
