/* expr_members.c: the members of an expression that the model runs.
 *
 * A named combination is replaced by the members of the expression it stands for. That built-in
 * combinations can be parsed and are not nested too deeply is checked here with BUG and by a
 * test over the registry; only the number of members depends on the user. */
#include "posviz/scheme/scheme.h"

#include <string.h>

#include "scheme/weight.h"

enum { MAX_NESTING = 4 };

/* Returns the expression that a combination stands for. */
static struct expr *combination(const struct scheme *s, int depth, struct arena *a)
{
	struct err err = {0};
	struct expr *e = arena_calloc(a, 1, sizeof *e);
	if (depth == MAX_NESTING)
		BUG("combination %s is nested too deeply", s->id);
	if (!expr_parse(e, s->expression, a, &err))
		BUG("combination %s: %s", s->id, err.text);
	return e;
}

/* Returns whether the same mask occurred before: masking a pair twice changes nothing. */
static bool is_doubled(const struct expr_member *m, const char *text, const struct member *out,
		       size_t n)
{
	for (size_t i = 0; i < n && m->scheme->flags & SCHEME_MASK; i++)
		if (out[i].hooks == &m->scheme->hooks && strcmp(out[i].text, text) == 0)
			return true;
	return false;
}

/* Returns "shaw" for the first member of its scheme, then "shaw#2", "shaw#3". */
static const char *unique_name(const struct scheme *s, const struct member *out, size_t n,
			       struct arena *a)
{
	const size_t len = strlen(s->id);
	size_t count = 1;
	for (size_t i = 0; i < n; i++)
		count += strncmp(out[i].name, s->id, len) == 0 &&
			 (out[i].name[len] == '\0' || out[i].name[len] == '#');
	return count == 1 ? s->id : arena_printf(a, "%s#%zu", s->id, count);
}

/* Returns the member's text without its weight: cached data does not depend on it. */
static const char *text_of(const struct expr_member *m, struct arena *a)
{
	struct expr_member plain = *m;
	plain.weight = 1;
	return expr_print_member(&plain, a);
}

/* Loads the files that its parameters name; only then are its hooks known. */
static bool load(const struct expr_member *m, struct member *out, struct arena *a, struct err *err)
{
	if (m->scheme->load != NULL && !m->scheme->load(m->param, a, out, err))
		return false;
	return !out->weighted || weight_fits_hooks(out, err);
}

/* Adds members; `weight` is that of the combination they belong to. */
static bool add_members(struct expr *e, double weight, int depth, struct member *out, size_t *n,
			struct arena *a, struct err *err)
{
	for (size_t i = 0; i < e->n; i++) {
		struct expr_member *const m = arena_calloc(a, 1, sizeof *m);
		*m = e->members[i];
		weight_multiply(m, weight);
		if (m->scheme->expression != NULL) {
			if (!add_members(combination(m->scheme, depth, a), m->weight, depth + 1,
					 out, n, a, err))
				return false;
			continue;
		}
		const char *text = text_of(m, a);
		if (is_doubled(m, text, out, *n))
			continue;
		if (*n == MODEL_MAX_MEMBERS)
			return err_set(err,
				       "more than %d members, with what the combinations stand for",
				       MODEL_MAX_MEMBERS);
		out[*n] = (struct member){.hooks = &m->scheme->hooks,
					  .scheme = m->scheme,
					  .param = m->param,
					  .name = unique_name(m->scheme, out, *n, a),
					  .text = text,
					  .pos = m->pos,
					  .layers = m->layers,
					  .heads = m->heads,
					  .weighted = m->weight != 1,
					  .weight = m->weight,
					  .optional = depth > 0,
					  .index = *n};
		if (!load(m, &out[*n], a, err))
			return false;
		(*n)++;
	}
	return true;
}

bool expr_members(struct expr *e, struct member *out, size_t *n, struct arena *a, struct err *err)
{
	*n = 0;
	return add_members(e, 1, 0, out, n, a, err);
}

const struct expr_member *expr_main(const struct expr *e)
{
	BUG_IF(e->n == 0);
	for (size_t i = 0; i < e->n; i++)
		if (!(e->members[i].scheme->flags & SCHEME_BESIDE))
			return &e->members[i];
	for (size_t i = 0; i < e->n; i++)
		if (!(e->members[i].scheme->flags & SCHEME_MASK))
			return &e->members[i];
	return &e->members[0];
}

static bool any_is_causal(const struct expr *e, int depth, struct arena *scratch);

static bool is_causal(const struct expr_member *m, int depth, struct arena *scratch)
{
	if (m->scheme->expression != NULL)
		return any_is_causal(combination(m->scheme, depth, scratch), depth + 1, scratch);
	return scheme_is_causal(m->scheme, m->param);
}

static bool any_is_causal(const struct expr *e, int depth, struct arena *scratch)
{
	for (size_t i = 0; i < e->n; i++)
		if (is_causal(&e->members[i], depth, scratch))
			return true;
	return false;
}

bool expr_is_causal(const struct expr *e)
{
	struct arena scratch;
	arena_init(&scratch);
	const bool causal = any_is_causal(e, 0, &scratch);
	arena_release(&scratch);
	return causal;
}

/* A column other than seq is also read for its order; with seq the order comes from the tokens. */
static bool any_reads(const struct expr *e, const char *column, bool pictures, int depth,
		      struct arena *scratch)
{
	const bool seq = strcmp(column, "seq") == 0, segment = strcmp(column, "segment") == 0;
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *const m = &e->members[i];
		if (m->scheme->expression != NULL) {
			const struct expr *const inner = combination(m->scheme, depth, scratch);
			if (any_reads(inner, column, pictures, depth + 1, scratch))
				return true;
			continue;
		}
		if (strcmp(m->pos, column) == 0 &&
		    (!seq || (scheme_reads_numbers(m->scheme, m->param) &&
			      !(pictures && scheme_reads_cells(m->scheme, m->param)))))
			return true;
		if (segment && scheme_reads_segments(m->scheme, m->param))
			return true;
	}
	return false;
}

bool expr_reads(const struct expr *e, const char *column, bool pictures)
{
	struct arena scratch;
	arena_init(&scratch);
	const bool reads = any_reads(e, column, pictures, 0, &scratch);
	arena_release(&scratch);
	return reads;
}

/* ---- selecting a scheme
 * ------------------------------------------------------------------------ */

/* Returns whether the expression contains the member; a user's name may also stand for masks. */
static bool has_member(const struct expr *e, const struct expr_member *m, struct arena *a)
{
	const char *const text = expr_print_member(m, a);
	for (size_t i = 0; i < e->n; i++)
		if (strcmp(expr_print_member(&e->members[i], a), text) == 0)
			return true;
	return false;
}

void expr_keep_masks(struct expr *picked, const struct expr *now, struct arena *a)
{
	for (size_t i = 0; i < now->n && picked->n < MODEL_MAX_MEMBERS; i++)
		if (now->members[i].scheme->flags & SCHEME_BESIDE &&
		    !has_member(picked, &now->members[i], a))
			picked->members[picked->n++] = now->members[i];
}
