/* template.h: text of assets/ with places that the program's tables fill. */
#ifndef CLI_TEMPLATE_H
#define CLI_TEMPLATE_H

#include "posviz/base/strbuf.h"

/* What fills "@{name}". */
struct slot {
	const char *name; /* NULL ends a list */
	void (*add)(struct strbuf *out);
};

/* Adds `text` with its slots filled. A slot alone on its line ends that line itself. A slot
 * that is not in the list is a BUG, as is an asset that is not there. */
void template_fill(struct strbuf *out, const char *text, const struct slot *slots);
void template_fill_asset(struct strbuf *out, const char *path, const struct slot *slots);

#endif
