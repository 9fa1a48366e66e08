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

/* A cell has no other tag than its own, and what it says is read back as it was. */
static void check_words(const char *words, struct arena *a)
{
	static const char begin[] = "<td>", end[] = "</td>";
	struct strbuf b;
	strbuf_init(&b, a);
	html_cell(&b, "td", words);
	BUG_IF(strncmp(b.at, begin, strlen(begin)) != 0);
	const char *const inside = b.at + strlen(begin);
	const size_t len = strlen(inside) - strlen(end);
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
