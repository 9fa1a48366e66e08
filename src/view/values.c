/* values.c: the view Values: what the attention writes. Weights beside the lengths of what each key
 * contributes; the values, the summands of the output and the output; what one query gets from
 * each key; and the difference of the outputs of two schemes. */
#include <math.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/scene/beside.h"
#include "values_in.h"

static unsigned values_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_WRITTEN | WANT_WEIGHTS | WANT_MASK | WANT_INPUT;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static double most_of(struct mat m)
{
	double lo = 0, hi = 0;
	mat_range(m, &lo, &hi);
	return fmax(-lo, hi);
}

static void spread_by(struct values_kept *k, struct mat m)
{
	if (!m.at)
		return;
	k->spread[k->n_spread++] = m;
	k->limit = fmax(k->limit, most_of(m));
}

static void set_limit(struct values_kept *k, struct arena *a)
{
	k->spread = arena_calloc(a, k->o.n_terms + 5, sizeof *k->spread);
	spread_by(k, k->o.at);
	spread_by(k, k->o.values);
	for (size_t i = 0; i < k->o.n_terms; i++)
		spread_by(k, k->o.terms[i].at);
	spread_by(k, k->first.at);
	spread_by(k, k->second.at);
	spread_by(k, k->difference);
}

/* Returns a sentence that says why the outputs of two have no difference; NULL: they have one. */
static const char *not_comparable(const struct view_data *d, const struct compared *x,
				  const struct compared *y)
{
	const size_t layer = view_layer(d);
	if (!setup_same_input(x->setup, y->setup))
		return "the inputs differ, so the outputs are those of other words";
	if (layer >= x->trace->n_layers || layer >= y->trace->n_layers ||
	    x->built->model.config.heads != y->built->model.config.heads)
		return "one of them has no such layer or head";
	return x->trace->query.n == y->trace->query.n ? NULL : "their queries are of other tokens";
}

static void compare(const struct view_data *d, struct values_kept *k, struct arena *a)
{
	const unsigned char *const pair = pairs[d->scene->pair];
	const struct compared *const x = &d->compared[pair[0] - 1],
				     *const y = &d->compared[pair[1] - 1];
	const size_t heads = d->built->model.config.heads, layer = view_layer(d);
	k->no_difference = not_comparable(d, x, y);
	if (k->no_difference)
		return;
	outputs_make(x->trace, layer, view_head(d), heads, a, &k->first);
	outputs_make(y->trace, layer, view_head(d), heads, a, &k->second);
	k->apart = outputs_apart(k->first.at, k->second.at);
	k->two = !isnan(k->apart);
	if (!k->two) {
		k->no_difference = "their outputs have different widths";
		return;
	}
	k->difference = mat_copy(a, k->first.at);
	for (size_t t = 0; t < k->difference.rows; t++)
		for (size_t c = 0; c < k->difference.cols; c++)
			mat_row(k->difference, t)[c] -= mat_row(k->second.at, t)[c];
}

static const void *values_keep(const struct view_data *d, struct arena *a)
{
	struct values_kept *const k = arena_calloc(a, 1, sizeof *k);
	if (view_layer(d) == d->trace->n_layers) {
		k->absent =
			"each layer writes vectors of its own, whose mean means nothing: choose one "
			"layer";
		return k;
	}
	outputs_make(d->trace, view_layer(d), view_head(d), d->built->model.config.heads, a, &k->o);
	if (d->n_compared > 1)
		compare(d, k, a);
	k->most = k->o.norms.at ? most_of(k->o.norms) : 0;
	if (!k->o.why)
		k->elsewhere = values_elsewhere(
			k->o.norms, d->trace->layers[view_layer(d)].heads[view_head(d)].weights);
	set_limit(k, a);
	return k;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Returns the key that gives query t most; `other` if no key has a contribution. */
static size_t gives_most(const struct values_kept *k, size_t t, size_t other)
{
	return k->absent || k->o.why ? other
				     : values_largest(mat_row(k->o.norms, t), k->o.norms.cols);
}

static struct values_page page_of(const struct view_data *d, struct arena *a)
{
	struct values_page p = {.d = d, .k = d->kept, .a = a};
	const struct trace *const trace = d->trace;
	long row, col;
	view_first_cell(trace->query.n, trace->key.n, &row, &col);
	p.t = (size_t)view_within(d->scene->row > 0 ? d->scene->row : row, trace->query.n) - 1;
	p.s = d->scene->col > 0 ? (size_t)view_within(d->scene->col, trace->key.n) - 1
				: gives_most(p.k, p.t, (size_t)col - 1);
	p.head = &trace->layers[view_layer(d)].heads[view_head(d)];
	return p;
}

/* Makes the title "shaw · ros_konly", as in Compare. */
static void name_compared(const struct view_data *d, struct arena *a, struct figure *out)
{
	const char *all = "";
	for (size_t i = 0; i < d->n_compared; i++)
		all = view_beside(all, d->compared[i].name, a);
	out->title = all;
	out->subtitle = arena_printf(a, "Outputs   ·   all but the difference is of 1, %s   ·   %s",
				     d->compared[0].name, values_which(d, a));
}

static void set_cell(struct panel *p, size_t row, size_t col, size_t cols)
{
	view_place(p, (unsigned char)row, (unsigned char)col, (unsigned char)cols, p->priority);
}

/* Bars, contributions and weights have the first line, vectors the next ones. The card ends the line
 * of vectors if there are few, else the first. */
static void place_all(struct figure *f, size_t vectors)
{
	const size_t line = vectors < FIGURE_TRACKS ? vectors : FIGURE_TRACKS;
	const bool few = line < 4;
	const size_t cols = !few ? line : line == 3 ? 4 : 3;
	const size_t rows = 1 + (vectors > 0 ? (vectors + line - 1) / line : 1);
	for (size_t i = 0; i < 3; i++)
		set_cell(&f->panels[i], 0, few && i > 0 ? cols - 3 + i : i,
			 few && i == 0 ? cols - 2 : 1);
	for (size_t i = 0; i < vectors; i++)
		set_cell(&f->panels[3 + i], 1 + i / line, i % line, 1);
	if (few)
		set_cell(&f->panels[f->n - 1], 1, line, cols - line);
	else
		set_cell(&f->panels[f->n - 1], 0, 3, cols - 3);
	memset(f->col_weight, 4, cols);
	memset(f->row_weight, 4, rows);
	f->row_weight[0] = 5;
	f->col_weight[cols - 1] = few ? 4 : 5;
	f->by_grid = true;
}

/* On cells, panels with the names of all keys and a bar for each come before more panels. */
static void keep_whole(const struct values_page *p, struct figure *out)
{
	enum { KEYS = 12, BOX = 2, HEAD = 2, FRAME = 6, CELL = 2, LABEL = 8 };
	enum { FEW = 28, MANY = 36 }; /* so many keys are all shown beside narrower bars */
	const struct axis *const key = &p->d->trace->key;
	const size_t n = key->n < KEYS ? key->n : KEYS;
	size_t label = 1;
	for (size_t i = 0; i < key->n && label < LABEL; i++) {
		const size_t own = text_width(key->names[i]);
		label = own > label ? own : label;
	}
	out->least_rows = (unsigned char)(BOX + HEAD + n);
	out->least_cols = (unsigned char)(FRAME + (label < LABEL ? label : LABEL) + CELL * n);
	if (key->n > FEW && key->n <= MANY)
		out->least_cols -= 2 * CELL;
}

/* The cursor begins on the key that gives most, which the finding names. */
static void values_first_cell(const void *kept, long *row, long *col)
{
	const struct values_kept *const k = kept;
	if (*row >= 1 && !k->absent && !k->o.why && (size_t)*row <= k->o.norms.rows)
		*col = 1 + (long)gives_most(k, (size_t)*row - 1, 0);
}

static void values_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct values_page p = page_of(d, a);
	view_frame(d, values_which(d, a), a, out);
	if (d->n_compared > 1)
		name_compared(d, a, out);
	values_query_panel(&p, &out->panels[0]);
	out->panels[0].priority = 0;
	values_contributions_panel(&p, &out->panels[1]);
	out->panels[1].priority = 1;
	values_weights_panel(&p, &out->panels[2]);
	out->panels[2].priority = 2;
	const size_t vectors = p.k->absent ? 0 : values_vectors(&p, &out->panels[3]);
	values_card_panel(&p, &out->panels[3 + vectors]);
	out->panels[3 + vectors].priority = 6;
	out->n = 4 + vectors;
	out->finding = values_finding(&p, FINDING_WHOLE);
	out->finding_brief = values_finding(&p, FINDING_BRIEF);
	out->finding_least = values_finding(&p, FINDING_LEAST);
	place_all(out, vectors);
	keep_whole(&p, out);
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void say_terms(const struct outputs *o, struct arena *a, struct numbers *out)
{
	for (size_t i = 0; i < o->n_terms; i++) {
		const struct output_term *const t = &o->terms[i];
		numbers_say(out, arena_printf(a, "values.share.%s", t->label), t->share,
			    values_percent(t->share, a),
			    arena_printf(a, "of the output's square: %s", values_means(t)));
		numbers_add(out, arena_printf(a, "values.term.%s", t->label), t->at);
	}
}

static void values_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct values_kept *const k = d->kept;
	const struct values_page p = page_of(d, a);
	numbers_say(out, "values.output.norm", k->absent ? NAN : k->o.norm,
		    k->absent ? arena_printf(a, "n/a: %s", k->absent) : values_number(k->o.norm, a),
		    "length of the outputs, root mean square over the queries");
	if (k->absent)
		return;
	say_terms(&k->o, a, out);
	numbers_add(out, "values.output", k->o.at);
	if (k->two)
		numbers_say(out, "values.apart", k->apart, values_number(k->apart, a),
			    "relative difference of the outputs of the two");
	if (k->o.why)
		return;
	const double n = (double)k->elsewhere;
	numbers_say(out, "values.elsewhere", n, arena_printf(a, "%.0f of %zu", n, k->o.norms.rows),
		    "queries that get most from another key than the one they look at most");
	numbers_add(out, "values.values", k->o.values);
	numbers_add(out, "values.contributions", k->o.norms);
	numbers_add(out, "values.query", outputs_of_query(&k->o, p.t, a));
}

const struct view view_values = {"values",
				 "Values",
				 "What does each key write to the output?",
				 values_wants,
				 values_figure,
				 .keep = values_keep,
				 .numbers = values_numbers,
				 .reads_cursor = true,
				 .first_cell = values_first_cell,
				 .cell_numbers = true,
				 .beside = true,
				 .broad = true,
				 .of_units = true};
