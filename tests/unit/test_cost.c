/* test_cost.c: counts in closed form and beside what Chen et al. 2021 print, and time by clocks of ours. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/analysis/cost.h"
#include "posviz/picture/picture.h"

FIXTURE(open_arena, close_arena)

/* ---- time, by a clock that stands still but for what is run ------------------------------------------ */

static double now;
static char ran[512]; /* "n" or "s" for each run */
static size_t n_ran;

static double read_now(void)
{
	return now;
}

struct fake {
	char name;
	const double *takes; /* in turn, the first for the run that does not count */
	size_t n, at;
	struct watch *cancel; /* at the third run; or NULL */
};

static bool run_fake(void *context, struct err *err)
{
	struct fake *const f = context;
	(void)err;
	ran[n_ran++] = f->name;
	now += f->takes[f->at % f->n];
	if (++f->at == 3 && f->cancel)
		watch_cancel(f->cancel);
	return true;
}

static bool compare(struct fake *none, struct fake *scheme, struct cost_patience patience,
		    struct cost_time *out, struct err *err)
{
	struct watch w;
	watch_begin(&w);
	watch_time(&w, read_now);
	n_ran = 0;
	if (scheme->cancel)
		scheme->cancel = &w;
	return cost_compare(&(struct cost_trial){run_fake, none},
			    &(struct cost_trial){run_fake, scheme}, &patience, &w, out, err);
}

static const struct cost_patience patient = {.width = 0.01, .seconds = 1e9, .least = 5, .most = 20};

TEST(a_steady_clock_gives_exactly_the_ratio)
{
	static const double one[] = {2}, more[] = {2.5};
	struct fake none = {'n', one, 1}, scheme = {'s', more, 1};
	struct cost_time t;
	struct err err = {""};
	assert_true(compare(&none, &scheme, patient, &t, &err));
	assert_true(t.ratio == 1.25 && t.low == 1.25 && t.high == 1.25 && cost_spread(&t) == 0);
	assert_true(t.base == 2 && t.seconds == 2.5 && t.settled);
	assert_int_equal(t.rounds, 5);
	assert_string_equal(cost_show_time(&t, &arena), "1.25 × (1.25–1.25)");
}

/* Once each that does not count, then in turn. */
TEST(passes_take_turns)
{
	static const double one[] = {100, 1, 1, 1, 1, 1}, two[] = {900, 2, 2, 2, 2, 2};
	struct fake none = {'n', one, 6}, scheme = {'s', two, 6};
	struct cost_time t;
	struct err err = {""};
	assert_true(compare(&none, &scheme, patient, &t, &err));
	assert_int_equal(n_ran, 12);
	assert_memory_equal(ran, "nsnsnsnsnsns", 12);
	assert_true(t.ratio == 2);
}

/* Ratios 1, 2, 3, 4, 100: what hits one round does not move the median; quartiles 2 and 4. */
TEST(median_and_quartiles_of_the_turns)
{
	static const double one[] = {1}, some[] = {9, 4, 1, 100, 3, 2};
	struct fake none = {'n', one, 1}, scheme = {'s', some, 6};
	struct cost_patience p = patient;
	struct cost_time t;
	struct err err = {""};
	p.most = 5;
	assert_true(compare(&none, &scheme, p, &t, &err));
	assert_true(t.ratio == 3 && t.low == 2 && t.high == 4 && cost_spread(&t) == 1);
	assert_false(t.settled);
	assert_int_equal(t.rounds, 5);
}

/* A machine that is slow for a while is so for both: seconds differ, ratios do not. */
TEST(drift_meets_both)
{
	static const double one[] = {1, 1, 2, 4, 8, 16}, two[] = {3, 3, 6, 12, 24, 48};
	struct fake none = {'n', one, 6}, scheme = {'s', two, 6};
	struct cost_time t;
	struct err err = {""};
	assert_true(compare(&none, &scheme, patient, &t, &err));
	assert_true(t.ratio == 3 && cost_spread(&t) == 0 && t.settled);
	assert_true(t.base == 4 && t.seconds == 12);
}

TEST(turns_end_when_the_time_is_over)
{
	static const double one[] = {1}, some[] = {1, 1, 2};
	struct fake none = {'n', one, 1}, scheme = {'s', some, 3};
	struct cost_patience p = patient;
	struct cost_time t;
	struct err err = {""};
	p.seconds = 0.5; /* before the first round is over: three all the same */
	assert_true(compare(&none, &scheme, p, &t, &err));
	assert_int_equal(t.rounds, COST_FEWEST);
	assert_false(t.settled);
	p.seconds = 12; /* rounds of 2, 3, 2, 2, 3 */
	scheme.at = 0;
	assert_true(compare(&none, &scheme, p, &t, &err));
	assert_int_equal(t.rounds, 5);
}

TEST(a_measurement_is_cancelled)
{
	static const double one[] = {1};
	struct watch any;
	struct fake none = {'n', one, 1}, scheme = {'s', one, 1, .cancel = &any};
	struct cost_time t;
	struct err err = {""};
	assert_false(compare(&none, &scheme, patient, &t, &err));
	assert_string_equal(err.text, "cancelled");
	assert_int_equal(n_ran, 6);
}

TEST(without_a_clock_there_is_no_time)
{
	static const double one[] = {1};
	struct fake f = {'n', one, 1};
	const struct cost_trial trial = {run_fake, &f};
	struct watch w;
	struct cost_time t;
	struct err err = {""};
	watch_begin(&w);
	n_ran = 0;
	assert_false(cost_compare(&trial, &trial, &patient, &w, &t, &err));
	assert_non_null(strstr(err.text, "clock"));
	assert_false(cost_compare(&trial, &trial, &patient, NULL, &t, &err));
	assert_int_equal(n_ran, 0);
	/* One that stands still has nothing to divide by. */
	static const double none[] = {0};
	struct fake still = {'n', none, 1}, other = {'s', none, 1};
	assert_false(compare(&still, &other, patient, &t, &err));
	assert_non_null(strstr(err.text, "coarse"));
}

/* ---- counts -------------------------------------------------------------------------------------------- */

/* Counts at the sizes of these lines, without a clock; with `most` 0 nothing is even run. */
static struct cost count_at(const char *lines, const char *const *expressions, size_t n,
			    struct cost_own own, size_t most)
{
	struct scene s;
	struct err err = {""};
	struct cost out;
	assert_true(scene_parse(&s, lines, &err));
	struct setup *const setup = arena_calloc(&arena, 1, sizeof *setup);
	*setup = cost_setup(&s.setup, own);
	const struct cost_request r = {.setup = setup,
				       .expressions = expressions,
				       .n = n,
				       .most = most,
				       .untimed = true,
				       .patience = patient};
	if (!cost_measure(&r, &arena, &out, &err))
		fail_msg("%s", err.text);
	return out;
}

static const struct cost_row *row_of(const struct cost *c, const char *expression)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->rows[i].expression, expression) == 0)
			return &c->rows[i];
	fail_msg("no row of %s", expression);
	return NULL;
}

static void is(double value, double wanted, const char *what)
{
	if (!(fabs(value - wanted) < 0.5))
		fail_msg("%s: %.0f is not %.0f", what, value, wanted);
}

/* t_max 512, 12 layers, 12 heads, d 768; two segments of DIET add 2² numbers where its own are. */
TEST(learned_numbers_in_closed_form)
{
	static const struct {
		const char *expression;
		double learned;
	} rows[] = {
		{"none", 0},
		{"sinusoidal", 0},
		{"learned", 512 * 768},
		{"shaw", 12 * 2 * 33 * 64}, /* keys and values, shared by heads */
		{"shaw(clip=0)", 12 * 2 * 1023 * 64},
		{"diet_rel", 12 * 12 * (1023 + 4)},
		{"diet_rel(share=layer)", 12 * (1023 + 4)},
		{"diet_abs(rank=128)", 12 * 2 * 512 * 128 + 12 * 4},
		{"diet_abs(rank=128,share=none)", 12 * (12 * 2 * 512 * 128 + 12 * 4)},
		{"diet_abs(rank=128,share=none,segments=0)", 12 * 12 * 2 * 512 * 128},
	};
	enum { N = sizeof rows / sizeof *rows };
	const char *expressions[N];
	for (size_t i = 0; i < N; i++)
		expressions[i] = rows[i].expression;
	const struct cost c = count_at("", expressions, N, (struct cost_own){0}, 0);
	assert_int_equal(c.n, N);
	for (size_t i = 0; i < N; i++) {
		assert_true(c.rows[i].counted && !c.rows[i].passed && !c.rows[i].timed);
		is((double)c.rows[i].parameters, rows[i].learned, rows[i].expression);
	}
}

/* Table 6: 110.1 M of BERT, of which 0.39 M are its input positions; to 0.05 M of what is printed. */
TEST(models_have_the_size_that_is_printed)
{
	static const struct {
		const char *expression;
		double millions;
	} rows[] = {{"learned", 110.1},
		    {"diet_rel", 109.9},
		    {"diet_rel(share=layer)", 109.7},
		    {"diet_abs(rank=128,share=none)", 128.6},
		    {"diet_abs(rank=128)", 111.3}};
	const struct cost c = count_at("", cost_published + 1, 7, (struct cost_own){0}, 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct cost_row *const r = row_of(&c, rows[i].expression);
		const double model = 110.1e6 - 393216 + (double)r->parameters;
		if (fabs(model / 1e6 - rows[i].millions) > 0.0501)
			fail_msg("%s: %.3f M", r->expression, model / 1e6);
		assert_true(fabs(r->printed_parameters -
				 fmax(0, 1e6 * rows[i].millions - 110.1e6 + 393216)) < 1);
		assert_null(r->differs);
	}
	/* Shaw et al. are printed with 112.9 M, which no clip of ours makes, and that is said. */
	const struct cost_row *const shaw = row_of(&c, "shaw");
	assert_non_null(shaw->differs);
	assert_true(fabs(shaw->printed_parameters - (2.8e6 + 393216)) < 1);
	assert_true((double)shaw->parameters < shaw->printed_parameters);
	assert_non_null(strstr(shaw->differs, "1.57 M"));
}

/* Table 1, inference of BERT-base: 33, 19, 0 and 0 % more. */
TEST(published_times_are_those_of_table_1)
{
	static const char *const expressions[] = {"shaw",     "tupe_r", "diet_abs",
						  "diet_rel", "rope",	"shaw+rope"};
	static const double printed[] = {1.33, 1.19, 1, 1, NAN, NAN};
	const struct cost c = count_at("", expressions, 6, (struct cost_own){0}, 0);
	for (size_t i = 0; i < 6; i++) {
		const double is_printed = c.rows[i].printed_time;
		if (isnan(printed[i]))
			assert_true(isnan(is_printed));
		else
			assert_true(fabs(is_printed - printed[i]) < 1e-12);
	}
}

/* n units, d wide, h heads, one layer. What none needs: four products d×d, two of n×n a head, two of d×4d, and the
 * residual added twice. */
static double of_none(double n, double d)
{
	return n * (4 * d * d + 2 * d * 4 * d) + 2 * n * n * d + 2 * n * d;
}

TEST(multiply_adds_in_closed_form)
{
	enum { N = 5, D = 24, H = 3 };
	static const struct {
		const char *expression;
		double more;
	} rows[] = {
		{"none", 0},
		{"sinusoidal", N * D}, /* a sum */
		{"learned", N * D},
		{"alibi", H * N * N}, /* a number to each logit */
		{"t5", H * N * N},
		{"rope", 2 * 2 * N * D}, /* q and k, two products a number */
		/* q and Σα times 2·16 + 1 vectors; a number to each logit, a sum of weights, one of values */
		{"shaw", 2 * N * 33 * D + 2 * H * N * N + N * D},
		{"shaw(clip=2,values=off)", N * 5 * D + H * N * N},
		/* P_Q P_Kᵀ, its sum, and the table of segments */
		{"diet_abs(rank=4)", H * (N * N * 4 + 2 * N * N)},
		{"causal", 0},
	};
	enum { ROWS = sizeof rows / sizeof *rows };
	const char *expressions[ROWS];
	for (size_t i = 0; i < ROWS; i++)
		expressions[i] = rows[i].expression;
	const struct cost c =
		count_at("sentence a b c d e\nd-model 24\nheads 3\n", expressions, ROWS,
			 (struct cost_own){.d_model = true, .heads = true, .text = true}, SIZE_MAX);
	assert_int_equal(c.units, N);
	assert_int_equal(c.to_come, 0);
	is(c.multiply_adds, of_none(N, D), "none");
	for (size_t i = 0; i < ROWS; i++) {
		assert_true(c.rows[i].passed && !c.rows[i].timed && !c.rows[i].why);
		is(c.rows[i].more, rows[i].more, rows[i].expression);
	}
}

/* Every layer has its own. */
TEST(layers_multiply_what_is_in_each)
{
	static const char *const expressions[] = {"rope", "sinusoidal"};
	const struct cost c = count_at(
		"sentence a b c d e\nd-model 24\nheads 3\nlayers 3\n", expressions, 2,
		(struct cost_own){.d_model = true, .heads = true, .layers = true, .text = true},
		SIZE_MAX);
	is(c.multiply_adds, 3 * of_none(5, 24), "none");
	is(c.rows[0].more, 3 * 4 * 5 * 24, "rope");
	is(c.rows[1].more, 5 * 24, "sinusoidal");
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* A clock that goes on by itself: times are made, whatever they are. */
static double tick(void)
{
	return now += 2;
}

static const struct cost_own small = {.d_model = true, .heads = true, .text = true};

static bool measure(const char *const *expressions, size_t n, size_t most, bool strict,
		    struct cache *cache, struct watch *w, struct cost *out, struct err *err)
{
	struct scene s;
	assert_true(scene_parse(&s, "sentence a b c\nd-model 8\nheads 2\nt-max 8\n", err));
	struct setup *const setup = arena_calloc(&arena, 1, sizeof *setup);
	*setup = cost_setup(&s.setup, small);
	const struct cost_request r = {.setup = setup,
				       .expressions = expressions,
				       .n = n,
				       .most = most,
				       .strict = strict,
				       .patience = patient,
				       .cache = cache,
				       .watch = w};
	return cost_measure(&r, &arena, out, err);
}

/* Counts first, then a time each time it is asked: of every row a rough one before any is measured
 * again. What is remembered is not measured again. */
TEST(rows_are_filled_one_after_the_other)
{
	static const char *const expressions[] = {"rope", "alibi", "rope"};
	struct cache *const cache = cache_new(1 << 20);
	struct watch w;
	struct cost c;
	struct err err = {""};
	watch_begin(&w);
	watch_time(&w, tick);
	assert_true(measure(expressions, 3, 0, false, cache, &w, &c, &err));
	assert_int_equal(c.n, 3);
	assert_string_equal(c.rows[c.none].expression, "none");
	assert_int_equal(c.to_come, 3);
	for (size_t step = 0; step < 7; step++) {
		size_t timed = 0, rough = 0;
		assert_true(measure(expressions, 3, 1, false, cache, &w, &c, &err));
		for (size_t i = 0; i < c.n; i++) {
			timed += c.rows[i].timed;
			rough += c.rows[i].timed && c.rows[i].time.rough;
		}
		assert_true(c.rows[0].passed && c.rows[1].passed);
		assert_int_equal(timed, step < 3 ? step : 3);
		assert_int_equal(rough, step < 3 ? step : 6 - step);
		assert_int_equal(c.to_come, step < 3 ? 3 : 6 - step);
	}
	const double then = now;
	assert_true(measure(expressions, 3, SIZE_MAX, false, cache, &w, &c, &err));
	assert_true(now == then && c.rows[0].timed && c.rows[0].time.ratio == 1);
	cache_free(cache);
}

/* Quartiles 0.98 and 1.03 of equal passes: only what is clear of these is a finding, and no scheme
 * that computes more than none is faster than it. */
TEST(what_is_not_clear_of_equal_passes_is_noise)
{
	static const struct {
		double low, high, more;
		bool noise;
	} all[] = {{1.01, 1.06, 5, true},  {1.031, 1.06, 5, false}, {0.95, 1.2, 5, true},
		   {0.94, 0.97, 5, true},  {0.94, 0.97, -5, false}, {0.94, 0.99, -5, true},
		   {0.94, 0.97, NAN, true}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct cost_row rows[] = {
			{.timed = true, .time = {.ratio = 1, .low = 0.98, .high = 1.03}},
			{.timed = true,
			 .more = all[i].more,
			 .time = {.low = all[i].low, .high = all[i].high}}};
		const struct cost c = {.rows = rows, .n = 2};
		if (cost_within_noise(&c, &rows[1]) != all[i].noise)
			fail_msg("row %zu", i);
	}
}

TEST(what_cannot_be_computed_says_why)
{
	static const char *const expressions[] = {"learned", "rope"};
	struct scene s;
	struct watch w;
	struct cost c;
	struct err err = {""};
	watch_begin(&w);
	watch_time(&w, tick);
	assert_true(scene_parse(&s, "sentence a b c\nd-model 8\nheads 2\nt-max 2\n", &err));
	const struct setup setup = cost_setup(&s.setup, small);
	struct cost_request r = {.setup = &setup,
				 .expressions = expressions,
				 .n = 2,
				 .most = SIZE_MAX,
				 .patience = patient,
				 .watch = &w};
	assert_true(cost_measure(&r, &arena, &c, &err));
	assert_non_null(strstr(c.rows[0].why, "t-max"));
	assert_false(c.rows[0].passed || c.rows[0].timed);
	assert_true(c.rows[1].timed);
	assert_int_equal(c.to_come, 0);
	r.strict = true;
	assert_false(cost_measure(&r, &arena, &c, &err));
	assert_non_null(strstr(err.text, "learned: "));
}

TEST(bad_expressions_and_cancelling)
{
	static const char *const bad[] = {"rope", "rop"}, *const good[] = {"rope"};
	struct watch w;
	struct cost c;
	struct err err = {""};
	watch_begin(&w);
	watch_time(&w, tick);
	assert_false(measure(bad, 2, 0, false, NULL, &w, &c, &err));
	assert_non_null(strstr(err.text, "no scheme \"rop\""));
	watch_cancel(&w);
	assert_false(measure(good, 1, SIZE_MAX, false, NULL, &w, &c, &err));
	assert_string_equal(err.text, "cancelled");
}

/* ---- where it is measured -------------------------------------------------------------------------- */

TEST(passes_are_of_bert_unless_asked_otherwise)
{
	struct scene s;
	struct err err = {""};
	scene_init(&s);
	const struct setup plain = cost_setup(&s.setup, cost_own(&s.setup));
	assert_int_equal(plain.d_model, 768);
	assert_int_equal(plain.heads, 12);
	assert_int_equal(plain.layers, 1);
	assert_string_equal(plain.sentence + strlen(plain.sentence) - 5, " w128");
	assert_true(scene_parse(&s, "heads 8\nsentence a b\nlayers 3\nproj tied\n", &err));
	const struct setup wide = cost_setup(&s.setup, cost_own(&s.setup));
	assert_int_equal(wide.d_model, 64); /* with its heads */
	assert_int_equal(wide.heads, 8);
	assert_int_equal(wide.layers, 3);
	assert_int_equal(wide.proj, PROJ_RANDOM);
	assert_string_equal(wide.sentence, plain.sentence);
	assert_true(scene_parse(&s, "conllu @dep2\n", &err));
	const struct setup tree = cost_setup(&s.setup, cost_own(&s.setup));
	assert_string_equal(tree.conllu, "@dep2");
	assert_int_equal(tree.heads, 12);
}

/* ---- the view ------------------------------------------------------------------------------------------ */

static const struct panel *panel_of(const struct figure *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->panels[i].name, name) == 0)
			return &f->panels[i];
	fail_msg("no panel %s", name);
	return NULL;
}

static struct picture *draw(const char *lines, struct watch *w, struct cache *cache)
{
	struct scene *const s = arena_calloc(&arena, 1, sizeof *s);
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct err err = {""};
	if (!scene_parse(s, lines, &err) || !setup_build(&s->setup, &arena, &p->built, &err) ||
	    !picture_compute_part(s, 1, cache, w, &arena, p, &err) ||
	    !picture_redraw(s, NULL, false, BACKGROUND_DARK, &arena, p, &err))
		fail_msg("%s", err.text);
	return p;
}

/* Without a clock nothing is run: counts of what is learned stand, the rest is to come. */
TEST(a_view_without_a_clock_counts_what_is_learned)
{
	const struct picture *const p = draw("view cost\nscheme rope\n", NULL, NULL);
	const struct bars *const time = &panel_of(&p->figure, "time")->bars;
	const struct bars *const learned = &panel_of(&p->figure, "parameters")->bars;
	assert_true(p->unmeasured > 0);
	assert_int_equal(learned->n, 9);
	assert_string_equal(learned->labels[0], "DIET-ABS");
	assert_within(learned->values[0], 100 * 18.874944 / 110.1, 1e-9);
	assert_within(learned->marks[0], 100 * 18.893216 / 110.1, 1e-9);
	assert_string_equal(learned->notes[0], "18.87 M = 17 %");
	assert_string_equal(learned->labels[learned->cursor], "rope");
	for (size_t i = 0; i + 1 < learned->n; i++)
		assert_true(learned->values[i] >= learned->values[i + 1]);
	for (size_t i = 0; i < time->n; i++)
		if (strcmp(time->labels[i], "shaw") == 0) {
			assert_string_equal(time->notes[i], "measuring …");
			assert_within(time->marks[i], 1.33, 1e-9);
		}
}

/* Each time it is computed one row more; schemes that are compared have theirs. */
TEST(a_view_fills_row_by_row)
{
	static const char lines[] = "view cost\nscheme rope\ncompare alibi\nd-model 8\nheads 2\n";
	struct cache *const cache = cache_new(1 << 20);
	struct watch w;
	watch_begin(&w);
	watch_time(&w, tick);
	const struct picture *p = draw(lines, &w, cache);
	const size_t all = p->unmeasured;
	assert_int_equal(all, 10);
	assert_non_null(strstr(p->figure.finding, "its time is being measured"));
	const struct bars *b = &panel_of(&p->figure, "operations")->bars;
	/* Two heads of P_Q P_Kᵀ and the segments. */
	assert_string_equal(b->labels[0], "DIET-ABS");
	assert_within(b->values[0],
		      100 * 2 * (128. * 128 * 128 + 2 * 128 * 128) / p->cost.multiply_adds, 1e-9);
	p = draw(lines, &w, cache);
	assert_string_equal(panel_of(&p->figure, "time")->note, "measuring: 1 of 10");
	for (size_t i = 1; i < all; i++)
		p = draw(lines, &w, cache);
	assert_string_equal(panel_of(&p->figure, "time")->note, "measuring more rounds: 0 of 10");
	for (size_t i = 0; i < all; i++)
		p = draw(lines, &w, cache);
	assert_int_equal(p->unmeasured, 0);
	assert_string_equal(panel_of(&p->figure, "time")->note, "measured here");
	/* Every time has its interval, and one of equal passes is no finding. */
	b = &panel_of(&p->figure, "time")->bars;
	for (size_t i = 0; i < b->n; i++) {
		assert_true(b->lo[i] <= b->values[i] && b->values[i] <= b->hi[i]);
		assert_string_equal(b->notes[i], "1.00 (1.00–1.00)");
		assert_true(b->faint[i]);
	}
	assert_non_null(strstr(p->figure.finding, "about as long as one without positions "
						  "(1.00–1.00 ×: no clear difference)"));
	cache_free(cache);
}

/* Bars have an axis that says what they are measured against, and say what an interval means; no row
 * has a name that another view must explain. */
TEST(bars_of_cost_say_their_axis_and_their_baseline)
{
	const struct picture *const p = draw("view cost\nscheme rope\n", NULL, NULL);
	for (size_t i = 0; i < 3; i++) {
		const struct bars *const b = &p->figure.panels[i].bars;
		assert_true(b->axis && *b->unit);
		for (size_t k = 0; k < b->n; k++)
			assert_string_not_equal(b->labels[k], "none");
	}
	const struct panel *const time = panel_of(&p->figure, "time");
	assert_non_null(strstr(time->title, "without positions = 1"));
	assert_true(time->bars.spans);
	assert_within(time->bars.base, 1, 0);
	/* Two lines of 80 columns say what a dot, a line, a stroke and grey are. */
	assert_string_equal(
		time->bars.legend,
		"Dot: published. Line: middle half of runs. Stroke: median. Grey: meets 1 or the control's "
		"line, or takes less time for no less work.");
	assert_true(strlen(time->bars.legend) <= 2 * (80 - 6));
	assert_true(p->figure.names_hidden);
}

TEST(a_view_with_timing_off_only_counts)
{
	struct watch w;
	struct cache *const cache = cache_new(1 << 20);
	watch_begin(&w);
	watch_time(&w, tick);
	const struct picture *const p =
		draw("view cost\nscheme rope\ntiming off\nd-model 8\nheads 2\n", &w, cache);
	assert_int_equal(p->unmeasured, 0);
	assert_int_equal(p->figure.n, 3);
	assert_non_null(strstr(p->figure.finding, "rope adds no learned parameters and "));
	assert_string_equal(p->figure.panels[0].name, "operations");
	assert_string_equal(p->figure.panels[0].bars.labels[0], "DIET-ABS");
	cache_free(cache);
}
