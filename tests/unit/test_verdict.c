/* test_verdict.c: the view Verdict says what posviz check says of the model that is open. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/app/app.h"
#include "posviz/picture/picture.h"

FIXTURE(open_arena, close_arena)

static struct picture *verdict_of(const char *config)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	struct scene scene;
	struct err err = {""};
	const char *said;
	scene_init(&scene);
	if (config &&
	    !app_model(&scene, arena_printf(&arena, "%s/models/configs/%s", test_data, config),
		       &arena, &said, &err))
		fail_msg("%s", err.text);
	assert_true(scene_set(&scene, field_find("view"), "verdict", &err));
	if (!picture_make(&scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err))
		fail_msg("%s", err.text);
	return p;
}

static const struct panel *panel_named(const struct figure *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].name && strcmp(f->panels[i].name, name) == 0)
			return &f->panels[i];
	return NULL;
}

static const struct card_line *line_of(const struct panel *p, const char *key)
{
	for (size_t i = 0; i < p->card.n; i++)
		if (p->card.lines[i].key && strcmp(p->card.lines[i].key, key) == 0)
			return &p->card.lines[i];
	fail_msg("%s: no line %s", p->title, key);
	return NULL;
}

/* The file declares 131072 positions of 32768 and a factor of 8, where 4 would be right. */
TEST(what_does_not_fit_is_shown_with_what_would_be_right)
{
	const struct figure *const f = &verdict_of("wrong-factor.json")->figure;
	const struct panel *const says = panel_named(f, "verdict"), *const model =
									    panel_named(f, "model");
	const struct panel *const bands = panel_named(f, "bands");
	assert_ptr_equal(says, &f->panels[0]); /* first, over the whole width */
	assert_int_equal(says->cols, 2);
	assert_non_null(strstr(line_of(says, "why")->note, "131072 is 4 times"));
	assert_string_equal(line_of(says, "wrong")->value, "rope_scaling.factor");
	assert_string_equal(line_of(says, "right")->value, "\"factor\": 4.0");
	assert_non_null(
		strstr(line_of(model, "context")->value, "131072 positions declared; 32768"));
	assert_non_null(strstr(line_of(model, "scaling")->value, "yarn with factor 8"));
	assert_string_equal(
		f->finding,
		"1 thing is wrong: rope_scaling.factor; \"factor\": 4.0 would be right.");
	assert_int_equal(bands->table.rows, 3); /* kept, blended, slowed by the factor */
	assert_string_equal(bands->table.cells[3], "not scaled");
	assert_string_equal(bands->table.cells[2 * bands->table.cols + 3], "8 times slower");
}

/* Two bases, a group of bands each; and a family that does not rotate has no bands. */
TEST(each_rotation_has_its_bands)
{
	const struct panel *const bands =
		panel_named(&verdict_of("gemma3-1b.json")->figure, "bands");
	size_t groups = 0;
	for (size_t i = 0; i < bands->table.rows; i++)
		groups += bands->table.group[i];
	assert_int_equal(groups, 2);
	assert_null(panel_named(&verdict_of("t5-base.json")->figure, "bands"));
}

/* Where nothing is wrong, one sentence says so, and the picture has the room. */
TEST(what_is_right_is_said_once)
{
	const struct figure *const f = &verdict_of("llama31.json")->figure;
	const struct panel *const waves = panel_named(f, "waves");
	assert_string_equal(f->finding,
			    "Nothing in the configuration is wrong: 131072 positions, stretched "
			    "from 8192 by llama3 with factor 8.");
	assert_null(panel_named(f, "verdict"));
	assert_ptr_equal(waves, &f->panels[0]);
	/* The fastest pair turns in 2π positions; the slowest 8 times slower than before scaling. */
	const struct series *const now = &waves->curves.series[0], *const before =
									   &waves->curves.series[1];
	assert_int_equal(waves->curves.n, 2);
	assert_true(fabs(now->y[0] - 6.2831853) < 1e-6 && fabs(before->y[0] - now->y[0]) < 1e-9);
	assert_true(fabs(now->y[63] / before->y[63] - 8) < 1e-9);
	assert_int_equal(waves->curves.n_levels, 2);
	assert_true(fabs(waves->curves.levels[0].y - 8192) < 0.5);
	assert_true(fabs(waves->curves.levels[1].y - 131072) < 0.5);
	/* What is only unusual stands behind the bands. */
	const struct figure *const unusual = &verdict_of("yarn-no-original.json")->figure;
	assert_string_equal(panel_named(unusual, "verdict")->title, "What is unusual");
	assert_ptr_equal(panel_named(unusual, "verdict"), &unusual->panels[unusual->n - 1]);
}

/* The slopes of 32 heads are 2^(-h/4): the first leaves 1 % at ln 100 / 2^(-1/4). */
TEST(models_without_a_rotation_show_what_they_have)
{
	const struct figure *const f = &verdict_of("mpt-7b.json")->figure;
	const struct series *const reach = &panel_named(f, "reach")->curves.series[0];
	assert_int_equal(reach->n, 32);
	assert_true(fabs(reach->y[0] - log(100) * exp2(0.25)) < 1e-9);
	assert_true(fabs(reach->y[31] - log(100) * 256) < 1e-6);
	assert_non_null(strstr(line_of(panel_named(f, "model"), "positions")->value, "slope"));
	const struct figure *const t5 = &verdict_of("t5-base.json")->figure;
	assert_non_null(panel_named(t5, "bias"));
	assert_non_null(
		strstr(line_of(panel_named(t5, "model"), "positions")->value, "32 buckets"));
	/* Below the words is that bias by distance: one number for each distance, so no band. */
	const struct curves *const by = &panel_named(t5, "curve")->curves;
	const struct heatmap *const bias = &panel_named(t5, "bias")->heatmap;
	assert_int_equal(by->series[0].n, 2 * bias->values.rows - 1);
	assert_null(by->series[0].lo);
	for (size_t s = 0; s < bias->values.cols; s++)
		assert_true(fabs(by->series[0].y[s + bias->values.rows - 1] -
				 mat_row(bias->values, 0)[s]) < 1e-9);
	assert_string_equal(t5->panels[0].name, "model");
}

TEST(without_a_model_it_says_how_to_open_one)
{
	const struct figure *const f = &verdict_of(NULL)->figure;
	const struct panel *const p = panel_named(f, "verdict");
	assert_non_null(p->absent);
	assert_non_null(strstr(p->absent, "no model is open; posviz MODEL, or :model MODEL"));
	assert_non_null(panel_named(f, "weights"));
}
