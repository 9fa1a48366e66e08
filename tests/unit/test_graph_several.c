/* test_graph_several.c: texts of several graphs or trees, of which one is broken: it is refused with its
 * line, the others are read, and all are counted. Then PENMAN's triples. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_structure.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

static struct err err;
static size_t count;

FIXTURE(open_arena, close_arena)

static bool read_which(const char *text, bool tree, size_t which, struct structured *out)
{
	const struct tree_options options = {.units = TREE_NODES};
	count = 0;
	err = (struct err){0};
	return tree ? structure_brackets("f", text, strlen(text), which, &count, &options, &arena,
					 out, &err)
		    : structure_graph("f", text, strlen(text), which, &count, &arena, out, &err);
}

/* names[i] of graph i + 1, or the message with which it is refused, which begins "f:". */
struct several {
	const char *text;
	bool tree;
	const char *graphs[5];
};

static void check_several(const struct several *c)
{
	size_t n = 0;
	while (c->graphs[n])
		n++;
	for (size_t i = 0; i < n; i++) {
		struct structured out;
		const bool refused = strncmp(c->graphs[i], "f:", 2) == 0;
		const bool read = read_which(c->text, c->tree, i + 1, &out);
		const char *const says = read ? help_node_names(&out.structure, " ") : err.text;
		if (read == refused || strncmp(says, c->graphs[i], strlen(c->graphs[i])) != 0)
			fail_msg("%zu of %.40s: %s", i + 1, c->text, says);
		if (count != n)
			fail_msg("%zu of %.40s: counts %zu", i + 1, c->text, count);
	}
	struct structured none;
	assert_false(read_which(c->text, c->tree, n + 1, &none));
	assert_non_null(strstr(err.text, "there is no "));
}

TEST(a_broken_graph_spoils_itself_alone)
{
	static const struct several cases[] = {
		/* A string and two brackets are open; a bracket alone; one too many; a word */
		{"# ::id 1\n(a / and :op1 (b / boy))\n\n# ::id 2\n(a / and :op1 (b / boy :op2 "
		 "\"x)\n\n# ::id 3\n(c / cat :mod (s / small))\n",
		 false,
		 {"and boy", "f:5:29: a string is not closed on its line", "cat small", NULL}},
		{"(a / b)\n\n(c / d :x (e / f)\n\n# c\n\n(g / h)\n",
		 false,
		 {"b", "f:3:1: this bracket is not closed", "h", NULL}},
		{"(a / b)\n(c / d :x (e / f)\n(g / h)\n(i / j)\n",
		 false,
		 {"b", "f:3:1: \"(\" where a role such as :ARG0 must stand", "h", "j", NULL}},
		{"(a / b)\n(c / d))\n(g / h)\n",
		 false,
		 {"b", "f:2:8: a bracket is closed that was not opened", "h", NULL}},
		{"(a / b) (c / d) x (g / h)",
		 false,
		 {"b", "f:1:17: text between graphs", "h", NULL}},
		{"(a / b)\n\n(c / d :x)\n\n(g / h\n\n  :y (i / j))\n",
		 false,
		 {"b", "f:3:8: \":x\" has no target", "h j", NULL}},
		{"(a / b :x (c / d)\n(e / f))\n(g / h)",
		 false,
		 {"f:2:1: \"(\" where a role such as :ARG0 must stand", "h", NULL}},
		{"(a / b)\n\n(c", false, {"b", "f:3:1: this bracket is not closed", NULL}},
		/* DOT */
		{"digraph { a -> b }\ndigraph {\n c -> \n\ndigraph { e -> f }\n",
		 false,
		 {"a b", "f:2:9: this bracket is not closed", "e f", NULL}},
		{"graph { a }\ngraph g {\n c [label=\"x] }\ngraph [size=3]\nstrict graph {\n e }\n",
		 false,
		 {"a", "f:3:11: a quote is opened and not closed", "e", NULL}},
		{"graph { a }\ngraph { b } }\ngraph { c [color=\"x]\ngraph { d }",
		 false,
		 {"a", "f:2:13: a bracket is closed", "f:3:18: a quote is opened", "d", NULL}},
		{"graph { a }\ngraph { b -> c }\ngraph { d }",
		 false,
		 {"a", "f:2: this is not DOT", "d", NULL}},
		/* brackets */
		{"(S (A a))\n(S (A b)\n(S c)\n",
		 true,
		 {"S A a", "f:2:1: this bracket is not closed", "S c", NULL}},
		{"(S a)\n\n(S b))\n\n(S c)",
		 true,
		 {"S a", "f:3:6: a bracket is closed that was not opened", "S c", NULL}},
		{"(S a)\n(S b) x\n(S ())\n(S c)",
		 true,
		 {"S a", "f:2:7: \"x\" stands outside of every bracket", "f:3:5: an empty bracket",
		  "S c", NULL}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_several(&cases[i]);
}

/* Text of a broken graph is not read as another's, and time is bounded. */
TEST(many_broken_graphs_are_passed_at_once)
{
	static const char *const parts[] = {"(a / b :x (c / d)\n", "graph { a -- \"b\n",
					    "(S (A b)\n",	   "digraph\n",
					    "(a / b :x \"c\n\n",   "a(b, c ^\n\n"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct structured out;
		struct strbuf b;
		strbuf_init(&b, &arena);
		for (size_t k = 0; k < 20000; k++)
			strbuf_add(&b, parts[i]);
		assert_false(read_which(b.at, false, 19000, &out));
		assert_true(text_valid(err.text, strlen(err.text)));
		assert_false(read_which(b.at, true, 19000, &out));
	}
}

/* ---- triples --------------------------------------------------------------------------------- */

TEST(triples_are_the_graph_of_the_brackets)
{
	static const struct {
		const char *text, *edges;
		long root;
	} cases[] = {
		{"instance(f, forget-01) ^\ninstance(r, robot) ^\ninstance(c, charge-01) ^\n"
		 "ARG0(f, r) ^\nARG1(f, c) ^\nARG0(c, r)\n",
		 "forget-01 -ARG0-> robot; forget-01 -ARG1-> charge-01; charge-01 -ARG0-> robot",
		 0},
		/* ^ may be missing at ends of lines; roles with a colon, inverse ones, constants */
		{"# ::snt x\ninstance(w,want-01)~e.1\n:ARG0-of(b , w)^instance(b, boy)\n"
		 "polarity(w, -) ^ name(w, \"New (York)\")",
		 "want-01 -ARG0-> boy; want-01 -polarity-> -; want-01 -name-> New (York)", 0},
		/* a source without an instance; a root that is named */
		{"rel(a, b2) ^ instance(b2, x) ^ rel(long, a)", "a -rel-> x; long -rel-> a", 0},
		{"TOP(top, b) ^ instance(a, x) ^ instance(b, y) ^ of(a, b)", "x -of-> y", 0},
		{"instance(a, x) ^ instance(b, y) ^ of(a, b) ^ TOP(b, y)", "x -of-> y", 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct structured out;
		if (!read_which(cases[i].text, false, 1, &out))
			fail_msg("%s: %s", cases[i].text, err.text);
		assert_string_equal(help_edges(&out.structure), cases[i].edges);
		assert_int_equal(out.structure.root, cases[i].root);
		assert_int_equal(count, 1);
	}
}

TEST(malformed_triples_are_refused)
{
	static const struct several cases[] = {
		{"instance(a, b)\n\n# ::id 2\ninstance(c, d) ^ x(c\n\ninstance(e, f)\n",
		 false,
		 {"b", "f:6:1: the graph ends where a comma must stand", "f", NULL}},
		{"instance(a, b) instance(c, d)",
		 false,
		 {"f:1:16: \"instance\" where ^ must stand: ", NULL}},
		{"instance(a, b) ^ x(a, y1)",
		 false,
		 {"f:1:23: the variable \"y1\" is declared nowhere", NULL}},
		{"instance(a, b) ^ instance(a, c)",
		 false,
		 {"f:1:27: the variable \"a\" is declared already", NULL}},
		{"instance(a, b) ^ x(\"a\", b)",
		 false,
		 {"f:1:20: \"\"\" where a variable must stand", NULL}},
		{"instance(a, )",
		 false,
		 {"f:1:13: \")\" where a variable or a constant must stand", NULL}},
		{"instance(a, b) ^",
		 false,
		 {"f:1:17: the graph ends where a role must stand", NULL}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_several(&cases[i]);
}
