/* cli.c: the table of sub-commands, and the function that runs one. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "posviz/app/places.h"
#include "posviz/base/portable.h"
#include "posviz/math/machine.h"

static const struct format_part list_formats[] = {{.names = "text json csv markdown bibtex"}, {0}};
static const struct format_part show_formats[] = {{.names = "text json bibtex"}, {0}};
static const struct format_part cost_formats[] = {{.names = "text json csv"}, {0}};
static const struct format_part heads_formats[] = {
	{.names = "text json csv npz"}, {.bits = FORMAT_SHEET | FORMAT_PAGE}, {0}};
static const struct format_part learn_formats[] = {
	{.names = "text json csv tex"}, {.bits = FORMAT_SHEET | FORMAT_PAGE}, {0}};
static const struct format_part report_formats[] = {{.names = "text json"}, {0}};
static const struct format_part render_formats[] = {
	{.bits = FORMAT_PICTURE}, {.bits = FORMAT_TERMINAL}, {0}};
static const struct format_part sheet_formats[] = {{.bits = FORMAT_SHEET}, {0}};
static const struct format_part tour_formats[] = {{.names = "text json csv markdown"},
						  {.bits = FORMAT_PAGES},
						  {.bits = FORMAT_IMAGE},
						  {.names = "apng cast"},
						  {0}};
static const struct format_part quiz_formats[] = {
	{.names = "text json"}, {.bits = FORMAT_PAGES}, {.names = "tour"}, {0}};
static const struct format_part dump_formats[] = {{.bits = FORMAT_NUMBERS}, {0}};

const struct subcommand subcommands[] = {
	{"", "[FILE...|@SAMPLE|EXPR...|TEXT]", "the terminal program",
	 "Shows position schemes at work while you type. FILE is a picture that posviz made, which "
	 "reopens as it was, dependency trees in CoNLL-U, a tree in brackets, a graph in DOT or "
	 "PENMAN or as a list of edges, a matrix of your own (attention.npy), a text, a tour "
	 "(lesson.tour#3: from its third step), or a script with one command a line. Several pictures or "
	 "scripts are gone through as the steps of a tour. "
	 "@SAMPLE is one of ours, here and wherever else a file of that kind goes (posviz list samples); "
	 "@trained is a small model that posviz learn trained, wherever a model goes. "
	 "EXPR is an expression, several are compared; TEXT of several words is the sentence, and so is "
	 "what is piped into posviz alone. An argument is a file where it has a slash or a known ending, "
	 "else an expression, else a file, else a text: of a scheme and a file of one name the scheme, "
	 "./NAME is the file.",
	 "--scheme t5+causal -s 'to be or not to be'",
	 TAKES_SCENE | TAKES_LOOK | TAKES_TERMINAL | TAKES_GRAPHICS | TAKES_SCREEN | TAKES_START |
		 TAKES_PLAIN,
	 64, NULL, false, cmd_terminal},
	{"render", "EXPR [EXPR...]",
	 "a figure as PNG, SVG, PDF, HTML, LaTeX or text, or on the terminal",
	 "Writes the figure of an expression. Two to four are compared: one "
	 "matrix of each on one scale, their curves, and the difference of the two that --pair "
	 "names. EXPR @ SENTENCE has a sentence of its own, @ SENTENCE alone is the first expression on "
	 "another, @order ORDER on the same words in another order, as one argument or parted; --sentence may be repeated for that. The format is --format, or the ending of FILE; - is standard output. A PNG "
	 "carries the scene that it was made from, and reopens; so does html, a page for a browser with the "
	 "picture, its numbers and the command. A scene in a file, a PNG, "
	 "a page of HTML, commands, or a step of a tour (lesson.tour#3, order#3), can stand in place of EXPR, here and "
	 "for show, dump and check --expect. tex is code of "
	 "pgfplots with its numbers, for matrices and curves: a paper draws it with its own "
	 "letters. "
	 "Without a file or a format it is "
	 "drawn on the terminal: as a picture, of the terminal's width or of --size, where the "
	 "terminal answers within 50 ms that it draws those of kitty or sixels, else in cells; "
	 "--graphics decides without an answer. posviz doctor says which it is here, and why.",
	 "render rope+causal alibi+causal -s 'to be or not to be' -o both.png",
	 TAKES_SCENE | TAKES_LOOK | TAKES_OUTPUT | TAKES_FORMAT | TAKES_PICTURE | TAKES_TERMINAL |
		 TAKES_GRAPHICS | TAKES_PLAIN,
	 64, render_formats, false, cmd_render},
	{"sheet", "[EXPR|FAMILY|all]...", "a map of each of many schemes on one page",
	 "Draws a contact sheet: the position bias of each expression on each sentence, as a "
	 "small map with its least and largest value, and with the share of it that the distance "
	 "s - t alone tells, by the families of the list. Without an expression all schemes are on "
	 "it but rules upon others (qk_norm, softcap), which family logits has; a family is named by its word: relative, absolute, trees, graphs. A scheme without "
	 "a bias shows its weights; one that wants a tree, a graph or an order that nobody gave is "
	 "drawn on its sample; either is said below its map. --sentence may be repeated. Without "
	 "--size the page is as large as the maps need; with --for it is as wide as there and as high "
	 "as the maps need. A PDF of many has several pages then, none higher than 9 in; the other formats "
	 "have one page, and say if it is higher than paper or than a page can be: print a PDF, a family, "
	 "some schemes, or --for poster, where letters are as small as 7 pt so that all fit. Without -o the sheet is drawn on the terminal, in cells.",
	 "sheet rope t5 alibi -s 'to be or not to be' -s 'to sleep, perchance to dream' -o sheet.png",
	 TAKES_SCENE | TAKES_MATRIX | TAKES_PAGE | TAKES_NAMES | TAKES_SHEET | TAKES_OUTPUT |
		 TAKES_FORMAT | TAKES_PICTURE | TAKES_TERMINAL,
	 1024, sheet_formats, false, cmd_sheet},
	{"figure", "[NAME]", "a figure or a table of the papers, drawn anew",
	 "Draws a figure of the papers that this program stands on, from the schemes themselves; where "
	 "the original shows what a trained model has learned, a pattern is drawn from stated "
	 "parameters, and the caption says so. posviz list figures names them. Formats are those of "
	 "render; without --size the page is the figure's own. --all writes every figure into the "
	 "directory that -o names, as PNG or in --format. --check prints what the "
	 "papers say of the numbers, or what follows from their formulas and the caption, and what "
	 "they are here.",
	 "figure survey-6 -o dots.png",
	 TAKES_PAGE | TAKES_OUTPUT | TAKES_FORMAT | TAKES_PICTURE | TAKES_TERMINAL |
		 TAKES_GRAPHICS | TAKES_PLAIN | TAKES_MEMORY | TAKES_FIGURES,
	 1, render_formats, false, cmd_figure},
	{"tour", "[NAME|FILE]...",
	 "a lecture, step by step; its notes, its hand-out, its numbers checked",
	 "Shows a tour, one of ours (posviz tour --list) or a file, beginning with --step. There Space and "
	 "PgDn go on, b and PgUp back, t lists the steps and Esc leaves; any other key does what it does "
	 "everywhere, and the next Space comes back. lecture is an hour of six of them. --notes in a second "
	 "terminal shows what the speaker needs. With -o FILE.pdf it is a hand-out, with two steps on a page "
	 "or --steps-per-page, with -o DIRECTORY a picture a step and an index; --questions leaves the answers "
	 "out. --step N -o FILE.apng "
	 "is the parameter that runs in that step, for slides, in --size and --theme. --check goes through "
	 "all of it without a terminal: the exit status is 1 where something that it expects is false, 2 "
	 "where a line is bad; of several files all are checked.",
	 "tour order",
	 TAKES_TOUR | TAKES_PAGE | TAKES_OUTPUT | TAKES_FORMAT | TAKES_TERMINAL | TAKES_GRAPHICS |
		 TAKES_SCREEN | TAKES_START | TAKES_MEMORY,
	 64, tour_formats, false, cmd_tour},
	{"quiz", "", "questions: which scheme drew this? and numbers to work out by hand",
	 "Shows matrices and curves that do not say what they are of, and asks: which scheme, which "
	 "sentence, what becomes of it when the words are reversed. a, b, c, d answer, Space goes on; "
	 "at the end it says how many were right and what was taken for what. --level goes from families to "
	 "variants of one scheme and to trees and graphs; the same --seed gives a class the same questions. "
	 "Without a terminal, or with --plain, questions are words and answers are read from standard "
	 "input, a letter a line. -o FILE.pdf is a sheet of exercises, with numbers to work out by hand as "
	 "well, and --answers FILE.pdf their answers; -o FILE.tour the same as a tour to be edited. --check "
	 "goes through several seeds of a level, or of all, and prints whether each task can be decided "
	 "from its picture and names no answer; exit status 1: one is not so.",
	 "quiz --level schemes --seed 7",
	 TAKES_QUIZ | TAKES_PAGE | TAKES_OUTPUT | TAKES_FORMAT | TAKES_TERMINAL | TAKES_GRAPHICS |
		 TAKES_SCREEN | TAKES_START | TAKES_PLAIN | TAKES_MEMORY,
	 0, quiz_formats, false, cmd_quiz},
	{"record", "FILE.tour", "the terminal program, and what is done in it as a tour",
	 "Starts the terminal program and keeps what is done there: each change that stays is a step of a "
	 "tour, with the commands that make it, the pane and the cell that were looked at, and a line to be "
	 "written. Undo takes its step back. The file is there after each step; then it is edited, and "
	 "posviz tour FILE.tour shows it. In the program the same is :record FILE.tour, and :record off ends "
	 "it. --scheme and the other options say what it begins with.",
	 "record lesson.tour --scheme rope -s 'dog bites man'",
	 TAKES_SCENE | TAKES_LOOK | TAKES_TERMINAL | TAKES_GRAPHICS | TAKES_SCREEN | TAKES_START |
		 TAKES_RECORD,
	 1, NULL, false, cmd_record},
	{"dump", "EXPR", "the numbers as safetensors, npz, JSON, npy or CSV",
	 "Writes what was computed. safetensors, npz and json hold every matrix and all that is "
	 "needed to compute it again (posviz list matrices); npy and csv hold the one named by "
	 "--matrix, --head and --layer, with --head all npy those of all heads as [heads, n, n]; "
	 "--matrix relation is the encoding of pairs of tokens before it is embedded. Of what the "
	 "views say in numbers --head, --layer, --row and --col choose the cell. --leaves says whether "
	 "large learned parameters are whole; json leaves out what the input does not read. Metadata is text, "
	 "in npz one JSON text, metadata; in json about holds it as JSON.",
	 "dump alibi --matrix bias --head 2 -o alibi.csv",
	 TAKES_SCENE | TAKES_MATRIX | TAKES_CELL | TAKES_LEAVES | TAKES_OUTPUT | TAKES_FORMAT |
		 TAKES_NUMBERS,
	 1, dump_formats, false, cmd_dump},
	{"show", "EXPR", "what a scheme is: formula, parameters, claims, measures",
	 "Prints the card of every scheme in the expression: formula, citation, parameters with "
	 "their ranges, learned numbers as printed and as made, and what was measured on the "
	 "sentence. --format json prints the same facts by names that stay; --format bibtex the "
	 "entries of the papers that it comes from.",
	 "show shaw", TAKES_SCENE | TAKES_FORMAT | TAKES_NUMBERS | TAKES_NAMES, 1, show_formats,
	 false, cmd_show},
	{"list",
	 "[schemes|table|views|figures|tours|matrices|quantities|formats|commands|keys|settings|colormaps|"
	 "samples|tasks|words]",
	 "what there is",
	 "Prints one of the program's own tables; schemes when none is named. table is the "
	 "survey's "
	 "Table 1 with every scheme: what is printed, how many numbers are learned at the given "
	 "sizes, what was measured, and why they differ. list schemes --format bibtex prints the "
	 "entries of all papers that schemes come from.",
	 "list table --format csv --d-model 768 --heads 12", TAKES_FORMAT | TAKES_TABLE, 1,
	 list_formats, false, cmd_list},
	{"check", "[EXPR...|CONFIG...]", "claims against measures; what is wrong in a config.json",
	 "Measures every claim about the schemes and compares it with what the survey prints "
	 "and with what is said here. Without EXPR all schemes are checked. The exit status is "
	 "1 when a claim is false. With --same it takes exactly two expressions and says whether "
	 "they are one model, channels in another order or not: the exit status is 0 when they "
	 "are, 1 when they differ, with how much and where: check --same rope "
	 "'rope(layout=half)'; or a model and a tensor of a file, its frequencies, a table of cosines or "
	 "sines, T5's or ALiBi's bias, slopes, position ids, with the first number that differs and the setting that explains it: check --same "
	 "config.json model.safetensors:rotary_emb.inv_freq. --expect checks a number of the sentence that is given instead, by its "
	 "name (posviz list quantities): check alibi -s 'to be or not' --expect \"bias 'not'→'to' = "
	 "-0.75\". Several expressions are compared, of N is number N, and a scene in a file may stand "
	 "for them. A number with decimals is met to half a unit of its last place, others to 1e-9; ± "
	 "says otherwise. --numbers adds what views say of the sentence that is given. "
	 "CONFIG is the config.json of a model, or the directory that has one: its positions as an "
	 "expression, what scaling does to each band of the rotation, the windows, and what does not fit, "
	 "each with the line that would be right: check config.json. The exit status is 1 when something "
	 "is wrong, 0 when something is only unusual. --format json prints the same facts.",
	 "check rope t5", TAKES_SCENE | TAKES_SAME | TAKES_FORMAT | TAKES_NUMBERS, 256,
	 report_formats, false, cmd_check},
	{"verify", "FILE...", "compute a picture's numbers again and compare",
	 "Computes the scene that a PNG or an HTML page of posviz carries and compares each matrix with what the "
	 "file says of it: minimum, maximum, norm and 16 projections, to 1e-9 of its norm; of a model's file "
	 "also the learned parameters that are read from it, shown or not. The exit "
	 "status is 1 when one differs, 2 when there is nothing to compare with.",
	 "verify rope.png", TAKES_MEMORY, 256, NULL, false, cmd_verify},
	{"cost", "[EXPR...]", "what schemes cost: time, learned numbers, multiply-adds",
	 "Measures how much longer a forward pass takes with each expression than without positions: "
	 "passes of both take turns, and the median of the ratios of each round is printed with half "
	 "the distance of the quartiles, and what is within noise is named. Time is processor time of "
	 "this process. Beside it are the "
	 "numbers that positions learn in BERT-base, the multiply-adds of one pass, and what Chen et "
	 "al. 2021 print. Without EXPR the schemes in their tables are measured. A pass is one layer "
	 "of BERT-base on 128 words; --d-model, --heads, --layers, --ff, a sentence or a structure "
	 "make it another. --timing off only counts.",
	 "cost rope alibi shaw --format csv", TAKES_SCENE | TAKES_FORMAT | TAKES_TIMING, 64,
	 cost_formats, false, cmd_cost},
	{"heads", "MODEL|EXPR...", "what heads do with position, over windows of a text",
	 "Runs a model on seeded windows of a text and prints for each layer and head how much of its logits is "
	 "position: the kernel by distance, f of the least-squares fit l_ts = r_t + f(s-t) to logits l; the shares "
	 "of their variance within rows that f explains, a function of the key's position beyond it, and content, "
	 "the rest; for rotations the share of each band. Of the weights p it prints scores: previous token, p of "
	 "key t-1; first token, p of key 1; same token; induction, on random tokens repeated, the p behind earlier "
	 "occurrences (Olsson et al. 2022); local, the sum of p up to distance 8; entropy, -sum p ln p; mean "
	 "distance, sum p |s-t|; order, the total variation of a query's weights when all tokens farther than 8 "
	 "are shuffled. A star is at scores beyond the 99.9 % point of 10000 noise heads (for entropy and distance "
	 "also below the 0.1 % point). MODEL is a directory or a GGUF file with a tokenizer, or with --ids; EXPR "
	 "runs on drawn vectors. Own is how much of the kernel is the scheme's own: what it adds to logits by positions "
	 "alone, and where it rotates q and k, sum over i of cos(theta_i (s-t)), as large as fits. Of two models the "
	 "second's numbers less the first's are printed, with a star where they differ by more than both 95 % intervals. "
	 "csv has a row a head, json the kernels too, npz everything; png, svg and pdf are a page of all kernels.",
	 "heads alibi+causal --windows 20 --window-length 32",
	 TAKES_SCENE | TAKES_PROFILE | TAKES_PAGE | TAKES_PICTURE | TAKES_FORMAT | TAKES_OUTPUT, 2,
	 heads_formats, false, cmd_heads},
	{"learn", "[EXPR...|RUNS.json...]", "train on small tasks, and test at lengths never seen",
	 "Trains the model of the views, with any expression, on tasks that isolate one thing about position "
	 "(posviz list tasks), and tests it on fresh sentences of 1, 2, 4 and 8 times the longest trained "
	 "length. Printed are the share of right answers, over --seeds the mean with the least and the most, "
	 "and the floor: what can be right without position. With -o FILE.json results are kept after each run; "
	 "runs that the file has are not made again, so that a grid goes on where it was interrupted. Other outputs go on "
	 "too: results are kept in $XDG_STATE_HOME/posviz/learned, as those of the grid in the view Learn are (key G). A picture "
	 "has a panel for each task and a bar for each expression, as wide as it needs, or --for a paper. Files of "
	 "results in place of EXPR are merged. --list prints a line for each run, and --one LINE makes one, so "
	 "that other machines can share them: posviz learn rope alibi --seeds 5 --list | parallel posviz learn "
	 "--one {} -o {#}.json; then posviz learn *.json -o grid.json. A job array runs the line of its number: "
	 "posviz learn --one \"$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" lines)\" -o "
	 "$SLURM_ARRAY_TASK_ID.json. What an expression cannot learn is n/a, with the reason. The model is d 32, 4 heads, ff 64, "
	 "1 layer unless options say otherwise. --test-as tests the same numbers under another expression: "
	 "learn rope --test-as 'rope_ntk(factor=8)'.",
	 "learn none 'shaw(clip=8)' --task shift --steps 200",
	 TAKES_LEARN | TAKES_OUTPUT | TAKES_FORMAT | TAKES_MEMORY | TAKES_PAGE, 1024, learn_formats,
	 false, cmd_learn},
	{"doctor", "", "facts about this machine and terminal",
	 "Prints the kernels, the terminal, the locale and the fonts in use, and on a terminal "
	 "a test picture in the colours that will be used. --format json prints the facts alone.",
	 "doctor", TAKES_TERMINAL | TAKES_GRAPHICS | TAKES_FORMAT, 0, report_formats, false,
	 cmd_doctor},
	{"completion", "bash|zsh|fish", "a script that lets the shell complete words",
	 "Prints a script for bash, zsh or fish. make install puts them where the shells look; for "
	 "one session: eval \"$(posviz completion bash)\", or posviz completion fish | source",
	 "completion bash", 0, 1, NULL, false, cmd_completion},
	{"complete", "COMMAND [TEXT]", "what may follow, for the scripts of shells",
	 "Prints what the program offers for the argument of a command, a line for each: the word, a "
	 "tab, what it is.",
	 "complete scheme 't5(buc'", TAKES_SCENE, 2, NULL, true, cmd_complete},
	{"help", "[SUB-COMMAND|WORD]", "what a word means, or how to use a sub-command",
	 "Of a sub-command the same as --help. Any other word is looked for in the glossary of what "
	 "the program shows, and among views, schemes, commands, options, parameters and keys; all "
	 "that is called so is told. help model says what is computed here, and what is not; help "
	 "options lists all options of all sub-commands.",
	 "help probe", 0, 8, NULL, false, cmd_help},
	{"man", "", "the source of the manual page", "Prints the manual page.", "man", 0, 0, NULL,
	 true, cmd_man},
	{0},
};

static size_t add_words(const char **to, size_t n, const char *words, struct arena *a)
{
	for (size_t len; words && (len = strcspn(words, " ")) > 0;
	     words += len, words += strspn(words, " "))
		to[n++] = arena_strndup(a, words, len);
	return n;
}

const char *const *subcommand_formats(const struct subcommand *sub, struct arena *a)
{
	enum { MOST = 40 };
	const char **const out = arena_calloc(a, MOST, sizeof *out);
	size_t n = 0;
	for (const struct format_part *p = sub->formats; p && (p->names || p->bits); p++)
		n = add_words(out, n, p->names ? p->names : format_words(p->bits, "", " ", " ", a),
			      a);
	BUG_IF(n >= MOST);
	return out;
}

const struct subcommand *subcommand_find(const char *name)
{
	for (const struct subcommand *s = subcommands; s->name; s++)
		if (strcmp(s->name, name) == 0)
			return s;
	return NULL;
}

const char *subcommand_word(const struct subcommand *sub)
{
	return *sub->name ? sub->name : "posviz";
}

static bool print_version(struct arena *a, struct err *err)
{
	struct strbuf out;
	strbuf_init(&out, a);
	strbuf_add(&out, "posviz " POSVIZ_VERSION "\n");
	return output_text(&out, err);
}

static bool print_config_dir(struct arena *a, struct err *err)
{
	const char *const dir = state_config_dir(a);
	struct strbuf out;
	if (!dir)
		return err_set(err, "neither XDG_CONFIG_HOME nor HOME names a directory");
	strbuf_init(&out, a);
	strbuf_printf(&out, "%s\n", dir);
	return output_text(&out, err);
}

static bool print_help(const struct cli *c, struct arena *a, struct err *err)
{
	struct strbuf out;
	strbuf_init(&out, a);
	help_print(*c->sub->name ? c->sub : NULL, &out);
	return output_text(&out, err);
}

static int run(struct cli *c, int argc, char **argv, struct err *err)
{
	if (!cli_parse(c, argc, argv, err))
		return EXIT_BAD_USE;
	if (c->version)
		return print_version(&c->arena, err) ? EXIT_FINE : EXIT_BAD_USE;
	if (c->help)
		return print_help(c, &c->arena, err) ? EXIT_FINE : EXIT_BAD_USE;
	if (c->print_config_dir)
		return print_config_dir(&c->arena, err) ? EXIT_FINE : EXIT_BAD_USE;
	if (c->sub->takes & (TAKES_SCENE | TAKES_MEMORY) &&
	    !machine_check_memory(*c->sub->name ? 0 : 1, err))
		return EXIT_BAD_USE;
	places_hold(&c->scene);
	const int code = c->sub->run(c, err);
	/* The error is one line. */
	if (code != EXIT_BAD_USE)
		cli_warn_of_input(c);
	return code;
}

int cli_main(int argc, char **argv)
{
	struct cli c = {0};
	struct err err = {""};
	arena_init(&c.arena);
	app_init(&c.app);
	int code = run(&c, argc, argv, &err);
	/* Some file systems report a full disk only when the file is closed. */
	if (close(STDOUT_FILENO) != 0 && code != EXIT_BAD_USE) {
		code = EXIT_BAD_USE;
		err_set(&err, "cannot write standard output: %s", portable_reason(errno));
	}
	if (err.text[0])
		fprintf(stderr, "posviz: %s\n", err.text);
	app_release(&c.app);
	arena_release(&c.arena);
	return code;
}
