/* models.c: WordPiece and Unigram, and what all models share. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

void pieces_add(struct pieces *p, struct arena *a, struct piece piece)
{
	p->at = arena_grow(a, p->at, p->n, &p->room, sizeof *p->at);
	p->at[p->n++] = piece;
}

void model_add(const struct tokenizer *t, struct cut *c, long id, struct pieces *out)
{
	const struct entry *const e = &t->vocab.at[id];
	pieces_add(out, c->a,
		   (struct piece){.id = id, .text = e->text ? e->text : "", .len = e->len});
}

bool model_no_token(const struct cut *c, const char *text, size_t len)
{
	char quoted[80];
	return err_set(c->err, "the tokenizer has no token for %s",
		       text_quote_buf(quoted, sizeof quoted, text, len));
}

void model_find_bytes(struct tokenizer *t)
{
	char name[8];
	for (unsigned i = 0; i < 256; i++) {
		snprintf(name, sizeof name, "<0x%02X>", i);
		t->model.bytes[i] = lexicon_find(&t->vocab, name, strlen(name));
	}
}

bool model_add_bytes(const struct tokenizer *t, struct cut *c, const char *text, size_t len,
		     struct pieces *out)
{
	for (size_t i = 0; i < len; i++)
		if (!t->model.byte_fallback || t->model.bytes[(unsigned char)text[i]] < 0)
			return false;
	for (size_t i = 0; i < len; i++)
		model_add(t, c, t->model.bytes[(unsigned char)text[i]], out);
	return true;
}

/* ---- WordPiece --------------------------------------------------------------------------------- */

static size_t count_letters(const struct word *w)
{
	size_t n = 0, letter;
	for (size_t i = 0; i < w->len; i += letter, n++)
		code_at(w->at + i, w->len - i, &letter);
	return n;
}

/* Finds the longest piece at a place of a word, and its bytes; *id -1: there is none. False: it took
 * too long. */
static bool longest(const struct tokenizer *t, struct cut *c, const struct word *w, size_t at,
		    long *id, size_t *len)
{
	const size_t front = at > 0 ? strlen(t->model.prefix) : 0;
	struct strbuf b;
	strbuf_init(&b, c->a);
	strbuf_add_n(&b, t->model.prefix, front);
	strbuf_add_n(&b, w->at + at, w->len - at);
	for (*len = w->len - at; *len > 0; --*len) {
		const size_t end = at + *len;
		if (end < w->len && ((unsigned char)w->at[end] & 0xC0) == 0x80)
			continue; /* within a letter */
		if (!cut_in_time(c))
			return false;
		*id = lexicon_find(&t->vocab, b.at, front + *len);
		if (*id >= 0 && !t->vocab.at[*id].bare)
			return true;
	}
	*id = -1;
	return true;
}

static bool cut_wordpiece(const struct tokenizer *t, struct cut *c, const struct word *in,
			  struct pieces *out)
{
	const size_t before = out->n;
	const bool taken = count_letters(in) <= t->model.most_letters;
	size_t len = 0, at = 0;
	long id = 0;
	for (; taken && id >= 0 && at < in->len; at += len) {
		if (!longest(t, c, in, at, &id, &len))
			return false;
		if (id >= 0)
			model_add(t, c, id, out);
	}
	if (taken && id >= 0)
		return true;
	out->n = before;
	if (t->model.unk < 0)
		return model_no_token(c, in->at, in->len);
	model_add(t, c, t->model.unk, out);
	return true;
}

static bool read_wordpiece(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	const char *const unk = json_text_or(v, "unk_token", "[UNK]");
	(void)err;
	t->model.prefix = json_text_or(v, "continuing_subword_prefix", "##");
	t->model.most_letters = (size_t)json_id_or(v, "max_input_chars_per_word", 100);
	t->model.unk = lexicon_find(&t->vocab, unk, strlen(unk));
	return true;
}

const struct model_kind model_wordpiece = {"WordPiece", read_wordpiece, cut_wordpiece};

/* ---- Unigram ----------------------------------------------------------------------------------- */

/* The best way to a place of the text. */
struct way {
	double score;
	size_t from; /* SIZE_MAX: none yet */
	long id;     /* -1: a letter that no piece is */
};

static void offer(struct way *to, double score, size_t from, long id)
{
	if (to->from == SIZE_MAX || score > to->score)
		*to = (struct way){score, from, id};
}

/* Finds the ways along a text, [len + 1]; NULL: it took too long. */
static struct way *find_ways(const struct tokenizer *t, struct cut *c, const struct word *in)
{
	struct way *const ways = arena_calloc(c->a, in->len + 1, sizeof *ways);
	size_t letter;
	for (size_t i = 0; i <= in->len; i++)
		ways[i].from = SIZE_MAX;
	for (size_t at = 0; at < in->len; at += letter) {
		struct walk walk = prefixes_begin(&t->model.prefixes);
		const struct prefix *p;
		bool single = false;
		code_at(in->at + at, in->len - at, &letter);
		if (!cut_in_time(c))
			return NULL;
		while ((p = prefixes_next(&t->model.prefixes, &walk, in->at + at, in->len - at)) !=
		       NULL) {
			offer(&ways[at + p->len], ways[at].score + t->vocab.at[p->id].score, at,
			      p->id);
			single |= p->len == letter;
		}
		if (!single)
			offer(&ways[at + letter], ways[at].score + t->model.unk_score, at, -1);
	}
	return ways;
}

static bool add_unknown(const struct tokenizer *t, struct cut *c, const char *text, size_t len,
			struct pieces *out)
{
	if (model_add_bytes(t, c, text, len, out))
		return true;
	if (t->model.unk < 0)
		return model_no_token(c, text, len);
	model_add(t, c, t->model.unk, out);
	return true;
}

/* Turns the way to the end around, so that every place knows where the piece from it ends. */
static void turn(struct way *ways, size_t end)
{
	long id = ways[end].id;
	size_t from = ways[end].from;
	while (end > 0) {
		const struct way before = ways[from];
		ways[from] = (struct way){.from = end, .id = id};
		end = from;
		from = before.from;
		id = before.id;
	}
}

static bool cut_unigram(const struct tokenizer *t, struct cut *c, const struct word *in,
			struct pieces *out)
{
	struct way *const ways = find_ways(t, c, in);
	if (!ways)
		return false;
	turn(ways, in->len);
	for (size_t at = 0; at < in->len;) {
		size_t end = ways[at].from;
		if (ways[at].id >= 0 && ways[at].id != t->model.unk) {
			model_add(t, c, ways[at].id, out);
			at = end;
			continue;
		}
		while (end < in->len && (ways[end].id < 0 || ways[end].id == t->model.unk))
			end = ways[end].from; /* unknown letters in a row are one */
		if (!add_unknown(t, c, in->at + at, end - at, out))
			return false;
		at = end;
	}
	return true;
}

void unigram_prepare(struct tokenizer *t)
{
	enum { PENALTY = 10 };
	struct prefixes *const p = &t->model.prefixes;
	double least = INFINITY;
	p->at = arena_calloc(&t->own, t->vocab.n + 1, sizeof *p->at);
	for (size_t id = 0; id < t->vocab.n; id++) {
		const struct entry *const e = &t->vocab.at[id];
		if (!e->text || e->bare || e->len == 0)
			continue;
		p->at[p->n++] = (struct prefix){e->text, e->len, (long)id};
		least = e->score < least ? e->score : least;
	}
	prefixes_sort(p);
	t->model.unk_score = (isfinite(least) ? least : 0) - PENALTY;
}

static bool read_unigram(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	(void)err;
	t->model.unk = json_id_or(v, "unk_id", -1);
	t->model.byte_fallback = json_flag_or(v, "byte_fallback", false);
	if (t->model.unk >= (long)t->vocab.n)
		return err_set(err, "unk_id %ld: the vocabulary has %zu", t->model.unk, t->vocab.n);
	model_find_bytes(t);
	unigram_prepare(t);
	return true;
}

const struct model_kind model_unigram = {"Unigram", read_unigram, cut_unigram};
