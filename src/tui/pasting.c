/* pasting.c: text that is pasted where no line is typed becomes the sentence.
 *
 * It comes key by key between two marks of the terminal; the sentence is set once, at the end, so that one
 * `undo` brings the old one back. */
#include <string.h>

#include "posviz/base/strbuf.h"
#include "tui_in.h"

void paste_key(struct tui *t, const struct key *key)
{
	struct pasted *const p = &t->pasted;
	const bool line = strcmp(key->name, "Enter") == 0, tab = strcmp(key->name, "Tab") == 0;
	const char *const text = line ? "\n" : tab ? "\t" : key->text;
	const size_t len = strlen(text);
	p->more = p->more || len > sizeof p->text - p->len;
	if (p->more)
		return;
	memcpy(p->text + p->len, text, len);
	p->len += len;
}

/* Lines become one text; the blanks around it are none of it. */
static size_t join_lines(char *text, size_t len)
{
	size_t n = 0;
	for (size_t i = 0; i < len; i++) {
		const bool blank = strchr(" \t\n\r", text[i]) != NULL;
		if (!blank)
			text[n++] = text[i];
		else if (n > 0 && text[n - 1] != ' ')
			text[n++] = ' ';
	}
	return n > 0 && text[n - 1] == ' ' ? n - 1 : n;
}

static void add_quoted(struct strbuf *b, const char *text, size_t len)
{
	strbuf_add_char(b, '"');
	for (size_t i = 0; i < len; i++) {
		if (strchr("\"\\", text[i]))
			strbuf_add_char(b, '\\');
		strbuf_add_char(b, text[i]);
	}
	strbuf_add_char(b, '"');
}

static void end(struct tui *t)
{
	struct pasted *const p = &t->pasted;
	const bool more = p->more;
	if (t->terminal.pasting || (p->len == 0 && !more))
		return;
	const size_t len = join_lines(p->text, p->len);
	struct strbuf line;
	strbuf_init(&line, &t->frame);
	strbuf_add(&line, "retype ");
	add_quoted(&line, p->text, len);
	p->len = 0;
	p->more = false;
	if (more)
		app_say(t->app, "nothing was pasted: it is longer than %d bytes; --file reads it",
			PASTED_BYTES);
	else if (touring(t)) /* or in a quiz */
		app_say(t->app,
			"nothing was pasted: a sentence is pasted outside tours and quizzes");
	else if (len > 0 && tui_run_line(t, line.at))
		app_say(t->app, "what was pasted is the sentence; u brings the old one back");
	tui_dirty(t, 0);
}

const struct tui_part part_pasting = {.at = {[PART_TURN] = end}};
