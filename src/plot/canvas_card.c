/* canvas_card.c: words and numbers in a panel: paragraphs, cards, bars.
 *
 * Wrapped text flows onto a scratch canvas as tall as it needs; the panel shows its first rows, and
 * when there are more the last shown row ends with an ellipsis. So a text is cut at a line's end
 * and never without a sign. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "plot/canvas_in.h"
#include "posviz/num.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"

enum { MOST_ROWS = 80, KEY_COLS = 14, TWO_COLUMNS = 72 };
enum { BARS_LEAST = 30, BARS_GAP = 3 }; /* columns of bars that stand beside others */

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
		const size_t blanks = strspn(at, " ");
		size_t len = strcspn(at + blanks, " ");
		if (strncmp(at + blanks + len, " %", 2) == 0) /* stays with its number */
			len += 1 + strcspn(at + blanks + len + 1, " ");
		if (len > 0)
			flow_word(f, blanks, at + blanks, len, attrs);
		at += blanks + len;
	}
}

/* Text of items parted by " · ": one that has no room on this line begins the next, unless it would
 * not fit there either. */
static void flow_items(struct flow *f, const char *text, unsigned attrs)
{
	static const char dot[] = " · ";
	for (const char *at = text; *at != '\0';) {
		const char *const end = strstr(at, dot);
		const size_t len = end != NULL ? (size_t)(end - at) + sizeof dot - 2 : strlen(at);
		const char *const item = arena_strndup(f->a, at, len);
		const int width = (int)text_width(item);
		if (f->begun && f->col + 1 + width > f->right && width <= f->right - f->left)
			flow_break(f);
		flow_text(f, item, attrs);
		at += len + (end != NULL);
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
	const int all = flow_rows(f), most = from->rows < inner.rows ? from->rows : inner.rows;
	const int rows = all < most ? all : most;
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

/* The column of the keys is as wide as they are, up to two fifths of the line. */
static int key_width(const struct card *card, int cols)
{
	int width = 0;
	const int most = cols * 2 / 5 > KEY_COLS ? cols * 2 / 5 : KEY_COLS;
	for (size_t i = 0; i < card->n; i++) {
		const int w = card->lines[i].key != NULL ? (int)text_width(card->lines[i].key) : 0;
		width = w > width ? w : width;
	}
	return width < most ? width : most;
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
		const bool items = strstr(line->note, " · ") != NULL;
		(items ? flow_items : flow_text)(f, line->note, ATTR_DIM);
	}
	flow_break(f);
}

/* Lines [from, to) below each other from row `row` on; the row after them. */
static int flow_lines(struct flow *f, const struct card *card, size_t from, size_t to, int row,
		      int left, int right)
{
	f->row = row;
	for (size_t i = from; i < to && f->row < MOST_ROWS; i++)
		flow_line(f, &card->lines[i], left, right, key_width(card, right - left));
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

/* The airiest form that fits, else the densest. */
static struct flow fit_card(struct arena *a, const struct canvas *c, const struct card *card,
			    struct rect inner)
{
	struct flow f = {0};
	for (int form = 0; form < 4; form++) {
		const bool two = form >= 2;
		if (two && inner.cols < TWO_COLUMNS)
			break;
		f = flow_card(a, c, card, inner.cols, two, form % 2 == 0);
		if (flow_rows(&f) <= inner.rows)
			break;
	}
	return f;
}

void canvas_card(struct canvas *c, struct arena *a, struct rect inner, const struct card *card)
{
	if (inner.rows < 1 || inner.cols < 1)
		return;
	struct flow f = fit_card(a, c, card, inner);
	if (flow_rows(&f) > inner.rows && card->n_spare > 0) {
		struct card less = *card;
		less.n -= less.n_spare;
		f = fit_card(a, c, &less, inner);
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

/* Words say what they are of; a number, "no" and "n/a" need their name. */
static const char *named(struct arena *a, const struct card_line *line)
{
	enum { WORD = 4 };
	size_t letters = 0;
	for (const char *at = line->value; *at != '\0' && letters < WORD; at++)
		letters = isalpha((unsigned char)*at) ? letters + 1 : 0;
	return letters < WORD && line->key != NULL
		       ? arena_printf(a, "%s %s", line->key, line->value)
		       : line->value;
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
		all = add_item(c, r.row, &col, right - 2, first, named(a, &card->lines[i]));
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

struct chart {
	struct canvas *c;
	struct arena *a;
	const struct bars *b;
	struct rect inner;
	const char *const *labels; /* whole */
	int mark, label, plot;	   /* columns: of the cursor's mark, the labels, the bars */
	int value, off;		   /* of the values, and of the word "off" */
	double lo, hi;
};

static const char *value_text(const struct chart *t, size_t i)
{
	char text[32];
	if (t->b->notes != NULL)
		return t->b->notes[i] != NULL ? t->b->notes[i] : "";
	return arena_strdup(t->a, num_show(text, sizeof text, t->b->values[i], 3));
}

static bool is_off(const struct bars *b, size_t i)
{
	return b->off != NULL && b->off[i];
}

/* Divides the columns: values first, then labels, up to a third; the bars get what is left. */
static void plan_bars(struct chart *t)
{
	const struct bars *const b = t->b;
	const int cols = t->inner.cols;
	t->labels = b->labels;
	if (t->labels == NULL) {
		const char **const numbers = arena_calloc(t->a, b->n, sizeof *numbers);
		for (size_t i = 0; i < b->n; i++)
			numbers[i] = arena_printf(t->a, "%zu", i + 1);
		t->labels = numbers;
	}
	for (size_t i = 0; i < b->n; i++) {
		const double v = isfinite(b->values[i]) ? b->values[i] : 0;
		const int w = (int)text_width(value_text(t, i));
		t->value = w > t->value ? w : t->value;
		t->off = is_off(b, i) ? 4 : t->off;
		t->lo = fmin(t->lo, v);
		t->hi = fmax(t->hi, v);
	}
	t->hi = t->hi > t->lo ? t->hi : t->lo + 1;
	t->value = t->value < cols / 2 ? t->value : cols / 2;
	t->off = cols < 16 ? 0 : t->off;
	t->mark = b->has_cursor && cols >= 8 ? 2 : 0;
	const int widest = (int)canvas_widest(t->labels, b->n, (size_t)cols);
	const int rest = cols - t->mark - t->value - 2 - t->off;
	const int most = rest - 1 < 2 * widest ? rest * 3 / 5 : widest;
	t->label = widest < most ? widest : most > 1 ? most : 1;
	t->plot = rest - t->label - 1;
}

/* `length` columns to the right from `col` on, in eighths; to the left in halves. What is off is
 * hatched. */
static void draw_one_bar(const struct chart *t, int row, int col, double length, bool off)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const bool left = length < 0, coarse = t->c->ascii || off;
	const double size = fabs(length);
	int whole = coarse ? (int)lround(size) : (int)floor(size + 1e-9);
	const int rest = coarse ? 0 : (int)((size - whole) * 8);
	if (size > 0 && whole == 0 && (coarse || rest == 0))
		whole = coarse ? 1 : 0;
	const char *const full = off ? (t->c->ascii ? "." : "░") : t->c->ascii ? "#" : "█";
	const uint32_t fg = off ? CELL_DEFAULT : canvas_series(t->c, left ? 1 : 0);
	const unsigned attrs = off ? ATTR_DIM : 0;
	for (int i = 0; i < whole; i++)
		canvas_put(t->c, row, left ? col - 1 - i : col + i, full, attrs, fg, CELL_DEFAULT);
	if (left && (rest >= 4 || (size > 0 && whole == 0 && !coarse)))
		canvas_put(t->c, row, col - 1 - whole, "▐", attrs, fg, CELL_DEFAULT);
	else if (!left && !coarse && (rest > 0 || (size > 0 && whole == 0)))
		canvas_put(t->c, row, col + whole, eighths[rest > 0 ? rest : 1], attrs, fg,
			   CELL_DEFAULT);
}

static void draw_bar_row(const struct chart *t, size_t i, int row, const char *label)
{
	const struct bars *const b = t->b;
	const bool off = is_off(b, i), here = b->has_cursor && i == b->cursor;
	const unsigned attrs = here ? ATTR_BOLD | ATTR_ACCENT : off ? ATTR_DIM : 0;
	const int right = t->inner.col + t->inner.cols, from = t->inner.col + t->mark;
	const int plot = from + t->label + 1;
	if (here && t->mark > 0)
		canvas_text(t->c, row, t->inner.col, 1, t->c->ascii ? ">" : "▸", attrs);
	canvas_text_right(t->c, t->a, row, from + t->label, t->label, label, attrs);
	canvas_text_right(t->c, t->a, row, right - t->off, t->value, value_text(t, i),
			  off	 ? ATTR_DIM
			  : here ? ATTR_BOLD
				 : 0);
	if (off && t->off > 0)
		canvas_text_right(t->c, t->a, row, right, 3, "off", ATTR_BOLD);
	if (t->plot < 1)
		return;
	/* With values on both sides the zero line has a column of its own. */
	const int line = t->lo < 0 ? 1 : 0;
	const double unit = (t->plot - line) / (t->hi - t->lo);
	const int zero = plot + (int)lround(-t->lo * unit);
	if (line)
		canvas_put(t->c, row, zero, t->c->ascii ? "|" : "│", ATTR_DIM, CELL_DEFAULT,
			   CELL_DEFAULT);
	if (!isfinite(b->values[i]))
		canvas_text(t->c, row, zero + line, 1, "!", ATTR_REVERSE);
	else
		draw_one_bar(t, row, b->values[i] < 0 ? zero : zero + line, b->values[i] * unit,
			     off);
}

/* Where row i of `high` rows and `beside` columns of bars stands. */
static struct rect bar_place(struct rect inner, size_t i, int high, int beside)
{
	const int each = (inner.cols - (beside - 1) * BARS_GAP) / beside;
	return (struct rect){inner.row + (int)i % high,
			     inner.col + (int)i / high * (each + BARS_GAP), 1, each};
}

int canvas_bars_beside(const struct bars *b, int rows, int cols)
{
	int beside = 1;
	while (rows > 0 && b->n > (size_t)(rows * beside) &&
	       (cols + BARS_GAP) / (beside + 1) >= BARS_LEAST + BARS_GAP)
		beside++;
	return beside;
}

/* The part of the bars that has room: all, or those about the cursor; their number. */
static size_t bars_part(const struct bars *b, size_t room, size_t *first)
{
	const size_t n = b->n < room ? b->n : room;
	*first = 0;
	if (b->has_cursor && b->cursor >= n / 2 && b->n > n)
		*first = b->cursor - n / 2 < b->n - n ? b->cursor - n / 2 : b->n - n;
	return n;
}

void canvas_bars(struct canvas *c, struct arena *a, struct rect inner, const struct bars *b)
{
	if (inner.rows < 1 || inner.cols < 1 || b->n == 0)
		return;
	const bool titled = b->unit != NULL && *b->unit != '\0';
	/* The unit's row is the last to be had. */
	const int unit = titled && (b->n < (size_t)inner.rows || inner.rows > 4);
	const int beside = canvas_bars_beside(b, inner.rows - unit, inner.cols);
	int high = inner.rows - unit;
	const bool part = b->n > (size_t)(high * beside) && high > 1;
	high -= part;
	size_t first;
	const size_t n = bars_part(b, (size_t)(high * beside), &first);
	high = (int)((n + (size_t)beside - 1) / (size_t)beside);
	struct chart t = {.c = c, .a = a, .b = b, .inner = bar_place(inner, 0, high, beside)};
	plan_bars(&t);
	const char **const labels = text_labels(a, t.labels, b->n, (size_t)t.label, c->ascii);
	for (size_t i = 0; i < n; i++) {
		t.inner = bar_place(inner, i, high, beside);
		draw_bar_row(&t, first + i, t.inner.row, labels[first + i]);
	}
	if (part)
		canvas_text_short(c, a, inner.row + high, inner.col + t.mark, inner.cols - t.mark,
				  arena_printf(a, "%zu to %zu of %zu", first + 1, first + n, b->n),
				  ATTR_DIM);
	if (unit)
		canvas_text_right(c, a, inner.row + high + part, inner.col + inner.cols, inner.cols,
				  b->unit, ATTR_DIM);
}
