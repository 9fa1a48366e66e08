/* command.c: the table of commands, and running a line of words.
 *
 * The first word is a command or a field of the scene, the rest its argument. A command only
 * changes the scene; what that means for history, evaluation and screen is seen here by
 * comparing the scene before and after, so that no command can forget it. */
#include <ctype.h>
#include <string.h>

#include "app_in.h"
#include "posviz/text.h"

const struct command commands[] = {
	{"pick", "NAME", "look at another scheme; masks stay", "scheme", run_pick, complete_scheme},
	{"scheme-next", "", "the next scheme of the menu", "scheme", run_scheme_next, NULL},
	{"scheme-prev", "", "the previous scheme of the menu", "scheme", run_scheme_prev, NULL},
	{"add", "MEMBER", "add a member to the expression", "scheme", run_add, complete_scheme},
	{"remove", "[N]", "remove member N, or the last one", "scheme", run_remove, NULL},
	{"causal", "", "turn the causal mask on or off", "scheme", run_causal, NULL},
	{"param", "NAME VALUE", "set a parameter of the main member", "scheme", run_param,
	 complete_param},
	{"param-next", "", "let + and - change the next parameter", "scheme", run_param_next, NULL},
	{"param-prev", "", "let + and - change the previous parameter", "scheme", run_param_prev,
	 NULL},
	{"step", "+1|-1", "change the chosen parameter by its step", "scheme", run_step, NULL},
	{"reset-param", "", "the chosen parameter's default", "scheme", run_reset_param, NULL},

	{"move", "FROM TO", "move the token at a place to another, from 1", "input", run_move,
	 NULL},
	{"swap", "A B", "exchange the tokens at two places", "input", run_swap, NULL},
	{"shuffle", "[SEED]", "a random order; the next seed when none is given", "input",
	 run_shuffle, NULL},
	{"reverse", "", "reverse the present order", "input", run_reverse, NULL},
	{"restore", "", "the order as written", "input", run_restore, NULL},

	{"cursor", "up|down|left|right|page-up|page-down|top|bottom|first|last|off|ROW COL",
	 "move the cell cursor", "look", run_cursor, complete_cursor},
	{"head", "N|next|prev", "the head that is shown", "look", run_head, complete_step},
	{"layer", "N|next|prev", "the layer that is shown", "look", run_layer, complete_step},
	{"matrix", "NAME|next|prev", "the matrix beside the bias", "look", run_matrix,
	 complete_matrix},
	{"probe", "ones|WORD|off|next", "bias of a unit at every place, or of the sentence", "look",
	 run_probe, complete_probe},
	{"colormap", "NAME|auto|next|prev", "colours of values", "look", run_colormap,
	 complete_colormap},
	{"lock", "[on|off]", "keep the colours' limits as they are now", "look", run_lock, NULL},
	{"zoom", "", "one pane on the whole screen, and back", "look", run_zoom, NULL},
	{"pane", "next|prev", "give another pane the focus", "look", run_pane, complete_pane},

	{"help", "", "the keys that work here", "app", ask_help, NULL},
	{"find", "", "find a scheme as you type", "app", ask_find, NULL},
	{"edit", "", "edit the sentence", "app", ask_edit, NULL},
	{"permute", "", "move tokens", "app", ask_permute, NULL},
	{"why", "", "the arithmetic of the cell under the cursor", "app", ask_why, NULL},
	{"command", "", "type a command", "app", ask_command, NULL},
	{"add-member", "", "type a member to add", "app", run_add_prompt, NULL},
	{"value", "", "type a value for the chosen parameter", "app", run_value_prompt, NULL},
	{"match-next", "", "the next scheme found", "app", ask_match_next, NULL},
	{"match-prev", "", "the previous scheme found", "app", ask_match_prev, NULL},
	{"accept", "", "take what is chosen", "app", ask_accept, NULL},
	{"back", "", "leave what is open", "app", ask_back, NULL},
	{"lift", "", "lift or drop the token under the cursor", "app", ask_lift, NULL},
	{"token-left", "", "the token before, or the lifted one to the left", "app", ask_left,
	 NULL},
	{"token-right", "", "the token after, or the lifted one to the right", "app", ask_right,
	 NULL},
	{"token-first", "", "the first place", "app", ask_first, NULL},
	{"token-last", "", "the last place", "app", ask_last, NULL},
	{"undo", "", "take back the last change", "app", run_undo, NULL},
	{"redo", "", "do again what was taken back", "app", run_redo, NULL},
	{"reset", "", "all fields at their defaults", "app", run_reset, NULL},
	{"snapshot", "[FILE]", "write the figure as PNG, numbered when no file is named", "app",
	 run_snapshot, NULL},
	{"redraw", "", "draw the screen anew", "app", ask_redraw, NULL},
	{"suspend", "", "stop, until the shell's fg", "app", ask_suspend, NULL},
	{"quit", "", "leave", "app", run_quit, NULL},
	{0},
};

static const struct command *command_find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

bool command_usage(const char *name, struct err *err)
{
	const struct command *const c = command_find(name);
	const struct field *const f = c ? NULL : field_find(name);
	BUG_IF(!c && !f);
	return err_set(err, "%s: give %s", name, c ? c->args : f->args);
}

int command_direction(const char *args)
{
	if (strcmp(args, "next") == 0)
		return 1;
	return strcmp(args, "prev") == 0 ? -1 : 0;
}

/* ---- fields ------------------------------------------------------------------------------ */

bool command_unquote(const char *text, struct arena *a, const char **out, struct err *err)
{
	return scene_unquote(text, a, out, err);
}

/* "next" and "prev" of a field, within its range; choices go round. False when it has none. */
static bool step_field(struct app *app, const struct field *f, int direction, bool *stepped,
		       struct err *err)
{
	char *const at = (char *)&app->scene + f->offset;
	*stepped = true;
	if (f->kind == FIELD_CHOICE) {
		const int n = (int)f->n_choices;
		int *const choice = (int *)(void *)at;
		*choice = (*choice + direction + n) % n;
		app_say(app, "%s: %s", f->name, f->choices[*choice]);
		return true;
	}
	if (f->kind == FIELD_INT) {
		const long next = *(long *)(void *)at + direction;
		if (next < (long)f->min || next > (long)f->max)
			return err_set(err, "%s is from %ld to %ld", f->name, (long)f->min,
				       (long)f->max);
		*(long *)(void *)at = next;
		return true;
	}
	*stepped = false;
	return true;
}

/* An order that was typed is refused when it does not fit the tokens, which app_settle() would
 * take for other tokens. Where the tokens cannot be read the order is not to blame. */
static bool order_right(const struct app *app, struct arena *a, struct err *err)
{
	size_t *order, n;
	struct input tokens = {0};
	struct err why;
	if (*app->scene.setup.units && !app->shown.picture)
		return true;
	if (app_order(app, a, &order, &n, &tokens, &why) || tokens.n == 0)
		return true;
	*err = why;
	return false;
}

bool command_field(struct app *app, const struct field *field, const char *args, struct err *err)
{
	const int direction = command_direction(args);
	app->series = direction != 0 ? field->name : NULL;
	if (direction != 0) {
		bool stepped;
		if (!step_field(app, field, direction, &stepped, err))
			return false;
		if (stepped)
			return true;
	}
	if (*args == '\0' && field->kind == FIELD_BOOL) {
		bool *const at = (bool *)((char *)&app->scene + field->offset);
		*at = !*at;
		return true;
	}
	if (*args == '\0')
		return command_usage(field->name, err);
	struct arena a;
	arena_init(&a);
	const char *value;
	const bool ok = command_unquote(args, &a, &value, err) &&
			scene_set(&app->scene, field, value, err) &&
			(strcmp(field->name, "order") != 0 || order_right(app, &a, err));
	/* A file would hide it. */
	if (ok && strcmp(field->name, "sentence") == 0)
		app->scene.setup.file = scene_intern("");
	arena_release(&a);
	return ok;
}

/* ---- running ----------------------------------------------------------------------------- */

static bool unknown(const char *name, struct err *err)
{
	const char *names[128];
	size_t n = 0;
	for (const struct command *c = commands; c->name && n < 128; c++)
		names[n++] = c->name;
	for (const struct field *f = scene_fields; f->name && n < 128; f++)
		names[n++] = f->name;
	const char *const near = text_nearest(name, names, n);
	char quoted[120];
	text_quote_buf(quoted, sizeof quoted, name, strlen(name));
	if (near)
		return err_set(err, "no command %s; did you mean \"%s\"?", quoted, near);
	return err_set(err, "no command %s; \"help\" shows what there is", quoted);
}

/* A line's blanks at its end belong to nobody unless they are quoted. */
static char *trim(struct arena *a, const char *line)
{
	line += strspn(line, " \t");
	char *const out = arena_strdup(a, line);
	size_t len = strlen(out);
	while (len > 0 && isspace((unsigned char)out[len - 1]))
		out[--len] = '\0';
	return out;
}

static bool dispatch(struct app *app, char *line, unsigned *reactions, struct err *err)
{
	const size_t len = strcspn(line, " \t");
	const char *const args = line + len + strspn(line + len, " \t");
	line[len] = '\0';
	const struct command *const c = command_find(line);
	if (c && c->args[0] == '\0' && *args)
		return err_set(err, "%s takes no argument", c->name);
	if (c)
		return c->run(app, args, reactions, err);
	const struct field *const f = field_find(line);
	return f ? command_field(app, f, args, err) : unknown(line, err);
}

/* What a changed scene means for the rest of the program. */
static unsigned consequences(struct app *app, const struct scene *before)
{
	if (scene_equal(before, &app->scene))
		return 0;
	const bool settled =
		!setup_equal(&before->setup, &app->scene.setup) && app_settle(&app->scene);
	if (settled)
		app_say(app, "the order did not fit the new tokens and is the identity again");
	history_add(app, before);
	return REACT_DRAW | (app_same_numbers(before, &app->scene) ? REACT_FIGURE : REACT_COMPUTE);
}

bool app_command(struct app *app, const char *line, unsigned *reactions, struct err *err)
{
	const struct scene before = app->scene;
	struct arena a;
	arena_init(&a);
	char *const words = trim(&a, line);
	*reactions = 0;
	app->series = NULL;
	const bool ok = *words == '\0' || *words == '#' || dispatch(app, words, reactions, err);
	if (ok)
		*reactions |= consequences(app, &before);
	else
		app->scene = before;
	arena_release(&a);
	return ok;
}
