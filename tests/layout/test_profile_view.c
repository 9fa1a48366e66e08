/* test_profile_view.c: the view Profile over schemes, and its numbers. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"

FIXTURE(open_arena, close_arena)

#define SHORT "view profile\nwindows 3\nwindow-length 12\n"

/* Every scheme has a profile of heads, or says why not. */
TEST_IN_PARTS(every_scheme_has_a_profile, 2)
{
	size_t shown = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		struct arena a;
		arena_init(&a);
		struct picture *const p =
			help_picture(&a, s->id, "view profile\nwindows 1\nwindow-length 8\n");
		help_figure_is_sound(&a, &p->figure, s->id);
		const struct panel *const k = help_named_panel(&p->figure, "kernels");
		assert_non_null(k);
		shown += !k->absent;
		arena_release(&a);
	}
	assert_true(shown * 3 > scheme_count() / 2);
}

static double number(const struct scene *scene, const char *name)
{
	struct numbers all;
	struct err err = {""};
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	assert_true(setup_build(&scene->setup, &arena, b, &err));
	numbers_init(&all, &arena);
	if (!view_numbers(scene, "profile", b, NULL, NULL, &arena, &all, &err))
		fail_msg("%s", err.text);
	return help_number(&all, name)->at.at[0];
}

/* The bias by distance is all where there is no content; the words say so. */
TEST(profile_of_alibi)
{
	const char *const lines = SHORT "content 0\nhead 2\n";
	const struct scene scene = help_scene("alibi+causal", lines);
	const struct picture *const p = help_picture(&arena, "alibi+causal", lines);
	assert_within(number(&scene, "profile.distance"), 1, 1e-9);
	assert_within(number(&scene, "profile.windows"), 3, 0);
	assert_non_null(strstr(help_named_panel(&p->figure, "card")->card.about,
			       "Position makes nearly all of the logits of 8 heads vary"));
	assert_string_equal(help_named_panel(&p->figure, "kernel")->title, "Kernel of head 1·2");
	assert_null(help_named_panel(&p->figure, "bands"));
	assert_int_equal(help_named_panel(&p->figure, "kernels")->multiples.n, 8);
}

/* Bands by the wavelengths of the rotation, 2π·10000^(2i/16). */
TEST(profile_of_a_rotation_has_bands)
{
	const struct picture *const p = help_picture(&arena, "rope+causal", SHORT);
	const struct heatmap *const h = &help_named_panel(&p->figure, "bands")->heatmap;
	assert_int_equal(h->values.rows, 8);
	assert_int_equal(h->values.cols, 8);
	assert_string_equal(h->row_labels[0], "6.3");
	assert_string_equal(h->row_labels[4], "630");
	for (size_t c = 0; c < 8; c++) {
		double sum = 0;
		for (size_t i = 0; i < 8; i++)
			sum += mat_row(h->values, i)[c];
		assert_within(sum, 1, 1e-9);
	}
	assert_null(help_named_panel(&p->figure, "plane"));
}

TEST(many_heads_are_rows)
{
	const struct picture *const p = help_picture(&arena, "rope", SHORT "layers 4\nheads 8\n");
	const struct panel *const k = help_named_panel(&p->figure, "kernels");
	assert_int_equal(k->kind, PANEL_HEATMAP);
	assert_int_equal(k->heatmap.values.rows, 32);
	assert_int_equal(k->heatmap.values.cols, 23);
	assert_string_equal(k->heatmap.row_labels[8], "2·1");
}

TEST(a_window_that_is_too_short_is_said)
{
	const struct picture *const p =
		help_picture(&arena, "rope", "view profile\nwindow-length 2\n");
	assert_string_equal(help_named_panel(&p->figure, "kernels")->absent,
			    "window-length: 2; 4 at least");
}
