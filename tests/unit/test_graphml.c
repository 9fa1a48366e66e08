/* test_graphml.c: graphs in GraphML as networkx, Gephi, yEd and people write them, and what is refused. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "help_structure.h"

FIXTURE(open_arena, close_arena)

#define HEAD                                           \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" \
	"<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"

static const char *names_which(const char *text, size_t which)
{
	const struct structured g = help_read_graph(text, which, NULL);
	return help_node_names(&g.structure, " | ");
}

TEST(programs_are_read_as_they_mean_it)
{
	static const struct {
		const char *text, *names, *edges, *note;
	} cases[] = {
		{HEAD "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
		      "<node id=\"c\"/><edge source=\"a\" target=\"b\"/>"
		      "<edge source=\"b\" target=\"c\"/></graph></graphml>",
		 "a | b | c", "a -- b; b -- c", NULL},
		/* networkx: keys with numbers for ids */
		{HEAD "<key id=\"d1\" for=\"edge\" attr.name=\"relation\" attr.type=\"string\"/>"
		      "<key id=\"d0\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>"
		      "<graph edgedefault=\"directed\">"
		      "<node id=\"0\"><data key=\"d0\">the cat</data></node>"
		      "<node id=\"1\"><data key=\"d0\">sat &amp; slept</data></node>"
		      "<edge source=\"1\" target=\"0\"><data key=\"d1\">agent</data></edge>"
		      "</graph></graphml>",
		 "the cat | sat & slept", "sat & slept -agent-> the cat", NULL},
		/* Gephi: an edge's label, a weight, which is none */
		{HEAD "<key attr.name=\"label\" attr.type=\"string\" for=\"node\" id=\"label\"/>"
		      "<key attr.name=\"Edge Label\" attr.type=\"string\" for=\"edge\" "
		      "id=\"edgelabel\"/>"
		      "<key attr.name=\"weight\" attr.type=\"double\" for=\"edge\" id=\"weight\"/>"
		      "<graph edgedefault=\"undirected\"><node id=\"n1\"><data key=\"label\">x"
		      "</data></node><node id=\"n2\"/><edge source=\"n1\" target=\"n2\">"
		      "<data key=\"weight\">2.0</data><data key=\"edgelabel\">knows</data></edge>"
		      "</graph></graphml>",
		 "x | n2", "x -knows- n2", NULL},
		/* igraph: a name; the better name counts whichever comes first */
		{HEAD "<key id=\"v_name\" for=\"node\" attr.name=\"name\"/>"
		      "<key id=\"v_l\" for=\"node\" attr.name=\"Label\"/><graph>"
		      "<node id=\"n0\"><data key=\"v_l\">best</data><data key=\"v_name\">good"
		      "</data></node><node id=\"n1\"><data key=\"v_name\">good</data></node>"
		      "</graph></graphml>",
		 "best | good", "", NULL},
		/* yEd: what is drawn, without the places of labels; a second label is a detail */
		{HEAD "<key for=\"node\" id=\"d6\" yfiles.type=\"nodegraphics\"/><graph>"
		      "<node id=\"n0\"><data key=\"d6\"><y:ShapeNode><y:NodeLabel x=\"1\">boy"
		      "<y:LabelModel>far</y:LabelModel></y:NodeLabel><y:NodeLabel>2nd"
		      "</y:NodeLabel></y:ShapeNode></data></node><node id=\"n1\"/>"
		      "<edge source=\"n0\" target=\"n1\"><data key=\"d9\"><y:PolyLineEdge>"
		      "<y:EdgeLabel>arg 0</y:EdgeLabel></y:PolyLineEdge></data></edge>"
		      "</graph></graphml>",
		 "boy | n1", "boy -arg 0-> n1", NULL},
		/* a key that is declared nowhere, and one that is not for nodes */
		{HEAD "<key id=\"label\" for=\"edge\"/><graph><node id=\"a\"><data key=\"label\">x"
		      "</data></node><node id=\"b\"><data key=\"name\">y</data></node>"
		      "</graph></graphml>",
		 "a | y", "", NULL},
		/* defaults of keys */
		{HEAD "<key id=\"k\" for=\"all\" attr.name=\"label\"><default> same</default></key>"
		      "<graph><node id=\"a\"/><node id=\"b\"><data key=\"k\">own</data></node>"
		      "<edge source=\"a\" target=\"b\"/></graph></graphml>",
		 " same | own", " same - same-> own", NULL},
		/* directions of single edges */
		{HEAD "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/>"
		      "<node id=\"c\"/><edge source=\"b\" target=\"a\" directed=\"true\"/>"
		      "<edge source=\"b\" target=\"c\"/></graph></graphml>",
		 "a | b | c", "b --> a; b --> c; c --> b",
		 "1 undirected edge among directed ones: read as both directions"},
		/* a loop is one edge, whatever its direction */
		{HEAD "<graph><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/>"
		      "<edge source=\"b\" target=\"b\" directed=\"false\"/></graph></graphml>",
		 "a | b", "a --> b", "1 self-loop left out"},
		{HEAD "<graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>"
		      "<edge source=\"b\" target=\"a\" directed=\"false\"/></graph></graphml>",
		 "a | b", "b -- a", NULL},
		/* an edge before its nodes, a graph inside a node, ports, hyperedges */
		{HEAD "<graph edgedefault=\"directed\"><edge source=\"a\" target=\"c\"/>"
		      "<node id=\"a\"><port name=\"p\"/><graph edgedefault=\"undirected\">"
		      "<node id=\"c\"/></graph></node><hyperedge><endpoint node=\"a\"/>"
		      "</hyperedge></graph></graphml>",
		 "a | c", "a --> c",
		 "1 graph inside a node: what is in it belongs to the one around it; 1 hyperedge "
		 "left out"},
		{"<!-- c -->\n<!DOCTYPE graphml SYSTEM \"graphml.dtd\">\n<g:graphml><g:graph>"
		 "<g:node id=\"&#228;\"/></g:graph></g:graphml>",
		 "\u00e4", "", NULL},
		{"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml><graph><node id=\"\xE4\"/>"
		 "</graph></graphml>",
		 "\u00e4", "", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t count;
		const struct structured g = help_read_graph(cases[i].text, 1, &count);
		assert_string_equal(help_node_names(&g.structure, " | "), cases[i].names);
		assert_string_equal(help_edges(&g.structure), cases[i].edges);
		assert_string_equal(g.structure.note ? g.structure.note : "",
				    cases[i].note ? cases[i].note : "");
		assert_int_equal(count, 1);
	}
}

TEST(each_graph_of_a_file_stands_alone)
{
	static const char text[] = HEAD "<graph><node id=\"a\"/></graph>\n"
					"<graph><node id=\"a\"/><node id=\"a\"/></graph>\n"
					"<graph><node id=\"c\"/>\n</graph></graphml>";
	assert_string_equal(names_which(text, 1), "a");
	assert_string_equal(names_which(text, 3), "c");
	assert_int_equal(
		help_graph_refused(text, strlen(text), 2, "f:4: a second node has the id \"a\""),
		3);
	assert_int_equal(help_graph_refused(text, strlen(text), 4,
					    "f: there is no graph 4: it has 3 graphs"),
			 3);
}

TEST(what_is_broken_behind_a_graph_leaves_it_whole)
{
	const struct structured g = help_read_graph(
		"<graphml>\n<graph><node id=\"a\"/></graph>\n<graph>\n</g></graphml>", 1, NULL);
	assert_string_equal(help_node_names(&g.structure, " | "), "a");
	assert_string_equal(g.structure.note,
			    "graph 1 of 2; behind it the file is broken, line 4: this is no XML "
			    "that can be read: mismatched tag");
}

TEST(malformed_texts_are_refused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"<graphml>\n<graph></graph></graphml>", "f: the graph is empty"},
		{"<graphml></graphml>", "f: there is no graph 1: it has 0 graphs"},
		{"<graphml>\n<graph>\n<node></graphml>", "f:3: a node without an id"},
		{"<graphml>\n<graph>\n", "f:3: this is no XML that can be read: no element found"},
		{"<svg\n/>", "f:1: the outer element is \"svg\": a graph in XML is GraphML"},
		{"<graphml><graph><node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/></graph>"
		 "</graphml>",
		 "f:2: an edge from \"a\" to \"b\": no node has the id \"b\""},
		{"<graphml><graph><node id=\"a\"/>\n<edge source=\"a\"/></graph></graphml>",
		 "f:2: an edge without a source or a target"},
		{"<graphml>\n<graph edgedefault=\"both\"/></graphml>",
		 "f:2: edgedefault is \"both\": it is directed or undirected"},
		{"<graphml><graph><node id=\"a\"/>\n<edge source=\"a\" target=\"a\" "
		 "directed=\"yes\"/></graph></graphml>",
		 "f:2: directed is \"yes\": it is true or false"},
		{"<!DOCTYPE graphml [\n<!ENTITY a \"b\">\n]>\n<graphml><graph><node id=\"&a;\"/>"
		 "</graph></graphml>",
		 "f:2: the file declares an entity, \"a\": entities are not expanded"},
		{"<!DOCTYPE graphml [<!ENTITY % p SYSTEM \"/etc/passwd\"> %p;]><graphml/>",
		 "f:1: the file declares an entity, \"p\""},
		{"<!DOCTYPE graphml SYSTEM \"x.dtd\">\n<graphml><graph><node id=\"a\">"
		 "<data key=\"label\">&x;</data></node></graph></graphml>",
		 "f:2: the entity \"x\" is declared nowhere"},
		{"<graphml><graph><node id=\"&nbsp;\"/></graph></graphml>",
		 "f:1: this is no XML that can be read: undefined entity"},
		{"<graphml>\n\xFF</graphml>",
		 "f:2: this is no XML that can be read: not well-formed"},
		{"<?xml version=\"1.0\" encoding=\"EBCDIC\"?><graphml/>",
		 "f:1: this is no XML that can be read: unknown encoding"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		help_graph_refused(cases[i].text, strlen(cases[i].text), 1, cases[i].message);
}

/* Entities that grow, and more of anything than can be shown, end at once. */
TEST(sizes_are_bounded)
{
	const struct {
		const char *text, *message;
	} cases[] = {
		{help_repeated("<graphml><graph>", "<node id=\"n%zu\"/>", 5000,
			       "</graph></graphml>"),
		 "f:1: more than 4096 nodes"},
		{help_repeated("<graphml><graph><node id=\"a\"/><node id=\"b\"/>",
			       "<edge source=\"a\" target=\"b\" id=\"%zu\"/>", 300000,
			       "</graph></graphml>"),
		 "f:1: more than 262144 edges"},
		{help_repeated("<graphml>", "<x%zu>", 1000, ""),
		 "f:1: elements are nested more than 512 deep"},
		{help_repeated("<graphml><graph><node id=\"a\"><data key=\"label\">", "word%zu",
			       3000, "</data></node></graph></graphml>"),
		 "f:1: a name or label of more than 16384 bytes"},
		{help_repeated("<graphml><graph><node id=\"", "word%zu", 3000,
			       "\"/></graph></graphml>"),
		 "f: a name or label of "},
		{help_repeated("<!DOCTYPE g [<!ENTITY e0 \"ha\">", "<!ENTITY f%zu \"&e0;&e0;\">",
			       100, "]><graphml>&f9;</graphml>"),
		 "f:1: the file declares an entity, \"e0\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		help_graph_refused(cases[i].text, strlen(cases[i].text), 1, cases[i].message);
}
