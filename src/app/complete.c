/* complete.c: how a command line may go on.
 *
 * The word at the end of the line is completed: the first by the names of commands and fields,
 * later ones by the command's own candidates or the field's choices. In an expression the word
 * begins behind the last "+". */
#include <string.h>

#include "app_in.h"
#include "posviz/text.h"

/* Candidate i for the first word. */
static const char *first_word(size_t i)
{
	for (const struct command *c = commands; c->name; c++)
		if (i-- == 0)
			return c->name;
	for (const struct field *f = scene_fields; f->name; f++) {
		bool taken = false; /* a command of the same name stands for the field */
		for (const struct command *c = commands; c->name && !taken; c++)
			taken = strcmp(c->name, f->name) == 0;
		if (!taken && i-- == 0)
			return f->name;
	}
	return NULL;
}

static const char *argument(const struct app *app, const char *name, size_t i, struct arena *a)
{
	for (const struct command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c->complete ? c->complete(app, i, a) : NULL;
	const struct field *const f = field_find(name);
	if (!f)
		return NULL;
	if (strcmp(name, "scheme") == 0)
		return complete_scheme(app, i, a);
	if (f->kind == FIELD_BOOL)
		return i < 2 ? (i == 0 ? "on" : "off") : NULL;
	return f->kind == FIELD_CHOICE && i < f->n_choices ? f->choices[i] : NULL;
}

const char *app_complete(const struct app *app, const char *line, size_t i, struct arena *a)
{
	const size_t len = strcspn(line, " ");
	const bool first = line[len] == '\0';
	const char *word = line;
	for (const char *c = line; *c; c++)
		if (*c == ' ' || (*c == '+' && !first))
			word = c + 1;
	const char *const name = arena_strndup(a, line, len);
	for (size_t k = 0;; k++) {
		const char *const next = first ? first_word(k) : argument(app, name, k, a);
		if (!next)
			return NULL;
		if (strncmp(next, word, strlen(word)) == 0 && i-- == 0)
			return arena_printf(a, "%.*s%s", (int)(word - line), line, next);
	}
}
