/* options_mode.c: the options that each mode of a sub-command takes. A tour is shown, listed,
 * checked or written in four ways, a quiz in five. An option that is not in the row of a mode would
 * have no effect: it is refused, and the error names the modes that take it. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#define ANY    "config fresh memory "
#define FILED  "output force format "
#define CELLS  "color glyphs ascii contrast "
#define SCREEN CELLS "graphics mouse motion "
#define PAPER  "theme size font-size font for "
#define COLOUR "colormap scale "
#define QUIZ   "level seed count kind "

const struct cli_mode cli_modes[] = {
	{"tour", "the screen", ANY SCREEN PAPER "dpi caption step pace presenter"},
	{"tour", "--list", ANY "list format ascii glyphs"},
	{"tour", "--check", ANY "check format ascii glyphs"},
	{"tour", "--notes", ANY SCREEN "notes theme"},
	{"tour", "a film", ANY FILED PAPER COLOUR "step dpi"},
	{"tour", "a recording", ANY FILED CELLS "step pace cells theme presenter"},
	{"tour", "a hand-out of pages", ANY FILED PAPER COLOUR "step questions steps-per-page"},
	{"tour", "a hand-out of pictures", ANY FILED PAPER COLOUR "step questions dpi caption"},
	{"quiz", "the screen", ANY SCREEN PAPER QUIZ "dpi caption"},
	{"quiz", "--plain", ANY QUIZ "plain ascii glyphs"},
	{"quiz", "--check", ANY QUIZ "check format ascii glyphs"},
	{"quiz", "a tour", ANY FILED QUIZ},
	{"quiz", "a sheet", ANY FILED PAPER COLOUR QUIZ "answers"},
	{0},
};

bool cli_mode_takes(const struct cli_mode *mode, const char *option)
{
	const size_t len = strlen(option);
	for (const char *at = mode->options; *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (strcspn(at, " ") == len && memcmp(at, option, len) == 0)
			return true;
	return false;
}

/* Sets an error that names the modes which take the option. */
static bool refuse(const struct cli_mode *mode, const char *option, struct err *err)
{
	char who[200] = "";
	size_t used = 0;
	for (const struct cli_mode *m = cli_modes; m->sub && used < sizeof who; m++)
		if (strcmp(m->sub, mode->sub) == 0 && cli_mode_takes(m, option))
			used += (size_t)snprintf(who + used, sizeof who - used, "%s%s",
						 used ? ", " : "it is for ", m->name);
	return err_set(err, "%s: --%s means nothing for %s; %s", mode->sub, option, mode->name,
		       used ? who : "leave it out");
}

bool options_of_mode(const struct cli *c, const char *name, struct err *err)
{
	const struct cli_mode *mode = cli_modes;
	while (mode->sub && (strcmp(mode->sub, c->sub->name) != 0 || strcmp(mode->name, name) != 0))
		mode++;
	BUG_IF(!mode->sub);
	for (size_t i = 0; i < c->n_given; i++)
		if (!cli_mode_takes(mode, c->given[i].name))
			return refuse(mode, c->given[i].name, err);
	return true;
}
