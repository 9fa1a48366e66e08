/* param.c: the parameters of a scheme as text and back.
 *
 * A value is stored at param->offset of the scheme's struct, in the C type of its kind. Texts
 * are written like arguments of an expression: plain, or quoted. */
#include "posviz/scheme/scheme.h"

#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/format/json.h"
#include "brackets.h"

static void *at(const struct param *p, void *params)
{
	return (char *)params + p->offset;
}

static const void *at_const(const struct param *p, const void *params)
{
	return (const char *)params + p->offset;
}

static bool is_text(const struct param *p)
{
	return p->type.kind == &value_text || p->type.kind == &value_file;
}

void *scheme_defaults(const struct scheme *s, struct arena *a)
{
	void *params = arena_calloc(a, 1, s->param_size > 0 ? s->param_size : 1);
	for (const struct param *p = s->params; p != NULL && p->name != NULL; p++)
		value_reset(&p->type, at(p, params), a);
	return params;
}

const struct param *scheme_param(const struct scheme *s, const char *name, size_t len)
{
	for (const struct param *p = s->params; p != NULL && p->name != NULL; p++)
		if (strlen(p->name) == len && memcmp(name, p->name, len) == 0)
			return p;
	return NULL;
}

/* Accepts only text that is printed unchanged, so that a printed expression can be read again. */
static bool text_set(const struct param *p, const char **to, const char *value, size_t len,
		     struct arena *a, struct err *err)
{
	const size_t most = p->type.kind == &value_file ? PARAM_FILE_MAX : PARAM_TEXT_MAX;
	const char *const plain = text_escape(a, value, len);
	if (strlen(plain) != len || memcmp(plain, value, len) != 0)
		return err_set(err, "a text has no control characters and is valid UTF-8");
	const char *const text = bracket_unquote(a, value, len);
	if (strlen(text) >= most)
		return err_set(err, "the text is too long; the limit is %zu bytes", most - 1);
	*to = text;
	return true;
}

static bool set(const struct param *p, void *to, const char *value, size_t len, size_t *wrong,
		struct arena *a, struct err *err)
{
	const char *text = "";
	size_t place = 0;
	if (!is_text(p))
		return value_parse(&p->type, value, len, to, a, err);
	if (!text_set(p, &text, value, len, a, err))
		return false;
	if (p->read != NULL && !p->read(text, &place, err)) {
		*wrong = bracket_place(value, len, place);
		return false;
	}
	*(const char **)to = text;
	return true;
}

/* The message contains the help, which says what the number means; a parser of a text says this
 * itself. */
bool param_set_at(const struct param *p, void *params, const char *value, size_t len, size_t *wrong,
		  struct arena *a, struct err *err)
{
	*wrong = 0;
	return set(p, at(p, params), value, len, wrong, a, err) ||
	       (p->read == NULL && err_prefix(err, "%s (%s): ", p->name, p->help));
}

bool param_set(const struct param *p, void *params, const char *value, size_t len, struct arena *a,
	       struct err *err)
{
	size_t wrong = 0;
	if (param_set_at(p, params, value, len, &wrong, a, err))
		return true;
	size_t column = 1;
	for (size_t i = 0; i < wrong; i += text_cluster(value + i, len - i))
		column++;
	return p->read == NULL ? false : err_prefix(err, "%s, column %zu: ", p->name, column);
}

static const char *print(const struct param *p, const void *from, struct arena *a)
{
	struct strbuf out;
	const char *const text = value_print(&p->type, from, a);
	if (!is_text(p))
		return text;
	strbuf_init(&out, a);
	bracket_quote(&out, text);
	return out.at;
}

const char *param_print(const struct param *p, const void *params, struct arena *a)
{
	return print(p, at_const(p, params), a);
}

const char *param_default(const struct param *p, struct arena *a)
{
	_Alignas(max_align_t) char def[VALUE_SIZE];
	value_reset(&p->type, def, a);
	return print(p, def, a);
}

void param_write(struct json_writer *w, const char *name, const struct param *p, const void *params,
		 struct arena *a)
{
	const void *const from = at_const(p, params);
	const struct value_list *const list = from;
	if (p->type.kind == &value_integer) {
		json_writer_integer(w, name, *(const long *)from);
	} else if (p->type.kind == &value_real) {
		json_writer_number(w, name, *(const double *)from);
	} else if (p->type.kind == &value_switch) {
		json_writer_bool(w, name, *(const bool *)from);
	} else if (p->type.kind == &value_listed) {
		json_writer_array(w, name);
		for (size_t i = 0; i < list->n; i++)
			json_writer_number(w, NULL, list->at[i]);
		json_writer_end(w);
	} else {
		json_writer_string(w, name, param_print(p, params, a));
	}
}

bool param_is_used(const struct param *p, const void *params)
{
	return p->used == NULL || p->used(p, params);
}

bool param_is_default(const struct param *p, const void *params)
{
	return value_is_default(&p->type, at_const(p, params));
}

bool param_step(const struct param *p, void *params, int direction)
{
	return value_step(&p->type, at(p, params), direction, false);
}
