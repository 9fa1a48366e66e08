/* test_structure_files.c: files of structures as the running program meets them: pictures that name them,
 * pipes that nobody waits for, edges on one line, and what a new one takes the place of. */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "help_setup.h"
#include "help_arena.h"
#include "help_app.h"
#include "help_cli.h"
#include "posviz/app/snapshot.h"
#include "posviz/picture/picture.h"

FIXTURE(open_folder, close_folder)

/* ---- snapshots ----------------------------------------------------------------------------------------- */

static void write_snapshot(const char *lines, const char *name)
{
	const struct scene s = help_scene_read(lines);
	struct err err = {""};
	struct picture *const p = arena_calloc(&arena, 1, sizeof *p);
	char *data;
	size_t len;
	if (!picture_make(&s, NULL, false, BACKGROUND_LIGHT, NULL, NULL, &arena, p, &err) ||
	    !snapshot_png(&s, &p->figure, NULL, &arena, &data, &len, NULL, &err))
		fail_msg("%s", err.text);
	cli_write(name, data, len);
}

TEST(snapshots_keep_structures)
{
	static const char text[] = "1\tmice\t_\t_\t_\t_\t2\tnsubj\t_\t_\n"
				   "2\trun\t_\t_\t_\t_\t0\troot\t_\t_\n";
	static const char *const rows[] = {
		"conllu @treebank\npick 3\norder reverse\nscheme spr_rel\n",
		"governors 2 3 0\nsentence a b c\n",
		"tree (a (b c) d)\ntree-units nodes\n",
		"graph x.edges\nreorder 2 1\nlength 3\n",
		"conllu mice.conllu\ntranslation Mäuse rennen\nalignment 1-1 2-2\n",
	};
	cli_write("x.edges", "a b\n", 4);
	cli_write("mice.conllu", text, strlen(text));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct app app;
		struct scene s = help_scene_read(rows[i]);
		struct arena a;
		arena_init(&a);
		scene_make_absolute(&s, &a);
		write_snapshot(rows[i], "x.png");
		app_init(&app);
		help_app_run(&app, "open x.png");
		assert_true(scene_equal(&app.scene, &s));
		assert_true(*s.setup.graph == '/' || *s.setup.conllu == '/' ||
			    *s.setup.conllu == '@' || strchr("(@", *s.setup.tree) ||
			    *s.setup.governors);
		app_release(&app);
		arena_release(&a);
		cli_good(&(struct cli_case){.args = {"verify", "x.png"}});
		cli_remove("x.png");
	}
	/* One of somebody else's whose file is none here: refused before anybody waits for it. */
	struct app app;
	write_snapshot("conllu mice.conllu\n", "x.png");
	cli_remove("mice.conllu");
	assert_int_equal(mkfifo("mice.conllu", 0600), 0);
	app_init(&app);
	help_app_refuse(&app, "open x.png", "no regular file");
	app_release(&app);
	cli_remove("mice.conllu");
	cli_remove("x.edges");
	cli_remove("x.png");
}

/* A file that an expression names is found from anywhere, whatever it and its folder are called. */
TEST(snapshots_keep_the_files_of_expressions)
{
	static const char *const folders[] = {"plain", "a b", "q\"\\,(;é"};
	static const char numbers[] = "1,0\n0.5,0.5\n";
	char home[PATH_MAX];
	assert_non_null(getcwd(home, sizeof home));
	cli_write("y.csv", "3,4\n5,6\n", 8); /* another one of that name */
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		assert_int_equal(mkdir(folders[i], 0700), 0);
		assert_int_equal(chdir(folders[i]), 0);
		cli_write("x+1;2.csv", numbers, strlen(numbers));
		cli_write("y.csv", "0,2\n-1,0\n", 9);
		write_snapshot(
			"sentence a b\nview compare\nscheme matrix(from=\"x+1;2.csv\")+causal\n"
			"compare rope; matrix(from=y.csv,as=bias); none\n",
			"../x.png");
		assert_int_equal(chdir(home), 0);
		struct app app;
		app_init(&app);
		help_app_run(&app, "open x.png");
		struct expr e;
		struct err err;
		const char *all[COMPARE_MAX];
		assert_int_equal(scene_compared(&app.scene.setup, &arena, all), 4);
		assert_true(expr_parse(&e, all[0], &arena, &err));
		assert_int_equal(e.n, 2);
		assert_string_equal(*(const char **)e.members[0].param,
				    arena_printf(&arena, "%s/%s/x+1;2.csv", home, folders[i]));
		assert_string_equal(all[1], "rope");
		assert_true(expr_parse(&e, all[2], &arena, &err));
		assert_string_equal(*(const char **)e.members[0].param,
				    arena_printf(&arena, "%s/%s/y.csv", home, folders[i]));
		assert_string_equal(all[3], "none");
		app_release(&app);
		cli_good(&(struct cli_case){.args = {"verify", "x.png"}});
		cli_remove("x.png");
		assert_int_equal(chdir(folders[i]), 0);
		cli_remove("x+1;2.csv");
		cli_remove("y.csv");
		assert_int_equal(chdir(home), 0);
		assert_int_equal(rmdir(folders[i]), 0);
	}
	cli_remove("y.csv");
}

/* What names no file stays as it was written, and so does a name that could not be kept. */
TEST(other_expressions_stay)
{
	static const char *const rows[] = {"scheme t5\ncompare none()\n", "scheme matrix\n",
					   "compare rope; matrix(from=/x.csv)\n",
					   "scheme formula(b=s-t)\n"};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = help_scene_read(rows[i]);
		const struct scene before = s;
		scene_make_absolute(&s, &arena);
		assert_true(scene_equal(&s, &before));
	}
	char name[PARAM_FILE_MAX];
	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	const char *const long_one = arena_printf(&arena, "matrix(from=%s)", name);
	assert_string_equal(expression_make_absolute(long_one, &arena), long_one);
}

/* The running program would stand still before a pipe; and a picture whose scene cannot be computed
 * leaves what is there. */
TEST(nothing_is_waited_for)
{
	static const char *const lines[] = {"conllu pipe", "tree pipe", "graph pipe", "file pipe",
					    "open pipe"};
	struct app app;
	struct err err;
	app_init(&app);
	app.background = true;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		help_app_refuse(&app, lines[i], "no regular file");
	help_app_refuse(&app, "graph /dev/zero", "no regular file");
	help_app_refuse(&app, "tree .", "directory");
	help_app_refuse(&app, "file -", "standard input");
	assert_true(scene_file_right("missing", &err));
	cli_remove("pipe");
	cli_write("x.edges", "a b\n", 4);
	write_snapshot("graph x.edges\n", "x.png");
	cli_remove("x.edges");
	help_app_refuse(&app, "open x.png", "x.edges");
	cli_remove("x.png");
	app_release(&app);
}

TEST(edges_stand_on_one_line)
{
	struct app app;
	struct arena a;
	struct input tokens;
	const struct structure *s;
	arena_init(&a);
	app_init(&app);
	help_app_run(&app, "graph a b; \"b;c\" a;");
	assert_true(setup_tokens(&app.scene.setup, &a, &tokens, &s, NULL, NULL));
	assert_int_equal(s->n, 3);
	assert_int_equal(s->n_edges, 2);
	assert_string_equal(s->names[2], "b;c");
	app_release(&app);
	arena_release(&a);
}

/* What goes although nobody named it. */
TEST(what_is_displaced_is_said)
{
	struct app app;
	app_init(&app);
	help_app_run(&app, "tree (a (b c) d)");
	help_app_run(&app, "sentence one two");
	assert_non_null(strstr(app.message, "the tree is gone"));
	help_app_run(&app, "alignment 1-2 2-1");
	assert_non_null(strstr(app.message, "no translation"));
	help_app_run(&app, "reorder 2 1");
	assert_non_null(strstr(app.message, "the alignment is gone"));
	assert_string_equal(app.scene.setup.alignment, "");
	app_release(&app);
	static const struct {
		const char *args[CLI_ARGS], *says;
		int code;
	} rows[] = {
		{{"show", "xlpe", "-s", "a b", "--reorder", "2 1", "--alignment", "1-1"},
		 "leave one of them out",
		 2},
		{{"show", "xlpe", "-s", "a b", "--alignment", "1-2 2-1"},
		 "without --translation",
		 0},
		{{"show", "spr_rel", "--tree", "(a b)", "-s", "a b"},
		 "takes the place of --tree",
		 0},
		{{"show", "spr_rel", "-s", "a b", "--governors", "0 0"}, "", 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct cli_case c = {0};
		struct cli_result r;
		memcpy(c.args, rows[i].args, sizeof c.args);
		cli_run(&r, &c);
		if (r.code != rows[i].code || !strstr(r.err, rows[i].says))
			fail_msg("row %zu: %d, %s", i, r.code, r.err);
		if (i == 3)
			assert_non_null(strstr(r.out, "2 roots, each at depth 0"));
		cli_done(&r);
	}
}
