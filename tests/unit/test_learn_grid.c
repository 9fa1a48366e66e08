/* test_learn_grid.c: schemes and tasks that are trained one after the other, and results that are kept between
 * sessions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help_arena.h"
#include "help_files.h"
#include "learn/learn_in.h"
#include "posviz/base/watch.h"
#include "posviz/format/file.h"
#include "posviz/learn/grid.h"
#include "posviz/math/machine.h"
#include "test.h"

FIXTURE(open_folder, close_folder)

static const char *const tasks[] = {"order", "reverse"};

static struct learn_options brief(const char *scheme, const char *task, uint64_t seed)
{
	struct learn_options o;
	learn_defaults(&o);
	o.scheme = scheme;
	o.task = task;
	o.seed = seed;
	o.steps = 10;
	learn_complete(&o);
	return o;
}

static struct learn_result result_of(const struct learn_options *o)
{
	struct learn_result out;
	struct err err = {""};
	assert_true(learn_run(o, NULL, &arena, &out, NULL, &err));
	return out;
}

/* Each cell has the runs that are made one by one; what cannot be trained has its reason. */
TEST(cells_are_those_of_single_runs)
{
	const struct learn_options schemes[] = {brief("none", "", 4), brief("alibi", "", 4)};
	const struct learn_grid_of of = {schemes, 2, 2, 2, tasks};
	struct learn_grid grid;
	size_t pictures = 0, done = 0;
	do {
		learn_grid_train(&of, true, NULL, &arena, &grid);
		assert_true(grid.done >= done && ++pictures < 100);
		assert_true(grid.done == 0 || !isnan(grid.seconds) || grid.done == grid.runs);
		done = grid.done;
	} while (grid.done < grid.runs);
	assert_int_equal(grid.runs, 8);
	for (size_t i = 0; i < 4; i++) {
		const struct learn_group *const g = &grid.at[i];
		const struct learn_options first = brief(schemes[i / 2].scheme, tasks[i % 2], 4);
		const struct learn_options second = brief(schemes[i / 2].scheme, tasks[i % 2], 5);
		const struct learn_result x = result_of(&first), y = result_of(&second);
		assert_string_equal(g->first->o.scheme, first.scheme);
		assert_string_equal(g->first->o.task, first.task);
		assert_int_equal(g->seeds, x.absent ? 0 : 2);
		for (size_t k = 0; k < LEARN_LENGTHS && !x.absent; k++) {
			assert_within(g->at[k].mean, (x.at[k].right + y.at[k].right) / 2, 1e-12);
			assert_within(g->at[k].least, fmin(x.at[k].right, y.at[k].right), 0);
			assert_within(g->at[k].most, fmax(x.at[k].right, y.at[k].right), 0);
		}
	}
	assert_non_null(strstr(grid.at[3].first->absent, "hides later tokens"));
}

/* A picture that is given up keeps the runs before, and the next one goes on. */
TEST(a_cancelled_grid_goes_on)
{
	const struct learn_options scheme = brief("rope", "", 77);
	const struct learn_grid_of of = {&scheme, 1, 2, 1, tasks};
	struct learn_grid grid;
	struct watch watch;
	watch_begin(&watch);
	watch_cancel(&watch);
	learn_grid_train(&of, true, &watch, &arena, &grid);
	assert_int_equal(grid.done, 0);
	assert_null(grid.at[0].first);
	learn_grid_train(&of, false, NULL, &arena, &grid);
	assert_int_equal(grid.done, 2);
	learn_grid_train(&of, true, &watch, &arena, &grid);
	assert_int_equal(grid.done, 2);
}

TEST(a_task_of_the_users_own_is_added)
{
	size_t n;
	const char *const *const with = learn_grid_tasks("x[t-2]", &arena, &n);
	assert_string_equal(with[n - 1], "x[t-2]");
	const size_t usual = n - 1;
	learn_grid_tasks("dist", &arena, &n);
	assert_int_equal(n, usual);
}

/* ---- between sessions --------------------------------------------------------------------------- */

static bool is_known(const struct learn_options *o)
{
	struct learn_result out;
	return learn_run_is_known(o, false, &arena, &out);
}

/* Begins a session in which nothing is known but what the folder has. */
static void begin(const char *folder)
{
	learn_runs_in(folder);
}

TEST(results_are_kept_between_sessions)
{
	const struct learn_options o = brief("none", "order", 1), other = brief("none", "order", 2);
	const struct learn_result made = result_of(&o);
	struct learn_result out;
	begin("kept");
	assert_false(is_known(&o));
	learn_run_keep(&made);
	begin("elsewhere");
	assert_false(is_known(&o));
	begin("kept");
	assert_true(learn_run_is_known(&o, false, &arena, &out));
	assert_false(is_known(&other));
	for (size_t k = 0; k < LEARN_LENGTHS; k++)
		assert_within(out.at[k].right, made.at[k].right, 0);
	begin(NULL);
}

/* Another version of the training, other kernels and other sentences have files of their own. */
TEST(results_lie_by_what_they_depend_on)
{
	const struct learn_options o = brief("none", "order", 1);
	const struct learn_result made = result_of(&o);
	char kernels[200];
	machine_kernels(kernels, sizeof kernels);
	const char *const name = learn_kept_name(LEARN_VERSION, kernels, NULL, &arena);
	const char *const others[] = {
		learn_kept_name(LEARN_VERSION + 1, kernels, NULL, &arena),
		learn_kept_name(LEARN_VERSION, arena_printf(&arena, "%s2", kernels), NULL, &arena),
		learn_kept_name(LEARN_VERSION, kernels, "0f", &arena), "runs.json"};
	begin("kept");
	learn_run_keep(&made);
	const char *const path = arena_printf(&arena, "kept/%s", name);
	assert_true(file_exists(path));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		const char *const moved = arena_printf(&arena, "kept/%s", others[i]);
		assert_false(file_exists(moved));
		assert_int_equal(rename(path, moved), 0);
		begin("kept");
		assert_false(is_known(&o));
		assert_int_equal(rename(moved, path), 0);
	}
	begin("kept");
	assert_true(is_known(&o));
	begin(NULL);
}

/* The name of the program's version in a file does not matter, and a file that is no JSON is as if there were none. */
TEST(results_of_any_release_are_taken)
{
	const struct learn_options o = brief("none", "order", 1);
	const struct learn_result made = result_of(&o);
	struct learn_results one;
	char kernels[200];
	machine_kernels(kernels, sizeof kernels);
	const char *const path = arena_printf(
		&arena, "kept/%s", learn_kept_name(LEARN_VERSION, kernels, NULL, &arena));
	learn_results_init(&one, &arena);
	learn_results_add(&one, &made);
	const char *const text = learn_results_json(&one, &arena), *const mine = POSVIZ_VERSION;
	const char *const at = strstr(text, mine);
	assert_non_null(at);
	assert_true(file_make_dirs("kept", NULL));
	help_write_text(path, arena_printf(&arena, "%.*s0.0.1%s", (int)(at - text), text,
					   at + strlen(mine)));
	begin("kept");
	assert_true(is_known(&o));
	help_write_text(path, "{\"posviz\": \"0.0.1\", \"runs\": [{");
	begin("kept");
	assert_false(is_known(&o));
	learn_run_keep(&made);
	begin("kept");
	assert_true(is_known(&o));
	begin(NULL);
}

/* Runs on sentences in a file are those of its words, and not of its name. */
TEST(results_of_a_file_are_of_its_words)
{
	const char *const lines = "a b\ta b\nb a\tb a\na a\ta a\nb b\tb b\na b a\ta b a\n"
				  "b a b\tb a b\na a b\ta a b\nb b a\tb b a\nb b b\tb b b\n";
	const struct learn_options o = brief("none", "own.txt", 1);
	help_write_text("own.txt", lines);
	begin("kept");
	const struct learn_result made = result_of(&o);
	if (made.absent)
		fail_msg("%s", made.absent);
	learn_run_keep(&made);
	assert_true(is_known(&o));
	help_write_text("own.txt", arena_printf(&arena, "%sa a a\ta a a\n", lines));
	assert_false(is_known(&o));
	help_write_text("own.txt", lines);
	begin("kept");
	assert_true(is_known(&o));
	begin(NULL);
}
