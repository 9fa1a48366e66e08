/* canvas_lead.c: places for the panels of a figure if the text speaks of one of them.
 *
 * This panel has to be well visible: a matrix whole and with its numbers; a card, a table and bars
 * with all their lines; other kinds on half of the figure. If the usual arrangement provides this,
 * it is kept, because it shows related panels together, such as the shares of an equation. Else the
 * panel is at the left, and the others in a column at its right, as wide as possible without loss
 * for the panel; a low panel has the full width, and the others are below. */
#include <string.h>

#include "plot/canvas_arrange.h"
#include "plot/canvas_map.h"
#include "posviz/plot/panel.h"

/* The most rows of a panel of moves. */
enum { MOVES_ROWS = 13 };
enum { SIDE_LEAST = 28, LEAD_LEAST = 50, WORDS_LEAST = 60 };

/* How much of a panel is visible: `seen` tells of a matrix whether all of it is, and with numbers;
 * `side` is the side of a cell, or of the panel. */
struct sight {
	int seen, side;
};

static struct sight sight(struct job *j, size_t panel, struct rect r)
{
	const struct panel *const p = &j->f->panels[panel];
	if (r.rows <= BOX_ROWS || r.cols <= BOX_COLS)
		return (struct sight){0};
	if (!panel_is_map(p))
		return (struct sight){1, 2 * r.rows < r.cols ? 2 * r.rows : r.cols};
	struct heatmap_plan plan;
	const struct heatmap *const h = &p->heatmap;
	const struct rect inner = {.rows = r.rows - BOX_ROWS, .cols = r.cols - BOX_COLS};
	canvas_heatmap_plan(j->like, &j->a, inner, h, &plan);
	const struct heatmap_view *const v = &plan.view;
	const bool all = !v->averaged && v->rows == h->values.rows && v->cols == h->values.cols;
	return (struct sight){2 * all + canvas_has_digits(j->like, h, v),
			      v->cell_rows2 < v->cell_cols ? v->cell_rows2 : v->cell_cols};
}

/* Returns whether a panel is well visible in `place`: a matrix whole and with numbers, a panel of
 * words with all its lines, others on at least half of the figure. */
static bool is_well_seen(struct job *j, size_t panel, struct rect place)
{
	enum { WHOLE_WITH_NUMBERS = 3 };
	const struct panel *const p = &j->f->panels[panel];
	struct rect sum[FIGURE_PANELS] = {0};
	if (panel_is_map(p))
		return sight(j, panel, place).seen == WHOLE_WITH_NUMBERS;
	if (canvas_equation_layout(j->like, j->f, j->r, panel, sum))
		return true;
	const int lines = layout_line_rows(j, p, place.cols);
	if (lines > 0)
		return lines <= place.rows;
	return 2 * place.rows * place.cols >= j->r.rows * j->r.cols;
}

/* Returns the columns for the other panels that cost panel `lead` nothing, at most two fifths; 0 if
 * there are none. */
static int side_cols(struct job *j, size_t lead)
{
	const struct rect r = j->r;
	const struct sight most = sight(j, lead, r);
	for (int cols = 2 * r.cols / 5; cols >= SIDE_LEAST; cols--) {
		const struct rect left = {r.row, r.col, r.rows, r.cols - cols};
		const struct sight s = sight(j, lead, left);
		const bool map = panel_is_map(&j->f->panels[lead]);
		if (left.cols >= (map ? LEAD_LEAST : WORDS_LEAST) &&
		    (!map || (s.seen >= most.seen && 4 * s.side >= 3 * most.side)))
			return cols;
	}
	return 0;
}

/* Places the other panels in `r`; panels without room are left out. */
static void put_others(struct job *j, size_t lead, struct rect r, struct rect *place)
{
	struct figure *const rest = arena_calloc(&j->a, 1, sizeof *rest);
	struct rect at[FIGURE_PANELS] = {0};
	*rest = *j->f;
	rest->n--;
	memmove(rest->panels + lead, rest->panels + lead + 1,
		(rest->n - lead) * sizeof *rest->panels);
	struct job side = {.like = j->like, .f = rest, .a = j->a, .r = r, .whole = true};
	for (size_t i = 0; i < rest->n; i++)
		side.on[i] = true;
	layout_fold(&side, rest->n, at);
	j->a = side.a;
	for (size_t i = 0; i < rest->n; i++)
		place[i + (i >= lead)] = at[i];
}

/* Returns the rows of a panel that is wide and low: moves, and few lines; 0 if it is not, or if it
 * would leave too few rows for the others. */
static int low_rows(struct job *j, const struct panel *p)
{
	enum { OTHERS_LEAST = 12 };
	const int all = j->r.rows - OTHERS_LEAST;
	const int rows = p->kind == PANEL_LINKS ? (all < MOVES_ROWS ? all : MOVES_ROWS)
						: layout_line_rows(j, p, j->r.cols);
	return rows > BOX_ROWS && rows <= all && 2 * rows <= j->r.rows ? rows : 0;
}

static void put(struct job *j, size_t lead, struct rect *place)
{
	const struct rect r = j->r;
	const int low = low_rows(j, &j->f->panels[lead]);
	if (low > 0) {
		place[lead] = (struct rect){r.row, r.col, low, r.cols};
		put_others(j, lead, (struct rect){r.row + low, r.col, r.rows - low, r.cols}, place);
		return;
	}
	const int cols = side_cols(j, lead);
	if (cols > 0)
		put_others(j, lead, (struct rect){r.row, r.col + r.cols - cols, r.rows, cols},
			   place);
	place[lead] = (struct rect){r.row, r.col, r.rows, r.cols - cols};
}

void canvas_layout_lead(const struct canvas *like, const struct figure *f, struct rect r,
			size_t lead, struct rect *place)
{
	canvas_layout(like, f, r, lead, false, place);
	if (lead >= f->n || f->n == 1 || r.rows < 1 || r.cols < 1)
		return;
	struct job j = {.like = like, .f = f, .r = canvas_finding_leave(f, r)};
	arena_init(&j.a);
	if (!is_well_seen(&j, lead, place[lead])) {
		struct rect other[FIGURE_PANELS] = {0};
		put(&j, lead, other);
		const struct sight now = sight(&j, lead, place[lead]),
				   then = sight(&j, lead, other[lead]);
		if (then.seen > now.seen || (then.seen == now.seen && then.side > now.side) ||
		    low_rows(&j, &f->panels[lead]) > 0)
			memcpy(place, other, f->n * sizeof *place);
	}
	arena_release(&j.a);
}
