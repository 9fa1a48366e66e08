/* tour_lesson.c: the words of a beat as they are read. */
#include "posviz/tour/tour.h"

struct lesson tour_lesson(const struct tour *t, size_t beat, struct arena *a)
{
	const struct tour_beat *const b = &t->beats[beat];
	const struct tour_beat *const asked = b->reveals ? b - 1 : NULL;
	const struct tour_step *const step = &t->steps[b->step];
	struct lesson out = {.title = step->title,
			     .progress = arena_printf(a, "%zu/%zu", b->step + 1, t->n_steps),
			     .say = b->say,
			     .ask = b->ask,
			     .n_options = b->n_options,
			     .chosen = -1,
			     .right = -1};
	for (size_t i = 0; i < b->n_options; i++)
		out.options[i] = b->options[i];
	if (asked && asked->right >= 0)
		out.answer = arena_printf(a, "%c  %s", tour_letter(asked->right),
					  asked->options[asked->right]);
	else if (asked)
		out.answer = asked->answer;
	return out;
}
