/* panel_plane.c: points in a plane. */
#include <math.h>

#include "plot/panel_in.h"

enum { LEAST = 12, MOST = 28 };

static int rows(const struct panel *p, const struct panel_room *room, bool all)
{
	/* as high as wide */
	const int high = room->cols / 2;
	(void)all;
	if (p->plane.least_rows > 0)
		return p->plane.least_rows;
	return high < LEAST ? LEAST : high < MOST ? high : MOST;
}

static void draw(const struct pen *pen, const struct panel *p)
{
	pen_plane(pen, &p->plane);
}

static void ascii(struct arena *a, struct panel *panel)
{
	struct plane *const p = &panel->plane;
	struct plane_point *const at = arena_calloc(a, p->n + 1, sizeof *at);
	for (size_t i = 0; i < p->n; i++)
		at[i] = (struct plane_point){p->at[i].x, p->at[i].y, panel_ascii(a, p->at[i].label),
					     panel_ascii(a, p->at[i].more)};
	p->at = at;
	p->x_title = panel_ascii(a, p->x_title);
	p->y_title = panel_ascii(a, p->y_title);
	p->x_brief = panel_ascii(a, p->x_brief);
	p->y_brief = panel_ascii(a, p->y_brief);
	p->about_brief = panel_ascii(a, p->about_brief);
	p->about = panel_ascii(a, p->about);
	p->about_thumbs = panel_ascii(a, p->about_thumbs);
}

static bool says(const char *text)
{
	return text && *text;
}

static const char *group_of(const struct plane *l, size_t i, struct arena *a)
{
	return !l->group	? ""
	       : l->group_names ? arena_printf(a, ", %s", l->group_names[l->group[i]])
				: arena_printf(a, ", group %zu", l->group[i] + 1);
}

static void say(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct plane *const l = &p->plane;
	size_t missing = 0;
	if (says(l->about))
		words_say(out, "%s", l->about);
	if (says(l->x_title))
		words_say(out, "Along: %s", l->x_title);
	if (says(l->y_title))
		words_say(out, "Up: %s", l->y_title);
	if (l->joined)
		words_say(out, l->tangled ? "The points are in their order."
					  : "A line joins the points in their order.");
	for (size_t i = 0; i < l->n; i++) {
		const struct plane_point *const at = &l->at[i];
		if (!isfinite(at->x) || !isfinite(at->y)) {
			missing++;
			continue;
		}
		words_say(out, "%zu%s%s%s%s: %s, %s%s%s%s", i + 1, at->label ? " " : "",
			  at->label ? at->label : "", says(at->more) ? " " : "",
			  says(at->more) ? at->more : "", words_number(a, at->x),
			  words_number(a, at->y), group_of(l, i, a),
			  l->has_own && l->own == i ? ", looked at" : "",
			  l->has_cursor && l->cursor == i ? ", chosen" : "");
	}
	if (missing > 0)
		words_say(out, "%s without a place.", words_many(a, missing, "point"));
}

static void html(struct strbuf *b, const struct panel *panel)
{
	const struct plane *const p = &panel->plane;
	const char *const head[] = {"", p->x_title ? p->x_title : "x",
				    p->y_title ? p->y_title : "y", NULL};
	double size = 0;
	for (size_t i = 0; i < p->n; i++)
		if (isfinite(p->at[i].x) && isfinite(p->at[i].y))
			size = fmax(size, fmax(fabs(p->at[i].x), fabs(p->at[i].y)));
	if (html_is_too_much(b, 2 * p->n))
		return;
	html_table(b, "", head);
	for (size_t i = 0; i < p->n; i++) {
		html_row(b, p->at[i].label ? p->at[i].label : arena_printf(b->arena, "%zu", i + 1));
		html_number(b, p->at[i].x, size);
		html_number(b, p->at[i].y, size);
		html_row_end(b);
	}
	html_table_end(b);
}

static void tex(struct tex *t, const struct panel *p)
{
	tex_plane(t, &p->plane);
}

static const char *excess(const struct panel *p, struct arena *a)
{
	return tex_plane_fits(&p->plane)
		       ? NULL
		       : arena_printf(a, "has more than the %d points that TeX's memory holds",
				      TEX_POINTS);
}

static bool numbers(const struct panel *panel, struct arena *a, struct heatmap *out)
{
	const struct plane *const p = &panel->plane;
	const struct mat m = mat_zero(a, p->n, 2);
	for (size_t i = 0; i < p->n; i++) {
		mat_row(m, i)[0] = p->at[i].x;
		mat_row(m, i)[1] = p->at[i].y;
	}
	out->values = m;
	return true;
}

const struct panel_type panel_plane = {
	.name = "plane",
	.noun = "plane",
	.context = "plane",
	.least = {10, 28, 7, 20},
	.rows = rows,
	.square = true,
	.smallest = {220, 10},
	.draw = draw,
	.ascii = ascii,
	.say = say,
	.html = html,
	.tex = tex,
	.excess = excess,
	.numbers = numbers,
};
