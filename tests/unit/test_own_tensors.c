/* test_own_tensors.c: tensors of the user's own of any length and shape, looked at in every view. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help_arena.h"
#include "help_files.h"
#include "help_measure.h"
#include "help_setup.h"
#include "help_view.h"
#include "posviz/layers.h"
#include "test.h"

FIXTURE(open_folder, close_folder)

/* ---- longer than what is measured on ------------------------------------------------------------------ */

/* The figure of a view with all that its panels say of measures. */
static struct picture *measured_picture(const char *expression, const char *view, struct arena *a)
{
	struct scene *const scene = arena_calloc(a, 1, sizeof *scene);
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	struct err err = {""};
	*scene = help_scene(expression, help_view(a, view));
	if (!picture_make(scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, a, p, &err) ||
	    !picture_measured(scene, BACKGROUND_LIGHT, NULL, NULL, a, p, &err))
		fail_msg("%s, view %s: %s", expression, view, err.text);
	return p;
}

enum { LONGER = MEASURE_TOKENS + 2 };

TEST_SAMPLED(every_view_shows_tensors_longer_than_what_is_measured, 1, 4)
{
	static const char *const expressions[] = {
		"matrix(from=long.npy)", "matrix(from=long.npy,as=bias)",
		"matrix(from=long.npy,as=logits)", "matrix(from=long.npy)+sinusoidal"};
	help_write_npy("long.npy", help_attention(LONGER, LONGER, 0), HELP_SHAPE(LONGER, LONGER));
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		for (size_t i = 0; i < 4 && !v->table && !v->cost; i++) { /* of all schemes */
			if ((i + (size_t)(at - views)) % test_parts != test_part)
				continue;
			struct arena a;
			arena_init(&a);
			const struct picture *const p =
				measured_picture(expressions[i], v->name, &a);
			help_figure_is_sound(&a, &p->figure, expressions[i]);
			arena_release(&a);
		}
}

/* With the same weights in every order the output moves with its tokens only where all weights are one. */
TEST(weights_are_measured_on_all_their_tokens)
{
	double *const even = arena_calloc(&arena, LONGER * LONGER, sizeof *even);
	struct measures m;
	struct err err = {""};
	for (size_t i = 0; i < (size_t)LONGER * LONGER; i++)
		even[i] = 1.0 / LONGER;
	help_write_npy("even.npy", even, HELP_SHAPE(LONGER, LONGER));
	help_write_npy("long.npy", help_attention(LONGER, LONGER, 0), HELP_SHAPE(LONGER, LONGER));
	const struct scene equal = help_scene("matrix(from=even.npy)", "");
	const struct scene other = help_scene("matrix(from=long.npy)", "");
	assert_true(help_measure(&equal.setup, NULL, &m, &err));
	assert_int_equal(m.on.units, LONGER);
	assert_true(m.equivariance.there && m.equivariance.value <= 1e-12);
	assert_true(help_measure(&other.setup, NULL, &m, &err));
	assert_true(m.equivariance.there && m.equivariance.value > 1e-3);
	assert_null(measure_show_on(&m.on, &arena));
}

/* A layer's weights on 32 of 130 tokens would be no rows. */
TEST(layers_of_long_weights_are_probed_on_all_their_tokens)
{
	struct layers layers;
	help_write_npy("long.npy", help_attention(LONGER, LONGER, 0), HELP_SHAPE(LONGER, LONGER));
	const struct scene s = help_scene("matrix(from=long.npy)+sinusoidal", "");
	const struct built b = help_build(&s);
	const struct layers_of of = {.setup = &s.setup, .built = &b};
	layers_measure(&of, &arena, &layers);
	assert_null(layers.why);
	assert_int_equal(layers.units, LONGER);
	assert_true(layers.ways[LAYERS_AS_IS].absolute[1] > 0.5);
}

/* Even where nothing can be measured there is the picture, and the reason stands in place of the number. */
TEST(what_cannot_be_measured_refuses_no_picture)
{
	enum { MOST = MEASURE_WHOLE + 1 };
	struct measures m;
	struct err err = {""};
	help_write_npy("most.npy", help_attention(MOST, MOST, 0), HELP_SHAPE(MOST, MOST));
	const struct scene s = help_scene("matrix(from=most.npy)+causal", "");
	if (!help_measure(&s.setup, NULL, &m, &err))
		fail_msg("%s", err.text);
	assert_false(m.equivariance.there);
	assert_non_null(strstr(m.equivariance.why, "n/a: "));
	assert_non_null(strstr(m.equivariance.why, "has weights for 513 tokens"));
	assert_int_equal(m.n_prefix, s.setup.layers);
	assert_non_null(strstr(m.prefix[1].why, "n/a: "));
	measured_picture("matrix(from=most.npy)", "order", &arena);
}
