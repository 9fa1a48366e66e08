/* fuzz_turns.c: any text is a separable permutation or an error that names its column. The first byte
 * says how many words there are. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/input.h"
#include "posviz/text.h"
#include "scheme/reordered.h"

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
	arena_release(&arena);
	return 0;
}
