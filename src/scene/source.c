/* source.c: reads the source that a field names: a text itself, a sample, or a file.
 *
 * Many pictures are made of one file, and a treebank is large: the last large file is kept, and
 * read again only if another is wanted or the file has changed. Readers copy the parts that they
 * keep, so the file can be released under the lock. */
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posviz/base/sha256.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/disk.h"
#include "posviz/format/file.h"
#include "posviz/scene/beside.h"
#include "posviz/scene/sample.h"
#include "scene_in.h"

enum { STRUCTURE_LIMIT = 512 << 20, KEEP_FROM = 64 << 10 };
enum { KEEP_TO = 128 << 20 };

static struct {
	pthread_mutex_t lock;
	bool there;
	struct arena arena;
	const char *path; /* interned */
	struct stat id;
	char *text;
	size_t len;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the kind of source ---------------------------------------------------------------------- */

static bool field_takes_samples(const char *field)
{
	static const char *const names[] = {"file", "conllu", "tree", "graph"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(field, names[i]) == 0)
			return true;
	return false;
}

static bool is_itself(const char *field, const char *value)
{
	if (strcmp(field, "file") == 0)
		return false;
	if (strchr(value, '\n'))
		return true;
	if (strcmp(field, "conllu") == 0)
		return false;
	const char *const begin = value + strspn(value, " \t");
	const bool graph = strcmp(field, "graph") == 0;
	return (*begin == '(' || (graph && (*begin == '<' || strpbrk(value, "{};") ||
					    strstr(value, "->") || strstr(value, ") ^")))) &&
	       !file_exists(value);
}

/* True if the value of the field is the name of a file, and neither a sample nor a text itself. */
static bool names_file(const char *field, const char *value)
{
	const bool sampled = field_takes_samples(field);
	return *value && strcmp(value, "-") != 0 && !disk_is_inside(value) &&
	       !(sampled && (*value == '@' || is_itself(field, value)));
}

/* Returns the canonical expression with file names relative to the folder; NULL if it names no
 * file, as is certain for one without arguments. */
static const char *expression_from(const char *folder, const char *text, struct arena *a)
{
	struct expr e;
	const bool any = strchr(text, '=') && expr_parse(&e, text, a, NULL) &&
			 expr_files_from(&e, folder, a);
	return any ? expr_print(&e, a) : NULL;
}

/* Does the same for a compared entry and its input. True if it names any file. */
static bool beside_from(struct beside *b, const char *folder, struct arena *a)
{
	const char *const expression =
		b->expression ? expression_from(folder, b->expression, a) : NULL;
	bool any = expression != NULL;
	b->expression = any ? expression : b->expression;
	if (b->model && *b->model != '/') {
		b->model = arena_printf(a, "%s/%s", folder, b->model);
		any = true;
	}
	for (size_t i = 0; i < BESIDE_INPUTS; i++) {
		const char *const value = b->input[i];
		const struct field *const f = field_find(beside_inputs[i]);
		if (!value || !field_is_file(f) || *value == '/' || !names_file(f->name, value))
			continue;
		b->input[i] = arena_printf(a, "%s/%s", folder, value);
		any = true;
	}
	return any;
}

const char *expression_make_absolute(const char *expression, struct arena *a)
{
	char here[PATH_MAX];
	const char *const out =
		getcwd(here, sizeof here) ? expression_from(here, expression, a) : NULL;
	return out ? out : expression;
}

void scene_make_absolute(struct scene *scene, struct arena *a)
{
	char here[PATH_MAX];
	if (!getcwd(here, sizeof here))
		return;
	for (const struct field *f = scene_fields; f->name; f++) {
		const char *const value = scene_get(scene, f, a);
		if (field_is_file(f) && *value != '/' && names_file(f->name, value))
			scene_set(scene, f, arena_printf(a, "%s/%s", here, value), NULL);
	}
	const char *const scheme = expression_from(here, scene->setup.scheme, a);
	if (scheme)
		scene_set(scene, field_find("scheme"), scheme, NULL);
	struct beside all[COMPARE_MAX];
	const size_t n = scene_beside(&scene->setup, a, all);
	bool any = false;
	for (size_t i = 1; i < n; i++)
		any |= beside_from(&all[i], here, a);
	if (any)
		scene_set(scene, field_find("compare"), beside_list(all + 1, n - 1, a), NULL);
}

bool scene_file_right(const char *path, struct err *err)
{
	struct stat st;
	char quoted[200];
	if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return true;
	return err_set(err, "cannot read %s: it is no regular file",
		       text_quote_buf(quoted, sizeof quoted, path, strlen(path)));
}

static bool read_sample(const char *field, const char *value, struct arena *a,
			struct scene_text *out, struct err *err)
{
	struct sample s;
	if (!sample_find(value, a, &s, err))
		return err_prefix(err, "%s: ", field);
	if (strcmp(s.field, "open") == 0)
		return err_set(err, "%s: @%s is a script; open @%s would be right", field, s.name,
			       s.name);
	if (strcmp(s.field, field) != 0)
		return err_set(err, "%s: @%s is for %s; --%s @%s would be right", field, s.name,
			       s.field, s.field, s.name);
	*out = (struct scene_text){
		.name = value, .text = s.begin, .len = (size_t)(s.end - s.begin)};
	return true;
}

/* Standard input was read when the program began, or it is the keyboard. */
static bool read_plain(const char *field, const char *value, size_t limit, struct arena *a,
		       struct scene_text *out, struct err *err)
{
	char *data;
	if (strcmp(value, "-") == 0)
		return err_set(err, "%s: standard input cannot be read here; name a file", field);
	out->name = value;
	if (!scene_file_right(value, err) || !file_read(value, limit, a, &data, &out->len, err))
		return false;
	out->text = data;
	return kind_fits(field, value, data, out->len, &out->kind, err) ||
	       err_prefix(err, "%s: ", field);
}

/* Replaces ";" between edges by the line ends that files have. DOT has its own ";", and a PENMAN
 * graph may have them in names, so these are unchanged. */
static const char *part_edges(const char *field, const char *value, struct arena *a)
{
	char *const out = arena_strdup(a, value);
	bool quoted = false;
	if (strcmp(field, "graph") != 0 || strchr("(<", out[strspn(out, " \t")]) ||
	    strpbrk(out, "\n{}"))
		return value;
	for (char *c = out; *c; c++) {
		if (quoted && *c == '\\' && c[1])
			c++;
		else if (*c == '"')
			quoted = !quoted;
		else if (!quoted && *c == ';')
			*c = '\n';
	}
	return out;
}

bool source_read(const char *field, const char *value, size_t limit, struct arena *a,
		 struct scene_text *out, struct err *err)
{
	if (*value == '@')
		return read_sample(field, value, a, out, err);
	if (!is_itself(field, value))
		return read_plain(field, value, limit, a, out, err);
	const char *const text = part_edges(field, value, a);
	*out = (struct scene_text){.name = field, .text = text, .len = strlen(text)};
	return true;
}

/* ---- the identity of a setup's numbers ------------------------------------------------------- */

/* An index names files beside it. */
static bool is_index(const char *path)
{
	struct kind_seen seen;
	const size_t len = strlen(path);
	return len > 5 && strcmp(path + len - 5, ".json") == 0 &&
	       kind_of_file(path, NULL, &seen, NULL) && seen.kind->id == KIND_MODEL_INDEX;
}

static bool is_of_numbers(const struct field *f, bool any_order)
{
	return f->setup && strcmp(f->name, "compare") != 0 &&
	       !(any_order && strcmp(f->name, "order") == 0);
}

const char *setup_identity(const struct setup *setup, bool any_order, struct arena *a)
{
	const struct scene scene = {.setup = *setup};
	struct strbuf out;
	if (strstr(setup->scheme, "from=")) /* only schemes know the files in it */
		return NULL;
	strbuf_init(&out, a);
	strbuf_printf(&out, "names %zu", define_changes());
	for (const struct field *f = scene_fields; f->name; f++) {
		if (!is_of_numbers(f, any_order))
			continue;
		const char *const value = scene_get(&scene, f, a);
		const bool file = field_is_file(f) && names_file(f->name, value);
		const char *const id = !file		 ? ""
				       : is_index(value) ? NULL
							 : file_identity(value, a);
		if (!id)
			return NULL;
		strbuf_printf(&out, "\n%s %s%s", f->name, value, id);
	}
	return out.at;
}

/* ---- the kept file --------------------------------------------------------------------------- */

static bool same_file(const struct stat *x, const struct stat *y)
{
	return x->st_dev == y->st_dev && x->st_ino == y->st_ino && x->st_size == y->st_size &&
	       x->st_mtim.tv_sec == y->st_mtim.tv_sec && x->st_mtim.tv_nsec == y->st_mtim.tv_nsec &&
	       x->st_ctim.tv_sec == y->st_ctim.tv_sec && x->st_ctim.tv_nsec == y->st_ctim.tv_nsec;
}

/* Call with the lock held. */
static bool keep(const char *path, const struct stat *id, struct err *err)
{
	if (kept.there && strcmp(kept.path, path) == 0 && same_file(&kept.id, id))
		return true;
	if (kept.there)
		arena_release(&kept.arena);
	kept.there = false;
	arena_init(&kept.arena);
	if (!file_read(path, KEEP_TO, &kept.arena, &kept.text, &kept.len, err)) {
		arena_release(&kept.arena);
		return false;
	}
	kept.there = true;
	kept.path = scene_intern(path);
	kept.id = *id;
	return true;
}

static bool worth_keeping(const char *path, struct stat *id)
{
	return stat(path, id) == 0 && S_ISREG(id->st_mode) && id->st_size >= KEEP_FROM &&
	       id->st_size <= KEEP_TO;
}

static void note_edges(struct structure *s, struct arena *a)
{
	const char *const note = arena_printf(a, "read as a list of edges: %zu edge%s", s->n_edges,
					      s->n_edges == 1 ? "" : "s");
	s->note = s->note ? arena_printf(a, "%s; %s", s->note, note) : note;
}

static bool read_structure(const struct setup *s, const char *field, const struct scene_text *from,
			   size_t *count, struct arena *a, struct structured *out, struct err *err)
{
	const size_t which = (size_t)s->pick;
	const struct tree_options options = {.units = (enum tree_units)s->tree_units,
					     .keep_empty = s->keep_empty,
					     .keep_functions = s->keep_functions};
	if (strcmp(field, "conllu") == 0)
		return structure_conllu(from->name, from->text, from->len, which, count, a, out,
					err);
	if (strcmp(field, "tree") == 0)
		return structure_brackets(from->name, from->text, from->len, which, count, &options,
					  a, out, err);
	if (!structure_graph(from->name, from->text, from->len, which, count, a, out, err))
		return false;
	/* A text may be a list of edges by accident, so the note says how it was read. */
	if (from->kind.kind && from->kind.kind->id == KIND_TEXT)
		note_edges(&out->structure, a);
	return true;
}

bool source_structure(const struct setup *s, const char *field, const char *value, size_t *count,
		      struct arena *a, struct structured *out, struct err *err)
{
	struct scene_text from;
	struct stat id;
	bool ok;
	if (*value != '@' && !is_itself(field, value) && worth_keeping(value, &id)) {
		pthread_mutex_lock(&kept.lock);
		ok = keep(value, &id, err);
		from = (struct scene_text){.name = value, .text = kept.text, .len = kept.len};
		ok = ok &&
		     (kind_fits(field, value, kept.text, kept.len, &from.kind, err) ||
		      err_prefix(err, "%s: ", field)) &&
		     read_structure(s, field, &from, count, a, out, err);
		pthread_mutex_unlock(&kept.lock);
		return ok;
	}
	/* The text is not needed afterwards, so it has its own arena. */
	struct arena scratch;
	arena_init(&scratch);
	ok = source_read(field, value, STRUCTURE_LIMIT, &scratch, &from, err) &&
	     read_structure(s, field, &from, count, a, out, err);
	arena_release(&scratch);
	return ok;
}
