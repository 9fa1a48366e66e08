/* streams.c: what is read from standard input and from pipes.
 *
 * They can be read once only: here, and what was read takes the name's place. A figure made from a pipe
 * can then be made again from its own metadata. */
#include "cli.h"

#include <string.h>
#include <sys/stat.h>

#include "posviz/file.h"
#include "posviz/text.h"

enum { STDIN_LIMIT = 1 << 20 };

static bool is_stream(const char *value)
{
	struct stat st;
	return strcmp(value, "-") == 0 || (stat(value, &st) == 0 && S_ISFIFO(st.st_mode));
}

static bool read_stream(struct cli *c, const char *value, char **data, size_t *len, struct err *err)
{
	if (!file_read(value, STDIN_LIMIT, &c->arena, data, len, err))
		return false;
	return strlen(*data) == *len ||
	       err_set(err, "%s: a text without NUL bytes would be right",
		       strcmp(value, "-") == 0 ? "standard input"
					       : text_quote(&c->arena, value, strlen(value)));
}

static bool take_sentence(struct cli *c, struct err *err)
{
	struct setup *const s = &c->scene.setup;
	char *data;
	size_t len;
	if (!is_stream(s->file))
		return true;
	if (!read_stream(c, s->file, &data, &len, err))
		return false;
	while (len > 0 && (data[len - 1] == '\n' || data[len - 1] == '\r'))
		data[--len] = '\0';
	s->sentence = scene_intern(data);
	s->file = scene_intern("");
	return true;
}

/* A text with a line end is the structure itself. One at its end would not come through a shell that
 * repeats the command. */
bool cli_take_streams(struct cli *c, struct err *err)
{
	struct setup *const s = &c->scene.setup;
	const char **const values[] = {&s->conllu, &s->tree, &s->graph};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		char *data;
		size_t len;
		if (!is_stream(*values[i]))
			continue;
		if (!read_stream(c, *values[i], &data, &len, err))
			return false;
		while (len > 0 && (data[len - 1] == '\n' || data[len - 1] == '\r'))
			data[--len] = '\0';
		*values[i] = scene_intern(
			strchr(data, '\n') ? data : arena_printf(&c->arena, "\n%s", data));
	}
	return take_sentence(c, err);
}
