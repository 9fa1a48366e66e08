/* canvas_card.c: words and numbers in a panel: paragraphs and cards.
 *
 * Wrapped text flows onto a scratch canvas as tall as it needs; the panel shows its first rows, and
 * when there are more the last shown row ends with an ellipsis. So a text is cut at a line's end
 * and never without a sign. */
#include <ctype.h>
#include <string.h>

#include "plot/canvas_in.h"
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
