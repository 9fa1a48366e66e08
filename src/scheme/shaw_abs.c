/* shaw_abs.c: a separate edge for every pair of positions (Shaw et al. 2018 in its general form,
 * survey eq. 9 and 10).
 *
 *   A_ts = c q_t·(k_s + a^K_ts),  M_t = sum_s α_ts (v_s + a^V_ts)
 *
 * The edges are a leaf [L², d_k], row p_t L + p_s: the rows of one query are adjacent. So the
 * logits of all heads for a query are one product, (h × d_k)·(d_k × n), and each edge is read
 * once. */
#include <string.h>

#include "posviz/model/stage.h"
#include "scheme/leaves.h"
#include "scheme/near_past.h"

struct shaw_abs {
	long length;
	bool values;
};

struct shaw_abs_state {
	const int32_t *place; /* [n] */
	size_t length;	      /* L: edges connect positions below it */
	size_t first, span;   /* the least position, and the number of positions to the largest */
	const struct index *key;  /* [n,n] → position of s, from `first` */
	struct node *query_edges; /* [n, h·span]: q_t·a^K of every position */
	struct node *value;	  /* [L², dv], or NULL */
};

static size_t length_of(const struct model *model, const struct member *m)
{
	const struct shaw_abs *p = m->param;
	return p->length > 0 ? (size_t)p->length : model->config.t_max;
}

/* By distance as in the relative scheme, but every query also favours position 0 as much as
 * itself, which no relative table can express. */
static void make_edges(struct mat at, const struct leaf_maker *of)
{
	const size_t n = length_of(of->model, of->m), width = at.cols;
	struct arena scratch;
	arena_init(&scratch);
	const struct mat by_distance = mat_new(&scratch, 2 * n - 1, width);
	near_past_rows(by_distance, of);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			memcpy(mat_row(at, t * n + s),
			       mat_row(by_distance, s == 0 ? n - 1 : n - 1 + s - t),
			       width * sizeof(double));
	arena_release(&scratch);
}

static bool find_places(struct run *run, const struct member *m, struct shaw_abs_state *state,
			struct err *err)
{
	const struct shaw_abs *p = m->param;
	state->length = state->first = length_of(run->model, m);
	const struct bound bound = {state->length, "length",
				    "raise length, or set length=0 for t-max of them"};
	state->place = p->length > 0 ? run_rows_below(run, m, &bound, err)
				     : run_rows(run, m, state->length, err);
	if (!state->place)
		return false;
	size_t last = 0;
	for (size_t i = 0; i < run->n; i++) {
		const size_t at = (size_t)state->place[i];
		state->first = at < state->first ? at : state->first;
		last = at > last ? at : last;
	}
	state->span = last - state->first + 1;
	return true;
}

/* Returns the edges of the query at t with all positions of the input. [span, dk] */
static struct node *edges_of(struct tape *tape, const struct shaw_abs_state *state,
			     struct node *table, size_t t)
{
	const size_t row = (size_t)state->place[t] * state->length + state->first;
	return tape_slice(tape, table, row, state->span, 0, table->v.cols);
}

/* Row t: q_t·a^K of head 0 with every position, then of head 1, … [n, h·span] */
static struct node *query_edges(struct run *run, const struct shaw_abs_state *state,
				struct node *table)
{
	const size_t h = run->model->config.heads;
	struct tape *t = run->tape;
	struct node **rows = arena_calloc(t->arena, run->n, sizeof *rows);
	for (size_t i = 0; i < run->n; i++) {
		struct node *q = tape_slice(t, run->q, i, 1, 0, run->model->qk_width);
		rows[i] = tape_matmul(t, tape_reshape(t, q, h, run->model->dk), false,
				      edges_of(t, state, table, i), true, 1);
	}
	return tape_reshape(t, tape_concat_rows(t, rows, run->n), run->n, h * state->span);
}

static long place_of_key(const void *context, size_t t, size_t s)
{
	(void)t;
	const struct shaw_abs_state *state = context;
	return (long)state->place[s] - (long)state->first;
}

static bool shaw_abs_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct shaw_abs *p = m->param;
	struct shaw_abs_state *state = run_state(run, m, sizeof *state);
	if (!find_places(run, m, state, err))
		return false;
	state->key =
		run_index_places(run, m, "key's position", state->span, place_of_key, state, err);
	if (!state->key)
		return false;
	state->query_edges = query_edges(run, state, run_leaf(run, m, "a_key"));
	state->value = p->values ? run_leaf(run, m, "a_value") : NULL;
	return true;
}

static bool shaw_abs_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct shaw_abs_state *state = head_state(head, m);
	struct node *edges = head_slice(head, state->query_edges, state->span);
	head_add_indexed(head, "query–a_key", TERM_UNIT_POSITION, edges, state->key, GATHER_BY_ROW,
			 head_scale(head));
	return true;
}

/* Returns the edges of all queries below each other, and the row of each pair. */
static struct from_keys all_edges(struct head *head, const struct shaw_abs_state *state)
{
	struct tape *const tape = head->tape;
	const size_t n = head->run->n, keys = state->key->cols;
	if (!head->parted)
		return (struct from_keys){0};
	struct node **const rows = arena_calloc(tape->arena, n, sizeof *rows);
	int32_t *const row = arena_alloc(tape->arena, n * keys * sizeof *row);
	for (size_t t = 0; t < n; t++) {
		rows[t] = edges_of(tape, state, state->value, t);
		for (size_t s = 0; s < keys; s++)
			row[t * keys + s] =
				(int32_t)(t * state->span) + state->key->at[t * keys + s];
	}
	return (struct from_keys){.vectors = tape_concat_rows(tape, rows, n), .row = row};
}

/* Sums the weights of every position [n, span], then multiplies them by the edges row by row. */
static bool shaw_abs_values(struct head *head, const struct member *m, struct err *err)
{
	const struct shaw_abs_state *state = head_state(head, m);
	const size_t n = head->run->n;
	struct tape *tape = head->tape;
	if (!state->value)
		return true;
	if (!head_needs_one_plane(head, m, "set values=off", err))
		return false;
	struct node *sums = tape_scatter(tape, head->weights, state->key, false);
	struct node **rows = arena_calloc(tape->arena, n, sizeof *rows);
	for (size_t t = 0; t < n; t++)
		rows[t] = tape_matmul(tape, tape_slice(tape, sums, t, 1, 0, state->span), false,
				      edges_of(tape, state, state->value, t), false, 1);
	const struct from_keys from = all_edges(head, state);
	head_add_values(head, "a_value", tape_concat_rows(tape, rows, n), &from);
	return true;
}

/* Returns the memory of the rows of query_edges, separate and together, in every step; and the
 * weights of the positions of one head. */
static double shaw_abs_memory(const struct model *model, const struct member *m,
			      const struct model_input *in, unsigned kinds)
{
	(void)m, (void)kinds;
	const double n = (double)in->axis.n, steps = (double)model->n_steps;
	return 8 * n * n * (2 * steps * (double)model->config.heads + 2);
}

static const struct param shaw_abs_params[] = {
	RATIO_PARAM(struct shaw_abs, length, 64, 0, 512, 2,
		    "edges join the first so many positions; 0: t-max, and its square of vectors"),
	SWITCH_PARAM(struct shaw_abs, values, true, "edges for the values too"),
	{0},
};

static const struct claim shaw_abs_claims[] = {
	{CLAIM_COUNT, ANSWER_UNSAID,
	 "printed with d for the width of a head, and for t-max positions: length=0, as counted in "
	 "the table; the default has 64"},
	{0},
};

static const struct leaf_row shaw_abs_leaves[] = {
	{"a_key", "(length ? length : t_max)^2, d_h",
	 "row t L + s, L the length: added to the key s where t looks", .by_layer = EACH_LAYER,
	 .demo = {.make = make_edges}, .paper = {FILL_XAVIER, 1}},
	{"a_value", "(length ? length : t_max)^2, d_v", "the same, added to the value",
	 .by_layer = EACH_LAYER, .when = "values", .demo = {.make = make_edges},
	 .paper = {FILL_XAVIER, 1}},
	{0},
};

const struct scheme scheme_shaw_abs[] = {
	{
		.id = "shaw_abs",
		.aliases = "shaw-abs edges",
		.title = "Pairwise edge representations",
		.formula = "A_ts = q_t·(k_s + a^K_ts) / √d_h,  M_t = Σ_s α_ts (v_s + a^V_ts)",
		.authors = "Shaw et al.",
		.cite = "@shaw2018selfattention, section 3.1",
		.recipe = "term.query–a_key[t,s] = c q_raw[t] · param.shaw_abs.a_key.L[t * length "
			  "+ s]; with values=on context[t] also has the sum over s of weights[t,s] "
			  "* param.shaw_abs.a_value.L[t * length + s], t_max for length where it "
			  "is 0",
		.about = "Every pair of positions owns a vector that is added to the key and to "
			 "the value, so the query decides whom it likes to see from where. Tied "
			 "along the diagonals it is the relative scheme that Shaw et al. trained.",
		.year = 2018,
		.table2 = TABLE2_GENERIC,
		.ref = REF_ABSOLUTE,
		.inj = INJ_MATRIX,
		.leaves = shaw_abs_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "survey eq. 9 and 10; the paper defines such edges and trains "
				 "only those tied by distance. Sharing as there: by heads, not by "
				 "layers",
		.demo_note = NEAR_PAST_NOTE "; position 0 is as near to every query as itself",
		.count_printed = "2 t_max^2 d l",
		.count_at = "length=0",
		.claims = shaw_abs_claims,
		.params = shaw_abs_params,
		.param_size = sizeof(struct shaw_abs),
		.hooks = {.declare = leaves_declare,
			  .memory = shaw_abs_memory,
			  .prepare = shaw_abs_prepare,
			  .logits = shaw_abs_logits,
			  .values = shaw_abs_values,
			  .matrices = 2},
	},
	{0},
};
