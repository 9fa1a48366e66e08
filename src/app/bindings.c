/* bindings.c: the one table of keys. Help, footer and manual are printed from it.
 *
 * A context is a kind of pane or a mode; a key that it does not bind means what it means
 * everywhere. Modes ("permute", "find") bind all they need: other keys do nothing there, but
 * Ctrl-c, Ctrl-z and Ctrl-l, which work whatever is open. */
#include <string.h>

#include "posviz/app.h"

const struct binding bindings[] = {
	{"", "?", "help", "the keys that work here", "help"},
	{"", "/", "find", "find a scheme as you type: name, author, year, family", "scheme"},
	{"", "J", "scheme-next", "next scheme", NULL},
	{"", "K", "scheme-prev", "previous scheme", NULL},
	{"", "]", "scheme-next", "next scheme", NULL},
	{"", "[", "scheme-prev", "previous scheme", NULL},
	{"", "e", "edit", "edit the sentence", "edit"},
	{"", "p", "permute", "move tokens", "permute"},
	{"", "m", "matrix next", "next matrix beside the bias", "matrix"},
	{"", ",", "head prev", "previous head", "head"},
	{"", ".", "head next", "next head", "head"},
	{"", ";", "layer prev", "previous layer", NULL},
	{"", "'", "layer next", "next layer", NULL},
	{"", "<", "layer prev", "previous layer", NULL},
	{"", ">", "layer next", "next layer", NULL},
	{"", "+", "step +1", "more of the chosen parameter", "param"},
	{"", "-", "step -1", "less of it", "param"},
	{"", "=", "step +1", "more of the chosen parameter", NULL},
	{"", ")", "param-next", "choose the next parameter", NULL},
	{"", "(", "param-prev", "choose the previous parameter", NULL},
	{"", "Backspace", "reset-param", "the chosen parameter's default", NULL},
	{"", "s", "snapshot", "write the figure as PNG", "snapshot"},
	{"", ":", "command", "type a command; Tab completes, Up and Down recall", "command"},
	{"", "c", "causal", "causal mask on and off", "causal"},
	{"", "a", "add-member", "add a member to the expression", NULL},
	{"", "d", "remove", "remove the last member", NULL},
	{"", "i", "proj next", "projection: identity, tied, random", NULL},
	{"", "w", "probe next", "bias of the probe, or of the real sentence", NULL},
	{"", "M", "colormap next", "next colour map", NULL},
	{"", "L", "lock", "lock the colours' limits, and back", NULL},
	{"", "z", "zoom", "one pane on the whole screen, and back", NULL},
	{"", "Tab", "pane next", "next pane", NULL},
	{"", "Shift-Tab", "pane prev", "previous pane", NULL},
	{"", "u", "undo", "take back", "undo"},
	{"", "Ctrl-r", "redo", "do again", NULL},
	{"", "Up", "cursor up", "move the cell", NULL},
	{"", "Down", "cursor down", "move the cell", NULL},
	{"", "Left", "cursor left", "move the cell", NULL},
	{"", "Right", "cursor right", "move the cell", NULL},
	{"", "k", "cursor up", "move the cell", NULL},
	{"", "j", "cursor down", "move the cell", NULL},
	{"", "h", "cursor left", "move the cell", NULL},
	{"", "l", "cursor right", "move the cell", NULL},
	{"", "g", "cursor top", "first row", NULL},
	{"", "G", "cursor bottom", "last row", NULL},
	{"", "Home", "cursor first", "first column", NULL},
	{"", "End", "cursor last", "last column", NULL},
	{"", "PgUp", "cursor page-up", "eight rows up", NULL},
	{"", "PgDn", "cursor page-down", "eight rows down", NULL},
	{"", "Esc", "back", "leave what is open", NULL},
	{"", "Ctrl-l", "redraw", "draw the screen anew", NULL},
	{"", "Ctrl-z", "suspend", "stop, until the shell's fg", NULL},
	{"", "Ctrl-c", "quit", "leave, always", NULL},
	{"", "q", "quit", "leave", "quit"},

	{"matrix", "Enter", "why", "why this cell? its arithmetic", NULL},

	{"card", "Up", "param-prev", "choose the previous parameter", NULL},
	{"card", "Down", "param-next", "choose the next parameter", NULL},
	{"card", "k", "param-prev", "choose the previous parameter", NULL},
	{"card", "j", "param-next", "choose the next parameter", NULL},
	{"card", "Left", "step -1", "less of it", NULL},
	{"card", "Right", "step +1", "more of it", NULL},
	{"card", "Enter", "value", "type a value for the chosen parameter", "value"},

	{"schemes", "Up", "scheme-prev", "previous scheme", NULL},
	{"schemes", "Down", "scheme-next", "next scheme", NULL},
	{"schemes", "k", "scheme-prev", "previous scheme", NULL},
	{"schemes", "j", "scheme-next", "next scheme", NULL},
	{"schemes", "Enter", "find", "find a scheme as you type", NULL},

	{"permute", "Left", "token-left", "the token before, or the lifted one to the left",
	 "choose"},
	{"permute", "Right", "token-right", "the token after, or the lifted one to the right",
	 "choose"},
	{"permute", "h", "token-left", "the token before, or the lifted one to the left", NULL},
	{"permute", "l", "token-right", "the token after, or the lifted one to the right", NULL},
	{"permute", "Home", "token-first", "the first place", NULL},
	{"permute", "End", "token-last", "the last place", NULL},
	{"permute", "Space", "lift", "lift the token, or drop it", "lift, drop"},
	{"permute", "r", "shuffle", "a random order; again for the next one", "shuffle"},
	{"permute", "R", "reverse", "reverse the order", "reverse"},
	{"permute", "o", "restore", "the order as written", "restore"},
	{"permute", "u", "undo", "take back", NULL},
	{"permute", "Ctrl-r", "redo", "do again", NULL},
	{"permute", "?", "help", "the keys that work here", NULL},
	{"permute", "p", "back", "done", NULL},
	{"permute", "q", "back", "done", NULL},
	{"permute", "Enter", "back", "done", NULL},
	{"permute", "Esc", "back", "drop the token, or done", "done"},

	{"find", "Down", "match-next", "next match", "choose"},
	{"find", "Up", "match-prev", "previous match", "choose"},
	{"find", "Enter", "accept", "look at it", "take"},
	{"find", "Esc", "back", "back to where you were", "back"},
	{0},
};

/* Modes bind all they need. */
static bool is_mode(const char *context)
{
	return strcmp(context, "permute") == 0 || strcmp(context, "find") == 0;
}

const struct binding *binding_find(const char *context, const char *key)
{
	const struct binding *everywhere = NULL;
	for (const struct binding *b = bindings; b->key; b++) {
		if (strcmp(b->key, key) != 0)
			continue;
		if (*context && strcmp(b->context, context) == 0)
			return b;
		if (*b->context == '\0')
			everywhere = b;
	}
	return is_mode(context) ? NULL : everywhere;
}
