/* canvas_card.c: words and numbers in a panel: paragraphs, cards, tables, bars.
 *
 * Wrapped text flows onto a scratch canvas as tall as it needs; the panel shows its first rows, and
 * when there are more the last shown row ends with an ellipsis. So a text is cut at a line's end
 * and never without a sign. */
#include <math.h>
#include <string.h>

#include "plot/canvas_in.h"
#include "posviz/num.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"

enum { MOST_ROWS = 80, KEY_COLS = 14, TWO_COLUMNS = 72 };

/* A pen that writes words between two columns, indented where lines continue. */
struct flow {
	struct canvas *c;
	struct arena *a;
	int row, col;
	int left, right; /* a line begins at left and ends before right */
	bool begun;	 /* something stands on this line: a blank goes before the next word */
};

static void flow_break(struct flow *f)
{
	f->row++;
	f->col = f->left;
	f->begun = false;
}

/* Continues at (row, col) as at a line's beginning. */
static void flow_go(struct flow *f, int row, int col)
{
	f->row = row;
	f->col = col;
	f->begun = false;
}

/* A word after `gap` blanks, unless it begins a line. */
static void flow_word(struct flow *f, size_t gap, const char *word, size_t len, unsigned attrs)
{
	const char *text = arena_strndup(f->a, word, len);
	const int room = f->right - f->left;
	int width = (int)text_width(text);
	const int blanks = gap < 4 ? gap > 0 ? (int)gap : 1 : 4;
	if (f->begun && f->col + blanks + width > f->right)
		flow_break(f);
	else if (f->begun)
		f->col += blanks;
	while (width > room) { /* longer than a line */
		size_t used;
		const size_t fits = text_fit(text, (size_t)room, &used);
		if (fits == 0)
			return;
		canvas_text(f->c, f->row, f->col, room, arena_strndup(f->a, text, fits), attrs);
		text += fits;
		width -= (int)used;
		flow_break(f);
	}
	f->col += canvas_text(f->c, f->row, f->col, room, text, attrs);
	f->begun = true;
}

static void flow_text(struct flow *f, const char *text, unsigned attrs)
{
	for (const char *at = text; *at != '\0' && f->right > f->left;) {
		const size_t blanks = strspn(at, " "), len = strcspn(at + blanks, " ");
		if (len > 0)
			flow_word(f, blanks, at + blanks, len, attrs);
		at += blanks + len;
	}
}

static struct flow flow_new(struct arena *a, const struct canvas *like, int cols)
{
	return (struct flow){
		.c = canvas_new(a, MOST_ROWS, cols, like->tier, like->ascii, like->dark),
		.a = a,
		.right = cols};
}

/* Rows used so far. */
static int flow_rows(const struct flow *f)
{
	return f->row + f->begun;
}

/* Copies the first rows into `inner`, with an ellipsis when that is not all. */
static void flow_show(const struct flow *f, struct canvas *c, struct rect inner)
{
	const struct canvas *const from = f->c;
	const int all = flow_rows(f), rows = all < inner.rows ? all : inner.rows;
	int end = 0;
	for (int row = 0; row < rows; row++) {
		end = 0;
		for (int col = 0; col < from->cols; col++) {
			const struct cell *const k = &from->cells[row * from->cols + col];
			if (k->width == 0 || strcmp(k->at, " ") == 0)
				continue;
			canvas_text(c, inner.row + row, inner.col + col, k->width, k->at, k->attrs);
			end = col + k->width;
		}
	}
	if (all <= rows || rows < 1)
		return;
	const int at = end + 2 <= inner.cols ? end + 1 : inner.cols - 1;
	canvas_text(c, inner.row + rows - 1, inner.col + at, 1, c->ascii ? "~" : "…", ATTR_DIM);
}

void canvas_paragraph(struct canvas *c, struct arena *a, struct rect inner, const char *text,
		      unsigned attrs)
{
	if (inner.rows < 1 || inner.cols < 1)
		return;
	struct flow f = flow_new(a, c, inner.cols);
	flow_text(&f, text, attrs);
	flow_show(&f, c, inner);
}

/* ---- cards ---- */

static int key_width(const struct card *card)
{
	int width = 0;
	for (size_t i = 0; i < card->n; i++) {
		const int w = card->lines[i].key != NULL ? (int)text_width(card->lines[i].key) : 0;
		width = w > width ? w : width;
	}
	return width < KEY_COLS ? width : KEY_COLS;
}

/* One line of a card between columns left and right; the value hangs behind its key. */
static void flow_line(struct flow *f, const struct card_line *line, int left, int right, int keys)
{
	const int value = left + (keys > 0 && right - left > keys + 8 ? keys + 2 : 0);
	f->left = left;
	f->right = right;
	flow_go(f, f->row, left);
	if (line->key != NULL && value > left)
		canvas_text_short(f->c, f->a, f->row, left, keys, line->key, ATTR_DIM);
	else if (line->key != NULL)
		flow_text(f, line->key, ATTR_DIM);
	if (value > left) {
		f->left = value;
		flow_go(f, f->row, value);
	}
	if (line->value != NULL)
		flow_text(f, line->value, 0);
	if (line->note != NULL && *line->note != '\0') {
		if (f->begun)
			flow_text(f, "·", ATTR_DIM);
		flow_text(f, line->note, ATTR_DIM);
	}
	flow_break(f);
}

/* Lines [from, to) below each other from row `row` on; the row after them. */
static int flow_lines(struct flow *f, const struct card *card, size_t from, size_t to, int row,
		      int left, int right)
{
	f->row = row;
	for (size_t i = from; i < to && f->row < MOST_ROWS; i++)
		flow_line(f, &card->lines[i], left, right, key_width(card));
	return f->row;
}

/* A formula's signs in ASCII have names: a "?" for each would make it another formula. */
static const char *formula_text(const struct canvas *c, struct arena *a, const char *formula)
{
	static const struct {
		const char *sign, *name;
	} names[] = {{"√", "sqrt "}, {"Σ", "sum "},  {"α", "alpha"}, {"δ", "delta"}, {"π", "pi"},
		     {"σ", "sigma"}, {"ω", "omega"}, {"²", "^2"},    {"∞", "inf"},   {"≥", ">="},
		     {"≤", "<="},    {"→", "->"},    {"∈", " in "},  {"ᵀ", "^T"},    {"·", "*"}};
	const char *const plain = figure_formula(a, formula);
	struct strbuf out;
	if (!c->ascii)
		return plain;
	strbuf_init(&out, a);
	for (const char *at = plain; *at;) {
		size_t i = 0;
		while (i < sizeof names / sizeof *names &&
		       strncmp(at, names[i].sign, strlen(names[i].sign)) != 0)
			i++;
		if (i < sizeof names / sizeof *names) {
			at += strlen(names[i].sign);
			const bool called = *at == '(' && strcmp(names[i].sign, "√") == 0;
			strbuf_add(&out, called ? "sqrt" : names[i].name);
		} else {
			strbuf_add_char(&out, *at++);
		}
	}
	return out.at;
}

/* The whole card for `cols` columns; its lines in two columns when `two`. */
static struct flow flow_card(struct arena *a, const struct canvas *like, const struct card *card,
			     int cols, bool two, bool air)
{
	struct flow f = flow_new(a, like, cols);
	if (card->formula != NULL) {
		f.left = 2; /* a formula that continues is indented */
		flow_text(&f, formula_text(like, a, card->formula), ATTR_BOLD);
		flow_go(&f, f.row + 1 + (air && card->n > 0), 0);
	}
	const int top = f.row;
	if (two) {
		size_t half = (card->n + 1) / 2;
		while (half < card->n && card->lines[half].key == NULL)
			half++;			   /* a continued line stays with its key */
		const int middle = cols * 11 / 20; /* the first lines are the longer ones */
		const int left = flow_lines(&f, card, 0, half, top, 0, middle - 1);
		const int right = flow_lines(&f, card, half, card->n, top, middle + 1, cols);
		f.row = left > right ? left : right;
	} else {
		flow_lines(&f, card, 0, card->n, top, 0, cols);
	}
	f.left = 0;
	f.right = cols;
	flow_go(&f, f.row, 0);
	if (card->about != NULL) {
		f.row += air && f.row > 0;
		flow_text(&f, card->about, ATTR_DIM);
	}
	return f;
}

void canvas_card(struct canvas *c, struct arena *a, struct rect inner, const struct card *card)
{
	if (inner.rows < 1 || inner.cols < 1)
		return;
	struct flow f = {0};
	for (int form = 0; form < 4; form++) { /* from the airiest to the densest */
		const bool two = form >= 2;
		if (two && inner.cols < TWO_COLUMNS)
			break;
		f = flow_card(a, c, card, inner.cols, two, form % 2 == 0);
		if (flow_rows(&f) <= inner.rows)
			break;
	}
	flow_show(&f, c, inner);
}

int canvas_card_rows(struct arena *a, const struct card *card, int cols)
{
	const struct canvas like = {0};
	const struct flow f = flow_card(a, &like, card, cols > 1 ? cols : 1, false, true);
	return flow_rows(&f);
}

/* Writes `text` after " · " if it fits as a whole; false when it does not. */
static bool add_item(struct canvas *c, int row, int *col, int right, bool first, const char *text)
{
	const int width = (int)text_width(text) + (first ? 2 : 3);
	if (*col + width > right)
		return false;
	if (!first)
		canvas_text(c, row, *col + 1, 1, "·", ATTR_DIM);
	*col += first ? 2 : 3;
	*col += canvas_text(c, row, *col, right - *col, text, ATTR_DIM);
	return true;
}

void canvas_card_line(struct canvas *c, struct arena *a, struct rect r, const struct panel *p,
		      bool focus)
{
	const struct card *const card = &p->card;
	if (r.rows < 1 || r.cols < 1)
		return;
	const int right = r.col + r.cols;
	unsigned attrs = focus ? ATTR_BOLD | ATTR_ACCENT : ATTR_BOLD;
	if (focus && c->tier == TIER_MONO)
		attrs |= ATTR_REVERSE;
	const char *const title = p->title != NULL ? p->title : "";
	int col = r.col + canvas_text_short(c, a, r.row, r.col, r.cols, title, attrs);
	bool first = true, all = true;
	if (p->note != NULL && *p->note != '\0') {
		all = add_item(c, r.row, &col, right - 2, first, p->note);
		first = !all;
	}
	for (size_t i = 0; all && i < card->n; i++) {
		if (card->lines[i].value == NULL)
			continue;
		all = add_item(c, r.row, &col, right - 2, first, card->lines[i].value);
		first = first && !all;
	}
	if (!all && col + 2 <= right)
		canvas_text(c, r.row, col + 1, 1, c->ascii ? "~" : "…", ATTR_DIM);
	if (r.rows < 2 || card->formula == NULL)
		return;
	const int row = r.row + (r.rows > 2 ? 2 : 1);
	canvas_text_short(c, a, row, r.col, r.cols, formula_text(c, a, card->formula), ATTR_BOLD);
}

/* ---- bars ---- */

/* A bar from column `from` to `to` (may be fractions), in eighths of a column at its right end. */
static void draw_one_bar(struct canvas *c, int row, double from, double to, int base)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const uint32_t fg = canvas_series(c, 0);
	const int first = (int)lround(from);
	const int whole = c->ascii ? (int)lround(to) : (int)floor(to + 1e-9);
	for (int col = first; col < whole; col++)
		canvas_put(c, row, base + col, c->ascii ? "#" : "█", 0, fg, CELL_DEFAULT);
	const int rest = (int)((to - whole) * 8);
	if (!c->ascii && whole >= first && rest > 0 && rest < 8)
		canvas_put(c, row, base + whole, eighths[rest], 0, fg, CELL_DEFAULT);
}

static void bars_range(const struct bars *b, double *lo, double *hi)
{
	*lo = *hi = 0;
	for (size_t i = 0; i < b->n; i++) {
		if (!isfinite(b->values[i]))
			continue;
		*lo = b->values[i] < *lo ? b->values[i] : *lo;
		*hi = b->values[i] > *hi ? b->values[i] : *hi;
	}
	if (*hi - *lo <= 0)
		*hi = *lo + 1;
}

static void more_rows(struct canvas *c, struct arena *a, struct rect inner, size_t hidden)
{
	canvas_text_short(c, a, inner.row + inner.rows - 1, inner.col, inner.cols,
			  arena_printf(a, "%s %zu more", c->ascii ? "~" : "…", hidden), ATTR_DIM);
}

void canvas_bars(struct canvas *c, struct arena *a, struct rect inner, const struct bars *b)
{
	if (inner.rows < 1 || inner.cols < 1)
		return;
	int label = 0;
	for (size_t i = 0; i < b->n; i++) {
		const int w = (int)text_width(b->labels[i]);
		label = w > label ? w : label;
	}
	label = label < inner.cols / 3 ? label : inner.cols / 3;
	const int number = 9, plot = inner.cols - label - 1 - number;
	double lo, hi;
	bars_range(b, &lo, &hi);
	const bool unit = b->unit != NULL && *b->unit != '\0' && inner.rows > 2;
	const size_t room = (size_t)(inner.rows - unit);
	const size_t n = b->n <= room ? b->n : room - 1;
	const char **const labels =
		text_labels(a, b->labels, b->n, (size_t)(label > 0 ? label : 1), c->ascii);
	for (size_t i = 0; i < n; i++) {
		const int row = inner.row + (int)i, base = inner.col + label + 1;
		const double v = b->values[i], scale = (plot > 0 ? plot : 0) / (hi - lo);
		char text[32];
		canvas_text_right(c, a, row, inner.col + label, label, labels[i], 0);
		if (!isfinite(v)) {
			canvas_text(c, row, base, inner.col + inner.cols - base, "!", ATTR_REVERSE);
			continue;
		}
		if (plot > 0)
			draw_one_bar(c, row, ((v < 0 ? v : 0) - lo) * scale,
				     ((v < 0 ? 0 : v) - lo) * scale, base);
		num_show(text, sizeof text, v, 3);
		canvas_text_right(c, a, row, inner.col + inner.cols, number - 1, text, 0);
	}
	if (n < b->n)
		more_rows(c, a, (struct rect){inner.row, inner.col, (int)room, inner.cols},
			  b->n - n);
	if (unit)
		canvas_text_right(c, a, inner.row + inner.rows - 1, inner.col + inner.cols,
				  inner.cols, b->unit, ATTR_DIM);
}

/* ---- tables ---- */

/* Widths of the columns, the widest narrowed until all fit with two blanks between. */
static int *column_widths(struct arena *a, const struct table *t, int cols)
{
	int *const width = arena_calloc(a, t->cols, sizeof *width);
	int sum = 2 * (int)(t->cols - 1);
	for (size_t j = 0; j < t->cols; j++) {
		width[j] = t->head != NULL ? (int)text_width(t->head[j]) : 0;
		for (size_t i = 0; i < t->rows; i++) {
			const int w = (int)text_width(t->cells[i * t->cols + j]);
			width[j] = w > width[j] ? w : width[j];
		}
		sum += width[j];
	}
	while (sum > cols) {
		size_t most = 0;
		for (size_t j = 1; j < t->cols; j++)
			most = width[j] > width[most] ? j : most;
		if (width[most] <= 1)
			break;
		width[most]--;
		sum--;
	}
	return width;
}

static void table_row(struct canvas *c, struct arena *a, struct rect inner, int row,
		      const struct table *t, const int *width, const char *const *cells,
		      unsigned attrs)
{
	int col = inner.col;
	for (size_t j = 0; j < t->cols; j++) {
		const int left = inner.col + inner.cols - col;
		const int w = width[j] < left ? width[j] : left;
		if (t->right != NULL && t->right[j])
			canvas_text_right(c, a, row, col + w, w, cells[j], attrs);
		else
			canvas_text_short(c, a, row, col, w, cells[j], attrs);
		col += width[j] + 2;
	}
}

void canvas_table(struct canvas *c, struct arena *a, struct rect inner, const struct table *t)
{
	if (inner.rows < 1 || inner.cols < 1 || t->cols == 0)
		return;
	const struct rect area = {inner.row, inner.col + 2, inner.rows, inner.cols - 2};
	const struct rect at = t->has_cursor ? area : inner; /* room for the mark of the row */
	const int *const width = column_widths(a, t, at.cols);
	const int head = t->head != NULL && inner.rows > 1;
	if (head)
		table_row(c, a, at, inner.row, t, width, t->head, ATTR_DIM);
	size_t room = (size_t)(inner.rows - head), first = 0;
	const bool part = t->rows > room && room > 1;
	room -= part;
	const size_t n = t->rows < room ? t->rows : room;
	if (t->has_cursor && t->row >= n / 2 && t->rows > n)
		first = t->row - n / 2 < t->rows - n ? t->row - n / 2 : t->rows - n;
	for (size_t i = 0; i < n; i++) {
		const bool here = t->has_cursor && first + i == t->row;
		const int row = inner.row + head + (int)i;
		if (here)
			canvas_text(c, row, inner.col, 1, c->ascii ? ">" : "▸",
				    ATTR_BOLD | ATTR_ACCENT);
		table_row(c, a, at, row, t, width, t->cells + (first + i) * t->cols,
			  here ? ATTR_BOLD | ATTR_ACCENT : 0);
	}
	if (part)
		canvas_text_short(c, a, inner.row + inner.rows - 1, at.col, at.cols,
				  arena_printf(a, "rows %zu%s%zu of %zu", first + 1,
					       c->ascii ? "-" : "–", first + n, t->rows),
				  ATTR_DIM);
}
