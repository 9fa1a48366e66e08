/* looks.c: the panel of a picture's patches as they lie in it: what the shown query makes of each.
 *
 * A row of the matrix, laid out in rows and columns of the picture; frames are below each other. */
#include <string.h>

#include "view_in.h"

/* ---- a picture as it is written -------------------------------------------------------------- */

static const double *column_of(const struct trace *trace, enum place_column which)
{
	for (size_t i = 0; i < trace->n_columns; i++)
		if (strcmp(trace->columns[i].name, place_column_names[which]) == 0)
			return trace->columns[i].at;
	return NULL;
}

/* Returns whether a token has the name of its cell, so that no order moved it. */
static bool stands(const char *label, double row, double col, struct arena *a)
{
	const char *const name = arena_printf(a, "r%.0fc%.0f", row + 1, col + 1);
	const size_t len = strlen(label), size = strlen(name);
	return len >= size && strcmp(label + len - size, name) == 0;
}

size_t view_picture_at(const struct trace *trace, const struct axis *units, size_t from,
		       struct arena *a, const char **text)
{
	const double *const picture = column_of(trace, PLACE_PICTURE);
	const double *const row = column_of(trace, PLACE_ROW), *const col = column_of(trace,
										      PLACE_COLUMN);
	double rows = 0, cols = 0;
	size_t n = 0;
	if (!picture || !row || !col || trace->memory > 0 || picture[from] < 1)
		return 0;
	for (; from + n < units->n && picture[from + n] == picture[from]; n++) {
		const size_t i = from + n;
		if (!stands(units->labels[i], row[i], col[i], a))
			return 0;
		rows = row[i] + 1 > rows ? row[i] + 1 : rows;
		cols = col[i] + 1 > cols ? col[i] + 1 : cols;
	}
	const double frames = (double)n / (rows * cols);
	*text = frames > 1 ? arena_printf(a, "<video %.0fx%.0fx%.0f>", frames, rows, cols)
			   : arena_printf(a, "<image %.0fx%.0f>", rows, cols);
	return n;
}

/* ---- the panel ------------------------------------------------------------------------------- */

/* The picture that is shown, and its size. */
struct looked {
	size_t picture, pictures;
	size_t rows, cols, frames;
};

static const struct patch *patch_at(const struct view_data *d, size_t unit)
{
	const struct input *const in = &d->built->input;
	return unit < in->n ? in->tokens[unit].patch : NULL;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Chooses the query's picture; for a word the first that it may see. */
static struct looked choose(const struct view_data *d, size_t query)
{
	const struct patch *const own = patch_at(d, query);
	struct looked l = {.picture = own ? own->picture : 1};
	for (size_t i = 0; i < d->built->input.n; i++) {
		const struct patch *const p = patch_at(d, i);
		l.pictures = p ? larger(l.pictures, p->picture) : l.pictures;
		if (!p || p->picture != l.picture)
			continue;
		l.frames = larger(l.frames, p->frame + 1);
		l.rows = larger(l.rows, p->row + 1);
		l.cols = larger(l.cols, p->col + 1);
	}
	return l;
}

/* Copies the query's row into the picture; cells without a patch are masked. */
static struct mat lay_out(const struct view_data *d, const struct looked *l,
			  const struct view_matrix *m, size_t row, uint8_t *allowed,
			  struct arena *a)
{
	const struct mat out = mat_zero(a, l->frames * l->rows, l->cols);
	for (size_t s = 0; s < m->at.cols; s++) {
		const struct patch *const p = patch_at(d, s);
		if (!p || p->picture != l->picture)
			continue;
		const size_t at = p->frame * l->rows + p->row;
		mat_row(out, at)[p->col] = mat_row(m->at, row)[s];
		allowed[at * out.cols + p->col] =
			!m->paint.allowed || m->paint.allowed[row * m->at.cols + s];
	}
	return out;
}

static void name_cells(const struct looked *l, struct heatmap *h, struct arena *a)
{
	const char **const rows = arena_calloc(a, h->values.rows + 1, sizeof *rows);
	const char **const cols = arena_calloc(a, h->values.cols + 1, sizeof *cols);
	for (size_t i = 0; i < h->values.rows; i++)
		rows[i] = l->frames > 1
				  ? arena_printf(a, "f%zur%zu", i / l->rows + 1, i % l->rows + 1)
				  : arena_printf(a, "r%zu", i + 1);
	for (size_t i = 0; i < h->values.cols; i++)
		cols[i] = arena_printf(a, "c%zu", i + 1);
	h->row_labels = rows;
	h->col_labels = cols;
	h->row_title = "row";
	h->col_title = "column";
}

bool view_looks(const struct view_data *d, const struct view_matrix *m, struct arena *a,
		struct panel *p)
{
	const struct trace *const trace = d->trace;
	if (!d->built->pictures || !m->at.at || trace->key.n != d->built->input.n)
		return false;
	const size_t row =
		(size_t)view_within(d->scene->row > 0 ? d->scene->row : 1, trace->query.n) - 1;
	const size_t query = row + trace->memory;
	const struct patch *const own = patch_at(d, query);
	const struct looked l = choose(d, query);
	uint8_t *const allowed = arena_calloc(a, l.frames * l.rows * l.cols + 1, sizeof *allowed);
	const struct mat at = lay_out(d, &l, m, row, allowed, a);
	const char *const name = trace->query.names[row];
	const char *const of =
		l.pictures > 1 ? arena_printf(a, "picture %zu of %zu", l.picture, l.pictures)
			       : "the picture";
	*p = (struct panel){.name = "looks",
			    .title = own ? "Where this patch looks" : "Where this token looks",
			    .note = arena_printf(a, "query %s · %s", name, m->name),
			    .short_note = name,
			    .subtitle = arena_printf(a, "%s of query %s to the patches of %s%s",
						     m->name, name, of,
						     own ? "; framed: the patch itself" : "")};
	struct paint paint = m->paint;
	paint.allowed = allowed;
	paint.masked = NULL;
	paint.spread_by = NULL;
	paint.n_spread_by = 0;
	view_heatmap(d, at, &paint, a, p);
	name_cells(&l, &p->heatmap, a);
	p->heatmap.no_cursor = true;
	p->heatmap.even = m->paint.weights ? 1 / (double)trace->key.n : 0;
	if (!own)
		return true;
	struct mark *const mark = arena_calloc(a, 1, sizeof *mark);
	*mark = (struct mark){
		.kind = MARK_CELL, .row = own->frame * l.rows + own->row, .col = own->col};
	p->heatmap.marks = mark;
	p->heatmap.n_marks = 1;
	return true;
}
