/* pen_card.c: a card: a formula, lines of key, value and note, and a sentence about them. The same
 * function measures and draws, so what was measured is what is drawn. A card has several forms; the
 * most spacious one that fits is taken. Spare lines are dropped before notes, and notes before
 * anything is cut; on a screen lines are then left out whole. Lines that are pointed out come first if
 * not all have room. */
#include "plot/pen.h"

#include <math.h>
#include <string.h>

enum {
	TWO_COLUMNS = 72,  /* least ems for two columns of lines */
	FIRST_COLUMN = 55, /* percent; its lines are the longer ones */
	KEYS = 40,	   /* the largest share of a line for the keys, in percent */
	KEYS_LEAST = 8,	   /* least ems for keys */
	BESIDE_KEYS = 8,   /* least ems for values beside keys; with less they follow the keys */
	FORMS = 4
};
static const double GAP = 1.5; /* from key to value, in ems */

enum notes {
	NOTES_BEHIND, /* after the values */
	NOTES_BELOW,  /* below the values */
	NOTES_NONE
};

struct form {
	bool two;	  /* two columns of lines */
	bool about_first; /* the sentence precedes the lines */
	double row;	  /* space above and below a rule */
	double part;	  /* space between formula, sentence and lines */
	enum notes notes;
};

static const struct form forms_of[][FORMS] = {
	[ON_SCREEN] = {{.part = 1}, {.part = 0}, {.two = true, .part = 1}, {.two = true}},
	[IN_ROOM] = {{.row = 0.5, .part = 1}, {.part = 1}, {.part = 0}, {.two = true}},
	[ON_PAPER] = {{false, true, 9, 18, NOTES_BELOW},
		      {false, true, 5, 10, NOTES_BELOW},
		      {false, true, 3, 7, NOTES_BEHIND},
		      {false, true, 3, 7, NOTES_NONE}}};

struct plan {
	const struct pen *pen;
	const struct card *card;
	const struct form *form;
	bool draw;
};

static bool given(const char *text)
{
	return text != NULL && *text != '\0';
}

static double wrap(const struct plan *p, struct area at, enum role role, const char *text)
{
	const struct text_run run = {role, text};
	return pen_wrap(p->pen, at, &run, 1, p->draw);
}

/* Returns the width of the keys in a line, with the gap after them; 0 if values follow their
 * keys. */
static double keys_width(const struct plan *p, double width)
{
	const struct pen *const pen = p->pen;
	double most = 0;
	for (size_t i = 0; i < p->card->n; i++)
		if (given(p->card->lines[i].key))
			most = fmax(most, pen_measure(pen, p->card->lines[i].key).w);
	const double keys = fmin(most, pen_whole(pen, width * KEYS / 100));
	const bool cramped = (keys < most && keys < KEYS_LEAST * pen->em) ||
			     width <= keys + BESIDE_KEYS * pen->em;
	return most <= 0 || cramped ? 0 : keys + pen_round(pen, GAP * pen->em);
}

static const char *value_words(const struct plan *p, const struct card_line *line)
{
	return line->formula != NULL ? pen_formula_words(p->pen, line->formula) : line->value;
}

/* Lays out value and note, after the key if keys have no column; returns the height. */
static double walk_value(const struct plan *p, const struct card_line *line, bool keyed,
			 bool marked, struct area at)
{
	const bool noted =
		given(line->note) && (p->form->notes != NOTES_NONE || !given(line->value));
	const bool below = noted && p->form->notes == NOTES_BELOW;
	struct text_run runs[3];
	size_t n = 0;
	if (keyed)
		runs[n++] = (struct text_run){marked ? ROLE_PATH : ROLE_QUIET, line->key};
	if (given(line->value))
		runs[n++] =
			(struct text_run){marked ? ROLE_PATH : ROLE_VALUE, value_words(p, line)};
	if (noted && !below)
		runs[n++] = (struct text_run){ROLE_QUIET, line->note, .parted = given(line->value)};
	double height = pen_wrap(p->pen, at, runs, n, p->draw);
	if (!below)
		return height;
	height += n > 0 ? 2 * p->pen->unit : 0;
	at.y += height;
	return height + wrap(p, at, ROLE_QUIET, line->note);
}

static double walk_line(const struct plan *p, size_t i, double keys, struct area at)
{
	const struct card_line *const line = &p->card->lines[i];
	const bool marked = card_is_marked(p->card, i);
	const struct area key = {at.x, at.y, keys - pen_round(p->pen, GAP * p->pen->em), 0};
	const struct area value = {at.x + keys, at.y, at.w - keys, 0};
	const bool keyed = given(line->key);
	const double height = walk_value(p, line, keyed && keys <= 0, marked, value);
	return keyed && keys > 0
		       ? fmax(height, wrap(p, key, marked ? ROLE_PATH : ROLE_QUIET, line->key))
		       : height;
}

/* Marks a line that is pointed out, below its text. */
static void mark_line(const struct plan *p, size_t i, double keys, struct area at)
{
	struct plan measure = *p;
	measure.draw = false;
	if (!p->draw || !card_is_marked(p->card, i))
		return;
	const double air = p->pen->cell > 0 ? 0 : p->form->row * p->pen->unit;
	at.h = walk_line(&measure, i, keys, at) + 2 * air;
	at.y -= air;
	if (!(p->pen->cell > 0) || given(p->card->lines[i].key))
		pen_chosen(p->pen, at);
}

/* Lays out lines [from, to) below each other; returns the height. */
static double walk_lines(const struct plan *p, size_t from, size_t to, struct area at)
{
	const double mark = p->card->marked != NULL ? p->pen->mark : 0;
	at.x += mark;
	at.w -= mark;
	const double top = at.y, keys = keys_width(p, at.w);
	const double row = p->form->row * p->pen->unit;
	for (size_t i = from; i < to; i++) {
		const struct card_line *const line = &p->card->lines[i];
		if (i > from && given(line->key)) {
			at.y += row;
			if (p->draw)
				pen_rule(p->pen, at, at.y);
			at.y += row;
		} else if (i > from) {
			at.y += pen_whole(p->pen, row / 2);
		}
		mark_line(p, i, keys, at);
		at.y += walk_line(p, i, keys, at);
	}
	return at.y - top;
}

static double walk_columns(const struct plan *p, struct area at)
{
	const size_t n = p->card->n;
	if (!p->form->two)
		return walk_lines(p, 0, n, at);
	size_t half = (n + 1) / 2;
	while (half < n && p->card->lines[half].key == NULL)
		half++; /* a continued line stays with its key */
	const double em = p->pen->em, middle = pen_whole(p->pen, at.w * FIRST_COLUMN / 100);
	const struct area left = {at.x, at.y, middle - em, at.h};
	const struct area right = {at.x + middle + em, at.y, at.w - middle - em, at.h};
	return fmax(walk_lines(p, 0, half, left), walk_lines(p, half, n, right));
}

/* The parts from top to bottom; the sentence is in one of its two places. */
enum part { PART_FORMULA, PART_ABOUT, PART_LINES, PART_ABOUT_LAST, PART_NO_NOTES, PARTS };

/* Lays out a part; returns its height, 0 if it is absent. */
static double walk_part(const struct plan *p, enum part part, struct area at)
{
	const struct card *const card = p->card;
	const struct form *const form = p->form;
	const bool brief = p->pen->terse && form->notes == NOTES_NONE;
	switch (part) {
	case PART_FORMULA:
		return given(card->formula) ? pen_formula(p->pen, at, card->formula, p->draw) : 0;
	case PART_ABOUT:
	case PART_ABOUT_LAST:
		return given(card->about) && !brief && (part == PART_ABOUT) == form->about_first
			       ? wrap(p, at, ROLE_QUIET, card->about)
			       : 0;
	case PART_LINES:
		return walk_columns(p, at);
	case PART_NO_NOTES:
		return form->notes == NOTES_NONE
			       ? wrap(p, at, ROLE_QUIET, "with notes on a larger page")
			       : 0;
	case PARTS:
		break;
	}
	return 0;
}

/* Lays out the whole card; returns the height. */
static double walk(const struct plan *p, struct area at)
{
	double height = 0;
	for (enum part part = 0; part < PARTS; part++) {
		const double air = height > 0 ? p->form->part * p->pen->unit : 0;
		const struct area rest = {at.x, at.y + height + air, at.w, at.h};
		const double own = walk_part(p, part, rest);
		height += own > 0 ? air + own : 0;
	}
	return height;
}

/* Chooses the most spacious form that fits, else the last; false if none does. As long as there are
 * spare lines to drop, forms without notes are not considered. */
static bool fit(struct plan *p)
{
	const struct form *const forms = forms_of[p->pen->occasion];
	for (size_t i = 0; i < FORMS; i++) {
		if ((forms[i].two && p->pen->at.w < TWO_COLUMNS * p->pen->em) ||
		    (forms[i].notes == NOTES_NONE && p->card->n_spare > 0))
			break;
		p->form = &forms[i];
		if (walk(p, p->pen->at) <= p->pen->at.h)
			return true;
	}
	return false;
}

static struct card without_last(const struct card *card, size_t n)
{
	struct card out = *card;
	out.n -= n;
	out.n_spare -= n;
	return out;
}

/* Returns the text without the last of its sentences; NULL: it has only one. */
static const char *without_last_sentence(struct arena *a, const char *text)
{
	const char *end = NULL;
	for (const char *at = text; (at = strstr(at, ". ")) != NULL; at += 2)
		if (at[2] >= 'A' && at[2] <= 'Z') /* "et al. 2020" goes on */
			end = at + 1;
	return end != NULL ? arena_strndup(a, text, (size_t)(end - text)) : NULL;
}

/* Tries the closest forms alone; false: none fits. */
static bool fit_closely(struct plan *p)
{
	const struct form *const forms = forms_of[p->pen->occasion];
	for (size_t i = 0; i < FORMS; i++) {
		if (forms[i].part > 0 || (forms[i].two && p->pen->at.w < TWO_COLUMNS * p->pen->em))
			continue;
		p->form = &forms[i];
		if (walk(p, p->pen->at) <= p->pen->at.h)
			return true;
	}
	return false;
}

/* Tries the first `n` lines of a card, the first `noted` of them with their notes, and how many of `all` lines
 * are not there. */
static bool fit_some(struct plan *p, const struct card *whole, size_t n, size_t noted, size_t all,
		     struct card *out)
{
	struct arena *const a = p->pen->arena;
	struct card_line *const lines = arena_calloc(a, n + 1, sizeof *lines);
	if (n < whole->n && !given(whole->lines[n].key))
		return false; /* it stays with the line before */
	for (size_t i = 0; i < n; i++) {
		lines[i] = whole->lines[i];
		lines[i].note = i < noted ? lines[i].note : NULL;
		if (i >= noted && !given(lines[i].value))
			return false;
	}
	lines[n] = (struct card_line){.note = arena_printf(a, "%zu more", all - n)};
	*out = *whole;
	out->about = NULL;
	out->lines = lines;
	out->n = n + (all > n);
	out->n_spare = 0;
	p->card = out;
	return fit_closely(p);
}

/* Leaves out the last sentences of the text, and then the last lines, until the others are whole, and says how
 * many of `all` are left out; those that fit without their notes stay. False: not even the first line is whole. */
static bool leave_out(struct plan *p, size_t all, struct card *card)
{
	const struct card whole = *card;
	p->card = card;
	while (card->about != NULL) {
		card->about = without_last_sentence(p->pen->arena, card->about);
		if (fit(p))
			return true;
	}
	size_t noted = whole.n;
	while (noted > 0 && !fit_some(p, &whole, noted, noted, all, card))
		noted--;
	size_t best = noted;
	for (size_t n = noted + 1; noted > 0 && n <= whole.n; n++)
		best = fit_some(p, &whole, n, noted, all, card) ? n : best;
	if (noted > 0)
		return fit_some(p, &whole, best, noted, all, card);
	*card = whole;
	return false;
}

/* Lays out the card with its sentence or without it, and with the notes of its first lines: as many as fit, at least
 * `least`; false: fewer fit. */
static bool note_first(struct plan *p, const struct card *whole, bool about, size_t least,
		       struct card *out)
{
	struct card_line *const lines = arena_calloc(p->pen->arena, whole->n + 1, sizeof *lines);
	*out = *whole;
	out->about = about ? whole->about : NULL;
	out->lines = lines;
	p->card = out;
	for (size_t noted = whole->n; noted-- > least;) {
		for (size_t i = 0; i < whole->n; i++) {
			lines[i] = whole->lines[i];
			if (i >= noted && given(lines[i].value))
				lines[i].note = NULL;
		}
		if (walk(p, p->pen->at) <= p->pen->at.h)
			return true;
	}
	return false;
}

/* On paper without room for all notes the sentence has room first, and then the notes of the first lines. */
static void note_some(struct plan *p, struct card *out)
{
	const struct card *const whole = p->card;
	const struct form *const none = p->form;
	size_t first = 0;
	while (first < whole->n && !given(whole->lines[first].note))
		first++;
	p->form = none - 1; /* the closest one with notes */
	if ((given(whole->about) && note_first(p, whole, true, 0, out)) ||
	    note_first(p, whole, !p->pen->terse, first + 1, out))
		return;
	p->card = whole;
	p->form = none;
}

void pen_card(const struct pen *pen, const struct card *card)
{
	struct card all = without_last(card, pen->occasion == ON_PAPER ? card->n_keys : 0);
	struct plan p = {.pen = pen, .card = &all};
	if (all.marked != NULL && !fit(&p))
		all = card_marked_first(pen->arena, &all);
	const struct card less = without_last(&all, all.n_spare - all.n_first);
	const struct card least = without_last(&less, less.n_spare);
	const struct card *const cards[] = {&all, &less, &least};
	bool fits = false;
	for (size_t i = 0; i < sizeof cards / sizeof *cards && !fits; i++) {
		p.card = cards[i];
		fits = fit(&p);
		if (p.card->n_spare == 0)
			break;
	}
	struct card some = *p.card;
	if (!fits && pen->occasion == ON_SCREEN && all.marked == NULL &&
	    !leave_out(&p, all.n, &some))
		p.card = cards[2], fit(&p);
	struct card noted;
	if (fits && p.form->notes == NOTES_NONE)
		note_some(&p, &noted);
	const struct pen sheet = pen_sheet(pen);
	p.pen = &sheet;
	p.draw = true;
	pen_sheet_end(pen, &sheet, walk(&p, sheet.at));
}

double pen_card_wish(const struct pen *pen, const struct card *card)
{
	const struct plan p = {.pen = pen, .card = card, .form = forms_of[pen->occasion]};
	return walk(&p, pen->at);
}

double pen_card_least(const struct pen *pen, const struct card *card)
{
	const struct card less = without_last(card, card->n_spare);
	double least = INFINITY;
	for (size_t i = 0; i < FORMS; i++) {
		const struct plan p = {
			.pen = pen, .card = &less, .form = &forms_of[pen->occasion][i]};
		least = fmin(least, walk(&p, pen->at));
	}
	return least;
}
