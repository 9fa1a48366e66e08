/* label_path.c: see label_path.h. */
#include "scheme/label_path.h"

#include <string.h>

#include "scheme/label_search.h"

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

/* ---- the search ----------------------------------------------------------------------------- */

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

static bool find(struct run *run, const struct member *m, const struct path_rules *rules,
		 struct arena *scratch, struct arena *a, struct label_paths *out, struct err *err)
{
	bool chain;
	const size_t n = run->n;
	const struct structure *structure = run_structure(run, &chain);
	struct net net;
	struct tie_set ties = {.arena = scratch};
	label_net_of(run, structure, rules, &net);
	int32_t *pairs = arena_alloc(scratch, n * n * sizeof *pairs);
	if (!label_search(run, &net, rules, a, out, &ties, pairs))
		return run_cancelled(run) ? err_set(err, "cancelled") : too_many(m, rules, err);
	if (rules->every)
		out->means = label_means(&ties, out, pairs, n * n, a);
	const size_t count = rules->every ? out->means.n : out->count;
	out->index = index_of(pairs, n, count, rules->reversed, a);
	if (!rules->every)
		rank_used(out, a);
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

/* ---- bounds --------------------------------------------------------------------------------- */

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Estimates the number of paths: of length k there are at most symbols^k; a pair of nodes has
 * about as many shortest paths as a node has edges, in a tree one. */
struct label_bound label_paths_bound(const struct model_input *in, const struct path_rules *rules,
				     unsigned kinds)
{
	enum { ENTRY = 160, MEAN = 96 }; /* bytes while found, sorted and stored */
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

/* ---- results for paths ---------------------------------------------------------------------- */

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

/* Returns a name that is different for other paths. */
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

/* A node of a tape, which its runs share. */
static const void *make_node(struct run *run, const struct member *m, const void *context,
			     struct arena *a, struct err *err)
{
	const struct making *k = context;
	return k->make(run, m, k->paths, a, err);
}

struct node *label_paths_made(struct run *run, const struct member *m,
			      const struct label_paths *paths, bool per_layer,
			      label_paths_make *make, struct err *err)
{
	const bool recording = run->tape->recording;
	const struct making context = {paths, make};
	const struct cached what = {.name = name_of(run, paths),
				    .per_layer = per_layer,
				    .build = recording ? make_node : make_matrix,
				    .context = &context};
	const void *const made = run_cached_block(run, m, &what, err);
	if (!made || recording)
		return (struct node *)(uintptr_t)made;
	return tape_const(run->tape, *(const struct mat *)made);
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
