/* app.c: a session: its scene, its history, its message. */
#include "app_in.h"

#include <stdio.h>
#include <string.h>

#include "posviz/picture/picture.h"

void app_init(struct app *app)
{
	memset(app, 0, sizeof *app);
	arena_init(&app->arena);
	app->param = PARAM_OBVIOUS;
	keymap_list(app);
	scene_init(&app->scene);
	settings_init(&app->settings);
}

void app_release(struct app *app)
{
	arena_release(&app->arena);
}

void app_say(struct app *app, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(app->message, sizeof app->message, fmt, args);
	va_end(args);
	app->message_is_error = false;
}

bool app_ends(struct app *app, const char *words, struct err *err)
{
	if (!app->background)
		return err_set(err, "%s", words);
	app_say(app, "%s", words);
	return true;
}

bool app_same_numbers(const struct scene *a, const struct scene *b)
{
	/* A picture of all heads or layers has the numbers of each of them, whichever is chosen. */
	const bool all = view_of(a)->all_heads && strcmp(a->sweep, "none") == 0,
		   every = view_of(a)->walk, head = every || (all && a->heads_of != HEADS_OF_HEAD),
		   layer = every || (all && a->heads_of != HEADS_OF_LAYER);
	const bool cell = !view_of(a)->cell_numbers || (a->row == b->row && a->col == b->col);
	return cell && setup_equal(&a->setup, &b->setup) && a->view == b->view &&
	       a->matrix == b->matrix && (head || a->head == b->head) &&
	       (layer || a->layer == b->layer) && a->reach == b->reach &&
	       a->merge_pieces == b->merge_pieces && a->heads_of == b->heads_of &&
	       a->vectors == b->vectors && a->timing == b->timing &&
	       (!view_of(a)->own || strcmp(a->figure, b->figure) == 0) &&
	       (!view_of(a)->lengths ||
		(a->within == b->within && strcmp(a->lengths, b->lengths) == 0)) &&
	       (!view_of(a)->same || view_of(a)->same(a, b)) && strcmp(a->sweep, b->sweep) == 0;
}

struct scene app_seen(const struct app *app)
{
	struct scene scene = app->scene;
	const struct picture *const p = app->shown.picture;
	struct arena a;
	arena_init(&a);
	if (app->zoom && p && app->pane < p->figure.n)
		scene.panel = scene_intern(figure_panel_name(&p->figure, app->pane, &a));
	arena_release(&a);
	return scene;
}

/* An explicit order names every token, so it fits only the same number of tokens. */
static bool order_fits(const struct scene *scene)
{
	struct arena a;
	arena_init(&a);
	size_t *order, n;
	struct input tokens = {0};
	struct err err;
	/* If the tokens cannot be read, the order is not the reason. */
	const bool fits =
		setup_order(&scene->setup, &a, &order, &n, &tokens, &err) || tokens.n == 0;
	arena_release(&a);
	return fits;
}

/* True if the fields that name every word fit the present words. */
static bool words_fit(const struct setup *s)
{
	struct arena a;
	arena_init(&a);
	struct setup bare = *s;
	struct input tokens;
	const double *reorder;
	const double *ids;
	bool three;
	bare.governors = bare.moved_edges = "";
	bare.segments = "none";
	bare.memory_tokens = 0;
	const bool readable = setup_tokens(&bare, &a, &tokens, NULL, NULL, NULL);
	const bool fits = !readable || (setup_tokens(s, &a, &tokens, NULL, NULL, NULL) &&
					setup_position_ids(s, &tokens, &a, &ids, &three, NULL) &&
					setup_reorder(s, &tokens, &a, &reorder, NULL, NULL));
	arena_release(&a);
	return fits;
}

/* The fields that count words or units, and the message if one does not fit. */
static const struct {
	const char *field, *said;
} counted[] = {
	{"governors", "the governors did not fit the new words and are gone"},
	{"moved-edges", "the moved edges did not fit the graph and are as read again"},
	{"reorder", "the re-ordering did not fit the new words and is gone"},
	{"alignment", "the alignment did not fit the new words and is gone"},
	{"position-ids", "the position ids did not fit the new words and are gone"},
	{"segments", "the segments did not fit the new words and are gone"},
	{"memory-tokens", "the memory did not fit the new words and is gone"},
};
enum { COUNTED = sizeof counted / sizeof *counted };

static void unset(struct scene *scene, size_t i)
{
	const struct field *const f = field_find(counted[i].field);
	if (!scene_set(scene, f, f->type.def_text, NULL))
		BUG("default of %s", f->name);
}

const char *app_settle_words(struct scene *scene)
{
	const char *said = NULL;
	for (size_t i = 0; i < COUNTED && !*scene->setup.units; i++) {
		/* Each is checked alone, so that it is not dropped because of another that does not
		 * fit. */
		struct scene alone = *scene, without = *scene;
		for (size_t k = 0; k < COUNTED; k++)
			if (k != i)
				unset(&alone, k);
		unset(&without, i);
		if (scene_equal(&without, scene) || words_fit(&alone.setup))
			continue;
		*scene = without;
		said = counted[i].said;
	}
	return said;
}

bool app_settle(struct scene *scene)
{
	const struct setup *const s = &scene->setup;
	if (scene->head > s->heads)
		scene->head = s->heads;
	const bool listed = s->order[0] >= '0' && s->order[0] <= '9';
	if (!listed || order_fits(scene))
		return false;
	scene->setup.order = scene_intern("identity");
	return true;
}
