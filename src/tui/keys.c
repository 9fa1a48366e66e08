/* keys.c: from what curses reads to the names that the table of keys uses.
 *
 * Keys are read through a pad of their own: reading from the standard window would draw it. What
 * is pasted comes between two marks, so that a pasted line end does not end an input, and a
 * pasted text never runs as commands. */
#include <curses.h>
#include <stdio.h>
#include <string.h>

#include "posviz/text.h"
#include "terminal.h"

enum { PASTE_BEGIN = KEY_MAX + 1, PASTE_END = KEY_MAX + 2 };

static const struct {
	int code;
	const char *name;
} special[] = {
	{KEY_UP, "Up"},
	{KEY_DOWN, "Down"},
	{KEY_LEFT, "Left"},
	{KEY_RIGHT, "Right"},
	{KEY_HOME, "Home"},
	{KEY_END, "End"},
	{KEY_PPAGE, "PgUp"},
	{KEY_NPAGE, "PgDn"},
	{KEY_BTAB, "Shift-Tab"},
	{KEY_ENTER, "Enter"},
	{KEY_BACKSPACE, "Backspace"},
	{KEY_DC, "Delete"},
	{KEY_F(1), "F1"},
	{KEY_F(5), "F5"},
	{KEY_IC, "Insert"},
};

static void name_special(struct key *key, int code)
{
	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if (special[i].code == code)
			snprintf(key->name, sizeof key->name, "%s", special[i].name);
}

static void name_control(struct key *key, unsigned code)
{
	static const struct {
		unsigned code;
		const char *name;
	} names[] = {{'\t', "Tab"}, {'\r', "Enter"},	{'\n', "Enter"},
		     {27, "Esc"},   {127, "Backspace"}, {8, "Backspace"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].code == code)
			snprintf(key->name, sizeof key->name, "%s", names[i].name);
	if (key->name[0] == '\0' && code < 32)
		snprintf(key->name, sizeof key->name, "Ctrl-%c", (char)(code + 'a' - 1));
}

static void name_character(struct key *key, uint32_t code)
{
	if (code < 32 || code == 127) {
		name_control(key, code);
		return;
	}
	key->text[text_encode(key->text, code)] = '\0';
	snprintf(key->name, sizeof key->name, "%s", code == ' ' ? "Space" : key->text);
}

bool terminal_key(struct terminal *t, struct key *key)
{
	for (;;) {
		wint_t code;
		const int kind = wget_wch(t->keys, &code);
		if (kind == ERR)
			return false;
		*key = (struct key){.pasted = t->pasting};
		if (kind == KEY_CODE_YES && (int)code == PASTE_BEGIN)
			t->pasting = true;
		else if (kind == KEY_CODE_YES && (int)code == PASTE_END)
			t->pasting = false;
		else if (kind == KEY_CODE_YES)
			name_special(key, (int)code);
		else
			name_character(key, (uint32_t)code);
		if (key->name[0])
			return true;
	}
}
