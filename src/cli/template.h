/* template.h: text of assets/ with slots that the program's tables fill. */
#ifndef CLI_TEMPLATE_H
#define CLI_TEMPLATE_H

#include "posviz/base/strbuf.h"

/* A slot "@{name}" and the function that fills it. */
struct slot {
	const char *name; /* NULL ends a list */
	void (*add)(struct strbuf *out);
};

/* Adds `text` with its slots filled. A slot that is alone on a line also provides that line's end.
 * A slot that is not in the list is a BUG, and so is an asset that does not exist. */
void template_fill(struct strbuf *out, const char *text, const struct slot *slots);
void template_fill_asset(struct strbuf *out, const char *path, const struct slot *slots);

#endif
