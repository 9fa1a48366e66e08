/* plain.c: a figure as words, for screen readers: what is drawn, said once.
 *
 * Labels come first, values in ranks, a fact a line, nothing drawn with letters: no boxes, blocks or
 * braille. Lines are wrapped at words; what goes on is indented. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/export.h"
#include "posviz/num.h"
#include "posviz/strbuf.h"
#include "posviz/text.h"

enum { WIDTH = 80, INDENT = 2, STRONGEST = 10, ROWS_MOST = 32, DIGITS = 3 };

/* ---- lines ------------------------------------------------------------------------------------- */

/* A word that may be longer than a line. */
static void add_word(struct strbuf *out, const char *word, size_t *at)
{
	size_t width = text_width(word);
	while (*at + width > WIDTH) {
		size_t used;
		const size_t fits = text_fit(word, WIDTH - *at, &used);
		if (fits == 0)
			break;
		strbuf_add_n(out, word, fits);
		strbuf_printf(out, "\n%*s", INDENT, "");
		word += fits;
		width -= used;
		*at = INDENT;
	}
	strbuf_add(out, word);
	*at += width;
}

/* A paragraph. Dots between blanks, which part facts on a picture, become commas. */
static void add_text(struct strbuf *out, const char *text)
{
	struct arena a;
	size_t at = 0;
	bool begun = false;
	arena_init(&a);
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		const size_t len = strcspn(text, " ");
		const char *const word = arena_strndup(&a, text, len);
		text += len;
		if (strcmp(word, "·") == 0) {
			if (begun)
				strbuf_add_char(out, ',');
			at += begun;
			continue;
		}
		if (begun && at + 1 + text_width(word) + 1 > WIDTH) {
			strbuf_printf(out, "\n%*s", INDENT, "");
			at = INDENT;
		} else if (begun) {
			strbuf_add_char(out, ' ');
			at++;
		}
		add_word(out, word, &at);
		begun = true;
	}
	if (begun)
		strbuf_add_char(out, '\n');
	arena_release(&a);
}

static void say(struct strbuf *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct strbuf *out, const char *fmt, ...)
{
	struct arena a;
	va_list args;
	arena_init(&a);
	va_start(args, fmt);
	add_text(out, arena_vprintf(&a, fmt, args));
	va_end(args);
	arena_release(&a);
}

static const char *number(struct arena *a, double value)
{
	char text[32];
	return isnan(value) ? "not a number"
			    : arena_strdup(a, num_show(text, sizeof text, value, DIGITS));
}

/* What is smaller than this part of the largest is rounding. */
static const double rounding = 1e-12;

static double without_rounding(double value, double largest)
{
	return fabs(value) <= rounding * largest ? 0 : value;
}

/* "1 row", "2 rows". */
static const char *many(struct arena *a, size_t n, const char *word)
{
	return arena_printf(a, "%zu %s%s", n, word, n == 1 ? "" : "s");
}

/* ---- matrices ---------------------------------------------------------------------------------- */

struct place {
	double value, rank; /* its size without what is only rounding */
	size_t row, col;
};

/* What is known of a matrix before it is ranked. */
struct facts {
	struct place *places; /* cells that count, in the order of reading, later by rank */
	size_t n, masked, alarms, names;
	double lo, hi, size;
	bool is_signed;
};

static struct facts find_facts(const struct heatmap *h, struct arena *a)
{
	struct facts f = {.lo = INFINITY, .hi = -INFINITY};
	f.places = arena_calloc(a, h->values.rows * h->values.cols + 1, sizeof *f.places);
	for (size_t r = 0; r < h->values.rows; r++) {
		for (size_t c = 0; c < h->values.cols; c++) {
			const double x = mat_row(h->values, r)[c];
			if (h->masked && h->masked[r * h->values.cols + c]) {
				f.masked++;
			} else if (!isfinite(x)) {
				f.alarms++;
			} else if (heatmap_name(h, x)) {
				f.names++;
			} else {
				f.places[f.n++] = (struct place){.value = x, .row = r, .col = c};
				f.lo = fmin(f.lo, x);
				f.hi = fmax(f.hi, x);
			}
		}
	}
	f.is_signed = f.lo < 0;
	f.size = fmax(fabs(f.lo), fabs(f.hi));
	for (size_t i = 0; i < f.n && f.size > 0; i++)
		f.places[i].rank = rint(fabs(f.places[i].value) / f.size / rounding);
	return f;
}

/* The largest first, those below zero by their size; equal ones in the order of reading. */
static int by_strength(const void *x, const void *y)
{
	const struct place *const a = x, *const b = y;
	if (a->rank > b->rank || a->rank < b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->col < b->col ? -1 : a->col > b->col;
}

/* "query 5 chased": the first word of the axis' title, the place from 1, the label. */
static const char *place_name(struct arena *a, const char *title, const char *word,
			      const char *const *labels, size_t i)
{
	const char *const kind =
		title && *title ? arena_strndup(a, title, strcspn(title, " ")) : word;
	return labels ? arena_printf(a, "%s %zu %s", kind, i + 1, labels[i])
		      : arena_printf(a, "%s %zu", kind, i + 1);
}

static const char *row_name(const struct heatmap *h, size_t row, struct arena *a)
{
	return place_name(a, h->row_title, "row", h->row_labels, row);
}

static const char *col_name(const struct heatmap *h, size_t col, struct arena *a)
{
	return place_name(a, h->col_title, "column", h->col_labels, col);
}

/* What one value of a panel is called: by its title, by what the figure says that all of its matrices
 * are, else by what it says that it shows. */
static const char *value_word(const struct figure *f, const struct panel *p)
{
	static const char *const words[] = {"weight", "logit", "bias", "difference"};
	static const char *const all[] = {"Position bias", "Attention weights", "Logits", "Mask"};
	const char *of_all = NULL;
	for (size_t i = 0; f->subtitle && i < sizeof all / sizeof *all; i++)
		if (strncmp(f->subtitle, all[i], strlen(all[i])) == 0)
			of_all = all[i];
	const char *const texts[] = {p->title, of_all ? of_all : p->subtitle};
	for (size_t t = 0; t < 2; t++)
		for (size_t i = 0; texts[t] && i < sizeof words / sizeof *words; i++)
			if (text_contains(texts[t], words[i]))
				return words[i];
	return "value";
}

static const char *value_text(const struct heatmap *h, double value, struct arena *a)
{
	const struct heatmap_name *const name = heatmap_name(h, value);
	if (name)
		return name->name;
	return h->integers && isfinite(value) ? arena_printf(a, "%.0f", value) : number(a, value);
}

static void say_cell(const struct heatmap *h, const char *before, const char *word, size_t row,
		     size_t col, struct strbuf *out, struct arena *a)
{
	const double x = mat_row(h->values, row)[col];
	const bool masked = h->masked && h->masked[row * h->values.cols + col];
	say(out, "%s%s, %s: %s %s", before, row_name(h, row, a), col_name(h, col, a),
	    masked ? "" : word,
	    !masked	   ? value_text(h, x, a)
	    : h->masked_as ? h->masked_as
			   : "masked");
}

static void say_strongest(const struct heatmap *h, const struct facts *f, const char *word,
			  struct strbuf *out, struct arena *a)
{
	const size_t n = f->n < STRONGEST ? f->n : STRONGEST;
	qsort(f->places, f->n, sizeof *f->places, by_strength);
	say(out, "Strongest %s%s:", many(a, n, "cell"),
	    f->is_signed ? ", by size without sign" : "");
	for (size_t i = 0; i < n; i++)
		say_cell(h, arena_printf(a, "%zu. ", i + 1), word, f->places[i].row,
			 f->places[i].col, out, a);
}

/* The strongest cell of every row; `places` are ranked, so it is the first of its row. */
static void say_rows(const struct heatmap *h, const struct facts *f, struct strbuf *out,
		     struct arena *a)
{
	const size_t rows = h->values.rows, n = rows < ROWS_MOST ? rows : ROWS_MOST;
	const struct place **const best = arena_calloc(a, rows + 1, sizeof *best);
	for (size_t i = f->n; i-- > 0;)
		best[f->places[i].row] = &f->places[i];
	if (rows < 2 || h->values.cols < 2)
		return;
	say(out, "Strongest in each row:");
	for (size_t r = 0; r < n; r++) {
		const char *const name = row_name(h, r, a);
		if (best[r])
			say(out, "%s: %s, %s", name, col_name(h, best[r]->col, a),
			    value_text(h, best[r]->value, a));
		else
			say(out, "%s: nothing", name);
	}
	if (rows > n)
		say(out, "and %s more", many(a, rows - n, "row"));
}

static void say_scale(const struct heatmap *h, struct strbuf *out, struct arena *a)
{
	double lo, hi;
	scale_limits(&h->scale, &lo, &hi);
	if (h->colormap)
		say(out, "Colours: %s, from %s to %s, %s%s", h->colormap->name, number(a, lo),
		    number(a, hi), scale_mode_names[h->scale.mode],
		    h->scale.locked ? ", limits locked" : "");
}

static size_t count_value(const struct heatmap *h, double value)
{
	size_t n = 0;
	for (size_t r = 0; r < h->values.rows; r++)
		for (size_t c = 0; c < h->values.cols; c++)
			n += mat_row(h->values, r)[c] == value;
	return n;
}

static void say_heatmap(const struct panel *p, const char *word, struct strbuf *out,
			struct arena *a)
{
	const struct heatmap *const h = &p->heatmap;
	if (!h->values.at || h->values.rows == 0 || h->values.cols == 0) {
		say(out, "Nothing to show.");
		return;
	}
	const struct facts f = find_facts(h, a);
	say(out, "Size: %s by %s", many(a, h->values.rows, "row"),
	    many(a, h->values.cols, "column"));
	if (f.alarms > 0)
		say(out, "Alarm: %s not a number",
		    f.alarms == 1 ? "1 cell is" : arena_printf(a, "%zu cells are", f.alarms));
	if (f.masked > 0)
		say(out, "Masked: %zu of %s", f.masked,
		    many(a, h->values.rows * h->values.cols, "cell"));
	for (size_t i = 0; i < h->n_names; i++)
		say(out, "Names: %s in %zu of all %s", h->names[i].name,
		    count_value(h, h->names[i].value),
		    many(a, h->values.rows * h->values.cols, "cell"));
	if (f.n == 0)
		return;
	if (!(f.lo < f.hi)) {
		say(out, "Every %scell: %s %s", f.masked + f.names ? "other " : "", word,
		    value_text(h, f.lo, a));
		return;
	}
	say(out, "Range: %s to %s", value_text(h, without_rounding(f.lo, f.size), a),
	    value_text(h, without_rounding(f.hi, f.size), a));
	say_scale(h, out, a);
	if (h->has_cursor)
		say_cell(h, "Cursor: ", word, h->row, h->col, out, a);
	say_strongest(h, &f, word, out, a);
	say_rows(h, &f, out, a);
}

/* ---- the other kinds --------------------------------------------------------------------------- */

static void say_series(const struct curves *curves, const struct series *s, struct strbuf *out,
		       struct arena *a)
{
	size_t n = 0, first = 0, last = 0, low = 0, high = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!isfinite(s->y[i]))
			continue;
		if (n++ == 0)
			first = low = high = i;
		last = i;
		low = s->y[i] < s->y[low] ? i : low;
		high = s->y[i] > s->y[high] ? i : high;
	}
	const char *const name = s->label && *s->label ? s->label : "curve";
	if (n == 0 || !(s->y[low] < s->y[high])) {
		say(out, "%s: %s", name,
		    n == 0 ? "no points"
			   : arena_printf(a, "%s everywhere, at %s", number(a, s->y[low]),
					  many(a, n, "point")));
		return;
	}
	const double size = fmax(fabs(s->y[low]), fabs(s->y[high]));
	const struct {
		const char *word;
		size_t at;
	} points[] = {{"first", first}, {"last", last}, {"lowest", low}, {"highest", high}};
	struct strbuf text;
	strbuf_init(&text, a);
	for (size_t i = 0; i < sizeof points / sizeof *points; i++)
		strbuf_printf(&text, "%s %s %s at %s", i > 0 ? "," : "", points[i].word,
			      number(a, without_rounding(s->y[points[i].at], size)),
			      number(a, s->x[points[i].at]));
	say(out, "%s%s:%s", name, s->active && curves->n > 1 ? " (the one looked at)" : "",
	    text.at);
}

/* "marked at 64: t_max 64" */
static void say_marks(const struct curves *curves, size_t series, struct strbuf *out,
		      struct arena *a)
{
	for (size_t i = 0; i < curves->n_marks; i++) {
		const struct curve_mark *const m = &curves->marks[i];
		const bool named = m->label && *m->label;
		if (m->series == series)
			say(out, "marked at %s%s%s", number(a, m->x), named ? ": " : "",
			    named ? m->label : "");
	}
}

static void say_curves(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct curves *const c = &p->curves;
	if (c->x_title && *c->x_title)
		say(out, "Along: %s", c->x_title);
	if (c->y_title && *c->y_title)
		say(out, "Up: %s", c->y_title);
	for (size_t i = 0; i < c->n; i++) {
		say_series(c, &c->series[i], out, a);
		say_marks(c, i, out, a);
	}
}

struct rank {
	double value;
	size_t at;
};

static int by_value(const void *x, const void *y)
{
	const struct rank *const a = x, *const b = y;
	if (isnan(a->value) || isnan(b->value))
		return isnan(a->value) - isnan(b->value);
	if (a->value > b->value || a->value < b->value)
		return a->value > b->value ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static void say_bars(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct bars *const b = &p->bars;
	struct rank *const ranks = arena_calloc(a, b->n + 1, sizeof *ranks);
	for (size_t i = 0; i < b->n; i++)
		ranks[i] = (struct rank){b->values[i], i};
	qsort(ranks, b->n, sizeof *ranks, by_value);
	if (b->unit && *b->unit)
		say(out, "Each: %s", b->unit);
	for (size_t i = 0; i < b->n; i++) {
		const size_t at = ranks[i].at;
		const char *const note = b->notes ? b->notes[at] : NULL;
		say(out, "%zu. %s: %s%s%s", i + 1, b->labels[at],
		    note && *note ? note : number(a, b->values[at]),
		    b->off && b->off[at] ? ", off" : "",
		    b->has_cursor && b->cursor == at ? ", chosen" : "");
	}
}

static void say_table(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct table *const t = &p->table;
	for (size_t r = 0; r < t->rows; r++) {
		struct strbuf row;
		strbuf_init(&row, a);
		for (size_t c = 0; c < t->cols; c++) {
			const char *const text = t->cells[r * t->cols + c];
			if (!*text)
				continue;
			strbuf_add(&row, row.len > 0 ? "; " : "");
			if (t->head && *t->head[c])
				strbuf_printf(&row, "%s: ", t->head[c]);
			strbuf_add(&row, text);
		}
		say(out, "%s%s", row.at, t->has_cursor && t->row == r ? "; chosen" : "");
	}
}

/* "key: value. note" */
static void say_card(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct card *const c = &p->card;
	if (c->about)
		say(out, "%s", c->about);
	if (c->formula)
		say(out, "formula: %s", figure_formula(a, c->formula));
	for (size_t i = 0; i < c->n; i++) {
		const struct card_line *const l = &c->lines[i];
		const bool value = l->value && *l->value, note = l->note && *l->note;
		say(out, "%s%s%s%s%s", l->key ? l->key : "", l->key ? ": " : "",
		    value ? l->value : "", value && note ? ". " : "", note ? l->note : "");
	}
}

static void say_links(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct links *const l = &p->links;
	size_t moved = 0;
	if (l->above_title && l->below_title)
		say(out, "From: %s; to: %s", l->above_title, l->below_title);
	for (size_t i = 0; i < l->n; i++) {
		const struct link *const k = &l->links[i];
		if (!k->strong)
			continue;
		moved++;
		say(out, "token %s moved from %zu to %zu", l->above[k->from], k->from + 1,
		    k->to + 1);
	}
	if (moved == 0)
		say(out, "No token moved.");
	else if (moved < l->n)
		say(out, "The other %s stayed.", many(a, l->n - moved, "token"));
}

/* Each edge as a sentence; which token stands on a node is said where its words do not. */
static void say_structure(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct drawing *const d = &p->drawing;
	for (size_t e = 0; e < d->n_edges; e++) {
		const struct drawn_edge *const x = &d->edges[e];
		say(out, "%s %s %s%s%s", d->names[x->from], d->directed ? "to" : "and",
		    d->names[x->to], *x->label ? ": " : "", x->label);
	}
	for (size_t i = 0; d->parent && i < d->n; i++)
		if (d->parent[i] < 0)
			say(out, "%s is a root", d->names[i]);
	for (size_t i = 0; i < d->n_tokens; i++)
		if (d->node[i] >= 0 && strcmp(d->tokens[i], d->names[d->node[i]]) != 0)
			say(out, "token %zu, %s, stands on %s", i + 1, d->tokens[i],
			    d->names[d->node[i]]);
	for (size_t k = 0; k < d->n_below; k++)
		for (size_t i = 0; i < d->n_tokens; i++)
			if (*d->below[k].text[i])
				say(out, "%s of token %zu, %s: %s", d->below[k].title, i + 1,
				    d->tokens[i], d->below[k].text[i]);
	if (d->n_edges == 0)
		say(out, "There are no edges between %s.", many(a, d->n, "node"));
}

/* "addend query–Kʳ, dog · Kʳ at −3: +0.55". */
static void say_waterfall(const struct panel *p, struct strbuf *out, struct arena *a)
{
	static const char *const words[] = {
		[STEP_ADDEND] = "plus", [STEP_TOTAL] = "total", [STEP_NOTE] = "note"};
	const struct waterfall *const w = &p->waterfall;
	for (size_t i = 0; i < w->n_facts; i++) {
		const struct card_line *const f = &w->facts[i];
		say(out, "%s%s%s%s%s", f->key ? f->key : "", f->key ? ": " : "",
		    f->value ? f->value : "", f->value && f->note ? ", " : "",
		    f->note ? f->note : "");
	}
	for (size_t i = 0; i < w->n; i++) {
		const struct sum_step *const s = &w->steps[i];
		const char *const about = s->about ? s->about : "";
		say(out, "%s, %s%s%s%s: %s", words[s->kind], s->label, *about ? " (" : "", about,
		    *about ? ")" : "", s->kind == STEP_NOTE ? s->text : number(a, s->value));
	}
}

static void say_columns(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct columns *const c = &p->columns;
	if (c->formula)
		say(out, "%s", c->formula);
	if (c->rank)
		say(out, "%s", c->rank);
	for (size_t i = 0; i < c->n; i++)
		say(out, "%zu %s: %s%s", i + 1, c->labels[i],
		    c->masked && c->masked[i] ? "masked" : number(a, c->values[i]),
		    i == c->cursor ? ", chosen" : "");
}

/* ---- small multiples ---------------------------------------------------------------------------- */

static void say_multiples(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct multiples *const m = &p->multiples;
	(void)a;
	for (size_t i = 0; i < m->n; i++) {
		const struct multiple *const item = &m->items[i];
		double lo = 0, hi = 0;
		strbuf_printf(out, "%s%s", item->title, i == m->chosen ? ", the chosen one" : "");
		if (item->note)
			strbuf_printf(out, "; %s", item->note);
		strbuf_add_char(out, '\n');
		if (item->map.values.at && mat_range(item->map.values, &lo, &hi)) {
			char least[32], most[32];
			strbuf_printf(out, "  values from %s to %s",
				      num_show(least, sizeof least, lo, 3),
				      num_show(most, sizeof most, hi, 3));
			for (size_t f = 0; f < m->n_facts; f++)
				strbuf_printf(out, "; %s %s", m->facts[f], item->facts[f]);
			strbuf_add_char(out, '\n');
		}
	}
}

/* ---- figures ----------------------------------------------------------------------------------- */

/* What stands before the matrix of an equation. */
static void say_operator(const struct operand *o, struct strbuf *out)
{
	static const char *const words[] = {[SIGN_PLUS] = "plus",
					    [SIGN_TIMES] = "times, each by each",
					    [SIGN_EQUALS] = "equals"};
	if (o->sign == SIGN_BECOMES)
		say(out, "Operator: becomes, by %s", o->done);
	else if (o->sign > SIGN_FIRST)
		say(out, "Operator: %s", words[o->sign]);
}

static void say_panel(const struct figure *f, const struct panel *p, size_t i, struct strbuf *out,
		      struct arena *a)
{
	static const struct {
		const char *word;
		void (*say)(const struct panel *p, struct strbuf *out, struct arena *a);
	} kinds[] = {[PANEL_HEATMAP] = {"matrix", NULL},
		     [PANEL_CURVES] = {"curves", say_curves},
		     [PANEL_BARS] = {"ranking", say_bars},
		     [PANEL_TABLE] = {"table", say_table},
		     [PANEL_CARD] = {"facts", say_card},
		     [PANEL_LINKS] = {"moves", say_links},
		     [PANEL_STRUCTURE] = {"structure", say_structure},
		     [PANEL_WATERFALL] = {"sum", say_waterfall},
		     [PANEL_COLUMNS] = {"row", say_columns},
		     [PANEL_MULTIPLES] = {"small multiples", say_multiples}};
	BUG_IF((size_t)p->kind >= sizeof kinds / sizeof *kinds);
	strbuf_add_char(out, '\n');
	say(out, "Panel %zu of %zu, %s: %s%s%s%s%s", i, f->n, kinds[p->kind].word, p->title,
	    p->note ? ", " : "", p->note ? p->note : "", p->off ? ", off" : "",
	    p->stale ? ", a newer value is being computed" : "");
	if (p->subtitle)
		say(out, "Shows: %s", p->subtitle);
	if (!p->operand.implied)
		say_operator(&p->operand, out);
	if (p->absent)
		say(out, "Not there: %s", p->absent);
	else if (p->kind == PANEL_HEATMAP)
		say_heatmap(p, value_word(f, p), out, a);
	else
		kinds[p->kind].say(p, out, a);
}

/* What it is, and what was measured, before the matrices; these as a page is read. */
static bool comes_before(const struct panel *x, const struct panel *y)
{
	const bool card = x->kind == PANEL_CARD, other = y->kind == PANEL_CARD;
	if (card || other)
		return card && !other;
	return x->row != y->row ? x->row < y->row : x->col < y->col;
}

void export_plain(const struct figure *figure, struct arena *a, char **data, size_t *len)
{
	struct strbuf out;
	struct arena scratch; /* the text grows in `a` meanwhile */
	const struct panel *order[FIGURE_PANELS];
	arena_init(&scratch);
	strbuf_init(&out, a);
	if (figure->title)
		say(&out, "%s", figure->title);
	if (figure->subtitle)
		say(&out, "%s", figure->subtitle);
	if (figure->caption)
		say(&out, "%s", figure->caption);
	for (size_t i = 0; i < figure->n; i++) {
		size_t at = i;
		for (; at > 0 && comes_before(&figure->panels[i], order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = &figure->panels[i];
	}
	for (size_t i = 0; i < figure->n; i++)
		say_panel(figure, order[i], i + 1, &out, &scratch);
	arena_release(&scratch);
	*data = out.at;
	*len = out.len;
}
