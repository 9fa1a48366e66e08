/* text_labels.c: labels: words with the number of their occurrence, and words shortened to few
 * columns.
 *
 * The number is at the end in subscript digits, "the₂", and stays there when the word is
 * shortened: it distinguishes equal words. In ASCII it is "the#2". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

/* The subscript digits are U+2080 to U+2089, whose UTF-8 encodings have a common beginning. */
static const char small_digit[] = "\xE2\x82\x80";
enum { SMALL_BYTES = 3, SMALL_COMMON = 2, LEAST_LETTERS = 3, CODE_BYTES = 4 };

const char *text_occurrence(struct arena *a, const char *word, size_t number)
{
	char digits[24], small[24 * SMALL_BYTES + 1];
	const int n = snprintf(digits, sizeof digits, "%zu", number);
	for (int i = 0; i < n; i++) {
		memcpy(small + i * SMALL_BYTES, small_digit, SMALL_BYTES);
		small[i * SMALL_BYTES + SMALL_COMMON] += (char)(digits[i] - '0');
	}
	small[n * SMALL_BYTES] = '\0';
	return arena_printf(a, "%s%s", word, small);
}

static bool is_small(const char *at)
{
	return memcmp(at, small_digit, SMALL_COMMON) == 0 && at[SMALL_COMMON] >= small_digit[2] &&
	       at[SMALL_COMMON] <= small_digit[2] + 9;
}

/* Returns the number at the end: "₂" of "the₂", "#2" of "the#2"; "" if there is none, or nothing
 * else. */
static const char *occurrence_suffix(const char *label)
{
	const char *const end = label + strlen(label), *at = end;
	while (at - label > SMALL_BYTES && is_small(at - SMALL_BYTES))
		at -= SMALL_BYTES;
	if (at < end)
		return at;
	while (at > label && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at < end && at > label + 1 && at[-1] == '#' ? at - 1 : end;
}

const char *text_occurrence_plain(struct arena *a, const char *text)
{
	struct strbuf out;
	if (strstr(text, "\xE2\x82") == NULL)
		return text;
	strbuf_init(&out, a);
	bool in_number = false, in_word = false;
	for (const char *at = text; *at;) {
		const bool digit = (in_word || in_number) &&
				   strnlen(at, SMALL_BYTES) == SMALL_BYTES && is_small(at);
		const size_t len = digit ? SMALL_BYTES : 1;
		if (digit)
			strbuf_printf(&out, "%s%d", in_number ? "" : "#",
				      at[SMALL_COMMON] - small_digit[SMALL_COMMON]);
		else
			strbuf_add_char(&out, *at);
		in_number = digit;
		in_word = !digit && *at != ' ';
		at += len;
	}
	return out.at;
}

/* ---- emoji ----------------------------------------------------------------------------------- */

/* Returns whether an emoji or another symbol begins there: no letter, mark or ASCII character. */
static bool is_pictograph(const char *at)
{
	uint32_t code = 0;
	return text_decode(at, strnlen(at, CODE_BYTES), &code) > 1 && code >= 0x2190 &&
	       text_symbol(code);
}

const char *text_joined(struct arena *a, const char *text)
{
	static const struct {
		const char *escape, *sign;
		bool between; /* between two emoji; else behind one */
	} joins[] = {{"\\u{200D}", "\xE2\x80\x8D", true}, {"\\u{FE0F}", "\xEF\xB8\x8F", false}};
	if (strstr(text, joins[0].escape) == NULL && strstr(text, joins[1].escape) == NULL)
		return text;
	struct strbuf out;
	strbuf_init(&out, a);
	bool picture = false;
	for (const char *at = text, *const end = text + strlen(text); at < end;) {
		size_t j = 0;
		while (j < 2 && strncmp(at, joins[j].escape, strlen(joins[j].escape)) != 0)
			j++;
		const char *const behind = j < 2 ? at + strlen(joins[j].escape) : at;
		if (picture && j < 2 && (!joins[j].between || is_pictograph(behind))) {
			strbuf_add(&out, joins[j].sign);
			at = behind;
			continue;
		}
		const size_t len = text_cluster(at, (size_t)(end - at));
		picture = is_pictograph(at);
		strbuf_add_n(&out, at, len);
		at += len;
	}
	return out.at;
}

/* ---- shortened words ------------------------------------------------------------------------- */

static const char *ellipsis(bool ascii)
{
	return ascii ? "~" : "…";
}

/* Returns whether a label is a number, with its occurrence or without. Cut it would be another one. */
static bool is_number(const char *label)
{
	const size_t n = strspn(label, "0123456789");
	return n > 0 && occurrence_suffix(label) == label + n;
}

const char *text_cut(struct arena *a, const char *text, size_t columns, bool ascii)
{
	if (text_width_most(text, columns + 1) <= columns)
		return text;
	const char *number = occurrence_suffix(text);
	const size_t stem = (size_t)(number - text);
	if (is_number(text) && stem <= columns)
		return arena_strndup(a, text, stem);
	size_t room = text_width(number);
	if (room >= columns) { /* nothing of the word would be left */
		number = "";
		room = 0;
	}
	room = columns - room;
	size_t used;
	const bool free = text_fit(text, room, &used) > stem || used < room;
	const size_t dots = room > LEAST_LETTERS || (free && room > LEAST_LETTERS - 1);
	const size_t fit = text_fit(text, room - dots, NULL), head = fit < stem ? fit : stem;
	return arena_printf(a, "%.*s%s%s", (int)head, text, dots ? ellipsis(ascii) : "", number);
}

/* ---- labels kept distinct -------------------------------------------------------------------- */

struct label {
	const char *shown, *original;
	size_t index;
};

static int label_compare(const void *left, const void *right)
{
	const struct label *a = left, *b = right;
	const int order = strcmp(a->shown, b->shown);
	return order != 0 ? order : strcmp(a->original, b->original);
}

/* The means by which labels that look the same once they are cut are told apart: first by their
 * ends, then by their index. */
enum means { BY_END, BY_PLACE };

/* Returns the label with its index at the end, or the label as it was if not even the index
 * fits. */
static const char *label_numbered(struct arena *a, const struct label *label, size_t columns,
				  bool ascii)
{
	char place[32];
	const int digits = snprintf(place, sizeof place, "%zu", label->index + 1);
	if ((size_t)digits > columns)
		return label->shown;
	if ((size_t)digits == columns)
		return arena_strdup(a, place);
	const size_t head = text_fit(label->original, columns - 1 - (size_t)digits, NULL);
	return arena_printf(a, "%.*s%s%s", (int)head, label->original, ellipsis(ascii), place);
}

/* Returns whether the label is a number that has left its occurrence out. */
static bool is_bare(const struct label *l)
{
	return is_number(l->original) && *occurrence_suffix(l->original) != '\0' &&
	       strlen(l->shown) == strspn(l->original, "0123456789");
}

/* Changes the labels of each run of equal labels with different originals; false when none was
 * changed. */
static bool labels_separate(struct arena *a, struct label *all, size_t n, size_t columns,
			    bool ascii, enum means by)
{
	bool changed = false;
	qsort(all, n, sizeof *all, label_compare);
	for (size_t first = 0, end = 0; first < n; first = end) {
		const char *shown = all[first].shown;
		for (end = first + 1; end < n && strcmp(all[end].shown, shown) == 0;)
			end++;
		const struct label *const one = &all[first], *const last = &all[end - 1];
		if (strcmp(one->original, last->original) == 0 || is_bare(one) || is_bare(last))
			continue;
		for (size_t i = first; i < end; i++) {
			const char *const told =
				by == BY_END ? text_shorten(a, all[i].original, columns, ascii)
					     : label_numbered(a, &all[i], columns, ascii);
			changed = changed || strcmp(told, shown) != 0;
			all[i].shown = told;
		}
	}
	return changed;
}

const char **text_labels(struct arena *a, const char *const *labels, size_t n, size_t first,
			 size_t columns, bool ascii)
{
	/* The second round of indices is for a label that meets another one spelled exactly like
	 * it. */
	static const enum means rounds[] = {BY_END, BY_PLACE, BY_PLACE};
	const char **out = arena_calloc(a, n, sizeof *out);
	bool shortened = false;
	for (size_t i = 0; i < n; i++) {
		out[i] = text_cut(a, labels[i], columns, ascii);
		shortened = shortened || out[i] != labels[i];
	}
	if (!shortened)
		return out;
	struct label *all = arena_calloc(a, n, sizeof *all);
	for (size_t i = 0; i < n; i++)
		all[i] = (struct label){.shown = out[i], .original = labels[i], .index = first + i};
	for (size_t round = 0; round < sizeof rounds / sizeof *rounds; round++)
		if (!labels_separate(a, all, n, columns, ascii, rounds[round]) && round > 0)
			break;
	for (size_t i = 0; i < n; i++)
		out[all[i].index - first] = all[i].shown;
	return out;
}
