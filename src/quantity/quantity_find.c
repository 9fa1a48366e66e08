/* quantity_find.c: quantities that are not of a matrix: curves, vectors, measures, results,
 * counts; and the evaluation of any quantity. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/vectors.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/scheme/results.h"
#include "quantity_in.h"

/* ---- answers --------------------------------------------------------------------------------- */

bool answer_number(struct quantity_value *out, double number)
{
	*out = (struct quantity_value){.number = number};
	return !isnan(number) || answer_absent(out, "it is not defined here");
}

bool answer_word(struct quantity_value *out, const char *word)
{
	*out = (struct quantity_value){.is = QUANTITY_WORD, .text = word};
	return true;
}

bool answer_absent(struct quantity_value *out, const char *why)
{
	*out = (struct quantity_value){.is = QUANTITY_ABSENT, .text = why};
	return true;
}

bool number_within(long number, size_t n, const char *what, struct err *err)
{
	return (number >= 1 && (size_t)number <= n) ||
	       err_set(err, "there is no %s %ld: there %s %zu", what, number, n == 1 ? "is" : "are",
		       n);
}

bool quantity_place_find(const struct quantity_place *p, const struct axis *axis, const char *what,
			 size_t *unit, struct arena *a, struct err *err)
{
	if (p->word)
		return axis_find(axis, p->word, p->number, unit, a, err);
	*unit = (size_t)p->number - 1;
	return number_within(p->number, axis->n, what, err);
}

static long expression_of(const struct asking *ask)
{
	return ask->of->of ? ask->of->of : 1;
}

/* ---- by distance, and what is added ---------------------------------------------------------- */

bool find_curve(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct quantity_run run;
	struct distances by;
	if (!runs_head(ask, &run, err))
		return false;
	const struct trace *const trace = run.trace;
	if (!run.first->bias.at)
		return answer_absent(out,
				     trace->bias_absent ? trace->bias_absent : "there is no bias");
	distances_init(&by, trace, 1, ask->a);
	distances_add(&by, &trace->query, &trace->key, 0, run.first->bias, run.first->mask);
	const long at = ask->of->number - by.lo;
	if (at < 0 || at >= (long)by.n || isnan(by.mean[at]))
		return answer_absent(out, "no query sees a key at that distance");
	return answer_number(out, by.mean[at]);
}

/* Finds the rows of the vectors that are added; at NULL: `absent`. */
static bool vectors_of(const struct asking *ask, struct matrix_found *out, size_t *t,
		       struct err *err)
{
	return matrix_vectors(ask, out, err) &&
	       quantity_place_find(&ask->of->t, out->rows, "position", t, ask->a, err);
}

bool find_vector(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct matrix_found m;
	size_t t;
	if (!vectors_of(ask, &m, &t, err))
		return false;
	if (!m.at.at)
		return answer_absent(out, m.absent);
	return number_within(ask->of->number, m.at.cols, "dimension", err) &&
	       answer_number(out, mat_row(m.at, t)[ask->of->number - 1]);
}

/* Returns the two rows as a matrix. */
static bool two_vectors(const struct asking *ask, struct mat *rows, const char **absent,
			struct err *err)
{
	struct matrix_found m;
	size_t t, s;
	if (!vectors_of(ask, &m, &t, err) ||
	    !quantity_place_find(&ask->of->s, m.rows, "position", &s, ask->a, err))
		return false;
	*absent = m.at.at ? NULL : m.absent;
	if (*absent)
		return true;
	*rows = mat_new(ask->a, 2, m.at.cols);
	mat_set(mat_rows(*rows, 0, 1), mat_rows(m.at, t, 1));
	mat_set(mat_rows(*rows, 1, 1), mat_rows(m.at, s, 1));
	return true;
}

bool find_dot(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct mat rows;
	const char *absent;
	if (!two_vectors(ask, &rows, &absent, err))
		return false;
	if (absent)
		return answer_absent(out, absent);
	const struct mat product = mat_new(ask->a, 1, 1);
	mat_mul(product, 1, mat_rows(rows, 0, 1), false, mat_rows(rows, 1, 1), true, 0);
	return answer_number(out, product.at[0]);
}

bool find_cosine(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct mat rows;
	const char *absent;
	if (!two_vectors(ask, &rows, &absent, err))
		return false;
	if (absent)
		return answer_absent(out, absent);
	const double cosine = mat_row(vectors_cosine(rows, ask->a), 0)[1];
	return isnan(cosine) ? answer_absent(out, "one of the vectors is zero")
			     : answer_number(out, cosine);
}

/* ---- measures -------------------------------------------------------------------------------- */

/* Answers with a measure, or its reason without the "n/a: " in front. */
static bool answer_measure(struct quantity_value *out, const struct measure *m)
{
	static const char head[] = "n/a: ";
	const char *const why = m->why ? m->why : "it was not measured";
	const size_t skip = strncmp(why, head, strlen(head)) == 0 ? strlen(head) : 0;
	return m->there ? answer_number(out, m->value) : answer_absent(out, why + skip);
}

bool find_measure(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct quantity_kind *const kind = ask->of->kind;
	const struct measures *m;
	return runs_measures(ask->q, expression_of(ask), kind->measured, &m, err) &&
	       answer_measure(out, (const struct measure *)((const char *)m + kind->offset));
}

bool find_prefix_order(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct measures *m;
	const long written = ask->of->layer, scene = runs_scene(ask->q)->layer;
	if (!runs_measures(ask->q, expression_of(ask), MEASURED_PREFIX, &m, err))
		return false;
	if (m->n_prefix == 0)
		return answer_absent(out, "the model is not causal, or there are fewer than three "
					  "tokens");
	if (!written && scene == SCENE_MEAN)
		return answer_absent(out, "it is of one layer, and the mean of all is looked at");
	if (written && !number_within(written, m->n_prefix, "layer", err))
		return false;
	return answer_measure(out,
			      &m->prefix[trace_chosen(written ? written : scene, m->n_prefix)]);
}

/* Computes A(PX) − P·A(X)·Pᵀ of the weights, relative to A(X). */
bool find_difference(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct quantity_run shown, written;
	struct order_change change;
	const long n = expression_of(ask);
	/* The first run is requested again: it may have been freed to make space for the second. */
	if (!runs_head_of(ask, n, false, &shown, err) ||
	    !runs_head_of(ask, n, true, &written, err) || !runs_head_of(ask, n, false, &shown, err))
		return false;
	const size_t *const rows = order_places(&shown.trace->query, &written.trace->query, ask->a);
	const size_t *const cols = order_places(&shown.trace->key, &written.trace->key, ask->a);
	if (!rows || !cols)
		return answer_absent(out, "the two orders do not hold the same tokens");
	order_compare(shown.head->weights, shown.head->mask, written.head->weights,
		      written.head->mask, rows, cols, ask->a, &change);
	return answer_number(out, change.relative);
}

bool find_entropy(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	const double entropy = weights_entropy(run.head->weights);
	return isnan(entropy) ? answer_absent(out, "a weight is negative, or all are 0")
			      : answer_number(out, entropy);
}

bool find_mean_distance(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	const double distance = weights_distance(run.trace, run.head->weights);
	return isnan(distance) ? answer_absent(out, "a weight is negative, or no row is a token")
			       : answer_number(out, distance);
}

/* ---- two expressions ------------------------------------------------------------------------- */

/* Compares two inputs by the shares of the common words, for queries that are common words. */
static bool compare_by_word(const struct asking *ask, const struct quantity_run *one,
			    const struct quantity_run *other, struct apart *out)
{
	struct matched m;
	struct mat x, y;
	const uint8_t *mask_x, *mask_y;
	axis_match(&one->trace->query, &other->trace->query, ask->a, &m.queries);
	axis_match(&one->trace->key, &other->trace->key, ask->a, &m.keys);
	if (m.queries.n == 0 || m.keys.n == 0)
		return false;
	matched_take(&m, false, true, one->head->weights, one->head->mask, ask->a, &x, &mask_x);
	matched_take(&m, true, true, other->head->weights, other->head->mask, ask->a, &y, &mask_y);
	apart_weights(x, mask_x, y, mask_y, out);
	return true;
}

bool find_apart(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct quantity_run one, other;
	struct apart apart;
	/* The first run is requested again, as above. */
	if (!runs_head_of(ask, ask->of->first, false, &one, err) ||
	    !runs_head_of(ask, ask->of->second, false, &other, err) ||
	    !runs_head_of(ask, ask->of->first, false, &one, err))
		return false;
	if (!runs_one_input(ask->q, ask->of->first, ask->of->second))
		return compare_by_word(ask, &one, &other, &apart)
			       ? answer_number(out, apart.distance)
			       : answer_absent(out, "no word is in both inputs");
	if (!axis_same(&one.trace->query, &other.trace->query) ||
	    !axis_same(&one.trace->key, &other.trace->key))
		return answer_absent(out, "their cells are of other pairs of tokens");
	apart_weights(one.head->weights, one.head->mask, other.head->weights, other.head->mask,
		      &apart);
	return answer_number(out, apart.distance);
}

bool find_same(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const char *word;
	return runs_same(ask->q, ask->of->first, ask->of->second, &word, err) &&
	       answer_word(out, word);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static bool spectrum_of(const struct asking *ask, const struct trace **trace, bool *there,
			struct err *err)
{
	struct quantity_run run;
	if (!runs_head(ask, &run, err))
		return false;
	*trace = run.trace;
	*there = run.trace->spectrum.n > 0;
	return !*there || number_within(ask->of->number, run.trace->spectrum.k, "eigenvector", err);
}

static const char no_spectrum[] = "the scheme reads no eigenvectors of a graph";

bool find_eigenvalue(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct trace *trace;
	bool there;
	if (!spectrum_of(ask, &trace, &there, err))
		return false;
	return there ? answer_number(out, trace->spectrum.values[ask->of->number - 1])
		     : answer_absent(out, no_spectrum);
}

bool find_eigenvector(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct trace *trace;
	bool there;
	size_t t;
	if (!spectrum_of(ask, &trace, &there, err) ||
	    !quantity_place_find(&ask->of->t, trace_units(trace), "position", &t, ask->a, err))
		return false;
	const struct spectrum *const s = &trace->spectrum;
	return there ? answer_number(out, s->vectors[t * s->k + (size_t)ask->of->number - 1])
		     : answer_absent(out, no_spectrum);
}

/* ---- counts and facts ------------------------------------------------------------------------ */

bool find_tokens(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct built *b;
	return runs_built(ask->q, expression_of(ask), &b, err) &&
	       answer_number(out, (double)b->written.moving);
}

bool find_learned(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct built *b;
	return runs_built(ask->q, expression_of(ask), &b, err) &&
	       answer_number(out, (double)model_position_parameters(&b->model));
}

/* Returns the length of its shortest member; masks have no limit. */
bool find_length(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	const struct built *b;
	if (!runs_built(ask->q, expression_of(ask), &b, err))
		return false;
	bool bounded = false, unsaid = false;
	for (size_t i = 0; i < b->expr.n; i++) {
		const struct expr_member *const m = &b->expr.members[i];
		const bool mask = m->scheme->flags & SCHEME_MASK && b->expr.n > 1;
		const enum answer holds = scheme_holds(m->scheme, m->param, CLAIM_UNBOUNDED);
		bounded |= !mask && holds == ANSWER_NO;
		unsaid |= !mask && holds == ANSWER_UNSAID;
	}
	return bounded	? answer_word(out, "bounded")
	       : unsaid ? answer_absent(out, "it depends on more than the scheme")
			: answer_word(out, "unbounded");
}

/* ---- published numbers
 * ------------------------------------------------------------------------------------- */

/* Returns the index among names of the written one: equal to it, or else equal as people type
 * it; n: none. */
static size_t index_of(const char *written, const char *const *names, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(written, names[i]) == 0)
			return i;
	for (size_t i = 0; i < n; i++)
		if (strcmp(text_typed(a, written), text_typed(a, names[i])) == 0)
			return i;
	return n;
}

static bool none_such(const char *what, const char *written, const char *const *names, size_t n,
		      struct arena *a, struct err *err)
{
	const char *const near = text_nearest(written, names, n);
	struct strbuf all;
	if (near)
		return err_set(err, "no %s '%s'; did you mean '%s'?", what, written, near);
	strbuf_init(&all, a);
	for (size_t i = 0; i < n && all.len < 200; i++)
		strbuf_printf(&all, "%s'%s'", i ? ", " : "", names[i]);
	return err_set(err, "no %s '%s'; there %s %s", what, written, n == 1 ? "is" : "are",
		       all.at);
}

static bool find_named(const char *what, const char *written, const char *const *names, size_t n,
		       size_t *out, struct arena *a, struct err *err)
{
	*out = index_of(written, names, n, a);
	return *out < n || none_such(what, written, names, n, a, err);
}

bool find_published(const struct asking *ask, struct quantity_value *out, struct err *err)
{
	struct arena *const a = ask->a;
	size_t n, table, row, col;
	const struct results *const all = results_all(a, &n);
	const char **const tables = arena_calloc(a, n + 1, sizeof *tables);
	for (size_t i = 0; i < n; i++)
		tables[i] = all[i].name;
	if (!find_named("table", ask->of->table, tables, n, &table, a, err))
		return false;
	const struct results *const r = &all[table];
	const char **const rows = arena_calloc(a, r->n + 1, sizeof *rows);
	const char **const cols = arena_calloc(a, r->cols + 1, sizeof *cols);
	for (size_t i = 0; i < r->n; i++)
		rows[i] = r->rows[i].model;
	for (size_t i = 0; i < r->cols; i++)
		cols[i] = arena_printf(a, "%s: %s", r->metrics[i], r->tasks[i]);
	if (!find_named("row", ask->of->row, rows, r->n, &row, a, err) ||
	    !find_named("column", ask->of->column, cols, r->cols, &col, a, err))
		return err_prefix(err, "%s: ", r->name);
	const double value = r->rows[row].values[col];
	return isnan(value) ? answer_absent(out, "the table has no number there")
			    : answer_number(out, value);
}

/* ---- evaluation of any quantity
 * ---------------------------------------------------------------------------- */

/* Returns why a suffix of a quantity has no meaning for it; NULL: it has. */
static const char *why_no_suffix(const struct quantity *of, struct arena *a)
{
	const unsigned on = of->matrix ? of->matrix->hangs : of->kind->hangs;
	const char *const name = of->matrix ? of->matrix->name : of->kind->name;
	if (of->head && !(on & ON_HEAD))
		return arena_printf(a, "%s does not depend on a head", name);
	if (of->layer > 1 && on & ON_LAYER_1)
		return arena_printf(a, "%s is of layer 1", name);
	if (of->layer && !(on & (ON_LAYER | ON_LAYER_1)))
		return arena_printf(a, "%s does not depend on a layer", name);
	if (of->of && !(on & ON_EXPRESSION))
		return arena_printf(a, "%s is not of one expression", name);
	return NULL;
}

bool quantity_find(struct quantities *q, const struct quantity *of, struct arena *a,
		   struct quantity_value *out, struct err *err)
{
	struct quantity asked = *of;
	const char *const why = why_no_suffix(of, a);
	if (why)
		return answer_absent(out, why);
	if ((of->matrix ? of->matrix : of->kind)->hangs & ON_LAYER_1)
		asked.layer = 1;
	const struct asking ask = {.q = q, .of = &asked, .a = a};
	if (!of->kind->find(&ask, out, err))
		return false;
	out->text = out->text ? arena_strdup(a, out->text) : NULL; /* it may belong to a run */
	return true;
}
