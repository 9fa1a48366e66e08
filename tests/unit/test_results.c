/* test_results.c: the published tables are read strictly, name schemes that exist, and say what their
 * papers say in words. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/text.h"
#include "posviz/scheme/results.h"
#include "posviz/scheme/scheme.h"

FIXTURE(open_arena, close_arena)

static const struct results *table(const char *source, const char *number)
{
	size_t n;
	const struct results *all = results_all(&arena, &n);
	for (size_t i = 0; i < n; i++)
		if (strncmp(all[i].source, source, strlen(source)) == 0 &&
		    strcmp(all[i].table, number) == 0)
			return &all[i];
	fail_msg("no %s of %s", number, source);
	return NULL;
}

static double value(const char *source, const char *number, const char *model, const char *metric,
		    const char *task)
{
	const struct results *t = table(source, number);
	for (size_t r = 0; r < t->n; r++)
		for (size_t c = 0; c < t->cols && strcmp(t->rows[r].model, model) == 0; c++)
			if (strcmp(t->metrics[c], metric) == 0 && strcmp(t->tasks[c], task) == 0)
				return t->rows[r].values[c];
	fail_msg("%s, %s: no %s of \"%s\" on %s", source, number, metric, model, task);
	return NAN;
}

TEST(every_scheme_named_exists)
{
	size_t n;
	const struct results *all = results_all(&arena, &n);
	assert_int_equal(n, 12);
	for (size_t t = 0; t < n; t++) {
		assert_string_equal(text_escape(&arena, all[t].about, strlen(all[t].about)),
				    all[t].about);
		for (size_t r = 0; r < all[t].n; r++) {
			const char *at = all[t].rows[r].schemes;
			for (; *at; at += strspn(at, " ")) {
				const size_t len = strcspn(at, " ");
				struct err err = {""};
				const struct scheme *s = scheme_find(at, len, &err);
				if (!s)
					fail_msg("%s, %s: %s", all[t].source, all[t].table,
						 err.text);
				/* An alias would not be found by the scheme's card. */
				assert_true(strlen(s->id) == len && memcmp(s->id, at, len) == 0);
				at += len;
			}
		}
	}
}

/* Rosendahl et al., sections 4.1 to 4.3; their 5.8 is 5.7 in the table. */
TEST(the_numbers_are_what_rosendahl_says_in_words)
{
	static const struct {
		const char *table, *a, *b, *metric, *task;
		double difference; /* b - a */
	} rows[] = {
		{"Table 1", "Absolute", "Relative", "BLEU", "De→En newstest2018", 0},
		{"Table 1", "Absolute", "Relative", "BLEU", "Zh→En newstest2019", 1.0},
		{"Table 2", "Absolute to 75", "Absolute to 100", "BLEU", "J 76–100", 3.4},
		{"Table 2", "Absolute to 75", "Absolute to 100", "BLEU", "J > 100", 6.2},
		{"Table 2", "Absolute to 100", "Relative to 75", "BLEU", "J > 100", 5.7},
		{"Table 2", "Relative to 75", "Relative to 100", "BLEU", "J > 100", 2.1},
		{"Table 2", "Absolute to 100", "Relative to 100", "BLEU", "J > 100", 7.8},
		{"Table 2", "Absolute to 75", "Relative to 75", "BLEU", "J > 100", 11.9},
		{"Table 3", "Absolute to 100", "Relative to 100", "BLEU", "J > 100", 4.4},
		{"Table 4", "Relative and absolute", "Relative", "BLEU", "J > 100", 2.0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double a =
			value("Rosendahl", rows[i].table, rows[i].a, rows[i].metric, rows[i].task);
		const double b =
			value("Rosendahl", rows[i].table, rows[i].b, rows[i].metric, rows[i].task);
		if (fabs(b - a - rows[i].difference) > 1e-9)
			fail_msg("row %zu: %g - %g", i, b, a);
	}
	/* "a drop of 7.8% BLEU and an increase of 7.0% TER" from 76–100 to longer sentences */
	const char *const model = "Absolute to 100";
	assert_true(fabs(value("Rosendahl", "Table 2", model, "BLEU", "J 76–100") -
			 value("Rosendahl", "Table 2", model, "BLEU", "J > 100") - 7.8) < 1e-9);
	assert_true(fabs(value("Rosendahl", "Table 2", model, "TER", "J > 100") -
			 value("Rosendahl", "Table 2", model, "TER", "J 76–100") - 7.0) < 1e-9);
}

/* DIET, sections 4 and D: gains of the average. */
TEST(the_numbers_are_what_diet_says_in_words)
{
	static const struct {
		const char *table, *a, *b, *task;
		double difference;
	} rows[] = {
		{"Table 2", "DIET-REL, segments at the input", "DIET-REL, segments per head",
		 "average", 0.3},
		{"Table 5", "nothing shared, segments at the input",
		 "nothing shared, segments per head", "average", 0.4},
		{"Table 5", "shared by layers, segments at the input",
		 "shared by layers, segments per head", "average", 0.1},
		{"Table 5", "d_p 64, nothing shared, segments at the input",
		 "d_p 64, nothing shared, segments per head", "average", 0.2},
		{"Table 5", "d_p 64, shared by layers, segments at the input",
		 "d_p 64, shared by layers, segments per head", "average", 0.1},
		{"Table 8", "segments at the input", "segments per head", "average", 0.3},
		{"Table 9", "nothing shared", "shared by layers", "average", -0.2},
		{"Table 9", "nothing shared", "shared by heads", "average", -0.3},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double a = value("Chen", rows[i].table, rows[i].a, "score", rows[i].task);
		const double b = value("Chen", rows[i].table, rows[i].b, "score", rows[i].task);
		if (fabs(b - a - rows[i].difference) > 1e-9)
			fail_msg("row %zu: %g - %g", i, b, a);
	}
	assert_true(value("Chen", "Table 1", "Shaw et al. 2018", "added %",
			  "BERT small inference") == 65);
	assert_true(isnan(value("Chen", "Table 6", "Devlin et al. 2018", "added %", "English")));
}

#define HEAD "# source: A\n# table: Table 1\n# about: b\n"

TEST(what_is_wrong_is_refused_by_its_line)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "source"},
		{HEAD "scheme,model,M: t\n", "no rows"},
		{"# source: A\n# table: Table 1\nscheme,model,M: t\nx,y,1\n", "about"},
		{HEAD "scheme,model\nx,y\n", "line 4"},
		{HEAD "model,scheme,M: t\nx,y,1\n", "line 4"},
		{HEAD "scheme,model,M\nx,y,1\n", "METRIC: TASK"},
		{HEAD "scheme,model,: t\nx,y,1\n", "METRIC: TASK"},
		{HEAD "scheme,model,M: t\nx,y\n", "line 5: a row has as many cells"},
		{HEAD "scheme,model,M: t\nx,y,1,2\n", "as many cells"},
		{HEAD "scheme,model,M: t\nx,y,1\n\n", "line 6: an empty line"},
		{HEAD "scheme,model,M: t\nx,y,one\n", "line 5"},
		{HEAD "scheme,model,M: t\nx,y,1 \n", "line 5"},
		{HEAD "scheme,model,M: t\nx,y,nan\n", "line 5"},
		{HEAD "scheme,model,M: t\nx,,1\n", "names a scheme and a model"},
		{HEAD "scheme,model,M: t\nx,\"y,1\n", "never closed"},
		{HEAD "scheme,model,M: t\nx,\"y\"z,1\n", "a comma or the end"},
		{HEAD "scheme,model,M: t\nx,y\"z,1\n", "a comma or the end"},
		{"# sauce: A\n", "line 1: a comment is"},
		{"# source: \n", "line 1: nothing"},
		{HEAD "scheme,model,M: t\nx,\xFF,1\n", "UTF-8"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct results out;
		struct err err = {""};
		if (results_read(&out, rows[i].text, strlen(rows[i].text), &arena, &err))
			fail_msg("row %zu was taken", i);
		if (!strstr(err.text, rows[i].says))
			fail_msg("row %zu: \"%s\" does not say \"%s\"", i, err.text, rows[i].says);
	}
}

TEST(a_table_is_read_and_said)
{
	static const char text[] = HEAD "scheme,model,B: one,T: one,B: two\n"
					"a bc,\"m, n\",1.50,2,-3\nb,p,,,4";
	struct results t;
	struct err err = {""};
	if (!results_read(&t, text, sizeof text - 1, &arena, &err))
		fail_msg("%s", err.text);
	assert_int_equal(t.n, 2);
	assert_int_equal(t.cols, 3);
	assert_string_equal(t.rows[0].model, "m, n");
	assert_true(t.rows[0].values[0] == 1.5 && t.rows[0].values[2] == -3);
	assert_true(isnan(t.rows[1].values[0]));
	assert_string_equal(results_line(&t, &t.rows[0], &arena), "B: one 1.50, two -3; T: one 2");
	assert_string_equal(results_line(&t, &t.rows[1], &arena), "B: two 4");
	assert_true(results_name(&t.rows[0], "a") && results_name(&t.rows[0], "bc"));
	assert_false(results_name(&t.rows[0], "b") || results_name(&t.rows[0], "c"));
}

/* "The mean of the seven scores": the column average of Tables 2 and 3 is that of the other columns, as printed. */
TEST(averages_are_of_the_seven_numbers_beside_them)
{
	static const char *const names[] = {"diet-2", "diet-3"};
	for (size_t i = 0; i < 2; i++) {
		const struct results *const t = results_of(names[i], &arena);
		assert_int_equal(t->cols, 8);
		assert_string_equal(t->tasks[7], "average");
		for (size_t r = 0; r < t->n; r++) {
			double sum = 0;
			for (size_t c = 0; c < 7; c++)
				sum += t->rows[r].values[c];
			if (fabs(sum / 7 - t->rows[r].values[7]) > 0.1)
				fail_msg("%s, %s: %g", names[i], t->rows[r].model, sum / 7);
		}
	}
}
