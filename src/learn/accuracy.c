/* accuracy.c: the test of a trained model on fresh sentences of any length. */
#include <math.h>
#include <string.h>

#include "posviz/math/machine.h"
#include "train_in.h"

struct test_job {
	struct learner *l;
	const struct example *e;
	size_t n;
	struct watch *watch;
	struct tally {
		size_t right, asked;
		bool *asks, *is_right; /* [letters of the sentence] */
		bool ok;
		struct err err;
	} * of; /* [n] */
};

static size_t largest(const double *x, size_t n)
{
	size_t at = 0;
	for (size_t i = 1; i < n; i++)
		at = x[i] > x[at] ? i : at;
	return at;
}

/* Sentences of a test have draws of their own, the same in every test of their length. */
static uint64_t test_draw(size_t n, size_t i)
{
	struct rng rng;
	rng_init(&rng, (uint64_t)n << 32 | i);
	return rng_u64(&rng) | 1;
}

static void test_one(void *context, size_t i, size_t worker)
{
	struct test_job *const job = context;
	struct arena *const a = &job->l->private->scratch[worker];
	struct tally *const tally = &job->of[i];
	const struct example *const e = &job->e[i];
	const int32_t *target;
	struct run *run;
	struct taped t;
	if (watch_cancelled(job->watch))
		return;
	arena_clear(a);
	taped_begin(job->l, job->l->tested, false, a, &t);
	const struct node *const logits = taped_run(job->l, job->l->tested, &t, e,
						    test_draw(e->n, i), &target, &run, &tally->err);
	tally->ok = logits != NULL;
	for (size_t r = 0; logits && r < logits->v.rows; r++) {
		if (target[r] < 0)
			continue;
		const size_t at = (size_t)run->queries->token[r];
		tally->asks[at] = true;
		tally->is_right[at] =
			largest(mat_row(logits->v, r), logits->v.cols) == (size_t)target[r];
		tally->asked++;
		tally->right += tally->is_right[at];
	}
}

static bool count(struct test_job *job, struct arena *a, struct accuracy *out, struct err *err)
{
	size_t right = 0;
	job->of = arena_calloc(a, job->n + 1, sizeof *job->of);
	for (size_t i = 0; i < job->n; i++) {
		job->of[i].asks = arena_calloc(a, job->e[i].n, sizeof(bool));
		job->of[i].is_right = arena_calloc(a, job->e[i].n, sizeof(bool));
	}
	machine_parallel(job->n, test_one, job);
	if (watch_cancelled(job->watch))
		return err_set(err, "cancelled");
	for (size_t i = 0; i < job->n; i++) {
		if (!job->of[i].ok) {
			out->absent = arena_strdup(a, job->of[i].err.text);
			return true;
		}
		right += job->of[i].right;
		out->answers += job->of[i].asked;
	}
	out->sentences = job->n;
	if (out->answers)
		out->right = (double)right / (double)out->answers;
	else
		out->absent = "no sentence of this length";
	return true;
}

/* Sets the share of right answers at each of n places; NaN: nothing was asked there. */
static void count_places(const struct test_job *job, size_t n, double *by_place)
{
	for (size_t t = 0; t < n; t++) {
		size_t asked = 0, right = 0;
		for (size_t i = 0; i < job->n; i++) {
			asked += t < job->e[i].n && job->of[i].asks[t];
			right += t < job->e[i].n && job->of[i].is_right[t];
		}
		by_place[t] = asked ? (double)right / (double)asked : NAN;
	}
}

bool learner_test_places(struct learner *l, size_t n, struct arena *a, struct accuracy *out,
			 double *by_place, struct watch *watch, struct err *err)
{
	const bool longest = n >= l->task.longest << (LEARN_LENGTHS - 1);
	struct test_job job = {.l = l, .watch = watch};
	struct example *e;
	*out = (struct accuracy){.n = n, .right = NAN, .floor = NAN};
	if (!task_test(&l->task, n, longest ? LEARN_TESTED_LONGEST : LEARN_TESTED, a, &e, &job.n,
		       err))
		return false;
	job.e = e;
	out->floor = task_floor(&l->task, n, learner_causal(l) ? SIGHT_PREFIX : SIGHT_WHOLE);
	if (!count(&job, a, out, err))
		return false;
	if (by_place)
		count_places(&job, n, by_place);
	return true;
}

bool learner_test(struct learner *l, size_t n, struct arena *a, struct accuracy *out,
		  struct watch *watch, struct err *err)
{
	return learner_test_places(l, n, a, out, NULL, watch, err);
}
