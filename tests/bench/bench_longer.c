/* bench_longer.c: texts, archives and pasted lines of twice the size, beside those of once the size in the same
 * run: how many times as long they take. What grows with the square of the size takes four times as long. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "help_pty.h"
#include "posviz/format/tensor.h"

static const double most = 2.5;

static void judge(const char *what, size_t n, struct pair p)
{
	printf("%-34s %7zu %9.1f  %7zu %9.1f ms  %5.2f times", what, n, p.a, 2 * n, p.b,
	       1 / p.ratio);
	goal_at_most(1 / p.ratio, most, "%s, %zu beside %zu", what, 2 * n, n);
	putchar('\n');
}

/* ---- long words ---------------------------------------------------------------------------------- */

struct words {
	const char *sentence, *format;
};

/* Nine words of as many letters together. */
static const char *long_words(struct arena *a, size_t letters)
{
	enum { WORDS = 9 };
	char *const text = arena_alloc(a, letters + 1);
	for (size_t i = 0; i < letters; i++)
		text[i] = (i + 1) % (letters / WORDS) == 0 ? ' ' : (char)('a' + i % 7);
	text[letters] = '\0';
	return text;
}

static void render_words(void *context)
{
	const struct words *const w = context;
	struct spent spent;
	if (!spend((const char *const[]){program_path(), "render", "rope", "-s", w->sentence,
					 "--format", w->format, "-o", "/dev/null", "--force", NULL},
		   &spent))
		printf("render of long words failed\n");
}

static void bench_words(const char *format, const char *what)
{
	enum { LETTERS = 60000, ROUNDS = 5 }; /* an argument may have 128 kB */
	struct arena a;
	arena_init(&a);
	struct words once = {long_words(&a, LETTERS), format};
	struct words twice = {long_words(&a, (size_t)2 * LETTERS), format};
	judge(what, LETTERS, measure_pair(render_words, &once, render_words, &twice, ROUNDS));
	arena_release(&a);
}

/* ---- archives ------------------------------------------------------------------------------------ */

struct archive {
	char *data;
	size_t len;
};

static void make_archive(struct archive *out, size_t arrays, struct arena *a)
{
	struct tensor_set set;
	struct err err;
	double one = 1;
	tensor_set_init(&set, a);
	for (size_t i = 0; i < arrays; i++)
		tensor_set_add(&set, arena_printf(a, "layer.%zu.weight", i),
			       (struct mat){.at = &one, .rows = 1, .cols = 1, .stride = 1}, true);
	if (!tensor_write_npz(&set, a, &out->data, &out->len, &err))
		die("%s", err.text);
}

static void read_archive(void *context)
{
	const struct archive *const z = context;
	struct tensor_set set;
	struct arena a;
	struct err err;
	arena_init(&a);
	tensor_set_init(&set, &a);
	if (!tensor_read_npz(&set, "z.npz", z->data, z->len, &err))
		die("%s", err.text);
	arena_release(&a);
}

static void bench_archives(void)
{
	enum { ARRAYS = 8192, ROUNDS = 7 };
	struct archive once, twice;
	struct arena a;
	arena_init(&a);
	make_archive(&once, ARRAYS, &a);
	make_archive(&twice, (size_t)2 * ARRAYS, &a);
	judge("npz of arrays", ARRAYS,
	      measure_pair(read_archive, &once, read_archive, &twice, ROUNDS));
	arena_release(&a);
}

/* ---- pasting ------------------------------------------------------------------------------------- */

struct paste {
	struct pty *pty;
	const char *text;
};

/* Into the line of the search, and away again. */
static void paste(void *context)
{
	const struct paste *const p = context;
	pty_type(p->pty, "/\033[200~");
	pty_type(p->pty, p->text);
	pty_type(p->pty, "\033[201~");
	pty_settle(p->pty);
	pty_type(p->pty, "\033");
	pty_settle(p->pty);
}

static void bench_pastes(void)
{
	enum { LETTERS = 2000, ROUNDS = 5 };
	static const struct pty_look look = {.rows = 36, .cols = 120};
	struct pty p;
	struct arena a;
	arena_init(&a);
	struct paste once = {&p, long_words(&a, LETTERS)};
	struct paste twice = {&p, long_words(&a, (size_t)2 * LETTERS)};
	pty_start(&p, &look);
	if (pty_wait(&p, "ms") && pty_settle(&p))
		judge("letters pasted into a search", LETTERS,
		      measure_pair(paste, &once, paste, &twice, ROUNDS));
	pty_stop(&p);
	arena_release(&a);
}

void bench_longer(void)
{
	printf("\nof twice the size beside once the size; medians of rounds in which both take turns\n");
	bench_words("txt", "letters of 9 words, as text");
	bench_words("png", "letters of 9 words, as a page");
	bench_archives();
	bench_pastes();
}
