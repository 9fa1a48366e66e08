/* test_scheme_equivariant.c: rotations that layers change (TAPE): a whole layer of the authors' code,
 * worked numbers, the rotation that is left without changes, and what a change keeps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_learned.h"
#include "help_tensors.h"

FIXTURE(open_arena, close_arena)

/* ---- the authors' layer ------------------------------------------------------------------------ */

static const char *file_name(enum weight which)
{
	switch (which) {
	case W_Q:
		return "w_q";
	case W_K:
		return "w_k";
	case W_V:
		return "w_v";
	case W_O:
		return "param.w_o";
	case W_FF1:
		return "param.w_up";
	case W_FF2:
		return "param.w_down";
	case W_GATE:
		return "param.w_gate";
	default:
		return NULL;
	}
}

static bool has(const struct weight_source *s, size_t layer, enum weight which)
{
	(void)s, (void)layer;
	return file_name(which) != NULL;
}

static bool read_one(const struct weight_source *s, size_t layer, enum weight which, struct mat out,
		     struct err *err)
{
	(void)layer, (void)err;
	const struct mat w = tensor_mat(tensor_find(s->context, file_name(which)));
	for (size_t o = 0; o < out.rows; o++)
		for (size_t i = 0; i < out.cols; i++)
			mat_row(out, o)[i] = mat_row(w, i)[o];
	return true;
}

static void fill(struct model *model, const char *base, double value)
{
	for (size_t i = 0; i < model->n_leaves; i++)
		if (strcmp(model->leaves[i].base, base) == 0)
			mat_fill(model->leaves[i].at, value);
}

static void no_gates(struct model *model)
{
	fill(model, "pe_up", 0);
}

/* Of two heads; columns of P sum to 1, so that what is read is added as it is. */
static void only_read(struct model *model)
{
	fill(model, "pe_up", 0);
	fill(model, "post", 0.5);
}

/* Evaluates the layer twice: the second one is only there to read what the first one made. */
static struct help_result *authors_layer(const char *expression,
					 void (*change)(struct model *model))
{
	static const struct want want = {.kinds = WANT_QKV | WANT_LOGITS | WANT_WEIGHTS |
						  WANT_CONTEXT | WANT_MASK | WANT_OUTPUT |
						  WANT_KEPT,
					 .layer = -1,
					 .head = -1};
	static const char *const labels[] = {"a", "b", "c", "d", "e", "f"};
	static const long token[] = {0, 1, 2, 3, 4, 5};
	static const struct model_config config = {
		.d = 16,
		.heads = 2,
		.layers = 2,
		.ff = 12,
		.t_max = 16,
		.content = 2,
		.norm_eps = 1e-6,
		.activation = ACT_SILU,
		.block = {.norm = NORM_RMS, .order = ORDER_PRE, .gated = true}};
	struct help_result *const r = arena_calloc(&arena, 1, sizeof *r);
	struct err err = {""};
	size_t n;
	tensor_set_init(&r->set, &arena);
	if (!help_tensors(&r->set, arena_printf(&arena, "%s/newer/tape-a.safetensors", test_data),
			  &err))
		fail_msg("%s", err.text);
	struct weight_source *const source = arena_calloc(&arena, 1, sizeof *source);
	*source = (struct weight_source){.context = &r->set, .has = has, .read = read_one};
	r->given = (struct given){.params = &r->set, .source = source};
	if (!expr_parse(&r->expr, expression, &arena, &err) ||
	    !expr_members(&r->expr, r->members, &n, &arena, &err) ||
	    !model_build(&r->model, &config, r->members, n, &r->given, &arena, &err))
		fail_msg("%s", err.text);
	if (change)
		change(&r->model);
	const struct model_input in = {.axis = {.n = 6, .labels = labels, .token = token},
				       .units = tensor_mat(tensor_find(&r->set, "input"))};
	if (!model_run(&r->model, &in, &want, NULL, NULL, &arena, &r->trace, &err))
		fail_msg("%s", err.text);
	return r;
}

static struct mat kept(const struct trace *trace, const char *name)
{
	for (size_t i = 0; i < trace->n_kept; i++)
		if (strcmp(trace->kept[i].name, name) == 0)
			return trace->kept[i].at;
	fail_msg("nothing is kept as %s", name);
	return (struct mat){0};
}

/* Compares E of both heads in layer 2, cosines or sines, with the file, which has each pair twice;
 * `plus`: the tensor that is added to the file's; or NULL. */
static void expect_state(const struct help_result *r, const char *which, const char *name,
			 const char *plus)
{
	const struct mat all =
		kept(&r->trace, arena_printf(&arena, "layer.1.member.tape.%s", which));
	for (size_t i = 0; i < 16; i++) {
		const size_t h = i / 8, j = i % 8;
		const struct mat want = tensor_mat(tensor_find(
			&r->set, arena_printf(&arena, "head.%zu.position.%s", h, name)));
		const struct mat more =
			tensor_mat(tensor_find(&r->set, arena_printf(&arena, "head.%zu.position.%s",
								     h, plus ? plus : name)));
		for (size_t t = 0; t < 6; t++) {
			const double sum = mat_row(want, t)[j] + (plus ? mat_row(more, t)[j] : 0);
			if (!(fabs(mat_row(all, t)[4 * h + j % 4] - sum) <= 1e-9))
				fail_msg("%s of head %zu [%zu][%zu]: %.12g, reference %.12g", name,
					 h, t, j, mat_row(all, t)[4 * h + j % 4], sum);
		}
	}
}

TEST(a_layer_of_the_authors_is_matched)
{
	static const struct help_case file = {.file = "newer/tape-a.safetensors",
					      .masked_logits = true};
	const struct help_result *r = authors_layer("tape(width=5)+causal", NULL);
	assert_int_equal(help_case_compare(r, &file), 5 * 2);
	for (size_t half = 0; half < 2; half++) {
		const struct mat c = tensor_mat(tensor_find(&r->set, "head.1.position.cos0"));
		const struct mat s = tensor_mat(tensor_find(&r->set, "head.1.position.sin0"));
		help_assert_near(kept(&r->trace, "member.tape.cos"), mat_cols(c, 4 * half, 4), 1e-9,
				 "cos0");
		help_assert_near(kept(&r->trace, "member.tape.sin"), mat_cols(s, 4 * half, 4), 1e-9,
				 "sin0");
	}
	expect_state(r, "cos", "cos1", NULL);
	expect_state(r, "sin", "sin1", NULL);
	help_assert_near(r->trace.layers[0].output, tensor_mat(tensor_find(&r->set, "output")),
			 1e-9, "output");
	expect_state(authors_layer("tape(width=5)+causal", only_read), "cos", "cos_attended",
		     "cos0");
	expect_state(authors_layer("tape(width=5,mix=heads)+causal", no_gates), "cos", "cos_mixed",
		     NULL);
}

/* ---- worked numbers ---------------------------------------------------------------------------- */

/* Two heads whose columns of P sum to 1/2 and 1/2, and one gate that passes silu(0) = 0. */
static void halves(struct model *model)
{
	fill(model, "post", 0.25);
	fill(model, "pe_x", 0);
	fill(model, "pe_up", 3);
	fill(model, "pe_down", 5);
}

static void two_heads(struct help_run *r)
{
	r->config.d = 8;
	r->config.heads = 2;
	r->want.kinds |= WANT_KEPT | WANT_WEIGHTS | WANT_OUTPUT;
	r->want.layer = -1;
	r->want.head = -1;
}

/* The first token attends to itself alone: E = (cos 0, sin 0) becomes (1 + s, 0). The second one
 * has the rotation by 1 and by 1/100, and attends to the first by α. */
TEST(states_are_those_worked_out)
{
	struct help_run r;
	help_run_must_open(&r, "tape(width=1)+causal", 3, 0, two_heads);
	const struct trace *const t = help_changed(&r, "tape(width=1)+causal", halves);
	const struct mat c = kept(t, "layer.1.member.tape.cos");
	const struct mat s = kept(t, "layer.1.member.tape.sin");
	assert_int_equal(c.cols, 4);
	for (size_t j = 0; j < 4; j++) {
		const double a = mat_row(help_head_of(t, j / 2)->weights, 1)[0];
		const double angle = j % 2 ? 0.01 : 1;
		assert_true(fabs(mat_row(c, 0)[j] - 1.5) < 1e-12);
		assert_true(fabs(mat_row(s, 0)[j]) < 1e-12);
		assert_true(fabs(mat_row(c, 1)[j] - (1.5 - a / 2) * cos(angle) - a / 2) < 1e-12);
		assert_true(fabs(mat_row(s, 1)[j] - (1.5 - a / 2) * sin(angle)) < 1e-12);
	}
	help_run_close(&r);
}

/* V is 3 in head 1 and U is 5 to head 2, and a gate that sees g_1 alone opens by silu(g_1): head 2
 * gets 15 silu(g_1) times the state of head 1. */
static void one_gate(struct model *model)
{
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct mat at = model->leaves[i].at;
		mat_fill(at, 0);
		if (strcmp(model->leaves[i].base, "pe_x") == 0)
			at.at[0] = 1;
		else if (strcmp(model->leaves[i].base, "pe_up") == 0)
			at.at[0] = 3;
		else if (strcmp(model->leaves[i].base, "pe_down") == 0)
			at.at[1] = 5;
	}
}

TEST(gates_are_those_worked_out)
{
	struct help_run r;
	help_run_must_open(&r, "tape(width=1)", 3, 0, two_heads);
	const struct trace *const t = help_changed(&r, "tape(width=1)", one_gate);
	const struct mat c = kept(t, "layer.1.member.tape.cos");
	const struct mat fed = kept(t, "layer.0.member.tape.fed");
	for (size_t p = 0; p < 3; p++) {
		const double g = mat_row(fed, p)[0], by = 15 * g * help_sigmoid(g);
		assert_true(fabs(mat_row(c, p)[0] - cos((double)p)) < 1e-12);
		assert_true(fabs(mat_row(c, p)[2] - (1 + by) * cos((double)p)) < 1e-12);
	}
	help_run_close(&r);
}

/* ---- limits and what holds --------------------------------------------------------------------- */

/* Without changes every layer is rope; so is what training begins with. */
TEST(without_changes_every_layer_is_rope)
{
	static const char *const texts[] = {"tape", "tape(mix=heads)"};
	struct help_run r;
	help_run_must_open(&r, "rope(layout=half)", 9, 0, NULL);
	struct trace *const rope = help_again(&r, "rope(layout=half)", NULL);
	for (size_t i = 0; i < 2; i++)
		help_traces_equal(rope, help_changed(&r, texts[i], help_zero_leaves));
	assert_true(help_logits_apart(rope, help_again(&r, "tape", NULL), 1, 4) > 0.1);
	assert_true(help_logits_apart(rope, help_again(&r, "tape", NULL), 0, 4) < 1e-12);
	r.config.init = INIT_PAPER;
	help_traces_equal(rope, help_again(&r, "tape(base=10000,mix=heads)", NULL));
	help_run_close(&r);
}

static void kept_too(struct help_run *r)
{
	r->want.kinds |= WANT_KEPT | WANT_OUTPUT;
	r->want.layer = -1;
	r->config.layers = 3;
}

/* Behind layer 1 pairs have lengths other than 1, by token and head, which the content makes; the
 * pairs of a token in a head have not one length, since these are sums of several rotations. */
TEST(the_state_behind_layer_1_is_no_rotation)
{
	struct help_run r;
	help_run_must_open(&r, "tape+causal", 6, 0, kept_too);
	const struct mat c = kept(&r.trace, "layer.1.member.tape.cos");
	const struct mat s = kept(&r.trace, "layer.1.member.tape.sin");
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < c.rows * c.cols; i++) {
		least = fmin(least, hypot(c.at[i], s.at[i]));
		most = fmax(most, hypot(c.at[i], s.at[i]));
	}
	assert_true(most > 1.2 && most - least > 0.1);
	assert_true(fabs(mat_row(c, 0)[0] - mat_row(c, 0)[4]) > 1e-3);
	help_run_close(&r);
}

/* A rotation of all states at once stays one, whatever they have become. */
TEST(a_shift_changes_no_layer)
{
	help_is_relative("tape", "seq");
	help_is_relative("tape(mix=heads,width=7)+causal", "seq");
}

/* A layer on which it does not act leaves the state as it is; a head on which it does not act has
 * none, and gives nothing to the others. */
TEST(other_layers_and_heads_have_no_part)
{
	struct help_run r;
	help_run_must_open(&r, "tape+causal", 5, 0, kept_too);
	const struct mat all = kept(&r.trace, "layer.1.member.tape.cos");
	const struct trace *const some = help_again(&r, "tape(layers=[1,3])+causal", NULL);
	help_assert_near(kept(some, "layer.2.member.tape.cos"), all, 1e-12, "third layer");
	const struct trace *const one = help_again(&r, "tape(heads=2,mix=heads)+causal", NULL);
	const struct mat c = kept(one, "layer.1.member.tape.cos");
	const size_t pairs = c.cols / 4;
	for (size_t j = 0; j < c.cols; j++)
		assert_int_equal(mat_row(c, 2)[j] != 0, j / pairs == 1);
	const struct mat rope = kept(one, "member.tape.cos");
	assert_true(fabs(mat_row(c, 4)[pairs] - mat_row(rope, 4)[0]) > 1e-3);
	help_run_close(&r);
}

static void long_text(struct help_run *r)
{
	r->want.kinds = WANT_OUTPUT;
	r->want.layer = -1;
}

/* Where nobody looks at weights, heads are computed in blocks of queries. */
TEST(blocks_of_queries_make_the_same_state)
{
	struct help_run r;
	help_run_must_open(&r, "tape(width=9)+causal", 700, 50, long_text);
	const struct mat blocks = help_last_output(&r.trace);
	r.want.kinds |= WANT_WEIGHTS;
	const struct trace *const whole = help_again(&r, "tape(width=9)+causal", NULL);
	help_assert_near(help_last_output(whole), blocks, 1e-10, "output");
	help_run_close(&r);
}

static void odd_heads(struct help_run *r)
{
	r->config.head_dim = 5;
}

TEST(what_cannot_be_is_refused)
{
	static const struct {
		const char *text, *why;
		void (*prepare)(struct help_run *r);
	} rows[] = {
		{"tape(width=0)", "must be from 1", NULL},
		{"tape(mix=all)", "is none of sums|heads", NULL},
		{"tape", "head-dim 6 would be right", odd_heads},
		{"tape+disan(multi=on)", "leave one of them out", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i].text, 5, 0, rows[i].prepare));
		if (!strstr(r.err.text, rows[i].why))
			fail_msg("%s: %s", rows[i].text, r.err.text);
		help_run_close(&r);
	}
}
