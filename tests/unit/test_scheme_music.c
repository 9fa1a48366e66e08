/* test_scheme_music.c: what is read by distance is what the paper skews, and a vector that the table lacks is 0. */
#include <math.h>

#include "test.h"
#include "help_context.h"

/* The paper's procedure on q Eᵀ [n,n], the rows of E from the farthest distance to 0: a column of 0 in front,
 * the same numbers in rows of n, and the first row left out. */
static struct mat skewed(struct arena *a, struct mat product)
{
	const size_t n = product.rows;
	const struct mat padded = mat_zero(a, n, n + 1);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			mat_row(padded, t)[s + 1] = mat_row(product, t)[s];
	return mat_rows(mat_view(padded.at, n + 1, n), 1, n);
}

TEST(what_is_read_is_what_the_paper_skews)
{
	enum { N = 6 };
	static const char text[] = "music(distances=6)";
	struct help_run r;
	help_run_must_open(&r, text, N, 0, help_with_parts);
	const struct trace *trace = help_changed(&r, text, help_random_leaves);
	help_random_leaves(&r.model);
	const size_t head = 1, dk = r.model.dk;
	const struct mat e = help_leaf(&r.model, "e"), q = trace->layers[0].heads[head].q;
	const struct mat product = mat_new(&r.arena, N, N);
	for (size_t t = 0; t < N; t++)
		for (size_t i = 0; i < N; i++)
			mat_row(product, t)[i] =
				help_dot(mat_row(q, t), mat_row(e, N - 1 - i) + head * dk, dk);
	const struct mat want = skewed(&r.arena, product), term = help_term(trace, 0, head, 1);
	for (size_t t = 0; t < N; t++)
		for (size_t s = 0; s <= t; s++)
			assert_true(fabs(mat_row(term, t)[s] -
					 mat_row(want, t)[s] / sqrt((double)dk)) < 1e-12);
	assert_true(mat_row(trace->layers[0].heads[head].weights, 0)[1] == 0);
	help_run_close(&r);
}

TEST(beyond_the_table_there_is_no_vector)
{
	struct help_run r;
	help_run_must_open(&r, "music(distances=3)", 7, 0, help_with_parts);
	const struct mat term = help_term(&r.trace, 0, 0, 1);
	for (size_t t = 0; t < 7; t++)
		for (size_t s = 0; s < 7; s++) {
			const bool known = s <= t && t - s < 3;
			assert_true((fabs(mat_row(term, t)[s]) > 0) == known);
		}
	const struct trace *zeroed = help_changed(&r, "music", help_zero_leaves);
	help_traces_equal(zeroed, help_again(&r, "none+causal", NULL));
	help_run_close(&r);
}

TEST(heads_and_layers_share_as_said)
{
	static const struct {
		const char *text;
		size_t tables;
	} rows[] = {{"music(distances=5)", 4 * 2},
		    {"music(distances=5,share=head)", 2},
		    {"music(distances=5,share=layer)", 4}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].text, 3, 0, NULL);

		assert_int_equal(model_position_parameters(&r.model),
				 5 * r.model.dk * rows[i].tables);
		help_run_close(&r);
	}
}
