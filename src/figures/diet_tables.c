/* diet_tables.c: see diet_tables.h. Waves of a Gaussian's Fourier series: a shift is a phase, as it is of any
 * product of sinusoids. */
#include "diet_tables.h"
#include "fig.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Cosine and sine of one frequency in two columns of both. */
static void add_wave(const struct diet_pattern *of, double frequency, double share, size_t column,
		     struct mat p_q, struct mat p_k)
{
	const double height = sqrt(fabs(of->gain) * share), sign = of->gain < 0 ? -1 : 1;
	for (size_t t = 1; t < p_q.rows; t++) {
		const double key = frequency * (double)t, query = key + frequency * of->shift;
		mat_row(p_q, t)[column] = sign * height * cos(query);
		mat_row(p_q, t)[column + 1] = sign * height * sin(query);
		mat_row(p_k, t)[column] = height * cos(key);
		mat_row(p_k, t)[column + 1] = height * sin(key);
	}
}

/* The coefficient of a Gaussian of width w: exp(−(ω·w)²/2), half as much at ω 0. */
static double coefficient(double frequency, double width)
{
	const double x = frequency * width;
	return exp(-x * x / 2) * (frequency > 0 ? 1 : 0.5);
}

/* (P_Q·P_Kᵀ)_ts = gain·exp(−(s − t − shift)²/2·width²) for t, s > 0, as near as `dp` columns can have it: they
 * are pairs of waves, at the frequencies 2πk/2n, and two for [CLS]. p_q, p_k: [n, dp], from `a`. */
static void make_tables(const struct diet_pattern *of, size_t n, size_t dp, struct arena *a,
			struct mat *p_q, struct mat *p_k)
{
	const size_t waves = (dp - 2) / 2;
	const double step = pi / (double)n;
	double sum = 0;
	*p_q = mat_zero(a, n, dp);
	*p_k = mat_zero(a, n, dp);
	for (size_t k = 0; k < waves; k++)
		sum += coefficient((double)k * step, of->width);
	for (size_t k = 0; k < waves; k++) {
		const double frequency = (double)k * step;
		add_wave(of, frequency, coefficient(frequency, of->width) / sum, 2 + 2 * k, *p_q,
			 *p_k);
	}
	for (size_t t = 0; t < n; t++) {
		mat_row(*p_q, t)[0] = 1;
		mat_row(*p_k, t)[0] = t == 0 ? of->to_cls : 0;
		mat_row(*p_q, t)[1] = t == 0 ? of->from_cls : 0;
		mat_row(*p_k, t)[1] = t == 0 ? 0 : 1;
	}
}

struct mat diet_scores(const struct diet_pattern *of, size_t n, size_t dp, struct arena *a)
{
	struct mat p_q, p_k;
	const struct mat out = mat_new(a, n, n);
	make_tables(of, n, dp, a, &p_q, &p_k);
	mat_mul(out, 1, p_q, false, p_k, true, 0);
	return out;
}

const struct fig_run *diet_bert(struct fig *f, size_t n)
{
	return fig_run(
		f,
		arena_printf(f->a, "scheme learned\nd-model 768\nheads 12\nlayers 1\nsentence %s\n",
			     fig_words(f, n)),
		WANT_POSITION);
}
