/* sentence.c: from text to tokens.
 *
 * The same code divides the text twice, first only to count, so that the tokens are allocated
 * once and an endless text costs no memory before it is refused. */
#include "posviz/input/input.h"

#include <string.h>

#include "input/cutter.h"
#include "posviz/input/letters.h"
#include "posviz/base/text.h"

#define BLANK "\xE2\x90\xA3" /* U+2423, open box */

const char *const token_mode_names[TOKEN_MODES + 1] = {[TOKENS_WORDS] = "words",
						       [TOKENS_CHARS] = "chars",
						       [TOKENS_BYTES] = "bytes",
						       [TOKENS_GIVEN] = "given",
						       [TOKENS_PLAIN_WORDS] = "plain-words",
						       [TOKENS_MODEL] = "model"};

static const struct {
	const char *name, *form;
	unsigned flag;
} specials[] = {
	{"cls", "[CLS]", SPECIAL_CLS}, {"sep", "[SEP]", SPECIAL_SEP}, {"bos", "<s>", SPECIAL_BOS}};

enum { SPECIALS = sizeof specials / sizeof specials[0] };

void cutter_push(struct cutter *c, const char *text, size_t len, const char *label, bool special,
		 enum joins joins)
{
	if (joins == OWN_WORD)
		c->words++;
	if (c->tokens != NULL)
		c->tokens[c->n] = (struct token){
			.text = arena_strndup(c->arena, text, len),
			.len = len,
			.label = label != NULL ? label : text_escape(c->arena, text, len),
			.special = special,
			.word = c->words - 1,
			.segment = c->segment,
			.place = special ? 0 : c->moving,
		};
	c->n++;
	c->moving += !special;
}

static void push_special(struct cutter *c, unsigned flag)
{
	for (size_t i = 0; i < SPECIALS; i++)
		if (specials[i].flag == flag)
			cutter_push(c, specials[i].form, strlen(specials[i].form), NULL, true,
				    OWN_WORD);
}

/* ---- special tokens of models ---- */

enum { NAMED_MOST = 64, BYTE_DIGITS = 2 };

/* The forms of special tokens. With `ends`, letters come between, only those of `inside` if
 * given. `stays`: it frames the text and is no word of it, so an order does not move it.
 * `plain`: earlier versions knew it. */
static const struct {
	const char *begins, *ends, *inside;
	size_t least, most; /* bytes between */
	bool stays, plain;
} forms[] = {
	{.begins = "[CLS]", .stays = true, .plain = true},
	{.begins = "[SEP]", .stays = true, .plain = true},
	{.begins = "<s>", .stays = true, .plain = true},
	{.begins = "</s>", .stays = true},
	{.begins = "<pad>", .stays = true},
	{.begins = "<bos>", .stays = true},
	{.begins = "<eos>", .stays = true},
	{.begins = "[PAD]", .stays = true},
	{.begins = "[BOS]", .stays = true},
	{.begins = "[EOS]", .stays = true},
	{.begins = "<|", .ends = "|>", .least = 1, .most = NAMED_MOST, .stays = true},
	{.begins = "<unk>"},
	{.begins = "<mask>"},
	{.begins = "[UNK]"},
	{.begins = "[MASK]"},
	{.begins = "<0x",
	 .ends = ">",
	 .inside = "0123456789ABCDEFabcdef",
	 .least = BYTE_DIGITS,
	 .most = BYTE_DIGITS},
};

/* Returns the length of the text between and of `ends`, or 0. */
static size_t form_rest(size_t i, const char *text, size_t len)
{
	const size_t size = strlen(forms[i].ends);
	for (size_t at = 0; at <= forms[i].most && at + size <= len; at++) {
		if (at >= forms[i].least && memcmp(text + at, forms[i].ends, size) == 0)
			return at + size;
		const unsigned char c = (unsigned char)text[at];
		if (c <= ' ' || c == '<' || c == '>' ||
		    (forms[i].inside && !strchr(forms[i].inside, c)))
			return 0;
	}
	return 0;
}

size_t cutter_special(const char *text, size_t len, bool plain, bool *stays)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const size_t size = strlen(forms[i].begins);
		if ((plain && !forms[i].plain) || len < size ||
		    memcmp(text, forms[i].begins, size) != 0)
			continue;
		const size_t rest = forms[i].ends ? form_rest(i, text + size, len - size) : 0;
		*stays = forms[i].stays;
		if (rest > 0 || !forms[i].ends)
			return size + rest;
	}
	return 0;
}

/* ---- characters and bytes ---- */

static size_t cluster_at(const char *text, size_t len, bool *blank)
{
	size_t size = 0;
	*blank = letter_at(text, len, &size) == LETTER_SPACE;
	return size;
}

/* Divides a segment into characters. All white space is the same token, a blank: the meaning of
 * a text does not depend on its line breaks. Words are the parts between blanks. */
static void cut_chars(struct cutter *c, const char *text, size_t len)
{
	bool was_blank = true, blank = false;
	for (size_t at = 0, size = 0; at < len; at += size) {
		size = cluster_at(text + at, len - at, &blank);
		const enum joins joins = at > 0 && blank == was_blank ? SAME_WORD : OWN_WORD;
		cutter_push(c, blank ? " " : text + at, blank ? 1 : size, blank ? BLANK : NULL,
			    false, joins);
		was_blank = blank;
	}
}

static const char *byte_label(struct arena *a, char byte)
{
	if (byte == ' ')
		return BLANK;
	if (byte > ' ' && byte <= '~')
		return arena_strndup(a, &byte, 1);
	return arena_printf(a, "\\x%02X", (unsigned char)byte);
}

static void cut_bytes(struct cutter *c, const char *text, size_t len)
{
	for (size_t at = 0; at < len; at++) {
		const bool same =
			at > 0 && letter_is_blank(text[at]) == letter_is_blank(text[at - 1]);
		const char *label = c->tokens != NULL ? byte_label(c->arena, text[at]) : "";
		cutter_push(c, text + at, 1, label, false, same ? SAME_WORD : OWN_WORD);
	}
}

/* ---- segments ---- */

static bool cut_segment(struct cutter *c, const char *text, size_t len, enum token_mode mode,
			struct err *err)
{
	switch (mode) {
	case TOKENS_CHARS:
		cut_chars(c, text, len);
		return true;
	case TOKENS_BYTES:
		cut_bytes(c, text, len);
		return true;
	case TOKENS_GIVEN:
		cut_blanks(c, text, len);
		return true;
	default:
		return cut_words(c, text, len, mode == TOKENS_PLAIN_WORDS, err);
	}
}

/* It has white space or an end of the text on both sides. */
size_t input_next_bar(const char *text, size_t len, size_t from)
{
	for (size_t at = from; at + 3 <= len; at++)
		if (memcmp(text + at, "|||", 3) == 0 &&
		    (at == 0 || letter_is_blank(text[at - 1])) &&
		    (at + 3 == len || letter_is_blank(text[at + 3])))
			return at;
	return len;
}

static bool takes_list(enum token_mode mode)
{
	return mode == TOKENS_WORDS || mode == TOKENS_GIVEN;
}

/* The blank on each side of a separator belongs to it. */
static bool cut_segments(struct cutter *c, const char *text, size_t len, enum token_mode mode,
			 unsigned special, struct err *err)
{
	push_special(c, special & SPECIAL_CLS);
	push_special(c, special & SPECIAL_BOS);
	if ((takes_list(mode) && input_is_list(text, len)) ||
	    (mode == TOKENS_GIVEN && input_is_object(text, len))) {
		if (!cut_list(c, text, len, err))
			return false;
		push_special(c, special & SPECIAL_SEP);
		return true;
	}
	for (size_t start = 0;; c->segment++) {
		const size_t bar = input_next_bar(text, len, start);
		const size_t end = bar < len && bar > start ? bar - 1 : bar;
		const size_t before = c->n;
		if (!cut_segment(c, text + start, end - start, mode, err))
			return false;
		const bool last = bar == len;
		if (c->n == before && !(last && c->segment == 0))
			return err_set(err, "segment %zu is empty; ||| stands between two texts",
				       c->segment + 1);
		push_special(c, special & SPECIAL_SEP);
		if (last)
			return true;
		start = bar + 4 < len ? bar + 4 : len;
	}
}

bool input_sentence(struct input *in, const char *text, size_t len, enum token_mode mode,
		    unsigned special, struct arena *a, struct err *err)
{
	if ((special & SPECIAL_CLS) && (special & SPECIAL_BOS))
		return err_set(err, "cls and bos both come first; choose one");
	struct cutter count = {.arena = a};
	if (!cut_segments(&count, text, len, mode, special, err))
		return false;
	if (count.moving == 0)
		return err_set(err, "the sentence is empty; it needs at least one token");
	if (count.n > INPUT_MAX_TOKENS)
		return err_set(err, "the sentence has %zu tokens; the limit is %d", count.n,
			       INPUT_MAX_TOKENS);
	struct cutter c = {.arena = a,
			   .tokens = arena_calloc(a, count.n, sizeof *c.tokens),
			   .of = count.pictures};
	cut_segments(&c, text, len, mode, special, NULL);
	*in = (struct input){.tokens = c.tokens,
			     .n = c.n,
			     .moving = c.moving,
			     .segments = c.segment + 1,
			     .listed = mode == TOKENS_WORDS && input_is_list(text, len)};
	return true;
}

bool input_words_alike(const char *text, size_t len)
{
	struct arena a;
	struct input now = {0}, plain = {0};
	arena_init(&a);
	const bool read = input_sentence(&now, text, len, TOKENS_WORDS, 0, &a, NULL);
	bool alike = input_sentence(&plain, text, len, TOKENS_PLAIN_WORDS, 0, &a, NULL) == read &&
		     now.n == plain.n;
	for (size_t i = 0; alike && i < now.n; i++)
		alike = now.tokens[i].len == plain.tokens[i].len &&
			memcmp(now.tokens[i].text, plain.tokens[i].text, plain.tokens[i].len) == 0;
	arena_release(&a);
	return alike;
}

/* ---- words given one by one ---- */

static void cut_word(struct cutter *c, const char *word, enum token_mode mode)
{
	const size_t len = strlen(word);
	size_t size = len;
	for (size_t at = 0; at < len || at == 0; at += size) {
		bool blank = false;
		if (mode == TOKENS_CHARS && len > 0)
			size = cluster_at(word + at, len - at, &blank);
		else if (mode == TOKENS_BYTES && len > 0)
			size = 1;
		const char *label = blank ? BLANK : NULL;
		if (mode == TOKENS_BYTES && c->tokens != NULL && len > 0)
			label = byte_label(c->arena, word[at]);
		cutter_push(c, word + at, size, label, false, at > 0 ? SAME_WORD : OWN_WORD);
		if (len == 0)
			break;
	}
}

static void cut_given(struct cutter *c, const char *const *words, size_t n, enum token_mode mode,
		      unsigned special)
{
	push_special(c, special & SPECIAL_CLS);
	push_special(c, special & SPECIAL_BOS);
	for (size_t i = 0; i < n; i++)
		cut_word(c, words[i], mode);
	push_special(c, special & SPECIAL_SEP);
}

bool input_words(struct input *in, const char *const *words, size_t n, enum token_mode mode,
		 unsigned special, struct arena *a, struct err *err)
{
	if ((special & SPECIAL_CLS) && (special & SPECIAL_BOS))
		return err_set(err, "cls and bos both come first; choose one");
	struct cutter count = {.arena = a};
	cut_given(&count, words, n, mode, special);
	if (count.moving == 0)
		return err_set(err, "there is no token; at least one is needed");
	if (count.n > INPUT_MAX_TOKENS)
		return err_set(err, "there are %zu tokens; the limit is %d", count.n,
			       INPUT_MAX_TOKENS);
	struct cutter c = {.arena = a, .tokens = arena_calloc(a, count.n, sizeof *c.tokens)};
	cut_given(&c, words, n, mode, special);
	*in = (struct input){.tokens = c.tokens, .n = c.n, .moving = c.moving, .segments = 1};
	return true;
}

/* ---- which special tokens ---- */

static bool parse_one_special(const char *text, size_t len, unsigned *flags, struct err *err)
{
	for (size_t i = 0; i < SPECIALS; i++)
		if (strlen(specials[i].name) == len && memcmp(text, specials[i].name, len) == 0) {
			*flags |= specials[i].flag;
			return true;
		}
	char quoted[128];
	return err_set(err, "no special token %s; they are cls, sep, bos, or none",
		       text_quote_buf(quoted, sizeof quoted, text, len));
}

bool input_parse_special(const char *text, unsigned *special, struct err *err)
{
	unsigned flags = 0;
	if (text[0] != '\0' && strcmp(text, "none") != 0)
		for (const char *at = text;; at++) {
			const size_t len = strcspn(at, ",");
			if (!parse_one_special(at, len, &flags, err))
				return false;
			at += len;
			if (*at == '\0')
				break;
		}
	if ((flags & SPECIAL_CLS) && (flags & SPECIAL_BOS))
		return err_set(err, "cls and bos both come first; choose one");
	*special = flags;
	return true;
}
