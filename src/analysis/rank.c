/* rank.c: singular values, and the dimensions they give. */
#include "posviz/analysis/rank.h"

#include <math.h>

static const double double_step = 0x1p-52, single_step = 0x1p-23;

/* Takes rows and columns with the same numbers, so that diagonals stay diagonals as far as
 * possible. */
static struct mat part_of(struct mat m, uint64_t seed, struct arena *a, struct row_sample *sample)
{
	*sample = sample_rows(m.rows, SAMPLE_ROWS, seed, a);
	if (sample->n == m.rows && m.cols <= 2 * (size_t)SAMPLE_ROWS)
		return m;
	const size_t before = m.cols - m.rows; /* keys of a memory are left out */
	const struct mat out = mat_new(a, sample->n, sample->n);
	for (size_t i = 0; i < sample->n; i++)
		for (size_t k = 0; k < sample->n; k++)
			mat_row(out, i)[k] = mat_row(m, sample->at[i])[before + sample->at[k]];
	return out;
}

/* Returns whether a copy and LAPACK's workspace fit into the memory. */
static bool has_room(struct mat m, size_t memory)
{
	const size_t cells = m.rows * m.cols;
	return memory == 0 || 3 * cells * sizeof(double) <= memory;
}

static void measure(struct rank *r)
{
	double sum = 0, squares = 0, entropy = 0;
	const double most = r->n > 0 ? r->values[0] : 0;
	const double side = (double)(r->rows > r->cols ? r->rows : r->cols);
	r->tolerance = most * side * double_step;
	for (size_t i = 0; i < r->n; i++) {
		r->numerical += r->values[i] > r->tolerance;
		r->single += r->values[i] > most * side * single_step;
		sum += r->values[i];
		squares += most > 0 ? r->values[i] / most * (r->values[i] / most) : 0;
	}
	for (size_t i = 0; i < r->n && most > 0; i++) {
		const double p = r->values[i] / sum;
		entropy -= p > 0 ? p * log(p) : 0;
	}
	r->stable = most > 0 ? squares : NAN;
	r->effective = most > 0 ? exp(entropy) : NAN;
}

void rank_of(struct mat m, uint64_t seed, size_t memory, struct arena *a, struct rank *out)
{
	*out = (struct rank){.stable = NAN, .effective = NAN};
	if (!m.at) {
		out->why = "there is no such matrix";
		return;
	}
	struct arena scratch;
	struct err err = {""};
	arena_init(&scratch);
	const struct mat part = part_of(m, seed, &scratch, &out->sample);
	out->sample = sample_rows(m.rows, SAMPLE_ROWS, seed, a);
	out->rows = part.rows;
	out->cols = part.cols;
	out->n = part.rows < part.cols ? part.rows : part.cols;
	double *const values = arena_calloc(a, out->n + 1, sizeof *values);
	if (!has_room(part, memory))
		out->why = "its singular values do not fit in the memory limit";
	else if (!mat_is_finite(part))
		out->why = "not all of its values are finite";
	else if (!mat_singular_values(part, values, &scratch, &err))
		out->why = arena_strdup(a, err.text);
	else
		out->values = values;
	arena_release(&scratch);
	if (out->values)
		measure(out);
}

struct mat rank_position_part(const struct trace_head *head, struct mat bias, struct arena *a)
{
	struct mat sum = {0};
	for (size_t i = 0; i < head->n_terms; i++) {
		const struct trace_term *const term = &head->terms[i];
		if (term->kind == TERM_UNIT_UNIT || !term->at.at)
			continue;
		if (!sum.at)
			sum = mat_zero(a, term->at.rows, term->at.cols);
		for (size_t t = 0; t < sum.rows; t++)
			for (size_t s = 0; s < sum.cols; s++)
				mat_row(sum, t)[s] += mat_row(term->at, t)[s];
	}
	return sum.at ? sum : bias;
}
