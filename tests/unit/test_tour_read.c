/* test_tour_read.c: words of tours that were written when words were cut by another rule: "U.S." was four tokens. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/tour/tour.h"

FIXTURE(open_arena, close_arena)

static struct tour tour;
static struct tour_report report;

static void read(const char *text)
{
	report = (struct tour_report){.arena = &arena};
	if (!tour_read("x.tour", text, strlen(text), TOUR_EXPECTS, NULL, NULL, &arena, &tour,
		       &report))
		fail_msg("%s", report.lines[0].text);
}

#define US "sentence the U.S. won 3.14\n"

/* Its header says nothing of tokens: it is a tour of then, through reset, another sentence and other tokens. */
TEST(old_tours_keep_the_words_that_they_had)
{
	read("title T\n" US "step A\nhighlight row 'U'\nsay x\nexpect tokens = 9\n"
	     "step B\ntokens chars\nsay x\nstep C\ntokens words\nsay x\nexpect tokens = 9\n"
	     "step D\nsentence dog bites man\nsay x\nexpect tokens = 3\n"
	     "step E\nreset\n" US "order reverse\nsay x\nexpect tokens = 9\n"
	     "step F\nreset\ncompare @ it is 3.14\nplay head 1..3 by 1\nsay x\n");
	static const enum token_mode modes[] = {TOKENS_PLAIN_WORDS, TOKENS_CHARS,
						TOKENS_PLAIN_WORDS, TOKENS_WORDS,
						TOKENS_PLAIN_WORDS, TOKENS_PLAIN_WORDS};
	assert_int_equal(tour.n_beats, sizeof modes / sizeof *modes);
	for (size_t i = 0; i < tour.n_beats; i++)
		assert_int_equal(tour.beats[i].scene.setup.tokens, modes[i]);
	const struct tour_play *const play = &tour.beats[5].play;
	for (size_t i = 0; i < play->n; i++)
		assert_int_equal(play->frames[i].setup.tokens, TOKENS_PLAIN_WORDS);
	assert_int_equal(report.warnings, 1);
	assert_non_null(strstr(report.lines[0].text,
			       "x.tour:2: its words are cut as earlier versions did: in the "
			       "header, tokens words takes those of now"));
}

TEST(a_header_that_tells_tokens_is_of_now)
{
	read("title T\n" US "tokens words\nstep A\nsay x\nexpect tokens = 4\n"
	     "step B\nreset\n" US "say x\nexpect tokens = 4\n");
	assert_int_equal(tour.beats[1].scene.setup.tokens, TOKENS_WORDS);
	assert_int_equal(report.warnings, 0);
	read("title T\ntokens plain-words\n" US "step A\nsay x\nexpect tokens = 9\n"
	     "step B\nreset\n" US "say x\nexpect tokens = 4\n");
	assert_int_equal(report.warnings, 0);
}

TEST(where_the_rules_agree_nothing_is_said)
{
	read("title T\nsentence the dog won .\nstep A\nsay x\nstep B\ntokens chars\n" US "say x\n"
	     "step C\nconllu @dep2\nsay x\n");
	assert_int_equal(tour.beats[0].scene.setup.tokens, TOKENS_WORDS);
	assert_int_equal(report.warnings, 0);
}
