/* capability.c: looking into terminfo; the one file that knows term.h. */
#include "posviz/tui/capability.h"

#include <curses.h>
#include <stdio.h>
#include <term.h>
#include <unistd.h>

static const char *string_of(const char *name)
{
	char copy[16];
	snprintf(copy, sizeof copy, "%s", name);
	const char *const found = tigetstr(copy);
	const bool there = found != NULL && found != (char *)-1;
	return there ? found : NULL;
}

bool capability_read(const char *type, struct capability *out)
{
	int state;
	TERMINAL *const open = set_curterm(NULL); /* or setupterm would take its place */
	const bool known = setupterm(type, STDOUT_FILENO, &state) == OK;
	if (known) {
		const int colours = tigetnum("colors");
		*out = (struct capability){.moves = string_of("cup") != NULL,
					   .colours = colours > 0 ? colours : 0,
					   .direct = tigetflag("RGB") > 0 && colours > 256,
					   .mouse = string_of("kmous") != NULL,
					   .paste = string_of("BE") != NULL};
		del_curterm(cur_term);
	}
	set_curterm(open);
	return known;
}

void capability_put(const char *name)
{
	const char *const string = string_of(name);
	if (string == NULL)
		return;
	putp(string);
	fflush(stdout);
}
