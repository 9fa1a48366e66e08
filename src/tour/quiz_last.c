/* quiz_last.c: the last step of a quiz: the two schemes of which one was taken for the other most often, side by side on
 * the words of that task. */
#include <string.h>

#include "quiz_in.h"
#include "posviz/app/app.h"

static bool set(struct scene *scene, const char *field, const char *value)
{
	return scene_set(scene, field_find(field), value, NULL);
}

/* Both as the task showed them, the right one first; a curve is the mean of a bias. */
static bool compared(const struct quiz_task *t, int chosen, const struct tour_beat *answer,
		     struct scene *out)
{
	const bool weights = strcmp(answer->focus, seen_panes[SEEN_WEIGHTS]) == 0;
	const char *const both[] = {t->expressions[t->right], t->expressions[chosen]};
	struct err err;
	*out = answer->scene;
	return app_set_compared(out, both, 2, &err) && set(out, "view", "compare") &&
	       set(out, "matrix", weights ? "weights" : "bias");
}

static const char *words(const struct quiz_task *t, int chosen, size_t task, size_t times,
			 struct arena *a)
{
	const char *const often = times > 1 ? arena_printf(a, ", %zu times", times) : "";
	const char *const tell = t->tells[chosen] ? arena_printf(a, " %s", t->tells[chosen]) : "";
	return arena_printf(a, "You took %s for %s%s. Here are both, as in task %zu.%s",
			    t->names[t->right], t->names[chosen], often, task + 1, tell);
}

bool quiz_last(struct quiz *quiz, const struct quiz_run *run, struct arena *a)
{
	struct tour *const t = &quiz->tour;
	struct scene scene;
	size_t task, times;
	if (!quiz_confused(run, &task, &times))
		return false;
	const struct tour_beat *const answer = &t->beats[quiz->tasks[task].beat + 1];
	BUG_IF(!answer->focus);
	const bool curve = strcmp(answer->focus, seen_panes[SEEN_CURVE]) == 0;
	if (!compared(&quiz->tasks[task], run->chosen[task], answer, &scene))
		return false;
	const size_t steps = quiz->n, beats = 2 * quiz->n;
	struct tour_step *const all = arena_calloc(a, steps + 1, sizeof *all);
	struct tour_beat *const each = arena_calloc(a, beats + 1, sizeof *each);
	memcpy(all, t->steps, steps * sizeof *all);
	memcpy(each, t->beats, beats * sizeof *each);
	all[steps] = (struct tour_step){.title = "One taken for the other", .first = beats, .n = 1};
	each[beats] = (struct tour_beat){
		.step = steps,
		.right = -1,
		.scene = scene,
		.focus = curve ? "curve" : "1",
		.say = words(&quiz->tasks[task], run->chosen[task], task, times, a)};
	t->steps = all;
	t->beats = each;
	t->n_steps = steps + 1;
	t->n_beats = beats + 1;
	return true;
}
