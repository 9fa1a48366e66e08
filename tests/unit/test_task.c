/* test_task.c: the tasks of learning: their sentences, answers and floors. */
#include <string.h>

#include "help_arena.h"
#include "help_files.h"
#include "posviz/learn/task.h"
#include "test.h"

FIXTURE(open_folder, close_folder)

static void opens(struct task *task, const char *spec)
{
	struct err err = {""};
	if (!task_open(task, spec, &arena, &err))
		fail_msg("%s: %s", spec, err.text);
}

static const char *refused(const char *spec)
{
	static struct err err;
	struct task task;
	err = (struct err){""};
	assert_false(task_open(&task, spec, &arena, &err));
	return err.text;
}

static struct example drawn(const struct task *task, uint64_t seed, size_t step, size_t i)
{
	struct example e;
	struct err err = {""};
	if (!task_train(task, seed, step, i, &arena, &e, &err))
		fail_msg("%s", err.text);
	return e;
}

/* The expected largest of n letters from 8, by going through all 8^n sentences. */
TEST(largest_count_is_that_of_all_sentences)
{
	for (size_t n = 1; n <= 6; n++) {
		double sum = 0;
		size_t all = 1;
		for (size_t i = 0; i < n; i++)
			all *= 8;
		for (size_t s = 0; s < all; s++) {
			size_t count[8] = {0}, most = 0;
			for (size_t i = 0, rest = s; i < n; i++, rest /= 8)
				most = ++count[rest % 8] > most ? count[rest % 8] : most;
			sum += (double)most;
		}
		assert_within(task_largest_count(n, 8), sum / (double)all, 1e-12);
	}
}

/* The floors of these lengths to three digits, from a table made beforehand; those of nearest and
 * dist to two. */
TEST(floors_are_those_of_the_table)
{
	static const struct {
		const char *task;
		enum sight sight;
		double at[4], by;
	} rows[] = {
		{"shift", SIGHT_WHOLE, {.268, .222, .191, .171}, 1e-3},
		{"first", SIGHT_WHOLE, {.268, .222, .191, .171}, 1e-3},
		{"reverse", SIGHT_WHOLE, {.268, .222, .191, .171}, 1e-3},
		{"shift", SIGHT_PREFIX, {.391, .312, .257, .218}, 6e-4},
		{"first", SIGHT_PREFIX, {.391, .312, .257, .218}, 6e-4},
		{"nearest", SIGHT_WHOLE, {.62, .52, .46, .42}, 6e-3},
		{"nearest", SIGHT_PREFIX, {.75, .63, .55, .49}, 6e-3},
		{"order", SIGHT_WHOLE, {.5, .5, .5, .5}, 1e-15},
		{"parity", SIGHT_WHOLE, {.5, .5, .5, .5}, 1e-15},
		{"find", SIGHT_WHOLE, {1, 1, 1, 1}, 1e-15},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct task task;
		opens(&task, rows[i].task);
		for (size_t k = 0; k < 4; k++)
			assert_within(task_floor(&task, (size_t)16 << k, rows[i].sight),
				      rows[i].at[k], rows[i].by);
	}
}

/* dist at 16: 2 right of 1 + 15/16 + ... + 9/16 asked, worked out by hand: 1.9375/6.25. */
TEST(floor_of_dist_is_worked_out)
{
	struct task task;
	opens(&task, "dist");
	assert_within(task_floor(&task, 16, SIGHT_WHOLE), 0.31, 1e-12);
}

/* The best guess from the letter and the multiset, counted over all sentences of 4 letters in which a
 * quarter are capitals: brute force over 2 letters of each case would not be the task's 8, so capitals
 * are drawn from 8 and other letters from 1, which the guess never reads. */
TEST(floor_of_nearest_is_that_of_all_sentences)
{
	enum { N = 4, KINDS = 9 }; /* no capital, or one of 8 */
	static double votes[KINDS * KINDS * KINDS * KINDS][8], asked;
	const struct task_row *row = task_rows;
	while (strcmp(row->id, "nearest") != 0)
		row++;
	double right = 0;
	for (size_t s = 0; s < KINDS * KINDS * KINDS * KINDS; s++) {
		size_t sorted[N], kind[N], key = 0;
		double chance = 1;
		for (size_t t = 0, rest = s; t < N; t++, rest /= KINDS) {
			kind[t] = rest % KINDS;
			chance *= kind[t] ? 0.25 / 8 : 0.75;
			size_t at = t;
			for (; at > 0 && sorted[at - 1] > kind[t]; at--)
				sorted[at] = sorted[at - 1];
			sorted[at] = kind[t];
		}
		for (size_t t = 0; t < N; t++)
			key = key * KINDS + sorted[t];
		for (size_t t = 0, last = 0; t < N; t++) {
			last = kind[t] ? kind[t] : last;
			asked += last ? chance : 0;
			right += kind[t] ? chance : 0;
			if (last && !kind[t])
				votes[key][last - 1] += chance;
		}
	}
	for (size_t k = 0; k < KINDS * KINDS * KINDS * KINDS; k++) {
		double most = 0;
		for (size_t v = 0; v < 8; v++)
			most = fmax(most, votes[k][v]);
		right += most;
	}
	assert_within(row->floor(N, SIGHT_WHOLE), right / asked, 1e-12);
}

/* What each task asks, read off the sentence by its words. */
TEST(answers_are_what_the_task_asks)
{
	for (const struct task_row *row = task_rows; row->id; row++) {
		struct task task;
		opens(&task, row->id);
		for (size_t i = 0; i < 50; i++) {
			const struct example e = drawn(&task, 3, 7, i);
			assert_true(e.n >= task.shortest && e.n <= task.longest);
			long capital = -1, marker = -1, a = -1, b = -1, zeros = 0, ones = 0;
			size_t capitals = 0;
			for (size_t t = 0; t < e.n; t++) {
				const int32_t x = e.letter[t], y = e.answer[t];
				assert_true(x >= 0 && x < (int32_t)task.letters &&
					    y < (int32_t)task.classes);
				if (x >= 8) {
					capital = x - 8;
					capitals++;
					marker = (long)t;
				}
				a = x == 6 ? (long)t : a;
				b = x == 7 ? (long)t : b;
				zeros += x == 0;
				ones += x == 1;
				const bool last = t + 1 == e.n;
				long is = -2;
				if (strcmp(row->id, "shift") == 0)
					is = t ? e.letter[t - 1] : -1;
				else if (strcmp(row->id, "first") == 0)
					is = t ? e.letter[0] : -1;
				else if (strcmp(row->id, "order") == 0)
					is = a < 0 || b < 0 || x >= 6 ? -1 : a < b;
				else if (strcmp(row->id, "nearest") == 0)
					is = capital;
				else if (strcmp(row->id, "dist") == 0)
					is = marker < 0 || (long)t - marker > 7 ? -1
										: (long)t - marker;
				else if (strcmp(row->id, "reverse") == 0)
					is = e.letter[e.n - 1 - t];
				else if (strcmp(row->id, "parity") == 0)
					is = (long)t % 2;
				else if (strcmp(row->id, "find") == 0)
					is = last ? capital : -1;
				else if (strcmp(row->id, "majority") == 0)
					is = last && zeros != ones ? ones > zeros : -1;
				assert_int_equal(y, is);
			}
			if (strcmp(row->id, "find") == 0)
				assert_int_equal(capitals, 1);
			if (strcmp(row->id, "majority") == 0)
				assert_int_equal(zeros + ones, (long)(e.n / 2));
		}
	}
}

TEST(stream_is_a_function_of_seed_step_and_number)
{
	struct task task;
	opens(&task, "shift");
	const struct example e = drawn(&task, 1, 5, 2), again = drawn(&task, 1, 5, 2);
	assert_int_equal(e.n, again.n);
	assert_memory_equal(e.letter, again.letter, e.n * sizeof *e.letter);
	size_t same = 0, shortest = 99, longest = 0;
	for (size_t i = 0; i < 200; i++) {
		const struct example other = drawn(&task, 1 + i % 2, 6, i);
		same += other.n == e.n &&
			memcmp(other.letter, e.letter, e.n * sizeof *e.letter) == 0;
		shortest = other.n < shortest ? other.n : shortest;
		longest = other.n > longest ? other.n : longest;
	}
	assert_int_equal(same, 0);
	assert_int_equal(shortest, 8);
	assert_int_equal(longest, 16);
}

TEST(order_is_tested_in_pairs)
{
	struct task task;
	struct example *e;
	struct err err = {""};
	size_t n;
	opens(&task, "order");
	assert_true(task_test(&task, 32, 20, &arena, &e, &n, &err));
	assert_int_equal(n, 20);
	for (size_t i = 0; i < n; i += 2) {
		for (size_t t = 0; t < 32; t++) {
			const int32_t x = e[i].letter[t];
			assert_int_equal(e[i + 1].letter[t], x == 6 ? 7 : x == 7 ? 6 : x);
			assert_int_equal(e[i + 1].answer[t],
					 e[i].answer[t] < 0 ? -1 : 1 - e[i].answer[t]);
		}
	}
}

TEST(rule_is_read)
{
	struct task task;
	opens(&task, "x[t-2]");
	const struct example e = drawn(&task, 1, 1, 1);
	assert_int_equal(task.classes, 8);
	for (size_t t = 0; t < e.n; t++)
		assert_int_equal(e.answer[t], t < 2 ? -1 : e.letter[t - 2]);
	assert_within(task_floor(&task, 16, SIGHT_WHOLE), .268, 6e-4);
	assert_false(task_ahead(&task));
	opens(&task, "x[t-1]");
	assert_within(task_floor(&task, 16, SIGHT_PREFIX), .391, 1e-3);
	opens(&task, "x[0]");
	assert_true(isnan(task_floor(&task, 16, SIGHT_WHOLE)));
	opens(&task, "t mod 3");
	assert_int_equal(task.classes, 3);
	assert_within(task_floor(&task, 16, SIGHT_WHOLE), 6.0 / 16, 1e-15);
	opens(&task, "x[t] == x[t-1]");
	assert_int_equal(task.classes, 2);
	opens(&task, "x[n-1-t]");
	assert_true(task_ahead(&task));
	opens(&task, "x[t+1]");
	const struct example next = drawn(&task, 1, 1, 1);
	for (size_t t = 0; t < next.n; t++)
		assert_int_equal(next.answer[t], t + 1 == next.n ? -1 : next.letter[t + 1]);
}

TEST(wrong_tasks_are_refused_in_a_line)
{
	assert_non_null(strstr(refused("shifd"), "tasks are shift first order"));
	assert_non_null(strstr(refused("x[t-2"), "without its ]"));
	assert_non_null(strstr(refused("x[t-]"), "the rule"));
	assert_non_null(strstr(refused("t / 2"), "whole numbers from 0"));
	assert_non_null(strstr(refused("x[n]"), "asks nothing"));
	assert_non_null(strstr(refused("none.txt"), "none.txt"));
	help_write_text("a.txt", "a b\t- a\na b c\t- a\n");
	assert_non_null(strstr(refused("a.txt"), "a.txt:2: 3 words and 2 answers"));
	help_write_text("b.txt", "a b\n");
	assert_non_null(strstr(refused("b.txt"), "b.txt:1: no tab"));
	help_write_text("c.txt", "a b\t- a\n");
	assert_non_null(strstr(refused("c.txt"), "at least 8"));
	help_write_text("d.txt", "a \377\t- a\n");
	assert_non_null(strstr(refused("d.txt"), "d.txt:1: not UTF-8"));
}

TEST(lines_of_a_file_are_a_task)
{
	struct task task;
	struct example *e;
	size_t n;
	struct err err = {""};
	help_write_text("mine.tsv", "dog bites man\t- dog bites\nman bites dog\t- man bites\n"
				    "a b\t- a\nb a\t- b\na a\t- a\nb b\t- b\na b\t- a\nb a\t- b\n"
				    "a b\t- a\n");
	opens(&task, "mine.tsv");
	assert_int_equal(task.letters, 5);
	assert_int_equal(task.classes, 5);
	assert_string_equal(task.letter[2], "man");
	for (size_t i = 0; i < 40; i++) {
		const struct example x = drawn(&task, 1, i, 0);
		for (size_t t = 1; t < x.n; t++)
			assert_string_equal(task.answer[x.answer[t]], task.letter[x.letter[t - 1]]);
	}
	assert_true(task_test(&task, task.longest, 100, &arena, &e, &n, &err));
	assert_int_equal(n, 1);
}
