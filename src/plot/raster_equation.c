/* raster_equation.c: the matrices of an equation on a page: in lines, with operators in the gaps,
 * the name of each matrix above it and its formula and share below, row labels once per line and
 * column labels once, and at the foot one colour bar for each scale. */
#include <math.h>
#include <string.h>

#include "plot/raster_equation.h"

/* ---- drawing ------------------------------------------------------------------------------------- */

static const char *title_of(struct page *p, const struct panel *panel)
{
	const char *title = panel->paper_title != NULL ? panel->paper_title : panel->title;
	return panel->off ? arena_printf(p->arena, "%s (off)", title)
	       : panel->operand.part != NULL
		       ? arena_printf(p->arena, "%s (%s)", title, panel->operand.part)
		       : title;
}

/* Returns as many of the first clauses of a sentence as have room. */
static const char *clauses_of(struct page *p, const char *words, double room)
{
	while (raster_text_measure(p, FACE_TEXT, words).w > room) {
		const char *end = strrchr(words, ';');
		if (end == NULL)
			return "";
		words = arena_strndup(p->arena, words, (size_t)(end - words));
	}
	return words;
}

/* Draws the name, and below it a description if it has room. */
static void draw_head(struct page *p, const struct raster_equation *q, size_t i,
		      const struct grid *g)
{
	const struct panel *panel = raster_equation_panel(q, i);
	const double x = g->at.x, y = q->top[q->e.line[i]], room = raster_equation_room(p, q, i);
	const char *title = title_of(p, panel);
	if (raster_text_measure(p, FACE_NAME, title).w > room)
		title = panel->title;
	if (raster_text_measure(p, FACE_NAME, title).w > room && panel->brief_title != NULL)
		title = panel->brief_title;
	title = raster_text_fit(p, FACE_NAME, title, room);
	raster_text_put(p, FACE_NAME, p->theme->ink, 0, x, y, title);
	const char *note = raster_heatmap_note(p, &panel->heatmap, g);
	const char *words = *note != '\0' ? note : panel->subtitle != NULL ? panel->subtitle : "";
	if (q->tight || (words == panel->subtitle && panel->term != NULL && !q->words))
		return;
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, x,
			y + raster_text_line(p, FACE_NAME) + 3 * p->space,
			clauses_of(p, words, room));
}

/* Returns the room for a formula, which is centred and may extend equally far into both gaps. */
static double formula_room(const struct page *p, const struct raster_equation *q, size_t i)
{
	const size_t col = q->e.col[i];
	const double left = col > 0 ? q->gap[col] : q->label,
		     right = raster_equation_room(p, q, i) - raster_equation_width(q);
	return raster_equation_width(q) + fmin(left, right) - 8 * p->space;
}

/* Writes the first word of a title of an axis with its arrow so many lines above the rows' labels,
 * if the corner has room. */
static void draw_axis(struct page *p, const struct raster_equation *q, const struct grid *g,
		      const char *title, const char *arrow, double lines)
{
	if (title == NULL)
		return;
	const char *const text =
		arena_printf(p->arena, "%.*s%s", (int)strcspn(title, " "), title, arrow);
	const double foot = raster_plan_corner(p, g) + lines * p->line[FACE_TEXT];
	if (foot <= q->labels && raster_text_measure(p, FACE_TEXT, text).w <= q->label + q->lead)
		raster_text_put(p, FACE_TEXT, p->theme->second, 1, g->at.x - q->label_gap,
				g->at.y - foot, text);
}

static void draw_matrix(struct page *p, const struct raster_equation *q, size_t i)
{
	const struct equation *e = &q->e;
	const struct panel *panel = raster_equation_panel(q, i);
	const struct heatmap *h = &panel->heatmap;
	struct grid g = {.cell_w = q->cell,
			 .cell_h = q->cell,
			 .gap = q->label_gap,
			 .pixel = raster_plan_pixel(p)};
	g.at = (struct area){raster_equation_column(q, e->col[i]),
			     raster_equation_top(q, e->line[i]), raster_equation_width(q),
			     raster_equation_height(q)};
	if (e->col[i] == 0)
		g.rows = raster_equation_rows(p, q, q->cell);
	g.cols = raster_equation_cols(p, q, q->cell);
	p->panel = e->panel[i];
	raster_panel_part(p, e->figure, p->panel);
	p->strength = panel->off ? 0.4 : 1;
	raster_heatmap_put(p, h, &g);
	if (e->col[i] == 0) {
		draw_axis(p, q, &g, h->row_title, " ↓", 1);
		draw_axis(p, q, &g, h->col_title, " →", 2);
	}
	p->strength = 1;
	draw_head(p, q, i, &g);
	const char *formula = panel->operand.formula;
	if (formula != NULL &&
	    raster_text_measure(p, FACE_MATH, formula).w <= formula_room(p, q, i))
		raster_text_put(p, FACE_MATH, panel->off ? p->theme->second : p->theme->ink, 0.5,
				g.at.x + g.at.w / 2, g.at.y + g.at.h + 6 * p->space, formula);
	raster_end(p);
}

static void draw_arrow(struct page *p, double from, double to, double y)
{
	const double head = fmax(4, 6 * p->space);
	raster_line(p, from, y, to - head, y, fmax(1, 1.5 * p->space), p->theme->second);
	struct path path = path_new(p->arena);
	path_move(&path, to, y + 0.5);
	path_line(&path, to - 1.8 * head, y + 0.5 - head * 0.8);
	path_line(&path, to - 1.8 * head, y + 0.5 + head * 0.8);
	raster_fill_path(p, &path, p->theme->second, 1);
}

/* Draws the signs before matrix i, or behind the last one, at half height of the values. */
static void draw_signs(struct page *p, const struct raster_equation *q, size_t i)
{
	const struct equation *e = &q->e;
	const struct signs *s = &e->signs[i];
	const bool end = i == e->n;
	const size_t line = e->line[end ? i - 1 : i], col = end ? e->col[i - 1] + 1 : e->col[i];
	const double gap = col == 0 ? q->lead : q->gap[col];
	const double from = col == 0 ? q->body.x : raster_equation_column(q, col) - gap;
	double y = raster_equation_top(q, line) + raster_equation_height(q) / 2;
	if (equation_begins(e, i) && col > 0)
		raster_line(p, from + gap / 2, q->top[line], from + gap / 2,
			    raster_equation_top(q, line) + raster_equation_height(q), 1,
			    p->theme->hair);
	/* Signs of matrices that were left out are above the operator, all of them centred. */
	const double step = p->line[FACE_TEXT] * 1.2;
	y -= s->n > 1 ? step * (double)(s->n - 1) + (s->arrow ? 0.6 : 0.3) * p->line[FACE_TITLE]
		      : 0;
	for (size_t k = 0; k < s->n; k++, y += step) {
		const enum face face = raster_equation_face(s, k);
		const bool last = k + 1 == s->n, arrow = s->arrow && last;
		y += last && s->n > 1 ? (s->arrow ? 0.6 : 0.3) * p->line[FACE_TITLE] : 0;
		raster_text_mid(p, face, p->theme->second, 0.5, from + gap / 2,
				arrow ? y - p->line[FACE_TEXT] * 0.7 : y, s->text[k]);
		if (arrow)
			draw_arrow(p, from + 10 * p->space, from + gap - 10 * p->space, y);
	}
}

/* ---- shares -------------------------------------------------------------------------------------- */

/* Returns a shade of grey, beginning with that of the first part. */
static uint32_t part_colour(const struct page *p, size_t i)
{
	static const uint32_t light[] = {0x4b5563, 0x7d8694, 0xb8bcc8};
	static const uint32_t dark[] = {0xd1d5db, 0x9ca3af, 0x6b7280};
	return p->dark ? dark[i % 3] : light[i % 3];
}

static double draw_number(struct page *p, enum face face, double x, double y, const char *number,
			  double room)
{
	static const char words[] = "of the variance in rows";
	const double w = raster_text_measure(p, face, number).w + 8 * p->space;
	y += 8 * p->space;
	const double base = y + (raster_text_line(p, face) - p->line[FACE_TEXT]) * 0.72;
	raster_text_put(p, face, p->theme->ink, 0, x, y, number);
	if (w + raster_text_measure(p, FACE_TEXT, words).w <= room && !p->terse)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, x + w, base, words);
	return y + raster_text_line(p, face) + 2 * p->space;
}

/* Returns the shade of a share's bar: the darkest of the largest one. */
static size_t share_shade(const struct bars *shares, size_t at)
{
	bool largest = true;
	for (size_t k = 0; k < shares->n; k++)
		largest &=
			(shares->off && shares->off[k]) || shares->values[k] <= shares->values[at];
	return shares->values[at] < 0 ? 2 : !largest;
}

static void draw_share(struct page *p, const struct raster_equation *q, size_t i)
{
	const struct figure *f = q->e.figure;
	const struct bars *shares = equation_shares(f);
	const size_t at = equation_share(f, q->e.panel[i]), line = q->e.line[i];
	const double x = raster_equation_column(q, q->e.col[i]), w = raster_equation_width(q);
	const bool off = shares->off != NULL && shares->off[at];
	const double y =
		draw_number(p, q->number, x,
			    raster_equation_top(q, line) + raster_equation_height(q) + q->formula,
			    off ? "off" : shares->notes[at], off ? 0 : w);
	const double length = round(w * fmin(1, fabs(shares->values[at])));
	raster_rect(p, (struct area){x, y, w, raster_equation_thick(p)}, p->theme->hair);
	if (!off)
		raster_rect(p, (struct area){x, y, length, raster_equation_thick(p)},
			    part_colour(p, share_shade(shares, at)));
}

/* Draws the names of the first and the last part under their ends, if both have room. */
static void name_parts(struct page *p, double x, double y, double w, const char *first,
		       const char *last)
{
	const double a = raster_text_measure(p, FACE_TEXT, first).w;
	const double b = raster_text_measure(p, FACE_TEXT, last).w;
	if (a <= w)
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, x, y, first);
	if (a + b + 10 * p->space <= w)
		raster_text_put(p, FACE_TEXT, p->theme->second, 1, x + w, y, last);
}

/* Draws 100 % as a bar divided into its parts, without those that are negative. */
static void draw_whole(struct page *p, const struct raster_equation *q, size_t i)
{
	const struct figure *f = q->e.figure;
	const struct bars *shares = equation_shares(f);
	const size_t line = q->e.line[i];
	const double x = raster_equation_column(q, q->e.col[i]), w = raster_equation_width(q),
		     thick = raster_equation_thick(p);
	if (shares == NULL)
		return;
	const double y = draw_number(
		p, q->number, x,
		raster_equation_top(q, line) + raster_equation_height(q) + q->formula, "100 %", 0);
	double at = 0, all = 0;
	size_t first = shares->n, last = 0, seen = 0;
	for (size_t k = 0; k < shares->n; k++)
		all += fmax(0, shares->values[k]);
	for (size_t k = 0; k < shares->n; k++) {
		const double part = fmax(0, shares->values[k]) / all;
		if (!(part > 0.005))
			continue;
		const double from = round(w * at), to = round(w * (at + part));
		raster_rect(p, (struct area){x + from, y, fmax(1, to - from - 1), thick},
			    part_colour(p, seen++));
		at += part;
		first = first == shares->n ? k : first;
		last = k;
	}
	if (first < shares->n && !q->tight)
		name_parts(p, x, y + thick + 3 * p->space, w,
			   figure_scripts(p->arena, shares->labels[first]),
			   last > first ? figure_scripts(p->arena, shares->labels[last]) : "");
}

/* ---- colour bars --------------------------------------------------------------------------------- */

static const char *scale_words(struct page *p, const struct raster_equation *q, size_t panel)
{
	const struct panel *own = &q->e.figure->panels[panel];
	const struct scale *scale = &own->heatmap.scale;
	size_t n = 0;
	for (size_t i = 0; i < q->e.n; i++)
		n += equation_bar(&q->e, q->e.panel[i]) == panel;
	const char *many = n > 1 ? arena_printf(p->arena, ", %zu matrices", n) : "";
	return arena_printf(p->arena, "%s%s%s%s%s", own->operand.unit, many,
			    scale->mode != SCALE_LINEAR ? ", " : "",
			    scale->mode != SCALE_LINEAR ? scale_mode_names[scale->mode] : "",
			    scale->locked ? ", locked" : "");
}

/* Returns a limit with the meaning of values there, if the words take at most a third of the
 * bar. */
static const char *end_text(struct page *p, const struct heatmap *h, bool high, const char *number,
			    double width)
{
	for (int brief = 0; brief < 2; brief++) {
		const char *const words = heatmap_end_words(p->arena, h, high, brief == 1);
		if (words == NULL)
			return number;
		const char *const text = arena_printf(p->arena, "%s %s", high ? words : number,
						      high ? number : words);
		if (raster_text_measure(p, FACE_TEXT, text).w <= width / 3)
			return text;
	}
	return number;
}

/* Draws the limits, and the ticks between them that have room. */
static void draw_ticks(struct page *p, const struct heatmap *h, struct area bar)
{
	enum { MOST = 9 };
	double at[MOST + 2], from, to, lo, hi, taken[MOST + 2][2];
	size_t n_taken = 0;
	scale_part(&h->scale, &from, &to);
	scale_part_limits(&h->scale, &lo, &hi);
	at[0] = raster_three_digits(lo);
	at[1] = raster_three_digits(hi);
	const size_t n = 2 + scale_bar_ticks(&h->scale, MOST, at + 2);
	const double y = bar.y + bar.h + 5 * p->space;
	for (size_t i = 0; i < n; i++) {
		const double part =
			(scale_at(&h->scale, i < 2 ? (i == 0 ? lo : hi) : at[i], NULL) - from) /
			(to - from);
		const char *text = *scale_tick_labels(p->arena, &at[i], 1, h->scale.diverging);
		if (i < 2)
			text = end_text(p, h, i == 1, text, bar.w);
		const double w = raster_text_measure(p, FACE_TEXT, text).w;
		const double x = bar.x + part * (bar.w - 1);
		const double left = fmin(fmax(x - w / 2, bar.x), bar.x + bar.w - w);
		bool free = isfinite(part);
		for (size_t k = 0; k < n_taken && free; k++)
			free = left > taken[k][1] + 8 * p->space ||
			       left + w + 8 * p->space < taken[k][0];
		if (!free)
			continue;
		taken[n_taken][0] = left;
		taken[n_taken++][1] = left + w;
		raster_line(p, x, bar.y + bar.h, x, y, 1, p->theme->axis);
		raster_text_put(p, FACE_TEXT, p->theme->second, 0, left, y, text);
	}
}

static void draw_scale(struct page *p, const struct raster_equation *q, size_t panel,
		       struct area at)
{
	const struct heatmap *h = &q->e.figure->panels[panel].heatmap;
	const struct area bar = {at.x, at.y + p->line[FACE_TEXT] + 3 * p->space, at.w,
				 raster_equation_thick(p)};
	const size_t n = at.w < COLORMAP_LEVELS ? (size_t)at.w : COLORMAP_LEVELS;
	double from, to;
	scale_part(&h->scale, &from, &to);
	raster_text_put(p, FACE_TEXT, p->theme->second, 0, at.x, at.y,
			raster_text_fit(p, FACE_TEXT, scale_words(p, q, panel), at.w));
	uint32_t *const colours = arena_calloc(p->arena, n + 1, sizeof *colours);
	for (size_t i = 0; i < n; i++)
		colours[i] = colormap_rgb(h->colormap,
					  from + (to - from) * ((double)i + 0.5) / (double)n);
	raster_stripes(p, bar, colours, n, false);
	draw_ticks(p, h, bar);
}

/* Draws a bar for each scale, in the order of the matrices that have one. */
static void draw_scales(struct page *p, const struct raster_equation *q)
{
	size_t own[FIGURE_PANELS], n = 0;
	for (size_t i = 0; i < q->e.n; i++)
		if (equation_bar(&q->e, q->e.panel[i]) == q->e.panel[i])
			own[n++] = q->e.panel[i];
	const double left = raster_equation_column(q, 0), air = 40 * p->space;
	const double all = q->body.x + q->body.w - left, cols = (double)q->scale_cols;
	const double each = (all - air * (cols - 1)) / cols;
	const double w = round(fmin(each, fmax(2 * raster_equation_width(q), 200 * p->type)));
	for (size_t i = 0; i < n; i++) {
		const size_t row = i / q->scale_cols, col = i % q->scale_cols;
		draw_scale(p, q, own[i],
			   (struct area){round(left + (w + air) * (double)col),
					 q->scales + raster_equation_scale(p) * (double)row, w, 0});
	}
}

static void draw_card(struct page *p, const struct raster_equation *q)
{
	size_t at;
	const struct panel *card = raster_equation_card(q->e.figure, &at);
	const double head = p->line[FACE_HEAD] + 10 * p->space;
	struct area body = q->card;
	if (card == NULL || q->card.w <= 0)
		return;
	p->panel = at;
	raster_panel_part(p, q->e.figure, at);
	raster_text_put(p, FACE_HEAD, p->theme->ink, 0, body.x, body.y,
			card->paper_title != NULL ? card->paper_title : card->title);
	body.y += head;
	body.h -= head;
	raster_body(p, card, body);
	raster_end(p);
}

void raster_equation_draw(struct page *p, const struct raster_equation *q)
{
	const struct equation *e = &q->e;
	for (size_t i = 0; i < e->n; i++) {
		draw_matrix(p, q, i);
		draw_signs(p, q, i);
		if (equation_share(e->figure, e->panel[i]) != SIZE_MAX)
			draw_share(p, q, i);
		else if (equation_is_sum(e->figure, e->panel[i]))
			draw_whole(p, q, i);
	}
	draw_signs(p, q, e->n);
	draw_scales(p, q);
	draw_card(p, q);
}
