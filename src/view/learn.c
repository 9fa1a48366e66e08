/* learn.c: the view Learn: the scheme in a small model that is trained on a task, at a moment of its
 * training, and how right it is at lengths that it was never trained on. */
#include <math.h>
#include <string.h>

#include "learn_in.h"

static unsigned learn_wants(const struct scene *scene)
{
	(void)scene;
	return 0;
}

/* ---- training ----------------------------------------------------------------------------------- */

static struct learn_options options_of(const struct scene *scene)
{
	struct learn_options o;
	learn_defaults(&o);
	o.scheme = scene->setup.scheme;
	o.task = scene->train_task;
	o.steps = (size_t)scene->train_steps;
	o.layers = (size_t)scene->train_layers;
	o.seed = scene->train_seed;
	return o;
}

static const void *learn_keep(const struct view_data *d, struct arena *a)
{
	struct learn_known *const out = arena_calloc(a, 1, sizeof *out);
	const struct learn_options o = options_of(d->scene);
	learn_known_of(&o, (size_t)d->scene->moment, d->most != SIZE_MAX, d->watch, a, out);
	return out;
}

static size_t learn_to_come(const void *of)
{
	const struct learn_known *const k = of;
	return k->to_come;
}

/* The task must exist. */
static bool learn_fits(const struct scene *scene, struct err *err)
{
	struct arena a;
	struct task task;
	arena_init(&a);
	const bool ok =
		task_open(&task, scene->train_task, &a, err) || err_prefix(err, "train-task: ");
	arena_release(&a);
	return ok;
}

static bool learn_same(const struct scene *a, const struct scene *b)
{
	return strcmp(a->train_task, b->train_task) == 0 && a->train_steps == b->train_steps &&
	       a->train_layers == b->train_layers && a->train_seed == b->train_seed &&
	       a->moment == b->moment;
}

/* ---- words -------------------------------------------------------------------------------------- */

static const char *share_text(double share, struct arena *a)
{
	return isnan(share) ? "n/a" : arena_printf(a, "%.2f", share);
}

static const char *made(const struct learn_known *k, struct arena *a)
{
	return arena_printf(a, "trained on %s, %zu%s steps, seed %llu", k->o.task, k->moment,
			    k->moment == k->o.steps ? "" : arena_printf(a, " of %zu", k->o.steps),
			    (unsigned long long)k->o.seed);
}

/* Returns "; at most 0.17 without position. Asked: the letter before this one."; what is not known is left out. */
static const char *beside(const struct learn_known *k, const struct accuracy *of, struct arena *a)
{
	return arena_printf(a, "%s.%s",
			    isnan(of->floor)
				    ? ""
				    : arena_printf(a, "; at most %.2f without position", of->floor),
			    k->asked ? arena_printf(a, " Asked: %s.", k->asked) : "");
}

static const char *finding(const struct learn_known *k, struct arena *a)
{
	const struct accuracy *const first = &k->at[0], *last = &k->at[LEARN_LENGTHS - 1];
	if (!k->tested)
		return arena_printf(a, "Training on %s%s: step %zu of %zu.", k->o.task,
				    k->asked ? arena_printf(a, " (asked: %s)", k->asked) : "",
				    k->done, k->o.steps);
	if (isnan(first->right))
		return arena_printf(a, "It cannot be tested: %s.", first->absent);
	const char *const right =
		k->moment == k->o.steps ? "Right" : arena_printf(a, "Right at step %zu", k->moment);
	while (last > first && isnan(last->right))
		last--;
	if (last == first)
		return arena_printf(a, "%s: %.2f at %zu tokens%s", right, first->right, first->n,
				    beside(k, first, a));
	return arena_printf(a, "%s: %.2f at %zu tokens, %.2f at %zu%s", right, first->right,
			    first->n, last->right, last->n, beside(k, last, a));
}

static const char *caption(const struct learn_known *k, struct arena *a)
{
	const char *const task =
		k->asked ? arena_printf(a, "Sentences of %s; asked: %s. ", k->sentence, k->asked)
			 : "";
	return arena_printf(
		a,
		"%s%s in a model of %zu layer%s, d %zu, %zu heads, ff %zu, %s, with %d sentences of up to %zu tokens a "
		"step; %s. Floor: what can be said without position%s.",
		task, k->o.scheme, k->o.layers, k->o.layers == 1 ? "" : "s", k->o.d, k->o.heads,
		k->o.ff, made(k, a), LEARN_BATCH, k->longest, k->says, k->mask);
}

/* ---- the figure --------------------------------------------------------------------------------- */

static void add(struct figure *f, unsigned char row, unsigned char col, unsigned char rows,
		unsigned char priority)
{
	view_place(&f->panels[f->n], row, col, 1, priority);
	f->panels[f->n++].rows = rows;
}

static void without(const struct view_data *d, const char *why, struct figure *out)
{
	out->panels[0] = (struct panel){.kind = PANEL_HEATMAP,
					.name = "weights",
					.title = "Weights after training",
					.absent = why};
	out->n = out->col_weight[0] = out->row_weight[0] = 1;
	out->caption = "Nothing was trained.";
	view_close(d, out);
}

static void learn_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct learn_known *const k = d->kept;
	view_frame(d, k->why ? "not trained" : made(k, a), a, out);
	if (k->why) {
		without(d, arena_printf(a, "not trained: %s", k->why), out);
		return;
	}
	out->finding = finding(k, a);
	out->caption = caption(k, a);
	learn_weights_panel(d, a, &out->panels[0]);
	add(out, 0, 0, 2, 0);
	learn_lengths_panel(d, a, &out->panels[1]);
	add(out, 0, 1, 1, 1);
	learn_loss_panel(d, a, &out->panels[2]);
	add(out, 1, 1, 1, 2);
	learn_distance_panel(d, a, &out->panels[3]);
	add(out, 2, 0, 1, 4);
	learn_places_panel(d, a, &out->panels[4]);
	add(out, 2, 1, 1, 3);
	out->by_grid = true;
	memcpy(out->col_weight, (unsigned char[]){1, 1}, 2);
	memcpy(out->row_weight, (unsigned char[]){5, 5, 5}, 3);
	view_close(d, out);
}

/* ---- numbers for dumps -------------------------------------------------------------------------- */

static void learn_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct learn_known *const k = d->kept;
	if (k->why) {
		numbers_say(out, "learn.steps", NAN, arena_printf(a, "n/a: %s", k->why), NULL);
		return;
	}
	numbers_say(out, "learn.steps", (double)k->moment, arena_printf(a, "%zu", k->moment),
		    made(k, a));
	if (!isnan(k->now.on_right))
		numbers_say(out, "learn.right_key", k->now.on_right, share_text(k->now.on_right, a),
			    "weight of the shown head on the keys that the answer depends on");
	for (size_t i = 0; i < LEARN_LENGTHS && k->tested; i++) {
		const struct accuracy *const at = &k->at[i];
		numbers_say(out, arena_printf(a, "learn.accuracy.%zu", at->n), at->right,
			    isnan(at->right) ? arena_printf(a, "n/a: %s", at->absent)
					     : share_text(at->right, a),
			    "share of right answers on fresh sentences of so many tokens");
		if (!isnan(at->floor))
			numbers_say(out, arena_printf(a, "learn.floor.%zu", at->n), at->floor,
				    share_text(at->floor, a), "what can be said without position");
	}
	const struct mat loss = mat_new(a, 1, k->done);
	memcpy(loss.at, k->loss, k->done * sizeof *loss.at);
	numbers_add(out, "learn.loss", loss);
	numbers_add(out, "learn.weights", k->now.weights);
}

const struct view view_learn = {"learn",
				"Learn",
				"What does a model learn, at which lengths?",
				learn_wants,
				learn_figure,
				.keep = learn_keep,
				.numbers = learn_numbers,
				.fits = learn_fits,
				.same = learn_same,
				.to_come = learn_to_come,
				.no_cell = true,
				.broad = true,
				.slow = true,
				.of_units = true};
