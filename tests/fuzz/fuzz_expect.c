/* fuzz_expect.c: any text is an expectation or one clean line that says what is wrong; a quantity that was read is
 * read again from what is kept of its text. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_line.h"
#include "posviz/base/text.h"
#include "posviz/quantity/quantity.h"

static void check_quantity(const struct quantity *q)
{
	BUG_IF(!q->kind || q->t.number < 0 || q->s.number < 0 || q->head < 0 || q->layer < 0 ||
	       q->of < 0);
	fuzz_check_line(q->text);
}

FUZZ(expect)
{
	struct arena a;
	struct expect e;
	struct quantity again;
	struct err err = {""};
	arena_init(&a);
	const char *const text = arena_strndup(&a, (const char *)data, size);
	if (!expect_parse(text, &a, &e, &err)) {
		fuzz_check_line(err.text);
	} else {
		fuzz_check_line(e.text);
		check_quantity(&e.quantity);
		BUG_IF(!(e.tolerance >= 0) || e.op >= EXPECT_OPS);
		if (e.is == QUANTITY_ABSENT)
			check_quantity(&e.other);
		if (strcmp(e.quantity.text, e.text) != 0 && text_valid(text, strlen(text)) &&
		    !strchr(e.quantity.text, '\\')) {
			if (!quantity_parse(e.quantity.text, &a, &again, &err))
				BUG("%s", err.text);
			BUG_IF(again.kind != e.quantity.kind || again.number != e.quantity.number ||
			       again.head != e.quantity.head);
		}
	}
	arena_release(&a);
	return 0;
}
