/* text.h: UTF-8 text, its width on a terminal, and the filter between the world and the screen.
 *
 * A code point is shown only if it is assigned, visible, and the C library and utf8proc agree on its
 * width; everything else is escaped in plain ASCII: control, format, surrogate, private and
 * unassigned code points and the soft hyphen as \xNN or \u{NNNN}, \n \t \r by their names, an
 * invalid byte as \xNN.
 *
 * Combining signs are letters of a word like any other. One with a column of its own (category Mc, the
 * vowel signs of India and Cambodia among them) has the width that the C library gives it, which is
 * the terminal's; of those without (Mn, Me) a letter may have four, and the fifth is escaped. A sign that
 * has no letter before it stands on a dotted circle, U+25CC. ZERO WIDTH JOINER and NON-JOINER are shown,
 * in no column, where they choose between forms of letters: behind a virama, or between two letters or
 * signs of a script that has such forms; anywhere else they are escaped. Text from outside never reaches
 * a terminal, an error message or a file's metadata without text_escape.
 */
#ifndef POSVIZ_TEXT_H
#define POSVIZ_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/arena.h"

/* Decodes one code point at text[0..len). Returns its bytes (1 to 4), or 0 when the bytes are not
 * valid UTF-8 (overlong forms and surrogates included) or len is 0. */
size_t text_decode(const char *text, size_t len, uint32_t *code);

/* Encodes `code` into out[4]; returns the number of bytes. */
size_t text_encode(char *out, uint32_t code);

bool text_valid(const char *text, size_t len);

/* Number of bytes of the first grapheme cluster of text[0..len) (UAX 29); an invalid byte is a
 * cluster of its own; 0 only when len is 0. */
size_t text_cluster(const char *text, size_t len);

/* Punctuation and symbols: the Unicode categories P and S. */
bool text_symbol(uint32_t code);

/* A decimal digit of any script: the category Nd. */
bool text_digit(uint32_t code);

/* The escaped form of text[0..len), terminated. Idempotent on its own output. */
char *text_escape(struct arena *a, const char *text, size_t len);

/* The same in double quotes and cut to about 60 columns: for error messages. */
char *text_quote(struct arena *a, const char *text, size_t len);
/* The same, whole: for names that people copy from a message. */
char *text_quote_whole(struct arena *a, const char *text, size_t len);
/* As text_quote, into the caller's buffer, for places without an arena. Returns `buf`. */
char *text_quote_buf(char *buf, size_t size, const char *text, size_t len);

/* Columns that escaped text takes on a terminal; independent of the locale. */
size_t text_width(const char *text);
/* The same, but `most` where it is more: reads no farther than that takes, however long the text is. */
size_t text_width_most(const char *text, size_t most);

/* Escaped text shortened in the middle with "…" (or "~" when `ascii`) to at most `columns`; whole
 * clusters only. Returns `text` itself when it fits. */
const char *text_shorten(struct arena *a, const char *text, size_t columns, bool ascii);

/* The zero-width joiner and the variation selector of emoji: of no width, and never in a cell of a
 * terminal, which may or may not make one sign of several. */
bool text_joins(uint32_t code);
/* Escaped text with those that stand in an emoji as they were, so that it is drawn and cut as a
 * whole. */
const char *text_joined(struct arena *a, const char *text);

/* The longest prefix of escaped text that fits in `columns`: its bytes; *used gets its columns. */
size_t text_fit(const char *text, size_t columns, size_t *used);

/* The same at the end; the number of an occurrence stays. No "…" where that would leave one letter. */
const char *text_cut(struct arena *a, const char *text, size_t columns, bool ascii);

/* A word with the number of its occurrence, from 1: "the₂"; and a text with such words in ASCII:
 * "the#2". */
const char *text_occurrence(struct arena *a, const char *word, size_t number);
const char *text_occurrence_plain(struct arena *a, const char *text);

/* Cuts labels to at most `columns` so that they stay distinct where the originals differ: clashing
 * ones are shortened in the middle, then get the number of their place at the end, of which the first
 * is first + 1. out[n] from `a`. Equal originals may share. */
const char **text_labels(struct arena *a, const char *const *labels, size_t n, size_t first,
			 size_t columns, bool ascii);

/* The nearest of `names` by edit distance (transpositions count once), or NULL when none is near
 * enough to be what was meant. */
const char *text_nearest(const char *text, const char *const *names, size_t n);

/* The name that is suggested for one that is not there: text_nearest, or the shortest that goes on
 * from it where that is at most a letter longer, else the shortest that has it inside; NULL: none. A word of one or two letters has no more than text_nearest. */
const char *text_suggest(const char *word, const char *const *names, size_t n);

/* Compares two names but for small letters, blanks, hyphens and underscores: "Sliding Window" is
 * sliding-window. The first has `len` bytes. */
bool text_same_name(const char *name, size_t len, const char *typed);

/* A word as people type it who look for it: "query-kr" of "query–Kʳ" and of "query–K^r". Small letters,
 * raised and lowered ones as others, every dash a hyphen, "..." for "…". */
const char *text_typed(struct arena *a, const char *text);

/* Case-insensitive (ASCII) substring and subsequence tests for searching. text_find: where the first one
 * begins, or NULL. */
const char *text_find(const char *text, const char *part);
bool text_contains(const char *text, const char *part);
bool text_fuzzy(const char *text, const char *letters);

#endif
