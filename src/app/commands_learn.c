/* commands_learn.c: commands of the view Learn: the step of the training that is shown, the task, and the
 * trained model in the other views. */
#include <ctype.h>
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/app/places.h"
#include "posviz/format/folder.h"
#include "posviz/learn/known.h"

/* Trained models that are kept in the state directory, the newest. */
/* The newest TRAINED_KEPT models that were opened out of their trainings stay, and so do those used in so many seconds. */
enum { TRAINED_KEPT = 32, TRAINED_SPARED = 24 * 60 * 60 };

/* ---- the moment --------------------------------------------------------------------------------- */

static long steps_of(const struct scene *scene)
{
	struct learn_options o;
	learn_of_scene(scene, scene->setup.scheme, &o);
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

static bool is_step(long moment, long last, long end, struct err *err)
{
	return moment <= last || moment == end ||
	       err_set(err, "moment: there is no step %ld; 0 to %ld would be right, or last",
		       moment, last);
}

static bool shows_grid(const struct scene *scene)
{
	return strcmp(scene->view, "learn") == 0 && scene->train_grid > 0;
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
		return command_field(app, field, args, err) && is_step(*moment, last, end, err);
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

static bool is_task(const struct app *app, struct err *err)
{
	struct task task;
	return task_open(&task, app->scene.train_task, app->scratch, err) ||
	       err_prefix(err, "train-task: ");
}

bool run_train_task(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("train-task");
	const int direction = command_direction(args);
	int n = 0, at = -1;
	if (direction == 0)
		return command_field(app, field, args, err) && is_task(app, err);
	if (shows_grid(&app->scene))
		return err_set(err,
			       "train-task: the grid has several tasks; train-grid off leads back "
			       "to one");
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

bool run_train_seed(struct app *app, const char *args, struct err *err)
{
	const struct field *const field = field_find("train-seed");
	const uint64_t seed = app->scene.train_seed, end = UINT64_MAX;
	const int direction = command_direction(args);
	if (direction == 0)
		return command_field(app, field, args, err);
	if (seed == (direction < 0 ? 0 : end))
		return app_ends(app, "train-seed has come to the end of its range", err);
	const uint64_t to = direction < 0 ? seed - 1 : seed + 1;
	const bool ok = command_field(
		app, field, arena_printf(app->scratch, "%llu", (unsigned long long)to), err);
	app->series = "train-seed";
	return ok;
}

/* Goes to the next length, and not beyond the last one to where the grid is left. */
static bool step_grid(struct app *app, int by, struct err *err)
{
	const char *all[COMPARE_MAX];
	const int to = app->scene.train_grid + by;
	app->series = "train-grid";
	if (scene_compared(&app->scene.setup, app->scratch, all) < 2)
		return app_ends(app, "the grid of one scheme has all lengths", err);
	if (to < 1 || to > LEARN_LENGTHS)
		return app_ends(app,
				to < 1 ? "1x is the shortest length" : "8x is the longest length",
				err);
	app->scene.train_grid = to;
	return true;
}

/* Alone it shows the grid at the longest length, or leads back to the training. */
bool run_train_grid(struct app *app, const char *args, struct err *err)
{
	int *const grid = &app->scene.train_grid;
	const int direction = command_direction(args);
	if (*args && (direction == 0 || *grid == 0))
		return command_field(app, field_find("train-grid"), args, err);
	if (direction != 0)
		return step_grid(app, direction, err);
	app->series = NULL;
	*grid = *grid > 0 ? 0 : LEARN_LENGTHS;
	return true;
}

void complete_train_grid(const struct app *app, const char *args, struct candidates *out)
{
	for (size_t i = 0; train_grids[i]; i++)
		candidates_add(out, train_grids[i]);
	complete_step(app, args, out);
}

/* ---- the trained model -------------------------------------------------------------------------- */

/* Returns the name of the model's directory: "36a33571/t5-shift-120-of-500-steps-seed-1". The second part is what
 * cards and captions print, and the first stands for all options. */
static const char *model_name(const struct learn_options *o, size_t step, struct arena *a)
{
	char *const name =
		arena_printf(a, "%.60s-%.40s-%zu%s-steps-seed-%llu", o->scheme, o->task, step,
			     step == o->steps ? "" : arena_printf(a, "-of-%zu", o->steps),
			     (unsigned long long)o->seed);
	uint64_t hash = 14695981039346656037u; /* FNV-1a */
	for (const char *at = learn_line(o, a); *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211u;
	for (char *at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("-_.=+", *at))
			*at = '-';
	return arena_printf(a, "%08llx/%s", (unsigned long long)(hash >> 32), name);
}

/* Opens the model of the shown step. */
static bool open_trained(struct app *app, const char *view, struct err *err)
{
	struct arena *const a = app->scratch;
	struct scene *const scene = &app->scene;
	struct learn_options o;
	const char *said, *const state = places_state(a);
	if (shows_grid(scene))
		return err_set(err,
			       "trained: the grid has many trainings; train-grid off leads back to "
			       "one");
	learn_of_scene(scene, scene->setup.scheme, &o);
	const size_t step = (size_t)scene->moment < o.steps
				    ? (size_t)scene->moment / LEARN_MOMENT * LEARN_MOMENT
				    : o.steps;
	if (app->background && !learn_known_whole(&o)) /* keys do not wait for it */
		return err_set(err, "trained: the training is not at its end yet");
	if (!state)
		return err_set(err, "trained: neither XDG_STATE_HOME nor HOME names a directory");
	const char *const dir = arena_printf(a, "%s/trained/%s", state, model_name(&o, step, a));
	if (!learn_known_keep(&o, step, dir, NULL, err) ||
	    !app_configuration(scene, dir, a, &said, err) ||
	    !scene_set(scene, field_find("compare"), "none", err) ||
	    !run_view(app, *view ? view : "explore", err))
		return err_prefix(err, "trained: ");
	folder_keep_newest(arena_printf(a, "%s/trained", state), 1, TRAINED_KEPT, TRAINED_SPARED);
	app_say(app, "trained on %s, %zu%s steps, seed %llu; Esc: back to its training", o.task,
		step, step == o.steps ? "" : arena_printf(a, " of %zu", o.steps),
		(unsigned long long)o.seed);
	return true;
}

/* The scene of the training is the last one in the history that shows it. */
static bool leave_trained(struct app *app, struct err *err)
{
	for (size_t i = app->n_undo; i-- > 0;)
		if (strcmp(app->undo[i].view, "learn") == 0) {
			app->scene = app->undo[i];
			return true;
		}
	return err_set(err,
		       "trained: this model was opened without its training; :view learn trains "
		       "its scheme anew");
}

bool run_trained(struct app *app, const char *args, struct err *err)
{
	if (strcmp(app->scene.view, "learn") == 0)
		return open_trained(app, args, err);
	if (*args == '\0' && places_is_trained(&app->scene))
		return leave_trained(app, err);
	return err_set(err, "trained: the view Learn has a training; view learn, then trained");
}
