/* test_members.c: members of an expression act where they say, and any number of them together. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"

enum { N = 6 };

/* ---- where members act ---------------------------------------------------------------------- */

TEST(members_act_on_their_heads_and_layers)
{
	struct help_run r, alone;
	help_run_must_open(
		&r,
		"alibi(causal=off,heads=1)+t5(scale=rsqrt,heads=[2,3],layers=2)+causal(heads=4)", N,
		0, help_with_everything);
	help_expect_terms(&r.trace, 0, 0, "unit–unit distance");
	help_expect_terms(&r.trace, 0, 1, "unit–unit");
	help_expect_terms(&r.trace, 0, 2, "unit–unit");
	help_expect_terms(&r.trace, 0, 3, "unit–unit");
	help_expect_terms(&r.trace, 1, 0, "unit–unit distance");
	help_expect_terms(&r.trace, 1, 1, "unit–unit bias");
	help_expect_terms(&r.trace, 1, 2, "unit–unit bias");
	help_expect_terms(&r.trace, 1, 3, "unit–unit");
	help_run_must_open(&alone, "alibi(causal=off)", N, 0, help_with_everything);
	for (size_t l = 0; l < 2; l++) {
		const struct trace_head *heads = r.trace.layers[l].heads;
		help_assert_near(heads[0].terms[1].at, alone.trace.layers[l].heads[0].terms[1].at,
				 0, "the bias of head 1");
		assert_null(heads[0].mask);
		assert_non_null(heads[3].mask);
		assert_int_equal(heads[3].mask[1], 0);
		assert_int_equal(heads[3].mask[N], 1);
	}
	help_assert_near(r.trace.layers[0].heads[0].bias, alone.trace.layers[0].heads[0].bias,
			 1e-12, "bias");
	assert_true(mat_norm(r.trace.layers[0].heads[1].bias) < 1e-12);
	help_run_close(&alone);
	help_run_close(&r);
}

/* What is added to the units once is added in front of the first layer that layers= names. */
TEST(embedding_waits_for_its_layer)
{
	struct help_run late, none, early;
	help_run_must_open(&late, "sinusoidal(layers=2)", N, 0, help_with_everything);
	help_run_must_open(&none, "none", N, 0, help_with_everything);
	help_run_must_open(&early, "sinusoidal", N, 0, help_with_everything);
	help_assert_near(late.trace.layers[0].output, none.trace.layers[0].output, 0, "layer 1");
	const struct mat x = late.trace.layers[1].input, y = none.trace.layers[1].input;
	for (size_t t = 0; t < N; t++)
		for (size_t j = 0; j < late.config.d; j++)
			assert_true(fabs(mat_row(x, t)[j] - mat_row(y, t)[j] -
					 mat_row(early.trace.position_vectors, t)[j]) < 1e-12);
	assert_null(late.trace.position_vectors.at);
	help_run_close(&late);
	help_run_close(&none);
	help_run_close(&early);
}

TEST(two_members_read_two_columns)
{
	struct help_run both, forward, backward;
	help_run_must_open(&both, "sinusoidal(pos=remaining)+sinusoidal", N, 0,
			   help_with_everything);
	help_run_must_open(&forward, "sinusoidal", N, 0, help_with_everything);
	help_run_must_open(&backward, "sinusoidal(pos=remaining)", N, 0, help_with_everything);
	const struct mat p = both.trace.position_vectors;
	for (size_t t = 0; t < N; t++) {
		/* remaining = n - t, as in LDPE */
		assert_true(fabs(mat_row(backward.trace.position_vectors, t)[0] -
				 sin((double)(N - t))) < 1e-12);
		for (size_t j = 0; j < both.config.d; j++)
			assert_true(fabs(mat_row(p, t)[j] -
					 mat_row(forward.trace.position_vectors, t)[j] -
					 mat_row(backward.trace.position_vectors, t)[j]) < 1e-12);
	}
	assert_int_equal(both.trace.layers[0].heads[0].n_terms, 9);
	for (size_t i = 0; i < 9; i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(both.trace.layers[0].heads[0].terms[i].label,
						both.trace.layers[0].heads[0].terms[j].label);
	help_run_close(&both);
	help_run_close(&forward);
	help_run_close(&backward);
}

/* Far more terms than a head keeps apart: the last one holds the rest, and nothing is lost. */
TEST(many_members_are_one_sum)
{
	char text[400] = "sinusoidal";
	for (size_t i = 1; i < MODEL_MAX_MEMBERS; i++)
		strcat(text, i < 8 ? "+sinusoidal(start=1)" : "+t5(scale=rsqrt)");
	struct help_run r;
	help_run_must_open(&r, text, N, 0, help_with_everything);
	const struct trace_head *head = &r.trace.layers[0].heads[0];
	assert_int_equal(head->n_terms, MODEL_MAX_TERMS);
	for (size_t i = 0; i < N * N; i++) {
		double sum = 0;
		for (size_t k = 0; k < head->n_terms; k++)
			sum += head->terms[k].at.at[i];
		assert_true(fabs(sum - head->logits.at[i]) < 1e-11 * mat_norm(head->logits));
	}
	help_run_close(&r);
}

/* Heads without logits beside heads that mix theirs. */
TEST(heads_without_logits_do_not_break_the_others)
{
	static const char *const expressions[] = {
		"gauss(heads=1)+dape", "gauss(heads=2)+dape",  "gauss(heads=2)+rope",
		"gauss(heads=1)+cope", "gauss(layers=1)+dape", "dape+gauss",
	};
	for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++) {
		struct help_run r;
		if (help_run_open(&r, expressions[i], N, 0, help_with_everything))
			assert_true(help_is_finite(r.trace.layers[1].output));
		else
			assert_true(strstr(r.err.text, "dape") && strstr(r.err.text, "gauss"));
		help_run_close(&r);
	}
}

static void narrow_with_relation(struct help_run *r)
{
	help_with_everything(r);
	r->want.kinds |= WANT_RELATION;
	r->config.d = 8;
	r->config.heads = 2;
	r->config.layers = 1;
	r->config.t_max = 16;
}

/* In one line that names both. */
TEST(what_cannot_stand_together_is_refused)
{
	static const struct {
		const char *expression, *names[2];
		size_t n;
	} rows[] = {
		{"disan(multi=on)+gauss", {"disan(multi=on)", "gauss"}, N},
		{"gauss+disan(multi=on)", {"disan(multi=on)", "gauss"}, N},
		{"gauss(heads=1)+disan(multi=on,heads=1)", {"disan(", "gauss("}, N},
		{"complex(attention=split)+gauss", {"complex(", "gauss"}, N},
		{"gauss+complex(attention=split)", {"complex(", "gauss"}, N},
		{"complex(attention=split)+disan(multi=on)", {"complex(", "disan("}, N},
		{"complex(attention=split)+shaw", {"complex(", "shaw"}, N},
		{"dufter_abs(conv=1)+disan(multi=on)", {"dufter_abs(conv=1)", "disan("}, N},
		{"gauss+rope", {"gauss", "rope"}, N},
		{"gauss+gauss(std=2)", {"gauss and", "gauss#2"}, N},
		{"synth_random+synth_dense", {"synth_random", "synth_dense"}, N},
		{"dape+gauss(heads=1)", {"dape", "gauss(heads=1)"}, N},
		{"synth_dense+rope", {"synth_dense puts", "what rope does"}, N},
		{"rope_pi+synth_factorized", {"synth_factorized puts", "rope_pi"}, N},
		{"synth_dense(code=on)+pope", {"synth_dense(code=on)", "pope"}, N},
		{"synth_random+fope(heads=2)", {"synth_random", "fope(heads=2)"}, N},
		{"synth_random+shortformer", {"synth_random", "shortformer"}, N},
		{"matrix(as=logits)+selrope", {"matrix(as=logits)", "selrope"}, 3},
		{"synth_random(layers=1)+rope", {"synth_random(layers=1)", "rope"}, N},
		{"synth_random+rope+pope", {"synth_random", "rope"}, N},
		{"diet_abslin+graph_tr", {"diet_abslin", "graph_tr"}, 2},
		{"diet_abslin+struct_tr", {"diet_abslin", "struct_tr"}, 2},
		{"struct_tr+diet_abslin", {"diet_abslin", "struct_tr"}, 4},
		{"diet_abslin(share=head)+graph_tr(tied=on)", {"diet_abslin(", "graph_tr("}, N},
		{"diet_abslin+diet_abslin(keys=3)",
		 {"diet_abslin makes", "diet_abslin#2 needs"},
		 N},
		{"diet_abslin+shortformer", {"diet_abslin", "shortformer"}, N},
		{"deberta+diet_abslin", {"diet_abslin", "deberta"}, N},
		{"diet_abslin+deberta", {"diet_abslin", "deberta"}, N},
		{"complex+spe_conv", {"complex", "spe_conv"}, N},
		{"complex+path", {"complex", "path"}, N},
		{"rand_pe+learned", {"learned", "rand_pe"}, N},
		{"huang1+rand_pe", {"huang1", "rand_pe"}, N},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct help_run r;
		if (help_run_open(&r, rows[i].expression, rows[i].n, 0, narrow_with_relation))
			fail_msg("%s runs", rows[i].expression);
		for (size_t k = 0; k < 2; k++)
			if (!strstr(r.err.text, rows[i].names[k]) || strchr(r.err.text, '\n'))
				fail_msg("%s: %s", rows[i].expression, r.err.text);
		help_run_close(&r);
	}
}

TEST(what_acts_elsewhere_stands_together)
{
	static const char *const expressions[] = {
		"gauss(heads=1)+disan(multi=on,heads=2)",
		"gauss(heads=1)+rope",
		"gauss+rope(rotary_value=on)",
		"synth_random(heads=1)+rope",
		"synth_random+rope(rotary_value=on)",
		"synth_random+rope+shaw",
		"synth_dense+shortformer",
		"synth_random+learned",
		"synth_random+xpos",
		"synth_mix+rope",
		"log_cpb+rope",
		"synth_random(heads=1)+synth_dense(heads=2)",
		"disan+gauss",
		"diet_abslin+ort",
		"diet_abslin+laplacian",
		"shortformer+diet_abslin",
		"gauss+sinusoidal",
		"gauss+causal",
		"complex(attention=split)+shaw(values=off)",
	};
	for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], N, 0, narrow_with_relation);
		assert_true(help_is_finite(r.trace.layers[0].output));
		help_run_close(&r);
	}
}
