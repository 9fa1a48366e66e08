/* complex.c: complex word-order embeddings (Wang et al. 2020).
 *
 *   g(u)(t)_k = r_k exp(i(ω_k t + θ_k))
 *
 * A position does not shift a token vector but rotates it: its vector r gives the lengths, and
 * two more vectors of the same word give the frequency and the phase of each component. The
 * model is complex throughout: real and imaginary parts are two streams through the same real
 * weights. The stream of the model is the real part; the imaginary one is kept here, from layer
 * to layer. */
#include <math.h>
#include <string.h>

#include "posviz/model/stage.h"
#include "posviz/scheme/scheme.h"
#include "scheme/leaves.h"
#include "scheme/rotation.h"

enum attention { ATTENTION_CODE, ATTENTION_SPLIT, ATTENTION_HERMITIAN };
static const char *const attention_names[] = {"code", "split", "hermitian", NULL};

struct complex_param {
	long n, start;
	bool phase;
	int attention;
};

struct complex_state {
	struct node *x;		/* [n,d]: the imaginary part of X */
	struct node *q, *k, *v; /* of all heads */
	struct mat context;	/* [n,h·dv] when viewing: heads write their columns */
	struct node **contexts; /* [h] when learning */
	struct node **alpha;	/* [h]: weights of the first of two planes */
};

/* With value 1, words rotate faster or slower than each other by up to √2; multiples of 0.618
 * spread the factors evenly. */
static double make_omega(const struct leaf_maker *of, size_t row, size_t col)
{
	const double x = 0.5 + 0.61803398874989484820 * (double)row;
	const double factor = of->value > 0 ? exp2(x - floor(x) - 0.5) : 1;
	return factor * rotation_rate(10000, col / 2, of->cols);
}

/* Returns the scale for a sum of two products of width d_k. */
static double complex_scale(const struct model *model, const struct member *m)
{
	(void)m;
	return 1 / sqrt(2 * (double)model->dk);
}

/* Returns a word's row of the tables: there is no vocabulary, but equal words have equal
 * vectors, so a hash of the vector's bits (FNV-1a) selects the row. It uses single precision,
 * because the last bits of double depend on the machine. Two words in one row rotate alike. */
static int32_t row_of_word(const double *unit, size_t d, size_t rows)
{
	uint64_t h = 0xcbf29ce484222325ull;
	for (size_t k = 0; k < d; k++) {
		const float value = (float)unit[k] + 0.0f; /* no −0 */
		uint32_t bits;
		memcpy(&bits, &value, sizeof bits);
		h = (h ^ bits) * 0x100000001b3ull;
		h ^= h >> 32;
	}
	return (int32_t)(h % rows);
}

/* X = r cos φ + i r sin φ, φ = ω t + θ */
static bool complex_embed(struct run *run, const struct member *m, struct err *err)
{
	const struct complex_param *p = m->param;
	struct complex_state *state = run_state(run, m, sizeof *state);
	struct tape *t = run->tape;
	const double *at = run_column(run, m, err);
	if (!at)
		return false;
	int32_t *rows = arena_alloc(run->arena, run->n * sizeof *rows);
	const struct mat position = mat_new(run->arena, run->n, 1);
	const struct mat kept = mat_new(run->arena, 1, run->n);
	for (size_t i = 0; i < run->n; i++) {
		rows[i] = row_of_word(mat_row(run->units->v, i), run->units->v.cols, (size_t)p->n);
		kept.at[i] = rows[i];
		position.at[i] = at[i] + (double)p->start;
	}
	run_keep(run, m, "rows", kept);
	struct node *phase = tape_gather_rows(t, run_leaf(run, m, "omega"), rows, run->n);
	phase = tape_mul(t, phase, tape_const(t, position));
	if (p->phase) {
		struct node *theta = run_leaf(run, m, "theta");
		phase = tape_add(t, phase, tape_gather_rows(t, theta, rows, run->n));
	}
	struct node *r = run_sum_parts(run, &run->x);
	run_replace_x(run, "complex", tape_mul(t, r, tape_cos(t, phase)));
	state->x = tape_mul(t, r, tape_sin(t, phase));
	return true;
}

static bool complex_prepare(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	struct complex_state *s = run_kept(run, m);
	struct tape *t = run->tape;
	const size_t h = run->model->config.heads;
	s->q = tape_matmul(t, s->x, false, run_weight(run, "w_q"), false, 1);
	s->k = tape_matmul(t, s->x, false, run_weight(run, "w_k"), false, 1);
	s->v = tape_matmul(t, s->x, false, run_weight(run, "w_v"), false, 1);
	step_keep(run, m, "input", s->x->v);
	s->contexts = arena_calloc(run->arena, h, sizeof(struct node *));
	s->alpha = arena_calloc(run->arena, h, sizeof(struct node *));
	if (!t->recording)
		s->context = mat_zero(run->arena, run->n, run->model->v_width);
	return true;
}

static struct node *beside(struct tape *t, struct node *a, struct node *b)
{
	struct node *const both[] = {a, b};
	return tape_concat_cols(t, both, 2);
}

/* The real part of the product: q_r·k_r - q_i·k_i, or + with the conjugate of k. */
static bool complex_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct complex_param *p = m->param;
	const struct complex_state *s = head_state(head, m);
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk;
	if (!head_needs_width(head, m, err))
		return false;
	const double sign = p->attention == ATTENTION_HERMITIAN ? 1 : -1;
	head->q = beside(t, head->q, tape_scale(t, head_slice(head, s->q, dk), sign));
	head->k = beside(t, head->k, head_slice(head, s->k, dk));
	return true;
}

/* The imaginary part: c (q_r·k_i + q_i·k_r) */
static struct node *imaginary(struct head *head, const struct complex_state *s)
{
	struct tape *t = head->tape;
	const size_t n = head->run->n, dk = head->run->model->dk;
	struct node *q = beside(t, tape_slice(t, head->q, 0, n, 0, dk), head_slice(head, s->q, dk));
	struct node *k = beside(t, head_slice(head, s->k, dk), tape_slice(t, head->k, 0, n, 0, dk));
	return tape_matmul(t, q, false, k, true, head_scale(head));
}

/* The released model takes the modulus. Terms that other members add to the logits belong to the
 * real part. A lower bound for the square keeps the derivative finite where both parts are 0. */
static bool complex_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct complex_param *p = m->param;
	struct tape *t = head->tape;
	if (p->attention != ATTENTION_CODE)
		return true;
	struct node *im = imaginary(head, head_state(head, m));
	struct node *square = tape_mul(t, head->logits, head->logits);
	square = tape_accumulate(t, square, tape_mul(t, im, im));
	head->logits = tape_pow(t, tape_add_scalar(t, square, 1e-24), 0.5);
	return true;
}

static size_t complex_planes(const struct model *model, const struct member *m)
{
	(void)model;
	const struct complex_param *p = m->param;
	return p->attention == ATTENTION_SPLIT ? 2 : 1;
}

/* The second plane is the softmax of the imaginary part, which replaces the real part. */
static bool complex_weights(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct complex_param *p = m->param;
	struct tape *t = head->tape;
	if (p->attention != ATTENTION_SPLIT || head->plane == 0)
		return true;
	struct node *re = tape_matmul(t, head->q, false, head->k, true, head_scale(head));
	struct node *other = tape_sub(t, imaginary(head, head_state(head, m)), re);
	head->weights =
		tape_softmax(t, tape_accumulate(t, other, head->logits), head->allowed, true);
	return true;
}

static void keep_imaginary(struct head *head, struct complex_state *s, struct node *context)
{
	const size_t dv = head->run->model->dv;
	if (head->tape->recording)
		s->contexts[head->index] = context;
	else
		mat_set(mat_cols(s->context, head->index * dv, dv), context->v);
}

/* (α + iβ)(v_r + i v_i); β is 0 except in the split form. */
static bool complex_values(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct complex_param *p = m->param;
	struct complex_state *s = head_state(head, m);
	struct tape *t = head->tape;
	struct node *v = head_slice(head, s->v, head->run->model->dv), *alpha = head->weights;
	if (p->attention != ATTENTION_SPLIT) {
		keep_imaginary(head, s, tape_matmul(t, alpha, false, v, false, 1));
		return true;
	}
	if (head->plane == 0) {
		s->alpha[head->index] = alpha;
		return true;
	}
	struct node *beta = head->weights;
	alpha = s->alpha[head->index];
	head->context = tape_sub(t, tape_matmul(t, alpha, false, head->v, false, 1),
				 tape_matmul(t, beta, false, v, false, 1));
	keep_imaginary(head, s,
		       tape_add(t, tape_matmul(t, alpha, false, v, false, 1),
				tape_matmul(t, beta, false, head->v, false, 1)));
	return true;
}

/* The imaginary stream passes through the rest of the layer separately, with the same weights. */
static bool complex_block(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	struct complex_state *s = run_kept(run, m);
	struct tape *t = run->tape;
	const size_t h = run->model->config.heads;
	for (size_t i = 0; t->recording && i < h; i++)
		if (!s->contexts[i]) /* a head on which the member does not act */
			s->contexts[i] =
				tape_const(t, mat_zero(run->arena, run->n, run->model->dv));
	struct node *context =
		t->recording ? tape_concat_cols(t, s->contexts, h) : tape_const(t, s->context);
	s->x = run_block(run, context, s->x);
	step_keep(run, m, "output", s->x->v);
	return true;
}

static const struct param complex_params[] = {
	RATIO_PARAM(struct complex_param, n, 512, 1, 65536, 2,
		    "rows of the tables, over which words are spread by their vectors; 1: all "
		    "share one"),
	SWITCH_PARAM(struct complex_param, phase, true,
		     "θ, the phase of a word at position 0; the released code has none"),
	CHOICE_PARAM(struct complex_param, attention, ATTENTION_CODE, attention_names,
		     "code: the modulus of q·k; split: a softmax of either part; hermitian: "
		     "q·conj(k)"),
	NUMBER_PARAM(struct complex_param, start, 1, 0, 2, 1, "number of the first position"),
	{0},
};

static const struct claim complex_claims[] = {
	{CLAIM_COUNT, ANSWER_NO, "printed with a phase for every word and column", "!phase"},
	{CLAIM_RECURRING, ANSWER_YES,
	 "the embedding enters once, but attention is complex in every layer"},
	{0},
};

static const struct leaf_row complex_leaves[] = {
	{"omega", "n, d", "row of a word: by how much each component rotates per position",
	 .by_layer = ALL_LAYERS, .demo = {.entry = make_omega, .value = 1},
	 .paper = {.entry = make_omega}},
	{"theta", "n, d", "row of a word: the angle that each component starts from", .spare = true,
	 .by_layer = ALL_LAYERS, .when = "phase", .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{0},
};

const struct scheme scheme_complex[] = {
	{
		.id = "complex",
		.aliases = "complex-order word-order",
		.title = "Complex word-order embedding",
		.formula = "X_t = r ∘ exp(i(ωt + θ)),  r, ω, θ of the word at t",
		.authors = "Wang et al.",
		.cite = "@wang2020encoding",
		.recipe = "input is the real part of X and layer.L.member.complex.input the "
			  "imaginary one: units cos(phi) and units sin(phi), phi = omega[row] "
			  "(position + start) + theta[row], row of member.complex.rows; w_q, w_k, "
			  "w_v act on both, q and k are [q_r | -q_i] ([q_r | q_i] with "
			  "attention=hermitian) and [k_r | k_i], and im = c (q_r·k_i + q_i·k_r); "
			  "with attention=code rest adds to the sum of the other terms what makes "
			  "it their modulus with im; with attention=split alpha = softmax of "
			  "logits, beta = softmax of im and what members add, weights = alpha "
			  "where plane 0 is kept, and context = alpha v_r - beta v_i; the "
			  "imaginary context, alpha v_i + beta v_r (beta 0 but in split), goes "
			  "through the rest of the layer as the real one, with residual "
			  "member.complex.input, to layer.L.member.complex.output",
		.about = "The vector of a word rotates with its position, every component at a "
			 "speed of the word's own, and the model computes with complex numbers "
			 "throughout. The modulus of q·k without conjugate, times 1/√(2 d_h), sees "
			 "the sum of two positions rather than their distance.",
		.year = 2020,
		.table2 = TABLE2_GENERIC,
		.ref = REF_ABSOLUTE,
		.inj = INJ_OTHER,
		.leaves = complex_leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_UNBOUNDED,
		.evidence = EVIDENCE_CODE,
		.evidence_note = "FreedomIntelligence/complex-order 4c4ec24, translation: the "
				 "modulus in every layer (split is there, never called), and one "
				 "ω for all words, frozen, without θ: n=1,phase=off; r, ω, θ by "
				 "survey eq. 8. Real weights also in the feed-forward block, ours",
		.demo_note =
			"ω_k = 10000^(−2⌊k/2⌋/d), and each word rotates faster or slower by up "
			"to √2; θ = 0",
		.count_printed = "2 n d",
		.claims = complex_claims,
		.params = complex_params,
		.param_size = sizeof(struct complex_param),
		.hooks = {.reads_weights = true,
			  .declare = leaves_declare,
			  .scale = complex_scale,
			  .embed = complex_embed,
			  .prepare = complex_prepare,
			  .qk = complex_qk,
			  .adjust = complex_adjust,
			  .weights = complex_weights,
			  .planes = complex_planes,
			  .values = complex_values,
			  .block = complex_block,
			  .nonlinear = true,
			  .matrices = 5},
	},
	{0},
};
