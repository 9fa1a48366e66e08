/* fuzz_turns.c: any text is a separable permutation or an error that names its column. The first byte
 * says how many words there are. The same of lists of numbers as programs print them, and of tokens as
 * they are given. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/text.h"
#include "posviz/input/input.h"
#include "scheme/reordered.h"

static void check_error(const struct err *err)
{
	BUG_IF(err->text[0] == '\0' || strchr(err->text, '\n'));
	BUG_IF(!text_valid(err->text, strlen(err->text)));
}

/* Numbers that were read are read again without brackets. */
static void check_lists(const char *text, size_t len, struct arena *a)
{
	struct err err = {""};
	struct input in;
	const char *out, *again;
	if (!input_spelled(text, len, SPELLED_LIST, a, &out, &err))
		check_error(&err);
	else
		BUG_IF(!input_spelled(out, strlen(out), SPELLED_LIST, a, &again, &err) ||
		       strcmp(out, again) != 0);
	if (!input_spelled(text, len, SPELLED_PAIRS, a, &out, &err))
		check_error(&err);
	if (!input_sentence(&in, text, len, TOKENS_GIVEN, 0, a, &err))
		check_error(&err);
	else
		for (size_t i = 0; i < in.n; i++)
			BUG_IF(in.tokens[i].word > i || in.tokens[i].label[0] == '\0');
}

FUZZ(turns)
{
	static const char *const words[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
	size_t place[8], seen = 0, witness[4];
	struct arena arena;
	struct err err = {""};
	if (size == 0)
		return 0;
	arena_init(&arena);
	const size_t n = 1 + data[0] % 8;
	const char *text = arena_strndup(&arena, (const char *)data + 1, size - 1);
	if (input_parse_turns(text, words, n, place, &err)) {
		for (size_t i = 0; i < n; i++)
			seen |= (size_t)1 << place[i];
		BUG_IF(seen != ((size_t)1 << n) - 1 || input_count_turns(text) != n);
		BUG_IF(!reordered_is_separable(place, n, &arena, witness));
	} else {
		BUG_IF(strncmp(err.text, "column ", 7) != 0 || strchr(err.text, '\n'));
		BUG_IF(!text_valid(err.text, strlen(err.text)));
	}
	check_lists(text, strlen(text), &arena);
	arena_release(&arena);
	return 0;
}
