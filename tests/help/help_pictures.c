/* help_pictures.c: readers of kitty's protocol and of sixels, written from the specifications. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "help_pictures.h"

/* ---- kitty ----------------------------------------------------------------------------------- */

static int digit_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool add_bytes(struct kitty_picture *p, const char *at, size_t len)
{
	uint32_t bits = 0;
	int n = 0;
	for (size_t i = 0; i < len && at[i] != '='; i++) {
		const int digit = digit_of(at[i]);
		if (digit < 0)
			return false;
		bits = bits << 6 | (uint32_t)digit;
		n += 6;
		if (n >= 8) {
			n -= 8;
			p->file[p->size++] = (char)(bits >> n);
		}
	}
	return len % 4 == 0;
}

bool kitty_read(const char *bytes, size_t len, struct arena *a, struct kitty_picture *out)
{
	static const char begin[] = "\033_G";
	const char *at = bytes, *const end = bytes + len;
	*out = (struct kitty_picture){.file = arena_alloc(a, len + 1)};
	while ((at = memmem(at, (size_t)(end - at), begin, 3)) != NULL) {
		const char *const body = at + 3;
		const char *const semi = memchr(body, ';', (size_t)(end - body));
		const char *const stop = memchr(body, '\033', (size_t)(end - body));
		at = body;
		if (!semi || !stop || semi > stop)
			continue;
		const char *const control = arena_strndup(a, body, (size_t)(semi - body));
		if (out->pieces == 0 && !strstr(control, "a=T"))
			continue; /* a query, or the end of a picture */
		if (out->pieces == 0)
			out->control = control;
		out->wrapped = at > bytes + 4 && at[-4] == '\033';
		out->pieces++;
		const size_t n = (size_t)(stop - semi - 1);
		out->longest = n > out->longest ? n : out->longest;
		if (!add_bytes(out, semi + 1, n))
			return false;
		if (strstr(control, "m=0"))
			return true;
	}
	return false;
}

/* ---- sixels ---------------------------------------------------------------------------------- */

struct sixels {
	struct image *image;
	bool *set;
	uint8_t palette[256][3];
	long colour;
	int x, y;
};

static void put(struct sixels *s, char sixel, long times)
{
	for (; times > 0; times--, s->x++)
		for (int i = 0; i < 6; i++) {
			if (!((sixel - '?') >> i & 1) || s->x >= s->image->width ||
			    s->y + i >= s->image->height)
				continue;
			const size_t at =
				(size_t)(s->y + i) * (size_t)s->image->width + (size_t)s->x;
			memcpy(s->image->rgb + 3 * at, s->palette[s->colour], 3);
			s->set[at] = true;
		}
}

static const char *choose(struct sixels *s, const char *at)
{
	char *next;
	s->colour = strtol(at, &next, 10) & 255;
	if (strncmp(next, ";2;", 3) != 0)
		return next;
	next += 2;
	for (int i = 0; i < 3; i++)
		s->palette[s->colour][i] =
			(uint8_t)((strtol(next + 1, &next, 10) * 255 + 50) / 100);
	return next;
}

static const char *draw(struct sixels *s, const char *at, const char *end)
{
	while (at < end && *at != '\033') {
		char *next;
		if (*at == '#') {
			at = choose(s, at + 1);
		} else if (*at == '!') {
			const long times = strtol(at + 1, &next, 10);
			put(s, *next, times);
			at = next + 1;
		} else if (*at == '$' || *at == '-') {
			s->x = 0;
			s->y += *at++ == '-' ? 6 : 0;
		} else {
			put(s, *at++, 1);
		}
	}
	return at;
}

bool sixel_read(const char *bytes, size_t len, struct arena *a, struct image *out)
{
	static const char begin[] = "\033P0;1;0q\"1;1;";
	struct sixels s = {.image = out};
	const char *const at = memmem(bytes, len, begin, sizeof begin - 1);
	char *next;
	if (!at)
		return false;
	out->width = (int)strtol(at + sizeof begin - 1, &next, 10);
	out->height = (int)strtol(next + 1, &next, 10);
	const size_t n = (size_t)out->width * (size_t)out->height;
	out->rgb = arena_calloc(a, n, 3);
	s.set = arena_calloc(a, n, sizeof *s.set);
	const char *const end = draw(&s, next, bytes + len);
	for (size_t i = 0; i < n; i++)
		if (!s.set[i])
			return false;
	return end + 1 < bytes + len && end[1] == '\\';
}

uint32_t help_png_crc(const uint8_t *at, size_t len)
{
	uint32_t c = 0xffffffff;
	for (size_t i = 0; i < len; i++) {
		c ^= at[i];
		for (int bit = 0; bit < 8; bit++)
			c = (c & 1) != 0 ? 0xedb88320 ^ c >> 1 : c >> 1;
	}
	return ~c;
}
