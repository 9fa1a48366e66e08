/* scene.c: scenes as values: defaults, setting, comparing. Everything goes through the table of
 * fields; no code here knows a field by name. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "scene_in.h"

/* `scene` may not use `plot`, so its three words are repeated here; a test compares them. */
const char *const scale_names[] = {"auto", "linear", "sqrt", "symlog", NULL};

/* True if the set of heads or layers contains the shown one; for the mean, if it contains any. */
static bool acts_on(const struct subset *on, long number)
{
	return number == SCENE_MEAN ? subset_any(*on) : subset_has(on, (size_t)number - 1);
}

const struct expr_member *scene_member(const struct scene *scene, const struct expr *e)
{
	if (scene->member >= 1 && (size_t)scene->member <= e->n)
		return &e->members[scene->member - 1];
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *const m = &e->members[i];
		if (!(m->scheme->flags & SCHEME_BESIDE) && acts_on(&m->heads, scene->head) &&
		    acts_on(&m->layers, scene->layer))
			return m;
	}
	return expr_main(e);
}

/* ---- interned text ------------------------------------------------------------------------- */

struct word {
	struct word *next;
	char text[];
};

enum { WORD_BUCKETS = 1024 };
static struct word *words[WORD_BUCKETS];
static struct arena words_arena;
static pthread_mutex_t words_lock = PTHREAD_MUTEX_INITIALIZER;

const char *scene_intern(const char *text)
{
	uint32_t h = 2166136261u;
	for (const char *c = text; *c; c++)
		h = (h ^ (unsigned char)*c) * 16777619u;
	struct word **bucket = &words[h % WORD_BUCKETS];
	pthread_mutex_lock(&words_lock);
	struct word *w = *bucket;
	while (w && strcmp(w->text, text) != 0)
		w = w->next;
	if (!w) {
		const size_t len = strlen(text);
		w = arena_alloc(&words_arena, sizeof *w + len + 1);
		memcpy(w->text, text, len + 1);
		w->next = *bucket;
		*bucket = w;
	}
	pthread_mutex_unlock(&words_lock);
	return w->text;
}

/* ---- checks of single fields ---------------------------------------------------------------- */

static bool has_word(const char *at, const char *word)
{
	for (size_t len; *at; at += len + strspn(at + len, " ")) {
		len = strcspn(at, " ");
		if (len == strlen(word) && strncmp(at, word, len) == 0)
			return true;
	}
	return false;
}

bool check_special(const char **value, struct arena *a, struct err *err)
{
	unsigned flags;
	(void)a;
	return input_parse_special(*value, &flags, err);
}

bool check_scheme(const char **value, struct arena *a, struct err *err)
{
	const struct expr *const e = expr_of(*value, a, err);
	if (e)
		*value = expr_print(e, a);
	return e != NULL;
}

/* True if an earlier entry of the map has the same name as the entry at c. */
static bool maps_again(const char *map, const char *c, size_t name)
{
	for (const char *at = map; at < c; at += strspn(at, " ")) {
		if (strncmp(at, c, name + 1) == 0)
			return true;
		at += strcspn(at, " ");
	}
	return false;
}

bool check_map(const char **value, struct arena *a, struct err *err)
{
	for (const char *c = *value; *c;) {
		c += strspn(c, " ");
		const size_t len = strcspn(c, " ");
		const char *eq = memchr(c, '=', len);
		if (len && (!eq || eq == c || eq == c + len - 1))
			return err_set(err, "map: %s is not LEAF=TENSOR", text_quote(a, c, len));
		if (len && maps_again(*value + strspn(*value, " "), c, (size_t)(eq - c)))
			return err_set(err,
				       "map: %s is mapped twice; one tensor for it would be right",
				       text_quote(a, c, (size_t)(eq - c)));
		c += len;
	}
	return true;
}

/* Replaces names and aliases by ids, each once. */
bool check_listed(const char **value, struct arena *a, struct err *err)
{
	struct strbuf ids;
	size_t n = 0, len;
	strbuf_init(&ids, a);
	if (strcmp(*value, "all") == 0)
		return true;
	for (const char *at = *value + strspn(*value, " "); *at;
	     at += len + strspn(at + len, " ")) {
		len = strcspn(at, " ");
		const struct scheme *const s = scheme_find(at, len, err);
		if (!s)
			return false;
		if (!has_word(ids.at, s->id))
			strbuf_printf(&ids, "%s%s", n++ > 0 ? " " : "", s->id);
	}
	if (n == 0)
		return err_set(err, "name schemes, parted by blanks, or all of them: all");
	*value = ids.at;
	return true;
}

bool scene_lists(const struct scene *scene, const struct scheme *s)
{
	return strcmp(scene->listed, "all") == 0 || has_word(scene->listed, s->id);
}

bool check_name(const char **value, struct arena *a, struct err *err)
{
	const size_t len = strlen(*value);
	if (len == 0 || len > 40 || strspn(*value, "abcdefghijklmnopqrstuvwxyz0123456789-") != len)
		return err_set(err, "%s is not a name", text_quote(a, *value, len));
	return true;
}

bool check_font(const char **value, struct arena *a, struct err *err)
{
	const size_t len = strlen(*value);
	const char *const text = text_escape(a, *value, len);
	if (len == 0 || len > 100 || strcmp(text, *value) != 0 || strchr(*value, ','))
		return err_set(err, "font: %s is no family; one name as fc-list has it",
			       text_quote(a, *value, len));
	return true;
}

/* Removes blanks; an empty list becomes "all". */
bool check_panel(const char **value, struct arena *a, struct err *err)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *c = *value; *c; c++) {
		if (*c == ' ' || (*c == ',' && (out.len == 0 || out.at[out.len - 1] == ',')))
			continue;
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-,", *c))
			return err_set(err, "panel: %s are no names, parted by commas",
				       text_quote(a, *value, strlen(*value)));
		strbuf_add_char(&out, *c);
	}
	if (out.len > 0 && out.at[out.len - 1] == ',')
		out.at[--out.len] = '\0';
	*value = out.len > 0 ? out.at : "all";
	return true;
}

bool check_colormap(const char **value, struct arena *a, struct err *err)
{
	return check_name(value, a, err);
}

/* ---- fields --------------------------------------------------------------------------------- */

const struct field *field_find(const char *name)
{
	for (const struct field *f = scene_fields; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

const char *field_args(const struct field *f, struct arena *a)
{
	return f->args ? f->args : value_range(&f->type, a);
}

bool field_is_file(const struct field *f)
{
	return f->args && strncmp(f->args, "FILE", 4) == 0;
}

bool field_set(void *base, const struct field *f, const char *value, struct err *err)
{
	void *const at = (char *)base + f->offset;
	struct arena a;
	arena_init(&a);
	const bool ok = (!f->check || f->check(&value, &a, err)) &&
			(value_parse(&f->type, value, strlen(value), at, &a, err) ||
			 err_prefix(err, "%s: ", f->name));
	if (ok && f->type.kind == &value_text)
		*(const char **)at = scene_intern(value);
	arena_release(&a);
	return ok;
}

bool scene_set(struct scene *scene, const struct field *f, const char *value, struct err *err)
{
	if (!field_set(scene, f, value, err))
		return false;
	if (f->asked > 0)
		*(bool *)((char *)scene + f->asked) = true;
	return true;
}

bool scene_add(struct scene *scene, const struct field *f, const char *value, struct err *err)
{
	struct arena a;
	if (!f->joined)
		return scene_set(scene, f, value, err);
	arena_init(&a);
	const bool ok = scene_set(scene, f, f->joined(scene_get(scene, f, &a), value, &a), err);
	arena_release(&a);
	return ok;
}

const char *field_get(const void *base, const struct field *f, struct arena *a)
{
	return value_print(&f->type, (const char *)base + f->offset, a);
}

const char *scene_get(const struct scene *scene, const struct field *f, struct arena *a)
{
	return field_get(scene, f, a);
}

/* Returns whether the first head is the user's choice, in a view that else chooses a head itself. */
static bool chose_first(const struct scene *s)
{
	return s->chose_head && s->head == 1 && s->layer == 1 && strcmp(s->view, "profile") == 0;
}

bool field_equal(const struct field *f, const struct scene *x, const struct scene *y)
{
	if (f->offset == offsetof(struct scene, head) && chose_first(x) != chose_first(y))
		return false;
	const void *const a = (const char *)x + f->offset, *const b = (const char *)y + f->offset;
	if (f->type.kind == &value_text) /* interned */
		return *(const char *const *)a == *(const char *const *)b;
	return value_equal(&f->type, a, b);
}

void setup_forget_asked(struct setup *s)
{
	s->asked = (struct asked){.sentence = s->asked.sentence,
				  .earlier = s->asked.earlier && !s->asked.scheme};
}

static struct scene defaults;

static void make_defaults(void)
{
	for (const struct field *f = scene_fields; f->name; f++) {
		struct err err;
		if (!scene_set(&defaults, f, f->type.def_text, &err))
			BUG("default of %s: %s", f->name, err.text);
	}
	defaults.setup.asked = (struct asked){0};
	defaults.chose_head = false;
}

const struct scene *scene_defaults(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, make_defaults);
	return &defaults;
}

void scene_init(struct scene *scene)
{
	*scene = *scene_defaults();
}

bool scene_equal(const struct scene *a, const struct scene *b)
{
	for (const struct field *f = scene_fields; f->name; f++)
		if (!field_equal(f, a, b))
			return false;
	return true;
}

void scene_take_changes(struct scene *scene, const struct scene *from, const struct scene *to)
{
	struct arena a;
	arena_init(&a);
	for (const struct field *f = scene_fields; f->name; f++)
		if (!field_equal(f, from, to))
			scene_set(scene, f, scene_get(to, f, &a), NULL);
	arena_release(&a);
}

bool setup_equal(const struct setup *a, const struct setup *b)
{
	const struct scene x = {.setup = *a}, y = {.setup = *b};
	for (const struct field *f = scene_fields; f->name; f++)
		if (f->setup && !field_equal(f, &x, &y))
			return false;
	return true;
}
