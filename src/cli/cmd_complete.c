/* cmd_complete.c: prints the completions that the program offers for a word, for the scripts of
 * shells: a line for each, with a tab and a description. A line that cannot be read has no
 * completions and gives no error. */
#include <string.h>

#include "cli.h"
#include "posviz/base/text.h"

int cmd_complete(struct cli *c, struct err *err)
{
	struct arena *const a = &c->arena;
	struct strbuf out;
	size_t n;
	strbuf_init(&out, a);
	if (c->n_args == 0) {
		err_set(err,
			"complete: give a command, as in the program, and what is typed of its "
			"argument: complete scheme 't5(buc'");
		return EXIT_BAD_USE;
	}
	const char *const typed = c->n_args > 1 ? c->args[1] : "";
	const char *const line = arena_printf(a, "%s %s", c->args[0], typed);
	const size_t front = strlen(c->args[0]) + 1;
	c->app.scene = c->scene;
	const struct completion *const menu = app_menu(&c->app, line, a, &n);
	for (size_t i = 0; i < n; i++) {
		const char *const word = menu[i].line + front;
		/* Shells keep only words that begin with the typed text, and cannot show words that
		 * need escaping. */
		if (strncmp(word, typed, strlen(typed)) == 0 &&
		    strcmp(text_escape(a, word, strlen(word)), word) == 0)
			strbuf_printf(&out, "%s\t%s\n", word, menu[i].note);
	}
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}
