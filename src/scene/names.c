/* names.c: the user's names of expressions, heads and layers: "expr.1=Ours; head.3=induction". */
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "scene_in.h"

static const char *const kind_words[NAMED_COUNT] = {"expr", "head", "layer"};
static const long most[NAMED_COUNT] = {COMPARE_MAX, MODEL_MAX_HEADS, MODEL_MAX_LAYERS};

/* An entry of the list; an empty name removes an earlier one. */
struct entry {
	enum named kind;
	long number;
	const char *name;
	size_t len;
};

static bool usage(const char *at, size_t len, struct err *err)
{
	char quoted[80];
	return err_set(err,
		       "name: %s is no name; head.3=TEXT, layer.2=TEXT or expr.1=TEXT would be "
		       "right, several parted by semicolons, or none",
		       text_quote_buf(quoted, sizeof quoted, at, len));
}

static size_t trimmed(const char **at, size_t len)
{
	for (; len > 0 && **at == ' '; len--)
		(*at)++;
	while (len > 0 && (*at)[len - 1] == ' ')
		len--;
	return len;
}

static bool read_entry(const char *at, size_t len, struct entry *out, struct err *err)
{
	const char *const dot = memchr(at, '.', len);
	const char *const equals = memchr(at, '=', len);
	size_t kind = 0;
	if (!dot || !equals || dot > equals)
		return usage(at, len, err);
	while (kind < NAMED_COUNT && (strlen(kind_words[kind]) != (size_t)(dot - at) ||
				      memcmp(kind_words[kind], at, (size_t)(dot - at)) != 0))
		kind++;
	if (kind == NAMED_COUNT)
		return usage(at, len, err);
	const char *number = dot + 1;
	const size_t digits = trimmed(&number, (size_t)(equals - dot - 1));
	out->kind = (enum named)kind;
	out->name = equals + 1;
	out->len = trimmed(&out->name, len - (size_t)(equals + 1 - at));
	return num_parse_long(number, digits, 1, most[kind], &out->number, err) ||
	       err_prefix(err, "name: %s.N: ", kind_words[kind]);
}

/* Reads the next entry at *at. False: there is none, or it is wrong and `err` is set. */
static bool next_entry(const char **at, struct entry *out, bool *wrong, struct err *err)
{
	*wrong = false;
	*at += strspn(*at, "; ");
	if (**at == '\0' || strcmp(*at, "none") == 0)
		return false;
	const size_t len = strcspn(*at, ";");
	*wrong = !read_entry(*at, len, out, err);
	*at += len;
	return !*wrong;
}

static bool find(const char *names, enum named kind, long number, struct entry *out)
{
	struct entry at;
	bool wrong;
	bool found = false;
	while (next_entry(&names, &at, &wrong, NULL))
		if (at.kind == kind && at.number == number) {
			*out = at;
			found = true;
		}
	return found;
}

/* Makes the list canonical: in the order of kinds and numbers, each once, with the last given
 * name. */
bool check_names(const char **value, struct arena *a, struct err *err)
{
	struct entry at;
	struct strbuf out;
	const char *text = *value;
	bool wrong;
	while (next_entry(&text, &at, &wrong, err))
		continue;
	if (wrong)
		return false;
	strbuf_init(&out, a);
	for (size_t kind = 0; kind < NAMED_COUNT; kind++)
		for (long i = 1; i <= most[kind]; i++)
			if (find(*value, (enum named)kind, i, &at) && at.len > 0)
				strbuf_printf(&out, "%s%s.%ld=%.*s", out.len ? "; " : "",
					      kind_words[kind], i, (int)at.len, at.name);
	*value = out.len > 0 ? out.at : "none";
	return true;
}

const char *names_joined(const char *old, const char *more, struct arena *a)
{
	return strcmp(more, "none") == 0 || strcmp(old, "none") == 0
		       ? more
		       : arena_printf(a, "%s; %s", old, more);
}

const char *scene_name_of(const struct scene *scene, enum named kind, size_t number,
			  struct arena *a)
{
	struct entry at;
	return find(scene->names, kind, (long)number, &at) && at.len > 0
		       ? text_escape(a, at.name, at.len)
		       : NULL;
}

void scene_unname_expression(struct scene *scene, size_t number)
{
	struct arena a;
	arena_init(&a);
	if (scene_name_of(scene, NAMED_EXPRESSION, number, &a)) {
		const char *const none = arena_printf(&a, "expr.%zu=", number);
		if (!scene_add(scene, field_find("name"), none, NULL))
			BUG("name %s", none);
	}
	arena_release(&a);
}
