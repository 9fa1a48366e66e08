/* test_own_tensors.c: tensors of the user's own of any length and shape, looked at in every view. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "help_arena.h"
#include "help_files.h"
#include "help_measure.h"
#include "help_setup.h"
#include "help_view.h"
#include "posviz/analysis/layers.h"
#include "posviz/app/snapshot.h"
#include "posviz/picture/sheet.h"
#include "posviz/plot/contact.h"
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
			help_figure_is_sound(&a, &p->figure,
					     arena_printf(&a, "%s, %s", v->name, expressions[i]));
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
	const struct panel *const repeated = help_named_panel(&p->figure, "repeated");
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

/* They are used as they are, and somebody is told. */
TEST(rounded_weights_are_weights_with_a_word)
{
	static const double last[] = {0.40, 0.13, 0.08, 0.09, 0.27};
	struct built b;
	help_write_text("rounded.csv", rounded);
	const struct scene s = help_scene("matrix(from=rounded.csv)", "");
	const struct trace t = help_run(&s, &b);
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
	const struct trace t = help_run(&s, &b);
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
			help_run(&said, &b);
		}
	}
}

/* A row of many heads and layers is named with these. */
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

/* A model's table shows all rows, and one beyond what is drawn well a sample that says so. */
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

/* ---- files without heads or layers ---------------------------------------------------------------------- */

/* A file with one matrix shows it, and what it lacks stands beside it; one with either axis has no grid. */
TEST(heads_shows_what_a_file_has)
{
	static const struct {
		const char *file, *of;
		size_t items;
		const char *note, *title;
	} rows[] = {
		{"one.npy", "layer", 1,
		 "the file has no axes of heads and layers: there is one matrix", "matrix"},
		{"one.npy", "grid", 1,
		 "the file has no axes of heads and layers: there is one matrix", "matrix"},
		{"wide.npy", "head", 1,
		 "the file has no axes of heads and layers: there is one matrix", "matrix"},
		{"heads.npy", "layer", 4, "3 heads", "head 1"},
		{"heads.npy", "grid", 4, "3 heads · no axis of layers", "head 1"},
		{"heads.npy", "head", 1,
		 "the file has no axis of layers: there is one matrix for each head", "matrix"},
		{"layers.npy", "layer", 1,
		 "the file has no axis of heads: there is one matrix in each layer", "matrix"},
		{"layers.npy", "head", 3, "2 layers", "layer 1"},
		{"layers.npy", "grid", 3, "2 layers · no axis of heads", "layer 1"},
	};
	enum { N = 4 };
	help_write_npy("one.npy", help_attention(N, N, 0), HELP_SHAPE(N, N));
	help_write_npy("wide.npy", help_attention(N, N, 0), HELP_SHAPE(2, 2 * N));
	help_write_npy("heads.npy", help_attention(3 * N, N, 0), HELP_SHAPE(3, N, N));
	help_write_npy("layers.npy", help_attention(2 * N, N, 0), HELP_SHAPE(2, 1, N, N));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const bool heads = strcmp(rows[i].file, "heads.npy") == 0;
		const struct picture *const p = help_picture(
			&arena, arena_printf(&arena, "matrix(from=%s,as=weights)", rows[i].file),
			arena_printf(&arena, "%sview heads\nmatrix weights\nheads-of %s\n",
				     heads ? "d-model 12\nheads 3\n" : "", rows[i].of));
		const struct panel *const panel = &p->figure.panels[0];
		if (panel->absent || panel->multiples.n != rows[i].items ||
		    strcmp(panel->note, rows[i].note) != 0 ||
		    strcmp(panel->multiples.items[0].title, rows[i].title) != 0)
			fail_msg("%s, of %s: %zu, %s, %s", rows[i].file, rows[i].of,
				 panel->multiples.n, panel->note,
				 panel->absent ? panel->absent : panel->multiples.items[0].title);
	}
}

/* Beside a model the term of a file has no head where the file has none. */
TEST(a_term_of_a_file_has_the_file_s_axes)
{
	static const struct {
		const char *file, *note;
	} rows[] = {{"one.npy", ""}, {"heads.npy", "head 2"}};
	enum { N = 4 };
	help_write_npy("one.npy", help_attention(N, N, 0), HELP_SHAPE(N, N));
	help_write_npy("heads.npy", help_attention(4 * N, N, 0), HELP_SHAPE(4, N, N));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct picture *const p = help_picture(
			&arena, arena_printf(&arena, "matrix(from=%s,as=bias)+rope", rows[i].file),
			"view terms\nhead 2\nterms-off matrix\nsentence a b c d\n");
		const struct panel *at = NULL;
		for (size_t k = 0; k < p->figure.n; k++)
			if (p->figure.panels[k].term &&
			    strcmp(p->figure.panels[k].term, "matrix") == 0)
				at = &p->figure.panels[k];
		assert_non_null(at);
		assert_string_equal(at->note ? at->note : "", rows[i].note);
	}
}

/* ---- several files -------------------------------------------------------------------------------------- */

static void write_in(const char *folder, const char *name)
{
	static const double at[] = {1, 0, 0.5, 0.5};
	mkdir(folder, 0700);
	help_write_npy(arena_printf(&arena, "%s/%s", folder, name), at, HELP_SHAPE(2, 2));
}

/* Each by its file where that tells it, and with a folder more where another has that name. */
TEST(files_are_told_apart_by_as_little_as_does_it)
{
	static const struct {
		const char *files[COMPARE_MAX], *names[COMPARE_MAX];
	} rows[] = {
		{{"a/one.npy", "a/two.npy"}, {"one", "two"}},
		{{"a/one.npy", "b/one.npy"}, {"a/one.npy", "b/one.npy"}},
		{{"a/one.npy", "b/one.npy", "a/two.npy"}, {"a/one.npy", "b/one.npy", "two.npy"}},
		{{"a/c/one.npy", "b/c/one.npy", "a/one.npy"},
		 {"a/c/one.npy", "b/c/one.npy", "a/one.npy"}},
	};
	static const char *const folders[] = {"a", "b", "a/c", "b/c"};
	for (size_t i = 0; i < 4; i++)
		write_in(folders[i], "one.npy");
	write_in("a", "two.npy");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene scene =
			help_scene(arena_printf(&arena, "matrix(from=%s)", rows[i].files[0]),
				   "view compare\n");
		struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
		struct err err = {""};
		const char *compare = "";
		for (size_t k = 1; k < COMPARE_MAX && rows[i].files[k]; k++)
			compare = arena_printf(&arena, "%s%smatrix(from=%s)", compare,
					       k > 1 ? "; " : "", rows[i].files[k]);
		help_set(&scene, "compare", compare);
		scene_make_absolute(&scene, &arena);
		if (!picture_make(&scene, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p,
				  &err))
			fail_msg("%s", err.text);
		for (size_t k = 0; k < p->n_compared; k++)
			if (strcmp(p->compared[k].name, rows[i].names[k]) != 0)
				fail_msg("row %zu: %s, not %s", i, p->compared[k].name,
					 rows[i].names[k]);
	}
	remove("a/two.npy");
	for (size_t i = 4; i-- > 0;) {
		remove(arena_printf(&arena, "%s/one.npy", folders[i]));
		remove(folders[i]);
	}
}

/* A picture made by a version that called what is compared by its expression, showed each head of a file without
 * heads, and had a difference of orders without what is less what. */
static void expect_earlier(const char *expression, const char *lines, const char *title,
			   size_t matrices)
{
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	const struct scene scene = help_scene(expression, lines);
	struct scene again;
	struct verification *rows;
	const char *version;
	struct err err = {""};
	char *data;
	size_t len, n;
	if (!picture_make_earlier(&scene, BACKGROUND_LIGHT, NULL, &arena, p, &err) ||
	    !snapshot_png(&scene, &p->figure, NULL, &arena, &data, &len, NULL, &err) ||
	    !snapshot_verify(data, len, NULL, &arena, 1e15, &again, &rows, &n, &version, &err))
		fail_msg("%s", err.text);
	assert_int_equal(n, matrices);
	assert_string_equal(rows[n - 1].title, title);
	for (size_t i = 0; i < n; i++)
		if (!rows[i].ok)
			fail_msg("%s: %s", rows[i].title, rows[i].trouble);
}

TEST(pictures_of_earlier_versions_are_still_right)
{
	enum { N = 4 };
	help_write_npy("first.npy", help_attention(N, N, 0), HELP_SHAPE(N, N));
	help_write_npy("second.npy", help_attention(N, N, 3), HELP_SHAPE(N, N));
	expect_earlier("matrix(from=first.npy)", "view compare\ncompare matrix(from=second.npy)\n",
		       "2 matrix(from=second.npy)", 3);
	expect_earlier("matrix(from=first.npy)", "view heads\nmatrix weights\n",
		       "Attention weights", 5);
	/* The difference of a trial stood in the reverse order. */
	expect_earlier("rope", "view order\n", "A(X) as written", 3);
	expect_earlier("rope", "view order\norder 2 1 3 4 5 6 7 8 9\n", "A(X) as written", 3);
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

/* The memory of a sheet is that of the files' own sizes: 1000 x 1000 cells take 8 MB, whatever the sentence. */
TEST(a_sheet_counts_the_cells_of_files)
{
	enum { MANY = 1000 };
	struct contact_wish wish = {"matrix(from=large.npy)", "large", "All", false};
	struct scene *const scene = arena_calloc(&arena, 1, sizeof *scene);
	struct figure *const f = arena_calloc(&arena, 1, sizeof *f);
	const char *left_out;
	struct err err = {""};
	help_write_npy("large.npy", help_attention(MANY, MANY, 0), HELP_SHAPE(MANY, MANY));
	*scene = help_scene("none", "memory 7M\n");
	const struct contact_request r = {.wishes = &wish,
					  .n = 1,
					  .scenes = scene,
					  .n_scenes = 1,
					  .background = BACKGROUND_LIGHT,
					  .command = "posviz sheet"};
	assert_false(contact_make(&r, &arena, f, &left_out, &err));
	assert_string_equal(err.text,
			    "sheet: the maps of 1 scheme take about 8 MB, above the limit of 7 "
			    "MB; fewer tokens or a larger --memory would be right");
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
	assert_non_null(
		strstr(f.subtitle, "Position bias, head 1 of 4   ·   the same token vector"));
	assert_non_null(strstr(f.caption, "” n 9 · d 64 · h 4 · seed 0"));
}
