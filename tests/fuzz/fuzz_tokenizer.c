/* fuzz_tokenizer.c: any bytes are a tokenizer's file, or an error of one line; one that is read cuts any text, or says
 * why not, in time, into ids that it has and that can be shown.
 *
 * The first line of an input is the file's name, the second the text, the rest the file. */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/text.h"
#include "posviz/token/tokenizer.h"

static void expect_line(const struct err *err)
{
	BUG_IF(err->text[0] == '\0' || strpbrk(err->text, "\n\033") ||
	       !text_valid(err->text, strlen(err->text)));
}

static struct span line_of(const char **at, const char *end)
{
	const char *const feed = memchr(*at, '\n', (size_t)(end - *at));
	const struct span line = {*at, (size_t)((feed ? feed : end) - *at)};
	*at = feed ? feed + 1 : end;
	return line;
}

static void cut(const struct tokenizer *t, const struct span *texts, size_t n, struct arena *a)
{
	struct pieces out;
	struct err err = {""};
	if (!tokenizer_cut(t, texts, n, a, &out, &err)) {
		expect_line(&err);
		return;
	}
	for (size_t i = 0; i < out.n; i++) {
		BUG_IF(out.at[i].id < 0 || (size_t)out.at[i].id >= tokenizer_ids(t));
		BUG_IF(i > 0 && out.at[i].word < out.at[i - 1].word && n == 1);
		const char *const label = tokenizer_label(t, out.at[i].id, a);
		BUG_IF(strcmp(text_escape(a, label, strlen(label)), label) != 0);
	}
}

FUZZ(tokenizer)
{
	const char *at = (const char *)data;
	const char *const end = at + size;
	char name[32];
	struct err err = {""};
	struct arena a;
	if (size == 0)
		return 0;
	const struct span first = line_of(&at, end), text = line_of(&at, end);
	snprintf(name, sizeof name, "%.*s", first.len < 30 ? (int)first.len : 30, first.at);
	arena_init(&a);
	struct tokenizer *const t = tokenizer_of_bytes(name, at, (size_t)(end - at), &err);
	if (t) {
		const struct span pair[] = {text, {"the cat", 7}};
		cut(t, pair, 1, &a);
		cut(t, pair, 2, &a);
	} else {
		expect_line(&err);
	}
	tokenizer_free(t);
	arena_release(&a);
	return 0;
}
