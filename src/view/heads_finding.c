/* heads_finding.c: sentences of the view Heads. The one above its matrices names the distance that most
 * heads prefer, the head that prefers another one, and the sharpest and the broadest head. */
#include "heads_in.h"
#include "said_in.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char apart_words[] = " at different distances";
static const double ALIKE = 1.1; /* entropies up to this ratio are told as alike */

static size_t count_at(const struct heads_item *items, size_t n, long peak)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += items[i].peaks && items[i].peak == peak;
	return count;
}

/* Returns the distance at which most items have their largest value; *count gets their number. */
static long common_peak(const struct heads_item *items, size_t n, size_t *count)
{
	long best = 0;
	*count = 0;
	for (size_t i = 0; i < n; i++) {
		const size_t here = items[i].peaks ? count_at(items, n, items[i].peak) : 0;
		if (here <= *count)
			continue;
		*count = here;
		best = items[i].peak;
	}
	return best;
}

/* Returns "s−t = −2". */
static const char *equation(const char *sign, long x, struct arena *a)
{
	return arena_printf(a, "%s = %s%ld", sign, x < 0 ? "−" : "", labs(x));
}

/* Returns "the token itself (s−t = 0)", or what else a distance is called. */
static const char *place(const char *sign, const char *of, long x, struct arena *a)
{
	const char *const at = equation(sign, x, a);
	if (of != NULL)
		return at;
	if (strcmp(sign, "s−t") != 0)
		return arena_printf(a, "keys at %s", at);
	return x == 0 ? arena_printf(a, "the token itself (%s)", at)
		      : arena_printf(a, "the key %s%s (%s)",
				     labs(x) == 1 ? "just" : arena_printf(a, "%ld", labs(x)),
				     x < 0 ? " before" : " after", at);
}

/* Returns ", a mean of 2 pairs" of a distance at which a text has few; "" of others, and of other numbers of pairs. */
static const char *rarely(const struct heads_item *item, const char *sign, long peak,
			  struct arena *a)
{
	enum { FEW = 3 };
	const size_t far = (size_t)labs(peak), n = item->keys > far ? item->keys - far : 0;
	if (strcmp(sign, "s−t") != 0 || n == 0 || n > FEW)
		return "";
	return n == 1 ? ", one pair alone" : arena_printf(a, ", a mean of %zu pairs", n);
}

/* Returns "head 3", "heads 1 and 3", "3 of the heads": the items whose entropy reads like that of `at`; *one: it
 * is a single one. */
static const char *like(const struct heads_item *items, size_t n, size_t at, bool *one,
			struct arena *a)
{
	size_t same = 0, last = at;
	for (size_t i = 0; i < n; i++)
		if (strcmp(items[i].entropy_text, items[at].entropy_text) == 0) {
			same++;
			last = i == at ? last : i;
		}
	*one = same == 1;
	const size_t first = last < at ? last : at, other = last < at ? at : last;
	return *one	   ? items[at].title
	       : same == 2 ? arena_printf(a, "%s and %s", items[first].title, items[other].title)
			   : arena_printf(a, "%zu of them", same);
}

/* Returns "; head 3 is sharpest (entropy 1.52 nats), head 2 broadest (1.81)"; of equal ones, "heads 1 and 3 are";
 * "; all are equally sharp (entropy 1.52 nats)"; of those within a tenth "; all are about equally sharp (entropy 1.52
 * to 1.6 nats)". */
static const char *spread(const struct heads_item *items, size_t n, struct arena *a)
{
	size_t least = 0, most = 0;
	bool sharp, broad;
	for (size_t i = 0; i < n; i++) {
		if (isnan(items[i].entropy))
			return "";
		least = items[i].entropy < items[least].entropy ? i : least;
		most = items[i].entropy > items[most].entropy ? i : most;
	}
	if (strcmp(items[least].entropy_text, items[most].entropy_text) == 0)
		return arena_printf(a, "; all are equally sharp (entropy %s nats)",
				    items[least].entropy_text);
	if (items[most].entropy <= ALIKE * items[least].entropy)
		return arena_printf(a, "; all are about equally sharp (entropy %s to %s nats)",
				    items[least].entropy_text, items[most].entropy_text);
	const char *const first = like(items, n, least, &sharp, a);
	const char *const last = like(items, n, most, &broad, a);
	return arena_printf(a, "; %s %s sharpest (entropy %s nats), %s broadest (%s)", first,
			    sharp ? "is" : "are", items[least].entropy_text, last,
			    items[most].entropy_text);
}

/* Returns ", head 2 to the key just before (s−t = −1)" if one item alone differs. */
static const char *others(const struct heads_item *items, size_t n, long peak, size_t count,
			  const char *sign, const char *of, struct arena *a)
{
	if (count == n)
		return "";
	for (size_t i = 0; i < n && count + 1 == n; i++)
		if (items[i].peaks && items[i].peak != peak)
			return arena_printf(a, ", %s %s %s", items[i].title, of ? "at" : "to",
					    place(sign, of, items[i].peak, a));
	return arena_printf(a, ", the other %s elsewhere", n - count == 1 ? "one" : "ones");
}

/* Returns "The 4 heads attend most, on average, at different distances: s−t = −4, −9, 1, −7"; NULL: some agree, or have
 * none. */
static const char *all_differ(const struct heads_item *items, size_t n, const char *what,
			      const char *sign, const char *of, bool brief, struct arena *a)
{
	enum { NAMED = 6 };
	const char *list = "";
	for (size_t i = 0; i < n; i++) {
		const long x = items[i].peak;
		if (!items[i].peaks || count_at(items, n, x) > 1)
			return NULL;
		list = arena_printf(a, "%s%s%s%ld", list, i ? ", " : "", x < 0 ? "−" : "", labs(x));
	}
	return arena_printf(a, "The %zu %s %s%s%s%s", n, what,
			    of	    ? arena_printf(a, "have the largest mean %s", of)
			    : brief ? "attend most"
				    : "attend most, on average,",
			    apart_words, n > NAMED ? "" : arena_printf(a, ": %s = ", sign),
			    n > NAMED ? "" : list);
}

const char *heads_finding(const struct heads_item *items, size_t n, const char *what,
			  const char *sign, const char *of, bool brief, struct arena *a)
{
	size_t count;
	if (n < 2)
		return NULL;
	if (!sign) {
		const char *const alone = spread(items, n, a);
		return *alone ? arena_printf(a, "%s.", said_capital(alone + strlen("; "), a))
			      : NULL;
	}
	const long peak = common_peak(items, n, &count);
	const char *const broad = of == NULL && !brief ? spread(items, n, a) : "";
	const char *const each = all_differ(items, n, what, sign, of, brief, a);
	if (each)
		return arena_printf(a, "%s%s.", each, broad);
	if (count == 0)
		return arena_printf(a, "No distance is preferred in any of the %zu %s%s.", n, what,
				    broad);
	const char *const who = count == n ? arena_printf(a, "All %zu %s", n, what)
					   : arena_printf(a, "%zu of %zu %s", count, n, what);
	return arena_printf(a, "%s %s %s%s%s%s.", who,
			    of	    ? arena_printf(a, "have the largest mean %s at", of)
			    : brief ? "attend most to"
				    : "attend most, on average, to",
			    place(sign, of, peak, a), rarely(items, sign, peak, a),
			    brief ? "" : others(items, n, peak, count, sign, of, a), broad);
}

const char *heads_finding_least(const char *brief, struct arena *a)
{
	const char *const apart = brief ? strstr(brief, apart_words) : NULL;
	if (!apart || apart[strlen(apart_words)] != ':')
		return NULL;
	return arena_printf(a, "%.*s at%s", (int)(apart - brief), brief,
			    apart + strlen(apart_words) + 1);
}

const char *heads_without_axis(const struct view_data *d)
{
	const struct view_axes axes = view_matrix_axes(d);
	if (!axes.heads && !axes.layers)
		return "the file has no axes of heads and layers: there is one matrix";
	return axes.layers ? "the file has no axis of heads: there is one matrix in each layer"
			   : "the file has no axis of layers: there is one matrix for each head";
}
