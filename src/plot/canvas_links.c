/* canvas_links.c: two rows of words with lines between them: how tokens moved.
 *
 * Both rows stand in the same columns, one slot for each place, so that a token that stayed has an
 * upright line. Where the words have no room a window around the cursor shows them; where there are
 * far more tokens than that, lines between two rulers, a column a token; and where there are no rows
 * for lines, a list names the tokens that moved. A moved token is bold and its line solid, a quiet one
 * is dim and dotted, the cursor's is underlined and its line double: colour only helps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/canvas_in.h"
#include "posviz/scale.h"
#include "posviz/text.h"

enum rank { RANK_NONE, RANK_QUIET, RANK_STRONG, RANK_CURSOR };
enum {
	LIST_ROWS = 3,	 /* up to this many rows there is only a list */
	LEAST_SLOT = 3,	 /* columns a shortened word needs, with its gap ... */
	GOOD_SLOT = 5,	 /* ... and with which it can be read */
	USUAL_SLOT = 8,	 /* of a word in a window */
	MOST_LINES = 10, /* rows of lines: more only makes them steeper */
	NUMBER_ROWS = 8, /* from here on the places are written out */
	TITLE_GAP = 2,
	EDGE = 2 /* columns for the sign that a window is cut */
};

struct knots {
	uint8_t mask; /* bit y * sx + x */
	uint8_t rank;
	char glyph; /* in ASCII */
	size_t colour;
};

struct web {
	struct canvas *c;
	struct arena *a;
	const struct links *l;
	size_t *colour; /* of each link: moved tokens take the series' colours in turn */
	size_t n;	/* places: the longer row's */
	int titles;	/* columns of the row titles with their gap, 0: none */
	struct rect inner, lines;
	bool words, apart;
	size_t first, shown;
	int slot;   /* columns a place takes */
	int left;   /* where the first shown place begins */
	int sx, sy; /* dots per cell */
	struct knots *knots;
};

static enum rank rank_of(const struct links *l, const struct link *k)
{
	if (l->has_cursor && k->to == l->cursor)
		return RANK_CURSOR;
	return k->strong ? RANK_STRONG : RANK_QUIET;
}

/* The link that ends at place i of a row, or NULL. */
static const struct link *link_at(const struct links *l, bool below, size_t i)
{
	for (size_t k = 0; k < l->n; k++)
		if ((below ? l->links[k].to : l->links[k].from) == i)
			return &l->links[k];
	return NULL;
}

static unsigned word_attrs(enum rank rank, bool strong)
{
	if (rank == RANK_CURSOR)
		return ATTR_ACCENT | ATTR_UNDERLINE | (strong ? ATTR_BOLD : 0);
	return rank == RANK_STRONG ? ATTR_BOLD : ATTR_DIM;
}

/* ---- the list ---- */

static const char *list_item(const struct web *w, const struct link *k)
{
	const char *const word = k->to < w->l->n_below ? w->l->below[k->to] : "";
	return arena_printf(w->a, "%s %zu→%zu",
			    text_shorten(w->a, word, (size_t)w->inner.cols / 2, w->c->ascii),
			    k->from + 1, k->to + 1);
}

/* "cat 2→5   dog 5→2": the tokens that moved, in their new order; the rest is counted. */
static void draw_list(const struct web *w)
{
	const int right = w->inner.col + w->inner.cols, bottom = w->inner.row + w->inner.rows;
	int row = w->inner.row, col = w->inner.col;
	size_t moved = 0, written = 0;
	for (size_t k = 0; k < w->l->n; k++)
		moved += w->l->links[k].strong;
	if (moved == 0)
		canvas_text_short(w->c, w->a, row, col, w->inner.cols, "no token moved", ATTR_DIM);
	for (size_t i = 0; i < w->l->n_below; i++) {
		const struct link *const k = link_at(w->l, true, i);
		if (k == NULL || !k->strong)
			continue;
		const char *const item = list_item(w, k);
		const int width = (int)text_width(item);
		const int rest =
			written + 1 < moved && row + 1 == bottom ? 10 : 0; /* "… 12 more" */
		if (col > w->inner.col && col + width + rest > right && row + 1 < bottom) {
			row++;
			col = w->inner.col;
		}
		if (col > w->inner.col && col + width + rest > right)
			break;
		const unsigned attrs = word_attrs(rank_of(w->l, k), true);
		col += canvas_text_short(w->c, w->a, row, col, right - col, item, attrs) + 3;
		written++;
	}
	if (written < moved)
		canvas_text_short(w->c, w->a, row, col, right - col,
				  arena_printf(w->a, "… %zu more", moved - written), ATTR_DIM);
}

/* ---- places ---- */

/* Columns of the widest word, at most those there are. */
static size_t widest(const struct web *w)
{
	const struct links *const l = w->l;
	const size_t most = (size_t)w->inner.cols;
	const size_t above = l->n_above > 0 ? canvas_widest(l->above, l->n_above, most) : 0;
	const size_t below = l->n_below > 0 ? canvas_widest(l->below, l->n_below, most) : 0;
	return above > below ? above : below;
}

static const char *given(const char *text)
{
	return text != NULL ? text : "";
}

/* Decides what is shown, and where, in `cols` columns from `left`. */
static void plan_places(struct web *w, int left, int cols)
{
	const int word = (int)widest(w), least = word < LEAST_SLOT ? word + 1 : LEAST_SLOT;
	const size_t fit = (size_t)(cols / least);
	w->left = left;
	w->shown = w->n;
	w->words = true;
	if (w->n <= fit) {
		const int room = cols / (int)w->n;
		w->slot = room < word + 2 ? room : word + 2;
	} else if (w->l->has_cursor && w->n <= 2 * fit && cols > USUAL_SLOT + 2 * EDGE) {
		const int slot = word + 1 < USUAL_SLOT ? word + 1 : USUAL_SLOT;
		w->slot = slot;
		w->shown = (size_t)((cols - 2 * EDGE) / slot);
		w->left = left + EDGE;
	} else {
		w->words = false;
		w->slot = cols >= (int)w->n ? cols / (int)w->n : 1;
		w->shown = cols >= (int)w->n ? w->n : (size_t)cols;
	}
	const size_t half = w->shown / 2, last = w->n - w->shown;
	const size_t cursor = w->l->has_cursor ? w->l->cursor : 0;
	w->first = cursor < half ? 0 : cursor - half < last ? cursor - half : last;
}

static void plan(struct web *w)
{
	const int above = (int)text_width(given(w->l->above_title));
	const int below = (int)text_width(given(w->l->below_title));
	const int title = above > below ? above : below, cols = w->inner.cols;
	w->titles = title > 0 ? title + TITLE_GAP : 0;
	/* Words that can be read are worth more than titles beside them. */
	const int word = (int)widest(w) + 1, good = word < GOOD_SLOT ? word : GOOD_SLOT;
	if (w->titles > cols / 4 || (w->inner.rows >= NUMBER_ROWS && (size_t)cols >= 3 * w->n))
		w->titles = (int)w->n * good <= cols - w->titles ? w->titles : 0;
	plan_places(w, w->inner.col + w->titles, cols - w->titles);
	/* A row more at both ends, for the places, or for titles that have no room at the left. */
	w->apart = w->inner.rows >= NUMBER_ROWS && (w->titles > 0 ? w->words : title > 0);
	const int rows = w->inner.rows - 2 - 2 * w->apart;
	w->lines = (struct rect){w->inner.row + 1 + w->apart, w->inner.col + w->titles,
				 rows < MOST_LINES ? rows : MOST_LINES, cols - w->titles};
}

/* The middle of place i, in columns. */
static double middle(const struct web *w, size_t i)
{
	const double from = w->left + ((double)i - (double)w->first) * w->slot;
	return from + (w->slot - 1) / 2 + 0.5;
}

/* ---- lines ---- */

static struct knots *knot_at(const struct web *w, int row, int col)
{
	const bool inside = row >= 0 && row < w->lines.rows && col >= 0 && col < w->lines.cols;
	return inside ? &w->knots[row * w->lines.cols + col] : NULL;
}

/* A higher rank takes the whole cell from a lower one, as one cell has one colour. */
static struct knots *claim(const struct web *w, int row, int col, enum rank rank, size_t colour)
{
	struct knots *const k = knot_at(w, row, col);
	if (k == NULL || k->rank > rank)
		return NULL;
	if (k->rank < rank)
		k->mask = 0;
	k->rank = (uint8_t)rank;
	k->colour = colour;
	return k;
}

static void dot_line(const struct web *w, double xa, double xb, enum rank rank, size_t colour)
{
	const int bottom = w->lines.rows * w->sy;
	const int ends[] = {(int)floor((xa - w->lines.col) * w->sx),
			    (int)floor((xb - w->lines.col) * w->sx)};
	const int dx = ends[1] - ends[0];
	const int steps = abs(dx) > bottom - 1 ? abs(dx) : bottom - 1;
	for (int i = 0; i <= steps; i++) {
		const double f = steps > 0 ? (double)i / steps : 0;
		const int y = (int)lround(f * (bottom - 1)), at = ends[0] + (int)lround(f * dx);
		if (rank == RANK_QUIET && i % 2 == 1)
			continue;
		for (int x = at; x <= at + (rank == RANK_CURSOR); x++) {
			struct knots *const k =
				claim(w, y / w->sy, (int)floor((double)x / w->sx), rank, colour);
			if (k != NULL)
				k->mask |= (uint8_t)(1u << (y % w->sy * w->sx + x % w->sx));
		}
	}
}

/* In ASCII a line is a stair: level strokes, and one that goes down at the end of each row. */
static void stair_line(const struct web *w, double xa, double xb, enum rank rank, size_t colour)
{
	for (int row = 0; row < w->lines.rows; row++) {
		const double step = (xb - xa) / w->lines.rows;
		const int from = (int)floor(xa + step * row) - w->lines.col;
		const int to = (int)floor(xa + step * (row + 1)) - w->lines.col;
		const int way = to > from ? 1 : -1;
		for (int col = from;; col += way) {
			struct knots *const k = claim(w, row, col, rank, colour);
			const char quiet = from == to ? ':' : '.';
			const char strong = from == to	? '|'
					    : col != to ? '-'
					    : way > 0	? '\\'
							: '/';
			if (k != NULL)
				k->glyph = rank == RANK_QUIET ? quiet : strong;
			if (col == to)
				break;
		}
	}
}

static void glyph_of(const struct web *w, const struct knots *k, char *out)
{
	static const char *const quarters[] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
					       "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};
	if (w->c->ascii) {
		out[0] = k->glyph;
		out[1] = '\0';
	} else if (w->c->quadrants) {
		strcpy(out, quarters[k->mask & 15]);
	} else { /* braille numbers its dots down the columns, the lowest row last */
		uint32_t code = 0x2800;
		for (unsigned y = 0; y < 4; y++)
			for (unsigned x = 0; x < 2; x++)
				if (k->mask >> (2 * y + x) & 1u)
					code |= y < 3 ? 1u << (y + 3 * x) : 64u << x;
		out[text_encode(out, code)] = '\0';
	}
}

static void draw_lines(struct web *w)
{
	const size_t cells = (size_t)w->lines.rows * (size_t)w->lines.cols;
	w->knots = arena_calloc(w->a, cells, sizeof *w->knots);
	for (enum rank rank = RANK_QUIET; rank <= RANK_CURSOR; rank++)
		for (size_t i = 0; i < w->l->n; i++) {
			const struct link *const k = &w->l->links[i];
			if (rank_of(w->l, k) != rank)
				continue;
			(w->c->ascii ? stair_line : dot_line)(w, middle(w, k->from),
							      middle(w, k->to), rank, w->colour[i]);
		}
	for (size_t i = 0; i < cells; i++) {
		const struct knots *const k = &w->knots[i];
		if (k->rank == RANK_NONE)
			continue;
		char glyph[8];
		glyph_of(w, k, glyph);
		const bool quiet = k->rank == RANK_QUIET || k->colour == SIZE_MAX;
		canvas_put(w->c, w->lines.row + (int)i / w->lines.cols,
			   w->lines.col + (int)i % w->lines.cols, glyph,
			   k->rank == RANK_CURSOR ? ATTR_BOLD
			   : quiet		  ? ATTR_DIM
						  : 0,
			   quiet ? CELL_DEFAULT : canvas_series(w->c, k->colour), CELL_DEFAULT);
	}
}

/* ---- words and numbers ---- */

/* Attributes and colour of what stands at place i of a row. */
static unsigned look_at(const struct web *w, bool below, size_t i, uint32_t *fg)
{
	const struct link *const k = link_at(w->l, below, i);
	const size_t colour = k != NULL ? w->colour[k - w->l->links] : SIZE_MAX;
	*fg = colour != SIZE_MAX ? canvas_series(w->c, colour) : CELL_DEFAULT;
	return k != NULL ? word_attrs(rank_of(w->l, k), k->strong) : ATTR_DIM;
}

static void put_middle(const struct web *w, int row, size_t i, const char *text, unsigned attrs,
		       uint32_t fg)
{
	const int right = w->inner.col + w->inner.cols, width = (int)text_width(text);
	int col = (int)floor(middle(w, i)) - (width - 1) / 2;
	col = col > right - width ? right - width : col;
	col = col < w->inner.col ? w->inner.col : col;
	canvas_text_colour(w->c, row, col, right - col, text, attrs, fg, CELL_DEFAULT);
}

/* Shortened words; a token has one name in both rows, with its place as written when it needs one. */
static const char **words_of(const struct web *w, bool below)
{
	const struct links *const l = w->l;
	const size_t room = w->slot > 1 ? (size_t)w->slot - 1 : 1;
	const char **const above = canvas_short_words(w->c, w->a, l->above, l->n_above, 0, room);
	if (!below)
		return above;
	const char **const text = canvas_short_words(w->c, w->a, l->below, l->n_below, 0, room);
	for (size_t k = 0; k < l->n; k++)
		if (strcmp(l->above[l->links[k].from], l->below[l->links[k].to]) == 0)
			text[l->links[k].to] = above[l->links[k].from];
	return text;
}

static void draw_words(const struct web *w, bool below, int row)
{
	const size_t n = below ? w->l->n_below : w->l->n_above;
	const size_t end = w->first + w->shown < n ? w->first + w->shown : n;
	const char **const text = words_of(w, below);
	for (size_t i = w->first; i < end; i++) {
		uint32_t fg;
		const unsigned attrs = look_at(w, below, i, &fg);
		put_middle(w, row, i, text[i], attrs, fg);
	}
	const char *const more = w->c->ascii ? "~" : "…";
	if (w->first > 0)
		canvas_text(w->c, row, w->left - EDGE, 1, more, ATTR_DIM);
	if (end < n)
		canvas_text(w->c, row, w->inner.col + w->inner.cols - 1, 1, more, ATTR_DIM);
}

/* The places above; below, the places where the tokens were: the order as it is written. */
static void draw_numbers(const struct web *w, bool below, int row)
{
	const size_t n = below ? w->l->n_below : w->l->n_above;
	canvas_text_short(w->c, w->a, row, w->inner.col, w->titles - TITLE_GAP,
			  below ? "order" : "place", ATTR_DIM);
	for (size_t i = w->first; i < w->first + w->shown && i < n; i++) {
		const struct link *const k = link_at(w->l, true, i);
		if (below && k == NULL)
			continue;
		const char *const text = arena_printf(w->a, "%zu", (below ? k->from : i) + 1);
		if ((int)text_width(text) >= w->slot)
			continue;
		put_middle(w, row, i, text, below && k->strong ? ATTR_BOLD : ATTR_DIM,
			   CELL_DEFAULT);
	}
}

/* Numbers at round places; the cursor's word takes the place of those in its way. */
static void draw_ruler(const struct web *w, bool below, int row)
{
	enum { TICKS = 12 };
	const struct link *const k = w->l->has_cursor ? link_at(w->l, true, w->l->cursor) : NULL;
	const size_t n = below ? w->l->n_below : w->l->n_above;
	const size_t end = w->first + w->shown < n ? w->first + w->shown : n;
	int from = w->inner.col + w->inner.cols,
	    to = -1; /* the word's, with a blank on both sides */
	if (w->first >= end)
		return;
	if (k != NULL && (below ? k->to : k->from) - w->first < end - w->first) {
		const size_t at = below ? k->to : k->from;
		const char *const *const words = below ? w->l->below : w->l->above;
		const char *const word = text_shorten(w->a, words[at], USUAL_SLOT, w->c->ascii);
		const int width = (int)text_width(word);
		uint32_t fg;
		const unsigned attrs = look_at(w, below, at, &fg);
		put_middle(w, row, at, word, attrs, fg);
		from = (int)floor(middle(w, at)) - (width - 1) / 2 - 1;
		const int most = w->inner.col + w->inner.cols - width - 1;
		from = from > most ? most : from;
		to = from + width + 1;
	}
	double ticks[TICKS];
	const size_t most = (size_t)(w->lines.cols / 8);
	const size_t count = scale_ticks_integer((double)w->first + 1, (double)end,
						 most < 2	? 2
						 : most < TICKS ? most
								: TICKS,
						 ticks);
	for (size_t i = 0; i < count; i++) {
		const char *const text = arena_printf(w->a, "%.0f", ticks[i]);
		const int width = (int)text_width(text);
		const int col = (int)floor(middle(w, (size_t)ticks[i] - 1)) - (width - 1) / 2;
		if (col <= to && col + width > from)
			continue;
		put_middle(w, row, (size_t)ticks[i] - 1, text, ATTR_DIM, CELL_DEFAULT);
	}
}

static void draw_title(const struct web *w, bool below, int row)
{
	const char *const title = below ? w->l->below_title : w->l->above_title;
	const int cols = w->titles > 0 ? w->titles - TITLE_GAP : w->inner.cols;
	canvas_text_short(w->c, w->a, row, w->inner.col, cols, given(title), ATTR_DIM);
}

static void draw_row(const struct web *w, bool below, int row)
{
	if (w->titles > 0)
		draw_title(w, below, row);
	(w->words ? draw_words : draw_ruler)(w, below, row);
}

static size_t *series_of(struct arena *a, const struct links *l)
{
	size_t *const colour = arena_calloc(a, l->n + 1, sizeof *colour);
	size_t next = 0;
	for (size_t i = 0; i < l->n; i++)
		colour[i] = l->links[i].strong ? next++ : SIZE_MAX;
	return colour;
}

void canvas_links(struct canvas *c, struct arena *a, struct rect inner, const struct links *l)
{
	struct web w = {.c = c, .a = a, .l = l, .inner = inner, .sx = 2, .sy = 4};
	w.n = l->n_above > l->n_below ? l->n_above : l->n_below;
	if (inner.rows < 1 || inner.cols < 1 || w.n == 0)
		return;
	if (inner.rows <= LIST_ROWS || inner.cols < LEAST_SLOT) {
		draw_list(&w);
		return;
	}
	w.sy = c->quadrants ? 2 : 4;
	w.colour = series_of(a, l);
	plan(&w);
	const int under = w.lines.row + w.lines.rows;
	draw_lines(&w);
	draw_row(&w, false, w.lines.row - 1);
	draw_row(&w, true, under);
	if (!w.apart)
		return;
	(w.titles > 0 ? draw_numbers : draw_title)(&w, false, inner.row);
	(w.titles > 0 ? draw_numbers : draw_title)(&w, true, under + 1);
}
