/* open.c: opens a file or a sample by its kind: a snapshot, trees, a graph, a matrix, a script, a
 * text.
 *
 * No function here makes an entry of the history; the command that opens makes one for all
 * changes. */
#include <math.h>
#include <string.h>

#include "app_in.h"
#include "posviz/app/snapshot.h"
#include "posviz/base/text.h"
#include "posviz/format/disk.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"
#include "posviz/scene/sample.h"
#include "posviz/scheme/given.h"

enum { FILE_LIMIT = 256 << 20, MOST_OPENING = 8 };

struct opened {
	struct app *app;
	const char *path, *name; /* as given; for messages */
	char *data;
	size_t len;
	const char *sample; /* the field that takes it; NULL: it is a file */
	bool model;	    /* its metadata alone are read */
	struct arena a;
};

/* Limits the memory of an opened picture, because its author may be unknown. True: it wanted more
 * than the user allows. */
static bool limit_memory(struct scene *scene, const struct scene *before)
{
	const struct scene *const usual = scene_defaults();
	const double most = fmax(usual->setup.memory, before->setup.memory);
	const bool more = scene->setup.memory > most;
	if (more)
		scene->setup.memory = most;
	return more;
}

/* True if the scene can be built; an order that does not fit is dropped later. On the command line,
 * later options may still supply missing files. */
static bool can_build(struct opened *o, struct err *err)
{
	if (!o->app->background)
		return true;
	struct setup setup = o->app->scene.setup;
	struct built *const built = arena_calloc(&o->a, 1, sizeof *built);
	setup.order = scene_intern("identity");
	return setup_build(&setup, &o->a, built, err);
}

static bool open_snapshot(struct opened *o, struct err *err)
{
	const struct scene before = o->app->scene;
	const struct field *const memory = field_find("memory");
	const char *const tour = snapshot_tour(o->data, o->len, &o->a);
	if (!snapshot_scene(o->data, o->len, &o->a, &o->app->scene, err))
		return err_prefix(err, "%s: ", o->name);
	const char *const asked = scene_get(&o->app->scene, memory, &o->a);
	const bool more = limit_memory(&o->app->scene, &before);
	if (!can_build(o, err)) {
		o->app->scene = before;
		return err_prefix(err, "%s: ", o->name);
	}
	o->app->from_tour = tour ? scene_intern(tour) : NULL;
	if (more)
		app_say(o->app, "opened %s; it may take %s of memory, not the %s it asks for",
			o->name, scene_get(&o->app->scene, memory, &o->a), asked);
	else
		app_say(o->app, "opened %s", o->name);
	return true;
}

static bool says_nothing(const char *line)
{
	line += strspn(line, " \t\r");
	return *line == '\0' || *line == '\n' || *line == '#';
}

static bool run_lines(struct opened *o, struct err *err)
{
	char *text = o->data;
	size_t number = 0, run = 0;
	for (char *line; (line = strsep(&text, "\n")) != NULL;) {
		number++;
		line[strcspn(line, "\r")] = '\0';
		if (says_nothing(line))
			continue;
		if (!command_line(o->app, line, err)) {
			err_prefix(err, "%s:%zu: ", o->name, number);
			/* A text may begin like a script. */
			if (run == 0 && strlen(err->text) + strlen(o->name) < 400)
				err_set(err, "%s; if it is a text: file %s",
					arena_strdup(&o->a, err->text), o->name);
			return false;
		}
		scene_take_earlier(&o->app->scene, false);
		run++;
	}
	return true;
}

static bool open_script(struct opened *o, struct err *err)
{
	struct app *const app = o->app;
	if (app->opening == MOST_OPENING)
		return err_set(err, "%s: scripts open each other more than %d deep", o->name,
			       MOST_OPENING);
	app->opening++;
	app->message[0] = '\0';
	const bool ok = run_lines(o, err);
	app->opening--;
	app->series = NULL;
	if (ok && app->message[0] == '\0')
		app_say(app, "ran %s", o->name);
	return ok;
}

/* Sets the field as its command would: begins with the first sentence of the file, and clears the
 * fields that hide it. */
static bool open_as(struct opened *o, const char *name, struct err *err)
{
	struct app *const app = o->app;
	const struct field *const field = field_find(name);
	struct input tokens;
	if (!scene_set(&app->scene, field, o->path, err))
		return false;
	scene_displace(&app->scene, field);
	app->scene.setup.pick = 1;
	if (strcmp(name, "file") != 0 &&
	    !setup_tokens(&app->scene.setup, &o->a, &tokens, NULL, NULL, err))
		return false;
	app_say(app, "the %s is %s", strcmp(name, "file") == 0 ? "text" : name, o->name);
	return true;
}

/* Opens a tensor as a matrix of the user if its shape allows; else the error names the other
 * options for tensors. */
static bool open_matrix(struct opened *o, struct err *err)
{
	struct scene *const scene = &o->app->scene;
	struct built *const built = arena_calloc(&o->a, 1, sizeof *built);
	const char *expression;
	if (!given_expression(o->path, &o->a, &expression, err) ||
	    !scene_set(scene, field_find("scheme"), expression, err))
		return false;
	scene_adopt_sizes(scene);
	if (!setup_build(&scene->setup, &o->a, built, err))
		return strlen(err->text) < 300
			       ? err_set(err,
					 "%s; --units FILE takes vectors of tokens, --params and "
					 "--weights FILE what a model learned",
					 arena_strdup(&o->a, err->text))
			       : false;
	app_say(o->app, "the matrix is %s", o->name);
	return true;
}

static bool open_configuration(struct opened *o, struct err *err)
{
	const char *said;
	if (!app_configuration(&o->app->scene, o->path, &o->a, &said, err))
		return false;
	app_say(o->app, "%s", said);
	return true;
}

bool app_is_command(const char *word)
{
	return command_exists(word, NULL);
}

static bool open_kind(struct opened *o, const struct kind_seen *seen, struct err *err)
{
	const struct kind *const k = seen->kind;
	const char *const taker = arena_strndup(&o->a, k->takers, strcspn(k->takers, " "));
	switch (k->id) {
	case KIND_EMPTY:
		return err_set(err, "%s: the file is empty", o->name);
	case KIND_PICTURE:
		return open_snapshot(o, err);
	case KIND_SCRIPT:
	case KIND_CONFIG:
		return open_script(o, err);
	default:
		break;
	}
	/* Its scene may follow the pixels, or the file is damaged. */
	if (k->id == KIND_IMAGE && strcmp(seen->detail, "PNG") == 0)
		return open_snapshot(o, err);
	/* The user will read the shown text, so it must be UTF-8; an option accepts any bytes. */
	const struct kind_seen bytes = {.kind = &kinds[KIND_BINARY]};
	if (k->id == KIND_TEXT && !text_valid(o->data, o->len))
		return kind_refuse(&bytes, "open", o->path, err);
	if (!kind_is_taken(k, "open"))
		return kind_refuse(seen, "open", o->path, err);
	return kind_is_taken(k, "matrix-from") ? open_matrix(o, err) : open_as(o, taker, err);
}

static bool open_data(struct opened *o, struct err *err)
{
	struct kind_seen seen;
	if (o->model)
		return open_configuration(o, err);
	if (o->sample)
		return strcmp(o->sample, "open") == 0 ? open_script(o, err)
						      : open_as(o, o->sample, err);
	kind_look(o->path, o->data, o->len, app_is_command, &seen);
	return open_kind(o, &seen, err);
}

static bool read_sample(struct opened *o, struct err *err)
{
	struct sample s;
	if (!sample_find(o->path, &o->a, &s, err))
		return false;
	o->len = (size_t)(s.end - s.begin);
	o->data = arena_strndup(&o->a, s.begin, o->len);
	o->sample = s.field;
	return true;
}

/* The command line may name a pipe; in the running program it would block. */
static bool read_file(struct opened *o, struct err *err)
{
	struct kind_seen seen;
	if (kind_of_file(o->path, app_is_command, &seen, NULL)) {
		const enum kind_id id = seen.kind->id;
		o->model = id == KIND_MODEL_CONFIG || id == KIND_MODEL_DIR || id == KIND_GGUF;
		if (o->model)
			return true;
		if (id == KIND_DIRECTORY)
			return kind_refuse(&seen, "open", o->path, err);
	}
	return (!o->app->background || scene_file_right(o->path, err)) &&
	       file_read(o->path, FILE_LIMIT, &o->a, &o->data, &o->len, err);
}

/* True for "lesson.tour" and "lesson.tour#3", which the terminal program shows. */
static bool is_tour(const char *path)
{
	struct arena a;
	arena_init(&a);
	const char *const hash = strrchr(path, '#');
	const struct kind *k = kind_by_name(path);
	if (!k && hash)
		k = kind_by_name(arena_strndup(&a, path, (size_t)(hash - path)));
	arena_release(&a);
	return k && (k->id == KIND_TOUR || k->id == KIND_TOURS);
}

/* True for FILE:TENSOR, which has its own reader. */
static bool is_tensor(const char *path, struct arena *a)
{
	const char *const colon = strrchr(path, ':');
	const struct kind *const k =
		colon ? kind_by_name(arena_strndup(a, path, (size_t)(colon - path))) : NULL;
	return k && (kind_is_taken(k, "matrix-from") || k->id == KIND_JSON) && !file_exists(path);
}

bool app_open(struct app *app, const char *path, struct err *err)
{
	if (is_tour(path))
		return command_request(app, REQUEST_TOUR, scene_intern(path));
	struct err why = {""};
	struct opened o = {.app = app, .path = path};
	arena_init(&o.a);
	o.name = text_escape(&o.a, path, strlen(path));
	const bool ok = is_tensor(path, &o.a)
				? open_matrix(&o, &why)
				: (*path == '@' && !disk_is_inside(path) ? read_sample(&o, &why)
									 : read_file(&o, &why)) &&
					  open_data(&o, &why);
	arena_release(&o.a);
	return ok || err_set(err, "%s", why.text);
}
