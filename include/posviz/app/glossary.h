/* glossary.h: what the words mean that the program shows: one list, assets/glossary.txt, from which help,
 * manual and lists are made. */
#ifndef POSVIZ_GLOSSARY_H
#define POSVIZ_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/base/err.h"

enum { GLOSSARY_TRIES = 4 };

struct glossary_entry {
	const char *section;	  /* "Attention": entries of one stand together */
	const char *const *names; /* the word, then other names of it; ends with NULL */
	const char *text;	  /* one to four sentences */
	const char *tries
		[GLOSSARY_TRIES]; /* commands that show it, for a shell; NULL from the first that is none */
	const char *seen, *from; /* where it is on the screen, and the source; "" for none */
};

/* All entries in the order of the file. out[*n] from `a`; a file of ours that is damaged is a BUG. */
const struct glossary_entry *glossary_all(struct arena *a, size_t *n);

/* Reads such a text: "[Section]", then paragraphs of "word | other name", lines of text, "try: ..." up to
 * GLOSSARY_TRIES times, "seen: ..." and "from: ..."; lines that begin with # are left out. The error names the line. */
bool glossary_read(const char *text, size_t len, struct arena *a, const struct glossary_entry **out,
		   size_t *n, struct err *err);

/* The entry of that name, as people type it (text_typed), also with other blanks and hyphens; of none, the one whose
 * name differs in numbers alone, "1/9" of "1/5", or has "…" where the word has numbers, symbols of up to three letters,
 * signs, or words of the glossary. NULL: there is none. */
const struct glossary_entry *glossary_find(const struct glossary_entry *all, size_t n,
					   const char *word);

/* The word, and its other names in brackets: "logit (logits, score, scores, A)". */
const char *glossary_title(const struct glossary_entry *e, struct arena *a);

#endif
