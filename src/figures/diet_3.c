/* diet_3.c: what the logits of a head are the sum of, with absolute positions and with relative ones. */
#include <math.h>

#include "fig.h"

/* How far the terms are from adding up. */
static double residual(const struct trace_head *head)
{
	double worst = 0;
	for (size_t t = 0; t < head->logits.rows; t++)
		for (size_t s = 0; s < head->logits.cols; s++) {
			double sum = 0;
			for (size_t k = 0; k < head->n_terms; k++)
				sum += mat_row(head->terms[k].at, t)[s];
			worst = fmax(worst, fabs(sum - mat_row(head->logits, t)[s]));
		}
	return worst;
}

/* The most that two cells of one diagonal differ. */
static double uneven(struct mat m)
{
	double worst = 0;
	for (size_t t = 1; t < m.rows; t++)
		for (size_t s = 1; s < m.cols; s++)
			worst = fmax(worst, fabs(mat_row(m, t)[s] - mat_row(m, t - 1)[s - 1]));
	return worst;
}

static bool is_new(struct mat m, size_t cell)
{
	for (size_t i = 0; i < cell; i++)
		if (fabs(mat_row(m, i / m.cols)[i % m.cols] -
			 mat_row(m, cell / m.cols)[cell % m.cols]) < 1e-12)
			return false;
	return true;
}

static size_t different(struct mat m)
{
	size_t n = 0;
	for (size_t cell = 0; cell < m.rows * m.cols; cell++)
		n += is_new(m, cell);
	return n;
}

static void say(struct fig *f, const char *of, double value, const char *means)
{
	fig_number(f, arena_printf(f->a, "%s.%s", f->argument, of), value, means);
}

/* The numbers of one of the two. */
void draw_diet_3(struct fig *f)
{
	const struct fig_run *const r = fig_run(f, f->scene, WANT_TERMS | WANT_LOGITS);
	if (!r)
		return;
	const struct trace_head *const head = &r->trace.layers[0].heads[0];
	say(f, "residual", residual(head), "the most that terms and logits differ");
	say(f, "uneven", uneven(head->terms[1].at),
	    "of positions, the most that cells of one diagonal differ");
	say(f, "segments", (double)different(head->terms[2].at),
	    "different values that the term of segments has");
}
