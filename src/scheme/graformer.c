/* graformer.c: a number for each distance in a directed graph, and for each offset within a label
 * (Schmitt et al. 2021, Graformer).
 *
 *   A_ts = c q_t·k_s + γ_{r(t,s)}
 *
 * Every token of a label is a node of the graph that attention sees. Tokens of one label have no
 * path between them, so whether they share a label is tested first; only then the two directed
 * distances, of which the shorter counts, negative when it goes against the edges. Each r has a
 * learned row of γ: rows in the order of the authors' code, so that their tables fit. */
#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"

#include <math.h>
#include <stdlib.h>

#include "scheme/inject.h"

enum form { FORM_PAPER, FORM_CODE };
static const char *const form_names[] = {"paper", "code", NULL};

struct graformer {
	long d_max, same;
	int form;
};

/* ---- rows of γ: 0; no path; +1, -1, +2, -2 ..; then offsets +1, -1, .. within a label -------- */

enum { ROW_SELF, ROW_NO_PATH, ROW_FIRST };

static long row_count(const struct graformer *p)
{
	return ROW_FIRST + 2 * (p->d_max + p->same);
}

/* In the authors' code an id beyond the last becomes the last, which is that of -limit, whatever
 * its sign. */
static long signed_row(const struct graformer *p, long value, long limit)
{
	if (p->form == FORM_CODE && labs(value) > limit)
		return 2 * limit - 1;
	const long steps = labs(value) > limit ? limit : labs(value);
	return 2 * (steps - 1) + (value < 0);
}

static long distance_row(const struct graformer *p, long r)
{
	return r == 0 ? ROW_SELF : ROW_FIRST + signed_row(p, r, p->d_max);
}

/* Returns the r of a row: offsets within a label are shifted by d_max, so that they differ from
 * distances. */
static int32_t value_of(const struct graformer *p, long row)
{
	if (row <= ROW_NO_PATH)
		return row == ROW_SELF ? 0 : RELATION_NO_PATH;
	const long k = row - ROW_FIRST;
	const bool label = k >= 2 * p->d_max;
	const long steps = (label ? k - 2 * p->d_max : k) / 2 + 1 + (label ? p->d_max : 0);
	return (int32_t)(k % 2 ? -steps : steps);
}

/* The nodes of the tokens. */
struct stand {
	long node;  /* -1: none */
	long index; /* index among the tokens of its node, in the original order */
};

/* Counts by place and not by row: a re-ordered token keeps its node and index. */
static struct stand *find_stands(struct run *run)
{
	const long *token = run->queries->token;
	struct stand *at = arena_calloc(run->arena, run->n + 1, sizeof *at);
	for (size_t i = 0; i < run->n; i++)
		at[i].node = run_node(run, i);
	for (size_t i = 0; i < run->n; i++)
		for (size_t k = 0; k < run->n; k++)
			at[i].index +=
				at[k].node == at[i].node && token[k] >= 0 && token[k] < token[i];
	return at;
}

/* Returns the row for the two distances between two nodes, -1 if there is no path. */
static long row_between(const struct graformer *p, int32_t there, int32_t back)
{
	if (back >= 0 && (there < 0 || back < there))
		return distance_row(p, -(long)back);
	return there < 0 ? ROW_NO_PATH : distance_row(p, there);
}

struct graph_pairs {
	const struct graformer *p;
	const struct structure *of;
	const int32_t *distance;
	const struct stand *stand;
};

/* Returns the row of γ for a pair; in the authors' code that of the direction from key to query. */
static long row_of_pair(const void *context, size_t t, size_t s)
{
	const struct graph_pairs *k = context;
	const bool turn = k->p->form == FORM_CODE;
	const struct stand *from = &k->stand[turn ? s : t], *to = &k->stand[turn ? t : s];
	if (t == s)
		return ROW_SELF;
	if (from->node < 0 || to->node < 0)
		return ROW_NO_PATH;
	if (from->node == to->node)
		return from->index == to->index
			       ? ROW_SELF
			       : ROW_FIRST + 2 * k->p->d_max +
					 signed_row(k->p, to->index - from->index, k->p->same);
	const size_t a = (size_t)from->node, b = (size_t)to->node, n = k->of->n;
	return row_between(k->p, k->distance[a * n + b], k->distance[b * n + a]);
}

static const struct index *graformer_index(struct run *run, const struct member *m,
					   const struct encoding *e, struct err *err)
{
	bool chain;
	struct graph_pairs k = {.p = m->param, .of = run_structure(run, &chain)};
	k.distance = structure_distances(k.of, false, run->arena);
	k.stand = find_stands(run);
	return run_index_places(run, m, e->title, encoding_rows(e), row_of_pair, &k, err);
}

static const char *says_offset(long offset, struct arena *a)
{
	if (labs(offset) == 1)
		return offset > 0 ? "next word of the same label" : "word before in the same label";
	return arena_printf(a, "%ld words %s in the same label", labs(offset),
			    offset > 0 ? "on" : "back");
}

static const char *graformer_says(const struct relation *r, int32_t value,
				  const struct relation_cell *at, struct arena *a)
{
	(void)at;
	if (value == RELATION_NO_PATH)
		return "no path either way";
	if (value == 0)
		return "the token itself";
	const long steps = labs((long)value);
	if (steps > r->limit)
		return says_offset(value > 0 ? value - r->limit : value + r->limit, a);
	return arena_printf(a, "%ld%s %s the edges", steps, steps == r->limit ? " or more" : "",
			    value > 0 ? "along" : "against");
}

static bool graformer_relation(struct run *run, const struct member *m, const struct encoding *e,
			       struct relation *out, struct err *err)
{
	const struct graformer *p = m->param;
	const struct index *rows = encoding_index(run, m, e, err);
	const size_t cells = run->n * run->n;
	bool chain;
	if (!rows)
		return false;
	run_structure(run, &chain);
	int32_t *at = arena_alloc(run->arena, (cells + 1) * sizeof *at);
	for (size_t i = 0; i < cells; i++)
		at[i] = value_of(p, rows->at[i]);
	*out = (struct relation){
		.title = p->form == FORM_CODE ? "graph position r(s,t)" : "graph position r(t,s)",
		.n = run->n,
		.at = at,
		.says = graformer_says,
		.note = arena_printf(run->arena,
				     "%sfrom ±%ld edges on one number; larger ones: within a label",
				     chain ? "no structure: a chain; " : "", p->d_max),
		.limit = (int32_t)p->d_max,
		.beyond = true};
	return true;
}

/* Returns the demonstration's distance of a pair, in edges: against them half an edge more,
 * within a label a quarter per word. */
static double demo_distance(const struct graformer *p, long row)
{
	const int32_t value = value_of(p, row);
	if (value == RELATION_NO_PATH)
		return (double)p->d_max + 1;
	const double steps = fabs((double)value);
	if (steps > (double)p->d_max)
		return (steps - (double)p->d_max) / 4;
	return steps + (value < 0 ? 0.5 : 0);
}

static double make_slopes(const struct leaf_maker *of, size_t row, size_t col)
{
	return -inject_slope(col, of->model->config.heads, 0) *
	       demo_distance(of->m->param, (long)row);
}

static size_t graformer_injects(const struct model *model, const struct member *m,
				struct inject *out)
{
	(void)model;
	*out = (struct inject){.at = INJECT_ADD,
			       .by = {.title = "gamma",
				      .most = row_count(m->param) - 1,
				      .index = graformer_index,
				      .of_structure = true,
				      .relation = graformer_relation},
			       .leaf = "gamma",
			       .label = "bias",
			       .share = SHARE_LAYER,
			       .demo = {.entry = make_slopes},
			       .paper = {.fill = FILL_UNIFORM, .value = 1}};
	return 1;
}

static const struct param graformer_params[] = {
	NUMBER_PARAM(struct graformer, d_max, 5, 1, 4096, 1,
		     "distances beyond it count as it; the authors take 5 for WebNLG, 6 for "
		     "AGENDA"),
	NUMBER_PARAM(struct graformer, same, 10, 1, 4096, 1,
		     "offsets between words of one label beyond it count as it"),
	CHOICE_PARAM(struct graformer, form, FORM_PAPER, form_names,
		     "paper; code: the way from key to query, and what is too far counts as "
		     "-d_max, whatever its sign"),
	{0},
};

static const struct claim graformer_claims[] = {
	{CLAIM_UNBOUNDED, ANSWER_UNSAID, "bounded at d_max, which is farther than what is measured",
	 "d_max > 448"},
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed without the numbers for offsets within a label, 2 same h"},
	{0},
};

static const struct leaf_row graformer_leaves[] = {
	{"gamma", "2 + 2 (d_max + same), h",
	 "row of a path length: added to the logits, a column for each head; same token, no path, "
	 "+1, −1, … ±d_max, then offsets within a label +1, −1, … ±same"},
	{0},
};

const struct scheme scheme_graformer[] = {
	{
		.id = "graformer",
		.aliases = "schmitt",
		.title = "Graformer",
		.formula = "A_ts = q_t·k_s / √d_h + γ_{r(t,s)}",
		.authors = "Schmitt et al.",
		.cite = "@schmitt2021modeling",
		.recipe = "term.bias[t,s] = param.graformer.gamma[row, H], row = "
			  "member.graformer.index.gamma",
		.about = "Each head learns a number for each directed distance in the graph, with "
			 "its direction, one for no path, and one for each offset between words of "
			 "the same label. Labels of edges are not seen: relations are nodes.",
		.year = 2021,
		.topic = TOPIC_GRAPH,
		.table2 = TABLE2_GRAPHS,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = graformer_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NEEDS_GRAPH,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "mnschmit/graformer 9e1d38d, as form=code; the paper has r from "
				 "query to key, clipped with its sign. The survey's eq. 31 asks "
				 "for a path first; in code and figure the same label comes first",
		.demo_note = "γ = −slope times edges, half an edge more against them, d_max + 1 "
			     "without a path, a quarter for each word within a label; slopes from "
			     "1 down to 1/8 by head",
		.count_printed = "2(d_max + 1) h",
		.claims = graformer_claims,
		.sample = "graph @amr2",
		.directions_when = "1",
		.numbers_when = "0",
		.params = graformer_params,
		.param_size = sizeof(struct graformer),
		.hooks = {INJECT_HOOKS(graformer_injects)},
	},
	{0},
};
