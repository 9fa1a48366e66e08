/* clipboard.c: text for the clipboard, which a program asks its terminal to take (OSC 52). Nothing tells
 * whether it did: what is said is what was done, and on what the rest depends. */
#include <stdlib.h>
#include <string.h>

#include "clipboard.h"
#include "tui_in.h"

const char *clipboard_base64(const char *text, size_t len, struct arena *a)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *const out = arena_alloc(a, (len + 2) / 3 * 4 + 1), *at = out;
	for (size_t i = 0; i < len; i += 3) {
		const size_t n = len - i < 3 ? len - i : 3;
		uint32_t bits = 0;
		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 | (k < n ? (unsigned char)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			*at++ = k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=';
	}
	*at = '\0';
	return out;
}

/* Those that are known to have none: consoles, and terminals of old. */
bool clipboard_possible(const char *term)
{
	static const char *const without[] = {"linux", "dumb", "vt",	 "ansi",
					      "cons",  "wsvt", "unknown"};
	for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
		const size_t len = strlen(without[i]);
		const char next = term[strlen(term) < len ? strlen(term) : len];
		if (strncmp(term, without[i], len) == 0 && strchr("-0123456789", next))
			return false;
	}
	return *term != '\0';
}

/* On what it depends whether the text arrives. */
static const char *condition(void)
{
	const char *const tmux = getenv("TMUX"), *const screen = getenv("STY");
	if (screen && *screen && !(tmux && *tmux))
		return "if screen is 5.0 or newer";
	return tmux && *tmux ? "if tmux has set-clipboard on" : "if the terminal takes it";
}

void clipboard_copy(struct tui *t)
{
	struct app *const app = t->app;
	const char *const text = app->request_text, *const term = getenv("TERM");
	const size_t len = strlen(text);
	struct err err;
	t->mode = t->mode == MODE_COPY ? MODE_LOOK : t->mode;
	if (!clipboard_possible(term ? term : "")) {
		err_set(&err, "the terminal %s has no clipboard; instead: %s",
			text_quote(&t->frame, term ? term : "", strlen(term ? term : "")),
			app->copy.instead);
		tui_complain(t, &err);
		return;
	}
	if (len > CLIPBOARD_MOST) {
		err_set(&err, "%s has %zu bytes, and terminals take no more than %d; instead: %s",
			app->copy.what, len, CLIPBOARD_MOST, app->copy.instead);
		tui_complain(t, &err);
		return;
	}
	terminal_past(arena_printf(&t->frame, "\033]52;c;%s\033\\",
				   clipboard_base64(text, len, &t->frame)));
	app_say(app, "copied %s (OSC 52, %s)", app->copy.what, condition());
}

/* ---- the key in front -------------------------------------------------------------------- */

void copy_open(struct tui *t)
{
	t->mode = MODE_COPY;
	tui_dirty(t, 0);
}

bool copy_answer(struct tui *t, enum request what)
{
	(void)t;
	return what == REQUEST_BACK;
}
