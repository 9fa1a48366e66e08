/* canvas_equation.c: matrices of an equation on cells: in one line or several, each after its
 * operator and above its share or its colour bar; names of rows once a line, names of columns once.
 * There are no boxes: titles and blank cells separate the matrices. The positions of all parts come
 * from canvas_equation_plan.c. */
#include <math.h>
#include <string.h>

#include "plot/canvas_equation.h"
#include "plot/panel_in.h"
#include "posviz/base/fixed.h"
#include "posviz/base/text.h"

/* ---- drawing --------------------------------------------------------------------------------- */

struct drawing_of {
	struct canvas *c;
	struct arena *a;
	const struct equation_plan *p;
	size_t focus;
};

/* Writes text inside the rectangle of the equation. */
static int put(const struct drawing_of *d, int row, int col, int cols, const char *text,
	       unsigned attrs)
{
	const struct rect *const r = &d->p->r;
	const int room = r->col + r->cols - col;
	if (row < r->row || row >= r->row + r->rows)
		return 0;
	return canvas_text(d->c, row, col, cols < room ? cols : room, text, attrs);
}

static unsigned title_look(const struct drawing_of *d, bool focus, bool quiet)
{
	if (!focus)
		return quiet ? ATTR_DIM : ATTR_BOLD;
	return d->c->tier == TIER_MONO ? ATTR_BOLD | ATTR_REVERSE : ATTR_BOLD | ATTR_ACCENT;
}

/* Returns the name of a panel, the brief one if that is shorter and the whole one does not fit in
 * `room`; in ASCII its plain formula, with the weight that precedes it on paper. */
static const char *name_of(const struct drawing_of *d, const struct panel *p, int room)
{
	if (p->brief_title != NULL && (int)text_width(p->title) > room)
		return p->brief_title;
	if (!d->c->ascii || p->term == NULL)
		return p->title;
	const size_t term = strlen(p->term), paper = p->paper_title ? strlen(p->paper_title) : 0;
	const bool weighted = paper > term && strcmp(p->paper_title + paper - term, p->term) == 0;
	return figure_formula(d->a, weighted ? p->paper_title : p->term);
}

/* Returns the note after the name: the shown part of the matrix, else its formula; "" if it has no
 * room. */
static const char *note_of(const struct drawing_of *d, size_t i, int room)
{
	const struct panel *panel = &d->p->e.figure->panels[d->p->e.panel[i]];
	const struct heatmap_plan plan = equation_matrix(d->c, d->p, i, d->a);
	for (size_t form = 0; form < PART_FORMS && plan.note[form] != NULL; form++)
		if ((int)text_width(plan.note[form]) <= room)
			return plan.note[form];
	const char *formula = panel->operand.formula != NULL && plan.note[0] == NULL
				      ? canvas_formula(d->c, d->a, panel->operand.formula)
				      : "";
	return (int)text_width(formula) <= room ? formula : "";
}

/* Writes the operator before matrix i, or the signs after the last one, beside the middle of the
 * values. */
static void draw_signs(const struct drawing_of *d, size_t i)
{
	const struct equation_plan *p = d->p;
	const struct equation *e = &p->e;
	const bool end = i == e->n;
	const size_t line = e->line[end ? i - 1 : i], col = end ? e->col[i - 1] + 1 : e->col[i];
	const struct panel *panel = end ? NULL : &e->figure->panels[e->panel[i]];
	const char *lines[SIGN_ROWS];
	const int n = equation_sign_lines(&e->signs[i], d->a, lines);
	const int own = panel == NULL || *lines == NULL ? 0 : e->signs[i].arrow ? 2 : 1;
	const int room = col == 0 ? p->lead : p->gap[col];
	const int from = col == 0 ? p->r.col : equation_column(p, col) - room;
	const int row = equation_row(p, line) + (p->rows - 1) / 2 - (n - 1) / 2;
	for (int k = 0; k < n; k++) {
		const int width = (int)text_width(lines[k]);
		const bool quiet = k < n - own || panel->off;
		const int at = col == 0 ? from + 1 : from + (room - width) / 2;
		put(d, row + k, at, room, lines[k], quiet ? ATTR_DIM : ATTR_BOLD);
	}
}

/* Draws a bar of length |part| of the row, in half columns; dim if `part` is negative. */
static void draw_length(struct canvas *c, struct rect r, double part)
{
	const int halves = (int)lround(fmin(fabs(part), 1) * 2 * r.cols);
	const char *const full = c->ascii ? "#" : "█", *const half = c->ascii ? "#" : "▌";
	for (int k = 0; k < r.cols; k++) {
		const bool on = 2 * k < halves;
		canvas_put(c, r.row, r.col + k,
			   !on			? (c->ascii ? "-" : "─")
			   : 2 * k + 1 < halves ? full
						: half,
			   on && part > 0 ? 0 : ATTR_DIM, CELL_DEFAULT, CELL_DEFAULT);
	}
}

/* Returns whether no other matrix has a larger share. */
static bool is_largest(const struct equation_plan *p, size_t i)
{
	const double own = p->e.figure->panels[p->e.panel[i]].operand.of_whole;
	bool out = true;
	for (size_t k = 0; k < p->e.n; k++)
		out &= p->e.figure->panels[p->e.panel[k]].operand.of_whole <= own;
	return out;
}

/* Draws "58 % ▇▇▇▇────": the number, bold where it is the largest, and a bar; all of them begin at the same column of
 * their matrix and are equally long. */
static void draw_share(const struct drawing_of *d, size_t i)
{
	const struct equation_plan *p = d->p;
	const size_t line = p->e.line[i];
	const struct panel *const panel = &p->e.figure->panels[p->e.panel[i]];
	const int row = p->shares_above ? p->top[line] : equation_row(p, line) + p->rows;
	const int from = equation_column(p, p->e.col[i]) + p->share_at;
	const int number = equation_share_cols(p);
	canvas_text_right(d->c, d->a, row, from + number - 1, number - 1, panel->operand.share,
			  panel->off	     ? ATTR_DIM
			  : is_largest(p, i) ? ATTR_BOLD
					     : 0);
	if (p->share_bar > 0)
		draw_length(d->c, (struct rect){row, from + number, 1, p->share_bar},
			    panel->off ? 0 : panel->operand.of_whole);
}

/* Returns the columns for the title of the last matrix of a line, up to the words beside it. */
static int last_room(const struct equation_plan *p, int from)
{
	const struct rect words[] = {p->cell, p->card, p->curve};
	int room = p->cols + 2;
	for (size_t i = 0; i < 3; i++)
		if (words[i].rows > 0 && words[i].col > from && words[i].col - 1 - from < room)
			room = words[i].col - 1 - from;
	return room;
}

/* Writes "unit–unit qₜᵀ kₛ" into the room before the next title, or draws the share after the
 * name. */
static void draw_title(const struct drawing_of *d, size_t i)
{
	const struct equation_plan *p = d->p;
	const struct equation *e = &p->e;
	const struct panel *panel = &e->figure->panels[e->panel[i]];
	const size_t col = e->col[i];
	const bool follows = i + 1 < e->n && e->line[i + 1] == e->line[i];
	const int from = equation_column(p, col), row = p->top[e->line[i]];
	const bool share = p->shares_above && equation_has_share(p, i);
	const int end = p->r.col + p->r.cols - from;
	const int own = share	  ? p->share_at - 1
			: follows ? p->cols + p->gap[col + 1] - 1
				  : last_room(p, from);
	const int room = own < end ? own : end;
	const char *state = panel->off		  ? " (off)"
			    : panel->stale	  ? d->c->ascii ? " ..." : " …"
			    : panel->operand.part ? arena_printf(d->a, " (%s)", panel->operand.part)
						  : "";
	const int left = room - (int)text_width(state) > 0 ? room - (int)text_width(state) : 1;
	const char *title = text_shorten(d->a, name_of(d, panel, left), (size_t)left, d->c->ascii);
	const int used = put(d, row, from, room, arena_printf(d->a, "%s%s", title, state),
			     title_look(d, e->panel[i] == d->focus, panel->off));
	if (share) {
		draw_share(d, i);
		return;
	}
	const char *note = note_of(d, i, room - used - 2);
	put(d, row, from + used + 2, room - used - 2, note, ATTR_DIM);
}

static void draw_matrix(const struct drawing_of *d, size_t i, struct canvas_seen *seen)
{
	const struct equation_plan *p = d->p;
	const struct panel *panel = &p->e.figure->panels[p->e.panel[i]];
	struct heatmap_plan plan = equation_matrix(d->c, d->p, i, d->a);
	const struct rect inner = {plan.data.row, plan.data.col, plan.data.rows, p->cols};
	canvas_heatmap(d->c, d->a, inner, &panel->heatmap, &plan);
	*seen = (struct canvas_seen){plan.data, plan.view};
	if (panel->off || panel->stale)
		canvas_fade(d->c, plan.data);
	if (equation_has_share(p, i) && !p->shares_above)
		draw_share(d, i);
}

/* Returns the column, at most `end`, up to which a row has free columns from `col` on. */
static int free_to(const struct equation_plan *p, int row, int col, int end)
{
	const struct rect words[] = {p->cell, p->card, p->curve};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const struct rect r = words[i];
		if (row >= r.row && row < r.row + r.rows && r.col > col && r.col - 2 < end)
			end = r.col - 2;
	}
	return end;
}

static void draw_bar_below(const struct drawing_of *d, size_t i)
{
	const struct equation_plan *const p = d->p;
	const struct panel *const panel = &p->e.figure->panels[p->e.panel[i]];
	struct heatmap_plan plan = equation_matrix(d->c, p, i, d->a);
	const struct map m = {.c = d->c, .a = d->a, .h = &panel->heatmap, .plan = &plan};
	const struct rect inner = {plan.data.row, plan.data.col, plan.data.rows, p->cols};
	const bool follows = i + 1 < p->e.n && p->e.line[i + 1] == p->e.line[i];
	plan.data.rows = p->rows + (equation_has_share(p, i) && !p->shares_above);
	const int row = inner.row + plan.data.rows;
	const int end = free_to(p, row, inner.col, p->r.col + p->r.cols - 1) - inner.col;
	const int own = follows ? p->cols + p->gap[p->e.col[i] + 1] - 3 : end;
	canvas_bar(&m,
		   (struct rect){inner.row, inner.col, plan.data.rows + 1, own < end ? own : end});
}

/* Draws the bar of matrix i into one row; its unit and the words of its scale are `above` it, or
 * before and behind it. */
static void draw_bar(const struct drawing_of *d, size_t i, struct rect at, bool above)
{
	const struct panel *const panel = &d->p->e.figure->panels[d->p->e.panel[i]];
	const char *const one = panel->operand.unit != NULL ? panel->operand.unit : "";
	const bool common = *one != '\0' && equation_bar_maps(&d->p->e, d->p->e.panel[i]) > 1;
	const char *const unit = common ? arena_printf(d->a, "all %ss", one) : one;
	struct map m = {.c = d->c, .a = d->a, .h = &panel->heatmap, .told = above};
	if (above) {
		const char *const forms[] = {arena_printf(d->a, "%s%s", unit, canvas_bar_words(&m)),
					     arena_printf(d->a, "%s%s", unit, canvas_bar_mode(&m)),
					     arena_printf(d->a, "%s%s", one, canvas_bar_mode(&m)),
					     one};
		size_t form = 0;
		while (form < 3 && (int)text_width(forms[form]) > at.cols)
			form++;
		put(d, at.row - 1, at.col, at.cols, forms[form], ATTR_DIM);
	} else if (*unit != '\0') {
		const int used = put(d, at.row, at.col, at.cols, unit, ATTR_DIM) + 1;
		at.col += used;
		at.cols -= used;
	}
	const int words = above ? 0 : (int)text_width(canvas_bar_words(&m));
	const struct heatmap_plan plan = {.data = {at.row, at.col, 0, at.cols - words}};
	m.plan = &plan;
	canvas_bar(&m, (struct rect){at.row, at.col, 1, at.cols});
}

/* Returns the column from which the bar of matrix i is under it; the words before a bar are left of that. */
static int bar_under(const struct drawing_of *d, size_t i)
{
	const struct equation_plan *const p = d->p;
	const char *const unit = p->e.figure->panels[p->e.panel[i]].operand.unit;
	return equation_column(p, p->e.col[i]) - (unit ? (int)text_width(unit) + 1 : 0);
}

/* Draws the bars in one row, each under its matrix if the one before has room then. */
static void draw_bar_row(const struct drawing_of *d)
{
	enum {
		LEAST = 30,
		EARLIER = 40
	}; /* columns of a bar with its words, and of one before it */
	const struct equation_plan *const p = d->p;
	const struct rect r = p->bars;
	const int right = p->r.col + p->r.cols;
	size_t at[FIGURE_PANELS], n = 0;
	int from[FIGURE_PANELS + 1];
	for (size_t i = 0; i < p->e.n; i++) {
		if (!equation_has_bar(p, i))
			continue;
		from[n] = r.col + (int)n * r.cols;
		const int own = bar_under(d, i), least = n > 0 ? from[n - 1] + EARLIER : own;
		const int under = own > least ? own : least;
		if (n > 0 && under < own + p->cols / 2 && right - under >= LEAST)
			from[n] = under;
		at[n++] = i;
	}
	from[n] = right + 1; /* a margin */
	for (size_t k = 0; k < n; k++) {
		const int room = from[k + 1] - from[k] - 2;
		const int own = room < r.cols - 2 ? room : r.cols - 2;
		draw_bar(d, at[k], (struct rect){r.row, from[k], 1, own}, false);
	}
}

/* Draws the colour bars: beside the matrices, or below them; of narrow matrices all in one row. */
static void draw_bars(const struct drawing_of *d)
{
	const struct equation_plan *const p = d->p;
	const struct rect r = p->bars;
	int row = r.row + 1;
	if (!p->bars_aside && r.rows > 0) {
		draw_bar_row(d);
		return;
	}
	for (size_t i = 0; i < p->e.n; i++) {
		if (!equation_has_bar(p, i))
			continue;
		if (p->bars_aside)
			draw_bar(d, i, (struct rect){row, r.col, 1, r.cols}, true);
		else
			draw_bar_below(d, i);
		row += 2;
	}
}

/* Draws the curve below its title. */
static void draw_curve(const struct drawing_of *d)
{
	const struct figure *const f = d->p->e.figure;
	const size_t i = equation_panel(f, PANEL_CURVES);
	const struct rect r = d->p->curve;
	if (i == f->n || r.rows == 0)
		return;
	const struct panel *const p = &f->panels[i];
	const int used =
		put(d, r.row, r.col, r.cols, p->title, title_look(d, i == d->focus, p->off));
	const char *const note = p->note != NULL && used + 2 + (int)text_width(p->note) <= r.cols
					 ? p->note
					 : p->short_note;
	if (note != NULL && used + 2 + (int)text_width(note) <= r.cols)
		put(d, r.row, r.col + used + 2, r.cols - used - 2, note, ATTR_DIM);
	canvas_inside(d->c, d->a, (struct rect){r.row + 1, r.col, r.rows - 1, r.cols}, p, NULL);
	if (p->stale)
		canvas_fade(d->c, r);
}

/* ---- the cursor's cell ----------------------------------------------------------------------- */

static const char *signed_number(struct arena *a, double x, bool diverging)
{
	return fixed_text(a, x, 3, diverging);
}

static const char *cell_value(const struct drawing_of *d, const struct heatmap *h)
{
	const double x = mat_row(h->values, h->row)[h->col];
	const char *const hidden = heatmap_hidden(d->a, h, h->row, h->col);
	if (hidden != NULL)
		return hidden;
	if (!isfinite(x))
		return "no number";
	return signed_number(d->a, x, h->scale.diverging);
}

/* The terms that are not drawn, and their sum at the cursor. */
struct small {
	size_t n;
	double sum;
	bool large; /* some are not small, and have no room */
};

static struct small small_terms(const struct equation_plan *p)
{
	struct small out = {0};
	const struct figure *const f = p->e.figure;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const panel = &f->panels[i];
		const struct heatmap *const h = &panel->heatmap;
		bool shown =
			panel->operand.sign == SIGN_NONE || panel->operand.sign == SIGN_EQUALS ||
			panel->operand.sign == SIGN_BECOMES || panel->operand.implied || panel->off;
		for (size_t k = 0; k < p->e.n; k++)
			shown |= p->e.panel[k] == i;
		if (shown || h->row >= h->values.rows || h->col >= h->values.cols)
			continue;
		out.n++;
		out.sum += mat_row(h->values, h->row)[h->col];
		out.large |= panel->priority < EQUATION_SMALL;
	}
	return out;
}

/* Writes the sum of the terms that are not drawn before the first result; returns the rows. */
static int draw_small(const struct drawing_of *d, int row, struct small *small)
{
	const int left = d->p->cell.col, right = left + d->p->cell.cols;
	if (small->n == 0)
		return 0;
	const char *const value = signed_number(d->a, small->sum, true);
	put(d, row, left, right - left,
	    arena_printf(d->a, "%zu %s term%s", small->n, small->large ? "more" : "small",
			 small->n > 1 ? "s" : ""),
	    0);
	put(d, row, right - (int)text_width(value), right - left, value, ATTR_BOLD);
	small->n = 0;
	return 1;
}

/* Writes the cursor's cell of each matrix; results of an equation are below a line. */
static void draw_cell(const struct drawing_of *d)
{
	const struct equation_plan *p = d->p;
	const struct heatmap *h = equation_map(p, 0);
	const int cols = p->cell.cols;
	const int left = p->cell.col, right = left + cols;
	int row = p->cell.row;
	if (p->cell.rows == 0)
		return;
	put(d, row++, left, cols, "this cell", ATTR_DIM);
	if (h->row_labels != NULL && h->col_labels != NULL)
		canvas_text_short(
			d->c, d->a, row++, left, cols,
			arena_printf(d->a, "%s → %s", h->row_labels[h->row], h->col_labels[h->col]),
			ATTR_BOLD | ATTR_ACCENT);
	row++;
	struct small small = small_terms(p);
	for (size_t i = 0; i < p->e.n; i++) {
		const struct panel *panel = &p->e.figure->panels[p->e.panel[i]];
		const char *value = cell_value(d, &panel->heatmap);
		const int width = (int)text_width(value);
		if (panel->operand.sign == SIGN_EQUALS || panel->operand.sign == SIGN_BECOMES)
			row += draw_small(d, row, &small);
		if (panel->operand.sign == SIGN_EQUALS) {
			for (int col = left; col < right; col++)
				canvas_put(d->c, row, col, d->c->ascii ? "-" : "─", ATTR_DIM,
					   CELL_DEFAULT, CELL_DEFAULT);
			row++;
		}
		canvas_text_short(d->c, d->a, row, left, cols - width - 1,
				  name_of(d, panel, cols - width - 1), panel->off ? ATTR_DIM : 0);
		put(d, row++, right - width, width, value, panel->off ? ATTR_DIM : ATTR_BOLD);
	}
}

static void draw_words(const struct drawing_of *d)
{
	const struct figure *f = d->p->e.figure;
	const size_t card = equation_panel(f, PANEL_CARD), share = equation_panel(f, PANEL_BARS);
	const struct rect row = equation_share_row(d->p);
	const struct rect r = d->p->card;
	draw_bars(d);
	draw_curve(d);
	draw_cell(d);
	if (row.rows > 0 && d->p->shares_above) /* there is the title of the rows */
		canvas_fill(d->c, (struct rect){row.row, d->p->r.col, 1, d->p->lead + d->p->label},
			    0, CELL_DEFAULT);
	if (row.rows > 0 && d->p->label >= 5)
		put(d, row.row, d->p->r.col + d->p->lead, d->p->label, "share",
		    share < f->n && share == d->focus ? title_look(d, true, false) : ATTR_DIM);
	if (card == f->n || r.rows == 0)
		return;
	canvas_text_short(d->c, d->a, r.row, r.col, r.cols, f->panels[card].title,
			  title_look(d, card == d->focus, false));
	const struct pen pen =
		pen_cells(d->c, d->a, (struct rect){r.row + 1, r.col, r.rows - 1, r.cols});
	panel_draw(&pen, &f->panels[card]);
}

/* Finds the plan that these places are from; false: they are of no equation. */
static bool plan_at(const struct canvas *c, struct arena *a, const struct figure *f, struct rect r,
		    const struct rect *place, struct equation_plan *p)
{
	bool on[FIGURE_PANELS];
	struct rect own[FIGURE_PANELS];
	if (!equation_is(f))
		return false;
	for (size_t i = 0; i < f->n; i++)
		on[i] = place[i].rows > 0 && f->panels[i].operand.sign != SIGN_NONE;
	if (!equation_solve(c, f, r, on, a, p))
		return false;
	equation_places(p, own);
	return memcmp(own, place, f->n * sizeof *own) == 0;
}

bool canvas_equation_is_at(const struct canvas *c, struct arena *a, const struct figure *f,
			   struct rect r, const struct rect *place, bool *lacks_names)
{
	struct equation_plan p;
	f = equation_plain(c, f, a);
	if (!plan_at(c, a, f, r, place, &p))
		return false;
	const struct heatmap_plan first = equation_matrix(c, &p, 0, a);
	/* A window has none of the numbers that it is to have. */
	*lacks_names = canvas_plan_lacks_names(a, equation_map(&p, 0), &first) ||
		       (equation_map(&p, 0)->by_number && !first.numbers);
	return true;
}

bool canvas_equation(struct canvas *c, struct arena *a, const struct figure *f, struct rect r,
		     const struct rect *place, size_t focus, struct canvas_seen *seen)
{
	struct equation_plan p;
	f = equation_plain(c, f, a);
	if (!plan_at(c, a, f, r, place, &p))
		return false;
	const struct drawing_of d = {c, a, &p, focus};
	for (size_t i = 0; i < p.e.n; i++) {
		draw_matrix(&d, i, &seen[p.e.panel[i]]);
		draw_signs(&d, i);
	}
	draw_signs(&d, p.e.n);
	for (size_t i = 0; i < p.e.n; i++)
		draw_title(&d, i);
	draw_words(&d);
	canvas_isolate(c, r);
	return true;
}
