/* why.c: "why this cell?": the arithmetic of one cell, line by line, as a lecturer would write it.
 *
 * Also what a screen reader is given: every line says what its number is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/num.h"
#include "posviz/text.h"
#include "view_in.h"

enum { WHY_LINES = 32 };

struct why {
	struct arena *a;
	const char **lines;
	size_t n;
};

static void say(struct why *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct why *w, const char *fmt, ...)
{
	if (w->n == WHY_LINES)
		return;
	va_list args;
	va_start(args, fmt);
	w->lines[w->n++] = arena_vprintf(w->a, fmt, args);
	va_end(args);
}

static const char *show(struct why *w, double value)
{
	char text[32];
	return arena_strdup(w->a, num_show(text, sizeof text, value, 4));
}

static double dot(struct mat q, size_t t, struct mat k, size_t s)
{
	double sum = 0;
	for (size_t i = 0; i < q.cols && i < k.cols; i++)
		sum += mat_row(q, t)[i] * mat_row(k, s)[i];
	return sum;
}

/* What reads a tree or a graph has no use for places in the sequence. */
static bool column_used(const struct expr *e, const char *name)
{
	const unsigned structural = SCHEME_NEEDS_TREE | SCHEME_NEEDS_GRAPH;
	for (size_t i = 0; i < e->n; i++)
		if (strcmp(e->members[i].pos, name) == 0 &&
		    !(e->members[i].scheme->flags & structural))
			return true;
	return false;
}

/* What the scheme knows of the two before any vector. Where keys were shortened none is a token. */
static void say_relation(struct why *w, const struct trace *trace, size_t t, size_t s)
{
	const struct relation *r = &trace->relation;
	if (t + trace->memory >= r->n || s >= r->n ||
	    trace->key.n != trace->query.n + trace->memory)
		return;
	const size_t unit = t + trace->memory, i = unit * r->n + s;
	const char *words = relation_cell_words(r, view_units(trace), unit, s, true, w->a);
	if (!r->at || r->of_tokens || relation_is_none(r, i))
		say(w, "%s: %s", r->title, words);
	else
		say(w, "%s = %s%s%s", r->title, show(w, (double)r->at[i]), words ? ": " : "",
		    words ? words : "");
}

/* Tokens count from 1, the sequence's positions from 0 as in the papers; so it is said. */
static void say_place(struct why *w, const struct expr *e, const struct trace *trace, size_t t,
		      size_t s, bool given)
{
	const size_t unit = t + trace->memory, n = trace->query.n + trace->memory;
	say(w, "query %zu “%s”, key %zu “%s”, distance s − t = %s", t + 1, trace->query.names[t],
	    s + 1, trace->key.names[s], show(w, (double)s - (double)unit));
	for (size_t i = 0; i < trace->n_columns; i++) {
		const double *at = trace->columns[i].at;
		if (unit < n && s < n && i > 1 && column_used(e, trace->columns[i].name))
			say(w, "position column %s%s: t is at %s, s at %s", trace->columns[i].name,
			    strcmp(trace->columns[i].name, "seq") != 0 ? ""
			    : given				       ? ", as given"
								       : ", from 0",
			    show(w, at[unit]), show(w, at[s]));
	}
}

/* "1/√d_h = 0.25" where c is that. */
static const char *scale_words(struct why *w, const struct trace *trace, size_t dk)
{
	const char *const c = show(w, trace->c);
	return fabs(trace->c * sqrt((double)dk) - 1) < 1e-12 ? arena_printf(w->a, "1/√d_h = %s", c)
							     : c;
}

static void say_logits(struct why *w, const struct trace *trace, const struct trace_head *head,
		       size_t t, size_t s)
{
	if (head->q.at && head->k.at)
		say(w, "q·k = %s; times c = %s: %s", show(w, dot(head->q, t, head->k, s)),
		    scale_words(w, trace, head->v.cols),
		    show(w, trace->c * dot(head->q, t, head->k, s)));
	if (head->q_raw.at || head->k_raw.at) {
		const struct mat q = head->q_raw.at ? head->q_raw : head->q;
		const struct mat k = head->k_raw.at ? head->k_raw : head->k;
		say(w, "before the scheme changed q and k: q·k = %s; times c: %s",
		    show(w, dot(q, t, k, s)), show(w, trace->c * dot(q, t, k, s)));
	}
	for (size_t i = 0; i < head->n_terms && head->n_terms > 1; i++)
		say(w, "term %s: %s", head->terms[i].label,
		    show(w, mat_row(head->terms[i].at, t)[s]));
	if (head->logits.at)
		say(w, "logit%s: %s", head->n_terms > 1 ? ", their sum" : "",
		    show(w, mat_row(head->logits, t)[s]));
}

/* The view Terms may leave some out; what the model does is of all. */
static void say_off(struct why *w, const struct scene *scene, const struct trace_head *head)
{
	const char *off = NULL;
	if (!view_of(scene)->sum)
		return;
	for (size_t i = 0; i < head->n_terms; i++)
		if (view_term_is_off(scene, head->terms[i].label))
			off = off ? arena_printf(w->a, "%s, %s", off, head->terms[i].label)
				  : head->terms[i].label;
	if (off)
		say(w, "(the panel Sum is without %s; the arithmetic here is of all terms)", off);
}

/* The view Order compares with where the two tokens were written. */
static void say_written(struct why *w, const struct scene *scene, const struct trace *trace,
			size_t t, size_t s)
{
	const long query = trace->query.token[t], key = trace->key.token[s];
	if (!view_of(scene)->twin || query < 0 || key < 0)
		return;
	say(w, "as written they are tokens %ld and %ld, distance %s", query + 1, key + 1,
	    show(w, (double)(key - query)));
}

/* The terms are of the sentence; the bias beside them need not be. */
static void say_probe(struct why *w, const struct scene *scene, const struct trace *trace)
{
	const char *const probe = scene->setup.probe;
	if (trace->bias_is_mask || strcmp(probe, "off") == 0 || !view_of(scene)->by_distance)
		return;
	const bool ones = strcmp(probe, "ones") == 0;
	say(w, "(the panel Position bias is of the probe, %s%s%s; w: of this sentence)",
	    ones ? "the same unit everywhere" : "“",
	    ones ? "" : text_escape(w->a, probe, strlen(probe)), ones ? "" : "” everywhere");
}

static void say_softmax(struct why *w, const struct trace_head *head, size_t t, size_t s)
{
	const double *row = mat_row(head->logits, t);
	double most = -INFINITY, sum = 0;
	for (size_t i = 0; i < head->logits.cols; i++)
		if (!head->mask || head->mask[t * head->logits.cols + i])
			most = fmax(most, row[i]);
	for (size_t i = 0; i < head->logits.cols; i++)
		if (!head->mask || head->mask[t * head->logits.cols + i])
			sum += exp(row[i] - most);
	say(w, "largest logit of the row: %s; sum of exp(logit − it) over allowed keys: %s",
	    show(w, most), show(w, sum));
	say(w, "softmax: exp(%s) / %s = %s", show(w, row[s] - most), show(w, sum),
	    show(w, exp(row[s] - most) / sum));
}

const char **view_why(const struct scene *scene, const struct built *b, const struct trace *trace,
		      struct arena *a, size_t *n)
{
	struct why w = {.a = a, .lines = arena_calloc(a, WHY_LINES, sizeof *w.lines)};
	const size_t h = (size_t)view_within(scene->head, b->model.config.heads) - 1;
	const size_t l = (size_t)view_within(scene->layer, trace->n_layers) - 1;
	const size_t t = (size_t)view_within(scene->row, trace->query.n) - 1;
	const size_t s = (size_t)view_within(scene->col, trace->key.n) - 1;
	const struct trace_head *head = &trace->layers[l].heads[h];
	/* The arithmetic is that of one expression, whichever panel asks. */
	const char *which = view_of(scene)->compare ? "1, the first of those compared: " : "";
	say(&w, "%s%s, head %zu of %zu, layer %zu", which, scene->setup.scheme, h + 1,
	    b->model.config.heads, l + 1);
	say_place(&w, &b->expr, trace, t, s, b->position_ids != NULL);
	say_relation(&w, trace, t, s);
	say_written(&w, scene, trace, t, s);
	const bool allowed = !head->mask || head->mask[t * trace->key.n + s];
	if (!head->logits.at) {
		say(&w, "%s", trace->bias_absent ? trace->bias_absent : view_no_logits);
	} else {
		say_logits(&w, trace, head, t, s);
		say_off(&w, scene, head);
		say_probe(&w, scene, trace);
	}
	if (!allowed)
		say(&w, "masked: this key is hidden from this query, so its weight is 0");
	else if (head->logits.at)
		say_softmax(&w, head, t, s);
	if (head->weights.at)
		say(&w, "weight: %s", show(&w, mat_row(head->weights, t)[s]));
	*n = w.n;
	return w.lines;
}
