/* options_table.c: the options that are no fields of the scene and no settings, and what each of them sets. */
#include "cli.h"

#include <string.h>

#include "posviz/base/num.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/picture/sheet.h"
#include "posviz/scheme/given.h"
#include "posviz/tour/quiz.h"

static bool set_output(struct cli *c, const char *value, struct err *err)
{
	c->output = value;
	return *value || err_set(err, "output: the name is empty");
}

static bool set_format(struct cli *c, const char *value, struct err *err)
{
	(void)err;
	c->format = value;
	return true;
}

static bool set_ascii(struct cli *c, const char *value, struct err *err)
{
	(void)value;
	return setting_set(&c->app.settings, setting_find("glyphs"), "ascii", err);
}

bool cli_set_config(struct cli *c, const char *value, struct err *err)
{
	c->config = value;
	return *value || err_set(err, "config: the name is empty");
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

bool cli_set_matrix_from(struct cli *c, const char *value, struct err *err)
{
	return given_expression(value, &c->arena, &c->matrices[c->n_matrices++], err) ||
	       err_prefix(err, "matrix-from: ");
}

/* Before all that says more: apply(). */
bool cli_set_for(struct cli *c, const char *value, struct err *err)
{
	return app_preset(&c->scene, value, err);
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

static bool set_share_scale(struct cli *c, const char *value, struct err *err)
{
	for (int i = 0; i < CONTACT_SHARES; i++)
		if (strcmp(contact_share_names[i], value) == 0)
			return c->share_scale = i, true;
	return err_set(err, "share-scale: %s is none of off|sentence|all",
		       text_quote(&c->arena, value, strlen(value)));
}

static bool set_numbers(struct cli *c, const char *value, struct err *err)
{
	c->numbers = value;
	return view_numbers_known(value, err);
}

static bool set_leaves(struct cli *c, const char *value, struct err *err)
{
	c->leaves = value;
	return strcmp(value, "all") == 0 || strcmp(value, "read") == 0 ||
	       err_set(err, "leaves: %s is none of read|all",
		       text_quote(&c->arena, value, strlen(value)));
}

static bool set_step(struct cli *c, const char *value, struct err *err)
{
	return num_parse_long(value, strlen(value), 1, 100000, &c->step, err) ||
	       err_prefix(err, "step: ");
}

static bool set_pace(struct cli *c, const char *value, struct err *err)
{
	return num_parse_double(value, strlen(value), 0.1, 3600, &c->pace, err) ||
	       err_prefix(err, "pace: ");
}

static bool set_level(struct cli *c, const char *value, struct err *err)
{
	return quiz_level_parse(value, &c->level, err);
}

static bool set_count(struct cli *c, const char *value, struct err *err)
{
	return num_parse_long(value, strlen(value), 1, QUIZ_MOST, &c->count, err) ||
	       err_prefix(err, "count: ");
}

static bool set_kind(struct cli *c, const char *value, struct err *err)
{
	return quiz_kinds_parse(value, &c->kinds, err);
}

static bool set_answers(struct cli *c, const char *value, struct err *err)
{
	c->answers = value;
	return *value || err_set(err, "answers: the name is empty");
}

#define FLAG(member) offsetof(struct cli, member)

const struct cli_option cli_options[] = {
	{"output", "FILE",
	 "where the result goes; - is standard output; a file that exists stays without --force",
	 'o', TAKES_OUTPUT, set_output},
	{"force", NULL, "overwrite a file that exists", 0, TAKES_OUTPUT | TAKES_RECORD, NULL,
	 FLAG(force)},
	{"format", "NAME", "the format of the result", 0, TAKES_FORMAT, set_format},
	{"cells", "COLUMNSxROWS",
	 "size of a picture as text, from 20x8 to 1000x1000; 120x36, or the terminal's", 0,
	 TAKES_PICTURE | TAKES_TOUR, set_cells},
	{"for", "acl|neurips|slide|poster",
	 "size, letters and caption for a paper's column, a slide or a poster; what else is given "
	 "goes before",
	 0, TAKES_LOOK | TAKES_PAGE, cli_set_for},
	{"write-caption", NULL,
	 "the caption as text beside the picture: FILE.caption.txt, with what each panel is", 0,
	 TAKES_PICTURE, NULL, FLAG(write_caption)},
	{"share-scale", "off|sentence|all",
	 "maps that have their limits in common: none [off], those on one sentence, or all", 0,
	 TAKES_SHEET, set_share_scale},
	{"numbers", "all|quick|none|VIEW,...",
	 "which views say their numbers; without it dump and show have those that are quick, check none",
	 0, TAKES_NUMBERS, set_numbers},
	{"leaves", "read|all",
	 "of a dump: learned parameters whole [all; safetensors, npz], or of large ones the rows and columns "
	 "that logits and contexts of the input read, without drawn weights of the feed-forward block and "
	 "tables of places beyond it [read; json]; its metadata names what is left out",
	 0, TAKES_LEAVES, set_leaves},
	{"ascii", NULL, "short for --glyphs ascii", 0, TAKES_TERMINAL, set_ascii},
	{"same", NULL,
	 "whether two expressions, exactly two, are one model in two conventions; exit status 1: "
	 "apart",
	 0, TAKES_SAME, NULL, FLAG(same)},
	{"all", NULL, "every figure, into the directory that --output names", 0, TAKES_FIGURES,
	 NULL, FLAG(all)},
	{"check", NULL,
	 "no picture: what is said of its numbers, and whether that holds; exit status 1: one does "
	 "not",
	 0, TAKES_FIGURES | TAKES_TOUR | TAKES_QUIZ, NULL, FLAG(check)},
	{"list", NULL, "which tours there are", 0, TAKES_TOUR, NULL, FLAG(list)},
	{"step", "N", "begin with this step of the tour; with -o that step alone", 0, TAKES_TOUR,
	 set_step},
	{"notes", NULL,
	 "the speaker's notes, which follow the tour that another terminal shows, and can step it",
	 0, TAKES_TOUR, NULL, FLAG(notes)},
	{"questions", NULL, "a hand-out without the answers", 0, TAKES_TOUR, NULL, FLAG(questions)},
	{"pace", "SECONDS", "go on by itself, each picture so long, until a key is pressed", 0,
	 TAKES_TOUR, set_pace},
	{"level", "families|schemes|relatives|variants|structures",
	 "how much alike the options of a quiz are, or 1 to 5", 0, TAKES_QUIZ, set_level},
	{"count", "N", "tasks of a quiz, up to 60; 10", 0, TAKES_QUIZ, set_count},
	{"kind", "all|pictures|matrix|curve|words|reversed|numbers",
	 "what a quiz asks; pictures [all on a sheet] are all but numbers", 0, TAKES_QUIZ,
	 set_kind},
	{"answers", "FILE", "where the answers of a sheet of exercises go", 0, TAKES_QUIZ,
	 set_answers},
	{"expect", "'QUANTITY = VALUE'",
	 "check this instead of the claims, of the sentence that is given; may be repeated; exit "
	 "status 1: one is false (posviz list quantities)",
	 0, TAKES_SAME, set_expect},
	{"plain", NULL, "words and ranked numbers instead of a picture, for reading aloud", 0,
	 TAKES_PLAIN, NULL, FLAG(plain)},
	{"fresh", NULL, "do not restore the last scene", 0, TAKES_START, NULL, FLAG(fresh)},
	{"config", "FILE", "the configuration, instead of the user's", 0,
	 TAKES_START | TAKES_SCENE | TAKES_TABLE, cli_set_config},
	{"print-config-dir", NULL, "print where the configuration is, and leave", 0, TAKES_START,
	 NULL, FLAG(print_config_dir)},
	{"matrix-from", "FILE[:TENSOR]",
	 "a bias or attention matrix of your own: one more expression, matrix(from=FILE)", 0,
	 TAKES_SCENE, cli_set_matrix_from},
	{"command", "COMMAND", "run a command after the other options; may be repeated", 'c',
	 TAKES_SCENE, set_command},
	{"help", NULL, "print this and leave", 'h', 0, NULL, FLAG(help)},
	{"version", NULL, "print the version and leave", 'V', 0, NULL, FLAG(version)},
	{0},
};
