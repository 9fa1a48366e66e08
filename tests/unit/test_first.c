/* test_first.c: what a first start opens: its sentences are true of its scene, fit small screens, and lead from step to
 * step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/app/app.h"
#include "posviz/app/first.h"
#include "posviz/base/text.h"

FIXTURE(open_arena, close_arena)

static struct picture *picture_of(const char *scheme, const char *view, const char *order)
{
	struct scene scene;
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct err err;
	first_scene(&scene);
	if (scheme)
		assert_true(scene_set(&scene, field_find("scheme"), scheme, &err));
	assert_true(scene_set(&scene, field_find("view"), view, &err));
	assert_true(scene_set(&scene, field_find("order"), order, &err));
	struct scene *const kept = arena_calloc(&arena, 1, sizeof *kept);
	*kept = scene;
	if (!picture_make(kept, NULL, false, BACKGROUND_DARK, NULL, NULL, &arena, p, &err))
		fail_msg("%s", err.text);
	return p;
}

static const double *row_of_the_cell(const struct picture *p)
{
	struct scene scene;
	first_scene(&scene);
	return mat_row(p->trace.layers[0].heads[0].weights, (size_t)scene.row - 1);
}

enum { ROSES = 4, EVERY = 3 }; /* "rose is a" */

/* Of the four roses of the last row each nearer one gets more, by the slope 1/4 of ALiBi's first head of four. */
TEST(near_words_get_more)
{
	const struct picture *const p = picture_of(NULL, "explore", "identity");
	const double *const row = row_of_the_cell(p);
	for (size_t i = 1; i < ROSES; i++) {
		assert_true(strncmp(p->trace.key.names[EVERY * i], "rose", 4) == 0);
		test_within(log(row[EVERY * i] / row[EVERY * (i - 1)]), EVERY * 0.25, 1e-9,
			    __FILE__, __LINE__);
	}
}

TEST(without_positions_equal_words_get_the_same)
{
	const double *const row = row_of_the_cell(picture_of("none+causal", "explore", "identity"));
	for (size_t i = 1; i < ROSES; i++)
		test_within(row[EVERY * i], row[0], 1e-12, __FILE__, __LINE__);
}

/* Returns the largest change of a weight in an order. */
static double most_difference(const char *scheme, const char *order)
{
	const struct picture *const p = picture_of(scheme, "order", order);
	const struct panel *const d = help_named_panel(&p->figure, "difference");
	double most = 0;
	for (size_t t = 0; t < d->heatmap.values.rows; t++)
		for (size_t s = 0; s < d->heatmap.values.cols; s++) {
			const double x = mat_row(d->heatmap.values, t)[s];
			most = isfinite(x) ? fmax(most, fabs(x)) : most;
		}
	return most;
}

static const char *order_of_the_step(void)
{
	return first_steps[first_step_of("order")].order;
}

/* The bias itself tells the order, not only the mask; a reversal it would not tell. */
TEST(the_order_of_the_step_is_one_that_the_bias_tells)
{
	assert_true(most_difference("alibi(causal=off)", "reverse") < 1e-12);
	assert_true(most_difference("alibi(causal=off)", order_of_the_step()) > 0.1);
	assert_true(most_difference(NULL, order_of_the_step()) > 0.1);
}

/* "is₁ and a₃ are exchanged: their distances to all other words change": ALiBi's bias of a pair, by the slope 1/4, is
 * another one exactly if one of the two words belongs to it, but for the pair of both. */
TEST(the_two_words_that_are_exchanged_have_other_distances)
{
	enum { IS_1 = 1, A_3 = 8 };
	const struct picture *const p =
		picture_of("alibi(causal=off)", "explore", order_of_the_step());
	const struct axis *const axis = &p->trace.key;
	const struct mat bias = help_named_panel(&p->figure, "bias")->heatmap.values;
	assert_int_equal(axis->n, 10);
	for (size_t t = 0; t < axis->n; t++)
		for (size_t s = 0; s < axis->n; s++) {
			const long a = axis->token[t], b = axis->token[s], as_written = labs(a - b);
			const bool one =
				a != b && ((a == IS_1 || a == A_3) != (b == IS_1 || b == A_3));
			const bool same =
				fabs(mat_row(bias, t)[s] + 0.25 * (double)as_written) < 1e-9;
			if (one == same)
				fail_msg("%s and %s: bias %g, written %ld apart", axis->names[t],
					 axis->names[s], mat_row(bias, t)[s], as_written);
		}
	assert_non_null(strstr(first_steps[first_step_of("order")].seen, "is₁ and a₃"));
	assert_string_equal(axis->names[A_3], "is₁");
	assert_string_equal(axis->names[IS_1], "a₃");
}

/* Defaults of fields stay, so old scenes mean what they did. */
TEST(only_the_first_start_has_it)
{
	struct scene first, usual;
	first_scene(&first);
	scene_init(&usual);
	assert_string_equal(usual.setup.sentence, "the cat that the dog chased fell asleep .");
	assert_string_equal(usual.setup.scheme, "rope+causal");
	assert_string_equal(first.setup.sentence, "rose is a rose is a rose is a rose");
	assert_true(first.setup.content == usual.setup.content && first.scale == usual.scale);
	assert_string_equal(first.panel, usual.panel);
}

/* Returns how many lines of `cols` a text takes. */
static size_t lines_of(const char *text, size_t cols)
{
	size_t lines = 0, used = 0;
	for (const char *at = text; *at;) {
		const size_t len = strcspn(at, " ");
		if (used > 0 && used + 1 + len > cols)
			used = 0;
		lines += used == 0;
		used += (used > 0) + len;
		at += len + strspn(at + len, " ");
	}
	return lines;
}

TEST(steps_lead_from_view_to_view_and_fit)
{
	assert_int_equal(first_step_count(), 4);
	for (const struct first_step *s = first_steps; s->view; s++) {
		assert_non_null(view_find(s->view));
		assert_true(lines_of(s->seen, 78) <= 2 && lines_of(s->brief, 58) <= 2);
		if (!s->command) {
			assert_null(s[1].view);
			continue;
		}
		const char *const to =
			strncmp(s->command, "view ", 5) == 0 ? s->command + 5 : s->command;
		assert_string_equal(s[1].view, to);
	}
	assert_true(lines_of(first_steps[0].seen, 118) == 1);
	assert_non_null(strstr(first_steps[0].seen, "invented, nothing is trained"));
	assert_non_null(strstr(first_steps[0].brief, "invented, nothing is trained"));
}
