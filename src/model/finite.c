/* finite.c: the numbers of an evaluation are finite, or it is refused with the place where one is not.
 *
 * Matrices are looked at where they are made whole: rows of units, logits after their sum, weights that
 * are no softmax, contexts, the bias. One pass over what was just written costs little beside making
 * it. -inf is no logit here: masks stand apart. */
#include <math.h>
#include <string.h>

#include "model_in.h"
#include "posviz/text.h"

/* ---- saying where ---------------------------------------------------------------------------- */

static void find(struct mat m, size_t *row, size_t *col)
{
	for (*row = 0; *row < m.rows; ++*row)
		for (*col = 0; *col < m.cols; ++*col)
			if (!isfinite(mat_row(m, *row)[*col]))
				return;
	BUG("all numbers are finite");
}

static const char *kind_of(double x)
{
	return isnan(x) ? "not a number" : x > 0 ? "infinite" : "negative infinite";
}

enum { LABEL_BYTES = 48 };

static const char *quoted(char buf[LABEL_BYTES], const struct axis *axis, size_t i)
{
	return text_quote_buf(buf, LABEL_BYTES, axis->labels[i], strlen(axis->labels[i]));
}

static const char *probe(const struct run *run)
{
	return run->private->bias_pass ? " with the probe in every place" : "";
}

#define REMEDY "smaller units, weights or parameters would be right"

/* The first cell of `what` [n_q,n_k]; after whom, where that is known. */
static bool refuse_pair(const struct head *head, struct mat m, const char *what,
			const struct member *after, struct err *err)
{
	const struct run *run = head->run;
	char query[LABEL_BYTES], key[LABEL_BYTES];
	size_t t, s;
	find(m, &t, &s);
	return err_set(
		err, "layer %zu, head %zu: %s of query %zu %s and key %zu %s is %s%s%s%s; " REMEDY,
		run->layer + 1, head->index + 1, what, t + 1, quoted(query, run->queries, t), s + 1,
		quoted(key, run->keys, s), kind_of(mat_row(m, t)[s]), after ? " after " : "",
		after ? after->name : "", probe(run));
}

/* ---- logits ------------------------------------------------------------------------------------ */

void finite_look(struct head *head, const struct member *m)
{
	if (!head->careful || head->spoiled)
		return;
	head->spoiled = !mat_is_finite(head->q->v) || !mat_is_finite(head->k->v) ||
			(head->logits && !mat_is_finite(head->logits->v));
	if (head->spoiled)
		head->spoiled_by = m;
}

/* The logits once more, looking after every member: a pass after each would cost too much. */
static const struct member *find_spoiler(struct head *head)
{
	head->careful = true;
	head->without_dot = false;
	head->n_terms = 0;
	head->logits = NULL;
	return head_to_logits(head, NULL) ? head->spoiled_by : NULL;
}

bool finite_logits(struct head *head, const struct member *by, struct err *err)
{
	if (head->careful)
		return true;
	struct mat m = head->logits->v;
	const char *what = "the logit";
	bool finite = mat_is_finite(m);
	for (size_t i = 0; finite && i < head->n_terms; i++) {
		what = arena_printf(head->tape->arena, "the term %s", head->terms[i].label);
		m = head->terms[i].at->v;
		finite = mat_is_finite(m);
	}
	return finite || refuse_pair(head, m, what, by ? by : find_spoiler(head), err);
}

/* ---- the others -------------------------------------------------------------------------------- */

bool finite_weights(const struct head *head, struct err *err)
{
	const struct mat m = head->weights->v;
	return mat_is_finite(m) || refuse_pair(head, m, "the weight", NULL, err);
}

bool finite_bias(const struct head *head, struct mat bias, struct err *err)
{
	return mat_is_finite(bias) || refuse_pair(head, bias, "the bias", NULL, err);
}

bool finite_context(const struct head *head, struct err *err)
{
	const struct run *run = head->run;
	const struct mat m = head->context->v;
	char label[LABEL_BYTES];
	size_t row, col;
	if (mat_is_finite(m))
		return true;
	find(m, &row, &col);
	return err_set(err, "layer %zu, head %zu: the context of query %zu %s is %s%s; " REMEDY,
		       run->layer + 1, head->index + 1, row + 1, quoted(label, run->queries, row),
		       kind_of(mat_row(m, row)[col]), probe(run));
}

bool finite_rows(const struct run *run, const struct axis *axis, const struct node *x,
		 const char *what, struct err *err)
{
	char label[LABEL_BYTES];
	size_t row, col;
	if (mat_is_finite(x->v))
		return true;
	find(x->v, &row, &col);
	return err_set(err, "layer %zu: %s of unit %zu %s is %s%s; " REMEDY, run->layer + 1, what,
		       row + 1, quoted(label, axis, row), kind_of(mat_row(x->v, row)[col]),
		       probe(run));
}
