/* learner.c: a learner: its model, and the numbers that learn as one row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/math/machine.h"
#include "posviz/scene/scene.h"
#include "train_in.h"

/* The default model; content as in the default scene's gain, for random projections. */
enum {
	WIDTH = 32,
	HEADS = 4,
	FEED = 64,
	STEPS = 500,
	STEPS_DEEP = 600,
	SPAN = 8,
	STEPS_MOST = 100000
};
static const double rate = 0.01, rate_deep = 0.005, content = 2;

void learn_defaults(struct learn_options *o)
{
	*o = (struct learn_options){.scheme = "none",
				    .task = "shift",
				    .d = WIDTH,
				    .heads = HEADS,
				    .ff = FEED,
				    .layers = 1,
				    .seed = 1,
				    .init = INIT_PAPER};
}

void learn_complete(struct learn_options *o)
{
	o->steps = o->steps ? o->steps : o->layers > 1 ? STEPS_DEEP : STEPS;
	o->rate = o->rate > 0 ? o->rate : o->layers > 1 ? rate_deep : rate;
}

/* ---- the model ------------------------------------------------------------------------------ */

/* A sentence of the longest trained length, so that the model is built for letters. */
static const char *sentence_of(const struct task *task, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t t = 0; t < task->longest; t++)
		strbuf_printf(&b, "%s%c", t ? " " : "", (int)('a' + t % 26));
	return scene_intern(b.at);
}

static struct setup setup_of(const struct learner *l, const char *scheme, struct arena *a)
{
	struct setup s = scene_defaults()->setup;
	s.sentence = sentence_of(&l->task, a);
	s.scheme = scene_intern(scheme);
	s.d_model = (long)l->o.d;
	s.heads = (long)l->o.heads;
	s.ff = (long)l->o.ff;
	s.layers = (long)l->o.layers;
	s.t_max = (long)(SPAN * l->task.longest);
	s.seed = l->o.seed;
	s.proj = PROJ_RANDOM;
	s.init = (int)l->o.init;
	s.activation = (int)l->o.activation;
	s.content = content;
	return s;
}

static const struct built *build(struct learner *l, const char *scheme, struct err *err)
{
	struct arena *const a = &l->private->arena;
	struct built *const b = arena_calloc(a, 1, sizeof *b);
	const struct setup s = setup_of(l, scheme, a);
	struct err why = {""};
	if (!setup_build(&s, a, b, &why)) {
		err_set(err, "%s", why.text);
		return NULL;
	}
	if (model_looked_at(&b->model)) {
		err_set(err, "%s is only looked at: nothing is computed that could learn", scheme);
		return NULL;
	}
	return b;
}

bool learner_causal(const struct learner *l)
{
	return l->private->causal;
}

/* Returns whether no head sees a token behind its query. */
static bool hides_later(const struct run *run)
{
	const size_t n = run->n;
	for (size_t h = 0; h < run->model->config.heads; h++) {
		const uint8_t *const allowed = run->heads[h].allowed;
		for (size_t t = 0; t < n; t++)
			for (size_t s = t + 1; s < n; s++)
				if (!allowed || run->keys->n != n || allowed[t * n + s])
					return false;
	}
	return true;
}

/* Runs one sentence of the longest trained length: an expression that cannot be run says why. */
static bool try_sentence(struct learner *l, struct err *err)
{
	struct arena a;
	struct example e;
	struct taped t;
	struct run *run;
	const int32_t *target;
	arena_init(&a);
	task_room(&e, l->task.longest, &a);
	taped_begin(l, l->b, false, &a, &t);
	const bool ok = taped_run(l, l->b, &t, &e, 1, &target, &run, err);
	l->private->causal = ok && hides_later(run);
	arena_release(&a);
	return ok;
}

/* ---- what learns ---------------------------------------------------------------------------- */

static void add_learned(struct learner *l, const char *name, struct mat at, bool frozen,
			struct learned_place place)
{
	place.first = SIZE_MAX;
	l->private->place[l->n_learned] = place;
	l->learned[l->n_learned++] = (struct learned){name, at, frozen};
}

static void add_weights(struct learner *l, size_t layer, struct arena *a)
{
	const struct model *const model = &l->b->model;
	for (enum weight w = 0; w < WEIGHT_GIVEN; w++) {
		size_t rows, cols;
		if (!model_has_weight(model, layer, w, &rows, &cols))
			continue;
		const struct mat at = mat_new(a, rows, cols);
		model_draw_weight(model, layer, w, at);
		add_learned(l, arena_printf(a, "layer.%zu.%s", layer, model_weight_name(w)), at,
			    l->o.positions_only,
			    (struct learned_place){LEARNED_WEIGHT, .layer = layer, .weight = w});
	}
}

/* Token vectors are drawn N(0, 1) by the names of letters, O as N(0, 1/d). */
static void add_ends(struct learner *l, struct arena *a)
{
	const struct model_config *const c = &l->b->model.config;
	size_t *const len = arena_calloc(a, l->task.letters, sizeof *len);
	for (size_t i = 0; i < l->task.letters; i++)
		len[i] = strlen(l->task.letter[i]);
	const struct mat e = model_units(a, c, l->task.letter, len, l->task.letters);
	const struct mat o = mat_new(a, c->d, l->task.classes);
	struct rng rng;
	rng_init_name(&rng, c->seed, "output");
	mat_fill_normal(o, 1 / sqrt((double)c->d), &rng);
	add_learned(l, "embedding", e, l->o.positions_only,
		    (struct learned_place){LEARNED_EMBEDDING});
	add_learned(l, "output", o, l->o.positions_only, (struct learned_place){LEARNED_OUTPUT});
}

/* Moves the numbers that learn into one row, to which model and matrices point from then on. */
static void gather(struct learner *l, struct arena *a)
{
	struct model *const model = (struct model *)(uintptr_t)&l->b->model;
	for (size_t i = 0; i < l->n_learned; i++)
		if (!l->learned[i].frozen) {
			l->private->place[i].first = l->n;
			l->n += l->learned[i].at.rows * l->learned[i].at.cols;
		}
	l->theta = arena_calloc(a, l->n + 1, sizeof *l->theta);
	for (size_t i = 0; i < l->n_learned; i++) {
		struct learned *const of = &l->learned[i];
		const struct learned_place *const place = &l->private->place[i];
		if (!of->frozen) {
			const struct mat at =
				mat_view(l->theta + place->first, of->at.rows, of->at.cols);
			mat_set(at, of->at);
			of->at = at;
		}
		if (place->kind == LEARNED_LEAF) {
			model->leaves[place->leaf].at = of->at;
			model->leaves[place->leaf].late = NULL;
		}
	}
}

static void make_room(struct learner *l, struct arena *a)
{
	struct learner_private *const p = l->private;
	p->m = arena_calloc(a, l->n + 1, sizeof *p->m);
	p->v = arena_calloc(a, l->n + 1, sizeof *p->v);
	for (size_t g = 0; g < LEARN_BATCH / GROUP; g++)
		p->group[g].gradient = arena_calloc(a, l->n + 1, sizeof(double));
	p->n_scratch = machine_threads();
	p->scratch = arena_calloc(a, p->n_scratch, sizeof *p->scratch);
	for (size_t i = 0; i < p->n_scratch; i++)
		arena_init(&p->scratch[i]);
	l->loss = arena_calloc(a, l->o.steps + 1, sizeof *l->loss);
	l->moment = arena_calloc(a, l->o.steps / LEARN_MOMENT + 1, sizeof *l->moment);
	l->moment[0] = arena_calloc(a, l->n + 1, sizeof(double));
	memcpy(l->moment[0], l->theta, l->n * sizeof(double));
}

static void collect(struct learner *l)
{
	struct arena *const a = &l->private->arena;
	const struct model *const model = &l->b->model;
	const size_t most = 2 + model->config.layers * WEIGHT_GIVEN + model->n_leaves;
	l->learned = arena_calloc(a, most, sizeof *l->learned);
	l->private->place = arena_calloc(a, most, sizeof *l->private->place);
	add_ends(l, a);
	for (size_t i = 0; i < model->config.layers; i++)
		add_weights(l, i, a);
	for (size_t i = 0; i < model->n_leaves; i++)
		add_learned(l, model->leaves[i].name, model_leaf_at(model, &model->leaves[i]),
			    model->leaves[i].frozen,
			    (struct learned_place){LEARNED_LEAF, .leaf = i});
	gather(l, a);
	make_room(l, a);
}

/* ---- other expressions with the same numbers ------------------------------------------------ */

/* Finds the trained leaf for a leaf of another expression: of the same name behind its member's, and of
 * the same shape. */
static bool take_leaf(const struct learner *l, struct leaf *leaf, struct err *err)
{
	const struct model *const from = &l->b->model;
	for (size_t i = 0; i < from->n_leaves; i++) {
		const struct leaf *const f = &from->leaves[i];
		if (strcmp(f->base, leaf->base) == 0 && f->layer == leaf->layer &&
		    f->at.rows == leaf->at.rows && f->at.cols == leaf->at.cols) {
			leaf->at = f->at;
			leaf->late = NULL;
			return true;
		}
	}
	return err_set(err, "test-as: %s has a learned %s (%zu x %zu), which %s does not have",
		       l->o.test_as, leaf->name, leaf->at.rows, leaf->at.cols, l->o.scheme);
}

static bool build_tested(struct learner *l, struct err *err)
{
	l->tested = l->b;
	if (!l->o.test_as)
		return true;
	l->tested = build(l, l->o.test_as, err);
	if (!l->tested)
		return err_prefix(err, "test-as: ");
	struct model *const model = (struct model *)(uintptr_t)&l->tested->model;
	for (size_t i = 0; i < model->n_leaves; i++)
		if (!model->leaves[i].frozen && !take_leaf(l, &model->leaves[i], err))
			return false;
	return true;
}

/* ---- opening -------------------------------------------------------------------------------- */

static bool check_options(const struct learner *l, struct err *err)
{
	const struct learn_options *const o = &l->o;
	if (o->steps > STEPS_MOST)
		return err_set(err, "%zu steps; at most %d would be right", o->steps, STEPS_MOST);
	if (l->task.letters > o->d)
		return err_set(
			err,
			"the task %s has %zu different words, more than the %zu numbers of a token "
			"vector; d-model %zu would be right",
			text_quote(&l->private->arena, o->task, strlen(o->task)), l->task.letters,
			o->d, (l->task.letters + o->heads - 1) / o->heads * o->heads);
	return true;
}

static bool fits_mask(const struct learner *l, struct err *err)
{
	return !task_ahead(&l->task) || !learner_causal(l) ||
	       err_set(err,
		       "the answers of %s lie behind the token that gives them, and %s hides later "
		       "tokens; another task, or an expression without a causal mask, would be right",
		       l->o.task, l->o.scheme);
}

static bool open_all(struct learner *l, struct err *err)
{
	struct arena *const a = &l->private->arena;
	if (!task_open(&l->task, l->o.task, a, err) || !check_options(l, err))
		return false;
	l->b = build(l, l->o.scheme, err);
	if (!l->b)
		return false;
	collect(l);
	if (!try_sentence(l, err) || !fits_mask(l, err))
		return false;
	if (l->n == 0)
		return err_set(
			err,
			"%s has nothing to learn in its positions; without positions-only the "
			"weights of the layers learn to use them",
			l->o.scheme);
	return build_tested(l, err);
}

bool learner_new(struct learner **out, const struct learn_options *o, struct err *err)
{
	struct learner *const l = calloc(1, sizeof *l);
	struct learner_private *const p = calloc(1, sizeof *p);
	if (!l || !p)
		die("no memory for a learner");
	*l = (struct learner){.o = *o, .private = p};
	arena_init(&p->arena);
	arena_init(&p->drawn);
	for (size_t g = 0; g < LEARN_BATCH / GROUP; g++)
		arena_init(&p->group[g].arena);
	l->o.scheme = arena_strdup(&p->arena, o->scheme);
	l->o.task = arena_strdup(&p->arena, o->task);
	l->o.test_as = o->test_as ? arena_strdup(&p->arena, o->test_as) : NULL;
	learn_complete(&l->o);
	if (!open_all(l, err)) {
		learner_free(l);
		return false;
	}
	*out = l;
	return true;
}

void learner_free(struct learner *l)
{
	if (!l)
		return;
	for (size_t g = 0; g < LEARN_BATCH / GROUP; g++)
		arena_release(&l->private->group[g].arena);
	for (size_t i = 0; i < l->private->n_scratch; i++)
		arena_release(&l->private->scratch[i]);
	arena_release(&l->private->drawn);
	arena_release(&l->private->arena);
	free(l->private);
	free(l);
}

void learner_show(struct learner *l, size_t step)
{
	struct learner_private *const p = l->private;
	const double *const from = step == l->step ? p->now : l->moment[step / LEARN_MOMENT];
	if (!p->now) {
		p->now = arena_calloc(&p->arena, l->n + 1, sizeof *p->now);
		memcpy(p->now, l->theta, l->n * sizeof *p->now);
		if (step == l->step)
			return;
	}
	BUG_IF(!from);
	memcpy(l->theta, from, l->n * sizeof *from);
}

const char *learner_says(const struct learner *l, struct arena *a)
{
	size_t learns = 0, frozen = 0;
	for (size_t i = 0; i < l->n_learned; i++)
		if (l->private->place[i].kind == LEARNED_LEAF)
			*(l->learned[i].frozen ? &frozen : &learns) +=
				l->learned[i].at.rows * l->learned[i].at.cols;
	if (learns)
		return arena_printf(a, "%zu numbers of the position learn", learns);
	return frozen ? "the learned position is frozen; the weights of the layers learn to use it"
		      : "nothing to learn in the position; the weights of the layers learn to use it";
}
