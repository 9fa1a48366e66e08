/* task_keys.c: the keys that the answer at a token depends on. */
#include <string.h>

#include "learn_in.h"

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
