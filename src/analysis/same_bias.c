/* same_bias.c: the relation between two biases that differ.
 *
 * Layer 1, on the probe, all heads at once. Each relation is tested over all cells that both
 * masks allow; the first that holds is reported. */
#include <math.h>

#include "same_in.h"

struct biases {
	size_t heads, rows, cols;
	const struct trace *trace[2];
	double scale, tolerance;
};

static double bias_at(const struct biases *b, size_t which, size_t h, size_t t, size_t s)
{
	return mat_row(b->trace[which]->layers[0].heads[h].bias, t)[s];
}

static bool both_allow(const struct biases *b, size_t h, size_t t, size_t s)
{
	for (size_t i = 0; i < 2; i++) {
		const uint8_t *mask = b->trace[i]->layers[0].heads[h].mask;
		if (mask && !mask[t * b->cols + s])
			return false;
	}
	return true;
}

/* A relation as a function: the difference it leaves at a cell that both allow. */
typedef double leaves(const struct biases *b, size_t h, size_t t, size_t s);

static double plain_difference(const struct biases *b, size_t h, size_t t, size_t s)
{
	return bias_at(b, 0, h, t, s) - bias_at(b, 1, h, t, s);
}

static double past_difference(const struct biases *b, size_t h, size_t t, size_t s)
{
	return s <= t ? plain_difference(b, h, t, s) : 0;
}

static double mirrored_difference(const struct biases *b, size_t h, size_t t, size_t s)
{
	return bias_at(b, 0, h, t, s) - bias_at(b, 1, h, s, t);
}

/* Subtracts the difference at the first key of this row that both allow. */
static double row_difference(const struct biases *b, size_t h, size_t t, size_t s)
{
	size_t first = 0;
	while (!both_allow(b, h, t, first))
		first++;
	return plain_difference(b, h, t, s) - plain_difference(b, h, t, first);
}

static double most_left(const struct biases *b, leaves *rule)
{
	double most = 0;
	for (size_t h = 0; h < b->heads; h++)
		for (size_t t = 0; t < b->rows; t++)
			for (size_t s = 0; s < b->cols; s++)
				if (both_allow(b, h, t, s))
					most = fmax(most, fabs(rule(b, h, t, s)));
	return most;
}

/* Computes the second as a multiple of the first: the ratio where the first is largest. */
static bool is_multiple(const struct biases *b, double *factor)
{
	double largest = 0;
	*factor = 0;
	for (size_t h = 0; h < b->heads; h++)
		for (size_t t = 0; t < b->rows; t++)
			for (size_t s = 0; s < b->cols; s++)
				if (both_allow(b, h, t, s) &&
				    fabs(bias_at(b, 0, h, t, s)) > largest) {
					largest = fabs(bias_at(b, 0, h, t, s));
					*factor = bias_at(b, 1, h, t, s) / bias_at(b, 0, h, t, s);
				}
	double most = 0;
	for (size_t h = 0; h < b->heads; h++)
		for (size_t t = 0; t < b->rows; t++)
			for (size_t s = 0; s < b->cols; s++)
				if (both_allow(b, h, t, s))
					most = fmax(most, fabs(bias_at(b, 1, h, t, s) -
							       *factor * bias_at(b, 0, h, t, s)));
	return largest > b->tolerance && fabs(*factor) > 0 && most <= b->tolerance;
}

static long agreement(const struct biases *b)
{
	long first_apart = (long)(b->rows + b->cols);
	for (size_t h = 0; h < b->heads; h++)
		for (size_t t = 0; t < b->rows; t++)
			for (size_t s = 0; s < b->cols; s++) {
				const long distance = s < t ? (long)(t - s) : (long)(s - t);
				if (both_allow(b, h, t, s) && distance < first_apart &&
				    fabs(plain_difference(b, h, t, s)) > b->tolerance)
					first_apart = distance;
			}
	return first_apart - 1;
}

static void relate(const struct biases *b, struct same *out)
{
	static const struct {
		enum same_relation relation;
		leaves *rule;
	} rules[] = {{RELATION_EQUAL, plain_difference},
		     {RELATION_PAST, past_difference},
		     {RELATION_ROWS, row_difference},
		     {RELATION_MIRRORED, mirrored_difference}};
	out->bias_most = most_left(b, plain_difference);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		const bool square = b->rows == b->cols || rules[i].rule != mirrored_difference;
		if (square && most_left(b, rules[i].rule) <= b->tolerance) {
			out->relation = rules[i].relation;
			return;
		}
	}
	if (is_multiple(b, &out->factor)) {
		out->relation = RELATION_MULTIPLE;
		return;
	}
	out->relation = RELATION_NONE;
	out->agree_to = agreement(b);
	out->distances_differ = out->agree_to >= 0;
}

static bool is_there(const struct biases *b)
{
	for (size_t i = 0; i < 2; i++)
		for (size_t h = 0; h < b->heads; h++) {
			const struct mat m = b->trace[i]->layers[0].heads[h].bias;
			if (!m.at || m.rows != b->rows || m.cols != b->cols)
				return false;
		}
	return true;
}

bool biases_relate(struct comparison *c)
{
	const struct want want = {.kinds = WANT_BIAS | WANT_MASK, .head = -1};
	struct trace *trace = arena_calloc(c->a, 2, sizeof *trace);
	for (size_t i = 0; i < 2; i++)
		if (!side_run(c, i, NULL, &c->side[i].b.model_input, &want, c->a, &trace[i]))
			return false;
	struct biases b = {.heads = c->out->heads, .trace = {&trace[0], &trace[1]}};
	b.rows = trace[0].query.n;
	b.cols = trace[0].key.n;
	c->out->relation = RELATION_NO_BIAS;
	if (!is_there(&b))
		return true;
	for (size_t i = 0; i < 2; i++)
		for (size_t h = 0; h < b.heads; h++)
			for (size_t t = 0; t < b.rows; t++)
				for (size_t s = 0; s < b.cols; s++)
					b.scale = fmax(b.scale, fabs(bias_at(&b, i, h, t, s)));
	b.tolerance = same_tolerance * fmax(b.scale, 1);
	relate(&b, c->out);
	return true;
}
