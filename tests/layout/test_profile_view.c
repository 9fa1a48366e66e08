/* test_profile_view.c: the view Profile over schemes, and its numbers. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/raster.h"
#include "posviz/quantity/quantity.h"

FIXTURE(open_arena, close_arena)

#define SHORT "view profile\nwindows 3\nwindow-length 12\n"

/* Every scheme has a profile of heads, or says why not. */
TEST_IN_PARTS(every_scheme_has_a_profile, 2)
{
	size_t shown = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		struct arena a;
		arena_init(&a);
		struct picture *const p =
			help_picture(&a, s->id, "view profile\nwindows 1\nwindow-length 8\n");
		help_figure_is_sound(&a, &p->figure, s->id);
		const struct panel *const k = help_named_panel(&p->figure, "kernels");
		assert_non_null(k);
		shown += !k->absent;
		arena_release(&a);
	}
	assert_true(shown * 3 > scheme_count() / 2);
}

static double number(const struct scene *scene, const char *name)
{
	struct numbers all;
	struct err err = {""};
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	assert_true(setup_build(&scene->setup, &arena, b, &err));
	numbers_init(&all, &arena);
	if (!view_numbers(scene, "profile", b, NULL, NULL, &arena, &all, &err))
		fail_msg("%s", err.text);
	return help_number(&all, name)->at.at[0];
}

/* The bias by distance is all where there is no content; the words say so. */
TEST(profile_of_alibi)
{
	const char *const lines = SHORT "content 0\nhead 2\n";
	const struct scene scene = help_scene("alibi+causal", lines);
	const struct picture *const p = help_picture(&arena, "alibi+causal", lines);
	assert_within(number(&scene, "profile.distance"), 1, 1e-9);
	assert_within(number(&scene, "profile.windows"), 3, 0);
	assert_non_null(strstr(
		p->figure.finding,
		"Position explains most of the logits' variance in all 8 heads, 100 % each."));
	assert_string_equal(help_named_panel(&p->figure, "kernel")->title,
			    "Head 1·2: logit by distance");
	assert_null(help_named_panel(&p->figure, "bands"));
	assert_int_equal(help_named_panel(&p->figure, "kernels")->heatmap.values.rows, 8);
}

/* Bands by the wavelengths of the rotation, 2π·10000^(2i/16). */
TEST(profile_of_a_rotation_has_bands)
{
	const struct picture *const p = help_picture(&arena, "rope+causal", SHORT);
	const struct heatmap *const h = &help_named_panel(&p->figure, "bands")->heatmap;
	assert_int_equal(h->values.rows, 8);
	assert_int_equal(h->values.cols, 8);
	assert_string_equal(h->row_labels[4], "2·1");
	assert_string_equal(h->col_labels[0], "6.3");
	assert_string_equal(h->col_labels[4], "630");
	assert_string_equal(h->col_title, "wavelength, positions");
	for (size_t c = 0; c < 8; c++) {
		double sum = 0;
		for (size_t i = 0; i < 8; i++)
			sum += mat_row(h->values, c)[i];
		assert_within(sum, 1, 1e-9);
	}
	assert_int_equal(help_named_panel(&p->figure, "plane")->plane.n, 8);
}

/* Layers that rotate with different bases have no wavelengths in common: bands are numbered pairs. */
TEST(profile_of_two_rotations_numbers_the_pairs)
{
	const struct picture *const p =
		help_picture(&arena, "rope(base=160000,layers=1)+rope(layers=2)+causal", SHORT);
	const struct panel *const bands = help_named_panel(&p->figure, "bands");
	const struct heatmap *const h = &bands->heatmap;
	assert_string_equal(bands->title, "All heads: share by pair");
	assert_string_equal(bands->note, "wavelengths differ by layer");
	assert_string_equal(h->col_title, "pair of columns");
	assert_int_equal(h->values.cols, 8);
	assert_string_equal(h->col_labels[0], "1");
	assert_string_equal(h->col_labels[4], "5");
}

/* So has latent attention, of the columns that rotate beside the content: 2π·10000^(2i/8). */
TEST(profile_of_latent_attention_has_bands)
{
	const struct picture *const p = help_picture(&arena, "mla(rope=8)+causal", SHORT);
	const struct heatmap *const h = &help_named_panel(&p->figure, "bands")->heatmap;
	assert_int_equal(h->values.cols, 4);
	assert_string_equal(h->col_labels[0], "6.3");
	assert_string_equal(h->col_labels[2], "630");
	for (size_t c = 0; c < 8; c++) {
		double sum = 0;
		for (size_t i = 0; i < 4; i++)
			sum += mat_row(h->values, c)[i];
		assert_true(fabs(sum) > 1e-3 && sum < 1); /* the rest is content */
	}
}

/* Without content a head's kernel is its scheme's own, beside which it is drawn; a scheme without one says so. */
TEST(profile_beside_the_scheme)
{
	const struct picture *p = help_picture(&arena, "alibi+causal", SHORT "content 0\n");
	const struct panel *curve = help_named_panel(&p->figure, "kernel");
	assert_int_equal(curve->curves.n, 2);
	assert_string_equal(curve->curves.series[1].label, "scheme alone");
	for (size_t i = 0; i < curve->curves.series[0].n; i++)
		assert_within(curve->curves.series[0].y[i], curve->curves.series[1].y[i], 1e-9);
	assert_string_equal(curve->note, "the scheme's own explains 100 %");
	assert_true(curve->curves.together);
	p = help_picture(&arena, "learned+causal", SHORT);
	curve = help_named_panel(&p->figure, "kernel");
	assert_int_equal(curve->curves.n, 1);
	assert_non_null(
		strstr(curve->subtitle, "the scheme adds nothing to the logits by positions"));
}

/* The table has the heads that fit, in order; the plane two numbers of them; and arrows go through both. */
TEST(heads_are_chosen_by_their_numbers)
{
	const struct picture *const all = help_picture(&arena, "alibi+causal", SHORT);
	const struct scene scene = help_scene(
		"alibi+causal",
		SHORT "profile-sort layer\ndescending on\nprofile-filter layer=2\nprofile-x head\n"
		      "profile-y layer\nlayer 2\nhead 2\n");
	struct picture *const p = help_picture(
		&arena, "alibi+causal",
		SHORT "profile-sort layer\ndescending on\nprofile-filter layer=2\nprofile-x head\n"
		      "profile-y layer\nlayer 2\nhead 2\n");
	const struct table *const t = &help_named_panel(&p->figure, "scores")->table;
	const struct plane *const plane = &help_named_panel(&p->figure, "plane")->plane;
	assert_int_equal(help_named_panel(&all->figure, "scores")->table.rows, 8);
	assert_int_equal(t->rows, 4);
	assert_string_equal(t->cells[0], "2·1");
	assert_int_equal(t->row, 1);
	assert_int_equal(help_named_panel(&p->figure, "kernels")->heatmap.values.rows, 4);
	assert_within(plane->at[2].x, 3, 0);
	assert_within(plane->at[2].y, 2, 0);
	assert_string_equal(plane->x_title, "head of its layer");
	static const struct {
		const char *panel;
		int right, up;
		size_t head;
	} steps[] = {{"plane", 1, 0, 7},   {"plane", -1, 0, 5}, {"plane", 0, 1, 6},
		     {"scores", 0, -1, 7}, {"scores", 0, 1, 5}, {"kernels", 1, 0, 7},
		     {"kernels", 0, 1, 5}};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		size_t pane = 0;
		while (strcmp(p->figure.panels[pane].name, steps[i].panel) != 0)
			pane++;
		const size_t to = picture_walk(&scene, p, pane, steps[i].right, steps[i].up);
		if (to != steps[i].head)
			fail_msg("%s %d %d: head %zu", steps[i].panel, steps[i].right, steps[i].up,
				 to);
	}
	const struct picture *const none =
		help_picture(&arena, "alibi+causal", SHORT "profile-filter position>100\n");
	assert_string_equal(help_named_panel(&none->figure, "scores")->absent,
			    "no head fits the filter; profile-filter all shows every one");
}

/* Two schemes: kernels side by side, differences in table and words; other sizes are said, and the own stay. */
TEST(profiles_are_compared)
{
	const struct picture *p =
		help_picture(&arena, "none+causal", SHORT "compare alibi+causal\ncontent 0\n");
	assert_string_equal(help_named_panel(&p->figure, "scores")->title,
			    "Differences of heads, sorted by position");
	assert_string_equal(p->figure.panels[2].title, "none+causal: kernels");
	assert_string_equal(p->figure.panels[3].title, "alibi+causal: kernels");
	assert_non_null(strstr(p->figure.finding, "From none+causal to alibi+causal, "));
	assert_int_equal(help_named_panel(&p->figure, "kernel")->curves.n, 2);
	const char *const lines =
		arena_printf(&arena, SHORT "compare learned @model %s/models/gpt2\n", test_data);
	p = help_picture(&arena, "rope+causal", lines);
	assert_non_null(
		strstr(p->figure.finding, "Not compared: compare: rope+causal has 2 layers "));
	assert_int_equal(help_named_panel(&p->figure, "scores")->table.rows, 8);
}

TEST(many_heads_are_rows)
{
	const struct picture *const p = help_picture(&arena, "rope", SHORT "layers 4\nheads 8\n");
	const struct panel *const k = help_named_panel(&p->figure, "kernels");
	assert_int_equal(k->kind, PANEL_HEATMAP);
	assert_int_equal(k->heatmap.values.rows, 32);
	assert_int_equal(k->heatmap.values.cols, 23);
	assert_string_equal(k->heatmap.row_labels[8], "2·1");
}

TEST(a_window_that_is_too_short_is_said)
{
	const struct picture *const p =
		help_picture(&arena, "rope", "view profile\nwindow-length 2\n");
	assert_string_equal(help_named_panel(&p->figure, "kernels")->absent,
			    "window-length: 2; 4 at least");
}

/* ---- what screens show ------------------------------------------------------------------------- */

/* Returns what a screen of this size shows. */
static const char *screen(const char *expression, const char *lines, int cols, int rows)
{
	const struct picture *const p = help_picture(&arena, expression, lines);
	struct canvas *const c = help_canvas(rows, cols, TIER_DIRECT, false);
	canvas_figure(c, &p->figure);
	return help_screen(c);
}

/* Returns how many of these words the text has. */
static size_t words_in(const char *text, const char *const *words)
{
	size_t n = 0;
	for (size_t i = 0; words[i]; i++)
		n += strstr(text, words[i]) != NULL;
	return n;
}

static const char *const columns[] = {"position", "distance", "key",	   "content",	 "previous",
				      "first",	  "same",     "induction", "local",	 "entropy",
				      "peak",	  "tokens",   "order",	   "layer·head", NULL};
static const char *const heads[] = {" 1·1 ", " 1·2 ", " 1·3 ", " 1·4 ", " 2·1 ",
				    " 2·2 ", " 2·3 ", " 2·4 ", NULL};

/* Returns the text with the lines up to the end of the first box, without those above it. */
static const char *first_box(const char *text)
{
	const char *const from = strstr(text, "┌─ Heads, sorted by position"), *const to = strstr(
										       from,
										       "\n└─");
	return arena_strndup(&arena, from, (size_t)(to - from));
}

/* The table comes first and has all heads at each size of a terminal, the more columns the wider it is. */
TEST(the_table_of_heads_is_whole_on_each_screen)
{
	static const struct {
		int cols, rows;
		size_t columns;
	} sizes[] = {{200, 50, 12}, {120, 36, 8}, {80, 24, 4}, {60, 20, 6}};
	static const char *const schemes[] = {"alibi+causal", "rope", "t5", "rope_llama3+causal"};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t s = 0; s < 4; s++) {
			const char *const box =
				first_box(screen(schemes[s], SHORT, sizes[i].cols, sizes[i].rows));
			const size_t n = words_in(box, columns), found = words_in(box, heads);
			if (n < sizes[i].columns || found < 8)
				fail_msg("%s at %d×%d: %zu columns, %zu heads\n%s", schemes[s],
					 sizes[i].cols, sizes[i].rows, n, found, box);
		}
}

/* The star is explained where one is seen, below the table, and nowhere else. */
TEST(a_star_is_explained_where_there_is_one)
{
	static const char means[] = "*: beyond 99.9 % of noise heads";
	static const char *const schemes[] = {"alibi+causal", "rope+causal", "none+causal", "t5"};
	static const struct {
		int cols, rows;
	} sizes[] = {{60, 20}, {80, 24}, {80, 40}, {100, 30}, {120, 36}, {140, 24}, {200, 50}};
	size_t with = 0;
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
			for (size_t sorted = 0; sorted < 2; sorted++) {
				const char *const text = screen(
					schemes[i],
					sorted ? SHORT "profile-sort distance-of-weights\n" : SHORT,
					sizes[k].cols, sizes[k].rows);
				const char *const said = strstr(text, means);
				size_t stars = 0;
				for (const char *at = text; *at; at++)
					stars += *at == '*' && at != said;
				assert_null(strstr(text, "stars to come"));
				if ((stars > 0) != (said != NULL))
					fail_msg("%s at %d×%d: %zu stars\n%s", schemes[i],
						 sizes[k].cols, sizes[k].rows, stars, text);
				with += said != NULL;
			}
	assert_true(with > 0);
}

/* Both kernels lie over each other on one scale; axes and units are named. */
TEST(kernels_have_axes)
{
	const char *const lines = "view profile\nwindows 3\nwindow-length 64\n";
	const struct picture *const p = help_picture(&arena, "rope+causal", lines);
	const struct heatmap *const h = &help_named_panel(&p->figure, "kernels")->heatmap;
	const struct curves *const c = &help_named_panel(&p->figure, "kernel")->curves;
	assert_string_equal(h->col_title, "distance s−t");
	assert_string_equal(h->row_labels[7], "2·4");
	assert_int_equal(h->values.cols, 12); /* 0, 1, 2, 3, 4–5, 6–7, 8–11, … 48–63 */
	assert_string_equal(h->col_labels[11], "0");
	assert_string_equal(h->col_labels[10], "");
	assert_string_equal(h->col_labels[9], "−2");
	assert_string_equal(h->col_labels[1], "−32");
	/* The mean of distances 4 and 5 of the shown head. */
	const double *const kernel = c->series[0].y;
	assert_int_equal(c->series[0].n, 64);
	assert_within(mat_row(h->values, h->marks->row)[7], (kernel[63 - 4] + kernel[63 - 5]) / 2,
		      1e-12);
	assert_true(c->together && c->spread == CURVES_LINEAR);
	const char *const text = screen("rope+causal", lines, 120, 36);
	assert_non_null(strstr(text, "■ own"));
	assert_non_null(strstr(text, "wavelength in positions"));
	assert_non_null(strstr(text, "mean distance, tokens"));
	assert_non_null(strstr(text, "position, % of the variance"));
	assert_null(strstr(text, "means of "));
	assert_null(strstr(text, "symlog"));
}

/* Where all heads are in one place of the plane there is none; columns in which they are alike are words below the
 * table, except that by which it is sorted. */
TEST(heads_that_lie_together_are_said)
{
	static const char said[] = "all 8 heads alike in distance (100 %), key (0 %), ";
	const struct picture *const p = help_picture(
		&arena, "alibi+causal", SHORT "profile-x key\nprofile-y order\ncontent 0\n");
	const struct table *const t = &help_named_panel(&p->figure, "scores")->table;
	assert_null(help_named_panel(&p->figure, "plane"));
	assert_int_equal(help_named_panel(&p->figure, "kernel")->rows, 2);
	if (!strstr(t->legend, said))
		fail_msg("%s", t->legend);
	for (size_t c = 1; c < t->cols; c++)
		assert_true(strcmp(t->head[c], "key") != 0 && strcmp(t->head[c], "order") != 0);
	assert_string_equal(t->head[1], "position");
	const struct picture *const apart = help_picture(&arena, "alibi+causal", SHORT);
	const struct panel *const plane = help_named_panel(&apart->figure, "plane");
	assert_null(plane->absent);
	assert_null(plane->plane.about);
}

/* A small screen has the kernel of a head and those of all heads beside the table. */
TEST(a_small_screen_has_the_kernels_beside_the_table)
{
	static const char *const schemes[] = {"t5", "rope", "learned"};
	const struct rect all = {0, 0, 21, 80};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		const struct figure *const f =
			&help_picture(&arena, schemes[i], SHORT "layers 2\n")->figure;
		struct canvas *const c = help_canvas(21, 80, TIER_DIRECT, false);
		struct rect place[FIGURE_PANELS];
		struct canvas_seen seen[FIGURE_PANELS];
		help_layout(f, all, 0, false, place);
		canvas_panels(c, f, all, place, 0, seen);
		for (size_t k = 0; k < 3; k++)
			if (place[k].rows == 0)
				fail_msg("%s: no %s on\n%s", schemes[i], f->panels[k].name,
					 help_screen(c));
	}
}

/* A page has the heads of the table, all of them whatever its size, and explains stars where there are some. */
TEST(pages_have_the_whole_table)
{
	static const double sizes[][2] = {{1600, 1000}, {1000, 700}, {800, 500}};
	static const char *const schemes[] = {"alibi+causal", "rope", "t5", "rope_llama3+causal"};
	for (size_t i = 0; i < 3; i++)
		for (size_t s = 0; s < 4; s++) {
			const struct picture *const p = help_picture(&arena, schemes[s], SHORT);
			const struct raster_look look = {.width = sizes[i][0],
							 .height = sizes[i][1]};
			const struct raster_report page =
				help_page_report(&p->figure, &look, &arena);
			size_t stars = 0, rows = 0;
			for (size_t k = 0; k < page.n; k++) {
				const char *const text = page.boxes[k].text;
				const size_t len = strlen(text);
				stars += len > 1 && text[len - 1] == '*';
				for (size_t h = 0; heads[h]; h++)
					rows += strncmp(text, heads[h] + 1, 4) == 0 && len == 4;
			}
			if (rows < 16) /* of the table, and of the kernels */
				fail_msg("%s at %.0f: %zu heads", schemes[s], sizes[i][0], rows);
			assert_true(stars == 0 || help_page_says(&page, "*: beyond 99.9"));
		}
}

/* Labels of distances stand in one line, apart. */
TEST(labels_of_distances_stand_in_one_line)
{
	const char *const text =
		screen("rope+causal", "view profile\nwindows 3\nwindow-length 64\n", 120, 36);
	const char *const at = strstr(text, "−32"), *const end = strchr(at, '\n');
	static const char *const labels[] = {"−16", "−8", "−4", "−2", " 0 ", "6.3", "63 ", NULL};
	assert_int_equal(words_in(arena_strndup(&arena, at, (size_t)(end - at)), labels), 7);
}

/* ---- the shown head ----------------------------------------------------------------------------- */

/* Until a head is chosen, the first of the table is shown and marked in each panel; then the chosen one is. */
TEST(the_first_head_of_the_table_is_shown)
{
	static const char *const lines[] = {SHORT, SHORT "profile-sort entropy\n",
					    SHORT "profile-filter layer=2\n"};
	for (size_t i = 0; i < 3; i++) {
		const struct picture *const p = help_picture(&arena, "alibi+causal", lines[i]);
		const struct table *const t = &help_named_panel(&p->figure, "scores")->table;
		const struct heatmap *const h = &help_named_panel(&p->figure, "kernels")->heatmap;
		const struct plane *const plane = &help_named_panel(&p->figure, "plane")->plane;
		assert_string_equal(
			help_named_panel(&p->figure, "kernel")->title,
			arena_printf(&arena, "Head %s: logit by distance", t->cells[0]));
		assert_int_equal(t->row, 0);
		assert_int_equal(plane->cursor, 0);
		assert_string_equal(h->row_labels[h->marks->row], t->cells[0]);
		assert_true(i > 0 || strstr(p->figure.finding, t->cells[0]));
	}
	const char *const chosen[] = {"1·1", "1·2", "2·1"};
	static const char *const by[] = {SHORT "head 1\n", SHORT "head 2\n", SHORT "layer 2\n"};
	for (size_t i = 0; i < 3; i++) {
		const struct scene scene = help_scene("alibi+causal", by[i]);
		const struct picture *const p = help_picture(&arena, "alibi+causal", by[i]);
		assert_string_equal(help_named_panel(&p->figure, "kernel")->title,
				    arena_printf(&arena, "Head %s: logit by distance", chosen[i]));
		assert_non_null(strstr(scene_print(&scene, &arena), i < 2 ? "head " : "layer "));
	}
	/* The choice of the first head is kept in a saved scene, and differs from none. */
	const struct scene first = help_scene("alibi+causal", by[0]),
			   none = help_scene("alibi+causal", SHORT);
	struct scene again;
	struct err err;
	assert_true(scene_parse(&again, scene_print(&first, &arena), &err));
	assert_true(again.chose_head && scene_equal(&again, &first) && !scene_equal(&none, &first));
}

/* Numbers of dumps and of questions are those of the shown head: the first of the table, until one is chosen. */
TEST(numbers_are_those_of_the_shown_head)
{
	static const struct {
		const char *lines, *head, *is;
	} rows[] = {
		{SHORT "profile-sort head\ndescending on\n", "1·4", "head 4 layer 1"},
		{SHORT "profile-sort layer\nprofile-filter layer=2\n", "2·1", "head 1 layer 2"},
		{SHORT "profile-sort layer\ndescending on\nhead 3\n", "1·3", "head 3 layer 1"},
	};
	for (size_t i = 0; i < 3; i++) {
		const struct scene scene = help_scene("rope+causal", rows[i].lines);
		const struct picture *const p = help_picture(&arena, "rope+causal", rows[i].lines);
		struct quantities *const q = quantities_new(&scene, NULL, NULL);
		struct quantity of;
		struct quantity_value shown, named;
		struct err err = {""};
		assert_string_equal(
			help_named_panel(&p->figure, "kernel")->title,
			arena_printf(&arena, "Head %s: logit by distance", rows[i].head));
		assert_true(quantity_parse("profile 'first'", &arena, &of, &err) &&
			    quantity_find(q, &of, &arena, &shown, &err));
		assert_true(quantity_parse(arena_printf(&arena, "profile 'first' %s", rows[i].is),
					   &arena, &of, &err) &&
			    quantity_find(q, &of, &arena, &named, &err));
		assert_within(shown.number, named.number, 0);
		assert_within(number(&scene, "profile.first"), named.number, 0);
		assert_true(quantity_parse("profile 'first' head 1 layer 1", &arena, &of, &err) &&
			    quantity_find(q, &of, &arena, &named, &err));
		assert_true(shown.number != named.number);
		quantities_free(q);
	}
}

/* Names that the view's panels once had, and those of panels that it lacks, stand for the table. */
TEST(names_of_former_panels_are_read)
{
	static const char *const names[] = {"card", "position", "kernel,card", "plane"};
	for (size_t i = 0; i < 4; i++) {
		const struct picture *const p = help_picture(
			&arena, "alibi+causal", arena_printf(&arena, SHORT "panel %s\n", names[i]));
		assert_int_equal(p->figure.n, 1 + (i == 2));
		assert_non_null(help_named_panel(&p->figure, i < 3 ? "scores" : "plane"));
	}
}

/* ---- rows and signs ----------------------------------------------------------------------------- */

/* Returns the lines of the text whose first word in a box is the name of a head, from the kernels on; [*n]. */
static const size_t *named_lines(const char *text, size_t *n)
{
	size_t *const out = arena_calloc(&arena, 100, sizeof *out);
	const char *at = strstr(text, "┌─ All heads: logits by distance");
	*n = 0;
	for (size_t line = 0; at; line++) {
		at = strchr(at, '\n');
		if (!at || strncmp(++at, "│", strlen("│")) != 0)
			continue;
		const char *const word = at + strlen("│") + strspn(at + strlen("│"), " ");
		if (*word >= '1' && *word <= '9' && strncmp(word + 1, "·", strlen("·")) == 0)
			out[(*n)++] = line;
	}
	return out;
}

/* Names of rows are equally far apart, whatever room a matrix has whose cells need not be square. */
TEST(names_of_heads_are_equally_far_apart)
{
	static const char *const schemes[] = {"none+causal", "rope+causal", "t5"};
	size_t maps = 0;
	for (size_t s = 0; s < 3; s++)
		for (int rows = 20; rows <= 60; rows += 2) {
			const char *const text = screen(schemes[s], SHORT, 120, rows);
			size_t n;
			const size_t *const at = named_lines(text, &n);
			maps += n == 8;
			for (size_t i = 2; i < n; i++)
				if (at[i] - at[i - 1] != at[1] - at[0])
					fail_msg("%s, %d rows:\n%s", schemes[s], rows, text);
		}
	assert_true(maps > 30);
}

/* Beside the name of the shown head stands one sign, and none before a number. */
TEST(no_sign_stands_before_a_number)
{
	static const char *const schemes[] = {"none+causal", "rope+causal", "t5", "learned+causal"};
	for (size_t s = 0; s < 4; s++)
		for (int rows = 24; rows <= 48; rows += 4) {
			const char *const text = screen(schemes[s], SHORT, 120, rows);
			static const char *const never[] = {"▸▸", "▸−", "▸.", "▸0", "◂◂", NULL};
			if (words_in(text, never) > 0)
				fail_msg("%s, %d rows:\n%s", schemes[s], rows, text);
		}
}

/* A line shared by two heads has the names of both, or the screen says that it has the name of one alone. */
TEST(rows_without_names_are_said)
{
	static const char *const lines = SHORT "heads 8\nlayers 2\n";
	for (int rows = 24; rows <= 60; rows += 4) {
		const char *const text = screen("rope+causal", lines, 120, rows);
		const bool said = strstr(text, "every 2nd ") != NULL;
		size_t n;
		named_lines(text, &n);
		for (int head = 0; head < 16 && n > 0 && !said && !strstr(text, "rows 1–"); head++)
			if (!strstr(text,
				    arena_printf(&arena, "%d·%d", head / 8 + 1, head % 8 + 1)))
				fail_msg("head %d\n%s", head, text);
	}
}

/* A kernel of many distances is a line of running means, and the panel says so. */
TEST(kernels_of_many_distances_are_means)
{
	const char *const many =
		screen("rope+causal", "view profile\nwindows 2\nwindow-length 128\n", 120, 36);
	const char *const few = screen("rope+causal", SHORT, 120, 36);
	assert_non_null(strstr(many, "eans of "));
	assert_null(strstr(few, "eans of "));
	assert_non_null(strstr(many, "grouped: −8 means −8 to −11"));
	assert_null(strstr(few, "grouped"));
}

/* Columns whose names tell little are explained below the table, where there is room. */
TEST(scores_are_explained)
{
	const char *const box = first_box(screen("none+causal", SHORT, 120, 36));
	assert_non_null(strstr(box, "previous: weight of the token before"));
	assert_non_null(strstr(box, "first: weight of token 1"));
	assert_null(strstr(box, "no such token"));
}

/* Each point that lies apart has its name, and a note explains the sign of the shown head. */
TEST(points_of_heads_have_names)
{
	const struct picture *const p = help_picture(&arena, "none+causal", SHORT);
	const struct panel *const plane = help_named_panel(&p->figure, "plane");
	for (size_t i = 0; i < plane->plane.n; i++)
		assert_non_null(plane->plane.at[i].label);
	assert_non_null(strstr(screen("none+causal", SHORT, 120, 36), "◆: the shown head"));
	/* The sign is drawn on cells alone, so the note of a page does not explain it. */
	assert_true(!plane->note && !strstr(plane->paper_note, "◆"));
	/* Heads of alibi have one place in each layer. */
	const struct picture *const same =
		help_picture(&arena, "alibi+causal", SHORT "profile-x layer\nprofile-y layer\n");
	const struct plane *const at = &help_named_panel(&same->figure, "plane")->plane;
	size_t named = 0;
	for (size_t i = 0; i < at->n; i++)
		named += at->at[i].label && strstr(at->at[i].label, "·1–4");
	assert_int_equal(named, 2);
}
