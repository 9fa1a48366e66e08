/* state_names.c: the user's own names in the text of a configuration.
 *
 * As for keys, existing definitions stay, and changed ones are added at the end, where they take
 * precedence. Only the lines of a name that was removed are deleted, unless another line needs the
 * name. */
#include "cli.h"

#include <string.h>
#include <strings.h>

/* Returns the line at *at without its end, and its whole length; NULL after the last. */
static const char *next_line(const struct strbuf *text, size_t *at, size_t *whole)
{
	if (*at == text->len)
		return NULL;
	const char *const line = text->at + *at;
	const char *const stop = memchr(line, '\n', text->len - *at);
	*whole = stop ? (size_t)(stop - line) + 1 : text->len - *at;
	*at += *whole;
	char *const out = arena_strndup(text->arena, line, *whole);
	out[strcspn(out, "\r\n")] = '\0';
	return out;
}

static void add_line(struct strbuf *text, const char *line)
{
	if (text->len > 0 && text->at[text->len - 1] != '\n')
		strbuf_add_char(text, '\n');
	strbuf_printf(text, "%s\n", line);
}

/* Returns the last expression that the text gives to a name; NULL: none, or the text does not
 * define it. */
static const char *last_definition(const struct strbuf *text, const char *name)
{
	const char *last = NULL;
	size_t len;
	const char *line, *other, *expression;
	for (size_t at = 0; (line = next_line(text, &at, &len)) != NULL;)
		if (definition_read(line, text->arena, &other, &expression) &&
		    strcasecmp(other, name) == 0)
			last = expression;
	return last;
}

/* Returns whether the line is about a name that was removed. A line that could not be read stays,
 * so that the user can correct it. */
static bool is_forgotten(const char *line, const char **name, struct arena *a)
{
	const char *expression;
	if (!definition_read(line, a, name, &expression) || scheme_find(*name, strlen(*name), NULL))
		return false;
	return !expression || (define_set(*name, expression, NULL) && define_remove(*name, NULL));
}

static bool holds(const char *line, const char *name)
{
	const size_t len = strlen(name);
	while (*line && strncasecmp(line, name, len) != 0)
		line++;
	return *line != '\0';
}

/* Returns whether a line other than the name's own definitions may need the name. */
static bool is_needed(const struct strbuf *text, const char *name)
{
	const char *line, *own, *expression;
	size_t len;
	for (size_t at = 0; (line = next_line(text, &at, &len)) != NULL;) {
		const bool about = definition_read(line, text->arena, &own, &expression) &&
				   strcasecmp(own, name) == 0;
		if (!about && line[strspn(line, " \t")] != '#' && holds(line, name))
			return true;
	}
	return false;
}

static void drop_forgotten(struct strbuf *text)
{
	struct strbuf kept;
	const char *line, *name;
	size_t len;
	strbuf_init(&kept, text->arena);
	for (size_t at = 0; (line = next_line(text, &at, &len)) != NULL;)
		if (!is_forgotten(line, &name, text->arena) || is_needed(text, name))
			strbuf_add_n(&kept, text->at + at - len, len);
	if (kept.len < text->len)
		*text = kept;
}

/* Adds "undefine" for removed names that other lines need. */
static void put_undefined(struct strbuf *text)
{
	const struct strbuf before = *text;
	const char *line, *name;
	size_t len;
	for (size_t at = 0; (line = next_line(&before, &at, &len)) != NULL;)
		if (is_forgotten(line, &name, text->arena) && last_definition(text, name))
			add_line(text, arena_printf(text->arena, "undefine %s", name));
}

void state_put_definitions(struct strbuf *text)
{
	const struct scheme *s;
	for (size_t i = 0; (s = define_at(i)) != NULL; i++) {
		const char *const there = last_definition(text, s->id);
		const char *const kept = expression_make_absolute(s->expression, text->arena);
		if (!there || (strcmp(there, s->expression) != 0 && strcmp(there, kept) != 0))
			add_line(text, definition_line(s, text->arena));
	}
	drop_forgotten(text);
	put_undefined(text);
}
