/* governors.c: a dependency tree as typed: for each word the number of its governor, 0 for the
 * root. */
#include <string.h>

#include "posviz/input/letters.h"
#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "structure_in.h"

enum { QUOTED = 96 };

static bool is_whole(const char *text, size_t len)
{
	const size_t sign = len > 0 && strchr("+-", text[0]) != NULL;
	return len > sign && strspn(text + sign, "0123456789") >= len - sign;
}

/* Stores the governor of word `i`. */
static bool store_governor(const char *text, size_t len, size_t i, size_t n, long *parent,
			   struct err *err)
{
	char quoted[QUOTED];
	text_quote_buf(quoted, sizeof quoted, text, len);
	uint64_t value = 0;
	const bool read = num_parse_u64(text, len, &value, NULL);
	if (!read && !is_whole(text, len))
		return err_set(err,
			       "governors: %s is not a number; each word has the number of its "
			       "governor, 1 to %zu, or 0 for the root",
			       quoted, n);
	if ((!read || value > n) && n == 1)
		return err_set(err,
			       "governors: %s, of word 1, is out of range; a word alone is the "
			       "root, 0",
			       quoted);
	if (!read || value > n)
		return err_set(
			err,
			"governors: %s, of word %zu, is out of range; a governor is a word, 1 "
			"to %zu, or 0 for the root",
			quoted, i + 1, n);
	if (value == i + 1)
		return err_set(
			err,
			"governors: word %zu is its own governor; it needs another, or 0 for "
			"the root",
			i + 1);
	parent[i] = (long)value - 1;
	return true;
}

/* Reads the numbers. Commas may only separate two numbers. Numbers beyond those of the words are
 * counted too, for the message. */
static bool read_numbers(const char *text, size_t n, long *parent, struct err *err)
{
	size_t count = 0;
	for (const char *at = letter_skip_blanks(text); *at != '\0';) {
		const size_t len = letter_number(at);
		if (len == 0)
			return err_set(err, "governors: a comma without a number before it");
		if (count < n && !store_governor(at, len, count, n, parent, err))
			return false;
		count++;
		at = letter_skip_blanks(at + len);
		if (*at != ',')
			continue;
		at = letter_skip_blanks(at + 1);
		if (*at == '\0')
			return err_set(err, "governors: a comma without a number behind it");
	}
	if (count != n)
		return err_set(err,
			       "governors: %zu number%s for %zu word%s; each word needs one, and 0 "
			       "is the root",
			       count, count == 1 ? "" : "s", n, n == 1 ? "" : "s");
	return true;
}

static bool check_circles(const long *parent, size_t n, struct arena *scratch, struct err *err)
{
	bool root = false;
	for (size_t i = 0; i < n; i++)
		root = root || parent[i] < 0;
	size_t *cycle = arena_calloc(scratch, n + 1, sizeof *cycle);
	const size_t length = structure_cycle(parent, n, cycle, scratch);
	if (length == 0)
		return true;
	const char *const shown = structure_print_cycle(cycle, length, NULL, scratch);
	if (!root)
		return err_set(err,
			       "governors: no root: no word has 0; words govern in a circle: %s",
			       shown);
	return err_set(
		err, "governors: words govern in a circle: %s; one of them needs another governor",
		shown);
}

static bool read_parents(const char *text, size_t n, long *parent, struct err *err)
{
	if (n == 0)
		return err_set(err, "governors: there are no words to govern");
	if (n > STRUCTURE_MAX_NODES)
		return err_set(err, "governors: %zu words; at most %d can be a tree", n,
			       STRUCTURE_MAX_NODES);
	struct arena scratch;
	arena_init(&scratch);
	const bool ok =
		read_numbers(text, n, parent, err) && check_circles(parent, n, &scratch, err);
	arena_release(&scratch);
	return ok;
}

bool structure_governors(const char *text, size_t n, struct arena *a, struct structure *out,
			 struct err *err)
{
	*out = (struct structure){.kind = STRUCTURE_DEPENDENCY,
				  .n = n,
				  .names = arena_calloc(a, n + 1, sizeof *out->names),
				  .parent = arena_calloc(a, n + 1, sizeof *out->parent)};
	if (!read_parents(text, n, out->parent, err))
		return false;
	for (size_t i = 0; i < n; i++)
		out->names[i] = arena_printf(a, "%zu", i + 1);
	const size_t roots = structure_from_parents(out, NULL, a);
	if (roots > 1)
		out->note = arena_printf(a, "%zu roots, each at depth 0", roots);
	structure_tokens_are_nodes(out, a);
	return true;
}

/* Returns the relation of each node to its parent, "" if no edge gives one. */
static const char **relations_of(const struct structure *s, struct arena *a)
{
	const char **const out = arena_calloc(a, s->n + 1, sizeof *out);
	for (size_t i = 0; i < s->n; i++)
		out[i] = "";
	for (size_t e = 0; e < s->n_edges; e++)
		out[s->edges[e].to] = s->edge_labels[s->edges[e].label];
	return out;
}

bool structure_rehang(struct structure *s, const char *text, struct arena *a, struct err *err)
{
	if (!s->parent)
		return err_set(err, "governors: the structure is a graph, where a word has no one "
				    "governor; --conllu, --tree or a plain sentence takes them");
	if (s->tokens < s->n)
		return err_set(err,
			       "governors: the words are leaves of a tree, which hang on no word; "
			       "--tree-units nodes makes each node a word");
	const char **const relation = relations_of(s, a);
	long *const parent = arena_calloc(a, s->n + 1, sizeof *parent);
	size_t changed = 0;
	if (!read_parents(text, s->n, parent, err))
		return false;
	for (size_t i = 0; i < s->n; i++)
		changed += parent[i] != s->parent[i];
	if (changed == 0)
		return true;
	s->parent = parent;
	s->kind = STRUCTURE_DEPENDENCY;
	const size_t roots = structure_from_parents(s, relation, a);
	struct strbuf note;
	strbuf_init(&note, a);
	if (roots > 1)
		note_add(&note, "%zu roots, each at depth 0", roots);
	note_add(&note, "%zu of %s hung elsewhere than as written", changed,
		 count_text(a, s->n, "word"));
	s->note = note.at;
	return true;
}
