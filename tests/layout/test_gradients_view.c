/* test_gradients_view.c: the view Gradients over all schemes: its pictures, what it says, and its cell. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_canvas.h"
#include "help_pages.h"
#include "help_view.h"
#include "posviz/app/app.h"

FIXTURE(open_arena, close_arena)

static const char lines[] = "sentence the cat that the dog chased fell asleep .\nview gradients\n";

static struct picture *gradients(const char *expression, const char *more)
{
	return help_picture(&arena, expression, arena_printf(&arena, "%s%s", lines, more));
}

static const char *card_says(const struct figure *f, const char *key)
{
	const struct panel *const p = help_named_panel(f, "card");
	for (size_t k = 0; p && k < p->card.n; k++)
		if (strcmp(p->card.lines[k].key, key) == 0)
			return p->card.lines[k].value;
	return "";
}

/* There is something of each, or one sentence that says why not. */
TEST_IN_PARTS(gradients_of_every_scheme_can_be_shown, 4)
{
	size_t shown = 0, leaves = 0, positions = 0;
	for (size_t i = test_part; i < scheme_count(); i += test_parts) {
		const struct scheme *const s = scheme_at(i);
		struct picture *const p = gradients(s->id, "");
		help_figure_is_sound(&arena, &p->figure, s->id);
		const struct panel *const units = help_named_panel(&p->figure, "units");
		const struct panel *const position = help_named_panel(&p->figure, "positions");
		assert_true(units && help_named_panel(&p->figure, "card"));
		const bool same = p->figure.finding &&
				  strstr(p->figure.finding, "By token vectors it is the same");
		/* The same matrix again has a title that says so. */
		assert_true((strstr(units->title, "the same") != NULL) == same);
		if (units->absent && !help_named_panel(&p->figure, "saliency"))
			continue;
		shown++;
		leaves += help_named_panel(&p->figure, "leaf") != NULL;
		positions += position && !position->absent;
		assert_true(help_named_panel(&p->figure, "saliency") &&
			    help_named_panel(&p->figure, "input"));
		if (strcmp(card_says(&p->figure, "check"), "n/a") == 0)
			assert_string_equal(s->id, "complex");
		else if (strncmp(card_says(&p->figure, "check"), "small steps agree", 17) != 0)
			fail_msg("%s: %s", s->id, card_says(&p->figure, "check"));
	}
	assert_true(shown > 15 && leaves > 3 && positions > 3);
}

/* The pictures hold the columns that the head reads, on one scale; bars are the lengths of their rows. */
TEST(pictures_of_position_vectors_and_units)
{
	const struct figure *const f =
		&gradients("learned", "panel positions,units,saliency,card\n")->figure;
	const struct heatmap *const p = &help_named_panel(f, "positions")->heatmap;
	const struct heatmap *const u = &help_named_panel(f, "units")->heatmap;
	const struct bars *const b = &help_named_panel(f, "saliency")->bars;
	assert_true(p->values.rows == 9 && p->values.cols == 16 && u->values.cols == 16);
	assert_string_equal(p->col_labels[15], "16");
	assert_within(p->scale.hi, u->scale.hi, 0);
	assert_within(mat_max_abs_diff(p->values, u->values), 0, 1e-15);
	for (size_t i = 0; i < 9; i++) {
		size_t t = 0; /* bars begin with the longest */
		while (t < 9 && strcmp(b->labels[i], p->row_labels[t]) != 0 &&
		       strcmp(b->labels[i], arena_printf(&arena, "%s, query", p->row_labels[t])) !=
			       0 &&
		       strcmp(b->labels[i], arena_printf(&arena, "%s, key", p->row_labels[t])) != 0)
			t++;
		assert_true(t < 9);
		assert_within(b->values[i], mat_norm(mat_rows(p->values, t, 1)), 1e-15);
		assert_true(i == 0 || b->values[i] <= b->values[i - 1]);
	}
	assert_string_equal(b->labels[0], "chased, query");
	assert_string_equal(b->labels[1], "cat, key");
	assert_string_equal(b->unit, "change of the weight, |∂α/∂p|");
	assert_string_equal(card_says(f, "Theorem 2"), "holds: ∂P = ∂U, difference 0");
	const char *const scaled =
		card_says(&gradients("learned", "embed-scale 3\n")->figure, "Theorem 2");
	assert_non_null(strstr(scaled, "∂P ≠ ∂U"));
	const struct card *const rope =
		&help_named_panel(&gradients("rope", "")->figure, "card")->card;
	for (size_t i = 0; i < rope->n; i++) /* it is of position vectors that are added */
		assert_string_not_equal(rope->lines[i].key, "Theorem 2");
	/* In layer 1 queries and keys read the sum alone; what follows does not. */
	assert_string_equal(card_says(&gradients("shortformer", "")->figure, "Theorem 2"),
			    "∂P = ∂U here, difference 0");
	assert_non_null(strstr(
		card_says(&gradients("shortformer", "layer 2\n")->figure, "Theorem 2"), "∂P ≠ ∂U"));
}

/* The second head reads the next columns. */
TEST(pictures_name_their_columns)
{
	const struct figure *const f = &gradients("learned", "head 2\npanel units\n")->figure;
	assert_string_equal(help_named_panel(f, "units")->heatmap.col_labels[0], "17");
	assert_non_null(strstr(help_named_panel(f, "units")->subtitle,
			       "16 of 64 dimensions, the others are 0"));
}

TEST(a_leaf_stands_for_position_vectors)
{
	const struct figure *const t5 = &gradients("t5", "")->figure;
	assert_null(help_named_panel(t5, "positions"));
	const struct panel *const leaf = help_named_panel(t5, "leaf");
	assert_string_equal(leaf->title, "Gradient by t5.bias_table, learned");
	/* A column for each head, which is bars, and rows for the buckets of a sentence: what its softmax gains at
	 * one it loses at the others. */
	double sum = 0, most = 0;
	const char *largest = NULL;
	assert_int_equal(leaf->kind, PANEL_BARS);
	assert_int_equal(leaf->bars.n, 9);
	for (size_t i = 0; i < leaf->bars.n; i++) {
		sum += leaf->bars.values[i];
		largest = leaf->bars.values[i] > most ? leaf->bars.labels[i] : largest;
		most = fmax(most, leaf->bars.values[i]);
	}
	assert_within(sum, 0, 1e-15);
	assert_string_equal(largest, "−4"); /* cat − chased */
	assert_string_equal(leaf->bars.unit, "change of the weight, ∂α/∂ column 1");
	const struct panel *const other =
		help_named_panel(&gradients("t5", "head 3\n")->figure, "leaf");
	assert_string_equal(other->bars.unit, "change of the weight, ∂α/∂ column 3");
	const struct figure *const none = &gradients("none", "")->figure;
	assert_non_null(strstr(none->finding, "No position vectors are added"));
	assert_null(help_named_panel(none, "positions"));
	const struct figure *const named = &gradients("none", "panel positions\n")->figure;
	assert_non_null(
		strstr(help_named_panel(named, "positions")->absent,
		       "no position vectors are added to the token vectors. The view Vectors"));
	assert_string_equal(none->panels[0].name, "units");
}

TEST(long_inputs_show_the_longest_rows)
{
	const char *words = "sentence \"";
	for (size_t i = 0; i < 70; i++)
		words = arena_printf(&arena, "%sw%zu ", words, i);
	const struct figure *const f =
		&gradients("learned", arena_printf(&arena, "%send\"\nrow 60\ncol 3\n", words))
			 ->figure;
	const struct panel *const p = help_named_panel(f, "positions");
	assert_int_equal(p->heatmap.values.rows, 20);
	assert_non_null(strstr(p->subtitle, "20 of 71 positions, the longest"));
	bool query = false, key = false;
	for (size_t t = 0; t < 20; t++) {
		query |= strcmp(p->heatmap.row_labels[t], "w59") == 0;
		key |= strcmp(p->heatmap.row_labels[t], "w2") == 0;
	}
	assert_true(query && key);
}

TEST(one_sentence_says_why_there_is_no_gradient)
{
	static const struct {
		const char *expression, *more, *why;
	} rows[] = {
		{"learned+causal", "row 2\ncol 5\n", "hides this key"},
		{"learned", "sentence word\n", "the only key"},
		{"gauss", "matrix logits\n", "no logits"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct figure *const f = &gradients(rows[i].expression, rows[i].more)->figure;
		assert_non_null(help_named_panel(f, "weights"));
		assert_non_null(strstr(help_named_panel(f, "units")->absent, rows[i].why));
		help_figure_is_sound(&arena, f, rows[i].expression);
	}
}

/* Means over heads and layers, logits, planes, an earlier segment. */
TEST(gradients_of_all_that_can_be_looked_at)
{
	static const char *const more[] = {"head mean\n",
					   "layer mean\n",
					   "head mean\nlayer mean\n",
					   "matrix logits\nlayer 2\n",
					   "matrix bias\n",
					   "matrix mask\n",
					   "d-model 12\nheads 1\nlayers 1\n"};
	static const char *const expressions[] = {"learned+causal", "shaw", "disan", "gauss",
						  "cape"};
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		for (size_t e = 0; e < sizeof expressions / sizeof *expressions; e++)
			help_figure_is_sound(&arena, &gradients(expressions[e], more[i])->figure,
					     expressions[e]);
	const struct figure *const f =
		&gradients("txl+causal", "memory-tokens 3\nrow 2\ncol 1\n")->figure;
	help_figure_is_sound(&arena, f, "memory");
	assert_string_equal(card_says(f, "cell"), "dog → ~the");
}

/* Where the cursor moves, the numbers are of another cell; elsewhere they stay. */
TEST(a_moved_cursor_asks_for_other_gradients)
{
	struct scene a = help_scene("learned", lines), b = a;
	b.col = a.col + 1;
	assert_false(app_same_numbers(&a, &b));
	a.view = b.view = scene_intern("metrics");
	assert_true(app_same_numbers(&a, &b));
	const struct figure *const x = &gradients("learned", "row 3\ncol 4\n")->figure,
				   *const y = &gradients("learned", "row 4\ncol 3\n")->figure;
	assert_string_equal(card_says(x, "cell"), "that → the₂");
	assert_string_equal(card_says(y, "cell"), "the₂ → that");
}

TEST(numbers_of_gradients)
{
	struct err err = {""};
	struct numbers all;
	const struct scene scene = help_scene("learned", lines);
	struct picture *const p = gradients("learned", "");
	numbers_init(&all, &arena);
	assert_true(view_numbers(&scene, "gradients", &p->built, NULL, NULL, &arena, &all, &err));
	struct mat position = {0}, leaf = {0}, saliency = {0};
	for (size_t i = 0; i < all.n; i++) {
		position =
			strcmp(all.at[i].name, "gradients.position") == 0 ? all.at[i].at : position;
		saliency = strcmp(all.at[i].name, "gradients.saliency.position") == 0 ? all.at[i].at
										      : saliency;
		leaf = strcmp(all.at[i].name, "gradients.leaf.learned.p") == 0 ? all.at[i].at
									       : leaf;
	}
	assert_true(position.rows == 9 && position.cols == 64 && leaf.rows == 512);
	assert_within(mat_max_abs_diff(position, mat_rows(leaf, 0, 9)), 0, 1e-15);
	assert_within(mat_norm(saliency), mat_norm(position), 1e-15);
	numbers_init(&all, &arena);
	assert_true(view_numbers(&scene, "quick", &p->built, NULL, NULL, &arena, &all, &err));
	for (size_t i = 0; i < all.n; i++)
		assert_true(strncmp(all.at[i].name, "gradients.", 10) != 0);
}

/* A colour means the same in bars and matrices: those with signs take the map of the matrices, lengths
 * are neutral. */
TEST(bars_have_the_colours_of_the_matrices)
{
	static const char *const expressions[] = {"learned", "rope", "t5", "deberta"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		const struct figure *const f = &gradients(expressions[i], "")->figure;
		const struct panel *const units = help_named_panel(f, "units");
		const struct colormap *const map =
			(units->kind == PANEL_HEATMAP ? units : f->panels)->heatmap.colormap;
		size_t bars = 0;
		for (size_t k = 0; k < f->n; k++) {
			const struct panel *const p = &f->panels[k];
			if (p->kind != PANEL_BARS)
				continue;
			bars++;
			assert_ptr_equal(p->bars.colormap, map);
			assert_int_equal(p->bars.sizes, strcmp(p->name, "saliency") == 0);
		}
		assert_true(bars >= 2);
	}
}

/* The softmax of a row: its own logit gives α (1 − α), another −α α_j, in all 0; and so do
 * differences of the weights themselves. */
TEST(without_position_vectors_the_logits_of_the_row_are_shown)
{
	struct picture *const p = gradients("rope", "");
	const struct bars *const b = &help_named_panel(&p->figure, "logits")->bars;
	const struct trace_head *const h = &p->trace.layers[0].heads[0];
	const double *const x = mat_row(h->logits, 5), step = 1e-6;
	double sum = 0, all = 0, moved = 0;
	for (size_t j = 0; j < 9; j++) {
		all += exp(x[j]);
		moved += exp(x[j] + (j == 1 ? step : 0));
	}
	for (size_t i = 0; i < b->n; i++)
		sum += b->values[i];
	assert_within(sum, 0, 1e-15);
	assert_string_equal(b->labels[b->cursor], "cat, key");
	assert_within(b->values[b->cursor], (exp(x[1] + step) / moved - exp(x[1]) / all) / step,
		      1e-6);
}

/* The row whose gradient is largest is in sight however few bars have room. */
TEST(the_query_stays_in_sight)
{
	static const char *const expressions[] = {"spr_rel", "deberta", "sinusoidal", "rope"};
	for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
		const struct figure *const f = &gradients(expressions[i], "")->figure;
		const struct bars *const b = &help_named_panel(f, "saliency")->bars;
		assert_string_equal(b->labels[0], "chased, query");
		assert_true(b->cursor <= 2);
	}
}

/* What is learned is said without the rule that finds its row. */
TEST(the_finding_says_what_is_learned)
{
	static const char *const rows[][2] = {
		{"spr_rel", "Learned a_key: vectors of the way in the tree, added to the key."},
		{"deberta", "Learned rel_embeddings: the vector of a relative position."},
		{"t5", "a row for each bucket of s − t"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const says = gradients(rows[i][0], "")->figure.finding;
		if (!strstr(says, rows[i][1]) || strstr(says, "row r + "))
			fail_msg("%s: %s", rows[i][0], says);
	}
}

/* The rows of a table that relations read are named by the distances of their pairs: what the query reads of the key,
 * and at the distance of the reverse, what the key reads of the query. */
TEST(rows_of_relative_positions_are_named_by_their_distances)
{
	const struct panel *const p = help_named_panel(&gradients("deberta", "")->figure, "leaf");
	const struct heatmap *const h = &p->heatmap;
	double most = 0;
	size_t at = 0;
	assert_string_equal(h->row_title, "distance s − t");
	for (size_t i = 0; i < h->values.rows; i++) {
		const double own = mat_norm(mat_rows(h->values, i, 1));
		at = own > most ? i : at;
		most = fmax(most, own);
	}
	assert_string_equal(h->row_labels[at], "−4");
}

/* Below a learned table stands what its rows are, and why numbers between them are missing. */
TEST(shown_rows_of_a_table_are_explained)
{
	static const char *const rows[][2] = {
		{"deberta", "rows: distance s − t, 9 longest of 1024"},
		{"spr_rel", "rows: relation of query and key, 9 "}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct figure *const f = &gradients(rows[i][0], "")->figure;
		const char *const note = help_named_panel(f, "leaf")->note;
		if (strncmp(note, rows[i][1], strlen(rows[i][1])) != 0 ||
		    !strstr(f->finding, "+ where a larger number raises it"))
			fail_msg("%s: %s\n%s", rows[i][0], note, f->finding);
	}
}

/* A page of the usual size names each of its few bars, of positions and of rows of a table. */
TEST(every_bar_of_a_page_has_its_name)
{
	const struct raster_look look = {.width = 1600, .height = 1000};
	const struct raster_report r =
		help_page_report(&gradients("t5", "")->figure, &look, &arena);
	static const char *const rows[] = {"0", "−1", "−2", "−3", "−4", "−5", "1", "2", "3"};
	static const char *const names[] = {"chased, query", "cat, key", "that", "asleep", "fell"};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!help_box_of(&r, rows[i]))
			fail_msg("no %s", rows[i]);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (help_boxes_of(&r, names[i]) < 2)
			fail_msg("%s: %zu times", names[i], help_boxes_of(&r, names[i]));
}

/* On a small screen every row of position vectors that has room for a line has its name. */
TEST(rows_of_a_small_screen_are_named)
{
	const struct picture *const p = help_picture(
		&arena, "learned",
		"view gradients\nd-model 192\nsentence aa bb cc dd ee ff gg hh ii jj kk ll mm\n");
	struct canvas *const c = help_drawn_panel(help_named_panel(&p->figure, "positions"), 18, 46,
						  TIER_DIRECT, false);
	const char *const text = help_screen(c);
	const struct heatmap *const h = &help_named_panel(&p->figure, "positions")->heatmap;
	assert_true(h->values.rows == 13 && h->values.cols > 40);
	for (size_t i = 0; i < h->values.rows; i++)
		if (!strstr(text, h->row_labels[i]))
			fail_msg("%s has no name\n%s", h->row_labels[i], text);
}

/* A line that two rows share has the name of the row with the larger gradient. */
TEST(the_largest_gradients_have_names)
{
	const struct picture *const p = help_picture(
		&arena, "learned",
		"view gradients\nrow 8\ncol 2\nsentence aa bb cc dd ee ff gg hh ii jj kk ll mm\n");
	const struct panel *const panel = help_named_panel(&p->figure, "positions");
	const char *const both = help_screen(help_drawn_panel(panel, 13, 46, TIER_DIRECT, false));
	assert_true(strstr(both, "7 gg   8 hh") && strstr(both, "1 aa   2 bb"));
	const char *const one = help_screen(help_drawn_panel(panel, 13, 30, TIER_DIRECT, false));
	assert_true(strstr(one, "8 hh") && strstr(one, "2 bb") && !strstr(one, "7 gg"));
}
