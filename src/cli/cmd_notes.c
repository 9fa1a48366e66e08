/* cmd_notes.c: the speaker's terminal, which follows the tour shown on another terminal. */
#include "cli.h"

#include <string.h>

#include "posviz/tour/tour.h"
#include "posviz/tui/tui.h"

int cmd_notes(struct cli *c, struct err *err)
{
	const char *const name = c->n_args > 0 ? c->args[0] : NULL;
	struct tour_spec spec = {0};
	struct err why;
	if (!options_of_mode(c, "--notes", err))
		return EXIT_BAD_USE;
	if (c->n_args > 1) {
		err_set(err, "tour: --notes follows one tour at a time");
		return EXIT_BAD_USE;
	}
	if (name && !tour_spec_parse(name, &c->arena, &spec, err))
		return EXIT_BAD_USE;
	if (spec.step > 0) {
		err_set(err, "tour: --notes begins where the other terminal is, not at step %zu",
			spec.step);
		return EXIT_BAD_USE;
	}
	if (!tui_possible(&why)) {
		err_set(err, "tour: --notes is for a terminal of the speaker's: %.*s",
			(int)strcspn(why.text, ";"), why.text);
		return EXIT_BAD_USE;
	}
	c->app.scene = c->scene;
	return notes_run(&c->app, name, err);
}
