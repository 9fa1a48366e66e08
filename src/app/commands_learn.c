/* commands_learn.c: commands of the view Learn: the step of the training that is shown, and the task. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/learn/learn.h"

/* ---- the moment --------------------------------------------------------------------------------- */

static long steps_of(const struct scene *scene)
{
	struct learn_options o;
	learn_defaults(&o);
	o.steps = (size_t)scene->train_steps;
	o.layers = (size_t)scene->train_layers;
	learn_complete(&o);
	return (long)o.steps;
}

/* Returns whether the argument is a number of steps on or back. */
static bool step_by(const char *args, long *by)
{
	const int direction = command_direction(args);
	struct err none = {""};
	if (direction != 0) {
		*by = direction * LEARN_MOMENT;
		return true;
	}
	if (*args != '+' && *args != '-')
		return false;
	if (!num_parse_long(args + 1, strlen(args + 1), 0, 100000, by, &none))
		return false;
	*by = *args == '-' ? -*by : *by;
	return true;
}

/* Beyond the last step the moment is that of the field's end, whatever the number of steps becomes. */
bool run_moment(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("moment");
	const long last = steps_of(&app->scene), end = (long)field->type.max;
	long *const moment = &app->scene.moment, by;
	app->series = "moment";
	if (strcmp(args, "last") == 0) {
		*moment = end;
		return true;
	}
	if (!step_by(args, &by))
		return command_field(app, field, args, err);
	const long now = *moment < last ? *moment : last, to = now + by;
	if (by == 0 || (to < 0 && now == 0) || (to > last && now == last))
		return app_ends(app, by < 0 ? "step 0 is the first" : "this is the last step", err);
	*moment = to < 0 ? 0 : to >= last ? end : to;
	return true;
}

void complete_moment(const struct app *app, const char *args, struct candidates *out)
{
	candidates_add(out, "last");
	complete_step(app, args, out);
}

/* ---- the task ----------------------------------------------------------------------------------- */

bool run_train_task(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("train-task");
	const int direction = command_direction(args);
	int n = 0, at = -1;
	if (direction == 0)
		return command_field(app, field, args, err);
	for (; task_rows[n].id; n++)
		at = strcmp(task_rows[n].id, app->scene.train_task) == 0 ? n : at;
	const int next = at < 0 ? 0 : (at + n + direction) % n;
	app->series = "train-task";
	app_say(app, "%s: %s", task_rows[next].id, task_rows[next].asked);
	return command_field(app, field, task_rows[next].id, err);
}

void complete_train_task(const struct app *app, const char *args, struct candidates *out)
{
	for (const struct task_row *row = task_rows; row->id; row++)
		candidates_add(out, row->id);
	complete_step(app, args, out);
}
