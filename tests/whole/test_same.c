/* test_same.c: conventions that are one model, by what papers and codes say of them, and pairs that
 * are not, by where they part. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_cli.h"
#include "posviz/analysis/same.h"

FIXTURE(open_arena, close_arena)

static const char letters[] = "sentence a b c d e f g h i j k l m n o p q r s t";

static struct same same(const char *first, const char *second, const char *lines)
{
	struct scene s;
	struct err err = {""};
	struct same out;
	if (!scene_parse(&s, lines, &err) ||
	    !analysis_same(&s.setup, first, second, NULL, &arena, &out, &err))
		fail_msg("%s, %s: %s", first, second, err.text);
	return out;
}

/* ---- one model in two conventions ---------------------------------------------------------- */

TEST(neighbours_and_halves_are_one)
{
	const struct same s = same("rope", "rope(layout=half)", "");
	assert_int_equal(s.verdict, SAME_PERMUTED);
	assert_true(s.proven);
	assert_int_equal(s.n_pairs, 17 * 17);
	assert_null(s.model_channels);
	assert_non_null(s.head_channels);
	/* Pair i of the first is channels 2i, 2i+1, of the second i, i + 8: in whatever order equal ones
	 * are found, each channel's partner stays its partner. */
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(s.head_channels[2 * i], i);
		assert_int_equal(s.head_channels[2 * i + 1], i + 8);
	}
	assert_true(s.weights < 1e-12 && s.outputs < 1e-12);
}

TEST(interleaved_and_concatenated_sinusoids_are_one)
{
	const struct same s = same("sinusoidal", "sinusoidal(layout=concat)", "");
	assert_int_equal(s.verdict, SAME_PERMUTED);
	assert_true(s.proven);
	assert_null(s.head_channels);
	assert_non_null(s.model_channels);
	for (size_t i = 0; i < 32; i++) {
		assert_int_equal(s.model_channels[2 * i], i);
		assert_int_equal(s.model_channels[2 * i + 1], i + 32);
	}
}

/* Members that are written alike have the same numbers. */
TEST(weights_are_added)
{
	static const struct {
		const char *first, *second;
	} rows[] = {{"0.5*t5+0.5*t5", "t5"},
		    {"t5+t5", "2*t5"},
		    {"0.25*alibi+0.75*alibi", "alibi"},
		    {"shaw+0*t5(scale=rsqrt)", "0.5*shaw+0.5*shaw"},
		    {"0*alibi", "causal"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (same(rows[i].first, rows[i].second, "").verdict != SAME_EQUAL)
			fail_msg("%s, %s", rows[i].first, rows[i].second);
	const struct same s = same("2*t5", "t5", "");
	assert_int_equal(s.verdict, SAME_APART);
	assert_int_equal(s.relation, RELATION_MULTIPLE);
	assert_true(fabs(s.factor - 0.5) < 1e-12);
}

TEST(equal_ones_need_no_permutation)
{
	static const char *const equal[][2] = {
		{"none+causal", "alibi(factor=0)"},
		{"rope", "rope(start=7)"},
		{"rope(partial=0)", "none"},
		{"alibi+causal", "alibi"},
	};
	for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
		const struct same s = same(equal[i][0], equal[i][1], "");
		if (s.verdict != SAME_EQUAL || !s.proven || s.head_channels || s.model_channels)
			fail_msg("%s, %s: verdict %d, proven %d", equal[i][0], equal[i][1],
				 (int)s.verdict, s.proven);
	}
}

/* What is no function of a query and its key alone can only be drawn. */
TEST(without_pairs_nothing_is_proven)
{
	static const char *const drawn[] = {"gauss", "cope"};
	for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
		const struct same s = same(drawn[i], drawn[i], "");
		assert_int_equal(s.verdict, SAME_EQUAL);
		assert_false(s.proven);
		assert_int_equal(s.n_draws, 3);
	}
}

/* ---- two models ----------------------------------------------------------------------------- */

TEST(what_differs_is_apart)
{
	static const struct {
		const char *first, *second, *lines;
		enum same_relation relation;
	} rows[] = {
		{"rope+causal", "rope", "", RELATION_EQUAL},
		{"alibi", "alibi(factor=2)", "", RELATION_MULTIPLE},
		{"shaw", "shaw(sign=ts)", "", RELATION_MIRRORED},
		{"rope", "rope(base=100)", "", RELATION_NONE},
		{"gauss", "rope", "", RELATION_NO_BIAS},
		/* The values, and layer 4 alone. */
		{"shaw", "shaw(values=off)", "", RELATION_EQUAL},
		{"rope(base=500000)+qk_norm(gain=off,eps=1e-5)+causal", "irope", "",
		 RELATION_EQUAL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct same s = same(rows[i].first, rows[i].second, rows[i].lines);
		if (s.verdict != SAME_APART || s.relation != rows[i].relation || s.proven)
			fail_msg("%s, %s: verdict %d, relation %d", rows[i].first, rows[i].second,
				 (int)s.verdict, (int)s.relation);
	}
}

/* What counts t−s has its table the other way round: keys and values, or a number for each distance. */
TEST(tables_read_from_their_other_end)
{
	static const struct {
		const char *first, *second;
		bool mirrored;
	} rows[] = {
		{"shaw", "shaw(sign=ts)", true},
		{"shaw(values=off)", "shaw(sign=ts,values=off)", true},
		{"shaw", "shaw(sign=ts,values=off)", false}, /* the biases alone are mirrored */
		{"shaw", "shaw(sign=ts)+causal", false},
		{"rope", "rope(base=100)", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct same s = same(rows[i].first, rows[i].second, "sentence a b c d e");
		if (s.verdict != SAME_APART || s.mirrored != rows[i].mirrored)
			fail_msg("%s, %s: verdict %d, mirrored %d", rows[i].first, rows[i].second,
				 (int)s.verdict, s.mirrored);
	}
}

/* Weights may be compared though one side has no logits. */
TEST(weights_without_logits_are_compared)
{
	const struct same s = same("stickbreak", "gauss", "");
	assert_int_equal(s.verdict, SAME_APART);
	assert_true(s.variation > 0.01 && isfinite(s.weights));
	assert_int_equal(s.only_second, 45); /* stickbreak looks at what comes before alone */
}

TEST(masks_are_counted)
{
	const struct same s = same("rope+causal", "rope", "sentence a b c d e");
	assert_int_equal(s.only_first, 0);
	assert_int_equal(s.only_second, 10);
	const struct same t = same("rope", "rope+causal", "sentence a b c d e");
	assert_int_equal(t.only_first, 10);
}

TEST(the_factor_is_told)
{
	const struct same s = same("alibi", "alibi(factor=2)", "");
	assert_true(fabs(s.factor - 2) < 1e-12);
}

/* Raffel et al.: of 32 buckets both directions have 16 each, exact to 7, and the first logarithmic
 * one holds 8 and 9 and more; in the causal case 16 are exact. So they part at 9. */
TEST(buckets_of_t5_part_where_they_widen)
{
	const struct same s = same("t5+causal", "t5(causal=on)", letters);
	assert_int_equal(s.verdict, SAME_APART);
	assert_int_equal(s.relation, RELATION_NONE);
	assert_true(s.distances_differ);
	assert_int_equal(s.agree_to, 8);
	/* A short input cannot show it; a longer one is looked at as well. */
	const struct same near = same("t5+causal", "t5(causal=on)", "sentence a b c d e f g h i");
	assert_int_equal(near.verdict, SAME_APART);
	assert_int_equal(near.near_n, 9);
	assert_int_equal(near.n, 520);
	assert_int_equal(near.agree_to, 8);
}

TEST(the_largest_difference_has_a_place)
{
	const struct same s = same("rope", "rope(base=100)", "sentence a b c d e");
	assert_true(s.layer >= 1 && s.layer <= 2 && s.head >= 1 && s.head <= 4);
	assert_true(s.row >= 1 && s.row <= 5 && s.col >= 1 && s.col <= 5);
	assert_true(s.row != s.col || s.layer > 1); /* at distance 0 nothing turns */
	assert_true(fabs(fabs(s.first - s.second) - s.scores) < 1e-12);
	assert_true(s.variation > 0 && s.variation <= 1);
}

/* ---- the command ---------------------------------------------------------------------------- */

TEST_WITH(the_command_says_it_and_exits, cli_enter, cli_leave)
{
	static const struct {
		const char *first, *second;
		int code;
		const char *said;
	} rows[] = {
		{"rope", "rope(layout=half)", 0, "up to a permutation of channels"},
		{"sinusoidal", "sinusoidal(layout=concat)", 0, "neighbours become the two halves"},
		{"rope", "rope", 0, "the same\n"},
		{"rope", "alibi", 1, "not the same"},
		{"rope", "rope(rotary_value=on)", 1, "same weights, other outputs (relative"},
		{"rope", "ropee", 2, "did you mean"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		cli_run(&r, &(struct cli_case){
				    .args = {"check", "--same", rows[i].first, rows[i].second}});
		if (r.code != rows[i].code || !strstr(r.code == 2 ? r.err : r.out, rows[i].said))
			fail_msg("%s, %s: %d\n%s%s", rows[i].first, rows[i].second, r.code, r.out,
				 r.err);
		cli_done(&r);
	}
}

TEST_WITH(the_command_takes_two, cli_enter, cli_leave)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"check", "--same", "rope"}});
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "two expressions, not 1"));
	cli_done(&r);
}

/* ---- what it is said of ------------------------------------------------------------------------ */

TEST(without_a_tree_the_statement_is_of_a_chain)
{
	static const struct {
		const char *first, *second;
		bool chain;
	} rows[] = {{"spr_abs", "sinusoidal", true}, {"rope", "rope(layout=half)", false}};
	for (size_t i = 0; i < 2; i++) {
		const struct cli_case c = {
			.args = {"check", "--same", rows[i].first, rows[i].second, "-s", "a b c"}};
		struct cli_result r;
		cli_run(&r, &c);
		if ((strstr(r.out, "on a chain") != NULL) != rows[i].chain)
			fail_msg("%s: %s", rows[i].first, r.out);
		cli_done(&r);
	}
}

/* ---- the same weights, other outputs --------------------------------------------------------- */

/* What one adds to the values changes no weight of the layer where it is added. */
TEST(other_outputs_of_the_same_weights_are_told)
{
	static const struct {
		const char *first, *second;
		bool weights, mirrored;
	} all[] = {{"shaw", "shaw(values=off)", true, false},
		   {"shaw", "ros_konly", true, true},
		   {"rope", "rope(rotary_value=on)", true, false},
		   {"rope(layout=half)", "rope(rotary_value=on)", true, false},
		   {"stickbreak", "stickbreak(remainder=on)", true, false},
		   {"rope", "alibi", false, false},
		   {"shaw", "shaw(clip=2,values=off)", false, false}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct same s = same(all[i].first, all[i].second, "");
		assert_int_equal(s.verdict, SAME_APART);
		if (s.same_weights != all[i].weights || s.weights_mirrored != all[i].mirrored)
			fail_msg("%s, %s: %d %d", all[i].first, all[i].second, s.same_weights,
				 s.weights_mirrored);
		if (s.same_weights) {
			assert_int_equal(s.outputs_layer, 1);
			assert_true(s.outputs_relative > 0.01 && s.outputs_relative < 2);
		}
	}
	/* From layer 2 on: layer 1 is the same to the last bit. */
	const struct same later = same("rope", "rope(layers=1)+rope(layers=2,rotary_value=on)", "");
	assert_true(later.same_weights);
	assert_int_equal(later.outputs_layer, 2);
}
