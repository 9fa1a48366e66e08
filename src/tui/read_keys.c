/* read_keys.c: from what curses reads to the names that the table of keys uses.
 *
 * Keys are read through a pad of their own: reading from the standard window would draw it. Bytes
 * are put together here and not by curses, which loses those around one that is not UTF-8. What is
 * pasted comes between two marks, so that a pasted line end does not end an input, and a pasted
 * text never runs as commands. Reports of the mouse are read here too: curses knows them only
 * where the terminal's description does, and not beyond column 223. So is what the terminal answers
 * (answers.c): curses tells how an answer begins. */
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/math/machine.h"
#include "terminal.h"

enum {
	PASTE_BEGIN = KEY_MAX + 1,
	PASTE_END,
	MOUSE_REPORT,
	MOUSE_OLD,
	FIRST_OWN,
	FIRST_ANSWER = FIRST_OWN + 32
};
enum { OLD_REPORT_BYTES = 3 };

static const double report_seconds = 0.25; /* the rest of a cut report does not come later, */
static const double answer_seconds = 1;	   /* nor an answer that takes so long in all */

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
	{KEY_IC, "Insert"},
	{KEY_SR, "Shift-Up"},
	{KEY_SF, "Shift-Down"},
	{KEY_SLEFT, "Shift-Left"},
	{KEY_SRIGHT, "Shift-Right"},
};

/* Sequences that descriptions of terminals leave out. */
static const struct {
	const char *bytes, *name;
} own[] = {
	{"\033[1;5A", "Ctrl-Up"},   {"\033[1;5B", "Ctrl-Down"}, {"\033[1;5C", "Ctrl-Right"},
	{"\033[1;5D", "Ctrl-Left"}, {"\033[1;3C", "Alt-Right"}, {"\033[1;3D", "Alt-Left"},
	{"\033b", "Alt-b"},	    {"\033f", "Alt-f"},
};

bool keys_define(void)
{
	static const char *const marks[] = {"\033[200~", "\033[201~", "\033[<", "\033[M"};
	for (int i = 0; i < (int)(sizeof marks / sizeof *marks); i++)
		define_key(marks[i], PASTE_BEGIN + i);
	for (int i = 0; i < (int)(sizeof own / sizeof *own); i++)
		define_key(own[i].bytes, FIRST_OWN + i);
	/* curses takes none that others go on from, and then it is not asked for. */
	bool all = true;
	for (int i = 0; answer_begins[i]; i++) {
		define_key(answer_begins[i], FIRST_ANSWER + i);
		all = all && key_defined(answer_begins[i]) == FIRST_ANSWER + i;
	}
	return all;
}

/* ---- names ------------------------------------------------------------------------------- */

static void name_special(struct key *key, int code)
{
	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if (special[i].code == code)
			snprintf(key->name, sizeof key->name, "%s", special[i].name);
	if (code > KEY_F0 && code <= KEY_F(12))
		snprintf(key->name, sizeof key->name, "F%d", code - KEY_F0);
	if (code >= FIRST_OWN && code < FIRST_OWN + (int)(sizeof own / sizeof *own))
		snprintf(key->name, sizeof key->name, "%s", own[code - FIRST_OWN].name);
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
	if (key->name[0] == '\0' && code > 0 && code < 27)
		snprintf(key->name, sizeof key->name, "Ctrl-%c", (char)(code + 'a' - 1));
}

static void name_text(struct key *key, const char *bytes, size_t len)
{
	memcpy(key->text, bytes, len);
	key->text[len] = '\0';
	const bool blank = strcmp(key->text, " ") == 0;
	snprintf(key->name, sizeof key->name, "%s", blank ? "Space" : key->text);
}

/* ---- UTF-8 ------------------------------------------------------------------------------- */

/* Bytes of the character that begins so; 1 for what begins none. */
static size_t length_of(unsigned char first)
{
	if (first < 0xc2 || first > 0xf4)
		return 1;
	return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}

/* Bytes that are no character type themselves, as a file's would. */
static bool take_byte(struct partial *p, unsigned char byte, struct key *key)
{
	if (p->n_utf8 == 0 && byte < 128) {
		if (byte < 32 || byte == 127)
			name_control(key, byte);
		else
			name_text(key, (const char[]){(char)byte}, 1);
		return key->name[0] != '\0';
	}
	p->utf8[p->n_utf8++] = (char)byte;
	uint32_t code;
	const size_t len = text_decode(p->utf8, p->n_utf8, &code);
	if (len == 0 && p->n_utf8 < length_of((unsigned char)p->utf8[0]) && byte >= 128)
		return false;
	/* The byte that interrupted a character comes next. */
	const bool interrupts = len == 0 && byte < 128;
	name_text(key, p->utf8, len > 0 ? len : p->n_utf8 - interrupts);
	p->n_utf8 = 0;
	if (interrupts)
		ungetch(byte);
	return true;
}

/* ---- answers ------------------------------------------------------------------------------ */

static void begin_answer(struct partial *p, const char *bytes)
{
	answers_begin(&p->answer, bytes);
	p->since = p->last = machine_seconds();
}

/* True when the byte belongs to the answer that is open; `key` says when it ends. */
static bool take_answer(struct terminal *t, int byte, struct key *key)
{
	struct partial *const p = &t->partial;
	const double now = machine_seconds();
	if (now - p->last > report_seconds || now - p->since > answer_seconds)
		p->answer.state = ANSWER_NONE;
	p->last = now;
	if (p->answer.state == ANSWER_NONE ||
	    !answers_take(&p->answer, (unsigned char)byte, &t->answers))
		return false;
	if (p->answer.state == ANSWER_NONE)
		snprintf(key->name, sizeof key->name, "Answer");
	return true;
}

/* ---- mouse ------------------------------------------------------------------------------- */

/* "0;12;5" and its end: what happened; false when it means nothing to us. */
static bool read_report(const char *digits, bool release, struct mouse *out)
{
	enum { SHIFT = 4, MOTION = 32, WHEEL = 64, BUTTON = 3 };
	unsigned long number[3] = {0};
	const char *at = digits;
	for (int i = 0; i < 3; i++) {
		char *end;
		if (*at < '0' || *at > '9')
			return false;
		number[i] = strtoul(at, &end, 10);
		if (*end != (i < 2 ? ';' : '\0') || number[i] > 65535)
			return false;
		at = end + 1;
	}
	const unsigned long what = number[0], button = what & BUTTON;
	if (number[1] < 1 || number[2] < 1 || what >= 128)
		return false;
	*out = (struct mouse){.row = (int)number[2] - 1, .col = (int)number[1] - 1};
	if (what & WHEEL) {
		const bool across = button >= 2 || (what & SHIFT) != 0;
		const int step = button % 2 == 0 ? -1 : 1;
		out->kind = MOUSE_WHEEL;
		out->right = across ? step : 0;
		out->down = across ? 0 : step;
		return !release;
	}
	if (button != 0)
		return false;
	out->kind = release ? MOUSE_RELEASE : what & MOTION ? MOUSE_DRAG : MOUSE_PRESS;
	return true;
}

static void begin_report(struct partial *p, int code)
{
	p->report = code == MOUSE_REPORT;
	p->skip = code == MOUSE_OLD ? OLD_REPORT_BYTES : 0;
	p->n_digits = 0;
	p->since = machine_seconds();
}

/* True when the byte belongs to the report; `key` has an event when it ends one. */
static bool take_report(struct terminal *t, int byte, struct key *key)
{
	struct partial *const p = &t->partial;
	if (machine_seconds() - p->since > report_seconds) {
		p->report = false;
		p->skip = 0;
		return false;
	}
	if (p->skip > 0) {
		p->skip--;
		return true;
	}
	if ((byte >= '0' && byte <= '9') || byte == ';') {
		/* Too many digits say nothing, but are digits. */
		if (p->n_digits + 1 < sizeof p->digits)
			p->digits[p->n_digits++] = (char)byte;
		return true;
	}
	p->report = false;
	if (byte != 'M' && byte != 'm')
		return false;
	p->digits[p->n_digits] = '\0';
	if (t->mouse && !t->pasting && read_report(p->digits, byte == 'm', &key->mouse))
		snprintf(key->name, sizeof key->name, "Mouse");
	return true;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* Returns the beginning of the answer for which the code stands; NULL: it is a key's, as are those that curses gives to
 * keys of the terminal's own. */
static const char *answer_of(int code)
{
	for (int i = 0; answer_begins[i]; i++)
		if (code == FIRST_ANSWER + i)
			return answer_begins[i];
	return NULL;
}

static void take_code(struct terminal *t, int code, struct key *key)
{
	const char *const answer = answer_of(code);
	if (code == PASTE_BEGIN)
		t->pasting = true;
	else if (code == PASTE_END)
		t->pasting = false;
	else if (code == MOUSE_REPORT || code == MOUSE_OLD)
		begin_report(&t->partial, code);
	else if (answer)
		begin_answer(&t->partial, answer);
	else
		name_special(key, code);
}

bool terminal_key(struct terminal *t, struct key *key)
{
	struct partial *const p = &t->partial;
	terminal_hear(t);
	for (;;) {
		const int code = wgetch(t->keys);
		if (code == ERR)
			return false;
		t->codes++;
		*key = (struct key){.pasted = t->pasting};
		if (code > 255) {
			p->report = false;
			p->skip = p->n_utf8 = 0;
			p->answer.state = ANSWER_NONE;
			take_code(t, code, key);
		} else if (take_answer(t, code, key)) {
			;
		} else if (!((p->report || p->skip > 0) && take_report(t, code, key))) {
			take_byte(p, (unsigned char)code, key);
		}
		if (key->name[0])
			return true;
	}
}
