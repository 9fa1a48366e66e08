/* test_own_tensors.c: tensors of the user's own of any length and shape, looked at in every view. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help_arena.h"
#include "help_files.h"
#include "help_measure.h"
#include "help_setup.h"
#include "help_view.h"
#include "posviz/contact.h"
#include "posviz/layers.h"
#include "test.h"

FIXTURE(open_folder, close_folder)

/* ---- longer than what is measured on ------------------------------------------------------------------ */

/* The figure of a view with all that its panels say of measures. */
static struct picture *measured_picture(const char *expression, const char *view, struct arena *a)
{
	struct scene *const scene = arena_calloc(a, 1, sizeof *scene);
	struct picture *const p = arena_calloc(a, 1, sizeof *p);
	struct err err = {""};
	*scene = help_scene(expression, help_view(a, view));
	if (!picture_make(scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, a, p, &err) ||
	    !picture_measured(scene, BACKGROUND_LIGHT, NULL, NULL, a, p, &err))
		fail_msg("%s, view %s: %s", expression, view, err.text);
	return p;
}

enum { LONGER = MEASURE_TOKENS + 2 };

TEST_SAMPLED(every_view_shows_tensors_longer_than_what_is_measured, 1, 4)
{
	static const char *const expressions[] = {
		"matrix(from=long.npy)", "matrix(from=long.npy,as=bias)",
		"matrix(from=long.npy,as=logits)", "matrix(from=long.npy)+sinusoidal"};
	help_write_npy("long.npy", help_attention(LONGER, LONGER, 0), HELP_SHAPE(LONGER, LONGER));
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		for (size_t i = 0; i < 4 && !v->table && !v->cost; i++) { /* of all schemes */
			if ((i + (size_t)(at - views)) % test_parts != test_part)
				continue;
			struct arena a;
			arena_init(&a);
			const struct picture *const p =
				measured_picture(expressions[i], v->name, &a);
			help_figure_is_sound(&a, &p->figure, expressions[i]);
			arena_release(&a);
		}
}

/* With the same weights in every order the output moves with its tokens only where all weights are one. */
TEST(weights_are_measured_on_all_their_tokens)
{
	double *const even = arena_calloc(&arena, LONGER * LONGER, sizeof *even);
	struct measures m;
	struct err err = {""};
	for (size_t i = 0; i < (size_t)LONGER * LONGER; i++)
		even[i] = 1.0 / LONGER;
	help_write_npy("even.npy", even, HELP_SHAPE(LONGER, LONGER));
	help_write_npy("long.npy", help_attention(LONGER, LONGER, 0), HELP_SHAPE(LONGER, LONGER));
	const struct scene equal = help_scene("matrix(from=even.npy)", "");
	const struct scene other = help_scene("matrix(from=long.npy)", "");
	assert_true(help_measure(&equal.setup, NULL, &m, &err));
	assert_int_equal(m.on.units, LONGER);
	assert_true(m.equivariance.there && m.equivariance.value <= 1e-12);
	assert_true(help_measure(&other.setup, NULL, &m, &err));
	assert_true(m.equivariance.there && m.equivariance.value > 1e-3);
	assert_null(measure_show_on(&m.on, &arena));
}

/* A layer's weights on 32 of 130 tokens would be no rows. */
TEST(layers_of_long_weights_are_probed_on_all_their_tokens)
{
	struct layers layers;
	help_write_npy("long.npy", help_attention(LONGER, LONGER, 0), HELP_SHAPE(LONGER, LONGER));
	const struct scene s = help_scene("matrix(from=long.npy)+sinusoidal", "");
	struct built *const b = arena_calloc(&arena, 1, sizeof *b); /* points into itself */
	struct err err = {""};
	if (!setup_build(&s.setup, &arena, b, &err))
		fail_msg("%s", err.text);
	const struct layers_of of = {.setup = &s.setup, .built = b};
	layers_measure(&of, &arena, &layers);
	assert_null(layers.why);
	assert_int_equal(layers.units, LONGER);
	assert_true(layers.ways[LAYERS_AS_IS].absolute[1] > 0.5);
}

/* A repeated word is at all places that a file has weights for, however few others are repeated at. */
TEST(a_word_is_repeated_as_often_as_a_file_has_tokens)
{
	help_write_npy("long.npy", help_attention(LONGER, LONGER, 0), HELP_SHAPE(LONGER, LONGER));
	const struct picture *const p =
		measured_picture("matrix(from=long.npy)", "metrics", &arena);
	const struct panel *const repeated = help_panel(&p->figure, "A repeated word");
	if (repeated->absent)
		fail_msg("%s", repeated->absent);
	assert_int_equal(repeated->heatmap.values.rows, LONGER);
}

/* Even where nothing can be measured there is the picture, and the reason stands in place of the number. */
TEST(what_cannot_be_measured_refuses_no_picture)
{
	enum { MOST = MEASURE_WHOLE + 1 };
	struct measures m;
	struct err err = {""};
	help_write_npy("most.npy", help_attention(MOST, MOST, 0), HELP_SHAPE(MOST, MOST));
	const struct scene s = help_scene("matrix(from=most.npy)+causal", "");
	if (!help_measure(&s.setup, NULL, &m, &err))
		fail_msg("%s", err.text);
	assert_false(m.equivariance.there);
	assert_non_null(strstr(m.equivariance.why, "n/a: "));
	assert_non_null(strstr(m.equivariance.why, "has weights for 513 tokens"));
	assert_int_equal(m.n_prefix, s.setup.layers);
	assert_non_null(strstr(m.prefix[1].why, "n/a: "));
	measured_picture("matrix(from=most.npy)", "order", &arena);
}

/* ---- rows that come near 1 ------------------------------------------------------------------------------ */

/* Attention of a model on five tokens, rounded to two decimals: rows sum to 1.00 1.00 0.99 0.99 0.97. */
static const char rounded[] = "1.00,0.00,0.00,0.00,0.00\n"
			      "0.31,0.69,0.00,0.00,0.00\n"
			      "0.12,0.55,0.32,0.00,0.00\n"
			      "0.05,0.21,0.61,0.12,0.00\n"
			      "0.40,0.13,0.08,0.09,0.27\n";
static const char in_per_cent[] =
	"100,0,0,0,0\n31,69,0,0,0\n12,55,32,0,0\n5,21,61,12,0\n40,13,8,9,27\n";

static struct trace trace_of(const struct scene *s, struct built *b)
{
	const struct want want = {
		.kinds = WANT_WEIGHTS | WANT_LOGITS | WANT_BIAS, .head = -1, .layer = -1};
	struct trace trace;
	struct err err = {""};
	if (!evaluate(&s->setup, &want, NULL, NULL, &arena, b, &trace, &err))
		fail_msg("%s: %s", s->setup.scheme, err.text);
	return trace;
}

/* They are used as they are, and somebody is told. */
TEST(rounded_weights_are_weights_with_a_word)
{
	static const double last[] = {0.40, 0.13, 0.08, 0.09, 0.27};
	struct built b;
	help_write_text("rounded.csv", rounded);
	const struct scene s = help_scene("matrix(from=rounded.csv)", "");
	const struct trace t = trace_of(&s, &b);
	const struct mat w = t.layers[1].heads[3].weights;
	assert_null(t.layers[0].heads[0].logits.at);
	for (size_t i = 0; i < 5; i++)
		assert_true(fabs(mat_row(w, 4)[i] - last[i]) <= 1e-15);
	assert_non_null(b.note);
	assert_non_null(strstr(b.note, "\"rounded.csv\": row 5 sums to 0.97"));
	assert_non_null(strstr(b.note, "as=bias"));
}

TEST(weights_in_per_cent_are_divided_by_100)
{
	struct built b;
	help_write_text("per-cent.csv", in_per_cent);
	const struct scene s = help_scene("matrix(from=per-cent.csv,as=percent)", "");
	const struct trace t = trace_of(&s, &b);
	assert_null(t.layers[0].heads[0].logits.at);
	assert_true(fabs(mat_row(t.layers[0].heads[0].weights, 3)[2] - 0.61) <= 1e-15);
	assert_null(b.note);
}

/* Which weights are told from a bias by their numbers alone, which are asked about, and which are neither. */
TEST(rows_near_1_are_weights_or_asked_about)
{
	enum { BIAS, WEIGHTS, NOTED, ASKED };
	static const struct {
		const char *text;
		int is;
		const char *says;
	} rows[] = {
		{"1,0\n0.5,0.5\n", WEIGHTS, ""},
		{"0.995,0\n0.5,0.51\n", WEIGHTS, ""},
		{"0,0\n0.5,0.5\n", WEIGHTS, ""},
		{rounded, NOTED, "row 5 sums to 0.97"},
		{"1,0,0\n0.3,0.3,0.3\n0.7,0.2,0.2\n", NOTED, "of 1 decimal;"},
		{"0.333,0.333,0.331\n1,0,0\n0.98,0.015,0.0225\n", ASKED, "row 3 sums to 1.02"},
		/* a third of the row is with a sink; 0.62 is nothing that decimals drop */
		{"0.4,0.22\n0.31,0.31\n", ASKED, "row 1 sums to 0.62"},
		{"0.9,0\n0.5,0.5\n", NOTED, "row 1 sums to 0.9"},
		{"0,0\n0.9,0\n0.5,0.5\n", NOTED, "row 2 sums to 0.9"},
		{"0.9013,0\n0.5,0.5\n", ASKED, "row 1 sums to 0.9"},
		{"0.6,0.45001\n0.5,0.5\n", ASKED, "row 1 sums to 1.05"},
		{in_per_cent, ASKED, "as=percent"},
		{"99.9,0.2\n31,69\n", ASKED, "as=percent"},
		{"33.41234,59.1\n31,69\n", ASKED, "as=percent"},
		{"0,0\n0,0\n", BIAS, ""},
		{"1,0\n1,1\n", BIAS, ""},
		{"1.9,0\n0.5,0.5\n", BIAS, ""},
		/* numbers that were rounded to these sum to 1.1 at least */
		{"0.6,0.6\n0.5,0.5\n", BIAS, ""},
		/* rounded to one decimal they are 1.1 at least */
		{"0.6,0.6\n0.5,0.5\n", BIAS, ""},
		{"2,-1\n0.5,0.5\n", BIAS, ""},
		{"0.5,-inf\n0.5,0.5\n", BIAS, ""},
		{"3,2,1\n2,3,2\n1,2,3\n", BIAS, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct built b;
		struct err err = {""};
		help_write_text("rows.csv", rows[i].text);
		const struct scene s = help_scene("matrix(from=rows.csv)", "");
		const bool ok = setup_build(&s.setup, &arena, &b, &err);
		const char *const says = ok ? b.note ? b.note : "" : err.text;
		if (ok != (rows[i].is != ASKED) || !strstr(says, rows[i].says) ||
		    (ok && (b.note != NULL) != (rows[i].is == NOTED)) ||
		    (ok && b.members[0].hooks->no_logits != (rows[i].is != BIAS)))
			fail_msg("%s: %s", rows[i].text, says);
		for (const char *const *as =
			     (const char *const[]){"bias", "logits", "weights", NULL};
		     *as && rows[i].is == ASKED; as++) {
			const struct scene said = help_scene(
				arena_printf(&arena, "matrix(from=rows.csv,as=%s)", *as), "");
			trace_of(&said, &b);
		}
	}
}

/* Of many heads and layers the row is named with its own. */
TEST(the_worst_row_is_named_with_head_and_layer)
{
	double at[2 * 3 * 2 * 2];
	struct built b;
	struct err err = {""};
	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		at[i] = 0.5;
	at[((1 * 3 + 2) * 2 + 1) * 2] = 0.123456;
	help_write_npy("heads.npy", at, HELP_SHAPE(2, 3, 2, 2));
	const struct scene s =
		help_scene("matrix(from=heads.npy)", "d-model 12\nheads 3\nlayers 2");
	assert_false(setup_build(&s.setup, &arena, &b, &err));
	assert_non_null(strstr(err.text, "layer 2, head 3, row 2 sums to 0.623"));
}

/* ---- learned tables --------------------------------------------------------------------------------------- */

static const struct panel *vectors_panel(const char *file, size_t rows, const char *name)
{
	const struct picture *const p = help_picture(
		&arena, "learned",
		arena_printf(&arena,
			     "view vectors\nsentence a b c\nd-model 8\nheads 1\nt-max %zu\n"
			     "params %s\nmap p=data\n",
			     rows, file));
	for (size_t i = 0; i < p->figure.n; i++)
		if (p->figure.panels[i].name && strcmp(p->figure.panels[i].name, name) == 0)
			return &p->figure.panels[i];
	fail_msg("there is no panel %s", name);
	return NULL;
}

/* Of a model's table all rows are shown, and of one beyond what is drawn well a sample that says so. */
TEST(a_learned_table_is_shown_whole)
{
	enum { ROWS = 700, MANY = 2049, WIDTH = 8 };
	double *const at = arena_calloc(&arena, MANY * WIDTH, sizeof *at);
	for (size_t i = 0; i < (size_t)MANY * WIDTH; i++)
		at[i] = sin((double)(i * i % 1009));
	help_write_npy("table.npy", at, HELP_SHAPE(ROWS, WIDTH));
	help_write_npy("many.npy", at, HELP_SHAPE(MANY, WIDTH));
	const struct mat table = vectors_panel("table.npy", ROWS, "table")->heatmap.values;
	const struct mat cosine = vectors_panel("table.npy", ROWS, "cosine")->heatmap.values;
	double product = 0, first = 0, second = 0;
	for (size_t k = 0; k < WIDTH; k++) {
		const double x = at[(size_t)688 * WIDTH + k], y = at[(size_t)3 * WIDTH + k];
		product += x * y;
		first += x * x;
		second += y * y;
	}
	assert_int_equal(table.rows, ROWS);
	assert_int_equal(cosine.rows, ROWS);
	assert_int_equal(cosine.cols, ROWS);
	assert_true(fabs(mat_row(table, 688)[5] - at[688 * WIDTH + 5]) <= 1e-15);
	assert_true(fabs(mat_row(cosine, 688)[3] - product / sqrt(first * second)) <= 1e-12);
	const struct panel *const part = vectors_panel("many.npy", MANY, "table");
	assert_int_equal(part->heatmap.values.rows, 512);
	assert_non_null(strstr(part->note, "512 of 2049 rows"));
}

/* ---- queries and other keys ------------------------------------------------------------------------------- */

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
	const struct trace t = trace_of(&s, &b);
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
	const struct trace t = trace_of(&plain, &b);
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

/* As many keys as queries are other tokens all the same, where somebody names them. */
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
	const struct trace t = trace_of(&s, &b);
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
			arena_printf(&arena, "%sview %s\n%s", of_two, v->name,
				     v->compare ? "compare matrix(from=cross.npy,as=logits)\n"
						: ""));
		help_figure_is_sound(&arena, &p->figure, v->name);
		if (v->compare)
			assert_string_equal(
				help_panel(&p->figure, "Attention weights by distance")->absent,
				"no distances: the keys are not the units");
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

/* ---- contact sheets ----------------------------------------------------------------------------------- */

static const struct contact *sheet_of(const char *const *expressions, size_t n, struct figure *out)
{
	struct contact_wish *const wishes = arena_calloc(&arena, n, sizeof *wishes);
	struct scene *const scene = arena_calloc(&arena, 1, sizeof *scene);
	const char *left_out;
	struct err err = {""};
	*scene = help_scene("none", "");
	scene->setup.asked.sentence = false;
	for (size_t i = 0; i < n; i++)
		wishes[i] = (struct contact_wish){expressions[i], expressions[i], "All", false};
	const struct contact_request r = {.wishes = wishes,
					  .n = n,
					  .scenes = scene,
					  .n_scenes = 1,
					  .background = BACKGROUND_LIGHT,
					  .command = "posviz sheet"};
	if (!contact_make(&r, &arena, out, &left_out, &err))
		fail_msg("%s", err.text);
	return out->contact;
}

static void write_small(void)
{
	static const double at[] = {0.5, 0.25, 0.25, 0, 1, 0},
			    heads[] = {0, 1, 1, 0, .5, .5, 0, 1, 1, 0, .5, .5};
	help_write_npy("wide.npy", at, HELP_SHAPE(2, 3));
	help_write_npy("heads.npy", heads, HELP_SHAPE(2, 3, 2));
	help_write_npy("square.npy", heads, HELP_SHAPE(2, 2));
}

/* A sheet of files says what they have, and nothing of a sentence, heads or units that no number is of. */
TEST(a_sheet_of_files_says_what_they_have)
{
	static const char query[] = "   ·   query t down";
	static const struct {
		const char *of[2];
		size_t n;
		const char *what, *caption;
	} rows[] = {
		{{"matrix(from=wide.npy)"}, 1, "Attention weights", "2 queries · 3 keys"},
		{{"matrix(from=wide.npy)", "matrix(from=wide.npy,as=logits)"},
		 2,
		 "Attention weights",
		 "2 queries · 3 keys"},
		{{"matrix(from=wide.npy)", "matrix(from=heads.npy)"},
		 2,
		 "Attention weights, head 1 of 2",
		 "2 queries · 3 keys and 3 queries · 2 keys · h 2"},
		{{"matrix(from=square.npy)"}, 1, "Attention weights", "“1 2” n 2"},
		{{"matrix(from=square.npy,as=bias)"}, 1, "Position bias", "“1 2” n 2"},
	};
	write_small();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure f;
		sheet_of(rows[i].of, rows[i].n, &f);
		const char *const begin = arena_printf(&arena, "%s%s", rows[i].what, query);
		if (strncmp(f.subtitle, begin, strlen(begin)) != 0 ||
		    strcmp(f.caption, rows[i].caption) != 0)
			fail_msg("%s: %s, %s", rows[i].of[0], f.subtitle, f.caption);
	}
}

/* Beside a scheme that has these, the map of a file says what it is on. */
TEST(a_file_beside_schemes_says_its_own_tokens)
{
	struct figure f;
	write_small();
	const struct contact *const k =
		sheet_of((const char *const[]){"matrix(from=wide.npy)", "alibi",
					       "matrix(from=square.npy,as=bias)"},
			 3, &f);
	assert_string_equal(k->entries[0].note, "weights, 2 queries · 3 keys");
	assert_null(k->entries[1].note);
	assert_string_equal(k->entries[2].note, "2 own tokens");
	assert_non_null(strstr(f.subtitle, "Position bias, head 1 of 4   ·   the same unit"));
	assert_non_null(strstr(f.caption, "” n 9 · d 64 · h 4 · seed 0"));
}
