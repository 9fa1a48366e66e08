/* test_png.c: what is written is what is read, the metadata included; damaged files give errors. */
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_pictures.h"
#include "posviz/export/export.h"
#include "posviz/math/machine.h"

static struct image make_image(struct arena *a, int width, int height, unsigned colours)
{
	struct image image = {width, height, arena_calloc(a, (size_t)width * (size_t)height, 3)};
	for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
		const unsigned c = (unsigned)(i * 7919 % colours);
		image.rgb[3 * i] = (uint8_t)(c * 5);
		image.rgb[3 * i + 1] = (uint8_t)(c >> 8);
		image.rgb[3 * i + 2] = (uint8_t)c;
	}
	return image;
}

static const struct export_text texts[] = {
	{"posviz", "scheme rope+causal\nsentence 'the 猫'"},
	{"Software", "posviz 0.1"},
};

/* The data of a chunk, or NULL; *len gets its length. */
static const uint8_t *find_chunk(const char *data, size_t size, const char *type, size_t *len)
{
	const uint8_t *at = (const uint8_t *)data + 8, *end = (const uint8_t *)data + size;
	while (at + 12 <= end) {
		*len = (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
		if (memcmp(at + 4, type, 4) == 0)
			return at + 8;
		at += 12 + *len;
	}
	return NULL;
}

TEST(png_reads_back_what_was_written)
{
	static const struct {
		int width, height;
		unsigned colours;
		uint8_t type; /* 3 palette, 2 RGB */
	} cases[] = {{1, 1, 1, 3},
		     {31, 17, 256, 3},
		     {31, 17, 257, 2},
		     {200, 100, 5000, 2},
		     /* what is packed in several parts, of long rows and of short ones */
		     {1700, 300, 5000, 2},
		     {9, 20000, 5000, 2},
		     {1400, 1000, 200, 3}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct arena a;
		arena_init(&a);
		const struct image image =
			make_image(&a, cases[i].width, cases[i].height, cases[i].colours);
		char *data;
		size_t size, len, n;
		assert_true(export_png(&image, 96, texts, 2, &a, &data, &size, NULL));
		const uint8_t *ihdr = find_chunk(data, size, "IHDR", &len);
		assert_int_equal(ihdr[9], cases[i].type);
		struct image back;
		struct export_text *found;
		struct err err = {{0}};
		assert_true(export_png_read(data, size, &a, &back, &found, &n, &err));
		assert_int_equal(back.width, image.width);
		assert_int_equal(back.height, image.height);
		assert_memory_equal(back.rgb, image.rgb, 3u * (size_t)(image.width * image.height));
		assert_int_equal(n, 2);
		assert_true(export_png_read(data, size, &a, NULL, &found, &n, &err));
		assert_int_equal(n, 2);
		for (size_t k = 0; k < 2; k++) {
			assert_string_equal(found[k].keyword, texts[k].keyword);
			assert_string_equal(found[k].text, texts[k].text);
		}
		arena_release(&a);
	}
}

TEST(png_says_its_resolution_and_no_time)
{
	struct arena a;
	char *data;
	size_t size, len;
	arena_init(&a);
	const struct image image = make_image(&a, 8, 8, 4);
	assert_true(export_png(&image, 150, texts, 2, &a, &data, &size, NULL));
	const uint8_t *phys = find_chunk(data, size, "pHYs", &len);
	/* 150 / 0.0254 = 5905.5 pixels per metre, rounded: 0x1712. */
	const uint8_t want[9] = {0, 0, 0x17, 0x12, 0, 0, 0x17, 0x12, 1};
	assert_non_null(phys);
	assert_int_equal(len, 9);
	assert_memory_equal(phys, want, 9);
	assert_non_null(find_chunk(data, size, "sRGB", &len));
	assert_null(find_chunk(data, size, "tIME", &len));
	const uint8_t *palette = find_chunk(data, size, "PLTE", &len);
	assert_non_null(palette);
	assert_int_equal(len, 3 * 4);
	arena_release(&a);
}

TEST(png_is_deterministic)
{
	struct arena a;
	char *one, *two;
	size_t one_size, two_size;
	arena_init(&a);
	const struct image image = make_image(&a, 120, 80, 999);
	assert_true(export_png(&image, 96, texts, 2, &a, &one, &one_size, NULL));
	assert_true(export_png(&image, 96, texts, 2, &a, &two, &two_size, NULL));
	assert_int_equal(one_size, two_size);
	assert_memory_equal(one, two, one_size);
	arena_release(&a);
}

struct packing {
	const struct image *image;
	struct arena *a;
	char *data[2];
	size_t size[2];
};

/* Inside of a body everything runs in its thread. */
static void pack_alone(void *context, size_t i, size_t worker)
{
	struct packing *const p = context;
	(void)worker;
	if (i == 0)
		assert_true(
			export_png(p->image, 96, texts, 2, p->a, &p->data[0], &p->size[0], NULL));
}

TEST(png_is_the_same_from_one_thread_and_from_all)
{
	struct arena a;
	arena_init(&a);
	const struct image image = make_image(&a, 1700, 900, 5000);
	struct packing p = {.image = &image, .a = &a};
	machine_parallel(2, pack_alone, &p);
	assert_true(export_png(&image, 96, texts, 2, &a, &p.data[1], &p.size[1], NULL));
	assert_int_equal(p.size[0], p.size[1]);
	assert_memory_equal(p.data[0], p.data[1], p.size[0]);
	arena_release(&a);
}

TEST(png_refuses_an_absurd_resolution)
{
	static const double bad[] = {0, -96, 1e9};
	for (size_t i = 0; i < 3; i++) {
		struct arena a;
		struct err err = {{0}};
		char *data;
		size_t size;
		arena_init(&a);
		const struct image image = make_image(&a, 2, 2, 2);
		assert_false(export_png(&image, bad[i], NULL, 0, &a, &data, &size, &err));
		assert_non_null(strstr(err.text, "dpi"));
		arena_release(&a);
	}
}

/* Cut anywhere: an error, never a crash; only the end of the last chunk may be missed. */
TEST(png_cut_short_is_an_error)
{
	struct arena a;
	char *data;
	size_t size;
	arena_init(&a);
	const struct image image = make_image(&a, 16, 16, 300);
	assert_true(export_png(&image, 96, texts, 2, &a, &data, &size, NULL));
	for (size_t cut = 0; cut < size; cut++) {
		const struct arena_mark mark = arena_mark(&a);
		struct image back;
		struct err err = {{0}};
		assert_false(export_png_read(data, cut, &a, &back, NULL, NULL, &err));
		assert_true(err.text[0] != '\0');
		arena_rewind(&a, mark);
	}
	arena_release(&a);
}

TEST_SAMPLED(png_with_a_flipped_byte_never_crashes, 1, 4)
{
	struct arena a;
	char *data;
	size_t size, tried = 0, failed = 0;
	arena_init(&a);
	const struct image image = make_image(&a, 16, 16, 40);
	assert_true(export_png(&image, 96, texts, 2, &a, &data, &size, NULL));
	for (size_t i = test_part; i < size; i += test_parts, tried++) {
		const struct arena_mark mark = arena_mark(&a);
		struct image back;
		struct err err = {{0}};
		data[i] ^= 0x55;
		failed += !export_png_read(data, size, &a, &back, NULL, NULL, &err);
		data[i] ^= 0x55;
		arena_rewind(&a, mark);
	}
	/* Every byte is under a checksum, a length, a type or the signature. */
	assert_true(failed * 10 > tried * 9);
	arena_release(&a);
}

struct bytes {
	uint8_t at[4096];
	size_t n;
};

/* A zlib stream of one stored block (RFC 1950, 1951). */
static size_t store(uint8_t *out, const uint8_t *rows, size_t len)
{
	const uint8_t head[] = {0x78, 0x01, 0x01, (uint8_t)len, 0, (uint8_t)~len, 0xff};
	uint32_t a = 1, b = 0;
	memcpy(out, head, sizeof head);
	memcpy(out + sizeof head, rows, len);
	for (size_t i = 0; i < len; i++) {
		a = (a + rows[i]) % 65521;
		b = (b + a) % 65521;
	}
	const uint8_t sum[] = {(uint8_t)(b >> 8), (uint8_t)b, (uint8_t)(a >> 8), (uint8_t)a};
	memcpy(out + sizeof head + len, sum, sizeof sum);
	return sizeof head + len + sizeof sum;
}

static void put_chunk(struct bytes *b, const char *type, const void *data, size_t len)
{
	const uint8_t head[4] = {(uint8_t)(len >> 24), (uint8_t)(len >> 16), (uint8_t)(len >> 8),
				 (uint8_t)len};
	memcpy(b->at + b->n, head, 4);
	memcpy(b->at + b->n + 4, type, 4);
	if (len > 0)
		memcpy(b->at + b->n + 8, data, len);
	const uint32_t sum = help_png_crc(b->at + b->n + 4, len + 4);
	for (int i = 0; i < 4; i++)
		b->at[b->n + 8 + len + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
	b->n += len + 12;
}

/* A PNG of somebody else's: header of our choice, then the raw rows, then a text after them. */
static struct bytes make_foreign(uint32_t width, uint32_t height, uint8_t depth, uint8_t type,
				 const uint8_t *rows, size_t len)
{
	struct bytes b = {.at = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, .n = 8};
	const uint8_t ihdr[13] = {(uint8_t)(width >> 24),
				  (uint8_t)(width >> 16),
				  (uint8_t)(width >> 8),
				  (uint8_t)width,
				  (uint8_t)(height >> 24),
				  (uint8_t)(height >> 16),
				  (uint8_t)(height >> 8),
				  (uint8_t)height,
				  depth,
				  type};
	uint8_t packed[64];
	const size_t size = store(packed, rows, len);
	put_chunk(&b, "IHDR", ihdr, 13);
	put_chunk(&b, "IDAT", packed, size);
	put_chunk(&b, "tEXt", "Comment\0caf\xe9", 12);
	put_chunk(&b, "IEND", NULL, 0);
	return b;
}

TEST(png_of_others_is_understood)
{
	static const uint8_t grey16[] = {0, 0x80, 0x80}, alpha[] = {0, 10, 20, 30, 0};
	static const uint8_t grey1[] = {0, 0x80};
	static const struct {
		uint8_t depth, type;
		const uint8_t *rows;
		size_t len;
		uint32_t want;
	} cases[] = {
		{16, 0, grey16, sizeof grey16, 0x808080},
		{8, 6, alpha, sizeof alpha, 0xffffff}, /* all transparent: white paper */
		{1, 0, grey1, sizeof grey1, 0xffffff},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct bytes b = make_foreign(1, 1, cases[i].depth, cases[i].type,
						    cases[i].rows, cases[i].len);
		struct arena a;
		struct image image;
		struct export_text *found;
		struct err err = {{0}};
		size_t n;
		arena_init(&a);
		if (!export_png_read(b.at, b.n, &a, &image, &found, &n, &err))
			fail_msg("%s", err.text);
		assert_int_equal(image.rgb[0] << 16 | image.rgb[1] << 8 | image.rgb[2],
				 cases[i].want);
		for (int pixels = 0; pixels < 2; pixels++) {
			assert_true(export_png_read(b.at, b.n, &a, pixels ? &image : NULL, &found,
						    &n, &err));
			assert_int_equal(n, 1);
			assert_string_equal(found[0].text, "café");
		}
		arena_release(&a);
	}
}

TEST(png_that_promises_too_much_is_refused)
{
	static const struct {
		uint32_t width, height;
	} cases[] = {{0, 1}, {0x7fffffff, 0x7fffffff}, {19999, 19999}, {1, 0xffffffff}};
	static const uint8_t rows[] = {0, 1, 2, 3};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct bytes b = make_foreign(cases[i].width, cases[i].height, 8, 2, rows, 4);
		struct arena a;
		struct image image;
		struct err err = {{0}};
		arena_init(&a);
		assert_false(export_png_read(b.at, b.n, &a, &image, NULL, NULL, &err));
		assert_true(a.used < 1 << 20);
		arena_release(&a);
	}
}

/* 4 MB a text, 16 MB together; a text that is too large is no error of the picture's. */
TEST(texts_have_their_limits)
{
	static const struct {
		size_t n, len, found; /* SIZE_MAX: refused */
	} cases[] = {{3, 4000000, 3}, {5, 4000000, SIZE_MAX}, {60, 100, 60}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct arena a;
		struct err err = {{0}};
		struct export_text *found;
		char *data;
		size_t size, n;
		arena_init(&a);
		const struct image image = make_image(&a, 2, 2, 2);
		char *const text = arena_calloc(&a, cases[i].len + 1, 1);
		memset(text, 'x', cases[i].len);
		struct export_text *const many = arena_calloc(&a, cases[i].n, sizeof *many);
		for (size_t k = 0; k < cases[i].n; k++)
			many[k] = (struct export_text){"Comment", text};
		assert_true(export_png(&image, 96, many, cases[i].n, &a, &data, &size, NULL));
		const bool ok = export_png_read(data, size, &a, NULL, &found, &n, &err);
		assert_int_equal(ok, cases[i].found != SIZE_MAX);
		if (ok)
			assert_int_equal(n, cases[i].found);
		else
			assert_non_null(strstr(err.text, "16 MB"));
		arena_release(&a);
	}
}

TEST(what_is_no_png_is_said_to_be_none)
{
	struct arena a;
	struct err err = {{0}};
	arena_init(&a);
	assert_false(export_png_read("GIF89a, not a PNG", 17, &a, NULL, NULL, NULL, &err));
	assert_string_equal(err.text, "not a PNG file");
	arena_release(&a);
}
