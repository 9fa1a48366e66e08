/* recording.c: the session kept as a tour while the program is used. A step is there once its picture is: what somebody
 * goes past without waiting for it is none. */
#include <stdio.h>
#include <string.h>

#include "posviz/tour/recorder.h"
#include "tui_in.h"

static const char *steps(const struct tui *t, struct arena *a)
{
	const size_t n = recorder_steps(t->recorder);
	return arena_printf(a, "%zu step%s", n, n == 1 ? "" : "s");
}

/* Words for it: "3 steps in /home/me/lesson.tour". */
static const char *kept(const struct tui *t, struct arena *a)
{
	const char *const path = recorder_path(t->recorder);
	return arena_printf(a, "%s in %s", steps(t, a), text_escape(a, path, strlen(path)));
}

/* Tells whether the scene is one that stays: nobody is typing it, nothing moves, and its picture, or why there is none, is
 * there. */
static bool settled(const struct tui *t)
{
	if (tui_typing(t) || motion_runs(t) || t->asked != ASKED_ANSWERED)
		return false;
	return t->trouble.text[0] || (t->picture && scene_equal(&t->drawn, &t->app->scene));
}

static void look(struct tui *t, const char *refused)
{
	struct err err;
	const size_t before = recorder_steps(t->recorder);
	/* A tour has a history of its own, which stands on what was there before it. */
	const size_t depth = t->app->n_undo + (touring(t) ? t->tour.run.n_undo : 0);
	if (!recorder_look(t->recorder, t->app, depth, refused, &err)) {
		if (strcmp(t->app->message, err.text) != 0) /* said once, though each frame tries */
			tui_complain(t, &err);
		return;
	}
	const size_t n = recorder_steps(t->recorder);
	if (n == before || t->app->message[0])
		return;
	app_say(t->app, n > before ? "recorded: step %zu" : "recorded: back to step %zu", n);
	tui_dirty(t, 0);
}

static void follow(struct tui *t)
{
	if (t->recorder && settled(t))
		look(t, t->trouble.text[0] ? t->trouble.text : NULL);
}

/* The last change is kept though its picture may not have come yet. */
static void look_now(struct tui *t)
{
	if (!tui_typing(t) && !motion_runs(t))
		look(t, settled(t) ? (t->trouble.text[0] ? t->trouble.text : NULL) : "");
}

static void end(struct tui *t, bool leaving)
{
	struct err err = {""};
	if (!t->recorder)
		return;
	look_now(t);
	const bool ok = recorder_write(t->recorder, &err);
	if (leaving && !ok)
		fprintf(stderr, "posviz: %s\n", err.text);
	else if (leaving)
		fprintf(stderr, "posviz: recorded %s\n", kept(t, &t->frame));
	else if (ok)
		app_say(t->app, "recorded %s", kept(t, &t->frame));
	else
		tui_complain(t, &err);
	recorder_free(t->recorder);
	t->recorder = NULL;
}

static void begin(struct tui *t, const char *path, bool over)
{
	struct recorder *made;
	struct err err;
	if (!recorder_new(path, over, &made, &err)) {
		tui_complain(t, &err);
		return;
	}
	end(t, false);
	t->recorder = made;
	const char *const shown = recorder_path(made);
	app_say(t->app, "recording into %s; record off ends it",
		text_escape(&t->frame, shown, strlen(shown)));
}

void recording_answer(struct tui *t)
{
	const char *const text = t->app->request_text;
	if (text && strcmp(text, "off") != 0)
		begin(t, text, false);
	else if (!t->recorder)
		app_say(t->app, "nothing is recorded; record FILE.tour begins");
	else if (text)
		end(t, false);
	else {
		look_now(t);
		app_say(t->app, "recording: %s; record off ends it", kept(t, &t->frame));
	}
}

void recording_answer_over(struct tui *t)
{
	begin(t, t->app->request_text, true);
}

static void gone(struct tui *t)
{
	end(t, true);
}

const struct tui_part part_recording = {.at = {[PART_DRAWN] = follow, [PART_GONE] = gone}};
