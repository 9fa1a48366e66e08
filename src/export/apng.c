/* apng.c: consecutive pictures in one PNG (APNG): the first is a PNG for every reader, the others
 * are chunks that readers which know them show in its place (PNG, third edition, 4.9 and 11.3.6).
 *
 * A frame is kept until the next one is known: an equal one makes it longer. Of each frame but the
 * first, only the rectangle that differs from the frame before is written. */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "export/png_pack.h"
#include "posviz/export/export.h"

enum { ACTL_AT = 8 + 25, COLOURS = 3 }; /* position of acTL: after the signature and IHDR */
static const double longest = 65.535;	/* seconds: the delay in thousandths has two bytes */

struct rectangle {
	int x, y, width, height;
};

struct apng {
	struct strbuf out;
	struct arena arena;    /* for the frame that is kept */
	struct image shown;    /* the picture after that frame */
	struct rectangle kept; /* its changed rectangle; width 0: no frame is kept */
	double seconds;
	uint8_t *data;
	size_t len;
	uint32_t frames, sequence;
	bool loop;
};

/* ---- chunks ---------------------------------------------------------------------------------- */

static void put_number(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_short(uint8_t *at, unsigned value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

/* Adds a chunk: the length, the name, the data in two parts, and the checksum of all but the
 * length. */
static void add_chunk(struct strbuf *out, const char *name, const uint8_t *first, size_t n_first,
		      const uint8_t *second, size_t n_second)
{
	uint8_t number[4];
	put_number(number, (uint32_t)(n_first + n_second));
	strbuf_add_n(out, (const char *)number, sizeof number);
	const size_t from = out->len;
	strbuf_add_n(out, name, 4);
	strbuf_add_n(out, (const char *)first, n_first);
	if (n_second > 0)
		strbuf_add_n(out, (const char *)second, n_second);
	put_number(number,
		   (uint32_t)crc32(0, (const Bytef *)out->at + from, (uInt)(out->len - from)));
	strbuf_add_n(out, (const char *)number, sizeof number);
}

static void begin_file(struct strbuf *out, const struct image *image)
{
	static const char signature[] = "\211PNG\r\n\032\n";
	static const uint8_t perceptual = 0, unknown[8] = {0};
	uint8_t head[13] = {[8] = 8, [9] = 2}; /* bits of a sample; colour type: red, green, blue */
	put_number(head, (uint32_t)image->width);
	put_number(head + 4, (uint32_t)image->height);
	strbuf_add_n(out, signature, sizeof signature - 1);
	add_chunk(out, "IHDR", head, sizeof head, NULL, 0);
	BUG_IF(out->len != ACTL_AT);
	add_chunk(out, "acTL", unknown, sizeof unknown, NULL, 0); /* filled in at the end */
	add_chunk(out, "sRGB", &perceptual, 1, NULL, 0);
}

/* Adds the control chunk of a frame: its rectangle, and its delay in thousandths of a second; the
 * frame stays, and the next is drawn over it without blending. */
static void add_control(struct apng *p)
{
	uint8_t at[26] = {0};
	put_number(at, p->sequence++);
	put_number(at + 4, (uint32_t)p->kept.width);
	put_number(at + 8, (uint32_t)p->kept.height);
	put_number(at + 12, (uint32_t)p->kept.x);
	put_number(at + 16, (uint32_t)p->kept.y);
	put_short(at + 20, (unsigned)lround(fmin(p->seconds, longest) * 1000));
	put_short(at + 22, 1000);
	add_chunk(&p->out, "fcTL", at, sizeof at, NULL, 0);
}

static void send_kept(struct apng *p)
{
	uint8_t number[4];
	if (p->kept.width == 0)
		return;
	add_control(p);
	if (p->frames++ == 0) {
		add_chunk(&p->out, "IDAT", p->data, p->len, NULL, 0);
		return;
	}
	put_number(number, p->sequence++);
	add_chunk(&p->out, "fdAT", number, sizeof number, p->data, p->len);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static const uint8_t *row_of(const struct image *image, int y)
{
	return image->rgb + (size_t)y * (size_t)image->width * COLOURS;
}

/* Returns the rectangle in which the images differ; width 0: they are equal. */
static struct rectangle changed(const struct image *a, const struct image *b)
{
	const size_t bytes = (size_t)a->width * COLOURS;
	int top = 0, bottom = a->height, left = a->width, right = 0;
	while (top < bottom && memcmp(row_of(a, top), row_of(b, top), bytes) == 0)
		top++;
	while (bottom > top && memcmp(row_of(a, bottom - 1), row_of(b, bottom - 1), bytes) == 0)
		bottom--;
	for (int y = top; y < bottom; y++) {
		const uint8_t *const one = row_of(a, y), *const other = row_of(b, y);
		int x = 0, end = a->width;
		while (x < left && memcmp(one + x * COLOURS, other + x * COLOURS, COLOURS) == 0)
			x++;
		while (end > right &&
		       memcmp(one + (end - 1) * COLOURS, other + (end - 1) * COLOURS, COLOURS) == 0)
			end--;
		left = x < left ? x : left;
		right = end > right ? end : right;
	}
	return top < bottom ? (struct rectangle){left, top, right - left, bottom - top}
			    : (struct rectangle){0};
}

static void keep(struct apng *p, const struct image *frame, struct rectangle r, double seconds)
{
	const size_t bytes = (size_t)r.width * COLOURS;
	arena_clear(&p->arena);
	uint8_t *const part = arena_alloc(&p->arena, bytes * (size_t)r.height);
	for (int y = 0; y < r.height; y++)
		memcpy(part + (size_t)y * bytes, row_of(frame, r.y + y) + r.x * COLOURS, bytes);
	const struct png_rows rows = {.at = part, .n = (size_t)r.height, .bytes = bytes};
	png_pack(&rows, &p->arena, &p->data, &p->len);
	p->kept = r;
	p->seconds = seconds;
}

static void take_first(struct apng *p, const struct image *frame)
{
	const size_t size = (size_t)frame->width * (size_t)frame->height * COLOURS;
	p->shown = (struct image){frame->width, frame->height, arena_alloc(p->out.arena, size)};
	memcpy(p->shown.rgb, frame->rgb, size);
	begin_file(&p->out, frame);
}

struct apng *export_apng_begin(bool loop, struct arena *a)
{
	struct apng *const p = arena_calloc(a, 1, sizeof *p);
	strbuf_init(&p->out, a);
	arena_init(&p->arena);
	p->loop = loop;
	return p;
}

bool export_apng_add(struct apng *p, const struct image *frame, double seconds, struct err *err)
{
	const size_t size = (size_t)frame->width * (size_t)frame->height * COLOURS;
	const bool first = p->shown.rgb == NULL;
	BUG_IF(frame->width <= 0 || frame->height <= 0 || !(seconds >= 0));
	if (!first && (frame->width != p->shown.width || frame->height != p->shown.height))
		return err_set(err,
			       "a frame has %d x %d pixels, the first %d x %d; all of one size "
			       "would be right",
			       frame->width, frame->height, p->shown.width, p->shown.height);
	if (first)
		take_first(p, frame);
	const struct rectangle r = first ? (struct rectangle){0, 0, frame->width, frame->height}
					 : changed(&p->shown, frame);
	if (r.width == 0) {
		p->seconds += seconds;
		return true;
	}
	send_kept(p);
	memcpy(p->shown.rgb, frame->rgb, size);
	keep(p, frame, r, seconds);
	return true;
}

void export_apng_end(struct apng *p, char **data, size_t *len)
{
	struct strbuf control;
	uint8_t numbers[8] = {0};
	BUG_IF(p->kept.width == 0);
	send_kept(p);
	add_chunk(&p->out, "IEND", numbers, 0, NULL, 0);
	put_number(numbers, p->frames);
	put_number(numbers + 4, p->loop ? 0 : 1); /* number of plays; 0: for ever */
	strbuf_init(&control, &p->arena);
	add_chunk(&control, "acTL", numbers, sizeof numbers, NULL, 0);
	memcpy(p->out.at + ACTL_AT, control.at, control.len);
	*data = p->out.at;
	*len = p->out.len;
	arena_release(&p->arena);
}

void export_apng_drop(struct apng *p)
{
	arena_release(&p->arena);
}
