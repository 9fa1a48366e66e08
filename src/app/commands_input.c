/* commands_input.c: commands that change the order of the tokens.
 *
 * order[i] is the old place of the token now at place i, so a token is moved by moving its
 * entry. */
#include <string.h>

#include "app_in.h"
#include "posviz/base/num.h"
#include "posviz/view/run.h"

/* True if the picture shows the same text. A file is read again for another picture, but not each
 * time a token is moved. */
static bool is_shown(const struct app *app)
{
	const struct setup *const s = &app->scene.setup;
	const struct setup *const p = app->shown.scene ? &app->shown.scene->setup : NULL;
	return p && setup_same_tokens(s, p) && *p->units == '\0';
}

bool app_order(const struct app *app, struct arena *a, size_t **order, size_t *n,
	       struct input *tokens, struct err *err)
{
	const struct setup *const s = &app->scene.setup;
	struct input own = {0};
	struct input *const in = tokens ? tokens : &own;
	/* The picture contains the tokens already read; only it knows the number of given units. */
	if (!app->shown.picture || (!*s->units && !is_shown(app)))
		return setup_order(s, a, order, n, in, err);
	*in = app->shown.picture->built.written;
	*n = in->moving;
	*order = arena_calloc(a, *n, sizeof **order);
	return input_parse_order(s->order, *n, *order, err);
}

/* Other words stand in the order in which they were typed. */
static bool as_typed(struct scene *scene, const struct setup *before, struct err *err)
{
	return setup_same_tokens(&scene->setup, before) ||
	       scene_set(scene, field_find("order"), "identity", err);
}

bool app_retype(struct scene *scene, const char *text, struct err *err)
{
	const struct field *const field = field_find("sentence");
	const struct setup before = scene->setup;
	if (!scene_set(scene, field, text, err))
		return false;
	scene_displace(scene, field);
	return as_typed(scene, &before, err);
}

/* The command sets the sentence and its order at once: no picture of the new words in the old order is made in between. */
bool run_retype(struct app *app, const char *args, struct err *err)
{
	const struct setup before = app->scene.setup;
	return command_field(app, field_find("sentence"), args, err) &&
	       as_typed(&app->scene, &before, err);
}

/* A picture takes the place of the sentence: tokens are words, among which it is read. */
bool run_patches(struct app *app, const char *args, struct err *err)
{
	const char *const text = input_patches(args, app->scratch, err);
	return text && scene_set(&app->scene, field_find("tokens"), "words", err) &&
	       run_retype(app, text, err);
}

static bool set_order(struct app *app, const size_t *order, size_t n, struct err *err)
{
	return scene_set(&app->scene, field_find("order"),
			 input_print_order(app->scratch, order, n), err);
}

/* Reads two places, from 1, separated by blanks. */
static bool two_places(const char *args, size_t n, size_t *from, size_t *to, struct err *err)
{
	const size_t len = strcspn(args, " ");
	const char *const rest = args + len + strspn(args + len, " ");
	long a, b;
	if (!num_parse_long(args, len, 1, (long)n, &a, err) ||
	    !num_parse_long(rest, strlen(rest), 1, (long)n, &b, err))
		return err_prefix(err, "position: ");
	*from = (size_t)a - 1;
	*to = (size_t)b - 1;
	return true;
}

static void move_entry(size_t *order, size_t from, size_t to)
{
	const size_t moved = order[from];
	if (from < to)
		memmove(order + from, order + from + 1, (to - from) * sizeof *order);
	else
		memmove(order + to + 1, order + to, (from - to) * sizeof *order);
	order[to] = moved;
}

static void swap_entries(size_t *order, size_t one, size_t other)
{
	const size_t kept = order[one];
	order[one] = order[other];
	order[other] = kept;
}

static bool change_places(struct app *app, const char *args,
			  void (*change)(size_t *order, size_t from, size_t to), struct err *err)
{
	size_t *order, n, from = 0, to = 0;
	if (!app_order(app, app->scratch, &order, &n, NULL, err) ||
	    !two_places(args, n, &from, &to, err))
		return false;
	change(order, from, to);
	return set_order(app, order, n, err);
}

bool run_move(struct app *app, const char *args, struct err *err)
{
	if (!strchr(args, ' '))
		return command_usage("move", err);
	app->series = "move";
	return change_places(app, args, move_entry, err);
}

bool run_swap(struct app *app, const char *args, struct err *err)
{
	if (!strchr(args, ' '))
		return command_usage("swap", err);
	return change_places(app, args, swap_entries, err);
}

bool run_shuffle(struct app *app, const char *args, struct err *err)
{
	static const char prefix[] = "shuffle:";
	const char *const now = app->scene.setup.order;
	uint64_t seed = 0;
	if (*args && !num_parse_u64(args, strlen(args), &seed, err))
		return err_prefix(err, "shuffle: ");
	const bool again = !*args && strncmp(now, prefix, strlen(prefix)) == 0;
	if (again && num_parse_u64(now + strlen(prefix), strlen(now) - strlen(prefix), &seed, NULL))
		seed++;
	const char *const order =
		arena_printf(app->scratch, "%s%llu", prefix, (unsigned long long)seed);
	app->series = *args ? NULL : "shuffle";
	return scene_set(&app->scene, field_find("order"), order, err);
}

bool run_reverse(struct app *app, const char *args, struct err *err)
{
	(void)args;
	size_t *order, n;
	if (!app_order(app, app->scratch, &order, &n, NULL, err))
		return false;
	for (size_t i = 0; i < n / 2; i++)
		swap_entries(order, i, n - 1 - i);
	return set_order(app, order, n, err);
}

bool run_restore(struct app *app, const char *args, struct err *err)
{
	(void)args;
	return scene_set(&app->scene, field_find("order"), "identity", err);
}
