/* brackets.c: trees written as brackets: Penn's (S (NP (DT The) (NN cat))), (f (g x) y), ((a b) c).
 *
 * The first word of a bracket is its label and every other word a leaf; but if any bracket
 * begins with a bracket, the tree has no labels, and every word is a leaf. Only the pair that
 * Penn's files put around each tree, ( (S ...) ), may lack a label; it is dropped. Words that
 * represent brackets in a text (-LRB-) are shown unchanged. Nodes are kept in preorder, so a
 * parent always has a smaller index than its children, and nothing needs recursion. */
#include <string.h>

#include "posviz/input/letters.h"
#include "pieces.h"
#include "posviz/base/text.h"
#include "structure_in.h"

enum { QUOTED = 96, MAX_WRITTEN = 16 * STRUCTURE_MAX_NODES };

static const char no_label[] = "()"; /* the name of a node without a label */

/* A bracket or a word. */
struct node {
	const char *at; /* NULL for a bracket without a label */
	size_t len;
	long parent;
	bool word;
	bool null; /* everything in it is a null element */
	bool gone; /* used as a label, or removed */
	size_t children;
};

struct tree {
	struct node *nodes;
	size_t n;
	bool labelled;
	size_t empty, functions; /* how many were removed */
};

static bool is_delimiter(char c)
{
	return c == '(' || c == ')' || letter_is_blank(c);
}

static const char *word_end(const char *at, const char *end)
{
	while (at < end && !is_delimiter(*at))
		at++;
	return at;
}

/* ---- which tree ----------------------------------------------------------------------------- */

/* Returns whether the line may occur between trees: a comment, or one of the "*x*" lines at the
 * top of old files. */
static bool skips_line(const struct source *s, const char *at)
{
	const bool first = at == s->at || at[-1] == '\n';
	return first && (*at == '#' || (s->end - at >= 3 && memcmp(at, "*x*", 3) == 0));
}

static const char *line_end(const char *at, const char *end)
{
	const char *const lf = memchr(at, '\n', (size_t)(end - at));
	return lf ? lf : end;
}

/* Moves *at from a bracket to the end of its tree; false if it does not close before the limit. */
static bool pass_tree(const struct source *s, const char **at, const char *limit, struct err *err)
{
	const char *open[STRUCTURE_MAX_DEPTH]; /* only the outermost ones are kept */
	size_t depth = 0;
	for (; *at < limit; ++*at) {
		if (**at == '(') {
			if (depth < STRUCTURE_MAX_DEPTH)
				open[depth] = *at;
			depth++;
		} else if (**at == ')' && --depth == 0) {
			++*at;
			return true;
		}
	}
	const size_t kept = depth < STRUCTURE_MAX_DEPTH ? depth : STRUCTURE_MAX_DEPTH;
	return source_blame_at(s, open[kept - 1], err,
			       "this bracket is not closed; %zu more ) %s missing at the end",
			       depth, depth == 1 ? "is" : "are");
}

/* Moves *at to the next tree: text outside of all brackets is an error. */
static bool pass_between(const struct source *s, const char **at, struct err *err)
{
	bool ok = true;
	for (; *at < s->end && **at != '('; ++*at) {
		if (letter_is_blank(**at))
			continue;
		if (skips_line(s, *at)) {
			*at = line_end(*at, s->end) - 1;
			continue;
		}
		char quoted[QUOTED];
		const char *const stop = word_end(*at, s->end);
		text_quote_buf(quoted, sizeof quoted, *at, (size_t)(stop - *at));
		if (ok && **at == ')')
			source_blame_at(s, *at, err, "a bracket is closed that was not opened");
		else if (ok)
			source_blame_at(s, *at, err,
					"%s stands outside of every bracket; a tree is one "
					"bracket with all of it inside",
					quoted);
		ok = false;
	}
	return ok;
}

/* Counts the trees; [*begin, *stop) gets the wanted one, from its bracket to the closing one.
 * False if that tree is broken; text between trees makes the tree before it broken. */
static bool find_tree(const struct source *s, size_t which, size_t *count, const char **begin,
		      const char **stop, struct err *err)
{
	struct pieces pieces = {.source = s, .opens = piece_opens_bracket, .blocks = true};
	const char *at = s->at;
	bool ok = true;
	*count = 0;
	if (!pass_between(s, &at, err))
		return false;
	while (at < s->end) {
		const char *const from = at;
		const bool wanted = ++*count == which;
		bool whole = pass_tree(s, &at, piece_limit(&pieces, from), wanted ? err : NULL);
		if (wanted) {
			*begin = from;
			*stop = at;
		}
		if (!whole)
			at = piece_resume(&pieces, from);
		whole &= pass_between(s, &at, wanted && whole ? err : NULL);
		ok &= whole || !wanted;
	}
	return ok;
}

/* ---- brackets and words --------------------------------------------------------------------- */

/* Returns an upper bound for the number of nodes: the brackets and words. */
static size_t count_nodes(const char *at, const char *end)
{
	size_t n = 0;
	while (at < end) {
		const bool word = !is_delimiter(*at);
		n += word || *at == '(';
		at = word ? word_end(at, end) : at + 1;
	}
	return n;
}

static size_t add_node(struct tree *t, const struct node *node)
{
	if (node->parent >= 0)
		t->nodes[node->parent].children++;
	t->nodes[t->n] = *node;
	return t->n++;
}

static bool parse(const struct source *s, const char *at, const char *end, struct tree *t,
		  struct err *err)
{
	size_t stack[STRUCTURE_MAX_DEPTH];
	size_t depth = 0;
	while (at < end) {
		const long parent = depth > 0 ? (long)stack[depth - 1] : -1;
		if (*at == '(') {
			if (depth == STRUCTURE_MAX_DEPTH)
				return source_blame_at(s, at, err,
						       "brackets in more than %d levels, which is "
						       "the most",
						       STRUCTURE_MAX_DEPTH);
			stack[depth++] = add_node(t, &(struct node){.parent = parent});
		} else if (*at == ')') {
			if (t->nodes[parent].children == 0)
				return source_blame_at(s, at, err,
						       "an empty bracket; it needs a label, a word "
						       "or a bracket in it");
			depth--;
		} else if (!letter_is_blank(*at)) {
			const char *const stop = word_end(at, end);
			add_node(t, &(struct node){.at = at,
						   .len = (size_t)(stop - at),
						   .parent = parent,
						   .word = true});
			at = stop;
			continue;
		}
		at++;
	}
	return true;
}

/* ---- labels, empty elements, functions ----------------------------------------------------- */

static void remove_node(struct tree *t, size_t node)
{
	t->nodes[node].gone = true;
	if (t->nodes[node].parent >= 0)
		t->nodes[t->nodes[node].parent].children--;
}

/* Makes labels of first words, if each bracket but the outer pair begins with a word. In
 * preorder the node after a bracket is its first child. */
static void make_labels(struct tree *t)
{
	const bool pair = t->n > 1 && !t->nodes[1].word && t->nodes[0].children == 1;
	t->labelled = true;
	for (size_t i = pair ? 1 : 0; i < t->n; i++)
		t->labelled = t->labelled && (t->nodes[i].word || t->nodes[i + 1].word);
	if (!t->labelled)
		return;
	for (size_t i = pair ? 1 : 0; i < t->n; i++) {
		if (t->nodes[i].word)
			continue;
		t->nodes[i].at = t->nodes[i + 1].at;
		t->nodes[i].len = t->nodes[i + 1].len;
		remove_node(t, ++i);
	}
	if (pair) {
		t->nodes[0].gone = true;
		t->nodes[1].parent = -1;
	}
}

static bool is_label(const struct node *node, const char *label)
{
	return !node->word && node->len == strlen(label) && memcmp(node->at, label, node->len) == 0;
}

/* Removes null elements, and brackets in which nothing is left; backwards, so that children come
 * before parents. */
static void drop_null_elements(struct tree *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct node *const node = &t->nodes[i];
		node->null = node->parent >= 0 && t->nodes[node->parent].null;
		if (node->null || node->gone || !is_label(node, "-NONE-"))
			continue;
		node->null = true;
		t->empty++;
	}
	for (size_t i = t->n; i-- > 0;) {
		struct node *const node = &t->nodes[i];
		if (!node->null || node->gone)
			continue;
		remove_node(t, i);
		if (node->parent >= 0 && t->nodes[node->parent].children == 0)
			t->nodes[node->parent].null = true;
	}
}

static bool is_capital(char c)
{
	return (c >= 'A' && c <= 'Z') || c == '$' || c == '|';
}

/* Returns the length of the category in labels such as NP-SBJ-1 or NP=2. Labels of another form,
 * such as -LRB- or add-one, are kept whole. */
static size_t category_length(const struct node *node)
{
	size_t category = 0;
	while (category < node->len && is_capital(node->at[category]))
		category++;
	if (category == 0)
		return node->len;
	for (size_t i = category; i < node->len; i++) {
		const char c = node->at[i];
		const bool mark = c == '-' || c == '=';
		if (!mark && (i == category || !(is_capital(c) || (c >= '0' && c <= '9'))))
			return node->len;
	}
	return category;
}

static void cut_functions(struct tree *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct node *const node = &t->nodes[i];
		if (node->gone || node->word || node->children == 0)
			continue;
		const size_t category = category_length(node);
		t->functions += category < node->len;
		node->len = category;
	}
}

/* ---- the structure -------------------------------------------------------------------------- */

static size_t count_kept(const struct tree *t)
{
	size_t n = 0;
	for (size_t i = 0; i < t->n; i++)
		n += !t->nodes[i].gone;
	return n;
}

static const char *make_note(const struct tree *t, struct arena *a, struct arena *scratch)
{
	struct strbuf note;
	strbuf_init(&note, a);
	if (!t->labelled)
		note_add(&note, "no labels: every word is a leaf");
	if (t->empty > 0)
		note_add(&note, "%s left out", count_text(scratch, t->empty, "null element"));
	if (t->functions > 0)
		note_add(&note, "function tags of %s left out",
			 count_text(scratch, t->functions, "label"));
	return note.len > 0 ? note.at : NULL;
}

/* Copies the remaining nodes in their order, so that parents stay before children. */
static void make_structure(const struct tree *t, size_t n, enum tree_units units, struct arena *a,
			   struct arena *scratch, struct structured *out)
{
	struct structure *const s = &out->structure;
	*s = (struct structure){.kind = STRUCTURE_TREE,
				.n = n,
				.names = arena_calloc(a, n, sizeof *s->names),
				.parent = arena_calloc(a, n, sizeof *s->parent),
				.node_of = arena_calloc(a, n, sizeof *s->node_of)};
	out->token_text = arena_calloc(a, n, sizeof *out->token_text);
	size_t *const index = arena_calloc(scratch, t->n, sizeof *index);
	size_t made = 0;
	for (size_t i = 0; i < t->n; i++) {
		const struct node *const node = &t->nodes[i];
		if (node->gone)
			continue;
		const char *const text =
			node->at ? arena_strndup(a, node->at, node->len) : no_label;
		s->names[made] = text_escape(a, text, strlen(text));
		s->parent[made] = node->parent < 0 ? -1 : (long)index[node->parent];
		if (units == TREE_NODES || node->children == 0) {
			out->token_text[s->tokens] = text;
			s->node_of[s->tokens++] = (long)made;
		}
		index[i] = made++;
	}
	structure_from_parents(s, NULL, a);
	s->note = make_note(t, a, scratch);
	out->n_tokens = s->tokens;
}

static bool read_tree(const struct source *s, const char *begin, const char *stop,
		      const struct tree_options *options, struct arena *a, struct arena *scratch,
		      struct structured *out, struct err *err)
{
	const size_t room = count_nodes(begin, stop);
	if (room > MAX_WRITTEN)
		return source_blame_at(s, begin, err,
				       "a tree of %zu brackets and words; at most %d nodes can be "
				       "shown",
				       room, STRUCTURE_MAX_NODES);
	struct tree t = {.nodes = arena_calloc(scratch, room, sizeof *t.nodes)};
	if (!parse(s, begin, stop, &t, err))
		return false;
	make_labels(&t);
	if (t.labelled && !options->keep_empty)
		drop_null_elements(&t);
	if (t.labelled && !options->keep_functions)
		cut_functions(&t);
	const size_t n = count_kept(&t);
	if (n == 0)
		return source_blame_at(
			s, begin, err,
			"nothing is left of the tree without its null elements; keep "
			"them");
	if (n > STRUCTURE_MAX_NODES)
		return source_blame_at(s, begin, err,
				       "a tree of %zu nodes; at most %d can be shown", n,
				       STRUCTURE_MAX_NODES);
	make_structure(&t, n, options->units, a, scratch, out);
	return true;
}

bool structure_brackets(const char *name, const char *text, size_t len, size_t which, size_t *count,
			const struct tree_options *options, struct arena *a, struct structured *out,
			struct err *err)
{
	struct source source;
	const char *begin = NULL, *stop = NULL;
	*count = 0;
	*out = (struct structured){0};
	if (!source_open(&source, name, text, len, "a tree in brackets", err) ||
	    !find_tree(&source, which, count, &begin, &stop, err))
		return false;
	if (*count == 0)
		return source_blame(&source, 0, err,
				    "no tree; one is written (S (NP (DT The) ...))");
	if (which < 1 || which > *count)
		return source_blame(&source, 0, err,
				    "there is no tree %zu; the text has %zu, counted from 1", which,
				    *count);
	struct arena scratch;
	arena_init(&scratch);
	const bool ok = read_tree(&source, begin, stop, options, a, &scratch, out, err) &&
			source_names_fit(&source, out, err);
	arena_release(&scratch);
	return ok;
}
