/* help_corpus.h: inputs of a fuzzer, many in a file that can be read:
 *
 *	=== escapes
 *	rope(base=1\x00,\
 *	partial=0.5)
 *
 * A line is as it stands; behind a backslash: another one, t (a tab), xNN (a byte), or the end of the line,
 * which then is none of the input's. */
#ifndef HELP_CORPUS_H
#define HELP_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/strbuf.h"

struct corpus_input {
	const char *name, *data;
	size_t len;
};

/* Reads the inputs of a file, n of them, into `a`. */
bool corpus_read(const char *path, struct arena *a, struct corpus_input **inputs, size_t *n,
		 struct err *err);

/* Adds an input as it stands in such a file. */
void corpus_print(struct strbuf *out, const struct corpus_input *input);

#endif
