/* picture.c: the one way from a scene to a figure: build, run what the view wants, draw. */
#include <string.h>

#include "posviz/text.h"
#include "view_in.h"

static bool without_logits(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].hooks->no_logits)
			return true;
	return false;
}

bool view_bias_is_causal(const struct built *b)
{
	for (size_t i = 0; i < b->expr.n; i++) {
		const struct expr own = {.members = {b->expr.members[i]}, .n = 1};
		const unsigned flags = b->expr.members[i].scheme->flags;
		if (flags & SCHEME_CAUSAL && !(flags & SCHEME_MASK) && expr_is_causal(&own))
			return true;
	}
	return false;
}

/* Curves are reduced while heads stream by: the bias of every head, or the weights of those that have
 * no bias. Distinct heads write distinct rows, so no lock is needed. */
struct reducer {
	struct distances *to;
	const struct trace *trace; /* its axes are known before the heads run */
	bool weights, masked;
};

static void reduce(void *context, size_t layer, size_t head, const struct trace_head *now)
{
	struct reducer *r = context;
	(void)layer;
	if (now->bias.at && !r->weights)
		distances_add(r->to, &r->trace->query, &r->trace->key, head, now->bias,
			      r->masked ? now->mask : NULL);
	else if (now->weights.at && r->weights)
		distances_add(r->to, &r->trace->query, &r->trace->key, head, now->weights,
			      now->mask);
}

long view_within(long value, size_t limit)
{
	return value < 1 ? 1 : value > (long)limit ? (long)limit : value;
}

static bool compute(const struct scene *scene, const struct view *view, struct cache *cache,
		    const atomic_bool *cancel, struct arena *a, struct picture *p, struct err *err)
{
	struct built *b = &p->built;
	if (!setup_build(&scene->setup, a, b, err))
		return false;
	struct want want = {.kinds = view->wants(scene),
			    .layer = view_within(scene->layer, b->model.n_steps) - 1,
			    .head = view_within(scene->head, b->model.config.heads) - 1};
	struct reducer reducer = {.to = &p->by_distance,
				  .trace = &p->trace,
				  .weights = without_logits(b),
				  .masked = view_bias_is_causal(b)};
	if (view->by_distance) {
		const struct trace axes = {.query = b->model_input.axis,
					   .key = b->model_input.axis};
		distances_init(&p->by_distance, &axes, b->model.config.heads, a);
		want.kinds |= reducer.weights ? WANT_WEIGHTS : 0;
		want.sink = reduce;
		want.context = &reducer;
	}
	return built_run(b, &b->model_input, &want, cache, cancel, a, &p->trace, err);
}

bool picture_redraw(const struct scene *scene, const struct measures *measures, bool stale,
		    bool dark, struct arena *a, struct picture *p, struct err *err)
{
	const struct view *view = view_find(scene->view);
	const struct view_data data = {.scene = scene,
				       .built = &p->built,
				       .trace = &p->trace,
				       .by_distance =
					       view && view->by_distance ? &p->by_distance : NULL,
				       .measures = measures,
				       .measures_stale = stale,
				       .dark = dark};
	return view ? view->figure(&data, a, &p->figure, err)
		    : err_set(err, "there is no view \"%s\"", scene->view);
}

bool picture_make(const struct scene *scene, const struct measures *measures, bool stale, bool dark,
		  struct cache *cache, const atomic_bool *cancel, struct arena *a,
		  struct picture *out, struct err *err)
{
	memset(out, 0, sizeof *out);
	const struct view *view = view_find(scene->view);
	if (!view || !view->ready)
		return err_set(err, "there is no view %s; there is explore",
			       text_quote(a, scene->view, strlen(scene->view)));
	return compute(scene, view, cache, cancel, a, out, err) &&
	       picture_redraw(scene, measures, stale, dark, a, out, err);
}
