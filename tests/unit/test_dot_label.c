/* test_dot_label.c: nodes and edges of DOT are called by the words that dot 2.42 draws. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_structure.h"
#include "posviz/base/strbuf.h"

FIXTURE(open_arena, close_arena)

/* The words of all labels, which is what a reader of the picture sees. */
static const char *words_of(const struct structured *g)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < g->n_tokens; i++)
		strbuf_printf(&b, "%s%s", i > 0 ? " " : "", g->token_text[i]);
	return b.at;
}

struct drawn {
	const char *label; /* what stands behind "label=" */
	const char *words, *note;
};

static void assert_drawn(const char *shape, const struct drawn *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct structured g = help_read_graph(
			arena_printf(&arena, "digraph \"My G\" { id [shape=%s label=%s] }", shape,
				     cases[i].label),
			1, NULL);
		assert_string_equal(words_of(&g), cases[i].words);
		assert_string_equal(g.structure.note ? g.structure.note : "",
				    cases[i].note ? cases[i].note : "");
		assert_int_equal(g.structure.n, 1);
	}
}

TEST(fields_of_a_record_are_words)
{
	static const struct drawn cases[] = {
		{"\"{a|<p> b}\"", "a b", NULL},
		{"\"<p> a|b|{c|<q>d}\"", "a b c d", NULL},
		{"\"{A|{<f0> B|C}|D}|E\"", "A B C D E", NULL},
		{"\"\\{x\\|\\<y\\>|<q>z \\\\ w|\\N\"", "{x|<y> z \\ w id", NULL},
		{"\"a\\\\|b\"", "a\\ b", NULL},
		{"\"a\\ b|c\\nd\\le\\rf\"", "a b c d e f", NULL},
		{"\"\\G|&amp;&#228;|&#x7c;\"", "My G &\u00e4 |", NULL},
		{"\"<a\\>b> t\"", "t", NULL},
		{"\"<a b> t\"", "t", NULL},
		{"\"a\tb\nc|d\"", "abc d", NULL}, /* Graphviz drops control characters */
		{"\"{}\"", "id", NULL},
		{"\"{ {a} | b}\"", "a b", NULL},
		{"<<b>x</b>|<i>y z</i>>", "x y z", "1 HTML label without tags"},
	};
	assert_drawn("record", cases, sizeof cases / sizeof *cases);
	assert_drawn("Mrecord", cases, sizeof cases / sizeof *cases);
}

TEST(a_bad_record_has_its_id)
{
	static const struct drawn cases[] = {
		{"\"{a|b\"", "id", "1 bad record label, \"{a|b\": the node's id instead"},
		{"\"{\"", "id", "1 bad record label, \"{\": the node's id instead"},
		{"\"a{\"", "id", "1 bad record label, \"a{\": the node's id instead"},
		{"\"a{b}\"", "id", "1 bad record label, \"a{b}\": the node's id instead"},
		{"\"{a}b\"", "id", "1 bad record label, \"{a}b\": the node's id instead"},
		{"\"{a} <p>|b\"", "id", "1 bad record label, \"{a} <p>|b\": the node's id instead"},
		{"\"<p> {a}\"", "id", "1 bad record label, \"<p> {a}\": the node's id instead"},
		{"\"a > b\"", "id", "1 bad record label, \"a > b\": the node's id instead"},
		{"\"<p|q> a\"", "id", "1 bad record label, \"<p|q> a\": the node's id instead"},
		{"\"a|<p\"", "id", "1 bad record label, \"a|<p\": the node's id instead"},
		{"\"<p> a <q>\"", "id", "1 bad record label, \"<p> a <q>\": the node's id instead"},
		{"<x|y{z}>", "id",
		 "1 HTML label without tags; 1 bad record label, \"x|y{z}\": the node's id instead"},
		{"\"a } b\"", "a", "1 record label cut at a } that closes nothing, \"a } b\""},
		{"\"{a|b}}|c\"", "a b",
		 "1 record label cut at a } that closes nothing, \"{a|b}}|c\""},
	};
	assert_drawn("record", cases, sizeof cases / sizeof *cases);
	const struct structured two =
		help_read_graph("graph { node [shape=record] a [label=\"{\"] b "
				"[label=\"}\"] c [label=\"<\"] }",
				1, NULL);
	assert_string_equal(two.structure.note,
			    "2 bad record labels, \"{\": the node's id instead; "
			    "1 record label cut at a } that closes nothing, \"}\"");
}

TEST(other_shapes_have_no_fields)
{
	static const struct drawn cases[] = {
		{"\"{a|<p> b}\"", "{a|<p> b}", NULL},
		{"\"c\\nd\\G \\N\\E \\T \\H \\L\"", "c dMy G id T H L", NULL},
		{"\"&amp;&#228; \\\\N\"", "&\u00e4 \\N", NULL},
		{"\"a\\tb\\xc\"", "atbxc", NULL},
	};
	static const char *const shapes[] = {"box", "RECORD", "\"\""};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		assert_drawn(shapes[i], cases, sizeof cases / sizeof *cases);
}

static const char *label_of_edge(const char *text)
{
	const struct structured g = help_read_graph(text, 1, NULL);
	assert_int_equal(g.structure.n_edges, 1);
	return g.structure.edge_labels[g.structure.edges[0].label];
}

TEST(edges_name_their_ends)
{
	assert_string_equal(label_of_edge("digraph g { a:p -> b:q:n [shape=record "
					  "label=\"\\T to \\H: \\E \\G \\N {|}\"] }"),
			    "a to b: a->b g N {|}");
	assert_string_equal(label_of_edge("graph { a [label=x] a -- b [label=\"\\E \\T&gt;\"] }"),
			    "a--b a>");
	/* A graph without a name has none, however many were read before it. */
	assert_string_equal(label_of_edge("graph { a -- b [label=\"<\\G>\"] }"), "<>");
}

TEST(old_charsets_and_entities_go_together)
{
	const struct structured g = help_read_graph(
		"graph { charset=latin1 node [shape=record] \"\xE4\" [label=\"\xF6|&#228;|\\N\"] }",
		1, NULL);
	assert_string_equal(words_of(&g), "\u00f6 \u00e4 \u00e4");
}
