/* survey_2.c: absolute and relative position biases beside the matrix that they are added to. */
#include <math.h>

#include "fig.h"
#include "posviz/analysis/split.h"

/* Both tables are drawn as the paper starts its training, N(0, 1/t-max) and N(0, 1/sqrt(2 t-max)). */
static const char common[] = "sentence a cat sat on a mat\nd-model 64\nheads 1\nlayers 1\n"
			     "t-max 8\nseed 2\n";

static struct mat matrix_of(struct fig *f, const char *lines, unsigned kind,
			    const struct fig_run **run)
{
	*run = fig_run(f, arena_printf(f->a, "%s\n%s", lines, common), kind);
	if (!*run)
		return (struct mat){0};
	const struct trace_head *const head = &(*run)->trace.layers[0].heads[0];
	return kind == WANT_LOGITS ? head->logits : head->bias;
}

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

static double largest(struct mat m)
{
	double lo = 0, hi = 0;
	mat_range(m, &lo, &hi);
	return fmax(fabs(lo), fabs(hi));
}

static void show(struct fig *f, unsigned char col, const char *name, const char *title,
		 const char *subtitle, const struct fig_run *run, struct mat m, double limit)
{
	struct panel *const p = fig_panel(f, name, title, 0, col, 1, 0);
	const struct paint paint = {.is_signed = true, .shared = true, .limit = limit, .own = true};
	fig_map(f, p, run, m, &paint);
	p->subtitle = subtitle;
}

static double share_of_distance(struct fig *f, const struct fig_run *run, struct mat m)
{
	struct split split;
	const struct split_of of = {.m = m, .number = split_distances(&run->trace, f->a)};
	split_make(&of, false, f->a, &split);
	return split.distance;
}

static void say(struct fig *f, const struct fig_run *run, struct mat content, struct mat absolute,
		struct mat relative)
{
	const size_t n = content.rows;
	const struct mat first = mat_rows(content, 0, 1), second = mat_rows(content, 4, 1);
	fig_number(f, "tokens", (double)n, "n, tokens of the sentence");
	fig_number(f, "same.word", mat_max_abs_diff(first, second),
		   "the most that the rows of both \"a\" differ");
	fig_number(f, "absolute.values", (double)distinct(absolute), "different biases");
	fig_number(f, "relative.values", (double)distinct(relative), "different biases");
	fig_number(f, "absolute.distance", share_of_distance(f, run, absolute),
		   "share of the squares that the distance tells");
	fig_number(f, "relative.distance", share_of_distance(f, run, relative),
		   "share of the squares that the distance tells");
}

void draw_survey_2(struct fig *f)
{
	const struct fig_run *of_content, *of_absolute, *of_relative;
	const struct mat content =
		matrix_of(f, "scheme none\nproj random", WANT_LOGITS, &of_content);
	const struct mat absolute =
		matrix_of(f, "scheme dufter_abs\ninit paper", WANT_BIAS, &of_absolute);
	const struct mat relative =
		matrix_of(f, "scheme dufter_rel\ninit paper", WANT_BIAS, &of_relative);
	if (!fig_goes_on(f))
		return;
	const double limit = fmax(largest(absolute), largest(relative));
	show(f, 0, "attention", "Attention matrix", "A, of the words alone", of_content, content,
	     largest(content));
	show(f, 1, "absolute", "Absolute biases", "each pair of places has its own", of_absolute,
	     absolute, limit);
	show(f, 2, "relative", "Relative biases", "each diagonal has one", of_relative, relative,
	     limit);
	say(f, of_content, content, absolute, relative);
}
