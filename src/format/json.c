/* json.c: reading and writing JSON; the only file that uses jansson.
 *
 * Reading is jansson's: its tree is copied into an arena and freed at once, so that no other
 * code counts references. Writing appends text directly, because jansson prints 0.1 with 17
 * digits. */
#include "posviz/format/json.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "posviz/format/json_read.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { MAX_DEPTH = 64 };

struct json_writer {
	struct strbuf text;
	char closing[MAX_DEPTH]; /* '}' or ']' of each open value */
	size_t depth;
	bool first; /* nothing written in the innermost open value */
};

struct json_writer *json_writer_new(struct arena *a)
{
	struct json_writer *w = arena_calloc(a, 1, sizeof *w);
	strbuf_init(&w->text, a);
	w->first = true;
	return w;
}

static void write_text(struct strbuf *b, const char *value)
{
	static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */
	const size_t len = strlen(value);
	strbuf_add_char(b, '"');
	for (size_t at = 0; at < len;) {
		uint32_t code = 0;
		const size_t n = text_decode(value + at, len - at, &code);
		if (n == 0)
			strbuf_add(b, replacement);
		else if (code == '"' || code == '\\')
			strbuf_printf(b, "\\%c", (int)code);
		else if (code < 0x20 || code == 0x7F)
			strbuf_printf(b, "\\u%04x", code);
		else
			strbuf_add_n(b, value + at, n);
		at += n > 0 ? n : 1;
	}
	strbuf_add_char(b, '"');
}

/* Writes the comma and the name that come before a value. */
static struct strbuf *before_value(struct json_writer *w, const char *name)
{
	const bool in_object = w->depth > 0 && w->closing[w->depth - 1] == '}';
	BUG_IF((name != NULL) != in_object);
	BUG_IF(w->depth == 0 && !w->first);
	if (!w->first)
		strbuf_add_char(&w->text, ',');
	w->first = false;
	if (name != NULL) {
		write_text(&w->text, name);
		strbuf_add_char(&w->text, ':');
	}
	return &w->text;
}

static void open_value(struct json_writer *w, const char *name, char opening, char closing)
{
	BUG_IF(w->depth == MAX_DEPTH);
	strbuf_add_char(before_value(w, name), opening);
	w->closing[w->depth++] = closing;
	w->first = true;
}

void json_writer_object(struct json_writer *w, const char *name)
{
	open_value(w, name, '{', '}');
}

void json_writer_array(struct json_writer *w, const char *name)
{
	open_value(w, name, '[', ']');
}

void json_writer_end(struct json_writer *w)
{
	BUG_IF(w->depth == 0);
	strbuf_add_char(&w->text, w->closing[--w->depth]);
	w->first = false;
}

void json_writer_string(struct json_writer *w, const char *name, const char *value)
{
	struct strbuf *b = before_value(w, name);
	if (value == NULL)
		strbuf_add(b, "null");
	else
		write_text(b, value);
}

void json_writer_number(struct json_writer *w, const char *name, double value)
{
	char number[32];
	num_print(number, sizeof number, value);
	const char *fmt = isfinite(value) ? "%s" : "\"%s\"";
	if (value == 0 && signbit(value))
		fmt = "%s.0"; /* readers take -0 for an integer, which has no negative zero */
	strbuf_printf(before_value(w, name), fmt, number);
}

void json_writer_integer(struct json_writer *w, const char *name, long value)
{
	strbuf_printf(before_value(w, name), "%ld", value);
}

void json_writer_bool(struct json_writer *w, const char *name, bool value)
{
	strbuf_add(before_value(w, name), value ? "true" : "false");
}

void json_writer_value(struct json_writer *w, const char *name, const char *text)
{
	strbuf_add(before_value(w, name), text);
}

/* Returns the position after the string that begins at `at`. */
static const char *string_end(const char *at)
{
	for (at++; *at != '"'; at++)
		if (*at == '\\')
			at++;
	return at + 1;
}

/* Returns the end of an array that holds no arrays and objects, or of an empty value; else NULL. */
static const char *flat_end(const char *at)
{
	if (at[1] == '}' || at[1] == ']')
		return at + 2;
	if (*at != '[')
		return NULL;
	for (at++; *at != ']';) {
		if (*at == '[' || *at == '{')
			return NULL;
		at = *at == '"' ? string_end(at) : at + 1;
	}
	return at + 1;
}

static void new_line(struct strbuf *b, int columns)
{
	strbuf_printf(b, "\n%*s", columns, "");
}

/* Adds line breaks and blanks to compact text. */
static const char *indented(struct arena *a, const char *at, int indent)
{
	struct strbuf b;
	strbuf_init(&b, a);
	int columns = 0;
	while (*at != '\0') {
		const char *end = at + 1;
		if (*at == '"')
			end = string_end(at);
		else if ((*at == '{' || *at == '[') && flat_end(at) != NULL)
			end = flat_end(at);
		const bool single = end == at + 1;
		if (single && (*at == '}' || *at == ']'))
			new_line(&b, columns -= indent);
		strbuf_add_n(&b, at, (size_t)(end - at));
		if (single && (*at == '{' || *at == '['))
			new_line(&b, columns += indent);
		else if (single && *at == ',')
			new_line(&b, columns);
		else if (single && *at == ':')
			strbuf_add_char(&b, ' ');
		at = end;
	}
	return b.at;
}

size_t json_writer_bytes(const struct json_writer *w)
{
	return w->text.len;
}

const char *json_writer_done(struct json_writer *w, int indent)
{
	BUG_IF(w->depth != 0 || w->first);
	return indent > 0 ? indented(w->text.arena, w->text.at, indent) : w->text.at;
}

static void copy_value(struct arena *a, json_t *from, struct json_value *to);

static void copy_items(struct arena *a, json_t *from, struct json_value *to)
{
	struct json_value *items = arena_calloc(a, to->count, sizeof *items);
	to->as.items = items;
	if (to->kind == JSON_VALUE_ARRAY) {
		for (size_t i = 0; i < to->count; i++)
			copy_value(a, json_array_get(from, i), &items[i]);
		return;
	}
	const char *name = NULL;
	json_t *value = NULL;
	json_object_foreach(from, name, value)
	{
		items->name = arena_strdup(a, name);
		copy_value(a, value, items);
		items++;
	}
}

/* Recursion is bounded by jansson's limit on nesting (JSON_PARSER_MAX_DEPTH, 2048). */
static void copy_value(struct arena *a, json_t *from, struct json_value *to)
{
	switch (json_typeof(from)) {
	case JSON_OBJECT:
		to->kind = JSON_VALUE_OBJECT;
		to->count = json_object_size(from);
		copy_items(a, from, to);
		return;
	case JSON_ARRAY:
		to->kind = JSON_VALUE_ARRAY;
		to->count = json_array_size(from);
		copy_items(a, from, to);
		return;
	case JSON_STRING:
		to->kind = JSON_VALUE_STRING;
		to->as.string = arena_strdup(a, json_string_value(from));
		return;
	case JSON_INTEGER:
		to->kind = JSON_VALUE_INTEGER;
		to->as.integer = json_integer_value(from);
		return;
	case JSON_REAL:
		to->kind = JSON_VALUE_REAL;
		to->as.real = json_real_value(from);
		return;
	case JSON_TRUE:
	case JSON_FALSE:
		to->kind = JSON_VALUE_BOOL;
		to->as.truth = json_is_true(from);
		return;
	default:
		to->kind = JSON_VALUE_NULL;
		return;
	}
}

/* Returns the word of Python that the parser stumbled over, within a few bytes of the place; NULL: it
 * was something else. */
static const char *python_number(const char *text, size_t len, const json_error_t *why)
{
	static const char *const words[] = {"-Infinity", "Infinity", "NaN"};
	enum { NEAR = 12 };
	const size_t at = why->position > 0 ? (size_t)why->position : 0;
	const size_t from = at > NEAR ? at - NEAR : 0, to = at + NEAR < len ? at + NEAR : len;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (size_t k = from; k + strlen(words[i]) <= to; k++)
			if (memcmp(text + k, words[i], strlen(words[i])) == 0)
				return words[i];
	return NULL;
}

static void explain(const char *text, size_t len, const json_error_t *why, struct err *err)
{
	char quoted[256];
	const char *const word = json_error_code(why) == json_error_invalid_syntax
					 ? python_number(text, len, why)
					 : NULL;
	if (word) {
		err_set(err, "line %d: not JSON: %s is no number there; null would be right",
			why->line, word);
		return;
	}
	const bool twice = json_error_code(why) == json_error_duplicate_key;
	err_set(err, "line %d: not JSON: %s%s", why->line,
		text_quote_buf(quoted, sizeof quoted, why->text, strlen(why->text)),
		twice ? "; one of the two would be right" : "");
}

const struct json_value *json_parse(struct arena *a, const char *text, size_t len, struct err *err)
{
	json_error_t why;
	json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
	if (root == NULL) {
		explain(text, len, &why, err);
		return NULL;
	}
	struct json_value *value = arena_calloc(a, 1, sizeof *value);
	copy_value(a, root, value);
	json_decref(root);
	return value;
}

static void write_value(struct json_writer *w, const struct json_value *value)
{
	switch (value->kind) {
	case JSON_VALUE_NULL:
		json_writer_string(w, value->name, NULL);
		return;
	case JSON_VALUE_BOOL:
		json_writer_bool(w, value->name, value->as.truth);
		return;
	case JSON_VALUE_INTEGER:
		json_writer_integer(w, value->name, (long)value->as.integer);
		return;
	case JSON_VALUE_REAL:
		json_writer_number(w, value->name, value->as.real);
		return;
	case JSON_VALUE_STRING:
		json_writer_string(w, value->name, value->as.string);
		return;
	case JSON_VALUE_ARRAY:
	case JSON_VALUE_OBJECT:
		(value->kind == JSON_VALUE_ARRAY ? json_writer_array
						 : json_writer_object)(w, value->name);
		for (size_t i = 0; i < value->count; i++)
			write_value(w, &value->as.items[i]);
		json_writer_end(w);
	}
}

static size_t depth_of(const struct json_value *value)
{
	const bool holds = value->kind == JSON_VALUE_ARRAY || value->kind == JSON_VALUE_OBJECT;
	size_t most = 0;
	for (size_t i = 0; holds && i < value->count; i++) {
		const size_t depth = depth_of(&value->as.items[i]);
		most = depth > most ? depth : most;
	}
	return most + holds;
}

const char *json_value_text(const struct json_value *value, struct arena *a)
{
	struct json_value alone = *value;
	alone.name = NULL;
	if (depth_of(value) > MAX_DEPTH)
		return NULL;
	struct json_writer *const w = json_writer_new(a);
	write_value(w, &alone);
	return json_writer_done(w, 0);
}

const struct json_value *json_member(const struct json_value *object, const char *name)
{
	if (object->kind != JSON_VALUE_OBJECT)
		return NULL;
	for (size_t i = 0; i < object->count; i++)
		if (strcmp(object->as.items[i].name, name) == 0)
			return &object->as.items[i];
	return NULL;
}
