/* values_finding.c: the sentence of the view Values: the key that gives the chosen query most. */
#include <math.h>

#include "values_in.h"

/* Returns "Key cat also has the query's largest weight, 90 %.", or which key has it. */
static const char *weight_words(const struct values_page *p, const double *weight, size_t most)
{
	const size_t heaviest = values_largest(weight, p->d->trace->key.n);
	const char *const own = values_percent(weight[most], p->a);
	const char *const key = view_unit_name(&p->d->trace->key, most, p->a);
	return weight[most] >= weight[heaviest] - 1e-9 * (1 + fabs(weight[heaviest]))
		       ? arena_printf(p->a, "Key %s also has the query's largest weight, %s.", key,
				      own)
		       : arena_printf(p->a, "Key %s has a weight of %s; the largest, %s, is on %s.",
				      key, own, values_percent(weight[heaviest], p->a),
				      view_unit_name(&p->d->trace->key, heaviest, p->a));
}

/* Returns "cat", of keys that give as much "cat (and 1 more alike)". */
static const char *key_words(const struct values_page *p, const double *norms, size_t most)
{
	const struct axis *const key = &p->d->trace->key;
	size_t more = 0;
	for (size_t s = 0; s < key->n; s++)
		more += s != most && norms[s] >= norms[most] * (1 - 1e-9);
	const char *const name = view_unit_name(key, most, p->a);
	return more == 0 ? name : arena_printf(p->a, "%s (and %zu more alike)", name, more);
}

const char *values_finding(const struct values_page *p, enum finding_form form)
{
	const struct outputs *const o = &p->k->o;
	if (p->k->absent || o->why)
		return NULL;
	const struct trace *const trace = p->d->trace;
	const double *const norms = mat_row(o->norms, p->t);
	const double *const weight = mat_row(p->head->weights, p->t);
	const size_t n = trace->key.n, most = values_largest(norms, n);
	const double all = values_sum(norms, n);
	const bool alike = norms[p->s] >= norms[most] * (1 - 1e-9);
	const bool marked = alike && p->d->scene->col > 0;
	const size_t named = alike ? p->s : most;
	const char *const query = view_unit_name(&trace->query, p->t, p->a);
	if (!(all > 0))
		return arena_printf(p->a,
				    "No key gives the query %s anything: every weight or "
				    "every value is 0.",
				    query);
	const char *const which = marked ? "the marked key" : "key";
	const char *const key = key_words(p, norms, named);
	const char *const share = values_percent(norms[named] / all, p->a);
	const char *const own = alike || form == FINDING_LEAST
					? ""
					: arena_printf(p->a, ", from the marked %s %s",
						       view_unit_name(&trace->key, p->s, p->a),
						       values_percent(norms[p->s] / all, p->a));
	if (form != FINDING_WHOLE)
		return arena_printf(p->a, "Query %s gets most from %s %s, %s%s.", query, which, key,
				    share, own);
	return arena_printf(p->a,
			    "Query %s gets most from %s %s, %s of all that keys give it%s. "
			    "%s A key gives its weight α times the length of its value v.",
			    query, which, key, share, own, weight_words(p, weight, named));
}
