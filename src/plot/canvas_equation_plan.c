/* canvas_equation_plan.c: the positions of the parts of an equation on cells.
 *
 * Every number of matrices in a line is tried, and the one with the largest cells is taken. canvas_equation_room.c places all else in the remaining space. */
#include <string.h>

#include "plot/canvas_equation.h"
#include "posviz/base/text.h"

enum {
	LABEL_MOST = 12, /* columns of row labels */
	LABEL_CUT = 8,	 /* columns if not all columns of the values are visible */
	LABEL_LEAST = 3, /* least columns, so that all columns of the values are visible */
	SEEN_COLS = 16,	 /* least size of a window, or of averages, that is worth showing */
	SEEN_ROWS = 8,
	APART = 6,     /* columns between two equations in a line */
	KEY = 5,       /* columns of "key→" and of "share" */
	SIGN_WORD = 5, /* columns for the word of an arrow, in a line */
	FOR_CURVE = 9  /* rows for a curve below */
};

/* ---- signs ----------------------------------------------------------------------------------- */

/* Writes "+ 8 small terms" in lines of a word each, the first with the sign and the number. */
static int words_below(struct arena *a, const char *text, const char **out)
{
	int n = 0;
	for (const char *at = text; *at != '\0';) {
		const size_t sign = n == 0 ? strspn(at, "+; ") : 0;
		const size_t len = sign + strcspn(at + sign, " ");
		out[n++] = arena_strndup(a, at, len);
		at += len + (at[len] == ' ');
	}
	return n;
}

/* Writes a long text of an arrow in two lines, parted at its blank or in the middle of its word, with the head of the
 * arrow after the second. */
static int words_of_arrow(struct arena *a, const char *text, const char **out)
{
	const char *const blank = strchr(text, ' ');
	const size_t half = blank ? (size_t)(blank - text) : (strlen(text) + 1) / 2;
	out[0] = arena_strndup(a, text, half);
	out[1] = arena_printf(a, "%s→", text + half + (blank != NULL));
	return 2;
}

int equation_sign_lines(const struct signs *s, struct arena *a, const char **out)
{
	int n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const char *text = s->text[i];
		const bool arrow = s->arrow && i + 1 == s->n;
		if (arrow && text_width(text) > SIGN_WORD) {
			n += words_of_arrow(a, text, &out[n]);
		} else if (strstr(text, " term") != NULL) {
			n += words_below(a, text, &out[n]);
		} else {
			out[n++] = text;
			if (arrow)
				out[n++] = "──→";
		}
	}
	return n;
}

static int sign_width(const struct signs *s, struct arena *a)
{
	const char *lines[SIGN_ROWS];
	int width = 0;
	for (int i = equation_sign_lines(s, a, lines); i-- > 0;)
		width = (int)text_width(lines[i]) > width ? (int)text_width(lines[i]) : width;
	return width;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

const struct heatmap *equation_map(const struct equation_plan *p, size_t i)
{
	return &p->e.figure->panels[p->e.panel[i]].heatmap;
}

/* Gives each of many rows a row of the screen where all of them have one: two rows in one have the name of one of them,
 * and the room below them would be empty. Few rows are found without their names, and stay square. */
static void make_whole_rows(const struct heatmap *h, int rows, struct heatmap_plan *plan)
{
	enum { FEW = 12 };
	if (plan->view.cell_rows2 != 1 || plan->view.rows <= FEW ||
	    !canvas_shows_all(h, &plan->view) || rows < (int)plan->view.rows)
		return;
	plan->view.cell_rows2 = 2;
	plan->data.rows = (int)plan->view.rows;
}

/* Returns the plan for the values that fit in so many cells, without labels and bar. Values of one
 * row or less are a column wider than a square if possible, which leaves room for names above them. */
static struct heatmap_plan fit(const struct canvas *c, struct arena *a, const struct heatmap *h,
			       int rows, int cols)
{
	struct heatmap_plan plan;
	struct heatmap bare = *h;
	bare.no_bar = bare.no_rows = bare.no_cols = true;
	canvas_heatmap_plan(c, a, (struct rect){0, 0, rows, cols}, &bare, &plan);
	const int side = plan.view.cell_cols, n = side > 0 ? plan.data.cols / side : 0;
	if (side == plan.view.cell_rows2 && side <= 2 && n * (side + 1) <= cols) {
		plan.view.cell_cols = side + 1;
		plan.data.cols = n * (side + 1);
	}
	make_whole_rows(h, rows, &plan);
	return plan;
}

static bool worth_seeing(const struct heatmap *h, const struct heatmap_plan *plan)
{
	const bool all = plan->view.block == 1 && plan->view.rows == h->values.rows &&
			 plan->view.cols == h->values.cols;
	return all || (plan->data.cols >= SEEN_COLS && plan->data.rows >= SEEN_ROWS);
}

bool equation_has_share(const struct equation_plan *p, size_t i)
{
	return p->e.figure->panels[p->e.panel[i]].operand.share != NULL;
}

bool equation_has_bar(const struct equation_plan *p, size_t i)
{
	return equation_bar(&p->e, p->e.panel[i]) == p->e.panel[i];
}

/* Returns the rows below the matrices of a line. */
static int foot_rows(const struct equation_plan *p, size_t line)
{
	int most = 0;
	for (size_t i = 0; i < p->e.n; i++) {
		const int own = (equation_has_share(p, i) && !p->shares_above) +
				(equation_has_bar(p, i) && !p->bars_aside);
		most = p->e.line[i] == line && own > most ? own : most;
	}
	return most;
}

int equation_heads(const struct equation_plan *p, size_t line)
{
	return line == 0 || p->all_named ? p->heads : 0;
}

/* Returns the rows of names above all lines. */
static int head_rows(const struct equation_plan *p)
{
	return p->heads * (p->all_named ? (int)p->e.lines : 1);
}

static void find_gaps(struct equation_plan *p, struct arena *a)
{
	const struct equation *e = &p->e;
	p->lead = 0;
	memset(p->gap, 0, sizeof p->gap);
	for (size_t i = 0; i < e->n; i++) {
		const int width = sign_width(&e->signs[i], a);
		int *const gap = e->col[i] == 0 ? &p->lead : &p->gap[e->col[i]];
		const int own = equation_begins(e, i) && e->col[i] > 0 ? APART
				: e->col[i] > 0 || width > 0	       ? width + 2
								       : 0;
		*gap = own > *gap ? own : *gap;
	}
	p->lead = p->lead > 1 ? p->lead : 1; /* off the edge */
	const int last = sign_width(&e->signs[e->n], a);
	int *const gap = &p->gap[e->n > 0 ? e->col[e->n - 1] + 1 : 0];
	*gap = last > 0 && last + 2 > *gap ? last + 2 : *gap;
}

static int all_gaps(const struct equation_plan *p)
{
	int sum = 0;
	for (size_t i = 1; i <= p->e.cols; i++)
		sum += p->gap[i];
	return sum;
}

static int room_beside(const struct equation_plan *p, int label)
{
	return (p->r.cols - p->lead - label - 1 - all_gaps(p)) / (int)p->e.cols;
}

static bool has_all_columns(const struct heatmap *h, const struct heatmap_plan *plan)
{
	return plan->view.block == 1 && plan->view.cols == h->values.cols;
}

/* Shortens the labels if this keeps all columns of the values visible. */
static void shorten_labels(struct equation_plan *p, struct arena *a, int rows)
{
	const struct heatmap *h = equation_map(p, 0);
	if (h->by_number)
		return;
	for (int label = p->label; label >= LABEL_LEAST; label--) {
		const struct heatmap_plan plan = fit(p->like, a, h, rows, room_beside(p, label));
		if (!has_all_columns(h, &plan))
			continue;
		p->label = label;
		return;
	}
	p->label = p->label < LABEL_CUT ? p->label : LABEL_CUT;
}

/* Finds the largest values with at most `cols` matrices in a line; false if too few of them are
 * visible. */
static bool size_lines(struct equation_plan *p, struct arena *a, size_t cols)
{
	equation_flow(&p->e, cols);
	find_gaps(p, a);
	const struct heatmap *h = equation_map(p, 0);
	const int digits = (int)canvas_widest(NULL, h->values.rows, SIZE_MAX);
	const int most = p->r.cols / 8 > digits ? p->r.cols / 8 : digits;
	const int widest = (int)canvas_widest(h->row_labels, h->values.rows, LABEL_MOST);
	p->label = h->by_number ? (digits > KEY ? digits : KEY) : widest < most ? widest : most;
	int left = p->r.rows - head_rows(p) - p->spare;
	for (size_t i = 0; i < p->e.lines; i++)
		left -= 1 + foot_rows(p, i);
	const int high = left / (int)p->e.lines;
	if (high < 1)
		return false;
	shorten_labels(p, a, high);
	const int wide = room_beside(p, p->label);
	if (wide < 1)
		return false;
	const struct heatmap_plan plan = fit(p->like, a, h, high, wide);
	p->rows = plan.data.rows;
	p->cols = plan.data.cols;
	/* Rows that share a screen row have a label of a number and a word, if that costs nothing. */
	const int numbered = (int)canvas_shared_widest(h);
	if (plan.view.cell_rows2 == 1 && has_all_columns(h, &plan) && numbered > p->label &&
	    !h->by_number && room_beside(p, numbered) >= p->cols)
		p->label = numbered;
	return worth_seeing(h, &plan);
}

int equation_worth(const struct equation_plan *p)
{
	const int side = p->cols < 2 * p->rows ? p->cols : 2 * p->rows;
	return side * 10000 + p->cols * p->rows;
}

int equation_column(const struct equation_plan *p, size_t col)
{
	int at = p->r.col + p->lead + p->label + 1;
	for (size_t i = 1; i <= col; i++)
		at += p->cols + p->gap[i];
	return at;
}

int equation_line_end(const struct equation_plan *p, size_t line)
{
	int end = 0;
	for (size_t i = 0; i < p->e.n; i++) {
		const bool last = i + 1 == p->e.n;
		const int own = equation_column(p, p->e.col[i]) + p->cols +
				(last ? p->gap[p->e.col[i] + 1] : 0);
		end = p->e.line[i] == line && own > end ? own : end;
	}
	return end;
}

/* Places lines below each other, with a blank row between them if there are rows for it. */
static void place_lines(struct equation_plan *p)
{
	int need = head_rows(p), at = p->r.row;
	for (size_t i = 0; i < p->e.lines; i++)
		need += 1 + p->rows + foot_rows(p, i);
	const int air = p->r.rows - need >= (int)p->e.lines - 1 && p->e.lines > 1;
	for (size_t i = 0; i < p->e.lines; i++) {
		p->top[i] = at;
		at += 1 + equation_heads(p, i) + p->rows + foot_rows(p, i) + air;
	}
	p->end = at;
}

int equation_row(const struct equation_plan *p, size_t line)
{
	return p->top[line] + 1 + equation_heads(p, line);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Returns the columns for the numbers of rows, all columns of the labels if words would be cut to a few letters. */
static int number_cols(const struct heatmap_plan *plan, const struct heatmap *h)
{
	enum { LEAST_WORD = 4 };
	const int digits = (int)canvas_widest(NULL, h->values.rows, (size_t)plan->label_cols);
	const int word = (int)canvas_widest(h->row_labels, h->values.rows, LEAST_WORD);
	const bool alone =
		plan->numbers || plan->view.averaged || plan->label_cols < digits + 1 + word;
	return alone ? plan->label_cols : digits;
}

struct heatmap_plan equation_matrix(const struct canvas *c, const struct equation_plan *p, size_t i,
				    struct arena *a)
{
	const struct heatmap *h = equation_map(p, i);
	const size_t col = p->e.col[i];
	struct heatmap_plan plan = fit(c, a, h, p->rows, p->cols);
	plan.data.row = equation_row(p, p->e.line[i]);
	plan.data.col = equation_column(p, col);
	plan.heads = equation_heads(p, p->e.line[i]);
	plan.named_above = p->heads > 0;
	plan.head_left = plan.data.col - (col == 0 ? p->label : (p->gap[col] - 1) / 2);
	plan.head_right = plan.data.col + plan.data.cols + (p->gap[col + 1] - 1) / 2;
	plan.label_cols = col == 0 ? p->label : 0;
	const bool all = plan.view.block == 1 && plan.view.rows == h->values.rows;
	plan.numbers = all && h->by_number;
	if (!all || h->by_number)
		plan.number_cols = number_cols(&plan, h);
	canvas_name_shared(h, &plan);
	return plan;
}

/* Returns how completely the names of the columns fit into their rows. */
static enum words_fit names_fit(const struct equation_plan *p, struct arena *a)
{
	const struct heatmap_plan plan = equation_matrix(p->like, p, 0, a);
	return canvas_words_fit(a, equation_map(p, 0), &plan, p->heads);
}

int equation_share_cols(const struct equation_plan *p)
{
	int most = 3;
	for (size_t i = 0; i < p->e.n; i++) {
		const char *const share = p->e.figure->panels[p->e.panel[i]].operand.share;
		if (share != NULL && (int)text_width(share) > most)
			most = (int)text_width(share);
	}
	return most + 1;
}

/* Returns the columns of the longest title of a matrix with a share; 0 if none has one. */
static int title_cols(const struct equation_plan *p, bool brief)
{
	enum { STATE = 6 /* " (off)" */ };
	int most = 0;
	for (size_t i = 0; i < p->e.n; i++) {
		const struct panel *const panel = &p->e.figure->panels[p->e.panel[i]];
		const char *const title =
			brief && panel->brief_title != NULL ? panel->brief_title : panel->title;
		const int width = (int)text_width(title) + (panel->off ? STATE : 0);
		if (equation_has_share(p, i) && width > most)
			most = width;
	}
	return most;
}

/* Places the shares below the matrices, or after the longest title; false if they have no room
 * there. Their bars have one length, so that they can be compared. */
static bool place_shares(struct equation_plan *p, struct arena *a)
{
	enum { LEAST_BAR = 3 };
	const int number = equation_share_cols(p);
	const int whole = title_cols(p, false), most = p->cols - number;
	const int title = whole < most ? whole : title_cols(p, true);
	/* Notes are written after the titles instead. */
	if (p->shares_above && (title == 0 || equation_matrix(p->like, p, 0, a).note[0] != NULL))
		return false;
	p->share_at = p->shares_above ? title + 1 : 0;
	p->share_bar = p->cols - p->share_at - number;
	if (p->share_bar >= LEAST_BAR)
		return true;
	p->share_bar = 0;
	return !p->shares_above || p->share_at + number - 1 <= p->cols;
}

/* Rates a plan: one with the curve, if the figure has one, before others; then by the matrices; of
 * equal ones that is better in which every row has its word. */
static int rate(const struct equation_plan *p)
{
	enum { CURVE = 1000000000 };
	const bool half = p->rows < (int)equation_map(p, 0)->values.rows;
	const bool named = !half || equation_map(p, 0)->by_number ||
			   p->label >= (int)canvas_shared_widest(equation_map(p, 0));
	const int whole =
		equation_worth(p) /
		(half ? 1 : 4); /* names beside all rows are worth a quarter of the side */
	return 2 * (half ? whole : 5 * whole) + named + (p->curve.rows > 0 ? CURVE : 0);
}

/* Finds the best plan with `heads` rows of column labels; returns its rate, 0 if there is none. Of
 * equal plans shares and bars below the matrices are better than elsewhere. */
static int solve(const struct equation_plan *from, struct arena *a, int heads,
		 struct equation_plan *best)
{
	const bool curve = equation_panel(from->e.figure, PANEL_CURVES) < from->e.figure->n;
	int most = 0;
	for (int where = 0; where < (curve ? 8 : 4); where++)
		for (size_t cols = from->e.n; cols > 0; cols--) {
			struct equation_plan p = *from;
			p.heads = heads;
			p.shares_above = where & 1;
			p.bars_aside = where & 2;
			p.spare = where & 4 ? FOR_CURVE : 0;
			if (!size_lines(&p, a, cols) || !place_shares(&p, a))
				continue;
			place_lines(&p);
			if (!equation_words(&p) || rate(&p) <= most)
				continue;
			most = rate(&p);
			*best = p;
		}
	return most;
}

/* Returns whether a plan with more rows of names loses at most half of the height, as much as from two
 * rows for a value to one, no value, and no curve. */
static bool nearly_as_good(const struct equation_plan *more, const struct equation_plan *less,
			   struct arena *a)
{
	if (equation_matrix(more->like, more, 0, a).note[0] != NULL &&
	    equation_matrix(less->like, less, 0, a).note[0] == NULL)
		return false;
	return 2 * more->rows >= less->rows && (more->curve.rows > 0) == (less->curve.rows > 0);
}

/* Finds the best plan with names above all lines, or above the first one; of one or two rows. */
static bool solve_names(const struct equation_plan *from, bool all_named, struct arena *a,
			struct equation_plan *best)
{
	struct equation_plan p = *from, two;
	p.all_named = all_named;
	if (solve(&p, a, 1, best) == 0)
		return false;
	if (names_fit(best, a) != WORDS_WHOLE && solve(&p, a, 2, &two) > 0 &&
	    names_fit(&two, a) != WORDS_NOT && nearly_as_good(&two, best, a))
		*best = two;
	return true;
}

/* Finds the best plan of an equation. */
static bool solve_lines(const struct equation_plan *from, struct arena *a,
			struct equation_plan *best)
{
	struct equation_plan all;
	if (!solve_names(from, false, a, best))
		return false;
	if (best->e.lines > 1 && solve_names(from, true, a, &all) && nearly_as_good(&all, best, a))
		*best = all;
	return true;
}

bool equation_solve(const struct canvas *like, const struct figure *f, struct rect r,
		    const bool *on, struct arena *a, struct equation_plan *best)
{
	struct equation_plan p = {.like = like, .r = r}, once;
	equation_of(f, on, a, &p.e);
	const bool found = solve_lines(&p, a, best);
	/* The count of all small terms in one place leaves more room, unless that place is the beginning of a line. */
	if (!equation_gathered(f, on, a, &p.e) || !solve_lines(&p, a, &once) ||
	    (found && rate(&once) < rate(best)))
		return found;
	*best = once;
	return true;
}

size_t equation_panel(const struct figure *f, enum panel_kind kind)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->panels[i].kind == kind && f->panels[i].absent == NULL)
			return i;
	return f->n;
}

/* Returns the first line that has shares; e.lines if there is none. */
static size_t first_share_line(const struct equation_plan *p)
{
	for (size_t i = 0; i < p->e.n; i++)
		if (equation_has_share(p, i))
			return p->e.line[i];
	return p->e.lines;
}

struct rect equation_share_row(const struct equation_plan *p)
{
	const size_t line = first_share_line(p);
	if (line == p->e.lines)
		return (struct rect){0};
	return (struct rect){p->shares_above ? p->top[line] : equation_row(p, line) + p->rows,
			     p->r.col, 1, equation_line_end(p, line) - p->r.col};
}

/* Returns the rectangle of matrix i; a row of titles that the first shares follow belongs to the
 * shares. */
static struct rect matrix_place(const struct equation_plan *p, size_t i)
{
	const size_t line = p->e.line[i];
	const int col = equation_column(p, p->e.col[i]), own = p->e.col[i] == 0 ? p->label + 2 : 1;
	const int from = col - own < p->r.col ? p->r.col : col - own;
	const int top = p->top[line] + (p->shares_above && line == first_share_line(p));
	return (struct rect){top, from, equation_row(p, line) + p->rows - top,
			     col + p->cols - from};
}

void equation_places(const struct equation_plan *p, struct rect *place)
{
	const struct figure *f = p->e.figure;
	const size_t share = equation_panel(f, PANEL_BARS), card = equation_panel(f, PANEL_CARD);
	for (size_t i = 0; i < f->n; i++)
		place[i] = (struct rect){p->r.row, p->r.col, 0, 0};
	for (size_t i = 0; i < p->e.n; i++)
		place[p->e.panel[i]] = matrix_place(p, i);
	const size_t curve = equation_panel(f, PANEL_CURVES);
	if (share < f->n && equation_share_row(p).rows > 0)
		place[share] = equation_share_row(p);
	if (curve < f->n && p->curve.rows > 0)
		place[curve] = p->curve;
	if (card < f->n && p->card.rows > 0)
		place[card] = p->card;
}
