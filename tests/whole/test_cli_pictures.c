/* test_cli_pictures.c: pictures and three position ids, as a user gives them. */
#include <string.h>

#include "test.h"
#include "help_cli.h"
#include "help_tensors.h"

FIXTURE(cli_enter, cli_leave)

/* --patches is short for a sentence, also as a command; a dump has the cells and opens as a scene. */
TEST(patches_are_a_text_of_pictures)
{
	static const char *const rows[][2] = {{"--patches", "2x3, 2x1x2"},
					      {"--sentence", "<image 2x3> <video 2x1x2>"},
					      {"-c", "patches 2x3 2x1x2"}};
	struct arena a;
	arena_init(&a);
	for (size_t i = 0; i < 3; i++) {
		struct tensor_set set;
		cli_good(&(struct cli_case){.args = {"dump", "rope_2d", rows[i][0], rows[i][1],
						     "-o", "p.safetensors"}});
		tensor_set_init(&set, &a);
		assert_true(help_tensors(&set, "p.safetensors", NULL));
		static const double row[] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 0},
				    column[] = {0, 1, 2, 0, 1, 2, 0, 1, 0, 1},
				    picture[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 2},
				    time[] = {0, 0, 0, 0, 0, 0, 3, 3, 4, 4};
		assert_memory_equal(cli_tensor(&set, "position.row")->at, row, sizeof row);
		assert_memory_equal(cli_tensor(&set, "position.column")->at, column, sizeof row);
		assert_memory_equal(cli_tensor(&set, "position.picture")->at, picture, sizeof row);
		assert_memory_equal(cli_tensor(&set, "position.temporal")->at, time, sizeof row);
		cli_remove("p.safetensors");
	}
	arena_release(&a);
}

/* A page keeps its picture: it opens and verifies. */
TEST(pages_of_pictures_verify)
{
	cli_good(&(struct cli_case){
		.args = {"render", "mrope+causal", "-s", "see <image 2x3> !", "-o", "p.png"}});
	cli_good(&(struct cli_case){.args = {"verify", "p.png"}});
	struct cli_result r;
	cli_run(&r, &(struct cli_case){.args = {"render", "p.png", "--format", "txt"}});
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "see <image 2x3> !"));
	cli_done(&r);
	cli_remove("p.png");
}

TEST(what_is_no_grid_is_one_line)
{
	static const struct {
		const char *expression, *option, *value, *other, *also, *says;
	} rows[] = {
		{"rope", "--patches", "4x", "--seed", "1", "patches: \"4x\" is no grid"},
		{"rope", "--patches", "4x6", "--tokens", "chars",
		 "--patches makes a grid among words, and --tokens says \"chars\""},
		{"rope", "--patches", "99x99", "--seed", "1",
		 "has 9801 patches; the limit is 4096"},
		{"rope", "--sentence", "a <image 3x>", "--seed", "1",
		 "\"<image 3x>\" is no picture"},
		{"rope_2d(grid=5)", "--patches", "2x2", "--seed", "1",
		 "has a picture of 2 columns; leave grid out"},
		{"rope", "--position-ids", "0 1; 0 1; 0 1", "--sentence", "a b",
		 "reads one position a token, and position-ids gives three"},
		{"mrope", "--position-ids", "0 1; 0 1", "--sentence", "a b",
		 "2 rows parted by ';'"},
		{"mrope(sections=[1,1,1])", "--patches", "2x2", "--seed", "1",
		 "are 3 pairs, and a head of width 16 has 8; [2,3,3] would be right"},
		{"graphormer", "--patches", "2x2", "--seed", "1",
		 "pictures: graphormer puts tokens among those"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cli_refuse(&(struct cli_case){.args = {"dump", rows[i].expression, rows[i].option,
						       rows[i].value, rows[i].other, rows[i].also,
						       "-o", "x.json"}},
			   rows[i].says);
}
