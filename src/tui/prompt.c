/* prompt.c: one line being edited at the foot of the screen: a command, the sentence, a search.
 *
 * A command that cannot be run stays, with what is wrong above it. The sentence is live: what is
 * typed becomes the scene at once, and so does what a search would take; Esc brings the old one back.
 * Only Enter makes it a command, so it is one step of the history. The text is the user's bytes as
 * typed; on the screen stands its escaped form. */
#include <stdio.h>
#include <string.h>

#include "tui_in.h"

/* ---- the line ---------------------------------------------------------------------------- */

static void set_text(struct prompt *p, const char *text)
{
	snprintf(p->text, sizeof p->text, "%s", text);
	p->at = p->len = strlen(p->text);
}

static void insert(struct prompt *p, const char *text)
{
	const size_t len = strlen(text);
	if (p->len + len >= sizeof p->text)
		return;
	memmove(p->text + p->at + len, p->text + p->at, p->len - p->at + 1);
	memcpy(p->text + p->at, text, len);
	p->at += len;
	p->len += len;
}

static void erase(struct prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->len - to + 1);
	p->len -= to - from;
	p->at = from;
}

/* The beginning of the cluster before the cursor. */
static size_t before(const struct prompt *p)
{
	size_t last = 0;
	for (size_t i = 0; i < p->at; i += text_cluster(p->text + i, p->len - i))
		last = i;
	return last;
}

static size_t after(const struct prompt *p)
{
	return p->at + text_cluster(p->text + p->at, p->len - p->at);
}

static size_t word_before(const struct prompt *p)
{
	size_t at = p->at;
	while (at > 0 && p->text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text[at - 1] != ' ')
		at--;
	return at;
}

static size_t word_after(const struct prompt *p)
{
	size_t at = p->at;
	at += strspn(p->text + at, " ");
	return at + strcspn(p->text + at, " ");
}

/* Several lines that are pasted become one, with a blank for each end of a line. */
static void insert_pasted(struct prompt *p, const char *name)
{
	const bool space = strcmp(name, "Enter") == 0 || strcmp(name, "Tab") == 0;
	if (space && (p->at == 0 || p->text[p->at - 1] != ' '))
		insert(p, " ");
}

static size_t start(const struct prompt *p)
{
	(void)p;
	return 0;
}

static size_t end(const struct prompt *p)
{
	return p->len;
}

static size_t given(const struct prompt *p)
{
	return p->at > p->given ? p->given : 0;
}

/* The cursor goes somewhere, or what lies between is erased; false when it is neither. */
static bool edit(struct prompt *p, enum request what)
{
	static const struct {
		enum request what;
		size_t (*to)(const struct prompt *p);
		bool erases;
	} rows[] = {
		{REQUEST_CHAR_LEFT, before, false},	 {REQUEST_CHAR_RIGHT, after, false},
		{REQUEST_WORD_LEFT, word_before, false}, {REQUEST_WORD_RIGHT, word_after, false},
		{REQUEST_LINE_START, start, false},	 {REQUEST_LINE_END, end, false},
		{REQUEST_ERASE_LEFT, before, true},	 {REQUEST_ERASE_RIGHT, after, true},
		{REQUEST_ERASE_WORD, word_before, true}, {REQUEST_ERASE_START, given, true},
		{REQUEST_ERASE_END, end, true}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].what != what)
			continue;
		const size_t to = rows[i].to(p);
		if (rows[i].erases)
			erase(p, to < p->at ? to : p->at, to < p->at ? p->at : to);
		else
			p->at = to;
		return true;
	}
	return false;
}

bool prompt_edit(struct tui *t, enum request what)
{
	return edit(&t->prompt, what);
}

void prompt_clear(struct tui *t)
{
	set_text(&t->prompt, "");
	t->prompt.given = 0;
	t->prompt.wrong.text[0] = '\0';
	t->prompt.completing = false;
}

/* ---- opening and leaving ----------------------------------------------------------------- */

void prompt_open(struct tui *t, enum mode mode, const char *text)
{
	struct prompt *const p = &t->prompt;
	p->before = t->app->scene;
	p->param = t->app->param;
	p->completing = false;
	p->of = NULL; /* commands that were run since may offer other names */
	p->recall = 0;
	p->wrong.text[0] = '\0';
	set_text(p, text);
	p->given = mode == MODE_COMMAND ? p->len : 0;
	p->said[0] = '\0';
	if (mode == MODE_COMMAND && *text)
		snprintf(p->said, sizeof p->said, "%.255s", t->app->message);
	t->mode = mode;
	t->match = 0;
	tui_dirty(t, 0);
}

void prompt_cancel(struct tui *t)
{
	const bool changed = !scene_equal(&t->app->scene, &t->prompt.before);
	const bool restore = (t->mode == MODE_SENTENCE || t->mode == MODE_FIND) && changed;
	t->mode = MODE_LOOK;
	if (restore) {
		t->app->scene = t->prompt.before;
		t->app->param = t->prompt.param;
		tui_submit(t);
	}
	tui_dirty(t, 0);
}

/* ---- the sentence ------------------------------------------------------------------------ */

/* Returns whether the line of a sentence was erased and nothing is typed yet. */
static bool is_erased(const struct tui *t)
{
	return t->prompt.text[strspn(t->prompt.text, " \t")] == '\0' &&
	       *t->prompt.before.setup.sentence;
}

/* Shows the sentence as far as it is typed; one that is none yet leaves the last picture. */
static void live(struct tui *t)
{
	struct scene next = t->prompt.before;
	struct err err;
	if (is_erased(t) || !app_retype(&next, t->prompt.text, &err))
		return;
	app_settle_words(&next);
	app_settle(&next);
	next.row = t->app->scene.row;
	next.col = t->app->scene.col;
	if (scene_equal(&next, &t->app->scene))
		return;
	t->app->scene = next;
	tui_submit(t);
}

static const char *quoted(struct arena *a, const char *text)
{
	struct strbuf b;
	strbuf_init(&b, a);
	strbuf_add_char(&b, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_add_char(&b, '\\');
		strbuf_add_char(&b, *text);
	}
	strbuf_add_char(&b, '"');
	return b.at;
}

/* A text that is no sentence is refused while it can be mended. */
static void keep_sentence(struct tui *t)
{
	const struct scene typed = t->app->scene;
	char *const line = arena_printf(&t->frame, "retype %s", quoted(&t->frame, t->prompt.text));
	t->app->scene = t->prompt.before;
	t->app->scene.row = typed.row;
	t->app->scene.col = typed.col;
	if (!is_erased(t) && scene_equal(&t->app->scene, &typed)) { /* nothing was typed */
		t->mode = MODE_LOOK;
	} else if (tui_try_line(t, line, &t->prompt.wrong)) {
		t->mode = MODE_LOOK;
		tui_submit(t); /* also when it is the old one again */
	} else {
		t->app->scene = typed;
	}
}

/* ---- a search ---------------------------------------------------------------------------- */

/* Shows the scene as if the chosen match were picked; before anything is typed it stays. */
void prompt_preview(struct tui *t)
{
	struct prompt *const p = &t->prompt;
	struct arena *const a = &t->frame;
	size_t n;
	const struct scheme *const s = schemes_chosen(t, &n);
	const bool typed = p->text[0] != '\0' || t->match > 0;
	const char *const line = typed && schemes_takes(t, a) ? schemes_line(t, s, a) : "";
	unsigned reactions;
	struct err err;
	if (app_preview(t->app, &p->before, line, &reactions, &err))
		tui_react(t, reactions);
}

/* ---- commands ---------------------------------------------------------------------------- */

static void remember(struct app *app, const char *line)
{
	enum { MOST = sizeof app->history / sizeof *app->history };
	const char *const kept = scene_intern(line);
	if (app->n_history > 0 && app->history[app->n_history - 1] == kept)
		return;
	if (app->n_history == MOST)
		memmove(app->history, app->history + 1, --app->n_history * sizeof *app->history);
	app->history[app->n_history++] = kept;
	if (app->save_line)
		app->save_line(app, line);
}

/* The line so many back, counted from 1. */
static const char *history_line(const struct app *app, size_t back)
{
	return app->history[app->n_history - back];
}

/* The next older or newer line that begins with what was typed when the search began. */
static void recall(struct tui *t, int direction)
{
	struct prompt *const p = &t->prompt;
	const struct app *const app = t->app;
	if (p->recall == 0)
		memcpy(p->typed, p->text, sizeof p->typed);
	const size_t len = strlen(p->typed);
	size_t back = p->recall;
	do {
		if (direction > 0 ? back >= app->n_history : back == 0)
			return;
		back += (size_t)direction;
	} while (back > 0 && (strncmp(history_line(app, back), p->typed, len) != 0 ||
			      strcmp(history_line(app, back), p->text) == 0));
	p->recall = back;
	p->given = 0; /* another line than the one it began with */
	set_text(p, back == 0 ? p->typed : history_line(app, back));
}

void prompt_menu(struct tui *t)
{
	struct prompt *const p = &t->prompt;
	const char *const of = p->completing ? p->typed : p->text;
	if (p->of && strcmp(p->of, of) == 0)
		return;
	arena_clear(&p->arena);
	p->of = arena_strdup(&p->arena, of);
	p->menu = app_menu(t->app, p->of, &p->arena, &p->n_menu);
}

/* Takes candidate i; what was typed for the one after the last. */
static void take_candidate(struct tui *t, size_t i)
{
	struct prompt *const p = &t->prompt;
	const size_t n = p->n_menu;
	const char *const text = i < n ? p->menu[i].line : p->typed;
	/* The only candidate for the first word goes on with its argument. */
	const bool whole = n == 1 && !strchr(text, ' ');
	p->candidate = i;
	set_text(p, arena_printf(&t->frame, "%s%s", text, whole ? " " : ""));
	if (n == 1)
		p->completing = false;
}

static void begin_completing(struct tui *t)
{
	struct prompt *const p = &t->prompt;
	prompt_menu(t);
	if (!p->completing)
		memcpy(p->typed, p->text, sizeof p->typed);
}

/* The next candidate each time; after the last comes what was typed. */
static void complete(struct tui *t, int direction)
{
	struct prompt *const p = &t->prompt;
	begin_completing(t);
	const size_t n = p->n_menu;
	const size_t first = direction > 0 || n == 0 ? 0 : n - 1;
	const size_t next =
		p->completing ? (p->candidate + n + 1 + (size_t)direction) % (n + 1) : first;
	p->completing = n > 0;
	if (n > 0)
		take_candidate(t, next);
}

void prompt_choose(struct tui *t, size_t candidate)
{
	begin_completing(t);
	if (candidate < t->prompt.n_menu)
		take_candidate(t, candidate);
	t->prompt.completing = false;
}

/* Errors quote what they are about: the cursor goes behind it. */
static void go_to_fault(struct prompt *p)
{
	const char *const open = strchr(p->wrong.text, '"');
	const char *const close = open ? strchr(open + 1, '"') : NULL;
	char word[sizeof p->wrong.text];
	if (!close || close == open + 1)
		return;
	snprintf(word, sizeof word, "%.*s", (int)(close - open - 1), open + 1);
	const char *const at = strstr(p->text, word);
	if (at)
		p->at = (size_t)(at - p->text) + strlen(word);
}

/* A wrong command stays to be mended; it is not remembered before it could be run. */
static void run_typed(struct tui *t)
{
	struct prompt *const p = &t->prompt;
	t->mode = MODE_LOOK;
	if (p->text[strspn(p->text, " ")] == '\0')
		return;
	const char *const line = arena_strdup(&t->frame, p->text);
	if (tui_try_line(t, line, &p->wrong)) {
		remember(t->app, line);
		return;
	}
	t->mode = MODE_COMMAND;
	go_to_fault(p);
}

/* ---- keys -------------------------------------------------------------------------------- */

static bool command_answer(struct tui *t, enum request what)
{
	if (what == REQUEST_ACCEPT)
		run_typed(t);
	else if (what == REQUEST_COMPLETE || what == REQUEST_COMPLETE_BACK)
		complete(t, what == REQUEST_COMPLETE ? 1 : -1);
	else if (what == REQUEST_OLDER || what == REQUEST_NEWER)
		recall(t, what == REQUEST_OLDER ? 1 : -1);
	else if (what == REQUEST_ERASE_LEFT && t->prompt.len == 0)
		prompt_cancel(t);
	else
		return false;
	return true;
}

static void edited(struct tui *t)
{
	t->prompt.completing = false;
	t->prompt.recall = 0;
	t->match = 0;
	if (t->mode == MODE_SENTENCE)
		live(t);
	if (t->mode == MODE_FIND)
		prompt_preview(t);
	if (t->search.typing)
		box_sought(t);
	if (t->menu.typing)
		views_sought(t);
}

bool prompt_answer(struct tui *t, enum request what)
{
	if (t->mode == MODE_COMMAND && command_answer(t, what))
		return true;
	if (what == REQUEST_BACK)
		prompt_cancel(t);
	else if (what == REQUEST_ACCEPT)
		keep_sentence(t);
	else if (edit(&t->prompt, what))
		edited(t);
	else
		return false;
	return true;
}

void prompt_type(struct tui *t, const struct key *key)
{
	if (key->text[0])
		insert(&t->prompt, key->text);
	else if (key->pasted)
		insert_pasted(&t->prompt, key->name);
	else
		return;
	if (key->pasted)
		t->prompt.pasted = true;
	else
		edited(t);
}

void prompt_follow(struct tui *t)
{
	if (t->prompt.pasted)
		edited(t);
	t->prompt.pasted = false;
}
