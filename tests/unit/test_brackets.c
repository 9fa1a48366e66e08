/* test_brackets.c: trees from Penn's and plain brackets. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/asset.h"
#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/input/structure.h"

static const struct tree_options nodes = {.units = TREE_NODES}, leaves = {.units = TREE_LEAVES},
				 all = {TREE_NODES, true, true};

FIXTURE(open_arena, close_arena)

static struct structured read_n(const char *text, size_t len, size_t which,
				const struct tree_options *options, size_t *count)
{
	struct structured out;
	struct err err = {""};
	if (!structure_brackets("t", text, len, which, count, options, &arena, &out, &err))
		fail_msg("%s: %s", text, err.text);
	return out;
}

static struct structured read_text(const char *text, const struct tree_options *options)
{
	size_t count;
	return read_n(text, strlen(text), 1, options, &count);
}

static struct structured sample(const char *name, const struct tree_options *options)
{
	const struct asset *const file =
		asset_find(arena_printf(&arena, "samples/%s.brackets", name));
	assert_non_null(file);
	return read_text(file->begin, options);
}

/* The tree with brackets around every node: "S(NP(cat))"; independent of the order of nodes. */
static void print_node(const struct structure *s, size_t node, struct strbuf *b)
{
	strbuf_add(b, s->names[node]);
	bool open = false;
	for (size_t branch = 0, found = 1; found; branch++) {
		found = 0;
		for (size_t i = 0; i < s->n && !found; i++) {
			if (s->parent[i] != (long)node || s->branch[i] != branch)
				continue;
			found = 1;
			strbuf_add(b, open ? " " : "(");
			open = true;
			print_node(s, i, b);
		}
	}
	if (open)
		strbuf_add(b, ")");
}

static const char *print_tree(const struct structure *s)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	assert_int_equal(s->root, 0);
	print_node(s, 0, &b);
	return b.at;
}

static const char *tokens(const struct structured *t)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < t->n_tokens; i++)
		strbuf_printf(&b, i > 0 ? "|%s" : "%s", t->token_text[i]);
	return b.at;
}

/* Which children lead from the root to each node, in preorder: "/", "/0", "/01". */
static const char *paths(const struct structure *s)
{
	const char **path = arena_calloc(&arena, s->n, sizeof *path);
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < s->n; i++) {
		path[i] = s->parent[i] < 0
				  ? ""
				  : arena_printf(&arena, "%s%zu", path[s->parent[i]], s->branch[i]);
		strbuf_printf(&b, "/%s", path[i]);
	}
	return b.at;
}

/* ---- what is read ------------------------------------------------------------------------------ */

TEST(samples_are_the_trees_of_the_papers)
{
	struct structured t = sample("tree1", &leaves);
	assert_string_equal(print_tree(&t.structure),
			    "S(NP(DT(The) NN(cat)) VP(VBD(chased) NP(DT(the) NN(dog))) .(.))");
	assert_string_equal(tokens(&t), "The|cat|chased|the|dog|.");
	assert_int_equal(t.structure.kind, STRUCTURE_TREE);
	assert_null(t.structure.note);
	t = sample("bin1", &nodes);
	assert_int_equal(t.n_tokens, 15);
	assert_string_equal(paths(&t.structure),
			    "//0/00/000/001/01/010/011/1/10/100/101/11/110/111");
	/* Each node but the root is called by its path. */
	assert_string_equal(tokens(&t), "r|0|00|000|001|01|010|011|1|10|100|101|11|110|111");
	t = sample("lisp", &nodes);
	assert_string_equal(print_tree(&t.structure), "if(<(x y) +(x *(y y z) 1) max(x y -(z) 0))");
}

TEST(nodes_are_tokens_in_preorder)
{
	const struct structured t = read_text("(f (g x) y)", &nodes);
	const struct structure *const s = &t.structure;
	assert_string_equal(tokens(&t), "f|g|x|y");
	assert_int_equal(s->n, 4);
	assert_int_equal(s->tokens, 4);
	static const long parents[] = {-1, 0, 1, 0};
	static const size_t branch[] = {0, 0, 0, 1};
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(s->node_of[i], i);
		assert_int_equal(s->parent[i], parents[i]);
		assert_int_equal(s->branch[i], branch[i]);
	}
	assert_int_equal(s->n_edges, 3);
	for (size_t e = 0; e < 3; e++) {
		assert_int_equal(s->edges[e].from, parents[e + 1]);
		assert_int_equal(s->edges[e].to, e + 1);
		assert_string_equal(s->edge_labels[s->edges[e].label], "");
	}
	assert_true(s->directed);
}

TEST(leaves_are_tokens_and_nodes_stay)
{
	const struct structured t = read_text("(f (g x) y)", &leaves);
	assert_string_equal(tokens(&t), "x|y");
	assert_int_equal(t.structure.n, 4);
	assert_int_equal(t.structure.tokens, 2);
	assert_int_equal(t.structure.node_of[0], 2);
	assert_int_equal(t.structure.node_of[1], 3);
}

TEST(ways_of_writing_are_told_apart)
{
	static const struct {
		const char *text, *tree, *leaves;
	} cases[] = {
		{"(a)", "a", "a"},
		{"((a))", "a", "a"},
		{"(a b)", "a(b)", "b"},
		{"( (S (NP a)) )", "S(NP(a))", "a"},
		{"((S(NP a)(VP b)))", "S(NP(a) VP(b))", "a|b"},
		{"(NP New York)", "NP(New York)", "New|York"},
		{"(f (g) (h))", "f(g h)", "g|h"},
		{"((a b) c)", "()(()(a b) c)", "a|b|c"},
		{"((a b) (c d))", "()(()(a b) ()(c d))", "a|b|c|d"},
		{"((a (b c)) d)", "()(()(a ()(b c)) d)", "a|b|c|d"},
		{"(a ((b c) d))", "()(a ()(()(b c) d))", "a|b|c|d"},
		{"(((a b) c))", "()(()(()(a b) c))", "a|b|c"},
		{"(-LRB- -LRB-)", "-LRB-(-LRB-)", "-LRB-"},
		{"\xEF\xBB\xBF(a\r\n\tb\f\v c)\r\n\r\n", "a(b c)", "b|c"},
		{"# comment (\n*x*** header )\n(a b)\n# end", "a(b)", "b"},
		{"(a #)", "a(#)", "#"},
		{"(\xE7\x8C\xAB e\xCC\x81)", "\xE7\x8C\xAB(e\xCC\x81)", "e\xCC\x81"},
		{"(a \xE9\x1B)", "a(\\xE9\\x1B)", "\xE9\x1B"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct structured t = read_text(cases[i].text, &leaves);
		assert_string_equal(print_tree(&t.structure), cases[i].tree);
		assert_string_equal(tokens(&t), cases[i].leaves);
		const bool plain = strstr(cases[i].tree, "()") != NULL;
		assert_true(plain ==
			    (t.structure.note &&
			     strcmp(t.structure.note, "no labels: every word is a leaf") == 0));
	}
}

TEST(null_elements_and_functions_are_options)
{
	static const char text[] =
		"( (S (NP-SBJ-1 (-NONE- *)) (VP (TO to) (NP=2 (PRP$ our) (NN cat))"
		" (SBAR (-NONE- 0) (S (-NONE- *T*-1))) (ADVP|PRT-TMP (RB x)))) )";
	static const struct {
		bool empty, functions;
		const char *tree, *note;
	} cases[] = {
		{false, false, "S(VP(TO(to) NP(PRP$(our) NN(cat)) ADVP|PRT(RB(x))))",
		 "3 null elements left out; function tags of 2 labels left out"},
		{false, true, "S(VP(TO(to) NP=2(PRP$(our) NN(cat)) ADVP|PRT-TMP(RB(x))))",
		 "3 null elements left out"},
		{true, false,
		 "S(NP(-NONE-(*)) VP(TO(to) NP(PRP$(our) NN(cat)) SBAR(-NONE-(0) S(-NONE-(*T*-1))) "
		 "ADVP|PRT(RB(x))))",
		 "function tags of 3 labels left out"},
		{true, true,
		 "S(NP-SBJ-1(-NONE-(*)) VP(TO(to) NP=2(PRP$(our) NN(cat)) SBAR(-NONE-(0) "
		 "S(-NONE-(*T*-1))) ADVP|PRT-TMP(RB(x))))",
		 NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct structured t =
			read_text(text, &(struct tree_options){TREE_NODES, cases[i].empty,
							       cases[i].functions});
		assert_string_equal(print_tree(&t.structure), cases[i].tree);
		if (cases[i].note)
			assert_string_equal(t.structure.note, cases[i].note);
		else
			assert_null(t.structure.note);
	}
}

/* Only what looks like a category is cut: letters in capitals, then tags. Words never are. */
TEST(labels_that_are_no_categories_stay)
{
	static const char *const texts[] = {
		"(add-one (-LRB- -LRB-) NP-SBJ (x-1 y) (NP-sbj z) (A1-B c))",
		"(- (= a) (-A-1 b) (NP1 c) (NP-SBJ))"};
	static const char *const trees[] = {"add-one(-LRB-(-LRB-) NP-SBJ x-1(y) NP-sbj(z) A1-B(c))",
					    "-(=(a) -A-1(b) NP1(c) NP-SBJ)"};
	for (size_t i = 0; i < 2; i++) {
		const struct structured t = read_text(texts[i], &nodes);
		assert_string_equal(print_tree(&t.structure), trees[i]);
		assert_null(t.structure.note);
	}
}

TEST(each_tree_is_found)
{
	static const char text[] = "(a b)\n\n( (S (X c)) )(d\n e) ((f g) h)";
	static const char *const trees[] = {"a(b)", "S(X(c))", "d(e)", "()(()(f g) h)"};
	for (size_t i = 0; i < 4; i++) {
		size_t count = 0;
		const struct structured t = read_n(text, sizeof text - 1, i + 1, &all, &count);
		assert_int_equal(count, 4);
		assert_string_equal(print_tree(&t.structure), trees[i]);
	}
}

/* A random tree whose nodes are called by their index in preorder; each has at most three children. */
static void write_random(struct rng *rng, size_t depth, size_t *n, struct strbuf *text,
			 struct strbuf *want)
{
	const size_t children = depth == 0 ? 0 : rng_below(rng, 4);
	const bool bracket = children > 0 || rng_below(rng, 2) == 0 || *n == 0;
	strbuf_printf(text, bracket ? "(%zu" : " %zu", *n);
	strbuf_printf(want, "%zu", *n);
	++*n;
	for (size_t i = 0; i < children; i++) {
		strbuf_add(text, rng_below(rng, 2) ? " " : "\n");
		strbuf_add(want, i == 0 ? "(" : " ");
		write_random(rng, depth - 1, n, text, want);
	}
	strbuf_add(text, bracket ? ")" : "");
	strbuf_add(want, children > 0 ? ")" : "");
}

TEST(random_trees_are_read_back)
{
	struct rng rng;
	rng_init(&rng, 6);
	for (size_t round = 0; round < 200; round++) {
		struct strbuf text, want;
		strbuf_init(&text, &arena);
		strbuf_init(&want, &arena);
		size_t n = 0;
		write_random(&rng, 5, &n, &text, &want);
		const struct structured t = read_text(text.at, &nodes);
		assert_int_equal(t.structure.n, n);
		assert_string_equal(print_tree(&t.structure), want.at);
		for (size_t i = 0; i < n; i++)
			assert_string_equal(t.structure.names[i], arena_printf(&arena, "%zu", i));
	}
}

/* Without labels: two brackets at the top, so that it cannot be a pair around a tree. */
static void write_plain(struct rng *rng, size_t depth, size_t *n, struct strbuf *text,
			struct strbuf *want)
{
	const size_t children = depth == 0 ? 0 : *n == 0 ? 2 : rng_below(rng, 4);
	if (children == 0) {
		strbuf_printf(text, " w%zu", *n);
		strbuf_printf(want, "w%zu", *n);
		++*n;
		return;
	}
	strbuf_add(text, "(");
	strbuf_add(want, "()(");
	for (size_t i = 0; i < children; i++) {
		if (i > 0)
			strbuf_add(want, " ");
		write_plain(rng, depth - 1, n, text, want);
	}
	strbuf_add(text, ")");
	strbuf_add(want, ")");
}

TEST(random_trees_without_labels_are_read_back)
{
	struct rng rng;
	rng_init(&rng, 7);
	for (size_t round = 0; round < 200; round++) {
		struct strbuf text, want;
		strbuf_init(&text, &arena);
		strbuf_init(&want, &arena);
		size_t n = 0;
		write_plain(&rng, 5, &n, &text, &want);
		const struct structured t = read_text(text.at, &leaves);
		assert_int_equal(t.n_tokens, n);
		assert_string_equal(print_tree(&t.structure), want.at);
		for (size_t i = 0; i < n; i++)
			assert_string_equal(t.token_text[i], arena_printf(&arena, "w%zu", i));
	}
}

/* ---- what is not ------------------------------------------------------------------------------- */

static void expect_error(const char *text, size_t len, size_t which, const char *place,
			 const char *says)
{
	size_t count = 99;
	struct structured out;
	struct err err = {""};
	if (structure_brackets("t", text, len, which, &count, &nodes, &arena, &out, &err))
		fail_msg("was read; expected %s%s", place, says);
	if (strncmp(err.text, place, strlen(place)) != 0 || !strstr(err.text, says))
		fail_msg("expected %s...%s, but: %s", place, says, err.text);
}

TEST(bad_trees_are_errors_with_their_place)
{
	static const struct {
		const char *text;
		size_t len; /* 0: up to the NUL */
		size_t which;
		const char *place, *says;
	} cases[] = {
		{"", 0, 1, "t: ", "no tree; one is written (S"},
		{" \r\n# only a comment", 0, 1, "t: ", "no tree"},
		{"(a b)(c)", 0, 3, "t: ", "there is no tree 3; the text has 2, counted from 1"},
		{"(a b)", 0, 0, "t: ", "there is no tree 0"},
		{"(S (NP a)\n  (VP b", 0, 1,
		 "t:2:3: ", "not closed; 2 more ) are missing at the end"},
		{"(S (NP a)\n", 0, 1, "t:1:1: ", "not closed; 1 more ) is missing"},
		{"(a b))", 0, 1, "t:1:6: ", "a bracket is closed that was not opened"},
		{"(a b)\r\n)(", 0, 1, "t:2:1: ", "a bracket is closed"},
		{"()", 0, 1, "t:1:2: ", "an empty bracket"},
		{"(a\n ( ))", 0, 1, "t:2:4: ", "an empty bracket"},
		{"(a ())", 0, 1, "t:1:5: ", "an empty bracket"},
		{"((()))", 0, 1, "t:1:4: ", "an empty bracket"},
		{"cat", 0, 1, "t:1:1: ", "\"cat\" stands outside of every bracket"},
		{"(a b) c", 0, 1, "t:1:7: ", "\"c\" stands outside of every bracket"},
		{"(\xC3\xA9 b) \xE9(", 0, 1, "t:1:7: ", "\"\\xE9\" stands outside"},
		{"(a b) # c", 0, 1, "t:1:7: ", "\"#\" stands outside"},
		{"(a\nb\0c)", 7, 1, "t:2:2: ", "a NUL byte"},
		{"\xFF\xFE(\0", 4, 1, "t:1: ", "this is UTF-16"},
		{"( (S (-NONE- *) (NP (-NONE- 0))) )", 0, 1,
		 "t:1:1: ", "nothing is left of the tree without its null elements"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_error(cases[i].text, cases[i].len ? cases[i].len : strlen(cases[i].text),
			     cases[i].which, cases[i].place, cases[i].says);
}

static const char *nested(size_t levels)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < levels; i++)
		strbuf_add(&b, "(a ");
	for (size_t i = 0; i < levels; i++)
		strbuf_add(&b, ")");
	return b.at;
}

TEST(depth_has_a_limit)
{
	const struct structured t = read_text(nested(STRUCTURE_MAX_DEPTH), &nodes);
	assert_int_equal(t.structure.n, STRUCTURE_MAX_DEPTH);
	assert_int_equal(structure_depths(&t.structure, &arena)[STRUCTURE_MAX_DEPTH - 1],
			 STRUCTURE_MAX_DEPTH - 1);
	static const size_t levels[] = {STRUCTURE_MAX_DEPTH + 1, 10000};
	for (size_t i = 0; i < 2; i++) {
		const char *const text = nested(levels[i]);
		expect_error(text, strlen(text), 1,
			     "t:1:1537: ", "brackets in more than 512 levels");
	}
	/* Another tree of the file is not kept from being read; 10,000 open ones are told. */
	size_t count = 0;
	const char *const two = arena_printf(&arena, "%s (b c)", nested(10000));
	const struct structured other = read_n(two, strlen(two), 2, &nodes, &count);
	assert_string_equal(print_tree(&other.structure), "b(c)");
	assert_int_equal(count, 2);
	expect_error(two, 30000, 1, "t:1:1534: ", "not closed; 10000 more ) are missing");
}

TEST(tree_may_have_4096_nodes_and_no_more)
{
	static const struct {
		size_t words;
		const char *says;
	} cases[] = {{STRUCTURE_MAX_NODES - 1, NULL},
		     {STRUCTURE_MAX_NODES, "a tree of 4097 nodes; at most 4096"},
		     {100000, "a tree of 100002 brackets and words; at most 4096 nodes"}};
	for (size_t i = 0; i < 3; i++) {
		struct strbuf b;
		strbuf_init(&b, &arena);
		strbuf_add(&b, "(r");
		for (size_t w = 0; w < cases[i].words; w++)
			strbuf_add(&b, " w");
		strbuf_add(&b, ")");
		if (cases[i].says)
			expect_error(b.at, b.len, 1, "t:1:1: ", cases[i].says);
		else
			assert_int_equal(read_text(b.at, &leaves).n_tokens, cases[i].words);
	}
}
