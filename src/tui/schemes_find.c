/* schemes_find.c: which schemes are meant by what is typed, the best first.
 *
 * An id that is typed whole comes first, then a name that people have for a scheme (its aliases, scheme_calls). Else
 * each word that is typed must mean something of the scheme; how well it does so is a number, the worst of
 * which counts: beginnings of ids and aliases are worth most, then their parts, authors and year, then words of the
 * title and the family. The last resort is what is nearly right: a misspelt id, letters of an id in the right order, a
 * misspelt word of its title; what has no more in common than letters is not found, nor is anything guessed of a word
 * that help knows. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "posviz/scheme/called.h"
#include "tui_in.h"

/* Smaller is better. */
enum {
	EXACT_ID,
	EXACT_NAME,
	BEGINS,
	PART,
	YEAR,
	WORD,
	INSIDE,
	FAMILY,
	MISSPELT,
	LETTERS,
	MISSPELT_WORD,
	NONE
};

/* How a word stands in a text. */
enum standing { IS_WORD, BEGINS_WORD, IS_INSIDE, IS_NOT };

enum { WORD_BYTES = 64, MOST_WORDS = 64, SHORT_WORD = 4 };

struct match {
	const struct scheme *scheme;
	unsigned rank;
	size_t order; /* in the menu */
};

/* The typed words, and the scheme that people call so; NULL: none. */
struct wanted {
	const char *typed;
	const struct scheme *called;
};

static enum standing in_text(const char *text, const char *word)
{
	const size_t len = strlen(word);
	enum standing best = IS_NOT;
	for (const char *at = text; *at;) {
		at += strspn(at, " ,.-()_");
		const size_t n = strcspn(at, " ,.-()_");
		if (n >= len && n > 0 && strncasecmp(at, word, len) == 0)
			best = n == len ? IS_WORD : best < BEGINS_WORD ? best : BEGINS_WORD;
		at += n;
	}
	return best < IS_INSIDE ? best : text_contains(text, word) ? IS_INSIDE : IS_NOT;
}

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Tells whether a word is nearly one of those in two texts: "rotery" is rotary. */
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

/* Its letters in the right order, the first of them first, and half of the id's at least. */
static bool has_letters(const char *id, const char *word)
{
	const size_t len = strlen(word);
	return len > 1 && 2 * len >= strlen(id) && strncasecmp(id, word, 1) == 0 &&
	       text_fuzzy(id, word);
}

static unsigned guessed(const struct scheme *s, const char *word)
{
	if (is_nearly(s->id, s->aliases, word))
		return MISSPELT;
	if (has_letters(s->id, word))
		return LETTERS;
	return strlen(word) > SHORT_WORD && is_nearly(s->authors, s->title, word) ? MISSPELT_WORD
										  : NONE;
}

/* By its id and its aliases. */
static unsigned by_name(const struct scheme *s, const char *word)
{
	const char *const aliases = s->aliases ? s->aliases : "";
	unsigned best = strncasecmp(s->id, word, strlen(word)) == 0 ? BEGINS : NONE;
	if (text_same_name(s->id, strlen(s->id), word))
		return EXACT_ID;
	if (scheme_is_called(s, word))
		return EXACT_NAME;
	const enum standing id = in_text(s->id, word), alias = in_text(aliases, word);
	if (id < IS_INSIDE || alias < IS_INSIDE)
		best = smaller(best, PART);
	return id < IS_NOT || alias < IS_NOT ? smaller(best, INSIDE) : best;
}

static unsigned in_scheme(const struct scheme *s, const char *group, const char *word)
{
	char year[16];
	snprintf(year, sizeof year, "%d", s->year);
	unsigned best = by_name(s, word);
	const enum standing author = in_text(s->authors, word), title = in_text(s->title, word);
	if (author < IS_NOT)
		best = smaller(best, author == IS_WORD	     ? YEAR
				     : author == BEGINS_WORD ? WORD
							     : INSIDE);
	if (title < IS_NOT)
		best = smaller(best, title < IS_INSIDE ? WORD : INSIDE);
	if (strcmp(year, word) == 0 || (strlen(word) == 2 && strcmp(year + 2, word) == 0))
		best = smaller(best, YEAR);
	if (in_text(group, word) < IS_INSIDE || text_contains(topic_names[s->topic], word) ||
	    text_contains(reference_names[s->ref], word))
		best = smaller(best, FAMILY);
	return best < NONE ? best : guessed(s, word);
}

/* The rank of a scheme by its name as a whole, else by the worst of its words. */
static unsigned rank(const struct scheme *s, const char *group, const struct wanted *w)
{
	const char *typed = w->typed;
	const unsigned whole = *typed ? by_name(s, typed) : NONE;
	unsigned worst = EXACT_ID;
	if (whole <= EXACT_NAME || s == w->called)
		return smaller(whole, EXACT_NAME);
	for (;;) {
		char word[WORD_BYTES];
		typed += strspn(typed, " ");
		const size_t len = strcspn(typed, " ");
		if (len == 0 || worst == NONE)
			return worst;
		if (len >= WORD_BYTES) /* no name is so long */
			return NONE;
		snprintf(word, sizeof word, "%.*s", (int)len, typed);
		const unsigned one = in_scheme(s, group, word);
		worst = one > worst ? one : worst;
		typed += len;
	}
}

/* The scheme that carries an expression, which ours are. */
static const struct scheme *main_of(const char *expression)
{
	struct arena a;
	arena_init(&a);
	const struct expr *const e = expr_of(expression, &a, NULL);
	const struct scheme *const found = e ? expr_main(e)->scheme : NULL;
	arena_release(&a);
	return found;
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
	const struct scheme_call *const call = scheme_called(typed);
	const struct wanted wanted = {typed, call ? main_of(call->expression) : NULL};
	for (size_t i = 0; i < count; i++) {
		const unsigned r = rank(items[i].scheme, items[i].group, &wanted);
		plain = plain || r < MISSPELT;
		if (r < NONE)
			found[(*n)++] = (struct match){items[i].scheme, r, i};
	}
	qsort(found, *n, sizeof *found, compare);
	const struct help_topic *topics;
	size_t known;
	if (!plain && *n > 0)
		plain = topics_find(t->app, typed, a, &topics, &known, NULL);
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

/* Returns what was typed if it is no scheme's name but an expression, "rope+causal"; else NULL. */
static const char *typed_expression(const struct tui *t, struct arena *a)
{
	const char *const typed = t->prompt.text;
	const struct expr *const e = strpbrk(typed, "+(*") ? expr_of(typed, a, NULL) : NULL;
	return e ? expr_print(e, a) : NULL;
}

bool schemes_takes(const struct tui *t, struct arena *a)
{
	size_t n;
	return schemes_chosen(t, &n) || typed_expression(t, a);
}

const char *schemes_line(const struct tui *t, const struct scheme *s, struct arena *a)
{
	if (!s)
		return arena_printf(a, "%s %s", t->finds_second ? "versus" : "scheme",
				    typed_expression(t, a));
	const struct scheme_call *const call = scheme_called(t->prompt.text);
	const bool called = call && t->match == 0 && main_of(call->expression) == s;
	return arena_printf(a, "%s %s",
			    t->finds_second ? "versus"
			    : called	    ? "scheme"
					    : "pick",
			    called ? call->expression : s->id);
}

/* Words for a text that is no scheme: the help that has it, or the nearest name. */
static const char *none_words(const struct tui *t, const char *typed, struct arena *a)
{
	const struct help_topic *topics;
	size_t n;
	const char *const said = text_escape(a, typed, strlen(typed));
	if (topics_find(t->app, typed, a, &topics, &n, NULL))
		return arena_printf(a, "no scheme, but :help %s knows it", said);
	const char *const near = topics_near(typed, a);
	return near ? arena_printf(a, "nothing is called %s; near is %s", said, near)
		    : arena_printf(a, "nothing is called %s", said);
}

const char *schemes_words(const struct tui *t, struct arena *a)
{
	size_t n;
	const char *const typed = t->prompt.text;
	const struct scheme *const s = schemes_chosen(t, &n);
	const struct scheme_call *const call = scheme_called(typed);
	const char *const expression = s ? NULL : typed_expression(t, a);
	if (!s)
		return expression ? expression : none_words(t, typed, a);
	if (call && t->match == 0 && main_of(call->expression) == s)
		return call->expression;
	if (s->year == 0) /* a name of the user's own */
		return s->expression;
	return arena_printf(a, "%s %s %s %d", s->title, t->terminal.ascii ? "-" : "·", s->authors,
			    s->year);
}
