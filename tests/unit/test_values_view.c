/* test_values_view.c: the view Values: its panels, words and numbers; what Compare and Map say of
 * schemes that differ in their values alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_setup.h"
#include "help_view.h"
#include "posviz/analysis/outputs.h"
#include "posviz/quantity/quantity.h"
#include "view/map_in.h"
#include "view/values_in.h"

FIXTURE(open_folder, close_folder)

static const struct values_kept *kept_of(const struct picture *p)
{
	return p->kept;
}

/* Returns the line of the card with this key; NULL: there is none. */
static const struct card_line *line(const struct figure *f, const char *key)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; f->panels[i].kind == PANEL_CARD && k < f->panels[i].card.n; k++)
			if (strcmp(f->panels[i].card.lines[k].key, key) == 0)
				return &f->panels[i].card.lines[k];
	return NULL;
}

/* ---- the figure ------------------------------------------------------------------------------ */

TEST(weights_and_contributions_have_one_kind_of_scale)
{
	const struct picture *p = help_picture(&arena, "alibi", "view values\n");
	const struct panel *const w = help_named_panel(&p->figure, "weights"),
				  *const c = help_named_panel(&p->figure, "contributions");
	assert_int_equal(w->heatmap.scale.mode, c->heatmap.scale.mode);
	assert_int_equal(w->heatmap.scale.mode, SCALE_SQRT);
	const char *lines = "view values\nsentence ";
	for (size_t i = 0; i < 120; i++)
		lines = arena_printf(&arena, "%sw%zu ", lines, i);
	const struct picture *const many = help_picture(&arena, "alibi", lines);
	assert_int_equal(help_named_panel(&many->figure, "weights")->heatmap.scale.mode,
			 SCALE_SYMLOG);
	assert_int_equal(help_named_panel(&many->figure, "contributions")->heatmap.scale.mode,
			 SCALE_SYMLOG);
	assert_false(w->heatmap.scale.diverging || c->heatmap.scale.diverging);
	assert_within(c->heatmap.scale.lo, 0, 0);
	assert_int_equal(w->heatmap.values.rows, c->heatmap.values.rows);
	assert_int_equal(w->heatmap.values.cols, c->heatmap.values.cols);
	const struct panel *const v = help_named_panel(&p->figure, "values"),
				  *const o = help_named_panel(&p->figure, "output");
	assert_int_equal(v->heatmap.values.cols, 16);
	assert_int_equal(v->heatmap.values.rows, o->heatmap.values.rows);
	assert_within(v->heatmap.scale.hi, o->heatmap.scale.hi, 0);
	assert_string_equal(v->heatmap.row_labels[1], "cat");
}

/* Bars sum to 1, as the weights behind them do. */
TEST(bars_of_the_query_are_shares)
{
	const struct picture *p =
		help_picture(&arena, "alibi+causal", "view values\nrow 4\ncol 2\n");
	const struct panel *const q = help_named_panel(&p->figure, "query");
	double bars = 0;
	for (size_t s = 0; s < q->bars.n; s++)
		bars += q->bars.values[s];
	assert_within(bars, 1, 1e-12);
	assert_string_equal(q->bars.labels[q->bars.cursor], "cat");
	const struct mat norms = kept_of(p)->o.norms;
	const double *const row = mat_row(norms, 3), all = row[0] + row[1] + row[2] + row[3];
	for (size_t i = 0; i < q->bars.n; i++) {
		size_t s = 0;
		while (strcmp(q->bars.labels[i], p->trace.key.names[s]) != 0)
			s++;
		assert_within(q->bars.values[i], s > 3 ? 0 : row[s] / all, 1e-12);
		assert_true(i == 0 || q->bars.values[i] <= q->bars.values[i - 1]);
		const double weight = mat_row(p->trace.layers[0].heads[0].weights, 3)[s];
		const char *const behind = strstr(q->bars.notes[i], "α ");
		assert_non_null(behind);
		assert_within(strtod(behind + strlen("α "), NULL), 100 * weight, 0.5);
	}
	assert_string_equal(q->bars.unit, "share of the lengths · weight α");
}

/* The remainder goes to the query's own key, which the mask hides. */
TEST(what_is_left_is_shown_where_no_weight_is)
{
	const struct picture *const p =
		help_picture(&arena, "stickbreak(remainder=on)", "view values\n");
	const struct heatmap *const w = &help_named_panel(&p->figure, "weights")->heatmap,
				    *const c =
					    &help_named_panel(&p->figure, "contributions")->heatmap;
	for (size_t t = 0; t < 9; t++) {
		assert_int_equal(w->masked[t * 9 + t], HEATMAP_MASKED);
		assert_int_equal(c->masked[t * 9 + t], HEATMAP_OPEN);
	}
	assert_int_equal(c->masked[5], HEATMAP_MASKED);
}

TEST(many_keys_have_bars_for_the_largest)
{
	const struct picture *p = help_picture(
		&arena, "none",
		"view values\nsentence a b c d e f g h i j k l m n o p q r s t u v w x y z\n"
		"row 20\ncol 1\n");
	const struct panel *const q = help_named_panel(&p->figure, "query");
	assert_int_equal(q->bars.n, 24);
	assert_string_equal(q->note, "24 of 26 keys");
	assert_string_equal(q->bars.labels[q->bars.cursor], "a");
}

/* Keys whose share and weight are written as 0 % have no bars, unless the cursor is there. */
TEST(keys_that_give_nothing_have_no_bars)
{
	static const struct {
		long col;
		size_t n;
		const char *note;
	} all[] = {{2, 4, "4 of 9 keys, others 0 %"}, {7, 5, "5 of 9 keys, others 0 %"}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct picture *const p = help_picture(
			&arena, "alibi+causal",
			arena_printf(&arena, "view values\nrow 4\ncol %ld\n", all[i].col));
		const struct panel *const q = help_named_panel(&p->figure, "query");
		assert_int_equal(q->bars.n, all[i].n);
		assert_string_equal(q->note, all[i].note);
		assert_string_equal(q->bars.labels[q->bars.cursor],
				    p->trace.key.names[all[i].col - 1]);
	}
}

/* The key that the finding names has a frame in both matrices, where the cursor is not; with no cell chosen it is the
 * cell of the card, and the cursor begins there. */
TEST(the_key_that_gives_most_is_marked)
{
	for (long col = 0; col < 9; col++) {
		const struct picture *const p = help_picture(
			&arena, "rope", arena_printf(&arena, "view values\nrow 6\ncol %ld\n", col));
		const size_t most = values_largest(mat_row(kept_of(p)->o.norms, 5), 9);
		static const char *const names[] = {"contributions", "weights"};
		for (size_t i = 0; i < 2; i++) {
			const struct heatmap *const h =
				&help_named_panel(&p->figure, names[i])->heatmap;
			assert_int_equal(h->n_marks, col != (long)most + 1);
			assert_true(h->n_marks == 0 ||
				    (h->marks->row == 5 && h->marks->col == most));
		}
		const struct bars *const b = &help_named_panel(&p->figure, "query")->bars;
		assert_string_equal(b->labels[b->cursor],
				    p->trace.key.names[col > 0 ? col - 1 : (long)most]);
		struct scene s = help_scene("rope", "view values\n");
		long row = 0, first = 0;
		picture_first_cell(&s, p, &row, &first);
		assert_int_equal(row, 6);
		assert_int_equal(first, most + 1);
	}
}

/* Query 6 sees the keys 4 to 6, or those of its chunk. */
TEST(the_cursor_begins_at_a_key_that_is_seen)
{
	static const struct {
		const char *expression;
		long col;
	} all[] = {{"rope+causal", 2},
		   {"rope+window(keys=3)+causal", 4},
		   {"rope+chunk(size=5)+causal", 6}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct scene s = help_scene(all[i].expression, "view explore\n");
		long row = 0, col = 0;
		picture_first_cell(&s, help_picture(&arena, all[i].expression, "view explore\n"),
				   &row, &col);
		assert_int_equal(row, 6);
		assert_int_equal(col, all[i].col);
	}
}

TEST(the_card_tells_whether_position_enters_the_values)
{
	static const struct {
		const char *expression, *lines, *key, *value;
	} all[] = {{"t5", "", "position", "no position in the values"},
		   {"rope", "", "position", "no position in the values"},
		   {"tupe_a", "", "position", "no position in the values"},
		   {"diet_abslin", "", "position", "in the keys"},
		   {"shaw", "", "distance vectors", NULL},
		   {"ros_konly", "", "position", "no position in the values"},
		   {"sinusoidal", "", "position", NULL},
		   {"sinusoidal", "layer 2\n", "position", "no position in the values"},
		   {"rope(rotary_value=on)", "", "rotation", NULL}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct picture *p =
			help_picture(&arena, all[i].expression,
				     arena_printf(&arena, "view values\n%s", all[i].lines));
		const struct card_line *const l = line(&p->figure, all[i].key);
		if (!l || (all[i].value && strcmp(l->value, all[i].value) != 0))
			fail_msg("%s: %s", all[i].expression, l ? l->value : "no line");
		if (!all[i].value)
			assert_non_null(strchr(l->value, '%'));
	}
}

TEST(w_o_is_named_wherever_it_is)
{
	const struct help_shaped w_o[] = {{"w_o", 64, 64}};
	struct picture *p = help_picture(&arena, "rope", "view values\n");
	assert_string_equal(line(&p->figure, "W_o")->value, "W_o = identity");
	assert_string_equal(help_named_panel(&p->figure, "contributions")->note, "length of α v");
	p = help_picture(&arena, "rope",
			 arena_printf(&arena, "view values\nweights %s\n", help_save_all(w_o, 1)));
	assert_string_equal(line(&p->figure, "W_o")->value, "W_o given");
	assert_non_null(strstr(p->figure.caption, "identity projection · W_o given"));
	assert_string_equal(help_named_panel(&p->figure, "contributions")->note,
			    "length of α v W_o");
	assert_int_equal(help_named_panel(&p->figure, "output")->heatmap.values.cols, 64);
}

TEST(means_of_layers_have_no_outputs)
{
	const struct picture *p =
		help_picture(&arena, "rope", "view values\nlayer mean\nhead mean\n");
	assert_non_null(help_named_panel(&p->figure, "contributions")->absent);
	assert_null(help_named_panel(&p->figure, "weights")->absent);
	help_figure_is_sound(&arena, &p->figure, "mean of layers");
	const struct picture *all = help_picture(&arena, "rope", "view values\nhead mean\n");
	assert_int_equal(help_named_panel(&all->figure, "output")->heatmap.values.cols, 64);
}

/* ---- two schemes ----------------------------------------------------------------------------- */

/* ros_konly is Shaw's scheme without its term of values: the difference is that term. */
TEST(the_difference_of_two_is_the_term_that_one_lacks)
{
	const struct picture *p = help_picture(&arena, "shaw", "view values\ncompare ros_konly\n");
	const struct panel *const d = help_named_panel(&p->figure, "difference");
	const struct values_kept *const k = kept_of(p);
	assert_non_null(d);
	for (size_t i = 0; i < k->o.n_terms; i++)
		if (strcmp(k->o.terms[i].label, "w_value") == 0)
			assert_true(mat_max_abs_diff(k->o.terms[i].at, d->heatmap.values) < 1e-12);
	assert_within(k->apart, outputs_apart(k->o.at, k->second.at), 1e-15);
	assert_true(k->apart > 0.1);
	assert_non_null(line(&p->figure, "outputs"));
}

TEST(outputs_of_other_words_have_no_difference)
{
	const struct picture *const p = help_picture(
		&arena, "shaw", "view values\nsentence a b c\ncompare @ c b a; ros_konly\n");
	const struct panel *const d = help_named_panel(&p->figure, "difference");
	assert_non_null(strstr(d->absent, "the inputs differ"));
	assert_null(line(&p->figure, "outputs"));
	const struct picture *const other =
		help_picture(&arena, "shaw",
			     "view values\nsentence a b c\ncompare @ c b a; ros_konly\npair 1-3\n");
	assert_null(help_named_panel(&other->figure, "difference")->absent);
}

TEST(compare_tells_outputs_from_weights)
{
	static const struct {
		const char *one, *other;
		bool same;
	} all[] = {{"shaw", "ros_konly", false},
		   {"rope", "rope(rotary_value=on)", false},
		   {"rope", "rope(layout=half)", false},
		   {"rope", "roformer", true}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		const struct picture *p = help_picture(
			&arena, all[i].one,
			arena_printf(&arena, "view compare\nmatrix weights\ncompare %s\n",
				     all[i].other));
		const struct card_line *const l = line(&p->figure, "outputs");
		assert_non_null(l);
		if ((strcmp(l->value, "the same") == 0) != all[i].same)
			fail_msg("%s, %s: %s", all[i].one, all[i].other, l->value);
	}
}

/* Where a term of values and weights of features exclude each other, weights are still compared. */
TEST(weights_without_outputs_are_compared)
{
	const struct picture *const p = help_picture(
		&arena, "shaw+disan(multi=on)", "view compare\nmatrix weights\ncompare rope\n");
	assert_null(line(&p->figure, "outputs"));
	assert_non_null(line(&p->figure, "distance 1−2"));
}

TEST(the_map_tells_outputs_of_the_same_weights)
{
	const struct picture *p =
		help_picture(&arena, "shaw",
			     "view map\nlisted none ros_konly spr_rel rope\ndistance-of weights\n");
	const struct panel *const near = help_named_panel(&p->figure, "nearest");
	size_t seen = 0;
	for (size_t i = 0; i < near->table.rows; i++) {
		const char *const *const row = near->table.cells + near->table.cols * i;
		if (strcmp(row[0], "ros_konly") == 0) {
			assert_string_equal(row[1], "0 *");
			seen++;
		}
		if (strcmp(row[0], "spr_rel") == 0) {
			assert_string_equal(row[1], "the same");
			seen++;
		}
	}
	assert_int_equal(seen, 2);
	assert_string_equal(help_named_panel(&p->figure, "nearest")->note,
			    "weights, 0 to 1; *: only outputs differ");
	assert_string_equal(line(&p->figure, "chosen")->value, "ros_konly");
	assert_non_null(strstr(line(&p->figure, "chosen")->note, "other outputs"));
}

/* ---- numbers --------------------------------------------------------------------------------- */

TEST(numbers_of_the_view)
{
	const struct scene s = help_scene("shaw", "row 3\ncol 1\n");
	const struct built b = help_build(&s);
	struct numbers all;
	struct err err = {""};
	numbers_init(&all, &arena);
	if (!view_numbers(&s, "values", &b, NULL, NULL, &arena, &all, &err))
		fail_msg("%s", err.text);
	const struct mat query = help_number(&all, "values.query")->at;
	const struct mat output = help_number(&all, "values.output")->at;
	double sum = 0;
	for (size_t i = 0; i < query.rows; i++)
		sum += mat_row(query, i)[5];
	assert_within(sum, mat_row(output, 2)[5], 1e-12);
	assert_within(help_number(&all, "values.share.token")->at.at[0] +
			      help_number(&all, "values.share.w_value")->at.at[0],
		      1, 1e-12);
	assert_int_equal(help_number(&all, "values.contributions")->at.cols, 9);
	assert_int_equal(help_number(&all, "values.term.w_value")->at.cols, 16);
}

/* Quantities are the same numbers. */
TEST(quantities_are_those_of_the_view)
{
	const struct picture *const p = help_picture(
		&arena, "shaw", "view values\ncompare ros_konly\nhead mean\nrow 6\ncol 6\n");
	const struct values_kept *const k = kept_of(p);
	const struct scene s = help_scene("shaw", "compare ros_konly\nhead mean\n");
	const struct {
		const char *text;
		double value;
	} all[] = {{"contribution 6→6", mat_row(k->o.norms, 5)[5]},
		   {"max contribution", k->most},
		   {"output-share 'w_value'", 100 * k->o.terms[1].share},
		   {"outputs-apart 1-2", k->apart}};
	struct quantities *const q = quantities_new(&s, NULL, NULL);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct quantity of;
		struct quantity_value v;
		struct err err = {""};
		if (!quantity_parse(all[i].text, &arena, &of, &err) ||
		    !quantity_find(q, &of, &arena, &v, &err))
			fail_msg("%s: %s", all[i].text, err.text);
		assert_within(v.number, all[i].value, 1e-12 * (1 + all[i].value));
	}
	quantities_free(q);
}

/* Values that are wider than the model are folded to its width by a W_o of no file. */
TEST(w_o_that_no_file_gives_is_not_given)
{
	const struct picture *p =
		help_picture(&arena, "rope", "view values\nd-model 16\nhead-dim 8\nheads 4\n");
	assert_string_equal(line(&p->figure, "W_o")->value, "W_o not read");
	assert_null(strstr(p->figure.caption, "W_o given"));
	p = help_picture(&arena, "rope",
			 "view values\nd-model 16\nhead-dim 8\nheads 4\nproj random\n");
	assert_string_equal(line(&p->figure, "W_o")->value, "W_o drawn");
}

/* The sentence above the panels has the numbers of its query. */
TEST(the_finding_says_who_gives_most)
{
	const struct picture *const p = help_picture(&arena, "rope", "view values\nrow 6\ncol 2\n");
	const struct mat norms = kept_of(p)->o.norms;
	const double *const row = mat_row(norms, 5);
	double all = 0;
	size_t most = 0;
	for (size_t s = 0; s < norms.cols; s++) {
		all += row[s];
		most = row[s] > row[most] ? s : most;
	}
	assert_true(most != 1);
	for (size_t i = 0; i < 2; i++)
		assert_non_null(
			strstr(i == 0 ? p->figure.finding : p->figure.finding_brief,
			       arena_printf(&arena, "gets most from key %s, %.0f %%",
					    p->trace.key.names[most], 100 * row[most] / all)));
	/* The marked key is another one, and has its own share. */
	assert_non_null(strstr(p->figure.finding, ", from the marked cat "));
	assert_non_null(strstr(p->figure.finding_brief, ", from the marked cat "));
	assert_null(strstr(p->figure.finding_least, "cat"));
}

/* Two equal words give a query as much as each other. */
TEST(keys_that_give_as_much_are_told)
{
	const struct picture *const p =
		help_picture(&arena, "none", "view values\nsentence a a\nrow 1\ncol 1\n");
	assert_string_equal(
		p->figure.finding,
		"Query a₁ gets most from the marked key a₁ (and 1 more alike), 50 % of all that keys "
		"give it. Key a₁ also has the query's largest weight, 50 %. A key gives its weight α times the "
		"length of its value v.");
}

/* The largest of more than two terms is drawn. */
TEST(the_largest_term_is_drawn)
{
	const struct help_shaped bias[] = {{"b_v", 1, 64}};
	const char *const lines =
		arena_printf(&arena, "view values\nweights %s\n", help_save_all(bias, 1));
	static const char *const all[] = {"sinusoidal", "shaw", "sinusoidal+shaw",
					  "sinusoidal+rope(rotary_value=on)"};
	size_t many = 0;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (size_t given = 0; given < 2; given++) {
			const struct picture *const p =
				help_picture(&arena, all[i], given ? lines : "view values\n");
			const struct outputs *const o = &kept_of(p)->o;
			size_t most = 0, drawn = 0;
			for (size_t k = 0; k < o->n_terms; k++)
				most = o->terms[k].share > o->terms[most].share ? k : most;
			for (size_t k = 0; k < p->figure.n; k++)
				drawn += p->figure.panels[k].kind == PANEL_HEATMAP &&
					 p->figure.panels[k].heatmap.values.at ==
						 o->terms[most].at.at;
			many += o->n_terms > 2;
			if (o->n_terms > 1 && drawn != 1)
				fail_msg("%s: %s is not drawn", all[i], o->terms[most].label);
		}
	assert_true(many > 2);
}
