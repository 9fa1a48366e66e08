/* reorder.c: the place of each token in the re-ordered sentence.
 *
 * The user types it, as numbers or as brackets in which < > reverse their content, or it is the
 * word order of a translation. Then a word goes to the place of the first word with which it is
 * aligned, and a word without alignment stays behind its left neighbour (or at the beginning, in
 * front of all). Words with the same place keep their order. The pieces of a word stay together. */
#include <stdlib.h>
#include <string.h>

#include "posviz/input/letters.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "scene_in.h"

/* Counts the numbers of a list, which shows whether it has one for each word or for each token. */
static size_t count_numbers(const char *text)
{
	size_t n = 0;
	for (const char *c = text; *c; n++) {
		c += strspn(c, ", \t\n\r\v\f");
		const size_t len = strcspn(c, ", \t\n\r\v\f");
		if (len == 0)
			break;
		c += len;
	}
	return n;
}

/* A word and the key by which words are sorted. */
struct moved {
	size_t key, word;
};

static int by_key(const void *x, const void *y)
{
	const struct moved *const a = x, *const b = y;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->word > b->word) - (a->word < b->word);
}

/* Converts a key for each word to a place for each token; a token of no word stays with the one
 * before. */
static const double *places_by_word(const struct input *in, const long *word, size_t n,
				    const size_t *key, struct arena *a)
{
	struct moved *const words = arena_calloc(a, n + 1, sizeof *words);
	size_t *const size = arena_calloc(a, n + 1, sizeof *size);
	size_t *const next = arena_calloc(a, n + 1, sizeof *next);
	double *const out = arena_calloc(a, in->moving + 1, sizeof *out);
	size_t lead = 0, at = 0; /* blanks in front of all words stay there */
	for (size_t i = 0, now = SIZE_MAX; i < in->moving; i++) {
		now = word[i] >= 0 ? (size_t)word[i] : now;
		if (now == SIZE_MAX)
			lead++;
		else
			size[now]++;
	}
	for (size_t i = 0; i < n; i++)
		words[i] = (struct moved){key[i], i};
	if (n > 0)
		qsort(words, n, sizeof *words, by_key);
	for (size_t i = 0; i < n; i++) {
		next[words[i].word] = lead + at;
		at += size[words[i].word];
	}
	for (size_t i = 0, now = SIZE_MAX; i < in->moving; i++) {
		now = word[i] >= 0 ? (size_t)word[i] : now;
		out[i] = (double)(now == SIZE_MAX ? i : next[now]++);
	}
	return out;
}

/* Returns the text of each word, its pieces joined without marks; of each token if `word` is
 * NULL. */
static const char **texts_of(const struct input *in, const long *word, size_t n, struct arena *a)
{
	const char **const out = arena_calloc(a, n + 1, sizeof *out);
	for (size_t i = 0; i < in->n; i++) {
		const struct token *const t = &in->tokens[i];
		const long at = t->special ? -1 : word ? word[t->place] : (long)t->place;
		if (at < 0)
			continue;
		const bool piece = out[at] && strncmp(t->text, "##", 2) == 0;
		out[at] =
			arena_printf(a, "%s%s", out[at] ? out[at] : "", t->text + (piece ? 2 : 0));
	}
	return out;
}

static bool parse_turns(const char *text, const struct input *in, const long *word, size_t n,
			size_t *place, struct arena *a, struct err *err)
{
	return input_parse_turns(text, texts_of(in, word, n, a), n, place, err);
}

static bool typed(const char *text, const struct input *in, struct arena *a, const double **out,
		  struct err *err)
{
	size_t n;
	const long *const word = words_of_tokens(in, a, &n);
	const bool turned = strpbrk(text, "[]<>") != NULL;
	const size_t numbers = turned ? input_count_turns(text) : count_numbers(text);
	const bool listed = *text >= '0' && *text <= '9';
	const bool of_words = (listed || turned) && n != in->moving && numbers != in->moving;
	const size_t units = of_words ? n : in->moving;
	size_t *const place = arena_calloc(a, units + 1, sizeof *place);
	if (listed && numbers != units)
		return err_set(err,
			       "reorder: %zu number%s for %zu %s%s; each has its position in the "
			       "re-ordered sentence, from 1 to %zu",
			       numbers, numbers == 1 ? "" : "s", units, of_words ? "word" : "token",
			       units == 1 ? "" : "s", units);
	if (!(turned ? parse_turns(text, in, of_words ? word : NULL, units, place, a, err)
		     : input_parse_places(text, units, place, err)))
		return err_prefix(err, "reorder: ");
	if (of_words) {
		*out = places_by_word(in, word, n, place, a);
		return true;
	}
	double *const at = arena_calloc(a, units + 1, sizeof *at);
	for (size_t i = 0; i < units; i++)
		at[i] = (double)place[i];
	*out = at;
	return true;
}

/* ---- alignments ------------------------------------------------------------------------------ */

static bool read_pair(const char *text, size_t len, size_t n, size_t others, struct aligned *out,
		      struct err *err)
{
	char quoted[120];
	text_quote_buf(quoted, sizeof quoted, text, len);
	const char *const dash = memchr(text, '-', len);
	long word, other;
	if (!dash ||
	    !num_parse_long(text, (size_t)(dash - text), 1, INPUT_MAX_TOKENS, &word, NULL) ||
	    !num_parse_long(dash + 1, len - (size_t)(dash - text) - 1, 1, INPUT_MAX_TOKENS, &other,
			    NULL))
		return err_set(err, "alignment: %s is no pair of words from 1, such as 2-3",
			       quoted);
	if ((size_t)word > n)
		return err_set(err, "alignment: %s: the sentence has %zu word%s", quoted, n,
			       n == 1 ? "" : "s");
	if ((size_t)other > others)
		return err_set(err, "alignment: %s: the translation has %zu word%s", quoted, others,
			       others == 1 ? "" : "s");
	*out = (struct aligned){(size_t)word - 1, (size_t)other - 1};
	return true;
}

static bool read_pairs(const char *text, size_t n, size_t others, struct arena *a,
		       struct alignment *out, struct err *err)
{
	out->pairs = arena_calloc(a, count_numbers(text) + 1, sizeof *out->pairs);
	out->n = 0;
	for (const char *c = text + strspn(text, ", \t\n"); *c; c += strspn(c, ", \t\n")) {
		const size_t len = strcspn(c, ", \t\n");
		if (!read_pair(c, len, n, others, &out->pairs[out->n], err))
			return false;
		out->n++;
		c += len;
	}
	return out->n > 0 || err_set(err, "alignment: there is no pair; 1-1 2-3 would be two");
}

static const double *aligned_places(const struct alignment *by, const struct input *in,
				    struct arena *a)
{
	size_t n;
	const long *const word = words_of_tokens(in, a, &n);
	size_t *const key = arena_calloc(a, n + 1, sizeof *key); /* from 1; 0: none */
	for (size_t i = 0; i < by->n; i++) {
		const size_t at = by->pairs[i].word, to = by->pairs[i].other + 1;
		if (key[at] == 0 || to < key[at])
			key[at] = to;
	}
	for (size_t i = 1; i < n; i++)
		if (key[i] == 0)
			key[i] = key[i - 1];
	return places_by_word(in, word, n, key, a);
}

static bool read_alignment(const struct setup *s, const struct input *in, struct arena *a,
			   struct alignment *out, struct err *err)
{
	size_t n, others = INPUT_MAX_TOKENS;
	words_of_tokens(in, a, &n);
	if (*s->translation) {
		if (!input_sentence(&out->translation, s->translation, strlen(s->translation),
				    s->tokens == TOKENS_PLAIN_WORDS ? TOKENS_PLAIN_WORDS
								    : TOKENS_WORDS,
				    0, a, err))
			return err_prefix(err, "translation: ");
		words_of_tokens(&out->translation, a, &others);
	}
	return !*s->alignment || read_pairs(s->alignment, n, others, a, out, err);
}

bool setup_reorder(const struct setup *s, const struct input *tokens, struct arena *a,
		   const double **reorder, struct alignment *alignment, struct err *err)
{
	struct alignment own = {0};
	struct alignment *const by = alignment ? alignment : &own;
	*by = (struct alignment){0};
	*reorder = NULL;
	if (!read_alignment(s, tokens, a, by, err))
		return false;
	if (*s->reorder)
		return typed(s->reorder, tokens, a, reorder, err);
	if (by->n > 0)
		*reorder = aligned_places(by, tokens, a);
	return true;
}
