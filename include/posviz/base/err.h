/* err.h: the three kinds of error.
 *
 * A mistake of the user or in a file is returned: the function returns false and fills `struct
 * err` with one line that names the place and the remedy. BUG is a mistake of this program, die
 * a failure of the machine; both clean up as cleanup.h describes before they write their message
 * and leave. */
#ifndef POSVIZ_ERR_H
#define POSVIZ_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* The kinds by which a caller may decide what to do; the text is only for people. */
enum err_kind {
	ERR_PLAIN,
	ERR_OF_TWO /* it names two members that do not go together */
};

struct err {
	char text[512]; /* one line, lower case, no full stop; "" means none */
	enum err_kind kind;
};

/* Fills `err` (which may be NULL) with an error of kind ERR_PLAIN and returns false, so that
 * `return err_set(...)` reads well. Text that comes from outside must be passed through
 * text_quote first. */
bool err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts a location in front of the message: "file.txt:3: " and the like. Returns false. */
bool err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Reports a failure of the machine (no memory, no thread): cleans up, says why, exits with 2. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Reports a broken invariant of this program: cleans up, says where, aborts. */
#define BUG(...) err_bug(__FILE__, __LINE__, __VA_ARGS__)
void err_bug(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), noreturn));

#define BUG_IF(condition)                      \
	do {                                   \
		if (condition)                 \
			BUG("%s", #condition); \
	} while (0)

#endif
