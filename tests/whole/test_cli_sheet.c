/* test_cli_sheet.c: posviz sheet: formats, families in the order of the list, several sentences, sweeps, and
 * what is refused without a file half written; --sweep of render. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "posviz/app/app.h"
#include "posviz/export/export.h"

FIXTURE(cli_enter, cli_leave)

/* ---- formats ------------------------------------------------------------------------------------ */

TEST(all_formats_are_written)
{
	static const struct {
		const char *name, *begins;
	} rows[] = {{"s.png", "\x89PNG"},
		    {"s.svg", "<?xml"},
		    {"s.pdf", "%PDF"},
		    {"s.txt", " 3 pos"},
		    {"s.ansi", " \x1b["}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a;
		size_t len;
		arena_init(&a);
		cli_good(&(struct cli_case){
			.args = {"sheet", "rope", "alibi", "gauss", "-o", rows[i].name}});
		const char *const data = cli_read(rows[i].name, &a, &len);
		if (len < 200 || memcmp(data, rows[i].begins, strlen(rows[i].begins)) != 0)
			fail_msg("%s: %.20s", rows[i].name, data);
		cli_remove(rows[i].name);
		arena_release(&a);
	}
}

/* Ids of an SVG are names: each stands once, also where each map is an image. */
TEST(ids_of_a_poster_stand_once)
{
	struct arena a;
	size_t len, n = 0;
	arena_init(&a);
	cli_good(
		&(struct cli_case){.args = {"sheet", "all", "--size", "2480x1754", "-o", "s.svg"}});
	const char *const svg = cli_read("s.svg", &a, &len);
	for (const char *at = svg; (at = strstr(at, " id=\"")) != NULL; at++, n++) {
		const char *const end = strchr(at + 5, '"');
		const char *const id = arena_strndup(&a, at, (size_t)(end - at) + 1);
		if (strstr(end, id))
			fail_msg("twice:%s", id);
	}
	assert_true(n > 0);
	cli_remove("s.svg");
	arena_release(&a);
}

/* A picture says how it was made, and that line makes it again. */
TEST(a_sheet_carries_its_command)
{
	struct arena a;
	struct export_text *texts;
	struct err err = {""};
	size_t len, n, again;
	arena_init(&a);
	cli_good(&(struct cli_case){.args = {"sheet", "rope", "t5(buckets=16)", "-s", "it's so",
					     "-s", "a b", "--head", "mean", "-o", "s.png"}});
	const char *const data = cli_read("s.png", &a, &len), *command = NULL;
	assert_true(export_png_read(data, len, &a, NULL, &texts, &n, &err));
	for (size_t i = 0; i < n; i++)
		if (strcmp(texts[i].keyword, "Description") == 0)
			command = texts[i].text;
	assert_string_equal(command, "posviz sheet rope 't5(buckets=16)' --sentence 'it'\\''s so' "
				     "--sentence 'a b' --head mean");
	cli_good(&(struct cli_case){.args = {"sheet", "rope", "t5(buckets=16)", "--sentence",
					     "it's so", "--sentence", "a b", "--head", "mean", "-o",
					     "t.png"}});
	const char *const same = cli_read("t.png", &a, &again);
	assert_true(len == again && memcmp(data, same, len) == 0);
	cli_remove("s.png");
	cli_remove("t.png");
	arena_release(&a);
}

/* ---- what is on it ------------------------------------------------------------------------------ */

static char *text_of(struct cli_result *r, const struct cli_case *c)
{
	cli_run(r, c);
	if (r->code != 0)
		fail_msg("exit %d: %s", r->code, r->err);
	return r->out;
}

/* Every scheme of the list but rules upon others, families in its order. */
TEST(all_schemes_stand_in_the_order_of_the_list)
{
	struct cli_result r;
	struct arena a;
	size_t n, rules = 0;
	arena_init(&a);
	const char *const text =
		text_of(&r, &(struct cli_case){.args = {"sheet", "--format", "txt", "-o", "-"}});
	const struct menu_item *const items = menu_items(NULL, &a, &n);
	const char *at = text, *family = "";
	for (size_t i = 0; i < n; i++) {
		if (items[i].scheme->flags & SCHEME_RULE) {
			rules++;
			continue;
		}
		if (strcmp(items[i].group, family) != 0) {
			at = strstr(at, arena_printf(&a, " %s ─", items[i].group));
			if (!at)
				fail_msg("%s is not behind %s", items[i].group, family);
		}
		family = items[i].group;
		if (!strstr(text, items[i].scheme->id))
			fail_msg("no %s", items[i].scheme->id);
	}
	assert_non_null(strstr(text, arena_printf(&a, "%zu position schemes", n - rules)));
	assert_string_equal(r.err, "");
	cli_done(&r);
	arena_release(&a);
}

static void assert_order(const char *text, const char *const *words)
{
	for (const char *at = text; *words; words++)
		if ((at = strstr(at, *words)) == NULL)
			fail_msg("no %s there in\n%s", *words, text);
}

/* What was given in any order stands by family, and there as it was given; words of families, and a
 * scheme's name before that of its family. */
TEST(expressions_and_families_are_sorted)
{
	static const struct {
		const char *args[8];
		const char *words[10];
	} rows[] = {
		{{"sheet", "t5", "alibi", "rope(base=9)", "learned", "shaw"},
		 {"5 position", "Absolute, input ", "learned", "Relative ", "t5", "rope(base=9)",
		  "shaw", "Relative, newer ", "alibi"}},
		{{"sheet", "masks", "trees"},
		 {"9 position", "Trees ", "spr_abs", "spr_rel", "tpe", "Masks ", "causal",
		  "window"}},
		{{"sheet", "Graphs", "none"},
		 {"9 position", "None ", "none", "Graphs ", "struct_tr"}},
		{{"sheet", "relative"},
		 {"Relative ", "gru", "gauss", "Relative, newer ", "rope_2d", "alibi"}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		struct cli_result r;
		size_t n = 0;
		for (; rows[i].args[n]; n++)
			c.args[n] = rows[i].args[n];
		c.args[n++] = "--format";
		c.args[n++] = "txt";
		c.args[n++] = "--cells";
		c.args[n++] = "30x1000";
		c.args[n++] = "-o";
		c.args[n++] = "-";
		assert_order(text_of(&r, &c), rows[i].words);
		cli_done(&r);
	}
}

/* The least and largest beside a map are those of the numbers that dump writes. */
TEST(numbers_are_those_of_a_dump)
{
	static const char *const expressions[] = {"sinusoidal", "tupe_r", "shaw+causal",
						  "laplacian"};
	for (size_t i = 0; i < 4; i++) {
		struct arena a;
		struct tensor_set set;
		struct cli_result r;
		char low[40], high[40];
		double lo = INFINITY, hi = -INFINITY;
		arena_init(&a);
		cli_good(&(struct cli_case){.args = {"dump", expressions[i], "--graph",
						     "a b\nb c\nc d", "-o", "d.safetensors"}});
		cli_tensors("d.safetensors", &a, &set);
		const struct mat m = tensor_mat(cli_tensor(&set, "bias.head.0"));
		for (size_t k = 0; k < m.rows * m.cols; k++) {
			if (i == 2 && k % m.cols > k / m.cols)
				continue;
			lo = fmin(lo, m.at[k]);
			hi = fmax(hi, m.at[k]);
		}
		const char *const text =
			text_of(&r, &(struct cli_case){.args = {"sheet", expressions[i], "--graph",
								"a b\nb c\nc d", "--format", "txt",
								"-o", "-", "--cells", "60x20"}});
		/* Two decimals, without zeros at their end. */
		snprintf(low, sizeof low, " %s%.3g", lo < 0 ? "−" : "",
			 round(fabs(lo) * 100) / 100);
		snprintf(high, sizeof high, " %s%.3g", hi < 0 ? "−" : "",
			 round(fabs(hi) * 100) / 100);
		if (!strstr(text, low) || !strstr(text, high))
			fail_msg("%s: no%s, no%s in\n%s", expressions[i], low, high, text);
		cli_remove("d.safetensors");
		cli_done(&r);
		arena_release(&a);
	}
}

TEST(a_sweep_is_on_it_value_by_value)
{
	static const char *const words[] = {"rope, base = 100", "rope, base = 10000", "alibi",
					    NULL};
	struct cli_result r;
	assert_order(text_of(&r, &(struct cli_case){.args = {"sheet", "alibi", "rope", "--sweep",
							     "base=100,10000", "--format", "txt",
							     "-o", "-", "--cells", "200x60"}}),
		     words);
	cli_done(&r);
	cli_good(&(struct cli_case){
		.args = {"render", "rope", "--sweep", "base=100,10000", "-o", "w.svg"}});
	cli_remove("w.svg");
}

/* ---- what is refused ---------------------------------------------------------------------------- */

TEST(wrong_sheets_are_refused)
{
	static const struct {
		const char *args[12], *says;
	} rows[] = {
		{{"sheet", ""}, "a scheme must stand here"},
		{{"sheet", "ropee"}, "did you mean \"rope\""},
		{{"sheet", "rope", "shaw(clp=2)"}, "did you mean \"clip\""},
		{{"sheet", "rope", "--compare", "t5"}, "leave --compare out"},
		{{"sheet", "rope", "--scheme", "t5"}, "by --scheme or without it"},
		{{"sheet", "rope", "--view", "heads"}, "takes no option --view"},
		{{"sheet", "rope", "--share-scale", "both"}, "none of off|sentence|all"},
		{{"render", "rope", "--share-scale", "all"}, "posviz sheet does"},
		{{"sheet", "rope", "-s", ""}, "the sentence is empty"},
		{{"sheet", "rope", "-s", "a", "-s", "b", "--conllu", "@dep1"}, "several sentences"},
		{{"sheet", "rope", "-s", "a", "-s", "b", "-c", "sentence c"}, "--sentence alone"},
		{{"dump", "rope", "-s", "a", "-s", "b"}, "given twice"},
		{{"sheet", "rope", "--head", "5"}, "head: there is no 5"},
		{{"sheet", "all", "--size", "800x600"}, "would be right"},
		{{"sheet", "all", "--for", "acl"},
		 "pixels at this width, larger than pages are: a PDF, which "
		 "has several, a family, fewer schemes, a wider page (--size) or --for poster would be "
		 "right"},
		{{"sheet", "all", "--for", "acl", "--format", "svg"},
		 "--for poster would be right"},
		{{"sheet", "all", "--for", "slide"}, "in would be right"},
		{{"sheet", "rope", "--size", "200x200", "-s", "a b c d e f"}, "would be right"},
		{{"sheet", "rope", "--sweep", "bas=1,2"}, "did you mean base"},
		{{"sheet", "masks", "--sweep", "base=1,2"}, "no parameter \"base\""},
		{{"render", "rope", "--sweep", "base=0,2"}, "out of range, it must be from 1"},
		{{"render", "rope", "--sweep", "base=1"}, "one value is no sweep"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		size_t n = 0;
		for (; rows[i].args[n]; n++)
			c.args[n] = rows[i].args[n];
		c.args[n] = "-o";
		c.args[n + 1] = "x.png";
		cli_refuse(&c, rows[i].says);
	}
}

TEST(cells_that_are_too_few_are_refused)
{
	struct cli_result r;
	int cols, rows;
	cli_run(&r, &(struct cli_case){
			    .args = {"sheet", "relative", "--cells", "80x24", "-o", "x.txt"}});
	const char *const right = strstr(r.err, "--cells ");
	assert_int_equal(r.code, 2);
	assert_non_null(right);
	assert_int_equal(sscanf(right, "--cells %dx%d would", &cols, &rows), 2);
	assert_int_equal(cols, 80);
	cli_done(&r);
	char cells[40];
	snprintf(cells, sizeof cells, "%dx%d", cols, rows);
	cli_good(
		&(struct cli_case){.args = {"sheet", "relative", "--cells", cells, "-o", "x.txt"}});
	cli_remove("x.txt");
}

/* A sheet of 500 works; schemes that nobody named and that cannot be computed are named in one line. */
TEST(many_are_one_sheet)
{
	struct cli_result r;
	static char words[CLI_ARGS][8];
	struct cli_case c = {.args = {"sheet", "-o", "x.pdf"}};
	for (size_t i = 0; i < 4; i++)
		c.args[3 + i] = strcpy(words[i], "all");
	cli_run(&r, &c);
	assert_int_equal(r.code, 0);
	assert_string_equal(r.err, "");
	cli_done(&r);
	cli_remove("x.pdf");
	cli_run(&r,
		&(struct cli_case){.args = {"sheet", "absolute", "--t-max", "4", "-o", "x.png"}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.err, "left out: learned"));
	assert_ptr_equal(strchr(r.err, '\n'), r.err + r.err_len - 1);
	cli_done(&r);
	cli_remove("x.png");
}

/* An image that is higher than paper is written, and its height said; a PDF has pages. */
TEST(a_page_higher_than_paper_is_said)
{
	static const struct {
		const char *format, *schemes, *says;
	} rows[] = {
		{"x.pdf", "relative", ""}, /* has several pages */
		{"x.pdf", "all", ""},
		{"x.png", "relative",
		 " in high, more than paper has; pdf, which has several pages, a family, fewer"},
		{"x.pdf", "t5", ""},
		{"x.svg", "t5", ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		cli_run(&r, &(struct cli_case){.args = {"sheet", rows[i].schemes, "--for", "acl",
							"-o", rows[i].format}});
		if (r.code != 0 || !strstr(r.err, rows[i].says) ||
		    (*rows[i].says == '\0') != (*r.err == '\0'))
			fail_msg("row %zu: exit %d: %s", i, r.code, r.err);
		cli_done(&r);
		cli_remove(rows[i].format);
	}
}

/* What a page is for says its letters, unless there are too many maps for them; who says letters has them. */
TEST(letters_give_way_to_maps)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"sheet", "all", "--for", "poster", "-o", "x.svg"}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.err, "warning: letters of "));
	assert_non_null(strstr(r.err, " pt, not 24: "));
	cli_done(&r);
	cli_remove("x.svg");
	cli_run(&r, &(struct cli_case){
			    .args = {"sheet", "rope", "t5", "--for", "poster", "-o", "x.svg"}});
	assert_int_equal(r.code, 0);
	assert_string_equal(r.err, "");
	cli_done(&r);
	cli_remove("x.svg");
	cli_run(&r, &(struct cli_case){.args = {"sheet", "all", "--for", "poster", "--font-size",
						"24pt", "-o", "x.svg"}});
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "in would be right"));
	cli_done(&r);
}
