/* help_recipes_pairs.c: the schemes that give each pair of tokens a rotation, learn its rates, or
 * rotate a part of a head. */

#include "test.h"
#include "help_recipes.h"

/* ---- a difference for each pair --------------------------------------------------------------- */

/* Returns ρ of positions t and s by the papers. */
static double difference(P, double t, double s)
{
	const double apart = t - s;
	if (strcmp(m->scheme, "selfextend") == 0) {
		const double w = dumped_number(m, "neighbours"), g = dumped_number(m, "group");
		const double part = dumped_is(m, "shift", "paper") ? floor(w / g) : w / g;
		return apart < w ? apart : floor(t / g) - floor(s / g) + w - part;
	}
	if (strcmp(m->scheme, "rerope") == 0) {
		const double w = dumped_number(m, "window"), k = dumped_number(m, "leak");
		return apart < w ? apart : w + (k > 0 ? (apart - w) / k : 0);
	}
	const double size = dumped_number(m, "chunk"), l = size - dumped_number(m, "window");
	const double most = dumped_number(m, "cap") > 0 ? dumped_number(m, "cap") : size;
	const double chunks = floor(t / l) - floor(s / l);
	(void)p;
	return (chunks < 1   ? fmod(t, l)
		: chunks < 2 ? fmin(fmod(t, l) + l, most)
			     : fmin(2 * l - 1, most)) -
	       fmod(s, l);
}

static const struct dumped_member *rope_beside(P)
{
	for (size_t i = 0; i < p->f->n_members; i++)
		if (strncmp(p->f->members[i].scheme, "rope", 4) == 0)
			return &p->f->members[i];
	return m;
}

/* Rotates as rope does where there is none, and multiplies queries. */
static void pairwise_qk(MAKE)
{
	const struct mat c = kept_of(p, m, "cos"), s = kept_of(p, m, "sin");
	const struct mat factor = kept_of(p, m, "factor");
	if (c.at) {
		p->q = turned(p, p->q, c, s, true);
		p->k = turned(p, p->k, c, s, true);
	}
	p->q = loop_copy(p->f->a, p->q);
	for (size_t i = 0; factor.at && i < p->q.rows * p->q.cols; i++)
		p->q.at[i] *= factor.at[i / p->q.cols];
}

/* Frequencies are those that the first two positions of the rope show. */
static double pairwise_content(P, size_t t, size_t s)
{
	const struct dumped_member *const by = rope_beside(p, m);
	const struct mat cosine = kept_of(p, by, "cos"), sine = kept_of(p, by, "sin");
	const struct mat factor = kept_of(p, m, "factor");
	const bool half = by == m || dumped_is(by, "layout", "half");
	const double *const q = mat_row(p->q_raw, t), *const k = mat_row(p->k_raw, s);
	const double rho = difference(p, m, position_of(p, m, t), position_of(p, m, s));
	const double mu = hypot(cosine.at[0], sine.at[0]);
	double sum = loop_dot(q + 2 * cosine.cols, k + 2 * cosine.cols, p->f->dk - 2 * cosine.cols);
	if (fabs(mat_row(kept_of(p, m, "difference"), t)[s] - rho) > 1e-9)
		fail_msg("%s: rho of %zu and %zu", m->name, t, s);
	for (size_t i = 0; i < cosine.cols; i++) {
		const size_t one = half ? i : 2 * i, two = half ? i + cosine.cols : 2 * i + 1;
		const double *const c = mat_row(cosine, 0), *const e = mat_row(sine, 0);
		const double turn =
			atan2(e[cosine.cols + i], c[cosine.cols + i]) - atan2(e[i], c[i]);
		const double step = position_of(p, by, 1) - position_of(p, by, 0);
		const double u = rho * remainder(turn, 2 * M_PI) / step;
		sum += mu * mu *
		       ((q[one] * k[one] + q[two] * k[two]) * cos(u) -
			(q[two] * k[one] - q[one] * k[two]) * sin(u));
	}
	return p->f->c * sum * (factor.at ? factor.at[t] : 1);
}

/* ---- learned rates ---------------------------------------------------------------------------- */

/* Returns the slope of ln θ at time t, by clex's definition. */
static void clex_slope(P, double t, const double *y, double *out)
{
	const struct mat up = leaf_of(p, m, "w_up"), down = leaf_of(p, m, "w_down");
	const size_t n = down.cols;
	const double d = 2 * (double)n, by = d > 2 ? d / (d - 2) : 1;
	for (size_t i = 0; i < n; i++)
		out[i] = -2 * (double)i / d * by * 2 / (2 * t - 1);
	for (size_t j = 0; j < up.cols; j++) {
		double in = 0;
		for (size_t i = 0; i < n; i++)
			in += mat_row(up, i)[j] * (y[i] - 2 * (double)i / d *
								  (log(dumped_number(m, "base")) +
								   by * log(2 * t - 1)));
		for (size_t i = 0; i < n; i++)
			out[i] += in * sigmoid(in) * mat_row(down, j)[i];
	}
}

/* A step of the 3/8 rule. */
static void clex_step(P, double t, double h, double *y)
{
	double k[4][WIDEST_HEAD], x[WIDEST_HEAD];
	static const double at[4] = {0, 1. / 3, 2. / 3, 1};
	static const double of[4][3] = {{0}, {1. / 3}, {-1. / 3, 1}, {1, -1, 1}};
	const size_t n = p->f->dk / 2;
	for (size_t i = 0; i < 4; i++) {
		for (size_t j = 0; j < n; j++) {
			x[j] = y[j];
			for (size_t b = 0; b < i; b++)
				x[j] += h * of[i][b] * k[b][j];
		}
		clex_slope(p, m, t + at[i] * h, x, k[i]);
	}
	for (size_t j = 0; j < n; j++)
		y[j] += h / 8 * (k[0][j] + 3 * (k[1][j] + k[2][j]) + k[3][j]);
}

static void clex(MAKE)
{
	const size_t n = p->f->dk / 2;
	const struct mat c = loop_zero(p->f->a, p->f->n, n), s = loop_zero(p->f->a, p->f->n, n);
	const double trained = dumped_number(m, "original"), h = dumped_number(m, "step");
	double y[WIDEST_HEAD];
	const double until = fmin(ceil((double)p->f->n / (trained > 0 ? trained : 16)),
				  dumped_number(m, "most"));
	for (size_t i = 0; i < n; i++)
		y[i] = -(double)i / (double)n * log(dumped_number(m, "base"));
	for (size_t k = 0; 1 + (double)k * h < until - 1e-9; k++)
		clex_step(p, m, 1 + (double)k * h, fmin(h, until - 1 - (double)k * h), y);
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t i = 0; i < n; i++) {
			mat_row(c, t)[i] = cos(position_of(p, m, t) * exp(y[i]));
			mat_row(s, t)[i] = sin(position_of(p, m, t) * exp(y[i]));
		}
	expect_near(p, c, kept_of(p, m, "cos"), "clex's cosines");
	p->q = turned(p, p->q, c, s, true);
	p->k = turned(p, p->k, c, s, true);
}

/* ---- latent vectors --------------------------------------------------------------------------- */

/* x / √(mean of x² + 1e-6), times w. */
static struct mat rms(P, struct mat x, const char *weight)
{
	const struct mat out = loop_copy(p->f->a, x), w = leaf_of(p, m, weight);
	for (size_t t = 0; t < x.rows; t++) {
		const double squares = loop_dot(mat_row(x, t), mat_row(x, t), x.cols);
		for (size_t j = 0; j < x.cols; j++)
			mat_row(out, t)[j] *= w.at[j] / sqrt(squares / (double)x.cols + 1e-6);
	}
	return out;
}

/* Columns of queries, [n, h dk], and of keys and values, [n, h (content + dv)], of this head. */
static struct mat latent_query(P, size_t from, size_t width)
{
	const struct mat x = p->xq, dq = leaf_of(p, m, "w_dq");
	const struct mat c = dq.at ? rms(p, m, loop_mul(p->f->a, x, dq), "q_norm") : x;
	const struct mat all = loop_mul(p->f->a, c, leaf_of(p, m, "w_uq"));
	return loop_cols(all, p->head * p->f->dk + from, width);
}

static struct mat latent_key(P, size_t from, size_t width)
{
	const size_t rank = (size_t)dumped_number(m, "kv_rank");
	const size_t content = p->f->dk - (size_t)dumped_number(m, "rope");
	const struct mat both = loop_mul(p->f->a, p->x, leaf_of(p, m, "w_dkv"));
	const struct mat c = rms(p, m, loop_cols(both, 0, rank), "kv_norm");
	const struct mat all = loop_mul(p->f->a, c, leaf_of(p, m, "w_ukv"));
	return loop_cols(all, p->head * (content + p->f->dv) + from, width);
}

static struct mat rope_part(P, bool query)
{
	const size_t rope = (size_t)dumped_number(m, "rope");
	const size_t rank = (size_t)dumped_number(m, "kv_rank");
	const struct mat both = loop_mul(p->f->a, p->x, leaf_of(p, m, "w_dkv"));
	const struct mat x =
		query ? latent_query(p, m, p->f->dk - rope, rope) : loop_cols(both, rank, rope);
	return turned(p, x, kept_of(p, m, "cos"), kept_of(p, m, "sin"),
		      dumped_is(m, "layout", "half"));
}

static void latent_qk(MAKE)
{
	const size_t rope = (size_t)dumped_number(m, "rope"), content = p->f->dk - rope;
	for (size_t t = 0; t < p->f->n && dumped_is(m, "factor", "1"); t++)
		for (size_t i = 0; i < rope / 2; i++) {
			const double rate =
				pow(dumped_number(m, "base"), -2 * (double)i / (double)rope);
			const double c = cos(position_of(p, m, t) * rate);
			if (fabs(mat_row(kept_of(p, m, "cos"), t)[i] - c) > 1e-12)
				fail_msg("the cosine of pair %zu at %zu", i, t);
		}
	p->q = content ? latent_query(p, m, 0, content) : rope_part(p, m, true);
	p->k = content ? latent_key(p, m, 0, content) : rope_part(p, m, false);
}

static void latent_values(MAKE)
{
	p->v = latent_key(p, m, p->f->dk - (size_t)dumped_number(m, "rope"), p->f->dv);
}

static void latent_term(MAKE)
{
	const size_t rope = (size_t)dumped_number(m, "rope");
	if (rope > 0 && rope < p->f->dk)
		recompute_take(p, "rope",
			       loop_outer(p->f->a, p->f->c, rope_part(p, m, true),
					  rope_part(p, m, false)));
}

/* ---- exponentials of matrices ---------------------------------------------------------------- */

enum { HALVINGS = 12, SERIES = 14 };

/* e^a of g columns, by halving and squaring. */
static struct mat exponential(const struct place *p, struct mat a)
{
	struct mat sum = loop_zero(p->f->a, a.rows, a.rows), term = loop_copy(p->f->a, sum);
	const struct mat small = loop_copy(p->f->a, a);
	for (size_t i = 0; i < a.rows * a.rows; i++) {
		small.at[i] *= ldexp(1, -HALVINGS);
		term.at[i] = i % (a.rows + 1) == 0;
	}
	loop_add(sum, term);
	for (size_t k = 1; k <= SERIES; k++) {
		term = loop_mul(p->f->a, term, small);
		for (size_t i = 0; i < a.rows * a.rows; i++)
			term.at[i] /= (double)k;
		loop_add(sum, term);
	}
	for (size_t k = 0; k < HALVINGS; k++)
		sum = loop_mul(p->f->a, sum, sum);
	return sum;
}

/* Adds by (F - Fᵀ), of F the rows from `first` on. */
static void add_skew(struct mat out, struct mat leaf, size_t first, double by, bool upper)
{
	for (size_t i = 0; i < out.rows; i++)
		for (size_t j = 0; j < i; j++) {
			const double f = mat_row(leaf, first + j)[i] -
					 (upper ? 0 : mat_row(leaf, first + i)[j]);
			mat_row(out, j)[i] += by * f;
			mat_row(out, i)[j] -= by * f;
		}
}

static struct mat lie_turned(P, struct mat x)
{
	const bool lie = strcmp(m->scheme, "liere") == 0, ap = !lie && dumped_is(m, "com", "ap");
	const double block = dumped_number(m, "block"), prefix = dumped_number(m, "prefix");
	const double grid = dumped_number(m, "grid");
	const size_t g = block > 0 ? (size_t)block : p->f->dk, blocks = p->f->dk / g;
	const struct mat leaf = leaf_of(p, m, lie ? "generators" : "freqs");
	const struct mat by = leaf_of(p, m, "multiplier"), at = kept_of(p, m, "coordinates");
	const struct mat out = loop_copy(p->f->a, x);
	for (size_t t = 0; t < x.rows; t++)
		for (size_t b = 0; b < blocks; b++) {
			const struct mat a = loop_zero(p->f->a, g, g);
			const size_t own = p->head * blocks + b;
			for (size_t axis = 0; axis < at.cols; axis++)
				add_skew(a, leaf,
					 (lie ? axis * p->f->heads * blocks + own : own) * g,
					 mat_row(at, t)[axis] * (lie  ? 1
								 : ap ? axis == b % at.cols
								      : mat_row(by, axis)[b]),
					 lie);
			const struct mat r = exponential(p, a);
			for (size_t i = 0; i < g; i++)
				mat_row(out, t)[b * g + i] =
					loop_dot(mat_row(r, i), mat_row(x, t) + b * g, g);
		}
	/* On a line: from 0 to 1, or the middle of cells. */
	for (size_t t = 0; t < x.rows && grid < 1 && prefix < 1; t++) {
		const double n = (double)x.rows, place = position_of(p, m, t);
		const double want = lie ? place / fmax(n - 1, 1) : (place + 0.5) / n;
		if (fabs(mat_row(at, t)[0] - want) > 1e-12)
			fail_msg("%s: the coordinate of %zu", m->name, t);
	}
	return out;
}

static void lie_qk(MAKE)
{
	p->q = lie_turned(p, m, p->q);
	p->k = lie_turned(p, m, p->k);
}

/* ---- rules ----------------------------------------------------------------------------------- */

const struct rule recompute_pairs[] = {
	DOES("liere", ON_QK, lie_qk),
	DOES("comrope", ON_QK, lie_qk),
	DOES("mla", ON_QK, latent_qk),
	DOES("mla", ON_VALUES_IN, latent_values),
	DOES("mla", ON_TERMS, latent_term),
	DOES("selfextend", ON_QK, pairwise_qk),
	DOES("rerope", ON_QK, pairwise_qk),
	DOES("dca", ON_QK, pairwise_qk),
	DOES("clex", ON_QK, clex),
	PAIRS("selfextend", ON_CONTENT, NULL, pairwise_content),
	PAIRS("rerope", ON_CONTENT, NULL, pairwise_content),
	PAIRS("dca", ON_CONTENT, NULL, pairwise_content),
	{0},
};
