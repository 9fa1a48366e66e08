/* task_losses.c: the least loss of training without position, computed exactly.
 *
 * What a model knows is that of task_floors.c: the letter of a token, and the letters of the sentence, or with a
 * causal mask and one layer those up to it, as a multiset. The loss of a sentence is the mean over its A asked
 * tokens, so that an answer y counts W(y) = E[1/A; the answer is y] in a state, and the least loss there is
 *
 *   −Σ_y W(y) ln(W(y)/Σ W)
 *
 * Sentences that ask nothing are not counted. */
#include <math.h>
#include <string.h>

#include "learn_in.h"
#include "task_floors.h"

enum { LETTERS = 8, ANSWERED = 7, MOST = 64 };
static const double capitals = 0.25;

/* Returns n over k. */
static double choose(size_t n, size_t k)
{
	return k > n ? 0
		     : exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
			   lgamma((double)(n - k) + 1));
}

static double binomial(size_t n, size_t k, double p)
{
	return choose(n, k) * pow(p, (double)k) * pow(1 - p, (double)(n - k));
}

/*   −V Σ_c Bin(c; n, 1/V) c/n ln(c/n) */
double task_entropy(size_t n, size_t letters)
{
	double sum = 0;
	for (size_t c = 1; c <= n; c++) {
		const double share = (double)c / (double)n;
		sum -= binomial(n, c, 1 / (double)letters) * share * log(share);
	}
	return sum * (double)letters;
}

/* Returns −Σ w ln(w/Σ w). */
static double least(const double *w, size_t n)
{
	double all = 0, sum = 0;
	for (size_t i = 0; i < n; i++)
		all += w[i];
	for (size_t i = 0; i < n; i++)
		sum -= w[i] > 0 ? w[i] * log(w[i] / all) : 0;
	return sum;
}

static double mean(const double *at, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += at[i];
	return sum / (double)n;
}

/* ---- copies ----------------------------------------------------------------------------------- */

/* The letter is one of the others, or of those before, each as likely. */
double loss_copy(size_t shortest, size_t longest, enum sight sight)
{
	double of[MOST];
	for (size_t n = shortest; n <= longest; n++) {
		double sum = 0;
		for (size_t t = 1; t < n; t++)
			sum += task_entropy(sight == SIGHT_WHOLE ? n - 1 : t, LETTERS);
		of[n - shortest] = sum / (double)(n - 1);
	}
	return mean(of, longest - shortest + 1);
}

double loss_order(size_t shortest, size_t longest, enum sight sight)
{
	(void)shortest, (void)longest, (void)sight;
	return log(2);
}

double loss_none(size_t shortest, size_t longest, enum sight sight)
{
	(void)shortest, (void)longest, (void)sight;
	return 0;
}

/* ---- the latest capital ------------------------------------------------------------------------- */

/* Returns the mean of 1/(n − f) where f is the first of c capitals among m letters in any order. */
static double asked_share(size_t m, size_t c, size_t n)
{
	double sum = 0;
	for (size_t f = 0; f + c <= m; f++)
		sum += choose(m - 1 - f, c - 1) / choose(m, c) / (double)(n - f);
	return sum;
}

/* Capitals know themselves. Elsewhere the answer is one of the c capitals, or of those before, each as likely
 * whichever token the first of them is at; from that one on the n − f tokens are asked. Among all n letters
 * 1 − c/(n − f) of these are no capitals. */
static double nearest_of(size_t n, enum sight sight)
{
	double sum = 0;
	for (size_t c = 1; c <= n && sight == SIGHT_WHOLE; c++)
		sum += binomial(n, c, capitals) * (1 - (double)c * asked_share(n, c, n)) *
		       task_entropy(c, LETTERS);
	for (size_t t = 1; t < n && sight == SIGHT_PREFIX; t++)
		for (size_t c = 1; c <= t; c++)
			sum += (1 - capitals) * binomial(t, c, capitals) * asked_share(t, c, n) *
			       task_entropy(c, LETTERS);
	return sum;
}

double loss_nearest(size_t shortest, size_t longest, enum sight sight)
{
	double sum = 0, asks = 0;
	for (size_t n = shortest; n <= longest; n++) {
		sum += nearest_of(n, sight);
		asks += 1 - pow(1 - capitals, (double)n);
	}
	return sum / asks;
}

/* ---- the distance of the marker ------------------------------------------------------------------ */

/* Returns 1/A for a marker at m of n letters. */
static double each_asked(size_t n, size_t m)
{
	return 1 / fmin(ANSWERED + 1, (double)(n - m));
}

/* The marker, uniform over n places, knows itself; what other letters are says nothing. The whole sentence says n,
 * and a prefix t, of sentences of any length. */
double loss_dist(size_t shortest, size_t longest, enum sight sight)
{
	const double lengths = (double)(longest - shortest + 1);
	double by_token[MOST][ANSWERED + 1] = {{0}}, sum = 0;
	for (size_t n = shortest; n <= longest; n++) {
		double by_distance[ANSWERED + 1] = {0};
		for (size_t t = 1; t < n; t++)
			for (size_t back = 1; back <= t && back <= ANSWERED; back++) {
				const double w = each_asked(n, t - back) / (double)n / lengths;
				by_distance[back] += w;
				by_token[t][back] += w;
			}
		sum += sight == SIGHT_WHOLE ? least(by_distance, ANSWERED + 1) : 0;
	}
	for (size_t t = 1; t < longest && sight == SIGHT_PREFIX; t++)
		sum += least(by_token[t], ANSWERED + 1);
	return sum;
}

/* ---- the clock --------------------------------------------------------------------------------- */

/* Behind a mask the loss is NaN: how much a prefix tells of the sentence's length is not known (floor_parity). */
double loss_parity(size_t shortest, size_t longest, enum sight sight)
{
	double of[MOST];
	for (size_t n = shortest; n <= longest; n++) {
		const double odd = (double)(n / 2) / (double)n;
		of[n - shortest] = least((const double[]){odd, 1 - odd}, 2);
	}
	return sight == SIGHT_PREFIX ? NAN : mean(of, longest - shortest + 1);
}

/* ---- any task ----------------------------------------------------------------------------------- */

double task_floor_loss(const struct task *task, enum sight sight)
{
	double sum = 0;
	size_t lengths = 0;
	if (task->row)
		return task->row->loss ? task->row->loss(task->shortest, task->longest, sight)
				       : NAN;
	for (size_t n = task->shortest; task->rule && n <= task->longest; n++) {
		bool asks;
		const double of = task_rule_loss(task->rule, task->letters, n, sight, &asks);
		sum += asks ? of : 0;
		lengths += asks;
	}
	return lengths ? sum / (double)lengths : NAN;
}
