/* presenting.c: whether the room wants pictures for the back row, kept from one start to the next. */
#include "tui_in.h"
#include "posviz/tour/tour_run.h"

/* The room as it is kept: a line being typed is a preview, and the scene of a tour is not the room's. */
static bool room_presents(const struct tui *t)
{
	return tui_typing(t) ? t->presenter_kept
	       : touring(t)  ? tour_room(&t->tour.run, t->app).presenter
			     : t->app->scene.presenter;
}

/* Kept at once, so that a program that ends without a word begins as it was. */
static void keep(struct tui *t)
{
	const bool on = room_presents(t);
	if (on != t->presenter_kept && t->app->save_presenter)
		t->app->save_presenter(on);
	t->presenter_kept = on;
}

static void open(struct tui *t)
{
	t->presenter_kept = t->app->scene.presenter;
}

const struct tui_part part_presenting = {.at = {[PART_OPEN] = open, [PART_DRAWN] = keep}};
