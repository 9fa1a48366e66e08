/* test_split_view.c: the view Split over all schemes, its numbers, and the split on cards. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_view.h"

FIXTURE(open_arena, close_arena)

static const char sentence[] = "sentence the cat that the dog chased fell asleep .\n";

static const struct view_split *split_of(const char *expression, const char *lines)
{
	const char *const all = arena_printf(&arena, "%sview split\n%s", sentence, lines);
	return &help_picture(&arena, expression, all)->split;
}

/* Where a shift changes nothing of what is added to the logits, that is told by distance alone. What is added
 * to the units may differ from place to place and move with a shift all the same. */
TEST_IN_PARTS(relative_schemes_are_told_by_distance, 2)
{
	size_t told = 0, rest = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		struct picture *const p = help_picture(
			&arena, s->id, arena_printf(&arena, "%sview split\n", sentence));
		const struct view_split *const at = &p->split;
		help_figure_is_sound(&arena, &p->figure, s->id);
		if (at->absent || at->parts.why)
			continue;
		const struct split *const parts = &at->parts;
		assert_within(parts->distance + parts->query + parts->key + parts->rest, 1, 1e-9);
		rest += parts->rest > 0.01;
		const void *const param = expr_main(&p->built.expr)->param;
		if (scheme_holds(s, param, CLAIM_RELATIVE) != ANSWER_YES ||
		    strcmp(at->what, "bias") != 0 || at->number || s->inj != INJ_MATRIX)
			continue;
		if (!(parts->distance > 1 - 1e-9))
			fail_msg("%s: %g by distance", s->id, parts->distance);
		told++;
	}
	assert_true(told > 10 && rest > 0);
}

/* The sinusoidal bias is (P_t + x)·(P_s + x) less x·x: a function of s−t, of t and of s. */
TEST(sinusoids_have_no_rest)
{
	const struct view_split *const s = split_of("sinusoidal", "");
	assert_within(s->parts.distance, 0.345, 0.005);
	assert_within(s->parts.query, s->parts.key, 1e-9);
	assert_within(s->parts.rest, 0, 1e-9);
}

/* A residue of nothing has no panel, unless it is asked for. */
TEST(no_panel_is_empty)
{
	const struct picture *const p = help_picture(&arena, "rope", "view split\n");
	assert_null(help_named_panel(&p->figure, "rest"));
	assert_non_null(strstr(help_named_panel(&p->figure, "curve")->note, "no residue"));
	const struct picture *const all = help_picture(&arena, "rope", "view split\npanel rest\n");
	assert_non_null(help_named_panel(&all->figure, "rest"));
}

TEST(untied_positions_have_all_parts)
{
	const struct view_split *const s = split_of("tupe_r", "");
	assert_within(s->parts.distance, 0.71, 0.005);
	assert_true(s->parts.key > s->parts.query && s->parts.rest > 0.05);
}

TEST(split_says_why_there_is_none)
{
	assert_string_equal(split_of("causal", "")->absent, "a mask adds nothing to the logits");
	assert_string_equal(split_of("none", "")->parts.why, "the same everywhere");
	assert_non_null(split_of("sinusoidal", "sentence word\n")->parts.why);
	assert_string_equal(split_of("rope", "matrix logits\n")->what, "logits");
}

TEST(structures_are_split_by_their_own_relation)
{
	const struct view_split *const s = split_of("spr_rel", "governors 2 3 0 5 6 3 3 7 3\n");
	assert_non_null(s->number);
	assert_string_not_equal(s->by, "distance");
	assert_within(s->parts.distance, 1, 1e-9);
}

TEST(panels_of_the_split_add_up)
{
	struct picture *const p = help_picture(&arena, "tupe_r+causal",
					       arena_printf(&arena, "%sview split\n", sentence));
	const struct panel *const whole = help_named_panel(&p->figure, "bias"),
				  *f = help_named_panel(&p->figure, "f"),
				  *const place = help_named_panel(&p->figure, "place"),
				  *const rest = help_named_panel(&p->figure, "rest");
	assert_true(whole && f && place && rest && help_named_panel(&p->figure, "curve"));
	const uint8_t *const mask = p->split.mask;
	for (size_t i = 0; i < 81; i++)
		if (mask[i])
			assert_within(f->heatmap.values.at[i] + place->heatmap.values.at[i] +
					      rest->heatmap.values.at[i],
				      mat_row(whole->heatmap.values, i / 9)[i % 9], 1e-12);
	assert_true(fabs(f->heatmap.scale.hi - whole->heatmap.scale.hi) < 1e-12);
}

TEST(cards_show_the_split)
{
	struct picture *const p = help_picture(&arena, "tupe_r", sentence);
	const char *said = NULL;
	for (size_t i = 0; i < p->figure.n; i++)
		for (size_t k = 0;
		     p->figure.panels[i].kind == PANEL_CARD && k < p->figure.panels[i].card.n; k++)
			if (strcmp(p->figure.panels[i].card.lines[k].key, "split") == 0)
				said = p->figure.panels[i].card.lines[k].value;
	assert_non_null(said);
	assert_string_equal(said, "71 % by distance, 4 % by query, 18 % by key, 7 % residue");
}

TEST(numbers_of_the_split)
{
	struct err err = {""};
	struct numbers all;
	const struct scene scene = help_scene("tupe_r", sentence);
	struct picture *const p = help_picture(&arena, "tupe_r", sentence);
	numbers_init(&all, &arena);
	assert_true(view_numbers(&scene, "split", &p->built, NULL, NULL, &arena, &all, &err));
	double sum = 0;
	size_t shares = 0;
	for (size_t i = 0; i < all.n; i++)
		if (all.at[i].says) {
			sum += all.at[i].at.at[0];
			shares++;
		}
	assert_int_equal(shares, 4);
	assert_within(sum, 1, 1e-9);
	assert_false(view_numbers_known("split,nix", &err));
	assert_true(view_numbers_known("split", &err) && view_numbers_known("none", &err));
}

/* Pictures that earlier versions wrote are compared with the panels that these had. */
TEST(earlier_figures_keep_their_matrices)
{
	static const struct {
		const char *scheme, *lines, *title;
		size_t n;
	} rows[] = {
		{"rope", "view split\n", "residue", 5},
		{"t5", "view relation\n", "Relation", 4},
		{"sinusoidal", "view clocks\n", "Clocks", 1},
		{"t5", "view clocks\n", "Clocks", 3},
		{"rope", "view map\n", "Map of schemes by weights", 3},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene s = help_scene(rows[i].scheme, rows[i].lines);
		struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
		struct err err = {""};
		if (!picture_make_earlier(&s, BACKGROUND_LIGHT, NULL, &arena, p, &err))
			fail_msg("%s", err.text);
		bool there = false;
		for (size_t k = 0; k < p->figure.n; k++)
			there |= strcmp(p->figure.panels[k].title, rows[i].title) == 0;
		if (!there || p->figure.n != rows[i].n)
			fail_msg("%s: %zu panels", rows[i].title, p->figure.n);
	}
}

/* A bias of distance alone is not drawn a second time, unless the user chooses panels; one that is not has its parts. */
TEST(a_bias_of_distance_alone_stands_once)
{
	const struct figure *const t5 = &help_picture(&arena, "t5", "view split\n")->figure;
	assert_null(help_named_panel(t5, "f"));
	assert_non_null(help_named_panel(t5, "curve"));
	assert_non_null(strstr(t5->finding, "distance s − t alone"));
	assert_non_null(help_named_panel(
		&help_picture(&arena, "t5", "view split\npanel bias,f\n")->figure, "f"));
	const struct figure *const other = &help_picture(&arena, "tupe_r", "view split\n")->figure;
	assert_non_null(help_named_panel(other, "f"));
	assert_non_null(
		strstr(other->finding, "% of the variance of the bias is due to distance alone"));
}

/* Returns whether b is right of a, left of it or below it, there with an empty row between them. */
static bool is_clear_of(struct rect b, struct rect a)
{
	return b.row > a.row + a.rows || b.col >= a.col + a.cols || a.col >= b.col + b.cols;
}

/* The card goes where matrices and curve leave room, with a row of air below the curve. */
TEST(the_card_is_clear_of_the_curve)
{
	const struct figure *const f = &help_picture(&arena, "tupe_r", "view split\n")->figure;
	size_t curve = f->n, card = f->n;
	for (size_t k = 0; k < f->n; k++) {
		curve = f->panels[k].kind == PANEL_CURVES ? k : curve;
		card = f->panels[k].kind == PANEL_CARD ? k : card;
	}
	assert_true(curve < f->n && card < f->n);
	static const struct rect screens[] = {{0, 0, 18, 80}, {0, 0, 20, 92}, {0, 0, 26, 98}};
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
		struct rect place[FIGURE_PANELS];
		help_layout(f, screens[i], 0, false, place);
		assert_true(place[curve].rows > 0 && place[card].rows > 0);
		if (!is_clear_of(place[card], place[curve]))
			fail_msg("%d columns, %d rows", screens[i].cols, screens[i].rows);
	}
}
