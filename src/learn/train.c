/* train.c: a step of training: sentences in groups, each on a tape of its own, their gradients summed
 * in the order of the groups, and Adam. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/math/machine.h"
#include "train_in.h"

enum { WARM_UP = 20 };
static const double beta_1 = 0.9, beta_2 = 0.98, epsilon = 1e-9, longest_gradient = 1,
		    last_rate = 0.02;

/* ---- a tape --------------------------------------------------------------------------------- */

/* Puts a node where runs of the tested model find it; its leaves are found by their numbers. */
static void place_node(const struct learner *l, const struct built *b, struct taped *t, size_t i)
{
	const struct learned_place *const place = &l->private->place[i];
	switch (place->kind) {
	case LEARNED_EMBEDDING:
		t->embedding = t->of[i];
		return;
	case LEARNED_OUTPUT:
		t->output = t->of[i];
		return;
	case LEARNED_WEIGHT:
		t->shared->own[place->layer][place->weight] = t->of[i];
		return;
	case LEARNED_LEAF:
		if (b == l->b)
			t->shared->leaves[place->leaf] = t->of[i];
		return;
	}
}

void taped_begin(const struct learner *l, const struct built *b, bool learns, struct arena *a,
		 struct taped *out)
{
	const struct model *const model = &b->model;
	*out = (struct taped){0};
	tape_init(&out->tape, a, true);
	out->shared = record_share(model, a);
	out->of = arena_calloc(a, l->n_learned, sizeof(struct node *));
	for (size_t i = 0; i < l->n_learned; i++) {
		const struct mat at = l->learned[i].at;
		out->of[i] = learns && !l->learned[i].frozen ? tape_leaf(&out->tape, at)
							     : tape_const(&out->tape, at);
		place_node(l, b, out, i);
	}
	for (size_t i = 0; i < model->n_leaves && b != l->b; i++)
		out->shared->leaves[i] =
			tape_const(&out->tape, model_leaf_at(model, &model->leaves[i]));
}

static void input_of(const struct learner *l, struct node *units, const struct example *e,
		     uint64_t draw, struct arena *a, struct model_input *in)
{
	const char **const labels = arena_calloc(a, e->n, sizeof *labels);
	long *const token = arena_calloc(a, e->n, sizeof *token);
	double *const word = arena_calloc(a, e->n, sizeof *word);
	for (size_t t = 0; t < e->n; t++) {
		labels[t] = l->task.letter[e->letter[t]];
		token[t] = (long)t;
		word[t] = (double)t;
	}
	*in = (struct model_input){.axis = {.n = e->n, .labels = labels, .token = token},
				   .units = units->v,
				   .word = word,
				   .draw = draw};
}

/* Answers belong to tokens; units that a member put in carry none. */
static const int32_t *targets(const struct run *run, const struct example *e, struct arena *a)
{
	int32_t *const out = arena_calloc(a, run->queries->n, sizeof *out);
	for (size_t i = 0; i < run->queries->n; i++) {
		const long token = run->queries->token[i];
		out[i] = token < 0 ? -1 : e->answer[token];
	}
	return out;
}

struct node *taped_run(const struct learner *l, const struct built *b, struct taped *t,
		       const struct example *e, uint64_t draw, const int32_t **target,
		       struct run **run, struct err *err)
{
	struct model_input *const in = arena_calloc(t->tape.arena, 1, sizeof *in);
	struct record what = {.step = -1, .head = -1, .shared = t->shared};
	what.units = tape_gather_rows(&t->tape, t->embedding, e->letter, e->n);
	input_of(l, what.units, e, draw, t->tape.arena, in);
	if (!model_record_part(&b->model, in, &what, &t->tape, run, err))
		return NULL;
	struct node *const x = run_output_node(*run);
	BUG_IF(x->v.rows != (*run)->queries->n);
	*target = targets(*run, e, t->tape.arena);
	return tape_matmul(&t->tape, x, false, t->output, false, 1);
}

/* ---- gradients ------------------------------------------------------------------------------ */

/* The sentences of a step, the longest first: sentences of one length share what follows from it. */
struct step_job {
	struct learner *l;
	struct drawn {
		struct example e;
		uint64_t draw;
		size_t number;
	} of[LEARN_BATCH];
};

static bool carries_answer(const struct example *e)
{
	for (size_t t = 0; t < e->n; t++)
		if (e->answer[t] >= 0)
			return true;
	return false;
}

/* Draws the answers anew, so that the sentence says nothing about them. */
static void shuffle_answers(struct example *e, uint64_t draw, size_t classes)
{
	struct rng rng;
	rng_init(&rng, draw);
	for (size_t t = 0; t < e->n; t++)
		if (e->answer[t] >= 0)
			e->answer[t] = (int32_t)rng_below(&rng, classes);
}

uint64_t learner_draw(const struct learner *l, size_t step, size_t i)
{
	struct rng rng;
	rng_init(&rng, l->o.seed);
	rng_init(&rng, rng_u64(&rng) + step * LEARN_BATCH + i + 1);
	return rng_u64(&rng) | 1;
}

static int longest_first(const void *x, const void *y)
{
	const struct drawn *const p = x, *const q = y;
	return p->e.n != q->e.n ? (p->e.n < q->e.n) - (p->e.n > q->e.n)
				: (p->number > q->number) - (p->number < q->number);
}

static bool draw_sentences(struct step_job *job, size_t step, struct arena *a, struct err *err)
{
	const struct learner *const l = job->l;
	for (size_t i = 0; i < LEARN_BATCH; i++) {
		struct drawn *const d = &job->of[i];
		d->number = i;
		d->draw = learner_draw(l, step, i);
		if (!task_train(&l->task, l->o.seed, step, i, a, &d->e, err))
			return false;
		if (l->o.shuffled)
			shuffle_answers(&d->e, d->draw, l->task.classes);
	}
	qsort(job->of, LEARN_BATCH, sizeof *job->of, longest_first);
	return true;
}

/* Adds the loss of one sentence, if it carries an answer. */
static bool add_sentence(const struct step_job *job, struct group *g, const struct drawn *d,
			 struct taped *t, struct node **sum)
{
	const struct learner *const l = job->l;
	const int32_t *target;
	struct run *run;
	if (!carries_answer(&d->e))
		return true;
	struct node *const logits = taped_run(l, l->b, t, &d->e, d->draw, &target, &run, &g->err);
	if (!logits)
		return false;
	struct node *const loss = tape_cross_entropy(&t->tape, logits, target);
	*sum = *sum ? tape_add(&t->tape, *sum, loss) : loss;
	g->sentences++;
	return true;
}

static void copy_gradient(const struct learner *l, const struct taped *t, double *out)
{
	for (size_t i = 0; i < l->n_learned; i++) {
		const struct learned *const of = &l->learned[i];
		if (!of->frozen)
			mat_set(mat_view(out + l->private->place[i].first, of->at.rows,
					 of->at.cols),
				t->of[i]->g);
	}
}

/* Empties an arena and makes its memory one block, which stays from step to step: many would be given
 * back, and the kernel clears what it gives. */
static void begin_again(struct arena *a)
{
	const size_t used = a->used;
	arena_clear(a);
	arena_alloc(a, used);
	arena_clear(a);
}

static void run_group(void *context, size_t index, size_t worker)
{
	(void)worker;
	const struct step_job *const job = context;
	struct group *const g = &job->l->private->group[index];
	struct node *sum = NULL;
	struct taped t;
	begin_again(&g->arena);
	g->err = (struct err){""};
	g->sentences = 0;
	g->loss = 0;
	g->ok = true;
	taped_begin(job->l, job->l->b, true, &g->arena, &t);
	for (size_t i = 0; i < GROUP && g->ok; i++)
		g->ok = add_sentence(job, g, &job->of[index * GROUP + i], &t, &sum);
	if (!g->ok || !sum) {
		memset(g->gradient, 0, job->l->n * sizeof *g->gradient);
		return;
	}
	g->loss = sum->v.at[0];
	tape_backward(&t.tape, sum, NULL);
	copy_gradient(job->l, &t, g->gradient);
}

/* Sums the groups in their order and divides by the number of sentences that carry an answer. */
static void add_groups(struct learner *l, double *loss, double *gradient)
{
	const struct group *const g = l->private->group;
	size_t sentences = 0;
	double sum = 0;
	memcpy(gradient, g[0].gradient, l->n * sizeof *gradient);
	for (size_t k = 0; k < LEARN_BATCH / GROUP; k++) {
		sentences += g[k].sentences;
		sum += g[k].loss;
		for (size_t i = 0; k > 0 && i < l->n; i++)
			gradient[i] += g[k].gradient[i];
	}
	const double by = sentences ? 1 / (double)sentences : 0;
	*loss = sum * by;
	for (size_t i = 0; i < l->n; i++)
		gradient[i] *= by;
}

bool learner_gradient(struct learner *l, size_t step, double *loss, double *gradient,
		      struct err *err)
{
	struct learner_private *const p = l->private;
	struct step_job job = {.l = l};
	arena_clear(&p->drawn);
	if (!draw_sentences(&job, step, &p->drawn, err))
		return false;
	machine_parallel(LEARN_BATCH / GROUP, run_group, &job);
	for (size_t k = 0; k < LEARN_BATCH / GROUP; k++)
		if (!p->group[k].ok)
			return err_set(err, "%s", p->group[k].err.text);
	add_groups(l, loss, gradient);
	return true;
}

/* ---- Adam ----------------------------------------------------------------------------------- */

/* The rate at step i, from 1. */
static double rate_at(const struct learner *l, size_t i)
{
	const double r = l->o.rate, all = (double)l->o.steps, half = floor(all / 2), at = (double)i;
	const double past = at > half ? (at - half) / (all - half) : 0;
	return r * fmin(1, at / WARM_UP) * (1 - (1 - last_rate) * past);
}

static void clip(const struct learner *l, double *gradient)
{
	const double norm = mat_norm(mat_view(gradient, 1, l->n));
	for (size_t i = 0; norm > longest_gradient && i < l->n; i++)
		gradient[i] *= longest_gradient / norm;
}

/* Numbers that never had a gradient stay as they are, bit for bit. */
static void adam(struct learner *l, const double *gradient)
{
	struct learner_private *const p = l->private;
	const double i = (double)(l->step + 1), r = rate_at(l, l->step + 1);
	const double m_by = 1 / (1 - pow(beta_1, i)), v_by = 1 / (1 - pow(beta_2, i));
	for (size_t k = 0; k < l->n; k++) {
		const double g = gradient[k];
		p->m[k] = beta_1 * p->m[k] + (1 - beta_1) * g;
		p->v[k] = beta_2 * p->v[k] + (1 - beta_2) * g * g;
		l->theta[k] -= r * (p->m[k] * m_by) / (sqrt(p->v[k] * v_by) + epsilon);
	}
}

static void keep_moment(struct learner *l)
{
	if (l->step % LEARN_MOMENT)
		return;
	double **const kept = &l->moment[l->step / LEARN_MOMENT];
	*kept = arena_alloc(&l->private->arena, (l->n + 1) * sizeof(double));
	memcpy(*kept, l->theta, l->n * sizeof(double));
}

/* A loss that is far beyond that of any guess does not come back. */
static const double hopeless = 1000;

static bool diverged(const struct learner *l, const char *why, struct err *err)
{
	return err_set(err, "%s on %s: step %zu: %s; a rate below %g would be right", l->o.scheme,
		       l->o.task, l->step + 1, why, l->o.rate);
}

static bool train_step(struct learner *l, double *gradient, struct err *err)
{
	struct err why = {""};
	if (!learner_gradient(l, l->step, &l->loss[l->step], gradient, &why))
		return l->step == 0 ? err_set(err, "%s", why.text) : diverged(l, why.text, err);
	if (!(l->loss[l->step] < hopeless) || !mat_is_finite(mat_view(gradient, 1, l->n)))
		return diverged(l, "the loss has no bound", err);
	clip(l, gradient);
	adam(l, gradient);
	l->step++;
	keep_moment(l);
	return true;
}

bool learner_train(struct learner *l, size_t step, struct watch *watch, struct err *err)
{
	struct arena a;
	bool ok = true;
	BUG_IF(step > l->o.steps);
	if (l->private->now) {
		memcpy(l->theta, l->private->now, l->n * sizeof *l->theta);
		l->private->now = NULL;
	}
	arena_init(&a);
	double *const gradient = arena_calloc(&a, l->n + 1, sizeof *gradient);
	watch_expect(watch, step > l->step ? step - l->step : 0);
	while (ok && l->step < step) {
		ok = watch_cancelled(watch) ? err_set(err, "cancelled")
					    : train_step(l, gradient, err);
		watch_did(watch, 1);
	}
	arena_release(&a);
	return ok;
}
