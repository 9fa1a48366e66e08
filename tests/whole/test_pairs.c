/* test_pairs.c: any two members stand together, giving finite numbers, or are refused in one line that
 * names them both.
 *
 * Every ordered pair of schemes at their defaults is tried, and as many pairs of variants (one
 * parameter off its default) as a few seconds allow, drawn by a seed that POSVIZ_TEST_SEED sets and
 * that otherwise is the day's. The long tier tries every pair of variants. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"
#include "posviz/base/num.h"
#include "posviz/base/rng.h"
#include "posviz/base/text.h"
#include "posviz/scene/scene.h"

enum { VARIANTS_MAX = 4096, DRAWN = 4000 };

/* ---- one parameter off its default ----------------------------------------------------------- */

struct variant {
	const struct scheme *scheme;
	const char *text;
	bool alone;			      /* it can be evaluated by itself */
	const char *names[MODEL_MAX_MEMBERS]; /* of the members it stands for */
	size_t n_names;
};

static struct arena lasting, passing;
static struct variant variants[VARIANTS_MAX];
static size_t n_variants, n_defaults;

static void add_variant(const struct scheme *s, const char *text)
{
	assert_true(n_variants < VARIANTS_MAX);
	for (size_t i = 0; i < n_variants; i++)
		if (strcmp(variants[i].text, text) == 0)
			return;
	variants[n_variants++] = (struct variant){.scheme = s, .text = text};
}

/* The canonical text, so that what is a default after all is none twice. */
static void add_value(const struct scheme *s, const struct param *p, const char *value)
{
	struct expr e;
	const char *text = arena_printf(&lasting, "%s(%s=%s)", s->id, p->name, value);
	if (expr_parse(&e, text, &lasting, NULL))
		add_variant(s, expr_print(&e, &lasting));
}

static void add_param(const struct scheme *s, const struct param *p)
{
	if (p->type.kind == &value_switch) {
		add_value(s, p, "on");
		add_value(s, p, "off");
	}
	for (size_t i = 0; p->type.kind == &value_choice && p->type.choices[i]; i++)
		add_value(s, p, p->type.choices[i]);
	if (p->type.kind == &value_listed) {
		add_value(s, p, "[1]");
		add_value(s, p, "[1,2,3]");
	}
	if (!value_is_number(&p->type))
		return;
	add_value(s, p, arena_printf(&lasting, "%.17g", p->type.min));
	add_value(s, p, arena_printf(&lasting, "%.17g", p->type.max));
	for (int direction = -1; direction <= 1; direction += 2) {
		void *const param = scheme_defaults(s, &lasting);
		if (param_step(p, param, direction))
			add_value(s, p, param_print(p, param, &lasting));
	}
}

/* ---- an evaluation --------------------------------------------------------------------------- */

static struct setup setup;
static char now[512]; /* what is tried, for a process that is killed */

static void tell_and_die(int number)
{
	signal(number, SIG_DFL);
	static const char what[] = "test_pairs: died in ";
	if (write(2, what, sizeof what - 1) < 0 || write(2, now, strlen(now)) < 0 ||
	    write(2, "\n", 1) < 0)
		_exit(1);
	raise(number);
}

/* cmocka has handlers of its own, set before each test. */
static size_t tried, refused, failed;
static void begin(void)
{
	signal(SIGSEGV, tell_and_die);
	signal(SIGABRT, tell_and_die);
	tried = refused = failed = 0;
}

static bool all_finite(struct mat m)
{
	for (size_t r = 0; m.at && r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			if (!isfinite(mat_row(m, r)[c]))
				return false;
	return true;
}

/* The first thing that is no number, or NULL. */
static const char *not_finite(const struct trace *trace)
{
	for (size_t l = 0; l < trace->n_layers; l++) {
		const struct trace_layer *layer = &trace->layers[l];
		for (size_t h = 0; h < (size_t)setup.heads; h++) {
			const struct trace_head *head = &layer->heads[h];
			if (!all_finite(head->logits))
				return "logits";
			if (!all_finite(head->weights))
				return "weights";
			if (!all_finite(head->context))
				return "context";
			if (!all_finite(head->bias))
				return "bias";
		}
		if (!all_finite(layer->output))
			return "output";
	}
	return NULL;
}

static const struct want everything = {.kinds = WANT_INPUT | WANT_QKV | WANT_TERMS | WANT_LOGITS |
						WANT_MASK | WANT_WEIGHTS | WANT_CONTEXT |
						WANT_OUTPUT | WANT_BIAS | WANT_POSITION |
						WANT_MODULATION | WANT_RELATION,
				       .layer = -1,
				       .head = -1};

/* False with the message of a refusal; what is wrong with the numbers comes back in *wrong. */
static bool try_expression(const char *text, const char **wrong, struct err *err)
{
	struct built built;
	struct trace trace;
	snprintf(now, sizeof now, "%s", text);
	setup.scheme = text;
	arena_clear(&passing);
	*wrong = NULL;
	err->text[0] = '\0';
	if (!evaluate(&setup, &everything, NULL, NULL, &passing, &built, &trace, err))
		return false;
	*wrong = not_finite(&trace);
	return true;
}

static void name_members(struct variant *v)
{
	struct expr e;
	struct member members[MODEL_MAX_MEMBERS];
	if (!expr_parse(&e, v->text, &lasting, NULL) ||
	    !expr_members(&e, members, &v->n_names, &lasting, NULL))
		return;
	for (size_t i = 0; i < v->n_names; i++)
		v->names[i] = members[i].name;
}

static void take_variant(struct variant *v)
{
	struct err err;
	const char *wrong;
	name_members(v);
	v->alone = try_expression(v->text, &wrong, &err);
	if (wrong)
		fail_msg("%s: the %s are not finite", v->text, wrong);
	if (!v->alone && !strstr(err.text, v->scheme->id) && !strstr(err.text, "MB"))
		fail_msg("%s is refused without its name: %s", v->text, err.text);
}

/* ---- pairs ------------------------------------------------------------------------------------- */

static bool names(const struct variant *v, const char *message)
{
	for (size_t i = 0; i < v->n_names; i++)
		if (strstr(message, v->names[i]))
			return true;
	return strstr(message, v->scheme->id) != NULL;
}

static void check_pair(const struct variant *a, const struct variant *b)
{
	struct err err;
	const char *wrong;
	char text[sizeof now];
	snprintf(text, sizeof text, "%s+%s", a->text, b->text);
	tried++;
	const bool ok = try_expression(text, &wrong, &err);
	refused += !ok;
	const bool line = ok || (err.text[0] && !strchr(err.text, '\n') &&
				 text_valid(err.text, strlen(err.text)));
	const bool fault = (!a->alone && names(a, err.text)) || (!b->alone && names(b, err.text));
	const bool named = ok || fault || (names(a, err.text) && names(b, err.text)) ||
			   strstr(err.text, " MB");
	if (!wrong && line && named)
		return;
	failed++;
	printf("%s: %s%s\n", text, wrong ? wrong : err.text, wrong ? " are not finite" : "");
}

TEST(every_pair_of_defaults)
{
	begin();
	for (size_t i = 0; i < n_defaults; i++)
		for (size_t k = 0; k < n_defaults; k++)
			check_pair(&variants[i], &variants[k]);
	print_message("%zu pairs of schemes, %zu refused\n", tried, refused);
	assert_int_equal(failed, 0);
}

/* ---- members beside logits of another's own --------------------------------------------------- */

/* A mask that allows all rounds the softmax otherwise than none. */
static bool same_numbers(struct mat x, struct mat y)
{
	static const double rounding = 1e-13;
	bool same = x.rows == y.rows && x.cols == y.cols;
	for (size_t r = 0; same && r < x.rows; r++)
		for (size_t c = 0; same && c < x.cols; c++)
			same = fabs(mat_row(x, r)[c] - mat_row(y, r)[c]) <= rounding;
	return same;
}

/* Neither the weights nor what comes out differ. */
static bool same_result(const struct trace *x, const struct trace *y)
{
	bool same = x->n_layers == y->n_layers;
	for (size_t l = 0; same && l < x->n_layers; l++) {
		for (size_t h = 0; same && h < (size_t)setup.heads; h++)
			same = same_numbers(x->layers[l].heads[h].weights,
					    y->layers[l].heads[h].weights);
		same = same && same_numbers(x->layers[l].output, y->layers[l].output);
	}
	return same;
}

static bool evaluate_into(const char *text, struct arena *a, struct trace *out)
{
	struct built built;
	struct err err;
	snprintf(now, sizeof now, "%s", text);
	setup.scheme = text;
	return evaluate(&setup, &everything, NULL, NULL, a, &built, out, &err);
}

static bool puts_own_logits(const struct variant *v)
{
	struct expr e;
	struct member members[MODEL_MAX_MEMBERS];
	size_t n;
	if (!v->alone || !expr_parse(&e, v->text, &lasting, NULL) ||
	    !expr_members(&e, members, &n, &lasting, NULL))
		return false;
	bool own = false;
	for (size_t i = 0; i < n; i++)
		own |= members[i].hooks->content != NULL;
	return own;
}

/* Returns whether all that b does to tokens without positions is that no key comes after its query, which a
 * has already. */
static bool both_look_back(const struct variant *a, const struct trace *first,
			   const struct trace *second, struct arena *arena)
{
	struct trace causal, masked;
	return evaluate_into("causal", arena, &causal) && same_result(second, &causal) &&
	       evaluate_into(arena_printf(arena, "%s+causal", a->text), arena, &masked) &&
	       same_result(first, &masked);
}

static void check_effect(const struct variant *a, const struct variant *b, const struct trace *none,
			 struct arena *arena)
{
	struct trace first, second, both;
	const char *const text = arena_printf(arena, "%s+%s", a->text, b->text);
	if (!evaluate_into(b->text, arena, &second) || same_result(&second, none) ||
	    !evaluate_into(a->text, arena, &first) || !evaluate_into(text, arena, &both))
		return;
	tried++;
	/* Cosines have no lengths. */
	const bool cosines =
		(strcmp(a->scheme->id, "log_cpb") == 0 || strcmp(a->scheme->id, "swin_v2") == 0) &&
		strcmp(b->scheme->id, "qk_norm") == 0;
	if (cosines || !same_result(&first, &both) || both_look_back(a, &first, &second, arena))
		return;
	failed++;
	printf("%s: nothing of %s reaches the result\n", text, b->text);
}

TEST(what_stands_beside_own_logits_has_an_effect)
{
	struct trace none;
	struct arena kept;
	arena_init(&kept);
	begin();
	assert_true(evaluate_into("none", &kept, &none));
	for (size_t i = 0; i < n_variants; i++)
		for (size_t k = 0; k < n_defaults && puts_own_logits(&variants[i]); k++) {
			if (variants[i].scheme == variants[k].scheme)
				continue;
			arena_clear(&passing);
			check_effect(&variants[i], &variants[k], &none, &passing);
		}
	arena_release(&kept);
	print_message("%zu pairs with logits of one's own\n", tried);
	assert_true(tried > n_defaults);
	assert_int_equal(failed, 0);
}

/* A query that is nothing but its residual, which was dropped, has no length; a position that was drawn is
 * beyond what a type of few digits can say. Neither member is refused alone. */
TEST(what_two_do_together_is_refused_by_both_names)
{
	static const char *const rows[][3] = {
		{"qk_norm(eps=0)+resdrop(query=plain)", "qk_norm(eps=0)", "resdrop(query=plain)"},
		{"resdrop(query=reversed)+qk_norm(eps=0)", "qk_norm(eps=0)",
		 "resdrop(query=reversed)"},
		{"prope(precision=float16)+rand_pe(l_max=900000)", "prope(precision=float16)",
		 "rand_pe(l_max=900000)"}};
	struct err err;
	const char *wrong;
	begin();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_false(try_expression(rows[i][0], &wrong, &err));
		for (size_t k = 1; k < 3; k++)
			if (!strstr(err.text, rows[i][k]))
				fail_msg("%s: %s", rows[i][0], err.text);
	}
}

/* ---- pairs drawn by a seed ------------------------------------------------------------------- */

/* Another one each day, and the same for who sets it. */
static uint64_t seed_of_today(void)
{
	const char *const given = getenv("POSVIZ_TEST_SEED");
	uint64_t seed = (uint64_t)time(NULL) / 86400;
	struct err err;
	if (given && !num_parse_u64(given, strlen(given), &seed, &err))
		fail_msg("POSVIZ_TEST_SEED: %s", err.text);
	return seed;
}

TEST(drawn_pairs_of_variants)
{
	struct rng rng;
	const uint64_t seed = seed_of_today();
	rng_init_name(&rng, seed, "pairs");
	begin();
	while (tried < DRAWN)
		check_pair(&variants[rng_below(&rng, n_variants)],
			   &variants[rng_below(&rng, n_variants)]);
	print_message("%zu pairs of %zu variants, %zu refused, POSVIZ_TEST_SEED=%llu\n", tried,
		      n_variants, refused, (unsigned long long)seed);
	assert_int_equal(failed, 0);
}

/* ---- numbers too large ----------------------------------------------------------------------- */

static void scale(struct mat m, double by)
{
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			mat_row(m, r)[c] *= by;
}

/* Units and leaves times `by`: numbers, or a line that says what is not one. */
static void check_scaled(const char *text, double by, bool leaves)
{
	struct built built;
	struct trace trace;
	struct err err = {0};
	snprintf(now, sizeof now, "%s, numbers times %g", text, by);
	setup.scheme = text;
	arena_clear(&passing);
	if (!setup_build(&setup, &passing, &built, &err))
		return;
	if (!leaves)
		scale(built.model_input.units, by);
	for (size_t i = 0; leaves && i < built.model.n_leaves; i++)
		scale(model_leaf_at(&built.model, &built.model.leaves[i]), by);
	tried++;
	const bool ok = built_run(&built, &built.model_input, &everything, NULL, NULL, &passing,
				  &trace, &err);
	refused += !ok;
	const char *const wrong = ok ? not_finite(&trace) : NULL;
	const bool placed =
		ok || strstr(err.text, "layer 1") || strstr(err.text, built.members[0].name);
	if (!wrong && placed)
		return;
	failed++;
	printf("%s: %s%s\n", now, wrong ? wrong : err.text, wrong ? " are not finite" : "");
}

/* 1e154 is the least power whose square is infinite. */
TEST(numbers_too_large_are_refused)
{
	static const double factors[] = {1e100, 1e154, 1e200, 1e300};
	begin();
	for (size_t i = 0; i < n_variants; i++)
		for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++) {
			check_scaled(variants[i].text, factors[k], false);
			check_scaled(variants[i].text, factors[k], true);
		}
	print_message("%zu evaluations of large numbers, %zu refused\n", tried, refused);
	assert_int_equal(failed, 0);
	assert_true(refused > n_variants);
}

static int open_all(void **state)
{
	(void)state;
	static struct scene scene;
	struct err err;
	static const char lines[] = "sentence a b c\ngovernors 2 0 2\nd-model 8\nheads 2\n"
				    "layers 1\nff 5\nt-max 16\nmemory 16M\n";
	if (!scene_parse(&scene, lines, &err))
		fail_msg("%s", err.text);
	setup = scene.setup;
	begin();
	n_variants = 0;
	for (size_t i = 0; i < scheme_count(); i++)
		add_variant(scheme_at(i), scheme_at(i)->id);
	n_defaults = n_variants;
	for (size_t i = 0; i < n_defaults; i++)
		for (const struct param *p = variants[i].scheme->params; p && p->name; p++)
			add_param(variants[i].scheme, p);
	for (size_t i = 0; i < n_variants; i++)
		take_variant(&variants[i]);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	arena_release(&lasting);
	arena_release(&passing);
	return 0;
}

FIXTURE(open_all, close_all)

/* Pair number i of the unordered ones: (a, b) with a <= b, by rows. */
TEST_THAT_LASTS(every_pair_of_variants, 16)
{
	size_t i = 0;
	begin();
	for (size_t a = 0; a < n_variants; a++)
		for (size_t b = a; b < n_variants; b++) {
			if (i++ % test_parts != test_part)
				continue;
			const bool turned = (a + b) % 2; /* both orders get their share */
			check_pair(&variants[turned ? b : a], &variants[turned ? a : b]);
		}
	print_message("%zu pairs of %zu variants, %zu refused\n", tried, n_variants, refused);
	assert_int_equal(failed, 0);
}
