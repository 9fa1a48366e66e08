/* clocks.c: the view Clocks: for one cell, a dial for each pair of columns that a scheme
 * rotates, with the hands of query and key before and after the rotation. Sinusoids rotate
 * nothing: there the hands are the vectors of the two positions themselves. */
#include <math.h>
#include <string.h>

#include "posviz/analysis/turns.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "vectors_in.h"

static const double pi = 3.14159265358979323846;

/* The vectors that the clocks show, pair by pair of their columns, with the frequencies. */
struct wheels {
	const struct vectors *list; /* [n] all that were found */
	size_t n;
	bool turns;		     /* some of them are rotations of query and key */
	const struct vectors *hands; /* vectors added to the tokens, by position; or NULL */
	const char *instead;
};

static unsigned clocks_wants(const struct scene *scene)
{
	return vectors_wants(scene) | WANT_QKV | WANT_LOGITS | WANT_BIAS | WANT_WEIGHTS | WANT_MASK;
}

static const void *clocks_keep(const struct view_data *d, struct arena *a)
{
	struct wheels *const w = arena_calloc(a, 1, sizeof *w);
	struct vectors *const list = arena_calloc(a, VECTORS_MOST, sizeof *list);
	const size_t n = vectors_find(d->built, d->trace, a, list);
	w->list = list;
	w->n = n;
	for (size_t i = n; i-- > 0;) {
		if (list[i].kind == VECTORS_TURNS)
			w->turns = true;
		else if (list[i].angle.at && list[i].of_units)
			w->hands = &list[i];
	}
	w->instead =
		n > 0 ? "no clocks: it rotates nothing, and its vectors are no pairs of sine and cosine "
			"of one number"
		      : vectors_instead(d, a);
	return w;
}

/* ---- one cell -------------------------------------------------------------------------------- */

struct clocks {
	const struct view_data *d;
	const struct wheels *w;
	const struct trace_head *head;
	const struct member *by; /* the member that rotates q and k of the head; or NULL */
	struct arena *a;
	size_t t, s, unit; /* unit: the index of the query among the keys */
	struct turn *turns;
	size_t n;
	const double *frequency; /* [n], or NULL */
	const double *axis;	 /* [n] as in struct vectors; or NULL */
	bool added, replaced;	 /* replaced: the logit takes q and k otherwise than as q·k */
	bool beside;		 /* what rotates are columns beside q and k */
	const char *absent;
	const char
		*elsewhere; /* with `absent`: what has clocks, "layer 1"; NULL: nothing is known */
	double before, after; /* sums over all columns */
};

static void find_cell(struct clocks *c)
{
	const struct trace *const trace = c->d->trace;
	long row = c->d->scene->row, col = c->d->scene->col, first_row, first_col;
	view_first_cell(trace->query.n, trace->key.n, &first_row, &first_col);
	c->t = (size_t)view_within(row > 0 ? row : first_row, trace->query.n) - 1;
	c->s = (size_t)view_within(col > 0 ? col : first_col, trace->key.n) - 1;
	c->unit = c->t + trace->memory;
}

/* Takes the vectors of the two positions as hands; the cosines of their angles add up to
 * P_t·P_s. */
static void take_hands(struct clocks *c)
{
	const struct vectors *const v = c->w->hands;
	c->added = true;
	c->n = v->angle.cols;
	c->frequency = v->frequency;
	c->turns = arena_calloc(c->a, c->n + 1, sizeof *c->turns);
	for (size_t i = 0; i < c->n; i++) {
		const double t = mat_row(v->angle, c->unit)[i], s = mat_row(v->angle, c->s)[i];
		const double apart = s - t - 2 * pi * nearbyint((s - t) / (2 * pi));
		c->turns[i] = (struct turn){.query = {0, t, 1},
					    .key = {0, s, 1},
					    .angle = apart * 180 / pi,
					    .before = NAN,
					    .after = cos(t - s)};
		c->after += c->turns[i].after;
	}
	c->before = NAN;
}

/* Returns those of the shown head: rotations that are kept for all heads lie side by side. */
static const double *of_head(const struct clocks *c, const struct vectors *v, const double *all)
{
	const size_t heads = c->d->built->model.config.heads;
	if (!all)
		return NULL;
	if (v->angle.cols == c->n * heads)
		return all + c->n * view_head(c->d);
	return v->angle.cols <= c->n ? all : NULL;
}

/* Returns the angles of the member that rotates the head; NULL: it kept none. */
static const struct vectors *angles_of(const struct clocks *c)
{
	const struct vectors *only = NULL;
	size_t n = 0;
	for (size_t i = 0; i < c->w->n; i++) {
		const struct vectors *const v = &c->w->list[i];
		if (v->kind != VECTORS_TURNS)
			continue;
		if (strcmp(v->name, c->by->name) == 0)
			return v;
		only = v;
		n++;
	}
	return n == 1 ? only : NULL;
}

/* Returns whether the member kept angles of a rotation. */
static bool has_angles(const struct clocks *c, const struct member *m)
{
	for (size_t i = 0; i < c->w->n; i++)
		if (c->w->list[i].kind == VECTORS_TURNS && strcmp(c->w->list[i].name, m->name) == 0)
			return true;
	return false;
}

/* Returns whether the member changes q and k by positions, but not those of the head that is shown. */
static bool changes_others(const struct clocks *c, const struct member *m)
{
	const size_t layer = c->d->built->model.steps[view_layer(c->d)].layer;
	return m->hooks->qk && scheme_reference(m->scheme, m->param) != REF_NONE &&
	       !(subset_has(&m->layers, layer) && subset_has(&m->heads, view_head(c->d)));
}

/* Returns where a rotation acts: another head of the shown layer, "head 2", else the first layer
 * that has one, "layer 1"; NULL: nowhere that is known. */
static const char *elsewhere_of(const struct clocks *c)
{
	const struct built *const b = c->d->built;
	size_t layer = 0, head = 0;
	for (size_t i = 0; i < b->n_members; i++) {
		const struct member *const m = &b->members[i];
		if (!has_angles(c, m) && !changes_others(c, m))
			continue;
		const bool here = subset_has(&m->layers, b->model.steps[view_layer(c->d)].layer);
		for (size_t h = b->model.config.heads; here && h-- > 0;)
			head = subset_has(&m->heads, h) ? h + 1 : head;
		for (size_t l = b->model.config.layers; l-- > 0;)
			layer = subset_has(&m->layers, l) && (!layer || l < layer) ? l + 1 : layer;
	}
	return head > 0	   ? arena_printf(c->a, "head %zu", head)
	       : layer > 0 ? arena_printf(c->a, "layer %zu", layer)
			   : NULL;
}

static const char idle[] = "no clocks: no rotation acts on this head and layer";

/* Returns whether the member's rotation is one in the first layer alone: later layers change it. */
static bool is_carried(struct clocks *c, const struct member *m)
{
	size_t first = 0;
	while (!subset_has(&m->layers, first))
		first++;
	if (!m->hooks->carry)
		return false;
	c->elsewhere = arena_printf(c->a, "layer %zu", first + 1);
	return true;
}

/* Returns why a head whose queries and keys are changed has no clocks: a member that rotates may scale them too, or make
 * them anew. */
static const char *no_turns(struct clocks *c)
{
	for (size_t i = 0; i < c->head->n_changes; i++)
		if (is_carried(c, c->head->changes[i].by))
			return "no clocks: the layers before it changed the rotation: pairs are "
			       "stretched too, by numbers of the content";
		else if (has_angles(c, c->head->changes[i].by))
			return "no clocks: it rotates queries and keys and also changes them "
			       "otherwise, so hands before and after cannot be compared; Vectors "
			       "shows its angles";
	/* Beside a norm, which changes q and k of this layer, a rotation can act in another one. */
	c->elsewhere = elsewhere_of(c);
	return c->head->n_changes == 0 ? idle
	       : c->elsewhere
		       ? "no clocks: what changes q and k here is no rotation of pairs of columns"
		       : "no clocks: what it makes of q and k is no rotation of pairs of columns";
}

static void take_turns(struct clocks *c)
{
	struct turned of = {c->d->trace, c->head, c->t, c->s, 0};
	if (view_is_mean(c->d)) {
		c->absent = "a mean of heads or layers has no hands: choose one";
		return;
	}
	c->by = c->head->q.at ? turned_find(&of) : NULL;
	if (!c->by || !turned_before(&of, &c->before)) {
		c->absent = no_turns(c);
		return;
	}
	for (size_t i = 0; i < c->d->built->n_members; i++) {
		const struct member *const m = &c->d->built->members[i];
		c->replaced |= m->hooks->content && view_acts(c->d, m);
	}
	c->beside = of.change == TURNED_BESIDE;
	c->n = turned_pairs(&of, c->a, &c->turns);
	c->after = turned_after(&of);
	const struct vectors *const v = angles_of(c);
	if (!v)
		return;
	c->frequency = of_head(c, v, v->frequency);
	c->axis = of_head(c, v, v->axis);
	if (c->frequency && v->angle.cols < c->n)
		c->n = v->angle.cols; /* the other pairs do not rotate */
}

static struct clocks clocks_of(const struct view_data *d, struct arena *a)
{
	struct clocks c = {.d = d, .w = d->kept, .a = a};
	c.head = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	find_cell(&c);
	if (c.w->turns)
		take_turns(&c);
	else if (c.w->hands && c.s < c.w->hands->angle.rows && c.unit < c.w->hands->angle.rows)
		take_hands(&c);
	else
		c.absent = (c.elsewhere = elsewhere_of(&c)) ? idle : c.w->instead;
	return c;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *with_sign(double value, struct arena *a)
{
	return fabs(value) < 0.005 ? "0.00"
				   : arena_printf(a, "%s%.2f", value < 0 ? "−" : "+", fabs(value));
}

/* Returns the number without its leading zero: ".032". */
static const char *bare(const char *text)
{
	return strncmp(text, "0.", 2) == 0 ? text + 1 : text;
}

/* Returns "2.0k" from 1000 on. */
static const char *brief_count(double value, struct arena *a)
{
	return value < 1000 ? vectors_number(value, 2, a)
			    : arena_printf(a, "%.*fk", value < 10000, value / 1000);
}

static const char *degrees(double angle, struct arena *a)
{
	return arena_printf(a, "%.0f°", fabs(angle) < 0.5 ? 0 : fabs(angle));
}

static double between(double a, double b)
{
	const double apart = a - b;
	return (apart - 2 * pi * nearbyint(apart / (2 * pi))) * 180 / pi;
}

/* Returns what the pairs rotate by. */
static const char *axes_words(const struct clocks *c)
{
	bool time = false, slanted = false;
	for (size_t i = 0; i < c->n; i++) {
		time |= c->axis[i] < PLACE_HEIGHT;
		slanted |= c->axis[i] > PLACE_WIDTH;
	}
	return slanted ? "row and column" : time ? "time, row or column" : "row or column";
}

/* Returns the position of the query, or of the key. */
static double position_of(const struct clocks *c, bool query)
{
	const struct trace *const trace = c->d->trace;
	const size_t unit = query ? c->unit : c->s;
	for (size_t i = 0; i < trace->n_columns; i++)
		if (strcmp(trace->columns[i].name, "seq") == 0)
			return trace->columns[i].at[unit];
	return (double)unit;
}

/* Returns "query dog, turned by 4 θ". */
static const char *name_of(const struct clocks *c, bool query, bool brief)
{
	const struct trace *const trace = c->d->trace;
	const char *const word =
		view_unit_name(query ? &trace->query : &trace->key, query ? c->t : c->s, c->a);
	const char *const by = vectors_number(position_of(c, query), 4, c->a);
	const char *const who = query ? "query" : "key";
	if (c->axis)
		return brief ? arena_printf(c->a, "%s %s", who, word)
			     : arena_printf(c->a, "%s %s, rotated by its %s", who, word,
					    axes_words(c));
	return brief ? arena_printf(c->a, "%s %s, at %s", who, word, by)
		     : arena_printf(c->a, "%s %s, rotated by %s θ", who, word, by);
}

/* Names of the numbers of a position that a pair may rotate by. */
static const char *const pair_axes[PLACE_AXES + 1] = {[PLACE_TEMPORAL] = "time",
						      [PLACE_HEIGHT] = "row",
						      [PLACE_WIDTH] = "column",
						      [PLACE_AXES] = "slanted"};

static void say_speed(const struct clocks *c, size_t i, struct dial *dial)
{
	struct arena *const a = c->a;
	const double by = c->frequency ? c->frequency[i] : NAN;
	dial->title = arena_printf(a, "pair %zu", i + 1);
	dial->brief_title = arena_printf(a, "%zu", i + 1);
	dial->note = by == 0 ? "does not rotate" : "";
	dial->brief_note = "";
	if (!(by > 0))
		return;
	const char *const theta = vectors_number(by, 2, a);
	const char *const axis = c->axis ? pair_axes[(size_t)c->axis[i]] : NULL;
	dial->title = axis ? arena_printf(a, "%s, θ = %s", axis, theta)
			   : arena_printf(a, "θ = %s", theta);
	dial->brief_title = axis ? arena_printf(a, "%s θ %s", axis, bare(theta))
				 : arena_printf(a, "θ %s", bare(theta));
	dial->note = arena_printf(a, "wavelength %s positions", vectors_number(2 * pi / by, 2, a));
	dial->brief_note = arena_printf(a, "λ %s", brief_count(2 * pi / by, a));
}

/* Sets the lengths of the hands: the longer one reaches the edge of the dial, the other is never
 * too short to be seen. */
static void set_lengths(struct dial *dial, const struct turn *turn)
{
	static const double least = 0.3;
	const double most = fmax(turn->query.length, turn->key.length);
	dial->hands[0].length = most > 0 ? fmax(least, turn->query.length / most) : 0;
	dial->hands[1].length = most > 0 ? fmax(least, turn->key.length / most) : 0;
	for (size_t k = 0; k < 2; k++)
		if (!((k ? turn->key.length : turn->query.length) > 0))
			dial->hands[k].length = 0;
}

/* Returns a hand whose angles differ by its rotation in the direction of its rotation, without full turns; by the
 * shorter way where the rotation is not the position times θ. */
static struct dial_hand hand_of(const struct clocks *c, size_t i, bool query)
{
	const struct turn_hand *const of = query ? &c->turns[i].query : &c->turns[i].key;
	const double by = c->frequency && !c->axis ? c->frequency[i] * position_of(c, query) : NAN;
	double turn = remainder(of->after - of->before, 2 * pi);
	if (fabs(remainder(by - turn, 2 * pi)) < 1e-6)
		turn = fmod(by, 2 * pi);
	return (struct dial_hand){.before = of->before,
				  .after = isnan(of->before) ? of->after : of->before + turn};
}

static const struct dial *make_dials(const struct clocks *c)
{
	struct dial *const out = arena_calloc(c->a, c->n + 1, sizeof *out);
	for (size_t i = 0; i < c->n; i++) {
		const struct turn *const t = &c->turns[i];
		out[i].hands[0] = hand_of(c, i, true);
		out[i].hands[1] = hand_of(c, i, false);
		set_lengths(&out[i], t);
		say_speed(c, i, &out[i]);
		out[i].angle = degrees(between(t->key.after, t->query.after), c->a);
		out[i].angle_before =
			c->added ? ""
				 : arena_printf(
					   c->a, "before %s",
					   degrees(between(t->key.before, t->query.before), c->a));
		out[i].before = t->before;
		out[i].after = t->after;
	}
	return out;
}

/* Returns "logit +0.61, unturned +0.28". */
static const char *sum_words(const struct clocks *c)
{
	if (c->added)
		return arena_printf(c->a, "product of both vectors %s, of one with itself %s",
				    with_sign(c->after, c->a),
				    vectors_number((double)c->n, 4, c->a));
	const double logit = c->head->logits.at ? mat_row(c->head->logits, c->t)[c->s] : NAN;
	const bool all = fabs(logit - c->after) <= 1e-9 * (1 + fabs(logit));
	const char *const words =
		arena_printf(c->a, "%s %s, without rotation %s",
			     all	 ? "logit"
			     : c->beside ? "rotated columns"
					 : "q·k",
			     with_sign(c->after, c->a), with_sign(c->before, c->a));
	return all || isnan(logit) ? words
				   : arena_printf(c->a, "%s; %s, logit %s", words,
						  c->replaced ? "as the scheme takes parts of it"
						  : c->beside ? "with the other columns"
							      : "with what else is added",
						  with_sign(logit, c->a));
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Returns how many clocks are drawn: of vectors of positions, the last ones whose two hands are one
 * to the eye are told in words instead. */
static size_t drawn(const struct clocks *c)
{
	enum { LEAST = 4 };
	size_t n = c->n;
	while (c->added && !c->d->earlier && n > 1 && fabs(c->turns[n - 1].angle) < 0.5)
		n--;
	return c->n - n >= LEAST ? n : c->n;
}

static bool several_rotate(const struct clocks *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->w->n; i++)
		n += c->w->list[i].kind == VECTORS_TURNS;
	return n > 1;
}

static void dials_panel(const struct clocks *c, struct panel *p, struct figure *out)
{
	const size_t n = drawn(c);
	out->finding =
		c->added
			? "A clock per pair of sine and cosine: each position rotates its hand, of "
			  "length 1, by θ (radians). Below: the angle of the two hands, and its "
			  "cosine."
		: c->axis
			? "A clock per pair of dimensions: hands of q and k rotate "
			  "by θ for each row, or column, or step of time, once around in λ. Below: "
			  "angle, part of the logit (before)."
			: "A clock per pair of dimensions: hands of q and k rotate "
			  "by θ a position, once around in λ. Below: angle, part of the logit (before "
			  "rotation).";
	if (c->by && several_rotate(c))
		p->title = arena_printf(c->a, "Clocks of %s", c->by->name);
	if (n < c->n)
		p->title = "The faster clocks";
	if (n < c->n)
		p->note = arena_printf(c->a, "%zu of %zu clocks, the slower ones at 0°", n, c->n);
	p->subtitle =
		c->added
			? "hands of two positions, from where position 1 stands; λ: wavelength, in positions"
			: "thin: as projected; thick: rotated by its position; lengths: |q| and |k| in "
			  "this pair, the longer one at the edge; λ: wavelength, in positions";
	p->dials = (struct dials){
		.n = n,
		.at = make_dials(c),
		.names = {name_of(c, true, false), name_of(c, false, false)},
		.brief_names = {name_of(c, true, true), name_of(c, false, true)},
		.value_title = c->added ? "cosine of the angle"
					: "part of the logit, |q| |k| cos(angle) · c",
		.sum = sum_words(c),
		.about =
			c->added
				? "The angle between two hands is (s − t)·θ: the product of the two vectors hangs on the distance alone."
			: c->axis
				? "Each angle depends only on how far apart the two are in rows, columns "
				  "and time: move both by as many of each, and every dial shows the same "
				  "angle."
				: "Each angle changes by (t − s)·θ alone: move both words by as "
				  "many positions, and every dial shows the same angle.",
		.colormap = view_colormap(c->d, true)};
}

static void clocks_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct clocks c = clocks_of(d, a);
	struct panel *const p = &out->panels[0];
	/* Vectors of positions belong to no head. */
	const char *const note = c.added ? "added to the token vectors" : view_layer_note(d, a);
	view_frame(d, note, a, out);
	*p = (struct panel){.kind = PANEL_DIALS,
			    .name = "clocks",
			    .title = "Clocks",
			    .note = note,
			    .short_note = c.added ? NULL : view_short_layer(d, a)};
	out->n = out->col_weight[0] = out->row_weight[0] = 1;
	if (c.absent && d->earlier) {
		*p = (struct panel){.kind = PANEL_HEATMAP,
				    .name = "clocks",
				    .title = "Clocks",
				    .absent = view_lead(c.absent, a)};
		view_instead(d, a, out);
	} else if (c.absent)
		clocks_none(d, c.absent, c.w->turns || c.w->hands || c.elsewhere, c.elsewhere, a,
			    out);
	else
		dials_panel(&c, p, out);
	view_close(d, out);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void clocks_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct clocks c = clocks_of(d, a);
	numbers_say(out, "clocks.pairs", c.absent ? NAN : (double)c.n,
		    c.absent ? arena_printf(a, "n/a: %s", c.absent) : arena_printf(a, "%zu", c.n),
		    "pairs of columns that are rotated");
	if (c.absent)
		return;
	numbers_say(out, "clocks.sum", c.after, with_sign(c.after, a),
		    c.added ? "product of the two vectors" : "c·q·k of the cell, rotated");
	const struct mat angle = mat_new(a, 1, c.n), part = mat_new(a, 1, c.n);
	for (size_t i = 0; i < c.n; i++) {
		angle.at[i] = between(c.turns[i].key.after, c.turns[i].query.after);
		part.at[i] = c.turns[i].after;
	}
	numbers_add(out, "clocks.angle", angle);
	numbers_add(out, "clocks.part", part);
}

const struct view view_clocks = {"clocks",
				 "Clocks",
				 "By which angles do query and key rotate?",
				 clocks_wants,
				 clocks_figure,
				 .keep = clocks_keep,
				 .numbers = clocks_numbers,
				 .reads_cursor = true,
				 .of_cell = true};
