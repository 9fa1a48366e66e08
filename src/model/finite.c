/* finite.c: checks that the numbers of an evaluation are finite, or refuses it and names the
 * location.
 *
 * Matrices are checked when they are complete: token vectors, logits after their sum, weights
 * that come from no softmax, contexts, the bias. A pass over data just written costs little
 * beside computing it. -inf does not occur in logits: masks are separate. */
#include <math.h>
#include <string.h>

#include "model_in.h"
#include "posviz/base/text.h"

/* ---- finding the location -------------------------------------------------------------------- */

/* Finds the first entry that is not finite and, if there is a mask [rows·cols], allowed. */
static bool find_not_finite(struct mat m, const uint8_t *allowed, size_t *row, size_t *col)
{
	for (*row = 0; *row < m.rows; ++*row)
		for (*col = 0; *col < m.cols; ++*col)
			if (!isfinite(mat_row(m, *row)[*col]) &&
			    (!allowed || allowed[*row * m.cols + *col]))
				return true;
	return false;
}

static const char *kind_of(double x)
{
	return isnan(x) ? "not a number" : x > 0 ? "infinite" : "negative infinite";
}

const char *model_others(const struct model *model, const struct member *but, struct arena *a)
{
	const char *out = "";
	for (size_t i = 0; i < model->n_members; i++) {
		const struct member *const m = &model->members[i];
		if (m != but)
			out = arena_printf(a, "%s%s%s", out, *out ? "+" : "",
					   m->text ? m->text : m->name);
	}
	return out;
}

enum { LABEL_BYTES = 48 };

static const char *quoted(char buf[LABEL_BYTES], const struct axis *axis, size_t i)
{
	return text_quote_buf(buf, LABEL_BYTES, axis->labels[i], strlen(axis->labels[i]));
}

static const char *probe(const struct run *run)
{
	return run->private->probe_pass ? " with the probe at every position" : "";
}

#define REMEDY "smaller token vectors, weights or parameters would be right"

/* Names the first such cell of `what` [n_q,n_k], and the member that caused it if known. Returns
 * true if every such cell is forbidden: its logit does not matter. */
static bool check_pairs(struct head *head, struct mat m, const char *what,
			const struct member *(*find_after)(struct head *head), struct err *err)
{
	const struct run *run = head->run;
	char query[LABEL_BYTES], key[LABEL_BYTES];
	size_t t, s;
	if (mat_is_finite(m) || !find_not_finite(m, head->allowed, &t, &s))
		return true;
	const double found = mat_row(m, t)[s];
	const size_t at = head->first + t;
	const struct member *after = find_after ? find_after(head) : NULL;
	/* Members may cause together what none of them does alone. */
	const bool several = !after && run->model->n_members > 1;
	return err_set(
		err,
		"layer %zu, head %zu: %s of query %zu %s and key %zu %s is %s%s%s%s%s%s; " REMEDY,
		run->layer + 1, head->index + 1, what, at + 1, quoted(query, run->queries, at),
		s + 1, quoted(key, run->keys, s), kind_of(found), after ? " after " : "",
		after ? after->name : "", several ? " in " : "",
		several ? model_others(run->model, NULL, head->tape->arena) : "", probe(run));
}

/* ---- logits ---------------------------------------------------------------------------------- */

void finite_record(struct head *head, const struct member *m)
{
	if (!head->careful || head->spoiled)
		return;
	head->spoiled = !mat_is_finite(head->q->v) || !mat_is_finite(head->k->v) ||
			(head->logits && !mat_is_finite(head->logits->v));
	if (head->spoiled)
		head->spoiled_by = m;
}

static void forget_logits(struct head *head)
{
	head->without_dot = false;
	head->n_terms = 0;
	head->logits = NULL;
}

/* Computes the logits again with a check after every member; always doing so would cost too
 * much. */
static const struct member *find_spoiler(struct head *head)
{
	head->careful = true;
	forget_logits(head);
	const bool made = head->blocks ? rows_search_again(head) : head_to_logits(head, NULL);
	return made ? head->spoiled_by : NULL;
}

bool finite_logits(struct head *head, struct err *err)
{
	if (head->careful || head->unlooked)
		return true;
	for (size_t i = 0; i < head->n_terms; i++) {
		const char *label =
			arena_printf(head->tape->arena, "the term %s", head->terms[i].label);
		if (!check_pairs(head, head->terms[i].at->v, label, NULL, err))
			return false;
	}
	return check_pairs(head, head->logits->v, "the logit", find_spoiler, err);
}

static const struct member *spoiler(struct head *head)
{
	return head->spoiled_by;
}

bool finite_mixed(struct head *head, const struct member *m, struct err *err)
{
	head->spoiled_by = m;
	return check_pairs(head, head->logits->v, "the logit", spoiler, err);
}

bool finite_again(struct head *head, struct err *err)
{
	head->unlooked = false;
	forget_logits(head);
	return head_to_logits(head, err);
}

/* ---- other matrices -------------------------------------------------------------------------- */

bool finite_weights(struct head *head, struct err *err)
{
	return check_pairs(head, head->weights->v, "the weight", NULL, err);
}

bool finite_bias(struct head *head, struct mat bias, struct err *err)
{
	return check_pairs(head, bias, "the bias", NULL, err);
}

bool finite_context(const struct head *head, struct err *err)
{
	const struct run *run = head->run;
	const struct mat m = head->context->v;
	char label[LABEL_BYTES];
	size_t row, col;
	if (mat_is_finite(m) || !find_not_finite(m, NULL, &row, &col))
		return true;
	return err_set(err, "layer %zu, head %zu: the context of query %zu %s is %s%s; " REMEDY,
		       run->layer + 1, head->index + 1, row + 1, quoted(label, run->queries, row),
		       kind_of(mat_row(m, row)[col]), probe(run));
}

bool finite_rows(const struct run *run, const struct axis *axis, const struct node *x,
		 const char *what, struct err *err)
{
	char label[LABEL_BYTES];
	size_t row, col;
	if (mat_is_finite(x->v) || !find_not_finite(x->v, NULL, &row, &col))
		return true;
	return err_set(err, "layer %zu: %s of token %zu %s is %s%s; " REMEDY, run->layer + 1, what,
		       row + 1, quoted(label, axis, row), kind_of(mat_row(x->v, row)[col]),
		       probe(run));
}
