/* sweep.c: one parameter of an expression at several values: "base=100,1000,10000",
 * "slopes.start=0..1:5".
 *
 * The parameter itself parses the values, so a value out of range gives the parameter's own error;
 * each value gives an expression. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/scene/sweep.h"
#include "scene_in.h"

/* Returns the length in bytes up to the next comma outside brackets and quotes. */
static size_t value_length(const char *text)
{
	size_t depth = 0, i = 0;
	bool quoted = false;
	for (; text[i] && (quoted || depth > 0 || text[i] != ','); i++) {
		quoted ^= text[i] == '"';
		depth += !quoted && strchr("([", text[i]) != NULL;
		depth -= !quoted && depth > 0 && strchr(")]", text[i]) != NULL;
	}
	return i;
}

static bool usage(struct err *err)
{
	return err_set(
		err,
		"sweep: PARAMETER=VALUE,VALUE,... would be right, such as "
		"base=100,1000,10000, PARAMETER=FROM..TO, FROM..TO:HOW-MANY or FROM..TO..STEP");
}

bool check_sweep(const char **value, struct arena *a, struct err *err)
{
	const size_t name = strcspn(*value, "=");
	(void)a;
	return strcmp(*value, "none") == 0 ||
	       ((*value)[name] == '=' && name > 0 && (*value)[name + 1]) || usage(err);
}

/* ---- the member of a parameter --------------------------------------------------------------- */

/* Returns the parameter's name behind "alibi." or "2."; *member is this prefix, which selects
 * members. */
static const char *own_name(const char *name, size_t *len, const char **member, size_t *member_len)
{
	const char *const dot = memchr(name, '.', *len);
	*member = name;
	*member_len = dot ? (size_t)(dot - name) : 0;
	if (!dot)
		return name;
	*len -= *member_len + 1;
	return dot + 1;
}

static bool is_meant(const struct expr *e, size_t i, const char *member, size_t len)
{
	long number;
	if (len == 0)
		return true;
	if (num_parse_long(member, len, 1, MODEL_MAX_MEMBERS, &number, NULL))
		return (size_t)number == i + 1;
	const char *const id = e->members[i].scheme->id;
	return strlen(id) == len && memcmp(id, member, len) == 0;
}

static bool unknown(const struct expr *e, const char *name, size_t len, struct arena *a,
		    struct err *err)
{
	const char **names = NULL;
	size_t n = 0, most = 0;
	for (size_t i = 0; i < e->n; i++)
		for (const struct param *p = e->members[i].scheme->params; p && p->name; p++)
			most++;
	names = arena_calloc(a, most + 1, sizeof *names);
	for (size_t i = 0; i < e->n; i++)
		for (const struct param *p = e->members[i].scheme->params; p && p->name; p++)
			names[n++] = p->name;
	const char *const word = arena_strndup(a, name, len);
	const char *const near = text_nearest(word, names, n);
	const char *all = "";
	for (size_t i = 0; i < n; i++)
		all = arena_printf(a, "%s%s%s", all, i ? ", " : "", names[i]);
	return err_set(err, "sweep: %s has no parameter %s; %s%s%s", expr_print(e, a),
		       text_quote(a, name, len),
		       near   ? "did you mean "
		       : *all ? "it takes "
			      : "it takes none",
		       near ? near : all, near ? "?" : "");
}

/* Finds the parameter and its member; it is an error if several members have a parameter of this
 * name. */
static const struct param *find(const struct expr *e, const char *name, size_t len, size_t *at,
				struct arena *a, struct err *err)
{
	const char *member;
	size_t member_len, found = 0, n = len;
	const char *const own = own_name(name, &n, &member, &member_len);
	const struct param *out = NULL;
	const char *who = "";
	for (size_t i = 0; i < e->n; i++) {
		const struct param *const p = scheme_param(e->members[i].scheme, own, n);
		if (!p || !is_meant(e, i, member, member_len))
			continue;
		who = arena_printf(a, "%s%s%zu.%.*s", who, found ? " or " : "", i + 1, (int)n, own);
		out = p;
		*at = i;
		found++;
	}
	if (found == 0)
		unknown(e, name, len, a, err);
	else if (found > 1)
		err_set(err, "sweep: several members have %.*s: %s would be right", (int)n, own,
			who);
	return found == 1 ? out : NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool add_value(struct sweep *s, const char *text, size_t len, struct arena *a,
		      struct err *err)
{
	if (s->n == SWEEP_MOST)
		return err_set(err, "sweep: at most %d values would be right", SWEEP_MOST);
	s->values[s->n++] = arena_strndup(a, text, len);
	return true;
}

/* A range "FROM..TO", optionally followed by a count or a step. */
struct range {
	double from, to;
	long n;	     /* number of values; 0: not given */
	double step; /* between values; 0: not given */
};

static bool read_range(struct range *r, const struct param *p, const char *text, struct err *err)
{
	const char *const dots = strstr(text, ".."), *const rest = dots + 2;
	const char *const more = strstr(rest, ".."), *const colon = strchr(rest, ':');
	const size_t len = more	   ? (size_t)(more - rest)
			   : colon ? (size_t)(colon - rest)
				   : strlen(rest);
	*r = (struct range){.n = 0};
	if (!num_parse_double(text, (size_t)(dots - text), p->type.min, p->type.max, &r->from,
			      err) ||
	    !num_parse_double(rest, len, p->type.min, p->type.max, &r->to, err))
		return false;
	if (more)
		return num_parse_double(more + 2, strlen(more + 2), 1e-300, 1e300, &r->step, err);
	return !colon || num_parse_long(colon + 1, strlen(colon + 1), 2, SWEEP_MOST, &r->n, err);
}

/* Returns the number of values if the range gives none: doublings if they lead exactly from one end
 * to the other, each whole number if they are few, else a number that compares well. */
static long usual_count(const struct range *r, const struct param *p)
{
	enum { WELL = 4, FEW = 8 };
	const double all = fabs(r->to - r->from) + 1;
	const double doubles =
		p->type.geometric && r->from > 0 && r->to > 0 ? log2(r->to / r->from) : 0;
	if (doubles >= 1 && doubles < FEW && !(doubles > floor(doubles)))
		return (long)doubles + 1;
	return p->type.kind == &value_integer && all <= FEW ? (long)all : WELL;
}

static double range_value(const struct range *r, const struct param *p, long n, long i)
{
	const double part = n > 1 ? (double)i / (double)(n - 1) : 0;
	if (r->step > 0)
		return r->from + (r->to < r->from ? -r->step : r->step) * (double)i;
	return p->type.geometric && r->from > 0 && r->to > 0 ? r->from * pow(r->to / r->from, part)
							     : r->from + (r->to - r->from) * part;
}

/* Adds the values of a range: "0..1:5" in equal steps (equal ratios for a parameter that + and -
 * multiply), "8..32..8" with a step, "8..32". *is: the text is a range. */
static bool add_range(struct sweep *s, const struct param *p, const char *text, size_t len,
		      bool *is, struct arena *a, struct err *err)
{
	const char *const range = arena_strndup(a, text, len);
	struct range r;
	*is = strstr(range, "..") && value_is_number(&p->type);
	if (!*is)
		return true;
	if (!read_range(&r, p, range, err))
		return err_prefix(err, "sweep: %s: ", p->name);
	const double steps = r.step > 0 ? floor(fabs(r.to - r.from) / r.step * (1 + 1e-12)) : 0;
	if (steps >= SWEEP_MOST)
		return err_set(err,
			       "sweep: %s: %s are more than %d values; a larger step, or "
			       "FROM..TO:HOW-MANY, would be right",
			       p->name, range, SWEEP_MOST);
	const long n = r.step > 0 ? (long)steps + 1 : r.n > 0 ? r.n : usual_count(&r, p);
	for (long i = 0; i < n; i++) {
		char value[40];
		snprintf(value, sizeof value, p->type.kind == &value_integer ? "%.0f" : "%.6g",
			 range_value(&r, p, n, i));
		if (!add_value(s, value, strlen(value), a, err))
			return false;
	}
	return true;
}

static bool read_values(struct sweep *s, const struct param *p, const char *list, struct arena *a,
			struct err *err)
{
	for (const char *at = list;;) {
		const size_t len = value_length(at);
		bool range;
		if (!add_range(s, p, at, len, &range, a, err) ||
		    (!range && !add_value(s, at, len, a, err)))
			return false;
		if (!at[len])
			break;
		at += len + 1;
	}
	return s->n > 1 ||
	       err_set(err, "sweep: %s: one value is no sweep; two to %d would be right", p->name,
		       SWEEP_MOST);
}

/* Makes the canonical expression with value i. */
static bool take_value(struct sweep *s, const struct expr *e, size_t member, const struct param *p,
		       size_t i, struct arena *a, struct err *err)
{
	struct expr *const own = arena_calloc(a, 1, sizeof *own);
	struct expr_member *const m = &own->members[member];
	*own = *e;
	m->param = arena_alloc(a, m->scheme->param_size);
	memcpy(m->param, e->members[member].param, m->scheme->param_size);
	if (!param_set(p, m->param, s->values[i], strlen(s->values[i]), a, err))
		return err_prefix(err, "sweep: ");
	s->values[i] = param_print(p, m->param, a);
	s->expressions[i] = expr_print(own, a);
	/* The parse checks that the parameters fit together. */
	if (!expr_of(s->expressions[i], a, err))
		return err_prefix(err, "sweep: %s: ", s->values[i]);
	for (size_t k = 0; k < i; k++)
		if (strcmp(s->values[k], s->values[i]) == 0)
			return err_set(err, "sweep: %s: %s is there twice", p->name, s->values[i]);
	return true;
}

bool sweep_of(const char *expression, const char *sweep, struct arena *a, struct sweep *out,
	      struct err *err)
{
	const char *const is = strchr(sweep, '=');
	size_t member = 0;
	*out = (struct sweep){0};
	if (!is)
		return usage(err);
	const struct expr *const e = expr_of(expression, a, err);
	if (!e)
		return false;
	const struct param *const p = find(e, sweep, (size_t)(is - sweep), &member, a, err);
	if (!p || !read_values(out, p, is + 1, a, err))
		return false;
	out->param = arena_strndup(a, sweep, (size_t)(is - sweep));
	for (size_t i = 0; i < out->n; i++)
		if (!take_value(out, e, member, p, i, a, err))
			return false;
	return true;
}
