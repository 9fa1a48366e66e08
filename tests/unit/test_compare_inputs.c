/* test_compare_inputs.c: inputs of their own in the view Compare: how they are written, the setup of each, and
 * words of one against the same words of the other, by hand and against evaluations of their own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_view.h"
#include "posviz/scene/beside.h"

FIXTURE(open_arena, close_arena)

/* ---- the field ---------------------------------------------------------------------------------- */

TEST(lists_are_written_in_one_way)
{
	static const char *const rows[][2] = {
		{"@ man bites dog", NULL},
		{" sinusoidal@man", ""},
		{"sinusoidal@ man bites dog ; @order reverse",
		 "sinusoidal @ man bites dog; @order reverse"},
		{"rope @sentence a b @order 2 1", "rope @ a b @order 2 1"},
		{"@order 2 1 @ a b", "@ a b @order 2 1"},
		{"t5(buckets=16) @ \"a; b\"; shaw", NULL},
		{"@ \"one @ two\"", NULL},
		{"@ \"a b\"", "@ a b"},
		{"@ \"a\\nb\\\\c\"", NULL},
		{"@ (a) [b \"c\" d", NULL},
		{"@ \"\\\"a\\\" b\"", NULL},
		{"@ me@here.org", "@ \"me@here.org\""},
		{"none @ none", NULL},
		{"none", NULL},
		{"none()", NULL},
		{"@ the cat @governors 2 0", NULL},
		{"@tree (S (NP a) (VP b))", NULL},
		{"@conllu @dep1 @pick 2", "@conllu \"@dep1\" @pick 2"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene scene, again;
		struct err err = {""};
		const char *const wanted = rows[i][1] ? rows[i][1] : rows[i][0];
		scene_init(&scene);
		const bool ok = scene_set(&scene, field_find("compare"), rows[i][0], &err);
		if (ok != (*wanted != '\0'))
			fail_msg("%s: %s", rows[i][0], err.text);
		if (!ok)
			continue;
		assert_string_equal(scene.setup.compare, wanted);
		if (!scene_parse(&again, scene_print(&scene, &arena), &err))
			fail_msg("%s: %s", rows[i][0], err.text);
		assert_true(scene_equal(&scene, &again));
		assert_true(scene_set(&again, field_find("compare"), scene.setup.compare, &err));
		assert_string_equal(again.setup.compare, wanted);
	}
}

TEST(wrong_inputs_are_refused)
{
	static const char *const rows[][2] = {
		{"sinusoidal @", "compare: expression 1: no sentence stands behind @"},
		{"rope; @order", "compare: expression 2: no value stands behind @order"},
		{"@ \"\"", "no sentence stands behind @"},
		{"@ \"a b", "expression 1: quotes are not closed"},
		{"@ \"a\" b", "\"b\" stands behind quotes"},
		{"@ordre reverse", "@ordre is no input; did you mean @order?"},
		{"@quux", "a sentence stands behind a blank, @ quux"},
		{"@ a @ b", "@ is given twice"},
		{"@order reverse @order reverse", "@order is given twice"},
		{"@ a @file x", "both bring words"},
		{"@pick 0 @conllu x", "pick: "},
		{"ropee @ a", "no scheme \"ropee\""},
		{"rope; ; t5", "expression 2: "},
		{"@ a; @ b; @ c; @ d", "at most 3 beside the scheme"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene scene;
		struct err err = {""};
		scene_init(&scene);
		if (scene_set(&scene, field_find("compare"), rows[i][0], &err) ||
		    !strstr(err.text, rows[i][1]))
			fail_msg("%s: \"%s\"", rows[i][0], err.text);
		assert_string_equal(scene.setup.compare, "none");
	}
}

/* ---- setups of their own ------------------------------------------------------------------------- */

TEST(each_is_a_setup_of_its_own)
{
	const struct scene scene = help_scene(
		"shaw", "sentence dog bites man\norder 3 1 2\nmap w_key=x\n"
			"compare @ man bites dog; rope @order reverse; shaw @ a b @order 2 1\n");
	static const struct {
		const char *scheme, *sentence, *order, *map, *compare;
	} rows[] = {
		{"shaw", "dog bites man", "3 1 2", "w_key=x",
		 "shaw @ man bites dog; rope @order reverse; shaw @ a b @order 2 1"},
		{"shaw", "man bites dog", "identity", "w_key=x",
		 "shaw @ dog bites man @order 3 1 2; rope @ dog bites man @order reverse; "
		 "shaw @ a b @order 2 1"},
		{"rope", "dog bites man", "reverse", "",
		 "shaw; shaw @ man bites dog; shaw @ a b @order 2 1"},
		{"shaw", "a b", "2 1", "w_key=x",
		 "shaw @ dog bites man @order 3 1 2; shaw @ man bites dog; "
		 "rope @ dog bites man @order reverse"},
	};
	struct setup out;
	struct err err = {""};
	for (size_t i = 0; i < 4; i++) {
		if (!setup_of_compared(&scene.setup, i + 1, &arena, &out, &err))
			fail_msg("%zu: %s", i + 1, err.text);
		assert_string_equal(out.scheme, rows[i].scheme);
		assert_string_equal(out.sentence, rows[i].sentence);
		assert_string_equal(out.order, rows[i].order);
		assert_string_equal(out.map, rows[i].map);
		assert_string_equal(out.compare, rows[i].compare);
	}
	assert_false(setup_of_compared(&scene.setup, 5, &arena, &out, &err));
	assert_string_equal(err.text, "there is no 5; 4 expressions are compared");
	assert_false(setup_of_compared(&scene.setup, 0, &arena, &out, &err));
}

/* What is of the scene's words alone cannot go with others; an order of the same words can. */
TEST(what_is_of_other_words_is_refused)
{
	static const char *const rows[][3] = {
		{"tree (S (A a) (B b))\n", "@ x y", "a tree is given for other words"},
		{"graph a -> b\n", "@ x y", "a graph is given for other words"},
		{"sentence a b\ngovernors 2 0\n", "@ x y", "governors are given for other words"},
		{"sentence a b\ngovernors 2 0\n", "@ x y @governors 0 1", NULL},
		{"sentence a b\nreorder 2 1\n", "@ x y", "a re-ordering is given"},
		{"tree (S (A a) (B b))\n", "@order reverse", NULL},
		{"tree (S (A a) (B b))\n", "@tree (S (A a) (C c))", NULL},
		{"sentence a b\n", "@order 1 2 3", "@order 1 2 3: order: "},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene scene = help_scene(
			"sinusoidal", arena_printf(&arena, "view compare\n%scompare %s\n",
						   rows[i][0], rows[i][1]));
		struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
		struct err err = {""};
		const bool ok = picture_make(&scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL,
					     &arena, p, &err);
		if (ok != !rows[i][2] || (!ok && !strstr(err.text, rows[i][2])))
			fail_msg("row %zu: %s", i, err.text);
		if (!ok && !strstr(err.text, rows[i][1]))
			fail_msg("row %zu: %s does not name it", i, err.text);
	}
}

/* ---- words by hand ------------------------------------------------------------------------------- */

TEST(the_same_occurrence_of_a_word_is_matched)
{
	/* "the dog the man" in the order 3 1 4 2, and "a the man": the second "the" has no partner. */
	const char *const first[] = {"the", "the", "man", "dog"}, *const second[] = {"a", "the",
										     "man"};
	const long places[] = {2, 0, 3, 1}, own[] = {0, 1, 2};
	const struct axis x = {.n = 4, .labels = first, .token = places};
	const struct axis y = {.n = 3, .labels = second, .token = own};
	struct axis_match m;
	axis_match(&x, &y, &arena, &m);
	assert_int_equal(m.n, 2);
	assert_true(m.first[0] == 1 && m.second[0] == 1); /* the first "the" of both */
	assert_true(m.first[1] == 2 && m.second[1] == 2);
	assert_true(m.n_first == 4 && m.first[2] == 0 && m.first[3] == 3);
	assert_true(m.n_second == 3 && m.second[2] == 0);
	/* Units without a token in their turn, a token in several units too. */
	const char *const marks[] = {"[CLS]", "a", "a", "[CLS]"};
	const long of[] = {-1, 0, 0, -1};
	const struct axis z = {.n = 4, .labels = marks, .token = of};
	const size_t *const at = axis_places(&z, &z, &arena);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(at[i], i);
}

/* Rows of the second that give a part to a word of its own count as shares of the rest: 0.2 and 0.2 of 0.4
 * against 0.5 and 0.5 is no difference. */
TEST(rows_are_shares_of_what_words_in_both_get)
{
	double a[] = {0.5, 0.5, 0.1, 0.9}, b[] = {0.2, 0.6, 0.2, 1, 1, 1, 0.25, 0.5, 0.25};
	size_t first[] = {0, 1}, second[] = {0, 2, 1};
	const struct matched m = {{2, first, second, 2, 3}, {2, first, second, 2, 3}};
	const uint8_t *mask_a, *mask_b;
	struct mat x, y;
	struct apart out;
	matched_take(&m, false, true, mat_view(a, 2, 2), NULL, &arena, &x, &mask_a);
	matched_take(&m, true, true, mat_view(b, 3, 3), NULL, &arena, &y, &mask_b);
	assert_true(x.rows == 2 && x.cols == 3 && y.cols == 3);
	assert_true(mask_a[0] && mask_a[1] && !mask_a[2] && mask_b[2]);
	assert_true(fabs(y.at[0] - 0.2) <= 0 && fabs(y.at[1] - 0.2) <= 0 &&
		    fabs(y.at[2] - 0.6) <= 0);
	apart_weights(x, mask_a, y, mask_b, &out);
	assert_true(fabs(out.distance - (0 + 0.4) / 2) < 1e-15);
	assert_true(fabs(out.most - (0.9 - 0.25)) < 1e-15);
	assert_int_equal(out.worst, 1);
}

/* ---- the view ------------------------------------------------------------------------------------ */

/* The weights of head 1 of layer 1, evaluated alone. */
static struct mat alone(const char *scheme, const char *lines)
{
	const struct scene s = help_scene(scheme, lines);
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct trace *const trace = arena_calloc(&arena, 1, sizeof *trace);
	const struct want want = {.kinds = WANT_WEIGHTS, .layer = 0, .head = 0};
	struct err err = {""};
	if (!evaluate(&s.setup, &want, NULL, NULL, &arena, b, trace, &err))
		fail_msg("%s: %s", lines, err.text);
	return trace->layers[0].heads[0].weights;
}

static const struct heatmap *difference(const struct picture *p)
{
	return &help_panel(&p->figure, "Difference 1 − 2")->heatmap;
}

static const struct card_line *line_of(const struct picture *p, const char *key)
{
	const struct card *c = &help_panel(&p->figure, "What differs")->card;
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->lines[i].key, key) == 0)
			return &c->lines[i];
	fail_msg("the card has no %s", key);
	return NULL;
}

/* Where word i of the first stands in the second. */
static void expect_difference(const struct picture *p, struct mat x, struct mat y,
			      const size_t *first, const size_t *second, size_t n)
{
	const struct heatmap *const h = difference(p);
	assert_true(h->values.rows == n && h->values.cols == n);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++) {
			const double want =
				mat_row(x, first[t])[first[s]] - mat_row(y, second[t])[second[s]];
			if (!(fabs(mat_row(h->values, t)[s] - want) < 1e-12))
				fail_msg("cell %zu %zu: %g, not %g", t, s, mat_row(h->values, t)[s],
					 want);
		}
}

TEST(without_position_every_weight_finds_its_word_again)
{
	const size_t as_written[] = {0, 1, 2}, turned[] = {2, 1, 0};
	const struct mat x = alone("none", "sentence dog bites man\n");
	const struct mat y = alone("none", "sentence man bites dog\n");
	for (size_t t = 0; t < 3; t++)
		for (size_t s = 0; s < 3; s++)
			assert_true(fabs(mat_row(x, t)[s] - mat_row(y, 2 - t)[2 - s]) < 1e-12);
	static const char *const inputs[] = {"@ man bites dog", "@order reverse",
					     "none @order 3 2 1"};
	for (size_t i = 0; i < 3; i++) {
		const struct picture *const p = help_picture(
			&arena, "none",
			arena_printf(&arena, "view compare\nsentence dog bites man\ncompare %s\n",
				     inputs[i]));
		help_figure_is_sound(&arena, &p->figure, inputs[i]);
		expect_difference(p, x, y, as_written, turned, 3);
		assert_string_equal(p->compared[1].name, "man bites dog");
		assert_string_equal(p->figure.panels[2].title, "2 man bites dog");
		assert_string_equal(p->figure.panels[2].heatmap.row_labels[0], "man");
		assert_string_equal(line_of(p, "distance 1−2")->value, "0");
		assert_string_equal(line_of(p, "distance 1−2")->note,
				    "every weight found its word again");
	}
}

TEST(differences_are_those_of_two_runs)
{
	const size_t as_written[] = {0, 1, 2}, turned[] = {2, 1, 0};
	const struct picture *const p =
		help_picture(&arena, "sinusoidal",
			     "view compare\nsentence dog bites man\ncompare @ man bites dog\n");
	const struct mat x = alone("sinusoidal", "sentence dog bites man\n");
	const struct mat y = alone("sinusoidal", "sentence man bites dog\n");
	expect_difference(p, x, y, as_written, turned, 3);
	double sum = 0;
	for (size_t t = 0; t < 3; t++)
		for (size_t s = 0; s < 3; s++)
			sum += fabs(mat_row(x, t)[s] - mat_row(y, 2 - t)[2 - s]) / 2;
	assert_true(sum / 3 > 0.1);
	assert_string_equal(line_of(p, "distance 1−2")->value,
			    arena_printf(&arena, "%.3f", sum / 3));
	assert_non_null(strstr(p->figure.caption, "“dog bites man” and “man bites dog”"));
	assert_string_equal(p->figure.title, "sinusoidal:  dog bites man  ·  man bites dog");
}

/* Of unequal length, with a word twice: the second "the" is in the first alone, "a" in the second. */
TEST(words_of_one_alone_are_left_out)
{
	const size_t first[] = {0, 1, 2, 4}, second[] = {4, 1, 2, 0};
	const struct picture *const p = help_picture(
		&arena, "none",
		"view compare\nsentence the dog bites the man\ncompare @ man dog bites a the\n"
		"row 4\ncol 2\n");
	const struct mat x = alone("none", "sentence the dog bites the man\n");
	const struct mat y = alone("none", "sentence man dog bites a the\n");
	help_figure_is_sound(&arena, &p->figure, "unequal");
	expect_difference(p, x, y, first, second, 4);
	assert_non_null(strstr(help_panel(&p->figure, "Difference 1 − 2")->subtitle,
			       "2 words are in one of them only"));
	assert_string_equal(line_of(p, "words")->value, "4 in both");
	assert_string_equal(line_of(p, "words")->note, "in 1 only: the₂; in 2 only: a");
	/* Softmax over words in both is the same without position. */
	assert_string_equal(line_of(p, "distance 1−2")->value, "0");
	assert_string_equal(difference(p)->row_labels[3], "man");
	/* The cursor's query is the second "the", which is nowhere else. */
	assert_true(p->figure.panels[1].heatmap.has_cursor);
	assert_false(p->figure.panels[2].heatmap.has_cursor || difference(p)->has_cursor);
	assert_string_equal(line_of(p, "cell")->value[0] ? "cell" : "", "cell");
	assert_non_null(strstr(line_of(p, "cell")->value, "2:not there"));
}

TEST(the_cursor_is_on_the_same_two_words)
{
	const struct picture *const p = help_picture(
		&arena, "sinusoidal",
		"view compare\nsentence a b c d e\ncompare @ e x d a; @order reverse\nrow 5\ncol 1\n"
		"pair 2-3\n");
	const struct heatmap *const second = &p->figure.panels[2].heatmap;
	const struct heatmap *const third = &p->figure.panels[3].heatmap;
	const struct heatmap *const change = &p->figure.panels[0].heatmap;
	assert_true(second->has_cursor && second->row == 0 && second->col == 3);
	assert_true(third->has_cursor && third->row == 0 && third->col == 4);
	assert_true(change->has_cursor && change->row == 0 && change->col == 2);
	assert_true(change->values.rows == 3);
	const char *const cell = line_of(p, "cell")->value;
	assert_string_equal(line_of(p, "cell")->note, "e → a");
	const struct mat y = alone("sinusoidal", "sentence e x d a\n");
	assert_non_null(strstr(cell, arena_printf(&arena, "2:%.4f", mat_row(y, 0)[3]))
				? cell
				: strstr(cell, arena_printf(&arena, "2:%.3f", mat_row(y, 0)[3])));
}

/* Other matrices, masks, structures, one token, sixty, nothing in common: nothing is shown wrong. */
TEST(unfavourable_inputs_are_sound)
{
	static const char *const rows[][2] = {
		{"rope+causal", "sentence a b c\ncompare @ c b a d\nmatrix bias\n"},
		{"rope+causal", "sentence a b c\ncompare @ c b a\nmatrix mask\n"},
		{"t5", "sentence a b c\ncompare alibi+causal @ c b\nmatrix logits\nreach 2\n"},
		{"sinusoidal", "sentence a\ncompare @ b; @ a; @ a a\nrow 1\ncol 1\n"},
		{"none", "sentence a b\nspecial cls,sep\ncompare @ b a b; rope @order reverse\n"},
		{"sinusoidal", "sentence abc\ntokens chars\ncompare @ cba\n"},
		{"diet_abslin", "sentence a b c d\ncompare @ d c b a e\n"},
		{"spr-abs",
		 "tree (S (A a) (B (C b) (D c)))\ncompare @order reverse; @tree (S (B b) (A a))\n"},
		{"t5", "sentence a b ||| c d\ncompare @ c d ||| a b\nmemory-tokens 1\n"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const where = arena_printf(&arena, "row %zu", i);
		const struct picture *const p = help_picture(
			&arena, rows[i][0], arena_printf(&arena, "view compare\n%s", rows[i][1]));
		help_figure_is_sound(&arena, &p->figure, where);
		for (size_t k = 0; k < p->n_compared; k++)
			assert_true(p->figure.panels[1 + k].absent ||
				    p->figure.panels[1 + k].heatmap.values.rows ==
					    p->compared[k].trace->query.n);
	}
}

/* Different expressions on one input are what they were: a list without inputs names no words. */
TEST(one_input_is_not_named)
{
	const struct picture *const p = help_picture(
		&arena, "rope", "view compare\nsentence a b c\ncompare t5; alibi @ a b c\n");
	assert_string_equal(p->compared[1].name, "t5");
	assert_string_equal(p->compared[2].name, "alibi");
	assert_null(strstr(p->figure.title, "a b c"));
}

/* ---- dumps --------------------------------------------------------------------------------------- */

TEST(a_dump_has_both_and_their_difference)
{
	const struct scene s = help_scene(
		"sinusoidal+causal", "sentence dog bites man\ncompare @ man bites dog; @ cat\n");
	struct built *const b = arena_calloc(&arena, 1, sizeof *b);
	struct numbers all;
	struct err err = {""};
	numbers_init(&all, &arena);
	if (!setup_build(&s.setup, &arena, b, &err) ||
	    !view_numbers(&s, "compare", b, NULL, NULL, &arena, &all, &err))
		fail_msg("%s", err.text);
	const struct mat x = alone("sinusoidal+causal", "sentence dog bites man\n");
	const struct mat y = alone("sinusoidal+causal", "sentence man bites dog\n");
	assert_memory_equal(help_number(&all, "compare.1.weights")->at.at, x.at, 9 * sizeof *x.at);
	assert_memory_equal(help_number(&all, "compare.2.weights")->at.at, y.at, 9 * sizeof *y.at);
	const struct mat change = help_number(&all, "compare.1-2.difference")->at;
	/* From bites to bites; from man to dog, whom one sees and the other does not. */
	assert_true(fabs(change.at[4] - (x.at[4] - y.at[4])) < 1e-12);
	assert_true(isnan(change.at[6]) && isnan(change.at[2]));
	assert_non_null(strstr(help_number(&all, "compare.1-3.apart")->says, "no word is in both"));
}
