/* pen_waterfall.c: a sum step by step: label, value, and a bar from the end of the bar before.
 *
 * If there are few lines, the explanation of a step moves from below its label to behind it, then
 * it is dropped; then the smallest addends are added up in one step, then notes and the steps after
 * the sum are dropped. */
#include <math.h>
#include <string.h>

#include "plot/pen.h"
#include "posviz/base/fixed.h"
#include "posviz/base/num.h"
#include "posviz/plot/scale.h"

/* FEW: addends that are kept while something else can be dropped. BELOW: the most explanations that
 * are written below their steps, more are behind. NARROW: ems below which facts are without their
 * keys. BARS: least ems of bars. */
enum { FEW = 4, BELOW = 5, NARROW = 24, BARS = 8, TICKS = 7 };

struct plan {
	const struct pen *pen;
	const struct waterfall *w;
	const struct card_line *facts; /* facts too long for a line are split in two */
	size_t n_facts;
	struct sum_step *steps; /* the drawn steps */
	size_t n;
	size_t fact_lines;
	bool head, below, beside;   /* the ticks; explanations below their steps, or behind */
	double row, sub, gap;	    /* heights of a step, its explanation, the space */
	double fact;		    /* height of a line of facts */
	double label, about, value; /* widths */
	double plot, from, lo, hi;  /* the bars: width, left end, limits */
	int decimals;
};

/* ---- choosing steps -------------------------------------------------------------------------- */

/* Returns the number of consecutive addends that may be added up, those before the first total
 * after them; *first gets the index of the first. */
static size_t addends(const struct plan *p, size_t *first)
{
	size_t n = 0;
	for (*first = 0; *first < p->n && p->steps[*first].kind != STEP_ADDEND;)
		++*first;
	while (*first + n < p->n && p->steps[*first + n].kind == STEP_ADDEND)
		n++;
	return n;
}

static size_t smallest(const struct sum_step *at, size_t n, const bool *gone)
{
	size_t found = n;
	for (size_t i = 0; i < n; i++)
		if (!gone[i] && (found == n || fabs(at[i].value) < fabs(at[found].value)))
			found = i;
	return found;
}

/* Keeps the `keep` largest of n addends from `first` on, in their order, and adds up the others in
 * one step. */
static void add_up(struct plan *p, size_t first, size_t n, size_t keep)
{
	struct arena *const a = p->pen->arena;
	struct sum_step *const at = p->steps + first;
	bool *const gone = arena_calloc(a, n, sizeof *gone);
	double sum = 0;
	size_t kept = 0;
	for (size_t i = keep; i < n; i++) {
		const size_t least = smallest(at, n, gone);
		gone[least] = true;
		sum += at[least].value;
	}
	for (size_t i = 0; i < n; i++)
		if (!gone[i])
			at[kept++] = at[i];
	at[kept++] = (struct sum_step){.kind = STEP_ADDEND,
				       .label = arena_printf(a, "%zu more", n - keep),
				       .about = "their sum",
				       .value = sum};
	memmove(at + kept, at + n, (p->n - first - n) * sizeof *at);
	p->n -= n - kept;
}

static void shorten_addends(struct plan *p, size_t room, size_t least)
{
	size_t first;
	const size_t n = addends(p, &first);
	if (p->n <= room || n < 2)
		return;
	const size_t over = p->n - room + 1;
	const size_t keep = n > over + least ? n - over : least;
	if (keep + 1 < n)
		add_up(p, first, n, keep);
}

static void drop_notes(struct plan *p, size_t room)
{
	for (size_t i = p->n; i-- > 0 && p->n > room;)
		if (p->steps[i].kind == STEP_NOTE)
			memmove(p->steps + i, p->steps + i + 1, (--p->n - i) * sizeof *p->steps);
}

static void drop_after_sum(struct plan *p, size_t room)
{
	while (p->n > room && p->n > 1 && !p->steps[p->n - 1].strong)
		p->n--;
	/* A total that is not the sum is only useful with the steps after it. */
	while (p->n > 1 && p->steps[p->n - 1].kind == STEP_TOTAL && !p->steps[p->n - 1].strong)
		p->n--;
}

static void shorten(struct plan *p, size_t room)
{
	shorten_addends(p, room, FEW);
	if (p->n > room)
		drop_notes(p, room);
	if (p->n > room)
		drop_after_sum(p, room);
	shorten_addends(p, room, 0);
	if (p->n > room && room > 0) { /* the sum, at the end, must be visible */
		memmove(p->steps, p->steps + p->n - room, room * sizeof *p->steps);
		p->n = room;
	}
}

static size_t explained(const struct plan *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		n += p->steps[i].about != NULL && p->steps[i].kind != STEP_NOTE;
	return n;
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* Writes one fact from x on; returns its width. */
static double fact(const struct pen *pen, const struct card_line *f, double x, double y, bool draw)
{
	const bool keyless = f->value != NULL && pen->at.w < NARROW * pen->em;
	const char *const texts[] = {keyless ? NULL : f->key, f->value, f->note};
	static const enum role roles[] = {ROLE_QUIET, ROLE_STRONG, ROLE_PLAIN};
	const double from = x;
	for (size_t i = 0; i < 3; i++) {
		if (texts[i] == NULL || *texts[i] == '\0')
			continue;
		x += x > from ? pen->gap : 0;
		if (draw && x + pen->em <= pen->at.x + pen->at.w)
			pen_text_fit(pen, roles[i], 0, x, y, pen->at.x + pen->at.w - x, texts[i]);
		x += pen_measure(pen, texts[i]).w;
	}
	return x - from;
}

/* Writes the facts in lines, at most `most`; returns the number of lines. */
static size_t facts(const struct plan *p, size_t most, bool draw)
{
	const struct pen *const pen = p->pen;
	const double gap = (pen->at.w < NARROW * pen->em ? 1 : 3) * pen->em, high = p->fact;
	double x = 0, y = pen->at.y + high / 2;
	size_t line = 0;
	for (size_t i = 0; i < p->n_facts; i++) {
		const double width = fact(pen, &p->facts[i], 0, 0, false);
		if (x > 0 && x + gap + width > pen->at.w) {
			line++;
			y += high;
			x = 0;
		}
		if (line == most)
			return line;
		x += x > 0 ? gap : 0;
		if (draw)
			fact(pen, &p->facts[i], pen->at.x + x, y, true);
		x += width;
	}
	return line + (x > 0);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static double lines_of(const struct plan *p)
{
	const struct pen *const pen = p->pen;
	const double head = p->head ? pen->line + pen->air / 2 : 0;
	return (double)p->fact_lines * p->fact + (p->fact_lines > 0 ? pen->air / 2 : 0) + head +
	       (double)p->n * (p->row + p->gap) + (p->below ? (double)explained(p) * p->sub : 0);
}

static double largest(const struct plan *p)
{
	double most = 0;
	for (size_t i = 0; i < p->n; i++)
		if (p->steps[i].kind != STEP_NOTE && isfinite(p->steps[i].value))
			most = fmax(most, fabs(p->steps[i].value));
	return most;
}

/* Returns the decimals: three digits of the largest value, two decimals for ordinary values, and
 * one more if small addends would become zero. */
static int decimals_of(const struct plan *p)
{
	const double most = largest(p);
	if (!(most > 0))
		return 0;
	const int digits = 2 - (int)floor(log10(most) + 1e-9);
	int n = digits < 0 ? 0 : most >= 0.2 && most < 10 ? 2 : digits;
	for (size_t i = 0; i < p->n && n == 2; i++) {
		const double size = p->steps[i].kind == STEP_ADDEND ? fabs(p->steps[i].value) : 0;
		n += size < 0.005 && size >= 0.0005;
	}
	return n;
}

static const char *value_text(const struct plan *p, const struct sum_step *s)
{
	enum { MANY = 6 };
	char text[32];
	struct arena *const a = p->pen->arena;
	const bool ascii = p->pen->ascii;
	if (s->kind == STEP_NOTE)
		return s->text != NULL ? s->text : "";
	const double v = s->value;
	const char *const sign = v < 0 ? (ascii ? "-" : "−") : v > 0 ? "+" : "";
	if (!isfinite(v))
		return arena_printf(a, "%s%s", sign, isnan(v) ? "nan" : ascii ? "inf" : "∞");
	return p->decimals > MANY
		       ? arena_printf(a, "%s%s", sign, num_show(text, sizeof text, fabs(v), 3))
		       : arena_printf(a, "%s%s", fabs(v) < 1e-12 ? "" : sign,
				      fixed_size(a, v, p->decimals));
}

static double widest(const struct plan *p, bool below)
{
	double most = p->w->label_title != NULL ? pen_measure(p->pen, p->w->label_title).w : 0;
	for (size_t i = 0; i < p->n; i++) {
		const struct sum_step *const s = &p->steps[i];
		most = fmax(most, pen_measure(p->pen, s->label).w);
		if (below && s->about != NULL && s->kind != STEP_NOTE)
			most = fmax(most, pen_measure(p->pen, s->about).w);
	}
	return most;
}

static double widest_about(const struct plan *p)
{
	double most = 0;
	for (size_t i = 0; i < p->n; i++)
		if (p->steps[i].about != NULL && p->steps[i].kind != STEP_NOTE)
			most = fmax(most, pen_measure(p->pen, p->steps[i].about).w);
	return most;
}

/* Returns whether bars have room beside labels, explanations and values. */
static bool has_beside(const struct plan *p)
{
	const double em = p->pen->em, all = widest(p, false) + widest_about(p) + 8 * em;
	return p->pen->at.w - all - 6 * em >= 30 * em;
}

/* Gives each step more height: higher bars first, then space between them; on cells a blank
 * line. */
static void spread(struct plan *p, double more)
{
	const double line = p->pen->line, row = p->row;
	if (p->pen->cell > 0) {
		p->gap = more >= 1 ? 1 : 0;
		return;
	}
	p->row = fmin(row + fmax(0, more), fmax(row, 1.8 * line));
	p->gap = fmin(fmax(0, more - (p->row - row)), 1.6 * line);
}

/* Chooses the parts that fit: ticks, then explanations of steps, then more facts. */
static void plan_rows(struct plan *p)
{
	const struct pen *const pen = p->pen;
	const double h = pen->at.h + 1e-6;
	const size_t all = facts(p, SIZE_MAX, false);
	p->fact_lines = all > 0 && h >= 4 * pen->line;
	const bool sums = largest(p) > 0; /* or there are only words */
	p->head = sums && h >= 9 * pen->line;
	const double left = h - lines_of(p) + (double)p->n * p->row;
	shorten(p, left > p->row ? (size_t)(left / p->row) : 1);
	p->head = sums;
	p->head = sums && lines_of(p) <= h;
	p->below = explained(p) <= BELOW || !has_beside(p);
	p->below = p->below && lines_of(p) <= h;
	for (p->fact_lines = all; p->fact_lines > 1 && lines_of(p) > h;)
		p->fact_lines--;
	p->fact_lines = h >= 4 * pen->line ? p->fact_lines : 0;
	spread(p, (h - lines_of(p)) / (double)(p->n > 0 ? p->n : 1));
}

/* Computes the limits of the bars, in the unit of the values. */
static void plan_range(struct plan *p)
{
	double end = 0;
	for (size_t i = 0; i < p->n; i++) {
		const struct sum_step *const s = &p->steps[i];
		if (s->kind == STEP_NOTE || !isfinite(s->value))
			continue;
		end = s->kind == STEP_TOTAL ? s->value : end + s->value;
		p->lo = fmin(p->lo, end);
		p->hi = fmax(p->hi, end);
	}
	if (!(p->hi > p->lo))
		p->hi = p->lo + 1;
}

static void plan_cols(struct plan *p)
{
	const struct pen *const pen = p->pen;
	const double em = pen->em, w = pen->at.w, gap = 2 * em;
	p->decimals = decimals_of(p);
	p->value = p->w->value_title != NULL ? pen_measure(pen, p->w->value_title).w : 0;
	for (size_t i = 0; i < p->n; i++)
		p->value = fmax(p->value,
				fmin(pen_measure(pen, value_text(p, &p->steps[i])).w, 10 * em));
	p->label = fmin(widest(p, p->below), fmax(pen_whole(pen, w * 0.36), 8 * em));
	p->about = widest_about(p);
	p->beside = !p->below && has_beside(p);
	p->about = p->beside ? p->about + gap : 0;
	p->from = pen->at.x + p->label + p->about + gap + p->value + gap;
	p->plot = pen->at.x + w - p->from - 2 * em; /* the sign after the last bar */
	if (p->plot >= BARS * em)
		return;
	p->label = fmax(w - p->value - em, em);
	p->from = pen->at.x + w + gap;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static double place(const struct plan *p, double value)
{
	return p->from + (value - p->lo) / (p->hi - p->lo) * p->plot;
}

static void draw_head(const struct plan *p, double y)
{
	const struct pen *const pen = p->pen;
	double at[TICKS];
	const size_t most = (size_t)fmax(2, fmin(TICKS, p->plot / (9 * pen->em)));
	if (p->w->label_title != NULL)
		pen_text_fit(pen, ROLE_QUIET, 0, pen->at.x, y, p->label, p->w->label_title);
	if (p->w->value_title != NULL)
		pen_text(pen, ROLE_QUIET, 1, p->from - 2 * pen->em, y, p->w->value_title);
	if (p->plot < BARS * pen->em)
		return;
	const size_t n = scale_ticks(p->lo, p->hi, most, at);
	const char **const labels = scale_tick_labels(pen->arena, at, n, true);
	double end = p->from - pen->em;
	for (size_t i = 0; i < n; i++) {
		const double w = pen_measure(pen, labels[i]).w;
		const double x =
			fmin(fmax(place(p, at[i]) - w / 2, end), pen->at.x + pen->at.w - w);
		if (x < end)
			continue;
		pen_text(pen, ROLE_QUIET, 0, x, y, labels[i]);
		end = x + w + pen->em;
	}
}

static enum tone tone_of(const struct sum_step *s)
{
	if (s->kind == STEP_TOTAL)
		return s->strong ? TONE_TOTAL : TONE_PART;
	return s->value < 0 ? TONE_MINUS : TONE_PLUS;
}

static double bar_height(const struct plan *p)
{
	return fmin(p->pen->bar * p->row, 1.3 * p->pen->line);
}

static void draw_bar(const struct plan *p, const struct sum_step *s, double begin, double end,
		     double y)
{
	const struct pen *const pen = p->pen;
	const double x0 = place(p, fmin(begin, end)), x1 = place(p, fmax(begin, end));
	const double thick = bar_height(p);
	if (!(fabs(end - begin) > 1e-9 * (p->hi - p->lo)))
		return;
	pen_span(pen, p->w->colormap, tone_of(s), (struct area){x0, y - thick / 2, x1 - x0, thick});
	if (s->kind == STEP_ADDEND)
		pen_sign(pen, p->w->colormap, tone_of(s), x1 + pen->gap, y);
}

static void draw_words(const struct plan *p, const struct sum_step *s, double y)
{
	const struct pen *const pen = p->pen;
	const double x = pen->at.x, after = p->from - 2 * pen->em;
	const bool note = s->kind == STEP_NOTE, said = s->about != NULL && *s->about != '\0';
	const enum role role = s->strong || s->kind == STEP_ADDEND ? ROLE_STRONG : ROLE_PLAIN;
	pen_text_fit(pen, role, 0, x, y, p->label, s->label);
	if (said && p->below && !note)
		pen_text_fit(pen, ROLE_QUIET, 0, x, y + p->row / 2 + p->sub / 2, p->label,
			     s->about);
	if (said && p->beside && !note)
		pen_text_fit(pen, ROLE_QUIET, 0, x + p->label + 2 * pen->em, y,
			     p->about - 2 * pen->em, s->about);
	const char *const value = value_text(p, s);
	if (!note) {
		pen_text(pen, role, 1, after, y, value);
		return;
	}
	const double from = after - p->value, right = pen->at.x + pen->at.w;
	pen_text_fit(pen, ROLE_PLAIN, 0, from, y, right - from, value);
	const double rest = fmax(from + pen_measure(pen, value).w + 2 * pen->em, p->from);
	const struct size about = said ? pen_measure(pen, s->about) : (struct size){0};
	if (!said || rest + about.w > right)
		return;
	pen_blank(pen, (struct area){rest, y - about.h / 2, about.w, about.h});
	pen_text(pen, ROLE_QUIET, 0, rest, y, s->about);
}

/* Returns the value at which the next bar begins if it continues this one, else NAN. */
static double joined(const struct plan *p, size_t i, double end)
{
	for (size_t k = i + 1; k < p->n; k++) {
		const struct sum_step *const s = &p->steps[k];
		if (s->kind == STEP_NOTE)
			continue;
		const bool same = fabs(s->value - end) <= 1e-9 * (p->hi - p->lo);
		return s->kind == STEP_ADDEND || same ? end : (double)NAN;
	}
	return NAN;
}

static void draw_steps(const struct plan *p, double y)
{
	const struct pen *const pen = p->pen;
	const bool bars = p->plot >= BARS * pen->em && largest(p) > 0;
	const double thick = bar_height(p);
	const double bottom = lines_of(p) + pen->at.y;
	double end = 0;
	if (bars)
		pen_zero(pen, place(p, 0), y, fmin(bottom, pen->at.y + pen->at.h));
	for (size_t i = 0; i < p->n; i++) {
		const struct sum_step *const s = &p->steps[i];
		const double mid = y + p->row / 2, begin = s->kind == STEP_TOTAL ? 0 : end;
		const bool sub = p->below && s->about != NULL && s->kind != STEP_NOTE;
		const double next = y + p->row + (sub ? p->sub : 0) + p->gap;
		draw_words(p, s, mid);
		if (s->kind != STEP_NOTE && isfinite(s->value)) {
			end = s->kind == STEP_TOTAL ? s->value : end + s->value;
			if (bars)
				draw_bar(p, s, begin, end, mid);
		}
		const double x = joined(p, i, end);
		if (bars && !isnan(x) && (s->kind != STEP_NOTE || pen->cell > 0))
			pen_drop(pen, place(p, x), mid + thick / 2, next + (p->row - thick) / 2);
		y = next;
	}
}

static double higher(const struct pen *pen, double high, const char *text)
{
	return text != NULL ? fmax(high, pen_measure(pen, text).h) : high;
}

/* Splits facts that do not fit in a line: the note begins another line. */
static void split_facts(struct plan *p)
{
	const struct pen *const pen = p->pen;
	struct card_line *const out = arena_calloc(pen->arena, 2 * p->w->n_facts + 1, sizeof *out);
	for (size_t i = 0; i < p->w->n_facts; i++) {
		const struct card_line *const f = &p->w->facts[i];
		out[p->n_facts++] = *f;
		if (f->note == NULL || (f->key == NULL && f->value == NULL) ||
		    fact(pen, f, 0, 0, false) <= pen->at.w)
			continue;
		out[p->n_facts - 1].note = NULL;
		out[p->n_facts++] = (struct card_line){.note = f->note};
	}
	p->facts = out;
}

/* Scripts differ in height, so rows are as high as the highest of their texts. */
static void plan_heights(struct plan *p)
{
	const struct pen *const pen = p->pen;
	double high = pen->line;
	for (size_t i = 0; i < p->w->n_facts; i++)
		high = higher(pen, higher(pen, high, p->w->facts[i].value), p->w->facts[i].note);
	p->fact = fmax(high, pen->line + pen->air / 4);
	for (size_t i = 0; i < p->n; i++)
		high = higher(pen, higher(pen, high, p->steps[i].label), p->steps[i].about);
	p->row = fmax(high, pen->line * pen->leading);
	p->sub = high;
}

static struct plan plan_of(const struct pen *pen, const struct waterfall *w)
{
	struct plan p = {.pen = pen, .w = w, .n = w->n};
	p.steps = arena_calloc(pen->arena, w->n + 1, sizeof *p.steps);
	if (w->n > 0)
		memcpy(p.steps, w->steps, w->n * sizeof *p.steps);
	split_facts(&p);
	plan_heights(&p);
	return p;
}

static bool has_bars(const struct plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->steps[i].kind != STEP_NOTE)
			return true;
	return false;
}

void pen_waterfall(const struct pen *pen, const struct waterfall *w)
{
	struct plan p = plan_of(pen, w);
	plan_rows(&p);
	plan_range(&p);
	plan_cols(&p);
	double y = pen->at.y;
	if (p.fact_lines > 0)
		y += (double)facts(&p, p.fact_lines, true) * p.fact + pen->air / 2;
	if (p.head) {
		draw_head(&p, y + pen->line / 2);
		y += pen->line + pen->air / 2;
	}
	draw_steps(&p, y);
	/* The plot includes the signs after the bars. */
	if (has_bars(&p))
		pen_plot(pen, (struct area){p.from, y, fmax(pen->at.x + pen->at.w - p.from, 1),
					    fmax(1, lines_of(&p) + pen->at.y - y)});
}

double pen_waterfall_wish(const struct pen *pen, const struct waterfall *w)
{
	struct plan p = plan_of(pen, w);
	p.head = true;
	p.below = explained(&p) <= BELOW || !has_beside(&p);
	p.fact_lines = facts(&p, SIZE_MAX, false);
	return lines_of(&p);
}
