/* matching.c: see matching.h. Ties go to the lower index, so there is always a pair to match. */
#include "scheme/matching.h"

#include <math.h>

struct rounds {
	struct mat c, value; /* value: the numbers compared in this round */
	bool *row, *col;     /* already matched */
	size_t *best_col, *best_row, n;
};

/* Computes log softmax over the free columns: this keeps the order within a row, but changes it
 * within a column. */
static void weigh_row(struct rounds *r, size_t i)
{
	const double *from = mat_row(r->c, i);
	double *to = mat_row(r->value, i), most = -INFINITY, sum = 0;
	for (size_t j = 0; j < r->n; j++)
		if (!r->col[j])
			most = fmax(most, from[j]);
	for (size_t j = 0; j < r->n; j++)
		if (!r->col[j])
			sum += exp(from[j] - most);
	for (size_t j = 0; j < r->n; j++)
		to[j] = from[j] - most - log(sum);
}

static void find_best(struct rounds *r)
{
	for (size_t k = 0; k < r->n; k++)
		r->best_col[k] = r->best_row[k] = r->n;
	for (size_t i = 0; i < r->n; i++) {
		if (r->row[i])
			continue;
		const double *v = mat_row(r->value, i);
		for (size_t j = 0; j < r->n; j++) {
			if (r->col[j])
				continue;
			if (r->best_col[i] == r->n || v[j] > v[r->best_col[i]])
				r->best_col[i] = j;
			if (r->best_row[j] == r->n || v[j] > mat_row(r->value, r->best_row[j])[j])
				r->best_row[j] = i;
		}
	}
}

static size_t match_mutual(struct rounds *r, size_t *place)
{
	size_t matched = 0;
	for (size_t i = 0; i < r->n; i++) {
		const size_t j = r->best_col[i];
		if (r->row[i] || r->best_row[j] != i)
			continue;
		place[i] = j;
		r->row[i] = r->col[j] = true;
		matched++;
	}
	return matched;
}

size_t matching_find(struct mat c, enum matching how, struct arena *a, size_t *place)
{
	const size_t n = c.rows;
	struct rounds r = {.c = c,
			   .value = mat_copy(a, c),
			   .row = arena_calloc(a, n + 1, sizeof(bool)),
			   .col = arena_calloc(a, n + 1, sizeof(bool)),
			   .best_col = arena_calloc(a, n + 1, sizeof(size_t)),
			   .best_row = arena_calloc(a, n + 1, sizeof(size_t)),
			   .n = n};
	size_t rounds = 0;
	BUG_IF(c.cols != n);
	for (size_t matched = 0; matched < n; rounds++) {
		for (size_t i = 0; how == MATCHING_CODE && i < n; i++)
			if (!r.row[i])
				weigh_row(&r, i);
		find_best(&r);
		const size_t more = match_mutual(&r, place);
		BUG_IF(more == 0);
		matched += more;
	}
	return rounds;
}
