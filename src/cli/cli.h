/* cli.h: the command line: one table of sub-commands, one of options, and what they share.
 *
 * A sub-command gets everything read and checked, computes, and writes its result whole. Errors go
 * up as struct err and are printed in one place; nothing here exits. */
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

enum { EXIT_FINE = 0, EXIT_CHECK_FAILED = 1, EXIT_BAD_USE = 2 };

/* Groups of options; a sub-command takes some, and refuses the others by name. */
enum cli_takes {
	TAKES_SCENE = 1 << 0,  /* what is computed: --command and every such field of the scene */
	TAKES_OUTPUT = 1 << 1, /* --output, --force */
	TAKES_FORMAT = 1 << 2,
	TAKES_PICTURE = 1 << 3,	 /* --cells, --caption */
	TAKES_TERMINAL = 1 << 4, /* settings of how cells are drawn, and --ascii */
	TAKES_START = 1 << 5,	 /* --fresh, --config, --print-config-dir */
	TAKES_PLAIN = 1 << 6,
	TAKES_SCREEN = 1 << 7,	  /* settings that only a running screen has a use for */
	TAKES_MEMORY = 1 << 8,	  /* --memory, without the rest of a scene */
	TAKES_TABLE = 1 << 9,	  /* what the table of schemes hangs on, of a scene */
	TAKES_SAME = 1 << 10,	  /* --same, --expect */
	TAKES_LOOK = 1 << 11,	  /* how a scene is looked at: all other fields */
	TAKES_MATRIX = 1 << 12,	  /* of these, which matrix */
	TAKES_PAGE = 1 << 13,	  /* of these, how large a page is and in which colours */
	TAKES_SHEET = 1 << 14,	  /* --share-scale */
	TAKES_GRAPHICS = 1 << 15, /* how the terminal draws pages */
	TAKES_NUMBERS = 1 << 16,  /* --numbers */
	TAKES_FIGURES = 1 << 17,  /* --all, --check */
	TAKES_TOUR = 1 << 19,	  /* --list, --check, --step, --notes, --questions, --pace */
	TAKES_QUIZ = 1 << 21,	  /* --level, --count, --kind, --answers, --check, --seed */
	TAKES_RECORD = 1 << 20,	  /* --force */
	TAKES_NAMES = 1 << 22,	  /* --name */
	TAKES_CELL = 1 << 23,	  /* --row, --col */
	TAKES_LEAVES = 1 << 24,	  /* --leaves */
	TAKES_TIMING = 1 << 18,	  /* of how a scene is looked at, whether time is measured */
};

struct tour_beat;

struct cli {
	struct arena arena; /* of the whole run */
	const struct subcommand *sub;
	struct app app;		      /* that commands run in; goes on in the terminal program */
	struct scene scene;	      /* the result of all that was read */
	bool scheme_given;	      /* by --scheme, a command, or a file */
	const struct tour_beat *beat; /* of a tour, that the scene is of; NULL: it is of none */
	bool sizes_given;	      /* heads or width, by an option */
	bool layers_given;
	bool view_given;	     /* by --view or a command */
	const char *output, *format; /* NULL: not given */
	const char *numbers;	     /* of which views, as view_numbers; NULL: not given */
	const char *config;	     /* instead of the user's; NULL: not given */
	bool relation;		     /* --matrix relation */
	bool every_head;	     /* --head all, of dump */
	int leaves;		     /* --leaves, from LEAVES_READ, where it is given */
	bool write_caption;	     /* beside the picture */
	long step;		     /* of a tour, from 1; 0: not given */
	double pace;		     /* seconds that each of its pictures is shown; 0: not given */
	long level, count;	     /* of a quiz; 0: not given */
	unsigned kinds;		     /* of its tasks, as in struct quiz_wish */
	const char *answers;	     /* of a sheet, a file; NULL: none */
	struct file_batch
		*together; /* that the results go into, to be written at once; NULL: none */
	bool made_folder;  /* the directory of the results was not there */
	bool list, notes, questions;
	bool force, fresh, help, version, plain, same, print_config_dir, all, check;
	long cols, rows;   /* of pictures in cells; 0: not given */
	int share_scale;   /* enum contact_share */
	const char **args; /* what is no option, without the sub-command */
	size_t n_args;
	const char **exprs; /* of the terminal program, among its arguments */
	size_t n_exprs;
	const char **commands; /* of --command, in order */
	size_t n_commands;
	const char **expects; /* of --expect, in order */
	size_t n_expects;
	const char **matrices; /* the expressions of --matrix-from */
	size_t n_matrices;
	struct given_option {
		const char *name, *value; /* NULL: it takes none */
	} * given;			  /* all options, as they came */
	size_t n_given;
	struct reader *reader; /* options.c: the same as rows of its tables */
	bool read_input;       /* standard input was read, which can be done once */
};

/* A part of what --format takes: names, parted by blanks, or the formats that have all of some bits
 * (FORMAT_...). */
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
	const struct format_part *formats; /* what --format takes, ends with {0}; or NULL */
	bool hidden;
	int (*run)(struct cli *c, struct err *err); /* EXIT_...; EXIT_BAD_USE fills err */
};
extern const struct subcommand subcommands[]; /* ends with name == NULL */
const struct subcommand *subcommand_find(const char *name);
/* Names of the formats that it takes, ends with NULL. */
const char *const *subcommand_formats(const struct subcommand *sub, struct arena *a);
/* The name in messages: "posviz" itself or the sub-command's. */
const char *subcommand_word(const struct subcommand *sub);

/* An option that is not a field of the scene. */
struct cli_option {
	const char *name;
	const char *args; /* NULL: a switch takes none, a choice its words */
	const char *help;
	char letter;
	unsigned takes;		/* 0: every sub-command has it */
	size_t offset;		/* in struct cli, where the value lies ... */
	struct value_type type; /* ... of this type */
	/* Of what is no such value: reads it. */
	bool (*set)(struct cli *c, const char *value, struct err *err);
};
extern const struct cli_option cli_options[]; /* ends with name == NULL */
/* The value that the option takes, for people; NULL: it takes none. */
const char *cli_option_args(const struct cli_option *o, struct arena *a);
/* Sets it; `value` is NULL where it takes none. */
bool cli_option_set(struct cli *c, const struct cli_option *o, const char *value, struct err *err);
/* Of these: what is read before the others, because they depend on it. */
bool cli_set_matrix_from(struct cli *c, const char *value, struct err *err);
bool cli_set_for(struct cli *c, const char *value, struct err *err);
/* The groups that an option for a field of the scene, or for a setting, belongs to. */
unsigned field_takes(const struct field *f);
unsigned setting_takes(const struct field *f);

/* options_fit.c. The error for an option of groups that the sub-command does not take. */
bool options_refuse(const struct cli *c, const char *name, unsigned takes, struct err *err);
/* The value of an option as it was given last, "" where it takes none; NULL: it was not. */
const char *cli_given(const struct cli *c, const char *name);
/* Whether options contradict each other; before they are applied. */
bool options_agree(struct cli *c, struct err *err);
/* A sweep says the view by itself, and what a parameter changes is the bias. And that commands left it. */
void options_sweep(struct cli *c);
void options_sweep_kept(const struct cli *c, const struct scene *after);
/* Whether none was given that does nothing in the format chosen (NULL: --plain). Warns of fields of the
 * scene that do nothing beside the others. */
bool options_fit(const struct cli *c, struct err *err);
/* options_mode.c. The things that a sub-command does, by what each takes of its options. */
struct cli_mode {
	const char *sub, *name, *options; /* options: words parted by blanks */
};
extern const struct cli_mode cli_modes[]; /* ends with sub == NULL */
bool cli_mode_takes(const struct cli_mode *mode, const char *option);
/* Whether all that was given means something for this mode of the sub-command. */
bool options_of_mode(const struct cli *c, const char *name, struct err *err);
/* The same of a command that was run: the scene and the settings before it. */
bool options_command_fits(const struct cli *c, const char *line, const struct scene *before,
			  const struct settings *settings, struct err *err);

/* resolve.c. What the arguments are: the terminal program's become expressions, sentences or remain, as files;
 * tensors among several become expressions. Says which files are hidden by a scheme's name. */
bool cli_resolve(struct cli *c, struct err *err);
/* A file of tensors, or FILE:TENSOR. */
bool cli_is_tensors(const char *text, struct arena *a);
/* Adds an option as if it had been given; and gives option `which` of c->given another value. */
void cli_give(struct cli *c, const char *name, const char *value);
void cli_give_again(struct cli *c, size_t which, const char *value);

/* streams.c. Reads the text that --sentence - asks for, and of the terminal program without arguments what
 * is piped into it; there keys come from the terminal afterwards. */
bool cli_take_text(struct cli *c, struct err *err);
/* Takes in what standard input and pipes hold that the scene names. */
bool cli_take_streams(struct cli *c, struct err *err);
/* Says at the end when a text waits on standard input that nobody reads; nothing of it is read. */
void cli_warn_of_input(const struct cli *c);

/* Whether it is to be the terminal program, which begins with what was kept. */
bool cli_is_terminal(const struct cli *c);

/* Reads argv into `c`: the sub-command, checked options, and the scene with the commands run. */
bool cli_parse(struct cli *c, int argc, char **argv, struct err *err);

/* The whole program behind main; returns the exit status. */
int cli_main(int argc, char **argv);

/* ---- results (output.c) ------------------------------------------------------------------- */

/* The format: --format, else the ending of --output; among the sub-command's. */
bool output_format(struct cli *c, struct err *err);
/* The same of what goes to standard output alone: text where no --format was given. */
bool output_format_or_text(struct cli *c, struct err *err);
bool output_is_json(const struct cli *c);
/* Whether there can be such a file, and what is binary is not for a terminal. */
bool output_check(const struct cli *c, bool binary, struct err *err);
/* Whether nothing is there yet that would be overwritten, nor at the path beside it (NULL: there is none).
 * Asked when what is read was found good, and before the work is done. */
bool output_free(const struct cli *c, const char *beside, struct err *err);
/* The name of a file beside the output, with another ending. */
bool output_beside(struct cli *c, const char *ending, const char **path, struct err *err);
bool output_write(const struct cli *c, const char *data, size_t len, struct err *err);
/* A picture and its caption, where `caption` is the path of one: both or none. */
bool output_picture(struct cli *c, const char *data, size_t len, const struct figure *f,
		    const struct raster_report *shown, const char *caption, struct err *err);
/* Results in a directory, which is made where it is not there: between these two output_write takes the paths of
 * output_in_folder, and all of them are written or none; then a directory that was made has gone. */
bool output_folder_begin(struct cli *c, struct err *err);
bool output_folder_end(struct cli *c, bool ok, struct err *err);
const char *output_in_folder(const struct cli *c, const char *name, struct arena *a);
/* Text to standard output. */
bool output_text(const struct strbuf *text, struct err *err);
/* Whether it is standard output that is written to. */
bool output_is_standard(const struct cli *c);
/* The colours of a picture in cells: what was asked for, else what the terminal has. */
enum tier output_tier(const struct cli *c);
/* What they are drawn on: the theme that was asked for, else what the terminal is known to have. */
enum background output_background(const struct cli *c);
/* Letters only: asked for, or because the terminal's locale knows no more. */
bool output_ascii(const struct cli *c);
/* Columns and rows of a picture in cells. */
void output_cells(const struct cli *c, int *cols, int *rows);
/* Says on standard error how much was written, where that is much. */
void output_size(const struct cli *c, size_t len);
/* Nobody gets escape codes into a pipe without having named the colours. */
bool output_ansi(const struct cli *c, struct err *err);
struct raster_report;
/* Says which glyphs no font has; of a page also what is wrong with fonts. */
void output_glyphs(struct cli *c, const struct raster_report *report, bool page);
/* A line on standard error that is no error. */
void output_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- what a sub-command is about (subject.c) ------------------------------------------------- */

/* Where the argument of a sub-command that takes one scene is a file, the scene that it holds, as what is
 * there before all options; the argument is used up. */
bool cli_open_scene(struct cli *c, struct err *err);
/* Builds the scene's setup and warns of what it leaves aside; head, layer and cell must exist. */
bool cli_build(struct cli *c, struct built *b, struct err *err);
/* Says what was read off a chain because nobody gave a structure; once the result is written. */
void cli_warn_of_chain(struct cli *c, const struct built *b);
/* The same of one expression. */
void cli_warn_of_chain_in(const char *expression, struct arena *a);
/* Where nobody gave sizes: those of a file that the expressions name. */
void cli_adopt_sizes(struct cli *c);
/* The only expression of a sub-command that takes one, which the scene gets, and nothing beside it: a
 * comparison that is asked for would be left out. */
bool cli_alone(struct cli *c, struct err *err);
/* The only one, or several, which the view Compare shows. */
bool cli_expressions(struct cli *c, struct err *err);
/* Several --sentence: the first is the scene's, the view Compare shows the scheme on all. */
bool cli_sentences(struct cli *c, struct err *err);
/* Makes one argument of an expression and the input behind an "@" or "@order" that is an argument of its own. */
bool cli_join_inputs(struct cli *c, struct err *err);

/* check --same, check --expect */
int cmd_same(struct cli *c, struct err *err);
int cmd_expect(struct cli *c, struct err *err);

/* ---- tours (cmd_tour.c) ---------------------------------------------------------------------- */

struct tour;
struct tour_spec;
bool tour_one_name(const struct cli *c, struct err *err);
/* Opens it; everything that is wrong with a file is said before anything of it is seen. */
bool tour_is_right(struct cli *c, const struct tour_spec *spec, struct cache *cache, struct tour *t,
		   struct err *err);
/* cmd_tour_out.c: tour NAME -o FILE.pdf, or a directory. */
int tour_out(struct cli *c, struct err *err);
/* cmd_tour_folder.c: a picture a step and an index. */
struct tour_paper;
bool tour_folder(struct cli *c, const struct tour *t, const struct tour_paper *paper,
		 struct cache *cache, struct err *err);

/* ---- words for people (words.c) ------------------------------------------------------------- */

/* Where the locale, or the user, knows ASCII alone, they are spelt in it. What goes
 * into a file is UTF-8. */
bool words_write(const struct cli *c, const char *text, size_t len, struct err *err);
bool words_are_plain(const struct cli *c);
/* Adds `text` wrapped at 80 columns, every line but the first indented; ends with a line end. */
void words_wrap(struct strbuf *out, const char *text, size_t indent);

/* ---- tables (listing.c) -------------------------------------------------------------------- */

enum { LISTING_COLS = 24 };

struct listing {
	struct arena *arena;
	const char *const *head; /* names of the columns, ends with NULL */
	size_t cols, n, cap;
	const char **cells;
	unsigned
		values; /* bits of the columns of "yes" and "no" or of numbers, which JSON has as such too */
};
void listing_init(struct listing *l, struct arena *a, const char *const *head);
/* Adds a row; NULL is an empty cell. */
void listing_add(struct listing *l, const char *const *cells);
/* format: "text", "json", "csv", "markdown". */
void listing_print(const struct listing *l, const char *format, struct strbuf *out);

/* ---- sub-commands --------------------------------------------------------------------------- */

typedef int subcommand_run(struct cli *c, struct err *err);
subcommand_run cmd_terminal, cmd_render, cmd_sheet, cmd_figure, cmd_tour, cmd_quiz, cmd_record,
	cmd_dump, cmd_show, cmd_list, cmd_check, cmd_verify, cmd_cost, cmd_doctor, cmd_completion,
	cmd_complete, cmd_help, cmd_man;

/* The speaker's terminal of a tour: --notes. */
subcommand_run cmd_notes;
/* cmd_cast.c: a tour as a recording of a terminal: whether that was asked for, and written. */
bool cast_is_wanted(const struct cli *c);
subcommand_run cmd_cast;

/* The figure of c->scene as words (export_plain), to --output or standard output. */
subcommand_run cmd_plain;

/* ---- what is kept between sessions (state.c) ------------------------------------------------- */

/* What the terminal program starts with, into c->app: the last scene, the lines of the
 * configuration, the commands typed before. What cannot be used costs a warning; only a
 * configuration that was named and cannot be read is an error. */
bool state_start(struct cli *c, struct err *err);
/* The user's own names for expressions alone, out of the configuration. */
bool state_definitions(struct cli *c, struct err *err);
/* The text of a configuration with the user's own names as they are now. */
void state_put_definitions(struct strbuf *text);
/* Keeps the scene of c->app; what cannot be kept costs a warning. */
void state_save(struct cli *c);
/* $XDG_CONFIG_HOME/posviz, or NULL when the environment names no home. */
const char *state_config_dir(struct arena *a);
/* The same for $XDG_STATE_HOME. */
const char *state_dir(struct arena *a);

/* What a newcomer begins with, at the head of --help. */
struct help_start {
	const char *command, *what;
};
extern const struct help_start help_starts[]; /* ends with command == NULL */

/* Usage of one sub-command, or of all of them (NULL). */
void help_print(const struct subcommand *sub, struct strbuf *out);
/* The rows of one list: "schemes". False with a suggestion when there is none. */
bool list_rows(const char *name, struct arena *a, struct listing *out, struct err *err);
/* Table 1 of the survey with every scheme, as printed, made and measured, for the scene's sizes. */
bool list_table(const struct scene *scene, struct arena *a, struct listing *out, struct err *err);

/* progress.c: a bar on standard error, where that is a terminal, while work takes more than a second. Of
 * what the watch sees, between begin and end; and of write_bytes, the writing of numbers included. */
struct watch *progress_begin(void);
void progress_end(void);
bool cli_bytes(struct write_job *job, struct err *err);

#endif
