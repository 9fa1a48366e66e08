/* files.c: files that the worker writes beside the screen, and leaving while some are not written yet. */
#include <stdio.h>
#include <string.h>

#include "tui_in.h"

static bool write_one(struct tui *t, const struct scene *scene, const char *path)
{
	struct write_look look = {.cols = t->terminal.cols,
				  .rows = t->terminal.rows,
				  .tier = t->terminal.tier,
				  .ascii = t->terminal.ascii};
	tour_place(t, &look);
	if (worker_submit_write(t->worker, scene, path, &look))
		return true;
	struct err err;
	err_set(&err, "%d files wait to be written; ask again when one is done", WORKER_WRITES);
	tui_complain(t, &err);
	return false;
}

/* Asks for the files of a script, then for what the command itself asked for. */
void files_write(struct tui *t)
{
	struct app *const app = t->app;
	const char *const path = app->write, *const dots = t->terminal.ascii ? "..." : "…";
	const size_t n = app->n_later;
	char shown[80] = "a snapshot";
	bool ok = true;
	app->write = NULL;
	app->n_later = 0;
	for (size_t i = 0; i < n && ok; i++)
		ok = write_one(t, &app->later[i].scene, app->later[i].path);
	if (ok && n > 0)
		app_say(app, "writing %zu file%s %s", n, n == 1 ? "" : "s", dots);
	const struct scene seen = app_seen(app);
	if (!ok || !path || !write_one(t, &seen, path))
		return;
	if (*path)
		text_quote_buf(shown, sizeof shown, path, strlen(path));
	app_say(app, "writing %s %s", shown, dots);
}

/* Files that wait are written first, unless leaving is asked for again. */
void files_finish(struct tui *t)
{
	const size_t n = worker_writes(t->worker);
	if (n == 0 || t->life == LIFE_FINISHING) {
		tui_end(t);
		return;
	}
	t->life = LIFE_FINISHING;
	app_say(t->app, "%zu file%s being written first; again leaves at once", n,
		n == 1 ? " is" : "s are");
}

static void take_file(struct tui *t, const struct result *r)
{
	if (r->ok)
		app_say(t->app, "%s", r->said);
	else
		tui_complain(t, &r->err);
	tui_dirty(t, 0);
}

static void take_files(struct tui *t)
{
	for (struct result *r; (r = worker_take(t->worker, RESULT_WRITE)) != NULL;)
		take_file(t, r);
	if (t->life == LIFE_FINISHING && worker_writes(t->worker) == 0)
		tui_end(t);
}

/* The last word about files is printed once there is no screen that says it. */
static void gone(struct tui *t)
{
	const char *const last = t->app->message;
	if (t->life == LIFE_FINISHED && *last)
		fprintf(stderr, "posviz: %s\n", text_escape(&t->frame, last, strlen(last)));
}

const struct tui_part part_files = {.at = {[PART_TURN] = take_files, [PART_GONE] = gone}};
