/* turns.c: a re-ordering by swapping neighbours, written with brackets (inversion transduction
 * grammar, Wu 1997).
 *
 * The content of [ ] keeps its order, the content of < > is swapped; a bracket inside moves as a
 * whole and keeps its own order. Swapping is reversing everything, nested brackets too: so a
 * bracket is reversed if it is of another kind than the one around it, and the outermost one if
 * it is < >. */
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/input/input.h"

static const char brackets[] = "[]<>", not_words[] = "[]<> \t\n\r\v\f";

struct open {
	char kind;
	size_t first; /* the first of its words */
};

struct turns {
	const char *text, *at;
	const char *const *words;
	size_t n, read;	    /* number of words, and how many were read */
	size_t *order;	    /* [n]: the words read, in their present order */
	struct open *stack; /* open brackets */
	size_t depth;
	struct err *err;
};

size_t input_count_turns(const char *text)
{
	size_t n = 0;
	for (text += strspn(text, not_words); *text; n++) {
		text += strcspn(text, not_words);
		text += strspn(text, not_words);
	}
	return n;
}

/* Puts the column of the present location in front of the message. */
static bool fail_at(struct turns *t)
{
	const size_t len = strlen(t->text);
	size_t column = 1;
	for (const char *c = t->text; c < t->at; column++)
		c += text_cluster(c, len - (size_t)(c - t->text));
	return err_prefix(t->err, "column %zu: ", column);
}

static bool read_word(struct turns *t)
{
	const size_t len = strcspn(t->at, not_words);
	char quoted[120], own[120];
	long number = 0;
	text_quote_buf(quoted, sizeof quoted, t->at, len);
	if (t->depth == 0) {
		err_set(t->err, "%s stands outside; one bracket holds all, such as [1 <2 3>]",
			quoted);
		return fail_at(t);
	}
	if (t->read == t->n) {
		err_set(t->err, "%s is one too many; there are %zu", quoted, t->n);
		return fail_at(t);
	}
	const char *word = t->words[t->read];
	text_quote_buf(own, sizeof own, word, strlen(word));
	const bool same = strlen(word) == len && memcmp(word, t->at, len) == 0;
	if (!same && !(num_parse_long(t->at, len, 1, (long)t->n, &number, NULL) &&
		       (size_t)number == t->read + 1)) {
		err_set(t->err,
			"%s; next would be %s, or %zu: they keep their order, < > reverses it",
			quoted, own, t->read + 1);
		return fail_at(t);
	}
	t->order[t->read] = t->read;
	t->read++;
	t->at += len;
	return true;
}

static void reverse(size_t *at, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const size_t kept = at[i];
		at[i] = at[n - 1 - i];
		at[n - 1 - i] = kept;
	}
}

static bool close_bracket(struct turns *t)
{
	const char opening = *t->at == ']' ? '[' : '<';
	if (t->depth == 0) {
		err_set(t->err, "this \"%c\" closes nothing", *t->at);
		return fail_at(t);
	}
	const struct open open = t->stack[t->depth - 1];
	if (open.kind != opening) {
		err_set(t->err, "this \"%c\" closes a \"%c\"", *t->at, open.kind);
		return fail_at(t);
	}
	if (open.first == t->read) {
		err_set(t->err, "these brackets are empty");
		return fail_at(t);
	}
	t->depth--;
	const char around = t->depth > 0 ? t->stack[t->depth - 1].kind : '[';
	if (open.kind != around)
		reverse(t->order + open.first, t->read - open.first);
	t->at++;
	return true;
}

static bool read_next(struct turns *t)
{
	if (!strchr(brackets, *t->at))
		return read_word(t);
	if (*t->at == ']' || *t->at == '>')
		return close_bracket(t);
	if (t->depth == 0 && t->read > 0) {
		err_set(t->err, "a second bracket; one holds all, such as [<1 2> <3 4>]");
		return fail_at(t);
	}
	t->stack[t->depth++] = (struct open){*t->at++, t->read};
	return true;
}

static bool read_all(struct turns *t)
{
	for (; t->at += strspn(t->at, not_words + strlen(brackets)), *t->at;)
		if (!read_next(t))
			return false;
	if (t->depth > 0) {
		err_set(t->err, "the \"%c\" of word %zu is never closed",
			t->stack[t->depth - 1].kind, t->stack[t->depth - 1].first + 1);
		return fail_at(t);
	}
	if (t->read == t->n)
		return true;
	err_set(t->err, "%zu of %zu stand in the brackets; all must", t->read, t->n);
	return fail_at(t);
}

bool input_parse_turns(const char *text, const char *const *words, size_t n, size_t *place,
		       struct err *err)
{
	struct arena scratch;
	arena_init(&scratch);
	struct turns t = {.text = text,
			  .at = text,
			  .words = words,
			  .n = n,
			  .order = arena_calloc(&scratch, n + 1, sizeof *t.order),
			  .stack = arena_calloc(&scratch, strlen(text) + 1, sizeof *t.stack),
			  .err = err};
	const bool ok = read_all(&t);
	for (size_t i = 0; ok && i < n; i++)
		place[t.order[i]] = i;
	arena_release(&scratch);
	return ok;
}
