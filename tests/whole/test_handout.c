/* test_handout.c: tours on paper: every word of them is there in its order, nothing is cut or lies on another word,
 * links and outline lead to where they say, and a hand-out of questions tells no answer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_cli.h"
#include "posviz/base/arena.h"
#include "posviz/base/strbuf.h"
#include "posviz/tour/tour.h"
#include "posviz/tour/tour_paper.h"
#include "test.h"

static struct arena arena;

static int enter(void **state)
{
	arena_init(&arena);
	return cli_enter(state);
}

static int leave(void **state)
{
	arena_release(&arena);
	return cli_leave(state);
}

FIXTURE(enter, leave)

/* ---- what is in a PDF ------------------------------------------------------------------------------- */

/* Without blanks, of which lines of a page have others: what is left is the words. */
static const char *bare(const char *text)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (; *text; text++) {
		if (strncmp(text, "\u00a0", 2) == 0)
			text++;
		else if (!strchr(" \n\f", *text))
			strbuf_add_char(&b, *text);
	}
	return b.at;
}

static const char *words_of(const char *data, size_t len)
{
	cli_write("x.pdf", data, len);
	return bare(cli_said("pdftotext -raw x.pdf -", &arena));
}

static const char *behind(const char *at, const char *text, const char *tour)
{
	const char *const wanted = bare(text), *const found = strstr(at, wanted);
	if (!found)
		fail_msg("%s: \"%s\" is not behind what comes before it", tour, text);
	return found + strlen(wanted);
}

/* ---- a tour ----------------------------------------------------------------------------------------- */

static const char small[] =
	"title Small\nauthor somebody\nabout A tour for tests.\n"
	"sentence dog bites man\nscheme none\n"
	"step One\n  focus weights\n  say The first thing.\n  source A, 1\n"
	"step Two\n  focus weights\n  say What comes before.\n"
	"  ask Which of these?\n  option This one\n  option That one\n  answer b\n"
	"reveal\n  order reverse\n  view order\n  focus shown\n"
	"  say The secret of the second step.\nwait\n  say And one more secret.\n"
	"step Three\n  order identity\n  view explore\n  scheme rope\n  focus curve\n"
	"  say Before it runs.\nwait\n  say It has run.\n"
	"  play base 10..1000 times 10 in 1 s\n"
	"step Four\n  focus bias\n  ask What do you see?\n  answer Stripes, hidden.\n"
	"reveal\n  scheme alibi\n  say These are the stripes.\n"
	"step Five\n  t-max 2\n  scheme learned\n  refused t-max\n"
	"  say There is no third row.\n";

static void read_small(struct tour *t)
{
	struct tour_report report = {.arena = &arena};
	if (!tour_read("small.tour", small, strlen(small), TOUR_SCENES, NULL, NULL, &arena, t,
		       &report))
		fail_msg("%s", report.lines[0].text);
}

struct made {
	char *data;
	size_t len;
	struct handout_report report;
};

static struct made make(const struct tour *t, const char *lines, struct tour_paper paper,
			struct cache *cache)
{
	struct scene room;
	struct made m;
	struct err err = {""};
	scene_init(&room);
	assert_true(scene_parse(&room, lines, &err));
	paper.room = &room;
	if (!tour_handout(t, &paper, cache, NULL, &arena, &m.data, &m.len, &m.report, &err))
		fail_msg("%s: %s", t->name, err.text);
	return m;
}

static void check_boxes(const char *name, const struct handout_report *r)
{
	if (r->missing_glyphs > 0)
		fail_msg("%s: no glyph in: %s", name, r->missing_sample);
	for (size_t k = 0; k < r->n; k++) {
		const struct raster_report *const page = &r->pages[k];
		for (size_t i = 0; i < page->n; i++) {
			const struct text_box *const b = &page->boxes[i];
			if (!text_box_inside(b, page->width, page->height))
				fail_msg("%s, page %zu: cut: %s", name, k + 1, b->text);
			for (size_t m = 0; m < i; m++)
				if (text_box_overlap(b, &page->boxes[m]))
					fail_msg("%s, page %zu: \"%s\" lies on \"%s\"", name, k + 1,
						 b->text, page->boxes[m].text);
		}
	}
}

/* Up to its first question; the answer of that and what follows. */
static const char *check_step(const struct tour *t, size_t step, const char *at)
{
	const struct tour_step *const s = &t->steps[step];
	at = behind(at, arena_printf(&arena, "%zu %s", step + 1, s->title), t->name);
	for (size_t i = s->first; i < s->first + s->n; i++) {
		const struct tour_beat *const b = &t->beats[i];
		if (b->say)
			at = behind(at, b->say, t->name);
		if (!b->ask)
			continue;
		at = behind(at, b->ask, t->name);
		for (size_t k = 0; k < b->n_options; k++)
			at = behind(
				at,
				arena_printf(&arena, "%c %s", tour_letter((int)k), b->options[k]),
				t->name);
		return behind(at, "Answer: page", t->name);
	}
	return at;
}

static const char *check_answer(const struct tour *t, size_t step, const char *at)
{
	const struct tour_step *const s = &t->steps[step];
	bool asked = false;
	for (size_t i = s->first; i < s->first + s->n; i++) {
		const struct tour_beat *const b = &t->beats[i];
		if (asked && b->say)
			at = behind(at, b->say, t->name);
		if (!b->ask)
			continue;
		asked = true;
		at = behind(at, s->title, t->name);
		at = behind(at, b->ask, t->name);
		at = behind(at, b->right >= 0 ? b->options[b->right] : b->answer, t->name);
	}
	return asked ? behind(at, "Question: page", t->name) : at;
}

static void check_words(const struct tour *t, const struct made *m)
{
	const char *at = words_of(m->data, m->len);
	at = behind(at, t->title, t->name);
	for (size_t i = 0; i < t->n_steps; i++)
		at = behind(at, t->steps[i].title, t->name); /* contents */
	for (size_t i = 0; i < t->n_steps; i++)
		at = check_step(t, i, at);
	for (size_t i = 0; i < t->n_steps; i++)
		at = check_answer(t, i, at);
}

/* ---- tests ------------------------------------------------------------------------------------------ */

TEST(a_page_a_step_with_its_words_in_order)
{
	struct tour t;
	read_small(&t);
	const struct made m = make(&t, "", (struct tour_paper){.per_page = 1}, NULL);
	check_boxes("small", &m.report);
	assert_int_equal(m.report.n, 1 + 5 + 1); /* contents, steps, answers */
	const struct made s =
		make(&t, "size 13.33x7.5in\nfont-size 18pt", (struct tour_paper){0}, NULL);
	check_boxes("small slides", &s.report);
	assert_int_equal(s.report.n, 1 + 5 + 2); /* a slide each answer */
	if (!cli_has("pdftotext"))
		skip();
	check_words(&t, &s);
	check_words(&t, &m);
	const char *const words = words_of(m.data, m.len);
	behind(words, "Source: A, 1", "small");
	behind(words, "base runs from 10 to 1000; shown here: 1000", "small");
	behind(behind(words, "The program says", "small"), "t-max", "small");
}

TEST(the_same_tour_is_the_same_bytes)
{
	struct tour t;
	read_small(&t);
	const struct made a = make(&t, "", (struct tour_paper){0}, NULL);
	const struct made b = make(&t, "", (struct tour_paper){0}, NULL);
	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.data, b.data, a.len);
}

/* What was decided after a question is nowhere, in the words, in the outline, or as a page. */
TEST(questions_alone_tell_no_answer)
{
	static const char *const secrets[] = {"secret", "Stripes, hidden", "These are the stripes",
					      "Answer"};
	struct tour t;
	read_small(&t);
	const struct made m =
		make(&t, "", (struct tour_paper){.shows = HANDOUT_QUESTIONS, .per_page = 1}, NULL);
	assert_int_equal(m.report.n, 1 + 5);
	for (size_t k = 0; k < m.report.n; k++)
		for (size_t i = 0; i < m.report.pages[k].n; i++)
			for (size_t s = 0; s < 4; s++)
				assert_null(strstr(m.report.pages[k].boxes[i].text, secrets[s]));
	if (!cli_has("pdftotext") || !cli_has("pdftohtml"))
		skip();
	const char *const words = words_of(m.data, m.len);
	const char *const all =
		bare(cli_said("pdftohtml -xml -i -stdout x.pdf; pdfinfo x.pdf", &arena));
	for (size_t s = 0; s < 4; s++) {
		assert_null(strstr(words, bare(secrets[s])));
		assert_null(strstr(all, bare(secrets[s])));
	}
	behind(behind(words, "Which of these?", "small"), "b That one", "small");
}

TEST(exercises_stand_below_each_other_and_answers_apart)
{
	struct tour t;
	read_small(&t);
	const struct made q =
		make(&t, "", (struct tour_paper){.shows = HANDOUT_QUESTIONS, .sheet = true}, NULL);
	const struct made a =
		make(&t, "", (struct tour_paper){.shows = HANDOUT_ANSWERS, .sheet = true}, NULL);
	check_boxes("questions", &q.report);
	check_boxes("answers", &a.report);
	assert_in_range(q.report.n, 1, 3);
	assert_int_equal(a.report.n, 1);
	if (!cli_has("pdftotext"))
		skip();
	const char *const words = words_of(a.data, a.len);
	behind(behind(words, "Small", "answers"), "Stripes, hidden.", "answers");
	assert_null(strstr(words, "Thefirstthing"));
}

/* Each of "page N" that can be followed leads there. */
static void check_links(const char *xml)
{
	static const char link[] = "<a href=\"x.html#";
	size_t n = 0;
	for (const char *at = strstr(xml, link); at; at = strstr(at + 1, link)) {
		const long page = strtol(at + strlen(link), NULL, 10);
		const char *const end = strstr(at, "</a>");
		const char *const word = strstr(at, ": page ");
		if (!word || word > end)
			continue;
		assert_int_equal(strtol(word + strlen(": page "), NULL, 10), page);
		n++;
	}
	assert_int_equal(n, 4); /* two questions, two answers */
}

TEST(links_and_outline_lead_where_they_say)
{
	struct tour t;
	if (!cli_has("pdftohtml") || !cli_has("pdfinfo"))
		skip();
	read_small(&t);
	const struct made m = make(&t, "", (struct tour_paper){.per_page = 1}, NULL);
	cli_write("x.pdf", m.data, m.len);
	const char *const xml =
		cli_said("pdftohtml -xml -i x.pdf x.xml > x.log; cat x.xml x.log", &arena);
	if (strstr(xml, "Error"))
		fail_msg("%s", strstr(xml, "Error"));
	check_links(xml);
	assert_non_null(strstr(xml, "<item page=\"1\">Small</item>"));
	assert_non_null(strstr(xml, "<item page=\"5\">4  Four</item>"));
	assert_non_null(strstr(xml, "<item page=\"7\">Answers</item>"));
	const char *const info = cli_said("pdfinfo x.pdf", &arena);
	assert_non_null(strstr(info, "Small"));
	assert_non_null(strstr(info, "somebody"));
	assert_null(strstr(info, "CreationDate"));
	const char *fonts = strchr(strchr(cli_said("pdffonts x.pdf", &arena), '\n') + 1, '\n') + 1;
	for (; *fonts != '\0'; fonts = strchr(fonts, '\n') + 1)
		if (!strstr(arena_strndup(&arena, fonts, strcspn(fonts, "\n")), "yes yes yes"))
			fail_msg("%s", fonts);
}

/* Several steps on a page: no more pages, each word in its order, no page half empty but the last, the
 * numbers of the steps in the head, links where they say. */
TEST(steps_share_pages)
{
	static const struct {
		size_t per_page, pages;
		const char *head;
	} rows[] = {
		{1, 7, ""}, {2, 5, "steps 1 to 2"}, {4, 4, "steps 1 to 4"}, {6, 3, "steps 1 to 5"}};
	struct tour t;
	read_small(&t);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct made m =
			make(&t, "", (struct tour_paper){.per_page = rows[i].per_page}, NULL);
		bool headed = !*rows[i].head;
		check_boxes("small", &m.report);
		assert_int_equal(m.report.n, rows[i].pages);
		for (size_t k = 0; k < m.report.pages[1].n; k++)
			headed |= strcmp(m.report.pages[1].boxes[k].text, rows[i].head) == 0;
		assert_true(headed);
		if (!cli_has("pdftotext") || !cli_has("pdftohtml"))
			continue;
		check_words(&t, &m);
		behind(words_of(m.data, m.len), "Source: A, 1", "small");
		cli_write("x.pdf", m.data, m.len);
		check_links(
			cli_said("pdftohtml -xml -i x.pdf x.xml > x.log; cat x.xml x.log", &arena));
	}
	const struct made usual = make(&t, "", (struct tour_paper){0}, NULL);
	assert_int_equal(usual.report.n, rows[1].pages);
}

/* Returns how much of a page is used, down to its last words or drawing above the foot. */
static double used_of(const struct raster_report *page)
{
	const double foot = 0.93 * page->height;
	double end = 0;
	for (size_t i = 0; i < page->n; i++) {
		const double bottom = text_box_bottom(&page->boxes[i]);
		end = bottom < foot ? fmax(end, bottom) : end;
	}
	for (size_t i = 0; i < page->plot_n; i++)
		end = fmax(end, page->plots[i].y + page->plots[i].height);
	return end / foot;
}

static bool says(const struct raster_report *page, const char *text)
{
	for (size_t i = 0; i < page->n; i++)
		if (strcmp(page->boxes[i].text, text) == 0)
			return true;
	return false;
}

/* The lecture's 70 steps fit on paper that is carried: at most 30 pages, and those of steps are full. */
TEST(the_lecture_is_no_book)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	struct tour t;
	struct err err = {""};
	if (!tour_open("lecture", TOUR_LINES, cache, NULL, &arena, &t, NULL, &err))
		fail_msg("%s", err.text);
	const struct made m = make(&t, "", (struct tour_paper){0}, cache);
	double used = 0;
	size_t n = 0;
	assert_in_range(m.report.n, 10, 30);
	while (n + 2 < m.report.n && !says(&m.report.pages[n + 1], "Answers"))
		used += used_of(&m.report.pages[++n]);
	assert_in_range(n, 15, 22);
	if (used / (double)n < 0.85)
		fail_msg("%.2f of the pages is used", used / (double)n);
	cache_free(cache);
}

/* Words that fill more than a page go on behind it. */
TEST(a_step_of_many_beats_goes_on_over_pages)
{
	struct strbuf b;
	struct tour t;
	struct tour_report report = {.arena = &arena};
	strbuf_init(&b, &arena);
	strbuf_add(&b, "title Long\nscheme none\nsentence a b c\nstep One\n  say Beat 0.\n");
	for (int i = 1; i < 60; i++)
		strbuf_printf(&b, "wait\n  say Beat %d, of which there is this much to be said.\n",
			      i);
	assert_true(tour_read("long", b.at, b.len, TOUR_LINES, NULL, NULL, &arena, &t, &report));
	const struct made m = make(&t, "", (struct tour_paper){0}, NULL);
	check_boxes("long", &m.report);
	assert_in_range(m.report.n, 2, 4);
}

static const char *const tours[] = {"sinusoids",    "expansion",     "bias",   "buckets",
				    "relative",	    "rotation",	     "rank",   "order",
				    "trees-graphs", "extrapolation", "lecture"};
enum { TOURS = sizeof tours / sizeof *tours };

/* Ours, on paper and as slides: no step needs more than its page. */
TEST_SAMPLED(every_tour_is_a_deck_of_all_its_words, 1, 11)
{
	struct cache *const cache = cache_new(CACHE_BYTES);
	for (size_t i = test_part; i < TOURS; i += test_parts) {
		struct tour t;
		struct err err = {""};
		if (!tour_open(tours[i], TOUR_LINES, cache, NULL, &arena, &t, NULL, &err))
			fail_msg("%s", err.text);
		const struct made m = make(&t, "", (struct tour_paper){0}, cache);
		const struct made s =
			make(&t, "size 13.33x7.5in\nfont-size 18pt", (struct tour_paper){0}, cache);
		check_boxes(tours[i], &m.report);
		check_boxes(tours[i], &s.report);
		if (cli_has("pdftotext")) {
			check_words(&t, &m);
			check_words(&t, &s);
		}
	}
	cache_free(cache);
}

/* ---- the command line ------------------------------------------------------------------------------- */

TEST(a_directory_has_a_picture_a_step_and_an_index)
{
	struct cli_result r;
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write("small.tour", small, strlen(small));
	cli_good(&(struct cli_case){
		.args = {"tour", "small.tour", "-o", "out", "--size", "300x200"}});
	const char *const text = cli_read("out/README.md", &a, &len);
	assert_non_null(strstr(text, "(01-one.png)"));
	assert_non_null(strstr(text, "(02-two-answer.png)"));
	assert_non_null(strstr(text, "(03-three-2.png)"));
	assert_non_null(strstr(text, "> The program says: "));
	assert_non_null(strstr(text, "The secret of the second step."));
	cli_good(&(struct cli_case){.args = {"verify", "out/02-two-answer.png"}});
	cli_run(&r, &(struct cli_case){.args = {"tour", "small.tour", "-o", "out"}});
	assert_int_equal(r.code, 2);
	assert_non_null(strstr(r.err, "01-one.png\" exists already, --force overwrites it"));
	cli_done(&r);
	cli_good(&(struct cli_case){
		.args = {"tour", "small.tour", "-o", "bare/", "--format", "svg", "--questions"}});
	const char *const bare_text = cli_read("bare/README.md", &a, &len);
	assert_null(strstr(bare_text, "secret"));
	assert_null(strstr(bare_text, "nswer"));
	arena_release(&a);
}

/* Of a folder that has no room for a picture nothing is there, and of one that was there nothing more. */
TEST(a_directory_is_written_whole_or_not_at_all)
{
	struct cli_result r;
	cli_write("small.tour", small, strlen(small));
	const struct cli_case c = {
		.args = {"tour", "small.tour", "-o", "none", "--size", "300x200"},
		.file_limit = 4000};
	cli_run(&r, &c);
	assert_int_equal(r.code, 2);
	if (!strstr(r.err, "pictures was written: "))
		fail_msg("%s", r.err);
	assert_int_equal(cli_files(), 1);
	cli_done(&r);
}

TEST(what_makes_no_hand_out_is_refused)
{
	static const struct {
		const char *args[8], *why;
	} rows[] = {
		{{"order", "-o", "x.doc"}, "a hand-out is FILE.pdf, or a directory"},
		{{"order", "-o", "no/x.pdf"}, "its directory does not exist"},
		{{"order", "-o", ""}, "the name is empty"},
		{{"order", "-o", "-"}, "give --format pdf"},
		{{"order", "-o", "x.pdf", "--format", "png"}, "is a file of pages, which are pdf"},
		{{"order", "-o", "x/", "--format", "pdf"}, "are png or svg, not pdf"},
		{{"order", "-o", "x.pdf", "--for", "acl"}, "as high as it is said to be"},
		{{"order", "-o", "x.pdf", "--size", "40x40mm"}, "too small for a hand-out"},
		{{"order", "-o", "x.pdf", "--caption", "full"},
		 "--caption means nothing for a hand-out of pages"},
		{{"order", "-o", "x.pdf", "--step", "99"}, "there is no step 99"},
		{{"order", "-o", "x.pdf", "--steps-per-page", "3"}, "is none of 1, 2, 4 and 6"},
		{{"order", "-o", "x.pdf", "--steps-per-page", "7"}, "out of range"},
		{{"order#2", "-o", "x.pdf", "--steps-per-page", "2"}, "a page of its own"},
		{{"order", "-o", "x/", "--steps-per-page", "2"},
		 "--steps-per-page means nothing for a hand-out of pictures; it is for a hand-out of "
		 "pages"},
		{{"order", "--steps-per-page", "2"},
		 "--steps-per-page means nothing for the screen"},
		{{"order#2.1", "-o", "x.pdf"}, "has whole steps: order#2"},
		{{"order", "rank", "-o", "x.pdf"}, "one tour at a time"},
		{{"order", "--questions"}, "is for a hand-out"},
		{{"order", "-o", "x.pdf", "--notes"}, "--output means nothing for --notes"},
		{{"order", "-o", "x.pdf", "--motion", "off"},
		 "--motion means nothing for a hand-out of"},
		{{"order", "-o", "x.pdf", "--cells", "60x20"},
		 "--cells means nothing for a hand-out of"},
		{{"orden", "-o", "x.pdf"}, "orden"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {.args = {"tour"}};
		struct cli_result r;
		memcpy(c.args + 1, rows[i].args, sizeof rows[i].args);
		cli_run(&r, &c);
		const char *const end = strchr(r.err, '\n');
		if (r.code != 2 || !strstr(r.err, rows[i].why) || !end || end[1] != '\0')
			fail_msg("%s: %d: %s", rows[i].why, r.code, r.err);
		assert_int_equal(cli_files(), 0);
		cli_done(&r);
	}
}

TEST(a_step_alone_is_its_page_and_its_answer)
{
	struct arena a;
	size_t len;
	arena_init(&a);
	cli_write("small.tour", small, strlen(small));
	cli_good(&(struct cli_case){.args = {"tour", "small.tour", "--step", "4", "-o", "x.pdf"}});
	cli_good(&(struct cli_case){.args = {"tour", "small.tour#4", "-o", "y.pdf"}});
	assert_true(cli_read("x.pdf", &a, &len) != NULL);
	if (!cli_has("pdftotext"))
		skip();
	const char *const words = bare(cli_said("pdftotext -raw x.pdf -", &arena));
	assert_string_equal(words, bare(cli_said("pdftotext -raw y.pdf -", &arena)));
	behind(behind(words, "4 Four", "small"), "Stripes, hidden.", "small");
	assert_null(strstr(words, "Contents"));
	assert_null(strstr(words, bare("The first thing")));
	behind(words, "page 2 of 2", "small");
	arena_release(&a);
}
