/* steps.c: normalizers and pre-tokenizers in their order. */
#include <string.h>
#include <time.h>

#include "posviz/base/text.h"
#include "token/token_in.h"

double cut_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool cut_in_time(const struct cut *c)
{
	return cut_seconds() < c->until ||
	       err_set(c->err, "it takes longer than half a second; a shorter text would be right");
}

uint32_t code_at(const char *text, size_t len, size_t *n)
{
	uint32_t code = 0;
	*n = text_decode(text, len, &code);
	if (*n == 0) { /* bytes of a vocabulary that are no text */
		*n = 1;
		return 0xFFFD;
	}
	return code;
}

void add_word(struct words *w, const char *at, size_t len, bool first)
{
	if (len == 0)
		return;
	w->at = arena_grow(w->a, w->at, w->n, &w->room, sizeof *w->at);
	w->at[w->n++] = (struct word){at, len, first};
}

const char *json_text_or(const struct json_value *v, const char *name, const char *otherwise)
{
	const struct json_value *const m = json_member(v, name);
	return m && m->kind == JSON_VALUE_STRING ? m->as.string : otherwise;
}

bool json_flag_or(const struct json_value *v, const char *name, bool otherwise)
{
	const struct json_value *const m = json_member(v, name);
	return m && m->kind == JSON_VALUE_BOOL ? m->as.truth : otherwise;
}

long json_id_or(const struct json_value *v, const char *name, long otherwise)
{
	const struct json_value *const m = json_member(v, name);
	const bool ok = m && m->kind == JSON_VALUE_INTEGER && m->as.integer >= 0 &&
			m->as.integer < TOKEN_MOST_IDS;
	return ok ? (long)m->as.integer : otherwise;
}

struct step *steps_add(struct steps *s, const struct step_kind *kinds, const char *name)
{
	BUG_IF(s->n == TOKEN_MOST_STEPS);
	while (strcmp(kinds->name, name) != 0)
		kinds++;
	s->at[s->n] = (struct step){.kind = kinds};
	return &s->at[s->n++];
}

static bool add_one(struct steps *s, const struct step_kind *kinds, const struct json_value *v,
		    struct arena *a, struct err *err)
{
	const char *const type = json_text_or(v, "type", "");
	char quoted[120];
	for (; kinds->name; kinds++)
		if (strcmp(kinds->name, type) == 0)
			break;
	if (!kinds->name)
		return err_set(err, "a step of type %s is not known",
			       text_quote_buf(quoted, sizeof quoted, type, strlen(type)));
	if (s->n == TOKEN_MOST_STEPS)
		return err_set(err, "more than %d steps", TOKEN_MOST_STEPS);
	struct step *const step = &s->at[s->n++];
	*step = (struct step){.kind = kinds};
	return !kinds->read || kinds->read(step, v, a, err) || err_prefix(err, "%s: ", kinds->name);
}

/* Recursion is bounded by the nesting that JSON may have. */
bool steps_read(struct steps *s, const struct step_kind *kinds, const char *list,
		const struct json_value *v, struct arena *a, struct err *err)
{
	if (!v || v->kind == JSON_VALUE_NULL)
		return true;
	if (strcmp(json_text_or(v, "type", ""), "Sequence") != 0)
		return add_one(s, kinds, v, a, err);
	const struct json_value *const items = json_member(v, list);
	if (!items || items->kind != JSON_VALUE_ARRAY)
		return err_set(err, "Sequence: a list \"%s\" would be right", list);
	for (size_t i = 0; i < items->count; i++)
		if (!steps_read(s, kinds, list, &items->as.items[i], a, err))
			return false;
	return true;
}

bool steps_change(const struct steps *s, struct cut *c, struct word *io)
{
	for (size_t i = 0; i < s->n; i++)
		if (!cut_in_time(c) || !s->at[i].kind->change(&s->at[i], c, io))
			return false;
	return io->len <= 8 * TOKEN_MOST_TEXT ||
	       err_set(c->err, "the text grows beyond %d bytes", 8 * TOKEN_MOST_TEXT);
}

bool steps_divide(const struct steps *s, struct cut *c, const struct word *in, struct words *out)
{
	struct words now = {.a = c->a};
	add_word(&now, in->at, in->len, in->first);
	for (size_t i = 0; i < s->n; i++) {
		const struct step *const step = &s->at[i];
		struct words next = {.a = c->a};
		for (size_t k = 0; k < now.n; k++) {
			struct word w = now.at[k];
			if (step->kind->divide) {
				if (!step->kind->divide(step, c, &w, &next))
					return false;
				continue;
			}
			if (!step->kind->change(step, c, &w))
				return false;
			add_word(&next, w.at, w.len, w.first);
		}
		now = next;
	}
	*out = now;
	return true;
}

bool steps_have(const struct steps *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->at[i].kind->name, name) == 0)
			return true;
	return false;
}

bool step_read_pattern(struct step *s, const struct json_value *v, struct arena *a, struct err *err)
{
	const struct json_value *const p = json_member(v, "pattern");
	const char *const text = p ? json_text_or(p, "String", NULL) : NULL;
	const char *const expression = p ? json_text_or(p, "Regex", NULL) : NULL;
	if (!text && !expression)
		return err_set(err, "a pattern that is a String or a Regex would be right");
	s->text = text;
	s->text_len = text ? strlen(text) : 0;
	if (!text)
		s->pattern = pattern_new(expression, a, err);
	return text || s->pattern;
}

/* Divides at a text that is no expression. */
static void text_parts(const struct step *s, const struct word *in, struct part *out, size_t *n)
{
	size_t done = 0;
	for (size_t i = 0; s->text_len > 0 && i + s->text_len <= in->len;) {
		if (memcmp(in->at + i, s->text, s->text_len) != 0) {
			i++;
			continue;
		}
		if (done < i)
			out[(*n)++] = (struct part){done, i, false};
		done = i + s->text_len;
		out[(*n)++] = (struct part){i, done, true};
		i = done;
	}
	if (done < in->len)
		out[(*n)++] = (struct part){done, in->len, false};
}

bool step_pattern_parts(const struct step *s, struct cut *c, const struct word *in,
			struct part **out, size_t *n)
{
	if (s->pattern)
		return pattern_parts(s->pattern, c, in->at, in->len, out, n);
	*out = arena_calloc(c->a, 2 * in->len + 1, sizeof **out);
	*n = 0;
	text_parts(s, in, *out, n);
	return true;
}
