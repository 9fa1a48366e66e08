/* help_recompute.c: see help_recompute.h. The stages of a head in their order; the schemes are in
 * help_recipes_*.c. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "help_recompute.h"

#include "test.h"

static const double tolerance = 1e-9;

static const struct rule *const recipes[] = {recompute_distances,
					     recompute_vectors,
					     recompute_turns,
					     recompute_others,
					     recompute_pairs,
					     recompute_rules,
					     NULL};

/* Returns the rows after the memory, if the file has only these. */
static struct mat of_queries(const struct place *p, struct mat mine, struct mat file)
{
	const bool all = mine.rows == file.rows || mine.rows != p->f->n;
	return all ? mine : loop_behind(mine, p->f->memory);
}

void expect_near(const struct place *p, struct mat mine, struct mat file, const char *what)
{
	const double apart = loop_apart(of_queries(p, mine, file), file);
	if (!(apart <= tolerance))
		fail_msg("%s: layer %zu, head %zu: %s is %g apart", p->f->expression, p->step,
			 p->head, what, apart);
}

struct mat leaf_of(const struct place *p, const struct dumped_member *m, const char *base)
{
	const struct mat own = dumped_find(p->f, "param.%s.%s.%zu", m->name, base, p->layer);
	return own.at ? own : dumped_find(p->f, "param.%s.%s", m->name, base);
}

struct mat kept_of(const struct place *p, const struct dumped_member *m, const char *key)
{
	const struct mat at = dumped_find(p->f, "layer.%zu.member.%s.%s", p->step, m->name, key);
	return at.at ? at : dumped_find(p->f, "member.%s.%s", m->name, key);
}

struct mat kept_of_head(const struct place *p, const struct dumped_member *m, const char *key)
{
	char name[64];
	snprintf(name, sizeof name, "%s.%zu", key, p->head);
	return kept_of(p, m, name);
}

struct mat index_of(const struct place *p, const struct dumped_member *m, const char *begin)
{
	char name[128];
	const int len = snprintf(name, sizeof name, "member.%s.index.%s", m->name, begin);
	for (size_t i = 0; i < p->f->set.count; i++)
		if (strncmp(p->f->set.tensors[i].name, name, (size_t)len) == 0)
			return tensor_mat(&p->f->set.tensors[i]);
	fail_msg("%s: no %s", p->f->expression, name);
	return (struct mat){0};
}

double position_of(const struct place *p, const struct dumped_member *m, size_t t)
{
	return dumped_get(p->f, "position.%s", m->pos).at[t];
}

double order_of(const struct place *p, const struct dumped_member *m, size_t t)
{
	const struct mat place = dumped_find(p->f, "position.place");
	return place.at && strcmp(m->pos, "seq") == 0 ? place.at[t] : position_of(p, m, t);
}

static bool acts(const struct place *p, const struct dumped_member *m)
{
	return dumped_acts(m, "layers", p->layer) && dumped_acts(m, "heads", p->head);
}

static bool applies(const struct place *p, const struct rule *r, const struct dumped_member *m)
{
	return strcmp(r->scheme, m->scheme) == 0 && acts(p, m) &&
	       (!r->param || dumped_is(m, r->param, r->value));
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* Returns the next term of the file from `from` on; NULL at the end. "#2" in a name is not part of
 * the label. */
static const char *next_term(const struct place *p, size_t *from, struct mat *at)
{
	char begin[64];
	const int len = snprintf(begin, sizeof begin, "layer.%zu.head.%zu.term.", p->step, p->head);
	for (; *from < p->f->set.count; ++*from) {
		const struct tensor *t = &p->f->set.tensors[*from];
		if (strncmp(t->name, begin, (size_t)len) == 0) {
			*at = tensor_mat(t);
			++*from;
			return t->name + len;
		}
	}
	return NULL;
}

/* Takes the equal one if two members have terms of one name. */
void recompute_take(struct place *p, const char *label, struct mat mine)
{
	double least = INFINITY;
	size_t from = 0, i = 0;
	struct mat at;
	mine = loop_copy(p->f->a, mine);
	loop_scale(mine, p->weight);
	for (const char *name; (name = next_term(p, &from, &at)); i++) {
		const size_t len = strlen(label);
		if (p->used[i] || strncmp(name, label, len) != 0 || (name[len] && name[len] != '#'))
			continue;
		const double apart = loop_apart(of_queries(p, mine, at), at);
		least = fmin(least, apart);
		if (!(apart <= tolerance))
			continue;
		p->used[i] = true;
		loop_add(p->logits, mine);
		return;
	}
	fail_msg("%s: layer %zu, head %zu: term %s is %g apart", p->f->expression, p->step, p->head,
		 label, least);
}

/* Checks that the terms which no rule took, except "rest", sum to the content. */
static void expect_content(struct place *p)
{
	const struct mat sum = loop_zero(p->f->a, p->content.rows - p->f->memory, p->content.cols);
	size_t from = 0, i = 0;
	struct mat at;
	for (const char *name; (name = next_term(p, &from, &at)); i++) {
		assert_true(i < sizeof p->used / sizeof *p->used);
		if (!p->used[i] && strcmp(name, "rest") != 0)
			loop_add(sum, at);
	}
	expect_near(p, p->content, sum, "the sum of the terms of q and k");
}

static struct mat pairs(const struct place *p, const struct rule *r, const struct dumped_member *m)
{
	const struct mat out = loop_zero(p->f->a, p->f->n, p->f->keys);
	for (size_t t = 0; t < out.rows; t++)
		for (size_t s = 0; s < out.cols; s++)
			mat_row(out, t)[s] = r->at(p, m, t, s);
	return out;
}

static void apply(struct place *p, const struct rule *r, const struct dumped_member *m)
{
	if (r->make) {
		r->make(p, m);
		return;
	}
	if (r->stage == ON_CONTEXT) {
		const struct mat added = loop_zero(p->f->a, p->f->n, p->f->dv);
		for (size_t t = 0; t < added.rows; t++)
			for (size_t j = 0; j < added.cols; j++)
				mat_row(added, t)[j] = p->weight * r->at(p, m, t, j);
		loop_add(p->context, added);
		return;
	}
	const struct mat mine = pairs(p, r, m);
	if (r->term)
		recompute_take(p, r->term, mine);
	else if (r->stage == ON_CONTENT)
		p->content = mine;
	else if (r->stage == ON_ADJUST)
		p->logits = mine;
	else if (r->stage == ON_WEIGHTS)
		p->weights = mine;
}

static bool run_rules(struct place *p, enum stage stage, const struct rule *rules,
		      const struct dumped_member *m)
{
	bool any = false;
	for (const struct rule *r = rules; r->scheme; r++)
		if (r->stage == stage && applies(p, r, m)) {
			apply(p, r, m);
			any = true;
		}
	return any;
}

static bool has_rules(const struct dumped_member *m)
{
	for (const struct rule *const *rules = recipes; *rules; rules++)
		for (const struct rule *r = *rules; r->scheme; r++)
			if (strcmp(r->scheme, m->scheme) == 0)
				return true;
	return false;
}

static bool run_stage(struct place *p, enum stage stage)
{
	bool any = false;
	for (size_t i = 0; i < p->f->n_members; i++) {
		const struct dumped_member *m = &p->f->members[i];
		p->weight = dumped_weight(m);
		for (const struct rule *const *rules = recipes; *rules; rules++)
			any |= run_rules(p, stage, *rules, m);
		if (!has_rules(m) && acts(p, m))
			recompute_injected(p, m, stage);
	}
	return any;
}

/* ---- the head -------------------------------------------------------------------------------- */

struct mat recompute_softmax(struct arena *a, struct mat logits, struct mat mask)
{
	const struct mat out = loop_zero(a, logits.rows, logits.cols);
	for (size_t t = 0; t < out.rows; t++) {
		double most = -INFINITY, sum = 0;
		for (size_t s = 0; s < out.cols; s++)
			if (mat_row(mask, t)[s] > 0)
				most = fmax(most, mat_row(logits, t)[s]);
		for (size_t s = 0; s < out.cols; s++)
			if (mat_row(mask, t)[s] > 0)
				sum += mat_row(out, t)[s] = exp(mat_row(logits, t)[s] - most);
		for (size_t s = 0; s < out.cols && sum > 0; s++)
			mat_row(out, t)[s] /= sum;
	}
	return out;
}

void recompute_head(struct place *p)
{
	const struct dumped *f = p->f;
	const size_t l = p->step, h = p->head;
	const struct mat logits = dumped_find(f, "layer.%zu.head.%zu.logits", l, h);
	p->q = p->q_raw;
	p->k = p->k_raw;
	run_stage(p, ON_VALUES_IN);
	run_stage(p, ON_QK);
	expect_near(p, p->v, dumped_get(f, "layer.%zu.head.%zu.v", l, h), "v");
	if (logits.at) {
		expect_near(p, p->q, dumped_get(f, "layer.%zu.head.%zu.q", l, h), "q");
		expect_near(p, p->k, dumped_get(f, "layer.%zu.head.%zu.k", l, h), "k");
		p->content = loop_outer(f->a, f->c, p->q, p->k);
		run_stage(p, ON_CONTENT);
		p->logits = loop_copy(f->a, p->content);
		run_stage(p, ON_TERMS);
		run_stage(p, ON_ADJUST);
		expect_content(p);
		expect_near(p, p->logits, logits, "logits");
		p->weights = recompute_softmax(f->a, p->logits, p->mask);
	}
	if (!run_stage(p, ON_WEIGHTS) && !logits.at)
		fail_msg("%s: neither logits nor weights", f->expression);
	expect_near(p, p->weights, dumped_get(f, "layer.%zu.head.%zu.weights", l, h), "weights");
	p->context = loop_mul(f->a, p->weights, p->v);
	run_stage(p, ON_CONTEXT);
	expect_near(p, p->context, dumped_get(f, "layer.%zu.head.%zu.context", l, h), "context");
}
