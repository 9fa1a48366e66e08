/* fuzz_conllu.c: any bytes as a CoNLL-U file and as typed governors: a sound tree, which is the same
 * when it is written and read again, or one line for people. */
#include <stdint.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_line.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/input/structure.h"

enum { SENTENCES = 4 };

static void check_tree(const struct structure *s, struct arena *a)
{
	BUG_IF(s->kind != STRUCTURE_DEPENDENCY && s->kind != STRUCTURE_CHAIN);
	BUG_IF(s->n == 0 || s->n > STRUCTURE_MAX_NODES);
	BUG_IF(s->tokens != s->n || !s->directed);
	size_t roots = 0;
	const size_t *const depth = structure_depths(s, a);
	for (size_t i = 0; i < s->n; i++) {
		BUG_IF(s->parent[i] < -1 || s->parent[i] >= (long)s->n);
		BUG_IF(depth[i] != (s->parent[i] < 0 ? 0 : depth[s->parent[i]] + 1));
		BUG_IF(s->node_of[i] != (long)i);
		roots += s->parent[i] < 0;
		fuzz_check_line(s->names[i]);
	}
	BUG_IF(roots == 0 || (roots == 1) != (s->root >= 0) || s->n_edges != s->n - roots);
	for (size_t e = 0; e < s->n_edges; e++) {
		BUG_IF(s->parent[s->edges[e].to] != (long)s->edges[e].from);
		BUG_IF((size_t)s->edges[e].label >= s->n_labels);
	}
	if (s->note)
		fuzz_check_line(s->note);
}

/* Words and governors survive being written. */
static void check_written(const struct structured *t, struct arena *a)
{
	struct strbuf b;
	strbuf_init(&b, a);
	for (size_t i = 0; i < t->n_tokens; i++)
		strbuf_printf(&b, "%zu\t%s\t_\t_\t_\t_\t%ld\tx\t_\t_\r\n", i + 1, t->token_text[i],
			      t->structure.parent[i] + 1);
	struct structured again;
	struct err err = {""};
	size_t count;
	if (!structure_conllu("again", b.at, b.len, 1, &count, a, &again, &err))
		BUG("%s", err.text);
	BUG_IF(count != 1 || again.n_tokens != t->n_tokens);
	for (size_t i = 0; i < t->n_tokens; i++) {
		BUG_IF(again.structure.parent[i] != t->structure.parent[i]);
		BUG_IF(strcmp(again.token_text[i], t->token_text[i]) != 0);
	}
}

static void check_governors(const char *text, size_t n, struct arena *a)
{
	struct structure s;
	struct err err = {""};
	if (structure_governors(text, n, a, &s, &err))
		check_tree(&s, a);
	else
		fuzz_check_line(err.text);
}

FUZZ(conllu)
{
	struct arena a;
	arena_init(&a);
	size_t count = 1;
	for (size_t which = 1; which <= SENTENCES && which <= count; which++) {
		struct structured t;
		struct err err = {""};
		if (structure_conllu("fuzz", (const char *)data, size, which, &count, &a, &t,
				     &err)) {
			BUG_IF(which > count || t.n_tokens != t.structure.n);
			check_tree(&t.structure, &a);
			check_written(&t, &a);
		} else {
			fuzz_check_line(err.text);
		}
	}
	const char *const text = arena_strndup(&a, (const char *)data, size);
	size_t words = 0;
	for (const char *at = text; *at != '\0'; words++) {
		at += strspn(at, " ,\n");
		at += strcspn(at, " ,\n");
	}
	check_governors(text, words, &a);
	check_governors(text, 6, &a);
	arena_release(&a);
	return 0;
}
