/* flow.c: see flow.h. The solver is the 3/8 rule, which torchdiffeq calls rk4. */
#include "scheme/flow.h"

#include <math.h>

#include "scheme/unroll.h"

/* A layer of h: p W' + b + τ w, with w [1,d] the column of W that reads the time. */
struct affine {
	struct node *weight, *bias, *time;
};

struct flow {
	struct run *run;
	struct affine first, second;
	const double *tau; /* [n], ascending */
	double step;	   /* the longest step of the solver */
};

/* A sequence of solver steps of equal length. */
struct stretch {
	const struct flow *flow;
	double from, step;
};

static struct node *apply(struct tape *t, const struct affine *f, struct node *x, double tau)
{
	struct node *bias = tape_add(t, tape_scale(t, f->time, tau), f->bias);
	return tape_add(t, tape_matmul(t, x, false, f->weight, true, 1), bias);
}

static struct node *slope(struct tape *t, const struct flow *flow, double tau, struct node *p)
{
	return apply(t, &flow->second, tape_relu(t, apply(t, &flow->first, p, tau)), tau);
}

/* p + by · k */
static struct node *moved(struct tape *t, struct node *p, struct node *k, double by)
{
	return tape_add(t, p, tape_scale(t, k, by));
}

/* A step of the 3/8 rule. */
static void solver_step(struct tape *t, const void *context, size_t i,
			struct node *state[UNROLL_STATES])
{
	const struct stretch *s = context;
	const double h = s->step, tau = s->from + (double)i * h;
	struct node *p = state[0];
	struct node *k1 = slope(t, s->flow, tau, p);
	struct node *k2 = slope(t, s->flow, tau + h / 3, moved(t, p, k1, h / 3));
	struct node *to3 = tape_sub(t, k2, tape_scale(t, k1, 1.0 / 3));
	struct node *k3 = slope(t, s->flow, tau + 2 * h / 3, moved(t, p, to3, h));
	struct node *to4 = tape_add(t, tape_sub(t, k1, k2), k3);
	struct node *k4 = slope(t, s->flow, tau + h, moved(t, p, to4, h));
	struct node *middle = tape_scale(t, tape_add(t, k2, k3), 3);
	struct node *sum = tape_add(t, tape_add(t, k1, middle), k4);
	state[0] = moved(t, p, sum, h / 8);
}

/* Integrates from one position to the next, in steps of equal length. */
static void flow_on(struct tape *t, const void *context, size_t i,
		    struct node *state[UNROLL_STATES])
{
	const struct flow *flow = context;
	const double from = i ? flow->tau[i - 1] : 0, length = flow->tau[i] - from;
	const double count = ceil(length / flow->step - 1e-9);
	if (count < 1)
		return;
	const struct stretch s = {flow, from, length / count};
	const struct mat p = state[0]->v;
	struct node *all = unroll(t, (size_t)count, p.cols, state, solver_step, &s, NULL);
	state[0] = tape_slice(t, all, all->v.rows - p.rows, p.rows, 0, p.cols);
}

static bool flow_cancelled(const void *context)
{
	const struct flow *flow = context;
	return run_cancelled(flow->run);
}

static struct affine affine_of(struct run *run, const struct member *m, const char *weight,
			       const char *bias)
{
	struct tape *t = run->tape;
	struct node *w = run_leaf(run, m, weight);
	const size_t d = w->v.rows;
	return (struct affine){.weight = tape_slice(t, w, 0, d, 0, d),
			       .bias = run_leaf(run, m, bias),
			       .time = tape_transpose(t, tape_slice(t, w, 0, d, d, 1))};
}

struct node *flow_states(struct run *run, const struct member *m, const double *tau, double step,
			 struct err *err)
{
	const struct flow flow = {.run = run,
				  .first = affine_of(run, m, "w1", "b1"),
				  .second = affine_of(run, m, "w2", "b2"),
				  .tau = tau,
				  .step = step};
	struct node *const start[UNROLL_STATES] = {run_leaf(run, m, "p0")};
	struct node *all =
		unroll(run->tape, run->n, start[0]->v.cols, start, flow_on, &flow, flow_cancelled);
	if (!all)
		err_set(err, "cancelled");
	return all;
}
