/* complete_file.c: names of files as candidates.
 *
 * A name may contain any byte. A name that cannot be shown unchanged is quoted in the line, so that
 * candidates are always text for a screen and still name the file. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app_in.h"
#include "posviz/app/format.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/tensor_names.h"
#include "posviz/scene/sample.h"

enum { MOST_READ = 20000, MOST_FILES = 200 };

/* A directory that is listed for the typed text: "sub/pi" is "sub/" and "pi". */
struct listing {
	struct arena *a;
	const char *typed, *part; /* part: behind the last slash */
	const char *dir;	  /* the path to open */
	bool only_dirs;
	struct candidates found; /* unquoted */
};

static bool is_plain(struct arena *a, const char *text)
{
	const size_t len = strlen(text);
	return len > 0 && text[0] != ' ' && text[0] != '"' && text[len - 1] != ' ' &&
	       !strchr(text, '\\') && strcmp(text_escape(a, text, len), text) == 0;
}

static const char *quoted(struct arena *a, const char *text)
{
	struct strbuf b;
	if (is_plain(a, text))
		return text;
	strbuf_init(&b, a);
	strbuf_add_char(&b, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_printf(&b, "\\%c", *text);
		else if (*text >= ' ' && *text <= '~')
			strbuf_add_char(&b, *text);
		else
			strbuf_printf(&b, "\\x%02X", (unsigned)(unsigned char)*text);
	}
	strbuf_add_char(&b, '"');
	return b.at;
}

static bool is_directory(const struct listing *l, const struct dirent *e)
{
	struct stat st;
	if (e->d_type != DT_UNKNOWN && e->d_type != DT_LNK)
		return e->d_type == DT_DIR;
	return stat(arena_printf(l->a, "%s%s", l->dir, e->d_name), &st) == 0 && S_ISDIR(st.st_mode);
}

/* Hidden names are listed only after a typed dot. */
static void take_entry(struct listing *l, const struct dirent *e)
{
	const char *const name = e->d_name;
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    (name[0] == '.' && l->part[0] != '.') || strncmp(name, l->part, strlen(l->part)) != 0)
		return;
	const bool dir = is_directory(l, e);
	if (dir || !l->only_dirs)
		candidates_add(&l->found, arena_printf(l->a, "%.*s%s%s", (int)(l->part - l->typed),
						       l->typed, name, dir ? "/" : ""));
}

static int by_name(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void add_entries(const char *typed, bool only_dirs, struct candidates *out)
{
	struct arena *const a = out->arena;
	const char *const slash = strrchr(typed, '/');
	struct listing l = {.a = a,
			    .typed = typed,
			    .part = slash ? slash + 1 : typed,
			    .only_dirs = only_dirs,
			    .found = {.arena = a}};
	const char *const at = arena_strndup(a, typed, (size_t)(l.part - typed));
	l.dir = *at ? command_path(a, at) : "./";
	DIR *const dir = opendir(l.dir);
	if (!dir)
		return;
	size_t read = 0;
	for (const struct dirent *e; read < MOST_READ && (e = readdir(dir)) != NULL; read++)
		take_entry(&l, e);
	closedir(dir);
	if (l.found.n > 0)
		qsort(l.found.at, l.found.n, sizeof *l.found.at, by_name);
	for (size_t i = 0; i < l.found.n && i < MOST_FILES; i++)
		candidates_add(out, quoted(a, l.found.at[i]));
}

/* Returns the typed text without its quotes, which may still be open. */
static const char *begin(const char *args, struct candidates *out)
{
	const char *typed = args;
	out->from = 0;
	out->matched = true;
	scene_unquote(args, out->arena, &typed, NULL);
	return typed;
}

/* Samples come before files; a field that takes no samples gets none. */
void complete_samples(const char *field, const char *args, struct candidates *out)
{
	size_t n;
	const char *const typed = begin(args, out);
	const struct sample *const all = samples_all(out->arena, &n);
	for (size_t i = 0; i < n; i++) {
		const char *const name = arena_printf(out->arena, "@%s", all[i].name);
		if (*field && strcmp(field, all[i].field) != 0)
			continue;
		if (strncmp(name, typed, strlen(typed)) == 0)
			candidates_note(out, name, all[i].help);
	}
}

void complete_open(const struct app *app, const char *args, struct candidates *out)
{
	complete_samples("", args, out);
	complete_file(app, args, out);
}

void complete_file(const struct app *app, const char *args, struct candidates *out)
{
	(void)app;
	add_entries(begin(args, out), false, out);
}

/* True if the name of a tensor can be written without quotes, so that the text after it is still
 * parsed. */
static bool is_bare(struct arena *a, const char *text)
{
	return is_plain(a, text) && !strpbrk(text, " ,()[]{};+\"");
}

static void add_tensors(const char *typed, size_t file, struct candidates *out)
{
	struct arena *const a = out->arena;
	size_t n;
	const char *const path = command_path(a, arena_strndup(a, typed, file));
	const char **const names = tensor_names_of(path, a, &n);
	for (size_t i = 0; i < n; i++)
		if (is_bare(a, names[i]))
			candidates_add(out, arena_printf(a, "%.*s:%s", (int)file, typed, names[i]));
}

void complete_tensor(const char *typed, struct candidates *out)
{
	struct candidates files = {.arena = out->arena};
	const char *const colon = strchr(typed, ':');
	if (colon) {
		add_tensors(typed, (size_t)(colon - typed), out);
		return;
	}
	add_entries(typed, false, &files);
	for (size_t i = 0; i < files.n; i++)
		if (is_bare(out->arena, files.at[i]))
			candidates_add(out, files.at[i]);
	if (files.n == 1 && strcmp(files.at[0], typed) == 0)
		add_tensors(typed, strlen(typed), out);
}

/* Adds endings to the name of a new file: "fig.s" may become "fig.svg", if that format has all of
 * `bits`. Without a typed name it is the scheme's. */
static void add_endings(const struct app *app, const char *typed, unsigned bits,
			struct candidates *out)
{
	const char *const slash = strrchr(typed, '/');
	const char *const base = slash ? slash + 1 : typed;
	const char *const dot = strrchr(base, '.');
	const size_t stem = dot ? (size_t)(dot - typed) : strlen(typed);
	const struct scheme *const s = *base ? NULL : menu_current(&app->scene);
	if (dot == base || (*base == '\0' && !s))
		return;
	for (const struct format *const *f = formats; *f; f++) {
		const char *const name = arena_printf(out->arena, "%.*s%s.%s", (int)stem, typed,
						      s ? s->id : "", (*f)->name);
		if (format_bears((*f)->name, bits) && strncmp(name, typed, strlen(typed)) == 0)
			candidates_note(out, quoted(out->arena, name), (*f)->help);
	}
}

void complete_save(const struct app *app, const char *args, struct candidates *out)
{
	const char *const typed = begin(args, out);
	add_endings(app, typed, FORMAT_PICTURE, out);
	add_endings(app, typed, FORMAT_NUMBERS, out);
	add_entries(typed, true, out);
}

void complete_export(const struct app *app, const char *args, struct candidates *out)
{
	const char *const typed = begin(args, out);
	add_endings(app, typed, FORMAT_NUMBERS, out);
	add_entries(typed, true, out);
}

void complete_snapshot(const struct app *app, const char *args, struct candidates *out)
{
	const char *const typed = begin(args, out);
	add_endings(app, typed, FORMAT_SNAPSHOT, out);
	add_entries(typed, true, out);
}
