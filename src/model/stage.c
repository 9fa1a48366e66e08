/* stage.c: functions for the hooks of a scheme: columns, indices, leaves, parts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_in.h"

bool run_cancelled(const struct run *run)
{
	return watch_cancelled(run->private->watch);
}

void run_note(struct run *run, const struct member *m, const char *text)
{
	struct run_private *p = run->private;
	if (!p->trace || p->probe_pass)
		return;
	const char *old = p->trace->note;
	const char *line = arena_printf(p->keep, "%s: %s", m->name, text);
	if (!old || !strstr(old, line))
		p->trace->note = old ? arena_printf(p->keep, "%s; %s", old, line) : line;
}

double member_weight(const struct member *m)
{
	return m && m->weighted ? m->weight : 1;
}

bool member_on_head(const struct member *m, size_t head)
{
	return subset_has(&m->heads, head);
}

/* ---- units and positions ------------------------------------------------------------------ */

static const double *insert_value(struct arena *a, const double *old, size_t n, size_t at)
{
	double *grown = arena_calloc(a, n + 1, sizeof *grown);
	for (size_t i = 0; old && i < n; i++)
		grown[i + (i >= at)] = old[i];
	return grown;
}

void run_insert_unit(struct run *run, size_t at, const char *label, struct node *vector)
{
	const size_t n = run->n;
	BUG_IF(at > n || vector->v.cols != run->model->config.d);
	const char **labels = arena_calloc(run->arena, n + 1, sizeof *labels);
	long *token = arena_calloc(run->arena, n + 1, sizeof *token);
	for (size_t i = 0; i < n; i++) {
		labels[i + (i >= at)] = run->queries->labels[i];
		token[i + (i >= at)] = run->queries->token[i];
	}
	labels[at] = label;
	token[at] = -1;
	struct node *parts[3];
	size_t n_parts = 0;
	if (at > 0)
		parts[n_parts++] = tape_slice(run->tape, run->units, 0, at, 0, vector->v.cols);
	parts[n_parts++] = vector;
	if (at < n)
		parts[n_parts++] = tape_slice(run->tape, run->units, at, n - at, 0, vector->v.cols);
	run->units = tape_concat_rows(run->tape, parts, n_parts);
	for (size_t c = 0; c < run->n_columns; c++)
		run->columns[c].at = insert_value(run->arena, run->columns[c].at, n, at);
	run->queries->labels = labels;
	run->queries->token = token;
	run->queries->n = n + 1;
	run->n = n + 1;
}

void run_select_units(struct run *run, const size_t *rows, size_t n)
{
	const char **labels = arena_calloc(run->arena, n, sizeof *labels);
	long *token = arena_calloc(run->arena, n, sizeof *token);
	int32_t *index = arena_calloc(run->arena, n, sizeof *index);
	BUG_IF(n == 0);
	for (size_t i = 0; i < n; i++) {
		BUG_IF(rows[i] >= run->n);
		labels[i] = run->queries->labels[rows[i]];
		token[i] = run->queries->token[rows[i]];
		index[i] = (int32_t)rows[i];
	}
	run->units = tape_gather_rows(run->tape, run->units, index, n);
	for (size_t c = 0; c < run->n_columns; c++) {
		double *at = arena_calloc(run->arena, n, sizeof *at);
		for (size_t i = 0; i < n; i++)
			at[i] = run->columns[c].at[rows[i]];
		run->columns[c].at = at;
	}
	*run->queries = (struct axis){.n = n, .labels = labels, .token = token};
	run->n = n;
}

bool run_scale_units(struct run *run, const struct member *m, struct err *err)
{
	const struct model *const model = run->model;
	if (fabs(model_embed_scale(model) - 1) > 0)
		return err_set(
			err,
			"%s multiplies the token vectors, and so does embed-scale; leave one of the "
			"two out",
			m->text);
	run->units = tape_scale(run->tape, run->units, sqrt((double)model->config.d));
	return true;
}

const double *run_find_column(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->n_columns; i++)
		if (strcmp(run->columns[i].name, name) == 0)
			return run->columns[i].at;
	return NULL;
}

static bool lacks_one_number(const struct run *run, const struct member *m)
{
	return run->in->three_given && strcmp(m->pos, "seq") == 0;
}

const double *run_column(const struct run *run, const struct member *m, struct err *err)
{
	const double *at = run_find_column(run, m->pos);
	if (at && !lacks_one_number(run, m))
		return at;
	compatible_no_column(run, m, err);
	return NULL;
}

bool run_reads_given(const struct run *run, const struct member *m)
{
	return run->in->position && strcmp(m->pos, "seq") == 0;
}

const double *run_order(const struct run *run, const struct member *m, struct err *err)
{
	return lacks_one_number(run, m) || run_reads_given(run, m) ? run_find_column(run, "place")
								   : run_column(run, m, err);
}

bool run_add_column(struct run *run, const char *name, const double *at, struct err *err)
{
	for (size_t i = 0; i < run->n_columns; i++) {
		if (strcmp(run->columns[i].name, name) == 0) {
			run->columns[i].at = at;
			return true;
		}
	}
	if (run->n_columns == MODEL_MAX_COLUMNS)
		return err_set(err, "more than %d position columns", MODEL_MAX_COLUMNS);
	run->columns[run->n_columns++] = (struct column){.name = name, .at = at};
	return true;
}

/* ---- parts -------------------------------------------------------------------------------- */

void parts_add(struct parts *parts, const char *label, struct node *part)
{
	BUG_IF(parts->n == MODEL_MAX_PARTS);
	parts->at[parts->n++] = (struct part){.label = label, .at = part};
}

void run_add_part(struct run *run, const char *label, struct node *part)
{
	parts_add(&run->x, label, part);
}

void run_replace_x(struct run *run, const char *label, struct node *x)
{
	run->x.n = 0;
	parts_add(&run->x, label, x);
}

struct node *run_sum_parts(struct run *run, const struct parts *parts)
{
	struct node *sum = parts->at[0].at;
	for (size_t i = 1; i < parts->n; i++)
		sum = tape_add(run->tape, sum, parts->at[i].at);
	return sum;
}

/* ---- leaves and state --------------------------------------------------------------------- */

struct node *run_leaf_node(struct run *run, const struct leaf *leaf)
{
	return run->private->leaves[leaf - run->model->leaves];
}

struct node *run_leaf(struct run *run, const struct member *m, const char *base)
{
	const struct leaf *leaf = model_find_leaf(run->model, m, base, run->layer);
	if (!leaf)
		BUG("%s has no leaf %s in layer %zu", m->name, base, run->layer);
	struct node **slot = &run->private->leaves[leaf - run->model->leaves];
	if (!*slot)
		*slot = run_records(run, leaf)
				? tape_leaf(run->tape, model_leaf_at(run->model, leaf))
				: tape_const(run->tape, model_leaf_at(run->model, leaf));
	return *slot;
}

void *run_state(struct run *run, const struct member *m, size_t size)
{
	return run->private->state[m->index] = arena_calloc(run->arena, 1, size);
}

void *run_kept(const struct run *run, const struct member *m)
{
	return run->private->state[m->index];
}

void *head_state(const struct head *head, const struct member *m)
{
	return head->run->private->state[m->index];
}

/* ---- positions as whole numbers ----------------------------------------------------------- */

static const void *memo_find(const struct run *run, const struct member *m, const char *name)
{
	for (const struct memo *memo = run->private->memos; memo; memo = memo->next)
		if (memo->member == m && strcmp(memo->name, name) == 0)
			return memo->at;
	return NULL;
}

static struct memo *memo_add(struct run *run, const struct member *m, const char *name,
			     const void *at)
{
	struct memo *memo = arena_calloc(run->arena, 1, sizeof *memo);
	*memo = (struct memo){.member = m, .name = name, .at = at, .next = run->private->memos};
	return run->private->memos = memo;
}

static bool whole_column(const struct run *run, const struct member *m, const double **at,
			 struct err *err)
{
	*at = run_column(run, m, err);
	if (!*at)
		return false;
	for (size_t i = 0; i < run->n; i++)
		if (!(fabs((*at)[i]) < 1e6) || (*at)[i] != floor((*at)[i]))
			return err_set(err,
				       "%s reads a table by position, so positions must be whole "
				       "numbers; column %s has %.10g",
				       m->text, m->pos, (*at)[i]);
	return true;
}

bool run_delta_range(struct run *run, const struct member *m, long *lo, long *hi, struct err *err)
{
	const double *at;
	if (!whole_column(run, m, &at, err))
		return false;
	double least = at[0], most = at[0];
	for (size_t i = 1; i < run->n; i++) {
		least = fmin(least, at[i]);
		most = fmax(most, at[i]);
	}
	*hi = (long)(most - least);
	*lo = -*hi;
	return true;
}

const int32_t *run_rows_below(struct run *run, const struct member *m, const struct bound *bound,
			      struct err *err)
{
	const double *at;
	if (!whole_column(run, m, &at, err))
		return NULL;
	int32_t *rows = arena_calloc(run->arena, run->n, sizeof *rows);
	for (size_t i = 0; i < run->n; i++) {
		if (at[i] < 0) {
			err_set(err,
				"%s counts positions from 0 to %zu (%s), and column %s has %.10g",
				m->text, bound->limit - 1, bound->name, m->pos, at[i]);
			return NULL;
		}
		if (at[i] >= (double)bound->limit) {
			err_set(err,
				"%s has %zu positions (%s), and this input needs number %.10g; %s",
				m->text, bound->limit, bound->name, at[i] + 1, bound->remedy);
			return NULL;
		}
		rows[i] = (int32_t)at[i];
	}
	return rows;
}

const int32_t *run_rows(struct run *run, const struct member *m, size_t limit, struct err *err)
{
	const struct given *const given = run->model->given;
	const struct bound t_max = {
		limit, "t-max",
		given && given->source
			? "the trained model has no more; a shorter text would be right"
		: run_reads_given(run, m) ? "raise t-max or give smaller position ids"
					  : "raise t-max or shorten the sentence"};
	return run_rows_below(run, m, &t_max, err);
}

const struct index *run_known_index(struct run *run, const struct member *m, const char *name)
{
	return run_keys_are_units(run) ? memo_find(run, m, name) : NULL;
}

static struct index *new_index(struct run *run, size_t count, int32_t *at)
{
	struct index *index = arena_calloc(run->arena, 1, sizeof *index);
	*index = (struct index){.rows = run->n, .cols = run->n, .count = count, .at = at};
	return index;
}

const struct index *run_index_places(struct run *run, const struct member *m, const char *name,
				     size_t count,
				     long (*at)(const void *context, size_t t, size_t s),
				     const void *context, struct err *err)
{
	if (!run_needs_units(run, m, err))
		return NULL;
	const struct index *known = memo_find(run, m, name);
	if (known)
		return known;
	const size_t n = run->n;
	int32_t *entries = arena_alloc(run->arena, n * n * sizeof *entries);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++) {
			const long to = at(context, t, s);
			BUG_IF(to < -1 || to >= (long)count);
			entries[t * n + s] = (int32_t)to;
		}
	const struct index *index = new_index(run, count, entries);
	run_keep_index(run, m, name, index);
	memo_add(run, m, name, index);
	return index;
}

struct by_delta {
	long (*map)(const void *context, long delta);
	const void *context;
	size_t count;
};

static int32_t row_at(const struct by_delta *by, long delta)
{
	const long to = by->map(by->context, delta);
	BUG_IF(to < -1 || to >= (long)by->count);
	return (int32_t)to;
}

static bool count_up(const double *at, size_t n)
{
	bool all = true;
	for (size_t i = 1; i < n; i++)
		all &= at[i] - at[i - 1] == 1;
	return all;
}

/* Fills an index by distances. Each distance is mapped only once, unless the range of distances
 * exceeds the number of pairs. */
static void fill_by_delta(const struct by_delta *by, const double *at, size_t n, long lo, long hi,
			  struct arena *a, int32_t *entries)
{
	const size_t span = (size_t)(hi - lo) + 1;
	const bool consecutive = count_up(at, n);
	int32_t *const known = span <= n * n ? arena_calloc(a, span, sizeof *known) : NULL;
	for (size_t i = 0; known && i < span; i++)
		known[i] = row_at(by, lo + (long)i);
	for (size_t t = 0; t < n; t++) {
		if (known && consecutive) { /* a row is a section of them */
			memcpy(entries + t * n, known + (long)at[0] - (long)at[t] - lo,
			       n * sizeof *entries);
			continue;
		}
		for (size_t s = 0; s < n; s++) {
			const long delta = (long)at[s] - (long)at[t];
			entries[t * n + s] = known ? known[delta - lo] : row_at(by, delta);
		}
	}
}

const struct index *run_index_delta(struct run *run, const struct member *m, const char *name,
				    size_t count, long (*map)(const void *context, long delta),
				    const void *context, struct err *err)
{
	if (!run_needs_units(run, m, err))
		return NULL;
	const struct index *known = memo_find(run, m, name);
	if (known)
		return known;
	const double *at;
	long lo, hi;
	if (!whole_column(run, m, &at, err) || !run_delta_range(run, m, &lo, &hi, err))
		return NULL;
	const struct by_delta by = {map, context, count};
	int32_t *entries = arena_alloc(run->arena, run->n * run->n * sizeof *entries);
	fill_by_delta(&by, at, run->n, lo, hi, run->arena, entries);
	const struct index *index = new_index(run, count, entries);
	run_keep_index(run, m, name, index);
	memo_add(run, m, name, index);
	return index;
}

/* ---- the cache ---------------------------------------------------------------------------- */

/* Hashes the structure and the nodes of the units; a chain follows from which of them are
 * tokens. */
static uint64_t digest_structure(const struct run *run, uint64_t h)
{
	const struct structure *s = run->in->structure;
	for (size_t i = 0; i < run->n; i++) {
		const long token = run->queries->token[i];
		const double node = token < 0 ? -1 : s ? (double)run->in->node[token] : 0;
		/* The order of tokens on one node distinguishes them. */
		h = digest_numbers(h, (const double[]){node, s ? (double)token : 0}, 2);
	}
	if (!s)
		return h;
	h = digest_numbers(
		h, (const double[]){(double)s->kind, (double)s->n, s->directed, (double)s->root},
		4);
	for (size_t i = 0; i < s->n_edges; i++) {
		const struct edge *e = &s->edges[i];
		h = digest_numbers(h, (const double[]){(double)e->from, (double)e->to, e->label},
				   3);
	}
	for (size_t i = 0; i < s->n_labels; i++)
		h = digest_text(h, s->edge_labels[i]);
	for (size_t i = 0; s->parent && i < s->n; i++)
		h = digest_numbers(h, (const double[]){(double)s->parent[i], (double)s->branch[i]},
				   2);
	return h;
}

static uint64_t digest_positions(const struct run *run, const struct member *m, uint64_t h)
{
	const double *at = run_find_column(run, m->pos);
	return at ? digest_numbers(h, at, run->n) : h;
}

/* Returns the part of keys that is the same for every member, made once because printing is
 * slow. */
static const char *sizes_key(struct run *run)
{
	const struct model *model = run->model;
	const struct model_config *c = &model->config;
	if (!run->private->sizes_key)
		run->private->sizes_key = arena_printf(
			run->arena,
			"d %zu h %zu %zux%zu/%zu l %zu t %zu seed %llu init %d proj %d c %.17g gain "
			"%.17g units %.17g",
			c->d, c->heads, model->kv_heads, model->dk, model->dv, c->layers, c->t_max,
			(unsigned long long)c->seed, (int)c->init, (int)c->proj, model->c,
			model->gain, model_embed_scale(model));
	return run->private->sizes_key;
}

/* Returns a key of everything that the data can depend on: the member's text, the sizes, what
 * leaves and weights are drawn from, the leaves themselves only if they were not drawn; and `h`,
 * the hash of the input. */
static const char *cache_key(struct run *run, const struct member *m, const char *name,
			     bool per_layer, uint64_t h)
{
	const struct model *model = run->model;
	for (size_t i = 0; i < model->n_leaves; i++) {
		const struct leaf *leaf = &model->leaves[i];
		if (leaf->given && leaf->member == m &&
		    (leaf->layer < 0 || leaf->layer == (long)run->layer))
			for (size_t r = 0; r < leaf->at.rows; r++)
				h = digest_numbers(h, mat_row(leaf->at, r), leaf->at.cols);
	}
	return arena_printf(run->arena, "%s|%s|%s|%ld|%s|%llx", m->name, m->text, name,
			    per_layer ? (long)run->layer : -1L, sizes_key(run),
			    (unsigned long long)h);
}

/* Returns NULL if the cache must not be used: keys do not distinguish weights from files, and data
 * that the trace keeps must be made. */
static struct cache *usable_cache(const struct run *run)
{
	const struct given *given = run->model->given;
	const bool made = run->tape->recording || run_keeps(run);
	return made || (given && (given->weights || given->source)) ? NULL : run->private->cache;
}

static struct node *cached_node(struct run *run, const struct member *m, const char *name,
				bool per_layer,
				struct node *(*build)(struct run *run, const struct member *m,
						      struct err *err),
				struct err *err)
{
	struct cache *cache = usable_cache(run);
	if (record_shared_of(run))
		return record_shared_node(
			run,
			(struct record_memo){
				.member = m,
				.name = name,
				.layer = per_layer ? (long)run->layer : -1,
				.input = digest_structure(run, digest_positions(run, m, run->n))},
			build, err);
	if (!cache) {
		if (per_layer)
			return build(run, m, err);
		const struct node *known = memo_find(run, m, name);
		if (known)
			return (struct node *)(uintptr_t)known;
		struct node *made = build(run, m, err);
		if (made)
			memo_add(run, m, name, made);
		return made;
	}
	const uint64_t h = digest_structure(run, digest_positions(run, m, run->n));
	const char *key = cache_key(run, m, name, per_layer, h);
	struct mat found;
	if (cache_get(cache, key, &found))
		return tape_const(run->tape, found);
	struct node *made = build(run, m, err);
	if (made)
		cache_put(cache, key, made->v);
	return made;
}

struct node *run_cached(struct run *run, const struct member *m, const char *name, bool per_layer,
			struct node *(*build)(struct run *run, const struct member *m,
					      struct err *err),
			struct err *err)
{
	struct node *made = cached_node(run, m, name, per_layer, build, err);
	if (made)
		(per_layer ? step_keep : run_keep)(run, m, name, made->v);
	return made;
}

const void *run_cached_block(struct run *run, const struct member *m, const struct cached *what,
			     struct err *err)
{
	struct cache *cache = usable_cache(run);
	uint64_t h = what->of_positions ? digest_positions(run, m, run->n) : 0;
	h = what->of_structure ? digest_structure(run, h + run->n) : h;
	const struct record_memo of = {.member = m,
				       .name = what->name,
				       .layer = what->per_layer ? (long)run->layer : -1,
				       .input = h};
	const void *const shared = record_shared_find(run, &of);
	if (shared)
		return shared;
	const char *key = cache_key(run, m, what->name, what->per_layer, h);
	const void *known = memo_find(run, m, key);
	if (!known && cache)
		known = cache_block(cache, key);
	if (known)
		return known;
	struct arena own;
	arena_init(&own);
	/* A recorded run has no end: its results live as long as its tape. */
	struct arena *a = run->tape->recording ? run->arena : &own;
	const void *made = what->build(run, m, what->context, a, err);
	if (!made)
		arena_release(&own);
	else if (!cache || !cache_adopt(cache, key, made, &own))
		memo_add(run, m, key, made)->own = own;
	if (made && record_shared_of(run))
		record_shared_add(run, of, made);
	return made;
}

/* ---- heads -------------------------------------------------------------------------------- */

bool head_acts(const struct head *head, const struct member *m)
{
	return member_on(m, head->run->layer) && !head->run->cross &&
	       member_on_head(m, head->index);
}

struct node *head_slice(struct head *head, struct node *all, size_t width)
{
	return tape_slice(head->tape, all, 0, all->v.rows, head->index * width, width);
}

struct node *head_row(struct head *head, struct node *all)
{
	return tape_slice(head->tape, all, head->index, 1, 0, all->v.cols);
}

double head_scale(const struct head *head)
{
	return head->run->model->c;
}

uint8_t *head_mask(struct head *head)
{
	if (!head->allowed) {
		const size_t size = head->run->n * head->run->keys->n;
		head->allowed = arena_alloc(head->run->arena, size);
		memset(head->allowed, 1, size);
	}
	return head->allowed;
}
