/* hang.c: the words of a tree in a row, to hang them elsewhere; and the nodes of a graph, to move its edges.
 *
 * In a tree a word is under the cursor, and lifted it goes from head to head. In a graph it is an end of an
 * edge, of its ends in a row: the first edge's from and to, then the second's; lifted, it goes from node to node.
 * Both are commands whose pictures are shown, as in permute.c. What would be refused is passed over. */
#include <stdio.h>

#include "strip.h"

void hang_open(struct tui *t)
{
	permute_open(t);
	if (t->mode == MODE_PERMUTE)
		t->mode = MODE_HANG;
}

static const struct structure *structure_now(struct tui *t, struct arena *a)
{
	const struct structure *s;
	return app_structure(t->app, a, &s, NULL) ? s : NULL;
}

static const struct structure *structure_shown(const struct tui *t)
{
	return t->picture ? t->picture->picture.built.structure : NULL;
}

bool hang_moves_edges(const struct tui *t)
{
	const struct structure *const s = structure_shown(t);
	return s && !s->parent;
}

const char *hang_word(const struct tui *t)
{
	const struct structure *const s = structure_shown(t);
	if (!s || (s->parent ? s->tokens < s->n : s->n_edges == 0))
		return NULL;
	return s->parent ? "heads" : "edges";
}

/* Words that the cursor goes through, or ends of edges. */
static size_t count_stops(const struct structure *s)
{
	return s->parent ? s->n : 2 * s->n_edges;
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* Hangs a lifted word on the next in that direction that it can hang on, else it stays. */
static void hang_beside(struct tui *t, const struct structure *s, int direction)
{
	const size_t word = t->permute.token;
	char line[64];
	long at = s->parent[word] < 0 ? (long)word : s->parent[word];
	for (at += direction; at >= 0 && (size_t)at < s->n; at += direction)
		if (!tree_is_below(s, (size_t)at, word)) {
			snprintf(line, sizeof line, "hang %zu %ld", word + 1, at + 1);
			tui_run_line(t, line);
			return;
		}
}

/* An end of an edge, and the node at either. */
struct edge_end {
	size_t edge;
	bool to;
	size_t node, other;
};

static struct edge_end end_of(const struct structure *s, size_t stop)
{
	const struct edge *const e = &s->edges[stop / 2];
	const bool to = stop % 2 == 1;
	return (struct edge_end){.edge = stop / 2,
				 .to = to,
				 .node = to ? e->to : e->from,
				 .other = to ? e->from : e->to};
}

/* Moves a lifted end to the next node in that direction that it can be at, else it stays and says why. */
static void wire_beside(struct tui *t, const struct structure *s, int direction)
{
	const struct edge_end end = end_of(s, t->permute.token);
	char line[96];
	struct err err = {0};
	for (long at = (long)end.node + direction; at >= 0 && (size_t)at < s->n; at += direction) {
		const size_t from = end.to ? end.other : (size_t)at;
		const size_t to = end.to ? (size_t)at : end.other;
		if (!structure_edge_fits(s, end.edge, from, to, &err))
			continue;
		snprintf(line, sizeof line, "wire %zu %zu %zu", end.edge + 1, from + 1, to + 1);
		tui_run_line(t, line);
		return;
	}
	if (err.text[0] != '\0')
		app_say(t->app, "%s", err.text);
}

static void hang_go(struct tui *t, const struct structure *s, enum request where)
{
	struct permute *const p = &t->permute;
	const size_t n = count_stops(s);
	const int direction = where == REQUEST_TOKEN_LEFT ? -1 : 1;
	if (p->lifted && (where == REQUEST_TOKEN_LEFT || where == REQUEST_TOKEN_RIGHT))
		(s->parent ? hang_beside : wire_beside)(t, s, direction);
	else if (!p->lifted)
		p->token = where == REQUEST_TOKEN_FIRST	 ? 0
			   : where == REQUEST_TOKEN_LAST ? n - 1
			   : direction < 0		 ? p->token - (p->token > 0)
							 : p->token + (p->token + 1 < n);
}

static void hang_root(struct tui *t, const struct structure *s)
{
	char line[64];
	snprintf(line, sizeof line, "hang %zu 0", t->permute.token + 1);
	if (s && !s->parent)
		app_say(t->app, "an edge of a graph has two nodes; 0 is for words of a tree");
	else
		tui_run_line(t, line);
}

bool hang_answer(struct tui *t, enum request what)
{
	struct arena a;
	arena_init(&a);
	const struct structure *const s = structure_now(t, &a);
	bool done = true;
	if (s && t->permute.token >= count_stops(s))
		t->permute.token = count_stops(s) - 1;
	if (what == REQUEST_BACK)
		permute_back(t);
	else if (what == REQUEST_LIFT)
		permute_lift(t);
	else if (what == REQUEST_HANG_ROOT)
		hang_root(t, s);
	else if (what >= REQUEST_TOKEN_LEFT && what <= REQUEST_TOKEN_LAST && s)
		hang_go(t, s, what);
	else
		done = false;
	if (done)
		tui_dirty(t, t->dirty ? TUI_SETTLE : 0);
	arena_release(&a);
	return done;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* "on chased, obj": the word's head, and its relation to it. */
static const char *says_of_word(const struct structure *s, size_t word, struct arena *a)
{
	if (s->parent[word] < 0)
		return "a root";
	const char *relation = "";
	for (size_t e = 0; e < s->n_edges; e++)
		if (s->edges[e].to == word)
			relation = s->edge_labels[s->edges[e].label];
	return arena_printf(a, "on %s%s%s", s->names[s->parent[word]], *relation ? ", " : "",
			    relation);
}

/* "edge 3 of 7: want-01 -ARG0-> boy"; where that leaves the row no room its number alone. */
static const char *says_of_edge(const struct structure *s, size_t edge, int room, struct arena *a)
{
	const char *const number = arena_printf(a, "edge %zu of %zu", edge + 1, s->n_edges);
	const char *const whole =
		arena_printf(a, "%s: %s", number, structure_print_edge(s, edge, a));
	return 2 * (int)text_width(whole) < room ? whole : number;
}

void hang_draw(struct line *l)
{
	struct tui *const t = l->t;
	struct permute *const p = &t->permute;
	const struct structure *const s = structure_now(t, l->a);
	struct row r;
	if (!s || count_stops(s) == 0)
		return;
	p->token = p->token < count_stops(s) ? p->token : count_stops(s) - 1;
	row_init(&r, s->n, l->a);
	r.moving = s->n;
	for (size_t i = 0; i < s->n; i++) {
		r.names[i] = s->names[i];
		r.moves[i] = true;
	}
	const int end = l->right, whole = l->right - l->col;
	struct edge_end of = {0};
	if (!s->parent)
		of = end_of(s, p->token);
	const char *const says =
		s->parent ? says_of_word(s, p->token, l->a) : says_of_edge(s, of.edge, whole, l->a);
	const int wide = (int)text_width(says);
	if ((s->parent ? 3 : 2) * wide < whole)
		l->right -= wide + STRIP_GAP;
	const int room = l->right - l->col;
	const struct strip d = {.l = l,
				.r = &r,
				.held = p->lifted,
				.hung = true,
				.at = s->parent ? p->token : of.node,
				.head = !s->parent		  ? of.other
					: s->parent[p->token] < 0 ? s->n
								  : (size_t)s->parent[p->token],
				.most = room > 8 ? room - 6 : 2};
	strip_draw(&d);
	if (l->right == end)
		return;
	l->right = end;
	l->col += STRIP_GAP;
	line_item(l, 0, says, ATTR_DIM);
}
