/* test_moved_edges.c: edges of a graph moved between other nodes: the list, the command, the numbers and the words. */
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "help_scheme.h"
#include "help_setup.h"
#include "posviz/base/strbuf.h"
#include "posviz/input/structure.h"
#include "posviz/scene/beside.h"

FIXTURE(open_arena, close_arena)

#define GRAPH "graph \"a -> b x; b -> c y; a -> c x; d -> a x\""

static const char *edges_of(const struct structure *s)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < s->n_edges; i++)
		strbuf_printf(&b, "%s%s", i ? "; " : "", structure_print_edge(s, i, &arena));
	return b.at;
}

static const char *edges_in(const struct scene *scene)
{
	return edges_of(help_build(scene).structure);
}

static bool read_moved(const char *text, const char *moves, struct structure *out, struct err *err)
{
	struct structured read;
	size_t count;
	if (!structure_graph("f", text, strlen(text), 1, &count, &arena, &read, err))
		fail_msg("%s", err->text);
	*out = read.structure;
	return structure_move_edges(out, moves, &arena, err);
}

TEST(a_list_moves_edges)
{
	static const struct {
		const char *text, *moves, *edges, *note;
	} cases[] = {
		{"a b x\nb c\na c x", "1:3-2", "c -x-> b; b -> c; a -x-> c",
		 "1 of 3 edges elsewhere than as read"},
		{"a b x\nb c\na c x", " 3:2-1,\t1:1-3 ", "a -x-> c; b -> c; b -x-> a",
		 "2 of 3 edges elsewhere than as read"},
		/* Each takes the other's place: none is there twice when both have moved. */
		{"a b\nb c", "1:2-3 2:1-2", "b -> c; a -> b",
		 "2 of 2 edges elsewhere than as read"},
		{"a -- b x\nb -- c y\na a", "2:2-1", "a -x- b; b -y- a",
		 "1 self-loop left out; 1 of 2 edges elsewhere than as read"},
		{"a b x\na b y\nc", "1:2-1", "b -x-> a; a -y-> b",
		 "1 of 2 edges elsewhere than as read"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct structure s;
		struct err err = {0};
		if (!read_moved(cases[i].text, cases[i].moves, &s, &err))
			fail_msg("%s: %s", cases[i].moves, err.text);
		assert_string_equal(edges_of(&s), cases[i].edges);
		assert_string_equal(s.note, cases[i].note);
	}
}

TEST(moves_that_make_no_graph_are_refused)
{
	static const struct {
		const char *text, *moves, *says;
	} cases[] = {
		{"a b\nb c", "1:2-2", "moved-edges: edge 1 from b to itself is a loop"},
		{"a b\nb c", "1:2-3",
		 "moved-edges: edge 2 is between b and c already, with the same "
		 "label: edge 1 needs another node"},
		{"a b\nb c", "2:1-2", "moved-edges: edge 1 is between a and b already"},
		{"a -- b\nb -- c", "2:2-1", "moved-edges: edge 1 is between a and b already"},
		{"a b\nb c", "1:1-4", "moved-edges: there is no node \"4\": it has 3"},
		{"a b\nb c", "3:1-2", "moved-edges: there is no edge \"3\": it has 2"},
		{"a b\nb c", "0:1-2", "moved-edges: there is no edge \"0\""},
		{"a b\nb c", "99999999999999999999:1-2", "moved-edges: there is no edge \"9999"},
		{"a b\nb c", "1:1-3 1:1-3", "moved-edges: edge 1 is moved twice"},
		{"a b\nb c", "1:1", "moved-edges: \"1\": an edge is moved by its number"},
		{"a b\nb c", "1:1-3;", "moved-edges: \"3;\": an edge is moved by its number"},
		{"a b\nb c", "a", "moved-edges: \"a\": an edge is moved by its number"},
		{"a b\nb c", "1:1-3,,2:1-3", "moved-edges: \"\": an edge is moved by its number"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct structure s;
		struct err err = {0};
		assert_false(read_moved(cases[i].text, cases[i].moves, &s, &err));
		if (strncmp(err.text, cases[i].says, strlen(cases[i].says)) != 0)
			fail_msg("%s: %s", cases[i].moves, err.text);
	}
}

TEST(a_moved_edge_is_as_if_read_there)
{
	static const char *const schemes[] = {"graformer", "graphormer", "laplacian"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		struct app app;
		app_init(&app);
		help_app_run(&app, GRAPH);
		/* Edge 2 has another label than edge 1, so it may go beside it. */
		help_app_run(&app, "wire 2 1 2");
		assert_string_equal(edges_in(&app.scene), "a -x-> b; a -y-> b; a -x-> c; d -x-> a");
		help_app_run(&app, "undo");
		help_app_run(&app, arena_printf(&arena, "scheme %s", schemes[i]));
		help_app_run(&app, "wire 1 'b' 'd'");
		assert_string_equal(edges_in(&app.scene), "b -x-> d; b -y-> c; a -x-> c; d -x-> a");
		assert_string_equal(app.scene.setup.moved_edges, "1:2-4");
		const struct scene by_hand = help_scene_read(arena_printf(
			&arena,
			"graph \"a\\nb\\nc\\nd\\nb d x\\nb c y\\na c x\\nd a x\"\nscheme %s",
			schemes[i]));
		const struct trace *const x = help_trace(&app.scene), *const y =
									      help_trace(&by_hand);
		assert_true(help_logits_apart(x, y, 0, 4) < 1e-12);
		/* The scene carries it, it is taken back, and back in its place it is not moved. */
		const struct scene again = help_scene_read(scene_print(&app.scene, &arena));
		assert_true(scene_equal(&again, &app.scene));
		help_app_run(&app, "wire 1 1 2");
		assert_string_equal(app.scene.setup.moved_edges, "");
		help_app_run(&app, "wire 4 'd' 3");
		help_app_run(&app, "undo");
		assert_string_equal(edges_in(&app.scene), "a -x-> b; b -y-> c; a -x-> c; d -x-> a");
		app_release(&app);
	}
}

TEST(what_cannot_be_wired_is_said)
{
	struct app app;
	app_init(&app);
	help_app_refuse(&app, "wire 1 1 2", "the structure is a tree; hang WORD HEAD");
	help_app_run(&app, GRAPH);
	help_app_refuse(&app, "wire 1 2 2", "edge 1 from b to itself is a loop");
	help_app_refuse(&app, "wire 1 1 3",
			"edge 3 is between a and c already, with the same label");
	help_app_refuse(&app, "wire 5 1 3", "edge: ");
	help_app_refuse(&app, "wire 1 'e' 3", "there is no such word");
	help_app_refuse(&app, "wire 1 1 5", "word: ");
	help_app_refuse(&app, "wire 1 1", "wire");
	help_app_refuse(&app, "wire 1", "wire");
	help_app_refuse(&app, "moved-edges 1:2-2", "moved-edges: edge 1 from b to itself");
	assert_string_equal(app.scene.setup.moved_edges, "");
	help_app_run(&app, "sentence a b c");
	help_app_refuse(&app, "moved-edges 1:2-3",
			"moved-edges: there is no graph; --graph gives one");
	help_app_run(&app, "tree (a (b c))");
	help_app_refuse(&app, "moved-edges 1:2-3", "moved-edges: the structure is a tree");
	app_release(&app);
}

TEST(another_graph_has_its_own_edges)
{
	struct app app;
	app_init(&app);
	help_app_run(&app, "graph \"(a / x :r (b / y)) (c / z :r (d / w))\"");
	help_app_run(&app, "wire 1 2 1");
	help_app_run(&app, "pick next");
	assert_string_equal(app.scene.setup.moved_edges, "");
	assert_string_equal(edges_in(&app.scene), "z -r-> w");
	help_app_run(&app, "wire 1 2 1");
	help_app_run(&app, "graph @kg1");
	assert_string_equal(app.scene.setup.moved_edges, "");
	help_app_run(&app, GRAPH);
	help_app_run(&app, "wire 1 2 1");
	help_app_run(&app, "sentence a b");
	assert_string_equal(app.scene.setup.moved_edges, "");
	app_release(&app);
}

/* The graph stands beside itself with an edge moved. */
TEST(moved_edges_are_an_input_that_is_compared)
{
	struct scene scene =
		help_scene_read(GRAPH "\nscheme graformer\ncompare \"@moved-edges 1:2-4\"");
	struct setup other;
	struct err err = {0};
	if (!setup_of_compared(&scene.setup, 2, &arena, &other, &err))
		fail_msg("%s", err.text);
	const struct scene beside = {.setup = other};
	assert_string_equal(edges_in(&beside), "b -x-> d; b -y-> c; a -x-> c; d -x-> a");
	assert_string_equal(edges_in(&scene), "a -x-> b; b -y-> c; a -x-> c; d -x-> a");
	assert_false(setup_same_tokens(&scene.setup, &other));
}
