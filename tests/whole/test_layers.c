/* test_layers.c: how much position is left after each layer: what is known of schemes, ways that are another scheme
 * as it is, and where there is nothing to read. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_sample.h"
#include "help_view.h"
#include "posviz/analysis/layers.h"
#include "posviz/base/strbuf.h"

FIXTURE(open_arena, close_arena)

static struct layers *measured_by(const char *expression, const char *lines, struct watch *watch)
{
	struct scene *const scene = arena_calloc(&arena, 1, sizeof *scene);
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct layers *const out = arena_calloc(&arena, 1, sizeof *out);
	struct err err = {""};
	*scene = help_scene(expression, lines);
	if (!setup_build(&scene->setup, &arena, b, &err))
		fail_msg("%s", err.text);
	const struct layers_of of = {.setup = &scene->setup, .built = b, .watch = watch};
	layers_measure(&of, &arena, out);
	return out;
}

/* On the default sentence and sizes but for these lines. */
static struct layers *measured(const char *expression, const char *lines)
{
	struct layers *const out = measured_by(expression, lines, NULL);
	if (out->why)
		fail_msg("%s: %s", expression, out->why);
	return out;
}

static void same_way(const struct layers_way *x, const struct layers_way *y)
{
	assert_int_equal(x->layers, y->layers);
	for (size_t l = 0; l <= x->layers; l++) {
		assert_within(x->absolute[l], y->absolute[l], 1e-12);
		assert_within(x->relative[l], y->relative[l], 1e-12);
	}
}

static const struct layers_way *as_is(const struct layers *l)
{
	return &l->ways[LAYERS_AS_IS];
}

/* ---- what is known of schemes -------------------------------------------------------------------- */

TEST(without_positions_nothing_is_read)
{
	const struct layers *const l = measured("none", "");
	assert_int_equal(as_is(l)->layers, LAYERS_DEPTH);
	for (size_t i = 0; i <= LAYERS_DEPTH; i++) {
		assert_within(as_is(l)->absolute[i], l->shuffled.absolute[i], 0.02);
		assert_within(as_is(l)->relative[i], l->shuffled.relative[i], 0.05);
		assert_within(as_is(l)->absolute[i], 0, 0.02);
		assert_within(as_is(l)->relative[i], 0, 0.05);
		assert_within(l->equivariance[i], 0, 1e-12);
	}
	assert_non_null(l->ways[LAYERS_OTHER].why);
}

TEST(added_sinusoids_are_read_and_forgotten)
{
	const struct layers *const l = measured("sinusoidal", "");
	const struct layers_way *const each = &l->ways[LAYERS_OTHER];
	assert_true(as_is(l)->absolute[0] > 0.99 && as_is(l)->relative[0] > 0.99);
	assert_true(as_is(l)->absolute[6] < 0.2);
	for (size_t i = 0; i < 6; i++)
		assert_true(as_is(l)->absolute[i + 1] < as_is(l)->absolute[i]);
	assert_null(each->why);
	assert_string_equal(each->label, "each layer");
	for (size_t i = 1; i <= 6; i++) {
		assert_true(each->absolute[i] > 0.9 && each->relative[i] > 0.9);
		assert_within(l->shuffled.absolute[i], 0, 0.03);
		assert_within(l->shuffled.relative[i], 0, 0.08);
	}
	/* The residual carries positions on (Liu et al. 2021). */
	const struct layers_way *const without = &l->ways[LAYERS_RESIDUAL];
	assert_within(without->absolute[2], as_is(l)->absolute[2], 1e-12);
	assert_true(without->absolute[3] < as_is(l)->absolute[3] - 0.2);
	assert_int_equal(l->middle, 3);
}

/* Haviv et al. 2022: a causal mask alone makes positions decodable. */
TEST(a_causal_mask_lets_positions_be_read)
{
	const struct layers_way *const w = as_is(measured("none+causal", ""));
	assert_within(w->absolute[0], 0, 0.02);
	assert_true(w->absolute[1] > 0.3 && w->relative[1] > 0.3);
	assert_true(w->absolute[3] > w->absolute[1] + 0.02);
	assert_true(w->relative[3] > w->relative[1] + 0.02);
}

/* The words are drawn: those of the sentence play no part. */
TEST(words_of_the_sentence_play_no_part)
{
	same_way(as_is(measured("rope", "sentence a b c d\n")),
		 as_is(measured("rope", "sentence some other words here\n")));
}

/* ---- ways that are other expressions --------------------------------------------------------------- */

TEST(a_dropped_residual_is_that_of_resdrop)
{
	const struct layers *const with = measured("sinusoidal", "layers 6\n"),
				   *const without = measured("sinusoidal+resdrop", "layers 6\n");
	same_way(&with->ways[LAYERS_RESIDUAL], as_is(without));
	same_way(&without->ways[LAYERS_RESIDUAL], as_is(with));
	assert_string_equal(without->ways[LAYERS_RESIDUAL].label, "with residual");
}

TEST(once_is_the_first_layer_alone)
{
	const struct layers *const each = measured("shaw", ""), *const once = measured(
									"shaw(layers=1)", "");
	assert_string_equal(each->ways[LAYERS_OTHER].label, "layer 1 only");
	assert_string_equal(once->ways[LAYERS_OTHER].label, "each layer");
	same_way(&each->ways[LAYERS_OTHER], as_is(once));
	same_way(&once->ways[LAYERS_OTHER], as_is(each));
	assert_true(as_is(each)->absolute[6] > as_is(once)->absolute[6] + 0.5);
}

/* Members each turn the other way; masks stay. */
TEST(members_turn_each_by_itself)
{
	const struct layers *const l = measured("sinusoidal+rope+causal", "");
	assert_string_equal(l->ways[LAYERS_OTHER].says,
			    "sinusoidal in front of every layer; rope in its first layer alone");
	assert_string_equal(l->ways[LAYERS_OTHER].label, "other way");
	assert_non_null(measured("window", "")->ways[LAYERS_OTHER].why);
	const char *const alibi = measured("alibi", "")->ways[LAYERS_OTHER].says;
	assert_string_equal(alibi, "alibi in its first layer alone; its mask ends there too");
	assert_non_null(
		measured("spr_rel", "governors 2 3 0 5 6 3 3 7 3\n")->ways[LAYERS_OTHER].why);
}

/* ---- against other measures ----------------------------------------------------------------------- */

/* The scene has two layers: what the card says of its last one is the second here. */
TEST(equivariance_is_that_of_the_measures)
{
	static const char *const expressions[] = {"sinusoidal", "alibi", "shaw+causal"};
	for (size_t i = 0; i < 3; i++) {
		const struct scene scene = help_scene(expressions[i], "");
		const struct measure_request r = {.kinds = MEASURED_ORDER};
		struct measures m = {0};
		struct err err = {""};
		assert_true(analysis_measure(&scene.setup, &r, &m, &err));
		assert_within(measured(expressions[i], "")->equivariance[2], m.equivariance.value,
			      1e-12);
		assert_true(m.equivariance.value > 0.05);
	}
}

TEST(cosines_of_layers)
{
	const struct mat c = measured("rope", "")->cosine;
	assert_int_equal(c.rows, LAYERS_DEPTH + 1);
	for (size_t i = 0; i < c.rows; i++) {
		assert_within(mat_row(c, i)[i], 1, 1e-12);
		for (size_t k = 0; k < i; k++) {
			assert_within(mat_row(c, i)[k], mat_row(c, k)[i], 0);
			assert_true(fabs(mat_row(c, i)[k]) < 1);
		}
	}
	assert_true(mat_row(c, 0)[1] > 0.5 && mat_row(c, 0)[1] > mat_row(c, 0)[4] + 0.2);
}

/* What is kept of a probe is enough to find its R². */
TEST(a_probe_can_be_computed_again)
{
	const struct layers *const l = measured("none+causal", "");
	double mean = 0, all = 0, left = 0;
	const size_t n = l->rows.rows;
	assert_int_equal(n, LAYERS_SENTENCES * l->units);
	for (size_t i = 0; i < n; i++)
		mean += l->targets.at[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		all += (l->targets.at[i] - mean) * (l->targets.at[i] - mean);
		left += (l->targets.at[i] - l->predicted.at[i]) *
			(l->targets.at[i] - l->predicted.at[i]);
		assert_within(l->folds.at[i], (double)(i / l->units % RIDGE_FOLDS), 0);
		assert_true(mat_row(l->pairs, i)[0] / (double)l->units <
			    (double)(i / l->units + 1));
		assert_true(fabs(mat_row(l->pairs, i)[0] - mat_row(l->pairs, i)[1]) > 0);
	}
	assert_within(1 - left / all, as_is(l)->absolute[6], 1e-12);
}

/* ---- what t is ------------------------------------------------------------------------------------- */

TEST(position_ids_are_what_is_asked_for)
{
	const struct layers *const l =
		measured("sinusoidal", "sentence a b c d\nposition-ids 5 6 9 2\n");
	assert_true(l->given);
	assert_within(l->targets.at[0], 5, 0);
	assert_within(l->targets.at[3], 2, 0);
	assert_true(as_is(l)->absolute[0] > 0.99);
}

TEST(a_column_is_what_is_asked_for)
{
	const struct layers *const l =
		measured("sinusoidal(pos=segment)", "sentence a b c ||| d e\n");
	assert_string_equal(l->column, "segment");
	assert_within(l->targets.at[2], 0, 0);
	assert_within(l->targets.at[4], 1, 0);
	assert_true(as_is(l)->absolute[0] > 0.95);
	assert_string_equal(measured("sinusoidal(pos=segment)", "sentence a b c\n")->no_position,
			    "all tokens have the same position");
}

TEST(units_that_stand_for_no_token_are_not_asked)
{
	const struct layers *const l = measured("sinusoidal", "sentence a b c\nspecial cls,sep\n");
	assert_int_equal(l->units, 3);
	assert_within(l->targets.at[0], 1, 0);
	/* Behind a memory rows before and after a layer are of the same tokens. */
	const struct layers *const m =
		measured("sinusoidal", "sentence a b c d e\nmemory-tokens 2\n");
	assert_int_equal(m->units, 3);
	assert_within(m->targets.at[0], 2, 0);
	assert_true(mat_row(m->cosine, 0)[1] > 0.4);
}

TEST(a_long_input_is_read_in_part)
{
	struct strbuf words;
	strbuf_init(&words, &arena);
	strbuf_add(&words, "sentence ");
	for (size_t i = 0; i < 100; i++)
		strbuf_printf(&words, "w%zu ", i);
	strbuf_add(&words, "\nd-model 16\nheads 2\n");
	const struct layers *const l = measured("rope+causal", words.at);
	assert_int_equal(l->units, LAYERS_UNITS);
	assert_int_equal(l->on.of, 100);
}

/* ---- where there is nothing ------------------------------------------------------------------------ */

TEST(one_token_has_no_position)
{
	const struct layers *const l = measured("sinusoidal", "sentence word\n");
	assert_non_null(l->no_position);
	assert_non_null(l->no_order);
	assert_true(isnan(as_is(l)->absolute[0]) && isnan(l->shuffled.relative[3]));
	assert_within(mat_row(l->cosine, 2)[2], 1, 1e-12);
	const struct layers *const ids =
		measured("sinusoidal", "sentence a b c\nposition-ids 3 3 3\n");
	assert_string_equal(ids->no_position, "all tokens have the same position");
}

TEST(layers_can_be_stopped)
{
	struct watch watch;
	watch_begin(&watch);
	watch_cancel(&watch);
	assert_string_equal(measured_by("sinusoidal", "", &watch)->why, "cancelled");
}

static void same_numbers(const struct layers_way *x, const struct layers_way *y)
{
	assert_memory_equal(x->absolute, y->absolute, (x->layers + 1) * sizeof(double));
	assert_memory_equal(x->relative, y->relative, (x->layers + 1) * sizeof(double));
	assert_true((x->why == NULL) == (y->why == NULL));
	assert_string_equal(x->says ? x->says : "", y->says ? y->says : "");
}

static struct layers *more(const struct layers_of *of)
{
	struct layers *const out = arena_calloc(&arena, 1, sizeof *out);
	layers_measure_more(of, &arena, out);
	return out;
}

/* At first there are cosines of a sample, close to those of all; in the end every number is that of the whole, also
 * after a step that was stopped. */
TEST(layers_fill_step_by_step)
{
	static const char *const schemes[] = {"sinusoidal", "rope+causal", "none", "stickbreak"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		const struct layers *const whole = measured(schemes[i], "");
		struct scene scene = help_scene(schemes[i], "");
		struct built b;
		struct err err = {""};
		struct watch watch;
		assert_true(setup_build(&scene.setup, &arena, &b, &err));
		const struct layers_of of = {.setup = &scene.setup, .built = &b, .watch = &watch};
		watch_begin(&watch);
		const struct layers *k = more(&of);
		assert_int_equal(k->sentences, LAYERS_SAMPLE);
		assert_int_equal(k->to_come, LAYERS_STEPS - 1);
		assert_true(as_is(k)->pending && k->order_pending && !k->why);
		assert_within(mat_max_abs_diff(k->cosine, whole->cosine), 0, 0.05);
		watch_cancel(&watch);
		assert_string_equal(more(&of)->why, "cancelled");
		watch_begin(&watch);
		for (size_t part = 0; part < LAYERS_STEPS && k->to_come > 0; part++) {
			const size_t before = k->to_come;
			k = more(&of);
			assert_null(k->why);
			assert_true(k->to_come < before);
		}
		assert_int_equal(k->to_come, 0);
		assert_int_equal(k->sentences, LAYERS_SENTENCES);
		for (size_t way = 0; way < LAYERS_WAYS; way++)
			same_numbers(&k->ways[way], &whole->ways[way]);
		same_numbers(&k->shuffled, &whole->shuffled);
		assert_within(mat_max_abs_diff(k->cosine, whole->cosine), 0, 0);
		assert_memory_equal(k->equivariance, whole->equivariance, sizeof k->equivariance);
	}
}

/* A picture says what it has not got yet, and of how many sentences its cosines are. */
TEST(a_picture_of_layers_fills)
{
	struct scene const scene = help_scene("t5+causal", "view layers\n");
	struct picture p = {0};
	struct err err = {""};
	assert_true(setup_build(&scene.setup, &arena, &p.built, &err));
	assert_true(picture_compute_part(&scene, 0, NULL, NULL, &arena, &p, &err));
	assert_true(picture_redraw(&scene, NULL, false, BACKGROUND_DARK, &arena, &p, &err));
	assert_true(p.unmeasured > 0);
	help_figure_is_sound(&arena, &p.figure, "the first picture");
	assert_string_equal(p.figure.finding, "How much position is left is still being measured.");
	assert_string_equal(
		help_panel(&p.figure, "Cosine of a token's vectors after two layers")->note,
		"8 of 64 sentences so far");
	assert_string_equal(help_panel(&p.figure, "Position read off a vector, R²")->absent,
			    "still being measured");
}

TEST(layers_keep_to_the_memory)
{
	const char *const why = measured_by("sinusoidal", "memory 4M\nd-model 64\n", NULL)->why;
	assert_non_null(why);
	assert_non_null(strstr(why, "limit"));
}

TEST(a_watch_is_told_how_much_there_is)
{
	struct watch watch;
	watch_begin(&watch);
	assert_null(measured_by("sinusoidal", "d-model 16\nheads 2\n", &watch)->why);
	assert_within(watch_part(&watch), 1, 0);
	assert_true(atomic_load(&watch.done) >= LAYERS_WAYS * LAYERS_SENTENCES * 2 * LAYERS_DEPTH);
}

/* ---- the view ---------------------------------------------------------------------------------------- */

TEST(panels_of_layers)
{
	struct picture *const p = help_picture(&arena, "sinusoidal", "view layers\n");
	const struct panel *const absolute =
					  help_panel(&p->figure, "Position read off a vector, R²"),
				  *const cosine = help_panel(
					  &p->figure,
					  "Cosine of a token's vectors after two layers");
	assert_int_equal(absolute->curves.n, 4);
	assert_true(absolute->curves.series[0].active);
	assert_string_equal(absolute->curves.series[1].label, "with causal mask");
	assert_string_equal(absolute->curves.series[2].label, "in each layer");
	assert_true(absolute->curves.together);
	assert_int_equal(help_panel(&p->figure, "Distance read off two vectors, R²")->curves.n, 4);
	assert_int_equal(
		help_panel(&p->figure, "What shuffling the tokens changes")->curves.series[0].n, 7);
	assert_within(cosine->heatmap.scale.lo, -1, 0);
	assert_within(cosine->heatmap.scale.hi, 1, 0);
	const struct card *const card = &help_panel(&p->figure, "How much position is left")->card;
	assert_string_equal(card->lines[0].key, "position");
	assert_string_equal(card->lines[0].value, "R² 0.01");
	/* Curves that coincide are told apart by their marks, and colours stay with their variants. */
	struct picture *const none = help_picture(&arena, "none", "view layers\n");
	const struct curves *const c =
		&help_panel(&none->figure, "Position read off a vector, R²")->curves;
	assert_int_equal(c->n, 3);
	assert_string_equal(c->series[0].label, "this model");
	assert_string_equal(c->series[1].label, "with causal mask");
	assert_string_equal(c->series[2].label, "without residual");
	assert_int_equal(c->series[1].colour, absolute->curves.series[1].colour);
}

/* Haviv et al. 2022: a causal mask alone lets positions be read; nothing else here differs. */
TEST(the_twin_has_the_other_mask)
{
	static const struct {
		const char *scheme, *label;
		bool own, twin; /* whether positions can be read */
	} all[] = {{"none", "causal mask", false, true},
		   {"t5", "causal mask", false, true},
		   {"t5+causal", "no mask", true, false}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct layers *const k = measured(all[i].scheme, "");
		const struct layers_way *const is = &k->ways[LAYERS_AS_IS],
					       *const twin = &k->ways[LAYERS_TWIN];
		assert_string_equal(twin->label, all[i].label);
		assert_null(twin->why);
		assert_true((is->absolute[is->layers] > 0.3) == all[i].own);
		assert_true((twin->absolute[twin->layers] > 0.3) == all[i].twin);
	}
	const struct layers *const with = measured("t5+causal", ""), *const without =
									     measured("t5", "");
	for (size_t l = 0; l <= LAYERS_DEPTH; l++)
		assert_within(without->ways[LAYERS_TWIN].absolute[l],
			      with->ways[LAYERS_AS_IS].absolute[l], 1e-9);
	assert_non_null(measured("stickbreak", "")->ways[LAYERS_TWIN].why);
	assert_non_null(measured("causal", "")->ways[LAYERS_TWIN].why);
}

TEST(layers_say_what_is_to_be_seen)
{
	static const char *const all[][2] = {
		{"t5",
		 "as no position is added to token vectors; with a causal mask R² reaches 0."},
		{"rope+causal", "the mask does that; without a mask R² is 0.00."},
		{"spr_rel", "after layer 1, 0.00 after layer 6; with a causal mask"},
		{"sinusoidal", "vector, R²: 1.00 from the input, 0.01 after layer 6"},
		{"stickbreak", "vector, R²: 0.00 from the input, 0."}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct picture *const p = help_picture(&arena, all[i][0], "view layers\n");
		if (!p->figure.finding || !strstr(p->figure.finding, all[i][1]))
			fail_msg("%s: %s", all[i][0], p->figure.finding);
	}
}

TEST(layers_of_one_token_say_why)
{
	struct picture *const p = help_picture(&arena, "rope", "view layers\nsentence word\n");
	help_figure_is_sound(&arena, &p->figure, "one token");
	assert_non_null(help_panel(&p->figure, "Position read off a vector, R²")->absent);
	assert_non_null(help_panel(&p->figure, "What shuffling the tokens changes")->absent);
	assert_null(help_panel(&p->figure, "Cosine of a token's vectors after two layers")->absent);
	struct picture *const few =
		help_picture(&arena, "rope", "view layers\nmemory 4M\nsentence a b c d e f g h\n");
	help_figure_is_sound(&arena, &few->figure, "no memory");
	assert_non_null(
		help_panel(&few->figure, "Cosine of a token's vectors after two layers")->absent);
}

static const struct number *number_of(const struct numbers *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->at[i].name, name) == 0)
			return &all->at[i];
	return NULL;
}

TEST(numbers_of_layers)
{
	struct err err = {""};
	struct numbers all, one;
	const struct scene scene = help_scene("sinusoidal", "");
	struct picture *const p = help_picture(&arena, "sinusoidal", "");
	numbers_init(&all, &arena);
	assert_true(view_numbers(&scene, "layers", &p->built, NULL, NULL, &arena, &all, &err));
	const struct number *const rows = number_of(&all, "layers.absolute");
	assert_true(rows && rows->at.cols == 7 && !rows->says);
	assert_true(number_of(&all, "layers.other.relative") &&
		    number_of(&all, "layers.residual.absolute") &&
		    number_of(&all, "layers.shuffled.absolute") &&
		    number_of(&all, "layers.cosine") && number_of(&all, "layers.probe.pairs"));
	assert_within(number_of(&all, "layers.last.absolute")->at.at[0], rows->at.at[6], 0);
	/* It takes long: only who names it gets it. */
	numbers_init(&one, &arena);
	assert_true(view_numbers(&scene, "quick", &p->built, NULL, NULL, &arena, &one, &err));
	assert_null(number_of(&one, "layers.absolute"));
	const struct scene word = help_scene("none", "sentence word\n");
	struct picture *const w = help_picture(&arena, "none", "sentence word\n");
	numbers_init(&one, &arena);
	assert_true(view_numbers(&word, "layers", &w->built, NULL, NULL, &arena, &one, &err));
	assert_null(number_of(&one, "layers.absolute"));
	assert_non_null(strstr(number_of(&one, "layers.last.absolute")->says, "n/a: "));
}
