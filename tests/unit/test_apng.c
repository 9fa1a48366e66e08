/* test_apng.c: pictures that follow each other in one PNG, put together again by hand: each is what was given, and who
 * knows nothing of them reads the first. */
#include <string.h>
#include <zlib.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/app/snapshot.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"
#include "posviz/tour/tour.h"

FIXTURE(open_arena, close_arena)

enum { FRAMES = 32 };

/* What a file of frames holds. */
struct film {
	int width, height;
	uint32_t said, plays; /* of acTL */
	size_t n;
	struct image frame[FRAMES]; /* all of it, as it is seen */
	unsigned ms[FRAMES];
	int rect[FRAMES][4]; /* x, y, width, height */
};

static uint32_t number(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void add_chunk(struct strbuf *out, const char *name, const void *data, size_t len)
{
	const uint32_t sum = (uint32_t)crc32(crc32(0, (const Bytef *)name, 4), data, (uInt)len);
	const uint32_t numbers[] = {(uint32_t)len, sum};
	for (int part = 0; part < 2; part++) {
		for (int shift = 24; shift >= 0; shift -= 8)
			strbuf_add_char(out, (char)(numbers[part] >> shift));
		if (part == 0) {
			strbuf_add_n(out, name, 4);
			strbuf_add_n(out, data, len);
		}
	}
}

/* The data of one frame as a PNG of its own, read by libpng. */
static struct image read_part(const uint8_t *data, size_t len, int width, int height)
{
	uint8_t head[13] = {[8] = 8, [9] = 2};
	struct strbuf out;
	struct image image;
	struct export_text *texts;
	size_t n;
	struct err err;
	for (int i = 0; i < 4; i++) {
		head[i] = (uint8_t)((unsigned)width >> (24 - 8 * i));
		head[4 + i] = (uint8_t)((unsigned)height >> (24 - 8 * i));
	}
	strbuf_init(&out, &arena);
	strbuf_add_n(&out, "\211PNG\r\n\032\n", 8);
	add_chunk(&out, "IHDR", head, sizeof head);
	add_chunk(&out, "IDAT", data, len);
	add_chunk(&out, "IEND", "", 0);
	if (!export_png_read(out.at, out.len, &arena, &image, &texts, &n, &err))
		fail_msg("%s", err.text);
	return image;
}

static void show_part(struct film *f, const uint8_t *data, size_t len)
{
	const size_t at = f->n++, size = 3 * (size_t)f->width * (size_t)f->height;
	const int *const r = f->rect[at];
	const struct image part = read_part(data, len, r[2], r[3]);
	f->frame[at] = (struct image){f->width, f->height, arena_calloc(&arena, size, 1)};
	if (at > 0)
		memcpy(f->frame[at].rgb, f->frame[at - 1].rgb, size);
	for (int y = 0; y < r[3]; y++)
		memcpy(f->frame[at].rgb + 3 * ((r[1] + y) * f->width + r[0]),
		       part.rgb + 3 * y * r[2], 3u * (unsigned)r[2]);
}

static void take_control(struct film *f, const uint8_t *at)
{
	assert_true(f->n < FRAMES);
	const uint32_t places[] = {number(at + 12), number(at + 16), number(at + 4),
				   number(at + 8)};
	for (int i = 0; i < 4; i++)
		f->rect[f->n][i] = (int)places[i];
	assert_true(places[2] > 0 && places[3] > 0);
	assert_true(places[0] + places[2] <= (uint32_t)f->width &&
		    places[1] + places[3] <= (uint32_t)f->height);
	assert_int_equal(at[22] << 8 | at[23], 1000);
	assert_int_equal(at[24], 0); /* it stays, */
	assert_int_equal(at[25], 0); /* and is drawn over what was */
	f->ms[f->n] = (unsigned)(at[20] << 8 | at[21]);
}

/* Sums, the order of chunks, the sequence of numbers. */
static void read_film(const char *data, size_t size, struct film *f)
{
	const uint8_t *at = (const uint8_t *)data;
	const uint8_t *const end = at + size;
	uint32_t sequence = 0;
	size_t chunks = 0, controls = 0;
	*f = (struct film){0};
	assert_memory_equal(at, "\211PNG\r\n\032\n", 8);
	for (at += 8; at < end; chunks++) {
		const uint32_t len = number(at);
		const uint8_t *const body = at + 8;
		assert_true(body + len + 4 <= end);
		assert_int_equal(number(body + len), crc32(0, at + 4, len + 4));
		if (memcmp(at + 4, "IHDR", 4) == 0) {
			assert_int_equal(chunks, 0);
			f->width = (int)number(body);
			f->height = (int)number(body + 4);
		} else if (memcmp(at + 4, "acTL", 4) == 0) {
			assert_int_equal(f->n + controls, 0);
			f->said = number(body);
			f->plays = number(body + 4);
		} else if (memcmp(at + 4, "fcTL", 4) == 0) {
			assert_int_equal(number(body), sequence++);
			assert_int_equal(controls++, f->n);
			take_control(f, body);
		} else if (memcmp(at + 4, "IDAT", 4) == 0) {
			assert_int_equal(f->n, 0);
			show_part(f, body, len);
		} else if (memcmp(at + 4, "fdAT", 4) == 0) {
			assert_true(f->n > 0);
			assert_int_equal(number(body), sequence++);
			show_part(f, body + 4, len - 4);
		}
		at = body + len + 4;
	}
	assert_memory_equal(end - 8, "IEND", 4);
	assert_int_equal(f->n, controls);
	assert_int_equal(f->n, f->said);
}

static struct image grey(int width, int height)
{
	const size_t size = 3 * (size_t)width * (size_t)height;
	struct image out = {width, height, arena_alloc(&arena, size)};
	memset(out.rgb, 0x80, size);
	return out;
}

static void dot(struct image *image, int x, int y)
{
	image->rgb[3 * (y * image->width + x)] ^= 0x55;
}

static void expect_pixels(const struct image *one, const struct image *other)
{
	assert_int_equal(one->width, other->width);
	assert_int_equal(one->height, other->height);
	assert_memory_equal(one->rgb, other->rgb, 3 * (size_t)one->width * (size_t)one->height);
}

/* ---- the bytes ---------------------------------------------------------------------------------------- */

static bool animate(const struct image *frames, size_t n, double seconds_each, bool loop,
		    char **data, size_t *len, struct err *err)
{
	struct apng *const p = export_apng_begin(loop, &arena);
	for (size_t i = 0; i < n; i++)
		if (!export_apng_add(p, &frames[i], seconds_each, err)) {
			export_apng_drop(p);
			return false;
		}
	export_apng_end(p, data, len);
	return true;
}

TEST(frames_are_what_was_given)
{
	enum { W = 40, H = 30, N = 6 };
	static const int dots[N][2][2] = {{{0, 0}, {39, 29}}, {{3, 4}, {3, 4}},
					  {{39, 0}, {38, 9}}, {{0, 29}, {7, 2}},
					  {{39, 29}, {0, 0}}, {{20, 15}, {20, 16}}};
	struct image frames[N];
	struct film f;
	char *data;
	size_t len;
	for (int i = 0; i < N; i++) {
		frames[i] = grey(W, H);
		if (i > 0)
			memcpy(frames[i].rgb, frames[i - 1].rgb, 3 * W * H);
		dot(&frames[i], dots[i][0][0], dots[i][0][1]);
		if (i != 1)
			dot(&frames[i], dots[i][1][0], dots[i][1][1]);
	}
	assert_true(animate(frames, N, 0.125, false, &data, &len, NULL));
	read_film(data, len, &f);
	assert_int_equal(f.n, N);
	assert_int_equal(f.plays, 1);
	for (size_t i = 0; i < N; i++) {
		expect_pixels(&f.frame[i], &frames[i]);
		assert_int_equal(f.ms[i], 125);
	}
	static const int rects[N][4] = {{0, 0, W, H},  {3, 4, 1, 1}, {38, 0, 2, 10},
					{0, 2, 8, 28}, {0, 0, W, H}, {20, 15, 1, 2}};
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(f.rect[i][k], rects[i][k]);
}

TEST(who_knows_no_frames_reads_the_first)
{
	struct image frames[] = {grey(9, 5), grey(9, 5)}, back;
	struct export_text *texts;
	char *data;
	size_t len, n;
	dot(&frames[1], 4, 2);
	assert_true(animate(frames, 2, 1, true, &data, &len, NULL));
	assert_true(export_png_read(data, len, &arena, &back, &texts, &n, NULL));
	expect_pixels(&back, &frames[0]);
}

TEST(equal_frames_are_one_that_is_longer)
{
	struct image frames[] = {grey(9, 5), grey(9, 5), grey(9, 5), grey(9, 5)};
	struct film f;
	char *data, *again;
	size_t len, length;
	dot(&frames[2], 4, 2);
	dot(&frames[3], 4, 2);
	assert_true(animate(frames, 4, 0.2, true, &data, &len, NULL));
	read_film(data, len, &f);
	assert_int_equal(f.n, 2);
	assert_int_equal(f.plays, 0);
	assert_int_equal(f.ms[0], 400);
	assert_int_equal(f.ms[1], 400);
	assert_true(animate(frames, 4, 0.2, true, &again, &length, NULL));
	assert_int_equal(length, len);
	assert_memory_equal(again, data, len);
	/* two bytes hold no more */
	assert_true(animate(frames, 2, 40, false, &data, &len, NULL));
	read_film(data, len, &f);
	assert_int_equal(f.ms[0], 65535);
}

TEST(frames_of_two_sizes_are_refused)
{
	const struct image frames[] = {grey(9, 5), grey(9, 6)};
	struct err err;
	char *data;
	size_t len;
	assert_false(animate(frames, 2, 1, false, &data, &len, &err));
	assert_non_null(strstr(err.text, "9 x 6 pixels, the first 9 x 5"));
}

/* ---- what a tour plays ---------------------------------------------------------------------------------- */

static void expect_scene(const struct image *shown, const struct scene *scene)
{
	const struct raster_look look = snapshot_look(scene);
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct image image;
	struct err err = {""};
	if (!picture_make(scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err) ||
	    !picture_measured(scene, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err) ||
	    !raster_image(&p->figure, &look, &arena, &image, NULL, &err))
		fail_msg("%s", err.text);
	expect_pixels(shown, &image);
}

TEST(a_play_is_the_pictures_of_its_scenes)
{
	static const char text[] =
		"title T\nscheme sinusoidal\nmatrix bias\nview vectors\nstep S\nsay x\n"
		"play base 10..1000 times 10 in 1.5 s\n";
	struct tour_report report = {.arena = &arena};
	struct tour t;
	struct film f;
	char *data;
	size_t len;
	if (!tour_read("t", text, sizeof text - 1, TOUR_LINES, NULL, NULL, &arena, &t, &report))
		fail_msg("%s", report.lines[0].text);
	struct scene page = t.beats[0].scene;
	assert_true(scene_set_line(&page, "size 360x240", NULL)); /* not of the tour */
	assert_true(tour_apng(&t.beats[0], &page, NULL, NULL, &arena, &data, &len, NULL));
	read_film(data, len, &f);
	assert_int_equal(f.n, 3);
	for (size_t i = 0; i < f.n; i++) {
		struct scene scene = t.beats[0].play.frames[i];
		assert_true(scene_set_line(&scene, "size 360x240", NULL));
		expect_scene(&f.frame[i], &scene);
		assert_int_equal(f.ms[i], 500);
	}
}
