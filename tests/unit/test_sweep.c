/* test_sweep.c: sweeps: their values and what is wrong with others, the view Heads of one against the papers'
 * formulas, and the command. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/scene/sweep.h"

FIXTURE(open_arena, close_arena)

/* ---- values ------------------------------------------------------------------------------------- */

/* base is multiplied by + and -, so a range of it has equal ratios; others have equal steps. */
TEST(values_make_expressions)
{
	static const struct {
		const char *expression, *sweep, *values, *expressions;
	} rows[] = {
		{"rope", "base=100,10000,1e6", "100 10000 1000000 ",
		 "rope(base=100) rope rope(base=1000000) "},
		{"rope+causal", "base=1..10000:5", "1 10 100 1000 10000 ",
		 "rope(base=1)+causal rope(base=10)+causal rope(base=100)+causal "
		 "rope(base=1000)+causal rope+causal "},
		{"rope", "partial=0..1:3", "0 0.5 1 ", "rope(partial=0) rope(partial=0.5) rope "},
		{"shaw", "clip=2..8:3,16", "2 5 8 16 ",
		 "shaw(clip=2) shaw(clip=5) shaw(clip=8) shaw "},
		{"rope", "base=8..64", "8 16 32 64 ",
		 "rope(base=8) rope(base=16) rope(base=32) rope(base=64) "},
		{"shaw", "clip=3..6", "3 4 5 6 ",
		 "shaw(clip=3) shaw(clip=4) shaw(clip=5) shaw(clip=6) "},
		{"t5", "buckets=8..32", "8 16 24 32 ",
		 "t5(buckets=8) t5(buckets=16) t5(buckets=24) t5 "},
		{"t5", "buckets=32..8..12", "32 20 8 ", "t5 t5(buckets=20) t5(buckets=8) "},
		{"t5", "scale=none,rsqrt,xt", "none rsqrt xt ", "t5 t5(scale=rsqrt) t5(scale=xt) "},
		{"t5", "causal=off,on", "off on ", "t5 t5(causal=on) "},
		{"alibi+shaw", "shaw.clip=1,2", "1 2 ", "alibi+shaw(clip=1) alibi+shaw(clip=2) "},
		{"rope(heads=1)+rope(heads=2)", "2.base=7,8", "7 8 ",
		 "rope(heads=1)+rope(base=7,heads=2) rope(heads=1)+rope(base=8,heads=2) "},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sweep s;
		struct err err = {""};
		const char *values = "", *expressions = "";
		if (!sweep_of(rows[i].expression, rows[i].sweep, &arena, &s, &err))
			fail_msg("%s: %s", rows[i].sweep, err.text);
		for (size_t k = 0; k < s.n; k++) {
			values = arena_printf(&arena, "%s%s ", values, s.values[k]);
			expressions = arena_printf(&arena, "%s%s ", expressions, s.expressions[k]);
		}
		assert_string_equal(values, rows[i].values);
		assert_string_equal(expressions, rows[i].expressions);
	}
}

TEST(what_is_no_sweep_is_refused)
{
	static const struct {
		const char *expression, *sweep, *says;
	} rows[] = {
		{"rope", "bse=1,2", "did you mean base?"},
		{"rope", "qqqqqq=1,2", "it takes layout, base"},
		{"none", "base=1,2", "it takes none"},
		{"llama3", "base=1,2", "it takes none"},
		{"rope", "base=100", "one value is no sweep; two to 24"},
		{"rope", "base=100,", "not a number"},
		{"rope", "base=100,0", "out of range, it must be from 1 to"},
		{"rope", "base=0..100:3", "out of range, it must be from 1 to"},
		{"rope", "base=1..0:3", "out of range, it must be from 1 to"},
		{"rope", "base=1..100:25", "from 2 to 24"},
		{"rope", "base=1..100:1", "from 2 to 24"},
		{"rope", "base=1..2..0.01", "more than 24 values"},
		{"rope", "base=1..2..0", "out of range"},
		{"rope", "base=1..", "not a number"},
		{"rope", "base=1,1.0", "1 is there twice"},
		{"shaw", "clip=1..3:9", "is there twice"},
		{"t5", "scale=none,nine", "none of none|rsqrt|xt"},
		{"t5", "buckets=7,16", "even number"},
		{"rope+xpos", "base=7,16", "several members have base: 1.base or 2.base"},
		{"rope+xpos", "t5.base=7,16", "no parameter"},
		{"rope+xpos", "3.base=7,16", "no parameter"},
		{"rope", "base=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25",
		 "at most 24"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sweep s;
		struct err err = {""};
		if (sweep_of(rows[i].expression, rows[i].sweep, &arena, &s, &err) ||
		    !strstr(err.text, rows[i].says))
			fail_msg("%s: \"%s\"", rows[i].sweep, err.text);
	}
	struct scene scene = help_scene("rope", "");
	static const char *const wrong[] = {"", "base", "=1,2", "base="};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(scene_set(&scene, field_find("sweep"), wrong[i], NULL));
}

/* ---- the view ----------------------------------------------------------------------------------- */

static const struct multiples *multiples_of(const struct picture *p)
{
	assert_int_equal(p->figure.n, 1);
	assert_null(p->figure.panels[0].absent);
	return &p->figure.panels[0].multiples;
}

/* RoPE on the unit of ones, which content 2 and d_h = 16 give 2/16 for each pair of channels: the bias is
 * Σ 2 (cos(d B^(−i/8)) − 1) · 2/16 over i < 8, and so is its curve. */
TEST(each_value_has_its_map_and_curve)
{
	static const double bases[] = {100, 1000, 10000};
	const struct picture *const p =
		help_picture(&arena, "rope",
			     "view heads\nmatrix bias\nsweep base=100,1000,10000\nhead 2\n"
			     "sentence a b c d e f g\n");
	const struct multiples *const m = multiples_of(p);
	double most = 0;
	assert_int_equal(m->n, 3);
	assert_int_equal(m->n_x, 13);
	assert_int_equal(m->chosen, 2);
	assert_string_equal(m->items[0].title, "base = 100");
	assert_string_equal(m->items[1].choose[0], "scheme rope(base=1000)");
	for (size_t i = 0; i < 3; i++) {
		for (int d = -6; d <= 6; d++) {
			double want = 0;
			for (size_t k = 0; k < 8; k++)
				want += 2.0 / 16 * 2 * (cos(d * pow(bases[i], -(double)k / 8)) - 1);
			assert_float_equal(m->items[i].curve[d + 6], want, 1e-12);
			const size_t t = d < 0 ? 6 : 0, s = (size_t)((int)t + d);
			assert_float_equal(mat_row(m->items[i].map.values, t)[s], want, 1e-12);
			most = fmax(most, fabs(want));
		}
		/* One scale for all. */
		assert_float_equal(m->items[i].map.scale.hi, m->items[0].map.scale.hi, 1e-12);
	}
	assert_float_equal(m->items[0].map.scale.hi, most, 1e-12);
}

/* Weights, the mean of heads and schemes on a structure as well. */
TEST(a_sweep_shows_what_the_scene_looks_at)
{
	static const struct {
		const char *expression, *lines;
		size_t n;
	} rows[] = {
		{"alibi", "sweep factor=0.5,1,2\nhead mean\nmatrix weights\n", 3},
		{"alibi", "sweep factor=0,1\nhead 2\nlayer mean\nmatrix weights\n", 2},
		{"t5+causal", "sweep scale=none,rsqrt,xt\nmatrix logits\n", 3},
		{"spr_rel", "conllu @dep1\nsweep clip=1,2\nmatrix bias\n", 2},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const lines =
			arena_printf(&arena, "view heads\nlayers 2\n%s", rows[i].lines);
		struct picture *const p = help_picture(&arena, rows[i].expression, lines);
		assert_int_equal(multiples_of(p)->n, rows[i].n);
		help_figure_is_sound(&arena, &p->figure, lines);
		for (size_t k = 0; k < p->n_swept; k++)
			assert_true(p->swept[k].trace != NULL);
		const struct raster_look look = {.width = 1600, .height = 1000, .dpi = 150};
		const struct raster_report r = help_page_report(&p->figure, &look, &arena);
		help_page_reads(lines, &r, 1600, 1000);
	}
}

/* Values of one matrix each that an evaluation of the expression alone gives. */
TEST(values_are_what_is_evaluated_alone)
{
	const struct picture *const p =
		help_picture(&arena, "alibi+shaw",
			     "view heads\nmatrix weights\nsweep clip=1,4\nhead 3\nlayer 2\n");
	const struct multiples *const m = multiples_of(p);
	for (size_t i = 0; i < m->n; i++) {
		struct setup setup = help_scene("none", "").setup;
		const struct want want = {.kinds = WANT_WEIGHTS, .layer = 1, .head = 2};
		struct built b;
		struct trace trace;
		setup.scheme = i ? "alibi+shaw(clip=4)" : "alibi+shaw(clip=1)";
		assert_true(evaluate(&setup, &want, NULL, NULL, &arena, &b, &trace, NULL));
		assert_true(mat_max_abs_diff(m->items[i].map.values,
					     trace.layers[1].heads[2].weights) <= 1e-12);
	}
	assert_true(mat_max_abs_diff(m->items[0].map.values, m->items[1].map.values) > 1e-3);
}

TEST(a_sweep_that_the_scheme_has_not_is_an_error_of_its_view_alone)
{
	struct scene s = help_scene("alibi", "sweep base=1,2\n");
	struct picture p;
	struct err err = {""};
	assert_true(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p, &err));
	s.view = "heads";
	assert_false(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p, &err));
	assert_non_null(strstr(err.text, "no parameter \"base\""));
	assert_false(view_fits(&s, &p.built, &err));
}

/* ---- the command -------------------------------------------------------------------------------- */

TEST(the_command_shows_it_and_heads_end_it)
{
	void *opened;
	help_app_open(&opened);
	struct app *const app = opened;
	help_app_run(app, "scheme rope");
	help_app_refuse(app, "sweep bas=1,2", "did you mean base");
	help_app_refuse(app, "sweep base=1", "one value is no sweep");
	help_app_refuse(app, "sweep", "sweep");
	help_app_run(app, "sweep base=100,1000");
	assert_string_equal(app->scene.view, "heads");
	assert_int_equal(app->scene.matrix, MATRIX_BIAS);
	assert_string_equal(app->scene.sweep, "base=100,1000");
	/* Another sweep, or another head, is another picture. */
	struct scene before = app->scene;
	help_app_run(app, "sweep base=100,2000");
	assert_false(app_same_numbers(&before, &app->scene));
	before = app->scene;
	help_app_run(app, "head 2");
	assert_false(app_same_numbers(&before, &app->scene));
	help_app_run(app, "heads-of head");
	assert_string_equal(app->scene.sweep, "none");
	help_app_run(app, "undo");
	assert_string_equal(app->scene.sweep, "base=100,2000");
	/* A scheme with the parameter keeps it, one without shows its heads. */
	help_app_run(app, "scheme xpos");
	assert_string_equal(app->scene.sweep, "base=100,2000");
	help_app_run(app, "scheme alibi");
	assert_string_equal(app->scene.sweep, "none");
	assert_non_null(strstr(app->message, "heads again"));
	help_app_run(app, "undo");
	assert_string_equal(app->scene.sweep, "base=100,2000");
	help_app_run(app, "sweep none");
	assert_string_equal(app->scene.sweep, "none");
	help_app_close(&opened);
}

TEST(steps_give_the_scheme_the_values_one_after_another)
{
	void *opened;
	help_app_open(&opened);
	struct app *const app = opened;
	help_app_run(app, "scheme rope");
	help_app_refuse(app, "sweep next", "there is no sweep");
	help_app_run(app, "sweep base=100,10000,500");
	static const struct {
		const char *step, *scheme;
	} steps[] = {
		{"sweep prev", "rope(base=100)"}, {"sweep prev", "rope(base=100)"},
		{"sweep next", "rope"},		  {"sweep next", "rope(base=500)"},
		{"sweep next", "rope(base=500)"}, {"scheme rope(base=7)", "rope(base=7)"},
		{"sweep next", "rope(base=100)"}, {"scheme rope(base=7)", "rope(base=7)"},
		{"sweep prev", "rope(base=500)"},
	};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		help_app_run(app, steps[i].step);
		assert_string_equal(app->scene.setup.scheme, steps[i].scheme);
		assert_string_equal(app->scene.view, "heads");
		assert_string_equal(app->scene.sweep, "base=100,10000,500");
	}
	help_app_close(&opened);
}
