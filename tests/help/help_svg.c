/* help_svg.c: see help_svg.h. */
#include "help_svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/isolate.h"
#include "posviz/base/strbuf.h"
#include "test.h"

size_t help_count(const char *text, const char *part)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
		n++;
	return n;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns the value of an attribute in the tag at `tag`; NULL if it has none. */
static const char *attribute(const char *tag, const char *name, struct arena *a)
{
	const char *const end = strchr(tag, '>'), *const want = arena_printf(a, " %s=\"", name);
	const char *const at = strstr(tag, want);
	if (at == NULL || at > end)
		return NULL;
	const char *const from = at + strlen(want);
	return arena_strndup(a, from, strcspn(from, "\""));
}

static double number(const char *tag, const char *name, struct arena *a)
{
	const char *const text = attribute(tag, name, a);
	return text != NULL ? strtod(text, NULL) : NAN;
}

static const struct {
	const char *name;
	char letter;
} entities[] = {{"&lt;", '<'},	{"&gt;", '>'},	 {"&amp;", '&'}, {"&quot;", '"'},
		{"&#9;", '\t'}, {"&#10;", '\n'}, {"&#13;", '\r'}};
enum { ENTITIES = sizeof entities / sizeof *entities };

/* Returns the letters up to `end`, without anything between < and >. */
static const char *letters(const char *from, const char *end, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	while (from < end) {
		size_t i = 0;
		if (*from == '<') {
			from = strchr(from, '>') + 1;
			continue;
		}
		while (i < ENTITIES &&
		       strncmp(from, entities[i].name, strlen(entities[i].name)) != 0)
			i++;
		strbuf_add_char(&b, i < ENTITIES ? entities[i].letter : *from);
		from += i < ENTITIES ? strlen(entities[i].name) : 1;
	}
	return b.at;
}

struct svg_words *help_svg_words(const char *svg, struct arena *a, size_t *n)
{
	struct svg_words *const out = arena_calloc(a, help_count(svg, "<text ") + 1, sizeof *out);
	*n = 0;
	for (const char *at = svg; (at = strstr(at, "<text ")) != NULL; at++) {
		const char *const from = strchr(at, '>') + 1, *const end = strstr(from, "</text>");
		const char *const turn = attribute(at, "transform", a);
		assert_non_null(end);
		struct svg_words *const w = &out[(*n)++];
		*w = (struct svg_words){.text = isolate_removed(a, letters(from, end, a)),
					.family = attribute(at, "font-family", a),
					.x = number(at, "x", a),
					.y = number(at, "y", a),
					.size = number(at, "font-size", a),
					.length = number(at, "textLength", a),
					.leftwards = attribute(at, "direction", a) != NULL};
		const char *const anchor = attribute(at, "text-anchor", a);
		const double behind = anchor == NULL ? 0 : strcmp(anchor, "end") == 0 ? 1 : 0.5;
		w->anchor = w->leftwards ? 1 - behind : behind;
		if (turn != NULL)
			assert_int_equal(sscanf(turn, "rotate(%lf", &w->angle), 1);
		w->pieces = help_count(arena_strndup(a, from, (size_t)(end - from)), "<tspan");
	}
	return out;
}

/* ---- form ------------------------------------------------------------------------------------ */

static void check_entities(const char *from, const char *end)
{
	for (const char *at = from; at < end; at++) {
		if ((unsigned char)*at < 0x20 && *at != '\n' && *at != '\t')
			fail_msg("a control letter %d in %.60s", *at, at);
		if (*at != '&')
			continue;
		size_t i = 0;
		while (i < ENTITIES && strncmp(at, entities[i].name, strlen(entities[i].name)) != 0)
			i++;
		if (i == ENTITIES)
			fail_msg("%.20s is no entity", at);
	}
}

/* Checks the attributes name="value" that follow the element's name. */
static void check_attributes(const char *from, const char *end, struct arena *a)
{
	enum { MOST = 24 };
	const char *names[MOST];
	size_t n = 0;
	while (*from == ' ') {
		const size_t len = strcspn(++from, "=");
		assert_true(n < MOST);
		names[n] = arena_strndup(a, from, len);
		assert_memory_equal(from + len, "=\"", 2);
		const char *const close = strchr(from + len + 2, '"');
		assert_true(close != NULL && close < end);
		for (size_t i = 0; i < n; i++)
			assert_string_not_equal(names[i], names[n]);
		n++;
		from = close + 1;
	}
	assert_true(from == end || (*from == '/' && from + 1 == end));
}

static void check_ids(const char *svg, struct arena *a)
{
	for (const char *at = svg; (at = strstr(at, " id=\"")) != NULL; at++) {
		const char *const id = arena_strndup(a, at, strcspn(at + 5, "\"") + 6);
		if (help_count(svg, id) != 1)
			fail_msg("%s is there more than once", id);
	}
	for (const char *at = svg; (at = strstr(at, "url(#")) != NULL; at++) {
		const char *const id =
			arena_printf(a, " id=\"%.*s\"", (int)strcspn(at + 5, ")"), at + 5);
		if (help_count(svg, id) != 1)
			fail_msg("there is no %s", id);
	}
}

size_t help_svg_check(const char *svg)
{
	enum { DEEP = 64 };
	const char *open[DEEP], *last = svg;
	size_t len[DEEP], depth = 0, n = 0;
	struct arena a;
	arena_init(&a);
	for (const char *at = strchr(svg, '<'); at != NULL; at = strchr(at + 1, '<')) {
		const char *const end = strchr(at, '>');
		assert_non_null(end);
		const bool closes = at[1] == '/';
		const char *const name = at + 1 + closes;
		const size_t size = strcspn(name, " />\n");
		check_entities(last, at);
		last = end;
		if (at[1] == '?')
			continue;
		if (closes) {
			assert_true(depth > 0);
			depth--;
			assert_int_equal(size, len[depth]);
			assert_memory_equal(name, open[depth], size);
			continue;
		}
		n++;
		check_attributes(name + size, end, &a);
		if (end[-1] == '/')
			continue;
		assert_true(depth < DEEP);
		open[depth] = name;
		len[depth++] = size;
	}
	assert_int_equal(depth, 0);
	check_ids(svg, &a);
	arena_release(&a);
	return n;
}

/* ---- words and their reported positions ------------------------------------------------------ */

/* Checks that the first letter is on the baseline, below the box's first corner, and that the text
 * is as long as the box. */
static void check_words(const struct svg_words *w, const struct text_box *box)
{
	const double across = w->x - box->x, down = w->y - box->y;
	const double c = cos(box->angle), s = sin(box->angle);
	const double along = across * c + down * s - w->anchor * w->length,
		     below = down * c - across * s;
	if (strcmp(w->text, box->text) != 0 || fabs(along) > 0.02 ||
	    below < (w->pieces > 0 ? 0.4 : 0.6) * box->height || below > 0.9 * box->height ||
	    fabs(w->length - box->width) > 0.01 ||
	    fabs(w->angle - box->angle * 180 / acos(-1)) > 0.01 ||
	    fabs(w->size - box->letters) > 0.01)
		fail_msg("\"%s\" at %g %g, %g long, is \"%s\" at %g %g, %g long, turned by %g",
			 box->text, box->x, box->y, box->width, w->text, w->x, w->y, w->length,
			 w->angle);
}

void help_svg_agrees(const char *svg, const struct raster_report *report)
{
	struct arena a;
	size_t n;
	arena_init(&a);
	help_svg_check(svg);
	const struct svg_words *const words = help_svg_words(svg, &a, &n);
	assert_int_equal(n, report->n);
	for (size_t i = 0; i < n; i++)
		check_words(&words[i], &report->boxes[i]);
	arena_release(&a);
}
