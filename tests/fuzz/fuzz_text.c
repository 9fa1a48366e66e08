/* fuzz_text.c: the promises of the escape filter and of everything that cuts text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/err.h"
#include "posviz/base/text.h"

/* Independent of the filter: what must never reach a terminal. */
static void check_safe(const char *text)
{
	const size_t len = strlen(text);
	BUG_IF(!text_valid(text, len));
	uint32_t before = 0;
	for (size_t at = 0; at < len;) {
		uint32_t code = 0;
		at += text_decode(text + at, len - at, &code);
		/* Joiners belong to letters of Arabic, India and their neighbours. */
		const bool joiner = (code == 0x200C || code == 0x200D) && before >= 0x600 &&
				    (before < 0x200B || before > 0x200F);
		before = code;
		BUG_IF(code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD);
		BUG_IF(code >= 0x200B && code <= 0x200F && !joiner);
		BUG_IF(code >= 0x2028 && code <= 0x202E);
		BUG_IF(code >= 0x2060 && code <= 0x206F);
		BUG_IF(code == 0x061C || code == 0xFEFF || (code & 0xFFFE) == 0xFFFE);
		BUG_IF((code >= 0xE000 && code <= 0xF8FF) || code >= 0xE0000);
	}
}

static void check_shortened(struct arena *a, const char *text, size_t columns, bool ascii)
{
	const char *cut = text_shorten(a, text, columns, ascii);
	check_safe(cut);
	BUG_IF(text_width(cut) > columns);
	BUG_IF(text_shorten(a, cut, columns, ascii) != cut);
	size_t used = 0;
	const size_t bytes = text_fit(text, columns, &used);
	BUG_IF(used > columns || bytes > strlen(text) || !text_valid(text, bytes));
	BUG_IF(used != text_width(arena_strndup(a, text, bytes)));
}

static void check_quoted(const char *text, size_t len, size_t size)
{
	char buf[8 + 256];
	text_quote_buf(buf, size, text, len);
	BUG_IF(strlen(buf) >= size || text_width(buf) > 62);
	check_safe(buf);
}

/* Two labels from the two halves of the text. */
static void check_labels(struct arena *a, const char *text, size_t columns)
{
	const size_t len = strlen(text), half = text_fit(text, text_width(text) / 2, NULL);
	const char *const labels[] = {
		arena_strndup(a, text, half),
		text_escape(a, text + half, len - half),
		text,
	};
	const char **out = text_labels(a, labels, 3, 0, columns, false);
	for (size_t i = 0; i < 3; i++) {
		check_safe(out[i]);
		BUG_IF(text_width(out[i]) > columns);
		for (size_t j = 0; j < i && columns >= 2; j++)
			BUG_IF(strcmp(out[i], out[j]) == 0 && strcmp(labels[i], labels[j]) != 0);
	}
}

FUZZ(text)
{
	if (size < 2)
		return 0;
	const size_t columns = data[0] % 64, buffer = 8 + data[1];
	const char *raw = (const char *)data + 2;
	const size_t len = size - 2;
	struct arena a;
	arena_init(&a);
	const char *text = text_escape(&a, raw, len);
	check_safe(text);
	BUG_IF(strcmp(text_escape(&a, text, strlen(text)), text) != 0);
	check_shortened(&a, text, columns, data[1] & 1);
	check_quoted(raw, len, buffer);
	check_labels(&a, text, columns);
	for (size_t at = 0; at < len;) {
		const size_t n = text_cluster(raw + at, len - at);
		BUG_IF(n == 0 || n > len - at);
		at += n;
	}
	const char *const names[] = {"sinusoidal", text};
	text_nearest(text, names, 2);
	BUG_IF(!text_contains(text, text) || !text_fuzzy(text, text));
	arena_release(&a);
	return 0;
}
