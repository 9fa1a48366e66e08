/* app_in.h: what the files of commands share: the functions behind the table's rows. */
#ifndef POSVIZ_APP_IN_H
#define POSVIZ_APP_IN_H

#include "posviz/app/app.h"

/* How the argument of a command may go on. */
struct candidates {
	struct arena *arena;
	const char **at;
	const char **notes; /* what each is, "" where that is not said */
	size_t n, cap;
	size_t from;  /* what they stand for begins here in the argument: first, its last word */
	bool matched; /* all go on from what is typed; else those that do are picked out */
};
void candidates_add(struct candidates *c, const char *text);
void candidates_note(struct candidates *c, const char *text, const char *note);

typedef bool command_run(struct app *app, const char *args, struct err *err);
typedef void command_complete(const struct app *app, const char *args, struct candidates *out);

/* A change of history itself is not remembered: the value of app->series that says so. */
extern const char app_no_entry[];

/* Runs a line as app_command does, as part of another command: no entry in the history. */
bool command_line(struct app *app, const char *line, struct err *err);

/* Whether there is a command, field or setting of this name; the error has a suggestion. */
bool command_exists(const char *name, struct err *err);

/* Sets a field of the scene from the rest of a command line: quoted or plain text; "next" and
 * "prev" step through choices and whole numbers, nothing at all turns a switch. */
bool command_field(struct app *app, const struct field *field, const char *args, struct err *err);
bool command_setting(struct app *app, const struct field *f, const char *args, struct err *err);

/* The next word of a line, which moves behind it. */
const char *command_word(const char **line, struct arena *a);

/* Error for a command that got no argument, or a wrong one. */
bool command_usage(const char *name, struct err *err);

/* +1 for "next", -1 for "prev"; 0 for anything else. */
int command_direction(const char *args);

/* A number from 1 to `most` in `at`, by name or by "next" and "prev", which go round. */
bool command_one_of(long *at, long most, const char *args, const char *name, struct err *err);

/* The place, from 1, of the token that *args begins with, 'dog' or 'the'#2, among rows or columns; *args
 * moves behind it and its blanks. */
bool command_unit(struct app *app, const char **args, bool key, long *place, struct err *err);

/* Whether `text` begins with `part`, a hyphen for any dash: labels of terms have dashes that no
 * keyboard has. */
bool command_begins(const char *text, const char *part);

/* The path that the user means: "~/" is the home. */
const char *command_path(struct arena *a, const char *text);

/* Takes back, or does again; false when there is nothing. */
bool history_step(struct app *app, bool back);
/* Remembers `before`, unless the change goes on a series. */
void history_add(struct app *app, const struct scene *before);

/* complete_brackets.c */
/* Within the brackets of a member that are open at the end of the text, or behind its colon: parameters, and
 * behind one its values. False when none are open. */
bool complete_brackets(const struct app *app, const char *args, struct candidates *out);

/* complete.c */
void complete_commands(struct candidates *out); /* every first word */
/* Makes the lines that `line` may become; returns the bytes that all of them begin with, behind which the
 * candidates themselves stand. */
size_t complete_line(const struct app *app, const char *line, struct candidates *out);

/* complete_rank.c */
/* Those that fit, the best first; false when they have but the letters, or the meaning. */
bool candidates_rank(const struct candidates *from, const char *typed, struct candidates *out);

/* keymap.c */
command_run run_bind, run_unbind;
command_complete complete_bind, complete_unbind;
void keymap_names(struct candidates *out); /* of keys that have more than a character */
/* The name of a key as the table writes it; NULL with a suggestion when it is none. */
const char *keymap_key(const char *word, struct err *err);

/* copy.c */
command_run run_copy;
command_complete complete_copy;

/* topics.c */
command_complete complete_help;

/* complete_file.c */
/* The samples that a field takes, "" for all, as candidates; *args is what was typed. */
void complete_samples(const char *field, const char *args, struct candidates *out);
/* "FILE" or "FILE:TENSOR", as far as it is typed; all of it, as candidates. */
void complete_tensor(const char *typed, struct candidates *out);
command_complete complete_open, complete_file, complete_save, complete_export, complete_snapshot;

/* complete_map.c */
command_complete complete_map;

/* commands_scheme.c */
command_run run_hang, run_wire, run_rehang;
/* Another sentence of the file, or other nodes of a tree, have other governors. */
void app_drop_governors(struct app *app, const struct field *changed);
command_run run_pick, run_scheme_beside, run_add, run_remove, run_causal;
command_complete complete_pick, complete_scheme;
/* The words that a value of it may be. */
/* The words that a value may be; of other values the default `def` with their range. */
void complete_values(const struct value_type *t, const char *def, struct candidates *out);

/* The expression as a value, to be changed. */
struct expr_work {
	struct app *app;
	struct arena *a;
	struct expr expr;
	size_t was; /* members at first */
};
bool expr_work_begin(struct expr_work *w, struct app *app, struct err *err);
/* Takes over the expression. */
bool expr_work_finish(struct expr_work *w, struct err *err);

/* commands_param.c */
command_run run_param, run_param_beside, run_param_step, run_reset_param;
command_complete complete_param, complete_value;
/* The parameter that + and - change and its value as text; NULL: there is none. */
const char *app_chosen_value(struct app *app, struct arena *a, const struct param **p,
			     struct err *err);

/* commands_define.c */
command_run run_define, run_undefine;
command_complete complete_define, complete_undefine;

/* commands_input.c */
command_run run_move, run_swap, run_shuffle, run_reverse, run_restore;

/* commands_look.c */
command_run run_cursor, run_member, run_head, run_layer, run_heads_of, run_vectors, run_figure,
	run_sweep, run_matrix, run_probe, run_colormap, run_scale, run_lock, run_zoom,
	run_presenter, run_pane, run_grid, run_panel;
command_complete complete_pane, complete_panel, complete_grid, complete_cursor, complete_step,
	complete_mean, complete_heads_of, complete_sweep, complete_matrix, complete_colormap,
	complete_scale, complete_probe;

/* presets.c */
command_run run_for;
command_complete complete_for;

/* commands_view.c */
command_run run_view, run_why, run_clocks, run_term, run_pick_row, run_pin_row;
struct view_row;
/* The schemes that the rows on the screen are, in the order of the present scene, and the one that the cursor
 * is on, from 1; 0: there are none. */
size_t app_rows(const struct app *app, struct arena *a, struct view_row **rows, size_t *n);
/* The same where nothing is on a screen, computed; its row under the cursor. False: there is none. */
bool app_chosen_row(const struct app *app, struct arena *a, struct view_row *out, struct err *err);

command_complete complete_view, complete_figure, complete_term;

/* commands_compare.c */
command_run run_pin, run_pin_input, run_unpin, run_front, run_compare, run_pair, run_reach;
command_complete complete_unpin, complete_front, complete_compare, complete_pair;
/* Whether the two that the scene wants the difference of exist. */
bool app_has_pair(const struct scene *scene);

/* commands_file.c */
command_run run_open, run_save, run_export, run_snapshot, run_record;
command_complete complete_record;

/* commands_app.c */
command_run run_quiz, run_quiz_answer, run_tour, run_history, run_quit, run_reset, run_save_config,
	run_command_prompt, run_value_prompt, run_help;
command_complete complete_tour, complete_quiz;
/* Asks the terminal program; `text` is interned, or NULL. */
bool command_request(struct app *app, enum request request, const char *text);

#endif
