/* compare_words.c: inputs that differ in the view Compare: the words that two of them have in
 * common, and the cells of their matrices that belong to these words.
 *
 * A cell is a pair of words at any position: the cell from "dog" to "bites" in one input is
 * compared with the cell from "dog" to "bites" in the other. */
#include <string.h>

#include "compare_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/scene/beside.h"

enum { MOST_NAMED = 4 };

/* Returns whether any input differs from the first. */
static bool inputs_differ(const struct comparison *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (!setup_same_input(c->d->compared[i].setup, c->d->compared[0].setup))
			return true;
	return false;
}

bool compare_one_scheme(const struct comparison *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (strcmp(c->d->compared[i].expression, c->d->compared[0].expression) != 0)
			return false;
	return inputs_differ(c);
}

/* Finds the indices of the scene's rows and columns in this matrix. */
void compare_find_cursor(const struct comparison *c, size_t i, struct one *one)
{
	const struct trace *const scene = c->d->trace, *const own = one->d.trace;
	if (setup_same_input(c->d->compared[i].setup, c->d->compared[0].setup))
		return;
	one->rows = axis_places(&scene->query, &own->query, c->a);
	one->cols = axis_places(&scene->key, &own->key, c->a);
	one->n_rows = scene->query.n;
	one->n_cols = scene->key.n;
}

void compare_match_words(struct comparison *c, size_t pair)
{
	const size_t x = pairs[pair][0] - 1u, y = pairs[pair][1] - 1u;
	if (setup_same_input(c->d->compared[x].setup, c->d->compared[y].setup))
		return;
	const struct trace *const p = c->of[x].d.trace, *const q = c->of[y].d.trace;
	struct matched *const m = arena_calloc(c->a, 1, sizeof *m);
	axis_match(&p->query, &q->query, c->a, &m->queries);
	axis_match(&p->key, &q->key, c->a, &m->keys);
	c->words[pair] = m;
}

struct sides compare_sides(const struct comparison *c, size_t pair, bool rest)
{
	const struct view_matrix *const x = &c->of[pairs[pair][0] - 1].matrix;
	const struct view_matrix *const y = &c->of[pairs[pair][1] - 1].matrix;
	const struct matched *const m = c->words[pair];
	struct sides s = {x->at, y->at, x->paint.allowed, y->paint.allowed};
	if (!m)
		return s;
	matched_take(m, false, rest, x->at, s.mask_x, c->a, &s.x, &s.mask_x);
	matched_take(m, true, rest, y->at, s.mask_y, c->a, &s.y, &s.mask_y);
	return s;
}

void compare_place_apart(const struct comparison *c, size_t pair, struct apart *apart)
{
	const struct matched *const m = c->words[pair];
	if (!m)
		return;
	const struct sides s = compare_sides(c, pair, false);
	struct apart masks;
	apart_masks(s.x.rows, s.x.cols, s.mask_x, s.mask_y, &masks);
	apart->both = masks.both;
	apart->one = masks.one;
	apart->row = m->queries.first[apart->row];
	apart->worst = m->queries.first[apart->worst];
	apart->col = m->keys.first[apart->col];
}

/* ---- the difference's rows and columns ------------------------------------------------------- */

static struct axis taken(const struct axis *from, const size_t *at, size_t n, struct arena *a)
{
	const char **const labels = arena_calloc(a, n + 1, sizeof *labels);
	const char **const names = arena_calloc(a, n + 1, sizeof *names);
	long *const token = arena_calloc(a, n + 1, sizeof *token);
	for (size_t i = 0; i < n; i++) {
		labels[i] = from->labels[at[i]];
		names[i] = from->names[at[i]];
		token[i] = from->token[at[i]];
	}
	return (struct axis){.n = n, .labels = labels, .token = token, .names = names};
}

/* Returns, for each of the scene's n units, its index among the matched ones. */
static const size_t *cursor_among(const struct axis_match *m, const size_t *first, size_t n,
				  struct arena *a)
{
	size_t *const at = arena_calloc(a, n + 1, sizeof *at);
	for (size_t i = 0; i < n; i++) {
		const size_t own = first ? first[i] : i;
		at[i] = SIZE_MAX;
		for (size_t k = 0; k < m->n && at[i] == SIZE_MAX; k++)
			if (m->first[k] == own)
				at[i] = k;
	}
	return at;
}

void compare_paint_words(const struct comparison *c, struct paint *paint)
{
	const struct matched *const m = c->words[c->pair];
	const struct trace *const scene = c->d->trace, *const first = c->first->d.trace;
	struct trace *const trace = arena_alloc(c->a, sizeof *trace);
	*trace = *first;
	trace->query = taken(&first->query, m->queries.first, m->queries.n, c->a);
	trace->key = taken(&first->key, m->keys.first, m->keys.n, c->a);
	paint->trace = trace;
	paint->rows = cursor_among(&m->queries, c->first->rows, scene->query.n, c->a);
	paint->cols = cursor_among(&m->keys, c->first->cols, scene->key.n, c->a);
	paint->n_rows = scene->query.n;
	paint->n_cols = scene->key.n;
}

/* ---- words about the inputs ------------------------------------------------------------------ */

static const struct axis_match *units_of(const struct comparison *c, size_t pair)
{
	const struct matched *const m = c->words[pair];
	return c->first->d.trace->memory ? &m->keys : &m->queries;
}

static const char *unit_of(const struct comparison *c)
{
	const int mode = c->d->scene->setup.tokens;
	return mode == TOKENS_WORDS || mode == TOKENS_PLAIN_WORDS ? "word" : "token";
}

const char *compare_missing(const struct comparison *c, size_t pair)
{
	if (!c->words[pair])
		return NULL;
	const struct axis_match *const m = units_of(c, pair);
	const size_t n = m->n_first + m->n_second - 2 * m->n;
	const char *const unit = unit_of(c);
	return n == 0	? NULL
	       : n == 1 ? arena_printf(c->a, "1 %s is in one of them only", unit)
			: arena_printf(c->a, "%zu %ss are in one of them only", n, unit);
}

/* Appends "; in 1 only: big, old". */
static void add_names(const struct comparison *c, size_t number, const struct axis *axis,
		      const size_t *at, size_t n, struct strbuf *b)
{
	if (n > 0)
		strbuf_printf(b, "%sin %zu only: ", b->len ? "; " : "", number);
	for (size_t i = 0; i < n && i < MOST_NAMED; i++)
		strbuf_printf(b, "%s%s", i ? ", " : "", view_unit_name(axis, at[i], c->a));
	if (n > MOST_NAMED)
		strbuf_printf(b, " and %zu more", n - MOST_NAMED);
}

void compare_add_words(const struct comparison *c, struct card *card)
{
	if (!c->words[c->pair])
		return;
	const struct axis_match *const m = units_of(c, c->pair);
	const char *const unit = arena_printf(c->a, "%ss", unit_of(c));
	struct strbuf b;
	strbuf_init(&b, c->a);
	add_names(c, pairs[c->pair][0], view_units(c->first->d.trace), m->first + m->n,
		  m->n_first - m->n, &b);
	add_names(c, pairs[c->pair][1], view_units(c->second->d.trace), m->second + m->n,
		  m->n_second - m->n, &b);
	card_add(card, unit, arena_printf(c->a, "%zu in both", m->n),
		 b.len ? b.at : "each is compared with itself, wherever it stands");
}
