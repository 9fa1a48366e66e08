/* test_view_relation.c: the view Relation, and structures in the views Explore and Order, over relations
 * and structures made by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "help_canvas.h"
#include "help_view.h"
#include "posviz/plot/canvas.h"

static const char sentence[] = "sentence The cat chased the dog .\n";
static const long parent[] = {1, 2, -1, 4, 2, 2}, node[] = {0, 1, 2, 3, 4, 5};
static const size_t branch[6];
static const char *words[] = {"The", "cat", "chased", "the", "dog", "."};
static const char *labels[] = {"det", "nsubj", "obj", "punct"};
static struct edge edges[] = {{1, 0, 0}, {2, 1, 1}, {4, 3, 0}, {2, 4, 2}, {2, 5, 3}};
static const struct structure governed = {.kind = STRUCTURE_DEPENDENCY,
					  .n = 6,
					  .names = words,
					  .parent = (long *)(uintptr_t)parent,
					  .branch = (size_t *)(uintptr_t)branch,
					  .edges = edges,
					  .n_edges = 5,
					  .edge_labels = labels,
					  .n_labels = 4,
					  .directed = true,
					  .root = 2,
					  .tokens = 6,
					  .note = "made by hand"};

/* How much deeper s is than t: depths 2 1 0 2 1 1. */
static const int32_t depth[] = {2, 1, 0, 2, 1, 1};

static const char *says(const struct relation *r, int32_t value, const struct relation_cell *at,
			struct arena *a)
{
	(void)r, (void)at;
	if (value == RELATION_NO_PATH)
		return "no way there";
	return value == 0
		       ? "level"
		       : arena_printf(a, "%d %s", abs((int)value), value > 0 ? "deeper" : "higher");
}

static struct relation by_depth(struct arena *a)
{
	int32_t *at = arena_calloc(a, 36, sizeof *at);
	for (size_t i = 0; i < 36; i++)
		at[i] = depth[i % 6] - depth[i / 6];
	return (struct relation){.title = "difference of depths",
				 .n = 6,
				 .at = at,
				 .says = says,
				 .note = "of a tree"};
}

struct shown {
	struct arena a;
	struct scene scene;
	struct picture *picture;
};

static int begin(void **state)
{
	struct shown *s = calloc(1, sizeof *s);
	if (!s)
		return -1;
	arena_init(&s->a);
	*state = s;
	return 0;
}

static int end(void **state)
{
	struct shown *s = *state;
	arena_release(&s->a);
	free(s);
	return 0;
}

FIXTURE(begin, end)

/* The picture of a view with this relation and structure in the place of what the scheme made. */
static const struct figure *show(struct shown *s, const char *view, const char *lines,
				 const struct structure *structure, const struct relation *relation,
				 const struct measures *measures)
{
	const char *all = arena_printf(&s->a, "%sview %s\n%s", sentence, view, lines);
	s->scene = help_scene("shaw", all);
	s->picture = help_picture(&s->a, "shaw", all);
	struct picture *p = s->picture;
	p->built.model_input.structure = structure;
	p->built.model_input.node = structure ? node : NULL;
	p->trace.relation = relation ? *relation : (struct relation){0};
	p->kept = NULL;
	picture_redraw(&s->scene, measures, false, BACKGROUND_LIGHT, &s->a, p, NULL);
	help_figure_is_sound(&s->a, &p->figure, view);
	return &p->figure;
}

static const char *line_of(const struct panel *card, const char *key, bool note)
{
	for (size_t i = 0; i < card->card.n; i++)
		if (strcmp(card->card.lines[i].key, key) == 0)
			return note ? card->card.lines[i].note : card->card.lines[i].value;
	fail_msg("the card has no line \"%s\"", key);
	return NULL;
}

static const struct panel *of_kind(const struct figure *f, enum panel_kind kind)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == kind)
			return &f->panels[i];
	return NULL;
}

TEST(cells_hold_whole_numbers)
{
	struct shown *s = *state;
	const struct relation r = by_depth(&s->a);
	const struct figure *f = show(s, "relation", "row 3\ncol 1\n", &governed, &r, NULL);
	const struct heatmap *h = &of_kind(f, PANEL_HEATMAP)->heatmap;
	assert_true(h->integers && !h->masked && h->scale.diverging);
	for (size_t i = 0; i < 36; i++)
		assert_true(h->values.at[i] == depth[i % 6] - depth[i / 6]);
	assert_true(h->has_cursor && h->row == 2 && h->col == 0);
}

/* Depths 2 1 0 2 1 1: 0 in 1+9+4 pairs, ±1 in 3·1+2·3 each way, ±2 in 2 each way. */
TEST(values_are_counted)
{
	struct shown *s = *state;
	const struct relation r = by_depth(&s->a);
	const struct figure *f = show(s, "relation", "row 3\ncol 1\n", &governed, &r, NULL);
	const struct bars *b = &of_kind(f, PANEL_BARS)->bars;
	static const double counts[] = {2, 9, 14, 9, 2};
	static const char *const names[] = {"−2", "−1", "0", "1", "2"};
	assert_int_equal(b->n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_true(b->values[i] == counts[i]);
		assert_string_equal(b->labels[i], names[i]);
	}
	assert_true(b->has_cursor && b->cursor == 4);
}

TEST(the_card_says_what_the_cell_means)
{
	struct shown *s = *state;
	const struct relation r = by_depth(&s->a);
	const struct figure *f = show(s, "relation", "row 3\ncol 1\n", &governed, &r, NULL);
	const struct panel *card = of_kind(f, PANEL_CARD);
	assert_string_equal(line_of(card, "this cell", false), "chased → The: 2");
	assert_string_equal(line_of(card, "this cell", true), "2 deeper");
	assert_string_equal(line_of(card, "values", false), "5 different, −2 to 2");
	assert_string_equal(line_of(card, "mirror", false), "antisymmetric");
	assert_string_equal(line_of(card, "mirror", true),
			    "(t,s) and (s,t): equal in 0 of 15, opposite in 11, 0 both ways in 4");
	assert_string_equal(line_of(card, "note", false), "of a tree");
	assert_string_equal(line_of(card, "structure", false), "dependency");
	assert_string_equal(line_of(card, "structure", true), "made by hand");
}

TEST(a_mirror_is_what_it_is)
{
	struct shown *s = *state;
	struct relation r = by_depth(&s->a);
	int32_t *at = arena_calloc(&s->a, 36, sizeof *at);
	for (size_t i = 0; i < 36; i++)
		at[i] = abs((int)r.at[i]);
	r.at = at;
	const struct figure *f = show(s, "relation", "", &governed, &r, NULL);
	assert_string_equal(line_of(of_kind(f, PANEL_CARD), "mirror", false), "symmetric");
	assert_false(of_kind(f, PANEL_HEATMAP)->heatmap.scale.diverging);
	assert_string_equal(line_of(of_kind(f, PANEL_CARD), "mirror", true),
			    "(t,s) and (s,t): equal in 11 of 15, opposite in 0, 0 both ways in 4");
	at[1] = 7;
	f = show(s, "relation", "", &governed, &r, NULL);
	assert_string_equal(line_of(of_kind(f, PANEL_CARD), "mirror", false), "neither");
	memset(at, 0, 36 * sizeof *at);
	f = show(s, "relation", "", &governed, &r, NULL);
	assert_string_equal(line_of(of_kind(f, PANEL_CARD), "mirror", false), "symmetric");
}

TEST(what_has_no_path_is_hatched_and_said)
{
	struct shown *s = *state;
	struct relation r = by_depth(&s->a);
	int32_t *at = arena_calloc(&s->a, 36, sizeof *at);
	memcpy(at, r.at, 36 * sizeof *at);
	at[1] = at[6] = RELATION_NO_PATH;
	r.at = at;
	const struct figure *f = show(s, "relation", "row 1\ncol 2\n", &governed, &r, NULL);
	const struct panel *p = of_kind(f, PANEL_HEATMAP);
	assert_true(p->heatmap.masked[1] && p->heatmap.masked[6] && !p->heatmap.masked[0]);
	assert_string_equal(p->heatmap.masked_as, "no way there");
	const struct panel *card = of_kind(f, PANEL_CARD);
	assert_string_equal(line_of(card, "this cell", false), "The → cat: none");
	assert_string_equal(line_of(card, "this cell", true), "no way there");
	assert_string_equal(line_of(card, "values", true), "of 36 pairs, 2 without");
	assert_string_equal(line_of(card, "mirror", false), "antisymmetric");
}

TEST(paths_are_words_in_their_cells)
{
	struct shown *s = *state;
	static const char *const names[] = {"up:ARG0", "down:ARG1", "no path"};
	static const int up_down[] = {0, 1}, none[] = {2};
	struct label_path *paths = arena_calloc(&s->a, 36, sizeof *paths);
	paths[8] = (struct label_path){2, up_down}; /* second row, third column */
	paths[9] = (struct label_path){1, none};
	const struct relation r = {
		.title = "labels", .n = 6, .paths = paths, .labels = names, .n_labels = 3};
	const struct figure *f = show(s, "relation", "row 2\ncol 3\n", &governed, &r, NULL);
	const struct heatmap *h = &of_kind(f, PANEL_HEATMAP)->heatmap;
	assert_true(h->values.at[8] == 2);
	assert_string_equal(h->words[8], "↑ARG0↓ARG1");
	assert_true(h->masked[9] && h->words[9] == NULL);
	assert_false(h->masked[7]); /* a token and itself: the empty path */
	const struct panel *card = of_kind(f, PANEL_CARD);
	assert_string_equal(line_of(card, "its path", false), "up:ARG0 down:ARG1");
	assert_string_equal(line_of(card, "this cell", true), "labels");
	/* Where they have no room the number stands. */
	for (int cols = 30; cols <= 120; cols += 90) {
		struct canvas *c = canvas_new(&s->a, 20, cols, TIER_DIRECT, false, true);
		canvas_panel(c, (struct rect){0, 0, 20, cols}, of_kind(f, PANEL_HEATMAP), false,
			     NULL, NULL);
		bool found = false;
		for (int i = 0; i < c->rows * c->cols; i++)
			found |= strcmp(c->cells[i].at, "↑") == 0;
		assert_int_equal(found, cols == 120);
	}
}

/* A node's own label is no step; the way back has the labels in reverse, each turned round. */
TEST(the_way_back_is_seen_and_staying_is_no_step)
{
	struct shown *s = *state;
	static const char *const names[] = {"up:a", "down:a", "None", "up:b", "down:b"};
	static const int there[] = {0, 4}, back[] = {3, 1}, self[] = {2};
	struct label_path *paths = arena_calloc(&s->a, 36, sizeof *paths);
	for (size_t i = 0; i < 36; i++)
		paths[i] = i / 6 == i % 6  ? (struct label_path){1, self}
			   : i / 6 < i % 6 ? (struct label_path){2, there}
					   : (struct label_path){2, back};
	paths[1] = paths[6] = paths[0]; /* the first two tokens are pieces of one node */
	const struct relation r = {
		.title = "labels", .n = 6, .paths = paths, .labels = names, .n_labels = 5};
	const struct figure *f = show(s, "relation", "", &governed, &r, NULL);
	assert_true(of_kind(f, PANEL_HEATMAP)->heatmap.values.at[7] == 0);
	assert_true(of_kind(f, PANEL_HEATMAP)->heatmap.values.at[8] == 2);
	assert_true(of_kind(f, PANEL_HEATMAP)->heatmap.values.at[1] == 0);
	const struct panel *card = of_kind(f, PANEL_CARD);
	assert_string_equal(line_of(card, "mirror", false), "the way back");
	assert_string_equal(line_of(card, "mirror", true),
			    "(t,s) and (s,t): the same labels in 0 of 15, the other's read "
			    "backwards in 14, on one node in 1");
}

/* −1 counts nothing: it is on no scale, and written by its name. */
TEST(a_value_with_a_name_is_no_number)
{
	struct shown *s = *state;
	static const struct relation_name names[] = {{-1, "[VNode]", "V"}, {0}};
	int32_t *at = arena_calloc(&s->a, 36, sizeof *at);
	for (size_t i = 0; i < 36; i++)
		at[i] = i < 6 || i % 6 == 0 ? -1 : i / 6 == i % 6 ? 0 : 2;
	const struct relation r = {.title = "steps", .n = 6, .at = at, .names = names};
	const struct figure *f = show(s, "relation", "row 1\ncol 3\n", &governed, &r, NULL);
	const struct heatmap *h = &of_kind(f, PANEL_HEATMAP)->heatmap;
	assert_true(h->scale.lo == 0 && h->scale.hi == 2 && !h->scale.diverging);
	assert_int_equal(h->n_names, 1);
	assert_string_equal(heatmap_name(h, -1)->name, "[VNode]");
	assert_null(heatmap_name(h, 0));
	const struct bars *b = &of_kind(f, PANEL_BARS)->bars;
	assert_int_equal(b->n, 3);
	assert_string_equal(b->labels[0], "0");
	assert_string_equal(b->labels[2], "[VNode]");
	assert_true(b->values[2] == 11 && b->has_cursor && b->cursor == 2);
	const struct panel *card = of_kind(f, PANEL_CARD);
	assert_string_equal(line_of(card, "this cell", false), "The → chased: [VNode]");
	assert_string_equal(line_of(card, "values", false), "3 different, 0 to 2, [VNode]");
}

/* ---- positions at the tokens ---- */

static void has_row(const struct figure *f, const char *title, const char *const *want)
{
	const struct drawing *d = &of_kind(f, PANEL_STRUCTURE)->drawing;
	for (size_t i = 0; i < d->n_below; i++)
		if (strcmp(d->below[i].title, title) == 0) {
			for (size_t k = 0; k < 6; k++)
				assert_string_equal(d->below[i].text[k], want[k]);
			return;
		}
	fail_msg("no row \"%s\"", title);
}

/* Numbers of single tokens, columns that a scheme has added, else the depth. */
TEST(what_is_known_of_a_token_stands_at_it)
{
	struct shown *s = *state;
	static const char *const depths[] = {"2", "1", "0", "2", "1", "1"};
	static const char *const back[] = {"1", "1", "2", "0", "1", "2"};
	static const char *const own[] = {"3", "4", "5", "6", "7", "8"};
	static const char *const ways[] = {"↑a", "ε", "ε", "ε", "ε", "↑a"};
	const struct relation r = by_depth(&s->a);
	has_row(show(s, "relation", "", &governed, &r, NULL), "depth", depths);
	has_row(show(s, "explore", "order reverse\n", &governed, NULL, NULL), "depth", back);
	int32_t *at = arena_calloc(&s->a, 36, sizeof *at);
	struct label_path *paths = arena_calloc(&s->a, 36, sizeof *paths);
	static const char *const names[] = {"up:a"};
	static const int up[] = {0};
	for (size_t i = 0; i < 36; i++)
		at[i] = i / 6 == i % 6 ? (int32_t)(i % 6 + 3) : RELATION_NO_PATH;
	paths[0] = paths[35] = (struct label_path){1, up};
	struct relation single = {.title = "of a token",
				  .n = 6,
				  .of_tokens = true,
				  .at = at,
				  .n_labels = 1,
				  .labels = names};
	const struct figure *f = show(s, "relation", "", &governed, &single, NULL);
	has_row(f, "of a token", own);
	assert_int_equal(of_kind(f, PANEL_STRUCTURE)->drawing.n_below, 1);
	single.paths = paths;
	has_row(show(s, "relation", "", &governed, &single, NULL), "of a token", ways);
	static const double hops[] = {3, 4, 5, 6, 7, 8};
	show(s, "relation", "", &governed, &r, NULL);
	struct trace *t = &s->picture->trace;
	t->columns[t->n_columns++] = (struct column){"hops", hops};
	picture_redraw(&s->scene, NULL, false, BACKGROUND_LIGHT, &s->a, s->picture, NULL);
	has_row(&s->picture->figure, "hops", own);
	/* Without a structure the depth in a chain is the place. */
	f = show(s, "relation", "", NULL, &r, NULL);
	assert_int_equal(of_kind(f, PANEL_STRUCTURE)->drawing.n_below, 0);
}

/* Of its own kind: read off structures, or off places. */
/* Twelve by name, of the same kind, and how many more there are. */
TEST(a_scheme_without_a_relation_names_those_that_have_one)
{
	struct shown *s = *state;
	static const char *const schemes[] = {"rwpe", "sinusoidal"};
	for (size_t k = 0; k < 2; k++) {
		const char *lines = "sentence The cat\nview relation\n";
		const struct figure *f = &help_picture(&s->a, schemes[k], lines)->figure;
		const char *names =
			strstr(of_kind(f, PANEL_HEATMAP)->absent, "These have a relation");
		const char *const more = names ? strstr(names, " and ") : NULL;
		size_t named = 0, all = 0;
		assert_non_null(names);
		const char *const list = arena_printf(
			&s->a, "%.*s,", more ? (int)(more - names) : (int)strlen(names), names);
		for (size_t i = 0; i < scheme_count(); i++) {
			const struct scheme *other = scheme_at(i);
			const bool structural =
				other->flags & (SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH);
			const bool fits = other->hooks.relation && structural == (k == 0);
			const bool there =
				strstr(list, arena_printf(&s->a, " %s,", other->id)) != NULL;
			assert_true(fits || !there);
			all += fits;
			named += there;
		}
		assert_int_equal(named, all < 12 ? all : 12);
		if (all > 12)
			assert_string_equal(more, arena_printf(&s->a, " and %zu more", all - 12));
		assert_null(of_kind(f, PANEL_STRUCTURE));
	}
}

/* What turns by the distance has s − t for each pair; two turns, by rows and by columns, have no one
 * number, and then no number is claimed. */
TEST(rotations_have_the_distance)
{
	struct shown *s = *state;
	static const char *const schemes[] = {"rope", "rope_yarn(factor=4)", "xpos", "pope",
					      "spe_sine"};
	for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
		const struct picture *const p =
			help_picture(&s->a, schemes[k], "sentence a b c\nview relation\n");
		const struct relation *const r = &p->trace.relation;
		assert_int_equal(r->n, 3);
		for (int i = 0; i < 9; i++)
			assert_int_equal(r->at[i], i % 3 - i / 3);
	}
	const struct figure *const grid =
		&help_picture(&s->a, "rope_2d", "sentence a b c\nview relation\n")->figure;
	const char *const absent = of_kind(grid, PANEL_HEATMAP)->absent;
	assert_non_null(strstr(absent, "are two of each token"));
	assert_null(strstr(absent, "makes no number"));
	assert_null(strstr(absent, "rope_2d"));
}

/* The cell has one truth; the legend, which is of no cell, both. */
TEST(the_cell_has_one_reading_and_the_legend_both)
{
	struct shown *s = *state;
	static const char *const rows[][3] = {
		{"row 1\ncol 4\n", "The → chased: 2", "The is 2 below chased on one path"},
		{"row 9\ncol 3\n", ". → cat: 2",
		 "off the path: . is to the right of cat, depths 1 + 1"},
	};
	for (size_t i = 0; i < 2; i++) {
		const char *lines =
			arena_printf(&s->a, "conllu @dep2\nview relation\n%s", rows[i][0]);
		const struct figure *f = &help_picture(&s->a, "spr_rel", lines)->figure;
		const struct panel *card = of_kind(f, PANEL_CARD);
		assert_string_equal(line_of(card, "this cell", false), rows[i][1]);
		assert_string_equal(line_of(card, "this cell", true), rows[i][2]);
		assert_string_equal(of_kind(f, PANEL_HEATMAP)->heatmap.means, rows[i][2]);
		assert_string_equal(line_of(card, "2", false),
				    "2 below, or to the right, 2 steps by the root");
	}
}

/* Numbers of single tokens: both of the cell's. */
TEST(two_tokens_have_a_line_each)
{
	struct shown *s = *state;
	const char *lines = "conllu @dep1\nview relation\nrow 1\ncol 3\n";
	const struct figure *f = &help_picture(&s->a, "spr_abs", lines)->figure;
	const struct panel *card = of_kind(f, PANEL_CARD);
	assert_string_equal(line_of(card, "query", false), "The: 2");
	assert_string_equal(line_of(card, "query", true), "2 below the root");
	assert_string_equal(line_of(card, "key", false), "chased: 0");
	assert_string_equal(line_of(card, "key", true), "a root");
	assert_string_equal(of_kind(f, PANEL_HEATMAP)->heatmap.means,
			    "The: 2 below the root; chased: a root");
}

/* Off places there is no structure to draw: a curve has the numbers by distance, to where they end. */
TEST(numbers_of_distances_are_drawn_by_distance)
{
	struct shown *s = *state;
	const char *lines = "sentence a b c d e f g h i j k l m n\nview relation\nrow 14\ncol 1\n";
	const struct figure *f = &help_picture(&s->a, "t5", lines)->figure;
	assert_null(of_kind(f, PANEL_STRUCTURE));
	const struct curves *c = &of_kind(f, PANEL_CURVES)->curves;
	assert_true(c->has_cursor && c->cursor == -13);
	double y;
	assert_true(curves_height(&c->series[0], -13, &y) && y == 9); /* 12 to 15 before */
	assert_true(curves_height(&c->series[0], 15, &y) && y == 25);
	assert_true(curves_height(&c->series[0], 100, &y) && y == 31);
	const struct panel *card = of_kind(f, PANEL_CARD);
	assert_string_equal(line_of(card, "this cell", false), "n → a: 9");
	assert_string_equal(line_of(card, "this cell", true),
			    "a is 13 before n; the number is for 12 to 15 before");
	assert_string_equal(line_of(card, "shared", false),
			    "9: key 12 to 15 before; 8: key 8 to 11 before; 24: key 8 to 11 after; "
			    "25: key 12 to 15 after");
	f = &help_picture(&s->a, "huang1", lines)->figure;
	c = &of_kind(f, PANEL_CURVES)->curves;
	assert_true(c->cursor == 13 && c->series[0].x[0] == 0);
}

TEST(without_a_structure_the_chain_is_drawn)
{
	struct shown *s = *state;
	const struct relation r = by_depth(&s->a);
	const struct figure *f = show(s, "relation", "", NULL, &r, NULL);
	const struct drawing *d = &of_kind(f, PANEL_STRUCTURE)->drawing;
	assert_int_equal(d->n_edges, 5);
	for (size_t i = 0; i < 5; i++)
		assert_true(d->edges[i].from == i && d->edges[i].to == i + 1);
	assert_string_equal(line_of(of_kind(f, PANEL_CARD), "structure", false), "none: a chain");
	assert_null(of_kind(show(s, "explore", "", NULL, NULL, NULL), PANEL_STRUCTURE));
}

/* A scheme that reads no structure has a difference for each pair, and no drawing of a chain. */
TEST(a_chain_is_drawn_for_what_reads_structures)
{
	struct shown *s = *state;
	const struct figure *const f =
		&help_picture(&s->a, "rope+selfextend", "view relation\n")->figure;
	assert_null(of_kind(f, PANEL_STRUCTURE));
	const struct card *const card = &of_kind(f, PANEL_CARD)->card;
	for (size_t i = 0; i < card->n; i++)
		assert_string_not_equal(card->lines[i].key, "structure");
	assert_non_null(of_kind(&help_picture(&s->a, "spr_rel", "view relation\n")->figure,
				PANEL_STRUCTURE));
}

/* The order shown is the reverse: the first token stands on the last node. */
TEST(tokens_bring_their_nodes_along)
{
	struct shown *s = *state;
	static const char *const all[] = {"explore", "order", "relation"};
	const struct relation r = by_depth(&s->a);
	for (size_t v = 0; v < 3; v++) {
		const struct figure *f =
			show(s, all[v], "order reverse\nrow 1\ncol 3\n", &governed, &r, NULL);
		size_t found = 0;
		for (size_t i = 0; i < f->n; i++) {
			const struct drawing *d = &f->panels[i].drawing;
			if (f->panels[i].kind != PANEL_STRUCTURE)
				continue;
			found++;
			const bool written = v == 1 && found == 1;
			for (size_t k = 0; k < 6; k++) {
				assert_int_equal(d->node[k], written ? k : 5 - k);
				assert_string_equal(d->tokens[k], words[d->node[k]]);
			}
			/* The pair is the full stop and "the" in both orders. */
			assert_int_equal(d->node[d->query], 5);
			assert_int_equal(d->node[d->key], 3);
		}
		assert_int_equal(found, v == 1 ? 2 : 1);
	}
}

static const char *structure_line(struct shown *s, const char *scheme, double seen)
{
	const struct measures m = {.equivariance = {.there = true, .value = seen}};
	const char *all = arena_printf(&s->a, "%sview order\norder reverse\n", sentence);
	s->scene = help_scene(scheme, all);
	struct picture *p = help_picture(&s->a, scheme, all);
	p->built.model_input.structure = &governed;
	p->built.model_input.node = node;
	picture_redraw(&s->scene, &m, false, BACKGROUND_LIGHT, &s->a, p, NULL);
	const struct panel *card = of_kind(&p->figure, PANEL_CARD);
	return arena_printf(&s->a, "%s: %s", line_of(card, "structure", false),
			    line_of(card, "structure", true));
}

TEST(order_says_which_stay_equivariant_and_why)
{
	struct shown *s = *state;
	assert_non_null(strstr(structure_line(s, "spr_abs", 0),
			       "equivariant: the structure moves with its tokens"));
	const char *both = structure_line(s, "spr_abs+sinusoidal", 0.3);
	assert_non_null(strstr(both, "sees positions as well: "));
	assert_non_null(strstr(both, "sinusoidal counts positions"));
	assert_non_null(strstr(structure_line(s, "spr_rel", 0.1), "in which order they stand"));
	assert_non_null(strstr(structure_line(s, "shaw", 0.2), "not read: shaw counts positions"));
}

/* ---- directions ---------------------------------------------------------------------------------- */

/* Checks a cell of a scheme whose numbers are of distances: the dot is at s − t, or |s − t|; the curve has there the
 * number of the cell; and the words say "before" of a key at a lower position. */
static bool assert_direction(struct arena *a, const char *id, long t, long s)
{
	const struct picture *const p = help_picture(
		a, id, arena_printf(a, "view relation\nrow %ld\ncol %ld\n", t + 1, s + 1));
	const struct relation *const r = &p->trace.relation;
	const struct panel *const curve = of_kind(&p->figure, PANEL_CURVES);
	const size_t cell = (size_t)t * r->n + (size_t)s;
	if (r->n_ranges == 0 || p->trace.memory > 0 || strcmp(r->column, "seq") != 0 ||
	    relation_is_none(r, cell))
		return false;
	if (!curve->curves.has_cursor ||
	    fabs(curve->curves.cursor - (double)(r->apart ? labs(s - t) : s - t)) > 1e-9)
		fail_msg("%s: the dot of %ld, %ld is at %g", id, t, s, curve->curves.cursor);
	double y;
	if (!curves_height(&curve->curves.series[0], curve->curves.cursor, &y) ||
	    fabs(y - r->at[cell]) > 1e-9)
		fail_msg("%s: the curve at %g is not %d", id, curve->curves.cursor,
			 (int)r->at[cell]);
	const char *const says = line_of(of_kind(&p->figure, PANEL_CARD), "this cell", true);
	if (!r->apart && !strstr(says, s < t ? "before" : "after"))
		fail_msg("%s: key %ld, query %ld: %s", id, s, t, says);
	return true;
}

TEST(cell_dot_and_words_agree_on_the_direction)
{
	size_t checked = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		struct arena a;
		if (!scheme_at(i)->hooks.relation)
			continue;
		arena_init(&a);
		checked += assert_direction(&a, scheme_at(i)->id, 5, 1);
		checked += assert_direction(&a, scheme_at(i)->id, 1, 4);
		arena_release(&a);
	}
	assert_true(checked > 60);
}

/* The card says which numbers are before: t5's buckets by the paper's rule for 32 of both directions, exact up to 7,
 * then as log(d / 8) / log(128 / 8) · 8; those after the query 16 higher. */
TEST(the_card_says_which_numbers_are_before)
{
	struct shown *s = *state;
	const struct picture *const p = help_picture(&s->a, "t5", "view relation\n");
	const struct panel *const card = of_kind(&p->figure, PANEL_CARD);
	assert_string_equal(line_of(card, "key before", false), "1 to 8");
	assert_string_equal(line_of(card, "key before", true),
			    "key after: 17 to 24; same position: 0");
}

/* rel(t,s) of a chain, where token t hangs t edges below the first: abs(t) − abs(s) = t − s. The axis of the bias says
 * that it is of this number, whole also where it is cut short, and the dot is at the number of the cell. */
TEST(a_relation_of_a_structure_has_its_own_axis)
{
	struct shown *s = *state;
	const struct picture *const p =
		help_picture(&s->a, "spr_rel", "view explore\nrow 6\ncol 2\n");
	const struct relation *const r = &p->trace.relation;
	for (size_t i = 0; i < r->n * r->n; i++)
		assert_int_equal(r->at[i], (int)(i / r->n) - (int)(i % r->n));
	const struct panel *const panel = of_kind(&p->figure, PANEL_CURVES);
	assert_string_equal(panel->curves.x_title, "structural position, rel(t,s)");
	assert_int_equal(panel->curves.number[5 * panel->curves.cols + 1], 4);
	/* Where the title has no room beside the numbers, its part after a comma and a blank stays. */
	struct canvas *const c = help_canvas(12, 46, TIER_DIRECT, false);
	canvas_panel(c, (struct rect){0, 0, 12, 46}, panel, false, NULL, NULL);
	assert_non_null(strstr(help_screen(c), " rel(t,s)"));
	assert_null(strstr(help_screen(c), "structural position,"));
}
