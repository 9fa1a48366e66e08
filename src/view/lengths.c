/* lengths.c: the view Lengths: the attention of a scheme on texts longer than it was made for:
 * measures by length, the last query's weights by length and distance, and the limits of the
 * scheme. */
#include <math.h>
#include <string.h>

#include "lengths_in.h"
#include "run_in.h"
#include "posviz/scene/beside.h"
#include "posviz/scene/model_open.h"
#include "posviz/base/num.h"

/* ---- computing ------------------------------------------------------------------------------- */

/* The number of pairs of query and key that are computed for a first picture, and for each unit
 * of job.most, which is about the work of a row of the table. */
static const double first_cells = 1 << 17, cells_of_one = 1 << 19;

static struct lengths_of request_of(const struct job *j, const struct setup *setup,
				    const struct built *b)
{
	const struct scene *const s = j->scene;
	return (struct lengths_of){.setup = setup,
				   .built = b,
				   .layer = (long)view_chosen(s->layer, b->model.n_steps),
				   .head = view_chosen(s->head, b->model.config.heads),
				   .within = s->within,
				   .matrix = (enum matrix)s->matrix,
				   .cache = j->cache,
				   .watch = j->watch};
}

/* Computes the lengths of another scheme in place of the scene's. Returns how many remain; SIZE_MAX: cancelled, or
 * the scheme cannot be built. */
static size_t run_other(const struct job *j, const struct laid_over *of_this, double cells,
			struct lengths_laid *out, struct err *err)
{
	struct setup *const setup = arena_calloc(j->a, 1, sizeof *setup);
	struct built *const b = arena_calloc(j->a, 1, sizeof *b);
	struct lengths *const l = arena_calloc(j->a, 1, sizeof *l);
	if (!setup_of_model(&j->scene->setup, of_this->expression, of_this->model, j->a, setup,
			    err) ||
	    !setup_build(setup, j->a, b, err)) {
		err_prefix(err, "%s: ", expr_brief(of_this->expression, j->a));
		return SIZE_MAX;
	}
	const struct lengths_of of = request_of(j, setup, b);
	out->built = b;
	out->lengths = l;
	return lengths_part(&of, cells, j->a, l, err);
}

/* Computes those of all schemes that are laid over one another. */
static size_t run_laid(const struct job *j, const struct laid_over *all, size_t n, double cells,
		       struct picture *p, struct err *err)
{
	size_t to_come = 0;
	p->laid = arena_calloc(j->a, n, sizeof *p->laid);
	p->laid[0] = (struct lengths_laid){
		.name = view_expression_name(j->scene, 0, all[0].expression, j->a),
		.built = &p->built,
		.lengths = &p->lengths};
	for (size_t i = 1; i < n; i++) {
		const size_t more = run_other(j, &all[i], cells, &p->laid[i], err);
		if (more == SIZE_MAX)
			return SIZE_MAX;
		p->laid[i].name = all[i].model ? model_name(all[i].model, j->a)
					       : expr_brief(all[i].expression, j->a);
		to_come += more;
	}
	p->n_laid = n;
	return to_come;
}

size_t lengths_run(const struct job *j, struct picture *p, struct err *err)
{
	const struct scene *const s = j->scene;
	const struct lengths_of of = request_of(j, &s->setup, &p->built);
	struct laid_over all[LENGTHS_MOST];
	const size_t n = scene_lengths(s, j->a, all);
	if (of.layer == (long)p->built.model.n_steps) {
		p->lengths.why = "a mean of layers has no rows of its own: choose a layer";
		return 0;
	}
	const double cells =
		j->most == SIZE_MAX ? INFINITY : first_cells + (double)j->most * cells_of_one;
	const size_t own = lengths_part(&of, cells / (double)n, j->a, &p->lengths, err);
	if (n < 2 || own == SIZE_MAX)
		return own;
	const size_t others = run_laid(j, all, n, cells / (double)n, p, err);
	return others == SIZE_MAX ? SIZE_MAX : own + others;
}

static unsigned lengths_wants(const struct scene *scene)
{
	(void)scene;
	return 0;
}

/* ---- curves ---------------------------------------------------------------------------------- */

struct lengths_words lengths_words(const struct view_data *d, enum lengths_measure m,
				   struct arena *a)
{
	switch (m) {
	case LENGTHS_DISTANCE:
		return (struct lengths_words){"Mean distance to the keys, in positions",
					      "Mean distance", "Σ p |s−t|", false};
	case LENGTHS_ENTROPY:
		return (struct lengths_words){"Entropy of the weights, in nats", "Entropy",
					      "−Σ p ln p; ln n: all keys alike", false};
	case LENGTHS_WITHIN:
		return (struct lengths_words){
			arena_printf(a, "Weight within %ld positions, as a share",
				     d->scene->within),
			arena_printf(a, "Weight within %ld", d->scene->within),
			arena_printf(a, "of keys with |s−t| ≤ %ld", d->scene->within), true};
	case LENGTHS_FIRST_TOKEN:
	case LENGTHS_MEASURES:
		break;
	}
	return (struct lengths_words){"Weight of the first token, as a share", "Weight of token 1",
				      "of the key at position 1", true};
}

struct series_of {
	const struct lengths *l;
	size_t head, n;
	double *x;
	struct arena *a;
};

static struct series series_of(const struct series_of *of, enum lengths_measure m, bool last)
{
	double *const y = arena_calloc(of->a, of->n + 1, sizeof *y);
	size_t n = 0;
	for (size_t i = 0; i < of->l->n; i++) {
		const struct lengths_row *const row = &of->l->rows[i];
		if (row->known)
			y[n++] = last ? row->heads[of->head].last[m] : row->heads[of->head].mean[m];
	}
	return (struct series){.label = last ? "last query" : "mean of queries",
			       .brief = last ? "last" : "mean",
			       .n = of->n,
			       .x = of->x,
			       .y = y,
			       .colour = last ? 0 : 1,
			       .active = last};
}

/* Returns the end of the axis: soon after the last length that the scheme computes. */
static double axis_end(const struct view_data *d)
{
	static const double after = 1.25;
	const struct lengths *const l = d->lengths;
	const double all = LENGTHS_TIMES * (double)l->t_max;
	return l->ends > 0 && !d->earlier ? fmin(all, after * (double)l->ends) : all;
}

/* Returns the curve ln n up to the end of the axis, even if the scheme ends before. */
static struct series uniform(const struct view_data *d, struct arena *a)
{
	size_t grid[LENGTHS_GRID];
	size_t n = lengths_grid(d->lengths->t_max, grid);
	double *const x = arena_calloc(a, n, sizeof *x), *const y = arena_calloc(a, n, sizeof *y);
	while (n > 1 && (double)grid[n - 1] > axis_end(d))
		n--;
	for (size_t i = 0; i < n; i++) {
		x[i] = (double)grid[i];
		y[i] = log(x[i]);
	}
	return (struct series){
		.label = "ln n: all alike", .brief = "ln n", .n = n, .x = x, .y = y, .colour = 2};
}

bool lengths_in_decades(const struct series *series, size_t n)
{
	static const double decade = 10;
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < series[i].n; k++) {
			least = isnan(series[i].y[k]) ? least : fmin(least, series[i].y[k]);
			most = fmax(most, series[i].y[k]);
		}
	return least > 0 && most > decade * least;
}

bool lengths_stretched(const struct lengths *l)
{
	return l->turns.scaled && l->turns.trained_to > 0 && l->turns.trained_to < (double)l->t_max;
}

const char *lengths_t_max_is(const struct lengths *l)
{
	return lengths_stretched(l) ? "length of the context" : "length of training";
}

/* Marks t_max, and the longest possible length if it is another one. */
static void mark_ends(const struct lengths *l, struct arena *a, struct curves *c)
{
	struct curve_mark *const marks = arena_calloc(a, 2, sizeof *marks);
	const bool here = l->ends == l->t_max;
	marks[c->n_marks++] = (struct curve_mark){
		.upright = true,
		.x = (double)l->t_max,
		.label = arena_printf(a, "t-max %zu: %s", l->t_max,
				      here ? "no longer text" : lengths_t_max_is(l)),
		.brief = arena_printf(a, "t-max %zu", l->t_max)};
	if (l->ends > 0 && !here) {
		marks[c->n_marks++] = (struct curve_mark){
			.upright = true,
			.x = (double)l->ends,
			.label = arena_printf(
				a, l->memory_ends ? "memory ends at %zu" : "ends at %zu", l->ends),
			.brief = arena_printf(a, "ends at %zu", l->ends)};
	}
	c->marks = marks;
}

static void curve_panel(const struct view_data *d, enum lengths_measure m, struct arena *a,
			struct panel *p)
{
	const struct lengths *const l = d->lengths;
	const struct lengths_words words = lengths_words(d, m, a);
	struct series_of of = {.l = l, .head = view_head(d), .a = a};
	struct series *const series = arena_calloc(a, 3, sizeof *series);
	of.x = arena_calloc(a, l->n + 1, sizeof *of.x);
	for (size_t i = 0; i < l->n; i++)
		if (l->rows[i].known)
			of.x[of.n++] = (double)l->rows[i].n;
	series[0] = series_of(&of, m, true);
	series[1] = series_of(&of, m, false);
	series[2] = uniform(d, a);
	*p = (struct panel){.kind = PANEL_CURVES,
			    .name = "curve",
			    .title = words.title,
			    .brief_title = words.brief,
			    .note = view_head_note(d, a),
			    .short_note = view_short_head(d, a),
			    .subtitle = words.says};
	p->curves = (struct curves){
		.series = series,
		.n = m == LENGTHS_ENTROPY ? 3 : 2,
		.x_title = d->earlier ? "length in tokens" : "length in tokens (log)",
		.y_title = "",
		.log_x = true,
		.x_to = axis_end(d),
		.unit = words.unit,
		.spread = m == LENGTHS_DISTANCE && lengths_in_decades(series, 2) ? CURVES_LOG
										 : CURVES_LINEAR,
		.together = true,
		.row_title = "queries",
		.colormap = view_colormap(d, true)};
	mark_ends(l, a, &p->curves);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static const char *span(const struct lengths *l, size_t i, struct arena *a)
{
	return arena_printf(a, "%zu", l->from[i]);
}

static const char *matrix_title(const struct view_data *d)
{
	static const char *const titles[MATRIX_COUNT] = {[MATRIX_BIAS] = "Bias",
							 [MATRIX_LOGITS] = "Logits",
							 [MATRIX_WEIGHTS] = "Weights",
							 [MATRIX_MASK] = "Mask"};
	return titles[d->lengths->matrix_absent ? MATRIX_WEIGHTS : (enum matrix)d->scene->matrix];
}

static void label_rows(const struct lengths *l, struct arena *a, struct heatmap *h)
{
	const char **const rows = arena_calloc(a, l->n + 1, sizeof *rows);
	const char **const cols = arena_calloc(a, l->n_buckets + 1, sizeof *cols);
	size_t n = 0;
	for (size_t i = 0; i < l->n; i++)
		if (l->rows[i].known)
			rows[n++] = arena_printf(a, "%zu", l->rows[i].n);
	for (size_t i = 0; i < l->n_buckets; i++)
		cols[i] = span(l, i, a);
	h->row_labels = rows;
	h->col_labels = cols;
	h->row_title = "length n";
	h->col_title = "distance t − s, from";
	h->ruler = true;
	h->broad = true;
	h->plain = true;
	h->no_cursor = true;
	h->masked_as = "no key so far";
}

static void matrix_panel(const struct view_data *d, struct arena *a, struct panel *p)
{
	const struct lengths *const l = d->lengths;
	const bool weights = l->matrix_absent || d->scene->matrix == MATRIX_WEIGHTS;
	const bool shares = weights || d->scene->matrix == MATRIX_MASK;
	size_t n = 0;
	for (size_t i = 0; i < l->n; i++)
		n += l->rows[i].known;
	const struct mat m = mat_zero(a, n, l->n_buckets);
	uint8_t *const masked = arena_calloc(a, n * l->n_buckets + 1, 1);
	bool any = false;
	n = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (!l->rows[i].known)
			continue;
		const double *const from = l->rows[i].heads[view_head(d)].bucket;
		for (size_t k = 0; k < l->n_buckets; k++) {
			const bool there = !isnan(from[k]);
			any |= there;
			masked[n * l->n_buckets + k] = there ? HEATMAP_OPEN : HEATMAP_MASKED;
			mat_row(m, n)[k] = there ? from[k] : 0;
		}
		n++;
	}
	*p = (struct panel){
		.kind = PANEL_HEATMAP,
		.name = "matrix",
		.title = arena_printf(
			a, d->earlier ? "%s by distance" : "%s by length ↓ and distance →",
			matrix_title(d)),
		.brief_title = arena_printf(a, "%s by distance", matrix_title(d)),
		.paper_title = arena_printf(a, "%s by distance", matrix_title(d)),
		.note = view_head_note(d, a),
		.short_note = view_short_head(d, a),
		.subtitle = weights ? "of the last query, added up from each distance to the next"
				    : "of the last query, the mean from each distance to the next",
		.absent = any ? NULL : "its keys are no positions: nothing stands at a distance"};
	const struct paint paint = {
		.masked = masked, .unit = shares, .is_signed = !shares, .own = true};
	view_heatmap(d, m, &paint, a, p);
	label_rows(l, a, &p->heatmap);
}

/* ---- the figure ------------------------------------------------------------------------------ */

static size_t unknown(const struct lengths *l)
{
	size_t n = 0;
	for (size_t i = 0; i < l->n; i++)
		n += !l->rows[i].known;
	return n;
}

static const char *filling(const struct view_data *d, struct arena *a)
{
	size_t to_come = d->n_laid > 1 ? 0 : unknown(d->lengths);
	for (size_t i = 0; i < d->n_laid; i++)
		to_come += unknown(d->laid[i].lengths);
	return to_come ? arena_printf(a, "%zu lengths to come", to_come) : NULL;
}

/* A scheme without lengths shows its weights and bias on the input below the reason, if it was run. */
static void without_lengths(const struct view_data *d, struct arena *a, struct figure *out)
{
	const bool ran = !d->earlier && d->trace->n_layers > 0 &&
			 view_layer(d) < d->trace->n_layers &&
			 d->trace->layers[view_layer(d)].heads[view_head(d)].weights.at;
	out->panels[0] =
		(struct panel){.kind = ran ? PANEL_HEATMAP : PANEL_CURVES,
			       .name = "curve",
			       .title = "Lengths",
			       .absent = ran ? view_lead(d->lengths->why, a) : d->lengths->why};
	view_place(&out->panels[0], 0, 0, 1, 0);
	out->n = 1;
	out->col_weight[0] = out->row_weight[0] = 1;
	if (ran)
		view_instead(d, a, out);
}

/* Small plots side by side cannot be read: a terminal shows as many as have this size. */
enum { LEAST_ROWS = 15, LEAST_COLS = 50 };

static void every_measure(const struct view_data *d, struct arena *a, struct figure *out)
{
	static const unsigned char order[LENGTHS_MEASURES] = {0, 3, 4, 5};
	for (size_t m = 0; m < LENGTHS_MEASURES; m++) {
		curve_panel(d, (enum lengths_measure)m, a, &out->panels[m]);
		view_place(&out->panels[m], m / 2, m % 2, 1, order[m]);
	}
	matrix_panel(d, a, &out->panels[LENGTHS_MEASURES]);
	view_place(&out->panels[LENGTHS_MEASURES], 0, 2, 1, 1);
	lengths_card(d, a, &out->panels[LENGTHS_MEASURES + 1]);
	view_place(&out->panels[LENGTHS_MEASURES + 1], 1, 2, 1, 2);
	out->n = LENGTHS_MEASURES + 2;
	out->by_grid = true;
	memcpy(out->col_weight, (unsigned char[]){5, 5, 7}, 3);
	memcpy(out->row_weight, (unsigned char[]){1, 1}, 2);
	out->finding = lengths_finding(d, a);
}

static void lengths_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const char *const note = view_layer_note(d, a), *const to_come = filling(d, a);
	view_frame(d, to_come ? view_beside(note, to_come, a) : note, a, out);
	if (d->lengths->why)
		without_lengths(d, a, out);
	else if (d->n_laid > 1)
		lengths_lay_over(d, a, out);
	else
		every_measure(d, a, out);
	out->least_rows = d->lengths->why ? 0 : LEAST_ROWS;
	out->least_cols = d->lengths->why ? 0 : LEAST_COLS;
	view_close(d, out);
}

const struct view view_lengths = {
	"lengths",	 "Lengths",	 "What becomes of attention on long texts?",
	lengths_wants,	 lengths_figure, .numbers = lengths_numbers,
	.lengths = true, .slow = true,	 .no_cell = true,
	.broad = true};
