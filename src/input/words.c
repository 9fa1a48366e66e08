/* words.c: from a text to its words.
 *
 * The ends of words follow UAX #29, rules WB5 to WB12: letters and digits stay together; so do a
 * full stop or a middle dot between two letters and a comma or a full stop between two digits.
 * There are four changes: a hyphen between letters joins ("state-of-the-art"), and a colon
 * between digits ("10:30"); the full stop after a single letter that follows another full stop
 * belongs to the abbreviation ("U.S."); addresses are words ("a@b.org", "https://b.org/c"). All
 * other punctuation marks are tokens of their own. Ideographs are tokens one by one, unless the
 * text separates its words by spaces. */
#include <string.h>

#include "input/cutter.h"
#include "posviz/input/letters.h"
#include "posviz/base/text.h"

enum {
	SPACED_MOST = 16, /* ideographs in a word; a longer run is text without spaces */
	NAME_MOST = 64,	  /* bytes before the @ or :// of an address (RFC 5321, 4.5.3.1.1) */
};

/* ---- punctuation inside words
 * ------------------------------------------------------------------- */

enum side { SIDE_NONE, SIDE_LETTER, SIDE_HEBREW, SIDE_DIGIT };

static enum side side_of(const char *text, size_t len)
{
	uint32_t code = 0;
	if (len == 0 || text_decode(text, len, &code) == 0)
		return SIDE_NONE;
	if (text_digit(code))
		return SIDE_DIGIT;
	return code >= 0x5D0 && code <= 0x5F2 ? SIDE_HEBREW : SIDE_LETTER;
}

static bool is_among(uint32_t code, const uint32_t *list)
{
	while (*list != 0 && *list != code)
		list++;
	return *list != 0;
}

/* Returns whether a character joins its neighbours: classes MidLetter, MidNum, MidNumLet and
 * Double_Quote of WordBreakProperty.txt. The colon is left out of the first, as in CLDR, and
 * added to the second. */
static bool sign_joins(uint32_t code, enum side before, enum side after)
{
	static const uint32_t both[] = {'.', 0x2018, 0x2024, 0xFE52, 0xFF07, 0xFF0E, 0};
	static const uint32_t letters[] = {0xB7, 0x387, 0x55F, 0x5F4, 0x2027, 0};
	static const uint32_t digits[] = {',',	  ';',	  ':',	  0x37E,  0x589,  0x60C,
					  0x60D,  0x66C,  0x7F8,  0x2044, 0xFE10, 0xFE14,
					  0xFE50, 0xFE54, 0xFF0C, 0xFF1B, 0};
	if (before == SIDE_NONE || after == SIDE_NONE)
		return false;
	if (before == SIDE_DIGIT || after == SIDE_DIGIT)
		return before == after && (is_among(code, both) || is_among(code, digits));
	return is_among(code, both) || is_among(code, letters) ||
	       (code == '"' && before == SIDE_HEBREW && after == SIDE_HEBREW);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* A word under construction: its last cluster, and the data that recognise an abbreviation. */
struct word {
	const char *text;
	size_t len, at, last;	/* bytes of the text, of the word, and where its last cluster is */
	bool ideographs, plain; /* ideographs count as letters; the rule of earlier versions */
	size_t since_stop;	/* letters since a full stop in the word; 0: no full stop */
};

static bool is_part(const struct word *w, enum letter kind)
{
	return kind == LETTER_WORD || (kind == LETTER_IDEOGRAPH && w->ideographs);
}

static void take_cluster(struct word *w, size_t size)
{
	w->last = w->at;
	w->at += size;
	w->since_stop += w->since_stop > 0;
}

/* Takes a punctuation mark of `size` bytes and the character after it, if it joins them to the
 * word. */
static bool take_sign(struct word *w, enum letter kind, size_t size)
{
	const char *const sign = w->text + w->at, *const next = sign + size;
	const size_t left = w->len - w->at - size;
	size_t next_size = 0;
	if (w->at == 0 || left == 0 || letter_at(next, left, &next_size) != LETTER_WORD)
		return false;
	uint32_t code = 0;
	text_decode(sign, size, &code);
	if (kind != LETTER_JOINER &&
	    (w->plain ||
	     !sign_joins(code, side_of(w->text + w->last, w->at - w->last), side_of(next, left))))
		return false;
	const bool stop = code == '.' && side_of(next, left) != SIDE_DIGIT;
	take_cluster(w, size);
	w->since_stop = stop ? 1 : 0;
	take_cluster(w, next_size);
	return true;
}

/* Returns the length of the word at text[0..len), or 0. */
static size_t word_length(const char *text, size_t len, bool ideographs, bool plain)
{
	struct word w = {.text = text, .len = len, .ideographs = ideographs, .plain = plain};
	while (w.at < len) {
		size_t size = 0;
		const enum letter kind = letter_at(text + w.at, len - w.at, &size);
		if (is_part(&w, kind))
			take_cluster(&w, size);
		else if (!take_sign(&w, kind, size))
			break;
	}
	/* since_stop counts the full stop itself and the letter. */
	return w.at + (w.since_stop == 2 && w.at < len && text[w.at] == '.');
}

/* Returns the length of a "##piece" at text[0..len), or 0. */
static size_t piece_length(const char *text, size_t len, bool plain)
{
	if (len < 3 || text[0] != '#' || text[1] != '#')
		return 0;
	const size_t size = word_length(text + 2, len - 2, true, plain);
	return size > 0 ? size + 2 : 0;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static size_t span_of(const char *text, size_t len, const char *signs)
{
	size_t n = 0;
	while (n < len && text[n] != '\0' && (is_alnum(text[n]) || strchr(signs, text[n])))
		n++;
	return n;
}

static size_t count_of(const char *text, size_t len, char c)
{
	size_t n = 0;
	for (size_t i = 0; i < len; i++)
		n += text[i] == c;
	return n;
}

/* Removes punctuation that ends a sentence from an address; a closing bracket stays if it was
 * opened in it. */
static size_t trim_ending(const char *text, size_t len)
{
	const size_t opened = count_of(text, len, '(');
	size_t closed = count_of(text, len, ')');
	while (len > 0 && (strchr(".,;:!?'", text[len - 1]) != NULL ||
			   (text[len - 1] == ')' && closed > opened)))
		closed -= text[--len] == ')';
	return len;
}

/* Returns the length of a URI with an authority (RFC 3986: letters "://" and the characters that
 * may follow, including letters of other scripts) or of a mail address (RFC 5322: a dot-atom, @,
 * a domain), or 0. */
static size_t address_length(const char *text, size_t len)
{
	if (!is_alnum(text[0]))
		return 0;
	size_t at = span_of(text, len < NAME_MOST ? len : NAME_MOST, "+-.");
	if (len - at > 3 && memcmp(text + at, "://", 3) == 0) {
		const size_t from = at += 3;
		for (size_t size = 0; at < len; at += size)
			if (span_of(text + at, 1, "-._~:/?#[]@!$&'()*+,;=%") == 1)
				size = 1;
			else if ((unsigned char)text[at] < 0x80 ||
				 letter_at(text + at, len - at, &size) != LETTER_WORD)
				break;
		at = from + trim_ending(text + from, at - from);
		return at > from ? at : 0;
	}
	at = span_of(text, len < NAME_MOST ? len : NAME_MOST, "+-._%");
	if (at == len || text[at] != '@')
		return 0;
	size_t domain = span_of(text + at + 1, len - at - 1, "-.");
	while (domain > 0 && !is_alnum(text[at + domain]))
		domain--;
	return domain > 0 && is_alnum(text[at + 1]) && memchr(text + at + 1, '.', domain)
		       ? at + 1 + domain
		       : 0;
}

/* ---- words separated by spaces
 * ------------------------------------------------------------------ */

/* Returns whether ideographs form words separated by spaces, "我 喜欢 猫": a space between two of
 * them, and no run too long for a word. A line end is no space. */
static bool is_spaced(const char *text, size_t len)
{
	bool spaced = false, ideograph = false, space = false;
	size_t run = 0;
	for (size_t at = 0, size = 0; at < len; at += size) {
		const enum letter kind = letter_at(text + at, len - at, &size);
		if (kind == LETTER_IDEOGRAPH) {
			spaced = spaced || (ideograph && space);
			if (++run > SPACED_MOST)
				return false;
			ideograph = true;
			space = false;
			continue;
		}
		run = 0;
		space = kind == LETTER_SPACE && (text[at] == ' ' || text[at] == '\t');
		ideograph = ideograph && space;
	}
	return spaced;
}

bool cut_words(struct cutter *c, const char *text, size_t len, bool plain, struct err *err)
{
	const bool spaced = !plain && is_spaced(text, len);
	bool after_word = false; /* a piece can continue a token of this segment */
	for (size_t at = 0, size = 0; at < len; at += size) {
		const char *const here = text + at;
		bool stays = false;
		if (!plain && !cut_picture(c, text, len, at, &size, err))
			return false;
		if (!plain && size > 0) {
			after_word = false;
			continue;
		}
		if (!plain && cutter_escapes(here, len - at)) {
			size = 1; /* the first < only says that words follow */
			continue;
		}
		size = cutter_special(here, len - at, plain, &stays);
		if (size > 0) {
			cutter_push(c, here, size, NULL, stays, OWN_WORD);
			after_word = !stays;
			continue;
		}
		size = piece_length(here, len - at, plain);
		if (size > 0) {
			cutter_push(c, here, size, NULL, false, after_word ? SAME_WORD : OWN_WORD);
			after_word = true;
			continue;
		}
		const enum letter kind = letter_at(here, len - at, &size);
		if (kind == LETTER_SPACE)
			continue;
		const size_t address = plain ? 0 : address_length(here, len - at);
		if (address > 0)
			size = address;
		else if (kind == LETTER_WORD || (kind == LETTER_IDEOGRAPH && spaced))
			size = word_length(here, len - at, spaced, plain);
		cutter_push(c, here, size, NULL, false, OWN_WORD);
		after_word = true;
	}
	return true;
}
