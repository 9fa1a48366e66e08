/* quantity_runs.c: the results behind quantities, each computed on first use: an expression is
 * built once, a head of a layer runs once, a kind of measure is measured once. */
#include <string.h>

#include "posviz/analysis/same.h"
#include "posviz/scene/beside.h"
#include "quantity_in.h"

/* Everything that quantities read of a head, so that the next one finds it. */
static const unsigned wants = WANT_TERMS | WANT_LOGITS | WANT_MASK | WANT_WEIGHTS | WANT_BIAS |
			      WANT_POSITION | WANT_RELATION;
/* The parts of a trace that quantities of outputs read. */
static const unsigned wants_of_outputs = WANT_MASK | WANT_WEIGHTS | WANT_INPUT | WANT_WRITTEN;

struct run {
	struct run *next;
	long n, head, layer;
	bool written, outputs;
	struct arena arena;
	struct trace trace;
	struct quantity_run is;
};

struct expression {
	struct setup setup;
	const char *wrong;   /* why there is none, for an input that does not fit the scene; NULL */
	struct built *built; /* NULL: not built yet */
	struct measures measures;
};

struct quantities {
	struct arena arena;
	struct scene scene;
	struct cache *cache, *own_cache; /* own_cache must be freed */
	struct watch *watch;
	size_t n; /* expressions */
	struct expression of[COMPARE_MAX];
	struct run *runs;
	const char *same[COMPARE_MAX][COMPARE_MAX];
};

struct quantities *quantities_new(const struct scene *scene, struct cache *cache,
				  struct watch *watch)
{
	struct arena arena;
	struct beside all[COMPARE_MAX];
	struct err err = {""};
	arena_init(&arena);
	struct quantities *const q = arena_calloc(&arena, 1, sizeof *q);
	q->scene = *scene;
	q->own_cache = cache ? NULL : cache_new(CACHE_BYTES);
	q->cache = cache ? cache : q->own_cache;
	q->watch = watch;
	q->n = scene_beside(&scene->setup, &arena, all);
	for (size_t i = 0; i < q->n; i++)
		if (!setup_of_compared(&scene->setup, i + 1, &arena, &q->of[i].setup, &err))
			q->of[i].wrong = arena_strdup(&arena, err.text);
	q->arena = arena; /* q grows there from now on */
	return q;
}

static void release_runs(struct quantities *q)
{
	for (struct run *r = q->runs; r; r = r->next)
		arena_release(&r->arena);
	q->runs = NULL;
}

void quantities_free(struct quantities *q)
{
	if (!q)
		return;
	release_runs(q);
	if (q->own_cache)
		cache_free(q->own_cache);
	struct arena arena = q->arena; /* it contains q itself */
	arena_release(&arena);
}

bool quantities_same(const struct scene *a, const struct scene *b)
{
	return setup_equal(&a->setup, &b->setup) && a->head == b->head && a->layer == b->layer &&
	       strcmp(a->terms_off, b->terms_off) == 0 && a->windows == b->windows &&
	       a->window_length == b->window_length && strcmp(a->train_task, b->train_task) == 0 &&
	       a->train_steps == b->train_steps && a->train_layers == b->train_layers &&
	       a->train_seed == b->train_seed;
}

const struct scene *runs_scene(const struct quantities *q)
{
	return &q->scene;
}

struct watch *runs_watch(const struct quantities *q)
{
	return q->watch;
}

static bool expression_within(const struct quantities *q, long n, struct err *err)
{
	if (n >= 1 && (size_t)n <= q->n)
		return true;
	return q->n == 1
		       ? err_set(err,
				 "there is no expression %ld: compare has none beside the scheme, "
				 "which is 1",
				 n)
		       : err_set(err, "there is no expression %ld: compare has %zu with the scheme",
				 n, q->n);
}

/* Puts the number of the expression in front of an error, except for the scheme itself. Returns
 * false. */
static bool prefix_expression(long n, struct err *err)
{
	return n > 1 ? err_prefix(err, "expression %ld: ", n) : false;
}

static bool build(struct quantities *q, long n, struct expression **out, struct err *err)
{
	if (!expression_within(q, n, err))
		return false;
	struct expression *const e = &q->of[n - 1];
	*out = e;
	if (e->built)
		return true;
	struct built *const b = arena_calloc(&q->arena, 1, sizeof *b);
	if (e->wrong)
		return err_set(err, "%s", e->wrong) || prefix_expression(n, err);
	if (!setup_build(&e->setup, &q->arena, b, err))
		return prefix_expression(n, err);
	e->built = b;
	return true;
}

bool runs_expression(struct quantities *q, long n, const char **out, struct err *err)
{
	if (!expression_within(q, n, err))
		return false;
	*out = q->of[n - 1].setup.scheme;
	return true;
}

bool runs_built(struct quantities *q, long n, const struct built **out, struct err *err)
{
	struct expression *e;
	if (!build(q, n, &e, err))
		return false;
	*out = e->built;
	return true;
}

bool runs_measures(struct quantities *q, long n, unsigned kinds, const struct measures **out,
		   struct err *err)
{
	struct expression *e;
	const struct measure_request request = {
		.kinds = kinds, .cache = q->cache, .watch = q->watch};
	if (!build(q, n, &e, err))
		return false;
	*out = &e->measures;
	return !(kinds & ~e->measures.known) ||
	       analysis_measure_built(&e->setup, e->built, &request, &e->measures, err) ||
	       prefix_expression(n, err);
}

/* ---- runs of a head -------------------------------------------------------------------------- */

static struct run *find_run(const struct quantities *q, const struct run *as)
{
	for (struct run *r = q->runs; r; r = r->next)
		if (r->n == as->n && r->head == as->head && r->layer == as->layer &&
		    r->written == as->written && r->outputs == as->outputs)
			return r;
	return NULL;
}

/* Frees the kept runs when they take half of the memory limit: of long inputs only a few heads
 * fit. */
static void limit_memory(struct quantities *q)
{
	size_t used = 0;
	for (const struct run *r = q->runs; r; r = r->next)
		used += r->arena.used;
	if ((double)used > q->scene.setup.memory / 2)
		release_runs(q);
}

static bool compute(struct quantities *q, const struct expression *e, struct run *r,
		    struct err *err)
{
	const struct built *const b = e->built;
	const size_t heads = b->model.config.heads;
	const struct want want = {.kinds = r->outputs ? wants_of_outputs : wants,
				  .layer = trace_wanted(r->layer, b->model.n_steps),
				  .head = trace_wanted(r->head, heads)};
	struct model_input in = b->model_input;
	arena_init(&r->arena);
	if (r->written)
		built_input(&e->setup, b, &b->written, &r->arena, &in);
	if (!built_run(b, &in, &want, q->cache, q->watch, &r->arena, &r->trace, err)) {
		arena_release(&r->arena);
		return false;
	}
	r->is.layer = trace_chosen(r->layer, b->model.n_steps);
	r->is.index = trace_chosen(r->head, heads);
	r->is.b = b;
	r->is.trace = &r->trace;
	r->is.head = trace_shown(&r->trace, heads, r->head, r->layer, &r->arena);
	r->is.first = &r->trace.layers[0].heads[trace_chosen(r->head, heads)];
	return true;
}

/* Chooses a head or layer: a written number must exist; that of the scene is limited to the
 * existing ones. */
static bool choose_number(long written, long scene, size_t n, const char *what, long *out,
			  struct err *err)
{
	*out = written > 0 ? written : scene;
	if (written == 0)
		*out = scene == SCENE_MEAN ? scene : (long)trace_chosen(scene, n) + 1;
	return *out <= (long)n || number_within(*out, n, what, err);
}

static bool find_head(const struct asking *ask, struct run as, struct quantity_run *out,
		      struct err *err)
{
	struct quantities *const q = ask->q;
	struct expression *e;
	const long n = as.n;
	if (!build(q, n, &e, err))
		return false;
	const struct model *const model = &e->built->model;
	if (!choose_number(ask->of->head, q->scene.head, model->config.heads, "head", &as.head,
			   err) ||
	    !choose_number(ask->of->layer, q->scene.layer, model->n_steps, "layer", &as.layer, err))
		return false;
	struct run *r = find_run(q, &as);
	if (!r) {
		limit_memory(q);
		r = arena_calloc(&q->arena, 1, sizeof *r);
		*r = as;
		if (!compute(q, e, r, err))
			return prefix_expression(n, err);
		r->next = q->runs;
		q->runs = r;
	}
	*out = r->is;
	return true;
}

bool runs_head_of(const struct asking *ask, long n, bool written, struct quantity_run *out,
		  struct err *err)
{
	return find_head(ask, (struct run){.n = n, .written = written}, out, err);
}

bool runs_outputs(const struct asking *ask, long n, struct outputs *out, struct quantity_run *of,
		  struct err *err)
{
	*out = (struct outputs){.why = "a mean of layers has no outputs"};
	if (!find_head(ask, (struct run){.n = n, .outputs = true}, of, err))
		return false;
	if (of->layer < of->trace->n_layers)
		outputs_make(of->trace, of->layer, of->index, of->b->model.config.heads, ask->a,
			     out);
	return true;
}

bool runs_head(const struct asking *ask, struct quantity_run *out, struct err *err)
{
	return runs_head_of(ask, ask->of->of ? ask->of->of : 1, false, out, err);
}

bool runs_one_input(const struct quantities *q, long first, long second)
{
	return setup_same_input(&q->of[first - 1].setup, &q->of[second - 1].setup);
}

/* ---- two expressions
 * -------------------------------------------------------------------------------- */

bool runs_same(struct quantities *q, long first, long second, const char **word, struct err *err)
{
	struct same same;
	struct arena scratch;
	if (!expression_within(q, first, err) || !expression_within(q, second, err))
		return false;
	const char **const known = &q->same[first - 1][second - 1];
	if (!*known) {
		arena_init(&scratch);
		const bool ok = analysis_same(&q->scene.setup, q->of[first - 1].setup.scheme,
					      q->of[second - 1].setup.scheme, q->watch, &scratch,
					      &same, err);
		if (ok)
			*known = same.verdict == SAME_EQUAL	 ? "yes"
				 : same.verdict == SAME_PERMUTED ? "permuted"
				 : same.mirrored		 ? "mirrored"
								 : "no";
		arena_release(&scratch);
		if (!ok)
			return false;
	}
	*word = *known;
	return true;
}
