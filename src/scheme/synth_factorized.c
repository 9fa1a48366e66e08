/* synth_factorized.c: a table of pairs that is the product of thin ones (Tay et al. 2021).
 *
 *   random  A = R1ᵀ R2        dense  A_t[s] = a[s mod |a|] b[s div |a|] */
#include "scheme/synth.h"

enum of { OF_RANDOM, OF_DENSE };
static const char *const of_names[] = {"random", "dense", NULL};

struct factorised {
	int of;
	long k;	   /* random: the rank */
	long a, b; /* dense: A_t is made from a·b products */
};

static const struct param factorised_params[] = {
	CHOICE_PARAM(
		struct factorised, of, OF_RANDOM, of_names,
		"what is factorised: the random table, or what a token vector says of the positions"),
	RATIO_PARAM(struct factorised, k, 8, 1, 512, 2,
		    "random: the rank of R; mesh_tensorflow has 16"),
	RATIO_PARAM(struct factorised, a, 16, 1, 4096, 2,
		    "dense: numbers of the first factor, repeated along the keys"),
	RATIO_PARAM(struct factorised, b, 32, 1, 4096, 2,
		    "dense: numbers of the second, one for each repetition; a·b keys have a logit"),
	{0},
};

/* clang-format off */
#define THIN(name, whose) \
	{name, "k, h t_max", "column " whose " position; heads side by side", \
	 .by_layer = EACH_LAYER, .when = "of == random", \
	 .demo = {FILL_NORMAL, .formula = "sqrt(content / sqrt(k))"}, .paper = SYNTH_GLOROT}
#define FACTOR(digit, size, read) \
	{"w_" digit, "d, " size, "rows of a head: from its input to the factor read by " read, \
	 .by_layer = EACH_LAYER, .when = "of == dense", \
	 .demo = {FILL_NORMAL, .formula = "sqrt(content / (d / h))"}, .paper = {FILL_XAVIER, 1}}, \
	{"b_" digit, "h, " size, "row of a head: added to that factor", .spare = true, \
	 .by_layer = EACH_LAYER, .when = "of == dense", .demo = {FILL_CONSTANT}, \
	 .paper = {FILL_CONSTANT}}
/* clang-format on */

static const struct leaf_row synth_factorized_leaves[] = {
	THIN("r1", "t: factor of the query's"),
	THIN("r2", "s: factor of the key's"),
	FACTOR("a", "a", "s mod a"),
	FACTOR("b", "b", "s div a"),
	{0},
};

/* A factor: one of two vectors of numbers that a word computes for keys: at s it is number
 * digit[t][s]. */
struct factor {
	struct node *w, *b;	   /* [d,a], [h,a] */
	const struct index *digit; /* [n,n] */
};

struct factorised_state {
	struct places places;
	struct node *r1, *r2; /* [k, h·t_max] */
	struct node *x;	      /* [n,d] */
	struct factor low, high;
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

static bool prepare_dense(struct run *run, const struct member *m, struct factorised_state *state,
			  struct err *err)
{
	const struct factorised *p = m->param;
	const struct tiling by = {state->places.at, p->a};
	const struct model_config *const c = &run->model->config;
	if (c->d % c->heads != 0)
		return err_set(err,
			       "%s reads the token vector by heads, and %zu heads do not divide "
			       "d-model %zu",
			       m->text, c->heads, c->d);
	for (size_t t = 0; t < run->n; t++)
		if (state->places.at[t] >= p->a * p->b)
			return err_set(err,
				       "%s has a·b = %ld positions, and this input needs number "
				       "%d; raise a or b",
				       m->text, p->a * p->b, (int)state->places.at[t] + 1);
	state->x = run_sum_parts(run, &run->xq);
	state->low =
		(struct factor){run_leaf(run, m, "w_a"), run_leaf(run, m, "b_a"),
				run_index_places(run, m, "low", (size_t)p->a, low_digit, &by, err)};
	state->high = (struct factor){
		run_leaf(run, m, "w_b"), run_leaf(run, m, "b_b"),
		run_index_places(run, m, "high", (size_t)p->b, high_digit, &by, err)};
	return state->low.digit && state->high.digit;
}

static bool factorised_prepare(struct run *run, const struct member *m, struct err *err)
{
	const struct factorised *p = m->param;
	struct factorised_state *state = run_state(run, m, sizeof *state);
	if (!places_init(&state->places, run, m, run->model->config.t_max, err))
		return false;
	if (p->of == OF_DENSE)
		return prepare_dense(run, m, state, err);
	state->r1 = run_leaf(run, m, "r1");
	state->r2 = run_leaf(run, m, "r2");
	return true;
}

/* Multiplies the head's columns of x by its rows of w, and reads the result by digit. [n,n] */
static struct node *factor_logits(struct head *head, struct node *x, const struct factor *f)
{
	struct tape *t = head->tape;
	const size_t in = x->v.cols / head->run->model->config.heads;
	const size_t i = head->index, cols = f->w->v.cols;
	struct node *out = tape_matmul(t, head_slice(head, x, in), false,
				       tape_slice(t, f->w, i * in, in, 0, cols), false, 1);
	out = tape_accumulate(t, out, tape_slice(t, f->b, i, 1, 0, cols));
	return tape_gather(t, out, f->digit, GATHER_BY_ROW);
}

static bool factorised_content(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct factorised_state *state = head_state(head, m);
	struct tape *t = head->tape;
	if (state->x) {
		struct node *low = factor_logits(head, state->x, &state->low);
		head->logits = tape_mul(t, low, factor_logits(head, state->x, &state->high));
		return true;
	}
	const size_t t_max = head->run->model->config.t_max;
	struct node *r1 = places_cols(t, head_slice(head, state->r1, t_max), &state->places);
	struct node *r2 = places_cols(t, head_slice(head, state->r2, t_max), &state->places);
	head->logits = tape_matmul(t, r1, true, r2, false, 1);
	return true;
}

static bool factorised_of_x(const struct member *m)
{
	const struct factorised *p = m->param;
	return p->of == OF_DENSE;
}

const struct scheme scheme_synth_factorized[] = {
	{
		.id = "synth_factorized",
		.aliases = "synth-factorized synth_factorised",
		.title = "Factorized Synthesizer",
		.formula = "A_ts = Σ_k R1_{kt} R2_{ks},  or  A_t[s] = a[s mod |a|] · b[s div |a|]",
		SYNTH,
		.leaves = synth_factorized_leaves,
		.about = "A table for all pairs is the product of two thin ones; or, of=dense, a "
			 "word says few numbers twice, and a key gets a product of two of them.",
		.recipe = "all param.synth_factorized.NAME.LAYER, t and s in position.seq; "
			  "of=random: logits = r1[:, head * t_max + t] @ r2[:, head * t_max + s]; "
			  "of=dense: a = input[:, columns of head] @ w_a[rows of head] + "
			  "b_a[head], b alike, logits[t, s] = a[t, s mod A] * b[t, s div A], A "
			  "columns of w_a",
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "section 3 of the paper, F_A and F_B linear and cut into heads; "
				 "tensorflow/mesh has of=random without an axis of queries",
		.demo_note = "R1, R2, W_A, W_B: logits deviate as content does; biases 0",
		.params = factorised_params,
		.param_size = sizeof(struct factorised),
		.hooks = {.declare = leaves_declare,
			  .prepare = factorised_prepare,
			  .content = factorised_content,
			  .content_of_x = factorised_of_x,
			  .matrices = 3},
	},
	{0},
};
