/* why_facts.c: the position of the cell, and what the scheme knows about the pair before any
 * vector is computed. */
#include <math.h>
#include <string.h>

#include "posviz/base/text.h"
#include "why_in.h"

enum { FACTS = 24 };

struct facts {
	const struct why *w;
	struct card_line *at;
	size_t n;
};

static void add(struct facts *f, const char *key, const char *value, const char *note)
{
	if (f->n < FACTS)
		f->at[f->n++] = (struct card_line){key, value, note};
}

/* Returns "6 chased"; beside a token whose name is a number, "21, token 6", so that the two do not run together. */
static const char *token(const struct why *w, const struct axis *axis, size_t i)
{
	const char *const name = view_unit_name(axis, i, w->a);
	return *name >= '0' && *name <= '9' ? arena_printf(w->a, "%s, token %zu", name, i + 1)
					    : arena_printf(w->a, "%zu %s", i + 1, name);
}

static void add_pair(struct facts *f)
{
	const struct why *const w = f->w;
	add(f, "query", token(w, &w->trace->query, w->t), NULL);
	add(f, "key", token(w, &w->trace->key, w->s), NULL);
	add(f, "s−t", why_number(w, (double)w->s - (double)w->unit, 6), NULL);
}

/* ---- the relation ---------------------------------------------------------------------------- */

static const struct relation_range *range_of(const struct relation *r, size_t i)
{
	const long apart = r->n_ranges > 0 ? r->beside[i] : 0;
	const long at = r->apart && apart < 0 ? -apart : apart;
	for (size_t k = 0; k < r->n_ranges; k++)
		if (r->ranges[k].lo <= at && at <= r->ranges[k].hi)
			return &r->ranges[k];
	return NULL;
}

/* Returns which distances share the number: this one alone, several, or all beyond a limit. */
static const char *sharing(const struct relation *r, size_t i, struct arena *a)
{
	const struct relation_range *const range = range_of(r, i);
	if (!range || range->lo == range->hi)
		return range ? "exact: this distance alone" : NULL;
	const char *const words = relation_says(r, range->value, NULL, a);
	const bool open = range->lo == INT32_MIN || range->hi == INT32_MAX;
	if (range->lo == INT32_MIN && range->hi == INT32_MAX)
		return "one for all distances";
	return words ? arena_printf(a, "%s: %s", open ? "clipped" : "shared", words) : NULL;
}

static void add_relation(struct facts *f)
{
	const struct why *const w = f->w;
	const struct relation *const r = &w->trace->relation;
	const size_t i = w->unit * r->n + w->s;
	/* If the scheme made fewer keys, no key is a token. */
	if (w->unit >= r->n || w->s >= r->n ||
	    w->trace->key.n != w->trace->query.n + w->trace->memory)
		return;
	if (!r->at || r->of_tokens || relation_is_none(r, i)) {
		add(f, r->title, NULL,
		    relation_cell_words(r, view_units(w->trace), w->unit, w->s, false, w->a));
		return;
	}
	/* The distance itself is in the line above. */
	const struct relation_range *const range = range_of(r, i);
	if (range && range->lo == range->hi && r->at[i] == r->beside[i])
		return;
	const char *const value = relation_value(r, r->at[i], w->a);
	const char *const said = r->n_ranges > 0 ? sharing(r, i, w->a)
						 : relation_cell_words(r, view_units(w->trace),
								       w->unit, w->s, false, w->a);
	const size_t len = strlen(value);
	const bool again = said && strncmp(said, value, len) == 0 && said[len] == ' ';
	add(f, r->title, again ? NULL : value, said); /* "2 edges away" has the number already */
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Returns whether a member uses the column. Members that read a tree or a graph do not use
 * positions in the sequence. */
static bool column_used(const struct expr *e, const char *name)
{
	const unsigned structural = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;
	for (size_t i = 0; i < e->n; i++)
		if (strcmp(e->members[i].pos, name) == 0 &&
		    !(e->members[i].scheme->flags & structural))
			return true;
	return false;
}

/* Returns whether a column is one of several numbers of a position that the text has: the three
 * that were given, or row and column of a patch. */
static bool is_of_several(const struct built *b, const char *name)
{
	for (size_t i = 0; i < PLACE_COLUMNS; i++)
		if (strcmp(name, place_column_names[i]) == 0)
			return i < PLACE_AXES ? b->three_ids : b->pictures && i != PLACE_PICTURE;
	return false;
}

/* Adds the positions. If a relation gives the distance of the two, positions in the sequence are
 * omitted. Tokens are numbered from 1, positions in the sequence from 0 as in the papers, so the
 * note says this. */
static void add_places(struct facts *f)
{
	const struct why *const w = f->w;
	const struct trace *const trace = w->trace;
	const size_t n = trace->query.n + trace->memory;
	const struct built *const b = w->d->built;
	const bool given = b->position_ids != NULL && !b->three_ids;
	const bool apart = b->model.config.stack == STACK_CROSS; /* the source counts its own */
	for (size_t i = 2; i < trace->n_columns && !apart; i++) {
		const struct column *const c = &trace->columns[i];
		const bool seq = strcmp(c->name, "seq") == 0, several = is_of_several(b, c->name);
		if (seq && b->three_ids)
			continue;
		if (seq && !given && trace->relation.n_ranges > 0)
			continue;
		if (w->unit < n && w->s < n && (several || column_used(&b->expr, c->name)))
			add(f,
			    several ? c->name
				    : arena_printf(w->a, "positions%s%s", seq ? "" : " ",
						   seq ? "" : c->name),
			    arena_printf(w->a, "%s, %s", why_number(w, c->at[w->unit], 6),
					 why_number(w, c->at[w->s], 6)),
			    !seq    ? NULL
			    : given ? "as given"
				    : "from 0");
	}
}

/* ---- further facts --------------------------------------------------------------------------- */

/* If tokens were moved, adds their positions as written. */
static void add_written(struct facts *f)
{
	const struct why *const w = f->w;
	const long query = w->trace->query.token[w->t], key = w->trace->key.token[w->s];
	const struct built *const b = w->d->built;
	bool moved = false;
	for (size_t i = 0; i < b->written.moving; i++)
		moved |= b->order[i] != i;
	if (moved && query >= 0 && key >= 0)
		add(f, "as written", arena_printf(w->a, "%ld, %ld", query + 1, key + 1),
		    arena_printf(w->a, "distance %s", why_number(w, (double)(key - query), 6)));
}

/* Adds the terms that the view Terms leaves out: the model does not. */
static void add_off(struct facts *f)
{
	const struct why *const w = f->w;
	const char *off = NULL;
	for (size_t i = 0; i < w->head->n_terms; i++)
		if (scene_term_is_off(w->d->scene, w->head->terms[i].label))
			off = off ? arena_printf(w->a, "%s, %s", off, w->head->terms[i].label)
				  : w->head->terms[i].label;
	if (off)
		add(f, NULL, NULL,
		    arena_printf(w->a, "%s is off in the view Terms, not here", off));
}

/* Adds the bias in this sentence; the panel Position bias shows that of a probe. */
static void add_bias(struct facts *f)
{
	const struct why *const w = f->w;
	double here;
	if (!why_bias(w, &here))
		return;
	const double probe = mat_row(w->head->bias, w->t)[w->s];
	const bool off = strcmp(w->d->scene->setup.probe, "off") == 0;
	/* A bias that does not depend on content is the same for both, and is already a step. */
	if (!off && fabs(here - probe) <= 1e-9 * (1 + fabs(probe)))
		return;
	add(f, "bias", why_number(w, here, 3),
	    off ? "of this sentence"
		: arena_printf(
			  w->a,
			  "of the tokens of this sentence; Position bias has %s, that with all "
			  "tokens equal",
			  why_number(w, probe, 3)));
}

static bool compares(const struct setup *s)
{
	return strcmp(s->compare, "none") != 0;
}

size_t why_facts(const struct why *w, const struct card_line **out)
{
	struct facts f = {.w = w, .at = arena_calloc(w->a, FACTS, sizeof *f.at)};
	const char *const given = view_given(w->d, w->a);
	add_pair(&f);
	add_relation(&f);
	add_places(&f);
	add_bias(&f);
	add_written(&f);
	add_off(&f);
	if (given)
		add(&f, NULL, NULL, given);
	if (compares(&w->d->scene->setup))
		add(&f, NULL, NULL,
		    arena_printf(
			    w->a, "of %s alone, not of what it is compared with",
			    view_expression_name(w->d->scene, 0, w->d->scene->setup.scheme, w->a)));
	*out = f.at;
	return f.n;
}
