/* rank.c: the view Rank: singular values of the logits, of their positional part, of the weights
 * and of every term; upper bounds of their rank; and the rank for several widths of heads and of
 * position vectors. */
#include "posviz/analysis/rank.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/math/machine.h"
#include "posviz/scene/sweep.h"
#include "view_in.h"

enum { MOST_ROWS = MODEL_MAX_TERMS + 4, MOST_STEPS = 8, SWEPT_UNITS = 128 };

struct row {
	const char *name, *title; /* "term.unit–unit", "unit–unit" */
	struct rank is;
	size_t bound; /* 0: no bound is known */
	struct mat m;
};

/* Ranks at several values of a size. */
struct swept {
	const char *title, *x_title, *about;
	size_t n;
	double x[MOST_STEPS], content[MOST_STEPS], position[MOST_STEPS], logits[MOST_STEPS];
	/* Bounds of content and logits; NaN: not known. */
	double low[MOST_STEPS], high[MOST_STEPS];
};

struct kept {
	struct row rows[MOST_ROWS];
	size_t n;
	struct rank_bounds bounds;
	double entropy; /* mean over the rows of the weights */
	struct swept heads, dims;
};

static unsigned rank_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_TERMS | WANT_LOGITS | WANT_WEIGHTS | WANT_MASK | WANT_BIAS | WANT_POSITION;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static size_t bound_of(const struct kept *k, const struct row *r, enum term_kind kind)
{
	const bool logits = strcmp(r->name, "logits") == 0;
	if (kind == TERM_UNIT_UNIT)
		return k->bounds.dk;
	if (k->bounds.dp == 0)
		return 0;
	return logits				  ? k->bounds.dk + k->bounds.dp + k->bounds.segments
	       : strcmp(r->name, "position") == 0 ? k->bounds.dp + k->bounds.segments
						  : 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_row(const struct view_data *d, struct kept *k, const char *name, const char *title,
		    struct mat m, enum term_kind kind)
{
	if (!m.at || k->n == MOST_ROWS || (d->watch && watch_cancelled(d->watch)))
		return;
	struct row *const row = &k->rows[k->n++];
	*row = (struct row){.name = name, .title = title};
	row->bound = bound_of(k, row, kind);
	row->m = m;
}

/* Decomposes the matrices in parallel, each in its own arena. */
struct decomposing {
	const struct view_data *d;
	struct kept *k;
	struct arena own[MOST_ROWS];
};

static void decompose(void *context, size_t i, size_t worker)
{
	struct decomposing *const of = context;
	struct row *const row = &of->k->rows[i];
	(void)worker;
	row->is = (struct rank){.stable = NAN, .effective = NAN, .why = "it was not computed"};
	if (!watch_cancelled(of->d->watch))
		rank_of(row->m, of->d->scene->setup.seed, of->d->built->model.config.memory,
			&of->own[i], &row->is);
}

static void decompose_all(const struct view_data *d, struct kept *k, struct arena *a)
{
	struct decomposing of = {.d = d, .k = k};
	for (size_t i = 0; i < k->n; i++)
		arena_init(&of.own[i]);
	machine_parallel(k->n, decompose, &of);
	for (size_t i = 0; i < k->n; i++) {
		struct rank *const r = &k->rows[i].is;
		double *const values = arena_calloc(a, r->n + 1, sizeof *values);
		if (r->values)
			r->values = memcpy(values, r->values, r->n * sizeof *values);
		r->why = r->why ? arena_strdup(a, r->why) : NULL;
		r->sample = sample_rows(k->rows[i].m.rows, SAMPLE_ROWS, d->scene->setup.seed, a);
		arena_release(&of.own[i]);
	}
}

static void add_all(const struct view_data *d, struct kept *k, struct arena *a)
{
	const struct trace_head *const head = &d->trace->layers[view_layer(d)].heads[view_head(d)];
	const struct mat bias = d->trace->layers[0].heads[view_head(d)].bias;
	size_t position = 0;
	for (size_t i = 0; i < head->n_terms; i++)
		position += head->terms[i].kind != TERM_UNIT_UNIT;
	add_row(d, k, "logits", "logits", head->logits, TERM_OTHER);
	add_row(d, k, "position", "positional part", rank_position_part(head, bias, a), TERM_OTHER);
	add_row(d, k, "weights", "weights", head->weights, TERM_OTHER);
	for (size_t i = 0; i < head->n_terms; i++)
		if (head->terms[i].kind == TERM_UNIT_UNIT || position > 1)
			add_row(d, k, arena_printf(a, "term.%s", head->terms[i].label),
				head->terms[i].label, head->terms[i].at, head->terms[i].kind);
	add_row(d, k, "vectors", "position vectors", d->trace->position_vectors, TERM_OTHER);
	decompose_all(d, k, a);
	k->entropy = head->weights.at ? weights_entropy(head->weights) : NAN;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static double numerical(const struct view_data *d, struct mat m, struct arena *a)
{
	struct rank r;
	if (!m.at)
		return NAN;
	const size_t rows = m.rows < SWEPT_UNITS ? m.rows : SWEPT_UNITS;
	const size_t cols = m.cols < SWEPT_UNITS ? m.cols : SWEPT_UNITS;
	rank_of(mat_cols(mat_rows(m, 0, rows), 0, cols), 0, d->built->model.config.memory, a, &r);
	return r.values ? (double)r.numerical : NAN;
}

/* Adds the ranks of one evaluation under another setup, or nothing if this cannot be computed. */
static void add_step(const struct view_data *d, const struct setup *setup, double x,
		     struct swept *s)
{
	struct arena a;
	struct err err = {""};
	struct trace trace;
	struct rank_bounds bounds;
	if (s->n == MOST_STEPS || (d->watch && watch_cancelled(d->watch)))
		return;
	arena_init(&a);
	struct built *const b = arena_calloc(&a, 1, sizeof *b);
	const struct want want = {.kinds = WANT_TERMS | WANT_LOGITS | WANT_BIAS};
	if (setup_build(setup, &a, b, &err) &&
	    built_run(b, &b->model_input, &want, d->cache, d->watch, &a, &trace, &err)) {
		const struct trace_head *const head = &trace.layers[0].heads[0];
		const size_t i = s->n++;
		rank_bounds(&b->expr, &b->model.config, &bounds);
		s->x[i] = x < 0 ? (double)b->model.dk : x;
		s->content[i] = s->low[i] = s->high[i] = NAN;
		for (size_t k = 0; k < head->n_terms; k++)
			if (head->terms[k].kind == TERM_UNIT_UNIT)
				s->content[i] = numerical(d, head->terms[k].at, &a);
		s->position[i] = numerical(d, rank_position_part(head, head->bias, &a), &a);
		s->logits[i] = numerical(d, head->logits, &a);
		const double n =
			(double)(trace.query.n < SWEPT_UNITS ? trace.query.n : SWEPT_UNITS);
		s->low[i] = fmin(n, (double)bounds.dk);
		if (bounds.dp > 0)
			s->high[i] = fmin(n, (double)(bounds.dk + bounds.dp + bounds.segments));
	}
	arena_release(&a);
}

/* Adds steps from many narrow heads to a single wide one. */
static void sweep_heads(const struct view_data *d, struct kept *k)
{
	const long width = (long)d->built->model.config.d;
	k->heads = (struct swept){.title = "Rank by width of a head",
				  .x_title = "width of a head d_h, at the same d",
				  .about = "heads"};
	for (long heads = 64; heads >= 1; heads /= 2) {
		struct setup setup = d->scene->setup;
		setup.heads = heads;
		setup.compare = "none";
		if (width % heads == 0 && width / heads >= 2)
			add_step(d, &setup, -1, &k->heads);
	}
}

static void sweep_dims(const struct view_data *d, struct kept *k)
{
	struct arena a;
	struct sweep sweep;
	struct err err = {""};
	k->dims = (struct swept){
		.title = "Rank by d_p", .x_title = "width of position vectors d_p", .about = "d_p"};
	if (k->bounds.dp == 0)
		return;
	arena_init(&a);
	if (sweep_of(d->scene->setup.scheme, "rank=1,2,4,8,16,32,64", &a, &sweep, &err))
		for (size_t i = 0; i < sweep.n; i++) {
			struct setup setup = d->scene->setup;
			double x;
			setup.scheme = sweep.expressions[i];
			setup.compare = "none";
			if (num_parse_double(sweep.values[i], strlen(sweep.values[i]), 0, 1e6, &x,
					     NULL))
				add_step(d, &setup, x, &k->dims);
		}
	arena_release(&a);
}

static const void *rank_keep(const struct view_data *d, struct arena *a)
{
	struct kept *const k = arena_calloc(a, 1, sizeof *k);
	rank_bounds(&d->built->expr, &d->built->model.config, &k->bounds);
	add_all(d, k, a);
	sweep_heads(d, k);
	sweep_dims(d, k);
	return k;
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* Returns the singular values down to the numerical rank; smaller ones are rounding. */
static struct series series_of(const struct row *r, size_t i, struct arena *a)
{
	double *const x = arena_calloc(a, r->is.n + 1, sizeof *x);
	double *const y = arena_calloc(a, r->is.n + 1, sizeof *y);
	for (size_t k = 0; k < r->is.n; k++) {
		const double value = r->is.values[k];
		x[k] = (double)(k + 1);
		y[k] = value > r->is.tolerance ? value : NAN;
	}
	return (struct series){.label = r->title,
			       .n = r->is.n,
			       .x = x,
			       .y = y,
			       .colour = i,
			       .active = strcmp(r->name, "logits") == 0};
}

static void spectrum_panel(const struct view_data *d, const struct kept *k, struct arena *a,
			   struct panel *p)
{
	struct series *const series = arena_calloc(a, k->n + 1, sizeof *series);
	struct curve_mark *const marks = arena_calloc(a, k->n + 1, sizeof *marks);
	size_t n = 0, n_marks = 0;
	for (size_t i = 0; i < k->n; i++) {
		const struct row *const r = &k->rows[i];
		if (!r->is.values || !(r->is.values[0] > 0))
			continue;
		if (r->bound > 0 && r->bound < r->is.n)
			marks[n_marks++] = (struct curve_mark){
				.x = (double)r->bound,
				.series = n,
				.label = arena_printf(a, "at most %zu", r->bound),
				.brief = arena_printf(a, "≤ %zu", r->bound)};
		series[n] = series_of(r, n, a);
		n++;
	}
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "spectrum",
			    .title = "Singular values",
			    .note = view_layer_note(d, a),
			    .short_note = view_short_layer(d, a),
			    .subtitle =
				    "largest first, by decades; a line ends where the rank does: "
				    "the rest is rounding",
			    .absent = n > 0 ? NULL
					    : "there are no singular values: no matrix here has a "
					      "value other than zero"};
	p->curves = (struct curves){.series = series,
				    .n = n,
				    .marks = marks,
				    .n_marks = n_marks,
				    .x_title = "number of the singular value",
				    .y_title = "",
				    .integer_x = true,
				    .row_title = "matrices",
				    .spread = CURVES_LOG,
				    .colormap = view_colormap(d, true)};
}

static const char *digits(double value, struct arena *a)
{
	char text[32];
	return isnan(value) ? "–" : arena_strdup(a, num_show(text, sizeof text, value, 3));
}

static const char *rank_text(const struct rank *r, struct arena *a)
{
	return r->values ? arena_printf(a, "%zu of %zu", r->numerical, r->n) : "–";
}

enum { COLS = 5 };

static void ranks_panel(const struct kept *k, struct arena *a, struct panel *p)
{
	static const char *const head[COLS] = {"matrix", "rank", "at most", "stable", "effective"};
	static const bool right[COLS] = {false, true, true, true, true};
	static const unsigned char priority[COLS] = {0, 0, 1, 2, 3};
	const char **const cells = arena_calloc(a, COLS * (k->n + 1), sizeof *cells);
	for (size_t i = 0; i < k->n; i++) {
		const struct row *const r = &k->rows[i];
		const char **const row = cells + COLS * i;
		row[0] = r->title;
		row[1] = rank_text(&r->is, a);
		row[2] = r->bound ? arena_printf(a, "%zu", r->bound) : "";
		row[3] = r->is.why ? r->is.why : digits(r->is.stable, a);
		row[4] = r->is.why ? "" : digits(r->is.effective, a);
	}
	*p = (struct panel){
		.kind = PANEL_TABLE,
		.name = "ranks",
		.title = "Ranks",
		.subtitle = "rank: σ above σ₁·max(m, n)·2⁻⁵²; stable: ‖A‖²/σ₁²; effective: exp of "
			    "the entropy of σ/Σσ",
		.absent = k->n > 0 ? NULL : "there is no matrix to decompose",
		.table = {.rows = k->n,
			  .cols = COLS,
			  .head = head,
			  .cells = cells,
			  .right = right,
			  .priority = priority,
			  .from_top = true}};
}

/* Adds a curve that has more than one value. */
static void add_swept(const struct swept *s, const double *y, const char *label, size_t colour,
		      struct curves *c, struct series *series)
{
	size_t there = 0;
	for (size_t i = 0; i < s->n; i++)
		there += !isnan(y[i]);
	if (there > 1)
		series[c->n++] = (struct series){
			.label = label, .n = s->n, .x = s->x, .y = y, .colour = colour};
}

static void sweep_panel(const struct view_data *d, const struct swept *s, struct arena *a,
			struct panel *p)
{
	struct series *const series = arena_calloc(a, 5, sizeof *series);
	const bool part = d->trace->query.n > SWEPT_UNITS;
	*p = (struct panel){
		.kind = PANEL_CURVES,
		.name = "sweep",
		.title = s->title,
		.note = "layer 1, head 1",
		.subtitle = part ? arena_printf(a, "numerical rank among the first %d units",
						SWEPT_UNITS)
				 : "numerical rank, evaluated anew at each width"};
	p->curves = (struct curves){.series = series,
				    .x_title = s->x_title,
				    .y_title = "",
				    .integer_x = true,
				    .row_title = "matrices",
				    .colormap = view_colormap(d, true)};
	add_swept(s, s->logits, "logits", 0, &p->curves, series);
	add_swept(s, s->position, "positional part", 1, &p->curves, series);
	add_swept(s, s->content, "unit–unit", 2, &p->curves, series);
	const bool sum = s->n > 0 && !isnan(s->high[0]);
	add_swept(s, sum ? s->high : s->low, sum ? "bound d_h + d_p" : "bound d_h", 3, &p->curves,
		  series);
	if (p->curves.n > 0)
		series[0].active = true;
	else
		p->absent = "heads of no other width are possible here";
}

static const struct row *row_of(const struct kept *k, const char *name)
{
	for (size_t i = 0; i < k->n; i++)
		if (strcmp(k->rows[i].name, name) == 0)
			return &k->rows[i];
	return NULL;
}

static void say_rank(const struct kept *k, const char *name, const char *key, const char *note,
		     struct arena *a, struct card *card)
{
	const struct row *const r = row_of(k, name);
	if (r)
		card_add(card, key, r->is.why ? "n/a" : rank_text(&r->is, a),
			 r->is.why ? r->is.why : note);
}

static void card_panel(const struct view_data *d, const struct kept *k, struct arena *a,
		       struct panel *p)
{
	*p = (struct panel){
		.name = "card", .title = "What bounds it", .paper_title = "What bounds it"};
	struct card *const card = card_new(p, a);
	const struct row *const first = k->n > 0 ? &k->rows[0] : NULL;
	const char *const part = first ? sample_show(&first->is.sample, a) : NULL;
	card->about =
		"A head of width d_h gives content logits of rank d_h at most, however long the "
		"sentence is. What is added from elsewhere lifts that, and softmax ends it.";
	say_rank(k, "term.unit–unit", "content",
		 arena_printf(a, "unit–unit: at most d_h = %zu", k->bounds.dk), a, card);
	say_rank(k, "position", "position",
		 k->bounds.dp ? arena_printf(a, "P_Q·P_Kᵀ: at most d_p = %zu%s", k->bounds.dp,
					     k->bounds.segments
						     ? arena_printf(a, ", and %zu for segments",
								    k->bounds.segments)
						     : "")
			      : "what the logits have beside it",
		 a, card);
	say_rank(k, "logits", "logits",
		 k->bounds.dp ? arena_printf(a, "at most d_h + d_p%s = %zu",
					     k->bounds.segments ? " + segments" : "",
					     k->bounds.dk + k->bounds.dp + k->bounds.segments)
			      : "before softmax, masked pairs with them",
		 a, card);
	say_rank(k, "weights", "weights", "behind softmax, 0 where masked", a, card);
	if (!isnan(k->entropy))
		card_add(card, "entropy", arena_printf(a, "%.2f nats", k->entropy),
			 arena_printf(a, "of the rows of the weights, mean; ln n = %.2f",
				      log((double)d->trace->key.n)));
	if (first && first->is.values)
		card_add(card, "tolerance", digits(first->is.tolerance, a),
			 arena_printf(a,
				      "of the logits; with numbers of single precision their rank "
				      "is %zu",
				      first->is.single));
	if (part)
		card_add(card, "part", part, "and the columns of the same numbers");
}

static void rank_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct kept *const k = d->kept;
	const bool dims = k->dims.n > 1;
	view_frame(d, view_layer_note(d, a), a, out);
	spectrum_panel(d, k, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 0, 2, 0);
	ranks_panel(k, a, &out->panels[1]);
	view_place(&out->panels[1], 0, 2, 1, 1);
	sweep_panel(d, &k->heads, a, &out->panels[2]);
	view_place(&out->panels[2], 1, 0, dims ? 1 : 2, 3);
	out->n = 3;
	if (dims) {
		sweep_panel(d, &k->dims, a, &out->panels[3]);
		view_place(&out->panels[out->n++], 1, 1, 1, 4);
	}
	card_panel(d, k, a, &out->panels[out->n]);
	view_place(&out->panels[out->n++], 1, 2, 1, 2);
	memcpy(out->col_weight, (unsigned char[]){5, 5, 7}, 3);
	memcpy(out->row_weight, (unsigned char[]){1, 1}, 2);
	view_close(d, out);
}

/* ---- numbers for dumps ----------------------------------------------------------------------- */

static void rank_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct kept *const k = d->kept;
	for (size_t i = 0; i < k->n; i++) {
		const struct row *const r = &k->rows[i];
		const char *const why = r->is.why ? arena_printf(a, "n/a: %s", r->is.why) : NULL;
		numbers_say(out, arena_printf(a, "rank.%s.numerical", r->name),
			    r->is.values ? (double)r->is.numerical : NAN,
			    why ? why : rank_text(&r->is, a),
			    r->bound
				    ? arena_printf(a, "singular values above rounding; at most %zu",
						   r->bound)
				    : "singular values above rounding");
		numbers_say(out, arena_printf(a, "rank.%s.stable", r->name), r->is.stable,
			    why ? why : digits(r->is.stable, a), "‖A‖²/σ₁²");
		numbers_say(out, arena_printf(a, "rank.%s.effective", r->name), r->is.effective,
			    why ? why : digits(r->is.effective, a), "exp of the entropy of σ/Σσ");
		if (r->is.values)
			numbers_add(out, arena_printf(a, "rank.%s.values", r->name),
				    mat_view(r->is.values, 1, r->is.n));
	}
}

const struct view view_rank = {"rank",
			       "Rank",
			       "How many directions do the matrices have?",
			       rank_wants,
			       rank_figure,
			       .keep = rank_keep,
			       .numbers = rank_numbers};
