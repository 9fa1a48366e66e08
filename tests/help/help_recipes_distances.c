/* help_recipes_distances.c: the schemes that add a number for each pair, computed from the paper's
 * formula and the recipe in the dump. */
#include <limits.h>

#include "help_recipes.h"

/* ---- numbers for distances ------------------------------------------------------------------- */

double slope(size_t head, size_t heads)
{
	size_t below = 1;
	while (2 * below <= heads)
		below *= 2;
	return head < below ? exp2(-8 * (double)(head + 1) / (double)below)
			    : exp2(-8 * (double)(2 * (head - below) + 1) / (double)(2 * below));
}

static double alibi(P, size_t t, size_t s)
{
	const double by = distance(p, m, t, s);
	const size_t heads = p->f->heads, half = (heads + 1) / 2;
	const bool halves = dumped_is(m, "direction", "halves");
	const double own = !halves	    ? slope(p->head, heads)
			   : p->head < half ? slope(p->head, half)
					    : slope(p->head - half, heads - half);
	const double rate = own * dumped_number(m, "factor");
	if (is_on(m, "causal"))
		return rate * by;
	const bool ahead = dumped_is(m, "direction", "asymmetric") && by > 0;
	return -rate * fabs(by) * (ahead ? dumped_number(m, "ahead") : 1);
}

/* Returns the bucket of Raffel et al.: half of the buckets are exact, the others logarithmic; if
 * both directions count, each gets half of all. */
static double bucket(double by, double buckets, double most, bool both)
{
	double first = 0, n = both ? buckets / 2 : buckets;
	if (both && by > 0)
		first = n;
	const double d = both ? fabs(by) : fmax(-by, 0), exact = floor(n / 2);
	if (d < exact)
		return first + d;
	return first + fmin(n - 1, exact + floor(log(d / exact) / log(most / exact) * (n - exact)));
}

static double t5(P, size_t t, size_t s)
{
	const double row = bucket(distance(p, m, t, s), dumped_number(m, "buckets"),
				  dumped_number(m, "max_distance"), !is_on(m, "causal"));
	const double by = dumped_is(m, "scale", "xt") ? sqrt((double)p->f->dk) : 1;
	return by * *row_of(p, leaf_of(p, m, "bias_table"), row, 1);
}

static double kerple_bound(P, const char *leaf, double most)
{
	return fmin(fmax(leaf_of(p, m, leaf).at[p->head], dumped_number(m, "least")), most);
}

static double kerple_log(P, size_t t, size_t s)
{
	const double d = fabs(distance(p, m, t, s));
	return -kerple_bound(p, m, "p", INFINITY) * log1p(kerple_bound(p, m, "a", INFINITY) * d);
}

static double kerple_power(P, size_t t, size_t s)
{
	const double d = fabs(distance(p, m, t, s));
	return d > 0 ? -kerple_bound(p, m, "a", INFINITY) * pow(d, kerple_bound(p, m, "p", 2)) : 0;
}

static double kerple_weight(P, size_t t, size_t s)
{
	const double d = fabs(distance(p, m, t, s));
	if (dumped_is(m, "weight", "none"))
		return mat_row(p->logits, t)[s];
	const double by = dumped_is(m, "weight", "ap") ? kerple_bound(p, m, "w_p", 2) : 1;
	return mat_row(p->logits, t)[s] *
	       exp(-kerple_bound(p, m, "w_a", INFINITY) * (d > 0 ? pow(d, by) : 0));
}

/* Returns the inner product of two sinusoids of `width` columns, without the part that is
 * independent of the distance. */
static double sandwich(P, size_t t, size_t s)
{
	const double width = dumped_number(m, "width");
	const size_t terms = (size_t)width / 2 - dumped_is(m, "terms", "short");
	double sum = -width / 2;
	for (size_t i = 1; i <= terms; i++)
		sum += cos(distance(p, m, t, s) * pow(10000, -2 * (double)i / width));
	return sum * (double)p->f->heads / (8 * (double)(p->head + 1));
}

static double fire(P, size_t t, size_t s)
{
	const double c = fabs(leaf_of(p, m, "c").at[0]);
	const double start = fabs(leaf_of(p, m, "L_multiplier").at[0] * dumped_number(m, "start"));
	const double most = fmax(start, position_of(p, m, t));
	const double x =
		log1p(c * fabs(distance(p, m, t, s))) / (log1p(c * most) + dumped_number(m, "eps"));
	const struct mat w1 = leaf_of(p, m, "w1"), w2 = leaf_of(p, m, "w2");
	double sum = leaf_of(p, m, "b2").at[p->head];
	for (size_t j = 0; j < w1.cols; j++)
		sum += fmax(0, x * w1.at[j] + leaf_of(p, m, "b1").at[j]) * mat_row(w2, j)[p->head];
	return sum;
}

static double dufter_abs(P, size_t t, size_t s)
{
	const double *row =
		row_of(p, leaf_of(p, m, "p"), position_of(p, m, t), (size_t)p->f->t_max);
	return row[(size_t)position_of(p, m, s)];
}

static double dufter_rel(P, size_t t, size_t s)
{
	const double most = 2 * p->f->t_max;
	return *row_of(p, leaf_of(p, m, "r"), fmod(most - distance(p, m, t, s), most), 1);
}

static void scale(struct mat x, double by)
{
	for (size_t i = 0; i < x.rows * x.cols; i++)
		x.at[i] *= by;
}

static void temperatures(MAKE)
{
	p->q = loop_copy(p->f->a, p->q);
	p->k = loop_copy(p->f->a, p->k);
	scale(p->q, leaf_of(p, m, "tau_q").at[p->head]);
	scale(p->k, leaf_of(p, m, "tau_k").at[p->head]);
}

/* Returns the token `by` positions after t in reading order; -1 beyond the ends. */
static long read_at(P, size_t t, long by)
{
	long *const at = arena_calloc(p->f->a, p->f->n, sizeof *at), n = (long)p->f->n;
	long own = 0;
	for (size_t i = 0; i < p->f->n; i++) {
		long place = 0;
		for (size_t k = 0; k < p->f->n; k++) {
			const double before = order_of(p, m, k) - order_of(p, m, i);
			place += before < 0 || (k < i && !(before > 0));
		}
		at[place] = (long)i;
		own = i == t ? place : own;
	}
	return own + by >= 0 && own + by < n ? at[own + by] : -1;
}

/* Returns cell (t, s) of the weights, seen as a picture, after convolution with the kernel of this
 * head. */
static double pixel(P, struct mat kernel, size_t t, size_t s)
{
	const long width = (long)kernel.rows, a = (width - 1) / 2;
	double sum = leaf_of(p, m, "conv_bias").at[p->head];
	for (long i = 0; i < width; i++)
		for (long j = 0; j < width; j++) {
			const long row = read_at(p, m, t, i - a), column = read_at(p, m, s, j - a);
			if (row >= 0 && column >= 0)
				sum += mat_row(kernel, (size_t)i)[(long)p->head * width + j] *
				       mat_row(p->weights, (size_t)row)[column];
		}
	return fmax(0, sum);
}

static void convoluted(MAKE)
{
	const struct mat kernel = leaf_of(p, m, "conv_weight"), tau = leaf_of(p, m, "tau_v");
	const struct mat more = loop_zero(p->f->a, p->f->n, p->f->n);
	for (size_t t = 0; t < p->f->n && kernel.at; t++)
		for (size_t s = 0; s < p->f->n; s++)
			mat_row(more, t)[s] = pixel(p, m, kernel, t, s) - mat_row(p->weights, t)[s];
	loop_add(p->context, loop_mul(p->f->a, more, p->v));
	if (tau.at)
		scale(p->context, tau.at[p->head]);
}

/* Returns the sum of the bank's functions of t - s, weighted by the query token. */
static double rel_proj(P, size_t t, size_t s)
{
	const struct mat w = leaf_of(p, m, "w"), bank = leaf_of(p, m, "bank");
	const double by = position_of(p, m, t) - position_of(p, m, s);
	const double known = dumped_number(m, "distances");
	double sum = 0;
	if (by < 0 || by >= (known > 0 ? known : p->f->t_max))
		return 0;
	for (size_t i = 0; i < (size_t)dumped_number(m, "basis"); i++) {
		const size_t column = p->head * bank.rows + i;
		double share = leaf_of(p, m, "b").at[column];
		for (size_t j = 0; j < w.rows; j++)
			share += mat_row(p->x, t)[j] * mat_row(w, j)[column];
		sum += share * mat_row(bank, i)[(size_t)by];
	}
	return sum;
}

static double diet_rel(P, size_t t, size_t s)
{
	return *row_of(p, leaf_of(p, m, "r"), p->f->t_max - 1 - distance(p, m, t, s), 1);
}

static double diet_places(P, size_t t, size_t s)
{
	const struct mat p_q = leaf_of(p, m, "p_q"), p_k = leaf_of(p, m, "p_k");
	const size_t copies = dumped_is(m, "share", "head") ? 1 : p->f->heads;
	const size_t rank = p_q.cols / copies;
	const bool units = strcmp(m->scheme, "diet_abslin") != 0;
	return loop_dot(row_of(p, p_q, position_of(p, m, t), rank),
			row_of(p, p_k, units ? position_of(p, m, s) : (double)s, rank), rank);
}

/* Adds the term of the segments of t and s; with segments=0 there is no table. */
static void diet_segments(MAKE)
{
	const struct mat e = leaf_of(p, m, "e_s"), term = loop_zero(p->f->a, p->f->n, p->f->n);
	if (!e.at)
		return;
	const double segments = dumped_number(m, "segments");
	const double *segment = dumped_get(p->f, "position.segment").at;
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t s = 0; s < p->f->n; s++)
			mat_row(term, t)[s] = *row_of(p, e, segment[t] * segments + segment[s], 1);
	recompute_take(p, "E_S", term);
}

/* Returns the number of this head from an MLP with SiLU applied to t - s, or to its signed
 * logarithm. */
static double dpb(P, size_t t, size_t s)
{
	const double by = -distance(p, m, t, s);
	struct mat x = loop_zero(p->f->a, 1, 1);
	x.at[0] = is_on(m, "log_distance") ? copysign(log1p(fabs(by)), by) : by;
	for (int i = 0; i <= (int)dumped_number(m, "depth"); i++) {
		char w[16], b[16];
		snprintf(w, sizeof w, "w%d", i);
		snprintf(b, sizeof b, "b%d", i);
		for (size_t j = 0; i > 0 && j < x.cols; j++)
			x.at[j] *= sigmoid(x.at[j]);
		x = loop_mul(p->f->a, x, leaf_of(p, m, w));
		loop_add(x, leaf_of(p, m, b));
	}
	return x.at[p->head];
}

static double log_spaced(const struct dumped_member *m, double by)
{
	const double trained = dumped_number(m, "pretrained");
	const double window = trained > 0 ? trained : dumped_number(m, "window");
	return copysign(log2(8 * fabs(by) / (window - 1) + 1) / 3, by);
}

/* The cell of a token, in the picture that is rolled by the shift and that windows fill. */
struct swin_cell {
	long y, x, high, wide;
	size_t picture;
};

static struct swin_cell swin_cell(P, size_t t)
{
	const long shift = (long)dumped_number(m, "shift");
	const long h = (long)dumped_number(m, "rows"), w = (long)dumped_number(m, "columns");
	const struct cell own = cell_of(p, m, t);
	long lo = LONG_MAX, hi = LONG_MIN, left = LONG_MAX, right = LONG_MIN;
	for (size_t i = 0; i < p->f->n; i++) {
		const struct cell c = cell_of(p, m, i);
		if (c.picture != own.picture)
			continue;
		lo = (long)fmin((double)lo, c.y);
		hi = (long)fmax((double)hi, c.y);
		left = (long)fmin((double)left, c.x);
		right = (long)fmax((double)right, c.x);
	}
	const long high = (hi - lo + h) / h * h, wide = (right - left + w) / w * w;
	return (struct swin_cell){((long)own.y - lo - shift + high) % high,
				  ((long)own.x - left - shift + wide) % wide, high, wide,
				  own.picture};
}

static bool share_window(P, struct swin_cell a, struct swin_cell b)
{
	const long h = (long)dumped_number(m, "rows"), w = (long)dumped_number(m, "columns");
	(void)p;
	return a.picture > 0 && a.picture == b.picture && a.y / h == b.y / h && a.x / w == b.x / w;
}

static double swin(P, size_t t, size_t s)
{
	const long h = (long)dumped_number(m, "rows"), w = (long)dumped_number(m, "columns");
	const struct swin_cell a = swin_cell(p, m, t), b = swin_cell(p, m, s);
	if (!share_window(p, m, a, b))
		return 0;
	const long row = (a.y - b.y + h - 1) * (2 * w - 1) + a.x - b.x + w - 1;
	return mat_row(leaf_of(p, m, "bias_table"), (size_t)row)[p->head];
}

/* Adds -100 for pairs of a window from different borders, if windows are shifted. */
static void swin_region(MAKE)
{
	const long shift = (long)dumped_number(m, "shift");
	const struct mat mine = loop_zero(p->f->a, p->f->n, p->f->keys);
	if (shift == 0 || !is_on(m, "masked"))
		return;
	for (size_t t = 0; t < mine.rows; t++)
		for (size_t s = 0; s < mine.cols; s++) {
			const struct swin_cell a = swin_cell(p, m, t), b = swin_cell(p, m, s);
			const bool up = (a.y >= a.high - shift) != (b.y >= b.high - shift);
			const bool aside = (a.x >= a.wide - shift) != (b.x >= b.wide - shift);
			if (share_window(p, m, a, b) && (up || aside))
				mat_row(mine, t)[s] = -100;
		}
	recompute_take(p, "region", mine);
}

/* The bias for t - s, or with `grid` for the differences of rows and of columns: of a picture, or of a
 * text whose rows are as wide as the window. */
static double log_cpb(P, size_t t, size_t s)
{
	const struct mat picture = dumped_find(p->f, "position.picture");
	const double w = dumped_number(m, "window"), to = position_of(p, m, t);
	const double from = position_of(p, m, s);
	const bool grid = is_on(m, "grid");
	double rows = floor(to / w) - floor(from / w), cols = to - from - rows * w;
	if (picture.at && grid) {
		const struct cell a = cell_of(p, m, t), b = cell_of(p, m, s);
		rows = a.y - b.y;
		cols = a.x - b.x;
	}
	const double r[2] = {log_spaced(m, grid ? rows : to - from), log_spaced(m, cols)};
	const struct mat w1 = leaf_of(p, m, "w1"), w2 = leaf_of(p, m, "w2");
	double sum = 0;
	for (size_t j = 0; j < w1.cols; j++) {
		double x = leaf_of(p, m, "b1").at[j] + r[0] * mat_row(w1, 0)[j];
		x += grid ? r[1] * mat_row(w1, 1)[j] : 0;
		sum += fmax(0, x) * mat_row(w2, j)[p->head];
	}
	return 16 * sigmoid(sum);
}

static double cpb_content(P, size_t t, size_t s)
{
	const double *q = mat_row(p->q, t), *k = mat_row(p->k, s);
	const size_t n = p->q.cols;
	return exp(fmin(leaf_of(p, m, "logit_scale").at[p->head], log(100))) * loop_dot(q, k, n) /
	       sqrt(loop_dot(q, q, n) * loop_dot(k, k, n));
}

static double graphormer_distance(P, size_t t, size_t s)
{
	const struct mat b = leaf_of(p, m, "b"), node = leaf_of(p, m, "b_vnode");
	const size_t row = (size_t)mat_row(index_of(p, m, "distance"), t)[s];
	return row < b.rows ? mat_row(b, row)[p->head] : node.at ? node.at[p->head] : 0;
}

static double graphormer_edges(P, size_t t, size_t s)
{
	const double at = mat_row(index_of(p, m, "edges"), t)[s];
	return at < 0 ? 0 : mat_row(kept_of(p, m, "edges"), p->head)[(size_t)at];
}

/* Returns the bias; with `reset`, θ_1 for the row of the first position, θ_2 for the rest of its
 * column. */
static double tupe_absolute(P, size_t t, size_t s)
{
	struct mat q = kept_of(p, m, "P V_q"), k = kept_of(p, m, "P V_k");
	if (is_on(m, "reset") && position_of(p, m, t) < 0.5)
		return mat_row(kept_of(p, m, "theta"), 0)[p->head];
	if (is_on(m, "reset") && position_of(p, m, s) < 0.5)
		return mat_row(kept_of(p, m, "theta"), 1)[p->head];
	const size_t before = q.rows - p->f->n, dk = p->f->dk;
	return p->f->c * loop_dot(mat_row(q, before + t) + p->head * dk,
				  mat_row(k, before + s) + p->head * dk, dk);
}

static double tupe_relative(P, size_t t, size_t s)
{
	const double row = mat_row(index_of(p, m, "relative"), t)[s];
	return row < 0 ? 0 : *row_of(p, leaf_of(p, m, "rel_bias"), row, 1);
}

/* Returns the sum of log gates; without the mask, later keys have gates of their own, after those
 * of earlier keys. */
static double fox(P, size_t t, size_t s)
{
	const struct mat w = leaf_of(p, m, "w_f");
	const double from = order_of(p, m, s), to = order_of(p, m, t);
	const bool later = w.cols > p->f->heads && from > to;
	const size_t gate = p->head + (later ? p->f->heads : 0);
	double sum = 0;
	for (size_t r = 0; r < p->f->n; r++) {
		const double at = order_of(p, m, r);
		double z = leaf_of(p, m, "b_f").at[gate];
		for (size_t j = 0; j < w.rows; j++)
			z += mat_row(p->x, r)[j] * mat_row(w, j)[gate];
		if (at > fmin(from, to) && at <= fmax(from, to))
			sum -= softplus(-z) * (to > from || later ? 1 : -1);
	}
	return strcmp(m->scheme, "path") == 0 ? p->f->c * sum : sum;
}

/* Minus the sum of the steps from the one to the other. */
static double cable(P, size_t t, size_t s)
{
	const struct mat w = leaf_of(p, m, "w_f");
	const double from = order_of(p, m, s), to = order_of(p, m, t);
	double sum = 0;
	for (size_t r = 0; r < p->f->n; r++) {
		const double at = order_of(p, m, r);
		double u = leaf_of(p, m, "b_f").at[p->head];
		for (size_t j = 0; j < w.rows; j++)
			u += mat_row(p->x, r)[j] * mat_row(w, j)[p->head];
		if (at > fmin(from, to) && at <= fmax(from, to))
			sum += softplus(u);
	}
	return to > from ? -sum : sum;
}

/* ---- rules ----------------------------------------------------------------------------------- */

const struct rule recompute_distances[] = {
	TERM("cable", "steps", cable),
	TERM("alibi", "distance", alibi),
	TERM("t5", "bias", t5),
	TERM("kerple_log", "distance", kerple_log),
	TERM_IF("kerple_power", "distance", "weight", "none", kerple_power),
	PAIRS("kerple_power", ON_ADJUST, NULL, kerple_weight),
	{"kerple_power", ON_ADJUST, "distance", "weight", "a", kerple_power, NULL},
	{"kerple_power", ON_ADJUST, "distance", "weight", "ap", kerple_power, NULL},
	TERM("sandwich", "distance", sandwich),
	TERM("fire", "f(x)", fire),
	TERM("dpb", "f(t−s)", dpb),
	TERM_IF("swin", "bias", "bias", "true", swin),
	DOES("swin", ON_TERMS, swin_region),
	TERM("log_cpb", "16σ(f(r))", log_cpb),
	{"log_cpb", ON_CONTENT, NULL, NULL, NULL, cpb_content, NULL},
	TERM("dufter_abs", "P", dufter_abs),
	TERM("dufter_rel", "R", dufter_rel),
	DOES_IF("dufter_abs", ON_QK, "temperature", "true", temperatures),
	DOES_IF("dufter_rel", ON_QK, "temperature", "true", temperatures),
	DOES("dufter_abs", ON_CONTEXT, convoluted),
	DOES("dufter_rel", ON_CONTEXT, convoluted),
	TERM("rel_proj", "w·bank", rel_proj),
	TERM("diet_rel", "R", diet_rel),
	DOES("diet_rel", ON_TERMS, diet_segments),
	TERM("diet_abs", "P_Q–P_K", diet_places),
	DOES("diet_abs", ON_TERMS, diet_segments),
	TERM("diet_abslin", "P_Q–P_K", diet_places),
	TERM("graphormer", "distance", graphormer_distance),
	TERM("graphormer", "edges", graphormer_edges),
	TERM("tupe_a", "position–position", tupe_absolute),
	TERM("tupe_r", "position–position", tupe_absolute),
	TERM("tupe_r", "relative", tupe_relative),
	TERM("fox", "forgetting", fox),
	TERM_IF("path", "forgetting", "forget", "true", fox),
	{0},
};
