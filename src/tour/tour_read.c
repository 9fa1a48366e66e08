/* tour_read.c: a tour from text, line by line: a directive, or a command that changes the scene. An error never ends
 * the reading: whoever wrote the file gets all of them at once. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "posviz/app/app.h"
#include "posviz/base/script.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/scene/beside.h"
#include "tour_in.h"

/* ---- what is said ---------------------------------------------------------------------------------- */

void *tour_grown(struct arena *a, void *at, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return at;
	const size_t more = *cap ? 2 * *cap : 8;
	void *const out = arena_calloc(a, more, size);
	if (n > 0)
		memcpy(out, at, n * size);
	*cap = more;
	return out;
}

void report_add(struct tour_report *report, const char *text, bool warning, bool untrue)
{
	report->lines = tour_grown(report->arena, report->lines, report->n, &report->cap,
				   sizeof *report->lines);
	report->lines[report->n++] =
		(struct tour_line){arena_strdup(report->arena, text), warning, untrue};
	report->errors += !warning;
	report->untrue += untrue;
	report->warnings += warning;
}

static void add(struct reading *r, size_t line, bool warning, const char *fmt, va_list args)
{
	const char *const said = arena_vprintf(r->report->arena, fmt, args);
	report_add(r->report,
		   line ? arena_printf(r->report->arena, "%s:%zu: %s", r->file, line, said)
			: arena_printf(r->report->arena, "%s: %s", r->file, said),
		   warning, false);
}

bool reading_error(struct reading *r, size_t line, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	add(r, line, false, fmt, args);
	va_end(args);
	return false;
}

static __attribute__((format(printf, 3, 4))) void warn(struct reading *r, size_t line,
						       const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	add(r, line, true, fmt, args);
	va_end(args);
}

/* ---- where it is ----------------------------------------------------------------------------------- */

struct tour_beat *reading_beat(struct reading *r)
{
	return &r->tour->beats[r->tour->n_beats - 1];
}

struct draft *reading_draft(struct reading *r)
{
	return &r->drafts[r->tour->n_beats - 1];
}

struct tour_step *reading_step(struct reading *r)
{
	return &r->tour->steps[r->tour->n_steps - 1];
}

/* ---- commands -------------------------------------------------------------------------------------- */

/* "view A or B", which the command itself reads: whether A is there. */
static void note_second_choice(struct reading *r, const char *line)
{
	const char *const behind = line + strcspn(line, " \t");
	if (behind - line != 4 || strncmp(line, "view", 4) != 0)
		return;
	const char *const first = behind + strspn(behind, " \t");
	const size_t len = strcspn(first, " \t");
	const char * or = first + len;
	or += strspn(or, " \t");
	if (strncmp(or, "or", 2) != 0 || !strchr(" \t", or [2]) || or [2] == '\0')
		return;
	const bool there = view_find(arena_strndup(r->a, first, len)) != NULL;
	if (!there && r->in_step)
		reading_beat(r)->fell_back = true;
}

/* A command that asks for the screen, writes, or changes how the terminal is used, makes no scene. */
static const char *why_not(const struct app *app, unsigned reactions, const struct scene *before,
			   const struct settings *settings)
{
	if (app->request || app->write || app->n_later > 0 ||
	    reactions & (REACT_QUIT | REACT_WRITE))
		return "it is for the running program";
	if (memcmp(settings, &app->settings, sizeof *settings) != 0 || reactions & REACT_TERMINAL)
		return "it is a setting of the terminal";
	if (reactions & REACT_LAYOUT && scene_equal(before, &app->scene))
		return "which pane has the focus is said by focus PANE";
	return NULL;
}

/* Words were cut by another rule once, and a tour of then says nothing of its tokens: where the rule matters its scenes
 * keep the words that they had. A tour of now has `tokens words` or `tokens plain-words` in its header. */
static void settle_words(struct reading *r, const char *line)
{
	struct setup *const s = &r->app->scene.setup;
	const bool then = s->tokens == TOKENS_PLAIN_WORDS;
	if (!r->in_step && strncmp(line, "tokens", 6) == 0 && strchr(" \t", line[6]) &&
	    (then || s->tokens == TOKENS_WORDS))
		r->words_told = true;
	if (r->words_told)
		return;
	const bool words = s->tokens == TOKENS_WORDS || (then && r->cut_then);
	r->cut_then = words && !setup_words_alike(s);
	if (words)
		s->tokens = r->cut_then ? TOKENS_PLAIN_WORDS : TOKENS_WORDS;
	if (r->cut_then && !r->cut_line)
		r->cut_line = r->line;
}

bool reading_command(struct reading *r, const char *line)
{
	struct app *const app = r->app;
	const struct scene before = app->scene;
	const struct settings settings = app->settings;
	struct err err = {""};
	unsigned reactions = 0;
	note_second_choice(r, line);
	bool ok = app_command(app, line, &reactions, &err);
	if (ok)
		scene_take_earlier(&app->scene, false);
	const char *const why = ok ? why_not(app, reactions, &before, &settings) : NULL;
	const size_t len = strcspn(line, " \t");
	if (why) {
		ok = err_set(&err, "%s is not for a tour: %s", arena_strndup(r->a, line, len), why);
		app->scene = before;
	}
	if (ok)
		settle_words(r, line);
	app->settings = settings;
	app->request = REQUEST_NONE;
	app->write = NULL;
	app->n_later = app->n_undo = app->n_redo = 0;
	if (!ok && r->in_step)
		reading_draft(r)->broken = true;
	return ok || reading_error(r, r->line, "%s", err.text);
}

/* ---- lines ----------------------------------------------------------------------------------------- */

static bool is_command(const char *word)
{
	for (const struct command *c = commands; c->name; c++)
		if (strcmp(c->name, word) == 0)
			return true;
	return field_find(word) || setting_find(word);
}

static void unknown(struct reading *r, const char *word)
{
	const char *const quoted = text_quote(r->a, word, strlen(word));
	const char *const near = directive_near(word, r->a);
	if (near)
		reading_error(r, r->line, "neither a directive nor a command: %s; did you mean %s?",
			      quoted, near);
	else
		reading_error(r, r->line,
			      "neither a directive nor a command: %s; posviz list commands",
			      quoted);
	if (r->in_step)
		reading_draft(r)->broken = true;
}

static void command(struct reading *r, const char *word, const char *line)
{
	if (!is_command(word)) {
		unknown(r, word);
		return;
	}
	if (r->in_step && reading_beat(r)->ask) {
		reading_error(r, r->line, "it would show the answer: put it after reveal");
		return;
	}
	if (r->in_step && reading_beat(r)->play.name) {
		reading_error(r, r->line, "play is the last command of its beat");
		return;
	}
	reading_command(r, line);
}

static void one_line(void *context, const struct script_line *line)
{
	struct reading *const r = context;
	r->line = line->number;
	if (line->wrong)
		reading_error(r, r->line, "%s", line->wrong);
	else if (!r->full && !directive_run(r, line->word, line->rest))
		command(r, line->word, line->text);
}

void reading_lines(struct reading *r, const char *name, const char *text, size_t len)
{
	struct tour *const t = r->tour;
	struct tour_part *const p = &t->parts[t->n_parts];
	r->part = t->n_parts++;
	r->first_step = t->n_steps;
	*p = (struct tour_part){.name = name,
				.file = r->file,
				.title = name,
				.author = "",
				.about = "",
				.first = t->n_steps};
	r->in_step = r->has_title = r->has_author = r->has_about = false;
	r->words_told = r->cut_then = false;
	r->cut_line = 0;
	scene_init(&r->app->scene);
	script_read(text, len, r->a, one_line, r);
	if (r->in_step)
		beat_end(r);
	if (r->cut_line && !r->words_told)
		warn(r, r->cut_line,
		     "its words are cut as earlier versions did: in the header, tokens "
		     "words takes those of now, tokens plain-words keeps these");
	p->n = t->n_steps - p->first;
	if (!r->has_title)
		reading_error(r, 0, "title is missing: the first line would be title TEXT");
	if (p->n == 0)
		reading_error(r, 0, "there is no step: step TITLE begins one");
}

/* ---- beginning and end ------------------------------------------------------------------------------ */

void reading_open(struct reading *r, struct cache *cache, struct watch *watch, struct arena *a,
		  struct tour *out, struct tour_report *report)
{
	*r = (struct reading){
		.a = a, .tour = out, .report = report, .cache = cache, .watch = watch, .file = ""};
	*out = (struct tour){.title = "", .author = "", .about = ""};
	r->app = arena_calloc(a, 1, sizeof *r->app);
	app_init(r->app);
	r->app->background = true; /* nothing is written */
}

/* Tells whether a text has the number as a whole. */
static bool has_number(const char *text, const char *number, size_t len)
{
	for (const char *at = text; (at = strchr(at, *number)) != NULL; at++)
		if (strncmp(at, number, len) == 0 && !isdigit((unsigned char)at[len]) &&
		    (at == text || (!isdigit((unsigned char)at[-1]) && at[-1] != '.')))
			return true;
	return false;
}

static bool is_expected(const struct tour *t, const struct tour_step *s, const char *number,
			size_t len)
{
	for (size_t b = s->first; b < s->first + s->n; b++)
		for (size_t i = 0; i < t->beats[b].n_expects; i++)
			if (has_number(t->beats[b].expects[i].is.text, number, len))
				return true;
	return false;
}

/* A number with decimals that is said should be expected in the same step. */
static void look_at_numbers(struct reading *r, size_t beat)
{
	const struct tour *const t = r->tour;
	const struct tour_beat *const b = &t->beats[beat];
	r->file = t->parts[t->steps[b->step].part].file;
	for (const char *at = b->say ? b->say : ""; *at;) {
		const size_t whole = strspn(at, "0123456789");
		const size_t part = at[whole] == '.' ? strspn(at + whole + 1, "0123456789") : 0;
		const size_t len = whole + (part > 0 ? 1 + part : 0);
		if (whole > 0 && part > 0 && !is_expected(t, &t->steps[b->step], at, len))
			warn(r, r->drafts[beat].say_line,
			     "nothing in this step expects the number %.*s", (int)len, at);
		at += len > 0 ? len : 1;
	}
}

bool reading_close(struct reading *r, enum tour_depth depth)
{
	struct tour *const t = r->tour;
	for (size_t i = 0; i < t->n_steps; i++)
		t->seconds += t->steps[i].seconds;
	for (size_t i = 0; i < t->n_beats && r->report->errors == 0; i++)
		look_at_numbers(r, i);
	if (r->report->errors == 0 && depth >= TOUR_SCENES)
		scenes_look(r, depth == TOUR_EXPECTS);
	app_release(r->app);
	return r->report->errors == 0 && !watch_cancelled(r->watch);
}
