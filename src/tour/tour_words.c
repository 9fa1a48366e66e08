/* tour_words.c: the directives of a tour: what each takes, where it may stand, and what it adds. */
#include <ctype.h>
#include <string.h>

#include "posviz/app/app.h"
#include "posviz/base/num.h"
#include "posviz/base/script.h"
#include "posviz/base/text.h"
#include "tour_in.h"

enum where { HEADER, STEP, BEAT, ASKED };

struct directive {
	struct script_word is; /* its place of enum where */
	void (*run)(struct reading *r, const char *text);
};

static const char *shown(struct reading *r, const char *text)
{
	return text_joined(r->a, text_escape(r->a, text, strlen(text)));
}

/* ---- header ---------------------------------------------------------------------------------------- */

static bool once(struct reading *r, bool *has, const char *name)
{
	if (*has)
		return reading_error(r, r->line, "a second %s", name);
	*has = true;
	return true;
}

static struct tour_part *part(struct reading *r)
{
	return &r->tour->parts[r->part];
}

static void run_title(struct reading *r, const char *text)
{
	if (once(r, &r->has_title, "title"))
		part(r)->title = shown(r, text);
}

static void run_author(struct reading *r, const char *text)
{
	if (once(r, &r->has_author, "author"))
		part(r)->author = shown(r, text);
}

static void run_about(struct reading *r, const char *text)
{
	if (once(r, &r->has_about, "about"))
		part(r)->about = shown(r, text);
}

/* ---- steps and beats ------------------------------------------------------------------------------- */

/* The scene so far, and whether there is something to be read. */
void beat_end(struct reading *r)
{
	struct tour_beat *const b = reading_beat(r);
	const struct draft *const d = reading_draft(r);
	if (!b->say && !b->ask)
		reading_error(r, b->line, "this beat has neither say nor ask");
	if (b->ask && b->n_options == 1)
		reading_error(r, d->option_line, "a question has 2 to %d options, or none",
			      TOUR_OPTIONS);
	if (b->ask && b->right < 0 && !b->answer)
		reading_error(r, b->line, "the question has no answer: answer %s would be right",
			      b->n_options ? "a" : "TEXT");
	for (size_t i = 0; i < b->n_wrong; i++)
		if (b->n_options && b->wrong[i].option == b->right)
			reading_error(r, d->wrong_lines[b->right], "wrong %c is the answer",
				      tour_letter(b->right));
	b->scene = r->app->scene;
}

/* A beat, or the step that begins with it. */
static bool too_many(struct reading *r, bool step)
{
	const struct tour *const t = r->tour;
	if ((!step || t->n_steps < TOUR_STEPS) && t->n_beats < TOUR_BEATS)
		return false;
	if (!r->full)
		reading_error(r, r->line, "a tour has at most %d steps of %d beats in all",
			      TOUR_STEPS, TOUR_BEATS);
	return r->full = true;
}

/* Focus and what is pointed out last until the end of the step. */
static void begin_beat(struct reading *r, bool reveals)
{
	struct tour *const t = r->tour;
	const bool follows = t->n_beats > 0 && t->beats[t->n_beats - 1].step == t->n_steps - 1;
	const bool asked = follows && t->beats[t->n_beats - 1].ask;
	t->beats = tour_grown(r->a, t->beats, t->n_beats, &r->cap_beats, sizeof *t->beats);
	r->drafts = tour_grown(r->a, r->drafts, t->n_beats, &r->cap_drafts, sizeof *r->drafts);
	struct tour_beat *const b = &t->beats[t->n_beats];
	struct draft *const d = &r->drafts[t->n_beats];
	*b = (struct tour_beat){
		.step = t->n_steps - 1, .line = r->line, .reveals = reveals, .right = -1};
	*d = (struct draft){.asked = asked};
	if (follows) {
		const struct tour_beat *const before = b - 1;
		b->focus = before->focus;
		b->marks = before->marks;
		b->n_marks = before->n_marks;
		d->broken = r->drafts[t->n_beats - 1].broken;
	}
	r->cap_expects = r->cap_wrong = 0;
	t->n_beats++;
	t->steps[t->n_steps - 1].n++;
}

static void run_step(struct reading *r, const char *text)
{
	struct tour *const t = r->tour;
	if (r->in_step) {
		if (reading_beat(r)->ask)
			reading_error(r, reading_beat(r)->line, "ask is not followed by reveal");
		beat_end(r);
	}
	if (too_many(r, true))
		return;
	t->steps = tour_grown(r->a, t->steps, t->n_steps, &r->cap_steps, sizeof *t->steps);
	t->steps[t->n_steps++] = (struct tour_step){
		.title = shown(r, text), .first = t->n_beats, .line = r->line, .part = r->part};
	r->in_step = true;
	r->has_time = false;
	r->cap_notes = r->cap_sources = 0;
	begin_beat(r, false);
}

static void run_wait(struct reading *r, const char *text)
{
	(void)text;
	if (reading_beat(r)->ask)
		reading_error(r, r->line, "ask is not followed by reveal");
	beat_end(r);
	if (!too_many(r, false))
		begin_beat(r, false);
}

static void run_reveal(struct reading *r, const char *text)
{
	(void)text;
	if (!reading_beat(r)->ask)
		reading_error(r, r->line, "reveal follows ask, and this beat has none");
	beat_end(r);
	if (!too_many(r, false))
		begin_beat(r, true);
}

static void run_time(struct reading *r, const char *text)
{
	long minutes, seconds;
	const char *const colon = strchr(text, ':');
	if (!once(r, &r->has_time, "time in one step"))
		return;
	if (!colon || strlen(colon) != 3 ||
	    !num_parse_long(text, (size_t)(colon - text), 0, 999, &minutes, NULL) ||
	    !num_parse_long(colon + 1, 2, 0, 59, &seconds, NULL)) {
		reading_error(r, r->line,
			      "time: %s stands where M:SS, such as 1:05, would be right",
			      text_quote(r->a, text, strlen(text)));
		return;
	}
	reading_step(r)->seconds = 60.0 * (double)minutes + (double)seconds;
}

/* ---- what is read ---------------------------------------------------------------------------------- */

static void run_say(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	if (b->say) {
		reading_error(r, r->line, "a second say in one beat: put wait between them");
		return;
	}
	b->say = shown(r, text);
	reading_draft(r)->say_line = r->line;
}

static void run_ask(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	if (b->ask)
		reading_error(r, r->line, "a second ask in one beat: put reveal between them");
	else
		b->ask = shown(r, text);
}

static void run_option(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	if (b->answer || b->right >= 0)
		reading_error(r, r->line, "options stand before the answer");
	else if (b->n_options == TOUR_OPTIONS)
		reading_error(r, r->line, "a question has 2 to %d options, or none", TOUR_OPTIONS);
	else
		b->options[b->n_options++] = shown(r, text);
	reading_draft(r)->option_line = r->line;
}

/* Which of the options a letter alone names; -1: it names none. */
static int option_of(const struct tour_beat *b, const char *text, size_t len)
{
	const int at = len == 1 ? text[0] - 'a' : -1;
	return at >= 0 && at < (int)b->n_options ? at : -1;
}

static const char *letters(const struct tour_beat *b, struct arena *a)
{
	const char *out = "";
	for (int i = 0; i < (int)b->n_options; i++)
		out = arena_printf(a, "%s%s%c", out, i ? ", " : "", tour_letter(i));
	return out;
}

static void run_answer(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	if (b->answer || b->right >= 0) {
		reading_error(r, r->line, "a second answer");
	} else if (b->n_options == 0) {
		b->answer = shown(r, text);
	} else {
		b->right = option_of(b, text, strlen(text));
		if (b->right < 0)
			reading_error(r, r->line, "answer names no option; there are %s",
				      letters(b, r->a));
	}
}

static void run_wrong(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	const size_t len = strcspn(text, " \t");
	struct tour_wrong w = {-1, text};
	if (b->n_options > 0) {
		w.option = option_of(b, text, len);
		w.text = text + len + strspn(text + len, " \t");
		if (w.option < 0 || *w.text == '\0') {
			reading_error(r, r->line, "wrong %s; there are %s, each with why it fails",
				      w.option < 0 ? "names no option" : "says no reason",
				      letters(b, r->a));
			return;
		}
		reading_draft(r)->wrong_lines[w.option] = r->line;
	}
	w.text = shown(r, w.text);
	struct tour_wrong *const all =
		tour_grown(r->a, (struct tour_wrong *)(void *)(uintptr_t)b->wrong, b->n_wrong,
			   &r->cap_wrong, sizeof *all);
	all[b->n_wrong++] = w;
	b->wrong = all;
}

static void add_text(struct reading *r, const char ***to, size_t *n, size_t *cap, const char *text)
{
	*to = tour_grown(r->a, (void *)*to, *n, cap, sizeof **to);
	(*to)[(*n)++] = shown(r, text);
}

static void run_note(struct reading *r, const char *text)
{
	struct tour_step *const s = reading_step(r);
	add_text(r, &s->notes, &s->n_notes, &r->cap_notes, text);
}

static void run_source(struct reading *r, const char *text)
{
	struct tour_step *const s = reading_step(r);
	add_text(r, &s->sources, &s->n_sources, &r->cap_sources, text);
}

/* ---- what is looked at ----------------------------------------------------------------------------- */

/* "P or Q": P in the first view of "view A or B", Q in the second. */
static void run_focus(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	struct draft *const d = reading_draft(r);
	const char *const or = strstr(text, " or ");
	if (d->focus_line) {
		reading_error(r, r->line, "a second focus in one beat");
		return;
	}
	d->focus_line = r->line;
	const char *const first = or ? arena_strndup(r->a, text, (size_t)(or -text)) : text;
	const char *const chosen = or &&b->fell_back ? or +4 : first;
	b->focus = strcmp(chosen, "all") == 0 ? NULL : shown(r, chosen + strspn(chosen, " \t"));
}

static const struct {
	const char *word;
	enum mark_kind kind;
} mark_words[] = {{"cell", MARK_CELL},	   {"row", MARK_ROW},
		  {"column", MARK_COLUMN}, {"diagonal", MARK_DIAGONAL},
		  {"curve", MARK_CURVE},   {"line", MARK_LINE},
		  {"at", MARK_AT},	   {"heading", MARK_HEADING}};
enum { MARK_WORDS = sizeof mark_words / sizeof *mark_words };

/* Reads all words up to the comma. */
static bool read_name(const char **at, struct arena *a, const char **out, struct err *err)
{
	*at += strspn(*at, " \t");
	size_t len = strcspn(*at, ",");
	const char *const end = *at + len;
	while (len > 0 && strchr(" \t", (*at)[len - 1]))
		len--;
	*out = arena_strndup(a, *at, len);
	*at = end;
	return len > 0 || err_set(err, "a name is missing behind it");
}

static bool read_mark(const char **at, struct arena *a, struct tour_mark *out, struct err *err)
{
	const size_t len = strcspn(*at, " \t,");
	size_t i = 0;
	while (i < MARK_WORDS &&
	       !(strlen(mark_words[i].word) == len && strncmp(mark_words[i].word, *at, len) == 0))
		i++;
	if (i == MARK_WORDS)
		return err_set(
			err,
			"%s stands where cell T→S, row T, column S, diagonal D, curve NAME, at POSITION, "
			"line NAME or heading NAME would be right",
			text_quote(a, *at, len));
	*out = (struct tour_mark){.kind = mark_words[i].kind};
	*at += len;
	if (out->kind == MARK_CURVE || out->kind == MARK_LINE || out->kind == MARK_AT ||
	    out->kind == MARK_HEADING)
		return read_name(at, a, &out->name, err);
	if (out->kind == MARK_CELL)
		return quantity_cell_parse(at, a, &out->t, &out->s, err);
	if (out->kind == MARK_DIAGONAL)
		return quantity_whole_parse(at, a, -INPUT_MAX_TOKENS, &out->diagonal, err);
	return quantity_place_parse(at, a, out->kind == MARK_ROW ? &out->t : &out->s, err);
}

/* "cell T→S, row T": into marks[TOUR_MARKS]. */
static bool read_marks(const char *at, struct arena *a, struct tour_mark *marks, size_t *n,
		       struct err *err)
{
	for (*n = 0;; at += 1 + strspn(at + 1, " \t")) {
		if (*n == TOUR_MARKS)
			return err_set(err, "at most %d are highlighted at a time", TOUR_MARKS);
		if (!read_mark(&at, a, &marks[(*n)++], err))
			return false;
		at += strspn(at, " \t");
		if (*at == '\0')
			return true;
		if (*at != ',')
			return err_set(err, "%s is too much; a comma parts them",
				       text_quote(a, at, strlen(at)));
	}
}

static void run_highlight(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	struct tour_mark *const marks = arena_calloc(r->a, TOUR_MARKS, sizeof *marks);
	struct err err;
	reading_draft(r)->marks_line = r->line;
	b->marks = marks;
	b->n_marks = 0;
	if (strcmp(text, "none") != 0 && !read_marks(text, r->a, marks, &b->n_marks, &err))
		reading_error(r, r->line, "highlight: %s", err.text);
}

static void run_play(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	if (b->ask)
		reading_error(r, r->line, "it would show the answer: put it after reveal");
	else if (b->play.name)
		reading_error(r, r->line, "a second play in one beat");
	else if (play_read(r, text))
		reading_draft(r)->play_line = r->line;
}

static void run_expect(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	struct tour_expect e = {.line = r->line};
	struct err err;
	if (!expect_parse(text, r->a, &e.is, &err)) {
		reading_error(r, r->line, "%s", err.text);
		return;
	}
	struct tour_expect *const all =
		tour_grown(r->a, (struct tour_expect *)(void *)(uintptr_t)b->expects, b->n_expects,
			   &r->cap_expects, sizeof *all);
	all[b->n_expects++] = e;
	b->expects = all;
}

static void run_refused(struct reading *r, const char *text)
{
	struct tour_beat *const b = reading_beat(r);
	if (b->refused)
		reading_error(r, r->line, "a second refused in one beat");
	b->refused = shown(r, text);
	reading_draft(r)->refused_line = r->line;
}

/* ---- the table ------------------------------------------------------------------------------------- */

static const struct directive directives[] = {
	{{"title", "TEXT", HEADER, 44}, run_title},
	{{"author", "TEXT", HEADER, 80}, run_author},
	{{"about", "TEXT", HEADER, 160}, run_about},
	{{"step", "TITLE", STEP, 44}, run_step},
	{{"time", "M:SS", BEAT, 0}, run_time},
	{{"say", "TEXT", BEAT, 240}, run_say},
	{{"ask", "TEXT", BEAT, 160}, run_ask},
	{{"option", "TEXT", ASKED, 54}, run_option},
	{{"answer", "a, or TEXT", ASKED, 160}, run_answer},
	{{"wrong", "a TEXT", ASKED, 0}, run_wrong},
	{{"reveal", "", BEAT, 0}, run_reveal},
	{{"wait", "", BEAT, 0}, run_wait},
	{{"focus", "PANE, or P or Q", BEAT, 0}, run_focus},
	{{"highlight",
	  "cell T→S, row T, column S, diagonal D, curve NAME, at POSITION, line NAME, heading NAME, or none",
	  BEAT, 0},
	 run_highlight},
	{{"play", "NAME FROM..TO [by X|times X] [in N s]", BEAT, 0}, run_play},
	{{"expect", "QUANTITY = VALUE", BEAT, 0}, run_expect},
	{{"refused", "TEXT", BEAT, 0}, run_refused},
	{{"note", "TEXT", BEAT, 0}, run_note},
	{{"source", "TEXT", BEAT, 0}, run_source},
};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

static const struct directive *directive_of(const char *word)
{
	for (size_t i = 0; i < DIRECTIVES; i++)
		if (strcmp(directives[i].is.name, word) == 0)
			return &directives[i];
	return NULL;
}

static bool stands_right(struct reading *r, const struct script_word *d)
{
	if (d->where == HEADER && r->in_step)
		return reading_error(r, r->line, "%s stands before the first step", d->name);
	if ((d->where == BEAT || d->where == ASKED) && !r->in_step)
		return reading_error(r, r->line, "%s stands in a step: begin one with step TITLE",
				     d->name);
	if (d->where == ASKED && !reading_beat(r)->ask)
		return reading_error(r, r->line, "%s stands behind ask", d->name);
	return true;
}

static bool takes(struct reading *r, const struct script_word *d, const char *text)
{
	struct err err;
	return script_takes(d, text, &err) || reading_error(r, r->line, "%s", err.text);
}

bool directive_takes(struct reading *r, const char *word, const char *text)
{
	return takes(r, &directive_of(word)->is, text);
}

/* A text that is too long, or missing, is an error that is said once: it counts as said all the same. */
bool directive_run(struct reading *r, const char *word, const char *rest)
{
	const struct directive *const d = directive_of(word);
	/* In a step "title" is the picture's. */
	if (!d || (d->is.where == HEADER && r->in_step && field_find(word)))
		return false;
	if (stands_right(r, &d->is) && (takes(r, &d->is, rest) || d->is.most > 0))
		d->run(r, rest);
	return true;
}

const char *directive_near(const char *word, struct arena *a)
{
	const char **const names = arena_calloc(a, 1024, sizeof *names);
	size_t n = 0;
	for (size_t i = 0; i < DIRECTIVES; i++)
		names[n++] = directives[i].is.name;
	for (const struct command *c = commands; c->name && n < 1000; c++)
		names[n++] = c->name;
	for (const struct field *f = scene_fields; f->name && n < 1000; f++)
		names[n++] = f->name;
	return text_nearest(word, names, n);
}
