/* fuzz_notes.c: whatever a program says on the socket of the speaker's notes, in pieces of two sizes: nothing is read
 * beyond, both read the same, and what is taken for a message is in range and reads back as it is written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "posviz/base/err.h"
#include "tui/notes_wire.h"

static void check_message(const struct notes_message *m)
{
	static struct notes_reader again;
	static struct notes_message same;
	struct arena a;
	struct strbuf b;
	bool got;
	BUG_IF(m->kind == NOTES_GO && (m->at.step < 1 || m->at.beat < 1));
	BUG_IF(m->kind == NOTES_AT && !(m->at.elapsed >= 0 && m->at.spent >= 0));
	BUG_IF(memchr(m->name, '\0', NOTES_NAME) == NULL);
	arena_init(&a);
	strbuf_init(&b, &a);
	notes_print(m, &b);
	BUG_IF(b.len > NOTES_LINE);
	again.n = 0;
	again.greeted = true;
	again.wrong = false;
	BUG_IF(notes_take(&again, b.at, b.len, &same, &got) != b.len || !got);
	BUG_IF(same.kind != m->kind || strcmp(same.name, m->name) != 0 ||
	       same.at.step != m->at.step || same.steps != m->steps || same.hash != m->hash);
	arena_release(&a);
}

/* How many messages were read. */
static size_t read_all(const char *bytes, size_t len, size_t piece, bool *wrong)
{
	static struct notes_reader r;
	static struct notes_message m;
	size_t n = 0;
	bool got;
	r.n = 0;
	r.greeted = r.wrong = false;
	for (size_t at = 0; at < len;) {
		const size_t part = len - at < piece ? len - at : piece;
		/* In a block of its own: what is read behind it is noticed. */
		char *const copy = malloc(part);
		BUG_IF(!copy);
		memcpy(copy, bytes + at, part);
		const size_t used = notes_take(&r, copy, part, &m, &got);
		free(copy);
		BUG_IF(used > part || r.n >= NOTES_LINE || (used == 0 && !r.wrong));
		if (got)
			check_message(&m);
		n += got;
		if (used == 0)
			break;
		at += used;
	}
	*wrong = r.wrong;
	return n;
}

FUZZ(notes)
{
	bool wrong, also;
	const char *const bytes = (const char *)data;
	const size_t n = read_all(bytes, size, 4096, &wrong);
	BUG_IF(read_all(bytes, size, 3, &also) != n || wrong != also);
	return 0;
}
