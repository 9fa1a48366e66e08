/* help_recipes_turns.c: the schemes that rotate, widen or double queries and keys. */

#include "test.h"
#include "help_recipes.h"

/* ---- rotated queries and keys ---------------------------------------------------------------- */

struct mat turned(const struct place *p, struct mat x, struct mat cosine, struct mat sine,
		  bool half)
{
	const struct mat out = loop_copy(p->f->a, x);
	for (size_t t = 0; t < x.rows; t++)
		for (size_t i = 0; i < cosine.cols; i++) {
			const size_t one = half ? i : 2 * i;
			const size_t two = half ? i + cosine.cols : 2 * i + 1;
			const double a = mat_row(x, t)[one], b = mat_row(x, t)[two];
			const double c = mat_row(cosine, t)[i], s = mat_row(sine, t)[i];
			mat_row(out, t)[one] = a * c - b * s;
			mat_row(out, t)[two] = b * c + a * s;
		}
	return out;
}

/* Returns the rate of pair i of D/2, base^(-2i/D), unless it does not rotate; rounded to whole
 * wavelengths. */
static double rate_of(P, size_t i, size_t pairs)
{
	const double wave = 2 * M_PI * pow(dumped_number(m, "base"), (double)i / (double)pairs);
	const bool has_cut = strcmp(m->scheme, "rope") == 0 || strcmp(m->scheme, "hope") == 0;
	const double cut = has_cut ? dumped_number(m, "cut") : 0;
	const bool kept = strcmp(m->scheme, "hope") != 0 && strcmp(m->scheme, "resonance") != 0 &&
			  dumped_is(m, "exponent", "head");
	const double rotating = dumped_number(m, "partial") * (double)p->f->dk / 2;
	if ((cut > 0 && wave > cut) || (kept && (double)i + 1 > rotating + 1e-9))
		return 0;
	const bool whole = strcmp(m->scheme, "prope") != 0 && strcmp(m->scheme, "hope") != 0 &&
			   is_on(m, "round");
	return 2 * M_PI / (whole ? rint(wave) : wave);
}

/* Checks the angles without scaling and on a line. */
static void expect_angles(P, struct mat c, struct mat s)
{
	const struct mat cosine = loop_zero(p->f->a, c.rows, c.cols);
	const struct mat sine = loop_zero(p->f->a, c.rows, c.cols);
	for (size_t t = 0; t < c.rows; t++)
		for (size_t i = 0; i < c.cols; i++) {
			const double by = rate_of(p, m, i, c.cols);
			const double at = position_of(p, m, t) + dumped_number(m, "start");
			mat_row(cosine, t)[i] = cos(at * by);
			mat_row(sine, t)[i] = sin(at * by);
		}
	expect_near(p, cosine, c, "rope's cosines");
	expect_near(p, sine, s, "rope's sines");
}

static void rope(MAKE)
{
	const struct mat c = kept_of(p, m, "cos"), s = kept_of(p, m, "sin");
	const bool half = dumped_is(m, "layout", "half");
	if (!c.at)
		return;
	const bool plain = strcmp(m->scheme, "rope") == 0 && dumped_is(m, "scaling", "none") &&
			   dumped_is(m, "grid", "0") && dumped_is(m, "precision", "exact");
	const bool other = strcmp(m->scheme, "hope") == 0 || strcmp(m->scheme, "resonance") == 0 ||
			   (strcmp(m->scheme, "prope") == 0 && dumped_is(m, "factor", "1"));
	if (plain || other)
		expect_angles(p, m, c, s);
	p->q = turned(p, p->q, c, s, half);
	p->k = turned(p, p->k, c, s, half);
}

/* Checks the angles of cells: half of the pairs rotate by the row, half by the column, each with the
 * frequencies of half a head. */
static void expect_cells(P, struct mat c, struct mat s)
{
	const struct mat cosine = loop_zero(p->f->a, c.rows, c.cols);
	const struct mat sine = loop_zero(p->f->a, c.rows, c.cols);
	const size_t half = c.cols / 2;
	for (size_t t = 0; t < c.rows; t++)
		for (size_t i = 0; i < c.cols; i++) {
			const struct cell cell = cell_of(p, m, t);
			const bool row = (i < half) != dumped_is(m, "first", "columns");
			double y = cell.y + dumped_number(m, "start"),
			       x = cell.x + dumped_number(m, "start");
			if (!dumped_is(m, "coordinates", "index"))
				cell_coordinates(p, m, t, &y, &x);
			const double rate =
				pow(dumped_number(m, "base"), -(double)(i % half) / (double)half);
			const double by = cell.picture ? (row ? y : x) * rate : 0;
			mat_row(cosine, t)[i] = cos(by);
			mat_row(sine, t)[i] = sin(by);
		}
	expect_near(p, cosine, c, "cosines of cells");
	expect_near(p, sine, s, "sines of cells");
}

static void rope_2d(MAKE)
{
	expect_cells(p, m, kept_of(p, m, "cos"), kept_of(p, m, "sin"));
	rope(p, m);
}

/* All frequencies are those of a whole head; of a text the three positions are one. */
static void mrope(MAKE)
{
	static const char *const axes[] = {"temporal", "height", "width"};
	const struct mat c = kept_of(p, m, "cos"), s = kept_of(p, m, "sin");
	const struct mat axis = kept_of(p, m, "axis");
	const struct mat cosine = loop_zero(p->f->a, c.rows, c.cols);
	const struct mat sine = loop_zero(p->f->a, c.rows, c.cols);
	for (size_t t = 0; t < c.rows; t++)
		for (size_t i = 0; i < c.cols; i++) {
			const struct mat three =
				dumped_find(p->f, "position.%s", axes[(size_t)axis.at[i]]);
			const double at = three.at && strcmp(m->pos, "seq") == 0
						  ? three.at[t]
						  : position_of(p, m, t);
			const double by =
				at * pow(dumped_number(m, "base"), -(double)i / (double)c.cols);
			mat_row(cosine, t)[i] = cos(by);
			mat_row(sine, t)[i] = sin(by);
		}
	expect_near(p, cosine, c, "mrope's cosines");
	expect_near(p, sine, s, "mrope's sines");
	p->q = turned(p, p->q, c, s, dumped_is(m, "layout", "half"));
	p->k = turned(p, p->k, c, s, dumped_is(m, "layout", "half"));
}

/* A text fills rows; each pair rotates by the column times one learned rate and the row times
 * another. */
static void rope_mixed(MAKE)
{
	const struct mat rate = leaf_of(p, m, "freqs");
	const size_t h = p->f->heads, pairs = p->f->dk / 2;
	const struct mat c = loop_zero(p->f->a, p->f->n, pairs),
			 s = loop_zero(p->f->a, p->f->n, pairs);
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t i = 0; i < pairs; i++) {
			const struct cell at = cell_of(p, m, t);
			const double by = at.picture ? at.x * mat_row(rate, p->head)[i] +
							       at.y * mat_row(rate, h + p->head)[i]
						     : 0;
			mat_row(c, t)[i] = cos(by);
			mat_row(s, t)[i] = sin(by);
		}
	expect_near(p, c, loop_cols(kept_of(p, m, "cos"), p->head * pairs, pairs),
		    "rope_mixed's cosines");
	p->q = turned(p, p->q, c, s, dumped_is(m, "layout", "half"));
	p->k = turned(p, p->k, c, s, dumped_is(m, "layout", "half"));
}

/* Rotates values, without the factor that sharpens the weights. */
static void rope_values(MAKE)
{
	const struct mat c = kept_of(p, m, "cos"), s = kept_of(p, m, "sin");
	if (!c.at || !is_on(m, "rotary_value"))
		return;
	const double by = hypot(c.at[0], s.at[0]);
	p->v = turned(p, p->v, c, s, dumped_is(m, "layout", "half"));
	for (size_t t = 0; t < p->v.rows; t++)
		for (size_t j = 0; j < 2 * c.cols; j++)
			mat_row(p->v, t)[j] /= by;
}

/* Checks the term temperature: the part of the content that the factor of queries and keys adds to
 * their products. */
static void temperature(MAKE)
{
	const struct mat c = kept_of(p, m, "cos"), s = kept_of(p, m, "sin");
	const double by = c.at ? hypot(c.at[0], s.at[0]) : 1;
	const struct mat file =
		dumped_find(p->f, "layer.%zu.head.%zu.term.temperature", p->step, p->head);
	const struct mat mine = loop_copy(p->f->a, p->content);
	if (2 * c.cols != p->q.cols || fabs(by - 1) < 1e-12) {
		assert_null(file.at);
		return;
	}
	assert_non_null(file.at);
	for (size_t i = 0; i < mine.rows * mine.cols; i++)
		mine.at[i] *= 1 - 1 / (by * by);
	expect_near(p, mine, file, "temperature");
}

/* Checks ζ^e, with e measured from the middle of the positions; interpolation divides positions
 * only in the rotation. */
static void expect_decay(P, const char *of, double sign)
{
	const size_t n = p->f->n, pairs = p->f->dk / 2;
	const struct mat cosine = loop_zero(p->f->a, n, pairs), sine = loop_zero(p->f->a, n, pairs);
	const double gamma = dumped_number(m, "gamma");
	double least = INFINITY, most = -INFINITY;
	for (size_t t = 0; t < n; t++) {
		least = fmin(least, position_of(p, m, t));
		most = fmax(most, position_of(p, m, t));
	}
	const double half = (most - least + 1) / 2;
	const double middle =
		least + (dumped_is(m, "centre", "torchscale") ? ceil(half) : floor(half));
	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < pairs; i++) {
			const double at = position_of(p, m, t), part = (double)i / (double)pairs;
			const double angle = at / dumped_number(m, "interpolation") *
					     pow(dumped_number(m, "base"), -part);
			const double by =
				pow((part + gamma) / (1 + gamma),
				    sign * (at - middle) / dumped_number(m, "scale_base"));
			mat_row(cosine, t)[i] = by * cos(angle);
			mat_row(sine, t)[i] = by * sin(angle);
		}
	char key[16];
	snprintf(key, sizeof key, "%s_cos", of);
	expect_near(p, cosine, kept_of(p, m, key), key);
	snprintf(key, sizeof key, "%s_sin", of);
	expect_near(p, sine, kept_of(p, m, key), key);
}

static void xpos(MAKE)
{
	expect_decay(p, m, "q", 1);
	expect_decay(p, m, "k", -1);
	p->q = turned(p, p->q, kept_of(p, m, "q_cos"), kept_of(p, m, "q_sin"), false);
	p->k = turned(p, p->k, kept_of(p, m, "k_cos"), kept_of(p, m, "k_sin"), false);
}

/* Rotates by the cosines and sines of this head, which are stored for all heads side by side. */
static void turn_by_head(MAKE)
{
	const size_t half = p->f->dk / 2;
	const struct mat c = loop_cols(kept_of(p, m, "cos"), p->head * half, half);
	const struct mat s = loop_cols(kept_of(p, m, "sin"), p->head * half, half);
	p->q = turned(p, p->q, c, s, true);
	p->k = turned(p, p->k, c, s, true);
}

/* Checks the mixtures of sinusoids, weighted by drawn numbers, then rotates by them. */
static void fope(MAKE)
{
	const size_t half = p->f->dk / 2;
	const struct mat c = kept_of(p, m, "c"), s = kept_of(p, m, "s");
	const size_t rates = c.at ? c.rows / p->f->heads : 0, pairs = c.at ? c.cols : 0;
	const struct mat cosine = loop_zero(p->f->a, p->f->n, p->f->heads * half);
	const struct mat sine = loop_zero(p->f->a, p->f->n, p->f->heads * half);
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t i = 0; i < p->f->heads * half; i++) {
			double x = i % half >= pairs, y = i % half >= pairs ? -1 : 0;
			for (size_t d = 0; d < rates && i % half < pairs; d++) {
				const double angle = position_of(p, m, t) *
						     pow(dumped_number(m, "base"),
							 -2 * (double)d / (2 * (double)half));
				x += cos(angle) * mat_row(c, i / half * rates + d)[i % half];
				y -= sin(angle) * mat_row(s, i / half * rates + d)[i % half];
			}
			mat_row(cosine, t)[i] = x;
			mat_row(sine, t)[i] = y;
		}
	expect_near(p, cosine, kept_of(p, m, "cos"), "fope's cosines");
	expect_near(p, sine, kept_of(p, m, "sin"), "fope's sines");
	turn_by_head(p, m);
}

/* Returns the own rotation of column j of this head at t: the last four units, convolved after
 * w_down and w_up. */
static double said(P, struct mat y, size_t t, size_t j)
{
	const struct mat taps = leaf_of(p, m, "conv");
	double sum = 0;
	for (size_t k = 0; k < 4; k++)
		if (t + k >= 3)
			sum += mat_row(taps, k)[j] * mat_row(y, t + k - 3)[j];
	return sum;
}

/* Checks the cosines, for proj=low-rank and positions in order. */
static void selrope(MAKE)
{
	const size_t dk = p->f->dk, half = dk / 2, in = p->f->d / p->f->heads;
	const struct mat x = loop_copy(p->f->a, p->x), down = leaf_of(p, m, "w_down");
	const struct mat c = loop_cols(kept_of(p, m, "cos"), p->head * half, half);
	const struct mat mine = loop_zero(p->f->a, x.rows, half);
	turn_by_head(p, m);
	if (!down.at || is_on(m, "gate"))
		return;
	for (size_t t = 0; t < x.rows; t++)
		for (size_t h = 0; h < p->f->heads; h++) {
			double *own = mat_row(x, t) + h * in;
			const double length = sqrt(loop_dot(own, own, in) + 1e-6);
			for (size_t j = 0; j < in; j++)
				own[j] /= length;
		}
	const struct mat y = loop_mul(p->f->a, loop_mul(p->f->a, x, down), leaf_of(p, m, "w_up"));
	for (size_t i = 0; i < half; i++) {
		const size_t j = p->head * half + i;
		double sum = 0;
		for (size_t t = 0; t < x.rows; t++) {
			sum += said(p, m, y, t, j);
			sum += is_on(m, "bias") ? exp(leaf_of(p, m, "bias").at[j]) : 0;
			mat_row(mine, t)[i] = cos(
				sum * pow(dumped_number(m, "base"), -2 * (double)i / (double)dk));
		}
	}
	expect_near(p, mine, c, "selrope's cosines");
}

static void pope(MAKE)
{
	const size_t dk = p->f->dk, n = p->f->n;
	const struct mat c = kept_of(p, m, "cos"), s = kept_of(p, m, "sin");
	const struct mat q = loop_zero(p->f->a, n, 2 * dk), k = loop_zero(p->f->a, n, 2 * dk);
	for (size_t t = 0; t < n; t++)
		for (size_t j = 0; j < dk; j++) {
			const double delta = fmin(
				fmax(mat_row(leaf_of(p, m, "delta"), p->head)[j], -2 * M_PI), 0);
			const double angle = atan2(mat_row(s, t)[j], mat_row(c, t)[j]) + delta;
			const double x = softplus(mat_row(p->q, t)[j]);
			const double y = softplus(mat_row(p->k, t)[j]);
			mat_row(q, t)[j] = x * mat_row(c, t)[j];
			mat_row(q, t)[dk + j] = x * mat_row(s, t)[j];
			mat_row(k, t)[j] = y * cos(angle);
			mat_row(k, t)[dk + j] = y * sin(angle);
		}
	p->q = q;
	p->k = k;
}

/* ---- stochastic positions -------------------------------------------------------------------- */

/* Returns σ of the gate of feature j, the share common to all positions; 0 without a gate. */
static double gate(P, size_t j)
{
	return is_on(m, "gated") ? sigmoid(mat_row(leaf_of(p, m, "gate"), p->head)[j]) : 0;
}

static struct mat wide(P, struct mat x, bool query)
{
	const size_t dk = p->f->dk, k = (size_t)dumped_number(m, "sines"), n = x.rows;
	const struct mat out = loop_zero(p->f->a, n, (2 * k + is_on(m, "gated")) * dk);
	for (size_t t = 0; t < n; t++)
		for (size_t j = 0; j < dk; j++) {
			const size_t row = p->head * dk + j;
			for (size_t i = 0; i < k; i++) {
				const double f =
					M_PI * sigmoid(mat_row(leaf_of(p, m, "freqs"), row)[i]);
				const double phase =
					f * position_of(p, m, t) +
					(query ? mat_row(leaf_of(p, m, "offsets"), row)[i] : 0);
				const double by =
					softplus(mat_row(leaf_of(p, m, "gains"), row)[i]) *
					(is_on(m, "norm") ? 1 / sqrt(2 * (double)k) : 1) *
					sqrt(1 - gate(p, m, j)) * mat_row(x, t)[j];
				mat_row(out, t)[i * dk + j] = by * cos(phase);
				mat_row(out, t)[(k + i) * dk + j] = by * sin(phase);
			}
			if (is_on(m, "gated"))
				mat_row(out, t)[2 * k * dk + j] =
					mat_row(x, t)[j] * sqrt(gate(p, m, j));
		}
	return out;
}

static void spe_sine(MAKE)
{
	p->q = wide(p, m, p->q, true);
	p->k = wide(p, m, p->k, false);
	const struct mat z = kept_of_head(p, m, "noise");
	const double samples = dumped_number(m, "samples");
	if (samples < 1)
		return;
	p->q = loop_mul(p->f->a, p->q, z);
	p->k = loop_mul(p->f->a, p->k, z);
	for (size_t i = 0; i < p->q.rows * p->q.cols; i++) {
		p->q.at[i] /= sqrt(samples);
		p->k.at[i] /= sqrt(samples);
	}
}

static struct mat coded(P, struct mat x, const char *kernel)
{
	const size_t n = x.rows, dk = p->f->dk, samples = (size_t)dumped_number(m, "samples");
	const struct mat out = loop_zero(p->f->a, n, samples), w = leaf_of(p, m, kernel);
	double least = INFINITY;
	for (size_t t = 0; t < n; t++)
		least = fmin(least, position_of(p, m, t));
	for (size_t j = 0; j < dk; j++) {
		char key[32];
		snprintf(key, sizeof key, "noise.%zu.%zu", p->head, j);
		const struct mat z = kept_of(p, m, key);
		for (size_t t = 0; t < n; t++)
			for (size_t r = 0; r < samples; r++) {
				const size_t from = (size_t)(position_of(p, m, t) - least);
				double sum = 0;
				for (size_t i = 0; i < w.cols; i++)
					sum += mat_row(w, p->head * dk + j)[i] *
					       mat_row(z, from + i)[r];
				sum = sqrt(1 - gate(p, m, j)) * sum +
				      sqrt(gate(p, m, j)) * mat_row(z, z.rows - 1)[r];
				mat_row(out, t)[r] +=
					mat_row(x, t)[j] * sum / sqrt((double)samples);
			}
	}
	return out;
}

static void spe_conv(MAKE)
{
	if (dumped_number(m, "samples") < 1)
		return;
	p->q = coded(p, m, p->q, "conv_k");
	p->k = coded(p, m, p->k, "conv_q");
}

/* Returns c Σ_j q k (g + (1 - g) P - 1), with P the overlap of two filters t - s apart. */
static double spe_noise(P, size_t t, size_t s)
{
	const struct mat f = leaf_of(p, m, "conv_q"), h = leaf_of(p, m, "conv_k");
	const double by = position_of(p, m, t) - position_of(p, m, s);
	double sum = 0;
	for (size_t j = 0; j < p->f->dk; j++) {
		const size_t row = p->head * p->f->dk + j;
		double overlap = 0;
		for (size_t i = 0; i < f.cols; i++) {
			const double other = (double)i + by;
			if (other >= 0 && other < (double)f.cols)
				overlap += mat_row(h, row)[i] * mat_row(f, row)[(size_t)other];
		}
		sum += mat_row(p->q, t)[j] * mat_row(p->k, s)[j] * (1 - gate(p, m, j)) *
		       (overlap - 1);
	}
	return p->f->c * sum;
}

/* ---- complex numbers ------------------------------------------------------------------------- */

static struct mat imaginary(P, const char *weight)
{
	return loop_mul(p->f->a, kept_of(p, m, "input"), weight_of_head(p, weight));
}

/* Checks that before the first layer both parts are the unit's, rotated. */
static void expect_turned(P)
{
	const struct mat u = dumped_get(p->f, "units"), theta = leaf_of(p, m, "theta");
	const struct mat re = loop_zero(p->f->a, u.rows, u.cols);
	const struct mat im = loop_zero(p->f->a, u.rows, u.cols);
	for (size_t t = 0; t < u.rows; t++)
		for (size_t j = 0; j < u.cols; j++) {
			const size_t row = (size_t)kept_of(p, m, "rows").at[t];
			const double at = position_of(p, m, t) + dumped_number(m, "start");
			const double phi = mat_row(leaf_of(p, m, "omega"), row)[j] * at +
					   (theta.at ? mat_row(theta, row)[j] : 0);
			mat_row(re, t)[j] = mat_row(u, t)[j] * cos(phi);
			mat_row(im, t)[j] = mat_row(u, t)[j] * sin(phi);
		}
	expect_near(p, re, p->x, "the real part of X");
	expect_near(p, im, kept_of(p, m, "input"), "the imaginary part of X");
}

static void complex_qk(MAKE)
{
	const size_t dk = p->f->dk;
	const double sign = dumped_is(m, "attention", "hermitian") ? 1 : -1;
	const struct mat q = loop_zero(p->f->a, p->f->n, 2 * dk), q_i = imaginary(p, m, "w_q");
	const struct mat k = loop_zero(p->f->a, p->f->n, 2 * dk), k_i = imaginary(p, m, "w_k");
	if (p->step == 0 && strcmp(p->f->expression, m->scheme) == 0)
		expect_turned(p, m);
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t j = 0; j < dk; j++) {
			mat_row(q, t)[j] = mat_row(p->q_raw, t)[j];
			mat_row(q, t)[dk + j] = sign * mat_row(q_i, t)[j];
			mat_row(k, t)[j] = mat_row(p->k_raw, t)[j];
			mat_row(k, t)[dk + j] = mat_row(k_i, t)[j];
		}
	p->q = q;
	p->k = k;
}

static double imaginary_product(P, size_t t, size_t s)
{
	const struct mat q = imaginary(p, m, "w_q"), k = imaginary(p, m, "w_k");
	return p->f->c * (loop_dot(mat_row(p->q_raw, t), mat_row(k, s), p->f->dk) +
			  loop_dot(mat_row(q, t), mat_row(p->k_raw, s), p->f->dk));
}

static double modulus(P, size_t t, size_t s)
{
	return hypot(mat_row(p->logits, t)[s], imaginary_product(p, m, t, s));
}

static void split_context(MAKE)
{
	const struct mat logits = loop_copy(p->f->a, p->logits), v = imaginary(p, m, "w_v");
	for (size_t t = 0; t < p->f->n; t++)
		for (size_t s = 0; s < p->f->n; s++)
			mat_row(logits, t)[s] +=
				imaginary_product(p, m, t, s) - mat_row(p->content, t)[s];
	const struct mat beta = recompute_softmax(p->f->a, logits, p->mask);
	const struct mat other = loop_mul(p->f->a, beta, v);
	for (size_t i = 0; i < p->context.rows * p->context.cols; i++)
		p->context.at[i] -= other.at[i];
}

/* ---- rules ----------------------------------------------------------------------------------- */

#define ROPE(scheme)                                                      \
	{scheme, ON_QK, NULL, NULL, NULL, NULL, rope},                    \
	{                                                                 \
		scheme, ON_VALUES_IN, NULL, NULL, NULL, NULL, rope_values \
	}

const struct rule recompute_turns[] = {
	ROPE("rope"),
	DOES("rope_2d", ON_QK, rope_2d),
	DOES("rope_2d", ON_VALUES_IN, rope_values),
	ROPE("prope"),
	ROPE("hope"),
	ROPE("resonance"),
	ROPE("rope_pi"),
	ROPE("rope_ntk"),
	ROPE("rope_dyn"),
	ROPE("rope_yarn"),
	ROPE("rope_llama3"),
	ROPE("rope_long"),
	DOES("mrope", ON_QK, mrope),
	DOES("rope_mixed", ON_QK, rope_mixed),
	DOES("rope", ON_TERMS, temperature),
	DOES("rope_yarn", ON_TERMS, temperature),
	DOES("rope_long", ON_TERMS, temperature),
	DOES("xpos", ON_QK, xpos),
	DOES("fope", ON_QK, fope),
	DOES("selrope", ON_QK, selrope),
	DOES("pope", ON_QK, pope),
	DOES("spe_sine", ON_QK, spe_sine),
	DOES("spe_conv", ON_QK, spe_conv),
	PAIRS_IF("spe_conv", ON_ADJUST, "noise − 1", "samples", "0", spe_noise),
	DOES("complex", ON_QK, complex_qk),
	PAIRS_IF("complex", ON_ADJUST, NULL, "attention", "code", modulus),
	DOES_IF("complex", ON_CONTEXT, "attention", "split", split_context),
	{0},
};
