/* options_table.c: the options that are neither fields of the scene nor settings, and their
 * effects. */
#include "cli.h"

#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/format/file.h"
#include "posviz/picture/picture.h"
#include "posviz/picture/sheet.h"
#include "posviz/scheme/given.h"
#include "posviz/tour/quiz.h"

static bool set_ascii(struct cli *c, const char *value, struct err *err)
{
	(void)value;
	return setting_set(&c->app.settings, setting_find("glyphs"), "ascii", err);
}

static bool set_command(struct cli *c, const char *value, struct err *err)
{
	(void)err;
	c->commands[c->n_commands++] = value;
	return true;
}

static bool set_expect(struct cli *c, const char *value, struct err *err)
{
	(void)err;
	c->expects[c->n_expects++] = value;
	return true;
}

static bool set_task(struct cli *c, const char *value, struct err *err)
{
	(void)err;
	c->tasks[c->n_tasks++] = value;
	return true;
}

bool cli_set_matrix_from(struct cli *c, const char *value, struct err *err)
{
	return given_expression(value, &c->arena, &c->matrices[c->n_matrices++], err) ||
	       err_prefix(err, "matrix-from: ");
}

/* Gives ids by a file. A name that looks like numbers would be read as ids: "./" keeps it a name. */
bool cli_set_token_file(struct cli *c, const char *value, struct err *err)
{
	if (!file_exists(value))
		return err_set(err, "token-file: there is no file %s",
			       text_quote(&c->arena, value, strlen(value)));
	cli_give(c, "ids", strchr(value, '/') ? value : arena_printf(&c->arena, "./%s", value));
	return true;
}

bool cli_set_source(struct cli *c, const char *value, struct err *err)
{
	(void)err;
	cli_give(c, "source-text", value);
	return true;
}

bool cli_set_text(struct cli *c, const char *value, struct err *err)
{
	(void)err;
	cli_give(c, "file", value);
	return true;
}

/* Applies the preset of --for, before the options that change parts of it: see apply(). */
bool cli_set_for(struct cli *c, const char *value, struct err *err)
{
	return app_preset(&c->scene, value, err);
}

/* Takes a model's positions and sizes, before the options that change parts of them. */
bool cli_set_model(struct cli *c, const char *value, struct err *err)
{
	const char *said;
	if (!app_model(&c->scene, value, &c->arena, &said, err))
		return false;
	c->scheme_given = c->sizes_given = c->layers_given = true;
	return true;
}

bool option_value(struct cli *c, const char *name, const char *value, const char **out,
		  struct err *err)
{
	*out = strcmp(name, "pair") == 0 ? app_pair_name(value) : value;
	if (!app_models_in(name, *out, &c->arena, out, err))
		return err_prefix(err, "%s: ", name);
	return true;
}

static bool set_cells(struct cli *c, const char *value, struct err *err)
{
	const char *const x = strchr(value, 'x');
	if (!x || x == value || !x[1])
		return err_set(err, "cells: give COLUMNSxROWS, such as 120x36");
	if (!num_parse_long(value, (size_t)(x - value), 20, 1000, &c->cols, err))
		return err_prefix(err, "cells: the columns: ");
	return num_parse_long(x + 1, strlen(x + 1), 8, 1000, &c->rows, err) ||
	       err_prefix(err, "cells: the rows: ");
}

static bool set_numbers(struct cli *c, const char *value, struct err *err)
{
	c->numbers = value;
	return view_numbers_known(value, err);
}

static bool set_level(struct cli *c, const char *value, struct err *err)
{
	return quiz_level_parse(value, &c->level, err);
}

static bool set_kind(struct cli *c, const char *value, struct err *err)
{
	return quiz_kinds_parse(value, &c->kinds, err);
}

static const char *const leaves_names[] = {"read", "all", NULL}; /* from LEAVES_READ */

/* The location of a value, whose C type gives its kind; a switch takes no value and becomes
 * true. */
#define AT(member) FIELD_AT(struct cli, member)
/* The location of a file's name, which is not empty. */
#define FILE_AT(member) .offset = offsetof(struct cli, member), .type.kind = &value_file

const char *cli_option_args(const struct cli_option *o, struct arena *a)
{
	return o->args || o->type.kind != &value_choice ? o->args : value_range(&o->type, a);
}

bool cli_option_set(struct cli *c, const struct cli_option *o, const char *value, struct err *err)
{
	if (o->set)
		return o->set(c, value, err);
	void *const at = (char *)c + o->offset;
	if (!value)
		value = "on";
	if (o->type.kind == &value_file && !*value)
		return err_set(err, "%s: the name is empty", o->name);
	return value_parse(&o->type, value, strlen(value), at, &c->arena, err) ||
	       err_prefix(err, "%s: ", o->name);
}

const struct cli_option cli_options[] = {
	{"output", "FILE",
	 "where the result goes; - is standard output; a file that exists stays without --force",
	 'o', TAKES_OUTPUT, FILE_AT(output)},
	{"force", NULL, "overwrite a file that exists", 0, TAKES_OUTPUT | TAKES_RECORD, AT(force)},
	{"format", "NAME", "the format of the result", 0, TAKES_FORMAT, AT(format)},
	{"cells", "COLUMNSxROWS",
	 "size of a picture as text, from 20x8 to 1000x1000; 120x36, or the terminal's", 0,
	 TAKES_PICTURE | TAKES_TOUR, .set = set_cells},
	{"model", "NAME|FILE",
	 "a released model, such as llama3.1-8b, or the config.json or directory of any: the expression "
	 "of its positions, and its sizes; what else is given goes before; posviz list models",
	 0, TAKES_SCENE, .set = cli_set_model},
	{"for", "acl|neurips|slide|poster",
	 "size, letters and caption for a paper's column, a slide or a poster; what else is given "
	 "goes before",
	 0, TAKES_LOOK | TAKES_PAGE, .set = cli_set_for},
	{"write-caption", NULL,
	 "the caption as text beside the picture: FILE.caption.txt, with what each panel is", 0,
	 TAKES_PICTURE, AT(write_caption)},
	{"share-scale", NULL,
	 "maps that have their limits in common: none [off], those on one sentence, or all", 0,
	 TAKES_SHEET, AT(share_scale), CHOICES(contact_share_names)},
	{"numbers", "all|quick|none|VIEW,...",
	 "which views say their numbers; without it dump and show have those that are quick, check none",
	 0, TAKES_NUMBERS, .set = set_numbers},
	{"leaves", NULL,
	 "of a dump: learned parameters whole [all; safetensors, npz], or of large ones the rows and columns "
	 "that logits and contexts of the input read, without drawn weights of the feed-forward block and "
	 "tables of positions beyond it [read; json]; its metadata names what is left out",
	 0, TAKES_LEAVES, AT(leaves), CHOICES(leaves_names)},
	{"ascii", NULL, "short for --glyphs ascii", 0, TAKES_TERMINAL, .set = set_ascii},
	{"same", NULL,
	 "whether two expressions, exactly two, are one model in two conventions, or a model's rotation, "
	 "bias or position ids are those of FILE:TENSOR; exit status 1: they are not",
	 0, TAKES_SAME, AT(same)},
	{"all", NULL, "every figure, into the directory that --output names", 0, TAKES_FIGURES,
	 AT(all)},
	{"check", NULL,
	 "no picture: what is said of its numbers, and whether that holds; exit status 1: one does "
	 "not",
	 0, TAKES_FIGURES | TAKES_TOUR | TAKES_QUIZ, AT(check)},
	{"list", NULL, "which tours there are; of learn, the lines of its runs", 0,
	 TAKES_TOUR | TAKES_LEARN, AT(list)},
	{"step", "N", "begin with this step of the tour; with -o that step alone", 0, TAKES_TOUR,
	 AT(step), RANGE(1, 100000)},
	{"notes", NULL,
	 "the speaker's notes, which follow the tour that another terminal shows, and can step it",
	 0, TAKES_TOUR, AT(notes)},
	{"questions", NULL, "a hand-out without the answers", 0, TAKES_TOUR, AT(questions)},
	{"steps-per-page", "1|2|4|6",
	 "steps on a page of a hand-out, fewer if their words need more; 2, of a lecture 4, and 1 on a page "
	 "wider than high",
	 0, TAKES_TOUR, AT(per_page), RANGE(1, 6)},
	{"pace", "SECONDS", "go on by itself, each picture so long, until a key is pressed", 0,
	 TAKES_TOUR, AT(pace), RANGE(0.1, 3600)},
	{"level", "families|schemes|relatives|variants|structures",
	 "how similar the options of a quiz are, or 1 to 5", 0, TAKES_QUIZ, .set = set_level},
	{"count", "N", "tasks of a quiz, up to 60; 10", 0, TAKES_QUIZ, AT(count),
	 RANGE(1, QUIZ_MOST)},
	{"kind", "all|pictures|matrix|curve|words|reversed|numbers",
	 "what a quiz asks; pictures [all on a sheet] are all but numbers", 0, TAKES_QUIZ,
	 .set = set_kind},
	{"answers", "FILE", "where the answers of a sheet of exercises go", 0, TAKES_QUIZ,
	 FILE_AT(answers)},
	{"task", "NAME|RULE|FILE",
	 "what is learned [shift]: a task of posviz list tasks, a rule such as 'x[t-2]', or a file of lines "
	 "\"sentence TAB answers\"; may be repeated",
	 0, TAKES_LEARN, .set = set_task},
	{"seeds", "K", "runs that differ in their seed, from --seed on [1]", 0, TAKES_LEARN,
	 AT(seeds), RANGE(1, 1000)},
	{"steps", "N", "steps of training [500; with several layers 600]", 0, TAKES_LEARN,
	 AT(steps), RANGE(1, 100000)},
	{"rate", "R", "rate of training [0.01; with several layers 0.005]", 0, TAKES_LEARN,
	 AT(rate), RANGE(1e-9, 1e9)},
	{"positions-only", NULL, "only the position learns; all else stays as it was drawn", 0,
	 TAKES_LEARN, AT(positions_only)},
	{"test-as", "EXPR", "test what was trained under this expression, with the same numbers", 0,
	 TAKES_LEARN, AT(test_as)},
	{"keep", "DIR",
	 "write what a single run trained as the directory of a model: posviz DIR opens it", 0,
	 TAKES_LEARN, FILE_AT(keep)},
	{"one", "LINE", "one run, by its line of --list", 0, TAKES_LEARN, AT(one)},
	{"expect", "'QUANTITY = VALUE'",
	 "check this instead of the claims, of the sentence that is given; may be repeated; exit "
	 "status 1: one is false (posviz list quantities)",
	 0, TAKES_SAME, .set = set_expect},
	{"plain", NULL, "words and ranked numbers instead of a picture, for reading aloud", 0,
	 TAKES_PLAIN, AT(plain)},
	{"fresh", NULL, "do not restore the last scene", 0, TAKES_START, AT(fresh)},
	{"config", "FILE", "the configuration, instead of the user's", 0,
	 TAKES_START | TAKES_SCENE | TAKES_TABLE, FILE_AT(config)},
	{"print-config-dir", NULL, "print where the configuration is, and leave", 0, TAKES_START,
	 AT(print_config_dir)},
	{"patches", "ROWSxCOLUMNS",
	 "a picture as a grid of patches in place of the sentence: 14x14; 2x14x14 is two frames; "
	 "several are parted by blanks; --special cls puts a class token in front",
	 0, TAKES_SCENE, .set = cli_set_patches, .is_short = true},
	{"token-file", "FILE",
	 "ids from a file: one a line, or parted by blanks, or a list as Python and JSON print it",
	 0, TAKES_SCENE, .set = cli_set_token_file, .is_short = true},
	{"text", "FILE",
	 "the text that windows are taken of: short for --file; without it one of ours", 0,
	 TAKES_PROFILE, .set = cli_set_text, .is_short = true},
	{"qk", "FILE",
	 "q and k, [windows, layers, heads, n, d_h] before rotation, which the expression does, or "
	 "attention, [windows, layers, heads, n, n], in place of a model; ids, [windows, n], may be beside",
	 0, TAKES_PROFILE, FILE_AT(qk)},
	{"results", "FILE.npz",
	 "a file that keeps what is done every few seconds, and from which the same command goes on; of two models the "
	 "second has FILE-2.npz",
	 0, TAKES_PROFILE, FILE_AT(results)},
	{"source", "TEXT", "the text that the encoder of a model reads: short for --source-text", 0,
	 TAKES_SCENE, .set = cli_set_source, .is_short = true},
	{"matrix-from", "FILE[:TENSOR]",
	 "a bias or attention matrix of your own: one more expression, matrix(from=FILE)", 0,
	 TAKES_SCENE, .set = cli_set_matrix_from},
	{"command", "COMMAND", "run a command after the other options; may be repeated", 'c',
	 TAKES_SCENE, .set = set_command},
	{"help", NULL, "print this and leave", 'h', 0, AT(help)},
	{"version", NULL, "print the version and leave", 'V', 0, AT(version)},
	{0},
};
