/* measure_part.c: the part of a longer input that is measured.
 *
 * For a text these are its first tokens, with a memory the last of that and the first after it.
 * For a structure they are the tokens of the nodes nearest its root (the first node, if none is
 * marked), breadth first: so a tree stays one tree and a graph one graph. The chosen order is
 * restricted to them. If a member can only be run on all tokens, inputs of up to MEASURE_WHOLE
 * tokens are not cut. */
#include <string.h>

#include "measure_in.h"

/* The tokens that are kept, in the original order, and how many of them belong to the memory. */
struct cut {
	bool *kept; /* [written.n] */
	size_t n, memory;
	size_t *node; /* [structure.n] the new index of each node; SIZE_MAX: removed */
	size_t nodes;
};

/* ---- nodes ---------------------------------------------------------------------------------- */

/* A breadth-first walk from `root`, then from each node that was not reached, until there are
 * enough tokens. */
struct walk {
	const struct structure *s;
	size_t *queue, head, n;
	bool *seen;
};

static void visit(struct walk *w, size_t node)
{
	if (w->seen[node])
		return;
	w->seen[node] = true;
	w->queue[w->n++] = node;
}

/* Returns the next node. In a tree the roots come before all others, and every node descends
 * from one. */
static size_t next_node(struct walk *w)
{
	for (size_t i = 0; i < w->s->n && w->head == w->n; i++)
		if (!w->s->parent || w->s->parent[i] < 0)
			visit(w, i);
	BUG_IF(w->head == w->n);
	const size_t node = w->queue[w->head++];
	for (size_t e = 0; e < w->s->n_edges; e++) {
		const struct edge *const edge = &w->s->edges[e];
		if (edge->from == node)
			visit(w, edge->to);
		if (edge->to == node)
			visit(w, edge->from);
	}
	return node;
}

static size_t *units_on_nodes(const struct structure *s, struct arena *a)
{
	size_t *const units = arena_calloc(a, s->n + 1, sizeof *units);
	for (size_t i = 0; i < s->tokens; i++)
		if (s->node_of[i] >= 0)
			units[s->node_of[i]]++;
	return units;
}

/* Chooses the nodes to keep, in the order of their indices. */
static void choose_nodes(const struct structure *s, size_t most, struct cut *cut, struct arena *a)
{
	struct walk w = {.s = s,
			 .queue = arena_calloc(a, s->n + 1, sizeof *w.queue),
			 .seen = arena_calloc(a, s->n + 1, sizeof *w.seen)};
	const size_t *const units = units_on_nodes(s, a);
	bool *const kept = arena_calloc(a, s->n + 1, sizeof *kept);
	size_t n = 0;
	cut->node = arena_calloc(a, s->n + 1, sizeof *cut->node);
	if (s->root >= 0)
		visit(&w, (size_t)s->root);
	for (size_t i = 0; i < s->n; i++) {
		const size_t node = next_node(&w);
		if (n + units[node] > most)
			break;
		n += units[node];
		kept[node] = true;
	}
	for (size_t i = 0; i < s->n; i++)
		cut->node[i] = kept[i] ? cut->nodes++ : SIZE_MAX;
}

static const struct structure *part_of_structure(const struct structure *s, const struct cut *cut,
						 const struct input *written, struct arena *a)
{
	struct structure *const out = arena_alloc(a, sizeof *out);
	*out = *s;
	out->n = cut->nodes;
	out->names = arena_calloc(a, cut->nodes + 1, sizeof *out->names);
	out->parent = s->parent ? arena_calloc(a, cut->nodes + 1, sizeof *out->parent) : NULL;
	out->branch = s->branch ? arena_calloc(a, cut->nodes + 1, sizeof *out->branch) : NULL;
	out->edges = arena_calloc(a, s->n_edges + 1, sizeof *out->edges);
	out->node_of = arena_calloc(a, cut->n + 1, sizeof *out->node_of);
	out->n_edges = out->tokens = 0;
	out->root = s->root < 0 ? -1 : (long)cut->node[s->root];
	for (size_t i = 0; i < s->n; i++) {
		const size_t now = cut->node[i];
		if (now == SIZE_MAX)
			continue;
		out->names[now] = s->names[i];
		if (s->parent) /* it was reached before its children, or is a root */
			out->parent[now] = s->parent[i] < 0 ? -1 : (long)cut->node[s->parent[i]];
		if (s->branch)
			out->branch[now] = s->branch[i];
	}
	for (size_t e = 0; e < s->n_edges; e++) {
		const struct edge *const from = &s->edges[e];
		if (cut->node[from->from] != SIZE_MAX && cut->node[from->to] != SIZE_MAX)
			out->edges[out->n_edges++] = (struct edge){
				cut->node[from->from], cut->node[from->to], from->label};
	}
	for (size_t i = 0; i < written->n; i++) {
		const struct token *const t = &written->tokens[i];
		if (cut->kept[i] && !t->special)
			out->node_of[out->tokens++] =
				s->node_of[t->place] < 0 ? -1
							 : (long)cut->node[s->node_of[t->place]];
	}
	return out;
}

/* ---- units ---------------------------------------------------------------------------------- */

static bool on_kept_node(const struct structure *s, const struct cut *cut, const struct token *t)
{
	return t->special || s->node_of[t->place] < 0 ||
	       cut->node[s->node_of[t->place]] != SIZE_MAX;
}

/* Chooses the tokens to keep; at most half of them belong to a memory, its last ones. */
static void choose_tokens(const struct setup *setup, const struct built *b, size_t most,
			  struct cut *cut, struct arena *a)
{
	const size_t memory = (size_t)setup->memory_tokens;
	const size_t first = memory > most / 2 ? memory - most / 2 : 0;
	cut->kept = arena_calloc(a, b->written.n + 1, sizeof *cut->kept);
	cut->memory = memory - first;
	if (b->structure)
		choose_nodes(b->structure, most, cut, a);
	for (size_t i = first; i < b->written.n && cut->n < most; i++) {
		cut->kept[i] =
			!b->structure || on_kept_node(b->structure, cut, &b->written.tokens[i]);
		cut->n += cut->kept[i];
	}
}

/* Copies the kept tokens with new indices; `place` gets the new place of each old one. */
static void part_of_tokens(const struct input *in, const struct cut *cut, struct input *out,
			   size_t *place, struct arena *a)
{
	struct input part = *in;
	part.tokens = arena_calloc(a, cut->n, sizeof *part.tokens);
	part.n = part.moving = 0;
	for (size_t i = 0; i < in->n; i++) {
		struct token t = in->tokens[i];
		if (!t.special)
			place[t.place] = cut->kept[i] ? part.moving : SIZE_MAX;
		if (!cut->kept[i])
			continue;
		t.place = t.special ? 0 : part.moving++;
		part.tokens[part.n++] = t;
	}
	size_t *const as_it_is = arena_calloc(a, part.moving + 1, sizeof *as_it_is);
	for (size_t i = 0; i < part.moving; i++)
		as_it_is[i] = i;
	input_permute(out, &part, as_it_is, a);
}

static size_t *part_of_order(const struct built *b, const size_t *place, struct arena *a)
{
	size_t *const out = arena_calloc(a, b->written.moving + 1, sizeof *out);
	size_t n = 0;
	for (size_t i = 0; i < b->written.moving; i++)
		if (place[b->order[i]] != SIZE_MAX)
			out[n++] = place[b->order[i]];
	return out;
}

/* Restricts a re-ordering to the kept tokens. */
static const double *part_of_reorder(const struct built *b, const size_t *place, struct arena *a)
{
	double *const out = arena_calloc(a, b->written.moving + 1, sizeof *out);
	for (size_t i = 0; i < b->written.moving; i++)
		for (size_t k = 0; k < b->written.moving && place[i] != SIZE_MAX; k++)
			out[place[i]] += place[k] != SIZE_MAX && b->reorder[k] < b->reorder[i];
	return out;
}

static const double *part_of_ids(const struct built *b, const struct cut *cut, struct arena *a)
{
	const size_t rows = b->three_ids ? PLACE_AXES : 1, of = b->written.n;
	double *const out = arena_calloc(a, rows * cut->n + 1, sizeof *out);
	size_t n = 0;
	for (size_t i = 0; i < rows * of; i++)
		if (cut->kept[i % of])
			out[n++] = b->position_ids[i];
	return out;
}

static struct mat part_of_units(const struct built *b, const struct cut *cut, struct arena *a)
{
	const struct mat out = mat_new(a, cut->n, b->given_units.cols);
	size_t n = 0;
	for (size_t i = 0; i < b->written.n; i++)
		if (cut->kept[i])
			mat_set(mat_rows(out, n++, 1), mat_rows(b->given_units, i, 1));
	return out;
}

static void take_part(const struct built *b, const struct cut *cut, struct arena *a,
		      struct ground *out)
{
	size_t *const place = arena_calloc(a, b->written.moving + 1, sizeof *place);
	struct built *const part = &out->built;
	part_of_tokens(&b->written, cut, &part->written, place, a);
	part->order = part_of_order(b, place, a);
	if (b->structure)
		part->structure = part_of_structure(b->structure, cut, &b->written, a);
	if (b->reorder)
		part->reorder = part_of_reorder(b, place, a);
	if (b->position_ids)
		part->position_ids = part_of_ids(b, cut, a);
	if (b->given_units.at)
		part->given_units = part_of_units(b, cut, a);
	out->setup.memory_tokens = (long)cut->memory;
	input_permute(&part->input, &part->written, part->order, a);
	built_input(&out->setup, part, &part->input, a, &part->model_input);
}

static bool has_no_part(const struct built *b)
{
	bool whole = false;
	for (size_t i = 0; i < b->n_members; i++)
		whole |= b->members[i].hooks->whole;
	return whole && b->written.n <= MEASURE_WHOLE;
}

void ground_part(const struct setup *setup, const struct built *whole, size_t most, struct arena *a,
		 struct ground *out)
{
	struct cut cut = {.n = 0};
	out->setup = *setup;
	out->built = *whole; /* the model is the same, and stays in `whole` */
	if (whole->written.n <= most || has_no_part(whole))
		return;
	choose_tokens(setup, whole, most, &cut, a);
	take_part(whole, &cut, a, out);
}

void ground_of(const struct setup *setup, const struct built *whole, struct arena *a,
	       struct ground *out)
{
	ground_part(setup, whole, MEASURE_TOKENS, a, out);
}
