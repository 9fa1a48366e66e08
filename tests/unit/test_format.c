/* test_format.c: the table of output formats, and the lists that are made of it. */
#include <string.h>

#include "app/app_in.h"
#include "help_arena.h"
#include "posviz/app/format.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

TEST(formats_are_of_one_kind_and_can_be_written)
{
	for (const struct format *const *f = formats, *is; (is = *f) != NULL; f++) {
		const unsigned kinds = FORMAT_PICTURE | FORMAT_TERMINAL | FORMAT_NUMBERS,
			       kind = is->bears & kinds;
		assert_true(kind == FORMAT_PICTURE || kind == FORMAT_TERMINAL ||
			    kind == FORMAT_NUMBERS);
		assert_true((is->write != NULL) != (is->page != NULL));
		assert_true(*is->help);
		assert_ptr_equal(format_find(is->name), is);
		/* Its name is the first of its endings; what a terminal draws has none. */
		if (kind == FORMAT_TERMINAL)
			assert_string_equal(is->suffixes, "");
		else
			assert_ptr_equal(format_by_suffix(is->name), is);
		/* A format that carries a scene has first bytes and a reader. */
		assert_true(((is->bears & FORMAT_SCENE) != 0) == (is->texts != NULL));
		assert_true((is->texts != NULL) == (is->magic != NULL));
		/* A sheet is drawn on cells or put on a page. */
		if (is->bears & FORMAT_SHEET)
			assert_true(is->page || is->bears & FORMAT_CELLS);
		if (is->bears & FORMAT_IMAGE)
			assert_true(is->page != NULL);
	}
}

TEST(formats_are_found_by_any_of_their_endings)
{
	assert_string_equal(format_by_suffix("HTM")->name, "html");
	assert_string_equal(format_by_suffix("Json")->name, "json");
	static const char *const none[] = {"", "ht", "html htm", "kitty", "sixel", "pngs", " "};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_null(format_by_suffix(none[i]));
	assert_null(format_find("htm"));
	assert_null(format_find(NULL));
}

TEST(lists_of_formats_are_in_the_order_of_the_table)
{
	assert_string_equal(format_words(FORMAT_PICTURE, "", " ", " ", &arena),
			    "png svg pdf html tex txt ansi");
	assert_string_equal(format_words(FORMAT_NUMBERS, ".", ", ", " or ", &arena),
			    ".safetensors, .npz, .npy, .csv or .json");
	assert_string_equal(format_words(FORMAT_TERMINAL, "", " ", " ", &arena), "kitty sixel");
	assert_string_equal(format_words(FORMAT_SCENE, "", " ", " ", &arena), "png html");
	assert_string_equal(format_words(FORMAT_NUMBERS | FORMAT_PAGE, "", " ", " ", &arena), "");
	assert_string_equal(format_first(FORMAT_PICTURE), "png");
	assert_string_equal(format_first(FORMAT_COLOUR), "ansi");
	assert_true(format_bears("svg", FORMAT_PAGE | FORMAT_EMBEDS));
	assert_false(format_bears("png", FORMAT_PAGE | FORMAT_EMBEDS));
	assert_false(format_bears("none", FORMAT_PAGE));
	assert_false(format_bears(NULL, FORMAT_PAGE));
}

TEST(bytes_tell_which_format_carries_a_scene)
{
	assert_string_equal(format_of_bytes("<!DOCTYPE html>\n", 16)->name, "html");
	assert_string_equal(format_of_bytes("\x89PNG\r\n\x1a\n", 8)->name, "png");
	assert_string_equal(format_of_bytes("<!DOC", 5)->name, "png");
	assert_string_equal(format_of_bytes("", 0)->name, "png");
}

/* The program says of every format what it is, wherever a name is completed. */
TEST(every_format_has_a_note_where_its_name_is_completed)
{
	struct app app;
	app_init(&app);
	struct candidates c = {.arena = &arena};
	complete_save(&app, "x", &c);
	size_t found = 0, files = 0;
	for (const struct format *const *f = formats; *f; f++) {
		files += *(*f)->suffixes != '\0';
		const char *const name = arena_printf(&arena, "x.%s", (*f)->name);
		for (size_t i = 0; i < c.n; i++)
			if (strcmp(c.at[i], name) == 0) {
				assert_string_equal(c.notes[i], (*f)->help);
				found++;
			}
	}
	assert_int_equal(found, files);
	app_release(&app);
}
