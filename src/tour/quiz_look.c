/* quiz_look.c: what the eye has of a picture: the numbers of one panel, how far two of them are apart, and in words
 * what is different. They are read off the figure, so a task is judged by what is drawn. */
#include <math.h>
#include <string.h>

#include "posviz/picture/picture.h"
#include "quiz_in.h"
#include "posviz/plot/panel.h"

const double quiz_least_bias = 0.15, quiz_least_weights = 0.08;
const char *const seen_panes[SEEN_COUNT] = {"bias", "weights", "curve"};

/* ---- reading a figure ------------------------------------------------------------------------------- */

static struct mat read_map(const struct heatmap *h, struct arena *a)
{
	const struct mat out = mat_new(a, h->values.rows, h->values.cols);
	for (size_t i = 0; i < out.rows * out.cols; i++)
		out.at[i] = h->masked && h->masked[i]
				    ? NAN
				    : mat_row(h->values, i / out.cols)[i % out.cols];
	return out;
}

static const struct series *active_of(const struct curves *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->series[i].active)
			return &c->series[i];
	return c->n > 0 ? &c->series[0] : NULL;
}

static void read_curve(const struct series *s, struct arena *a, struct look *out)
{
	if (!s || s->n == 0)
		return;
	const long lo = lround(s->x[0]), hi = lround(s->x[s->n - 1]);
	const struct mat m = mat_new(a, 1, (size_t)(hi - lo) + 1);
	mat_fill(m, NAN);
	for (size_t i = 0; i < s->n; i++)
		m.at[lround(s->x[i]) - lo] = s->y[i];
	out->at[SEEN_CURVE] = m;
	out->from = lo;
}

static void read_panel(const struct panel *p, struct arena *a, struct look *out)
{
	if (p->absent)
		return;
	if (p->kind == PANEL_CURVES)
		read_curve(active_of(&p->curves), a, out);
	for (int s = SEEN_BIAS; s <= SEEN_WEIGHTS; s++)
		if (panel_is_map(p) && strcmp(p->name, seen_panes[s]) == 0)
			out->at[s] = read_map(&p->heatmap, a);
}

bool look_at_scene(const struct scene *scene, struct cache *cache, struct watch *watch,
		   struct arena *a, struct look *out)
{
	struct arena scratch;
	struct err err;
	arena_init(&scratch);
	struct picture *const p = arena_calloc(&scratch, 1, sizeof *p);
	*out = (struct look){.from = 0};
	const bool ok =
		picture_make(scene, NULL, false, BACKGROUND_LIGHT, cache, watch, &scratch, p, &err);
	for (size_t i = 0; ok && i < p->figure.n; i++)
		read_panel(&p->figure.panels[i], a, out);
	if (ok && !out->at[SEEN_BIAS].at) /* the curve is of the weights then */
		out->at[SEEN_CURVE].at = NULL;
	arena_release(&scratch);
	return ok;
}

/* ---- how far apart ---------------------------------------------------------------------------------- */

double look_least(enum seen seen)
{
	return seen == SEEN_WEIGHTS ? quiz_least_weights : quiz_least_bias;
}

static double greatest(struct mat m)
{
	double out = 0;
	for (size_t i = 0; i < m.rows * m.cols; i++)
		out = isnan(m.at[i]) ? out : fmax(out, fabs(m.at[i]));
	return out > 1e-9 ? out : 0;
}

/* Values as parts of the greatest, as colours show them. A pair that one masks alone is as far as can be. */
static double apart_scaled(struct mat x, struct mat y)
{
	const double top_x = greatest(x), top_y = greatest(y);
	double sum = 0;
	size_t n = 0;
	for (size_t i = 0; i < x.rows * x.cols; i++) {
		const bool no_x = isnan(x.at[i]), no_y = isnan(y.at[i]);
		if (no_x && no_y)
			continue;
		const double u = no_x || top_x <= 0 ? 0 : x.at[i] / top_x;
		const double v = no_y || top_y <= 0 ? 0 : y.at[i] / top_y;
		sum += no_x != no_y ? 1 : (u - v) * (u - v);
		n++;
	}
	return n > 0 ? sqrt(sum / (double)n) : 0;
}

static double variation(struct mat x, struct mat y)
{
	double sum = 0;
	for (size_t i = 0; i < x.rows * x.cols; i++)
		sum += fabs((isnan(x.at[i]) ? 0 : x.at[i]) - (isnan(y.at[i]) ? 0 : y.at[i]));
	return x.rows > 0 ? sum / 2 / (double)x.rows : 0;
}

double look_apart(const struct look *x, const struct look *y, enum seen seen)
{
	const struct mat a = x->at[seen], b = y->at[seen];
	if (!a.at || !b.at)
		return NAN;
	if (a.rows != b.rows || a.cols != b.cols)
		return INFINITY;
	return seen == SEEN_WEIGHTS ? variation(a, b) : apart_scaled(a, b);
}

/* ---- in words --------------------------------------------------------------------------------------- */

static const double slack = 1e-6; /* of the greatest value */

static bool equal(double x, double y, double top)
{
	return (isnan(x) && isnan(y)) || fabs(x - y) <= slack * top;
}

static double at(struct mat m, size_t t, size_t s)
{
	return mat_row(m, t)[s];
}

static bool hides_future(struct mat m)
{
	for (size_t t = 0; t < m.rows; t++)
		for (size_t s = t + 1; s < m.cols; s++)
			if (!isnan(at(m, t, s)) && m.rows > 1)
				return false;
	return m.rows > 1;
}

static bool is_zero(struct mat m)
{
	return greatest(m) <= 0;
}

static bool by_distance(struct mat m)
{
	for (size_t t = 1; t < m.rows; t++)
		for (size_t s = 1; s < m.cols; s++)
			if (!equal(at(m, t, s), at(m, t - 1, s - 1), greatest(m)))
				return false;
	return true;
}

/* Distances of a matrix, read along its last row, or of a curve, from 0 backwards: value k is k places before. */
struct steps {
	double before[64], behind[64];
	size_t n_before, n_behind;
};

static void steps_of(const struct look *l, enum seen seen, struct steps *out)
{
	enum { MOST = 64 };
	const struct mat m = l->at[seen];
	*out = (struct steps){.n_before = 0};
	if (seen == SEEN_CURVE) {
		const long zero = -l->from;
		for (long k = zero; k >= 0 && k < (long)m.cols && out->n_before < MOST; k--)
			out->before[out->n_before++] = m.at[k];
		for (long k = zero; k >= 0 && k < (long)m.cols && out->n_behind < MOST; k++)
			out->behind[out->n_behind++] = m.at[k];
		return;
	}
	for (size_t k = 0; k < m.rows && k < m.cols && k < MOST; k++)
		out->before[out->n_before++] = at(m, m.rows - 1, m.rows - 1 - k);
	for (size_t k = 0; k < m.cols && k < MOST; k++)
		out->behind[out->n_behind++] = at(m, 0, k);
}

static bool alike_on_both_sides(const struct steps *s)
{
	const size_t n = s->n_before < s->n_behind ? s->n_before : s->n_behind;
	for (size_t k = 1; k < n; k++)
		if (!equal(s->before[k], s->behind[k], 1e3 * slack))
			return false;
	return n > 1;
}

static bool any_behind(const struct steps *s)
{
	for (size_t k = 1; k < s->n_behind; k++)
		if (!isnan(s->behind[k]))
			return true;
	return false;
}

/* The course over keys before the query, farther and farther away: 0: it rises somewhere; 1: it never does;
 * 2: and falls in equal steps; -1: there is nothing to be said of it. */
static int falls(const struct steps *s)
{
	int out = 2;
	for (size_t k = 1; k < s->n_before; k++) {
		const double step = s->before[k] - s->before[k - 1];
		if (isnan(step))
			return -1;
		if (step > slack)
			return 0;
		if (k > 1 && fabs(step - (s->before[1] - s->before[0])) > slack)
			out = 1;
	}
	return s->n_before < 3 || equal(s->before[0], s->before[s->n_before - 1], 1) ? -1 : out;
}

/* Things to see, in the order in which the eye finds them. */
enum sight { HIDES, ZERO, DIAGONALS, SIDES, FALLS, EVEN, SIGHTS };
static const char *const sight_words[SIGHTS][2] = {
	{"shows keys after the query", "masks every key after the query"},
	{"is not zero everywhere", "is zero everywhere"},
	{"is not constant along its diagonals", "is constant along each diagonal"},
	{"differs between equal distances before and after the query",
	 "is the same at equal distances before and after the query"},
	{"rises somewhere as keys before the query lie farther away",
	 "never rises as keys before the query lie farther away"},
	{"falls in unequal steps as keys before the query lie farther away",
	 "falls in equal steps as keys before the query lie farther away"},
};

/* -1: it cannot be said of this one. */
static void facts_of(const struct look *l, enum seen seen, int out[SIGHTS])
{
	struct steps s;
	const struct mat m = l->at[seen];
	const bool curve = seen == SEEN_CURVE, weights = seen == SEEN_WEIGHTS;
	steps_of(l, seen, &s);
	const bool hides = curve ? l->from < 0 && !any_behind(&s) : hides_future(m);
	const bool zero = is_zero(m), even = !curve && !weights && by_distance(m);
	const bool line = !zero && (curve || even);
	out[HIDES] = hides;
	out[ZERO] = weights ? -1 : zero;
	out[DIAGONALS] = curve || zero || weights ? -1 : even;
	out[SIDES] = !line || hides ? -1 : alike_on_both_sides(&s);
	const int fall = line ? falls(&s) : -1;
	out[FALLS] = fall < 0 ? -1 : fall > 0;
	out[EVEN] = fall <= 0 ? -1 : fall == 2;
}

const char *look_tell(const struct look *shown, const struct look *other, enum seen seen,
		      struct arena *a)
{
	int here[SIGHTS], there[SIGHTS];
	facts_of(shown, seen, here);
	facts_of(other, seen, there);
	for (int f = 0; f < SIGHTS; f++)
		if (here[f] >= 0 && there[f] >= 0 && here[f] != there[f])
			return arena_printf(a, "The %s shown %s.",
					    seen == SEEN_CURVE ? "curve" : "matrix",
					    sight_words[f][here[f]]);
	return NULL;
}

/* A thing that is so of most pictures is no news: that both sides are shown, that something is added. */
const char *look_say(const struct look *of, enum seen seen, struct arena *a)
{
	const char *said[SIGHTS];
	struct strbuf b;
	int facts[SIGHTS];
	size_t n = 0;
	facts_of(of, seen, facts);
	strbuf_init(&b, a);
	if (facts[EVEN] >= 0)
		facts[FALLS] = -1; /* the steps say it */
	for (int f = 0; f < SIGHTS; f++)
		if (facts[f] > 0 || (facts[f] == 0 && f > ZERO))
			said[n++] = sight_words[f][facts[f]];
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", said[i]);
	return b.at;
}
