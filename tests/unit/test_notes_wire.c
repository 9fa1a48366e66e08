/* test_notes_wire.c: what terminals with a tour and with its notes say to each other: read back as it was written,
 * whatever pieces it comes in; and nothing else is read. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "tui/notes_wire.h"

FIXTURE(open_arena, close_arena)

static struct notes_reader *new_reader(void)
{
	return arena_calloc(&arena, 1, sizeof(struct notes_reader));
}

/* Feeds bytes in pieces of so many; how many messages came, the last in *out. */
static size_t feed(struct notes_reader *r, const char *bytes, size_t len, size_t piece,
		   struct notes_message *out)
{
	struct notes_message m;
	size_t n = 0;
	bool got;
	for (size_t at = 0; at < len && !r->wrong;) {
		const size_t part = len - at < piece ? len - at : piece;
		const size_t used = notes_take(r, bytes + at, part, &m, &got);
		n += got;
		if (got)
			*out = m;
		if (used == 0 && !r->wrong)
			fail_msg("nothing was taken at %zu", at);
		at += used;
	}
	return n;
}

static const struct notes_message samples[] = {
	{.kind = NOTES_TOUR,
	 .steps = 12,
	 .beats = 20,
	 .hash = 0x0123456789abcdefu,
	 .name = "order"},
	{.kind = NOTES_TOUR,
	 .steps = 1,
	 .beats = 1,
	 .name = "/home/me/my talks/100%\n\x7f \xc3\xa9t\xc3\xa9 \xff.tour"},
	{.kind = NOTES_AT, .at = {3, 2, 761.5, 42.25, true, false}},
	{.kind = NOTES_AT, .at = {12, 1, 0, 0, false, true}},
	{.kind = NOTES_OVER},
	{.kind = NOTES_NEXT},
	{.kind = NOTES_BACK},
	{.kind = NOTES_GO, .at = {.step = 70, .beat = 3}},
	{.kind = NOTES_PAUSE},
	{.kind = NOTES_CLOCK, .at = {.elapsed = 1800}}};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void assert_same(const struct notes_message *a, const struct notes_message *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->steps, b->steps);
	assert_int_equal(a->beats, b->beats);
	assert_true(a->hash == b->hash);
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->at.step, b->at.step);
	assert_int_equal(a->at.beat, b->at.beat);
	assert_true(a->at.elapsed == b->at.elapsed && a->at.spent == b->at.spent);
	assert_true(a->at.off == b->at.off && a->at.stands == b->at.stands);
}

TEST(messages_are_read_as_they_were_written_in_pieces_of_any_size)
{
	const struct notes_message hello = {.kind = NOTES_HELLO};
	for (size_t piece = 1; piece <= 64; piece = 2 * piece + 1) {
		struct notes_reader *const r = new_reader();
		for (size_t i = 0; i < SAMPLES; i++) {
			struct notes_message m;
			struct strbuf b;
			strbuf_init(&b, &arena);
			if (i == 0)
				notes_print(&hello, &b);
			notes_print(&samples[i], &b);
			assert_int_equal(feed(r, b.at, b.len, piece, &m), 1);
			assert_same(&m, &samples[i]);
		}
		assert_int_equal(r->version, NOTES_VERSION);
	}
}

TEST(the_longest_name_of_escapes_fits_in_a_line)
{
	struct notes_message *const m = arena_calloc(&arena, 2, sizeof *m);
	struct notes_reader *const r = new_reader();
	struct strbuf b;
	strbuf_init(&b, &arena);
	m->kind = NOTES_TOUR;
	m->steps = m->beats = 100000;
	m->hash = UINT64_MAX;
	memset(m->name, '\n', NOTES_NAME - 1);
	strbuf_add(&b, "posviz-notes 1\n");
	notes_print(m, &b);
	assert_int_equal(feed(r, b.at, b.len, 1000, m + 1), 1);
	assert_same(m, m + 1);
}

TEST(whatever_else_is_said_ends_it)
{
	static const char *const lines[] = {
		"",
		" ",
		"hello",
		"Next",
		"next ",
		"next 1",
		" next",
		"next\r",
		"posviz-notes 1",
		"go",
		"go ",
		"go 3",
		"go 3.",
		"go .2",
		"go 0.1",
		"go 3.0",
		"go -1.1",
		"go 3.2.1",
		"go 3.2 1",
		"go 99999999999999999999.1",
		"go 1e3.1",
		"clock",
		"clock -1",
		"clock nan",
		"clock inf",
		"clock 1e300",
		"clock 1 2",
		"at 1.1 0 0 on",
		"at 1.1 0 0 on runs ",
		"at 1.1 0 0 ON runs",
		"at 1.1 0 0 on walks",
		"at 1.1  0 on runs",
		"at 1.1 0 x on runs",
		"at 1 0 0 on runs",
		"tour 1 1 0123456789abcdef",
		"tour 1 1 0123456789abcdef ",
		"tour 1 1 0123456789abcde order",
		"tour 1 1 0123456789abcdef0 order",
		"tour 1 1 0123456789ABCDEF order",
		"tour 0 1 0123456789abcdef order",
		"tour 1 1 0123456789abcdef a\tb",
		"tour 1 1 0123456789abcdef %",
		"tour 1 1 0123456789abcdef %0",
		"tour 1 1 0123456789abcdef %0g",
		"tour 1 1 0123456789abcdef a%00b",
		"over and out",
		"\033[2J",
	};
	struct notes_message m;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct notes_reader *const r = new_reader();
		const char *const all =
			arena_printf(&arena, "posviz-notes 1\n%s\nnext\n", lines[i]);
		if (feed(r, all, strlen(all), 7, &m) != 0 || !r->wrong)
			fail_msg("\"%s\" was read", lines[i]);
	}
}

TEST(a_zero_byte_and_a_line_without_end_end_it)
{
	static const char zero[] = "posviz-notes 1\nne\0xt\n";
	static const char name[] = "posviz-notes 1\ntour 1 1 0123456789abcdef o\0rder\n";
	struct notes_message m;
	struct notes_reader *r = new_reader();
	assert_int_equal(feed(r, zero, sizeof zero - 1, 100, &m), 0);
	assert_true(r->wrong);
	r = new_reader();
	assert_int_equal(feed(r, name, sizeof name - 1, 100, &m), 0);
	assert_true(r->wrong);
	r = new_reader();
	char *const endless = arena_calloc(&arena, 1, 2 * NOTES_LINE);
	memset(endless, 'n', 2 * NOTES_LINE);
	assert_int_equal(feed(r, endless, 2 * NOTES_LINE, 999, &m), 0);
	assert_true(r->wrong);
	assert_true(r->n < NOTES_LINE);
}

TEST(the_greeting_comes_first_and_of_another_version_nothing_is_read)
{
	struct notes_message m;
	struct notes_reader *r = new_reader();
	assert_int_equal(feed(r, "next\n", 5, 5, &m), 0);
	assert_true(r->wrong);
	r = new_reader();
	assert_int_equal(feed(r, "posviz-notes 2\nnext\n", 20, 20, &m), 0);
	assert_true(r->wrong);
	assert_int_equal(r->version, 2);
}

TEST(times_that_no_line_takes_are_bounded)
{
	struct notes_message m = {.kind = NOTES_AT, .at = {1, 1, -3, 1e300, false, false}};
	struct notes_reader *const r = new_reader();
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, "posviz-notes 1\n");
	notes_print(&m, &b);
	assert_int_equal(feed(r, b.at, b.len, 100, &m), 1);
	assert_true(m.at.elapsed == 0 && m.at.spent == 1e7);
}

/* ---- telling texts apart ------------------------------------------------------------------ */

static uint64_t hash_of(const char *text)
{
	struct tour t = {0};
	struct tour_report report = {.arena = &arena};
	if (!tour_read("x.tour", text, strlen(text), TOUR_LINES, NULL, NULL, &arena, &t, &report))
		fail_msg("%s", report.lines[0].text);
	return notes_hash(&t);
}

TEST(any_change_of_what_the_speaker_reads_is_another_text)
{
	static const char begin[] = "title A\nsentence a b\nstep One\nsay Two\n";
	static const char *const others[] = {
		"title B\nsentence a b\nstep One\nsay Two\n",
		"title A\nsentence a b\nstep Onf\nsay Two\n",
		"title A\nsentence a b\nstep One\nsay Tw\n",
		"title A\nsentence a b\nstep One\ntime 0:10\nsay Two\n",
		"title A\nsentence a b\nstep One\nsay Two\nnote o\n",
		"title A\nsentence a b\nstep One\nsay Two\nsource o\n",
		"title A\nsentence a b\nstep One\nsay Two\nwait\nsay Two\n",
		"title A\nsentence a b\nstep One\nsay Two\nstep One\nsay Two\n",
		"title A\nsentence a b\nstep One\nask Two\nanswer o\nreveal\nsay o\n",
		"title A\nsentence a b\nstep One\nask Two\noption x\noption y\nanswer a\nreveal\nsay o\n",
		"title A\nsentence a b\nstep One\nask Two\noption x\noption y\nanswer b\nreveal\nsay o\n",
		("title A\nsentence a b\nstep One\nask Two\noption x\noption y\nanswer a\nwrong b w\n"
		 "reveal\nsay o\n")};
	enum { OTHERS = sizeof others / sizeof *others };
	uint64_t all[OTHERS + 1] = {hash_of(begin)};
	assert_true(all[0] ==
		    hash_of("# a comment\ntitle A\nsentence a b\n\nstep One\n  say Two\n"));
	for (size_t i = 0; i < OTHERS; i++) {
		all[i + 1] = hash_of(others[i]);
		for (size_t k = 0; k <= i; k++)
			if (all[k] == all[i + 1])
				fail_msg("number %zu is taken for %zu", i, k);
	}
}
