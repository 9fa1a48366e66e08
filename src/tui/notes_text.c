/* notes_text.c: a beat as its speaker wants it: first what is asked, with the answers that are tempting and why, then
 * the notes, what the audience reads, and the sources. With the answer on the screen it and what is read come first, then
 * the notes and why the others tempted, by their letters: the question was read before, and ends the page where there is
 * room. */
#include <string.h>

#include "notes_in.h"
#include "posviz/base/text.h"
#include "tui_in.h"

struct text {
	struct arena *a;
	size_t cols;
	bool ascii;
	struct notes_line *lines;
	size_t n, cap;
};

static void add_line(struct text *t, struct notes_line line)
{
	t->lines = arena_grow(t->a, t->lines, t->n, &t->cap, sizeof *t->lines);
	t->lines[t->n++] = line;
}

/* Adds a text in as many lines as it takes; label and letter stand before the first. `lettered`: all leave room for a letter. */
static void add(struct text *t, const char *label, const char *letter, const char *text,
		bool lettered, unsigned attrs)
{
	const size_t before = NOTES_LABEL + (lettered ? NOTES_LETTER : 0);
	const size_t room = t->cols > before + 1 ? t->cols - before : 1;
	const char *at = t->ascii ? canvas_plain_text(t->a, text) : text;
	do {
		const size_t len = line_break(at, room);
		add_line(t,
			 (struct notes_line){label, letter, arena_strndup(t->a, at, len), attrs});
		at += len;
		at += strspn(at, " ");
		label = "";
		letter = lettered ? " " : "";
	} while (*at);
}

static void gap(struct text *t)
{
	if (t->n > 0)
		add_line(t, (struct notes_line){"", "", "", 0});
}

/* ---- questions --------------------------------------------------------------------------- */

static void add_wrong(struct text *t, const struct tour_beat *b, int option)
{
	for (size_t i = 0; i < b->n_wrong; i++)
		if (b->wrong[i].option == option && option >= 0)
			add(t, "", " ", b->wrong[i].text, true, 0);
		else if (b->wrong[i].option == option)
			add(t, "wrong", "", b->wrong[i].text, false, 0);
}

static void add_answers(struct text *t, const struct tour_beat *b)
{
	for (int i = 0; i < (int)b->n_options; i++) {
		const char letter[] = {tour_letter(i), '\0'};
		const bool right = i == b->right;
		add(t, right ? "right" : "wrong", arena_strdup(t->a, letter), b->options[i], true,
		    right ? ATTR_BOLD | ATTR_UNDERLINE : ATTR_BOLD);
		add_wrong(t, b, i);
	}
	if (b->answer)
		add(t, "answer", "", b->answer, false, ATTR_BOLD);
	add_wrong(t, b, -1);
}

/* Adds the right answer, and the words that the audience reads of it. */
static void add_revealed(struct text *t, const struct tour_beat *asked, const struct tour_beat *b)
{
	if (asked->right >= 0) {
		const char letter[] = {tour_letter(asked->right), '\0'};
		add(t, "right", arena_strdup(t->a, letter), asked->options[asked->right], true,
		    ATTR_BOLD | ATTR_UNDERLINE);
	}
	if (asked->answer)
		add(t, "answer", "", asked->answer, false, ATTR_BOLD);
	if (b->say)
		add(t, "shown", "", b->say, false, ATTR_DIM);
}

/* Why the others tempted. */
static void add_tempting(struct text *t, const struct tour_beat *asked)
{
	for (size_t i = 0; i < asked->n_wrong; i++) {
		const int option = asked->wrong[i].option;
		const char letter[] = {option >= 0 ? tour_letter(option) : '\0', '\0'};
		if (i == 0)
			gap(t);
		add(t, "wrong", arena_strdup(t->a, letter), asked->wrong[i].text, option >= 0, 0);
	}
}

/* ---- all of it --------------------------------------------------------------------------- */

static void add_said(struct text *t, const struct tour_beat *b)
{
	if (!b->say)
		return;
	gap(t);
	add(t, "shown", "", b->say, false, ATTR_DIM);
}

static void add_notes(struct text *t, const struct tour_step *s)
{
	for (size_t i = 0; i < s->n_notes; i++) {
		gap(t);
		add(t, "note", "", s->notes[i], false, 0);
	}
}

static void add_sources(struct text *t, const struct tour_step *s)
{
	for (size_t i = 0; i < s->n_sources; i++) {
		if (i == 0)
			gap(t);
		add(t, "source", "", s->sources[i], false, ATTR_DIM);
	}
}

static void add_answered(struct text *t, const struct tour_step *s, const struct tour_beat *b,
			 size_t rows)
{
	const struct tour_beat *const asked = b - 1;
	add_revealed(t, asked, b);
	add_notes(t, s);
	add_tempting(t, asked);
	add_sources(t, s);
	const size_t before = t->n;
	gap(t);
	add(t, "asked", "", asked->ask, false, ATTR_DIM);
	if (t->n > rows)
		t->n = before;
}

static bool is_gap(const struct notes_line *l)
{
	return !*l->label && !*l->letter && !*l->text;
}

/* Takes out lines of air, the last first, where the text has room without them. */
static void tighten(struct text *t, size_t rows)
{
	size_t gaps = 0;
	for (size_t i = 0; i < t->n; i++)
		gaps += is_gap(&t->lines[i]);
	if (t->n <= rows || t->n - gaps > rows)
		return;
	for (size_t i = t->n; i-- > 0 && t->n > rows;) {
		if (!is_gap(&t->lines[i]))
			continue;
		t->n--;
		memmove(&t->lines[i], &t->lines[i + 1], (t->n - i) * sizeof *t->lines);
	}
}

const struct notes_line *notes_lines(const struct tour *t, size_t beat, struct notes_room room,
				     bool ascii, struct arena *a, size_t *n)
{
	struct text text = {.a = a, .cols = room.cols, .ascii = ascii};
	const struct tour_beat *const b = &t->beats[beat];
	const struct tour_step *const s = &t->steps[b->step];
	if (b->reveals && !b->ask) {
		add_answered(&text, s, b, room.rows);
	} else {
		if (b->ask) {
			add(&text, "asked", "", b->ask, false, ATTR_BOLD);
			add_answers(&text, b);
		}
		add_notes(&text, s);
		add_said(&text, b);
		add_sources(&text, s);
	}
	tighten(&text, room.rows);
	*n = text.n;
	return text.lines;
}

/* ---- keys -------------------------------------------------------------------------------- */

static bool says_same(const struct binding *a, const struct binding *b)
{
	return strcmp(a->context, b->context) == 0 && strcmp(a->note, b->note) == 0;
}

static const char *keys_of(const struct app *app, size_t row, bool ascii, struct arena *a)
{
	const struct binding *const first = keymap_row(app, row), *b;
	struct strbuf keys;
	strbuf_init(&keys, a);
	for (size_t i = 0; (b = keymap_row(app, i)) != NULL; i++)
		if (says_same(b, first) && i < row)
			return NULL; /* they are said with that one */
		else if (says_same(b, first))
			strbuf_printf(&keys, "%s%s", keys.len ? " " : "", help_key(b->key, ascii));
	return keys.at;
}

const struct notes_line *notes_help(const struct app *app, size_t cols, bool ascii, struct arena *a,
				    size_t *n)
{
	enum { KEYS = 19, BROAD = 56 };
	struct text text = {.a = a, .cols = cols + NOTES_LABEL, .ascii = ascii};
	const struct binding *b;
	for (size_t i = 0; (b = keymap_row(app, i)) != NULL; i++) {
		const char *const keys =
			strcmp(b->context, "notes") == 0 ? keys_of(app, i, ascii, a) : NULL;
		if (!keys)
			continue;
		const int blank = KEYS - (int)text_width(keys);
		const bool one = cols >= BROAD && blank > 1;
		if (!one)
			add(&text, "", "", keys, false, ATTR_BOLD);
		add(&text, "", "",
		    arena_printf(a, "%s%*s%s", one ? keys : "", one ? blank : 2, "", b->note),
		    false, 0);
	}
	*n = text.n;
	return text.lines;
}

/* ---- what comes next ---------------------------------------------------------------------- */

const char *notes_next(const struct tour *t, size_t beat, bool brief, struct arena *a)
{
	const size_t step = t->beats[beat].step;
	const struct tour_step *const s = &t->steps[step];
	const bool more = beat + 1 < s->first + s->n;
	const struct tour_beat *const next = more ? &t->beats[beat + 1] : NULL;
	const char *const here = !next		 ? ""
				 : next->reveals ? "the answer, "
				 : next->ask	 ? "a question, "
						 : "more, ";
	const char *const then = next && !brief ? "then " : "";
	if (step + 1 == t->n_steps)
		return arena_printf(a, "%s%sthe end", here, then);
	return arena_printf(a, "%s%s%zu  %s", here, then, step + 2, t->steps[step + 1].title);
}

size_t notes_beat(const struct notes *n)
{
	const size_t step = n->at.step > 0 ? n->at.step : 1, beat = n->at.step > 0 ? n->at.beat : 1;
	if (!n->has_tour || step > n->tour.n_steps || beat > n->tour.steps[step - 1].n)
		return SIZE_MAX;
	return n->tour.steps[step - 1].first + beat - 1;
}
