/* spe_conv_draws.c: draws of noise, filtered feature by feature (spe_conv.h). */
#include <math.h>

#include "scheme/spe_conv.h"

const struct index *spe_conv_taps(struct run *run, const struct member *m, struct err *err)
{
	const struct spe_conv *p = m->param;
	const double *at = run_column(run, m, err);
	long lo, hi;
	if (!at || !run_delta_range(run, m, &lo, &hi, err))
		return NULL;
	if (hi > 16 * SPE_CONV_MAX_KERNEL) {
		err_set(err,
			"%s draws numbers for every position, and column %s spans %ld; %d at most, "
			"or samples=0",
			m->text, m->pos, hi, 16 * SPE_CONV_MAX_KERNEL);
		return NULL;
	}
	double least = at[0];
	for (size_t t = 1; t < run->n; t++)
		least = fmin(least, at[t]);
	const size_t length = (size_t)(hi + p->kernel);
	int32_t *entries = arena_alloc(run->arena, run->n * length * sizeof *entries);
	for (size_t t = 0; t < run->n; t++)
		for (size_t i = 0; i < length; i++) {
			const long tap = (long)i - (long)(at[t] - least);
			entries[t * length + i] = tap >= 0 && tap < p->kernel ? (int32_t)tap : -1;
		}
	struct index *index = arena_calloc(run->arena, 1, sizeof *index);
	*index = (struct index){run->n, length, (size_t)p->kernel, entries};
	return index;
}

/* Multiplies column j of x by its code: x_tj [√(1-g) Σ_p w[p] z(t+p) + √g ε], [n,R] */
static struct node *encode(struct tape *t, const struct spe_conv_state *s, const struct spe_gate *g,
			   struct node *x, size_t j, struct node *kernel, struct node *z,
			   struct node *shared)
{
	struct node *taps = tape_gather(t, kernel, s->taps, GATHER_SHARED);
	struct node *code = tape_matmul(t, taps, false, z, false, 1);
	if (g->shared) {
		code = tape_mul(t, code, tape_slice(t, g->apart, 0, 1, j, 1));
		struct node *root = tape_slice(t, g->shared, 0, 1, j, 1);
		code = tape_add(t, code, tape_mul(t, shared, root));
	}
	return tape_mul(t, code, tape_slice(t, x, 0, x->v.rows, j, 1));
}

struct codes {
	struct node *q, *k; /* [n,R] */
};

static struct codes encode_feature(struct tape *t, struct head *head, const struct member *m,
				   const struct spe_gate *g, size_t j)
{
	const struct spe_conv *p = m->param;
	const struct spe_conv_state *s = head_state(head, m);
	const size_t row = head->index * head->run->model->dk + j, taps = (size_t)p->kernel;
	/* The noise has one more row than the codes read: the part shared by all positions. */
	const size_t length = s->taps->cols;
	const struct mat noise =
		spe_noise(t->arena, head->run, m, head->index, j, length + 1, (size_t)p->samples);
	run_keep(head->run, m, arena_printf(t->arena, "noise.%zu.%zu", head->index, j), noise);
	struct node *z = tape_const(t, noise);
	struct node *codes = tape_slice(t, z, 0, length, 0, z->v.cols);
	struct node *shared = tape_slice(t, z, length, 1, 0, z->v.cols);
	/* The released code filters the keys' noise by conv_q and the queries' by conv_k. */
	return (struct codes){
		encode(t, s, g, head->q, j, tape_slice(t, s->conv_k, row, 1, 0, taps), codes,
		       shared),
		encode(t, s, g, head->k, j, tape_slice(t, s->conv_q, row, 1, 0, taps), codes,
		       shared),
	};
}

double spe_conv_memory(const struct model *model, const struct member *m,
		       const struct model_input *in, unsigned kinds)
{
	const struct spe_conv *p = m->param;
	const double length = (double)in->axis.n + (double)p->kernel;
	return kinds & WANT_KEPT ? 8 * (double)model->qk_width * length * (double)p->samples : 0;
}

/* When viewing, the noise of a feature is freed as soon as its codes are summed. */
bool spe_conv_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct spe_conv *p = m->param;
	const struct spe_conv_state *s = head_state(head, m);
	struct tape *t = head->tape;
	if (p->samples == 0)
		return true;
	if (!head_needs_width(head, m, err))
		return false;
	const struct spe_gate g = spe_gate_of(head, s->gate);
	const size_t n = head->run->n, samples = (size_t)p->samples;
	struct codes sum = {tape_const(t, mat_zero(t->arena, n, samples)),
			    tape_const(t, mat_zero(t->arena, n, samples))};
	struct arena scratch;
	arena_init(&scratch);
	bool going = true;
	for (size_t j = 0; j < head->run->model->dk && going; j++) {
		struct tape own;
		tape_init(&own, &scratch, false);
		const struct codes one = encode_feature(t->recording ? t : &own, head, m, &g, j);
		sum.q = tape_accumulate(t, sum.q, one.q);
		sum.k = tape_accumulate(t, sum.k, one.k);
		tape_count_all(t, &own);
		arena_clear(&scratch);
		going = !run_cancelled(head->run);
	}
	arena_release(&scratch);
	head->q = tape_scale(t, sum.q, 1 / sqrt((double)samples));
	head->k = tape_scale(t, sum.k, 1 / sqrt((double)samples));
	return going || err_set(err, "cancelled");
}
