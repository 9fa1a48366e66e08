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

enum { NAMED = 3 };

/* Returns "2·1", layer and head; of a single layer "head 1" is "1". */
static const char *name_of(const struct profile_run *run, size_t cell, struct arena *a)
{
	const size_t heads = run->sizes.heads;
	return run->sizes.layers > 1
		       ? arena_printf(a, "%zu·%zu", cell / heads + 1, cell % heads + 1)
		       : arena_printf(a, "%zu", cell + 1);
}

/* Returns a share in percent: never 0 % or 100 % that is neither. */
static const char *percent(double share, struct arena *a)
{
	static const double rounding = 1e-6;
	return share > rounding && share < 0.005 ? "less than 1 %"
	       : share < 1 - rounding && share > 0.995
		       ? "more than 99 %"
		       : arena_printf(a, "%.0f %%", 100 * share + 0.0);
}

/* Returns ": 2·1 (97 %), 1·4 (84 %)", the largest first; of more than can be named ", up to 97 % (2·1)", and of all
 * ", 55 % (2·4) to 97 % (2·1)" or ", 97 % each". */
static const char *list(const struct profile_run *run, const struct found *found, size_t n,
			struct arena *a)
{
	const size_t cells = run->sizes.layers * run->sizes.heads;
	const char *const most = percent(found[0].value, a), *const least =
								     percent(found[n - 1].value, a);
	const char *const first = name_of(run, found[0].head, a);
	struct strbuf out;
	strbuf_init(&out, a);
	if (n > NAMED && strcmp(most, least) == 0)
		return arena_printf(a, ", %s each", most);
	if (n > NAMED && n < cells)
		return arena_printf(a, ", up to %s (%s)", most, first);
	if (n > NAMED)
		return arena_printf(a, ", %s (%s) to %s (%s)", least,
				    name_of(run, found[n - 1].head, a), most, first);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&out, "%s%s (%s)", i ? ", " : ": ", name_of(run, found[i].head, a),
			      percent(found[i].value, a));
	return out.at;
}

/* Returns the number of a head that a sentence names; NaN: the sentence is not about that head. */
typedef double number_of(const struct profile_head *h, size_t score);

static double any_position(const struct profile_head *h, size_t score)
{
	(void)score;
	return h->distance + h->key;
}

static double position(const struct profile_head *h, size_t score)
{
	const double share = any_position(h, score);
	return share >= PROFILE_MUCH ? share : NAN;
}

static double content(const struct profile_head *h, size_t score)
{
	const double share = any_position(h, score);
	return share <= PROFILE_NONE ? share : NAN;
}

static double much(const struct profile_head *h, size_t score)
{
	return h->stands[score] && h->score[score] >= PROFILE_MUCH ? h->score[score] : NAN;
}

static const struct fact {
	size_t score;
	const char *what; /* "most of its weight to …" */
} facts[] = {
	{PROFILE_PREVIOUS, "the previous token"},
	{PROFILE_FIRST, "the first token, a sink"},
	{PROFILE_SAME, "other occurrences of the same token"},
	{PROFILE_INDUCTION, "what followed a token before, on repeated tokens (induction)"},
};

/* Finds the heads that have a number, the largest first, [*n]. */
static struct found *find(const struct profile_run *run, const struct profile_head *heads,
			  number_of *of, size_t score, struct arena *a, size_t *n)
{
	const size_t cells = run->sizes.layers * run->sizes.heads;
	struct found *const found = arena_calloc(a, cells + 1, sizeof *found);
	*n = 0;
	for (size_t i = 0; i < cells; i++) {
		const double value = of(&heads[i], score);
		if (!isnan(value))
			found[(*n)++] = (struct found){i, value};
	}
	qsort(found, *n, sizeof *found, largest_first);
	return found;
}

/* Returns "3 of 8 heads", "all 8 heads", "the only head". */
static const char *how_many(size_t n, size_t all, struct arena *a)
{
	return all == 1	  ? "the only head"
	       : n == all ? arena_printf(a, "all %zu heads", all)
			  : arena_printf(a, "%zu of %zu heads", n, all);
}

/* Returns it with a capital at the beginning. */
static const char *capital(const char *text, struct arena *a)
{
	return *text >= 'a' && *text <= 'z' ? arena_printf(a, "%c%s", *text - 'a' + 'A', text + 1)
					    : text;
}

/* Returns whether a share is said as 1 % or less. */
static bool is_ignored(double share)
{
	return share < PROFILE_NONE + 0.005;
}

/* Returns whether some head goes by position at all. */
static bool is_of_position(const struct profile_run *run, const struct profile_head *heads)
{
	for (size_t i = 0; i < run->sizes.layers * run->sizes.heads; i++)
		if (!is_ignored(any_position(&heads[i], 0)))
			return true;
	return false;
}

/* Tells how much of the logits is position, whatever that is; NULL: no head's logits vary. */
static const char *tell_position(const struct profile_run *run, const struct profile_head *heads,
				 struct arena *a)
{
	const size_t cells = run->sizes.layers * run->sizes.heads;
	size_t n, any;
	struct found *const by = find(run, heads, position, 0, a, &n);
	const struct found *const all = find(run, heads, any_position, 0, a, &any);
	if (any == 0)
		return NULL;
	const char *const most = percent(all[0].value, a), *const name =
								   name_of(run, all[0].head, a);
	if (n > 0)
		return arena_printf(a, "Position explains most of the logits' variance in %s%s.",
				    how_many(n, cells, a), list(run, by, n, a));
	if (cells == 1)
		return arena_printf(
			a,
			"The only head does not go mostly by position, which explains %s "
			"of the logits' variance.",
			most);
	return arena_printf(a,
			    "No head goes %sby position, which explains %s%s of the logits' "
			    "variance%s.",
			    is_ignored(all[0].value) ? "" : "mostly ",
			    all[0].value < 0.005 ? "" : "at most ", most,
			    all[0].value < 0.005 ? "" : arena_printf(a, " (%s)", name));
}

/* Tells which heads give most of their weight to one kind of token; NULL: none. */
static const char *tell_weight(const struct profile_run *run, const struct profile_head *heads,
			       const struct fact *f, struct arena *a)
{
	const size_t cells = run->sizes.layers * run->sizes.heads;
	size_t n;
	struct found *const found = find(run, heads, much, f->score, a, &n);
	return n == 0 ? NULL
		      : arena_printf(a, "%s give%s most of %s weight to %s%s.",
				     capital(how_many(n, cells, a), a), n == 1 ? "s" : "",
				     n == 1 ? "its" : "their", f->what, list(run, found, n, a));
}

/* Tells which heads ignore position, where others do not. */
static const char *tell_content(const struct profile_run *run, const struct profile_head *heads,
				struct arena *a)
{
	const size_t cells = run->sizes.layers * run->sizes.heads;
	size_t n;
	const struct found *const found = find(run, heads, content, 0, a, &n);
	const char *names = "";
	if (n == 0 || !is_of_position(run, heads))
		return NULL;
	for (size_t i = 0; i < n && n <= NAMED; i++)
		names = arena_printf(a, "%s%s%s", names, i ? ", " : ": ",
				     name_of(run, found[i].head, a));
	return arena_printf(a, "%s ignore%s position, which explains 1 %% or less%s.",
			    capital(how_many(n, cells, a), a), n == 1 ? "s" : "", names);
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
	size_t n = 0, which = 0;
	for (size_t i = 0; i < cells; i++)
		if (is_of_itself(&heads[i], run->sizes.n)) {
			which = i;
			n++;
		}
	static const char where[] =
		"at distance 0 alone, where a token meets itself, which needs no positions";
	if (n == 0)
		return NULL;
	return cells == 1   ? arena_printf(a, "The kernel stands out %s.", where)
	       : n == 1	    ? arena_printf(a, "The kernel of head %s stands out %s.",
					   name_of(run, which, a), where)
	       : n == cells ? arena_printf(a, "All kernels stand out %s.", where)
			    : arena_printf(a, "%zu kernels stand out %s.", n, where);
}

size_t profile_facts(const struct profile_run *run, const struct profile_head *heads,
		     struct arena *a, const char *out[PROFILE_FACTS])
{
	size_t n = 0;
	const char *const first = tell_position(run, heads, a);
	if (first)
		out[n++] = first;
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		const char *const said = tell_weight(run, heads, &facts[i], a);
		if (said)
			out[n++] = said;
	}
	/* A kernel of next to nothing has no shape to tell of. */
	const char *const others[] = {is_of_position(run, heads) ? tell_itself(run, heads, a)
								 : NULL,
				      tell_content(run, heads, a), tell_bands(run, heads, a)};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i])
			out[n++] = others[i];
	if (n == 0)
		out[n++] =
			"No head's logits vary within rows, and none gives most of its weight to one kind of token.";
	return n;
}
