/* picture.c: pictures among the words of a text, as grids of patches.
 *
 * <image 4x6> stands for 24 tokens, <video 2x4x6> for 48. A picture is written on purpose: what
 * begins like one and is none is an error, except in quotes and behind a second <. */
#include <string.h>
#include <strings.h>

#include "input/cutter.h"
#include "posviz/input/letters.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { FRAMES, ROWS, COLUMNS, SIDES };

struct picture {
	size_t size;	  /* bytes of the text */
	long side[SIDES]; /* frames, rows, columns */
	long merge;	  /* side of the blocks that tokens follow; 1: rows of the picture */
};

static const struct {
	const char *begins;
	size_t sides;
} kinds[] = {{"<image ", SIDES - 1}, {"<video ", SIDES}};

/* Returns whether this, behind the name, is of something meant as a picture: blanks and a number, also
 * with a sign. */
static bool is_meant_as_picture(const char *text, size_t len)
{
	size_t at = 0;
	while (at < len && letter_is_blank(text[at]))
		at++;
	const bool number = at > 0 && at < len;
	at += number && (text[at] == '-' || text[at] == '+');
	return number && at < len && text[at] >= '0' && text[at] <= '9';
}

/* Returns the row of `kinds` that a text begins with, written well or nearly so; or -1. */
static int kind_at(const char *text, size_t len)
{
	for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
		const size_t name = strlen(kinds[i].begins) - 1;
		if (len > name && strncasecmp(text, kinds[i].begins, name) == 0 &&
		    is_meant_as_picture(text + name, len - name))
			return i;
	}
	return -1;
}

bool cutter_escapes(const char *text, size_t len)
{
	return len > 1 && text[0] == '<' && kind_at(text + 1, len - 1) >= 0;
}

/* Returns whether the picture at text + at is escaped: by a < or by a quotation mark before it. */
static bool is_meant_as_words(const char *text, size_t at)
{
	static const char *const marks[] = {
		"<", "\"", "'", "`", "\xE2\x80\x9C", "\xE2\x80\x98", "\xE2\x80\x9E", "\xC2\xAB"};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const size_t size = strlen(marks[i]);
		if (at >= size && memcmp(text + at - size, marks[i], size) == 0)
			return true;
	}
	return false;
}

/* Reads the numbers of a picture, "4x6>" or "4x6/2>"; false if they are none. */
static bool read_sides(const char *text, size_t len, size_t sides, struct picture *out)
{
	size_t at = 0;
	*out = (struct picture){.side = {1, 1, 1}, .merge = 1};
	for (size_t i = 0; i <= sides; i++) {
		size_t digits = 0;
		while (at + digits < len && text[at + digits] >= '0' && text[at + digits] <= '9')
			digits++;
		long *const to = i < sides ? &out->side[SIDES - sides + i] : &out->merge;
		if (!num_parse_long(text + at, digits, 1, INPUT_MAX_TOKENS, to, NULL) ||
		    at + digits >= len)
			return false;
		at += digits;
		const char next = text[at++];
		if (i + 1 >= sides && next == '>') {
			out->size = at;
			return true;
		}
		if (next != (i + 1 < sides ? 'x' : '/') || i == sides)
			return false;
	}
	return false;
}

static bool check(const struct picture *p, const char *quoted, struct err *err)
{
	const double patches =
		(double)p->side[FRAMES] * (double)p->side[ROWS] * (double)p->side[COLUMNS];
	if (patches > INPUT_MAX_TOKENS)
		return err_set(err, "%s has %.0f patches; the limit is %d tokens", quoted, patches,
			       INPUT_MAX_TOKENS);
	return (p->side[ROWS] % p->merge == 0 && p->side[COLUMNS] % p->merge == 0) ||
	       err_set(err,
		       "%s: blocks of %ld by %ld do not fill %ld rows and %ld columns; numbers that "
		       "%ld divides would be right",
		       quoted, p->merge, p->merge, p->side[ROWS], p->side[COLUMNS], p->merge);
}

static bool err_no_picture(const char *text, size_t len, int kind, struct err *err)
{
	enum { MOST = 40 };
	char quoted[128];
	const char *const end = memchr(text, '>', len);
	const size_t size = end ? (size_t)(end - text) + 1 : len;
	text_quote_buf(quoted, sizeof quoted, text, size < MOST ? size : MOST);
	return err_set(err,
		       "%s is no picture; %s> would be right, and <%.*s for the words themselves",
		       quoted,
		       kind == 0 ? "rows and columns, <image 4x6"
				 : "frames, rows and columns, <video 2x4x6",
		       (int)strlen(kinds[kind].begins) - 1, kinds[kind].begins);
}

/* Returns the name of a patch, numbers from 1; those that all patches share are left out. */
static const char *name_of(const struct cutter *c, const struct picture *p,
			   const struct patch *patch)
{
	const char *const picture = c->of > 1 ? arena_printf(c->arena, "i%zu", patch->picture) : "";
	const char *const frame =
		p->side[FRAMES] > 1 ? arena_printf(c->arena, "f%zu", patch->frame + 1) : "";
	return arena_printf(c->arena, "%s%sr%zuc%zu", picture, frame, patch->row + 1,
			    patch->col + 1);
}

/* Adds the token of patch i in the order of the tokens. */
static void push_patch(struct cutter *c, const struct picture *p, size_t i)
{
	if (!c->tokens) {
		cutter_push(c, "", 0, "", false, OWN_WORD);
		return;
	}
	const size_t m = (size_t)p->merge, wide = (size_t)p->side[COLUMNS] / m;
	const size_t inside = i % (m * m), block = i / (m * m);
	const size_t blocks = wide * ((size_t)p->side[ROWS] / m), at = block % blocks;
	struct patch *const patch = arena_calloc(c->arena, 1, sizeof *patch);
	*patch = (struct patch){.picture = c->pictures,
				.frame = block / blocks,
				.row = at / wide * m + inside / m,
				.col = at % wide * m + inside % m};
	const char *const name = name_of(c, p, patch);
	cutter_push(c, name, strlen(name), NULL, false, OWN_WORD);
	c->tokens[c->n - 1].patch = patch;
}

bool cut_picture(struct cutter *c, const char *text, size_t len, size_t at, size_t *size,
		 struct err *err)
{
	const int kind = kind_at(text + at, len - at);
	struct picture p;
	*size = 0;
	if (kind < 0 || is_meant_as_words(text, at))
		return true;
	const size_t before = strlen(kinds[kind].begins);
	if (len - at <= before || memcmp(text + at, kinds[kind].begins, before) != 0 ||
	    !read_sides(text + at + before, len - at - before, kinds[kind].sides, &p))
		return err_no_picture(text + at, len - at, kind, err);
	char quoted[128];
	*size = before + p.size;
	text_quote_buf(quoted, sizeof quoted, text + at, *size);
	if (!check(&p, quoted, err))
		return false;
	c->pictures++;
	const size_t n = (size_t)p.side[FRAMES] * (size_t)p.side[ROWS] * (size_t)p.side[COLUMNS];
	for (size_t i = 0; i < n; i++)
		push_patch(c, &p, i);
	return true;
}

const char *input_patches(const char *text, struct arena *a, struct err *err)
{
	static const char blanks[] = " ,\t\n";
	struct strbuf b;
	strbuf_init(&b, a);
	for (const char *c = text + strspn(text, blanks); *c; c += strspn(c, blanks)) {
		struct picture p;
		const size_t len = strcspn(c, blanks);
		const char *const closed = arena_printf(a, "%.*s>", (int)len, c);
		const int kind = read_sides(closed, len + 1, kinds[0].sides, &p)   ? 0
				 : read_sides(closed, len + 1, kinds[1].sides, &p) ? 1
										   : -1;
		const char *const quoted = text_quote(a, c, len);
		if (kind < 0) {
			err_set(err,
				"patches: %s is no grid; ROWSxCOLUMNS such as 14x14, or "
				"FRAMESxROWSxCOLUMNS, would be right",
				quoted);
			return NULL;
		}
		if (!check(&p, quoted, err)) {
			err_prefix(err, "patches: ");
			return NULL;
		}
		strbuf_printf(&b, "%s%s%s", b.len ? " " : "", kinds[kind].begins, closed);
		c += len;
	}
	if (b.len > 0)
		return b.at;
	err_set(err, "patches: there is no grid; ROWSxCOLUMNS such as 14x14 would be right");
	return NULL;
}

bool input_has_picture(const struct input *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (in->tokens[i].patch)
			return true;
	return false;
}

void input_axes(const struct input *in, double *temporal, double *height, double *width)
{
	size_t now = 0, next = 0, picture = 0;
	for (size_t i = 0; i < in->n; i++) {
		const struct patch *const p = in->tokens[i].patch;
		if (!p || p->picture != picture)
			now = next;
		picture = p ? p->picture : 0;
		const size_t at[SIDES] = {now + (p ? p->frame : 0), now + (p ? p->row : 0),
					  now + (p ? p->col : 0)};
		temporal[i] = (double)at[FRAMES];
		height[i] = (double)at[ROWS];
		width[i] = (double)at[COLUMNS];
		for (size_t k = 0; k < SIDES; k++)
			next = at[k] + 1 > next ? at[k] + 1 : next;
	}
}
