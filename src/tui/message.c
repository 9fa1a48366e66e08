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

/* The contexts in which tokens are moved, each with the command that leads there. */
static const struct {
	const char *context, *command, *when;
} moving[] = {{"permute", "permute", "while tokens are moved"},
	      {"hang", "rehang", "while heads are moved"}};

/* Returns the key of a command where nothing else is open; "" for none. */
static const char *key_to(struct tui *t, const char *command)
{
	const struct binding *b;
	for (size_t i = 0; (b = keymap_row(t->app, i)) != NULL; i++)
		if (*b->context == '\0' && strcmp(b->command, command) == 0)
			return help_key(b->key, t->terminal.ascii);
	return "";
}

/* Returns how many views, but the shown one, bind the key; the last of them, and its row. */
static size_t views_with(const struct tui *t, const char *key, const struct view **found,
			 const struct binding **b)
{
	size_t n = 0;
	for (size_t i = 0; views[i]; i++) {
		const char *const contexts[] = {views[i]->name, NULL};
		const struct binding *const one = keymap_find(t->app, contexts, key);
		if (!one || strcmp(views[i]->name, t->app->scene.view) == 0)
			continue;
		n++;
		*found = views[i];
		*b = one;
	}
	return n;
}

/* Returns where a key that does nothing here would do something, and what; NULL: nowhere, or in many contexts. Of
 * words in another order the keys that move them come first. */
static const char *elsewhere(struct tui *t, const char *key)
{
	const bool moved = strcmp(t->app->scene.setup.order, "identity") != 0;
	const struct binding *b = NULL;
	const struct view *view = NULL;
	const size_t n = views_with(t, key, &view, &b);
	for (size_t i = 0; (n == 0 || moved) && i < sizeof moving / sizeof *moving; i++) {
		const char *const contexts[] = {moving[i].context, NULL};
		const struct binding *const one = keymap_find(t->app, contexts, key);
		if (one)
			return arena_printf(&t->frame, "%s, after %s: %s", moving[i].when,
					    key_to(t, moving[i].command), one->note);
	}
	return n == 1 ? arena_printf(&t->frame, "in the view %s: %s", view->title, b->note) : NULL;
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
		app_say(t->app, "%s does nothing here; %s",
			text_escape(&t->frame, name, strlen(name)),
			elsewhere(t, key->name) ? elsewhere(t, key->name)
						: "? lists the keys that do");
}

const struct tui_part part_message = {
	.at = {[PART_TICK] = message_ends, [PART_DRAWN] = message_drawn}, .key = message_goes};
