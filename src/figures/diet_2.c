/* diet_2.c: what the rank of the logits is with positions at the input and with positions per head. */
#include <math.h>
#include <string.h>

#include "fig.h"
#include "posviz/analysis/rank.h"
#include "posviz/math/machine.h"

/* BERT's base model on one sequence as the paper pre-trains: n 128, d 768, 12 heads of width 64. */
enum { UNITS = 128, HEADS = 12, MODELS = 2 };

static const struct {
	const char *scheme, *init, *name, *label;
} models[MODELS] = {{"learned", "demo", "bert", "BERT"},
		    /* 625·P_Q·P_Kᵀ: each factor is 25 times N(0, 0.02²), which is N(0, 0.25). */
		    {"625*diet_abs(segments=0)", "paper", "diet_abs", "DIET-ABS"}};

/* "w1 w2 …": tokens that differ, for equal ones have equal rows. */
static const char *different_words(struct fig *f)
{
	const char *out = "";
	for (size_t i = 0; i < UNITS; i++)
		out = arena_printf(f->a, "%s w%zu", out, i + 1);
	return out + 1;
}

/* ---- decomposing -------------------------------------------------------------------------------- */

/* Heads of both models side by side, each in an arena of its own. */
struct work {
	const struct fig_run *runs[MODELS];
	struct arena own[MODELS * HEADS];
	struct rank ranks[MODELS * HEADS];
};

static void decompose(void *context, size_t i, size_t worker)
{
	struct work *const w = context;
	(void)worker;
	rank_of(w->runs[i / HEADS]->trace.layers[0].heads[i % HEADS].logits, 0, 0, &w->own[i],
		&w->ranks[i]);
}

static void decompose_all(struct fig *f, struct work *w)
{
	for (size_t i = 0; i < MODELS * HEADS; i++)
		arena_init(&w->own[i]);
	machine_parallel(MODELS * HEADS, decompose, w);
	for (size_t i = 0; i < MODELS * HEADS; i++) {
		struct rank *const r = &w->ranks[i];
		BUG_IF(!r->values);
		double *const values = arena_alloc(f->a, r->n * sizeof *values);
		r->values = memcpy(values, r->values, r->n * sizeof *values);
		arena_release(&w->own[i]);
	}
}

/* ---- panels ------------------------------------------------------------------------------------- */

static void add_spectra(struct fig *f, const struct work *w)
{
	static const struct curve_mark bound = {
		.x = 64, .label = "at most d_h = 64", .brief = "≤ 64"};
	struct panel *const p = fig_panel(f, "spectrum", "Singular values, head 1", 0, 0, 1, 0);
	fig_curves(f, p, "singular value", "");
	p->curves.spread = CURVES_LOG;
	p->curves.marks = &bound;
	p->curves.n_marks = 1;
	p->curves.integer_x = true;
	for (size_t m = 0; m < MODELS; m++) {
		const struct rank *const r = &w->ranks[m * HEADS];
		for (size_t k = 0; k < r->n; k++)
			r->values[k] = r->values[k] > r->tolerance ? r->values[k] : NAN;
		fig_curve(f, p, models[m].label, r->n, fig_steps(f, 1, 1, r->n), r->values);
	}
}

static double *of_heads(struct fig *f, const struct rank *ranks, bool effective)
{
	double *const out = arena_alloc(f->a, HEADS * sizeof *out);
	for (size_t h = 0; h < HEADS; h++)
		out[h] = effective ? ranks[h].effective : (double)ranks[h].numerical;
	return out;
}

static void say(struct fig *f, const char *name, const double *at)
{
	double least = INFINITY, most = 0;
	for (size_t h = 0; h < HEADS; h++) {
		least = fmin(least, at[h]);
		most = fmax(most, at[h]);
	}
	fig_number(f, arena_printf(f->a, "%s.least", name), least, "of the logits of 12 heads");
	fig_number(f, arena_printf(f->a, "%s.most", name), most, "of the logits of 12 heads");
}

/* A panel of one measure of each head. */
static void add_heads(struct fig *f, const struct work *w, bool effective)
{
	/* Bounds of the effective ranks; the ranks themselves reach them. */
	static const struct curve_level bounds[MODELS] = {{64, "d_h", "64"},
							  {128, "d_h + d_p", "128"}};
	struct panel *const p =
		effective ? fig_panel(f, "effective", "Effective rank of each head", 0, 2, 1, 1)
			  : fig_panel(f, "ranks", "Rank of each head", 0, 1, 1, 0);
	fig_curves(f, p, "head", effective ? "effective rank" : "rank");
	p->curves.integer_x = p->curves.unit = true;
	p->curves.levels = bounds;
	p->curves.n_levels = effective ? MODELS : 0;
	for (size_t m = 0; m < MODELS; m++) {
		const double *const at = of_heads(f, &w->ranks[m * HEADS], effective);
		fig_curve(f, p, models[m].label, HEADS, fig_steps(f, 1, 1, HEADS), at);
		say(f,
		    arena_printf(f->a, "%s.%s", effective ? "effective" : "rank", models[m].name),
		    at);
	}
}

void draw_diet_2(struct fig *f)
{
	struct work *const w = arena_calloc(f->a, 1, sizeof *w);
	for (size_t m = 0; m < MODELS; m++) {
		w->runs[m] =
			fig_run(f,
				arena_printf(f->a,
					     "scheme %s\nd-model 768\nheads 12\nlayers 1\n"
					     "proj random\ninit %s\nsentence %s\n",
					     models[m].scheme, models[m].init, different_words(f)),
				WANT_LOGITS);
		if (!w->runs[m])
			return;
	}
	decompose_all(f, w);
	add_spectra(f, w);
	add_heads(f, w, false);
	add_heads(f, w, true);
}
