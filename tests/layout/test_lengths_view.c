/* test_lengths_view.c: the view Lengths: its panels, what the card says, how it fills, and its numbers. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_view.h"

FIXTURE(open_arena, close_arena)

static const struct picture *shown(const char *expression, const char *lines)
{
	struct picture *const p = help_picture(
		&arena, expression, arena_printf(&arena, "view lengths\nt-max 16\n%s", lines));
	help_figure_is_sound(&arena, &p->figure, expression);
	return p;
}

static const struct panel *panel_of(const struct picture *p, const char *name)
{
	for (size_t i = 0; i < p->figure.n; i++)
		if (p->figure.panels[i].name && strcmp(p->figure.panels[i].name, name) == 0)
			return &p->figure.panels[i];
	return NULL;
}

static const struct card_line *line_of(const struct picture *p, const char *key)
{
	const struct panel *const card = panel_of(p, "ends");
	for (size_t i = 0; card && i < card->card.n; i++)
		if (card->card.lines[i].key && strcmp(card->card.lines[i].key, key) == 0)
			return &card->card.lines[i];
	return NULL;
}

static void says(const struct picture *p, const char *key, const char *value, const char *note)
{
	const struct card_line *const line = line_of(p, key);
	if (!line)
		fail_msg("no line %s", key);
	assert_string_equal(line->value, value);
	if (!strstr(line->note, note))
		fail_msg("%s: %s", key, line->note);
}

TEST(curves_go_by_doublings_past_t_max)
{
	const struct picture *const p = shown("alibi+causal", "");
	size_t curves = 0;
	for (size_t i = 0; i < p->figure.n; i++) {
		const struct curves *const c = &p->figure.panels[i].curves;
		if (p->figure.panels[i].kind != PANEL_CURVES)
			continue;
		curves++;
		assert_string_equal(p->figure.panels[i].name, "curve");
		assert_true(c->log_x);
		assert_true(fabs(c->x_to - 128) < 1e-9);
		assert_int_equal(c->n_marks, 1);
		assert_true(c->marks[0].upright);
		assert_string_equal(c->marks[0].label, "t-max 16: length of training");
		assert_string_equal(c->marks[0].brief, "t-max 16");
		assert_true(c->together);
		assert_true(fabs(c->series[0].x[c->series[0].n - 1] - 128) < 1e-9);
	}
	assert_int_equal(curves, LENGTHS_MEASURES);
}

/* YaRN from 4 positions: those of t-max are no training. */
TEST(t_max_is_the_context_of_a_scaling_from_fewer_positions)
{
	const struct picture *const p = shown("rope_yarn(factor=4,original=4)+causal", "");
	const struct panel *const curve = help_named_panel(&p->figure, "curve");
	assert_string_equal(curve->curves.marks[0].label, "t-max 16: length of the context");
	assert_non_null(strstr(p->figure.finding, "(the length of the context)"));
	says(p, "in training", "on 4 positions, to distance 3", "");
	const struct picture *const own = shown("rope_yarn(factor=4)+causal", "");
	assert_string_equal(help_named_panel(&own->figure, "curve")->curves.marks[0].label,
			    "t-max 16: length of training");
}

TEST(curve_ends_where_the_scheme_refuses)
{
	const struct picture *const p = shown("learned", "");
	const struct curves *const c = &p->figure.panels[0].curves;
	assert_true(fabs(c->series[0].x[c->series[0].n - 1] - 16) < 1e-9);
	assert_string_equal(c->marks[0].label, "t-max 16: no longer text");
	says(p, "ends", "at 16", "learned has 16 positions (t-max)");
	assert_null(strstr(line_of(p, "ends")->note, "needs number")); /* no error of the user */
	for (size_t i = 0; i < LENGTHS_MEASURES; i++) {
		const struct curves *const plot = &p->figure.panels[i].curves;
		assert_true(plot->x_to > 16 &&
			    plot->x_to <= 20); /* no room for lengths that are none */
		for (size_t k = 0; k < plot->n; k++)
			assert_true(plot->series[k].x[plot->series[k].n - 1] <= 20);
	}
}

TEST(card_says_what_ends)
{
	const struct picture *const p = shown("alibi+causal", "");
	says(p, "length", "to 128", "8 × t-max");
	says(p, "in training", "to distance 15", "26 %, 57 %, 77 %");
	says(p, "99 % within", "14 → 18", "n = 16, 128");
	says(p, "by head", "18, 73, 124, 126", "heads 1 to 4, at n = 128");
	/* Slopes 2^(−8h/16): ⌈−ln(1 − 0.99 (1 − q^128)) / m⌉ − 1 of the first and of the last. */
	says(shown("alibi+causal", "heads 16\n"), "by head", "6 to 126", "16 heads");
	assert_null(line_of(shown("none+causal", ""), "by head")); /* all alike */
	says(p, "saturates", "no: far logits differ", "");
	says(p, "positions", "the same token vector at each", "probe off");
	says(shown("shaw(clip=5)", ""), "saturates", "from distance 5", "alike");
	says(shown("none", ""), "in training", "all distances", "");
	says(shown("rope", ""), "no full rotation", "7 of 8 pairs", "within t-max");
	says(shown("rope_pi(factor=4)", ""), "new angles", "0, 0, 7 of 8 pairs at 2, 4, 8 × t-max",
	     "unscaled 7, 7, 7");
	assert_null(line_of(shown("rope", ""), "new angles"));
	says(shown("alibi", "probe off\n"), "positions", "the sentence, repeated", "probe ones");
}

/* The row of each length, a column of each distance; hatched where the text has no key so far. */
/* What rotates by numbers of positions reads rounded ones wherever programs round them. */
TEST(card_says_where_rounded_positions_are_one)
{
	says(shown("rope+causal", ""), "rounding", "257 in bfloat16, 2049 in float16",
	     "falls together with the one before it");
	assert_null(line_of(shown("alibi", ""), "rounding"));
}

TEST(matrix_has_a_row_of_each_length)
{
	const struct picture *const p = shown("none+causal", "");
	const struct heatmap *const h = &panel_of(p, "matrix")->heatmap;
	assert_int_equal(h->values.rows, p->lengths.n);
	assert_int_equal(h->values.cols, 8);
	assert_string_equal(h->row_labels[h->values.rows - 1], "128");
	assert_string_equal(h->col_labels[7], "64");
	assert_int_equal(h->masked[7], HEATMAP_MASKED);
	assert_true(fabs(mat_row(h->values, h->values.rows - 1)[7] - 0.5) < 1e-12);
	assert_string_equal(panel_of(shown("alibi", "matrix bias\n"), "matrix")->title,
			    "Bias by length ↓ and distance →");
	assert_string_equal(panel_of(shown("alibi", "matrix mask\n"), "matrix")->title,
			    "Mask by length ↓ and distance →");
}

TEST(within_is_how_far_weights_are_summed)
{
	const struct picture *const p = shown("none+causal", "within 1\n");
	assert_string_equal(p->figure.panels[2].title, "Weight within 1 positions, as a share");
	const struct series *const last = &p->figure.panels[2].curves.series[0];
	assert_true(fabs(last->y[last->n - 1] - 2 / 128.) < 1e-12);
}

TEST(mean_of_heads_is_the_mean_of_their_numbers)
{
	const struct picture *const p = shown("alibi+causal", "head mean\n");
	const struct lengths_head *const heads = p->lengths.rows[p->lengths.n - 1].heads;
	double sum = 0;
	for (size_t h = 0; h < 4; h++)
		sum += heads[h].last[LENGTHS_ENTROPY] / 4;
	const struct series *const last = &p->figure.panels[1].curves.series[0];
	assert_true(fabs(last->y[last->n - 1] - sum) < 1e-12);
}

TEST(what_has_no_lengths_says_so_once)
{
	const struct picture *const p = shown("alibi", "position-ids start:5\n");
	assert_true(p->figure.panels[0].lead);
	assert_non_null(strstr(p->figure.panels[0].absent, "position ids"));
	assert_string_equal(p->figure.panels[1].name, "weights");
	assert_non_null(strstr(shown("alibi", "layer mean\n")->figure.panels[0].absent, "layer"));
}

/* Fills part by part, as the worker asks for it. */
TEST(first_look_has_some_lengths)
{
	struct scene scene;
	struct err err = {""};
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	scene_init(&scene);
	assert_true(scene_parse(&scene, "scheme alibi+causal\nview lengths", &err));
	struct cache *const cache = cache_new(CACHE_BYTES);
	assert_true(setup_build(&scene.setup, &arena, &p->built, &err));
	assert_true(picture_compute_part(&scene, 0, cache, NULL, &arena, p, &err));
	assert_true(p->unmeasured > 0 && p->unmeasured < p->lengths.n);
	assert_true(picture_redraw(&scene, NULL, false, BACKGROUND_LIGHT, &arena, p, &err));
	assert_non_null(strstr(p->figure.subtitle, "lengths to come"));
	cache_free(cache);
}

TEST(numbers_say_the_ends)
{
	const struct picture *const p = shown("learned", "");
	const struct scene scene = help_scene("learned", "t-max 16\n");
	struct numbers all;
	struct err err = {""};
	numbers_init(&all, &arena);
	assert_true(view_numbers(&scene, "lengths", &p->built, NULL, NULL, &arena, &all, &err));
	assert_string_equal(help_number(&all, "lengths.ends")->says, "16");
	assert_non_null(strstr(help_number(&all, "lengths.ends")->means, "needs number 17"));
	const struct mat n = help_number(&all, "lengths.n")->at;
	const struct mat entropy = help_number(&all, "lengths.entropy.last")->at;
	assert_int_equal(n.cols, p->lengths.n);
	assert_int_equal(entropy.rows, 4);
	assert_int_equal(entropy.cols, n.cols);
	assert_true(fabs(help_number(&all, "lengths.longest.entropy")->at.at[0] -
			 mat_row(entropy, 0)[n.cols - 1]) < 1e-15);
}

/* What happens beyond t-max, in a sentence: widths of the card's line, shares that training has not met, an end. */
TEST(a_sentence_says_what_becomes_of_attention)
{
	static const char *const rows[][2] = {
		{"alibi+causal",
		 "Attention widens, but less than the text: 99 % of the last query's weight is "
		 "within 14 positions at 16 tokens (the length of training), 18 at 128."},
		{"none+causal", "Attention spreads with the text: 99 %"},
		{"alibi+window(width=4)", "Attention keeps its width, in a window of 3 keys: 99 %"},
		{"learned", "No text longer than 16 tokens can be computed: learned has 16 "
			    "positions (t-max)."}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct picture *const p = shown(rows[i][0], "");
		if (strncmp(p->figure.finding, rows[i][1], strlen(rows[i][1])) != 0)
			fail_msg("%s: %s", rows[i][0], p->figure.finding);
	}
	const struct picture *const clipped = shown("rope+causal", "");
	assert_non_null(
		strstr(clipped->figure.finding, "% of it is at distances not met in training."));
	/* Its frequencies have new angles, but no pair is farther than 4 to it. */
	assert_null(strstr(shown("rope+rerope", "")->figure.finding, "not met in training"));
}

/* A window is told beside what it leaves; one that a scheme closes by itself has no keys to tell. */
TEST(a_window_has_its_keys)
{
	static const struct {
		const char *scheme, *keys;
	} rows[] = {{"rope+window(keys=7)+causal", "7 keys"},
		    {"alibi+window(width=4)", "3 keys"},
		    {"rope+chunk(size=5)+causal", NULL},
		    {"alibi+causal", NULL}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct card *const c =
			&help_named_panel(&shown(rows[i].scheme, "")->figure, "ends")->card;
		const char *keys = NULL;
		for (size_t k = 0; k < c->n; k++)
			keys = strcmp(c->lines[k].key, "window") == 0 ? c->lines[k].value : keys;
		if (rows[i].keys == NULL ? keys != NULL : !keys || strcmp(keys, rows[i].keys) != 0)
			fail_msg("%s: %s", rows[i].scheme, keys ? keys : "none");
	}
}

/* An axis of decades that shows one of them would have two ticks, 1 and 10. */
TEST(distances_of_less_than_a_decade_have_an_even_axis)
{
	static const struct {
		const char *scheme;
		enum curve_spread spread;
	} rows[] = {{"rope+window(keys=7)+causal", CURVES_LINEAR}, {"none+causal", CURVES_LOG}};
	for (size_t i = 0; i < 2; i++) {
		const struct panel *const p =
			help_named_panel(&shown(rows[i].scheme, "")->figure, "curve");
		assert_int_equal(p->curves.spread, rows[i].spread);
	}
}

/* Plots are few and large, as many as a screen has room for. */
TEST(plots_are_large_enough_to_be_read)
{
	static const struct {
		struct rect r;
		size_t curves;
	} rows[] = {{{0, 0, 33, 120}, 2},
		    {{0, 0, 21, 80}, 1},
		    {{0, 0, 46, 200}, 4},
		    {{0, 0, 16, 60}, 1},
		    {{0, 0, 10, 40}, 1}};
	const struct figure *const f = &shown("t5", "")->figure;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rect place[FIGURE_PANELS];
		size_t curves = 0;
		help_layout(f, rows[i].r, 0, false, place);
		for (size_t k = 0; k < f->n; k++) {
			const bool curve = f->panels[k].kind == PANEL_CURVES && place[k].rows > 0;
			assert_true(!curve || rows[i].r.rows < 20 ||
				    (place[k].rows >= 14 && place[k].cols >= 50));
			curves += curve;
		}
		assert_int_equal(curves, rows[i].curves);
	}
}

/* A picture of an earlier version has the titles of its matrices by which it is verified. */
TEST(earlier_pictures_keep_their_titles)
{
	static const char *const rows[][3] = {
		{"t5", "view lengths\nt-max 16\n", "Weights by distance"},
		{"t5", "view layers\n", "Cosine of two layers"},
		{"t5", "view compare\ncompare rope\n", "1−2 difference of weights"},
		{"t5", "view compare\ncompare t5\n", "1−2 difference of weights"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene scene = help_scene(rows[i][0], rows[i][1]);
		struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
		struct err err = {""};
		bool found = false;
		if (!picture_make_earlier(&scene, BACKGROUND_LIGHT, NULL, &arena, p, &err))
			fail_msg("%s", err.text);
		for (size_t k = 0; figure_heatmap(&p->figure, k, NULL); k++) {
			size_t panel;
			figure_heatmap(&p->figure, k, &panel);
			found |= strcmp(p->figure.panels[panel].title, rows[i][2]) == 0;
		}
		if (!found)
			fail_msg("no %s", rows[i][2]);
	}
}
