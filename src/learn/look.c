/* look.c: a head of a learner on sentences of the test: the weight on the keys that answers depend on,
 * and by distance. */
#include <math.h>
#include <string.h>

#include "posviz/learn/known.h"
#include "train_in.h"

enum { LOOKED = 16 }; /* sentences that means are over */

/* Sums over the sentences. */
struct sums {
	double *on_right; /* [layers·heads] */
	double *at;	  /* [layers·heads][2n − 1] */
	size_t *pairs;	  /* [2n − 1] */
	size_t asked, heads, n;
};

/* Returns the place of a token; -1: a unit that a member put in. */
static long place_of(const struct axis *axis, size_t i)
{
	return axis->token[i];
}

static void add_head(struct sums *sums, size_t cell, const struct run *run, struct mat w,
		     const uint8_t *right)
{
	const size_t n = sums->n;
	double *const at = sums->at + cell * (2 * n - 1);
	for (size_t i = 0; i < w.rows; i++)
		for (size_t k = 0; k < w.cols; k++) {
			const long t = place_of(run->queries, i), s = place_of(run->keys, k);
			if (t < 0 || s < 0)
				continue;
			at[s - t + (long)n - 1] += mat_row(w, i)[k];
			if (right[(size_t)t * n + (size_t)s])
				sums->on_right[cell] += mat_row(w, i)[k];
		}
}

static void count_asked(struct sums *sums, const uint8_t *right, bool causal)
{
	const size_t n = sums->n;
	for (size_t t = 0; t < n; t++) {
		sums->asked += memchr(right + t * n, 1, n) != NULL;
		for (size_t s = 0; s < n; s++)
			sums->pairs[s + n - 1 - t] += s <= t || !causal;
	}
}

/* Copies the head's matrix on this sentence. */
static void keep_matrix(const struct learner *l, const struct run *run, struct mat w,
			const uint8_t *right, struct arena *a, struct learn_look *out)
{
	const size_t n = out->n;
	const char **const query = arena_calloc(a, w.rows + 1, sizeof *query);
	const char **const key = arena_calloc(a, w.cols + 1, sizeof *key);
	out->weights = mat_copy(a, w);
	out->allowed = arena_calloc(a, w.rows, w.cols);
	out->right = arena_calloc(a, w.rows, w.cols);
	for (size_t i = 0; i < w.rows; i++)
		query[i] = arena_strdup(a, run->queries->labels[i]);
	for (size_t k = 0; k < w.cols; k++)
		key[k] = arena_strdup(a, run->keys->labels[k]);
	for (size_t i = 0; i < w.rows; i++)
		for (size_t k = 0; k < w.cols; k++) {
			const long t = place_of(run->queries, i), s = place_of(run->keys, k);
			const bool tokens = t >= 0 && s >= 0;
			out->right[i * w.cols + k] = tokens && right[(size_t)t * n + (size_t)s];
			out->allowed[i * w.cols + k] =
				!(tokens && s > t && learner_causal(l)) || mat_row(w, i)[k] > 0;
		}
	out->query = query;
	out->key = key;
}

static struct mat weights_of(struct run *run, size_t cell, size_t heads)
{
	const struct node *const w = run_weights_node(run, cell / heads, cell % heads);
	return w ? w->v : (struct mat){0};
}

/* Runs a sentence and adds its heads; of the first one, `out` gets the matrix if it is not NULL. */
static bool look_at(struct learner *l, const struct example *e, uint64_t draw, struct sums *sums,
		    struct arena *a, struct learn_look *out, struct err *err)
{
	struct arena scratch;
	struct taped t;
	struct run *run;
	const int32_t *target;
	const size_t n = sums->n, cells = l->b->model.n_steps * sums->heads;
	arena_init(&scratch);
	taped_begin(l, l->b, false, &scratch, &t);
	uint8_t *const right = arena_calloc(&scratch, n, n);
	bool ok = task_keys(&l->task, e, right, &scratch, err) &&
		  taped_run(l, l->b, &t, e, draw, &target, &run, err) != NULL;
	if (ok && !weights_of(run, 0, sums->heads).at)
		ok = err_set(err, "%s has no weights of keys", l->o.scheme);
	for (size_t c = 0; ok && sums->on_right && c < cells; c++)
		add_head(sums, c, run, weights_of(run, c, sums->heads), right);
	if (ok && sums->on_right)
		count_asked(sums, right, learner_causal(l));
	if (ok && out)
		keep_matrix(l, run,
			    weights_of(run, out->layer * sums->heads + out->head, sums->heads),
			    right, a, out);
	arena_release(&scratch);
	return ok;
}

static size_t most_on_right(const struct sums *sums, size_t cells)
{
	size_t best = 0;
	for (size_t c = 1; c < cells; c++)
		best = sums->on_right[c] > sums->on_right[best] ? c : best;
	return best;
}

static void take_means(const struct sums *sums, struct arena *a, struct learn_look *out)
{
	const size_t cell = out->layer * sums->heads + out->head, m = 2 * sums->n - 1;
	out->on_right = sums->asked ? sums->on_right[cell] / (double)sums->asked : NAN;
	out->by_distance = arena_calloc(a, m, sizeof *out->by_distance);
	for (size_t i = 0; i < m; i++)
		out->by_distance[i] =
			sums->pairs[i] ? sums->at[cell * m + i] / (double)sums->pairs[i] : NAN;
}

bool learner_look(struct learner *l, bool choose, struct arena *a, struct learn_look *out,
		  struct err *err)
{
	const struct model *const model = &l->b->model;
	const size_t n = l->task.longest, heads = model->config.heads;
	const size_t cells = model->n_steps * heads;
	struct sums sums = {.heads = heads, .n = n}, none = {.heads = heads, .n = n};
	struct example *e;
	size_t n_e;
	if (!task_test(&l->task, n, LOOKED, a, &e, &n_e, err))
		return false;
	sums.on_right = arena_calloc(a, cells, sizeof *sums.on_right);
	sums.at = arena_calloc(a, cells * (2 * n - 1), sizeof *sums.at);
	sums.pairs = arena_calloc(a, 2 * n - 1, sizeof *sums.pairs);
	out->n = n;
	size_t looked = 0;
	const struct example *first = NULL;
	for (size_t i = 0; i < n_e; i++) {
		if (e[i].n != n) /* a line of the user's file that is shorter */
			continue;
		first = first ? first : &e[i];
		looked++;
		if (!look_at(l, &e[i], 2 * i + 1, &sums, a, NULL, err))
			return false;
	}
	if (looked == 0)
		return err_set(err, "no sentence of the test has %zu words", n);
	if (choose) {
		out->layer = most_on_right(&sums, cells) / heads;
		out->head = most_on_right(&sums, cells) % heads;
	}
	take_means(&sums, a, out);
	return look_at(l, first, 1, &none, a, out, err);
}
