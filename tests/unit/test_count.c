/* test_count.c: printed counts of parameters, evaluated. */
#include <string.h>

#include "test.h"
#include "posviz/scheme.h"

struct params {
	long clip;
	double share;
	bool values;
	int kind;
};

static const char *const kinds[] = {"one", "two", NULL};
static const struct param table[] = {
	{.name = "clip", .kind = PARAM_INT, .offset = offsetof(struct params, clip)},
	{.name = "share", .kind = PARAM_REAL, .offset = offsetof(struct params, share)},
	{.name = "values", .kind = PARAM_BOOL, .offset = offsetof(struct params, values)},
	{.name = "kind",
	 .kind = PARAM_CHOICE,
	 .offset = offsetof(struct params, kind),
	 .choices = kinds},
	{0},
};
static const struct scheme scheme = {.id = "test", .params = table};
static const struct params params = {.clip = 4, .share = 0.5, .values = true, .kind = 1};
static const struct model_config config = {.d = 512, .heads = 8, .layers = 6, .t_max = 100};

TEST(counts_follow_the_notation_of_the_papers)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{"0", 0},
		{"t_max d", 51200},
		{"2(2 t_max - 1) d l", 2.0 * 199 * 512 * 6},
		{"(2 t_max - 1) h", 1592},
		{"2d^2 + t_max(d + 2)", 2.0 * 512 * 512 + 100 * 514},
		{"d l h (2 t_max - 1)", 512.0 * 6 * 8 * 199},
		{"3 t_max d", 153600},
		{"2 d + d^2 l h", 1024 + 262144.0 * 48},
		{"6 d^2 + 3 d", 6 * 262144.0 + 1536},
		{"2 t_max^2 d_h l", 2.0 * 10000 * 64 * 6},
		{"32 h", 256},
		{"(2 clip + 1) d_h l (1 + values)", 9.0 * 64 * 6 * 2},
		{"share d kind", 256},
		{"2[kind=two] d + [kind=one] 7", 1024},
		{"3 [kind=one]", 0},
		{"[clip=4] + 10[clip=5]", 1},
		{"[clip<5][values=1]", 1},
		{"[share>0.5] + 2[ 2 share > 0.5 ]", 2},
		{"[clip<4] + [clip>4]", 0},
		{"2^3^2", 512},
		{"2 ceil(t_max / 3) h", 2 * 34 * 8.0},
		{"d - round(0.3 d)", 512 - 154},
		{"-2^2", -4},
		{"2^-1", 0.5},
		{"8/2 2", 8},
		{"1 - 2 - 3", -4},
		{"2 * -3", -6},
		{"  1.5 ( 2 ) ", 3},
		{".5 4", 2},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double value = 0;
		struct err err = {0};
		if (!count_eval(cases[i].text, &config, &scheme, &params, &value, &err))
			fail_msg("%s", err.text);
		if (value != cases[i].value)
			fail_msg("%s = %g, not %g", cases[i].text, value, cases[i].value);
	}
}

TEST(wrong_counts_say_where)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"", "count \"\": column 1: a number"},
		{"2 +", "column 4: a number"},
		{"2 t_maxx", "column 3: no size \"t_maxx\"; did you mean \"t_max\"?"},
		{"2(2t_max-1)dl", "column 12: no size \"dl\""},
		{"(2 d", "column 1: this \"(\" is never closed"},
		{"2 d)", "column 4: an operator or the end"},
		{"1.2.3", "column 1: \"1.2.3\" is not a number"},
		{"2 n d", "column 3: n, the size of the vocabulary, is not known"},
		{"1 / 0", "not a finite number"},
		{"0 / 0", "not a finite number"},
		{"10^999", "not a finite number"},
		{"2 % 3", "column 3: an operator or the end"},
		{"d**h", "column 3: a number"},
		{"2 ceil", "column 3: no size \"ceil\""},
		{"2 [kind=three]", "column 3: [NAME=CHOICE]"},
		{"[kind=two", "column 1: [NAME=CHOICE]"},
		{"[kind]", "column 1: [NAME=CHOICE]"},
		{"[clip]", "column 1: [NAME=CHOICE], [A=B], [A<B] or [A>B]"},
		{"2 [clip=4", "column 3: this \"[\" is never closed"},
		{"[clip<=4]", "column 7: a number"},
		{"[]", "column 2: a number"},
		{"ceil(2", "column 5: this \"(\" is never closed"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double value = 7;
		struct err err = {0};
		assert_false(count_eval(cases[i].text, &config, &scheme, &params, &value, &err));
		if (strstr(err.text, cases[i].error) == NULL)
			fail_msg("\"%s\": %s", cases[i].text, err.text);
		assert_true(value == 7);
	}
}

/* What hangs on parameters alone knows no sizes. */
TEST(without_sizes_there_are_parameters)
{
	double value = 0;
	struct err err = {0};
	assert_true(count_eval("[kind=two] values clip", NULL, &scheme, &params, &value, &err));
	assert_true(value == 4);
	assert_false(count_eval("[clip<t_max]", NULL, &scheme, &params, &value, &err));
	assert_non_null(strstr(err.text, "column 7: no size \"t_max\""));
}

TEST(nesting_is_bounded)
{
	static char text[4096];
	double value = 0;
	struct err err = {0};
	memset(text, '(', sizeof text - 1);
	assert_false(count_eval(text, &config, NULL, NULL, &value, &err));
	assert_non_null(strstr(err.text, "more than 64"));
	for (size_t i = 0; i + 1 < sizeof text; i++)
		text[i] = i % 2 == 0 ? '1' : '^';
	assert_false(count_eval(text, &config, NULL, NULL, &value, &err));
	assert_non_null(strstr(err.text, "more than 64"));
}
