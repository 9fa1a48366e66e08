/* app_in.h: declarations for the files of commands: the functions of the table's rows, and shared
 * helpers. */
#ifndef POSVIZ_APP_IN_H
#define POSVIZ_APP_IN_H

#include "posviz/app/app.h"

/* Completions of the argument of a command. */
struct candidates {
	struct arena *arena;
	const char **at;
	const char **notes; /* a description of each, "" for none */
	size_t n, cap;
	size_t from;  /* offset in the argument of the completed text; at first that of the last
		       * word */
	bool matched; /* all continue the typed text; else the fitting ones are selected later */
};
void candidates_add(struct candidates *c, const char *text);
void candidates_note(struct candidates *c, const char *text, const char *note);

typedef bool command_run(struct app *app, const char *args, struct err *err);
typedef void command_complete(const struct app *app, const char *args, struct candidates *out);

/* The value of app->series for undo and redo, which are not remembered themselves. */
extern const char app_no_entry[];

/* Runs a line as app_command does, as part of another command: without an entry in the history. */
bool command_line(struct app *app, const char *line, struct err *err);

/* True if there is a command, field or setting of this name; the error has a suggestion. */
bool command_exists(const char *name, struct err *err);

/* Sets a field of the scene from the rest of a command line: quoted or plain text; "next" and
 * "prev" step through choices and whole numbers, an empty argument toggles a switch. */
bool command_field(struct app *app, const struct field *field, const char *args, struct err *err);
bool command_setting(struct app *app, const struct field *f, const char *args, struct err *err);

/* Returns the next word of a line, and moves the line behind it. */
const char *command_word(const char **line, struct arena *a);

/* Sets the error for a missing or wrong argument of a command. */
bool command_usage(const char *name, struct err *err);

/* Returns +1 for "next", -1 for "prev", 0 for anything else. */
int command_direction(const char *args);

/* Sets *at to a number from 1 to `most`, by the number or by "next" and "prev", which wrap
 * around. */
bool command_one_of(long *at, long most, const char *args, const char *name, struct err *err);

/* Gets the place, from 1, of the token with which *args begins, 'dog' or 'the'#2, among rows or
 * columns; *args moves behind it and its blanks. */
bool command_unit(struct app *app, const char **args, bool key, long *place, struct err *err);

/* True if `text` begins with `part`, where a hyphen matches any dash: labels of terms have dashes
 * that keyboards lack. */
bool command_begins(const char *text, const char *part);

/* Returns the path that the user means: "~/" is the home directory. */
const char *command_path(struct arena *a, const char *text);

/* Undoes or redoes; false if there is no entry. */
bool history_step(struct app *app, bool back);
/* Remembers `before`, unless the change continues a series. */
void history_add(struct app *app, const struct scene *before);

/* complete_brackets.c */
/* Completes within the brackets of a member that are open at the end of the text, or behind its
 * colon: parameters, and behind a parameter its values. False when none are open. */
bool complete_brackets(const struct app *app, const char *args, struct candidates *out);

/* complete.c */
void complete_commands(struct candidates *out); /* all first words */
/* Makes the completed lines of `line`; returns the length of the part that all of them share,
 * behind which the candidates begin. */
size_t complete_line(const struct app *app, const char *line, struct candidates *out);

/* complete_rank.c */
/* Selects those that fit, the best first; false if they have only the letters in order, or fit by
 * description. */
bool candidates_rank(const struct candidates *from, const char *typed, struct candidates *out);

/* keymap.c */
command_run run_bind, run_unbind;
command_complete complete_bind, complete_unbind;
void keymap_names(struct candidates *out); /* of keys with names of several characters */
/* Returns the name of a key as in the table; NULL with a suggestion if there is none. */
const char *keymap_key(const char *word, struct err *err);

/* copy.c */
command_run run_copy;
command_complete complete_copy;

/* topics.c */
command_complete complete_help;

/* complete_file.c */
/* Adds the samples for a field ("" for all fields); *args is the typed text. */
void complete_samples(const char *field, const char *args, struct candidates *out);
/* Completes "FILE" or "FILE:TENSOR"; `typed` and the candidates are the whole text. */
void complete_tensor(const char *typed, struct candidates *out);
command_complete complete_open, complete_file, complete_save, complete_export, complete_snapshot;

/* complete_map.c */
command_complete complete_map;

/* commands_scheme.c */
command_run run_hang, run_wire, run_rehang;
/* Drops governors and moved edges after a change to another sentence of the file, or to other nodes
 * of a tree. */
void app_drop_governors(struct app *app, const struct field *changed);
command_run run_pick, run_scheme_beside, run_add, run_remove, run_causal;
command_complete complete_pick, complete_scheme;
/* Adds the allowed words of a value; for other kinds the default `def` with the range. */
void complete_values(const struct value_type *t, const char *def, struct candidates *out);

/* The scene's expression as a value that a command changes. */
struct expr_work {
	struct app *app;
	struct arena *a;
	struct expr expr;
	size_t was; /* initial number of members */
};
bool expr_work_begin(struct expr_work *w, struct app *app, struct err *err);
/* Sets the scene's expression from the value. */
bool expr_work_finish(struct expr_work *w, struct err *err);

/* commands_param.c */
command_run run_param, run_param_beside, run_param_step, run_reset_param;
command_complete complete_param, complete_value;
/* Returns the value, as text, of the parameter that + and - change; NULL: there is none. */
const char *app_chosen_value(struct app *app, struct arena *a, const struct param **p,
			     struct err *err);

/* commands_define.c */
command_run run_define, run_undefine;
command_complete complete_define, complete_undefine;

/* commands_input.c */
command_run run_move, run_swap, run_shuffle, run_reverse, run_restore, run_retype, run_patches;
command_run run_versus, run_versus_mask;
/* A step beyond the end of a range: in the terminal program that is said, elsewhere it is an error. */
bool app_ends(struct app *app, const char *words, struct err *err);
/* Returns an expression with the causal mask turned on or off; NULL, with an error: it has neither. */
const char *app_other_mask(const char *expression, struct arena *a, struct err *err);

/* commands_look.c */
command_run run_cursor, run_member, run_head, run_layer, run_heads_of, run_vectors, run_figure,
	run_sweep, run_matrix, run_probe, run_colormap, run_scale, run_lock, run_zoom,
	run_presenter, run_pane, run_grid, run_panel;
command_complete complete_pane, complete_panel, complete_grid, complete_cursor, complete_step,
	complete_mean, complete_heads_of, complete_sweep, complete_matrix, complete_colormap,
	complete_scale, complete_probe;

/* presets.c */
command_run run_for;
command_run run_model;
command_complete complete_for;
command_complete complete_model;

/* commands_view.c */
command_run run_view, run_why, run_clocks, run_term, run_pick_row, run_pin_row;
struct view_row;
/* Gets the schemes of the rows on the screen, in the order of the present scene. Returns the row of
 * the cursor, from 1; 0: there are no rows. */
size_t app_rows(const struct app *app, struct arena *a, struct view_row **rows, size_t *n);
/* Gets the row under the cursor, computed if there is no screen. False: there is none. */
bool app_chosen_row(const struct app *app, struct arena *a, struct view_row *out, struct err *err);

command_complete complete_view, complete_figure, complete_term;

/* commands_compare.c */
command_run run_pin, run_pin_input, run_unpin, run_front, run_compare, run_pair, run_reach;
command_complete complete_unpin, complete_front, complete_compare, complete_pair;
/* True if both entries of the scene's pair exist. */
bool app_has_pair(const struct scene *scene);

/* commands_learn.c */
command_run run_moment, run_train_task, run_train_seed, run_train_grid, run_trained;
command_complete complete_moment, complete_train_task, complete_train_grid;

/* commands_profile.c */
command_run run_walk, run_open_head, run_leave_head;
/* Makes the head that a view has chosen itself, and shows, the user's, so that steps begin at it. */
void choose_shown_head(struct app *app);
command_complete complete_walk;

/* commands_file.c */
command_run run_open, run_save, run_export, run_snapshot, run_record;
command_complete complete_record;

/* commands_app.c */
command_run run_quiz, run_quiz_answer, run_tour, run_history, run_quit, run_reset, run_save_config,
	run_command_prompt, run_value_prompt, run_help, run_topic;
command_complete complete_tour, complete_quiz;
/* Requests an action of the terminal program; `text` is interned, or NULL. */
bool command_request(struct app *app, enum request request, const char *text);

#endif
