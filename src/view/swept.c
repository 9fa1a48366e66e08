/* swept.c: the runs of a sweep: the scheme at each value of a parameter, on the same input. */
#include <string.h>

#include "posviz/scene/sweep.h"
#include "run_in.h"

bool sweep_is_on(const struct view *view, const struct scene *scene)
{
	return view->all_heads && strcmp(scene->sweep, "none") != 0;
}

bool sweep_fits(const struct view *view, const struct scene *scene, struct err *err)
{
	struct arena a;
	struct sweep s;
	arena_init(&a);
	const bool ok = !sweep_is_on(view, scene) ||
			sweep_of(scene->setup.scheme, scene->sweep, &a, &s, err);
	arena_release(&a);
	return ok;
}

/* Runs one value, and keeps the shown head; makes a mean if this is shown. */
static bool run_one(const struct job *j, size_t before, const struct sweep *s, size_t i,
		    struct compared *out, struct err *err)
{
	struct setup setup = j->scene->setup;
	struct built *const b = arena_calloc(j->a, 1, sizeof *b);
	struct trace *const trace = arena_calloc(j->a, 1, sizeof *trace);
	setup.scheme = s->expressions[i];
	setup.compare = "none";
	if (!setup_build(&setup, j->a, b, err))
		return false;
	view_leave_memory(b, j, before);
	const struct want want = {.kinds = j->view->wants(j->scene),
				  .layer = view_wanted(j->scene->layer, b->model.n_steps),
				  .head = view_wanted(j->scene->head, b->model.config.heads)};
	*out = (struct compared){.expression = s->expressions[i], .built = b, .trace = trace};
	if (!built_run(b, &b->model_input, &want, j->cache, j->watch, j->a, trace, err) ||
	    !view_by_words(j, b, trace, err))
		return false;
	view_shown(j->scene, b->model.config.heads, trace, j->a);
	return true;
}

bool sweep_run(const struct job *j, struct picture *p, struct err *err)
{
	const size_t before = j->a->used;
	struct sweep s;
	if (!sweep_of(j->scene->setup.scheme, j->scene->sweep, j->a, &s, err))
		return false;
	p->swept = arena_calloc(j->a, s.n, sizeof *p->swept);
	p->n_swept = s.n;
	view_expect(j, &p->built, s.n);
	for (size_t i = 0; i < s.n; i++)
		if (!run_one(j, before, &s, i, &p->swept[i], err))
			return err_prefix(err, "%s=%s: ", s.param, s.values[i]);
	p->trace = *p->swept[0].trace;
	return true;
}
