/* figure.c: the categorical palette of curves, formulas as plain text, the meaning of colours in
 * words, notes without repetitions.
 *
 * The palette is that of Okabe and Ito (2008) without black and yellow; neighbours in its order
 * differ for all common kinds of colour vision. The dark variant has the same hues, lighter. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/plot/figure.h"
#include "posviz/base/strbuf.h"
#include "posviz/plot/panel.h"

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

/* Sub- and superscripts of Unicode that fonts of terminals have. */
static const struct script {
	const char *from, *sub, *super;
} scripts[] = {
	{"0", "₀", "⁰"},  {"1", "₁", "¹"},  {"2", "₂", "²"},  {"3", "₃", "³"},	{"4", "₄", "⁴"},
	{"5", "₅", "⁵"},  {"6", "₆", "⁶"},  {"7", "₇", "⁷"},  {"8", "₈", "⁸"},	{"9", "₉", "⁹"},
	{"a", "ₐ", "ᵃ"},  {"b", NULL, "ᵇ"}, {"c", NULL, "ᶜ"}, {"d", NULL, "ᵈ"}, {"e", "ₑ", "ᵉ"},
	{"f", NULL, "ᶠ"}, {"g", NULL, "ᵍ"}, {"h", "ₕ", "ʰ"},  {"i", "ᵢ", "ⁱ"},	{"j", "ⱼ", "ʲ"},
	{"k", "ₖ", "ᵏ"},  {"l", "ₗ", "ˡ"},  {"m", "ₘ", "ᵐ"},  {"n", "ₙ", "ⁿ"},	{"o", "ₒ", "ᵒ"},
	{"p", "ₚ", "ᵖ"},  {"r", "ᵣ", "ʳ"},  {"s", "ₛ", "ˢ"},  {"t", "ₜ", "ᵗ"},	{"u", "ᵤ", "ᵘ"},
	{"v", "ᵥ", "ᵛ"},  {"w", NULL, "ʷ"}, {"x", "ₓ", "ˣ"},  {"y", NULL, "ʸ"}, {"z", NULL, "ᶻ"},
	{"+", "₊", "⁺"},  {"−", "₋", "⁻"},  {"(", "₍", "⁽"},  {")", "₎", "⁾"},	{"=", "₌", "⁼"},
	{"I", NULL, "ᴵ"}, {"K", NULL, "ᴷ"}, {"O", NULL, "ᴼ"}, {"V", NULL, "ⱽ"}, {"T", NULL, "ᵀ"},
	{"⊤", NULL, "ᵀ"},
};

static const struct script *script_at(const char *at)
{
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		if (strncmp(at, scripts[i].from, strlen(scripts[i].from)) == 0)
			return &scripts[i];
	return NULL;
}

/* Tells if all of [at, end) has such characters. */
static bool has_scripts(const char *at, const char *end, bool sub)
{
	while (at < end) {
		const struct script *s = script_at(at);
		if (s == NULL || (sub ? s->sub : s->super) == NULL)
			return false;
		at += strlen(s->from);
	}
	return true;
}

static void add_scripts(struct strbuf *out, const char *at, const char *end, bool sub)
{
	while (at < end) {
		const struct script *s = script_at(at);
		strbuf_add(out, sub ? s->sub : s->super);
		at += strlen(s->from);
	}
}

/* Returns the end of the index or power behind a marker, and in *from its beginning; `at` is behind
 * the marker. */
static const char *script_end(const char *at, const char **from)
{
	const char *close = *at == '{' ? strchr(at, '}') : NULL;
	*from = close ? at + 1 : at;
	if (close)
		return close;
	const char *end = at;
	while (isalnum((unsigned char)*end))
		end++;
	if (end == at && *at)
		for (end++; ((unsigned char)*end & 0xc0) == 0x80;)
			end++;
	return end;
}

const char *figure_scripts(struct arena *a, const char *text)
{
	enum {
		SIGN = 2
	}; /* the most letters of an index without braces; more are a word: "w_value" */
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *at = text; *at; at++) {
		const char *from = at, *end = at;
		const bool sub = *at == '_';
		if (sub || *at == '^')
			end = script_end(at + 1, &from);
		const bool braced = from == at + 2;
		if (end == from || !has_scripts(from, end, sub) ||
		    (!braced && sub && end - from > SIGN)) {
			strbuf_add_char(&out, *at);
			continue;
		}
		add_scripts(&out, from, end, sub);
		at = braced ? end : end - 1;
	}
	return figure_formula(a, out.at);
}

/* Returns the length in bytes of the character before `at`. */
static size_t sign_before(const char *text, const char *at)
{
	size_t len = at > text;
	while (at - text > (ptrdiff_t)len && ((unsigned char)at[-(ptrdiff_t)len] & 0xc0) == 0x80)
		len++;
	return len;
}

/* Tells if Unicode has the subscripts of all indices, in the formula, of the letter before the
 * marker `at`. */
static bool indices_have_scripts(const char *formula, const char *at)
{
	const size_t len = sign_before(formula, at);
	for (const char *k = formula; (k = strchr(k, '_')) != NULL; k++) {
		const char *from, *end = script_end(k + 1, &from);
		const bool same = k - formula >= (ptrdiff_t)len && sign_before(formula, k) == len &&
				  memcmp(k - len, at - len, len) == 0;
		if ((k == at || same) && !has_scripts(from, end, true))
			return false;
	}
	return true;
}

static void add_unsigned(struct strbuf *out, const char *from, const char *end, bool sub)
{
	const bool word = one_word(from, (size_t)(end - from)) ||
			  sign_before(from, end) == (size_t)(end - from);
	const char *const text =
		figure_typeset(out->arena, arena_strndup(out->arena, from, (size_t)(end - from)));
	strbuf_printf(out, sub ? "[%s]" : word ? "^%s" : "^(%s)", text);
}

const char *figure_typeset(struct arena *a, const char *formula)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *at = formula; *at; at++) {
		const char *from = at, *end = at;
		const bool sub = *at == '_';
		if (sub || *at == '^')
			end = script_end(at + 1, &from);
		if (end == from) {
			strbuf_add_char(&out, *at);
			continue;
		}
		if (sub ? indices_have_scripts(formula, at) : has_scripts(from, end, false))
			add_scripts(&out, from, end, sub);
		else
			add_unsigned(&out, from, end, sub);
		at = from == at + 2 ? end : end - 1;
	}
	return out.at;
}

/* ---- in words ---------------------------------------------------------------------------------- */

size_t figure_first_map(const struct figure *f, size_t otherwise)
{
	for (size_t i = 0; i < f->n; i++)
		if (panel_shows_map(&f->panels[i]))
			return i;
	return otherwise;
}

const char *figure_colour_words(const struct heatmap *h, const char *low, const char *high,
				bool brief, struct arena *a)
{
	const bool two = h->scale.diverging;
	const int half = two ? h->scale.half : 1;
	const char *const of = h->more_of, *const end = half < 0 ? low : high;
	const char *const than =
		of != NULL && h->than != NULL && !brief ? arena_printf(a, " than %s", h->than) : "";
	if (of == NULL && !two)
		return NULL;
	if (two && h->scale.lo >= h->scale.hi)
		return h->first != NULL ? "all are zero: the two have the same values"
					: "all are zero: no position is told from another";
	if (of == NULL && half == 0 && brief)
		return arena_printf(a, "%s < 0 < %s", low, high);
	if (of == NULL)
		return half == 0
			       ? arena_printf(a, "%s: below zero, %s: above", low, high)
			       : arena_printf(a, "%s: %s zero", end, half < 0 ? "below" : "above");
	if (half == 0)
		return arena_printf(a, "%s: less %s%s, %s: more", low, of, than, high);
	return arena_printf(a, "%s: %s %s%s", end, half < 0 ? "less" : "more", of, than);
}

/* ---- notes without repetitions --------------------------------------------------------------- */

static const char between[] = " · ";

/* Tells if a text contains this piece, between separators. */
static bool says(const char *text, const char *piece, size_t len)
{
	for (const char *at = text; (at = strstr(at, piece)) != NULL; at++)
		if (strncmp(at, piece, len) == 0 && (at == text || at[-1] == ' ') &&
		    (at[len] == '\0' || strncmp(at + len, "  ", 2) == 0 ||
		     strncmp(at + len, between, strlen(between)) == 0))
			return true;
	return false;
}

/* Returns the pieces of a note that `said` does not contain; NULL: none. */
static const char *unsaid(struct arena *a, const char *note, const char *said)
{
	const char *out = NULL;
	for (const char *at = note, *end; at != NULL; at = end ? end + strlen(between) : NULL) {
		end = strstr(at, between);
		const char *const piece =
			end ? arena_strndup(a, at, (size_t)(end - at)) : arena_strdup(a, at);
		if (!says(said, piece, strlen(piece)))
			out = out ? arena_printf(a, "%s%s%s", out, between, piece) : piece;
	}
	return out;
}

void figure_say_once(struct arena *a, const struct figure *f, struct figure *out)
{
	*out = *f;
	for (size_t i = 0; f->subtitle && i < f->n; i++) {
		struct panel *const p = &out->panels[i];
		const char *const note = p->note ? unsaid(a, p->note, f->subtitle) : NULL;
		if (note == NULL || strcmp(note, p->note) != 0)
			p->short_note = NULL;
		p->note = note;
	}
}
