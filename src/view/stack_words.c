/* stack_words.c: what acts in each kind of layers, in words: the keys that a query sees, the rotation, and other
 * members; and the finding of the view Stack. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "stack_in.h"

static bool is_named(const struct member *m, const char *id)
{
	return m->scheme && strcmp(m->scheme->id, id) == 0;
}

static bool acts(const struct built *b, const struct member *m, size_t layer)
{
	return subset_has(&m->layers, layer) &&
	       subset_within(subset_first(b->model.config.heads), m->heads);
}

static double number_of(const struct member *m, const char *name)
{
	return scheme_value(m->scheme, m->param, NULL, name);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static const char *plural(double n)
{
	return fabs(n - 1) < 0.5 ? "" : "s";
}

/* Returns what a window leaves, or NULL: it is no plain window. */
static const char *window_words(const struct member *m, bool causal, struct arena *a)
{
	const double keys = number_of(m, "keys"), side = number_of(m, "width") / 2;
	if (number_of(m, "dilation") > 1 || !m->hooks->interval)
		return NULL;
	if (keys > 0)
		return arena_printf(a, "the last %.0f key%s", keys, plural(keys));
	return causal ? arena_printf(a, "the last %.0f key%s", side + 1, plural(side + 1))
		      : arena_printf(a, "%.0f key%s on each side", side, plural(side));
}

/* Returns what a mask leaves, or NULL: there are no words for it. */
static const char *mask_words(const struct member *m, bool causal, struct arena *a)
{
	if (is_named(m, "window"))
		return window_words(m, causal, a);
	if (is_named(m, "chunk"))
		return arena_printf(a, "keys of the same chunk of %.0f", number_of(m, "size"));
	if (is_named(m, "prefix"))
		return arena_printf(a, "the first %.0f keys and all up to its own",
				    number_of(m, "length"));
	return NULL;
}

/* Returns the words for a table: "last 4 keys", "chunk of 8192", "64 each side". */
static const char *briefly(const char *sees, struct arena *a)
{
	static const char *const before[] = {"the ", "keys of the same "};
	static const char on[] = " keys on ";
	const char *const side = strstr(sees, on);
	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		if (strncmp(sees, before[i], strlen(before[i])) == 0)
			return sees + strlen(before[i]);
	if (strcmp(sees, "all keys up to its own") == 0)
		return "all up to own";
	return side ? arena_printf(a, "%.*s %s", (int)(side - sees), sees, side + strlen(on))
		    : sees;
}

/* Returns the keys that a query sees in a layer. */
static const char *sees(const struct built *b, const struct stack *s, size_t layer, struct arena *a)
{
	const double middle = floor((double)(s->tokens - 1) / 2);
	struct stack_keys keys;
	stack_keys_of(b, layer, middle, s->tokens, &keys);
	const bool causal = s->tokens > 1 && !(keys.last > middle);
	const char *text = NULL;
	size_t n = 0;
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		if (!acts(b, m, layer) || !m->hooks->interval)
			continue;
		n++;
		text = mask_words(m, causal, a);
	}
	if (n == 0)
		return causal ? "all keys up to its own" : "all keys";
	return n == 1 && text ? text
			      : arena_printf(a, "%.0f of %zu keys", s->keys[layer], s->tokens);
}

/* ---- rotations ------------------------------------------------------------------------------- */

bool stack_rates(const struct built *b, const struct member *m, struct arena *a,
		 struct member_rates *out)
{
	const struct model_config *const c = &b->model.config;
	const struct expr *const e = expr_of(m->text, a, NULL);
	return e && e->n == 1 &&
	       member_rates(&e->members[0], model_dk(c), c->t_max, (double)c->t_max, a, out);
}

/* Returns by how much its pairs rotate slower than before scaling: "up to 8 times"; "". */
static const char *slower(const struct member_rates *r, struct arena *a)
{
	static const double least = 1.005;
	char text[32];
	double lo = INFINITY, hi = 0;
	for (size_t i = 0; i < r->pairs; i++) {
		const double slow = r->then[i] / r->now[i];
		lo = fmin(lo, slow);
		hi = fmax(hi, slow);
	}
	if (!(hi >= least) || !isfinite(hi))
		return "";
	return arena_printf(a, "%s%s times", hi - lo < least - 1 ? "" : "up to ",
			    num_show(text, sizeof text, hi, 3));
}

static const char *turn_words(const struct built *b, const struct member_rates *r, struct arena *a)
{
	const size_t dk = model_dk(&b->model.config), cols = 2 * r->pairs;
	const char *const part = cols < dk ? arena_printf(a, ", %zu of %zu columns", cols, dk) : "";
	return arena_printf(a, "base %.10g%s", r->base, part);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static bool acts_everywhere(const struct built *b, const struct member *m)
{
	return subset_within(subset_first(b->model.config.layers), m->layers);
}

/* Adds a title among words, so without its capital: "query-key normalisation", but "YaRN". */
static const char *joined(const char *all, const char *title, struct arena *a)
{
	char *const more = arena_strdup(a, title);
	if (more[0] >= 'A' && more[0] <= 'Z' && more[1] >= 'a' && more[1] <= 'z' &&
	    !strpbrk(more + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		more[0] = (char)(more[0] - 'A' + 'a');
	return arena_printf(a, "%s%s%s", all, *all ? ", " : "", more);
}

static void say_kind(const struct built *b, size_t kind, size_t layer, struct arena *a,
		     struct stack_kept *out)
{
	struct stack_words *const w = &out->words[kind];
	*w = (struct stack_words){
		.sees = sees(b, &out->s, layer, a), .rotation = "none", .slower = "", .others = ""};
	w->briefly = briefly(w->sees, a);
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		struct member_rates r;
		if (!subset_has(&m->layers, layer) || !m->scheme)
			continue;
		if (stack_rates(b, m, a, &r)) {
			w->rotation = turn_words(b, &r, a);
			w->slower = slower(&r, a);
			out->rotates = true;
		} else if (!(m->scheme->flags & SCHEME_MASK) &&
			   strcmp(m->scheme->id, "none") != 0) {
			if (acts_everywhere(b, m) && out->s.n_kinds > 1)
				continue;
			w->others = joined(w->others, m->scheme->title, a);
		}
	}
}

/* Returns the members that act in all layers and are neither masks nor rotations. */
static const char *in_all(const struct built *b, struct arena *a)
{
	const char *all = "";
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		struct member_rates r;
		if (m->scheme && acts_everywhere(b, m) && !(m->scheme->flags & SCHEME_MASK) &&
		    strcmp(m->scheme->id, "none") != 0 && !stack_rates(b, m, a, &r))
			all = joined(all, m->scheme->title, a);
	}
	return all;
}

void stack_say(const struct built *b, struct arena *a, struct stack_kept *out)
{
	struct stack *const s = &out->s;
	out->words = arena_calloc(a, s->n_kinds + 1, sizeof *out->words);
	out->all = in_all(b, a);
	out->sees_alike = out->turns_alike = out->sees_all = true;
	for (size_t k = 0; k < s->n_kinds; k++) {
		size_t layer = 0;
		while (s->kind[layer] != k)
			layer++;
		say_kind(b, k, layer, a, out);
		out->sees_alike &= strcmp(out->words[k].sees, out->words[0].sees) == 0;
		out->turns_alike &= strcmp(out->words[k].rotation, out->words[0].rotation) == 0;
		out->scales |= *out->words[k].slower != '\0';
	}
	for (size_t i = 0; i < s->seen.rows * s->seen.cols; i++)
		out->sees_all &= !(s->seen.at[i] < 1);
}

/* ---- the finding ----------------------------------------------------------------------------- */

static const char *turned(const struct stack_kept *k, size_t kind, struct arena *a)
{
	const char *const words = k->words[kind].rotation;
	return strcmp(words, "none") == 0 ? "no rotation" : arena_printf(a, "%s", words);
}

/* Returns "5 see the last 4 keys (rotated with base 100), 1 sees all keys up to its own (no rotation)". */
static const char *kinds_words(const struct stack_kept *k, struct arena *a)
{
	static const char base[] = "base ";
	const char *text = "";
	for (size_t i = 0; i < k->s.n_kinds; i++) {
		const size_t n = k->s.kinds[i].n_layers;
		const char *const turn = turned(k, i, a), *const sep = i == 0 ? "" : ", ";
		if (k->sees_alike)
			text = arena_printf(a, "%s%s%zu %s%s %s", text, sep, n,
					    strncmp(turn, base, strlen(base)) == 0
						    ? (n == 1 ? "rotates" : "rotate")
						    : (n == 1 ? "has" : "have"),
					    strncmp(turn, base, strlen(base)) == 0 ? " with" : "",
					    turn);
		else
			text = arena_printf(a, "%s%s%zu see%s %s%s%s%s", text, sep, n,
					    n == 1 ? "s" : "", k->words[i].sees,
					    k->turns_alike ? "" : " (", k->turns_alike ? "" : turn,
					    k->turns_alike ? "" : ")");
	}
	return text;
}

/* Returns what the last token can know of, where that takes several layers. */
static const char *known_words(const struct stack_kept *k, struct arena *a)
{
	const struct stack *const s = &k->s;
	size_t l = 1;
	while (l < s->layers && s->back[l] < (double)s->tokens - 1)
		l++;
	if (s->back[l] < (double)s->tokens - 1)
		return arena_printf(a,
				    "; after the last layer the last of %zu tokens can know of %s",
				    s->tokens, stack_known(s, l, a));
	return l == 1 ? ""
		      : arena_printf(a, "; after layer %zu the last of %zu tokens can know of all",
				     l, s->tokens);
}

const char *stack_finding(const struct stack_kept *k, struct arena *a)
{
	enum { MANY_KINDS = 4 };
	const struct stack *const s = &k->s;
	const char *const known = known_words(k, a);
	if (s->n_kinds == 1 || (k->sees_alike && k->turns_alike))
		return arena_printf(
			a, "%s a token sees %s%s.",
			s->layers == 1 ? "In the only layer"
				       : arena_printf(a, "In each of the %zu layers", s->layers),
			k->words[0].sees, known);
	if (s->n_kinds > MANY_KINDS)
		return arena_printf(a, "The %zu layers are of %zu kinds%s.", s->layers, s->n_kinds,
				    known);
	if (k->sees_alike)
		return arena_printf(a, "In each layer a token sees %s; of the %zu layers %s%s.",
				    k->words[0].sees, s->layers, kinds_words(k, a), known);
	return arena_printf(a, "Of %zu layers, %s%s.", s->layers, kinds_words(k, a), known);
}
