/* test_vectors_view.c: the view Vectors over all schemes, and what its numbers must be. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_setup.h"
#include "help_view.h"

FIXTURE(open_folder, close_folder)

static const struct figure *figure_of(const char *expression, const char *lines)
{
	return &help_picture(&arena, expression, arena_printf(&arena, "view vectors\n%s", lines))
			->figure;
}

/* No panel is empty: it has a picture, or says why not. */
TEST_IN_PARTS(every_scheme_shows_vectors_or_says_what_it_has, 2)
{
	size_t shown = 0, said = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct figure *const f = figure_of(scheme_at(i)->id, "");
		help_figure_is_sound(&arena, f, scheme_at(i)->id);
		const struct panel *const table = help_named_panel(f, "table");
		if (table->absent) {
			said++;
			assert_true(strncmp(table->absent, "no vectors", 10) == 0);
		} else {
			shown++;
			assert_true(table->heatmap.values.rows > 1);
			/* Numbers for heads are curves, and no vectors that one compares. */
			assert_true(help_named_panel(f, "curve") &&
				    (help_named_panel(f, "cosine") ||
				     strcmp(table->heatmap.col_title, "head") == 0));
		}
	}
	assert_true(shown > 30 && said > 5);
}

/* A short sentence does not hide what is made for many places; what hangs on the words does not change. */
TEST(what_hangs_on_places_alone_is_shown_of_more)
{
	static const struct {
		const char *expression, *lines;
		size_t rows;
	} cases[] = {
		{"sinusoidal", "sentence a b\n", 32},
		{"sinusoidal", "sentence a b\nt-max 8\n", 8},
		{"rope", "sentence a\n", 32},
		{"gru", "sentence a b c\n", 3},
		{"spr_abs", "sentence a b c\n", 3},
		{"abacus", "sentence 1 2 + 3 4\n", 5},
		{"sinusoidal", "sentence a b c\nposition-ids 0 1 5\n", 3},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct panel *const p =
			help_named_panel(figure_of(cases[i].expression, cases[i].lines), "table");
		if (p->absent || p->heatmap.values.rows != cases[i].rows)
			fail_msg("%s: %zu rows", cases[i].expression, p->heatmap.values.rows);
	}
}

TEST(one_row_is_told_in_words)
{
	const struct figure *const f = figure_of("gru", "sentence a\n");
	help_figure_is_sound(&arena, f, "gru");
	assert_non_null(help_named_panel(f, "cosine")->absent);
	assert_null(help_named_panel(f, "table")->absent);
}

/* Another of the scheme's tables, in its order. */
TEST(vectors_are_chosen_by_number)
{
	static const char *const names[] = {"shaw.w_key.0", "shaw.w_value.0", "shaw.w_value.0"};
	for (size_t i = 0; i < 3; i++) {
		const struct figure *const f =
			figure_of("shaw", arena_printf(&arena, "vectors %zu\n", i + 1));
		assert_ptr_equal(strstr(help_named_panel(f, "table")->subtitle, names[i]),
				 help_named_panel(f, "table")->subtitle);
	}
}

/* Shaw has tables for keys and for values; no other view has vectors to choose from. */
TEST(a_picture_knows_how_many_vectors_there_are)
{
	static const struct {
		const char *expression, *lines;
		size_t n;
	} cases[] = {{"shaw", "view vectors", 2},
		     {"sinusoidal", "view vectors", 1},
		     {"shaw", "view terms", 0}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct scene scene = help_scene(cases[i].expression, cases[i].lines);
		assert_int_equal(picture_vectors(&scene, help_picture(&arena, cases[i].expression,
								      cases[i].lines)),
				 cases[i].n);
	}
}

static double number(const char *expression, const char *lines, const char *name)
{
	const struct scene scene =
		help_scene(expression, arena_printf(&arena, "view vectors\n%s", lines));
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct numbers numbers;
	struct err err = {""};
	numbers_init(&numbers, &arena);
	if (!setup_build(&scene.setup, &arena, b, &err) ||
	    !view_numbers(&scene, "vectors", b, NULL, NULL, &arena, &numbers, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < numbers.n; i++)
		if (strcmp(numbers.at[i].name, name) == 0)
			return numbers.at[i].at.at ? numbers.at[i].at.at[0] : NAN;
	fail_msg("no %s", name);
	return NAN;
}

/* Cosines of sinusoids hang on the distance alone (survey §5); those of a random table do not. 64 places: 9 of
 * 32 pairs, for 2π·10000^(i/32) ≤ 64 up to i = 8. */
TEST(numbers_of_vectors)
{
	static const char many[] = "sentence a b c d e f g h i j k l m n o p q r s t u v w x y z "
				   "a b c d e f g h i j k l m n o p q r s t u v w x y z "
				   "a b c d e f g h i j k l\n";
	assert_true(fabs(number("sinusoidal", "", "vectors.cosine.by-distance") - 1) < 1e-12);
	assert_true(number("learned", "init paper\n", "vectors.cosine.by-distance") < 0.2);
	assert_true(fabs(number("sinusoidal", many, "vectors.waves") - 9) < 1e-12);
	assert_true(isnan(number("alibi", "", "vectors.cosine.least")));
}

/* A stranger sees what rows and columns are: their number and name stand beside the title. */
TEST(rows_and_columns_are_named)
{
	static const struct {
		const char *expression, *note, *title, *first, *last;
	} cases[] = {
		{"sinusoidal", "32 positions ↓ · 64 dimensions →", "position t", NULL, NULL},
		{"rope", "32 positions ↓ · 8 pairs of dimensions →", "position t", NULL, NULL},
		{"t5", "32 buckets of distances s − t ↓ · 4 heads →", "distance s − t", "0", "91…"},
		{"shaw", "25 of 33 distances δ ↓ · 16 dimensions →", "distance δ", "−12", "12"},
		{"deberta", "25 of 63 distances ↓ · 64 dimensions →", "distance s − t", "12",
		 "−12"},
		{"txl", "25 of 63 distances ↓ · 64 dimensions →", "distance s − t", "12", "−12"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct figure *const f = figure_of(cases[i].expression, "");
		const struct panel *const p = help_named_panel(f, "table");
		const struct heatmap *const h = &p->heatmap;
		assert_non_null(f->finding);
		assert_string_equal(p->paper_note, cases[i].note);
		assert_string_equal(h->row_title, cases[i].title);
		if (!cases[i].first)
			continue;
		assert_string_equal(h->row_labels[0], cases[i].first);
		assert_string_equal(h->row_labels[h->values.rows - 1], cases[i].last);
	}
}

/* Raffel et al. 2020 with 32 buckets up to 128: exact to 7, then 8 … 11, 12 … 15, 16 … 22, 23 … 31, 32 … 45, 46 … 63,
 * 64 … 90, 91 and more, ⌈8·16^(i/8)⌉ for i from 0 on; the bucket of a distance 0 after the query is read by no pair.
 * The sentence is shorter than all but the first of these. */
TEST(rows_of_buckets_are_named_by_their_distances)
{
	const struct heatmap *const h = &help_named_panel(figure_of("t5", ""), "table")->heatmap;
	static const struct {
		size_t row;
		const char *name;
	} rows[] = {{1, "−1"},	     {7, "−7"},	    {8, "−8…−11"},  {9, "−12…−15"}, {10, "−16…−22"},
		    {12, "−32…−45"}, {15, "−91…"},  {16, "unused"}, {17, "1"},	    {24, "8…11"},
		    {26, "16…22"},   {28, "32…45"}, {29, "46…63"},  {30, "64…90"},  {31, "91…"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(h->row_labels[rows[i].row], rows[i].name);
}

/* No panel of cosines is of one colour: what is near 1 has a scale of its own, and rows that all
 * point the same way show their differences. */
TEST_IN_PARTS(similarities_can_be_told_apart, 2)
{
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct figure *const f = figure_of(scheme_at(i)->id, "");
		const struct panel *const p = help_named_panel(f, "cosine");
		if (!p || p->absent)
			continue;
		double lo = INFINITY, hi = -INFINITY;
		for (size_t c = 0; c < p->heatmap.values.rows * p->heatmap.values.cols; c++) {
			if (p->heatmap.masked && p->heatmap.masked[c])
				continue;
			lo = fmin(lo, p->heatmap.values.at[c]);
			hi = fmax(hi, p->heatmap.values.at[c]);
		}
		const struct scale *const scale = &p->heatmap.scale;
		const double from = scale->half > 0 ? 0 : scale->lo;
		if (hi - lo < 0.2 * (scale->hi - from) && !strstr(f->finding, "equal"))
			fail_msg("%s: %g to %g on a scale from %g to %g", scheme_at(i)->id, lo, hi,
				 from, scale->hi);
	}
}

/* Two expressions have a line each, on one scale of cosines; one without vectors has its curve. */
TEST(two_expressions_are_below_each_other)
{
	const struct figure *const f = figure_of("sinusoidal", "compare learned; alibi\n");
	size_t tables = 0, cosines = 0, curves = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		static const char *const names[] = {"sinusoidal: ", "learned: ", "alibi: "};
		assert_int_equal(strncmp(p->title, names[p->row], strlen(names[p->row])), 0);
		tables += strcmp(p->name, "table") == 0;
		cosines += strcmp(p->name, "cosine") == 0;
		curves += strcmp(p->name, "curve") == 0;
		if (strcmp(p->name, "cosine") == 0)
			assert_within(p->heatmap.scale.lo + p->heatmap.scale.hi, 0, 0);
	}
	assert_true(tables == 3 && cosines == 2 && curves == 3);
	const struct figure *const alone = figure_of("sinusoidal", "");
	const struct mat one = help_named_panel(alone, "cosine")->heatmap.values,
			 two = f->panels[1].heatmap.values;
	assert_int_equal(one.rows, two.rows);
	for (size_t i = 0; i < one.rows * one.cols; i++)
		assert_within(one.at[i], two.at[i], 0);
}

/* A scheme without vectors shows what it has instead: its bias as a curve and as a matrix. */
TEST(without_vectors_the_bias_is_shown)
{
	const struct figure *const f = figure_of("alibi", "");
	const struct panel *const curve = help_named_panel(f, "curve");
	assert_non_null(help_named_panel(f, "weights"));
	assert_non_null(help_named_panel(f, "bias"));
	/* Press et al. 2022: head 1 of 4 has slope 1/4. */
	for (size_t i = 0; i < curve->curves.series[0].n; i++)
		if (curve->curves.series[0].x[i] <= 0)
			assert_within(curve->curves.series[0].y[i],
				      curve->curves.series[0].x[i] / 4, 1e-9);
}

/* A picture that an earlier version made is compared with panels of the same names and sizes. */
TEST(earlier_pictures_have_the_panels_that_they_had)
{
	static const struct {
		const char *expression, *lines, *panel, *title;
	} cases[] = {
		{"deberta", "view vectors\n", "table", "Made of positions"},
		{"t5", "view vectors\n", "cosine", "Similarity of rows"},
		{"sinusoidal", "view vectors\ncompare learned\n", "table", "Position vectors"},
		{"alibi", "view vectors\n", "table", "Vectors"},
		{"t5", "view gradients\n", "leaf", "∂α/∂t5.bias_table"},
		{"rope", "view gradients\n", "units", "∂α/∂U"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct scene scene = help_scene(cases[i].expression, cases[i].lines);
		struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
		struct err err = {""};
		if (!picture_make_earlier(&scene, BACKGROUND_LIGHT, NULL, &arena, p, &err))
			fail_msg("%s", err.text);
		assert_string_equal(help_named_panel(&p->figure, cases[i].panel)->title,
				    cases[i].title);
		assert_true(strcmp(cases[i].expression, "alibi") != 0 || p->figure.n == 1);
	}
}

/* Cosines that are all 1 say nothing: the lengths of the differences of rows do. */
TEST(rows_that_point_the_same_way_show_their_difference)
{
	const struct figure *const f = figure_of("t5", "panel table,cosine\n");
	const struct panel *const p = help_named_panel(f, "cosine");
	const struct mat rows = help_named_panel(f, "table")->heatmap.values;
	assert_string_equal(p->title, "Difference of rows");
	for (size_t t = 0; t < rows.rows; t++)
		for (size_t s = 0; s < rows.rows; s++) {
			double sum = 0;
			for (size_t j = 0; j < rows.cols; j++)
				sum += pow(mat_row(rows, t)[j] - mat_row(rows, s)[j], 2);
			assert_within(mat_row(p->heatmap.values, t)[s], sqrt(sum), 1e-12);
		}
}

/* The x axis of a table of buckets counts its rows, which are no distances, and a table of few heads has broad cells with whole
 * numbers above. */
TEST(tables_of_buckets_read_as_such)
{
	const struct figure *const f = figure_of("t5", "panel table,norms\n");
	const struct curves *const norms = &help_named_panel(f, "norms")->curves;
	assert_string_equal(norms->x_title, "row of the table");
	struct canvas *const c = help_canvas(33, 120, TIER_DIRECT, false);
	struct heatmap_view v;
	struct rect hit;
	canvas_panel(c, (struct rect){0, 0, 22, 52}, help_named_panel(f, "table"), false, &hit, &v);
	assert_true(v.cell_cols >= 3);
	assert_non_null(strstr(help_between(c, hit.row - 1, hit.col, hit.col + hit.cols), "3"));
}

/* The distances above a ruler are equally far apart, whatever the widths of their numbers. */
TEST(a_ruler_has_even_steps)
{
	const struct panel *const p = help_named_panel(figure_of("deberta", ""), "cosine");
	for (int cols = 40; cols < 100; cols += 3) {
		struct canvas *const c = help_canvas(30, cols, TIER_DIRECT, false);
		struct heatmap_view v;
		struct rect hit;
		canvas_panel(c, (struct rect){0, 0, 30, cols}, p, false, &hit, &v);
		const char *at = help_between(c, hit.row - 1, hit.col, hit.col + hit.cols);
		long last = 0, apart = 0;
		for (size_t n = 0; *(at += strspn(at, " ")) != '\0'; n++) {
			if (strncmp(at, "╷", strlen("╷")) == 0) { /* of the line above */
				at += strlen("╷");
				n--;
				continue;
			}
			const bool minus = strncmp(at, "−", strlen("−")) == 0;
			char *end;
			const long x = strtol(at + (minus ? strlen("−") : 0), &end, 10);
			const long here = minus ? -x : x;
			if (n > 1 && last - here != apart)
				fail_msg("%d columns:\n%s", cols, help_screen(c));
			apart = last - here;
			last = here;
			at = end;
		}
	}
}

/* Every token ends a segment, so all have the same vector: cosines are 1, on the scale of any cosine. */
TEST(vectors_that_are_all_alike_are_shown)
{
	const struct figure *const f = figure_of("bipe", "sentence . . . .\n");
	help_figure_is_sound(&arena, f, "bipe");
	const struct panel *const cosine = help_named_panel(f, "cosine");
	assert_true(fabs(cosine->heatmap.scale.lo + 1) < 1e-12 &&
		    fabs(cosine->heatmap.scale.hi - 1) < 1e-12);
}

/* Curves that cross at most rows cannot be followed, so only the two of the heads with the largest and the least value
 * are drawn. */
TEST(tangled_curves_are_at_most_two)
{
	struct tensor_set set;
	tensor_set_init(&set, &arena);
	const struct mat m = mat_new(&arena, 32, 4);
	for (size_t i = 0; i < 32; i++)
		for (size_t h = 0; h < 4; h++)
			mat_row(m, i)[h] = sin((double)(7 * i * (h + 1) + 3 * h));
	mat_row(m, 3)[2] = 5;
	mat_row(m, 9)[1] = -5;
	tensor_set_add(&set, "bias_table", m, false);
	const struct figure *const f =
		figure_of("t5", arena_printf(&arena, "params %s\n", help_save(&set)));
	const struct panel *const p = help_named_panel(f, "curve");
	assert_int_equal(p->curves.n, 2);
	assert_string_equal(p->curves.series[0].label, "head 2");
	assert_string_equal(p->curves.series[1].label, "head 3");
	assert_string_equal(p->short_note, "2 of 4 heads");
	assert_int_equal(help_named_panel(figure_of("t5", ""), "curve")->curves.n, 4);
}

/* Curves of a table of buckets go over the distances in their order, without rows that none reads: from Raffel et al.
 * 2020, 32 buckets but for one, and the slopes of the demonstration fall on both sides of 0. */
TEST(curves_of_buckets_go_over_distances)
{
	const struct figure *const f = figure_of("t5", "");
	const struct curves *const curves = &help_named_panel(f, "curve")->curves;
	const struct series *const first = &curves->series[0];
	assert_int_equal(first->n, 31);
	assert_string_equal(curves->places[0].name, "−91…");
	assert_string_equal(curves->places[15].name, "0");
	assert_string_equal(curves->places[30].name, "91…");
	for (size_t i = 1; i < 31; i++)
		assert_true(i <= 15 ? first->y[i] >= first->y[i - 1]
				    : first->y[i] <= first->y[i - 1]);
	assert_non_null(strstr(f->finding, "(head 1, distance −91…)"));
	assert_null(help_named_panel(f, "cosine"));
	assert_null(help_named_panel(f, "path")); /* a line */
}

/* The numbers at the points are positions, and the line of the cell cuts no word. */
TEST(what_rows_are_stands_in_titles)
{
	struct tui *const t = help_tui(&arena, "rope", "view vectors\n", BACKGROUND_DARK);
	const char *const screen =
		help_screen(help_frame(t, (struct help_look){120, 36, TIER_DIRECT, false}));
	assert_non_null(strstr(screen, "Principal components of positions"));
	assert_non_null(strstr(screen, "similarity +0.695"));
	help_tui_done(t);
	const struct figure *const f = &help_picture(&arena, "shaw", "view vectors\n")->figure;
	assert_string_equal(help_named_panel(f, "path")->title,
			    "Principal components of distances");
}

/* Of rotations that layers change those of the first layer are shown, and nothing that a layer wrote. */
TEST(angles_that_layers_change_are_of_the_first)
{
	static const char *const titles[] = {"Rotation angles", "Rotation angles, first layer"};
	static const char *const texts[] = {"selrope", "tape"};
	for (size_t i = 0; i < 2; i++) {
		const struct figure *const f =
			&help_picture(&arena, texts[i], "view vectors\nlayer 2\n")->figure;
		const bool said = strstr(f->finding, "in the first layer") != NULL;
		assert_string_equal(help_named_panel(f, "table")->title, titles[i]);
		assert_int_equal(said, i == 1);
		assert_null(strstr(help_named_panel(f, "table")->note, " of 2"));
	}
}

/* The angles of rope jump by 2π at every turn; sines and cosines move little from one position to the next. */
TEST(paths_that_jump_are_no_line)
{
	static const struct {
		const char *scheme;
		bool tangled;
	} cases[] = {{"rope", true}, {"sinusoidal", false}, {"learned", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct figure *const f =
			&help_picture(&arena, cases[i].scheme, "view vectors\n")->figure;
		const struct plane *const p = &help_named_panel(f, "path")->plane;
		if (p->tangled != cases[i].tangled || !p->joined)
			fail_msg("%s", cases[i].scheme);
		assert_true((p->about != NULL) == p->tangled);
	}
}

/* At 120 columns there are three panels in a row rather than four, and what the card says in one row is whole. */
TEST(panels_of_vectors_are_large)
{
	static const char *const rows[][2] = {
		{"deberta", "values −1 to 2 · lengths of rows 5.44 to 11.3 · cosines −0.96 to 1"},
		{"graphormer", "lengths of rows 0 to 4.05 · cosines 0.96 to 1"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tui *const t =
			help_tui(&arena, rows[i][0], "view vectors\n", BACKGROUND_DARK);
		const struct help_look look = {120, 36, TIER_DIRECT, false};
		const struct canvas *const c = help_frame(t, look);
		size_t panes = 0;
		for (size_t k = 0; k < t->n_zones; k++) {
			const struct zone *const z = &t->zones[k];
			const enum panel_kind kind =
				t->picture->picture.figure.panels[z->index].kind;
			panes += z->kind == ZONE_PANE && kind != PANEL_CARD;
			if (z->kind == ZONE_PANE && kind != PANEL_CARD && z->at.cols < 38)
				fail_msg("%s: %d columns:\n%s", rows[i][0], z->at.cols,
					 help_screen(c));
		}
		if (panes != 5 || !strstr(help_screen(c), rows[i][1]))
			fail_msg("%s: %zu panels:\n%s", rows[i][0], panes, help_screen(c));
		help_tui_done(t);
	}
}

/* Biases are numbers, no vectors that one compares: their table, and beside it curves in order of the distances. */
TEST(biases_by_distance_are_curves)
{
	const struct picture *const p = help_picture(&arena, "t5", "view vectors\n");
	assert_int_equal(p->figure.n, 2);
	assert_string_equal(p->figure.panels[0].title, "Learned bias");
	assert_string_equal(p->figure.panels[1].curves.y_title, "logit");
	assert_non_null(strstr(p->figure.finding, "What each head (column) adds to a logit"));
	const struct picture *const card = help_picture(&arena, "t5", "view vectors\npanel card\n");
	assert_int_equal(card->figure.panels[0].kind, PANEL_CARD);
	const struct picture *const learned = help_picture(&arena, "learned", "view vectors\n");
	assert_true(learned->figure.n > 2);
}
