/* stack.c: see stack.h. */
#include "posviz/analysis/stack.h"

#include <math.h>
#include <string.h>

/* The number of queries that shares are taken of. */
enum { QUERIES = 512 };

/* ---- which members act where ----------------------------------------------------------------- */

static bool acts(const struct member *m, size_t layer)
{
	return subset_has(&m->layers, layer);
}

static bool acts_everywhere(const struct member *m, size_t layers)
{
	return subset_within(subset_first(layers), m->layers);
}

/* Returns the member as it is written, without the layers. */
static const char *rule_text(const struct member *m, struct arena *a)
{
	struct expr *const e = arena_calloc(a, 1, sizeof *e);
	if (!expr_parse(e, m->text, a, NULL) || e->n != 1)
		return m->text;
	e->members[0].layers = SUBSET_ALL;
	e->members[0].layers_text = NULL;
	return expr_print_member(&e->members[0], a);
}

static bool act_alike(const struct built *b, size_t x, size_t y)
{
	for (size_t i = 0; i < b->n_members; i++)
		if (acts(&b->members[i], x) != acts(&b->members[i], y))
			return false;
	return true;
}

/* Returns the members of a layer, or, of no layer, those of all layers. */
static const char *rules_of(const struct built *b, size_t layer, size_t layers, struct arena *a)
{
	const char *text = "";
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		if (acts_everywhere(m, layers) != (layer == layers) ||
		    (layer < layers && !acts(m, layer)))
			continue;
		text = arena_printf(a, "%s%s%s", text, *text ? " + " : "", rule_text(m, a));
	}
	return text;
}

static void find_kinds(const struct built *b, struct arena *a, struct stack *out)
{
	const size_t layers = out->layers;
	out->kinds = arena_calloc(a, layers, sizeof *out->kinds);
	out->kind = arena_calloc(a, layers, sizeof *out->kind);
	for (size_t l = 0; l < layers; l++) {
		size_t k = 0;
		while (k < l && !act_alike(b, k, l))
			k++;
		if (k < l) {
			out->kind[l] = out->kind[k];
		} else {
			out->kind[l] = out->n_kinds++;
			out->kinds[out->kind[l]].rules = rules_of(b, l, layers, a);
		}
		out->kinds[out->kind[l]].n_layers++;
	}
}

static void find_runs(struct arena *a, struct stack *out)
{
	out->first = arena_calloc(a, out->layers + 1, sizeof *out->first);
	for (size_t l = 0; l < out->layers; l++)
		if (l == 0 || out->kind[l] != out->kind[l - 1])
			out->first[out->n_runs++] = l;
	out->first[out->n_runs] = out->layers;
}

const char *stack_run_name(const struct stack *s, size_t run, struct arena *a)
{
	const size_t first = s->first[run] + 1, last = s->first[run + 1];
	return first == last ? arena_printf(a, "%zu", first)
			     : arena_printf(a, "%zu–%zu", first, last);
}

/* Returns the layers of a kind: "1–5, 7–11". */
static const char *runs_of(const struct stack *s, size_t kind, struct arena *a)
{
	const char *text = "";
	for (size_t i = 0; i < s->n_runs; i++)
		if (s->kind[s->first[i]] == kind)
			text = arena_printf(a, "%s%s%s", text, *text ? ", " : "",
					    stack_run_name(s, i, a));
	return text;
}

/* ---- which keys are seen --------------------------------------------------------------------- */

/* Returns whether the mask, if there is one, hides an interval that depends on positions alone. */
static bool is_known(const struct member *m, double query, struct stack_keys *keys)
{
	static const char name[] = "causal";
	const struct scheme *const s = m->scheme;
	if (m->hooks->interval)
		return m->hooks->interval(m->param, query, &keys->first, &keys->last);
	if (!m->hooks->mask)
		return true;
	if (s && scheme_is_causal(s, m->param)) {
		keys->last = fmin(keys->last, query);
		return true;
	}
	return s && (s->flags & SCHEME_CAUSAL || scheme_param(s, name, sizeof name - 1));
}

bool stack_keys_of(const struct built *b, size_t layer, double query, size_t tokens,
		   struct stack_keys *out)
{
	const struct subset heads = subset_first(b->model.config.heads);
	bool known = true;
	*out = (struct stack_keys){0, (double)tokens - 1};
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		const struct stack_keys before = *out;
		if (!acts(m, layer) || !subset_within(heads, m->heads) || is_known(m, query, out))
			continue;
		*out = before;
		known = false;
	}
	return known;
}

static struct stack_keys keys_of(const struct built *b, size_t layer, double query, size_t tokens)
{
	struct stack_keys keys;
	stack_keys_of(b, layer, query, tokens, &keys);
	return keys;
}

static const struct member *unknown_of(const struct built *b)
{
	for (size_t i = 0; i < b->n_members; i++) {
		struct stack_keys keys = {0, 0};
		const struct member *const m = &b->members[i];
		if (subset_meets(m->layers, subset_first(b->model.config.layers)) &&
		    !is_known(m, 0, &keys))
			return m;
	}
	return NULL;
}

/* Returns whether a query in the middle sees a key after itself in any layer. */
static bool sees_later(const struct built *b, const struct stack *s)
{
	const double middle = floor((double)(s->tokens - 1) / 2);
	for (size_t l = 0; l < s->layers; l++)
		if (keys_of(b, l, middle, s->tokens).last > middle)
			return true;
	return false;
}

/* Returns the largest number of keys before a query that a mask leaves where it does not leave all; 0: none hides
 * any. */
static double widest(const struct built *b)
{
	static const size_t endless = (size_t)1 << 40;
	const double query = (double)(endless / 2 - 1); /* the last of a chunk */
	double most = 0;
	for (size_t l = 0; l < b->model.config.layers; l++) {
		const double behind = query - keys_of(b, l, query, endless).first;
		if (behind < query)
			most = fmax(most, behind + 1);
	}
	return most;
}

static size_t length_of(const struct built *b, size_t least)
{
	enum { TIMES = 4 };
	const double wanted = TIMES * widest(b);
	return wanted > (double)least ? (size_t)wanted : least > 0 ? least : 1;
}

static void choose_distances(const struct built *b, struct arena *a, struct stack *out)
{
	enum { MOST = 64 };
	const double far = (double)out->tokens - 1;
	double at[MOST];
	size_t n = 0;
	at[n++] = 0;
	for (double d = 1; d < far; d *= 2)
		at[n++] = d;
	if (far > 0)
		at[n++] = far;
	const bool later = sees_later(b, out);
	out->distance = arena_calloc(a, 2 * n, sizeof *out->distance);
	for (size_t i = n; i-- > 0;)
		out->distance[out->n_distances++] = -at[i];
	out->distance[out->n_distances - 1] = 0;
	for (size_t i = 1; later && i < n; i++)
		out->distance[out->n_distances++] = at[i];
}

/* Returns the share of the queries with a key at this distance that see it. */
static double share_of(const struct built *b, const struct stack *s, size_t layer, double distance)
{
	const double first = fmax(0, -distance), last = (double)s->tokens - 1 - fmax(0, distance);
	const double n = fmin(last - first + 1, QUERIES);
	double seen = 0;
	for (double i = 0; i < n; i++) {
		const double query = n > 1 ? floor(first + i * (last - first) / (n - 1)) : first;
		const struct stack_keys keys = keys_of(b, layer, query, s->tokens);
		seen += query + distance >= keys.first && query + distance <= keys.last;
	}
	return seen / n;
}

static void find_seen(const struct built *b, struct arena *a, struct stack *out)
{
	out->seen = mat_new(a, out->layers, out->n_distances);
	for (size_t l = 0; l < out->layers; l++) {
		size_t same = 0; /* the first layer of this kind */
		while (out->kind[same] != out->kind[l])
			same++;
		for (size_t i = 0; i < out->n_distances; i++)
			mat_row(out->seen, l)[i] = same < l ? mat_row(out->seen, same)[i]
							    : share_of(b, out, l, out->distance[i]);
	}
}

/* After layer L the vector of the last token has what its first key had after layer L - 1, and so on down. */
static void find_back(const struct built *b, struct arena *a, struct stack *out)
{
	out->back = arena_calloc(a, out->layers + 1, sizeof *out->back);
	out->keys = arena_calloc(a, out->layers, sizeof *out->keys);
	const double end = (double)out->tokens - 1;
	for (size_t l = 0; l < out->layers; l++) {
		const struct stack_keys keys = keys_of(b, l, end, out->tokens);
		out->keys[l] = keys.last - keys.first + 1;
	}
	for (size_t n = 1; n <= out->layers; n++) {
		double at = end;
		for (size_t l = n; l-- > 0;)
			at = fmin(at, keys_of(b, l, at, out->tokens).first);
		out->back[n] = end - at;
	}
}

void stack_of(const struct built *b, size_t tokens, struct arena *a, struct stack *out)
{
	*out = (struct stack){.layers = b->model.config.layers, .tokens = length_of(b, tokens)};
	find_kinds(b, a, out);
	find_runs(a, out);
	for (size_t k = 0; k < out->n_kinds; k++)
		out->kinds[k].shown = runs_of(out, k, a);
	out->everywhere = rules_of(b, out->layers, out->layers, a);
	out->left_out = unknown_of(b);
	choose_distances(b, a, out);
	find_seen(b, a, out);
	find_back(b, a, out);
}
