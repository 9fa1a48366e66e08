/* bias_fit.c: see posviz/analysis/bias_fit.h. A guess is an expression and a way to read the tensor; guesses are tried
 * from the plainest on. */
#include "posviz/analysis/bias_fit.h"

#include <math.h>
#include <string.h>

#include "posviz/family/known_text.h"
#include "posviz/family/table_fit.h"

const char *const bias_kind_names[] = {"none", "pairs", "keys", "slopes", "table", "ids"};

enum { MOST_POSITIONS = 320 };

const char *bias_fit_tried(enum bias_kind kind)
{
	return kind == BIAS_IDS ? "another start, padding, texts that begin anew, the other order"
	       : kind == BIAS_TABLE
		       ? "the two directions exchanged, heads in the other order, a factor"
		       : "the two directions exchanged, the other sign, heads in the other order, "
			 "buckets of one direction or of both, max_distance, slopes of other rules, a factor";
}

/* ---- the tensor ------------------------------------------------------------------------------ */

/* Returns the shape without sizes of 1 in front and in the middle: of a batch, of queries. */
static size_t squeezed(const struct tensor *t, size_t shape[TENSOR_DIMS])
{
	size_t n = 0;
	for (size_t i = 0; i < t->dims; i++)
		if (t->shape[i] != 1)
			shape[n++] = t->shape[i];
	return n;
}

enum bias_kind bias_kind_of(const struct tensor *t, const char *name, size_t heads)
{
	size_t s[TENSOR_DIMS];
	const size_t n = squeezed(t, s);
	if (strstr(name, "position_ids") || strstr(name, "pos_ids"))
		return BIAS_IDS;
	if (n == 3 && s[0] == heads && s[1] == s[2])
		return BIAS_PAIRS;
	if (n == 1 && s[0] == heads && strstr(name, "slope"))
		return BIAS_SLOPES;
	const bool bias = strstr(name, "bias") || strstr(name, "alibi");
	if (n == 2 && bias && s[1] == heads && !strstr(name, "alibi"))
		return BIAS_TABLE;
	return n == 2 && bias && s[0] == heads ? BIAS_KEYS : BIAS_NONE;
}

/* ---- the model ------------------------------------------------------------------------------- */

struct search {
	const struct setup *setup;
	struct arena *a;
	enum bias_kind kind;
	const double *at; /* of the tensor, [heads, positions, positions] or fewer axes */
	size_t heads, positions, n;
	const struct number_type *type;
	struct bias_fit *out;
};

/* Evaluates the bias of an expression for n plain tokens: [heads][n·n]. */
static bool evaluate_bias(const struct search *s, const char *expression, double **out,
			  struct err *err)
{
	struct setup setup = *s->setup;
	struct built *const b = arena_calloc(s->a, 1, sizeof *b);
	struct model_input in;
	struct trace trace;
	const struct want want = {.kinds = WANT_BIAS, .layer = 0, .head = -1};
	setup.scheme = expression;
	setup.ids = "";
	if (!setup_build(&setup, s->a, b, err))
		return false;
	built_plain(b, s->n, s->a, &in);
	if (!built_run(b, &in, &want, NULL, NULL, s->a, &trace, err))
		return false;
	*out = arena_calloc(s->a, s->heads * s->n * s->n, sizeof **out);
	for (size_t h = 0; h < s->heads; h++) {
		const struct mat m = trace.layers[0].heads[h].bias;
		for (size_t t = 0; m.at && t < s->n; t++)
			memcpy(*out + (h * s->n + t) * s->n, mat_row(m, t), s->n * sizeof **out);
	}
	return true;
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* How the tensor is read: the other way round, with the other sign, from the last head on. */
struct way {
	const char *text;
	bool mirrored, negative, backwards;
};

static const struct way ways[] = {
	{NULL, false, false, false},
	{"the other sign", false, true, false},
	{"distances counted the other way, t − s for s − t", true, false, false},
	{"distances counted the other way and the other sign", true, true, false},
	{"heads in the other order", false, false, true},
	{"heads in the other order and the other sign", false, true, true},
};

/* Returns the number of the tensor for a cell; queries of keys alone are the last. */
static double cell(const struct search *s, const struct way *w, size_t h, size_t t, size_t k)
{
	const size_t head = w->backwards ? s->heads - 1 - h : h;
	const size_t row = w->mirrored ? k : t, col = w->mirrored ? t : k;
	const double x = s->kind == BIAS_PAIRS
				 ? s->at[(head * s->positions + row) * s->positions + col]
				 : s->at[head * s->positions + col];
	return w->negative ? -x : x;
}

/* Cells that a mask in the tensor hides have a huge negative number. */
static bool hidden(double x)
{
	static const double huge = 1e4;
	return !isfinite(x) || fabs(x) >= huge;
}

static double allowed(const struct search *s, double x)
{
	return s->type->eps * fmax(fabs(x), 1e-3) + s->type->least;
}

/* Compares rows, or what is left of each when the number at its own position is taken off. `out` gets the
 * numbers, or is NULL. */
static bool compare(const struct search *s, const double *bias, const struct way *w, bool rows,
		    struct bias_fit *out)
{
	const size_t first = s->kind == BIAS_KEYS ? s->n - 1 : 0;
	bool equal = true;
	for (size_t h = 0; h < s->heads; h++)
		for (size_t t = first; t < s->n; t++) {
			const double *const row = bias + (h * s->n + t) * s->n;
			const double off = rows ? cell(s, w, h, t, t) - row[t] : 0;
			for (size_t k = 0; k < s->n; k++) {
				const double is = cell(s, w, h, t, k);
				if (hidden(is))
					continue;
				const double want = row[k] + off, by = fabs(is - want);
				const double most = allowed(s, fmax(fabs(is), fabs(row[k])));
				if (out && by >= out->difference) {
					out->difference = by;
					out->allowed = most;
				}
				if (by <= most)
					continue;
				if (out && equal) {
					out->head = h, out->query = t, out->key = k;
					out->expected = want, out->found = is;
				}
				equal = false;
				if (!out)
					return false;
			}
		}
	return equal;
}

/* ---- guesses --------------------------------------------------------------------------------- */

static bool any_way(const struct search *s, const double *bias, const char *setting)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		for (int rows = 0; rows <= 1; rows++) {
			if (!compare(s, bias, &ways[i], rows == 1, NULL))
				continue;
			const char *const way = ways[i].text;
			s->out->fits = arena_printf(s->a, "%s%s%s%s", setting ? setting : "",
						    setting && way ? ", " : "", way ? way : "",
						    rows ? " (but for a number of each row)" : "");
			return true;
		}
	return false;
}

/* Tries the expression with parameters of a member set: "causal=on". */
static bool try_params(const struct search *s, const char *scheme, const char *const set[][2],
		       size_t n, const char *text)
{
	struct expr *const e = expr_copy(expr_of(s->setup->scheme, s->a, NULL), s->a);
	double *bias;
	for (size_t i = 0; e && i < e->n; i++) {
		if (strcmp(e->members[i].scheme->id, scheme) != 0)
			continue;
		for (size_t k = 0; k < n; k++)
			for (const struct param *p = e->members[i].scheme->params; p->name; p++)
				if (strcmp(p->name, set[k][0]) == 0 &&
				    !param_set(p, e->members[i].param, set[k][1], strlen(set[k][1]),
					       s->a, NULL))
					return false;
		const struct arena_mark mark = arena_mark(s->a);
		const bool fits = evaluate_bias(s, expr_print(e, s->a), &bias, NULL) &&
				  any_way(s, bias, text);
		if (!fits)
			arena_rewind(s->a, mark);
		return fits;
	}
	return false;
}

static const char *scheme_of(const struct search *s)
{
	static const char *const schemes[] = {"t5", "alibi"};
	const struct expr *const e = expr_of(s->setup->scheme, s->a, NULL);
	for (size_t i = 0; e && i < e->n; i++)
		for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
			if (strcmp(e->members[i].scheme->id, schemes[k]) == 0)
				return schemes[k];
	return NULL;
}

static void try_buckets(const struct search *s)
{
	static const char *const most[] = {NULL, "8",	"16",  "20",  "32",  "40",
					   "64", "128", "256", "512", "1024"};
	static const char *const sides[] = {NULL, "on", "off"};
	for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
		for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
			const char *set[2][2];
			size_t n = 0;
			if (sides[k])
				memcpy(set[n++], (const char *[]){"causal", sides[k]},
				       sizeof set[0]);
			if (most[i])
				memcpy(set[n++], (const char *[]){"max_distance", most[i]},
				       sizeof set[0]);
			const char *const text = arena_printf(
				s->a, "%s%s%s%s",
				!sides[k] ? ""
				: strcmp(sides[k], "on") == 0
					? "buckets of one direction, causal=on"
					: "buckets of both directions, causal=off",
				sides[k] && most[i] ? ", " : "", most[i] ? "max_distance=" : "",
				most[i] ? most[i] : "");
			if (n > 0 && try_params(s, "t5", (const char *const(*)[2])set, n, text))
				return;
		}
}

/* Returns the slopes of the model: how much more a key gets that is one position nearer. */
static double *own_slopes(const struct search *s, struct err *err)
{
	struct search two = *s;
	double *bias, *const out = arena_calloc(s->a, s->heads, sizeof *out);
	two.n = 2;
	if (!evaluate_bias(&two, s->setup->scheme, &bias, err))
		return NULL;
	for (size_t h = 0; h < s->heads; h++)
		out[h] = bias[4 * h + 3] - bias[4 * h + 2];
	return out;
}

/* ---- slopes ---------------------------------------------------------------------------------- */

/* Fills slopes by the rule `which` of those that people use; false: there are no more. */
static bool slopes_by(size_t which, size_t heads, double *out, const char **text, struct arena *a)
{
	size_t above = 1;
	while (above < heads)
		above *= 2;
	switch (which) {
	case 0:
		*text = arena_printf(
			a, "slopes 2^(−8i/%zu) for all %zu heads, as if it were a power of two",
			heads, heads);
		for (size_t i = 0; i < heads; i++)
			out[i] = exp2(-8.0 * (double)(i + 1) / (double)heads);
		return true;
	case 1:
		*text = arena_printf(a, "the first %zu of the slopes of %zu heads", heads, above);
		for (size_t i = 0; i < heads; i++)
			out[i] = exp2(-8.0 * (double)(i + 1) / (double)above);
		return true;
	case 2:
		*text = "slopes that begin with 1, 2^(−8i/h) from i = 0";
		for (size_t i = 0; i < heads; i++)
			out[i] = exp2(-8.0 * (double)i / (double)heads);
		return true;
	default:
		return false;
	}
}

static bool same_slopes(const struct search *s, const double *is, const double *want, double factor,
			bool backwards)
{
	for (size_t h = 0; h < s->heads; h++) {
		const double x = factor * want[backwards ? s->heads - 1 - h : h];
		if (fabs(is[h] - x) > allowed(s, x))
			return false;
	}
	return true;
}

/* Names the rule that the slopes of the tensor follow; the model's own first, with a factor or in another
 * order. */
static void try_slopes(const struct search *s, const double *is, const double *own)
{
	double *const by = arena_calloc(s->a, s->heads, sizeof *by);
	const char *text = "the model's slopes";
	memcpy(by, own, s->heads * sizeof *by);
	for (size_t which = 0;; which++) {
		const double factor = is[0] / by[0], back = is[0] / by[s->heads - 1];
		if (same_slopes(s, is, by, 1, false))
			s->out->fits = text;
		else if (same_slopes(s, is, by, -1, false))
			s->out->fits = arena_printf(s->a, "%s with the other sign", text);
		else if (same_slopes(s, is, by, 1, true))
			s->out->fits = arena_printf(s->a, "%s, heads in the other order", text);
		else if (same_slopes(s, is, by, factor, false))
			s->out->fits = arena_printf(s->a, "%s times %s", text,
						    known_number(factor, 6, s->a));
		else if (same_slopes(s, is, by, back, true))
			s->out->fits = arena_printf(s->a, "%s times %s, heads in the other order",
						    text, known_number(back, 6, s->a));
		if (s->out->fits || !slopes_by(which, s->heads, by, &text, s->a))
			return;
	}
}

/* Returns the slopes of a bias, and whether it is nothing else: m (s − t), but for a number of each row. */
static bool slopes_of(const struct search *s, bool sides, double *out)
{
	const struct way *const w = &ways[0];
	const size_t last = s->n - 1;
	if (s->n < 2)
		return false;
	for (size_t h = 0; h < s->heads; h++) {
		out[h] = cell(s, w, h, last, last) - cell(s, w, h, last, last - 1);
		for (size_t t = s->kind == BIAS_KEYS ? last : 0; t < s->n; t++)
			for (size_t k = 0; k < s->n; k++) {
				const double x = cell(s, w, h, t, k), at = cell(s, w, h, t, t);
				const double d = (double)k - (double)t;
				const double want = at + out[h] * (sides ? -fabs(d) : d);
				if (!hidden(x) &&
				    fabs(x - want) > 2 * allowed(s, fmax(fabs(x), fabs(at))))
					return false;
			}
	}
	return true;
}

static void try_lines(const struct search *s)
{
	static const char *const both[][2] = {{"causal", "off"}}, *const one[][2] = {
									  {"causal", "on"}};
	double *const is = arena_calloc(s->a, s->heads, sizeof *is);
	double *const own = own_slopes(s, NULL);
	if (!own || try_params(s, "alibi", both, 1, "−m |t − s|, causal=off") ||
	    try_params(s, "alibi", one, 1, "m (s − t), causal=on"))
		return;
	for (int sides = 0; sides <= 1 && !s->out->fits; sides++)
		if (slopes_of(s, sides == 1, is)) {
			try_slopes(s, is, own);
			if (s->out->fits && sides)
				s->out->fits = arena_printf(s->a, "%s, −m |t − s|", s->out->fits);
		}
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool fit_pairs(struct search *s, const char *scheme, struct err *err)
{
	double *bias;
	if (!evaluate_bias(s, s->setup->scheme, &bias, err))
		return false;
	s->out->equal = compare(s, bias, &ways[0], false, s->out);
	if (s->out->equal)
		return true;
	struct bias_fit rows = *s->out;
	rows.difference = 0;
	if (compare(s, bias, &ways[0], true, &rows)) {
		*s->out = rows;
		s->out->equal = s->out->but_rows = true;
		return true;
	}
	if (any_way(s, bias, NULL))
		return true;
	if (strcmp(scheme, "t5") == 0)
		try_buckets(s);
	else
		try_lines(s);
	return true;
}

/* Notes where two lists of numbers part; returns whether they do not. */
static bool compare_lists(const struct search *s, const double *want, size_t rows, size_t cols)
{
	bool equal = true;
	for (size_t i = 0; i < rows * cols; i++) {
		const double by = fabs(s->at[i] - want[i]), most = allowed(s, want[i]);
		if (by >= s->out->difference) {
			s->out->difference = by;
			s->out->allowed = most;
		}
		if (by > most && equal) {
			s->out->query = i / cols;
			s->out->head = i % cols;
			s->out->expected = want[i];
			s->out->found = s->at[i];
			equal = false;
		}
	}
	return equal;
}

static bool fit_slopes(struct search *s, struct err *err)
{
	double *const own = own_slopes(s, err);
	if (!own)
		return false;
	s->out->equal = compare_lists(s, own, 1, s->heads);
	if (!s->out->equal)
		try_slopes(s, s->at, own);
	return true;
}

/* Returns whether the file's table is the model's when row `row` is where this says, from the last head on
 * if `backwards`. */
static bool table_is(const struct search *s, struct mat own, size_t shift, bool backwards,
		     double factor)
{
	for (size_t r = 0; r < own.rows; r++)
		for (size_t h = 0; h < own.cols; h++) {
			const double x = factor * mat_row(own, (r + shift) % own.rows)[h];
			const size_t head = backwards ? own.cols - 1 - h : h;
			if (fabs(s->at[r * own.cols + head] - x) > allowed(s, x))
				return false;
		}
	return true;
}

static bool fit_table(struct search *s, struct err *err)
{
	struct built *const b = arena_calloc(s->a, 1, sizeof *b);
	struct mat own = {0};
	if (!setup_build(s->setup, s->a, b, err))
		return false;
	for (size_t i = 0; i < b->model.n_leaves && !own.at; i++)
		if (strcmp(b->model.leaves[i].base, "bias_table") == 0)
			own = model_leaf_at(&b->model, &b->model.leaves[i]);
	if (!own.at || own.rows != s->positions || own.cols != s->heads)
		return err_set(err,
			       "it has %zu rows of %zu numbers, and the model's table %zu of %zu",
			       s->positions, s->heads, own.rows, own.cols);
	s->out->equal = compare_lists(s, own.at, own.rows, own.cols);
	if (s->out->equal)
		return true;
	const double factor = s->at[0] / own.at[0];
	s->out->fits = table_is(s, own, own.rows / 2, false, 1) ? "the two directions exchanged"
		       : table_is(s, own, 0, true, 1)		? "heads in the other order"
		       : table_is(s, own, 0, false, factor)
			       ? arena_printf(s->a, "the model's numbers times %s",
					      known_number(factor, 6, s->a))
			       : NULL;
	return true;
}

static bool is_learned(const struct setup *setup)
{
	return *setup->params && strstr(setup->map, "bias_table=");
}

bool bias_fit(const struct setup *setup, const struct known *k, const struct tensor *t,
	      enum bias_kind kind, struct arena *a, struct bias_fit *out, struct err *err)
{
	size_t shape[TENSOR_DIMS];
	const size_t dims = squeezed(t, shape);
	struct search s = {.setup = setup, .a = a, .kind = kind, .at = t->at, .out = out};
	*out = (struct bias_fit){.kind = kind, .heads = (size_t)k->heads};
	s.heads = out->heads;
	s.type = number_type_of(tensor_mat(t));
	out->type = s.type->name;
	if (kind == BIAS_IDS) {
		ids_fit(k, t, a, out);
		return true;
	}
	s.positions = kind == BIAS_SLOPES ? 1 : kind == BIAS_TABLE ? shape[0] : shape[dims - 1];
	s.n = s.positions < MOST_POSITIONS ? s.positions : MOST_POSITIONS;
	out->positions = s.positions;
	out->compared = s.n;
	const char *const scheme = scheme_of(&s);
	const bool t5 = scheme && strcmp(scheme, "t5") == 0;
	if (!scheme || (kind == BIAS_TABLE && !t5) || (kind == BIAS_SLOPES && t5))
		return err_set(err, "the positions of the model are %.200s, which has no %s",
			       setup->scheme,
			       kind == BIAS_SLOPES  ? "slopes"
			       : kind == BIAS_TABLE ? "table of buckets"
						    : "bias of T5 or ALiBi");
	if (t5 && !is_learned(setup))
		return err_set(err, "the bias of the model is learned, and its numbers are not "
				    "there; the directory of its files would be right");
	return kind == BIAS_SLOPES  ? fit_slopes(&s, err)
	       : kind == BIAS_TABLE ? fit_table(&s, err)
				    : fit_pairs(&s, scheme, err);
}
