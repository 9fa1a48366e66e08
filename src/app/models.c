/* models.c: released models by name, as fields of the scene: the expression of their positions and
 * their sizes. What a model is too large for is refused by --memory, as any other sizes are. */
#include <stdio.h>

#include "app_in.h"
#include "posviz/scheme/released.h"

static bool set_long(struct scene *scene, const char *field, long value, bool zero, struct err *err)
{
	char text[32];
	snprintf(text, sizeof text, "%ld", value);
	return scene_set(scene, field_find(field), value == 0 && zero ? "auto" : text, err);
}

bool app_model(struct scene *scene, const char *name, const struct released **out, struct err *err)
{
	const struct released *const r = released_find(name, err);
	*out = r;
	return r && scene_set(scene, field_find("scheme"), r->expression, err) &&
	       set_long(scene, "d-model", r->d, false, err) &&
	       set_long(scene, "heads", r->heads, false, err) &&
	       set_long(scene, "layers", r->layers, false, err) &&
	       set_long(scene, "head-dim", r->head_dim, true, err) &&
	       set_long(scene, "value-dim", r->value_dim, true, err) &&
	       set_long(scene, "kv-heads", r->kv_heads, true, err) &&
	       (r->t_max == 0 || set_long(scene, "t-max", r->t_max, false, err));
}

bool run_model(struct app *app, const char *args, struct err *err)
{
	const struct released *r;
	if (*args == '\0')
		return command_usage("model", err);
	if (!app_model(&app->scene, args, &r, err))
		return false;
	app_say(app, "%s: %s, in its sizes%s%s", args, r->expression,
		r->left_out ? "; left out: " : "", r->left_out ? r->left_out : "");
	return true;
}

void complete_model(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	for (const struct released *r = released_models; r->names; r++) {
		size_t len;
		const char *const at = released_name(r, &len);
		candidates_note(out, arena_strndup(out->arena, at, len), r->expression);
	}
}
