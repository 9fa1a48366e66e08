/* penman.c: abstract meaning representations in PENMAN notation.
 *
 * 	# ::snt The robot forgot to charge.
 * 	(f / forget-01 :ARG0 (r / robot) :ARG1 (c / charge-01 :ARG1 r))
 *
 * A mention is an occurrence of a node: a declared variable, or a bare word or string as the
 * target of a role. Only when all variables are declared is it known whether a bare word is a
 * variable or a constant; so mentions are collected first, and become nodes in their order. Each
 * constant is a node of its own. A word that looks like a variable (one letter and digits) but
 * is none is an error. */
#include <string.h>

#include "input/penman_in.h"
#include "input/pieces.h"
#include "posviz/base/text.h"

enum kind { OPEN, CLOSE, SLASH, ROLE, WORD, STRING, END };

struct lexeme {
	enum kind kind;
	const char *place; /* in the source */
	const char *text;  /* of roles (without the colon), words and strings */
};

/* ---- lexemes ------------------------------------------------------------------------------- */

bool penman_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

size_t penman_alignment(const char *at)
{
	const char *end = at;
	if (*end++ != '~')
		return 0;
	if (is_letter(*end))
		end += end[1] == '.' ? 2 : 1;
	if (!is_digit(*end))
		return 0;
	while (is_digit(*end) || (*end == ',' && is_digit(end[1])))
		end++;
	return (size_t)(end - at);
}

void penman_skip(struct penman *r)
{
	for (;;) {
		const char *const begin = r->at;
		while (penman_is_blank(*r->at))
			r->at++;
		r->at += penman_alignment(r->at);
		const char *line = r->at;
		while (line > r->source->at && (line[-1] == ' ' || line[-1] == '\t'))
			line--;
		if (*r->at == '#' && (line == r->source->at || strchr("\n\r", line[-1])))
			r->at += strcspn(r->at, "\n\r");
		if (r->at == begin)
			return;
	}
}

/* Returns whether a word ends here. A role begins inside a word if a colon is followed by a
 * letter: in (a / b:ARG0 c), but not in 12:30. A slash ends a variable, but is part of any other
 * word. */
static bool ends_word(const char *at, bool variable)
{
	return *at == '\0' || penman_is_blank(*at) || strchr("()\"", *at) ||
	       penman_alignment(at) > 0 || (*at == ':' && is_letter(at[1])) ||
	       (*at == '/' && variable);
}

bool penman_string(struct penman *r, const char **out)
{
	const char *const begin = r->at;
	struct strbuf text;
	strbuf_init(&text, r->a);
	for (r->at++; *r->at != '"'; r->at++) {
		if (*r->at == '\\' && r->at[1] != '\0' && !strchr("\n\r", r->at[1]))
			r->at++;
		if (*r->at == '\0' || strchr("\n\r", *r->at))
			return source_blame_at(r->source, begin, r->err,
					       "a string is not closed on its line");
		strbuf_add_char(&text, *r->at);
	}
	r->at++;
	*out = text.at;
	return true;
}

static bool read_lexeme(struct penman *r, bool variable, struct lexeme *out)
{
	static const char single[] = "()/";
	penman_skip(r);
	*out = (struct lexeme){.place = r->at, .text = ""};
	const char *const found = *r->at != '\0' ? strchr(single, *r->at) : NULL;
	if (*r->at == '\0' || r->at >= r->limit) {
		out->kind = END;
	} else if (found) {
		out->kind = OPEN + (enum kind)(found - single);
		r->at++;
	} else if (*r->at == '"') {
		out->kind = STRING;
		return penman_string(r, &out->text);
	} else {
		out->kind = *r->at == ':' ? ROLE : WORD;
		const char *const begin = r->at + (*r->at == ':');
		const bool role = out->kind == ROLE;
		for (r->at++; !ends_word(r->at, variable) && !(role && *r->at == ':'); r->at++)
			;
		out->text = arena_strndup(r->a, begin, (size_t)(r->at - begin));
	}
	return true;
}

static const char *quoted(struct penman *r, const struct lexeme *l)
{
	static const char *const names[] = {[OPEN] = "(", [CLOSE] = ")", [SLASH] = "/"};
	if (l->kind == END)
		return "the end of the text";
	if (l->kind <= SLASH)
		return arena_printf(r->a, "\"%s\"", names[l->kind]);
	const char *const text = l->kind == ROLE ? arena_printf(r->a, ":%s", l->text) : l->text;
	return text_quote(r->a, text, strlen(text));
}

/* ---- one graph ------------------------------------------------------------------------------- */

bool penman_add_mention(struct penman *r, const struct penman_mention *m)
{
	if (r->n_mentions >= 16 * (size_t)STRUCTURE_MAX_NODES)
		return source_blame_at(r->source, m->place, r->err,
				       "more nodes than can be shown: %d", STRUCTURE_MAX_NODES);
	r->mentions = grow_array(r->a, r->mentions, r->n_mentions, &r->mentions_cap, sizeof *m);
	r->mentions[r->n_mentions++] = *m;
	return true;
}

/* Returns whether a role ends in -of without being the inverse of another one. */
static bool is_plain(const char *role)
{
	static const char *const plain[] = {"consist-of", "prep-on-behalf-of", "prep-out-of"};
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (strcmp(role, plain[i]) == 0)
			return true;
	return false;
}

void penman_add_relation(struct penman *r, size_t from, size_t to, const char *role)
{
	struct penman_relation out = {.from = from, .to = to, .role = role};
	const size_t n = strlen(role);
	if (n > 3 && strcmp(role + n - 3, "-of") == 0 && !is_plain(role)) {
		out.role = arena_strndup(r->a, role, n - 3);
		out.inverted = true;
	}
	r->relations =
		grow_array(r->a, r->relations, r->n_relations, &r->relations_cap, sizeof out);
	r->relations[r->n_relations++] = out;
}

/* Reads, after the bracket, a variable, and a concept if there is one. */
static bool read_head(struct penman *r)
{
	struct lexeme l;
	if (!read_lexeme(r, true, &l))
		return false;
	if (l.kind != WORD)
		return source_blame_at(r->source, l.place, r->err,
				       "%s where a variable must stand: (x / concept)",
				       quoted(r, &l));
	struct penman_mention m = {.declared = true, .place = l.place, .text = l.text};
	penman_skip(r);
	if (*r->at == '/') {
		r->at++;
		if (!read_lexeme(r, false, &l))
			return false;
		if (l.kind != WORD && l.kind != STRING)
			return source_blame_at(
				r->source, l.place, r->err, "%s where the concept of %s must stand",
				quoted(r, &l), text_quote(r->a, m.text, strlen(m.text)));
		m.concept = l.text;
	}
	return penman_add_mention(r, &m);
}

struct level {
	const char *place; /* of its bracket */
	size_t mention;
};

struct stack {
	struct level at[STRUCTURE_MAX_DEPTH];
	size_t depth;
	struct lexeme role; /* the role that waits for a target, if its text is not NULL */
};

/* Relates the latest mention to the node whose brackets are open. */
static void relate(struct penman *r, struct stack *s)
{
	if (s->depth > 0)
		penman_add_relation(r, s->at[s->depth - 1].mention, r->n_mentions - 1,
				    s->role.text);
	s->role.text = NULL;
}

static bool open_node(struct penman *r, struct stack *s, const struct lexeme *l)
{
	if (s->depth == STRUCTURE_MAX_DEPTH)
		return source_blame_at(r->source, l->place, r->err,
				       "brackets are nested more than %d deep",
				       STRUCTURE_MAX_DEPTH);
	if (!read_head(r))
		return false;
	relate(r, s);
	s->at[s->depth++] = (struct level){.place = l->place, .mention = r->n_mentions - 1};
	return true;
}

static bool accept_lexeme(struct penman *r, struct stack *s, const struct lexeme *l)
{
	if (l->kind == END)
		return source_blame_at(r->source, s->at[s->depth - 1].place, r->err,
				       "this bracket is not closed");
	if (s->role.text && (l->kind == ROLE || l->kind == CLOSE || l->kind == SLASH))
		return source_blame_at(r->source, s->role.place, r->err,
				       "%s has no target: a variable, a constant or (x / concept)",
				       quoted(r, &s->role));
	if (l->kind == ROLE) {
		s->role = *l;
		return true;
	}
	if (l->kind == CLOSE) {
		s->depth--;
		return true;
	}
	if (!s->role.text)
		return source_blame_at(r->source, l->place, r->err,
				       "%s where a role such as :ARG0 must stand", quoted(r, l));
	if (l->kind == OPEN)
		return open_node(r, s, l);
	const struct penman_mention m = {
		.place = l->place, .text = l->text, .constant = l->kind == STRING};
	if (!penman_add_mention(r, &m))
		return false;
	relate(r, s);
	return true;
}

/* Reads from the bracket that opens the graph to the one that closes it. */
static bool read_graph(struct penman *r)
{
	struct stack *s = arena_calloc(r->a, 1, sizeof *s);
	struct lexeme l;
	if (!read_lexeme(r, false, &l) || !open_node(r, s, &l))
		return false;
	while (s->depth > 0)
		if (!read_lexeme(r, false, &l) || !accept_lexeme(r, s, &l))
			return false;
	return true;
}

/* ---- mentions become nodes ------------------------------------------------------------------- */

static bool looks_like_variable(const char *text)
{
	if (!is_letter(*text))
		return false;
	for (text++; is_digit(*text); text++)
		;
	return *text == '\0';
}

/* Fills declared[i] with the declaration of the word numbered i, as index of a mention + 1;
 * `words` numbers the words. */
static bool find_declared(struct penman *r, struct interned *words, size_t *declared)
{
	for (size_t i = 0; i < r->n_mentions; i++) {
		const struct penman_mention *m = &r->mentions[i];
		size_t *slot = &declared[interned_add(words, m->text)];
		if (m->declared && *slot > 0)
			return source_blame_at(r->source, m->place, r->err,
					       "the variable %s is declared already: write it "
					       "without brackets, or take another one",
					       text_quote(r->a, m->text, strlen(m->text)));
		if (m->declared)
			*slot = i + 1;
	}
	return true;
}

static bool make_nodes(struct penman *r, struct growing *g, size_t *node)
{
	struct interned words;
	interned_init(&words, r->a);
	size_t *declared = arena_calloc(r->a, r->n_mentions + 1, sizeof *declared);
	long *known = arena_calloc(r->a, r->n_mentions + 1, sizeof *known); /* node + 1 of a word */
	if (!find_declared(r, &words, declared))
		return false;
	for (size_t i = 0; i < r->n_mentions; i++) {
		const struct penman_mention *m = &r->mentions[i];
		const int word = interned_add(&words, m->text);
		if (m->constant || declared[word] == 0) {
			if (!m->constant && looks_like_variable(m->text))
				return source_blame_at(r->source, m->place, r->err,
						       "the variable %s is declared nowhere (a "
						       "constant would be in quotes)",
						       text_quote(r->a, m->text, strlen(m->text)));
			node[i] = growing_add_node(g, m->text);
			continue;
		}
		const struct penman_mention *variable = &r->mentions[declared[word] - 1];
		if (known[word] == 0)
			known[word] =
				1 + (long)growing_add_node(g, variable->concept ? variable->concept
										: variable->text);
		node[i] = (size_t)known[word] - 1;
	}
	return true;
}

static bool make_graph(struct penman *r, struct growing *g)
{
	size_t *node = arena_calloc(r->a, r->n_mentions + 1, sizeof *node); /* of each mention */
	if (!make_nodes(r, g, node))
		return false;
	for (size_t i = 0; i < r->n_relations; i++) {
		const struct penman_relation *e = &r->relations[i];
		const size_t from = node[e->from], to = node[e->to];
		growing_add_edge(g, e->inverted ? to : from, e->inverted ? from : to, e->role);
	}
	g->root = (long)node[r->root];
	return true;
}

bool penman_finish(struct penman *r, struct growing *g, struct structured *out)
{
	return make_graph(r, g) && growing_finish(g, r->source, out, r->err);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Skips a graph, reading only its brackets. */
static bool pass_graph(struct penman *r)
{
	size_t depth = 0;
	const char *const begin = r->at;
	do {
		struct lexeme l;
		if (!read_lexeme(r, false, &l))
			return false;
		if (l.kind == END)
			return source_blame_at(r->source, begin, r->err,
					       "this bracket is not closed");
		depth += l.kind == OPEN;
		depth -= l.kind == CLOSE;
	} while (depth > 0);
	return true;
}

/* Skips text between graphs, up to the next bracket. If it is not a comment, it makes the graph
 * before it broken. */
static bool pass_between(struct penman *r)
{
	penman_skip(r);
	if (*r->at == '\0' || *r->at == '(')
		return true;
	source_blame_at(r->source, r->at, r->err,
			*r->at == ')' ? "a bracket is closed that was not opened"
				      : "text between graphs: a graph begins with \"(\", a "
					"comment with \"#\"");
	r->at += strcspn(r->at, "(");
	return false;
}

/* Reads or skips the graph at the bracket; the reader is after it in any case, even if the graph
 * is broken. Where it ends is said by its brackets alone, so that a file has as many graphs
 * whichever of them is read. */
static bool one_graph(struct penman *r, struct pieces *pieces, bool read)
{
	const char *const begin = r->at;
	r->limit = piece_limit(pieces, begin);
	if (read && read_graph(r))
		return true;
	const struct arena_mark mark = arena_mark(r->a);
	r->err = NULL;
	r->at = begin;
	const bool closed = pass_graph(r);
	arena_rewind(r->a, mark);
	if (!closed)
		r->at = piece_resume(pieces, begin);
	return closed && !read;
}

bool graph_penman(const struct source *s, size_t which, size_t *count, struct arena *a,
		  struct structured *out, struct err *err)
{
	struct penman r = {.source = s, .at = s->at, .a = a};
	struct pieces pieces = {.source = s, .opens = piece_opens_bracket, .blocks = true};
	struct growing g;
	bool ok = true;
	growing_init(&g, a);
	*count = 0;
	for (penman_skip(&r); *r.at == '(';) {
		const bool wanted = ++*count == which;
		r.err = wanted ? err : NULL;
		bool whole = one_graph(&r, &pieces, wanted);
		r.err = whole ? r.err : NULL;
		whole &= pass_between(&r);
		ok &= whole || !wanted;
	}
	r.err = err;
	return graph_which(s, which, *count, &g.note, err) && ok && penman_finish(&r, &g, out);
}
