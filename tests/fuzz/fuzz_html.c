/* fuzz_html.c: a page for a browser from anywhere is read or refused, and words of any origin stay words in one. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/plot/html.h"
#include "posviz/app/format.h"
#include "posviz/base/markup.h"
#include "posviz/base/text.h"

/* The texts of a page are UTF-8, and no longer than the page. */
static void check_texts(const char *data, size_t size, struct arena *a)
{
	struct export_text *texts;
	struct err err = {""};
	size_t n = 0, letters = 0;
	if (!format_find("html")->texts(data, size, a, &texts, &n, &err)) {
		BUG_IF(err.text[0] == '\0' || !text_valid(err.text, strlen(err.text)));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		BUG_IF(!text_valid(texts[i].text, strlen(texts[i].text)));
		letters += strlen(texts[i].keyword) + strlen(texts[i].text);
	}
	BUG_IF(letters > size);
}

/* Returns the text without the elements that keep words with an order of their own apart. */
static const char *without_isolates(const char *text, size_t len, struct arena *a)
{
	static const char *const tags[] = {"<bdi>", "</bdi>"};
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < len;) {
		size_t tag = 0;
		for (size_t k = 0; k < 2; k++)
			tag = strncmp(text + i, tags[k], strlen(tags[k])) == 0 ? strlen(tags[k])
									       : tag;
		if (tag == 0)
			strbuf_add_char(&b, text[i]);
		i += tag > 0 ? tag : 1;
	}
	return b.at;
}

/* A cell has no other tag than its own and isolates, and what it says is read back as it was. */
static void check_words(const char *words, struct arena *a)
{
	static const char begin[] = "<td>", end[] = "</td>";
	struct strbuf b;
	strbuf_init(&b, a);
	html_cell(&b, "td", words);
	BUG_IF(strncmp(b.at, begin, strlen(begin)) != 0);
	const char *const whole = b.at + strlen(begin);
	const char *const inside = without_isolates(whole, strlen(whole) - strlen(end), a);
	const size_t len = strlen(inside);
	BUG_IF(memchr(inside, '<', len) || memchr(inside, '>', len) || memchr(inside, '"', len));
	BUG_IF(strcmp(markup_unescape(a, inside, len), words) != 0);
}

FUZZ(html)
{
	struct arena a;
	arena_init(&a);
	const char *const text = arena_strndup(&a, (const char *)data, size);
	check_texts((const char *)data, size, &a);
	if (text_valid(text, strlen(text)))
		check_words(text_escape(&a, text, strlen(text)), &a);
	arena_release(&a);
	return 0;
}
