/* recorder_lines.c: the commands that lead from one scene to another.
 *
 * A command may change more than its field: a tree takes the place of the sentence, another sentence that of an order.
 * So they are run, and what is still other is set after that; then each that makes no difference is left out. */
#include "posviz/tour/recorder.h"

#include <string.h>

#include "posviz/base/strbuf.h"

enum { ROUNDS = 4, MOST_LINES = 256 };

struct commands {
	const char *at[MOST_LINES];
	size_t n;
};

/* "order reverse"; at its default the field is not among those that scene_print prints. */
static const char *line_of(const struct field *f, const struct scene *scene, struct arena *a)
{
	struct scene alone;
	const char *const value = scene_get(scene, f, a);
	scene_init(&alone);
	if (*value == '\0' || strcmp(value, "next") == 0 || strcmp(value, "prev") == 0)
		return arena_printf(a, "%s \"%s\"", f->name, value);
	if (strcmp(value, f->type.def_text) == 0 || !scene_set(&alone, f, value, NULL))
		return arena_printf(a, "%s %s", f->name, value);
	char *const line = arena_strdup(a, scene_print(&alone, a));
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static bool other(const struct field *f, const struct scene *x, const struct scene *y,
		  struct arena *a)
{
	return strcmp(scene_get(x, f, a), scene_get(y, f, a)) != 0;
}

static bool run(struct app *app, const char *line)
{
	unsigned reactions;
	struct err err;
	const bool ok = app_command(app, line, &reactions, &err);
	app->n_undo = app->n_redo = 0;
	return ok;
}

/* Each field that is other, once. */
static void set_fields(struct app *app, const struct scene *to, struct commands *c, struct arena *a)
{
	for (const struct field *f = scene_fields; f->name && c->n + 1 < MOST_LINES; f++) {
		if (!other(f, &app->scene, to, a))
			continue;
		const char *const line = line_of(f, to, a);
		if (f->joined && run(app, arena_printf(a, "%s %s", f->name, f->type.def_text)))
			c->at[c->n++] = arena_printf(a, "%s %s", f->name, f->type.def_text);
		if (run(app, line))
			c->at[c->n++] = line;
	}
}

static bool leads(struct app *app, const struct scene *from, const struct scene *to,
		  const struct commands *c, size_t without)
{
	bool ok = true;
	app->scene = *from;
	for (size_t i = 0; i < c->n && ok; i++)
		ok = i == without || run(app, c->at[i]);
	return ok && scene_equal(&app->scene, to);
}

static void drop_needless(struct app *app, const struct scene *from, const struct scene *to,
			  struct commands *c)
{
	for (size_t i = 0; i < c->n && c->n > 1;) {
		if (!leads(app, from, to, c, i)) {
			i++;
			continue;
		}
		memmove(&c->at[i], &c->at[i + 1], (c->n - i - 1) * sizeof c->at[0]);
		c->n--;
	}
}

static bool no_way(const struct scene *is, const struct scene *to, struct arena *a, struct err *err)
{
	const struct field *f = scene_fields;
	while (f->name && !other(f, is, to, a))
		f++;
	return err_set(err, "no command makes this scene: %s", f->name ? line_of(f, to, a) : "");
}

static bool find(struct app *app, const struct scene *from, const struct scene *to,
		 struct commands *c, struct arena *a, struct err *err)
{
	app->scene = *from;
	for (size_t i = 0; i < c->n; i++)
		run(app, c->at[i]);
	for (int round = 0; round < ROUNDS && !scene_equal(&app->scene, to); round++)
		set_fields(app, to, c, a);
	if (!scene_equal(&app->scene, to))
		return no_way(&app->scene, to, a, err);
	drop_needless(app, from, to, c);
	return leads(app, from, to, c, c->n) || no_way(&app->scene, to, a, err);
}

bool recorder_lines(const struct scene *from, const struct scene *to, struct arena *a,
		    const char **lines, struct scene *made, struct err *err)
{
	struct app *const app = arena_calloc(a, 1, sizeof *app);
	struct commands *const c = arena_calloc(a, 1, sizeof *c);
	struct strbuf b;
	struct err why = {""};
	app_init(app);
	app->background = true; /* nothing is written */
	bool ok = find(app, from, to, c, a, &why);
	if (!ok) { /* what stood there before may be in the way */
		*c = (struct commands){.at = {"reset"}, .n = 1};
		ok = find(app, from, to, c, a, &why) || err_set(err, "%s", why.text);
	}
	*made = app->scene;
	app_release(app);
	strbuf_init(&b, a);
	for (size_t i = 0; ok && i < c->n; i++)
		strbuf_printf(&b, "%s\n", c->at[i]);
	*lines = b.at;
	return ok;
}
