/* words.c: the figure as words and ranked numbers, as --plain prints it, in a box over it: for who
 * hears a screen, and to read a number that no cell has room for. Made once when it is opened, since
 * ranking a large matrix takes longer than a frame may. */
#include <string.h>

#include "posviz/export.h"
#include "tui_in.h"

void words_open(struct tui *t)
{
	char *text;
	size_t len, n = 0;
	if (!t->picture) {
		app_say(t->app, "there is no picture yet");
		return;
	}
	arena_clear(&t->words.arena);
	export_plain(&t->picture->picture.figure, &t->words.arena, &text, &len);
	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	t->words.lines = arena_calloc(&t->words.arena, n + 1, sizeof *t->words.lines);
	t->words.n = 0;
	for (char *line; t->words.n < n && (line = strsep(&text, "\n")) != NULL;)
		t->words.lines[t->words.n++] =
			t->terminal.ascii ? canvas_plain_text(&t->words.arena, line) : line;
	t->overlay = OVERLAY_WORDS;
	t->scroll = 0;
	tui_dirty(t, 0);
}

void words_draw(struct tui *t, struct canvas *c)
{
	const struct overlay_text text = {
		.title = "In words", .lines = t->words.lines, .n = t->words.n};
	draw_overlay(t, c, &text);
}
