/* test_map_rows.c: parameters out of tables of others: rows of a tensor, and kernels as PyTorch has
 * them. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_learned.h"

static struct model model;
static struct err err;

FIXTURE(open_arena, close_arena)

/* table [9,2] of 10·row + column, vector of 0, 1, 2, kernel [out 2, in 3, tap 1 … 3]. */
static bool build(const char *expression, size_t d, const char *map)
{
	static const double vector[] = {0, 1, 2};
	static double kernel[2 * 2 * 3];
	struct tensor_set *set = arena_calloc(&arena, 1, sizeof *set);
	struct expr *e = arena_calloc(&arena, 1, sizeof *e);
	struct member *members = arena_calloc(&arena, MODEL_MAX_MEMBERS, sizeof *members);
	const char **maps = arena_calloc(&arena, 1, sizeof *maps);
	struct given *given = arena_calloc(&arena, 1, sizeof *given);
	tensor_set_init(set, &arena);
	const struct mat table = mat_new(&arena, 9, 2);
	for (size_t i = 0; i < 18; i++)
		table.at[i] = (double)(10 * (i / 2) + i % 2);
	tensor_set_add(set, "table", table, false);
	tensor_set_add(set, "table[1]", mat_zero(&arena, 1, 2), false);
	tensor_set_add(set, "vector", mat_view((double *)(uintptr_t)vector, 1, 3), true);
	for (size_t i = 0; i < 12; i++)
		kernel[i] = (double)(100 * (i / 6) + 10 * (i / 3 % 2) + i % 3);
	tensor_set_add(set, "kernel_1", mat_view(kernel, 4, 3), false);
	struct tensor *t = (struct tensor *)(uintptr_t)tensor_find(set, "kernel_1");
	t->dims = 3, t->shape[0] = 2, t->shape[1] = 2, t->shape[2] = 3;
	*maps = map;
	*given = (struct given){.params = set, .map = maps, .map_count = map ? 1 : 0};
	const struct model_config config = {.d = d,
					    .heads = 1,
					    .layers = 1,
					    .ff = 4,
					    .t_max = 4,
					    .content = 2,
					    .norm_eps = 1e-5};
	size_t n;
	memset(&err, 0, sizeof err);
	if (!expr_parse(e, expression, &arena, &err) || !expr_members(e, members, &n, &arena, &err))
		fail_msg("%s: %s", expression, err.text);
	return model_build(&model, &config, members, n, given, &arena, &err);
}

TEST(rows_are_taken_in_the_order_written)
{
	static const struct {
		const char *map;
		double rows[4];
	} cases[] = {
		{"p=table[:4]", {0, 10, 20, 30}},
		{"p=table[5:]", {50, 60, 70, 80}},
		{"p=table[8,0,3:5]", {80, 0, 30, 40}},
		{"p=table[2,2,2,2]", {20, 20, 20, 20}},
		{"learned.p=table[1:3,1:3]", {10, 20, 10, 20}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (!build("learned", 2, cases[i].map))
			fail_msg("%s: %s", cases[i].map, err.text);
		const struct mat p = help_leaf(&model, "p");
		for (size_t t = 0; t < 4; t++)
			for (size_t j = 0; j < 2; j++)
				if (mat_row(p, t)[j] != cases[i].rows[t] + (double)j)
					fail_msg("%s: row %zu", cases[i].map, t);
	}
	assert_true(build("alibi+kerple_log(layers=1)", 2, "p=vector[2]"));
	assert_true(help_leaf(&model, "p").at[0] == 2);
}

/* A tensor may be called so; then it is meant. */
TEST(a_name_comes_before_rows)
{
	assert_false(build("learned", 2, "p=table[1]"));
	assert_non_null(strstr(err.text, "\"table[1]\" is 1 x 2"));
}

TEST(wrong_rows_are_refused_by_name)
{
	static const char *const cases[][2] = {
		{"p=table[0:10]", "map: rows of \"table[0:10]\": \"10\" is out of range"},
		{"p=table[9]", "it must be from 0 to 8"},
		{"p=table[]", "\"\" is not a whole number"},
		{"p=table[1,]", "\"\" is not a whole number"},
		{"p=table[3:3]", "\"3\" is out of range, it must be from 4 to 9"},
		{"p=table[-1]", "out of range"},
		{"p=table[1:2:3]", "\"2:3\" is not a whole number"},
		{"p=table[:3]", "params: \"table[:3]\" is 3 x 2; learned.p needs 4 x 2"},
		{"p=tabel[:4]", "map: no tensor \"tabel[:4]\""},
		{"p=[:4]", "map: no tensor \"[:4]\""},
		{"p=]", "map: no tensor \"]\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_false(build("learned", 2, cases[i][0]));
		if (!strstr(err.text, cases[i][1]))
			fail_msg("%s: %s", cases[i][0], err.text);
	}
}

/* Row tap·in + i, column o of [o, i, tap]. */
TEST(kernels_of_pytorch_are_turned)
{
	assert_true(build("cnn(depth=1,width=3)", 2, NULL));
	const struct mat k = help_leaf(&model, "kernel_1");
	assert_true(k.rows == 6 && k.cols == 2);
	for (size_t tap = 0; tap < 3; tap++)
		for (size_t in = 0; in < 2; in++)
			for (size_t out = 0; out < 2; out++)
				assert_true(mat_row(k, 2 * tap + in)[out] ==
					    (double)(100 * out + 10 * in + tap));
}
