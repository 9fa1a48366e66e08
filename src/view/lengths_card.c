/* lengths_card.c: the limits that the view Lengths finds, as lines of a card and as numbers. */
#include <math.h>
#include <string.h>

#include "lengths_in.h"
#include "posviz/base/num.h"
#include "posviz/scheme/reach.h"

enum { MOST_HEADS = 8 }; /* the largest number of heads whose windows are listed */

static const char *digits(double value, struct arena *a)
{
	char text[32];
	return isnan(value) ? "–" : arena_strdup(a, num_show(text, sizeof text, value, 3));
}

/* Returns "12 %", "0.3 %", "<0.1 %". */
static const char *percent(double share, struct arena *a)
{
	if (share > 0 && share < 0.001)
		return "<0.1 %";
	return arena_printf(a, share > 0 && share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
}

/* row_at returns the row with this length, if it is known; last_row returns the last known row. */
static const struct lengths_row *row_at(const struct lengths *l, size_t n)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->rows[i].n == n && l->rows[i].known)
			return &l->rows[i];
	return NULL;
}

static const struct lengths_row *last_row(const struct lengths *l)
{
	for (size_t i = l->n; i-- > 0;)
		if (l->rows[i].known)
			return &l->rows[i];
	return NULL;
}

/* The rows that the card is about: the longest text, and that of t_max positions, NULL if this
 * is the longest. */
struct look {
	const struct view_data *d;
	const struct lengths *l;
	size_t head;
	const struct lengths_row *longest, *made_for;
	struct arena *a;
	struct card *card;
};

static const struct lengths_head *at_longest(const struct look *k)
{
	return &k->longest->heads[k->head];
}

static void say_setup(const struct look *k)
{
	if (k->l->plain)
		card_add(k->card, "positions", "the same token vector at each",
			 "keys differ by position alone; probe off repeats the sentence");
	else
		card_add(k->card, "positions", "the sentence, repeated",
			 "probe ones has the same token vector everywhere");
	card_add(k->card, "queries", "last, and mean",
		 arena_printf(k->a, "of %d spread evenly; each over all keys, exactly",
			      LENGTHS_QUERIES));
}

static void say_end(const struct look *k)
{
	const struct lengths *const l = k->l;
	if (l->ends == 0)
		card_add(k->card, "length", arena_printf(k->a, "to %zu", k->longest->n),
			 k->longest->n == l->rows[l->n - 1].n ? "all, up to 8 × t-max" : "so far");
	else
		card_add(k->card, l->memory_ends ? "stopped" : "ends",
			 arena_printf(k->a, "at %zu", l->ends), lengths_why_ends(l, k->a));
}

/* Weights that are negative at some key are no shares: distance and entropy have no meaning. */
static void say_shares(const struct look *k)
{
	if (isnan(at_longest(k)->last[LENGTHS_ENTROPY]))
		card_add(k->card, "weights", "no shares",
			 arena_printf(k->a, "at n = %zu some are negative: no distance, no entropy",
				      k->longest->n));
}

static void say_trained(const struct look *k)
{
	const double to = k->l->trained[k->head];
	const double *const far = k->l->unseen_pairs;
	const double on = k->l->turns.trained_to;
	const char *const from =
		lengths_stretched(k->l)
			? arena_printf(k->a, "on %.0f positions, %s", on, to > on ? "scaled " : "")
			: "";
	if (isinf(to)) {
		card_add(k->card, "in training", "all distances",
			 "far ones get numbers that texts of t-max tokens had, too");
		return;
	}
	card_add(k->card, "in training", arena_printf(k->a, "%sto distance %.0f", from, to),
		 arena_printf(k->a, "at 2, 4, 8 × t-max %s, %s, %s of pairs are farther",
			      percent(far[0], k->a), percent(far[1], k->a), percent(far[2], k->a)));
	const double unseen = at_longest(k)->unseen;
	if (!isnan(unseen) && k->longest->n > k->l->t_max)
		card_add(k->card, "beyond",
			 arena_printf(k->a, "%s of the weight", percent(unseen, k->a)),
			 arena_printf(k->a,
				      "of the last query is at distances that training had not, at "
				      "n = %zu",
				      k->longest->n));
}

static void say_saturation(const struct look *k)
{
	const double from = at_longest(k)->saturates;
	if (!k->l->plain || isnan(at_longest(k)->near))
		return;
	if (isnan(from))
		card_add(k->card, "saturates", "no: far logits differ",
			 "there is no distance from which all keys are alike");
	else if (!(from > 0))
		card_add(k->card, "saturates", "from distance 0",
			 "logits are the same for all keys");
	else
		card_add(k->card, "saturates", arena_printf(k->a, "from distance %.0f", from),
			 "to the last query all keys before that are alike");
}

/* Adds the windows of all heads; if there are many, only the least and the greatest. */
static void say_windows_of_heads(const struct look *k)
{
	const char *list = "";
	const size_t heads = k->l->heads;
	double least = INFINITY, most = 0;
	for (size_t h = 0; h < heads; h++) {
		const double window = k->longest->heads[h].window;
		list = arena_printf(k->a, "%s%s%.0f", list, h ? ", " : "", window);
		least = fmin(least, window);
		most = fmax(most, window);
	}
	if (!(least < most))
		return;
	if (heads > MOST_HEADS)
		card_add(k->card, "by head", arena_printf(k->a, "%.0f to %.0f", least, most),
			 arena_printf(k->a, "that of %zu heads, at n = %zu", heads, k->longest->n));
	else
		card_add(k->card, "by head", list,
			 arena_printf(k->a, "that of heads 1 to %zu, at n = %zu", heads,
				      k->longest->n));
}

static void say_window(const struct look *k)
{
	const double now = at_longest(k)->window;
	const double then = k->made_for ? k->made_for->heads[k->head].window : (double)NAN;
	if (isnan(now))
		return;
	if (now <= then)
		card_add(k->card, "99 % within", arena_printf(k->a, "%.0f positions", now),
			 "before the last query, at any n: it has closed");
	else
		card_add(
			k->card, "99 % within",
			isnan(then) ? arena_printf(k->a, "%.0f", now)
				    : arena_printf(k->a, "%.0f → %.0f", then, now),
			arena_printf(k->a, "positions before the last query at n = %s%zu",
				     isnan(then) ? "" : arena_printf(k->a, "%zu, ", k->made_for->n),
				     k->longest->n));
	say_windows_of_heads(k);
}

/* Adds the keys that a mask leaves the last query of every text. */
static void say_mask(const struct look *k)
{
	const size_t keys = k->d->earlier ? 0 : lengths_keys_left(k->d);
	if (keys > 0)
		card_add(k->card, "window", arena_printf(k->a, "%zu keys", keys),
			 "no more are seen by the last query, however long the text");
}

/* Returns "0, 4, 4". */
static const char *three(const size_t *n, struct arena *a)
{
	return arena_printf(a, "%zu, %zu, %zu", n[0], n[1], n[2]);
}

static void say_turns(const struct look *k)
{
	const struct lengths_turns *const t = &k->l->turns;
	if (t->pairs == 0)
		return;
	if (t->scaled)
		card_add(k->card, "new angles",
			 arena_printf(k->a, "%s of %zu pairs at 2, 4, 8 × t-max",
				      three(t->leave, k->a), t->pairs),
			 arena_printf(k->a, "of columns; unscaled %s", three(t->unscaled, k->a)));
	else if (t->slow == 0)
		card_add(k->card, "full rotation", arena_printf(k->a, "all %zu pairs", t->pairs),
			 "rotate fully within t-max positions: no angle is new beyond");
	else
		card_add(k->card, "no full rotation",
			 arena_printf(k->a, "%zu of %zu pairs", t->slow, t->pairs),
			 arena_printf(k->a,
				      "of columns, within t-max; the slowest needs "
				      "%s positions",
				      digits(t->slowest, k->a)));
}

/* Adds the logit of the last query with itself: this key is always equally near, so a change is
 * not due to distance. */
static void say_scale(const struct look *k)
{
	const double now = at_longest(k)->near;
	const double then = k->made_for ? k->made_for->heads[k->head].near : (double)NAN;
	if (isnan(now) || isnan(then))
		return;
	if (fabs(now - then) <= 1e-9 * (1 + fabs(now)))
		card_add(k->card, "logits", "last query with itself: the same", "at any n");
	else
		card_add(k->card, "logits",
			 arena_printf(k->a, "last query with itself: %s → %s", digits(then, k->a),
				      digits(now, k->a)),
			 arena_printf(k->a, "at n = %zu and %zu", k->made_for->n, k->longest->n));
}

static void say_entropy(const struct look *k)
{
	const double entropy = at_longest(k)->last[LENGTHS_ENTROPY];
	if (!isnan(entropy) && k->longest->n > 1)
		card_add(k->card, "entropy",
			 arena_printf(k->a, "%s of ln n",
				      percent(entropy / log((double)k->longest->n), k->a)),
			 arena_printf(k->a, "%s nats of the last query at n = %zu",
				      digits(entropy, k->a), k->longest->n));
}

/* Types to which programs round position numbers: whole ones up to a power of two are kept. */
static void say_rounding(const struct look *k)
{
	if (k->l->turns.pairs == 0)
		return;
	const double brief = reach_of_rounded("bfloat16"), half = reach_of_rounded("float16");
	card_add(k->card, "rounding",
		 arena_printf(k->a, "%.0f in bfloat16, %.0f in float16", brief, half),
		 "the first position that falls together with the one before it, where a program "
		 "rounds position numbers to these types");
}

static struct look look_of(const struct view_data *d, struct arena *a)
{
	const struct lengths *const l = d->lengths;
	struct look k = {.d = d, .l = l, .head = view_head(d), .longest = last_row(l), .a = a};
	k.made_for = row_at(l, l->t_max);
	if (k.made_for == k.longest)
		k.made_for = NULL;
	return k;
}

void lengths_card(const struct view_data *d, struct arena *a, struct panel *p)
{
	struct look k = look_of(d, a);
	*p = (struct panel){.name = "ends",
			    .title = "Limits of length",
			    .note = view_head_note(d, a),
			    .short_note = view_short_head(d, a)};
	k.card = card_new(p, a);
	say_end(&k);
	say_shares(&k);
	say_mask(&k);
	say_window(&k);
	say_turns(&k);
	say_saturation(&k);
	say_trained(&k);
	say_entropy(&k);
	say_scale(&k);
	say_rounding(&k);
	say_setup(&k);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static size_t known(const struct lengths *l)
{
	size_t n = 0;
	for (size_t i = 0; i < l->n; i++)
		n += l->rows[i].known;
	return n;
}

/* Returns a measure, [heads, lengths]. */
static struct mat measures_of(const struct lengths *l, enum lengths_measure m, bool last,
			      struct arena *a)
{
	const struct mat out = mat_new(a, l->heads, known(l));
	size_t at = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (!l->rows[i].known)
			continue;
		for (size_t h = 0; h < l->heads; h++)
			mat_row(out, h)[at] =
				last ? l->rows[i].heads[h].last[m] : l->rows[i].heads[h].mean[m];
		at++;
	}
	return out;
}

static void add_rows(const struct lengths *l, struct arena *a, struct numbers *out)
{
	const struct mat n = mat_new(a, 1, known(l));
	size_t at = 0;
	for (size_t i = 0; i < l->n; i++)
		if (l->rows[i].known)
			n.at[at++] = (double)l->rows[i].n;
	numbers_add(out, "lengths.n", n);
	for (size_t m = 0; m < LENGTHS_MEASURES; m++) {
		const char *const name = lengths_measure_names[m];
		numbers_add(out, arena_printf(a, "lengths.%s.last", name),
			    measures_of(l, (enum lengths_measure)m, true, a));
		numbers_add(out, arena_printf(a, "lengths.%s.mean", name),
			    measures_of(l, (enum lengths_measure)m, false, a));
	}
}

static void say_ends(const struct look *k, struct numbers *out)
{
	const struct lengths *const l = k->l;
	struct arena *const a = k->a;
	const double trained = l->trained[k->head];
	numbers_say(out, "lengths.ends", l->ends ? (double)l->ends : (double)NAN,
		    l->ends ? arena_printf(a, "%zu", l->ends) : "n/a: it computes all of them",
		    l->ends ? l->why_ends : "the longest text that can be computed");
	numbers_say(out, "lengths.trained", isinf(trained) ? (double)NAN : trained,
		    isinf(trained) ? "n/a: any distance" : arena_printf(a, "%.0f", trained),
		    "the greatest distance that t-max positions show");
	for (size_t i = 0; i < LENGTHS_BEYOND; i++)
		numbers_say(out, arena_printf(a, "lengths.farther.%d", 2 << i), l->unseen_pairs[i],
			    percent(l->unseen_pairs[i], a),
			    arena_printf(a, "of pairs are farther, at %d × t-max", 2 << i));
}

void lengths_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct lengths *const l = d->lengths;
	if (l->why) {
		numbers_say(out, "lengths.n", NAN, arena_printf(a, "n/a: %s", l->why), "lengths");
		return;
	}
	const struct look k = look_of(d, a);
	const struct lengths_head *const far = at_longest(&k);
	add_rows(l, a, out);
	say_ends(&k, out);
	numbers_say(out, "lengths.window", far->window,
		    isnan(far->window) ? "n/a: no shares of positions" : digits(far->window, a),
		    arena_printf(a, "positions have 99 %% of the last query's weight, n = %zu",
				 k.longest->n));
	numbers_say(out, "lengths.saturates", far->saturates,
		    isnan(far->saturates) ? "n/a: it does not" : digits(far->saturates, a),
		    "the distance from which logits of the last query are one number");
	if (l->turns.pairs > 0)
		numbers_say(out, "lengths.turns", (double)l->turns.slow,
			    arena_printf(a, "%zu of %zu", l->turns.slow, l->turns.pairs),
			    "pairs of columns make no full rotation within t-max");
	for (size_t i = 0; l->turns.scaled && i < LENGTHS_BEYOND; i++)
		numbers_say(out, arena_printf(a, "lengths.leave.%d", 2 << i),
			    (double)l->turns.leave[i],
			    arena_printf(a, "%zu of %zu, unscaled %zu", l->turns.leave[i],
					 l->turns.pairs, l->turns.unscaled[i]),
			    arena_printf(a, "pairs leave the angles of training, at %d × t-max",
					 2 << i));
	for (size_t m = 0; m < LENGTHS_MEASURES; m++)
		numbers_say(out, arena_printf(a, "lengths.longest.%s", lengths_measure_names[m]),
			    far->last[m], digits(far->last[m], a),
			    arena_printf(a, "of the last query, n = %zu", k.longest->n));
}
