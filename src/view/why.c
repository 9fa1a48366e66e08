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

static bool column_used(const struct expr *e, const char *name)
{
	for (size_t i = 0; i < e->n; i++)
		if (strcmp(e->members[i].pos, name) == 0)
			return true;
	return false;
}

/* Tokens count from 1, the sequence's positions from 0 as in the papers; so it is said. */
static void say_place(struct why *w, const struct expr *e, const struct trace *trace, size_t t,
		      size_t s)
{
	say(w, "query %zu “%s”, key %zu “%s”, distance s − t = %s", t + 1, trace->query.labels[t],
	    s + 1, trace->key.labels[s], show(w, (double)s - (double)t));
	for (size_t i = 0; i < trace->n_columns; i++) {
		const double *at = trace->columns[i].at;
		if (t < trace->query.n && s < trace->query.n && i > 1 &&
		    column_used(e, trace->columns[i].name))
			say(w, "position column %s%s: t is at %s, s at %s", trace->columns[i].name,
			    strcmp(trace->columns[i].name, "seq") == 0 ? ", from 0" : "",
			    show(w, at[t]), show(w, at[s]));
	}
}

static void say_logits(struct why *w, const struct trace *trace, const struct trace_head *head,
		       size_t t, size_t s)
{
	if (head->q.at && head->k.at)
		say(w, "q·k = %s; times c = %s: %s", show(w, dot(head->q, t, head->k, s)),
		    show(w, trace->c), show(w, trace->c * dot(head->q, t, head->k, s)));
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

/* The terms are of the sentence; the bias beside them need not be. */
static void say_probe(struct why *w, const struct scene *scene, const struct trace *trace)
{
	const char *const probe = scene->setup.probe;
	if (trace->bias_is_mask || strcmp(probe, "off") == 0)
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
	say(&w, "%s, head %zu of %zu, layer %zu", scene->setup.scheme, h + 1, b->model.config.heads,
	    l + 1);
	say_place(&w, &b->expr, trace, t, s);
	const bool allowed = !head->mask || head->mask[t * trace->key.n + s];
	if (trace->bias_absent) {
		say(&w, "%s", trace->bias_absent);
	} else {
		say_logits(&w, trace, head, t, s);
		say_probe(&w, scene, trace);
	}
	if (!allowed)
		say(&w, "masked: this key is hidden from this query, so its weight is 0");
	else if (!trace->bias_absent && head->logits.at)
		say_softmax(&w, head, t, s);
	if (head->weights.at)
		say(&w, "weight: %s", show(&w, mat_row(head->weights, t)[s]));
	*n = w.n;
	return w.lines;
}
