/* layers_probe.c: probes on the rows after each layer; see layers.h. */
#include <math.h>
#include <string.h>

#include "layers_in.h"
#include "posviz/math/machine.h"

/* ---- targets ----------------------------------------------------------------------------------- */

static void make_targets(uint64_t seed, const struct layers_rows *rows, struct arena *a,
			 struct layers_targets *out)
{
	const size_t n = rows->n, units = rows->units;
	size_t *const fold = arena_calloc(a, n + 1, sizeof *fold);
	out->target = mat_new(a, 2, n);
	for (size_t k = 0; k < rows->sentences; k++) {
		const size_t *const from = measure_shuffle(seed, "layers.shuffled", k, units, 0, a);
		for (size_t i = 0; i < units; i++) {
			const size_t at = k * units + i;
			fold[at] = k % RIDGE_FOLDS;
			mat_row(out->target, 0)[at] = rows->target[at];
			mat_row(out->target, 1)[at] = rows->target[k * units + from[i]];
		}
	}
	out->fold = fold; /* there are as many pairs as rows */
}

/* Draws, for each sentence, as many pairs of two tokens as it has tokens; a pair may be
 * repeated. */
static void draw_pairs(uint64_t seed, const struct layers_rows *rows, struct arena *a,
		       struct layers_targets *out)
{
	const size_t n = rows->n, units = rows->units;
	struct rng rng;
	rng_init_name(&rng, seed, "layers.pair");
	out->pairs = arena_calloc(a, n + 1, sizeof *out->pairs);
	out->pair_target = mat_new(a, 2, n);
	for (size_t i = 0; i < n; i++) {
		const size_t first = i / units * units, t = rng_below(&rng, units),
			     s = rng_below(&rng, units - 1);
		out->pairs[i][0] = first + t;
		out->pairs[i][1] = first + s + (s >= t);
		for (size_t k = 0; k < 2; k++)
			mat_row(out->pair_target, k)[i] =
				mat_row(out->target, k)[out->pairs[i][1]] -
				mat_row(out->target, k)[out->pairs[i][0]];
	}
}

void layers_make_targets(uint64_t seed, const struct layers_rows *rows, struct arena *a,
			 struct layers_targets *out)
{
	make_targets(seed, rows, a, out);
	draw_pairs(seed, rows, a, out);
}

/* ---- probes ------------------------------------------------------------------------------------ */

/* Returns the rows h_s − h_t of the pairs. */
static struct mat differences(const struct layers_targets *m, struct mat h, struct arena *a)
{
	const struct mat out = mat_new(a, h.rows, h.cols);
	for (size_t i = 0; i < h.rows; i++) {
		const double *const t = mat_row(h, m->pairs[i][0]), *const s = mat_row(
									    h, m->pairs[i][1]);
		for (size_t k = 0; k < h.cols; k++)
			mat_row(out, i)[k] = s[k] - t[k];
	}
	return out;
}

static void keep_alphas(const struct layers_probing *p, const struct ridge found[2])
{
	for (size_t k = 0; k < 2; k++)
		memcpy(mat_row(p->keep->alphas, k), found[k].alpha, sizeof found[k].alpha);
}

/* Runs one probe: even numbers are absolute, odd ones relative. */
static void probe_layer(void *context, size_t i, size_t worker)
{
	(void)worker;
	const struct layers_probing *const p = context;
	const struct layers_targets *const t = p->targets;
	const size_t layer = i / 2, targets = p->shuffled ? 2 : 1;
	const bool relative = i % 2 == 1, kept = p->keep && !relative && layer == p->rows->layers;
	struct ridge found[2];
	struct arena a;
	struct err err = {""};
	if (layers_same_before(p, layer))
		return;
	arena_init(&a);
	const struct mat h = p->rows->at[layer];
	const struct ridge_of of = {
		.x = relative ? differences(t, h, &a) : h,
		.y = mat_rows(relative ? t->pair_target : t->target, 0, targets),
		.fold = t->fold,
		.intercept = !relative,
		.watch = p->watch};
	ridge_judge(&of, kept ? p->keep->predicted : (struct mat){0}, found, &err);
	(relative ? p->way->relative : p->way->absolute)[layer] = found[0].r2;
	if (p->shuffled)
		(relative ? p->shuffled->relative : p->shuffled->absolute)[layer] = found[1].r2;
	if (kept)
		keep_alphas(p, found);
	watch_did(p->watch, p->heads);
	arena_release(&a);
}

void layers_probe(struct layers_probing *p)
{
	for (size_t l = 0; l <= p->rows->layers; l++)
		if (layers_same_before(p, l)) {
			p->way->absolute[l] = p->before->absolute[l];
			p->way->relative[l] = p->before->relative[l];
			watch_did(p->watch, 2 * p->heads);
		}
	machine_parallel(2 * (p->rows->layers + 1), probe_layer, p);
}

/* ---- what does not change ---------------------------------------------------------------------- */

/* FNV-1a of numbers instead of bytes. */
void layers_sum(const struct layers_rows *rows, uint64_t *out)
{
	for (size_t l = 0; l <= rows->layers; l++) {
		const struct mat m = rows->at[l];
		out[l] = 0xcbf29ce484222325;
		for (size_t i = 0; i < m.rows * m.cols; i++) {
			uint64_t bits;
			memcpy(&bits, m.at + i, sizeof bits);
			out[l] = (out[l] ^ bits) * 0x100000001b3;
			out[l] ^= out[l] >> 29;
		}
	}
}

bool layers_same_before(const struct layers_probing *p, size_t layer)
{
	return p->before && (layer == 0 ||
			     (layer <= p->before->layers && p->sum[layer] == p->sum_before[layer]));
}

/* ---- cosines ----------------------------------------------------------------------------------- */

static double mean_cosine(struct mat x, struct mat y)
{
	double sum = 0, n = 0;
	for (size_t i = 0; i < x.rows; i++) {
		double xx = 0, yy = 0, xy = 0;
		for (size_t k = 0; k < x.cols; k++) {
			const double u = mat_row(x, i)[k], v = mat_row(y, i)[k];
			xx += u * u;
			yy += v * v;
			xy += u * v;
		}
		sum += xx > 0 && yy > 0 ? xy / sqrt(xx) / sqrt(yy) : 0;
		n += xx > 0 && yy > 0;
	}
	return n > 0 ? fmax(-1, fmin(1, sum / n)) : NAN;
}

struct mat layers_cosines(const struct layers_rows *rows, struct arena *a)
{
	const size_t n = rows->layers + 1;
	const struct mat out = mat_new(a, n, n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k <= i; k++)
			mat_row(out, i)[k] = mat_row(out, k)[i] =
				mean_cosine(rows->at[i], rows->at[k]);
	return out;
}
