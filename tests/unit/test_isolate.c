/* test_isolate.c: words of right-to-left scripts have an order of their own within sentences that run
 * from left to right: in the text, on pages, in HTML, in code for LaTeX. */
#include <string.h>

#include "help_arena.h"
#include "help_view.h"
#include "posviz/app/write.h"
#include "posviz/base/isolate.h"
#include "posviz/export/export.h"
#include "posviz/plot/html.h"
#include "posviz/plot/raster.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

TEST(words_have_isolates)
{
	static const struct {
		const char *text, *with; /* < and > for the two characters */
	} rows[] = {
		{"the cat fell", "the cat fell"},
		{"“dog” n 3", "“dog” n 3"},
		{"القط", "<القط>"},
		{"القط → الكلب −0.61", "<القط> → <الكلب> −0.61"},
		{"query القط, key חתול: 3", "query <القط>, key <חתול>: 3"},
		{"“القط الذي fell 我” n 9 · d 64", "“<القط الذي fell 我>” n 9 · d 64"},
		{"“the cat” and “חתול”", "“the cat” and “<חתול>”"},
		{"“القط … ", "“<القط … >"},
		{"חתול₂ and ב2, צה\"ל!", "<חתול₂> and <ב2>, <צה\"ל>!"},
		{"matrix(from=בית.npy)", "matrix(from=<בית>.npy)"},
		{"two  words: בית  חתול", "two  words: <בית>  <חתול>"},
		{"בית 3 and בית 3 חתול", "<בית> 3 and <בית 3 חתול>"},
		{"bytes \xff\xfe בית", "bytes \xff\xfe <בית>"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf shown;
		strbuf_init(&shown, &arena);
		const char *const out = isolate_words(&arena, rows[i].text);
		for (const char *at = out; *at; at++) {
			const bool begins = strncmp(at, ISOLATE_BEGIN, 3) == 0;
			const bool mark = begins || strncmp(at, ISOLATE_END, 3) == 0;
			strbuf_add_char(&shown, mark ? (begins ? '<' : '>') : *at);
			at += mark ? 2 : 0;
		}
		assert_string_equal(shown.at, rows[i].with);
		assert_string_equal(isolate_removed(&arena, out), rows[i].text);
		assert_ptr_equal(isolate_words(&arena, out), out); /* no second time */
	}
}

/* The caption of a page begins at the left, and a joined line of two words keeps their order. */
TEST(pages_run_from_left_to_right)
{
	struct raster_report report;
	struct raster_look look = {.width = 1600, .height = 1200};
	struct err err;
	char *svg;
	size_t len;
	struct figure *const f =
		&help_picture(&arena, "t5", "sentence القط الذي طارده הכלב fell\n")->figure;
	f->panels[0].note = "القط → الذي";
	if (!raster_vector(f, &look, RASTER_SVG, &arena, &svg, &len, &report, &err))
		fail_msg("%s", err.text);
	assert_int_equal(report.missing_glyphs, 0);
	assert_null(strstr(svg, "rtl"));
	assert_non_null(strstr(svg, ">" ISOLATE_BEGIN "القط" ISOLATE_END " → " ISOLATE_BEGIN
				    "الذي" ISOLATE_END "<"));
	const struct text_box *foot = NULL;
	for (size_t i = 0; i < report.n; i++)
		if (strncmp(report.boxes[i].text, "“القط الذي", strlen("“القط الذي")) == 0)
			foot = &report.boxes[i];
	assert_non_null(foot);
	assert_null(strstr(foot->text, ISOLATE_BEGIN));
	assert_true(foot->x < 60);
}

TEST(html_has_elements_for_them)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	html_line(&b, "p", "a <b> “בית” & בית → חתול");
	assert_string_equal(b.at, "<p>a &lt;b&gt; “<bdi>בית</bdi>” &amp; <bdi>בית</bdi> → "
				  "<bdi>חתול</bdi></p>\n");
}

TEST(latex_has_a_command_for_them)
{
	struct export_tex look = {.width = 3.25, .letters = 8};
	struct err err = {""};
	char *code;
	size_t len;
	const char *const lines[] = {"sentence dog bites man\n", "sentence dog בית\n"};
	for (size_t i = 0; i < 2; i++) {
		const struct figure *const f = &help_picture(&arena, "t5", lines[i])->figure;
		if (!export_tex(f, &look, &arena, &code, &len, &err))
			fail_msg("%s", err.text);
		assert_int_equal(strstr(code, "{\\posvizleftwards{בית}}") != NULL, i == 1);
		assert_int_equal(strstr(code, "\\def\\posvizleftwards#1") != NULL, i == 1);
	}
}
