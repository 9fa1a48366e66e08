/* survey_2.c: absolute and relative position biases beside the matrix that they are added to. */
#include <math.h>
#include <string.h>

#include "fig.h"
#include "posviz/analysis/split.h"

/* How many numbers it takes to write the matrix down. */
static size_t distinct(struct mat m)
{
	const size_t n = m.rows * m.cols;
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		while (k < i && fabs(m.at[k] - m.at[i]) > 1e-12)
			k++;
		found += k == i;
	}
	return found;
}

static double share_of_distance(struct fig *f, const struct fig_run *run, struct mat m)
{
	struct split split;
	const struct split_of of = {.m = m, .number = split_distances(&run->trace, f->a)};
	split_make(&of, false, f->a, &split);
	return split.distance;
}

static void say_words(struct fig *f, const struct fig_run *run)
{
	const struct mat m = run->trace.layers[0].heads[0].logits;
	fig_number(f, "same.word", mat_max_abs_diff(mat_rows(m, 0, 1), mat_rows(m, 4, 1)),
		   "the most that the rows of both \"a\" differ");
}

static void say_biases(struct fig *f, const struct fig_run *run)
{
	const struct mat m = run->trace.layers[0].heads[0].bias;
	fig_number(f, arena_printf(f->a, "%s.values", f->argument), (double)distinct(m),
		   "different biases");
	fig_number(f, arena_printf(f->a, "%s.distance", f->argument), share_of_distance(f, run, m),
		   "share of the squares that the distance tells");
}

/* The numbers of one of the three. */
void draw_survey_2(struct fig *f)
{
	const bool words = strcmp(f->argument, "words") == 0;
	const struct fig_run *const run = fig_run(f, f->scene, words ? WANT_LOGITS : WANT_BIAS);
	if (run)
		(words ? say_words : say_biases)(f, run);
}
