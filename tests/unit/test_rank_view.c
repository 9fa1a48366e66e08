/* test_rank_view.c: the view Rank: enough tokens for the bounds, the ranks with positions and
 * without, and the numbers of a dump, which stay those of the scene's own tokens. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_mat.h"
#include "help_view.h"
#include "posviz/analysis/continued.h"
#include "view/rank_in.h"

FIXTURE(open_arena, close_arena)

static const struct rank_kept *kept(const char *scheme, const char *lines)
{
	return help_picture(&arena, scheme, arena_printf(&arena, "view rank\n%s", lines))->kept;
}

static size_t numerical(const struct rank_kept *k, const char *name)
{
	const struct rank_row *const r = rank_row(&k->seen, name);
	assert_non_null(r);
	assert_non_null(r->is.values);
	return r->is.numerical;
}

/* d_h 16: vectors added to the input, or rotations, stay in the product of queries and keys; a bias
 * or a product of its own does not (Chen et al. 2021, Theorem 1). Nine tokens would have 9. */
TEST(enough_tokens_are_measured_to_meet_the_bounds)
{
	static const struct {
		const char *scheme;
		size_t least, most;
	} all[] = {{"none", 16, 16}, {"sinusoidal", 16, 16},	   {"rope", 16, 16},
		   {"t5", 48, 48},   {"diet_abs(rank=8)", 17, 26}, {"synth_random", 17, 48}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct rank_kept *const k = kept(all[i].scheme, "");
		const size_t rank = numerical(k, "logits");
		assert_int_equal(k->n_own, 9);
		assert_int_equal(k->n, 48);
		if (rank < all[i].least || rank > all[i].most)
			fail_msg("%s: %zu", all[i].scheme, rank);
		assert_int_equal(k->bounds.dk, 16);
	}
	assert_int_equal(numerical(kept("t5", ""), "term.unit–unit"), 16);
}

TEST(first_tokens_have_ranks_that_end_at_those_of_all)
{
	const struct rank_kept *const k = kept("t5", "");
	const struct rank_swept *const s = &k->grown;
	assert_true(s->n > 8 && (size_t)s->x[s->n - 1] == k->n);
	assert_int_equal((size_t)s->logits[s->n - 1], numerical(k, "logits"));
	for (size_t i = 0; i < s->n; i++) {
		assert_true(s->content[i] <= fmin(s->x[i], 16) && s->logits[i] <= s->x[i]);
		assert_true(i == 0 || s->content[i] >= s->content[i - 1]);
	}
}

/* d_h = 16 is reached at 16 tokens. */
TEST(first_tokens_end_at_twice_the_bound_that_is_kept)
{
	const struct rank_swept *const s = &kept("rope", "")->grown;
	assert_true(s->n > 8 && (size_t)s->x[s->n - 1] == 32);
	assert_int_equal((size_t)s->logits[s->n - 1], 16);
}

TEST(dumps_keep_the_ranks_of_the_own_tokens)
{
	const struct scene scene = help_scene("t5", "");
	struct picture *const p = help_picture(&arena, "t5", "");
	struct numbers all;
	struct err err = {""};
	numbers_init(&all, &arena);
	assert_true(view_numbers(&scene, "rank", &p->built, NULL, NULL, &arena, &all, &err));
	assert_within(help_number(&all, "rank.logits.numerical")->at.at[0], 9, 0);
	assert_int_equal(help_number(&all, "rank.logits.values")->at.cols, 9);
}

TEST(what_suffices_or_cannot_be_continued_is_measured_as_it_is)
{
	static const char longer[] =
		"sentence a b c d e f g h i j k l m n o p q r s t u v w x y z\n";
	const struct rank_kept *const own = kept("t5", longer);
	assert_true(own->n == 26 && !own->why);
	const struct rank_kept *const ids = kept("t5", "position-ids 3 4 5 6 7 8 9 10 11\n");
	assert_int_equal(ids->n, 9);
	assert_non_null(strstr(ids->why, "position ids are given"));
	const struct rank_kept *const few = kept("learned", "t-max 20\n");
	assert_int_equal(few->n, 20);
}

TEST(drawn_words_follow_the_own)
{
	struct picture *const p = help_picture(&arena, "none", "sentence cat dog cat\n");
	const struct model_input *const text = &p->built.model_input;
	struct model_input in;
	assert_null(continued_why_not(&p->built, &arena));
	continued_input(&p->built, 7, &arena, &in);
	assert_int_equal(in.axis.n, 7);
	assert_string_equal(in.axis.labels[2], "cat");
	assert_string_equal(in.axis.labels[3], "word1");
	assert_int_equal(in.axis.token[6], 6);
	for (size_t i = 0; i < 3 * text->units.cols; i++)
		assert_within(in.units.at[i], text->units.at[i], 0);
	assert_true(in.word[3] > in.word[2] && in.word[4] > in.word[3]);
}

TEST(ranks_say_what_is_to_be_seen)
{
	static const char *const all[][2] = {
		{"t5", "48 tokens have rank 48 with positions, and 16 = d_h without"},
		{"rope", "rank 16 = d_h with positions as without"},
		{"none", "nothing about positions is added"},
		{"rope+softcap",
		 "the product of queries and keys 16 = d_h: what changes each logit after"},
		{"alibi+softcap", "positions add a term of their own"},
		{"diet_abs(rank=8)", "d_h + d_p"},
		{"spr_rel",
		 "The logits of 9 tokens have rank 9, as high as it can be: no row of logits is "
		 "a weighted sum of others. The bound of a head, d_h = 16, would take "
		 "more than 16 tokens to show; none are added: spr_rel works on a tree"}};
	static const char wide[] = "view rank\nd-model 512\nheads 1\n";
	assert_non_null(strstr(
		help_picture(&arena, "rope", wide)->figure.finding,
		"d_h = 512, would take more than 512 tokens to show; none are added: this view "));
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct picture *const p = help_picture(&arena, all[i][0], "view rank\n");
		if (!p->figure.finding || !strstr(p->figure.finding, all[i][1]))
			fail_msg("%s: %s", all[i][0], p->figure.finding);
	}
}

/* A head whose width cannot vary has no curve by width: its panel is left out, and the spectrum takes its room. */
TEST(widths_that_cannot_vary_are_left_out)
{
	const struct picture *const p =
		help_picture(&arena, "rope", "view rank\nd-model 2\nheads 1\n");
	for (size_t i = 0; i < p->figure.n; i++) {
		assert_string_not_equal(p->figure.panels[i].name ? p->figure.panels[i].name : "",
					"sweep");
		if (p->figure.panels[i].name && strcmp(p->figure.panels[i].name, "spectrum") == 0)
			assert_int_equal(p->figure.panels[i].cols, 2);
	}
}

/* Curves that are compared lie in one plot, and an axis by doublings or decades says so. */
TEST(ranks_are_compared_in_one_plot)
{
	const struct picture *const p = help_picture(&arena, "rope", "view rank\n");
	for (size_t i = 0; i < p->figure.n; i++) {
		const struct panel *const panel = &p->figure.panels[i];
		const struct curves *const c = &panel->curves;
		if (panel->kind != PANEL_CURVES || panel->absent)
			continue;
		if (c->log_x && !strstr(c->x_title, "(log scale)"))
			fail_msg("%s: %s", panel->name, c->x_title);
		if (c->spread == CURVES_LOG && !strstr(panel->title, "log scale"))
			fail_msg("%s", panel->title);
		assert_true(c->together || c->spread == CURVES_LOG);
	}
}
