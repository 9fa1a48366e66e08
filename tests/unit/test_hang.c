/* test_hang.c: hanging words of a tree elsewhere: the scene, the numbers, the labels and the words. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "help_app.h"
#include "help_arena.h"
#include "help_scheme.h"
#include "help_setup.h"
#include "posviz/input/structure.h"
#include "posviz/view/view.h"

FIXTURE(open_arena, close_arena)

#define WORD(id, form, head, relation) id "\t" form "\t_\t_\t_\t_\t" head "\t" relation "\t_\t_\\n"
#define TREE                                                                                      \
	"conllu \"" WORD("1", "a", "2", "x") WORD("2", "b", "0", "root") WORD("3", "c", "2", "y") \
		WORD("4", "a", "3", "z") "\""
/* The same with c on a, as a file says it. */
#define HUNG                                                                                      \
	"conllu \"" WORD("1", "a", "2", "x") WORD("2", "b", "0", "root") WORD("3", "c", "1", "y") \
		WORD("4", "a", "3", "z") "\""

/* "a<b:x b<0 ..." of the structure of a scene. */
static const char *tree_of(const struct scene *scene)
{
	const struct built b = help_build(scene);
	const struct structure *const s = b.structure;
	const char *out = "";
	assert_non_null(s);
	for (size_t i = 0; i < s->n; i++) {
		const char *relation = "";
		for (size_t e = 0; e < s->n_edges; e++)
			if (s->edges[e].to == i)
				relation = s->edge_labels[s->edges[e].label];
		out = arena_printf(&arena, "%s%s%s<%s:%s", out, i ? " " : "", s->names[i],
				   s->parent[i] < 0 ? "0" : s->names[s->parent[i]], relation);
	}
	return out;
}

TEST(a_word_hangs_elsewhere_and_all_numbers_follow)
{
	static const char *const schemes[] = {"spr_abs", "spr_rel", "tpe", "struct_tr"};
	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		struct app app;
		app_init(&app);
		help_app_run(&app, TREE);
		help_app_run(&app, arena_printf(&arena, "scheme %s", schemes[i]));
		const struct trace *const before = help_trace(&app.scene);
		help_app_run(&app, "hang 3 1");
		assert_string_equal(tree_of(&app.scene), "a<b:x b<0: c<a:y a<c:z");
		const struct scene by_hand =
			help_scene_read(arena_printf(&arena, HUNG "\nscheme %s", schemes[i]));
		const struct trace *const after = help_trace(&app.scene), *const want = help_trace(
										  &by_hand);
		assert_true(help_logits_apart(after, want, 0, 4) < 1e-12);
		assert_true(help_output_apart(after, want, 0) < 1e-12);
		assert_true(help_output_apart(before, after, 0) > 1e-6);
		/* The scene carries it, and it is taken back. */
		const struct scene again = help_scene_read(scene_print(&app.scene, &arena));
		assert_true(scene_equal(&again, &app.scene));
		help_app_run(&app, "undo");
		assert_string_equal(tree_of(&app.scene), "a<b:x b<0: c<b:y a<c:z");
		app_release(&app);
	}
}

TEST(words_are_named_and_circles_refused)
{
	struct app app;
	app_init(&app);
	help_app_run(&app, TREE);
	help_app_run(&app, "hang 'a'#2 'b'");
	assert_string_equal(tree_of(&app.scene), "a<b:x b<0: c<b:y a<b:z");
	help_app_run(&app, "hang 'c' 0");
	assert_string_equal(tree_of(&app.scene), "a<b:x b<0: c<0: a<b:z");
	help_app_run(&app, "hang 'c' 'a'#1");
	assert_string_equal(tree_of(&app.scene), "a<b:x b<0: c<a:y a<b:z");
	help_app_refuse(&app, "hang 'b' 'c'", "c hangs below b, so that would be a circle");
	help_app_refuse(&app, "hang 2 2", "b cannot hang on itself");
	help_app_refuse(&app, "hang 'd' 1", "there is no such word");
	help_app_refuse(&app, "hang 5 1", "word: ");
	help_app_refuse(&app, "hang 1", "hang");
	/* Another number of heads leaves the file's words alone. */
	help_app_refuse(&app, "governors 2 0", "2 numbers for 4 words");
	help_app_run(&app, "governors 0 1 2 3");
	assert_string_equal(tree_of(&app.scene), "a<0: b<a: c<b:y a<c:z");
	assert_true(*app.scene.setup.conllu != '\0');
	app_release(&app);
}

TEST(what_hangs_on_no_word_says_so)
{
	struct app app;
	app_init(&app);
	help_app_run(&app, "sentence a b c");
	help_app_run(&app, "hang 3 1");
	assert_string_equal(tree_of(&app.scene), "a<0: b<a: c<a:");
	help_app_run(&app, "tree (s (n a) (v b))");
	assert_string_equal(app.scene.setup.governors, "");
	help_app_refuse(&app, "hang 1 2", "leaves of a tree");
	help_app_run(&app, "tree-units nodes");
	help_app_run(&app, "hang 'n' 'v'");
	assert_string_equal(tree_of(&app.scene), "s<0: n<v: a<n: v<s: b<v:");
	help_app_run(&app, "tree-units leaves");
	assert_string_equal(app.scene.setup.governors, "");
	help_app_run(&app, "graph a -> b; b -> c");
	help_app_refuse(&app, "hang 1 2",
			"the structure is a graph, where a word hangs on no other");
	help_app_run(&app, "rehang");
	help_app_run(&app, "graph \"a\nb\"");
	help_app_refuse(&app, "rehang", "the graph has no edges");
	app_release(&app);
}

/* Heads of one sentence are none of another. */
TEST(another_sentence_has_its_own_heads)
{
	struct app app;
	app_init(&app);
	help_app_run(&app, "conllu @treebank");
	help_app_run(&app, "hang 1 0");
	assert_true(*app.scene.setup.governors != '\0');
	help_app_run(&app, "pick next");
	assert_string_equal(app.scene.setup.governors, "");
	app_release(&app);
}
