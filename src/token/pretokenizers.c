/* pretokenizers.c: what divides a text into words, which the model then cuts into pieces. */
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/base/unicode.h"
#include "token/token_in.h"

#define GPT2_WORDS                                                  \
	"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}" \
	"\\p{N}]+|\\s+(?!\\S)|\\s+"

/* ---- what becomes of a match ------------------------------------------------------------------- */

/* Returns whether a part goes with the one before it. */
static bool joins(enum behaviour b, const struct part *parts, size_t i)
{
	const bool now = parts[i].matches, before = i > 0 && parts[i - 1].matches;
	switch (b) {
	case WITH_PREVIOUS:
		return i > 0 && now && !before;
	case WITH_NEXT:
		return i > 0 && !now && before;
	case CONTIGUOUS:
		return i > 0 && now == before;
	default:
		return false;
	}
}

static void add_parts(enum behaviour b, const struct word *in, const struct part *parts, size_t n,
		      struct words *out)
{
	for (size_t i = 0; i < n;) {
		const size_t from = parts[i].from;
		const bool drop = b == REMOVED && parts[i].matches;
		do
			i++;
		while (i < n && joins(b, parts, i));
		if (!drop)
			add_word(out, in->at + from, parts[i - 1].to - from,
				 in->first && from == 0);
	}
}

/* Divides by a property of code points: each that has it is a match of its own. */
static void divide_by(bool (*has)(uint32_t code), enum behaviour b, struct cut *c,
		      const struct word *in, struct words *out)
{
	struct part *const parts = arena_calloc(c->a, in->len + 1, sizeof *parts);
	size_t n = 0, letter;
	for (size_t i = 0; i < in->len; i += letter) {
		const bool is = has(code_at(in->at + i, in->len - i, &letter));
		if (!is && n > 0 && !parts[n - 1].matches)
			parts[n - 1].to = i + letter;
		else
			parts[n++] = (struct part){i, i + letter, is};
	}
	add_parts(b, in, parts, n, out);
}

/* ---- the kinds --------------------------------------------------------------------------------- */

static bool read_behaviour(struct step *s, const struct json_value *v, enum behaviour otherwise,
			   struct err *err)
{
	static const char *const names[BEHAVIOURS] = {"Removed", "Isolated", "MergedWithPrevious",
						      "MergedWithNext", "Contiguous"};
	const char *const name = json_text_or(v, "behavior", NULL);
	char quoted[120];
	s->behaviour = otherwise;
	for (int i = 0; name && i < BEHAVIOURS; i++)
		if (strcmp(names[i], name) == 0) {
			s->behaviour = (enum behaviour)i;
			return true;
		}
	return !name || err_set(err, "behavior %s is not known",
				text_quote_buf(quoted, sizeof quoted, name, strlen(name)));
}

static bool read_split(struct step *s, const struct json_value *v, struct arena *a, struct err *err)
{
	s->invert = json_flag_or(v, "invert", false);
	return read_behaviour(s, v, ISOLATED, err) && step_read_pattern(s, v, a, err);
}

static bool split(const struct step *s, struct cut *c, const struct word *in, struct words *out)
{
	struct part *parts;
	size_t n;
	if (!step_pattern_parts(s, c, in, &parts, &n))
		return false;
	for (size_t i = 0; s->invert && i < n; i++)
		parts[i].matches = !parts[i].matches;
	add_parts(s->behaviour, in, parts, n, out);
	return true;
}

static bool read_byte_level(struct step *s, const struct json_value *v, struct arena *a,
			    struct err *err)
{
	s->prefix = json_flag_or(v, "add_prefix_space", true);
	s->regex = json_flag_or(v, "use_regex", true);
	s->behaviour = ISOLATED;
	if (s->regex)
		s->pattern = pattern_new(GPT2_WORDS, a, err);
	return !s->regex || s->pattern;
}

static void add_letters(const struct word *in, struct cut *c, struct words *out)
{
	struct strbuf b;
	char letter[4];
	strbuf_init(&b, c->a);
	for (size_t i = 0; i < in->len; i++)
		strbuf_add_n(&b, letter, byte_letter((unsigned char)in->at[i], letter));
	add_word(out, b.at, b.len, in->first);
}

static bool byte_level(const struct step *s, struct cut *c, const struct word *in,
		       struct words *out)
{
	struct word w = *in;
	struct words words = {.a = c->a};
	if (s->prefix && w.at[0] != ' ') {
		struct strbuf b;
		strbuf_init(&b, c->a);
		strbuf_add_char(&b, ' ');
		strbuf_add_n(&b, in->at, in->len);
		w.at = b.at;
		w.len = b.len;
	}
	if (!s->regex)
		add_word(&words, w.at, w.len, w.first);
	else if (!split(s, c, &w, &words))
		return false;
	for (size_t i = 0; i < words.n; i++)
		add_letters(&words.at[i], c, out);
	return true;
}

static bool is_number(uint32_t code)
{
	return *unicode_category(code) == 'N';
}

static bool read_digits(struct step *s, const struct json_value *v, struct arena *a,
			struct err *err)
{
	(void)a, (void)err;
	s->behaviour = json_flag_or(v, "individual_digits", false) ? ISOLATED : CONTIGUOUS;
	return true;
}

static bool digits(const struct step *s, struct cut *c, const struct word *in, struct words *out)
{
	divide_by(is_number, s->behaviour, c, in, out);
	return true;
}

static bool read_punctuation(struct step *s, const struct json_value *v, struct arena *a,
			     struct err *err)
{
	(void)a;
	return read_behaviour(s, v, ISOLATED, err);
}

static bool punctuation(const struct step *s, struct cut *c, const struct word *in,
			struct words *out)
{
	divide_by(unicode_punctuation, s->behaviour, c, in, out);
	return true;
}

static bool whitespace_split(const struct step *s, struct cut *c, const struct word *in,
			     struct words *out)
{
	(void)s;
	divide_by(unicode_space, REMOVED, c, in, out);
	return true;
}

static bool is_neither(uint32_t code)
{
	return !unicode_word(code) && !unicode_space(code);
}

/* Runs of letters, and runs of what is neither a letter nor a blank. */
static bool whitespace(const struct step *s, struct cut *c, const struct word *in,
		       struct words *out)
{
	struct words apart = {.a = c->a};
	(void)s;
	divide_by(unicode_space, REMOVED, c, in, &apart);
	for (size_t i = 0; i < apart.n; i++)
		divide_by(is_neither, CONTIGUOUS, c, &apart.at[i], out);
	return true;
}

static bool bert(const struct step *s, struct cut *c, const struct word *in, struct words *out)
{
	struct words apart = {.a = c->a};
	(void)s;
	divide_by(unicode_space, REMOVED, c, in, &apart);
	for (size_t i = 0; i < apart.n; i++)
		divide_by(unicode_punctuation, ISOLATED, c, &apart.at[i], out);
	return true;
}

static bool read_delimiter(struct step *s, const struct json_value *v, struct arena *a,
			   struct err *err)
{
	(void)a;
	s->text = json_text_or(v, "delimiter", "");
	s->text_len = strlen(s->text);
	s->behaviour = REMOVED;
	return s->text_len > 0 || err_set(err, "a text \"delimiter\" would be right");
}

/* ---- Metaspace --------------------------------------------------------------------------------- */

static bool read_metaspace(struct step *s, const struct json_value *v, struct arena *a,
			   struct err *err)
{
	const char *const scheme = json_text_or(v, "prepend_scheme", NULL);
	const bool always =
		scheme ? strcmp(scheme, "always") == 0 : json_flag_or(v, "add_prefix_space", true);
	char quoted[120];
	(void)a;
	s->text = json_text_or(v, "replacement", BLANK);
	s->text_len = strlen(s->text);
	s->regex = json_flag_or(v, "split", true);
	s->only_first = scheme && strcmp(scheme, "first") == 0;
	s->prefix = always || s->only_first;
	s->behaviour = WITH_NEXT;
	if (scheme && !s->prefix && strcmp(scheme, "never") != 0)
		return err_set(err, "prepend_scheme %s is not known",
			       text_quote_buf(quoted, sizeof quoted, scheme, strlen(scheme)));
	return s->text_len > 0 || err_set(err, "a text \"replacement\" would be right");
}

static bool metaspace(const struct step *s, struct cut *c, const struct word *in, struct words *out)
{
	struct strbuf b;
	strbuf_init(&b, c->a);
	const bool has = in->at[0] == ' ' ||
			 (in->len >= s->text_len && memcmp(in->at, s->text, s->text_len) == 0);
	if (s->prefix && !has && (!s->only_first || in->first))
		strbuf_add_n(&b, s->text, s->text_len);
	for (size_t i = 0; i < in->len; i++)
		strbuf_add_n(&b, in->at[i] == ' ' ? s->text : in->at + i,
			     in->at[i] == ' ' ? s->text_len : 1);
	const struct word w = {b.at, b.len, in->first};
	if (s->regex)
		return split(s, c, &w, out);
	add_word(out, w.at, w.len, w.first);
	return true;
}

const struct step_kind pretokenizer_kinds[] = {
	{"ByteLevel", read_byte_level, NULL, byte_level},
	{"Split", read_split, NULL, split},
	{"Digits", read_digits, NULL, digits},
	{"Punctuation", read_punctuation, NULL, punctuation},
	{"Metaspace", read_metaspace, NULL, metaspace},
	{"Whitespace", NULL, NULL, whitespace},
	{"WhitespaceSplit", NULL, NULL, whitespace_split},
	{"BertPreTokenizer", NULL, NULL, bert},
	{"CharDelimiterSplit", read_delimiter, NULL, split},
	{0},
};
