/* survey_10.c: cosines of position vectors: exact ones of sinusoids, and tables that show what the source saw in
 * trained ones. */
#include <math.h>

#include "fig.h"
#include "posviz/analysis/vectors.h"
#include "posviz/base/rng.h"

enum { PLACES = 512, WIDTH = 768, CUT = 128, TABLES = 4 };

/* ---- tables -------------------------------------------------------------------------------------- */

/* Rows from `first` up to the next part: of their squares `same` is one vector, `noise` drawn for each row,
 * and the rest turns smoothly: of column j cos(ω_j t + φ_j), ω_j from N(turn, 1/reach²). Two rows k > 0 apart
 * have about the cosine same + (1 − same − noise)·cos(turn·k)·exp(−k² / (2 reach²)); those of two parts 0. */
struct part {
	size_t first;
	double same, noise, reach, turn;
};
struct table_of {
	const char *name, *title;
	size_t n;
	struct part parts[2];
};

static const struct table_of tables[TABLES - 1] = {
	{"bert", "like BERT", 2, {{0, 0.2, 0.1, 20, 0}, {CUT, 0.4, 0.1, 60, 0}}},
	{"roberta", "like RoBERTa", 1, {{0, 0.3, 0.2, 40, 0}}},
	{"gpt2", "like GPT-2", 1, {{0, 0, 0.02, 400, 0.006}}},
};

static void fill_part(struct mat rows, const struct part *of, struct rng *rng)
{
	const double pi = acos(-1);
	for (size_t j = 0; j < rows.cols; j++) {
		const double omega = of->turn + rng_normal(rng) / of->reach;
		const double phase = 2 * pi * rng_uniform(rng), same = rng_normal(rng);
		for (size_t t = 0; t < rows.rows; t++)
			mat_row(rows, t)[j] = sqrt(of->same) * same +
					      sqrt(of->noise) * rng_normal(rng) +
					      sqrt(2 * (1 - of->same - of->noise)) *
						      cos(omega * (double)t + phase);
	}
}

static struct mat table(struct fig *f, const struct table_of *of)
{
	const struct mat out = mat_new(f->a, PLACES, WIDTH);
	struct rng rng;
	rng_init_name(&rng, 0, of->name);
	for (size_t i = 0; i < of->n; i++) {
		const size_t first = of->parts[i].first;
		const size_t end = i + 1 < of->n ? of->parts[i + 1].first : PLACES;
		fill_part(mat_rows(out, first, end - first), &of->parts[i], &rng);
	}
	return out;
}

/* ---- what is said of cosines --------------------------------------------------------------------- */

/* The mean of each diagonal, out[PLACES]; how much of the squares of c less its mean it tells; and the most
 * that a value differs from it. */
struct diagonals {
	double *mean, share, worst;
};

static struct diagonals diagonals_of(struct fig *f, struct mat c)
{
	struct diagonals out = {arena_calloc(f->a, PLACES, sizeof *out.mean), 0, 0};
	double sum = 0, squares = 0, rest = 0;
	for (size_t k = 0; k < PLACES; k++) {
		for (size_t t = 0; t + k < PLACES; t++)
			out.mean[k] += mat_row(c, t)[t + k];
		sum += (k ? 2 : 1) * out.mean[k];
		out.mean[k] /= (double)(PLACES - k);
	}
	for (size_t t = 0; t < PLACES; t++)
		for (size_t s = 0; s < PLACES; s++) {
			const double v = mat_row(c, t)[s];
			const double by = v - out.mean[t < s ? s - t : t - s];
			squares += pow(v - sum / PLACES / PLACES, 2);
			rest += by * by;
			out.worst = fmax(out.worst, fabs(by));
		}
	out.share = 1 - rest / squares;
	return out;
}

/* The mean of rows and columns from the given ones up to, not with, the ends. */
static double mean_of(struct mat c, size_t row, size_t rows, size_t col, size_t cols)
{
	double sum = 0;
	for (size_t t = row; t < rows; t++)
		for (size_t s = col; s < cols; s++)
			sum += mat_row(c, t)[s];
	return sum / (double)((rows - row) * (cols - col));
}

static void say_cut(struct fig *f, struct mat c)
{
	fig_number(f, "bert.before", mean_of(c, 0, CUT, 0, CUT),
		   "mean cosine of positions below 128");
	fig_number(f, "bert.behind", mean_of(c, CUT, PLACES, CUT, PLACES), "of those from 128 on");
	fig_number(f, "bert.across", mean_of(c, 0, CUT, CUT, PLACES), "of one and one");
	fig_number(f, "bert.next", mean_of(c, CUT - 1, CUT, CUT, CUT + 1),
		   "of positions 127 and 128");
	fig_number(f, "bert.near", mean_of(c, CUT - 2, CUT - 1, CUT - 1, CUT),
		   "of positions 126 and 127");
}

static void say_sinusoid(struct fig *f, struct mat c)
{
	static const size_t at[] = {0, 1, 2, 4, 8, 16, 64, 128, 511};
	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		fig_number(f, arena_printf(f->a, "sinusoid.%zu", at[i]), mat_row(c, 0)[at[i]],
			   "cosine of positions 0 and this one");
}

/* ---- the figure ---------------------------------------------------------------------------------- */

static void add(struct fig *f, struct panel *p, const char *name, const char *title, struct mat c)
{
	const struct diagonals by = diagonals_of(f, c);
	const struct paint paint = {.is_signed = true, .shared = true, .limit = 1, .own = true};
	struct multiple *const m = fig_multiple(f, p, title, c, &paint);
	const char **const facts = arena_calloc(f->a, 1, sizeof *facts);
	facts[0] = arena_printf(f->a, "%.2f %%", 100 * by.share);
	m->facts = facts;
	m->curve = by.mean;
	m->most = PLACES;
	m->map.linear = true;
	m->map.row_labels = m->map.col_labels = fig_count_from(f, 0, PLACES);
	fig_number(f, arena_printf(f->a, "%s.distance", name), by.share,
		   "share of the squares that the distance tells");
	fig_number(f, arena_printf(f->a, "%s.uneven", name), by.worst,
		   "the most that a cosine differs from the mean of its diagonal");
}

void draw_survey_10(struct fig *f)
{
	static const char *const facts[] = {"by distance"};
	const struct fig_run *const r = fig_run(
		f,
		arena_printf(f->a,
			     "scheme sinusoidal\nd-model %d\nheads 1\nlayers 1\nsentence %s\n",
			     WIDTH, fig_words(f, PLACES)),
		WANT_POSITION);
	struct panel *const p = fig_panel(f, "cosines", "Cosines of position vectors", 0, 0, 1, 0);
	for (size_t i = 0; r && i < TABLES && fig_goes_on(f); i++) {
		const bool exact = i == TABLES - 1;
		const struct mat c = vectors_cosine(
			exact ? r->trace.position_vectors : table(f, &tables[i]), f->a);
		add(f, p, exact ? "sinusoid" : tables[i].name,
		    exact ? "sinusoids" : tables[i].title, c);
		if (i == 0)
			say_cut(f, c);
		if (exact)
			say_sinusoid(f, c);
	}
	p->subtitle =
		"position t down, position s across; one scale. Curves: the mean by distance |s−t|, and how much "
		"of the variance it tells";
	p->multiples.x = fig_steps(f, 0, 1, PLACES);
	p->multiples.n_x = PLACES;
	p->multiples.y_title = "by distance |s−t|";
	p->multiples.n_facts = 1;
	p->multiples.facts = facts;
	p->multiples.what = "tables";
}
