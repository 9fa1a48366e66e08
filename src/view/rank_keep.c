/* rank_keep.c: the ranks that the view Rank shows.
 *
 * A matrix of n tokens has no rank above n, so a sentence shorter than d_h meets no bound. The view
 * therefore continues it by drawn words (continued.h) until there are enough tokens. The numbers of
 * a dump stay those of the scene's own tokens. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/continued.h"
#include "posviz/base/num.h"
#include "posviz/math/machine.h"
#include "posviz/scene/sweep.h"
#include "rank_in.h"

/* ---- bounds ---------------------------------------------------------------------------------- */

size_t rank_most(const struct rank_bounds *b)
{
	return b->dk + (b->dp > 0 ? b->dp + b->segments : 0);
}

static size_t bound_of(const struct rank_bounds *b, const struct rank_row *r, enum term_kind kind)
{
	const bool logits = strcmp(r->name, "logits") == 0;
	if (kind == TERM_UNIT_UNIT)
		return b->dk;
	if (b->dp == 0)
		return 0;
	return logits ? rank_most(b) : strcmp(r->name, "position") == 0 ? b->dp + b->segments : 0;
}

/* ---- matrices -------------------------------------------------------------------------------- */

struct measuring_ranks {
	const struct view_data *d;
	const struct rank_bounds *bounds;
	struct rank_rows *rows;
	struct arena own[RANK_ROWS];
};

/* Returns the title of a term in the words of the view. */
static const char *title_of(const char *term)
{
	static const char *const titles[][2] = {{"unit–unit", "content"},
						{"unit–position", "token–position"},
						{"position–unit", "position–token"}};
	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		if (strcmp(term, titles[i][0]) == 0)
			return titles[i][1];
	return term;
}

static void add_row(struct measuring_ranks *of, const char *name, const char *title, struct mat m,
		    enum term_kind kind)
{
	struct rank_rows *const k = of->rows;
	if (!m.at || k->n == RANK_ROWS || (of->d->watch && watch_cancelled(of->d->watch)))
		return;
	struct rank_row *const row = &k->at[k->n++];
	*row = (struct rank_row){.name = name, .title = title_of(title), .m = m};
	row->bound = bound_of(of->bounds, row, kind);
}

/* Decomposes a matrix in its own arena; all are decomposed in parallel. */
static void decompose(void *context, size_t i, size_t worker)
{
	struct measuring_ranks *const of = context;
	struct rank_row *const row = &of->rows->at[i];
	(void)worker;
	row->is = (struct rank){.stable = NAN, .effective = NAN, .why = "it was not computed"};
	if (!watch_cancelled(of->d->watch))
		rank_of(row->m, of->d->scene->setup.seed, of->d->built->model.config.memory,
			&of->own[i], &row->is);
}

static void decompose_all(struct measuring_ranks *of, struct arena *a)
{
	struct rank_rows *const k = of->rows;
	for (size_t i = 0; i < k->n; i++)
		arena_init(&of->own[i]);
	machine_parallel(k->n, decompose, of);
	for (size_t i = 0; i < k->n; i++) {
		struct rank *const r = &k->at[i].is;
		double *const values = arena_calloc(a, r->n + 1, sizeof *values);
		if (r->values)
			r->values = memcpy(values, r->values, r->n * sizeof *values);
		r->why = r->why ? arena_strdup(a, r->why) : NULL;
		r->sample = sample_rows(k->at[i].m.rows, SAMPLE_ROWS, of->d->scene->setup.seed, a);
		arena_release(&of->own[i]);
	}
}

/* Measures the shown head of a run that kept it. */
static void measure_rows(const struct view_data *d, const struct rank_bounds *bounds,
			 const struct trace *trace, struct arena *a, struct rank_rows *out)
{
	struct measuring_ranks of = {.d = d, .bounds = bounds, .rows = out};
	const struct trace_head *const head = &trace->layers[view_layer(d)].heads[view_head(d)];
	const struct mat bias = trace->layers[0].heads[view_head(d)].bias;
	size_t position = 0;
	for (size_t i = 0; i < head->n_terms; i++)
		position += head->terms[i].kind != TERM_UNIT_UNIT;
	for (size_t i = 0; i < head->n_terms; i++)
		out->positions |= term_has_position(&head->terms[i]);
	add_row(&of, "logits", "logits", head->logits, TERM_OTHER);
	add_row(&of, "position", "positional part", rank_position_part(head, bias, a), TERM_OTHER);
	add_row(&of, "weights", "weights", head->weights, TERM_OTHER);
	for (size_t i = 0; i < head->n_terms; i++)
		if (head->terms[i].kind == TERM_UNIT_UNIT || position > 1)
			add_row(&of, arena_printf(a, "term.%s", head->terms[i].label),
				arena_strdup(a, head->terms[i].label), head->terms[i].at,
				head->terms[i].kind);
	add_row(&of, "vectors", "position vectors", trace->position_vectors, TERM_OTHER);
	decompose_all(&of, a);
	out->entropy = head->weights.at ? weights_entropy(head->weights) : NAN;
}

const struct rank_row *rank_row(const struct rank_rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->n; i++)
		if (strcmp(rows->at[i].name, name) == 0)
			return &rows->at[i];
	return NULL;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

/* Returns the number of tokens that show the bounds: a third more than these at least, and twice as
 * many as d_h, but no more than positions there are, or RANK_MOST. */
static size_t tokens_wanted(const struct view_data *d, const struct rank_bounds *bounds)
{
	const size_t own = d->built->model_input.axis.n, t_max = d->built->model.config.t_max;
	const size_t bound = rank_most(bounds), least = bound + bound / 3 + 1;
	size_t n = 3 * bounds->dk > least ? 3 * bounds->dk : least;
	if (own >= least)
		return own;
	n = n < RANK_MOST ? n : RANK_MOST;
	n = n < t_max ? n : t_max;
	return n > own ? n : own;
}

/* Runs the continued text under the picture's own model; false: k->why. */
static bool run_continued(const struct view_data *d, size_t n, struct rank_kept *k, struct arena *a,
			  struct trace *trace)
{
	const struct built *const b = d->built;
	const struct want want = {.kinds = d->view->wants(d->scene),
				  .layer = view_wanted(d->scene->layer, b->model.n_steps),
				  .head = view_wanted(d->scene->head, b->model.config.heads)};
	static const char nothing[] = "There is nothing to measure: ";
	struct err err = {""};
	struct model_input in;
	k->why = continued_why_not(b, a);
	/* Here something is measured, of the tokens that there are. */
	if (k->why && strncmp(k->why, nothing, strlen(nothing)) == 0)
		k->why += strlen(nothing);
	if (k->why)
		return false;
	continued_input(b, n, a, &in);
	if (!built_run(b, &in, &want, d->cache, d->watch, a, trace, &err)) {
		k->why = arena_strdup(a, err.text);
		return false;
	}
	view_shown(d->scene, b->model.config.heads, trace, a);
	return true;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* Returns the rank of the first n rows and columns. */
static double numerical(const struct view_data *d, struct mat m, size_t n)
{
	struct arena a;
	struct rank r;
	if (!m.at || m.rows < n || m.cols < n)
		return NAN;
	arena_init(&a);
	rank_of(mat_cols(mat_rows(m, 0, n), 0, n), 0, d->built->model.config.memory, &a, &r);
	arena_release(&a);
	return r.values ? (double)r.numerical : NAN;
}

static struct mat content_of(const struct trace_head *head)
{
	for (size_t i = 0; i < head->n_terms; i++)
		if (head->terms[i].kind == TERM_UNIT_UNIT)
			return head->terms[i].at;
	return (struct mat){0};
}

static void add_bounds(const struct rank_bounds *bounds, size_t n, struct rank_swept *s, size_t i)
{
	s->low[i] = fmin((double)n, (double)bounds->dk);
	s->high[i] = bounds->dp > 0 ? fmin((double)n, (double)rank_most(bounds)) : NAN;
}

struct growing {
	const struct view_data *d;
	struct rank_swept *s;
	struct mat content, logits, position;
};

static void grow(void *context, size_t i, size_t worker)
{
	struct growing *const g = context;
	const size_t n = (size_t)g->s->x[i];
	(void)worker;
	if (watch_cancelled(g->d->watch))
		return;
	g->s->content[i] = numerical(g->d, g->content, n);
	g->s->position[i] = numerical(g->d, g->position, n);
	g->s->logits[i] = numerical(g->d, g->logits, n);
}

/* Fills in the ranks of the first n tokens alone, for n up to all that are shown. A rank that keeps its bounds is
 * followed to twice the bounds, another to no more than MANY tokens. */
static void grow_tokens(const struct view_data *d, struct rank_kept *k)
{
	enum { FEW = 12, MANY = 128 };
	const struct rank_row *const logits = rank_row(&k->seen, "logits");
	const struct rank_row *const position = rank_row(&k->seen, "position");
	const struct rank_row *const content = rank_row(&k->seen, "term.unit–unit");
	const size_t bound = rank_most(&k->bounds);
	const bool kept = logits && logits->is.values && logits->is.numerical <= bound;
	const size_t least = kept ? FEW : MANY, most = 2 * bound > least ? 2 * bound : least;
	size_t n = k->n < SAMPLE_ROWS ? k->n : SAMPLE_ROWS;
	n = n < most ? n : most;
	const size_t steps = n < RANK_SIZES ? n : RANK_SIZES;
	struct growing g = {.d = d,
			    .s = &k->grown,
			    .content = content ? content->m : (struct mat){0},
			    .logits = logits ? logits->m : (struct mat){0},
			    .position = position ? position->m : (struct mat){0}};
	k->grown = (struct rank_swept){.title = "Rank of the logits by number of tokens",
				       .x_title = "number of tokens n",
				       .n = steps};
	for (size_t i = 0; i < steps; i++) {
		k->grown.x[i] = (double)((i + 1) * n / steps);
		add_bounds(&k->bounds, (size_t)k->grown.x[i], &k->grown, i);
		k->grown.content[i] = k->grown.position[i] = k->grown.logits[i] = NAN;
	}
	machine_parallel(steps, grow, &g);
}

/* Adds the ranks of one evaluation under another setup, or nothing if this cannot be computed. */
static void add_step(const struct view_data *d, const struct setup *setup, double x,
		     const struct rank_kept *k, struct rank_swept *s)
{
	enum { SWEPT_MOST = 128 };
	struct arena a;
	struct err err = {""};
	struct trace trace;
	struct rank_bounds bounds;
	struct model_input in;
	if (s->n == RANK_STEPS || (d->watch && watch_cancelled(d->watch)))
		return;
	arena_init(&a);
	struct built *const b = arena_calloc(&a, 1, sizeof *b);
	const struct want want = {.kinds = WANT_TERMS | WANT_LOGITS | WANT_BIAS};
	if (setup_build(setup, &a, b, &err)) {
		in = b->model_input;
		if (k->n > k->n_own)
			continued_input(b, k->n, &a, &in);
		if (built_run(b, &in, &want, d->cache, d->watch, &a, &trace, &err)) {
			const struct trace_head *const head = &trace.layers[0].heads[0];
			const size_t i = s->n++, all = trace.query.n;
			const size_t n = all < SWEPT_MOST ? all : SWEPT_MOST;
			rank_bounds(&b->expr, &b->model.config, &bounds);
			s->x[i] = x < 0 ? (double)b->model.dk : x;
			s->content[i] = numerical(d, content_of(head), n);
			s->position[i] = numerical(d, rank_position_part(head, head->bias, &a), n);
			s->logits[i] = numerical(d, head->logits, n);
			add_bounds(&bounds, n, s, i);
		}
	}
	arena_release(&a);
}

/* Adds steps from many narrow heads to a single wide one. */
static void sweep_heads(const struct view_data *d, struct rank_kept *k)
{
	const long width = (long)d->built->model.config.d;
	k->heads = (struct rank_swept){.title = "Rank of the logits by width of a head",
				       .x_title = "head width, d_h (log scale)"};
	for (long heads = 64; heads >= 1; heads /= 2) {
		struct setup setup = d->scene->setup;
		setup.heads = heads;
		setup.head_dim = setup.value_dim = setup.kv_heads = 0;
		setup.compare = "none";
		if (width % heads == 0 && width / heads >= 2)
			add_step(d, &setup, -1, k, &k->heads);
	}
}

static void sweep_dims(const struct view_data *d, struct rank_kept *k)
{
	struct arena a;
	struct sweep sweep;
	struct err err = {""};
	k->dims = (struct rank_swept){.title = "Rank of the logits by width of position vectors",
				      .x_title = "width of position vectors, d_p (log scale)"};
	if (k->bounds.dp == 0)
		return;
	arena_init(&a);
	if (sweep_of(d->scene->setup.scheme, "rank=1,2,4,8,16,32,64", &a, &sweep, &err))
		for (size_t i = 0; i < sweep.n; i++) {
			struct setup setup = d->scene->setup;
			double x;
			setup.scheme = sweep.expressions[i];
			setup.compare = "none";
			if (num_parse_double(sweep.values[i], strlen(sweep.values[i]), 0, 1e6, &x,
					     NULL))
				add_step(d, &setup, x, k, &k->dims);
		}
	arena_release(&a);
}

const void *rank_keep(const struct view_data *d, struct arena *a)
{
	struct rank_kept *const k = arena_calloc(a, 1, sizeof *k);
	struct trace longer;
	rank_bounds(&d->built->expr, &d->built->model.config, &k->bounds);
	measure_rows(d, &k->bounds, d->trace, a, &k->own);
	k->n = k->n_own = d->trace->query.n;
	k->seen = k->own;
	const size_t wanted = tokens_wanted(d, &k->bounds);
	if (wanted > d->built->model_input.axis.n && run_continued(d, wanted, k, a, &longer)) {
		k->n = longer.query.n;
		k->seen = (struct rank_rows){.n = 0};
		measure_rows(d, &k->bounds, &longer, a, &k->seen);
	}
	if (!k->why && k->n <= k->bounds.dk)
		k->why = k->n >= d->built->model.config.t_max ? "t-max allows no more"
							      : "this view decomposes no more";
	grow_tokens(d, k);
	sweep_heads(d, k);
	sweep_dims(d, k);
	return k;
}
