/* test_memory.c: a memory in front: all units under a mask give what a cache gives.
 *
 * Each layer is computed once more here, by its definition and unit by unit, in two passes: the first
 * segment alone, then the second with the first one's layer inputs as they were kept. And position ids:
 * what they change, and what they leave. */

#include <math.h>
#include <string.h>

#include "test.h"
#include "help_scheme.h"

enum { MEMORY = 5, NOW = 7, N = MEMORY + NOW };

/* ---- the definition ---------------------------------------------------------------------------- */

struct definition {
	const struct help_run *r;
	bool txl, causal; /* else shortformer */
	double clamp;
	struct arena *a;
};

static struct mat weight(const struct definition *d, size_t layer, const char *name)
{
	const struct trace_layer *at = &d->r->trace.layers[layer];
	for (size_t i = 0; i < at->n_weights; i++)
		if (strcmp(at->weights[i].name, name) == 0)
			return at->weights[i].at;
	fail_msg("no %s", name);
	return (struct mat){0};
}

static struct mat leaf(const struct definition *d, const char *base, size_t layer)
{
	const struct leaf *l = model_find_leaf(&d->r->model, &d->r->model.members[0], base, layer);
	assert_non_null(l);
	return l->at;
}

static struct mat product(const struct definition *d, struct mat x, struct mat w)
{
	const struct mat out = mat_zero(d->a, x.rows, w.cols);
	for (size_t i = 0; i < x.rows; i++)
		for (size_t k = 0; k < x.cols; k++)
			for (size_t j = 0; j < w.cols; j++)
				mat_row(out, i)[j] += mat_row(x, i)[k] * mat_row(w, k)[j];
	return out;
}

static struct mat normalised(const struct definition *d, struct mat x, struct mat y)
{
	const struct mat out = mat_new(d->a, x.rows, x.cols);
	const double n = (double)x.cols;
	for (size_t i = 0; i < x.rows; i++) {
		double mean = 0, square = 0;
		for (size_t j = 0; j < x.cols; j++)
			mean += (mat_row(x, i)[j] + mat_row(y, i)[j]) / n;
		for (size_t j = 0; j < x.cols; j++)
			square += pow(mat_row(x, i)[j] + mat_row(y, i)[j] - mean, 2) / n;
		for (size_t j = 0; j < x.cols; j++)
			mat_row(out, i)[j] = (mat_row(x, i)[j] + mat_row(y, i)[j] - mean) /
					     sqrt(square + d->r->config.norm_eps);
	}
	return out;
}

/* Dai et al. 2019, appendix: R_δ = [sin δω, cos δω], ω_j = 10000^(-2j/d); the position term of head h is
 * (q + e)·(R_{t-s} W_R), beside (q + b)·k. */
static double txl_logit(const struct definition *d, size_t layer, size_t head, const double *q,
			const double *k, double delta)
{
	const size_t dk = d->r->model.dk, width = d->r->config.d;
	const double *const b = mat_row(leaf(d, "r_w_bias", layer), head);
	const double *const e = mat_row(leaf(d, "r_r_bias", layer), head);
	const struct mat w = leaf(d, "w_r", layer);
	const double at = d->clamp > 0 ? fmax(-d->clamp, fmin(d->clamp, delta)) : delta;
	double sum = 0;
	for (size_t i = 0; i < dk; i++) {
		double r = 0;
		for (size_t j = 0; j < width; j++) {
			const size_t wave = j % (width / 2);
			const double x = at * pow(10000, -2 * (double)wave / (double)width);
			r += (j < width / 2 ? sin(x) : cos(x)) * mat_row(w, j)[head * dk + i];
		}
		sum += (q[i] + b[i]) * k[i] + (q[i] + e[i]) * r;
	}
	return sum / sqrt((double)dk);
}

/* Press et al. 2021: X + P for queries and keys alone; fairseq's P counts from 2. */
static struct mat with_positions(const struct definition *d, struct mat x, size_t first)
{
	const struct mat out = mat_copy(d->a, x);
	const size_t half = x.cols / 2;
	for (size_t i = 0; i < x.rows && !d->txl; i++)
		for (size_t j = 0; j < half; j++) {
			const double w = pow(10000, -(double)j / ((double)half - 1));
			const double at = (double)(first + i + 2) * w;
			mat_row(out, i)[j] += sin(at);
			mat_row(out, i)[half + j] += cos(at);
		}
	return out;
}

/* One layer of the units x, whose first is number `first`, with `kept` in front of them. */
static struct mat layer_of(const struct definition *d, size_t layer, struct mat kept, struct mat x)
{
	const size_t first = kept.rows, keys = first + x.rows, dk = d->r->model.dk;
	const struct mat all = mat_new(d->a, keys, x.cols);
	if (first > 0)
		mat_set(mat_rows(all, 0, first), kept);
	mat_set(mat_rows(all, first, x.rows), x);
	const struct mat q = product(d, with_positions(d, x, first), weight(d, layer, "w_q"));
	const struct mat k = product(d, with_positions(d, all, 0), weight(d, layer, "w_k"));
	const struct mat v = product(d, all, weight(d, layer, "w_v"));
	const struct mat context = mat_zero(d->a, x.rows, x.cols);
	for (size_t head = 0; head < d->r->config.heads; head++)
		for (size_t t = 0; t < x.rows; t++) {
			const size_t seen = d->causal ? first + t + 1 : keys;
			double logit[N], sum = 0;
			for (size_t s = 0; s < seen; s++) {
				const double *const qt = mat_row(q, t) + head * dk;
				const double *const ks = mat_row(k, s) + head * dk;
				double dot = 0;
				for (size_t i = 0; i < dk; i++)
					dot += qt[i] * ks[i];
				logit[s] = d->txl ? txl_logit(d, layer, head, qt, ks,
							      (double)(first + t) - (double)s)
						  : dot / sqrt((double)dk);
				sum += exp(logit[s]);
			}
			for (size_t s = 0; s < seen; s++)
				for (size_t i = head * dk; i < (head + 1) * dk; i++)
					mat_row(context, t)[i] +=
						exp(logit[s]) / sum * mat_row(v, s)[i];
		}
	const struct mat o = normalised(d, context, x);
	const struct mat hidden = product(d, o, weight(d, layer, "w_ff1"));
	for (size_t i = 0; i < hidden.rows * hidden.cols; i++)
		hidden.at[i] = fmax(0, hidden.at[i]);
	return normalised(d, product(d, hidden, weight(d, layer, "w_ff2")), o);
}

/* ---- against the model ------------------------------------------------------------------------- */

static void with_memory(struct help_run *r)
{
	r->config.proj = PROJ_RANDOM;
	r->in.memory = MEMORY;
	r->want.kinds = WANT_INPUT | WANT_OUTPUT | WANT_LOGITS | WANT_WEIGHTS | WANT_MASK;
}

static void check_definition(const char *expression, bool txl, bool causal, double clamp)
{
	static const struct mat none = {0};
	struct help_run r;
	help_run_must_open(&r, expression, N, 0, with_memory);
	const struct definition d = {&r, txl, causal, clamp, &r.arena};
	assert_int_equal(r.trace.memory, MEMORY);
	assert_int_equal(r.trace.query.n, NOW);
	assert_int_equal(r.trace.key.n, N);
	struct mat then = mat_rows(r.in.units, 0, MEMORY), now = mat_rows(r.in.units, MEMORY, NOW);
	for (size_t l = 0; l < r.trace.n_layers; l++) {
		const struct trace_layer *got = &r.trace.layers[l];
		assert_int_equal(got->heads[0].weights.rows, NOW);
		assert_int_equal(got->heads[0].weights.cols, N);
		assert_true(mat_max_abs_diff(mat_rows(got->input, 0, MEMORY), then) < 1e-12);
		now = layer_of(&d, l, then, now);
		then = layer_of(&d, l, none, then);
		assert_true(mat_max_abs_diff(got->output, now) < 1e-12);
	}
	help_run_close(&r);
}

TEST(transformer_xl_is_computed_as_with_a_cache)
{
	check_definition("txl", true, true, 0);
	check_definition("txl(clamp=9)", true, true, 9);
	check_definition("txl(clamp=3,untie=on)", true, true, 3);
}

TEST(xlnet_looks_ahead_in_its_segment_alone)
{
	check_definition("xlnet", true, false, 0);
}

TEST(shortformer_keeps_units_without_positions)
{
	check_definition("shortformer", false, false, 0);
	check_definition("shortformer+causal", false, true, 0);
}

/* The rows that are left out are those of the memory alone: the rest is that of the mask. */
TEST(a_causal_model_is_the_same_without_the_rows)
{
	static const char *const expressions[] = {"rope+causal", "alibi", "t5+causal", "fox"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		struct help_run r;
		help_run_must_open(&r, expressions[i], N, 0, with_memory);
		r.in.memory = 0;
		const struct trace *all = help_again(&r, expressions[i], NULL);
		for (size_t h = 0; h < r.config.heads; h++) {
			const struct mat want = all->layers[1].heads[h].weights;
			const struct trace_head *got = &r.trace.layers[1].heads[h];
			assert_true(mat_max_abs_diff(mat_rows(want, MEMORY, NOW), got->weights) <
				    1e-12);
			assert_memory_equal(got->mask, all->layers[1].heads[h].mask + MEMORY * N,
					    NOW * N);
		}
		help_run_close(&r);
	}
}

TEST(what_cannot_be_kept_is_refused)
{
	static const struct {
		const char *expression, *says;
	} rows[] = {
		{"gru",
		 "with gru what stands behind the memory is made of it by more than attention"},
		{"gru(layers=2)+txl", "is made of it by more than attention (layer 2)"},
		{"dufter_rel(conv=3,layers=2)", "is made of it by more than attention (layer 2)"},
		{"ut(halt=global)", "is made of it by more than attention (layer 2)"},
		{"lstm", "with lstm a memory would change with what stands behind it (layer 1)"},
		{"cnn", "with cnn a memory would change"},
		{"ldpe", "with ldpe a memory would change"},
		{"cape", "with cape a memory would change"},
		{"graphormer", "graphormer puts tokens among those of the text"},
		{"diet_abslin", "there are 4 keys for 12 tokens"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct help_run r;
		assert_false(help_run_open(&r, rows[i].expression, N, 0, with_memory));
		if (!strstr(r.err.text, rows[i].says) || strncmp(r.err.text, "memory-tokens: ", 15))
			fail_msg("%s: %s", rows[i].expression, r.err.text);
		help_run_close(&r);
	}
}

/* ---- position ids ------------------------------------------------------------------------------ */

static const double packed[] = {0, 1, 2, 3, 0, 1, 2};
enum { PACKED = 7 };

static void with_ids(struct help_run *r)
{
	r->in.position = packed;
	r->want.kinds = WANT_BIAS | WANT_MASK | WANT_OUTPUT | WANT_POSITION;
}

/* Of a text nothing is turned round by them: what is masked, and what a network reads first. */
TEST(position_ids_are_no_order)
{
	static const char *const masks[] = {"rope+causal",	   "alibi", "txl",
					    "disan(mask=forward)", "cope",  "stickbreak"};
	static const char *const networks[] = {"gru", "lstm", "cnn", "fox", "stickbreak", "ort"};
	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		struct help_run r;
		help_run_must_open(&r, masks[i], PACKED, 0, with_ids);
		const uint8_t *const with = r.trace.layers[0].heads[0].mask;
		r.in.position = NULL;
		const struct trace *without = help_again(&r, masks[i], NULL);
		assert_memory_equal(with, without->layers[0].heads[0].mask, PACKED * PACKED);
		help_run_close(&r);
	}
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		struct help_run r;
		help_run_must_open(&r, networks[i], PACKED, 0, with_ids);
		r.in.position = NULL;
		const struct trace *without = help_again(&r, networks[i], NULL);
		assert_true(help_output_apart(&r.trace, without, 1) < 1e-12);
		help_run_close(&r);
	}
}

/* The bias of ALiBi (Press et al. 2022) is the slope 2^(-8/h) times the distance of positions. */
TEST(position_ids_are_what_a_bias_counts)
{
	struct help_run r;
	help_run_must_open(&r, "alibi(causal=off)", PACKED, 0, with_ids);
	const struct mat bias = r.trace.layers[0].heads[0].bias;
	const double slope = pow(2, -8.0 / (double)r.config.heads);
	for (size_t t = 0; t < PACKED; t++)
		for (size_t s = 0; s < PACKED; s++)
			assert_true(fabs(mat_row(bias, t)[s] +
					 slope * fabs(packed[s] - packed[t])) < 1e-12);
	help_run_close(&r);
}
