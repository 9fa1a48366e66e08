/* test_page_cli.c: figures for papers as a user asks for them on the command line. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "help_cli.h"
#include "posviz/base/arena.h"
#include "posviz/base/err.h"
#include "posviz/export/export.h"
#include "test.h"

FIXTURE(cli_enter, cli_leave)

TEST(bad_pages_are_refused)
{
	static const struct {
		const char *args[8], *why;
	} rows[] = {
		{{"--size", "3", "-o", "x.png"}, "size: 3 has no unit; 3in or 3cm"},
		{{"--size", "3inch", "-o", "x.png"}, "size: \"3inch\" is no size"},
		{{"--size", "90in", "-o", "x.png"}, "out of range: from 0.5in to 60in"},
		{{"--panel", "terms", "-o", "x.png"},
		 "there are bias, weights, curve, card, measures"},
		{{"--panel", "bias;curve", "-o", "x.pdf"}, "are no names, parted by commas"},
		{{"alibi", "--panel", "bias", "-o", "x.png"},
		 "there are difference, weights (weights-1 to weights-2), curve, card; --matrix bias "
		 "shows that"},
		{{"--panel", "-o", "x.png"},
		 "--panel needs a value: NAME,NAME|all; \"-o\" is an option"},
		{{"--size", "--dpi", "100"},
		 "--size needs a value: WIDTHxHEIGHT|LENGTH; \"--dpi\" is"},
		{{"--font-size", "8px", "-o", "x.png"}, "font-size: "},
		{{"--font-size", "200", "-o", "x.png"}, "font-size: "},
		{{"--font", "", "-o", "x.png"}, "font: "},
		{{"--for", "acm", "-o", "x.png"}, "did you mean \"acl\""},
		{{"--caption", "long", "-o", "x.png"}, "caption: "},
		{{"--write-caption", "--format", "svg", "-o", "-"}, "write-caption: "},
		{{"--write-caption", "-o", "x.txt"}, "--write-caption means nothing for txt"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {.args = {"render", "t5"}};
		memcpy(c.args + 2, rows[i].args, sizeof rows[i].args);
		cli_refuse(&c, rows[i].why);
	}
}

static struct image image_of(const char *name, struct arena *a)
{
	struct export_text *texts;
	struct image image;
	struct err err = {""};
	size_t len, n;
	const char *const data = cli_read(name, a, &len);
	if (!export_png_read(data, len, a, &image, &texts, &n, &err))
		fail_msg("%s: %s", name, err.text);
	return image;
}

/* What is given goes before what the preset says, whichever comes first. */
TEST(presets_give_way)
{
	static const struct {
		const char *args[8];
		int width;
	} rows[] = {
		{{"--for", "neurips"}, 1650},
		{{"--for", "neurips", "--size", "3in"}, 900},
		{{"--size", "3in", "--for", "neurips"}, 900},
		{{"--dpi", "100", "--for", "neurips"}, 550},
	};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {.args = {"render", "t5", "-o", "x.png"}};
		memcpy(c.args + 4, rows[i].args, sizeof rows[i].args);
		cli_good(&c);
		assert_int_equal(image_of("x.png", &a).width, rows[i].width);
		cli_remove("x.png");
	}
	arena_release(&a);
}

TEST(a_caption_stands_beside_its_picture)
{
	const struct cli_case c = {.args = {"render", "t5", "--panel", "bias,curve", "--for", "acl",
					    "--write-caption", "-o", "fig.pdf"}};
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_good(&c);
	assert_int_equal(cli_files(), 2);
	assert_non_null(strstr(cli_read("fig.caption.txt", &a, &len), "(b) "));
	/* Neither is written over, and none alone. */
	cli_remove("fig.pdf");
	struct cli_result r;
	cli_run(&r, &c);
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "\"fig.caption.txt\" exists already"));
	assert_int_equal(cli_files(), 1);
	cli_done(&r);
	cli_remove("fig.caption.txt");
	arena_release(&a);
}

/* A caption that would go over its picture goes nowhere, and the picture does not either. */
TEST(a_caption_is_another_file_than_its_picture)
{
	const char *const args[] = {"render", "sheet"};
	struct cli_result r;
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write("fig.svg", "mine", 4);
	assert_int_equal(symlink("fig.svg", "fig.caption.txt"), 0);
	for (size_t i = 0; i < 2; i++) {
		cli_run(&r, &(struct cli_case){.args = {args[i], "t5", "alibi", "--write-caption",
							"-o", "fig.svg", "--force"}});
		assert_int_equal(r.code, 2);
		assert_non_null(strstr(r.err, "\"fig.svg\" and \"fig.caption.txt\" are one file"));
		assert_string_equal(cli_read("fig.svg", &a, &len), "mine");
		cli_done(&r);
	}
	assert_int_equal(cli_files(), 2);
	cli_remove("fig.svg");
	cli_remove("fig.caption.txt");
	arena_release(&a);
}

TEST(a_font_that_is_not_there_is_named)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){
			    .args = {"render", "t5", "--font", "No such family", "-o", "x.png"}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.err, "there is no No such family here, "));
	assert_non_null(strstr(r.err, " was taken"));
	cli_done(&r);
	cli_remove("x.png");
}

/* The picture remembers its size and panels: made again from what it holds it is the same. */
TEST(pages_of_papers_verify)
{
	struct arena a;
	size_t n, m;
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"render", "t5", "--panel", "bias", "--size", "84mm",
					     "--font-size", "7pt", "-o", "x.png"}});
	cli_good(&(struct cli_case){.args = {"verify", "x.png"}});
	cli_good(&(struct cli_case){.args = {"render", "-c", "open x.png", "-o", "y.png"}});
	const char *const x = cli_read("x.png", &a, &n), *const y = cli_read("y.png", &a, &m);
	assert_int_equal(n, m);
	assert_memory_equal(x, y, n);
	cli_remove("x.png");
	cli_remove("y.png");
	arena_release(&a);
}

/* What a page for a paper does not show stands beside it on standard error, not in it. */
TEST(a_page_that_leaves_panels_out_is_said_once)
{
	const struct cli_case c = {.args = {"render", "t5", "--panel", "bias,weights,curve",
					    "--size", "4x2in", "-o", "x.svg"}};
	struct cli_result r;
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_run(&r, &c);
	assert_int_equal(r.code, 0);
	assert_string_equal(r.err, "posviz: warning: the page has no room for: Position bias by "
				   "distance; a larger --size has\n");
	const char *const data = cli_read("x.svg", &a, &len);
	assert_null(strstr(data, "not on this page"));
	assert_null(strstr(data, "larger page"));
	cli_done(&r);
	arena_release(&a);
}
