/* png.c: writes and reads PNG files in memory. It is the only file that uses libpng.
 *
 * libpng reports errors by longjmp: each direction has one function that sets the jump, and the
 * data needed afterwards are in a struct outside it. Warnings are dropped, never printed: the
 * screen may belong to curses. */
#include "posviz/export/export.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "export/png_pack.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { PALETTE = 256 };
static const size_t read_limit = (size_t)64 << 20;
/* Limits of texts, which may be compressed to a thousandth: the number of chunks, the size of each,
 * and the size of all. */
enum { CHUNKS = 64, CHUNK_LIMIT = 4 << 20, TEXT_LIMIT = 16 << 20 };

struct writer {
	jmp_buf jump;
	struct strbuf out;
	char message[160];
};

static void on_error(png_structp png, png_const_charp message)
{
	struct writer *w = png_get_error_ptr(png);
	strncpy(w->message, message, sizeof w->message - 1);
	longjmp(w->jump, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static void on_write(png_structp png, png_bytep data, png_size_t size)
{
	struct writer *w = png_get_io_ptr(png);
	strbuf_add_n(&w->out, (const char *)data, size);
}

static void on_flush(png_structp png)
{
	(void)png;
}

/* The colours of an image in the order of their appearance, found by an open hash table. */
struct palette {
	png_color colour[PALETTE];
	int n;
	uint32_t key[4 * PALETTE]; /* 0xRRGGBB + 1; 0: free */
	uint8_t index[4 * PALETTE];
};

/* Returns the index of a colour, or -1 if it would be the 257th. */
static int palette_index(struct palette *p, uint32_t rgb)
{
	const uint32_t slots = 4 * PALETTE;
	uint32_t slot = (rgb * 2654435761u >> 16) % slots;
	while (p->key[slot] != 0) {
		if (p->key[slot] == rgb + 1)
			return p->index[slot];
		slot = (slot + 1) % slots;
	}
	if (p->n == PALETTE)
		return -1;
	p->key[slot] = rgb + 1;
	p->index[slot] = (uint8_t)p->n;
	p->colour[p->n] = (png_color){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
	return p->n++;
}

/* Returns one byte for each pixel, or NULL if there are more than 256 colours. */
static uint8_t *index_pixels(const struct image *image, struct palette *palette, struct arena *a)
{
	const size_t n = (size_t)image->width * (size_t)image->height;
	const struct arena_mark before = arena_mark(a);
	uint8_t *out = arena_alloc(a, n);
	uint32_t last = UINT32_MAX;
	int index = 0;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *c = image->rgb + 3 * i;
		const uint32_t rgb = (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
		if (rgb != last)
			index = palette_index(palette, rgb);
		if (index < 0) {
			arena_rewind(a, before);
			return NULL;
		}
		last = rgb;
		out[i] = (uint8_t)index;
	}
	return out;
}

static void put_texts(png_structp png, png_infop info, const struct export_text *texts, size_t n,
		      struct arena *a)
{
	static char none[] = "";
	png_text *out = arena_calloc(a, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = (png_text){
			.compression = PNG_ITXT_COMPRESSION_NONE,
			.key = arena_strdup(a, texts[i].keyword),
			.text = arena_strdup(a, texts[i].text),
			.itxt_length = strlen(texts[i].text),
			.lang = none,
			.lang_key = none,
		};
	png_set_text(png, info, out, (int)n);
}

/* Packs the pixels in png_pack, because libpng has only one thread. */
static void write_pixels(png_structp png, const struct png_rows *rows, struct arena *a)
{
	uint8_t *data;
	size_t len;
	png_pack(rows, a, &data, &len);
	png_write_chunk(png, (png_const_bytep) "IDAT", data, len);
}

static bool write_png(struct writer *w, png_structp png, png_infop info, const struct image *image,
		      const uint8_t *indices, const struct palette *palette, double dpi,
		      const struct export_text *texts, size_t n, struct arena *a)
{
	if (setjmp(w->jump) != 0)
		return false;
	png_set_write_fn(png, w, on_write, on_flush);
	png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
		     indices != NULL ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB,
		     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	if (indices != NULL)
		png_set_PLTE(png, info, palette->colour, palette->n);
	png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
	const png_uint_32 per_metre = (png_uint_32)lround(dpi / 0.0254);
	png_set_pHYs(png, info, per_metre, per_metre, PNG_RESOLUTION_METER);
	put_texts(png, info, texts, n, a);
	png_write_info(png, info);
	const struct png_rows rows = {.at = indices != NULL ? indices : image->rgb,
				      .n = (size_t)image->height,
				      .bytes = (size_t)image->width * (indices != NULL ? 1 : 3)};
	write_pixels(png, &rows, a);
	png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
	return true;
}

bool export_png(const struct image *image, double dpi, const struct export_text *texts, size_t n,
		struct arena *a, char **data, size_t *len, struct err *err)
{
	if (image->width <= 0 || image->height <= 0)
		BUG("an image of %d x %d", image->width, image->height);
	if (!(dpi >= 1 && dpi <= 100000))
		return err_set(err, "a resolution of %g dpi: 1 to 100000 would be right", dpi);
	for (size_t i = 0; i < n; i++)
		if (texts[i].keyword[0] == '\0' || strlen(texts[i].keyword) > 79)
			BUG("a PNG keyword has 1 to 79 letters");
	struct palette *palette = arena_calloc(a, 1, sizeof *palette);
	const uint8_t *indices = index_pixels(image, palette, a);
	struct writer *w = arena_calloc(a, 1, sizeof *w);
	strbuf_init(&w->out, a);
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, on_error, on_warning);
	png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
	if (info == NULL)
		die("no memory for a PNG");
	const bool good = write_png(w, png, info, image, indices, palette, dpi, texts, n, a);
	png_destroy_write_struct(&png, &info);
	if (!good)
		return err_set(err, "cannot encode a PNG of %d x %d pixels: %s", image->width,
			       image->height, w->message);
	*data = w->out.at;
	*len = w->out.len;
	return true;
}

/* The state of reading. `jump` and `message` come first, as in writer, for on_error. */
struct reader {
	struct writer fail;
	const uint8_t *at;
	size_t left;
	struct arena *arena;
	struct image *image; /* or NULL */
	struct export_text *texts;
	size_t n;
};

static void on_read(png_structp png, png_bytep data, png_size_t size)
{
	struct reader *r = png_get_io_ptr(png);
	if (size > r->left)
		png_error(png, "the file ends too early");
	memcpy(data, r->at, size);
	r->at += size;
	r->left -= size;
}

/* Returns a text as UTF-8; tEXt is Latin-1. */
static const char *to_utf8(struct arena *a, const char *text, size_t len, bool latin1)
{
	if (!latin1)
		return arena_strndup(a, text, len);
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < len; i++) {
		char bytes[4];
		strbuf_add_n(&out, bytes, text_encode(bytes, (unsigned char)text[i]));
	}
	return out.at;
}

static void take_texts(struct reader *r, png_structp png, png_infop info)
{
	png_textp texts = NULL;
	int n = 0;
	png_get_text(png, info, &texts, &n);
	r->texts = arena_calloc(r->arena, (size_t)n + 1, sizeof *r->texts);
	r->n = 0;
	size_t all = 0;
	for (int i = 0; i < n; i++) {
		const bool latin1 = texts[i].compression < PNG_ITXT_COMPRESSION_NONE;
		const size_t len = latin1 ? texts[i].text_length : texts[i].itxt_length;
		all += len;
		if (all > TEXT_LIMIT)
			png_error(png, "its texts are larger than 16 MB");
		if (!latin1 && !text_valid(texts[i].text, len))
			continue;
		r->texts[r->n++] = (struct export_text){
			.keyword = to_utf8(r->arena, texts[i].key, strlen(texts[i].key), true),
			.text = to_utf8(r->arena, texts[i].text, len, latin1),
		};
	}
}

static void skip_pixels(struct reader *r, png_structp png, png_infop info)
{
	const size_t height = png_get_image_height(png, info);
	const int passes = png_set_interlace_handling(png);
	png_read_update_info(png, info);
	const size_t bytes = png_get_rowbytes(png, info);
	if (bytes * height > read_limit)
		png_error(png, "the picture is larger than 64 MB");
	uint8_t *row = arena_alloc(r->arena, bytes);
	for (size_t i = 0; i < height * (size_t)passes; i++)
		png_read_row(png, row, NULL);
}

static void read_pixels(struct reader *r, png_structp png, png_infop info)
{
	const size_t width = png_get_image_width(png, info),
		     height = png_get_image_height(png, info);
	if (width * height > read_limit / 3)
		png_error(png, "the picture is larger than 64 MB");
	const png_color_16 white = {.red = 0xffff, .green = 0xffff, .blue = 0xffff, .gray = 0xffff};
	png_set_expand(png);
	png_set_scale_16(png);
	png_set_gray_to_rgb(png);
	if (png_get_valid(png, info, PNG_INFO_tRNS) ||
	    (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) != 0)
		png_set_background_fixed(png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 100000);
	const int passes = png_set_interlace_handling(png);
	png_read_update_info(png, info);
	if (png_get_rowbytes(png, info) != width * 3)
		png_error(png, "an unexpected kind of pixel");
	*r->image = (struct image){.width = (int)width, .height = (int)height};
	r->image->rgb = arena_calloc(r->arena, width * height, 3);
	for (int pass = 0; pass < passes; pass++)
		for (size_t y = 0; y < height; y++)
			png_read_row(png, r->image->rgb + y * width * 3, NULL);
}

static bool read_png(struct reader *r, png_structp png, png_infop info)
{
	if (setjmp(r->fail.jump) != 0)
		return false;
	png_set_read_fn(png, r, on_read);
	png_set_user_limits(png, 20000, 20000);
	png_set_chunk_cache_max(png, CHUNKS);
	png_set_chunk_malloc_max(png, CHUNK_LIMIT);
	png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
	png_read_info(png, info);
	/* Texts may follow the pixels, which are therefore read even if they are not wanted. */
	if (r->image != NULL)
		read_pixels(r, png, info);
	else
		skip_pixels(r, png, info);
	png_read_end(png, info);
	take_texts(r, png, info);
	return true;
}

bool export_png_read(const void *data, size_t size, struct arena *a, struct image *image,
		     struct export_text **texts, size_t *n, struct err *err)
{
	if (size > read_limit)
		return err_set(err, "the PNG is larger than 64 MB");
	if (size < 8 || png_sig_cmp(data, 0, 8) != 0)
		return err_set(err, "not a PNG file");
	struct reader *r = arena_calloc(a, 1, sizeof *r);
	struct image scratch;
	r->at = data;
	r->left = size;
	r->arena = a;
	r->image = image != NULL ? &scratch : NULL;
	png_structp png =
		png_create_read_struct(PNG_LIBPNG_VER_STRING, &r->fail, on_error, on_warning);
	png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
	if (info == NULL)
		die("no memory for a PNG");
	const bool good = read_png(r, png, info);
	png_destroy_read_struct(&png, &info, NULL);
	if (!good)
		return err_set(err, "damaged PNG: %s", r->fail.message);
	if (image != NULL)
		*image = scratch;
	if (texts != NULL)
		*texts = r->texts;
	if (n != NULL)
		*n = r->n;
	return true;
}
