/* quiz_draw.c: a matrix or a curve, and the question which scheme drew it. The other options are schemes whose picture
 * is another, on the same words, for the eye: far ones where families are told apart, the nearest where relatives are. */
#include <math.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/view/view.h"
#include "quiz_in.h"

enum { WITH_MASK = 2, TRIED = 16, SAY_MOST = 170, SAY_LONGEST = 240 };

/* The pool that options are drawn from, and the input that they are seen on. */
struct round {
	struct maker *m;
	enum quiz_level level;
	enum seen seen;
	const char *lines; /* that bring tokens */
	bool causal;	   /* all of them get the mask, so that it tells nothing */
	size_t row;	   /* of variants */
	struct choice *pool;
	size_t n;
	size_t taken[TOUR_OPTIONS]; /* of the pool; the first is right */
	size_t n_taken;
	double apart; /* the least of what is taken from the right one */
};

static const char *expression_of(const struct round *r, const struct choice *c)
{
	return r->causal ? arena_printf(r->m->a, "%s+causal", c->expression) : c->expression;
}

static const char *lines_of(const struct round *r, const struct choice *c)
{
	return arena_printf(r->m->a, "seed %llu\n%s\nscheme %s\n",
			    (unsigned long long)r->m->wish->seed, r->lines, expression_of(r, c));
}

static const struct look *look_of(const struct round *r, size_t i)
{
	return maker_look(r->m, lines_of(r, &r->pool[i]));
}

/* How far the pictures of two are apart; of families all members count. NaN: they are not to be compared. */
static double apart(const struct round *r, size_t i, size_t k)
{
	const struct look *const x = look_of(r, i), *const y = look_of(r, k);
	return x && y ? look_apart(x, y, r->seen) : NAN;
}

static double apart_of_family(const struct round *r, size_t right, size_t family)
{
	double least = NAN;
	for (size_t i = 0; i < r->n; i++)
		if (r->pool[i].family == family)
			least = fmin(least, apart(r, right, i)); /* fmin leaves NaN out */
	return least;
}

/* Far enough from all that are taken, and of no family that is. */
static bool take(struct round *r, size_t i, double least)
{
	double nearest = INFINITY;
	for (size_t k = 0; k < r->n_taken; k++) {
		const double d = k == 0 && r->level == QUIZ_FAMILIES
					 ? apart_of_family(r, r->taken[0], r->pool[i].family)
					 : apart(r, r->taken[k], i);
		if (!(d >= least) || !isfinite(d) ||
		    r->pool[r->taken[k]].family == r->pool[i].family)
			return false;
		nearest = k == 0 ? d : nearest;
	}
	r->apart = fmin(r->apart, nearest);
	r->taken[r->n_taken++] = i;
	return true;
}

/* ---- the right one ----------------------------------------------------------------------------------- */

static bool was_asked(const struct maker *m, const char *about)
{
	for (size_t i = 0; i < m->out->n; i++)
		if (strcmp(m->used[i], about) == 0)
			return true;
	return false;
}

static const char *about_of(const struct round *r, size_t i)
{
	return arena_printf(r->m->a, "%s %s", seen_panes[r->seen], r->pool[i].expression);
}

/* Its picture has this panel and something on it. */
static bool can_be_right(const struct round *r, size_t i)
{
	const struct look *const l = look_of(r, i);
	if (!l || !l->at[r->seen].at || was_asked(r->m, about_of(r, i)))
		return false;
	const struct mat m = l->at[r->seen];
	for (size_t k = 0; k < m.rows * m.cols; k++)
		if (fabs(m.at[k]) > 1e-9)
			return true;
	return false;
}

static size_t *shuffled(struct maker *m, size_t n)
{
	size_t *const at = arena_calloc(m->a, n + 1, sizeof *at);
	for (size_t i = 0; i < n; i++)
		at[i] = i;
	rng_shuffle(&m->rng, at, n);
	return at;
}

/* ---- the others -------------------------------------------------------------------------------------- */

/* By chance, and twice as far as must be where schemes are not yet relatives. */
static void take_any(struct round *r, const size_t *order)
{
	const double least = look_least(r->seen) * (r->level == QUIZ_SCHEMES ? 2 : 1);
	for (size_t i = 0; i < r->n && r->n_taken < TOUR_OPTIONS; i++)
		if (order[i] != r->taken[0])
			take(r, order[i], least);
}

/* Takes the nearest of those that are far enough. */
static void take_nearest(struct round *r, const size_t *order)
{
	size_t tried[TRIED], n = 0;
	double far[TRIED];
	for (size_t i = 0; i < r->n && n < TRIED; i++) {
		const double d = order[i] == r->taken[0] ? NAN : apart(r, r->taken[0], order[i]);
		if (!isfinite(d))
			continue;
		size_t k = n++;
		for (; k > 0 && far[k - 1] > d; k--) {
			far[k] = far[k - 1];
			tried[k] = tried[k - 1];
		}
		far[k] = d;
		tried[k] = order[i];
	}
	for (size_t i = 0; i < n && r->n_taken < TOUR_OPTIONS; i++)
		take(r, tried[i], look_least(r->seen));
}

static bool fill(struct round *r)
{
	struct maker *const m = r->m;
	const size_t *const order = shuffled(m, r->n);
	r->apart = INFINITY;
	for (size_t i = 0; i < r->n && r->n_taken == 0; i++)
		if (can_be_right(r, order[i]))
			r->taken[r->n_taken++] = order[i];
	if (r->n_taken == 0)
		return false;
	if (r->level == QUIZ_RELATIVES || r->level == QUIZ_STRUCTURES)
		take_nearest(r, order);
	else
		take_any(r, order);
	return r->n_taken >= (r->level == QUIZ_VARIANTS ? 3 : TOUR_OPTIONS);
}

/* ---- what is written --------------------------------------------------------------------------------- */

static const char *ask_of(const struct round *r)
{
	static const char *const of_scheme[SEEN_COUNT] = {
		"Which scheme adds this to the logits?",
		"Which scheme makes these attention weights?",
		"Which scheme has this curve, the mean bias by distance?"};
	static const char *const of_family[SEEN_COUNT] = {
		"What kind of scheme adds this to the logits?",
		"What kind of scheme makes these attention weights?",
		"What kind of scheme has this curve, the mean bias by distance?"};
	return r->level == QUIZ_VARIANTS   ? pool_ask(r->row)
	       : r->level == QUIZ_FAMILIES ? of_family[r->seen]
					   : of_scheme[r->seen];
}

static const struct scheme *scheme_of(const char *expression, struct arena *a)
{
	const struct expr *const e = expr_of(expression, a, NULL);
	BUG_IF(!e);
	return expr_main(e)->scheme;
}

/* Its name, and what there is to see. */
static const char *say_of(const struct round *r)
{
	struct arena *const a = r->m->a;
	const struct choice *const right = &r->pool[r->taken[0]];
	const struct scheme *const s = scheme_of(right->expression, a);
	const char *const seen = look_say(look_of(r, r->taken[0]), r->seen, a);
	const char *const what = *seen ? arena_printf(a, " Here it %s.", seen) : "";
	const char *const name =
		r->level == QUIZ_VARIANTS
			? arena_printf(a, "%s: %s.", right->expression, right->text)
			: arena_printf(a, "%s (%s), %s %d.", s->title, s->id, s->authors, s->year);
	const char *const about = view_first_sentence(s->about, a);
	const char *const tries[] = {arena_printf(a, "%s%s %s", name, what, about),
				     arena_printf(a, "%s%s", name, what)};
	return text_width(tries[0]) <= SAY_MOST	     ? tries[0]
	       : text_width(tries[1]) <= SAY_LONGEST ? tries[1]
						     : name;
}

static void write_options(const struct round *r, struct question *out)
{
	struct arena *const a = r->m->a;
	struct quiz_task *const t = &out->task;
	for (size_t i = 0; i < r->n_taken; i++) {
		const struct choice *const c = &r->pool[r->taken[i]];
		out->options[i] = c->text;
		t->names[i] = c->name;
		t->expressions[i] = expression_of(r, c);
		if (i > 0)
			t->tells[i] = look_tell(look_of(r, r->taken[0]), look_of(r, r->taken[i]),
						r->seen, a);
	}
	out->n_options = t->n_names = r->n_taken;
	t->apart = r->apart;
	t->least = look_least(r->seen);
	maker_shuffle(r->m, out);
}

static bool write_task(const struct round *r, enum quiz_kind kind, struct question *out)
{
	struct arena *const a = r->m->a;
	const struct choice *const right = &r->pool[r->taken[0]];
	const struct scheme *const s = scheme_of(right->expression, a);
	const char *const pane = seen_panes[r->seen];
	const bool tree = r->level == QUIZ_STRUCTURES;
	*out = (struct question){
		.task = {.kind = kind},
		.scene = arena_printf(a, "%s\nscheme %s\npanel %s%s\nunnamed scheme\nfocus %s\n",
				      r->lines, expression_of(r, right), pane, tree ? ",tree" : "",
				      pane),
		.reveal = arena_printf(a, "unnamed off\npanel all\nfocus %s\n", pane),
		.ask = ask_of(r),
		.say = say_of(r),
		.source = arena_printf(a, "%s %d", s->authors, s->year),
		.about = about_of(r, r->taken[0])};
	write_options(r, out);
	return true;
}

static bool draw(struct maker *m, enum seen seen, enum quiz_kind kind, struct question *out)
{
	size_t n;
	struct round r = {.m = m, .level = (enum quiz_level)m->wish->level, .seen = seen};
	const bool tree = r.level == QUIZ_STRUCTURES,
		   masks = r.level == QUIZ_SCHEMES || r.level == QUIZ_RELATIVES;
	const char *const *const lines = tree ? pool_structures(&n) : pool_sentences(&n);
	r.lines = maker_pick(m, lines, n);
	r.causal = masks && rng_below(&m->rng, WITH_MASK) == 0;
	r.row = rng_below(&m->rng, pool_rows());
	r.pool = pool_of(r.level, r.row, m->a, &r.n);
	return fill(&r) && write_task(&r, kind, out);
}

bool draw_scheme_matrix(struct maker *m, struct question *out)
{
	const bool weights = rng_below(&m->rng, 3) == 0;
	return draw(m, weights ? SEEN_WEIGHTS : SEEN_BIAS, QUIZ_MATRIX, out);
}

bool draw_scheme_curve(struct maker *m, struct question *out)
{
	return draw(m, SEEN_CURVE, QUIZ_CURVE, out);
}
