/* commands_input.c: commands that change the order of the tokens.
 *
 * order[i] is the old place of the token now at place i, so moving what is seen is moving
 * entries. */
#include <string.h>

#include "app_in.h"
#include "posviz/num.h"
#include "posviz/rng.h"
#include "posviz/text.h"
#include "posviz/view.h"

/* Whether the picture is of the same text. A file is read again by what asks for another picture
 * of it, not by each token that moves. */
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
	/* The picture has the tokens read already; of given units it alone knows how many. */
	if (!app->shown.picture || (!*s->units && !is_shown(app)))
		return setup_order(s, a, order, n, in, err);
	*in = app->shown.picture->built.written;
	*n = in->moving;
	*order = arena_calloc(a, *n, sizeof **order);
	return input_parse_order(s->order, *n, *order, err);
}

static bool set_order(struct app *app, struct arena *a, const size_t *order, size_t n,
		      struct err *err)
{
	return scene_set(&app->scene, field_find("order"), input_print_order(a, order, n), err);
}

/* Two places from 1, parted by blanks. */
static bool two_places(const char *args, size_t n, size_t *from, size_t *to, struct err *err)
{
	const size_t len = strcspn(args, " ");
	const char *const rest = args + len + strspn(args + len, " ");
	long a, b;
	if (!num_parse_long(args, len, 1, (long)n, &a, err) ||
	    !num_parse_long(rest, strlen(rest), 1, (long)n, &b, err))
		return err_prefix(err, "place: ");
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
	struct arena a;
	arena_init(&a);
	size_t *order, n, from = 0, to = 0;
	bool ok = app_order(app, &a, &order, &n, NULL, err) && two_places(args, n, &from, &to, err);
	if (ok) {
		change(order, from, to);
		ok = set_order(app, &a, order, n, err);
	}
	arena_release(&a);
	return ok;
}

bool run_move(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)reactions;
	if (!strchr(args, ' '))
		return command_usage("move", err);
	app->series = "move";
	return change_places(app, args, move_entry, err);
}

bool run_swap(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)reactions;
	if (!strchr(args, ' '))
		return command_usage("swap", err);
	return change_places(app, args, swap_entries, err);
}

bool run_shuffle(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)reactions;
	static const char prefix[] = "shuffle:";
	const char *const now = app->scene.setup.order;
	uint64_t seed = 0;
	struct arena a;
	if (*args && !num_parse_u64(args, strlen(args), &seed, err))
		return err_prefix(err, "shuffle: ");
	const bool again = !*args && strncmp(now, prefix, strlen(prefix)) == 0;
	if (again && num_parse_u64(now + strlen(prefix), strlen(now) - strlen(prefix), &seed, NULL))
		seed++;
	arena_init(&a);
	const char *const order = arena_printf(&a, "%s%llu", prefix, (unsigned long long)seed);
	const bool ok = scene_set(&app->scene, field_find("order"), order, err);
	arena_release(&a);
	app->series = *args ? NULL : "shuffle";
	return ok;
}

bool run_reverse(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)args, (void)reactions;
	struct arena a;
	arena_init(&a);
	size_t *order, n;
	bool ok = app_order(app, &a, &order, &n, NULL, err);
	for (size_t i = 0; ok && i < n / 2; i++)
		swap_entries(order, i, n - 1 - i);
	ok = ok && set_order(app, &a, order, n, err);
	arena_release(&a);
	return ok;
}

bool run_restore(struct app *app, const char *args, unsigned *reactions, struct err *err)
{
	(void)args, (void)reactions;
	return scene_set(&app->scene, field_find("order"), "identity", err);
}
