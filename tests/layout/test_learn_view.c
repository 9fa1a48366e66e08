/* test_learn_view.c: the view Learn against runs of training, its moments, and what it says. */
#include <math.h>
#include <string.h>

#include "help_arena.h"
#include "help_canvas.h"
#include "help_view.h"
#include "posviz/learn/known.h"
#include "posviz/learn/runs.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

#define SHORT "view learn\ntrain-steps 20\ntrain-seeds 1\n"

static struct numbers *numbers_of(const char *expression, const char *lines)
{
	const struct scene scene = help_scene(expression, lines);
	struct numbers *const all = arena_calloc(&arena, 1, sizeof *all);
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct err err = {""};
	numbers_init(all, &arena);
	if (!setup_build(&scene.setup, &arena, b, &err) ||
	    !view_numbers(&scene, "learn", b, NULL, NULL, &arena, all, &err))
		fail_msg("%s", err.text);
	return all;
}

static double number(const struct numbers *all, const char *name)
{
	return help_number(all, name)->at.at[0];
}

/* The view shows the run of the command. */
TEST(numbers_are_those_of_a_run)
{
	struct learn_options o;
	struct learn_result run;
	struct err err = {""};
	const struct numbers *const all =
		numbers_of("shaw", SHORT "train-task first\ntrain-seed 3\n");
	learn_defaults(&o);
	o.scheme = "shaw";
	o.task = "first";
	o.steps = 20;
	o.seed = 3;
	assert_true(learn_run(&o, NULL, &arena, &run, NULL, &err));
	for (size_t i = 0; i < LEARN_LENGTHS; i++) {
		const size_t n = 16u << i;
		assert_within(number(all, arena_printf(&arena, "learn.accuracy.%zu", n)),
			      run.at[i].right, 0);
		assert_within(number(all, arena_printf(&arena, "learn.floor.%zu", n)),
			      run.at[i].floor, 0);
	}
	const struct mat loss = help_number(all, "learn.loss")->at;
	double sum = 0;
	assert_int_equal(loss.cols, 20);
	for (size_t i = 10; i < 20; i++)
		sum += loss.at[i];
	assert_within(sum / 10, run.loss, 1e-12);
	assert_within(number(all, "learn.steps"), 20, 0);
}

static struct learn_known *known_of(size_t steps, size_t moment, struct watch *watch)
{
	struct learn_known *const out = arena_calloc(&arena, 1, sizeof *out);
	struct learn_options o;
	learn_defaults(&o);
	o.scheme = "rope";
	o.steps = steps;
	learn_known_of(&o, moment, false, watch, &arena, out);
	return out;
}

static struct learn_known *known(size_t moment)
{
	return known_of(25, moment, NULL);
}

static void same_weights(struct mat a, struct mat b, bool same)
{
	const size_t size = a.rows * a.cols * sizeof(double);
	assert_int_equal(a.rows, b.rows);
	assert_int_equal(a.cols, b.cols);
	assert_int_equal(memcmp(a.at, b.at, size) == 0, same);
}

/* A moment is the last of those kept, every ten steps and the end; looking back changes nothing. */
TEST(moments_are_kept_steps)
{
	const struct learn_known *const end = known(100000), *const ten = known(19);
	const struct learn_known *const start = known(0), *const again = known(25);
	assert_null(end->why);
	assert_int_equal(end->moment, 25);
	assert_int_equal(ten->moment, 10);
	assert_int_equal(start->moment, 0);
	same_weights(end->now.weights, again->now.weights, true);
	same_weights(end->now.weights, ten->now.weights, false);
	same_weights(ten->start.weights, start->now.weights, true);
	same_weights(end->look_middle.weights, ten->now.weights, true);
	assert_within(end->at[0].right, again->at[0].right, 0);
	assert_true(start->at[0].right != end->at[0].right);
	assert_int_equal(start->done, 25);
}

/* The parameters of a moment are those of the learner then. */
TEST(moments_have_the_parameters_of_their_step)
{
	const struct learn_known *const ten = known(10);
	struct learn_look look = {.layer = ten->now.layer, .head = ten->now.head};
	struct accuracy of;
	struct learn_options o;
	struct learner *l;
	struct err err = {""};
	learn_defaults(&o);
	o.scheme = "rope";
	o.steps = 25;
	assert_true(learner_new(&l, &o, &err) && learner_train(l, 10, NULL, &err));
	assert_true(learner_look(l, false, &arena, &look, &err));
	same_weights(look.weights, ten->now.weights, true);
	assert_true(learner_test(l, 64, &arena, &of, NULL, &err));
	assert_within(of.right, ten->at[2].right, 0);
	learner_free(l);
}

/* Weights of a query sum to 1, so those by distance sum to the number of queries; and the accuracy is
 * the mean of that at its places, which are asked equally often. */
TEST(means_are_of_all_pairs_and_places)
{
	const struct learn_known *const k = known(25);
	const size_t n = k->now.n, longest = k->at[LEARN_LENGTHS - 1].n;
	double sum = 0, right = 0;
	assert_int_equal(n, 16);
	for (size_t i = 0; i < 2 * n - 1; i++)
		sum += k->now.by_distance[i] * (double)(i < n ? i + 1 : 2 * n - 1 - i);
	assert_within(sum, (double)n, 1e-9);
	assert_true(isnan(k->by_place[0])); /* there is no letter before the first */
	for (size_t t = 1; t < longest; t++)
		right += k->by_place[t];
	assert_within(right / (double)(longest - 1), k->at[LEARN_LENGTHS - 1].right, 1e-12);
	assert_true(k->now.on_right > 0 && k->now.on_right < 1);
}

/* What was cancelled goes on from where it was. No other test has this training, which a process keeps. */
TEST(cancelled_training_goes_on)
{
	struct watch watch;
	watch_begin(&watch);
	watch_cancel(&watch);
	assert_string_equal(known_of(24, 24, &watch)->why, "cancelled");
	const struct learn_known *const k = known_of(24, 24, NULL);
	assert_null(k->why);
	assert_int_equal(k->done, 24);
}

/* ---- the figure --------------------------------------------------------------------------------- */

TEST(figure_frames_the_right_keys)
{
	const struct picture *const p = help_picture(&arena, "rope", SHORT "moment 10\n");
	const struct figure *const f = &p->figure;
	const struct heatmap *const h = &help_named_panel(f, "weights")->heatmap;
	help_figure_is_sound(&arena, f, "learn");
	assert_int_equal(h->n_marks, 15);
	for (size_t i = 0; i < 15; i++)
		assert_int_equal(h->marks[i].row, h->marks[i].col + 1);
	assert_non_null(strstr(f->subtitle, "trained on shift, 10 of 20 steps, seed 1"));
	assert_non_null(strstr(f->caption, "asked: the letter before this one"));
	const struct bars *const b = &help_named_panel(f, "lengths")->bars;
	assert_int_equal(b->n, 4);
	assert_string_equal(b->labels[3], "8× 128");
	assert_null(strchr(b->notes[0], '*'));
	assert_non_null(strchr(b->notes[3], '*'));
	assert_non_null(strstr(b->legend, "*: never trained so long"));
	const struct curves *const places = &help_named_panel(f, "places")->curves;
	assert_within(places->marks[0].x, 16, 0);
	assert_within(help_named_panel(f, "curve")->curves.n, 2, 0);
}

TEST(what_cannot_learn_says_why)
{
	static const struct {
		const char *expression, *lines, *why;
	} cases[] = {
		{"alibi", SHORT "train-task reverse\n",
		 "not trained: the answers of reverse lie behind the token that gives them"},
		{"none", SHORT "train-layers 2\ntrain-task parity\n", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct picture *const p =
			help_picture(&arena, cases[i].expression, cases[i].lines);
		const struct panel *const w = help_named_panel(&p->figure, "weights");
		help_figure_is_sound(&arena, &p->figure, cases[i].expression);
		assert_int_equal(w->absent != NULL, cases[i].why != NULL);
		if (cases[i].why && !strstr(w->absent, cases[i].why))
			fail_msg("%s", w->absent);
	}
}

TEST(what_is_not_there_is_refused)
{
	static const struct {
		const char *lines, *says;
	} cases[] = {
		{SHORT "train-task nearby\n",
		 "train-task: there is no \"nearby\"; tasks are shift"},
		{SHORT "train-task /no/such\n",
		 "train-task: cannot read \"/no/such\": there is no such file or directory"},
		{SHORT "moment 9999\n", "moment: there is no step 9999; 0 to 20 would be right"},
		{SHORT "moment 21\n", "moment: there is no step 21; 0 to 20 would be right"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct scene scene = help_scene("rope", cases[i].lines);
		struct err err = {""};
		assert_false(view_find("learn")->fits(&scene, &err));
		if (!strstr(err.text, cases[i].says))
			fail_msg("%s", err.text);
	}
	const struct scene last = help_scene("rope", SHORT "moment 20\n");
	assert_true(view_find("learn")->fits(&last, NULL));
}

/* ---- several seeds ------------------------------------------------------------------------------- */

/* The interval is that of runs of their own. */
TEST(seeds_have_the_interval_of_their_runs)
{
	struct learn_options o;
	double least = INFINITY, most = -INFINITY, sum = 0;
	learn_defaults(&o);
	o.scheme = "alibi";
	o.steps = 20;
	for (size_t i = 0; i < 2; i++) {
		struct learn_result run;
		struct err err = {""};
		o.seed = 5 + i;
		assert_true(learn_run(&o, NULL, &arena, &run, NULL, &err));
		least = fmin(least, run.at[3].right);
		most = fmax(most, run.at[3].right);
		sum += run.at[3].right;
	}
	const struct picture *const p =
		help_picture(&arena, "alibi", SHORT "train-seed 5\ntrain-seeds 2\n");
	const struct bars *const b = &help_named_panel(&p->figure, "lengths")->bars;
	assert_within(b->lo[3], least, 0);
	assert_within(b->hi[3], most, 0);
	assert_within(b->values[3], sum / 2, 1e-12);
	assert_true(least < most);
	assert_non_null(strstr(b->legend, "bar ends: least, most"));
	assert_non_null(strstr(p->figure.finding, "(2 seeds)"));
	assert_non_null(strstr(help_named_panel(&p->figure, "lengths")->note, "2 seeds"));
}

/* What is partial says how much is to come, and ends with what is whole. */
TEST(seeds_are_trained_one_after_the_other)
{
	struct learn_options o;
	struct learn_seeds part, whole;
	struct learn_known k;
	size_t before = SIZE_MAX, pictures = 0;
	learn_defaults(&o);
	o.scheme = "none";
	o.steps = 20;
	learn_known_of(&o, 20, false, NULL, &arena, &k);
	do {
		learn_seeds_of(&o, 3, true, NULL, &arena, &part);
		assert_true(part.to_come < before);
		assert_true(++pictures < 20);
		before = part.to_come;
	} while (part.to_come > 0);
	learn_seeds_of(&o, 3, false, NULL, &arena, &whole);
	assert_int_equal(whole.n, 3);
	assert_int_equal(part.n, 3);
	assert_within(part.at[0].mean, whole.at[0].mean, 0);
	learn_seeds_of(&o, 2, false, NULL, &arena, &part);
	assert_int_equal(part.n, 2);
}

/* Another moment than the last one is of one seed. */
TEST(a_moment_on_the_way_is_of_one_seed)
{
	const struct picture *const p = help_picture(&arena, "rope", SHORT "moment 10\n");
	const struct bars *const b = &help_named_panel(&p->figure, "lengths")->bars;
	assert_true(isnan(b->lo[0]));
	assert_null(strstr(b->legend, "seeds"));
	assert_string_equal(help_named_panel(&p->figure, "lengths")->note, "shift, seed 1");
}

/* ---- several schemes ----------------------------------------------------------------------------- */

/* Each scheme has the numbers that it has alone. */
TEST(compared_schemes_have_their_own_numbers)
{
	static const char *const names[] = {"shaw", "rope", "alibi"};
	const struct picture *const p =
		help_picture(&arena, "shaw", SHORT "train-seeds 1\ncompare rope; alibi\n");
	const struct figure *const f = &p->figure;
	const struct bars *bars[3];
	const struct panel *at[3];
	size_t n = 0;
	help_figure_is_sound(&arena, f, "learn");
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->panels[i].name, "lengths") == 0)
			at[n++] = &f->panels[i];
	assert_int_equal(n, 3);
	for (size_t i = 0; i < 3; i++) {
		struct learn_known k;
		struct learn_options o;
		learn_defaults(&o);
		o.scheme = names[i];
		o.steps = 20;
		learn_known_of(&o, 20, false, NULL, &arena, &k);
		bars[i] = &at[i]->bars;
		for (size_t l = 0; l < LEARN_LENGTHS; l++)
			assert_within(bars[i]->values[l], k.at[l].right, 0);
		assert_non_null(strstr(at[i]->title, names[i]));
	}
	assert_non_null(strstr(at[1]->note, "all tokens"));
	assert_non_null(strstr(at[2]->note, "earlier tokens"));
	assert_int_equal(help_named_panel(f, "loss")->curves.n, 3);
	assert_int_equal(help_named_panel(f, "places")->curves.n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_non_null(strstr(f->finding, names[i]));
}

/* Numbers of the others have their number in their names. */
TEST(numbers_of_compared_schemes_are_named)
{
	const struct numbers *const both =
		numbers_of("shaw", SHORT "train-seeds 2\ncompare alibi\ntrain-task first\n");
	const struct numbers *const other =
		numbers_of("alibi", SHORT "train-seeds 2\ntrain-task first\n");
	static const char *const names[] = {"accuracy.16", "least.128", "mean.64", "floor.32"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_within(number(both, arena_printf(&arena, "learn.2.%s", names[i])),
			      number(other, arena_printf(&arena, "learn.%s", names[i])), 0);
}

/* One that cannot be trained says so, beside those that can. */
TEST(a_compared_scheme_that_cannot_learn_says_why)
{
	const struct picture *const p = help_picture(
		&arena, "shaw", SHORT "train-seeds 1\ntrain-task reverse\ncompare alibi\n");
	const struct figure *const f = &p->figure;
	size_t absent = 0;
	help_figure_is_sound(&arena, f, "learn");
	for (size_t i = 0; i < f->n; i++)
		absent += f->panels[i].absent &&
			  strstr(f->panels[i].absent, "not trained: the answers of reverse");
	assert_int_equal(absent, 2);
	assert_non_null(strstr(f->finding, "shaw"));
}

/* ---- the grid ------------------------------------------------------------------------------------ */

static double right_at(const char *scheme, const char *task, size_t length)
{
	struct learn_options o;
	struct learn_result run;
	struct err err = {""};
	learn_defaults(&o);
	o.scheme = scheme;
	o.task = task;
	o.steps = 10;
	assert_true(learn_run_known(&o, NULL, &arena, &run, &err));
	return run.at[length].right;
}

/* Draws pictures as the terminal does until all runs are done. */
static struct picture *filled(const struct scene *scene, size_t *pictures)
{
	size_t before = SIZE_MAX;
	for (*pictures = 1; *pictures < 60; ++*pictures) {
		struct err err = {""};
		struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
		if (!setup_build(&scene->setup, &arena, &p->built, &err) ||
		    !picture_compute_part(scene, 0, NULL, NULL, &arena, p, &err) ||
		    !picture_redraw(scene, NULL, false, BACKGROUND_LIGHT, &arena, p, &err))
			fail_msg("%s", err.text);
		help_figure_is_sound(&arena, &p->figure, "grid");
		assert_true(p->unmeasured <= before);
		before = p->unmeasured;
		if (before == 0)
			return p;
		assert_string_equal(help_named_panel(&p->figure, "grid")->heatmap.masked_as,
				    "not trained yet");
		assert_non_null(strstr(p->figure.finding, " of 12 runs are done"));
	}
	fail_msg("no end");
	return NULL;
}

static void expect_whole(const struct figure *f)
{
	static const int sizes[][2] = {{120, 36}, {80, 24}, {60, 20}, {40, 12}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct canvas_report report = {0};
		struct canvas *const c =
			canvas_new(&arena, sizes[i][1], sizes[i][0], TIER_256, false, true);
		c->report = &report;
		canvas_figure(c, f);
		help_assert_whole(c);
		if (report.cut + report.over > 0)
			fail_msg("%dx%d: cut \"%s\", over \"%s\"", sizes[i][0], sizes[i][1],
				 report.cut_text, report.over_text);
	}
}

/* The grid of two schemes at a length: filled picture after picture, with the numbers of single runs; frames are
 * where the floor is not passed. One scheme alone has a row for each length. */
TEST(grid_has_the_runs_of_all_schemes)
{
	const char *const lines = "view learn\ntrain-steps 10\ntrain-seeds 1\ntrain-grid 4x\n";
	const struct scene scene =
		help_scene("shaw", arena_printf(&arena, "%scompare alibi\n", lines));
	size_t pictures;
	const struct picture *const p = filled(&scene, &pictures);
	const struct panel *const g = help_named_panel(&p->figure, "grid");
	const struct panel *const t = help_named_panel(&p->figure, "tasks");
	const struct heatmap *const h = &g->heatmap;
	assert_true(pictures > 1);
	assert_int_equal(h->values.rows, 2);
	assert_string_equal(h->row_labels[1], "alibi");
	assert_string_equal(h->col_labels[1], "order");
	assert_within(mat_row(h->values, 0)[1], right_at("shaw", "order", 2), 0);
	assert_within(mat_row(h->values, 1)[0], right_at("alibi", "shift", 2), 0);
	assert_non_null(strstr(g->title, "64 tokens, 4× the longest in training"));
	assert_non_null(strstr(p->figure.finding, "shaw on "));
	assert_true(h->n_marks > 0);
	for (size_t i = 0; i < h->n_marks; i++)
		assert_true(h->marks[i].col < 5); /* find needs no position */
	assert_int_equal(t->table.rows, 6);
	assert_string_equal(t->table.cells[1], "the letter before this one");
	assert_string_equal(t->table.cells[2], "0.19–0.26"); /* alibi hides later tokens */
	expect_whole(&p->figure);
	const struct numbers *const all =
		numbers_of("shaw", arena_printf(&arena, "%scompare alibi\n", lines));
	assert_within(number(all, "learn.dist.mean.16"), right_at("shaw", "dist", 0), 0);
	assert_within(number(all, "learn.2.first.mean.128"), right_at("alibi", "first", 3), 0);

	const struct picture *const one = help_picture(&arena, "shaw", lines);
	const struct mat m = help_named_panel(&one->figure, "grid")->heatmap.values;
	assert_int_equal(m.rows, LEARN_LENGTHS);
	for (size_t k = 0; k < LEARN_LENGTHS; k++)
		assert_within(mat_row(m, k)[4], right_at("shaw", "dist", k), 0);
	expect_whole(&one->figure);
}

/* Panels of several schemes have brief names, unless two differ in their parameters alone. */
TEST(panels_have_brief_names)
{
	static const struct {
		const char *beside, *first, *second;
	} all[] = {{"alibi", "t5", "alibi"},
		   {"rope(base=100)+causal", "t5", "rope+causal"},
		   {"t5(buckets=8)", "t5(buckets=16)", "t5(buckets=8)"}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct figure *const f =
			&help_picture(&arena, "t5(buckets=16)",
				      arena_printf(&arena, SHORT "compare %s\n", all[i].beside))
				 ->figure;
		assert_string_equal(f->panels[0].brief_title, all[i].first);
		assert_string_equal(f->panels[1].brief_title, all[i].second);
		/* A curve's name without the mask is whole where the name has no room. */
		const struct curves *const loss = &help_named_panel(f, "loss")->curves;
		if (strchr(all[i].beside, '+'))
			assert_string_equal(loss->series[1].brief, "rope");
		else if (loss->n > 1)
			assert_null(loss->series[1].brief);
		assert_non_null(strstr(f->title, "t5(buckets=16)"));
	}
}
