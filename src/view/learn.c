/* learn.c: the view Learn: the scheme in a small model that is trained on a task, at a moment of its
 * training, and how right it is at lengths that it was never trained on; or up to four schemes, trained
 * on the same sentences. */
#include <math.h>
#include <string.h>

#include "learn_in.h"

static unsigned learn_wants(const struct scene *scene)
{
	(void)scene;
	return 0;
}

/* ---- training ----------------------------------------------------------------------------------- */

/* Returns "t5+causal" for "t5(buckets=16)+causal". */
static const char *without_parameters(const char *name, struct arena *a)
{
	const size_t len = strlen(name);
	char *const out = arena_strndup(a, name, len);
	size_t n = 0, depth = 0;
	for (size_t i = 0; i < len; i++) {
		depth += name[i] == '(';
		if (depth == 0)
			out[n++] = name[i];
		depth -= name[i] == ')' && depth > 0;
	}
	out[n] = '\0';
	return out;
}

/* Gives the schemes brief names; schemes that differ in their parameters alone keep the parameters in theirs. */
static void name_briefly(struct learn_shown *all, struct arena *a)
{
	bool apart = true;
	for (size_t i = 0; i < all->n; i++)
		all->name[i] = without_parameters(all->whole[i], a);
	for (size_t i = 0; i < all->n; i++)
		for (size_t j = 0; j < i; j++)
			apart &= strcmp(all->name[i], all->name[j]) != 0;
	for (size_t i = 0; i < all->n && !apart; i++)
		all->name[i] = all->whole[i];
}

static const void *learn_keep(const struct view_data *d, struct arena *a)
{
	struct learn_shown *const out = arena_calloc(a, 1, sizeof *out);
	const bool partial = d->most != SIZE_MAX;
	struct learn_options o;
	learn_of_scene(d->scene, d->scene->setup.scheme, &o);
	out->n = d->n_compared < 2 ? 1 : d->n_compared < LEARN_SHOWN ? d->n_compared : LEARN_SHOWN;
	for (size_t i = 0; i < out->n; i++) {
		struct learn_known *const k = &out->of[i];
		if (out->n > 1) {
			o.scheme = d->compared[i].expression;
			out->whole[i] = d->compared[i].expression_name;
		}
		if (d->scene->train_grid > 0)
			continue;
		learn_known_of(&o, (size_t)d->scene->moment, partial, d->watch, a, k);
		if (!k->why && k->tested && k->moment == k->o.steps)
			learn_seeds_of(&o, (size_t)d->scene->train_seeds, partial, d->watch, a,
				       &out->seeds[i]);
	}
	if (out->n > 1)
		name_briefly(out, a);
	if (d->scene->train_grid > 0)
		learn_grid_keep(d, partial, a, out);
	return out;
}

static size_t learn_to_come(const void *of)
{
	const struct learn_shown *const all = of;
	size_t n = all->grid ? all->grid->runs - all->grid->done : 0;
	for (size_t i = 0; i < all->n; i++)
		n += all->of[i].to_come + all->seeds[i].to_come;
	return n;
}

/* The task must exist, and the moment be a step of the training. */
static bool learn_fits(const struct scene *scene, struct err *err)
{
	struct arena a;
	struct task task;
	arena_init(&a);
	const bool ok =
		task_open(&task, scene->train_task, &a, err) || err_prefix(err, "train-task: ");
	arena_release(&a);
	return ok && (!learn_is_beyond(scene) ||
		      err_set(err, "moment: there is no step %ld; 0 to %zu would be right",
			      scene->moment, learn_last_step(scene)));
}

static bool learn_same(const struct scene *a, const struct scene *b)
{
	return strcmp(a->train_task, b->train_task) == 0 && a->train_steps == b->train_steps &&
	       a->train_layers == b->train_layers && a->train_seed == b->train_seed &&
	       a->train_seeds == b->train_seeds && a->train_grid == b->train_grid &&
	       a->moment == b->moment;
}

/* ---- the figure --------------------------------------------------------------------------------- */

static struct panel *add(struct figure *f, unsigned char row, unsigned char col, unsigned char rows,
			 unsigned char cols, unsigned char priority)
{
	struct panel *const p = &f->panels[f->n++];
	view_place(p, row, col, cols, priority);
	p->rows = rows;
	return p;
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

static void draw_alone(const struct view_data *d, struct arena *a, struct figure *out)
{
	learn_weights_panel(d, 0, a, &out->panels[0]);
	add(out, 0, 0, 2, 1, 0);
	learn_lengths_panel(d, 0, a, &out->panels[1]);
	add(out, 0, 1, 1, 1, 1);
	learn_loss_panel(d, a, &out->panels[2]);
	add(out, 1, 1, 1, 1, 2);
	learn_distance_panel(d, a, &out->panels[3]);
	add(out, 2, 0, 1, 1, 4);
	learn_places_panel(d, a, &out->panels[4]);
	add(out, 2, 1, 1, 1, 3);
	memcpy(out->col_weight, (unsigned char[]){1, 1}, 2);
	memcpy(out->row_weight, (unsigned char[]){5, 5, 5}, 3);
}

/* Rows of cells that four bars have room in, with their frame. */
enum { SEVERAL_ROWS = 6 };

/* A column for each scheme, and below them the curves of all; of three each has two tracks. */
static void draw_several(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct learn_shown *const all = d->kept;
	const size_t n = all->n, tracks = n == 3 ? 6 : n;
	const unsigned char each = (unsigned char)(tracks / n), half = (unsigned char)(tracks / 2);
	for (size_t i = 0; i < n; i++) {
		learn_lengths_panel(d, i, a, &out->panels[out->n]);
		add(out, 0, (unsigned char)(i * each), 1, each, 0);
	}
	for (size_t i = 0; i < n; i++) {
		learn_weights_panel(d, i, a, &out->panels[out->n]);
		add(out, 1, (unsigned char)(i * each), 1, each, 3);
	}
	learn_loss_panel(d, a, &out->panels[out->n]);
	add(out, 2, 0, 1, half, 1);
	learn_places_panel(d, a, &out->panels[out->n]);
	add(out, 2, half, 1, half, 2);
	out->least_rows = SEVERAL_ROWS;
	memset(out->col_weight, 1, tracks);
	memcpy(out->row_weight, (unsigned char[]){3, 8, 5}, 3);
	out->title = "";
	for (size_t i = 0; i < n; i++)
		out->title = view_beside(out->title, all->whole[i], a);
}

static void learn_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct learn_shown *const all = d->kept;
	const struct learn_known *k = all->of;
	if (all->grid) {
		view_frame(d, "trained on several tasks", a, out);
		learn_grid_figure(d, a, out);
		out->by_grid = true;
		view_close(d, out);
		return;
	}
	for (size_t i = 0; i + 1 < all->n && k->why; i++)
		k++;
	view_frame(d, k->why ? "not trained" : learn_made(k, a), a, out);
	if (k->why) {
		without(d, arena_printf(a, "not trained: %s", k->why), out);
		return;
	}
	out->finding = learn_finding(d, a);
	out->caption = learn_caption(d, a);
	(all->n > 1 ? draw_several : draw_alone)(d, a, out);
	if (all->n > 1)
		out->subtitle = learn_made(k, a);
	out->by_grid = true;
	view_close(d, out);
}

/* ---- numbers for dumps -------------------------------------------------------------------------- */

static void say_lengths(const struct learn_shown *all, size_t i, const char *of, struct arena *a,
			struct numbers *out)
{
	const struct learn_known *const k = &all->of[i];
	for (size_t l = 0; l < LEARN_LENGTHS && k->tested; l++) {
		const struct accuracy *const at = &k->at[l];
		const struct spread *const s = &all->seeds[i].at[l];
		numbers_say(out, arena_printf(a, "learn%s.accuracy.%zu", of, at->n), at->right,
			    isnan(at->right) ? arena_printf(a, "n/a: %s", at->absent)
					     : learn_share(at->right, a),
			    "share of right answers on fresh sentences of so many tokens");
		if (!isnan(at->floor))
			numbers_say(out, arena_printf(a, "learn%s.floor.%zu", of, at->n), at->floor,
				    learn_share(at->floor, a), "what can be said without position");
		if (!learn_has_seeds(all, i) || isnan(s->mean))
			continue;
		const struct {
			const char *name;
			double value;
		} over[] = {{"mean", s->mean}, {"least", s->least}, {"most", s->most}};
		for (size_t m = 0; m < 3; m++)
			numbers_say(out, arena_printf(a, "learn%s.%s.%zu", of, over[m].name, at->n),
				    over[m].value, learn_share(over[m].value, a),
				    arena_printf(a, "accuracy over %zu seeds", all->seeds[i].n));
	}
}

static void say_training(const struct learn_shown *all, size_t i, struct arena *a,
			 struct numbers *out)
{
	const struct learn_known *const k = &all->of[i];
	const char *const of = i == 0 ? "" : arena_printf(a, ".%zu", i + 1);
	if (k->why) {
		numbers_say(out, arena_printf(a, "learn%s.steps", of), NAN,
			    arena_printf(a, "n/a: %s", k->why), NULL);
		return;
	}
	numbers_say(out, arena_printf(a, "learn%s.steps", of), (double)k->moment,
		    arena_printf(a, "%zu", k->moment), learn_made(k, a));
	if (!isnan(k->now.on_right))
		numbers_say(out, arena_printf(a, "learn%s.right_key", of), k->now.on_right,
			    learn_share(k->now.on_right, a),
			    "weight of the shown head on the keys that the answer depends on");
	say_lengths(all, i, of, a, out);
	const struct mat loss = mat_new(a, 1, k->done);
	memcpy(loss.at, k->loss, k->done * sizeof *loss.at);
	numbers_add(out, arena_printf(a, "learn%s.loss", of), loss);
	numbers_add(out, arena_printf(a, "learn%s.weights", of), k->now.weights);
}

static void learn_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct learn_shown *const all = d->kept;
	if (all->grid)
		learn_grid_numbers(all->grid, a, out);
	for (size_t i = 0; i < all->n && !all->grid; i++)
		say_training(all, i, a, out);
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
				.beside = true,
				.broad = true,
				.slow = true,
				.of_units = true};
