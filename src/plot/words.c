/* words.c: facts as lines of text for screen readers, wrapped at words, with continuation lines
 * indented. */
#include "posviz/plot/words.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"

enum { WIDTH = 80, INDENT = 2, DIGITS = 3 };

/* Appends a word, which may be longer than a line. */
static void add_word(struct strbuf *out, const char *word, size_t *at)
{
	size_t width = text_width(word);
	while (*at + width > WIDTH) {
		size_t used;
		const size_t fits = text_fit(word, WIDTH - *at, &used);
		if (fits == 0)
			break;
		strbuf_add_n(out, word, fits);
		strbuf_printf(out, "\n%*s", INDENT, "");
		word += fits;
		width -= used;
		*at = INDENT;
	}
	strbuf_add(out, word);
	*at += width;
}

/* Appends a paragraph. Dots between blanks, which separate facts in a picture, become commas. */
static void add_text(struct strbuf *out, const char *text)
{
	struct arena a;
	size_t at = 0;
	bool begun = false;
	arena_init(&a);
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		const size_t len = strcspn(text, " ");
		const char *const word = arena_strndup(&a, text, len);
		text += len;
		if (strcmp(word, "·") == 0) {
			if (begun)
				strbuf_add_char(out, ',');
			at += begun;
			continue;
		}
		if (begun && at + 1 + text_width(word) + 1 > WIDTH) {
			strbuf_printf(out, "\n%*s", INDENT, "");
			at = INDENT;
		} else if (begun) {
			strbuf_add_char(out, ' ');
			at++;
		}
		add_word(out, word, &at);
		begun = true;
	}
	if (begun)
		strbuf_add_char(out, '\n');
	arena_release(&a);
}

void words_say(struct strbuf *out, const char *fmt, ...)
{
	struct arena a;
	va_list args;
	arena_init(&a);
	va_start(args, fmt);
	add_text(out, arena_vprintf(&a, fmt, args));
	va_end(args);
	arena_release(&a);
}

const char *words_number(struct arena *a, double value)
{
	char text[32];
	return isnan(value) ? "not a number"
			    : arena_strdup(a, num_show(text, sizeof text, value, DIGITS));
}

double words_rounded(double value, double largest)
{
	return fabs(value) <= WORDS_ROUNDING * largest ? 0 : value;
}

const char *words_many(struct arena *a, size_t n, const char *word)
{
	return arena_printf(a, "%zu %s%s", n, word, n == 1 ? "" : "s");
}
