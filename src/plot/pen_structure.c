/* pen_structure.c: a structure over tokens: the choice among its three drawings, and their common
 * functions. The cursor's path has heavy strokes and bold words, its two tokens have "t=" and "s=",
 * so these are visible even without colours. Tokens that are pointed out look like the cursor's
 * tokens. */
#include "plot/pen_structure.h"

static enum role role_of(bool end, bool lit)
{
	return end ? ROLE_END : lit ? ROLE_STRONG : ROLE_PLAIN;
}

enum role structure_token(const struct structure *s, size_t token)
{
	const struct drawing *d = s->d;
	const bool pointed = d->pointed != NULL && d->pointed[token];
	return role_of(pointed || (d->has_cursor && (token == d->query || token == d->key)),
		       d->node[token] >= 0 && s->light.node[d->node[token]]);
}

static bool points_at(const struct drawing *d, size_t node)
{
	bool pointed = false;
	for (size_t i = 0; i < d->n_tokens && d->pointed != NULL; i++)
		pointed |= d->pointed[i] && d->node[i] == (long)node;
	return pointed;
}

enum role structure_node(const struct structure *s, size_t node)
{
	return role_of((long)node == s->light.query || (long)node == s->light.key ||
			       points_at(s->d, node),
		       s->light.node[node]);
}

const char *structure_place(const struct structure *s, size_t token)
{
	const struct drawing *d = s->d;
	return arena_printf(s->pen.arena, "%s%s%zu", d->has_cursor && d->query == token ? "t=" : "",
			    d->has_cursor && d->key == token ? "s=" : "", token + 1);
}

void structure_rest(const struct structure *s, double y, const char *text)
{
	const struct area at = s->pen.at;
	pen_text_fit(&s->pen, ROLE_QUIET, 1, at.x + at.w, y, at.w, text);
}

void pen_structure(const struct pen *pen, const struct drawing *d)
{
	struct structure s = {*pen, d, drawing_light(d, pen->arena)};
	if (d->n == 0) {
		pen_text(pen, ROLE_QUIET, 0, pen->at.x, pen->at.y + pen->line / 2, "no nodes");
		return;
	}
	pen_plot(pen, pen->at);
	if (d->kind == DRAWING_TREE && d->parent != NULL)
		structure_tree(&s);
	else if (d->kind == DRAWING_GRAPH
			 ? !drawing_is_row(d, pen->arena) || !structure_arcs(&s, true)
			 : !structure_arcs(&s, false))
		structure_edges(&s);
}
