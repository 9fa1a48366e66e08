/* raster_tree.c: a tree on paper, from its root at the left to its leaves, a line each.
 *
 * A node stands beside the middle of its children. Strokes bend only between two columns of names, and
 * run along a leaf's own line to it, so that they cross no word. */
#include "plot/raster_structure.h"

#include <math.h>

struct growth {
	const struct plate *t;
	struct outline o;
	const char **names;
	const bool *several; /* nodes with more than one token */
	const long *token;
	size_t *edge; /* above each node, SIZE_MAX: none */
	size_t first, rows, skipped;
	double line, pitch, gap, top; /* line: the height of the highest name */
	double *left, *width;	      /* of the inner nodes of each level */
	double leaves, leaf_width, place_width;
	double below_width; /* of positions behind the places; 0: none are shown */
	double *y;	    /* of each node, in rows */
};

static bool is_inner(const struct growth *g, size_t k)
{
	return !drawing_is_leaf(g->t->d, &g->o, k);
}

static const char *place_of(const struct growth *g, size_t node)
{
	if (g->token[node] < 0)
		return "";
	const size_t first = (size_t)g->token[node], last = drawing_run(g->t->d, first);
	return last == first ? arena_printf(g->t->p->arena, "%zu", first + 1)
			     : arena_printf(g->t->p->arena, "%zu–%zu", first + 1, last + 1);
}

static const char *text_of(const struct growth *g, size_t node)
{
	return arena_printf(g->t->p->arena, "%s%s", plate_mark(g->t, (long)node), g->names[node]);
}

static double measure(struct growth *g, double most, double gap)
{
	struct page *p = g->t->p;
	g->leaf_width = 0;
	g->line = p->line[FACE_BOLD];
	g->gap = gap;
	for (size_t i = 0; i <= g->o.depths; i++)
		g->width[i] = 0;
	for (size_t k = 0; k < g->o.n; k++) {
		const size_t node = g->o.order[k];
		double *widest = is_inner(g, k) ? &g->width[g->o.depth[node]] : &g->leaf_width;
		const struct size bold = raster_text_measure(p, FACE_BOLD, text_of(g, node));
		const double own =
			1 + fmax(bold.w, raster_text_measure(p, FACE_TEXT, text_of(g, node)).w);
		g->line = fmax(g->line, bold.h);
		*widest = fmax(*widest, fmin(own, most));
	}
	double x = 0;
	for (size_t depth = g->skipped; depth < g->o.depths; depth++) {
		g->left[depth] = x;
		x += g->width[depth] > 0 ? g->width[depth] + gap : 0;
	}
	g->leaves = x;
	return x + g->leaf_width + g->place_width + g->below_width;
}

/* The width of one kind of positions, with the air before it. */
static double row_width(const struct growth *g, const struct drawn_row *below)
{
	struct page *p = g->t->p;
	double most = 0;
	for (size_t i = 0; i < g->t->d->n_tokens; i++)
		most = fmax(most, raster_text_measure(p, FACE_BOLD, below->text[i]).w);
	return fmin(most, 120 * p->type) + 16 * p->space;
}

static void plan_cols(struct growth *g)
{
	const struct page *p = g->t->p;
	const double most[] = {150, 150, 150, 90, 60, 40}, gaps[] = {72, 54, 40, 30, 24, 20};
	const double room = g->t->at.w;
	const struct drawing *d = g->t->d;
	for (size_t i = 0; i < d->n_below; i++)
		g->below_width += row_width(g, &d->below[i]);
	for (int i = 0; i < 4 && g->below_width > 0; i++)
		if (measure(g, most[i] * p->type, gaps[i] * p->space) <= room)
			return;
	g->below_width = 0;
	for (int i = 0; i < 6; i++)
		if (measure(g, most[i] * p->type, gaps[i] * p->space) <= room)
			return;
	while (g->skipped + 1 < g->o.depths && measure(g, 40 * p->type, 20 * p->space) > room)
		g->skipped++;
}

static void plan_rows(struct growth *g)
{
	const struct plate *t = g->t;
	const struct page *p = t->p;
	const double least = 1.02 * g->line;
	const bool cut = g->skipped > 0; /* which is said below */
	const double titles = g->below_width > 0 ? least : 0, all = t->at.h - titles;
	const size_t room = (size_t)fmax(1, floor(all / least) - cut);
	const long node = t->light.query >= 0 ? t->light.query : t->light.key;
	g->rows = g->o.rows <= room ? g->o.rows : room > 2 ? room - 1 : 1;
	g->first = plate_window(node >= 0 ? g->o.row[node] : 0, g->rows, g->o.rows);
	const double height = all - (cut || g->rows < g->o.rows ? least : 0);
	g->pitch = fmax(fmin(height / (double)g->rows, 2.6 * p->line[FACE_BOLD]), LEAST_PITCH);
	g->top = t->at.y + titles + fmax(0, (height - g->pitch * (double)g->rows) / 2);
	for (size_t k = g->o.n; k-- > 0;) {
		const size_t at = g->o.order[k];
		g->y[at] = (double)g->o.row[at];
	}
}

/* From the leaves up: a parent is in the middle of its first and last child, both further on in
 * preorder. */
static void centre(struct growth *g)
{
	const struct drawing *d = g->t->d;
	double *lo = arena_calloc(g->t->p->arena, d->n + 1, sizeof *lo);
	double *hi = arena_calloc(g->t->p->arena, d->n + 1, sizeof *hi);
	for (size_t i = 0; i < d->n; i++) {
		lo[i] = INFINITY;
		hi[i] = -INFINITY;
	}
	for (size_t k = g->o.n; k-- > 0;) {
		const size_t at = g->o.order[k];
		if (lo[at] <= hi[at])
			g->y[at] = (lo[at] + hi[at]) / 2;
		if (d->parent[at] < 0)
			continue;
		lo[d->parent[at]] = fmin(lo[d->parent[at]], g->y[at]);
		hi[d->parent[at]] = fmax(hi[d->parent[at]], g->y[at]);
	}
}

static double line_of(const struct growth *g, size_t node)
{
	return g->top + (g->y[node] - (double)g->first + 0.5) * g->pitch;
}

static bool is_visible(const struct growth *g, size_t node)
{
	return g->y[node] >= (double)g->first && g->y[node] <= (double)(g->first + g->rows) - 1;
}

static const char *name_of(const struct growth *g, size_t k, enum face face)
{
	const size_t node = g->o.order[k];
	const double width = is_inner(g, k) ? g->width[g->o.depth[node]] : g->leaf_width;
	return raster_text_fit(g->t->p, face, text_of(g, node), width);
}

static double column(const struct growth *g, size_t k)
{
	const size_t node = g->o.order[k];
	return g->t->at.x + (is_inner(g, k) ? g->left[g->o.depth[node]] : g->leaves);
}

static void draw_branch(const struct growth *g, size_t k, const double *name_end)
{
	struct page *p = g->t->p;
	const size_t node = g->o.order[k];
	const long parent = g->t->d->parent[node];
	if (parent < 0 || g->o.depth[parent] < g->skipped)
		return;
	const double x0 = name_end[parent] + 5 * p->space, y0 = line_of(g, (size_t)parent);
	const double x1 = g->t->at.x + g->left[g->o.depth[parent]] + g->width[g->o.depth[parent]] +
			  6 * p->space;
	const double x2 = x1 + g->gap - 12 * p->space, y2 = line_of(g, node);
	const double end = column(g, k) - 6 * p->space, mid = (x1 + x2) / 2;
	plate_stroke(g->t, g->edge[node] != SIZE_MAX && g->t->light.edge[g->edge[node]]);
	cairo_move_to(p->cr, fmin(x0, x1), y0);
	cairo_line_to(p->cr, x1, y0);
	cairo_curve_to(p->cr, mid, y0, mid, y2, x2, y2);
	cairo_line_to(p->cr, fmax(end, x2), y2);
	cairo_stroke(p->cr);
}

/* Around a node of several tokens. */
static void draw_box(const struct growth *g, size_t k, enum face face)
{
	struct page *p = g->t->p;
	const double air = 4 * p->space, height = p->line[FACE_TEXT];
	const double width = raster_text_measure(p, face, name_of(g, k, face)).w;
	plate_box(g->t, (struct area){column(g, k) - air, line_of(g, g->o.order[k]) - height / 2,
				      width + 2 * air, height});
}

static void draw_name(const struct growth *g, size_t k)
{
	struct page *p = g->t->p;
	const size_t node = g->o.order[k];
	const bool inner = is_inner(g, k);
	if (!is_visible(g, node) || (inner && g->o.depth[node] < g->skipped))
		return;
	const enum face face = plate_face(g->t, (long)node);
	const bool plain = face == FACE_TEXT && inner && g->token[node] < 0;
	raster_text_mid(p, face, plain ? p->theme->second : plate_ink(g->t, (long)node), 0,
			column(g, k), line_of(g, node), name_of(g, k, face));
	if (g->several[node])
		draw_box(g, k, face);
	if (inner)
		return;
	double x = g->t->at.x + g->leaves + g->leaf_width + g->place_width;
	raster_text_mid(p, FACE_TEXT, p->theme->second, 1, x, line_of(g, node), place_of(g, node));
	const struct drawing *d = g->t->d;
	for (size_t i = 0; i < d->n_below && g->below_width > 0 && g->token[node] >= 0; i++) {
		const double width = row_width(g, &d->below[i]), air = 16 * p->space;
		raster_text_mid(
			p, face, plate_ink(g->t, (long)node), 0, x + air, line_of(g, node),
			raster_text_fit(p, face, d->below[i].text[g->token[node]], width - air));
		x += width;
	}
}

static void draw_branches(const struct growth *g)
{
	const struct plate *t = g->t;
	struct page *p = t->p;
	double *name_end = arena_calloc(p->arena, t->d->n + 1, sizeof *name_end);
	for (size_t k = 0; k < g->o.n; k++) {
		const enum face face = plate_face(t, (long)g->o.order[k]);
		name_end[g->o.order[k]] =
			column(g, k) + raster_text_measure(p, face, name_of(g, k, face)).w;
	}
	cairo_save(p->cr);
	cairo_rectangle(p->cr, t->at.x, g->top, t->at.w, g->pitch * (double)g->rows);
	cairo_clip(p->cr);
	for (int lit = 0; lit < 2; lit++)
		for (size_t k = 0; k < g->o.n; k++) {
			const size_t edge = g->edge[g->o.order[k]];
			if ((edge != SIZE_MAX && t->light.edge[edge]) == (lit == 1))
				draw_branch(g, k, name_end);
		}
	cairo_restore(p->cr);
}

/* Over the columns of positions; the last may reach to the plate's edge, and begin before its
 * column. */
static void draw_titles(const struct growth *g)
{
	const struct plate *t = g->t;
	struct page *p = t->p;
	const double air = 16 * p->space, right = t->at.x + t->at.w;
	const double y = g->top - p->line[FACE_TEXT] * 1.02;
	double x = t->at.x + g->leaves + g->leaf_width + g->place_width + air, end = t->at.x;
	for (size_t i = 0; i < t->d->n_below; i++) {
		const bool last = i + 1 == t->d->n_below;
		const double width = row_width(g, &t->d->below[i]);
		const char *title = t->d->below[i].title;
		title = raster_text_fit(p, FACE_TEXT, title, last ? right - end : width - air);
		const double own = raster_text_measure(p, FACE_TEXT, title).w;
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, fmin(x, right - own), y, title);
		end = x + own + air;
		x += width;
	}
}

/* What is not drawn. */
static void say_rest(const struct growth *g)
{
	const struct plate *t = g->t;
	struct arena *a = t->p->arena;
	const char *parts[] = {"", ""}, *all = "";
	if (g->skipped > 0)
		parts[0] = arena_printf(a, "%zu of %zu levels, without those at the root",
					g->o.depths - g->skipped, g->o.depths);
	if (g->rows < g->o.rows)
		parts[1] = arena_printf(a, "leaves %zu–%zu of %zu", g->first + 1,
					g->first + g->rows, g->o.rows);
	for (size_t i = 0; i < 2; i++)
		all = arena_printf(a, "%s%s%s", all, *all && *parts[i] ? "   " : "", parts[i]);
	plate_say(t, all);
}

void plate_tree(const struct plate *t)
{
	struct page *p = t->p;
	const struct drawing *d = t->d;
	struct growth g = {.t = t,
			   .o = drawing_outline(d, p->arena),
			   .names = drawing_names(d, "", "", p->arena),
			   .several = drawing_several(d, p->arena),
			   .token = drawing_tokens(d, p->arena),
			   .edge = arena_calloc(p->arena, d->n + 1, sizeof *g.edge),
			   .y = arena_calloc(p->arena, d->n + 1, sizeof *g.y)};
	g.left = arena_calloc(p->arena, g.o.depths + 1, sizeof *g.left);
	g.width = arena_calloc(p->arena, g.o.depths + 1, sizeof *g.width);
	for (size_t i = 0; i < d->n; i++)
		g.edge[i] = SIZE_MAX;
	for (size_t e = 0; e < d->n_edges; e++)
		if (d->parent[d->edges[e].to] == (long)d->edges[e].from)
			g.edge[d->edges[e].to] = e;
	g.place_width =
		raster_text_measure(p, FACE_TEXT, arena_printf(p->arena, "%zu", d->n_tokens)).w +
		14 * p->space;
	plan_cols(&g);
	plan_rows(&g);
	centre(&g);
	draw_branches(&g);
	for (size_t k = 0; k < g.o.n; k++)
		draw_name(&g, k);
	if (g.below_width > 0)
		draw_titles(&g);
	say_rest(&g);
}
