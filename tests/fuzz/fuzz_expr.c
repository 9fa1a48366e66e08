/* fuzz_expr.c: any text is an expression or an error; a printed expression reads back the same. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/text.h"
#include "posviz/scheme/scheme.h"

FUZZ(expr)
{
	struct arena arena;
	arena_init(&arena);
	const char *text = arena_strndup(&arena, (const char *)data, size);
	struct expr e, again;
	struct err err = {0};
	if (!expr_parse(&e, text, &arena, &err)) {
		BUG_IF(err.text[0] == '\0' || !text_valid(err.text, strlen(err.text)));
	} else {
		const char *printed = expr_print(&e, &arena);
		if (!expr_parse(&again, printed, &arena, &err))
			BUG("%s", err.text);
		BUG_IF(strcmp(expr_print(&again, &arena), printed) != 0);
		struct member members[MODEL_MAX_MEMBERS];
		size_t n = 0;
		if (expr_members(&e, members, &n, &arena, &err))
			BUG_IF(n == 0 || expr_main(&e) == NULL);
		expr_is_causal(&e);
	}
	arena_release(&arena);
	return 0;
}
