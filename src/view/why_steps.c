/* why_steps.c: the logit of a cell step by step: the value of each term, and before these the
 * effect of rotating q and k.
 *
 * The steps add up to the logit for every scheme: the terms of a trace do, and steps that
 * replace a term add up to this term. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "why_in.h"

/* The number of steps besides terms: the sum, the mask, the mean, the distance from it; and one
 * before the terms. */
enum { AFTER = 5 };

struct steps {
	const struct why *w;
	struct sum_step *at;
	size_t n;
};

static void add(struct steps *s, struct sum_step step)
{
	s->at[s->n++] = step;
}

/* Formats with sign and three decimals, or two digits for small numbers: "+0.040". */
static const char *signed_number(const struct why *w, double v)
{
	const double size = fabs(v);
	const char *const sign = v < 0 ? "−" : "+";
	return size < 1e-12    ? "0"
	       : size < 0.0095 ? arena_printf(w->a, "%s%s", sign, why_number(w, size, 2))
			       : arena_printf(w->a, "%s%.3f", sign, size);
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* Returns the meaning of one side of a label in this cell: "query" and "unit" mean the token
 * itself. Sets *other if it is neither the token nor its position. */
static const char *side_words(const struct why *w, const char *side, const char *own,
			      const char *token, bool *other)
{
	if (strcmp(side, "unit") == 0 || strcmp(side, own) == 0)
		return token;
	if (strcmp(side, "position") == 0)
		return arena_printf(w->a, "position of %s", token);
	*other = true;
	return side;
}

/* Returns the scheme's number of the pair, " at −3", or "". */
static const char *at_relation(const struct why *w)
{
	const struct relation *const r = &w->trace->relation;
	const size_t i = w->unit * r->n + w->s;
	if (!r->at || r->of_tokens || w->unit >= r->n || w->s >= r->n || relation_is_none(r, i) ||
	    w->trace->key.n != w->trace->query.n + w->trace->memory)
		return "";
	return arena_printf(w->a, " at %s", relation_value(r, r->at[i], w->a));
}

/* Returns whether the term depends on that number: all pairs with it have the same value, and
 * some other pair has another value. */
static bool follows_relation(const struct why *w, struct mat term)
{
	const struct relation *const r = &w->trace->relation;
	const size_t memory = w->trace->memory;
	const double own = mat_row(term, w->t)[w->s], slack = 1e-9 * (1 + fabs(own));
	bool others = false;
	for (size_t t = 0; t < term.rows; t++) {
		for (size_t s = 0; s < term.cols && s < r->n; s++) {
			const bool same =
				r->at[(t + memory) * r->n + s] == r->at[w->unit * r->n + w->s];
			const bool equal = fabs(mat_row(term, t)[s] - own) <= slack;
			if (same && !equal)
				return false;
			others |= !same && !equal;
		}
	}
	return others;
}

/* Returns whether the key is multiplied by the same vector for all queries. */
static bool same_for_queries(const struct why *w, struct mat term)
{
	const double own = mat_row(term, w->t)[w->s];
	for (size_t t = 0; t < term.rows; t++)
		if (fabs(mat_row(term, t)[w->s] - own) > 1e-9 * (1 + fabs(own)))
			return false;
	return true;
}

/* Returns "dog · K^r at −3" for the term query–K^r. */
static const char *term_words(const struct why *w, const struct trace_term *term)
{
	static const char dash[] = "–";
	const char *const query = view_unit_name(&w->trace->query, w->t, w->a);
	const char *const key = view_unit_name(&w->trace->key, w->s, w->a);
	const char *const at = strstr(term->label, dash);
	bool other = false;
	if (strcmp(term->label, "rest") == 0)
		return "what else is in the logits";
	if (strcmp(term->label, "content") == 0)
		return arena_printf(w->a, "%s · %s, not parted", query, key);
	if (!at || term->kind == TERM_OTHER) {
		const char *const relation = at_relation(w);
		return *relation && follows_relation(w, term->at)
			       ? arena_printf(w->a, "for %s%s", w->trace->relation.title,
					      relation + strlen(" at"))
			       : NULL;
	}
	const char *const left = arena_strndup(w->a, term->label, (size_t)(at - term->label));
	const char *const from = side_words(w, left, "query", query, &other);
	const bool vector = other && same_for_queries(w, term->at);
	const char *const to = side_words(w, at + strlen(dash), "key", key, &other);
	return arena_printf(w->a, "%s · %s%s", from, to, other && !vector ? at_relation(w) : "");
}

static void add_term(struct steps *s, const struct trace_term *term)
{
	const struct why *const w = s->w;
	const char *const about = term_words(w, term);
	add(s, (struct sum_step){
		       .kind = STEP_ADDEND,
		       .label = figure_scripts(
			       w->a, arena_printf(w->a, "%s%s", mixture_weight(term->weight, w->a),
						  term->label)),
		       .about = about ? figure_scripts(w->a, about) : NULL,
		       .value = mat_row(term->at, w->t)[w->s]});
}

/* ---- changes of q and k ---------------------------------------------------------------------- */

static const char *angle_words(const struct why *w, double angle)
{
	char text[32];
	const double size = fabs(angle);
	num_show(text, sizeof text, size >= 1 ? round(angle) : angle, size >= 100 ? 3 : 2);
	return size < 1e-9 ? "0°" : arena_printf(w->a, "%s°", text);
}

static struct turned turned(const struct why *w)
{
	return (struct turned){w->trace, w->head, w->t, w->s};
}

static void add_turns(struct steps *s, const struct turn *turns, size_t n)
{
	const struct why *const w = s->w;
	for (size_t i = 0; i < n; i++) {
		const struct turn *const p = &turns[i];
		if (fabs(p->after - p->before) <= 1e-12 && fabs(p->angle) < 1e-9)
			continue;
		add(s, (struct sum_step){.kind = STEP_ADDEND,
					 .label = arena_printf(w->a, "pair %zu by %s", i + 1,
							       angle_words(w, p->angle)),
					 .about = arena_printf(w->a, "%s → %s",
							       signed_number(w, p->before),
							       signed_number(w, p->after)),
					 .value = p->after - p->before});
	}
}

const char *why_changed_by(const struct why *w)
{
	const struct built *const b = w->d->built;
	const char *names = NULL;
	size_t n = 0;
	bool rule = false;
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		if (!m->hooks->qk || !view_acts(w->d, m))
			continue;
		rule |= m->scheme && m->scheme->flags & SCHEME_RULE;
		names = names ? arena_printf(w->a, "%s, %s", names, m->name) : m->name;
		n++;
	}
	return rule ? arena_printf(w->a, "what %s %s", names, n > 1 ? "do" : "does")
		    : "what position does";
}

/* Adds the content before the scheme changed q and k, then the changes, in place of the first
 * term. False: the first term is not all of c·q·k, or there is no change. */
static bool add_content(struct steps *s, double content)
{
	const struct why *const w = s->w;
	const struct turned of = turned(w);
	const double after = turned_after(&of);
	double before;
	struct turn *turns;
	if (!turned_before(&of, &before) || !(fabs(after - content) <= 1e-12 * (1 + fabs(content))))
		return false;
	const size_t n = turned_pairs(&of, w->a, &turns);
	s->at = memcpy(arena_calloc(w->a, MODEL_MAX_TERMS + AFTER + n, sizeof *s->at), s->at,
		       s->n * sizeof *s->at);
	add(s, (struct sum_step){.kind = STEP_TOTAL,
				 .label = n > 0 ? "before rotation" : "q·k as projected",
				 .about = arena_printf(w->a, "%s · %s",
						       view_unit_name(&w->trace->query, w->t, w->a),
						       view_unit_name(&w->trace->key, w->s, w->a)),
				 .value = before});
	if (n > 0)
		add_turns(s, turns, n);
	else
		add(s, (struct sum_step){.kind = STEP_ADDEND,
					 .label = why_changed_by(w),
					 .about = "to q and k of this cell",
					 .value = content - before});
	return true;
}

bool why_bias(const struct why *w, double *bias)
{
	const struct trace_head *const h = w->head;
	double content;
	if (view_layer(w->d) > 0 || w->mean || !h->bias.at || !h->logits.at ||
	    w->trace->bias_is_mask || h->n_terms == 0 || h->terms[0].kind != TERM_UNIT_UNIT)
		return false;
	const struct turned of = turned(w);
	const bool changed = turned_before(&of, &content);
	if (changed && h->n_terms > 1)
		return false;
	if (!changed)
		content = mat_row(h->terms[0].at, w->t)[w->s];
	*bias = mat_row(h->logits, w->t)[w->s] - content;
	return true;
}

/* ---- the row --------------------------------------------------------------------------------- */

static bool is_allowed(const struct why *w, size_t s)
{
	return !w->head->mask || w->head->mask[w->t * w->trace->key.n + s];
}

bool why_softmax(const struct why *w, struct why_softmax *out)
{
	*out = (struct why_softmax){.most = -INFINITY};
	if (!w->head->logits.at || !w->head->weights.at)
		return false;
	const double *const row = mat_row(w->head->logits, w->t);
	const double *const weights = mat_row(w->head->weights, w->t);
	for (size_t s = 0; s < w->trace->key.n; s++)
		if (is_allowed(w, s))
			out->most = fmax(out->most, row[s]);
	if (w->head->sink_logit)
		out->sink = exp(*w->head->sink_logit - out->most);
	for (size_t s = 0; s < w->trace->key.n; s++) {
		if (!is_allowed(w, s) || !isfinite(row[s]))
			continue;
		out->sum += exp(row[s] - out->most);
		out->mean += row[s];
		out->n++;
	}
	out->logit = row[w->s];
	out->mean /= (double)(out->n > 0 ? out->n : 1);
	bool same = out->n > 0;
	for (size_t s = 0; s < w->trace->key.n && same; s++) {
		const double own =
			is_allowed(w, s) ? exp(row[s] - out->most) / (out->sum + out->sink) : 0;
		same = fabs(own - weights[s]) <= 1e-9;
	}
	return same;
}

/* Adds the difference to the mean of the row, because softmax depends only on the differences to
 * other keys. */
static void add_mean(struct steps *s, double logit)
{
	struct why_softmax row;
	if (!why_softmax(s->w, &row) || row.n < 2 || !isfinite(logit))
		return;
	add(s,
	    (struct sum_step){.kind = STEP_TOTAL, .label = "mean of the row", .value = row.mean});
	add(s, (struct sum_step){.kind = STEP_ADDEND,
				 .label = logit < row.mean ? "below the mean" : "above the mean",
				 .value = logit - row.mean});
}

static void add_mask(struct steps *s)
{
	const struct why *const w = s->w;
	const bool any = w->head->mask != NULL;
	add(s, (struct sum_step){.kind = STEP_NOTE,
				 .label = "mask",
				 .text = w->allowed ? "allowed" : "hidden",
				 .about = !any	       ? "no mask here: every key is seen"
					  : w->allowed ? "the query may see this key"
						       : "the weight is 0 whatever the logit"});
}

size_t why_steps(const struct why *w, const struct sum_step **out)
{
	const struct trace_head *const h = w->head;
	struct steps s = {.w = w, .at = arena_calloc(w->a, MODEL_MAX_TERMS + AFTER, sizeof *s.at)};
	const double logit = mat_row(h->logits, w->t)[w->s];
	size_t i = 0;
	if (h->n_terms > 0 && add_content(&s, mat_row(h->terms[0].at, w->t)[w->s]))
		i++;
	for (; i < h->n_terms; i++)
		add_term(&s, &h->terms[i]);
	add(&s, (struct sum_step){
			.kind = STEP_TOTAL, .label = "Σ logit", .value = logit, .strong = true});
	add_mask(&s);
	if (w->allowed)
		add_mean(&s, logit);
	*out = s.at;
	return s.n;
}
