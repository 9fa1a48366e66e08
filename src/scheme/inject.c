/* inject.c: see inject.h. Nothing of size n×n×d is made: q·wᵀ is [n, rows] and is read by the
 * index; for values the weights of one row are summed to [n, rows] first and multiplied by w
 * once. Queries and keys are those before the qk stage: their width is d_k whatever that stage
 * does. */
#include "scheme/inject.h"

#include <math.h>
#include <string.h>

#include "scheme/leaves.h"

const char *const share_names[] = {"none", "head", "layer", NULL};

static bool of_all_heads(enum share share)
{
	return share == SHARE_HEAD || share == SHARE_BOTH;
}

static bool of_each_layer(enum share share)
{
	return share == SHARE_NONE || share == SHARE_HEAD;
}

struct node *share_slice(struct head *head, enum share share, struct node *table, size_t width)
{
	return of_all_heads(share) ? table : head_slice(head, table, width);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool is_number(const struct inject *w)
{
	return w->at == INJECT_ADD || w->at == INJECT_MULTIPLY;
}

/* Returns the columns that a head has in a table. */
static size_t width_of(const struct inject *w, const struct model *model)
{
	return is_number(w) ? 1 : w->at == INJECT_VALUES ? model->dv : model->dk;
}

/* Returns the earlier row that reads the same table; i: none. */
static size_t same_leaf(const struct inject *what, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(what[k].leaf, what[i].leaf) == 0)
			return k;
	return i;
}

static bool declare(struct model *model, const struct member *m, const struct inject *w,
		    struct err *err)
{
	const size_t rows = encoding_rows(&w->by), width = width_of(w, model);
	const size_t copies = of_all_heads(w->share) ? 1 : model->config.heads;
	return model_leaf(model, m, w->leaf, w->turned ? copies * width : rows,
			  w->turned ? rows : copies * width, of_each_layer(w->share), w->demo,
			  w->paper, err);
}

/* Returns the number of injections; 0 for a scheme of a family in which only others have some. */
static size_t rows_of(const struct model *model, const struct member *m, struct inject *out)
{
	return m->hooks->injects ? m->hooks->injects(model, m, out) : 0;
}

bool inject_declare(struct model *model, const struct member *m, struct err *err)
{
	struct inject what[INJECT_MAX] = {0};
	const size_t n = rows_of(model, m, what);
	for (size_t i = 0; i < n; i++)
		if (!what[i].made && same_leaf(what, i) == i && !declare(model, m, &what[i], err))
			return false;
	return leaves_declare(model, m, err);
}

static struct node *read_leaf(struct run *run, const struct member *m, const struct inject *w,
			      const struct encoded *by)
{
	struct node *table = run_leaf(run, m, w->leaf);
	if (w->by.reached)
		table = tape_slice(run->tape, table, by->first, by->rows, 0, table->v.cols);
	return is_number(w) && !w->turned ? tape_transpose(run->tape, table) : table;
}

static struct node *make_table(struct run *run, const struct member *m, struct injected *state,
			       size_t i, struct err *err)
{
	const struct inject *w = &state->what[i];
	const size_t before = same_leaf(state->what, i);
	if (before < i)
		return state->table[before];
	return w->made ? run_cached(run, m, w->leaf, of_each_layer(w->share), w->made, err)
		       : read_leaf(run, m, w, &state->by[i]);
}

bool inject_fill(struct run *run, const struct member *m, struct injected *state, struct err *err)
{
	state->n = rows_of(run->model, m, state->what);
	for (size_t i = 0; i < state->n; i++) {
		if (!encoding_read(run, m, &state->what[i].by, &state->by[i], err))
			return false;
		state->table[i] = make_table(run, m, state, i, err);
		if (!state->table[i])
			return false;
	}
	return true;
}

bool inject_prepare(struct run *run, const struct member *m, struct err *err)
{
	return inject_fill(run, m, run_state(run, m, sizeof(struct injected)), err);
}

const struct encoded *inject_encoded(const struct run *run, const struct member *m, size_t i)
{
	const struct injected *state = run_kept(run, m);
	return &state->by[i];
}

bool inject_relation(struct run *run, const struct member *m, struct relation *out, struct err *err)
{
	struct inject what[INJECT_MAX] = {0};
	const size_t n = rows_of(run->model, m, what);
	return n == 0 || encoding_relation(run, m, &what[0].by, out, err);
}

/* ---- heads ----------------------------------------------------------------------------------- */

static struct node *numbers_of_head(struct head *head, struct node *table)
{
	const size_t row = table->v.rows == 1 ? 0 : head->index;
	return tape_slice(head->tape, table, row, 1, 0, table->v.cols);
}

static struct node *vectors_of_head(struct head *head, const struct injected *state, size_t i)
{
	const struct inject *const w = &state->what[i];
	return share_slice(head, w->share, state->table[i], width_of(w, head->run->model));
}

void inject_numbers(struct head *head, const char *label, enum term_kind kind, struct node *table,
		    const struct index *index, double scale)
{
	head_add_indexed(head, label, kind, numbers_of_head(head, table), index, GATHER_SHARED,
			 scale);
}

/* Adds q wᵀ read by the query's row, or k wᵀ read by the key's column. */
static void add_products(struct head *head, const struct inject *w, struct node *vectors,
			 const struct index *index)
{
	if (w->at == INJECT_KEYS)
		head_add_products(head, w->label, TERM_UNIT_POSITION, head->q_raw, vectors,
				  w->turned, index);
	else
		head_add_indexed(
			head, w->label, TERM_POSITION_UNIT,
			tape_matmul(head->tape, head->k_raw, false, vectors, !w->turned, 1), index,
			GATHER_BY_COL, head_scale(head));
}

bool inject_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct injected *state = head_state(head, m);
	for (size_t i = 0; i < state->n; i++) {
		const struct inject *w = &state->what[i];
		if (w->at == INJECT_ADD)
			inject_numbers(head, w->label, w->kind ? w->kind : TERM_POSITION,
				       state->table[i], state->by[i].index,
				       w->scale > 0 ? w->scale : 1);
		else if (w->at == INJECT_KEYS || w->at == INJECT_QUERIES)
			add_products(
				head, w,
				share_slice(head, w->share, state->table[i], head->run->model->dk),
				state->by[i].index);
	}
	return true;
}

/* Multiplies so that vectors of ones leave the logits exactly unchanged. */
static struct node *with_products(struct head *head, struct node *vectors,
				  const struct index *index)
{
	struct tape *t = head->tape;
	struct node *more =
		tape_triple(t, head->q_raw, head->k_raw, tape_add_scalar(t, vectors, -1), index);
	return tape_accumulate(t, head->logits, tape_scale(t, more, head_scale(head)));
}

bool inject_adjust(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct injected *state = head_state(head, m);
	struct tape *t = head->tape;
	for (size_t i = 0; i < state->n; i++) {
		const enum inject_at at = state->what[i].at;
		struct node *table = state->table[i];
		if (at != INJECT_MULTIPLY && at != INJECT_PRODUCTS)
			continue;
		const struct index *index = head_rows_of_index(head, state->by[i].index);
		if (at == INJECT_MULTIPLY)
			head->logits = tape_mul(
				t, head->logits,
				tape_gather(t, numbers_of_head(head, table), index, GATHER_SHARED));
		else
			head->logits = with_products(head, vectors_of_head(head, state, i), index);
	}
	return true;
}

bool inject_values(struct head *head, const struct member *m, struct err *err)
{
	const struct injected *state = head_state(head, m);
	struct tape *t = head->tape;
	for (size_t i = 0; i < state->n; i++) {
		const struct inject *w = &state->what[i];
		if (w->at != INJECT_VALUES)
			continue;
		if (!head_needs_one_plane(head, m, w->remedy, err))
			return false;
		const struct index *index = head_rows_of_index(head, state->by[i].index);
		struct node *sums = tape_scatter(t, head->weights, index, false);
		struct node *vectors = vectors_of_head(head, state, i);
		struct from_keys from = {.row = index->at};
		if (head->parted)
			from.vectors = w->turned ? tape_transpose(t, vectors) : vectors;
		head_add_values(head, w->leaf, tape_matmul(t, sums, false, vectors, w->turned, 1),
				&from);
	}
	return true;
}

double inject_slope(size_t head, size_t heads, double first)
{
	return heads > 1 ? exp2(first - 3 * (double)head / (double)(heads - 1)) : 1;
}
