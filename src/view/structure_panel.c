/* structure_panel.c: a panel with the structure over the tokens of a trace, in the order of the
 * tokens in that trace: each token keeps its node when it moves. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "view_in.h"

enum { EIGENVECTORS = 3 }; /* number of values shown for each node */

static enum drawing_kind kind_of(const struct structure *s)
{
	switch (s->kind) {
	case STRUCTURE_TREE:
		return DRAWING_TREE;
	case STRUCTURE_GRAPH:
		return DRAWING_GRAPH;
	case STRUCTURE_CHAIN:
	case STRUCTURE_DEPENDENCY:
	case STRUCTURE_KINDS:
		break;
	}
	return DRAWING_ARCS;
}

static const struct drawn_edge *edges_of(const struct structure *s, struct arena *a)
{
	struct drawn_edge *edges = arena_calloc(a, s->n_edges + 1, sizeof *edges);
	for (size_t e = 0; e < s->n_edges; e++) {
		const int label = s->edges[e].label;
		const bool there = label >= 0 && (size_t)label < s->n_labels;
		edges[e] = (struct drawn_edge){s->edges[e].from, s->edges[e].to,
					       there ? s->edge_labels[label] : ""};
	}
	return edges;
}

/* Returns the node of each unit. In a chain each token is on the next node. */
static const long *nodes_of(const struct axis *units, const long *node, struct arena *a)
{
	long *out = arena_calloc(a, units->n + 1, sizeof *out), next = 0;
	for (size_t i = 0; i < units->n; i++) {
		const long token = units->token[i];
		out[i] = token < 0 ? -1 : node ? node[token] : next++;
	}
	return out;
}

/* Returns, for each row or column of the scene's matrix, the index of its unit among these;
 * NULL: the same index. */
static const size_t *places(const struct axis *from, const struct axis *to, struct arena *a)
{
	size_t *at = arena_calloc(a, from->n + 1, sizeof *at), most = 0;
	for (size_t i = 0; i < to->n; i++)
		most = to->token[i] > (long)most ? (size_t)to->token[i] : most;
	size_t *where =
		arena_calloc(a, most + 1, sizeof *where); /* the index plus 1; 0: not there */
	for (size_t i = 0; i < to->n; i++)
		if (to->token[i] >= 0)
			where[to->token[i]] = i + 1;
	bool same = from->n == to->n;
	for (size_t i = 0; i < from->n; i++) {
		const long token = from->token[i];
		if (token < 0)
			at[i] = from->n == to->n ? i : SIZE_MAX;
		else
			at[i] = (size_t)token <= most ? where[token] - 1 : SIZE_MAX;
		same = same && at[i] == i;
	}
	return same ? NULL : at;
}

/* ---- positions of the tokens ----------------------------------------------------------------- */

/* Returns the values of a relation of single tokens. */
static struct drawn_row relation_row(const struct relation *r, struct arena *a)
{
	const char **text = arena_calloc(a, r->n + 1, sizeof *text);
	for (size_t i = 0; i < r->n; i++)
		text[i] = r->paths ? relation_path(r, i * r->n + i, true, a)
				   : relation_value(r, r->at[i * r->n + i], a);
	return (struct drawn_row){r->title, text};
}

/* Returns whether a member has added this column. The others exist in every run, and give the
 * index of a token. */
static bool is_own_column(const struct column *column)
{
	static const char *const all[] = {"seq", "place", "remaining", "word", "segment"};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(column->name, all[i]) == 0)
			return false;
	return true;
}

/* Returns the values of a column. If a structure is given, units without a node have no value. */
static struct drawn_row column_row(const struct column *column, size_t memory,
				   const struct drawing *d, bool given, struct arena *a)
{
	const char **text = arena_calloc(a, d->n_tokens + 1, sizeof *text);
	char number[32];
	for (size_t i = 0; i < d->n_tokens; i++)
		text[i] = given && d->node[i] < 0
				  ? ""
				  : arena_strdup(a, num_show(number, sizeof number,
							     column->at[memory + i], 3));
	return (struct drawn_row){text_escape(a, column->name, strlen(column->name)), text};
}

/* Returns the value of eigenvector j for each token's node. */
static struct drawn_row spectrum_row(const struct spectrum *s, size_t j, size_t memory,
				     const struct drawing *d, struct arena *a)
{
	const char **text = arena_calloc(a, d->n_tokens + 1, sizeof *text);
	for (size_t i = 0; i < d->n_tokens; i++) {
		const double v = s->vectors[(memory + i) * s->k + j];
		text[i] = d->node[i] < 0
				  ? ""
				  : arena_printf(a, "%s%.2f", v < -0.005 ? "−" : "", fabs(v));
	}
	return (struct drawn_row){arena_printf(a, "eigenvector %zu", j + 1), text};
}

static struct drawn_row depth_row(const struct structure *s, const long *node, size_t n,
				  struct arena *a)
{
	const size_t *depth = structure_depths(s, a);
	const char **text = arena_calloc(a, n + 1, sizeof *text);
	for (size_t i = 0; i < n; i++)
		text[i] = node[i] < 0 ? "" : arena_printf(a, "%zu", depth[node[i]]);
	return (struct drawn_row){"depth", text};
}

/* Adds the values of single tokens: those of the scheme, or else the depth, if the drawing does
 * not show it. */
static void add_rows(const struct trace *trace, const struct structure *given, struct arena *a,
		     struct drawing *d)
{
	struct drawn_row *rows =
		arena_calloc(a, MODEL_MAX_COLUMNS + 2 + EIGENVECTORS, sizeof *rows);
	const struct relation *r = &trace->relation;
	size_t n = 0;
	if (r->n == d->n_tokens && r->of_tokens)
		rows[n++] = relation_row(r, a);
	for (size_t i = 0; i < trace->n_columns; i++)
		if (is_own_column(&trace->columns[i]))
			rows[n++] =
				column_row(&trace->columns[i], trace->memory, d, given != NULL, a);
	const struct spectrum *const s = &trace->spectrum;
	for (size_t j = 0; j < s->k && j < EIGENVECTORS && s->n == trace->memory + d->n_tokens; j++)
		rows[n++] = spectrum_row(s, j, trace->memory, d, a);
	if (n == 0 && given && given->kind == STRUCTURE_DEPENDENCY)
		rows[n++] = depth_row(given, d->node, d->n_tokens, a);
	d->below = rows;
	d->n_below = n;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *about(const struct structure *s, struct arena *a)
{
	const char *counts = arena_printf(a, "%zu node%s, %zu edge%s", s->n, s->n == 1 ? "" : "s",
					  s->n_edges, s->n_edges == 1 ? "" : "s");
	return s->note ? arena_printf(a, "%s; %s", counts, s->note) : counts;
}

static const struct structure *chain_of(const struct axis *units, struct arena *a)
{
	struct structure *const made = arena_calloc(a, 1, sizeof *made);
	size_t n = 0;
	for (size_t i = 0; i < units->n; i++)
		n += units->token[i] >= 0;
	structure_chain(n, a, made);
	return made;
}

bool view_drawing(const struct view_data *d, const struct trace *trace, bool chain, struct arena *a,
		  struct panel *p)
{
	static const char *const titles[STRUCTURE_KINDS] = {"Chain", "Dependencies", "Tree",
							    "Graph"};
	static const char *const names[STRUCTURE_KINDS] = {"chain", "tree", "tree", "graph"};
	const struct structure *const given = d->built->model_input.structure;
	const long *node = given ? d->built->model_input.node : NULL;
	const struct axis *units = &trace->query;
	const bool cursor = d->scene->row > 0 && d->scene->col > 0;
	if (!given && !chain)
		return false;
	const struct structure *const s = given ? given : chain_of(units, a);
	*p = (struct panel){.kind = PANEL_STRUCTURE,
			    .name = names[s->kind],
			    .title = titles[s->kind],
			    .note = about(s, a),
			    .short_note = arena_printf(a, "%zu nodes", s->n),
			    .subtitle = !node	 ? "no structure was given: each token hangs on "
						   "the one before it"
					: cursor ? "heavy: the path between the cursor's two tokens"
						 : NULL};
	p->drawing = (struct drawing){.kind = kind_of(s),
				      .n_tokens = units->n,
				      .tokens = units->names,
				      .node = nodes_of(units, node, a),
				      .n = s->n,
				      .names = s->names,
				      .parent = s->parent,
				      .branch = s->kind == STRUCTURE_TREE ? s->branch : NULL,
				      .edges = edges_of(s, a),
				      .n_edges = s->n_edges,
				      .directed = s->directed,
				      .cursor_row = places(&d->trace->query, units, a),
				      .cursor_col = places(&d->trace->key, units, a),
				      .n_rows = d->trace->query.n,
				      .n_cols = d->trace->key.n};
	add_rows(trace, given, a, &p->drawing);
	return true;
}
