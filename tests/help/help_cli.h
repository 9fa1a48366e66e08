/* help_cli.h: runs the program as a user does, in an empty directory of its own, and keeps its
 * output. */
#ifndef HELP_CLI_H
#define HELP_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "posviz/base/arena.h"
#include "posviz/format/tensor.h"

enum { CLI_ARGS = 32 };

struct cli_case {
	const char *args[CLI_ARGS]; /* without the program's name, ends with NULL */
	const char *input;	    /* file for standard input; NULL: /dev/null */
	const char *output; /* file for standard output; NULL: the output is kept; "closed" */
	const char *environment[4]; /* "TERM=dumb", ends with NULL */
	long file_limit;	    /* RLIMIT_FSIZE in bytes; 0: none */
	long memory_limit;	    /* RLIMIT_AS in MB; 0: none */
	long open_limit;	    /* RLIMIT_NOFILE; 0: unchanged */
};

struct cli_result {
	struct arena arena;
	int code; /* exit status; 128 + signal if a signal killed it */
	char *out, *err;
	size_t out_len, err_len;
};

/* cmocka's group fixtures: make the directory the working directory, and remove it. */
int cli_enter(void **state);
int cli_leave(void **state);
/* The same with the arena of help_arena.h, which is valid during each test. */
int cli_enter_with_arena(void **state);
int cli_leave_with_arena(void **state);

void cli_run(struct cli_result *r, const struct cli_case *c);
void cli_done(struct cli_result *r);

/* Runs the program and expects status 0; keeps no output. */
void cli_good(const struct cli_case *c);

/* Runs the program and expects this exit status, and these words on standard output and standard
 * error; NULL: any. */
void cli_expect(const struct cli_case *c, int code, const char *out, const char *err);
/* Runs the program and expects a refusal: status 2, a single line with these words, no other
 * output, no new file. */
void cli_refuse(const struct cli_case *c, const char *says);

/* Returns whether another program is installed; if not, prints how to install it. */
bool cli_has(const char *program);
/* Returns the output of a command, standard error included; fails the test if it ends with an
 * error. */
const char *cli_said(const char *command, struct arena *a);

/* Returns the number of files in the directory. */
size_t cli_files(void);
void cli_write(const char *name, const void *data, size_t len);
char *cli_read(const char *name, struct arena *a, size_t *len);
void cli_remove(const char *name);

/* Read a safetensors file, and find a tensor in it; fail the test if they cannot. */
void cli_tensors(const char *name, struct arena *a, struct tensor_set *set);
const struct tensor *cli_tensor(const struct tensor_set *set, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
