/* motion.c: pictures that follow each other by themselves: a parameter that runs. A frame is a scene like any other. */
#include "tui_in.h"

void motion_begin(struct tui *t, const struct scene *frames, size_t n, double seconds)
{
	(void)seconds;
	t->app->scene = frames[n - 1];
	tui_submit(t);
}

bool motion_runs(const struct tui *t)
{
	(void)t;
	return false;
}

void motion_stop(struct tui *t)
{
	(void)t;
}
