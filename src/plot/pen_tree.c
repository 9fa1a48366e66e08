/* pen_tree.c: a tree from its root at the left to its leaves, a line each, in a column of their
 * own, followed by their places in the sentence and their positions. A node is beside the middle of
 * its children; on cells, which have no middle of two lines, beside the first child.
 *
 * If that is too wide, names are shortened, then the strokes between them; if it is still too wide,
 * the levels near the root are left out. A tree that is too high is shown in a window around the
 * cursor. */
#include <math.h>
#include <string.h>

#include "plot/pen_structure.h"

struct tree {
	const struct structure *s;
	struct outline o;
	const char **names;
	const long *token; /* first token of a node */
	size_t skipped;	   /* levels that are left out */
	size_t first, rows;
	double *left, *width; /* of the inner nodes of each level */
	double *y;	      /* of each node, in lines */
	double gap;	      /* from a name to the names of its children */
	double leaves, leaf_width, place_width;
	double below_width; /* width of the positions after the places; 0: none are shown */
	double top, pitch;
};

static bool is_inner(const struct tree *t, size_t k)
{
	return !drawing_is_leaf(t->s->d, &t->o, k);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* In ems: the most of a name, and the gap. */
struct spacing {
	double most, gap;
};
static const struct spacing spacings[] = {{16, 5}, {8, 5}, {8, 3}, {5, 3}, {4, 2}};
enum { SPACINGS = sizeof spacings / sizeof *spacings, AIRY = 3 };

/* Computes the width of the whole tree with this spacing. */
static double measure(struct tree *t, struct spacing how)
{
	const struct pen *const pen = &t->s->pen;
	memset(t->width, 0, (t->o.depths + 1) * sizeof *t->width);
	t->leaf_width = pen->em;
	t->gap = how.gap * pen->em;
	for (size_t k = 0; k < t->o.n; k++) {
		const size_t node = t->o.order[k];
		double *widest = is_inner(t, k) ? &t->width[t->o.depth[node]] : &t->leaf_width;
		const double own = pen_measure(pen, t->names[node]).w;
		*widest = fmax(*widest, fmin(own, how.most * pen->em));
	}
	double x = 0;
	for (size_t depth = t->skipped; depth < t->o.depths; depth++) {
		t->left[depth] = x;
		x += t->width[depth] > 0 ? t->width[depth] + t->gap : 0;
	}
	t->leaves = x;
	return x + t->leaf_width + t->place_width + t->below_width;
}

/* Returns "3", or for several tokens "3–4". */
static const char *place_of(const struct structure *s, size_t token)
{
	const size_t last = drawing_run(s->d, token);
	return last == token ? structure_place(s, token)
			     : arena_printf(s->pen.arena, "%s%s%s", structure_place(s, token),
					    pen_dash(&s->pen), structure_place(s, last));
}

static double widest_place(const struct structure *s)
{
	double most = 0;
	for (size_t i = 0; i < s->d->n_tokens; i++)
		most = fmax(most, pen_measure(&s->pen, place_of(s, i)).w);
	return most > 0 ? most + 2 * s->pen.em : 0;
}

/* Returns the width of one kind of positions, with the gap after them. */
static double row_width(const struct structure *s, const struct drawn_row *below)
{
	double most = 0;
	for (size_t i = 0; i < s->d->n_tokens; i++)
		most = fmax(most, pen_measure(&s->pen, below->text[i]).w);
	return fmin(most, 24 * s->pen.em) + 2 * s->pen.em;
}

/* Returns whether one of the first n spacings fits; gaps get some of the remaining width. */
static bool fits(struct tree *t, size_t n)
{
	const struct pen *const pen = &t->s->pen;
	for (size_t i = 0; i < n; i++) {
		struct spacing how = spacings[i];
		const double left = pen->at.w - measure(t, how);
		if (left < 0)
			continue;
		how.gap += fmin(4 * pen->air, left / (double)t->o.depths) / pen->em;
		measure(t, how);
		return true;
	}
	return false;
}

static void plan_cols(struct tree *t)
{
	const struct pen *const pen = &t->s->pen;
	const double room = pen->at.w, lines = pen->at.h / pen->line;
	/* The titles of positions need a line without a leaf. */
	if ((double)t->o.rows != lines && lines > 3)
		for (size_t i = 0; i < t->s->d->n_below; i++)
			t->below_width += row_width(t->s, &t->s->d->below[i]);
	if (t->below_width > 0 && fits(t, AIRY))
		return;
	t->below_width = 0;
	if (fits(t, SPACINGS))
		return;
	/* Readable names are worth more than the root. */
	while (t->skipped + 1 < t->o.depths && measure(t, spacings[SPACINGS - 1]) > room)
		t->skipped++;
	if (measure(t, spacings[SPACINGS - 1]) <= room)
		return;
	t->place_width = 0;
	measure(t, (struct spacing){fmin(16, room / pen->em), 0});
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Places nodes from the leaves up: a parent is in the middle of its first and last child, which
 * both follow it in preorder. */
static void place_nodes(struct tree *t)
{
	const struct drawing *const d = t->s->d;
	struct arena *const a = t->s->pen.arena;
	double *const first = arena_calloc(a, d->n + 1, sizeof *first);
	t->y = arena_calloc(a, d->n + 1, sizeof *t->y);
	for (size_t i = 0; i < d->n; i++)
		first[i] = -1;
	for (size_t k = t->o.n; k-- > 0;) {
		const size_t node = t->o.order[k];
		const long parent = d->parent[node];
		if (first[node] < 0) /* a leaf */
			t->y[node] = first[node] = (double)t->o.row[node];
		t->y[node] = t->s->pen.cell > 0 ? first[node] : (first[node] + t->y[node]) / 2;
		if (parent < 0)
			continue;
		t->y[parent] = first[parent] < 0 ? t->y[node] : t->y[parent]; /* the last child */
		first[parent] = t->y[node];
	}
}

static void plan_rows(struct tree *t)
{
	const struct structure *const s = t->s;
	double line = s->pen.line;
	for (size_t i = 0; i < s->d->n; i++)
		line = fmax(line, pen_measure(&s->pen, t->names[i]).h);
	const double height = s->pen.at.h - (t->below_width > 0 ? line : 0);
	const size_t room = (size_t)fmax(1, floor(height / line));
	const long node = s->light.query >= 0 ? s->light.query : s->light.key;
	const bool cut = t->o.rows > room - (t->skipped > 0 && room > 1), said = cut && room > 1;
	t->rows = !cut ? t->o.rows : said ? room - 1 : 1;
	t->first = pen_window(node >= 0 ? t->o.row[node] : 0, t->rows, t->o.rows);
	t->pitch = (height - (said || t->skipped > 0 ? line : 0)) / (double)t->rows;
	t->pitch = fmin(fmax(t->pitch, line), line + 4 * s->pen.air);
	t->top = s->pen.at.y + s->pen.at.h - height;
	place_nodes(t);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static double y_of(const struct tree *t, size_t node)
{
	return t->top + (t->y[node] - (double)t->first + 0.5) * t->pitch;
}

static double x_of(const struct tree *t, size_t node, bool inner)
{
	return t->s->pen.at.x + (inner ? t->left[t->o.depth[node]] : t->leaves);
}

static const char *name_of(const struct tree *t, size_t node, bool inner)
{
	return pen_fit(&t->s->pen, structure_node(t->s, node), t->names[node],
		       inner ? t->width[t->o.depth[node]] : t->leaf_width);
}

/* Draws the strokes from a node's parent: along the parent's line, down its trunk, along the node's
 * own line. */
static void draw_branch(const struct tree *t, size_t k, bool lit)
{
	const struct pen *const pen = &t->s->pen;
	const double em = pen->em;
	const size_t node = t->o.order[k], parent = (size_t)t->s->d->parent[node];
	const size_t depth = t->o.depth[parent];
	if (depth < t->skipped || t->gap == 0)
		return;
	const double trunk = pen->at.x + t->left[depth] + t->width[depth] + t->gap / 2;
	const double name = x_of(t, parent, true) + pen_measure(pen, name_of(t, parent, true)).w;
	const double from = name + (t->gap > 2 * em ? 1.5 : 0.5) * em;
	const double to = x_of(t, node, is_inner(t, k)) - (t->gap > em ? 1.5 : 0.5) * em;
	const struct point way[] = {{fmin(from, trunk), y_of(t, parent)},
				    {trunk, y_of(t, parent)},
				    {trunk, y_of(t, node)},
				    {fmax(to, trunk), y_of(t, node)}};
	pen_stroke(pen, way, sizeof way / sizeof *way, lit);
}

/* Returns, for each node, whether the edge from its parent is on the cursor's path. */
static bool *lit_branches(const struct structure *s)
{
	const struct drawing *const d = s->d;
	bool *lit = arena_calloc(s->pen.arena, d->n + 1, sizeof *lit);
	for (size_t e = 0; e < d->n_edges; e++)
		if (d->parent[d->edges[e].to] == (long)d->edges[e].from)
			lit[d->edges[e].to] = s->light.edge[e];
	return lit;
}

static void draw_branches(const struct tree *t, struct pen *pen)
{
	const bool *lit = lit_branches(t->s);
	pen_begin(pen, (struct area){pen->at.x, t->top, pen->at.w, t->pitch * (double)t->rows});
	for (int heavy = 0; heavy < 2; heavy++)
		for (size_t k = 0; k < t->o.n; k++) {
			const size_t node = t->o.order[k];
			if (t->s->d->parent[node] >= 0 && lit[node] == (heavy == 1))
				draw_branch(t, k, heavy == 1);
		}
	pen_end(pen);
}

/* Writes the place and the positions of a leaf. */
static void draw_leaf(const struct tree *t, size_t node, size_t token, double x)
{
	const struct structure *const s = t->s;
	const bool here = structure_node(s, node) == ROLE_END;
	const double y = y_of(t, node), em = s->pen.em;
	pen_text(&s->pen, here ? ROLE_PATH : ROLE_QUIET, 0, x, y, place_of(s, token));
	x += t->place_width;
	for (size_t i = 0; i < s->d->n_below && t->below_width > 0; i++) {
		const double width = row_width(s, &s->d->below[i]);
		const enum role role = here ? ROLE_PATH : ROLE_PLAIN;
		pen_text_fit(&s->pen, role, 0, x, y, width - 2 * em, s->d->below[i].text[token]);
		x += width;
	}
}

static void draw_names(const struct tree *t)
{
	const struct structure *const s = t->s;
	for (size_t k = 0; k < t->o.n; k++) {
		const size_t node = t->o.order[k];
		const bool inner = is_inner(t, k), out = inner && t->o.depth[node] < t->skipped;
		const double row = t->y[node] - (double)t->first;
		if (out || row < 0 || row > (double)t->rows - 1)
			continue;
		const bool quiet = inner && t->token[node] < 0 && !s->light.node[node];
		const double x = x_of(t, node, inner);
		pen_text(&s->pen, quiet ? ROLE_QUIET : structure_node(s, node), 0, x, y_of(t, node),
			 name_of(t, node, inner));
		if (!inner && t->token[node] >= 0 && t->place_width > 0)
			draw_leaf(t, node, (size_t)t->token[node], x + t->leaf_width + s->pen.em);
	}
}

/* Writes titles above the columns of positions; the last one may be as long as the line, and begin
 * before its column. */
static void draw_titles(const struct tree *t)
{
	const struct structure *const s = t->s;
	const struct pen *const pen = &s->pen;
	const double right = pen->at.x + pen->at.w, y = pen->at.y + pen->line / 2;
	double x = pen->at.x + t->leaves + t->leaf_width + pen->em + t->place_width,
	       end = pen->at.x;
	for (size_t i = 0; i < s->d->n_below; i++) {
		const bool last = i + 1 == s->d->n_below;
		const double width = row_width(s, &s->d->below[i]);
		const char *const title = pen_fit(pen, ROLE_QUIET, s->d->below[i].title,
						  last ? right - end : width - pen->em);
		const double own = pen_measure(pen, title).w;
		pen_text(pen, ROLE_QUIET, 0, fmin(x, right - own), y, title);
		end = x + own + pen->em;
		x += width;
	}
}

/* Writes a note about what is not drawn. */
static void say_rest(const struct tree *t)
{
	const struct structure *const s = t->s;
	const struct area at = s->pen.at;
	struct arena *const a = s->pen.arena;
	const char *levels = "", *leaves = "";
	if (t->skipped > 0)
		levels = arena_printf(a, "%zu of %zu levels, without those at the root",
				      t->o.depths - t->skipped, t->o.depths);
	if (t->rows < t->o.rows)
		leaves = arena_printf(a, "leaves %zu%s%zu of %zu", t->first + 1, pen_dash(&s->pen),
				      t->first + t->rows, t->o.rows);
	structure_rest(s, at.y + at.h - s->pen.line / 2,
		       arena_printf(a, "%s%s%s", levels, *levels && *leaves ? ", " : "", leaves));
}

void structure_tree(struct structure *s)
{
	struct arena *const a = s->pen.arena;
	struct tree t = {.s = s,
			 .o = drawing_outline(s->d, a),
			 .names = drawing_names(s->d, a),
			 .token = drawing_tokens(s->d, a),
			 .place_width = widest_place(s)};
	if (t.o.rows == 0)
		return;
	t.left = arena_calloc(a, t.o.depths + 1, sizeof *t.left);
	t.width = arena_calloc(a, t.o.depths + 1, sizeof *t.width);
	plan_cols(&t);
	plan_rows(&t);
	if (t.below_width > 0)
		draw_titles(&t);
	draw_branches(&t, &s->pen);
	draw_names(&t);
	say_rest(&t);
}
