/* words.c: the figure as words and ranked numbers, as --plain prints it, in a box over it: for who
 * hears a screen, and to read a number that no cell has room for. Made once when it is opened, since
 * ranking a large matrix takes longer than a frame may. */
#include <string.h>

#include "posviz/export/export.h"
#include "tui_in.h"

void words_open(struct tui *t)
{
	char *text;
	size_t len, n = 0;
	if (!t->picture) {
		app_say(t->app, "there is no picture yet");
		return;
	}
	export_plain(&t->picture->picture.figure, &t->frame, &text, &len);
	for (size_t i = 0; i < len; i++)
		n += text[i] == '\n';
	box_open(t, "In words", 0, n);
	for (char *line; n-- > 0 && (line = strsep(&text, "\n")) != NULL;)
		box_line(t, line, false);
}
