/* schemes_find.c: which schemes are meant by what is typed, the best first.
 *
 * Each word that is typed must mean something of the scheme; how well it does so is a number, the
 * worst of which counts. Ids and aliases are worth most, then authors and year, then words of the
 * title and the family. The last resort is what is nearly right: a misspelt id before letters in the right
 * order, and both in an id before the same in its title, where nearly all letters can be found. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tui_in.h"

/* Smaller is better. */
enum {
	EXACT,
	BEGINS,
	YEAR,
	WORD,
	INSIDE,
	FAMILY,
	MISSPELT,
	LETTERS,
	MISSPELT_WORD,
	LETTERS_APART,
	NONE
};

enum { WORD_BYTES = 64, MOST_WORDS = 64, SHORT_WORD = 4 };

struct match {
	const struct scheme *scheme;
	unsigned rank;
	size_t order; /* in the menu */
};

/* How a word is found in a text: as one of its words, as the beginning of one, or inside. */
static unsigned in_text(const char *text, const char *word)
{
	const size_t len = strlen(word);
	unsigned best = NONE;
	for (const char *at = text; *at;) {
		at += strspn(at, " ,.-()");
		const size_t n = strcspn(at, " ,.-()");
		if (n >= len && n > 0 && strncasecmp(at, word, len) == 0)
			best = n == len ? EXACT : best < BEGINS ? best : BEGINS;
		at += n;
	}
	return best < NONE ? best : text_contains(text, word) ? INSIDE : NONE;
}

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Whether a word is nearly one of those in two texts: "rotery" is rotary. */
static bool is_nearly(const char *one, const char *other, const char *word)
{
	const char *const texts[] = {one, other ? other : ""};
	char copies[MOST_WORDS][WORD_BYTES];
	const char *names[MOST_WORDS];
	size_t n = 0;
	if (strlen(word) < SHORT_WORD)
		return false;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		for (const char *at = texts[i]; *at && n < MOST_WORDS;) {
			at += strspn(at, " ,.-()_");
			const size_t len = strcspn(at, " ,.-()_");
			for (size_t k = 0; k < len && k + 1 < WORD_BYTES; k++)
				copies[n][k] = (char)tolower((unsigned char)at[k]);
			copies[n][len < WORD_BYTES ? len : WORD_BYTES - 1] = '\0';
			names[n] = copies[n];
			n += len >= SHORT_WORD;
			at += len;
		}
	}
	char small[WORD_BYTES];
	size_t k = 0;
	for (; word[k] && k + 1 < WORD_BYTES; k++)
		small[k] = (char)tolower((unsigned char)word[k]);
	small[k] = '\0';
	return text_nearest(small, names, n) != NULL;
}

static unsigned guessed(const struct scheme *s, const char *word)
{
	const bool few = strlen(word) < 2;
	return is_nearly(s->id, s->aliases, word)      ? MISSPELT
	       : !few && text_fuzzy(s->id, word)       ? LETTERS
	       : is_nearly(s->authors, s->title, word) ? MISSPELT_WORD
	       : !few && text_fuzzy(s->title, word)    ? LETTERS_APART
						       : NONE;
}

static unsigned in_scheme(const struct scheme *s, const char *group, const char *word)
{
	char year[16];
	snprintf(year, sizeof year, "%d", s->year);
	unsigned best = in_text(s->id, word);
	if (s->aliases)
		best = smaller(best, in_text(s->aliases, word));
	const unsigned author = in_text(s->authors, word);
	const unsigned title = in_text(s->title, word);
	best = smaller(best, author < INSIDE ? author + YEAR : author);
	best = smaller(best, title < INSIDE ? WORD : title);
	if (strcmp(year, word) == 0 || (strlen(word) == 2 && strcmp(year + 2, word) == 0))
		best = smaller(best, YEAR);
	if (in_text(group, word) < INSIDE || text_contains(topic_names[s->topic], word) ||
	    text_contains(reference_names[s->ref], word))
		best = smaller(best, FAMILY);
	return best < NONE ? best : guessed(s, word);
}

/* The worst of its words. */
static unsigned rank(const struct scheme *s, const char *group, const char *typed)
{
	unsigned worst = EXACT;
	for (;;) {
		char word[WORD_BYTES];
		typed += strspn(typed, " ");
		const size_t len = strcspn(typed, " ");
		if (len == 0)
			return worst;
		snprintf(word, sizeof word, "%.*s", (int)(len < WORD_BYTES ? len : WORD_BYTES - 1),
			 typed);
		const unsigned one = in_scheme(s, group, word);
		worst = one > worst ? one : worst;
		typed += len;
	}
}

static int compare(const void *a, const void *b)
{
	const struct match *const one = a, *const other = b;
	if (one->rank != other->rank)
		return one->rank < other->rank ? -1 : 1;
	return one->order < other->order ? -1 : one->order > other->order;
}

const struct scheme **schemes_found(const struct tui *t, const char *typed, struct arena *a,
				    size_t *n)
{
	size_t count;
	const struct menu_item *const items = menu_items(&t->app->scene, a, &count);
	struct match *const found = arena_calloc(a, count + 1, sizeof *found);
	*n = 0;
	bool plain = false; /* something fits without guessing */
	for (size_t i = 0; i < count; i++) {
		const unsigned r = rank(items[i].scheme, items[i].group, typed);
		plain = plain || r < MISSPELT;
		if (r < NONE)
			found[(*n)++] = (struct match){items[i].scheme, r, i};
	}
	qsort(found, *n, sizeof *found, compare);
	while (plain && *n > 0 && found[*n - 1].rank >= MISSPELT)
		(*n)--;
	const struct scheme **const out = arena_calloc(a, *n + 1, sizeof *out);
	for (size_t i = 0; i < *n; i++)
		out[i] = found[i].scheme;
	return out;
}

const struct scheme *schemes_chosen(const struct tui *t, size_t *count)
{
	struct arena a;
	arena_init(&a);
	const struct scheme **const found = schemes_found(t, t->prompt.text, &a, count);
	const struct scheme *const chosen =
		*count > 0 ? found[t->match < *count ? t->match : *count - 1] : NULL;
	arena_release(&a);
	return chosen;
}
