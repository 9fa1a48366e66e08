/* test_recipes.c: the recipes of CONTRIBUTING.md are compiled as they stand there and do what they say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_frame.h"
#include "help_view.h"
#include "figures/figures_in.h"
#include "plot/canvas_pen.h"
#include "posviz/app/format.h"
#include "posviz/format/file.h"
#include "posviz/plot/panel.h"
#include "posviz/scheme/scheme.h"

extern const struct scheme scheme_nearby[];
extern const struct view view_keys;
extern const struct format format_plain;
extern const struct panel_type panel_gauge;
extern const struct tui_part part_clock;

FIXTURE(open_arena, close_arena)

TEST(the_recipe_of_a_scheme_has_a_leaf_a_relation_and_a_bias)
{
	enum { N = 9, CLIP = 4, HEADS = 2 };
	const struct scheme *const s = scheme_nearby;
	const struct member member = {.hooks = &s->hooks,
				      .scheme = s,
				      .param = scheme_defaults(s, &arena),
				      .name = s->id,
				      .text = s->id,
				      .pos = "seq",
				      .layers = SUBSET_ALL,
				      .heads = SUBSET_ALL};
	const struct model_config config = {.d = 8,
					    .heads = HEADS,
					    .layers = 2,
					    .ff = 8,
					    .t_max = 16,
					    .content = 2,
					    .norm_eps = 1e-5};
	const struct want want = {
		.kinds = WANT_BIAS | WANT_RELATION | WANT_WEIGHTS, .layer = -1, .head = -1};
	const char *labels[N];
	long token[N];
	size_t len[N];
	struct model model;
	struct trace trace;
	struct err err = {0};
	for (size_t i = 0; i < N; i++) {
		labels[i] = arena_printf(&arena, "w%zu", i);
		len[i] = strlen(labels[i]);
		token[i] = (long)i;
	}
	const struct mat ones = mat_new(&arena, 1, config.d);
	mat_fill(ones, 1);
	const struct model_input in = {.axis = {N, labels, token},
				       .units = model_units(&arena, &config, labels, len, N),
				       .probe = ones};
	if (!model_build(&model, &config, &member, 1, NULL, &arena, &err) ||
	    !model_run(&model, &in, &want, NULL, NULL, &arena, &trace, &err))
		fail_msg("%s", err.text);
	const struct mat b = model_find_leaf(&model, &member, "b", 0)->at;
	assert_int_equal(b.rows, 2 * CLIP + 1);
	assert_int_equal(trace.relation.n, N);
	for (size_t h = 0; h < HEADS; h++)
		for (long t = 0; t < N; t++)
			for (long k = 0; k < N; k++) {
				const long clipped =
					labs(k - t) > CLIP ? (k > t ? CLIP : -CLIP) : k - t;
				const struct mat bias = trace.layers[0].heads[h].bias;
				assert_true(fabs(mat_row(bias, (size_t)t)[k] -
						 mat_row(b, (size_t)(clipped + CLIP))[h]) < 1e-12);
				assert_int_equal(trace.relation.at[t * N + k], clipped);
			}
}

/* Rows of weights sum to 1, and so the means over all of them. */
TEST(the_recipe_of_a_view_shows_a_mean)
{
	struct picture *const p =
		help_picture(&arena, "rope+causal", "sentence a b c d e\nview explore");
	const struct scene scene = help_scene("rope+causal", "sentence a b c d e\nview explore");
	const struct view_data data = {
		.view = &view_keys, .scene = &scene, .built = &p->built, .trace = &p->trace};
	struct figure figure = {0};
	double sum = 0;
	assert_int_equal(view_keys.wants(&scene), WANT_WEIGHTS);
	assert_true(view_draw(&data, &arena, &figure, NULL));
	help_figure_is_sound(&arena, &figure, "keys");
	const struct series *const all = figure.panels[0].curves.series;
	for (size_t i = 0; i < all->n; i++)
		sum += all->y[i];
	assert_true(fabs(sum - 1) < 1e-12);
}

TEST(the_recipe_of_a_format_writes_words)
{
	const struct scene scene = help_scene("alibi", "sentence a b c\nview explore");
	struct write_job job = {.scene = &scene, .a = &arena};
	struct err err = {0};
	if (!format_plain.write(&job, &err))
		fail_msg("%s", err.text);
	assert_int_equal(strlen(job.data), job.len);
	assert_non_null(strstr(job.data, "“a b c”"));
	assert_int_equal(format_plain.bears & FORMAT_THEME, 0);
}

/* A panel that is no kind of the program's own holds its numbers as the recipe's line says. */
TEST(the_recipe_of_a_kind_of_panel_draws_and_says_its_number)
{
	const double numbers[] = {0.5, 0, 1};
	struct panel p = {.title = "Share"};
	struct strbuf words;
	struct canvas *const c = canvas_new(&arena, 2, 20, TIER_MONO, true, false);
	const struct pen pen = pen_cells(c, &arena, (struct rect){0, 0, 2, 20});
	memcpy(&p.heatmap, numbers, sizeof numbers);
	panel_gauge.draw(&pen, &p);
	for (int col = 0; col < 20; col++)
		assert_string_equal(c->cells[col].at, col < 10 ? "#" : " ");
	assert_string_equal(c->cells[20].at, "0");
	strbuf_init(&words, &arena);
	panel_gauge.say(&p, &words, &arena);
	assert_string_equal(words.at, "0.5 of 0 to 1\n");
	assert_int_equal(panel_gauge.wanted, 4);
}

/* ---- a figure ------------------------------------------------------------------------------------ */

/* The script that stands in CONTRIBUTING.md. */
static const char *script(void)
{
	static const char begin[] = "```figure\n";
	char *text;
	size_t len;
	struct err err;
	if (!file_read(arena_printf(&arena, "%s/../../CONTRIBUTING.md", test_data), 1 << 20, &arena,
		       &text, &len, &err))
		fail_msg("%s", err.text);
	const char *const from = strstr(text, begin);
	assert_non_null(from);
	const char *const body = from + strlen(begin), *const end = strstr(body, "\n```");
	assert_non_null(end);
	return arena_strndup(&arena, body, (size_t)(end - body));
}

TEST(the_recipe_of_a_figure_is_a_figure_that_holds)
{
	const char *const text = script();
	struct source_figure is;
	struct figures_kept kept;
	struct err err;
	if (!source_figure_read("steps", text, strlen(text), &arena, &is, &err))
		fail_msg("%s", err.text);
	struct picture *const p = help_picture(&arena, "none", "view explore");
	const struct scene scene = help_scene("none", "view explore");
	const struct view_data data = {
		.view = &view_figures, .scene = &scene, .built = &p->built, .trace = &p->trace};
	figure_make(&data, &is, &arena, &kept);
	assert_null(kept.why);
	assert_int_equal(kept.figure.n, 2);
	assert_string_equal(kept.figure.panels[1].title, "Bias by distance");
	assert_int_equal(kept.figure.panels[1].col, 1);
	const struct source_expect *const expects = figure_expects(&kept, &arena);
	assert_int_equal(is.n_expects, 2);
	for (size_t i = 0; i < is.n_expects; i++)
		if (!expects[i].holds)
			fail_msg("%s: it is %s", expects[i].text, expects[i].found);
}

/* ---- a part of the terminal program -------------------------------------------------------------- */

TEST(the_recipe_of_a_part_draws_the_time)
{
	struct tui *const t = help_tui(&arena, "none", "", BACKGROUND_DARK);
	struct canvas *const c = canvas_new(&arena, 24, 80, TIER_256, false, true);
	struct layout l;
	t->terminal.rows = 24;
	t->terminal.cols = 80;
	t->again_at = INFINITY;
	layout_make(t, &l);
	part_clock.draw(t, c, &l);
	const char *const row = help_screen(c);
	assert_non_null(strchr(row, ':'));
	assert_true(isfinite(t->again_at));
	help_tui_done(t);
}
