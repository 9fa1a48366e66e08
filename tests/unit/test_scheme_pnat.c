/* test_scheme_pnat.c: permutations: how they are matched, and positions that follow them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_learned.h"
#include "help_tensors.h"
#include "posviz/base/rng.h"
#include "scheme/matching.h"
#include "scheme/order_net.h"
#include "scheme/pair_order.h"
#include "scheme/sinusoid.h"

/* ---- matching ---- */

static double worked[9] = {.9, .8, .1, .85, .2, .3, .4, .7, .6};

/* Both answers to the 3x3 example, and their totals. */

static double total_of(struct mat c, const size_t *place)
{
	double sum = 0;
	for (size_t i = 0; i < c.rows; i++)
		sum += mat_row(c, i)[place[i]];
	return sum;
}

TEST(the_worked_matrix_has_two_answers)
{
	static const struct {
		enum matching how;
		size_t place[3], rounds;
		double total;
	} rows[] = {{MATCHING_GREEDY, {0, 2, 1}, 3, 1.9}, {MATCHING_CODE, {1, 0, 2}, 3, 2.25}};
	struct arena a;
	arena_init(&a);
	const struct mat c = mat_view(worked, 3, 3);
	for (size_t i = 0; i < 2; i++) {
		size_t place[3];
		assert_int_equal(matching_find(c, rows[i].how, &a, place), rows[i].rounds);
		assert_memory_equal(place, rows[i].place, sizeof place);
		assert_true(fabs(total_of(c, place) - rows[i].total) < 1e-12);
	}
	arena_release(&a);
}

/* Takes the greatest of all cells that are free, again and again. */
static void take_greatest(struct mat c, size_t *place)
{
	bool row[16] = {false}, col[16] = {false};
	for (size_t k = 0; k < c.rows; k++) {
		size_t bi = c.rows, bj = 0;
		for (size_t i = 0; i < c.rows; i++)
			for (size_t j = 0; j < c.rows; j++)
				if (!row[i] && !col[j] &&
				    (bi == c.rows || mat_row(c, i)[j] > mat_row(c, bi)[bj]))
					bi = i, bj = j;
		place[bi] = bj;
		row[bi] = col[bj] = true;
	}
}

static double best_total(struct mat c, size_t i, unsigned taken)
{
	double best = i == c.rows ? 0 : -INFINITY;
	for (size_t j = 0; i < c.rows && j < c.rows; j++)
		if (!(taken >> j & 1))
			best = fmax(best, mat_row(c, i)[j] + best_total(c, i + 1, taken | 1u << j));
	return best;
}

TEST(greedy_rounds_take_the_greatest_cells)
{
	struct arena a;
	arena_init(&a);
	struct rng rng;
	rng_init(&rng, 3);
	for (size_t k = 0; k < 200; k++) {
		const size_t n = 1 + k % 7;
		const struct mat c = mat_new(&a, n, n);
		for (size_t i = 0; i < n * n; i++)
			c.at[i] = rng_uniform(&rng);
		size_t got[16], want[16];
		matching_find(c, MATCHING_GREEDY, &a, got);
		take_greatest(c, want);
		assert_memory_equal(got, want, n * sizeof *got);
		const double best = best_total(c, 0, 0), total = total_of(c, got);
		assert_true(total <= best + 1e-12 && total >= best / 2 - 1e-12);
	}
	arena_release(&a);
}

TEST(every_matching_is_a_permutation)
{
	static const double ties[] = {1, 1, 1, 1, -1e300, 0, 1e300, 1e300, 7};
	struct arena a;
	arena_init(&a);
	for (enum matching how = MATCHING_CODE; how <= MATCHING_GREEDY; how++)
		for (size_t n = 1; n <= 3; n++) {
			const struct mat c = mat_new(&a, n, n);
			memcpy(c.at, ties, n * n * sizeof *ties);
			size_t place[3], seen = 0;
			assert_true(matching_find(c, how, &a, place) <= n);
			for (size_t i = 0; i < n; i++)
				seen |= (size_t)1 << place[i];
			assert_int_equal(seen, ((size_t)1 << n) - 1);
		}
	arena_release(&a);
}

static struct mat tensor_of(struct tensor_set *set, const char *name)
{
	const struct tensor *t = tensor_find(set, name);
	if (!t)
		fail_msg("no %s", name);
	return tensor_mat(t);
}

static void read_case(struct tensor_set *set, struct arena *a)
{
	struct err err = {""};
	tensor_set_init(set, a);
	if (!help_tensors(set, arena_printf(a, "%s/struct/pnat-a.safetensors", test_data), &err))
		fail_msg("%s", err.text);
}

TEST(matchings_are_those_of_the_authors_code)
{
	static const struct {
		const char *matrix, *index, *rounds;
		enum matching how;
	} rows[] = {
		{"similarity", "hsp.index", "hsp.rounds", MATCHING_CODE},
		{"similarity", "independent.greedy_index", "independent.greedy_rounds",
		 MATCHING_GREEDY},
		{"cosine", "position.index", "search.rounds", MATCHING_CODE},
		{"cosine", "independent.greedy_from_cosine", NULL, MATCHING_GREEDY},
	};
	struct arena a;
	struct tensor_set set;
	arena_init(&a);
	read_case(&set, &a);
	for (size_t k = 0; k < 4; k++) {
		const struct mat want = tensor_of(&set, rows[k].index);
		size_t place[6];
		const size_t rounds =
			matching_find(tensor_of(&set, rows[k].matrix), rows[k].how, &a, place);
		if (rows[k].rounds)
			assert_int_equal(rounds, lround(tensor_of(&set, rows[k].rounds).at[0]));
		for (size_t i = 0; i < want.rows * want.cols; i++)
			assert_int_equal(place[i], lround(want.at[i]));
	}
	arena_release(&a);
}

/* ---- an order from pairs ---- */

static void check_ranks(struct tensor_set *set, const char *name, const size_t *rank)
{
	const struct mat want = tensor_of(set, name);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(rank[i], lround(want.at[i]));
}

TEST(logits_become_the_relations_of_the_authors_code)
{
	struct arena a;
	struct tensor_set set;
	arena_init(&a);
	read_case(&set, &a);
	const double *const logits = tensor_of(&set, "classifier.logits").at;
	const double *const post = tensor_of(&set, "classifier.post_logits").at;
	const struct mat relative = tensor_of(&set, "classifier.relative");
	int32_t said[36];
	for (size_t i = 0; i < 6; i++)
		for (size_t j = i + 1; j < 6; j++) {
			double there[6], back[6];
			const size_t at[2] = {i * 6 + j, j * 6 + i};
			memcpy(there, logits + 6 * at[0], sizeof there);
			memcpy(back, logits + 6 * at[1], sizeof back);
			order_say(said, 6, i, j, there, back, 3);
			for (size_t c = 0; c < 6; c++) {
				assert_true(fabs(there[c] - post[6 * at[0] + c]) < 1e-12);
				assert_true(fabs(back[c] - post[6 * at[1] + c]) < 1e-12);
			}
			assert_int_equal(said[at[0]], lround(relative.at[at[0]]));
			assert_int_equal(said[at[1]], lround(relative.at[at[1]]));
		}
	arena_release(&a);
}

/* The signs of a relation, and how many are positive in each row. */
static void signs_of(const double *relation, int8_t *sign, size_t *wins)
{
	for (size_t i = 0; i < 6; i++) {
		wins[i] = 0;
		for (size_t j = 0; j < 6; j++) {
			const double r = relation[i * 6 + j];
			sign[i * 6 + j] = (int8_t)((r > 0) - (r < 0));
			wins[i] += r > 0;
		}
	}
}

TEST(relations_become_the_order_of_the_authors_code)
{
	struct arena a;
	struct tensor_set set;
	arena_init(&a);
	read_case(&set, &a);
	const double *const relative = tensor_of(&set, "classifier.relative").at;
	const struct mat repaired = tensor_of(&set, "classifier.repaired");
	const struct mat fits = tensor_of(&set, "classifier.consistency");
	int8_t sign[36];
	size_t rank[6], wins[6];
	struct pair_sides sides;
	signs_of(relative, sign, wins);
	check_ranks(&set, "classifier.wins", wins);
	pair_sides_of(&sides, sign, 6, &a);
	for (size_t i = 0; i < 6; i++) {
		double got[6];
		pair_consistency(&sides, i, got);
		for (size_t j = 0; j < 6; j++)
			assert_true(fabs(got[j] - fits.at[i * 6 + j]) < 1e-6);
	}
	pair_order_find(sign, 6, PAIR_ORDER_COUNT, &a, rank);
	check_ranks(&set, "classifier.index_straight", rank);
	pair_order_find(sign, 6, PAIR_ORDER_SORT, &a, rank);
	check_ranks(&set, "classifier.index_quick", rank);
	pair_order_find(sign, 6, PAIR_ORDER_REPAIR, &a, rank);
	check_ranks(&set, "classifier.index_default", rank);
	for (size_t i = 0; i < 36; i++)
		assert_int_equal(sign[i], lround(repaired.at[i]));
	signs_of(repaired.at, sign, wins);
	check_ranks(&set, "classifier.repaired_wins", wins);
	arena_release(&a);
}

/* Also that of the authors' relation of an order, which their matching found. */
TEST(an_order_is_found_from_its_pairs)
{
	struct arena a;
	struct tensor_set set;
	struct rng rng;
	arena_init(&a);
	read_case(&set, &a);
	rng_init(&rng, 8);
	for (enum pair_order how = PAIR_ORDER_REPAIR; how <= PAIR_ORDER_SORT; how++) {
		int8_t own[36];
		size_t rank[6], wins[6];
		signs_of(tensor_of(&set, "position.relative").at, own, wins);
		pair_order_find(own, 6, how, &a, rank);
		check_ranks(&set, "position.index", rank);
		for (size_t n = 0; n <= 130; n += n < 4 || n % 64 > 61 || n % 64 == 0 ? 1 : 29) {
			int8_t *const sign = arena_calloc(&a, n * n + 1, sizeof *sign);
			size_t *const want = arena_calloc(&a, n + 1, sizeof *want);
			size_t *const got = arena_calloc(&a, n + 1, sizeof *got);
			for (size_t i = 0; i < n; i++)
				want[i] = i;
			rng_shuffle(&rng, want, n);
			for (size_t i = 0; i < n; i++)
				for (size_t j = 0; j < n; j++)
					sign[i * n + j] =
						(int8_t)((want[i] > want[j]) - (want[i] < want[j]));
			int8_t *const kept = arena_calloc(&a, n * n + 1, sizeof *kept);
			memcpy(kept, sign, n * n);
			pair_order_find(sign, n, how, &a, got);
			assert_memory_equal(sign, kept, n * n);
			assert_memory_equal(got, want, n * sizeof *got);
		}
	}
	arena_release(&a);
}

/* The words of pair_order.h, for any signs: also where both are said to be the earlier one. */
static double consistency_by_words(const int8_t *sign, size_t n, size_t i, size_t j)
{
	const int said = sign[i * n + j];
	double all = 0, both = 0;
	for (size_t k = 0; k < n && said != 0; k++) {
		all += sign[i * n + k] == -said;
		all += sign[j * n + k] == said;
		both += (sign[i * n + k] == said) == (sign[j * n + k] == said);
	}
	return said ? (both - 1 + 0.02) / (all + 0.02) : 1;
}

TEST(any_signs_make_an_order)
{
	struct arena a;
	struct rng rng;
	arena_init(&a);
	rng_init(&rng, 5);
	for (size_t n = 1; n <= 67; n += 11) {
		int8_t *const sign = arena_calloc(&a, n * n, sizeof *sign);
		double *const fits = arena_calloc(&a, n, sizeof *fits);
		struct pair_sides sides;
		for (size_t i = 0; i < n * n; i++)
			sign[i] = (int8_t)(i / n == i % n ? 0 : 2 * (int)rng_below(&rng, 2) - 1);
		pair_sides_of(&sides, sign, n, &a);
		for (size_t i = 0; i < n; i++) {
			pair_consistency(&sides, i, fits);
			for (size_t j = 0; j < n; j++)
				assert_true(fabs(fits[j] - consistency_by_words(sign, n, i, j)) <
					    1e-12);
		}
		for (enum pair_order how = PAIR_ORDER_REPAIR; how <= PAIR_ORDER_SORT; how++) {
			size_t *const rank = arena_calloc(&a, n, sizeof *rank);
			bool *const seen = arena_calloc(&a, n, sizeof *seen);
			pair_order_find(sign, n, how, &a, rank);
			for (size_t i = 0; i < n; i++) {
				assert_true(rank[i] < n && !seen[rank[i]]);
				seen[rank[i]] = true;
			}
		}
	}
	arena_release(&a);
}

/* ---- positions ---- */

static const double reorder5[] = {2, 0, 4, 1, 3};

static void reordered(struct help_run *r)
{
	r->in.reorder = reorder5;
	r->want.kinds |= WANT_RELATION;
}

/* Row t of P is that of z_t. */
static void check_places(struct help_run *r, struct mat p, const double *z)
{
	const struct mat want = mat_new(&r->arena, p.rows, p.cols);
	sinusoid_fill(want, z, SINUSOID_INTERLEAVED, SINUSOID_PAPER, 10000);
	assert_true(mat_max_abs_diff(p, want) < 1e-12);
}

TEST(positions_are_those_of_the_permutation)
{
	struct help_run r;
	help_run_must_open(&r, "pnat", 5, 0, reordered);
	check_places(&r, r.trace.position_vectors, reorder5);
	assert_int_equal(r.trace.relation.n, 5);
	for (size_t t = 0; t < 5; t++)
		for (size_t s = 0; s < 5; s++)
			assert_int_equal(r.trace.relation.at[t * 5 + s],
					 lround(reorder5[s] - reorder5[t]));
	help_run_close(&r);
}

TEST(identity_is_the_plain_decoder)
{
	static const double same[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	static const char *const pairs[][2] = {
		{"pnat", "sinusoidal"},
		{"pnat(layout=concat,freq=t2t,start=2)",
		 "sinusoidal(layout=concat,freq=t2t,start=2)"},
		{"pnat(from=matrix,similarity=[1])", "sinusoidal"},
		{"pnat(from=matrix,similarity=[1,0,0,1],match=greedy)", "sinusoidal"}};
	struct help_run r;
	help_run_must_open(&r, "none", 9, 0, NULL);
	for (size_t i = 0; i < 8; i++) {
		r.in.reorder = i % 2 ? same : NULL;
		help_traces_equal(help_again(&r, pairs[i / 2][0], NULL),
				  help_again(&r, pairs[i / 2][1], NULL));
	}
	help_run_close(&r);
}

/* Moving the inputs into their slots and adding plain sinusoids is the same but for the order of the
 * rows: what the authors' code does, and what the survey says. */
TEST(moving_the_inputs_is_the_same)
{
	struct help_run r;
	help_run_must_open(&r, "pnat", 5, 0, reordered);
	size_t row_of_slot[5];
	for (size_t t = 0; t < 5; t++)
		row_of_slot[lround(reorder5[t])] = t;
	help_permute(&r, row_of_slot);
	const struct trace *moved = help_again(&r, "sinusoidal", NULL);
	for (size_t l = 0; l < 2; l++)
		for (size_t slot = 0; slot < 5; slot++)
			assert_true(mat_max_abs_diff(mat_rows(moved->layers[l].output, slot, 1),
						     mat_rows(r.trace.layers[l].output,
							      row_of_slot[slot], 1)) < 1e-12);
	help_run_close(&r);
}

/* A re-ordering is of tokens: when these are shuffled it goes with them. */
TEST(the_permutation_follows_its_tokens)
{
	static const size_t order[] = {3, 0, 4, 1, 2};
	long token[5];
	struct help_run r;
	help_run_must_open(&r, "pnat", 5, 0, reordered);
	help_permute(&r, order);
	for (size_t t = 0; t < 5; t++)
		token[t] = (long)order[t];
	r.in.axis.token = token;
	const struct trace *moved = help_again(&r, "pnat", NULL);
	for (size_t t = 0; t < 5; t++)
		assert_true(mat_max_abs_diff(mat_rows(moved->layers[1].output, t, 1),
					     mat_rows(r.trace.layers[1].output, order[t], 1)) <
			    1e-12);
	help_run_close(&r);
}

/* Units that are no tokens keep their positions, and the tokens trade theirs. */
TEST(what_is_no_token_stays)
{
	static const long token[] = {-1, 0, 1, 2, -1};
	static const double backwards[] = {2, 1, 0}, want[] = {0, 3, 2, 1, 4};
	struct help_run r;
	help_run_must_open(&r, "none", 5, 0, NULL);
	r.in.axis.token = token;
	r.in.reorder = backwards;
	check_places(&r, help_again(&r, "pnat", NULL)->position_vectors, want);
	help_run_close(&r);
}

TEST(other_members_read_z)
{
	struct help_run r;
	help_run_must_open(&r, "pnat", 5, 0, reordered);
	r.in.word = reorder5;
	help_traces_equal(help_again(&r, "pnat+shaw(pos=z)", NULL),
			  help_again(&r, "pnat+shaw(pos=word)", NULL));
	help_run_close(&r);
}

TEST(a_matrix_decides_for_its_tokens)
{
	static const double code[] = {1, 0, 2, 3, 4}, greedy[] = {0, 2, 1, 3, 4}, two[] = {0, 1};
	struct help_run r;
	help_run_must_open(&r, "pnat(from=matrix)", 5, 0, NULL);
	check_places(&r, r.trace.position_vectors, code);
	assert_non_null(strstr(r.trace.note, "the others keep their positions"));
	check_places(&r, help_again(&r, "pnat(from=matrix,match=greedy)", NULL)->position_vectors,
		     greedy);
	help_run_close(&r);
	/* Corner of two: .9 .8 / .85 .2, and greedy takes .9 first. */
	help_run_must_open(&r, "pnat(from=matrix,match=greedy)", 2, 0, NULL);
	check_places(&r, r.trace.position_vectors, two);
	help_run_close(&r);
	assert_false(help_run_open(&r, "pnat(similarity=[1,2,3,4,5])", 5, 0, NULL));
	assert_non_null(strstr(r.err.text, "5 numbers"));
	help_run_close(&r);
}

/* The inputs and the target of the case, through the whole model. */
TEST(a_target_is_matched_by_cosine)
{
	static const char *const map[] = {"target=target_embedding"};
	struct help_run r;
	struct tensor_set set;
	help_run_must_open(&r, "none", 6, 0, NULL);
	read_case(&set, &r.arena);
	r.config.d = 8;
	r.config.t_max = 6;
	r.in.units = tensor_of(&set, "decoder_input");
	r.in.probe = mat_new(&r.arena, 1, 8);
	mat_fill(r.in.probe, 1);
	const struct given given = {.params = &set, .map = map, .map_count = 1};
	const struct trace *code = help_again(&r, "pnat(from=target)", &given);
	const struct mat index = tensor_of(&set, "position.index");
	check_places(&r, code->position_vectors, index.at);
	const struct trace *greedy = help_again(&r, "pnat(from=target,match=greedy)", &given);
	check_places(&r, greedy->position_vectors,
		     tensor_of(&set, "independent.greedy_from_cosine").at);
	/* The bias is that of the words' order, though the probe stands in for the words. */
	r.in.reorder = index.at;
	const struct trace *said = help_again(&r, "pnat", NULL);
	for (size_t h = 0; h < 4; h++)
		assert_true(mat_max_abs_diff(code->layers[0].heads[h].bias,
					     said->layers[0].heads[h].bias) < 1e-12);
	help_run_close(&r);
}

TEST(a_target_has_t_max_words)
{
	struct help_run r;
	assert_false(help_run_open(&r, "pnat(from=target)", 513, 0, NULL));
	assert_non_null(strstr(r.err.text, "raise t-max"));
	help_run_close(&r);
}

/* The table that is kept is the plain one: another re-ordering is not served the old result. */
TEST(the_cache_knows_re_orderings_apart)
{
	static const char *const expressions[] = {"pnat", "xlpe", "xlpe(strategy=headxl)"};
	for (size_t i = 0; i < 3; i++) {
		struct help_run r;
		struct trace first, second;
		help_run_must_open(&r, expressions[i], 5, 0, reordered);
		struct cache *cache = cache_new(1 << 24);
		r.in.reorder = NULL;
		assert_true(
			model_run(&r.model, &r.in, &r.want, cache, NULL, &r.arena, &first, &r.err));
		r.in.reorder = reorder5;
		assert_true(model_run(&r.model, &r.in, &r.want, cache, NULL, &r.arena, &second,
				      &r.err));
		assert_true(help_output_apart(&second, &r.trace, 1) < 1e-12);
		assert_true(help_output_apart(&first, &r.trace, 1) > 1e-3);
		cache_free(cache);
		help_run_close(&r);
	}
}
