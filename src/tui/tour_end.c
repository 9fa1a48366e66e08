/* tour_end.c: what comes after the last beat of a tour: its end is said at the edge of its words, where it hides nothing,
 * and the tour that follows in our list is a key away. Space begins none: who presses it once too often stays. */
#include <string.h>

#include "tui_in.h"
#include "posviz/tour/tour_run.h"

/* The tour behind ours in the list; there is none behind a lecture, a file, or what was made here. */
const struct tour_name *tour_after(const struct tui *t)
{
	const struct tour *const now = t->tour.run.tour;
	if (!now || now->path || quizzing(t))
		return NULL;
	size_t n;
	const struct tour_name *const all = tours_ours(t, &n);
	for (size_t i = 0; i + 1 < n; i++)
		if (strcmp(all[i].name, now->name) == 0)
			return all[i].lecture || all[i + 1].lecture ? NULL : &all[i + 1];
	return NULL;
}

static bool is_over(const struct tui *t)
{
	return touring(t) && t->tour.ended && !tour_is_left(t);
}

bool tour_ends(const struct tui *t)
{
	return is_over(t) && tour_after(t);
}

const char *tour_end_note(const struct tui *t, int cols, struct arena *a)
{
	enum { NARROW = 60 };
	if (!is_over(t))
		return NULL;
	const struct tour_name *const next = tour_after(t);
	if (!next)
		return cols < NARROW ? "the end" : "the end: Esc leaves, b goes back";
	return cols < NARROW ? arena_printf(a, "Enter: %s", next->name)
			     : arena_printf(a, "the end; Enter: %s, %.0f min", next->name,
					    next->seconds / 60);
}

void tour_on(struct tui *t)
{
	const struct tour_name *const next = tour_after(t);
	if (next)
		tour_choose(t, next->name, 0);
	else
		app_say(t->app, "%s; t lists the tours",
			touring(t) ? "no tour follows this one" : "no tour is shown");
}
