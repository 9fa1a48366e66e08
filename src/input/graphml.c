/* graphml.c: graphs in GraphML (graphml.graphdrawing.org), read by expat.
 *
 * A node is shown by the name that its program gives it - the value of a key named label, name,
 * text ... (networkx, Gephi, igraph), or a yEd label - and by its id if it has none. Graphs inside
 * nodes belong to the graph around them. An undirected edge in a graph that has directed ones goes
 * both ways.
 *
 * Only the text itself is read: no DTD, no file that it names; entities that it declares are
 * refused, so that none can expand. Prefixes of names are ignored. */
#include <expat.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "input/graph_in.h"
#include "posviz/base/text.h"

enum element { OTHER, GRAPHML, KEY, GRAPH, NODE, EDGE, HYPEREDGE, DATA, DEFAULT, DRAWN_LABEL };

static const struct {
	const char *name;
	enum element element;
} elements[] = {
	{"graphml", GRAPHML},
	{"key", KEY},
	{"graph", GRAPH},
	{"node", NODE},
	{"edge", EDGE},
	{"hyperedge", HYPEREDGE},
	{"data", DATA},
	{"default", DEFAULT},
	{"NodeLabel", DRAWN_LABEL},
	{"EdgeLabel", DRAWN_LABEL},
};

/* Names of keys whose value is the name of a node or an edge, the best first; a yEd label ranks
 * last. */
static const char *const node_names[] = {"label", "name",  "text",    "title", "word",
					 "form",  "token", "concept", NULL};
static const char *const edge_names[] = {"label", "edge label", "relation", "role",  "deprel",
					 "type",  "name",	"text",	    "title", NULL};

enum { NO_RANK = INT_MAX, DRAWN_RANK = INT_MAX - 1 };

/* The best name found so far; smaller ranks are better. */
struct called {
	const char *text;
	int rank;
};

/* A <key>: the rank of its values as names. */
struct key {
	int node_rank, edge_rank;
};

struct node {
	const char *id;
	struct called called;
};

struct drawn { /* an edge; its ends may be declared later */
	const char *from, *to;
	struct called called;
	bool directed;
	size_t line;
};

struct open {
	enum element element;
	size_t item;   /* index of the node or edge */
	bool directed; /* edges in this graph, unless they say otherwise */
};

struct reader {
	const struct source *source;
	size_t which, count;
	struct arena *a;
	struct err *err;
	XML_Parser xml;
	struct open open[STRUCTURE_MAX_DEPTH];
	size_t depth;
	bool active;	       /* inside the graph that is read */
	bool ended;	       /* the graph is complete */
	bool failed, hopeless; /* the graph is refused; so is the rest of the text */
	struct interned key_ids;
	struct key *keys; /* one for each id, declared or used */
	size_t n_keys, keys_cap;
	size_t key; /* declared last */
	struct called node_default,
		edge_default; /* of <default>, for elements without a better name */
	struct node *nodes;
	size_t n_nodes, nodes_cap;
	struct interned ids;
	struct drawn *edges;
	size_t n_edges, edges_cap;
	bool directed; /* edges of the graph read, unless they say otherwise */
	size_t nested, hyperedges;
	struct strbuf text; /* of the value that is open */
	size_t value_depth; /* of its element; 0: no value is open */
	int rank;
	const char *beyond; /* an error after the graph that was read, or NULL */
};

static size_t line_of(const struct reader *r)
{
	return (size_t)XML_GetCurrentLineNumber(r->xml);
}

/* Refuses the graph that is being read; the others are still counted. */
static void refuse(struct reader *r, size_t line, const char *message)
{
	if (!r->failed)
		source_blame(r->source, line, r->err, "%s", message);
	r->failed = true;
}

/* Refuses the rest of the text. */
static void give_up(struct reader *r, const char *message)
{
	if (r->ended)
		r->beyond = arena_printf(r->a, "line %zu: %s", line_of(r), message);
	else
		refuse(r, line_of(r), message);
	r->hopeless = true;
	XML_StopParser(r->xml, XML_FALSE);
}

static const char *quoted(const struct reader *r, const char *text)
{
	return text_quote(r->a, text, strlen(text));
}

static const char *attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (strcmp(attributes[0], name) == 0)
			return attributes[1];
	return NULL;
}

static const char *without_prefix(const char *name)
{
	const char *const colon = strrchr(name, ':');
	return colon ? colon + 1 : name;
}

static enum element element_of(const char *name)
{
	for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
		if (strcmp(elements[i].name, name) == 0)
			return elements[i].element;
	return OTHER;
}

/* ---- keys and values ------------------------------------------------------------------------- */

static int rank_of(const char *const *names, const char *name)
{
	for (int i = 0; names[i]; i++)
		if (strcasecmp(names[i], name) == 0)
			return i;
	return NO_RANK;
}

static bool is_for(const char *whose, const char *element)
{
	return !whose || strcmp(whose, "all") == 0 || strcmp(whose, element) == 0;
}

/* Returns the key of an id; an id that is not declared counts as the key's name. */
static struct key *key_of(struct reader *r, const char *id)
{
	const size_t at = (size_t)interned_add(&r->key_ids, arena_strdup(r->a, id ? id : ""));
	if (at == r->n_keys) {
		r->keys = grow_array(r->a, r->keys, r->n_keys, &r->keys_cap, sizeof *r->keys);
		r->keys[r->n_keys++] = (struct key){.node_rank = rank_of(node_names, id ? id : ""),
						    .edge_rank = rank_of(edge_names, id ? id : "")};
	}
	return &r->keys[at];
}

static void open_key(struct reader *r, const char **attributes)
{
	const char *const name = attribute(attributes, "attr.name");
	const char *const whose = attribute(attributes, "for");
	struct key *const k = key_of(r, attribute(attributes, "id"));
	if (name)
		*k = (struct key){rank_of(node_names, name), rank_of(edge_names, name)};
	if (!is_for(whose, "node"))
		k->node_rank = NO_RANK;
	if (!is_for(whose, "edge"))
		k->edge_rank = NO_RANK;
	r->key = (size_t)(k - r->keys);
}

static void begin_value(struct reader *r, int rank)
{
	r->value_depth = r->depth;
	r->rank = rank;
	strbuf_init(&r->text, r->a);
}

/* Returns the node or edge around a value, or NULL. */
static struct called *enclosing_name(const struct reader *r)
{
	for (size_t i = r->depth; i-- > 0;) {
		const struct open *const o = &r->open[i];
		if (o->element == NODE)
			return &r->nodes[o->item].called;
		if (o->element == EDGE)
			return &r->edges[o->item].called;
		if (o->element == GRAPH || o->element == HYPEREDGE)
			return NULL;
	}
	return NULL;
}

static void open_data(struct reader *r, const char **attributes)
{
	const enum element around = r->open[r->depth - 1].element;
	if (!r->active || (around != NODE && around != EDGE))
		return;
	const struct key *const k = key_of(r, attribute(attributes, "key"));
	const int rank = around == NODE ? k->node_rank : k->edge_rank;
	if (rank < enclosing_name(r)->rank)
		begin_value(r, rank);
}

/* Opens a yEd label. Only the first counts; further labels are details. */
static void open_drawn_label(struct reader *r)
{
	const struct called *const called = r->active ? enclosing_name(r) : NULL;
	if (called && DRAWN_RANK < called->rank)
		begin_value(r, DRAWN_RANK);
}

static bool is_blank_text(const char *text)
{
	return text[strspn(text, " \t\n\v\f\r")] == '\0';
}

static void close_value(struct reader *r, enum element element)
{
	r->value_depth = 0;
	if (r->failed || is_blank_text(r->text.at))
		return;
	const struct called value = {r->text.at, r->rank};
	if (element != DEFAULT) {
		*enclosing_name(r) = value;
		return;
	}
	const struct key *const k = &r->keys[r->key];
	if (k->node_rank < r->node_default.rank)
		r->node_default = (struct called){value.text, k->node_rank};
	if (k->edge_rank < r->edge_default.rank)
		r->edge_default = (struct called){value.text, k->edge_rank};
}

/* Collects text. The text of an element inside the value, such as the placement of a yEd label,
 * is not part of the name. */
static void XMLCALL on_text(void *data, const char *text, int len)
{
	struct reader *const r = data;
	if (r->value_depth == 0 || r->depth != r->value_depth + 1 || r->failed)
		return;
	strbuf_add_n(&r->text, text, (size_t)len);
	if (r->text.len > STRUCTURE_MAX_NAME)
		refuse(r, line_of(r),
		       arena_printf(r->a,
				    "a name or label of more than %d bytes, which is the most",
				    STRUCTURE_MAX_NAME));
}

/* ---- graphs, nodes, edges -------------------------------------------------------------------- */

static bool read_choice(struct reader *r, const char *what, const char *value, const char *yes,
			const char *no, bool otherwise)
{
	if (value && strcmp(value, yes) != 0 && strcmp(value, no) != 0)
		refuse(r, line_of(r),
		       arena_printf(r->a, "%s is %s: it is %s or %s", what, quoted(r, value), yes,
				    no));
	return value ? strcmp(value, yes) == 0 : otherwise;
}

static void open_graph(struct reader *r, struct open *o, const char **attributes)
{
	const bool outer = r->open[r->depth - 1].element == GRAPHML;
	if (outer)
		r->active = ++r->count == r->which;
	else
		r->nested += r->active;
	if (!r->active)
		return;
	o->directed = read_choice(r, "edgedefault", attribute(attributes, "edgedefault"),
				  "directed", "undirected", true);
	if (outer)
		r->directed = o->directed;
}

static void open_node(struct reader *r, struct open *o, const char **attributes)
{
	const char *const id = attribute(attributes, "id");
	if (!r->active || r->failed)
		return;
	if (!id) {
		refuse(r, line_of(r), "a node without an id, which edges name it by");
		return;
	}
	const size_t at = (size_t)interned_add(&r->ids, arena_strdup(r->a, id));
	if (at < r->n_nodes)
		refuse(r, line_of(r),
		       arena_printf(r->a, "a second node has the id %s", quoted(r, id)));
	else if (at == STRUCTURE_MAX_NODES)
		refuse(r, line_of(r),
		       arena_printf(r->a, "more than %d nodes: at most %d can be shown",
				    STRUCTURE_MAX_NODES, STRUCTURE_MAX_NODES));
	if (r->failed)
		return;
	r->nodes = grow_array(r->a, r->nodes, r->n_nodes, &r->nodes_cap, sizeof *r->nodes);
	r->nodes[at] = (struct node){r->ids.at[at], {r->ids.at[at], NO_RANK}};
	r->n_nodes++;
	o->item = at;
}

static void open_edge(struct reader *r, struct open *o, const char **attributes)
{
	const char *const from = attribute(attributes, "source");
	const char *const to = attribute(attributes, "target");
	bool directed = true;
	if (!r->active || r->failed)
		return;
	for (size_t i = r->depth; i-- > 0;)
		if (r->open[i].element == GRAPH) {
			directed = r->open[i].directed;
			break;
		}
	directed = read_choice(r, "directed", attribute(attributes, "directed"), "true", "false",
			       directed);
	if (!from || !to)
		refuse(r, line_of(r),
		       "an edge without a source or a target, which are ids of nodes");
	else if (r->n_edges == STRUCTURE_MAX_EDGES)
		refuse(r, line_of(r),
		       arena_printf(r->a, "more than %d edges: no more are read",
				    STRUCTURE_MAX_EDGES));
	if (r->failed)
		return;
	r->edges = grow_array(r->a, r->edges, r->n_edges, &r->edges_cap, sizeof *r->edges);
	o->item = r->n_edges;
	r->edges[r->n_edges++] = (struct drawn){.from = arena_strdup(r->a, from),
						.to = arena_strdup(r->a, to),
						.called = {"", NO_RANK},
						.directed = directed,
						.line = line_of(r)};
}

static void open_element(struct reader *r, struct open *o, const char **attributes)
{
	if (o->element == KEY)
		open_key(r, attributes);
	else if (o->element == DEFAULT && r->open[r->depth - 1].element == KEY)
		begin_value(r, 0);
	else if (o->element == GRAPH)
		open_graph(r, o, attributes);
	else if (o->element == NODE)
		open_node(r, o, attributes);
	else if (o->element == EDGE)
		open_edge(r, o, attributes);
	else if (o->element == HYPEREDGE)
		r->hyperedges += r->active;
	else if (o->element == DATA && !r->failed)
		open_data(r, attributes);
	else if (o->element == DRAWN_LABEL && !r->failed)
		open_drawn_label(r);
}

static void XMLCALL on_open(void *data, const char *name, const char **attributes)
{
	struct reader *const r = data;
	if (r->hopeless)
		return;
	struct open o = {.element = element_of(without_prefix(name))};
	if (r->depth == STRUCTURE_MAX_DEPTH) {
		give_up(r, arena_printf(r->a, "elements are nested more than %d deep",
					STRUCTURE_MAX_DEPTH));
		return;
	}
	if (r->depth == 0 && o.element != GRAPHML) {
		give_up(r, arena_printf(r->a,
					"the outer element is %s: a graph in XML is GraphML, "
					"<graphml><graph> ...",
					quoted(r, name)));
		return;
	}
	if (r->depth > 0)
		open_element(r, &o, attributes);
	r->open[r->depth++] = o;
}

static void XMLCALL on_close(void *data, const char *name)
{
	struct reader *const r = data;
	(void)name;
	if (r->hopeless)
		return;
	const enum element element = r->open[--r->depth].element;
	if (r->value_depth > 0 && r->depth == r->value_depth)
		close_value(r, element);
	if (element == GRAPH && r->active && r->open[r->depth - 1].element == GRAPHML) {
		r->active = false;
		r->ended = true;
	}
}

/* ---- refused content
 * --------------------------------------------------------------------------- */

static void XMLCALL on_entity(void *data, const char *name, int parameter, const char *value,
			      int len, const char *base, const char *system, const char *public,
			      const char *notation)
{
	struct reader *const r = data;
	(void)parameter, (void)value, (void)len, (void)base, (void)system, (void)public;
	(void)notation;
	give_up(r, arena_printf(r->a,
				"the file declares an entity, %s: entities are not expanded, the "
				"text itself must stand in their places",
				quoted(r, name)));
}

static void XMLCALL on_skipped(void *data, const char *name, int parameter)
{
	struct reader *const r = data;
	(void)parameter;
	give_up(r, arena_printf(r->a, "the entity %s is declared nowhere in the text",
				quoted(r, name)));
}

/* ---- the graph ------------------------------------------------------------------------------- */

static const char *name_of(const struct called *called, const struct called *otherwise)
{
	return otherwise->rank < called->rank ? otherwise->text : called->text;
}

static bool end_of(struct reader *r, const struct drawn *e, const char *id, size_t *node)
{
	*node = (size_t)interned_add(&r->ids, id);
	if (*node < r->n_nodes)
		return true;
	return source_blame(r->source, e->line, r->err,
			    "an edge from %s to %s: no node has the id %s", quoted(r, e->from),
			    quoted(r, e->to), quoted(r, id));
}

static bool add_edges(struct reader *r, struct growing *g)
{
	size_t directed = 0, both = 0;
	for (size_t i = 0; i < r->n_edges; i++)
		directed += r->edges[i].directed;
	g->directed = r->n_edges > 0 ? directed > 0 : r->directed;
	for (size_t i = 0; i < r->n_edges; i++) {
		const struct drawn *const e = &r->edges[i];
		const char *const label = name_of(&e->called, &r->edge_default);
		size_t from, to;
		if (!end_of(r, e, e->from, &from) || !end_of(r, e, e->to, &to))
			return false;
		growing_add_edge(g, from, to, label);
		if (g->directed && !e->directed && from != to) {
			growing_add_edge(g, to, from, label);
			both++;
		}
	}
	if (both > 0)
		note_add(&g->note, "%s among directed ones: read as both directions",
			 count_text(r->a, both, "undirected edge"));
	return true;
}

static bool make_graph(struct reader *r, struct growing *g)
{
	if (!graph_which(r->source, r->which, r->count, &g->note, r->err))
		return false;
	for (size_t i = 0; i < r->n_nodes; i++)
		growing_add_node(g, name_of(&r->nodes[i].called, &r->node_default));
	if (r->nested > 0)
		note_add(&g->note, "%s: what is in it belongs to the one around it",
			 count_text(r->a, r->nested, "graph inside a node"));
	if (r->hyperedges > 0)
		note_add(&g->note, "%s left out", count_text(r->a, r->hyperedges, "hyperedge"));
	if (r->beyond)
		note_add(&g->note, "behind it the file is broken, %s", r->beyond);
	return add_edges(r, g);
}

/* The text is parsed in one call: in parts, expat would scan a long token again with each of
 * them. */
static void parse(struct reader *r)
{
	const size_t len = (size_t)(r->source->end - r->source->at);
	XML_SetUserData(r->xml, r);
	XML_SetElementHandler(r->xml, on_open, on_close);
	XML_SetCharacterDataHandler(r->xml, on_text);
	XML_SetEntityDeclHandler(r->xml, on_entity);
	XML_SetSkippedEntityHandler(r->xml, on_skipped);
	if (len > INT_MAX)
		give_up(r, "a file of more than 2 GiB");
	else if (XML_Parse(r->xml, r->source->at, (int)len, XML_TRUE) != XML_STATUS_OK &&
		 !r->hopeless)
		give_up(r, arena_printf(r->a, "this is no XML that can be read: %s",
					XML_ErrorString(XML_GetErrorCode(r->xml))));
}

bool graph_graphml(const struct source *s, size_t which, size_t *count, struct arena *a,
		   struct structured *out, struct err *err)
{
	struct reader *const r = arena_calloc(a, 1, sizeof *r);
	struct growing g;
	*r = (struct reader){.source = s, .which = which, .a = a, .err = err};
	r->xml = XML_ParserCreate(NULL);
	if (!r->xml)
		die("out of memory");
	r->node_default.rank = r->edge_default.rank = NO_RANK;
	interned_init(&r->ids, a);
	interned_init(&r->key_ids, a);
	growing_init(&g, a);
	parse(r);
	XML_ParserFree(r->xml);
	*count = r->count;
	return !r->failed && make_graph(r, &g) && growing_finish(&g, s, out, err);
}
