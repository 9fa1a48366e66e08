/* profile_words.c: the text of a profile: cut by the model's tokenizer, given as ids, or in words. */
#include "profile_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/asset.h"
#include "posviz/base/rng.h"
#include "posviz/input/input.h"
#include "posviz/token/tokenizer.h"

static const char own_text[] = "text/prose.txt";

enum { DRAWN = 4096 };

/* ---- a model's tokens ------------------------------------------------------------------------ */

/* Draws tokens uniformly from a vocabulary that cannot spell our text, as that of a model trained on letters. */
static void draw(const struct tokenizer *t, uint64_t seed, struct arena *a,
		 struct profile_tokens *out)
{
	const size_t n_ids = tokenizer_ids(t);
	struct rng rng;
	rng_init_name(&rng, seed, "profile text");
	out->drawn = true;
	out->ids = arena_calloc(a, DRAWN, sizeof *out->ids);
	while (out->n < DRAWN) {
		const long id = (long)rng_below(&rng, n_ids);
		if (*tokenizer_piece(t, id))
			out->ids[out->n++] = id;
	}
}

static bool cut(const struct profile_of *of, const char *text, size_t len, struct arena *a,
		struct profile_tokens *out, struct err *err)
{
	const struct span span = {text, len};
	const struct tokenizer *const t = tokenizer_hold(of->setup->checkpoint, err);
	struct pieces p = {0};
	if (!t)
		return false;
	const bool ok = tokenizer_cut(t, &span, 1, a, &p, err);
	if (!ok && !of->words && tokenizer_ids(t) > 0) {
		*err = (struct err){""};
		draw(t, of->setup->seed, a, out);
	}
	tokenizer_drop(t);
	if (!ok)
		return out->drawn;
	long *const all = arena_calloc(a, p.n + 1, sizeof *all);
	for (size_t i = 0; i < p.n; i++)
		all[i] = p.at[i].id;
	while (out->front < p.n && p.at[out->front].frame)
		out->front++;
	while (out->front + out->back < p.n && p.at[p.n - 1 - out->back].frame)
		out->back++;
	out->n = p.n - out->front - out->back;
	out->front_ids = all;
	out->ids = all + out->front;
	out->back_ids = all + out->front + out->n;
	return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Numbers the words by their order in the alphabet. */
static void number_words(const char *const *words, struct arena *a, struct profile_tokens *out)
{
	const char **const sorted = arena_calloc(a, out->n + 1, sizeof *sorted);
	size_t kinds = 0;
	memcpy(sorted, words, out->n * sizeof *sorted);
	qsort(sorted, out->n, sizeof *sorted, by_text);
	for (size_t i = 0; i < out->n; i++)
		if (kinds == 0 || strcmp(sorted[i], sorted[kinds - 1]) != 0)
			sorted[kinds++] = sorted[i];
	out->ids = arena_calloc(a, out->n + 1, sizeof *out->ids);
	for (size_t i = 0; i < out->n; i++) {
		const char **const at = bsearch(&words[i], sorted, kinds, sizeof *sorted, by_text);
		out->ids[i] = at - sorted;
	}
	out->words = sorted;
}

static bool read_words(const struct profile_of *of, const char *text, size_t len, struct arena *a,
		       struct profile_tokens *out, struct err *err)
{
	const char **words = arena_calloc(a, len + 1, sizeof *words);
	for (const char *at = text, *end = text + len; at < end;) {
		const char *const line = memchr(at, '\n', (size_t)(end - at));
		const size_t n = (size_t)((line ? line : end) - at);
		struct input in;
		const size_t blanks = strspn(at, " \t\r");
		if (blanks < n) {
			if (!input_sentence(&in, at, n, (enum token_mode)of->setup->tokens, 0, a,
					    err))
				return false;
			for (size_t i = 0; i < in.n; i++)
				words[out->n++] =
					arena_strndup(a, in.tokens[i].text, in.tokens[i].len);
		}
		at += n + 1;
	}
	number_words(words, a, out);
	return true;
}

/* ---- the text -------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
	const long x = *(const long *)a, y = *(const long *)b;
	return (x > y) - (x < y);
}

static void find_kinds(struct arena *a, struct profile_tokens *out)
{
	out->kinds = arena_calloc(a, out->n + 1, sizeof *out->kinds);
	memcpy(out->kinds, out->ids, out->n * sizeof *out->kinds);
	qsort(out->kinds, out->n, sizeof *out->kinds, ascending);
	for (size_t i = 0; i < out->n; i++)
		if (out->n_kinds == 0 || out->kinds[i] != out->kinds[out->n_kinds - 1])
			out->kinds[out->n_kinds++] = out->kinds[i];
}

bool profile_tokens(const struct profile_of *of, struct arena *a, struct profile_tokens *out,
		    struct err *err)
{
	const struct asset *const own = asset_find(own_text);
	const char *const text = of->words ? of->words : own->begin;
	const size_t len = of->words ? of->len : (size_t)(own->end - own->begin);
	const struct setup *const s = of->setup;
	*out = (struct profile_tokens){0};
	if (*s->ids) {
		out->ids = setup_ids(s, a, &out->n, err);
		if (!out->ids)
			return false;
	} else if (s->tokens == TOKENS_MODEL ? !cut(of, text, len, a, out, err)
					     : !read_words(of, text, len, a, out, err)) {
		return err_prefix(err, "text: ");
	}
	find_kinds(a, out);
	return true;
}

void profile_window(const struct profile_tokens *t, const struct profile_sizes *z, uint64_t seed,
		    size_t w, long *ids)
{
	const size_t inner = z->n - z->front - z->back;
	char name[40];
	struct rng rng;
	snprintf(name, sizeof name, "profile window %zu", w);
	rng_init_name(&rng, seed, name);
	const size_t from = rng_below(&rng, t->n - inner + 1);
	if (z->front > 0)
		memcpy(ids, t->front_ids, z->front * sizeof *ids);
	memcpy(ids + z->front, t->ids + from, inner * sizeof *ids);
	if (z->back > 0)
		memcpy(ids + z->front + inner, t->back_ids, z->back * sizeof *ids);
}

void profile_repeated(const struct profile_tokens *t, const struct profile_sizes *z, uint64_t seed,
		      size_t w, long *ids)
{
	const size_t inner = z->n - z->front - z->back, block = profile_block(z);
	char name[40];
	struct rng rng;
	long drawn[PROFILE_BLOCK];
	snprintf(name, sizeof name, "profile repeated %zu", w);
	rng_init_name(&rng, seed, name);
	profile_window(t, z, seed, w, ids);
	for (size_t i = 0; i < block;) {
		bool again = false;
		drawn[i] = t->kinds[rng_below(&rng, t->n_kinds)];
		for (size_t k = 0; k < i && t->n_kinds >= block; k++)
			again |= drawn[k] == drawn[i];
		i += !again;
	}
	for (size_t i = 0; i < inner && block > 0; i++)
		ids[z->front + i] = drawn[i % block];
}
