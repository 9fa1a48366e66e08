/* cli.h: the command line: one table of sub-commands, one of options, and what they share.
 *
 * A sub-command gets everything read and checked, computes, and writes its result whole. Errors go
 * up as struct err and are printed in one place; nothing here exits. */
#ifndef POSVIZ_CLI_H
#define POSVIZ_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/analysis.h"
#include "posviz/app.h"
#include "posviz/arena.h"
#include "posviz/canvas.h"
#include "posviz/err.h"
#include "posviz/scene.h"
#include "posviz/strbuf.h"

enum { EXIT_FINE = 0, EXIT_CHECK_FAILED = 1, EXIT_BAD_USE = 2 };

/* Groups of options; a sub-command takes some, and refuses the others by name. */
enum cli_takes {
	TAKES_SCENE = 1 << 0,  /* every field of the scene, and --command */
	TAKES_OUTPUT = 1 << 1, /* --output, --force */
	TAKES_FORMAT = 1 << 2,
	TAKES_PICTURE = 1 << 3,	 /* --cells, --caption */
	TAKES_TERMINAL = 1 << 4, /* --color, --ascii */
	TAKES_FRESH = 1 << 5,
};

struct cli {
	struct arena arena; /* of the whole run */
	const struct subcommand *sub;
	struct app app;		     /* that commands run in; goes on in the terminal program */
	struct scene scene;	     /* the result of all that was read */
	bool scheme_given;	     /* by --scheme, a command, or a file */
	const char *output, *format; /* NULL: not given */
	bool force, ascii, fresh, help, version;
	int color;	   /* enum tier, or -1 for auto */
	long cols, rows;   /* of pictures in cells; 0: not given */
	const char **args; /* what is no option, without the sub-command */
	size_t n_args;
	const char **commands; /* of --command, in order */
	size_t n_commands;
};

struct subcommand {
	const char *name;    /* "" for the terminal program */
	const char *args;    /* "EXPR" */
	const char *help;    /* one line */
	const char *about;   /* a paragraph for --help and the manual */
	const char *example; /* a command line without "posviz" */
	unsigned takes;
	size_t max_args;
	const char *const *formats; /* what --format takes, ends with NULL; or NULL */
	bool hidden;
	int (*run)(struct cli *c, struct err *err); /* EXIT_...; EXIT_BAD_USE fills err */
};
extern const struct subcommand subcommands[]; /* ends with name == NULL */
const struct subcommand *subcommand_find(const char *name);
/* The name in messages: "posviz" itself or the sub-command's. */
const char *subcommand_word(const struct subcommand *sub);

/* An option that is not a field of the scene. */
struct cli_option {
	const char *name, *args, *help; /* args NULL: takes none */
	char letter;
	unsigned takes; /* 0: every sub-command has it */
	bool (*set)(struct cli *c, const char *value, struct err *err);
};
extern const struct cli_option cli_options[]; /* ends with name == NULL */

/* Reads argv into `c`: the sub-command, checked options, and the scene with the commands run. */
bool cli_parse(struct cli *c, int argc, char **argv, struct err *err);

/* The whole program behind main; returns the exit status. */
int cli_main(int argc, char **argv);

/* ---- results (output.c) ------------------------------------------------------------------- */

/* The format: --format, else the ending of --output; among the sub-command's. */
bool output_format(struct cli *c, struct err *err);
/* Whether the file may be written, as far as it can be known before the work is done. */
bool output_check(const struct cli *c, bool binary, struct err *err);
bool output_write(const struct cli *c, const char *data, size_t len, struct err *err);
/* Text to standard output. */
bool output_text(const struct strbuf *text, struct err *err);
bool output_to_terminal(const struct cli *c);
/* The colours of a picture in cells: what was asked for, else what the terminal has. */
enum tier output_tier(const struct cli *c);
/* Letters only: asked for, or because the terminal's locale knows no more. */
bool output_ascii(const struct cli *c);
/* Columns and rows of a picture in cells. */
void output_cells(const struct cli *c, int *cols, int *rows);
/* A line on standard error that is no error. */
void output_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Whether head, layer and cell exist, beyond the ranges of the fields. */
bool cli_fits(const struct cli *c, const struct built *b, struct err *err);
/* The only expression of a sub-command that takes one; the scene gets it. */
bool cli_expression(struct cli *c, struct err *err);

/* Adds `text` wrapped at 80 columns, every line but the first indented; ends with a line end. */
void cli_wrap(struct strbuf *out, const char *text, size_t indent);

/* ---- tables (listing.c) -------------------------------------------------------------------- */

enum { LISTING_COLS = 12 };

struct listing {
	struct arena *arena;
	const char *const *head; /* names of the columns, ends with NULL */
	size_t cols, n, cap;
	const char **cells;
};
void listing_init(struct listing *l, struct arena *a, const char *const *head);
/* Adds a row; NULL is an empty cell. */
void listing_add(struct listing *l, const char *const *cells);
/* format: "text", "json", "csv", "markdown". */
void listing_print(const struct listing *l, const char *format, struct strbuf *out);

/* ---- sub-commands --------------------------------------------------------------------------- */

typedef int subcommand_run(struct cli *c, struct err *err);
subcommand_run cmd_terminal, cmd_render, cmd_dump, cmd_show, cmd_list, cmd_check, cmd_doctor,
	cmd_help, cmd_man;

/* The scene that the terminal program starts with, into c->app: the last one, and the user's
 * configuration. Lines that are not understood are skipped with a warning. */
void terminal_start(struct cli *c);

extern const char *const list_formats[], *const render_formats[], *const dump_formats[];

/* Usage of one sub-command, or of all of them (NULL). */
void help_print(const struct subcommand *sub, struct strbuf *out);
/* The rows of one list: "schemes". False with a suggestion when there is none. */
bool list_rows(const char *name, struct arena *a, struct listing *out, struct err *err);

/* progress.c: analysis_measure with a bar on standard error when it takes long. */
bool cli_measure(const struct setup *setup, struct cache *cache, struct measures *out,
		 struct err *err);

#endif
