/* relation_pairs.c: the values of a relation: their counts, and how the values at (t,s) and
 * (s,t) are related. */
#include <string.h>

#include "relation_in.h"

/* ---- paths ----------------------------------------------------------------------------------- */

/* Returns whether y is the label x in the other direction. */
static bool turns(const char *x, const char *y)
{
	if (strcmp(x, "up") == 0 || strcmp(x, "down") == 0)
		return strcmp(y, *x == 'u' ? "down" : "up") == 0;
	if (strncmp(x, "up:", 3) == 0)
		return strncmp(y, "down:", 5) == 0 && strcmp(x + 3, y + 5) == 0;
	if (strncmp(x, "down:", 5) == 0)
		return strncmp(y, "up:", 3) == 0 && strcmp(x + 5, y + 3) == 0;
	const size_t n = relation_stem(x), k = relation_stem(y);
	return n == k && memcmp(x, y, n) == 0 && (x[n] == '\0') != (y[k] == '\0');
}

static bool is_reverse(const struct relation *r, const struct label_path *x,
		       const struct label_path *y)
{
	bool is = x->n == y->n;
	for (size_t k = 0; is && k < x->n; k++)
		is = turns(relation_label(r, x, k), relation_label(r, y, y->n - 1 - k));
	return is;
}

static const char *const *cell_words(const struct pairs_of *p)
{
	const size_t n = p->r->n * p->r->n;
	if (!p->r->paths)
		return NULL;
	const char **words = arena_calloc(p->a, n + 1, sizeof *words);
	for (size_t i = 0; i < n; i++)
		if (!p->no_path[i])
			words[i] = relation_path(p->r, i, true, p->a);
	return words;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void read_pairs(struct pairs_of *p)
{
	const struct relation *r = p->r;
	const size_t n = r->n * r->n;
	p->at = arena_calloc(p->a, n + 1, sizeof *p->at);
	p->no_path = arena_calloc(p->a, n + 1, sizeof *p->no_path);
	for (size_t i = 0; i < n; i++) {
		p->no_path[i] = relation_is_none(r, i);
		p->at[i] = p->no_path[i] ? 0 : relation_number(r, i);
		p->n_none += p->no_path[i];
	}
}

/* Returns whether value x is sorted after y: numbers ascend, names are last. */
static bool is_behind(const struct relation *r, int32_t x, int32_t y)
{
	const bool name_x = relation_name(r, x) != NULL, name_y = relation_name(r, y) != NULL;
	return name_x != name_y ? name_x : x > y;
}

static void sift(const struct relation *r, int32_t *at, size_t i, size_t n)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n && is_behind(r, at[child + 1], at[child]);
		if (!is_behind(r, at[child], at[i]))
			return;
		const int32_t value = at[i];
		at[i] = at[child];
		at[child] = value;
	}
}

static void sort(const struct relation *r, int32_t *at, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift(r, at, i, n);
	for (size_t end = n; end-- > 1;) {
		const int32_t value = at[0];
		at[0] = at[end];
		at[end] = value;
		sift(r, at, 0, end);
	}
}

static void count_values(struct pairs_of *p)
{
	const size_t n = p->r->n * p->r->n;
	p->values = arena_calloc(p->a, n + 1, sizeof *p->values);
	p->count = arena_calloc(p->a, n + 1, sizeof *p->count);
	size_t there = 0;
	for (size_t i = 0; i < n; i++)
		if (!p->no_path[i])
			p->values[there++] = p->at[i];
	sort(p->r, p->values, there);
	for (size_t i = 0; i < there; i++) {
		if (p->n_values == 0 || p->values[p->n_values - 1] != p->values[i]) {
			p->values[p->n_values++] = p->values[i];
			p->n_numbers += relation_name(p->r, p->values[i]) == NULL;
		}
		p->count[p->n_values - 1]++;
	}
}

static void compare_mirror(struct pairs_of *p)
{
	const size_t n = p->r->n;
	for (size_t t = 0; t < n; t++)
		for (size_t s = 0; s < t; s++) {
			const size_t i = t * n + s, k = s * n + t;
			const bool none = p->no_path[i] && p->no_path[k];
			const bool both = !p->no_path[i] && !p->no_path[k];
			const bool paths = p->r->paths != NULL;
			p->pairs += !none;
			if (!both)
				continue;
			if (p->at[i] == 0 && p->at[k] == 0) {
				p->still++;
				continue;
			}
			p->mirrored +=
				p->at[i] == p->at[k] &&
				(!paths || label_path_same(&p->r->paths[i], &p->r->paths[k]));
			p->opposite += paths ? is_reverse(p->r, &p->r->paths[i], &p->r->paths[k])
					     : p->at[i] == -p->at[k];
		}
}

void pairs_open(const struct view_data *d, struct arena *a, struct pairs_of *p)
{
	const struct relation *r = &d->trace->relation;
	*p = (struct pairs_of){.d = d, .a = a, .r = r};
	read_pairs(p);
	count_values(p);
	compare_mirror(p);
	p->words = cell_words(p);
	if (r->n == 0)
		return;
	p->numbers = mat_new(a, r->n, r->n);
	p->allowed = arena_alloc(a, r->n * r->n);
	for (size_t i = 0; i < r->n * r->n; i++) {
		p->numbers.at[i] = p->at[i];
		p->allowed[i] = !p->no_path[i];
	}
}
