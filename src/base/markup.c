/* markup.c: escaping for XML and HTML. */
#include "posviz/base/markup.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/text.h"

static bool is_xml(uint32_t code)
{
	return code == '\t' || code == '\n' || code == '\r' ||
	       (code >= 0x20 && code != 0x7f && code != 0xfffe && code != 0xffff);
}

static const struct {
	const char *name;
	uint32_t code;
} names[] = {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"nbsp", 0xa0}};

enum { NAMES = sizeof names / sizeof *names, WRITTEN = 4 /* the first WRITTEN are also written */ };

void markup_escape(struct strbuf *b, const char *text, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t code = 0;
		n = text_decode(text + i, len - i, &code);
		size_t k = 0;
		while (k < WRITTEN && names[k].code != code)
			k++;
		if (n == 0 || !is_xml(code)) {
			strbuf_add(b, "\uFFFD");
			n = n > 0 ? n : 1;
		} else if (k < WRITTEN) {
			strbuf_printf(b, "&%s;", names[k].name);
		} else if (code < ' ') {
			strbuf_printf(b, "&#%u;", (unsigned)code);
		} else {
			strbuf_add_n(b, text + i, n);
		}
	}
}

/* Returns the code point of a numeric reference, "#10" or "#x3c"; 0: it is none. */
static uint32_t numeric_reference(const char *text)
{
	const bool hex = text[1] == 'x' || text[1] == 'X';
	const char *const digits = text + 1 + hex;
	if (strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits))
		return 0;
	const unsigned long code = strtoul(digits, NULL, hex ? 16 : 10);
	return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : (uint32_t)code;
}

/* Returns the code point of text[0..len), the part of a reference between "&" and ";"; 0: it is
 * none. */
static uint32_t reference_code(const char *text, size_t len)
{
	char word[12];
	if (len == 0 || len >= sizeof word)
		return 0;
	memcpy(word, text, len);
	word[len] = '\0';
	for (size_t k = 0; k < NAMES; k++)
		if (strcmp(word, names[k].name) == 0)
			return names[k].code;
	return *word == '#' ? numeric_reference(word) : 0;
}

char *markup_unescape(struct arena *a, const char *text, size_t len)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < len; i++) {
		char letter[4];
		const char *const end = text[i] == '&' ? memchr(text + i, ';', len - i) : NULL;
		const size_t n = end ? (size_t)(end - text) - i : 0;
		const uint32_t code = n > 1 ? reference_code(text + i + 1, n - 1) : 0;
		if (code)
			strbuf_add_n(&out, letter, text_encode(letter, code));
		else
			strbuf_add_char(&out, text[i]);
		i += code ? n : 0;
	}
	return out.at;
}
