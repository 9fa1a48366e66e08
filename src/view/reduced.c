/* reduced.c: the run for a view with curves by distance. */
#include <pthread.h>
#include <string.h>

#include "posviz/analysis/words.h"
#include "run_in.h"

/* The heads are reduced to curves one by one while they are computed: the bias of every head, or
 * the weights of heads without a bias. Different heads write different rows, so only opening
 * needs the lock. The length of the rows is known at the first head, because a member may insert
 * units; they are in an arena of their own until the run ends, because the trace's arena is in
 * use. */
struct reducer {
	struct distances to;
	struct arena arena;
	pthread_mutex_t lock;
	const struct built *built;
	const struct trace *trace;
	size_t heads;
	bool weights;
	bool by_words;	    /* heads are merged before they are reduced */
	struct words words; /* once it is open */
};

/* Uses the numbers of a structure if there are any; the run has made them before its first head. */
static void open_distances(struct reducer *r)
{
	struct pair_numbers by;
	const size_t rows = r->heads + 1; /* the last row is for the mean */
	if (r->by_words) {
		words_of(r->trace, &r->built->input, &r->arena, &r->words);
		distances_init(&r->to,
			       &(struct trace){.query = r->words.query,
					       .key = r->words.key,
					       .memory = r->words.memory},
			       rows, &r->arena);
		r->to.heads = r->heads;
		return;
	}
	if (!view_pair_numbers(r->built, r->trace, &r->arena, &by) ||
	    !distances_init_by(&r->to, by.at, by.rows, by.cols, rows, &r->arena))
		distances_init(&r->to, r->trace, rows, &r->arena);
	r->to.heads = r->heads;
}

static struct distances *reduced(struct reducer *r)
{
	pthread_mutex_lock(&r->lock);
	if (!r->to.mean)
		open_distances(r);
	pthread_mutex_unlock(&r->lock);
	return &r->to;
}

static void reduce_head(struct reducer *r, size_t head, const struct trace_head *now)
{
	const struct mat m = r->weights ? now->weights : now->bias;
	if (!m.at)
		return;
	struct distances *const to = reduced(r);
	distances_add(to, r->by_words ? &r->words.query : &r->trace->query,
		      r->by_words ? &r->words.key : &r->trace->key, head, m, now->mask);
}

static void reduce(void *context, size_t layer, size_t head, const struct trace_head *now)
{
	struct reducer *r = context;
	(void)layer;
	if (!r->by_words || !(r->weights ? now->weights : now->bias).at) {
		reduce_head(r, head, now);
		return;
	}
	struct trace_head merged = {.mask = now->mask};
	struct arena own;
	*(r->weights ? &merged.weights : &merged.bias) = r->weights ? now->weights : now->bias;
	reduced(r);
	arena_init(&own);
	words_head(&r->words, &merged, &own);
	reduce_head(r, head, &merged);
	arena_release(&own);
}

static double *copied(struct arena *a, const double *at, size_t n)
{
	return memcpy(arena_alloc(a, n * sizeof *at), at, n * sizeof *at);
}

/* Copies the distances into the picture's arena. */
static void keep_distances(struct reducer *r, struct arena *a, struct distances *out)
{
	const struct distances *from = reduced(r);
	const size_t n = (from->heads + 1) * from->n;
	*out = *from;
	out->mean = copied(a, from->mean, n);
	out->min = copied(a, from->min, n);
	out->max = copied(a, from->max, n);
	if (from->number)
		out->number = memcpy(arena_alloc(a, from->rows * from->cols * sizeof *from->number),
				     from->number, from->rows * from->cols * sizeof *from->number);
}

/* Adds the means to the distances. During the run only heads of single layers were added; the
 * mean over layers exists after all have run, and the mean over heads is in the row after the
 * last head. */
static void reduce_means(struct reducer *r, const struct job *j, size_t heads, struct trace *trace)
{
	const size_t head = view_chosen(j->scene->head, heads);
	const bool layers = r->weights && j->scene->layer == SCENE_MEAN;
	const size_t layer = r->weights ? view_chosen(j->scene->layer, trace->n_layers) : 0;
	for (size_t h = 0; layers && h < heads; h++) {
		trace_mean(trace, heads, layer, h, j->a);
		reduce_head(r, h, &trace->layers[layer].heads[h]);
	}
	view_shown(j->scene, heads, trace, j->a);
	if (head == heads)
		reduce_head(r, head, &trace->layers[layer].heads[head]);
}

/* Finds the words, if no head did, before the trace has them in the place of its tokens. */
static bool reduced_open(struct reducer *r)
{
	return reduced(r) != NULL;
}

bool reduced_run(const struct job *j, struct picture *p, struct err *err)
{
	const struct built *b = &p->built;
	struct reducer r = {.built = b,
			    .trace = &p->trace,
			    .heads = b->model.config.heads,
			    .weights = view_without_bias(b),
			    .by_words = view_merges(j)};
	struct want want = view_want(j, b);
	arena_init(&r.arena);
	pthread_mutex_init(&r.lock, NULL);
	want.kinds |= r.weights ? WANT_WEIGHTS : 0;
	want.kinds |= view_is_structural(b) ? WANT_RELATION : 0;
	if (r.weights && j->scene->layer == SCENE_MEAN)
		want.head = -1;
	want.sink = reduce;
	want.context = &r;
	const bool ok =
		built_run(b, &b->model_input, &want, j->cache, j->watch, j->a, &p->trace, err) &&
		reduced_open(&r) && view_by_words(j, b, &p->trace, err);
	if (ok) {
		reduce_means(&r, j, r.heads, &p->trace);
		keep_distances(&r, j->a, &p->by_distance);
	}
	pthread_mutex_destroy(&r.lock);
	arena_release(&r.arena);
	return ok;
}
