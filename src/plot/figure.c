/* figure.c: the categorical palette of curves, and formulas as plain text.
 *
 * Okabe and Ito (2008) without black and yellow; neighbours in the order differ for all common
 * kinds of colour vision. The dark variant is the same hues, lighter. */
#include <ctype.h>
#include <string.h>

#include "posviz/figure.h"
#include "posviz/strbuf.h"

uint32_t figure_series_colour(size_t index, bool dark)
{
	static const uint32_t colours[][2] = {
		{0x0072b2, 0x56aee6}, /* blue */
		{0xd55e00, 0xf08a3c}, /* vermilion */
		{0x009e73, 0x3cc49a}, /* bluish green */
		{0xcc79a7, 0xe29fc6}, /* reddish purple */
		{0xe69f00, 0xf5bd48}, /* orange */
		{0x56b4e9, 0x9ad7f7}, /* sky blue */
	};
	return colours[index % (sizeof colours / sizeof colours[0])][dark];
}

static bool one_word(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]))
			return false;
	return true;
}

const char *figure_formula(struct arena *a, const char *formula)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *at = formula; *at; at++) {
		const bool marker = *at == '_' || *at == '^';
		const char *close = marker && at[1] == '{' ? strchr(at, '}') : NULL;
		strbuf_add_char(&out, *at);
		if (!close)
			continue;
		const size_t len = (size_t)(close - at - 2);
		const bool word = one_word(at + 2, len);
		strbuf_add(&out, word ? "" : "(");
		strbuf_add_n(&out, at + 2, len);
		strbuf_add(&out, word ? "" : ")");
		at = close;
	}
	return out.at;
}
