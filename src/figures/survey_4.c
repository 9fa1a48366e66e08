/* survey_4.c: the five patterns of TUPE's untied position biases, with [CLS] apart. */
#include <math.h>

#include "fig.h"

/* n units, [CLS] in front of WORDS others. */
enum { WORDS = 27, N = WORDS + 1, PATTERNS = 5, DISTANCES = 2 * WORDS - 1 };

/* The formula of the patterns by δ = s − t, as `made` says it. The row of [CLS] is θ1, the rest of its column θ2. */
static const char *scheme(struct fig *f)
{
	static const char *const patterns[PATTERNS] = {
		"0", "3*exp(-pow(s-t,2)/18)", "3*(1-exp(-pow(s-t,2)/200))",
		"3*exp(-pow(s-t+6,2)/18)", "3*exp(-pow(s-t-6,2)/18)"};
	const char *b = patterns[PATTERNS - 1];
	for (int h = PATTERNS - 1; h > 0; h--)
		b = arena_printf(f->a, "h==%d?%s:%s", h, patterns[h - 1], b);
	return arena_printf(f->a, "formula(b=t==0?1.5:s==0?-1.5:%s)", b);
}

/* The biases of the words' pairs by distance, out[DISTANCES]: each diagonal has one. */
static const double *by_distance(struct fig *f, struct mat bias)
{
	double *const out = arena_calloc(f->a, DISTANCES, sizeof *out);
	for (long k = 1 - WORDS; k < WORDS; k++)
		out[k + WORDS - 1] =
			k < 0 ? mat_row(bias, (size_t)(1 - k))[1] : mat_row(bias, 1)[1 + k];
	return out;
}

/* ---- what attention makes of it ------------------------------------------------------------------ */

/* Facts of the weights that words give to words, by the bias alone: the mean distance, and how much goes to
 * those before. */
struct looks {
	double distance, before, after;
};

static struct looks looks_of(struct fig *f, struct mat bias)
{
	const struct mat w = mat_new(f->a, WORDS, WORDS);
	struct looks out = {0, 0, 0};
	for (size_t t = 0; t < WORDS; t++)
		for (size_t s = 0; s < WORDS; s++)
			mat_row(w, t)[s] = mat_row(bias, t + 1)[s + 1];
	mat_softmax(w, w);
	for (size_t t = 0; t < WORDS; t++)
		for (size_t s = 0; s < WORDS; s++) {
			const double part = mat_row(w, t)[s] / WORDS;
			out.distance += part * fabs((double)s - (double)t);
			out.before += s < t ? part : 0;
			out.after += s > t ? part : 0;
		}
	return out;
}

/* ---- the figure ---------------------------------------------------------------------------------- */

static void add(struct fig *f, struct panel *p, const char *title, struct mat bias,
		const struct looks *looks)
{
	const struct paint paint = {
		.is_signed = true, .shared = true, .limit = 3, .own = true, .more_of = "attention"};
	const char **const facts = arena_calloc(f->a, 2, sizeof *facts);
	struct multiple *const m = fig_multiple(f, p, title, bias, &paint);
	facts[0] = arena_printf(f->a, "%.1f", looks->distance);
	facts[1] = arena_printf(f->a, "%.0f %%", 100 * looks->before);
	m->facts = facts;
	m->curve = by_distance(f, bias);
	m->most = DISTANCES;
	m->map.linear = true;
	const char **const labels = arena_calloc(f->a, N, sizeof *labels);
	for (size_t i = 0; i < N; i++)
		labels[i] = i == 0 ? "[CLS]" : fig_count_from(f, (long)i, 1)[0];
	m->map.row_labels = m->map.col_labels = labels;
}

/* The most that [CLS]'s row differs from its first value; and the rest of its column. */
static double uneven(struct mat bias, bool column)
{
	double worst = 0;
	for (size_t i = 1; i < N; i++)
		worst = fmax(worst, column ? fabs(mat_row(bias, i)[0] - mat_row(bias, 1)[0])
					   : fabs(mat_row(bias, 0)[i] - mat_row(bias, 0)[0]));
	return worst;
}

void draw_survey_4(struct fig *f)
{
	static const char *const titles[PATTERNS] = {"ignoring", "local", "global", "left",
						     "right"};
	static const char *const facts[] = {"distance", "to the left"};
	const struct fig_run *const r =
		fig_run(f,
			arena_printf(f->a,
				     "scheme %s\nspecial cls\nheads %d\nd-model 40\nlayers 1\n"
				     "sentence %s\n",
				     scheme(f), PATTERNS, fig_words(f, WORDS)),
			WANT_BIAS);
	if (!r)
		return;
	struct panel *const p = fig_panel(f, "patterns", "Position biases", 0, 0, 1, 0);
	double row = 0, column = 0;
	for (size_t h = 0; h < PATTERNS; h++) {
		const struct mat bias = r->trace.layers[0].heads[h].bias;
		const struct looks looks = looks_of(f, bias);
		add(f, p, titles[h], bias, &looks);
		row = fmax(row, uneven(bias, false));
		column = fmax(column, uneven(bias, true));
		fig_number(f, arena_printf(f->a, "distance.%s", titles[h]), looks.distance,
			   "mean distance of the keys, of words among words");
		fig_number(f, arena_printf(f->a, "left.%s", titles[h]), looks.before,
			   "weight of earlier keys, a mean over queries");
		fig_number(f, arena_printf(f->a, "right.%s", titles[h]), looks.after,
			   "weight of later keys");
	}
	p->subtitle =
		"query t down, key s across; one scale. Curves: by distance s−t. Of the weights: "
		"mean distance of the keys, and how much goes to earlier ones";
	p->multiples.x = fig_steps(f, 1 - WORDS, 1, DISTANCES);
	p->multiples.n_x = DISTANCES;
	p->multiples.y_title = "by distance s−t";
	p->multiples.n_facts = 2;
	p->multiples.facts = facts;
	p->multiples.what = "patterns";
	fig_number(f, "cls.row", row, "the most that the row of [CLS] varies");
	fig_number(f, "cls.column", column, "the most that the rest of its column varies");
}
