/* test_words_true.c: what glossary and cards say in words, held against the numbers of the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/app/glossary.h"

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

/* ---- commands that the glossary offers ------------------------------------------------------------ */

/* As a shell reads it, without the program's name. */
static void run_line(const char *line)
{
	wordexp_t words;
	struct cli_case c = {.args = {NULL}};
	struct cli_result r;
	assert_int_equal(wordexp(line, &words, WRDE_NOCMD | WRDE_UNDEF), 0);
	assert_true(words.we_wordc > 1 && words.we_wordc < CLI_ARGS);
	assert_string_equal(words.we_wordv[0], "posviz");
	for (size_t i = 1; i < words.we_wordc; i++)
		c.args[i - 1] = words.we_wordv[i];
	cli_run(&r, &c);
	if (r.code != 0)
		fail_msg("%s\n%s%s", line, r.out, r.err);
	cli_done(&r);
	wordfree(&words);
}

/* What it promises is what it expects. */
TEST(commands_of_the_glossary_hold)
{
	struct arena a;
	size_t n, lines = 0;
	arena_init(&a);
	const struct glossary_entry *const all = glossary_all(&a, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < GLOSSARY_TRIES && all[i].tries[k]; k++, lines++)
			run_line(all[i].tries[k]);
	assert_true(lines >= 10);
	arena_release(&a);
}

/* ---- packed and padded batches -------------------------------------------------------------------- */

#define APART "rope+causal+formula(b=if(t==s,0,-inf),pos=segment)"

/* The output of two layers: tokens by d. */
static struct mat output(const char *const *args, struct arena *a)
{
	struct cli_case c = {.args = {"dump"}};
	struct tensor_set set;
	size_t n = 1;
	for (; *args; args++)
		c.args[n++] = *args;
	c.args[n++] = "-o";
	c.args[n++] = "words.safetensors";
	c.args[n++] = "--force";
	cli_good(&c);
	cli_tensors("words.safetensors", a, &set);
	return tensor_mat(cli_tensor(&set, "layer.1.output"));
}

/* The last rows of one are those of the other. */
static void expect_rows(struct mat all, struct mat alone)
{
	for (size_t t = 0; t < alone.rows; t++)
		for (size_t k = 0; k < alone.cols; k++)
			assert_true(fabs(mat_row(all, all.rows - alone.rows + t)[k] -
					 mat_row(alone, t)[k]) < 1e-13);
}

TEST(a_packed_document_is_itself_alone)
{
	struct arena a;
	arena_init(&a);
	const struct mat packed =
		output((const char *const[]){APART, "-s", "a b c d e f", "--segments",
					     "0 0 0 1 1 1", "--position-ids", "0 1 2 0 1 2", NULL},
		       &a);
	expect_rows(packed, output((const char *const[]){"rope+causal", "-s", "d e f", NULL}, &a));
	arena_release(&a);
}

TEST(a_text_padded_at_the_left_is_itself_alone)
{
	struct arena a;
	arena_init(&a);
	const struct mat padded = output(
		(const char *const[]){"learned+causal+formula(b=if(t==s,0,-inf),pos=segment)", "-s",
				      "p q a b c d", "--segments", "0 0 1 1 1 1", "--position-ids",
				      "0 1 0 1 2 3", NULL},
		&a);
	expect_rows(padded,
		    output((const char *const[]){"learned+causal", "-s", "a b c d", NULL}, &a));
	arena_release(&a);
}
