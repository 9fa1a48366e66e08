/* bpe.c: byte-pair encoding: a word begins as its letters, and the pair with the lowest rank, of equal
 * ones the leftmost, is joined until no pair has one. SentencePiece's BPE ranks a pair by the score of
 * the piece that both make.
 *
 * Pairs wait in a heap; one whose halves were joined with others meanwhile is passed over. */
#include <string.h>

#include "posviz/base/text.h"
#include "token/joins.h"

enum { NONE = -1 };

struct symbol {
	long id; /* NONE: of a letter that no piece is */
	size_t at, len;
	long prev, next;
};

struct pair {
	double rank;
	size_t left;
	long made;
	size_t len; /* of both halves */
};

struct work {
	const struct tokenizer *t;
	struct cut *c;
	const char *text;
	struct symbol *symbols;
	size_t n;
	struct pair *heap;
	size_t waiting;
};

/* ---- the heap ---------------------------------------------------------------------------------- */

static bool comes_before(const struct pair *x, const struct pair *y)
{
	return x->rank != y->rank ? x->rank < y->rank : x->left < y->left;
}

static void heap_add(struct work *w, struct pair p)
{
	size_t i = w->waiting++;
	for (; i > 0 && comes_before(&p, &w->heap[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap[i] = w->heap[(i - 1) / 2];
	w->heap[i] = p;
}

static struct pair heap_take(struct work *w)
{
	const struct pair first = w->heap[0], last = w->heap[--w->waiting];
	size_t i = 0;
	for (size_t child; (child = 2 * i + 1) < w->waiting; i = child) {
		if (child + 1 < w->waiting && comes_before(&w->heap[child + 1], &w->heap[child]))
			child++;
		if (!comes_before(&w->heap[child], &last))
			break;
		w->heap[i] = w->heap[child];
	}
	w->heap[i] = last;
	return first;
}

/* ---- joining ----------------------------------------------------------------------------------- */

/* Finds what two neighbours make, and its rank. */
static bool find(const struct work *w, const struct symbol *x, const struct symbol *y, double *rank,
		 long *made)
{
	const struct tokenizer *const t = w->t;
	if (!t->model.scored)
		return joins_find(t->model.joins, x->id, y->id, rank, made);
	*made = lexicon_find(&t->vocab, w->text + x->at, x->len + y->len);
	if (*made < 0 || t->vocab.at[*made].bare)
		return false;
	*rank = -t->vocab.at[*made].score;
	return true;
}

static void offer(struct work *w, long left)
{
	double rank;
	long made;
	if (left == NONE || w->symbols[left].next == NONE)
		return;
	const struct symbol *const x = &w->symbols[left], *const y = &w->symbols[x->next];
	if (find(w, x, y, &rank, &made))
		heap_add(w, (struct pair){rank, (size_t)left, made, x->len + y->len});
}

static bool join_all(struct work *w)
{
	for (size_t i = 0; i + 1 < w->n; i++)
		offer(w, (long)i);
	for (size_t steps = 0; w->waiting > 0; steps++) {
		const struct pair p = heap_take(w);
		struct symbol *const x = &w->symbols[p.left];
		if (steps % 1024 == 0 && !cut_in_time(w->c))
			return false;
		if (x->len == 0 || x->next == NONE || x->len + w->symbols[x->next].len != p.len)
			continue;
		struct symbol *const y = &w->symbols[x->next];
		double rank;
		long made;
		if (!find(w, x, y, &rank, &made) || made != p.made)
			continue;
		x->id = made;
		x->len += y->len;
		x->next = y->next;
		y->len = 0;
		if (x->next != NONE)
			w->symbols[x->next].prev = (long)p.left;
		offer(w, x->prev);
		offer(w, (long)p.left);
	}
	return true;
}

/* ---- letters ----------------------------------------------------------------------------------- */

static void add_symbol(struct work *w, long id, size_t at, size_t len)
{
	w->symbols[w->n] = (struct symbol){id, at, len, (long)w->n - 1, (long)w->n + 1};
	w->n++;
}

/* Returns the id of a letter, with what its place in the word adds to it. */
static long letter_id(const struct tokenizer *t, struct cut *c, const char *text, size_t at,
		      size_t len, bool last)
{
	const char *const front = at > 0 && t->model.prefix ? t->model.prefix : "";
	const char *const back = last && t->model.suffix ? t->model.suffix : "";
	struct strbuf b;
	if (!*front && !*back)
		return lexicon_find(&t->vocab, text + at, len);
	strbuf_init(&b, c->a);
	strbuf_add(&b, front);
	strbuf_add_n(&b, text + at, len);
	strbuf_add(&b, back);
	return lexicon_find(&t->vocab, b.at, b.len);
}

static bool has_bytes(const struct model *m, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (m->bytes[(unsigned char)text[i]] < 0)
			return false;
	return m->byte_fallback;
}

/* Adds a letter that the vocabulary has not: its bytes, or the unknown token, one for several in a row
 * if these are fused. */
static bool add_unknown(struct work *w, size_t at, size_t len, bool *fused)
{
	const struct model *const m = &w->t->model;
	if (has_bytes(m, w->text + at, len)) {
		for (size_t i = 0; i < len; i++)
			add_symbol(w, m->bytes[(unsigned char)w->text[at + i]], at + i, 1);
		*fused = false;
		return true;
	}
	if (m->unk < 0)
		return model_no_token(w->c, w->text + at, len);
	if (*fused && m->fuse_unk)
		w->symbols[w->n - 1].len += len;
	else
		add_symbol(w, m->unk, at, len);
	*fused = true;
	return true;
}

static bool add_letters(struct work *w, size_t len)
{
	bool fused = false;
	size_t n;
	for (size_t at = 0; at < len; at += n) {
		code_at(w->text + at, len - at, &n);
		const long id = letter_id(w->t, w->c, w->text, at, n, at + n == len);
		if (id >= 0 || w->t->model.scored) {
			add_symbol(w, id, at, n);
			fused = false;
		} else if (!add_unknown(w, at, n, &fused)) {
			return false;
		}
	}
	w->symbols[w->n - 1].next = NONE;
	return true;
}

/* ---- a word ------------------------------------------------------------------------------------ */

/* Adds the pieces; of SentencePiece, what is no piece becomes bytes, or the unknown token. */
static bool add_pieces(const struct work *w, struct pieces *out)
{
	const struct tokenizer *const t = w->t;
	bool fused = false;
	for (long i = 0; i != NONE; i = w->symbols[i].next) {
		const struct symbol *const s = &w->symbols[i];
		if (s->id >= 0 && !t->vocab.at[s->id].bare) {
			model_add(t, w->c, s->id, out);
			fused = false;
			continue;
		}
		if (s->id >= 0 && !t->model.scored) {
			model_add(t, w->c, s->id, out);
			continue;
		}
		if (model_add_bytes(t, w->c, w->text + s->at, s->len, out))
			continue;
		if (t->model.unk < 0)
			return model_no_token(w->c, w->text + s->at, s->len);
		if (!fused)
			model_add(t, w->c, t->model.unk, out);
		fused = true;
	}
	return true;
}

static bool cut(const struct tokenizer *t, struct cut *c, const struct word *in, struct pieces *out)
{
	const long whole = t->model.ignore_merges ? lexicon_find(&t->vocab, in->at, in->len) : NONE;
	if (whole >= 0) {
		model_add(t, c, whole, out);
		return true;
	}
	struct work w = {.t = t,
			 .c = c,
			 .text = in->at,
			 .symbols = arena_calloc(c->a, in->len + 1, sizeof *w.symbols),
			 .heap = arena_calloc(c->a, 3 * in->len + 1, sizeof *w.heap)};
	return add_letters(&w, in->len) && join_all(&w) && add_pieces(&w, out);
}

/* ---- from tokenizer.json ------------------------------------------------------------------------- */

/* Returns the id of the half of a pair; -1 with an error. */
static long half(const struct tokenizer *t, const char *text, size_t len, size_t rank,
		 struct err *err)
{
	char quoted[120];
	const long id = lexicon_find(&t->vocab, text, len);
	if (id < 0)
		err_set(err, "merges: entry %zu: %s is not in the vocabulary", rank + 1,
			text_quote_buf(quoted, sizeof quoted, text, len));
	return id;
}

bool bpe_add_merge(struct tokenizer *t, const struct span *left, const struct span *right,
		   size_t rank, struct err *err)
{
	char both[512];
	const char *const prefix = t->model.prefix ? t->model.prefix : "";
	const size_t skip =
		strlen(prefix) <= right->len && memcmp(right->at, prefix, strlen(prefix)) == 0
			? strlen(prefix)
			: 0;
	const long x = half(t, left->at, left->len, rank, err);
	const long y = x < 0 ? -1 : half(t, right->at, right->len, rank, err);
	if (y < 0)
		return false;
	if (left->len + right->len > sizeof both)
		return err_set(err, "merges: entry %zu is longer than %zu bytes", rank + 1,
			       sizeof both);
	memcpy(both, left->at, left->len);
	memcpy(both + left->len, right->at + skip, right->len - skip);
	const long made = half(t, both, left->len + right->len - skip, rank, err);
	if (made < 0)
		return false;
	joins_add(t->model.joins, x, y, (long)rank, made);
	return true;
}

/* Reads "Ġ t" or ["Ġ", "t"]. */
static bool read_merge(struct tokenizer *t, const struct json_value *v, size_t rank,
		       struct err *err)
{
	struct span two[2] = {{"", 0}, {"", 0}};
	if (v->kind == JSON_VALUE_ARRAY && v->count == 2) {
		for (size_t i = 0; i < 2; i++)
			if (v->as.items[i].kind == JSON_VALUE_STRING)
				two[i] = (struct span){v->as.items[i].as.string,
						       strlen(v->as.items[i].as.string)};
	} else if (v->kind == JSON_VALUE_STRING) {
		bpe_split_merge(v->as.string, strlen(v->as.string), two);
	}
	if (two[0].len == 0 || two[1].len == 0)
		return err_set(err, "merges: entry %zu: two texts would be right", rank + 1);
	return bpe_add_merge(t, &two[0], &two[1], rank, err);
}

void bpe_split_merge(const char *text, size_t len, struct span two[2])
{
	const char *const blank = len > 1 ? memchr(text + 1, ' ', len - 1) : NULL;
	if (!blank)
		return;
	two[0] = (struct span){text, (size_t)(blank - text)};
	two[1] = (struct span){blank + 1, len - two[0].len - 1};
}

static bool read_merges(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	const struct json_value *const list = json_member(v, "merges");
	if (!list || list->kind != JSON_VALUE_ARRAY)
		return err_set(err, "a list \"merges\" would be right");
	t->model.joins = joins_new(list->count, &t->own);
	for (size_t i = 0; i < list->count; i++)
		if (!read_merge(t, &list->as.items[i], i, err))
			return false;
	return true;
}

static const char *text_or_none(const struct json_value *v, const char *name)
{
	const char *const text = json_text_or(v, name, "");
	return *text ? text : NULL;
}

static bool read(struct tokenizer *t, const struct json_value *v, struct err *err)
{
	struct model *const m = &t->model;
	const struct json_value *const dropout = json_member(v, "dropout");
	const char *const unk = json_text_or(v, "unk_token", NULL);
	const bool drops = dropout && (dropout->kind == JSON_VALUE_REAL
					       ? dropout->as.real != 0
					       : dropout->kind == JSON_VALUE_INTEGER &&
							 dropout->as.integer != 0);
	if (drops)
		return err_set(err, "dropout: the same text has other tokens at each run; none "
				    "would be right");
	m->prefix = text_or_none(v, "continuing_subword_prefix");
	m->suffix = text_or_none(v, "end_of_word_suffix");
	m->fuse_unk = json_flag_or(v, "fuse_unk", false);
	m->byte_fallback = json_flag_or(v, "byte_fallback", false);
	m->ignore_merges = json_flag_or(v, "ignore_merges", false);
	m->unk = unk ? lexicon_find(&t->vocab, unk, strlen(unk)) : -1;
	model_find_bytes(t);
	return read_merges(t, v, err);
}

const struct model_kind model_bpe = {"BPE", read, cut};
