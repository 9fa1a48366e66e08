/* synth.c: Synthesizers: logits that are not the product of queries and keys (Tay et al. 2021).
 *
 *   random      A = R                          factorised   A = R1ᵀ R2
 *   dense       A_t = W_2ᵀ ReLU(W_1ᵀ x_t)      factorised   A_t[s] = a[s mod |a|] b[s div |a|]
 *   mix         A = (1 - σ(α)) q·k + σ(α) R
 *
 * Tables are made for positions below t_max; an input reads the rows and columns of its positions.
 * As in mesh_tensorflow a table for all heads is [rows, h·t_max], head i in columns i·t_max... */
#include "posviz/scheme.h"
#include "posviz/stage.h"

#include <math.h>

#include "posviz/rng.h"
#include "scheme/leaves.h"
#include "scheme/places.h"

enum of { OF_RANDOM, OF_DENSE };
static const char *const of_names[] = {"random", "dense", NULL};

enum scale { SCALE_NONE, SCALE_RSQRT };
static const char *const scale_names[] = {"none", "rsqrt", NULL};

/* ---- random --------------------------------------------------------------------------------- */

struct random {
	bool learned;
};

struct random_state {
	struct places places;
	struct node *r; /* [t_max, h·t_max]; fixed: [n, h·n] */
};

/* A row of R is drawn from (seed, layer, head, position) as far as it is read, so a longer input
 * continues what was there. */
static struct node *build_fixed(struct run *run, const struct member *m, struct err *err)
{
	const struct model *model = run->model;
	const size_t n = run->n, h = model->config.heads, t_max = model->config.t_max;
	const double half = sqrt(3) * model->config.content;
	struct places places;
	if (!places_init(&places, run, m, t_max, err))
		return NULL;
	int32_t last = 0;
	for (size_t t = 0; t < n; t++)
		last = places.at[t] > last ? places.at[t] : last;
	double *row = arena_calloc(run->arena, (size_t)last + 1, sizeof *row);
	const struct mat r = mat_new(run->arena, n, h * n);
	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < h; i++) {
			struct rng rng;
			rng_init_name(&rng, model->config.seed,
				      arena_printf(run->arena, "%s.r.%zu.%zu.%d", m->name,
						   run->layer, i, (int)places.at[t]));
			for (int32_t s = 0; s <= last; s++)
				row[s] = half * (2 * rng_uniform(&rng) - 1);
			for (size_t s = 0; s < n; s++)
				mat_row(r, t)[i * n + s] = row[places.at[s]];
		}
	return tape_const(run->tape, r);
}

static bool random_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct random *p = m->param;
	struct random_state *state = run_state(run, m, sizeof *state);
	if (!places_init(&state->places, run, m, run->model->config.t_max, err))
		return false;
	state->r = p->learned ? run_leaf(run, m, "r")
			      : run_cached(run, m, "R", true, build_fixed, err);
	return state->r != NULL;
}

/* R of a head for the input's positions, a view where that will do. [n,n] */
static struct node *learned_rows(struct head *head, struct node *r, const struct places *places)
{
	struct node *own = head_slice(head, r, head->run->model->config.t_max);
	return places_cols(head->tape, places_rows(head->tape, own, places), places);
}

/* Members that come later add to the logits in place, so the table is copied. */
static bool random_content(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct random *p = m->param;
	const struct random_state *state = head_state(head, m);
	struct node *r = p->learned ? learned_rows(head, state->r, &state->places)
				    : head_slice(head, state->r, head->run->n);
	head->logits = tape_scale(head->tape, r, 1);
	return true;
}

/* ---- dense ---------------------------------------------------------------------------------- */

struct dense {
	bool code;
};

struct dense_state {
	struct node *hidden;  /* ReLU(x W_1 + b_1) [n,d]; NULL with code=on: ReLU(q) of the head */
	struct node *out, *b; /* W_2's columns [d,n], b_2's [h,n]; code: W's [dk,n], NULL */
};

/* What ReLU makes of N(0,1) has mean 0.399; b_2 takes away what W_2 makes of that, so that rows
 * show how words differ and not what they share. */
static const double mean_of_relu = 0.3989422804014327;

static void make_b2(struct mat at, const struct leaf_maker *of)
{
	const struct mat w2 = model_find_leaf(of->model, of->m, "w2", (size_t)of->layer)->at;
	mat_fill(at, 0);
	for (size_t j = 0; j < w2.rows; j++)
		for (size_t s = 0; s < w2.cols; s++)
			mat_row(at, j / of->model->dk)[s] -= mean_of_relu * mat_row(w2, j)[s];
}

static struct node *affine(struct run *run, const struct member *m, struct node *x, const char *w,
			   const char *b)
{
	struct node *product = tape_matmul(run->tape, x, false, run_leaf(run, m, w), false, 1);
	return tape_accumulate(run->tape, product, run_leaf(run, m, b));
}

static bool dense_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct dense *p = m->param;
	struct dense_state *state = run_state(run, m, sizeof *state);
	struct tape *t = run->tape;
	struct places places;
	if (!places_init(&places, run, m, run->model->config.t_max, err))
		return false;
	state->out = places_cols(t, run_leaf(run, m, p->code ? "pi" : "w2"), &places);
	if (p->code)
		return true;
	struct node *x = run_sum_parts(run, &run->xq);
	state->hidden = tape_relu(t, affine(run, m, x, "w1", "b1"));
	state->b = places_cols(t, run_leaf(run, m, "b2"), &places);
	return true;
}

static bool dense_content(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct dense_state *state = head_state(head, m);
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk, n = head->run->n, i = head->index;
	if (!state->hidden) {
		head->logits =
			tape_matmul(t, tape_relu(t, head->q_raw), false, state->out, false, 1);
		return true;
	}
	struct node *out = tape_slice(t, state->out, i * dk, dk, 0, n);
	head->logits = tape_matmul(t, head_slice(head, state->hidden, dk), false, out, false, 1);
	head->logits = tape_accumulate(t, head->logits, tape_slice(t, state->b, i, 1, 0, n));
	return true;
}

static bool dense_of_x(const struct member *m)
{
	(void)m;
	return true;
}

/* ---- factorised ----------------------------------------------------------------------------- */

struct factorised {
	int of;
	long k;	   /* random: the rank */
	long a, b; /* dense: A_t is made of a·b products */
};

struct factorised_state {
	struct places places;
	struct node *r1, *r2;		    /* [k, h·t_max] */
	struct node *x;			    /* [n,d] */
	struct node *w_a, *w_b, *b_a, *b_b; /* [d,a], [d,b], [h,a], [h,b] */
	const struct index *low, *high;	    /* [n,n]: s mod a, s div a */
};

struct tiling {
	const int32_t *place;
	long a;
};

static long low_digit(const void *context, size_t t, size_t s)
{
	(void)t;
	const struct tiling *tiling = context;
	return tiling->place[s] % tiling->a;
}

static long high_digit(const void *context, size_t t, size_t s)
{
	(void)t;
	const struct tiling *tiling = context;
	return tiling->place[s] / tiling->a;
}

static bool prepare_tiles(struct run *run, const struct member *m, struct factorised_state *state,
			  struct err *err)
{
	const struct factorised *p = m->param;
	const struct tiling tiling = {state->places.at, p->a};
	for (size_t t = 0; t < run->n; t++)
		if (state->places.at[t] >= p->a * p->b)
			return err_set(err,
				       "%s has a·b = %ld positions, and this input needs number "
				       "%d; raise a or b",
				       m->text, p->a * p->b, (int)state->places.at[t] + 1);
	state->x = run_sum_parts(run, &run->xq);
	state->w_a = run_leaf(run, m, "w_a");
	state->b_a = run_leaf(run, m, "b_a");
	state->w_b = run_leaf(run, m, "w_b");
	state->b_b = run_leaf(run, m, "b_b");
	state->low = run_index_places(run, m, "low", (size_t)p->a, low_digit, &tiling, err);
	state->high = run_index_places(run, m, "high", (size_t)p->b, high_digit, &tiling, err);
	return state->low && state->high;
}

static bool factorised_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct factorised *p = m->param;
	struct factorised_state *state = run_state(run, m, sizeof *state);
	if (!places_init(&state->places, run, m, run->model->config.t_max, err))
		return false;
	if (p->of == OF_DENSE)
		return prepare_tiles(run, m, state, err);
	state->r1 = run_leaf(run, m, "r1");
	state->r2 = run_leaf(run, m, "r2");
	return true;
}

/* The head's columns of x through its rows of w. [n, w's columns] */
static struct node *factor(struct head *head, struct node *x, struct node *w, struct node *bias)
{
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk, i = head->index, cols = w->v.cols;
	struct node *out = tape_matmul(t, head_slice(head, x, dk), false,
				       tape_slice(t, w, i * dk, dk, 0, cols), false, 1);
	return tape_accumulate(t, out, tape_slice(t, bias, i, 1, 0, cols));
}

static bool factorised_content(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct factorised *p = m->param;
	const struct factorised_state *state = head_state(head, m);
	struct tape *t = head->tape;
	const size_t t_max = head->run->model->config.t_max;
	if (p->of == OF_RANDOM) {
		struct node *r1 =
			places_cols(t, head_slice(head, state->r1, t_max), &state->places);
		struct node *r2 =
			places_cols(t, head_slice(head, state->r2, t_max), &state->places);
		head->logits = tape_matmul(t, r1, true, r2, false, 1);
		return true;
	}
	struct node *a = factor(head, state->x, state->w_a, state->b_a);
	struct node *b = factor(head, state->x, state->w_b, state->b_b);
	head->logits = tape_mul(t, tape_gather(t, a, state->low, GATHER_BY_ROW),
				tape_gather(t, b, state->high, GATHER_BY_ROW));
	return true;
}

static bool factorised_of_x(const struct member *m)
{
	const struct factorised *p = m->param;
	return p->of == OF_DENSE;
}

/* ---- mix ------------------------------------------------------------------------------------ */

struct mix {
	int of, scale;
	bool alpha;
};

struct mix_state {
	struct places places;
	struct node *r;		    /* random: [t_max, h·t_max]; dense: W's columns [dk,n] */
	struct node *sigma, *minus; /* σ(α), 1 - σ(α): [1,1]; NULL: 1 */
};

/* The query's own length is in W_q's gain: q_t of a typical unit has this many per part. */
static void make_out(struct mat at, const struct leaf_maker *of)
{
	const double part = of->model->gain > 0 ? of->model->gain : 1;
	mat_fill_normal(at, of->model->config.content * sqrt(2 / (double)at.rows) / part, of->rng);
}

static double mix_scale(const struct model *model, const struct member *m)
{
	const struct mix *p = m->param;
	return p->scale == SCALE_NONE ? 1 : 1 / sqrt((double)model->dk);
}

static bool mix_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct mix *p = m->param;
	struct mix_state *state = run_state(run, m, sizeof *state);
	struct tape *t = run->tape;
	if (!places_init(&state->places, run, m, run->model->config.t_max, err))
		return false;
	state->r = p->of == OF_RANDOM ? run_leaf(run, m, "r")
				      : places_cols(t, run_leaf(run, m, "pi"), &state->places);
	if (p->alpha) {
		struct node *alpha = run_leaf(run, m, "alpha");
		state->sigma = tape_sigmoid(t, alpha);
		state->minus = tape_sigmoid(t, tape_scale(t, alpha, -1));
	}
	return true;
}

/* What is left of q·k is taken from q, so that its parts stay parts. */
static bool mix_qk(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct mix_state *state = head_state(head, m);
	if (state->minus)
		head->q = tape_mul(head->tape, head->q, state->minus);
	return true;
}

static bool mix_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct mix *p = m->param;
	const struct mix_state *state = head_state(head, m);
	struct tape *t = head->tape;
	const bool random = p->of == OF_RANDOM;
	struct node *r =
		random ? learned_rows(head, state->r, &state->places)
		       : tape_matmul(t, tape_relu(t, head->q_raw), false, state->r, false, 1);
	if (state->sigma)
		r = tape_mul(t, r, state->sigma);
	head_add_term(head, random ? "R" : "ReLU(q) W", random ? TERM_POSITION : TERM_UNIT_POSITION,
		      random && !state->sigma ? tape_scale(t, r, 1) : r);
	return true;
}

/* TensorFlow's default for a variable of [t_max, h, t_max]. */
/* clang-format off */
#define GLOROT {FILL_UNIFORM, .formula = "sqrt(6 / (t_max * (h + t_max)))"}
/* clang-format on */

static const struct leaf_row synth_random_leaves[] = {
	{"r", "t_max, h t_max", "row t, column s: the logits of that pair; heads side by side",
	 .by_layer = EACH_LAYER, .when = "learned",
	 .demo = {FILL_UNIFORM, .formula = "sqrt(3) * content"}, .paper = GLOROT},
	{0},
};

static const struct leaf_row synth_dense_leaves[] = {
	/* Of the unit variance that ReLU gets 0.34 is left, 0.5 with the mean. */
	{"pi", "d_h, t_max",
	 "code=on: from a head's columns of the input to the logits of every key",
	 .by_layer = EACH_LAYER, .when = "code",
	 .demo = {FILL_NORMAL, .formula = "content / sqrt(0.34 * d_h)"}, .paper = {FILL_XAVIER, 1}},
	{"w1", "d, d", "from the input to the hidden layer, heads side by side",
	 .by_layer = EACH_LAYER, .when = "!code", .demo = {FILL_NORMAL, .formula = "1 / sqrt(d)"},
	 .paper = {FILL_XAVIER, 1}},
	{"b1", "1, d", "added in the hidden layer", .spare = true, .by_layer = EACH_LAYER,
	 .when = "!code", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"w2", "d, t_max", "rows of a head: from its hidden layer to the logits of every key",
	 .by_layer = EACH_LAYER, .when = "!code",
	 .demo = {FILL_NORMAL, .formula = "content / sqrt(0.34 * d_h)"}, .paper = {FILL_XAVIER, 1}},
	{"b2", "h, t_max", "row of a head: added to those logits", .spare = true,
	 .by_layer = EACH_LAYER, .when = "!code", .demo = {.make = make_b2},
	 .paper = {FILL_CONSTANT}},
	{0},
};

static const struct leaf_row synth_factorized_leaves[] = {
	{"r1", "k, h t_max", "column t: factor of the query's position; heads side by side",
	 .by_layer = EACH_LAYER, .when = "of == random",
	 .demo = {FILL_NORMAL, .formula = "sqrt(content / sqrt(k))"}, .paper = GLOROT},
	{"r2", "k, h t_max", "column s: factor of the key's position; heads side by side",
	 .by_layer = EACH_LAYER, .when = "of == random",
	 .demo = {FILL_NORMAL, .formula = "sqrt(content / sqrt(k))"}, .paper = GLOROT},
	{"w_a", "d, a", "rows of a head: from its input to the factor read by s mod a",
	 .by_layer = EACH_LAYER, .when = "of == dense",
	 .demo = {FILL_NORMAL, .formula = "sqrt(content / d_h)"}, .paper = {FILL_XAVIER, 1}},
	{"b_a", "h, a", "row of a head: added to that factor", .spare = true,
	 .by_layer = EACH_LAYER, .when = "of == dense", .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{"w_b", "d, b", "rows of a head: from its input to the factor read by s div a",
	 .by_layer = EACH_LAYER, .when = "of == dense",
	 .demo = {FILL_NORMAL, .formula = "sqrt(content / d_h)"}, .paper = {FILL_XAVIER, 1}},
	{"b_b", "h, b", "row of a head: added to that factor", .spare = true,
	 .by_layer = EACH_LAYER, .when = "of == dense", .demo = {FILL_CONSTANT},
	 .paper = {FILL_CONSTANT}},
	{0},
};

static const struct leaf_row synth_mix_leaves[] = {
	{"alpha", "1, 1", "logit of the share of what is not q·k", .by_layer = EACH_LAYER,
	 .when = "alpha", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"r", "t_max, h t_max", "row t, column s: the logits of that pair; heads side by side",
	 .by_layer = EACH_LAYER, .when = "of == random",
	 .demo = {FILL_UNIFORM, .formula = "sqrt(3) * content"}, .paper = GLOROT},
	{"pi", "d_h, t_max", "from a head's queries to the logits of every key",
	 .by_layer = EACH_LAYER, .when = "of == dense", .demo = {.make = make_out},
	 .paper = {FILL_XAVIER, 1}},
	{0},
};

/* ---- descriptors ---------------------------------------------------------------------------- */

static const struct param random_params[] = {
	SWITCH_PARAM(struct random, learned, true, "off: R stays as it was drawn"),
	{0},
};

static const struct param dense_params[] = {
	SWITCH_PARAM(struct dense, code, false,
		     "on: ReLU(q_t) W, one W for all heads and no biases, as in mesh_tensorflow"),
	{0},
};

static const struct param factorised_params[] = {
	CHOICE_PARAM(struct factorised, of, OF_RANDOM, of_names,
		     "what is factorised: the random table, or what a unit says of the positions"),
	RATIO_PARAM(struct factorised, k, 8, 1, 512, 2,
		    "random: the rank of R; mesh_tensorflow has 16"),
	RATIO_PARAM(struct factorised, a, 16, 1, 4096, 2,
		    "dense: numbers of the first factor, repeated along the keys"),
	RATIO_PARAM(struct factorised, b, 32, 1, 4096, 2,
		    "dense: numbers of the second, one for each repetition; a·b keys have a logit"),
	{0},
};

static const struct param mix_params[] = {
	CHOICE_PARAM(struct mix, of, OF_RANDOM, of_names,
		     "what is mixed with q·k: a random table, or ReLU(q_t) W"),
	SWITCH_PARAM(struct mix, alpha, true,
		     "on: the shares 1 − σ(α) and σ(α) are learned; off: the sum"),
	CHOICE_PARAM(struct mix, scale, SCALE_NONE, scale_names,
		     "none: q·k as in T5; rsqrt: q·k/√d_h"),
	{0},
};

/* clang-format off */
#define SYNTH_COMMON \
	.authors = "Tay et al.", \
	.cite = "Tay, Bahri, Metzler, Juan, Zhao, Zheng: Synthesizer: rethinking self-attention " \
		"for Transformer models. ICML 2021", \
	.year = 2021, .ref = REF_ABSOLUTE, .inj = INJ_MATRIX, \
	.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY
#define MESH "tensorflow/mesh, transformer/attention.py, synthetic_attention"
/* clang-format on */

static const struct claim random_claims[] = {
	{CLAIM_LEARNABLE, ANSWER_NO, "R stays as it was drawn", "!learned"},
	{0},
};

const struct scheme scheme_synth[] = {
	{
		.id = "synth_random",
		.aliases = "synth-random synthesizer",
		.title = "Random Synthesizer",
		.formula = "A_ts = R_ts,  R learned or left as drawn",
		SYNTH_COMMON,
		.leaves = synth_random_leaves,
		.about = "The weights do not look at the words at all: each head has a table with "
			 "a number for every pair of positions. The pattern is the same for every "
			 "sentence, and words that change their places change nothing in it.",
		.recipe = "logits = r[t, head * t_max + s], r = param.synth_random.r.LAYER with "
			  "t_max rows, t and s in position.seq; q and k are not used; with "
			  "learned=off r is in logits alone",
		.evidence = EVIDENCE_PORT,
		.evidence_note = MESH ", mode random: its text read, not run",
		.demo_note = "R uniform, its deviation the logit of content",
		.claims = random_claims,
		.params = random_params,
		.param_size = sizeof(struct random),
		.hooks = {.declare = leaves_declare,
			  .prepare = random_prepare,
			  .content = random_content,
			  .matrices = 1},
	},
	{
		.id = "synth_dense",
		.aliases = "synth-dense",
		.title = "Dense Synthesizer",
		.formula = "A_t = W_2ᵀ ReLU(W_1ᵀ x_t + b_1) + b_2,  one number for each position",
		SYNTH_COMMON,
		.leaves = synth_dense_leaves,
		.about = "A word decides alone which positions it attends to, without seeing what "
			 "stands there: its row of weights hangs on the word and on nothing else, "
			 "so equal words have equal rows.",
		.recipe = "hidden = relu(input @ w1 + b1); logits[t, s] = hidden[t, columns of "
			  "head] @ w2[rows of head, s] + b2[head, s], all "
			  "param.synth_dense.NAME.LAYER, s in position.seq; with code=on relu(q) @ "
			  "pi[:, s]",
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "the paper's F(x), its layers cut into heads; code=on is " MESH
				 ", mode dense_minus: its text read, not run",
		.demo_note = "W_1, W_2 drawn so that logits deviate as content does; b_1 = 0, b_2 "
			     "takes away the mean of all words",
		.params = dense_params,
		.param_size = sizeof(struct dense),
		.hooks = {.declare = leaves_declare,
			  .prepare = dense_prepare,
			  .content = dense_content,
			  .content_of_x = dense_of_x,
			  .matrices = 1},
	},
	{
		.id = "synth_factorized",
		.aliases = "synth-factorized synth_factorised",
		.title = "Factorized Synthesizer",
		.formula = "A_ts = Σ_k R1_{kt} R2_{ks},  or  A_t[s] = a[s mod |a|] · b[s div |a|]",
		SYNTH_COMMON,
		.leaves = synth_factorized_leaves,
		.about = "A table for every pair of positions is large, so it is the product of "
			 "two thin ones (of=random); or a word says few numbers twice, and the key "
			 "at s gets a product of one from each (of=dense).",
		.recipe = "all param.synth_factorized.NAME.LAYER, t and s in position.seq; "
			  "of=random: logits = r1[:, head * t_max + t] @ r2[:, head * t_max + s]; "
			  "of=dense: a = input[:, columns of head] @ w_a[rows of head] + "
			  "b_a[head], b alike, logits[t, s] = a[t, s mod A] * b[t, s div A], A "
			  "columns of w_a",
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 3 of the paper, F_A and F_B linear and cut into heads; "
				 "tensorflow/mesh has of=random without an axis of queries",
		.demo_note = "R1, R2, W_A, W_B drawn so that logits deviate as content does; "
			     "biases 0",
		.params = factorised_params,
		.param_size = sizeof(struct factorised),
		.hooks = {.declare = leaves_declare,
			  .prepare = factorised_prepare,
			  .content = factorised_content,
			  .content_of_x = factorised_of_x,
			  .matrices = 3},
	},
	{
		.id = "synth_mix",
		.aliases = "synth-mix",
		.title = "Mixture of dot product and Synthesizer",
		.formula = "A_ts = (1 − σ(α)) q_t·k_s + σ(α) R_ts",
		SYNTH_COMMON,
		.leaves = synth_mix_leaves,
		.about = "Random tables alone do well, beside the dot product better: a learned "
			 "share decides how much the words have to say and how much the positions.",
		.recipe = "q is q_raw times 1 - sigmoid(param.synth_mix.alpha.LAYER), the other "
			  "term sigmoid(alpha) r[t, head * t_max + s], t and s in position.seq, or "
			  "of=dense sigmoid(alpha) relu(q_raw) @ pi[:, s]; with alpha=off both "
			  "factors are 1",
		.evidence = EVIDENCE_PORT,
		.evidence_note = MESH ", modes random_plus_alpha, random_plus, dense_plus_alpha "
				      "and dense_plus: its text read, not run",
		.demo_note = "α = 0: half of each; R uniform, its deviation the logit of content",
		.params = mix_params,
		.param_size = sizeof(struct mix),
		.hooks = {.declare = leaves_declare,
			  .scale = mix_scale,
			  .prepare = mix_prepare,
			  .qk = mix_qk,
			  .logits = mix_logits,
			  .modulates = true,
			  .matrices = 2},
	},
	{0},
};
