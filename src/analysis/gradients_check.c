/* gradients_check.c: Theorem 2 of Chen et al. 2021, where it applies and where it does not.
 *
 * "The gradients are same for X and P" for L = ℓ(g(X + P), y): for schemes that only add vectors
 * to the token vectors. If these are scaled first, or positions have columns of their own,
 * multiply the token vectors, enter only queries and keys or are added again in every layer, the
 * gradients differ. With a batch ∂L/∂P is a sum over its sentences; here there is one. */
#include <math.h>
#include <string.h>

#include "analysis_in.h"
#include "posviz/analysis/gradients.h"
#include "posviz/base/rng.h"
#include "posviz/model/record.h"

static const double step = 1e-5, tolerance = 1e-6;

/* ---- conditions of the theorem
 * ------------------------------------------------------------------ */

static bool scales_units(const struct member *m)
{
	return m->scheme && scheme_param(m->scheme, "scale_emb", strlen("scale_emb")) &&
	       scheme_value(m->scheme, m->param, NULL, "scale_emb") > 0;
}

bool gradients_theorem_says(const struct built *b)
{
	bool adds = false;
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		const struct hooks *const h = m->hooks;
		if ((h->embed && (h->recurring || h->nonlinear)) || h->beside || scales_units(m))
			return false;
		adds |= h->embed != NULL;
	}
	return adds && !(fabs(b->model.config.embed_scale - 1) > 0);
}

/* ---- both gradients -------------------------------------------------------------------------- */

struct loss {
	const struct built *b;
	struct watch *watch;
	struct mat weights; /* L = Σ weights · output */
};

static double loss_of(const struct loss *l, struct mat output)
{
	double sum = 0;
	for (size_t t = 0; t < output.rows; t++)
		for (size_t j = 0; j < output.cols; j++)
			sum += mat_row(l->weights, t)[j] * mat_row(output, t)[j];
	return sum;
}

static bool loss_at(const struct loss *l, struct mat nudge, double *out, struct err *err)
{
	const struct want want = {.kinds = WANT_OUTPUT, .layer = -1, .head = -1};
	struct model_input in = l->b->model_input;
	struct arena a;
	struct trace trace;
	arena_init(&a);
	in.nudge = nudge;
	const bool ok = built_run(l->b, &in, &want, NULL, l->watch, &a, &trace, err);
	if (ok)
		*out = loss_of(l, trace.layers[trace.n_layers - 1].output);
	arena_release(&a);
	return ok;
}

/* Computes ∂L/∂P entry by entry. */
static bool differentiate(const struct loss *l, struct mat out, struct arena *a, struct err *err)
{
	const struct mat nudge = mat_zero(a, out.rows, out.cols);
	for (size_t t = 0; t < out.rows; t++)
		for (size_t j = 0; j < out.cols; j++) {
			double *const at = &mat_row(nudge, t)[j], more, less;
			*at = step;
			if (!loss_at(l, nudge, &more, err))
				return false;
			*at = -step;
			if (!loss_at(l, nudge, &less, err))
				return false;
			*at = 0;
			mat_row(out, t)[j] = (more - less) / (2 * step);
		}
	return true;
}

static double largest(struct mat m)
{
	double lo = 0, hi = 0;
	mat_range(m, &lo, &hi);
	return fmax(fabs(lo), fabs(hi));
}

/* Pads position vectors that have columns of their own with zeros in the other columns. */
static struct mat pad_columns(struct mat p, size_t cols, struct arena *a)
{
	const struct mat out = mat_zero(a, p.rows, cols);
	mat_set(mat_cols(out, cols - p.cols, p.cols), p);
	return out;
}

bool gradients_theorem2(const struct built *b, struct watch *watch, struct arena *a,
			struct theorem2 *out, struct err *err)
{
	const struct record all = {.step = -1, .head = -1, .inputs = true, .watch = watch};
	struct loss l = {b, watch, {0}};
	struct tape tape;
	struct run *run;
	struct rng rng;
	*out = (struct theorem2){.says = gradients_theorem_says(b)};
	tape_init(&tape, a, true);
	if (!model_record_part(&b->model, &b->model_input, &all, &tape, &run, err))
		return false;
	struct node *const output = run_output_node(run);
	const struct node *const unit = run_unit_node(run), *const position =
								    run_position_node(run);
	if (!position || unit->v.rows != position->v.rows)
		return true;
	l.weights = mat_new(a, output->v.rows, output->v.cols);
	rng_init_name(&rng, b->model.config.seed, "loss");
	mat_fill_normal(l.weights, 1, &rng);
	tape_backward(&tape, output, &l.weights);
	const struct mat p = mat_zero(a, position->v.rows, position->v.cols);
	if (!differentiate(&l, p, a, err))
		return false;
	const struct mat wide = pad_columns(p, unit->v.cols, a);
	out->there = true;
	out->apart = mat_max_abs_diff(unit->g, wide);
	out->largest = fmax(largest(unit->g), largest(wide));
	out->equal = out->apart <= tolerance * out->largest;
	return true;
}

/* ---- the row of the check
 * ----------------------------------------------------------------------- */

/* Returns a small setup with smooth functions, so that finite differences are as exact as the
 * formula. */
static struct setup small_setup(const struct setup *setup)
{
	struct setup s = behaviour_setup(setup);
	s.sentence = "the dog saw a cat";
	s.layers = 2;
	s.proj = PROJ_RANDOM;
	s.activation = ACT_GELU;
	return s;
}

bool theorem_gradients(struct check *c, struct verdict *v)
{
	const struct setup setup = small_setup(c->setup);
	struct built *const b = arena_calloc(c->a, 1, sizeof *b);
	struct theorem2 is;
	struct err err = {""};
	if (!setup_build(&setup, c->a, b, &err) || !gradients_theorem2(b, NULL, c->a, &is, &err) ||
	    !is.there || !(is.largest > 0))
		return false;
	v->claim = "gradients";
	v->claimed = is.says ? ANSWER_YES : ANSWER_NO;
	v->measured = is.equal;
	v->found = arena_printf(
		c->a,
		"of a loss, by position vectors (differences) and by token vectors (tape): "
		"they differ by %.1e, of %.1e at most",
		is.apart, is.largest);
	return true;
}
