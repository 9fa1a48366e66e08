/* help_keys.h: the bytes that a terminal sends for the keys in the table of keys. */
#ifndef HELP_KEYS_H
#define HELP_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum { KEY_BYTES = 32 };

/* Finds the bytes of "Up", "Ctrl-r", "Enter", "Space", "j", as xterm sends them to a program that
 * asked for application keys; returns false if there is no such key. */
bool key_bytes(const char *name, char out[KEY_BYTES]);

/* Makes the bytes of a mouse event (SGR, 1006) at a cell counted from 0. `button` as in the
 * protocol: 0 left, 32 moved with the left one held, 64 wheel up, 65 wheel down. */
void key_mouse(int button, int row, int col, bool pressed, char out[KEY_BYTES]);

#endif
