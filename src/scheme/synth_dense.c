/* synth_dense.c: a word alone decides to which positions it attends (Tay et al. 2021).
 *
 *   A_t = W_2ᵀ ReLU(W_1ᵀ x_t + b_1) + b_2 */
#include "scheme/synth.h"

struct dense {
	bool code;
};

static const struct param dense_params[] = {
	SWITCH_PARAM(struct dense, code, false,
		     "on: ReLU(q_t) W, one W for all heads and no biases, as in mesh_tensorflow"),
	{0},
};

/* ---- leaves ---- */

/* ReLU of N(0,1) has mean 0.399; b_2 subtracts what W_2 makes of that, so that rows show how
 * words differ and not what they share. */
static const double mean_of_relu = 0.3989422804014327;

static void make_b2(struct mat at, const struct leaf_maker *of)
{
	const struct leaf *const leaf = model_find_leaf(of->model, of->m, "w2", (size_t)of->layer);
	const struct mat w2 = model_leaf_at(of->model, leaf);
	mat_fill(at, 0);
	for (size_t j = 0; j < w2.rows; j++)
		for (size_t s = 0; s < w2.cols; s++)
			mat_row(at, j / of->model->dk)[s] -= mean_of_relu * mat_row(w2, j)[s];
}

static const struct leaf_row synth_dense_leaves[] = {
	/* ReLU leaves a variance of 0.34 of 1, and a mean square of 0.5. */
	{"pi", "d_h, t_max",
	 "code=on: from a head's columns of the input to the logits of every key",
	 .by_layer = EACH_LAYER, .when = "code",
	 .demo = {FILL_NORMAL, .formula = "content / sqrt(0.34 * d_h)"}, .paper = {FILL_XAVIER, 1}},
	{"w1", "d, h d_h", "from the input to the hidden layer, heads side by side",
	 .by_layer = EACH_LAYER, .when = "!code", .demo = {FILL_NORMAL, .formula = "1 / sqrt(d)"},
	 .paper = {FILL_XAVIER, 1}},
	{"b1", "1, h d_h", "added in the hidden layer", .spare = true, .by_layer = EACH_LAYER,
	 .when = "!code", .demo = {FILL_CONSTANT}, .paper = {FILL_CONSTANT}},
	{"w2", "h d_h, t_max", "rows of a head: from its hidden layer to the logits of every key",
	 .by_layer = EACH_LAYER, .when = "!code",
	 .demo = {FILL_NORMAL, .formula = "content / sqrt(0.34 * d_h)"}, .paper = {FILL_XAVIER, 1}},
	{"b2", "h, t_max", "row of a head: added to those logits", .spare = true,
	 .by_layer = EACH_LAYER, .when = "!code", .demo = {.make = make_b2},
	 .paper = {FILL_CONSTANT}},
	{0},
};

/* ---- hooks ---- */

struct dense_state {
	struct node
		*hidden; /* ReLU(x W_1 + b_1) [n,h·dk]; NULL with code=on: ReLU(q) of the head */
	struct node *out, *b; /* W_2's columns [h·dk,n], b_2's [h,n]; code: W's [dk,n], NULL */
};

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

const struct scheme scheme_synth_dense[] = {
	{
		.id = "synth_dense",
		.aliases = "synth-dense",
		.title = "Dense Synthesizer",
		.formula = "A_t = W_2ᵀ ReLU(W_1ᵀ x_t + b_1) + b_2,  one number for each position",
		SYNTH,
		.leaves = synth_dense_leaves,
		.about = "A word decides alone which positions it attends to, without seeing what "
			 "stands there, so equal words have equal rows.",
		.recipe = "hidden = relu(input @ w1 + b1); logits[t, s] = hidden[t, columns of "
			  "head] @ w2[rows of head, s] + b2[head, s], all "
			  "param.synth_dense.NAME.LAYER, s in position.seq; with code=on relu(q) @ "
			  "pi[:, s]",
		.evidence = EVIDENCE_PAPER,
		.evidence_note =
			"the paper's F(x), its layers cut into heads; code=on is " SYNTH_MESH
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
	{0},
};
