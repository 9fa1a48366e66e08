/* text.c: UTF-8, the escape filter, widths, and functions on grapheme clusters.
 *
 * One predicate, code_width, decides which code points are shown; the escape filter and all
 * widths follow from it, so that escaped text always takes the columns we count. The C library's
 * width is asked under a UTF-8 locale object of our own, never under the locale the program
 * happens to run in. */
#include "posviz/base/text.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

#include "posviz/base/err.h"
#include "posviz/base/strbuf.h"

enum {
	MARKS_PER_BASE = 4, /* as many as ncurses takes into a cell */
	ESCAPE_BYTES = 16,  /* "\u{10FFFF}" and the terminator; a circle with a mark on it */
	VIRAMA = 9,	    /* canonical combining class */
	JOINER_NOT = 0x200C,
	JOINER = 0x200D,
	QUOTE_COLUMNS = 60,
	QUOTE_BYTES = 16 + QUOTE_COLUMNS * 4 * (1 + MARKS_PER_BASE),
	NEAREST_BYTES = 64,
};

#define ELLIPSIS "\xE2\x80\xA6" /* U+2026 */
#define CIRCLE	 "\xE2\x97\x8C" /* U+25CC, the base of a mark that has no letter */

static locale_t utf8_locale; /* 0: not available, utf8proc decides alone */

static void utf8_locale_make(void)
{
	utf8_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (utf8_locale == (locale_t)0)
		utf8_locale = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
}

/* Returns wcwidth of the C library, or `otherwise` when it has no UTF-8 locale. */
static int library_width(uint32_t code, int otherwise)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, utf8_locale_make);
	if (utf8_locale == (locale_t)0)
		return otherwise;
	const locale_t before = uselocale(utf8_locale);
	const int width = wcwidth((wchar_t)code);
	uselocale(before);
	return width;
}

/* Columns of a code point that may be shown, -1 for one that must be escaped. */
static int code_width(uint32_t code)
{
	if (code >= 0x20 && code < 0x7F)
		return 1;
	if (code < 0xA0 || code > 0x10FFFF)
		return -1;
	const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)code);
	if (property->ignorable)
		return -1;
	switch (property->category) {
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_CO:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return -1;
	default:
		break;
	}
	const int width = utf8proc_charwidth((utf8proc_int32_t)code);
	const int library = library_width(code, width);
	/* A vowel sign beside its letter: utf8proc counts it with the letter, terminals give it a
	 * column of its own. */
	if (property->category == UTF8PROC_CATEGORY_MC && width == 0)
		return utf8_locale == (locale_t)0 ? 1 : library;
	return library == width ? width : -1;
}

static bool is_mark(uint32_t code)
{
	if (code < 0x300)
		return false;
	const utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)code);
	return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
	       category == UTF8PROC_CATEGORY_ME;
}

size_t text_decode(const char *text, size_t len, uint32_t *code)
{
	utf8proc_int32_t value = 0;
	const utf8proc_ssize_t n =
		utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &value);
	if (n <= 0)
		return 0;
	*code = (uint32_t)value;
	return (size_t)n;
}

size_t text_encode(char *out, uint32_t code)
{
	if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
		return 0;
	return (size_t)utf8proc_encode_char((utf8proc_int32_t)code, (utf8proc_uint8_t *)out);
}

bool text_valid(const char *text, size_t len)
{
	uint32_t code = 0;
	for (size_t at = 0, n = 0; at < len; at += n) {
		n = (unsigned char)text[at] < 0x80 ? 1 : text_decode(text + at, len - at, &code);
		if (n == 0)
			return false;
	}
	return true;
}

size_t text_cluster(const char *text, size_t len)
{
	uint32_t before = 0, code = 0;
	size_t at = text_decode(text, len, &before);
	if (at == 0)
		return len > 0;
	utf8proc_int32_t state = 0;
	while (at < len) {
		const size_t n = text_decode(text + at, len - at, &code);
		if (n == 0 || utf8proc_grapheme_break_stateful((utf8proc_int32_t)before,
							       (utf8proc_int32_t)code, &state))
			break;
		at += n;
		before = code;
	}
	return at;
}

/* ---- the filter ------------------------------------------------------------------------------ */

/* The state of the filter: the code point shown last, 0 for none or an escape; whether there is
 * a letter that can carry marks, and how many more marks it may carry. */
struct filter {
	uint32_t before;
	bool base;
	int marks_left;
};

/* Returns whether the script is one in which ZERO WIDTH NON-JOINER and JOINER choose between
 * forms of letters: Arabic and related scripts, those of India and its neighbours, Mongolian. */
static bool is_joined_script(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x0600, 0x0DFF}, /* Arabic, Syriac, Thaana, N'Ko, Devanagari to Sinhala */
		{0x0F00, 0x109F}, /* Tibetan, Myanmar */
		{0x1700, 0x18AF}, /* the Philippines, Khmer, Mongolian */
		{0x1900, 0x1CFF}, /* Limbu to Vedic signs */
		{0xA800, 0xABFF}, /* Syloti Nagri to Meetei Mayek */
		{0xFB50, 0xFDFF}, /* Arabic, in forms of their own */
		{0xFE70, 0xFEFC},
		{0x10A00, 0x10FFF}, /* Kharoshthi, Manichaean, Hanifi Rohingya, Sogdian */
		{0x11000, 0x11FFF}, /* Brahmi to Tamil's supplement */
		{0x1E900, 0x1E95F}, /* Adlam */
	};
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return is_mark(code) ||
			       (utf8proc_category((utf8proc_int32_t)code) >= UTF8PROC_CATEGORY_LU &&
				utf8proc_category((utf8proc_int32_t)code) <= UTF8PROC_CATEGORY_LO);
	return false;
}

static bool is_joiner(uint32_t code)
{
	return code == JOINER || code == JOINER_NOT;
}

/* Returns whether a joiner belongs to a word: behind a virama (RFC 5892, A.1 and A.2), or
 * between two letters or marks of such a script, of which the second, at next[0..len), will be
 * shown too. */
static bool joins_letters(const struct filter *filter, const char *next, size_t len)
{
	if (filter->before == 0 || !is_joined_script(filter->before))
		return false;
	if (utf8proc_get_property((utf8proc_int32_t)filter->before)->combining_class == VIRAMA)
		return true;
	uint32_t code = 0;
	if (text_decode(next, len, &code) == 0 || !is_joined_script(code))
		return false;
	const int width = code_width(code);
	return width > 0 || (width == 0 && filter->marks_left > 0);
}

static size_t escape_code(char *out, uint32_t code, bool is_byte)
{
	const char *name = code == '\n'	  ? "\\n"
			   : code == '\t' ? "\\t"
			   : code == '\r' ? "\\r"
					  : NULL;
	if (name != NULL && !is_byte)
		return (size_t)snprintf(out, ESCAPE_BYTES, "%s", name);
	return (size_t)snprintf(out, ESCAPE_BYTES, code < 0x100 ? "\\x%02X" : "\\u{%04X}", code);
}

/* Returns whether a mark, or a code point without width, has a letter to stand on. A mark with a
 * column of its own may carry further marks as a letter does. */
static bool mark_fits(struct filter *filter, int width)
{
	if (!filter->base || (width == 0 && filter->marks_left == 0))
		return false;
	filter->marks_left = width > 0 ? MARKS_PER_BASE : filter->marks_left - 1;
	return true;
}

/* Filters the code point or stray byte at text[0..len), len > 0: returns the bytes it took, the
 * terminated result in out[ESCAPE_BYTES] and its columns. */
static size_t filter_step(struct filter *filter, const char *text, size_t len, char *out,
			  size_t *columns)
{
	uint32_t code = 0;
	const size_t n = text_decode(text, len, &code);
	const int width = n > 0 ? code_width(code) : -1;
	const bool sign = width >= 0 && is_mark(code), mark = width == 0 || sign;
	const bool joiner = is_joiner(code) && joins_letters(filter, text + n, len - n);
	const bool alone = sign && !filter->base;
	if (joiner || alone || (mark ? mark_fits(filter, width) : width >= 0)) {
		if (!mark && !joiner)
			*filter = (struct filter){.base = true, .marks_left = MARKS_PER_BASE};
		else if (alone)
			*filter = (struct filter){.base = true, .marks_left = MARKS_PER_BASE - 1};
		filter->before = code;
		const size_t before = alone ? sizeof CIRCLE - 1 : 0;
		memcpy(out, CIRCLE, before);
		memcpy(out + before, text, n);
		out[before + n] = '\0';
		*columns = (joiner ? 0 : (size_t)width) + alone;
		return n;
	}
	if (!mark)
		filter->base = false;
	filter->before = 0;
	*columns = escape_code(out, n > 0 ? code : (unsigned char)text[0], n == 0);
	return n > 0 ? n : 1;
}

bool text_symbol(uint32_t code)
{
	switch (utf8proc_category((utf8proc_int32_t)code)) {
	case UTF8PROC_CATEGORY_PC:
	case UTF8PROC_CATEGORY_PD:
	case UTF8PROC_CATEGORY_PS:
	case UTF8PROC_CATEGORY_PE:
	case UTF8PROC_CATEGORY_PI:
	case UTF8PROC_CATEGORY_PF:
	case UTF8PROC_CATEGORY_PO:
	case UTF8PROC_CATEGORY_SM:
	case UTF8PROC_CATEGORY_SC:
	case UTF8PROC_CATEGORY_SK:
	case UTF8PROC_CATEGORY_SO:
		return true;
	default:
		return false;
	}
}

bool text_digit(uint32_t code)
{
	return utf8proc_category((utf8proc_int32_t)code) == UTF8PROC_CATEGORY_ND;
}

char *text_escape(struct arena *a, const char *text, size_t len)
{
	struct strbuf b;
	strbuf_init(&b, a);
	struct filter filter = {0};
	char piece[ESCAPE_BYTES];
	size_t columns = 0;
	for (size_t at = 0; at < len;) {
		at += filter_step(&filter, text + at, len - at, piece, &columns);
		strbuf_add(&b, piece);
	}
	return b.at;
}

char *text_quote_buf(char *buf, size_t size, const char *text, size_t len)
{
	static const char cut[] = "...\"";
	BUG_IF(size < 2 + sizeof cut);
	struct filter filter = {0};
	char piece[ESCAPE_BYTES];
	size_t out = 0, columns = 0, safe = 1; /* safe: where the cut would still fit */
	buf[out++] = '"';
	for (size_t at = 0; at < len;) {
		size_t width = 0;
		at += filter_step(&filter, text + at, len - at, piece, &width);
		const size_t bytes = strlen(piece);
		columns += width;
		if (columns > QUOTE_COLUMNS || out + bytes + 2 > size) {
			memcpy(buf + safe, cut, sizeof cut);
			return buf;
		}
		memcpy(buf + out, piece, bytes);
		out += bytes;
		if (out + sizeof cut <= size && columns + 3 <= QUOTE_COLUMNS)
			safe = out;
	}
	memcpy(buf + out, "\"", 2);
	return buf;
}

char *text_quote(struct arena *a, const char *text, size_t len)
{
	char buf[QUOTE_BYTES];
	return arena_strdup(a, text_quote_buf(buf, sizeof buf, text, len));
}

char *text_quote_whole(struct arena *a, const char *text, size_t len)
{
	return arena_printf(a, "\"%s\"", text_escape(a, text, len));
}

bool text_joins(uint32_t code)
{
	return code == 0x200D || code == 0xFE0F;
}

/* Returns the columns of the code point at the beginning of text[0..len), which takes *bytes
 * bytes. One that should have been escaped counts as one column, so that no width is negative. */
static size_t step_width(const char *text, size_t len, size_t *bytes)
{
	uint32_t code = 0;
	*bytes = 1;
	if (*text >= ' ' && *text <= '~')
		return 1;
	const size_t n = text_decode(text, len, &code);
	const int width = n == 0 ? -1 : text_joins(code) || is_joiner(code) ? 0 : code_width(code);
	*bytes = n > 0 ? n : 1;
	return width >= 0 ? (size_t)width : 1;
}

static size_t span_width(const char *text, size_t len)
{
	size_t columns = 0;
	for (size_t at = 0, n; at < len; at += n)
		columns += step_width(text + at, len - at, &n);
	return columns;
}

size_t text_width(const char *text)
{
	return span_width(text, strlen(text));
}

size_t text_width_most(const char *text, size_t most)
{
	enum { CODE_BYTES = 4 };
	size_t columns = 0;
	for (size_t n; columns < most && *text != '\0'; text += n)
		columns += step_width(text, strnlen(text, CODE_BYTES), &n);
	return columns < most ? columns : most;
}

/* Returns the bytes that stay together when text is shortened: an escape, \xNN or \u{NNNN}, or a
 * cluster. */
static size_t whole_piece(const char *text, size_t len)
{
	static const char hex[] = "0123456789ABCDEFabcdef";
	if (len >= 4 && memcmp(text, "\\x", 2) == 0 && strspn(text + 2, hex) >= 2)
		return 4;
	if (len >= 5 && memcmp(text, "\\u{", 3) == 0) {
		const size_t digits = strspn(text + 3, hex);
		if (digits > 0 && digits <= 6 && text[3 + digits] == '}')
			return 3 + digits + 1;
	}
	return text_cluster(text, len);
}

/* Returns the bytes of as many emoji as fit, from the beginning of a cluster that joins several
 * by ZERO WIDTH JOINER; the whole cluster if it has no joiner. */
static size_t chain_part(const char *text, size_t len, size_t columns)
{
	size_t fits = 0, width = 0;
	for (size_t at = 0, n; at < len; at += n) {
		uint32_t code = 0;
		if (text_decode(text + at, len - at, &code) > 0 && code == JOINER &&
		    width <= columns)
			fits = at;
		width += step_width(text + at, len - at, &n);
	}
	return fits > 0 ? fits : len;
}

size_t text_fit(const char *text, size_t columns, size_t *used)
{
	size_t len = strlen(text), at = 0, taken = 0;
	while (at < len) {
		size_t n = whole_piece(text + at, len - at);
		size_t width = span_width(text + at, n);
		if (at == 0 && width > columns) { /* better a part than nothing */
			const size_t cluster = text_cluster(text, len);
			n = chain_part(text, cluster, columns);
			width = span_width(text, n);
			len = n < cluster ? n : len;
		}
		if (width > columns - taken)
			break;
		at += n;
		taken += width;
	}
	if (used != NULL)
		*used = taken;
	return at;
}

/* The longest suffix of whole clusters that fits in `columns`, given the width of the whole. */
static const char *fit_tail(const char *text, size_t width, size_t columns)
{
	size_t len = strlen(text);
	while (width > columns) {
		const size_t n = whole_piece(text, len);
		width -= span_width(text, n);
		text += n;
		len -= n;
	}
	return text;
}

const char *text_shorten(struct arena *a, const char *text, size_t columns, bool ascii)
{
	if (text_width_most(text, columns + 1) <= columns)
		return text;
	if (columns == 0)
		return "";
	const size_t width = text_width(text);
	size_t used = 0;
	size_t head = text_fit(text, columns / 2, &used);
	const char *tail = fit_tail(text, width, columns - 1 - used);
	if (head == 0 && *tail == '\0') /* one wide emoji, or a chain of them */
		head = text_fit(text, columns - 1, NULL);
	return arena_printf(a, "%.*s%s%s", (int)head, text, ascii ? "~" : ELLIPSIS, tail);
}

/* Lowers ASCII letters only: tolower would follow the locale. */
static char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Returns the optimal string alignment distance: insertion, deletion, substitution,
 * transposition cost 1 each. */
static size_t edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t rows[3][NEAREST_BYTES + 1] = {0}; /* rows of three successive prefixes of `a` */
	size_t *before = rows[0], *last = rows[1], *now = rows[2];
	for (size_t j = 0; j <= b_len; j++)
		now[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t *recycled = before;
		before = last;
		last = now;
		now = recycled;
		now[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			const char x = ascii_lower(a[i - 1]), y = ascii_lower(b[j - 1]);
			size_t best = last[j - 1] + (x != y);
			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && x == ascii_lower(b[j - 2]) &&
			    ascii_lower(a[i - 2]) == y && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
	}
	return now[b_len];
}

const char *text_nearest(const char *text, const char *const *names, size_t n)
{
	const size_t len = strnlen(text, NEAREST_BYTES + 1);
	if (len < 2 || len > NEAREST_BYTES)
		return NULL;
	size_t best =
		len < 6 ? 1 : (len - 1) / 3; /* a third of the letters wrong is another word */
	const char *nearest = NULL;
	for (size_t i = 0; i < n; i++) {
		const size_t name_len = strnlen(names[i], NEAREST_BYTES + 1);
		const size_t least = len > name_len ? len - name_len : name_len - len;
		if (name_len > NEAREST_BYTES || least > best)
			continue;
		const size_t distance = edit_distance(text, len, names[i], name_len);
		if (distance < best || (distance == best && nearest == NULL)) {
			best = distance;
			nearest = names[i];
		}
	}
	return nearest;
}

/* Returns the shortest name that contains the word, at its beginning or anywhere. */
static const char *shortest_with(const char *word, const char *const *names, size_t n, bool begins)
{
	const char *found = NULL;
	for (size_t i = 0; i < n; i++) {
		const char *const at = text_find(names[i], word);
		if (at && (!begins || at == names[i]) &&
		    (!found || strlen(names[i]) < strlen(found)))
			found = names[i];
	}
	return found;
}

const char *text_suggest(const char *word, const char *const *names, size_t n)
{
	enum { FEW = 3 };
	const bool many = strnlen(word, FEW) == FEW;
	const char *const longer = many ? shortest_with(word, names, n, true) : NULL;
	const char *const near = text_nearest(word, names, n);
	if (longer && (!near || strlen(longer) <= strlen(near) + 1))
		return longer;
	return near || !many ? near : shortest_with(word, names, n, false);
}

bool text_same_name(const char *name, size_t len, const char *typed)
{
	static const char passed[] = " -_";
	const char *const end = name + len;
	for (;; name++, typed++) {
		while (name < end && strchr(passed, *name))
			name++;
		typed += strspn(typed, passed);
		if (name == end || *typed == '\0')
			return name == end && *typed == '\0';
		if (ascii_lower(*name) != ascii_lower(*typed))
			return false;
	}
}

/* Replaces, in place, dashes of every width and the minus sign by hyphens, and removes "_" and
 * "^". */
static void normalize_dashes(char *text)
{
	static const char *const dashes[] = {"‐", "‑", "‒", "–", "—", "−"};
	char *to = text;
	for (const char *at = text; *at != '\0';) {
		size_t dash = 0;
		for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
			if (strncmp(at, dashes[i], strlen(dashes[i])) == 0)
				dash = strlen(dashes[i]);
		if (dash > 0)
			*to++ = '-';
		else if (*at != '^' && *at != '_')
			*to++ = *at;
		at += dash > 0 ? dash : 1;
	}
	*to = '\0';
}

const char *text_typed(struct arena *a, const char *text)
{
	utf8proc_uint8_t *folded = NULL;
	const utf8proc_ssize_t len =
		utf8proc_map((const utf8proc_uint8_t *)text, 0, &folded,
			     UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE |
				     UTF8PROC_COMPAT | UTF8PROC_CASEFOLD);
	char *const out = arena_strdup(a, len < 0 ? text : (const char *)folded);
	free(folded); /* utf8proc allocated it with malloc */
	normalize_dashes(out);
	return out;
}

const char *text_find(const char *text, const char *part)
{
	for (;; text++) {
		size_t i = 0;
		while (part[i] != '\0' && ascii_lower(text[i]) == ascii_lower(part[i]))
			i++;
		if (part[i] == '\0')
			return text;
		if (*text == '\0')
			return NULL;
	}
}

bool text_contains(const char *text, const char *part)
{
	return text_find(text, part) != NULL;
}

bool text_fuzzy(const char *text, const char *letters)
{
	for (; *text != '\0' && *letters != '\0'; text++)
		if (ascii_lower(*text) == ascii_lower(*letters))
			letters++;
	return *letters == '\0';
}
