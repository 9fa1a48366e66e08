/* keymap.c: the keys in force: the table (keys.c), and the user's keys, which override it.
 *
 * If a context does not bind a key, the next context is searched; a key that is bound to nothing
 * ends the search, so it can be disabled in one context. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "app_in.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"

enum { MOST_NAMES = 64 };

static bool is_for(const struct binding *b, const char *context, const char *key)
{
	return strcmp(b->context, context) == 0 && strcmp(b->key, key) == 0;
}

static struct binding *own(const struct keymap *map, const char *context, const char *key)
{
	for (size_t i = 0; i < map->n; i++)
		if (is_for(&map->own[i], context, key))
			return &map->own[i];
	return NULL;
}

static const struct binding *given(const char *context, const char *key)
{
	for (const struct binding *b = bindings; b->key; b++)
		if (is_for(b, context, key))
			return b;
	return NULL;
}

const struct binding *keymap_find(const struct app *app, const char *const *contexts,
				  const char *key)
{
	for (; *contexts; contexts++) {
		const struct binding *b = own(&app->keymap, *contexts, key);
		if (!b)
			b = given(*contexts, key);
		if (b)
			return *b->command ? b : NULL;
	}
	return NULL;
}

/* A key reserved for a view that does not exist is not listed. */
bool keymap_leads(const struct binding *b)
{
	static const char view[] = "view ";
	const char *const number = b->command + sizeof view - 1;
	if (strncmp(b->command, view, sizeof view - 1) != 0 || *number < '1' || *number > '9')
		return true;
	return (size_t)(*number - '0') <= view_count();
}

void keymap_list(struct app *app)
{
	struct keymap *const map = &app->keymap;
	size_t most = map->cap, n = 0;
	for (const struct binding *b = bindings; b->key; b++)
		most++;
	if (most > map->room) {
		map->rows = arena_calloc(&app->arena, most, sizeof *map->rows);
		map->room = most;
	}
	for (const struct binding *b = bindings; b->key; b++) {
		const struct binding *const mine = own(map, b->context, b->key);
		const struct binding *const row = mine ? mine : b;
		if (*row->command && keymap_leads(row))
			map->rows[n++] = row;
	}
	for (size_t k = 0; k < map->n; k++) {
		const struct binding *const row = &map->own[k];
		if (!given(row->context, row->key) && *row->command)
			map->rows[n++] = row;
	}
	map->n_rows = n;
}

const struct binding *keymap_row(const struct app *app, size_t i)
{
	return i < app->keymap.n_rows ? app->keymap.rows[i] : NULL;
}

const struct key_topic *key_topic_of(const char *command)
{
	const struct key_topic *best = NULL;
	size_t most = 0;
	for (const struct key_topic *t = key_topics; t->title; t++) {
		for (const char *at = t->commands; *at; at += *at == ',') {
			const size_t len = strcspn(at, ",");
			if (len > most && strncmp(command, at, len) == 0 &&
			    strchr(" ", command[len])) {
				best = t;
				most = len;
			}
			at += len;
		}
	}
	return best;
}

/* ---- contexts ---------------------------------------------------------------------------- */

static const char everywhere[] = "all";
/* True for the contexts of the modes in tui/key_press.c, in which only their own keys work. */
static bool is_mode(const char *context)
{
	static const char *const modes[] = {"permute", "hang",	 "find",  "line",
					    "command", "copy",	 "box",	  "search",
					    "menu",    "filter", "tours", "notes"};
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (strcmp(context, modes[i]) == 0)
			return true;
	return false;
}

static size_t add_once(const char **names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return n;
	BUG_IF(n == MOST_NAMES);
	names[n] = name;
	return n + 1;
}

/* Lists "all", the contexts of the table, and the views. */
static size_t context_names(const char **names)
{
	size_t n = add_once(names, 0, everywhere);
	for (const struct binding *b = bindings; b->key; b++)
		if (*b->context)
			n = add_once(names, n, b->context);
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		n = add_once(names, n, v->name);
	return n;
}

/* Returns the context in the form of the table; NULL: there is none of this name. */
static const char *context_of(const char *word)
{
	const char *names[MOST_NAMES];
	const size_t n = context_names(names);
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], word) == 0)
			return i == 0 ? "" : names[i];
	return NULL;
}

/* ---- keys -------------------------------------------------------------------------------- */

static const char *const key_names[] = {
	"Up",	   "Down",	"Left",	      "Right",	    "Home",	   "End",	"PgUp",
	"PgDn",	   "Tab",	"Shift-Tab",  "Enter",	    "Esc",	   "Space",	"Backspace",
	"Delete",  "Insert",	"F1",	      "F2",	    "F3",	   "F4",	"F5",
	"F6",	   "F7",	"F8",	      "F9",	    "F10",	   "F11",	"F12",
	"Ctrl-Up", "Ctrl-Down", "Ctrl-Left",  "Ctrl-Right", "Alt-Left",	   "Alt-Right", "Alt-b",
	"Alt-f",   "Shift-Up",	"Shift-Down", "Shift-Left", "Shift-Right",
};
enum { KEYS = sizeof key_names / sizeof key_names[0] };

const struct binding *keymap_fixed(const char *key)
{
	static const char *const fixed[] = {"Ctrl-c", "Ctrl-z", "Ctrl-l"};
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		if (strcmp(key, fixed[i]) == 0)
			return given("", key);
	return NULL;
}

/* Letters with Ctrl that a terminal sends for another key. */
static const struct {
	char letter;
	const char *key;
} same_keys[] = {{'h', "Backspace"}, {'i', "Tab"}, {'j', "Enter"}, {'m', "Enter"}};

/* True for one character that a screen can show. */
static bool is_character(const char *word)
{
	const size_t len = strlen(word);
	uint32_t code;
	struct arena a;
	arena_init(&a);
	const bool ok = len > 0 && text_decode(word, len, &code) == len &&
			strcmp(text_escape(&a, word, len), word) == 0 && text_width(word) > 0;
	arena_release(&a);
	return ok;
}

/* Returns the name of a key in the form of the table; NULL: there is no such key. */
static const char *key_of(const char *word)
{
	const size_t len = strlen(word);
	if (is_character(word))
		return scene_intern(word);
	for (size_t i = 0; i < KEYS; i++)
		if (strcasecmp(word, key_names[i]) == 0)
			return key_names[i];
	if (len == 6 && strncasecmp(word, "Ctrl-", 5) == 0 && isalpha((unsigned char)word[5])) {
		const char name[] = {'C', 't', 'r', 'l', '-', (char)tolower(word[5]), '\0'};
		return scene_intern(name);
	}
	return NULL;
}

static bool no_key(const char *word, bool context_too, struct err *err)
{
	const char *names[KEYS + MOST_NAMES];
	char quoted[120];
	size_t n = context_too ? context_names(names) : 0;
	for (size_t i = 0; i < KEYS; i++)
		names[n++] = key_names[i];
	const char *const near = text_nearest(word, names, n);
	text_quote_buf(quoted, sizeof quoted, word, strlen(word));
	if (near)
		return err_set(err, "there is no key %s; did you mean \"%s\"?", quoted, near);
	return err_set(err, "there is no key %s; a key is a character, Up, Enter, F1, Ctrl-x",
		       quoted);
}

const char *keymap_key(const char *word, struct err *err)
{
	const char *const key = key_of(word);
	if (!key)
		no_key(word, false, err);
	return key;
}

static bool may_change(const char *context, const char *key, struct err *err)
{
	if (keymap_fixed(key))
		return err_set(err, "%s always means the same and cannot be bound", key);
	if (is_mode(context) && strcmp(key, "Esc") == 0)
		return err_set(err, "Esc is the way out of %s and cannot be bound there", context);
	for (size_t i = 0; i < sizeof same_keys / sizeof *same_keys; i++)
		if (strncmp(key, "Ctrl-", 5) == 0 && key[5] == same_keys[i].letter)
			return err_set(err, "a terminal cannot tell %s from %s; bind that", key,
				       same_keys[i].key);
	return true;
}

/* ---- binding ----------------------------------------------------------------------------- */

/* The parts of "[CONTEXT] KEY REST". */
struct change {
	const char *context, *key, *rest;
};

static bool read_change(const char *name, const char *args, struct arena *a, struct change *out,
			struct err *err)
{
	const char *word = command_word(&args, a);
	if (*word == '\0')
		return command_usage(name, err);
	const char *const context = context_of(word);
	if (context)
		word = command_word(&args, a);
	if (*word == '\0')
		return command_usage(name, err);
	out->context = context ? context : "";
	out->key = key_of(word);
	out->rest = args;
	return out->key ? may_change(out->context, out->key, err)
			: no_key(word, context == NULL, err);
}

/* Returns the table's row of a command, if possible of this context. */
static const struct binding *row_of(const char *context, const char *command)
{
	const struct binding *found = NULL;
	for (const struct binding *b = bindings; b->key; b++)
		if (strcmp(b->command, command) == 0 &&
		    (!found ||
		     (strcmp(b->context, context) == 0 && strcmp(found->context, context) != 0)))
			found = b;
	return found;
}

static void set(struct app *app, const char *context, const char *key, const char *command)
{
	struct keymap *const map = &app->keymap;
	const struct binding *const row = row_of(context, command);
	const char *const kept = scene_intern(command);
	const struct binding made = {
		.context = context,
		.key = key,
		.command = kept,
		.note = row ? row->note : text_escape(&app->arena, kept, strlen(kept)),
		.footer = row ? row->footer : NULL,
	};
	struct binding *const old = own(map, context, key);
	if (!old)
		map->own = arena_grow(&app->arena, map->own, map->n, &map->cap, sizeof *map->own);
	*(old ? old : &map->own[map->n++]) = made;
	keymap_list(app);
}

bool run_bind(struct app *app, const char *args, struct err *err)
{
	struct arena *const a = app->scratch;
	struct change r;
	if (*args == '\0')
		return err_set(err,
			       "bind [CONTEXT] KEY COMMAND: bind Ctrl-n scheme-next, bind matrix x "
			       "snapshot; Tab offers contexts, keys and commands");
	if (!read_change("bind", args, a, &r, err))
		return false;
	const char *rest = r.rest;
	const char *const word = command_word(&rest, a);
	if (*word == '\0')
		return err_set(err, "bind: give a command for %s, such as bind %s undo", r.key,
			       r.key);
	if (!command_exists(word, err))
		return false;
	set(app, r.context, r.key, r.rest);
	return true;
}

bool run_unbind(struct app *app, const char *args, struct err *err)
{
	struct arena *const a = app->scratch;
	struct change r;
	struct keymap *const map = &app->keymap;
	if (!read_change("unbind", args, a, &r, err))
		return false;
	struct binding *const mine = own(map, r.context, r.key);
	const struct binding *const row = given(r.context, r.key);
	if (*r.rest)
		return err_set(err, "unbind: give one key; %s is too much",
			       text_quote(a, r.rest, strlen(r.rest)));
	if (mine ? *mine->command == '\0' : !row)
		return err_set(err, "%s is not bound %s%s", r.key,
			       *r.context ? "in " : "everywhere", r.context);
	if (row)
		set(app, r.context, r.key, "");
	else
		*mine = map->own[--map->n];
	keymap_list(app);
	return true;
}

/* ---- as lines of the configuration ------------------------------------------------------- */

const char *keymap_line(const struct binding *b, struct arena *a)
{
	const bool none = *b->command == '\0';
	return arena_printf(a, "%s %s%s%s%s%s", none ? "unbind" : "bind", b->context,
			    *b->context ? " " : "", b->key, none ? "" : " ", b->command);
}

bool keymap_read(const char *line, struct binding *out)
{
	static const char *const words[] = {"bind", "unbind"};
	struct arena a;
	struct change r;
	bool ok = false;
	arena_init(&a);
	const char *const word = command_word(&line, &a);
	for (size_t i = 0; i < 2 && !ok; i++)
		if (strcmp(word, words[i]) == 0 && read_change(word, line, &a, &r, NULL)) {
			*out = (struct binding){.context = scene_intern(r.context),
						.key = scene_intern(r.key),
						.command = scene_intern(i == 0 ? r.rest : "")};
			ok = true;
		}
	arena_release(&a);
	return ok;
}

/* ---- completion -------------------------------------------------------------------------- */

void keymap_names(struct candidates *out)
{
	for (size_t i = 0; i < KEYS; i++)
		candidates_add(out, key_names[i]);
	for (char c = 'a'; c <= 'z'; c++) {
		const char *const name = arena_printf(out->arena, "Ctrl-%c", c);
		struct err err;
		if (may_change("", name, &err))
			candidates_add(out, name);
	}
}

/* Returns the text behind the first word; NULL: that word is still being typed. */
static const char *behind_word(const char *at)
{
	const size_t len = strcspn(at, " \t");
	return at[len] ? at + len + strspn(at + len, " \t") : NULL;
}

/* Completes contexts and keys; behind the key a command line. */
static void complete_change(const struct app *app, const char *args, bool command,
			    struct candidates *out)
{
	const char *next = behind_word(args);
	if (!next) {
		const char *names[MOST_NAMES];
		const size_t n = context_names(names);
		for (size_t i = 0; i < n; i++)
			candidates_add(out, names[i]);
		keymap_names(out);
		return;
	}
	const char *first = args;
	if (context_of(command_word(&first, out->arena))) {
		next = behind_word(next);
		if (!next) {
			keymap_names(out);
			return;
		}
	}
	if (!command)
		return;
	out->from = (size_t)(next - args);
	out->matched = true;
	complete_line(app, next, out);
}

void complete_bind(const struct app *app, const char *args, struct candidates *out)
{
	complete_change(app, args, true, out);
}

void complete_unbind(const struct app *app, const char *args, struct candidates *out)
{
	complete_change(app, args, false, out);
}
