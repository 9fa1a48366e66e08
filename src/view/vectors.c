/* vectors.c: the view Vectors: the vectors that a scheme adds, multiplies or rotates by, row by
 * row, and relations of the rows: their cosines, frequencies, lengths, and path in a plane. */
#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "vectors_in.h"

unsigned vectors_wants(const struct scene *scene)
{
	(void)scene;
	return WANT_POSITION | WANT_KEPT | WANT_RELATION | WANT_MASK | WANT_BIAS | WANT_WEIGHTS;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *vectors_number(double value, int digits, struct arena *a)
{
	char text[32];
	if (isnan(value))
		return "–";
	if (fabs(value) < 1e-12)
		return "0";
	num_show(text, sizeof text, fabs(value), digits);
	return arena_printf(a, "%s%s", value < 0 ? "−" : "", text);
}

bool vectors_are_waves(const struct shown_vectors *k)
{
	for (size_t i = 0; k->v.frequency && i < k->v.angle.cols; i++)
		if (k->v.frequency[i] > 0)
			return true;
	return false;
}

bool vectors_of_places(const struct shown_vectors *k)
{
	return k->v.of_units && strcmp(k->v.rows_are, "position t") == 0;
}

/* Returns "32 positions ↓ · 64 dimensions →", and for a sample also "512 of 4096 rows, seed 0"; if n of
 * more rows are shown "25 of 63 distances ↓". */
static const char *size_note(const struct shown_vectors *k, size_t n, struct arena *a)
{
	const char *const part = sample_show(&k->sample, a);
	const char *const sign = strstr(k->rows_word, " s − t");
	const char *const size =
		n < k->v.at.rows ? arena_printf(a, "%zu of %zu %.*s ↓ · %zu %s →", n, k->v.at.rows,
						(int)(sign ? sign - k->rows_word
							   : (long)strlen(k->rows_word)),
						k->rows_word, k->v.at.cols, k->cols_word)
				 : arena_printf(a, "%zu %s ↓ · %zu %s →", k->v.at.rows,
						k->rows_word, k->v.at.cols, k->cols_word);
	return part ? arena_printf(a, "%s · %s", size, part) : size;
}

/* Returns the size, and, if there are several kinds of vectors, which one is shown. */
static const char *which(const struct shown_vectors *k, size_t n, struct arena *a)
{
	return k->n > 1 ? arena_printf(a, "%zu of %zu · %s", k->of + 1, k->n, size_note(k, n, a))
			: size_note(k, n, a);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* The rows that matrices show: all, or of many distances those around 0, so that each has its name. */
struct shown_rows {
	size_t first, n;
};

static struct shown_rows rows_of(const struct view_data *d, const struct shown_vectors *k)
{
	enum { NEAR = 12 };
	const size_t n = k->v.at.rows;
	const struct shown_rows all = {0, n};
	if (d->earlier || !k->ruler || !k->row_names || k->sample.n < k->sample.of)
		return all;
	for (size_t i = NEAR; i + NEAR < n; i++)
		if (strcmp(k->row_names[i], "0") == 0)
			return (struct shown_rows){i - NEAR, 2 * NEAR + 1};
	return all;
}

static void name_rows(const struct shown_vectors *k, struct shown_rows rows, struct heatmap *h)
{
	h->row_labels = k->row_names ? k->row_names + rows.first : NULL;
	h->row_title = k->row_title;
	h->ruler = k->ruler;
}

/* Returns "1" … "n": with a ruler both axes have names. */
static const char *const *numbers_of(size_t n, struct arena *a)
{
	const char **const out = arena_calloc(a, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = arena_printf(a, "%zu", i + 1);
	return out;
}

static const char *table_title(const struct view_data *d, const struct shown_vectors *k)
{
	switch (k->v.kind) {
	case VECTORS_ADDED:
		return "Position vectors";
	case VECTORS_TURNS:
		return k->v.changes ? "Rotation angles, first layer" : "Rotation angles";
	case VECTORS_MADE:
		return d->earlier ? "Made of positions" : "Vectors made of positions";
	case VECTORS_TABLE:
		return vectors_of_bias(k) ? "Learned bias" : "Learned table";
	case VECTORS_EIGEN:
		return "Eigenvectors";
	}
	return "Vectors";
}

/* Up to so many rows have a line of a terminal each, and room for their names. */
enum { FEW = 12, NARROW = 8 }; /* NARROW: columns of a table that may be broader than high */

void vectors_table_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			 struct panel *p)
{
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .name = "table",
			    .title = k->absent ? "Vectors" : table_title(d, k),
			    .brief_title = k->absent		       ? NULL
					   : k->v.kind == VECTORS_MADE ? "Vectors"
					   : k->v.changes	       ? "Angles, first layer"
								       : NULL,
			    .absent = k->absent};
	if (k->absent)
		return;
	const bool named = k->v.kind == VECTORS_MADE || k->v.kind == VECTORS_TABLE;
	const struct shown_rows rows = rows_of(d, k);
	p->note = which(k, rows.n, a);
	p->short_note = rows.n < k->v.at.rows
				? arena_printf(a, "%zu of %zu rows × %zu", rows.n, k->v.at.rows,
					       k->v.at.cols)
				: arena_printf(a, "%zu × %zu", k->v.at.rows, k->v.at.cols);
	p->paper_note = size_note(k, rows.n, a);
	p->subtitle = named ? arena_printf(a, "%s: %s", k->v.name, k->v.means) : k->v.means;
	const struct paint paint = {.is_signed = true,
				    .own = true,
				    .allowed = vectors_trained_cells(k, rows.first, rows.n, a)};
	view_heatmap(d, mat_rows(k->v.at, rows.first, rows.n), &paint, a, p);
	p->heatmap.masked_as = k->n_untrained > 0 ? "never trained" : NULL;
	name_rows(k, rows, &p->heatmap);
	p->heatmap.col_labels = k->ruler ? numbers_of(k->v.at.cols, a) : NULL;
	p->heatmap.col_title = k->col_title;
	if (rows.n <= FEW && p->heatmap.grid == GRID_AUTO)
		p->heatmap.grid = GRID_CELLS;
	p->heatmap.no_cursor = p->heatmap.no_means = true;
	p->heatmap.own_cols = k->v.of_units;
	p->heatmap.broad = k->v.at.cols <= NARROW && k->v.at.cols < k->v.at.rows;
}

/* Returns the largest number of few digits that is at most the least cosine, where the scale of
 * cosines near 1 begins. */
static double below(double least)
{
	const double step = pow(10, floor(log10(1 - least)));
	return 1 - step * ceil((1 - least) / step * (1 - 1e-12));
}

/* Fills the panel with the distance of every two rows, for rows that point the same way. */
static void lengths_apart_panel(const struct view_data *d, const struct shown_vectors *k,
				struct arena *a, struct panel *p)
{
	const struct mat rows = k->v.rows, m = mat_new(a, rows.rows, rows.rows);
	for (size_t t = 0; t < m.rows; t++)
		for (size_t s = 0; s < m.cols; s++) {
			double sum = 0;
			for (size_t j = 0; j < rows.cols; j++)
				sum += pow(mat_row(rows, t)[j] - mat_row(rows, s)[j], 2);
			mat_row(m, t)[s] = sqrt(sum);
		}
	p->title = "Difference of rows";
	p->note = p->short_note = "‖x − y‖; cosine 1 for all";
	p->subtitle = "length of the difference of every two rows: their cosine is 1";
	const struct paint paint = {.own = true};
	view_heatmap(d, m, &paint, a, p);
	p->heatmap.more_of = "difference";
}

static void similarity_panel(const struct view_data *d, const struct shown_vectors *k, bool whole,
			     struct arena *a, struct panel *p)
{
	/* Cosines above `near` are all of one colour on a scale from −1. */
	static const double near = 0.8;
	/* Rows that are all alike have no scale of their own. */
	const bool close = k->least > near && k->least < 1 - 1e-12 && !whole;
	uint8_t *const allowed = arena_calloc(a, k->cosine.rows * k->cosine.cols + 1, 1);
	bool all = true;
	for (size_t i = 0; i < k->cosine.rows * k->cosine.cols; i++) {
		allowed[i] = !isnan(k->cosine.at[i]);
		all &= allowed[i];
	}
	const struct paint paint = {.allowed = all ? NULL : allowed,
				    .is_signed = !close,
				    .shared = !close,
				    .limit = 1,
				    .ranged = close,
				    .lo = close ? below(k->least) : 0,
				    .hi = 1,
				    .own = true};
	p->note = arena_printf(a, "cosine: least %s, side by side %s",
			       vectors_number(k->least, 2, a), vectors_number(k->neighbour, 2, a));
	p->short_note = arena_printf(a, "cosine, least %s", vectors_number(k->least, 2, a));
	p->paper_note = p->short_note;
	p->subtitle =
		k->v.kind == VECTORS_TURNS
			? "of the cosines and sines of the angles: 1 where all angles are the same"
			: "1 where they point the same way, 0 where they have nothing in common";
	const struct shown_rows rows = rows_of(d, k);
	const struct mat part =
		mat_rows(mat_cols(k->cosine, rows.first, rows.n), rows.first, rows.n);
	view_heatmap(d, rows.n < k->cosine.rows ? mat_copy(a, part) : k->cosine, &paint, a, p);
	p->heatmap.linear = true;
	p->heatmap.more_of = close ? "similar" : NULL;
}

void vectors_cosine_panel(const struct view_data *d, const struct shown_vectors *k, bool whole,
			  struct arena *a, struct panel *p)
{
	*p = (struct panel){.kind = PANEL_HEATMAP,
			    .name = "cosine",
			    .title = vectors_of_places(k) ? "Similarity of positions"
				     : k->v.of_units	  ? "Similarity of token vectors"
							  : "Similarity of rows",
			    .brief_title = "Similarity",
			    .absent = isnan(k->least)
					      ? "there is but one row, or all but one are zero: "
						"no two to compare"
					      : NULL};
	if (p->absent)
		return;
	if (vectors_are_parallel(k) && !k->plane_absent && !whole && !d->earlier)
		lengths_apart_panel(d, k, a, p);
	else
		similarity_panel(d, k, whole, a, p);
	name_rows(k,
		  p->heatmap.values.rows == k->v.at.rows ? (struct shown_rows){0, k->v.at.rows}
							 : rows_of(d, k),
		  &p->heatmap);
	p->heatmap.col_labels = p->heatmap.row_labels;
	p->heatmap.col_title = vectors_of_places(k) ? "position s" : k->row_title;
	if (p->heatmap.values.rows <= FEW && p->heatmap.grid == GRID_AUTO)
		p->heatmap.grid = GRID_CELLS;
	p->heatmap.masked_as = "zero vector";
	p->heatmap.no_cursor = !k->v.of_units;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Panels that say nothing are left out unless the scene names them: lengths that are all equal,
 * cosines that all are in one bar, and a path that is a line. */
static bool norms_say(const struct shown_vectors *k)
{
	double least = INFINITY, most = 0;
	for (size_t t = 0; t < k->v.rows.rows; t++) {
		least = fmin(least, k->norm[t]);
		most = fmax(most, k->norm[t]);
	}
	return most - least > 1e-9 * most;
}

/* Points on a line are what the lengths of the rows show. */
static bool path_says(const struct shown_vectors *k)
{
	return k->plane_absent || k->share[1] > 1e-9;
}

static bool histogram_says(const struct shown_vectors *k)
{
	size_t bars = 0;
	for (size_t i = 0; i < COSINE_BINS; i++)
		bars += k->bins[i] > 0;
	return bars > 2;
}

static bool is_named(const struct view_data *d, const char *panel)
{
	return text_contains(d->scene->panel, panel);
}

/* Draws the graph that the eigenvectors belong to. */
static bool graph_panel(const struct view_data *d, const struct shown_vectors *k, struct arena *a,
			struct panel *p)
{
	return d->trace->spectrum.n > 0 && !k->more_places && view_drawing(d, d->trace, true, a, p);
}

static void vectors_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct shown_vectors *const k = d->kept;
	view_frame(d, k->absent ? "no vectors" : k->v.title, a, out);
	if (k->n_beside > 0 && !d->earlier) {
		vectors_beside(d, a, out);
		return;
	}
	vectors_table_panel(d, k, a, &out->panels[0]);
	view_place(&out->panels[0], 0, 0, k->absent ? 3 : 2, 0);
	out->n = 1;
	if (k->absent && !d->earlier) {
		vectors_without(d, a, out);
	} else if (!k->absent) {
		out->finding = vectors_finding(k, a);
		/* Rows of numbers for heads are no vectors that one compares. */
		const bool heads = vectors_of_heads(k) && !d->earlier;
		if (!heads || is_named(d, "cosine")) {
			vectors_cosine_panel(d, k, false, a, &out->panels[out->n]);
			view_place(&out->panels[out->n++], 0, 2, heads ? 1 : 2, 1);
		}
		const unsigned char from = (unsigned char)(!heads ? 4 : out->n + 1);
		vectors_curve_panel(d, k, a, &out->panels[out->n]);
		view_place(&out->panels[out->n++], 0, from, (unsigned char)(6 - from),
			   heads ? 1 : 2);
		if ((path_says(k) && !heads) || is_named(d, "path") || d->earlier) {
			vectors_path_panel(k, a, &out->panels[out->n]);
			view_place(&out->panels[out->n++], 1, 1, 1, 4);
		}
		/* The card of a bias repeats its title, notes and finding. */
		if (!vectors_of_bias(k) || d->earlier || is_named(d, "card")) {
			vectors_card_panel(d, k, a, &out->panels[out->n]);
			view_place(&out->panels[out->n++], 1, 4, 2, 3);
		}
		if ((histogram_says(k) && !heads) || is_named(d, "histogram")) {
			vectors_histogram_panel(d, k, a, &out->panels[out->n]);
			view_place(&out->panels[out->n++], 1, 2, 1, 5);
		}
		if ((norms_say(k) && !heads) || is_named(d, "norms")) {
			vectors_norms_panel(d, k, a, &out->panels[out->n]);
			view_place(&out->panels[out->n++], 1, 3, 1, 6);
		}
		if (graph_panel(d, k, a, &out->panels[out->n]))
			view_place(&out->panels[out->n++], 1, 0, 1, 2);
	}
	if (!k->absent) {
		enum { COLS = 38 }; /* of a panel on cells: three large ones rather than four */
		out->least_cols = vectors_of_heads(k) ? 0 : COLS;
		memset(out->col_weight, 4, 6);
		memcpy(out->row_weight, (unsigned char[]){5, 4}, 2);
		if (vectors_of_bias(k) && out->n == 2 && !d->earlier) {
			out->by_grid = true; /* curves as high as the table */
			out->row_weight[1] = 0;
		}
	}
	view_close(d, out);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static struct mat row_of(const double *at, size_t n, struct arena *a)
{
	const struct mat m = mat_new(a, 1, n);
	memcpy(m.at, at, n * sizeof *at);
	return m;
}

static void vectors_numbers(const struct view_data *d, struct arena *a, struct numbers *out)
{
	const struct shown_vectors *const k = d->kept;
	const char *const why = k->absent ? arena_printf(a, "n/a: %s", k->absent) : NULL;
	const size_t n_pairs = k->v.angle.cols;
	numbers_say(out, "vectors.cosine.least", why ? NAN : k->least,
		    why ? why : vectors_number(k->least, 3, a), "of two different rows");
	if (why)
		return;
	numbers_say(out, "vectors.cosine.neighbour", k->neighbour,
		    vectors_number(k->neighbour, 3, a), "of rows side by side, mean");
	numbers_say(out, "vectors.cosine.by-distance", k->by.distance,
		    isnan(k->by.distance) ? arena_printf(a, "n/a: %s", k->by.why)
					  : arena_printf(a, "%.1f %%", 100 * k->by.distance),
		    "of the variance of the cosines of different rows");
	if (vectors_are_waves(k)) {
		numbers_say(out, "vectors.waves", (double)k->turn,
			    arena_printf(a, "%zu of %zu", k->turn, n_pairs),
			    arena_printf(a,
					 "pairs of columns that rotate fully within %zu positions",
					 k->v.angle.rows));
		numbers_add(out, "vectors.frequency", row_of(k->v.frequency, n_pairs, a));
	}
	if (k->v.trained)
		numbers_add(out, "vectors.frequency.trained", row_of(k->v.trained, n_pairs, a));
	numbers_add(out, "vectors.table", k->v.at);
	numbers_add(out, "vectors.cosine", k->cosine);
	numbers_add(out, "vectors.norms", row_of(k->norm, k->v.rows.rows, a));
	numbers_add(out, "vectors.histogram", row_of(k->bins, COSINE_BINS, a));
	numbers_add(out, "vectors.rows", k->v.rows);
	if (k->plane_absent)
		return;
	numbers_add(out, "vectors.plane", k->plane);
	numbers_add(out, "vectors.share", row_of(k->share, 2, a));
}

static size_t vectors_count(const void *kept)
{
	const struct shown_vectors *const k = kept;
	return k->n;
}

const struct view view_vectors = {"vectors",
				  "Vectors",
				  "Which vectors stand for positions?",
				  vectors_wants,
				  vectors_figure,
				  .keep = vectors_keep,
				  .numbers = vectors_numbers,
				  .vectors = vectors_count,
				  .beside = true,
				  .broad = true};
