/* test_readme.c: README.md, man/guide.md and man/tours.md do what they say: each command works as it stands there,
 * each example and each picture is there and is what it should be, each link leads somewhere. */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_cli.h"
#include "help_pty.h"
#include "posviz/base/strbuf.h"
#include "posviz/export/export.h"
#include "posviz/format/file.h"
#include "posviz/format/tensor.h"
#include "posviz/math/mat.h"

FIXTURE(cli_enter, cli_leave)

enum { LINES = 400, TEXT_LIMIT = 1 << 22 };

/* A file of the sources. */
static const char *source(const char *name, struct arena *a)
{
	return arena_printf(a, "%s/../../%s", test_data, name);
}

static char *page_text(const char *name, struct arena *a)
{
	char *text;
	size_t len;
	struct err err;
	if (!file_read(source(name, a), TEXT_LIMIT, a, &text, &len, &err))
		fail_msg("%s", err.text);
	return text;
}

/* The blocks ```KIND of a page, one after the other */
static size_t blocks(const char *page, const char *kind, struct arena *a, const char *out[LINES])
{
	const char *const begin = arena_printf(a, "```%s\n", kind);
	size_t n = 0;
	for (const char *at = page; (at = strstr(at, begin)) != NULL;) {
		at += strlen(begin);
		const char *const end = strstr(at, "\n```");
		assert_non_null(end);
		assert_true(n < LINES);
		out[n++] = arena_strndup(a, at, (size_t)(end - at));
		at = end + 4;
	}
	return n;
}

/* A line that ends in a backslash goes on with the next one. */
static char *joined(const char *text, struct arena *a)
{
	char *const out = arena_strdup(a, text);
	for (char *at = out; (at = strstr(at, "\\\n")) != NULL;)
		memcpy(at, "  ", 2);
	return out;
}

/* The command lines of a page. */
static size_t commands(const char *name, struct arena *a, const char *out[LINES])
{
	const char *in[LINES];
	const size_t n = blocks(page_text(name, a), "sh", a, in);
	size_t lines = 0;
	for (size_t i = 0; i < n; i++)
		for (char *rest = joined(in[i], a), *line;
		     (line = strtok_r(rest, "\n", &rest)) != NULL;) {
			assert_true(lines < LINES);
			out[lines++] = line;
		}
	return lines;
}

/* ---- commands -------------------------------------------------------------------------------------- */

static void write_npy(const char *name, const char *shape, size_t n)
{
	char head[129];
	struct arena a;
	arena_init(&a);
	float *const values = arena_calloc(&a, n, sizeof *values);
	for (size_t i = 0; i < n; i++)
		values[i] = (float)(i % 7 + 1) / 8;
	memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
	snprintf(head + 10, sizeof head - 10, "%-117s\n",
		 arena_printf(&a, "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }",
			      shape));
	char *const all = arena_alloc(&a, 128 + n * sizeof *values);
	memcpy(all, head, 128);
	memcpy(all + 128, values, n * sizeof *values);
	cli_write(name, all, 128 + n * sizeof *values);
	arena_release(&a);
}

/* What its snippets of Python write. */
static void write_tensors(void)
{
	write_npy("t5.npy", "32, 8", 32 * 8);
	write_npy("attention.npy", "3, 1, 4, 9, 9", 3 * 4 * 81);
	write_npy("units.npy", "9, 64", 9 * 64);
}

/* The frequencies of llama31.json: base 500000, and from wavelengths of 2048 positions on to those of 8192 a
 * growing part of an eighth. */
static void write_frequencies(struct arena *a)
{
	const double two_pi = 6.283185307179586;
	const struct mat m = mat_new(a, 1, 64);
	struct tensor_set set;
	char *data;
	size_t len;
	for (size_t i = 0; i < m.cols; i++) {
		const double f = pow(500000, -(double)i / 64), rounds = 8192 * f / two_pi;
		const double kept = fmin(1, fmax(0, (rounds - 1) / 3));
		m.at[i] = (float)(f * (kept + (1 - kept) / 8));
	}
	tensor_set_init(&set, a);
	tensor_set_add(&set, "rotary_emb.inv_freq", m, true);
	assert_true(tensor_write_safetensors(&set, a, &data, &len, NULL));
	cli_write("model.safetensors", data, len);
}

/* A model's configuration, and a file of its tensors. */
static void write_configuration(void)
{
	struct arena a;
	char *text;
	size_t len;
	arena_init(&a);
	assert_true(file_read(arena_printf(&a, "%s/models/configs/llama31.json", test_data),
			      TEXT_LIMIT, &a, &text, &len, NULL));
	cli_write("config.json", text, len);
	write_frequencies(&a);
	arena_release(&a);
}

/* So that `posviz` is found by the shell. */
static const char *with_path(const char *line, struct arena *a)
{
	return arena_printf(a, "posviz() { \"$POSVIZ\" \"$@\"; }\n%s", line);
}

/* Declared in cli.h, whose other names are used here otherwise. */
const struct subcommand *subcommand_find(const char *name);

/* A line whose last command is no sub-command. */
static bool is_of_screen(const char *line, struct arena *a)
{
	const char *last = NULL;
	for (const char *at = line; (at = strstr(at, "posviz")) != NULL; at++)
		if (at == line || (at[-1] == ' ' && strchr(" ", at[6])))
			last = at;
	assert_non_null(last);
	const char *const word = last + 6 + strspn(last + 6, " ");
	return !subcommand_find(arena_strndup(a, word, strcspn(word, " ")));
}

/* A line that starts the terminal program: it draws, and q ends it. */
static void look(const char *line, struct arena *a)
{
	char here[PATH_MAX];
	struct pty p;
	const struct pty_look at = {.rows = 36,
				    .cols = 120,
				    .dir = getcwd(here, sizeof here),
				    .shell = with_path(line, a)};
	pty_start(&p, &at);
	if (!pty_wait(&p, "q quit"))
		PTY_FAIL(&p, "%s", line);
	pty_type(&p, "q");
	assert_int_equal(pty_exit(&p), 0);
	pty_stop(&p);
}

/* Another one does what it does without a word of complaint. */
static void run(const char *line, struct arena *a)
{
	size_t len;
	setenv("LINE", with_path(line, a), 1);
	const int code = system("bash -c \"$LINE\" < /dev/null > out 2> said");
	const char *const said = cli_read("said", a, &len);
	if (code != 0 || len > 0)
		fail_msg("%s: exit %d: %s", line, code, said);
}

/* The commands of a page, or those that name a file: the others are run by another test. */
static void run_page(const char *name, size_t least, const char *file)
{
	const char *lines[LINES];
	struct arena a;
	arena_init(&a);
	const size_t n = commands(name, &a, lines);
	size_t ran = 0;
	for (size_t i = 0; i < n; i++) {
		if (file && !strstr(lines[i], file))
			continue;
		ran++;
		if (is_of_screen(lines[i], &a))
			look(lines[i], &a);
		else
			run(lines[i], &a);
	}
	assert_true(ran >= least);
	arena_release(&a);
}

TEST_LONG(every_command_of_the_readme_works)
{
	write_tensors();
	write_configuration();
	run_page("README.md", 10, NULL);
}

TEST_LONG(every_command_of_the_guide_works)
{
	write_configuration();
	run_page("man/guide.md", 10, NULL);
}

/* Its example is a tour with nothing to complain of, and makes a lecture with one of ours. */
TEST(what_the_language_of_tours_says_works)
{
	static const char lecture[] = "title Two lessons\norder\nmirror.tour\n";
	const char *tours[LINES];
	size_t len;
	struct arena a;
	arena_init(&a);
	run_page("man/tours.md", 3, NULL);
	assert_int_equal(blocks(page_text("man/tours.md", &a), "tour", &a, tours), 1);
	cli_write("mirror.tour", tours[0], strlen(tours[0]));
	run("posviz tour --check mirror.tour", &a);
	assert_null(strstr(cli_read("out", &a, &len), "warning"));
	assert_non_null(strstr(page_text("man/tours.md", &a), lecture));
	cli_write("two.tours", lecture, strlen(lecture));
	run("posviz tour --check two.tours", &a);
	arena_release(&a);
}

/* ---- the walk ---------------------------------------------------------------------------------------- */

/* What is pressed, what the screen shows then, and what README.md says of it; NULL: not in these words. */
static const struct step {
	const char *keys, *screen, *words;
} walk[] = {
	{"", "bias −3.22 (all tokens equal)", "bias −3.22, "},
	{"", "logit −2.6 ", "logit −2.6, "},
	{"", "weight 0.00719", "weight 0.00719"},
	{"\r", "Why this cell?", "**Why this cell**"},
	{"", "unit–unit              +0.62", "unit–unit, +0.62"},
	{"", "Σ logit                −2.60", "give −2.60"},
	{"", "= 0.0072 ", "softmax turns this into 0.0072"},
	{"\033", "Attention weights", NULL},
	{"----", "+- buckets 24", "`buckets` falls to 24"},
	{"\177", "+- buckets 32", "<kbd>Backspace</kbd>"},
	{"3pR", "order 9 8 7 6 5 4 3 2 1", "<kbd>R</kbd>"},
	{"", "relative change 0 ", "the difference is 0"},
	{"r", "relative change 0.", "<kbd>r</kbd> shuffles"},
	{"o", "permute    the₁  cat  that", "<kbd>o</kbd> restores"},
	{"\033", "? help", NULL},
	{"C/alibi\r", "alibi | t5", "<kbd>C</kbd> <kbd>/</kbd> `alibi` <kbd>Enter</kbd>"},
	{"", "masked in 1 only", "cells that only one of them allows"},
	{"U", "nothing is pinned", "<kbd>U</kbd>"},
	{"/deberta\r2", "query–Kʳ", "<kbd>/</kbd> `deberta` <kbd>Enter</kbd> <kbd>2</kbd>"},
	{" ", "unit–unit: off", "<kbd>Space</kbd>"},
	{"e", "Enter keeps", "<kbd>Enter</kbd> keeps it"},
	{"\r", "? help", NULL},
	{"s", "wrote posviz-001.png", "`posviz-001.png`"},
};

TEST(the_walk_shows_what_the_readme_says)
{
	char here[PATH_MAX];
	struct arena a;
	struct pty p;
	arena_init(&a);
	const char *const readme = page_text("README.md", &a);
	assert_non_null(strstr(readme, "```sh\nposviz --fresh --scheme t5\n```"));
	pty_start(&p, &(struct pty_look){.rows = 38,
					 .cols = 132,
					 .args = {"--scheme", "t5"},
					 .dir = getcwd(here, sizeof here)});
	for (const struct step *s = walk; s < walk + sizeof walk / sizeof *walk; s++) {
		pty_type(&p, s->keys);
		if (!pty_wait(&p, s->screen))
			PTY_FAIL(&p, "%s: no \"%s\"", s->keys, s->screen);
		if (s->words && !strstr(readme, s->words))
			fail_msg("README.md does not say \"%s\"", s->words);
	}
	pty_type(&p, "q");
	assert_int_equal(pty_exit(&p), 0);
	pty_stop(&p);
	cli_good(&(struct cli_case){.args = {"verify", "posviz-001.png"}});
	arena_release(&a);
}

/* ---- a paper ------------------------------------------------------------------------------------------- */

static void need_latex(void)
{
	if (system("command -v pdflatex bibtex >/dev/null 2>&1 && "
		   "kpsewhich pgfplots.sty natbib.sty plainnat.bst >/dev/null 2>&1") == 0)
		return;
	print_message("there is no pdflatex with pgfplots and natbib: make long-deps\n");
	skip();
}

/* What it says that a paper needs, in the columns of the ACL, with the files that its lines make. */
TEST_THAT_LASTS(a_paper_has_its_figures_and_references, 1)
{
	static const char *const files[] = {"curves.pdf", "bias.tex", "schemes.bib"};
	const char *lines[LINES], *in[LINES];
	size_t made = 0, len;
	struct arena a;
	need_latex();
	arena_init(&a);
	const size_t n = commands("README.md", &a, lines);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < 3; k++)
			if (strstr(lines[i], arena_printf(&a, " %s", files[k])) && ++made)
				run(lines[i], &a);
	assert_int_equal(made, 3);
	assert_int_equal(blocks(page_text("README.md", &a), "tex", &a, in), 1);
	const char *const packages = strstr(in[0], "\\usepackage{");
	assert_non_null(strstr(in[0], "for \\input{bias} also \\usepackage{pgfplots}"));
	const char *const paper = arena_printf(
		&a,
		"\\documentclass[11pt,twocolumn]{article}\n"
		"\\setlength{\\textwidth}{16cm}\\setlength{\\columnsep}{.6cm}\n%.*s}\\usepackage{pgfplots}\n"
		"\\begin{document}\n%s\n\\begin{figure}\\input{bias}\\end{figure}\n\\end{document}\n",
		(int)strcspn(packages, "}"), packages, in[0]);
	cli_write("paper.tex", paper, strlen(paper));
	static const char tex[] = "pdflatex -interaction=nonstopmode -halt-on-error paper";
	const char *const make =
		arena_printf(&a, "(%s && bibtex paper && %s && %s) > said 2>&1", tex, tex, tex);
	if (system(make) != 0)
		fail_msg("%s", cli_read("said", &a, &len));
	const char *const log = cli_read("paper.log", &a, &len);
	static const char *const complaints[] = {"Overfull", "ndefined", "natbib Warning"};
	for (size_t i = 0; i < 3; i++)
		if (strstr(log, complaints[i]))
			fail_msg("%.200s", strstr(log, complaints[i]));
	arena_release(&a);
}

/* ---- pictures and links ------------------------------------------------------------------------------ */

/* Calls `each` for all that stands between the two texts on one line. */
static size_t between(const char *text, const char *begin, const char *end,
		      void (*each)(const char *found, struct arena *a), struct arena *a)
{
	size_t n = 0;
	for (const char *at = text; (at = strstr(at, begin)) != NULL; n++) {
		at += strlen(begin);
		const size_t len = strcspn(at, "\n");
		const char *const stop = memmem(at, len, end, strlen(end));
		assert_non_null(stop);
		each(arena_strndup(a, at, (size_t)(stop - at)), a);
	}
	return n;
}

static const char *folder;
static void expect_file(const char *link, struct arena *a)
{
	if (strncmp(link, "http", 4) != 0 &&
	    !file_exists(source(arena_printf(a, "%s%s", folder, link), a)))
		fail_msg("%s%s is not there", folder, link);
}

TEST(every_link_leads_to_a_file)
{
	struct arena a;
	arena_init(&a);
	folder = "";
	assert_true(between(page_text("README.md", &a), "](", ")", expect_file, &a) > 10);
	assert_int_equal(between(page_text("README.md", &a), "srcset=\"", "\"", expect_file, &a),
			 1);
	assert_int_equal(between(page_text("README.md", &a), "src=\"", "\"", expect_file, &a), 1);
	folder = "man/";
	assert_true(between(page_text("man/guide.md", &a), "](", ")", expect_file, &a) > 1);
	between(page_text("man/tours.md", &a), "](", ")", expect_file, &a);
	arena_release(&a);
}

/* The page at the top has what the screen beside it has, and the rule that the text speaks of. */
TEST(the_first_page_has_all_of_the_screen)
{
	static const char *const texts[] = {
		">Position bias<",	 ">Attention weights<", ">Position bias by distance<",
		">What it does<",	 ">What was measured<", ">not trained<",
		"b = −log(1 + the least"};
	const char *lines[LINES];
	size_t len;
	struct arena a;
	arena_init(&a);
	const size_t n = commands("README.md", &a, lines);
	size_t i = 0;
	while (i < n && !strstr(lines[i], " -o page.png"))
		i++;
	assert_true(i < n);
	run(arena_printf(&a, "%.*s -o page.svg", (int)(strstr(lines[i], " -o ") - lines[i]),
			 lines[i]),
	    &a);
	const char *const svg = cli_read("page.svg", &a, &len);
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
		if (!strstr(svg, texts[k]))
			fail_msg("the page of %s has no %s", lines[i], texts[k]);
	assert_null(strstr(svg, "not on this page"));
	arena_release(&a);
}

/* What carries a scene is computed again. */
TEST(numbers_of_the_gallery_are_those_of_today)
{
	struct arena a;
	size_t pictures = 0, verified = 0;
	arena_init(&a);
	const char *const readme = page_text("README.md", &a);
	DIR *const dir = opendir(source("man/gallery", &a));
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir)) != NULL;) {
		struct cli_result r;
		if (*e->d_name == '.')
			continue;
		pictures++;
		if (!strstr(readme, arena_printf(&a, "man/gallery/%s", e->d_name)))
			fail_msg("README.md does not show %s", e->d_name);
		const char *const path = source(arena_printf(&a, "man/gallery/%s", e->d_name), &a);
		cli_run(&r, &(struct cli_case){.args = {"verify", path}});
		if (r.code != 0 && !strstr(r.err, "carries no scene"))
			fail_msg("%s: exit %d: %s%s", e->d_name, r.code, r.err, r.out);
		verified += r.code == 0;
		cli_done(&r);
	}
	closedir(dir);
	assert_int_equal(pictures, 10);
	assert_int_equal(verified, 7);
	arena_release(&a);
}

static void read_picture(const char *path, struct arena *a, struct image *image)
{
	char *data;
	size_t len;
	struct err err;
	if (!file_read(path, TEXT_LIMIT, a, &data, &len, &err) ||
	    !export_png_read(data, len, a, image, NULL, NULL, &err))
		fail_msg("%s: %s", path, err.text);
}

static void expect_picture(const char *name, struct arena *a)
{
	struct image was, is;
	read_picture(source(arena_printf(a, "man/gallery/%s", name), a), a, &was);
	read_picture(name, a, &is);
	if (was.width != is.width || was.height != is.height ||
	    memcmp(was.rgb, is.rgb, 3 * (size_t)is.width * (size_t)is.height) != 0)
		fail_msg("man/gallery/%s is not what is drawn today: make gallery", name);
}

/* Letters are those of Debian 12's fonts and of what draws them there. */
static bool is_debian_12(void)
{
	return system("grep -qx ID=debian /etc/os-release && "
		      "grep -qx 'VERSION_ID=\"12\"' /etc/os-release && "
		      "fc-match 'DejaVu Sans Mono' | grep -q '\"DejaVu Sans Mono\"' && fc-match Inter | grep -q Inter") ==
	       0;
}

TEST_THAT_LASTS(pictures_are_what_make_gallery_makes, 1)
{
	char here[PATH_MAX];
	struct arena a;
	if (!is_debian_12()) {
		print_message("letters are painted otherwise than on Debian 12 with its fonts\n");
		skip();
	}
	arena_init(&a);
	assert_non_null(getcwd(here, sizeof here));
	setenv("GALLERY",
	       arena_printf(&a, "%.*s/tests/gallery",
			    (int)(strrchr(getenv("POSVIZ"), '/') - getenv("POSVIZ")),
			    getenv("POSVIZ")),
	       1);
	const char *const command =
		arena_printf(&a, "cd %s && tests/gallery.sh %s", source("", &a), here);
	if (system(command) != 0)
		fail_msg("%s", command);
	assert_true(between(page_text("README.md", &a), "(man/gallery/", ")", expect_picture, &a) >
		    7);
	assert_int_equal(
		between(page_text("README.md", &a), "\"man/gallery/", "\"", expect_picture, &a), 2);
	arena_release(&a);
}

/* ---- Python ------------------------------------------------------------------------------------------ */

/* As it stands there, with NumPy, and with modules that have the shapes of torch and transformers. */
TEST(what_python_writes_is_read)
{
	const char *in[LINES];
	struct arena a;
	if (system("/usr/bin/python3 -c 'import numpy' 2> said") != 0) {
		print_message("NumPy is not there: make long-deps\n");
		skip();
	}
	arena_init(&a);
	setenv("PYTHONPATH", arena_printf(&a, "%s/python", test_data), 1);
	setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
	const size_t n = blocks(page_text("README.md", &a), "python", &a, in);
	assert_int_equal(n, 3);
	for (size_t i = 0; i < n; i++) {
		size_t len;
		cli_write("snippet.py", in[i], strlen(in[i]));
		if (system("/usr/bin/python3 snippet.py > out 2> said") != 0)
			fail_msg("%s: %s", in[i], cli_read("said", &a, &len));
	}
	run_page("README.md", 3, ".npy");
	arena_release(&a);
}
