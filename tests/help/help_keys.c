/* help_keys.c: converts names of keys into the bytes of xterm. */
#include "help_keys.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *bytes;
} special[] = {
	{"Up", "\033OA"},      {"Down", "\033OB"},	{"Right", "\033OC"},
	{"Left", "\033OD"},    {"Home", "\033OH"},	{"End", "\033OF"},
	{"PgUp", "\033[5~"},   {"PgDn", "\033[6~"},	{"Insert", "\033[2~"},
	{"Delete", "\033[3~"}, {"Shift-Tab", "\033[Z"}, {"Tab", "\t"},
	{"Enter", "\r"},       {"Esc", "\033"},		{"Space", " "},
	{"Backspace", "\177"}, {"F1", "\033OP"},	{"F2", "\033OQ"},
	{"F3", "\033OR"},      {"F4", "\033OS"},	{"F5", "\033[15~"},
	{"F6", "\033[17~"},    {"F7", "\033[18~"},	{"F8", "\033[19~"},
	{"F9", "\033[20~"},    {"F10", "\033[21~"},	{"F11", "\033[23~"},
	{"F12", "\033[24~"},
};

bool key_bytes(const char *name, char out[KEY_BYTES])
{
	for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
		if (strcmp(special[i].name, name) == 0) {
			snprintf(out, KEY_BYTES, "%s", special[i].bytes);
			return true;
		}
	}
	const bool alt = strncmp(name, "Alt-", 4) == 0, left = strstr(name, "-Left") != NULL;
	if (left || strstr(name, "-Right")) {
		snprintf(out, KEY_BYTES, "\033[1;%d%c", alt ? 3 : 5, left ? 'D' : 'C');
		return true;
	}
	if (alt && strlen(name) == 5) {
		snprintf(out, KEY_BYTES, "\033%c", name[4]);
		return true;
	}
	const bool control = strncmp(name, "Ctrl-", 5) == 0 && name[5] >= 'a' && name[5] <= 'z';
	if (control && name[6] == '\0')
		snprintf(out, KEY_BYTES, "%c", name[5] - 'a' + 1);
	else
		snprintf(out, KEY_BYTES, "%s", name);
	/* Counts characters: each is a byte that does not continue another. */
	size_t n = 0;
	for (const char *c = out; *c; c++)
		n += ((unsigned char)*c & 0xC0) != 0x80;
	return n == 1;
}

void key_mouse(int button, int row, int col, bool pressed, char out[KEY_BYTES])
{
	snprintf(out, KEY_BYTES, "\033[<%d;%d;%d%c", button, col + 1, row + 1, pressed ? 'M' : 'm');
}
