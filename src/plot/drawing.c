/* drawing.c: see drawing.h. */
#include "plot/drawing.h"

#include <string.h>

/* ---- the cursor's path -------------------------------------------------------------------------- */

static long node_of(const struct drawing *d, size_t token)
{
	return d->has_cursor && token < d->n_tokens ? d->node[token] : -1;
}

/* The edges at each node: at[first[i]..first[i + 1]) are those of node i, in the order written. */
struct ends {
	size_t *first, *at;
};

static struct ends ends_of(const struct drawing *d, struct arena *a)
{
	struct ends out = {arena_calloc(a, d->n + 2, sizeof *out.first),
			   arena_calloc(a, 2 * d->n_edges + 1, sizeof *out.at)};
	for (size_t e = 0; e < d->n_edges; e++) {
		out.first[d->edges[e].from + 1]++;
		out.first[d->edges[e].to + 1]++;
	}
	for (size_t i = 0; i < d->n; i++)
		out.first[i + 1] += out.first[i];
	size_t *next = arena_calloc(a, d->n + 1, sizeof *next);
	memcpy(next, out.first, d->n * sizeof *next);
	for (size_t e = 0; e < d->n_edges; e++) {
		out.at[next[d->edges[e].from]++] = e;
		out.at[next[d->edges[e].to]++] = e;
	}
	return out;
}

/* Searches breadth first from the key, so that following `by` from the query gives a shortest
 * path. */
static void walk(const struct drawing *d, struct light *l, struct arena *a)
{
	const struct ends ends = ends_of(d, a);
	size_t *queue = arena_calloc(a, d->n + 1, sizeof *queue);
	size_t *by = arena_calloc(a, d->n + 1, sizeof *by); /* the edge towards the key, plus 1 */
	bool *seen = arena_calloc(a, d->n + 1, sizeof *seen);
	const size_t query = (size_t)l->query, key = (size_t)l->key;
	size_t head = 0, tail = 0;
	seen[key] = true;
	queue[tail++] = key;
	while (head < tail && !seen[query]) {
		const size_t at = queue[head++];
		for (size_t i = ends.first[at]; i < ends.first[at + 1]; i++) {
			const struct drawn_edge *e = &d->edges[ends.at[i]];
			const size_t next = e->from == at ? e->to : e->from;
			if (seen[next])
				continue;
			seen[next] = true;
			by[next] = ends.at[i] + 1;
			queue[tail++] = next;
		}
	}
	if (!seen[query])
		return;
	l->length = 0;
	l->path[0] = query;
	for (size_t at = query; at != key;) {
		const struct drawn_edge *e = &d->edges[by[at] - 1];
		l->edge[by[at] - 1] = true;
		at = e->from == at ? e->to : e->from;
		l->node[at] = true;
		l->path[++l->length] = at;
	}
}

struct light drawing_light(const struct drawing *d, struct arena *a)
{
	struct light l = {.query = node_of(d, d->query),
			  .key = node_of(d, d->key),
			  .node = arena_calloc(a, d->n + 1, sizeof *l.node),
			  .edge = arena_calloc(a, d->n_edges + 1, sizeof *l.edge),
			  .path = arena_calloc(a, d->n + 1, sizeof *l.path),
			  .length = SIZE_MAX};
	if (l.query >= 0)
		l.node[l.query] = true;
	if (l.key >= 0)
		l.node[l.key] = true;
	if (l.query >= 0 && l.key >= 0)
		walk(d, &l, a);
	return l;
}

/* ---- tokens and nodes --------------------------------------------------------------------------- */

long *drawing_tokens(const struct drawing *d, struct arena *a)
{
	long *token = arena_calloc(a, d->n + 1, sizeof *token);
	for (size_t i = 0; i < d->n; i++)
		token[i] = -1;
	for (size_t i = d->n_tokens; i-- > 0;)
		if (d->node[i] >= 0)
			token[d->node[i]] = (long)i;
	return token;
}

/* Returns for each node if it has more than one token. */
static bool *several_of(const struct drawing *d, struct arena *a)
{
	bool *one = arena_calloc(a, d->n + 1, sizeof *one);
	bool *several = arena_calloc(a, d->n + 1, sizeof *several);
	for (size_t i = 0; i < d->n_tokens; i++)
		if (d->node[i] >= 0) {
			several[d->node[i]] = several[d->node[i]] || one[d->node[i]];
			one[d->node[i]] = true;
		}
	return several;
}

const char **drawing_names(const struct drawing *d, struct arena *a)
{
	const char **words = arena_calloc(a, d->n + 1, sizeof *words);
	const char **names = arena_calloc(a, d->n + 1, sizeof *names);
	const bool *several = several_of(d, a);
	for (size_t i = 0; i < d->n_tokens; i++) {
		if (d->node[i] < 0)
			continue;
		const char **word = &words[d->node[i]];
		*word = *word ? arena_printf(a, "%s %s", *word, d->tokens[i]) : d->tokens[i];
	}
	for (size_t i = 0; i < d->n; i++) {
		const bool same = words[i] == NULL || strcmp(words[i], d->names[i]) == 0;
		const char *const inside = words[i] != NULL ? words[i] : d->names[i];
		const char *const boxed = several[i] ? arena_printf(a, "[%s]", inside) : inside;
		names[i] = same ? boxed : arena_printf(a, "%s: %s", d->names[i], boxed);
	}
	return names;
}

/* ---- visible tokens --------------------------------------------------------------------------------- */

size_t drawing_run(const struct drawing *d, size_t first)
{
	size_t last = first;
	while (d->node[first] >= 0 && last + 1 < d->n_tokens && d->node[last + 1] == d->node[first])
		last++;
	return last;
}

/* A list of tokens without repetitions. */
struct ranking {
	const struct drawing *d;
	size_t *at, n;
	bool *in;
};

static void rank_token(struct ranking *r, size_t token)
{
	if (token >= r->d->n_tokens || r->in[token])
		return;
	r->in[token] = true;
	r->at[r->n++] = token;
}

/* Adds a token together with its neighbours on the same node. */
static void rank_run(struct ranking *r, size_t token)
{
	const struct drawing *d = r->d;
	if (token >= d->n_tokens)
		return;
	while (token > 0 && d->node[token] >= 0 && d->node[token - 1] == d->node[token])
		token--;
	for (const size_t last = drawing_run(d, token); token <= last; token++)
		rank_token(r, token);
}

size_t *drawing_order(const struct drawing *d, const struct light *light, size_t *must,
		      struct arena *a)
{
	struct ranking r = {.d = d,
			    .at = arena_calloc(a, d->n_tokens + 1, sizeof *r.at),
			    .in = arena_calloc(a, d->n_tokens + 1, sizeof *r.in)};
	const size_t query = d->query != SIZE_MAX ? d->query : d->key;
	const size_t key = d->key != SIZE_MAX ? d->key : d->query;
	const size_t near[] = {d->has_cursor ? query : 0, d->has_cursor ? key : 0};
	for (size_t i = 0; d->has_cursor && i < 2; i++)
		rank_run(&r, near[i]);
	/* The path is added from both ends, so that its middle is left out if it is too long for
	 * the room. */
	const long *token = drawing_tokens(d, a);
	for (size_t i = 0; light->length != SIZE_MAX && i <= light->length; i++) {
		const size_t node = light->path[i % 2 ? light->length - i / 2 : i / 2];
		if (token[node] >= 0)
			rank_run(&r, (size_t)token[node]);
	}
	for (size_t i = 0; d->parent && i < d->n_tokens; i++)
		if (d->node[i] >= 0 && d->parent[d->node[i]] < 0)
			rank_run(&r, i);
	*must = r.n;
	for (size_t step = 0; step < d->n_tokens; step++)
		for (size_t i = 0; i < 2; i++) {
			rank_run(&r, near[i] + step);
			if (near[i] >= step)
				rank_run(&r, near[i] - step);
		}
	return r.at;
}

struct visible drawing_visible(const struct drawing *d, const size_t *order, size_t n,
			       struct arena *a)
{
	struct visible s = {.at = arena_calloc(a, n + 1, sizeof *s.at),
			    .slot = arena_calloc(a, d->n_tokens + 1, sizeof *s.slot)};
	for (size_t i = 0; i < n; i++)
		s.slot[order[i]] = 1;
	for (size_t i = 0; i < d->n_tokens; i++) {
		const bool in = s.slot[i] == 1;
		s.slot[i] = 2 * s.n + in;
		if (in)
			s.at[s.n++] = i;
	}
	return s;
}

/* ---- arcs --------------------------------------------------------------------------------------- */

/* The slots between which an arc extends. */
struct span {
	size_t from, to;
};

static struct span span_of(const struct arc *x, const struct visible *visible)
{
	const size_t one = visible->slot[x->from], two = visible->slot[x->to];
	return one < two ? (struct span){one, two} : (struct span){two, one};
}

/* Sorts by counting the spans, because insertion would take quadratic time. */
static void sort_by_span(struct arcs *arcs, const struct visible *visible, struct arena *a)
{
	const size_t most = 2 * visible->n + 1;
	size_t *first = arena_calloc(a, most + 2, sizeof *first);
	struct arc *sorted = arena_calloc(a, arcs->n + 1, sizeof *sorted);
	for (size_t i = 0; i < arcs->n; i++) {
		const struct span s = span_of(&arcs->at[i], visible);
		first[s.to - s.from + 1]++;
	}
	for (size_t i = 0; i <= most; i++)
		first[i + 1] += first[i];
	for (size_t i = 0; i < arcs->n; i++) {
		const struct span s = span_of(&arcs->at[i], visible);
		sorted[first[s.to - s.from]++] = arcs->at[i];
	}
	arcs->at = sorted;
}

/* Puts each arc above the highest of those between its ends. */
static void raise(struct arcs *arcs, const struct visible *visible, struct arena *a)
{
	size_t *top = arena_calloc(a, 2 * visible->n + 2,
				   sizeof *top); /* level between two neighbouring slots */
	arcs->levels = 0;
	for (size_t i = 0; i < arcs->n; i++) {
		struct arc *x = &arcs->at[i];
		const struct span s = span_of(x, visible);
		x->level = 0;
		for (size_t g = s.from; g < s.to; g++)
			x->level = top[g] > x->level ? top[g] : x->level;
		x->level++;
		for (size_t g = s.from; g < s.to; g++)
			top[g] = x->level;
		arcs->levels = x->level > arcs->levels ? x->level : arcs->levels;
	}
}

/* Removes the last arc that is not lit; false: all are lit. */
static bool drop(struct arcs *arcs, const struct light *light)
{
	for (size_t i = arcs->n; i-- > 0;) {
		if (light->edge[arcs->at[i].edge])
			continue;
		memmove(&arcs->at[i], &arcs->at[i + 1], (arcs->n - i - 1) * sizeof *arcs->at);
		arcs->n--;
		arcs->left_out++;
		return true;
	}
	return false;
}

struct arcs drawing_arcs(const struct drawing *d, const struct light *light,
			 const struct visible *visible, size_t levels, struct arena *a)
{
	const long *token = drawing_tokens(d, a);
	struct arcs arcs = {.at = arena_calloc(a, d->n_edges + 1, sizeof *arcs.at),
			    .root = arena_calloc(a, d->n_tokens + 1, sizeof *arcs.root)};
	for (size_t e = 0; e < d->n_edges; e++) {
		const long from = token[d->edges[e].from], to = token[d->edges[e].to];
		if (from < 0 || to < 0 || from == to)
			continue;
		const size_t one = visible->slot[from], two = visible->slot[to];
		if (one % 2 == 1 || two % 2 == 1)
			arcs.at[arcs.n++] = (struct arc){e, (size_t)from, (size_t)to, 0};
	}
	sort_by_span(&arcs, visible, a);
	raise(&arcs, visible, a);
	/* Half of the excess is removed at a time, because long inputs have many arcs. */
	while (arcs.levels > levels) {
		const size_t most = (arcs.levels - levels) / 2 + 1;
		size_t gone = 0;
		while (gone < most && drop(&arcs, light))
			gone++;
		if (gone == 0)
			break;
		raise(&arcs, visible, a);
	}
	for (size_t i = 0; d->parent && i < d->n; i++)
		if (d->parent[i] < 0 && token[i] >= 0)
			arcs.root[token[i]] = true;
	return arcs;
}

bool drawing_is_row(const struct drawing *d, struct arena *a)
{
	const long *token = drawing_tokens(d, a);
	for (size_t e = 0; e < d->n_edges; e++) {
		const struct drawn_edge *x = &d->edges[e];
		if (x->from == x->to || token[x->from] < 0 || token[x->to] < 0)
			return false;
	}
	return d->n_tokens > 0;
}

/* ---- lists -------------------------------------------------------------------------------------- */

static int turn_of(const struct drawing *d, const struct light *light, size_t e)
{
	const long from = (long)d->edges[e].from, to = (long)d->edges[e].to;
	if (light->edge[e])
		return 0;
	return from == light->query || to == light->query || from == light->key || to == light->key
		       ? 1
		       : 2;
}

const size_t *drawing_list(const struct drawing *d, const struct light *light, size_t room,
			   struct arena *a)
{
	size_t *order = arena_calloc(a, d->n_edges + 1, sizeof *order), n = 0;
	for (int turn = 0; turn < 3; turn++)
		for (size_t e = 0; e < d->n_edges; e++)
			if (turn == (d->n_edges <= room ? 0 : turn_of(d, light, e)))
				order[n++] = e;
	return order;
}

/* ---- trees -------------------------------------------------------------------------------------- */

/* The children of each node as a list: first child, next sibling; the roots are the children of
 * node n. */
struct family {
	size_t *child, *next;
};

static size_t rank_of(const struct drawing *d, size_t i)
{
	return d->branch ? d->branch[i] : i;
}

static struct family family_of(const struct drawing *d, struct arena *a)
{
	struct family f = {arena_calloc(a, d->n + 1, sizeof *f.child),
			   arena_calloc(a, d->n + 1, sizeof *f.next)};
	for (size_t i = 0; i <= d->n; i++)
		f.child[i] = SIZE_MAX;
	for (size_t i = d->n; i-- > 0;) {
		const size_t parent = d->parent[i] < 0 ? d->n : (size_t)d->parent[i];
		size_t *at = &f.child[parent];
		while (*at != SIZE_MAX && parent < d->n && rank_of(d, *at) < rank_of(d, i))
			at = &f.next[*at];
		f.next[i] = *at;
		*at = i;
	}
	return f;
}

static void walk_down(const struct drawing *d, const struct family *f, struct outline *o,
		      struct arena *a)
{
	size_t *stack = arena_calloc(a, d->n + 1, sizeof *stack), top = 0;
	if (f->child[d->n] != SIZE_MAX)
		stack[top++] = f->child[d->n];
	while (top > 0) {
		const size_t at = stack[--top];
		const long parent = d->parent[at];
		o->order[o->n++] = at;
		o->depth[at] = parent < 0 ? 0 : o->depth[parent] + 1;
		o->depths = o->depth[at] + 1 > o->depths ? o->depth[at] + 1 : o->depths;
		o->row[at] = o->rows;
		if (f->next[at] != SIZE_MAX)
			stack[top++] = f->next[at];
		if (f->child[at] != SIZE_MAX)
			stack[top++] = f->child[at];
		else
			o->rows++;
	}
}

struct outline drawing_outline(const struct drawing *d, struct arena *a)
{
	const struct family f = family_of(d, a);
	struct outline o = {.order = arena_calloc(a, d->n + 1, sizeof *o.order),
			    .depth = arena_calloc(a, d->n + 1, sizeof *o.depth),
			    .row = arena_calloc(a, d->n + 1, sizeof *o.row)};
	walk_down(d, &f, &o, a);
	return o;
}

bool drawing_is_leaf(const struct drawing *d, const struct outline *o, size_t at)
{
	return at + 1 == o->n || d->parent[o->order[at + 1]] != (long)o->order[at];
}

int drawing_rows(const struct drawing *d, int cols)
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
		const struct visible visible = drawing_visible(d, order, n, &a);
		rows = (int)(drawing_arcs(d, &light, &visible, 16, &a).levels + 5 + d->n_below);
	} else {
		rows = (int)(d->n_edges < 40 ? d->n_edges : 40) + 1;
	}
	arena_release(&a);
	return rows;
}
