/* tex_curves.c: curves with all their points: a few in one axis, with names at the ends of the
 * lines; many, or curves with limits of their own, in a group of small axes. */
#include <math.h>
#include <string.h>

#include "posviz/plot/tex.h"
#include "plot/curve_axis.h"
#include "plot/curve_names.h"

enum { TOGETHER = 8, USUAL = 4, TICKS = 12 };

bool tex_curves_fit(const struct curves *c)
{
	size_t points = 0;
	for (size_t i = 0; i < c->n; i++)
		points += c->series[i].n;
	return points <= TEX_POINTS;
}

static bool is_parted(const struct curves *c)
{
	return c->n > (c->spread == CURVES_LOG ? TOGETHER : USUAL) ||
	       (c->n > 1 && c->spread == CURVES_OWN);
}

/* ---- data ---------------------------------------------------------------------------------------------- */

/* Writes the points with a value; a line of nan separates points with others without a value
 * between them. */
static void add_points(struct tex *t, const struct series *s, const double *y)
{
	bool any = false, gap = false;
	strbuf_add(&t->out, "x y\n");
	for (size_t k = 0; k < s->n; k++) {
		const bool there = isfinite(y[k]) && isfinite(s->y[k]);
		if (!there) {
			gap = any;
			continue;
		}
		if (gap)
			strbuf_printf(&t->out, "%s nan\n", tex_number(t->a, s->x[k - 1]));
		strbuf_printf(&t->out, "%s %s\n", tex_number(t->a, s->x[k]),
			      tex_number(t->a, y[k]));
		any = true;
		gap = false;
	}
}

/* Writes the part of the band from `from` up to its next gap, which is returned: forwards along the
 * upper limit, back along the lower one. */
static size_t add_band_run(struct tex *t, const struct series *s, size_t from)
{
	size_t to = from;
	while (to < s->n && isfinite(s->lo[to]) && isfinite(s->hi[to]) && isfinite(s->y[to]))
		to++;
	if (to - from < 2)
		return to;
	strbuf_printf(&t->out, "\\addplot[posviz band, fill=posviz%zu] table {\nx y\n",
		      s->colour % TEX_SERIES);
	for (size_t k = from; k < to; k++)
		strbuf_printf(&t->out, "%s %s\n", tex_number(t->a, s->x[k]),
			      tex_number(t->a, s->hi[k]));
	for (size_t k = to; k-- > from;)
		strbuf_printf(&t->out, "%s %s\n", tex_number(t->a, s->x[k]),
			      tex_number(t->a, s->lo[k]));
	strbuf_add(&t->out, "} -- cycle;\n");
	return to;
}

static bool is_flat(const struct series *s)
{
	for (size_t k = 0; k < s->n; k++)
		if (isfinite(s->lo[k]) && isfinite(s->hi[k]) && s->hi[k] > s->lo[k])
			return false;
	return true;
}

static void add_band(struct tex *t, const struct series *s)
{
	if (!s->lo || !s->hi || is_flat(s))
		return;
	for (size_t from = 0; from < s->n;)
		from = add_band_run(t, s, from) + 1;
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static size_t points_of(const struct series *s)
{
	size_t points = 0;
	for (size_t k = 0; k < s->n; k++)
		points += isfinite(s->y[k]);
	return points;
}

/* Returns options for marks at every point if there is room; curves in one axis have marks at
 * different points in turn, so that each is visible where curves coincide. */
static const char *marks_of(const struct tex *t, const struct curves *c, size_t i, double width)
{
	static const char *const forms[] = {
		"*", "square*", "triangle*", "diamond*", "triangle*, mark options={rotate=180}",
		"o", "square"};
	const double apart = 7, dense = 48; /* points */
	const size_t points = points_of(&c->series[i]), n = c->n;
	const double pitch = width / fmax(1, (double)points - 1);
	const size_t step = pitch < apart ? (size_t)ceil(dense / pitch) : 1;
	const size_t every = step > n ? step : n;
	const size_t own = points <= every ? i * points / n : i * every / n;
	return arena_printf(t->a, "mark=%s, mark repeat=%zu, mark phase=%zu",
			    forms[c->series[i].colour % 7], every, own + 1);
}

static void add_line(struct tex *t, const struct curves *c, size_t i, bool strong,
		     const char *marks)
{
	const struct series *const s = &c->series[i];
	strbuf_printf(&t->out, "\\addplot[posviz%zu, posviz %s, %s%s] table { %% %s\n",
		      s->colour % TEX_SERIES, strong ? "strong" : "quiet", marks,
		      c->apart ? ", only marks" : "", tex_text(t, s->label ? s->label : ""));
	add_points(t, s, s->y);
	strbuf_add(&t->out, "};\n");
}

static void add_lines(struct tex *t, const struct curves *c, double width)
{
	bool any_active = false;
	for (size_t i = 0; i < c->n; i++)
		any_active |= c->marked ? c->marked[i] : c->series[i].active;
	for (size_t i = 0; i < c->n; i++)
		add_band(t, &c->series[i]);
	for (int active = 0; active < 2; active++)
		for (size_t i = 0; i < c->n; i++)
			if ((c->marked ? c->marked[i] : c->series[i].active) == (active == 1))
				add_line(t, c, i, !any_active || active == 1,
					 marks_of(t, c, i, width));
}

/* ---- axes ---------------------------------------------------------------------------------------------- */

struct axes {
	struct curve_range x;
	struct curve_axis y;
	double x_at[TICKS];
	size_t x_n;
	const char **x_text;
	bool log_x;
};

static void fit_x(const struct tex *t, const struct curves *c, double width, struct axes *axes)
{
	const double room = width / (3 * t->letters);
	const size_t most = room < 3 ? 2 : room < 5 ? 3 : 5;
	axes->log_x = c->log_x && axes->x.lo > 0;
	axes->x_n = curve_x_ticks(c, axes->x, most, axes->x_at);
	axes->x_text = curve_x_labels(t->a, c, axes->x_at, axes->x_n, false);
}

/* Defines the symlog transformation, which pgfplots does not have. */
static void add_symlog(struct tex *t, const struct curve_axis *y)
{
	const char *const linear = tex_number(t->a, y->scale.linear);
	strbuf_printf(&t->out,
		      "\ty coord trafo/.code={\\begingroup"
		      "\\pgfkeys{/pgf/fpu, /pgf/fpu/output format=fixed}"
		      "\\pgfmathparse{sign(#1)*(min(abs(#1)/%s,1)+log10(max(abs(#1)/%s,1)))}"
		      "\\pgfmathsmuggle\\pgfmathresult\\endgroup},\n"
		      "\ty coord inv trafo/.code={\\begingroup"
		      "\\pgfkeys{/pgf/fpu, /pgf/fpu/output format=fixed}"
		      "\\pgfmathparse{sign(#1)*%s*(min(abs(#1),1)+10^(max(abs(#1),1)-1)-1)}"
		      "\\pgfmathsmuggle\\pgfmathresult\\endgroup},\n",
		      linear, linear, linear);
}

static void add_limits(struct tex *t, const struct axes *axes, bool x_text, bool y_text)
{
	static const char *const none[TICKS + AXIS_TICKS] = {
		"", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", ""};
	const struct curve_axis *const y = &axes->y;
	strbuf_printf(&t->out, "\txmin=%s, xmax=%s, ymin=%s, ymax=%s,\n",
		      tex_number(t->a, axes->x.lo), tex_number(t->a, axes->x.hi),
		      tex_number(t->a, y->scale.lo), tex_number(t->a, y->scale.hi));
	if (axes->log_x)
		strbuf_add(&t->out, "\txmode=log,\n");
	if (y->log)
		strbuf_add(&t->out, "\tymode=log,\n");
	if (y->scale.mode == SCALE_SYMLOG)
		add_symlog(t, y);
	tex_ticks(t, "x", axes->x_at, x_text ? axes->x_text : none, axes->x_n);
	tex_ticks(t, "y", y->at, y_text ? y->labels : none, y->n);
	if (y->scale.lo < 0 && y->scale.hi > 0)
		strbuf_add(&t->out, "\textra y ticks={0}, extra y tick labels={},\n");
}

static void add_upright(struct tex *t, const struct axes *axes, double at)
{
	const char *const x = tex_number(t->a, at);
	if (at >= axes->x.lo && at <= axes->x.hi)
		strbuf_printf(&t->out, "\\draw[posviz cursor] (axis cs:%s,%s)--(axis cs:%s,%s);\n",
			      x, tex_number(t->a, axes->y.scale.lo), x,
			      tex_number(t->a, axes->y.scale.hi));
}

static void add_uprights(struct tex *t, const struct curves *c, const struct axes *axes)
{
	for (size_t i = 0; i < c->n_marks; i++)
		if (c->marks[i].upright)
			add_upright(t, axes, c->marks[i].x);
	if (c->has_cursor)
		add_upright(t, axes, c->cursor);
}

/* Draws horizontal lines across the axis, each with its label at its right end. */
static void add_levels(struct tex *t, const struct curves *c, const struct axes *axes)
{
	for (size_t i = 0; i < c->n_levels; i++) {
		const char *const y = tex_number(t->a, c->levels[i].y);
		strbuf_printf(&t->out,
			      "\\draw[posviz cursor] (axis cs:%s,%s)--(axis cs:%s,%s) "
			      "node[posviz mark, anchor=south east] {%s};\n",
			      tex_number(t->a, axes->x.lo), y, tex_number(t->a, axes->x.hi), y,
			      tex_text(t, c->levels[i].label));
	}
}

/* ---- one axis ------------------------------------------------------------------------------------------- */

/* Writes names at the ends of the lines, in an axis `lines` lines of text high; a name that had to
 * move away is recognised by its colour. */
static void add_names(struct tex *t, const struct curves *c, const struct axes *axes,
		      const char *const *names, double lines)
{
	size_t order[TOGETHER];
	double at[TOGETHER];
	const double same = 1e-9 * (axes->y.scale.hi - axes->y.scale.lo);
	const size_t n = curve_names_order(c->series, names, c->n, same, order);
	for (size_t k = 0; k < n; k++) {
		double x, y;
		curve_end(&c->series[order[k]], &x, &y);
		at[k] = 1 - curve_axis_at(&axes->y, y);
	}
	curve_names_part(at, n, 1 / lines, 0, 1);
	for (size_t k = 0; k < n; k++) {
		const struct series *const s = &c->series[order[k]];
		strbuf_printf(&t->out,
			      "\\node[posviz name, text=posvizname%zu%s] at (rel axis "
			      "cs:1,%.4f) {%s};\n",
			      s->colour % TEX_SERIES, s->active ? ", font=\\bfseries" : "",
			      1 - at[k], tex_text(t, names[order[k]]));
	}
}

static bool same_mark(const struct curve_mark *a, const struct curve_mark *b)
{
	return fabs(a->x - b->x) < 0.5 && a->label && b->label && strcmp(a->label, b->label) == 0;
}

/* Returns the label of a mark, preceded by the names of its curves if there are several curves; one
 * label serves all marks at the same x with the same text. NULL: it belongs to an earlier mark, or
 * there is none. */
static const char *mark_label(const struct tex *t, const struct curves *c, size_t i)
{
	const char *who = "";
	for (size_t k = 0; k < c->n_marks; k++) {
		const char *const name = c->series[c->marks[k].series].brief;
		if (!same_mark(&c->marks[i], &c->marks[k]))
			continue;
		if (k < i)
			return NULL;
		if (name && c->n > 1 && !c->marks[i].upright)
			who = arena_printf(t->a, "%s%s ", who, name);
	}
	const char *const label = c->marks[i].label;
	return label ? arena_printf(t->a, "%s%s", who, label) : NULL;
}

/* Draws short marks across their curves, and their labels in lines above the axis. */
static void add_marks(struct tex *t, const struct curves *c, const struct axes *axes)
{
	const double middle = curve_x_of(c, axes->x, 0.5);
	size_t line = 0;
	for (size_t i = 0; i < c->n_marks; i++) {
		const struct curve_mark *const m = &c->marks[i];
		double y;
		if (!curves_height(&c->series[m->series], m->x, &y))
			continue;
		const char *const x = tex_number(t->a, m->x), *const label = mark_label(t, c, i);
		if (!m->upright)
			strbuf_printf(&t->out,
				      "\\draw[posviz strong] ([yshift=-4pt]axis "
				      "cs:%s,%s)--([yshift=4pt]axis cs:%s,%s);\n",
				      x, tex_number(t->a, y), x, tex_number(t->a, y));
		if (label)
			strbuf_printf(&t->out,
				      "\\node[posviz mark, anchor=south %s, "
				      "yshift=%zu*\\posvizline] at (axis cs:%s,%s) {%s};\n",
				      m->x > middle ? "east" : "west", line++, x,
				      tex_number(t->a, axes->y.scale.hi), tex_text(t, label));
	}
}

static void add_together(struct tex *t, const struct curves *c)
{
	const double line = 1.2 * t->letters;
	const double lines = t->height > 0 ? fmax(5, t->height / line - 3) : 8;
	const char **const names = arena_calloc(t->a, c->n + 1, sizeof *names);
	struct axes axes = {.x = {0, 0}};
	struct curve_range y;
	curve_ranges(c->series, c->n, true, &axes.x, &y);
	curve_reach(c, &axes.x);
	curve_axis_fit(&axes.y, t->a, c, y, 5, false);
	double width = t->width - 6 * t->letters;
	for (size_t i = 0; i < c->n; i++)
		names[i] = c->series[i].label ? c->series[i].label : "";
	for (size_t i = 0; i < c->n; i++)
		width = fmin(width, t->width - 4 * t->letters - tex_width(t, names[i]));
	fit_x(t, c, width, &axes);
	tex_widest(t, 0, axes.y.labels, axes.y.n);
	tex_widest_bold(t, 1, names, c->n);
	strbuf_printf(&t->out,
		      "\\begin{tikzpicture}\n\\begin{axis}[posviz curves,\n"
		      "\twidth={\\posvizwidth-\\wd0-max(\\wd1,1em)-1.6em}, "
		      "height=%.2f*\\posvizline,\n",
		      lines);
	add_limits(t, &axes, true, true);
	if (c->x_title && *c->x_title)
		strbuf_printf(&t->out, "\txlabel={%s},\n", tex_title(t, c->x_title));
	const char *const above = c->y_title && *c->y_title	      ? c->y_title
				  : axes.y.scale.mode == SCALE_SYMLOG ? "symlog"
								      : "";
	if (*above)
		strbuf_printf(&t->out, "\tposviz above={%s},\n", tex_title(t, above));
	strbuf_add(&t->out, "]\n");
	add_levels(t, c, &axes);
	add_uprights(t, c, &axes);
	add_lines(t, c, width);
	add_marks(t, c, &axes);
	add_names(t, c, &axes, names, lines);
	strbuf_add(&t->out, "\\end{axis}\n\\end{tikzpicture}\\par\n");
}

/* ---- an axis for each ---------------------------------------------------------------------------------- */

struct panes {
	size_t across, down;
	struct curve_range x, y;
	bool own;
	struct axes *axes; /* axes of each curve */
};

static void fit_panes(struct tex *t, const struct curves *c, struct panes *g)
{
	const double least = (g->own ? 12 : 9) * t->letters;
	const size_t room = (size_t)fmax(1, t->width / least);
	const size_t most = room < c->n ? room : c->n;
	g->down = (c->n + most - 1) / most;
	g->across = (c->n + g->down - 1) / g->down;
	curve_ranges(c->series, c->n, true, &g->x, &g->y);
	curve_reach(c, &g->x);
	g->axes = arena_calloc(t->a, c->n + 1, sizeof *g->axes);
	for (size_t i = 0; i < c->n; i++) {
		struct curve_range x, own;
		const bool any = curve_ranges(&c->series[i], 1, true, &x, &own);
		g->axes[i].x = g->x;
		curve_axis_fit(&g->axes[i].y, t->a, c, g->own && any ? own : g->y, 3, false);
		fit_x(t, c, t->width / (double)g->across - 4 * t->letters, &g->axes[i]);
	}
}

/* Measures the widest number of all axes, and begins the group. */
static void measure_panes(struct tex *t, const struct curves *c, const struct panes *g)
{
	const char **const all = arena_calloc(t->a, c->n * AXIS_TICKS + 1, sizeof *all);
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < g->axes[i].y.n; k++)
			all[n++] = g->axes[i].y.labels[k];
	tex_widest(t, 0, all, n);
	const double line = 1.2 * t->letters;
	const double each =
		t->height > 0 ? fmax(2, (t->height / line - 2) / (double)g->down - 2) : 4;
	strbuf_printf(&t->out,
		      "\\begin{tikzpicture}\n\\begin{groupplot}[posviz curves,\n"
		      "\tgroup style={group size=%zu by %zu, horizontal sep=%s, vertical "
		      "sep=1.8*\\posvizline},\n"
		      "\twidth={(\\posvizwidth-%s\\wd0-%zu*1em-1em)/%zu}, "
		      "height=%.2f*\\posvizline,\n"
		      "\ttitle style={at={(0,1)}, anchor=south west, inner sep=1pt},\n]\n",
		      g->across, g->down, g->own ? "\\wd0+1em" : "1em",
		      g->own ? arena_printf(t->a, "%zu*", g->across) : "", g->across, g->across,
		      each);
}

static const char *pane_name(const struct tex *t, const struct curves *c, size_t i)
{
	const char *name = c->series[i].label ? c->series[i].label : "";
	for (size_t k = 0; k < c->n_marks; k++)
		if (c->marks[k].series == i && c->marks[k].label)
			name = arena_printf(t->a, "%s, %s", name, c->marks[k].label);
	return name;
}

static void add_panes(struct tex *t, const struct curves *c)
{
	struct panes g = {.own = c->spread == CURVES_OWN};
	t->groups = true;
	fit_panes(t, c, &g);
	measure_panes(t, c, &g);
	for (size_t i = 0; i < c->n; i++) {
		const struct series *const s = &c->series[i];
		struct curves one = *c;
		one.series = s;
		one.n = 1;
		strbuf_printf(&t->out,
			      "\\nextgroupplot[title={%s}, title style={text=posvizname%zu%s},\n",
			      tex_text(t, pane_name(t, c, i)), s->colour % TEX_SERIES,
			      s->active ? ", font=\\bfseries" : "");
		add_limits(t, &g.axes[i], i + g.across >= c->n, g.own || i % g.across == 0);
		strbuf_add(&t->out, "]\n");
		add_uprights(t, c, &g.axes[i]);
		add_band(t, s);
		add_line(t, &one, 0, true, "mark=none");
	}
	strbuf_add(&t->out, "\\end{groupplot}\n\\end{tikzpicture}\\par\n");
	const char *const mode = c->spread == CURVES_SYMLOG ? "symlog" : "";
	strbuf_printf(&t->out, "\\hbox to \\posvizwidth{%s\\hfil %s}\\par\n", mode,
		      c->x_title ? tex_title(t, c->x_title) : "");
}

void tex_curves(struct tex *t, const struct curves *c)
{
	(is_parted(c) ? add_panes : add_together)(t, c);
}
