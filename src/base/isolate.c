/* isolate.c: see isolate.h. */
#include "posviz/base/isolate.h"

#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

static const char open_quote[] = "“", close_quote[] = "”";

bool isolate_is_rtl(uint32_t code)
{
	static const struct {
		uint32_t from, to;
	} ranges[] = {{0x590, 0x8FF},
		      {0xFB1D, 0xFDFF},
		      {0xFE70, 0xFEFE},
		      {0x10800, 0x10FFF},
		      {0x1E800, 0x1EFFF}};
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (code >= ranges[i].from && code <= ranges[i].to)
			return true;
	return false;
}

/* Returns the bytes of the letter at `text`, at least 1 before its end; *code is 0 where the bytes
 * are no letter. */
static size_t letter_at(const char *text, uint32_t *code)
{
	*code = 0;
	if ((unsigned char)*text < 0x80) {
		*code = (unsigned char)*text;
		return *text != '\0';
	}
	const size_t len = text_decode(text, strnlen(text, 4), code);
	return len > 0 ? len : 1;
}

/* Returns whether the sign belongs to the word before it even at its end: a digit, the number of an
 * occurrence, a combining sign. */
static bool ends_word(uint32_t code)
{
	return (code >= '0' && code <= '9') || (code >= 0x2080 && code <= 0x2089) ||
	       (code >= 0x300 && code <= 0x36F) || code == 0x200C || code == 0x200D;
}

/* Returns whether the sign may be within a phrase, before another of its words. */
static bool joins_words(uint32_t code)
{
	return ends_word(code) || (code != 0 && code < 0x80 && strchr("-'\"_", (int)code) != NULL);
}

size_t isolate_run(const char *text)
{
	uint32_t code, last = 0;
	size_t end = 0;
	bool whole = true; /* all up to here belongs to the run */
	for (size_t at = 0, len; (len = letter_at(text + at, &code)) > 0; at += len, last = code) {
		if (isolate_is_rtl(code)) {
			whole = true;
			end = at + len;
		} else if (end == 0 || (code == ' ' && last == ' ') ||
			   (code != ' ' && !joins_words(code))) {
			break;
		} else if (whole && ends_word(code)) {
			end = at + len;
		} else {
			whole = false;
		}
	}
	return end;
}

static bool has_rtl(const char *text, size_t len)
{
	uint32_t code;
	for (size_t at = 0; at < len; at += letter_at(text + at, &code))
		if ((unsigned char)text[at] >= 0x80 && letter_at(text + at, &code) > 0 &&
		    isolate_is_rtl(code))
			return true;
	return false;
}

static void add_isolate(struct strbuf *out, const char *text, size_t len)
{
	strbuf_add(out, ISOLATE_BEGIN);
	strbuf_add_n(out, text, len);
	strbuf_add(out, ISOLATE_END);
}

/* Returns the bytes of quoted text at `text`, up to its last quotation mark or the end of a
 * shortened text; 0: none begins here, or none that needs an isolate. */
static size_t quoted(const char *text)
{
	if (strncmp(text, open_quote, strlen(open_quote)) != 0)
		return 0;
	const char *const begin = text + strlen(open_quote);
	const char *const end = strstr(begin, close_quote);
	const size_t len = end ? (size_t)(end - begin) : strlen(begin);
	return has_rtl(begin, len) ? strlen(open_quote) + len : 0;
}

const char *isolate_words(struct arena *a, const char *text)
{
	struct strbuf out;
	uint32_t code;
	if (!has_rtl(text, strlen(text)) || strstr(text, ISOLATE_BEGIN))
		return text;
	strbuf_init(&out, a);
	for (size_t at = 0, len; text[at] != '\0'; at += len) {
		if ((len = quoted(text + at)) > 0) {
			strbuf_add(&out, open_quote);
			add_isolate(&out, text + at + strlen(open_quote), len - strlen(open_quote));
		} else if ((len = isolate_run(text + at)) > 0) {
			add_isolate(&out, text + at, len);
		} else {
			len = letter_at(text + at, &code);
			strbuf_add_n(&out, text + at, len);
		}
	}
	return out.at;
}

const char *isolate_removed(struct arena *a, const char *text)
{
	struct strbuf out;
	const size_t mark = strlen(ISOLATE_BEGIN);
	if (!strstr(text, ISOLATE_BEGIN) && !strstr(text, ISOLATE_END))
		return text;
	strbuf_init(&out, a);
	while (*text != '\0') {
		if (strncmp(text, ISOLATE_BEGIN, mark) == 0 ||
		    strncmp(text, ISOLATE_END, mark) == 0)
			text += mark;
		else
			strbuf_add_char(&out, *text++);
	}
	return out.at;
}
