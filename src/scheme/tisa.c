/* tisa.c: translation-invariant self-attention, a sum of Gaussian kernels of the distance for each
 * head (Wennberg and Henter 2021).
 *
 *   A_ts = q_t·k_s / √d_h + f(s-t),  f(x) = Σ_i a_i exp(-|b_i| (x - c_i)²) */
#include "scheme/inject.h"
#include "scheme/leaves.h"

struct tisa {
	long kernels;
};

/* Computes f of every distance and head; meanwhile it has a column for each kernel of each head. */
static struct node *build_table(struct run *run, const struct member *m, struct err *err)
{
	(void)err;
	const struct tisa *p = m->param;
	const size_t h = run->model->config.heads, n = (size_t)p->kernels;
	const struct mat at = inject_encoded(run, m, 0)->at;
	struct tape *t = run->tape;
	struct node *a = tape_reshape(t, run_leaf(run, m, "a"), 1, h * n);
	struct node *b = tape_reshape(t, run_leaf(run, m, "b"), 1, h * n);
	struct node *c = tape_reshape(t, run_leaf(run, m, "c"), 1, h * n);
	struct node *x = tape_matmul(t, tape_const(t, at), false, tape_ones(t, 1, h * n), false, 1);
	x = tape_add(t, x, tape_scale(t, c, -1));
	b = tape_add(t, tape_relu(t, b), tape_relu(t, tape_scale(t, b, -1)));
	x = tape_exp(t, tape_scale(t, tape_mul(t, tape_mul(t, x, x), b), -1));
	x = tape_row_sum(t, tape_reshape(t, tape_mul(t, x, a), at.rows * h, n));
	return tape_transpose(t, tape_reshape(t, x, at.rows, h));
}

static size_t injects(const struct model *model, const struct member *m, struct inject *out)
{
	(void)model, (void)m;
	*out = (struct inject){
		.by = encoding_any(false), .leaf = "f", .label = "f(s−t)", .made = build_table};
	return 1;
}

static const struct param params[] = {
	NUMBER_PARAM(struct tisa, kernels, 5, 1, 64, 1,
		     "Gaussian kernels that are summed in a head"),
	{0},
};

static const struct leaf_row leaves[] = {
	{"a", "h, kernels", "the height of each kernel of a head", .by_layer = EACH_LAYER,
	 .demo = {FILL_NORMAL, 2}, .paper = {FILL_NORMAL, 1}},
	{"b", "h, kernels", "how narrow it is: its size alone counts", .by_layer = EACH_LAYER,
	 .demo = {FILL_CONSTANT, 0.5}, .paper = {FILL_NORMAL, 1}},
	{"c", "h, kernels", "the distance s − t of its middle", .by_layer = EACH_LAYER,
	 .demo = {FILL_NORMAL, 4}, .paper = {FILL_NORMAL, 1}},
	{0},
};

const struct scheme scheme_tisa[] = {
	{
		.id = "tisa",
		.title = "Translation-invariant self-attention",
		.formula = "A_ts = q_t·k_s / √d_h + Σ_i a_i exp(−|b_i| (s−t−c_i)²)",
		.authors = "Wennberg and Henter",
		.cite = "@wennberg2021case",
		.recipe = "term.f(s−t) = the sum over i of a[H,i] exp(-|b[H,i]| (s - t - "
			  "c[H,i])^2), of param.tisa.NAME.L",
		.about = "A few Gaussian bumps say which distances a head likes.",
		.year = 2021,
		.ref = REF_RELATIVE,
		.inj = INJ_MATRIX,
		.leaves = leaves,
		.flags = SCHEME_LEARNABLE | SCHEME_RECURRING | SCHEME_NOT_IN_SURVEY,
		.evidence = EVIDENCE_PAPER,
		.evidence_note = "the formula as printed; how the numbers start is ours",
		.demo_note = "a is N(0, 4), c is N(0, 16), b = 1/2",
		.params = params,
		.param_size = sizeof(struct tisa),
		.hooks = {INJECT_HOOKS(injects)},
	},
	{0},
};
