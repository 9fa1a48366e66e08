/* pair_numbers.c: the x axis of curves if a scheme works on a structure: the scheme's own
 * relation of two units, or, if it has none, their distance on the structure. */
#include <string.h>

#include "view_in.h"

/* The largest number of nodes for which distances are computed for a curve. */
enum { MOST_NODES = 1024 };

static const unsigned structural = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;

bool view_is_structural(const struct built *b)
{
	for (size_t i = 0; i < b->expr.n; i++)
		if (b->expr.members[i].scheme->flags & structural)
			return true;
	return false;
}

static int32_t number_at(const struct relation *r, size_t cell)
{
	if (relation_is_none(r, cell))
		return RELATION_NO_PATH;
	if (r->paths)
		return r->of_tokens ? (int32_t)r->paths[cell].n : relation_steps(r, cell);
	const int32_t number = r->at[cell];
	const bool other = r->beyond && (number > r->limit || number < -r->limit);
	return other || relation_name(r, number) ? RELATION_NO_PATH : number;
}

/* Returns the difference of the numbers of two tokens, the key's minus the query's. */
static int32_t difference(const struct relation *r, size_t t, size_t s)
{
	const int32_t query = number_at(r, t * r->n + t), key = number_at(r, s * r->n + s);
	return query == RELATION_NO_PATH || key == RELATION_NO_PATH ? RELATION_NO_PATH
								    : key - query;
}

/* Returns the sign at the end of a title such as "shortest path φ(t,s)", or NULL. */
static const char *sign_of(const char *title)
{
	const char *const sign = strrchr(title, ' ');
	return sign && strchr(sign, '(') ? sign + 1 : NULL;
}

static void name_relation(const struct relation *r, struct arena *a, struct pair_numbers *out)
{
	const char *const sign = sign_of(r->title);
	const char *const words =
		sign ? arena_strndup(a, r->title, (size_t)(sign - 1 - r->title)) : r->title;
	*out = (struct pair_numbers){.name = words,
				     .x_title = sign ? arena_printf(a, "%s, %s", words, sign)
						     : r->title,
				     .sign = sign ? sign : words};
	if (r->of_tokens) {
		out->x_title =
			arena_printf(a, "%s of the key, minus the query's",
				     r->paths ? arena_printf(a, "length of the %s", words) : words);
		out->sign = "key−query";
	} else if (r->paths) {
		out->name = "path length";
		out->x_title = arena_printf(a, "how many %s", r->title);
		out->sign = "length";
	}
}

static void relation_numbers(const struct relation *r, size_t memory, struct arena *a,
			     struct pair_numbers *out)
{
	name_relation(r, a, out);
	out->rows = r->n - memory;
	out->cols = r->n;
	int32_t *const at = arena_calloc(a, out->rows * out->cols + 1, sizeof *at);
	for (size_t t = memory; t < r->n; t++)
		for (size_t s = 0; s < r->n; s++)
			at[(t - memory) * r->n + s] =
				r->of_tokens ? difference(r, t, s) : number_at(r, t * r->n + s);
	out->at = at;
}

static long node_of(const struct model_input *in, const struct axis *axis, size_t i)
{
	return axis->token[i] < 0 ? -1 : in->node[axis->token[i]];
}

bool view_structure_numbers(const struct model_input *in, const struct trace *trace,
			    struct arena *a, struct pair_numbers *out)
{
	const struct structure *const s = in->structure;
	*out = (struct pair_numbers){0};
	if (!s || s->n > MOST_NODES)
		return false;
	const int32_t *const far = structure_distances(s, true, a);
	const struct axis *const query = &trace->query, *const key = &trace->key;
	const char *const kind = s->kind == STRUCTURE_GRAPH ? "graph" : "tree";
	int32_t *const at = arena_calloc(a, query->n * key->n + 1, sizeof *at);
	for (size_t t = 0; t < query->n; t++) {
		for (size_t k = 0; k < key->n; k++) {
			const long from = node_of(in, query, t), to = node_of(in, key, k);
			const int32_t edges =
				from < 0 || to < 0 ? -1 : far[(size_t)from * s->n + (size_t)to];
			at[t * key->n + k] = edges < 0 ? RELATION_NO_PATH : edges;
		}
	}
	*out = (struct pair_numbers){
		.at = at,
		.rows = query->n,
		.cols = key->n,
		.name = arena_printf(a, "distance in the %s", kind),
		.x_title = arena_printf(a, "edges from query to key in the %s", kind),
		.sign = "edges"};
	return true;
}

bool view_pair_numbers(const struct built *b, const struct trace *trace, struct arena *a,
		       struct pair_numbers *out)
{
	const struct relation *const r = &trace->relation;
	if (!view_is_structural(b))
		return false;
	if (r->n <= trace->memory || r->ranges)
		return view_structure_numbers(&b->model_input, trace, a, out);
	relation_numbers(r, trace->memory, a, out);
	return true;
}
