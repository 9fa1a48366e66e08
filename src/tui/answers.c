/* answers.c: see answers.h.
 *
 * Whatever a terminal sends is data: an answer that is too long, cut, or none of ours says nothing, and
 * no byte of it is a key. Only what begins as an answer is taken for one. */
#include "posviz/tui/answers.h"

#include <stdlib.h>
#include <string.h>

#include "posviz/export/export.h"

enum { ESC = 27, BEL = 7, PIXELS_MOST = 65535 };

/* Attributes, modes and limits; pixels; the background; a picture. */
const char *const answer_begins[] = {"\033[?", "\033[4;", "\033]11;", "\033_G", NULL};

/* A terminal that does not know the question of kitty may print it: it is wiped away. */
void answers_ask(const struct questions *q, struct strbuf *out)
{
	if (q->kitty) {
		strbuf_add(out, "\0337");
		export_tmux_begin(out, q->tmux);
		strbuf_add(out, "_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA");
		export_tmux_end(out, q->tmux);
		strbuf_add(out, "\0338\033[K");
	}
	if (q->background)
		strbuf_add(out, "\033]11;?\033\\");
	if (q->modes)
		strbuf_add(out, "\033[?2026$p\033[?1;1;0S\033[?2;1;0S");
	if (q->pixels)
		strbuf_add(out, "\033[14t");
	strbuf_add(out, q->registers ? ANSWERS_REGISTERS "\033[c" : "\033[c");
}

/* ---- what they say -------------------------------------------------------------------------- */

/* The numbers between semicolons, at most `most`; how many there are, 0 when anything else stands
 * there. */
static size_t numbers(const char *text, size_t most, int *out)
{
	size_t n = 0;
	for (const char *at = text; n < most; n++, at++) {
		const size_t digits = strspn(at, "0123456789");
		if (digits == 0 || digits > 6)
			return 0;
		out[n] = atoi(at);
		at += digits;
		if (*at == '\0')
			return n + 1;
		if (*at != ';')
			return 0;
	}
	return n;
}

/* "?62;4;22c": 4 is sixel. */
static void say_attributes(const char *text, struct answers *out)
{
	int n[24];
	const size_t count = numbers(text + 1, sizeof n / sizeof *n, n);
	out->attributes = true;
	for (size_t i = 1; i < count; i++)
		out->sixel |= n[i] == 4;
}

/* "?2026;2$": 1 set, 2 reset, 3 set for ever, 4 reset for ever, 0 unknown. */
static void say_mode(char *text, struct answers *out)
{
	int n[2];
	text[strlen(text) - 1] = '\0';
	if (numbers(text + 1, 2, n) == 2 && n[0] == 2026)
		out->synchronized = n[1] == 1 || n[1] == 2;
}

/* "?1;0;256", "?2;0;1000;800": what of sixels, success, its value. */
static void say_limit(const char *text, struct answers *out)
{
	int n[4];
	const size_t count = numbers(text + 1, 4, n);
	if (count == 3 && n[0] == 1 && n[1] == 0)
		out->registers = n[2];
	if (count == 4 && n[0] == 2 && n[1] == 0 && n[2] > 0 && n[3] > 0) {
		out->sixel_width = n[2];
		out->sixel_height = n[3];
	}
}

/* "4;HEIGHT;WIDTH". */
static void say_pixels(const char *text, struct answers *out)
{
	int n[3];
	if (numbers(text, 3, n) != 3 || n[0] != 4 || n[1] > PIXELS_MOST || n[2] > PIXELS_MOST)
		return;
	out->height = n[1];
	out->width = n[2];
}

static void say_control(struct answer_bytes *a, char final, struct answers *out)
{
	const bool private = a->text[0] == '?';
	if (private && final == 'c')
		say_attributes(a->text, out);
	else if (private && final == 'y' && a->text[a->n - 1] == '$')
		say_mode(a->text, out);
	else if (private && final == 'S')
		say_limit(a->text, out);
	else if (final == 't')
		say_pixels(a->text, out);
}

/* "rgb:1a1a/1b1b/2020": one to four hexadecimal digits for each; false when it is something else. */
static bool read_colour(const char *text, double *rgb)
{
	static const char begin[] = "rgb:";
	if (strncmp(text, begin, strlen(begin)) != 0)
		return false;
	text += strlen(begin);
	for (int i = 0; i < 3; i++) {
		const size_t n = strspn(text, "0123456789abcdefABCDEF");
		if (n < 1 || n > 4 || text[n] != (i < 2 ? '/' : '\0'))
			return false;
		rgb[i] = (double)strtoul(text, NULL, 16) / (double)((1ul << 4 * n) - 1);
		text += n + 1;
	}
	return true;
}

static void say_background(const char *text, struct answers *out)
{
	double rgb[3];
	if (!read_colour(text, rgb))
		return;
	const uint32_t colour = (uint32_t)(rgb[0] * 255) << 16 | (uint32_t)(rgb[1] * 255) << 8 |
				(uint32_t)(rgb[2] * 255);
	const bool dark = colour_contrast(colour, 0xffffff) > colour_contrast(colour, 0);
	out->background = dark ? BACKGROUND_DARK : BACKGROUND_LIGHT;
}

static void say_string(const struct answer_bytes *a, struct answers *out)
{
	static const char background[] = "11;";
	if (a->kind == ']' && strncmp(a->text, background, strlen(background)) == 0)
		say_background(a->text + strlen(background), out);
	else if (a->kind == '_' && strcmp(a->text, "Gi=31;OK") == 0)
		out->kitty = true;
}

/* ---- byte by byte --------------------------------------------------------------------------- */

static void begin(struct answer_bytes *a, enum answer_state state)
{
	a->state = state;
	a->n = a->read = 0;
	a->text[0] = '\0';
}

/* An answer that is too long says nothing: it loses its beginning. */
static void keep(struct answer_bytes *a, char byte)
{
	if (a->n + 1 == ANSWER_BYTES) {
		a->n = 0;
		byte = '!';
	}
	a->text[a->n++] = byte;
	a->text[a->n] = '\0';
}

static bool after_escape(struct answer_bytes *a, unsigned char byte)
{
	if (byte != '[' && byte != ']' && byte != '_' && byte != 'P') {
		a->state = ANSWER_NONE;
		return false;
	}
	begin(a, byte == '[' ? ANSWER_CSI : ANSWER_STRING);
	a->kind = (char)byte;
	return true;
}

static bool in_control(struct answer_bytes *a, unsigned char byte, struct answers *out)
{
	const bool final = byte >= 0x40 && byte < 0x7f;
	if (final) {
		a->state = ANSWER_NONE;
		say_control(a, (char)byte, out);
		return true;
	}
	if (byte < 0x20 || byte > 0x7e) { /* a key that came between, or no terminal's */
		a->state = byte == ESC ? ANSWER_ESC : ANSWER_NONE;
		return byte == ESC;
	}
	keep(a, (char)byte);
	return true;
}

/* Strings hold no control characters: one is a key, and the string is cut. */
static bool in_string(struct answer_bytes *a, unsigned char byte, struct answers *out)
{
	const bool ends = byte == BEL || (a->state == ANSWER_ENDING && byte == '\\');
	if (ends) {
		a->state = ANSWER_NONE;
		say_string(a, out);
		return true;
	}
	if (a->state == ANSWER_ENDING) /* another sequence cut this one */
		return after_escape(a, byte);
	if (byte == ESC) {
		a->state = ANSWER_ENDING;
		return true;
	}
	if (byte < 0x20 || byte == 0x7f) {
		a->state = ANSWER_NONE;
		return false;
	}
	keep(a, (char)byte);
	return true;
}

bool answers_take(struct answer_bytes *a, unsigned char byte, struct answers *out)
{
	if (a->state != ANSWER_NONE && ++a->read > ANSWER_MOST)
		a->state = ANSWER_NONE;
	switch (a->state) {
	case ANSWER_NONE:
		if (byte == ESC)
			begin(a, ANSWER_ESC);
		return byte == ESC;
	case ANSWER_ESC:
		return after_escape(a, byte);
	case ANSWER_CSI:
		return in_control(a, byte, out);
	case ANSWER_STRING:
	case ANSWER_ENDING:
		return in_string(a, byte, out);
	}
	return false;
}

void answers_begin(struct answer_bytes *a, const char *bytes)
{
	struct answers none = {0};
	begin(a, ANSWER_NONE);
	for (; *bytes; bytes++)
		answers_take(a, (unsigned char)*bytes, &none);
}
