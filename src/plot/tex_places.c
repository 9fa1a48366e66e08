/* tex_places.c: dials as circles with hands, drawn by TikZ alone, and points in a plane as an axis
 * with equal units. */
#include <math.h>

#include "posviz/plot/tex.h"

/* ---- dials ---------------------------------------------------------------------------------------------- */

enum { BESIDE = 8 };

/* Relative to the width of a column. */
static const double radius = 0.42;

static bool is_there(const struct dial_hand *h, double angle)
{
	return isfinite(angle) && isfinite(h->length) && h->length > 0;
}

static double degrees(double angle)
{
	return fmod(angle, 2 * M_PI) * 180 / M_PI;
}

/* Draws the thin hand before the rotation, the thick hand after it, and the arc of the rotation,
 * without full turns. */
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

/* Writes a text in line number `line` above or below the circle, counted from the circle. */
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

/* Draws the dials, each with its addend below the one before the rotation; then writes the sum of
 * all. */
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
		strbuf_printf(&t->out,
			      "{\\color{posvizsecond}%s, above it before the rotation}\\par\n",
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

/* Draws the points [from, to) of a group as marks. */
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

/* Draws the points in shades that go along a path from a quiet to a strong one. */
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

/* Labels the ends of a path, the cursor and the point of interest; if points are few all of
 * them. */
static void add_labels(struct tex *t, const struct plane *p, const bool *said)
{
	enum { FEW = 24 };
	size_t first = 0, last = p->n;
	while (first < p->n && !is_point(&p->at[first]))
		first++;
	while (last > 0 && !is_point(&p->at[last - 1]))
		last--;
	for (size_t i = 0; i < p->n; i++) {
		const bool end = p->joined && (i == first || i + 1 == last);
		const bool here = (p->has_cursor && i == p->cursor) || (p->has_own && i == p->own);
		const char *const label = p->at[i].label;
		if (said[i] || !is_point(&p->at[i]) || !label || !*label ||
		    (!end && !here && (p->n > FEW || p->tangled)))
			continue;
		strbuf_printf(&t->out,
			      "\\node[anchor=%s, inner sep=3pt%s] at (axis cs:%s,%s) {%s};\n",
			      i % 2 == 0 ? "south west" : "north west",
			      here || end ? ", font=\\bfseries" : "", tex_number(t->a, p->at[i].x),
			      tex_number(t->a, p->at[i].y), tex_text(t, label));
	}
}

/* ---- small pictures of points --------------------------------------------------------------------------- */

/* The positions of pictures in points of TeX, estimated from the limits as `axis equal` chooses
 * them. */
struct spread {
	double unit, side; /* points per unit of value; side of a picture */
	struct spot {
		double x, y, wide; /* with its label */
	} * at;
	size_t n;
};

static double unit_of(const struct plane *p, double width, double height)
{
	double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
	for (size_t i = 0; i < p->n; i++) {
		const double at[] = {p->at[i].x, p->at[i].y};
		for (size_t k = 0; k < 2 && is_point(&p->at[i]); k++) {
			lo[k] = fmin(lo[k], at[k]);
			hi[k] = fmax(hi[k], at[k]);
		}
	}
	const double dx = 1.2 * (hi[0] - lo[0]), dy = 1.2 * (hi[1] - lo[1]);
	return fmin(dx > 0 ? width / dx : width, dy > 0 ? height / dy : height);
}

/* Takes the room of a picture with its label at the right, unless it is taken already (false). */
static bool take_room(struct tex *t, struct spread *s, const struct plane_point *at)
{
	const struct spot own = {at->x * s->unit, at->y * s->unit,
				 s->side + 4 + (at->label ? tex_width(t, at->label) : 0)};
	for (size_t i = 0; i < s->n; i++) {
		const struct spot *const o = &s->at[i];
		if (fabs(own.y - o->y) < 1.1 * s->side && own.x < o->x + o->wide &&
		    o->x < own.x + own.wide)
			return false;
	}
	s->at[s->n++] = own;
	return true;
}

static void add_picture(struct tex *t, const struct heatmap *h, double side, const char *place,
			double frame)
{
	const size_t rows = h->values.rows, cols = h->values.cols;
	const double w = side / (double)cols, high = side / (double)rows;
	strbuf_printf(&t->out,
		      "\\filldraw[fill=posvizpaper, draw=posvizink, line width=%.1fpt] (%s) "
		      "++(%.2fpt,%.2fpt) rectangle ++(%.2fpt,%.2fpt);\n",
		      frame, place, -side / 2, -side / 2, side, side);
	for (size_t i = 0; i < rows * cols; i++) {
		if (h->masked && h->masked[i])
			continue;
		const double v = mat_row(h->values, i / cols)[i % cols];
		const uint32_t rgb = colormap_rgb(h->colormap, scale_at(&h->scale, v, NULL));
		strbuf_printf(
			&t->out,
			"\\fill[fill={rgb,255:red,%u;green,%u;blue,%u}] (%s) ++(%.2fpt,%.2fpt) "
			"rectangle ++(%.2fpt,%.2fpt);\n",
			rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, place,
			(double)(i % cols) * w - side / 2, side / 2 - (double)(i / cols + 1) * high,
			w, high);
	}
}

/* Draws the picture of the point of interest, that of the cursor, then others by priority as long
 * as they do not overlap; `said` gets the points that are labelled by this. */
static void add_pictures(struct tex *t, const struct plane *p, double height, bool *said)
{
	enum { MOST = 40 };
	const double width = t->width > 0 ? t->width - 3.5 * t->letters : 300;
	struct spread s = {.unit = unit_of(p, width, height),
			   .side = 2.4 * t->letters,
			   .at = arena_calloc(t->a, p->n + 2, sizeof *s.at)};
	for (size_t k = 0; p->n > 0 && k < p->n + 2 && s.n < MOST; k++) {
		const size_t i = k == 0	    ? (p->has_own ? p->own : 0)
				 : k == 1   ? (p->has_cursor ? p->cursor : 0)
				 : p->order ? p->order[k - 2]
					    : k - 2;
		const bool own = p->has_own && i == p->own, here = p->has_cursor && i == p->cursor;
		if (said[i] || !is_point(&p->at[i]) || !p->thumbs[i].values.at ||
		    !take_room(t, &s, &p->at[i]))
			continue;
		const char *const place =
			arena_printf(t->a, "axis cs:%s,%s", tex_number(t->a, p->at[i].x),
				     tex_number(t->a, p->at[i].y));
		add_picture(t, &p->thumbs[i], s.side, place, own ? 1.2 : here ? 0.8 : 0.3);
		said[i] = true;
		if (p->at[i].label && *p->at[i].label)
			strbuf_printf(&t->out,
				      "\\node[anchor=west, inner sep=1pt, xshift=%.2fpt%s] at (%s) "
				      "{%s};\n",
				      s.side / 2 + 1, own || here ? ", font=\\bfseries" : "", place,
				      tex_text(t, p->at[i].label));
	}
}

/* Writes the names of the groups in their colours. */
static void add_group_names(struct tex *t, const struct plane *p)
{
	for (size_t g = 0; p->group_names && g < p->n_groups; g++) {
		bool there = false;
		for (size_t i = 0; i < p->n; i++)
			there |= p->group[i] == g;
		if (there)
			strbuf_printf(&t->out,
				      "\\mbox{\\textcolor{posviz%zu}{\\rule{0.8ex}{0.8ex}}\\ "
				      "\\textcolor{posvizname%zu}{%s}}\\quad\n",
				      g % TEX_SERIES, g % TEX_SERIES,
				      tex_text(t, p->group_names[g]));
	}
	if (p->group_names)
		strbuf_add(&t->out, "\\par\\nobreak\\smallskip\n");
}

void tex_plane(struct tex *t, const struct plane *p)
{
	const double lines = t->height > 0 ? fmax(8, t->height / (1.2 * t->letters) - 3) : 18;
	bool *const said = arena_calloc(t->a, p->n + 1, sizeof *said);
	add_group_names(t, p);
	strbuf_printf(
		&t->out,
		"\\begin{tikzpicture}\n\\begin{axis}[width={\\posvizwidth-3.5em}, "
		"height=%.2f*\\posvizline, scale only axis, %sscaled ticks=false,\n"
		"\taxis line style={posvizhair}, tick style={posvizaxis}, "
		"ticklabel style={text=posvizsecond}, label style={text=posvizsecond},\n"
		"\textra x ticks={0}, extra x tick labels={}, extra y ticks={0}, extra y tick "
		"labels={}, extra tick style={grid=major, major grid style={posvizaxis}},\n"
		"\tunbounded coords=jump, clip=false,\n",
		lines, p->apart ? "" : "axis equal, ");
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
	if (p->thumbs)
		add_pictures(t, p, 1.2 * t->letters * lines, said);
	add_labels(t, p, said);
	strbuf_add(&t->out, "\\end{axis}\n\\end{tikzpicture}\\par\n");
}
