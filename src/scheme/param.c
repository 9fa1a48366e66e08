/* param.c: the parameters of a scheme as text and back.
 *
 * A value is stored at param->offset of the scheme's struct in the type of its kind. Each kind
 * has a row of `kinds` with all operations. */
#include "posviz/scheme/scheme.h"

#include <math.h>
#include <string.h>

#include "posviz/base/num.h"
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

/* ---- numbers ---- */

static bool int_set(const struct param *p, void *to, const char *value, size_t len, struct err *err)
{
	return num_parse_long(value, len, (long)p->min, (long)p->max, to, err);
}

static bool real_set(const struct param *p, void *to, const char *value, size_t len,
		     struct err *err)
{
	return num_parse_double(value, len, p->min, p->max, to, err);
}

static void int_reset(const struct param *p, void *to)
{
	*(long *)to = (long)p->def;
}

static void real_reset(const struct param *p, void *to)
{
	*(double *)to = p->def;
}

static void int_print(const struct param *p, const void *from, struct strbuf *out)
{
	(void)p;
	strbuf_printf(out, "%ld", *(const long *)from);
}

static void add_number(struct strbuf *out, double value)
{
	char text[32];
	strbuf_add(out, num_print(text, sizeof text, value));
}

static void real_print(const struct param *p, const void *from, struct strbuf *out)
{
	(void)p;
	add_number(out, *(const double *)from);
}

static bool int_equal(const void *a, const void *b)
{
	return *(const long *)a == *(const long *)b;
}

static bool real_equal(const void *a, const void *b)
{
	return *(const double *)a == *(const double *)b;
}

static const double least_in_series = 1e-9;

/* Returns the next larger number of the series; value > 0. */
static double next_in_series(double value)
{
	static const double series[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12};
	const double decade = pow(10, floor(log10(value)));
	for (size_t i = 0; i < sizeof series / sizeof *series; i++)
		if (series[i] * decade > value * (1 + 1e-9))
			return series[i] * decade;
	return value;
}

static double before_in_series(double value)
{
	static const double series[] = {8, 6, 5, 4, 3, 2.5, 2, 1.5, 1.2, 1, 0.8, 0.6};
	const double decade = pow(10, floor(log10(value)));
	if (value <= least_in_series)
		return value;
	for (size_t i = 0; i < sizeof series / sizeof *series; i++)
		if (series[i] * decade < value * (1 - 1e-9))
			return series[i] * decade;
	return value;
}

/* Steps in the series; for negative values up is towards zero. */
static double stepped_in_series(const struct param *p, double value, int direction)
{
	if (value == 0)
		return direction * p->step;
	const bool grows = (value > 0) == (direction > 0);
	const double size = fabs(value);
	return copysign(grows ? next_in_series(size) : before_in_series(size), value);
}

/* Returns the value after one step in a direction, not yet clamped. */
static double stepped(const struct param *p, double value, int direction)
{
	if (p->in_series)
		return stepped_in_series(p, value, direction);
	if (p->geometric && value > 0)
		return direction > 0 ? value * p->step : value / p->step;
	return value + direction * (p->geometric ? 1 : p->step);
}

static double clamped(const struct param *p, double value)
{
	return value < p->min ? p->min : value > p->max ? p->max : value;
}

static bool int_step(const struct param *p, void *value, int direction)
{
	long *now = value;
	double next = direction > 0 ? floor(stepped(p, (double)*now, 1))
				    : ceil(stepped(p, (double)*now, -1));
	if (next == (double)*now)
		next += direction; /* a factor too small to change the value */
	next = clamped(p, next);
	const bool moves = (long)next != *now;
	*now = (long)next;
	return moves;
}

static bool real_step(const struct param *p, void *value, int direction)
{
	double *now = value;
	const double next = clamped(p, num_rounded(stepped(p, *now, direction)));
	const bool moves = next != *now;
	*now = next;
	return moves;
}

/* ---- words ---- */

static bool is_text(const char *value, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(value, word, len) == 0;
}

static bool bool_set(const struct param *p, void *to, const char *value, size_t len,
		     struct err *err)
{
	(void)p;
	const bool on = is_text(value, len, "on");
	char quoted[128];
	if (!on && !is_text(value, len, "off"))
		return err_set(err, "%s is not on or off",
			       text_quote_buf(quoted, sizeof quoted, value, len));
	*(bool *)to = on;
	return true;
}

static void bool_reset(const struct param *p, void *to)
{
	*(bool *)to = p->def != 0;
}

static void bool_print(const struct param *p, const void *from, struct strbuf *out)
{
	(void)p;
	strbuf_add(out, *(const bool *)from ? "on" : "off");
}

static bool bool_equal(const void *a, const void *b)
{
	return *(const bool *)a == *(const bool *)b;
}

static bool bool_step(const struct param *p, void *value, int direction)
{
	(void)p;
	const bool before = *(bool *)value;
	*(bool *)value = direction > 0;
	return before != (direction > 0);
}

static int choices_count(const struct param *p)
{
	int n = 0;
	while (p->choices[n] != NULL)
		n++;
	return n;
}

static bool no_such_choice(const struct param *p, const char *value, size_t len, struct err *err)
{
	struct arena scratch;
	arena_init(&scratch);
	struct strbuf all;
	strbuf_init(&all, &scratch);
	for (int i = 0; p->choices[i] != NULL; i++)
		strbuf_printf(&all, i > 0 ? ", %s" : "%s", p->choices[i]);
	const char *near = text_nearest(arena_strndup(&scratch, value, len), p->choices,
					(size_t)choices_count(p));
	const char *quoted = text_quote(&scratch, value, len);
	if (near != NULL)
		err_set(err, "no choice %s; did you mean \"%s\"? (%s)", quoted, near, all.at);
	else
		err_set(err, "no choice %s; it is one of %s", quoted, all.at);
	arena_release(&scratch);
	return false;
}

static bool choice_set(const struct param *p, void *to, const char *value, size_t len,
		       struct err *err)
{
	for (int i = 0; p->choices[i] != NULL; i++)
		if (is_text(value, len, p->choices[i])) {
			*(int *)to = i;
			return true;
		}
	return no_such_choice(p, value, len, err);
}

static void choice_reset(const struct param *p, void *to)
{
	*(int *)to = (int)p->def;
}

static void choice_print(const struct param *p, const void *from, struct strbuf *out)
{
	strbuf_add(out, p->choices[*(const int *)from]);
}

static bool choice_equal(const void *a, const void *b)
{
	return *(const int *)a == *(const int *)b;
}

static bool choice_step(const struct param *p, void *value, int direction)
{
	int *now = value;
	const int next = *now + direction;
	if (next < 0 || next >= choices_count(p))
		return false;
	*now = next;
	return true;
}

/* ---- lists and texts ---- */

/* Parses "[1,2]", "[]", or one number without brackets. Elements must be in [min, max] if that
 * is a range. */
static bool list_set(const struct param *p, struct param_list *to, const char *value, size_t len,
		     struct arena *a, struct err *err)
{
	const bool ranged = p->min < p->max;
	const double min = ranged ? p->min : -HUGE_VAL, max = ranged ? p->max : HUGE_VAL;
	struct value_list items = value_list(value, len);
	size_t n = 0, most = 1;
	for (size_t i = 0; i < len; i++)
		most += value[i] == ',';
	double *const at = arena_alloc(a, most * sizeof *at);
	for (const char *item; (item = value_next(&items, &len)) != NULL;) {
		if (n == PARAM_LIST_MAX)
			return err_set(err, "more than %d numbers; a list has at most so many",
				       PARAM_LIST_MAX);
		if (!num_parse_double(item, len, min, max, &at[n++], err))
			return false;
	}
	*to = (struct param_list){n, at};
	return true;
}

static void list_print(const struct param *p, const void *from, struct strbuf *out)
{
	(void)p;
	const struct param_list *list = from;
	strbuf_add_char(out, '[');
	for (size_t i = 0; i < list->n; i++) {
		if (i > 0)
			strbuf_add_char(out, ',');
		add_number(out, list->at[i]);
	}
	strbuf_add_char(out, ']');
}

static bool list_equal(const void *a, const void *b)
{
	const struct param_list *x = a, *y = b;
	if (x->n != y->n)
		return false;
	for (size_t i = 0; i < x->n; i++)
		if (x->at[i] != y->at[i])
			return false;
	return true;
}

/* Accepts only text that is shown unescaped, so that a printed expression can be parsed again. */
static bool text_is_plain(const char *text, size_t len)
{
	struct arena scratch;
	arena_init(&scratch);
	const bool plain = is_text(text, len, text_escape(&scratch, text, len));
	arena_release(&scratch);
	return plain;
}

static size_t text_size(const struct param *p)
{
	return p->kind == PARAM_FILE ? PARAM_FILE_MAX : PARAM_TEXT_MAX;
}

static bool text_set(const struct param *p, void *to, const char *value, size_t len,
		     struct err *err)
{
	if (!text_is_plain(value, len))
		return err_set(err, "a text has no control characters and is valid UTF-8");
	char text[PARAM_FILE_MAX] = {0};
	if (!value_unquote(text, text_size(p), value, len))
		return err_set(err, "the text is too long; the limit is %zu bytes",
			       text_size(p) - 1);
	memcpy(to, text, text_size(p));
	return true;
}

static void text_reset(const struct param *p, void *to)
{
	memset(to, 0, text_size(p));
	if (p->def_text == NULL)
		return;
	BUG_IF(strlen(p->def_text) >= text_size(p));
	memcpy(to, p->def_text, strlen(p->def_text));
}

static void text_print(const struct param *p, const void *from, struct strbuf *out)
{
	(void)p;
	value_quote(out, from);
}

static bool text_equal(const void *a, const void *b)
{
	return strcmp(a, b) == 0;
}

static bool no_step(const struct param *p, void *value, int direction)
{
	(void)p;
	(void)value;
	(void)direction;
	return false;
}

/* ---- the table ---- */

/* A list needs memory: see set_value. */
static const struct {
	void (*reset)(const struct param *p, void *to);
	bool (*set)(const struct param *p, void *to, const char *value, size_t len,
		    struct err *err);
	void (*print)(const struct param *p, const void *from, struct strbuf *out);
	bool (*equal)(const void *a, const void *b);
	bool (*step)(const struct param *p, void *value, int direction);
} kinds[] = {
	[PARAM_INT] = {int_reset, int_set, int_print, int_equal, int_step},
	[PARAM_REAL] = {real_reset, real_set, real_print, real_equal, real_step},
	[PARAM_BOOL] = {bool_reset, bool_set, bool_print, bool_equal, bool_step},
	[PARAM_CHOICE] = {choice_reset, choice_set, choice_print, choice_equal, choice_step},
	[PARAM_LIST] = {NULL, NULL, list_print, list_equal, no_step},
	[PARAM_TEXT] = {text_reset, text_set, text_print, text_equal, no_step},
	[PARAM_FILE] = {text_reset, text_set, text_print, text_equal, no_step},
};

static bool set_value(const struct param *p, void *to, const char *value, size_t len,
		      struct arena *a, struct err *err)
{
	return p->kind == PARAM_LIST ? list_set(p, to, value, len, a, err)
				     : kinds[p->kind].set(p, to, value, len, err);
}

static void reset(const struct param *p, void *to, struct arena *a)
{
	const char *const list = p->def_text != NULL ? p->def_text : "[]";
	if (p->kind != PARAM_LIST)
		kinds[p->kind].reset(p, to);
	else if (!list_set(p, to, list, strlen(list), a, NULL))
		BUG("default of %s: %s", p->name, list);
}

union any_value {
	long integer;
	double real;
	bool flag;
	int choice;
	struct param_list list;
	char text[PARAM_FILE_MAX];
};

void *scheme_defaults(const struct scheme *s, struct arena *a)
{
	void *params = arena_calloc(a, 1, s->param_size > 0 ? s->param_size : 1);
	for (const struct param *p = s->params; p != NULL && p->name != NULL; p++)
		reset(p, at(p, params), a);
	return params;
}

const struct param *scheme_param(const struct scheme *s, const char *name, size_t len)
{
	for (const struct param *p = s->params; p != NULL && p->name != NULL; p++)
		if (is_text(name, len, p->name))
			return p;
	return NULL;
}

/* Returns whether the parameter's own parser accepts the text. */
static bool text_reads(const struct param *p, const char *value, size_t len, size_t *wrong,
		       struct err *err)
{
	char text[PARAM_FILE_MAX];
	size_t at = 0;
	if (!text_set(p, text, value, len, err))
		return false;
	if (p->read(text, &at, err))
		return true;
	*wrong = value_place(value, len, at);
	return false;
}

/* The message contains the help, which says what the number means; a parser of a text says this
 * itself. */
bool param_set_at(const struct param *p, void *params, const char *value, size_t len, size_t *wrong,
		  struct arena *a, struct err *err)
{
	*wrong = 0;
	const bool reads = p->read == NULL || text_reads(p, value, len, wrong, err);
	if (reads && set_value(p, at(p, params), value, len, a, err))
		return true;
	return !reads ? false : err_prefix(err, "%s (%s): ", p->name, p->help);
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

const char *param_print(const struct param *p, const void *params, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	kinds[p->kind].print(p, at_const(p, params), &out);
	return out.at;
}

void param_write(struct json_writer *w, const char *name, const struct param *p, const void *params,
		 struct arena *a)
{
	const void *const at = (const char *)params + p->offset;
	const struct param_list *const list = at;
	switch (p->kind) {
	case PARAM_INT:
		json_writer_integer(w, name, *(const long *)at);
		return;
	case PARAM_REAL:
		json_writer_number(w, name, *(const double *)at);
		return;
	case PARAM_BOOL:
		json_writer_bool(w, name, *(const bool *)at);
		return;
	case PARAM_LIST:
		json_writer_array(w, name);
		for (size_t i = 0; i < list->n; i++)
			json_writer_number(w, NULL, list->at[i]);
		json_writer_end(w);
		return;
	case PARAM_CHOICE:
	case PARAM_TEXT:
	case PARAM_FILE:
		json_writer_string(w, name, param_print(p, params, a));
	}
}

bool param_is_used(const struct param *p, const void *params)
{
	return p->used == NULL || p->used(p, params);
}

const char *param_range(const struct param *p, struct arena *a)
{
	char lo[32], hi[32];
	struct strbuf b;
	strbuf_init(&b, a);
	switch (p->kind) {
	case PARAM_INT:
	case PARAM_REAL:
		return arena_printf(a, "%s to %s", num_print(lo, sizeof lo, p->min),
				    num_print(hi, sizeof hi, p->max));
	case PARAM_BOOL:
		return "on|off";
	case PARAM_CHOICE:
		for (size_t i = 0; p->choices[i]; i++)
			strbuf_printf(&b, "%s%s", i ? "|" : "", p->choices[i]);
		return b.at;
	case PARAM_LIST:
		return arena_printf(a, "up to %d numbers", PARAM_LIST_MAX);
	case PARAM_TEXT:
		return "text";
	case PARAM_FILE:
		return "a file";
	}
	BUG("parameter %s has no kind", p->name);
}

bool param_is_default(const struct param *p, const void *params)
{
	union any_value def;
	struct arena scratch;
	arena_init(&scratch);
	reset(p, &def, &scratch);
	const bool same = kinds[p->kind].equal(at_const(p, params), &def);
	arena_release(&scratch);
	return same;
}

bool param_has_steps(const struct param *p)
{
	return kinds[p->kind].step != no_step;
}

bool param_step(const struct param *p, void *params, int direction)
{
	return kinds[p->kind].step(p, at(p, params), direction < 0 ? -1 : 1);
}
