/* unicode.c: normal forms and categories, by utf8proc. */
#include "posviz/base/unicode.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "posviz/base/err.h"

const char *unicode_normalize(struct arena *a, enum unicode_form form, const char *text, size_t len,
			      size_t *out_len)
{
	static const utf8proc_option_t options[] = {
		[UNICODE_NFC] = UTF8PROC_STABLE | UTF8PROC_COMPOSE,
		[UNICODE_NFD] = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE,
		[UNICODE_NFKC] = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT,
		[UNICODE_NFKD] = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT,
	};
	utf8proc_uint8_t *made = NULL;
	const utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)text,
						(utf8proc_ssize_t)len, &made, options[form]);
	if (n < 0)
		die("a normal form: %s", utf8proc_errmsg(n));
	const char *const out = arena_strndup(a, (const char *)made, (size_t)n);
	free(made); /* utf8proc allocated it with malloc */
	*out_len = (size_t)n;
	return out;
}

const char *unicode_category(uint32_t code)
{
	return utf8proc_category_string((utf8proc_int32_t)code);
}

bool unicode_space(uint32_t code)
{
	return (code >= 9 && code <= 13) || code == 0x20 || code == 0x85 || code == 0xA0 ||
	       code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
	       code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

bool unicode_punctuation(uint32_t code)
{
	if (code < 0x80)
		return (code >= 33 && code <= 47) || (code >= 58 && code <= 64) ||
		       (code >= 91 && code <= 96) || (code >= 123 && code <= 126);
	return *unicode_category(code) == 'P';
}

bool unicode_word(uint32_t code)
{
	static const struct {
		uint32_t from, to;
	} also[] = {
		/* Symbols with the property Alphabetic, and the two that join letters. */
		{0x24B6, 0x24E9},   {0x1F130, 0x1F149}, {0x1F150, 0x1F169},
		{0x1F170, 0x1F189}, {0x200C, 0x200D},
	};
	const char *const is = unicode_category(code);
	for (size_t i = 0; i < sizeof also / sizeof *also; i++)
		if (code >= also[i].from && code <= also[i].to)
			return true;
	return *is == 'L' || *is == 'M' || strcmp(is, "Nd") == 0 || strcmp(is, "Nl") == 0 ||
	       strcmp(is, "Pc") == 0;
}

size_t unicode_lower(uint32_t code, uint32_t out[2])
{
	out[0] = (uint32_t)utf8proc_tolower((utf8proc_int32_t)code);
	if (code != 0x130) /* the only one whose lower case is two: i and a dot above */
		return 1;
	out[0] = 'i';
	out[1] = 0x307;
	return 2;
}
