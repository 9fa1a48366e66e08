/* cmd_record.c: runs the terminal program and records the session as a tour. */
#include "cli.h"

#include "posviz/tour/recorder.h"
#include "posviz/tui/tui.h"

/* Checks that the file can be made, before a screen is opened. */
static bool file_right(const struct cli *c, struct err *err)
{
	struct recorder *trial;
	if (c->n_args == 0)
		return err_set(err, "record: give a file, such as posviz record lesson.tour");
	if (!recorder_new(c->args[0], c->force, &trial, err))
		return false;
	recorder_free(trial);
	return true;
}

int cmd_record(struct cli *c, struct err *err)
{
	if (!file_right(c, err) || !tui_possible(err))
		return EXIT_BAD_USE;
	c->app.request = c->force ? REQUEST_RECORD_OVER : REQUEST_RECORD;
	c->app.request_text = scene_intern(c->args[0]);
	c->n_args = 0;
	return cmd_terminal(c, err);
}
