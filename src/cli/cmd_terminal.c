/* cmd_terminal.c: the terminal program; without a terminal it prints the same scene as words.
 *
 * state.c restores the state of the last session at the start and saves it at the end. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "posviz/tour/tour.h"
#include "posviz/tui/tui.h"

/* Prints why there is no screen: the reason, without its advice. */
static void say_why(const struct err *why)
{
	fprintf(stderr,
		"posviz: %.*s: this is the plain report; on a terminal it is a picture that "
		"follows your keys\n",
		(int)strcspn(why->text, ";"), why->text);
}

/* Prints the scene as words; for a tour, the scene of the beat that was asked for. */
static int say(struct cli *c, struct err *err)
{
	if (c->app.request == REQUEST_TOUR && !c->beat) {
		err_set(err, "several files are gone through on a terminal; here one at a time");
		return EXIT_BAD_USE;
	}
	if (c->beat)
		c->scene = c->beat->scene;
	return cmd_plain(c, err);
}

/* Checks that the scene can be computed, before a screen is opened. A tour has scenes of its own,
 * and a text read from a terminal is not known yet. */
static bool computes(const struct cli *c, struct err *err)
{
	struct arena a;
	struct built built;
	if (c->app.request != REQUEST_NONE || c->beat || strcmp(c->scene.setup.file, "-") == 0)
		return true;
	arena_init(&a);
	const bool ok = setup_build(&c->scene.setup, &a, &built, err);
	arena_release(&a);
	return ok;
}

int cmd_terminal(struct cli *c, struct err *err)
{
	struct err why;
	c->app.scene = c->scene;
	if (c->plain)
		return say(c, err);
	if (!tui_possible(&why)) {
		const int code = say(c, err);
		if (code == EXIT_FINE)
			say_why(&why);
		return code;
	}
	if (!computes(c, err))
		return EXIT_BAD_USE;
	const int code = tui_run(&c->app, err);
	if (code != EXIT_BAD_USE)
		state_save(c);
	if (c->app.farewell && code == EXIT_FINE &&
	    !words_write(c, c->app.farewell, strlen(c->app.farewell), err))
		return EXIT_BAD_USE;
	return code;
}
