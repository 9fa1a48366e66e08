/* test_pgfplots.c: pictures as code for LaTeX: that its numbers, colours and words are those of the figure, and
 * that TeX can read it. That TeX does is a test of the long tier (whole/test_latex.c). */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help_arena.h"
#include "posviz/plot/tex.h"
#include "help_view.h"
#include "posviz/app/write.h"
#include "posviz/export/export.h"
#include "test.h"
#include "help_svg.h"

FIXTURE(open_arena, close_arena)

static struct tex fresh(void)
{
	static struct export_tex look;
	struct tex t = {.a = &arena, .look = &look, .width = 234, .letters = 8};
	strbuf_init(&t.out, &arena);
	return t;
}

static const char *code_of(const struct figure *f, struct export_tex *look)
{
	struct err err = {""};
	char *data;
	size_t len;
	if (!export_tex(f, look, &arena, &data, &len, &err))
		fail_msg("%s", err.text);
	assert_int_equal(strlen(data), len);
	return data;
}

static const char *drawn(const char *expression, const char *lines)
{
	struct export_tex look = {.width = 3.25, .letters = 8};
	return code_of(&help_picture(&arena, expression, lines)->figure, &look);
}

static void expect(const char *code, const char *part)
{
	if (!strstr(code, part))
		fail_msg("there is no\n%s\nin %s", part, strstr(code, "\\color{posvizink}"));
}

static void expect_not(const char *code, const char *part)
{
	if (strstr(code, part))
		fail_msg("there is\n%s", part);
}

/* ---- words ------------------------------------------------------------------------------------------ */

TEST(words_are_escaped)
{
	static const struct {
		const char *text, *tex;
	} rows[] = {
		{"a_b", "a\\_b"},
		{"100%", "100\\%"},
		{"#&$", "\\#\\&\\$"},
		{"{}", "\\{\\}"},
		{"~^\\", "\\textasciitilde{}\\textasciicircum{}\\textbackslash{}"},
		{"<s>", "\\textless{}s\\textgreater{}"},
		{"say \"x\"", "say {\\char34}x{\\char34}"},
		{"a--b---c", "a-{}-b-{}-{}-c"},
		{"it''s", "it'{}'s"},
		{"the₁ x¹²", "the$_{1}$ x${}^{1}$${}^{2}$"},
		{"−4.39", "$-$4.39"},
		{"θ → “é”", "$\\theta $ $\\rightarrow $ ``é''"},
		{"Kʳ·q", "K${}^{r}$$\\cdot $q"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tex t = fresh();
		assert_string_equal(tex_text(&t, rows[i].text), rows[i].tex);
		assert_int_equal(t.needs, TEX_PLAIN);
	}
}

TEST(what_pdflatex_has_not_is_said)
{
	static const struct {
		const char *text;
		enum tex_needs needs;
	} rows[] = {{"Bär čaj ł ő ş é", TEX_PLAIN}, {"ð þ «x»", TEX_T1}, {"ą", TEX_T1},
		    {"жук", TEX_UNICODE},	    {"猫", TEX_UNICODE}, {"🐈", TEX_UNICODE}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tex t = fresh();
		tex_text(&t, "Bär");
		tex_text(&t, rows[i].text);
		assert_int_equal(t.needs, rows[i].needs);
		assert_true((t.needs == TEX_PLAIN) == (t.needs_in == NULL));
	}
	struct export_tex look = {.width = 3.25};
	const char *code = code_of(
		&help_picture(&arena, "t5", "sentence жук {x}\npanel bias\n")->figure, &look);
	expect(code, "% lualatex or xelatex, and a font that has its letters\n");
	assert_string_equal(look.remark,
			    "\"жук\" needs lualatex or xelatex and a font that has its letters");
	code = code_of(&help_picture(&arena, "t5", "sentence ð\npanel bias\n")->figure, &look);
	assert_int_equal(help_count(code, "\n\\usepackage[T1]{fontenc}\n"), 1);
}

TEST(letters_of_titles_are_variables)
{
	static const char *const rows[][2] = {
		{"key minus query, s − t", "key minus query, $s-t$"},
		{"s−t", "$s-t$"},
		{"query t", "query $t$"},
		{"key s", "key $s$"},
		{"tokens", "tokens"},
		{"a title is its text", "a title is its text"},
		{"shortest path φ(t,s)", "shortest path $\\varphi $($t$,$s$)"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tex t = fresh();
		assert_string_equal(tex_title(&t, rows[i][0]), rows[i][1]);
	}
}

TEST(formulas_are_mathematics)
{
	static const char *const rows[][2] = {
		{"A_{ts}", "A_{ts}"},
		{"q_t^⊤ k_s", "q_t{}^{\\top}\\,k_s"},
		{"Q^r^⊤", "Q^r{}^{\\top}"},
		{"q′_t^⊤ k′_s", "q'_t{}^{\\top}\\,k'_s"},
		{"α_{ts} % #", "\\alpha _{ts}\\,\\%\\,\\#"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tex t = fresh();
		assert_string_equal(tex_formula(&t, rows[i][0]), rows[i][1]);
	}
}

/* ---- matrices --------------------------------------------------------------------------------------- */

/* ALiBi, the first of four heads: slope 1/4, and nothing ahead. */
TEST(a_matrix_has_its_numbers)
{
	const char *const code = drawn("alibi", "sentence a b c\npanel bias\n");
	expect(code, "matrix plot*, mesh/cols=3, point meta=explicit]\n"
		     "\ttable[x=key, y=query, meta=colour] {\n"
		     "key query value colour\n"
		     "1 1 0 0.5\n"
		     "2 1 nan nan\n"
		     "3 1 nan nan\n"
		     "1 2 -0.25 0.25\n"
		     "2 2 0 0.5\n"
		     "3 2 nan nan\n"
		     "1 3 -0.5 0\n"
		     "2 3 -0.25 0.25\n"
		     "3 3 0 0.5\n"
		     "};\n");
	expect(code, "foreach \\x/\\y in {2/1,3/1,3/2}\n");
	expect(code, "point meta min=0, point meta max=0.5,");
	expect(code, "xtick={1,2,3}, xticklabels={{a},{b},{c}},");
	expect(code, "ytick={1,2,3}, yticklabels={{a},{b},{c}},");
	expect(code, "xlabel={key $s$},");
	expect(code, "ylabel={query $t$},");
	expect(code, "\\edef\\posvizwidth{3.25in}%\n");
	expect(code, "\\fontsize{8}{9.6}\\selectfont%\n");
}

/* So that it is the same in a paper that asks pgfplots for another. */
TEST(code_has_its_own_behaviour_of_pgfplots)
{
	expect(drawn("t5", "panel bias\n"), "\n\\begingroup\\pgfplotsset{compat=1.15}%\n");
}

static struct figure one_map(const double *values, size_t rows, size_t cols, const uint8_t *masked)
{
	struct figure f = {.title = "By hand", .n = 1};
	struct mat m = mat_new(&arena, rows, cols);
	for (size_t i = 0; i < rows * cols; i++)
		m.at[i] = values[i];
	f.panels[0] = (struct panel){.kind = PANEL_HEATMAP, .title = "Map"};
	f.panels[0].heatmap = (struct heatmap){.values = m,
					       .masked = masked,
					       .scale = scale_fit(-4, 4, SCALE_SQRT, true, false),
					       .colormap = colormap_find("paper")};
	return f;
}

/* sign(x) sqrt|x| between -2 and 2: 1 is at 3/4, -4 at 0. */
TEST(colours_follow_the_scale)
{
	static const double values[] = {1, -4, 0, 0.25, NAN, -INFINITY, 4, INFINITY, 2};
	static const uint8_t masked[9] = {[8] = HEATMAP_MASKED};
	const struct figure f = one_map(values, 3, 3, masked);
	struct export_tex look = {0};
	const char *const code = code_of(&f, &look);
	expect(code, "\n1 1 1 0.75\n2 1 -4 0\n3 1 0 0.5\n1 2 0.25 0.625\n2 2 nan nan\n"
		     "3 2 nan nan\n1 3 4 1\n2 3 nan nan\n3 3 nan nan\n}");
	/* What is no number is an alarm, what is masked a stroke. */
	expect(code, "\\fill[posvizalarm] foreach \\x/\\y in {2/2,2/3}");
	expect(code, "\\draw[posvizhatch] foreach \\x/\\y in {3/2,3/3}");
	expect(code, "{sqrt scale}");
	expect(code, "2 values are no finite numbers");
	/* As wide as its paper, in letters of its footnotes. */
	expect(code, "\\edef\\posvizwidth{\\the\\linewidth}%\n");
	expect(code, "\\footnotesize%\n");
}

TEST(names_off_the_scale_are_grey)
{
	static const double values[] = {-1, 2, 3, 1};
	static const struct heatmap_name names[] = {{-1, "[VNode]", "V"}};
	struct figure f = one_map(values, 2, 2, NULL);
	f.panels[0].heatmap.integers = true;
	f.panels[0].heatmap.names = names;
	f.panels[0].heatmap.n_names = 1;
	struct export_tex look = {0};
	const char *const code = code_of(&f, &look);
	expect(code, "\n1 1 -1 nan\n");
	expect(code, "\\fill[posvizhair] foreach \\x/\\y in {1/1}");
	expect(code, "V, grey: [VNode]");
}

/* The ends and the middle of a map are those of its table. */
TEST(colour_maps_are_ours)
{
	static const double values[] = {1, -4, 0, 0.25};
	const struct figure f = one_map(values, 2, 2, NULL);
	struct export_tex look = {0};
	const char *const code = code_of(&f, &look);
	const struct colormap *const map = colormap_find("paper");
	const char *const begin = strstr(code, "\\pgfplotsset{colormap={posviz-paper}{");
	assert_non_null(begin);
	const char *at = begin;
	for (int i = 0; i < 65; i++) {
		unsigned r, g, b;
		at = strstr(at + 1, "rgb255=(");
		assert_non_null(at);
		assert_int_equal(sscanf(at, "rgb255=(%u,%u,%u)", &r, &g, &b), 3);
		assert_int_equal(r << 16 | g << 8 | b, colormap_rgb(map, i / 64.0));
	}
	assert_non_null(at = strstr(at, "}}\n"));
	assert_true(strstr(begin + 20, "colormap={posviz") > at ||
		    !strstr(begin + 20, "colormap={posviz"));
}

/* Values of one sign have half of a map: its last colour is zero's, entry 128. */
TEST(half_a_map_ends_at_zero)
{
	const struct colormap *const map = colormap_find("paper");
	const char *const code = drawn("alibi", "sentence a b c\npanel bias\n");
	const char *const begin = strstr(code, "\\pgfplotsset{colormap={posviz-paper-below}{\n");
	assert_non_null(begin);
	const uint32_t zero = colormap_level(map, 128), low = colormap_level(map, 1);
	expect(begin,
	       arena_printf(&arena, "{\nrgb255=(%u,%u,%u)", low >> 16, low >> 8 & 255, low & 255));
	expect(begin, arena_printf(&arena, "rgb255=(%u,%u,%u)}}\n", zero >> 16, zero >> 8 & 255,
				   zero & 255));
}

TEST(one_token_is_painted)
{
	const char *const code = drawn("t5", "sentence a\npanel bias\n");
	expect_not(code, "matrix plot*");
	expect(code, "\n1 1 0 0.5\n");
	expect(code, "rectangle (axis cs:1.5,1.5)");
}

TEST(a_matrix_that_TeX_cannot_hold)
{
	struct strbuf words;
	strbuf_init(&words, &arena);
	strbuf_add(&words, "panel bias\nsentence");
	for (int i = 0; i < 65; i++)
		strbuf_add(&words, " w");
	strbuf_add(&words, "\n");
	struct export_tex look = {0};
	struct err err = {""};
	char *data;
	size_t len;
	const struct picture *const p = help_picture(&arena, "t5", words.at);
	assert_false(export_tex(&p->figure, &look, &arena, &data, &len, &err));
	assert_string_equal(err.text, "tex: bias is 65 by 65, and TeX's memory ends after 64 by "
				      "64; pdf would be right");
}

/* ---- curves ----------------------------------------------------------------------------------------- */

TEST(a_curve_has_its_points)
{
	const char *const code = drawn("alibi", "sentence a b c\npanel curve\nheads 2\n");
	/* Two heads: slopes 1/16 and 1/256. */
	expect(code, "] table { % head 1\nx y\n-2 -0.125\n-1 -0.0625\n0 0\n};\n");
	expect(code, "] table { % head 2\nx y\n-2 -0.0078125\n-1 -0.00390625\n0 0\n};\n");
	expect(code, "xlabel={key minus query, $s-t$},");
	expect(code, "\\addplot[posviz1, ");
	assert_int_equal(help_count(code, "\\node[posviz name"), 2);
	expect_not(code, "trafo");
	expect_not(code, "groupplot");
}

static struct figure some_curves(const struct series *series, size_t n, enum curve_spread spread)
{
	struct figure f = {.title = "By hand", .n = 1};
	f.panels[0] = (struct panel){.kind = PANEL_CURVES, .title = "Curves"};
	f.panels[0].curves = (struct curves){.series = series,
					     .n = n,
					     .x_title = "s − t",
					     .y_title = "",
					     .spread = spread,
					     .linear = 0.5};
	return f;
}

TEST(gaps_of_a_curve_part_its_line)
{
	static const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {NAN, 1, NAN, INFINITY, 2, 3, NAN};
	const struct series one = {.label = "50%", .n = 7, .x = x, .y = y};
	const struct figure f = some_curves(&one, 1, CURVES_LINEAR);
	struct export_tex look = {0};
	const char *const code = code_of(&f, &look);
	expect(code, "{ % 50\\%\nx y\n1 1\n3 nan\n4 2\n5 3\n};\n");
	expect(code, "{50\\%};");
}

TEST(a_band_is_a_closed_path)
{
	static const double x[] = {0, 1, 2}, y[] = {1, 2, 3}, lo[] = {0, 1, 2}, hi[] = {2, 4, 8};
	const struct series one = {.label = "a", .n = 3, .x = x, .y = y, .lo = lo, .hi = hi};
	const struct figure f = some_curves(&one, 1, CURVES_LINEAR);
	struct export_tex look = {0};
	expect(code_of(&f, &look), "\\addplot[posviz band, fill=posviz0] table {\nx y\n0 2\n1 4\n2 "
				   "8\n2 2\n1 1\n0 0\n} -- cycle;\n");
}

TEST(symlog_is_a_transformation)
{
	static const double x[] = {0, 1, 2}, y[] = {-100, 0.1, 10};
	const struct series one = {.label = "a", .n = 3, .x = x, .y = y};
	const struct figure f = some_curves(&one, 1, CURVES_SYMLOG);
	struct export_tex look = {0};
	const char *const code = code_of(&f, &look);
	expect(code, "\\pgfmathparse{sign(#1)*(min(abs(#1)/0.5,1)+log10(max(abs(#1)/0.5,1)))}");
	expect(code, "\n0 -100\n1 0.1\n2 10\n");
	expect(code, "posviz above={symlog},");
	/* Its end, 10, is the upper one of the axis. */
	expect(code, "(rel axis cs:1,1.0000) {a};");
	/* Labels are the values, not their places. */
	expect(code, "ytick={-100,");
	expect(code, "yticklabels={{$-$100},");
}

TEST(limits_of_their_own_are_a_group)
{
	static const double x[] = {0, 1}, large[] = {0, 1000}, small[] = {0, 0.001};
	const struct series two[] = {{.label = "large", .n = 2, .x = x, .y = large},
				     {.label = "small", .n = 2, .x = x, .y = small, .colour = 1}};
	const struct figure f = some_curves(two, 2, CURVES_OWN);
	struct export_tex look = {.width = 3.25};
	const char *const code = code_of(&f, &look);
	assert_int_equal(help_count(code, "\\nextgroupplot["), 2);
	expect(code, "group size=2 by 1");
	expect(code, "ymax=1000,");
	expect(code, "ymax=0.001,");
	/* It says and brings the library that it needs. */
	expect(code, "% \\usepgfplotslibrary{groupplots}\n");
	expect(code, "\n\\usepgfplotslibrary{groupplots}\n");
}

/* One has nothing to differ from. */
TEST(one_curve_is_no_group)
{
	static const double x[] = {0, 1}, y[] = {0, 1000};
	const struct series one = {.label = "a", .n = 2, .x = x, .y = y};
	const struct figure f = some_curves(&one, 1, CURVES_OWN);
	struct export_tex look = {.width = 3.25};
	expect_not(code_of(&f, &look), "groupplot");
}

TEST(names_stand_where_lines_end)
{
	static const double x[] = {0, 1}, low[] = {5, 0}, high[] = {5, 10};
	const struct series two[] = {{.label = "low", .n = 2, .x = x, .y = low},
				     {.label = "high", .n = 2, .x = x, .y = high, .colour = 1}};
	const struct figure f = some_curves(two, 2, CURVES_LINEAR);
	struct export_tex look = {0};
	const char *const code = code_of(&f, &look);
	expect(code, "(rel axis cs:1,0.0000) {low};");
	expect(code, "(rel axis cs:1,1.0000) {high};");
	assert_true(strstr(code, "{high};") < strstr(code, "{low};"));
}

TEST(names_at_one_end_stand_apart)
{
	static const double x[] = {0, 1}, a[] = {0, 1}, b[] = {0.5, 1}, c[] = {-1, 1};
	const struct series three[] = {{.label = "a", .n = 2, .x = x, .y = a},
				       {.label = "b", .n = 2, .x = x, .y = b, .colour = 1},
				       {.label = "c", .n = 2, .x = x, .y = c, .colour = 2}};
	const struct figure f = some_curves(three, 3, CURVES_LINEAR);
	struct export_tex look = {0};
	const char *const code = code_of(&f, &look);
	double last = 2;
	const char *at = code;
	for (int i = 0; i < 3; i++) {
		double y;
		char name[8];
		at = strstr(at + 1, "(rel axis cs:1,");
		assert_non_null(at);
		assert_int_equal(sscanf(at, "(rel axis cs:1,%lf) {%1s", &y, name), 2);
		/* What ran above is above: b, a, c; eight lines are the height. */
		assert_int_equal(name[0], "bac"[i]);
		assert_true(last - y >= 1 / 8.0 - 1e-4);
		last = y;
	}
}

/* ---- sums ------------------------------------------------------------------------------------------- */

TEST(steps_go_on_from_each_other)
{
	static const struct sum_step steps[] = {{STEP_ADDEND, "a_1", NULL, 2, NULL, false},
						{STEP_ADDEND, "b", NULL, -3, NULL, false},
						{STEP_TOTAL, "sum", NULL, -1, NULL, true},
						{STEP_NOTE, "mask", NULL, 0, "allowed", false}};
	struct figure f = {.title = "By hand", .n = 1};
	f.panels[0] = (struct panel){.kind = PANEL_WATERFALL, .title = "Sum"};
	f.panels[0].waterfall = (struct waterfall){.steps = steps, .n = 4};
	struct export_tex look = {0};
	const char *const code = code_of(&f, &look);
	expect(code, "\\fill[posviz1] (axis cs:0,0.65) rectangle (axis cs:2,1.35);");
	expect(code, "\\fill[posviz0] (axis cs:2,1.65) rectangle (axis cs:-1,2.35);");
	expect(code, "\\fill[posvizsecond] (axis cs:0,2.65) rectangle (axis cs:-1,3.35);");
	expect(code, "{allowed};");
	expect(code, "yticklabels={{a\\_1},{b},{sum},{mask}},");
}

/* ---- figures ---------------------------------------------------------------------------------------- */

TEST(equations_keep_their_signs)
{
	const char *const code = drawn("deberta", "view terms\n");
	assert_int_equal(help_count(code, "matrix plot*"), 5);
	expect(code, "$+$");
	expect(code, "\\makebox[1.2em][l]{$=$}%\n");
	expect(code, "softmax\\\\[-0.3em]$\\longrightarrow$");
	expect(code, "{$q_t{}^{\\top}\\,k_s$\\\\58 \\%};");
	assert_int_equal(help_count(code, "colorbar horizontal"), 2); /* of logits, of weights */
}

TEST(heads_have_one_bar)
{
	const char *const code = drawn("rope", "view heads\n");
	assert_int_equal(help_count(code, "matrix plot*"), 5); /* and their mean */
	assert_int_equal(help_count(code, "colorbar horizontal"), 1);
}

TEST(what_has_no_form_is_said)
{
	struct export_tex look = {.titles = true};
	struct err err = {""};
	char *data;
	size_t len;
	const char *const code = code_of(&help_picture(&arena, "t5", "")->figure, &look);
	assert_string_equal(look.remark, "tex leaves out card, measures, which pdf has");
	assert_int_equal(look.shown.n_shown, 3);
	assert_int_equal(look.shown.shown[2].letter, 'c');
	expect(code, "\\textbf{(b) Attention weights}");
	expect(code, "% Bucketed relative bias (Raffel et al. 2020");
	expect(code, " (b) Attention weights, ");
	const struct figure *f = &help_picture(&arena, "t5", "panel card\n")->figure;
	assert_false(export_tex(f, &look, &arena, &data, &len, &err));
	assert_string_equal(err.text, "tex: card has no form in tex; pdf would be right");
	f = &help_picture(&arena, "t5", "panel card,measures\n")->figure;
	assert_false(export_tex(f, &look, &arena, &data, &len, &err));
	assert_non_null(strstr(err.text, "none of card, measures is a matrix"));
}

TEST(a_panel_alone_has_a_title_where_asked)
{
	const struct figure *const f = &help_picture(&arena, "t5", "panel bias\n")->figure;
	struct export_tex look = {.titles = true};
	expect(code_of(f, &look), "\\textbf{Position bias}\\quad");
	look.titles = false;
	expect_not(code_of(f, &look), "\\textbf{");
	assert_null(look.remark);
}

/* What opens closes, in its order, and no letter that is special stands for itself. */
static void expect_balanced(const char *code, const char *where)
{
	long depth = 0;
	for (const char *at = code; *at; at++) {
		if (*at == '\\' && at[1] && !isalpha((unsigned char)at[1])) {
			at++;
		} else if (*at == '%') {
			at += strcspn(at, "\n");
		} else {
			depth += (*at == '{') - (*at == '}');
			if (depth < 0 || *at == '&' || *at == '~' || *at == '"')
				fail_msg("%s: \"%.60s\"", where, at);
		}
	}
	if (depth != 0)
		fail_msg("%s: %ld braces are open", where, depth);
	/* \end{document} is behind a command. */
	if (help_count(code, "\\begin{") != help_count(code, "\\end{"))
		fail_msg("%s: environments", where);
	if (strstr(code, "inf ") || strstr(code, "-nan"))
		fail_msg("%s: a number", where);
}

TEST_SAMPLED(every_view_is_TeX, 1, 3)
{
	static const char *const schemes[] = {"t5", "rope", "deberta", "learned+causal", "alibi"};
	for (size_t k = 0; k < 5; k++)
		for (const struct view *const *at = views, *v; (v = *at) != NULL; at++) {
			if (v->table || (k + (size_t)(at - views)) % test_parts != test_part)
				continue;
			const char *const lines = arena_printf(
				&arena,
				"view %s\nrow 2\ncol 1\nsentence a_b {c} ~ & \"%%\" # ^ \\\n",
				v->name);
			struct export_tex look = {.width = 5.5, .letters = 9};
			struct err err = {""};
			char *data;
			size_t len;
			const struct picture *const p = help_picture(&arena, schemes[k], lines);
			if (!export_tex(&p->figure, &look, &arena, &data, &len, &err))
				continue;
			expect_balanced(data, arena_printf(&arena, "%s %s", schemes[k], v->name));
		}
}
