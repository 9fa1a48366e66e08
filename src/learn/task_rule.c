/* task_rule.c: a task as a rule: the answer of each token in the formula language, with t, from 0, n,
 * and the letters of the sentence as x[FORMULA]: x[t-2], x[0], mod(t, 3), x[t] == x[t-1].
 *
 * A letter counts from 0. Where a place lies outside of the sentence nothing is asked. */
#include <math.h>
#include <string.h>

#include "learn_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/math/calc.h"

/* SAMPLED sentences of each trained length find the number of classes. */
enum { REFERENCES = 8, MOST_CLASSES = 64, SAMPLED = 64, SAMPLED_LONGEST = 128 };

struct task_rule {
	const char *text;
	struct calc value;	       /* of t, n, x1, x2, ... */
	struct calc place[REFERENCES]; /* of t, n */
	size_t n_places;
	bool is_letter; /* the value is x1 itself */
};

static const char *const names[] = {"t", "n", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", NULL};
static const char *const place_names[] = {"t", "n", NULL};

static bool faulty(const char *spec, struct arena *a, struct err *err)
{
	return err_prefix(err, "the rule %s: ", text_quote(a, spec, strlen(spec)));
}

/* Reads a formula of which only `t mod 3` has a form of its own. */
static bool parse(struct calc *out, const char *text, const char *const *of, struct arena *a,
		  struct err *err)
{
	size_t wrong;
	const char *const mod = strstr(text, " mod ");
	if (mod)
		text = arena_printf(a, "mod(%.*s, %s)", (int)(mod - text), text,
				    mod + strlen(" mod "));
	return calc_parse(out, text, of, a, &wrong, err);
}

static const char *closing(const char *open)
{
	size_t depth = 0;
	for (const char *at = open; *at; at++) {
		depth += *at == '[';
		if (*at == ']' && --depth == 0)
			return at;
	}
	return NULL;
}

/* Puts a name in place of each x[...] and reads what is between the brackets. */
static bool read_places(struct task_rule *rule, const char *spec, struct arena *a, const char **out,
			struct err *err)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (const char *at = spec; *at;) {
		if (at[0] != 'x' || at[1] != '[') {
			strbuf_add_char(&b, *at++);
			continue;
		}
		const char *const end = closing(at + 1);
		if (!end)
			return err_set(err, "a bracket [ without its ]");
		if (rule->n_places == REFERENCES)
			return err_set(err, "more than %d letters; a shorter rule would be right",
				       REFERENCES);
		const char *const inside = arena_strndup(a, at + 2, (size_t)(end - at - 2));
		if (!parse(&rule->place[rule->n_places++], inside, place_names, a, err))
			return false;
		strbuf_printf(&b, "x%zu", rule->n_places);
		at = end + 1;
	}
	*out = b.at;
	return true;
}

static bool is_whole(double x)
{
	return fabs(x) < 1e9 && !(fabs(x - nearbyint(x)) > 1e-9);
}

/* Computes the letters that the rule reads at token t; false: one lies outside of the sentence. */
static bool read_letters(const struct task_rule *rule, const struct example *e, size_t t,
			 struct calc_input in[2 + REFERENCES])
{
	in[0] = (struct calc_input){NULL, (double)t};
	in[1] = (struct calc_input){NULL, (double)e->n};
	for (size_t i = 0; i < REFERENCES; i++) {
		double at = 0;
		in[2 + i] = (struct calc_input){0};
		if (i >= rule->n_places)
			continue;
		calc_eval(&rule->place[i], in, &at, 1);
		if (!is_whole(at) || at < 0 || at > (double)e->n - 1)
			return false;
		in[2 + i].all = (double)e->letter[(size_t)nearbyint(at)];
	}
	return true;
}

bool task_rule_answer(const struct task_rule *rule, size_t classes, struct example *e,
		      struct arena *a, struct err *err)
{
	for (size_t t = 0; t < e->n; t++) {
		struct calc_input in[2 + REFERENCES];
		double value;
		if (!read_letters(rule, e, t, in))
			continue;
		calc_eval(&rule->value, in, &value, 1);
		if (!is_whole(value) || value < 0 || value > (double)classes - 1)
			return err_set(
				err,
				"the rule %s gives %g at t = %zu of %zu; whole numbers from 0 "
				"to %zu would be right",
				text_quote(a, rule->text, strlen(rule->text)), value, t, e->n,
				classes - 1);
		e->answer[t] = (int32_t)nearbyint(value);
	}
	return true;
}

/* Finds the largest value over sentences of the trained lengths, and of one of each length up to the
 * longest that is tested. */
static bool count_classes(struct task *out, const struct task_rule *rule, struct arena *a,
			  struct err *err)
{
	struct arena scratch;
	int32_t most = -1;
	bool ok = true;
	arena_init(&scratch);
	for (size_t n = out->shortest; n <= SAMPLED_LONGEST && ok; n++)
		for (size_t i = 0; ok && i < (n <= out->longest ? SAMPLED : 1); i++) {
			struct example e;
			struct rng rng;
			rng_init(&rng, n * SAMPLED + i);
			task_room(&e, n, &scratch);
			task_letters(&e, out->letters, &rng);
			ok = task_rule_answer(rule, MOST_CLASSES, &e, a, err);
			for (size_t t = 0; ok && t < n; t++)
				most = e.answer[t] > most ? e.answer[t] : most;
			arena_clear(&scratch);
		}
	arena_release(&scratch);
	if (ok && most < 0)
		return err_set(err,
			       "the rule %s asks nothing: its letters lie outside of the sentence",
			       text_quote(a, rule->text, strlen(rule->text)));
	out->classes = rule->is_letter ? out->letters : (size_t)most + 1;
	return ok;
}

bool task_rule_open(struct task *out, const char *spec, bool *is_rule, struct arena *a,
		    struct err *err)
{
	struct task_rule *const rule = arena_calloc(a, 1, sizeof *rule);
	const char *value = "";
	struct err why = {""};
	*rule = (struct task_rule){.text = arena_strdup(a, spec)};
	*is_rule = strstr(spec, "x[") != NULL;
	if (*is_rule) {
		if (!read_places(rule, spec, a, &value, err) ||
		    !parse(&rule->value, value, names, a, err))
			return faulty(spec, a, err);
		rule->is_letter = strcmp(value, "x1") == 0;
	} else {
		*is_rule = parse(&rule->value, spec, place_names, a, &why);
		if (!*is_rule)
			return true;
	}
	out->rule = rule;
	return count_classes(out, rule, a, err);
}

bool task_rule_ahead(const struct task_rule *rule)
{
	const double n = 16;
	for (size_t i = 0; i < rule->n_places; i++)
		for (double t = 0; t < n; t++) {
			const struct calc_input in[] = {{NULL, t}, {NULL, n}};
			double at;
			calc_eval(&rule->place[i], in, &at, 1);
			if (at > t && at < n)
				return true;
		}
	return false;
}

/* A rule without letters gives the same answers to all sentences, so the commonest is the best. One
 * that copies a letter from another place says one of the other letters, or of those before, each as
 * likely; where the place is sometimes the token's own, or the rule computes, the floor is not known. */
double task_rule_floor(const struct task_rule *rule, size_t letters, size_t n, enum sight sight)
{
	size_t count[MOST_CLASSES] = {0}, asked = 0, most = 0;
	double right = 0;
	for (size_t t = 0; t < n; t++) {
		const struct calc_input in[] = {{NULL, (double)t}, {NULL, (double)n}};
		double at;
		if (rule->n_places == 0) {
			if (sight == SIGHT_PREFIX)
				return NAN;
			calc_eval(&rule->value, in, &at, 1);
			const size_t c = (size_t)nearbyint(at);
			most = ++count[c] > most ? count[c] : most;
			asked++;
			continue;
		}
		calc_eval(&rule->place[0], in, &at, 1);
		if (at < 0 || at > (double)n - 1)
			continue;
		if (!rule->is_letter || fabs(at - (double)t) < 0.5 ||
		    (sight == SIGHT_PREFIX && at > (double)t))
			return NAN;
		const size_t others = sight == SIGHT_PREFIX ? t : n - 1;
		right += task_largest_count(others, letters) / (double)others;
		asked++;
	}
	return (rule->n_places == 0 ? (double)most : right) / (double)asked;
}

double task_rule_loss(const struct task_rule *rule, size_t letters, size_t n, enum sight sight,
		      bool *asks)
{
	size_t count[MOST_CLASSES] = {0}, asked = 0;
	double loss = 0;
	for (size_t t = 0; t < n; t++) {
		const struct calc_input in[] = {{NULL, (double)t}, {NULL, (double)n}};
		double at = 0;
		if (rule->n_places > 0)
			calc_eval(&rule->place[0], in, &at, 1);
		else
			calc_eval(&rule->value, in, &at, 1);
		if (rule->n_places == 0)
			count[(size_t)nearbyint(at)]++;
		if (rule->n_places > 0 && (at < 0 || at > (double)n - 1))
			continue;
		asked++;
		if (rule->n_places > 0)
			loss += task_entropy(sight == SIGHT_PREFIX ? t : n - 1, letters);
	}
	for (size_t c = 0; c < MOST_CLASSES; c++)
		loss -= count[c] ? (double)count[c] * log((double)count[c] / (double)n) : 0;
	*asks = asked > 0;
	if (isnan(task_rule_floor(rule, letters, n, sight)))
		return NAN; /* for its reasons */
	return loss / (double)asked;
}
