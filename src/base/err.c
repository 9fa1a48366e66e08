/* err.c: messages for the user, and the two ways to leave at once.
 *
 * die may be called from any thread, so it leaves by _exit: handlers of exit would run while the
 * other threads still use what they tear down. */
#include "posviz/base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "posviz/base/cleanup.h"

/* Cuts a message that was too long at the last whole character. */
static void drop_partial_character(char *text, size_t len)
{
	size_t start = len;
	while (start > 0 && len - start < 4 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
		start--;
	if (start == 0 || (unsigned char)text[start - 1] < 0xC0)
		return;
	const unsigned char lead = (unsigned char)text[--start];
	const size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
	if (len - start < want)
		text[start] = '\0';
}

/* Stores the formatted message. It comes from a second buffer, because its arguments may point
 * into the old message. */
static void store(struct err *err, const char *text)
{
	const size_t len = strnlen(text, sizeof err->text - 1);
	memcpy(err->text, text, len);
	err->text[len] = '\0';
	drop_partial_character(err->text, len);
}

bool err_set(struct err *err, const char *fmt, ...)
{
	if (err == NULL)
		return false;
	char text[sizeof err->text];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	store(err, text);
	err->kind = ERR_PLAIN;
	return false;
}

bool err_prefix(struct err *err, const char *fmt, ...)
{
	if (err == NULL)
		return false;
	char text[2 * sizeof err->text];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof err->text, fmt, args);
	va_end(args);
	const size_t len = strlen(text);
	snprintf(text + len, sizeof text - len, "%s", err->text);
	store(err, text);
	return false;
}

void die(const char *fmt, ...)
{
	cleanup_undo();
	char text[sizeof(struct err)];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	fprintf(stderr, "posviz: %s\n", text);
	_exit(2);
}

void err_bug(const char *file, int line, const char *fmt, ...)
{
	cleanup_undo();
	char text[sizeof(struct err)];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	fprintf(stderr, "posviz: bug at %s:%d: %s\n", file, line, text);
	abort();
}
