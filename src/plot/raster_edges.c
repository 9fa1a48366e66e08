/* raster_edges.c: a graph on paper as a list of its edges: from, an arrow with the label in it, to; in as
 * many columns as there is room for. */
#include "plot/raster_structure.h"

#include <math.h>

struct list {
	const struct plate *t;
	const char **names;
	const bool *several;	       /* nodes with more than one token */
	double from, label, to, arrow; /* widths */
	double line;		       /* height */
	const size_t *order;	       /* of the edges */
	size_t rows, cols;
	double pitch;
	size_t *alone, n_alone; /* nodes without an edge */
};

static const char *text_of(const struct list *l, size_t node)
{
	return arena_printf(l->t->p->arena, "%s%s", plate_mark(l->t, (long)node), l->names[node]);
}

static void measure(struct list *l, double most)
{
	struct page *p = l->t->p;
	const struct drawing *d = l->t->d;
	l->from = l->to = l->label = 0;
	l->line = p->line[FACE_BOLD];
	for (size_t e = 0; e < d->n_edges; e++) {
		const struct drawn_edge *x = &d->edges[e];
		const char *const parts[] = {text_of(l, x->from), text_of(l, x->to), x->label};
		double *const widest[] = {&l->from, &l->to, &l->label};
		for (int i = 0; i < 3; i++) {
			const struct size size = raster_text_measure(p, FACE_BOLD, parts[i]);
			*widest[i] = fmax(*widest[i], parts[i][0] != '\0' ? size.w : 0);
			l->line = fmax(l->line, size.h);
		}
	}
	l->from = fmin(l->from, most);
	l->to = fmin(l->to, most);
	l->label = fmin(l->label, most * 0.7);
	l->arrow = l->label + 48 * p->space;
}

static double width_of(const struct list *l)
{
	return l->from + l->to + l->arrow + 16 * l->t->p->space;
}

static void plan(struct list *l)
{
	const struct plate *t = l->t;
	const struct page *p = t->p;
	const struct drawing *d = t->d;
	const double most[] = {180, 110, 70, 45}, between = 40 * p->space;
	for (int i = 0; i < 4; i++) {
		measure(l, most[i] * p->type);
		if (width_of(l) <= t->at.w)
			break;
	}
	l->cols = (size_t)fmax(1, floor((t->at.w + between) / (width_of(l) + between)));
	const double line = 1.02 * l->line;
	double height = t->at.h - (l->n_alone > 0 ? line : 0);
	size_t room = (size_t)fmax(1, floor(height / line));
	if ((d->n_edges + l->cols - 1) / l->cols > room) {
		height -= line;
		room = (size_t)fmax(1, floor(height / line));
	}
	/* One column as long as it holds all. */
	if (d->n_edges <= room)
		l->cols = 1;
	l->arrow +=
		fmin(60 * p->space, fmax(0, (t->at.w - (double)l->cols * (width_of(l) + between)) /
						    (double)l->cols));
	const size_t needed = (d->n_edges + l->cols - 1) / l->cols;
	l->rows = needed < room ? needed : room;
	l->pitch =
		fmax(fmin(height / (double)(l->rows > 0 ? l->rows : 1), 2.2 * line), LEAST_PITCH);
	l->order = drawing_list(d, &t->light, l->rows * l->cols, p->arena);
}

static void draw_arrow(const struct list *l, size_t e, double x, double y)
{
	struct page *p = l->t->p;
	const bool lit = l->t->light.edge[e];
	const enum face face = lit ? FACE_BOLD : FACE_TEXT;
	const double end = x + l->arrow, head = fmax(3, (lit ? 5 : 4) * p->space);
	const char *label = l->t->d->edges[e].label;
	label = label[0] != '\0' ? raster_text_fit(p, face, label, l->label) : "";
	const double wide =
		label[0] != '\0' ? raster_text_measure(p, face, label).w + 8 * p->space : 0;
	const double mid = (x + end) / 2;
	plate_stroke(l->t, lit);
	cairo_move_to(p->cr, x, y);
	cairo_line_to(p->cr, mid - wide / 2, y);
	cairo_move_to(p->cr, mid + wide / 2, y);
	cairo_line_to(p->cr, end - (l->t->d->directed ? head : 0), y);
	cairo_stroke(p->cr);
	if (l->t->d->directed) {
		raster_colour(p, lit ? l->t->accent : p->theme->second, 1);
		cairo_move_to(p->cr, end, y);
		cairo_line_to(p->cr, end - 1.8 * head, y - head);
		cairo_line_to(p->cr, end - 1.8 * head, y + head);
		cairo_fill(p->cr);
	}
	if (label[0] != '\0')
		raster_text_mid(p, face, lit ? raster_text_ink(p, l->t->accent) : p->theme->second,
				0.5, mid, y, label);
}

static void draw_edge(const struct list *l, size_t e, double x, double y)
{
	struct page *p = l->t->p;
	const struct drawn_edge *at = &l->t->d->edges[e];
	const long ends[] = {(long)at->from, (long)at->to};
	const double xs[] = {x + l->from, x + l->from + l->arrow + 16 * p->space};
	const double room[] = {l->from, l->to};
	for (int i = 0; i < 2; i++) {
		const enum face face = plate_face(l->t, ends[i]);
		const char *text = raster_text_fit(p, face, text_of(l, (size_t)ends[i]), room[i]);
		const struct size size = raster_text_measure(p, face, text);
		const double air = 4 * p->space;
		raster_text_mid(p, face, plate_ink(l->t, ends[i]), i == 0, xs[i], y, text);
		if (l->several[ends[i]])
			plate_box(l->t, (struct area){xs[i] - (i == 0 ? size.w : 0) - air,
						      y - size.h / 2, size.w + 2 * air, size.h});
	}
	draw_arrow(l, e, x + l->from + 8 * p->space, y);
}

static void find_alone(struct list *l)
{
	const struct drawing *d = l->t->d;
	bool *touched = arena_calloc(l->t->p->arena, d->n + 1, sizeof *touched);
	l->alone = arena_calloc(l->t->p->arena, d->n + 1, sizeof *l->alone);
	for (size_t e = 0; e < d->n_edges; e++)
		touched[d->edges[e].from] = touched[d->edges[e].to] = true;
	for (size_t i = 0; i < d->n; i++)
		if (!touched[i])
			l->alone[l->n_alone++] = i;
}

static void write_alone(const struct list *l, double y)
{
	struct page *p = l->t->p;
	const char *text = "without edges:";
	for (size_t i = 0; i < l->n_alone && i < 64; i++)
		text = arena_printf(p->arena, "%s%s %s", text, i > 0 ? "," : "",
				    text_of(l, l->alone[i]));
	raster_text_mid(p, FACE_TEXT, p->theme->second, 0, l->t->at.x, y,
			raster_text_fit(p, FACE_TEXT, text, l->t->at.w));
}

void plate_edges(const struct plate *t)
{
	struct list l = {.t = t,
			 .names = drawing_names(t->d, "", "", t->p->arena),
			 .several = drawing_several(t->d, t->p->arena)};
	find_alone(&l);
	plan(&l);
	const size_t n = t->d->n_edges, most = l.rows * l.cols;
	const size_t shown = most < n ? most : n;
	const double between = 40 * t->p->space, wide = width_of(&l) + between;
	for (size_t k = 0; k < shown; k++)
		draw_edge(&l, l.order[k], t->at.x + (double)(k / l.rows) * wide,
			  t->at.y + ((double)(k % l.rows) + 0.5) * l.pitch);
	double y = t->at.y + ((double)l.rows + 0.5) * l.pitch;
	if (shown < n) {
		raster_text_mid(t->p, FACE_TEXT, t->p->theme->second, 0, t->at.x, y,
				arena_printf(t->p->arena, "… %zu more edge%s", n - shown,
					     n - shown == 1 ? "" : "s"));
		y += l.pitch;
	}
	if (l.n_alone > 0)
		write_alone(&l, y);
}
