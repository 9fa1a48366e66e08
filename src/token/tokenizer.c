/* tokenizer.c: from a text to its tokens, through all parts, and from a token to what is shown of it. */
#include <string.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

/* ---- between tokens that were added --------------------------------------------------------------- */

struct cutting {
	const struct tokenizer *t;
	struct cut *c;
	struct pieces *out;
	size_t words;
};

static void add_token(struct cutting *k, long id)
{
	model_add(k->t, k->c, id, k->out);
	k->out->at[k->out->n - 1].word = k->words++;
}

/* Returns whether a piece begins a word by itself, in words that hold several. */
static bool begins_word(const struct tokenizer *t, const struct piece *p)
{
	const size_t blank = strlen(BLANK);
	return t->shown == SHOWN_BLANKS && p->len >= blank && memcmp(p->text, BLANK, blank) == 0;
}

static bool cut_word(struct cutting *k, const struct word *w)
{
	const size_t before = k->out->n;
	if (!k->t->model.kind->cut(k->t, k->c, w, k->out))
		return false;
	for (size_t i = before; i < k->out->n; i++) {
		k->words += i > before && begins_word(k->t, &k->out->at[i]);
		k->out->at[i].word = k->words;
	}
	k->words += k->out->n > before;
	return true;
}

static bool cut_normalized(struct cutting *k, const struct word *w)
{
	struct words words;
	if (!steps_divide(k->t->pretokenizers, k->c, w, &words))
		return false;
	for (size_t i = 0; i < words.n; i++)
		if (!cut_word(k, &words.at[i]))
			return false;
	return true;
}

/* Cuts what is between tokens that are sought in the text as typed. */
static bool cut_between(struct cutting *k, struct word w)
{
	struct part *parts;
	long *which;
	size_t n;
	if (!steps_change(k->t->normalizers, k->c, &w) ||
	    !addeds_parts(&k->t->added, &k->t->added.normalized, k->c, w.at, w.len, &parts, &which,
			  &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct word part = {w.at + parts[i].from, parts[i].to - parts[i].from,
					  w.first && parts[i].from == 0};
		if (which[i] >= 0)
			add_token(k, k->t->added.at[which[i]].id);
		else if (!cut_normalized(k, &part))
			return false;
	}
	return true;
}

static bool cut_text(const struct tokenizer *t, struct cut *c, const struct span *text,
		     struct pieces *out)
{
	struct cutting k = {.t = t, .c = c, .out = out};
	struct part *parts;
	long *which;
	size_t n;
	if (!addeds_parts(&t->added, &t->added.raw, c, text->at, text->len, &parts, &which, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct word part = {text->at + parts[i].from, parts[i].to - parts[i].from,
					  parts[i].from == 0};
		if (which[i] >= 0)
			add_token(&k, t->added.at[which[i]].id);
		else if (!cut_between(&k, part))
			return false;
	}
	return true;
}

static bool check_text(const struct span *text, struct err *err)
{
	size_t n;
	uint32_t code;
	if (text->len > TOKEN_MOST_TEXT)
		return err_set(err, "the text has %zu bytes; at most %d are taken", text->len,
			       TOKEN_MOST_TEXT);
	for (size_t i = 0; i < text->len; i += n) {
		n = text_decode(text->at + i, text->len - i, &code);
		if (n == 0)
			return err_set(
				err, "the text is not UTF-8 from byte %zu on; UTF-8 would be right",
				i + 1);
	}
	return true;
}

bool tokenizer_cut(const struct tokenizer *t, const struct span *texts, size_t n, struct arena *a,
		   struct pieces *out, struct err *err)
{
	struct pieces *const parts = arena_calloc(a, n + 1, sizeof *parts);
	struct arena own;
	bool ok = true;
	arena_init(&own);
	struct cut c = {&own, cut_seconds() + 0.5, err};
	for (size_t i = 0; ok && i < n; i++)
		ok = check_text(&texts[i], err) && cut_text(t, &c, &texts[i], &parts[i]);
	ok = ok && frame_fill(t, parts, n, a, out, err);
	arena_release(&own);
	char quoted[160];
	return ok ||
	       err_prefix(err,
			  "%s: ", text_quote_buf(quoted, sizeof quoted, t->path, strlen(t->path)));
}

void tokenizer_begin(struct tokenizer *t)
{
	t->normalizers = arena_calloc(&t->own, 1, sizeof *t->normalizers);
	t->pretokenizers = arena_calloc(&t->own, 1, sizeof *t->pretokenizers);
	t->model.unk = -1;
	for (size_t i = 0; i < 256; i++)
		t->model.bytes[i] = -1;
	frame_simple(t, -1, -1, true);
}

void tokenizer_add(struct tokenizer *t, struct added added)
{
	struct addeds *const s = &t->added;
	s->at = arena_grow(&t->own, s->at, s->n, &s->room, sizeof *s->at);
	s->at[s->n++] = added;
}

/* ---- for people -------------------------------------------------------------------------------- */

size_t tokenizer_ids(const struct tokenizer *t)
{
	return t->vocab.n;
}

const char *tokenizer_path(const struct tokenizer *t)
{
	return t->path;
}

const char *tokenizer_piece(const struct tokenizer *t, long id)
{
	const bool has = id >= 0 && (size_t)id < t->vocab.n && t->vocab.at[id].text;
	return has ? t->vocab.at[id].text : "";
}

/* Returns the byte that a piece "<0xE2>" stands for; -1: it is none. */
static int byte_of(const struct tokenizer *t, long id)
{
	for (int i = 0; t->model.byte_fallback && i < 256; i++)
		if (t->model.bytes[i] == id)
			return i;
	return -1;
}

/* Adds the bytes that a piece stands for. */
static void add_bytes(const struct tokenizer *t, const struct entry *e, struct strbuf *b)
{
	const size_t blank = strlen(BLANK);
	size_t n;
	for (size_t i = 0; i < e->len; i += n) {
		const int byte = byte_of_letter(code_at(e->text + i, e->len - i, &n));
		const bool is_blank = e->len - i >= blank && memcmp(e->text + i, BLANK, blank) == 0;
		if (t->shown == SHOWN_BYTES && byte >= 0)
			strbuf_add_char(b, (char)byte);
		else if (t->shown == SHOWN_BLANKS && is_blank)
			strbuf_add_char(b, ' ');
		else
			strbuf_add_n(b, e->text + i, n);
	}
}

/* Returns the mark of a blank, a tab or a line end; NULL: it is none of these. */
static const char *mark_of(char c, bool alone)
{
	return c == ' ' ? alone ? "␣" : "·" : c == '\n' ? "↵" : c == '\t' ? "→" : NULL;
}

const char *tokenizer_label(const struct tokenizer *t, long id, struct arena *a)
{
	struct strbuf bytes, out;
	if (id < 0 || (size_t)id >= t->vocab.n || !t->vocab.at[id].text)
		return arena_printf(a, "%ld", id);
	strbuf_init(&bytes, a);
	strbuf_init(&out, a);
	const int byte = byte_of(t, id);
	if (byte >= 0)
		strbuf_add_char(&bytes, (char)byte);
	else if (t->vocab.at[id].added)
		strbuf_add_n(&bytes, t->vocab.at[id].text, t->vocab.at[id].len);
	else
		add_bytes(t, &t->vocab.at[id], &bytes);
	const bool blanks = strspn(bytes.at, " ") == bytes.len;
	for (size_t i = 0, n; i < bytes.len; i += n) {
		uint32_t code;
		const char *const mark = mark_of(bytes.at[i], blanks);
		n = text_decode(bytes.at + i, bytes.len - i, &code);
		if (mark)
			strbuf_add(&out, mark);
		else if (n > 0)
			strbuf_add_n(&out, bytes.at + i, n);
		else
			strbuf_printf(&out, "<%02X>", (unsigned char)bytes.at[i]);
		n = n ? n : 1;
	}
	return text_escape(a, out.at, out.len);
}
