/* fuzz_brackets.c: any bytes as trees in brackets: a sound tree, which is the same when it is written
 * and read again, or one line for people. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_line.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/input/structure.h"

enum { TREES = 4 };

/* Preorder: a node's parent is the last node above it that is less deep. */
static void check_tree(const struct structured *t, enum tree_units units, struct arena *a)
{
	const struct structure *const s = &t->structure;
	BUG_IF(s->kind != STRUCTURE_TREE || s->n == 0 || s->n > STRUCTURE_MAX_NODES);
	BUG_IF(s->root != 0 || s->parent[0] != -1 || s->n_edges != s->n - 1);
	const size_t *const depth = structure_depths(s, a);
	bool *inner = arena_calloc(a, s->n, sizeof *inner);
	for (size_t i = 0; i < s->n; i++) {
		fuzz_check_line(s->names[i]);
		BUG_IF(depth[i] > STRUCTURE_MAX_DEPTH);
		if (i == 0)
			continue;
		BUG_IF(s->parent[i] < 0 || s->parent[i] >= (long)i || depth[i] > depth[i - 1] + 1);
		BUG_IF(s->edges[i - 1].to != i || (long)s->edges[i - 1].from != s->parent[i]);
		BUG_IF((size_t)s->edges[i - 1].label >= s->n_labels);
		inner[s->parent[i]] = true;
	}
	size_t tokens = 0;
	for (size_t i = 0; i < s->n; i++)
		if (units == TREE_NODES || !inner[i])
			BUG_IF(tokens >= s->tokens || s->node_of[tokens++] != (long)i);
	BUG_IF(tokens != s->tokens || tokens != t->n_tokens);
	if (s->note)
		fuzz_check_line(s->note);
}

/* A bracket around every node, its label first; labels are token texts of all nodes. */
static void check_written(const struct structured *t, struct arena *a)
{
	const struct structure *const s = &t->structure;
	const size_t *const depth = structure_depths(s, a);
	const bool labelled = strcmp(t->token_text[0], "()") != 0;
	if (!labelled || depth[s->n - 1] >= STRUCTURE_MAX_DEPTH)
		return;
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < s->n; i++) {
		BUG_IF(strpbrk(t->token_text[i], "() \t\r\n\v\f"));
		for (size_t d = i > 0 ? depth[i - 1] + 1 : 0; d > depth[i]; d--)
			strbuf_add_char(&b, ')');
		if (depth[i] >= STRUCTURE_MAX_DEPTH)
			return;
		strbuf_printf(&b, "(%s", t->token_text[i]);
	}
	for (size_t d = depth[s->n - 1] + 1; d > 0; d--)
		strbuf_add_char(&b, ')');
	struct structured again;
	struct err err = {""};
	size_t count;
	const struct tree_options all = {TREE_NODES, true, true};
	if (!structure_brackets("again", b.at, b.len, 1, &count, &all, a, &again, &err))
		BUG("%s", err.text);
	BUG_IF(count != 1 || again.structure.n != s->n);
	for (size_t i = 0; i < s->n; i++) {
		BUG_IF(again.structure.parent[i] != s->parent[i]);
		BUG_IF(again.structure.branch[i] != s->branch[i]);
		BUG_IF(strcmp(again.token_text[i], t->token_text[i]) != 0);
	}
}

static void try_options(const uint8_t *data, size_t size, const struct tree_options *options,
			struct arena *a)
{
	size_t count = 1;
	for (size_t which = 1; which <= TREES && which <= count; which++) {
		struct structured t;
		struct err err = {""};
		if (structure_brackets("fuzz", (const char *)data, size, which, &count, options, a,
				       &t, &err)) {
			check_tree(&t, options->units, a);
			if (options->units == TREE_NODES)
				check_written(&t, a);
		} else {
			fuzz_check_line(err.text);
		}
	}
}

FUZZ(brackets)
{
	struct arena a;
	arena_init(&a);
	for (unsigned o = 0; o < 8; o++)
		try_options(data, size,
			    &(struct tree_options){o & 1 ? TREE_LEAVES : TREE_NODES, o & 2, o & 4},
			    &a);
	arena_release(&a);
	return 0;
}
