/* pen_table.c: a table: columns without room are dropped in the table's own order of priority; rows
 * are closer together if they are many; if they still do not fit, they scroll around the chosen
 * one, under the title of the group of the first visible row. A note at the bottom tells what is
 * not visible. */
#include "plot/pen.h"
#include "posviz/base/text.h"

#include <math.h>
#include <string.h>

/* Sizes in ems. */
enum {
	GAP = 2,
	GAP_MOST = 7,	   /* in units of pen.air: the largest gap of columns */
	NARROW = 11,	   /* a column is shortened to this before another one is dropped, */
	NARROW_FIRST = 13, /* one that is never dropped, */
	SHORT = 12,	   /* a table of few rows has whole words, */
	NARROW_SHORT = 24, /* however few columns that leaves */
	SOME = 3,	   /* more columns than these are worth less than whole words, */
	NARROW_SOME = 13,  /* and are not shortened below this, */
	MANY = 6,	   /* more than these still less */
	NARROW_MANY = 16,
	NARROW_PAGE = 20, /* the same two on a page, which has no key for columns without room */
	NARROW_ALL = 5	  /* and one of a table without priorities */
};

enum { LEAST_NOTED = 12 }; /* lines of a table that scrolls, from which one has notes */
enum { FEW = 3 };	   /* columns without room that are named */
enum { LEAST_TITLED = 4 }; /* rows from which one may be used to repeat a title */

struct plan {
	const struct pen *pen;
	const struct table *t;
	struct area at; /* without the mark of the chosen row */
	size_t *col;	/* the shown columns, n of them */
	double *width, gap;
	size_t n;
	double pitch, head; /* of a row; of the titles with their rule */
	size_t first, rows; /* shown */
	double notes;	    /* the height of the sentences below */
	size_t parts;	    /* of the legend that have room there */
	size_t again;	    /* the row with the group title of the first shown row; t->rows: none */
};

static const char *given(const char *text)
{
	return text != NULL ? text : "";
}

static const char *cell(const struct table *t, size_t row, size_t col)
{
	return given(t->cells[row * t->cols + col]);
}

static bool is_marked(const struct table *t, size_t row)
{
	return (t->has_cursor && row == t->row) || (t->marked != NULL && t->marked[row]);
}

static bool is_heading(const struct table *t, size_t col)
{
	return (t->marked_cols != NULL && t->marked_cols[col]) || (t->has_col && col == t->col);
}

/* Returns the row that must be visible. */
static size_t wanted_row(const struct table *t)
{
	for (size_t i = 0; t->marked != NULL && i < t->rows; i++)
		if (t->marked[i])
			return i;
	return t->has_cursor && !t->from_top ? t->row : 0;
}

static bool is_group(const struct table *t, size_t row)
{
	return t->group != NULL && t->group[row];
}

/* ---- columns --------------------------------------------------------------------------------- */

static double natural_width(const struct plan *p, size_t col)
{
	const struct table *const t = p->t;
	double width = t->head != NULL ? pen_measure(p->pen, given(t->head[col])).w : 0;
	const size_t from = p->rows > 0 ? p->first : 0,
		     end = p->rows > 0 ? from + p->rows : t->rows;
	for (size_t i = from; i < end; i++)
		if (!is_group(t, i))
			width = fmax(width, pen_measure(p->pen, cell(t, i, col)).w);
	return width;
}

static double narrow(const struct plan *p, size_t j)
{
	const unsigned char *const priority = p->t->priority;
	const int ems = priority == NULL	       ? NARROW_ALL
			: p->pen->occasion == ON_PAPER ? NARROW_PAGE
			: p->t->rows <= SHORT	       ? NARROW_SHORT
			: p->n > MANY		       ? NARROW_MANY
			: p->n > SOME		       ? NARROW_SOME
			: priority[p->col[j]] == 0     ? NARROW_FIRST
						       : NARROW;
	return p->pen->em * ems;
}

static double sum(const struct plan *p, bool narrowed)
{
	double all = p->n > 0 ? p->gap * (double)(p->n - 1) : 0;
	for (size_t j = 0; j < p->n; j++)
		all += narrowed ? fmin(p->width[j], narrow(p, j)) : p->width[j];
	return all;
}

/* Returns the shown column that is to be shortened: of those that may be, the least important; of equally
 * important ones the one that can be shortened most; if none may be, the same of all. */
static size_t widest(const struct plan *p)
{
	const unsigned char *const priority = p->t->priority;
	size_t most = 0;
	for (size_t j = 1; j < p->n; j++) {
		const double own = p->width[j] - narrow(p, j),
			     best = p->width[most] - narrow(p, most);
		const int less = priority ? priority[p->col[j]] - priority[p->col[most]] : 0;
		if (own > 0 && best > 0 && less != 0 ? less > 0 : own > best)
			most = j;
	}
	return most;
}

/* Returns the shown column to be dropped next, n if none may be: by priority, else the last; never
 * one that is pointed out. */
static size_t next_to_go(const struct plan *p)
{
	size_t found = p->n;
	if (p->t->priority == NULL)
		return p->n > 1 && !is_heading(p->t, p->col[p->n - 1]) ? p->n - 1 : p->n;
	for (size_t j = 0; j < p->n; j++) {
		const unsigned char now = p->t->priority[p->col[j]];
		if (now > 0 && !is_heading(p->t, p->col[j]) &&
		    (found == p->n || now >= p->t->priority[p->col[found]]))
			found = j;
	}
	return found;
}

static bool is_planned(const struct plan *p, size_t col)
{
	for (size_t j = 0; j < p->n; j++)
		if (p->col[j] == col)
			return true;
	return false;
}

/* Returns the column that was dropped last and would have room after all, as a wider one was dropped after it;
 * t->cols if there is none. */
static size_t next_to_return(struct plan *p)
{
	const struct table *const t = p->t;
	const double all = sum(p, true);
	size_t found = t->cols;
	for (size_t c = 0; c < t->cols && t->priority != NULL; c++) {
		struct plan with = *p;
		double width = natural_width(p, c);
		with.col = &c;
		with.n++;
		if (is_planned(p, c) || all + p->gap + fmin(width, narrow(&with, 0)) > p->at.w)
			continue;
		if (found == t->cols || t->priority[c] < t->priority[found])
			found = c;
	}
	return found;
}

/* Puts a column among the others, in the order of the table. */
static void put_back(struct plan *p, size_t col)
{
	size_t j = p->n++;
	for (; j > 0 && p->col[j - 1] > col; j--) {
		p->col[j] = p->col[j - 1];
		p->width[j] = p->width[j - 1];
	}
	p->col[j] = col;
	p->width[j] = natural_width(p, col);
}

/* Drops columns as long as the others would be too narrow. */
static void plan_columns(struct plan *p)
{
	const struct pen *const pen = p->pen;
	p->gap = GAP * pen->em;
	p->n = p->t->cols;
	p->col = arena_calloc(pen->arena, p->n, sizeof *p->col);
	p->width = arena_calloc(pen->arena, p->n, sizeof *p->width);
	for (size_t j = 0; j < p->n; j++) {
		p->col[j] = j;
		p->width[j] = natural_width(p, j);
	}
	while (sum(p, true) > p->at.w) {
		const size_t j = next_to_go(p);
		if (j == p->n)
			break;
		memmove(&p->col[j], &p->col[j + 1], (p->n - j - 1) * sizeof *p->col);
		memmove(&p->width[j], &p->width[j + 1], (p->n - j - 1) * sizeof *p->width);
		p->n--;
	}
	for (size_t c; (c = next_to_return(p)) < p->t->cols;)
		put_back(p, c);
}

/* Gives the columns the widths of the rows in sight, and shortens the widest until all fit. The
 * columns themselves do not change while rows scroll. */
static void fit_columns(struct plan *p)
{
	const struct pen *const pen = p->pen;
	for (size_t j = 0; j < p->n; j++)
		p->width[j] = natural_width(p, p->col[j]);
	for (double over = sum(p, false) - p->at.w; over > 0; over--) {
		const size_t j = widest(p);
		if (p->width[j] <= pen->em)
			break;
		p->width[j]--;
	}
	if (p->n > 1)
		p->gap =
			fmax(p->gap, fmin(GAP_MOST * pen->air,
					  p->gap + (p->at.w - sum(p, false)) / (double)(p->n - 1)));
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool only_titles(const struct plan *p)
{
	for (size_t i = 0; i < p->rows; i++)
		if (!is_group(p->t, p->first + i))
			return false;
	return true;
}

/* Moves a window without any row below its titles on to the first row, whose title stays. */
static void pass_titles(struct plan *p)
{
	if (p->t->group == NULL || !only_titles(p))
		return;
	while (p->first + p->rows < p->t->rows && only_titles(p))
		p->first++;
	p->again = p->t->rows;
}

/* Chooses the visible rows. If they begin within a group, its title is repeated instead of a row; a
 * group title without rows below it is left out. */
static void plan_window(struct plan *p)
{
	const struct table *const t = p->t;
	p->first = pen_window(wanted_row(t), p->rows, t->rows);
	p->again = t->rows;
	for (size_t i = 0; i <= p->first && p->rows >= LEAST_TITLED; i++)
		p->again = is_group(t, i) ? i : p->again;
	if (p->again < p->first) { /* within a group */
		p->first++;
		p->rows--;
	}
	if (p->again == p->first || is_group(t, p->first))
		p->again = t->rows;
	if (p->rows > 1 && is_group(t, p->first + p->rows - 1))
		p->rows--;
	pass_titles(p);
}

static bool is_shown(const struct plan *p, const char *head, size_t len)
{
	for (size_t j = 0; j < p->n && p->t->head != NULL; j++) {
		const char *const own = given(p->t->head[p->col[j]]);
		if (strlen(own) == len && strncmp(own, head, len) == 0)
			return true;
	}
	return false;
}

static bool is_anywhere(const struct plan *p, const char *sign)
{
	for (size_t i = 0; i < p->t->rows; i++)
		for (size_t j = 0; j < p->n; j++)
			if (strstr(cell(p->t, i, p->col[j]), sign) != NULL)
				return true;
	return false;
}

/* Returns the meanings of the signs, and the parts "head: meaning" of the legend whose columns are
 * shown; parts without a head are always there. */
static const char *notes_text(const struct plan *p)
{
	struct arena *const a = p->pen->arena;
	const struct table *const t = p->t;
	const char *all = "";
	for (size_t i = 0; i < t->n_signs; i++)
		if (is_anywhere(p, t->signs[i].sign))
			all = arena_printf(a, "%s%s%s", all, *all ? "; " : "", t->signs[i].means);
	size_t parts = 0;
	for (const char *at = t->legend; *at != '\0' && parts < p->parts;) {
		const char *const colon = strstr(at, ": "), *const next = strstr(at, "; ");
		const size_t len = next != NULL ? (size_t)(next - at) : strlen(at);
		const bool headed = colon != NULL && colon < at + len;
		if (!headed || is_shown(p, at, (size_t)(colon - at))) {
			all = arena_printf(a, "%s%s%.*s", all, *all ? "; " : "", (int)len, at);
			parts++;
		}
		at += len + (next != NULL ? 2 : 0);
	}
	return all;
}

/* Writes the notes unless they are for a page, which has them under the title; returns their
 * height. */
static double notes_of(const struct plan *p, struct area at, bool draw)
{
	if (p->t->legend == NULL || p->pen->occasion == ON_PAPER)
		return 0;
	const struct text_run run = {.role = ROLE_QUIET, .text = notes_text(p)};
	return *run.text != '\0' ? pen_wrap(p->pen, at, &run, 1, draw) : 0;
}

/* Returns the height of the notes with so many parts of the legend. */
static double notes_height(struct plan *p, size_t parts)
{
	p->parts = parts;
	return notes_of(p, p->at, false);
}

/* Gives the notes the room below a table whose rows are all shown: as many parts of the legend as fit; others rather
 * have none than a part. */
static void fit_notes(struct plan *p, double room)
{
	size_t parts = 1;
	if (p->notes <= room)
		return;
	p->notes = 0;
	while (p->t->enough > 0 && notes_height(p, parts) <= room) {
		p->notes = notes_height(p, parts);
		parts++;
	}
	p->parts = parts - 1;
}

/* Rows are as close as necessary, down to one line each; then some are left out, never the
 * cursor's, and one line tells what is not shown. */
static void plan_rows(struct plan *p)
{
	const struct table *const t = p->t;
	const double line = p->pen->line, air = p->pen->air;
	const bool titled = t->head != NULL && p->at.h >= 2 * line;
	const bool apart = p->pen->occasion == IN_ROOM;
	const double rule = titled ? air / 2 : 0, most = line + (apart ? line : air);
	const double least = line + air / 4;
	const bool foot = p->n < t->cols || (t->n_signs > 0 && p->pen->occasion != ON_PAPER);
	p->notes = notes_height(p, SIZE_MAX);
	double room = p->at.h - rule - (foot ? line : 0);
	/* Sentences about the columns stand below a table that has room for all of its rows, or for
	 * many. */
	const double all = (double)(t->rows + titled) * line;
	const double some = fmax(LEAST_NOTED, (double)t->enough) * line;
	const double left =
		p->at.h - (t->enough > 0 ? p->notes : 0); /* for the rows that suffice */
	if (all <= room)
		fit_notes(p, room - all);
	else if (left < some)
		p->notes = 0;
	p->at.h -= p->notes;
	room -= p->notes;
	p->pitch = fmin(pen_whole(p->pen, room / (double)(t->rows + titled)), most);
	p->rows = t->rows;
	if (p->pitch < line + air / 8) {
		p->pitch = least;
		room = p->at.h - rule - (p->at.h - rule >= (2 + titled) * least ? line : 0);
		const size_t n = (size_t)fmax(1, floor(room / least) - titled);
		p->rows = n < t->rows ? n : t->rows;
	}
	p->head = titled ? p->pitch + rule : 0;
	plan_window(p);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void draw_cells(const struct plan *p, double y, const char *const *cells, enum role role)
{
	double x = p->at.x;
	for (size_t j = 0; j < p->n; j++, x += p->width[j - 1] + p->gap) {
		const bool right = p->t->right != NULL && p->t->right[p->col[j]];
		const double width = fmin(p->width[j], p->at.x + p->at.w - x);
		const bool chosen = cells == p->t->head && is_heading(p->t, p->col[j]);
		pen_text_fit(p->pen, chosen ? ROLE_PATH : role, right, x + (right ? width : 0), y,
			     width, given(cells[p->col[j]]));
	}
}

static void draw_row(const struct plan *p, size_t i, double top)
{
	const struct table *const t = p->t;
	const double y = top + (p->pen->cell > 0 ? p->pen->line : p->pitch) / 2;
	const bool here = is_marked(t, i);
	if (is_group(t, i)) {
		pen_text_fit(p->pen, ROLE_STRONG, 0, p->at.x, y, p->at.w, cell(t, i, 0));
		return;
	}
	if (here)
		pen_chosen(p->pen, (struct area){p->at.x, top, p->at.w, p->pitch});
	draw_cells(p, y, t->cells + i * t->cols, here ? ROLE_CHOSEN : ROLE_PLAIN);
}

/* Returns the number of rows before `end`, without titles of groups. */
static size_t rows_before(const struct table *t, size_t end)
{
	size_t n = 0;
	for (size_t i = 0; i < end; i++)
		n += !is_group(t, i);
	return n;
}

static bool in_sight(const struct plan *p, const char *sign)
{
	for (size_t i = p->first; i < p->first + p->rows; i++)
		for (size_t j = 0; j < p->n && !is_group(p->t, i); j++)
			if (strstr(cell(p->t, i, p->col[j]), sign) != NULL)
				return true;
	return false;
}

/* Returns "( ) not printed · ≠ not as printed" for the signs that are visible; "" on a page, which
 * explains them above. */
static const char *meanings(const struct plan *p)
{
	const struct table *const t = p->t;
	const char *all = "";
	for (size_t i = 0; i < t->n_signs && p->pen->occasion != ON_PAPER && p->notes <= 0; i++)
		if (in_sight(p, t->signs[i].sign))
			all = arena_printf(p->pen->arena, "%s%s%s", all, *all ? " · " : "",
					   t->signs[i].means);
	return all;
}

/* Returns the titles of the columns without room. */
static const char *hidden_heads(const struct plan *p)
{
	const char *all = "";
	for (size_t c = 0; c < p->t->cols; c++) {
		bool shown = false;
		for (size_t j = 0; j < p->n; j++)
			shown |= p->col[j] == c;
		if (!shown)
			all = arena_printf(p->pen->arena, "%s%s%s", all, *all ? ", " : "",
					   given(p->t->head[c]));
	}
	return all;
}

/* Returns "rows 1–20 of 64"; "": all are shown. */
static const char *rows_text(const struct plan *p)
{
	const struct table *const t = p->t;
	struct arena *const a = p->pen->arena;
	const size_t first = rows_before(t, p->first), last = rows_before(t, p->first + p->rows);
	if (last - first == 1 && rows_before(t, t->rows) > 1)
		return arena_printf(a, "row %zu of %zu", last, rows_before(t, t->rows));
	if (last - first < rows_before(t, t->rows))
		return arena_printf(a, "rows %zu%s%zu of %zu", first + 1, pen_dash(p->pen), last,
				    rows_before(t, t->rows));
	return "";
}

/* Returns the title of a group that is the first line below the titles of columns; NULL: there is none. */
static const char *first_group(const struct plan *p)
{
	const size_t at = p->again < p->t->rows ? p->again : p->first;
	return is_group(p->t, at) ? cell(p->t, at, 0) : NULL;
}

/* Returns which rows are shown, for a table on cells that begins in its middle: it is said where the table begins, at
 * the end of the title of its first group, else of those of the columns. "": there is no room, or no need. */
static const char *rows_in_head(const struct plan *p)
{
	const char *const rows = rows_text(p), *const group = first_group(p);
	double used = group ? pen_measure(p->pen, group).w + p->gap : 0;
	if (!(p->pen->cell > 0) || !(p->head > 0) || rows_before(p->t, p->first) == 0)
		return "";
	for (size_t j = 0; j < p->n && !group; j++)
		used += p->width[j] + p->gap;
	return pen_measure(p->pen, rows).w <= p->at.w - used ? rows : "";
}

/* Returns "rows 1–20 of 64 · 9 of 15 columns", or unless `brief` how the others are reached. */
static const char *part_text(const struct plan *p, bool brief)
{
	const struct table *const t = p->t;
	struct arena *const a = p->pen->arena;
	const char *const rows = *rows_in_head(p) ? "" : rows_text(p), *cols = "";
	const size_t hidden = t->cols - p->n;
	const char *const of = arena_printf(a, "%zu more column%s", hidden, hidden == 1 ? "" : "s");
	const char *const names =
		hidden > 0 && t->head != NULL
			? arena_printf(a, "%s: %s",
				       p->pen->occasion == ON_PAPER ? "not on this page"
								    : "not shown",
				       hidden_heads(p))
			: NULL;
	const bool few = !brief && hidden <= FEW && t->reach == NULL && names &&
			 pen_measure(p->pen, names).w <= p->at.w;
	if (names && (few || p->pen->occasion == ON_PAPER))
		cols = names;
	else if (hidden > 0 && t->reach != NULL && !brief &&
		 pen_measure(p->pen,
			     arena_printf(a, "%s%s%s: %s", rows, *rows ? " · " : "", of, t->reach))
				 .w <= p->at.w)
		cols = arena_printf(a, "%s: %s", of, t->reach);
	else if (hidden > 0)
		cols = arena_printf(a, "%zu of %zu columns", p->n, t->cols);
	const char *const both = arena_printf(a, "%s%s%s", rows, *rows && *cols ? " · " : "", cols);
	if (*rows == '\0' || *cols == '\0' || pen_measure(p->pen, both).w <= p->at.w)
		return both;
	const char *const numbers = both + strcspn(both, "0123456789");
	return pen_measure(p->pen, numbers).w <= p->at.w ? numbers : rows;
}

/* Writes which part is shown and the meaning of signs, in one or two lines; returns their lower
 * edge. */
static double draw_foot(const struct plan *p, double y, double bottom)
{
	const struct pen *const pen = p->pen;
	const char *const means = meanings(p);
	const char *part = "", *both = "";
	bool one = false;
	/* The part has its brief form where neither one line nor two have room for it and the signs. */
	for (size_t i = 0; i < 2 && !one; i++) {
		if (i == 1 && (*means == '\0' || y + 2 * pen->line <= bottom))
			break;
		part = part_text(p, i == 1);
		both = arena_printf(pen->arena, "%s%s%s", part, *part && *means ? " · " : "",
				    means);
		one = pen_measure(pen, both).w <= p->at.w;
	}
	const char *const lines[] = {one ? both : part, one ? "" : means};
	for (size_t i = 0; i < 2 && y + pen->line <= bottom; i++) {
		if (*lines[i] == '\0')
			continue;
		pen_text_fit(pen, ROLE_QUIET, 0, p->at.x, y + pen->line / 2, p->at.w, lines[i]);
		y += pen->line;
	}
	return y;
}

void pen_table(const struct pen *pen, const struct table *t)
{
	struct plan p = {.pen = pen, .t = t, .at = pen->at};
	const double bottom = pen->at.y + pen->at.h;
	if (t->cols == 0 || t->rows == 0) {
		pen_text(pen, ROLE_QUIET, 0, pen->at.x, pen->at.y + pen->line / 2, "no rows");
		return;
	}
	if (t->has_cursor || t->marked != NULL) {
		p.at.x += pen->mark;
		p.at.w -= pen->mark;
	}
	plan_columns(&p);
	plan_rows(&p);
	fit_columns(&p);
	double y = p.at.y;
	if (p.head > 0) {
		draw_cells(&p, y + pen->line / 2, t->head, ROLE_QUIET);
		pen_rule(pen, pen->at, y + p.pitch - fmin(pen->air / 4, p.pitch / 8));
		y += p.head;
	}
	pen_text(pen, ROLE_PLAIN, 1, p.at.x + p.at.w,
		 y - (first_group(&p) ? 0 : p.head) + pen->line / 2, rows_in_head(&p));
	if (p.again < t->rows) {
		draw_row(&p, p.again, y);
		y += p.pitch;
	}
	for (size_t i = 0; i < p.rows; i++, y += p.pitch)
		draw_row(&p, p.first + i, y);
	y = draw_foot(&p, y, bottom - p.notes);
	/* A blank line is before the notes if there is one to spare. */
	y = fmin(bottom - p.notes, y + pen->line);
	if (p.notes > 0)
		notes_of(&p, (struct area){p.at.x, y, p.at.w, p.notes}, true);
}

int pen_table_cols(const struct table *t)
{
	enum { IMPORTANT = 1 };
	int all = (t->has_cursor ? 2 : 0) - GAP;
	for (size_t c = 0; c < t->cols; c++) {
		int most = t->head != NULL ? (int)text_width(t->head[c]) : 0;
		if (t->priority[c] > IMPORTANT)
			continue;
		for (size_t r = 0; r < t->rows; r++)
			if (t->group == NULL || !t->group[r])
				most = (int)fmax(most,
						 (double)text_width(t->cells[r * t->cols + c]));
		all += most + GAP;
	}
	return all;
}
