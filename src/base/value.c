/* value.c: typed values as text and back. Each kind of value has a section with its functions,
 * and at the end of the section a row that names them. */
#include "posviz/base/value.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"

static bool is_text(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

/* ---- words -------------------------------------------------------------------------------------- */

static bool switch_parse(const struct value_type *t, const char *text, size_t len, void *to,
			 struct arena *a, struct err *err)
{
	static const char *const yes[] = {"on", "yes", "true", "1"};
	static const char *const no[] = {"off", "no", "false", "0"};
	char quoted[120];
	(void)t;
	(void)a;
	for (size_t i = 0; i < 4; i++)
		if (is_text(text, len, yes[i]) || is_text(text, len, no[i])) {
			*(bool *)to = is_text(text, len, yes[i]);
			return true;
		}
	return err_set(err, "%s is neither on nor off",
		       text_quote_buf(quoted, sizeof quoted, text, len));
}

static const char *switch_print(const struct value_type *t, const void *from, struct arena *a)
{
	(void)t;
	(void)a;
	return *(const bool *)from ? "on" : "off";
}

static bool switch_equal(const void *a, const void *b)
{
	return *(const bool *)a == *(const bool *)b;
}

static double switch_number(const void *from)
{
	return *(const bool *)from;
}

static void switch_set(void *to, double number)
{
	*(bool *)to = number != 0;
}

static bool switch_step(const struct value_type *t, void *value, int direction, bool wrap)
{
	(void)t;
	const bool before = *(bool *)value;
	*(bool *)value = wrap ? !before : direction > 0;
	return *(bool *)value != before;
}

static size_t choices_count(const struct value_type *t)
{
	size_t n = 0;
	while (t->choices[n] != NULL)
		n++;
	return n;
}

static const char *words_range(const struct value_type *t, struct arena *a)
{
	const char *const *const words = value_choices(t);
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; words[i] != NULL; i++)
		strbuf_printf(&b, "%s%s", i > 0 ? "|" : "", words[i]);
	return b.at;
}

static bool choice_parse(const struct value_type *t, const char *text, size_t len, void *to,
			 struct arena *a, struct err *err)
{
	for (int i = 0; t->choices[i] != NULL; i++)
		if (is_text(text, len, t->choices[i])) {
			*(int *)to = i;
			return true;
		}
	if (t->was != NULL && is_text(text, len, t->was[0]))
		return choice_parse(t, t->was[1], strlen(t->was[1]), to, a, err);
	char quoted[120];
	const char *const near =
		text_nearest(arena_strndup(a, text, len), t->choices, choices_count(t));
	return err_set(err, "%s is none of %s%s%s%s",
		       text_quote_buf(quoted, sizeof quoted, text, len), words_range(t, a),
		       near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static const char *choice_print(const struct value_type *t, const void *from, struct arena *a)
{
	(void)a;
	return t->choices[*(const int *)from];
}

static bool choice_equal(const void *a, const void *b)
{
	return *(const int *)a == *(const int *)b;
}

static double choice_number(const void *from)
{
	return *(const int *)from;
}

static void choice_set(void *to, double number)
{
	*(int *)to = (int)number;
}

static bool choice_step(const struct value_type *t, void *value, int direction, bool wrap)
{
	const int n = (int)choices_count(t), next = *(int *)value + direction;
	if (!wrap && (next < 0 || next >= n))
		return false;
	*(int *)value = (next + n) % n;
	return true;
}

const char *const *value_choices(const struct value_type *t)
{
	static const char *const switches[] = {"on", "off", NULL};
	return t->kind == &value_switch ? switches : t->choices;
}

const struct value_kind value_switch = {.name = "boolean",
					.size = sizeof(bool),
					.parse = switch_parse,
					.print = switch_print,
					.equal = switch_equal,
					.range = words_range,
					.number = switch_number,
					.set_number = switch_set,
					.step = switch_step};
const struct value_kind value_choice = {.name = "choice",
					.size = sizeof(int),
					.parse = choice_parse,
					.print = choice_print,
					.equal = choice_equal,
					.range = words_range,
					.number = choice_number,
					.set_number = choice_set,
					.step = choice_step};

/* ---- lists -------------------------------------------------------------------------------------- */

bool value_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void trim(const char **text, const char **end)
{
	while (*text < *end && value_is_blank(**text))
		(*text)++;
	while (*end > *text && value_is_blank((*end)[-1]))
		(*end)--;
}

struct value_items value_items(const char *text, size_t len)
{
	struct value_items items = {text, text + len};
	trim(&items.at, &items.end);
	if (items.end - items.at < 2 || *items.at != '[' || items.end[-1] != ']')
		return items;
	items.at++;
	items.end--;
	trim(&items.at, &items.end);
	if (items.at == items.end)
		items.at = NULL;
	return items;
}

const char *value_next(struct value_items *items, size_t *len)
{
	if (items->at == NULL)
		return NULL;
	const char *item = items->at;
	const char *comma = memchr(item, ',', (size_t)(items->end - item));
	const char *end = comma != NULL ? comma : items->end;
	items->at = comma != NULL ? comma + 1 : NULL;
	trim(&item, &end);
	*len = (size_t)(end - item);
	return item;
}

/* "[1,2]", "[]", or one number without brackets. */
static bool list_parse(const struct value_type *t, const char *text, size_t len, void *to,
		       struct arena *a, struct err *err)
{
	const bool ranged = t->min < t->max;
	const double min = ranged ? t->min : -HUGE_VAL, max = ranged ? t->max : HUGE_VAL;
	struct value_items items = value_items(text, len);
	size_t n = 0, most = 1;
	for (size_t i = 0; i < len; i++)
		most += text[i] == ',';
	double *const at = arena_alloc(a, most * sizeof *at);
	for (const char *item; (item = value_next(&items, &len)) != NULL;) {
		if (n == VALUE_LIST_MAX)
			return err_set(err, "more than %d numbers; a list has at most so many",
				       VALUE_LIST_MAX);
		if (!num_parse_double(item, len, min, max, &at[n++], err))
			return false;
	}
	*(struct value_list *)to = (struct value_list){n, at};
	return true;
}

static const char *list_print(const struct value_type *t, const void *from, struct arena *a)
{
	const struct value_list *const list = from;
	struct strbuf out;
	char number[32];
	(void)t;
	strbuf_init(&out, a);
	strbuf_add_char(&out, '[');
	for (size_t i = 0; i < list->n; i++)
		strbuf_printf(&out, "%s%s", i > 0 ? "," : "",
			      num_print(number, sizeof number, list->at[i]));
	strbuf_add_char(&out, ']');
	return out.at;
}

static bool list_equal(const void *a, const void *b)
{
	const struct value_list *x = a, *y = b;
	if (x->n != y->n)
		return false;
	for (size_t i = 0; i < x->n; i++)
		if (x->at[i] != y->at[i])
			return false;
	return true;
}

static const char *list_range(const struct value_type *t, struct arena *a)
{
	(void)t;
	return arena_printf(a, "up to %d numbers", VALUE_LIST_MAX);
}

const struct value_kind value_listed = {.name = "list",
					.size = sizeof(struct value_list),
					.empty = "[]",
					.parse = list_parse,
					.print = list_print,
					.equal = list_equal,
					.range = list_range};

/* ---- texts -------------------------------------------------------------------------------------- */

static bool text_parse(const struct value_type *t, const char *text, size_t len, void *to,
		       struct arena *a, struct err *err)
{
	(void)t;
	(void)err;
	*(const char **)to = arena_strndup(a, text, len);
	return true;
}

static const char *text_print(const struct value_type *t, const void *from, struct arena *a)
{
	(void)t;
	(void)a;
	return *(const char *const *)from;
}

static bool text_equal(const void *a, const void *b)
{
	const char *const x = *(const char *const *)a, *const y = *(const char *const *)b;
	return x == y || strcmp(x, y) == 0;
}

static const char *text_range(const struct value_type *t, struct arena *a)
{
	(void)a;
	return t->kind == &value_file ? "a file" : "text";
}

const struct value_kind value_text = {.name = "text",
				      .size = sizeof(const char *),
				      .empty = "",
				      .parse = text_parse,
				      .print = text_print,
				      .equal = text_equal,
				      .range = text_range};
const struct value_kind value_file = {.name = "file",
				      .size = sizeof(const char *),
				      .empty = "",
				      .parse = text_parse,
				      .print = text_print,
				      .equal = text_equal,
				      .range = text_range};

/* ---- values of any kind ------------------------------------------------------------------------- */

bool value_parse(const struct value_type *t, const char *text, size_t len, void *to,
		 struct arena *a, struct err *err)
{
	return t->kind->parse(t, text, len, to, a, err);
}

const char *value_print(const struct value_type *t, const void *from, struct arena *a)
{
	return t->kind->print(t, from, a);
}

bool value_equal(const struct value_type *t, const void *a, const void *b)
{
	return t->kind->equal(a, b);
}

void value_reset(const struct value_type *t, void *to, struct arena *a)
{
	const char *const text = t->def_text != NULL ? t->def_text : t->kind->empty;
	struct err err = {0};
	if (text == NULL)
		t->kind->set_number(to, t->def);
	else if (!value_parse(t, text, strlen(text), to, a, &err))
		BUG("default %s: %s", text, err.text);
}

bool value_is_default(const struct value_type *t, const void *from)
{
	_Alignas(max_align_t) char def[VALUE_SIZE];
	struct arena scratch;
	BUG_IF(t->kind->size > sizeof def);
	arena_init(&scratch);
	value_reset(t, def, &scratch);
	const bool same = value_equal(t, from, def);
	arena_release(&scratch);
	return same;
}

const char *value_range(const struct value_type *t, struct arena *a)
{
	return t->kind->range(t, a);
}

bool value_is_number(const struct value_type *t)
{
	return t->kind == &value_integer || t->kind == &value_real;
}

bool value_has_steps(const struct value_type *t)
{
	return t->kind->step != NULL && (t->kind != &value_real || t->step > 0);
}

bool value_step(const struct value_type *t, void *value, int direction, bool wrap)
{
	return value_has_steps(t) && t->kind->step(t, value, direction < 0 ? -1 : 1, wrap);
}
