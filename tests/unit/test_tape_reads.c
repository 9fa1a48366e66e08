/* test_tape_reads.c: what results read of a recorded leaf, marked by hand, and that all else may be anything. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/math/tape.h"

FIXTURE(open_arena, close_arena)

enum { ROWS = 6, COLS = 4 };

typedef struct node *build_fn(struct tape *t, struct node *leaf);

static struct node *ones(struct tape *t, size_t rows, size_t cols)
{
	return tape_ones(t, rows, cols);
}

static const int32_t rows_4_1[] = {4, 1};
static const int32_t cells[] = {1, -1, 3, 1};
static const struct index index_2_2 = {2, 2, COLS, cells};

static struct node *gathered(struct tape *t, struct node *leaf)
{
	return tape_gather_rows(t, leaf, rows_4_1, 2);
}

static struct node *second_gathered(struct tape *t, struct node *leaf)
{
	return tape_slice(t, gathered(t, leaf), 1, 1, 0, 2);
}

/* The product of whole tables, of which two rows are taken. */
static struct node *projected(struct tape *t, struct node *leaf)
{
	struct node *const all = tape_matmul(t, leaf, false, ones(t, COLS, 3), false, 1);
	return tape_gather_rows(t, all, rows_4_1, 2);
}

/* x·leafᵀ, of which columns are looked up: those are rows of the leaf. */
static struct node *products(struct tape *t, struct node *leaf)
{
	static const int32_t at[] = {4, 1, -1, 4};
	static const struct index index = {2, 2, ROWS, at};
	struct node *const all = tape_matmul(t, ones(t, 2, COLS), false, leaf, true, 1);
	return tape_gather(t, all, &index, GATHER_BY_ROW);
}

static struct node *looked_up(struct tape *t, struct node *leaf)
{
	return tape_gather(t, tape_slice(t, leaf, 2, 2, 0, COLS), &index_2_2, GATHER_BY_ROW);
}

static struct node *turned(struct tape *t, struct node *leaf)
{
	return tape_slice(t, tape_transpose(t, tape_relu(t, leaf)), 1, 2, 5, 1);
}

static struct node *beside(struct tape *t, struct node *leaf)
{
	struct node *const parts[] = {tape_slice(t, leaf, 0, 1, 0, COLS),
				      tape_slice(t, leaf, 3, 1, 0, COLS)};
	return tape_slice(t, tape_concat_rows(t, parts, 2), 1, 1, 0, COLS);
}

/* One row under a kernel of three taps of two: the tap in the middle. */
static struct node *convolved(struct tape *t, struct node *leaf)
{
	return tape_conv1d(t, ones(t, 1, 2), leaf, 3);
}

static struct node *normed(struct tape *t, struct node *leaf)
{
	return tape_slice(t, tape_layer_norm(t, leaf, 1e-5), 0, 1, 0, 1);
}

static struct node *nothing(struct tape *t, struct node *leaf)
{
	(void)leaf;
	return ones(t, 1, 1);
}

static const struct {
	const char *name;
	build_fn *build;
	const char *rows, *cols;
} cases[] = {
	{"gathered", gathered, ".x..x.", "xxxx"},
	{"second_gathered", second_gathered, ".x....", "xx.."},
	{"projected", projected, ".x..x.", "xxxx"},
	{"products", products, ".x..x.", "xxxx"},
	{"looked_up", looked_up, "..xx..", ".x.x"},
	{"turned", turned, ".....x", ".xx."},
	{"beside", beside, "...x..", "xxxx"},
	{"convolved", convolved, "..xx..", "xxxx"},
	{"normed", normed, "xxxxxx", "xxxx"}, /* no way is known: all of it */
	{"nothing", nothing, "......", "...."},
};

static struct node *built(build_fn *build, double other, const bool *rows, const bool *cols,
			  struct tape *t, struct node **leaf)
{
	const struct mat m = mat_new(&arena, ROWS, COLS);
	for (size_t i = 0; i < ROWS * COLS; i++) {
		const bool read = !rows || (rows[i / COLS] && cols[i % COLS]);
		m.at[i] = read ? (double)i + 1 : other;
	}
	tape_init(t, &arena, true);
	*leaf = tape_leaf(t, m);
	return build(t, *leaf);
}

static void expect_marks(const char *name, const bool *marks, const char *want)
{
	for (size_t i = 0; want[i]; i++)
		if ((marks && marks[i]) != (want[i] == 'x'))
			fail_msg("%s: %zu is %sread", name, i, want[i] == 'x' ? "not " : "");
}

TEST(what_is_looked_up_is_read_and_nothing_else)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tape t;
		struct node *leaf, *result = built(cases[i].build, 0, NULL, NULL, &t, &leaf);
		struct tape_read read = {.of = leaf};
		tape_reads(&t, &result, 1, &arena, &read, 1);
		expect_marks(cases[i].name, read.rows, cases[i].rows);
		expect_marks(cases[i].name, read.cols, cases[i].cols);
	}
}

TEST(what_is_not_read_may_be_anything)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tape t;
		struct node *leaf, *result = built(cases[i].build, 0, NULL, NULL, &t, &leaf);
		struct tape_read read = {.of = leaf};
		tape_reads(&t, &result, 1, &arena, &read, 1);
		const struct node *const other =
			built(cases[i].build, NAN, read.rows, read.cols, &t, &leaf);
		for (size_t r = 0; r < result->v.rows; r++)
			assert_memory_equal(mat_row(result->v, r), mat_row(other->v, r),
					    result->v.cols * sizeof(double));
	}
}
