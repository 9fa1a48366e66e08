/* test_conllu.c: dependency trees from CoNLL-U files and from typed governors. */
#include <string.h>

#include "test.h"
#include "help_arena.h"
#include "posviz/base/asset.h"
#include "posviz/base/rng.h"
#include "posviz/base/strbuf.h"
#include "posviz/input/structure.h"

FIXTURE(open_arena, close_arena)

static struct structured read_n(const char *text, size_t len, size_t which, size_t *count)
{
	struct structured out;
	struct err err = {""};
	if (!structure_conllu("t", text, len, which, count, &arena, &out, &err))
		fail_msg("%s", err.text);
	return out;
}

static struct structured read_text(const char *text)
{
	size_t count;
	return read_n(text, strlen(text), 1, &count);
}

static struct structured sample(const char *name, size_t which, size_t *count)
{
	const struct asset *const file =
		asset_find(arena_printf(&arena, "samples/%s.conllu", name));
	assert_non_null(file);
	return read_n(file->begin, (size_t)(file->end - file->begin), which, count);
}

/* Numbers with blanks between them. */
static const char *depths(const struct structure *s)
{
	const size_t *const depth = structure_depths(s, &arena);
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < s->n; i++)
		strbuf_printf(&b, i > 0 ? " %zu" : "%zu", depth[i]);
	return b.at;
}

static const char *heads(const struct structure *s)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < s->n; i++)
		strbuf_printf(&b, i > 0 ? " %ld" : "%ld", s->parent[i] + 1);
	return b.at;
}

static const char *branches(const struct structure *s)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < s->n; i++)
		strbuf_printf(&b, i > 0 ? " %zu" : "%zu", s->branch[i]);
	return b.at;
}

static const char *names(const struct structure *s)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < s->n; i++)
		strbuf_printf(&b, i > 0 ? "|%s" : "%s", s->names[i]);
	return b.at;
}

/* "2>1 det" and so on, words from 1. */
static const char *edges(const struct structure *s)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	for (size_t i = 0; i < s->n_edges; i++)
		strbuf_printf(&b, "%s%zu>%zu %s", i > 0 ? ", " : "", s->edges[i].from + 1,
			      s->edges[i].to + 1, s->edge_labels[s->edges[i].label]);
	return b.at;
}

/* Ten columns of "id form head relation", rows parted by "|". */
static const char *columns(const char *rows)
{
	struct strbuf b;
	strbuf_init(&b, &arena);
	while (*rows != '\0') {
		const size_t len = strcspn(rows, "|");
		const char *row = arena_strndup(&arena, rows, len);
		const char *field[4] = {"", "", "_", "_"};
		for (size_t i = 0; i < 4 && *row != '\0'; i++) {
			const size_t n = strcspn(row, " ");
			field[i] = arena_strndup(&arena, row, n);
			row += n + (row[n] == ' ');
		}
		strbuf_printf(&b, "%s\t%s\t_\t_\t_\t_\t%s\t%s\t_\t_\n", field[0], field[1],
			      field[2], field[3]);
		rows += len + (rows[len] == '|');
	}
	return b.at;
}

/* ---- what is read ------------------------------------------------------------------------------ */

TEST(samples_have_the_trees_of_the_papers)
{
	static const struct {
		const char *name, *heads, *depths;
	} cases[] = {
		{"dep1", "2 3 0 5 3 3", "2 1 0 2 1 1"},
		{"dep2", "3 3 4 0 6 4 8 6 4", "2 2 1 0 2 1 3 2 1"},
		{"multiword", "4 4 4 0 4 4", "1 1 1 0 1 1"},
		{"nonprojective", "2 3 0 3 8 8 8 2 3", "2 1 0 1 3 3 3 2 1"},
		{"empty_node", "2 0 2 5 2 5 2", "1 0 1 2 1 2 1"},
		{"wide", "5 1 5 3 0 5", "1 2 1 2 0 1"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t count;
		const struct structured t = sample(cases[i].name, 1, &count);
		assert_string_equal(heads(&t.structure), cases[i].heads);
		assert_string_equal(depths(&t.structure), cases[i].depths);
	}
}

TEST(tree_is_complete)
{
	size_t count;
	const struct structured t = sample("dep1", 1, &count);
	const struct structure *const s = &t.structure;
	assert_int_equal(count, 1);
	assert_int_equal(s->kind, STRUCTURE_DEPENDENCY);
	assert_int_equal(s->root, 2);
	assert_true(s->directed);
	assert_null(s->note);
	assert_string_equal(names(s), "The|cat|chased|the|dog|.");
	assert_string_equal(edges(s), "2>1 det, 3>2 nsubj, 5>4 det, 3>5 obj, 3>6 punct");
	assert_int_equal(s->n_labels, 4);
	assert_string_equal(branches(s), "0 0 0 0 1 2");
	assert_int_equal(s->tokens, 6);
	assert_int_equal(t.n_tokens, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(s->node_of[i], i);
		assert_string_equal(t.token_text[i], s->names[i]);
	}
}

TEST(notes_say_what_is_no_word)
{
	static const struct {
		const char *rows, *names, *note;
	} cases[] = {
		{"1 We 4|2-3 don't|2 do 4|3 n't 4|4 count 0", "We|do|n't|count",
		 "1 multiword token (2-3 \"don't\")"},
		{"1-2 ab|1 a 0|2 b 1|3-4 cd|3 c 1|4 d 1", "a|b|c|d",
		 "2 multiword tokens (1-2 \"ab\" ...)"},
		{"0.1 x|1 a 0|1.1 y|1.2 z|2 b 1|2.1 z", "a|b", "4 empty nodes left out"},
		{"1 a 0|2 b 0|3 c 2", "a|b|c", "2 roots, each at depth 0"},
		{"1 a 0|1.1 e|2-2 b|2 b 0", "a|b",
		 "2 roots, each at depth 0; 1 multiword token (2-2 \"b\"); 1 empty node left out"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct structured t = read_text(columns(cases[i].rows));
		assert_string_equal(names(&t.structure), cases[i].names);
		assert_non_null(t.structure.note);
		assert_string_equal(t.structure.note, cases[i].note);
	}
}

TEST(several_roots_are_each_at_depth_0)
{
	const struct structured t = read_text(columns("1 a 2|2 b 0|3 c 0|4 d 3|5 e 4"));
	assert_string_equal(depths(&t.structure), "1 0 0 1 2");
	assert_int_equal(t.structure.root, -1);
	assert_int_equal(t.structure.n_edges, 3);
}

/* The same sentence, however its lines end and whatever stands around it. */
TEST(line_ends_and_surroundings_do_not_matter)
{
	static const char a[] = "1\ta\t_\t_\t_\t_\t2\tx\t_\t_",
			  b[] = "2\tb\t_\t_\t_\t_\t0\troot\t_\t_";
	static const struct {
		const char *format;
		size_t count;
	} cases[] = {
		{"%s\n%s\n\n", 1},
		{"%s\n%s\n", 1},
		{"%s\n%s", 1},
		{"%s\r\n%s\r\n\r\n", 1},
		{"%s\r\n%s\r", 1},
		{"\xEF\xBB\xBF%s\n%s\n\n", 1},
		{"\xEF\xBB\xBF# text = x\n%s\n%s\n\n", 1},
		{"\n\n  \n# a\n# b\n\n# c\n%s\n%s\n\n\n# the end\n", 1},
		{"%s\n%s\n\n1\tz\t_\t_\t_\t_\t0\t_\t_\t_", 2},
		{"%s\n%s\n   \nthis is not looked at\n", 2},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf text;
		strbuf_init(&text, &arena);
		strbuf_printf(&text, cases[i].format, a, b);
		size_t count;
		const struct structured t = read_n(text.at, text.len, 1, &count);
		assert_int_equal(count, cases[i].count);
		assert_string_equal(names(&t.structure), "a|b");
		assert_string_equal(edges(&t.structure), "2>1 x");
	}
}

/* Latin-1, a blank inside, "#", "_" and a terminal's escape: kept in the token, harmless in the name. */
TEST(forms_are_kept_byte_by_byte)
{
	const struct structured t = read_text(columns("1 caf\xE9 0|2 # 1|3 _ 1|4 \x1B[2J 1 a\x1B"));
	assert_string_equal(t.token_text[0], "caf\xE9");
	assert_string_equal(t.token_text[3], "\x1B[2J");
	assert_string_equal(names(&t.structure), "caf\\xE9|#|_|\\x1B[2J");
	assert_string_equal(edges(&t.structure), "1>2 , 1>3 , 1>4 a\\x1B");
	const struct structured blank = read_text("1\tNew York\t_\t_\t_\t_\t0\troot\t_\t_\n");
	assert_string_equal(blank.token_text[0], "New York");
}

TEST(each_sentence_is_found)
{
	static const char *const wanted[] = {
		"The|cat|chased|the|dog|.",
		"Sheep|sleep|.",
		"The|small|cat|chased|the|dog|that|slept|.",
		"We|do|n't|count|sheep|.",
		"Who|do|you|think|the|dog|chased|?",
	};
	for (size_t i = 0; i < 5; i++) {
		size_t count = 0;
		const struct structured t = sample("treebank", i + 1, &count);
		assert_int_equal(count, 5);
		assert_string_equal(names(&t.structure), wanted[i]);
	}
}

enum { SENTENCES = 10000 };

TEST(any_of_ten_thousand_sentences_is_found)
{
	struct strbuf text;
	strbuf_init(&text, &arena);
	for (size_t i = 1; i <= SENTENCES; i++) {
		strbuf_printf(&text, "# sent_id = %zu\n", i);
		for (size_t w = 1; w <= 1 + i % 30; w++)
			strbuf_printf(&text, "%zu\tw%zu.%zu\t_\t_\t_\t_\t%zu\tx\t_\t_\n", w, i, w,
				      w - 1);
		strbuf_add(&text, "\n");
	}
	static const size_t which[] = {1, 2, 30, 5000, 9999, 10000};
	for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
		size_t count = 0;
		const struct structured t = read_n(text.at, text.len, which[i], &count);
		assert_int_equal(count, SENTENCES);
		assert_int_equal(t.n_tokens, 1 + which[i] % 30);
		assert_string_equal(t.token_text[0], arena_printf(&arena, "w%zu.1", which[i]));
	}
}

/* A random forest: each word hangs on one that was drawn before it, or is a root. */
static void random_forest(struct rng *rng, size_t n, long *parent)
{
	size_t *order = arena_calloc(&arena, n, sizeof *order);
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	rng_shuffle(rng, order, n);
	parent[order[0]] = -1;
	for (size_t i = 1; i < n; i++)
		parent[order[i]] = rng_below(rng, 8) == 0 ? -1 : (long)order[rng_below(rng, i)];
}

TEST(random_trees_are_read_back)
{
	struct rng rng;
	rng_init(&rng, 5);
	for (size_t round = 0; round < 200; round++) {
		const size_t n = 1 + rng_below(&rng, 40);
		long *parent = arena_calloc(&arena, n, sizeof *parent);
		random_forest(&rng, n, parent);
		struct strbuf rows, typed;
		strbuf_init(&rows, &arena);
		strbuf_init(&typed, &arena);
		for (size_t i = 0; i < n; i++) {
			strbuf_printf(&rows, "%zu w%zu %ld r%zu|", i + 1, i, parent[i] + 1, i % 5);
			strbuf_printf(&typed, round % 2 ? "%s%ld" : "%s %ld",
				      i > 0 && round % 3 ? "," : " ", parent[i] + 1);
		}
		struct structure s[2];
		struct err err = {""};
		s[0] = read_text(columns(rows.at)).structure;
		if (!structure_governors(typed.at, n, &arena, &s[1], &err))
			fail_msg("%s: %s", typed.at, err.text);
		for (size_t k = 0; k < 2; k++) {
			const size_t *const depth = structure_depths(&s[k], &arena);
			for (size_t i = 0; i < n; i++) {
				assert_int_equal(s[k].parent[i], parent[i]);
				assert_true(depth[i] == (parent[i] < 0 ? 0 : depth[parent[i]] + 1));
			}
			for (size_t e = 0; e < s[k].n_edges; e++)
				assert_int_equal(parent[s[k].edges[e].to], s[k].edges[e].from);
		}
	}
}

TEST(columns_are_those_that_the_file_names)
{
	static const struct {
		const char *text, *names, *edges, *note;
	} cases[] = {
		{"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC X:Y\n"
		 "# text = She gave up\n"
		 "1\tShe\t_\tX\t\t\t2\tnsubj\t\t\t*\n2\tgave\t_\tX\t\t\t0\troot\t\t\t1\n"
		 "3\tup\t_\tX\t\t\t2\tcompound:prt\t\t\t1\n\n",
		 "She|gave|up", "2>1 nsubj, 2>3 compound:prt", NULL},
		{"#global.columns=DEPREL HEAD ID FORM\n_\t2\t1\ta\nroot\t0\t2\tb\n", "a|b", "2>1 ",
		 NULL},
		{"# global.columns = ID HEAD FORM\n1\t2\ta\n2\t0\tb\n", "a|b", "2>1 ", NULL},
		{"# global.columns = ID FORM X\n1-2\tab\t\n1\ta\t_\n2\tb\t_\n3\tc\t_\n", "a|b|c",
		 "1>2 , 2>3 ",
		 "1 multiword token (1-2 \"ab\"); line 1 names no HEAD, so there is no tree: the "
		 "words are a chain"},
		/* The last line that names them counts, as where two files are one. */
		{"# global.columns = ID FORM HEAD\n1\tx\t0\n\n# global.columns = HEAD ID FORM\n"
		 "0\t1\ty\n",
		 "x", "", NULL},
		{"1\ta\t_\tN\tN\t_\t2\tsubj\t2\tsubj\n2\tb\t_\tV\tV\t_\t0\troot\t0\troot\n", "a|b",
		 "2>1 subj", "the columns are those of CoNLL-X: PHEAD and PDEPREL are not read"},
		/* DEPS of CoNLL-U are no heads. */
		{"1\ta\t_\tN\tN\t_\t2\tsubj\t2:subj\t_\n2\tb\t_\tV\tV\t_\t0\troot\t0:root\t_\n",
		 "a|b", "2>1 subj", NULL},
		{"1\ta\t_\t_\tN\tN\t_\t_\t2\t0\tSBJ\tROOT\t_\t_\tA0\n"
		 "2\tb\t_\t_\tV\tV\t_\t_\t0\t1\tROOT\tX\tY\tb.1\t_\n",
		 "a|b", "2>1 SBJ",
		 "the columns are those of CoNLL-2009: of heads and relations the first ones, not the "
		 "predicted"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct structured t = read_text(cases[i].text);
		assert_string_equal(names(&t.structure), cases[i].names);
		assert_string_equal(edges(&t.structure), cases[i].edges);
		assert_string_equal(t.structure.note ? t.structure.note : "",
				    cases[i].note ? cases[i].note : "");
	}
}

/* ---- what is not ------------------------------------------------------------------------------- */

static void expect_error(const char *text, size_t len, size_t which, const char *place,
			 const char *says)
{
	size_t count = 99;
	struct structured out;
	struct err err = {""};
	if (structure_conllu("t", text, len, which, &count, &arena, &out, &err))
		fail_msg("was read; expected %s%s", place, says);
	if (strncmp(err.text, place, strlen(place)) != 0 || !strstr(err.text, says))
		fail_msg("expected %s...%s, but: %s", place, says, err.text);
}

TEST(bad_lines_are_errors_with_their_line)
{
	static const struct {
		const char *rows, *place, *says;
	} cases[] = {
		{"1 a 0|1 b 1", "t:2: ", "id 1 is there already, in line 1; the next id is 2"},
		{"1 a 0|2 b 1|1 c 1", "t:3: ", "id 1 is there already, in line 1"},
		{"1 a 0|3 b 1", "t:2: ", "id \"3\" where 2 should be"},
		{"0 a 0", "t:1: ", "id \"0\" where 1 should be"},
		{"x a 0", "t:1: ", "\"x\" is not an id"},
		{"1x a 0", "t:1: ", "\"1x\" is not an id"},
		{"1- a 0", "t:1: ", "\"1-\" is not an id"},
		{"-1 a 0", "t:1: ", "\"-1\" is not an id"},
		{"99999999999999999999 a 0", "t:1: ", "is not an id"},
		{" a 0", "t:1: ", "\"\" is not an id"},
		{"1  0", "t:1: ", "word 1 has no form (column 2)"},
		{"1-2 x|1 a 0|2-3 y|2 b 1|3 c 1",
		 "t:3: ", "range \"2-3\" overlaps that of line 1, which ends with word 2"},
		{"1-3 x|1 a 0|2 b 1|2-3 y", "t:4: ", "overlaps"},
		{"2-1 x|1 a 0|2 b 1", "t:1: ", "range \"2-1\" ends before it begins"},
		{"1 a 0|1-2 x|2 b 1", "t:2: ", "range \"1-2\" stands before word 2"},
		{"0-1 x|1 a 0", "t:1: ", "range \"0-1\" stands before word 1"},
		{"1-3 x|1 a 0|2 b 1",
		 "t:1: ", "the multiword token ends with word 3; the sentence has 2 words"},
		{"1-9999 x|1 a 0", "t:1: ", "a sentence has at most 4096 words"},
		{"1 a 0|3.1 x", "t:2: ", "empty node \"3.1\" stands behind word 1"},
		{"1 a 0|1.2 x", "t:2: ", "empty node \"1.2\" where 1.1 should be"},
		{"1 a 0|1.1 x|1.1 x", "t:3: ", "empty node \"1.1\" where 1.2 should be"},
		{"1 a 0|2 b _", "t:2: ",
		 "word 2 \"b\" has no governor; a governor (HEAD) is the id "
		 "of a word, 1 to 2, or 0"},
		{"1 a 0|2 b x", "t:2: ", "the governor of word 2 \"b\" is \"x\""},
		{"1 a 0|2 b -1", "t:2: ", "is \"-1\""},
		{"1 a 0|2 b 3", "t:2: ", "is \"3\", out of range"},
		{"1 a 0|2 b 18446744073709551615", "t:2: ", "out of range"},
		{"1 a 0|2-3 x|2 b 2-3|3 c 1", "t:3: ", "is \"2-3\", a multiword token"},
		{"1 a 0|1.1 x|2 b 1.1", "t:3: ", "is \"1.1\", an empty node"},
		{"1 a 0|2 b 2", "t:2: ", "word 2 \"b\" is its own governor"},
		{"1 a 0|2 b 3|3 c 4|4 d 2", "t:2: ",
		 "words govern in a circle: 2 \"b\" -> 3 \"c\" -> 4 \"d\" -> 2; one of them"},
		{"1 a 2|2 b 3|3 c 2|4 d 0", "t:2: ", "circle: 2 \"b\" -> 3 \"c\" -> 2"},
		{"1 a 2|2 b 1", "t:1: ", "has no root: no word has the governor 0"},
		{"1-2 x", "t:1: ", "the sentence has no words"},
		{"0.1 x", "t:1: ", "the sentence has no words"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *const text = columns(cases[i].rows);
		expect_error(text, strlen(text), 1, cases[i].place, cases[i].says);
	}
}

#define A "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"
#define B "2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n"

TEST(bad_files_are_errors_with_their_line)
{
	static const struct {
		const char *text;
		size_t len; /* 0: up to the NUL */
		size_t which;
		const char *place, *says;
	} cases[] = {
		{"", 0, 1, "t: ", "no sentence"},
		{"\xEF\xBB\xBF", 0, 1, "t: ", "no sentence"},
		{"\n\n# text\n", 0, 1, "t: ", "no sentence"},
		{A "\n" A, 0, 3, "t: ", "there is no sentence 3; the file has 2, counted from 1"},
		{A, 0, 0, "t: ", "there is no sentence 0"},
		{"# x\n" A "2\tb\tx\n", 0, 1,
		 "t:3: ", "3 columns; a line of CoNLL-U has 10, parted by single tabs"},
		{"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\t_\n", 0, 1, "t:1: ", "11 columns"},
		{"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\t\n", 0, 1, "t:1: ", "11 columns"},
		{"1\ta\t_\t_\t_\t_\t_\t_\t0\t_\t_\t_\t_\t_\n", 0, 1, "t:1: ",
		 "14 columns; a line of CoNLL-U has 10, parted by single tabs; a file with "
		 "others names them in its first line: # global.columns = ID FORM"},
		{"# global.columns = FORM HEAD\na\t0\n", 0, 1,
		 "t:1: ", "global.columns names no ID: "},
		{"\n# global.columns = ID HEAD\n1\t0\n", 0, 1,
		 "t:2: ", "global.columns names no FORM: the words are read from ID and FORM"},
		{"# global.columns = ID FORM HEAD HEAD\n1\ta\t0\t0\n", 0, 1,
		 "t:1: ", "global.columns names HEAD twice: columns 3 and 4"},
		{"# global.columns = ID FORM HEAD\n1\ta\t0\n2\tb\n", 0, 1,
		 "t:3: ", "2 columns; line 1 names 3, parted by single tabs"},
		{"# global.columns = ID FORM HEAD\n1\ta\t7\n", 0, 1,
		 "t:2: ", "the governor of word 1 \"a\" is \"7\", out of range"},
		{"# global.columns = ID X FORM\n1\ta\t\n", 0, 1,
		 "t:2: ", "word 1 has no form (column 3)"},
		{"# global.columns =\n1\ta\t\n", 0, 1, "t:1: ", "global.columns names no ID"},
		{"\r\n1 a _ _ _ _ 0 root _ _\r\n", 0, 1, "t:2: ", "no tabs: the 10 columns"},
		{"word\n", 0, 1, "t:1: ", "1 column; a line"},
		{"\t\t\n", 0, 1, "t:1: ", "3 columns"},
		{A "# late\n" B, 0, 1, "t:2: ", "a comment inside a sentence"},
		{A "\n# c\n" A B B, 0, 2, "t:6: ", "id 2 is there already, in line 5"},
		{A "2\tb\0\n", sizeof A + 4, 1, "t:2:4: ", "a NUL byte"},
		{"\0", 1, 1, "t:1:1: ", "a NUL byte"},
		{"\xFF\xFE"
		 "1\0",
		 4, 1, "t:1: ", "this is UTF-16"},
		{"\xFE\xFF\0001", 4, 1, "t:1: ", "this is UTF-16"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_error(cases[i].text, cases[i].len ? cases[i].len : strlen(cases[i].text),
			     cases[i].which, cases[i].place, cases[i].says);
}

/* A bad sentence does not keep the others from being read, and is counted. */
TEST(other_sentences_are_not_looked_at)
{
	static const char text[] = "nonsense\n\n" A B "\nmore nonsense\n";
	size_t count = 0;
	const struct structured t = read_n(text, sizeof text - 1, 2, &count);
	assert_int_equal(count, 3);
	assert_string_equal(names(&t.structure), "a|b");
}

TEST(sentence_may_have_4096_words_and_no_more)
{
	struct strbuf text;
	strbuf_init(&text, &arena);
	for (size_t i = 1; i <= STRUCTURE_MAX_NODES; i++)
		strbuf_printf(&text, "%zu\tw\t_\t_\t_\t_\t%zu\tr%zu\t_\t_\n", i, i - 1, i);
	const struct structured t = read_text(text.at);
	assert_int_equal(t.n_tokens, STRUCTURE_MAX_NODES);
	assert_int_equal(t.structure.n_labels, STRUCTURE_MAX_NODES - 1);
	strbuf_add(&text, "4097\tw\t_\t_\t_\t_\t1\tr\t_\t_\n");
	expect_error(text.at, text.len, 1, "t:4097: ", "more than 4096 words");
}

TEST(hostile_names_and_words_are_escaped)
{
	size_t count;
	struct structured out;
	struct err err = {""};
	const char *const text = columns("1 \x1B[31m\xE9 7");
	assert_false(structure_conllu("a\x1B.conllu", text, strlen(text), 1, &count, &arena, &out,
				      &err));
	assert_null(strchr(err.text, '\x1B'));
	assert_null(strchr(err.text, '\xE9'));
	assert_int_equal(strncmp(err.text, "a\\x1B.conllu:1: ", 15), 0);
}

/* ---- governors --------------------------------------------------------------------------------- */

TEST(governors_make_a_tree)
{
	static const char *const texts[] = {"2 3 0 5 3 3", "2,3,0,5,3,3", " 2, 3 ,0\t5 3 3 "};
	for (size_t i = 0; i < 3; i++) {
		struct structure s;
		struct err err = {""};
		if (!structure_governors(texts[i], 6, &arena, &s, &err))
			fail_msg("%s", err.text);
		assert_int_equal(s.kind, STRUCTURE_DEPENDENCY);
		assert_string_equal(heads(&s), "2 3 0 5 3 3");
		assert_string_equal(depths(&s), "2 1 0 2 1 1");
		assert_string_equal(names(&s), "1|2|3|4|5|6");
		assert_string_equal(edges(&s), "2>1 , 3>2 , 5>4 , 3>5 , 3>6 ");
		assert_int_equal(s.root, 2);
		assert_int_equal(s.tokens, 6);
		assert_null(s.note);
	}
}

TEST(governors_may_have_several_roots)
{
	struct structure s;
	assert_true(structure_governors("0 1 0", 3, &arena, &s, NULL));
	assert_string_equal(s.note, "2 roots, each at depth 0");
	assert_string_equal(depths(&s), "0 1 0");
	assert_int_equal(s.root, -1);
}

TEST(bad_governors_are_errors)
{
	static const struct {
		const char *text;
		size_t n;
		const char *says;
	} cases[] = {
		{"2 3 0", 6, "governors: 3 numbers for 6 words"},
		{"0 1 1 1", 3, "governors: 4 numbers for 3 words"},
		{"0 9 x", 1, "governors: 3 numbers for 1 word;"},
		{"", 3, "governors: 0 numbers for 3 words"},
		{"0", 0, "governors: there are no words"},
		{"0 4 1", 3, "governors: \"4\", of word 2, is out of range"},
		{"0 -1 1", 3, "governors: \"-1\", of word 2, is out of range"},
		{"99999999999999999999 1", 2,
		 "governors: \"99999999999999999999\", of word 1, is out"},
		{"0 - 1", 3, "governors: \"-\" is not a number"},
		{"2", 1,
		 "governors: \"2\", of word 1, is out of range; a word alone is the root, 0"},
		{"0 x 1", 3, "governors: \"x\" is not a number"},
		{"0 1.5 1", 3, "governors: \"1.5\" is not a number"},
		{"0 2 1", 3, "governors: word 2 is its own governor"},
		{"0 3 2", 3, "governors: words govern in a circle: 2 -> 3 -> 2; one of them"},
		{"2 3 1", 3,
		 "governors: no root: no word has 0; words govern in a circle: 1 -> 2 "
		 "-> 3 -> 1"},
		{"2 3 4 5 6 7 1 0", 8, "circle: 1 -> 2 -> 3 -> 4 -> 5 -> ... -> 1"},
		{",0 1 1", 3, "governors: a comma without a number before it"},
		{"0,,1,1", 3, "governors: a comma without a number before it"},
		{"0,1,1,", 3, "governors: a comma without a number behind it"},
		{"0", 5000, "governors: 5000 words; at most 4096"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct structure s;
		struct err err = {""};
		if (structure_governors(cases[i].text, cases[i].n, &arena, &s, &err))
			fail_msg("\"%s\" was read", cases[i].text);
		if (!strstr(err.text, cases[i].says))
			fail_msg("\"%s\": expected %s, but: %s", cases[i].text, cases[i].says,
				 err.text);
	}
}
