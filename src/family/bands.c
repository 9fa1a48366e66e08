/* bands.c: the rotations of an expression, pair by pair, gathered into bands. The numbers are those
 * of the scheme, so what is said of a configuration is what is drawn of it. */
#include <math.h>

#include "posviz/family/family.h"
#include "posviz/scheme/rates.h"
#include "posviz/scheme/reach.h"

const char *const band_way_names[] = {"kept", "blended", "slowed", "own", NULL};

static const double two_pi = 6.283185307179586;
static const double about = 1e-9; /* relative difference of two numbers that are one */

static bool is_near(double x, double y)
{
	return fabs(x - y) <= about * fabs(y);
}

static enum band_way way_of(const struct rotation_seen *s, size_t i)
{
	const double slow = s->then[i] / s->now[i];
	const enum rope_type type = s->rule->type;
	if (is_near(slow, 1))
		return BAND_KEPT;
	if (type == ROPE_TYPE_DYNAMIC || type == ROPE_TYPE_LONGROPE)
		return BAND_OWN;
	return is_near(slow, s->rule->factor) ? BAND_SLOWED : BAND_BLENDED;
}

static struct band band_of(const struct rotation_seen *s, size_t i)
{
	const double turns = s->trained * s->then[i] / two_pi;
	const double wave = two_pi / s->then[i], slow = s->then[i] / s->now[i];
	return (struct band){.from = i,
			     .to = i + 1,
			     .wave_from = wave,
			     .wave_to = wave,
			     .turns_from = turns,
			     .turns_to = turns,
			     .full = turns >= 1,
			     .way = way_of(s, i),
			     .slow_from = slow,
			     .slow_to = slow,
			     .seen = reach_of_pair(s->now[i], s->then[i], s->trained)};
}

static bool is_alike(const struct band *x, const struct band *y)
{
	return x->full == y->full && x->way == y->way && isinf(x->seen) == isinf(y->seen);
}

static void gather(struct rotation_seen *s, struct arena *a)
{
	struct band *const bands = arena_calloc(a, s->pairs + 1, sizeof *bands);
	for (size_t i = 0; i < s->pairs; i++) {
		const struct band b = band_of(s, i);
		struct band *const last = s->n_bands > 0 ? &bands[s->n_bands - 1] : NULL;
		if (!last || !is_alike(last, &b)) {
			bands[s->n_bands++] = b;
			continue;
		}
		last->to = b.to;
		last->wave_to = b.wave_to;
		last->turns_to = b.turns_to;
		last->slow_from = fmin(last->slow_from, b.slow_from);
		last->slow_to = fmax(last->slow_to, b.slow_to);
		last->seen = fmin(last->seen, b.seen);
	}
	s->bands = bands;
}

/* Returns the greatest distance at which a layer's query sees a key. */
static double farthest_of(const struct known *k, const struct layer_rule *l)
{
	const double all = (double)k->declared - 1;
	const double seen = l->kind == WINDOW_SIDES ? (double)l->window : (double)l->window - 1;
	return k->declared == 0 ? 0 : l->kind == WINDOW_NONE ? all : fmin(seen, all);
}

/* Returns the member that rotates this layer. */
static bool rates_of_layer(const struct known *k, const struct expr *e, long layer, double n,
			   struct arena *a, struct member_rates *out)
{
	const size_t t_max = k->declared > 0 ? (size_t)k->declared : 512;
	for (size_t i = 0; i < e->n; i++)
		if (subset_has(&e->members[i].layers, (size_t)layer) &&
		    member_rates(&e->members[i], (size_t)k->head_dim, t_max, n, a, out))
			return true;
	return false;
}

size_t known_rotations(const struct known *k, double n, struct arena *a,
		       struct rotation_seen out[MOST_ROTATIONS])
{
	const struct expr *const e = k->expression ? expr_of(k->expression, a, NULL) : NULL;
	const double length = n > 0 ? n : k->declared > 0 ? (double)k->declared : 512;
	size_t found = 0;
	for (size_t i = 0; e && i < k->n_rotations; i++) {
		struct rotation_seen *const s = &out[found];
		struct member_rates rates;
		*s = (struct rotation_seen){.rule = &k->rotations[i]};
		for (long layer = k->layers - 1; layer >= 0; layer--)
			if (k->layer[layer].rotation == (int)i &&
			    rates_of_layer(k, e, layer, length, a, &rates)) {
				s->layers++;
				s->farthest = fmax(s->farthest, farthest_of(k, &k->layer[layer]));
			}
		if (s->layers == 0)
			continue;
		s->half = rates.half;
		s->pairs = rates.pairs;
		s->columns = 2 * rates.pairs;
		s->base = rates.base;
		s->trained = rates.trained;
		s->attention = rates.attention;
		s->now = rates.now;
		s->then = rates.then;
		gather(s, a);
		found++;
	}
	return found;
}
