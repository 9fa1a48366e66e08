/* letters.c: the classes of characters by which text is divided into words.
 *
 * A cluster has the class of its first code point; only a keycap (a digit under U+20E3) is
 * recognised by its last. Categories come from text.h; White_Space and the scripts without
 * blanks are short lists from the Unicode character database (PropList, Scripts). */
#include "posviz/input/letters.h"

#include <stdbool.h>
#include <stdint.h>

#include "posviz/base/text.h"

struct range {
	uint32_t first, last;
};

static const struct range white_space[] = {
	{0x09, 0x0D},	  {0x20, 0x20},	    {0x85, 0x85},     {0xA0, 0xA0},	{0x1680, 0x1680},
	{0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
};

/* Letters only: punctuation of these scripts is recognised by category before. */
static const struct range ideographs[] = {
	{0x2E80, 0x2FDF},		      /* radicals */
	{0x3005, 0x3007},		      /* iteration mark, zero */
	{0x3021, 0x3029},		      /* Hangzhou numerals */
	{0x3031, 0x3035},		      /* Kana repeat marks */
	{0x3038, 0x303C},   {0x3041, 0x30FF}, /* Hiragana, Katakana */
	{0x31F0, 0x31FF},		      /* Katakana, small */
	{0x3400, 0x4DBF},   {0x4E00, 0x9FFF}, /* Han */
	{0xF900, 0xFAFF},   {0xFF66, 0xFF9F}, /* compatibility, halfwidth Katakana */
	{0x1AFF0, 0x1B16F},		      /* Kana, extended */
	{0x20000, 0x3FFFD},		      /* Han, supplementary planes */
};

static bool in_ranges(uint32_t code, const struct range *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code >= at[i].first && code <= at[i].last)
			return true;
	return false;
}

static bool is_joiner(uint32_t code)
{
	return code == '\'' || code == '-' || code == 0x2019 || code == 0x2010 || code == 0x2011;
}

static bool is_keycap(const char *cluster, size_t size)
{
	uint32_t code = 0;
	return size > 3 && text_decode(cluster + size - 3, 3, &code) == 3 && code == 0x20E3;
}

enum letter letter_at(const char *text, size_t len, size_t *size)
{
	*size = text_cluster(text, len);
	uint32_t code = 0;
	if (text_decode(text, len, &code) == 0)
		return LETTER_WORD;
	if (in_ranges(code, white_space, sizeof white_space / sizeof white_space[0]))
		return LETTER_SPACE;
	if (is_joiner(code))
		return LETTER_JOINER;
	if (is_keycap(text, *size) || text_symbol(code))
		return LETTER_SYMBOL;
	if (in_ranges(code, ideographs, sizeof ideographs / sizeof ideographs[0]))
		return LETTER_IDEOGRAPH;
	return LETTER_WORD;
}

const char *letter_skip_blanks(const char *text)
{
	while (letter_is_blank(*text))
		text++;
	return text;
}

size_t letter_number(const char *text)
{
	size_t len = 0;
	while (text[len] != '\0' && text[len] != ',' && !letter_is_blank(text[len]))
		len++;
	return len;
}
