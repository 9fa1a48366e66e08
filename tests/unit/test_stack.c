/* test_stack.c: the view Stack: which keys each layer sees, by the rules of the masks and as the model's own masks
 * have it; kinds of layers; how far back a token can know of others. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/analysis/stack.h"

FIXTURE(open_arena, close_arena)

static const struct stack *stack_with(const char *scheme, const char *lines)
{
	return help_picture(&arena, scheme, arena_printf(&arena, "view stack\n%s", lines))->kept;
}

static double seen_at(const struct stack *s, size_t layer, double distance)
{
	for (size_t i = 0; i < s->n_distances; i++)
		if (fabs(s->distance[i] - distance) < 0.5)
			return mat_row(s->seen, layer)[i];
	fail_msg("no distance %g", distance);
	return 0;
}

/* Gemma's stack with a window of 4 keys, on 16 tokens: five layers look 3 tokens back, the sixth to the first. */
TEST(windows_widen_what_is_known_layer_by_layer)
{
	const struct stack *const s = stack_with(
		"rope(layers=1-5/6)+window(keys=4,layers=1-5/6)+causal", "layers 7\nt-max 16\n");
	static const double back[] = {0, 3, 6, 9, 12, 15, 15, 15};
	assert_int_equal(s->tokens, 16);
	assert_int_equal(s->n_kinds, 2);
	assert_string_equal(s->kinds[0].rules, "rope + window(keys=4)");
	assert_string_equal(s->kinds[0].shown, "1–5, 7");
	assert_string_equal(s->kinds[1].rules, "");
	assert_string_equal(s->kinds[1].shown, "6");
	assert_string_equal(s->everywhere, "causal");
	for (size_t l = 0; l <= 7; l++)
		assert_true(fabs(s->back[l] - back[l]) < 0.5);
	assert_true(seen_at(s, 0, -2) > 0.999 && seen_at(s, 0, -4) < 0.001);
	assert_true(seen_at(s, 5, -15) > 0.999);
	assert_true(s->distance[s->n_distances - 1] < 0.5); /* no layer sees later keys */
	assert_true(fabs(s->keys[0] - 4) < 0.5 && fabs(s->keys[5] - 16) < 0.5);
}

/* Of the 15 queries of 16 that have a key before them the 3 at the beginning of a later chunk of 4 do not see it. */
TEST(chunks_end_what_is_seen_by_some_queries)
{
	const struct stack *const s = stack_with("chunk(size=4)+causal", "layers 3\nt-max 16\n");
	assert_int_equal(s->tokens, 16);
	assert_true(fabs(seen_at(s, 0, -1) - 12.0 / 15) < 1e-12);
	assert_true(fabs(seen_at(s, 0, -2) - 8.0 / 14) < 1e-12);
	assert_true(seen_at(s, 0, -4) < 1e-12);
	assert_true(fabs(s->back[1] - 3) < 0.5 && fabs(s->back[3] - 3) < 0.5);
}

TEST(a_text_is_longer_than_the_widest_mask)
{
	assert_int_equal(stack_with("window(keys=1000)+causal", "")->tokens, 4000);
	assert_int_equal(stack_with("rope+causal", "t-max 77\n")->tokens, 77);
	assert_int_equal(stack_with("chunk(size=8192)+causal", "")->tokens, 4 * 8192);
}

/* The rule of each mask is what the model computes with: every query of the scene's nine tokens, every layer. */
TEST(masks_are_those_of_the_model)
{
	static const char *const all[] = {
		"none",
		"causal",
		"alibi",
		"t5(causal=on)",
		"window",
		"window(width=2)",
		"window(keys=3)",
		"window(keys=3,layers=1)+causal",
		"chunk(size=4)",
		"chunk(size=3)+causal",
		"prefix(length=4)",
		"rope+window(width=4)+chunk(size=6)",
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct picture *const p = help_picture(
			&arena, all[i], "view heads\nmatrix mask\nheads-of grid\nt-max 9\n");
		struct stack s;
		stack_of(&p->built, 9, &arena, &s);
		for (size_t l = 0; l < 2; l++) {
			const uint8_t *const mask = p->trace.layers[l].heads[0].mask;
			double most = 0;
			for (size_t t = 0; t < 9; t++) {
				struct stack_keys keys;
				assert_true(stack_keys_of(&p->built, l, (double)t, 9, &keys));
				for (size_t k = 0; k < 9; k++)
					if ((keys.first <= (double)k && (double)k <= keys.last) !=
					    (!mask || mask[t * 9 + k]))
						fail_msg("%s: layer %zu, %zu, %zu", all[i], l + 1,
							 t, k);
				most = keys.last - keys.first + 1;
			}
			assert_true(s.tokens > 9 || fabs(s.keys[l] - most) < 0.5);
		}
	}
}

TEST(masks_of_more_than_positions_are_left_out)
{
	const struct stack *const s = stack_with("rope+pack", "segments 0 0 0 0 1 1 1 1 1\n");
	assert_non_null(s->left_out);
	assert_string_equal(s->left_out->name, "pack");
	assert_null(stack_with("rope+causal", "")->left_out);
}

/* ---- the figure ------------------------------------------------------------------------------ */

static const struct figure *figure_with(const char *scheme, const char *lines)
{
	return &help_picture(&arena, scheme, arena_printf(&arena, "view stack\n%s", lines))->figure;
}

static const struct panel *panel_named(const struct figure *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->panels[i].name, name) == 0)
			return &f->panels[i];
	return NULL;
}

static const char *cell_of(const struct panel *p, size_t row, const char *head)
{
	for (size_t c = 0; c < p->table.cols; c++)
		if (strcmp(p->table.head[c], head) == 0)
			return p->table.cells[row * p->table.cols + c];
	fail_msg("no column %s", head);
	return NULL;
}

TEST(a_table_says_in_words_what_acts_in_each_layer)
{
	const struct figure *const f =
		figure_with("qk_norm+rope(base=100,layers=1-5)+window(keys=4,layers=1-5)+causal",
			    "layers 6\nt-max 512\n");
	const struct panel *const table = panel_named(f, "layers"), *const seen =
									    panel_named(f, "seen");
	assert_int_equal(table->table.rows, 6);
	assert_string_equal(cell_of(table, 0, "sees"), "last 4 keys");
	assert_string_equal(cell_of(table, 0, "rotation"), "base 100");
	assert_string_equal(cell_of(table, 1, "knows of"), "7");
	/* The sentence tells what is known of: that column is the last to go. */
	for (size_t i = 2; i < table->table.cols; i++) /* all columns differ from row to row */
		assert_true((table->table.priority[i] == 1) ==
			    (strcmp(table->table.head[i], "knows of") == 0));
	assert_string_equal(cell_of(table, 5, "sees"), "all up to own");
	assert_string_equal(cell_of(table, 5, "rotation"), "none");
	assert_string_equal(cell_of(table, 5, "knows of"), "all 512");
	assert_true(!table->table.marked[0] && table->table.marked[5]);
	assert_non_null(strstr(table->subtitle, "in every layer also query-key normalisation"));
	assert_string_equal(
		f->finding,
		"Of 6 layers, 5 see the last 4 keys (base 100), 1 sees all keys up to its own "
		"(no rotation); after layer 6 the last of 512 tokens can know of all.");
	/* The matrix has the rows of the table, and words for the ends of its scale. */
	assert_true(seen->heatmap.no_digits);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(seen->heatmap.row_labels[i], cell_of(table, i, "layers"));
	assert_string_equal(seen->heatmap.ends[1], "all");
}

/* Layers that are all alike need no table, and where the first sees all, no curve. */
TEST(layers_that_are_alike_have_a_card_and_the_mask)
{
	const struct figure *const f = figure_with("rope+causal", "t-max 64\n");
	const struct panel *const mask = panel_named(f, "pairs");
	assert_string_equal(f->finding,
			    "In each of the 2 layers a token sees all keys up to its own.");
	assert_null(panel_named(f, "known"));
	assert_null(panel_named(f, "seen"));
	for (size_t t = 0; t < 14; t++)
		for (size_t s = 0; s < 14; s++)
			assert_true((mat_row(mask->heatmap.values, t)[s] > 0.5) == (s <= t));
	/* A window of 7 keys: 21 tokens, and the curve of what is known of. */
	const struct figure *const w = figure_with("window(keys=7)", "t-max 128\n");
	const struct mat m = panel_named(w, "pairs")->heatmap.values;
	assert_int_equal(m.rows, 21);
	assert_true(mat_row(m, 6)[0] > 0.5 && mat_row(m, 7)[0] < 0.5 && mat_row(m, 7)[8] < 0.5);
	const struct curves *const known = &panel_named(w, "known")->curves;
	assert_int_equal(known->n_places, 3);
	assert_true(fabs(known->series[0].y[2] - 13) < 0.5);
	/* Where every query sees every key it is said, and not over the cells. */
	const struct figure *const alike = figure_with("learned", "t-max 64\n");
	const struct panel *const all = panel_named(alike, "pairs");
	/* Such a square is smaller than what acts in the layers, and goes before that. */
	assert_string_equal(alike->panels[0].name, "layers");
	assert_string_equal(cell_of(&alike->panels[0], 0, "sees"), "all keys");
	assert_true(all->priority > alike->panels[0].priority);
	assert_string_equal(all->heatmap.uniform, "Every query sees every key.");
	assert_true(all->heatmap.no_digits);
}

/* SmolLM 3: where all layers see the same keys, the rotations are what differs, in the table and in the picture. */
TEST(rotations_of_layers_that_see_the_same_have_curves)
{
	const struct figure *const f =
		figure_with("rope(base=100,layers=1-3)+causal", "layers 4\nt-max 64\n");
	const struct table *const t = &panel_named(f, "layers")->table;
	for (size_t c = 1; c < t->cols; c++)
		assert_true((t->priority[c] < t->cols) == (strcmp(t->head[c], "rotation") == 0));
	const struct panel *const turned = panel_named(f, "turned");
	assert_true(turned->priority < panel_named(f, "pairs")->priority);
	const struct series *const by = turned->curves.series;
	assert_int_equal(turned->curves.n, 2);
	assert_string_equal(by[0].label, "base 100");
	assert_string_equal(by[1].label, "no rotation");
	for (size_t i = 0; i < by[0].n; i++) {
		double sum = 0; /* of the eight pairs of a head of 16 columns */
		for (int p = 0; p < 8; p++)
			sum += cos(by[0].x[i] * pow(100, -p / 8.0));
		assert_true(fabs(by[0].y[i] - sum / 8) < 1e-12);
		assert_true(by[1].y[i] == 1);
	}
	/* A mask that hides nothing has no picture beside them; one that does keeps the curve of what is known of. */
	assert_null(panel_named(figure_with("rope", "t-max 64\n"), "pairs"));
	assert_non_null(panel_named(figure_with("rope", "t-max 64\n"), "turned"));
	assert_null(panel_named(figure_with("rope+window(keys=4)", "t-max 64\n"), "turned"));
}

/* Llama 4: three of four layers see their chunk and rotate. */
TEST(many_layers_of_few_kinds_have_a_row_and_a_picture_for_each_kind)
{
	const struct figure *const f = figure_with(
		"rope(layers=1-3/4)+chunk(size=8,layers=1-3/4)+causal", "layers 64\nt-max 64\n");
	const struct panel *const table = panel_named(f, "layers");
	assert_int_equal(table->table.rows, 2);
	assert_string_equal(cell_of(table, 0, "layers"), "1–3, 5–7 …");
	assert_string_equal(cell_of(table, 0, "sees"), "chunk of 8");
	assert_string_equal(cell_of(table, 1, "layers"), "4, 8, 12 …");
	size_t pictures = 0;
	for (size_t i = 0; i < f->n; i++)
		pictures += strcmp(f->panels[i].name, "pairs") == 0;
	assert_int_equal(pictures, 2);
	assert_string_equal(f->panels[1].title, "Layers 1–3, 5–7 …: chunk of 8");
	/* The curve ends with the layer after which all is known. */
	const struct curves *const known = &panel_named(f, "known")->curves;
	assert_string_equal(known->places[known->n_places - 1].name, "4");
}

TEST(masks_are_told_in_words)
{
	static const struct {
		const char *scheme, *words;
	} rows[] = {{"window(width=8)", "a token sees 4 keys on each side;"},
		    {"window(width=8)+causal", "a token sees the last 5 keys;"},
		    {"chunk(size=4)+causal", "a token sees keys of the same chunk of 4;"},
		    {"prefix(length=4)", "a token sees the first 4 keys and all up to its own."},
		    {"rope", "a token sees all keys."}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const said = figure_with(rows[i].scheme, "t-max 64\n")->finding;
		if (!strstr(said, rows[i].words))
			fail_msg("%s: %s", rows[i].scheme, said);
	}
}
