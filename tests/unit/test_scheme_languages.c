/* test_scheme_languages.c: positions of several languages, and how word order is taken out. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"
#include "help_learned.h"
#include "posviz/base/rng.h"
#include "scheme/reordered.h"

static const double two_segments[] = {0, 0, 0, 0, 1, 1, 1, 1};

static void bilingual(struct help_run *r)
{
	r->in.segment = two_segments;
}

/* ---- langpe ---- */

/* x has rows 0 to 3 of table 1, then of table 2; the third row of which is the second of table 1. */
TEST(each_segment_reads_its_own_table)
{
	static const size_t row[] = {0, 1, 2, 3, 0, 2, 1, 3};
	struct help_run r;
	help_run_must_open(&r, "langpe", 8, 0, bilingual);
	const struct mat sinusoid = help_again(&r, "sinusoidal", NULL)->position_vectors;
	for (size_t t = 0; t < 8; t++)
		assert_true(mat_max_abs_diff(mat_rows(r.trace.position_vectors, t, 1),
					     mat_rows(sinusoid, row[t], 1)) < 1e-12);
	assert_null(r.trace.note);
	/* Swapped, and going on over the border. */
	const struct mat other = help_again(&r, "langpe(language=2)", NULL)->position_vectors;
	assert_true(mat_max_abs_diff(mat_rows(other, 0, 4),
				     mat_rows(r.trace.position_vectors, 4, 4)) < 1e-12);
	const struct mat on = help_again(&r, "langpe(restart=off)", NULL)->position_vectors;
	assert_true(mat_max_abs_diff(mat_rows(on, 4, 1), mat_rows(sinusoid, 5, 1)) < 1e-12);
	assert_true(mat_max_abs_diff(mat_rows(on, 5, 1), mat_rows(sinusoid, 4, 1)) < 1e-12);
	help_run_close(&r);
}

static void copy_first_table(struct model *model)
{
	const struct mat p = help_leaf(model, "p");
	const size_t t_max = model->config.t_max;
	mat_set(mat_rows(p, t_max, t_max), mat_rows(p, 0, t_max));
}

TEST(equal_tables_forget_the_language)
{
	struct help_run r;
	help_run_must_open(&r, "none", 8, 0, bilingual);
	help_traces_equal(help_changed(&r, "langpe", copy_first_table),
			  help_changed(&r, "langpe(language=2)", copy_first_table));
	help_traces_equal(help_changed(&r, "langpe(restart=off)", copy_first_table),
			  help_again(&r, "sinusoidal", NULL));
	help_run_close(&r);
}

/* Rows of table 2 are those of table 1 in another order; a sentence in that order gives the same
 * output in that order. */
TEST(a_table_undoes_its_word_order)
{
	static const size_t sov[] = {0, 2, 1, 3, 5, 4};
	struct help_run r;
	help_run_must_open(&r, "langpe", 6, 0, NULL);
	assert_non_null(strstr(r.trace.note, "|||"));
	help_permute(&r, sov);
	const struct trace *other = help_again(&r, "langpe(language=2)", NULL);
	for (size_t t = 0; t < 6; t++)
		assert_true(mat_max_abs_diff(mat_rows(other->layers[1].output, t, 1),
					     mat_rows(r.trace.layers[1].output, sov[t], 1)) <
			    1e-12);
	help_run_close(&r);
}

TEST(languages_are_bounded)
{
	static const struct {
		const char *expression, *says;
		size_t n;
	} rows[] = {{"langpe(languages=1)", "raise languages", 8},
		    {"langpe(languages=1,language=2)", "languages=1", 8},
		    {"langpe(languages=7)", "langpe", 8}};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i].expression, rows[i].n, 0, bilingual));
		assert_non_null(strstr(r.err.text, rows[i].says));
		help_run_close(&r);
	}
}

TEST(frozen_positions_are_learned_ones)
{
	struct help_run r;
	help_run_must_open(&r, "freezepe", 7, 0, NULL);
	help_traces_equal(&r.trace, help_again(&r, "learned", NULL));
	const struct scheme *s = scheme_find("freezepe", 8, &r.err);
	assert_non_null(s);
	assert_false(s->flags & SCHEME_LEARNABLE);
	assert_int_equal(model_position_parameters(&r.model), 512 * 32);
	assert_int_equal(model_frozen_parameters(&r.model), 512 * 32);
	help_run_close(&r);
	help_run_must_open(&r, "learned", 7, 0, NULL);
	assert_int_equal(model_frozen_parameters(&r.model), 0);
	help_run_close(&r);
}

/* Only the member that is frozen: what stands beside it is still learned. */
TEST(a_frozen_table_takes_no_gradient)
{
	struct help_run r;
	struct tape tape;
	struct run *run;
	help_run_must_open(&r, "freezepe+shaw", 7, 0, NULL);
	tape_init(&tape, &r.arena, true);
	struct node *const out = model_record(&r.model, &r.in, &tape, &run, &r.err);
	assert_non_null(out);
	tape_backward(&tape, out, NULL);
	for (size_t i = 0; i < r.model.n_leaves; i++) {
		const struct leaf *const leaf = &r.model.leaves[i];
		const struct node *const node = run_leaf_node(run, leaf);
		const bool table = strcmp(leaf->base, "p") == 0;
		assert_int_equal(leaf->frozen, table);
		assert_int_equal(node->wants, !table);
		assert_true(table ? node->g.at == NULL : mat_norm(node->g) > 0);
	}
	assert_true(r.model.n_leaves > 1);
	help_run_close(&r);
}

/* ---- xlpe ---- */

static const double worked[] = {0, 2, 3, 1};

static void four_wide(struct help_run *r)
{
	r->config.d = 4;
	r->config.heads = 1;
	r->in.reorder = worked;
	r->want.kinds |= WANT_RELATION;
}

TEST(rows_are_those_of_the_definition)
{
	static const double want[4][4] = {{0, .7616, 0, .7616},
					  {.7041, .0620, .0150, .7615},
					  {.4817, -.6063, .0250, .7615},
					  {.4552, -.2211, .0200, .7615}};
	struct help_run r;
	help_run_must_open(&r, "xlpe", 4, 0, four_wide);
	for (size_t t = 0; t < 4; t++)
		for (size_t j = 0; j < 4; j++)
			assert_true(fabs(mat_row(r.trace.position_vectors, t)[j] - want[t][j]) <
				    6e-5);
	assert_int_equal(r.trace.relation.at[0 * 4 + 2], 3);
	assert_int_equal(r.trace.relation.at[2 * 4 + 3], -2);
	help_run_close(&r);
}

static const double turned[] = {4, 3, 2, 1, 0, 6, 5};

static void turned_round(struct help_run *r)
{
	r->in.reorder = turned;
	r->config.layers = 3;
	r->want.kinds |= WANT_QKV;
}

TEST(identity_is_the_sinusoid_through_tanh)
{
	struct help_run r;
	help_run_must_open(&r, "xlpe", 7, 0, NULL);
	const struct trace *plain = help_again(&r, "sinusoidal", NULL);
	for (size_t t = 0; t < 7; t++)
		for (size_t j = 0; j < 32; j++)
			assert_true(fabs(mat_row(r.trace.position_vectors, t)[j] -
					 tanh(mat_row(plain->position_vectors, t)[j])) < 1e-12);
	assert_non_null(strstr(r.trace.note, "--reorder"));
	help_traces_equal(help_again(&r, "xlpe(strategy=headxl)", NULL), plain);
	help_run_close(&r);
}

/* Query, key and value of a head are those of one order or of the other. */
TEST(heads_read_one_order_or_the_other)
{
	static const struct {
		const char *expression;
		bool other[4];
	} rows[] = {{"xlpe(strategy=headxl)", {true, true, false, false}},
		    {"xlpe(strategy=headxl,tau=1)", {true, false, false, false}},
		    {"xlpe(strategy=headxl,tau=4)", {true, true, true, true}}};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		help_run_must_open(&r, rows[i].expression, 7, 0, turned_round);
		const struct trace *own = help_again(&r, "sinusoidal", NULL);
		const struct trace *other = help_again(&r, "pnat", NULL);
		for (size_t h = 0; h < 4; h++) {
			const struct trace_head *got = &r.trace.layers[0].heads[h];
			const struct trace_head *want =
				&(rows[i].other[h] ? other : own)->layers[0].heads[h];
			assert_true(mat_max_abs_diff(got->q, want->q) < 1e-12);
			assert_true(mat_max_abs_diff(got->k, want->k) < 1e-12);
			assert_true(mat_max_abs_diff(got->v, want->v) < 1e-12);
			assert_true(mat_max_abs_diff(got->bias, want->bias) < 1e-12);
		}
		help_run_close(&r);
	}
	struct help_run r;
	assert_false(help_run_open(&r, "xlpe(strategy=headxl,tau=5)", 7, 0, NULL));
	assert_non_null(strstr(r.err.text, "there are 4 heads"));
	help_run_close(&r);
}

/* ---- separable permutations ---- */

static bool has_crossing(const size_t *p, size_t n)
{
	for (size_t a = 0; a < n; a++)
		for (size_t b = a + 1; b < n; b++)
			for (size_t c = b + 1; c < n; c++)
				for (size_t d = c + 1; d < n; d++)
					if ((p[c] < p[a] && p[a] < p[d] && p[d] < p[b]) ||
					    (p[b] < p[d] && p[d] < p[a] && p[a] < p[c]))
						return true;
	return false;
}

/* All permutations of n against all fours of their places: of 4, 5, 6, 7 there are 22, 90, 394 and 1806
 * separable ones (the large Schröder numbers). */
TEST(separable_permutations_are_counted)
{
	static const size_t count[] = {1, 1, 2, 6, 22, 90, 394, 1806};
	struct arena a;
	arena_init(&a);
	for (size_t n = 1; n <= 7; n++) {
		size_t p[7], found = 0, codes = 1;
		for (size_t i = 1; i <= n; i++)
			codes *= i;
		for (size_t code = 0; code < codes; code++) {
			size_t rest = code, at[4];
			for (size_t i = 0; i < n; i++) {
				p[i] = rest % (i + 1);
				rest /= i + 1;
				for (size_t k = 0; k < i; k++)
					p[k] += p[k] >= p[i];
			}
			const bool separable = reordered_is_separable(p, n, &a, at);
			assert_int_equal(separable, !has_crossing(p, n));
			const size_t four[] = {p[separable ? 0 : at[0]], p[separable ? 0 : at[1]],
					       p[separable ? 0 : at[2]], p[separable ? 0 : at[3]]};
			assert_true(separable || has_crossing(four, 4));
			found += separable;
		}
		assert_int_equal(found, count[n]);
	}
	arena_release(&a);
}

static const double crossed[] = {1, 3, 0, 2};

static void crossing(struct help_run *r)
{
	r->in.reorder = crossed;
}

TEST(crossings_are_pointed_out_or_refused)
{
	struct help_run r;
	help_run_must_open(&r, "xlpe", 4, 0, crossing);
	assert_non_null(strstr(r.trace.note, "0, 1, 2, 3 go to 2 4 1 3"));
	help_run_close(&r);
	assert_false(help_run_open(&r, "xlpe(crossing=error)", 4, 0, crossing));
	assert_non_null(strstr(r.err.text, "go to 2 4 1 3"));
	help_run_close(&r);
	help_run_must_open(&r, "xlpe(crossing=error)", 7, 0, turned_round);
	assert_null(r.trace.note);
	help_run_close(&r);
}

/* Whether a re-ordering crosses is a matter of the sentence as written, not of how it stands now. */
TEST(crossings_do_not_hang_on_the_present_order)
{
	static const long token[] = {1, 0, 3, 2};
	struct help_run r;
	help_run_must_open(&r, "none", 4, 0, crossing);
	r.in.axis.token = token;
	assert_non_null(strstr(help_again(&r, "xlpe", NULL)->note, "1, 0, 3, 2 go to 2 4 1 3"));
	static const double straight[] = {1, 0, 3, 2};
	r.in.reorder = straight;
	assert_null(help_again(&r, "xlpe(crossing=error)", NULL)->note);
	help_run_close(&r);
}

/* ---- ort ---- */

static struct given plain_weights(struct help_run *r, struct tensor_set *set)
{
	struct rng rng;
	rng_init(&rng, 4);
	const struct mat one = mat_new(&r->arena, 32, 64), two = mat_new(&r->arena, 64, 32);
	mat_fill_normal(one, 0.2, &rng);
	mat_fill_normal(two, 0.2, &rng);
	tensor_set_init(set, &r->arena);
	tensor_set_add(set, "w_ff1", one, false);
	tensor_set_add(set, "w_ff2", two, false);
	tensor_set_add(set, "kernel_1", one, false);
	tensor_set_add(set, "kernel_2", two, false);
	tensor_set_add(set, "bias_1", mat_zero(&r->arena, 1, 64), false);
	tensor_set_add(set, "bias_2", mat_zero(&r->arena, 1, 32), false);
	return (struct given){.weights = set, .params = set};
}

TEST(one_tap_is_the_plain_encoder)
{
	struct help_run r;
	struct tensor_set set;
	help_run_must_open(&r, "none", 7, 0, NULL);
	const struct given given = plain_weights(&r, &set);
	const struct given weights = {.weights = &set};
	help_traces_equal(help_again(&r, "ort(width=1)", &given), help_again(&r, "none", &weights));
	help_run_close(&r);
}

static double permuted_apart(const char *expression, const size_t *order)
{
	struct help_run r;
	double apart = 0;
	help_run_must_open(&r, expression, 7, 0, NULL);
	help_permute(&r, order);
	const struct trace *other = help_again(&r, expression, NULL);
	for (size_t t = 0; t < 7; t++)
		apart = fmax(apart,
			     mat_max_abs_diff(mat_rows(other->layers[1].output, t, 1),
					      mat_rows(r.trace.layers[1].output, order[t], 1)));
	help_run_close(&r);
	return apart;
}

/* Taps are symmetric at first, so reversing is all that a wide kernel does not see. */
TEST(wide_kernels_see_order_and_not_reversal)
{
	static const size_t mixed[] = {3, 0, 6, 1, 5, 2, 4}, back[] = {6, 5, 4, 3, 2, 1, 0};
	assert_true(permuted_apart("ort(width=1)", mixed) < 1e-12);
	assert_true(permuted_apart("ort", mixed) > 1e-2);
	assert_true(permuted_apart("ort", back) < 1e-12);
	assert_true(permuted_apart("ort(width=5)", back) < 1e-12);
}

/* Neighbours are those of the column_of: with its order in the column_of word a sentence that was mixed up
 * gives what it gave before. */
TEST(neighbours_are_those_of_the_column)
{
	static const size_t order[] = {3, 0, 6, 1, 5, 2, 4};
	static const double word[] = {3, 0, 6, 1, 5, 2, 4};
	struct help_run r;
	help_run_must_open(&r, "ort", 7, 0, NULL);
	help_permute(&r, order);
	r.in.word = word;
	const struct trace *mixed = help_again(&r, "ort(pos=word)", NULL);
	for (size_t l = 0; l < 2; l++)
		for (size_t t = 0; t < 7; t++)
			assert_true(mat_max_abs_diff(mat_rows(mixed->layers[l].output, t, 1),
						     mat_rows(r.trace.layers[l].output, order[t],
							      1)) < 1e-12);
	help_run_close(&r);
}

static size_t wanted_layers;

/* Attention that looks at itself alone, so that only convolutions carry anything on. */
static void deep(struct help_run *r)
{
	r->config.layers = wanted_layers;
}

static size_t receptive_field(const char *ort, size_t layers)
{
	enum { N = 31 };
	const char *window = "gauss(offsets=[0],std=0.02,renorm=on)";
	struct help_run r;
	wanted_layers = layers;
	help_run_must_open(&r, "none", N, 0, deep);
	const char *text = arena_printf(&r.arena, "%s+%s", window, ort);
	const struct trace *before = help_again(&r, text, NULL);
	r.in.units = mat_copy(&r.arena, r.in.units);
	for (size_t j = 0; j < r.in.units.cols; j++)
		mat_row(r.in.units, N / 2)[j] *= j % 2 ? 1.5 : -1;
	const struct trace *after = help_again(&r, text, NULL);
	size_t changed = 0;
	for (size_t t = 0; t < N; t++)
		changed +=
			mat_max_abs_diff(mat_rows(before->layers[layers - 1].output, t, 1),
					 mat_rows(after->layers[layers - 1].output, t, 1)) > 1e-9;
	help_run_close(&r);
	return changed;
}

/* Two convolutions in each layer, a place further to each side with each of them: 1 + 4 L. */
TEST(the_receptive_field_grows_with_each_convolution)
{
	assert_int_equal(receptive_field("ort(width=1)", 2), 1);
	assert_int_equal(receptive_field("ort", 1), 5);
	assert_int_equal(receptive_field("ort", 2), 9);
	assert_int_equal(receptive_field("ort", 6), 25);
	assert_int_equal(receptive_field("ort(width=5)", 1), 9);
}

TEST(taps_fall_off_from_the_middle)
{
	struct help_run r;
	help_run_must_open(&r, "ort", 7, 0, NULL);
	const struct mat k = help_leaf(&r.model, "kernel_1");
	assert_int_equal(k.rows, 3 * 32);
	for (size_t i = 0; i < 32; i++)
		for (size_t c = 0; c < 64; c++) {
			assert_true(fabs(2 * mat_row(k, i)[c] - mat_row(k, 32 + i)[c]) < 1e-12);
			assert_true(fabs(mat_row(k, i)[c] - mat_row(k, 64 + i)[c]) < 1e-15);
		}
	/* kernel · d · d_f · 2 and the biases, in each of two layers */
	assert_int_equal(model_position_parameters(&r.model), 2 * (2 * 3 * 32 * 64 + 64 + 32));
	help_run_close(&r);
	assert_false(help_run_open(&r, "ort(width=4)", 7, 0, NULL));
	assert_non_null(strstr(r.err.text, "odd number"));
	help_run_close(&r);
}

/* ---- shuffle ---- */

/* How many of n stand elsewhere; fails when it is no permutation. */
static size_t moved(const double *at, size_t n)
{
	size_t count = 0;
	unsigned long seen = 0;
	for (size_t t = 0; t < n; t++) {
		seen |= 1ul << (unsigned)at[t];
		count += fabs(at[t] - (double)t) > 0.5;
	}
	assert_int_equal(seen, (1ul << n) - 1);
	return count;
}

TEST(words_are_shuffled_as_many_as_said)
{
	static const struct {
		const char *percent;
		size_t most;
	} rows[] = {{"0", 0}, {"20", 4}, {"50", 10}, {"100", 20}};
	for (size_t i = 0; i < 4; i++) {
		struct help_run r;
		size_t most = 0;
		help_run_must_open(&r, "none", 20, 0, NULL);
		for (long draw = 1; draw <= 20; draw++) {
			const char *text = arena_printf(&r.arena, "shuffle(percent=%s,draw=%ld)",
							rows[i].percent, draw);
			const size_t count =
				moved(help_column_of(help_again(&r, text, NULL), "shuffled"), 20);
			assert_true(count <= rows[i].most);
			most = count > most ? count : most;
		}
		assert_true(most + 1 >= rows[i].most);
		help_run_close(&r);
	}
}

TEST(shuffled_words_take_their_units_along)
{
	struct help_run r;
	help_run_must_open(&r, "shuffle", 9, 0, NULL);
	const double *at = help_column_of(&r.trace, "shuffled");
	assert_true(moved(at, 9) > 0);
	size_t order[9];
	for (size_t t = 0; t < 9; t++)
		order[(size_t)at[t]] = t;
	r.in.word = at;
	help_traces_equal(help_again(&r, "sinusoidal(pos=word)", NULL), &r.trace);
	help_traces_equal(help_again(&r, "t5(pos=word)", NULL),
			  help_again(&r, "t5(pos=shuffled)+shuffle(sinusoids=off)", NULL));
	help_traces_equal(help_again(&r, "shuffle(percent=0)", NULL),
			  help_again(&r, "sinusoidal", NULL));
	help_permute(&r, order);
	const struct trace *said = help_again(&r, "sinusoidal", NULL);
	for (size_t t = 0; t < 9; t++)
		assert_true(mat_max_abs_diff(mat_rows(said->layers[1].output, t, 1),
					     mat_rows(r.trace.layers[1].output, order[t], 1)) <
			    1e-12);
	help_run_close(&r);
}

/* ---- all ---- */

static const char *const expressions[] = {
	"langpe", "freezepe", "xlpe", "xlpe(strategy=headxl)", "ort", "ort(width=5,pos=remaining)",
	"shuffle"};

TEST(looking_learning_and_cache_agree)
{
	for (size_t i = 0; i < sizeof expressions / sizeof expressions[0]; i++) {
		help_all_ways_agree(expressions[i], NULL);
		help_terms_sum(expressions[i], NULL);
	}
	help_all_ways_agree("xlpe", turned_round);
	help_all_ways_agree("xlpe(strategy=headxl)", turned_round);
	help_terms_sum("xlpe(strategy=headxl)", turned_round);
}
