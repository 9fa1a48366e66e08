/* test_vector_files.c: SVG and PDF files as other programs read them: a parser of XML, and poppler's tools
 * for fonts, sizes and words of a PDF. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_sample.h"
#include "help_svg.h"
#include "help_view.h"
#include "posviz/base/strbuf.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/raster.h"

FIXTURE(cli_enter, cli_leave)

/* ---- SVG ------------------------------------------------------------------------------------------ */

static void write_one(const char *lines, const char *name, bool embedded, struct cache *cache)
{
	struct arena a;
	arena_init(&a);
	struct err err = {""};
	struct scene scene;
	struct picture picture;
	struct raster_report report;
	char *data;
	size_t len;
	if (!scene_parse(&scene, lines, &err))
		fail_msg("%s: %s", lines, err.text);
	help_train_briefly(&scene);
	if (!picture_make(&scene, NULL, false, BACKGROUND_LIGHT, cache, NULL, &a, &picture, &err))
		fail_msg("%s: %s", lines, err.text);
	const struct raster_look look = {
		.width = 1600, .height = 1000, .dpi = 150, .embed_fonts = embedded};
	if (!raster_vector(&picture.figure, &look, RASTER_SVG, &a, &data, &len, &report, &err))
		fail_msg("%s: %s", lines, err.text);
	help_svg_agrees(data, &report);
	cli_write(name, data, len);
	arena_release(&a);
}

TEST_SAMPLED(every_scheme_is_an_svg_of_the_words_it_reports, 1, 9)
{
	struct cache *const cache = cache_new(64 << 20);
	struct arena a;
	arena_init(&a);
	for (size_t i = test_part; i < scheme_count(); i += test_parts)
		write_one(arena_printf(&a, "scheme %s\nsentence the <cat> & \"dog\" .\n",
				       scheme_at(i)->id),
			  arena_printf(&a, "%s.svg", scheme_at(i)->id), i % 8 == 0, cache);
	for (const struct view *const *at = views; *at != NULL; at++)
		write_one(arena_printf(&a, "scheme deberta\nview %s\nrow 2\ncol 1\n", (*at)->name),
			  arena_printf(&a, "view-%s.svg", (*at)->name), false, cache);
	if (cli_has("xmllint"))
		cli_said("xmllint --noout *.svg", &a);
	cache_free(cache);
	arena_release(&a);
}

/* Puts `to` wherever `from` stands, which is as long. */
static void rename_all(char *data, size_t len, const char *from, const char *to, size_t size)
{
	for (size_t i = 0; i + size <= len; i++)
		if (memcmp(data + i, from, size) == 0)
			memcpy(data + i, to, size);
}

/* A copy of DejaVu Sans of another name whose table OS/2 says that it must not be embedded. */
static bool make_restricted_font(struct arena *a)
{
	enum { TABLE = 16, FIRST = 12, FS_TYPE = 8 };
	static const char path[] = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
	static const char name[] = "D\0e\0j\0a\0V\0u\0", other[] = "D\0e\0n\0i\0e\0d\0";
	char *data;
	size_t len;
	struct err err;
	if (access(path, R_OK) != 0)
		return false;
	assert_true(file_read(path, 8 << 20, a, &data, &len, &err));
	rename_all(data, len, name, other, sizeof name - 1);
	rename_all(data, len, "DejaVu", "Denied", 6);
	char *row = data + FIRST;
	while (memcmp(row, "OS/2", 4) != 0)
		row += TABLE;
	const unsigned char *const at = (const unsigned char *)row + 8;
	const size_t offset =
		(size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
	data[offset + FS_TYPE] = 0;
	data[offset + FS_TYPE + 1] = 2;
	cli_write("fonts/denied.ttf", data, len);
	return true;
}

TEST(a_font_that_forbids_it_is_not_embedded)
{
	struct arena a;
	struct cli_result r;
	char here[PATH_MAX];
	arena_init(&a);
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(mkdir("fonts", 0700), 0);
	if (!make_restricted_font(&a))
		skip();
	const char *const data_home = arena_printf(&a, "XDG_DATA_HOME=%s", here);
	for (int embedded = 0; embedded < 2; embedded++) {
		cli_run(&r, &(struct cli_case){.args = {"render", "rope", "-s", "a b", "--font",
							"Denied Sans", "--embed-fonts",
							embedded ? "on" : "off", "-o", "x.svg"},
					       .environment = {data_home}});
		if (r.code != (embedded ? 2 : 0))
			fail_msg("%d: %s", r.code, r.err);
		if (embedded)
			assert_non_null(strstr(r.err, "\"Denied Sans\" says that it must not be "
						      "embedded"));
		else
			cli_remove("x.svg");
		cli_done(&r);
	}
	cli_remove("fonts/denied.ttf");
	assert_int_equal(rmdir("fonts"), 0);
	assert_int_equal(cli_files(), 0);
	arena_release(&a);
}

/* ---- PDF ------------------------------------------------------------------------------------------ */

/* Blanks and ends of lines as one blank. */
static const char *in_one_line(const char *text, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (const char *at = text; *at != '\0'; at++) {
		const bool blank = strchr(" \n\f", *at) != NULL;
		if (!blank || (b.len > 0 && b.at[b.len - 1] != ' '))
			strbuf_add_char(&b, blank ? ' ' : *at);
	}
	return b.at;
}

TEST(a_pdf_has_its_fonts_its_size_and_its_words_in_order)
{
	static const char *const order[] = {"Rotary position embedding",
					    "Su et al. 2021",
					    "Position bias",
					    "quick",
					    "Attention weights",
					    "softmax over",
					    "Position bias by distance",
					    "What it does",
					    "identity projection"};
	struct arena a;
	arena_init(&a);
	if (!cli_has("pdffonts") || !cli_has("pdfinfo") || !cli_has("pdftotext"))
		skip();
	cli_good(&(struct cli_case){.args = {"render", "rope", "-s", "a quick brown fox", "--size",
					     "1500x1000", "-o", "x.pdf"}});
	const char *fonts = strchr(strchr(cli_said("pdffonts x.pdf", &a), '\n') + 1, '\n') + 1;
	size_t n = 0;
	for (; *fonts != '\0'; fonts = strchr(fonts, '\n') + 1, n++) {
		const char *const line = arena_strndup(&a, fonts, strcspn(fonts, "\n"));
		/* Embedded, a subset, and known as letters. */
		if (strstr(line, "yes yes yes") == NULL)
			fail_msg("%s", line);
	}
	assert_true(n >= 3);
	/* Of 150 pixels to the inch; and as on paper, of 72 points to the inch. */
	assert_non_null(strstr(cli_said("pdfinfo x.pdf", &a), " 720 x 480 pts"));
	cli_good(&(struct cli_case){.args = {"render", "rope", "--panel", "bias", "--size",
					     "3.25x3in", "-o", "paper.pdf"}});
	assert_non_null(strstr(cli_said("pdfinfo paper.pdf", &a), " 234 x 216 pts"));
	const char *at = in_one_line(cli_said("pdftotext -raw x.pdf -", &a), &a);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		const char *const found = strstr(at, order[i]);
		if (found == NULL)
			fail_msg("\"%s\" is not behind the others in: %s", order[i], at);
		at = found + strlen(order[i]);
	}
	arena_release(&a);
}
