/* pen_edges.c: a graph as a list of its edges, from —label→ to, in as many columns as have room;
 * then the nodes without edges, then the positions of its tokens. Edges on the cursor's path have
 * heavy strokes; a node of several tokens has brackets: "[New York]". */
#include <math.h>

#include "plot/pen_structure.h"
#include "posviz/base/strbuf.h"

enum { BETWEEN = 3 }; /* ems between two columns */

struct list {
	const struct structure *s;
	const char **names;
	double from, label, to; /* widths of each part */
	double arrow;
	const size_t *order; /* of the edges */
	size_t rows, cols;
	double line, pitch;
	const char *alone;
};

/* Returns the name of a node, with a mark if the cursor is on it. */
static const char *name_of(const struct list *l, size_t node)
{
	const struct light *light = &l->s->light;
	return arena_printf(l->s->pen.arena, "%s%s%s", (long)node == light->query ? "t=" : "",
			    (long)node == light->key ? "s=" : "", l->names[node]);
}

/* Computes the width of each part, at most `name` and `label` ems. */
static void measure(struct list *l, double name, double label)
{
	const struct pen *const pen = &l->s->pen;
	const struct drawing *d = l->s->d;
	l->from = l->to = l->label = 0;
	l->line = pen->line;
	for (size_t e = 0; e < d->n_edges; e++) {
		const struct drawn_edge *x = &d->edges[e];
		const char *const parts[] = {name_of(l, x->from), name_of(l, x->to), x->label};
		double *const widest[] = {&l->from, &l->to, &l->label};
		for (int i = 0; i < 3; i++) {
			const struct size size = pen_measure(pen, parts[i]);
			*widest[i] =
				fmax(*widest[i], fmin(size.w, (i < 2 ? name : label) * pen->em));
			l->line = fmax(l->line, size.h);
		}
	}
	l->arrow = l->label + (l->label > 0 ? 4 : 3) * pen->em;
}

static double width_of(const struct list *l)
{
	return l->from + l->arrow + l->to + 2 * l->s->pen.em;
}

/* Returns "without edges: x, y" for nodes without edges; "" if there are none. */
static const char *alone(const struct list *l)
{
	const struct drawing *d = l->s->d;
	bool *touched = arena_calloc(l->s->pen.arena, d->n + 1, sizeof *touched);
	struct strbuf b;
	strbuf_init(&b, l->s->pen.arena);
	for (size_t e = 0; e < d->n_edges; e++)
		touched[d->edges[e].from] = touched[d->edges[e].to] = true;
	for (size_t i = 0; i < d->n; i++)
		if (!touched[i])
			strbuf_printf(&b, "%s%s",
				      b.len > 0 ? ", " : "without edges: ", name_of(l, i));
	return b.at;
}

static void plan(struct list *l)
{
	static const struct {
		double name, label;
	} tries[] = {{18, 14}, {12, 8}, {8, 6}, {6, 4}, {4, 3}, {2, 1}};
	const struct pen *const pen = &l->s->pen;
	const struct area at = pen->at;
	const size_t n = l->s->d->n_edges;
	const double between = BETWEEN * pen->em;
	l->alone = alone(l);
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
		measure(l, tries[i].name, tries[i].label);
		if (width_of(l) <= at.w)
			break;
	}
	size_t room = (size_t)fmax(1, floor(at.h / l->line));
	room -= *l->alone != '\0' && room > 1;
	l->cols = (size_t)fmax(1, floor((at.w + between) / (width_of(l) + between)));
	const size_t needed = (n + l->cols - 1) / l->cols;
	if (needed > room && room > 1)
		room--; /* for the line that counts the other edges */
	l->rows = needed < room ? needed : room;
	l->pitch = fmin(at.h / (double)(l->rows + 2), l->line + pen->air);
	l->pitch = fmax(l->pitch, l->line);
	l->order = drawing_list(l->s->d, &l->s->light, l->rows * l->cols, pen->arena);
}

/* Returns how much of this width is left at x: in a narrow panel even the shortest edge is cut. */
static double room_at(const struct list *l, double x, double width)
{
	return fmax(0, fmin(l->s->pen.at.x + l->s->pen.at.w - x, width));
}

static void draw_edge(const struct list *l, size_t e, double x, double y)
{
	const struct structure *const s = l->s;
	const struct pen *const pen = &s->pen;
	const struct drawn_edge *edge = &s->d->edges[e];
	const bool lit = s->light.edge[e];
	const double arrow = x + l->from + pen->em, to = arrow + l->arrow + pen->em;
	const double from = room_at(l, x, l->from);
	enum role role = structure_node(s, edge->from);
	pen_text_fit(pen, role, 1, x + from, y, from, name_of(l, edge->from));
	if (room_at(l, arrow, l->arrow) > 0)
		pen_arrow(pen, arrow, y, l->arrow, pen_fit(pen, ROLE_PATH, edge->label, l->label),
			  lit, s->d->directed);
	role = structure_node(s, edge->to);
	pen_text_fit(pen, role, 0, to, y, room_at(l, to, l->to), name_of(l, edge->to));
}

/* Draws words and their positions in the remaining lines. */
static void draw_positions(const struct structure *s, double top)
{
	struct structure rest = *s;
	struct word_row w = {.s = &rest};
	rest.pen.at.h -= top - rest.pen.at.y;
	rest.pen.at.y = top;
	if (s->d->n_below == 0 || rest.pen.at.h < 2 * s->pen.line || !structure_words(&w, false))
		return;
	const double lines = floor((rest.pen.at.h - w.high - s->pen.air / 2) / s->pen.line);
	if (lines >= (double)s->d->n_below + 1)
		structure_words_draw(&w, top, (size_t)lines);
}

void structure_edges(struct structure *s)
{
	struct list l = {.s = s, .names = drawing_names(s->d, s->pen.arena)};
	const struct pen *const pen = &s->pen;
	const struct area at = pen->at;
	plan(&l);
	const size_t n = s->d->n_edges, most = l.rows * l.cols;
	const size_t shown = most < n ? most : n;
	const double wide = width_of(&l) + BETWEEN * pen->em;
	for (size_t k = 0; k < shown; k++)
		draw_edge(&l, l.order[k], at.x + (double)(k / l.rows) * wide,
			  at.y + ((double)(k % l.rows) + 0.5) * l.pitch);
	double y = at.y + (double)l.rows * l.pitch;
	const char *const more = shown == n ? ""
					    : arena_printf(pen->arena, "… %zu more edge%s",
							   n - shown, n - shown == 1 ? "" : "s");
	const char *const below[] = {more, l.alone};
	for (size_t i = 0; i < 2; i++) {
		if (*below[i] == '\0' || y + l.line > at.y + at.h)
			continue;
		pen_text_fit(pen, ROLE_QUIET, 0, at.x, y + l.line / 2, at.w, below[i]);
		y += l.line;
	}
	draw_positions(s, y + pen->line);
}
