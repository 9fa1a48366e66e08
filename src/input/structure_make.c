/* structure_make.c: see structure_in.h. */
#include "structure_in.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "posviz/base/text.h"

enum { LONG_NAME = 200, FIRST_TEXTS = 16, QUOTED = 48, CYCLE_SHOWN = 5 };

/* ---- text ------------------------------------------------------------------------------------ */

bool source_open(struct source *out, const char *name, const char *text, size_t len,
		 const char *format, struct err *err)
{
	*out = (struct source){.name = name, .at = text, .end = text + len};
	if (len >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
		return source_blame(out, 1, err, "this is UTF-16; %s is read as UTF-8", format);
	if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
		out->at += 3;
	const char *const nul = len > 0 ? memchr(text, '\0', len) : NULL;
	if (nul)
		return source_blame_at(out, nul, err, "a NUL byte; %s is text without any", format);
	return true;
}

static const char *shown_name(const struct source *s, struct arena *a)
{
	const char *const name = text_escape(a, s->name, strlen(s->name));
	return strlen(name) <= LONG_NAME ? name : text_quote(a, s->name, strlen(s->name));
}

bool source_blame(const struct source *s, size_t line, struct err *err, const char *fmt, ...)
{
	struct arena scratch;
	if (!err)
		return false;
	arena_init(&scratch);
	va_list args;
	va_start(args, fmt);
	const char *const message = arena_vprintf(&scratch, fmt, args);
	if (line > 0)
		err_set(err, "%s:%zu: %s", shown_name(s, &scratch), line, message);
	else
		err_set(err, "%s: %s", shown_name(s, &scratch), message);
	va_end(args);
	arena_release(&scratch);
	return false;
}

bool source_blame_at(const struct source *s, const char *place, struct err *err, const char *fmt,
		     ...)
{
	size_t line = 1, column = 1;
	if (!err)
		return false;
	for (const char *at = s->at; at < place; at++) {
		column += ((unsigned char)*at & 0xC0) != 0x80; /* not a continuation byte */
		if (*at == '\n') {
			line++;
			column = 1;
		}
	}
	struct arena scratch;
	arena_init(&scratch);
	va_list args;
	va_start(args, fmt);
	err_set(err, "%s:%zu:%zu: %s", shown_name(s, &scratch), line, column,
		arena_vprintf(&scratch, fmt, args));
	va_end(args);
	arena_release(&scratch);
	return false;
}

void note_add(struct strbuf *note, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	if (note->len > 0)
		strbuf_add(note, "; ");
	strbuf_add(note, arena_vprintf(note->arena, fmt, args));
	va_end(args);
}

const char *count_text(struct arena *a, size_t n, const char *noun)
{
	return arena_printf(a, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

static bool all_fit(const struct source *s, const char *const *texts, size_t n, struct err *err)
{
	enum { SHOWN = 64 };
	char quoted[SHOWN];
	for (size_t i = 0; i < n; i++) {
		const size_t len = strlen(texts[i]);
		if (len > STRUCTURE_MAX_NAME)
			return source_blame(s, 0, err,
					    "a name or label of %zu bytes: at most %d are read; it "
					    "is %s",
					    len, STRUCTURE_MAX_NAME,
					    text_quote_buf(quoted, sizeof quoted, texts[i], len));
	}
	return true;
}

bool source_names_fit(const struct source *s, const struct structured *read, struct err *err)
{
	const struct structure *const made = &read->structure;
	return all_fit(s, read->token_text, read->n_tokens, err) &&
	       all_fit(s, made->names, made->n, err) &&
	       all_fit(s, made->edge_labels, made->n_labels, err);
}

/* ---- texts kept once ------------------------------------------------------------------------- */

void interned_init(struct interned *set, struct arena *a)
{
	*set = (struct interned){.a = a,
				 .at = arena_calloc(a, FIRST_TEXTS, sizeof *set->at),
				 .cap = FIRST_TEXTS,
				 .slots = arena_calloc(a, 2 * FIRST_TEXTS, sizeof *set->slots),
				 .n_slots = 2 * FIRST_TEXTS};
}

/* Returns the slot of the text, or the free one where it belongs. Half of the slots are free. */
static int *slot_of(const struct interned *set, const char *text)
{
	size_t hash = 14695981039346656037u; /* FNV-1a */
	for (const char *c = text; *c != '\0'; c++)
		hash = (hash ^ (unsigned char)*c) * 1099511628211u;
	for (size_t i = hash % set->n_slots;; i = (i + 1) % set->n_slots) {
		int *const slot = &set->slots[i];
		if (*slot == 0 || strcmp(set->at[*slot - 1], text) == 0)
			return slot;
	}
}

static void make_room(struct interned *set)
{
	const char **at = arena_calloc(set->a, 2 * set->cap, sizeof *at);
	memcpy(at, set->at, set->n * sizeof *at);
	set->at = at;
	set->cap *= 2;
	set->n_slots = 2 * set->cap;
	set->slots = arena_calloc(set->a, set->n_slots, sizeof *set->slots);
	for (size_t i = 0; i < set->n; i++)
		*slot_of(set, at[i]) = (int)i + 1;
}

int interned_add(struct interned *set, const char *text)
{
	if (set->n == set->cap)
		make_room(set);
	int *const slot = slot_of(set, text);
	if (*slot == 0) {
		set->at[set->n++] = text;
		*slot = (int)set->n;
	}
	return *slot - 1;
}

/* ---- forests --------------------------------------------------------------------------------- */

size_t structure_from_parents(struct structure *s, const char *const *relation, struct arena *a)
{
	struct interned labels;
	interned_init(&labels, a);
	size_t *children = arena_calloc(a, s->n + 1, sizeof *children); /* counted so far */
	size_t roots = 0;
	s->branch = arena_calloc(a, s->n + 1, sizeof *s->branch);
	s->edges = arena_calloc(a, s->n + 1, sizeof *s->edges);
	s->n_edges = 0;
	s->root = -1;
	for (size_t i = 0; i < s->n; i++) {
		if (s->parent[i] < 0) {
			s->root = roots++ == 0 ? (long)i : -1;
			continue;
		}
		const size_t parent = (size_t)s->parent[i];
		s->branch[i] = children[parent]++;
		s->edges[s->n_edges++] =
			(struct edge){.from = parent,
				      .to = i,
				      .label = interned_add(&labels, relation ? relation[i] : "")};
	}
	s->edge_labels = labels.at;
	s->n_labels = labels.n;
	s->directed = true;
	return roots;
}

/* Walks upwards from every node until a root or a visited node; reaching a node of the same walk
 * closes the cycle. */
size_t structure_cycle(const long *parent, size_t n, size_t *cycle, struct arena *a)
{
	size_t *walk = arena_calloc(
		a, n + 1, sizeof *walk); /* the walk that first reached the node, from 1 */
	for (size_t i = 0; i < n; i++) {
		long at = (long)i;
		while (at >= 0 && walk[at] == 0) {
			walk[at] = i + 1;
			at = parent[at];
		}
		if (at < 0 || walk[at] != i + 1)
			continue;
		size_t count = 0;
		const long first = at;
		do {
			cycle[count++] = (size_t)at;
			at = parent[at];
		} while (at != first);
		return count;
	}
	return 0;
}

const char *structure_print_cycle(const size_t *cycle, size_t n, const char *const *texts,
				  struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < n && i < CYCLE_SHOWN; i++) {
		char quoted[QUOTED];
		strbuf_printf(&b, "%zu ", cycle[i] + 1);
		if (texts)
			strbuf_printf(&b, "%s ",
				      text_quote_buf(quoted, sizeof quoted, texts[cycle[i]],
						     strlen(texts[cycle[i]])));
		strbuf_add(&b, "-> ");
	}
	strbuf_printf(&b, n > CYCLE_SHOWN ? "... -> %zu" : "%zu", cycle[0] + 1);
	return b.at;
}

void structure_tokens_are_nodes(struct structure *s, struct arena *a)
{
	s->tokens = s->n;
	s->node_of = arena_calloc(a, s->n + 1, sizeof *s->node_of);
	for (size_t i = 0; i < s->n; i++)
		s->node_of[i] = (long)i;
}
