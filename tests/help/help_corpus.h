/* help_corpus.h: inputs of a fuzzer, many in one readable file:
 *
 *	=== escapes
 *	rope(base=1\x00,\
 *	partial=0.5)
 *
 * Lines are taken unchanged, except for escapes: a backslash is followed by another backslash, by t
 * (a tab), by xNN (a byte), or by the end of the line, which is then not part of the input. */
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

/* Reads the n inputs of a file into `a`. */
bool corpus_read(const char *path, struct arena *a, struct corpus_input **inputs, size_t *n,
		 struct err *err);

/* Adds an input in the form of such a file. */
void corpus_print(struct strbuf *out, const struct corpus_input *input);

#endif
