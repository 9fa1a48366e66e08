/* help_app.h: a program without a terminal for a test, and lines that must work or must not. */
#ifndef HELP_APP_H
#define HELP_APP_H

#include "posviz/app/app.h"

/* cmocka's fixtures: *state is a struct app at its defaults. */
int help_app_open(void **state);
int help_app_close(void **state);

/* Runs a line that must work; the reactions. */
unsigned help_app_run(struct app *app, const char *line);

/* Runs a line that must not work, says `part` of why, and changes nothing. */
void help_app_refuse(struct app *app, const char *line, const char *part);

#endif
