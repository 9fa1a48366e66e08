/* compared.c: the runs of the view Compare: each expression on the scene's input or on its own,
 * and, if curves reach beyond the sentence, a second run on that many plain positions.
 *
 * Only the shown head is computed. Each run may use the memory that the earlier ones left. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/words.h"
#include "posviz/base/strbuf.h"
#include "posviz/scene/beside.h"
#include "posviz/scene/model_open.h"
#include "run_in.h"

/* ---- the partner of a single expression ------------------------------------------------------ */

/* Returns the same expression without positions: members that are no masks are replaced by
 * `none`. If that changes nothing, the mask is removed or added. */
static const char *partner_of(const struct built *b, struct arena *a)
{
	struct strbuf text;
	strbuf_init(&text, a);
	bool masks = true, causal = false;
	for (size_t i = 0; i < b->expr.n; i++) {
		const struct expr own = {.members = {b->expr.members[i]}, .n = 1};
		const bool mask = own.members[0].scheme->flags & SCHEME_MASK;
		masks &= mask;
		if (!mask)
			continue;
		strbuf_printf(&text, "+%s", expr_print_member(&own.members[0], a));
		causal |= expr_is_causal(&own);
	}
	if (masks)
		return "none";
	if (!causal && expr_is_causal(&b->expr))
		strbuf_add(&text, "+causal");
	const char *partner = arena_printf(a, "none%s", text.at);
	if (strcmp(partner, expr_print(&b->expr, a)) != 0)
		return partner;
	return text.len ? "none" : "none+causal";
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* Computes the means by s−t; if the run is on a structure, `on` not NULL, by the distance on it,
 * because schemes use the structure in different ways. */
static const struct distances *reduce(const struct model_input *on, const struct trace *trace,
				      struct mat m, const uint8_t *mask, struct arena *a)
{
	struct distances *by = arena_calloc(a, 1, sizeof *by);
	struct pair_numbers edges;
	if (!on || !view_structure_numbers(on, trace, a, &edges) ||
	    !distances_init_by(by, edges.at, edges.rows, edges.cols, 1, a))
		distances_init(by, trace, 1, a);
	distances_add(by, &trace->query, &trace->key, 0, m, mask);
	return by;
}

static const struct distances *bias_by_distance(const struct model_input *on,
						const struct trace *trace, size_t head,
						struct arena *a)
{
	const struct trace_head *first = &trace->layers[0].heads[head];
	return reduce(on, trace, first->bias, first->mask, a);
}

/* Returns the shown head's bias by distance on n plain positions, or NULL; frees all other
 * memory of the run. */
static const struct distances *plain_run(const struct job *j, const struct built *b, size_t n,
					 struct err *err)
{
	struct arena scratch;
	arena_init(&scratch);
	struct model_input in;
	struct trace trace;
	const struct distances *by = NULL;
	struct want want = view_want(j, b);
	want.kinds = WANT_BIAS;
	want.layer = 0;
	built_plain(b, n, &scratch, &in);
	if (built_run(b, &in, &want, j->cache, j->watch, &scratch, &trace, err) &&
	    !trace.bias_absent) {
		const size_t heads = b->model.config.heads;
		view_shown(j->scene, heads, &trace, &scratch);
		by = bias_by_distance(NULL, &trace, view_chosen(j->scene->head, heads), j->a);
	}
	arena_release(&scratch);
	return by;
}

static bool cancelled(const struct job *j)
{
	return watch_cancelled(j->watch);
}

/* Returns whether the bias at the common distances is the same for both lengths of input. */
static bool same_near(const struct distances *few, const struct distances *many)
{
	for (size_t i = 0; few && i < few->n; i++) {
		const double a = few->mean[i], b = many->mean[(size_t)(few->lo - many->lo) + i];
		if (isfinite(a) && isfinite(b) && fabs(a - b) > 1e-9 * (1 + fabs(a)))
			return false;
	}
	return true;
}

/* Extends the curve as far as the scene's `reach` says; if that cannot be computed, to t_max. */
static bool far_curve(const struct job *j, struct compared *c, struct err *err)
{
	const size_t t_max = (size_t)j->scene->setup.t_max, n = t_max * (size_t)j->scene->reach;
	if (c->built->position_ids || c->built->pictures || c->trace->memory > 0 ||
	    c->by_distance->number) {
		c->ends = c->by_distance->number ? "reach is of positions, not of a structure"
			  : c->trace->memory	 ? "reach is of a text without a memory"
					     : "reach is of positions, and position ids are given";
		return true;
	}
	if (n <= c->trace->query.n)
		return true;
	struct err why = {""};
	const struct distances *by = plain_run(j, c->built, n, &why);
	if (!by && !cancelled(j)) {
		c->ends = arena_strdup(j->a, why.text);
		by = plain_run(j, c->built, t_max, &why);
	}
	if (cancelled(j))
		return err_set(err, "cancelled");
	if (by) {
		c->differs_far = !same_near(c->by_distance, by);
		c->by_distance = by;
	}
	return true;
}

/* ---- the runs -------------------------------------------------------------------------------- */

static bool run_one(const struct job *j, const struct built *b, struct trace *trace,
		    struct compared *c, struct err *err)
{
	struct want want = view_want(j, b);
	want.kinds |= view_without_bias(b) ? WANT_WEIGHTS : 0;
	c->built = b;
	c->trace = trace;
	return view_can_merge(j, b, err) &&
	       built_run(b, &b->model_input, &want, j->cache, j->watch, j->a, trace, err);
}

/* Makes what is shown of a run: means, and curves by distance. */
static bool reduce_one(const struct job *j, bool structural, struct trace *trace,
		       struct compared *c, struct err *err)
{
	const struct built *const b = c->built;
	const struct want want = view_want(j, b);
	const size_t head = view_chosen(j->scene->head, b->model.config.heads);
	const struct model_input *const on = structural ? &b->model_input : NULL;
	const struct trace_head *at = view_shown(j->scene, b->model.config.heads, trace, j->a);
	c->trained = expr_reach(&b->expr, &b->model.config, head, j->a);
	if (!(want.kinds & WANT_BIAS))
		return true;
	if (!trace->bias_absent)
		c->by_distance = bias_by_distance(on, trace, head, j->a);
	else if (view_without_bias(b))
		c->by_distance = reduce(on, trace, at->weights, at->mask, j->a);
	return j->scene->reach == 0 || trace->bias_absent || far_curve(j, c, err);
}

static bool run_other(const struct job *j, size_t before, struct trace *trace, struct compared *c,
		      struct err *err)
{
	struct built *b = arena_calloc(j->a, 1, sizeof *b);
	if (!setup_build(c->setup, j->a, b, err))
		return false;
	view_leave_memory(b, j, before);
	return run_one(j, b, trace, c, err);
}

/* Makes the setup of the second expression for a scene that names none. */
static void setup_partner(const struct job *j, const char *expression, struct setup *out)
{
	*out = j->scene->setup;
	out->compare = out->scheme;
	out->scheme = expression;
	out->map = ""; /* the map names leaves of the scheme itself */
}

/* Makes the setup of number i, from 0; *text is its name in messages. */
static bool open_compared(const struct job *j, const struct beside *all, size_t i,
			  struct compared *c, const char **text, struct err *err)
{
	struct setup *const setup = arena_calloc(j->a, 1, sizeof *setup);
	c->setup = setup;
	c->expression = all[i].expression ? all[i].expression : j->scene->setup.scheme;
	*text = beside_print(&all[i], j->a);
	if (i > 0 && strcmp(j->scene->setup.compare, "none") == 0) {
		setup_partner(j, c->expression, setup);
		return true;
	}
	return setup_of_compared(&j->scene->setup, i + 1, j->a, setup, err);
}

/* Returns whether two setups have one input, or one text that two tokenizers cut. */
static bool is_one_text(const struct setup *x, const struct setup *y)
{
	const bool cut = x->tokens == TOKENS_MODEL || y->tokens == TOKENS_MODEL;
	return setup_same_input(x, y) ||
	       (cut && strcmp(x->sentence, y->sentence) == 0 && strcmp(x->order, y->order) == 0);
}

void compared_name(const struct scene *scene, struct picture *p, struct arena *a)
{
	const char *expressions[COMPARE_MAX], *names[COMPARE_MAX];
	bool one_input = true, one_scheme = true;
	for (size_t i = 1; i < p->n_compared; i++) {
		one_input &= is_one_text(p->compared[i].setup, p->compared[0].setup);
		one_scheme &= strcmp(p->compared[i].expression, p->compared[0].expression) == 0;
	}
	for (size_t i = 0; i < p->n_compared; i++) {
		const struct compared *const c = &p->compared[i];
		expressions[i] = setup_with_batch(c->setup, c->expression, a);
		names[i] = expr_brief(expressions[i], a);
	}
	if (!p->earlier)
		view_tell(expressions, p->n_compared, names, a);
	for (size_t i = 0; i < p->n_compared; i++) {
		const char *const model = setup_model_name(p->compared[i].setup, a);
		names[i] = model ? model : names[i];
	}
	for (size_t i = 0; i < p->n_compared; i++) {
		struct compared *const c = &p->compared[i];
		const char *const own = scene_name_of(scene, NAMED_EXPRESSION, i + 1, a);
		const char *const expression = own ? own : names[i];
		c->expression_name = expression;
		c->name = one_input ? expression : view_words(c->trace, a);
		if (own)
			c->name = own;
		else if (!one_input && !one_scheme)
			c->name = arena_printf(a, "%s @ %s", expression, c->name);
	}
}

static bool same_labels(const struct axis *x, const struct axis *y)
{
	bool same = x->n == y->n;
	for (size_t i = 0; same && i < x->n; i++)
		same = strcmp(x->labels[i], y->labels[i]) == 0;
	return same;
}

/* Finds the words that all texts of which `same` is true have in common with the first: the first turn
 * ends with them, the second gives them to each. */
static void align_words(const struct job *j, struct picture *p, bool *same, struct words *words)
{
	for (size_t turn = 0; turn < 2; turn++)
		for (size_t i = 1; i < p->n_compared; i++)
			if (same[i] && !words_common(&words[0], &words[i], j->a)) {
				same[i] = false;
				p->compared[i].no_words =
					"no difference is drawn: the pieces of the two tokenizers do "
					"not spell the same text";
			}
}

/* Merges pieces into words: where the scene asks for it, and where several tokenizers cut one text, whose
 * words are then those that all of them have. */
static void merge_words(const struct job *j, struct picture *p, struct trace *const *traces)
{
	struct words words[COMPARE_MAX];
	bool same[COMPARE_MAX] = {true}, cut = false;
	for (size_t i = 0; i < p->n_compared; i++) {
		const struct compared *const c = &p->compared[i];
		words_of(traces[i], &c->built->input, j->a, &words[i]);
		same[i] = is_one_text(c->setup, p->compared[0].setup);
		cut |= same[i] && !same_labels(&traces[i]->query, &traces[0]->query);
	}
	if (cut)
		align_words(j, p, same, words);
	for (size_t i = 0; i < p->n_compared; i++)
		if ((cut && same[i]) || (view_merges(j) && words[i].merged > 0))
			words_trace(&words[i], p->compared[i].built->model.config.heads, traces[i],
				    j->a);
}

static bool named_error(const struct job *j, const char *text, struct err *err)
{
	if (!cancelled(j) && err && strncmp(err->text, text, strlen(text)) != 0)
		err_prefix(err, "%s: ", text);
	return false;
}

bool compared_run(const struct job *j, struct picture *p, struct err *err)
{
	const size_t before = j->a->used;
	const bool structural = view_is_structural(&p->built);
	struct beside all[COMPARE_MAX];
	struct trace *traces[COMPARE_MAX] = {&p->trace};
	const char *texts[COMPARE_MAX];
	p->n_compared = scene_beside(&j->scene->setup, j->a, all);
	if (p->n_compared == 1)
		all[p->n_compared++] = (struct beside){.expression = partner_of(&p->built, j->a)};
	view_expect(j, &p->built, j->scene->reach > 0 ? 2 * p->n_compared : p->n_compared);
	for (size_t i = 0; i < p->n_compared; i++) {
		struct compared *c = &p->compared[i];
		traces[i] = i == 0 ? &p->trace : arena_calloc(j->a, 1, sizeof *traces[i]);
		if (!open_compared(j, all, i, c, &texts[i], err) ||
		    !(i == 0 ? run_one(j, &p->built, traces[i], c, err)
			     : run_other(j, before, traces[i], c, err)))
			return named_error(j, texts[i], err);
	}
	merge_words(j, p, traces);
	for (size_t i = 0; i < p->n_compared; i++)
		if (!reduce_one(j, structural, traces[i], &p->compared[i], err))
			return named_error(j, texts[i], err);
	compared_name(j->scene, p, j->a);
	return true;
}

/* ---- expressions that use a file of parameters ----------------------------------------------- */

static bool takes_params(const struct built *b)
{
	for (size_t i = 0; i < b->model.n_leaves; i++)
		if (b->model.leaves[i].given)
			return true;
	return false;
}

/* Returns whether a compared setup is of other files, as those of another model. */
static bool opens_another(const struct setup *first, const struct setup *other)
{
	return other && strcmp(other->params, first->params) != 0;
}

/* Returns whether the second expression is the first one without positions, which takes no parameters. */
static bool is_partner(const struct setup *setup, const struct built *b)
{
	return strcmp(setup->compare, "none") == 0 &&
	       strcmp(expr_main(&b->expr)->scheme->id, "none") == 0;
}

const char *view_unused_params(const struct setup *setup, const struct built *built,
			       const struct compared *compared, size_t n_compared, struct arena *a)
{
	const char *out = NULL;
	if (!*setup->params)
		return NULL;
	if (n_compared < 2)
		return takes_params(built) ? NULL : "this scheme";
	for (size_t i = 0; i < n_compared; i++)
		if (!takes_params(compared[i].built) && !opens_another(setup, compared[i].setup) &&
		    !(i == 1 && is_partner(setup, compared[i].built)))
			out = out ? arena_printf(a, "%s, %zu", out, i + 1)
				  : arena_printf(a, "%zu", i + 1);
	return out;
}
