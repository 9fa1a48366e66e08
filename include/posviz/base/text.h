/* text.h: UTF-8 text, its width on a terminal, and the filter between the world and the screen.
 *
 * A code point is shown only if it is assigned, visible, and the C library and utf8proc agree on
 * its width; everything else is escaped in plain ASCII: control, format, surrogate, private and
 * unassigned code points and the soft hyphen as \xNN or \u{NNNN}, \n \t \r by their names, an
 * invalid byte as \xNN.
 *
 * Combining signs are letters of a word like any other. One with a column of its own (category
 * Mc, the vowel signs of India and Cambodia among them) has the width that the C library gives
 * it, which is the terminal's; of those without (Mn, Me) a letter may have four, and the fifth
 * is escaped. A sign that has no letter before it stands on a dotted circle, U+25CC. ZERO WIDTH
 * JOINER and NON-JOINER are shown, in no column, where they choose between forms of letters:
 * behind a virama, or between two letters or signs of a script that has such forms; anywhere
 * else they are escaped. Text from outside never reaches a terminal, an error message or a
 * file's metadata without text_escape. */
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

/* Returns whether the code point is punctuation or a symbol: the Unicode categories P and S. */
bool text_symbol(uint32_t code);

/* Returns whether the code point is a decimal digit of any script: the category Nd. */
bool text_digit(uint32_t code);

/* Returns the escaped form of text[0..len), terminated. Escaping escaped text changes nothing. */
char *text_escape(struct arena *a, const char *text, size_t len);

/* Returns the escaped text in double quotes, cut to about 60 columns: for error messages. */
char *text_quote(struct arena *a, const char *text, size_t len);
/* Returns the escaped text in double quotes, uncut: for names that people copy from a message. */
char *text_quote_whole(struct arena *a, const char *text, size_t len);
/* Works like text_quote, into the caller's buffer, for callers without an arena. Returns `buf`. */
char *text_quote_buf(char *buf, size_t size, const char *text, size_t len);

/* Returns the columns that escaped text takes on a terminal; independent of the locale. */
size_t text_width(const char *text);
/* Returns the width of escaped text, or `most` if it is wider. Reads no further than needed for
 * that, however long the text is. */
size_t text_width_most(const char *text, size_t most);

/* Returns escaped text shortened in the middle with "…" (or "~" when `ascii`) to at most
 * `columns`, in whole clusters. Returns `text` itself when it fits. */
const char *text_shorten(struct arena *a, const char *text, size_t columns, bool ascii);

/* stands between the parts of a message that can each be left out */
#define TEXT_BETWEEN " · "

/* Returns the parts of escaped text, each whole and in their order, that fit in `columns`: the first ones have the
 * room first. Of a text whose first part is too long only that part is returned, shortened as text_shorten does. */
const char *text_whole_parts(struct arena *a, const char *text, size_t columns, bool ascii);

/* Returns whether the code point is the zero-width joiner or the variation selector of emoji.
 * Both have no width and are never put into a terminal cell, because terminals differ in whether
 * they join emoji. */
bool text_joins(uint32_t code);
/* Returns escaped text in which the escaped joiners inside emoji are restored, so that an emoji
 * is drawn and cut as a whole. */
const char *text_joined(struct arena *a, const char *text);

/* Returns the length in bytes of the longest prefix of escaped text that fits in `columns`;
 * *used gets its width. */
size_t text_fit(const char *text, size_t columns, size_t *used);

/* Returns escaped text cut at the end to at most `columns`; the number of an occurrence is kept,
 * but behind a number that has room only without it: "110₁" becomes "110". Adds no "…" where it would leave fewer than
 * three letters. */
const char *text_cut(struct arena *a, const char *text, size_t columns, bool ascii);

/* text_occurrence returns a word with the number of its occurrence, from 1: "the₂".
 * text_occurrence_plain rewrites such words of a text in ASCII: "the#2". */
const char *text_occurrence(struct arena *a, const char *word, size_t number);
const char *text_occurrence_plain(struct arena *a, const char *text);

/* Cuts labels to at most `columns` so that they stay distinct where the originals differ: labels
 * that clash are shortened in the middle, and if that does not help get their index at the end,
 * counted from first + 1. Returns out[n] from `a`. Equal originals may share a label, and numbers of which text_cut
 * leaves the occurrence out. */
const char **text_labels(struct arena *a, const char *const *labels, size_t n, size_t first,
			 size_t columns, bool ascii);

/* Returns the nearest of `names` by edit distance (a transposition counts once), or NULL when
 * none is near enough to be what the user meant. */
const char *text_nearest(const char *text, const char *const *names, size_t n);

/* Returns the name to suggest for an unknown one: the result of text_nearest, or the shortest
 * name that begins with the word if that is at most a letter longer, else the shortest name that
 * contains it; NULL for none. A word of one or two letters gets only text_nearest. */
const char *text_suggest(const char *word, const char *const *names, size_t n);

/* Compares two names, ignoring case, blanks, hyphens and underscores: "Sliding Window" equals
 * sliding-window. The first has `len` bytes. */
bool text_same_name(const char *name, size_t len, const char *typed);

/* Returns a word as people type it in a search: "query-kr" for "query–Kʳ" and for "query–K^r".
 * Letters become lower case, superscripts and subscripts ordinary characters, every dash a
 * hyphen, and "…" "...". */
const char *text_typed(struct arena *a, const char *text);

/* Substring and subsequence tests for searching, case-insensitive (ASCII). text_find returns the
 * start of the first occurrence, or NULL. */
const char *text_find(const char *text, const char *part);
bool text_contains(const char *text, const char *part);
bool text_fuzzy(const char *text, const char *letters);

#endif
