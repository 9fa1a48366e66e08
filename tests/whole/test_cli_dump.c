/* test_cli_dump.c: what a dump holds is enough: read back it gives the same numbers, and its recipe
 * followed with plain loops, written here from the papers, gives its logits, weights and contexts. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/picture/picture.h"
#include "posviz/scheme/scheme.h"

FIXTURE(cli_enter, cli_leave)

static const double tolerance = 1e-10;
enum { HEADS = 4, D = 32, DK = D / HEADS, LAYERS = 2 };

static void dump(const char *expression, const char *file, const char *given)
{
	struct cli_case c = {.args = {"dump", expression, "--d-model", "32", "--heads", "4",
				      "--layers", "2", "--proj", "random", "--seed", "11", "-o",
				      file}};
	size_t n = 14;
	static const char *const options[] = {"--units", "--weights", "--params"};
	for (size_t i = 0; given && i < 3; i++) {
		c.args[n++] = options[i];
		c.args[n++] = given;
	}
	cli_good(&c);
}

static void expect_equal(const struct tensor *x, const struct tensor *y)
{
	size_t count = 1;
	assert_int_equal(x->dims, y->dims);
	for (size_t i = 0; i < x->dims; i++) {
		assert_int_equal(x->shape[i], y->shape[i]);
		count *= x->shape[i];
	}
	for (size_t i = 0; i < count; i++)
		if (isnan(x->at[i]) != isnan(y->at[i]) || fabs(x->at[i] - y->at[i]) > tolerance)
			fail_msg("%s[%zu]: %.17g and %.17g", x->name, i, x->at[i], y->at[i]);
}

TEST(a_dump_read_back_gives_the_same_numbers)
{
	static const char *const expressions[] = {"rope+causal",
						  "sinusoidal",
						  "shaw(clip=3)",
						  "t5(buckets=8,max_distance=16)",
						  "alibi",
						  "learned",
						  "txl",
						  "deberta",
						  "sinusoidal+shaw+causal"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		struct arena a;
		struct tensor_set one, two;
		arena_init(&a);
		dump(expressions[i], "one.safetensors", NULL);
		dump(expressions[i], "two.safetensors", "one.safetensors");
		cli_tensors("one.safetensors", &a, &one);
		cli_tensors("two.safetensors", &a, &two);
		assert_int_equal(one.count, two.count);
		/* Vectors has the first positions of a table that is drawn, and a file's whole. */
		bool table = false;
		for (size_t k = 0; k < one.count; k++)
			table |= strncmp(one.tensors[k].name, "param.", 6) == 0;
		for (size_t k = 0; k < one.count; k++)
			if (!table || strncmp(one.tensors[k].name, "vectors.", 8) != 0)
				expect_equal(&one.tensors[k],
					     cli_tensor(&two, "%s", one.tensors[k].name));
		cli_remove("one.safetensors");
		cli_remove("two.safetensors");
		arena_release(&a);
	}
}

/* ---- the recipe, by hand --------------------------------------------------------------------- */

enum { MAX_N = 16 };

struct hand {
	size_t n, layer, head;
	const struct tensor_set *set;
	double q[MAX_N][DK], k[MAX_N][DK], v[MAX_N][DK];
	double logits[MAX_N][MAX_N], weights[MAX_N][MAX_N], context[MAX_N][DK];
	bool causal;
};

/* Columns head·dk.. of input @ w. */
static void project(const struct hand *h, const char *weight, double out[MAX_N][DK])
{
	const double *const x = cli_tensor(h->set, "layer.%zu.input", h->layer)->at;
	const double *const w = cli_tensor(h->set, "layer.%zu.%s", h->layer, weight)->at;
	for (size_t t = 0; t < h->n; t++)
		for (size_t j = 0; j < DK; j++) {
			out[t][j] = 0;
			for (size_t i = 0; i < D; i++)
				out[t][j] += x[t * D + i] * w[i * D + h->head * DK + j];
		}
}

static double dot(const double *x, const double *y)
{
	double sum = 0;
	for (size_t i = 0; i < DK; i++)
		sum += x[i] * y[i];
	return sum;
}

static void plain_logits(struct hand *h, double scale)
{
	for (size_t t = 0; t < h->n; t++)
		for (size_t s = 0; s < h->n; s++)
			h->logits[t][s] = scale * dot(h->q[t], h->k[s]);
}

/* Su et al., eq. 34: pair i is turned by position · 10000^(−2i/d_h). */
static void turn(double x[DK], double position)
{
	for (size_t i = 0; i < DK / 2; i++) {
		const double angle = position * pow(10000, -2.0 * (double)i / DK);
		const double a = x[2 * i], b = x[2 * i + 1];
		x[2 * i] = a * cos(angle) - b * sin(angle);
		x[2 * i + 1] = a * sin(angle) + b * cos(angle);
	}
}

static void rope(struct hand *h)
{
	for (size_t t = 0; t < h->n; t++) {
		turn(h->q[t], (double)t);
		turn(h->k[t], (double)t);
	}
	plain_logits(h, 1 / sqrt(DK));
	h->causal = true;
}

/* Vaswani et al., section 3.5; the sum with the units is the input of the first layer. */
static void sinusoidal(struct hand *h)
{
	const double *const u = cli_tensor(h->set, "units")->at;
	const double *const x = cli_tensor(h->set, "layer.0.input")->at;
	for (size_t t = 0; t < h->n; t++)
		for (size_t i = 0; i < D / 2; i++) {
			const double angle = (double)t * pow(10000, -2.0 * (double)i / D);
			const double *const at = x + t * D + 2 * i, *const unit = u + t * D + 2 * i;
			assert_true(fabs(at[0] - unit[0] - sin(angle)) < tolerance);
			assert_true(fabs(at[1] - unit[1] - cos(angle)) < tolerance);
		}
	plain_logits(h, 1 / sqrt(DK));
}

/* Shaw et al., eq. 2 and 3 with clipping distance 3. */
enum { CLIP = 3 };

static const double *shaw_row(const struct hand *h, const char *leaf, size_t t, size_t s)
{
	const long distance = (long)s - (long)t;
	const long clipped = distance > CLIP ? CLIP : distance < -CLIP ? -CLIP : distance;
	return cli_tensor(h->set, "param.shaw.%s.%zu", leaf, h->layer)->at +
	       (size_t)(clipped + CLIP) * DK;
}

static void shaw(struct hand *h)
{
	for (size_t t = 0; t < h->n; t++)
		for (size_t s = 0; s < h->n; s++)
			h->logits[t][s] =
				(dot(h->q[t], h->k[s]) + dot(h->q[t], shaw_row(h, "w_key", t, s))) /
				sqrt(DK);
}

static void shaw_values(struct hand *h)
{
	for (size_t t = 0; t < h->n; t++)
		for (size_t s = 0; s < h->n; s++)
			for (size_t j = 0; j < DK; j++)
				h->context[t][j] +=
					h->weights[t][s] * shaw_row(h, "w_value", t, s)[j];
}

/* Raffel et al.: half of 8 buckets for each side, of these half exact, the rest logarithmic up to
 * 16; logits without a scale. */
static size_t t5_bucket(long distance)
{
	const size_t side = distance > 0 ? 4 : 0;
	const double n = fabs((double)distance);
	if (n < 2)
		return side + (size_t)n;
	const double large = 2 + log(n / 2) / log(16.0 / 2) * (4 - 2);
	return side + (large < 3 ? (size_t)large : 3);
}

static void t5(struct hand *h)
{
	const double *const table = cli_tensor(h->set, "param.t5.bias_table")->at;
	plain_logits(h, 1);
	for (size_t t = 0; t < h->n; t++)
		for (size_t s = 0; s < h->n; s++)
			h->logits[t][s] += table[t5_bucket((long)s - (long)t) * HEADS + h->head];
}

/* Press et al.: slopes 2^(−8i/h), i from 1. */
static void alibi(struct hand *h)
{
	const double slope = pow(2, -8.0 * (double)(h->head + 1) / HEADS);
	plain_logits(h, 1 / sqrt(DK));
	for (size_t t = 0; t < h->n; t++)
		for (size_t s = 0; s < h->n; s++)
			h->logits[t][s] += slope * ((double)s - (double)t);
	h->causal = true;
}

static void soften(struct hand *h)
{
	for (size_t t = 0; t < h->n; t++) {
		const size_t keys = h->causal ? t + 1 : h->n;
		double sum = 0;
		memset(h->weights[t], 0, sizeof h->weights[t]);
		memset(h->context[t], 0, sizeof h->context[t]);
		for (size_t s = 0; s < keys; s++)
			sum += exp(h->logits[t][s]);
		for (size_t s = 0; s < keys; s++)
			h->weights[t][s] = exp(h->logits[t][s]) / sum;
		for (size_t s = 0; s < keys; s++)
			for (size_t j = 0; j < DK; j++)
				h->context[t][j] += h->weights[t][s] * h->v[s][j];
	}
}

static void compare(const struct hand *h, const char *name, const double *mine, size_t cols,
		    size_t stride)
{
	const struct tensor *const t =
		cli_tensor(h->set, "layer.%zu.head.%zu.%s", h->layer, h->head, name);
	assert_int_equal(t->shape[0], h->n);
	assert_int_equal(t->shape[1], cols);
	for (size_t r = 0; r < h->n; r++)
		for (size_t c = 0; c < cols; c++)
			if (!(fabs(t->at[r * cols + c] - mine[r * stride + c]) <= tolerance))
				fail_msg("%s[%zu][%zu]: %.17g, by hand %.17g", t->name, r, c,
					 t->at[r * cols + c], mine[r * stride + c]);
}

TEST(the_recipe_gives_the_numbers)
{
	static const struct {
		const char *expression;
		void (*logits)(struct hand *h), (*values)(struct hand *h);
	} rows[] = {{"rope+causal", rope, NULL},
		    {"sinusoidal", sinusoidal, NULL},
		    {"shaw(clip=3)", shaw, shaw_values},
		    {"t5(buckets=8,max_distance=16)", t5, NULL},
		    {"alibi", alibi, NULL}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		struct tensor_set set;
		arena_init(&a);
		dump(rows[i].expression, "x.safetensors", NULL);
		cli_tensors("x.safetensors", &a, &set);
		for (size_t k = 0; k < LAYERS * HEADS; k++) {
			struct hand h = {.n = cli_tensor(&set, "units")->shape[0],
					 .layer = k / HEADS,
					 .head = k % HEADS,
					 .set = &set};
			assert_true(h.n > 2 && h.n <= MAX_N);
			project(&h, "w_q", h.q);
			project(&h, "w_k", h.k);
			project(&h, "w_v", h.v);
			rows[i].logits(&h);
			soften(&h);
			if (rows[i].values)
				rows[i].values(&h);
			compare(&h, "logits", h.logits[0], h.n, MAX_N);
			compare(&h, "weights", h.weights[0], h.n, MAX_N);
			compare(&h, "context", h.context[0], DK, DK);
		}
		cli_remove("x.safetensors");
		arena_release(&a);
	}
}

/* Terms add up to the logits, and every name follows the list that the program prints. */
TEST(terms_add_up_to_the_logits)
{
	struct arena a;
	struct tensor_set set;
	arena_init(&a);
	dump("sinusoidal+shaw(clip=3)", "x.safetensors", NULL);
	cli_tensors("x.safetensors", &a, &set);
	const struct tensor *const logits = cli_tensor(&set, "layer.0.head.1.logits");
	const size_t count = logits->shape[0] * logits->shape[1];
	double *const sum = arena_calloc(&a, count, sizeof *sum);
	size_t terms = 0;
	for (size_t i = 0; i < set.count; i++) {
		const struct tensor *const t = &set.tensors[i];
		if (strncmp(t->name, "layer.0.head.1.term.", 20) != 0)
			continue;
		terms++;
		for (size_t k = 0; k < count; k++)
			sum[k] += t->at[k];
	}
	assert_true(terms >= 5);
	for (size_t k = 0; k < count; k++)
		assert_true(fabs(sum[k] - logits->at[k]) < tolerance);
	assert_non_null(tensor_meta_find(&set, "tokens"));
	assert_non_null(tensor_meta_find(&set, "recipe"));
	assert_string_equal(tensor_meta_find(&set, "expression"), "sinusoidal+shaw(clip=3)");
	cli_remove("x.safetensors");
	arena_release(&a);
}

/* The one matrix of npy and csv is the one of the full dump; heads and layers count from 1. */
TEST(one_matrix_is_the_one_of_the_dump)
{
	struct arena a;
	struct tensor_set all, one;
	arena_init(&a);
	dump("t5+causal", "x.safetensors", NULL);
	const struct cli_case npy = {.args = {"dump",	  "t5+causal", "--d-model", "32",
					      "--heads",  "4",	       "--layers",  "2",
					      "--proj",	  "random",    "--seed",    "11",
					      "--matrix", "weights",   "--head",    "3",
					      "--layer",  "2",	       "-o",	    "x.npy"}};
	cli_good(&npy);
	cli_tensors("x.safetensors", &a, &all);
	cli_tensors("x.npy", &a, &one);
	expect_equal(cli_tensor(&all, "layer.1.head.2.weights"), &one.tensors[0]);
	cli_remove("x.safetensors");
	cli_remove("x.npy");
	arena_release(&a);
}

/* Alone in a file it has no mask beside it. */
TEST(a_relation_alone_has_nan_where_there_is_none)
{
	struct arena a;
	struct tensor_set one;
	arena_init(&a);
	const struct cli_case csv = {.args = {"dump", "spr_rel", "-s", "a b", "--special", "cls",
					      "--matrix", "relation", "-o", "x.csv"}};
	cli_good(&csv);
	cli_tensors("x.csv", &a, &one);
	static const double want[] = {0, NAN, NAN, NAN, 0, -1, NAN, 1, 0};
	for (size_t i = 0; i < 9; i++)
		assert_true(isnan(want[i]) ? isnan(one.tensors[0].at[i])
					   : fabs(one.tensors[0].at[i] - want[i]) <= 0);
	cli_remove("x.csv");
	arena_release(&a);
}

/* ---- other formats ------------------------------------------------------------------------------ */

/* An archive holds what safetensors holds, and what reads that reads this. */
TEST(an_npz_holds_what_safetensors_holds)
{
	struct arena a;
	struct tensor_set one, two, again;
	arena_init(&a);
	dump("sinusoidal+shaw(clip=3)", "x.safetensors", NULL);
	dump("sinusoidal+shaw(clip=3)", "x.npz", NULL);
	dump("sinusoidal+shaw(clip=3)", "again.safetensors", "x.npz");
	cli_tensors("x.safetensors", &a, &one);
	cli_tensors("x.npz", &a, &two);
	cli_tensors("again.safetensors", &a, &again);
	assert_int_equal(one.count, two.count);
	assert_int_equal(one.meta_count, two.meta_count);
	for (size_t i = 0; i < one.count; i++) {
		assert_string_equal(one.tensors[i].name, two.tensors[i].name);
		expect_equal(&one.tensors[i], &two.tensors[i]);
		if (strncmp(one.tensors[i].name, "vectors.", 8) != 0)
			expect_equal(&one.tensors[i],
				     cli_tensor(&again, "%s", one.tensors[i].name));
	}
	for (size_t i = 0; i < one.meta_count; i++)
		assert_string_equal(one.meta[i].value, two.meta[i].value);
	cli_remove("x.safetensors");
	cli_remove("x.npz");
	cli_remove("again.safetensors");
	arena_release(&a);
}

/* One array of three dimensions, whose planes are the matrices of single heads. */
TEST(every_head_is_one_array_of_npy)
{
	static const char *const layers[] = {"1", "mean"};
	for (size_t l = 0; l < 2; l++) {
		struct arena a;
		struct tensor_set all, one;
		arena_init(&a);
		const struct cli_case every = {.args = {"dump", "alibi", "--heads", "4", "--matrix",
							"logits", "--layer", layers[l], "--head",
							"all", "-o", "all.npy"}};
		cli_good(&every);
		cli_tensors("all.npy", &a, &all);
		const struct tensor *const t = &all.tensors[0];
		assert_int_equal(t->dims, 3);
		assert_int_equal(t->shape[0], 4);
		for (size_t h = 0; h < 4; h++) {
			const struct cli_case single = {
				.args = {"dump", "alibi", "--heads", "4", "--matrix", "logits",
					 "--layer", layers[l], "--head",
					 arena_printf(&a, "%zu", h + 1), "-o", "one.npy"}};
			cli_good(&single);
			cli_tensors("one.npy", &a, &one);
			const size_t cells = one.tensors[0].shape[0] * one.tensors[0].shape[1];
			assert_int_equal(t->shape[1], one.tensors[0].shape[0]);
			assert_memory_equal(t->at + h * cells, one.tensors[0].at,
					    cells * sizeof *t->at);
			cli_remove("one.npy");
		}
		cli_remove("all.npy");
		arena_release(&a);
	}
}

TEST(what_has_no_place_for_every_head_says_so)
{
	const struct cli_case csv = {.args = {"dump", "rope", "--head", "all", "-o", "x.csv"}};
	const struct cli_case relation = {
		.args = {"dump", "t5", "--matrix", "relation", "--head", "all", "-o", "x.npy"}};
	const struct cli_case page = {.args = {"render", "rope", "--head", "all", "-o", "x.png"}};
	cli_refuse(&csv, "--head all is of three dimensions, and csv has two; npy would be");
	cli_refuse(&relation, "--head means nothing for --matrix relation");
	cli_refuse(&page, "head: \"all\" is not a whole number");
}

/* Metadata stays text, for those who read it; beside it JSON is JSON. */
TEST(json_has_metadata_as_json_too)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	dump("shaw(clip=3)", "x.json", NULL);
	const char *const text = cli_read("x.json", &a, &len);
	static const char *const parts[] = {
		"  \"metadata\": {\n    \"tokens\": \"[\\\"the\\\",\\\"cat\\\"",
		"\n    \"members\": \"[{\\\"name\\\":\\\"shaw\\\"",
		"\n  \"about\": {\n    \"tokens\": [\"the\",\"cat\"",
		"\n    \"expression\": \"shaw(clip=3)\"",
		"\n      \"d\": 32,\n      \"heads\": 4,",
		"\n          \"clip\": 3,\n          \"values\": true,"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!strstr(text, parts[i]))
			fail_msg("no %s", parts[i]);
	cli_remove("x.json");
	arena_release(&a);
}

/* ---- numbers of views ---------------------------------------------------------------------------- */

/* Whatever a view says in numbers has a name of its own. Learn trains for seconds, and Cost measures for as long. */
TEST(every_view_says_its_numbers)
{
	static const char *const expressions[] = {"rope", "t5(buckets=8)+causal"};
	for (size_t i = 0; i < 2 * view_count(); i++) {
		const char *const view = views[i / 2]->name;
		const struct cli_case c = {.args = {"dump", expressions[i % 2], "--numbers", view,
						    "-o", "x.safetensors"}};
		if (!views[i / 2]->numbers || strcmp(view, "learn") == 0 ||
		    strcmp(view, "cost") == 0)
			continue;
		cli_good(&c);
		cli_remove("x.safetensors");
	}
}

/* ---- one cell ----------------------------------------------------------------------------------- */

/* What is dumped of a cell: in a causal layer no gradient of row 2 goes to a word behind the second, and a
 * diagonal clock of rope stands still. */
TEST(numbers_of_a_cell_are_of_the_cell_that_is_asked_for)
{
	struct arena a;
	struct tensor_set set;
	arena_init(&a);
	const struct cli_case c = {.args = {"dump", "rope+causal", "-s", "a b c d", "--layers", "2",
					    "--layer", "2", "--head", "3", "--row", "2", "--col",
					    "1", "--numbers", "gradients,clocks", "-o",
					    "x.safetensors"}};
	cli_good(&c);
	cli_tensors("x.safetensors", &a, &set);
	const struct tensor *const cell = cli_tensor(&set, "gradients.cell");
	assert_true(fabs(cell->at[0] - 2) + fabs(cell->at[1] - 1) <= 0);
	const double weight = cli_tensor(&set, "layer.1.head.2.weights")->at[1 * 4 + 0];
	assert_true(fabs(cli_tensor(&set, "gradients.value")->at[0] - weight) < tolerance);
	const double logit = cli_tensor(&set, "layer.1.head.2.logits")->at[1 * 4 + 0];
	assert_true(fabs(cli_tensor(&set, "clocks.sum")->at[0] - logit) < tolerance);
	const struct tensor *const saliency = cli_tensor(&set, "gradients.saliency.unit");
	assert_true(saliency->at[0] > 0 && saliency->at[2] <= 0 && saliency->at[3] <= 0);
	cli_remove("x.safetensors");
	const struct cli_case far = {
		.args = {"dump", "rope", "-s", "a b", "--row", "3", "-o", "x.json"}};
	cli_refuse(&far, "row: there is no 3; 1 to 2 would be right");
	arena_release(&a);
}

TEST(a_matrix_alone_has_no_cell)
{
	const struct cli_case c = {.args = {"dump", "rope", "--row", "2", "-o", "x.npy"}};
	cli_refuse(&c, "--row means nothing for npy; it is for safetensors npz json");
}

/* ---- what is left out --------------------------------------------------------------------------- */

/* One word is one word: no table of all places, whatever the scheme. */
static void one_word_is_small(const char *scheme)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"dump", scheme, "-s", "a", "-o", "x.json"}});
	cli_read("x.json", &a, &len);
	if (len > 1000000)
		fail_msg("%s: %zu bytes", scheme, len);
	cli_remove("x.json");
	arena_release(&a);
}

TEST(json_of_one_word_is_small)
{
	one_word_is_small("synth_random"); /* the largest table of all */
}

TEST_SAMPLED(json_of_one_word_is_small_of_every_scheme, 1, 6)
{
	for (size_t i = test_part; i < scheme_count(); i += test_parts)
		one_word_is_small(scheme_at(i)->id);
}

/* The rows that positions 0, 1 and 2 read are those of the whole table; what is not there is named, is whole with
 * --leaves all, and nobody takes the part for the table. */
TEST(what_is_left_out_is_said)
{
	struct arena a;
	struct tensor_set part, whole;
	struct cli_result r;
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"dump", "learned+diet_abs", "-s", "a b c",
					     "--position-ids", "9 3 4", "-o", "x.json"}});
	cli_good(&(struct cli_case){.args = {"dump", "learned+diet_abs", "-s", "a b c",
					     "--position-ids", "9 3 4", "--leaves", "all", "-o",
					     "all.json"}});
	cli_tensors("x.json", &a, &part);
	cli_tensors("all.json", &a, &whole);
	assert_null(tensor_find(&part, "param.learned.p"));
	assert_null(tensor_find(&part, "layer.0.w_ff1"));
	assert_non_null(tensor_find(&whole, "layer.0.w_ff1"));
	assert_null(tensor_meta_find(&whole, "left_out"));
	const struct tensor *const p = cli_tensor(&whole, "param.learned.p");
	const struct tensor *const read = cli_tensor(&part, "read.learned.p");
	static const size_t rows[] = {3, 4, 9};
	assert_int_equal(read->shape[0], 3);
	for (size_t i = 0; i < 3; i++)
		assert_memory_equal(read->at + i * 64, p->at + rows[i] * 64, 64 * sizeof *p->at);
	const char *const said = tensor_meta_find(&part, "left_out");
	assert_non_null(strstr(said, "\"param.learned.p\":{\"shape\":[512,64],\"rows\":[3,4,9],"
				     "\"columns\":\"all\"}"));
	assert_non_null(strstr(said, "\"layer.*.w_ff1\":"));
	const struct cli_case again = {
		.args = {"dump", "learned", "--params", "x.json", "-o", "again.npz"}};
	cli_run(&r, &again);
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "of learned.p the file has the numbers alone that its input "
				      "read; posviz dump --leaves all writes all of them"));
	cli_done(&r);
	cli_remove("x.json");
	cli_remove("all.json");
	cli_refuse(&(struct cli_case){.args = {"dump", "rope", "--leaves", "some", "-o", "x.json"}},
		   "leaves: \"some\" is none of read|all");
	arena_release(&a);
}

/* What is written whole exists as tensor, file and archive too, which is counted before. */
TEST(copies_of_learned_numbers_are_within_the_memory)
{
	cli_refuse(&(struct cli_case){.args = {"dump", "learned", "--t-max", "30000", "--memory",
					       "30M", "-o", "x.npz"}},
		   "writing 1920000 learned numbers takes about 61 MB, above the limit of 30 MB; "
		   "dump --leaves read writes those that are read, or raise memory");
	cli_good(&(struct cli_case){
		.args = {"dump", "learned", "--t-max", "30000", "--memory", "80M", "-o", "x.npz"}});
	cli_remove("x.npz");
}

/* Archives hold everything, unless they are asked to be small. */
TEST(archives_hold_all_leaves)
{
	struct arena a;
	struct tensor_set set;
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"dump", "learned", "-s", "a", "-o", "x.npz"}});
	cli_tensors("x.npz", &a, &set);
	assert_non_null(tensor_find(&set, "param.learned.p"));
	cli_remove("x.npz");
	cli_good(&(struct cli_case){
		.args = {"dump", "learned", "-s", "a", "--leaves", "read", "-o", "x.npz"}});
	cli_tensors("x.npz", &a, &set);
	assert_int_equal(cli_tensor(&set, "read.learned.p")->shape[0], 1);
	cli_remove("x.npz");
	arena_release(&a);
}
