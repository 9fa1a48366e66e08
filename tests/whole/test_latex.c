/* test_latex.c: figures in papers, as LaTeX makes them: that it reads our code, paints our colours, and that a
 * picture of ours in a page has the size and the letters that were asked for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_cli.h"
#include "posviz/plot/colormap.h"
#include "test.h"

FIXTURE(cli_enter, cli_leave)

static void run(const char *command)
{
	if (system(command) != 0)
		fail_msg("%s: see its .log", command);
}

/* Packages that are large, for these tests alone. */
static void need_latex(void)
{
	if (system("command -v pdflatex pdftotext >/dev/null 2>&1 && "
		   "kpsewhich pgfplots.sty standalone.cls >/dev/null 2>&1") == 0)
		return;
	print_message("there is no pdflatex with pgfplots and standalone: make long-deps\n");
	skip();
}

static void compile(const char *name)
{
	char command[200];
	snprintf(command, sizeof command,
		 "pdflatex -no-shell-escape -interaction=nonstopmode -halt-on-error %s.tex "
		 ">%s.out 2>&1",
		 name, name);
	run(command);
}

/* What the log complains of. */
static void expect_no_complaint(const char *name, struct arena *a)
{
	size_t len;
	const char *const log = cli_read(arena_printf(a, "%s.log", name), a, &len);
	static const char *const words[] = {"Overfull", "Package pgfplots Warning", "Undefined",
					    "Missing character"};
	for (size_t i = 0; i < 4; i++)
		if (strstr(log, words[i]))
			fail_msg("%s: %.120s", name, strstr(log, words[i]));
}

/* The output of a program, whole. */
static char *said_by(const char *command, struct arena *a)
{
	enum { MOST = 1 << 20 };
	char *const text = arena_alloc(a, MOST);
	FILE *const f = popen(command, "r");
	assert_non_null(f);
	text[fread(text, 1, MOST - 1, f)] = '\0';
	assert_int_equal(pclose(f), 0);
	return text;
}

/* ---- code of pgfplots --------------------------------------------------------------------------------- */

static const char *const schemes[] = {"t5",	 "alibi",      "kerple", "rope", "xpos",
				      "deberta", "shaw",       "fire",	 "tisa", "txl",
				      "learned", "sinusoidal", "cape",	 "tupe", "t5+causal"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };
static const char sentence[] = "50% of a_b {x} & #1 ~ \"é\" ^ \\ fell";

/* The matrix of `dump` in its own bytes: little-endian doubles behind a header. */
static const double *dumped(const char *scheme, struct arena *a, size_t *n)
{
	size_t len;
	const struct cli_case c = {.args = {"dump", scheme, "-s", sentence, "--matrix", "weights",
					    "--head", "1", "--layer", "1", "--force", "-o",
					    "x.npy"}};
	cli_good(&c);
	const unsigned char *const data = (const unsigned char *)cli_read("x.npy", a, &len);
	const size_t head = 10u + data[8] + 256u * data[9];
	double *const out = arena_alloc(a, len);
	memcpy(out, data + head, len - head);
	*n = (size_t)sqrt((double)((len - head) / sizeof(double)));
	assert_int_equal(*n * *n * sizeof(double), len - head);
	return out;
}

/* Every number of the table, bit by bit. */
static void expect_numbers(const char *scheme, const char *code, const double *at, size_t n)
{
	const char *line = strstr(code, "key query value colour\n");
	assert_non_null(line);
	for (size_t i = 0; i < n * n; i++) {
		size_t key, query;
		char value[40], colour[40];
		line = strchr(line, '\n') + 1;
		assert_int_equal(sscanf(line, "%zu %zu %39s %39s", &key, &query, value, colour), 4);
		assert_int_equal(key, i % n + 1);
		assert_int_equal(query, i / n + 1);
		const double got = strtod(value, NULL);
		/* A masked weight is none. */
		if (isnan(got) ? at[i] > 0 : got < at[i] || got > at[i])
			fail_msg("%s: %zu, %zu is %s and not %.17g", scheme, query, key, value,
				 at[i]);
	}
	assert_true(strncmp(strchr(line, '\n') + 1, "};", 2) == 0);
}

static size_t lines_from(const char *at)
{
	size_t n = 0;
	for (; *at != '}'; at = strchr(at, '\n') + 1)
		n++;
	return n;
}

TEST_THAT_LASTS(code_is_read_by_LaTeX, 4)
{
	need_latex();
	for (size_t i = test_part; i < SCHEMES; i += test_parts) {
		struct arena a;
		size_t len, n;
		arena_init(&a);
		static const char *const panels[] = {"weights", "curve"};
		for (int k = 0; k < 2; k++) {
			const struct cli_case c = {.args = {"render", schemes[i], "-s", sentence,
							    "--panel", panels[k], "--size",
							    "3.25in", "--force", "-o", "x.tex"}};
			cli_good(&c);
			compile("x");
			expect_no_complaint("x", &a);
			const char *const code = cli_read("x.tex", &a, &len);
			const double *const at = dumped(schemes[i], &a, &n);
			if (k == 0)
				expect_numbers(schemes[i], code, at, n);
			else
				assert_true(lines_from(strstr(code, "\nx y\n") + 5) >= n);
		}
		arena_release(&a);
	}
}

/* Views and panels of every kind, and what is awkward. */
TEST_THAT_LASTS(figures_are_read_by_LaTeX, 3)
{
	static const char *const rows[][10] = {
		{"t5"},
		{"rope", "--view", "heads"},
		{"deberta", "--view", "terms"},
		{"txl", "--view", "terms", "--size", "3.25in"},
		{"rope", "alibi", "--size", "5.5in"},
		{"t5", "--view", "why", "--row", "3", "--col", "2"},
		{"t5", "--view", "order"},
		{"t5", "-s", "a"},
		{"alibi", "--panel", "curve", "--curve-scale", "own"},
		{"alibi", "--panel", "curve", "--curve-scale", "symlog"},
		{"kerple", "--panel", "curve", "--heads", "8"},
		{"t5", "--panel", "bias,curve", "--theme", "dark"},
		{"graphormer", "--graph", "@amr1"},
		{"t5", "--panel", "bias", "--size", "3.25x2in"},
		{"t5", "-s", "der Bär mag čaj ð", "--panel", "bias"},
	};
	enum { ROWS = sizeof rows / sizeof *rows };
	need_latex();
	for (size_t i = test_part; i < ROWS; i += test_parts) {
		struct cli_case c = {
			.args = {"render", "--format", "tex", "--force", "-o", "x.tex"}};
		struct arena a;
		arena_init(&a);
		for (size_t k = 0; k < 10 && rows[i][k]; k++)
			c.args[6 + k] = rows[i][k];
		cli_good(&c);
		compile("x");
		expect_no_complaint("x", &a);
		arena_release(&a);
	}
}

/* Whatever behaviour a paper asks pgfplots for, or none, pictures in it are painted alike. */
TEST_THAT_LASTS(papers_of_any_compat_have_the_same_pictures, 1)
{
	static const char *const figures[][4] = {{"t5", "--panel", "bias"},
						 {"rope", "--view", "heads"},
						 {"deberta", "--view", "terms"},
						 {"t5", "--view", "why"},
						 {"kerple", "--panel", "curve"}};
	enum { FIGURES = sizeof figures / sizeof *figures };
	static const char *const asked[] = {"", "\\pgfplotsset{compat=1.3}",
					    "\\pgfplotsset{compat=1.15}",
					    "\\pgfplotsset{compat=newest}"};
	const char *first = NULL;
	size_t len, first_len = 0;
	struct arena a;
	need_latex();
	arena_init(&a);
	const char *body = "";
	for (size_t i = 0; i < FIGURES; i++) {
		const char *const name = arena_printf(&a, "figure%zu.tex", i);
		struct cli_case c = {.args = {"render", "-o", name}};
		for (size_t k = 0; k < 4 && figures[i][k]; k++)
			c.args[3 + k] = figures[i][k];
		cli_good(&c);
		body = arena_printf(&a, "%s\\input{figure%zu}\\clearpage\n", body, i);
	}
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		const char *const text = arena_printf(
			&a,
			"\\documentclass{article}\\usepackage{pgfplots}"
			"\\usepgfplotslibrary{groupplots}\n%s\n\\begin{document}%s\\end{document}\n",
			asked[i], body);
		cli_write("x.tex", text, strlen(text));
		compile("x");
		run("pdftoppm -r 72 x.pdf page && cat page-*.ppm > x.ppm");
		const char *const painted = cli_read("x.ppm", &a, &len);
		if (i == 0)
			first = painted, first_len = len;
		else if (len != first_len || memcmp(painted, first, len) != 0)
			fail_msg("\"%s\": not what is painted without it", asked[i]);
	}
	arena_release(&a);
}

/* 64 tokens are the most that are said to go. */
TEST_THAT_LASTS(the_largest_matrix_is_read, 1)
{
	need_latex();
	struct arena a;
	arena_init(&a);
	const char *text = "w";
	for (int i = 1; i < 64; i++)
		text = arena_printf(&a, "%s w%d", text, i);
	const struct cli_case c = {
		.args = {"render", "t5+causal", "-s", text, "--size", "5.5in", "-o", "x.tex"}};
	cli_good(&c);
	compile("x");
	expect_no_complaint("x", &a);
	arena_release(&a);
}

/* ---- colours ------------------------------------------------------------------------------------------- */

/* Pixels of a colour, as near as one level more or less is. */
static size_t pixels_of(const unsigned char *rgb, size_t n, uint32_t colour)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		int most = 0;
		for (int k = 0; k < 3; k++) {
			const int apart =
				abs(rgb[3 * i + (size_t)k] - (int)(colour >> (16 - 8 * k) & 255));
			most = apart > most ? apart : most;
		}
		found += most <= 2;
	}
	return found;
}

/* ALiBi of four tokens, slope 1/4: 0 to -3/4 in equal steps from white to the lower end of the map; 4, 3, 2
 * and 1 cells of each. */
TEST_THAT_LASTS(colours_are_ours_on_paper, 1)
{
	need_latex();
	struct arena a;
	size_t len;
	unsigned w, h;
	int from = 0;
	arena_init(&a);
	const struct cli_case c = {.args = {"render", "alibi", "-s", "a b c d", "--panel", "bias",
					    "--size", "3.25in", "-o", "x.tex"}};
	cli_good(&c);
	compile("x");
	run("pdftoppm -r 144 -aa no -aaVector no -singlefile x.pdf x");
	const char *const data = cli_read("x.ppm", &a, &len);
	assert_int_equal(sscanf(data, "P6 %u %u 255%n", &w, &h, &from), 2);
	const unsigned char *const rgb = (const unsigned char *)data + from + 1;
	const struct colormap *const map = colormap_find("paper");
	const double cell = (double)pixels_of(rgb, w * h, colormap_rgb(map, 0));
	assert_true(cell > 1000);
	/* The bar below it has some of all colours, the least of the cell alone. */
	static const double places[] = {1 / 6.0, 1 / 3.0, 0.5};
	for (int i = 0; i < 3; i++) {
		const double n = (double)pixels_of(rgb, w * h, colormap_rgb(map, places[i]));
		if (fabs(n / cell - (i + 2)) > 0.25)
			fail_msg("%g cells of colour %d", n / cell, i);
	}
	arena_release(&a);
}

/* ---- pictures in a page ---------------------------------------------------------------------------------- */

/* Two columns of 3.25 inches, as conferences have them. */
static const char page[] = "\\documentclass[10pt,twocolumn,letterpaper]{article}\n"
			   "\\usepackage{times,graphicx,pgfplots}\n"
			   "\\pgfplotsset{compat=1.15}\n"
			   "\\setlength{\\textwidth}{6.75in}\\setlength{\\columnsep}{0.25in}\n"
			   "\\setlength{\\textheight}{9in}\n"
			   "\\begin{document}\n"
			   "\\setbox0\\hbox{\\includegraphics{panel.pdf}}\n"
			   "\\typeout{width of the picture: \\the\\wd0}\n"
			   "Words of the paper.\n"
			   "\\begin{figure}\\centering\\includegraphics{panel.pdf}\n"
			   "\\caption{A panel.}\\end{figure}\\clearpage\n"
			   "\\begin{figure}\\centering\\input{code.tex}\n"
			   "\\caption{The same as code.}\\end{figure}\n"
			   "\\end{document}\n";

/* The height of the box of a word, which is its font's height; 0: it is not there. */
static double height_of(const char *boxes, const char *word, size_t which)
{
	const char *at = boxes;
	struct arena a;
	double low = 0, high = 0;
	arena_init(&a);
	const char *const end = arena_printf(&a, ">%s</word>", word);
	for (size_t i = 0; at && i <= which; i++)
		at = strstr(at + 1, end);
	if (at) {
		while (*at != '<')
			at--;
		assert_int_equal(sscanf(at,
					"<word xMin=\"%*f\" yMin=\"%lf\" xMax=\"%*f\" yMax=\"%lf\"",
					&low, &high),
				 2);
	}
	arena_release(&a);
	return high - low;
}

/* How high the box of a letter of one point is: of a page with labels of 60 points, whose size a program that
 * rounds it tells well enough, to 1/360 of it. */
static double height_of_a_point(struct arena *a)
{
	const struct cli_case c = {.args = {"render", "t5", "-s", "asleep then", "--panel", "curve",
					    "--size", "40in", "--dpi", "72", "--font-size", "60pt",
					    "-o", "large.pdf"}};
	cli_good(&c);
	const char *const xml = said_by("pdftohtml -xml -stdout -i -zoom 3 large.pdf", a);
	const char *const at = strstr(xml, "size=\"180\" family=");
	assert_non_null(at); /* three times 60 */
	assert_non_null(strstr(at, "Inter"));
	return height_of(said_by("pdftotext -bbox large.pdf -", a), "head", 0) / 60;
}

TEST_THAT_LASTS(a_panel_in_a_paper_has_the_letters_asked_for, 1)
{
	need_latex();
	struct arena a;
	arena_init(&a);
	const char *const ends[] = {"panel.pdf", "code.tex"};
	for (int i = 0; i < 2; i++) {
		const struct cli_case c = {.args = {"render", "t5", "--panel", "bias,curve",
						    "--size", "3.25in", "--font-size", "8pt", "-o",
						    ends[i]}};
		cli_good(&c);
	}
	cli_write("page.tex", page, strlen(page));
	compile("page");
	expect_no_complaint("page", &a);
	/* 3.25 inches: 234 points of PDF, 72.27 of TeX to the inch. */
	size_t len;
	const char *const log = cli_read("page.log", &a, &len);
	const char *const width = strstr(log, "width of the picture: ");
	assert_non_null(width);
	assert_within(strtod(width + 22, NULL) * 72 / 72.27, 234, 0.01);
	assert_non_null(strstr(said_by("pdfinfo panel.pdf", &a), "234 x "));
	const char *const boxes = said_by("pdftotext -f 1 -l 1 -bbox page.pdf -", &a);
	const double point = height_of_a_point(&a);
	const double letter = height_of(boxes, "a", 0) / point,
		     title = height_of(boxes, "Position", 0) / point,
		     label = height_of(boxes, "head", 0) / point;
	print_message("letters %.3f pt, titles %.3f pt, labels %.3f pt\n", letter, title, label);
	assert_within(letter, 10, 0.1);
	assert_within(title, 9, 0.1);
	assert_within(label, 8, 0.1);
	assert_within(height_of(boxes, "dog", 0) / point, 8, 0.1);
	arena_release(&a);
}
