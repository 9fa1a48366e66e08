/* relation_words.c: the value in a cell of a relation, in words. */
#include <stdlib.h>
#include <string.h>

#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "relation_in.h"

static const char reverse[] = "_reverse_";

/* ---- paths ----------------------------------------------------------------------------------- */

size_t relation_stem(const char *label)
{
	const size_t n = strlen(label), k = strlen(reverse);
	return n > k && strcmp(label + n - k, reverse) == 0 ? n - k : n;
}

static bool has_ending(const char *label)
{
	return label[relation_stem(label)] != '\0';
}

/* Returns whether this ending marks labels against the direction of their edges. */
static bool has_reverse(const struct relation *r)
{
	for (size_t i = 0; i < r->n_labels; i++)
		if (has_ending(r->labels[i]))
			return true;
	return false;
}

/* Returns whether the label is the way itself, "up", or starts with it, "up:ARG0". */
static bool is_turn(const char *label, const char *way)
{
	const size_t n = strlen(way);
	return strncmp(label, way, n) == 0 && (label[n] == '\0' || label[n] == ':');
}

bool relation_has_ways(const struct relation *r)
{
	bool ways = has_reverse(r);
	for (size_t i = 0; i < r->n_labels && !ways; i++)
		ways = is_turn(r->labels[i], "up") || is_turn(r->labels[i], "down");
	return ways;
}

/* Adds a step with an arrow: ↑ against the direction of an edge, ↓ along it. Without arrows
 * there is a blank between labels, unless they are one column wide. */
static void add_brief(const char *name, bool reverses, bool further, struct strbuf *b)
{
	const bool up = is_turn(name, "up"), down = is_turn(name, "down");
	if (up || down) {
		const char *const label = strchr(name, ':');
		strbuf_printf(b, "%s%s", up ? "↑" : "↓", label ? label + 1 : "");
	} else if (has_ending(name)) {
		const bool plain = strcmp(name, "edge_reverse_") == 0;
		strbuf_printf(b, "↑%.*s", plain ? 0 : (int)relation_stem(name), name);
	} else if (name[0] != '<' && reverses) {
		strbuf_printf(b, "↓%s", strcmp(name, "edge") == 0 ? "" : name);
	} else {
		strbuf_printf(b, "%s%s", further && text_width(name) > 1 ? " " : "", name);
	}
}

const char *relation_path(const struct relation *r, size_t cell, bool brief, struct arena *a)
{
	const struct label_path *path = &r->paths[cell];
	const bool reverses = has_reverse(r);
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t k = 0; k < path->n; k++) {
		const char *const name = relation_label(r, path, k);
		if (!brief && k > 0 && reverses)
			strbuf_add(&b, " ");
		if (brief || reverses)
			add_brief(name, reverses, brief && k > 0, &b);
		else
			strbuf_printf(&b, "%s%s", k ? " " : "", name);
	}
	return b.len ? b.at : brief ? "ε" : "empty";
}

/* ---- numbers --------------------------------------------------------------------------------- */

const char *relation_says(const struct relation *r, int32_t value, const struct relation_cell *at,
			  struct arena *a)
{
	const char *said = r->says ? r->says(r, value, at, a) : NULL;
	return said || value != RELATION_NO_PATH ? said : "no path";
}

const char *relation_value(const struct relation *r, int32_t value, struct arena *a)
{
	const struct relation_name *const named = relation_name(r, value);
	if (named)
		return named->name;
	return arena_printf(a, "%s%ld", value < 0 ? "−" : "", labs((long)value));
}

static const char *name_of(const struct axis *units, size_t i, bool quoted, struct arena *a)
{
	const char *label = view_unit_name(units, i, a);
	return quoted ? arena_printf(a, "“%s”", label) : label;
}

struct relation_cell relation_cell(const struct axis *units, size_t t, size_t s, bool quoted,
				   struct arena *a)
{
	const bool same = t != s && strcmp(units->names[t], units->names[s]) == 0;
	return (struct relation_cell){.t = t,
				      .s = s,
				      .query = same ? "the query" : name_of(units, t, quoted, a),
				      .key = same ? "the key" : name_of(units, s, quoted, a)};
}

static const char *token_words(const struct relation *r, const struct axis *units, size_t i,
			       bool quoted, struct arena *a)
{
	const size_t at = i * r->n + i;
	const struct relation_cell cell = relation_cell(units, i, i, quoted, a);
	const int32_t value = relation_is_none(r, at) ? RELATION_NO_PATH : r->at[at];
	const char *path = r->paths && r->paths[at].n > 0 ? relation_path(r, at, false, a) : NULL;
	return arena_printf(a, "%s: %s%s%s", cell.query, relation_says(r, value, &cell, a),
			    path ? ", " : "", path ? path : "");
}

const char *relation_cell_words(const struct relation *r, const struct axis *units, size_t t,
				size_t s, bool quoted, struct arena *a)
{
	const size_t i = t * r->n + s;
	const struct relation_cell cell = relation_cell(units, t, s, quoted, a);
	if (r->of_tokens)
		return t == s ? token_words(r, units, t, quoted, a)
			      : arena_printf(a, "%s; %s", token_words(r, units, t, quoted, a),
					     token_words(r, units, s, quoted, a));
	if (relation_is_none(r, i))
		return relation_says(r, RELATION_NO_PATH, &cell, a);
	if (r->at)
		return relation_says(r, r->at[i], &cell, a);
	return r->paths[i].n > 0 ? relation_path(r, i, false, a) : "the empty path";
}
