/* prompt.c: one line being edited at the foot of the screen: a command, the sentence, a search.
 *
 * The sentence is live: what is typed becomes the scene at once, and Esc brings the old one back.
 * Only Enter makes it a command, so it is one step of the history. The text is the user's bytes as
 * typed; on the screen stands its escaped form. */
#include <stdio.h>
#include <string.h>

#include "tui_in.h"

static const struct look {
	const char *label, *hint;
} looks[] = {
	[PROMPT_COMMAND] = {":", "Tab completes   Esc back"},
	[PROMPT_SENTENCE] = {"sentence", "Enter keeps   Esc restores"},
	[PROMPT_FIND] = {"/", ""},
};

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

/* Where the cluster before the cursor begins. */
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

bool prompt_edit(struct prompt *p, const struct key *key)
{
	const char *const name = key->name;
	if (key->text[0])
		insert(p, key->text);
	else if (key->pasted)
		insert(p, strcmp(name, "Enter") == 0 || strcmp(name, "Tab") == 0 ? " " : "");
	else if (strcmp(name, "Backspace") == 0 || strcmp(name, "Ctrl-h") == 0)
		erase(p, before(p), p->at);
	else if (strcmp(name, "Delete") == 0 || strcmp(name, "Ctrl-d") == 0)
		erase(p, p->at, after(p));
	else if (strcmp(name, "Ctrl-w") == 0)
		erase(p, word_before(p), p->at);
	else if (strcmp(name, "Ctrl-u") == 0)
		erase(p, 0, p->at);
	else if (strcmp(name, "Ctrl-k") == 0)
		erase(p, p->at, p->len);
	else if (strcmp(name, "Left") == 0 || strcmp(name, "Ctrl-b") == 0)
		p->at = before(p);
	else if (strcmp(name, "Right") == 0 || strcmp(name, "Ctrl-f") == 0)
		p->at = after(p);
	else if (strcmp(name, "Home") == 0 || strcmp(name, "Ctrl-a") == 0)
		p->at = 0;
	else if (strcmp(name, "End") == 0 || strcmp(name, "Ctrl-e") == 0)
		p->at = p->len;
	else
		return false;
	return true;
}

/* ---- opening and leaving ----------------------------------------------------------------- */

void prompt_open(struct tui *t, enum prompt_kind kind, const char *text)
{
	struct prompt *const p = &t->prompt;
	p->kind = kind;
	p->before = t->app->scene;
	p->completing = false;
	p->recall = 0;
	set_text(p, text);
	t->mode = kind == PROMPT_FIND ? MODE_FIND : MODE_PROMPT;
	t->match = 0;
	tui_dirty(t, 0);
}

void prompt_cancel(struct tui *t)
{
	const bool changed = !scene_equal(&t->app->scene, &t->prompt.before);
	t->mode = MODE_LOOK;
	if (t->prompt.kind == PROMPT_SENTENCE && changed) {
		t->app->scene = t->prompt.before;
		tui_submit(t);
	}
	tui_dirty(t, 0);
}

/* ---- the sentence ------------------------------------------------------------------------ */

/* Shows the sentence as far as it is typed; one that is none yet leaves the last picture. */
static void live(struct tui *t)
{
	struct scene next = t->prompt.before;
	struct err err;
	if (!scene_set(&next, field_find("sentence"), t->prompt.text, &err) ||
	    !scene_set(&next, field_find("file"), "", &err))
		return;
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

static void keep_sentence(struct tui *t)
{
	const struct scene typed = t->app->scene;
	t->app->scene = t->prompt.before;
	t->app->scene.row = typed.row;
	t->app->scene.col = typed.col;
	t->mode = MODE_LOOK;
	char *const line =
		arena_printf(&t->frame, "sentence %s", quoted(&t->frame, t->prompt.text));
	tui_run_line(t, line);
	tui_submit(t); /* also when it is the old one again */
}

/* ---- commands ---------------------------------------------------------------------------- */

static void remember(struct tui *t, const char *line)
{
	const char *const kept = scene_intern(line);
	if (t->n_history > 0 && t->history[t->n_history - 1] == kept)
		return;
	if (t->n_history == HISTORY_LINES)
		memmove(t->history, t->history + 1, --t->n_history * sizeof t->history[0]);
	t->history[t->n_history++] = kept;
}

static void recall(struct tui *t, int direction)
{
	struct prompt *const p = &t->prompt;
	if (direction > 0 ? p->recall >= t->n_history : p->recall == 0)
		return;
	p->recall += (size_t)direction;
	set_text(p, p->recall == 0 ? "" : t->history[t->n_history - p->recall]);
}

static size_t candidates(const struct tui *t, struct arena *a)
{
	size_t n = 0;
	while (app_complete(t->app, t->prompt.typed, n, a))
		n++;
	return n;
}

/* The next candidate each time; after the last comes what was typed. */
static void complete(struct tui *t, int direction)
{
	struct prompt *const p = &t->prompt;
	struct arena *const a = &t->frame;
	if (!p->completing)
		memcpy(p->typed, p->text, sizeof p->typed);
	const size_t n = candidates(t, a);
	p->candidate = p->completing ? (p->candidate + n + 1 + (size_t)direction) % (n + 1) : 0;
	p->completing = n > 0;
	if (n == 0)
		return;
	const char *const text =
		p->candidate < n ? app_complete(t->app, p->typed, p->candidate, a) : p->typed;
	/* The only candidate for the first word goes on with its argument. */
	const bool whole = n == 1 && !strchr(text, ' ');
	set_text(p, arena_printf(a, "%s%s", text, whole ? " " : ""));
	if (n == 1)
		p->completing = false;
}

static void run_typed(struct tui *t)
{
	t->mode = MODE_LOOK;
	if (t->prompt.text[0] == '\0')
		return;
	remember(t, t->prompt.text);
	tui_run_line(t, t->prompt.text);
}

static bool command_key(struct tui *t, const char *name)
{
	if (strcmp(name, "Tab") == 0)
		complete(t, 1);
	else if (strcmp(name, "Shift-Tab") == 0)
		complete(t, -1);
	else if (strcmp(name, "Up") == 0)
		recall(t, 1);
	else if (strcmp(name, "Down") == 0)
		recall(t, -1);
	else
		return false;
	return true;
}

void prompt_key(struct tui *t, const struct key *key)
{
	struct prompt *const p = &t->prompt;
	const bool command = p->kind == PROMPT_COMMAND;
	if (!key->pasted && strcmp(key->name, "Esc") == 0) {
		prompt_cancel(t);
	} else if (!key->pasted && strcmp(key->name, "Enter") == 0) {
		if (command)
			run_typed(t);
		else
			keep_sentence(t);
	} else if (!key->pasted && command && command_key(t, key->name)) {
		return;
	} else if (command && p->len == 0 && strcmp(key->name, "Backspace") == 0) {
		prompt_cancel(t);
	} else if (prompt_edit(p, key)) {
		p->completing = false;
		if (!command)
			live(t);
	}
}

/* ---- drawing ----------------------------------------------------------------------------- */

/* The candidates' last words in the line above, the chosen one marked. */
static void draw_candidates(struct tui *t, struct canvas *c, int row)
{
	struct arena *const a = &t->frame;
	const struct prompt *const p = &t->prompt;
	const size_t n = candidates(t, a);
	int col = 1;
	canvas_fill(c, (struct rect){row, 0, 1, c->cols}, 0, CELL_DEFAULT);
	/* From a candidate that leaves the chosen one on the screen. */
	size_t first = 0;
	for (size_t i = 0; i <= p->candidate && i < n; i++) {
		const char *const text = app_complete(t->app, p->typed, i, a);
		const int width = (int)strlen(text) + 2;
		if (col + width > c->cols - 3) {
			first = i;
			col = 1;
		}
		col += width;
	}
	col = 1;
	for (size_t i = first; i < n; i++) {
		const char *text = app_complete(t->app, p->typed, i, a);
		const char *const cut = strpbrk(text, " ") ? strrchr(text, ' ') + 1 : text;
		const int width = (int)text_width(cut);
		if (col + width > c->cols - 3) {
			canvas_text(c, row, col, 2, t->terminal.ascii ? ">" : "…", ATTR_DIM);
			return;
		}
		canvas_text(c, row, col, width, cut,
			    i == p->candidate ? ATTR_REVERSE | ATTR_BOLD : ATTR_DIM);
		col += width + 2;
	}
}

void prompt_draw(struct tui *t, struct canvas *c, const struct layout *l)
{
	const struct prompt *const p = &t->prompt;
	const struct look *const look = &looks[p->kind];
	struct arena *const a = &t->frame;
	const int row = l->footer >= 0 ? l->footer : c->rows - 1;
	const char *const text = text_escape(a, p->text, p->len);
	const int cursor = (int)text_width(text_escape(a, p->text, p->at));
	if (p->kind == PROMPT_FIND && l->footer < 0)
		return;
	if (p->completing && l->cell >= 0)
		draw_candidates(t, c, l->cell);
	/* The search stands in the line above, so that its keys stay in the footer. */
	const int at = p->kind == PROMPT_FIND && l->cell >= 0 ? l->cell : row;
	canvas_fill(c, (struct rect){at, 0, 1, c->cols}, 0, CELL_DEFAULT);
	int col = 1 + canvas_text(c, at, 1, c->cols, look->label, ATTR_ACCENT | ATTR_BOLD);
	col += p->kind == PROMPT_COMMAND ? 0 : 1;
	const int hint = (int)text_width(look->hint), width = (int)text_width(text);
	int room = c->cols - col - 2;
	if (hint > 0 && width + hint + 4 < room) {
		canvas_text(c, at, c->cols - 1 - hint, hint, look->hint, ATTR_DIM);
		room -= hint + 3;
	}
	/* A long line is seen from where the cursor is. */
	size_t skip = 0, used = 0;
	if (cursor > room - 1)
		skip = text_fit(text, (size_t)(cursor - (room > 2 ? room : 2) + 2), &used);
	canvas_text(c, at, col, room, text + skip, 0);
	t->cursor_row = at;
	t->cursor_col = col + cursor - (int)used;
}
