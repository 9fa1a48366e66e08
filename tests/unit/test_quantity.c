/* test_quantity.c: quantities and what is expected of them: how they are read, to what numbers are met, how it is said
 * what is not so; and each quantity against a closed form. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_setup.h"
#include "posviz/analysis/analysis.h"
#include "posviz/quantity/quantity.h"

FIXTURE(open_arena, close_arena)

/* ---- reading ----------------------------------------------------------------------------------------- */

static struct expect read_good(const char *text)
{
	struct expect e;
	struct err err = {""};
	if (!expect_parse(text, &arena, &e, &err))
		fail_msg("%s: %s", text, err.text);
	return e;
}

TEST(an_expectation_has_its_parts)
{
	const struct expect e =
		read_good("  term 'unit--unit' 'a dog'#2 → 3 head 2 of 3 layer 4 != −0.50 ± 1e-3 ");
	assert_string_equal(e.text,
			    "term 'unit--unit' 'a dog'#2 → 3 head 2 of 3 layer 4 != −0.50 ± 1e-3");
	assert_string_equal(e.quantity.text, "term 'unit--unit' 'a dog'#2 → 3 head 2 of 3 layer 4");
	assert_string_equal(e.quantity.label, "unit–unit");
	assert_string_equal(e.quantity.t.word, "a dog");
	assert_int_equal(e.quantity.t.number, 2);
	assert_null(e.quantity.s.word);
	assert_int_equal(e.quantity.s.number, 3);
	assert_int_equal(e.quantity.head, 2);
	assert_int_equal(e.quantity.layer, 4);
	assert_int_equal(e.quantity.of, 3);
	assert_int_equal(e.op, EXPECT_DIFFERENT);
	assert_int_equal(e.is, QUANTITY_NUMBER);
	assert_within(e.number, -0.5, 0);
	assert_within(e.tolerance, 1e-3, 0);
}

TEST(ways_of_writing_are_one)
{
	static const char *const same[][2] = {
		{"weight 'a'→'b' = 1", "weight 'a'->'b'=1"},
		{"curve −1 = −2", "curve -1 = -2"},
		{"curve +1 = 2", "curve 1 = 2"},
		{"apart 1-2 = 0 ± 1", "apart 1–2=0+-1"},
		{"order head 1 layer 2 = 0", "order layer 2 head 1 = 0"},
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		const struct expect x = read_good(same[i][0]), y = read_good(same[i][1]);
		assert_ptr_equal(x.quantity.kind, y.quantity.kind);
		assert_int_equal(x.quantity.number, y.quantity.number);
		assert_int_equal(x.quantity.second, y.quantity.second);
		assert_int_equal(x.quantity.layer, y.quantity.layer);
		assert_within(x.number, y.number, 0);
		assert_within(x.tolerance, y.tolerance, 0);
	}
}

TEST(signs_in_quotation_marks_are_text)
{
	assert_string_equal(read_good("published t 'a = b' 'J > 100' = 1").quantity.row, "a = b");
	assert_string_equal(read_good("published t 'a = b' 'J > 100' = 1").quantity.column,
			    "J > 100");
	const struct expect e = read_good("weight 'don't'→'<' <= 1");
	assert_string_equal(e.quantity.t.word, "don't");
	assert_string_equal(e.quantity.s.word, "<");
	assert_string_equal(read_good("weight '''→1 = 1").quantity.t.word, "'");
}

/* A number with decimals is met to half a unit of its last place, a whole one to 1e-9, and less or more is. */
TEST(numbers_are_met_as_they_are_written)
{
	static const struct {
		const char *text;
		double tolerance;
	} rows[] = {
		{"order = 0.096", 0.0005},   {"order = 0.10", 0.005},	{"order != -2.5", 0.05},
		{"order = 1.5e-3", 0.00005}, {"order = 1.5e3", 50},	{"order = 2", 1e-9},
		{"order = 0", 1e-9},	     {"order > 0.1", 1e-9},	{"order <= 0.1", 1e-9},
		{"order = shift", 1e-9},     {"order = 1 ± 0.2", 0.2},	{"order > 1 ± 0.2", 0.2},
		{"share 'a' = 78", 0.5},     {"share 'a' = 0", 1e-9},	{"share 'a' = 7.5", 0.05},
		{"share 'a' > 78", 1e-9},    {"order = 0.096 +- 0", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!(fabs(read_good(rows[i].text).tolerance - rows[i].tolerance) < 1e-15))
			fail_msg("%s: %g", rows[i].text, read_good(rows[i].text).tolerance);
}

TEST(what_is_wrong_is_said)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "a quantity"},
		{"wieght 1→2 = 0",
		 "no quantity \"wieght\"; did you mean weight? posviz list quantities"},
		{"zebra = 0", "no quantity \"zebra\"; posviz list quantities"},
		{"order", "one of = != < <= > >="},
		{"order =", "the end stands where a number would be right"},
		{"order = = 1", "where a number would be right"},
		{"order == 1", "where a number would be right"},
		{"order = 1 2", "\"2\" is too much"},
		{"order = 1 ± -1", "not negative"},
		{"order = 1 ±", "a tolerance"},
		{"order = 1e999", "a double"},
		{"weight 1 2 = 0", "an arrow"},
		{"weight 1→ = 0", "a position or a token"},
		{"weight 0→1 = 0", "weight T→S:"},
		{"weight 'a→1 = 0", "closing quotation mark"},
		{"weight ''→1 = 0", "closing quotation mark"},
		{"weight 'a'#0→1 = 0", "which of several"},
		{"term 1→2 = 0", "the label of a term"},
		{"rank order = 0", "order is no matrix"},
		{"rank sum = 0", "sum is no matrix"},
		{"max = 0", "max M:"},
		{"curve = 0", "a distance"},
		{"vector 1 = 0", "a number from 1"},
		{"apart 1 = 0", "as in 1-2"},
		{"apart 2-2 = 0", "no pair"},
		{"published = 0", "a table"},
		{"published t Row 'c' = 0", "in quotation marks"},
		{"order head = 0", "its number"},
		{"order head 1 head 2 = 0", "head is said twice"},
		{"order head 0 = 0", "head: its number"},
		{"order = 'dog'", "where a number would be right"},
		{"order = bounded", "no quantity \"bounded\""},
		{"length = 3", "bounded or unbounded"},
		{"length < bounded", "only numbers"},
		{"length = bounded ± 1", "± is for numbers"},
		{"length = order", "cannot be compared"},
		{"strongest weight 1 = order", "cannot be compared"},
		{"strongest weight 1 > 2", "only numbers"},
		{"relation 1→2 > none", "only numbers"},
		{"same 1-2 = perhaps", "no quantity \"perhaps\""},
		{"order\n= 0", "one of ="},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct expect e;
		struct err err = {""};
		if (expect_parse(rows[i].text, &arena, &e, &err))
			fail_msg("%s was read", rows[i].text);
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s: \"%s\" does not say \"%s\"", rows[i].text, err.text,
				 rows[i].says);
	}
}

TEST(the_list_is_read_by_its_names)
{
	assert_true(quantity_count() > 30);
	for (size_t i = 0; i < quantity_count(); i++) {
		const struct quantity_row row = quantity_row(i);
		struct quantity q;
		struct err err = {""};
		/* Without arguments it is read, or what is missing is told by its own words. */
		const bool read = quantity_parse(row.name, &arena, &q, &err);
		if (read != (*row.args == '\0') || (!read && !strstr(err.text, row.args)))
			fail_msg("%s: %s", row.name, err.text);
		assert_true(*row.help && row.help[strlen(row.help) - 1] != '.');
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(row.name, quantity_row(k).name);
	}
}

/* ---- values -------------------------------------------------------------------------------------------- */

static bool expect_of(const struct scene *scene, const char *text, struct expect_result *out,
		      struct err *err)
{
	struct expect e;
	if (!expect_parse(text, &arena, &e, err))
		return false;
	struct quantities *const q = quantities_new(scene, NULL, NULL);
	const bool ok = expect_find(q, &e, &arena, out, err);
	quantities_free(q);
	return ok;
}

static struct expect_result check(const char *scene, const char *text)
{
	const struct scene s = help_scene_read(scene);
	struct expect_result r;
	struct err err = {""};
	if (!expect_of(&s, text, &r, &err))
		fail_msg("%s: %s", text, err.text);
	return r;
}

struct row {
	const char *scene, *text;
};

static void expect_all(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct expect_result r = check(rows[i].scene, rows[i].text);
		if (!r.holds)
			fail_msg("row %zu: %s", i, r.line);
	}
}
#define EXPECT_ALL(rows) expect_all(rows, sizeof(rows) / sizeof *(rows))

#define THREE "sentence a a a\nd-model 4\nheads 1\n"

/* ALiBi, one head of one: slope 2⁻⁸; of four, 2⁻². A mask of n ones below the diagonal has rank n; of two, σ² are
 * (3 ± √5)/2. */
TEST(cells_and_ends_of_matrices)
{
	static const struct row rows[] = {
		{"scheme alibi\nsentence a b c", "bias 3→1 = -0.5"},
		{"scheme alibi\nsentence a b c", "bias 3→1 head 2 = -0.125"},
		{"scheme alibi\nsentence a b c\nhead 2", "bias 'c'→'a' = -0.125"},
		{"scheme alibi\nsentence a b c\nlayer 2", "bias 3→1 = -0.5"},
		{"scheme alibi\nsentence a b c", "bias 3→1 layer 1 = -0.5"},
		{"scheme alibi\nsentence a b c\nhead mean",
		 "bias 3→1 = -0.166015625"}, /* 2·(1/4 + 1/16 + 1/64 + 1/256)/4 */
		{"scheme alibi\nsentence a b c", "max bias = 0"},
		{"scheme alibi\nsentence a b c", "min bias = -0.5"},
		{"scheme alibi\nsentence a b c", "strongest bias 3 = 'c'"},
		{"scheme alibi\nsentence a b c", "strongest bias 3 != 2"},
		{"scheme alibi\nsentence a b c", "strongest bias 3 = strongest bias 3 head 2"},
		{"scheme alibi\nsentence a b c", "mask 1→2 = 0"},
		{"scheme alibi\nsentence a b c", "mask 2→1 = 1"},
		{"scheme alibi\nsentence a b c", "weight 1→2 = 0"},
		{"scheme alibi\nsentence a b c", "rank mask = 3"},
		{"scheme alibi\nsentence a b", "stable-rank mask = 1.1458980 ± 1e-6"},
		{"scheme alibi\nsentence a b c d e f", "rank bias = 2"},
		{"scheme alibi\nsentence a b c d", "curve -2 = -0.5"},
		{"scheme alibi\nsentence a b c d\ncompare none+causal; alibi(factor=2)",
		 "curve -2 of 3 = -1"},
		{"scheme none+causal\n" THREE, "weight 3→2 = 0.33333 ± 1e-5"},
		{"scheme none+causal\n" THREE, "weight 3→2 = weight 3→1"},
		{"scheme none+causal\n" THREE, "max weight = 1"},
		{"scheme none+causal\n" THREE, "min weight = 0.33333 ± 1e-5"},
	};
	EXPECT_ALL(rows);
}

/* Equal words under a causal mask: rows of 1, 1/2, 1/3. Entropy (0 + ln 2 + ln 3)/3, distance (0 + 1/2 + 1)/3. */
TEST(rows_of_weights)
{
	static const struct row rows[] = {
		{"scheme none+causal\n" THREE, "entropy = 0.597253"},
		{"scheme none+causal\n" THREE, "mean-distance = 0.5"},
		/* Row 2 of ALiBi: 1/(1 + e^(−1/4)) against 1/2, and row 1 is the same. */
		{"scheme none+causal\nsentence a a\ncompare alibi", "apart 1-2 = 0.031088"},
		{"scheme none+causal\nsentence a a\ncompare alibi", "apart 2-1 = apart 1-2"},
		{"scheme none+causal\nsentence a a\ncompare alibi", "weight 2→2 of 2 = 0.562177"},
	};
	EXPECT_ALL(rows);
}

/* Sinusoids of width 4 turn by 1 and by 1/100: products are cos δ + cos δ/100. */
TEST(vectors_that_are_added)
{
	static const char scene[] = "scheme sinusoidal\n" THREE;
	static const struct row rows[] = {
		{scene, "vector 2 1 = 0.841471"},  {scene, "vectors 2→2 = 0.540302"},
		{scene, "vectors 3→3 = 0.019999"}, {scene, "dot 1 1 = 2"},
		{scene, "dot 1 2 = 1.540252"},	   {scene, "dot 1 3 = 0.583653"},
		{scene, "cosine 1 2 = 0.770126"},  {scene, "rank vectors = 3"},
		{scene, "max vectors = 1"},	   {scene, "min vectors = -0.416147"},
	};
	EXPECT_ALL(rows);
}

/* Terms add up to the logit; what is off is not in the sum. Content alone varies by nothing but itself. */
TEST(terms_and_sums)
{
	static const char scene[] = "scheme learned\nsentence dog bites man\nterms-off unit–unit";
	const struct scene s = help_scene_read(scene);
	struct quantities *const q = quantities_new(&s, NULL, NULL);
	static const char *const texts[] = {
		"logit 1→3", "term 'unit–unit' 1→3", "sum 1→3", "position 1→3", "sum 1→1",
		"sum 1→2",   "sum-weight 1→3"};
	double is[7];
	for (size_t i = 0; i < 7; i++) {
		struct quantity what;
		struct quantity_value v;
		struct err err = {""};
		if (!quantity_parse(texts[i], &arena, &what, &err) ||
		    !quantity_find(q, &what, &arena, &v, &err) || v.is != QUANTITY_NUMBER)
			fail_msg("%s: %s", texts[i], err.text);
		is[i] = v.number;
	}
	quantities_free(q);
	assert_within(is[0] - is[1], is[2], 1e-12);
	assert_within(is[2], is[3], 1e-12);
	assert_within(is[6], exp(is[2]) / (exp(is[4]) + exp(is[5]) + exp(is[2])), 1e-12);
	static const struct row rows[] = {
		{"scheme none\nsentence dog bites man", "share 'unit–unit' = 100"},
		{"scheme none\nsentence dog bites man", "share 'unit--unit' = 100.0"},
		{"scheme none\nsentence dog bites man", "share 'unit-unit' > 99"},
	};
	EXPECT_ALL(rows);
}

TEST(every_measure_is_a_quantity_in_the_words_of_its_table)
{
	for (const struct measure_row *row = measure_table; row->name; row++) {
		size_t k = 0;
		while (k < quantity_count() && strcmp(quantity_row(k).name, row->name) != 0)
			k++;
		assert_true(k < quantity_count());
		assert_string_equal(quantity_row(k).help, row->sentence);
	}
	/* The numbers in the sentences are those that are measured with. */
	assert_non_null(strstr(measure_table[0].sentence,
			       arena_printf(&arena, " %d shuffles", MEASURE_SHUFFLES)));
	assert_non_null(
		strstr(measure_table[3].sentence, arena_printf(&arena, " by %d,", MEASURE_SHIFT)));
	assert_non_null(strstr(measure_table[5].sentence,
			       arena_printf(&arena, " %d tokens", MEASURE_INSERT)));
}

TEST(measures_of_order)
{
	static const struct row rows[] = {
		{"scheme none\nsentence dog bites man", "order = 0"},
		{"scheme none\nsentence dog bites man", "invariance = 0"},
		{"scheme none\nsentence dog bites man\norder reverse", "your-order = 0"},
		{"scheme none\nsentence dog bites man\norder reverse", "difference = 0"},
		{"scheme rope\nsentence dog bites man\norder reverse", "difference > 0.01"},
		{"scheme rope\nsentence dog bites man", "difference = 0"},
		{"scheme rope\nsentence dog bites man", "shift = 0"},
		{"scheme rope\nsentence dog bites man", "shift-random = 0"},
		{"scheme rope\nsentence dog bites man", "insertion = 0"},
		{"scheme rope\nsentence dog bites man\ncompare learned",
		 "insertion of 2 > insertion"},
		{"scheme none+causal\nsentence the old dog bites", "prefix-order = 0"},
		{"scheme none+causal\nsentence the old dog bites", "prefix-order layer 2 > 0.001"},
		{"scheme none+causal\nsentence the old dog bites\nlayer 2", "prefix-order > 0.001"},
	};
	EXPECT_ALL(rows);
}

/* Shaw clips s − t; T5 has 32 buckets for each of four heads; eigenvalues of a ring of six are 1 − cos(2πk/6). */
TEST(relations_graphs_and_counts)
{
	static const struct row rows[] = {
		{"scheme shaw(clip=2)\nsentence a b c d e", "relation 1→5 = 2"},
		{"scheme shaw(clip=2)\nsentence a b c d e", "relation 'e'→'a' = −2"},
		{"scheme shaw(clip=2)\nsentence a b c d e", "min relation = -2"},
		{"scheme shaw(clip=2)\nsentence a b c d e", "relation 1→5 != none"},
		{"scheme tpe\ntree ((a b) c)", "tokens = 3"},
		{"scheme spr_abs\nsentence a b c\ngovernors 2 0 2", "relation 1→1 = 1"},
		{"scheme spr_abs\nsentence a b c\ngovernors 2 0 2", "relation 1→2 = none"},
		{"scheme t5", "learned = 128"},
		{"scheme alibi", "learned = 0"},
		{"sentence a b\nspecial cls,sep", "tokens = 2"},
		{"scheme learned", "length = bounded"},
		{"scheme learned+alibi", "length = bounded"},
		{"scheme alibi\ncompare shaw", "length = unbounded"},
		{"scheme alibi\ncompare shaw", "length of 2 = bounded"},
		{"scheme alibi\ncompare shaw", "length != length of 2"},
		{"scheme laplacian\ngraph @cycle6", "eigenvalue 1 = 0.5"},
		{"scheme laplacian\ngraph @cycle6", "eigenvalue 4 = 1.5"},
		{"scheme laplacian\ngraph @cycle6", "eigenvalue 5 = 2"},
		/* The last alternates along the ring. */
		{"scheme laplacian\ngraph @cycle6", "eigenvector 1 5 = eigenvector 3 5"},
		{"", "published rosendahl-4 'Relative' 'BLEU: J > 100' = 24.5"},
		/* of kept trainings */
		{"scheme none\ntrain-task order\n", "accuracy 128 = 0.5"},
		{"scheme none\ncompare shaw(clip=8)\n", "accuracy 128 of 2 >= 0.97"},
		{"scheme none\ncompare shaw(clip=8)\n", "loss of 2 < loss"},
		{"scheme none\n", "floor 16 = 0.27"},
		{"",
		 "published diet-2 'Shaw et al. 2018, segments at the input' 'score: CoLA' = 59.8"},
		{"", "published rosendahl-2 'Absolute to 75' 'BLEU: J 76-100' = 25.9"},
	};
	EXPECT_ALL(rows);
}

#define SMALL "sentence a b c d\nd-model 8\nheads 1\nlayers 1\nt-max 16\n"

TEST(one_model_in_two_conventions)
{
	static const struct row rows[] = {
		{"scheme rope\n" SMALL "compare rope(start=7)", "same 1-2 = yes"},
		{"scheme rope\n" SMALL "compare rope(layout=half)", "same 1-2 = permuted"},
		{"scheme shaw\n" SMALL "compare shaw(sign=ts)", "same 1-2 = mirrored"},
		{"scheme rope\n" SMALL "compare alibi; rope(base=100)", "same 1-3 = no"},
		{"scheme rope\n" SMALL "compare rope; alibi", "same 2-3 != same 1-2"},
	};
	EXPECT_ALL(rows);
}

/* ---- what does not apply, and what is not there ----------------------------------------------------------- */

TEST(what_does_not_apply_fails_and_says_why)
{
	static const struct {
		const char *scene, *text, *says;
	} rows[] = {
		{"sentence dog", "order = 0", "there is none: one token"},
		{"sentence a a a", "order != 1", "there is none: all tokens are equal"},
		{"scheme rope", "prefix-order = 0", "not causal"},
		{"scheme rope", "vector 1 1 = 0", "nothing is added"},
		{"scheme rope", "cosine 1 2 = 0", "nothing is added"},
		{"scheme rope+causal", "logit 1→2 = 0", "the mask hides that key"},
		{"scheme rope+causal", "curve 1 = 0", "no query sees a key at that distance"},
		{"scheme rope", "curve 99 = 0", "no query sees a key at that distance"},
		{"scheme gauss", "bias 1→2 = 0", "there is none"},
		{"scheme none", "eigenvalue 1 = 0", "reads no eigenvectors"},
		{"scheme alibi\ntrain-task reverse", "accuracy 16 = 1", "hides later tokens"},
		{"scheme none\nsentence a a", "share 'unit–unit' = 1",
		 "in no row does the sum vary"},
		{"scheme learned\nterms-off unit–unit", "share 'unit–unit' = 1",
		 "that term is off"},
		{"scheme none\nsentence a a a", "strongest weight 1 = 1",
		 "3 keys share the largest value: 'a'#1, 'a'#2, 'a'#3"},
		{"scheme sinusoidal", "strongest vectors 1 = 1", "no keys"},
		{"", "order head 2 = 0", "order does not depend on a head"},
		{"", "tokens layer 1 = 9", "tokens does not depend on a layer"},
		{"", "bias 1→2 layer 2 = 0", "bias is of layer 1"},
		{"", "rank bias layer 2 = 0", "bias is of layer 1"},
		{"compare alibi", "apart 1-2 of 2 = 0", "apart is not of one expression"},
		{"scheme rope", "order = cosine 1 2", "there is no cosine 1 2: nothing is added"},
		{"", "published diet-1 'Shaw et al. 2018' 'added %: BERT small inference' = 0",
		 "it is 65"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct expect_result r = check(rows[i].scene, rows[i].text);
		if (r.holds || !strstr(r.line, rows[i].says))
			fail_msg("%s: \"%s\" does not say \"%s\"", rows[i].text, r.line,
				 rows[i].says);
	}
}

TEST(what_is_not_there_is_an_error)
{
	static const struct {
		const char *scene, *text, *says;
	} rows[] = {
		{"sentence dog bites man", "weight 'cow'→1 = 0", "no token 'cow' in this sentence"},
		{"sentence the dog bites the man", "weight 'the'→1 = 0", "'the'#1 to 'the'#2"},
		{"sentence the dog bites the man", "weight 'dgo'→1 = 0", "did you mean 'dog'"},
		{"sentence dog bites man", "weight 4→1 = 0", "no query 4: there are 3"},
		{"sentence dog bites man", "weight 1→4 = 0", "no key 4: there are 3"},
		{"sentence dog bites man", "strongest weight 1 = 4", "no key 4"},
		{"sentence dog bites man\nscheme none", "dot 1 4 = 0", "no position 4"},
		{"scheme sinusoidal", "vector 1 65 = 0", "no dimension 65: there are 64"},
		{"scheme sinusoidal", "vectors 1→'cat' = 0", "no dimension"},
		{"", "weight 1→2 head 5 = 0", "no head 5: there are 4"},
		{"", "weight 1→2 layer 3 = 0", "no layer 3: there are 2"},
		{"", "weight 1→2 of 2 = 0", "no expression 2: compare has none"},
		{"compare alibi", "apart 1-3 = 0", "no expression 3: compare has 2"},
		{"scheme learned", "term 'bias' 1→2 = 0",
		 "no term 'bias' here; there are 'unit–unit'"},
		{"scheme laplacian\ngraph @cycle6", "eigenvalue 9 = 0", "there are 5"},
		{"", "published diet-7 'a' 'b' = 0", "no table 'diet-7'; did you mean 'diet-"},
		{"", "published diet-1 'a' 'b' = 0", "diet-1: no row 'a'"},
		{"", "published rosendahl-4 'Relative' 'BLEU: J > 101' = 0",
		 "did you mean 'BLEU: J > 100'"},
		{"scheme none", "accuracy 20 = 0", "16, 32, 64 and 128 tokens; 20 is none"},
		{"scheme none", "floor 128 of 2 = 0", "no expression 2"},
		{"scheme learned\nt-max 2", "max weight = 0", "2 positions"},
		{"compare learned\nt-max 2", "max weight of 2 = 0", "expression 2: "},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene s = help_scene_read(rows[i].scene);
		struct expect_result r;
		struct err err = {""};
		if (expect_of(&s, rows[i].text, &r, &err))
			fail_msg("%s: %s", rows[i].text, r.line);
		if (!strstr(err.text, rows[i].says))
			fail_msg("%s: \"%s\" does not say \"%s\"", rows[i].text, err.text,
				 rows[i].says);
	}
}

/* ---- words ------------------------------------------------------------------------------------------------ */

TEST(what_is_false_is_said_with_its_value)
{
	static const char alibi[] = "scheme alibi\nsentence a b c\ncompare none+causal";
	static const struct {
		const char *text, *line;
	} rows[] = {
		{"bias 3→1 = 0", "expect bias 3→1 = 0: it is −0.5"},
		{"bias 3->1 = -0.5", "expect bias 3->1 = -0.5: holds"},
		{"bias 3→1 = -0.49", "expect bias 3→1 = -0.49: it is −0.5"},
		{"bias 3→1 head 4 = -0.007", "expect bias 3→1 head 4 = -0.007: it is −0.00781"},
		/* As many digits as tell it from what was expected. */
		{"bias 3→1 head 4 = -0.0078126 ± 1e-9",
		 "expect bias 3→1 head 4 = -0.0078126 ± 1e-9: it is −0.0078125"},
		{"bias 3→1 > bias 2→1", "expect bias 3→1 > bias 2→1: it is −0.5, not > −0.25"},
		{"tokens = 4", "expect tokens = 4: it is 3"},
		{"learned != 0", "expect learned != 0: it is 0"},
		{"length = bounded", "expect length = bounded: it is unbounded"},
		{"strongest bias 3 = 'a'", "expect strongest bias 3 = 'a': it is 'c'"},
		{"shift = 0", "expect shift = 0: holds"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct expect_result r = check(alibi, rows[i].text);
		if (strcmp(r.line, rows[i].line) != 0)
			fail_msg("\"%s\" is not \"%s\"", r.line, rows[i].line);
	}
}

/* Nobody who looks at something else gets another number. */
TEST(a_quantity_never_depends_on_the_view)
{
	static const char *const looks[] = {"view terms\nrow 1\ncol 2\nmatrix logits",
					    "view compare\npanel bias\npresenter on",
					    "view table\ncolormap viridis\nlock on"};
	static const char *const texts[] = {"difference", "curve -1", "max weight", "order"};
	static const char base[] = "scheme alibi\nsentence dog bites man\norder reverse\n";
	for (size_t t = 0; t < 4; t++) {
		const struct expect_result first =
			check(base, arena_printf(&arena, "%s = 0", texts[t]));
		for (size_t i = 0; i < 3; i++) {
			const char *const scene = arena_printf(&arena, "%s%s", base, looks[i]);
			const struct expect_result r =
				check(scene, arena_printf(&arena, "%s = 0", texts[t]));
			assert_within(r.found.number, first.found.number, 0);
		}
	}
}

/* One object answers as one for each question, whatever was asked before, and with room for a few runs only. */
TEST(many_questions_are_answered_as_each_alone)
{
	static const char scene[] =
		"scheme alibi\ntokens chars\ncompare rope; shaw\norder reverse\n"
		"sentence abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefgh";
	static const char *const texts[] = {"apart 1-2",
					    "weight 2→1 head 3",
					    "difference",
					    "weight 2→1 head 2 layer 2",
					    "weight 2→1 of 3",
					    "apart 2-3",
					    "order",
					    "difference of 3",
					    "weight 2→1 head 4",
					    "your-order of 2",
					    "apart 1-3 layer 2",
					    "weight 2→1 head 3"};
	struct scene s = help_scene_read(scene);
	for (int small = 0; small < 2; small++) {
		struct quantities *const q = quantities_new(&s, NULL, NULL);
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
			struct quantity what;
			struct quantity_value v;
			struct err err = {""};
			if (!quantity_parse(texts[i], &arena, &what, &err) ||
			    !quantity_find(q, &what, &arena, &v, &err))
				fail_msg("%s: %s", texts[i], err.text);
			const struct expect_result r =
				check(scene, arena_printf(&arena, "%s = 0", texts[i]));
			if (!(fabs(v.number - r.found.number) <= 1e-12) || v.is != r.found.is)
				fail_msg("%s: %.17g is not %.17g", texts[i], v.number,
					 r.found.number);
		}
		quantities_free(q);
		help_set(&s, "memory", "4M"); /* of which half is less than all runs take */
	}
}
