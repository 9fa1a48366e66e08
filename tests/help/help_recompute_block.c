/* help_recompute_block.c: recomputes the part of a step after its heads: projection, norms,
 * feed-forward block, and the members that change the outputs. */

#include <math.h>
#include <string.h>

#include "test.h"
#include "help_recompute.h"

static void normalise(const struct dumped *f, size_t l, struct mat x, int which)
{
	const struct mat weight = dumped_find(f, "layer.%zu.ln%d_weight", l, which);
	const struct mat bias = dumped_find(f, "layer.%zu.ln%d_bias", l, which);
	for (size_t t = 0; t < x.rows; t++) {
		double *row = mat_row(x, t), mean = 0, variance = 0;
		for (size_t j = 0; j < x.cols; j++)
			mean += row[j] / (double)x.cols;
		for (size_t j = 0; j < x.cols; j++)
			variance += (row[j] - mean) * (row[j] - mean) / (double)x.cols;
		for (size_t j = 0; j < x.cols; j++)
			row[j] = (row[j] - mean) / sqrt(variance + f->eps) *
					 (weight.at ? weight.at[j] : 1) +
				 (bias.at ? bias.at[j] : 0);
	}
}

static void activate(const struct dumped *f, struct mat x)
{
	for (size_t i = 0; i < x.rows * x.cols; i++)
		x.at[i] = f->gelu ? x.at[i] * (1 + erf(x.at[i] / sqrt(2))) / 2 : fmax(x.at[i], 0);
}

static struct mat linear(const struct dumped *f, struct mat x, struct mat w, struct mat b)
{
	const struct mat out = loop_mul(f->a, x, w);
	if (b.at)
		loop_add(out, b);
	return out;
}

/* Convolves: tap j of the kernel reads the unit j - r positions further, in the order of the
 * column. */
static struct mat convolve(const struct dumped *f, const struct dumped_member *m, struct mat x,
			   struct mat kernel, struct mat bias)
{
	const struct mat out = loop_zero(f->a, x.rows, kernel.cols);
	const struct mat at = dumped_get(f, "position.%s", m->pos);
	const double r = floor(dumped_number(m, "width") / 2);
	for (size_t t = 0; t < x.rows; t++)
		for (size_t s = 0; s < x.rows; s++) {
			const double by = at.at[s] - at.at[t]; /* positions are consecutive here */
			for (size_t i = 0; fabs(by) <= r && i < x.cols; i++)
				for (size_t j = 0; j < out.cols; j++)
					mat_row(out, t)[j] +=
						mat_row(x, s)[i] *
						mat_row(kernel, (size_t)(by + r) * x.cols + i)[j];
		}
	loop_add(out, bias);
	return out;
}

static struct mat feed_forward(const struct dumped *f, size_t l, struct mat o)
{
	const long layer = dumped_step(f, l, "layer");
	for (size_t i = 0; i < f->n_members; i++) {
		const struct dumped_member *m = &f->members[i];
		if (strcmp(m->scheme, "ort") != 0 || !dumped_acts(m, "layers", (size_t)layer))
			continue;
		const struct mat x =
			convolve(f, m, o, dumped_get(f, "param.%s.kernel_1.%ld", m->name, layer),
				 dumped_get(f, "param.%s.bias_1.%ld", m->name, layer));
		activate(f, x);
		return convolve(f, m, x, dumped_get(f, "param.%s.kernel_2.%ld", m->name, layer),
				dumped_get(f, "param.%s.bias_2.%ld", m->name, layer));
	}
	const struct mat x = linear(f, o, dumped_get(f, "layer.%zu.w_ff1", l),
				    dumped_find(f, "layer.%zu.b_ff1", l));
	activate(f, x);
	return linear(f, x, dumped_get(f, "layer.%zu.w_ff2", l),
		      dumped_find(f, "layer.%zu.b_ff2", l));
}

struct mat recompute_block(const struct dumped *f, size_t l, struct mat context,
			   struct mat residual)
{
	const struct mat w = dumped_find(f, "layer.%zu.w_o", l);
	const struct mat bias = dumped_find(f, "layer.%zu.b_o", l);
	const struct mat o = w.at ? linear(f, context, w, bias) : loop_copy(f->a, context);
	if (!w.at && bias.at)
		loop_add(o, bias);
	loop_add(o, residual);
	normalise(f, l, o, 1);
	const struct mat out = feed_forward(f, l, o);
	loop_add(out, o);
	normalise(f, l, out, 2);
	return out;
}

static struct mat block_of(const struct dumped *f, size_t l)
{
	const size_t n = f->n - f->memory;
	const struct mat context = loop_zero(f->a, n, f->heads * f->dv);
	struct mat residual = dumped_find(f, "layer.%zu.residual", l);
	for (size_t h = 0; h < f->heads; h++) {
		const struct mat own = dumped_get(f, "layer.%zu.head.%zu.context", l, h);
		for (size_t t = 0; t < n; t++)
			for (size_t j = 0; j < f->dv; j++)
				mat_row(context, t)[h * f->dv + j] = mat_row(own, t)[j];
	}
	if (!residual.at)
		residual = dumped_get(f, "layer.%zu.input", l);
	if (residual.rows == f->n) /* not if it is one row for all */
		residual = loop_behind(residual, f->memory);
	return recompute_block(f, l, context, residual);
}

/* Returns the member that replaces the steps' outputs, which it does in the last step; else
 * NULL. */
static const struct dumped_member *halting(const struct dumped *f, size_t l)
{
	for (size_t i = 0; i < f->n_members && l + 1 == f->steps; i++)
		if (strcmp(f->members[i].scheme, "ut") == 0 &&
		    !dumped_is(&f->members[i], "halt", "off"))
			return &f->members[i];
	return NULL;
}

/* Computes sigmoid(x w + b) for each token, or their mean for all tokens. */
static void halting_chances(const struct dumped *f, const struct dumped_member *m, size_t l,
			    double *p)
{
	const struct mat x = dumped_get(f, "layer.%zu.input", l);
	const struct mat w = dumped_get(f, "param.%s.w_halt", m->name);
	const double b = dumped_get(f, "param.%s.b_halt", m->name).at[0];
	double mean = 0;
	for (size_t t = 0; t < f->n; t++) {
		p[t] = 1 / (1 + exp(-b - loop_dot(mat_row(x, t), w.at, f->d)));
		mean += p[t] / (double)f->n;
	}
	for (size_t t = 0; t < f->n && dumped_is(m, "halt", "global"); t++)
		p[t] = mean;
}

/* Returns the output by Dehghani et al., appendix: a token continues until its halting
 * probabilities sum to more than 1 - epsilon. */
static struct mat halted(const struct dumped *f, const struct dumped_member *m)
{
	const size_t n = f->n - f->memory;
	const struct mat state = loop_zero(f->a, n, f->d);
	double *const sum = loop_zero(f->a, 1, f->n).at, *const p = loop_zero(f->a, 1, f->n).at;
	for (size_t l = 0; l < f->steps; l++) {
		const struct mat y =
			l + 1 < f->steps ? dumped_get(f, "layer.%zu.output", l) : block_of(f, l);
		if (!dumped_acts(m, "layers", (size_t)dumped_step(f, l, "layer")))
			continue;
		halting_chances(f, m, l, p);
		for (size_t t = 0; t < n; t++) {
			const double chance = p[f->memory + t];
			const bool ends = sum[t] + chance > 1 - dumped_number(m, "epsilon");
			const double w = ends ? 1 - sum[t] : chance;
			const double keep = dumped_is(m, "halt", "accumulated") ? 1 : 1 - w;
			for (size_t j = 0; j < f->d; j++) {
				double *const s = &mat_row(state, t)[j];
				*s = keep * *s + w * mat_row(y, t)[j];
			}
			/* A token that ends has probability 0 from then on. */
			sum[t] = ends ? 1 : sum[t] + chance;
		}
	}
	return state;
}

struct mat recompute_output(const struct dumped *f, size_t l)
{
	const struct dumped_member *m = halting(f, l);
	return m ? halted(f, m) : block_of(f, l);
}
