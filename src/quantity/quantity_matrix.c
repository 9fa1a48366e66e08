/* quantity_matrix.c: quantities of a matrix: a cell, the extremes, the strongest key of a row,
 * the rank. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/rank.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "quantity_in.h"

static const char no_logits[] = "there are no logits: the weights are given directly";
static const char hidden[] = "the mask hides that key from that query";
/* Values within this of the largest count as equally large. */
static const double rounding = 1e-9;

/* ---- the matrices ---------------------------------------------------------------------------- */

static void of_head(const struct quantity_run *run, struct mat at, struct matrix_found *out)
{
	*out = (struct matrix_found){.at = at,
				     .allowed = run->head->mask,
				     .rows = &run->trace->query,
				     .cols = &run->trace->key,
				     .masked = hidden};
}

bool matrix_weight(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	of_head(&run, run.head->weights, out);
	out->masked = NULL; /* it is 0 */
	return true;
}

bool matrix_logit(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	of_head(&run, run.head->logits, out);
	out->absent = no_logits;
	return true;
}

bool matrix_bias(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	of_head(&run, run.first->bias, out);
	out->allowed = run.first->mask;
	out->absent = run.trace->bias_absent ? run.trace->bias_absent : "there is no bias";
	return true;
}

bool matrix_mask(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	const struct mat m = mat_new(ask->a, run.trace->query.n, run.trace->key.n);
	for (size_t i = 0; i < m.rows * m.cols; i++)
		m.at[i] = !run.head->mask || run.head->mask[i];
	of_head(&run, m, out);
	out->allowed = NULL;
	return true;
}

/* Rows are queries; a memory has none. */
bool matrix_relation(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	const struct relation *const r = &run.trace->relation;
	*out = (struct matrix_found){.rows = &run.trace->query,
				     .cols = trace_units(run.trace),
				     .absent = "the scheme makes no number of two tokens",
				     .none = "none"};
	if (r->n == 0)
		return true;
	const size_t first = run.trace->memory * r->n;
	out->at = mat_new(ask->a, r->n - run.trace->memory, r->n);
	uint8_t *const there = arena_alloc(ask->a, r->n * r->n + 1);
	for (size_t i = 0; i < out->at.rows * r->n; i++) {
		there[i] = !relation_is_none(r, first + i);
		out->at.at[i] = there[i] ? relation_number(r, first + i) : NAN;
	}
	out->allowed = there;
	return true;
}

static bool has_label(const char *is, const char *written, struct arena *a)
{
	return strcmp(is, written) == 0 || strcmp(text_typed(a, is), text_typed(a, written)) == 0;
}

static bool no_term(const struct trace_head *head, const char *label, struct arena *a,
		    struct err *err)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < head->n_terms; i++)
		strbuf_printf(&b, "%s'%s'", i ? ", " : "", head->terms[i].label);
	return err_set(err, "no term '%s' here; there are %s", label, b.at);
}

/* Finds the index of the term with this label; n_terms 0: there are no terms at all. */
static bool term_find(const struct asking *ask, const struct trace_head *head, size_t *out,
		      struct err *err)
{
	for (*out = 0; *out < head->n_terms; ++*out)
		if (has_label(head->terms[*out].label, ask->of->label, ask->a))
			return true;
	return head->n_terms == 0 || no_term(head, ask->of->label, ask->a, err);
}

bool matrix_term(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	size_t i;
	if (!runs_head(ask, &run, err) || !term_find(ask, run.head, &i, err))
		return false;
	of_head(&run, run.head->n_terms > 0 ? run.head->terms[i].at : (struct mat){0}, out);
	out->absent = no_logits;
	return true;
}

bool matrix_position(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	of_head(&run, rank_position_part(run.head, run.first->bias, ask->a), out);
	out->absent = "the logits have nothing but unit–unit";
	return true;
}

bool matrix_vectors(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	*out = (struct matrix_found){.at = run.trace->position_vectors,
				     .rows = trace_units(run.trace),
				     .absent = "nothing is added to the token vectors"};
	return true;
}

/* Sums the terms of the head that the scene includes; n 0: there are none. */
static void sum_terms(const struct asking *ask, const struct trace_head *head, struct term_sum *out)
{
	bool on[MODEL_MAX_TERMS];
	*out = (struct term_sum){0};
	for (size_t i = 0; i < head->n_terms; i++)
		on[i] = !scene_term_is_off(runs_scene(ask->q), head->terms[i].label);
	if (head->n_terms > 0)
		terms_sum(head, on, ask->a, out);
}

bool matrix_sum(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	struct term_sum sum;
	if (!runs_head(ask, &run, err))
		return false;
	sum_terms(ask, run.head, &sum);
	of_head(&run, sum.sum, out);
	out->absent = no_logits;
	return true;
}

bool matrix_sum_weight(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	struct term_sum sum;
	if (!runs_head(ask, &run, err))
		return false;
	sum_terms(ask, run.head, &sum);
	of_head(&run, sum.weights, out);
	out->absent = no_logits;
	out->masked = NULL;
	return true;
}

bool matrix_contribution(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	struct quantity_run run;
	struct outputs o;
	if (!runs_outputs(ask, ask->of->of ? ask->of->of : 1, &o, &run, err))
		return false;
	of_head(&run, o.norms, out);
	out->allowed = NULL; /* a masked key contributes 0 */
	out->absent = o.why;
	return true;
}

/* Returns false with the labels that there are. */
static bool no_summand(const struct outputs *o, const char *label, struct arena *a, struct err *err)
{
	const char *all = "";
	for (size_t i = 0; i < o->n_terms; i++)
		all = arena_printf(a, "%s%s'%s'", all, i ? ", " : "", o->terms[i].label);
	return err_set(err, "no term '%s' of the output here; there are %s", label, all);
}

bool find_output_share(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct quantity_run run;
	struct outputs o;
	if (!runs_outputs(ask, ask->of->of ? ask->of->of : 1, &o, &run, err))
		return false;
	if (o.n_terms == 0)
		return answer_absent(out, o.why);
	for (size_t i = 0; i < o.n_terms; i++)
		if (has_label(o.terms[i].label, ask->of->label, ask->a))
			return answer_number(out, 100 * o.terms[i].share);
	return no_summand(&o, ask->of->label, ask->a, err);
}

bool find_outputs_apart(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct quantity_run one, other;
	struct outputs x, y;
	if (!runs_outputs(ask, ask->of->first, &x, &one, err) ||
	    !runs_outputs(ask, ask->of->second, &y, &other, err))
		return false;
	if (!runs_one_input(ask->q, ask->of->first, ask->of->second))
		return answer_absent(out, "their inputs differ");
	if (!x.at.at || !y.at.at)
		return answer_absent(out, x.why);
	const double apart = outputs_apart(x.at, y.at);
	return isnan(apart) ? answer_absent(out, "they have different shapes")
			    : answer_number(out, apart);
}

bool find_share(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct quantity_run run;
	struct term_sum sum;
	size_t i;
	if (!runs_head(ask, &run, err) || !term_find(ask, run.head, &i, err))
		return false;
	sum_terms(ask, run.head, &sum);
	return sum.n == 0	    ? answer_absent(out, no_logits)
	       : !sum.on[i]	    ? answer_absent(out, "that term is off")
	       : !sum.varies_within ? answer_absent(out, "in no row does the sum vary")
				    : answer_number(out, 100 * sum.within[i]);
}

/* ---- quantities of matrices
 * ----------------------------------------------------------------------- */

static bool allows(const struct matrix_found *m, size_t t, size_t s)
{
	return !m->allowed || m->allowed[t * m->at.cols + s];
}

static bool column_find(const struct asking *ask, const struct matrix_found *m, size_t *s,
			struct err *err)
{
	const struct quantity_place *const p = &ask->of->s;
	if (m->cols)
		return quantity_place_find(p, m->cols, "key", s, ask->a, err);
	if (p->word)
		return err_set(err, "'%s' is no dimension: give its number", p->word);
	*s = (size_t)p->number - 1;
	return number_within(p->number, m->at.cols, "dimension", err);
}

bool find_cell(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct quantity_kind *const kind = ask->of->kind;
	struct matrix_found m = {0};
	size_t t, s = 0;
	if (!(kind->matrix ? kind->matrix : kind->cells)(ask, &m, err))
		return false;
	/* A token that does not exist is an error even if there is no matrix. */
	if (!quantity_place_find(&ask->of->t, m.rows, "query", &t, ask->a, err) ||
	    ((m.at.at || m.cols) && !column_find(ask, &m, &s, err)))
		return false;
	if (!m.at.at)
		return answer_absent(out, m.absent);
	if (!allows(&m, t, s) && m.none)
		return answer_word(out, m.none);
	if (!allows(&m, t, s) && m.masked)
		return answer_absent(out, m.masked);
	return answer_number(out, mat_row(m.at, t)[s]);
}

/* Returns the matrix of "rank M" and the like. */
static bool matrix_of(const struct asking *ask, struct matrix_found *out, struct err *err)
{
	return ask->of->matrix->matrix(ask, out, err);
}

static bool find_end(const struct asking *ask, double sign, struct quantity_value *out,
		     struct err *err)
{
	struct matrix_found m;
	double most = -INFINITY;
	if (!matrix_of(ask, &m, err))
		return false;
	if (!m.at.at)
		return answer_absent(out, m.absent);
	for (size_t t = 0; t < m.at.rows; t++)
		for (size_t s = 0; s < m.at.cols; s++)
			if (allows(&m, t, s) && sign * mat_row(m.at, t)[s] > most)
				most = sign * mat_row(m.at, t)[s];
	return most > -INFINITY ? answer_number(out, sign * most)
				: answer_absent(out, "no cell has a value");
}

bool find_max(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	return find_end(ask, 1, out, err);
}

bool find_min(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	return find_end(ask, -1, out, err);
}

/* Returns "'the'#1, 'cat'": the keys of a row whose value equals the largest. */
static const char *name_largest(const struct matrix_found *m, size_t t, double most,
				struct arena *a)
{
	enum { NAMED = 4 };
	struct strbuf b;
	size_t n = 0;
	strbuf_init(&b, a);
	for (size_t s = 0; s < m->at.cols; s++) {
		if (!allows(m, t, s) ||
		    mat_row(m->at, t)[s] < most - rounding * fmax(1, fabs(most)))
			continue;
		if (n++ < NAMED)
			strbuf_printf(&b, "%s%s", n > 1 ? ", " : "", axis_say(m->cols, s, a));
	}
	if (n > NAMED)
		strbuf_printf(&b, " and %zu more", n - NAMED);
	return n > 1 ? arena_printf(a, "%zu keys share the largest value: %s", n, b.at) : NULL;
}

bool find_strongest(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct matrix_found m;
	size_t t, best = 0;
	double most = -INFINITY;
	if (!matrix_of(ask, &m, err) ||
	    !quantity_place_find(&ask->of->t, m.rows, "query", &t, ask->a, err))
		return false;
	if (!m.at.at || !m.cols)
		return answer_absent(out, m.at.at ? "its columns are no keys" : m.absent);
	for (size_t s = 0; s < m.at.cols; s++)
		if (allows(&m, t, s) && mat_row(m.at, t)[s] > most) {
			most = mat_row(m.at, t)[s];
			best = s;
		}
	if (!(most > -INFINITY))
		return answer_absent(out, "no key of that row has a value");
	const char *const several = name_largest(&m, t, most, ask->a);
	if (several)
		return answer_absent(out, several);
	*out = (struct quantity_value){
		.is = QUANTITY_PLACE, .place = best, .text = axis_say(m.cols, best, ask->a)};
	return true;
}

static bool decompose(const struct asking *ask, struct rank *out, const char **absent,
		      struct err *err)
{
	const struct setup *const setup = &runs_scene(ask->q)->setup;
	struct matrix_found m;
	*absent = NULL;
	if (!matrix_of(ask, &m, err))
		return false;
	*absent = m.absent;
	if (!m.at.at)
		return true;
	rank_of(m.at, setup->seed, (size_t)setup->memory, ask->a, out);
	*absent = out->why;
	return true;
}

bool find_rank(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct rank rank;
	const char *absent;
	if (!decompose(ask, &rank, &absent, err))
		return false;
	return absent ? answer_absent(out, absent) : answer_number(out, (double)rank.numerical);
}

bool find_stable_rank(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct rank rank;
	const char *absent;
	if (!decompose(ask, &rank, &absent, err))
		return false;
	return absent ? answer_absent(out, absent) : answer_number(out, rank.stable);
}
