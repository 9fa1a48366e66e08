/* scene.c: scenes as values: defaults, setting, comparing. Everything goes through the table of fields;
 * nothing here knows a field by name. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "scene_in.h"

/* plot is to the right of scene, so the three words are known here too; a test compares them. */
const char *const scale_names[4] = {"auto", "linear", "sqrt", "symlog"};

/* Whether a member of these heads or layers acts on the one that is shown, or on any. */
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
		if (!(m->scheme->flags & SCHEME_MASK) && acts_on(&m->heads, scene->head) &&
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
	struct expr e;
	if (!expr_parse(&e, *value, a, err))
		return false;
	*value = expr_print(&e, a);
	return true;
}

/* Whether the entry at c maps a name that one before it maps. */
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

/* Names and aliases become ids, each once. */
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

/* Blanks go; what is empty is all. */
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

static const void *field_read(const struct scene *scene, const struct field *f)
{
	return (const char *)scene + f->offset;
}

static bool set_choice(int *out, const struct field *f, const char *value, struct err *err)
{
	for (size_t i = 0; i < f->n_choices; i++)
		if (strcmp(f->choices[i], value) == 0) {
			*out = (int)i;
			return true;
		}
	if (f->was != NULL && strcmp(value, f->was[0]) == 0)
		return set_choice(out, f, f->was[1], err);
	char quoted[120];
	text_quote_buf(quoted, sizeof quoted, value, strlen(value));
	const char *near = text_nearest(value, f->choices, f->n_choices);
	return err_set(err, "%s: %s is none of %s%s%s%s", f->name, quoted, f->args,
		       near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static bool set_bool(bool *out, const struct field *f, const char *value, struct err *err)
{
	static const char *const yes[] = {"on", "yes", "true", "1"};
	static const char *const no[] = {"off", "no", "false", "0"};
	for (size_t i = 0; i < 4; i++) {
		if (strcmp(value, yes[i]) == 0 || strcmp(value, no[i]) == 0) {
			*out = strcmp(value, yes[i]) == 0;
			return true;
		}
	}
	char quoted[120];
	return err_set(err, "%s: %s is neither on nor off", f->name,
		       text_quote_buf(quoted, sizeof quoted, value, strlen(value)));
}

/* The largest unit in which the number reads back exactly. `size` of 40 suffices. */
static const char *print_bytes(char *buf, size_t size, double bytes)
{
	static const struct {
		double factor;
		const char *unit;
	} units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
	for (size_t i = 0; i < 5; i++) {
		char number[32];
		double again = 0;
		num_print(number, sizeof number, bytes / units[i].factor);
		if (bytes >= units[i].factor &&
		    num_parse_double(number, strlen(number), 0, bytes, &again, NULL) &&
		    fabs(again * units[i].factor - bytes) <= 0) {
			snprintf(buf, size, "%s%s", number, units[i].unit);
			return buf;
		}
	}
	return "0";
}

/* "1.5G", "800M", "2000000". */
static bool set_bytes(double *out, const struct field *f, const char *value, struct err *err)
{
	static const char units[] = "kMGT";
	const size_t len = strlen(value);
	const char *unit = len && value[len - 1] ? strchr(units, value[len - 1]) : NULL;
	const double factor = unit ? pow(1000, (double)(unit - units + 1)) : 1;
	double number;
	char quoted[120], lo[40], hi[40];
	if (!num_parse_double(value, unit ? len - 1 : len, 0, 1e300, &number, NULL) ||
	    !(number * factor >= f->min && number * factor <= f->max))
		return err_set(err,
			       "%s: %s is not a number of bytes from %s to %s, such as 1.5G; k, M, "
			       "G and T may stand behind it",
			       f->name, text_quote_buf(quoted, sizeof quoted, value, len),
			       print_bytes(lo, sizeof lo, f->min),
			       print_bytes(hi, sizeof hi, f->max));
	*out = number * factor;
	return true;
}

/* A whole number, or the word that stands for 0. */
static bool set_int(long *out, const struct field *f, const char *value, struct err *err)
{
	if (f->zero != NULL && strcmp(value, f->zero) == 0) {
		*out = 0;
		return true;
	}
	struct err why;
	if (num_parse_long(value, strlen(value), (long)f->min, (long)f->max, out, &why))
		return true;
	return f->zero == NULL
		       ? err_set(err, "%s: %s", f->name, why.text)
		       : err_set(err, "%s: %s; %s would be right too", f->name, why.text, f->zero);
}

/* A number, its unit may stand behind it; or the word that stands for 0. */
static bool set_real(double *out, const struct field *f, const char *value, struct err *err)
{
	const size_t len = strlen(value), unit = f->unit != NULL ? strlen(f->unit) : 0;
	const bool has_unit = unit > 0 && len > unit && strcmp(value + len - unit, f->unit) == 0;
	if (f->zero != NULL && strcmp(value, f->zero) == 0) {
		*out = 0;
		return true;
	}
	if (num_parse_double(value, has_unit ? len - unit : len, f->min, f->max, out, err))
		return true;
	return err_prefix(err, "%s: ", f->name);
}

static const char *get_real(double x, const struct field *f, struct arena *a)
{
	char number[40];
	if (f->zero != NULL && !(x > 0))
		return f->zero;
	return arena_printf(a, "%s%s", num_print(number, sizeof number, x), f->unit ? f->unit : "");
}

static bool set_text(const char **out, const struct field *f, const char *value, struct err *err)
{
	struct arena a;
	arena_init(&a);
	const bool ok = !f->check || f->check(&value, &a, err);
	if (ok)
		*out = scene_intern(value);
	arena_release(&a);
	return ok;
}

bool field_set(void *base, const struct field *f, const char *value, struct err *err)
{
	void *at = (char *)base + f->offset;
	switch (f->kind) {
	case FIELD_TEXT:
		return set_text(at, f, value, err);
	case FIELD_CHOICE:
		return set_choice(at, f, value, err);
	case FIELD_BOOL:
		return set_bool(at, f, value, err);
	case FIELD_BYTES:
		return set_bytes(at, f, value, err);
	case FIELD_SIZE:
		return set_page_size(at, f, value, err);
	case FIELD_INT:
		return set_int(at, f, value, err);
	case FIELD_U64:
		return num_parse_u64(value, strlen(value), at, err) ||
		       err_prefix(err, "%s: ", f->name);
	case FIELD_REAL:
		return set_real(at, f, value, err);
	}
	BUG("field %s has no kind", f->name);
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
	const void *at = (const char *)base + f->offset;
	char number[40];
	switch (f->kind) {
	case FIELD_TEXT:
		return *(const char *const *)at;
	case FIELD_CHOICE:
		return f->choices[*(const int *)at];
	case FIELD_BOOL:
		return *(const bool *)at ? "on" : "off";
	case FIELD_BYTES:
		return arena_strdup(a, print_bytes(number, sizeof number, *(const double *)at));
	case FIELD_SIZE:
		return print_page_size(at, a);
	case FIELD_INT:
		return f->zero != NULL && *(const long *)at == 0
			       ? f->zero
			       : arena_printf(a, "%ld", *(const long *)at);
	case FIELD_U64:
		return arena_printf(a, "%llu", (unsigned long long)*(const uint64_t *)at);
	case FIELD_REAL:
		return get_real(*(const double *)at, f, a);
	}
	BUG("field %s has no kind", f->name);
}

const char *scene_get(const struct scene *scene, const struct field *f, struct arena *a)
{
	return field_get(scene, f, a);
}

static bool same_page_size(const struct page_size *a, const struct page_size *b)
{
	return a->unit == b->unit && fabs(a->width - b->width) <= 0 &&
	       fabs(a->height - b->height) <= 0;
}

bool field_equal(const struct field *f, const struct scene *x, const struct scene *y)
{
	const void *a = field_read(x, f), *b = field_read(y, f);
	switch (f->kind) {
	case FIELD_TEXT: /* interned: equal text is one pointer */
		return *(const char *const *)a == *(const char *const *)b;
	case FIELD_CHOICE:
		return *(const int *)a == *(const int *)b;
	case FIELD_BOOL:
		return *(const bool *)a == *(const bool *)b;
	case FIELD_BYTES:
	case FIELD_REAL:
		return fabs(*(const double *)a - *(const double *)b) <= 0;
	case FIELD_SIZE:
		return same_page_size(a, b);
	case FIELD_INT:
		return *(const long *)a == *(const long *)b;
	case FIELD_U64:
		return *(const uint64_t *)a == *(const uint64_t *)b;
	}
	BUG("field %s has no kind", f->name);
}

void setup_forget_asked(struct setup *s)
{
	s->asked = (struct asked){.sentence = s->asked.sentence,
				  .earlier = s->asked.earlier && !s->asked.scheme};
}

void scene_init(struct scene *scene)
{
	memset(scene, 0, sizeof *scene);
	for (const struct field *f = scene_fields; f->name; f++) {
		struct err err;
		if (!scene_set(scene, f, f->def, &err))
			BUG("default of %s: %s", f->name, err.text);
	}
	scene->setup.asked = (struct asked){0};
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
