/* test_scheme_pairwise.c: a position difference for each pair: the numbers of three codes, worked
 * rows of differences, limits in which rope is left, and how far training then reaches. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "posviz/scheme/scheme.h"
#include "scheme/convoluted.h"
#include "scheme/pairwise_rule.h"

/* Logits above the diagonal are not comparable; q and k of the files are those before rotation. */
#define CASE(name, text)                                                                   \
	{                                                                                  \
		.file = "newer/" name "-a.safetensors", .expression = text, .skip = "q k", \
		.masked_logits = true                                                      \
	}

TEST(numbers_of_the_codes_are_matched)
{
	static const struct help_case cases[] = {
		CASE("selfextend", "rope(layout=half)+selfextend(group=2,neighbours=4)"),
		CASE("selfextend", "selfextend(group=2,neighbours=4)"),
		CASE("selfextend-frac", "selfextend(neighbours=3)+rope(layout=half)"),
		CASE("rerope", "rerope(window=3,training_length=6)"),
		CASE("rerope-leaky", "rope(layout=half)+rerope(window=3,leak=4,training_length=6)"),
		CASE("dca", "rope(layout=half)+dca(chunk=6,window=2,original=64)"),
		CASE("dca-mscale", "dca(chunk=6,window=2,original=8)"),
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct help_result r;
		help_case_open(&r, &cases[i]);
		/* logits, weights and context of both heads */
		assert_int_equal(help_case_compare(&r, &cases[i]), 3 * r.model.config.heads);
		help_case_close(&r);
	}
}

/* Schemes with a hook for q and k that rotate neither; the rules rotate beside them as alone. */
static bool turns_nothing(const struct scheme *s)
{
	static const char *const ids[] = {"complex",   "qk_norm",   "disan",
					  "composite", "synth_mix", "temperature",
					  "logn",      "ssmax",	    "temperature_tuning",
					  "spe_conv",  "spe_sine"};
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if (strcmp(s->id, ids[i]) == 0)
			return true;
	return s->hooks.qk == convoluted_qk;
}

/* Runs the expression with a rule that leaves every pair as it is; returns how far that moves the
 * outputs, or -1 if it is refused in a line that names the rotation. */
static double moved_by_rule(const struct scheme *s, const char *rule)
{
	struct help_run plain, ruled;
	double moved = -1;
	char both[100], causal[100];
	snprintf(both, sizeof both, "%s+%s", s->id, rule);
	snprintf(causal, sizeof causal, "%s+causal", s->id);
	help_run_must_open(&plain, causal, 5, 0, NULL);
	if (help_run_open(&ruled, both, 5, 0, NULL))
		moved = help_output_apart(&plain.trace, &ruled.trace, 1);
	else if (!strstr(ruled.err.text, s->id) || strchr(ruled.err.text, '\n'))
		fail_msg("%s: %s", both, ruled.err.text);
	help_run_close(&plain);
	help_run_close(&ruled);
	return moved;
}

/* A rotation is not rotated a second time: what no pair is far enough for changes nothing. */
TEST(no_rotation_is_rotated_twice)
{
	static const char *const rules[] = {"selfextend(neighbours=999)", "rerope(window=999)",
					    "dca(chunk=999)"};
	size_t taken = 0, refused = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		if (!s->hooks.qk || turns_nothing(s) || s->hooks.content == pairwise_content)
			continue;
		for (size_t k = 0; k < 3; k++) {
			const double moved = moved_by_rule(s, rules[k]);
			if (moved > 1e-9)
				fail_msg("%s+%s: %g", s->id, rules[k], moved);
			taken += moved >= 0;
			refused += moved < 0;
		}
	}
	assert_true(taken >= 10 * 3 && refused >= 12 * 3);
}

static void differences(const struct pairwise_rule *rule, const struct pairwise *p, double t,
			const double *want, size_t n)
{
	for (size_t s = 0; s < n; s++) {
		const size_t way = rule->way(p, t, (double)s);
		const double rho = rule->query(p, way, t) - rule->key(p, way, (double)s);
		if (fabs(rho - want[s]) > 1e-12)
			fail_msg("t %g, s %zu: %g, not %g", t, s, rho, want[s]);
	}
}

TEST(worked_rows_of_differences_are_these)
{
	static const struct pairwise chunks = {.chunk = 6, .local = 2};
	static const double five[] = {5, 4, 3, 2, 1, 0}, seven[] = {6, 5, 4, 3, 3, 2, 1, 0};
	static const double nine[] = {6, 5, 4, 3, 5, 4, 3, 2, 1, 0};
	static const double eleven[] = {6, 5, 4, 3, 6, 5, 4, 3, 3, 2, 1, 0};
	differences(&pairwise_chunks, &chunks, 5, five, 6);
	differences(&pairwise_chunks, &chunks, 7, seven, 8);
	differences(&pairwise_chunks, &chunks, 9, nine, 10);
	differences(&pairwise_chunks, &chunks, 11, eleven, 12);
	static const struct pairwise extend = {.group = 4, .neighbours = 8};
	static const double twenty[] = {11, 11, 11, 11, 10, 10, 10, 10, 9, 9, 9,
					9,  8,	7,  6,	5,  4,	3,  2,	1, 0};
	differences(&pairwise_extend, &extend, 20, twenty, 21);
	static const struct pairwise rerope = {.window = 4}, leaky = {.window = 4, .leak = 4};
	static const double same[] = {4, 4, 4, 3, 2, 1, 0}, slow[] = {4.5, 4.25, 4, 3, 2, 1, 0};
	differences(&pairwise_rerope, &rerope, 6, same, 7);
	differences(&pairwise_rerope, &leaky, 6, slow, 7);
	/* 5/2 is no whole number: 3 + 5 - 2.5, or with the paper's floor 3 + 5 - 2. */
	static const struct pairwise code = {.group = 2, .neighbours = 5};
	static const struct pairwise paper = {.group = 2, .neighbours = 5, .shift = SHIFT_PAPER};
	differences(&pairwise_extend, &code, 6, (const double[]){5.5, 5.5}, 2);
	differences(&pairwise_extend, &paper, 6, (const double[]){6, 6}, 2);
}

/* n = 9; each row equals the first expression. */
TEST(rope_is_left_where_no_pair_is_far)
{
	static const char *const rows[][2] = {
		{"rope(layout=half)+causal", "selfextend(neighbours=9)"},
		{"rope(layout=half)+causal", "selfextend(group=1,neighbours=2)"},
		{"rope(layout=half)+causal", "rerope(window=9)"},
		{"rope(layout=half)+causal", "rerope(window=2,leak=1)"},
		{"rope(layout=half)+causal", "dca(chunk=11,window=2)"},
		{"rope_yarn(factor=8)+causal", "rope_yarn(factor=8)+rerope(window=9)"},
		{"rope(partial=0.5,layers=1)+causal", "rope(partial=0.5,layers=1)+dca(chunk=20)"},
		{"rope+rerope(window=2)", "rope+rerope(window=2,leak=1e6)"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		print_message("%s\n", rows[i][1]);
		help_run_must_open(&r, rows[i][0], 9, 0, NULL);
		const struct trace *const other = help_again(&r, rows[i][1], NULL);
		assert_true(help_logits_apart(&r.trace, other, 0, r.config.heads) <
			    (i == 7 ? 1e-4 : 1e-12));
		help_run_close(&r);
	}
}

/* A query of chunk c sees chunks c - 2 and older alike, whatever its place in the chunk. */
TEST(old_chunks_look_the_same_to_all_queries)
{
	struct help_run r;
	help_run_must_open(&r, "dca(chunk=4,window=1)", 12, 1, help_with_qkv);
	const struct mat z = help_head_of(&r.trace, 0)->logits;
	for (size_t t = 9; t < 12; t++)
		for (size_t s = 0; s < 6; s++)
			assert_true(fabs(help_entry(z, t, s) - help_entry(z, 9, s % 3)) < 1e-12);
	help_run_close(&r);
}

static double reach(const char *text)
{
	struct arena a;
	struct expr e;
	struct err err = {""};
	const struct model_config config = {.d = 16, .heads = 2, .layers = 2, .t_max = 9};
	arena_init(&a);
	if (!expr_parse(&e, text, &a, &err))
		fail_msg("%s", err.text);
	const double got = expr_reach(&e, &config, 0, &a);
	arena_release(&a);
	return got;
}

/* Trained on 9 positions, on differences to 8. Self-Extend with g = 2, w = 4: 2 + d/2 rounded up is 8
 * at 12. */
TEST(a_rule_reaches_beyond_the_positions_of_training)
{
	assert_true(reach("rope") == 8);
	assert_true(reach("rope+rerope") == INFINITY && reach("rerope") == INFINITY);
	assert_true(reach("rope+rerope(window=9)") == 8);
	assert_true(reach("rope+rerope(leak=16)") == 4 + 4 * 16);
	assert_true(reach("rope+selfextend") == 12 && reach("selfextend") == 12);
	assert_true(reach("selfextend+rope(partial=0)") == INFINITY);
	assert_true(reach("rope+dca") == INFINITY && reach("dca(chunk=9)") == 8);
	assert_true(reach("rope+dca+alibi") == 8);
}

static void refused(const char *text, const char *why)
{
	struct help_run r;
	assert_false(help_run_open(&r, text, 5, 0, NULL));
	if (!strstr(r.err.text, why))
		fail_msg("%s: %s", text, r.err.text);
	help_run_close(&r);
}

TEST(what_cannot_be_is_refused)
{
	refused("rope(grid=2)+rerope", "grid=0, cached=off and precision=exact would be right");
	refused("rope(pos=remaining)+dca", "the same for both would be right");
	refused("dca(chunk=4,window=4)", "less than chunk=4 would be right");
	refused("rerope(leak=0.5)", "1 or more, or 0");
	refused("selfextend(scale_base=1)", "more than 1, or 0");
	refused("rope+rerope+dca", "one of them");
}

/* The relation is that of the rule, with or without rope; fractions are none. */
TEST(the_relation_shows_differences)
{
	static const char *const rows[] = {"dca(chunk=6,window=2)", "rope+dca(chunk=6,window=2)"};
	static const int32_t nine[] = {6, 5, 4, 3, 5, 4, 3, 2, 1, 0};
	struct help_run r;
	for (size_t i = 0; i < 2; i++) {
		help_run_must_open(&r, rows[i], 10, 0, help_with_relation);
		assert_int_equal(r.trace.relation.n, 10);
		assert_memory_equal(r.trace.relation.at + 90, nine, sizeof nine);
		assert_int_equal(r.trace.relation.at[1], RELATION_NO_PATH);
		assert_string_equal(
			r.trace.relation.says(&r.trace.relation, RELATION_NO_PATH, NULL, &r.arena),
			"the key comes later");
		help_run_close(&r);
	}
	help_run_must_open(&r, "selfextend(neighbours=3)", 10, 0, help_with_relation);
	assert_int_equal(r.trace.relation.n, 0);
	help_run_close(&r);
}
