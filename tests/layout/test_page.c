/* test_page.c: pictures for papers: panels by name, letters of a size in points, pages as high as what they
 * show needs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help_arena.h"
#include "help_app.h"
#include "help_files.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/app/app.h"
#include "posviz/app/snapshot.h"
#include "posviz/export/export.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/raster.h"
#include "posviz/scheme/scheme.h"
#include "test.h"

FIXTURE(open_arena, close_arena)

static const double point = 96.0 / 72;

static bool make(const char *lines, struct scene *s, struct picture *p, struct err *err)
{
	if (!scene_parse(s, lines, err))
		fail_msg("%s: %s", lines, err->text);
	if (strcmp(s->view, "learn") == 0)
		help_train_briefly(s);
	return picture_make(s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, err);
}

static struct figure *figure_of(const char *lines, struct scene *s)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct err err = {""};
	if (!make(lines, s, p, &err))
		fail_msg("%s: %s", lines, err.text);
	return &p->figure;
}

static struct raster_report drawn(const char *lines)
{
	struct scene s;
	const struct figure *const f = figure_of(lines, &s);
	const struct raster_look look = snapshot_look(&s);
	return help_page_report(f, &look, &arena);
}

/* ---- panels by name --------------------------------------------------------------------------------- */

TEST(panels_have_names)
{
	static const struct {
		const char *lines;
		const char *names[12];
	} rows[] = {
		{"scheme t5\n", {"bias", "weights", "curve", "card", "measures"}},
		{"scheme t5\nmatrix logits\n", {"bias", "logits", "curve", "card", "measures"}},
		{"scheme deberta\nview terms\n",
		 {"terms-1", "terms-2", "terms-3", "sum", "weights", "share", "card"}},
		{"scheme t5\nview compare\ncompare alibi\n",
		 {"difference", "weights-1", "weights-2", "curve", "card"}},
		{"scheme t5\nview heads\n", {"heads"}},
		{"scheme t5\nview why\nrow 2\ncol 3\n", {"sum", "weights"}},
		{"scheme t5\nview order\n", {"difference", "written", "reversed", "links", "card"}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s;
		const struct figure *const f = figure_of(rows[i].lines, &s);
		size_t n = 0;
		for (; rows[i].names[n]; n++) {
			assert_true(n < f->n);
			assert_string_equal(figure_panel_name(f, n, &arena), rows[i].names[n]);
		}
		assert_int_equal(f->n, n);
	}
}

/* Names stand for themselves in every view of every kind of scheme. */
TEST_SAMPLED(a_name_picks_its_panel, 1, 2)
{
	static const char *const schemes[] = {"t5", "rope", "learned", "causal"};
	for (size_t k = 0; k < 4; k++)
		for (const struct view *const *at = views, *v; (v = *at) != NULL; at++) {
			if (v->table || (k + (size_t)(at - views)) % test_parts != test_part)
				continue;
			struct scene s;
			const char *const lines =
				arena_printf(&arena, "scheme %s\nview %s\nlayers 1\ntiming off\n",
					     schemes[k], v->name);
			const struct figure *const all = figure_of(lines, &s);
			for (size_t i = 0; i < all->n; i++) {
				struct figure one = *all;
				struct err err = {""};
				const char *const name = figure_panel_name(all, i, &arena);
				assert_true(figure_pick(&one, name, &arena, &err));
				assert_int_equal(one.n, 1);
				assert_string_equal(one.panels[0].title, all->panels[i].title);
				assert_int_equal(one.panels[0].row, 0);
				assert_int_equal(one.panels[0].col, 0);
			}
		}
}

TEST(several_panels_keep_their_order)
{
	struct scene s;
	const struct figure *f = figure_of("scheme t5\npanel curve,bias\n", &s);
	assert_int_equal(f->n, 2);
	assert_int_equal(f->panels[0].kind, PANEL_HEATMAP);
	assert_int_equal(f->panels[1].kind, PANEL_CURVES);
	f = figure_of("scheme deberta\nview terms\npanel terms\n", &s);
	assert_int_equal(f->n, 3);
	assert_int_equal(f->panels[0].operand.sign, SIGN_FIRST);
	assert_int_equal(f->panels[2].operand.sign, SIGN_PLUS);
	/* What does not follow each other is no equation. */
	f = figure_of("scheme deberta\nview terms\npanel terms-1,sum\n", &s);
	assert_int_equal(f->n, 2);
	assert_int_equal(f->panels[0].operand.sign, SIGN_NONE);
	assert_int_equal(f->panels[1].operand.sign, SIGN_NONE);
}

TEST(a_panel_that_is_not_there)
{
	static const struct {
		const char *lines, *why;
	} rows[] = {
		{"scheme t5\npanel bais\n", "there is no \"bais\" here, did you mean \"bias\"; "
					    "there are bias, weights, curve, card, measures"},
		{"scheme t5\npanel terms\n", "there is no \"terms\""},
		{"scheme t5\npanel bias,heads\n", "there is no \"heads\""},
		{"scheme t5\npanel bias-2\n", "there is no \"bias-2\""},
		{"scheme deberta\nview terms\npanel terms-4\n", "terms (terms-1 to terms-3)"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s;
		struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
		struct err err = {""};
		assert_false(make(rows[i].lines, &s, p, &err));
		if (!strstr(err.text, rows[i].why))
			fail_msg("%s: %s", rows[i].lines, err.text);
	}
}

/* ---- letters ---------------------------------------------------------------------------------------- */

/* Of a size in points nothing is smaller, and what is larger is so by what the table says. */
TEST_SAMPLED(labels_have_the_size_asked_for, 1, 2)
{
	static const char *const views_there[] = {"scheme t5\n",
						  "scheme t5\npanel bias\n",
						  "scheme alibi\npanel curve\n",
						  "scheme t5\nview compare\ncompare rope; alibi\n",
						  "scheme t5\nview heads\n",
						  "scheme deberta\nview terms\n",
						  "scheme t5\nview why\nrow 2\ncol 3\n",
						  "scheme t5\nview order\n"};
	static const double sizes[] = {7, 8, 10.5};
	for (size_t i = test_part; i < 8 * 3; i += test_parts) {
		const double pt = sizes[i % 3];
		const char *const lines = arena_printf(&arena, "%ssize 5.5in\nfont-size %gpt\n",
						       views_there[i / 3], pt);
		const struct raster_report r = drawn(lines);
		size_t labels = 0;
		assert_true(r.n > 4);
		for (size_t b = 0; b < r.n; b++) {
			const double got = r.boxes[b].letters / point, more = got - pt;
			const bool known = fabs(more) < 0.01 || fabs(more - 1) < 0.01 ||
					   fabs(more - 2) < 0.01 || fabs(more - 4) < 0.01;
			if (!known)
				fail_msg("%s: \"%s\" has %g pt", lines, r.boxes[b].text, got);
			labels += fabs(more) < 0.01;
		}
		if (8 * labels < r.n)
			fail_msg("%s: %zu labels of %zu texts", lines, labels, r.n);
	}
}

TEST(letters_of_panels)
{
	const struct raster_report r = drawn("scheme t5\npanel bias,curve\nsize 3.25in\n");
	const struct text_box *a = NULL, *b = NULL, *title = NULL;
	for (size_t i = 0; i < r.n; i++) {
		a = strcmp(r.boxes[i].text, "a") == 0 ? &r.boxes[i] : a;
		b = strcmp(r.boxes[i].text, "b") == 0 ? &r.boxes[i] : b;
		title = strcmp(r.boxes[i].text, "Position bias") == 0 ? &r.boxes[i] : title;
	}
	assert_true(a && b && title);
	assert_within(a->letters / point, 10, 0.01);
	assert_within(title->letters / point, 9, 0.01);
	assert_true(a->x < title->x && title->x < b->x);
	/* On one line: what is lower by less than a letter is not below. */
	assert_true(fabs(a->y + a->height - title->y - title->height) < 3);
	assert_int_equal(r.n_shown, 2);
	assert_int_equal(r.shown[0].letter, 'a');
	assert_int_equal(r.shown[0].panel.kind, PANEL_HEATMAP);
	/* One panel needs none, and a page with a caption of its own has none. */
	assert_int_equal(drawn("scheme t5\npanel bias\nsize 3.25in\n").shown[0].letter, 0);
	assert_int_equal(drawn("scheme t5\nsize 5.5in\ncaption short\n").shown[0].letter, 0);
}

/* ---- pages ------------------------------------------------------------------------------------------- */

static const char *const figures[] = {
	"scheme t5\n",
	"scheme t5\npanel bias\n",
	"scheme t5\npanel weights\n",
	"scheme t5\npanel curve\n",
	"scheme t5\npanel card\n",
	"scheme t5\npanel bias,curve\n",
	"scheme t5\npanel bias,weights\n",
	"scheme rope\nview heads\n",
	"scheme deberta\nview terms\n",
	"scheme deberta\nview terms\npanel terms\n",
	"scheme t5\nview compare\ncompare rope; alibi; xpos\n",
	"scheme t5\nview why\nrow 2\ncol 3\n",
	"scheme t5\nview order\n",
	"scheme t5\nsentence a\n",
	"scheme graphormer\ngraph @amr1\n",
};

/* Nothing is cut, nothing lies on anything else, in columns and lines of papers. */
TEST_SAMPLED(pages_of_papers_read, 1, 2)
{
	static const char *const sizes[] = {"77mm", "3.25in", "5.5in", "6.75in"};
	for (size_t i = 0; i < 4 * sizeof figures / sizeof *figures; i++) {
		if ((i + i / 4) % test_parts != test_part)
			continue;
		const char *const lines =
			arena_printf(&arena, "%ssize %s\n", figures[i / 4], sizes[i % 4]);
		const struct raster_report r = drawn(lines);
		assert_true(r.n > 0 && r.height > 0);
		for (size_t b = 0; b < r.n; b++) {
			if (!text_box_inside(&r.boxes[b], r.width, r.height))
				fail_msg("%s: \"%s\" is cut", lines, r.boxes[b].text);
			for (size_t k = 0; k < b; k++)
				if (text_box_overlap(&r.boxes[b], &r.boxes[k]))
					fail_msg("%s: \"%s\" lies on \"%s\"", lines,
						 r.boxes[b].text, r.boxes[k].text);
		}
	}
}

/* A page as high as needed ends where what it shows ends: not much below the last of it. */
TEST(a_page_ends_with_its_figure)
{
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		const char *const lines = arena_printf(&arena, "%ssize 3.25in\n", figures[i]);
		const struct raster_report r = drawn(lines);
		double end = 0;
		for (size_t b = 0; b < r.n; b++)
			end = fmax(end, text_box_bottom(&r.boxes[b]));
		for (size_t k = 0; k < r.plot_n; k++)
			end = fmax(end, r.plots[k].y + r.plots[k].height);
		if (end < 0.95 * r.height)
			fail_msg("%s: ends at %g of %g", lines, end, r.height);
	}
}

/* A matrix alone is as wide as the column allows: 1/4 for its labels and its bar at most. */
TEST(a_matrix_alone_fills_its_column)
{
	const struct raster_report r = drawn("scheme t5\npanel bias\nsize 3.25in\n");
	assert_int_equal(r.plot_n, 1);
	assert_within(r.width, 312, 1e-9);
	assert_true(r.plots[0].width > 0.75 * r.width);
	assert_within(r.plots[0].width, r.plots[0].height, 1);
}

/* Pixels, points and inches are the same page. */
TEST(one_page_in_three_units)
{
	struct scene s;
	struct err err = {""};
	const struct figure *const f = figure_of("scheme t5\npanel bias\nsize 3.25x3in\n", &s);
	const struct raster_look look = snapshot_look(&s);
	struct image image;
	char *data;
	size_t len;
	assert_true(raster_image(f, &look, &arena, &image, NULL, &err));
	assert_int_equal(image.width, 975);
	assert_int_equal(image.height, 900);
	assert_true(raster_vector(f, &look, RASTER_PDF, &arena, &data, &len, NULL, &err));
	/* 3.25 x 3 in are 234 x 216 pt. */
	assert_non_null(memmem(data, len, "/MediaBox [ 0 0 234 216 ]", 25));
}

/* Of a size in pixels the density says how large it is on paper. */
TEST(density_of_pixels)
{
	static const struct {
		const char *lines, *box;
	} rows[] = {
		{"size 1200x750\n", "/MediaBox [ 0 0 576 360 ]"},
		{"size 1200x750\ndpi 300\n", "/MediaBox [ 0 0 288 180 ]"},
	};
	for (size_t i = 0; i < 2; i++) {
		struct scene s;
		struct err err = {""};
		const struct figure *const f = figure_of(rows[i].lines, &s);
		const struct raster_look look = snapshot_look(&s);
		char *data;
		size_t len;
		assert_true(raster_vector(f, &look, RASTER_PDF, &arena, &data, &len, NULL, &err));
		if (!memmem(data, len, rows[i].box, strlen(rows[i].box)))
			fail_msg("%s has not %s", rows[i].lines, rows[i].box);
	}
	/* Letters of a size in points make inches of them: 975 pixels at 300 dpi are 3.25 in. */
	struct scene s;
	struct err err = {""};
	assert_true(scene_parse(&s, "size 975x600\ndpi 300\nfont-size 8pt\n", &err));
	const struct raster_look look = snapshot_look(&s);
	assert_within(look.width, 312, 1e-9);
	assert_within(look.type / point, 8, 1e-9);
	assert_int_equal(raster_pixels(&look, look.width), 975);
}

TEST(a_font_that_is_not_there)
{
	struct raster_report r = drawn("scheme t5\nfont No such family\n");
	assert_string_equal(r.font, "No such family");
	assert_true(r.font_taken && *r.font_taken);
	r = drawn("scheme t5\nfont DejaVu Serif\n");
	assert_null(r.font);
}

/* ---- what it is for ------------------------------------------------------------------------------------ */

TEST(presets_are_scenes)
{
	for (const struct preset *p = presets; p->name; p++) {
		struct scene s;
		struct err err = {""};
		scene_init(&s);
		if (!app_preset(&s, p->name, &err))
			fail_msg("%s: %s", p->name, err.text);
		assert_true(s.font_size >= 7 && s.size.unit != PAGE_PX);
		struct picture *const pic = arena_calloc(&arena, 1, sizeof *pic);
		assert_true(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, pic,
					 &err));
		const struct raster_look look = snapshot_look(&s);
		const struct raster_report r = help_page_report(&pic->figure, &look, &arena);
		assert_true(r.plot_n >= 2);
	}
	struct scene s;
	struct err err = {""};
	scene_init(&s);
	assert_false(app_preset(&s, "acm", &err));
	assert_non_null(strstr(err.text, "\"acl\""));
}

/* A column has room for the label of every token of the usual sentence, and for curves of a fourth of its
 * width. */
TEST(a_column_names_every_token)
{
	static const char *const tokens[] = {"the₁", "cat",    "that", "the₂",
					     "dog",  "chased", "fell", "asleep"};
	struct scene s;
	struct err err = {""};
	scene_init(&s);
	assert_true(app_preset(&s, "acl", &err));
	assert_true(scene_parse(&s, "scheme t5\npanel bias,curve\n", &err));
	struct picture *const pic = arena_calloc(&arena, 1, sizeof *pic);
	assert_true(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, pic, &err));
	const struct raster_look look = snapshot_look(&s);
	const struct raster_report r = help_page_report(&pic->figure, &look, &arena);
	for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
		assert_int_equal(help_boxes_of(&r, tokens[i]), 2);
	assert_int_equal(r.plot_n, 2);
	assert_true(r.plots[1].width > 0.25 * look.width);
}

/* ---- the terminal program ------------------------------------------------------------------------------ */

TEST(what_is_seen_of_a_zoom)
{
	void *opened;
	help_app_open(&opened);
	struct app *const app = opened;
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct err err = {""};
	unsigned reactions;
	assert_true(picture_make(&app->scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p,
				 &err));
	app->shown.picture = p;
	app->pane = 2;
	assert_string_equal(app_seen(app).panel, "all");
	app->zoom = true;
	assert_string_equal(app_seen(app).panel, "curve");
	app->zoom = false;
	/* A name is checked where the figure is known; another view has panels of its own. */
	assert_false(app_command(app, "panel terms", &reactions, &err));
	assert_non_null(strstr(err.text, "there are bias, weights, curve, card, measures"));
	assert_string_equal(app->scene.panel, "all");
	assert_true(app_command(app, "panel bias", &reactions, &err));
	assert_true(reactions & REACT_LAYOUT);
	assert_int_equal(app->pane, 0);
	assert_true(app_command(app, "view terms", &reactions, &err));
	assert_string_equal(app->scene.panel, "all");
	help_app_close(&opened);
}

TEST(a_preset_is_a_command)
{
	void *opened;
	help_app_open(&opened);
	struct app *const app = opened;
	struct err err = {""};
	unsigned reactions;
	assert_true(app_command(app, "for acl", &reactions, &err));
	assert_int_equal(app->scene.size.unit, PAGE_MM);
	assert_int_equal(app->scene.caption, CAPTION_NONE);
	assert_false(app_command(app, "for", &reactions, &err));
	assert_false(app_command(app, "for acm", &reactions, &err));
	help_app_close(&opened);
}

/* ---- the caption as text -------------------------------------------------------------------------------- */

TEST(caption_names_the_panels)
{
	struct scene s;
	const struct figure *const f = figure_of("scheme t5\npanel bias,curve\nsize 3.25in\n", &s);
	const struct raster_look look = snapshot_look(&s);
	const struct raster_report r = help_page_report(f, &look, &arena);
	char *data;
	size_t len;
	export_caption(f, &r, &arena, &data, &len);
	assert_int_equal(strlen(data), len);
	assert_non_null(strstr(data, "Bucketed relative bias (Raffel et al. 2020, t5"));
	assert_non_null(strstr(data, " (a) Position bias, head 1 of 4: "));
	assert_non_null(strstr(data, " (b) Position bias by distance, "));
	assert_non_null(strstr(data, "“the cat that the dog chased fell asleep .”"));
	assert_non_null(strstr(data, "\n\nposviz render t5 --panel bias,curve --size 3.25in\n"));
	assert_null(strstr(data, "·"));
	assert_null(strstr(data, "  "));
}

/* Each matrix of a row has the words of its rows and columns, and the titles of both. */
TEST(every_matrix_of_a_row_names_its_rows)
{
	struct scene s;
	const struct figure *const f =
		figure_of("scheme t5+causal\ncompare alibi; rope+causal\nview compare", &s);
	const struct raster_look look = {.width = 1200, .height = 750, .dpi = 150};
	const struct raster_report r = help_page_report(f, &look, &arena);
	size_t matrices = 0;
	for (size_t i = 0; i < f->n; i++)
		matrices += f->panels[i].kind == PANEL_HEATMAP;
	for (size_t i = 0; i < r.n; i++)
		assert_string_not_equal(r.boxes[i].text, "…");
	assert_true(matrices >= 3);
	assert_int_equal(help_boxes_of(&r, "cat"), 2 * matrices);
	assert_int_equal(help_boxes_of(&r, "key s →"), matrices);
	help_page_reads("three compared", &r, 1200, 750);
}

/* Of more matrices in a row only the first has words of its rows; the others have no room for a title there. */
TEST(titles_stand_together_where_rows_have_no_words)
{
	struct scene s;
	const struct figure *const f = figure_of(
		"scheme graphormer+shaw\nview values\npanel weights,contributions,query,values,terms,output,card\n",
		&s);
	const struct raster_look look = {.width = 1600, .height = 1000, .dpi = 150};
	const struct raster_report r = help_page_report(f, &look, &arena);
	assert_int_equal(help_boxes_of(&r, "query t ↓  dimension →"), 1);
	help_page_reads("many values", &r, 1600, 1000);
}

/* Two matrices in a column of a paper have all their words, of rows and of columns. */
TEST(a_pair_in_a_column_names_every_row)
{
	const struct raster_report r = drawn("scheme t5\npanel bias,weights\nsize 3.25in\n");
	static const char *const words[] = {"the\u2081", "cat",	   "that", "the\u2082",
					    "dog",	 "chased", "fell", "asleep"};
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(help_boxes_of(&r, words[i]), 4);
}

/* Matrices of two files are called as the files are, each name whole. */
TEST(titles_of_files_are_whole_in_a_column)
{
	static const char *const names[] = {"attention_of_bert", "attention_of_gpt"};
	for (size_t i = 0; i < 2; i++)
		help_write_text(arena_printf(&arena, "%s.csv", names[i]), "0.9,0.1\n0.4,0.6\n");
	const struct raster_report r =
		drawn("scheme matrix(from=attention_of_bert.csv)\nsentence a b\nview compare\n"
		      "compare matrix(from=attention_of_gpt.csv)\nmatrix weights\nsize 3.25in\n");
	assert_int_equal(help_boxes_of(&r, "1 attention_of_bert"), 1);
	assert_int_equal(help_boxes_of(&r, "2 attention_of_gpt"), 1);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(remove(arena_printf(&arena, "%s.csv", names[i])), 0);
}

/* Names beside curves are cut on no page of 800×500: panels without room for them are left out. */
TEST(names_of_curves_are_whole_on_a_small_page)
{
	static const char *const of[] = {"layers", "rank"};
	for (size_t v = 0; v < 2; v++) {
		const struct raster_report r =
			drawn(arena_printf(&arena, "scheme t5\nview %s\nsize 800x500\n", of[v]));
		size_t names = 0;
		for (size_t i = 0; i < r.n_shown; i++) {
			const struct panel *const p = &r.shown[i].panel;
			for (size_t k = 0; p->kind == PANEL_CURVES && k < p->curves.n; k++) {
				const char *const name = p->curves.series[k].label;
				names++;
				if (!help_box_of(&r, name) &&
				    !help_box_of(&r, arena_printf(&arena, "= %s", name)))
					fail_msg("%s: no \"%s\"", of[v], name);
			}
		}
		assert_true(names >= 5);
	}
}

/* Three matrices and a curve in the text of a paper: the matrices have its width. */
TEST(matrices_take_the_width_of_a_page_of_any_height)
{
	const struct raster_report r =
		drawn("scheme t5\nview compare\ncompare alibi\nsize 5.5in\n");
	assert_int_equal(r.plot_n, 4);
	double maps = 0;
	for (size_t i = 0; i < 4; i++) {
		assert_true(i == 3 || fabs(r.plots[i].y - r.plots[0].y) < 1);
		maps += i < 3 ? r.plots[i].width : 0;
	}
	assert_true(maps > 0.55 * r.width);
	assert_true(r.plots[3].width > 0.8 * r.width);
}

/* Of panels that were asked for as many as are legible, the matrices before the rest. */
TEST(a_page_too_small_for_what_was_asked_for_shows_what_it_can)
{
	const struct raster_report r = drawn("scheme t5\npanel bias,weights,curve\nsize 4x2in\n");
	assert_int_equal(r.n_shown, 2);
	assert_int_equal(r.plot_n, 2);
	assert_string_equal(r.left_out, "Position bias by distance");
	assert_null(drawn("scheme t5\npanel bias,weights,curve\nsize 5.5x2.5in\n").left_out);
}

/* Of two panels beside three matrices the curve needs more height than a small page has, and the card has room: it
 * is there, and the other is named. */
TEST(a_panel_with_room_is_shown_where_another_has_none)
{
	const struct raster_report r =
		drawn("scheme t5\nview compare\ncompare rope\nsize 800x500\n");
	bool card = false, named = false;
	for (size_t i = 0; i < r.n_shown; i++)
		card |= r.shown[i].panel.kind == PANEL_CARD;
	for (size_t i = 0; i < r.n; i++)
		named |= strstr(r.boxes[i].text, "not on this page: Position bias by distance") !=
			 NULL;
	assert_true(card);
	assert_true(named);
	assert_int_equal(r.n_shown, 4);
}

/* Bars have the height that their labels need, where the page has it. */
TEST(every_bar_of_a_page_with_room_is_labelled)
{
	struct scene s;
	const struct figure *const f = figure_of("scheme t5\nview relation\nsize 1200x750\n", &s);
	const struct raster_look look = snapshot_look(&s);
	const struct raster_report r = help_page_report(f, &look, &arena);
	size_t labels = 0, bars = 0;
	for (size_t k = 0; k < r.plot_n; k++) {
		const struct plot_box *const plot = &r.plots[k];
		if (f->panels[plot->panel].kind != PANEL_BARS)
			continue;
		bars = f->panels[plot->panel].bars.n;
		for (size_t i = 0; i < r.n; i++) {
			const double middle = r.boxes[i].y + r.boxes[i].height / 2;
			labels += middle > plot->y && middle < plot->y + plot->height &&
				  r.boxes[i].x + r.boxes[i].width < plot->x &&
				  r.boxes[i].x > plot->x - 60;
		}
	}
	assert_true(bars > 10);
	assert_int_equal(labels, bars);
}

/* Without room for all, the least ones are left out, and those of the query and the key stay. */
TEST(bars_that_have_no_room_are_counted)
{
	const struct raster_report r =
		drawn("scheme learned\nview gradients\nsize 1200x750\nrow 22\ncol 3\n"
		      "sentence a b c d e f g h i j k l m n o p q r s t u v w x y z\n");
	assert_int_equal(help_boxes_of(&r, "v, query"), help_boxes_of(&r, "c, key"));
	assert_true(help_boxes_of(&r, "c, key") > 0);
	size_t more = 0;
	for (size_t i = 0; i < r.n; i++)
		more += strstr(r.boxes[i].text, " more") != NULL;
	assert_true(more > 0);
}

TEST(a_small_page_of_an_order_has_its_threads)
{
	const struct raster_report r =
		drawn("scheme t5\nview order\norder 1 5 3 4 2 6 7 8 9\nsize 1200x750\n");
	bool threads = false;
	for (size_t i = 0; i < r.n_shown; i++)
		threads |= r.shown[i].panel.kind == PANEL_LINKS;
	assert_true(threads);
}

/* Above the first row of heads, and beside each row. */
TEST(heads_have_the_words_of_rows_and_columns)
{
	const struct raster_report r =
		drawn("scheme t5\nheads 12\nd-model 96\nview heads\nmatrix bias\n");
	size_t above = 0, beside = 0;
	for (size_t i = 0; i < r.n; i++) {
		const bool word = strcmp(r.boxes[i].text, "chased") == 0;
		above += word && r.boxes[i].angle < 0;
		beside += word && r.boxes[i].angle >= 0;
	}
	assert_int_equal(above, 7);
	assert_int_equal(beside, 2);
}

/* What a slide shows of it stands in its middle. */
TEST(one_panel_stands_in_the_middle_of_a_poster)
{
	struct scene s;
	struct err err = {""};
	const struct figure *const f = figure_of("scheme t5\npanel bias\n", &s);
	assert_true(app_preset(&s, "poster", &err));
	const struct raster_look look = snapshot_look(&s);
	const struct raster_report r = help_page_report(f, &look, &arena);
	double right = 0;
	assert_int_equal(r.plot_n, 1);
	for (size_t i = 0; i < r.n; i++)
		if (r.boxes[i].y > r.plots[0].y && r.boxes[i].y < r.plots[0].y + r.plots[0].height)
			right = fmax(right, r.boxes[i].x + r.boxes[i].width);
	double left = r.width;
	for (size_t i = 0; i < r.n; i++)
		if (strcmp(r.boxes[i].text, "Position bias") == 0)
			left = r.boxes[i].x;
	assert_within(left, r.width - right, 0.03 * r.width);
}
