/* label_search.c: see label_search.h. A breadth-first search from every node, all searches in
 * parallel length by length: a path is the number of its prefix and a symbol, and when all paths of
 * a length are found, they are sorted and numbered. So numbers compare as paths do, and searches
 * can run on the pool.
 *
 * Only the smallest of the shortest paths between two nodes are kept. The rest of such a path
 * without its first symbol is among the smallest from the next node, or as many smaller ones
 * were found there: so it has a number. */
#include "scheme/label_search.h"

#include <string.h>

#include "posviz/math/rows.h"
#include "posviz/math/machine.h"

enum {
	PER_CHILD = 64
}; /* in units of rows_parallel: the cost of finding a path by its last symbol */

/* A path to a node, and its multiplicity. */
struct way {
	int32_t path; /* its number, -1: the empty one; until it has a number, that of its prefix */
	int32_t symbol;
	double count;
};

struct source {
	int32_t *depth; /* [nodes]; -1: not reached */
	int32_t *queue; /* [nodes] reached, the present ones first */
	size_t n;	/* their number, and the index of the first whose ways are not known */
	size_t next;
	int32_t *first, *n_ways; /* [nodes], in ways */
	struct way *ways;
	size_t n_all, cap;
	size_t n_known; /* the number of ways that have numbers */
	bool dropped;
};

struct search {
	const struct net *net;
	const struct path_rules *rules;
	size_t length;
	struct source *source; /* [nodes] */
	struct arena *arena;   /* [threads] */
	/* The paths so far; the children of each are adjacent and begin at child[path], those of
	 * the empty one at 0. */
	struct path *at;
	int32_t *child;
	size_t count, *first;
	bool *specials; /* [1 + symbol], up to SYMBOL_TOO_LONG: it is the whole path of some pair */
};

/* ---- a source -------------------------------------------------------------------------------- */

static int compare(const struct way *x, const struct way *y)
{
	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

/* Adds a way to the n ones of a node and keeps only the smallest. Returns their number. */
static size_t add_way(struct way *to, size_t n, size_t most, struct way new, bool *dropped)
{
	size_t i = 0;
	while (i < n && compare(&to[i], &new) < 0)
		i++;
	if (i < n && compare(&to[i], &new) == 0) {
		to[i].count += new.count;
		return n;
	}
	*dropped |= n == most;
	if (i == most)
		return n;
	n += n < most;
	memmove(&to[i + 1], &to[i], (n - 1 - i) * sizeof *to);
	to[i] = new;
	return n;
}

/* The ways to a node are those to its neighbours one step before, with one more symbol, or cut
 * there. */
static size_t find_ways_to(const struct search *s, struct source *from, size_t v, struct way *to)
{
	const size_t most = s->rules->every ? LABEL_PATH_TIES : 1;
	const struct net *net = s->net;
	const int32_t before = from->depth[v] - 1;
	const bool cut = before >= (int32_t)s->rules->longest;
	size_t n = 0;
	for (size_t j = net->first[v]; j < net->first[v + 1]; j++) {
		const struct arc *arc = &net->at[j];
		if (from->depth[arc->to] != before)
			continue;
		const struct way *old = from->ways + from->first[arc->to];
		for (int32_t i = 0; i < from->n_ways[arc->to]; i++)
			n = add_way(to, n, most,
				    (struct way){old[i].path, cut ? 0 : arc->back, old[i].count},
				    &from->dropped);
	}
	return n;
}

static void keep_ways(struct source *from, size_t v, const struct way *ways, size_t n,
		      struct arena *a)
{
	if (from->n_all + n > from->cap) {
		const struct way *old = from->ways;
		from->cap = 2 * from->cap + 64;
		from->ways = arena_alloc(a, from->cap * sizeof *from->ways);
		if (old)
			memcpy(from->ways, old, from->n_all * sizeof *old);
	}
	from->first[v] = (int32_t)from->n_all;
	from->n_ways[v] = (int32_t)n;
	memcpy(from->ways + from->n_all, ways, n * sizeof *ways);
	from->n_all += n;
}

static void search_from(void *context, size_t i, size_t worker)
{
	const struct search *s = context;
	const struct net *net = s->net;
	struct source *from = &s->source[i];
	struct arena *a = &s->arena[worker];
	from->depth = arena_alloc(a, 4 * net->n * sizeof *from->depth);
	from->queue = from->depth + net->n;
	from->first = from->queue + net->n;
	from->n_ways = from->first + net->n;
	memset(from->depth, -1, net->n * sizeof *from->depth);
	from->depth[i] = 0;
	from->queue[from->n++] = (int32_t)i;
	for (size_t head = 0; head < from->n; head++) {
		const size_t u = (size_t)from->queue[head];
		for (size_t j = net->first[u]; j < net->first[u + 1]; j++) {
			const size_t v = net->at[j].to;
			if (from->depth[v] >= 0)
				continue;
			from->depth[v] = from->depth[u] + 1;
			from->queue[from->n++] = (int32_t)v;
		}
	}
	keep_ways(from, i, &(struct way){.path = -1, .count = 1}, 1, a);
	from->next = from->n_known = 1;
}

/* Finds the ways to the nodes at the present length, or, beyond the longest, to all remaining
 * ones. */
static void find_ways(void *context, size_t i, size_t worker)
{
	const struct search *s = context;
	struct source *from = &s->source[i];
	const bool cut = s->length > s->rules->longest;
	struct way ways[LABEL_PATH_TIES];
	for (; from->next < from->n; from->next++) {
		const size_t v = (size_t)from->queue[from->next];
		if (!cut && from->depth[v] > (int32_t)s->length)
			return;
		keep_ways(from, v, ways, find_ways_to(s, from, v, ways), &s->arena[worker]);
	}
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A path to be numbered, and where its number goes. */
struct entry {
	int32_t before, symbol;
	int32_t *number;
};

/* A stable sort by the prefix or by the symbol, whose values are at least `low`. */
static void sort(struct entry *out, const struct entry *in, size_t n, bool by_symbol, int32_t low,
		 size_t keys, struct arena *a)
{
	size_t *next = arena_calloc(a, keys + 1, sizeof *next);
	for (size_t i = 0; i < n; i++)
		next[(by_symbol ? in[i].symbol : in[i].before) - low + 1]++;
	for (size_t i = 0; i < keys; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < n; i++)
		out[next[(by_symbol ? in[i].symbol : in[i].before) - low]++] = in[i];
}

/* Returns the path with one symbol more than this one; -1: the empty one. */
static int32_t child_of(const struct search *s, int32_t path, int32_t symbol)
{
	size_t low = path < 0 ? 0 : (size_t)s->child[path];
	size_t past = path < 0 ? s->first[2] : (size_t)s->child[path + 1];
	while (past - low > 1) {
		const size_t middle = (low + past) / 2;
		if (s->at[middle].last <= symbol)
			low = middle;
		else
			past = middle;
	}
	BUG_IF(low == past || s->at[low].last != symbol);
	return (int32_t)low;
}

static bool number_sorted(struct search *s, const struct entry *entries, size_t n)
{
	const struct entry *last = NULL;
	size_t parent = s->first[s->length - 1];
	for (size_t i = 0; i < n; last = &entries[i++]) {
		const struct entry *e = &entries[i];
		if (!last || last->before != e->before || last->symbol != e->symbol) {
			if (s->count == LABEL_PATH_MOST)
				return false;
			while (s->length > 1 && parent <= (size_t)e->before)
				s->child[parent++] = (int32_t)s->count;
			s->at[s->count++] = (struct path){.before = e->before,
							  .after = e->before,
							  .last = e->symbol,
							  .length = (int32_t)s->length};
		}
		*e->number = (int32_t)s->count - 1;
	}
	while (s->length > 1 && parent <= s->first[s->length])
		s->child[parent++] = (int32_t)s->count;
	return true;
}

/* Sets the rest of paths without their first symbol: the rest of their prefix, and their last
 * symbol. */
static void set_after(void *context, size_t first, size_t n)
{
	const struct search *s = context;
	struct path *level = s->at + s->first[s->length] + first;
	for (size_t i = 0; i < n; i++)
		level[i].after = child_of(s, s->at[level[i].before].after, level[i].last);
}

/* Numbers the ways of the present length. */
static bool number_ways(struct search *s, struct arena *scratch)
{
	const size_t nodes = s->net->n, k = s->length;
	size_t most = SYMBOL_TOO_LONG + 1, n = 0;
	int32_t nobody;
	for (size_t i = 0; i < nodes; i++)
		most += s->source[i].n_all - s->source[i].n_known;
	struct entry *in = arena_alloc(scratch, 2 * most * sizeof *in), *out = in + most;
	for (int32_t i = 0; k == 1 && i <= SYMBOL_TOO_LONG; i++)
		if (s->specials[i + 1])
			in[n++] = (struct entry){-1, i, &nobody};
	for (size_t i = 0; i < nodes; i++) {
		struct source *from = &s->source[i];
		for (; from->n_known < from->n_all; from->n_known++) {
			struct way *way = &from->ways[from->n_known];
			in[n++] = (struct entry){way->path, way->symbol, &way->path};
		}
	}
	const int32_t low = k == 1 ? -1 : (int32_t)s->first[k - 1];
	sort(out, in, n, true, 0, symbol_count(s->rules), scratch);
	sort(in, out, n, false, low, k == 1 ? 1 : s->first[k] - s->first[k - 1], scratch);
	if (!number_sorted(s, in, n))
		return false;
	if (k > 1)
		rows_parallel(s->count - s->first[k], PER_CHILD, set_after, s);
	return true;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Returns the symbol that is the whole path of a pair; -1: it has ways. */
static int32_t whole_path(const struct search *s, size_t t, size_t i)
{
	const struct net *net = s->net;
	if (i == t)
		return SYMBOL_SELF;
	if (net->node[t] == net->n)
		return SYMBOL_FROM_SPECIAL;
	if (net->node[i] == net->n)
		return SYMBOL_TO_SPECIAL;
	const int32_t depth = s->source[net->node[t]].depth[net->node[i]];
	if (depth <= 0)
		return depth < 0 ? SYMBOL_NO_PATH : SYMBOL_SELF;
	return s->rules->every && depth > (int32_t)s->rules->longest ? SYMBOL_TOO_LONG : -1;
}

static int32_t pair_of(const struct search *s, size_t t, size_t i, struct tie_set *ties)
{
	const int32_t symbol = whole_path(s, t, i);
	if (symbol >= 0)
		return child_of(s, -1, symbol);
	const size_t to = s->net->node[i];
	const struct source *from = &s->source[s->net->node[t]];
	const struct way *ways = from->ways + from->first[to];
	int32_t path[LABEL_PATH_TIES];
	double count[LABEL_PATH_TIES];
	const struct tie tie = {.n = (size_t)from->n_ways[to],
				.length = (size_t)from->depth[to],
				.path = path,
				.count = count};
	for (size_t j = 0; j < tie.n; j++) {
		path[j] = ways[j].path;
		count[j] = ways[j].count;
	}
	return tie.n == 1 ? path[0] : label_pair_of_tie(label_tie_number(ties, &tie));
}

/* Drops the paths that no pair reads and that are no part of others: some nodes have no tokens. */
static void drop_paths(struct search *s, int32_t *pairs, struct tie_set *ties,
		       struct arena *scratch)
{
	const size_t n = s->net->units;
	int32_t *number = arena_calloc(scratch, s->count + 1, sizeof *number);
	int32_t *const of = number + 1; /* index -1, for no path, is valid too */
	for (size_t i = 0; i < n * n; i++)
		if (pairs[i] >= 0)
			of[pairs[i]] = 1;
	for (size_t i = 0; i < ties->n; i++)
		for (size_t j = 0; j < ties->at[i].n; j++)
			of[ties->at[i].path[j]] = 1;
	for (size_t i = s->count; i-- > 0;)
		if (of[i])
			of[s->at[i].before] = of[s->at[i].after] = 1;
	of[-1] = -1;
	size_t kept = 0;
	for (size_t length = 1, i = 0; length <= LABEL_PATH_LONGEST; length++) {
		s->first[length] = kept;
		for (; i < s->first[length + 1]; i++) {
			const struct path p = s->at[i];
			if (!of[i])
				continue;
			of[i] = (int32_t)kept;
			s->at[kept++] = (struct path){of[p.before], of[p.after], p.last, p.length};
		}
	}
	s->first[LABEL_PATH_LONGEST + 1] = s->count = kept;
	for (size_t i = 0; i < n * n; i++)
		pairs[i] = pairs[i] < 0 ? pairs[i] : of[pairs[i]];
	for (size_t i = 0; i < ties->n; i++)
		for (size_t j = 0; j < ties->at[i].n; j++)
			ties->at[i].path[j] = of[ties->at[i].path[j]];
}

static bool search_lengths(const struct run *run, struct search *s, struct arena *scratch)
{
	const struct arena_mark mark = arena_mark(scratch);
	for (s->length = 1; s->length <= s->rules->longest; s->length++) {
		machine_parallel(s->net->n, find_ways, s);
		if (run_cancelled(run) || !number_ways(s, scratch))
			return false;
		arena_rewind(scratch, mark);
		s->first[s->length + 1] = s->count;
	}
	for (size_t i = s->length; i <= LABEL_PATH_LONGEST; i++)
		s->first[i + 1] = s->count;
	if (!s->rules->every)
		machine_parallel(s->net->n, find_ways, s);
	return true;
}

static bool search(const struct run *run, struct search *s, struct tie_set *ties, int32_t *pairs)
{
	const size_t n = s->net->units;
	machine_parallel(s->net->n, search_from, s);
	for (size_t i = 0; i < n * n; i++)
		s->specials[whole_path(s, i / n, i % n) + 1] = true;
	if (!search_lengths(run, s, ties->arena))
		return false;
	for (size_t i = 0; i < n * n; i++)
		pairs[i] = pair_of(s, i / n, i % n, ties);
	drop_paths(s, pairs, ties, ties->arena);
	return true;
}

static size_t most_paths(const struct net *net, const struct path_rules *rules)
{
	const size_t each = rules->every ? LABEL_PATH_TIES : 1;
	const size_t most = SYMBOL_TOO_LONG + 1 + each * net->n * net->n;
	return most < LABEL_PATH_MOST ? most : LABEL_PATH_MOST;
}

bool label_search(const struct run *run, const struct net *net, const struct path_rules *rules,
		  struct arena *a, struct label_paths *paths, struct tie_set *ties, int32_t *pairs)
{
	const size_t threads = machine_threads();
	bool specials[SYMBOL_TOO_LONG + 2] = {false};
	struct search s = {.net = net,
			   .rules = rules,
			   .first = paths->first,
			   .specials = specials,
			   .source = arena_calloc(ties->arena, net->n, sizeof *s.source),
			   .arena = arena_calloc(ties->arena, threads, sizeof *s.arena)};
	const size_t most = most_paths(net, rules);
	s.at = arena_alloc(ties->arena, most * sizeof *s.at);
	s.child = arena_alloc(ties->arena, (most + 1) * sizeof *s.child);
	for (size_t i = 0; i < threads; i++)
		arena_init(&s.arena[i]);
	const bool ok = search(run, &s, ties, pairs);
	for (size_t i = 0; ok && i < net->n; i++)
		paths->dropped |= s.source[i].dropped;
	for (size_t i = 0; i < threads; i++)
		arena_release(&s.arena[i]);
	struct path *at = arena_alloc(a, s.count * sizeof *at);
	memcpy(at, s.at, s.count * sizeof *at);
	paths->at = at;
	paths->count = s.count;
	return ok;
}
