/* help_recipes_others.c: the schemes that read the tokens between, multiply, mix heads, replace
 * q·k, or use other weights than a softmax. */
#include "help_recipes.h"

/* ---- tokens between query and key ------------------------------------------------------------ */

/* Returns whether r is between the query and s, s included, on the way back from the query. */
static bool from_here_on(P, size_t s, size_t r)
{
	const double a = order_of(p, m, s), b = order_of(p, m, r);
	return b > a || (fabs(a - b) < 1e-12 && r >= s);
}

static double stickbreak(P, size_t t, size_t s)
{
	double sum = 0;
	for (size_t r = 0; r < p->f->n; r++)
		if (allowed(p, t, r) && from_here_on(p, m, s, r))
			sum += softplus(mat_row(p->logits, t)[r]);
	return -sum;
}

static double stick_weight(P, size_t t, size_t s)
{
	(void)m;
	return allowed(p, t, s) ? exp(mat_row(p->logits, t)[s]) : 0;
}

static double stick_rest(P, size_t t, size_t j)
{
	double left = 1;
	for (size_t s = 0; s < p->f->n; s++)
		left -= mat_row(p->weights, t)[s];
	return is_on(m, "remainder") ? left * mat_row(p->v, t)[j] : 0;
}

static double cope(P, size_t t, size_t s)
{
	const struct mat e = leaf_of(p, m, "e");
	double at = 0;
	for (size_t r = 0; r < p->f->n; r++)
		if (allowed(p, t, r) && from_here_on(p, m, s, r))
			at += sigmoid(mat_row(p->logits, t)[r]);
	at = fmin(at, (double)e.rows - 1);
	const size_t low = (size_t)floor(at), high = (size_t)ceil(at);
	const double part = at - floor(at), *q = mat_row(p->q_raw, t);
	return (1 - part) * loop_dot(q, mat_row(e, low), p->f->dk) +
	       part * loop_dot(q, mat_row(e, high), p->f->dk);
}

/* Multiplies the reflections I - β w wᵀ between key and query, one after the other. */
static void path(MAKE)
{
	const struct place *at = p;
	const size_t n = p->f->n, dk = p->f->dk;
	const struct mat w = columns_of_head(p, kept_of(p, m, "w")), beta = leaf_of(p, m, "w_beta");
	const struct mat term = loop_zero(p->f->a, n, n);
	for (size_t s = 0; s < n; s++) {
		double k[WIDEST_HEAD];
		memcpy(k, mat_row(p->k, s), dk * sizeof *k);
		for (size_t t = s; t < n; t++) {
			double b = leaf_of(p, m, "b_beta").at[p->head], norm = 0, along = 0;
			for (size_t i = 0; i < beta.rows; i++)
				b += mat_row(p->x, t)[i] * mat_row(beta, i)[p->head];
			norm = sqrt(loop_dot(mat_row(w, t), mat_row(w, t), dk));
			along = loop_dot(mat_row(w, t), k, dk) / norm;
			for (size_t j = 0; j < dk && t > s; j++)
				k[j] -= 2 * sigmoid(b) * along * mat_row(w, t)[j] / norm;
			mat_row(term, t)[s] =
				p->f->c * (loop_dot(mat_row(at->q, t), k, dk) -
					   loop_dot(mat_row(p->q, t), mat_row(p->k, s), dk));
		}
	}
	recompute_take(p, "path", term);
}

/* ---- factors and mixtures -------------------------------------------------------------------- */

static double da(P, size_t t, size_t s)
{
	const double v = leaf_of(p, m, "v").at[p->head], w = leaf_of(p, m, "w").at[p->head];
	const double d = fabs(position_of(p, m, t) - position_of(p, m, s));
	return fmax(0, mat_row(p->logits, t)[s]) * (1 + exp(v)) / (1 + exp(v - w * d));
}

static double dape_base(P, size_t head, size_t t, size_t s)
{
	const double by = position_of(p, m, t) - position_of(p, m, s);
	const double d = is_on(m, "causal") ? fmax(by, 0) : fabs(by);
	return -slope(head, p->f->heads) * d;
}

/* Returns the sum of the other terms of a head in the file. */
static double others(const struct place *p, size_t head, size_t t, size_t s)
{
	char begin[64];
	const int len = snprintf(begin, sizeof begin, "layer.%zu.head.%zu.term.", p->step, head);
	double sum = 0;
	for (size_t i = 0; i < p->f->set.count; i++) {
		const struct tensor *x = &p->f->set.tensors[i];
		if (strncmp(x->name, begin, (size_t)len) == 0 &&
		    strcmp(x->name + len, "base bias") != 0 &&
		    strcmp(x->name + len, "f(A, B)") != 0)
			sum += mat_row(tensor_mat(x), t)[s];
	}
	return sum;
}

/* Returns hidden number i at the key s, which reads `kernel` keys about it; 0 beyond the ends. */
static double dape_hidden(P, size_t i, size_t t, long s)
{
	const struct mat w1 = leaf_of(p, m, "w1");
	const long taps = (long)dumped_number(m, "kernel"), n = (long)p->f->n;
	const size_t h = p->f->heads;
	double x = leaf_of(p, m, "b1").at[i];
	if (s < 0 || s >= n)
		return 0;
	for (long j = 0; j < taps; j++) {
		const long at = s + j - taps / 2;
		const bool later = at >= 0 && at < n && distance(p, m, t, (size_t)at) > 0;
		if (at < 0 || at >= n || (taps > 1 && is_on(m, "causal") && later))
			continue;
		for (size_t k = 0; k < h; k++) {
			const size_t row = (size_t)j * 2 * h + k;
			x += others(p, k, t, (size_t)at) * mat_row(w1, row)[i] +
			     dape_base(p, m, k, t, (size_t)at) * mat_row(w1, row + h)[i];
		}
	}
	return x > 0 ? x : 0.01 * x;
}

static void dape(MAKE)
{
	const struct mat base = loop_zero(p->f->a, p->f->n, p->f->n);
	const struct mat mixed = loop_zero(p->f->a, p->f->n, p->f->n);
	const struct mat w1 = leaf_of(p, m, "w1"), w2 = leaf_of(p, m, "w2");
	const size_t taps = (size_t)dumped_number(m, "kernel");
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t s = 0; s < p->f->n; s++) {
			double *out = &mat_row(mixed, t)[s];
			*out = leaf_of(p, m, "b2").at[p->head];
			for (size_t j = 0; j < taps; j++)
				for (size_t i = 0; i < w1.cols; i++)
					*out += dape_hidden(p, m, i, t,
							    (long)(s + j) - (long)(taps / 2)) *
						mat_row(w2, j * w1.cols + i)[p->head];
			mat_row(base, t)[s] = dape_base(p, m, p->head, t, s);
		}
	recompute_take(p, "base bias", base);
	recompute_take(p, "f(A, B)", mixed);
}

static double clamped(P, size_t t, size_t s)
{
	const double most = dumped_number(m, "clamp"), x = mat_row(p->logits, t)[s];
	return dumped_is(m, "local", "off") ? x : fmin(fmax(x, -most), most);
}

static void formula(MAKE)
{
	if (dumped_is(m, "op", "add")) {
		recompute_take(p, "formula", kept_of(p, m, "b"));
		return;
	}
	for (size_t i = 0; i < p->logits.rows * p->logits.cols; i++)
		p->logits.at[i] *= kept_of(p, m, "b").at[i];
}

static double matrix(P, size_t t, size_t s)
{
	return mat_row(kept_of_head(p, m, "matrix"), t)[s];
}

static void window(MAKE)
{
	const struct mat q = columns_of_head(p, loop_mul(p->f->a, p->xq, leaf_of(p, m, "w_qg")));
	const struct mat k = columns_of_head(p, loop_mul(p->f->a, p->x, leaf_of(p, m, "w_kg")));
	const struct mat own = loop_outer(p->f->a, p->f->c, q, k);
	const struct mat plain = loop_outer(p->f->a, p->f->c, p->q, p->k);
	const struct mat term = loop_zero(p->f->a, p->f->n, p->f->n);
	size_t n = 1, any = 0;
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t i = 0; i < n; i++)
			if (fabs(dumped_list(m, "global", i, &n) - 1 - position_of(p, m, t)) <
			    0.5) {
				any++;
				for (size_t s = 0; s < p->f->n; s++)
					mat_row(term, t)[s] =
						mat_row(own, t)[s] - mat_row(plain, t)[s];
			}
	if (any)
		recompute_take(p, "global", term);
}

static double window_value(P, size_t t, size_t j)
{
	size_t n = 1;
	double sum = 0;
	for (size_t i = 0; i < n && is_on(m, "projections"); i++) {
		if (!(fabs(dumped_list(m, "global", i, &n) - 1 - position_of(p, m, t)) < 0.5))
			continue;
		const struct mat v =
			value_columns(p, loop_mul(p->f->a, p->x, leaf_of(p, m, "w_vg")));
		for (size_t s = 0; s < p->f->n; s++)
			sum += mat_row(p->weights, t)[s] * (mat_row(v, s)[j] - mat_row(p->v, s)[j]);
	}
	return sum;
}

/* ---- synthesizers: no q·k -------------------------------------------------------------------- */

static double learned_pair(P, size_t t, size_t s)
{
	const struct mat r = leaf_of(p, m, "r");
	const size_t from = p->head * (size_t)p->f->t_max, n = p->f->n;
	return r.at ? mat_row(r, (size_t)position_of(p, m, t))[from + (size_t)position_of(p, m, s)]
		    : mat_row(kept_of(p, m, "R"), t)[p->head * n + s];
}

static double by_query(P, size_t t, size_t s)
{
	const struct mat pi = leaf_of(p, m, "pi");
	double sum = 0;
	for (size_t j = 0; j < p->f->dk; j++)
		sum += fmax(0, mat_row(p->q_raw, t)[j]) *
		       mat_row(pi, j)[(size_t)position_of(p, m, s)];
	return sum;
}

static double dense(P, size_t t, size_t s)
{
	const struct mat w1 = leaf_of(p, m, "w1"), w2 = leaf_of(p, m, "w2");
	const size_t to = (size_t)position_of(p, m, s);
	if (is_on(m, "code"))
		return by_query(p, m, t, s);
	double sum = mat_row(leaf_of(p, m, "b2"), p->head)[to];
	for (size_t j = p->head * p->f->dk; j < (p->head + 1) * p->f->dk; j++) {
		double x = leaf_of(p, m, "b1").at[j];
		for (size_t i = 0; i < w1.rows; i++)
			x += mat_row(p->xq, t)[i] * mat_row(w1, i)[j];
		sum += fmax(0, x) * mat_row(w2, j)[to];
	}
	return sum;
}

static double tile(P, const char *w, const char *b, size_t t, size_t at)
{
	const size_t in = p->f->d / p->f->heads;
	double sum = mat_row(leaf_of(p, m, b), p->head)[at];
	for (size_t j = p->head * in; j < (p->head + 1) * in; j++)
		sum += mat_row(p->xq, t)[j] * mat_row(leaf_of(p, m, w), j)[at];
	return sum;
}

static double factorized(P, size_t t, size_t s)
{
	const size_t from = p->head * (size_t)p->f->t_max;
	const size_t at = (size_t)position_of(p, m, t), to = (size_t)position_of(p, m, s);
	if (dumped_is(m, "of", "dense")) {
		const size_t a = leaf_of(p, m, "w_a").cols;
		return tile(p, m, "w_a", "b_a", t, to % a) * tile(p, m, "w_b", "b_b", t, to / a);
	}
	double sum = 0;
	for (size_t i = 0; i < leaf_of(p, m, "r1").rows; i++)
		sum += mat_row(leaf_of(p, m, "r1"), i)[from + at] *
		       mat_row(leaf_of(p, m, "r2"), i)[from + to];
	return sum;
}

static void mixed_queries(MAKE)
{
	p->q = loop_copy(p->f->a, p->q);
	for (size_t i = 0; is_on(m, "alpha") && i < p->q.rows * p->q.cols; i++)
		p->q.at[i] *= 1 - sigmoid(leaf_of(p, m, "alpha").at[0]);
}

static double mixed_with(P, size_t t, size_t s)
{
	const double by = is_on(m, "alpha") ? sigmoid(leaf_of(p, m, "alpha").at[0]) : 1;
	return by * (dumped_is(m, "of", "random") ? learned_pair : by_query)(p, m, t, s);
}

/* ---- other weights --------------------------------------------------------------------------- */

static void gauss(MAKE)
{
	size_t n;
	dumped_list(m, "offsets", 0, &n);
	const double offset = dumped_list(m, "offsets", p->head % n, &n);
	const double std = dumped_number(m, "std"), least = dumped_number(m, "threshold");
	p->weights = loop_zero(p->f->a, p->f->n, p->f->n);
	for (size_t t = 0; t < p->f->n; t++) {
		double *row = mat_row(p->weights, t), sum = 0;
		for (size_t s = 0; s < p->f->n; s++) {
			const double by = position_of(p, m, s) - position_of(p, m, t) - offset;
			const double x = exp(-by * by / (2 * std * std)) / (std * sqrt(2 * M_PI));
			row[s] = allowed(p, t, s) && x >= least ? x : 0;
			sum += row[s];
		}
		for (size_t s = 0; s < p->f->n && is_on(m, "renorm") && sum > 0; s++)
			row[s] /= sum;
	}
}

static double disan_score(P, size_t j, size_t t, size_t s)
{
	(void)m;
	return 5 * tanh((mat_row(p->q_raw, t)[j] + mat_row(p->k_raw, s)[j]) / 5);
}

static double disan_first(P, size_t t, size_t s)
{
	return disan_score(p, m, 0, t, s);
}

/* Computes the context with separate weights for every feature. */
static void disan_context(MAKE)
{
	p->context = loop_copy(p->f->a, p->context);
	for (size_t j = 0; j < p->f->dk; j++) {
		const struct mat logits = loop_copy(p->f->a, p->logits);
		for (size_t t = 0; t < p->f->n; t++)
			for (size_t s = 0; s < p->f->n; s++)
				mat_row(logits, t)[s] +=
					disan_score(p, m, j, t, s) - disan_score(p, m, 0, t, s);
		const struct mat weights = recompute_softmax(p->f->a, logits, p->mask);
		for (size_t t = 0; t < p->f->n; t++) {
			mat_row(p->context, t)[j] = 0;
			for (size_t s = 0; s < p->f->n; s++)
				mat_row(p->context, t)[j] +=
					mat_row(weights, t)[s] * mat_row(p->v, s)[j];
		}
	}
}

/* ---- rotations that layers change ------------------------------------------------------------ */

/* Returns the last step before this one on which the member acts; -1: none. */
static long step_before(P)
{
	long step = (long)p->step - 1;
	while (step >= 0 &&
	       !dumped_acts(m, "layers", (size_t)dumped_step(p->f, (size_t)step, "layer")))
		step--;
	return step;
}

/* Returns the cosines or sines of a head with which a step begins. */
static struct mat tape_begins(P, size_t step, const char *which, size_t head)
{
	const size_t pairs = p->f->dk / 2;
	const struct mat all = dumped_find(p->f, "layer.%zu.member.%s.%s", step, m->name, which);
	return all.at			       ? loop_cols(all, head * pairs, pairs)
	       : dumped_acts(m, "heads", head) ? dumped_get(p->f, "member.%s.%s", m->name, which)
					       : loop_zero(p->f->a, p->f->n, pairs);
}

/* Returns those of a head behind the attention of a step. */
static struct mat tape_attended(P, size_t step, const char *which, size_t head)
{
	const size_t layer = (size_t)dumped_step(p->f, step, "layer");
	const struct mat post = dumped_get(p->f, "param.%s.post.%zu", m->name, layer);
	const struct mat out = loop_copy(p->f->a, tape_begins(p, m, step, which, head));
	for (size_t j = 0; j < p->f->heads; j++) {
		const size_t from = dumped_is(m, "mix", "\"heads\"") ? j : head;
		const struct mat w = dumped_get(p->f, "layer.%zu.head.%zu.weights", step, from);
		const struct mat read = loop_mul(p->f->a, w, tape_begins(p, m, step, which, from));
		for (size_t i = 0; i < out.rows * out.cols; i++)
			out.at[i] += mat_row(post, j)[head] * read.at[i];
	}
	return out;
}

/* Checks what the step before made for this head. */
static void tape_expect(P, size_t before, const char *which, struct mat file)
{
	const size_t layer = (size_t)dumped_step(p->f, before, "layer");
	const struct mat fed = dumped_get(p->f, "layer.%zu.member.%s.fed", before, m->name);
	const struct mat up = dumped_get(p->f, "param.%s.pe_up.%zu", m->name, layer);
	const struct mat down = dumped_get(p->f, "param.%s.pe_down.%zu", m->name, layer);
	const struct mat x = dumped_get(p->f, "param.%s.pe_x.%zu", m->name, layer);
	const struct mat seen = loop_mul(p->f->a, fed, x);
	const struct mat mine = loop_copy(p->f->a, tape_attended(p, m, before, which, p->head));
	for (size_t j = 0; j < p->f->heads; j++) {
		const struct mat of = dumped_acts(m, "heads", j)
					      ? tape_attended(p, m, before, which, j)
					      : loop_zero(p->f->a, p->f->n, p->f->dk / 2);
		for (size_t t = 0; t < p->f->n; t++) {
			double by = 0;
			for (size_t e = 0; e < up.cols; e++) {
				const double g = mat_row(seen, t)[e];
				by += g * sigmoid(g) * mat_row(up, j)[e] *
				      mat_row(down, e)[p->head];
			}
			for (size_t i = 0; i < mine.cols; i++)
				mat_row(mine, t)[i] += by * mat_row(of, t)[i];
		}
	}
	expect_near(p, mine, file, which);
}

/* A memory's units have no rows of weights in the file: then what they made of it is taken as kept. */
static void tape(MAKE)
{
	const long before = step_before(p, m);
	const struct mat c = tape_begins(p, m, p->step, "cos", p->head);
	const struct mat s = tape_begins(p, m, p->step, "sin", p->head);
	if (before < 0) {
		const struct mat mine = loop_zero(p->f->a, c.rows, c.cols);
		for (size_t t = 0; t < c.rows; t++)
			for (size_t i = 0; i < c.cols; i++)
				mat_row(mine, t)[i] = sin(
					position_of(p, m, t) *
					pow(dumped_number(m, "base"), -(double)i / (double)c.cols));
		expect_near(p, mine, s, "tape's sines");
	} else if (p->f->memory == 0) {
		tape_expect(p, m, (size_t)before, "cos", c);
		tape_expect(p, m, (size_t)before, "sin", s);
	}
	p->q = turned(p, p->q, c, s, true);
	p->k = turned(p, p->k, c, s, true);
}

/* ---- rules ----------------------------------------------------------------------------------- */

const struct rule recompute_others[] = {
	PAIRS("stickbreak", ON_ADJUST, "broken off", stickbreak),
	PAIRS("stickbreak", ON_WEIGHTS, NULL, stick_weight),
	PAIRS("stickbreak", ON_CONTEXT, NULL, stick_rest),
	PAIRS("cope", ON_ADJUST, "query–e", cope),
	DOES("path", ON_TERMS, path),
	DOES("tape", ON_QK, tape),
	PAIRS("da", ON_ADJUST, NULL, da),
	DOES("dape", ON_ADJUST, dape),
	PAIRS("laplacian", ON_ADJUST, NULL, clamped),
	DOES_IF("formula", ON_TERMS, "op", "add", formula),
	DOES_IF("formula", ON_ADJUST, "op", "mul", formula),
	/* In the sample, the matrix is a bias. */
	PAIRS_IF("matrix", ON_TERMS, "matrix", "as", "auto", matrix),
	PAIRS_IF("matrix", ON_TERMS, "matrix", "as", "bias", matrix),
	PAIRS_IF("matrix", ON_CONTENT, NULL, "as", "logits", matrix),
	PAIRS_IF("matrix", ON_WEIGHTS, NULL, "as", "weights", matrix),
	DOES_IF("window", ON_TERMS, "projections", "true", window),
	PAIRS("window", ON_CONTEXT, NULL, window_value),
	PAIRS("synth_random", ON_CONTENT, NULL, learned_pair),
	PAIRS("synth_dense", ON_CONTENT, NULL, dense),
	PAIRS("synth_factorized", ON_CONTENT, NULL, factorized),
	DOES("synth_mix", ON_QK, mixed_queries),
	PAIRS_IF("synth_mix", ON_TERMS, "R", "of", "random", mixed_with),
	PAIRS_IF("synth_mix", ON_TERMS, "ReLU(q) W", "of", "dense", mixed_with),
	DOES("gauss", ON_WEIGHTS, gauss),
	PAIRS_IF("disan", ON_CONTENT, NULL, "multi", "true", nothing),
	PAIRS_IF("disan", ON_TERMS, "5 tanh", "multi", "true", disan_first),
	DOES_IF("disan", ON_CONTEXT, "multi", "true", disan_context),
	{0},
};
