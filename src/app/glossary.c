/* glossary.c: reads the list of words and their meanings, and finds a word in it. */
#include "posviz/app/glossary.h"

#include <string.h>

#include "posviz/base/asset.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

enum { NAMES_MAX = 32 };

struct reader {
	struct arena *a;
	struct err *err;
	size_t line;
	const char *section;
	struct glossary_entry *at;
	size_t n, cap;
	bool open; /* an entry is being read */
};

static bool fail(struct reader *r, const char *what)
{
	return err_set(r->err, "line %zu: %s", r->line, what);
}

static struct glossary_entry *new_entry(struct reader *r)
{
	r->at = arena_grow(r->a, r->at, r->n, &r->cap, sizeof *r->at);
	r->open = true;
	return &r->at[r->n++];
}

/* Reads the names of an entry: "probe | probe ones". */
static bool read_names(struct reader *r, const char *line)
{
	const char **const names = arena_calloc(r->a, NAMES_MAX + 1, sizeof *names);
	size_t n = 0;
	if (!r->section)
		return fail(r, "a word outside of all sections");
	for (const char *at = line; *at;) {
		const size_t part = strcspn(at, "|");
		size_t len = part;
		while (len > 0 && at[len - 1] == ' ')
			len--;
		if (n == NAMES_MAX || len == 0)
			return fail(r, len == 0 ? "an empty name" : "too many names");
		names[n++] = arena_strndup(r->a, at, len);
		at += part + (at[part] == '|');
		at += strspn(at, " ");
	}
	*new_entry(r) = (struct glossary_entry){
		.section = r->section, .names = names, .text = "", .seen = "", .from = ""};
	return true;
}

/* Reads a further line of the text, a command to try, or the place or source. */
static bool read_more(struct reader *r, const char *line)
{
	struct glossary_entry *const e = &r->at[r->n - 1];
	static const char seen[] = "seen: ", from[] = "from: ", try[] = "try: ";
	size_t n = 0;
	while (n < GLOSSARY_TRIES && e->tries[n])
		n++;
	if (strncmp(line, try, sizeof try - 1) == 0 && n == GLOSSARY_TRIES)
		return fail(r, "too many commands to try");
	if (strncmp(line, try, sizeof try - 1) == 0)
		e->tries[n] = line + sizeof try - 1;
	else if (strncmp(line, seen, sizeof seen - 1) == 0)
		e->seen = line + sizeof seen - 1;
	else if (strncmp(line, from, sizeof from - 1) == 0)
		e->from = line + sizeof from - 1;
	else if (*e->seen || *e->from || n > 0)
		return fail(r, "text belongs in front of try:, seen: and from:");
	else
		e->text = *e->text ? arena_printf(r->a, "%s %s", e->text, line) : line;
	return true;
}

static bool close_entry(struct reader *r)
{
	const bool ok = !r->open || *r->at[r->n - 1].text;
	r->open = false;
	return ok || fail(r, "the word before has no text");
}

static bool read_line(struct reader *r, const char *line)
{
	const size_t len = strlen(line);
	if (*line == '#')
		return true;
	if (len == 0)
		return close_entry(r);
	if (*line == '[' && line[len - 1] == ']' && !r->open && !strchr(line, '|')) {
		r->section = arena_strndup(r->a, line + 1, len - 2);
		return true;
	}
	return r->open ? read_more(r, line) : read_names(r, line);
}

bool glossary_read(const char *text, size_t len, struct arena *a, const struct glossary_entry **out,
		   size_t *n, struct err *err)
{
	struct reader r = {.a = a, .err = err};
	for (const char *at = text, *const end = text + len; at < end;) {
		const char *const stop = memchr(at, '\n', (size_t)(end - at));
		const size_t bytes = (size_t)((stop ? stop : end) - at);
		r.line++;
		if (!read_line(&r, arena_strndup(a, at, bytes)))
			return false;
		at += bytes + 1;
	}
	r.line++;
	if (!close_entry(&r))
		return false;
	*out = r.at;
	*n = r.n;
	return true;
}

const struct glossary_entry *glossary_all(struct arena *a, size_t *n)
{
	const struct asset *const file = asset_find("glossary.txt");
	const struct glossary_entry *all;
	struct err err;
	if (!file)
		BUG("there is no glossary");
	if (!glossary_read(file->begin, (size_t)(file->end - file->begin), a, &all, n, &err))
		BUG("glossary: %s", err.text);
	return all;
}

/* The searched word: as given, as a user types it, and the latter with "#" for its numbers. */
struct wanted {
	const struct glossary_entry *all;
	size_t n;
	const char *word, *typed, *form;
	struct arena *a;
};

/* True if the name is the word. For a symbol the case matters: d is the width, D a key. */
static bool is_called(const char *name, const struct wanted *w)
{
	return name[1] ? strcmp(text_typed(w->a, name), w->typed) == 0 : strcmp(name, w->word) == 0;
}

/* Replaces numbers by "#", so that 1/9 equals 1/5. */
static const char *without_numbers(const char *text, struct arena *a)
{
	static const char digits[] = "0123456789";
	char *const out = arena_strdup(a, text);
	char *to = out;
	for (const char *at = text; *at; at++)
		if (!strchr(digits, *at))
			*to++ = *at;
		else if (to == out || to[-1] != '#')
			*to++ = '#';
	*to = '\0';
	return out;
}

static bool is_nearly_called(const char *name, const struct wanted *w)
{
	return name[1] && w->typed[0] && w->typed[1] &&
	       text_same_name(text_typed(w->a, name), strlen(text_typed(w->a, name)), w->typed);
}

static const struct glossary_entry *find(const struct glossary_entry *all, size_t n,
					 const struct wanted *w,
					 bool (*fits)(const char *, const struct wanted *));

/* True for a text that may replace "...": each of its words is a number, a symbol of a few letters
 * or with a sign in it, or a word of the glossary. */
static bool is_filling(const char *text, size_t len, const struct wanted *w)
{
	enum { FEW = 3 };
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	for (const char *at = text, *const end = text + len; at < end; at += strspn(at, " ")) {
		const size_t n = strcspn(at, " ") < (size_t)(end - at) ? strcspn(at, " ")
								       : (size_t)(end - at);
		const char *const word = arena_strndup(w->a, at, n);
		const struct wanted inner = {w->all, w->n, word, word, word, w->a};
		if (n > FEW && strspn(word, letters) == n && !find(w->all, w->n, &inner, is_called))
			return false;
		at += n;
	}
	return true;
}

/* True if the name equals the word when all numbers count as equal; "..." in the name stands for
 * any text that is_filling(). */
static bool is_like(const char *name, const struct wanted *w)
{
	const char *const form = without_numbers(text_typed(w->a, name), w->a);
	const char *const any = strstr(form, "...");
	if (!any)
		return strchr(form, '#') && strcmp(form, w->form) == 0;
	const size_t before = (size_t)(any - form), behind = strlen(any + 3), len = strlen(w->form);
	return len > before + behind && strncmp(w->form, form, before) == 0 &&
	       strcmp(w->form + len - behind, any + 3) == 0 &&
	       is_filling(w->form + before, len - before - behind, w);
}

static const struct glossary_entry *find(const struct glossary_entry *all, size_t n,
					 const struct wanted *w,
					 bool (*fits)(const char *, const struct wanted *))
{
	for (size_t i = 0; i < n; i++)
		for (const char *const *at = all[i].names; *at; at++)
			if (fits(*at, w))
				return &all[i];
	return NULL;
}

const struct glossary_entry *glossary_find(const struct glossary_entry *all, size_t n,
					   const char *word)
{
	struct arena a;
	arena_init(&a);
	struct wanted w = {
		.all = all, .n = n, .word = word, .typed = text_typed(&a, word), .a = &a};
	w.form = without_numbers(w.typed, &a);
	const struct glossary_entry *e = find(all, n, &w, is_called);
	if (!e)
		e = find(all, n, &w, is_nearly_called);
	if (!e)
		e = find(all, n, &w, is_like);
	arena_release(&a);
	return e;
}

const char *glossary_title(const struct glossary_entry *e, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	strbuf_add(&out, e->names[0]);
	for (size_t i = 1; e->names[i]; i++)
		strbuf_printf(&out, "%s%s", i == 1 ? " (" : ", ", e->names[i]);
	strbuf_add(&out, e->names[1] ? ")" : "");
	return out.at;
}
