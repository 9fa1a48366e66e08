/* normalizers.c: what changes a text before it is divided. Each row of the table is a step by the name
 * that tokenizer.json has for it; the last ones are those of other files. */
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/base/unicode.h"
#include "token/token_in.h"

static void set(struct word *io, const struct strbuf *b)
{
	io->at = b->at;
	io->len = b->len;
}

static void put(struct strbuf *b, uint32_t code)
{
	char out[4];
	strbuf_add_n(b, out, text_encode(out, code));
}

/* Changes each code point by a function that returns whether it stays. */
static void each(struct cut *c, struct word *io, bool (*keep)(uint32_t *code))
{
	struct strbuf b;
	size_t n;
	strbuf_init(&b, c->a);
	for (size_t i = 0; i < io->len; i += n) {
		uint32_t code = code_at(io->at + i, io->len - i, &n);
		if (keep(&code))
			put(&b, code);
	}
	set(io, &b);
}

static bool form(struct cut *c, struct word *io, enum unicode_form f)
{
	io->at = unicode_normalize(c->a, f, io->at, io->len, &io->len);
	return true;
}

static bool nfc(const struct step *s, struct cut *c, struct word *io)
{
	(void)s;
	return form(c, io, UNICODE_NFC);
}

static bool nfd(const struct step *s, struct cut *c, struct word *io)
{
	(void)s;
	return form(c, io, UNICODE_NFD);
}

static bool nfkc(const struct step *s, struct cut *c, struct word *io)
{
	(void)s;
	return form(c, io, UNICODE_NFKC);
}

static bool nfkd(const struct step *s, struct cut *c, struct word *io)
{
	(void)s;
	return form(c, io, UNICODE_NFKD);
}

static bool lowercase(const struct step *s, struct cut *c, struct word *io)
{
	struct strbuf b;
	size_t n;
	(void)s;
	strbuf_init(&b, c->a);
	for (size_t i = 0; i < io->len; i += n) {
		uint32_t low[2];
		const size_t many = unicode_lower(code_at(io->at + i, io->len - i, &n), low);
		for (size_t k = 0; k < many; k++)
			put(&b, low[k]);
	}
	set(io, &b);
	return true;
}

static bool read_strip(struct step *s, const struct json_value *v, struct arena *a, struct err *err)
{
	(void)a, (void)err;
	s->left = json_flag_or(v, "strip_left", true);
	s->right = json_flag_or(v, "strip_right", true);
	return true;
}

static bool strip(const struct step *s, struct cut *c, struct word *io)
{
	size_t n, last = 0;
	(void)c;
	while (s->left && io->len > 0 && unicode_space(code_at(io->at, io->len, &n))) {
		io->at += n;
		io->len -= n;
	}
	for (size_t i = 0; i < io->len; i += n)
		if (!unicode_space(code_at(io->at + i, io->len - i, &n)))
			last = i + n;
	io->len = s->right ? last : io->len;
	return true;
}

static bool keep_unmarked(uint32_t *code)
{
	return *unicode_category(*code) != 'M';
}

static bool strip_accents(const struct step *s, struct cut *c, struct word *io)
{
	(void)s;
	each(c, io, keep_unmarked);
	return true;
}

/* ---- BERT ------------------------------------------------------------------------------------ */

static bool read_bert(struct step *s, const struct json_value *v, struct arena *a, struct err *err)
{
	(void)a, (void)err;
	s->clean = json_flag_or(v, "clean_text", true);
	s->chinese = json_flag_or(v, "handle_chinese_chars", true);
	s->lower = json_flag_or(v, "lowercase", true);
	s->accents = json_flag_or(v, "strip_accents", s->lower);
	return true;
}

static bool is_chinese(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} rows[] = {{0x4E00, 0x9FFF},	{0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
		    {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},	{0x2F800, 0x2FA1F}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (c >= rows[i].from && c <= rows[i].to)
			return true;
	return false;
}

static bool keep_clean(uint32_t *code)
{
	const bool blank = *code == '\t' || *code == '\n' || *code == '\r';
	if (!blank && (*code == 0xFFFD || *unicode_category(*code) == 'C'))
		return false;
	if (blank || unicode_space(*code))
		*code = ' ';
	return true;
}

static bool keep_spacing(uint32_t *code)
{
	return strcmp(unicode_category(*code), "Mn") != 0;
}

static void space_chinese(struct cut *c, struct word *io)
{
	struct strbuf b;
	size_t n;
	strbuf_init(&b, c->a);
	for (size_t i = 0; i < io->len; i += n) {
		const bool apart = is_chinese(code_at(io->at + i, io->len - i, &n));
		strbuf_add(&b, apart ? " " : "");
		strbuf_add_n(&b, io->at + i, n);
		strbuf_add(&b, apart ? " " : "");
	}
	set(io, &b);
}

static bool bert(const struct step *s, struct cut *c, struct word *io)
{
	if (s->clean)
		each(c, io, keep_clean);
	if (s->chinese)
		space_chinese(c, io);
	if (s->accents) {
		form(c, io, UNICODE_NFD);
		each(c, io, keep_spacing);
	}
	return !s->lower || lowercase(s, c, io);
}

/* ---- replacements ------------------------------------------------------------------------------ */

static bool read_replace(struct step *s, const struct json_value *v, struct arena *a,
			 struct err *err)
{
	s->content = json_text_or(v, "content", NULL);
	s->content_len = s->content ? strlen(s->content) : 0;
	if (!s->content)
		return err_set(err, "a text \"content\" would be right");
	return step_read_pattern(s, v, a, err);
}

static bool replace(const struct step *s, struct cut *c, struct word *io)
{
	struct part *parts;
	size_t n;
	struct strbuf b;
	if (!step_pattern_parts(s, c, io, &parts, &n))
		return false;
	strbuf_init(&b, c->a);
	for (size_t i = 0; i < n; i++)
		strbuf_add_n(&b, parts[i].matches ? s->content : io->at + parts[i].from,
			     parts[i].matches ? s->content_len : parts[i].to - parts[i].from);
	set(io, &b);
	return true;
}

static bool read_prepend(struct step *s, const struct json_value *v, struct arena *a,
			 struct err *err)
{
	(void)a;
	s->content = json_text_or(v, "prepend", NULL);
	s->content_len = s->content ? strlen(s->content) : 0;
	return s->content || err_set(err, "a text \"prepend\" would be right");
}

static bool prepend(const struct step *s, struct cut *c, struct word *io)
{
	struct strbuf b;
	if (io->len == 0)
		return true;
	strbuf_init(&b, c->a);
	strbuf_add_n(&b, s->content, s->content_len);
	strbuf_add_n(&b, io->at, io->len);
	set(io, &b);
	return true;
}

static bool byte_level(const struct step *s, struct cut *c, struct word *io)
{
	struct strbuf b;
	char out[4];
	(void)s;
	strbuf_init(&b, c->a);
	for (size_t i = 0; i < io->len; i++)
		strbuf_add_n(&b, out, byte_letter((unsigned char)io->at[i], out));
	set(io, &b);
	return true;
}

/* ---- SentencePiece ----------------------------------------------------------------------------- */

static bool keep_nmt(uint32_t *c)
{
	const uint32_t x = *c;
	if ((x >= 1 && x <= 8) || x == 0xB || (x >= 0xE && x <= 0x1F) || x == 0x7F || x == 0x8F ||
	    x == 0x9F)
		return false;
	if (x == 9 || x == 0xA || x == 0xC || x == 0xD || x == 0x1680 ||
	    (x >= 0x200B && x <= 0x200F) || x == 0x2028 || x == 0x2029 || x == 0x2581 ||
	    x == 0xFEFF || x == 0xFFFD)
		*c = ' ';
	return true;
}

static bool nmt(const struct step *s, struct cut *c, struct word *io)
{
	(void)s;
	each(c, io, keep_nmt);
	return true;
}

static int digit_of_64(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *const at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

static unsigned char *bytes_of_64(const char *text, struct arena *a, size_t *len)
{
	unsigned char *const out = arena_calloc(a, strlen(text) + 1, 1);
	unsigned have = 0, bits = 0;
	*len = 0;
	for (; *text && *text != '='; text++) {
		const int digit = digit_of_64(*text);
		if (digit < 0)
			return NULL;
		have = have << 6 | (unsigned)digit;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			out[(*len)++] = (unsigned char)(have >> bits);
		}
	}
	return out;
}

static bool read_precompiled(struct step *s, const struct json_value *v, struct arena *a,
			     struct err *err)
{
	const char *const text = json_text_or(v, "precompiled_charsmap", "");
	size_t len = 0;
	if (!*text)
		return true; /* nothing is replaced */
	const unsigned char *const data = bytes_of_64(text, a, &len);
	if (!data)
		return err_set(err, "precompiled_charsmap: text in base 64 would be right");
	s->map = charsmap_new(data, len, a, err);
	return s->map != NULL;
}

/* Replaces a cluster whole by what its shortest beginning has, as the library does, if it has fewer
 * than 6 bytes, else each of its code points. */
static bool precompiled(const struct step *s, struct cut *c, struct word *io)
{
	enum { SHORT = 6 };
	struct strbuf b;
	size_t cluster, letter, taken;
	strbuf_init(&b, c->a);
	for (size_t i = 0; s->map && i < io->len; i += cluster) {
		cluster = text_cluster(io->at + i, io->len - i);
		const char *by = cluster < SHORT
					 ? charsmap_find(s->map, io->at + i, cluster, false, &taken)
					 : NULL;
		strbuf_add(&b, by ? by : "");
		for (size_t k = i; !by && k < i + cluster; k += letter) {
			code_at(io->at + k, i + cluster - k, &letter);
			const char *const one =
				charsmap_find(s->map, io->at + k, letter, false, &taken);
			strbuf_add_n(&b, one ? one : io->at + k, one ? strlen(one) : letter);
		}
	}
	if (s->map)
		set(io, &b);
	return true;
}

/* Adds a text with a blank for each of its blanks, and drops those behind a blank if asked to. */
static void add_blanks(const struct step *s, const char *text, size_t len, bool *behind,
		       struct strbuf *b)
{
	for (size_t i = 0; i < len; i++) {
		const bool blank = text[i] == ' ';
		if (blank && s->clean && *behind)
			continue;
		*behind = blank;
		if (blank)
			strbuf_add(b, BLANK);
		else
			strbuf_add_char(b, text[i]);
	}
}

/* Normalizes as SentencePiece does: the longest replacement at each place, blanks drawn together if
 * `clean` is set, one in front if `prefix` is, and U+2581 for each. */
static bool sentencepiece(const struct step *s, struct cut *c, struct word *io)
{
	struct strbuf b;
	bool behind = true;
	size_t taken;
	if (io->len == 0)
		return true;
	strbuf_init(&b, c->a);
	strbuf_add(&b, s->prefix ? BLANK : "");
	const size_t front = b.len;
	for (size_t i = 0; i < io->len; i += taken) {
		code_at(io->at + i, io->len - i, &taken);
		const size_t letter = taken;
		const char *const by =
			s->map ? charsmap_find(s->map, io->at + i, io->len - i, true, &taken)
			       : NULL;
		taken = by ? taken : letter;
		add_blanks(s, by ? by : io->at + i, by ? strlen(by) : letter, &behind, &b);
	}
	const size_t blank = strlen(BLANK);
	while (s->clean && b.len >= front + blank &&
	       memcmp(b.at + b.len - blank, BLANK, blank) == 0)
		b.len -= blank;
	if (b.len == front)
		b.len = 0; /* nothing but blanks */
	set(io, &b);
	return true;
}

const struct step_kind normalizer_kinds[] = {
	{"NFC", NULL, nfc, NULL},
	{"NFD", NULL, nfd, NULL},
	{"NFKC", NULL, nfkc, NULL},
	{"NFKD", NULL, nfkd, NULL},
	{"Lowercase", NULL, lowercase, NULL},
	{"Strip", read_strip, strip, NULL},
	{"StripAccents", NULL, strip_accents, NULL},
	{"BertNormalizer", read_bert, bert, NULL},
	{"Replace", read_replace, replace, NULL},
	{"Prepend", read_prepend, prepend, NULL},
	{"ByteLevel", NULL, byte_level, NULL},
	{"Nmt", NULL, nmt, NULL},
	{"Precompiled", read_precompiled, precompiled, NULL},
	{"SentencePiece", NULL, sentencepiece, NULL},
	{0},
};
