/* tex_matrix.c: a matrix with its labels and its bar.
 *
 * Only LaTeX knows the width of labels: it measures them, and the cells divide the rest of the
 * width. This file only estimates which labels have room. */
#include <math.h>

#include "posviz/plot/tex.h"

bool tex_matrix_fits(const struct heatmap *h)
{
	return h->values.rows <= TEX_CELLS && h->values.cols <= TEX_CELLS;
}

static double widest(const struct tex *t, const char *const *labels, size_t n)
{
	double most = labels ? 0 : 2 * t->letters;
	for (size_t i = 0; labels && i < n; i++)
		most = fmax(most, fmin(tex_width(t, labels[i]), 7 * t->letters));
	return most;
}

double tex_matrix_cell(const struct tex *t, const struct heatmap *h, size_t across)
{
	const double left = widest(t, h->row_labels, h->values.rows) + 2 * t->letters;
	const double right = 1.5 * t->letters;
	const double cell = (t->width / (double)across - left - right) / (double)h->values.cols;
	const double high =
		t->height > 0 ? (t->height - 9 * t->letters) / (double)h->values.rows : INFINITY;
	return fmax(1, fmin(fmin(cell, high), 3.2 * t->letters));
}

/* Measures the labels beside the matrix: those of the rows, those of the last columns, which extend
 * beyond its edge if they are slanted, and, for a given height, those of all columns. */
static void add_measures(struct tex *t, const struct heatmap *h, const struct tex_side *rows,
			 const struct tex_side *cols, bool lean)
{
	enum { LAST = 3 };
	const size_t last = cols->n < LAST ? cols->n : LAST;
	tex_widest(t, 0, rows->text, rows->n);
	tex_widest(t, 1, cols->text + cols->n - last, last);
	strbuf_printf(&t->out,
		      "\\pgfmathsetlengthmacro\\posvizleft{\\wd0+%s+3pt}%%\n"
		      "\\pgfmathsetlengthmacro\\posvizright{max(1.6em,\\wd1*%s)+1pt}%%\n",
		      h->row_title ? "1.7em" : "0pt", lean ? "cos(55)" : "0.5");
	if (t->height <= 0)
		return;
	tex_widest(t, 1, cols->text, cols->n);
	strbuf_printf(&t->out, "\\pgfmathsetlengthmacro\\posviztop{%s+1.6em}%%\n",
		      lean ? "\\wd1*sin(55)+0.7em" : "1.2em");
}

static void add_cell(struct tex *t, const struct heatmap *h)
{
	const size_t rows = h->values.rows, cols = h->values.cols;
	strbuf_printf(&t->out,
		      "\\pgfmathsetlengthmacro\\posvizcell{min(3.2em,"
		      "(\\posvizwidth-\\posvizleft-\\posvizright)/%zu%s)}%%\n",
		      cols,
		      t->height > 0
			      ? arena_printf(t->a,
					     ",max(2pt,(\\posvizheight-\\posviztop-3.6em)/%zu)",
					     rows)
			      : "");
	/* In a matrix far from square a row is as high as a label. */
	strbuf_printf(&t->out, "\\pgfmathsetlengthmacro\\posvizrow{%s}%%\n",
		      cols >= 2 * rows ? "max(\\posvizcell,1.3em)" : "\\posvizcell");
}

static const char *mode_of(const struct tex *t, const struct heatmap *h)
{
	const bool all_zero = !(h->scale.lo < 0) && !(h->scale.hi > 0);
	return h->scale.mode == SCALE_LINEAR || all_zero
		       ? NULL
		       : arena_printf(t->a, "%s scale%s", scale_mode_names[h->scale.mode],
				      scale_above(&h->scale, t->a));
}

static void add_axis(struct tex *t, const struct heatmap *h, const struct tex_side *rows,
		     const struct tex_side *cols, bool lean)
{
	strbuf_printf(&t->out,
		      "\twidth=%zu*\\posvizcell, height=%zu*\\posvizrow,\n"
		      "\tposviz %s,\n",
		      h->values.cols, h->values.rows, lean ? "leaning" : "lying");
	tex_ticks(t, "x", cols->at, cols->text, cols->n);
	tex_ticks(t, "y", rows->at, rows->text, rows->n);
	if (h->col_title)
		strbuf_printf(&t->out, "\txlabel={%s},\n", tex_title(t, h->col_title));
	if (h->row_title)
		strbuf_printf(&t->out, "\tylabel={%s},\n", tex_title(t, h->row_title));
}

/* Returns what readers must know about the values besides their scale. */
static const char *note_of(const struct tex *t, const struct heatmap *h)
{
	size_t alarms = 0;
	struct strbuf note;
	strbuf_init(&note, t->a);
	for (size_t r = 0; r < h->values.rows; r++)
		for (size_t c = 0; c < h->values.cols; c++) {
			const double value = mat_row(h->values, r)[c];
			const bool masked = h->masked && h->masked[r * h->values.cols + c];
			alarms += !masked && !isfinite(value) && value != -INFINITY;
		}
	if (alarms > 0)
		strbuf_printf(&note, "%zu value%s", alarms,
			      alarms == 1 ? " is no finite number" : "s are no finite numbers");
	for (size_t i = 0; i < h->n_names; i++)
		strbuf_printf(&note, "%s%s, grey: %s", note.len > 0 ? " · " : "", h->names[i].sign,
			      h->names[i].name);
	return note.at;
}

void tex_matrix(struct tex *t, const struct heatmap *h)
{
	const double cell = tex_matrix_cell(t, h, 1), length = cell * (double)h->values.cols;
	const struct tex_side rows = tex_side(t, h->row_labels, h->values.rows, cell);
	const struct tex_side cols = tex_side(t, h->col_labels, h->values.cols, cell);
	const bool lean = !cols.numbers && cols.width + 0.5 * t->letters > cell;
	const char *const mode = mode_of(t, h);
	add_measures(t, h, &rows, &cols, lean);
	add_cell(t, h);
	/* The bar is long enough to be read, and leaves room for the mode of its scale. */
	strbuf_printf(
		&t->out, "\\pgfmathsetlengthmacro\\posvizbar{max(9em,%zu*\\posvizcell%s)}%%\n",
		h->values.cols,
		mode ? arena_printf(t->a, "-%.2fem", tex_width(t, mode) / t->letters + 1) : "");
	strbuf_add(&t->out, "\\begin{tikzpicture}\n\\begin{axis}[\n");
	tex_cells_axis(t, h);
	add_axis(t, h, &rows, &cols, lean);
	const double taken = mode ? tex_width(t, mode) + t->letters : 0;
	tex_bar(t, h, "\\posvizbar", fmax(9 * t->letters, length - taken));
	strbuf_add(&t->out, "]\n");
	tex_cells(t, h, cell);
	strbuf_add(&t->out, "\\end{axis}\n");
	if (mode)
		strbuf_printf(
			&t->out,
			"\\node[anchor=west, text=posvizsecond, inner sep=0pt] at "
			"([xshift=\\posvizbar+0.6em, yshift=-1.25em]posviz.south west) {%s};\n",
			tex_text(t, mode));
	strbuf_add(&t->out, "\\end{tikzpicture}\\par\n");
	const char *const note = note_of(t, h);
	if (*note)
		strbuf_printf(&t->out, "{\\color{posvizsecond}%s}\\par\n", tex_text(t, note));
}
