/* plain.c: a figure as words, for screen readers: what is drawn, said once.
 *
 * Labels come first, values in ranks, a fact a line, nothing drawn with letters: no boxes, blocks or
 * braille. Lines are wrapped at words; what goes on is indented. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "export/plain_in.h"
#include "plot/curve_axis.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"

enum { WIDTH = 80, INDENT = 2, DIGITS = 3 };

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

void plain_say(struct strbuf *out, const char *fmt, ...)
{
	struct arena a;
	va_list args;
	arena_init(&a);
	va_start(args, fmt);
	add_text(out, arena_vprintf(&a, fmt, args));
	va_end(args);
	arena_release(&a);
}

const char *plain_number(struct arena *a, double value)
{
	char text[32];
	return isnan(value) ? "not a number"
			    : arena_strdup(a, num_show(text, sizeof text, value, DIGITS));
}

double plain_rounded(double value, double largest)
{
	return fabs(value) <= PLAIN_ROUNDING * largest ? 0 : value;
}

const char *plain_many(struct arena *a, size_t n, const char *word)
{
	return arena_printf(a, "%zu %s%s", n, word, n == 1 ? "" : "s");
}

/* ---- the other kinds --------------------------------------------------------------------------- */

/* "76–100", or a number */
static const char *place_of(const struct curves *c, double x, struct arena *a)
{
	const char *const name = curve_place(c, x);
	return name ? name : plain_number(a, x);
}

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
		plain_say(out, "%s: %s", name,
			  n == 0 ? "no points"
				 : arena_printf(a, "%s everywhere, at %s",
						plain_number(a, s->y[low]),
						plain_many(a, n, "point")));
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
			      plain_number(a, plain_rounded(s->y[points[i].at], size)),
			      place_of(curves, s->x[points[i].at], a));
	plain_say(out, "%s%s:%s", name, s->active && curves->n > 1 ? " (the one looked at)" : "",
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
			plain_say(out, "marked at %s%s%s", plain_number(a, m->x), named ? ": " : "",
				  named ? m->label : "");
	}
}

/* "pointed out at −1: 0.25" */
static void say_pointed(const struct curves *curves, size_t series, struct strbuf *out,
			struct arena *a)
{
	for (size_t i = 0; i < curves->n_pointed; i++) {
		double y;
		if (curves_height(&curves->series[series], curves->pointed[i], &y))
			plain_say(out, "pointed out at %s: %s",
				  place_of(curves, curves->pointed[i], a), plain_number(a, y));
	}
	if (curves->marked && curves->marked[series])
		plain_say(out, "pointed out");
}

static void say_curves(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct curves *const c = &p->curves;
	if (c->x_title && *c->x_title)
		plain_say(out, "Along: %s", c->x_title);
	if (c->y_title && *c->y_title)
		plain_say(out, "Up: %s", c->y_title);
	for (size_t i = 0; i < c->n; i++) {
		say_series(c, &c->series[i], out, a);
		say_marks(c, i, out, a);
		say_pointed(c, i, out, a);
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
		plain_say(out, "Each: %s", b->unit);
	for (size_t i = 0; i < b->n; i++) {
		const size_t at = ranks[i].at;
		const char *const note = b->notes ? b->notes[at] : NULL;
		const bool marked = b->marks && isfinite(b->marks[at]);
		plain_say(out, "%zu. %s: %s%s%s%s%s%s%s%s", i + 1, b->labels[at],
			  note && *note ? note : plain_number(a, b->values[at]), marked ? ", " : "",
			  marked ? b->mark_title : "", marked ? " " : "",
			  marked ? plain_number(a, b->marks[at]) : "",
			  b->off && b->off[at] ? ", off" : "",
			  b->has_cursor && b->cursor == at ? ", chosen" : "",
			  b->marked && b->marked[at] ? ", pointed out" : "");
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
		plain_say(out, "%s%s%s", row.at, t->has_cursor && t->row == r ? "; chosen" : "",
			  t->marked && t->marked[r] ? "; pointed out" : "");
	}
}

/* "key: value. note" */
static void say_card(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct card *const c = &p->card;
	if (c->about)
		plain_say(out, "%s", c->about);
	if (c->formula)
		plain_say(out, "formula: %s", figure_formula(a, c->formula));
	for (size_t i = 0; i < c->n; i++) {
		const struct card_line *const l = &c->lines[i];
		const bool value = l->value && *l->value, note = l->note && *l->note;
		plain_say(out, "%s%s%s%s%s%s", l->key ? l->key : "", l->key ? ": " : "",
			  l->key && card_is_marked(c, i) ? "(pointed out) " : "",
			  l->formula ? figure_formula(a, l->formula)
			  : value    ? l->value
				     : "",
			  value && note ? ". " : "", note ? l->note : "");
	}
}

static void say_links(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct links *const l = &p->links;
	size_t moved = 0;
	if (l->above_title && l->below_title)
		plain_say(out, "From: %s; to: %s", l->above_title, l->below_title);
	for (size_t i = 0; i < l->n; i++) {
		const struct link *const k = &l->links[i];
		if (!k->strong)
			continue;
		moved++;
		plain_say(out, "token %s moved from %zu to %zu", l->above[k->from], k->from + 1,
			  k->to + 1);
	}
	for (size_t i = 0; l->pointed && i < l->n_below; i++)
		if (l->pointed[i])
			plain_say(out, "Pointed out: token %s, now %zu", l->below[i], i + 1);
	if (moved == 0)
		plain_say(out, "No token moved.");
	else if (moved < l->n)
		plain_say(out, "The other %s stayed.", plain_many(a, l->n - moved, "token"));
}

/* Each edge as a sentence; which token stands on a node is said where its words do not. */
static void say_structure(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct drawing *const d = &p->drawing;
	for (size_t e = 0; e < d->n_edges; e++) {
		const struct drawn_edge *const x = &d->edges[e];
		plain_say(out, "%s %s %s%s%s", d->names[x->from], d->directed ? "to" : "and",
			  d->names[x->to], *x->label ? ": " : "", x->label);
	}
	for (size_t i = 0; d->parent && i < d->n; i++)
		if (d->parent[i] < 0)
			plain_say(out, "%s is a root", d->names[i]);
	for (size_t i = 0; i < d->n_tokens; i++)
		if (d->node[i] >= 0 && strcmp(d->tokens[i], d->names[d->node[i]]) != 0)
			plain_say(out, "token %zu, %s, stands on %s", i + 1, d->tokens[i],
				  d->names[d->node[i]]);
	for (size_t k = 0; k < d->n_below; k++)
		for (size_t i = 0; i < d->n_tokens; i++)
			if (*d->below[k].text[i])
				plain_say(out, "%s of token %zu, %s: %s", d->below[k].title, i + 1,
					  d->tokens[i], d->below[k].text[i]);
	if (d->n_edges == 0)
		plain_say(out, "There are no edges between %s.", plain_many(a, d->n, "node"));
}

/* "addend query–Kʳ, dog · Kʳ at −3: +0.55". */
static void say_waterfall(const struct panel *p, struct strbuf *out, struct arena *a)
{
	static const char *const words[] = {
		[STEP_ADDEND] = "plus", [STEP_TOTAL] = "total", [STEP_NOTE] = "note"};
	const struct waterfall *const w = &p->waterfall;
	for (size_t i = 0; i < w->n_facts; i++) {
		const struct card_line *const f = &w->facts[i];
		plain_say(out, "%s%s%s%s%s", f->key ? f->key : "", f->key ? ": " : "",
			  f->value ? f->value : "", f->value && f->note ? ", " : "",
			  f->note ? f->note : "");
	}
	for (size_t i = 0; i < w->n; i++) {
		const struct sum_step *const s = &w->steps[i];
		const char *const about = s->about ? s->about : "";
		plain_say(out, "%s, %s%s%s%s: %s", words[s->kind], s->label, *about ? " (" : "",
			  about, *about ? ")" : "",
			  s->kind == STEP_NOTE ? s->text : plain_number(a, s->value));
	}
}

static void say_columns(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct columns *const c = &p->columns;
	if (c->formula)
		plain_say(out, "%s", c->formula);
	if (c->rank)
		plain_say(out, "%s", c->rank);
	for (size_t i = 0; i < c->n; i++)
		plain_say(out, "%zu %s: %s%s", i + 1, c->labels[i],
			  c->masked && c->masked[i] ? "masked" : plain_number(a, c->values[i]),
			  i == c->cursor ? ", chosen" : "");
}

/* ---- small multiples ---------------------------------------------------------------------------- */

static void say_multiples(const struct panel *p, struct strbuf *out, struct arena *a)
{
	const struct multiples *const m = &p->multiples;
	for (size_t i = 0; i < m->n; i++) {
		const struct multiple *const item = &m->items[i];
		double lo = 0, hi = 0;
		strbuf_printf(out, "%s%s", item->title, i == m->chosen ? ", the chosen one" : "");
		if (item->note)
			strbuf_printf(out, "; %s", item->note);
		strbuf_add_char(out, '\n');
		if (item->map.values.at && mat_range(item->map.values, &lo, &hi)) {
			strbuf_printf(out, "  values from %s to %s", plain_number(a, lo),
				      plain_number(a, hi));
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
		plain_say(out, "Operator: becomes, by %s", o->done);
	else if (o->sign > SIGN_FIRST)
		plain_say(out, "Operator: %s", words[o->sign]);
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
		     [PANEL_MULTIPLES] = {"small multiples", say_multiples},
		     [PANEL_DIALS] = {"dials", plain_dials},
		     [PANEL_PLANE] = {"plane", plain_plane}};
	BUG_IF((size_t)p->kind >= sizeof kinds / sizeof *kinds);
	strbuf_add_char(out, '\n');
	plain_say(out, "Panel %zu of %zu, %s: %s%s%s%s%s", i, f->n, kinds[p->kind].word, p->title,
		  p->note ? ", " : "", p->note ? p->note : "", p->off ? ", off" : "",
		  p->stale ? ", a newer value is being computed" : "");
	if (p->subtitle)
		plain_say(out, "Shows: %s", p->subtitle);
	if (!p->operand.implied)
		say_operator(&p->operand, out);
	if (p->absent)
		plain_say(out, "Not there: %s", p->absent);
	else if (p->kind == PANEL_HEATMAP)
		plain_heatmap(p, value_word(f, p), out, a);
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
	struct figure *const said = arena_alloc(&scratch, sizeof *said);
	figure_without_foot(figure, said);
	figure = said;
	if (figure->title)
		plain_say(&out, "%s", figure->title);
	if (figure->subtitle)
		plain_say(&out, "%s", figure->subtitle);
	if (figure->caption)
		plain_say(&out, "%s", figure->caption);
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
