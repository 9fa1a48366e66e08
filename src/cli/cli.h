/* cli.h: the command line: one table of sub-commands, one table of options, and the functions that
 * sub-commands share.
 *
 * A sub-command receives everything read and checked, computes, and writes its result whole. Errors
 * are returned as struct err and printed in one place; no function here exits. */
#ifndef POSVIZ_CLI_H
#define POSVIZ_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis/analysis.h"
#include "posviz/app/app.h"
#include "posviz/app/format.h"
#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/base/strbuf.h"
#include "posviz/plot/canvas.h"
#include "posviz/scene/scene.h"
#include "posviz/tour/tour_paper.h"

enum { EXIT_FINE = 0, EXIT_CHECK_FAILED = 1, EXIT_BAD_USE = 2 };

/* Groups of options; a sub-command takes some groups, and refuses options of the others by name. */
enum cli_takes {
	TAKES_SCENE = 1 << 0,  /* the computation: --command and the scene's fields of the setup */
	TAKES_OUTPUT = 1 << 1, /* --output, --force */
	TAKES_FORMAT = 1 << 2,
	TAKES_PICTURE = 1 << 3,	 /* --cells, --caption */
	TAKES_TERMINAL = 1 << 4, /* settings of the drawing in cells, and --ascii */
	TAKES_START = 1 << 5,	 /* --fresh, --config, --print-config-dir */
	TAKES_PLAIN = 1 << 6,
	TAKES_SCREEN = 1 << 7,	  /* settings that only a running screen uses */
	TAKES_MEMORY = 1 << 8,	  /* --memory, without the other fields of a scene */
	TAKES_TABLE = 1 << 9,	  /* the fields of a scene on which the table of schemes depends */
	TAKES_SAME = 1 << 10,	  /* --same, --expect */
	TAKES_LOOK = 1 << 11,	  /* all other fields: the look of a scene */
	TAKES_MATRIX = 1 << 12,	  /* of TAKES_LOOK, the choice of the matrix */
	TAKES_PAGE = 1 << 13,	  /* of TAKES_LOOK, the size and colours of a page */
	TAKES_SHEET = 1 << 14,	  /* --share-scale */
	TAKES_GRAPHICS = 1 << 15, /* the way in which the terminal draws pages */
	TAKES_NUMBERS = 1 << 16,  /* --numbers */
	TAKES_FIGURES = 1 << 17,  /* --all, --check */
	TAKES_TOUR = 1 << 19,	  /* --list, --check, --step, --notes, --questions, --pace ... */
	TAKES_QUIZ = 1 << 21,	  /* --level, --count, --kind, --answers, --check, --seed */
	TAKES_RECORD = 1 << 20,	  /* --force */
	TAKES_NAMES = 1 << 22,	  /* --name */
	TAKES_CELL = 1 << 23,	  /* --row, --col */
	TAKES_LEAVES = 1 << 24,	  /* --leaves */
	TAKES_PROFILE = 1 << 25,  /* --qk, --text, --results, --windows, --window-length */
	TAKES_LEARN =
		1 << 26, /* --task, --seeds, --steps ..., and the sizes of the model that learns */
	TAKES_TIMING = 1 << 18, /* of TAKES_LOOK, whether time is measured */
};

struct tour_beat;

struct cli {
	struct arena arena; /* for the whole run */
	const struct subcommand *sub;
	struct app app;	    /* in which commands run; the terminal program continues with it */
	struct scene scene; /* the result of all options, commands and files */
	bool scheme_given;  /* by --scheme, a command, or a file */
	const struct tour_beat *beat; /* the beat of a tour that the scene belongs to; NULL: none */
	bool sizes_given;	      /* heads or width were given by an option */
	bool layers_given;
	bool view_given;	     /* by --view or a command */
	const char *output, *format; /* NULL: not given */
	/* The views whose numbers are wanted, as for view_numbers; NULL: not given. */
	const char *numbers;
	const char *config;	  /* instead of the user's; NULL: not given */
	bool relation;		  /* --matrix relation */
	bool every_head;	  /* --head all, of a dump */
	int leaves;		  /* --leaves, from LEAVES_READ, if it is given */
	bool write_caption;	  /* a caption is written beside the picture */
	long step;		  /* the step of a tour, from 1; 0: not given */
	long per_page;		  /* steps on a page of a hand-out; 0: not given */
	double pace;		  /* seconds for each picture of a tour; 0: not given */
	long level, count;	  /* of a quiz; 0: not given */
	unsigned kinds;		  /* kinds of its tasks, as in struct quiz_wish */
	const char *qk, *results; /* files of a profile of heads; NULL: none */
	const char *answers;	  /* the file for the answers of a sheet; NULL: none */
	const char **tasks;	  /* the values of --task, in order */
	size_t n_tasks;
	long seeds, steps; /* of a training; 0: not given */
	double rate;
	const char *one, *test_as, *keep; /* NULL: not given */
	bool positions_only;
	/* Files that are written together at the end; NULL: each is written at once. */
	struct file_batch *together;
	bool made_folder; /* the directory of the results did not exist before */
	bool list, notes, questions;
	bool force, fresh, help, version, plain, same, print_config_dir, all, check;
	long cols, rows;   /* of pictures in cells; 0: not given */
	int share_scale;   /* enum contact_share */
	const char **args; /* the arguments that are no options, without the sub-command */
	size_t n_args;
	const char **exprs; /* the expressions among the arguments of the terminal program */
	size_t n_exprs;
	const char **commands; /* the values of --command, in order */
	size_t n_commands;
	const char **expects; /* the values of --expect, in order */
	size_t n_expects;
	const char **matrices; /* the expressions of --matrix-from */
	size_t n_matrices;
	struct given_option {
		const char *name, *value; /* NULL: the option takes no value */
		const char *typed;	  /* the option that it was made of; NULL: itself */
	} * given;			  /* all options, in the given order */
	size_t n_given;
	struct reader *reader; /* options.c: the options as rows of its tables */
	bool read_input;       /* standard input was read, which is possible only once */
};

/* A part of the values of --format: names, parted by blanks, or the formats that have all of some
 * bits (FORMAT_...). */
struct format_part {
	const char *names;
	unsigned bits;
};

struct subcommand {
	const char *name;    /* "" for the terminal program */
	const char *args;    /* "EXPR" */
	const char *help;    /* one line */
	const char *about;   /* a paragraph for --help and the manual */
	const char *example; /* a command line without "posviz" */
	unsigned takes;
	size_t max_args;
	const struct format_part *formats; /* the values of --format, ends with {0}; or NULL */
	bool hidden;
	int (*run)(struct cli *c, struct err *err); /* EXIT_...; EXIT_BAD_USE fills err */
};
extern const struct subcommand subcommands[]; /* ends with name == NULL */
const struct subcommand *subcommand_find(const char *name);
/* Returns the names of the formats that the sub-command takes, ends with NULL. */
const char *const *subcommand_formats(const struct subcommand *sub, struct arena *a);
/* Returns the name used in messages: "posviz" itself or the sub-command's. */
const char *subcommand_word(const struct subcommand *sub);

/* An option that is not a field of the scene. */
struct cli_option {
	const char *name;
	const char *args; /* NULL: a switch takes none, a choice takes the words of its type */
	const char *help;
	char letter;
	unsigned takes;		/* 0: every sub-command has it */
	size_t offset;		/* offset in struct cli of the value ... */
	struct value_type type; /* ... of this type */
	/* Reads the value, if it has no such type. */
	bool (*set)(struct cli *c, const char *value, struct err *err);
	bool is_short; /* `set` gives other options in its place */
};
extern const struct cli_option cli_options[]; /* ends with name == NULL */
/* Returns the text for people of the value that the option takes; NULL: it takes none. */
const char *cli_option_args(const struct cli_option *o, struct arena *a);
/* Sets the option; `value` is NULL if it takes none. */
bool cli_option_set(struct cli *c, const struct cli_option *o, const char *value, struct err *err);
/* Sets one of these options that is read before the others, because they depend on it. */
bool cli_set_matrix_from(struct cli *c, const char *value, struct err *err);
bool cli_set_for(struct cli *c, const char *value, struct err *err);
/* Give other options instead of one that is short for them. */
bool cli_set_patches(struct cli *c, const char *value, struct err *err);
bool cli_set_token_file(struct cli *c, const char *value, struct err *err);
bool cli_set_source(struct cli *c, const char *value, struct err *err);
bool cli_set_text(struct cli *c, const char *value, struct err *err);
bool cli_set_model(struct cli *c, const char *value, struct err *err);
/* Gets the value of an option for a field: a pair in other words, models as expressions. */
bool option_value(struct cli *c, const char *name, const char *value, const char **out,
		  struct err *err);
/* Returns the groups of an option for a field of the scene, or for a setting. */
unsigned field_takes(const struct field *f);
unsigned setting_takes(const struct field *f);

/* options_fit.c. Sets the error for an option of groups that the sub-command does not take. */
bool options_refuse(const struct cli *c, const char *name, unsigned takes, struct err *err);
/* Returns the last given value of an option, "" if it takes none; NULL if it was not given. */
const char *cli_given(const struct cli *c, const char *name);
/* Returns whether the options do not contradict each other; called before they are applied. */
bool options_agree(struct cli *c, struct err *err);
/* Sets the view for a sweep, unless one was given: heads, with the bias, because a parameter
 * changes the bias. The second function warns if commands removed the sweep. */
void options_sweep(struct cli *c);
void options_sweep_kept(const struct cli *c, const struct scene *after);
/* Returns whether each given option has an effect in the chosen format (NULL: --plain). Warns of
 * fields of the scene that have no effect because of the other fields. */
bool options_fit(const struct cli *c, struct err *err);
/* options_columns.c */
void options_warn_of_columns(const struct cli *c);
/* Refuses names of a view and a colour map that there are not. */
bool cli_check_names(const struct cli *c, struct err *err);
/* options_mode.c. The modes of a sub-command, each with the options that it takes. */
struct cli_mode {
	const char *sub, *name, *options; /* options: words parted by blanks */
};
extern const struct cli_mode cli_modes[]; /* ends with sub == NULL */
bool cli_mode_takes(const struct cli_mode *mode, const char *option);
/* Returns whether every given option has a meaning for this mode of the sub-command. */
bool options_of_mode(const struct cli *c, const char *name, struct err *err);
/* Returns whether a command that was run changed only fields and settings that the sub-command
 * takes; `before` and `settings` are those before the command. */
bool options_command_fits(const struct cli *c, const char *line, const struct scene *before,
			  const struct settings *settings, struct err *err);

/* resolve.c. Decides the meaning of the arguments: those of the terminal program become expressions
 * or sentences, or remain as files; tensors among several arguments become expressions. Warns of
 * files that the name of a scheme hides. */
bool cli_resolve(struct cli *c, struct err *err);
/* Returns whether the text is a file of tensors, or FILE:TENSOR. */
bool cli_is_tensors(const char *text, struct arena *a);
/* The first adds an option as if it had been given; the second gives option `which` of c->given
 * another value. */
void cli_give(struct cli *c, const char *name, const char *value);
void cli_give_again(struct cli *c, size_t which, const char *value);

/* streams.c. Reads the text that --sentence - asks for, and for the terminal program without
 * arguments the text piped into it; afterwards its keys come from the terminal. */
bool cli_take_text(struct cli *c, struct err *err);
/* Reads standard input and pipes that the scene names, and puts their text into the scene. */
bool cli_take_streams(struct cli *c, struct err *err);
/* Warns at the end if standard input holds a text that was not read; reads nothing of it. */
void cli_warn_of_input(const struct cli *c);

/* Returns whether the terminal program will run, which restores the last session. */
bool cli_is_terminal(const struct cli *c);

/* Reads argv into `c`: the sub-command, checked options, and the scene with the commands run. */
bool cli_parse(struct cli *c, int argc, char **argv, struct err *err);

/* Runs the whole program for main; returns the exit status. */
int cli_main(int argc, char **argv);

/* ---- results (output.c) ------------------------------------------------------------------- */

/* Chooses the format: --format, else by the ending of --output; it must be one of the
 * sub-command's. */
bool output_format(struct cli *c, struct err *err);
/* Chooses the format of a result that always goes to standard output: text if no --format was
 * given. */
bool output_format_or_text(struct cli *c, struct err *err);
bool output_is_json(const struct cli *c);
/* Returns whether the output file can exist, and whether binary data do not go to a terminal. */
bool output_check(const struct cli *c, bool binary, struct err *err);
/* Returns whether no file would be overwritten, neither the output nor the path beside it (NULL:
 * none). Called after the input was found valid, and before the work is done. */
bool output_free(const struct cli *c, const char *beside, struct err *err);
/* Makes the name of a file beside the output, with another ending. */
bool output_beside(struct cli *c, const char *ending, const char **path, struct err *err);
bool output_write(const struct cli *c, const char *data, size_t len, struct err *err);
/* Returns the command line, with the first arguments, that makes the same output again. */
const char *output_command(const struct cli *c, size_t n_args, struct arena *a);
/* Writes a picture, and its caption if `caption` is a path: either both or none. */
bool output_picture(struct cli *c, const char *data, size_t len, const struct figure *f,
		    const struct raster_report *shown, const char *caption, struct err *err);
/* Begin and end results in a directory, which is made if it does not exist: between these calls
 * output_write takes the paths of output_in_folder, and either all files are written or none, in
 * which case a new directory is removed. */
bool output_folder_begin(struct cli *c, struct err *err);
bool output_folder_end(struct cli *c, bool ok, struct err *err);
const char *output_in_folder(const struct cli *c, const char *name, struct arena *a);
/* Writes text to standard output. */
bool output_text(const struct strbuf *text, struct err *err);
/* Returns whether the output is standard output. */
bool output_is_standard(const struct cli *c);
/* Returns the depth of colours for a picture in cells: the requested one, else the terminal's;
 * 24-bit if it does not go to a terminal. */
enum tier output_tier(const struct cli *c);
/* Returns the background of a picture in cells: the requested theme, else the terminal's if it is
 * known. */
enum background output_background(const struct cli *c);
/* Returns whether only ASCII is written: by request, or because the terminal's locale has no
 * more. */
bool output_ascii(const struct cli *c);
/* Finds the columns and rows of a picture in cells. */
void output_cells(const struct cli *c, int *cols, int *rows);
/* Reports on standard error how much was written, if it is much. */
void output_size(const struct cli *c, size_t len);
/* Refuses to write escape codes into a pipe unless the user named the colours. */
bool output_ansi(const struct cli *c, struct err *err);
struct raster_report;
/* Warns of glyphs that no font has; for a page also of trouble with fonts. */
void output_glyphs(struct cli *c, const struct raster_report *report, bool page);
/* Prints a line on standard error that is no error. */
void output_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- the subject of a sub-command (subject.c) ------------------------------------------------ */

/* If the argument of a sub-command that takes one scene is a file, opens the scene in it as the
 * base for all options; the argument is removed. */
bool cli_open_scene(struct cli *c, struct err *err);
/* Builds the scene's setup and warns of everything that it ignores; head, layer and cell must
 * exist. */
bool cli_build(struct cli *c, struct built *b, struct err *err);
/* Warns of schemes that were computed on a chain because no structure was given; called after the
 * result is written. */
void cli_warn_of_chain(struct cli *c, const struct built *b);
/* Warns in the same way for one expression. */
void cli_warn_of_chain_in(const char *expression, struct arena *a);
/* Takes over the sizes of a file that the expressions name, unless sizes were given. */
void cli_adopt_sizes(struct cli *c);
/* Gives the scene the only expression of a sub-command that takes one. An expression beside it is
 * an error, and so is --compare, which would have no effect. */
bool cli_alone(struct cli *c, struct err *err);
/* Gives the scene its expression, or several, which the view Compare shows. */
bool cli_expressions(struct cli *c, struct err *err);
/* Handles several --sentence: the first is the scene's, and the view Compare shows the scheme on
 * all. */
bool cli_sentences(struct cli *c, struct err *err);
/* Joins each expression with the input behind it, if "@" or "@order" is an argument of its own. */
bool cli_join_inputs(struct cli *c, struct err *err);

/* check --same, check --expect */
int cmd_same(struct cli *c, struct err *err);
int cmd_expect(struct cli *c, struct err *err);
/* check_config.c. Returns whether the argument of check is meant as a model's configuration, or a
 * directory that has one; reports on such files. */
bool cli_names_model(const char *path);
int cmd_check_config(struct cli *c, struct err *err);
/* Returns whether nothing but --format and --same is given, since nothing else has an effect on what is
 * said of a configuration. */
bool cli_only_format(const struct cli *c, struct err *err);
/* check_table.c: check --same MODEL FILE:TENSOR */
int cmd_check_table(struct cli *c, struct err *err);
/* check_bias.c: the same where the tensor is of a bias, of slopes, or of position ids; the exit status. */
struct known;
struct tensor;
int check_bias(struct cli *c, const struct known *k, const struct tensor *t, struct err *err);

/* ---- tours (cmd_tour.c) ---------------------------------------------------------------------- */

struct tour;
struct tour_spec;
bool tour_one_name(const struct cli *c, struct err *err);
/* Opens the tour; all mistakes in a file are reported before any of it is shown. */
bool tour_is_right(struct cli *c, const struct tour_spec *spec, struct cache *cache, struct tour *t,
		   struct err *err);
/* cmd_tour_out.c: writes tour NAME -o FILE.pdf, or a directory. */
int tour_out(struct cli *c, struct err *err);
/* cmd_tour_folder.c: writes a picture for each step and an index. */
struct tour_paper;
bool tour_folder(struct cli *c, const struct tour *t, const struct tour_paper *paper,
		 struct cache *cache, struct err *err);

/* ---- text for people (words.c) --------------------------------------------------------------- */

/* Writes text, spelt in ASCII if the locale or the user requires it. Text in a file is UTF-8. */
bool words_write(const struct cli *c, const char *text, size_t len, struct err *err);
bool words_are_plain(const struct cli *c);
/* Adds `text` wrapped at 80 columns, with every line but the first indented, and a line end. */
void words_wrap(struct strbuf *out, const char *text, size_t indent);
/* Adds a line "  label   text", wrapped so that all of the text is right of column `indent`. */
void words_line(struct strbuf *out, size_t indent, const char *label, const char *text);

/* ---- tables (listing.c) -------------------------------------------------------------------- */

enum { LISTING_COLS = 24 };

struct listing {
	struct arena *arena;
	const char *const *head; /* names of the columns, ends with NULL */
	size_t cols, n, cap;
	const char **cells;
	/* A bit for each column of "yes" and "no" or of numbers, which JSON has as values
	 * too. */
	unsigned values;
};
void listing_init(struct listing *l, struct arena *a, const char *const *head);
/* Adds a row; NULL is an empty cell. */
void listing_add(struct listing *l, const char *const *cells);
/* format: "text", "json", "csv", "markdown". */
void listing_print(const struct listing *l, const char *format, struct strbuf *out);

/* ---- sub-commands --------------------------------------------------------------------------- */

typedef int subcommand_run(struct cli *c, struct err *err);
subcommand_run cmd_terminal, cmd_render, cmd_sheet, cmd_figure, cmd_tour, cmd_quiz, cmd_record,
	cmd_dump, cmd_show, cmd_list, cmd_check, cmd_verify, cmd_cost, cmd_heads, cmd_learn,
	cmd_doctor, cmd_completion, cmd_complete, cmd_help, cmd_man;

/* Runs the speaker's terminal of a tour: --notes. */
subcommand_run cmd_notes;
/* cmd_cast.c: a tour as a recording of a terminal. The first returns whether one is wanted, the
 * second writes it. */
bool cast_is_wanted(const struct cli *c);
subcommand_run cmd_cast;

/* Writes the figure of c->scene as words (export_plain), to --output or standard output. */
subcommand_run cmd_plain;

/* ---- data between sessions (state.c) --------------------------------------------------------- */

/* Restores the state at the start of the terminal program, into c->app: the last scene, the lines
 * of the configuration, the commands typed before. Each part that cannot be used causes a warning;
 * only a named configuration that cannot be read is an error. */
bool state_start(struct cli *c, struct err *err);
/* Sets the scene of a first start (first.h) if this is one, and how far its hints have led
 * (state_first.c); returns whether it is. */
bool state_first(struct cli *c);
/* Results of trainings are kept between sessions, if the environment names a home. */
void state_results(struct cli *c);
/* Reads only the user's own names for expressions from the configuration. */
bool state_definitions(struct cli *c, struct err *err);
/* Changes the text of a configuration so that it defines the user's own names as they are now. */
void state_put_definitions(struct strbuf *text);
/* Saves the scene of c->app; a failure causes a warning. */
void state_save(struct cli *c);
/* Returns $XDG_CONFIG_HOME/posviz, or NULL if the environment names no home. */
const char *state_config_dir(struct arena *a);
/* Returns the same for $XDG_STATE_HOME. */
const char *state_dir(struct arena *a);

/* The first commands for a newcomer, at the top of --help. */
struct help_start {
	const char *command, *what;
};
extern const struct help_start help_starts[]; /* ends with command == NULL */

/* Prints the usage of one sub-command, or of all of them (NULL). */
void help_print(const struct subcommand *sub, struct strbuf *out);
/* Makes the rows of a list, such as "schemes". Returns false, and suggests a name, if there is no
 * such list. */
bool list_rows(const char *name, struct arena *a, struct listing *out, struct err *err);
/* Makes Table 1 of the survey with every scheme, as printed, made and measured, for the scene's
 * sizes. */
bool list_table(const struct scene *scene, struct arena *a, struct listing *out, struct err *err);

/* progress.c: a bar on standard error, if that is a terminal, while work takes more than a second.
 * It shows the progress of the watch between begin and end; cli_bytes shows it for write_bytes,
 * including the writing of numbers. */
struct watch *progress_begin(void);
void progress_end(void);
bool cli_bytes(struct write_job *job, struct err *err);

#endif
