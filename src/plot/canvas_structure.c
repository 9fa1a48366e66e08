/* canvas_structure.c: a structure over tokens on cells: which of the three drawings it gets, and what
 * these share. The cursor's path is told by heavy strokes and bold words, its two tokens by "t=" and
 * "s=": colour only helps. */
#include "plot/canvas_structure.h"

#include <string.h>

#include "posviz/text.h"

unsigned sketch_token(const struct sketch *s, size_t token)
{
	const struct drawing *d = s->d;
	if (d->has_cursor && (token == d->query || token == d->key))
		return ATTR_BOLD | ATTR_ACCENT | ATTR_UNDERLINE;
	return d->node[token] >= 0 && s->light.node[d->node[token]] ? ATTR_BOLD : 0;
}

unsigned sketch_node(const struct sketch *s, size_t node)
{
	if ((long)node == s->light.query || (long)node == s->light.key)
		return ATTR_BOLD | ATTR_ACCENT | ATTR_UNDERLINE;
	return s->light.node[node] ? ATTR_BOLD : 0;
}

const char *sketch_place(const struct sketch *s, size_t token)
{
	const struct drawing *d = s->d;
	return arena_printf(s->a, "%s%s%zu", d->has_cursor && d->query == token ? "t=" : "",
			    d->has_cursor && d->key == token ? "s=" : "", token + 1);
}

void sketch_part(const struct sketch *s, int row, const char *what, size_t first, size_t end,
		 size_t n)
{
	const char *text = arena_printf(s->a, "%s %zu%s%zu of %zu", what, first + 1,
					s->c->ascii ? "-" : "–", end, n);
	canvas_text_right(s->c, s->a, row, s->inner.col + s->inner.cols, s->inner.cols, text,
			  ATTR_DIM);
}

size_t sketch_window(size_t at, size_t shown, size_t n)
{
	if (shown >= n)
		return 0;
	const size_t half = shown / 2;
	return at < half ? 0 : at - half < n - shown ? at - half : n - shown;
}

void canvas_structure(struct canvas *c, struct arena *a, struct rect inner, const struct drawing *d)
{
	const struct sketch s = {c, a, inner, d, drawing_light(d, a)};
	if (inner.rows < 1 || inner.cols < 3 || d->n == 0)
		return;
	if (d->kind == DRAWING_TREE && d->parent != NULL)
		sketch_tree(&s);
	else if (d->kind == DRAWING_GRAPH ? !drawing_is_row(d, a) || !sketch_arcs(&s, true)
					  : !sketch_arcs(&s, false))
		sketch_edges(&s);
}

int canvas_structure_rows(const struct drawing *d, int cols)
{
	struct arena a;
	int rows = 0;
	arena_init(&a);
	if (d->kind == DRAWING_TREE && d->parent != NULL) {
		rows = (int)drawing_outline(d, &a).rows + (d->n_below > 0);
	} else if (d->kind == DRAWING_ARCS) {
		const struct light light = drawing_light(d, &a);
		const size_t room = (size_t)cols / 4 + 1,
			     n = d->n_tokens < room ? d->n_tokens : room;
		size_t must;
		const size_t *order = drawing_order(d, &light, &must, &a);
		const struct sight sight = drawing_sight(d, order, n, &a);
		rows = (int)(drawing_arcs(d, &light, &sight, 16, &a).levels + 5 + d->n_below);
	} else {
		rows = (int)(d->n_edges < 40 ? d->n_edges : 40) + 1;
	}
	arena_release(&a);
	return rows;
}
