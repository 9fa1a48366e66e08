/* test_rectangle.c: matrices of queries and of keys that are other tokens: what is looked at, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help_arena.h"
#include "help_files.h"
#include "help_measure.h"
#include "help_setup.h"
#include "help_view.h"
#include "test.h"

FIXTURE(open_folder, close_folder)

enum { QUERIES = 3, KEYS = 5, OF_HEADS = 2, OF_LAYERS = 2 };
static const char of_two[] = "d-model 8\nheads 2\nlayers 2\n";

/* Each entry tells where it stands; rows do not sum to 1, and some are above it. */
static double *logits_of_rectangle(void)
{
	enum { N = OF_LAYERS * OF_HEADS * QUERIES * KEYS };
	double *const at = arena_calloc(&arena, N, sizeof *at);
	for (size_t i = 0; i < N; i++)
		at[i] = (double)i - 7.5;
	return at;
}

TEST(a_rectangle_is_looked_at_with_two_lists_of_tokens)
{
	static const char *const keys[] = {"the", "cat", "sleeps", "here", "."};
	struct built b;
	double *const at = logits_of_rectangle();
	at[1] = -INFINITY; /* layer 1, head 1: query 1 does not see key 2 */
	help_write_npy("cross.npy", at, HELP_SHAPE(OF_LAYERS, OF_HEADS, QUERIES, KEYS));
	const struct scene s = help_scene(
		"matrix(from=cross.npy)",
		arena_printf(&arena, "%ssentence il dort .\nkeys the cat sleeps here .\n", of_two));
	const struct trace t = help_run(&s, &b);
	const struct trace_head *const head = &t.layers[1].heads[0];
	assert_int_equal(t.query.n, QUERIES);
	assert_int_equal(t.key.n, KEYS);
	assert_string_equal(t.query.labels[1], "dort");
	for (size_t i = 0; i < KEYS; i++)
		assert_string_equal(t.key.labels[i], keys[i]);
	double sum = 0, third = 0;
	for (size_t i = 0; i < KEYS; i++) {
		const double logit = at[((2 * 1 + 0) * QUERIES + 2) * KEYS + i];
		assert_true(fabs(mat_row(head->logits, 2)[i] - logit) <= 0);
		sum += exp(logit - 37.5);
		third = i == 3 ? exp(logit - 37.5) : third;
	}
	assert_true(fabs(mat_row(head->weights, 2)[3] - third / sum) <= 1e-12);
	assert_int_equal(t.layers[0].allowed[0], QUERIES * KEYS - 1);
	assert_int_equal(t.layers[1].allowed[0], QUERIES * KEYS);
	const struct picture *const second =
		help_picture(&arena, "matrix(from=cross.npy)",
			     arena_printf(&arena, "%slayer 1\nhead 2\n", of_two));
	const struct mat logits = second->trace.layers[0].heads[1].logits;
	assert_non_null(logits.at);
	assert_true(fabs(mat_row(logits, 2)[4] - at[(1 * QUERIES + 2) * KEYS + 4]) <= 0);
}

/* Numbers where nobody says more; what does not fit is refused by its name. */
TEST(lists_of_tokens_fit_a_rectangle_or_are_refused)
{
	static const struct {
		const char *expression, *lines, *says;
	} refused[] = {
		{"matrix(from=cross.npy)", "sentence a b c d e\n", "--keys names the keys"},
		{"matrix(from=cross.npy)", "keys a b c\n", "keys: 3 tokens, and"},
		{"matrix(from=cross.npy,as=bias)", "", "as=logits"},
		{"matrix(from=cross.npy)+causal", "", "looked at alone"},
		{"rope", "keys a b c\n", "keys: they go with"},
		{"matrix", "keys a b c\n", "keys: they go with"},
		{"matrix(from=square.npy,as=bias)", "keys a b c\n", "as=logits"},
		{"matrix(from=square.npy)", "keys a b c d\n", "keys: 4 tokens, and"},
		{"matrix(from=square.npy)+causal", "keys a b c\n", "looked at alone"},
		{"rope", "compare matrix(from=cross.npy)\n", "rope"},
		{"matrix(from=cross.npy,layers=1)", "", "layers all would be right"},
		{"matrix(from=cross.npy,heads=2)", "", "heads all would be right"},
		{"matrix(from=cross.npy,pos=word)", "", "pos seq would be right"},
		{"matrix(from=cross.npy)", "order reverse\n", "order identity would be right"},
		{"matrix(from=cross.npy)", "position-ids start:3\n", "position-ids none would"},
		{"matrix(from=cross.npy)", "memory-tokens 1\n", "memory-tokens 0 would"},
		{"matrix(from=cross.npy)", "compare matrix(from=other.npy)\n",
		 "3 queries and 5 keys"},
	};
	struct built b;
	help_write_npy("cross.npy", logits_of_rectangle(), HELP_SHAPE(2, 2, QUERIES, KEYS));
	help_write_npy("other.npy", logits_of_rectangle(), HELP_SHAPE(2, 2, KEYS, QUERIES));
	help_write_npy("square.npy", logits_of_rectangle(), HELP_SHAPE(2, 2, QUERIES, QUERIES));
	const struct scene plain = help_scene("matrix(from=cross.npy)", of_two);
	const struct trace t = help_run(&plain, &b);
	assert_string_equal(t.query.labels[2], "q3");
	assert_string_equal(t.key.labels[4], "k5");
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		const struct scene s =
			help_scene(refused[i].expression,
				   arena_printf(&arena, "%s%s", of_two, refused[i].lines));
		struct err err = {""};
		if (setup_build(&s.setup, &arena, &b, &err) || !strstr(err.text, refused[i].says))
			fail_msg("%s %s: %s", s.setup.scheme, refused[i].lines, err.text);
	}
}

/* Named keys of a square are other tokens than its queries, though there are as many. */
TEST(named_keys_of_a_square_are_other_tokens)
{
	struct built b;
	const double *const at = logits_of_rectangle();
	help_write_npy("square.npy", at, HELP_SHAPE(2, 2, QUERIES, QUERIES));
	const struct scene s =
		help_scene("matrix(from=square.npy)",
			   arena_printf(&arena,
					"%ssentence il dort .\nkeys he sleeps !\n"
					"compare matrix(from=square.npy,as=logits)\n",
					of_two));
	const struct trace t = help_run(&s, &b);
	assert_string_equal(t.query.labels[1], "dort");
	assert_string_equal(t.key.labels[1], "sleeps");
	assert_int_equal(t.key.token[1], -1);
	assert_true(fabs(mat_row(t.layers[0].heads[0].logits, 2)[1] - at[7]) <= 0);
	assert_string_equal(
		scheme_formula_of(b.expr.members[0].scheme, b.expr.members[0].param, &arena),
		"A_ts = M_ts");
	const struct picture *const p =
		help_picture(&arena, "matrix(from=square.npy)",
			     arena_printf(&arena, "%skeys he sleeps !\n", of_two));
	assert_string_equal(help_panel(&p->figure, "What was measured")->absent,
			    "not measured: queries are other tokens than keys");
}

static const char cross[] = ",the,cat,sleeps\nle,0.8,0.1,0.1\nchat,0.1,0.8,0.1\ndort,0.1,0.2,0.7\n";

/* A square whose rows have other names than its columns has two lists of tokens, unless somebody says otherwise. */
TEST(a_square_with_other_names_of_rows_has_two_lists)
{
	enum { TWO, ONE };
	static const struct {
		const char *text, *expression;
		int lists;
		const char *query, *key, *note;
	} rows[] = {
		{cross, "matrix(from=names.csv)", TWO, "chat", "cat", NULL},
		{cross, "matrix(from=names.csv,as=logits)", TWO, "chat", "cat", NULL},
		{cross, "matrix(from=names.csv,keys=same)", ONE, "cat", "cat", NULL},
		{cross, "matrix(from=names.csv,as=bias)", ONE, "cat", "cat",
		 "calls row 1 \"le\" and column 1 \"the\"; a bias is of one list"},
		{cross, "matrix(from=names.csv,as=bias,keys=same)", ONE, "cat", "cat", NULL},
		/* numbers of places are no names */
		{",a,b\n0,1,0\n1,0.5,0.5\n", "matrix(from=names.csv)", ONE, "b", "b", NULL},
		{",\"1\",\"2\"\na,1,0\nb,0.5,0.5\n", "matrix(from=names.csv)", ONE, "b", "b", NULL},
		{",0,1\na,1,0\nb,0.5,0.5\n", "matrix(from=names.csv)", ONE, "b", "b", NULL},
		{",a,b\na,1,0\nb,0.5,0.5\n", "matrix(from=names.csv)", ONE, "b", "b", NULL},
		{",a,b\na,1,0\nb,0.5,0.5\n", "matrix(from=names.csv,keys=other)", TWO, "b", "b",
		 NULL},
		{"1,0\n0.5,0.5\n", "matrix(from=names.csv,keys=other)", TWO, "q2", "k2", NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct built b;
		help_write_text("names.csv", rows[i].text);
		const struct scene s = help_scene(rows[i].expression, "");
		const struct trace t = help_run(&s, &b);
		if ((b.keys.n > 0) != (rows[i].lists == TWO) ||
		    strcmp(t.query.labels[1], rows[i].query) != 0 ||
		    strcmp(t.key.labels[1], rows[i].key) != 0 ||
		    (rows[i].note ? !b.note || !strstr(b.note, rows[i].note) : b.note != NULL))
			fail_msg("%s: %zu keys, %s, %s, %s", rows[i].expression, b.keys.n,
				 t.query.labels[1], t.key.labels[1], b.note ? b.note : "no note");
	}
}

TEST(keys_that_cannot_be_had_are_refused)
{
	static const struct {
		const char *expression, *lines, *says;
	} rows[] = {
		{"matrix(from=wide.csv,keys=same)", "", "keys=other, or no word of keys, would be"},
		{"matrix(from=names.csv,keys=same)", "keys a b c\n", "keys=other, or no word"},
		{"matrix(from=square.csv,keys=other,as=bias)", "", "as=logits"},
		{"matrix(from=names.csv)+causal", "", "keys=same would take its columns' names"},
	};
	struct built b;
	help_write_text("names.csv", cross);
	help_write_text("square.csv", "1,2\n3,4\n");
	help_write_text("wide.csv", "1,0,0\n0.5,0.5,0\n");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct scene s = help_scene(rows[i].expression, rows[i].lines);
		struct err err = {""};
		if (setup_build(&s.setup, &arena, &b, &err) || !strstr(err.text, rows[i].says))
			fail_msg("%s: %s", rows[i].expression, err.text);
	}
	const struct scene sample = help_scene("matrix(keys=other)", "");
	assert_int_equal(help_run(&sample, &b).key.n, 9);
	assert_string_equal(
		b.note,
		"matrix: keys=other goes with from=FILE; the sample has one list of tokens");
}

/* Lines that an earlier version wrote have no word of tokens=, and mean one list. */
TEST(scenes_of_earlier_versions_have_one_list_of_names)
{
	struct scene scene;
	struct err err;
	help_write_text("names.csv", cross);
	assert_true(scene_parse(&scene, "scheme matrix(from=names.csv)\n", &err));
	assert_string_equal(scene.setup.scheme, "matrix(from=names.csv,keys=same)");
	assert_true(scene_parse(&scene, "scheme matrix(from=names.csv,as=bias)\n", &err));
	assert_string_equal(scene.setup.scheme, "matrix(from=names.csv,as=bias)");
	assert_true(scene_parse(&scene, "scheme matrix(from=names.csv)\ntokens words\n", &err));
	assert_string_equal(scene.setup.scheme, "matrix(from=names.csv)");
	assert_true(scene_parse(&scene, scene_print(&scene, &arena), &err));
	assert_string_equal(scene.setup.scheme, "matrix(from=names.csv)");
}

/* The foot, the cards and the subtitle of Heads say nothing of places that two lists do not share. */
TEST(a_rectangle_is_said_to_have_what_it_has)
{
	help_write_npy("cross.npy", logits_of_rectangle(), HELP_SHAPE(2, 2, QUERIES, KEYS));
	const struct picture *p = help_picture(&arena, "matrix(from=cross.npy)", of_two);
	assert_memory_equal(p->figure.caption, "3 queries · 5 keys", strlen("3 queries · 5 keys"));
	assert_int_equal(picture_measures(p), 0);
	const struct card *const card = &help_panel(&p->figure, "What it does")->card;
	for (size_t i = 0; i < card->n; i++) {
		assert_string_not_equal(card->lines[i].key, "reference");
		assert_string_not_equal(card->lines[i].key, "length");
	}
	assert_string_equal(card->about,
			    "Your own logits. An entry belongs to a query's position in one list "
			    "of tokens and a key's position in another; −∞ is a mask.");
	p = help_picture(&arena, "matrix(from=cross.npy)",
			 arena_printf(&arena, "%spresenter on\n", of_two));
	assert_string_equal(p->figure.presented->about,
			    "In head 1, every query attends most to k5 (0.64 on average).");
	assert_true(p->figure.presented->two_lists);
	p = help_picture(&arena, "matrix(from=cross.npy)",
			 arena_printf(&arena,
				      "%ssentence il dort .\nkeys a b c d e\n"
				      "view heads\nmatrix weights\n",
				      of_two));
	assert_non_null(strstr(p->figure.caption, "queries “il dort .”, keys “a b c d e”"));
	assert_non_null(strstr(p->figure.panels[0].subtitle, "entropy"));
	assert_null(strstr(p->figure.panels[0].subtitle, "distance"));
	assert_null(strstr(p->figure.panels[0].multiples.says, "distance"));
}

/* Views that compute with it say that they do not; those that show it are sound, and so are measures. */
TEST(every_view_shows_a_rectangle_or_says_why_not)
{
	struct measures m;
	struct err err = {""};
	help_write_npy("cross.npy", logits_of_rectangle(), HELP_SHAPE(2, 2, QUERIES, KEYS));
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++) {
		const struct picture *const p = help_picture(
			&arena, "matrix(from=cross.npy)",
			arena_printf(&arena, "%sview %s\nlisted rope alibi\n%s", of_two, v->name,
				     v->compare ? "compare matrix(from=cross.npy,as=logits)\n"
						: ""));
		help_figure_is_sound(&arena, &p->figure, v->name);
		if (v->compare) {
			const struct card *const apart =
				&help_panel(&p->figure, "What differs")->card;
			for (size_t i = 0; i < apart->n;
			     i++) /* what cannot be done is not offered */
				assert_true(strcmp(apart->lines[i].key, "same?") != 0 &&
					    strcmp(apart->lines[i].key, "inputs") != 0);
			assert_string_equal(
				help_panel(&p->figure, "Attention weights by distance")->absent,
				"no distances: the keys are not the tokens");
		}
		if (v->table)
			assert_int_equal(p->figure.panels[0].kind, PANEL_TABLE);
		if (!v->rectangles && !v->own)
			assert_string_equal(p->figure.panels[0].absent,
					    "not measured: queries are other tokens than keys");
	}
	const struct scene s = help_scene("matrix(from=cross.npy)", of_two);
	struct verdict v[VERDICTS_MAX];
	size_t n;
	assert_false(analysis_check(&s.setup, NULL, &arena, v, &n, &err));
	assert_non_null(strstr(err.text, "no claim"));
	assert_true(help_measure(&s.setup, NULL, &m, &err));
	assert_string_equal(m.shift.why, "n/a: queries are other tokens than keys");
}

/* In place of what a file of weights lacks they are shown, and which it is stands beside them. */
TEST(weights_of_a_file_are_said_to_lack_what_was_asked_for)
{
	static const char *const rows[][2] = {{"logits", "no logits · no bias"},
					      {"weights", "no bias"}};
	help_write_npy("wide.npy", help_attention(QUERIES, KEYS, 0), HELP_SHAPE(QUERIES, KEYS));
	for (size_t i = 0; i < 2; i++) {
		const struct picture *const p =
			help_picture(&arena, "matrix(from=wide.npy)",
				     arena_printf(&arena, "matrix %s\n", rows[i][0]));
		assert_string_equal(help_panel(&p->figure, "Attention weights")->note, rows[i][1]);
	}
}
