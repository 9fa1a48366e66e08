/* spm_model.c: a model of SentencePiece, a message of Protocol Buffers: its pieces, and how a text is
 * normalised. Which tokens stand around a text is not in it: the class of the tokenizer says so
 * (named.c). */
#include <string.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

enum { NORMAL = 1, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE };
enum { UNIGRAM = 1, BPE };

/* ---- messages ---------------------------------------------------------------------------------- */

struct reader {
	const unsigned char *at, *end;
};

struct field {
	uint64_t number;
	uint64_t value;	  /* of a varint */
	struct reader in; /* of bytes */
	uint32_t bits;	  /* of 4 bytes */
};

static bool varint(struct reader *r, uint64_t *out)
{
	*out = 0;
	for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
		const unsigned char byte = *r->at++;
		*out |= (uint64_t)(byte & 0x7F) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

static bool skip(struct reader *r, uint64_t n)
{
	if (n > (uint64_t)(r->end - r->at))
		return false;
	r->at += n;
	return true;
}

/* Reads the next field; false at the end, and *bad if it does not end there. */
static bool next(struct reader *r, struct field *f, bool *bad)
{
	uint64_t key, len;
	if (r->at == r->end)
		return false;
	*bad = true;
	if (!varint(r, &key))
		return false;
	*f = (struct field){.number = key >> 3};
	const unsigned char *const from = r->at;
	switch (key & 7) {
	case 0:
		*bad = !varint(r, &f->value);
		break;
	case 1:
		*bad = !skip(r, 8);
		break;
	case 2:
		if (!varint(r, &len))
			return false;
		f->in.at = r->at;
		*bad = !skip(r, len);
		f->in.end = r->at;
		break;
	case 5:
		*bad = !skip(r, 4);
		if (!*bad)
			f->bits = (uint32_t)from[0] | (uint32_t)from[1] << 8 |
				  (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
		break;
	default:
		break;
	}
	return !*bad;
}

/* ---- what is in it ----------------------------------------------------------------------------- */

struct spm {
	size_t n;
	const struct named *class;
	uint64_t model; /* UNIGRAM, BPE; others are refused */
	bool bytes, suffix, prefix, clean, escape;
	struct reader charsmap;
};

static bool cut_short(struct err *err)
{
	return err_set(err, "it is no model of SentencePiece, or it is cut short");
}

/* Ids of a class that moves them: <s>, <pad>, </s>, <unk> as in fairseq, SentencePiece's pieces from 3 on
 * one later, <mask> behind all. */
enum { MOVED_PAD = 1, MOVED_FIRST = 3, MOVED_MORE = 2 };

static size_t id_of(const struct spm *m, size_t piece)
{
	static const size_t front[MOVED_FIRST] = {3, 0, 2}; /* <unk>, <s>, </s> */
	return !m->class->moved ? piece : piece < MOVED_FIRST ? front[piece] : piece + 1;
}

static bool read_piece(struct tokenizer *t, struct reader r, size_t id, struct err *err)
{
	struct field f;
	bool bad = false;
	uint64_t kind = NORMAL;
	float score = 0;
	struct reader text = {0};
	while (next(&r, &f, &bad)) {
		if (f.number == 1)
			text = f.in;
		else if (f.number == 2)
			memcpy(&score, &f.bits, sizeof score);
		else if (f.number == 3)
			kind = f.value;
	}
	const size_t len = text.at ? (size_t)(text.end - text.at) : 0;
	if (bad || len == 0)
		return cut_short(err);
	const char *const piece = arena_strndup(&t->own, (const char *)text.at, len);
	if (!text_valid(piece, len))
		return err_set(err, "piece %zu is not UTF-8", id + 1);
	if (!lexicon_set(&t->vocab, (long)id, piece, len, err))
		return false;
	t->vocab.at[id].score = (double)score;
	t->vocab.at[id].bare = kind != NORMAL && kind != USER_DEFINED;
	if (kind == UNKNOWN)
		t->model.unk = (long)id;
	if (kind == CONTROL || kind == USER_DEFINED)
		tokenizer_add(t, (struct added){.text = piece,
						.len = len,
						.id = (long)id,
						.normalized = kind == USER_DEFINED,
						.ready = true});
	return true;
}

static bool read_spec(struct reader r, struct spm *out, bool trainer)
{
	struct field f;
	bool bad = false;
	while (next(&r, &f, &bad)) {
		if (trainer && f.number == 3)
			out->model = f.value;
		else if (trainer && f.number == 24)
			out->suffix = f.value != 0;
		else if (trainer && f.number == 35)
			out->bytes = f.value != 0;
		else if (!trainer && f.number == 2)
			out->charsmap = f.in;
		else if (!trainer && f.number == 3)
			out->prefix = f.value != 0;
		else if (!trainer && f.number == 4)
			out->clean = f.value != 0;
		else if (!trainer && f.number == 5)
			out->escape = f.value != 0;
	}
	return !bad;
}

static bool is_at(const struct tokenizer *t, size_t id, const char *text)
{
	return id < t->vocab.n && t->vocab.at[id].text && strcmp(t->vocab.at[id].text, text) == 0;
}

/* Adds the tokens that SentencePiece has not, if its first three are those that the class moves. */
static bool add_moved(struct tokenizer *t, const struct spm *m, struct err *err)
{
	if (!is_at(t, id_of(m, 0), "<unk>") || !is_at(t, id_of(m, 1), "<s>") ||
	    !is_at(t, id_of(m, 2), "</s>"))
		return err_set(
			err,
			"the first pieces are not <unk>, <s>, </s>, as those of a %s are; ids "
			"from Python would be right: --ids",
			m->class->name);
	if (!lexicon_set(&t->vocab, MOVED_PAD, m->class->pad, strlen(m->class->pad), err) ||
	    !lexicon_set(&t->vocab, (long)t->vocab.n - 1, m->class->mask, strlen(m->class->mask),
			 err))
		return false;
	t->vocab.at[MOVED_PAD].bare = t->vocab.at[t->vocab.n - 1].bare = true;
	return true;
}

static bool read_message(struct tokenizer *t, struct reader r, struct spm *out, struct err *err)
{
	struct reader again = r;
	struct field f;
	bool bad = false;
	while (next(&r, &f, &bad))
		out->n += f.number == 1 && f.in.at;
	if (bad || out->n == 0 || out->n > TOKEN_MOST_IDS)
		return cut_short(err);
	const bool moved = out->class->moved;
	lexicon_init(&t->vocab, out->n + (moved ? MOVED_MORE : 0), &t->own);
	for (size_t id = 0; next(&again, &f, &bad);) {
		const bool spec = f.number == 2 || f.number == 3;
		if (f.number == 1 && f.in.at && !read_piece(t, f.in, id_of(out, id++), err))
			return false;
		if (spec && f.in.at && !read_spec(f.in, out, f.number == 2))
			return cut_short(err);
	}
	return !moved || add_moved(t, out, err);
}

static bool set_steps(struct tokenizer *t, const struct spm *m, struct err *err)
{
	struct step *const s = steps_add(t->normalizers, normalizer_kinds, "SentencePiece");
	s->prefix = m->prefix;
	s->clean = m->clean;
	if (!m->escape || m->suffix)
		return err_set(err, "blanks that are not marked, or behind words, are not read");
	if (m->charsmap.at && m->charsmap.end > m->charsmap.at) {
		const size_t len = (size_t)(m->charsmap.end - m->charsmap.at);
		const char *const copy = arena_strndup(&t->own, (const char *)m->charsmap.at, len);
		s->map = charsmap_new((const unsigned char *)copy, len, &t->own, err);
		if (!s->map)
			return false;
	}
	return true;
}

bool read_spm_model(struct tokenizer *t, const struct token_files *f, struct err *err)
{
	struct spm m = {.class = named_find(f, false, err),
			.model = UNIGRAM,
			.prefix = true,
			.clean = true,
			.escape = true};
	const unsigned char *const at = (const unsigned char *)f->data.at;
	if (!m.class || !read_message(t, (struct reader){at, at + f->data.len}, &m, err))
		return false;
	if (m.model != UNIGRAM && m.model != BPE)
		return err_set(err, "models of words or characters are not read");
	t->shown = SHOWN_BLANKS;
	t->model.kind = m.model == BPE ? &model_bpe : &model_unigram;
	t->model.scored = m.model == BPE;
	t->model.byte_fallback = m.bytes;
	model_find_bytes(t);
	if (m.model == UNIGRAM)
		unigram_prepare(t);
	return named_change(t, m.class, f, err) && set_steps(t, &m, err) &&
	       named_apply(t, m.class, f, err) && addeds_prepare(t, err);
}
