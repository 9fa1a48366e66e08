/* help_app.h: the app without a terminal, for a test, and lines that must succeed or must fail. */
#ifndef HELP_APP_H
#define HELP_APP_H

#include "posviz/app/app.h"

/* cmocka's fixtures: *state is a struct app with its defaults. */
int help_app_open(void **state);
int help_app_close(void **state);

/* Runs a line that must succeed; returns the reactions. */
unsigned help_app_run(struct app *app, const char *line);

/* Runs a line that must fail with an error that contains `part`, and must change nothing. */
void help_app_refuse(struct app *app, const char *line, const char *part);

/* Returns the lines that complete this one, as the menu has them. */
const char **help_app_completions(const struct app *app, const char *line, struct arena *a,
				  size_t *n);

#endif
