/* streams.c: reads standard input and pipes.
 *
 * They can be read only once: they are read here, and their text replaces the name. Thus a figure
 * made from a pipe can be made again from its own metadata. Standard input belongs to the process
 * that started the program, for example a loop of a shell: it is read only if "-" names it, and by
 * the terminal program. */
#include "cli.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"

enum { STDIN_LIMIT = 1 << 20, PATIENCE_MS = 1000 };

static bool is_stream(const char *value)
{
	struct stat st;
	return strcmp(value, "-") == 0 || (stat(value, &st) == 0 && S_ISFIFO(st.st_mode));
}

/* Prints a message if no text arrives from a pipe within PATIENCE_MS. */
static void say_waiting(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	if (!isatty(STDIN_FILENO) && poll(&p, 1, PATIENCE_MS) == 0)
		output_warn("waiting for text on standard input; -s TEXT reads none");
}

/* Takes the keys of a screen from the terminal itself, if there is one. */
static void take_keys(void)
{
	const int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	dup2(fd, STDIN_FILENO);
	if (fd != STDIN_FILENO)
		close(fd);
}

/* Returns false for data of a clearly different kind than the option takes; a text may be
 * anything. */
static bool stream_fits(const char *option, const char *value, const char *data, size_t len,
			struct err *err)
{
	struct kind_seen seen;
	kind_look(NULL, data, len, NULL, &seen);
	const bool sentence = strcmp(option, "file") == 0 || strcmp(option, "sentence") == 0;
	const bool told = sentence ? seen.by == KIND_BY_BYTES
				   : seen.by != KIND_BY_DEFAULT || strcmp(option, "graph") == 0;
	if (!told || seen.kind->id == KIND_BINARY)
		return true;
	return kind_fits(sentence ? "file" : option, strcmp(value, "-") == 0 ? NULL : value, data,
			 len, &seen, err) ||
	       err_prefix(err, "%s: ", option);
}

/* Reads a stream, without the line ends at its end. */
static bool read_stream(struct cli *c, const char *option, const char *value, char **data,
			struct err *err)
{
	size_t len;
	const bool input = strcmp(value, "-") == 0;
	if (input)
		say_waiting();
	c->read_input |= input;
	if (!file_read(value, STDIN_LIMIT, &c->arena, data, &len, err))
		return false;
	if (input && cli_is_terminal(c) && isatty(STDOUT_FILENO))
		take_keys();
	if (strlen(*data) != len)
		return err_set(err, "%s: a text without NUL bytes would be right",
			       input ? "standard input"
				     : text_quote(&c->arena, value, strlen(value)));
	if (!stream_fits(option, value, *data, len, err))
		return false;
	while (len > 0 && ((*data)[len - 1] == '\n' || (*data)[len - 1] == '\r'))
		(*data)[--len] = '\0';
	return true;
}

static bool take_sentence(struct cli *c, struct err *err)
{
	struct setup *const s = &c->scene.setup;
	char *data;
	if (!is_stream(s->file))
		return true;
	if (!read_stream(c, "file", s->file, &data, err))
		return false;
	s->sentence = scene_intern(data);
	s->file = scene_intern("");
	return true;
}

/* Reads structures from pipes: a value with a line end is the structure itself, not a file. The
 * line end is put in front, because a shell that repeats the command would drop it at the end. */
bool cli_take_streams(struct cli *c, struct err *err)
{
	struct setup *const s = &c->scene.setup;
	static const char *const options[] = {"conllu", "tree", "graph"};
	const char **const values[] = {&s->conllu, &s->tree, &s->graph};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		char *data;
		if (!is_stream(*values[i]))
			continue;
		if (!read_stream(c, options[i], *values[i], &data, err))
			return false;
		*values[i] = scene_intern(
			strchr(data, '\n') ? data : arena_printf(&c->arena, "\n%s", data));
	}
	return take_sentence(c, err);
}

/* ---- the sentence ---------------------------------------------------------------------------- */

/* Returns whether the first word of a command is this name: "sentence" for "sentence a b". */
static bool is_command(const char *line, const char *name)
{
	const size_t len = strlen(name);
	line += strspn(line, " \t");
	return strncmp(line, name, len) == 0 && strchr(" \t", line[len]) != NULL;
}

/* Returns whether an option or a command gives tokens. */
static bool brings_tokens(const struct cli *c)
{
	static const char *const names[] = {"sentence", "file",	 "conllu", "tree",
					    "graph",	"units", "open"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (cli_given(c, names[i]))
			return true;
		for (size_t k = 0; k < c->n_commands; k++)
			if (is_command(c->commands[k], names[i]))
				return true;
	}
	return false;
}

/* Refuses two options that both ask for standard input, before any other error about them. */
static bool asked_once(const struct cli *c, struct err *err)
{
	static const char *const names[] = {"sentence", "file", "conllu", "tree", "graph"};
	const char *first = NULL;
	for (size_t i = 0; i < c->n_given; i++) {
		const struct given_option *const o = &c->given[i];
		bool asks = false;
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			asks = asks || strcmp(o->name, names[k]) == 0;
		if (!asks || !o->value || strcmp(o->value, "-") != 0)
			continue;
		if (first)
			return err_set(err,
				       "--%s - and --%s -: standard input can be read only once; "
				       "a file would be right for one of them",
				       first, o->name);
		first = o->name;
	}
	return true;
}

/* Returns whether standard input is a pipe, a file or a socket, not a keyboard or another
 * device. */
static bool is_piped(void)
{
	struct stat st;
	return fstat(STDIN_FILENO, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode) || S_ISSOCK(st.st_mode));
}

bool cli_take_text(struct cli *c, struct err *err)
{
	char *data;
	if (!asked_once(c, err))
		return false;
	for (size_t i = 0; i < c->n_given; i++) {
		if (strcmp(c->given[i].name, "sentence") != 0 ||
		    strcmp(c->given[i].value, "-") != 0)
			continue;
		if (!read_stream(c, "sentence", "-", &data, err))
			return false;
		cli_give_again(c, i, data);
	}
	if (*c->sub->name || c->n_args + c->n_exprs > 0 || brings_tokens(c) || !is_piped())
		return true;
	if (!read_stream(c, "file", "-", &data, err))
		return false;
	/* A job in the background may have empty standard input. */
	if (*data)
		cli_give(c, "sentence", data);
	return true;
}

/* Returns true if the parent process reads from the same pipe: then it is a loop of a shell, to
 * which these lines belong. For a file this would prove nothing, because some shells open a
 * command's file as their own. Without /proc the result is false. */
static bool parent_reads(const struct stat *own)
{
	char path[48];
	struct stat st;
	snprintf(path, sizeof path, "/proc/%ld/fd/0", (long)getppid());
	return stat(path, &st) == 0 && st.st_dev == own->st_dev && st.st_ino == own->st_ino;
}

/* Returns whether bytes can be read at once. A file that was partly read already is the list of
 * another program, read line by line. */
static bool text_waits(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	struct stat st;
	int bytes = 0;
	if (!is_piped() || fstat(STDIN_FILENO, &st) != 0)
		return false;
	if (S_ISREG(st.st_mode))
		return lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 && st.st_size > 0;
	return !parent_reads(&st) && poll(&p, 1, 0) > 0 &&
	       ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes > 0;
}

void cli_warn_of_input(const struct cli *c)
{
	if (c->sub->takes & TAKES_SCENE && !c->sub->hidden && !c->read_input && !brings_tokens(c) &&
	    text_waits())
		output_warn("text waits on standard input, and nobody reads it; -s - does");
}
