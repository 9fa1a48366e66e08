/* equivariant.c: contextualized equivariant positional encoding (Zhu et al. 2025, TAPE): a rotation
 * that every layer changes by what it has read.
 *
 *   q'_t = q_t ∘ cos + rotate_half(q_t) ∘ sin, and k alike, (cos, sin) = E_t of the head
 *   E_t ← E_t + s_H Σ_s α_ts E_s               behind the attention of the head, s_H from P
 *   E_t ← E_t + Uᵀ (silu(g_t W_x) ∘ V E_t)     V, U over heads, g_t what the feed-forward part wrote
 *
 * In the first layer E is that of rope. The sums have the same factor in all pairs of a head, so a
 * pair is still a rotation, times a length that is no longer 1; and a common rotation of all E_t
 * stays one, so logits are relative in every layer. Rows of E are heads: of each its positions, of
 * each of these the cosines of the pairs and then the sines. */
#include "posviz/scheme/scheme.h"
#include "scheme/leaves.h"
#include "scheme/rotation.h"

enum mix { MIX_SUMS, MIX_HEADS };
static const char *const mix_names[] = {"sums", "heads", NULL};

struct equivariant {
	int mix;
	long width;
	double base;
};

struct equivariant_state {
	size_t pairs;
	struct node *e;	    /* [h, n · 2 pairs]; 0 in heads on which the member does not act */
	struct node **read; /* [h]: α E of this layer, [n, 2 pairs], if gradients are recorded */
	struct mat of_e, of_read; /* [h · n, 2 pairs]; else their numbers */
};

/* Makes E of the first layer: the rotation of rope, in all heads on which the member acts. */
static bool begin(struct run *run, const struct member *m, struct err *err)
{
	const struct equivariant *p = m->param;
	const size_t n = run->n, heads = run->model->config.heads, pairs = run->model->dk / 2;
	const double *const position = run_column(run, m, err);
	double *const rate = arena_calloc(run->arena, pairs, sizeof *rate);
	const struct mat first = mat_new(run->arena, n, 2 * pairs);
	const struct mat c = mat_cols(first, 0, pairs), s = mat_cols(first, pairs, pairs);
	if (!position)
		return false;
	struct equivariant_state *const state = run_state(run, m, sizeof *state);
	state->pairs = pairs;
	state->read = arena_calloc(run->arena, heads, sizeof(struct node *));
	state->of_e = mat_zero(run->arena, heads * n, 2 * pairs);
	state->of_read = mat_zero(run->arena, heads * n, 2 * pairs);
	for (size_t i = 0; i < pairs; i++)
		rate[i] = rotation_rate(p->base, i, 2 * pairs);
	rotation_fill(c, s, position, rate);
	run_keep(run, m, "cos", c);
	run_keep(run, m, "sin", s);
	for (size_t i = 0; i < heads; i++)
		if (member_on_head(m, i))
			mat_set(mat_rows(state->of_e, i * n, n), first);
	struct node *const all = tape_const(run->tape, state->of_e);
	state->e = tape_reshape(run->tape, all, heads, n * 2 * pairs);
	return true;
}

/* Returns E of a head, [n, 2 pairs]. */
static struct node *of_head(struct tape *t, const struct equivariant_state *state, struct node *e,
			    size_t head)
{
	const size_t wide = e->v.cols;
	return tape_reshape(t, tape_slice(t, e, head, 1, 0, wide), wide / (2 * state->pairs),
			    2 * state->pairs);
}

/* Keeps E of every layer but the first, where it is the rotation that is kept at once. */
static void keep(struct run *run, const struct member *m, const struct equivariant_state *state)
{
	static const char *const names[] = {"cos", "sin"};
	const size_t n = run->n, heads = run->model->config.heads, pairs = state->pairs;
	for (size_t k = 0; k < 2 && run_keeps(run); k++) {
		const struct mat out = mat_new(run->arena, n, heads * pairs);
		for (size_t i = 0; i < heads; i++)
			mat_set(mat_cols(out, i * pairs, pairs),
				mat_cols(of_head(run->tape, state, state->e, i)->v, k * pairs,
					 pairs));
		step_keep(run, m, names[k], out);
	}
}

static bool equivariant_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct equivariant_state *const state = run_kept(run, m);
	if (state)
		keep(run, m, state);
	return state || begin(run, m, err);
}

static bool equivariant_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct equivariant_state *const state = head_state(head, m);
	struct node *const e = of_head(head->tape, state, state->e, head->index);
	const size_t n = e->v.rows, pairs = state->pairs;
	return rotation_by_nodes(head, m, tape_slice(head->tape, e, 0, n, 0, pairs),
				 tape_slice(head->tape, e, 0, n, pairs, pairs), pairs, err);
}

/* Reads E by the weights of the head, or of a block of its queries. */
static bool equivariant_attended(struct head *head, const struct member *m, struct err *err)
{
	struct equivariant_state *const state = head_state(head, m);
	struct tape *const t = head->tape;
	if (!head_needs_one_plane(head, m, NULL, err))
		return false;
	struct node *const e = of_head(t, state, state->e, head->index);
	struct node *const read = tape_matmul(t, head->weights, false, e, false, 1);
	if (t->recording)
		state->read[head->index] = read;
	else
		mat_set(mat_rows(state->of_read, head->index * head->run->n + head->first,
				 read->v.rows),
			read->v);
	return true;
}

/* ---- from a layer to the next ---------------------------------------------------------------- */

/* The learned matrices of a layer. */
struct matrices {
	struct node *up, *x, *down, *post;
};

static struct node *all_read(struct run *run, const struct member *m,
			     const struct equivariant_state *state)
{
	struct tape *const t = run->tape;
	const size_t heads = run->model->config.heads, wide = state->e->v.cols;
	struct node *const none = tape_const(t, state->of_read);
	if (!t->recording)
		return tape_reshape(t, none, heads, wide);
	struct node **const parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	for (size_t i = 0; i < heads; i++)
		parts[i] = member_on_head(m, i)
				   ? state->read[i]
				   : tape_slice(t, none, i * run->n, run->n, 0, none->v.cols);
	return tape_reshape(t, tape_concat_rows(t, parts, heads), heads, wide);
}

/* Returns E behind the attention, [h, n · 2 pairs]: a head's reading times the sum of its column of
 * P, or that column's mixture of all readings. */
static struct node *after_attention(struct run *run, const struct member *m,
				    const struct equivariant_state *state, struct node *post)
{
	const struct equivariant *p = m->param;
	struct tape *const t = run->tape;
	struct node *const read = all_read(run, m, state);
	if (p->mix == MIX_HEADS)
		return tape_add(t, state->e, tape_matmul(t, post, true, read, false, 1));
	struct node *const by = tape_transpose(t, tape_col_sum(t, post));
	return tape_add(t, state->e, tape_mul(t, read, by));
}

/* Returns E of a head behind the feed-forward part, [n, 2 pairs]. V and U meet in a matrix [width, h]
 * of the head, so that nothing as wide as `width` is made for each component. */
static struct node *after_forward(struct run *run, const struct equivariant_state *state,
				  struct node *e, struct node *gate, const struct matrices *of,
				  size_t head)
{
	struct tape *const t = run->tape;
	const size_t n = run->n, heads = e->v.rows, wide = e->v.cols;
	struct node *const down = tape_slice(t, of->down, 0, of->down->v.rows, head, 1);
	struct node *const from = tape_mul(t, tape_transpose(t, of->up), down);
	struct node *const by =
		tape_transpose(t, tape_matmul(t, gate, false, from, false, 1)); /* [h, n] */
	struct node *const parts = tape_mul(t, tape_reshape(t, e, heads * n, 2 * state->pairs),
					    tape_reshape(t, by, heads * n, 1));
	struct node *const sum = tape_col_sum(t, tape_reshape(t, parts, heads, wide));
	return tape_add(t, of_head(t, state, e, head), tape_reshape(t, sum, n, 2 * state->pairs));
}

/* Puts the numbers of a head into the room of the readings, which are no longer needed. */
static void put(struct equivariant_state *state, size_t head, const struct node *e)
{
	mat_set(mat_rows(state->of_read, head * e->v.rows, e->v.rows), e->v);
}

static void change_rooms(struct run *run, struct equivariant_state *state)
{
	const struct mat now = state->of_read;
	state->of_read = state->of_e;
	state->of_e = now;
	state->e = tape_reshape(run->tape, tape_const(run->tape, now), run->model->config.heads,
				state->e->v.cols);
}

static struct node *joined(struct run *run, struct node *const *parts)
{
	const size_t heads = run->model->config.heads;
	struct node *const all = tape_concat_rows(run->tape, parts, heads);
	return tape_reshape(run->tape, all, heads, all->v.rows / heads * all->v.cols);
}

static bool equivariant_carry(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	struct equivariant_state *const state = run_kept(run, m);
	struct tape *const t = run->tape;
	if (!model_find_leaf(run->model, m, "post", run->layer))
		return true;
	const size_t heads = run->model->config.heads;
	const struct matrices of = {run_leaf(run, m, "pe_up"), run_leaf(run, m, "pe_x"),
				    run_leaf(run, m, "pe_down"), run_leaf(run, m, "post")};
	struct node **const parts = arena_calloc(run->arena, heads, sizeof(struct node *));
	step_keep(run, m, "fed", run->fed->v);
	const struct arena_mark mark = arena_mark(t->arena);
	struct node *const e = after_attention(run, m, state, of.post);
	struct node *const gate = tape_silu(t, tape_matmul(t, run->fed, false, of.x, false, 1));
	for (size_t i = 0; i < heads; i++) {
		const struct arena_mark own = arena_mark(t->arena);
		parts[i] = member_on_head(m, i)
				   ? after_forward(run, state, e, gate, &of, i)
				   : tape_const(t, mat_rows(state->of_e, i * run->n, run->n));
		if (t->recording)
			continue;
		put(state, i, parts[i]);
		arena_rewind(t->arena, own);
	}
	if (t->recording) {
		state->e = joined(run, parts);
		return true;
	}
	arena_rewind(t->arena, mark);
	change_rooms(run, state);
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Declares the matrices of all layers but the last: nobody reads what it would make of E. */
static bool equivariant_declare(struct model *model, const struct member *m, struct err *err)
{
	const size_t layers = model->config.layers;
	size_t last = layers - 1;
	if (!rotation_has_pairs(model, m, err))
		return false;
	while (last > 0 && !subset_has(&m->layers, last))
		last--;
	model->config.layers = last;
	const bool ok = leaves_declare(model, m, err);
	model->config.layers = layers;
	return ok;
}

/* Returns the memory of both rooms and of what makes one from the other, and of what is kept of each
 * layer. */
static double equivariant_memory(const struct model *model, const struct member *m,
				 const struct model_input *in, unsigned kinds)
{
	enum { MADE_OF = 8 };
	const struct equivariant *p = m->param;
	const double n = (double)in->axis.n, wide = n * (double)model->qk_width;
	const double layers = (double)model->config.layers, d = (double)model->config.d;
	const double kept = kinds & WANT_KEPT ? 2 * wide + n * d : 0;
	return 8 * (MADE_OF * wide + 3 * n * (double)p->width + layers * (n * d + kept));
}

static const struct param equivariant_params[] = {
	CHOICE_PARAM(struct equivariant, mix, MIX_SUMS, mix_names,
		     "what a head reads of E is multiplied by the sum of its column of post, as in "
		     "the code, or the matrix mixes what all heads read (paper)"),
	RATIO_PARAM(struct equivariant, width, 256, 1, 4096, 2,
		    "columns between V and U, as many gates a token has"),
	RATIO_PARAM(struct equivariant, base, 10000, 1, 1e300, 10,
		    "B: pair i rotates by B^(-2i/d_h) a position in the first layer"),
	{0},
};

static const struct claim equivariant_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_YES,
	 "what a layer makes for the next one is learned: a model of one layer learns nothing"},
	{0},
};

static const struct leaf_row equivariant_leaves[] = {
	{"post", "h, h",
	 "P: from the state that a head reads by its weights, a row, to a head's state, a column",
	 .by_layer = EACH_LAYER, .demo = {FILL_DIAGONAL, 0.25}, .paper = {FILL_CONSTANT, 0}},
	{"pe_up", "h, width", "V: from the state of each head to the columns that are gated",
	 .by_layer = EACH_LAYER, .demo = {FILL_NORMAL, .formula = "1 / sqrt(h)"},
	 .paper = {FILL_CONSTANT, 0}},
	{"pe_x", "d, width", "W_x: from what the feed-forward part writes to the gates",
	 .by_layer = EACH_LAYER, .demo = {FILL_NORMAL, .formula = "1 / sqrt(d)"},
	 .paper = {FILL_NORMAL, 0.02}},
	{"pe_down", "width, h", "U: from the gated columns to the state of each head",
	 .by_layer = EACH_LAYER, .demo = {FILL_NORMAL, .formula = "1 / (2 sqrt(width))"},
	 .paper = {FILL_NORMAL, 0.02}},
	{0},
};

static const char *defines(const void *param, struct arena *a)
{
	(void)a;
	const struct equivariant *p = param;
	return p->mix == MIX_HEADS ? "P(x_h) = Σ_j P_jh x_j" : "P(x_h) = Σ_j P_jh x_h";
}

const struct scheme scheme_equivariant[] = {
	{
		.id = "tape",
		.aliases = "adape contextualized-pe",
		.title = "Contextualized equivariant position encoding",
		.formula = "A_ts = (E_t q_t)·(E_s k_s) / √d_h,  E_t = R_t, then F_t + U^T(silu(g_t "
			   "W_x) ∘ V F_t),  F_t = E_t + P(Σ_s α_ts E_s)",
		.defines = defines,
		.authors = "Zhu et al.",
		.cite = "@zhu2025rethinking",
		.recipe =
			"q and k are q_raw and k_raw with pairs of columns turned: (a, b) to (a "
			"cos - b sin, b cos + a sin), pair i = columns (i, i + dk/2); cos and "
			"sin = those of member.tape in the first layer where it acts, of the "
			"angle position * base^(-2i/dk), then those of layer.L.member.tape, "
			"[:, H dk/2 + i], made of the layer before: E = (cos, sin), F[H] = E[H] "
			"+ the sum over J of post[J, H] times weights @ E[H], with mix=heads "
			"times those of head J; E[H] = F[H] + the sum over J of (silu(fed @ pe_x) "
			"@ (pe_up[J] * pe_down[:, H]))[t] times F[J], fed = "
			"layer.L.member.tape.fed, what the feed-forward part of that layer "
			"writes, all of param.tape.NAME.L; 0 in heads where it does not act",
		.about = "Every layer changes the rotations of rope, by those of the tokens that a "
			 "token attends to and by what its feed-forward part wrote. So layer 1 is "
			 "rope, and from layer 2 on pairs rotate and stretch as the content says; "
			 "a shift of all positions still changes nothing.",
		.year = 2025,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = equivariant_leaves,
		.claims = equivariant_claims,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_UNBOUNDED |
			 SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_CODE,
		.evidence_note =
			"VITA-Group/TAPE 466d9e6, models/llama/adape.py, whose einsum does "
			"not mix heads (mix=sums); g is what the feed-forward part writes, "
			"before the sum with its input and any norm; positions drawn from "
			"twice the training length are left out, and the mask is +causal",
		.demo_note = "P is ¼ on the diagonal, V, W_x and U normal of variance 1/h, 1/d, "
			     "1/(4 width); init=paper has 0 for P and V, so that it is rope",
		.rotates_when = "1",
		.params = equivariant_params,
		.param_size = sizeof(struct equivariant),
		.hooks = {.declare = equivariant_declare,
			  .prepare = equivariant_prepare,
			  .qk = equivariant_qk,
			  .attended = equivariant_attended,
			  .carry = equivariant_carry,
			  .memory = equivariant_memory,
			  .modulates = true},
	},
	{0},
};
