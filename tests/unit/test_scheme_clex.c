/* test_scheme_clex.c: frequencies that move along a learned curve: the numbers of the code, the curve
 * without a network, and rope where the curve begins. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_tensors.h"

static void kept(struct help_run *r)
{
	r->config.d = 16;
	r->config.heads = 2; /* of 8 */
	r->want.kinds |= WANT_KEPT;
}

static struct mat theta_of(const struct trace *trace)
{
	for (size_t i = 0; i < trace->n_kept; i++)
		if (strcmp(trace->kept[i].name, "member.clex.theta") == 0)
			return trace->kept[i].at;
	fail_msg("no theta");
	return (struct mat){0};
}

static struct tensor_set numbers;
static bool zero;

static void from_file(struct model *model)
{
	static const char *const leaves[] = {"up", "down"};
	for (size_t i = 0; i < 2; i++) {
		char name[16], leaf[16];
		snprintf(name, sizeof name, "param.%s", leaves[i]);
		snprintf(leaf, sizeof leaf, "w_%s", leaves[i]);
		const struct mat at = help_leaf(model, leaf);
		mat_set(at, tensor_mat(tensor_find(&numbers, name)));
		if (zero && i == 1)
			mat_fill(at, 0);
	}
}

/* The file has frequencies of times 1 to 4, with its network and with one of zeros. */
TEST(numbers_of_the_code_are_matched)
{
	struct arena a;
	struct err err = {""};
	arena_init(&a);
	tensor_set_init(&numbers, &a);
	const char *const path = arena_printf(&a, "%s/newer/clex-a.safetensors", test_data);
	if (!help_tensors(&numbers, path, &err))
		fail_msg("%s", err.text);
	for (size_t n = 1; n <= 5; n++)
		for (size_t k = 0; k < 2; k++) {
			struct help_run r;
			zero = k == 1;
			help_run_must_open(&r, "clex(original=2)", 2 * n, 0, kept);
			const struct mat got =
				theta_of(help_changed(&r, "clex(original=2)", from_file));
			const struct mat want = tensor_mat(
				tensor_find(&numbers, zero ? "inv_freq.zero" : "inv_freq"));
			for (size_t i = 0; i < 4; i++)
				assert_true(fabs(got.at[i] - mat_row(want, n < 4 ? n - 1 : 3)[i]) <
					    1e-9);
			help_run_close(&r);
		}
	arena_release(&a);
}

/* (B (2t-1)^{D/(D-2)})^{-2i/D} at t = 2, D = 8: 1, .0693361, .0048075, 1/3000; steps of a quarter miss
 * it by 1.2e-6. */
TEST(without_a_network_it_is_the_curve_of_ntk)
{
	static const double closed[] = {1, .0693361, .0048075, 1. / 3000};
	static const double solved[] = {1, .0693349, .0048073, .000333316};
	struct help_run r;
	help_run_must_open(&r, "clex(original=2)", 4, 0, kept);
	const struct mat rough = theta_of(help_changed(&r, "clex(original=2)", help_zero_leaves));
	const struct mat fine =
		theta_of(help_changed(&r, "clex(original=2,step=0.01)", help_zero_leaves));
	for (size_t i = 0; i < 4; i++) {
		assert_true(fabs(rough.at[i] - solved[i]) < 6e-8);
		assert_true(fabs(fine.at[i] - closed[i]) < 6e-8);
	}
	/* f = 3 in NTK-aware scaling. */
	help_run_close(&r);
	help_run_must_open(&r, "rope_ntk(layout=half,factor=3)", 4, 0, kept);
	assert_true(
		help_logits_apart(&r.trace,
				  help_changed(&r, "clex(original=2,step=0.01)", help_zero_leaves),
				  0, 2) < 1e-6);
	help_run_close(&r);
}

TEST(up_to_the_length_of_training_it_is_rope)
{
	struct help_run r;
	help_run_must_open(&r, "rope(layout=half,base=500)", 7, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, "clex(base=500,original=0)", NULL));
	help_traces_equal(&r.trace, help_again(&r, "clex(base=500,original=7)", NULL));
	help_traces_equal(&r.trace, help_again(&r, "clex(base=500,original=1,most=1)", NULL));
	assert_true(help_logits_apart(&r.trace, help_again(&r, "clex(base=500,original=6)", NULL),
				      0, 4) > 1e-4);
	help_run_close(&r);
}
