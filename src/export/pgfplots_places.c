/* pgfplots_places.c: dials as circles with hands, drawn by TikZ alone, and points in a plane as an axis whose units
 * are equal. */
#include <math.h>

#include "pgfplots_in.h"

/* ---- dials ---------------------------------------------------------------------------------------------- */

enum { BESIDE = 8 };

/* Of a column's width. */
static const double radius = 0.42;

static bool is_there(const struct dial_hand *h, double angle)
{
	return isfinite(angle) && isfinite(h->length) && h->length > 0;
}

static double degrees(double angle)
{
	return fmod(angle, 2 * M_PI) * 180 / M_PI;
}

/* The thin hand as it was, the thick one as it is, and how far it turned, full turns aside. */
static void add_hand(struct tex *t, const struct dial_hand *h, size_t hand)
{
	const double length = fmin(h->length, 1) * radius, turn = degrees(h->after - h->before);
	const double arc = fmin(0.85 * length, (hand == 0 ? 0.36 : 0.25) * radius);
	if (is_there(h, h->before))
		strbuf_printf(
			&t->out,
			"\\draw[posviz%zu, opacity=0.6, line width=0.4pt] (0,0)--(%.2f:%.4f);\n",
			hand, degrees(h->before), length);
	if (is_there(h, h->before) && is_there(h, h->after) && fabs(turn) >= 0.5)
		strbuf_printf(&t->out,
			      "\\draw[posviz%zu, line width=0.5pt] (%.2f:%.4f) arc[start "
			      "angle=%.2f, delta angle=%.2f, radius=%.4f];\n",
			      hand, degrees(h->before), arc, degrees(h->before), turn, arc);
	if (is_there(h, h->after))
		strbuf_printf(
			&t->out,
			"\\draw[posviz%zu, line width=1.3pt, line cap=round] (0,0)--(%.2f:%.4f);\n",
			hand, degrees(h->after), length);
}

/* A word in a line above or below the circle, counted from it. */
static void add_word(struct tex *t, bool above, double line, const char *style, const char *text)
{
	if (text && *text)
		strbuf_printf(&t->out,
			      "\\node[anchor=%s, inner sep=1pt, yshift=%.2f*\\posvizline%s] at "
			      "(0,%.4f) {%s};\n",
			      above ? "south" : "north", above ? line : -line, style,
			      above ? radius : -radius, tex_text(t, text));
}

static void add_dial(struct tex *t, const struct dials *d, size_t i, double x, double rows)
{
	const struct dial *const k = &d->at[i];
	const char *const title = k->brief_title ? k->brief_title : k->title;
	const char *const note = k->brief_note ? k->brief_note : k->note;
	const bool chosen = d->has_cursor && d->cursor == i;
	const double down = 5.4 * rows;
	strbuf_printf(
		&t->out,
		"\\begin{scope}[shift={(%.4f,%.4f)}, yshift=-%.2f*\\posvizline]\n"
		"\\draw[%s] (0,0) circle[radius=%.4f];\n"
		"\\draw[posvizhair, line width=0.3pt] (-%.4f,0)--(%.4f,0) (0,-%.4f)--(0,%.4f);\n",
		x, -2 * radius * rows, down,
		chosen ? "posvizink, line width=1pt" : "posvizhair, line width=0.4pt", radius,
		radius, radius, radius, radius);
	for (size_t hand = 0; hand < (d->names[1] ? DIAL_HANDS : 1); hand++)
		add_hand(t, &k->hands[hand], hand);
	strbuf_add(&t->out, "\\fill[posvizink] (0,0) circle[radius=1pt];\n");
	add_word(t, true, 1, ", font=\\bfseries", title);
	add_word(t, true, 0, ", text=posvizsecond", note);
	add_word(t, false, 0, ", font=\\bfseries", k->angle);
	add_word(t, false, 1, ", text=posvizsecond",
		 isnan(k->before) ? k->angle_before : dials_value(t->a, d, k->before, false));
	add_word(t, false, 2, "", dials_value(t->a, d, k->after, false));
	strbuf_add(&t->out, "\\end{scope}\n");
}

static void add_names(struct tex *t, const struct dials *d)
{
	for (size_t i = 0; i < DIAL_HANDS; i++)
		if (d->names[i])
			strbuf_printf(
				&t->out,
				"\\mbox{\\textcolor{posviz%zu}{\\rule[0.5ex]{1.5em}{1.2pt}}\\ "
				"\\textcolor{posvizname%zu}{%s}}\\quad\n",
				i, i, tex_text(t, d->names[i]));
	strbuf_add(&t->out, "\\par\\nobreak\\smallskip\n");
}

/* Of each dial the addend stands below what it was before the turn; then what all of them make. */
void tex_dials(struct tex *t, const struct dials *d)
{
	const double least = 6 * t->letters;
	const size_t room = (size_t)fmin(fmax(1, floor(t->width / least)), BESIDE);
	const size_t cols = room < d->n ? room : d->n;
	add_names(t, d);
	strbuf_printf(
		&t->out,
		"\\begin{tikzpicture}[x={0.98*\\posvizwidth/%zu}, y={0.98*\\posvizwidth/%zu}]\n",
		cols < 3 ? 3 : cols, cols < 3 ? 3 : cols);
	for (size_t i = 0; i < d->n; i++)
		add_dial(t, d, i, (double)(i % cols), (double)(i / cols));
	strbuf_add(&t->out, "\\end{tikzpicture}\\par\n");
	if (d->value_title)
		strbuf_printf(&t->out, "{\\color{posvizsecond}%s, above it before the turn}\\par\n",
			      tex_text(t, figure_scripts(t->a, d->value_title)));
	if (d->sum)
		strbuf_printf(&t->out, "\\textbf{%s}\\par\n", tex_text(t, d->sum));
}

/* ---- points --------------------------------------------------------------------------------------------- */

bool tex_plane_fits(const struct plane *p)
{
	return p->n <= TEX_POINTS;
}

static bool is_point(const struct plane_point *at)
{
	return isfinite(at->x) && isfinite(at->y);
}

static void add_path(struct tex *t, const struct plane *p)
{
	bool gap = false, any = false;
	strbuf_printf(&t->out, "\\addplot[%s, line width=0.6pt, mark=none] table {\nx y\n",
		      p->group ? "posvizaxis" : "posviz0!55!posvizpaper");
	for (size_t i = 0; i < p->n; i++) {
		if (!is_point(&p->at[i])) {
			gap = any;
			continue;
		}
		if (gap)
			strbuf_add(&t->out, "nan nan\n");
		strbuf_printf(&t->out, "%s %s\n", tex_number(t->a, p->at[i].x),
			      tex_number(t->a, p->at[i].y));
		gap = false;
		any = true;
	}
	strbuf_add(&t->out, "};\n");
}

/* The points that `wanted` takes, as marks. */
static void add_marks(struct tex *t, const struct plane *p, const char *style, size_t from,
		      size_t to, size_t group)
{
	struct strbuf rows;
	strbuf_init(&rows, t->a);
	for (size_t i = from; i < to; i++)
		if (is_point(&p->at[i]) && (!p->group || p->group[i] == group))
			strbuf_printf(&rows, "%s %s\n", tex_number(t->a, p->at[i].x),
				      tex_number(t->a, p->at[i].y));
	if (rows.len > 0)
		strbuf_printf(&t->out, "\\addplot[only marks, %s] table {\nx y\n%s};\n", style,
			      rows.at);
}

static void add_groups(struct tex *t, const struct plane *p)
{
	static const char *const forms[] = {
		"*", "square*", "triangle*", "diamond*", "triangle*, mark options={rotate=180}",
		"o", "square"};
	size_t groups = 0;
	for (size_t i = 0; i < p->n; i++)
		groups = p->group[i] >= groups ? p->group[i] + 1 : groups;
	for (size_t g = 0; g < groups; g++)
		add_marks(t, p,
			  arena_printf(t->a, "posviz%zu, mark=%s, mark size=1.6pt", g % TEX_SERIES,
				       forms[g % 7]),
			  0, p->n, g);
}

/* Along a path in shades from a quiet to a strong one. */
static void add_shades(struct tex *t, const struct plane *p)
{
	const size_t shades = !p->joined ? 1 : p->n < 8 ? p->n : 8;
	for (size_t k = 0; k < shades; k++) {
		const size_t part = shades > 1 ? 35 + 65 * k / (shades - 1) : 100;
		add_marks(t, p,
			  arena_printf(t->a, "posviz0!%zu!posvizpaper, mark=*, mark size=%s", part,
				       p->n > 150 ? "0.9pt" : "1.6pt"),
			  k * p->n / shades, (k + 1) * p->n / shades, 0);
	}
}

/* Those of the ends of a path and the cursor; of few points all. */
static void add_labels(struct tex *t, const struct plane *p)
{
	enum { FEW = 24 };
	size_t first = 0, last = p->n;
	while (first < p->n && !is_point(&p->at[first]))
		first++;
	while (last > 0 && !is_point(&p->at[last - 1]))
		last--;
	for (size_t i = 0; i < p->n; i++) {
		const bool end = p->joined && (i == first || i + 1 == last);
		const bool here = p->has_cursor && i == p->cursor;
		const char *const label = p->at[i].label;
		if (!is_point(&p->at[i]) || !label || !*label || (!end && !here && p->n > FEW))
			continue;
		strbuf_printf(&t->out,
			      "\\node[anchor=%s, inner sep=3pt%s] at (axis cs:%s,%s) {%s};\n",
			      i % 2 == 0 ? "south west" : "north west",
			      here || end ? ", font=\\bfseries" : "", tex_number(t->a, p->at[i].x),
			      tex_number(t->a, p->at[i].y), tex_text(t, label));
	}
}

void tex_plane(struct tex *t, const struct plane *p)
{
	const double lines = t->height > 0 ? fmax(8, t->height / (1.2 * t->letters) - 3) : 18;
	strbuf_printf(
		&t->out,
		"\\begin{tikzpicture}\n\\begin{axis}[width={\\posvizwidth-3.5em}, "
		"height=%.2f*\\posvizline, scale only axis, axis equal, scaled ticks=false,\n"
		"\taxis line style={posvizhair}, tick style={posvizaxis}, "
		"ticklabel style={text=posvizsecond}, label style={text=posvizsecond},\n"
		"\textra x ticks={0}, extra x tick labels={}, extra y ticks={0}, extra y tick "
		"labels={}, extra tick style={grid=major, major grid style={posvizaxis}},\n"
		"\tunbounded coords=jump, clip=false,\n",
		lines);
	if (p->x_title && *p->x_title)
		strbuf_printf(&t->out, "\txlabel={%s},\n", tex_text(t, p->x_title));
	if (p->y_title && *p->y_title)
		strbuf_printf(&t->out, "\tposviz above={%s},\n", tex_text(t, p->y_title));
	strbuf_add(&t->out, "]\n");
	if (p->joined)
		add_path(t, p);
	(p->group ? add_groups : add_shades)(t, p);
	if (p->has_cursor && p->cursor < p->n)
		add_marks(t, p, "posvizink, mark=o, mark size=3pt, line width=1pt", p->cursor,
			  p->cursor + 1, p->group ? p->group[p->cursor] : 0);
	add_labels(t, p);
	strbuf_add(&t->out, "\\end{axis}\n\\end{tikzpicture}\\par\n");
}
