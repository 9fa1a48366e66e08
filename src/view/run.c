/* run.c: runs everything that a view needs of a scene. */
#include <string.h>

#include "run_in.h"

/* Makes the means, stored after the heads and layers, for a view that shows all of them. */
static void make_means(const struct scene *scene, size_t heads, struct trace *trace,
		       struct arena *a)
{
	const size_t layers = trace->n_layers, head = view_chosen(scene->head, heads);
	const size_t layer = view_chosen(scene->layer, layers);
	for (size_t l = 0; l <= layers; l++)
		for (size_t h = 0; h <= heads; h++) {
			const bool shown = scene->heads_of == HEADS_OF_LAYER  ? l == layer
					   : scene->heads_of == HEADS_OF_HEAD ? h == head
									      : true;
			/* The bias is always that of layer 1. */
			const bool bias = l == 0 && h == heads;
			if ((shown && (l == layers || h == heads)) || bias)
				trace_mean(trace, heads, l, h, a);
		}
}

/* Returns whether the contexts of all heads can be computed: a member that adds to the values needs
 * one plane of weights, which matters only to views of outputs. */
static bool has_contexts(const struct built *b)
{
	const struct member *planes = NULL;
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		if (m->hooks->planes && m->hooks->planes(&b->model, m) > 1)
			planes = m;
	}
	for (size_t i = 0; i < b->n_members && planes; i++)
		if (&b->members[i] != planes && b->members[i].hooks->values)
			return false;
	return true;
}

unsigned view_context_if(const struct built *b)
{
	return has_contexts(b) ? WANT_CONTEXT : 0;
}

struct want view_want(const struct job *j, const struct built *b)
{
	const struct scene *const s = j->scene;
	struct want want = {.kinds = j->view->wants(s),
			    .layer = view_wanted(s->layer, b->model.n_steps),
			    .head = view_wanted(s->head, b->model.config.heads),
			    .again = true};
	if (j->view->lengths && lengths_why_none(b, j->a)) /* it shows the input instead */
		want.kinds |= WANT_MASK | WANT_WEIGHTS | WANT_BIAS;
	if (want.kinds & WANT_CONTEXT)
		want.kinds = (want.kinds & ~(unsigned)WANT_CONTEXT) | view_context_if(b);
	if (j->view->all_heads && s->heads_of != HEADS_OF_HEAD)
		want.head = -1;
	if (j->view->all_heads && s->heads_of != HEADS_OF_LAYER)
		want.layer = -1;
	return want;
}

void view_leave_memory(struct built *b, const struct job *j, size_t before)
{
	const size_t taken = j->a->used - before;
	size_t *memory = &b->model.config.memory;
	if (*memory)
		*memory = *memory > taken ? *memory - taken : 1;
}

/* Sets the order of the twin: the tokens as written, or, if these are shown, reversed. */
static void twin_order(const struct built *b, struct twin *twin, struct arena *a)
{
	const size_t n = b->written.moving;
	size_t *order = arena_calloc(a, n + 1, sizeof *order);
	twin->reversed = true;
	for (size_t i = 0; i < n; i++)
		twin->reversed &= b->order[i] == i;
	for (size_t i = 0; i < n; i++)
		order[i] = twin->reversed ? n - 1 - i : i;
	twin->built.order = order;
}

/* Runs the twin. Its `built` is a copy of the picture's with other tokens: model and leaves are
 * shared. Memory that the picture's own trace uses is not free for it. */
static bool run_twin(const struct job *j, const struct want *want, size_t before, struct picture *p,
		     struct err *err)
{
	struct twin *twin = &p->twin;
	struct built *b = &twin->built;
	*b = p->built;
	twin_order(&p->built, twin, j->a);
	input_permute(&b->input, &b->written, b->order, j->a);
	built_input(&j->scene->setup, b, &b->input, j->a, &b->model_input);
	view_leave_memory(b, j, before);
	if (!built_run(b, &b->model_input, want, j->cache, j->watch, j->a, &twin->trace, err) ||
	    !view_by_words(j, b, &twin->trace, err))
		return false;
	view_shown(j->scene, b->model.config.heads, &twin->trace, j->a);
	return true;
}

void view_expect(const struct job *j, const struct built *b, size_t runs)
{
	const struct want want = view_want(j, b);
	watch_expect(j->watch, runs * model_heads_to_run(&b->model, &want));
}

static bool compute(const struct job *j, struct picture *p, struct err *err)
{
	struct built *b = &p->built;
	if (!compared_params(&j->scene->setup, b, err))
		return false;
	const struct want want = view_want(j, b);
	static const struct want seen = {.kinds = WANT_WEIGHTS, .layer = -1, .head = -1};
	if (view_has_no_say(j->view, j->scene, b))
		return built_run(b, &b->model_input, &seen, j->cache, j->watch, j->a, &p->trace,
				 err);
	if (view_compares(j->view, j->scene))
		return compared_run(j, p, err);
	if (sweep_is_on(j->view, j->scene))
		return sweep_run(j, p, err);
	if (j->view->by_distance)
		return reduced_run(j, p, err);
	const size_t before = j->a->used;
	view_expect(j, b, j->view->twin ? 2 : 1);
	if (!built_run(b, &b->model_input, &want, j->cache, j->watch, j->a, &p->trace, err) ||
	    !view_by_words(j, b, &p->trace, err))
		return false;
	view_shown(j->scene, b->model.config.heads, &p->trace, j->a);
	if (j->view->all_heads)
		make_means(j->scene, b->model.config.heads, &p->trace, j->a);
	if (j->view->table)
		p->unmeasured = table_run(j, p, err);
	if (j->view->lengths)
		p->unmeasured = lengths_run(j, p, err);
	if (p->unmeasured == SIZE_MAX || (j->view->cost && !cost_run(j, p, err)))
		return false;
	return !j->view->twin || run_twin(j, &want, before, p, err);
}

bool view_compute(const struct job *j, struct picture *p, struct err *err)
{
	const struct view *const view = j->view;
	if (view->no_bias && j->scene->matrix == MATRIX_BIAS)
		return err_set(err, "matrix: %s", view->no_bias);
	if (!compute(j, p, err))
		return false;
	if (view_has_no_say(view, j->scene, &p->built))
		return true;
	if (view->split) {
		const struct view_data data = view_data_of(view, j->scene, p);
		view_split_make(&data, j->watch, j->a, &p->split);
	}
	if (view->keep) {
		struct view_data data = view_data_of(view, j->scene, p);
		data.cache = j->cache;
		data.watch = j->watch;
		data.most = j->most;
		p->kept = view->keep(&data, j->a);
		if (view->to_come)
			p->unmeasured = view->to_come(p->kept);
	}
	return true;
}
