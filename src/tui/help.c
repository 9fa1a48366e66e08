/* help.c: the keys that work here, made from the table of keys: those of the present context first.
 * Keys that do the same share a line. */
#include <string.h>

#include "tui_in.h"

enum { KEY_COLS = 16, NARROW_COLS = 6, NARROW = 70, MAX_LINES = 160 };

const char *help_key(const char *key, bool ascii)
{
	static const struct {
		const char *key, *sign, *plain;
	} signs[] = {{"Up", "↑", "Up"},	      {"Down", "↓", "Down"},   {"Left", "←", "Left"},
		     {"Right", "→", "Right"}, {"Enter", "⏎", "Enter"}, {"Space", "space", "space"}};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strcmp(signs[i].key, key) == 0)
			return ascii ? signs[i].plain : signs[i].sign;
	return key;
}

/* Whether an earlier row of the same context says the same. */
static bool is_repeated(const struct binding *b)
{
	for (const struct binding *other = bindings; other != b; other++)
		if (strcmp(other->context, b->context) == 0 && strcmp(other->note, b->note) == 0)
			return true;
	return false;
}

static const char *line_of(const struct tui *t, const struct binding *b, struct arena *a)
{
	struct strbuf keys;
	strbuf_init(&keys, a);
	const bool ascii = t->terminal.ascii;
	const int cols = t->terminal.cols < NARROW ? NARROW_COLS : KEY_COLS;
	for (const struct binding *other = b; other->key; other++)
		if (strcmp(other->context, b->context) == 0 && strcmp(other->note, b->note) == 0)
			strbuf_printf(&keys, "%s%s", keys.len ? " " : "",
				      help_key(other->key, ascii));
	const int pad = cols - (int)text_width(keys.at);
	return arena_printf(a, "%s%*s %s", keys.at, pad > 0 ? pad : 0, "", b->note);
}

static size_t add_context(const struct tui *t, const char **lines, size_t n, const char *context,
			  struct arena *a)
{
	for (const struct binding *b = bindings; b->key; b++)
		if (strcmp(b->context, context) == 0 && !is_repeated(b) && n < MAX_LINES)
			lines[n++] = line_of(t, b, a);
	return n;
}

void help_draw(struct tui *t, struct canvas *c)
{
	struct arena *const a = &t->frame;
	const char *const context = tui_context(t);
	const char **const lines = arena_calloc(a, MAX_LINES, sizeof *lines);
	size_t n = 0, own = 0;
	if (*context)
		own = n = add_context(t, lines, n, context, a);
	if (t->mode == MODE_LOOK)
		n = add_context(t, lines, n, "", a);
	draw_overlay(t, c, "Keys", lines, n, own);
}
