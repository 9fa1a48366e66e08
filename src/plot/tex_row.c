/* tex_row.c: matrices in lines: those of an equation, with the operators between them, and small
 * multiples with their names. All have cells of one size, and a bar serves all matrices with its
 * scale. */
#include <math.h>
#include <string.h>

#include "posviz/plot/tex.h"

struct item {
	const struct heatmap *map;
	const char *title, *formula, *share;
	const char *before; /* LaTeX between it and the matrix before */
	bool arrow;	    /* `before` is an arrow */
	size_t bar;	    /* index of the item whose bar it shares */
};

struct row {
	struct item *items;
	size_t n, across;
	size_t *line; /* of each item */
	double cell;  /* estimated side in points */
	bool signs;
};

static double labels_of(const struct tex *t, const struct heatmap *h)
{
	double most = 2 * t->letters;
	for (size_t i = 0; h->row_labels && i < h->values.rows; i++)
		most = fmax(most, fmin(tex_width(t, h->row_labels[i]), 7 * t->letters));
	return most;
}

/* Returns the width of the gap before a matrix, with or without a sign, in sizes of letters. */
static double gap_of(const struct row *r, size_t i)
{
	return !r->signs ? 1.2 : r->items[i].arrow ? 5 : 2.2;
}

/* Returns the sum of the gaps of a line, of which at most one is an arrow. */
static double gaps_of(const struct row *r, size_t across)
{
	double most = 0;
	for (size_t i = 0; i < r->n; i++)
		most = fmax(most, gap_of(r, i));
	return r->signs ? 2.2 * (double)(across - 1) + most : 1.2 * (double)across;
}

static double cell_for(const struct tex *t, const struct row *r, size_t across)
{
	const double gaps = gaps_of(r, across) * t->letters;
	const double room = t->width - labels_of(t, r->items[0].map) - 3 * t->letters - gaps;
	return room / (double)(across * r->items[0].map->values.cols);
}

/* Returns the number of matrices in a line that leaves cells large enough for a label at every
 * second one. */
static size_t across_for(const struct tex *t, const struct row *r)
{
	const double least = 0.7 * t->letters;
	size_t across = r->n < 4 ? r->n : 4;
	while (across > 2 && cell_for(t, r, across) < least)
		across--;
	return across;
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static void add_measures(struct tex *t, const struct row *r, const struct tex_side *rows)
{
	const struct heatmap *const h = r->items[0].map;
	tex_widest(t, 0, rows->text, rows->n);
	strbuf_printf(&t->out,
		      "\\pgfmathsetlengthmacro\\posvizcell{min(3.2em,"
		      "(\\posvizwidth-\\wd0-3em-%.1fem)/%zu)}%%\n",
		      gaps_of(r, r->across), r->across * h->values.cols);
}

static void add_under(struct tex *t, const struct item *it)
{
	if (!it->formula && !it->share)
		return;
	strbuf_add(&t->out,
		   "\\node[anchor=north, align=center, inner sep=3pt] at (posviz.south) {");
	if (it->formula)
		strbuf_printf(&t->out, "$%s$", tex_formula(t, it->formula));
	if (it->share)
		strbuf_printf(&t->out, "%s%s", it->formula ? "\\\\" : "", tex_text(t, it->share));
	strbuf_add(&t->out, "};\n");
}

static void add_item(struct tex *t, const struct row *r, size_t i, bool own_bars)
{
	const struct item *const it = &r->items[i];
	const struct heatmap *const h = it->map;
	const bool first = i == 0 || r->line[i] != r->line[i - 1];
	const struct tex_side rows = tex_side(t, h->row_labels, h->values.rows, r->cell);
	const struct tex_side cols = tex_side(t, h->col_labels, h->values.cols, r->cell);
	strbuf_add(&t->out, "\\begin{tikzpicture}[baseline=(posviz.center)]\n\\begin{axis}[\n");
	tex_cells_axis(t, h);
	strbuf_printf(&t->out, "\twidth=%zu*\\posvizcell, height=%zu*\\posvizcell,\n\tposviz %s,\n",
		      h->values.cols, h->values.rows, cols.numbers ? "lying" : "leaning");
	tex_ticks(t, "x", cols.at, cols.text, r->line[i] == 0 ? cols.n : 0);
	tex_ticks(t, "y", rows.at, rows.text, first ? rows.n : 0);
	strbuf_printf(&t->out, "\txlabel={\\textbf{%s}}, xlabel style={text=posvizink},\n",
		      tex_text(t, figure_scripts(t->a, it->title)));
	if (own_bars)
		tex_bar(t, h, arena_printf(t->a, "%zu*\\posvizcell", h->values.cols),
			r->cell * (double)h->values.cols);
	strbuf_add(&t->out, "]\n");
	tex_cells(t, h, r->cell);
	strbuf_add(&t->out, "\\end{axis}\n");
	add_under(t, it);
	strbuf_add(&t->out, "\\end{tikzpicture}%\n");
}

/* Lines begin with room for the row labels, which only their first matrix has. */
static void add_lines(struct tex *t, const struct row *r, bool own_bars)
{
	for (size_t i = 0; i < r->n; i++) {
		const bool first = i == 0 || r->line[i] != r->line[i - 1];
		if (first && i > 0)
			strbuf_add(&t->out, "\\par\\smallskip\n");
		const char *const sign = r->items[i].before;
		if (r->signs && first)
			strbuf_printf(&t->out, "\\makebox[1.2em][l]{%s}%%\n", sign);
		else if (!first)
			strbuf_printf(&t->out, "\\hbox to %.1fem{\\hss %s\\hss}%%\n", gap_of(r, i),
				      sign);
		add_item(t, r, i, own_bars);
	}
	strbuf_add(&t->out, "\\par\n");
}

static const char *bar_says(struct tex *t, const struct row *r, size_t owner, const char *unit)
{
	const enum scale_mode mode = r->items[owner].map->scale.mode;
	return arena_printf(t->a, "%s%s%s", unit ? unit : "",
			    mode == SCALE_LINEAR ? ""
			    : unit		 ? ", "
						 : "",
			    mode == SCALE_LINEAR ? "" : scale_mode_names[mode]);
}

static void add_bars(struct tex *t, const struct row *r, const char *const *units)
{
	strbuf_add(&t->out, "\\smallskip\n");
	for (size_t i = 0; i < r->n; i++) {
		if (r->items[i].bar != i)
			continue;
		const char *const says = bar_says(t, r, i, units ? units[i] : NULL);
		strbuf_printf(&t->out, "\\hspace*{\\dimexpr\\wd0+%sem\\relax}%%\n",
			      r->signs ? "1.6" : "0.4");
		tex_bar_alone(t, r->items[i].map, "12em", 12 * t->letters);
		strbuf_printf(&t->out, "\\quad %s\\par\n", tex_text(t, says));
	}
}

static void add_row(struct tex *t, struct row *r, const char *const *units)
{
	bool own_bars = r->n > 1;
	for (size_t i = 0; i < r->n; i++)
		own_bars &= r->items[i].bar == i;
	r->cell = fmin(fmax(1, cell_for(t, r, r->across)), 3.2 * t->letters);
	const struct heatmap *const h = r->items[0].map;
	const struct tex_side rows = tex_side(t, h->row_labels, h->values.rows, r->cell);
	add_measures(t, r, &rows);
	add_lines(t, r, own_bars);
	if (!own_bars)
		add_bars(t, r, units);
}

/* ---- equations ----------------------------------------------------------------------------------------- */

/* Returns "+", "=", "⊙", or an arrow with its function above. */
static const char *signs_of(struct tex *t, const struct signs *s)
{
	struct strbuf out;
	strbuf_init(&out, t->a);
	for (size_t i = 0; i < s->n; i++) {
		const bool arrow = s->arrow && i + 1 == s->n;
		const char *const text = s->text[i];
		if (arrow)
			strbuf_printf(&out,
				      "\\begin{tabular}{@{}c@{}}%s\\\\[-0.3em]$\\longrightarrow$"
				      "\\end{tabular}",
				      tex_text(t, text ? text : ""));
		else
			strbuf_printf(&out, "$%s$", tex_formula(t, text));
	}
	return out.at;
}

static const char *share_of(const struct tex *t, const struct figure *f, size_t panel)
{
	const struct bars *const b = equation_shares(f);
	const size_t at = equation_share(f, panel);
	if (!b || at == SIZE_MAX || !b->notes || !b->notes[at])
		return NULL;
	return arena_strdup(t->a, b->notes[at]);
}

static const char *panel_title(const struct tex *t, const struct panel *p)
{
	const char *const title = p->paper_title ? p->paper_title : p->title;
	return p->off		 ? arena_printf(t->a, "%s (off)", title)
	       : p->operand.part ? arena_printf(t->a, "%s (%s)", title, p->operand.part)
				 : title;
}

static size_t index_in(const struct equation *e, size_t panel)
{
	size_t i = 0;
	while (i < e->n && e->panel[i] != panel)
		i++;
	return i;
}

void tex_equation(struct tex *t, const struct figure *f)
{
	bool on[FIGURE_PANELS];
	struct equation *const e = arena_calloc(t->a, 1, sizeof *e);
	equation_all(f, FIGURE_PANELS, on);
	equation_of(f, on, t->a, e);
	struct row r = {.n = e->n, .signs = true, .line = e->line};
	r.items = arena_calloc(t->a, e->n + 1, sizeof *r.items);
	const char **const units = arena_calloc(t->a, e->n + 1, sizeof *units);
	for (size_t i = 0; i < e->n; i++) {
		const struct panel *const p = &f->panels[e->panel[i]];
		r.items[i] = (struct item){.map = &p->heatmap,
					   .title = panel_title(t, p),
					   .formula = p->operand.formula,
					   .share = share_of(t, f, e->panel[i]),
					   .before = signs_of(t, &e->signs[i]),
					   .arrow = e->signs[i].arrow,
					   .bar = index_in(e, equation_bar(e, e->panel[i]))};
		units[i] = p->operand.unit;
	}
	r.across = across_for(t, &r);
	equation_flow(e, r.across);
	r.across = e->cols;
	add_row(t, &r, units);
}

/* ---- small multiples ----------------------------------------------------------------------------------- */

bool tex_multiples_fit(const struct multiples *m)
{
	size_t cells = 0;
	for (size_t i = 0; i < m->n; i++)
		cells += m->items[i].map.values.rows * m->items[i].map.values.cols;
	return cells <= (size_t)TEX_CELLS * TEX_CELLS;
}

static bool same_scale(const struct heatmap *a, const struct heatmap *b)
{
	return a->scale.mode == b->scale.mode && a->scale.half == b->scale.half &&
	       fabs(a->scale.lo - b->scale.lo) <= 0 && fabs(a->scale.hi - b->scale.hi) <= 0;
}

void tex_multiples(struct tex *t, const struct panel *p)
{
	const struct multiples *const m = &p->multiples;
	struct row r = {.n = m->n};
	r.items = arena_calloc(t->a, m->n + 1, sizeof *r.items);
	r.line = arena_calloc(t->a, m->n + 1, sizeof *r.line);
	for (size_t i = 0; i < m->n; i++) {
		const struct multiple *const it = &m->items[i];
		size_t bar = 0;
		while (!same_scale(&m->items[bar].map, &it->map))
			bar++;
		r.items[i] = (struct item){
			.map = &it->map, .title = it->title, .before = "", .bar = bar};
	}
	r.across = m->across > 0 && m->across <= 4 ? m->across : across_for(t, &r);
	for (size_t i = 0; i < m->n; i++)
		r.line[i] = i / r.across;
	add_row(t, &r, NULL);
}
