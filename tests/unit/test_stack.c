/* test_stack.c: the view Stack: which keys each layer sees, by the rules of the masks and as the model's own masks
 * have it; kinds of layers; how far back a token can know of others. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/analysis/stack.h"

FIXTURE(open_arena, close_arena)

static const struct stack *stack_with(const char *scheme, const char *lines)
{
	return help_picture(&arena, scheme, arena_printf(&arena, "view stack\n%s", lines))->kept;
}

static double seen_at(const struct stack *s, size_t layer, double distance)
{
	for (size_t i = 0; i < s->n_distances; i++)
		if (fabs(s->distance[i] - distance) < 0.5)
			return mat_row(s->seen, layer)[i];
	fail_msg("no distance %g", distance);
	return 0;
}

/* Gemma's stack with a window of 4 keys, on 16 tokens: five layers look 3 tokens back, the sixth to the first. */
TEST(windows_widen_what_is_known_layer_by_layer)
{
	const struct stack *const s = stack_with(
		"rope(layers=1-5/6)+window(keys=4,layers=1-5/6)+causal", "layers 7\nt-max 16\n");
	static const double back[] = {0, 3, 6, 9, 12, 15, 15, 15};
	assert_int_equal(s->tokens, 16);
	assert_int_equal(s->n_kinds, 2);
	assert_string_equal(s->kinds[0].rules, "rope + window(keys=4)");
	assert_string_equal(s->kinds[0].shown, "1–5, 7");
	assert_string_equal(s->kinds[1].rules, "");
	assert_string_equal(s->kinds[1].shown, "6");
	assert_string_equal(s->everywhere, "causal");
	for (size_t l = 0; l <= 7; l++)
		assert_true(fabs(s->back[l] - back[l]) < 0.5);
	assert_true(seen_at(s, 0, -2) > 0.999 && seen_at(s, 0, -4) < 0.001);
	assert_true(seen_at(s, 5, -15) > 0.999);
	assert_true(s->distance[s->n_distances - 1] < 0.5); /* no layer sees later keys */
	assert_true(fabs(s->keys[0] - 4) < 0.5 && fabs(s->keys[5] - 16) < 0.5);
}

/* Of the 15 queries of 16 that have a key before them the 3 at the beginning of a later chunk of 4 do not see it. */
TEST(chunks_end_what_is_seen_by_some_queries)
{
	const struct stack *const s = stack_with("chunk(size=4)+causal", "layers 3\nt-max 16\n");
	assert_int_equal(s->tokens, 16);
	assert_true(fabs(seen_at(s, 0, -1) - 12.0 / 15) < 1e-12);
	assert_true(fabs(seen_at(s, 0, -2) - 8.0 / 14) < 1e-12);
	assert_true(seen_at(s, 0, -4) < 1e-12);
	assert_true(fabs(s->back[1] - 3) < 0.5 && fabs(s->back[3] - 3) < 0.5);
}

TEST(a_text_is_longer_than_the_widest_mask)
{
	assert_int_equal(stack_with("window(keys=1000)+causal", "")->tokens, 4000);
	assert_int_equal(stack_with("rope+causal", "t-max 77\n")->tokens, 77);
	assert_int_equal(stack_with("chunk(size=8192)+causal", "")->tokens, 4 * 8192);
}

/* The rule of each mask is what the model computes with: every query of the scene's nine tokens, every layer. */
TEST(masks_are_those_of_the_model)
{
	static const char *const all[] = {
		"none",
		"causal",
		"alibi",
		"t5(causal=on)",
		"window",
		"window(width=2)",
		"window(keys=3)",
		"window(keys=3,layers=1)+causal",
		"chunk(size=4)",
		"chunk(size=3)+causal",
		"prefix(length=4)",
		"rope+window(width=4)+chunk(size=6)",
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct picture *const p = help_picture(
			&arena, all[i], "view heads\nmatrix mask\nheads-of grid\nt-max 9\n");
		struct stack s;
		stack_of(&p->built, 9, &arena, &s);
		for (size_t l = 0; l < 2; l++) {
			const uint8_t *const mask = p->trace.layers[l].heads[0].mask;
			double most = 0;
			for (size_t t = 0; t < 9; t++) {
				struct stack_keys keys;
				assert_true(stack_keys_of(&p->built, l, (double)t, 9, &keys));
				for (size_t k = 0; k < 9; k++)
					if ((keys.first <= (double)k && (double)k <= keys.last) !=
					    (!mask || mask[t * 9 + k]))
						fail_msg("%s: layer %zu, %zu, %zu", all[i], l + 1,
							 t, k);
				most = keys.last - keys.first + 1;
			}
			assert_true(s.tokens > 9 || fabs(s.keys[l] - most) < 0.5);
		}
	}
}

TEST(masks_of_more_than_positions_are_left_out)
{
	const struct stack *const s = stack_with("rope+pack", "segments 0 0 0 0 1 1 1 1 1\n");
	assert_non_null(s->left_out);
	assert_string_equal(s->left_out->name, "pack");
	assert_null(stack_with("rope+causal", "")->left_out);
}
