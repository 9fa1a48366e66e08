/* pairwise.c: rotary positions with a position difference of its own for each pair: Self-Extend
 * (Jin et al. 2024), ReRoPE (Su 2023) and dual chunk attention (An et al. 2024).
 *
 *   A_ts = c q_t·R_{-ρ(t,s)} k_s
 *
 * No rotation of q and of k gives these. Each rule has two or three ways to number positions; in
 * each way i a query has the position p_i(t), a key the position r_i(s), and every pair takes
 * ρ = p_i(t) - r_i(s) of one of them. The members of the rope family in the expression have
 * rotated q and k by t and s, so a way rotates by p_i(t) - t and r_i(s) - s more, at their
 * frequencies. Without such a member the rule rotates as rope(layout=half) does. */
#include "scheme/pairwise.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/scheme/scheme.h"
#include "scheme/pairwise_rule.h"
#include "scheme/rope.h"
#include "scheme/rotation.h"

enum { WAYS = PAIRWISE_WAYS };

/* The rotations from positions to those of a way, at the frequencies of one member. */
struct more {
	struct rotation by;
	bool half;
};

struct pairwise_state {
	const struct pairwise_rule *rule;
	size_t members; /* of the rope family that act here, or 1 for its own rotation */
	const struct member *of[MODEL_MAX_MEMBERS]; /* NULL: its own */
	struct more *more[WAYS];		    /* [members]; NULL: no pair takes this way */
	uint8_t *way;				    /* [n·n]: of each pair */
	struct node *factor;			    /* of queries, [n,1]; NULL: 1 */
	const struct rope_rates *own;		    /* NULL: others rotate */
	struct mat cos, sin;			    /* of its own rotation */
};

/* ---- preparation ----------------------------------------------------------------------------- */

static bool has_rope(const struct run *run)
{
	for (size_t i = 0; i < run->model->n_members; i++)
		if (rope_is(&run->model->members[i]))
			return true;
	return false;
}

static struct mat table(struct arena *a, size_t n, const struct rope_rates *r)
{
	return mat_new(a, n, r->pairs);
}

/* Computes the rotation of a way beyond that by positions. */
static struct more more_of(struct run *run, const struct pairwise *p,
			   const struct pairwise_rule *rule, size_t way, const double *position,
			   const struct rope_rates *r)
{
	const size_t n = run->n;
	double *const query = arena_calloc(run->arena, n, sizeof *query);
	double *const key = arena_calloc(run->arena, n, sizeof *key);
	for (size_t t = 0; t < n; t++) {
		query[t] = rule->query(p, way, position[t]) - position[t];
		key[t] = rule->key(p, way, position[t]) - position[t];
	}
	struct more out = {.half = r->half,
			   .by = {table(run->arena, n, r), table(run->arena, n, r),
				  table(run->arena, n, r), table(run->arena, n, r)}};
	rotation_fill(out.by.q_cos, out.by.q_sin, query, r->rate);
	rotation_fill(out.by.k_cos, out.by.k_sin, key, r->rate);
	return out;
}

/* Fills in which pairs take which way, and counts them. */
static void choose(struct run *run, const struct pairwise *p, struct pairwise_state *state,
		   const double *position, size_t taken[WAYS])
{
	const size_t n = run->n;
	state->way = arena_alloc(run->arena, n * n * sizeof *state->way);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++) {
			const size_t way = state->rule->way(p, position[t], position[s]);
			state->way[t * n + s] = (uint8_t)way;
			taken[way]++;
		}
}

/* Keeps ρ of every pair. */
static void keep_differences(struct run *run, const struct member *m, const double *position)
{
	const struct pairwise_state *const state = run_kept(run, m);
	const struct pairwise_rule *const rule = state->rule;
	const struct pairwise *p = m->param;
	if (!run_keeps(run))
		return;
	const struct mat out = mat_new(run->arena, run->n, run->n);
	for (size_t t = 0; t < run->n; t++)
		for (size_t s = 0; s < run->n; s++) {
			const size_t way = rule->way(p, position[t], position[s]);
			mat_row(out, t)[s] =
				rule->query(p, way, position[t]) - rule->key(p, way, position[s]);
		}
	run_keep(run, m, "difference", out);
}

/* Returns the factors of queries: max(1, ln(t+1)/ln L), and those of an input longer than
 * training on both sides. */
static struct node *factors(struct run *run, const struct member *m, const double *position)
{
	const struct pairwise *p = m->param;
	const double n = (double)run->n;
	const double warm = p->trained > 0 && n > p->trained ? 0.05 * log(n / p->trained) + 1 : 1;
	if (!(p->log_length > 0) && warm <= 1)
		return NULL;
	const struct mat out = mat_new(run->arena, run->n, 1);
	for (size_t t = 0; t < run->n; t++) {
		const double seen = fmax(position[t] + 1, 1);
		out.at[t] = warm * warm;
		if (p->log_length > 0)
			out.at[t] *= fmax(1, log(seen) / log(p->log_length));
	}
	char number[32];
	if (warm > 1)
		run_note(run, m,
			 arena_printf(run->arena, "logits are multiplied by %s at any distance",
				      num_show(number, sizeof number, warm * warm, 4)));
	run_keep(run, m, "factor", out);
	return tape_const(run->tape, out);
}

static const struct rope_rates *own_rates(struct run *run)
{
	struct rope_rates *r = arena_calloc(run->arena, 1, sizeof *r);
	*r = (struct rope_rates){.pairs = run->model->dk / 2, .half = true};
	double *const rate = arena_calloc(run->arena, r->pairs, sizeof *rate);
	for (size_t i = 0; i < r->pairs; i++)
		rate[i] = rotation_rate(10000, i, 2 * r->pairs);
	r->rate = rate;
	return r;
}

/* Returns the names of the rotations that a rule changes: "rope, prope, … and rope_long". */
static const char *names_of_ropes(struct arena *a)
{
	const char *text = "", *last = NULL;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		if (s->hooks.qk != rope_qk || ((struct rope *)scheme_defaults(s, a))->grid > 0)
			continue;
		if (last)
			text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", last);
		last = s->id;
	}
	return arena_printf(a, "%s and %s", text, last);
}

/* Checks that nothing else rotates the heads of this layer that the rule rotates. */
static bool rotates_alone(const struct run *run, const struct member *m, struct err *err)
{
	const struct subset heads = subset_and(m->heads, subset_first(run->model->config.heads));
	for (size_t i = 0; i < run->model->n_members; i++) {
		const struct member *const other = &run->model->members[i];
		if (other->scheme && scheme_rotates_alone(other->scheme, other->param) &&
		    subset_has(&other->layers, run->layer) && subset_meets(other->heads, heads))
			return err_set(
				err,
				"%s numbers positions anew for %s, and %s rotates otherwise; "
				"one of these in its place, or other heads= or layers= for "
				"each, would be right",
				m->text, names_of_ropes(run->arena), other->text);
	}
	return true;
}

/* Collects the rotations that the rule changes. */
static bool rotations(struct run *run, const struct member *m, struct pairwise_state *state,
		      const struct rope_rates **rates, struct err *err)
{
	if (!has_rope(run)) {
		rates[state->members++] = state->own = own_rates(run);
		return true;
	}
	for (size_t i = 0; i < run->model->n_members; i++) {
		const struct member *const other = &run->model->members[i];
		if (!rope_is(other) || !subset_has(&other->layers, run->layer))
			continue;
		if (strcmp(other->pos, m->pos) != 0)
			return err_set(err,
				       "pos: %s counts positions in column %s, and %s rotates by "
				       "column %s; the same for both would be right",
				       m->text, m->pos, other->text, other->pos);
		struct rope_rates *r = arena_calloc(run->arena, 1, sizeof *r);
		if (!rope_rates(run, other, r))
			return err_set(err,
				       "%s numbers positions anew, and %s rotates by more than a "
				       "position times a frequency; grid=0, cached=off and "
				       "precision=exact would be right",
				       m->text, other->text);
		state->of[state->members] = other;
		rates[state->members++] = r;
	}
	return true;
}

static bool prepare(struct run *run, const struct member *m, const struct pairwise_rule *rule,
		    struct err *err)
{
	const struct pairwise *p = m->param;
	struct pairwise_state *const state = run_state(run, m, sizeof *state);
	const struct rope_rates *rates[MODEL_MAX_MEMBERS];
	const double *position = run_column(run, m, err);
	size_t taken[WAYS] = {0};
	state->rule = rule;
	if (!position || !rotates_alone(run, m, err) || !rotations(run, m, state, rates, err))
		return false;
	choose(run, p, state, position, taken);
	for (size_t way = 0; way < rule->ways; way++) {
		if (!taken[way])
			continue;
		state->more[way] =
			arena_calloc(run->arena, state->members + 1, sizeof *state->more[way]);
		for (size_t i = 0; i < state->members; i++)
			state->more[way][i] = more_of(run, p, rule, way, position, rates[i]);
	}
	state->factor = factors(run, m, position);
	keep_differences(run, m, position);
	if (state->own) {
		state->cos = table(run->arena, run->n, state->own);
		state->sin = table(run->arena, run->n, state->own);
		rotation_fill(state->cos, state->sin, position, state->own->rate);
		run_keep(run, m, "cos", state->cos);
		run_keep(run, m, "sin", state->sin);
	}
	return true;
}

bool pairwise_prepare_extend(struct run *run, const struct member *m, struct err *err)
{
	return prepare(run, m, &pairwise_extend, err);
}

bool pairwise_prepare_rerope(struct run *run, const struct member *m, struct err *err)
{
	return prepare(run, m, &pairwise_rerope, err);
}

bool pairwise_prepare_chunks(struct run *run, const struct member *m, struct err *err)
{
	return prepare(run, m, &pairwise_chunks, err);
}

/* ---- a head ---------------------------------------------------------------------------------- */

bool pairwise_qk(struct head *head, const struct member *m, struct err *err)
{
	const struct pairwise_state *const state = head_state(head, m);
	if (state->own) {
		const struct rotation by = {state->cos, state->sin, state->cos, state->sin};
		if (!rotation_turn(head, m, &by, true, err))
			return false;
	}
	if (state->factor)
		head->q = tape_mul(head->tape, head->q, state->factor);
	return true;
}

static struct node *rotated(struct head *head, const struct pairwise_state *state,
			    const struct more *more, bool query)
{
	struct node *x = query ? head->q : head->k;
	for (size_t i = 0; i < state->members; i++) {
		const struct rotation *const by = &more[i].by;
		if (state->of[i] && !member_on_head(state->of[i], head->index))
			continue;
		if (by->q_cos.cols > 0)
			x = tape_rotate(head->tape, x, query ? by->q_cos : by->k_cos,
					query ? by->q_sin : by->k_sin, more[i].half);
	}
	return x;
}

/* Returns the product where pairs take this way, else 0. */
static struct node *of_way(struct tape *t, struct node *product, const uint8_t *way, size_t which)
{
	const struct mat own = mat_new(t->arena, product->v.rows, product->v.cols);
	for (size_t i = 0; i < own.rows * own.cols; i++)
		own.at[i] = way[i] == which;
	return tape_mul(t, product, tape_const(t, own));
}

/* Puts the entries of a way into the sum. */
static void take(struct mat sum, struct mat product, const uint8_t *way, size_t which)
{
	for (size_t i = 0; i < sum.rows * sum.cols; i++)
		if (way[i] == which)
			sum.at[i] = product.at[i];
}

/* Every pair takes the product of its way. */
bool pairwise_content(struct head *head, const struct member *m, struct err *err)
{
	(void)err;
	const struct pairwise_state *const state = head_state(head, m);
	struct tape *const t = head->tape;
	struct node *sum = NULL;
	for (size_t way = 0; way < state->rule->ways; way++) {
		if (!state->more[way])
			continue;
		struct node *const q = rotated(head, state, state->more[way], true);
		struct node *const k = rotated(head, state, state->more[way], false);
		struct node *const all = tape_matmul(t, q, false, k, true, head_scale(head));
		if (!t->recording && sum) {
			take(sum->v, all->v, state->way, way);
			continue;
		}
		struct node *const own = t->recording ? of_way(t, all, state->way, way) : all;
		sum = sum ? tape_accumulate(t, sum, own) : own;
	}
	head->logits = sum;
	return true;
}

/* ---- the relation ---------------------------------------------------------------------------- */

static const struct pairwise_rule *rule_of(const struct hooks *hooks)
{
	return hooks->prepare == pairwise_prepare_extend   ? &pairwise_extend
	       : hooks->prepare == pairwise_prepare_rerope ? &pairwise_rerope
							   : &pairwise_chunks;
}

static const char *says(const struct relation *r, int32_t value, const struct relation_cell *at,
			struct arena *a)
{
	if (value == RELATION_NO_PATH)
		return "the key comes later";
	if (!at)
		return arena_printf(a, "rotated as at distance %d", value);
	const long apart = -(long)r->beside[at->t * r->n + at->s];
	return arena_printf(a, "%s is %ld before %s, and is rotated as if it were %d", at->key,
			    apart, at->query, value);
}

/* Fills in ρ where it is whole, as it is unless a width is no multiple of a group. */
bool pairwise_relation(struct run *run, const struct member *m, struct relation *out,
		       struct err *err)
{
	const struct pairwise *p = m->param;
	const struct pairwise_rule *const rule = rule_of(m->hooks);
	const double *position = run_column(run, m, err);
	const size_t n = run->n;
	if (!position)
		return false;
	int32_t *const at = arena_alloc(run->arena, n * n * sizeof *at);
	int32_t *const beside = arena_alloc(run->arena, n * n * sizeof *beside);
	for (size_t i = 0; i < n * n; i++) {
		const double t = position[i / n], s = position[i % n];
		const size_t way = rule->way(p, t, s);
		const double rho = rule->query(p, way, t) - rule->key(p, way, s);
		if (fabs(rho - rint(rho)) > 1e-9 || fabs(t - rint(t)) > 1e-9)
			return true;
		at[i] = s > t ? RELATION_NO_PATH : (int32_t)lround(rho);
		beside[i] = (int32_t)lround(s - t);
	}
	*out = (struct relation){.title = "difference ρ(t, s)",
				 .n = n,
				 .at = at,
				 .says = says,
				 .beside = beside,
				 .column = m->pos};
	return true;
}

/* ---- for others ------------------------------------------------------------------------------ */

bool pairwise_is(const struct hooks *hooks)
{
	return hooks->content == pairwise_content;
}

const struct member *pairwise_of(const struct run *run)
{
	for (size_t i = 0; i < run->model->n_members; i++) {
		const struct member *const m = &run->model->members[i];
		if (pairwise_is(m->hooks) && subset_has(&m->layers, run->layer))
			return m;
	}
	return NULL;
}

double pairwise_reach(const struct hooks *hooks, const void *param, double covered)
{
	return isinf(covered) ? covered : rule_of(hooks)->reach(param, covered);
}

/* Its own rotation, before the rule. */
double pairwise_own_reach(const void *param, const struct model_config *config)
{
	(void)param;
	const size_t pairs = model_dk(config) / 2;
	return pairs ? rotation_reach(rotation_rate(10000, pairs - 1, 2 * pairs), config)
		     : INFINITY;
}
