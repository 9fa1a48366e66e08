/* png_pack.c: the pixels of a PNG, compressed by zlib on all threads.
 *
 * The rows are divided into parts, and each part is compressed separately, as if the data before it
 * had been compressed as well: it gets the last 32 kB of them as its dictionary. All but the last
 * part end at a whole byte, so that they form one stream. The division depends on the size alone:
 * the number of threads changes no byte. */
#include "export/png_pack.h"

#include <string.h>
#include <zlib.h>

#include "posviz/math/machine.h"

enum { PART = 1 << 20, WINDOW = 32 << 10, HEAD = 2, SUM = 4 };

struct part {
	struct arena arena; /* each thread allocates memory for itself */
	uint8_t *at;
	size_t len;
	uLong sum; /* checksum of its data before compression */
};

struct packing {
	const struct png_rows *rows;
	size_t each; /* rows of a part */
	size_t bound;
	struct part *parts;
	size_t n;
};

/* Fills the window with the end of the rows before this one, with a filter byte before each row;
 * returns its length. */
static size_t fill_window(const struct png_rows *rows, size_t row, uint8_t window[WINDOW])
{
	size_t room = WINDOW;
	while (row-- > 0 && room > 0) {
		const uint8_t *const from = rows->at + row * rows->bytes;
		const size_t taken = rows->bytes < room ? rows->bytes : room;
		room -= taken;
		memcpy(window + room, from + rows->bytes - taken, taken);
		if (room > 0)
			window[--room] = 0;
	}
	memmove(window, window + room, WINDOW - room);
	return WINDOW - room;
}

static void pack_bytes(z_stream *z, struct part *p, const uint8_t *at, size_t n)
{
	p->sum = adler32(p->sum, at, (uInt)n);
	z->next_in = (Bytef *)(uintptr_t)at;
	z->avail_in = (uInt)n;
	BUG_IF(deflate(z, Z_NO_FLUSH) != Z_OK || z->avail_in > 0);
}

/* Opens a stream with parameters measured on figures: their rows are flat areas and repeats of the
 * row above, for which the first match found is good; filters and a search for better matches only
 * cost time. */
static void open_stream(z_stream *z, const struct png_rows *rows, size_t row)
{
	static const int level = 3, raw = -15, memory = 7;
	static const int good = 8, insert = 6, nice = 258, chain = 8;
	*z = (z_stream){0};
	if (deflateInit2(z, level, Z_DEFLATED, raw, memory, Z_DEFAULT_STRATEGY) != Z_OK)
		die("no memory for a PNG");
	deflateTune(z, good, insert, nice, chain);
	uint8_t window[WINDOW];
	const size_t before = fill_window(rows, row, window);
	if (before > 0)
		deflateSetDictionary(z, window, (uInt)before);
}

static void pack_part(void *context, size_t i, size_t worker)
{
	static const uint8_t no_filter = 0;
	const struct packing *const p = context;
	struct part *const part = &p->parts[i];
	const size_t first = i * p->each, end = i + 1 < p->n ? first + p->each : p->rows->n;
	(void)worker;
	z_stream z;
	open_stream(&z, p->rows, first);
	arena_init(&part->arena);
	part->at = z.next_out = arena_alloc(&part->arena, p->bound);
	z.avail_out = (uInt)p->bound;
	part->sum = adler32(0, NULL, 0);
	for (size_t y = first; y < end; y++) {
		pack_bytes(&z, part, &no_filter, 1);
		pack_bytes(&z, part, p->rows->at + y * p->rows->bytes, p->rows->bytes);
	}
	const int done = deflate(&z, i + 1 < p->n ? Z_SYNC_FLUSH : Z_FINISH);
	BUG_IF(done != (i + 1 < p->n ? Z_OK : Z_STREAM_END) || z.avail_out == 0);
	part->len = p->bound - z.avail_out;
	deflateEnd(&z);
}

/* Compresses all parts in parallel; the rows of one part must have less than 4 GB. */
static void pack_parts(struct packing *p, struct arena *a)
{
	const size_t row = 1 + p->rows->bytes;
	static const size_t flush = 16; /* bytes that deflateBound does not count */
	p->each = row < PART ? PART / row : 1;
	p->n = (p->rows->n + p->each - 1) / p->each;
	p->bound = compressBound((uLong)(p->each * row)) + flush;
	p->parts = arena_calloc(a, p->n, sizeof *p->parts);
	machine_parallel(p->n, pack_part, p);
}

void png_pack(const struct png_rows *rows, struct arena *a, uint8_t **data, size_t *len)
{
	/* Zlib header: a window of 32 kB, compressed fast. */
	static const uint8_t head[HEAD] = {0x78, 0x5e};
	struct packing p = {.rows = rows};
	pack_parts(&p, a);
	size_t size = HEAD + SUM;
	for (size_t i = 0; i < p.n; i++)
		size += p.parts[i].len;
	uint8_t *to = *data = arena_alloc(a, size);
	*len = size;
	memcpy(to, head, HEAD);
	to += HEAD;
	uLong sum = adler32(0, NULL, 0);
	for (size_t i = 0; i < p.n; i++) {
		const size_t n = i + 1 < p.n ? p.each : rows->n - i * p.each;
		sum = adler32_combine(sum, p.parts[i].sum, (z_off_t)(n * (1 + rows->bytes)));
		memcpy(to, p.parts[i].at, p.parts[i].len);
		to += p.parts[i].len;
		arena_release(&p.parts[i].arena);
	}
	for (int shift = 24; shift >= 0; shift -= 8)
		*to++ = (uint8_t)(sum >> shift);
}
