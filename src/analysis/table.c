/* table.c: the survey's Table 1 with every scheme: printed, built, and measured.
 *
 * Counts need shapes and no numbers, so they use the user's sizes however large; behaviour is
 * that of the scheme with its defaults and costs evaluations only the first time. */
#include <math.h>

#include "analysis_in.h"
#include "posviz/math/machine.h"

bool fact_differs(const struct fact *fact)
{
	return fact->printed != ANSWER_UNSAID && fact->measured != ANSWER_UNSAID &&
	       fact->printed != fact->measured;
}

static struct model_config sizes_of(const struct setup *s)
{
	return (struct model_config){.d = (size_t)s->d_model,
				     .heads = (size_t)s->heads,
				     .head_dim = (size_t)s->head_dim,
				     .value_dim = (size_t)s->value_dim,
				     .kv_heads = (size_t)s->kv_heads,
				     .layers = (size_t)s->layers,
				     .ff = s->ff ? (size_t)s->ff : 4 * (size_t)s->d_model,
				     .t_max = (size_t)s->t_max,
				     .seed = s->seed,
				     .unfilled = true};
}

struct leaf_count count_leaves(const char *expression, const struct model_config *config,
			       struct arena *a)
{
	struct arena scratch;
	struct err err = {""};
	struct leaf_count out = {0};
	size_t n;
	arena_init(&scratch);
	struct expr *const e = expr_copy(expr_of(expression, &scratch, &err), &scratch);
	struct member *const members = arena_calloc(&scratch, MODEL_MAX_MEMBERS, sizeof *members);
	struct model *const model = arena_calloc(&scratch, 1, sizeof *model);
	if (e && expr_members(e, members, &n, &scratch, &err) &&
	    model_build(model, config, members, n, NULL, &scratch, &err)) {
		out.made = model_position_parameters(model);
		out.frozen = model_frozen_parameters(model);
	} else {
		out.why = arena_strdup(a, err.text);
	}
	arena_release(&scratch);
	return out;
}

/* Counts the leaves that the scheme would have, and evaluates the printed formula. */
static void count(const struct model_config *config, struct arena *a, struct table_row *row)
{
	const struct scheme *s = row->scheme;
	struct arena scratch;
	struct err err = {""};
	arena_init(&scratch);
	const char *const text =
		s->count_at ? arena_printf(&scratch, "%s(%s)", s->id, s->count_at) : s->id;
	const struct expr *const e = expr_of(text, &scratch, &err);
	if (!e)
		BUG("%s: %s", s->id, err.text);
	const struct leaf_count leaves = count_leaves(text, config, a);
	row->counted = !leaves.why;
	row->made = leaves.made;
	row->frozen = leaves.frozen;
	row->no_count = leaves.why;
	row->printed = s->count_printed
			       ? scheme_value(s, e->members[0].param, config, s->count_printed)
			       : NAN;
	arena_release(&scratch);
}

static enum answer answer(bool yes)
{
	return yes ? ANSWER_YES : ANSWER_NO;
}

static void judge(struct table_row *row, const void *param, enum claim_kind kind)
{
	const struct scheme *s = row->scheme;
	const struct claim *const claim = scheme_claim(s, param, kind);
	struct fact *f = &row->facts[kind];
	*f = (struct fact){scheme_printed(s, kind), scheme_holds(s, param, kind), ANSWER_UNSAID,
			   claim ? claim->why : NULL};
	if (kind == CLAIM_COUNT) {
		if (row->counted && !isnan(row->printed))
			f->measured = answer(fabs(row->printed - (double)row->made) < 0.5);
	} else if (kind == CLAIM_LEARNABLE) {
		f->measured = row->counted ? answer(row->made > row->frozen) : ANSWER_UNSAID;
	} else if (row->known) {
		f->measured = answer(behaviour_is(&row->is, kind));
	}
}

static struct scene plain_scene(const struct setup *setup, const struct scheme *s)
{
	struct scene plain;
	scene_init(&plain);
	plain.setup.seed = setup->seed;
	plain.setup.scheme = s->id;
	return plain;
}

static void judge_all(struct table_row *row)
{
	struct arena scratch;
	arena_init(&scratch);
	const void *const param = scheme_defaults(row->scheme, &scratch);
	for (enum claim_kind kind = 0; kind < CLAIM_KINDS; kind++)
		judge(row, param, kind);
	arena_release(&scratch);
}

void analysis_table_kept(const struct setup *setup, struct cache *cache, struct arena *a,
			 struct table_row **rows, size_t *n)
{
	const struct model_config config = sizes_of(setup);
	*n = scheme_count();
	*rows = arena_calloc(a, *n, sizeof **rows);
	for (size_t i = 0; i < *n; i++) {
		struct table_row *const row = &(*rows)[i];
		row->scheme = scheme_at(i);
		const struct scene plain = plain_scene(setup, row->scheme);
		row->known = analysis_behaviour_kept(&plain.setup, cache, &row->is);
		count(&config, a, row);
		judge_all(row);
	}
}

struct measuring {
	const struct setup *setup;
	struct cache *cache;
	struct watch *watch;
	struct table_row *const *rows;
	struct err *errs; /* [rows] */
};

static void measure_row(void *context, size_t i, size_t worker)
{
	const struct measuring *const m = context;
	struct table_row *const row = m->rows[i];
	const struct scene plain = plain_scene(m->setup, row->scheme);
	(void)worker;
	row->known = analysis_behaviour(&plain.setup, m->cache, m->watch, &row->is, &m->errs[i]);
	if (row->known)
		judge_all(row);
	else
		err_prefix(&m->errs[i], "%s: ", row->scheme->id);
}

bool analysis_table_measure(const struct setup *setup, struct cache *cache, struct watch *watch,
			    struct table_row *const *rows, size_t n, struct err *err)
{
	struct arena scratch;
	size_t good = 0;
	arena_init(&scratch);
	struct measuring m = {setup, cache, watch, rows,
			      arena_calloc(&scratch, n + 1, sizeof *m.errs)};
	machine_parallel(n, measure_row, &m);
	while (good < n && rows[good]->known)
		good++;
	if (good < n)
		*err = m.errs[good];
	arena_release(&scratch);
	return good == n;
}

bool analysis_table(const struct setup *setup, struct cache *cache, struct watch *watch,
		    struct arena *a, struct table_row **rows, size_t *n, struct err *err)
{
	size_t unknown = 0;
	analysis_table_kept(setup, cache, a, rows, n);
	struct table_row **const wanted = arena_calloc(a, *n + 1, sizeof *wanted);
	for (size_t i = 0; i < *n; i++)
		if (!(*rows)[i].known)
			wanted[unknown++] = &(*rows)[i];
	return analysis_table_measure(setup, cache, watch, wanted, unknown, err);
}
