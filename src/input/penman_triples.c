/* penman_triples.c: abstract meaning representations as the triples of PENMAN's other form.
 *
 * 	instance(f, forget-01) ^ instance(r, robot) ^ ARG0(f, r)
 *
 * Each is role(variable, variable or constant); an instance gives a variable its concept. A
 * triple is followed by ^ or a line end; a blank line separates graphs. The root is the first
 * variable, or the one that TOP names. */
#include <string.h>
#include <strings.h>

#include "input/penman_in.h"
#include "input/pieces.h"
#include "posviz/base/text.h"

static size_t word_length(const char *at)
{
	const char *end = at;
	while (*end != '\0' && !penman_is_blank(*end) && !strchr("(),\"", *end) &&
	       penman_alignment(end) == 0)
		end++;
	return (size_t)(end - at);
}

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* Returns whether a line begins "role(a, ". */
bool penman_opens_triple(const char *line, const char *end)
{
	(void)end;
	const size_t role = word_length(line);
	const char *at = skip_blanks(line + role);
	if (role == 0 || *at != '(')
		return false;
	at = skip_blanks(at + 1);
	const size_t source = word_length(at);
	return source > 0 && *skip_blanks(at + source) == ',';
}

static bool refuse(struct penman *r, const char *wanted)
{
	char quoted[64];
	const size_t n = word_length(r->at);
	if (r->at >= r->limit)
		return source_blame_at(r->source, r->at, r->err,
				       "the graph ends where %s must stand", wanted);
	return source_blame_at(
		r->source, r->at, r->err,
		"%s where %s must stand: a triple is role(a, b), and ^ stands between "
		"two",
		text_quote_buf(quoted, sizeof quoted, r->at, n > 0 ? n : 1), wanted);
}

static bool pass_sign(struct penman *r, char sign, const char *wanted)
{
	penman_skip(r);
	if (r->at >= r->limit || *r->at != sign)
		return refuse(r, wanted);
	r->at++;
	return true;
}

/* Reads a word, or with `string` also a quoted text. */
static bool read_word(struct penman *r, bool string, const char *wanted, struct penman_mention *out)
{
	penman_skip(r);
	*out = (struct penman_mention){.place = r->at};
	if (r->at >= r->limit)
		return refuse(r, wanted);
	if (string && *r->at == '"') {
		out->constant = true;
		return penman_string(r, &out->text);
	}
	const size_t n = word_length(r->at);
	if (n == 0)
		return refuse(r, wanted);
	out->text = arena_strndup(r->a, r->at, n);
	r->at += n;
	return true;
}

static bool add(struct penman *r, const struct penman_mention *role, struct penman_mention *source,
		const struct penman_mention *target)
{
	const char *const name = role->text + (*role->text == ':');
	if (strcmp(name, "instance") == 0) {
		source->declared = true;
		source->concept = target->text;
		return penman_add_mention(r, source);
	}
	/* TOP(top, a) and TOP(a, concept) both name the root a. */
	if (strcasecmp(name, "TOP") == 0) {
		const bool second = strcasecmp(source->text, "top") == 0;
		if (!penman_add_mention(r, second ? target : source))
			return false;
		r->root = r->n_mentions - 1;
		return true;
	}
	source->source = true;
	if (!penman_add_mention(r, source) || !penman_add_mention(r, target))
		return false;
	penman_add_relation(r, r->n_mentions - 2, r->n_mentions - 1, name);
	return true;
}

static bool read_triple(struct penman *r)
{
	struct penman_mention role, source, target;
	return read_word(r, false, "a role", &role) && pass_sign(r, '(', "(") &&
	       read_word(r, false, "a variable", &source) && pass_sign(r, ',', "a comma") &&
	       read_word(r, true, "a variable or a constant", &target) && pass_sign(r, ')', ")") &&
	       add(r, &role, &source, &target);
}

/* Declares the sources that have no instance: variables without a concept. */
static void declare_sources(struct penman *r)
{
	struct interned words;
	interned_init(&words, r->a);
	bool *const declared = arena_calloc(r->a, r->n_mentions + 1, sizeof *declared);
	for (size_t i = 0; i < r->n_mentions; i++)
		declared[interned_add(&words, r->mentions[i].text)] |= r->mentions[i].declared;
	for (size_t i = 0; i < r->n_mentions; i++) {
		struct penman_mention *const m = &r->mentions[i];
		bool *const known = &declared[interned_add(&words, m->text)];
		m->declared |= m->source && !*known;
		*known |= m->source;
	}
}

static bool read_graph(struct penman *r)
{
	for (;;) {
		if (!read_triple(r))
			return false;
		const char *const behind = r->at;
		penman_skip(r);
		if (r->at >= r->limit)
			break;
		if (*r->at == '^')
			r->at++;
		else if (!memchr(behind, '\n', (size_t)(r->at - behind)))
			return refuse(r, "^");
	}
	declare_sources(r);
	return true;
}

bool graph_triples(const struct source *s, size_t which, size_t *count, struct arena *a,
		   struct structured *out, struct err *err)
{
	struct penman r = {.source = s, .at = s->at, .a = a, .err = err};
	struct pieces pieces = {.source = s, .opens = penman_opens_triple, .blocks = true};
	struct growing g;
	bool ok = false;
	growing_init(&g, a);
	*count = 0;
	for (penman_skip(&r); *r.at != '\0'; penman_skip(&r)) {
		r.limit = piece_limit(&pieces, r.at);
		if (++*count == which)
			ok = read_graph(&r);
		r.at = r.limit;
	}
	return graph_which(s, which, *count, &g.note, err) && ok && penman_finish(&r, &g, out);
}
