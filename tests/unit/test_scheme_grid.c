/* test_scheme_grid.c: schemes whose positions are rows and columns: the authors' codes, worked
 * numbers, limits. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "posviz/scheme/scheme.h"
#include "help_arena.h"
#include "help_learned.h"
#include "help_setup.h"
#include "help_tensors.h"

FIXTURE(open_arena, close_arena)

/* ---- the cases ------------------------------------------------------------------------------- */

/* Gives the cells: of `grid` rows and columns, in the order of positions.yx if there is one; tokens
 * in front are no patches. */
static void cells(struct model_input *in, const struct tensor_set *set, struct arena *a)
{
	const struct mat grid = tensor_mat(tensor_find(set, "grid"));
	const struct tensor *const yx = tensor_find(set, "positions.yx");
	const size_t n = in->axis.n, wide = (size_t)grid.at[1];
	const size_t patches = (size_t)(grid.at[0] * grid.at[1]), before = n - patches;
	double *const picture = arena_calloc(a, n, sizeof *picture);
	double *const row = arena_calloc(a, n, sizeof *row), *const col = arena_calloc(a, n,
										       sizeof *col);
	for (size_t i = before; i < n; i++) {
		const size_t k = i - before;
		const bool listed = yx && strstr(yx->name, "yx") && tensor_mat(yx).rows == patches;
		const double *const own = listed ? mat_row(tensor_mat(yx), k) : NULL;
		const bool whole =
			own && own[0] == floor(own[0]) && own[1] == floor(own[1]) && own[0] >= 0;
		picture[i] = 1;
		row[i] = whole ? own[0] : (double)(k / wide);
		col[i] = whole ? own[1] : (double)(k % wide);
	}
	in->places[PLACE_PICTURE] = picture;
	in->places[PLACE_ROW] = row;
	in->places[PLACE_COLUMN] = col;
}

static void swap_rates(struct tensor_set *set, struct arena *a)
{
	(void)a;
	assert_non_null(tensor_find(set, "param.freqs"));
}

/* Leaves of iRPE are [buckets, copies·d_h]; the file has [copies, d_h, buckets], or of values
 * [copies, buckets, d_h]. */
static void irpe_tables(struct tensor_set *set, struct arena *a)
{
	const size_t n = set->count;
	for (size_t i = 0; i < n; i++) {
		const struct tensor *const t = &set->tensors[i];
		if (strncmp(t->name, "param.table_", 12) != 0)
			continue;
		struct mat at = tensor_mat(t);
		if (t->name[12] == 'v') {
			const size_t copies = t->shape[0], rows = t->shape[1];
			const struct mat out = mat_new(a, rows, copies * at.cols);
			for (size_t c = 0; c < copies; c++)
				mat_set(mat_cols(out, c * at.cols, at.cols),
					mat_rows(at, c * rows, rows));
			at = out;
		} else {
			at = mat_transpose(a, at);
		}
		tensor_set_add(set, arena_printf(a, "mine.%s", t->name + 6), at, false);
	}
}

#define MINE(name) name "=mine." name

TEST(authors_vectors)
{
	static const struct help_case cases[] = {
		{.file = "grid/rope2d-axial-a.safetensors",
		 .expression = "rope_2d(first=columns,base=100)",
		 .structure = cells},
		{.file = "grid/rope2d-mixed-a.safetensors",
		 .expression = "rope_mixed",
		 .reshape = swap_rates,
		 .structure = cells},
		{.file = "grid/rope2d-dinov3-a.safetensors",
		 .expression = "rope_2d(coordinates=separate,base=100,layout=half)",
		 .structure = cells},
		{.file = "grid/rope2d-qwen2vl-a.safetensors",
		 .expression = "rope_2d(layout=half)",
		 .structure = cells},
		{.file = "grid/swin-a.safetensors",
		 .expression = "swin(rows=2,columns=3)",
		 .structure = cells},
		{.file = "grid/swin-shifted-a.safetensors",
		 .expression = "swin(rows=2,columns=2,shift=1)",
		 .masked_logits = true,
		 .structure = cells},
		{.file = "grid/irpe-product-ctx-k-a.safetensors",
		 .expression = "irpe",
		 .reshape = irpe_tables,
		 .map = {MINE("table_k")},
		 .structure = cells},
		{.file = "grid/irpe-product-bias-k-a.safetensors",
		 .expression = "irpe(mode=bias,shared=off,special=off)",
		 .reshape = irpe_tables,
		 .map = {MINE("table_k")},
		 .structure = cells},
		{.file = "grid/irpe-cross-ctx-qk-a.safetensors",
		 .expression = "irpe(method=cross,on=qk,special=off)",
		 .reshape = irpe_tables,
		 .map = {MINE("table_k_rows"), MINE("table_k_cols"), MINE("table_q_rows"),
			 MINE("table_q_cols")},
		 .structure = cells},
		{.file = "grid/irpe-euc-ctx-qkv-a.safetensors",
		 .expression = "irpe(method=euclidean,on=qkv,shared=off,special=off)",
		 .reshape = irpe_tables,
		 .map = {MINE("table_k"), MINE("table_q"), MINE("table_v")},
		 .structure = cells},
		{.file = "grid/irpe-quant-bias-k-a.safetensors",
		 .expression = "irpe(method=quantization,mode=bias,shared=off,special=off)",
		 .reshape = irpe_tables,
		 .map = {MINE("table_k")},
		 .structure = cells},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		const size_t compared = help_case_compare(&r, &cases[i]);
		if (compared < 10) /* logits, weights, contexts, q and k of two heads */
			fail_msg("%s: %zu compared", cases[i].file, compared);
		help_case_close(&r);
	}
}

/* Checks the vectors that an expression adds at the input, for pictures of a text. */
static void expect_vectors(const char *file, const char *expression, const char *sentence,
			   const char *special)
{
	struct tensor_set set;
	struct err err = {""};
	tensor_set_init(&set, &arena);
	const char *const path = arena_printf(&arena, "%s/grid/%s.safetensors", test_data, file);
	if (!help_tensors(&set, path, &err))
		fail_msg("%s", err.text);
	const struct mat want = tensor_mat(tensor_find(&set, "position.vectors"));
	struct scene s = help_scene_read("heads 1\nlayers 1\n");
	help_set(&s, "sentence", sentence);
	help_set(&s, "special", special);
	help_set(&s, "scheme", expression);
	help_set(&s, "d-model", arena_printf(&arena, "%zu", want.cols));
	if (tensor_find(&set, "param.p") || tensor_find(&set, "param.x") ||
	    tensor_find(&set, "param.kernel"))
		help_set(&s, "params", path);
	const struct tensor *const input = tensor_find(&set, "input");
	if (input)
		help_set(&s, "units", arena_printf(&arena, "%s:input", path));
	struct built b = help_build(&s);
	struct trace trace;
	struct model_input in;
	built_input(&s.setup, &b, &b.input, &arena, &in);
	const struct want w = {.kinds = WANT_POSITION, .layer = -1, .head = -1};
	if (!built_run(&b, &in, &w, NULL, NULL, &arena, &trace, &err))
		fail_msg("%s: %s", file, err.text);
	help_assert_near(trace.position_vectors, want, 1e-9, file);
}

TEST(authors_vectors_at_the_input)
{
	expect_vectors("sin2d-mae-a", "sinusoidal_2d", "<image 3x3>", "cls");
	expect_vectors("sin2d-moco-a", "sinusoidal_2d(freq=t2t)", "<image 3x3>", "none");
	expect_vectors("learned2d-interp-a", "learned_2d(rows=3,columns=3)", "<image 4x5>", "cls");
	expect_vectors("learned2d-concat-a", "learned_2d(tables=two,rows=4,columns=5)",
		       "<image 4x5>", "none");
	expect_vectors("cpe-a", "cpe", "<image 3x4>", "none");
}

/* ---- worked numbers -------------------------------------------------------------------------- */

static struct mat vectors_of(const char *sentence, const char *expression, const char *d)
{
	struct scene s = help_scene_read("heads 1\nlayers 1\n");
	help_set(&s, "sentence", sentence);
	help_set(&s, "scheme", expression);
	help_set(&s, "d-model", d);
	struct built b;
	(void)help_run(&s, &b);
	struct trace trace;
	struct model_input in;
	built_input(&s.setup, &b, &b.input, &arena, &in);
	const struct want w = {.kinds = WANT_POSITION, .layer = -1, .head = -1};
	assert_true(built_run(&b, &in, &w, NULL, NULL, &arena, &trace, NULL));
	return trace.position_vectors;
}

/* d 8, column 2, row 1 */
TEST(sinusoids_of_a_patch)
{
	static const double mae[] = {.909297427, .019998667, -.416146837, .999800007,
				     .841470985, .009999833, .540302306,  .999950000};
	static const double moco[] = {.909297427, .0002, -.416146837, .99999998,
				      .841470985, .0001, .540302306,  .999999995};
	const double *const a = mat_row(vectors_of("<image 2x3>", "sinusoidal_2d", "8"), 5);
	const double *const b =
		mat_row(vectors_of("<image 2x3>", "sinusoidal_2d(freq=t2t)", "8"), 5);
	for (size_t i = 0; i < 8; i++) {
		assert_true(fabs(a[i] - mae[i]) < 1e-9);
		assert_true(fabs(b[i] - moco[i]) < 1e-8);
	}
}

/* 3 -> 4 rows: the weights of rows 0 and 1 of the picture. */
TEST(a_resized_table_reads_between_its_rows)
{
	static const double weights[2][3] = {{1.071777344, -.071777344, 0},
					     {.360351562, .749511719, -.109863281}};
	struct scene s =
		help_scene_read("tokens words\nsentence <image 4x1>\nheads 1\nlayers 1\nd-model 4\n"
				"scheme learned_2d(rows=3,columns=1)\n");
	struct built b = help_build(&s);
	struct leaf *const p = help_leaf_of(&b.model, "p");
	mat_fill(p->at, 0);
	for (size_t i = 0; i < 3; i++)
		mat_row(p->at, 1 + i)[i] = 1;
	struct trace trace;
	struct model_input in;
	built_input(&s.setup, &b, &b.input, &arena, &in);
	const struct want w = {.kinds = WANT_POSITION, .layer = -1, .head = -1};
	assert_true(built_run(&b, &in, &w, NULL, NULL, &arena, &trace, NULL));
	for (size_t row = 0; row < 2; row++)
		for (size_t i = 0; i < 3; i++)
			assert_true(fabs(mat_row(trace.position_vectors, row)[i] -
					 weights[row][i]) < 1e-8);
}

/* A grid of ones and a kernel of ones: 4, 6 and 9 patches are met, less the patch itself. */
TEST(a_convolution_meets_the_border)
{
	struct scene s =
		help_scene_read("tokens words\nsentence <image 3x3>\nheads 1\nlayers 1\nd-model 4\n"
				"scheme cpe\n");
	struct built b = help_build(&s);
	mat_fill(help_leaf_of(&b.model, "kernel")->at, 1);
	mat_fill(help_leaf_of(&b.model, "bias")->at, 0);
	struct trace trace;
	struct model_input in;
	built_input(&s.setup, &b, &b.input, &arena, &in);
	mat_fill(in.units, 1);
	const struct want w = {.kinds = WANT_POSITION | WANT_INPUT, .layer = -1, .head = -1};
	assert_true(built_run(&b, &in, &w, NULL, NULL, &arena, &trace, NULL));
	static const double sums[] = {5, 7, 5, 7, 10, 7, 5, 7, 5};
	for (size_t t = 0; t < 9; t++)
		assert_true(fabs(mat_row(trace.layers[0].input, t)[2] - sums[t]) < 1e-12);
	/* kernel 0: the bias alone, the same for every patch */
	mat_fill(help_leaf_of(&b.model, "kernel")->at, 0);
	mat_fill(help_leaf_of(&b.model, "bias")->at, 3);
	assert_true(built_run(&b, &in, &w, NULL, NULL, &arena, &trace, NULL));
	for (size_t t = 0; t < 9; t++)
		assert_true(mat_row(trace.position_vectors, t)[1] == 3);
}

static struct mat kept(const struct scene *s, const char *name)
{
	struct built b = help_build(s);
	struct trace trace;
	struct model_input in;
	struct err err = {""};
	built_input(&s->setup, &b, &b.input, &arena, &in);
	const struct want w = {.kinds = WANT_KEPT, .layer = -1, .head = -1};
	if (!built_run(&b, &in, &w, NULL, NULL, &arena, &trace, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < trace.n_kept; i++)
		if (strcmp(trace.kept[i].name, name) == 0)
			return trace.kept[i].at;
	fail_msg("no %s", name);
	return (struct mat){0};
}

/* The middles of 2 rows and 3 columns, from -1 to 1, times 2π; of a head of 8 each axis has the periods
 * 1 and 100^(4/8), the rows first. */
TEST(coordinates_of_dinov3_are_those_worked_out)
{
	static const double cells[][2] = {{-.5, -2. / 3}, {-.5, 0}, {-.5, 2. / 3},
					  {.5, -2. / 3},  {.5, 0},  {.5, 2. / 3}};
	const struct scene s =
		help_scene_read("tokens words\nsentence <image 2x3>\nd-model 8\nheads 1\nscheme "
				"rope_2d(coordinates=separate,base=100,layout=half)\n");
	const struct mat c = kept(&s, "member.rope_2d.cos"), sine = kept(&s, "member.rope_2d.sin");
	for (size_t t = 0; t < 6; t++)
		for (size_t i = 0; i < 4; i++) {
			const double angle = 2 * M_PI * cells[t][i / 2] / (i % 2 ? 10 : 1);
			assert_true(fabs(mat_row(c, t)[i] - cos(angle)) < 1e-12);
			assert_true(fabs(mat_row(sine, t)[i] - sin(angle)) < 1e-12);
		}
}

/* A head of 8: axial θ = 1 and .1 at base 100; mixed rates begin with 1 and .316227766, along x and
 * then along y. */
TEST(rates_of_a_small_head_are_those_worked_out)
{
	static const double axial[] = {1, .1, 1, .1};
	static const double x[] = {1, .316227766, 0, 0}, y[] = {0, 0, 1, .316227766};
	struct scene s = help_scene_read("tokens words\nsentence <image 2x3>\nd-model 8\nheads 1\n"
					 "scheme rope_2d(first=columns,base=100)\n");
	const struct mat rate = kept(&s, "member.rope_2d.rate");
	help_set(&s, "scheme", "rope_mixed");
	struct built b = help_build(&s);
	const struct mat mixed = help_leaf_of(&b.model, "freqs")->at;
	for (size_t i = 0; i < 4; i++) {
		assert_true(fabs(rate.at[i] - axial[i]) < 1e-12);
		assert_true(fabs(mat_row(mixed, 0)[i] - x[i]) < 1e-9);
		assert_true(fabs(mat_row(mixed, 1)[i] - y[i]) < 1e-9);
	}
}

/* Wh 2, Ww 3 */
TEST(rows_of_the_window_table)
{
	const struct scene s = help_scene_read(
		"tokens words\nsentence <image 2x3>\nscheme swin(rows=2,columns=3)\n");
	const struct mat index = kept(&s, "member.swin.index.window");
	static const double first[] = {7, 6, 5, 2, 1, 0}, last[] = {14, 13, 12, 9, 8, 7};
	assert_memory_equal(mat_row(index, 0), first, sizeof first);
	assert_memory_equal(mat_row(index, 5), last, sizeof last);
}

/* g(x) for x = 0, 1 .. of columns: 0 1 2 2 3 3 3, seven buckets an axis. */
TEST(buckets_of_irpe)
{
	const struct scene s = help_scene_read(
		"tokens words\nsentence <image 1x7>\nscheme irpe(method=cross,special=off)\n");
	const struct mat index = kept(&s, "member.irpe.index.bucket of columns");
	static const double buckets[] = {0, 1, 2, 2, 3, 3, 3};
	for (size_t x = 0; x < 7; x++) {
		assert_true(mat_row(index, x)[0] == 3 + buckets[x]);
		assert_true(mat_row(index, 0)[x] == 3 - buckets[x]);
	}
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* One row of patches: half of the pairs are RoPE's of a head half as wide, the others stand. */
TEST(one_axis_constant_is_rope_on_half_of_the_pairs)
{
	const struct scene s =
		help_scene_read("tokens words\nsentence <image 1x5>\nscheme rope_2d\n");
	const struct mat c = kept(&s, "member.rope_2d.cos");
	const struct scene half = help_scene_read("sentence a b c d e\nd-model 32\nscheme rope\n");
	const struct mat one = kept(&half, "member.rope.cos");
	assert_int_equal(c.cols, 2 * one.cols);
	for (size_t t = 0; t < 5; t++)
		for (size_t i = 0; i < one.cols; i++) {
			assert_true(mat_row(c, t)[i] == 1);
			assert_true(fabs(mat_row(c, t)[one.cols + i] - mat_row(one, t)[i]) < 1e-15);
		}
}

/* Row 0 is the class token's, the others those of the patches, as in a table of seven positions. */
TEST(a_table_of_its_own_size_is_learned)
{
	const struct scene s = help_scene_read(
		"tokens words\nsentence <image 2x3>\nspecial cls\nscheme learned_2d(rows=2,columns=3)\n");
	struct built b = help_build(&s);
	struct trace trace;
	struct model_input in;
	built_input(&s.setup, &b, &b.input, &arena, &in);
	const struct want w = {.kinds = WANT_POSITION, .layer = -1, .head = -1};
	assert_true(built_run(&b, &in, &w, NULL, NULL, &arena, &trace, NULL));
	const struct mat p = help_leaf_of(&b.model, "p")->at;
	assert_true(p.rows == 7 && mat_max_abs_diff(trace.position_vectors, p) < 1e-12);
}

static double apart(const struct scene *a, const struct scene *b)
{
	return help_logits_apart(help_trace(a), help_trace(b), 0, 1);
}

/* Rates (θ,0) and (0,θ): the angle 0 of the demonstration's first head. */
TEST(mixed_rates_along_the_axes_are_axial)
{
	struct scene s =
		help_scene_read("tokens words\nsentence <image 3x4>\nscheme rope_mixed\nheads 1\n"
				"d-model 16\nlayers 1\n");
	struct scene axial = s;
	help_set(&axial, "scheme", "rope_2d(first=columns,base=10)");
	assert_true(help_logits_apart(help_trace(&s), help_trace(&axial), 0, 1) < 1e-12);
	help_set(&axial, "scheme", "rope_2d(base=10)");
	assert_true(help_logits_apart(help_trace(&s), help_trace(&axial), 0, 1) > 1e-6);
}

TEST(a_picture_is_the_text_that_fills_its_rows)
{
	static const char *const schemes[] = {
		"rope_2d", "rope_mixed", "sinusoidal_2d", "learned_2d", "cpe", "swin", "irpe"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		struct scene text = help_scene_read("sentence r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 "
						    "r2c4\n");
		struct scene picture = help_scene_read("tokens words\nsentence <image 2x4>\n");
		help_set(&text, "scheme", schemes[i]);
		help_set(&picture, "scheme", schemes[i]);
		if (!(apart(&text, &picture) < 1e-12))
			fail_msg("%s", schemes[i]);
	}
	struct scene asked = help_scene_read("tokens words\nsentence <image 2x4>\n");
	static const char *const wide[] = {"rope_2d(grid=7)", "rope(grid=3)", "irpe(grid=5)"};
	for (size_t i = 0; i < 3; i++) {
		help_set(&asked, "scheme", wide[i]);
		struct built *const b = arena_calloc(&arena, 1, sizeof *b);
		struct trace trace;
		struct err err = {""};
		const struct want want = {.kinds = WANT_LOGITS, .layer = -1, .head = -1};
		assert_false(evaluate(&asked.setup, &want, NULL, NULL, &arena, b, &trace, &err));
		assert_non_null(strstr(err.text, "a picture of 4 columns; leave grid out"));
	}
}

/* Tokens that are no patches do not rotate, and a bias of zeros is none. */
TEST(words_beside_a_picture_have_no_cell)
{
	struct scene s = help_scene_read(
		"tokens words\nsentence a <image 2x2> b\nscheme rope_2d(start=3)\n");
	const struct mat c = kept(&s, "member.rope_2d.cos");
	for (size_t i = 0; i < c.cols; i++)
		assert_true(mat_row(c, 0)[i] == 1 && mat_row(c, 5)[i] == 1);
	assert_true(mat_row(c, 1)[0] < 1);
	struct scene none = s;
	help_set(&none, "scheme", "none");
	help_set(&s, "scheme", "irpe(on=qkv)");
	help_set(&s, "init", "paper");
	assert_true(apart(&s, &none) < 1e-12);
}

/* Windows part the picture; the weights of a patch are of its window alone. */
TEST(windows_part_the_picture)
{
	const struct scene s = help_scene_read(
		"tokens words\nsentence <image 4x4>\nscheme swin(rows=2,columns=2,shift=1)\n");
	const struct mat region = kept(&s, "member.swin.regions");
	/* The window that joins the four corners: each alone in its region. */
	static const size_t corners[] = {0, 3, 12, 15};
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 4; k++)
			assert_true(mat_row(region, corners[i])[corners[k]] == (i == k ? 0 : -100));
	const struct trace *const trace = help_trace(&s);
	const struct mat w = trace->layers[0].heads[0].weights;
	assert_true(mat_row(w, 5)[6] > 0 && mat_row(w, 5)[10] > 0 && mat_row(w, 5)[4] == 0);
}

TEST(wrong_parameters_are_said)
{
	static const char *const rows[][2] = {
		{"swin(rows=2,columns=2,shift=2)", "is shifted by less than 2"},
		{"irpe(mode=bias,on=kv)", "mode=bias adds numbers"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct expr e;
		struct err err = {""};
		assert_false(expr_parse(&e, rows[i][0], &arena, &err));
		if (!strstr(err.text, rows[i][1]))
			fail_msg("%s: %s", rows[i][0], err.text);
	}
}

/* The rate of a pair is that of its own number, whatever the steps at the ends of rows. */
TEST(rates_are_of_rows_and_columns)
{
	static const char *const scenes[] = {"sentence a b c d e f g\nscheme rope_2d\n",
					     "tokens words\nsentence go <image 3x5> on\nscheme "
					     "rope_2d(first=columns)\n"};
	for (size_t i = 0; i < 2; i++) {
		const struct scene s = help_scene_read(scenes[i]);
		const struct mat rate = kept(&s, "member.rope_2d.rate");
		const struct mat axis = kept(&s, "member.rope_2d.axis");
		for (size_t k = 0; k < 8; k++) {
			assert_true(fabs(rate.at[k] - pow(10, -(double)(k % 4))) < 1e-15);
			assert_true(axis.at[k] ==
				    ((k < 4) == (i == 0) ? PLACE_HEIGHT : PLACE_WIDTH));
		}
	}
	/* DINOv3: 2π of a coordinate from -1 to 1 over 5 columns is 4π/5 for each of them. */
	const struct scene s = help_scene_read("tokens words\nsentence <image 3x5>\nscheme "
					       "rope_2d(coordinates=separate)\n");
	const struct mat rate = kept(&s, "member.rope_2d.rate");
	assert_true(fabs(rate.at[0] - 4 * M_PI / 3) < 1e-12);
	assert_true(fabs(rate.at[4] - 4 * M_PI / 5) < 1e-12);
}

/* The bias of two patches depends on their rows and columns by differences alone. */
TEST(offsets_decide_alone)
{
	static const char *const schemes[] = {
		"rope_2d",	    "rope_2d(coordinates=min,base=100)",
		"rope_mixed",	    "irpe(on=qk)",
		"log_cpb(grid=on)", "swin(rows=3,columns=4)"};
	for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
		struct scene s = help_scene_read("tokens words\nsentence <image 3x4>\n");
		struct built b;
		help_set(&s, "scheme", schemes[k]);
		const struct trace trace = help_run(&s, &b);
		const struct mat bias = trace.layers[0].heads[1].bias;
		double lo, hi;
		assert_true(mat_range(bias, &lo, &hi) && hi - lo > 1e-3);
		for (size_t t = 0; t < 12; t++)
			for (size_t u = 0; u < 12; u++) {
				const size_t right = t % 4 < 3 && u % 4 < 3, down = t < 8 && u < 8;
				const double here = mat_row(bias, t)[u];
				if ((right && fabs(mat_row(bias, t + 1)[u + 1] - here) > 1e-9) ||
				    (down && fabs(mat_row(bias, t + 4)[u + 4] - here) > 1e-9))
					fail_msg("%s: %zu %zu", schemes[k], t, u);
			}
	}
}

TEST(a_table_of_zeros_is_none)
{
	struct scene s = help_scene_read("tokens words\nsentence <image 2x3>\nlayers 1\n");
	help_set(&s, "scheme", "swin(rows=2,columns=3)");
	struct built b = help_build(&s);
	mat_fill(help_leaf_of(&b.model, "bias_table")->at, 0);
	struct trace trace;
	struct model_input in;
	built_input(&s.setup, &b, &b.input, &arena, &in);
	const struct want w = {.kinds = WANT_LOGITS, .layer = -1, .head = -1};
	assert_true(built_run(&b, &in, &w, NULL, NULL, &arena, &trace, NULL));
	help_set(&s, "scheme", "none");
	assert_true(help_logits_apart(&trace, help_trace(&s), 0, 1) < 1e-12);
	help_set(&s, "scheme", "swin(bias=off)");
	assert_true(help_logits_apart(&trace, help_trace(&s), 0, 1) < 1e-12);
}

/* The class token and words get no vector; of one table they get its first row. */
TEST(tokens_outside_pictures_get_no_cell)
{
	static const char *const schemes[] = {"sinusoidal_2d", "learned_2d(tables=two)", "cpe"};
	for (size_t k = 0; k < 3; k++) {
		const struct mat v = vectors_of("go <image 2x2>", schemes[k], "16");
		assert_true(help_row_norm(v, 0) == 0);
		assert_true(help_row_norm(v, 4) > 0);
	}
	const struct mat v = vectors_of("go <image 2x2> on", "learned_2d", "16");
	assert_true(mat_max_abs_diff(mat_rows(v, 0, 1), mat_rows(v, 5, 1)) < 1e-12);
	assert_true(help_row_norm(v, 0) > 0);
}

/* A picture that is larger than two tables is refused; one table is resized. */
TEST(tables_that_are_too_small_are_said)
{
	static const char *const rows[][2] = {
		{"tokens words\nsentence <image 2x5>\nscheme learned_2d(tables=two,columns=4)\n",
		 "has vectors for 4 columns, and this input needs number 5; columns=5"},
		{"tokens words\nsentence <image 3x2>\nscheme learned_2d(tables=two,rows=2)\n",
		 "has vectors for 2 rows, and this input needs number 3; rows=3"}};
	for (size_t i = 0; i < 2; i++) {
		const struct scene s = help_scene_read(rows[i][0]);
		struct built *const b = arena_calloc(&arena, 1, sizeof *b);
		struct trace trace;
		struct err err = {""};
		const struct want want = {.kinds = WANT_LOGITS, .layer = -1, .head = -1};
		assert_false(evaluate(&s.setup, &want, NULL, NULL, &arena, b, &trace, &err));
		if (!strstr(err.text, rows[i][1]))
			fail_msg("%s", err.text);
	}
}

/* What the card says of shifted windows can be written: odd layers have whole windows, even ones others. */
TEST(the_card_of_swin_says_how_layers_alternate)
{
	const char *const about = scheme_find("swin", 4, NULL)->about;
	assert_non_null(strstr(about, "swin(shift=2,layers=even)"));
	assert_non_null(strstr(about, "layers=odd"));
	const struct scene s = help_scene_read("tokens words\nsentence <image 8x8>\nscheme "
					       "swin(layers=odd)+swin(shift=2,layers=even)\n");
	const struct scene whole =
		help_scene_read("tokens words\nsentence <image 8x8>\nscheme swin\n");
	const struct trace *const t = help_trace(&s), *const one = help_trace(&whole);
	assert_true(help_output_apart(t, one, 0) < 1e-12);
	assert_true(help_output_apart(t, one, 1) > 1e-3);
}
