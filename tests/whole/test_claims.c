/* test_claims.c: what descriptors say of schemes is what is measured of them, with their defaults and with
 * one parameter off its default: every switch and choice, and in the long tier every number at its ends and
 * about its default. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"
#include "help_variants.h"
#include "posviz/analysis/analysis.h"

static const char *answer_word(enum answer a)
{
	return a == ANSWER_YES ? "yes" : a == ANSWER_NO ? "no" : "unsaid";
}

struct tally {
	size_t checks, wrong, refused;
};

static void judge(const char *text, const struct verdict *v, struct tally *all)
{
	all->checks++;
	assert_non_null(v->found);
	if (v->printed != ANSWER_UNSAID && v->printed != v->claimed && !v->why)
		fail_msg("%s, %s: differs from print without a reason", text, v->claim);
	if (v->ok)
		return;
	all->wrong++;
	print_error("%s, %s: claimed %s, measured %s: %s\n", text, v->claim,
		    answer_word(v->claimed), v->measured ? "yes" : "no", v->found);
}

/* What cannot be read alone, or not be computed, is refused by a message that names the scheme. */
static void check(const struct scheme *s, const char *text, struct tally *all)
{
	struct arena a;
	struct scene scene;
	struct err err = {""};
	struct verdict verdicts[VERDICTS_MAX];
	size_t n = 0;
	arena_init(&a);
	scene_init(&scene);
	if (!scene_set(&scene, field_find("scheme"), text, &err) ||
	    !analysis_check(&scene.setup, NULL, &a, verdicts, &n, &err)) {
		if (strcmp(text, s->id) == 0 || !strstr(err.text, s->id))
			fail_msg("%s: %s", text, err.text);
		all->refused++;
	} else {
		const size_t claims = s->count_printed ? CLAIM_KINDS : CLAIM_KINDS - 1;
		assert_true(n >= claims && n <= VERDICTS_MAX); /* and theorems, of some */
	}
	for (size_t i = 0; i < n; i++)
		judge(text, &verdicts[i], all);
	arena_release(&a);
}

static void check_variants(bool numbers)
{
	struct variants v;
	struct tally all = {0};
	variants_open(&v, numbers);
	for (size_t i = test_part; i < v.n; i += test_parts)
		check(v.scheme[i], v.text[i], &all);
	print_message("%zu expressions, %zu of them refused; %zu claims, %zu wrong\n", v.n,
		      all.refused, all.checks, all.wrong);
	assert_true(all.refused * 10 < v.n);
	assert_int_equal(all.wrong, 0);
	variants_close(&v);
}

TEST_SAMPLED(claims_are_what_is_measured, 2, 6)
{
	check_variants(false);
}

TEST_THAT_LASTS(claims_hold_for_every_number, 4)
{
	check_variants(true);
}

/* Claims under two parameters that act together, and of one at the end of its range. */
TEST(claims_hold_where_parameters_meet)
{
	static const char *const texts[] = {"deberta(share=on,buckets=256)",
					    "alibi(factor=0,causal=off)",
					    "composite(clip=0,convk=on)",
					    "cnn(padding=circular,width=1)",
					    "fope(gain=0,length=0)",
					    "rope(grid=20,layout=half)",
					    "log_cpb(grid=on,window=12)",
					    "t5(buckets=1024,max_distance=65536)",
					    "shaw(table=sinusoidal,clip=4)",
					    "txl(clamp=700,causal=off)",
					    "gauss(std=0.4,threshold=0.99)",
					    "tupe_r(reset=off,buckets=32)",
					    "abacus(rows=64,max_k=60)",
					    "spe_conv(samples=64)",
					    "rope_yarn(cut=1)",
					    "rope_long(cut=2)",
					    "liere(block=1)",
					    "liere(prefix=1000000)",
					    "comrope(block=1)",
					    "prefix(length=1000000000)",
					    "rope_pi(factor=1000000)",
					    "prope(factor=1000000)",
					    "bipe(rows=1)",
					    "softcap(cap=1000000000000)",
					    "mla(rope=0)"};
	struct tally all = {0};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct err err = {""};
		const struct scheme *s = scheme_find(texts[i], strcspn(texts[i], "("), &err);
		check(s, texts[i], &all);
	}
	assert_int_equal(all.refused, 0);
	assert_int_equal(all.wrong, 0);
}

/* ---- causal ------------------------------------------------------------------------------------ */

static void two_heads(struct help_run *r)
{
	r->config.heads = 2;
}

/* Whether no query sees a key after it, in any head of any layer. */
static bool looks_back_alone(const struct help_run *r)
{
	for (size_t l = 0; l < r->trace.n_layers; l++)
		for (size_t h = 0; h < r->config.heads; h++) {
			const struct mat w = r->trace.layers[l].heads[h].weights;
			for (size_t t = 0; t < w.rows; t++)
				for (size_t s = t + 1; s < w.cols; s++)
					if (fabs(mat_row(w, t)[s]) > 0)
						return false;
		}
	return true;
}

TEST(what_is_called_causal_looks_back_alone)
{
	struct variants v;
	variants_open(&v, false);
	for (size_t i = 0; i < v.n; i++) {
		struct help_run r;
		const bool ran = help_run_open(&r, v.text[i], 9, 0, two_heads);
		if (ran && expr_is_causal(&r.expr) != looks_back_alone(&r))
			fail_msg("%s: called %s", v.text[i],
				 expr_is_causal(&r.expr) ? "causal" : "not causal");
		help_run_close(&r);
	}
	variants_close(&v);
}
