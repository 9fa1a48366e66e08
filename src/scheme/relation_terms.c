/* relation_terms.c: see relation_terms.h. */
#include "scheme/relation_terms.h"

#include "scheme/label_rows.h"

/* ---- many relations -------------------------------------------------------------------------- */

static bool sort_pairs(struct run *run, const struct member *m, struct relation_terms *x,
		       struct err *err)
{
	const struct index *mean = x->read;
	const size_t pairs = run->n * run->n, width = 3 * run->model->config.heads;
	if (pairs > INT32_MAX / width)
		return err_set(err,
			       "%s: %zu tokens with different paths are too many for %zu heads",
			       m->text, run->n, run->model->config.heads);
	size_t *next = arena_calloc(run->arena, mean->count + 1, sizeof *next);
	int32_t *pair = arena_alloc(run->arena, pairs * sizeof *pair);
	int32_t *place = arena_alloc(run->arena, pairs * sizeof *place);
	struct index *index = arena_alloc(run->arena, sizeof *index);
	for (size_t i = 0; i < pairs; i++)
		next[mean->at[i] + 1]++;
	for (size_t i = 0; i < mean->count; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < pairs; i++) {
		place[i] = (int32_t)(i * width);
		pair[next[mean->at[i]]++] = (int32_t)i;
	}
	*index = (struct index){
		.rows = run->n, .cols = run->n, .count = (pairs - 1) * width + 1, .at = place};
	x->place = index;
	x->pair = pair;
	x->room = mat_new(run->arena, pairs, width);
	return true;
}

struct terms {
	const struct relation_terms *x;
	const struct run *run;
};

/* Computes q·r^b, r^a·k and r^a·r^b of all heads, for pairs first .. first + n - 1 in their
 * order. */
static struct node *some_terms(struct tape *t, const void *context, size_t first, size_t n)
{
	const struct terms *k = context;
	const size_t heads = k->run->model->config.heads;
	const int32_t *pair = k->x->pair + first, *mean = k->x->read->at;
	const int32_t from = mean[pair[0]], to = mean[pair[n - 1]] + 1;
	int32_t *query = arena_alloc(t->arena, 3 * n * sizeof *query);
	int32_t *key = query + n, *read = key + n;
	for (size_t i = 0; i < n; i++) {
		query[i] = pair[i] / (int32_t)k->run->n;
		key[i] = pair[i] % (int32_t)k->run->n;
		read[i] = mean[pair[i]] - from;
	}
	struct index *index = arena_alloc(t->arena, sizeof *index);
	*index = (struct index){.rows = n, .cols = 1, .count = (size_t)(to - from), .at = read};
	struct node *r = tape_slice(t, k->x->r, (size_t)from, index->count, 0, k->x->r->v.cols);
	struct node *ra = tape_matmul(t, r, false, k->x->wa, false, 1);
	struct node *rb = tape_matmul(t, r, false, k->x->wb, false, 1);
	struct node *parts[] = {tape_chosen_dots(t, k->run->q, query, rb, index, heads),
				tape_chosen_dots(t, k->run->k, key, ra, index, heads),
				tape_chosen_dots(t, ra, read, rb, index, heads)};
	return tape_concat_cols(t, parts, 3);
}

static struct node *make_terms(struct run *run, const struct relation_terms *x, struct err *err)
{
	const struct terms k = {x, run};
	struct label_rows rows = label_rows_begin(run, x->room);
	rows.place = x->pair;
	label_rows_add(&rows, x->room.rows, some_terms, &k);
	struct node *all = label_rows_end(&rows, err);
	return all ? tape_reshape(run->tape, all, 1, all->v.rows * all->v.cols) : NULL;
}

bool relation_terms_prepare(struct run *run, const struct member *m, struct relation_terms *x,
			    struct err *err)
{
	x->terms = NULL;
	if (!relation_terms_many((double)x->r->v.rows, (double)run->n))
		return true;
	if (!x->place && !sort_pairs(run, m, x, err))
		return false;
	x->terms = make_terms(run, x, err);
	return x->terms != NULL;
}

/* ---- a head ---------------------------------------------------------------------------------- */

/* The table from which pairs read a term. */
struct reading {
	struct node *table;
	enum gather how;
};

static void few_relations(struct head *head, const struct relation_terms *x, struct reading out[3])
{
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk;
	struct node *wa = head_slice(head, x->wa, dk), *wb = head_slice(head, x->wb, dk);
	struct node *ra = tape_matmul(t, x->r, false, wa, false, 1);
	struct node *rb = tape_matmul(t, x->r, false, wb, false, 1);
	struct node *own = tape_row_sum(t, tape_mul(t, ra, rb));
	out[0] = (struct reading){tape_matmul(t, head->q_raw, false, rb, true, 1), GATHER_BY_ROW};
	out[1] = (struct reading){tape_matmul(t, head->k_raw, false, ra, true, 1), GATHER_BY_COL};
	out[2] = (struct reading){tape_reshape(t, own, 1, own->v.rows), GATHER_SHARED};
}

static void many_relations(struct head *head, const struct relation_terms *x, struct reading out[3])
{
	const size_t heads = head->run->model->config.heads;
	for (size_t i = 0; i < 3; i++)
		out[i] = (struct reading){tape_slice(head->tape, x->terms, 0, 1,
						     i * heads + head->index, x->place->count),
					  GATHER_SHARED};
}

void relation_terms_add(struct head *head, const struct relation_terms *x)
{
	static const struct {
		const char *label;
		enum term_kind kind;
	} terms[] = {{"query–relation", TERM_UNIT_POSITION},
		     {"relation–key", TERM_POSITION_UNIT},
		     {"relation–relation", TERM_POSITION}};
	const struct index *index = x->terms ? x->place : x->read;
	struct reading readings[3];
	(x->terms ? many_relations : few_relations)(head, x, readings);
	for (size_t i = 0; i < 3; i++)
		head_add_indexed(head, terms[i].label, terms[i].kind, readings[i].table, index,
				 readings[i].how, head_scale(head));
}
