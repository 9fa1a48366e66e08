/* commands_define.c: the user's own names, as commands and as lines of the configuration.
 *
 * A definition is no part of a scene: undo does not change it, and a scene that used the name
 * contains its expression. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/text.h"

enum { SHOWN_COLUMNS = 60 };

static const char *meaning(const struct scheme *s, struct arena *a)
{
	const char *const text = text_escape(a, s->expression, strlen(s->expression));
	return text_shorten(a, text, SHOWN_COLUMNS, false);
}

/* Defines a name; a name alone is reported with its definition. */
bool run_define(struct app *app, const char *args, struct err *err)
{
	struct arena *const a = app->scratch;
	const char *const name = command_word(&args, a), *expression;
	if (*name == '\0')
		return command_usage("define", err);
	if (*args != '\0' &&
	    (!scene_unquote(args, a, &expression, err) || !define_set(name, expression, err)))
		return err_prefix(err, "define: ");
	const struct scheme *const s = define_find(name, strlen(name));
	if (!s)
		return err_set(err,
			       "define: give what %s is to stand for, such as define %s "
			       "rope+causal",
			       text_quote(a, name, strlen(name)),
			       text_escape(a, name, strlen(name)));
	app_say(app, "%s stands for %s", s->id, meaning(s, a));
	return true;
}

bool run_undefine(struct app *app, const char *args, struct err *err)
{
	if (*args == '\0')
		return command_usage("undefine", err);
	if (!define_remove(args, err))
		return err_prefix(err, "undefine: ");
	char quoted[120];
	app_say(app, "%s stands for nothing now",
		text_quote_buf(quoted, sizeof quoted, args, strlen(args)));
	return true;
}

void complete_define(const struct app *app, const char *args, struct candidates *out)
{
	if (strpbrk(args, " \t"))
		complete_scheme(app, args, out);
	else
		complete_undefine(app, args, out);
}

void complete_undefine(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	const struct scheme *s;
	for (size_t i = 0; (s = define_at(i)) != NULL; i++)
		candidates_add(out, s->id);
}

/* ---- as lines of the configuration ------------------------------------------------------- */

const char *definition_line(const struct scheme *s, struct arena *a)
{
	return arena_printf(a, "define %s %s", s->id, expression_make_absolute(s->expression, a));
}

bool definition_read(const char *line, struct arena *a, const char **name, const char **expression)
{
	const char *args = line + strspn(line, " \t");
	const char *const word = command_word(&args, a);
	const bool gone = strcmp(word, "undefine") == 0;
	if (!gone && strcmp(word, "define") != 0)
		return false;
	*name = command_word(&args, a);
	*expression = NULL;
	if (gone)
		return **name != '\0' && *args == '\0';
	const struct expr *const e =
		scene_unquote(args, a, &args, NULL) ? expr_of(args, a, NULL) : NULL;
	*expression = e ? expr_print(e, a) : NULL;
	return e != NULL;
}
