/* notes_wire.h: what the terminal that shows a tour and those with the speaker's notes say to each other.
 *
 * Lines of text, each ended by a line feed and with it at most NOTES_LINE bytes long. Steps and beats count from 1,
 * beats within their step, times are seconds.
 *
 *	posviz-notes 1                                     both sides, first: the version of these lines
 *	tour STEPS BEATS HASH NAME                         what is shown: one of ours by its name, a file by its absolute path
 *	at STEP.BEAT ELAPSED SPENT on|off runs|stands      where it is: seconds of the tour and of the step; off: something
 *	                                                   was changed by hand; stands: the clock does
 *	over                                               it was left
 *	next    back                                       of the speaker: as the keys
 *	go STEP.BEAT                                       to that one
 *	pause                                              the clock stands, or runs again
 *	clock ELAPSED                                      it is so late, as it was before the tour was begun anew
 *
 * In NAME a control character or % is written %XX. Whatever else is said is wrong, and nothing that follows it is
 * read. */
#ifndef POSVIZ_TUI_NOTES_WIRE_H
#define POSVIZ_TUI_NOTES_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posviz/base/strbuf.h"
#include "posviz/tour/tour.h"

enum { NOTES_VERSION = 1, NOTES_NAME = 4096, NOTES_LINE = 3 * NOTES_NAME + 128 };

enum notes_kind {
	NOTES_HELLO,
	NOTES_TOUR,
	NOTES_AT,
	NOTES_OVER,
	NOTES_NEXT,
	NOTES_BACK,
	NOTES_GO,
	NOTES_PAUSE,
	NOTES_CLOCK
};

/* A place in a tour, and its clock. */
struct notes_at {
	size_t step, beat; /* from 1 */
	double elapsed, spent;
	bool off, stands;
};

struct notes_message {
	enum notes_kind kind;
	long version;
	struct notes_at at; /* of `go` step and beat, of `clock` elapsed */
	size_t steps, beats;
	uint64_t hash;
	char name[NOTES_NAME];
};

struct notes_reader {
	char line[NOTES_LINE];
	size_t n;
	bool greeted;
	bool wrong;   /* something was said that is no message, or in another version; for good */
	long version; /* that the other side speaks; 0: not said yet */
};

/* Takes bytes up to the end of a line: returns how many, 0 when none are left or the other side is wrong. *got: `out` has
 * a message of the same version, greetings aside. */
size_t notes_take(struct notes_reader *r, const char *bytes, size_t len, struct notes_message *out,
		  bool *got);
void notes_print(const struct notes_message *m, struct strbuf *out);

/* A number for all that the speaker's terminal shows of a tour: equal texts have the same. */
uint64_t notes_hash(const struct tour *t);
/* Hash of bytes; `from`: of those before them, NOTES_EMPTY at first. */
#define NOTES_EMPTY 14695981039346656037u
uint64_t notes_hash_bytes(uint64_t from, const char *bytes, size_t len);

#endif
