/* table_fit.c: see posviz/family/table_fit.h. A guess is a setting with the frequencies that it
 * gives; guesses are tried from the plainest on. */
#include "posviz/family/table_fit.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/scheme/rates.h"

const char *const table_kind_names[] = {"frequencies", "divisors", "cosines", "sines", NULL};
const char *const table_layout_names[] = {"once", "halves", "neighbours", NULL};
const char table_fit_tried[] =
	"another layer's rotation, no scaling, another length of the text, base, factor, share of the "
	"head, attention factor, positions from 1";

struct guess {
	const char *text; /* of the setting; NULL: as configured */
	const double *f;  /* [pairs] */
	const double *then;
	size_t pairs;
	double attention, first; /* of row 0, the position */
};

/* A tensor as a table: column i of row t belongs to pair i. */
struct table {
	struct mat m;
	enum table_kind kind;
	enum table_layout layout;
	size_t pairs;
	const struct number_type *type;
};

static double cell(const struct table *t, size_t row, size_t pair)
{
	return mat_row(t->m, row)[t->layout == TABLE_NEIGHBOURS ? 2 * pair : pair];
}

/* ---- the tensor ------------------------------------------------------------------------------ */

/* Returns whether a number has at most so many binary digits. */
static bool has_digits(double x, int digits)
{
	int exponent;
	const double scaled = ldexp(frexp(x, &exponent), digits);
	return isfinite(x) && fabs(scaled - nearbyint(scaled)) <= 0;
}

static bool all_have(struct mat m, int digits)
{
	for (size_t i = 0; i < m.rows * m.cols; i++)
		if (!has_digits(m.at[i], digits))
			return false;
	return true;
}

/* A number of F16 below 2^-14 has fewer digits, and a spacing of 2^-24. */
const struct number_type *number_type_of(struct mat m)
{
	static const struct number_type types[] = {{"BF16", 8, 1.0 / 128, 1e-6, 0},
						   {"F16", 11, 1.0 / 1024, 1e-6, 6e-8},
						   {"F32", 24, 4e-6, 1e-6, 0},
						   {"F64", 64, 1e-10, 1e-10, 0}};
	size_t i = 0;
	while (i < 3 && !all_have(m, types[i].digits))
		i++;
	return &types[i];
}

static bool repeats(struct mat m, size_t step, size_t apart)
{
	for (size_t r = 0; r < m.rows; r++)
		for (size_t i = 0; i < m.cols / 2; i++)
			if (fabs(mat_row(m, r)[i * step] - mat_row(m, r)[i * step + apart]) > 0)
				return false;
	return m.cols % 2 == 0 && m.cols > 0;
}

static bool first_row_is(struct mat m, double value)
{
	for (size_t i = 0; i < m.cols; i++)
		if (fabs(m.at[i] - value) > 0)
			return false;
	return true;
}

/* Cosines and sines tell themselves by the first row: position 0 has the angle 0. */
static bool find_kind(struct table *t, const char *name, struct err *err)
{
	const struct mat m = t->m;
	if (m.rows == 1) {
		t->kind = strstr(name, "rope_freqs") || strstr(name, "rope_factors")
				  ? TABLE_DIVISORS
				  : TABLE_FREQUENCIES;
		return true;
	}
	t->kind = first_row_is(m, 0) || strstr(name, "sin") ? TABLE_SIN : TABLE_COS;
	if (t->kind == TABLE_COS && !(first_row_is(m, m.at[0]) && m.at[0] > 0) &&
	    !strstr(name, "cos"))
		return err_set(
			err,
			"[%zu, %zu] is no table of cosines or sines, whose row of "
			"position 0 has one number throughout, unless its name has cos or sin; a list of frequencies has one row",
			m.rows, m.cols);
	return true;
}

static bool read_table(struct table *t, const char *name, struct mat m, struct err *err)
{
	*t = (struct table){.m = m};
	if (m.cols == 1) /* a column is a list too */
		t->m = (struct mat){.rows = 1, .cols = m.rows, .at = m.at};
	for (size_t i = 0; i < m.rows * m.cols; i++)
		if (!isfinite(m.at[i]))
			return err_set(err, "number %zu is not finite", i + 1);
	if (m.rows * m.cols == 0)
		return err_set(err, "it has no numbers");
	t->layout = repeats(t->m, 1, t->m.cols / 2) ? TABLE_HALVES
		    : repeats(t->m, 2, 1)	    ? TABLE_NEIGHBOURS
						    : TABLE_ONCE;
	t->pairs = t->layout == TABLE_ONCE ? t->m.cols : t->m.cols / 2;
	t->type = number_type_of(t->m);
	return find_kind(t, name, err);
}

/* ---- comparison ------------------------------------------------------------------------------ */

static double expected(const struct table *t, const struct guess *g, size_t row, size_t pair)
{
	const double angle = ((double)row + g->first) * g->f[pair];
	switch (t->kind) {
	case TABLE_COS:
		return g->attention * cos(angle);
	case TABLE_SIN:
		return g->attention * sin(angle);
	case TABLE_DIVISORS:
		return g->then[pair] / g->f[pair];
	case TABLE_FREQUENCIES:
		break;
	}
	return g->f[pair];
}

static double allowed(const struct table *t, const struct guess *g, size_t row, size_t pair)
{
	if (t->kind == TABLE_COS || t->kind == TABLE_SIN)
		return g->attention *
		       (t->type->eps + ((double)row + g->first) * g->f[pair] * t->type->angle_eps);
	return t->type->eps * fabs(expected(t, g, row, pair)) + t->type->least;
}

/* Returns whether the guess gives the table; pairs come before positions. `out` gets the numbers, or
 * is NULL. */
static bool compare(const struct table *t, const struct guess *g, struct table_fit *out)
{
	bool equal = true;
	if (g->pairs != t->pairs)
		return false;
	for (size_t i = 0; i < t->pairs; i++)
		for (size_t row = 0; row < t->m.rows; row++) {
			const double want = expected(t, g, row, i), is = cell(t, row, i);
			const double most = allowed(t, g, row, i), by = fabs(is - want);
			const bool cells = t->kind == TABLE_COS || t->kind == TABLE_SIN;
			const double unit = cells || want == 0 ? 1 : fabs(want);
			if (out && by / unit >= out->difference) {
				out->difference = by / unit;
				out->allowed = most / unit;
			}
			if (!(by > most))
				continue;
			if (out && equal) {
				out->pair = i;
				out->position = row;
				out->expected = want;
				out->found = is;
			}
			equal = false;
			if (!out)
				return false;
		}
	return equal;
}

/* ---- guesses --------------------------------------------------------------------------------- */

struct search {
	const struct known *k;
	const struct table *t;
	struct arena *a;
	size_t t_max;
	double n; /* tokens of the text */
	const char *fits;
};

static bool guess_of(const struct search *s, const struct expr_member *m, double n,
		     struct guess *out)
{
	struct member_rates rates;
	if (!member_rates(m, (size_t)s->k->head_dim, s->t_max, n, s->a, &rates))
		return false;
	*out = (struct guess){.f = rates.now,
			      .then = rates.then,
			      .pairs = rates.pairs,
			      .attention = rates.attention};
	return true;
}

static const char *show(const struct search *s, double x)
{
	char text[32];
	return arena_strdup(s->a, num_print(text, sizeof text, num_rounded(x)));
}

/* Returns by what the table multiplies cosines and sines of these frequencies; 0: unknown. */
static double factor_seen(const struct table *t, const struct guess *g)
{
	if (t->kind == TABLE_COS)
		return cell(t, 0, 0);
	const double sine = sin(g->f[0] * (1 + g->first));
	return t->kind == TABLE_SIN && t->m.rows > 1 && fabs(sine) > 0.01 ? cell(t, 1, 0) / sine
									  : 0;
}

/* Tries a guess, then with the table's attention factor. */
static bool try(struct search *s, struct guess g)
{
	if (s->fits || g.pairs != s->t->pairs)
		return false;
	if (compare(s->t, &g, NULL)) {
		s->fits = g.text;
		return true;
	}
	const double seen = factor_seen(s->t, &g), had = g.attention;
	g.attention = seen;
	if (!(seen > 0) || fabs(seen - had) <= 1e-9 || !compare(s->t, &g, NULL))
		return false;
	s->fits = arena_printf(s->a, "%s%sattention factor %s in place of %s on cosines and sines",
			       g.text ? g.text : "", g.text ? ", " : "",
			       seen < 1 || seen > 1 ? show(s, seen) : "1", show(s, had));
	return true;
}

/* Tries the guess without its scaling, too. */
static void try_both(struct search *s, const struct guess *g, const char *text)
{
	struct guess one = *g;
	bool same = true;
	for (size_t i = 0; i < g->pairs; i++)
		same &= fabs(g->f[i] - g->then[i]) <= 1e-12 * g->then[i];
	one.text = text;
	try(s, one);
	one.f = g->then;
	one.text = text ? arena_printf(s->a, "no scaling, %s", text) : "no scaling";
	one.attention = 1;
	if (!same)
		try(s, one);
	one = *g;
	one.first = 1;
	one.text = text ? arena_printf(s->a, "positions counted from 1, %s", text)
			: "positions counted from 1";
	if (s->t->kind == TABLE_COS || s->t->kind == TABLE_SIN)
		try(s, one);
}

/* Returns the member with a parameter changed to a number, and the setting as text; NULL: it has
 * none of this name, or not in this range. */
static struct expr_member *changed(const struct search *s, const struct expr_member *m,
				   const char *name, double value, const char **text)
{
	struct expr *const e = arena_calloc(s->a, 1, sizeof *e);
	e->members[0] = *m;
	e->n = 1;
	struct expr_member *const one = &expr_copy(e, s->a)->members[0];
	for (const struct param *p = m->scheme->params; p && p->name; p++) {
		if (strcmp(p->name, name) != 0 || !param_is_used(p, m->param))
			continue;
		const char *const now = param_print(p, m->param, s->a), *const to = show(s, value);
		if (!param_set(p, one->param, to, strlen(to), s->a, NULL))
			return NULL;
		*text = arena_printf(s->a, "%s %s in place of %s", name, to, now);
		return one;
	}
	return NULL;
}

static void try_setting(struct search *s, const struct expr_member *m, const char *name,
			double value)
{
	struct guess g;
	const char *text;
	if (!(value > 0) || !isfinite(value) || s->fits)
		return;
	const struct expr_member *const one = changed(s, m, name, value, &text);
	if (one && guess_of(s, one, s->n, &g))
		try_both(s, &g, text);
}

/* Returns the number with three significant digits, if it is as near as an estimate can be. */
static double plain(double x)
{
	const double unit = pow(10, floor(log10(x)) - 2);
	const double near = nearbyint(x / unit) * unit;
	return fabs(near - x) < 0.02 * x ? near : x;
}

/* Tries a number as it was estimated, and the plain numbers near it. */
static void try_near(struct search *s, const struct expr_member *m, const char *name, double value)
{
	if (!(value > 0) || !isfinite(value))
		return;
	const double unit = pow(10, floor(log10(value)));
	try_setting(s, m, name, nearbyint(value / unit) * unit);
	try_setting(s, m, name, nearbyint(10 * value / unit) * unit / 10);
	try_setting(s, m, name, plain(value));
	try_setting(s, m, name, nearbyint(value));
	try_setting(s, m, name, value);
}

/* Estimates the frequency of a pair from the table, where it is about `near`; 0: it cannot. */
static double estimate(const struct table *t, size_t pair, double near)
{
	if (t->kind == TABLE_FREQUENCIES)
		return cell(t, 0, pair);
	if (t->kind == TABLE_DIVISORS || t->m.rows < 2)
		return 0;
	const double last = (double)t->m.rows - 1;
	const double row = fmax(1, fmin(last, near > 0 ? floor(1 / near) : 1));
	const double top = t->kind == TABLE_COS ? cell(t, 0, 0) : 1;
	const double x = cell(t, (size_t)row, pair) / top;
	return fabs(x) > 1 ? 0 : (t->kind == TABLE_COS ? acos(x) : asin(x)) / row;
}

static const double common_bases[] = {1e4, 5e5, 1e6, 1.5e5, 1.6e5, 2e6,
				      5e6, 1e7, 1e5, 8e6,   75e3,  5e4};
static const double common_factors[] = {2, 4, 8, 16, 32, 40, 64};

static void try_settings(struct search *s, const struct expr_member *m, const struct guess *g)
{
	const size_t pairs = s->t->pairs;
	const double share = 2 * (double)pairs / (double)s->k->head_dim;
	const struct expr_member *of = m;
	const char *text;
	if (pairs != g->pairs) { /* further settings would not be seen beside it */
		try_setting(s, m, "partial", share);
		of = changed(s, m, "partial", share, &text);
	}
	for (double n = 1; of && n < 3; n++) {
		const double near = pow(1e4, -1.0 / (double)pairs);
		const double slow = n > 1 && g->pairs > 1 ? g->then[1] / g->f[1] : 1;
		const double first = pairs > 1 ? slow * estimate(s->t, 1, near) : 0;
		if (first > 0 && first < 1)
			try_near(s, of, "base", pow(first, -(double)pairs));
	}
	for (size_t i = 0; of && i < sizeof common_bases / sizeof *common_bases; i++)
		try_setting(s, of, "base", common_bases[i]);
	if (pairs != g->pairs)
		return;
	const double last = estimate(s->t, pairs - 1, g->f[pairs - 1]);
	if (last > 0)
		try_near(s, m, "factor", g->then[pairs - 1] / last);
	for (size_t i = 0; i < sizeof common_factors / sizeof *common_factors; i++)
		try_setting(s, m, "factor", common_factors[i]);
	try_setting(s, m, "original", (double)s->k->declared);
}

/* Tries all frequencies divided by one number. */
static void try_linear(struct search *s, const struct guess *g)
{
	struct guess one = *g;
	double *const f = arena_calloc(s->a, g->pairs + 1, sizeof *f);
	const double seen = estimate(s->t, 0, g->then[0] / 4);
	const double by[] = {seen > 0 ? plain(g->then[0] / seen) : 2, 2, 4, 8, 16};
	one.f = f;
	for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
		for (size_t i = 0; i < g->pairs; i++)
			f[i] = g->then[i] / by[k];
		one.text = arena_printf(s->a, "linear scaling with factor %s", show(s, by[k]));
		if (fabs(by[k] - 1) > 1e-9)
			try(s, one);
	}
}

/* Tries exponents that count by the columns of the whole head, where a part of it rotates. */
static void try_whole_head(struct search *s, const struct expr_member *m)
{
	const double dk = (double)s->k->head_dim, share = 2 * (double)s->t->pairs / dk;
	double *const f = arena_calloc(s->a, s->t->pairs + 1, sizeof *f);
	struct member_rates rates;
	if (share >= 1 || !member_rates(m, (size_t)dk, s->t_max, s->n, s->a, &rates))
		return;
	for (size_t i = 0; i < s->t->pairs; i++)
		f[i] = pow(rates.base, -2 * (double)i / dk);
	try(s,
	    (struct guess){
		    .text = arena_printf(
			    s->a,
			    "%s of the head rotated, exponents -2i/d_h counted by the whole head",
			    show(s, share)),
		    .f = f,
		    .then = f,
		    .pairs = s->t->pairs,
		    .attention = 1});
}

static void search(struct search *s, const struct expr *e, const struct expr_member *m,
		   const struct guess *g)
{
	struct guess one;
	try_both(s, g, NULL);
	for (size_t i = 0; i < e->n; i++)
		if (&e->members[i] != m && guess_of(s, &e->members[i], s->n, &one))
			try_both(s, &one,
				 arena_printf(s->a, "the rotation of other layers, %s",
					      expr_print_member(&e->members[i], s->a)));
	const double all = (double)s->k->declared, lengths[] = {1, all, 2 * all, 4 * all, 8 * all};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
		if (lengths[i] > 0 && guess_of(s, m, lengths[i], &one)) {
			one.text = arena_printf(s->a, "a text of %.0f token%s", lengths[i],
						i == 0 ? "" : "s");
			try(s, one);
		}
	try_linear(s, g);
	try_whole_head(s, m);
	try_settings(s, m, g);
}

/* ---- the rotation ---------------------------------------------------------------------------- */

/* Returns the layer that a name has behind "layer", "layers", "blk", "h" or "block"; -1: none. */
static long layer_in(const char *name)
{
	for (const char *at = name; (at = strchr(at, '.')) != NULL; at++) {
		char *end;
		if (!isdigit((unsigned char)at[1]))
			continue;
		const long n = strtol(at + 1, &end, 10);
		if (*end == '.')
			return n;
	}
	return -1;
}

/* Chooses the member whose rotation is compared: that of the layer in the name, else the first that
 * gives the table, else the first. */
static const struct expr_member *choose(struct search *s, const struct expr *e, const char *name,
					struct guess *out)
{
	const long layer = layer_in(name);
	const struct expr_member *first = NULL;
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *const m = &e->members[i];
		struct guess g;
		if (!guess_of(s, m, s->n, &g) ||
		    (layer >= 0 && !subset_has(&m->layers, (size_t)layer)))
			continue;
		if (!first || (layer < 0 && compare(s->t, &g, NULL))) {
			const bool fits = first != NULL;
			first = m;
			*out = g;
			if (fits)
				break;
		}
		if (compare(s->t, out, NULL))
			break;
	}
	return first;
}

bool table_fit(const struct known *k, const char *name, struct mat m, struct arena *a,
	       struct table_fit *out, struct err *err)
{
	const struct expr *const e = k->expression ? expr_of(k->expression, a, err) : NULL;
	struct table t;
	struct guess g;
	*out = (struct table_fit){0};
	if (!e)
		return k->expression ? false : err_set(err, "its positions are not known");
	if (!read_table(&t, name, m, err))
		return false;
	/* The library makes its list before it sees a text. */
	struct search s = {.k = k,
			   .t = &t,
			   .a = a,
			   .t_max = k->declared > 0 ? (size_t)k->declared : 512,
			   .n = (double)t.m.rows};
	const struct expr_member *const member = choose(&s, e, name, &g);
	if (!member)
		return err_set(err, "%s rotates nothing%s that a table could be compared with",
			       k->expression, layer_in(name) >= 0 ? " in this layer" : "");
	out->kind = t.kind;
	out->layout = t.layout;
	out->type = t.type->name;
	out->positions = t.m.rows;
	out->pairs = t.pairs;
	out->expected_pairs = g.pairs;
	out->member = expr_print_member(member, a);
	out->equal = compare(&t, &g, out);
	if (!out->equal)
		search(&s, e, member, &g);
	out->fits = s.fits;
	return true;
}
