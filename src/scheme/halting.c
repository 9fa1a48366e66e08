/* halting.c: see halting.h. The steps at which tokens halt come from numbers and are constant;
 * the weights are nodes, so p is learned through them. */
#include "scheme/halting.h"

#include <math.h>

#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"

const char *const halt_names[] = {"off", "act", "accumulated", "global", NULL};

enum { TOKENS_TOLD = 24 };

struct halting {
	size_t n, steps;
	struct node **weight; /* [steps]: [n,1] */
	size_t *output;	      /* [steps]: the index in run->outputs that it weights */
	struct node *sum; /* [n,1]: Σ p_n of the steps before; exactly 1 for tokens that halted */
	bool *halted;	  /* [n] */
	long *updates;	  /* [n] */
};

/* The first quarter of the columns: the fast sinusoids. Those after them hardly differ between
 * tokens. */
void halting_words(struct mat at, const struct leaf_maker *of)
{
	const size_t quarter = (at.rows + 3) / 4;
	mat_fill(at, 0);
	mat_fill_normal(mat_rows(at, 0, quarter), 1 / sqrt((double)quarter), of->rng);
}

bool halting_fits(const struct model *model, const struct member *m, enum halt halt,
		  struct err *err)
{
	const size_t last = model->config.layers - 1;
	return halt == HALT_OFF || subset_has(&m->layers, last) ||
	       err_set(err,
		       "%s: what halts is blended at the end of layer %zu, the last, which "
		       "layers= leaves out",
		       m->text, last + 1);
}

static struct halting *begin(struct run *run, const struct member *m)
{
	struct halting *h = run_state(run, m, sizeof *h);
	h->n = run->n;
	h->weight = arena_calloc(run->arena, run->model->n_steps, sizeof(struct node *));
	h->output = arena_calloc(run->arena, run->model->n_steps, sizeof *h->output);
	h->sum = tape_const(run->tape, mat_zero(run->arena, run->n, 1));
	h->halted = arena_calloc(run->arena, run->n, sizeof *h->halted);
	h->updates = arena_calloc(run->arena, run->n, sizeof *h->updates);
	return h;
}

/* Computes p [n,1] of the step's input. */
static struct node *probability(struct run *run, const struct member *m, enum halt halt)
{
	struct tape *t = run->tape;
	struct node *x = run_sum_parts(run, &run->x);
	struct node *p = tape_matmul(t, x, false, run_leaf(run, m, "w_halt"), false, 1);
	p = tape_sigmoid(t, tape_add(t, p, run_leaf(run, m, "b_halt")));
	if (halt != HALT_GLOBAL)
		return p;
	struct node *mean = tape_scale(t, tape_col_sum(t, p), 1 / (double)run->n);
	return tape_add(t, tape_const(t, mat_zero(run->arena, run->n, 1)), mean);
}

void halting_step(struct run *run, const struct member *m, enum halt halt, double epsilon)
{
	if (halt == HALT_OFF)
		return;
	struct tape *t = run->tape;
	struct halting *h = run_kept(run, m);
	if (!h)
		h = begin(run, m);
	struct node *p = probability(run, m, halt);
	const struct mat goes_on = mat_zero(run->arena, h->n, 1);
	const struct mat halts = mat_zero(run->arena, h->n, 1);
	for (size_t i = 0; i < h->n; i++) {
		if (h->halted[i])
			continue;
		h->updates[i]++;
		h->halted[i] = h->sum->v.at[i] + p->v.at[i] > 1 - epsilon;
		(h->halted[i] ? halts : goes_on).at[i] = 1;
	}
	struct node *share = tape_mul(t, p, tape_const(t, goes_on));
	struct node *rest = tape_add_scalar(t, tape_scale(t, h->sum, -1), 1);
	h->weight[h->steps] = tape_add(t, share, tape_mul(t, rest, tape_const(t, halts)));
	h->sum = tape_add(t, h->sum, h->weight[h->steps]);
	h->output[h->steps++] = run->step_index + 1;
}

/* Returns "updates of each token 2 3 1", or how many tokens had each number of updates if there
 * are too many. */
static const char *updates_text(const struct run *run, const struct halting *h)
{
	struct strbuf b;
	strbuf_init(&b, run->arena);
	if (h->n <= TOKENS_TOLD) {
		strbuf_add(&b, "updates of each token");
		for (size_t i = 0; i < h->n; i++)
			strbuf_printf(&b, " %ld%s", h->updates[i], h->halted[i] ? "" : "+");
		return b.at;
	}
	strbuf_add(&b, "tokens by updates:");
	for (size_t step = 1; step <= h->steps; step++) {
		size_t tokens = 0;
		for (size_t i = 0; i < h->n; i++)
			tokens += h->updates[i] == (long)step;
		strbuf_printf(&b, " %zu of %zu", tokens, step);
	}
	return b.at;
}

void halting_finish(struct run *run, const struct member *m, enum halt halt)
{
	if (halt == HALT_OFF)
		return;
	struct tape *t = run->tape;
	const struct halting *h = run_kept(run, m);
	struct node *state = tape_mul(t, run->outputs[h->output[0]], h->weight[0]);
	for (size_t i = 1; i < h->steps; i++) {
		struct node *now = tape_mul(t, run->outputs[h->output[i]], h->weight[i]);
		struct node *keep = tape_add_scalar(t, tape_scale(t, h->weight[i], -1), 1);
		if (halt != HALT_ACCUMULATED)
			state = tape_mul(t, state, keep);
		state = tape_add(t, state, now);
	}
	run->outputs[run->model->n_steps] = state;
	run_note(run, m, updates_text(run, h));
}
