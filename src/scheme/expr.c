/* expr.c: parsing and printing expressions of schemes.
 *
 * The hand-written parser reads the text once; every error is made by fail_at, which puts the
 * expression and the column in front. The printer gives the shortest text that parses to the
 * same expression. */
#include "posviz/scheme/scheme.h"

#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "brackets.h"
#include "scheme/weight.h"

enum { MAX_PARAMS = 64, SHOWN_COLUMNS = 60, MAX_SET = SUBSET_MOST };

/* The argument `causal` for schemes without such a parameter: another way to write a causal
 * member. */
struct mask {
	bool causal;
};
static const struct param mask_param = SWITCH_PARAM(struct mask, causal, false, "the causal mask");

struct parser {
	const char *text;
	size_t len, at;
	struct arena *arena;
	struct err *err;
	struct mask mask; /* for the member that is being parsed */
	bool bare;	  /* its arguments follow a colon, without brackets */
};

/* Puts the expression and the column of index `at` in front of the message in p->err. */
static bool fail_at(struct parser *p, size_t at)
{
	if (p->err == NULL)
		return false;
	size_t column = 1;
	for (size_t i = 0; i < at; i += text_cluster(p->text + i, p->len - i))
		column++;
	const char *shown = text_shorten(p->arena, text_escape(p->arena, p->text, p->len),
					 SHOWN_COLUMNS, false);
	return err_prefix(p->err, "%s%scolumn %zu: ", shown, p->len > 0 ? ": " : "", column);
}

static const char *quoted(struct parser *p, const char *text, size_t len)
{
	return text_quote(p->arena, text, len);
}

/* Returns the text at the parser's position, for messages. */
static const char *text_here(struct parser *p)
{
	if (p->at == p->len)
		return "the end";
	return quoted(p, p->text + p->at, text_cluster(p->text + p->at, p->len - p->at));
}

static void skip_blanks(struct parser *p)
{
	while (p->at < p->len && value_is_blank(p->text[p->at]))
		p->at++;
}

static bool accept(struct parser *p, char c)
{
	skip_blanks(p);
	if (p->at == p->len || p->text[p->at] != c)
		return false;
	p->at++;
	return true;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.';
}

/* Returns the length of the name at the parser's position, and moves behind it. */
static size_t read_name(struct parser *p)
{
	skip_blanks(p);
	const size_t start = p->at;
	while (p->at < p->len && is_name_char(p->text[p->at]))
		p->at++;
	return p->at - start;
}

/* ---- layers and heads of a member ---- */

static bool set_word(const char *text, size_t len, struct subset *set)
{
	static const struct {
		const char *word;
		size_t first, every;
	} words[] = {{"all", 0, 1}, {"odd", 0, 2}, {"even", 1, 2}}; /* 1, 3, 5 counted from 1 */
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strlen(words[i].word) != len || memcmp(words[i].word, text, len) != 0)
			continue;
		*set = (struct subset){{0}};
		for (size_t k = words[i].first; k < SUBSET_MOST; k += words[i].every)
			subset_add(set, k);
		return true;
	}
	return false;
}

/* Parses "2", "2-4", or either with "/6": repeated every 6 up to MAX_SET. From 1. */
static bool set_range(const char *text, size_t len, struct subset *set, struct err *err)
{
	const char *const slash = memchr(text, '/', len);
	long every = MAX_SET;
	if (slash) {
		const size_t before = (size_t)(slash - text);
		if (!num_parse_long(slash + 1, len - before - 1, 1, MAX_SET, &every, err))
			return false;
		len = before;
	}
	const char *dash = memchr(text, '-', len);
	const size_t first_len = dash != NULL ? (size_t)(dash - text) : len;
	long first = 1, last = 1;
	if (!num_parse_long(text, first_len, 1, MAX_SET, &first, err))
		return false;
	last = first;
	if (dash != NULL && !num_parse_long(dash + 1, len - first_len - 1, 1, MAX_SET, &last, err))
		return false;
	if (last < first)
		return err_set(err, "%ld-%ld runs backwards; write %ld-%ld", first, last, last,
			       first);
	for (size_t i = (size_t)first, to = (size_t)last; i <= MAX_SET; to += (size_t)every) {
		for (size_t k = i; k <= to && k <= MAX_SET; k++)
			subset_add(set, k - 1);
		i += (size_t)every;
	}
	return true;
}

static bool parse_set(struct parser *p, const char *value, size_t len, struct subset *out,
		      const char **text)
{
	if (set_word(value, len, out)) {
		*text = subset_same(*out, SUBSET_ALL) ? NULL : arena_strndup(p->arena, value, len);
		return true;
	}
	struct subset set = {{0}};
	size_t item_len = 0;
	struct value_items items = value_items(value, len);
	for (const char *item; (item = value_next(&items, &item_len)) != NULL;)
		if (!set_range(item, item_len, &set, p->err))
			return err_prefix(p->err, "2, [1,3], 2-4, 1-3/4, odd, even or all: ");
	if (!subset_any(set))
		return err_set(p->err,
			       "an empty list; write 2, [1,3], 2-4, 1-3/4, odd, even or all");
	*out = set;
	*text = arena_strndup(p->arena, value, len);
	return true;
}

static bool parse_column(struct parser *p, const char *value, size_t len, const char **pos)
{
	bool ok = len > 0 && !(value[0] >= '0' && value[0] <= '9') && value[0] != '-';
	for (size_t i = 0; i < len && ok; i++)
		ok = is_name_char(value[i]) && value[i] != '.';
	if (!ok)
		return err_set(p->err, "%s is not the name of a position column, such as seq",
			       quoted(p, value, len));
	*pos = arena_strndup(p->arena, value, len);
	return true;
}

/* ---- arguments ---- */

enum shared { SHARED_POS, SHARED_LAYERS, SHARED_HEADS, SHARED_CAUSAL, SHARED_COUNT };
static const char *const shared_names[SHARED_COUNT] = {"pos", "layers", "heads", "causal"};

/* The target of an argument: a parameter of the scheme, or one that every member accepts. */
struct target {
	const struct param *param; /* NULL: shared */
	enum shared shared;
	size_t index; /* of the bit that marks it as given */
};

static bool unknown_argument(struct parser *p, const struct scheme *s, const char *name, size_t len)
{
	const char *names[MAX_PARAMS + SHARED_COUNT];
	size_t n = 0;
	for (const struct param *q = s->params; q != NULL && q->name != NULL; q++)
		names[n++] = q->name;
	for (size_t i = 0; i < SHARED_COUNT; i++)
		if (!scheme_param(s, shared_names[i], strlen(shared_names[i])))
			names[n++] = shared_names[i];
	const char *near = text_nearest(arena_strndup(p->arena, name, len), names, n);
	if (near != NULL)
		return err_set(p->err, "%s has no parameter %s; did you mean \"%s\"?", s->id,
			       quoted(p, name, len), near);
	struct strbuf all;
	strbuf_init(&all, p->arena);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&all, i > 0 ? ", %s" : "%s", names[i]);
	return err_set(p->err, "%s has no parameter %s; it takes %s", s->id, quoted(p, name, len),
		       all.at);
}

static bool find_target(struct parser *p, const struct scheme *s, const char *name, size_t len,
			struct target *out)
{
	const struct param *param = scheme_param(s, name, len);
	if (param != NULL) {
		const size_t index = (size_t)(param - s->params);
		BUG_IF(index + SHARED_COUNT >= MAX_PARAMS);
		*out = (struct target){.param = param, .index = SHARED_COUNT + index};
		return true;
	}
	for (size_t i = 0; i < SHARED_COUNT; i++)
		if (strlen(shared_names[i]) == len && memcmp(shared_names[i], name, len) == 0) {
			*out = (struct target){.shared = (enum shared)i, .index = i};
			return true;
		}
	return unknown_argument(p, s, name, len);
}

/* Sets the target; wrong: the offset in the value of an error. */
static bool set_target(struct parser *p, struct expr_member *m, const struct target *target,
		       const char *value, size_t len, size_t *wrong)
{
	*wrong = 0;
	if (target->param != NULL)
		return param_set_at(target->param, m->param, value, len, wrong, p->arena, p->err);
	if (target->shared == SHARED_POS)
		return parse_column(p, value, len, &m->pos);
	if (target->shared == SHARED_LAYERS)
		return parse_set(p, value, len, &m->layers, &m->layers_text);
	if (target->shared == SHARED_CAUSAL)
		return param_set_at(&mask_param, &p->mask, value, len, wrong, p->arena, p->err);
	return parse_set(p, value, len, &m->heads, &m->heads_text);
}

/* Returns the value at the parser's position, and moves behind it; *size without blanks at the
 * end. */
static const char *parse_value(struct parser *p, size_t *size)
{
	skip_blanks(p);
	const char *value = p->text + p->at;
	const size_t left = p->len - p->at;
	size_t wrong = 0;
	const size_t length = bracket_length(value, left, p->bare ? ",+)" : ",)", &wrong);
	if (wrong <= left) {
		if (length == wrong)
			err_set(p->err, "more than %d brackets in each other", BRACKET_DEPTH);
		else
			err_set(p->err, "%s has no partner", quoted(p, value + wrong, 1));
		fail_at(p, p->at + wrong);
		return NULL;
	}
	*size = length;
	while (*size > 0 && value_is_blank(value[*size - 1]))
		(*size)--;
	if (*size == 0) {
		err_set(p->err, "a value must stand here, not %s", text_here(p));
		fail_at(p, p->at);
		return NULL;
	}
	p->at += length;
	return value;
}

/* Returns whether a formula is where its parameter's name should be: it continues in a way that
 * no name does. */
static bool is_bare_formula(struct parser *p, const struct scheme *s, const char *name, size_t len)
{
	const struct param *const first = s->params;
	if (!first || !first->name || !first->read || p->at == p->len ||
	    (len == 0 && strchr(",)", p->text[p->at])))
		return false;
	skip_blanks(p);
	const bool named = p->at < p->len && p->text[p->at] == '=' &&
			   !(p->at + 1 < p->len && p->text[p->at + 1] == '=');
	return !named && (len == 0 || !scheme_param(s, name, len));
}

/* Parses name "=" value. */
static bool parse_arg(struct parser *p, struct expr_member *m, uint64_t *given)
{
	const size_t len = read_name(p);
	const size_t start = p->at - len;
	const char *name = p->text + start;
	if (is_bare_formula(p, m->scheme, name, len)) {
		err_set(p->err, "a value needs its name; write %s=...", m->scheme->params->name);
		return fail_at(p, start);
	}
	if (len == 0) {
		err_set(p->err, "the name of a parameter must stand here, not %s", text_here(p));
		return fail_at(p, p->at);
	}
	struct target target = {0};
	if (!find_target(p, m->scheme, name, len, &target))
		return fail_at(p, start);
	if (*given & UINT64_C(1) << target.index) {
		err_set(p->err, "%.*s is given twice", (int)len, name);
		return fail_at(p, start);
	}
	*given |= UINT64_C(1) << target.index;
	if (!accept(p, '=')) {
		err_set(p->err, "\"=\" and a value must follow %.*s, not %s", (int)len, name,
			text_here(p));
		return fail_at(p, p->at);
	}
	size_t size = 0;
	const char *value = parse_value(p, &size);
	if (value == NULL)
		return false;
	size_t wrong = 0;
	return set_target(p, m, &target, value, size, &wrong) ||
	       fail_at(p, (size_t)(value - p->text) + wrong);
}

/* Parses the end of the brackets at index `open`; arguments after a colon extend to the next
 * member. */
static bool parse_close(struct parser *p, size_t open)
{
	if (p->bare || accept(p, ')'))
		return true;
	if (p->at < p->len) {
		err_set(p->err, "\",\" or \")\" must stand here, not %s", text_here(p));
		return fail_at(p, p->at);
	}
	err_set(p->err, "this \"(\" is never closed");
	return fail_at(p, open);
}

/* Parses arguments after "(" or ":" at index `open`. */
static bool parse_args(struct parser *p, struct expr_member *m, size_t open)
{
	uint64_t given = 0;
	if (!p->bare && accept(p, ')'))
		return true;
	if (m->scheme->expression != NULL) {
		err_set(p->err, "%s stands for %s and takes no arguments", m->scheme->id,
			m->scheme->expression);
		return fail_at(p, open);
	}
	do {
		if (!parse_arg(p, m, &given))
			return false;
	} while (accept(p, ','));
	return parse_close(p, open);
}

static bool add_member(struct parser *p, struct expr *e, const struct expr_member *m, size_t start)
{
	if (e->n == MODEL_MAX_MEMBERS) {
		err_set(p->err, "more than %d members", MODEL_MAX_MEMBERS);
		return fail_at(p, start);
	}
	e->members[e->n++] = *m;
	return true;
}

/* Adds the members that a user's name stands for; these contain no such names. */
static bool add_defined(struct parser *p, struct expr *e, const struct scheme *s, double weight,
			size_t start)
{
	struct expr *const own = arena_calloc(p->arena, 1, sizeof *own);
	struct err err = {0};
	if (!expr_parse(own, s->expression, p->arena, &err))
		BUG("definition %s: %s", s->id, err.text);
	if (accept(p, '(') && !accept(p, ')')) {
		err_set(p->err, "%s stands for %s and takes no arguments", s->id, s->expression);
		return fail_at(p, p->at);
	}
	for (size_t i = 0; i < own->n; i++) {
		struct expr_member *const m = &own->members[i];
		if (weight != 1 && !(m->scheme->flags & SCHEME_MASK) &&
		    !expr_takes_weight(m, p->err))
			return fail_at(p, start);
		weight_multiply(m, weight);
		if (!add_member(p, e, m, start))
			return false;
	}
	return true;
}

/* Reports an unknown scheme; if it is the whole text no column is needed. */
static bool unknown_scheme(struct parser *p, size_t start, size_t len)
{
	return start == 0 && len == p->len ? false : fail_at(p, start);
}

/* Adds +causal, on the layers and heads of the member before it. */
static bool add_mask(struct parser *p, struct expr *e, const struct expr_member *m, size_t start)
{
	struct expr_member mask = *m;
	mask.scheme = scheme_find("causal", strlen("causal"), NULL);
	mask.param = scheme_defaults(mask.scheme, p->arena);
	mask.weight = 1;
	return add_member(p, e, &mask, start);
}

/* Parses { number "*" }: *weight is their product. */
static bool parse_weight(struct parser *p, double *weight)
{
	*weight = 1;
	for (;;) {
		skip_blanks(p);
		const size_t start = p->at, len = num_length(p->text + start, p->len - start);
		double by;
		if (len == 0 || (start + len < p->len && is_name_char(p->text[start + len])))
			return true; /* a name, whatever its first character */
		if (!num_parse_double(p->text + start, len, -WEIGHT_MOST, WEIGHT_MOST, &by, p->err))
			return err_prefix(p->err, "a weight: ") || fail_at(p, start);
		p->at += len;
		if (!accept(p, '*')) {
			err_set(p->err, "\"*\" and a scheme must follow %.*s, not %s", (int)len,
				p->text + start, text_here(p));
			return fail_at(p, p->at);
		}
		*weight = (*weight == 1 ? by : num_rounded(*weight * by)) + 0.0; /* no -0 */
	}
}

/* Reports text before "*" that is no number. */
static bool no_weight(struct parser *p, size_t start, size_t len)
{
	err_set(p->err, "%s is no weight; a number would be right, as in 0.5*t5",
		quoted(p, p->text + start, len));
	return fail_at(p, start);
}

/* Parses the arguments of a member, if any. The form with a colon is for shells, in which
 * brackets are special. */
static bool parse_arguments(struct parser *p, struct expr_member *m)
{
	p->bare = false;
	p->mask = (struct mask){false};
	if (!accept(p, '(')) {
		p->bare = accept(p, ':');
		if (!p->bare)
			return true;
	}
	return parse_args(p, m, p->at - 1);
}

/* Parses { number "*" } name [ "(" args ")" | ":" args ]. */
static bool parse_member(struct parser *p, struct expr *e)
{
	double weight;
	if (!parse_weight(p, &weight))
		return false;
	const size_t len = read_name(p);
	const size_t start = p->at - len;
	if (len == 0) {
		err_set(p->err, "a scheme must stand here, not %s", text_here(p));
		return fail_at(p, p->at);
	}
	const struct scheme *s = scheme_find(p->text + start, len, p->err);
	if (s == NULL)
		return accept(p, '*') ? no_weight(p, start, len) : unknown_scheme(p, start, len);
	if (s->flags & SCHEME_YOURS && s->expression != NULL)
		return add_defined(p, e, s, weight, start);
	struct expr_member m = {.scheme = s,
				.param = scheme_defaults(s, p->arena),
				.pos = "seq",
				.layers = SUBSET_ALL,
				.heads = SUBSET_ALL,
				.weight = weight};
	if (!parse_arguments(p, &m))
		return false;
	if (s->check != NULL && !s->check(m.param, p->err)) {
		err_prefix(p->err, "%s: ", s->id);
		return fail_at(p, start);
	}
	if (weight != 1 && !expr_takes_weight(&m, p->err))
		return fail_at(p, start);
	return add_member(p, e, &m, start) && (!p->mask.causal || add_mask(p, e, &m, start));
}

bool expr_parse(struct expr *e, const char *text, struct arena *a, struct err *err)
{
	struct parser p = {.text = text, .len = strlen(text), .arena = a, .err = err};
	*e = (struct expr){0};
	do {
		skip_blanks(&p);
		if (e->n == MODEL_MAX_MEMBERS) {
			err_set(err, "more than %d members", MODEL_MAX_MEMBERS);
			return fail_at(&p, p.at);
		}
		if (!parse_member(&p, e))
			return false;
	} while (accept(&p, '+'));
	skip_blanks(&p);
	if (p.at == p.len)
		return true;
	if (p.text[p.at] == '*')
		err_set(err, "a weight stands in front, as in 0.5*%s", e->members[0].scheme->id);
	else
		err_set(err, "\"+\" or the end must stand here, not %s", text_here(&p));
	return fail_at(&p, p.at);
}

/* ---- files ---- */

/* Returns the new name of a file; NULL: it stays. */
typedef const char *rename_file(const char *name, const char *folder, struct arena *a);

static bool rename_files(struct expr *e, rename_file *to, const char *folder, struct arena *a)
{
	bool any = false;
	for (size_t i = 0; i < e->n; i++) {
		const struct expr_member *const m = &e->members[i];
		for (const struct param *p = m->scheme->params; p != NULL && p->name != NULL; p++) {
			if (p->type.kind != &value_file)
				continue;
			struct strbuf value;
			const char *const now =
				*(const char *const *)(const void *)((const char *)m->param +
								     p->offset);
			const char *const then = to(now, folder, a);
			strbuf_init(&value, a);
			if (then != NULL)
				bracket_quote(&value, then);
			any |= then != NULL && param_set(p, m->param, value.at, value.len, a, NULL);
		}
	}
	return any;
}

static const char *put_in_folder(const char *name, const char *folder, struct arena *a)
{
	return *name == '\0' || *name == '/' ? NULL : arena_printf(a, "%s/%s", folder, name);
}

bool expr_files_from(struct expr *e, const char *folder, struct arena *a)
{
	return rename_files(e, put_in_folder, folder, a);
}

static const char *without_folder(const char *name, const char *folder, struct arena *a)
{
	(void)folder, (void)a;
	const char *const slash = strrchr(name, '/');
	return slash != NULL && slash[1] != '\0' ? slash + 1 : NULL;
}

const char *expr_brief(const char *expression, struct arena *a)
{
	struct expr e;
	const bool any = strchr(expression, '/') != NULL && expr_parse(&e, expression, a, NULL) &&
			 rename_files(&e, without_folder, NULL, a);
	return any ? expr_print(&e, a) : expression;
}

/* ---- printing ---- */

static void add_arg(struct strbuf *out, size_t *count, const char *name, const char *value)
{
	strbuf_printf(out, "%c%s=", (*count)++ == 0 ? '(' : ',', name);
	strbuf_add(out, value);
}

static void print_member(struct strbuf *out, const struct expr_member *m)
{
	size_t count = 0;
	char weight[32];
	if (m->weight != 1)
		strbuf_printf(out, "%s*", num_print(weight, sizeof weight, m->weight));
	strbuf_add(out, m->scheme->id);
	for (const struct param *p = m->scheme->params; p != NULL && p->name != NULL; p++)
		if (!param_is_default(p, m->param))
			add_arg(out, &count, p->name, param_print(p, m->param, out->arena));
	if (strcmp(m->pos, "seq") != 0)
		add_arg(out, &count, shared_names[SHARED_POS], m->pos);
	if (m->layers_text != NULL)
		add_arg(out, &count, shared_names[SHARED_LAYERS], m->layers_text);
	if (m->heads_text != NULL)
		add_arg(out, &count, shared_names[SHARED_HEADS], m->heads_text);
	if (count > 0)
		strbuf_add_char(out, ')');
}

const char *expr_print_member(const struct expr_member *m, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	print_member(&out, m);
	return out.at;
}

const char *expr_print(const struct expr *e, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; i < e->n; i++) {
		if (i > 0)
			strbuf_add_char(&out, '+');
		print_member(&out, &e->members[i]);
	}
	return out.at;
}
