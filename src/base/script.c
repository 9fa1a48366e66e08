/* script.c: texts whose lines are a word and its argument. */
#include "posviz/base/script.h"

#include <ctype.h>
#include <string.h>

#include "posviz/base/text.h"

static const char *why_no_text(const char *line, size_t len)
{
	if (memchr(line, '\0', len))
		return "a NUL byte stands in the line; text would be right";
	return text_valid(line, len) ? NULL : "this is not UTF-8";
}

/* Returns false for an empty line and a comment. */
static bool read_line(char *line, size_t len, struct arena *a, struct script_line *out)
{
	out->wrong = why_no_text(line, len);
	if (out->wrong)
		return true;
	line += strspn(line, " \t");
	for (size_t n = strlen(line); n > 0 && isspace((unsigned char)line[n - 1]); n--)
		line[n - 1] = '\0';
	const size_t word = strcspn(line, " \t");
	out->text = line;
	out->word = arena_strndup(a, line, word);
	out->rest = line + word + strspn(line + word, " \t");
	return *line != '\0' && *line != '#';
}

void script_read(const char *text, size_t len, struct arena *a,
		 void (*each)(void *context, const struct script_line *line), void *context)
{
	static const char mark[] = "\xEF\xBB\xBF"; /* some editors write it before UTF-8 */
	char *const copy = arena_strndup(a, text, len);
	struct script_line line = {0};
	if (len > 0)
		memcpy(copy, text, len); /* NUL bytes too */
	char *at = copy, *const end = copy + len;
	if (len >= 3 && memcmp(at, mark, 3) == 0)
		at += 3;
	for (line.number = 1; at < end; line.number++) {
		char *const stop = memchr(at, '\n', (size_t)(end - at));
		char *const next = stop ? stop + 1 : end;
		char *last = stop ? stop : end;
		*last = '\0';
		if (last > at && last[-1] == '\r')
			*--last = '\0';
		if (read_line(at, (size_t)(last - at), a, &line))
			each(context, &line);
		at = next;
	}
}

static size_t characters(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return n;
}

bool script_takes(const struct script_word *word, const char *text, struct err *err)
{
	const size_t n = characters(text);
	if (*word->args == '\0' && *text)
		return err_set(err, "%s takes nothing", word->name);
	if (*word->args && *text == '\0')
		return err_set(err, "%s: give %s", word->name, word->args);
	if (word->most > 0 && n > word->most)
		return err_set(err, "%s has %zu characters, more than %zu", word->name, n,
			       word->most);
	return true;
}
