/* command_field.c: fields of the scene and settings as commands: sets a value, or steps to the next
 * one, and checks that the scene is consistent with it. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/text.h"
#include "posviz/scene/model_open.h"

/* Steps a field for "next" and "prev" within its range; choices wrap around. *stepped is false for
 * a field without steps. */
static bool step_field(struct app *app, void *base, const struct field *f, int direction,
		       bool *stepped, struct err *err)
{
	*stepped = value_has_steps(&f->type);
	if (!*stepped)
		return true;
	if (!value_step(&f->type, (char *)base + f->offset, direction, true))
		return app_ends(app,
				arena_printf(app->scratch,
					     "%s is from %s, and has come to the end of it",
					     f->name, value_range(&f->type, app->scratch)),
				err);
	if (f->type.kind == &value_choice)
		app_say(app, "%s: %s", f->name, field_get(base, f, app->scratch));
	return true;
}

/* Runs commands without a value: steps, and toggled switches. *done: it was one. */
static bool without_value(struct app *app, void *base, const struct field *f, const char *args,
			  bool *done, struct err *err)
{
	int direction = command_direction(args);
	app->series = direction != 0 ? f->name : NULL;
	if (*args == '\0' && (f->type.kind == &value_switch || f->alone))
		direction = 1;
	*done = false;
	if (*args == '\0' && direction == 0)
		return command_usage(f->name, err);
	return direction == 0 || step_field(app, base, f, direction, done, err);
}

/* Refuses a typed order that does not fit the tokens, because app_settle() would believe that the
 * tokens changed. If the tokens cannot be read, the order is not the reason. */
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

/* Refuses a text that cannot be read while the user can still correct it: without it nothing could
 * be shown. */
static bool text_right(const struct setup *s, struct arena *a, struct err *err)
{
	size_t *order, n;
	struct input tokens = {0};
	struct err why;
	if (setup_order(s, a, &order, &n, &tokens, &why) || tokens.n > 0)
		return true;
	*err = why;
	return false;
}

/* Refuses a list that names words which do not exist. */
static bool words_right(const struct setup *s, struct arena *a, struct err *err)
{
	struct input tokens;
	const double *reorder, *ids;
	bool three;
	struct setup bare = *s;
	bare.segments = "none";
	bare.memory_tokens = 0;
	return *bare.units || !setup_tokens(&bare, a, &tokens, NULL, NULL, NULL) ||
	       (setup_tokens(s, a, &tokens, NULL, NULL, err) &&
		setup_position_ids(&bare, &tokens, a, &ids, &three, err) &&
		setup_reorder(&bare, &tokens, a, &reorder, NULL, err));
}

static bool field_right(const struct app *app, enum field_fits fits, struct arena *a,
			struct err *err)
{
	const struct setup *const s = &app->scene.setup;
	struct setup bare = *s;
	switch (fits) {
	case FITS_ITSELF:
		return true;
	case FITS_TOKENS:
		return order_right(app, a, err);
	case FITS_WORDS:
		return words_right(s, a, err);
	case FITS_STRUCTURE:
		return !(*s->conllu || *s->tree || *s->graph || *s->governors || *s->moved_edges) ||
		       text_right(s, a, err);
	case FITS_TEXT:
		/* Governors and similar fields that do not fit another text are dropped later. */
		bare.governors = bare.moved_edges = "";
		bare.segments = "none";
		bare.memory_tokens = 0;
		return text_right(&bare, a, err);
	}
	BUG("fits %d", fits);
}

/* Reports the values that a new one displaced without being named. A structure that replaces
 * another one, or the sentence, is not reported. */
static void say_displaced(struct app *app, const struct setup *before, const char *name)
{
	const struct setup *const s = &app->scene.setup;
	const struct {
		const char *before, *now, *what;
	} rows[] = {{before->conllu, s->conllu, "tree of conllu"},
		    {before->tree, s->tree, "tree"},
		    {before->graph, s->graph, "graph"},
		    {before->reorder, s->reorder, "re-ordering"},
		    {before->alignment, s->alignment, "alignment"},
		    {before->source, s->source, "source's text"},
		    {before->source_ids, s->source_ids, "source"}};
	const bool structured = *s->conllu || *s->tree || *s->graph || *s->governors;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (*rows[i].before && !*rows[i].now &&
		    (i > 2 || !structured || strcmp(name, "governors") == 0))
			app_say(app, "the %s is gone: the %s takes its place; undo brings it back",
				rows[i].what, name);
	if (s->alignment != before->alignment && *s->alignment && !*s->translation)
		app_say(app, "no translation is given: of the alignment the order alone is known");
}

/* Gives the scene the expression and the sizes of the stack that is looked at now, unless it shows another
 * scheme than the model's own; the tokens stay. */
static bool follow_stack(struct app *app, const struct setup *before, struct err *err)
{
	struct setup *const s = &app->scene.setup;
	const char *said;
	if (s->stack == before->stack || (s->stack == STACK_ONE) == (before->stack == STACK_ONE) ||
	    !setup_model_name(before, app->scratch))
		return true;
	if (!app_configuration(&app->scene, s->checkpoint, app->scratch, &said, err))
		return false;
	s->tokens = before->tokens;
	app_say(app, "stack: %s, with its expression and its sizes",
		field_get(&app->scene, field_find("stack"), app->scratch));
	return true;
}

/* Drops the values that belonged to the previous one, and reports them; another file begins with
 * its first sentence. */
static void put_aside(struct app *app, const struct setup *before, const struct field *field)
{
	scene_displace(&app->scene, field);
	if (strcmp(field->name, "stack") == 0 && app->scene.setup.stack == STACK_ONE)
		app->scene.setup.source = app->scene.setup.source_ids = scene_intern("");
	app_drop_governors(app, field);
	if (field_brings_structure(field) && strcmp(field->name, "governors") != 0)
		app->scene.setup.pick = 1;
	say_displaced(app, before, field->name);
}

/* Refuses sizes of heads that do not fit the heads, and keeps the former: the heads can be changed
 * before. d-model and heads must fit each other, so that either may be wrong until the other
 * follows. */
static bool sizes_right(const struct app *app, const struct field *field, struct arena *a,
			struct err *err)
{
	static const char *const of_heads[] = {"head-dim", "value-dim", "kv-heads"};
	const struct setup *const s = &app->scene.setup;
	struct model *const model = arena_calloc(a, 1, sizeof *model);
	const size_t len = strlen(field->name);
	struct err why = {""};
	bool is_among = false;
	for (size_t i = 0; i < sizeof of_heads / sizeof *of_heads; i++)
		is_among |= strcmp(field->name, of_heads[i]) == 0;
	if (!is_among)
		return true;
	struct model_config config = setup_config(s, (size_t)s->d_model);
	config.unfilled = true;
	if (model_build(model, &config, NULL, 0, NULL, a, &why) ||
	    strncmp(why.text, field->name, len) != 0 || why.text[len] != ':')
		return true;
	*err = why;
	return false;
}

bool command_field(struct app *app, const struct field *field, const char *args, struct err *err)
{
	const struct setup before = app->scene.setup;
	bool done;
	if (!without_value(app, &app->scene, field, args, &done, err))
		return false;
	const char *value = "";
	if (!done && (!scene_unquote(args, app->scratch, &value, err) ||
		      !app_models_in(field->name, value, app->scratch, &value, err) ||
		      !scene_add(&app->scene, field, value, err)))
		return false;
	if (*value || strcmp(field->name, "stack") == 0)
		put_aside(app, &before, field);
	else
		app_drop_governors(app, field);
	if (strcmp(field->name, "stack") == 0 && !follow_stack(app, &before, err))
		return false;
	return sizes_right(app, field, app->scratch, err) &&
	       field_right(app, field->fits, app->scratch, err);
}

bool command_setting(struct app *app, const struct field *f, const char *args, struct err *err)
{
	bool done;
	if (!without_value(app, &app->settings, f, args, &done, err) ||
	    (!done && !setting_set(&app->settings, f, args, err)))
		return false;
	app_say(app, "%s: %s", f->name, field_get(&app->settings, f, app->scratch));
	app->reactions |= REACT_TERMINAL;
	return true;
}
