/* kind_json.c: JSON by its beginning: tensors, tokens, or one of the files beside a model.
 *
 * Files may be large and only their head is available, so nothing is parsed: the names in the
 * outermost object and the first values of lists decide. */
#include "format/kind_in.h"

#include <string.h>

struct scan {
	const char *at, *end;
};

static void skip_blanks(struct scan *s)
{
	while (s->at < s->end && *s->at && strchr(" \t\r\n", *s->at))
		s->at++;
}

static bool is_at(const struct scan *s, char c)
{
	return s->at < s->end && *s->at == c;
}

/* Reads a string; *text and *len are the text between the quotes. */
static bool read_string(struct scan *s, const char **text, size_t *len)
{
	if (!is_at(s, '"'))
		return false;
	*text = ++s->at;
	while (s->at < s->end && *s->at != '"')
		s->at += *s->at == '\\' && s->end - s->at > 1 ? 2 : 1;
	*len = (size_t)(s->at - *text);
	if (s->at < s->end)
		s->at++;
	return true;
}

/* Skips a list, an object or a scalar, up to the comma or the bracket after it. */
static void skip_value(struct scan *s)
{
	size_t depth = 0, len;
	const char *text;
	while (s->at < s->end) {
		const char c = *s->at;
		if (c == '"') {
			read_string(s, &text, &len);
			continue;
		}
		if (depth == 0 && (c == ',' || c == ']' || c == '}'))
			return;
		depth += c == '[' || c == '{';
		s->at++;
		if ((c == ']' || c == '}') && --depth == 0)
			return;
	}
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(text, word, len) == 0;
}

enum list { LIST_OTHER, LIST_NUMBERS, LIST_STRINGS };

/* Returns the type of the first scalar of a list, at any depth; strings are recognised on the
 * first level only. */
static enum list list_of(struct scan s)
{
	size_t depth = 0, len;
	const char *text;
	for (; is_at(&s, '['); skip_blanks(&s)) {
		s.at++;
		depth++;
	}
	if (s.at < s.end && *s.at && strchr("-0123456789", *s.at))
		return LIST_NUMBERS;
	if (!read_string(&s, &text, &len))
		return LIST_OTHER;
	if (is_word(text, len, "inf") || is_word(text, len, "-inf") || is_word(text, len, "nan"))
		return LIST_NUMBERS;
	return depth == 1 ? LIST_STRINGS : LIST_OTHER;
}

/* A text may begin with "[1] " or "[CLS]": only a list ends with its closing bracket. */
static bool look_list(struct scan s, struct kind_seen *out)
{
	const enum list list = list_of(s);
	skip_value(&s);
	skip_blanks(&s);
	if (list == LIST_OTHER || s.at < s.end)
		return false;
	return kind_set(out, list == LIST_NUMBERS ? KIND_TENSORS : KIND_TOKENS, KIND_BY_BYTES, "");
}

const char *const kind_token_fields[] = {
	"ids",	    "type_ids",	   "offsets", "attention_mask", "special_tokens_mask",
	"word_ids", "overflowing", NULL};

struct members {
	bool tokens, others; /* a list of tokens; fields that no tokenizer prints besides it */
	bool model, width, heads, weight_map, added, tokenizer, tensors;
	char type[48]; /* of the model */
};

static void take_type(struct scan s, struct members *m)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
	const char *text;
	size_t len;
	m->model = true;
	if (!read_string(&s, &text, &len) || len >= sizeof m->type)
		return;
	memcpy(m->type, text, len);
	m->type[strspn(m->type, letters)] = '\0';
}

/* Records one member of the outermost object; s is before its value. */
static void take_member(const char *name, size_t len, struct scan s, struct members *m)
{
	static const char *const widths[] = {"hidden_size", "n_embd", "d_model", "dim"};
	static const char *const heads[] = {"num_attention_heads", "n_head", "num_heads", "n_heads",
					    "attention_heads"};
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
		m->width |= is_word(name, len, widths[i]);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		m->heads |= is_word(name, len, heads[i]);
	if (is_word(name, len, "model_type"))
		take_type(s, m);
	m->model |= is_word(name, len, "architectures");
	m->weight_map |= is_word(name, len, "weight_map");
	m->added |= is_word(name, len, "added_tokens") || is_word(name, len, "tokenizer_class");
	bool known = is_word(name, len, "tokens");
	m->tokens |= known && is_at(&s, '[') && list_of(s) == LIST_STRINGS;
	for (const char *const *at = kind_token_fields; *at && !known; at++)
		known = is_word(name, len, *at);
	m->others |= !known;
	m->tensors |=
		(is_word(name, len, "tensors") || is_word(name, len, "metadata")) && is_at(&s, '{');
	m->tensors |= is_at(&s, '[') && list_of(s) == LIST_NUMBERS;
}

static bool look_object(struct scan s, struct kind_seen *out)
{
	struct members m = {0};
	const char *name;
	size_t len;
	for (s.at++; skip_blanks(&s), read_string(&s, &name, &len); s.at += is_at(&s, ',')) {
		skip_blanks(&s);
		if (!is_at(&s, ':'))
			return false;
		s.at++;
		skip_blanks(&s);
		take_member(name, len, s, &m);
		skip_value(&s);
	}
	if (s.at < s.end && *s.at != '}')
		return false;
	char detail[64] = "";
	if (*m.type) {
		memcpy(detail, "model_type ", 11);
		memcpy(detail + 11, m.type, sizeof m.type);
	}
	if (m.tokens && !m.others)
		return kind_set(out, KIND_TOKENS, KIND_BY_BYTES, "");
	if (m.weight_map)
		return kind_set(out, KIND_MODEL_INDEX, KIND_BY_BYTES, "");
	if (m.model || (m.width && m.heads))
		return kind_set(out, KIND_MODEL_CONFIG, KIND_BY_BYTES, detail);
	if (m.added)
		return kind_set(out, KIND_TOKENIZER, KIND_BY_BYTES, "");
	return kind_set(out, m.tensors ? KIND_TENSORS : KIND_JSON, KIND_BY_BYTES, "");
}

bool kind_look_json(const char *at, size_t len, struct kind_seen *out)
{
	struct scan s = {at, at + len};
	skip_blanks(&s);
	return is_at(&s, '[') ? look_list(s, out) : is_at(&s, '{') && look_object(s, out);
}
