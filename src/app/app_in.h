/* app_in.h: what the files of commands share: the functions behind the table's rows. */
#ifndef POSVIZ_APP_IN_H
#define POSVIZ_APP_IN_H

#include "posviz/app.h"

typedef bool command_run(struct app *app, const char *args, unsigned *reactions, struct err *err);
typedef const char *command_complete(const struct app *app, size_t i, struct arena *a);

/* A change of history itself is not remembered: the value of app->series that says so. */
extern const char app_no_entry[];

/* Sets a field from the rest of a command line: quoted or plain text; "next" and "prev" step
 * through choices and whole numbers, nothing at all turns a switch. */
bool command_field(struct app *app, const struct field *field, const char *args, struct err *err);

/* The value of a command line: as it stands, or between quotes with \n \r \" \\. */
bool command_unquote(const char *text, struct arena *a, const char **out, struct err *err);

/* Error for a command that got no argument, or a wrong one. */
bool command_usage(const char *name, struct err *err);

/* +1 for "next", -1 for "prev"; 0 for anything else. */
int command_direction(const char *args);

bool history_undo(struct app *app);
bool history_redo(struct app *app);
/* Remembers `before`, unless the change goes on a series. */
void history_add(struct app *app, const struct scene *before);

/* commands_scheme.c */
command_run run_pick, run_scheme_next, run_scheme_prev, run_add, run_remove, run_causal, run_param,
	run_param_next, run_param_prev, run_step, run_reset_param;
command_complete complete_scheme, complete_param;

/* commands_input.c */
command_run run_move, run_swap, run_shuffle, run_reverse, run_restore;

/* commands_look.c */
command_run run_cursor, run_head, run_layer, run_matrix, run_probe, run_colormap, run_lock,
	run_zoom, run_pane;
command_complete complete_cursor, complete_step, complete_matrix, complete_colormap, complete_pane,
	complete_probe;

/* commands_app.c */
command_run run_undo, run_redo, run_quit, run_snapshot, run_reset, run_add_prompt, run_value_prompt,
	ask_help, ask_find, ask_edit, ask_permute, ask_why, ask_command, ask_back, ask_redraw,
	ask_suspend, ask_lift, ask_left, ask_right, ask_first, ask_last, ask_accept, ask_match_next,
	ask_match_prev;

#endif
