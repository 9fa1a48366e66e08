/* markdown.c: see markdown.h.
 *
 * A backslash makes any character literal, with two exceptions. GitHub looks for mathematics
 * before it looks at backslashes, so a dollar gets an element of its own, as GitHub's
 * documentation says; and it looks for mail addresses afterwards, so an @ gets one too. */
#include "posviz/base/markdown.h"

#include <ctype.h>
#include <string.h>

static bool is_letter(char c)
{
	return (unsigned char)c < 0x80 && isalpha((unsigned char)c);
}

static bool is_word_char(char c)
{
	return (unsigned char)c < 0x80 && isalnum((unsigned char)c);
}

static bool begins_with(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Returns the length of a web address that begins at `at`, without the punctuation that ends a
 * sentence; 0: there is none. */
static size_t address_len(const char *text, const char *at)
{
	static const char *const schemes[] = {"https://", "http://", "ftp://"};
	size_t len = 0;
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (begins_with(at, schemes[i]) && (at == text || !is_word_char(at[-1])))
			len = strlen(schemes[i]);
	if (len == 0 || !is_word_char(at[len]))
		return 0;
	while ((unsigned char)at[len] > ' ' && (unsigned char)at[len] < 0x7F &&
	       !strchr("<>$|`\"", at[len]))
		len++;
	while (strchr(".,;:!?)'*_~", at[len - 1]))
		len--;
	return len;
}

/* Returns the character at the start of a paragraph that makes it a list or a rule; NULL: there
 * is none. */
static const char *block_sign(const char *text)
{
	const size_t digits = strspn(text, "0123456789");
	const char *const sign = text + digits;
	const bool counts = digits > 0 && digits <= 9 && (*sign == '.' || *sign == ')');
	const bool is = counts || (digits == 0 && (*sign == '-' || *sign == '+'));
	return is && (sign[1] == '\0' || strchr(counts ? " \t" : " \t-", sign[1])) ? sign : NULL;
}

static bool needs_backslash(const char *text, const char *at)
{
	switch (*at) {
	case '&': /* &lt; &#60; */
		return is_letter(at[1]) || at[1] == '#';
	case ':': /* GitHub makes a link of it even without // */
		return (at - text >= 6 && strncmp(at - 6, "mailto", 6) == 0) ||
		       (at - text >= 4 && strncmp(at - 4, "xmpp", 4) == 0) ||
		       begins_with(at, "://");
	case '.':
		return at - text >= 3 && (begins_with(at - 3, "www") || begins_with(at - 3, "WWW"));
	default:
		return *at && strchr("\\`*_[]<>#|~", *at);
	}
}

void markdown_add(struct strbuf *b, const char *text, bool starts)
{
	const char *const sign = starts ? block_sign(text) : NULL;
	for (const char *at = text; *at;) {
		const size_t len = address_len(text, at);
		if (len > 0) {
			strbuf_add_char(b, '<');
			strbuf_add_n(b, at, len);
			strbuf_add_char(b, '>');
			at += len;
			continue;
		}
		if (*at == '$' ||
		    (*at == '@' && at > text && at[-1] > ' ' && is_word_char(at[1]))) {
			strbuf_printf(b, "<span>%c</span>", *at++);
			continue;
		}
		if (at == sign || needs_backslash(text, at))
			strbuf_add_char(b, '\\');
		strbuf_add_char(b, *at++);
	}
}

void markdown_add_code(struct strbuf *b, const char *text, bool table)
{
	size_t longest = 0, run = 0;
	for (const char *at = text; *at; at++) {
		run = *at == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	const size_t len = strlen(text);
	/* Markdown removes one blank at both ends of code, so that code can begin with a grave
	 * accent. */
	const bool padded =
		len > 0 && (text[0] == '`' || text[len - 1] == '`' ||
			    (text[0] == ' ' && text[len - 1] == ' ' && strspn(text, " ") < len));
	for (size_t i = 0; i <= longest; i++)
		strbuf_add_char(b, '`');
	strbuf_add(b, padded ? " " : "");
	for (; *text; text++) {
		if (table && *text == '|')
			strbuf_add_char(b, '\\');
		strbuf_add_char(b, *text);
	}
	strbuf_add(b, padded ? " " : "");
	for (size_t i = 0; i <= longest; i++)
		strbuf_add_char(b, '`');
}
