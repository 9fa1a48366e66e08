/* test_figures_survey.c: the survey's figures: what they show against the definitions and closed forms, by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "figures/figures_in.h"
#include "posviz/app/app.h"
#include "posviz/figures/source_figure.h"

FIXTURE(open_arena, close_arena)

static const struct picture *figure_of(const char *name)
{
	return help_picture(&arena, "none",
			    arena_printf(&arena, "view figures\nfigure %s\n", name));
}

static double number(const struct picture *p, const char *name)
{
	const struct figures_kept *const kept = p->kept;
	for (size_t i = 0; i < kept->numbers.n; i++)
		if (strcmp(kept->numbers.at[i].name, name) == 0)
			return kept->numbers.at[i].at.at[0];
	fail_msg("no number %s", name);
	return NAN;
}

static const struct panel *panel(const struct picture *p, const char *name)
{
	for (size_t i = 0; i < p->figure.n; i++)
		if (p->figure.panels[i].name && strcmp(p->figure.panels[i].name, name) == 0)
			return &p->figure.panels[i];
	fail_msg("no panel %s", name);
	return NULL;
}

static struct mat map(const struct picture *p, const char *name)
{
	return panel(p, name)->heatmap.values;
}

static double at(struct mat m, size_t row, size_t col)
{
	return mat_row(m, row)[col];
}

static const char *const names[] = {"survey-2", "survey-3", "survey-4", "survey-5",
				    "survey-7", "survey-8", "survey-9", "survey-10"};

TEST(they_are_sound)
{
	for (size_t i = 0; i + 1 < sizeof names / sizeof *names; i++)
		help_figure_is_sound(&arena, &figure_of(names[i])->figure, names[i]);
}

TEST(they_are_as_the_survey_has_them)
{
	struct scene scene;
	struct err err = {""};
	scene_init(&scene);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct source_expect *all;
		size_t n;
		scene.figure = names[i];
		if (!source_figure_check(&scene, NULL, NULL, &arena, &all, &n, &err))
			fail_msg("%s", err.text);
		assert_true(n > 1);
		for (size_t k = 0; k < n; k++)
			if (!all[k].holds)
				fail_msg("%s: %s: %s", names[i], all[k].text, all[k].found);
	}
}

/* The scene's cell is none of a figure's. */
TEST(they_have_no_cursor)
{
	for (size_t i = 0; i + 1 < sizeof names / sizeof *names; i++) {
		struct picture *const p = help_picture(
			&arena, "none",
			arena_printf(&arena, "view figures\nfigure %s\nrow 2\ncol 3\n", names[i]));
		figure_cursor(&p->figure, 3, 2);
		for (size_t k = 0; k < p->figure.n; k++) {
			const struct panel *const of = &p->figure.panels[k];
			assert_false(of->kind == PANEL_HEATMAP && of->heatmap.has_cursor);
			assert_false(of->kind == PANEL_LINKS && of->links.has_cursor);
			assert_false(of->kind == PANEL_STRUCTURE && of->drawing.has_cursor);
		}
	}
}

TEST(another_figure_is_made_anew)
{
	struct scene one = help_scene("none", "view figures\nfigure survey-2\n");
	struct scene other = help_scene("none", "view figures\nfigure survey-3\n");
	assert_false(app_same_numbers(&one, &other));
	other.figure = one.figure;
	assert_true(app_same_numbers(&one, &other));
}

/* ---- Figure 2 ------------------------------------------------------------------------------------ */

TEST(biases_are_one_for_each_pair_or_each_diagonal)
{
	const struct picture *const p = figure_of("survey-2");
	const struct mat absolute = map(p, "absolute"), relative = map(p, "relative");
	const struct mat content = map(p, "attention");
	for (size_t t = 0; t < 6; t++)
		for (size_t s = 0; s < 6; s++) {
			if (t > 0 && s > 0)
				assert_within(at(relative, t, s), at(relative, t - 1, s - 1), 0);
			for (size_t k = 0; k < t * 6 + s; k++)
				assert_true(fabs(absolute.at[k] - at(absolute, t, s)) > 1e-9);
			assert_within(at(content, 0, s), at(content, 4, s), 1e-12); /* "a" both */
		}
}

TEST(biases_have_one_scale)
{
	const struct picture *const p = figure_of("survey-2");
	const struct scale *const a = &panel(p, "absolute")->heatmap.scale;
	const struct scale *const b = &panel(p, "relative")->heatmap.scale;
	assert_within(a->hi, b->hi, 0);
	assert_within(a->lo, -a->hi, 0);
}

/* ---- Figure 3: equation 5 ------------------------------------------------------------------------ */

TEST(an_axial_row_is_of_its_place_and_its_segment)
{
	const struct picture *const p = figure_of("survey-3");
	const struct mat place = map(p, "place"), segment = map(p, "segment"), whole = map(p, "p");
	assert_int_equal(whole.rows, 8);
	assert_int_equal(whole.cols, 12);
	for (size_t t = 0; t < 12; t++)
		for (size_t j = 0; j < 8; j++)
			assert_within(at(whole, j, t),
				      j < 3 ? at(place, j, t % 4) : at(segment, j - 3, t / 4), 0);
}

/* ---- Figure 4 ------------------------------------------------------------------------------------ */

static double pattern(size_t h, double delta)
{
	const double away = delta + (h == 3 ? 6 : h == 4 ? -6 : 0);
	return h == 0 ? 0 : h == 2 ? 3 - 3 * exp(-delta * delta / 200) : 3 * exp(-away * away / 18);
}

TEST(patterns_are_those_said_and_cls_is_apart)
{
	const struct panel *const p = panel(figure_of("survey-4"), "patterns");
	assert_int_equal(p->multiples.n, 5);
	for (size_t h = 0; h < 5; h++) {
		const struct multiple *const m = &p->multiples.items[h];
		assert_int_equal(m->map.scale.mode, SCALE_LINEAR);
		for (size_t t = 0; t < 28; t++)
			for (size_t s = 0; s < 28; s++)
				assert_within(at(m->map.values, t, s),
					      t == 0   ? 1.5
					      : s == 0 ? -1.5
						       : pattern(h, (double)s - (double)t),
					      1e-9);
		for (size_t i = 0; i < 53; i++)
			assert_within(m->curve[i], pattern(h, (double)i - 26), 1e-9);
	}
}

/* Softmax over the words alone. */
TEST(patterns_look_where_they_are_called)
{
	static const char *const titles[] = {"ignoring", "local", "global", "left", "right"};
	const struct picture *const p = figure_of("survey-4");
	for (size_t h = 0; h < 5; h++) {
		double distance = 0, left = 0;
		for (int t = 0; t < 27; t++) {
			double sum = 0, far = 0, before = 0;
			for (int s = 0; s < 27; s++) {
				const double w = exp(pattern(h, s - t));
				sum += w;
				far += w * abs(s - t);
				before += s < t ? w : 0;
			}
			distance += far / sum / 27;
			left += before / sum / 27;
		}
		assert_within(number(p, arena_printf(&arena, "distance.%s", titles[h])), distance,
			      1e-9);
		assert_within(number(p, arena_printf(&arena, "left.%s", titles[h])), left, 1e-9);
	}
}

/* ---- Figure 5 ------------------------------------------------------------------------------------ */

TEST(a_moved_word_gets_the_other_sinusoid)
{
	const struct mat m = map(figure_of("survey-5"), "change");
	double squares = 64;
	for (int i = 0; i < 32; i++)
		squares -= 2 * cos(3 * pow(10000, -i / 32.0));
	for (size_t t = 0; t < 6; t++) {
		assert_within(at(m, 0, t), 0, 0);
		assert_within(at(m, 1, t), t == 2 || t == 5 ? sqrt(squares) : 0, 1e-9);
	}
}

TEST(a_gru_changes_from_the_first_moved_word_on)
{
	const struct picture *const p = figure_of("survey-5");
	const struct mat m = map(p, "change");
	for (size_t t = 0; t < 6; t++)
		assert_true(t < 2 ? at(m, 2, t) == 0 : at(m, 2, t) > 0.1);
	const struct links *const l = &panel(p, "links")->links;
	for (size_t i = 0; i < l->n; i++)
		assert_true(strcmp(l->above[l->links[i].from], l->below[l->links[i].to]) == 0);
}

/* ---- Figure 7: by hand --------------------------------------------------------------------------- */

TEST(positions_in_the_tree_of_bush_and_sharon)
{
	static const double rel[6][6] = {{0, 1, -3, -2, -2, -3}, {-1, 0, -2, -1, -1, -2},
					 {3, 2, 0, 1, -3, -4},	 {2, 1, -1, 0, -2, -3},
					 {2, 1, 3, 2, 0, -1},	 {3, 2, 4, 3, 1, 0}};
	static const double depth[] = {1, 0, 2, 1, 1, 2};
	const struct picture *const p = figure_of("survey-7");
	for (size_t t = 0; t < 6; t++) {
		assert_within(number(p, arena_printf(&arena, "structural.abs.%zu", t + 1)),
			      depth[t], 0);
		for (size_t s = 0; s < 6; s++) {
			assert_within(at(map(p, "pairs-structural"), t, s), rel[t][s], 0);
			assert_within(at(map(p, "pairs-sequential"), t, s), (double)t - (double)s,
				      0);
		}
	}
}

TEST(words_have_their_numbers_below_them)
{
	const struct drawing *const d = &panel(figure_of("survey-7"), "structural")->drawing;
	static const char *const rel[] = {"−2", "−1", "1", "0", "2", "3"};
	assert_int_equal(d->n_below, 2);
	for (size_t t = 0; t < 6; t++)
		assert_string_equal(d->below[1].text[t], rel[t]);
}

/* ---- Figure 8: by hand --------------------------------------------------------------------------- */

/* Rome, capital city of, Italy, San Marino, borders. */
TEST(positions_in_a_graph)
{
	enum { I = 99 };
	static const double r[8][8] = {{0, 1, 1, 1, 2, I, I, I},	{-1, 0, 4, 5, 1, I, I, I},
				       {-1, -4, 0, 4, 1, I, I, I},	{-1, -5, -4, 0, 1, I, I, I},
				       {-2, -1, -1, -1, 0, -2, -2, -1}, {I, I, I, I, 2, 0, 4, 1},
				       {I, I, I, I, 2, -4, 0, 1},	{I, I, I, I, 1, -1, -1, 0}};
	const struct heatmap *const h = &panel(figure_of("survey-8"), "positions")->heatmap;
	const struct heatmap_name *const far = heatmap_name(h, I);
	for (size_t t = 0; t < 8; t++)
		for (size_t s = 0; s < 8; s++)
			assert_within(at(h->values, t, s), r[t][s], 0);
	assert_string_equal(far->sign, "∞");
	assert_string_equal(heatmap_name_means(far), "no path");
	assert_string_equal(heatmap_name_means(&(struct heatmap_name){1, "one", "1", NULL}), "one");
}

/* ---- Figure 9 ------------------------------------------------------------------------------------ */

TEST(sinusoids_go_by_the_predicted_order)
{
	static const double z[] = {1, 0, 2};
	const struct mat m = map(figure_of("survey-9"), "moved");
	for (size_t t = 0; t < 3; t++)
		for (size_t j = 0; j < 4; j++) {
			const double angle = z[t] * (j < 2 ? 1 : 0.01);
			assert_within(at(m, t, j), j % 2 ? cos(angle) : sin(angle), 1e-12);
		}
}

/* ---- Figure 10 ----------------------------------------------------------------------------------- */

TEST(cosines_of_sinusoids_are_sums_of_cosines)
{
	const struct multiple *const m =
		&panel(figure_of("survey-10"), "cosines")->multiples.items[3];
	for (size_t k = 0; k < 512; k += 73) {
		double sum = 0;
		for (int i = 0; i < 384; i++)
			sum += cos((double)k * pow(10000, -i / 384.0)) / 384;
		assert_within(at(m->map.values, 0, k), sum, 1e-9);
		assert_within(at(m->map.values, 511 - k, 511), sum, 1e-9);
		assert_within(m->curve[k], sum, 1e-9);
	}
}

/* As the table says: what two rows of a part have in common. Columns are 768 draws. */
TEST(drawn_tables_have_the_cosines_that_are_said)
{
	const struct multiples *const all = &panel(figure_of("survey-10"), "cosines")->multiples;
	for (size_t k = 1; k < 300; k += 13) {
		const double d = (double)k;
		assert_within(all->items[1].curve[k], 0.3 + 0.5 * exp(-d * d / 3200), 0.08);
		assert_within(all->items[2].curve[k], 0.98 * cos(0.006 * d) * exp(-d * d / 320000),
			      0.08);
		assert_within(at(all->items[0].map.values, 128, 128 + k),
			      0.4 + 0.5 * exp(-d * d / 7200), 0.15);
	}
	for (size_t t = 0; t < 128; t += 9)
		assert_within(at(all->items[0].map.values, t, 300), 0, 0.15);
}

/* Table 2 cites three papers that views are about, by the names that `view` takes. */
TEST(papers_of_table_2_lead_to_views)
{
	static const char *const papers[][2] = {{"Yang et al. 2019 · view ", "order"},
						{"Wang and Chen 2020 · view ", "vectors"},
						{"Wang et al. 2021 · view ", "metrics"}};
	const struct table *const all = &panel(figure_of("survey-table-2"), "table")->table;
	size_t found = 0, views_named = 0;
	for (size_t i = 0; i < all->rows * all->cols; i++) {
		const char *const view = strstr(all->cells[i], "view ");
		views_named += view != NULL;
		for (size_t k = 0; k < 3; k++)
			found += strncmp(all->cells[i], papers[k][0], strlen(papers[k][0])) == 0 &&
				 strcmp(view + 5, papers[k][1]) == 0 && view_find(view + 5);
	}
	assert_int_equal(found, 3);
	assert_int_equal(views_named, 3);
}
