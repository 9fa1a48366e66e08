/* glossary.h: the meanings of the words on the screen: one list, assets/glossary.txt, from which
 * help, manual and lists are made. */
#ifndef POSVIZ_GLOSSARY_H
#define POSVIZ_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

enum { GLOSSARY_TRIES = 4 };

struct glossary_entry {
	const char *section;		   /* "Attention": entries of a section follow each other */
	const char *const *names;	   /* the word, then its other names; ends with NULL */
	const char *text;		   /* one to four sentences */
	const char *tries[GLOSSARY_TRIES]; /* shell commands that show it; NULL after the last */
	const char *seen, *from; /* its place on the screen, the text's source; "" for none */
};

/* Returns all entries in the order of the file: out[*n] from `a`; an error in it is a BUG. */
const struct glossary_entry *glossary_all(struct arena *a, size_t *n);

/* Reads a text of this form: "[Section]", then paragraphs of "word | other name", lines of text,
 * "try: ..." up to GLOSSARY_TRIES times, "seen: ..." and "from: ..."; lines that begin with # are
 * comments. The error names the line. */
bool glossary_read(const char *text, size_t len, struct arena *a, const struct glossary_entry **out,
		   size_t *n, struct err *err);

/* Returns the entry of this name as a user types it (text_typed; blanks and hyphens are equal). If
 * there is none, the entry whose name differs in numbers only, "1/5" for "1/9", or has "…" in place
 * of numbers, symbols of up to three letters, signs, or words of the glossary. NULL: none. */
const struct glossary_entry *glossary_find(const struct glossary_entry *all, size_t n,
					   const char *word);

/* Returns the word with its other names in brackets: "logit (logits, score, scores, A)". */
const char *glossary_title(const struct glossary_entry *e, struct arena *a);

#endif
