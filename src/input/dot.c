/* dot.c: graphs in DOT, read by libcgraph.
 *
 * libcgraph has one parser for the whole process, so a lock lets only one reader in at a time.
 * Its messages go to a function of ours that has no argument but the text: hence the one static
 * struct. A node is shown by the words of its label, or else its id; ports are ignored. */
#include <graphviz/cgraph.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "input/dot_label.h"
#include "input/graph_in.h"
#include "input/pieces.h"
#include "posviz/base/text.h"

enum { QUOTED = 128 };

static struct {
	pthread_mutex_t lock;
	char error[512], warning[512]; /* the first message of each kind */
	char *to;		       /* where the parts of the present message are collected */
} libcgraph = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Collects a message, which comes in parts: "Error", ": ", text. */
static int keep_message(char *part)
{
	if (strcmp(part, "Error") == 0 || strcmp(part, "Warning") == 0) {
		char *const to = *part == 'E' ? libcgraph.error : libcgraph.warning;
		libcgraph.to = *to == '\0' ? to : NULL;
	} else if (libcgraph.to && strcmp(part, ": ") != 0) {
		const size_t used = strlen(libcgraph.to);
		strncat(libcgraph.to, part, sizeof libcgraph.error - 1 - used);
	}
	return 0;
}

static void clear_messages(void)
{
	libcgraph.error[0] = libcgraph.warning[0] = '\0';
	libcgraph.to = NULL;
	agreseterrors();
}

/* Discards the rest of a failed read, which the scanner would read next time: a text with an
 * error makes libcgraph discard everything. */
static void drop_rest(void)
{
	for (int i = 0; i < 3; i++) {
		Agraph_t *g = agmemread("%");
		if (!g)
			return;
		agclose(g);
	}
}

static Agraph_t *read_text(const char *text, size_t line)
{
	clear_messages();
	agseterr(AGWARN);
	agseterrf(keep_message);
	agsetfile(NULL);
	agreadline((int)line);
	Agraph_t *g = agmemread(text);
	if (g && libcgraph.error[0] == '\0')
		return g;
	if (g)
		agclose(g);
	char error[sizeof libcgraph.error];
	memcpy(error, libcgraph.error, sizeof error);
	drop_rest();
	memcpy(libcgraph.error, error, sizeof error);
	return NULL;
}

/* Reports "syntax error in line 3 near '}'" in our form, with the line in front. */
static bool blame_message(const struct source *s, size_t line, struct err *err)
{
	static const char in_line[] = " in line ", near[] = " near '";
	char what[QUOTED] = "not DOT", quoted[QUOTED];
	const char *at = strstr(libcgraph.error, in_line);
	if (at) {
		const size_t n = (size_t)(at - libcgraph.error);
		const size_t blank = *libcgraph.error == ' ';
		text_quote_buf(what, sizeof what, libcgraph.error + blank, n - blank);
		line = strtoul(at + strlen(in_line), NULL, 10);
		at = strstr(at, near);
	}
	if (strstr(what, "memory exhausted"))
		return source_blame(s, line, err,
				    "too long a chain of edges, or too deep brackets: write it as "
				    "several");
	if (strstr(what, "syntax error"))
		strcpy(what, "this is not DOT");
	if (!at)
		return source_blame(s, line, err, "%s", what);
	at += strlen(near);
	size_t n = strcspn(at, "\n");
	n -= n > 0 && at[n - 1] == '\'';
	return source_blame(s, line, err, "%s: %s is not expected here", what,
			    text_quote_buf(quoted, sizeof quoted, at, n));
}

/* ---- labels ---------------------------------------------------------------------------------- */

static char label_key[] = "label", charset_key[] = "charset", shape_key[] = "shape";

static const char *from_latin1(struct arena *a, const char *text)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (; *text != '\0'; text++) {
		char bytes[4];
		strbuf_add_n(&out, bytes, text_encode(bytes, (unsigned char)*text));
	}
	return out.at;
}

/* A reader of a graph. Names that begin with % are libcgraph's own, for nodes without a name: a
 * name of the user that begins so would be renamed. So while libcgraph reads the text, each % is
 * replaced by a byte that does not occur in it. */
struct reader {
	struct arena *a;
	char percent; /* that byte; 0: the text has none */
	struct growing graph;
	const char **ids;	/* of the nodes */
	struct dot_names names; /* of the object whose label is read */
	bool latin1;
	size_t html, bad, cut;
	const char *first_bad, *first_cut;
};

static bool is_latin1(Agraph_t *g)
{
	static const char *const names[] = {"latin1",	  "latin-1",   "l1",	    "iso-8859-1",
					    "iso_8859-1", "iso8859-1", "iso-ir-100"};
	const char *charset = agget(g, charset_key);
	for (size_t i = 0; charset && i < sizeof names / sizeof *names; i++)
		if (strcasecmp(charset, names[i]) == 0)
			return true;
	return false;
}

static void replace(char *text, char from, char to)
{
	for (; from != '\0' && *text != '\0'; text++)
		*text = *text == from ? to : *text;
}

/* Replaces each %; false: the text contains all candidate bytes. */
static bool hide_percent(struct reader *r, char *text)
{
	static const char free_bytes[] =
		"\x1a\x1c\x1d\x1e\x1f\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f"
		"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x7f";
	const char *byte = free_bytes;
	if (!strchr(text, '%'))
		return true;
	while (*byte != '\0' && strchr(text, *byte))
		byte++;
	r->percent = *byte;
	replace(text, '%', r->percent);
	return r->percent != '\0';
}

/* Copies a text, since libcgraph frees its own with the graph. */
static const char *copy(const struct reader *r, const char *text)
{
	char *const out = arena_strdup(r->a, text);
	replace(out, r->percent, '%');
	return r->latin1 ? from_latin1(r->a, out) : out;
}

static bool is_record(void *node)
{
	const char *const shape = agget(node, shape_key);
	return shape && (strcmp(shape, "record") == 0 || strcmp(shape, "Mrecord") == 0);
}

/* Returns the fields of a record, or \N if its label is invalid. */
static const char *record_of(struct reader *r, const char *label, bool html)
{
	const char *fields = label;
	switch (dot_label_record(r->a, label, html, &fields)) {
	case DOT_RECORD_BAD:
		r->first_bad = r->bad++ == 0 ? label : r->first_bad;
		return html ? "" : "\\N";
	case DOT_RECORD_CUT:
		r->first_cut = r->cut++ == 0 ? label : r->first_cut;
		break;
	case DOT_RECORD_WHOLE:
		break;
	}
	return fields;
}

/* Returns the label of a node, by default its id, or of an edge, with escapes replaced by
 * r->names. */
static const char *label_of(struct reader *r, void *object)
{
	static const char blanks[] = " \t\n\v\f\r";
	const char *const id = r->names.node ? r->names.node : "";
	char *const label = agget(object, label_key);
	if (!label)
		return id;
	const bool html = aghtmlstr(label);
	const char *text = copy(r, label);
	r->html += html;
	if (r->names.node && is_record(object))
		text = record_of(r, text, html);
	text = html ? dot_label_html(r->a, text) : dot_label_plain(r->a, text, &r->names);
	return text[strspn(text, blanks)] == '\0' ? id : text;
}

/* Returns the name of a graph. libcgraph gives graphs without one a number, which counts on
 * through the process; these have the name "". */
static const char *graph_name(const struct reader *r, Agraph_t *g)
{
	const char *const name = agnameof(g);
	return name && *name != '%' ? copy(r, name) : "";
}

/* ---- nodes and edges ------------------------------------------------------------------------- */

struct found { /* an edge; libcgraph lists them by node, not in the order of the text */
	unsigned written;
	size_t from, to;
	const char *label;
};

static int compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	return (x->written > y->written) - (x->written < y->written);
}

/* Node i has sequence number i + 1 in the order of creation; a table bridges gaps. */
static size_t *index_nodes(struct reader *r, Agraph_t *g)
{
	unsigned most = 0;
	for (Agnode_t *n = agfstnode(g); n; n = agnxtnode(g, n))
		most = AGSEQ(n) > most ? AGSEQ(n) : most;
	size_t *index = arena_calloc(r->a, (size_t)most + 1, sizeof *index);
	const char *const graph = graph_name(r, g);
	r->ids = arena_calloc(r->a, (size_t)most + 1, sizeof *r->ids);
	for (Agnode_t *n = agfstnode(g); n; n = agnxtnode(g, n)) {
		const char *const id = agnameof(n);
		r->ids[r->graph.n] = id ? copy(r, id) : "";
		r->names = (struct dot_names){.graph = graph, .node = r->ids[r->graph.n]};
		index[AGSEQ(n)] = growing_add_node(&r->graph, label_of(r, n));
	}
	return index;
}

static void add_edges(struct reader *r, Agraph_t *g, const size_t *index)
{
	struct found *found = arena_calloc(r->a, 1, sizeof *found);
	const char *const graph = graph_name(r, g);
	size_t n = 0, cap = 1;
	for (Agnode_t *from = agfstnode(g); from; from = agnxtnode(g, from))
		for (Agedge_t *e = agfstout(g, from); e; e = agnxtout(g, e)) {
			r->names = (struct dot_names){.graph = graph,
						      .tail = r->ids[index[AGSEQ(agtail(e))]],
						      .arrow = r->graph.directed ? "->" : "--",
						      .head = r->ids[index[AGSEQ(aghead(e))]]};
			found = grow_array(r->a, found, n, &cap, sizeof *found);
			found[n++] = (struct found){.written = AGSEQ(e),
						    .from = index[AGSEQ(agtail(e))],
						    .to = index[AGSEQ(aghead(e))],
						    .label = label_of(r, e)};
		}
	qsort(found, n, sizeof *found, compare_found);
	for (size_t i = 0; i < n; i++)
		growing_add_edge(&r->graph, found[i].from, found[i].to, found[i].label);
}

/* agnnodes and agnedges would recurse once for each node or edge. */
static size_t count_nodes(Agraph_t *g)
{
	size_t count = 0;
	for (Agnode_t *n = agfstnode(g); n; n = agnxtnode(g, n))
		count++;
	return count;
}

static void add_notes(struct reader *r)
{
	if (r->html > 0)
		note_add(&r->graph.note, "%s without tags",
			 count_text(r->a, r->html, "HTML label"));
	if (r->bad > 0)
		note_add(&r->graph.note, "%s, %s: the node's id instead",
			 count_text(r->a, r->bad, "bad record label"),
			 text_quote(r->a, r->first_bad, strlen(r->first_bad)));
	if (r->cut > 0)
		note_add(&r->graph.note, "%s cut at a } that closes nothing, %s",
			 count_text(r->a, r->cut, "record label"),
			 text_quote(r->a, r->first_cut, strlen(r->first_cut)));
	const size_t n = strcspn(libcgraph.warning, "\n");
	if (n > 0)
		note_add(&r->graph.note, "libcgraph says %s",
			 text_quote(r->a, libcgraph.warning, n));
}

static bool convert(struct reader *r, const struct source *s, const struct dot_piece *piece,
		    size_t line, struct err *err)
{
	char *const text = arena_strndup(r->a, piece->begin, (size_t)(piece->end - piece->begin));
	if (!hide_percent(r, text))
		return source_blame(
			s, line, err,
			"%% and every control character: fewer of these would be right");
	Agraph_t *g = read_text(text, line);
	replace(libcgraph.error, r->percent, '%');
	replace(libcgraph.warning, r->percent, '%');
	if (!g)
		return blame_message(s, line, err);
	const size_t nodes = count_nodes(g);
	const bool fits = nodes <= STRUCTURE_MAX_NODES;
	if (fits) {
		r->latin1 = is_latin1(g);
		r->graph.directed = agisdirected(g);
		add_edges(r, g, index_nodes(r, g));
		add_notes(r);
	} else {
		source_blame(s, line, err, "%zu nodes: at most %d can be shown", nodes,
			     STRUCTURE_MAX_NODES);
	}
	agclose(g);
	return fits;
}

/* Returns whether a line begins a graph, rather than setting an attribute of one. */
static bool opens_dot(const char *line, const char *end)
{
	enum { HEAD = 4096 };
	const size_t most = end - line < HEAD ? (size_t)(end - line) : HEAD;
	size_t n = 0;
	if (!graph_starts_dot(line))
		return false;
	while (n < most && !strchr("{[=;", line[n]))
		n++;
	return n < most && line[n] == '{';
}

/* Works like dot_cut for a text whose graphs may be broken: a broken one is restored, and *at is
 * where the next may begin. */
static bool cut_whole(const struct source *s, const struct source *copied, struct pieces *pieces,
		      char **at, struct dot_piece *out, struct err *err)
{
	*at += graph_first_byte(*at) - *at;
	const size_t begin = (size_t)(*at - copied->at);
	const size_t limit = (size_t)(piece_limit(pieces, s->at + begin) - s->at);
	char *const stop = *at + (limit - begin);
	*stop = '\0';
	const bool ok = dot_cut(copied, at, out, err);
	*stop = s->at[limit];
	if (ok)
		return true;
	memcpy(*at, s->at + begin, limit - begin);
	*out = (struct dot_piece){.begin = *at};
	*at += piece_resume(pieces, s->at + begin) - (s->at + begin);
	return false;
}

static size_t line_of(const struct source *s, const char *place)
{
	size_t line = 1;
	for (const char *c = s->at; c < place; c++)
		line += *c == '\n';
	return line;
}

bool graph_dot(const struct source *s, size_t which, size_t *count, struct arena *a,
	       struct structured *out, struct err *err)
{
	const size_t len = (size_t)(s->end - s->at);
	char *at = arena_strndup(a, s->at, len);
	const struct source copied = {.name = s->name, .at = at, .end = at + len};
	struct pieces pieces = {.source = s, .opens = opens_dot};
	struct dot_piece piece = {0}, chosen = {0};
	bool ok = true;
	for (*count = 0;;) {
		/* Text that is no graph makes the graph before it broken. */
		const bool stray = !graph_starts_dot(graph_first_byte(at));
		const bool wanted = *count + 1 == which || (stray && *count == which);
		const bool whole = cut_whole(s, &copied, &pieces, &at, &piece, wanted ? err : NULL);
		if (!piece.begin)
			break;
		ok &= whole || !wanted;
		*count += whole || !stray;
		if (whole && wanted)
			chosen = piece;
	}
	struct reader r = {.a = a};
	growing_init(&r.graph, a);
	if (!graph_which(s, which, *count, &r.graph.note, err) || !ok)
		return false;
	pthread_mutex_lock(&libcgraph.lock);
	ok = convert(&r, s, &chosen, line_of(&copied, chosen.begin), err);
	clear_messages();
	agseterrf(NULL);
	pthread_mutex_unlock(&libcgraph.lock);
	return ok && growing_finish(&r.graph, s, out, err);
}
