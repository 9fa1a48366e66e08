/* test_cli_scenes.c: scenes by the names of their files, what is read off a structure that nobody gave,
 * pages that are empty, and own attention from files as others write them. */
#include <string.h>

#include "test.h"
#include "help_cli.h"

FIXTURE(cli_enter, cli_leave)

/* The status, and one line of these words on standard error ("": none). */
static void expect(const struct cli_case *c, int code, const char *says)
{
	struct cli_result r;
	cli_run(&r, c);
	if (r.code != code || !strstr(r.err, says) || (*r.err && !*says))
		fail_msg("%s %s: status %d, not %d with \"%s\": %s", c->args[0], c->args[1], r.code,
			 code, says, r.err);
	if (strchr(r.err, '\n') != (*r.err ? r.err + r.err_len - 1 : NULL))
		fail_msg("%s %s: more than a line: %s", c->args[0], c->args[1], r.err);
	cli_done(&r);
}

/* Nothing is written where something is refused. */
static void refuse(const struct cli_case *c, const char *says)
{
	const size_t before = cli_files();
	expect(c, 2, says);
	assert_int_equal(cli_files(), before);
}

static void write_text(const char *name, const char *text)
{
	cli_write(name, text, strlen(text));
}

/* ---- scenes of files ----------------------------------------------------------------------------- */

static char *csv_of(const char *subject, struct arena *a)
{
	struct cli_result r;
	cli_run(&r, &(struct cli_case){
			    .args = {"dump", subject, "--matrix", "bias", "--format", "csv"}});
	if (r.code != 0)
		fail_msg("%s: %s", subject, r.err);
	char *const out = arena_strdup(a, r.out);
	cli_done(&r);
	return out;
}

TEST(a_scene_stands_in_place_of_an_expression)
{
	struct arena a;
	struct cli_result r;
	arena_init(&a);
	write_text("s.posviz", "scheme alibi\nsentence we see it\nheads 2\n");
	cli_good(&(struct cli_case){.args = {"render", "s.posviz", "-o", "s.png"}});
	assert_string_equal(csv_of("s.posviz", &a), csv_of("s.png", &a));
	/* The distances of three words, slope 1/16 of the first of two heads. */
	assert_non_null(strstr(csv_of("s.png", &a), "\"it\",-0.125,-0.0625,0\n"));
	cli_run(&r,
		&(struct cli_case){.args = {"show", "s.png", "-s", "one two", "--format", "json"}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "\"expression\": \"alibi\""));
	assert_non_null(strstr(r.out, "\"source\": \"one two\"")); /* options stand over it */
	cli_done(&r);
	cli_remove("s.posviz");
	cli_remove("s.png");
	arena_release(&a);
}

TEST(what_is_no_scene_is_refused)
{
	write_text("words.txt", "a text of words\n");
	write_text("one.posviz", "scheme rope\n");
	write_text("two.posviz", "scheme alibi\n");
	write_text("bad.posviz", "scheme rope\nheads none\n");
	refuse(&(struct cli_case){.args = {"render", "words.txt", "-o", "x.png"}},
	       "render: \"words.txt\" is a text and no scene; give an expression, and the file by "
	       "--file");
	refuse(&(struct cli_case){.args = {"render", "one.posviz", "two.posviz", "-o", "x.png"}},
	       "render: \"one.posviz\" is a file, and a scene of a file stands alone");
	refuse(&(struct cli_case){.args = {"render", "rope", "words.txt", "-o", "x.png"}},
	       "expression 2: \"words.txt\" is a text: --file FILE takes it");
	refuse(&(struct cli_case){.args = {"one.posviz", "two.posviz"}},
	       "several files are gone through on a terminal; here one at a time");
	refuse(&(struct cli_case){.args = {"show", "bad.posviz"}}, "bad.posviz:2: heads");
	refuse(&(struct cli_case){.args = {"render", "gone.posviz", "-o", "x.png"}},
	       "no scheme \"gone.posviz\"");
	cli_remove("words.txt");
	cli_remove("one.posviz");
	cli_remove("two.posviz");
	cli_remove("bad.posviz");
}

/* ---- what nobody gave ---------------------------------------------------------------------------- */

#define CHAIN "and none is given: the words are taken for a chain; "

TEST(a_chain_in_place_of_a_tree_is_said)
{
	expect(&(struct cli_case){.args = {"render", "spr_rel", "-s", "a dog bit the man", "-o",
					   "x.png", "--force"}},
	       0, "spr_rel reads a tree, " CHAIN "--tree, --conllu or --governors gives one");
	expect(&(struct cli_case){.args = {"dump", "graphormer", "--matrix", "bias", "--format",
					   "npy", "-o", "x.npy"}},
	       0, "graphormer reads a graph, " CHAIN "--graph gives one");
	expect(&(struct cli_case){.args = {"render", "spr_rel", "-s", "a dog bit the man",
					   "--governors", "2 3 0 5 3", "-o", "x.png", "--force"}},
	       0, "");
	expect(&(struct cli_case){.args = {"render", "shaw", "-o", "x.png", "--force"}}, 0, "");
	cli_remove("x.png");
	cli_remove("x.npy");
}

TEST(an_empty_page_is_said)
{
	expect(&(struct cli_case){.args = {"render", "sinusoidal", "--view", "relation", "-o",
					   "x.png", "--force"}},
	       0, "the view relation is empty here: this scheme makes no number of two tokens");
	expect(&(struct cli_case){.args = {"render", "rope", "--view", "relation", "-o", "x.png",
					   "--force"}},
	       0, "");
	cli_remove("x.png");
}

/* ---- own attention --------------------------------------------------------------------------------- */

TEST(tabs_part_numbers_too)
{
	write_text("m.tsv", "1\t0\n0.25\t0.75\n");
	expect(&(struct cli_case){.args = {"dump", "matrix(from=m.tsv)", "-s", "a b", "--matrix",
					   "weights", "--format", "csv", "-o", "w.csv"}},
	       0, "");
	struct arena a;
	size_t len;
	arena_init(&a);
	assert_string_equal(cli_read("w.csv", &a, &len),
			    ",\"a\",\"b\"\n\"a\",1,0\n\"b\",0.25,0.75\n");
	arena_release(&a);
	cli_remove("m.tsv");
	cli_remove("w.csv");
}

/* Two layers of three heads: what nobody chose is the file's, what was chosen is refused. */
TEST(stacked_attention_brings_its_sizes)
{
	static const char stack[] = "[[[[[1]],[[1]],[[1]]]],[[[[1]],[[1]],[[1]]]]]";
	struct cli_result r;
	write_text("stack.json", stack);
	cli_run(&r, &(struct cli_case){.args = {"show", "matrix(from=stack.json)", "-s", "a",
						"--format", "json"}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "\"heads\": 3"));
	assert_non_null(strstr(r.out, "\"layers\": 2"));
	cli_done(&r);
	refuse(&(struct cli_case){.args = {"render", "matrix(from=stack.json)", "-s", "a",
					   "--layers", "4", "-o", "x.png"}},
	       "\"stack.json\" has 2 layers, the model 4; layers 2 would be right");
	cli_remove("stack.json");
}

TEST(files_of_others_are_refused_with_a_remedy)
{
	static const struct {
		const char *name, *says;
	} rows[] = {
		{"w.pt",
		 "\"w.pt\": PyTorch's own files are pickles, which run programs, and are not "
		 "read; safetensors.torch.save_file({\"name\": t}, FILE) or numpy.save(FILE, "
		 "t.detach().float().numpy()) writes what is"},
		{"pytorch_model.bin", "PyTorch's own files are pickles"},
		{"w.pkl", "a pickle runs programs and is not read"},
		{"w.npz", "\"w.npz\": not an npz file that can be read"},
		{"w.dat", "\"w.dat\" is an archive (zip): what is packed in it would be right"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		write_text(rows[i].name, "PK\x03\x04 no archive");
		refuse(&(struct cli_case){.args = {"render", "--matrix-from", rows[i].name, "-o",
						   "x.png"}},
		       rows[i].says);
		cli_remove(rows[i].name);
	}
	refuse(&(struct cli_case){.args = {"render", "--matrix-from", "-", "-o", "x.png"}},
	       "a tensor is not read from a stream");
	refuse(&(struct cli_case){.args = {"render", "rope", "--position-ids", "a,b", "-o",
					   "x.png"}},
	       "position-ids: \"a\" is not a whole number");
}
