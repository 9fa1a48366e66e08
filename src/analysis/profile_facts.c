/* profile_facts.c: sentences on what stands out among the heads of a profile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "profile_run.h"

struct profile_head *profile_results(struct profile *p, bool noise, struct arena *a)
{
	const struct profile_sizes *const z = profile_sizes_of(p);
	struct profile_head *const out = arena_calloc(a, z->layers * z->heads, sizeof *out);
	for (size_t i = 0; i < z->layers * z->heads; i++)
		profile_result(p, i / z->heads, i % z->heads, noise, a, &out[i]);
	return out;
}

const char *profile_made(const struct profile_run *run, size_t windows, struct arena *a)
{
	const struct profile_sizes *const z = &run->sizes;
	const size_t inner = z->n - z->front - z->back;
	const char *const made = arena_printf(a, "%zu window%s of %zu tokens", windows,
					      windows == 1 ? "" : "s", z->n);
	if (!run->tokens)
		return arena_printf(a, "%s, from a file", made);
	if (run->drawn)
		return arena_printf(
			a,
			"%s, of %zu tokens drawn from its vocabulary, which cannot spell our text",
			made, run->tokens);
	return arena_printf(a, "%s%s%s, from a text of %zu tokens%s", made,
			    z->front + z->back
				    ? arena_printf(a, ", %zu of them added by the tokenizer",
						   z->front + z->back)
				    : "",
			    run->trained ? "" : ", with drawn vectors", run->tokens,
			    run->tokens < windows * inner ? "; windows overlap" : "");
}

/* ---- heads that have much of something --------------------------------------------------------- */

struct found {
	size_t head;
	double value;
};

static int largest_first(const void *a, const void *b)
{
	const struct found *const x = a, *const y = b;
	const int by_value = (x->value < y->value) - (x->value > y->value);
	return by_value ? by_value : (x->head > y->head) - (x->head < y->head);
}

enum { NAMED = 4 };

/* Returns "layer 2 head 1 (97 %), …, and 3 more", the largest first. */
static const char *list(const struct profile_run *run, struct found *found, size_t n,
			struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	qsort(found, n, sizeof *found, largest_first);
	for (size_t i = 0; i < n && i < NAMED; i++)
		strbuf_printf(&out, "%slayer %zu head %zu (%.0f %%)", i ? ", " : "",
			      found[i].head / run->sizes.heads + 1,
			      found[i].head % run->sizes.heads + 1, 100 * found[i].value);
	if (n > NAMED)
		strbuf_printf(&out, ", and %zu more", n - NAMED);
	return out.at;
}

/* Returns the number of a head that a sentence names; NaN: the sentence is not about that head. */
typedef double number_of(const struct profile_head *h, size_t score);

static double position(const struct profile_head *h, size_t score)
{
	(void)score;
	const double share = h->distance + h->key;
	return share >= PROFILE_ALL ? share : NAN;
}

static double content(const struct profile_head *h, size_t score)
{
	(void)score;
	const double share = h->distance + h->key;
	return share <= PROFILE_NONE ? share : NAN;
}

static double much(const struct profile_head *h, size_t score)
{
	return h->stands[score] && h->score[score] >= PROFILE_MUCH ? h->score[score] : NAN;
}

static const struct fact {
	number_of *of;
	size_t score;
	const char *one, *many; /* with a place for the list */
} facts[] = {
	{position, 0, "Position makes nearly all of one head's logits vary within rows: %s.",
	 "Position makes nearly all of the logits of %zu heads vary within rows: %s."},
	{content, 0, "One head ignores position, which makes 1 % of its logits or less vary: %s.",
	 "%zu heads ignore position, which makes 1 % of their logits or less vary: %s."},
	{much, PROFILE_PREVIOUS, "One head gives most of its weight to the previous token: %s.",
	 "%zu heads give most of their weight to the previous token: %s."},
	{much, PROFILE_FIRST, "One head gives most of its weight to the first token, a sink: %s.",
	 "%zu heads give most of their weight to the first token, a sink: %s."},
	{much, PROFILE_SAME,
	 "One head gives most of its weight to other occurrences of the same token: %s.",
	 "%zu heads give most of their weight to other occurrences of the same token: %s."},
	{much, PROFILE_INDUCTION,
	 "One head gives most of its weight to what followed a token before, on repeated tokens "
	 "(induction): %s.",
	 "%zu heads give most of their weight to what followed a token before, on repeated tokens "
	 "(induction): %s."},
};

static const char *tell(const struct profile_run *run, const struct profile_head *heads,
			const struct fact *f, struct arena *a)
{
	const size_t cells = run->sizes.layers * run->sizes.heads;
	struct found *const found = arena_calloc(a, cells, sizeof *found);
	size_t n = 0;
	for (size_t i = 0; i < cells; i++) {
		const double value = f->of(&heads[i], f->score);
		if (!isnan(value))
			found[n++] = (struct found){i, value};
	}
	if (n == 0)
		return NULL;
	const char *const names = list(run, found, n, a);
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *at = n == 1 ? f->one : f->many; *at; at++) {
		if (strncmp(at, "%zu", 3) == 0)
			strbuf_printf(&out, "%zu", n);
		else if (strncmp(at, "%s", 2) == 0)
			strbuf_add(&out, names);
		else
			strbuf_printf(&out, "%c", *at);
		at += strncmp(at, "%zu", 3) == 0 ? 2 : strncmp(at, "%s", 2) == 0;
	}
	return out.at;
}

/* ---- bands ------------------------------------------------------------------------------------- */

static bool is_used(const struct profile_run *run, const struct profile_head *heads, size_t band)
{
	for (size_t i = 0; i < run->sizes.layers * run->sizes.heads; i++)
		if (heads[i].band && fabs(heads[i].band[band]) >= PROFILE_BAND)
			return true;
	return false;
}

static const char *tell_bands(const struct profile_run *run, const struct profile_head *heads,
			      struct arena *a)
{
	const size_t bands = run->sizes.bands;
	size_t unused = 0;
	const char *which = "";
	for (size_t i = 0, from = 0; i <= bands; i++) {
		const bool used = i == bands || is_used(run, heads, i);
		unused += !used;
		if (used && i > from)
			which = arena_printf(a, i - from > 1 ? "%s%s%zu–%zu" : "%s%s%zu", which,
					     *which ? ", " : "", from + 1, i);
		from = used ? i + 1 : from;
	}
	return unused == 0 || unused == bands
		       ? NULL
		       : arena_printf(
				 a,
				 "Of %zu bands %zu make less than 0.1 %% of the logits' variance in "
				 "every head: %s, the first the fastest.",
				 bands, unused, which);
}

/* ---- a token and itself ------------------------------------------------------------------------ */

/* Returns whether the kernel is higher at distance 0 than at any other, by more than the others differ. */
static bool is_of_itself(const struct profile_head *h, size_t n)
{
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = 0; i < 2 * n - 1 && h->kernel; i++)
		if (i != n - 1 && !isnan(h->kernel[i])) {
			lo = fmin(lo, h->kernel[i]);
			hi = fmax(hi, h->kernel[i]);
		}
	return lo < hi && h->kernel[n - 1] - hi > hi - lo;
}

static const char *tell_itself(const struct profile_run *run, const struct profile_head *heads,
			       struct arena *a)
{
	const size_t cells = run->sizes.layers * run->sizes.heads;
	size_t n = 0;
	for (size_t i = 0; i < cells; i++)
		n += is_of_itself(&heads[i], run->sizes.n);
	return n == 0 ? NULL
		      : arena_printf(a,
				     "The kernel of %s stands out at distance 0 alone: there a "
				     "token meets itself, which is content as much as position.",
				     n == cells ? "every head"
				     : n == 1	? "one head"
						: arena_printf(a, "%zu heads", n));
}

size_t profile_facts(const struct profile_run *run, const struct profile_head *heads,
		     struct arena *a, const char *out[PROFILE_FACTS])
{
	size_t n = 0;
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		const char *const said = tell(run, heads, &facts[i], a);
		if (said)
			out[n++] = said;
	}
	const char *const itself = tell_itself(run, heads, a);
	const char *const bands = tell_bands(run, heads, a);
	if (itself)
		out[n++] = itself;
	if (bands)
		out[n++] = bands;
	if (n == 0)
		out[n++] =
			"No head is of position alone, ignores it, or gives most of its weight to one kind of token.";
	return n;
}
