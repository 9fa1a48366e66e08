/* term_formula.c: the formula of a term of the logits, derived from its label: "query–K^r" is
 * the product of a query and of the name after the dash, "bias" a number for each pair. The
 * factor c is omitted. */
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "view_in.h"

/* Returns whether a name is a symbol: it is short or has an index. Other names are words, whose
 * first letter is used. */
static bool is_sign(const char *name)
{
	return strpbrk(name, "_^(") != NULL || text_width(name) <= 2 ||
	       (unsigned char)name[0] >= 0x80;
}

static const char *vector_of(const char *name, char at, struct arena *a)
{
	if (strcmp(name, "unit") == 0)
		return arena_printf(a, "x_%c", at);
	return strcmp(name, "position") == 0
		       ? arena_printf(a, "p_%c", at)
		       : arena_printf(a, "p^{%.*s}_%c", (int)strcspn(name, "-"), name, at);
}

/* Returns the left factor of the product, a row. */
static const char *left_of(const char *name, bool projected, struct arena *a)
{
	if (strcmp(name, "query") == 0)
		return "q_t^⊤";
	if (strcmp(name, "b_q") == 0)
		return name;
	if (projected)
		return arena_printf(a, "%s W_Q", vector_of(name, 't', a));
	return is_sign(name) ? arena_printf(a, "%s^⊤", name) : arena_printf(a, "%c_{ts}^⊤", *name);
}

static const char *right_of(const char *name, bool projected, struct arena *a)
{
	if (strcmp(name, "key") == 0)
		return "k_s";
	if (strcmp(name, "b_k") == 0)
		return "b_k^⊤";
	if (projected)
		return arena_printf(a, "W_K^⊤ %s^⊤", vector_of(name, 's', a));
	return is_sign(name) ? arena_printf(a, "%s%s", name, strchr(name, '_') ? "" : "_{ts}")
			     : arena_printf(a, "%c_{ts}", *name);
}

/* Returns whether q and k are sums of a part from the unit and a part from the position. */
static bool is_split(const struct trace_head *head)
{
	static const char unit[] = "unit–";
	for (size_t i = 1; i < head->n_terms; i++)
		if (strncmp(head->terms[i].label, unit, sizeof unit - 1) == 0)
			return true;
	return false;
}

/* Returns whether a factor is a part of X, or the bias that is added to the projected parts. */
static bool is_projected(const char *name, const char *whole, const char *bias)
{
	return strcmp(name, bias) == 0 || (strcmp(name, whole) != 0 && !is_sign(name));
}

/* Returns the formula of the term without its weight. */
static const char *plain_formula(const struct trace_head *head, size_t i, struct arena *a)
{
	static const char dash[] = "–";
	const struct trace_term *term = &head->terms[i];
	const char *at = strstr(term->label, dash);
	if (term->kind == TERM_UNIT_UNIT && !is_split(head)) {
		const bool same =
			!head->before.at || mat_max_abs_diff(head->before, term->at) <= 1e-12;
		return same ? "q_t^⊤ k_s" : "q′_t^⊤ k′_s";
	}
	if (!at)
		return is_sign(term->label)	  ? term->label
		       : term->kind == TERM_OTHER ? NULL
						  : "b_{ts}";
	const char *left = arena_strndup(a, term->label, (size_t)(at - term->label));
	const char *right = at + sizeof dash - 1;
	const bool both = is_split(head) && is_projected(left, "query", "b_q") &&
			  is_projected(right, "key", "b_k");
	return arena_printf(a, "%s %s", left_of(left, both, a), right_of(right, both, a));
}

const char *term_formula(const struct trace_head *head, size_t i, struct arena *a)
{
	const char *const plain = plain_formula(head, i, a);
	const double weight = head->terms[i].weight;
	char text[32];
	return !plain || weight == 1
		       ? plain
		       : arena_printf(a, "%s %s", num_show(text, sizeof text, weight, 6), plain);
}

/* Terms with the biases of queries and keys, and what rules make of the sum of the others. */
static const char *bias_kind(const char *label)
{
	static const struct {
		const char *label, *says;
	} rows[] = {
		{"b_q–b_k", "biases alone"},
		{"b_q–unit", "key's token, whatever the query"},
		{"b_q–position", "key's position, whatever the query"},
		{"unit–b_k", "query's token: the same for all its keys"},
		{"position–b_k", "query's position: the same for all its keys"},
		{"soft cap", "what the cap changes of each logit"},
		{"1/τ − 1", "what the temperature changes of each logit"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].label, label) == 0)
			return rows[i].says;
	return NULL;
}

const char *term_kind(const struct trace_term *term, bool above)
{
	switch (term->kind) {
	case TERM_UNIT_UNIT:
		return above ? "unit: the output of the layer below" : "token vectors alone";
	case TERM_UNIT_POSITION:
		return "query's token, key's position";
	case TERM_POSITION_UNIT:
		return "query's position, key's token";
	case TERM_POSITION:
		return "positions alone";
	case TERM_OTHER:
		break;
	}
	const char *const bias = bias_kind(term->label);
	return bias				     ? bias
	       : strcmp(term->label, "content") == 0 ? "all of q·k, not parted"
	       : strcmp(term->label, "rest") == 0    ? "what else is in the logits"
						     : "tokens and positions together";
}

bool term_has_position(const struct trace_term *term)
{
	if (term->kind != TERM_OTHER)
		return term->kind != TERM_UNIT_UNIT;
	return strstr(term->label, "position") ||
	       (!bias_kind(term->label) && strcmp(term->label, "content") != 0 &&
		strcmp(term->label, "rest") != 0);
}
