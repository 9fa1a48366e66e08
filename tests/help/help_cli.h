/* help_cli.h: runs the program as a user does, in an empty directory of its own, and keeps what it
 * printed. */
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
	const char *output;	    /* file for standard output; NULL: it is kept; "closed" */
	const char *environment[4]; /* "TERM=dumb", ends with NULL */
	long file_limit;	    /* RLIMIT_FSIZE in bytes; 0: none */
	long memory_limit;	    /* RLIMIT_AS in MB; 0: none */
	long open_limit;	    /* RLIMIT_NOFILE; 0: as it is */
};

struct cli_result {
	struct arena arena;
	int code; /* exit status; 128 and the number of the signal that killed it */
	char *out, *err;
	size_t out_len, err_len;
};

/* cmocka's group fixtures: the directory, which is the working directory meanwhile. */
int cli_enter(void **state);
int cli_leave(void **state);

void cli_run(struct cli_result *r, const struct cli_case *c);
void cli_done(struct cli_result *r);

/* Runs and expects 0; nothing is kept. */
void cli_good(const struct cli_case *c);

/* Runs and expects this exit status, and these words on standard output and among the errors; NULL: any. */
void cli_expect(const struct cli_case *c, int code, const char *out, const char *err);
/* Runs and expects a refusal: status 2, one line that says this, nothing else printed, no file more. */
void cli_refuse(const struct cli_case *c, const char *says);

/* Whether there is another program; a message says what brings it. */
bool cli_has(const char *program);
/* What a command prints, and its standard error; fails the test when it ends with an error. */
const char *cli_said(const char *command, struct arena *a);

/* Files in the directory. */
size_t cli_files(void);
void cli_write(const char *name, const void *data, size_t len);
char *cli_read(const char *name, struct arena *a, size_t *len);
void cli_remove(const char *name);

/* A safetensors file that must be readable, and a tensor of it that must be there. */
void cli_tensors(const char *name, struct arena *a, struct tensor_set *set);
const struct tensor *cli_tensor(const struct tensor_set *set, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
