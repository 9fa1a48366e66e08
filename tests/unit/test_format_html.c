/* test_format_html.c: a page for a browser: no words become tags, its numbers are those of the scene, and it opens
 * again. */
#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "help_arena.h"
#include "help_svg.h"
#include "help_view.h"
#include "posviz/app/format.h"
#include "posviz/app/snapshot.h"
#include "posviz/base/strbuf.h"
#include "posviz/picture/picture.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

static void set(struct scene *scene, const char *name, const char *value)
{
	struct err err;
	if (!scene_set(scene, field_find(name), value, &err))
		fail_msg("%s: %s", name, err.text);
}

static const char *page_of(const struct scene *scene, size_t *len)
{
	struct write_job job = {.scene = scene, .format = "html", .a = &arena};
	struct err err;
	if (!write_bytes(&job, &err))
		fail_msg("%s: %s", scene->view, err.text);
	assert_int_equal(strlen(job.data), job.len);
	if (len)
		*len = job.len;
	return job.data;
}

/* ---- as a reader of XML sees it ------------------------------------------------------------- */

enum { MOST_CELLS = 4000 };

struct seen {
	XML_Parser parser;
	struct strbuf text; /* of the element that is read */
	const char *title, *heading, *code, *caption;
	const char *cells[MOST_CELLS]; /* of all tables, td alone */
	size_t n_cells, n_tables, n_figures;
};

static void open_element(void *context, const char *name, const char **attributes)
{
	static const char *const none[] = {"script", "link", "iframe", "object", "embed", "img",
					   "form",   "a",    "base",   "input",	 "use"};
	struct seen *const s = context;
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (strcasecmp(name, none[i]) == 0)
			fail_msg("the page has an element %s", name);
	for (const char **at = attributes; *at; at += 2)
		if (strncasecmp(at[0], "on", 2) == 0 || strcmp(at[0], "src") == 0 ||
		    strstr(at[1], "javascript:") || (strcmp(at[0], "href") == 0 && at[1][0] != '#'))
			fail_msg("the page has an attribute %s=%s", at[0], at[1]);
	s->n_tables += strcmp(name, "table") == 0;
	s->n_figures += strcmp(name, "svg") == 0;
	strbuf_init(&s->text, &arena);
}

static void close_element(void *context, const char *name)
{
	struct seen *const s = context;
	if (strcmp(name, "title") == 0 && !s->title)
		s->title = s->text.at;
	if (strcmp(name, "h1") == 0)
		s->heading = s->text.at;
	if (strcmp(name, "code") == 0)
		s->code = s->text.at;
	if (strcmp(name, "p") == 0 && s->n_figures > 0 && s->n_tables == 0 && !s->caption)
		s->caption = s->text.at;
	if (strcmp(name, "td") == 0 && s->n_cells < MOST_CELLS)
		s->cells[s->n_cells++] = s->text.at;
	strbuf_init(&s->text, &arena);
}

static void add_text(void *context, const char *text, int len)
{
	struct seen *const s = context;
	strbuf_add_n(&s->text, text, (size_t)len);
}

static struct seen *look(const char *page)
{
	struct seen *const s = arena_calloc(&arena, 1, sizeof *s);
	strbuf_init(&s->text, &arena);
	s->parser = XML_ParserCreate(NULL);
	XML_SetUserData(s->parser, s);
	XML_SetElementHandler(s->parser, open_element, close_element);
	XML_SetCharacterDataHandler(s->parser, add_text);
	if (XML_Parse(s->parser, page, (int)strlen(page), 1) != XML_STATUS_OK)
		fail_msg("line %lu: %s", XML_GetCurrentLineNumber(s->parser),
			 XML_ErrorString(XML_GetErrorCode(s->parser)));
	XML_ParserFree(s->parser);
	return s;
}

/* ---- the page ------------------------------------------------------------------------------- */

TEST_IN_PARTS(every_view_makes_a_page_without_a_script, 3)
{
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++) {
		struct scene scene;
		if (v->table || (size_t)(at - views) % test_parts != test_part)
			continue;
		scene_init(&scene);
		help_train_briefly(&scene);
		set(&scene, "timing", "off");
		set(&scene, "scheme", "rope+causal");
		set(&scene, "sentence", "a <b> & \"c\" ]]> </script> it's");
		set(&scene, "view", v->name);
		const struct seen *const s = look(page_of(&scene, NULL));
		assert_int_equal(s->n_figures, 1);
		assert_true(s->n_tables > 0);
		assert_true(s->n_cells > 0);
	}
}

TEST(words_from_outside_stay_words)
{
	static const char title[] = "<script>alert(1)</script> & \"x\" <!-- ]]> &amp;";
	struct scene scene;
	scene_init(&scene);
	set(&scene, "tokens", "chars");
	set(&scene, "sentence", "<a&\">'");
	set(&scene, "title", title);
	const char *const page = page_of(&scene, NULL);
	const struct seen *const s = look(page);
	assert_string_equal(s->title, title);
	assert_string_equal(s->heading, title);
	assert_non_null(strstr(s->code, title));
	assert_null(strstr(page, "<script"));
	assert_null(strstr(page, "<!--"));
	assert_null(strstr(page, "alert(1)</script>"));
	assert_true(help_count(page, "<th scope=\"row\">&lt;</th>") > 0);
	assert_true(help_count(page, "<th scope=\"row\">&quot;</th>") > 0);
}

/* Half a unit of the last digit that is printed; what is "0" without decimals is nothing but rounding. */
static double unit_of(const char *text)
{
	const char *const point = strchr(text, '.');
	if (strcmp(text, "0") == 0)
		return 1e-12;
	return 0.5 * pow(10, point ? -(double)strspn(point + 1, "0123456789") : 0);
}

static double number_of(const char *text)
{
	static const char minus[] = "−";
	const bool negative = strncmp(text, minus, sizeof minus - 1) == 0;
	return (negative ? -1 : 1) * strtod(text + (negative ? sizeof minus - 1 : 0), NULL);
}

/* Those of both matrices that the view Explore shows first. */
TEST(numbers_are_those_of_the_scene_to_the_digits_printed)
{
	static const char *const schemes[] = {"alibi+causal", "t5", "sinusoidal"};
	for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
		struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
		struct scene scene;
		struct err err;
		size_t cell = 0, compared = 0, other = 0;
		scene_init(&scene);
		set(&scene, "scheme", schemes[k]);
		const struct seen *const s = look(page_of(&scene, NULL));
		assert_true(picture_make(&scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena,
					 p, &err));
		for (size_t i = 0; i < 2; i++) {
			const struct heatmap *const h = &p->figure.panels[i].heatmap;
			assert_int_equal(p->figure.panels[i].kind, PANEL_HEATMAP);
			for (size_t n = 0; n < h->values.rows * h->values.cols; n++, cell++) {
				const char *const text = s->cells[cell];
				const bool masked = h->masked && h->masked[n];
				if (masked != (strcmp(text, "·") == 0))
					fail_msg("%s: %s is no mask", schemes[k], text);
				if (masked)
					continue;
				compared++;
				other += h->values.at[n] < 0 || h->values.at[n] > 0;
				if (!(fabs(number_of(text) - h->values.at[n]) <=
				      unit_of(text) * 1.000001))
					fail_msg("%s: %s is not %.17g", schemes[k], text,
						 h->values.at[n]);
			}
		}
		assert_true(compared >= 90);
		assert_true(other >= 45);
	}
}

TEST(the_theme_is_the_one_that_was_asked_for)
{
	static const char *const themes[][2] = {
		{"auto", "light"}, {"light", "light"}, {"dark", "dark"}};
	for (size_t i = 0; i < 3; i++) {
		struct scene scene;
		scene_init(&scene);
		set(&scene, "theme", themes[i][0]);
		const char *const page = page_of(&scene, NULL);
		assert_non_null(strstr(
			page, arena_printf(&arena, "<meta name=\"color-scheme\" content=\"%s\"/>",
					   themes[i][1])));
		assert_null(strstr(page, "prefers-color-scheme"));
		assert_non_null(
			strstr(page, i == 2 ? "body{background:#1a1b20" : "body{background:#fff"));
		assert_non_null(strstr(page, "@media print"));
	}
}

TEST(words_around_the_picture_are_those_that_were_asked_for)
{
	static const struct {
		const char *caption;
		bool words, command;
	} rows[] = {{"auto", true, true},
		    {"full", true, true},
		    {"short", true, false},
		    {"none", false, false}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene scene;
		scene_init(&scene);
		set(&scene, "caption", rows[i].caption);
		const struct seen *const s = look(page_of(&scene, NULL));
		assert_int_equal(s->heading != NULL, rows[i].words);
		assert_int_equal(s->caption && strstr(s->caption, "(a) Position bias") != NULL,
				 rows[i].words);
		assert_int_equal(s->code && strstr(s->code, "posviz render") != NULL,
				 rows[i].command);
	}
}

TEST(fonts_come_along_where_that_is_asked_for)
{
	struct scene scene;
	scene_init(&scene);
	assert_null(strstr(page_of(&scene, NULL), "@font-face"));
	set(&scene, "embed-fonts", "on");
	const char *const page = page_of(&scene, NULL);
	assert_non_null(strstr(page, "@font-face"));
	(void)look(page);
}

TEST(a_matrix_too_large_for_a_page_says_where_its_numbers_are)
{
	struct scene scene;
	struct strbuf words;
	strbuf_init(&words, &arena);
	for (int i = 0; i < 150; i++)
		strbuf_add(&words, "word ");
	scene_init(&scene);
	set(&scene, "sentence", words.at);
	const char *const page = page_of(&scene, NULL);
	assert_non_null(strstr(page, "22500 numbers are too many for a page; posviz dump writes"));
	(void)look(page);
}

/* ---- reading ---------------------------------------------------------------------------------- */

static void opens(const struct scene *scene, const char *page, size_t len)
{
	struct scene again;
	struct verification *rows;
	const char *version;
	struct err err;
	size_t n;
	if (!snapshot_scene(page, len, &arena, &again, &err))
		fail_msg("%s", err.text);
	assert_true(scene_equal(scene, &again));
	if (!snapshot_verify(page, len, NULL, &arena, 1e15, &again, &rows, &n, &version, &err))
		fail_msg("%s", err.text);
	assert_string_equal(version, POSVIZ_VERSION);
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++)
		assert_true(rows[i].ok);
}

static void hostile_scene(struct scene *scene)
{
	scene_init(scene);
	set(scene, "scheme", "t5(buckets=8)+causal");
	set(scene, "sentence", "a <b> & \"c\" \\ it's </head> <body> 猫 &amp; &#10;");
	set(scene, "theme", "dark");
}

TEST(a_page_opens_as_it_was_and_verifies)
{
	struct scene scene;
	size_t len;
	hostile_scene(&scene);
	const char *const page = page_of(&scene, &len);
	opens(&scene, page, len);
}

static const char *replaced(const char *text, const char *part, const char *by)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (const char *at; (at = strstr(text, part)) != NULL; text = at + strlen(part)) {
		strbuf_add_n(&b, text, (size_t)(at - text));
		strbuf_add(&b, by);
	}
	strbuf_add(&b, text);
	return b.at;
}

/* A browser that saves a page writes elements without a slash, and line ends as they are. */
TEST(a_page_that_a_browser_saved_opens)
{
	struct scene scene;
	size_t len;
	hostile_scene(&scene);
	const char *page = page_of(&scene, &len);
	page = replaced(replaced(page, "\"/>", "\">"), "&#10;", "\n");
	assert_true(strlen(page) < len);
	opens(&scene, page, strlen(page));
}

TEST(numbers_that_were_changed_differ)
{
	struct scene scene, again;
	struct verification *rows;
	const char *version;
	struct err err;
	size_t len, n, differ = 0;
	hostile_scene(&scene);
	const char *const page =
		replaced(page_of(&scene, &len), "&quot;norm&quot;:", "&quot;norm&quot;:1");
	assert_true(snapshot_verify(page, strlen(page), NULL, &arena, 1e15, &again, &rows, &n,
				    &version, &err));
	for (size_t i = 0; i < n; i++)
		differ += !rows[i].ok;
	assert_true(differ > 0);
}

TEST(damaged_pages_are_refused_in_one_line)
{
	static const struct {
		const char *page, *error;
	} rows[] = {
		{"<!DOCTYPE html></html>", "this picture carries no scene"},
		{"<!DOCTYPE html></html><meta name=\"posviz-scene\" content=\"heads 2",
		 "the page ends amid what it carries"},
		{"<!DOCTYPE html><meta name=\"posviz-scene\" content=\"heads 2\"/>",
		 "the page is cut off: its end is missing"},
		{"<!DOCTYPE html><meta name=\"posviz-scene\" content=\"heads \xff\"/></html>",
		 "UTF-8"},
		{"<!DOCTYPE html><meta name=\"posviz-scene\" content=\"heads x\"/></html>",
		 "heads"},
		/* Elements of the body are no texts of the page. */
		{"<!DOCTYPE html><body><meta name=\"posviz-scene\" content=\"heads 2\"/></html>",
		 "this picture carries no scene"},
		{"<!DOCTYPE html><meta name=\"posviz-scene\"></html><meta name=\"posviz-scene",
		 "this picture carries no scene"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene scene;
		struct err err = {""};
		assert_false(
			snapshot_scene(rows[i].page, strlen(rows[i].page), &arena, &scene, &err));
		if (!strstr(err.text, rows[i].error))
			fail_msg("%s: %s", rows[i].page, err.text);
		assert_null(strchr(err.text, '\n'));
	}
}

TEST(a_page_cut_anywhere_is_refused)
{
	struct scene scene;
	size_t len;
	hostile_scene(&scene);
	const char *const page = page_of(&scene, &len);
	const size_t head = (size_t)(strstr(page, "<style>") - page);
	for (size_t cut = 0; cut < len - sizeof "</html>"; cut += cut < head ? 7 : 997) {
		struct arena a;
		struct scene again;
		struct err err = {""};
		arena_init(&a);
		char *const copy = malloc(cut > 0 ? cut : 1);
		memcpy(copy, page, cut);
		assert_false(snapshot_scene(copy, cut, &a, &again, &err));
		assert_true(err.text[0]);
		free(copy);
		arena_release(&a);
	}
}
