/* test_gradients.c: gradients of one cell: against central differences, entry by entry and over all schemes; what
 * follows from softmax and masks; and Theorem 2 of Chen et al. 2021, where it holds and where it does not. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/analysis/analysis.h"
#include "posviz/analysis/gradients.h"
#include "posviz/model/record.h"

FIXTURE(open_arena, close_arena)

static const char small[] = "sentence the dog saw a cat\nd-model 16\nheads 2\nlayers 2\n"
			    "proj random\nactivation gelu\n";

/* One run of an expression, and the gradients of one of its cells. */
struct one {
	struct scene scene;
	struct built *b;
	struct trace trace;
	struct gradients_of of;
	struct gradients g;
};

static const unsigned kept = WANT_LOGITS | WANT_WEIGHTS | WANT_MASK | WANT_POSITION;

static bool open_one(struct one *o, const char *expression, const char *lines,
		     struct gradients_of of, struct err *err)
{
	const struct want want = {.kinds = kept, .layer = -1, .head = -1};
	*o = (struct one){.scene = help_scene(expression, lines), .of = of};
	o->b = arena_calloc(&arena, 1, sizeof *o->b);
	if (!setup_build(&o->scene.setup, &arena, o->b, err) ||
	    !built_run(o->b, &o->b->model_input, &want, NULL, NULL, &arena, &o->trace, err))
		return false;
	const size_t heads = o->b->model.config.heads;
	if (of.layer == o->b->model.n_steps || of.head == heads)
		trace_mean(&o->trace, heads, of.layer, of.head, &arena);
	gradients_make(o->b, &o->trace, &o->of, &arena, &o->g);
	return true;
}

static struct one one(const char *expression, const char *lines, struct gradients_of of)
{
	struct one o;
	struct err err = {""};
	if (!open_one(&o, expression, arena_printf(&arena, "%s%s", small, lines), of, &err))
		fail_msg("%s: %s", expression, err.text);
	return o;
}

static void near(double is, double wanted, double tolerance, const char *what)
{
	if (!(fabs(is - wanted) <= tolerance))
		fail_msg("%s: %.17g is not %.17g", what, is, wanted);
}

/* ---- differences --------------------------------------------------------------------------------- */

static double cell(const struct one *o, const struct model_input *in)
{
	const struct want want = {.kinds = kept, .layer = -1, .head = -1};
	const size_t heads = o->b->model.config.heads;
	struct arena a;
	struct trace trace;
	struct err err = {""};
	arena_init(&a);
	if (!built_run(o->b, in, &want, NULL, NULL, &a, &trace, &err))
		fail_msg("%s", err.text);
	if (o->of.layer == o->b->model.n_steps || o->of.head == heads)
		trace_mean(&trace, heads, o->of.layer, o->of.head, &a);
	const struct trace_head *const h = &trace.layers[o->of.layer].heads[o->of.head];
	const double value = mat_row(o->of.logit ? h->logits : h->weights, o->of.query)[o->of.key];
	arena_release(&a);
	return value;
}

/* (A(x + h) − A(x − h)) / 2h of one number of what goes in. */
static double differentiate(const struct one *o, double *x, const struct model_input *in)
{
	const double h = 1e-5, was = *x;
	*x = was + h;
	const double more = cell(o, in);
	*x = was - h;
	const double less = cell(o, in);
	*x = was;
	return (more - less) / (2 * h);
}

static double largest(struct mat m)
{
	double most = 0;
	for (size_t t = 0; t < m.rows; t++)
		for (size_t j = 0; j < m.cols; j++)
			most = fmax(most, fabs(mat_row(m, t)[j]));
	return most;
}

/* Entry by entry, of a test in parts those of its part: `at` is what goes in, `g` its gradient. */
static void expect_entries(const struct one *o, struct mat at, struct mat g,
			   const struct model_input *in, const char *what)
{
	const double tolerance = 1e-6 * largest(g) + 1e-10;
	assert_true(at.rows == g.rows && at.cols == g.cols);
	for (size_t i = test_part; i < at.rows * at.cols; i += test_parts) {
		const size_t t = i / at.cols, j = i % at.cols;
		near(mat_row(g, t)[j], differentiate(o, &mat_row(at, t)[j], in), tolerance, what);
	}
}

static void expect_differences(const struct one *o, const char *what)
{
	struct model_input in = o->b->model_input;
	const struct gradients *const g = &o->g;
	in.units = mat_copy(&arena, in.units);
	if (!g->unit.why) /* also of a cell whose gradient is 0 everywhere */
		expect_entries(o, in.units, g->unit.at, &in, arena_printf(&arena, "%s, U", what));
	in = o->b->model_input;
	if (!g->position.why) {
		in.nudge = mat_zero(&arena, g->position.at.rows, g->position.at.cols);
		expect_entries(o, in.nudge, g->position.at, &in,
			       arena_printf(&arena, "%s, P", what));
	}
}

/* Of every group: added, concatenated, multiplied, recurring; on keys, on logits, turned; disentangled; read from
 * the text; trees, graphs, decoders; masks. */
#define PICTURE "tokens words\nsentence go <image 2x2>\n"
static const struct {
	const char *expression, *lines;
	bool position;
} groups[] = {
	{"none", "", false},
	{"sinusoidal", "", true},
	{"sinusoidal(scale_emb=on)", "", true},
	{"learned", "embed-scale 3\n", true},
	{"learned+concat", "", true},
	{"axial", "", true},
	{"multiplicative", "", true},
	{"ut", "", true},
	{"floater", "", true},
	{"shortformer", "", true},
	{"learned+t5+causal", "", true},
	{"complex(n=1)", "", false},
	{"cnn", "", false},
	{"gru", "", false},
	{"lstm", "", false},
	{"shaw", "", false},
	{"t5", "", false},
	{"txl", "", false},
	{"huang3", "", false},
	{"diet_abs", "", false},
	{"diet_rel", "", false},
	{"tupe_r", "", false},
	{"deberta", "", false},
	{"rope", "", false},
	{"xpos+causal", "", false},
	{"alibi+causal", "", false},
	{"synth_dense", "", false},
	{"da", "", false},
	{"fox+causal", "", false},
	{"stickbreak", "", false},
	{"path+causal", "", false},
	{"spr_abs", "governors 2 3 0 5 3\n", true},
	{"spr_rel", "governors 2 3 0 5 3\n", false},
	{"tpe", "governors 2 3 0 5 3\n", true},
	{"laplacian", "governors 2 3 0 5 3\n", true},
	{"graphormer", "governors 2 3 0 5 3\n", true},
	{"graformer", "governors 2 3 0 5 3\n", false},
	{"ldpe+causal", "length 5\n", true},
	{"langpe", "", true},
	{"cope+causal", "", false},
	{"mrope+causal", PICTURE, false},
	{"rope_2d(coordinates=min)", PICTURE, false},
	{"rope_mixed", PICTURE, false},
	{"sinusoidal_2d", PICTURE, true},
	{"learned_2d(rows=3)", PICTURE, true},
	{"cpe", PICTURE, true},
	{"swin(rows=2,columns=2)", PICTURE, false},
	{"irpe(on=qkv)", PICTURE, false},
	{"bipe+alibi(pos=between,causal=off)", "sentence the . saw a cat\n", true},
	{"coupling+rope(pos=coupled)", "sentence 1 2 = 1 2\n", true},
};

/* A graph brings a unit of its own: then U has fewer rows than the trace has units. */
static bool is_longer(const struct one *o)
{
	return o->trace.query.n != o->b->model_input.axis.n;
}

TEST_SAMPLED(gradients_are_differences, 1, 5)
{
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		const char *const e = groups[i].expression;
		const struct one weight =
			one(e, groups[i].lines,
			    (struct gradients_of){.layer = 0, .query = 3, .key = 1});
		const struct one logit =
			one(e, groups[i].lines,
			    (struct gradients_of){
				    .layer = 1, .head = 1, .query = 4, .key = 2, .logit = true});
		const struct one mean =
			one(e, groups[i].lines,
			    (struct gradients_of){.layer = 2, .head = 2, .query = 3, .key = 2});
		if (is_longer(&weight))
			continue;
		expect_differences(&weight, e);
		expect_differences(&logit, e);
		expect_differences(&mean, e);
		if (groups[i].position == (logit.g.position.why != NULL))
			fail_msg("%s: %s", e, logit.g.position.why);
	}
}

/* Of logits a mean is over the heads that may see the key; of several planes of weights the first counts, also in
 * layers that all planes go through. */
TEST(gradients_of_means_are_of_what_is_shown)
{
	const struct one logits = one(
		"learned+causal(heads=1)", "",
		(struct gradients_of){.layer = 0, .head = 2, .query = 1, .key = 3, .logit = true});
	near(logits.g.value, cell(&logits, &logits.b->model_input), 1e-12, "logits");
	near(logits.g.value, mat_row(logits.trace.layers[0].heads[1].logits, 1)[3], 1e-12,
	     "head 2");
	expect_differences(&logits, "logits of one head");
	const struct one planes =
		one("disan(multi=on)", "", (struct gradients_of){.layer = 2, .query = 3, .key = 1});
	near(planes.g.value, cell(&planes, &planes.b->model_input), 1e-12, "planes");
	expect_differences(&planes, "planes");
}

/* ---- all schemes --------------------------------------------------------------------------------- */

/* Along a direction, which any wrong entry would turn. */
static void expect_slope(struct slope s, double norm, const char *what)
{
	if (isnan(s.numeric) && strcmp(what, "complex") == 0)
		return;
	if (!(fabs(s.numeric - s.analytic) <= 1e-6 * norm + 1e-10))
		fail_msg("%s: %.10g by differences, %.10g by the gradient", what, s.numeric,
			 s.analytic);
}

static void expect_leaves(const struct one *o, const char *what)
{
	for (size_t i = 0; i < o->g.n_leaves; i++) {
		const struct gradient_leaf *const l = &o->g.leaves[i];
		size_t row = 0, col = 0; /* the largest entry */
		for (size_t t = 0; t < l->at.rows; t++)
			for (size_t j = 0; j < l->at.cols; j++)
				if (fabs(mat_row(l->at, t)[j]) > fabs(mat_row(l->at, row)[col])) {
					row = t;
					col = j;
				}
		const double numeric =
			differentiate(o, &mat_row(model_leaf_at(&o->b->model, l->leaf), row)[col],
				      &o->b->model_input);
		near(mat_row(l->at, row)[col], numeric, 1e-6 * l->norm + 1e-10,
		     arena_printf(&arena, "%s, %s", what, l->leaf->name));
		assert_true(i == 0 || l->norm <= l[-1].norm);
	}
}

/* Samples of other sizes; weights that nothing changes; logits that no token vector changes; tables
 * read by the vector of the word. */
static const char *const left_out[] = {
	"pnat", "xlpe", "gauss", "synth_random", "synth_factorized", "complex"};

static bool is_left_out(const char *id)
{
	for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
		if (strcmp(left_out[i], id) == 0)
			return true;
	return false;
}

TEST_IN_PARTS(gradients_of_all_schemes, 2)
{
	size_t seen = 0, positions = 0, leaves = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		struct one o;
		struct err err = {""};
		const struct gradients_of of = {.layer = 1, .query = 3, .key = 2};
		const char *const lines =
			arena_printf(&arena, "%s%s%s", small, s->sample ? s->sample : "", "\n");
		const bool opened = open_one(&o, s->id, lines, of, &err);
		const bool whole = opened && !o.g.why && !o.g.unit.why;
		if (!whole && !is_left_out(s->id))
			fail_msg("%s: %s%s", s->id, err.text, opened ? "no gradient" : "");
		if (!opened)
			continue;
		if (o.g.why) {
			assert_true(o.g.unit.norm <= 0 || !o.g.unit.at.at);
			continue;
		}
		near(o.g.value, cell(&o, &o.b->model_input), 1e-12, s->id);
		seen++;
		if (!o.g.unit.why)
			expect_slope(gradients_slope_unit(o.b, &o.trace, &of, &o.g, NULL),
				     o.g.unit.norm, s->id);
		if (!o.g.position.why) {
			expect_slope(gradients_slope_position(o.b, &o.trace, &of, &o.g, NULL),
				     o.g.position.norm, s->id);
			positions++;
		}
		expect_leaves(&o, s->id);
		leaves += o.g.n_leaves > 0;
	}
	assert_true(seen > 45 && positions > 10 && leaves > 20);
}

/* ---- closed forms -------------------------------------------------------------------------------- */

static struct mat weight_named(const struct trace *trace, const char *name)
{
	for (size_t i = 0; i < trace->layers[0].n_weights; i++)
		if (strcmp(trace->layers[0].weights[i].name, name) == 0)
			return trace->layers[0].weights[i].at;
	fail_msg("no weight %s", name);
	return (struct mat){0};
}

/* a·b of two rows in the first dk columns, a behind a map [d, d] and b behind another. */
static struct mat mapped(struct mat x, struct mat w)
{
	const struct mat out = mat_new(&arena, x.rows, w.cols);
	mat_mul(out, 1, x, false, w, false, 0);
	return out;
}

/* A_ts = c·(x_t W_q)·(x_s W_k): ∂A_ts/∂x_t = c·W_q (x_s W_k)ᵀ, ∂A_ts/∂x_s = c·W_k (x_t W_q)ᵀ, 0 elsewhere. */
TEST(gradient_of_a_logit_in_closed_form)
{
	const struct gradients_of of = {.query = 3, .key = 1, .logit = true};
	struct one o = one("sinusoidal", "layers 1\n", of);
	const struct want want = {.kinds = WANT_INPUT, .layer = -1, .head = -1};
	struct trace input;
	struct err err = {""};
	assert_true(built_run(o.b, &o.b->model_input, &want, NULL, NULL, &arena, &input, &err));
	const size_t dk = o.b->model.dk, d = 16;
	const struct mat w_q = mat_cols(weight_named(&input, "w_q"), 0, dk);
	const struct mat w_k = mat_cols(weight_named(&input, "w_k"), 0, dk);
	const struct mat x = input.layers[0].input, q = mapped(x, w_q), k = mapped(x, w_k);
	for (size_t t = 0; t < 5; t++)
		for (size_t j = 0; j < d; j++) {
			double wanted = 0;
			for (size_t i = 0; i < dk; i++)
				wanted += t == 3   ? mat_row(w_q, j)[i] * mat_row(k, 1)[i]
					  : t == 1 ? mat_row(w_k, j)[i] * mat_row(q, 3)[i]
						   : 0;
			near(mat_row(o.g.position.at, t)[j], o.b->model.c * wanted, 1e-12, "P");
		}
}

/* Weights of a row always sum to 1: what one key gets the others lose. */
TEST(gradients_of_a_row_of_weights_cancel)
{
	static const char *const expressions[] = {"learned", "t5", "rope+causal", "deberta", "gru"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		struct mat sum = {0};
		double most = 0;
		for (size_t s = 0; s < 5; s++) {
			struct one o = one(expressions[i], "",
					   (struct gradients_of){.layer = 1, .query = 3, .key = s});
			if (!o.g.unit.at.at)
				continue;
			sum = sum.at ? sum : mat_zero(&arena, 5, 16);
			for (size_t k = 0; k < 5 * 16; k++)
				sum.at[k] += o.g.unit.at.at[k];
			most = fmax(most, o.g.unit.norm);
		}
		assert_true(most > 1e-4 && largest(sum) < 1e-12);
	}
}

/* α_s = softmax(A)_s: ∂α_s/∂A_r = α_s (δ_sr − α_r), so of weights and logits of the same head
 * ∂α_s/∂U = Σ_r α_s (δ_sr − α_r) ∂A_r/∂U. */
TEST(weights_follow_from_logits)
{
	const struct one weight =
		one("shaw+causal", "", (struct gradients_of){.query = 3, .key = 2});
	const double *const alpha = mat_row(weight.trace.layers[0].heads[0].weights, 3);
	const struct mat sum = mat_zero(&arena, 5, 16);
	for (size_t r = 0; r < 5; r++) {
		const struct one logit =
			one("shaw+causal", "",
			    (struct gradients_of){.query = 3, .key = r, .logit = true});
		for (size_t k = 0; k < 5 * 16; k++)
			sum.at[k] += alpha[2] * ((r == 2) - alpha[r]) * logit.g.unit.at.at[k];
	}
	near(mat_max_abs_diff(sum, weight.g.unit.at), 0, 1e-12, "softmax");
}

/* The table's row at each place, the units there, and what is added to them are the same. */
TEST(gradients_of_a_learned_table_are_those_of_the_units)
{
	struct one o = one("learned", "", (struct gradients_of){.layer = 1, .query = 3, .key = 1});
	assert_int_equal(o.g.n_leaves, 1);
	const struct mat table = o.g.leaves[0].at;
	near(mat_max_abs_diff(mat_rows(table, 0, 5), o.g.unit.at), 0, 1e-15, "table");
	near(mat_norm(mat_rows(table, 5, table.rows - 5)), 0, 0, "rows that nobody reads");
	near(o.g.apart, 0, 1e-15, "apart");
	o = one("learned", "embed-scale 3\n",
		(struct gradients_of){.layer = 1, .query = 3, .key = 1});
	near(mat_norm(o.g.unit.at), 3 * o.g.position.norm, 1e-12, "scaled units");
	assert_true(o.g.apart > 0.1 * o.g.position.norm);
}

/* ---- what is not there --------------------------------------------------------------------------- */

TEST(what_a_mask_hides_has_no_gradient)
{
	const struct one later =
		one("learned+causal", "", (struct gradients_of){.layer = 1, .query = 2, .key = 1});
	for (size_t t = 0; t < 5; t++)
		assert_true(t > 2 ? later.g.unit.saliency[t] <= 0 &&
					    later.g.position.saliency[t] <= 0
				  : later.g.unit.saliency[t] > 0);
	const struct one masked =
		one("learned+causal", "", (struct gradients_of){.query = 2, .key = 4});
	assert_string_equal(masked.g.why,
			    "the mask hides this key from this query: its weight stays 0");
	assert_true(masked.g.value <= 0 && !masked.g.unit.at.at);
	const struct one logit = one("learned+causal", "",
				     (struct gradients_of){.query = 2, .key = 4, .logit = true});
	assert_true(!logit.g.why && logit.g.unit.saliency[4] > 0);
	const struct one first =
		one("learned+causal", "", (struct gradients_of){.query = 0, .key = 0});
	assert_string_equal(first.g.why,
			    "this is the only key that the query sees: its weight stays 1");
	const struct one single = one("sinusoidal", "sentence word\n", (struct gradients_of){0});
	assert_string_equal(single.g.why,
			    "this is the only key that the query sees: its weight stays 1");
}

TEST(without_positions_there_is_no_gradient_of_them)
{
	const struct gradients_of of = {.query = 3, .key = 1};
	struct one o = one("none", "", of);
	assert_string_equal(o.g.position.why, "no position vectors are added to the token vectors");
	assert_true(!o.g.unit.why && o.g.n_leaves == 0 && isnan(o.g.apart));
	o = one("gru", "", of);
	assert_non_null(strstr(o.g.position.why, "made into one"));
	assert_true(o.g.n_leaves > 0);
	o = one("alibi", "", of);
	assert_true(o.g.position.why && o.g.unit.norm > 0);
	o = one("gauss", "", (struct gradients_of){.query = 3, .key = 1, .logit = true});
	assert_string_equal(o.g.why, "there are no logits: the weights are given directly");
	o = one("gauss", "", of);
	assert_non_null(o.g.why);
}

TEST(gradients_respect_the_memory_limit)
{
	struct one o = one("rope", "", (struct gradients_of){.layer = 1, .query = 3, .key = 1});
	assert_null(o.g.why);
	o.b->model.config.memory = 2000;
	gradients_make(o.b, &o.trace, &o.of, &arena, &o.g);
	assert_non_null(strstr(o.g.why, "above the limit"));
	/* A flow makes steps of its own, which are known when they are made. */
	o = one("floater",
		"sentence \"a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j "
		"k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t u v w x y z\"\n",
		(struct gradients_of){.query = 3, .key = 1});
	assert_null(o.g.why);
	o.b->model.config.memory = 11000000;
	gradients_make(o.b, &o.trace, &o.of, &arena, &o.g);
	assert_non_null(strstr(o.g.why, "more than the limit"));
}

TEST(gradients_stop_when_they_are_cancelled)
{
	struct watch watch;
	struct one o = one("rope", "", (struct gradients_of){.layer = 1, .query = 3, .key = 1});
	watch_begin(&watch);
	watch_cancel(&watch);
	o.of.watch = &watch;
	gradients_make(o.b, &o.trace, &o.of, &arena, &o.g);
	assert_string_equal(o.g.why, "cancelled");
}

/* A unit that a graph puts in is none of the input's, and an earlier segment has keys alone. */
TEST(gradients_of_units_that_were_put_in)
{
	const struct gradients_of of = {.layer = 1, .query = 3, .key = 2};
	const struct one graph = one("graphormer", "governors 2 3 0 5 3\n", of);
	const size_t n = graph.trace.query.n;
	assert_int_equal(n, 6);
	assert_true(graph.g.unit.at.rows == n && graph.g.position.at.rows == n);
	for (size_t i = 0; i < n; i++)
		assert_true((graph.g.unit.saliency[i] > 0) == (graph.trace.query.token[i] >= 0));
	const struct one memory = one("txl+causal", "memory-tokens 2\n",
				      (struct gradients_of){.layer = 1, .query = 1, .key = 0});
	assert_int_equal(memory.g.unit.at.rows, 5);
	near(memory.g.value, mat_row(memory.trace.layers[1].heads[0].weights, 1)[0], 1e-15, "cell");
	assert_true(memory.g.unit.saliency[0] > 0 && memory.g.unit.saliency[4] <= 0);
}

/* What is recorded takes no more than was said, of long inputs where it matters. */
TEST_IN_PARTS(recordings_stay_within_their_estimate, 2)
{
	const char *const lines =
		"sentence \"" /* 48 words */
		"a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g "
		"h i j k l m n o p q r s t u v\"\nd-model 16\nheads 2\nlayers 2\n";
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		struct arena a;
		struct tape tape;
		struct run *run;
		struct err err = {""};
		struct built *const b = arena_calloc(&arena, 1, sizeof *b);
		const struct scene scene = help_scene(scheme_at(i)->id, lines);
		const struct record what = {.step = 1, .inputs = true};
		if (!setup_build(&scene.setup, &arena, b, &err))
			continue;
		arena_init(&a);
		tape_init(&tape, &a, true);
		if (model_record_part(&b->model, &b->model_input, &what, &tape, &run, &err)) {
			struct node *const w = run_weights_node(run, 1, 0);
			assert_non_null(w);
			tape_backward(&tape, w, NULL);
			const double said =
				(double)model_record_estimate(&b->model, &b->model_input, &what);
			/* Steps of their own, which depend on learned numbers, are not in the
			 * estimate: record_fits() watches them. */
			const bool own_steps = strcmp(scheme_at(i)->id, "floater") == 0 ||
					       strcmp(scheme_at(i)->id, "liere") == 0 ||
					       strcmp(scheme_at(i)->id, "comrope") == 0;
			if ((double)a.used > said && !own_steps)
				fail_msg("%s: %zu bytes, %.0f said", scheme_at(i)->id, a.used,
					 said);
		}
		arena_release(&a);
	}
}

/* ---- Theorem 2 ----------------------------------------------------------------------------------- */

static struct theorem2 theorem(const char *expression, const char *lines)
{
	struct one o = one(expression, lines, (struct gradients_of){.query = 3, .key = 1});
	struct theorem2 out;
	struct err err = {""};
	if (!gradients_theorem2(o.b, NULL, &arena, &out, &err))
		fail_msg("%s: %s", expression, err.text);
	return out;
}

TEST(theorem_2_holds_where_it_says_so)
{
	static const struct {
		const char *expression, *lines;
		bool there, says;
	} rows[] = {
		{"sinusoidal", "", true, true},
		{"learned", "", true, true},
		{"learned+t5+causal", "", true, true},
		{"bert", "", true, true},
		{"sinusoidal+learned", "", true, true},
		{"tpe", "governors 2 3 0 5 3\n", true, true},
		{"sinusoidal", "embed-scale 3\n", true, false},
		{"sinusoidal(scale_emb=on)", "", true, false},
		{"learned+concat", "", true, false},
		{"multiplicative", "", true, false},
		{"multiplicative(table=sinusoidal)", "", true, false},
		{"ut", "", true, false},
		{"shortformer", "", true, false},
		{"complex", "", false, false},
		{"rope", "", false, false},
		{"none", "", false, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct theorem2 is = theorem(rows[i].expression, rows[i].lines);
		if (is.there != rows[i].there || (is.there && is.says != rows[i].says) ||
		    is.equal != rows[i].says)
			fail_msg("%s %s: there %d, says %d, equal %d, %g apart", rows[i].expression,
				 rows[i].lines, is.there, is.says, is.equal, is.apart);
		if (is.there && !is.says)
			assert_true(is.apart > 0.01 * is.largest);
	}
}

TEST(theorem_2_is_a_row_of_the_check)
{
	struct scene scene = help_scene("multiplicative", "");
	struct verdict v[VERDICTS_MAX];
	size_t n, seen = 0;
	struct err err = {""};
	assert_true(analysis_check(&scene.setup, NULL, &arena, v, &n, &err));
	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i].claim, "gradients") == 0) {
			seen++;
			assert_true(v[i].ok && !v[i].measured && v[i].claimed == ANSWER_NO);
		}
	assert_int_equal(seen, 1);
}
