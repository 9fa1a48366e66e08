/* cmd_notes.c: the speaker's terminal, which follows the tour that another one shows. */
#include "cli.h"

#include <string.h>

#include "posviz/tour.h"
#include "posviz/tui.h"

/* What is of the terminal that shows the tour, or of none. */
static bool is_alone(const struct cli *c, struct err *err)
{
	const struct {
		bool given;
		const char *name;
	} others[] = {{c->list, "list"},
		      {c->check, "check"},
		      {c->step > 0, "step"},
		      {c->pace > 0, "pace"},
		      {c->questions, "questions"},
		      {c->output != NULL, "output"},
		      {c->format != NULL, "format"}};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].given)
			return err_set(err,
				       "tour: --notes follows the tour that another terminal "
				       "shows, and takes no --%s",
				       others[i].name);
	return true;
}

int cmd_notes(struct cli *c, struct err *err)
{
	const char *const name = c->n_args > 0 ? c->args[0] : NULL;
	struct tour_spec spec = {0};
	struct err why;
	if (!is_alone(c, err))
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
