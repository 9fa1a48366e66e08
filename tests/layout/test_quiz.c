/* test_quiz.c: quizzes: the same from a seed, fair, silent of their answers; what answers come to. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"
#include "posviz/tour/quiz.h"
#include "tour/quiz_in.h"

FIXTURE(open_arena, close_arena)

static struct quiz *make(struct quiz_wish wish)
{
	struct quiz *const q = arena_calloc(&arena, 1, sizeof *q);
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct err err;
	if (!quiz_make(&wish, cache, NULL, &arena, q, &err))
		fail_msg("level %ld, seed %llu: %s", wish.level, (unsigned long long)wish.seed,
			 err.text);
	cache_free(cache);
	return q;
}

/* ---- from a seed ------------------------------------------------------------------------------------- */

TEST(the_same_seed_gives_the_same_quiz)
{
	const struct quiz *const a = make((struct quiz_wish){.level = 2, .seed = 7, .count = 4});
	const struct quiz *const b = make((struct quiz_wish){.level = 2, .seed = 7, .count = 4});
	const struct quiz *const c = make((struct quiz_wish){.level = 2, .seed = 8, .count = 4});
	assert_string_equal(a->text, b->text);
	assert_string_not_equal(strstr(a->text, "step Task 1"), strstr(c->text, "step Task 1"));
}

TEST(a_shorter_quiz_is_the_beginning_of_a_longer_one)
{
	const struct quiz *const a = make((struct quiz_wish){.level = 1, .seed = 3, .count = 3});
	const struct quiz *const b = make((struct quiz_wish){.level = 1, .seed = 3, .count = 6});
	const char *const tasks = strstr(a->text, "step Task 1");
	assert_non_null(tasks);
	assert_int_equal(strncmp(strstr(b->text, "step Task 1"), tasks, strlen(tasks)), 0);
}

TEST(a_quiz_is_a_tour_of_as_many_steps)
{
	for (long level = 1; level <= QUIZ_LEVELS; level++) {
		const struct quiz *const q =
			make((struct quiz_wish){.level = level, .seed = 1, .count = 3});
		assert_int_equal(q->tour.n_steps, 3);
		assert_int_equal(q->tour.n_beats, 6);
		for (size_t i = 0; i < 3; i++) {
			const struct tour_beat *const asks = &q->tour.beats[q->tasks[i].beat];
			assert_non_null(asks->ask);
			assert_int_equal(asks->right, q->tasks[i].right);
			assert_int_equal(asks->n_options, q->tasks[i].n_names);
			assert_true(asks[1].reveals);
			assert_int_equal(asks[1].scene.unnamed, UNNAMED_OFF);
		}
	}
}

/* The right one stands at each letter about as often. */
TEST(options_are_shuffled)
{
	const struct quiz *const q = make(
		(struct quiz_wish){.level = 2, .seed = 5, .count = 16, .kinds = 1 << QUIZ_MATRIX});
	size_t at[TOUR_OPTIONS] = {0};
	for (size_t i = 0; i < q->n; i++)
		at[q->tasks[i].right]++;
	for (size_t i = 0; i < TOUR_OPTIONS; i++)
		assert_in_range(at[i], 1, 12);
}

TEST(no_task_comes_twice)
{
	const struct quiz *const q = make((struct quiz_wish){.level = 1, .seed = 2, .count = 20});
	for (size_t i = 0; i < q->n; i++)
		for (size_t k = 0; k < i; k++) {
			const struct tour_beat *const x = &q->tour.beats[q->tasks[i].beat];
			const struct tour_beat *const y = &q->tour.beats[q->tasks[k].beat];
			assert_false(scene_equal(&x->scene, &y->scene));
		}
}

TEST(what_cannot_be_met_is_told)
{
	struct quiz q;
	struct err err;
	const struct quiz_wish many = {.level = 1, .count = 60, .kinds = 1 << QUIZ_REVERSED};
	const struct quiz_wish none = {.level = 5, .count = 1, .kinds = 1 << QUIZ_WORDS};
	assert_false(quiz_make(&many, NULL, NULL, &arena, &q, &err));
	assert_non_null(strstr(err.text, "there are no more than"));
	assert_false(quiz_make(&none, NULL, NULL, &arena, &q, &err));
	assert_string_equal(err.text, "at level 5 there is no such task");
}

/* ---- fair -------------------------------------------------------------------------------------------- */

/* Decidable by the pictures as they are drawn, silent of the answer, and every number as it is said. */
TEST_SAMPLED(every_task_is_fair, 5, 60)
{
	const long level = 1 + (long)(test_part % QUIZ_LEVELS);
	struct tour_report report = {.arena = &arena};
	struct cache *const cache = cache_new(CACHE_BYTES);
	const struct quiz *const q = make((struct quiz_wish){.level = level,
							     .seed = test_part / QUIZ_LEVELS,
							     .count = 6,
							     .kinds = QUIZ_ALL_KINDS});
	if (!quiz_check(q, cache, NULL, &report))
		fail_msg("level %ld: %s", level, report.lines[0].text);
	cache_free(cache);
}

TEST(numbers_are_those_of_the_program)
{
	struct tour_report report = {.arena = &arena};
	const struct quiz *const q = make((struct quiz_wish){
		.level = 1, .seed = 4, .count = 14, .kinds = 1 << QUIZ_NUMBERS, .open = true});
	assert_true(quiz_check(q, NULL, NULL, &report));
	assert_int_equal(report.expects, q->n);
	for (size_t i = 0; i < q->n; i++) {
		assert_int_equal(q->tour.beats[q->tasks[i].beat].n_options, 0);
		assert_non_null(q->tour.beats[q->tasks[i].beat].answer);
	}
}

/* The check finds what it is for: a question that shows its scheme, options that are too near. */
TEST(what_is_not_fair_is_found)
{
	struct tour_report report = {.arena = &arena};
	struct quiz *const q = make(
		(struct quiz_wish){.level = 2, .seed = 1, .count = 1, .kinds = 1 << QUIZ_MATRIX});
	q->tasks[0].apart = q->tasks[0].least / 2;
	assert_false(quiz_check(q, NULL, NULL, &report));
	assert_non_null(strstr(report.lines[0].text, "less than"));
}

static struct look look_of(const char *lines)
{
	struct scene scene;
	struct look out;
	struct err err;
	scene_init(&scene);
	assert_true(scene_parse(&scene, lines, &err));
	assert_true(look_at_scene(&scene, NULL, NULL, &arena, &out));
	return out;
}

TEST(distances_are_of_what_is_seen)
{
	const struct look alibi = look_of("scheme alibi\nsentence a b c d\n");
	const struct look steep = look_of("scheme alibi(factor=4)\nsentence a b c d\n");
	const struct look both = look_of("scheme alibi(causal=off)\nsentence a b c d\n");
	const struct look none = look_of("scheme none\nsentence a b c d\n");
	/* Another slope is the same picture with other numbers at its bar. */
	assert_within(look_apart(&alibi, &steep, SEEN_BIAS), 0, 1e-12);
	assert_true(look_apart(&alibi, &steep, SEEN_WEIGHTS) > 0.01);
	/* Six of sixteen pairs are masked in one of them alone, the others equal. */
	assert_within(look_apart(&alibi, &both, SEEN_BIAS), sqrt(6.0 / 16), 1e-12);
	/* −1/3, −2/3 and −1 of the greatest on three, two and one of ten pairs; six more are masked. */
	assert_within(look_apart(&alibi, &none, SEEN_BIAS),
		      sqrt((6 + 3.0 / 9 + 2 * 4.0 / 9 + 1) / 16), 1e-12);
}

TEST(what_is_seen_is_told)
{
	const struct look alibi = look_of("scheme alibi\nsentence a b c d e\n");
	const struct look both = look_of("scheme alibi(causal=off)\nsentence a b c d e\n");
	const struct look log = look_of("scheme kerple_log\nsentence a b c d e\n");
	const struct look learned = look_of("scheme learned\nsentence a b c d e\n");
	assert_string_equal(look_tell(&both, &alibi, SEEN_BIAS, &arena),
			    "The matrix shown shows keys after the query.");
	assert_string_equal(look_tell(&learned, &both, SEEN_BIAS, &arena),
			    "The matrix shown is not constant along its diagonals.");
	assert_string_equal(look_tell(&log, &alibi, SEEN_CURVE, &arena),
			    "The curve shown falls in unequal steps as keys before the query lie "
			    "farther away.");
	assert_null(look_tell(&log, &log, SEEN_BIAS, &arena)); /* nothing, and so not a word */
	assert_string_equal(
		look_say(&alibi, SEEN_BIAS, &arena),
		"masks every key after the query, is constant along each diagonal and falls in equal steps "
		"as keys before the query lie farther away");
}

/* ---- what is said is true of what is shown ------------------------------------------------------------ */

/* Numbers of the panel by distance: of a matrix all cells of s - t, of a curve its one. */
struct panel_seen {
	struct mat at;
	bool curve;
	long from;
};

static bool has_after(const struct panel_seen *p)
{
	for (size_t t = 0; t < p->at.rows; t++)
		for (size_t s = 0; s < p->at.cols; s++)
			if (p->from + (long)s - (long)t > 0 && !isnan(mat_row(p->at, t)[s]))
				return true;
	return false;
}

static bool has_number(const struct panel_seen *p)
{
	for (size_t i = 0; i < p->at.rows * p->at.cols; i++)
		if (fabs(p->at.at[i]) > 1e-9)
			return true;
	return false;
}

static double top_of(const struct panel_seen *p)
{
	double out = 0;
	for (size_t i = 0; i < p->at.rows * p->at.cols; i++)
		out = fmax(out, fabs(p->at.at[i])); /* fmax leaves NaN out */
	return out;
}

static bool constant(const struct panel_seen *p)
{
	for (size_t t = 1; t < p->at.rows; t++)
		for (size_t s = 1; s < p->at.cols; s++) {
			const double x = mat_row(p->at, t)[s], y = mat_row(p->at, t - 1)[s - 1];
			if (isnan(x) != isnan(y) || fabs(x - y) > 1e-6 * top_of(p))
				return false;
		}
	return true;
}

/* The value at a distance: any cell of it, where it is constant. */
static double value(const struct panel_seen *p, long distance)
{
	for (size_t t = 0; t < p->at.rows; t++) {
		const long s = distance - p->from + (long)t;
		if (s >= 0 && s < (long)p->at.cols)
			return mat_row(p->at, t)[s];
	}
	return NAN;
}

static bool same_on_both_sides(const struct panel_seen *p)
{
	const long n = p->curve ? (p->from < 0 ? -p->from : 0) : (long)p->at.rows - 1;
	for (long k = 1; k <= n; k++) {
		const double x = value(p, -k), y = value(p, k);
		if (p->from + (long)p->at.cols - 1 < k)
			break;
		if (isnan(x) != isnan(y) || fabs(x - y) > 1e-8)
			return false;
	}
	return true;
}

/* The greatest rise from one distance before the query to the next, and whether all steps are equal. */
static double rise(const struct panel_seen *p, bool *even)
{
	const long n = p->curve ? -p->from : (long)p->at.rows - 1;
	double out = -INFINITY;
	*even = true;
	for (long k = 1; k <= n; k++) {
		const double step = value(p, -k) - value(p, -k + 1);
		out = fmax(out, step);
		*even = *even && fabs(step - (value(p, -1) - value(p, 0))) <= 1e-6;
	}
	return out;
}

/* Whether a clause is true of the panel; one that is not known is not. */
static bool is_true(const char *clause, const struct panel_seen *p)
{
	bool even;
	const double up = rise(p, &even);
	const struct {
		const char *words;
		bool so;
	} rows[] = {
		{"shows keys after the query", has_after(p)},
		{"masks every key after the query", !has_after(p)},
		{"is not zero everywhere", has_number(p)},
		{"is zero everywhere", !has_number(p)},
		{"is not constant along its diagonals", !constant(p)},
		{"is constant along each diagonal", constant(p)},
		{"differs between equal distances before and after the query",
		 constant(p) && !same_on_both_sides(p)},
		{"is the same at equal distances before and after the query",
		 constant(p) && same_on_both_sides(p)},
		{"rises somewhere as keys before the query lie farther away",
		 constant(p) && up > 1e-6},
		{"never rises as keys before the query lie farther away",
		 constant(p) && up <= 1e-6},
		{"falls in unequal steps as keys before the query lie farther away",
		 constant(p) && up <= 1e-6 && !even},
		{"falls in equal steps as keys before the query lie farther away",
		 constant(p) && up <= 1e-6 && even},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(clause, rows[i].words) == 0)
			return rows[i].so;
	return false;
}

/* "a, b and c", each true. */
static void expect_true(const char *clauses, const struct panel_seen *p, const char *of)
{
	static const char *const ands[] = {" and is ",	    " and shows ", " and masks ",
					   " and differs ", " and rises ", " and never ",
					   " and falls "};
	char *at = arena_strdup(&arena, clauses);
	for (size_t i = 0; i < sizeof ands / sizeof *ands; i++) {
		char *const and = strstr(at, ands[i]);
		if (and) /* "a and b" becomes "a, b" of the same length */
			memcpy(and, "   , ", 5);
	}
	for (char *clause; (clause = strsep(&at, ",")) != NULL;) {
		clause += strspn(clause, " ");
		for (size_t n = strlen(clause); n > 0 && clause[n - 1] == ' ';)
			clause[--n] = '\0';
		if (!is_true(clause, p))
			fail_msg("\"%s\" is not true of the picture of %s", clause, of);
	}
}

static void check_told(const struct quiz *q, size_t task)
{
	const struct quiz_task *const t = &q->tasks[task];
	const struct tour_beat *const b = &q->tour.beats[t->beat];
	const char *const say = q->tour.beats[t->beat + 1].say;
	struct look look;
	size_t seen = 0;
	while (seen < SEEN_COUNT && strcmp(b->focus, seen_panes[seen]) != 0)
		seen++;
	assert_true(seen < SEEN_COUNT);
	struct scene scene = b->scene;
	scene.panel = scene_intern("all");
	scene.unnamed = 0;
	assert_true(look_at_scene(&scene, NULL, NULL, &arena, &look));
	const struct panel_seen p = {look.at[seen], seen == SEEN_CURVE,
				     seen == SEEN_CURVE ? look.from : 0};
	for (size_t i = 0; i < t->n_names; i++) {
		static const char *const starts[] = {"The matrix shown ", "The curve shown "};
		const char *const tell = t->tells[i];
		if (!tell)
			continue;
		const char *const start = starts[p.curve];
		const size_t len = strlen(tell);
		assert_true(strncmp(tell, start, strlen(start)) == 0 && tell[len - 1] == '.');
		expect_true(arena_strndup(&arena, tell + strlen(start), len - strlen(start) - 1),
			    &p, t->names[t->right]);
	}
	const char *const here = strstr(say, " Here it ");
	if (here)
		expect_true(arena_strndup(&arena, here + 9, strcspn(here + 9, ".")), &p,
			    t->names[t->right]);
}

/* Each sentence, on many seeds and all levels, by the numbers of the picture that is shown. */
TEST_SAMPLED(what_is_said_is_true_of_the_picture, 5, 40)
{
	const long level = 1 + (long)test_part % 5;
	const int last =
		level == QUIZ_STRUCTURES ? QUIZ_MATRIX : QUIZ_CURVE; /* trees have no curves */
	for (int kind = QUIZ_MATRIX; kind <= last; kind++) {
		const struct quiz *const q = make((struct quiz_wish){
			.level = level, .seed = 100 + test_part, .count = 6, .kinds = 1u << kind});
		for (size_t i = 0; i < q->n; i++)
			check_told(q, i);
	}
}

/* ---- pictures that do not say what they are of -------------------------------------------------------- */

static const char *words_of(const struct figure *f)
{
	char *data;
	size_t len;
	export_plain(f, &arena, &data, &len);
	return arena_strndup(&arena, data, len);
}

/* Schemes that a plain sentence gives something to do, in views that show matrices and curves, for the room as well. The
 * id of matrices of one's own is also the word for a kind of panel. */
TEST_SAMPLED(an_unnamed_picture_names_no_scheme, 2, 8)
{
	static const char *const views_of[] = {"explore", "order", "heads", "terms"};
	const size_t n = scheme_count();
	for (size_t i = test_part; i < n; i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		for (size_t v = 0; v < 4 && !s->sample && strcmp(s->id, "matrix") != 0; v++) {
			const char *const lines = arena_printf(
				&arena,
				"sentence dog bites man\nview %s\nunnamed scheme\npresenter %s\n",
				views_of[v], v % 2 ? "on" : "off");
			const struct picture *const p = help_picture(&arena, s->id, lines);
			const char *const words = words_of(&p->figure);
			assert_string_equal(p->figure.title, "Which scheme is this?");
			assert_null(p->figure.command);
			if (view_names_scheme(words, s))
				fail_msg("%s in the view %s:\n%s", s->id, views_of[v], words);
		}
	}
}

TEST(what_compares_has_numbers_for_names)
{
	const struct picture *const p = help_picture(
		&arena, "rope",
		"compare alibi; t5\nview compare\nsentence dog bites man\nunnamed scheme\n");
	const char *const words = words_of(&p->figure);
	assert_null(strstr(words, "rope"));
	assert_null(strstr(words, "alibi"));
	assert_null(strstr(words, "t5"));
}

TEST(unnamed_words_are_numbered)
{
	const struct picture *const p = help_picture(
		&arena, "none", "sentence dog bites man\npanel weights\nunnamed words\n");
	const char *const words = words_of(&p->figure);
	assert_null(strstr(words, "dog"));
	assert_null(strstr(words, "bites"));
	assert_non_null(strstr(words, "No position information"));
	assert_non_null(strstr(words, "n 3"));
}

TEST(a_view_that_has_only_words_says_so)
{
	const struct picture *const p =
		help_picture(&arena, "rope",
			     "view relation\npanel card\nsentence dog bites man\nunnamed scheme\n");
	assert_int_equal(p->figure.n, 1);
	assert_non_null(p->figure.panels[0].absent);
}

TEST(names_are_words)
{
	const struct scheme *const t5 = scheme_find("t5", 2, NULL), *const none = scheme_find(
									    "none", 4, NULL);
	assert_true(view_names_scheme("of T5, head 1", t5));
	assert_true(view_names_scheme("by Raffel et al. 2020", t5));
	assert_true(view_names_scheme("t5_bias", t5)); /* an alias */
	assert_false(view_names_scheme("at5 t50", t5));
	assert_false(view_names_scheme("nonesuch", none));
}

/* ---- answers ----------------------------------------------------------------------------------------- */

static int wrong_one(const struct quiz *q, size_t task)
{
	return q->tasks[task].right == 0 ? 1 : 0;
}

TEST(answers_are_counted)
{
	const struct quiz *const q = make((struct quiz_wish){.level = 1, .seed = 1, .count = 5});
	struct quiz_run run;
	quiz_begin(&run, q);
	assert_int_equal(quiz_answered(&run), 0);
	assert_true(quiz_answer(&run, 0, q->tasks[0].right));
	assert_false(quiz_answer(&run, 0, wrong_one(q, 0))); /* the first counts */
	assert_true(quiz_answer(&run, 1, wrong_one(q, 1)));
	assert_true(quiz_answer(&run, 2, QUIZ_NO_ANSWER));
	assert_false(quiz_answer(&run, 2, q->tasks[2].right));
	assert_false(quiz_answer(&run, 3, 4));
	assert_false(quiz_answer(&run, 3, -3));
	assert_false(quiz_answer(&run, 5, 0));
	assert_int_equal(quiz_answered(&run), 2);
	assert_int_equal(quiz_right(&run), 1);
	size_t n;
	const char **const lines = quiz_score(&run, &arena, &n);
	assert_int_equal(n, 3);
	assert_string_equal(lines[0], "1 of 5 are right");
	assert_string_equal(lines[1], "3 had no answer: tasks 3, 4 and 5");
	assert_string_equal(lines[2], arena_printf(&arena, "%s taken for %s: task 2",
						   q->tasks[1].names[q->tasks[1].right],
						   q->tasks[1].names[wrong_one(q, 1)]));
}

TEST(confusions_are_summed_the_most_frequent_first)
{
	struct quiz *const q = make((struct quiz_wish){.level = 1, .seed = 1, .count = 4});
	struct quiz_run run;
	size_t n;
	quiz_begin(&run, q);
	for (size_t i = 0; i < 4; i++) {
		q->tasks[i].right = 0;
		q->tasks[i].names[0] = i == 0 ? "rope" : "alibi";
		q->tasks[i].names[1] = "kerple_log";
		quiz_answer(&run, i, i == 3 ? 0 : 1);
	}
	const char **const lines = quiz_score(&run, &arena, &n);
	assert_int_equal(n, 3);
	assert_string_equal(lines[0], "1 of 4 are right");
	assert_string_equal(lines[1], "alibi taken for kerple_log, 2 times: tasks 2 and 3");
	assert_string_equal(lines[2], "rope taken for kerple_log: task 1");
}

/* Both schemes as the task showed them; a pair that has no pictures, as of sentences, is passed over. */
TEST(the_pair_that_was_confused_most_is_the_last_step)
{
	struct quiz *const q = make(
		(struct quiz_wish){.level = 2, .seed = 3, .count = 4, .kinds = 1 << QUIZ_MATRIX});
	struct quiz_run run;
	size_t task, times;
	quiz_begin(&run, q);
	assert_false(quiz_confused(&run, &task, &times));
	assert_false(quiz_last(q, &run, &arena));
	assert_int_equal(q->tour.n_steps, 4);
	for (size_t i = 0; i < 3; i++) {
		const int right = q->tasks[i].right, taken = wrong_one(q, i);
		q->tasks[i].names[right] = i == 2 ? "rope" : "alibi";
		q->tasks[i].names[taken] = "kerple_log";
		quiz_answer(&run, i, taken);
	}
	assert_true(quiz_confused(&run, &task, &times) && task == 0 && times == 2);
	assert_true(quiz_last(q, &run, &arena) && quiz_last(q, &run, &arena));
	assert_int_equal(q->tour.n_steps, 5);
	assert_int_equal(q->tour.n_beats, 9);
	const struct tour_beat *const b = &q->tour.beats[8];
	assert_non_null(strstr(b->say, "You took alibi for kerple_log, 2 times."));
	const char *compared[COMPARE_MAX];
	assert_string_equal(b->scene.view, "compare");
	assert_int_equal(scene_compared(&b->scene.setup, &arena, compared), 2);
	assert_string_equal(compared[0], q->tasks[0].expressions[q->tasks[0].right]);
	assert_string_equal(compared[1], q->tasks[0].expressions[wrong_one(q, 0)]);
	q->tasks[0].expressions[q->tasks[0].right] = NULL;
	assert_true(quiz_confused(&run, &task, &times) && task == 2 && times == 1);
}

TEST(the_answer_is_marked_and_says_why)
{
	const struct quiz *const q = make(
		(struct quiz_wish){.level = 1, .seed = 1, .count = 2, .kinds = 1 << QUIZ_MATRIX});
	struct quiz_run run;
	quiz_begin(&run, q);
	struct lesson l = quiz_lesson(&run, 0, &arena);
	assert_int_equal(l.right, -1); /* before it is answered nothing is marked */
	assert_true(l.chosen < 0);
	quiz_answer(&run, 0, wrong_one(q, 0));
	l = quiz_lesson(&run, 1, &arena);
	assert_int_equal(l.n_options, 4);
	assert_int_equal(l.right, q->tasks[0].right);
	assert_int_equal(l.chosen, wrong_one(q, 0));
	const char *const tell = q->tasks[0].tells[wrong_one(q, 0)];
	assert_non_null(strstr(l.answer, tell ? tell : "It is "));
	quiz_answer(&run, 1, q->tasks[1].right);
	l = quiz_lesson(&run, 3, &arena);
	assert_non_null(strstr(l.answer, " is right."));
	assert_non_null(strstr(l.progress, "1 right of 2"));
}

TEST(wishes_are_read)
{
	static const struct {
		const char *text, *says; /* NULL: it is read */
	} rows[] = {
		{"", NULL},
		{"schemes", NULL},
		{"3 18446744073709551615 60 numbers", NULL},
		{"hard", "level: \"hard\" is none of families"},
		{"6", "level: \"6\" is none of families"},
		{"1 -1", "seed: "},
		{"1 2 0", "count: "},
		{"1 2 61", "count: "},
		{"1 2 3 colours", "kind: \"colours\" is none of all"},
		{"1 2 3 all more", "quiz: give LEVEL SEED COUNT KIND"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct quiz_wish wish = {.level = 1, .count = 10};
		struct err err = {""};
		const bool ok = quiz_wish_parse(rows[i].text, &wish, &err);
		if (ok != !rows[i].says || (!ok && !strstr(err.text, rows[i].says)))
			fail_msg("\"%s\": %s", rows[i].text, err.text);
	}
	struct quiz_wish wish = {.level = 1, .count = 10};
	assert_true(quiz_wish_parse("relatives 9 4 curve", &wish, NULL));
	assert_int_equal(wish.level, QUIZ_RELATIVES);
	assert_int_equal(wish.seed, 9);
	assert_int_equal(wish.count, 4);
	assert_int_equal(wish.kinds, 1 << QUIZ_CURVE);
}
