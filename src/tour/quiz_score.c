/* quiz_score.c: what was answered, and what of it was right. */
#include <string.h>

#include "posviz/text.h"
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
	out.answer = out.chosen < 0 ? arena_printf(a, "It is %c.", tour_letter(t->right))
		     : missed ? arena_printf(a, "It is %c, not %c: %s.", tour_letter(t->right),
					     tour_letter(out.chosen),
					     t->tells[out.chosen] ? t->tells[out.chosen]
								  : "the numbers below say why")
			      : arena_printf(a, "%c is right.", tour_letter(t->right));
	return out;
}

struct confusion {
	const char *right, *taken;
	size_t n;
};

static void add_confusion(struct confusion *all, size_t *n, const char *right, const char *taken)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(all[i].right, right) == 0 && strcmp(all[i].taken, taken) == 0) {
			all[i].n++;
			return;
		}
	all[(*n)++] = (struct confusion){right, taken, 1};
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

const char **quiz_score(const struct quiz_run *run, struct arena *a, size_t *n)
{
	const struct quiz *const q = run->quiz;
	struct confusion all[QUIZ_MOST];
	const char **const out = arena_calloc(a, QUIZ_MOST + 2, sizeof *out);
	const size_t answered = quiz_answered(run);
	size_t m = 0;
	*n = 0;
	out[(*n)++] = arena_printf(a, "%zu of %zu are right", quiz_right(run), q->n);
	if (answered < q->n)
		out[(*n)++] = arena_printf(a, "%zu had no answer", q->n - answered);
	for (size_t i = 0; i < q->n; i++) {
		const struct quiz_task *const t = &q->tasks[i];
		if (run->chosen[i] >= 0 && run->chosen[i] != t->right)
			add_confusion(all, &m, t->names[t->right], t->names[run->chosen[i]]);
	}
	sort_confusions(all, m);
	for (size_t i = 0; i < m; i++)
		out[(*n)++] = all[i].n > 1 ? arena_printf(a, "%s taken for %s, %zu times",
							  all[i].right, all[i].taken, all[i].n)
					   : arena_printf(a, "%s taken for %s", all[i].right,
							  all[i].taken);
	return out;
}
