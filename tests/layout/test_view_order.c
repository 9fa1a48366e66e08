/* test_view_order.c: the view Order: the difference worked by hand and, for every scheme, from two
 * evaluations of its own; which tokens moved, where the cursor is, and what the words claim. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_arena.h"
#include "help_measure.h"
#include "help_pages.h"
#include "help_sample.h"
#include "help_view.h"
#include "posviz/plot/canvas.h"
#include "posviz/plot/raster.h"

FIXTURE(open_arena, close_arena)

static const struct panel *difference_of(const struct picture *p)
{
	return help_named_panel(&p->figure, "difference");
}

/* ---- by hand ------------------------------------------------------------------------------------ */

static struct axis axis_of(const long *token, size_t n)
{
	return (struct axis){.n = n, .token = token};
}

/* Tokens 0 1 2 now stand as 2 0 1: row i of P·A·Pᵀ is row order[i] of A, its columns likewise. */
TEST(difference_of_three)
{
	double written[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, shown[] = {9, 7, 8, 3, 1, 2, 6, 4, 5.5};
	const long before[] = {0, 1, 2}, after[] = {2, 0, 1};
	const struct axis from = axis_of(before, 3), to = axis_of(after, 3);
	const size_t *place = order_places(&to, &from, &arena);
	assert_true(place[0] == 2 && place[1] == 0 && place[2] == 1);
	struct order_change c;
	order_compare(mat_view(shown, 3, 3), NULL, mat_view(written, 3, 3), NULL, place, place,
		      &arena, &c);
	for (size_t i = 0; i < 9; i++)
		assert_true(fabs(c.difference.at[i] - (i == 8 ? 0.5 : 0)) <= 0);
	assert_true(fabs(c.most - 0.5) <= 0);
	assert_true(fabs(c.relative - 0.5 / sqrt(285)) < 1e-15);
	assert_null(c.allowed);
}

TEST(pairs_masked_in_both_orders_do_not_count)
{
	double written[] = {1, 50, 3, 4}, shown[] = {4, 60, 2, 1};
	const long before[] = {0, 1}, after[] = {1, 0};
	const struct axis from = axis_of(before, 2), to = axis_of(after, 2);
	const size_t *place = order_places(&to, &from, &arena);
	/* Allowed as written: all but (0, 1), which is (1, 0) now; as shown: all but (0, 1). */
	const uint8_t causal[] = {1, 0, 1, 1}, forbid[] = {1, 0, 0, 1};
	struct order_change c;
	order_compare(mat_view(shown, 2, 2), causal, mat_view(written, 2, 2), causal, place, place,
		      &arena, &c);
	assert_null(c.allowed); /* each pair is allowed in one of the two */
	order_compare(mat_view(shown, 2, 2), forbid, mat_view(written, 2, 2), forbid, place, place,
		      &arena, &c);
	assert_true(c.allowed[0] && !c.allowed[1] && !c.allowed[2] && c.allowed[3]);
	assert_true(fabs(c.most) <= 0 && fabs(c.relative) <= 0);
}

TEST(units_without_a_token_stay)
{
	const long before[] = {-1, 0, 1, 2, -1}, after[] = {-1, 2, 1, 0, -1},
		   less[] = {-1, 2, 1, 0};
	const struct axis from = axis_of(before, 5), to = axis_of(after, 5),
			  shorter = axis_of(less, 4);
	static const size_t want[] = {0, 3, 2, 1, 4};
	const size_t *place = order_places(&to, &from, &arena);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(place[i], want[i]);
	assert_null(order_places(&shorter, &from, &arena));
	const long twice[] = {0, 0, 1}, other[] = {1, 0, 0};
	const struct axis a = axis_of(twice, 3), b = axis_of(other, 3);
	place = order_places(&b, &a, &arena);
	assert_true(place[0] == 2 && place[1] == 0 && place[2] == 1);
	const long unknown[] = {0, 1, 7};
	const struct axis c = axis_of(unknown, 3);
	assert_null(order_places(&c, &a, &arena));
}

/* ---- every scheme -------------------------------------------------------------------------------- */

/* The scene's matrix in one order, evaluated anew. A mask is 0 and 1. */
static struct mat evaluated(const struct scene *s, const char *order, size_t layer, size_t head,
			    const uint8_t **mask)
{
	struct setup setup = s->setup;
	setup.order = order;
	const struct want want = {.kinds = WANT_LOGITS | WANT_WEIGHTS | WANT_MASK,
				  .layer = (long)layer,
				  .head = (long)head};
	struct built *b = arena_calloc(&arena, 1, sizeof *b);
	struct trace trace;
	struct err err = {""};
	if (!evaluate(&setup, &want, NULL, NULL, &arena, b, &trace, &err))
		fail_msg("%s", err.text);
	const struct trace_head *h = &trace.layers[layer].heads[head];
	*mask = h->mask;
	if (s->matrix == MATRIX_LOGITS)
		return h->logits;
	if (s->matrix == MATRIX_WEIGHTS)
		return h->weights;
	const struct mat m = mat_new(&arena, trace.query.n, trace.key.n);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		m.at[i] = h->mask ? h->mask[i] : 1;
	return m;
}

/* The order of units: those that a scheme puts in front stay. */
static const size_t *unit_order(const struct axis *units, const char *order)
{
	size_t *from = arena_calloc(&arena, units->n, sizeof *from), before = 0;
	struct err err = {""};
	for (; before < units->n && units->token[before] < 0; before++)
		from[before] = before;
	assert_true(input_parse_order(order, units->n - before, from + before, &err));
	for (size_t i = before; i < units->n; i++)
		from[i] += before;
	return from;
}

static double worst(const struct picture *p, const struct scene *s, const char *order)
{
	const size_t layer = (size_t)s->layer - 1, head = (size_t)s->head - 1;
	const uint8_t *mask_x, *mask_y;
	const struct mat x = evaluated(s, "identity", layer, head, &mask_x);
	const struct mat y = evaluated(s, order, layer, head, &mask_y);
	const struct heatmap *h = &difference_of(p)->heatmap;
	const size_t *from = unit_order(&p->trace.query, order);
	/* Keys that stand for several units have no token and stay. */
	const bool mixed = p->trace.key.token[p->trace.key.n - 1] < 0;
	double off = 0;
	for (size_t t = 0; t < x.rows; t++) {
		for (size_t c = 0; c < x.cols; c++) {
			const size_t at = mixed ? c : from[c];
			const double want = mat_row(y, t)[c] - mat_row(x, from[t])[at];
			/* Its rows are those of the scene: of a trial as they are written. */
			const size_t row = p->twin.reversed ? from[t] : t;
			const size_t col = p->twin.reversed ? at : c;
			off = fmax(off, fabs(mat_row(h->values, row)[col] - want));
			const bool masked = s->matrix != MATRIX_MASK && mask_x && mask_y &&
					    !mask_x[from[t] * x.cols + at] &&
					    !mask_y[t * x.cols + c];
			assert_int_equal(h->masked && h->masked[row * x.cols + col], masked);
		}
	}
	return off;
}

static void expect_order(const char *expression, const char *matrix, const char *order, size_t n,
			 const char *lines)
{
	const struct arena_mark mark = arena_mark(&arena);
	char text[1024], where[256];
	snprintf(where, sizeof where, "%s %s %s %zu", expression, matrix, order, n);
	snprintf(text, sizeof text, "view order\nmatrix %s\norder %s\n%ssentence", matrix, order,
		 lines);
	for (size_t i = 0; i < n; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), " w%zu", i);
	const struct scene s = help_scene(expression, text);
	const struct picture *p = help_picture(&arena, expression, text);
	help_figure_is_sound(&arena, &p->figure, where);
	size_t *from = arena_calloc(&arena, n, sizeof *from), moved = 0;
	assert_true(input_parse_order(order, n, from, NULL));
	for (size_t i = 0; i < n; i++)
		moved += from[i] != i;
	/* An order that moves nothing is shown beside its reverse. */
	assert_int_equal(p->twin.reversed, moved == 0);
	const struct panel *panel = difference_of(p);
	if (panel->absent) {
		assert_int_equal(s.matrix, MATRIX_LOGITS);
		assert_non_null(p->trace.bias_absent);
	} else {
		const double off = worst(p, &s, moved ? order : "reverse");
		if (!(off < 1e-12))
			fail_msg("%s: the difference is off by %g", where, off);
	}
	arena_rewind(&arena, mark);
}

TEST(the_difference_is_its_definition)
{
	static const char *const matrices[] = {"weights", "logits", "mask"};
	static const size_t lengths[] = {1, 2, 7, 33};
	char order[32];
	for (size_t i = 0; i < scheme_count(); i += SAMPLE_STEP) {
		const char *id = scheme_at(i)->id;
		for (size_t k = 0; k < 4 && help_sample_has(id, lengths[k]); k++) {
			snprintf(order, sizeof order, "shuffle:%zu", i + k);
			expect_order(id, matrices[(i + k) % 3], order, lengths[k], "head 2\n");
		}
		expect_order(id, "weights", "reverse", 7, "head 3\nlayer 2\nproj random\n");
		expect_order(id, "weights", "identity", 5, "probe off\nproj tied\n");
		expect_order(id, "logits", "shuffle:3", 6, "row 2\ncol 5\n");
	}
}

/* ---- what is seen of order ------------------------------------------------------------------------ */

static double relative_of(const char *expression, const char *lines)
{
	char text[512];
	snprintf(text, sizeof text, "view order\n%s", lines);
	const struct picture *p = help_picture(&arena, expression, text);
	const struct mat d = difference_of(p)->heatmap.values;
	return mat_norm(d) / mat_norm(help_named_panel(&p->figure, "written")->heatmap.values);
}

static const char *words_of(const char *expression, const char *lines)
{
	char text[512];
	snprintf(text, sizeof text, "view order\n%s", lines);
	return difference_of(help_picture(&arena, expression, text))->subtitle;
}

TEST(order_is_seen_or_not)
{
	assert_true(relative_of("none", "order shuffle:1") < 1e-12);
	assert_true(relative_of("none", "order reverse\nlayer 2\nproj random") < 1e-12);
	assert_true(relative_of("none+causal", "order shuffle:1") > 0.05);
	assert_true(relative_of("none+causal", "order shuffle:1\nmatrix logits") < 1e-12);
	assert_true(relative_of("none+causal", "order shuffle:1\nmatrix logits\nlayer 2") > 1e-3);
	assert_true(relative_of("sinusoidal", "order shuffle:1") > 0.05);
	assert_true(relative_of("alibi(causal=off)", "order shuffle:1") > 0.05);
	assert_non_null(strstr(words_of("none", "order shuffle:1"), "zero everywhere ("));
	assert_non_null(
		strstr(words_of("none", "order shuffle:1"), "this head does not see this order"));
	assert_null(strstr(words_of("none+causal", "order shuffle:1"), "zero"));
	assert_non_null(strstr(words_of("none+causal", "order shuffle:1\nmatrix logits"),
			       "before the mask"));
	assert_non_null(strstr(words_of("none", "sentence a"), "no token moves"));
	assert_non_null(strstr(words_of("none", "order reverse\nmatrix mask"), "mask"));
}

TEST(the_words_have_the_numbers)
{
	const struct picture *p = help_picture(&arena, "sinusoidal",
					       "view order\norder 3 1 2\n"
					       "sentence a b c\nseed 4");
	const struct mat d = difference_of(p)->heatmap.values;
	const struct mat x = help_panel(&p->figure, "Weights A(X) as written")->heatmap.values;
	double most = 0;
	for (size_t i = 0; i < 9; i++)
		most = fmax(most, fabs(d.at[i]));
	char want[64];
	snprintf(want, sizeof want, "largest %.2g; norm %.2g", most, mat_norm(d) / mat_norm(x));
	if (!strstr(difference_of(p)->subtitle, want))
		fail_msg("%s, not %s", difference_of(p)->subtitle, want);
	const struct scale *s = &difference_of(p)->heatmap.scale;
	assert_true(s->diverging && fabs(s->lo + most) <= 0 && fabs(s->hi - most) <= 0);
}

/* ---- tokens, cursor, twin -------------------------------------------------------------------------- */

TEST(tokens_are_linked_and_the_cursor_follows)
{
	const struct picture *p = help_picture(&arena, "rope",
					       "view order\nsentence a b c d\norder 3 1 2 4\n"
					       "special cls,sep\nrow 2\ncol 5");
	const struct links *l = &help_panel(&p->figure, "Tokens that move")->links;
	static const size_t from[] = {0, 3, 1, 2, 4, 5};
	assert_int_equal(l->n, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(l->links[i].to, i);
		assert_int_equal(l->links[i].from, from[i]);
		assert_int_equal(l->links[i].strong, from[i] != i);
		assert_string_equal(l->below[i], l->above[from[i]]);
	}
	assert_string_equal(l->above[1], "a");
	assert_string_equal(l->below[1], "c");
	assert_int_equal(l->cursor, 1);
	/* c and d: rows 2 and 5 of what is shown, 4 and 5 as written. */
	const struct heatmap *shown = &help_panel(&p->figure, "Weights A(PX) as shown")->heatmap;
	const struct heatmap *written = &help_panel(&p->figure, "Weights A(X) as written")->heatmap;
	const struct heatmap *change = &difference_of(p)->heatmap;
	assert_true(shown->row == 1 && shown->col == 4 && change->row == 1 && change->col == 4);
	assert_true(written->row == 3 && written->col == 4);
	assert_string_equal(shown->row_labels[1], written->row_labels[3]);
	assert_string_equal(change->row_labels[1], "c");
}

/* Nothing was moved, and what is shown in its place is no order of the user's: that is said wherever it is. */
TEST(the_order_as_written_is_shown_with_its_reverse_as_a_trial)
{
	const struct picture *p = help_picture(
		&arena, "alibi", "view order\nsentence a b c d\nspecial bos\nrow 3\ncol 2");
	assert_true(p->twin.reversed);
	const struct heatmap *written = &help_panel(&p->figure, "Weights A(X) as written")->heatmap;
	const struct panel *reverse = help_panel(&p->figure, "Weights A(PX) if reversed");
	assert_true(mat_max_abs_diff(written->values, p->trace.layers[0].heads[0].weights) <= 0);
	assert_string_equal(reverse->heatmap.row_labels[1], "d");
	assert_non_null(strstr(reverse->subtitle, "a trial"));
	assert_non_null(strstr(difference_of(p)->title, "reversed − written"));
	assert_non_null(strstr(p->figure.subtitle, "nothing was moved"));
	const struct panel *const links = help_panel(&p->figure, "Tokens that would move");
	assert_string_equal(links->links.below_title, "if reversed");
	assert_non_null(strstr(links->subtitle, "nothing was moved"));
	/* The cursor is b and a, of the sentence as it stands; in reverse they are rows 3 and 4. */
	assert_true(written->row == 2 && written->col == 1);
	assert_true(reverse->heatmap.row == 3 && reverse->heatmap.col == 4);
	assert_string_equal(reverse->heatmap.row_labels[3], written->row_labels[2]);
	/* The difference is read row by row beside what is written. */
	const struct heatmap *const change = &difference_of(p)->heatmap;
	assert_true(change->row == 2 && change->col == 1);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(change->row_labels[i], written->row_labels[i]);
	for (size_t i = 0; i < p->figure.n; i++)
		assert_null(strstr(p->figure.panels[i].subtitle ? p->figure.panels[i].subtitle : "",
				   "press"));
}

/* On 80 columns the three matrices stand beside each other, whose rows leave room for the links below. */
TEST(links_come_back_below_three_matrices)
{
	const struct picture *p = help_picture(&arena, "rope", "view order");
	const struct figure *f = &p->figure;
	struct rect place[FIGURE_PANELS];
	help_layout(f, (struct rect){0, 0, 21, 80}, 0, false, place);
	size_t matrices = 0, links = 0;
	for (size_t i = 0; i < f->n; i++) {
		if (place[i].rows == 0)
			continue;
		matrices += f->panels[i].kind == PANEL_HEATMAP && place[i].row == place[0].row;
		links += f->panels[i].kind == PANEL_LINKS && place[i].cols == 80;
	}
	assert_int_equal(matrices, 3);
	assert_int_equal(links, 1);
}

/* Three matrices of so many tokens would be means over blocks on 80 columns, and in two of them only every second row
 * would have its name: one shows every value and every name. Tab shows the others. */
TEST(many_tokens_leave_one_matrix_with_all_names)
{
	static const char *const orders[] = {"", "order reverse\n"};
	const char *words = "word1";
	for (size_t i = 2; i <= 25; i++)
		words = arena_printf(&arena, "%s word%zu", words, i);
	for (size_t i = 0; i < 2; i++) {
		const struct figure *const f =
			&help_picture(&arena, "rope",
				      arena_printf(&arena, "view order\n%ssentence %s\n", orders[i],
						   words))
				 ->figure;
		for (size_t focus = 0; focus < 3; focus++) {
			const struct rect all = {0, 0, 20, 80};
			struct canvas *const c = help_canvas(20, 80, TIER_DIRECT, false);
			struct rect place[FIGURE_PANELS];
			struct canvas_seen seen[FIGURE_PANELS];
			help_layout(f, all, focus, false, place);
			canvas_panels(c, f, all, place, focus, seen);
			for (size_t k = 0; k < 3; k++)
				assert_int_equal(place[k].rows > 0, k == focus);
			assert_true(!seen[focus].view.averaged && seen[focus].view.rows == 25 &&
				    seen[focus].view.cols == 25);
			assert_non_null(strstr(help_screen(c), "Tab shows"));
			for (size_t k = 1; k <= 25; k++)
				if (!strstr(help_screen(c), arena_printf(&arena, " word%zu ", k)))
					fail_msg("word%zu is not on\n%s", k, help_screen(c));
		}
	}
}

/* Up to 16 tokens have full rows with whole names on 80 columns; the rows of the difference are those of the matrix
 * beside it. */
TEST(names_of_all_rows_are_whole)
{
	static const char all[] =
		"the cat that the dog chased fell asleep on the mat while the birds sang in old trees";
	for (size_t n = 9; n <= 18; n++) {
		size_t end = 0;
		for (size_t k = 0; k < n; k++)
			end += strcspn(all + end, " ") + (k + 1 < n);
		const struct picture *const p = help_picture(
			&arena, "rope",
			arena_printf(&arena, "view order\nsentence %.*s\n", (int)end, all));
		struct canvas *const c = help_canvas(21, 80, TIER_DIRECT, false);
		const struct rect room = {0, 0, 21, 80};
		struct rect place[FIGURE_PANELS];
		struct canvas_seen seen[FIGURE_PANELS];
		help_layout(&p->figure, room, 0, false, place);
		canvas_panels(c, &p->figure, room, place, 0, seen);
		assert_true(n > 16 || seen[0].view.cell_rows2 >= 2);
		for (size_t k = 0; k < n; k++)
			if (!strstr(help_screen(c), p->trace.query.names[k]))
				fail_msg("%zu tokens: %s is not on\n%s", n, p->trace.query.names[k],
					 help_screen(c));
	}
}

/* The cursor begins at the pair that the finding names: none changes more, and the mask of the order on the screen
 * allows it. */
TEST(the_cursor_begins_at_the_pair_that_changes_most)
{
	static const char *const schemes[] = {"rope", "rope+causal", "alibi", "t5",
					      "sinusoidal+window(keys=3)"};
	static const char *const lines[] = {"", "order reverse\n",
					    "order shuffle:4\nmatrix logits\n"};
	for (size_t i = 0; i < 15; i++) {
		const char *const text = arena_printf(&arena, "view order\n%s", lines[i % 3]);
		const struct scene s = help_scene(schemes[i / 3], text);
		const struct picture *const p = help_picture(&arena, schemes[i / 3], text);
		const struct heatmap *const h = &difference_of(p)->heatmap;
		const uint8_t *const seen = p->trace.layers[0].heads[0].mask;
		double most = 0;
		for (size_t k = 0; k < h->values.rows * h->values.cols; k++)
			if (!seen || seen[k])
				most = fmax(most, fabs(h->values.at[k]));
		long row = 0, col = 0;
		picture_first_cell(&s, p, &row, &col);
		const size_t at = (size_t)(row - 1) * h->values.cols + (size_t)(col - 1);
		assert_true(!seen || seen[at]);
		assert_true(most <= 1e-9 || fabs(h->values.at[at]) >= most);
		const char *const pair =
			arena_printf(&arena, "%s → %s", p->trace.query.names[row - 1],
				     p->trace.key.names[col - 1]);
		if (most > 1e-9 && !strstr(p->figure.finding, pair))
			fail_msg("%s %s: %s is not in: %s", schemes[i / 3], text, pair,
				 p->figure.finding);
	}
}

/* On a small page too, where rows are named; a large one has room for three. */
TEST(many_tokens_leave_two_matrices_of_a_small_page)
{
	const char *words = "w1";
	for (size_t i = 2; i <= 25; i++)
		words = arena_printf(&arena, "%s w%zu", words, i);
	const struct figure *const f =
		&help_picture(&arena, "rope",
			      arena_printf(&arena, "view order\nsentence %s\n", words))
			 ->figure;
	for (int large = 0; large < 2; large++) {
		const struct raster_look look = {.width = large ? 1600 : 800,
						 .height = large ? 1000 : 500};
		const struct raster_report r = help_page_report(f, &look, &arena);
		assert_int_equal(help_page_says(&r, "Weights A(PX) if reversed"), large);
		assert_true(help_page_says(&r, "Weights A(X) as written"));
		assert_true(help_page_says(&r, "Difference Pᵀ·A(PX)·P − A(X)"));
	}
}

TEST(the_twin_is_the_same_model)
{
	static const char *const schemes[] = {"shaw", "txl", "sinusoidal+t5(scale=rsqrt)", "gauss"};
	for (size_t i = 0; i < 4; i++) {
		const struct picture *p = help_picture(
			&arena, schemes[i], "view order\norder reverse\nhead 2\nlayer 2");
		assert_ptr_equal(p->twin.built.model.leaves, p->built.model.leaves);
		assert_false(p->twin.reversed);
		const struct scene s = help_scene(schemes[i], "");
		const uint8_t *mask;
		assert_true(mat_max_abs_diff(p->twin.trace.layers[1].heads[1].weights,
					     evaluated(&s, "identity", 1, 1, &mask)) <= 0);
	}
}

/* ---- measures, redrawing, refusals ----------------------------------------------------------------- */

static const struct card_line *line_of(const struct picture *p, const char *key)
{
	const struct card *c = &help_panel(&p->figure, "What was measured")->card;
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->lines[i].key, key) == 0)
			return &c->lines[i];
	fail_msg("no line %s", key);
	return NULL;
}

TEST(every_measure_has_its_line)
{
	const struct scene s = help_scene("rope+causal", "view order\norder shuffle:1\nlayers 3");
	struct measures m;
	struct picture p;
	struct err err = {""};
	assert_true(help_measure(&s.setup, NULL, &m, &err));
	assert_true(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p, &err));
	assert_string_equal(line_of(&p, "equivariance")->value, "…");
	const struct mat before = difference_of(&p)->heatmap.values;
	const double operations = p.twin.trace.operations;
	picture_redraw(&s, &m, true, BACKGROUND_LIGHT, &arena, &p, NULL);
	assert_true(mat_max_abs_diff(before, difference_of(&p)->heatmap.values) <= 0);
	assert_true(fabs(operations - p.twin.trace.operations) <= 0);
	assert_true(help_panel(&p.figure, "What was measured")->stale);
	for (const struct measure_row *row = measure_table; row->name; row++) {
		const struct card_line *const line = line_of(&p, row->title);
		assert_string_equal(line->value, measure_show(measure_at(&m, row), &arena));
		assert_ptr_equal(strstr(line->note, row->sentence), line->note);
	}
	assert_string_equal(measure_table[MEASURE_ROW_own_order].title, "your order");
	assert_ptr_equal(strstr(line_of(&p, "prefix order")->note, measure_by_layer.sentence),
			 line_of(&p, "prefix order")->note);
	assert_int_equal(m.n_prefix, 3);
	for (size_t i = 0; i < 3; i++)
		assert_non_null(strstr(line_of(&p, "prefix order")->value,
				       measure_show(&m.prefix[i], &arena)));
	assert_non_null(line_of(&p, "difference"));
	const struct picture *q = help_picture(&arena, "rope", "view order");
	assert_string_equal(line_of(q, "your order")->value, "as written");
	assert_string_equal(line_of(q, "prefix order")->value, "n/a");
}

/* The Gaussian kernel gives weights directly. */
TEST(without_logits_weights_are_said_to_change)
{
	const struct picture *const p = help_picture(&arena, "gaussian", "view order");
	assert_non_null(strstr(line_of(p, "shift")->note, "change of the weights when"));
	assert_non_null(
		strstr(measure_table[MEASURE_ROW_shift].sentence, "change of the logits when"));
}

TEST(the_bias_is_refused_with_a_remedy)
{
	const struct scene s = help_scene("rope", "view order\nmatrix bias");
	struct picture p;
	struct err err = {""};
	assert_false(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p, &err));
	assert_non_null(strstr(err.text, "weights, logits or mask"));
}

/* Memory for one evaluation does not do for the two that this view keeps. */
TEST(the_twin_counts_against_the_memory)
{
	char text[8192] = "view order\nmatrix weights\nsentence";
	for (size_t i = 0; i < 700; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), " %c%c",
			 'a' + (char)(i % 26), 'a' + (char)(i / 26 % 26));
	struct scene s = help_scene("none", text);
	struct built b;
	struct err err = {""};
	assert_true(setup_build(&s.setup, &arena, &b, &err));
	const struct want want = {.kinds = view_find("order")->wants(&s)};
	s.setup.memory = (double)model_estimate(&b.model, &b.model_input, &want) + 1000;
	struct picture p;
	assert_false(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p, &err));
	assert_non_null(strstr(err.text, "memory"));
	s.setup.memory *= 3;
	assert_true(picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, &p, &err));
	struct watch stop = {.cancel = true};
	assert_false(
		picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, &stop, &arena, &p, &err));
	assert_string_equal(err.text, "cancelled");
}
