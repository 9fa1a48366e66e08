/* test_terminal_pictures.c: pictures as terminals are told to draw them, read back by readers of their own:
 * the bytes of a PNG come out as they went in, and every sixel is near the pixel it stands for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_arena.h"
#include "test.h"
#include "help_pictures.h"
#include "posviz/export/export.h"

FIXTURE(open_arena, close_arena)

/* ---- kitty ------------------------------------------------------------------------------------- */

/* Of every length about a piece's end. */
TEST(a_file_comes_out_of_its_pieces)
{
	static const size_t sizes[] = {1, 2, 3, 4, 3071, 3072, 3073, 3074, 6144, 6145, 20000};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int tmux = 0; tmux < 2; tmux++) {
			char *const file = arena_alloc(&arena, sizes[i]), *data, *back;
			size_t len, n;
			for (size_t k = 0; k < sizes[i]; k++)
				file[k] = (char)(k * 31 + k / 256);
			const struct export_place place = {
				.cols = 10, .rows = 4, .id = 7, .tmux = tmux};
			export_kitty(file, sizes[i], &place, &arena, &data, &len);
			struct kitty_picture p;
			assert_true(kitty_read(data, len, &arena, &p));
			back = p.file;
			n = p.size;
			assert_int_equal(n, sizes[i]);
			assert_memory_equal(back, file, n);
			assert_int_equal(p.pieces, (sizes[i] + 3071) / 3072);
			assert_true(p.longest <= 4096);
			assert_int_equal(p.wrapped, tmux);
			assert_non_null(strstr(p.control, "a=T"));
			assert_non_null(strstr(p.control, "f=100"));
			assert_non_null(strstr(p.control, "q=2"));
			assert_non_null(strstr(p.control, "c=10,r=4"));
		}
}

/* On the screen it stands where it is put and leaves the cursor alone; of its own size it is not fitted. */
TEST(a_picture_stands_where_it_is_put)
{
	char *data;
	size_t len;
	export_kitty("abc", 3, &(struct export_place){.cols = 9, .rows = 5, .row = 2, .col = 3},
		     &arena, &data, &len);
	assert_string_equal(data, "\033[2;3H\033_Ga=T,f=100,c=9,r=5,C=1,q=2,m=0;YWJj\033\\");
	export_kitty("abc", 3, &(struct export_place){.cols = 9, .rows = 5, .natural = true},
		     &arena, &data, &len);
	assert_string_equal(data, "\033_Ga=T,f=100,q=2,m=0;YWJj\033\\\n");
}

/* The first marks of each count as the protocol lists them: 0305, 030D, 030E; the highest byte of the
 * number is a third one. */
TEST(cells_in_tmux_name_their_row_and_column)
{
	char *data;
	size_t len;
	const struct export_place place = {.cols = 3, .rows = 2, .id = 1u << 24 | 42, .tmux = true};
	export_kitty("abc", 3, &place, &arena, &data, &len);
	assert_non_null(strstr(data, "\033[38;5;42m"
				     "\U0010EEEE\u0305\u0305\u030D"
				     "\U0010EEEE\u0305\u030D\u030D"
				     "\U0010EEEE\u0305\u030E\u030D"
				     "\033[39m\n\033[38;5;42m"
				     "\U0010EEEE\u030D\u0305\u030D"
				     "\U0010EEEE\u030D\u030D\u030D"
				     "\U0010EEEE\u030D\u030E\u030D"
				     "\033[39m\n"));
}

/* As many rows and columns as there are marks, the last of them U+1D244. */
TEST(cells_reach_to_the_last_mark)
{
	char *data;
	size_t len;
	const struct export_place place = {
		.cols = EXPORT_PLACE_MOST, .rows = EXPORT_PLACE_MOST, .id = 1, .tmux = true};
	export_kitty("abc", 3, &place, &arena, &data, &len);
	size_t n = 0;
	for (size_t i = 0; i < len; i++) /* its first byte is no other's */
		n += data[i] == "\U0010EEEE"[0];
	assert_int_equal(n, EXPORT_PLACE_MOST * EXPORT_PLACE_MOST);
	assert_non_null(strstr(data, "\U0010EEEE\U0001D244\U0001D244\u0305\033[39m\n"));
}

/* ---- sixels ------------------------------------------------------------------------------------ */

static struct image draw(int width, int height, uint32_t (*colour)(int x, int y))
{
	const struct image image = {width, height,
				    arena_alloc(&arena, 3 * (size_t)width * (size_t)height)};
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			uint8_t *const at = image.rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
			const uint32_t rgb = colour(x, y);
			at[0] = (uint8_t)(rgb >> 16);
			at[1] = (uint8_t)(rgb >> 8);
			at[2] = (uint8_t)rgb;
		}
	return image;
}

/* The largest difference of a channel, in 255. */
static int worst(const struct image *a, const struct image *b)
{
	int most = 0;
	assert_int_equal(a->width, b->width);
	assert_int_equal(a->height, b->height);
	for (size_t i = 0; i < 3 * (size_t)a->width * (size_t)a->height; i++)
		most = abs(a->rgb[i] - b->rgb[i]) > most ? abs(a->rgb[i] - b->rgb[i]) : most;
	return most;
}

static int worst_of(const struct image *image)
{
	char *data;
	size_t len;
	struct image back;
	export_sixel(image, &(struct export_place){0}, &arena, &data, &len);
	assert_true(sixel_read(data, len, &arena, &back));
	return worst(image, &back);
}

static uint32_t few(int x, int y)
{
	return (uint32_t)((x * 7 + y * 13) % 250) * 0x010101u;
}

static uint32_t one(int x, int y)
{
	(void)x, (void)y;
	return 0xff0080;
}

static uint32_t smooth(int x, int y)
{
	return (uint32_t)(x % 256) << 16 | (uint32_t)(y % 256) << 8 | (uint32_t)((x + y) % 256);
}

/* A step of a hundred is 2.55 of 255: rounding is off by half of that at most. */
TEST(few_colours_are_exact)
{
	static const int sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {5, 6}, {300, 37}, {640, 12}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct image image = draw(sizes[i][0], sizes[i][1], few);
		assert_in_range(worst_of(&image), 0, 2);
		const struct image flat = draw(sizes[i][0], sizes[i][1], one);
		assert_in_range(worst_of(&flat), 0, 2);
	}
}

/* Of 65536 colours, all as frequent, none is far from one of 256: no farther than if a square of 256 x 256
 * were cut into 8 x 16 pieces of 32 x 16, for the half that is chosen by distance. */
TEST(many_colours_are_near)
{
	const struct image image = draw(256, 256, smooth);
	assert_in_range(worst_of(&image), 1, 32);
}

TEST(sixels_say_their_size_and_stand_where_they_are_put)
{
	char *data;
	size_t len;
	const struct image image = draw(20, 9, one);
	export_sixel(&image, &(struct export_place){.row = 4, .col = 2}, &arena, &data, &len);
	assert_string_equal(data, "\033[4;2H\033P0;1;0q\"1;1;20;9#0;2;100;0;50"
				  "#0!20~-#0!20F-\033\\");
	export_sixel(&image, &(struct export_place){0}, &arena, &data, &len);
	assert_memory_equal(data + len - 3, "\033\\\n", 3);
}
