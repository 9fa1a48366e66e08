/* quiz_score.c: what was answered, and what of it was right. */
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "quiz_in.h"

void quiz_begin(struct quiz_run *run, const struct quiz *quiz)
{
	run->quiz = quiz;
	for (size_t i = 0; i < QUIZ_MOST; i++)
		run->chosen[i] = QUIZ_NOT_YET;
}

size_t quiz_task_at(const struct quiz *quiz, size_t beat)
{
	for (size_t i = 0; i < quiz->n; i++)
		if (quiz->tasks[i].n_names > 0 && beat / 2 == quiz->tasks[i].beat / 2)
			return i;
	return SIZE_MAX;
}

bool quiz_answer(struct quiz_run *run, size_t task, int option)
{
	const bool none = option == QUIZ_NO_ANSWER;
	if (task >= run->quiz->n || run->chosen[task] != QUIZ_NOT_YET ||
	    (!none && (option < 0 || option >= (int)run->quiz->tasks[task].n_names)))
		return false;
	run->chosen[task] = option;
	return true;
}

size_t quiz_answered(const struct quiz_run *run)
{
	size_t n = 0;
	for (size_t i = 0; i < run->quiz->n; i++)
		n += run->chosen[i] >= 0;
	return n;
}

size_t quiz_right(const struct quiz_run *run)
{
	size_t n = 0;
	for (size_t i = 0; i < run->quiz->n; i++)
		n += run->chosen[i] >= 0 && run->chosen[i] == run->quiz->tasks[i].right;
	return n;
}

/* ---- words -------------------------------------------------------------------------------------------- */

struct lesson quiz_lesson(const struct quiz_run *run, size_t beat, struct arena *a)
{
	const struct quiz *const q = run->quiz;
	struct lesson out = tour_lesson(&q->tour, beat, a);
	const size_t task = quiz_task_at(q, beat);
	if (task == SIZE_MAX && beat >= 2 * q->n)
		out.progress = arena_printf(a, "%zu right of %zu", quiz_right(run), q->n);
	if (task == SIZE_MAX)
		return out;
	const struct quiz_task *const t = &q->tasks[task];
	const struct tour_beat *const asks = &q->tour.beats[t->beat];
	out.chosen = run->chosen[task];
	out.progress = arena_printf(a, "%zu/%zu   %zu right of %zu", task + 1, q->n,
				    quiz_right(run), quiz_answered(run));
	if (beat == t->beat)
		return out;
	out.right = t->right;
	out.n_options = asks->n_options;
	memcpy(out.options, asks->options, sizeof out.options);
	const bool missed = out.chosen >= 0 && out.chosen != t->right;
	out.answer =
		out.chosen < 0 ? arena_printf(a, "It is %c.", tour_letter(t->right))
		: missed       ? arena_printf(a, "It is %c, not %c.%s%s", tour_letter(t->right),
					      tour_letter(out.chosen), t->tells[out.chosen] ? " " : "",
					      t->tells[out.chosen] ? t->tells[out.chosen] : "")
			       : arena_printf(a, "%c is right.", tour_letter(t->right));
	return out;
}

struct confusion {
	const char *right, *taken;
	size_t n, tasks[QUIZ_MOST]; /* from 1 */
};

static void add_confusion(struct confusion *all, size_t *n, const struct quiz_task *t, int chosen,
			  size_t number)
{
	const char *const right = t->names[t->right], *const taken = t->names[chosen];
	size_t i = 0;
	while (i < *n && (strcmp(all[i].right, right) != 0 || strcmp(all[i].taken, taken) != 0))
		i++;
	if (i == *n)
		all[(*n)++] = (struct confusion){.right = right, .taken = taken};
	all[i].tasks[all[i].n++] = number;
}

/* The most frequent first, then as they came. */
static void sort_confusions(struct confusion *all, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct confusion c = all[i];
		size_t k = i;
		for (; k > 0 && all[k - 1].n < c.n; k--)
			all[k] = all[k - 1];
		all[k] = c;
	}
}

/* out[*n] from `a`. */
static struct confusion *confusions(const struct quiz_run *run, struct arena *a, size_t *n)
{
	const struct quiz *const q = run->quiz;
	struct confusion *const all = arena_calloc(a, q->n + 1, sizeof *all);
	*n = 0;
	for (size_t i = 0; i < q->n; i++)
		if (run->chosen[i] >= 0 && run->chosen[i] != q->tasks[i].right)
			add_confusion(all, n, &q->tasks[i], run->chosen[i], i + 1);
	sort_confusions(all, *n);
	return all;
}

/* Finds a task whose pictures can be shown beside each other. */
bool quiz_confused(const struct quiz_run *run, size_t *task, size_t *times)
{
	struct arena a;
	size_t n;
	bool found = false;
	arena_init(&a);
	const struct confusion *const all = confusions(run, &a, &n);
	for (size_t i = 0; i < n && !found; i++) {
		*task = all[i].tasks[0] - 1;
		*times = all[i].n;
		const struct quiz_task *const t = &run->quiz->tasks[*task];
		found = t->expressions[t->right] && t->expressions[run->chosen[*task]];
	}
	arena_release(&a);
	return found;
}

/* "task 3", "tasks 3 and 7", "tasks 3, 7 and 9" */
static const char *tasks_of(const size_t *tasks, size_t n, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_add(&b, n == 1 ? "task" : "tasks");
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s %zu", i == 0 ? "" : i + 1 == n ? " and" : ",", tasks[i]);
	return b.at;
}

static const char *unanswered(const struct quiz_run *run, struct arena *a)
{
	size_t tasks[QUIZ_MOST], n = 0;
	for (size_t i = 0; i < run->quiz->n; i++)
		if (run->chosen[i] < 0)
			tasks[n++] = i + 1;
	return arena_printf(a, "%zu had no answer: %s", n, tasks_of(tasks, n, a));
}

const char **quiz_score(const struct quiz_run *run, struct arena *a, size_t *n)
{
	const struct quiz *const q = run->quiz;
	const char **const out = arena_calloc(a, QUIZ_MOST + 2, sizeof *out);
	const size_t answered = quiz_answered(run);
	size_t m;
	const struct confusion *const all = confusions(run, a, &m);
	*n = 0;
	out[(*n)++] = arena_printf(a, "%zu of %zu are right", quiz_right(run), q->n);
	if (answered < q->n)
		out[(*n)++] = unanswered(run, a);
	for (size_t i = 0; i < m; i++) {
		const char *const tasks = tasks_of(all[i].tasks, all[i].n, a);
		out[(*n)++] = all[i].n > 1
				      ? arena_printf(a, "%s taken for %s, %zu times: %s",
						     all[i].right, all[i].taken, all[i].n, tasks)
				      : arena_printf(a, "%s taken for %s: %s", all[i].right,
						     all[i].taken, tasks);
	}
	return out;
}
