/* added.c: tokens that were added to a vocabulary, which a text may hold as they are: first those that
 * are sought in the text as typed, then, in what is between, those that are sought in what the
 * normalizer made. */
#include <string.h>

#include "posviz/base/unicode.h"
#include "token/token_in.h"

static bool prepare_one(struct tokenizer *t, struct added *d, size_t at, struct cut *c)
{
	struct prefixes *const p = d->normalized ? &t->added.normalized : &t->added.raw;
	struct word w = {d->text, d->len, true};
	if (d->normalized && !d->ready && t->normalizers && !steps_change(t->normalizers, c, &w))
		return false;
	if (w.len > 0)
		p->at[p->n++] = (struct prefix){w.at, w.len, (long)at};
	return true;
}

bool addeds_prepare(struct tokenizer *t, struct err *err)
{
	struct addeds *const s = &t->added;
	struct cut c = {&t->own, 1e300, err};
	s->raw.at = arena_calloc(&t->own, s->n + 1, sizeof *s->raw.at);
	s->normalized.at = arena_calloc(&t->own, s->n + 1, sizeof *s->normalized.at);
	for (size_t i = 0; i < s->n; i++) {
		t->vocab.at[s->at[i].id].added = true;
		if (!prepare_one(t, &s->at[i], i, &c))
			return false;
	}
	prefixes_sort(&s->raw);
	prefixes_sort(&s->normalized);
	return true;
}

static bool word_before(const char *text, size_t at)
{
	size_t from = at, n;
	while (from > 0 && ((unsigned char)text[--from] & 0xC0) == 0x80)
		;
	return at > 0 && unicode_word(code_at(text + from, at - from, &n));
}

static bool word_behind(const char *text, size_t len, size_t at)
{
	size_t n;
	return at < len && unicode_word(code_at(text + at, len - at, &n));
}

static size_t blanks_before(const char *text, size_t at)
{
	for (size_t n; at > 0;) {
		size_t from = at - 1;
		while (from > 0 && ((unsigned char)text[from] & 0xC0) == 0x80)
			from--;
		if (!unicode_space(code_at(text + from, at - from, &n)))
			break;
		at = from;
	}
	return at;
}

static size_t blanks_behind(const char *text, size_t len, size_t at)
{
	for (size_t n; at < len && unicode_space(code_at(text + at, len - at, &n)); at += n)
		;
	return at;
}

/* Returns the longest token at a place; NULL: there is none. */
static const struct prefix *longest(const struct prefixes *p, const char *text, size_t len)
{
	struct walk w = prefixes_begin(p);
	const struct prefix *best = NULL, *next;
	while ((next = prefixes_next(p, &w, text, len)) != NULL)
		best = next;
	return best;
}

bool addeds_parts(const struct addeds *s, const struct prefixes *p, struct cut *c, const char *text,
		  size_t len, struct part **parts, long **which, size_t *n)
{
	size_t done = 0;
	*parts = arena_calloc(c->a, 2 * len + 1, sizeof **parts);
	*which = arena_calloc(c->a, 2 * len + 1, sizeof **which);
	*n = 0;
	for (size_t at = 0; p->n > 0 && at < len;) {
		const struct prefix *const found = longest(p, text + at, len - at);
		const struct added *const d = found ? &s->at[found->id] : NULL;
		size_t from = at, to = at + (found ? found->len : 1);
		if (at % 256 == 0 && !cut_in_time(c))
			return false;
		at = to;
		if (!d ||
		    (d->single_word && (word_before(text, from) || word_behind(text, len, to))))
			continue;
		from = d->lstrip ? blanks_before(text, from) : from;
		from = from < done ? done : from;
		to = d->rstrip ? blanks_behind(text, len, to) : to;
		if (done < from) {
			(*which)[*n] = -1;
			(*parts)[(*n)++] = (struct part){done, from, false};
		}
		(*which)[*n] = found->id;
		(*parts)[(*n)++] = (struct part){from, to, true};
		done = at = to;
	}
	if (done < len) {
		(*which)[*n] = -1;
		(*parts)[(*n)++] = (struct part){done, len, false};
	}
	return true;
}
