/* label_path.c: see label_path.h. A search from every node that carries units, breadth first; the
 * sequences found stand in a tree of prefixes, so that equal ones meet. */
#include "scheme/label_path.h"

#include <string.h>

#include "scheme/label_mean.h"
#include "scheme/label_net.h"
#include "scheme/label_trie.h"

/* ---- searches -------------------------------------------------------------------------------- */

/* The sequences of a node, in order: entries of the tree, and how often each is there. */
struct ties {
	size_t n;
	int32_t path[LABEL_PATH_TIES];
	double count[LABEL_PATH_TIES];
};

struct search {
	const struct net *net;
	const struct path_rules *rules;
	struct trie *trie;
	long *depth;	   /* [nodes]; -1: not reached */
	size_t *queue;	   /* [nodes] reached, those at hand first */
	struct ties *ties; /* [nodes] */
	bool dropped;
};

static void search_init(struct search *s, struct arena *a)
{
	const size_t n = s->net->n + 1;
	s->depth = arena_calloc(a, n, sizeof *s->depth);
	s->queue = arena_calloc(a, n, sizeof *s->queue);
	s->ties = arena_calloc(a, n, sizeof *s->ties);
}

/* Adds a sequence to those of a node. */
static void add_tie(struct search *s, struct ties *to, int32_t path, double count)
{
	const size_t most = s->rules->every ? LABEL_PATH_TIES : 1;
	size_t i = 0;
	while (i < to->n && label_trie_compare(s->trie, to->path[i], path) < 0)
		i++;
	if (i < to->n && to->path[i] == path) {
		to->count[i] += count;
		return;
	}
	s->dropped |= to->n == most;
	if (i == most)
		return;
	to->n += to->n < most;
	for (size_t j = to->n - 1; j > i; j--) {
		to->path[j] = to->path[j - 1];
		to->count[j] = to->count[j - 1];
	}
	to->path[i] = path;
	to->count[i] = count;
}

/* The sequences of a node and a step more. Of those that are cut the smallest stays the smallest. */
static void extend(struct search *s, size_t from, const struct arc *arc)
{
	const struct ties *old = &s->ties[from];
	const bool longer = s->depth[arc->to] > (long)s->rules->longest;
	for (size_t i = 0; i < old->n && !(longer && s->rules->every); i++)
		add_tie(s, &s->ties[arc->to],
			longer ? old->path[i]
			       : label_trie_child(s->trie, old->path[i], arc->symbol),
			old->count[i]);
}

static void search_from(struct search *s, size_t from)
{
	size_t n = 0;
	for (size_t i = 0; i < s->net->n; i++)
		s->depth[i] = -1;
	s->depth[from] = 0;
	s->ties[from] = (struct ties){.n = 1, .count = {1}};
	s->queue[n++] = from;
	for (size_t head = 0; head < n; head++) {
		const size_t u = s->queue[head];
		for (size_t j = s->net->first[u]; j < s->net->first[u + 1]; j++) {
			const struct arc *arc = &s->net->at[j];
			if (s->depth[arc->to] < 0) {
				s->depth[arc->to] = s->depth[u] + 1;
				s->ties[arc->to].n = 0;
				s->queue[n++] = arc->to;
			}
			if (s->depth[arc->to] == s->depth[u] + 1)
				extend(s, u, arc);
		}
	}
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static int32_t pair_entry(struct search *s, struct tie_set *set, size_t to)
{
	const long depth = s->depth[to];
	if (depth == 0)
		return label_trie_child(s->trie, 0, SYMBOL_SELF);
	if (depth < 0)
		return label_trie_child(s->trie, 0, SYMBOL_NO_PATH);
	if (s->rules->every && depth > (long)s->rules->longest)
		return label_trie_child(s->trie, 0, SYMBOL_TOO_LONG);
	struct ties *all = &s->ties[to];
	const struct tie tie = {
		.n = all->n, .length = (size_t)depth, .path = all->path, .count = all->count};
	return all->n == 1 ? all->path[0] : label_pair_of_tie(label_tie_number(set, &tie));
}

/* Row t of the pairs. */
static void fill_row(struct search *s, struct tie_set *set, size_t t, int32_t *row)
{
	const struct net *net = s->net;
	const bool special = net->node[t] == net->n;
	if (!special)
		search_from(s, net->node[t]);
	for (size_t i = 0; i < net->units; i++) {
		if (i == t)
			row[i] = label_trie_child(s->trie, 0, SYMBOL_SELF);
		else if (special)
			row[i] = label_trie_child(s->trie, 0, SYMBOL_FROM_SPECIAL);
		else if (net->node[i] == net->n)
			row[i] = label_trie_child(s->trie, 0, SYMBOL_TO_SPECIAL);
		else
			row[i] = pair_entry(s, set, net->node[i]);
	}
}

/* Units on one node have the same row, but for what they are to themselves, which on one node is
 * the same too. False when there are too many paths, or somebody lost patience. */
static bool fill_pairs(const struct run *run, struct search *s, struct tie_set *set, int32_t *pairs,
		       struct arena *a)
{
	const struct net *net = s->net;
	size_t *seen = arena_calloc(a, net->n + 1, sizeof *seen); /* 1 + unit */
	for (size_t t = 0; t < net->units; t++) {
		int32_t *row = pairs + t * net->units;
		const size_t node = net->node[t];
		if (node < net->n && seen[node]) {
			memcpy(row, pairs + (seen[node] - 1) * net->units,
			       net->units * sizeof *row);
			continue;
		}
		seen[node] = t + 1;
		fill_row(s, set, t, row);
		if (s->trie->n > LABEL_PATH_MOST || run_cancelled(run))
			return false;
	}
	return true;
}

/* ---- order ----------------------------------------------------------------------------------- */

struct sorter {
	int32_t *key, *scratch; /* [entries] */
	size_t *start;		/* [entries + 1], and [symbols + 1] */
};

/* Sorts entries by their keys, which are below `keys`; equal ones stay in their order. */
static void sort(const struct sorter *by, int32_t *entries, size_t n, size_t keys)
{
	memset(by->start, 0, (keys + 1) * sizeof *by->start);
	for (size_t i = 0; i < n; i++)
		by->start[by->key[entries[i]] + 1]++;
	for (size_t i = 0; i < keys; i++)
		by->start[i + 1] += by->start[i];
	for (size_t i = 0; i < n; i++)
		by->scratch[by->start[by->key[entries[i]]]++] = entries[i];
	memcpy(entries, by->scratch, n * sizeof *entries);
}

/* The entries of the tree but the empty path, by length, then by symbols: the last symbol sorts least,
 * the prefix before it most. Sets the number of each. */
static int32_t *sort_paths(const struct trie *t, size_t symbols, struct arena *scratch,
			   int32_t *number, size_t *first)
{
	const size_t n = t->n - 1;
	const struct sorter by = {
		arena_alloc(scratch, t->n * sizeof(int32_t)),
		arena_alloc(scratch, t->n * sizeof(int32_t)),
		arena_alloc(scratch, (t->n + symbols + LABEL_PATH_LONGEST) * sizeof(size_t))};
	int32_t *entries = arena_alloc(scratch, t->n * sizeof *entries);
	for (size_t i = 0; i < n; i++)
		entries[i] = (int32_t)i + 1;
	for (size_t i = 1; i < t->n; i++)
		by.key[i] = t->at[i].last;
	sort(&by, entries, n, symbols);
	for (size_t i = 1; i < t->n; i++)
		by.key[i] = t->at[i].length;
	sort(&by, entries, n, LABEL_PATH_LONGEST + 1);
	for (size_t length = 0; length <= LABEL_PATH_LONGEST + 1; length++)
		first[length] = length == 0 ? 0 : by.start[length - 1];
	for (size_t length = 1; length <= LABEL_PATH_LONGEST; length++) {
		const size_t from = first[length], to = first[length + 1];
		for (size_t i = from; i < to; i++)
			by.key[entries[i]] = length == 1 ? 0 : number[t->at[entries[i]].before];
		sort(&by, entries + from, to - from, from + 1);
		for (size_t i = from; i < to; i++)
			number[entries[i]] = (int32_t)i;
	}
	return entries;
}

/* Numbers the entries of the tree as they are kept; that of the empty path is -1. */
static const int32_t *number_paths(const struct trie *t, size_t symbols, struct arena *scratch,
				   struct arena *a, struct label_paths *out)
{
	int32_t *number = arena_alloc(scratch, t->n * sizeof *number);
	number[0] = -1;
	const int32_t *entries = sort_paths(t, symbols, scratch, number, out->first);
	struct path *at = arena_alloc(a, t->n * sizeof *at);
	out->count = t->n - 1;
	for (size_t i = 0; i < out->count; i++) {
		const struct path *from = &t->at[entries[i]];
		at[i] = (struct path){number[from->before], number[from->after], from->last,
				      from->length};
	}
	out->at = at;
	return number;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *symbol_name(const struct path_rules *rules, const char *label, bool up,
			       struct arena *a)
{
	if (rules->every)
		return arena_printf(a, "%s%s", *label ? label : "edge", up ? "_reverse_" : "");
	return *label ? arena_printf(a, "%s:%s", up ? "up" : "down", label) : up ? "up" : "down";
}

static void name_symbols(const struct structure *s, const struct path_rules *rules, struct arena *a,
			 struct label_paths *out)
{
	static const char *const own[2][5] = {{"no path", "None", "down:EOS", "up:EOS"},
					      {"no path", "<SELF>", "<rCLS>", "<CLS>", "<TL>"}};
	const size_t first = symbol_count(rules) - 2 * rules->labels, *rank = label_ranks(s, a);
	const char **names = arena_calloc(a, first + 2 * s->n_labels, sizeof *names);
	for (size_t i = 0; i < first; i++)
		names[i] = own[rules->every][i];
	for (size_t i = 0; i < s->n_labels; i++)
		for (size_t up = 0; up < 2; up++)
			names[first + 2 * rank[i] + up] =
				symbol_name(rules, s->edge_labels[i], up, a);
	out->names = names;
	out->n_names = first + 2 * s->n_labels;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool check(struct run *run, const struct member *m, const struct path_rules *rules,
		  struct err *err)
{
	bool chain;
	const struct structure *s = run_structure(run, &chain);
	return s->n_labels <= rules->labels ||
	       err_set(err,
		       "%s has vectors for %zu labels, and this structure has %zu; raise labels",
		       m->text, rules->labels, s->n_labels);
}

static bool too_many(const struct member *m, const struct path_rules *rules, struct err *err)
{
	return err_set(err,
		       "%s: there are more than %d different paths of labels in this structure; "
		       "lower longest (%zu edges)",
		       m->text, LABEL_PATH_MOST, rules->longest);
}

static const struct index *index_of(const int32_t *pairs, size_t n, size_t count, bool reversed,
				    struct arena *a)
{
	struct index *index = arena_alloc(a, sizeof *index);
	int32_t *at = arena_alloc(a, n * n * sizeof *at);
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < n; s++)
			at[t * n + s] = pairs[reversed ? s * n + t : t * n + s];
	*index = (struct index){.rows = n, .cols = n, .count = count, .at = at};
	return index;
}

static void rank_used(struct label_paths *paths, struct arena *a)
{
	int32_t *rank = arena_alloc(a, paths->count * sizeof *rank);
	memset(rank, -1, paths->count * sizeof *rank);
	for (size_t i = 0; i < paths->index->rows * paths->index->cols; i++)
		rank[paths->index->at[i]] = 0;
	for (size_t i = 0; i < paths->count; i++)
		if (rank[i] == 0)
			rank[i] = (int32_t)paths->n_used++;
	paths->rank = rank;
}

/* Pairs hold entries of the tree or ties, and ties hold entries. */
static void keep_paths(const struct search *s, struct tie_set *ties, int32_t *pairs,
		       struct arena *a, struct label_paths *out)
{
	const size_t n = s->net->units;
	const int32_t *number = number_paths(s->trie, symbol_count(s->rules), ties->arena, a, out);
	for (size_t i = 0; i < n * n; i++)
		pairs[i] = pairs[i] < 0 ? pairs[i] : number[pairs[i]];
	for (size_t i = 0; i < ties->n; i++)
		for (size_t k = 0; k < ties->at[i].n; k++)
			ties->at[i].path[k] = number[ties->at[i].path[k]];
	if (s->rules->every)
		out->means = label_means(ties, out, pairs, n * n, a);
	const size_t count = s->rules->every ? out->means.n : out->count;
	out->index = index_of(pairs, n, count, s->rules->reversed, a);
	if (!s->rules->every)
		rank_used(out, a);
	out->dropped = s->dropped;
}

static bool find(struct run *run, const struct member *m, const struct path_rules *rules,
		 struct arena *scratch, struct arena *a, struct label_paths *out, struct err *err)
{
	bool chain;
	const struct structure *structure = run_structure(run, &chain);
	struct net net;
	struct trie trie;
	struct tie_set ties = {.arena = scratch};
	struct search search = {.net = &net, .rules = rules, .trie = &trie};
	label_net_of(run, structure, rules, &net);
	label_trie_init(&trie, scratch);
	search_init(&search, scratch);
	int32_t *pairs = arena_alloc(scratch, run->n * run->n * sizeof *pairs);
	if (!fill_pairs(run, &search, &ties, pairs, scratch))
		return run_cancelled(run) ? err_set(err, "cancelled") : too_many(m, rules, err);
	keep_paths(&search, &ties, pairs, a, out);
	name_symbols(structure, rules, a, out);
	return true;
}

static const void *build(struct run *run, const struct member *m, const void *rules,
			 struct arena *a, struct err *err)
{
	struct label_paths *out = arena_calloc(a, 1, sizeof *out);
	struct arena scratch;
	arena_init(&scratch);
	const bool ok = find(run, m, rules, &scratch, a, out, err);
	arena_release(&scratch);
	return ok ? out : NULL;
}

void *label_paths_state(struct run *run, const struct member *m, const struct path_rules *rules,
			size_t size, struct err *err)
{
	struct label_paths *state = run_kept(run, m);
	BUG_IF(rules->longest < 1 || rules->longest > LABEL_PATH_LONGEST);
	if (state)
		return state;
	const struct cached what = {
		.name = "paths", .of_structure = true, .build = build, .context = rules};
	const struct label_paths *found =
		check(run, m, rules, err) ? run_cached_block(run, m, &what, err) : NULL;
	if (!found)
		return NULL;
	state = run_state(run, m, size);
	*state = *found;
	return state;
}

/* ---- how many there can be ------------------------------------------------------------------- */

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Of k symbols there are symbols^k paths; a pair of nodes has about as many shortest ones as a node has
 * edges, in a tree one. */
struct label_bound label_paths_bound(const struct model_input *in, const struct path_rules *rules,
				     unsigned kinds)
{
	enum { ENTRY = 160, MEAN = 96 }; /* bytes: found, sorted and kept */
	const struct structure *s = in->structure;
	const double n = (double)in->axis.n, nodes = s ? (double)s->n : n;
	const double symbols = (s && !s->directed ? 1 : 2) * (s ? (double)s->n_labels : 1);
	const bool ties = rules->every && s && s->n_edges >= s->n;
	const double each = ties ? least(LABEL_PATH_TIES, 2 * (double)s->n_edges / nodes) : 1;
	double paths = 0, of_length = 1;
	for (size_t k = 0; k < rules->longest; k++)
		paths += of_length = least(of_length * symbols, LABEL_PATH_MOST);
	paths = least(paths, each * nodes * nodes) + SYMBOL_TOO_LONG + 1;
	struct label_bound out = {.paths = least(paths, LABEL_PATH_MOST)};
	out.means = least(n * n, ties ? n * n : out.paths);
	out.bytes = ENTRY * out.paths + (rules->every ? MEAN * out.means : 0) + 12 * n * n;
	if (kinds & WANT_RELATION)
		out.bytes += 2 * n * n * (double)(sizeof(int) * rules->longest);
	return out;
}

/* ---- what is made of them --------------------------------------------------------------------- */

void label_path_symbols(const struct label_paths *paths, int32_t path, int32_t *at)
{
	for (; path >= 0; path = paths->at[path].before)
		at[paths->at[path].length - 1] = paths->at[path].last;
}

static uint64_t mix(uint64_t h, const void *at, size_t size)
{
	const unsigned char *byte = at;
	uint64_t word;
	for (size_t i = 0; i < size; i += sizeof word) {
		word = 0;
		memcpy(&word, byte + i, size - i < sizeof word ? size - i : sizeof word);
		h = (h ^ word) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 29;
	}
	return h;
}

/* Other paths give another name. */
static const char *name_of(struct run *run, const struct label_paths *paths)
{
	const struct path_means *m = &paths->means;
	const size_t parts = m->n ? m->first[m->n] : 0;
	uint64_t h = mix(1, paths->at, paths->count * sizeof *paths->at);
	if (paths->rank)
		h = mix(h, paths->rank, paths->count * sizeof *paths->rank);
	h = mix(h, m->first, m->n * sizeof *m->first);
	h = mix(h, m->path, parts * sizeof *m->path);
	h = mix(h, m->share, parts * sizeof *m->share);
	return arena_printf(run->arena, "of %zu paths %zu means %016llx", paths->count, m->n,
			    (unsigned long long)h);
}

struct making {
	const struct label_paths *paths;
	label_paths_make *make;
};

static const void *make_matrix(struct run *run, const struct member *m, const void *context,
			       struct arena *a, struct err *err)
{
	const struct making *k = context;
	const struct node *made = k->make(run, m, k->paths, a, err);
	struct mat *out = arena_alloc(a, sizeof *out);
	if (made)
		*out = made->v;
	return made ? out : NULL;
}

struct node *label_paths_made(struct run *run, const struct member *m,
			      const struct label_paths *paths, bool per_layer,
			      label_paths_make *make, struct err *err)
{
	if (run->tape->recording)
		return make(run, m, paths, run->arena, err);
	const struct making context = {paths, make};
	const struct cached what = {.name = name_of(run, paths),
				    .per_layer = per_layer,
				    .build = make_matrix,
				    .context = &context};
	const struct mat *made = run_cached_block(run, m, &what, err);
	return made ? tape_const(run->tape, *made) : NULL;
}

void label_paths_relation(struct run *run, const struct label_paths *paths, const char *title,
			  struct relation *out)
{
	const size_t n = run->n;
	const struct path_means *m = &paths->means;
	struct label_path *all = arena_alloc(run->arena, paths->count * sizeof *all);
	size_t steps = 0;
	for (size_t length = 1; length <= LABEL_PATH_LONGEST; length++)
		steps += length * (paths->first[length + 1] - paths->first[length]);
	int32_t *symbols = arena_alloc(run->arena, steps * sizeof *symbols);
	for (size_t i = 0; i < paths->count; i++) {
		all[i] = (struct label_path){.n = (size_t)paths->at[i].length, .labels = symbols};
		label_path_symbols(paths, (int32_t)i, symbols);
		symbols += all[i].n;
	}
	struct label_path *pairs = arena_alloc(run->arena, n * n * sizeof *pairs);
	for (size_t i = 0; i < n * n; i++) {
		const size_t at = (size_t)paths->index->at[i];
		pairs[i] = all[m->n ? (size_t)m->path[m->first[at]] : at];
	}
	*out = (struct relation){.title = title,
				 .n = n,
				 .paths = pairs,
				 .labels = paths->names,
				 .n_labels = paths->n_names};
}
