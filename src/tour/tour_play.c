/* tour_play.c: a parameter or a field that runs: "base 10..10000 times 10 in 4 s". Each frame is a scene that the
 * command has made, so nothing is played that could not be typed. */
#include <math.h>
#include <string.h>

#include "posviz/app/app.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/scheme/scheme.h"
#include "tour_in.h"

enum { EVEN_STEPS = 24 };
static const double usual_seconds = 3;

struct playing {
	const char *name, *from, *to;
	double lo, hi;
	enum { EVENLY, BY, TIMES } way;
	double step, seconds;
	bool whole; /* its values are whole numbers */
	const char *command;
};

static bool wrong(struct reading *r, const char *text)
{
	return reading_error(r, r->line,
			     "play: %s is not of the form NAME FROM..TO [by X|times X] [in N s]",
			     text_quote(r->a, text, strlen(text)));
}

static const char *next_word(const char **at, struct arena *a)
{
	*at += strspn(*at, " \t");
	const size_t len = strcspn(*at, " \t");
	const char *const word = arena_strndup(a, *at, len);
	*at += len;
	return word;
}

static bool number(const char *text, size_t len, double *out)
{
	return num_parse_double(text, len, -HUGE_VAL, HUGE_VAL, out, NULL);
}

static bool read_range(struct reading *r, const char *range, struct playing *p)
{
	const char *const dots = strstr(range, "..");
	if (!dots || !number(range, (size_t)(dots - range), &p->lo) ||
	    !number(dots + 2, strlen(dots + 2), &p->hi))
		return false;
	p->from = arena_strndup(r->a, range, (size_t)(dots - range));
	p->to = dots + 2;
	return true;
}

static bool read_way(struct reading *r, const char **at, struct playing *p)
{
	const char *word = next_word(at, r->a);
	if (strcmp(word, "by") == 0 || strcmp(word, "times") == 0) {
		p->way = *word == 'b' ? BY : TIMES;
		const char *const x = next_word(at, r->a);
		if (!number(x, strlen(x), &p->step))
			return false;
		word = next_word(at, r->a);
	}
	if (strcmp(word, "in") == 0) {
		const char *const n = next_word(at, r->a);
		if (!number(n, strlen(n), &p->seconds) || !(p->seconds > 0) || p->seconds > 60)
			return false;
		word = next_word(at, r->a);
		if (strcmp(word, "s") == 0)
			word = next_word(at, r->a);
	}
	return *word == '\0';
}

/* A field of the scene comes before a parameter of that name. */
static bool find_name(struct reading *r, struct playing *p)
{
	const struct field *const f = field_find(p->name);
	const bool numeric = f && value_is_number(&f->type);
	if (numeric) {
		p->whole = f->type.kind == &value_integer;
		p->command = p->name;
		return true;
	}
	struct err err;
	const struct expr *const e = expr_of(r->app->scene.setup.scheme, r->a, &err);
	if (!e)
		return reading_error(r, r->line, "play: %s", err.text);
	const struct expr_member *const m = scene_member(&r->app->scene, e);
	const struct param *const param = scheme_param(m->scheme, p->name, strlen(p->name));
	if (!param || !value_is_number(&param->type))
		return reading_error(r, r->line, "play: %s has no number %s, and no field is one",
				     m->scheme->id, text_quote(r->a, p->name, strlen(p->name)));
	p->whole = param->type.kind == &value_integer;
	p->command = arena_printf(r->a, "param %s", p->name);
	return true;
}

/* The values on the way; their number, 0: there is none. */
static size_t values_of(const struct playing *p, double *out)
{
	size_t n = 0;
	const double sign = p->hi < p->lo ? -1 : 1, slack = 1e-9 * fmax(fabs(p->lo), fabs(p->hi));
	if (p->way == EVENLY) {
		for (size_t i = 0; i <= EVEN_STEPS; i++) {
			const double x = p->lo + (p->hi - p->lo) * (double)i / EVEN_STEPS;
			const double at = p->whole ? round(x) : num_rounded(x);
			if (n == 0 || fabs(out[n - 1] - at) > 0)
				out[n++] = at;
		}
		return n;
	}
	for (double x = p->lo; sign * x <= sign * p->hi + slack && n <= TOUR_FRAMES;
	     x = num_rounded(p->way == BY ? x + p->step : x * p->step)) {
		if (n > 0 && !(sign * x > sign * out[n - 1]))
			return 0;
		out[n++] = x;
	}
	if (n > 0 && n <= TOUR_FRAMES && fabs(out[n - 1] - p->hi) > slack)
		out[n++] = p->hi;
	return n;
}

static bool make_frames(struct reading *r, const struct playing *p, struct tour_play *out)
{
	double at[TOUR_FRAMES + 2];
	char text[32];
	const size_t n = values_of(p, at);
	if (n < 2)
		return reading_error(r, r->line, "play: it never comes from %s to %s", p->from,
				     p->to);
	if (n > TOUR_FRAMES)
		return reading_error(r, r->line, "play: more than %d pictures from %s to %s",
				     TOUR_FRAMES, p->from, p->to);
	out->frames = arena_calloc(r->a, n, sizeof *out->frames);
	out->values = arena_calloc(r->a, n, sizeof *out->values);
	for (size_t i = 0; i < n; i++) {
		num_print(text, sizeof text, at[i]);
		if (!reading_command(r, arena_printf(r->a, "%s %s", p->command, text)))
			return false;
		out->frames[i] = r->app->scene;
		out->values[i] = arena_strdup(r->a, text);
	}
	out->n = n;
	return true;
}

bool play_read(struct reading *r, const char *text)
{
	struct playing p = {.seconds = usual_seconds};
	struct tour_play *const out = &reading_beat(r)->play;
	const char *at = text;
	p.name = next_word(&at, r->a);
	if (!read_range(r, next_word(&at, r->a), &p) || !read_way(r, &at, &p))
		return wrong(r, text);
	struct tour_play made = {.name = p.name, .from = p.from, .to = p.to, .seconds = p.seconds};
	made.text = arena_printf(r->a, "%s %s..%s", p.name, p.from, p.to);
	made.text = text_escape(r->a, made.text, strlen(made.text));
	made.name = text_escape(r->a, p.name, strlen(p.name));
	if (!find_name(r, &p) || !make_frames(r, &p, &made))
		return false;
	*out = made;
	return true;
}
