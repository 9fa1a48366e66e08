/* tupe.c: see tupe.h.
 *
 * The position part depends only on positions, so P V_q and P V_k are made once and every layer
 * adds their product. The effect of reset has rank 2, so two more columns represent it:
 *
 *   (1 - e_t)(1 - e_s) p_t V_q·p_s V_k + e_t θ1 + (1 - e_t) e_s θ2
 *
 * is one product. The released code has no free θ: they are products of two rows of P with
 * themselves. */
#include "scheme/tupe.h"

#include <math.h>

#include "scheme/sinusoid.h"

const char *const tupe_theta_names[] = {"free", "rows", NULL};
const char *const tupe_scale_names[] = {"2d", "d", NULL};

struct tupe_state {
	struct injected relative; /* the numbers of distances that are added */
	struct node *pq, *pk;	  /* [n,d] */
	struct node *marks;	  /* 1 - e, 1 and e: [n,3], e_t = 1 for position 0 */
	struct node *theta;	  /* [2,h]: as logits */
};

bool tupe_has_rows(const struct tupe *p)
{
	return p->reset && p->theta == THETA_ROWS;
}

/* ---- leaves ---- */

/* The base of P's sinusoids: with 10000 most are so slow that a head could not distinguish
 * neighbours. */
static const double wave_base = 10;

/* Fills in sinusoids of the position, which learned tables tend to resemble. */
void tupe_make_waves(struct mat at, const struct leaf_maker *of)
{
	struct arena scratch;
	arena_init(&scratch);
	double *position = arena_calloc(&scratch, at.rows, sizeof *position);
	for (size_t t = 0; t < at.rows; t++)
		position[t] = (double)t - (tupe_has_rows(of->m->param) ? 1 : 0);
	sinusoid_fill(at, position, SINUSOID_INTERLEAVED, SINUSOID_PAPER, wave_base);
	arena_release(&scratch);
}

/* Returns the target of head i, from 0: -1, +1, -2, +2, … positions away. */
static double offset_of(size_t i)
{
	const double steps = 1 + (double)(i / 2);
	return i % 2 == 0 ? -steps : steps;
}

/* Pair j of head i reads sinusoid j·h + i: every head gets slow and fast ones. The query's side
 * rotates it by its offset and contains the strength: twice that of content. */
void tupe_make_spread(struct mat at, const struct leaf_maker *of)
{
	const struct model *model = of->model;
	const bool query = of->value > 0;
	const size_t h = model->config.heads, dk = model->dk, d = model->config.d;
	const double gain = query ? 4 * model->config.content / (model->c * (double)dk) : 1;
	mat_fill(at, 0);
	for (size_t i = 0; i < h; i++)
		for (size_t j = 0; j + 1 < dk; j += 2) {
			const size_t wave = j / 2 * h + i, to = i * dk + j, from = 2 * wave;
			const double w = pow(wave_base, -2 * (double)wave / (double)d);
			const double angle = query ? w * offset_of(i) : 0;
			if (from + 1 >= d)
				continue;
			mat_row(at, from)[to] = mat_row(at, from + 1)[to + 1] = gain * cos(angle);
			mat_row(at, from + 1)[to] = gain * sin(angle);
			mat_row(at, from)[to + 1] = -gain * sin(angle);
		}
}

/* Words avoid [CLS]; its own row is uniform. */
void tupe_make_theta(struct mat at, const struct leaf_maker *of)
{
	mat_fill(mat_rows(at, 0, 1), 0);
	mat_fill(mat_rows(at, 1, 1), -of->model->config.content);
}

double tupe_scale(const struct model *model, const struct member *m)
{
	const struct tupe *p = m->param;
	return 1 / sqrt((double)model->dk * (p->scale == SCALE_2D ? 2 : 1));
}

/* ---- P V_q and P V_k ---- */

enum { LEAD = 2 }; /* rows before those of the tokens, when θ is computed from P */

/* Returns the rows of P for the tokens, after LayerNorm when it is on. */
static struct node *position_rows(struct run *run, const struct member *m, struct err *err)
{
	const struct tupe *p = m->param;
	const size_t lead = tupe_has_rows(p) ? LEAD : 0;
	const int32_t *places = run_rows(run, m, run->model->config.t_max, err);
	if (!places)
		return NULL;
	int32_t *rows = arena_calloc(run->arena, run->n + LEAD, sizeof *rows);
	for (size_t i = 0; i < lead; i++)
		rows[i] = (int32_t)i;
	for (size_t t = 0; t < run->n; t++)
		rows[lead + t] = places[t] + (lead ? 1 : 0);
	struct tape *t = run->tape;
	struct node *x = tape_gather_rows(t, run_leaf(run, m, "p"), rows, lead + run->n);
	if (!p->ln_p)
		return x;
	x = tape_mul(t, tape_layer_norm(t, x, 1e-5), run_leaf(run, m, "ln_weight"));
	return tape_accumulate(t, x, run_leaf(run, m, "ln_bias"));
}

static struct node *projected(struct run *run, const struct member *m, const char *weight,
			      const char *bias, struct err *err)
{
	const struct tupe *p = m->param;
	struct node *x = position_rows(run, m, err);
	if (!x)
		return NULL;
	struct node *out = tape_matmul(run->tape, x, false, run_leaf(run, m, weight), false, 1);
	return p->bias ? tape_accumulate(run->tape, out, run_leaf(run, m, bias)) : out;
}

static struct node *build_pq(struct run *run, const struct member *m, struct err *err)
{
	return projected(run, m, "v_q", "v_q_bias", err);
}

static struct node *build_pk(struct run *run, const struct member *m, struct err *err)
{
	return projected(run, m, "v_k", "v_k_bias", err);
}

/* Computes θ as in the authors' code: c (P V_q)_i·(P V_k)_i of rows 0 and 1, head by head. [2,h] */
static struct node *theta_of_rows(struct run *run, struct node *pq, struct node *pk)
{
	struct tape *t = run->tape;
	const struct model *model = run->model;
	const size_t h = model->config.heads, d = model->qk_width;
	struct node *product =
		tape_mul(t, tape_slice(t, pq, 0, LEAD, 0, d), tape_slice(t, pk, 0, LEAD, 0, d));
	const struct mat sums = mat_zero(run->arena, d, h);
	for (size_t j = 0; j < d; j++)
		mat_row(sums, j)[j / model->dk] = 1;
	return tape_matmul(t, product, false, tape_const(t, sums), false, model->c);
}

/* ---- hooks ---- */

static void mark_cls(struct run *run, struct tupe_state *state, const double *position)
{
	const struct mat marks = mat_new(run->arena, run->n, 3);
	for (size_t t = 0; t < run->n; t++) {
		const double cls = fabs(position[t]) < 0.5;
		double *to = mat_row(marks, t);
		to[0] = 1 - cls;
		to[1] = 1;
		to[2] = cls;
	}
	state->marks = tape_const(run->tape, marks);
}

static bool prepare_absolute(struct run *run, const struct member *m, struct tupe_state *state,
			     struct err *err)
{
	const struct tupe *p = m->param;
	struct tape *t = run->tape;
	const double *position = run_column(run, m, err);
	if (!position)
		return false;
	struct node *pq = run_cached(run, m, "P V_q", false, build_pq, err);
	struct node *pk = pq ? run_cached(run, m, "P V_k", false, build_pk, err) : NULL;
	if (!pk)
		return false;
	const size_t width = run->model->qk_width;
	state->pq = tape_slice(t, pq, pq->v.rows - run->n, run->n, 0, width);
	state->pk = tape_slice(t, pk, pk->v.rows - run->n, run->n, 0, width);
	if (!p->reset)
		return true;
	mark_cls(run, state, position);
	state->theta = tupe_has_rows(p) ? theta_of_rows(run, pq, pk) : run_leaf(run, m, "theta");
	run_keep(run, m, "theta", state->theta->v);
	return true;
}

bool tupe_prepare(struct run *run, const struct member *m, struct err *err)
{
	struct tupe_state *state = run_state(run, m, sizeof *state);
	return prepare_absolute(run, m, state, err) && inject_fill(run, m, &state->relative, err);
}

/* ---- heads ---- */

/* Returns [P V_q, θ1/c where t is [CLS], θ2/c where it is not], [n, dk+2]; the other factor is
 * [P V_k, 1, 1 where s is [CLS]]. */
static struct node *reset_queries(struct head *head, const struct tupe_state *state)
{
	struct tape *t = head->tape;
	const size_t n = head->run->n, i = head->index;
	struct node *theta = tape_scale(t, state->theta, 1 / head_scale(head));
	struct node *other = tape_slice(t, state->marks, 0, n, 0, 1);
	struct node *cls = tape_slice(t, state->marks, 0, n, 2, 1);
	struct node *parts[] = {
		tape_mul(t, head_slice(head, state->pq, head->run->model->dk), other),
		tape_mul(t, cls, tape_slice(t, theta, 0, 1, i, 1)),
		tape_mul(t, other, tape_slice(t, theta, 1, 1, i, 1)),
	};
	return tape_concat_cols(t, parts, 3);
}

static struct node *reset_keys(struct head *head, const struct tupe_state *state)
{
	struct tape *t = head->tape;
	const size_t n = head->run->n;
	struct node *parts[] = {
		tape_mul(t, head_slice(head, state->pk, head->run->model->dk),
			 tape_slice(t, state->marks, 0, n, 0, 1)),
		tape_slice(t, state->marks, 0, n, 1, 2),
	};
	return tape_concat_cols(t, parts, 2);
}

bool tupe_logits(struct head *head, const struct member *m, struct err *err)
{
	const struct tupe *p = m->param;
	const struct tupe_state *state = head_state(head, m);
	const size_t dk = head->run->model->dk;
	struct node *q = p->reset ? reset_queries(head, state) : head_slice(head, state->pq, dk);
	struct node *k = p->reset ? reset_keys(head, state) : head_slice(head, state->pk, dk);
	head_add_term(head, "position–position", TERM_POSITION,
		      tape_matmul(head->tape, q, false, k, true, head_scale(head)));
	return inject_logits(head, m, err);
}
