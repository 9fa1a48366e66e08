/* words_heatmap.c: a matrix in words: its range, its strongest cells, and the strongest cell of
 * each row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/plot/words.h"

enum { STRONGEST = 10, ROWS_MOST = 32 };

struct place {
	/* size of the value, without differences that are rounding errors */
	double value, rank;
	size_t row, col;
};

/* Facts on a matrix before its cells are ranked. */
struct facts {
	/* cells with a number, in reading order, later by rank */
	struct place *places;
	size_t n, masked, first, second, alarms,
		names; /* first, second: masked in only one matrix */
	double lo, hi, size;
	bool is_signed;
};

static struct facts find_facts(const struct heatmap *h, struct arena *a)
{
	struct facts f = {.lo = INFINITY, .hi = -INFINITY};
	f.places = arena_calloc(a, h->values.rows * h->values.cols + 1, sizeof *f.places);
	for (size_t r = 0; r < h->values.rows; r++) {
		for (size_t c = 0; c < h->values.cols; c++) {
			const double x = mat_row(h->values, r)[c];
			const uint8_t mask = h->masked ? h->masked[r * h->values.cols + c] : 0;
			if (mask != HEATMAP_OPEN) {
				f.masked++;
				f.first += mask == HEATMAP_MASKED_FIRST;
				f.second += mask == HEATMAP_MASKED_SECOND;
			} else if (!isfinite(x)) {
				f.alarms++;
			} else if (heatmap_name(h, x)) {
				f.names++;
			} else {
				f.places[f.n++] = (struct place){.value = x, .row = r, .col = c};
				f.lo = fmin(f.lo, x);
				f.hi = fmax(f.hi, x);
			}
		}
	}
	f.is_signed = f.lo < 0;
	f.size = fmax(fabs(f.lo), fabs(f.hi));
	for (size_t i = 0; i < f.n && f.size > 0; i++)
		f.places[i].rank = rint(fabs(f.places[i].value) / f.size / WORDS_ROUNDING);
	return f;
}

/* Orders by decreasing size without sign; equal sizes in reading order. */
static int by_strength(const void *x, const void *y)
{
	const struct place *const a = x, *const b = y;
	if (a->rank > b->rank || a->rank < b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->col < b->col ? -1 : a->col > b->col;
}

/* Tells if a label is generated and only repeats the position: "5", or "q5" for a query. */
static bool is_place(const char *label, const char *kind, size_t i, struct arena *a)
{
	return strcmp(label + (*label == *kind), arena_printf(a, "%zu", i + 1)) == 0;
}

/* Returns "query 5 chased": the first word of the axis's title, the position from 1, the label. */
static const char *place_name(struct arena *a, const char *title, const char *word,
			      const char *const *labels, size_t i)
{
	const char *const kind =
		title && *title ? arena_strndup(a, title, strcspn(title, " ")) : word;
	return labels && !is_place(labels[i], kind, i, a)
		       ? arena_printf(a, "%s %zu %s", kind, i + 1, labels[i])
		       : arena_printf(a, "%s %zu", kind, i + 1);
}

static const char *row_name(const struct heatmap *h, size_t row, struct arena *a)
{
	return place_name(a, h->row_title, "row", h->row_labels, row);
}

static const char *col_name(const struct heatmap *h, size_t col, struct arena *a)
{
	return place_name(a, h->col_title, "column", h->col_labels, col);
}

static const char *value_text(const struct heatmap *h, double value, struct arena *a)
{
	const struct heatmap_name *const name = heatmap_name(h, value);
	if (name)
		return name->name;
	return h->integers && isfinite(value) ? arena_printf(a, "%.0f", value)
					      : words_number(a, value);
}

static void say_cell(const struct heatmap *h, const char *before, const char *word, size_t row,
		     size_t col, struct strbuf *out, struct arena *a)
{
	const double x = mat_row(h->values, row)[col];
	const char *const hidden = heatmap_hidden(a, h, row, col);
	words_say(out, "%s%s, %s: %s %s", before, row_name(h, row, a), col_name(h, col, a),
		  hidden ? "" : word, hidden ? hidden : value_text(h, x, a));
}

static void say_pointed(const struct heatmap *h, const char *word, struct strbuf *out,
			struct arena *a)
{
	for (size_t i = 0; i < h->n_marks; i++) {
		const struct mark *const m = &h->marks[i];
		if (m->kind == MARK_CELL)
			say_cell(h, "Pointed out: ", word, m->row, m->col, out, a);
		else if (m->kind == MARK_DIAGONAL)
			words_say(out, "Pointed out: the cells at distance %s",
				  words_number(a, (double)m->diagonal));
		else
			words_say(out, "Pointed out: all of %s",
				  m->kind == MARK_ROW ? row_name(h, m->row, a)
						      : col_name(h, m->col, a));
	}
}

static void say_strongest(const struct heatmap *h, const struct facts *f, const char *word,
			  struct strbuf *out, struct arena *a)
{
	const size_t n = f->n < STRONGEST ? f->n : STRONGEST;
	qsort(f->places, f->n, sizeof *f->places, by_strength);
	words_say(out, "Strongest %s%s:", words_many(a, n, "cell"),
		  f->is_signed ? ", by size without sign" : "");
	for (size_t i = 0; i < n; i++)
		say_cell(h, arena_printf(a, "%zu. ", i + 1), word, f->places[i].row,
			 f->places[i].col, out, a);
}

/* Prints the strongest cell of every row. As `places` are ranked, that is the first place of its
 * row. */
static void say_rows(const struct heatmap *h, const struct facts *f, struct strbuf *out,
		     struct arena *a)
{
	const size_t rows = h->values.rows, n = rows < ROWS_MOST ? rows : ROWS_MOST;
	const struct place **const best = arena_calloc(a, rows + 1, sizeof *best);
	for (size_t i = f->n; i-- > 0;)
		best[f->places[i].row] = &f->places[i];
	if (rows < 2 || h->values.cols < 2)
		return;
	words_say(out, "Strongest in each row:");
	for (size_t r = 0; r < n; r++) {
		const char *const name = row_name(h, r, a);
		if (best[r])
			words_say(out, "%s: %s, %s", name, col_name(h, best[r]->col, a),
				  value_text(h, best[r]->value, a));
		else
			words_say(out, "%s: nothing", name);
	}
	if (rows > n)
		words_say(out, "and %s more", words_many(a, rows - n, "row"));
}

static void say_scale(const struct heatmap *h, struct strbuf *out, struct arena *a)
{
	double lo, hi;
	scale_limits(&h->scale, &lo, &hi);
	if (h->colormap)
		words_say(out, "Colours: %s, from %s to %s, %s%s", h->colormap->name,
			  words_number(a, lo), words_number(a, hi), scale_mode_names[h->scale.mode],
			  h->scale.locked ? ", limits locked" : "");
	if (h->colormap && h->scale.above > 0)
		words_say(out, ", %.0f %% of the values are above", 100 * h->scale.above);
}

static size_t count_value(const struct heatmap *h, double value)
{
	size_t n = 0;
	for (size_t r = 0; r < h->values.rows; r++)
		for (size_t c = 0; c < h->values.cols; c++)
			n += mat_row(h->values, r)[c] == value;
	return n;
}

void words_heatmap(const struct panel *p, const char *word, struct strbuf *out, struct arena *a)
{
	const struct heatmap *const h = &p->heatmap;
	if (!h->values.at || h->values.rows == 0 || h->values.cols == 0) {
		words_say(out, "Nothing to show.");
		return;
	}
	const struct facts f = find_facts(h, a);
	words_say(out, "Size: %s by %s", words_many(a, h->values.rows, "row"),
		  words_many(a, h->values.cols, "column"));
	if (f.alarms > 0)
		words_say(out, "Alarm: %s not a number",
			  f.alarms == 1 ? "1 cell is" : arena_printf(a, "%zu cells are", f.alarms));
	if (f.masked > 0)
		words_say(out, "Masked: %zu of %s", f.masked,
			  words_many(a, h->values.rows * h->values.cols, "cell"));
	if (f.first > 0)
		words_say(out, "Masked in %s only: %zu, not subtracted", h->first, f.first);
	if (f.second > 0)
		words_say(out, "Masked in %s only: %zu, not subtracted", h->second, f.second);
	for (size_t i = 0; i < h->n_names; i++)
		words_say(out, "Names: %s in %zu of all %s", h->names[i].name,
			  count_value(h, h->names[i].value),
			  words_many(a, h->values.rows * h->values.cols, "cell"));
	say_pointed(h, word, out, a);
	if (f.n == 0)
		return;
	if (!(f.lo < f.hi)) {
		words_say(out, "Every %scell: %s %s", f.masked + f.names ? "other " : "", word,
			  value_text(h, f.lo, a));
		return;
	}
	words_say(out, "Range: %s to %s", value_text(h, words_rounded(f.lo, f.size), a),
		  value_text(h, words_rounded(f.hi, f.size), a));
	say_scale(h, out, a);
	if (h->has_cursor)
		say_cell(h, "Cursor: ", word, h->row, h->col, out, a);
	say_strongest(h, &f, word, out, a);
	say_rows(h, &f, out, a);
}
