/* help_recipes_rules.c: rules upon the logits and weights that others make, and the schemes with two softmaxes or
 * with none. */
#include "help_recipes.h"

/* ---- rules upon logits and weights ----------------------------------------------------------- */

static double softcap(P, size_t t, size_t s)
{
	const double c = dumped_number(m, "cap"), a = mat_row(p->logits, t)[s];
	return c * tanh(a / c) - a;
}

static double temperature(P, size_t t, size_t s)
{
	const struct mat tau = leaf_of(p, m, "tau");
	const double of = dumped_is(m, "per", "position") ? tau.at[(size_t)position_of(p, m, t)]
							  : tau.at[p->head];
	return mat_row(p->logits, t)[s] * (1 / of - 1);
}

static double ssmax(P, size_t t, size_t s)
{
	double n = 0;
	for (size_t r = 0; r < p->f->n; r++)
		n += allowed(p, t, r);
	const double b = is_on(m, "bias") ? leaf_of(p, m, "b").at[p->head] : 0;
	const double by = leaf_of(p, m, "s").at[p->head] * (n > 0 ? log(n) : 0) + b;
	return mat_row(p->logits, t)[s] * (by - 1);
}

/* 1 / (exp(σ - a) + Σ exp(b - a)) of the keys b that are allowed */
static double sink(P, size_t t, size_t s)
{
	const double of = is_on(m, "learned") ? leaf_of(p, m, "sinks").at[p->head]
					      : dumped_number(m, "sigma");
	const double *row = mat_row(p->logits, t);
	double sum = exp(of - row[s]);
	if (!allowed(p, t, s))
		return 0;
	for (size_t r = 0; r < p->f->keys; r++)
		sum += allowed(p, t, r) ? exp(row[r] - row[s]) : 0;
	return 1 / sum;
}

/* Multiplies the queries by the factor of their positions, and checks it. */
static void factor_of_queries(MAKE)
{
	const struct mat factor = kept_of(p, m, "factor");
	const struct mat mine = loop_zero(p->f->a, p->f->n, 1);
	p->q = loop_copy(p->f->a, p->q);
	for (size_t t = 0; t < p->f->n; t++) {
		const double at = position_of(p, m, t);
		if (strcmp(m->scheme, "logn") == 0) {
			const double given = dumped_number(m, "length");
			const double of = log(at + 1) / log(given > 0 ? given : p->f->t_max);
			mine.at[t] = is_on(m, "least") ? fmax(1, of) : of;
		} else {
			mine.at[t] =
				dumped_number(m, "attn_scale") *
					log(floor((at + 1) / dumped_number(m, "floor_scale")) + 1) +
				1;
		}
		for (size_t j = 0; j < p->q.cols; j++)
			mat_row(p->q, t)[j] *= mine.at[t];
	}
	expect_near(p, mine, factor, "the factor of a query");
}

/* Returns the head's vector that the file has before the qk stage, 'q' or 'k'. */
static const double *raw_of(const struct place *p, size_t head, char which, size_t t)
{
	struct mat m = dumped_find(p->f, "layer.%zu.head.%zu.%c_raw", p->step, head, which);
	if (!m.at)
		m = dumped_get(p->f, "layer.%zu.head.%zu.%c", p->step, head, which);
	return mat_row(m, t);
}

/* Returns what the means are of: the head's own vector, or row t of all heads. */
static struct mat spanned(const struct place *p, const struct dumped_member *m, char which,
			  const double *row, size_t t, size_t dk)
{
	const bool all = dumped_is(m, "span", "all");
	const struct mat out = loop_zero(p->f->a, 1, all ? p->f->heads * dk : dk);
	for (size_t h = 0; h < out.cols / dk; h++)
		memcpy(out.at + h * dk, all ? raw_of(p, h, which, t) : row, dk * sizeof *row);
	return out;
}

static double gain_at(const struct place *p, const struct dumped_member *m, struct mat gain,
		      size_t head, size_t j, size_t dk)
{
	if (dumped_is(m, "span", "own"))
		return mat_row(gain, head)[j];
	if (dumped_is(m, "span", "all"))
		return gain.at[head * dk + j];
	return gain.at[gain.cols == dk ? j : p->head];
}

static struct mat normalised(const struct place *p, const struct dumped_member *m, struct mat x,
			     const char *leaf, char which, size_t head)
{
	const struct mat out = loop_copy(p->f->a, x), gain = leaf_of(p, m, leaf);
	const double eps = dumped_number(m, "eps");
	for (size_t t = 0; t < x.rows; t++) {
		double mean = 0, square = 0, *row = mat_row(out, t);
		const struct mat whole = spanned(p, m, which, row, t, x.cols);
		const double n = (double)whole.cols;
		for (size_t j = 0; j < whole.cols; j++)
			mean += dumped_is(m, "kind", "layer") ? whole.at[j] / n : 0;
		for (size_t j = 0; j < whole.cols; j++)
			square += (whole.at[j] - mean) * (whole.at[j] - mean);
		const double by = dumped_is(m, "kind", "l2") ? fmax(sqrt(square), eps)
							     : sqrt(square / n + eps);
		for (size_t j = 0; j < x.cols; j++)
			row[j] = (row[j] - mean) / by *
				 (!gain.at ? 1 : gain_at(p, m, gain, head, j, x.cols));
	}
	return out;
}

static void qk_norm(MAKE)
{
	const bool l2 = dumped_is(m, "kind", "l2");
	p->q = normalised(p, m, p->q, l2 ? "g" : "q_gain", 'q', p->head);
	p->k = normalised(p, m, p->k, l2 ? "-" : "k_gain", 'k', p->head / p->f->group);
}

/* ---- two softmaxes, and none ----------------------------------------------------------------- */

/* Rotates neighbouring columns by the kept angles, those of one map of `maps` from its first one on. */
static void turn(P, struct mat x, size_t maps, size_t map)
{
	const struct mat c = kept_of(p, m, "cos"), s = kept_of(p, m, "sin");
	const size_t pairs = c.cols / maps;
	for (size_t t = 0; c.at && t < x.rows; t++)
		for (size_t i = map * pairs; i < (map + 1) * pairs; i++) {
			double *const pair =
				mat_row(x, t) + map * x.cols / maps + 2 * (i - map * pairs);
			const double a = pair[0], b = pair[1];
			pair[0] = a * mat_row(c, t)[i] - b * mat_row(s, t)[i];
			pair[1] = b * mat_row(c, t)[i] + a * mat_row(s, t)[i];
		}
}

static void diff_qk(MAKE)
{
	p->q = loop_copy(p->f->a, p->q);
	p->k = loop_copy(p->f->a, p->k);
	for (size_t i = 0; i < 2; i++) {
		turn(p, m, p->q, 2, i);
		turn(p, m, p->k, 2, i);
	}
}

static double diff_map(const struct place *p, size_t i, size_t t, size_t s)
{
	const size_t w = p->f->dk / 2;
	return p->f->c * loop_dot(mat_row(p->q, t) + i * w, mat_row(p->k, s) + i * w, w);
}

static double diff_first(P, size_t t, size_t s)
{
	(void)m;
	return diff_map(p, 0, t, s);
}

static double lambda_init(const struct place *p)
{
	return 0.8 - 0.6 * exp(-0.3 * (double)p->layer);
}

static double lambda_of(P)
{
	const size_t w = p->f->dk / 2;
	if (!is_on(m, "learned"))
		return dumped_number(m, "lambda");
	return exp(loop_dot(leaf_of(p, m, "lambda_q1").at, leaf_of(p, m, "lambda_k1").at, w)) -
	       exp(loop_dot(leaf_of(p, m, "lambda_q2").at, leaf_of(p, m, "lambda_k2").at, w)) +
	       lambda_init(p);
}

static void diff_weights(MAKE)
{
	const struct mat second = loop_copy(p->f->a, p->logits);
	for (size_t t = 0; t < second.rows; t++)
		for (size_t s = 0; s < second.cols; s++)
			mat_row(second, t)[s] += diff_map(p, 1, t, s) - diff_map(p, 0, t, s);
	const struct mat taken = recompute_softmax(p->f->a, second, p->mask);
	p->weights = recompute_softmax(p->f->a, p->logits, p->mask);
	loop_scale(taken, -lambda_of(p, m));
	loop_add(p->weights, taken);
}

static double mean_square(const struct place *p, size_t t)
{
	const double *const x = mat_row(p->context, t);
	return loop_dot(x, x, p->f->dv) / (double)p->f->dv;
}

static double diff_norm(P, size_t t, size_t j)
{
	const double by = is_on(m, "norm") ? leaf_of(p, m, "subln").at[j] * (1 - lambda_init(p)) /
						     sqrt(mean_square(p, t) + 1e-5)
					   : 1;
	return mat_row(p->context, t)[j] * (by - 1);
}

static void retnet_qk(MAKE)
{
	p->q = loop_copy(p->f->a, p->q);
	p->k = loop_copy(p->f->a, p->k);
	turn(p, m, p->q, 1, 0);
	turn(p, m, p->k, 1, 0);
}

static double kept_part(P, size_t t, size_t s)
{
	const double behind = -distance(p, m, t, s);
	const double gamma = is_on(m, "decay") ? 1 - pow(2, -5 - (double)p->head) : 1;
	return allowed(p, t, s) && behind >= 0 ? pow(gamma, behind) : 0;
}

static double retnet(P, size_t t, size_t s)
{
	double sum = 0;
	for (size_t r = 0; r < p->f->n; r++)
		sum += kept_part(p, m, t, r);
	return sum > 0 ? mat_row(p->logits, t)[s] * kept_part(p, m, t, s) / sqrt(sum) : 0;
}

static double retnet_weight(P, size_t t, size_t s)
{
	double sum = 0, size = 0;
	for (size_t r = 0; r < p->f->n; r++) {
		sum += allowed(p, t, r) ? mat_row(p->logits, t)[r] : 0;
		size += allowed(p, t, r) ? fabs(mat_row(p->logits, t)[r]) : 0;
	}
	const double by =
		dumped_is(m, "divisor", "paper") ? fmax(fabs(sum), 1) : fmin(fmax(size, 1), 50000);
	return allowed(p, t, s) ? mat_row(p->logits, t)[s] / by : 0;
}

static double retnet_norm(P, size_t t, size_t j)
{
	const double by = is_on(m, "norm") ? 1 / sqrt(mean_square(p, t) + 1e-6) : 1;
	return mat_row(p->context, t)[j] * (by - 1);
}

/* ---- rules ----------------------------------------------------------------------------------- */

const struct rule recompute_rules[] = {
	DOES("diff", ON_QK, diff_qk),
	PAIRS("diff", ON_CONTENT, NULL, diff_first),
	DOES("diff", ON_WEIGHTS, diff_weights),
	PAIRS("diff", ON_CONTEXT, NULL, diff_norm),
	DOES("retnet", ON_QK, retnet_qk),
	PAIRS("retnet", ON_ADJUST, NULL, retnet),
	PAIRS("retnet", ON_WEIGHTS, NULL, retnet_weight),
	PAIRS("retnet", ON_CONTEXT, NULL, retnet_norm),
	DOES("qk_norm", ON_QK, qk_norm),
	DOES("logn", ON_QK, factor_of_queries),
	DOES("temperature_tuning", ON_QK, factor_of_queries),
	PAIRS("softcap", ON_ADJUST, "soft cap", softcap),
	PAIRS("temperature", ON_ADJUST, "1/τ − 1", temperature),
	PAIRS("ssmax", ON_ADJUST, "s ln n − 1", ssmax),
	PAIRS("sink", ON_WEIGHTS, NULL, sink),
	{0},
};
