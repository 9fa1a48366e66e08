/* cost.c: the cost of schemes: passes that alternate with those of `none`; counts of numbers and
 * multiply-adds.
 *
 * A timed pass stores nothing for the next one, and draws nothing: the weights of the layers are
 * made before, so no cache is needed, and none is given. */
#include "posviz/analysis/cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis_in.h"
#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/scheme/results.h"

const struct cost_patience cost_patience = {.width = 0.02, .seconds = 0.75, .least = 7, .most = 40};
const double cost_bert = 110.1e6;

/* ---- time ------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Returns a quantile of sorted numbers, interpolated between neighbours. */
static double quantile(const double *at, size_t n, double part)
{
	const double place = part * (double)(n - 1);
	const size_t i = (size_t)place;
	return i + 1 < n ? at[i] + (place - (double)i) * (at[i + 1] - at[i]) : at[i];
}

static double median(const double *at, size_t n)
{
	double sorted[COST_ROUNDS];
	memcpy(sorted, at, n * sizeof *at);
	qsort(sorted, n, sizeof *sorted, by_value);
	return quantile(sorted, n, 0.5);
}

/* The patience for a first look at every row. */
static const struct cost_patience rough = {.least = COST_FEWEST, .most = COST_FEWEST};

/* The rounds measured so far. */
struct rounds {
	double ratio[COST_ROUNDS], base[COST_ROUNDS], trial[COST_ROUNDS];
	size_t n;
};

static void summarise(const struct rounds *t, const struct cost_patience *p, struct cost_time *out)
{
	double sorted[COST_ROUNDS];
	memcpy(sorted, t->ratio, t->n * sizeof *sorted);
	qsort(sorted, t->n, sizeof *sorted, by_value);
	*out = (struct cost_time){.ratio = quantile(sorted, t->n, 0.5),
				  .low = quantile(sorted, t->n, 0.25),
				  .high = quantile(sorted, t->n, 0.75),
				  .base = median(t->base, t->n),
				  .seconds = median(t->trial, t->n),
				  .rounds = t->n};
	out->median = out->ratio;
	out->settled = t->n >= p->least && out->high - out->low <= p->width * out->ratio;
}

static bool take_round(const struct cost_trial *base, const struct cost_trial *trial,
		       const struct watch *watch, struct rounds *t, struct err *err)
{
	const double begun = watch->seconds();
	if (!base->run(base->context, err))
		return false;
	const double between = watch->seconds();
	if (!trial->run(trial->context, err))
		return false;
	const double end = watch->seconds();
	if (watch_cancelled(watch))
		return err_set(err, "cancelled");
	/* The resolution of a clock may be coarser than a pass. */
	if (!(between > begun) || !(end > between))
		return err_set(err, "the clock is too coarse for passes as short as these");
	t->base[t->n] = between - begun;
	t->trial[t->n] = end - between;
	t->ratio[t->n] = (end - between) / (between - begun);
	t->n++;
	return true;
}

bool cost_compare(const struct cost_trial *base, const struct cost_trial *trial,
		  const struct cost_patience *patience, struct watch *watch, struct cost_time *out,
		  struct err *err)
{
	struct rounds t = {.n = 0};
	const size_t most = patience->most < COST_ROUNDS ? patience->most : COST_ROUNDS;
	*out = (struct cost_time){.ratio = NAN, .low = NAN, .high = NAN};
	if (!watch || !watch->seconds)
		return err_set(err, "there is no clock to measure time with");
	if (!base->run(base->context, err) || !trial->run(trial->context, err))
		return false;
	const double begun = watch->seconds();
	while (t.n < most) {
		if (!take_round(base, trial, watch, &t, err))
			return false;
		summarise(&t, patience, out);
		const bool over = watch->seconds() - begun >= patience->seconds;
		if (out->settled || (over && t.n >= COST_FEWEST))
			break;
	}
	return t.n > 0 || err_set(err, "no round was asked for");
}

double cost_spread(const struct cost_time *t)
{
	return (t->high - t->low) / 2;
}

const char *cost_show_interval(const struct cost_time *t, struct arena *a)
{
	return arena_printf(a, "%.2f–%.2f ×", t->low, t->high);
}

const char *cost_show_time(const struct cost_time *t, struct arena *a)
{
	return arena_printf(a, "%.2f × (%.2f–%.2f)", t->ratio, t->low, t->high);
}

bool cost_within_noise(const struct cost *c, const struct cost_row *row)
{
	const struct cost_time *const equal = &c->rows[c->none].time;
	const bool known = c->rows[c->none].timed && !isnan(equal->low);
	const double low = known ? fmin(equal->low, 1) : 1, high = known ? fmax(equal->high, 1) : 1;
	if (row->time.low > high)
		return false;
	return !(row->time.high < low && row->more < 0);
}

/* ---- the model to measure in
 * ----------------------------------------------------------------------- */

struct cost_own cost_own(const struct setup *s)
{
	const struct setup *const plain = &scene_defaults()->setup;
	const bool width = s->d_model != plain->d_model || s->heads != plain->heads ||
			   s->head_dim || s->value_dim || s->kv_heads;
	return (struct cost_own){
		.d_model = width, .heads = width, .layers = s->layers != plain->layers};
}

static const char *some_words(void)
{
	struct arena a;
	struct strbuf text;
	arena_init(&a);
	strbuf_init(&text, &a);
	for (int i = 1; i <= COST_UNITS; i++)
		strbuf_printf(&text, "%sw%d", i > 1 ? " " : "", i);
	const char *const kept = scene_intern(text.at);
	arena_release(&a);
	return kept;
}

struct setup cost_setup(const struct setup *from, struct cost_own own)
{
	const bool structure = *from->conllu || *from->tree || *from->graph || *from->governors;
	struct setup s = structure || own.text ? *from : scene_defaults()->setup;
	if (!structure && !own.text)
		s.sentence = some_words();
	s.scheme = s.compare = scene_intern("none");
	s.weights = s.units = s.params = s.map = scene_intern("");
	s.d_model = own.d_model ? from->d_model : COST_D;
	s.heads = own.heads ? from->heads : COST_HEADS;
	s.head_dim = from->head_dim;
	s.value_dim = from->value_dim;
	s.kv_heads = from->kv_heads;
	s.layers = own.layers ? from->layers : 1;
	s.ff = from->ff;
	s.t_max = from->t_max;
	s.seed = from->seed;
	s.memory = from->memory;
	s.proj = PROJ_RANDOM;
	s.activation = ACT_GELU;
	return s;
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Draws weights for every layer, scaled so that activations stay about 1, if memory allows. */
static bool draw_weights(const struct setup *s, struct arena *a, struct tensor_set *out,
			 struct err *err)
{
	const struct model_config c = setup_config(s, (size_t)s->d_model);
	const size_t d = c.d, dk = model_dk(&c), dv = model_dv(&c), kv = model_kv_heads(&c);
	const struct {
		const char *name;
		size_t rows, cols;
	} all[] = {{"w_q", d, c.heads * dk}, {"w_k", d, kv * dk}, {"w_v", d, kv * dv},
		   {"w_o", c.heads * dv, d}, {"w_ff1", d, c.ff},  {"w_ff2", c.ff, d}};
	double bytes = 0;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		bytes += 8 * (double)all[i].rows * (double)all[i].cols;
	if (c.memory > 0 && bytes > (double)c.memory)
		return err_set(err,
			       "cost: weights for d-model %zu, %zu heads of %zu and ff %zu take "
			       "about %.0f MB, above the limit of %.0f MB; take a smaller d-model "
			       "or fewer heads, or raise memory",
			       d, c.heads, dk, c.ff, bytes / 1e6, (double)c.memory / 1e6);
	struct rng rng;
	rng_init(&rng, s->seed);
	tensor_set_init(out, a);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		/* The set copies what it is given: one row of zeros, as all rows, which are filled there. */
		struct mat m = mat_zero(a, 1, all[i].cols);
		m.rows = all[i].rows;
		m.stride = 0;
		tensor_set_add(out, all[i].name, m, false);
		mat_fill_normal(tensor_mat(&out->tensors[i]), 1 / sqrt((double)all[i].rows), &rng);
	}
	return true;
}

/* An expression at the timed sizes, built and ready to run. */
struct passes {
	struct arena arena; /* holds the built model */
	struct built *built;
	struct watch *watch;
	double multiply_adds; /* of the latest pass */
};

static bool pass(void *context, struct err *err)
{
	struct passes *const p = context;
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct arena a;
	struct trace trace;
	arena_init(&a);
	const bool ok =
		built_run(p->built, &p->built->model_input, &want, NULL, p->watch, &a, &trace, err);
	p->multiply_adds = ok ? trace.multiply_adds : NAN;
	arena_release(&a);
	return ok;
}

static bool open_passes(struct passes *p, const struct setup *setup, const char *expression,
			const struct tensor_set *weights, struct watch *watch, struct err *err)
{
	struct setup s = *setup;
	*p = (struct passes){.watch = watch};
	arena_init(&p->arena);
	s.scheme = scene_intern(expression);
	p->built = arena_calloc(&p->arena, 1, sizeof *p->built);
	if (!setup_build(&s, &p->arena, p->built, err)) {
		arena_release(&p->arena);
		return false;
	}
	p->built->given.weights = weights;
	p->built->model.given = &p->built->given;
	return true;
}

/* ---- stored results
 * -------------------------------------------------------------------------------- */

/* A rough time has a key of its own, as what is remembered is never replaced. */
enum kept { KEPT_COUNT, KEPT_TIME, KEPT_ROUGH };
enum { TIME_NUMBERS = 8 };

/* Returns the key of a result, NULL if it depends on data without an identity. */
static const char *key_of(const struct setup *setup, const char *expression, enum kept what,
			  struct arena *a)
{
	struct setup s = *setup;
	s.scheme = scene_intern(expression);
	const char *const identity = setup_identity(&s, false, a);
	return identity ? arena_printf(a, "cost %d|%s", (int)what, identity) : NULL;
}

static bool recall_time(struct cache *cache, const char *key, struct cost_row *row)
{
	double at[TIME_NUMBERS];
	if (!key || row->timed || !cache_recall(cache, key, at, TIME_NUMBERS))
		return false;
	row->timed = true;
	row->time = (struct cost_time){.ratio = at[0],
				       .low = at[1],
				       .high = at[2],
				       .base = at[3],
				       .seconds = at[4],
				       .rounds = (size_t)at[5],
				       .settled = at[6] > 0,
				       .median = at[7]};
	return true;
}

static void recall(struct cache *cache, const struct setup *setup, struct arena *a,
		   struct cost_row *row)
{
	const char *const counted = key_of(setup, row->expression, KEPT_COUNT, a);
	if (counted && !row->passed && cache_recall(cache, counted, &row->multiply_adds, 1))
		row->passed = true;
	if (!recall_time(cache, key_of(setup, row->expression, KEPT_TIME, a), row))
		row->time.rough =
			recall_time(cache, key_of(setup, row->expression, KEPT_ROUGH, a), row);
}

static void remember(struct cache *cache, const struct setup *setup, const struct cost_row *row,
		     struct arena *a)
{
	const struct cost_time *const t = &row->time;
	const double at[TIME_NUMBERS] = {t->ratio,   t->low,	 t->high,
					 t->base,    t->seconds, (double)t->rounds,
					 t->settled, t->median};
	const char *const counted = key_of(setup, row->expression, KEPT_COUNT, a);
	const char *const timed =
		key_of(setup, row->expression, t->rough ? KEPT_ROUGH : KEPT_TIME, a);
	if (counted && row->passed)
		cache_remember(cache, counted, &row->multiply_adds, 1);
	if (timed && row->timed)
		cache_remember(cache, timed, at, TIME_NUMBERS);
}

/* ---- published numbers
 * ----------------------------------------------------------------------------- */

/* The rows of Table 6 and the expressions they belong to. */
static const struct printed {
	const char *expression, *model;
	const char *name; /* NULL: the expression is its name */
	const char *differs;
} table6[] = {
	{"learned", "Devlin et al. 2018", NULL, NULL},
	{"shaw", "Shaw et al. 2018", NULL,
	 "the paper does not say how far distances are told apart, and that heads (section 4.4) and "
	 "layers (2.2.2) share vectors; clip=0, all 1023 distances, makes 1.57 M here"},
	{"diet_abs(rank=128,share=none)", "DIET-ABS d_p 128, nothing shared", "DIET-ABS", NULL},
	{"diet_abs(rank=128)", "DIET-ABS d_p 128, shared", "DIET-ABS shared", NULL},
	{"diet_rel", "DIET-REL, nothing shared", "DIET-REL", NULL},
	{"diet_rel(share=layer)", "DIET-REL, shared", "DIET-REL shared", NULL},
};

const char *const cost_published[] = {"none",
				      "learned",
				      "shaw",
				      "tupe_r",
				      "diet_abs(rank=128,share=none)",
				      "diet_abs(rank=128)",
				      "diet_rel",
				      "diet_rel(share=layer)",
				      NULL};

static size_t column_of(const struct results *r, const char *metric, const char *task)
{
	for (size_t i = 0; i < r->cols; i++)
		if (strcmp(r->metrics[i], metric) == 0 && strcmp(r->tasks[i], task) == 0)
			return i;
	BUG("%s has no column %s: %s", r->table, metric, task);
}

static void add_printed_time(const struct results *r, const struct expr *e, struct cost_row *row)
{
	const size_t col = column_of(r, "added %", "BERT base inference");
	for (size_t i = 0; e->n == 1 && i < r->n; i++)
		if (results_name(&r->rows[i], e->members[0].scheme->id))
			row->printed_time = 1 + r->rows[i].values[col] / 100;
}

static void add_printed_size(const struct results *r, struct cost_row *row)
{
	const size_t col = column_of(r, "10^6 parameters", "English");
	for (size_t i = 0; i < sizeof table6 / sizeof *table6; i++) {
		if (strcmp(table6[i].expression, row->expression) != 0)
			continue;
		row->name = table6[i].name ? table6[i].name : row->name;
		row->differs = table6[i].differs;
		for (size_t k = 0; k < r->n; k++)
			if (strcmp(r->rows[k].model, table6[i].model) == 0)
				row->printed_parameters = fmax(0, 1e6 * r->rows[k].values[col] -
									  (cost_bert - COST_TABLE));
	}
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void count_parameters(const struct setup *setup, struct arena *a, struct cost_row *row)
{
	const struct model_config bert = {.d = COST_D,
					  .heads = COST_HEADS,
					  .layers = COST_LAYERS,
					  .ff = 4 * (size_t)COST_D,
					  .t_max = COST_T_MAX,
					  .seed = setup->seed,
					  .unfilled = true};
	const struct leaf_count leaves = count_leaves(row->expression, &bert, a);
	row->counted = !leaves.why;
	row->parameters = leaves.made;
	row->no_count = leaves.why;
}

/* The state of a measurement. */
struct measuring {
	const struct cost_request *r;
	struct cost *c;
	struct arena *a;
	const struct results *times, *sizes; /* Tables 1 and 6 */
	struct tensor_set weights;
	struct passes none;
	bool open; /* `none` is built */
};

static struct cost_row *find_row(const struct cost *c, const char *expression)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->rows[i].expression, expression) == 0)
			return &c->rows[i];
	return NULL;
}

/* Adds a row for the expression in canonical form, unless it exists; false: it cannot be parsed. */
static bool add_row(struct measuring *m, const char *text, struct err *err)
{
	struct cost *const c = m->c;
	struct scene scene;
	scene_init(&scene);
	if (!scene_set(&scene, field_find("scheme"), text, err))
		return false;
	const char *const expression = scene.setup.scheme;
	if (find_row(c, expression))
		return true;
	struct cost_row *const row = &c->rows[c->n++];
	const struct expr *const e = expr_of(expression, m->a, err);
	*row = (struct cost_row){.expression = expression,
				 .name = expr_brief(expression, m->a),
				 .multiply_adds = NAN,
				 .more = NAN,
				 .printed_time = NAN,
				 .printed_parameters = NAN};
	if (!e)
		return false;
	add_printed_time(m->times, e, row);
	add_printed_size(m->sizes, row);
	count_parameters(&c->setup, m->a, row);
	return true;
}

static bool open_none(struct measuring *m, struct err *err)
{
	if (m->open)
		return true;
	if (!draw_weights(&m->c->setup, m->a, &m->weights, err))
		return false;
	m->open = open_passes(&m->none, &m->c->setup, "none", &m->weights, m->r->watch, err);
	m->c->units = m->open ? m->none.built->model_input.axis.n : 0;
	return m->open;
}

static bool stopped(const struct measuring *m)
{
	return watch_cancelled(m->r->watch);
}

/* Returns whether the row can still be completed. */
static bool is_incomplete(const struct measuring *m, const struct cost_row *row)
{
	const bool clock = !m->r->untimed && m->r->watch && m->r->watch->seconds;
	return !row->why && (!row->passed || (clock && (!row->timed || row->time.rough)));
}

/* Runs one pass, and with `patience` the timing rounds. If it cannot be computed, the row gets the
 * reason. */
static bool measure_row(struct measuring *m, struct cost_row *row,
			const struct cost_patience *patience, struct err *err)
{
	struct passes own;
	struct err why = {""};
	if (!open_none(m, err))
		return false;
	bool ok = open_passes(&own, &m->c->setup, row->expression, &m->weights, m->r->watch, &why);
	const bool open = ok;
	if (ok && !row->passed) {
		row->passed = ok = pass(&own, &why);
		row->multiply_adds = own.multiply_adds;
	}
	if (ok && patience) {
		const struct cost_trial base = {pass, &m->none}, trial = {pass, &own};
		row->timed = ok =
			cost_compare(&base, &trial, patience, m->r->watch, &row->time, &why);
		row->time.rough = patience == &rough;
		row->time.ratio = row == &m->c->rows[m->c->none] ? 1 : row->time.ratio;
	}
	if (open)
		arena_release(&own.arena);
	if (stopped(m))
		return err_set(err, "cancelled");
	row->why = ok ? NULL : arena_strdup(m->a, why.text);
	if (row->why && m->r->strict)
		return err_set(err, "%s: %s", row->expression, row->why);
	remember(m->r->cache, &m->c->setup, row, m->a);
	return true;
}

/* Returns about the number of heads that a row evaluates: two per round, and the uncounted
 * passes. */
static size_t work_of(const struct cost_request *r)
{
	return 2 * (r->patience.most + 1) * (size_t)(r->setup->heads * r->setup->layers);
}

/* Reports the remaining work as done if a row needed less than expected. */
static void report_row_done(const struct cost_request *r, size_t done_before)
{
	struct watch *const w = r->watch;
	const size_t done = w ? atomic_load(&w->done) - done_before : 0, all = work_of(r);
	if (done < all)
		watch_did(w, all - done);
}

/* Measures the times of rows, up to *most: those without one, if `first`, else those with a rough
 * one. */
static bool measure_times(struct measuring *m, bool first, size_t *most, struct err *err)
{
	const struct cost_request *const r = m->r;
	const bool all = *most == SIZE_MAX;
	for (size_t i = 0; i<m->c->n && * most> 0; i++) {
		struct cost_row *const row = &m->c->rows[i];
		const size_t before = r->watch ? atomic_load(&r->watch->done) : 0;
		if (!is_incomplete(m, row) || (first && row->timed))
			continue;
		if (!measure_row(m, row, first && !all ? &rough : &r->patience, err))
			return false;
		report_row_done(r, before);
		*most -= !all;
	}
	return true;
}

static bool measure_all(struct measuring *m, struct err *err)
{
	const struct cost_request *const r = m->r;
	size_t n = 0, most = r->most;
	bool counted = false;
	for (size_t i = 0; i < m->c->n; i++)
		n += is_incomplete(m, &m->c->rows[i]);
	watch_expect(r->watch, (n < most ? n : most) * work_of(r));
	for (size_t i = 0; i < m->c->n && most > 0; i++) {
		struct cost_row *const row = &m->c->rows[i];
		if (row->passed || !is_incomplete(m, row))
			continue;
		if (!measure_row(m, row, NULL, err))
			return false;
		counted |= row->passed;
	}
	/* Every row is counted, and shown, before the first time is measured. */
	most = counted && most < SIZE_MAX ? 0 : most;
	return measure_times(m, true, &most, err) && measure_times(m, false, &most, err);
}

static void close_table(struct measuring *m)
{
	struct cost *const c = m->c;
	c->multiply_adds = c->rows[c->none].passed ? c->rows[c->none].multiply_adds : NAN;
	c->to_come = 0;
	for (size_t i = 0; i < c->n; i++) {
		c->rows[i].more = c->rows[i].multiply_adds - c->multiply_adds;
		c->to_come += is_incomplete(m, &c->rows[i]);
	}
	if (m->open)
		arena_release(&m->none.arena);
}

bool cost_measure(const struct cost_request *r, struct arena *a, struct cost *out, struct err *err)
{
	struct measuring m = {.r = r, .c = out, .a = a};
	m.times = results_of("diet-1", a);
	m.sizes = results_of("diet-6", a);
	*out = (struct cost){.setup = *r->setup, .multiply_adds = NAN};
	out->rows = arena_calloc(a, r->n + 1, sizeof *out->rows);
	for (size_t i = 0; i < r->n; i++)
		if (!add_row(&m, r->expressions[i], err))
			return false;
	if (!find_row(out, "none") && !add_row(&m, "none", err))
		return false;
	struct cost_row *const none = find_row(out, "none");
	out->none = (size_t)(none - out->rows);
	for (size_t i = 0; i < out->n; i++)
		recall(r->cache, &out->setup, a, &out->rows[i]);
	const bool ok = measure_all(&m, err);
	close_table(&m);
	return ok && (!none->why || err_set(err, "%s", none->why));
}
