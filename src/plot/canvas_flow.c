/* canvas_flow.c: text of several lines on cells.
 *
 * Words are written one by one onto a sheet that is long enough for all. The panel shows its first
 * rows, and an ellipsis after these if there are more: thus text is cut at the end of a line, and
 * never without a sign. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "plot/canvas_pen.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { SHEET_ROWS = 80 };

struct flow {
	struct canvas *c; /* NULL: measures only */
	struct arena *a;
	int row, col;
	int left, right; /* a line begins at left and ends before right */
	bool begun;	 /* this line has a word: a blank precedes the next one */
};

static void flow_break(struct flow *f)
{
	f->row++;
	f->col = f->left;
	f->begun = false;
}

static void flow_put(struct flow *f, const char *text, int width, unsigned attrs)
{
	if (f->c != NULL)
		canvas_text(f->c, f->row, f->col, f->right - f->left, text, attrs);
	f->col += width;
	f->begun = true;
}

/* Returns where a word that is longer than a line is broken: behind the last "_", "." or "," of the part that
 * has room, unless that would leave more than half of it; so names are broken between their words. */
static size_t break_of(const char *word, size_t fits)
{
	for (size_t i = fits; i > fits / 2; i--)
		if (strchr("_.,", word[i - 1]) != NULL)
			return i;
	return fits;
}

/* Writes a word after `gap` blanks, unless it begins a line. */
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
	while (width > room) { /* the word is longer than a line */
		size_t used;
		const size_t fits = text_fit(text, (size_t)room, &used);
		if (fits == 0)
			return;
		const size_t end = break_of(text, fits);
		const char *const part = arena_strndup(f->a, text, end);
		const int cols = end == fits ? (int)used : (int)text_width(part);
		flow_put(f, part, cols, attrs);
		text += end;
		width -= cols;
		flow_break(f);
	}
	flow_put(f, text, width, attrs);
}

static void flow_text(struct flow *f, const char *text, unsigned attrs)
{
	for (const char *at = text; *at != '\0' && f->right > f->left;) {
		const size_t blanks = strspn(at, " ");
		size_t len = strcspn(at + blanks, " ");
		if (strncmp(at + blanks + len, " %", 2) == 0) /* keeps " %" with its number */
			len += 1 + strcspn(at + blanks + len + 1, " ");
		if (len > 0)
			flow_word(f, blanks, at + blanks, len, attrs);
		at += blanks + len;
	}
}

/* Writes text of items separated by " · ": an item without room on this line begins the next one,
 * unless it would not fit there either. */
static void flow_items(struct flow *f, const char *text, unsigned attrs)
{
	static const char dot[] = " · ";
	if (strstr(text, dot) == NULL) {
		flow_text(f, text, attrs);
		return;
	}
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

static struct flow flow_in(const struct pen *pen, struct area at, bool draw)
{
	const int left = (int)at.x;
	return (struct flow){.c = draw ? pen->on : NULL,
			     .a = pen->arena,
			     .row = (int)at.y,
			     .col = left,
			     .left = left,
			     .right = left + (int)at.w};
}

/* Returns the rows used so far. */
static double flow_rows(const struct flow *f, struct area at)
{
	return f->row + f->begun - at.y;
}

/* The spelling of signs of formulas in ASCII, because a "?" for each would make another formula.
 * Blanks separate words from letters, digits and brackets before them, and from letters and digits
 * after them. */
struct spelling {
	const char *sign, *name;
};
static const struct spelling words[] = {
	{"√", "sqrt"},	 {"Σ", "sum"},	 {"Π", "prod"},	 {"∫", "integral"}, {"α", "alpha"},
	{"β", "beta"},	 {"γ", "gamma"}, {"δ", "delta"}, {"ε", "epsilon"},  {"ζ", "zeta"},
	{"η", "eta"},	 {"θ", "theta"}, {"κ", "kappa"}, {"λ", "lambda"},   {"μ", "mu"},
	{"ξ", "xi"},	 {"π", "pi"},	 {"ρ", "rho"},	 {"σ", "sigma"},    {"τ", "tau"},
	{"φ", "phi"},	 {"χ", "chi"},	 {"ψ", "psi"},	 {"ω", "omega"},    {"Δ", "Delta"},
	{"Λ", "Lambda"}, {"Φ", "Phi"},	 {"Ψ", "Psi"},	 {"Ω", "Omega"},    {"∞", "inf"},
	{"∂", "d"},	 {NULL}};
static const struct spelling signs[] = {
	{"⌊", "floor("}, {"⌋", ")"},   {"\u0302", "hat"}, {"²", "^2"},	{"ᵀ", "^T"},   {"₁", "_1"},
	{"₂", "_2"},	 {"·", "*"},   {"×", "x"},	  {"∘", " o "}, {"⊙", " .* "}, {"−", "-"},
	{"±", "+-"},	 {"≤", "<="},  {"≥", ">="},	  {"≠", "!="},	{"→", "->"},   {"←", "<-"},
	{"∈", " in "},	 {"…", "..."}, {"⋯", "..."},	  {"⊤", "T"},	{"′", "'"},    {NULL}};

static const struct spelling *spelling_at(const struct spelling *of, const char *at)
{
	while (of->sign != NULL && strncmp(at, of->sign, strlen(of->sign)) != 0)
		of++;
	return of->sign != NULL ? of : NULL;
}

static bool ends_with(const struct strbuf *b, bool bracket)
{
	const char last = b->len > 0 ? b->at[b->len - 1] : ' ';
	return isalnum((unsigned char)last) || (bracket && last == ')');
}

const char *canvas_formula(const struct canvas *c, struct arena *a, const char *formula)
{
	const char *const plain = figure_formula(a, formula);
	bool behind = false; /* after a word */
	struct strbuf out;
	if (!c->ascii)
		return figure_typeset(a, formula);
	strbuf_init(&out, a);
	for (const char *at = plain; *at;) {
		const struct spelling *const word = spelling_at(words, at);
		const struct spelling *const s = word != NULL ? word : spelling_at(signs, at);
		if (word != NULL ? ends_with(&out, true) : behind && isalnum((unsigned char)*at))
			strbuf_add_char(&out, ' ');
		if (s != NULL)
			strbuf_add(&out, s->name);
		else
			strbuf_add_char(&out, *at);
		at += s != NULL ? strlen(s->sign) : 1;
		behind = word != NULL;
	}
	return out.at;
}

double canvas_flow_wrap(const struct pen *pen, struct area at, const struct text_run *runs,
			size_t n, bool draw)
{
	struct flow f = flow_in(pen, at, draw);
	for (size_t i = 0; i < n; i++) {
		if (runs[i].parted)
			flow_text(&f, "·", canvas_pen_attrs(ROLE_QUIET));
		flow_items(&f, runs[i].text, canvas_pen_attrs(runs[i].role));
	}
	return flow_rows(&f, at);
}

const char *canvas_flow_words(const struct pen *pen, const char *formula)
{
	return canvas_formula(pen->on, pen->arena, formula);
}

double canvas_flow_formula(const struct pen *pen, struct area at, const char *formula, bool draw)
{
	struct flow f = flow_in(pen, at, draw);
	f.left += 2; /* continuation lines are indented */
	flow_text(&f, canvas_formula(pen->on, pen->arena, formula), ATTR_BOLD);
	return flow_rows(&f, at);
}

struct pen canvas_flow_sheet(const struct pen *pen)
{
	struct canvas *const c = pen->on;
	const struct rect all = {0, 0, SHEET_ROWS, (int)pen->at.w};
	struct canvas *const sheet =
		canvas_new(pen->arena, all.rows, all.cols, c->tier, c->ascii, c->dark);
	sheet->report = c->report;
	return pen_cells(sheet, pen->arena, all);
}

void canvas_flow_sheet_end(const struct pen *pen, const struct pen *sheet, double used)
{
	struct canvas *const c = pen->on;
	const struct canvas *const from = sheet->on;
	const int top = (int)pen->at.y, left = (int)pen->at.x, cols = (int)pen->at.w;
	const int rows = (int)fmin(used, fmin(from->rows, pen->at.h));
	int end = 0;
	for (int row = 0; row < rows; row++) {
		end = 0;
		for (int col = 0; col < from->cols; col++) {
			const struct cell *const k = &from->cells[row * from->cols + col];
			if (k->width == 0 || strcmp(k->at, " ") == 0)
				continue;
			canvas_text(c, top + row, left + col, k->width, k->at, k->attrs);
			end = col + k->width;
		}
	}
	if (used <= rows || rows < 1)
		return;
	const int at = end + 2 <= cols ? end + 1 : cols - 1;
	canvas_text(c, top + rows - 1, left + at, 1, pen_more(pen), ATTR_DIM);
}

void canvas_paragraph(struct canvas *c, struct arena *a, struct rect inner, const char *text,
		      unsigned attrs)
{
	if (inner.rows < 1 || inner.cols < 1)
		return;
	const struct pen pen = pen_cells(c, a, inner), sheet = canvas_flow_sheet(&pen);
	struct flow f = flow_in(&sheet, sheet.at, true);
	flow_text(&f, text, attrs);
	canvas_flow_sheet_end(&pen, &sheet, flow_rows(&f, sheet.at));
}
