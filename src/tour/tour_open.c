/* tour_open.c: tours by their names: ours, files, lectures, and scenes that were saved. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "posviz/app/snapshot.h"
#include "posviz/base/asset.h"
#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/format/kind.h"
#include "posviz/tour/recorder.h"
#include "tour_in.h"

enum { TOUR_LIMIT = 4 << 20, OURS_MOST = 64 };
static const char folder[] = "tours/", one_ending[] = ".tour", list_ending[] = ".tours";

/* ---- names ------------------------------------------------------------------------------------------- */

static bool ends(const char *text, size_t len, const char *with)
{
	const size_t n = strlen(with);
	return len >= n && memcmp(text + len - n, with, n) == 0;
}

const char *tour_base_name(const char *path, struct arena *a)
{
	const char *const slash = strrchr(path, '/');
	const char *const base = slash ? slash + 1 : path;
	const size_t len = strlen(base);
	const size_t cut = ends(base, len, list_ending)	 ? strlen(list_ending)
			   : ends(base, len, one_ending) ? strlen(one_ending)
							 : 0;
	/* A line of a tour does not end with blanks: a name that is nothing else stands in quotes. */
	return strspn(base, " \t") >= len - cut ? text_quote(a, base, len - cut)
						: text_escape(a, base, len - cut);
}

static const struct asset *ours(const char *name, struct arena *a, bool *list)
{
	*list = false;
	const struct asset *at = asset_find(arena_printf(a, "%s%s%s", folder, name, one_ending));
	if (at)
		return at;
	*list = true;
	return asset_find(arena_printf(a, "%s%s%s", folder, name, list_ending));
}

static bool is_file_name(const char *name)
{
	const size_t len = strlen(name);
	return strchr(name, '/') || ends(name, len, one_ending) || ends(name, len, list_ending);
}

bool tour_is_ours(const char *name)
{
	struct arena a;
	bool list;
	arena_init(&a);
	const bool is = !is_file_name(name) && ours(name, &a, &list);
	arena_release(&a);
	return is;
}

bool tour_spec_is(const char *text, bool of_ours)
{
	struct tour_spec spec;
	struct arena a;
	bool list, is = false;
	arena_init(&a);
	if (tour_spec_parse(text, &a, &spec, NULL)) {
		const size_t len = strlen(spec.name);
		is = ends(spec.name, len, one_ending) || ends(spec.name, len, list_ending) ||
		     (of_ours && ours(spec.name, &a, &list));
	}
	arena_release(&a);
	return is;
}

bool tour_spec_parse(const char *text, struct arena *a, struct tour_spec *out, struct err *err)
{
	static const long most = 100000;
	const char *const hash = strrchr(text, '#');
	long step = 0, beat = 0;
	*out = (struct tour_spec){.name = text};
	/* "C#.tour": it stands in the name. */
	if (!hash || is_file_name(hash) || strchr(text, '\n'))
		return true;
	const size_t len = strcspn(hash + 1, ".");
	if (!num_parse_long(hash + 1, len, 1, most, &step, err))
		return err_prefix(err, "the step behind #: ");
	if (hash[1 + len] == '.' &&
	    !num_parse_long(hash + 2 + len, strlen(hash + 2 + len), 1, most, &beat, err))
		return err_prefix(err, "the beat behind #%ld.: ", step);
	*out = (struct tour_spec){arena_strndup(a, text, (size_t)(hash - text)), (size_t)step,
				  (size_t)beat};
	return true;
}

bool tour_spec_beat(const struct tour_spec *spec, const struct tour *t, bool last, size_t *beat,
		    struct err *err)
{
	*beat = 0;
	if (spec->step == 0)
		return true;
	if (spec->step > t->n_steps)
		return err_set(err, "%s has %zu steps; there is no step %zu", t->name, t->n_steps,
			       spec->step);
	const struct tour_step *const s = &t->steps[spec->step - 1];
	if (spec->beat > s->n)
		return err_set(err, "step %zu of %s has %zu beat%s; there is no beat %zu",
			       spec->step, t->name, s->n, s->n == 1 ? "" : "s", spec->beat);
	*beat = s->first + (spec->beat > 0 ? spec->beat - 1 : last ? s->n - 1 : 0);
	return true;
}

/* ---- one file ---------------------------------------------------------------------------------------- */

static const char *absolute(const char *path, struct arena *a)
{
	char real[PATH_MAX];
	return arena_strdup(a, realpath(path, real) ? real : path);
}

static void name_it(struct tour *t, const char *name)
{
	const struct tour_part *const p = &t->parts[0];
	t->name = name;
	t->path = NULL;
	t->title = p->title;
	t->author = p->author;
	t->about = p->about;
}

bool tour_read(const char *name, const char *text, size_t len, enum tour_depth depth,
	       struct cache *cache, struct watch *watch, struct arena *a, struct tour *out,
	       struct tour_report *report)
{
	struct reading r;
	reading_open(&r, cache, watch, a, out, report);
	r.file = text_escape(a, name, strlen(name));
	reading_lines(&r, tour_base_name(name, a), text, len);
	name_it(out, out->parts[0].name);
	return reading_close(&r, depth);
}

/* ---- a lecture: names of tours, a line each ------------------------------------------------------------ */

struct lecture {
	struct reading r;
	const char *folder; /* of the file; "" for ours */
	const char *names[TOUR_PARTS];
	size_t n;
};

/* How often the word stands in the text, in letters of any size: "rope" in "RoPE turns", not in "proper". */
static size_t times(const char *text, const char *word)
{
	const size_t len = strlen(word);
	size_t n = 0;
	for (const char *at = text; len > 0 && (at = text_find(at, word)) != NULL; at += len)
		n += (at == text || !isalnum((unsigned char)at[-1])) &&
		     !isalnum((unsigned char)at[len]);
	return n;
}

/* Our tours that speak of it, those that do so most first: "rotation, rank"; NULL: none does. */
static const char *speaking_of(const char *word, const struct tour_name *all, size_t n,
			       struct arena *a)
{
	enum { MOST = 4 };
	size_t *const count = arena_calloc(a, n, sizeof *count);
	const char *out = NULL;
	bool list;
	for (size_t i = 0; i < n; i++)
		count[i] = all[i].lecture ? 0 : times(ours(all[i].name, a, &list)->begin, word);
	for (size_t k = 0; k < MOST; k++) {
		size_t best = 0;
		for (size_t i = 1; i < n; i++)
			best = count[i] > count[best] ? i : best;
		if (n == 0 || count[best] == 0)
			break;
		count[best] = 0;
		out = out ? arena_printf(a, "%s, %s", out, all[best].name) : all[best].name;
	}
	return out;
}

static bool no_tour(const char *name, struct arena *a, struct err *err)
{
	const char *names[OURS_MOST];
	size_t n;
	const struct tour_name *const all = tours_all(a, &n);
	for (size_t i = 0; i < n && i < OURS_MOST; i++)
		names[i] = all[i].name;
	const char *const near = text_suggest(name, names, n < OURS_MOST ? n : OURS_MOST);
	const char *const quoted = text_quote(a, name, strlen(name));
	if (near)
		return err_set(err, "there is no tour %s; did you mean \"%s\"?", quoted, near);
	const char *const speaking = speaking_of(name, all, n, a);
	return speaking ? err_set(err, "there is no tour %s; these speak of it: %s", quoted,
				  speaking)
			: err_set(err,
				  "there is no tour %s; posviz tour --list names ours, and "
				  "FILE.tour is one of your own",
				  quoted);
}

/* A text is read as one whatever its name is, and what is wrong with it is said by its lines. */
static bool is_tour(const char *name, const char *data, size_t len, struct err *err)
{
	struct kind_seen seen;
	kind_look(name, data, len, NULL, &seen);
	const enum kind_id id = seen.kind->id;
	return kind_is_taken(seen.kind, "tour") || id == KIND_TEXT || id == KIND_EMPTY ||
	       id == KIND_BINARY || kind_refuse(&seen, "tour", name, err);
}

static bool get_text(const char *name, struct arena *a, const char **text, size_t *len, bool *list,
		     struct err *err)
{
	const struct asset *const at = is_file_name(name) ? NULL : ours(name, a, list);
	char *data;
	if (at) {
		*text = at->begin;
		*len = (size_t)(at->end - at->begin);
		return true;
	}
	if (!is_file_name(name) && !file_exists(name))
		return no_tour(name, a, err);
	if (!scene_file_right(name, err) || !file_read(name, TOUR_LIMIT, a, &data, len, err) ||
	    !is_tour(name, data, *len, err))
		return false;
	*list = ends(name, strlen(name), list_ending);
	*text = data;
	return true;
}

static void add_part(struct lecture *l, const char *name)
{
	struct reading *const r = &l->r;
	struct err err;
	const char *text;
	size_t len;
	bool list = false;
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->names[i], name) == 0) {
			reading_error(r, r->line, "%s is named twice", name);
			return;
		}
	if (l->n == TOUR_PARTS) {
		reading_error(r, r->line, "a lecture has at most %d tours", TOUR_PARTS);
		return;
	}
	l->names[l->n++] = name;
	const char *const path = is_file_name(name) && *name != '/'
					 ? arena_printf(r->a, "%s%s", l->folder, name)
					 : name;
	if (!get_text(path, r->a, &text, &len, &list, &err) ||
	    (list && !err_set(&err, "%s is a lecture; a lecture names tours", name))) {
		reading_error(r, r->line, "%s", err.text);
		return;
	}
	const char *const file = r->file;
	const size_t line = r->line;
	r->file = is_file_name(name) ? text_escape(r->a, path, strlen(path))
				     : arena_printf(r->a, "%s%s", name, one_ending);
	reading_lines(r, tour_base_name(name, r->a), text, len);
	r->file = file;
	r->line = line;
}

/* Its header has the same words as a tour's. */
static void lecture_line(struct lecture *l, struct tour *t, char *line)
{
	struct reading *const r = &l->r;
	struct {
		const char *word;
		const char **to;
	} const header[] = {{"title", &t->title}, {"author", &t->author}, {"about", &t->about}};
	line += strspn(line, " \t");
	for (size_t n = strlen(line); n > 0 && strchr(" \t\r", line[n - 1]); n--)
		line[n - 1] = '\0';
	if (*line == '\0' || *line == '#')
		return;
	const size_t len = strcspn(line, " \t");
	for (size_t i = 0; i < sizeof header / sizeof *header; i++) {
		const char *const word = header[i].word, *text = line + len;
		if (strlen(word) != len || strncmp(line, word, len) != 0)
			continue;
		text += strspn(text, " \t");
		if (**header[i].to != '\0')
			reading_error(r, r->line, "a second %s", word);
		else if (directive_takes(r, word, text))
			*header[i].to = text_escape(r->a, text, strlen(text));
		return;
	}
	add_part(l, text_escape(r->a, line, strlen(line)));
}

static void read_lecture(struct lecture *l, const char *name, const char *text, size_t len)
{
	struct tour *const t = l->r.tour;
	char *at = arena_strndup(l->r.a, text, len);
	const char *const slash = strrchr(name, '/');
	l->folder = slash ? arena_strndup(l->r.a, name, (size_t)(slash - name) + 1) : "";
	if (strlen(at) != len || !text_valid(at, len)) {
		reading_error(&l->r, 0, "this is no text in UTF-8");
		return;
	}
	for (char *line; (line = strsep(&at, "\n")) != NULL;) {
		l->r.line++;
		lecture_line(l, t, line);
	}
	if (t->n_parts == 0)
		reading_error(&l->r, 0, "it names no tour; one a line would be right");
	if (*t->title == '\0')
		t->title = tour_base_name(name, l->r.a);
}

/* ---- several files, a line each ------------------------------------------------------------------------ */

static bool open_files(const char *names, struct arena *a, struct tour *out, struct err *err)
{
	const char *paths[TOUR_STEPS + 1];
	char *at = arena_strdup(a, names);
	size_t n = 0;
	for (char *path; (path = strsep(&at, "\n")) != NULL && n <= TOUR_STEPS;)
		paths[n++] = path;
	return tour_of_files(paths, n, a, out, err);
}

/* ---- any --------------------------------------------------------------------------------------------- */

bool tour_open(const char *name, enum tour_depth depth, struct cache *cache, struct watch *watch,
	       struct arena *a, struct tour *out, struct tour_report *report, struct err *err)
{
	struct tour_report own = {.arena = a};
	struct tour_report *const said = report ? report : &own;
	const char *text;
	size_t len;
	bool list = false, is_ours;
	if (strchr(name, '\n'))
		return open_files(name, a, out, err);
	if (!get_text(name, a, &text, &len, &list, err))
		return false;
	is_ours = tour_is_ours(name);
	struct lecture *const l = arena_calloc(a, 1, sizeof *l);
	reading_open(&l->r, cache, watch, a, out, said);
	l->r.file = is_ours ? arena_printf(a, "%s%s", name, list ? list_ending : one_ending)
			    : text_escape(a, name, strlen(name));
	if (list)
		read_lecture(l, name, text, len);
	else
		reading_lines(&l->r, tour_base_name(name, a), text, len);
	if (!list)
		name_it(out, out->parts[0].name);
	out->name = tour_base_name(name, a);
	out->path = is_ours ? NULL : absolute(name, a);
	const bool ok = reading_close(&l->r, depth);
	for (size_t i = 0; !ok && i < said->n; i++)
		if (!said->lines[i].warning)
			return err_set(err, "%s", said->lines[i].text);
	return ok;
}

/* A tour, and what would be the text or the structure of whatever is looked at, is no scene. */
static bool is_scene(const struct app *app, const char *path, struct arena *a, struct err *err)
{
	const struct setup *const s = &app->scene.setup;
	const char *const data[] = {s->file, s->conllu, s->tree, s->graph};
	bool is = app->request == REQUEST_NONE;
	for (size_t i = 0; i < sizeof data / sizeof *data; i++)
		is = is && strcmp(data[i], path) != 0;
	return is || err_set(err,
			     "%s holds %s and no scene; several files are the steps of a tour, a "
			     "scene each",
			     text_escape(a, path, strlen(path)),
			     app->request ? "a tour" : "tokens or a structure");
}

/* Its commands behind those of `last`, the scene before it, whose place it takes. */
static bool add_scene(struct strbuf *b, const char *path, struct scene *last, struct arena *a,
		      struct err *err)
{
	struct app *const app = arena_calloc(a, 1, sizeof *app);
	const char *const shown = tour_base_name(path, a), *lines;
	app_init(app);
	bool ok = app_open(app, path, err) && is_scene(app, path, a, err);
	if (ok) {
		scene_make_absolute(&app->scene, a);
		app->scene.presenter = false;
		ok = recorder_lines(last, &app->scene, a, &lines, last, err) ||
		     err_prefix(err, "%s: ", text_escape(a, path, strlen(path)));
	}
	if (ok)
		strbuf_printf(b, "step %s\n%ssay %s\n", text_shorten(a, shown, 44, true), lines,
			      text_shorten(a, shown, 200, true));
	app_release(app);
	return ok;
}

bool tour_of_files(const char *const *paths, size_t n, struct arena *a, struct tour *out,
		   struct err *err)
{
	struct tour_report report = {.arena = a};
	struct strbuf b;
	struct scene last;
	scene_init(&last);
	strbuf_init(&b, a);
	strbuf_printf(&b, "title %zu scenes\ntokens words\n", n);
	if (n > TOUR_STEPS)
		return err_set(err, "%zu files; at most %d are opened at a time", n, TOUR_STEPS);
	for (size_t i = 0; i < n; i++)
		if (!add_scene(&b, paths[i], &last, a, err))
			return false;
	return tour_read("scenes", b.at, b.len, TOUR_LINES, NULL, NULL, a, out, &report) ||
	       err_set(err, "%s", report.lines[0].text);
}

/* ---- ours ---------------------------------------------------------------------------------------------- */

static bool add_name(const struct asset *at, struct arena *a, struct tour_name *out)
{
	struct tour t;
	struct err err;
	const char *const path = at->path + strlen(folder);
	const bool list = ends(path, strlen(path), list_ending);
	const char *const name = tour_base_name(path, a);
	if (!tour_open(name, TOUR_LINES, NULL, NULL, a, &t, NULL, &err))
		BUG("%s", err.text);
	*out = (struct tour_name){name, t.title, t.about, t.n_steps, t.seconds, list};
	return true;
}

/* Every tour of ours in the order of assets/tours/order, as they are taught. */
const struct tour_name *tours_all(struct arena *a, size_t *n)
{
	const struct asset *const order = asset_find("tours/order");
	struct tour_name *const out = arena_calloc(a, OURS_MOST, sizeof *out);
	BUG_IF(!order);
	*n = 0;
	char *text = arena_strndup(a, order->begin, (size_t)(order->end - order->begin));
	for (char *line; (line = strsep(&text, "\n")) != NULL;) {
		bool list;
		const struct asset *const at = *line ? ours(line, a, &list) : NULL;
		BUG_IF((*line && !at) || *n == OURS_MOST);
		if (at && add_name(at, a, &out[*n]))
			(*n)++;
	}
	return out;
}

const char *tour_where(const struct tour *t, size_t beat, struct arena *a)
{
	const struct tour_beat *const b = &t->beats[beat];
	if (!t->path && !tour_spec_is(t->name, true))
		return NULL;
	return arena_printf(a, "%s#%zu.%zu", t->path ? t->path : t->name, b->step + 1,
			    beat - t->steps[b->step].first + 1);
}

const char *tour_time(double seconds, struct arena *a)
{
	const long whole = (long)(seconds + 0.5);
	return arena_printf(a, "%ld:%02ld", whole / 60, whole % 60);
}

char tour_letter(int option)
{
	return (char)('a' + option);
}
