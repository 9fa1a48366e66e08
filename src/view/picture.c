/* picture.c: the one way from a scene to a figure: build, run what the view wants, draw. */
#include <pthread.h>
#include <string.h>

#include "posviz/base/text.h"
#include "view_in.h"

bool view_without_bias(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++) {
		const struct hooks *h = b->members[i].hooks;
		if (h->no_logits || (h->content && !h->content_of_units))
			return true;
	}
	return false;
}

bool view_bias_is_causal(const struct built *b)
{
	for (size_t i = 0; i < b->expr.n; i++) {
		const struct expr own = {.members = {b->expr.members[i]}, .n = 1};
		const unsigned flags = b->expr.members[i].scheme->flags;
		if (flags & SCHEME_CAUSAL && !(flags & SCHEME_MASK) && expr_is_causal(&own))
			return true;
		/* What the user forbids by -inf has no value. */
		if (flags & SCHEME_YOURS && !(flags & SCHEME_MASK))
			return true;
	}
	/* A file that masks says nothing of what stands there. */
	for (size_t i = 0; i < b->n_members; i++)
		if (b->members[i].units && b->members[i].hooks->mask)
			return true;
	return false;
}

/* Curves are reduced while heads stream by: the bias of every head, or the weights of those that have
 * no bias. Distinct heads write distinct rows. How long the rows are is known when the first head
 * comes, for a member may have put units in; they lie apart until all is done, since the trace's
 * arena is in use meanwhile. */
struct reducer {
	struct distances to;
	struct arena arena;
	pthread_mutex_t lock;
	const struct built *built;
	const struct trace *trace;
	size_t heads;
	bool weights;
};

/* Structures count by their own numbers, which the run has made before its first head. */
static void open_distances(struct reducer *r)
{
	struct pair_numbers by;
	const size_t rows = r->heads + 1; /* the last for their mean */
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

static void reduce(void *context, size_t layer, size_t head, const struct trace_head *now)
{
	struct reducer *r = context;
	(void)layer;
	if (now->bias.at && !r->weights)
		distances_add(reduced(r), &r->trace->query, &r->trace->key, head, now->bias,
			      now->mask);
	else if (now->weights.at && r->weights)
		distances_add(reduced(r), &r->trace->query, &r->trace->key, head, now->weights,
			      now->mask);
}

static double *copied(struct arena *a, const double *at, size_t n)
{
	return memcpy(arena_alloc(a, n * sizeof *at), at, n * sizeof *at);
}

/* Into the picture, with the same lifetime as the rest. */
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

long view_within(long value, size_t limit)
{
	return value < 1 ? 1 : value > (long)limit ? (long)limit : value;
}

void view_settle_cell(struct scene *scene, size_t rows, size_t cols)
{
	const long last_row = (long)(view_of(scene)->rows ? scheme_count() : rows);
	scene->row = scene->row > last_row ? last_row : scene->row;
	scene->col = scene->col > (long)cols ? (long)cols : scene->col;
}

size_t view_chosen(long number, size_t n)
{
	return trace_chosen(number, n);
}

long view_wanted(long number, size_t n)
{
	return trace_wanted(number, n);
}

const struct trace_head *view_shown(const struct scene *scene, size_t heads, struct trace *trace,
				    struct arena *a)
{
	return trace_shown(trace, heads, scene->head, scene->layer, a);
}

/* Of a view of all heads or layers: those it shows, and at their ends the means. */
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
			/* The bias is of layer 1, whichever is shown. */
			const bool bias = l == 0 && h == heads;
			if ((shown && (l == layers || h == heads)) || bias)
				trace_mean(trace, heads, l, h, a);
		}
}

struct want view_want(const struct job *j, const struct built *b)
{
	const struct scene *const s = j->scene;
	struct want want = {.kinds = j->view->wants(s),
			    .layer = view_wanted(s->layer, b->model.n_steps),
			    .head = view_wanted(s->head, b->model.config.heads)};
	if (j->view->all_heads && s->heads_of != HEADS_OF_HEAD)
		want.head = -1;
	if (j->view->all_heads && s->heads_of != HEADS_OF_LAYER)
		want.layer = -1;
	return want;
}

/* What streams by is a head of a layer; a mean of layers is there at the end, and that of heads has its
 * row behind theirs. */
static void reduce_means(struct reducer *r, const struct job *j, size_t heads, struct trace *trace)
{
	const size_t head = view_chosen(j->scene->head, heads);
	const bool layers = r->weights && j->scene->layer == SCENE_MEAN;
	const size_t layer = r->weights ? view_chosen(j->scene->layer, trace->n_layers) : 0;
	for (size_t h = 0; layers && h < heads; h++) {
		trace_mean(trace, heads, layer, h, j->a);
		reduce(r, layer, h, &trace->layers[layer].heads[h]);
	}
	view_shown(j->scene, heads, trace, j->a);
	if (head == heads)
		reduce(r, layer, head, &trace->layers[layer].heads[head]);
}

static bool run_with_distances(const struct job *j, struct want want, struct picture *p,
			       struct err *err)
{
	const struct built *b = &p->built;
	struct reducer r = {.built = b,
			    .trace = &p->trace,
			    .heads = b->model.config.heads,
			    .weights = view_without_bias(b)};
	arena_init(&r.arena);
	pthread_mutex_init(&r.lock, NULL);
	want.kinds |= r.weights ? WANT_WEIGHTS : 0;
	want.kinds |= view_is_structural(b) ? WANT_RELATION : 0;
	if (r.weights && j->scene->layer == SCENE_MEAN)
		want.head = -1;
	want.sink = reduce;
	want.context = &r;
	const bool ok =
		built_run(b, &b->model_input, &want, j->cache, j->watch, j->a, &p->trace, err);
	if (ok) {
		reduce_means(&r, j, r.heads, &p->trace);
		keep_distances(&r, j->a, &p->by_distance);
	}
	pthread_mutex_destroy(&r.lock);
	arena_release(&r.arena);
	return ok;
}

void view_leave_memory(struct built *b, const struct job *j, size_t before)
{
	const size_t taken = j->a->used - before;
	size_t *memory = &b->model.config.memory;
	if (*memory)
		*memory = *memory > taken ? *memory - taken : 1;
}

/* The order of the twin: as written, or reversed where that is what is shown. */
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

/* The twin's built is the picture's but for the tokens: model and leaves are the same and live there.
 * What the picture's own trace takes is no longer free for it. */
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
	if (!built_run(b, &b->model_input, want, j->cache, j->watch, j->a, &twin->trace, err))
		return false;
	view_shown(j->scene, b->model.config.heads, &twin->trace, j->a);
	return true;
}

void view_expect(const struct job *j, const struct built *b, size_t runs)
{
	const struct want want = view_want(j, b);
	watch_expect(j->watch, runs * model_heads_to_run(&b->model, &want));
}

/* The row that is looked at is measured at once, where that is kept, then those that the table shows, from
 * the top or the cursor on. */
static size_t table_run(const struct job *j, struct picture *p, struct err *err)
{
	const struct scheme *const now = j->cache ? expr_main(&p->built.expr)->scheme : NULL;
	size_t n, unknown = 0, most = j->most;
	analysis_table_kept(&j->scene->setup, j->cache, j->a, &p->table, &p->n_table);
	struct table_row **const rows =
		view_table_wanted(j->scene, now, p->table, p->n_table, j->a, &n);
	for (size_t i = 0; i < n; i++) {
		const bool first = rows[i]->scheme == now;
		if (most == 0 && !first) {
			unknown++;
			continue;
		}
		most -= most > 0 && !first;
		if (!analysis_table_measure(&j->scene->setup, j->cache, j->watch, rows[i], err))
			return SIZE_MAX;
	}
	return unknown;
}

/* True of a view that says nothing of the scene's matrix, whose keys are other tokens than its queries. */
static bool has_no_say(const struct view *view, const struct scene *scene, const struct built *b)
{
	const bool alone = view->compare && strcmp(scene->setup.compare, "none") == 0;
	return b->keys.n > 0 && (!view->rectangles || alone) && !view->own;
}

static bool compute(const struct job *j, struct picture *p, struct err *err)
{
	struct built *b = &p->built;
	if (!compared_params(&j->scene->setup, b, err))
		return false;
	const struct want want = view_want(j, b);
	static const struct want seen = {.kinds = WANT_WEIGHTS, .layer = -1, .head = -1};
	if (has_no_say(j->view, j->scene, b))
		return built_run(b, &b->model_input, &seen, j->cache, j->watch, j->a, &p->trace,
				 err);
	if (j->view->compare)
		return compared_run(j, p, err);
	if (sweep_is_on(j->scene))
		return sweep_run(j, p, err);
	if (j->view->by_distance)
		return run_with_distances(j, want, p, err);
	const size_t before = j->a->used;
	view_expect(j, b, j->view->twin ? 2 : 1);
	if (!built_run(b, &b->model_input, &want, j->cache, j->watch, j->a, &p->trace, err))
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

static struct view_data data_of(const struct scene *scene, const struct view *view,
				struct picture *p)
{
	return (struct view_data){.scene = scene,
				  .built = &p->built,
				  .trace = &p->trace,
				  .twin = view->twin ? &p->twin : NULL,
				  .compared = view->compare ? p->compared : NULL,
				  .n_compared = view->compare ? p->n_compared : 0,
				  .swept = p->swept,
				  .n_swept = p->n_swept,
				  .by_distance = view->by_distance ? &p->by_distance : NULL,
				  .split = view->split ? &p->split : NULL,
				  .table = view->table ? p->table : NULL,
				  .n_table = view->table ? p->n_table : 0,
				  .lengths = view->lengths ? &p->lengths : NULL,
				  .cost = view->cost ? &p->cost : NULL,
				  .kept = p->kept,
				  .earlier = p->earlier};
}

/* Whether a panel that is not there is another matrix in place of the one that is. */
static const char *other_matrix(const struct view *view, const struct scene *scene,
				const struct figure *f)
{
	bool follows = false;
	for (size_t i = 0; i < f->n; i++)
		follows |= f->panels[i].name &&
			   strcmp(f->panels[i].name, matrix_names[scene->matrix]) == 0;
	for (size_t i = 0; i < MATRIX_COUNT && follows; i++)
		if ((i != MATRIX_BIAS || !view->no_bias) && (int)i != scene->matrix &&
		    text_contains(scene->panel, matrix_names[i]))
			return matrix_names[i];
	return NULL;
}

static const char *why_nothing(const struct view *view)
{
	return view->compare ? "another matrix of this shape would be there to compare"
			     : view_not_measured;
}

static void say_nothing(const struct view *view, const struct view_data *d, struct arena *a,
			struct figure *out)
{
	view_frame(d, view_layer_note(d, a), a, out);
	out->panels[0] = (struct panel){.kind = PANEL_HEATMAP,
					.name = view->name,
					.title = view->title,
					.absent = why_nothing(view)};
	out->n = 1;
	out->col_weight[0] = out->row_weight[0] = 1;
	view_close(d, out);
}

bool view_draw(const struct view *view, const struct view_data *data, struct arena *a,
	       struct figure *out, struct err *err)
{
	if (has_no_say(view, data->scene, data->built)) {
		say_nothing(view, data, a, out);
		view_foot(data, a, out);
		return true;
	}
	view->figure(data, a, out);
	const bool there = figure_pick(out, data->scene->panel, a, err);
	const char *const other = there ? NULL : other_matrix(view, data->scene, out);
	if (other && err)
		err_set(err, "%s; --matrix %s shows that", arena_strdup(a, err->text), other);
	if (view->subtitle)
		view->subtitle(data, a, out);
	if (!out->caption)
		view_foot(data, a, out);
	return there;
}

bool picture_redraw(const struct scene *scene, const struct measures *measures, bool stale,
		    enum background background, struct arena *a, struct picture *p, struct err *err)
{
	const struct view *view = view_of(scene);
	if (view->compare)
		compared_name(scene, p, a);
	struct view_data data = data_of(scene, view, p);
	data.measures = measures;
	data.measures_stale = stale;
	data.background = background;
	const bool there = view_draw(view, &data, a, &p->figure, err);
	if (*scene->title)
		p->figure.title = text_escape(a, scene->title, strlen(scene->title));
	if (scene->presenter)
		view_present(&data, a, &p->figure);
	if (scene->unnamed != UNNAMED_OFF)
		view_unname(&data, a, &p->figure);
	return there;
}

unsigned picture_measures(const struct picture *p)
{
	unsigned kinds = 0;
	for (size_t i = 0; i < p->figure.n; i++)
		kinds |= p->figure.panels[i].measured;
	return kinds;
}

bool picture_measured(const struct scene *scene, enum background background, struct cache *cache,
		      struct watch *watch, struct arena *a, struct picture *p, struct err *err)
{
	struct measures *const m = arena_calloc(a, 1, sizeof *m);
	if (!picture_redraw(scene, NULL, false, background, a, p, err))
		return false;
	const struct measure_request r = {
		.kinds = picture_measures(p), .cache = cache, .watch = watch};
	return r.kinds == 0 || (analysis_measure_built(&scene->setup, &p->built, &r, m, err) &&
				picture_redraw(scene, m, false, background, a, p, err));
}

bool picture_cursor(const struct scene *scene, struct picture *p)
{
	if (view_of(scene)->reads_cursor)
		return false;
	figure_cursor(&p->figure, scene->row, scene->col);
	return true;
}

static const char *view_names(struct arena *a)
{
	const char *names = views[0]->name;
	for (const struct view *const *at = views + 1, *v; (v = *at) != NULL; at++)
		names = arena_printf(a, "%s, %s", names, v->name);
	return names;
}

bool picture_compute(const struct scene *scene, struct cache *cache, struct watch *watch,
		     struct arena *a, struct picture *p, struct err *err)
{
	return picture_compute_part(scene, SIZE_MAX, cache, watch, a, p, err);
}

bool picture_compute_part(const struct scene *scene, size_t most, struct cache *cache,
			  struct watch *watch, struct arena *a, struct picture *p, struct err *err)
{
	const struct view *view = view_find(scene->view);
	if (!view)
		return err_set(err, "there is no view %s; there are %s",
			       text_quote(a, scene->view, strlen(scene->view)), view_names(a));
	if (view->no_bias && scene->matrix == MATRIX_BIAS)
		return err_set(err, "matrix: %s", view->no_bias);
	const struct job job = {scene, view, cache, watch, a, most};
	if (!compute(&job, p, err))
		return false;
	if (has_no_say(view, scene, &p->built))
		return true;
	if (view->split) {
		const struct view_data data = data_of(scene, view, p);
		view_split_make(&data, watch, a, &p->split);
	}
	if (view->keep) {
		struct view_data data = data_of(scene, view, p);
		data.cache = cache;
		data.watch = watch;
		data.most = most;
		p->kept = view->keep(&data, a);
		if (view->to_come)
			p->unmeasured = view->to_come(p->kept);
	}
	return true;
}

size_t picture_rows(const struct scene *scene, struct picture *p, struct arena *a,
		    struct view_row **rows, size_t *n)
{
	const struct view *const view = view_of(scene);
	const struct view_data data = data_of(scene, view, p);
	*n = 0;
	return view->rows && (p->table || p->kept) ? view->rows(&data, a, rows, n) : 0;
}

static bool names_a_set(const char *names)
{
	return strcmp(names, "all") == 0 || strcmp(names, "quick") == 0;
}

/* A view that has nothing to say of a matrix is missing from "all", and refused where it is asked for by its name. */
static bool add_numbers(const struct view *view, const char *names, struct scene *scene,
			const struct built *b, struct cache *cache, struct watch *watch,
			struct arena *a, struct numbers *out, struct err *err)
{
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	p->built = *b;
	scene->view = view->name;
	if (has_no_say(view, scene, b))
		return names_a_set(names) || err_set(err, "%s", why_nothing(view));
	if (!picture_compute(scene, cache, watch, a, p, err))
		return false;
	struct view_data data = data_of(scene, view, p);
	data.cache = cache;
	data.watch = watch;
	view->numbers(&data, a, out);
	return !watch || !watch_cancelled(watch) || err_set(err, "cancelled");
}

static bool is_named(const struct view *view, const char *names)
{
	if (names_a_set(names))
		return !view->slow || *names == 'a';
	const size_t len = strlen(view->name);
	for (const char *at = names; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == len && memcmp(at, view->name, len) == 0)
			return true;
	return false;
}

bool view_numbers(const struct scene *scene, const char *names, const struct built *b,
		  struct cache *cache, struct watch *watch, struct arena *a, struct numbers *out,
		  struct err *err)
{
	struct scene of = *scene;
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		if (v->numbers && is_named(v, names) &&
		    !add_numbers(v, names, &of, b, cache, watch, a, out, err))
			return err_prefix(err, "numbers of %s: ", v->name);
	return true;
}

bool picture_make(const struct scene *scene, const struct measures *measures, bool stale,
		  enum background background, struct cache *cache, struct watch *watch,
		  struct arena *a, struct picture *out, struct err *err)
{
	memset(out, 0, sizeof *out);
	return setup_build(&scene->setup, a, &out->built, err) &&
	       picture_compute(scene, cache, watch, a, out, err) &&
	       picture_redraw(scene, measures, stale, background, a, out, err);
}

bool picture_make_earlier(const struct scene *scene, enum background background,
			  struct cache *cache, struct arena *a, struct picture *out,
			  struct err *err)
{
	memset(out, 0, sizeof *out);
	out->earlier = true;
	return setup_build(&scene->setup, a, &out->built, err) &&
	       picture_compute(scene, cache, NULL, a, out, err) &&
	       picture_redraw(scene, NULL, false, background, a, out, err);
}
