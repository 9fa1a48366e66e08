/* message.c: what is said in the line below, and whether anybody had the time to read it. */
#include <stdio.h>
#include <string.h>

#include "posviz/math/machine.h"
#include "tui_in.h"

static const double unread_seconds = 2, over_seconds = 3;

/* Tells whether the message lies over the figure and has nothing to be mended. */
static bool is_over(const struct tui *t)
{
	return t->app->message[0] && !t->app->message_is_error && tui_is_bare(t) &&
	       t->mode == MODE_LOOK && t->overlay == OVERLAY_NONE;
}

void message_ends(struct tui *t)
{
	if (is_over(t) && strcmp(t->said, t->app->message) == 0 &&
	    machine_seconds() >= t->said_at + over_seconds)
		t->app->message[0] = '\0';
}

void message_drawn(struct tui *t)
{
	if (strcmp(t->said, t->app->message) != 0) {
		snprintf(t->said, sizeof t->said, "%s", t->app->message);
		t->said_at = machine_seconds();
	}
	if (is_over(t))
		tui_again(t, t->said_at + over_seconds - machine_seconds());
}

/* A message that was not on the screen for long, but for errors, which are to be mended, and for what the key before did
 * not do. */
static void pass(struct tui *t)
{
	const bool young = machine_seconds() < t->said_at + unread_seconds;
	snprintf(t->unread, sizeof t->unread, "%s",
		 young && !t->said_nothing && !t->app->message_is_error ? t->app->message : "");
	t->said_nothing = false;
}

bool key_says(const struct key *key)
{
	const enum mouse_kind mouse = key->mouse.kind;
	return mouse == MOUSE_NONE || mouse == MOUSE_PRESS || mouse == MOUSE_WHEEL;
}

bool message_goes(struct tui *t, const struct key *key)
{
	if (!key_says(key))
		return false;
	pass(t);
	t->app->message[0] = '\0';
	return false;
}

/* A message that nobody had time to read stays. Pressing on in a tour that is left is told how. */
void message_nothing(struct tui *t, const struct key *key)
{
	const char *const on[] = {"tour", NULL};
	const char *const name = help_key(key->name, t->terminal.ascii);
	const struct binding *const next = keymap_find(t->app, on, key->name);
	const struct tour_left *const left = tour_left_last(t);
	t->said_nothing = !t->unread[0];
	if (t->unread[0])
		app_say(t->app, "%s", t->unread);
	else if (left && next && strcmp(next->command, "tour-next") == 0)
		app_say(t->app, "no tour is shown; t, Enter goes on at %zu/%zu of \"%s\"",
			left->number, left->steps, left->title);
	else
		app_say(t->app, "%s does nothing here; ? lists the keys that do",
			text_escape(&t->frame, name, strlen(name)));
}

const struct tui_part part_message = {
	.at = {[PART_TICK] = message_ends, [PART_DRAWN] = message_drawn}, .key = message_goes};
