/* test_said.c: the sentences of Explore and Why on scenes whose numbers are worked out by hand. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/base/text.h"

FIXTURE(open_arena, close_arena)

static const char *said(const char *expression, const char *lines)
{
	const char *const out = help_picture(&arena, expression, lines)->figure.finding;
	return out ? out : "none";
}

static void assert_begins(const char *text, const char *begin, const char *where)
{
	if (strncmp(text, begin, strlen(begin)) != 0)
		fail_msg("%s: %s", where, text);
}

/* ALiBi's first of four slopes is 1/4; equal words have equal logits, so a mask alone leaves even rows. */
TEST(explore_tells_the_bias_and_the_rows)
{
	static const char *const rows[][3] = {
		{"alibi", "sentence a b c",
		 "In head 1, the bias falls from 0 at distance 0 to −0.5 at −2; "},
		{"formula(b=-abs(s-t))", "sentence a b c",
		 "In head 1, the bias falls from 0 at distance 0 to −2 at ±2; "},
		{"formula(b=abs(s-t))", "sentence a b c",
		 "In head 1, the bias rises from 0 at distance 0 to 2 at ±2; "},
		{"formula(b=s-t)", "sentence a b c",
		 "In head 1, the bias ranges from −2 at distance −2 to 2 at +2; "},
		{"formula(b=t)", "sentence a b c", "In head 1, the mean bias ranges from "},
		{"none", "sentence a a a", "In head 1, every query attends to all its keys alike."},
		{"causal", "sentence a a a",
		 "In head 1, every query attends to all its keys alike."},
		/* Each of three equal words gets as much as the others. */
		{"none", "sentence the cat the dog the",
		 "In head 1, 2 of 5 queries attend most to themselves ("},
		{"none", "sentence a a a\nmatrix logits",
		 "In head 1, every query has the same logit at all its keys."},
		{"causal", "sentence a b c\nmatrix mask",
		 "In head 1, a query sees 1 to 3 of 3 keys."},
		{"none", "sentence a b c\nmatrix mask", "In head 1, every query sees 3 of 3 keys."},
		{"formula(b=-9*abs(s-t+1))+causal", "sentence a b c\nhead mean",
		 "In the mean of 4 heads, the bias ranges from −9 at distance 0 to 0 at −1; "
		 "2 of 3 queries attend most to the token just before ("}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_begins(said(rows[i][0], rows[i][1]), rows[i][2], rows[i][0]);
}

/* With equal words the weights of a row with bias 0 and −ln 3 are 3/4 and 1/4. */
TEST(explore_tells_the_mean_of_the_largest_weights)
{
	static const char lines[] = "sentence a a\n";
	assert_string_equal(
		said("formula(b=-log(3)*abs(s-t))", lines),
		"In head 1, the bias falls from 0 at distance 0 to −1.1 at ±1; every query "
		"attends most to itself (0.75 on average).");
	assert_string_equal(
		help_picture(&arena, "formula(b=-log(3)*abs(s-t))", lines)->figure.finding_brief,
		"Head 1: every query attends most to itself (0.75).");
}

/* T5's slope of head 1 is 2, its bias at distance 4 is −2 ln 5 = −3.22; equal words that have no position beside
 * them share a row evenly. */
TEST(why_tells_the_parts_of_the_logit)
{
	static const char *const rows[][3] = {
		{"t5", "row 6\ncol 2",
		 "Of the logit of chased → cat, −2.6, −3.22 come from bias (positions alone), +0.617 "
		 "from unit–unit (token vectors alone). The row's largest weight, 0.90, is on "
		 "chased."},
		{"rope", "row 6\ncol 2",
		 "Of the logit of chased → cat, 0.444, +0.617 come from queries and keys before "
		 "rotation, −0.173 from the rotation. "},
		{"none", "sentence a a\nrow 1\ncol 2", "The logit of a₁ → a₂, "},
		{"none", "row 6\ncol 6",
		 "The logit of chased → chased, 2.23, is all unit–unit (token vectors alone). No key "
		 "of the row has more weight."},
		{"causal", "row 1\ncol 2",
		 "The mask hides the₁ → cat: its weight is 0, whatever its logit."},
		{"gauss", "row 6\ncol 5",
		 "The weight of chased → dog, 0.40, is given directly, without a logit. No key of the "
		 "row has more weight."},
		{"t5", "row 6\ncol 2\nhead mean", "Of the mean logit of chased → cat, "}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_begins(said(rows[i][0], arena_printf(&arena, "view why\n%s\n", rows[i][1])),
			      rows[i][2], rows[i][0]);
}

/* A brief sentence of usual words has room on 80 columns. */
TEST(brief_sentences_are_brief)
{
	static const char *const schemes[] = {"t5",	    "rope",  "deberta",
					      "sinusoidal", "alibi", "none"};
	static const char *const named[] = {"explore", "terms", "why", "values", "compare"};
	enum { ROOM = 78 };
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		for (size_t v = 0; v < sizeof named / sizeof *named; v++) {
			const struct picture *const p = help_picture(
				&arena, schemes[i], arena_printf(&arena, "view %s\n", named[v]));
			const char *const s = p->figure.finding_brief;
			if (s && text_width(s) > ROOM)
				fail_msg("%s of %s: %s", named[v], schemes[i], s);
		}
}
