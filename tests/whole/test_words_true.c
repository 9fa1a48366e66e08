/* test_words_true.c: what glossary and cards say in words, held against the numbers of the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"

FIXTURE(cli_enter, cli_leave)

/* Lines of a scene, and what is expected of it. */
static void expect(const char *scene, const char *const *expects)
{
	struct cli_case c = {.args = {"check", "words.posviz"}};
	struct cli_result r;
	size_t n = 2;
	cli_write("words.posviz", scene, strlen(scene));
	for (; *expects; expects++) {
		c.args[n++] = "--expect";
		c.args[n++] = *expects;
	}
	cli_run(&r, &c);
	if (r.code != 0)
		fail_msg("%s\n%s%s", scene, r.out, r.err);
	cli_done(&r);
}
#define EXPECT(scene, ...) expect(scene, (const char *const[]){__VA_ARGS__, NULL})

/* "where h is a power of two ... of 12 heads the ninth falls fastest": 2^(-1/2), Press et al.'s code. */
TEST(slopes_of_alibi)
{
	static const char twelve[] =
		"scheme alibi\nsentence a b c\nheads 12\nd-model 48\nhead %d\n";
	static const double slopes[12] = {0.5,	     0.25,	  0.125,      0.0625,
					  0.03125,   0.015625,	  0.0078125,  0.00390625,
					  0.7071068, 0.353553391, 0.17677670, 0.088388348};
	double steepest = 0;
	for (int i = 0; i < 12; i++) {
		char scene[200], bias[100];
		snprintf(scene, sizeof scene, twelve, i + 1);
		snprintf(bias, sizeof bias, "bias 2→1 = %.6f", -slopes[i]);
		EXPECT(scene, bias);
		steepest = fmax(steepest, slopes[i]);
	}
	assert_true(steepest == slopes[8]);
	for (int i = 1; i <= 8; i++) {
		char scene[200], bias[100];
		snprintf(scene, sizeof scene,
			 "scheme alibi\nsentence a b c\nheads 8\nd-model 32\nhead %d\n", i);
		snprintf(bias, sizeof bias, "bias 3→1 = %.8f", -2 * exp2(-8.0 * i / 8));
		EXPECT(scene, bias);
	}
}

/* "as printed to base^(1 − 2/d) · 2π; in tensor2tensor to base · 2π": of d 64 the sine of one place. */
TEST(wavelengths_of_sinusoids)
{
	EXPECT("scheme sinusoidal\nsentence a b c\n", "vector 2 1 = 0.8414710",
	       "vector 2 63 = 0.00013335214", "vector 2 3 = 0.6815614");
	EXPECT("scheme sinusoidal(freq=t2t)\nsentence a b c\n", "vector 2 1 = 0.8414710",
	       "vector 2 63 = 0.00010000");
}

/* "Pairs that are left without position count twice in q·k": with share=0 they all are. */
TEST(pairs_of_fope_without_position_count_twice)
{
	EXPECT("scheme none\nsentence a b c\n", "logit 1→1 = 1.4415", "logit 2→1 = 0.2131");
	EXPECT("scheme fope(share=0)\nsentence a b c\n", "logit 1→1 = 2.8830",
	       "logit 2→1 = 0.4262");
}

static long leaves(const char *scheme, long factor, long times)
{
	char expression[100], key[100];
	struct cli_result r;
	snprintf(expression, sizeof expression, "%s(factor=%ld)", scheme, factor);
	cli_run(&r, &(struct cli_case){.args = {"show", expression, "--numbers", "lengths"}});
	snprintf(key, sizeof key, "  leave.%ld ", times);
	const char *const at = r.code == 0 ? strstr(r.out, key) : NULL;
	if (!at)
		fail_msg("%s: no %s\n%s", expression, key, r.err);
	const long n = strtol(at + strlen(key), NULL, 10);
	cli_done(&r);
	return n;
}

/* The entry "stretch": no angle is new up to factor times the trained length, but with ntk some are, and beyond it they
 * are with all. */
TEST(angles_of_stretched_rotations)
{
	static const char *const whole[] = {"rope_pi", "rope_yarn", "rope_llama3"};
	for (size_t i = 0; i < 3; i++)
		for (long f = 2; f <= 8; f *= 2) {
			assert_int_equal(leaves(whole[i], f, f), 0);
			assert_int_equal(leaves(whole[i], f, f / 2 > 1 ? f / 2 : f), 0);
		}
	for (size_t i = 0; i < 3; i++)
		assert_true(leaves(whole[i], 4, 8) > 0);
	for (long f = 2; f <= 8; f *= 2)
		assert_int_equal(leaves("rope_ntk", f, f), 3);
}
