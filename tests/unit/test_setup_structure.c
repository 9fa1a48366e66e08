/* test_setup_structure.c: trees, graphs and second languages as fields of a setup: which tokens they
 * bring, how tokens carry their nodes along, what is refused, samples, and what a dump says of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "help_measure.h"
#include "help_setup.h"
#include "help_arena.h"
#include "help_app.h"
#include "help_cli.h"
#include "help_tensors.h"
#include "posviz/analysis/analysis.h"
#include "posviz/scene/dump.h"
#include "posviz/scene/sample.h"

FIXTURE(open_folder, close_folder)

static struct built build(const char *lines)
{
	const struct scene s = help_scene_read(lines);
	struct built b;
	struct err err = {""};
	if (!setup_build(&s.setup, &arena, &b, &err))
		fail_msg("%s: %s", lines, err.text);
	return b;
}

static void expect_error(const char *lines, const char *part)
{
	const struct scene s = help_scene_read(lines);
	struct built b;
	struct err err = {""};
	if (setup_build(&s.setup, &arena, &b, &err))
		fail_msg("%s: built; \"%s\" expected", lines, part);
	if (!strstr(err.text, part) || strchr(err.text, '\n'))
		fail_msg("%s: \"%s\" does not say \"%s\"", lines, err.text, part);
}

/* "The/0 cat/1" of the units in their order: label and node. */
static const char *units_of(const struct built *b)
{
	const char *out = "";
	for (size_t i = 0; i < b->model_input.axis.n; i++) {
		const long token = b->model_input.axis.token[i];
		const char *const label = b->model_input.axis.labels[i];
		if (token < 0)
			out = arena_printf(&arena, "%s %s", out, label);
		else
			out = arena_printf(&arena, "%s %s/%ld", out, label,
					   b->model_input.node[token]);
	}
	return out + (*out == ' ');
}

/* ---- tokens and nodes ---------------------------------------------------------------------------- */

TEST(structures_bring_their_tokens)
{
	static const struct {
		const char *lines, *units;
		enum structure_kind kind;
	} rows[] = {
		{"conllu @dep1", "The/0 cat/1 chased/2 the/3 dog/4 ./5", STRUCTURE_DEPENDENCY},
		{"conllu @dep1.conllu\nsentence ignored", "The/0 cat/1 chased/2 the/3 dog/4 ./5",
		 STRUCTURE_DEPENDENCY},
		{"conllu @treebank\npick 2", "Sheep/0 sleep/1 ./2", STRUCTURE_DEPENDENCY},
		{"conllu @dep1\nspecial cls,sep",
		 "[CLS] The/0 cat/1 chased/2 the/3 dog/4 ./5 [SEP]", STRUCTURE_DEPENDENCY},
		{"conllu @dep1\norder reverse", "./5 dog/4 the/3 chased/2 cat/1 The/0",
		 STRUCTURE_DEPENDENCY},
		{"conllu @treebank\npick 2\ntokens chars\nspecial bos",
		 "<s> S/0 h/0 e/0 e/0 p/0 s/1 l/1 e/1 e/1 p/1 ./2", STRUCTURE_DEPENDENCY},
		{"conllu @treebank\npick 2\ntokens bytes",
		 "S/0 h/0 e/0 e/0 p/0 s/1 l/1 e/1 e/1 p/1 ./2", STRUCTURE_DEPENDENCY},
		{"governors 2 3 0\nsentence a b c\norder 3 1 2", "c/2 a/0 b/1",
		 STRUCTURE_DEPENDENCY},
		{"governors 2 3 0 5 3 3\nsentence The cat chas ##ed the dog .",
		 "The/0 cat/1 chas/2 ##ed/2 the/3 dog/4 ./5", STRUCTURE_DEPENDENCY},
		{"governors 2,0\nsentence ab c\ntokens chars", "a/0 b/0 ␣/-1 c/1",
		 STRUCTURE_DEPENDENCY},
		{"governors 2 0\nsentence a [SEP] b\nspecial cls", "[CLS] a/0 [SEP] b/1",
		 STRUCTURE_DEPENDENCY},
		{"graph digraph { x -> y -> z }\norder 2 3 1", "y/1 z/2 x/0", STRUCTURE_GRAPH},
		{"graph \"a b\\nb c\\n\"", "a/0 b/1 c/2", STRUCTURE_GRAPH},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct built b = build(rows[i].lines);
		assert_string_equal(units_of(&b), rows[i].units);
		assert_int_equal(b.structure->kind, rows[i].kind);
		assert_int_equal(b.structure->tokens, b.written.moving);
		assert_ptr_equal(b.model_input.structure, b.structure);
	}
	const struct built plain = build("sentence a b");
	assert_null(plain.structure);
	assert_null(plain.model_input.node);
	assert_int_equal(build("conllu @treebank").count, 5);
	const struct built pieces = build("governors 0\nsentence chas ##ed");
	assert_string_equal(pieces.structure->names[0], "chased");
}

/* The leaves of a tree, or all of its nodes. */
TEST(trees_have_two_kinds_of_tokens)
{
	static const char tree[] = "tree (S (NP (DT The) (NN cat)) (VP (VBZ sleeps)))";
	const struct built leaves = build(tree);
	const struct built nodes = build(arena_printf(&arena, "%s\ntree-units nodes", tree));
	assert_int_equal(leaves.input.n, 3);
	assert_string_equal(leaves.input.tokens[1].label, "cat");
	assert_true(nodes.input.n > 3);
	assert_int_equal(nodes.structure->kind, STRUCTURE_TREE);
	/* A child's place comes behind its parent's: preorder. */
	for (size_t i = 0; i < nodes.input.n; i++) {
		const long parent = nodes.structure->parent[nodes.structure->node_of[i]];
		assert_true(parent < 0 || parent < nodes.structure->node_of[i]);
	}
	const struct built tagged =
		build("tree (S (NP-SBJ (-NONE- *T*-1) (NN cat)))\nkeep-empty on\n"
		      "keep-functions on\ntree-units nodes");
	const char *names = units_of(&tagged);
	assert_non_null(strstr(names, "NP-SBJ"));
	assert_non_null(strstr(names, "*T*-1"));
}

/* Nodes go with the tokens, so what is made of nodes alone is permuted with them. */
TEST(permuting_carries_governors_along)
{
	struct want want = {.kinds = WANT_RELATION, .layer = 0, .head = 0};
	const struct scene s = help_scene_read("scheme spr_rel\nconllu @dep1"),
			   t = help_scene_read("scheme spr_rel\nconllu @dep1\norder 6 1 5 2 4 3");
	/* The worked matrix of the definition. */
	static const int32_t worked[36] = {0,  1,  2, -4, -3, -3, -1, 0, 1, -3, -2, -2,
					   -2, -1, 0, -2, -1, -1, 4,  3, 2, 0,	1,  -3,
					   3,  2,  1, -1, 0,  -2, 3,  2, 1, 3,	2,  0};
	static const size_t order[] = {5, 0, 4, 1, 3, 2};
	struct built b, moved;
	struct trace trace, other;
	struct err err = {""};
	assert_true(evaluate(&s.setup, &want, NULL, NULL, &arena, &b, &trace, &err));
	assert_true(evaluate(&t.setup, &want, NULL, NULL, &arena, &moved, &other, &err));
	for (size_t i = 0; i < 36; i++)
		assert_int_equal(trace.relation.at[i], worked[i]);
	for (size_t i = 0; i < 6; i++)
		for (size_t k = 0; k < 6;
		     k++) /* its size hangs on the tree, its sign on the order */
			assert_int_equal(labs(other.relation.at[i * 6 + k]),
					 labs(worked[order[i] * 6 + order[k]]));
	struct measures m;
	const struct scene abs = help_scene_read("scheme spr_abs\nconllu @dep1\norder reverse");
	assert_true(help_measure(&abs.setup, NULL, &m, &err));
	assert_true(m.equivariance.there && m.equivariance.value < 1e-9);
	assert_true(m.own_order.there && m.own_order.value < 1e-9);
	assert_false(m.insertion.there);
	assert_non_null(strstr(m.insertion.why, "node"));
}

/* ---- re-orderings --------------------------------------------------------------------------------- */

static void expect_places(const char *lines, const char *want)
{
	const struct built b = build(lines);
	const char *got = "";
	assert_non_null(b.model_input.reorder);
	for (size_t i = 0; i < b.written.moving; i++)
		got = arena_printf(&arena, "%s%s%g", got, i ? " " : "", b.model_input.reorder[i]);
	assert_string_equal(got, want);
}

TEST(re_orderings_are_places_of_tokens)
{
	static const struct {
		const char *lines, *places;
	} rows[] = {
		{"sentence a b c d\nreorder 1 3 4 2", "0 2 3 1"},
		{"sentence a b c d\nreorder 1,3,4,2\norder reverse", "0 2 3 1"},
		{"sentence a b c\nreorder reverse", "2 1 0"},
		{"sentence a bb ##b c\nreorder 3 1 2", "3 0 1 2"},
		{"sentence a bb ##b c\nreorder 4 1 2 3", "3 0 1 2"},
		{"sentence a b c\nreorder \"[a <b c>]\"", "0 2 1"},
		{"sentence a b c\nreorder [a <b c>]\norder reverse", "0 2 1"},
		{"sentence a bb ##b c\nreorder <[a bbb] c>", "1 2 3 0"},
		{"sentence a bb ##b c\nreorder [a <bb ##b> c]", "0 2 1 3"},
		{"sentence [CLS] a b\nreorder <1 2>", "1 0"},
		{"tokens chars\nsentence a b\nreorder <1 2 3>", "2 1 0"},
		/* The words of a translation: 2 is behind 3; c stays beside b, d in front of all that
		 * is aligned stays there. */
		{"sentence a b\nalignment 1-2 2-1", "1 0"},
		{"sentence d a b c\nalignment 2-2 3-1", "0 3 1 2"},
		{"sentence a b c\nalignment 1-5 1-3 2-4 3-1", "1 2 0"},
		{"sentence a b c\nalignment 1-1 2-1 3-1", "0 1 2"},
		{"sentence a b\nalignment 1-1 2-2\nreorder 2 1", "1 0"},
		{"sentence a bb ##b\nalignment 1-2 2-1\ntranslation x y", "2 0 1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_places(rows[i].lines, rows[i].places);
	assert_null(build("sentence a b").model_input.reorder);
	assert_int_equal(build("length 7").model_input.length, 7);
	const struct built b = build("sentence a b\ntranslation x y z\nalignment 1-3 2-1");
	assert_int_equal(b.alignment.translation.n, 3);
	assert_int_equal(b.alignment.n, 2);
	assert_int_equal(b.alignment.pairs[0].other, 2);
}

/* ---- what is refused -------------------------------------------------------------------------------- */

TEST(mistakes_are_named)
{
	static const struct {
		const char *lines, *part;
	} rows[] = {
		{"conllu @dep1\ngovernors 0", "governors: 1 number for 6 words"},
		{"tree (a b)\ngraph @g5", "tree and graph both"},
		{"governors 2 0\nsentence a b c", "2 numbers for 3 words"},
		{"conllu @g5", "--graph @g5"},
		{"graph @dep1", "--conllu @dep1"},
		{"file @dep1", "--conllu @dep1"},
		{"conllu @dpe1", "did you mean @dep1"},
		{"file @en-de", "is a script"},
		{"conllu /nowhere.conllu", "nowhere"},
		{"conllu /", "directory"},
		{"conllu -", "standard input"},
		{"conllu @treebank\npick 6", "5"},
		{"conllu \"1\\tx\\n\"", "conllu:1: "},
		{"scheme spr_rel\ngraph @g5", "--conllu, --governors or --tree"},
		{"sentence a b\nreorder 1", "1 number for 2 tokens"},
		{"sentence a b\nreorder 1 1", "reorder: 1 appears twice"},
		{"sentence a b ##b\nreorder 1", "1 number for 2 words"},
		{"sentence a b\nreorder [a <b]", "reorder: column 6: this \"]\" closes a \"<\""},
		{"sentence a b ##b\nreorder [a]", "reorder: column 4: 1 of 2"},
		{"sentence a b\nalignment 3-1", "the sentence has 2 words"},
		{"sentence a b\nalignment 1-3\ntranslation x", "the translation has 1 word"},
		{"sentence a b\nalignment 1", "no pair"},
		{"sentence a b\nalignment 0-1", "no pair"},
		{"translation \" \"", "translation: "},
		{"conllu @dep1\norder 1 2", "3"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_error(rows[i].lines, rows[i].part);
}

/* A file that changes is read again; a large one is kept in between. */
TEST(files_are_read_as_they_are_now)
{
	enum { SENTENCES = 4000 };
	const char *const last[] = {"one", "two"};
	for (size_t k = 0; k < 2; k++) {
		char *const text = arena_alloc(&arena, SENTENCES * 64);
		size_t len = 0;
		for (size_t i = 0; i < SENTENCES; i++)
			len += (size_t)sprintf(
				text + len, "1\t%s%zu\t_\t_\t_\t_\t0\troot\t_\t_\n\n", last[k], i);
		assert_true(len > 64 << 10);
		cli_write("big.conllu", text, len);
		const struct built b = build("conllu big.conllu\npick 4000");
		assert_string_equal(b.input.tokens[0].label,
				    arena_printf(&arena, "%s3999", last[k]));
		assert_int_equal(b.count, SENTENCES);
		expect_error("conllu big.conllu\npick 4001", "4000");
	}
	cli_remove("big.conllu");
	expect_error("conllu big.conllu\npick 4000", "big.conllu");
}

/* ---- samples ------------------------------------------------------------------------------------------ */

TEST(every_sample_opens)
{
	size_t n;
	const struct sample *const all = samples_all(&arena, &n);
	assert_true(n >= 20);
	for (size_t i = 0; i < n; i++) {
		struct app app;
		struct err err = {""};
		struct built b;
		const char *const spec = arena_printf(&arena, "@%s", all[i].name);
		if (*all[i].help == '\0')
			fail_msg("%s has no line in list.tsv", all[i].file);
		app_init(&app);
		if (!app_open(&app, spec, &err) || !setup_build(&app.scene.setup, &arena, &b, &err))
			fail_msg("%s: %s", spec, err.text);
		if (strcmp(all[i].field, "file") != 0 && strcmp(all[i].field, "open") != 0)
			assert_non_null(b.structure);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(all[k].name, all[i].name);
		app_release(&app);
	}
}

/* ---- commands ------------------------------------------------------------------------------------------ */

TEST(broken_graphs_are_passed_over_with_a_word)
{
	struct app app;
	const struct setup *const s = &app.scene.setup;
	app_init(&app);
	help_app_run(&app,
		     "graph \"(a / b)\\n\\n(c / d :x)\\n\\n(e :x)\\n\\n(f / g)\\n\\n(h :x)\"");
	help_app_run(&app, "pick next");
	assert_int_equal(s->pick, 4);
	assert_non_null(strstr(app.message, "2 passed over: graph:3:8: \":x\" has no target"));
	help_app_run(&app, "pick prev");
	assert_int_equal(s->pick, 1);
	help_app_refuse(&app, "pick 2", "graph:3:8");
	help_app_run(&app, "pick 4");
	help_app_refuse(&app, "pick next", "graph:9:");
	assert_int_equal(s->pick, 4);
	app_release(&app);
}

TEST(a_new_structure_replaces_the_old)
{
	struct app app;
	const struct setup *const s = &app.scene.setup;
	app_init(&app);
	help_app_run(&app, "conllu @treebank");
	help_app_run(&app, "pick 3");
	help_app_run(&app, "pick next");
	assert_int_equal(s->pick, 4);
	help_app_run(&app, "pick next");
	help_app_refuse(&app, "pick next", "5");
	help_app_refuse(&app, "pick 77", "77");
	help_app_run(&app, "pick alibi");
	assert_non_null(strstr(s->scheme, "alibi"));
	help_app_run(&app, "tree (a (b c) d)");
	assert_string_equal(s->conllu, "");
	assert_int_equal(s->pick, 1);
	help_app_refuse(&app, "graph @nothing", "no sample");
	help_app_refuse(&app, "tree (a", "tree:1");
	help_app_run(&app, "sentence a b c");
	assert_string_equal(s->tree, "");
	help_app_refuse(&app, "governors 1 2", "governors");
	help_app_run(&app, "governors 0 1 2");
	help_app_run(&app, "reorder 3 1 2");
	help_app_refuse(&app, "reorder 3 1", "2 numbers");
	help_app_run(&app, "sentence c b a");
	assert_string_equal(s->governors, "0 1 2");
	help_app_run(&app, "sentence only two");
	assert_string_equal(s->governors, "");
	assert_string_equal(s->reorder, "");
	assert_non_null(strstr(app.message, "gone"));
	help_app_run(&app, "open @dep1");
	assert_string_equal(s->conllu, "@dep1");
	help_app_run(&app, "move 1 6");
	assert_string_equal(s->order, "2 3 4 5 6 1");
	help_app_run(&app, "open @amr1");
	assert_string_equal(s->graph, "@amr1");
	assert_string_equal(s->conllu, "");
	assert_string_equal(s->order, "identity");
	help_app_run(&app, "undo");
	assert_string_equal(s->conllu, "@dep1");
	app_release(&app);
}

/* A message names what goes without being asked for, and nothing that stays. */
TEST(only_what_is_gone_is_said_to_be)
{
	static const struct {
		const char *first, *then, *said, *unsaid;
	} rows[] = {
		{"sentence a b c\nreorder 3 1 2", "reorder 2 1 3", "", "gone"},
		{"sentence a b c\nreorder 3 1 2", "sentence a b", "re-ordering did not fit",
		 "tree"},
		{"tree (a b)", "conllu @dep1", "", "gone"},
		{"tree (a b)", "sentence a b c", "the tree is gone", "graph"},
		{"sentence a b\ntranslation x y", "alignment 1-2 2-1", "", "no translation"},
		{"sentence a b", "alignment 1-2 2-1", "no translation is given", "gone"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct app app;
		char first[64];
		app_init(&app);
		snprintf(first, sizeof first, "%s", rows[i].first);
		for (char *line = strtok(first, "\n"); line; line = strtok(NULL, "\n"))
			help_app_run(&app, line);
		app.message[0] = '\0';
		help_app_run(&app, rows[i].then);
		if (!strstr(app.message, rows[i].said) || strstr(app.message, rows[i].unsaid))
			fail_msg("%s: \"%s\"", rows[i].then, app.message);
		app_release(&app);
	}
}

TEST(a_structure_keeps_its_number)
{
	static const char two[] = "tree \"(a (b c)) (d (e f))\"";
	struct app app;
	const struct setup *const s = &app.scene.setup;
	app_init(&app);
	help_app_run(&app, two);
	help_app_run(&app, "pick 2");
	help_app_run(&app, "graph \"\""); /* there is none to take away */
	assert_int_equal(s->pick, 2);
	assert_string_not_equal(s->tree, "");
	help_app_run(&app, "tree-units nodes");
	help_app_run(&app, "governors 0 1 1");
	assert_int_equal(s->pick, 2);
	help_app_run(&app, two);
	assert_int_equal(s->pick, 1);
	app_release(&app);
}

TEST(files_open_as_what_they_are)
{
	static const struct {
		const char *name, *text, *field;
	} rows[] = {
		{"x.conllu", "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n", "conllu"},
		{"unknown", "# one\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n", "conllu"},
		{"x.GV", "graph { a -- b }", "graph"},
		{"unknown2", "digraph g {\n a -> b\n}\n", "graph"},
		{"unknown3", "# ::id 1\n(r / run-01 :ARG0 (c / cat))\n", "graph"},
		{"x.edges", "a b\nb c\n", "graph"},
		{"unknown4", "( (S (NP (NN cat)) (VP (VB runs))) )\n", "tree"},
		{"x.mrg", "(S (NN cat))\n", "tree"},
		{"x.txt", "the cat sat\n", "file"},
		{"unknown5", "a graph is a text too\n", "file"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct app app;
		cli_write(rows[i].name, rows[i].text, strlen(rows[i].text));
		app_init(&app);
		help_app_run(&app, arena_printf(&arena, "open %s", rows[i].name));
		assert_string_equal(scene_get(&app.scene, field_find(rows[i].field), &arena),
				    rows[i].name);
		app_release(&app);
		cli_remove(rows[i].name);
	}
}

TEST(samples_come_first_as_candidates)
{
	struct app app;
	size_t n;
	app_init(&app);
	const char **const all = help_app_completions(&app, "open ", &arena, &n);
	assert_true(n > 20);
	assert_string_equal(all[0], "open @dep1");
	const char **const one = help_app_completions(&app, "graph @am", &arena, &n);
	assert_int_equal(n, 2);
	assert_string_equal(one[0], "graph @amr1");
	help_app_completions(&app, "weights @", &arena, &n);
	assert_int_equal(n, 0);
	app_release(&app);
}

/* ---- the program ------------------------------------------------------------------------------------------ */

TEST(options_take_structures)
{
	static const struct {
		struct cli_case run;
		int code;
		const char *says; /* in what is printed, or in the error */
	} rows[] = {
		{{.args = {"dump", "rope", "--format", "csv", "--conllu", "@dep1"}},
		 0,
		 "\"chased\""},
		{{.args = {"dump", "rope", "--format", "csv", "--graph", "graph{u--v}"}},
		 0,
		 "\"u\""},
		{{.args = {"dump", "rope", "--format", "csv", "--tree", "-"}, .input = "t"},
		 0,
		 "\"mouse\""},
		{{.args = {"dump", "rope", "--format", "csv", "--pick", "2", "--conllu",
			   "@treebank"}},
		 0,
		 "\"Sheep\""},
		{{.args = {"dump", "rope", "--format", "csv", "-s", "a b", "--governors", "0 1"}},
		 0,
		 "\"b\""},
		{{.args = {"dump", "rope", "--format", "csv", "--conllu", "@dep1", "-s", "x y"}},
		 0,
		 "\"y\""},
		{{.args = {"dump", "rope", "--format", "csv", "--conllu", "@dep1", "--tree",
			   "(a b)"}},
		 2,
		 "--conllu and --tree both"},
		{{.args = {"dump", "rope", "--format", "csv", "--conllu", "bad"}}, 2, "bad:2: "},
		{{.args = {"render", "rope", "--matrix", "relation", "-o", "x.png"}}, 2, "dump"},
		{{.args = {"dump", "sinusoidal", "--matrix", "relation", "--format", "csv"}},
		 2,
		 "sinusoidal has no relation"},
		{{.args = {"dump", "spr_rel", "--matrix", "relation", "--format", "csv", "--conllu",
			   "@dep1"}},
		 0,
		 "\"chased\",-2,-1,0,-2,-1,-1\n"},
		{{.args = {"list", "samples"}}, 0, "@dep1"},
		{{.args = {"list", "matrices"}}, 0, "relation"},
	};
	static const char bad[] = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\n";
	cli_write("t", "(S (NN mouse))\n", 15);
	cli_write("bad", bad, strlen(bad));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_result r;
		cli_run(&r, &rows[i].run);
		if (r.code != rows[i].code || !strstr(r.code ? r.err : r.out, rows[i].says))
			fail_msg("row %zu: %d, %s%s", i, r.code, r.out, r.err);
		cli_done(&r);
	}
	cli_remove("t");
	cli_remove("bad");
}

TEST(dumps_hold_relation_and_structure)
{
	struct tensor_set set;
	struct err err = {""};
	const struct cli_case c = {
		.args = {"dump", "spr_rel", "--conllu", "@dep1", "-o", "x.safetensors"}};
	cli_good(&c);
	tensor_set_init(&set, &arena);
	if (!help_tensors(&set, "x.safetensors", &err))
		fail_msg("%s", err.text);
	const struct tensor *const relation = cli_tensor(&set, "relation");
	assert_int_equal(relation->shape[0], 6);
	assert_true(fabs(relation->at[3] + 4) <= 0);
	const char *structure = NULL, *legend = NULL;
	for (size_t i = 0; i < set.meta_count; i++) {
		if (strcmp(set.meta[i].key, "structure") == 0)
			structure = set.meta[i].value;
		if (strcmp(set.meta[i].key, "relation") == 0)
			legend = set.meta[i].value;
	}
	assert_non_null(structure);
	assert_non_null(strstr(structure, "\"parents\":[1,2,-1,4,2,2]"));
	assert_non_null(strstr(structure, "[2,1,\"nsubj\"]"));
	assert_non_null(strstr(structure, "\"node_of_token\":[0,1,2,3,4,5]"));
	assert_non_null(legend);
	assert_non_null(strstr(legend, "\"title\":"));
	cli_remove("x.safetensors");
}

/* Without numbers a path is numbered: short ones first, and the list says what each is. */
TEST(paths_of_labels_are_numbered)
{
	static const char *const labels[] = {"up:x", "down:y"};
	static const int up[] = {0}, both[] = {0, 1};
	const struct label_path paths[4] = {{0}, {2, both}, {1, up}, {0}};
	const struct relation r = {
		.title = "t", .n = 2, .paths = paths, .labels = labels, .n_labels = 2};
	static const double want[] = {0, 2, 1, 0};
	struct mat m, mask;
	const char *legend;
	assert_true(dump_relation(&r, &arena, &m, &mask, &legend));
	for (size_t i = 0; i < 4; i++) {
		assert_true(fabs(m.at[i] - want[i]) <= 0);
		assert_true(fabs(mask.at[i] - 1) <= 0);
	}
	assert_string_equal(legend, "{\"title\":\"t\",\"paths\":[\"\",\"up:x\",\"up:x down:y\"]}");
	static const int32_t at[] = {0, RELATION_NO_PATH, 3, 0};
	const struct relation n = {.title = "t", .n = 2, .at = at};
	assert_true(dump_relation(&n, &arena, &m, &mask, &legend));
	for (size_t i = 0; i < 4; i++) {
		assert_true(fabs(m.at[i] - (i == 1 ? 0 : at[i])) <= 0);
		assert_true(fabs(mask.at[i] - (i == 1 ? 0 : 1)) <= 0);
	}
	assert_string_equal(legend, "{\"title\":\"t\",\"legend\":{\"none\":\"no path\"}}");
	const struct label_path own[4] = {{1, up}, {0}, {0}, {2, both}};
	static const int32_t lengths[] = {1, RELATION_NO_PATH, RELATION_NO_PATH, 2};
	const struct relation tokens = {.title = "t",
					.n = 2,
					.of_tokens = true,
					.at = lengths,
					.paths = own,
					.labels = labels,
					.n_labels = 2};
	assert_true(dump_relation(&tokens, &arena, &m, &mask, &legend));
	assert_true(fabs(m.at[3] - 2) <= 0);
	assert_non_null(strstr(legend, "\"path_of_token\":[\"up:x\",\"up:x down:y\"]"));
	assert_false(dump_relation(&(struct relation){0}, &arena, &m, &mask, &legend));
}
