/* help_corpus.c: see help_corpus.h. */
#include "help_corpus.h"

#include <stdint.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/format/file.h"

static const char title[] = "=== ";
enum { TITLE = sizeof title - 1, COLUMNS = 98, FILE_BYTES = 1 << 22 };

/* ---- reading --------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *const at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

/* Adds the character that an escape means, and moves behind the escape. */
static bool add_escape(struct strbuf *out, const char **at)
{
	const char *const c = *at;
	*at += 1;
	switch (*c) {
	case '\\':
		strbuf_add_char(out, '\\');
		return true;
	case 't':
		strbuf_add_char(out, '\t');
		return true;
	case '\n':
		return true;
	case 'x':
		if (hex_digit(c[1]) < 0 || hex_digit(c[2]) < 0)
			return false;
		strbuf_add_char(out, (char)(16 * hex_digit(c[1]) + hex_digit(c[2])));
		*at += 2;
		return true;
	default:
		return false;
	}
}

/* Reads lines until the next title. */
static bool read_data(const char **at, struct arena *a, struct corpus_input *input)
{
	struct strbuf out;
	bool begins = true;
	strbuf_init(&out, a);
	while (**at && !(begins && strncmp(*at, title, TITLE) == 0)) {
		const char c = *(*at)++;
		begins = c == '\n' || (c == '\\' && **at == '\n');
		if (c != '\\')
			strbuf_add_char(&out, c);
		else if (!add_escape(&out, at))
			return false;
	}
	input->data = out.at;
	input->len = out.len;
	return true;
}

bool corpus_read(const char *path, struct arena *a, struct corpus_input **inputs, size_t *n,
		 struct err *err)
{
	char *text;
	size_t len, most = 0;
	if (!file_read(path, FILE_BYTES, a, &text, &len, err))
		return false;
	for (const char *at = text; (at = strstr(at, title)) != NULL; at += TITLE)
		most++;
	*inputs = arena_calloc(a, most + 1, sizeof **inputs);
	*n = 0;
	for (const char *at = text; *at;) {
		struct corpus_input *const input = &(*inputs)[*n];
		const size_t line = strcspn(at, "\n");
		if (strncmp(at, title, TITLE) != 0 || at[line] == '\0')
			return err_set(err, "%s: input %zu has no title \"=== NAME\"", path,
				       *n + 1);
		input->name = arena_strndup(a, at + TITLE, line - TITLE);
		at += line + 1;
		if (!read_data(&at, a, input))
			return err_set(err, "%s: %s has a backslash before something else", path,
				       input->name);
		*n += 1;
	}
	return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Returns the length of a letter or sign that needs no escape; 0: its first byte is escaped. */
static size_t plain(const char *at, const char *end, bool begins, bool ends)
{
	uint32_t code;
	const size_t n = text_decode(at, (size_t)(end - at), &code);
	char one[8] = "";
	if (n == 0 || n >= sizeof one || code < ' ' || (code >= 0x7f && code <= 0xad) ||
	    (code >= 0x2000 && code < 0x2030) || code == '\\' || (code == ' ' && ends) ||
	    (code == '=' && begins))
		return 0;
	memcpy(one, at, n);
	return text_width(one) == 1 ? n : 0;
}

void corpus_print(struct strbuf *out, const struct corpus_input *input)
{
	const char *const end = input->data + input->len;
	size_t columns = 0;
	strbuf_printf(out, "%s%s\n", title, input->name);
	for (const char *at = input->data; at < end;) {
		const bool last = at + 1 == end || at[1] == '\n' || columns + 4 >= COLUMNS;
		const size_t n = *at == '\n' ? 1 : plain(at, end, columns == 0, last);
		const size_t before = out->len;
		if (n > 0)
			strbuf_add_n(out, at, n);
		else if (*at == '\\' || *at == '\t')
			strbuf_add(out, *at == '\t' ? "\\t" : "\\\\");
		else
			strbuf_printf(out, "\\x%02x", (unsigned)(unsigned char)*at);
		columns = *at == '\n' ? 0 : columns + (n > 0 ? 1 : out->len - before);
		at += n > 0 ? n : 1;
		if (columns >= COLUMNS && at < end && *at != '\n') {
			strbuf_add(out, "\\\n");
			columns = 0;
		}
	}
	if (columns > 0 || input->len == 0)
		strbuf_add(out, "\\\n");
}
