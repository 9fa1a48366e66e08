/* test_graph_read.c: graphs in DOT, in PENMAN and as lists of edges, what is wrong with them, and their distances. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_arena.h"
#include "help_structure.h"
#include "posviz/base/asset.h"
#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

FIXTURE(open_arena, close_arena)

static struct structured read_graph(const char *text)
{
	return help_read_graph(text, 1, NULL);
}

static struct structured read_sample(const char *path)
{
	const struct asset *asset = asset_find(path);
	assert_non_null(asset);
	return read_graph(asset->begin);
}

static const char *tokens_of(const struct structured *g)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < g->n_tokens; i++)
		strbuf_printf(&b, "%s%s/%ld", i > 0 ? " " : "", g->token_text[i],
			      g->structure.node_of[i]);
	return b.at;
}

/* ---- samples ------------------------------------------------------------------------------- */

TEST(amr_samples_are_read)
{
	const struct structured one = read_sample("samples/amr1.amr");
	assert_string_equal(help_edges(&one.structure),
			    "forget-01 -ARG0-> robot; forget-01 -ARG1-> charge-01; "
			    "charge-01 -ARG1-> robot");
	assert_string_equal(tokens_of(&one), "forget-01/0 robot/1 charge-01/2");
	assert_int_equal(one.structure.root, 0);
	assert_int_equal(one.structure.kind, STRUCTURE_GRAPH);
	assert_null(one.structure.parent);
	assert_null(one.structure.note);
	const struct structured two = read_sample("samples/amr2.amr");
	assert_string_equal(help_edges(&two.structure),
			    "want-01 -ARG0-> gardener; plant-01 -ARG0-> gardener; "
			    "plant-01 -ARG1-> tree; tree -quant-> 3; tree -mod-> old; "
			    "tree -mod-> pear; want-01 -ARG1-> water-01; "
			    "water-01 -ARG0-> gardener; water-01 -ARG1-> tree; "
			    "water-01 -manner-> self");
	const int32_t *d = structure_distances(&two.structure, true, &arena);
	int32_t most = 0;
	for (size_t i = 0; i < two.structure.n * two.structure.n; i++)
		most = d[i] > most ? d[i] : most;
	assert_int_equal(most, 3);
}

TEST(g5_is_the_same_in_both_formats)
{
	static const int32_t hops[25] = {0, 1, 1, 2, 3, 1, 0, 1, 2, 3, 1, 1, 0,
					 1, 2, 2, 2, 1, 0, 1, 3, 3, 2, 1, 0};
	const struct structured list = read_sample("samples/g5.edges");
	const struct structured dot = read_sample("samples/g5.dot");
	assert_string_equal(help_edges(&list.structure), "0 -- 1; 1 -- 2; 0 -- 2; 2 -- 3; 3 -- 4");
	assert_string_equal(help_edges(&dot.structure),
			    "0 -thin- 1; 1 -thick- 2; 0 -thin- 2; 2 -thick- 3; 3 -thin- 4");
	assert_false(list.structure.directed || dot.structure.directed);
	assert_memory_equal(structure_distances(&list.structure, false, &arena), hops, sizeof hops);
	assert_memory_equal(structure_distances(&dot.structure, false, &arena), hops, sizeof hops);
}

TEST(kg1_has_a_label_of_two_tokens)
{
	const struct structured g = read_sample("samples/kg1.dot");
	assert_string_equal(tokens_of(&g), "New/0 York/0 borders/1 Vermont/2 Oslo/3");
	assert_string_equal(help_edges(&g.structure), "New York --> borders; borders --> Vermont");
	assert_true(g.structure.directed);
	assert_int_equal(g.structure.root, -1);
}

TEST(other_samples_are_read)
{
	const struct structured chain = read_sample("samples/chain.dot");
	assert_int_equal(chain.structure.n, 6);
	assert_int_equal(structure_distances(&chain.structure, false, &arena)[5], 5);
	assert_int_equal(structure_distances(&chain.structure, false, &arena)[5 * 6], -1);
	const struct structured cycle = read_sample("samples/cycle6.edges");
	assert_int_equal(cycle.structure.n_edges, 6);
	assert_int_equal(structure_distances(&cycle.structure, false, &arena)[5], 1);
	const struct structured parts = read_sample("samples/disconnected.dot");
	assert_int_equal(parts.structure.n, 6);
	assert_int_equal(structure_distances(&parts.structure, true, &arena)[3], -1);
}

/* ---- what is read ---------------------------------------------------------------------------- */

TEST(texts_are_read_as_meant)
{
	static const struct {
		const char *text, *edges, *tokens, *note;
	} cases[] = {
		/* DOT */
		{"digraph { a -> b -> c [label=x] }", "a -x-> b; b -x-> c", "a/0 b/1 c/2", NULL},
		{"DiGraph{a->{b c}d}", "a --> b; a --> c", "a/0 b/1 c/2 d/3", NULL},
		{"strict graph { b -- a; a -- b; a -- a }", "b -- a", "b/0 a/1",
		 "1 self-loop left out"},
		{"graph { a -- b; b -- a }", "a -- b", "a/0 b/1", "1 repeated edge left out"},
		{"digraph { a -> b; b -> a; a -> b [label=k] }", "a --> b; b --> a; a -k-> b",
		 "a/0 b/1", NULL},
		{"digraph { subgraph s { a b } subgraph s {} -> subgraph t { c } }",
		 "a --> c; b --> c", "a/0 b/1 c/2", NULL},
		{"digraph { a:p:n -> b:q }", "a --> b", "a/0 b/1", NULL},
		{"digraph { node [label=\"x y\"]; a; node [label=\"\\N\\nz\"] b a -> b }",
		 "x y --> b z", "x/0 y/0 b/1 z/1", NULL},
		{"digraph { a [label=<<b>R &amp; D</b><br/>&#228;>] }", "", "R/0 &/0 D/0 \u00e4/0",
		 "1 HTML label without tags"},
		{"digraph { a [label=<<b></b>>] }", "", "a/0", "1 HTML label without tags"},
		{"digraph { \"a\\\"b\" -> \"c\" + \"d\" /* x */ // y\n# z {\n }", "a\"b --> cd",
		 "a\"b/0 cd/1", NULL},
		{"# first\n// second\n/* third */ graph { a }", "", "a/0", NULL},
		{"graph { charset=latin1; \"\xE4\" }", "", "\u00e4/0", NULL},
		{"graph { \"\xE4\" -- b }", "\\xE4 -- b", "\xE4/0 b/1", NULL},
		{"digraph { a -> b\r\n c }\r\n", "a --> b", "a/0 b/1 c/2", NULL},
		{"\xEF\xBB\xBFgraph { a }", "", "a/0", NULL},
		{"digraph { a -> b } digraph { c -> d }", "a --> b", "a/0 b/1", "graph 1 of 2"},
		{"graph { \"\" }", "", "\"\"/0", NULL},
		{"graph { 1a }", "", "1/0 a/1",
		 "libcgraph says \"syntax ambiguity - badly delimited number '1a' in line 1 ...\""},
		/* edge lists */
		{"a b\nb -> c is a\n", "a --> b; b -is a-> c", "a/0 b/1 c/2", NULL},
		{"a -- b x\nundirected c", "a -x- b; undirected -- c", "a/0 b/1 undirected/2 c/3",
		 NULL},
		{"# c\n\n undirected\r\na b # d\r\n", "a -- b", "a/0 b/1", NULL},
		{"directed\nlone\n", "", "lone/0", NULL},
		/* One list, whatever lines are empty in it: a node may come back behind them, and no line
		 * parts two graphs that was no edge or node before. */
		{"a b\n\n\nc d\n \t\nb c\n", "a --> b; c --> d; b --> c", "a/0 b/1 c/2 d/3", NULL},
		{"undirected\na b\n\ndirected\nb c\n", "a -- b; b -- c", "a/0 b/1 directed/2 c/3",
		 NULL},
		{"\"undirected\"", "", "undirected/0", NULL},
		{"\"New York\" \"#\" \"a \\\" b\"", "New York -a \" b-> #", "New/0 York/0 #/1",
		 NULL},
		{"a a\na b\na b\na b x", "a --> b; a -x-> b", "a/0 b/1",
		 "1 self-loop left out; 1 repeated edge left out"},
		{"a\rb c", "b --> c", "a/0 b/1 c/2", NULL},
		{"graphs a", "graphs --> a", "graphs/0 a/1", NULL},
		{"\xEF\xBB\xBFx\x01 \xE4", "x\\x01 --> \\xE4", "x\x01/0 \xE4/1", NULL},
		/* PENMAN */
		{"(a)", "", "a/0", NULL},
		{"(a/b:ARG0(c/d))", "b -ARG0-> d", "b/0 d/1", NULL},
		{"(a / x :ARG0 b :ARG1 (b / y))", "x -ARG0-> y; x -ARG1-> y", "x/0 y/1", NULL},
		{"(a / b :polarity - :quant 3 :time 12:30 :mode imperative)",
		 "b -polarity-> -; b -quant-> 3; b -time-> 12:30; b -mode-> imperative",
		 "b/0 -/1 3/2 12:30/3 imperative/4", NULL},
		{"(a / b :op1 \"New (York)\\\"\" :op2 \"a\" :op3 \"\")",
		 "b -op1-> New (York)\"; b -op2-> a; b -op3-> \"\"",
		 "b/0 New/1 (York)\"/1 a/2 \"\"/3", NULL},
		{"(a / b :consist-of (c / d :ARG0-of a) :prep-on-behalf-of (e / f))",
		 "b -consist-of-> d; b -ARG0-> d; b -prep-on-behalf-of-> f", "b/0 d/1 f/2", NULL},
		{"(a / b :op 1 :op 1)", "b -op-> 1; b -op-> 1", "b/0 1/1 1/2", NULL},
		{"(a / \"b c\" :m a)", "", "b/0 c/0", "1 self-loop left out"},
		{"\xEF\xBB\xBF# ::snt a\r\n(a / b\r\n # c (\r\n :x (d))\r\n\r\n(e)", "b -x-> d",
		 "b/0 d/1", "graph 1 of 2"},
		{"(\xE4 / \xFC)", "", "\xFC/0", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct structured g = read_graph(cases[i].text);
		assert_string_equal(help_edges(&g.structure), cases[i].edges);
		assert_string_equal(tokens_of(&g), cases[i].tokens);
		if (!cases[i].note)
			assert_null(g.structure.note);
		else
			assert_string_equal(g.structure.note ? g.structure.note : "",
					    cases[i].note);
	}
}

TEST(one_of_several_is_read)
{
	assert_string_equal(help_read_graph("(a) (b / c :x (d)) (e)", 2, NULL).structure.names[0],
			    "c");
	assert_string_equal(help_read_graph("graph{a} graph {\n@}", 1, NULL).structure.names[0],
			    "a");
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void assert_refused(const char *text, size_t len, size_t which, const char *message)
{
	struct structured out;
	struct err again = {0};
	size_t count = 0;
	help_graph_refused(text, len, which, message);
	/* Nothing is left behind, in libcgraph above all: it fails the same way again. */
	assert_false(structure_graph("f", text, len, which, &count, &arena, &out, &again));
	assert_memory_equal(again.text, message, strlen(message));
	assert_false(structure_graph("f", text, len, which, &count, &arena, &out, NULL));
}

/* libcgraph numbers nodes without a name as "%1", so it takes no name that begins so. */
TEST(names_of_dot_may_begin_with_a_percent_sign)
{
	const struct structured g = read_graph(
		"digraph \"%g\" { \"%1\" -> b [label=\"100 %\"]; \"%1\" -> c; b -> \"%\" + \"3\"; "
		"\"%1\" [label=\"\\N of \\G\"] }");
	assert_string_equal(help_edges(&g.structure),
			    "%1 of %g -100 %-> b; %1 of %g --> c; b --> %3");
	assert_int_equal(g.structure.n, 4);
}

/* The bytes that could stand for the sign are all there. */
TEST(a_percent_sign_beside_every_control_character_is_refused)
{
	char text[128] = "digraph { \"%a\" -> b [label=\"";
	size_t n = strlen(text);
	for (char c = 1; c < 32; c++)
		if (c != '\n')
			text[n++] = c;
	memcpy(text + n, "\x7f\"] }", 6);
	struct structured out;
	size_t count;
	struct err err = {""};
	assert_false(structure_graph("f", text, strlen(text), 1, &count, &arena, &out, &err));
	assert_non_null(strstr(err.text, "f:1: % and every control character"));
}

TEST(malformed_texts_are_refused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"", "f: it is empty: a graph is DOT, "},
		{"\xEF\xBB\xBF # only\n// comments\n", "f: it is empty"},
		{"\xFF\xFE(", "f:1: this is UTF-16"},
		/* DOT */
		{"digraph {}", "f: the graph is empty"},
		{"digraph {\n\n a -- b }", "f:3: this is not DOT: \"--\" is not expected here"},
		{"graph {\n a -> b }", "f:2: this is not DOT: \"->\" is not expected here"},
		{"// c\n\ndigraph {\n a -> }", "f:4: this is not DOT: \"}\" is not"},
		{"digraph {\n %s%n }", "f:2: this is not DOT: \"%\" is not expected here"},
		{"digraph {\n a @ b }", "f:2: this is not DOT: \"@\" is not"},
		{"digraph {\n# 99 \"x\"\n a -> }", "f:3: this is not DOT"},
		{"digraph {\n \"a", "f:2:2: a quote is opened and not closed"},
		{"digraph { a [label=<b\n<i>] }", "f:1:20: an HTML text is opened with <"},
		{"digraph {\n /* x }", "f:2:2: a comment is opened and not closed"},
		{"digraph {\n { a ", "f:2:2: this bracket is not closed"},
		{"digraph { a } }", "f:1:15: a bracket is closed that was not opened"},
		{"digraph { a } x", "f:1:15: \"x\" is no graph: "},
		{"digraph", "f:1:1: \"digraph\" is no graph: "},
		/* edge lists */
		{"a b\na -- b", "f:2: -- in a list that is directed since line 1"},
		{"undirected\na -> b", "f:2: -> in a list that is undirected since line 1"},
		{"a b\n\"c", "f:2: a quote is opened and not closed: "},
		{"a \"b\"c", "f:1: text behind a closing quote"},
		{"a b \"c\" d", "f:1: \"d\" behind the label"},
		{"a ->", "f:1: an edge without two nodes"},
		{"a\n-> b", "f:2: an edge without two nodes"},
		{"a -> -> b", "f:1: an edge without two nodes"},
		{"a,b", "f:1: \"a,b\": blanks part the columns"},
		{"undirected", "f: the graph is empty"},
		/* PENMAN */
		{"()", "f:1:2: \")\" where a variable must stand"},
		{"(\"a\")", "f:1:2: \"a\" where a variable must stand"},
		{"(a /)", "f:1:5: \")\" where the concept of \"a\" must stand"},
		{"(a / b\n  :ARG0)", "f:2:3: \":ARG0\" has no target"},
		{"(a / b :x :y c)", "f:1:8: \":x\" has no target"},
		{"(a / b c)", "f:1:8: \"c\" where a role such as :ARG0 must stand"},
		{"(a / b (c))", "f:1:8: \"(\" where a role"},
		{"(a / b / c)", "f:1:8: \"/\" where a role"},
		{"(a / b\n :x (c", "f:2:5: this bracket is not closed"},
		{"(a / b)\n)", "f:2:1: a bracket is closed that was not opened"},
		{"(a / b)\nx", "f:2:1: text between graphs"},
		{"(a / b :x \"c\n\")", "f:1:11: a string is not closed on its line"},
		{"(a / b\n :x (a / c))", "f:2:6: the variable \"a\" is declared already"},
		{"(a / b\n :\xC3\xA4 x1)", "f:2:5: the variable \"x1\" is declared nowhere"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_refused(cases[i].text, strlen(cases[i].text), 1, cases[i].message);
	assert_refused("a b\nc\0d", 7, 1, "f:2:2: a NUL byte");
	assert_refused("(a) (b)", 7, 3, "f: there is no graph 3: it has 2 graphs, counted from 1");
	assert_refused("graph{a}", 8, 0, "f: there is no graph 0: it has 1 graph, counted from 1");
	assert_refused("graph { a } graph { b ", 22, 2, "f:1:19: this bracket is not closed");
	assert_refused("a b", 3, 2, "f: there is no graph 2");
}

TEST(sizes_are_bounded)
{
	const struct {
		const char *text, *message;
	} cases[] = {
		{help_repeated("", "%zu %zu\n", 5000, ""), "f:4096: more than 4096 nodes"},
		{help_repeated("graph {", "%zu -- %zu\n", 5000, "}"),
		 "f:1: 5001 nodes: at most 4096"},
		{help_repeated("(a / b ", ":x %zu\n", 5000, ")"), "f: 5001 nodes: at most 4096"},
		{help_repeated("(a ", ":x (a%zu ", 10000, ""),
		 "f:1:4496: brackets are nested more than 512 deep"},
		{help_repeated("graph ", "{", 10000, ""),
		 "f:1:519: brackets are nested more than 512"},
		{help_repeated("graph { a", " -- b", 20000, "}"), "f:1: too long a chain of edges"},
		{help_repeated("graph { subgraph s {", "a%zu;", 1500,
			       "} subgraph s {} -- subgraph s {} }"),
		 "f:1:7943: too large a graph"},
		{help_repeated("", "\"a%zu b%zu\"\n", 3000, ""), "f: more than 4096 words"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_refused(cases[i].text, strlen(cases[i].text), 1, cases[i].message);
	const struct structured most = read_graph(help_repeated("graph {", "n -- %zu;", 4095, "}"));
	assert_int_equal(most.structure.n, 4096);
}

/* n edges among 300 nodes, each with a label of its own. */
static const char *many_edges(const char *head, const char *format, size_t n, const char *tail)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, head);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, format, i % 300, (i / 300 + 1 + i) % 300, i);
	strbuf_add(&b, tail);
	return b.at;
}

static void *read_many(void *context)
{
	(void)context;
	static const char dot[] = "n%zu->n%zu[label=l%zu,color=red,\"w\"=1];";
	const struct structured large[] = {
		read_graph(many_edges("digraph {", dot, 89000, "}")),
		read_graph(many_edges("", "n%zu n%zu l%zu\n", 89000, ""))};
	assert_string_equal(help_edges(&large[0].structure), help_edges(&large[1].structure));
	assert_int_equal(large[0].structure.n_edges, 89000);
	/* libcgraph keeps all edges of one node in one list. */
	assert_int_equal(
		read_graph(help_repeated("graph{", "a--b;", 250000, "}")).structure.n_edges, 1);
	return NULL;
}

/* libcgraph's own counting needs a stack that is as deep as there are edges. */
TEST(many_edges_are_read_on_a_small_stack)
{
	pthread_attr_t small;
	pthread_t thread;
	assert_int_equal(pthread_attr_init(&small), 0);
	assert_int_equal(pthread_attr_setstacksize(&small, 512 << 10), 0);
	assert_int_equal(pthread_create(&thread, &small, read_many, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&small);
}

TEST(long_texts_are_refused_at_once)
{
	const char *const name = help_repeated("", "aaaaaaaaaa", 3000, "");
	const struct {
		const char *text, *message;
	} cases[] = {
		{arena_printf(&arena, "graph {%s}", name),
		 "f:1:8: a name or label of 30000 bytes: at most 16384 are read"},
		{arena_printf(&arena, "graph {a[label=\"%s\"]}", name),
		 "f:1:16: a name or label of"},
		{arena_printf(&arena, "graph {a[label=<%s>]}", name), "f:1:16: a name or label of"},
		{help_repeated("graph {a[label=\"\"", "+\"aaaaaaaaaa\"", 3000, "]}"),
		 "f:1:16: a name or label of"},
		{arena_printf(&arena, "a %s", name), "f: a name or label of 30000 bytes"},
		{arena_printf(&arena, "a b %s", name), "f: a name or label of 30000 bytes"},
		{arena_printf(&arena, "(a / %s)", name), "f: a name or label of 30000 bytes"},
		{help_repeated("graph{", "a--b;", 262145, "}"),
		 "f:1:1310726: too large a graph: at most 262144 edges"},
		{help_repeated("graph{", "{a}", 65537, "}"),
		 "f:1:196613: too large a graph: at most 65536 groups"},
		{help_repeated("", "a b\n", 262146, ""), "f:262145: more than 262144 edges"},
		{help_repeated("(a / b ", ":x (a / b ", 1000, ""),
		 "f:1:5121: brackets are nested more than 512 deep"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_refused(cases[i].text, strlen(cases[i].text), 1, cases[i].message);
	assert_int_equal(read_graph(arena_printf(&arena, "graph {a %.16384s}", name)).structure.n,
			 2);
}

/* A value for every attribute of every node would be 2,000 times 2,000. */
TEST(attributes_that_nobody_reads_cost_nothing)
{
	const struct structured g = read_graph(help_repeated(
		"graph {charset=\"latin1\"; x1=y, ", "node[x%zu=\"y\" + \"z\"];a%zu;", 2000, "}"));
	assert_int_equal(g.structure.n, 2000);
	const struct structured kept = read_graph(
		"graph {charset=latin1 k=\"v;\"; a[shape=box,\"label\"=\"\xE4\" /* c */ + \"b\", "
		"c = <d>;] a -- b [label=e color = red weight=1]; rank=same; c}");
	assert_string_equal(help_edges(&kept.structure), "\xC3\xA4"
							 "b -e- b");
	assert_int_equal(kept.structure.n, 3);
	static const char *const wrong[] = {"graph {node=x}", "graph {a -- k=v b}",
					    "graph {subgraph k=v {a}}", "graph {a[k=]}",
					    "graph {a[k=v}"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_refused(wrong[i], strlen(wrong[i]), 1, "f:1:");
}

TEST(libcgraph_says_nothing)
{
	char path[] = "/tmp/posviz-graph-XXXXXX";
	const int file = mkstemp(path), kept = dup(STDERR_FILENO);
	assert_true(file >= 0 && kept >= 0);
	dup2(file, STDERR_FILENO);
	assert_refused("digraph { a -> }", 16, 1, "f:1:");
	const struct structured g = read_graph("graph { 1a }");
	const off_t size = lseek(file, 0, SEEK_END);
	dup2(kept, STDERR_FILENO);
	close(kept);
	close(file);
	unlink(path);
	assert_int_equal(size, 0);
	assert_int_equal(g.structure.n, 2);
}

/* ---- random graphs --------------------------------------------------------------------------- */

enum { MOST = 14, ROUNDS = 200 };

/* A random list of edges: node i is called by names[i]. */
static const char *random_list(struct rng *rng, size_t n, bool directed)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, directed ? "directed\n" : "undirected\n");
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "n%zu\n", i);
	const size_t edges = rng_below(rng, 2 * n);
	for (size_t i = 0; i < edges; i++) {
		const size_t from = rng_below(rng, n), to = rng_below(rng, n);
		if (from != to)
			strbuf_printf(&b, "n%zu n%zu\n", from, to);
	}
	return b.at;
}

/* Floyd and Warshall's algorithm. */
static int32_t *all_pairs(const struct structure *s, bool both)
{
	enum { FAR = 1 << 20 };
	const size_t n = s->n;
	int32_t *d = arena_calloc(&arena, n * n, sizeof *d);
	for (size_t i = 0; i < n * n; i++)
		d[i] = i % (n + 1) == 0 ? 0 : FAR;
	for (size_t e = 0; e < s->n_edges; e++) {
		d[s->edges[e].from * n + s->edges[e].to] = 1;
		if (both || !s->directed)
			d[s->edges[e].to * n + s->edges[e].from] = 1;
	}
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				if (d[i * n + k] + d[k * n + j] < d[i * n + j])
					d[i * n + j] = d[i * n + k] + d[k * n + j];
	for (size_t i = 0; i < n * n; i++)
		d[i] = d[i] >= FAR ? -1 : d[i];
	return d;
}

TEST(distances_are_those_of_floyd_and_warshall)
{
	struct rng rng;
	rng_init(&rng, 6);
	for (int round = 0; round < ROUNDS; round++) {
		const size_t n = 1 + rng_below(&rng, MOST);
		const bool directed = round % 3 > 0, both = round % 3 == 2;
		const struct structured g = read_graph(random_list(&rng, n, directed));
		const int32_t *expected = all_pairs(&g.structure, both);
		const int32_t *found = structure_distances(&g.structure, both, &arena);
		assert_int_equal(g.structure.n, n);
		assert_memory_equal(found, expected, n * n * sizeof *found);
		arena_clear(&arena);
	}
}

/* The list of a graph with its nodes in another order. */
static const char *printed(const struct structure *s, const size_t *order)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	strbuf_add(&b, s->directed ? "directed\n" : "undirected\n");
	for (size_t i = 0; i < s->n; i++)
		strbuf_printf(&b, "\"%s\"\n", s->names[order[i]]);
	for (size_t e = 0; e < s->n_edges; e++)
		strbuf_printf(&b, "%s %s \"%s\"\n", s->names[s->edges[e].from],
			      s->names[s->edges[e].to], s->edge_labels[s->edges[e].label]);
	return b.at;
}

TEST(another_order_of_nodes_permutes_distances)
{
	struct rng rng;
	rng_init(&rng, 7);
	for (int round = 0; round < ROUNDS; round++) {
		const size_t n = 1 + rng_below(&rng, MOST);
		const struct structured g = read_graph(random_list(&rng, n, round % 2 == 0));
		size_t order[MOST];
		for (size_t i = 0; i < n; i++)
			order[i] = i;
		rng_shuffle(&rng, order, n);
		const struct structured moved = read_graph(printed(&g.structure, order));
		const int32_t *a = structure_distances(&g.structure, false, &arena);
		const int32_t *b = structure_distances(&moved.structure, false, &arena);
		for (size_t i = 0; i < n * n; i++)
			assert_int_equal(b[i], a[order[i / n] * n + order[i % n]]);
		arena_clear(&arena);
	}
}

TEST(printed_lists_read_back_the_same)
{
	struct rng rng;
	rng_init(&rng, 8);
	for (int round = 0; round < ROUNDS; round++) {
		const size_t n = 1 + rng_below(&rng, MOST);
		const struct structured g = read_graph(random_list(&rng, n, round % 2 == 0));
		size_t order[MOST];
		for (size_t i = 0; i < n; i++)
			order[i] = i;
		const struct structured again = read_graph(printed(&g.structure, order));
		assert_string_equal(help_edges(&again.structure), help_edges(&g.structure));
		assert_string_equal(tokens_of(&again), tokens_of(&g));
		assert_null(again.structure.note);
		arena_clear(&arena);
	}
}
