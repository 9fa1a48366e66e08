/* same_forms.c: the logits of every pair of basis vectors.
 *
 * With q_t = e_i at all queries and k_s = e_j at all keys (or 0) the logits of layer 1 are a
 * matrix F_ij. Logits that are affine in each of q and k follow from these (d_k + 1)² matrices
 * for every q and k. Two schemes that differ in the order of channels have F_ij = F'_σ(i)σ(j). */
#include <math.h>

#include "same_in.h"

enum { STEPS = 200000, NUMBERS = 1 << 25 };

struct forms {
	size_t channels; /* d_k + 1, the last one for 0 */
	size_t heads, rows, cols, size;
	double *at[2]; /* [channels][channels][heads][rows][cols]; 0 where the mask forbids */
	double scale;  /* the largest absolute value of both */
};

static double *pair(const struct forms *p, size_t which, size_t i, size_t j)
{
	return p->at[which] + (i * p->channels + j) * p->size;
}

/* Makes W_q and W_k that map the first input channel to e_i and e_j in every head; the last
 * index is 0. */
static void unit_weights(const struct model *model, size_t i, size_t j, struct tensor_set *set,
			 struct arena *a)
{
	const size_t d = model->config.d, dk = model->dk;
	const struct mat q = mat_zero(a, d, model->qk_width),
			 k = mat_zero(a, d, model->kv_heads * dk);
	for (size_t head = 0; head < model->config.heads && i < dk; head++)
		mat_row(q, 0)[head * dk + i] = 1;
	for (size_t head = 0; head < model->kv_heads && j < dk; head++)
		mat_row(k, 0)[head * dk + j] = 1;
	tensor_set_init(set, a);
	tensor_set_add(set, "w_q", q, false);
	tensor_set_add(set, "w_k", k, false);
}

static bool copy_logits(const struct forms *p, const struct trace *trace, double *to)
{
	for (size_t h = 0; h < p->heads; h++) {
		const struct trace_head *head = &trace->layers[0].heads[h];
		const struct mat m = head->logits;
		if (m.rows != p->rows || m.cols != p->cols)
			return false;
		for (size_t t = 0; t < m.rows; t++)
			for (size_t s = 0; s < m.cols; s++, to++)
				*to = !head->mask || head->mask[t * m.cols + s] ? mat_row(m, t)[s]
										: 0;
	}
	return true;
}

static bool run_pair(struct comparison *c, struct forms *p, size_t which, size_t i, size_t j,
		     struct mat units, struct arena *scratch)
{
	const struct model *model = &c->side[which].b.model;
	struct tensor_set set;
	struct trace trace;
	unit_weights(model, i, j, &set, scratch);
	const struct want want = {.kinds = WANT_LOGITS | WANT_MASK, .head = -1};
	const struct model_input in = side_input(c, which, units);
	if (!side_run(c, which, &set, &in, &want, scratch, &trace))
		return false;
	if (!copy_logits(p, &trace, pair(p, which, i, j)))
		c->out->why_not = "the matrices of the two have different sizes";
	return true;
}

/* Makes token vectors that equal e_0 after they are scaled and the position vectors are added. */
static struct mat first_channel(const struct side *side, size_t n, struct arena *a)
{
	const struct mat units = mat_zero(a, n, side->b.model.config.d);
	for (size_t t = 0; t < n; t++) {
		for (size_t i = 0; i < units.cols && side->positions.at; i++)
			mat_row(units, t)[i] = -mat_row(side->positions, t)[i];
		mat_row(units, t)[0] += 1;
		for (size_t i = 0; i < units.cols; i++)
			mat_row(units, t)[i] /= side->b.model.config.embed_scale;
	}
	return units;
}

static bool fill(struct comparison *c, struct forms *p)
{
	struct arena scratch;
	arena_init(&scratch);
	bool ok = true;
	for (size_t which = 0; which < 2 && ok; which++) {
		p->at[which] =
			arena_calloc(c->a, p->channels * p->channels * p->size, sizeof(double));
		for (size_t ij = 0; ij < p->channels * p->channels && ok; ij++) {
			arena_clear(&scratch);
			ok = run_pair(c, p, which, ij / p->channels, ij % p->channels,
				      first_channel(&c->side[which], p->cols, &scratch),
				      &scratch) &&
			     !c->out->why_not;
		}
	}
	arena_release(&scratch);
	return ok || c->out->why_not;
}

static const char *obstacle(const struct comparison *c, const struct forms *p)
{
	for (size_t which = 0; which < 2; which++)
		for (size_t i = 0; i < c->side[which].b.n_members; i++)
			if (c->side[which].b.members[i].hooks->no_logits)
				return "the weights of one do not come from logits";
	if (p->channels * p->channels * p->size > NUMBERS)
		return "there are too many pairs at these sizes; take a shorter sentence or more "
		       "heads";
	return NULL;
}

bool forms_make(struct comparison *c, struct forms **out)
{
	const struct model *model = &c->side[0].b.model;
	struct forms *p = arena_calloc(c->a, 1, sizeof *p);
	*out = NULL;
	p->channels = model->dk + 1;
	p->heads = model->config.heads;
	p->cols = c->side[0].b.model_input.units.rows;
	p->rows = p->cols - c->side[0].b.model_input.memory;
	p->size = p->heads * p->rows * p->cols;
	c->out->why_not = obstacle(c, p);
	if (c->out->why_not)
		return true;
	if (!fill(c, p))
		return false;
	if (c->out->why_not)
		return true;
	for (size_t which = 0; which < 2; which++)
		for (size_t i = 0; i < p->channels * p->channels * p->size; i++)
			p->scale = fmax(p->scale, fabs(p->at[which][i]));
	c->out->n_pairs = p->channels * p->channels;
	*out = p;
	return true;
}

/* ---- matching ------------------------------------------------------------------------------ */

static double pair_distance(const struct forms *p, size_t i, size_t j, size_t to_i, size_t to_j)
{
	const double *x = pair(p, 0, i, j), *y = pair(p, 1, to_i, to_j);
	double most = 0;
	for (size_t k = 0; k < p->size; k++)
		most = fmax(most, fabs(x[k] - y[k]));
	return most;
}

static bool pairs_agree(const struct forms *p, size_t i, size_t j, size_t to_i, size_t to_j)
{
	return pair_distance(p, i, j, to_i, to_j) <= same_tolerance * fmax(p->scale, 1);
}

/* Returns whether channel i may be mapped to `to`, given the images of the channels before it. */
static bool fits(const struct forms *p, const size_t *channels, size_t i, size_t to)
{
	const size_t zero = p->channels - 1;
	if (!pairs_agree(p, i, i, to, to) || !pairs_agree(p, i, zero, to, zero) ||
	    !pairs_agree(p, zero, i, zero, to))
		return false;
	for (size_t j = 0; j < i; j++)
		if (!pairs_agree(p, i, j, to, channels[j]) ||
		    !pairs_agree(p, j, i, channels[j], to))
			return false;
	return true;
}

/* Searches depth first, with each channel's present choice on the stack `channels`. */
static bool search(const struct forms *p, size_t *channels, bool *used)
{
	const size_t dk = p->channels - 1;
	size_t i = 0, next = 0;
	for (size_t step = 0; i < dk && step < STEPS; step++) {
		while (next < dk && (used[next] || !fits(p, channels, i, next)))
			next++;
		if (next < dk) {
			channels[i++] = next;
			used[next] = true;
			next = 0;
		} else if (i == 0) {
			return false;
		} else {
			next = channels[--i];
			used[next++] = false;
		}
	}
	return i == dk;
}

bool forms_match(const struct forms *p, size_t *channels, struct arena *a)
{
	const size_t zero = p->channels - 1;
	bool *used = arena_calloc(a, p->channels, sizeof *used);
	return pairs_agree(p, zero, zero, zero, zero) && search(p, channels, used);
}

double forms_apart(const struct forms *p, const size_t *channels)
{
	const size_t dk = p->channels - 1;
	double most = 0;
	for (size_t i = 0; i <= dk; i++)
		for (size_t j = 0; j <= dk; j++)
			most = fmax(most, pair_distance(p, i, j, i < dk ? channels[i] : dk,
							j < dk ? channels[j] : dk));
	return most / fmax(p->scale, 1);
}

/* ---- from pairs to every q and k ----------------------------------------------------------- */

/* Returns the predicted logit of q and k at a cell: F_00 and the contributions of each, alone
 * and together. */
static double predicted(const struct forms *p, size_t cell, const double *q, const double *k)
{
	const size_t dk = p->channels - 1;
	const double none = pair(p, 0, dk, dk)[cell];
	double sum = none;
	for (size_t i = 0; i < dk; i++) {
		const double alone = pair(p, 0, i, dk)[cell];
		sum += q[i] * (alone - none) + k[i] * (pair(p, 0, dk, i)[cell] - none);
		for (size_t j = 0; j < dk; j++)
			sum += q[i] * k[j] *
			       (pair(p, 0, i, j)[cell] - alone - pair(p, 0, dk, j)[cell] + none);
	}
	return sum;
}

double forms_foretell(const struct forms *p, const struct trace *trace)
{
	double most = 0, scale = 1;
	for (size_t h = 0; h < p->heads; h++) {
		const struct trace_head *head = &trace->layers[0].heads[h];
		const struct mat q = head->q_raw.at ? head->q_raw : head->q;
		const struct mat k = head->k_raw.at ? head->k_raw : head->k;
		for (size_t t = 0; t < p->rows; t++)
			for (size_t s = 0; s < p->cols; s++) {
				const size_t cell = (h * p->rows + t) * p->cols + s;
				if (head->mask && !head->mask[t * p->cols + s])
					continue;
				const double here = mat_row(head->logits, t)[s];
				const double there =
					predicted(p, cell, mat_row(q, t), mat_row(k, s));
				scale = fmax(scale, fabs(here));
				most = fmax(most, fabs(here - there));
			}
	}
	return most / scale;
}
