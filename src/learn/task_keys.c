/* task_keys.c: the keys that the answer at a token depends on, and the loss of what can be said
 * without position. */
#include <math.h>
#include <string.h>

#include "learn_in.h"
#include "task_floors.h"

/* ---- keys ------------------------------------------------------------------------------------- */

/* A key is right for a query if another letter there may change the answer. */
static bool rule_keys(const struct task *task, const struct example *e, uint8_t *right,
		      struct arena *a, struct err *err)
{
	struct example other;
	task_room(&other, e->n, a);
	memcpy(other.letter, e->letter, e->n * sizeof *e->letter);
	for (size_t s = 0; s < e->n; s++) {
		for (size_t i = 0; i < task->letters; i++) {
			other.letter[s] = (int32_t)i;
			if (!task_rule_answer(task->rule, task->classes, &other, a, err))
				return false;
			for (size_t t = 0; t < e->n; t++)
				right[t * e->n + s] |=
					e->answer[t] >= 0 && other.answer[t] != e->answer[t];
		}
		other.letter[s] = e->letter[s];
	}
	return true;
}

bool task_keys(const struct task *task, const struct example *e, uint8_t *right, struct arena *a,
	       struct err *err)
{
	memset(right, 0, e->n * e->n);
	if (task->rule)
		return rule_keys(task, e, right, a, err);
	for (size_t t = 0; t < e->n && task->row && task->row->keys; t++)
		if (e->answer[t] >= 0)
			task->row->keys(e, t, right + t * e->n);
	return true;
}

/* ---- loss --------------------------------------------------------------------------------------- */

/* Expected entropy of a letter drawn from n letters that are known as a multiset, in nats:
 *
 *   −V Σ_c Bin(c; n, 1/V) c/n ln(c/n) */
static double entropy(size_t n, size_t letters)
{
	const double m = (double)n, p = 1 / (double)letters;
	double sum = 0;
	for (size_t i = 1; i <= n; i++) {
		const double c = (double)i;
		const double log_bin = lgamma(m + 1) - lgamma(c + 1) - lgamma(m - c + 1) +
				       c * log(p) + (m - c) * log1p(-p);
		sum -= exp(log_bin) * c / m * log(c / m);
	}
	return sum * (double)letters;
}

double loss_copy(size_t n, size_t letters, enum sight sight)
{
	double sum = 0;
	if (sight == SIGHT_WHOLE)
		return entropy(n - 1, letters);
	for (size_t t = 1; t < n; t++)
		sum += entropy(t, letters);
	return sum / (double)(n - 1);
}

double loss_order(size_t n, size_t letters, enum sight sight)
{
	(void)n, (void)letters, (void)sight;
	return log(2);
}

double loss_none(size_t n, size_t letters, enum sight sight)
{
	(void)n, (void)letters, (void)sight;
	return 0;
}

double task_floor_loss(const struct task *task, enum sight sight)
{
	double sum = 0;
	if (!task->row || !task->row->loss)
		return NAN;
	for (size_t n = task->shortest; n <= task->longest; n++)
		sum += task->row->loss(n, task->letters, sight);
	return sum / (double)(task->longest - task->shortest + 1);
}
