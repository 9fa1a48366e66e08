/* equation.c: see equation.h.
 *
 * A line of an equation is not broken before an arrow if that can be avoided, so that a result of
 * the equation and the function of it stay together. */
#include "posviz/plot/equation.h"

#include <string.h>

static bool is_operand(const struct panel *p)
{
	return p->operand.sign != SIGN_NONE;
}

bool equation_is(const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (is_operand(&f->panels[i]))
			return true;
	return false;
}

bool equation_on_page(const struct figure *f)
{
	return !f->cells_equation && equation_is(f);
}

/* ---- operators ------------------------------------------------------------------------------- */

static void add_sign(struct signs *s, const char *text)
{
	if (s->n < EQUATION_SIGNS)
		s->text[s->n++] = text;
}

static const char *sign_text(const struct panel *p)
{
	static const char *const texts[] = {
		[SIGN_NONE] = "",   [SIGN_FIRST] = "",	 [SIGN_PLUS] = "+",
		[SIGN_TIMES] = "⊙", [SIGN_EQUALS] = "=", [SIGN_BECOMES] = ""};
	return p->operand.sign == SIGN_BECOMES ? p->operand.done : texts[p->operand.sign];
}

/* Returns the letter of a matrix: "A" of "A_{ts}". */
static const char *letter_of(const struct panel *p, struct arena *a)
{
	const char *formula = p->operand.formula != NULL ? p->operand.formula : "";
	return arena_strndup(a, formula, strcspn(formula, "_^ "));
}

/* The terms that are left out between two matrices. */
struct left_out {
	size_t n, small; /* small: EQUATION_SMALL */
	bool begin;	 /* an equation begins with them */
};

/* Adds "+ 2 terms", or "+ 8 small terms". */
static void add_terms(struct signs *s, struct left_out *terms, struct arena *a)
{
	const char *before = !terms->begin ? "+ " : s->n > 0 ? "; " : "";
	if (terms->n > 0)
		add_sign(s, arena_printf(a, "%s%zu %sterm%s", before, terms->n,
					 terms->small == terms->n ? "small " : "",
					 terms->n > 1 ? "s" : ""));
	*terms = (struct left_out){.begin = terms->begin};
}

/* Adds the matrices between panels `from` and `to` that are left out, in their order: terms by
 * their number, others by their letters. Small terms before a term that is shown wait in `waiting`
 * unless it is NULL. */
static void add_left_out(const struct figure *f, const bool *on, size_t from, size_t to,
			 struct left_out *waiting, struct arena *a, struct signs *s)
{
	struct left_out terms = waiting ? *waiting : (struct left_out){0};
	for (size_t i = from; i < to; i++) {
		const struct panel *p = &f->panels[i];
		const enum sign sign = p->operand.sign;
		if (!is_operand(p) || on[i] || p->operand.implied)
			continue;
		if (sign != SIGN_PLUS) {
			add_terms(s, &terms, a);
			terms.begin = sign == SIGN_FIRST;
		}
		if (sign == SIGN_PLUS || sign == SIGN_FIRST) {
			terms.n++;
			terms.small += p->priority >= EQUATION_SMALL;
		}
		if (sign == SIGN_TIMES || sign == SIGN_EQUALS || sign == SIGN_BECOMES)
			add_sign(s,
				 arena_printf(a, "%s %s", sign == SIGN_BECOMES ? "→" : sign_text(p),
					      letter_of(p, a)));
	}
	const bool wait = waiting && to < f->n && f->panels[to].operand.sign == SIGN_PLUS &&
			  !terms.begin && s->n == 0 && terms.small == terms.n;
	if (waiting)
		*waiting = wait ? terms : (struct left_out){0};
	if (!wait)
		add_terms(s, &terms, a);
}

/* Fills an equation with the panels that are on. With `gather`, small terms that are left out wait for the end of the
 * sum; returns whether any did. */
static bool fill(const struct figure *f, const bool *on, bool gather, struct arena *a,
		 struct equation *e)
{
	size_t from = 0;
	bool any = false;
	struct left_out terms = {0}, *const waiting = gather ? &terms : NULL;
	*e = (struct equation){.figure = f};
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *p = &f->panels[i];
		struct signs *s = &e->signs[e->n];
		if (!is_operand(p) || !on[i])
			continue;
		add_left_out(f, on, from, i, waiting, a, s);
		any |= terms.n > 0;
		if (*sign_text(p) != '\0')
			add_sign(s, sign_text(p));
		s->arrow = p->operand.sign == SIGN_BECOMES;
		e->panel[e->n++] = i;
		from = i + 1;
	}
	add_left_out(f, on, from, f->n, waiting, a, &e->signs[e->n]);
	return any;
}

void equation_of(const struct figure *f, const bool *on, struct arena *a, struct equation *e)
{
	fill(f, on, false, a, e);
}

bool equation_gathered(const struct figure *f, const bool *on, struct arena *a, struct equation *e)
{
	return fill(f, on, true, a, e);
}

/* ---- lines --------------------------------------------------------------------------------------- */

static enum sign sign_of(const struct equation *e, size_t i)
{
	return e->figure->panels[e->panel[i]].operand.sign;
}

bool equation_begins(const struct equation *e, size_t i)
{
	return i > 0 && i < e->n && sign_of(e, i) == SIGN_FIRST;
}

/* Returns how many matrices from i on stay together in a line: a whole equation, if it has room;
 * those from its last "=" on; an arrow with the matrix before it. */
static size_t together(const struct equation *e, size_t i, size_t cols)
{
	size_t all = 1, tail = 1;
	while (i + all < e->n && sign_of(e, i + all) != SIGN_FIRST)
		all++;
	while (i + tail < e->n && sign_of(e, i + tail) == SIGN_BECOMES)
		tail++;
	if (sign_of(e, i) == SIGN_FIRST && all <= cols)
		return all;
	return sign_of(e, i) == SIGN_EQUALS && tail <= cols ? tail : 1;
}

void equation_flow(struct equation *e, size_t cols)
{
	size_t line = 0, col = 0;
	e->cols = 0;
	for (size_t i = 0; i < e->n; i++) {
		const bool begins = equation_begins(e, i) &&
				    together(e, i, cols) > cols - (col < cols ? col : cols);
		if (i > 0 && (begins || col + together(e, i, cols) > cols)) {
			line++;
			col = 0;
		}
		e->line[i] = line;
		e->col[i] = col++;
		e->cols = col > e->cols ? col : e->cols;
	}
	e->lines = e->n > 0 ? line + 1 : 0;
}

/* ---- visible matrices ------------------------------------------------------------------------ */

void equation_all(const struct figure *f, size_t focus, bool *on)
{
	for (size_t i = 0; i < f->n; i++)
		on[i] = is_operand(&f->panels[i]) && (!f->panels[i].operand.implied || i == focus);
}

bool equation_drop(const struct figure *f, size_t focus, bool *on)
{
	size_t out = f->n, seen = 0;
	for (size_t i = 0; i < f->n; i++) {
		seen += on[i];
		if (on[i] && i != focus &&
		    (out == f->n || f->panels[i].priority >= f->panels[out].priority))
			out = i;
	}
	if (out == f->n || seen < 2)
		return false;
	on[out] = false;
	return true;
}

bool equation_drop_small(const struct figure *f, size_t focus, bool *on)
{
	size_t dropped = 0, left = 0;
	for (size_t i = 0; i < f->n; i++) {
		const bool drop = on[i] && i != focus && f->panels[i].priority >= EQUATION_SMALL;
		on[i] &= !drop;
		dropped += drop;
		left += on[i];
	}
	return dropped > 0 && left > 1;
}

/* ---- shares and colour bars ------------------------------------------------------------------ */

const struct bars *equation_shares(const struct figure *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == PANEL_BARS && f->panels[i].absent == NULL)
			return f->panels[i].bars.n > 1 ? &f->panels[i].bars : NULL;
	return NULL;
}

size_t equation_share(const struct figure *f, size_t panel)
{
	const struct bars *shares = equation_shares(f);
	const char *term = f->panels[panel].term;
	for (size_t i = 0; shares != NULL && term != NULL && i < shares->n; i++)
		if (strcmp(shares->labels[i], term) == 0)
			return i;
	return SIZE_MAX;
}

bool equation_is_sum(const struct figure *f, size_t panel)
{
	return f->panels[panel].operand.sign == SIGN_EQUALS && panel > 0 &&
	       equation_share(f, panel - 1) != SIZE_MAX;
}

static bool same_scale(const struct heatmap *a, const struct heatmap *b)
{
	const struct scale *x = &a->scale, *y = &b->scale;
	return x->lo == y->lo && x->hi == y->hi && x->mode == y->mode &&
	       x->diverging == y->diverging && a->colormap == b->colormap;
}

size_t equation_bar(const struct equation *e, size_t panel)
{
	const struct figure *f = e->figure;
	size_t best = panel;
	int most = -1;
	for (size_t i = 0; i < e->n; i++) {
		const size_t at = e->panel[i];
		if (f->panels[at].absent != NULL ||
		    !same_scale(&f->panels[at].heatmap, &f->panels[panel].heatmap))
			continue;
		const int rank = equation_is_sum(f, at)		     ? 2
				 : equation_share(f, at) == SIZE_MAX ? 1
								     : 0;
		if (rank >= most) {
			best = at;
			most = rank;
		}
	}
	return best;
}

size_t equation_bar_maps(const struct equation *e, size_t panel)
{
	size_t n = 0;
	for (size_t i = 0; i < e->n; i++)
		n += equation_bar(e, e->panel[i]) == panel;
	return n;
}
