/* xl.c: see xl.h. */
#include "scheme/xl.h"

#include <math.h>

#include "scheme/encoding.h"
#include "scheme/sinusoid.h"

/* ---- leaves ---- */

void xl_make_spread(struct mat at, const struct leaf_maker *of)
{
	mat_fill(at, 0);
	for (size_t i = 0; i < of->model->config.heads; i++)
		for (size_t j = 0; j < of->model->dk; j++)
			mat_row(at, (j * of->model->config.heads + i) %
					    at.rows)[i * of->model->dk + j] = 1;
}

void xl_make_near_or_past(struct mat at, const struct leaf_maker *of)
{
	const size_t h = of->model->config.heads, d = of->model->config.d;
	const double e = 2 * of->model->config.content / (of->model->c * (double)of->model->dk);
	for (size_t i = 0; i < h; i++)
		for (size_t j = 0; j < of->model->dk; j++) {
			const bool is_sine = (j * h + i) % d < d / 2;
			mat_row(at, i)[j] = is_sine == (i % 2 == 1) ? e : 0;
		}
}

void xl_make_content(struct mat at, const struct leaf_maker *of)
{
	const struct model *model = of->model;
	mat_fill_normal(at, model->config.content / model->c / (double)model->dk, of->rng);
}

/* ---- the table by distance ---- */

static bool largest_distance(struct run *run, const struct member *m, long *r, struct err *err)
{
	const struct xl *p = m->param;
	long lo;
	if (!run_delta_range(run, m, &lo, r, err))
		return false;
	if (p->clamp > 0 && *r > p->clamp)
		*r = p->clamp;
	if (*r > XL_MAX_DISTANCE)
		return err_set(
			err,
			"%s makes a row for each distance, and column %s has distances up to %ld; "
			"set clamp, %d at most",
			m->text, m->pos, *r, XL_MAX_DISTANCE);
	return true;
}

/* R [2r+1, d]: row i is the sinusoid of the distance i - r. */
static struct node *build_sinusoids(struct run *run, const struct member *m, struct err *err)
{
	long r;
	if (!largest_distance(run, m, &r, err))
		return NULL;
	return tape_const(run->tape, sinusoid_distances(run->arena, r, run->model->config.d,
							SINUSOID_CONCAT, SINUSOID_PAPER));
}

/* R V_k [2r+1, h·dk] */
static struct node *build_table(struct run *run, const struct member *m, struct err *err)
{
	struct node *r = run_cached(run, m, "R", false, build_sinusoids, err);
	return r ? tape_matmul(run->tape, r, false, run_leaf(run, m, "w_r"), false, 1) : NULL;
}

/* R_{t-s}, or with bi_data R_{s-t}, for the numbers from -r to r that the input reaches. */
static bool encoding_of(struct run *run, const struct member *m, struct encoding *out,
			struct err *err)
{
	const struct xl *p = m->param;
	long r;
	if (!largest_distance(run, m, &r, err))
		return false;
	*out = p->clamp > 0 ? encoding_clipped(!p->bi_data, p->clamp)
			    : encoding_signed(!p->bi_data, r);
	out->least = -r;
	out->most = r;
	return true;
}

/* ---- hooks ---- */

bool xl_relation(struct run *run, const struct member *m, struct relation *out, struct err *err)
{
	struct encoding e;
	return encoding_of(run, m, &e, err) && encoding_relation(run, m, &e, out, err);
}

bool xl_fill(struct run *run, const struct member *m, struct xl_state *state, struct err *err)
{
	struct encoding e;
	if (!encoding_of(run, m, &e, err))
		return false;
	state->row = encoding_index(run, m, &e, err);
	state->table = run_cached(run, m, "R V_k", true, build_table, err);
	state->b = run_leaf(run, m, "r_w_bias");
	state->e = run_leaf(run, m, "r_r_bias");
	return state->row && state->table;
}

bool xl_logits(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct xl_state *state = head_state(head, m);
	struct tape *t = head->tape;
	const size_t dk = head->run->model->dk;
	const double c = head_scale(head);
	struct node *table = head_slice(head, state->table, dk);
	struct node *b = tape_slice(t, state->b, head->index, 1, 0, dk);
	struct node *e = tape_slice(t, state->e, head->index, 1, 0, dk);
	struct node *key_bias = tape_matmul(t, b, false, head->k_raw, true, c); /* [1,n] */
	head_add_row(head, "b–key", TERM_POSITION_UNIT, key_bias);
	if (!head->split) {
		struct node *q = tape_add(t, head->q_raw, e);
		struct node *by_row = tape_matmul(t, q, false, table, true, 1);
		head_add_indexed(head, "position", TERM_OTHER, by_row, state->row, GATHER_BY_ROW,
				 c);
		return true;
	}
	head_add_indexed(head, "query–R", TERM_UNIT_POSITION,
			 tape_matmul(t, head->q_raw, false, table, true, 1), state->row,
			 GATHER_BY_ROW, c);
	head_add_indexed(head, "e–R", TERM_POSITION, tape_matmul(t, e, false, table, true, 1),
			 state->row, GATHER_SHARED, c);
	return true;
}

/* Distances beyond `clamp` are equivalent to it. */
double xl_reach(const void *param, const struct model_config *config)
{
	const struct xl *p = param;
	const double seen = (double)config->t_max - 1;
	return p->clamp > 0 && (double)p->clamp <= seen ? INFINITY : seen;
}
