/* words.c: text for people: spelt in ASCII if necessary, and wrapped into lines. */
#include <langinfo.h>
#include <string.h>

#include "cli.h"
#include "posviz/base/text.h"

enum { WRAP_COLS = 80 };

static const struct {
	const char *sign, *plain;
} signs[] = {
	{"−", "-"},	  {"–", "-"},	  {"—", "-"},	   {"…", "..."},   {"·", "*"},
	{"×", "x"},	  {"→", "->"},	  {"←", "<-"},	   {"‖", "||"},	   {"≤", "<="},
	{"≥", ">="},	  {"≠", "!="},	  {"“", "\""},	   {"”", "\""},	   {"’", "'"},
	{"√", "sqrt "},	  {"Σ", "sum "},  {"α", "alpha"},  {"β", "beta"},  {"δ", "delta"},
	{"ε", "epsilon"}, {"θ", "theta"}, {"λ", "lambda"}, {"μ", "mu"},	   {"π", "pi"},
	{"σ", "sigma"},	  {"τ", "tau"},	  {"φ", "phi"},	   {"ω", "omega"}, {"∞", "inf"},
	{"²", "^2"},	  {"ᵀ", "^T"},	  {"∈", " in "},   {"⊙", "(.)"},   {"⌊", "floor("},
	{"⌋", ")"},	  {"∂", "d"},
};
enum { SIGNS = sizeof signs / sizeof signs[0] };

static const char *plain_sign(const char *text, size_t len)
{
	for (size_t i = 0; i < SIGNS; i++)
		if (strlen(signs[i].sign) == len && memcmp(signs[i].sign, text, len) == 0)
			return signs[i].plain;
	return NULL;
}

/* Returns whether a dot between blanks separates words; elsewhere it multiplies. */
static bool parts_words(const char *text, size_t at, size_t len)
{
	return at > 0 && text[at - 1] == ' ' && text[at + len] == ' ' &&
	       memcmp(text + at, "·", len) == 0;
}

/* Adds known signs as letters, and others as code points, so that no information is lost. */
static void add_plain(struct strbuf *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		uint32_t code;
		const size_t n = text_decode(text + at, len - at, &code);
		const char *const plain = n > 1 ? plain_sign(text + at, n) : NULL;
		if (n <= 1)
			strbuf_add_n(out, text + at, 1);
		else if (parts_words(text, at, n))
			strbuf_add_char(out, '-');
		else if (plain)
			strbuf_add(out, plain);
		else
			strbuf_printf(out, "\\u{%X}", (unsigned)code);
		at += n > 0 ? n : 1;
	}
}

bool words_are_plain(const struct cli *c)
{
	return c->app.settings.glyphs == GLYPHS_ASCII ||
	       (output_is_standard(c) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
}

bool words_write(const struct cli *c, const char *text, size_t len, struct err *err)
{
	struct arena a;
	struct strbuf out;
	if (!words_are_plain(c))
		return output_write(c, text, len, err);
	arena_init(&a);
	strbuf_init(&out, &a);
	add_plain(&out, text, len);
	const bool ok = output_write(c, out.at, out.len, err);
	arena_release(&a);
	return ok;
}

void words_wrap(struct strbuf *out, const char *text, size_t indent)
{
	size_t at = indent;
	for (const char *word = text + strspn(text, " "); *word;) {
		const size_t len = strcspn(word, " ");
		const char *const copy = arena_strndup(out->arena, word, len);
		const size_t width = text_width(copy);
		if (at > indent && at + 1 + width > WRAP_COLS) {
			strbuf_printf(out, "\n%*s", (int)indent, "");
			at = indent;
		}
		if (at > indent) {
			strbuf_add_char(out, ' ');
			at++;
		}
		strbuf_add(out, copy);
		at += width;
		word += len;
		word += strspn(word, " ");
	}
	strbuf_add_char(out, '\n');
}

void words_line(struct strbuf *out, size_t indent, const char *label, const char *text)
{
	strbuf_printf(out, "  %-*s", (int)indent - 2, label);
	words_wrap(out, text, indent);
}
