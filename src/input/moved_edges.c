/* moved_edges.c: edges of a graph moved between other nodes: "3:1-4", edge 3 from node 1 to node 4.
 *
 * The result must again have no loop and no repeated edge, like every graph that is read. */
#include <string.h>

#include "posviz/input/letters.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "structure_in.h"

enum { QUOTED = 96 };

static const char form[] =
	"an edge is moved by its number and those of its nodes, EDGE:FROM-TO, as 3:1-4";

/* Reads a number from 1 to `most` that ends with `end`, and moves *at behind that; `end` 0: the
 * end of the word. */
static bool read_number(const char **at, char end, size_t most, const char *what, size_t *out,
			struct err *err)
{
	const size_t len = strspn(*at, "0123456789");
	uint64_t value = 0;
	char quoted[QUOTED];
	const char *const behind = *at + len;
	const bool ends = end ? *behind == end : *behind == '\0' || strchr(" \t\n\v\f\r,", *behind);
	if (len == 0 || !ends)
		return err_set(err, "moved-edges: %s: %s",
			       text_quote_buf(quoted, sizeof quoted, *at, letter_number(*at)),
			       form);
	if (!num_parse_u64(*at, len, &value, NULL) || value < 1 || value > most)
		return err_set(err, "moved-edges: there is no %s %s: it has %zu, counted from 1",
			       what, text_quote_buf(quoted, sizeof quoted, *at, len), most);
	*out = (size_t)value - 1;
	*at = behind + (end != '\0');
	return true;
}

static bool same_ends(const struct structure *s, const struct edge *x, const struct edge *y)
{
	return (x->from == y->from && x->to == y->to) ||
	       (!s->directed && x->from == y->to && x->to == y->from);
}

const char *structure_print_edge(const struct structure *s, size_t edge, struct arena *a)
{
	const struct edge *const e = &s->edges[edge];
	const char *const label = s->edge_labels[e->label];
	return arena_printf(a, "%s %s%s%s %s", s->names[e->from], *label ? "-" : "", label,
			    s->directed ? "->"
			    : *label	? "-"
					: "--",
			    s->names[e->to]);
}

bool structure_edge_fits(const struct structure *s, size_t edge, size_t from, size_t to,
			 struct err *err)
{
	const struct edge moved = {.from = from, .to = to, .label = s->edges[edge].label};
	if (from == to)
		return err_set(err,
			       "edge %zu from %s to itself is a loop, which no scheme has a place "
			       "for: it needs two nodes",
			       edge + 1, s->names[from]);
	for (size_t i = 0; i < s->n_edges; i++)
		if (i != edge && s->edges[i].label == moved.label &&
		    same_ends(s, &s->edges[i], &moved))
			return err_set(
				err,
				"edge %zu is between %s and %s already, with the same label: "
				"edge %zu needs another node",
				i + 1, s->names[s->edges[i].from], s->names[s->edges[i].to],
				edge + 1);
	return true;
}

/* Refuses loops and repeated edges, in one pass. */
static bool check_all(struct structure *s, const bool *moved, struct arena *a, struct err *err)
{
	struct interned seen;
	size_t *const first = arena_calloc(a, s->n_edges + 1, sizeof *first);
	interned_init(&seen, a);
	for (size_t i = 0; i < s->n_edges; i++) {
		const struct edge e = s->edges[i];
		const bool turn = !s->directed && e.to < e.from;
		const size_t n = seen.n;
		const size_t at = (size_t)interned_add(
			&seen, arena_printf(a, "%zu %zu %d", turn ? e.to : e.from,
					    turn ? e.from : e.to, e.label));
		if (seen.n > n)
			first[at] = i;
		if ((seen.n == n || e.from == e.to) &&
		    !structure_edge_fits(s, moved[i] ? i : first[at], e.from, e.to, err))
			return err_prefix(err, "moved-edges: ");
	}
	return true;
}

bool structure_move_edges(struct structure *s, const char *text, struct arena *a, struct err *err)
{
	if (s->kind != STRUCTURE_GRAPH)
		return err_set(err,
			       "moved-edges: the structure is a tree, not a graph; --governors "
			       "hangs its words elsewhere");
	struct edge *const edges = arena_calloc(a, s->n_edges + 1, sizeof *edges);
	bool *const moved = arena_calloc(a, s->n_edges + 1, sizeof *moved);
	size_t count = 0;
	memcpy(edges, s->edges, s->n_edges * sizeof *edges);
	for (const char *at = letter_skip_blanks(text); *at != '\0';) {
		size_t edge, from, to;
		if (!read_number(&at, ':', s->n_edges, "edge", &edge, err) ||
		    !read_number(&at, '-', s->n, "node", &from, err) ||
		    !read_number(&at, '\0', s->n, "node", &to, err))
			return false;
		if (moved[edge])
			return err_set(err,
				       "moved-edges: edge %zu is moved twice; once would be right",
				       edge + 1);
		count += moved[edge] = true;
		edges[edge].from = from;
		edges[edge].to = to;
		at = letter_skip_blanks(at + (*at == ','));
	}
	s->edges = edges;
	if (!check_all(s, moved, a, err))
		return false;
	const char *const note = arena_printf(a, "%zu of %s elsewhere than as read", count,
					      count_text(a, s->n_edges, "edge"));
	s->note = s->note ? arena_printf(a, "%s; %s", s->note, note) : note;
	return true;
}
