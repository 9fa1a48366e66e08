/* err.h: the three kinds of error.
 *
 * What the user or a file did wrong is returned: the function answers false and fills `struct err`
 * with one line that names the place and the remedy. BUG is our own mistake, die the machine's;
 * both undo what cleanup.h says before they write and leave. */
#ifndef POSVIZ_ERR_H
#define POSVIZ_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* What a caller may decide by; the text is for people alone. */
enum err_kind {
	ERR_PLAIN,
	ERR_OF_TWO /* it names two members that do not go together */
};

struct err {
	char text[512]; /* one line, lower case, no full stop; "" means none */
	enum err_kind kind;
};

/* Fills `err` (which may be NULL), of no kind, and returns false, so that `return err_set(...)` reads well.
 * Text that comes from outside must be passed through text_quote first. */
bool err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts a place in front of the message: "file.txt:3: " and the like. Returns false. */
bool err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The machine failed (no memory, no thread): restores the terminal, says why, exits with 2. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* An invariant of ours does not hold: restores the terminal, says where, aborts. */
#define BUG(...) err_bug(__FILE__, __LINE__, __VA_ARGS__)
void err_bug(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), noreturn));

#define BUG_IF(condition)                      \
	do {                                   \
		if (condition)                 \
			BUG("%s", #condition); \
	} while (0)

#endif
