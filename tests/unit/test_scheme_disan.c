/* test_scheme_disan.c: which keys a head may see, and attention by feature. */
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "help_learned.h"

static double weight(const struct trace *trace, size_t head, size_t t, size_t s)
{
	return mat_row(trace->layers[0].heads[head].weights, t)[s];
}

static bool sees(const char *mask, size_t head, size_t t, size_t s)
{
	if (strcmp(mask, "diagonal") == 0)
		return s != t;
	if (strcmp(mask, "both") == 0)
		return head % 2 == 0 ? s < t : s > t;
	return strcmp(mask, "forward") == 0 ? s < t : s > t;
}

TEST(masks_go_by_direction)
{
	static const char *const masks[] = {"both", "forward", "backward", "diagonal"};
	struct help_run r;
	help_run_must_open(&r, "none", 6, 0, NULL);
	for (size_t i = 0; i < 4; i++) {
		const char *text = arena_printf(&r.arena, "disan(mask=%s)", masks[i]);
		const struct trace *trace = help_again(&r, text, NULL);
		assert_true(trace->bias_is_mask);
		for (size_t h = 0; h < 4; h++)
			for (size_t t = 0; t < 6; t++)
				for (size_t s = 0; s < 6; s++)
					assert_true((weight(trace, h, t, s) > 0) ==
						    sees(masks[i], h, t, s));
		assert_true(help_logits_apart(&r.trace, trace, 0, 4) == 0);
	}
	help_run_close(&r);
}

static void with_context(struct help_run *r)
{
	r->want.kinds |= WANT_CONTEXT | WANT_QKV;
}

/* The first unit of a forward head and the last of a backward head gather nothing. */
TEST(a_row_that_sees_nothing_is_zero)
{
	struct help_run r;
	help_run_must_open(&r, "disan", 5, 0, with_context);
	for (size_t h = 0; h < 4; h++) {
		const struct trace_head *head = &r.trace.layers[0].heads[h];
		for (size_t t = 0; t < 5; t++) {
			const bool empty = t == (h % 2 == 0 ? 0 : 4);
			double sum = 0;
			for (size_t s = 0; s < 5; s++)
				sum += weight(&r.trace, h, t, s);
			assert_true(fabs(sum - (empty ? 0 : 1)) < 1e-12);
			assert_true((mat_norm(mat_rows(head->context, t, 1)) == 0) == empty);
		}
	}
	help_run_close(&r);
}

/* Another unit ahead changes no forward row before it. */
TEST(a_forward_row_depends_on_what_came_before)
{
	struct help_run r;
	help_run_must_open(&r, "disan(mask=forward)", 6, 0, NULL);
	mat_fill(mat_rows(r.in.units, 4, 1), 0.5);
	const struct trace *other = help_again(&r, "disan(mask=forward)", NULL);
	for (size_t l = 0; l < 2; l++) {
		const struct mat a = r.trace.layers[l].output, b = other->layers[l].output;
		assert_true(mat_max_abs_diff(mat_rows(a, 0, 4), mat_rows(b, 0, 4)) == 0);
		assert_true(mat_max_abs_diff(mat_rows(a, 5, 1), mat_rows(b, 5, 1)) > 1e-3);
	}
	help_run_close(&r);
}

TEST(reversing_the_text_swaps_the_directions)
{
	static const size_t reversed[] = {5, 4, 3, 2, 1, 0};
	struct help_run r;
	help_run_must_open(&r, "disan(mask=forward)", 6, 0, NULL);
	const struct trace *column = help_again(&r, "disan(mask=backward,pos=remaining)", NULL);
	assert_true(help_output_apart(&r.trace, column, 1) < 1e-12);
	help_permute(&r, reversed);
	const struct trace *back = help_again(&r, "disan(mask=backward)", NULL);
	for (size_t t = 0; t < 6; t++)
		assert_true(mat_max_abs_diff(mat_rows(r.trace.layers[1].output, t, 1),
					     mat_rows(back->layers[1].output, 5 - t, 1)) < 1e-12);
	help_run_close(&r);
}

/* Units of one position see each other neither way. */
TEST(direction_is_that_of_the_column)
{
	static const double places[] = {3, 1, 3, 2};
	struct help_run r;
	help_run_must_open(&r, "none", 4, 0, NULL);
	r.in.word = places;
	const struct trace *trace = help_again(&r, "disan(mask=forward,pos=word)", NULL);
	for (size_t t = 0; t < 4; t++)
		for (size_t s = 0; s < 4; s++)
			assert_true((weight(trace, 1, t, s) > 0) == (places[s] < places[t]));
	help_run_close(&r);
}

/* ---- multi-dimensional attention ---- */

/* softmax over the allowed s of 5 tanh((q_tj + k_sj)/5), for a forward head */
static double feature_weight(struct mat q, struct mat k, size_t j, size_t t, size_t s)
{
	double sum = 0;
	for (size_t u = 0; u < t; u++)
		sum += exp(5 * tanh((mat_row(q, t)[j] + mat_row(k, u)[j]) / 5));
	return s < t ? exp(5 * tanh((mat_row(q, t)[j] + mat_row(k, s)[j]) / 5)) / sum : 0;
}

TEST(every_feature_has_weights_of_its_own)
{
	struct help_run r;
	help_run_must_open(&r, "disan(multi=on,mask=forward)", 6, 0, with_context);
	const size_t dk = r.model.dk;
	assert_int_equal(r.trace.planes, dk);
	for (size_t plane = 0; plane < dk; plane++) {
		r.want.plane = plane;
		const struct trace *trace = help_again(&r, "disan(multi=on,mask=forward)", NULL);
		for (size_t h = 0; h < 4; h++) {
			const struct trace_head *head = &trace->layers[0].heads[h];
			for (size_t t = 0; t < 6; t++) {
				double context = 0;
				for (size_t s = 0; s < 6; s++) {
					const double want =
						feature_weight(head->q, head->k, plane, t, s);
					const double score = 5 * tanh((mat_row(head->q, t)[plane] +
								       mat_row(head->k, s)[plane]) /
								      5);
					assert_true(fabs(weight(trace, h, t, s) - want) < 1e-13);
					assert_true(fabs(mat_row(head->logits, t)[s] - score) <
						    1e-13);
					context += want * mat_row(head->v, s)[plane];
				}
				assert_true(fabs(mat_row(head->context, t)[plane] - context) <
					    1e-13);
			}
		}
	}
	help_run_close(&r);
}

/* T5's bias is added to the logits of the plane that is shown and to those of all others. */
TEST(what_others_add_reaches_every_plane)
{
	struct help_run r;
	help_run_must_open(&r, "disan(multi=on)+t5", 6, 0, with_context);
	const struct trace *alone = help_again(&r, "disan(multi=on)", NULL);
	for (size_t plane = 0; plane < 3; plane++) {
		r.want.plane = plane;
		const struct trace *with = help_again(&r, "disan(multi=on)+t5", NULL);
		const struct trace *without = help_again(&r, "disan(multi=on)", NULL);
		const struct mat a = with->layers[0].heads[0].logits;
		const struct mat b = without->layers[0].heads[0].logits;
		for (size_t t = 1; t < 6; t++) {
			double sum = 0;
			for (size_t s = 0; s < t; s++)
				sum += exp(mat_row(a, t)[s]);
			for (size_t s = 0; s < t; s++)
				assert_true(fabs(weight(with, 0, t, s) -
						 exp(mat_row(a, t)[s]) / sum) < 1e-13);
			double context = 0;
			for (size_t s = 0; s < t; s++)
				context += weight(with, 0, t, s) *
					   mat_row(r.trace.layers[0].heads[0].v, s)[plane];
			assert_true(fabs(mat_row(r.trace.layers[0].heads[0].context, t)[plane] -
					 context) < 1e-13);
		}
		assert_true(mat_max_abs_diff(a, b) > 1e-3);
	}
	assert_true(help_output_apart(alone, &r.trace, 1) > 1e-3);
	help_run_close(&r);
}

static void one_weight_of_a_layer(struct help_run *r)
{
	r->want = (struct want){.kinds = WANT_WEIGHTS, .layer = 0, .head = 1, .plane = 2};
}

/* Asked for weights alone, no other plane is computed, and the numbers are the same. */
TEST(a_single_plane_can_be_had_alone)
{
	struct help_run r;
	help_run_must_open(&r, "disan(multi=on)", 6, 0, one_weight_of_a_layer);
	const double alone = r.trace.operations;
	r.want.kinds |= WANT_CONTEXT;
	const struct trace *all = help_again(&r, "disan(multi=on)", NULL);
	assert_true(mat_max_abs_diff(r.trace.layers[0].heads[1].weights,
				     all->layers[0].heads[1].weights) == 0);
	assert_true(alone < all->operations);
	help_run_close(&r);
}

static long peak_kilobytes(void)
{
	struct rusage used;
	assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
	return used.ru_maxrss;
}

static void long_text_wide_head(struct help_run *r)
{
	r->config.d = 64;
	r->config.heads = 1;
	r->config.layers = 1;
	r->want = (struct want){.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
}

/* 64 planes of 256 × 256 would take 32 MB for each matrix that is kept of one. */
TEST(planes_are_not_kept)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip();
#endif
	const pid_t child = fork();
	if (child == 0) {
		struct help_run r;
		help_run_must_open(&r, "none", 256, 0, long_text_wide_head);
		const long before = peak_kilobytes();
		help_again(&r, "disan(multi=on)", NULL);
		_exit(peak_kilobytes() - before < 25 * 1024 ? 0 : 1);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

TEST(every_size_is_evaluated)
{
	help_sizes("disan");
	static const size_t sizes[] = {1, 2, 64};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, "disan(multi=on)", sizes[i], 0, NULL);
		assert_true(help_is_finite(r.trace.layers[1].output));
		help_run_close(&r);
	}
}
