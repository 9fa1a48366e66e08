/* test_given.c: matrices of the user's own. Files are written here, as others would write them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_files.h"
#include "help_measure.h"
#include "help_view.h"
#include "posviz/analysis/analysis.h"
#include "posviz/format/file.h"
#include "posviz/scene/dump.h"
#include "posviz/scene/scene.h"
#include "posviz/scheme/given.h"

FIXTURE(open_folder, close_folder)

/* ---- files ------------------------------------------------------------------------------------------ */

/* [heads,n,n], or [n,n] for heads 0. */
static void write_npy(const char *name, const double *at, size_t heads, size_t n)
{
	help_write_npy(name, at, heads ? HELP_SHAPE(heads, n, n) : HELP_SHAPE(n, n));
}

static void write_set(const char *name, const struct tensor_set *set)
{
	char *data;
	size_t len;
	struct err err = {""};
	if (!tensor_write_safetensors(set, &arena, &data, &len, &err))
		fail_msg("%s", err.text);
	help_write(name, data, len);
}

/* ---- scenes ----------------------------------------------------------------------------------------- */

static struct scene scene_of(const char *expression, const char *lines)
{
	return help_scene(expression, lines);
}

static struct trace run(const struct scene *s, struct built *b)
{
	const struct want want = {.kinds = dump_wants(), .layer = -1, .head = -1};
	struct trace trace;
	struct err err = {""};
	if (!evaluate(&s->setup, &want, NULL, NULL, &arena, b, &trace, &err))
		fail_msg("%s: %s", s->setup.scheme, err.text);
	return trace;
}

static struct trace run_of(const char *expression, const char *lines)
{
	const struct scene s = scene_of(expression, lines);
	struct built b;
	return run(&s, &b);
}

/* The scene must be refused with these words, when it is built or run. */
static void expect_error(const struct scene *s, const char *part)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct built b;
	struct trace trace;
	struct err err = {""};
	if (evaluate(&s->setup, &want, NULL, NULL, &arena, &b, &trace, &err))
		fail_msg("%s runs; \"%s\" expected", s->setup.scheme, part);
	if (!strstr(err.text, part) || strchr(err.text, '\n'))
		fail_msg("%s: \"%s\" does not say \"%s\"", s->setup.scheme, err.text, part);
}

static void expect_same(const struct trace *x, const struct trace *y, size_t heads)
{
	for (size_t l = 0; l < x->n_layers; l++)
		for (size_t h = 0; h < heads; h++) {
			const struct trace_head *a = &x->layers[l].heads[h];
			const struct trace_head *b = &y->layers[l].heads[h];
			assert_true(mat_max_abs_diff(a->weights, b->weights) <= 1e-12);
			assert_true(mat_max_abs_diff(a->context, b->context) <= 1e-12);
			assert_true(mat_max_abs_diff(x->layers[l].output, y->layers[l].output) <=
				    1e-12);
		}
}

/* ---- a matrix --------------------------------------------------------------------------------------- */

enum { HEADS = 4, N = 9 };

/* A matrix of every head of a layer: bias, or weights. */
static double *all_heads(const struct trace *t, size_t layer, bool weights)
{
	double *at = arena_calloc(&arena, HEADS * N * N, sizeof *at);
	for (size_t h = 0; h < HEADS; h++) {
		const struct trace_head *head = &t->layers[layer].heads[h];
		const struct mat m = weights ? head->weights : head->bias;
		assert_int_equal(m.rows, N);
		for (size_t t0 = 0; t0 < N; t0++)
			memcpy(at + (h * N + t0) * N, mat_row(m, t0), N * sizeof *at);
	}
	return at;
}

TEST(the_bias_of_alibi_read_back_is_alibi)
{
	const struct trace alibi = run_of("alibi", "");
	write_npy("alibi.npy", all_heads(&alibi, 0, false), HEADS, N);
	const struct trace own = run_of("matrix(from=alibi.npy)+causal", "");
	expect_same(&alibi, &own, HEADS);
	for (size_t h = 0; h < HEADS; h++) {
		assert_true(mat_max_abs_diff(alibi.layers[0].heads[h].bias,
					     own.layers[0].heads[h].bias) <= 1e-12);
		assert_true(mat_max_abs_diff(alibi.layers[1].heads[h].logits,
					     own.layers[1].heads[h].logits) <= 1e-12);
	}
}

/* The file's own mask, where alibi has the causal one. */
TEST(minus_infinity_is_a_mask)
{
	const struct trace alibi = run_of("alibi", "");
	double *at = all_heads(&alibi, 0, false);
	for (size_t i = 0; i < HEADS * N * N; i++)
		if (i % N > i / N % N)
			at[i] = -INFINITY;
	write_npy("masked.npy", at, HEADS, N);
	const struct trace own = run_of("matrix(from=masked.npy)", "");
	expect_same(&alibi, &own, HEADS);
	for (size_t h = 0; h < HEADS; h++)
		for (size_t i = 0; i < N * N; i++)
			assert_int_equal(own.layers[0].heads[h].mask[i], i % N <= i / N);
}

TEST(the_logits_of_t5_read_back_give_its_weights)
{
	const struct trace t5 = run_of("t5", "layers 1\nproj random");
	double *at = arena_calloc(&arena, HEADS * N * N, sizeof *at);
	for (size_t h = 0; h < HEADS; h++)
		memcpy(at + h * N * N, t5.layers[0].heads[h].logits.at, N * N * sizeof *at);
	write_npy("logits.npy", at, HEADS, N);
	const struct trace own =
		run_of("matrix(from=logits.npy,as=logits)", "layers 1\nproj random");
	expect_same(&t5, &own, HEADS);
	assert_non_null(own.bias_absent);
}

TEST(the_weights_of_rope_read_back_give_its_contexts)
{
	static const char lines[] = "proj random\nseed 5";
	const struct trace rope = run_of("rope+causal", lines);
	struct tensor_set set;
	tensor_set_init(&set, &arena);
	for (size_t l = 0; l < 2; l++) {
		const double *at = all_heads(&rope, l, true);
		const char *name = l ? "second.npy" : "first.npy";
		write_npy(name, at, HEADS, N);
		tensor_set_add(&set, l ? "b" : "a", mat_view((double *)(uintptr_t)at, N, N), false);
	}
	const struct trace own =
		run_of("matrix(from=first.npy,layers=1)+matrix(from=second.npy,layers=2)", lines);
	expect_same(&rope, &own, HEADS);
	assert_null(own.layers[0].heads[0].logits.at);
	/* One head's for all, by its name in a file of several. */
	write_set("two.safetensors", &set);
	const struct trace first = run_of("matrix(from=two.safetensors:a)", lines);
	for (size_t h = 0; h < HEADS; h++)
		assert_true(mat_max_abs_diff(first.layers[1].heads[h].weights,
					     rope.layers[0].heads[0].weights) <= 0);
}

/* Weights stay as given: what a mask forbids is not shared out among the others. */
/* [layers, 1, heads, n, n], as attentions of a checkpoint are stacked: entry 1000 layer + 100 head + 10 row
 * + column, from 1, is where it belongs. */
TEST(layers_have_their_own)
{
	enum { LAYERS = 2, WORDS = 3, COUNT = LAYERS * HEADS * WORDS * WORDS };
	double at[COUNT];
	char *data;
	size_t len;
	struct built b;
	for (size_t i = 0; i < COUNT; i++)
		at[i] = (double)(1000 * (i / (HEADS * WORDS * WORDS) + 1) +
				 100 * (i / (WORDS * WORDS) % HEADS + 1) +
				 10 * (i / WORDS % WORDS + 1) + i % WORDS + 1);
	const struct tensor five = {.dims = 5, .shape = {LAYERS, 1, HEADS, WORDS, WORDS}, .at = at};
	assert_true(tensor_write_npy(&five, &arena, &data, &len, NULL));
	help_write("five.npy", data, len);
	const struct scene s =
		scene_of("matrix(from=five.npy,as=logits)", "sentence a b c\nlayers 2\nheads 4");
	const struct trace trace = run(&s, &b);
	for (size_t l = 0; l < LAYERS; l++)
		for (size_t h = 0; h < HEADS; h++)
			for (size_t i = 0; i < WORDS * WORDS; i++) {
				const double right = (double)(1000 * (l + 1) + 100 * (h + 1) +
							      10 * (i / WORDS + 1) + i % WORDS + 1);
				assert_true(fabs(trace.layers[l].heads[h].logits.at[i] - right) <
					    1e-12);
			}
}

/* A mask of the second layer alone is seen there alone. */
TEST(layers_have_masks_of_their_own)
{
	struct built b;
	help_write_text("mask.json", "[[[[0,0],[0,0]]],[[[0,\"-inf\"],[0,0]]]]");
	const struct scene s = scene_of("matrix(from=mask.json)", "sentence a b\nlayers 2");
	const struct trace trace = run(&s, &b);
	const double *const first = trace.layers[0].heads[1].weights.at,
			    *const second = trace.layers[1].heads[1].weights.at;
	assert_true(first[1] > 0 && second[1] == 0);
	assert_true(second[2] > 0 && fabs(second[0] - 1) < 1e-12);
}

/* Sizes that nobody chose are the file's. */
TEST(sizes_of_a_file_are_adopted)
{
	help_write_text("three.json",
			"[[[[1]],[[1]],[[1]],[[1]],[[1]],[[1]]],[[[1]],[[1]],[[1]],[[1]],[[1]],"
			"[[1]]],[[[1]],[[1]],[[1]],[[1]],[[1]],[[1]]]]");
	struct scene s = scene_of("matrix(from=three.json)", "sentence a");
	scene_adopt_sizes(&s);
	assert_int_equal(s.setup.layers, 3);
	assert_int_equal(s.setup.heads, 6);
	assert_int_equal(s.setup.d_model % 6, 0);
	s = scene_of("matrix(from=three.json)", "sentence a\nlayers 5\nheads 8");
	scene_adopt_sizes(&s);
	assert_int_equal(s.setup.layers, 5);
	assert_int_equal(s.setup.heads, 8);
}

TEST(weights_are_not_renormalised)
{
	help_write_text("w.csv", "0.5,0.5\n0.25,0.75\n");
	const struct trace t = run_of("matrix(from=w.csv)+causal", "");
	const struct mat w = t.layers[0].heads[0].weights;
	static const double want[] = {0.5, 0, 0.25, 0.75};
	for (size_t i = 0; i < 4; i++)
		assert_true(fabs(w.at[i] - want[i]) <= 0);
}

/* Members that only work on logits would be left out without a word. */
TEST(weights_stand_alone)
{
	static const char *const refused[] = {"alibi", "rope", "formula"};
	help_write_text("w.csv", "0.5,0.5\n0.25,0.75\n");
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		const struct scene s =
			scene_of(arena_printf(&arena, "matrix(from=w.csv)+%s", refused[i]), "");
		expect_error(&s, "have no logits that");
	}
	run_of("matrix(from=w.csv)+sinusoidal", "");
	run_of("matrix(from=w.csv,as=bias)+alibi", "");
	run_of("matrix(from=w.csv,heads=1)+alibi(heads=2-4)", "");
}

TEST(formats_agree)
{
	static double values[] = {0.1, -2.5e-3, 7, 1e-30, 0, -1, 3, 1e5, 0.3};
	struct tensor_set set;
	tensor_set_init(&set, &arena);
	tensor_set_add(&set, "x", mat_view(values, 3, 3), false);
	write_npy("same.npy", values, 0, 3);
	write_set("same.safetensors", &set);
	help_write_text("same.csv", "0.1,-2.5e-3,7\n1e-30,0,-1\n3,1e5,0.3\n");
	help_write_text("same;.csv", "0.1;-2.5e-3;7\n1e-30;0;-1\n3;1e5;0.3\n");
	help_write_text("same tab.csv", "0.1\t-2.5e-3\t7\n1e-30\t0\t-1\n3\t1e5\t0.3\n");
	help_write_text("pandas.csv", ",0,1,2\n0,0.1,-2.5e-3,7\n1,1e-30,0,-1\n2,3,1e5,0.3\n");
	help_write_text("same.json", "[[0.1,-2.5e-3,7],[1e-30,0,-1],[3,1e5,0.3]]");
	write_npy("(a, b).npy", values, 0, 3);
	static const char *const names[] = {"same.npy",	 "same.safetensors", "same.csv",
					    "same;.csv", "same tab.csv",     "pandas.csv",
					    "same.json", "(a, b).npy",	     "same.safetensors:x"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *expression;
		assert_true(given_expression(names[i], &arena, &expression, NULL));
		const struct trace t = run_of(expression, "");
		assert_int_equal(t.query.n, 3);
		for (size_t h = 0; h < HEADS; h++)
			for (size_t k = 0; k < 9; k++)
				assert_true(fabs(t.layers[0].heads[h].bias.at[k] - values[k]) <=
					    1e-12 * (1 + fabs(values[k])));
	}
}

TEST(what_it_is_is_seen)
{
	static const struct {
		const char *text;
		bool weights;
	} rows[] = {
		{"1,0\n0.5,0.5\n", true},   {"1,0\n0,0\n", true},
		{"0,0\n0,0\n", false},	    {"1,0\n1,1\n", false},
		{"0.33,0.66\n1,0\n", true}, {"1.9,0\n0.5,0.5\n", false},
		{"2,-1\n0.5,0.5\n", false}, {"1,-inf\n0.5,0.5\n", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *name = arena_printf(&arena, "auto%zu.csv", i);
		help_write_text(name, rows[i].text);
		const struct trace t = run_of(arena_printf(&arena, "matrix(from=%s)", name), "");
		if ((t.layers[0].heads[0].logits.at == NULL) != rows[i].weights)
			fail_msg("%s is not seen", rows[i].text);
		run_of(arena_printf(&arena, "matrix(from=%s,as=bias)", name), "");
	}
}

/* ---- tokens ----------------------------------------------------------------------------------------- */

static void expect_labels(const char *expression, const char *lines, const char *const *labels,
			  size_t n)
{
	const struct trace t = run_of(expression, lines);
	assert_int_equal(t.query.n, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(t.query.labels[i], labels[i]);
}

TEST(tokens_are_those_of_the_file)
{
	static const char *const named[] = {"the", "\"cat\"", "\\x1Bsat"},
				 *const numbers[] = {"1", "2", "3"},
				 *const typed[] = {"a", "b", "c"},
				 *const turned[] = {"3", "2", "1"};
	help_write_text("named.csv", "\"the\",\"\"\"cat\"\"\",\"\x1bsat\"\n1,0,0\n1,0,0\n0,1,0\n");
	help_write_text("bare.csv", "1,0,0\n1,0,0\n0,1,0\n");
	expect_labels("matrix(from=named.csv)", "", named, 3);
	expect_labels("matrix(from=bare.csv)", "", numbers, 3);
	expect_labels("matrix(from=named.csv)", "sentence a b c", typed, 3);
	expect_labels("matrix(from=bare.csv)", "order reverse", turned, 3);
	/* The same tokens for all that are compared. */
	expect_labels("rope", "compare matrix(from=named.csv)", named, 3);
	struct scene s = scene_of("matrix(from=bare.csv)", "sentence a b");
	expect_error(&s, "is for 3 tokens, and the sentence has 2; a sentence of 3");
	s = scene_of("matrix(from=bare.csv)", "order 2 1");
	expect_error(&s, "3");
	/* The default sentence is kept where it fits. */
	double *nine = arena_calloc(&arena, N * N, sizeof *nine);
	write_npy("nine.npy", nine, 0, N);
	assert_string_equal(run_of("matrix(from=nine.npy)", "").query.labels[1], "cat");
	s = scene_of("matrix(from=bare.csv)+matrix(from=nine.npy)", "");
	expect_error(&s, "is for 3 tokens");
	help_write_text("units.csv", "1,2\n3,4\n");
	s = scene_of("matrix(from=bare.csv)", "units units.csv\nheads 1");
	expect_error(&s, "is for 3 tokens, and units has 2 rows");
}

/* Entries are of places: words that change theirs find the same matrix. */
TEST(an_order_leaves_the_matrix_in_place)
{
	help_write_text("place.csv", "1,2,3\n-4,5,6\n7,8,9\n");
	for (size_t i = 0; i < 2; i++) {
		const struct trace t =
			run_of("matrix(from=place.csv)", i ? "sentence a b c\norder 3 1 2" : "");
		static const double want[] = {1, 2, 3, -4, 5, 6, 7, 8, 9};
		for (size_t k = 0; k < 9; k++)
			assert_true(fabs(t.layers[0].heads[0].bias.at[k] - want[k]) < 1e-12);
	}
	/* The places of another column: pieces of a word share one. */
	const struct trace words =
		run_of("matrix(from=place.csv,pos=word)", "sentence \"a b ##c\"");
	static const double shared[] = {1, 2, 2, -4, 5, 5, -4, 5, 5};
	for (size_t k = 0; k < 9; k++)
		assert_true(fabs(words.layers[0].heads[0].bias.at[k] - shared[k]) < 1e-12);
	struct measures m;
	struct err err = {""};
	const struct scene s = scene_of("matrix(from=place.csv)", "");
	assert_true(help_measure(&s.setup, NULL, &m, &err));
	assert_true(m.equivariance.there && m.equivariance.value > 1e-3);
	assert_false(m.shift.there);
	assert_false(m.insertion.there);
}

/* ---- bad files -------------------------------------------------------------------------------------- */

TEST(bad_matrices_are_refused)
{
	static const struct {
		const char *file, *text, *part;
	} rows[] = {
		{"rect.csv", "1,2,3\n4,5,6\n", "has no output: queries are other tokens than keys"},
		{"vector.json", "[1,2,3]", "is [3]; [q, k], [heads, q, k] or"},
		{"layers.json", "[[[[1]]],[[[1]]],[[[1]]]]",
		 "3 layers, the model 2; layers 3 would be right"},
		{"batch.json", "[[[[[1]]],[[[1]]]],[[[[1]]],[[[1]]]]]",
		 "is [2, 2, 1, 1, 1]; [q, k], [heads, q, k] or [layers, heads, q, k] would be right, "
		 "and which of its axes is a batch cannot be told: take one of it"},
		{"layer.json", "[[[[1,2],[3,4]]],[[[1,2],[\"nan\",4]]]]",
		 "layer 2, row 2, column 1 is nan"},
		{"w.pt", "PK", "numpy.save(FILE, t.detach().float().numpy()) writes what is"},
		{"w.pkl", "", "a pickle runs programs and is not read"},
		{"heads.json", "[[[1]],[[1]],[[1]]]",
		 "3 heads, the model 4; heads 3 and d-model 66 would be right"},
		{"two heads.json", "[[[1]],[[1]]]", "the model 4; heads 2 would be right"},
		{"nan.csv", "1,2\n3,nan\n", "row 2, column 2 is nan"},
		{"inf.csv", "1,inf\n3,4\n", "row 1, column 2 is inf; a number, or -inf"},
		{"nan.json", "[[[1,2],[3,4]],[[1,2],[\"nan\",4]]]",
		 "head 2, row 2, column 1 is nan"},
		{"word.csv", "1,2\n3,x\n", "line 2, column 2: \"x\" is not a number"},
		{"ragged.csv", "1,2\n3\n", "line 2: 1 columns"},
		{"empty.csv", "", "nothing in it"},
		{"short.npy", "\x93NUMPY", "not an npy file"},
		{"m.txt", "1", "must end in .safetensors, .gguf, .npz, .npy, .csv, .tsv or .json"},
		{"none.json", "{\"tensors\":{}}", "no tensor in it"},
		{"two.json",
		 "{\"tensors\":{\"u\":{\"shape\":[1,1],\"data\":[1]},"
		 "\"v\":{\"shape\":[1,1],\"data\":[1]}}}",
		 "several tensors (\"u\", \"v\"); give FILE:TENSOR"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		help_write_text(rows[i].file, rows[i].text);
		const struct scene s =
			scene_of(arena_printf(&arena, "matrix(from=\"%s\")", rows[i].file), "");
		expect_error(&s, rows[i].part);
		expect_error(&s, rows[i].file);
	}
	struct scene s = scene_of("matrix(from=two.json:w)", "");
	expect_error(&s, "no tensor \"w\"; there is \"u\", \"v\"");
	s = scene_of("matrix(from=missing.npy)", "");
	expect_error(&s, "no such file");
	help_write_text("minus.csv", "1,0\n-1,2\n");
	s = scene_of("matrix(from=minus.csv,as=weights)", "");
	expect_error(&s, "row 2, column 1 is -1; weights are finite and not negative");
	assert_int_equal(mkfifo("pipe.npy", 0600), 0);
	s = scene_of("matrix(from=pipe.npy)", "");
	expect_error(&s, "no regular file");
	assert_int_equal(remove("pipe.npy"), 0);
	s = scene_of("matrix", "sentence a b c d e f g h i j k l m n o p q");
	expect_error(&s, "without from=FILE it is a sample of 16 positions");
}

TEST(a_matrix_above_the_memory_is_refused)
{
	enum { MANY = 400 };
	write_npy("many.npy", arena_calloc(&arena, MANY * MANY, sizeof(double)), 0, MANY);
	const struct scene s = scene_of("matrix(from=many.npy)", "memory 1M");
	expect_error(&s, "above the limit of 1 MB; raise memory");
}

TEST(names_of_files_become_expressions)
{
	static const struct {
		const char *name, *expression;
	} rows[] = {
		{"a.npy", "matrix(from=a.npy)"},
		{"../d/a.safetensors:x.y", "matrix(from=../d/a.safetensors:x.y)"},
		{"a b.npy", NULL},
		{"a,b(c.npy", "matrix(from=\"a,b(c.npy\")"},
		{"a\"b.npy", NULL},
	};
	const char *out;
	struct err err = {""};
	struct expr e;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_true(given_expression(rows[i].name, &arena, &out, &err));
		if (rows[i].expression)
			assert_string_equal(out, rows[i].expression);
		assert_true(expr_parse(&e, out, &arena, &err));
		assert_string_equal(*(const char **)e.members[0].param, rows[i].name);
	}
	char name[PARAM_FILE_MAX + 1];
	memset(name, 'a', sizeof name);
	name[PARAM_FILE_MAX] = '\0';
	assert_false(given_expression(name, &arena, &out, &err));
	assert_non_null(strstr(err.text, "4096 bytes; at most 4095"));
	assert_false(given_expression("", &arena, &out, &err));
	assert_false(given_expression("a\nb.npy", &arena, &out, &err));
	assert_non_null(strstr(err.text, "control characters"));
}

/* ---- everywhere ------------------------------------------------------------------------------------- */

TEST_SAMPLED(every_view_shows_it, 1, 2)
{
	const struct trace rope = run_of("rope+causal", "");
	write_npy("view.npy", all_heads(&rope, 0, true), HEADS, N);
	write_npy("view-bias.npy", all_heads(&rope, 0, false), HEADS, N);
	static const char *const expressions[] = {"matrix(from=view.npy)",
						  "matrix(from=view-bias.npy)+causal",
						  "matrix(from=view-bias.npy,as=logits)", "matrix"};
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		for (size_t i = 0; i < 4 && !v->table; i++) { /* which is of all schemes */
			if ((i + (size_t)(at - views)) % test_parts != test_part)
				continue;
			struct arena a;
			arena_init(&a);
			const struct picture *p = help_picture(
				&a, expressions[i], arena_printf(&a, "view %s", v->name));
			help_figure_is_sound(&a, &p->figure, expressions[i]);
			arena_release(&a);
		}
}

TEST(check_has_an_answer)
{
	const struct trace alibi = run_of("alibi", "");
	write_npy("check.npy", all_heads(&alibi, 0, true), HEADS, N);
	help_write_text("check.csv", "1,2,3\n4,5,6\n7,8,9\n");
	static const char *const expressions[] = {"matrix(from=check.npy)",
						  "matrix(from=check.csv)", "matrix"};
	for (size_t i = 0; i < 3; i++) {
		const struct scene s = scene_of(expressions[i], "");
		struct verdict v[VERDICTS_MAX];
		struct err err = {""};
		size_t n;
		if (!analysis_check(&s.setup, NULL, &arena, v, &n, &err))
			fail_msg("%s: %s", expressions[i], err.text);
		for (size_t k = 0; k < n; k++)
			if (!v[k].ok)
				fail_msg("%s: %s: %s", expressions[i], v[k].claim, v[k].found);
	}
}

/* However large t-max is. */
TEST(a_file_ends_where_its_numbers_do)
{
	help_write_text("short.csv", "1,2,3\n4,5,6\n7,8,9\n");
	const struct scene of_file = scene_of("matrix(from=short.csv)", "");
	const struct scene of_sample = scene_of("matrix", "sentence a b c d e f g h i j k l m n");
	struct measures m;
	assert_true(help_measure(&of_file.setup, NULL, &m, NULL));
	assert_string_equal(m.shift.why, "n/a: beyond the file's positions");
	assert_string_equal(m.insertion.why, "n/a: beyond the file's positions");
	assert_true(help_measure(&of_sample.setup, NULL, &m, NULL));
	assert_string_equal(m.shift.why, "n/a: positions that it refuses");
}

/* Each file is fine by itself; 2e308 is no number. The square of 2e154, half of it or not, neither. */
TEST(numbers_that_are_not_finite_are_refused)
{
	static const double large[] = {1, 0, 1e308, 0};
	double units[16], weights[64] = {0};
	struct tensor_set set;
	tensor_set_init(&set, &arena);
	for (size_t i = 0; i < 64; i++)
		weights[i] = i % 9 == 0 ? 1e200 : 0;
	for (size_t i = 0; i < 16; i++)
		units[i] = i == 13 ? 2e154 : 1;
	write_npy("large.npy", large, 0, 2);
	tensor_set_add(&set, "w_v", mat_view(weights, 8, 8), false);
	tensor_set_add(&set, "units", mat_view(units, 2, 8), false);
	write_set("large.safetensors", &set);
	static const char narrow[] = "sentence a b\nd-model 8\nheads 2\nlayers 1\n";
	static const struct {
		const char *expression, *lines, *message;
	} rows[] = {
		{"matrix(from=large.npy)+matrix(from=large.npy)", "",
		 "layer 1, head 1: the logit of query 2 \"b\" and key 1 \"a\" is infinite after "
		 "matrix#2; smaller"},
		{"matrix(from=large.npy)+formula(b=1e308)", "",
		 "is infinite after formula; smaller"},
		{"formula(b=-1e308)+formula(b=-1e308)", "",
		 "layer 1, head 1: the logit of query 1 \"a\" and key 1 \"a\" is negative infinite "
		 "after formula#2"},
		{"rope", "units large.safetensors:units",
		 "layer 1, head 2: the logit of query 2 \"b\" and key 2 \"b\" is infinite; "
		 "smaller"},
		{"alibi", "units large.safetensors:units", "is infinite; smaller"},
		{"gauss", "units large.safetensors:units",
		 "layer 1: the output of token 2 \"b\" is not a number"},
		{"gauss", "weights large.safetensors\nunits large.safetensors:units",
		 "layer 1: the value of token 2 \"b\" is infinite"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene s = scene_of(
			rows[i].expression, arena_printf(&arena, "%s%s", narrow, rows[i].lines));
		expect_error(&s, rows[i].message);
	}
	run_of("matrix(from=large.npy)", narrow);
}
