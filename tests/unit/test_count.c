/* test_count.c: what descriptors say in formulas, evaluated. */
#include <math.h>

#include "test.h"
#include "posviz/scheme/scheme.h"

struct params {
	long clip;
	double share;
	bool values;
	int kind, other;
};

static const char *const kinds[] = {"one", "two", NULL}, *const others[] = {"two", "one", NULL};
static const struct param table[] = {
	NUMBER_PARAM(struct params, clip, 0, 0, 9, 1, "a number"),
	NUMBER_PARAM(struct params, share, 0, 0, 1, 1, "a share"),
	SWITCH_PARAM(struct params, values, false, "a switch"),
	CHOICE_PARAM(struct params, kind, 0, kinds, "a choice"),
	CHOICE_PARAM(struct params, other, 0, others, "another with the same words"),
	{0},
};
static const struct scheme scheme = {.id = "test", .params = table};
static const struct params params = {.clip = 4, .share = 0.5, .values = true, .kind = 1};
static const struct model_config config = {.d = 512, .heads = 8, .layers = 6, .t_max = 100};

TEST(counts_and_conditions_are_read)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{"0", 0},
		{"2(2 t_max - 1) d l", 2.0 * 199 * 512 * 6},
		{"2d^2 + t_max(d + 2)", 2.0 * 512 * 512 + 100 * 514},
		{"2 t_max^2 d_h l", 2.0 * 10000 * 64 * 6},
		{"(2 clip + 1) d_h l (1 + values)", 9.0 * 64 * 6 * 2},
		{"share d kind", 256},
		{"kind == two ? 2 d : 7", 1024},
		{"kind == one", 0},
		{"clip < 5 && values", 1},
		{"!values", 0},
		{"2 ceil(t_max / 3) h", 2 * 34 * 8.0},
		{"d - round(0.3 d)", 512 - 154},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const double value = scheme_value(&scheme, &params, &config, cases[i].text);
		if (value != cases[i].value)
			fail_msg("%s = %g, not %g", cases[i].text, value, cases[i].value);
	}
	assert_true(isnan(scheme_value(&scheme, &params, &config, "1 / 0")));
	assert_true(isnan(scheme_value(&scheme, &params, &config, "0 / 0")));
}

/* What hangs on parameters alone needs no sizes. A word of one choice may be a word of another. */
TEST(without_sizes_there_are_parameters)
{
	assert_true(scheme_value(&scheme, &params, NULL, "values clip (kind == two)") == 4);
	assert_true(scheme_value(&scheme, &params, NULL, "other == two") == 1);
}
