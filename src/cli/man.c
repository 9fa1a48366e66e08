/* man.c: the manual page as troff source, printed from the tables that the program runs on.
 *
 * Text of ours is escaped like any other, so that a dash stays a dash and a line that begins with a
 * dot stays text. A long word such as an expression may be broken behind its commas and signs, and a
 * line that ends with a full stop ends no sentence: it is ours that are broken, not the author's. */
#include "cli.h"

#include <string.h>

#include "posviz/calc.h"
#include "posviz/glossary.h"
#include "posviz/scheme.h"
#include "posviz/text.h"

enum { LINE_BYTES = 80 };

struct row {
	const char *word, *text;
};

static void add(struct strbuf *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		strbuf_add(out, "\\&");
	for (size_t len = strlen(text); len > 0;) {
		uint32_t code;
		const size_t n = text_decode(text, len, &code);
		BUG_IF(n == 0);
		if (code == '-')
			strbuf_add(out, "\\-");
		else if (code == '\\')
			strbuf_add(out, "\\e");
		else if (code == '^' || code == '~')
			strbuf_add(out, code == '^' ? "\\(ha" : "\\(ti");
		else if (code == '\'' || code == '`')
			strbuf_add(out, code == '\'' ? "\\(aq" : "\\(ga");
		else if (code < 128)
			strbuf_add_char(out, (char)code);
		else
			strbuf_printf(out, "\\[u%04X]", code);
		text += n;
		len -= n;
		if (code < 128 && strchr(",+|", (int)code) && len > 0 && *text != ' ')
			strbuf_add(out, "\\:");
	}
}

/* Text over as many lines of the source as it takes. */
static void line(struct strbuf *out, const char *text)
{
	struct strbuf word;
	strbuf_init(&word, out->arena);
	size_t used = 0;
	for (const char *end; *text; text = end + strspn(end, " ")) {
		end = text + strcspn(text, " ");
		word.len = 0;
		add(&word, arena_strndup(out->arena, text, (size_t)(end - text)));
		const bool stop = used > 0 && out->at[out->len - 1] == '.';
		if (used > 0 && used + word.len + 3 > LINE_BYTES) {
			strbuf_add(out, stop ? "\\&\n" : "\n");
			used = 0;
		} else if (used > 0) {
			strbuf_add_char(out, ' ');
		}
		strbuf_add_n(out, word.at, word.len);
		used += word.len + 1;
	}
	strbuf_add_char(out, '\n');
}

static void section(struct strbuf *out, const char *name)
{
	strbuf_printf(out, ".SH %s\n", name);
}

/* An item: its words in bold, an argument in italics, then its text. */
static void item(struct strbuf *out, const char *word, const char *args, const char *text)
{
	strbuf_add(out, ".TP\n\\fB");
	add(out, word);
	strbuf_add(out, "\\fR");
	if (args && *args) {
		strbuf_add(out, " \\fI");
		add(out, args);
		strbuf_add(out, "\\fR");
	}
	strbuf_add_char(out, '\n');
	line(out, text);
}

static void add_synopsis(struct strbuf *out)
{
	section(out, "SYNOPSIS");
	for (const struct subcommand *s = subcommands; s->name; s++) {
		if (s->hidden)
			continue;
		strbuf_add(out, s == subcommands ? "" : ".br\n");
		strbuf_add(out, "\\fBposviz");
		strbuf_printf(out, "%s%s\\fR ", *s->name ? " " : "", s->name);
		if (*s->args) {
			strbuf_add(out, "\\fI");
			add(out, s->args);
			strbuf_add(out, "\\fR ");
		}
		strbuf_add(out, "[\\fIOPTION\\fR]...\n");
	}
}

static void add_subcommands(struct strbuf *out)
{
	section(out, "SUB-COMMANDS");
	for (const struct subcommand *s = subcommands; s->name; s++)
		if (!s->hidden)
			item(out, *s->name ? s->name : "posviz", s->args, s->about);
}

static void add_option(struct strbuf *out, char letter, const char *name, const char *args,
		       const char *help, const char *def)
{
	struct arena *const a = out->arena;
	const char *const word =
		letter ? arena_printf(a, "-%c, --%s", letter, name) : arena_printf(a, "--%s", name);
	item(out, word, args, def && *def ? arena_printf(a, "%s; default: %s", help, def) : help);
}

static void add_options(struct strbuf *out)
{
	section(out, "OPTIONS");
	line(out, "A sub-command refuses options that it has no use for; its --help names those "
		  "it takes. A long option may be cut short where no other begins alike: "
		  "--position-id. Tokens, positions, heads and layers count from 1.");
	for (const struct cli_option *o = cli_options; o->name; o++)
		add_option(out, o->letter, o->name, o->args, o->help, NULL);
	section(out, "SETTINGS");
	line(out, "How the program behaves on a terminal: options, commands, and lines of the "
		  "configuration alike; save-config keeps those in force.");
	for (const struct field *f = setting_fields; f->name; f++)
		add_option(out, f->letter, f->name, f->args, f->help, f->def);
	section(out, "WHAT IS COMPUTED");
	for (const struct field *f = scene_fields; f->name; f++)
		if (f->setup)
			add_option(out, f->letter, f->name, f->args, f->help, f->def);
	section(out, "HOW IT IS LOOKED AT");
	for (const struct field *f = scene_fields; f->name; f++)
		if (!f->setup)
			add_option(out, f->letter, f->name, f->args, f->help, f->def);
}

static void add_expressions(struct strbuf *out)
{
	section(out, "EXPRESSIONS");
	line(out,
	     "An expression names schemes joined by +, each with its parameters in brackets: "
	     "rope, t5(buckets=16), sinusoidal(pos=remaining)+shaw(clip=8,values=off)+causal. "
	     "Behind a colon they need no brackets, which a shell wants quoted, and go on to the "
	     "next + or the end: t5:buckets=16,max_distance=64+causal. "
	     "Every scheme also takes pos=COLUMN, the positions that it reads (seq, remaining, "
	     "word, segment), and layers= and heads=, where it acts: 1, [1,3], 2-4, odd, even "
	     "or all. causal=on is another way to write +causal, but for schemes that are "
	     "themselves others then (t5, alibi): there it is a parameter.");
	strbuf_add(out, ".PP\n");
	line(out,
	     "A member can have a weight in front, 0.5*t5+0.5*alibi: what it adds to the logits, "
	     "and to the values where it adds there too, is multiplied by that number, which may "
	     "be 0 or negative. Its mask, and the factor of q·k where it sets that, stay as they "
	     "are. What does more than add to the logits can have none: masks, and schemes that "
	     "change embeddings, queries, keys, other logits or the attention weights. Of a name "
	     "or a model that stands for several members it is the weight of each, but of masks; "
	     "2*0.3*t5 is 0.6*t5. + and - change it by 0.1.");
}

static const struct row formulas[] = {
	{"t, s, n", "the positions of query and key, from 0, in the column of pos=; how many keys"},
	{"h, H, d, dk, t_max", "the head, from 1, and how many; the width, of a head; --t-max"},
	{"a c g k m p r w",
	 "numbers of your own, each 1 or as given: formula(b=-a*abs(s-t)^p,a=0.1,p=0.5). + and - "
	 "take the next of 1 1.2 1.5 2 2.5 3 4 5 6 8 times a power of ten"},
	{"pi, e, inf", "-inf forbids a pair, whatever the op"},
	{"abs sqrt exp log ln log2 log10 sin cos tan tanh atan sigmoid floor ceil round sign",
	 "of one number; log is the natural one, as ln"},
	{"min max mod pow clamp if",
	 "min(x,y,...), max(x,y,...), mod(x,y), pow(x,y), clamp(x,low,high), "
	 "if(test,then,else)"},
	{"c ? x : y", "loosest; the same as if(c,x,y)"},
	{"|| && == != < <= > >= + - * / ! ^",
	 "from loose to tight: ||; &&; == !=; < <= > >=; + -; * /; the signs - + !; ^. All from "
	 "the left but ^: -2^2 is -4, 2^3^2 is 512. What holds is 1, what does not 0."},
};

static void add_formulas(struct strbuf *out)
{
	struct arena *const a = out->arena;
	section(out, "FORMULAS");
	line(out, "formula(b=-log(1+abs(s-t)/2)) adds b to the logits, formula(b=...,op=mul) "
		  "multiplies them by it. A name for it: define mine formula(b=...), kept by "
		  "save-config.");
	for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
		item(out, formulas[i].word, "", formulas[i].text);
	strbuf_add(out, ".PP\n");
	line(out, arena_printf(a,
			       "There are no loops. A formula has at most %d bytes, %d numbers, "
			       "names and operations, and %d brackets, signs, powers and choices "
			       "in each other. Where a pair is allowed b must be a number: one "
			       "that is infinite or undefined is an error that names the pair.",
			       PARAM_TEXT_MAX - 1, CALC_STEPS, CALC_DEPTH));
}

static void add_schemes(struct strbuf *out)
{
	struct arena *const a = out->arena;
	section(out, "SCHEMES");
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const s = scheme_at(i);
		const char *const of =
			s->expression ? arena_printf(a, " Stands for %s.", s->expression) : "";
		struct strbuf params;
		strbuf_init(&params, a);
		for (const struct param *p = s->params; p && p->name; p++)
			strbuf_printf(&params, "%s%s", p == s->params ? " Parameters: " : ", ",
				      p->name);
		if (params.len > 0)
			strbuf_add_char(&params, '.');
		item(out, s->id, "",
		     arena_printf(a, "%s, %s %d. %s%s%s", s->title, s->authors, s->year,
				  s->about ? s->about : "", of, params.at));
	}
}

/* A list of the program as items: the first column, then the last. */
static void add_list(struct strbuf *out, const char *title, const char *name)
{
	struct listing l;
	struct err err;
	if (!list_rows(name, out->arena, &l, &err))
		BUG("%s", err.text);
	section(out, title);
	for (size_t i = 0; i < l.n; i++) {
		const char *const *const cells = (const char *const *)l.cells + i * l.cols;
		const bool two = l.cols > 2 && strcmp(name, "colormaps") != 0;
		item(out, cells[0], two ? cells[1] : "", cells[l.cols - 1]);
	}
}

/* Whether a binding is one of the same context that does the same as an earlier one. */
static bool repeats(const struct binding *b)
{
	for (const struct binding *before = bindings; before < b; before++)
		if (strcmp(before->context, b->context) == 0 && strcmp(before->note, b->note) == 0)
			return true;
	return false;
}

/* The keys of one context under a heading of its own, those that do the same together. */
static void add_context(struct strbuf *out, const char *context)
{
	struct arena *const a = out->arena;
	strbuf_add(out, ".SS ");
	line(out, *context ? arena_printf(a, "In %s", context) : "Everywhere");
	for (const struct binding *b = bindings; b->key; b++) {
		if (strcmp(b->context, context) != 0 || repeats(b))
			continue;
		const char *keys = b->key;
		for (const struct binding *also = b + 1; also->key; also++)
			if (strcmp(also->context, context) == 0 && keymap_leads(also) &&
			    strcmp(also->note, b->note) == 0)
				keys = arena_printf(a, "%s  %s", keys, also->key);
		item(out, keys, "", b->note);
	}
}

/* The glossary, in its sections. */
static void add_words(struct strbuf *out)
{
	struct arena *const a = out->arena;
	size_t n;
	const struct glossary_entry *const all = glossary_all(a, &n);
	const char *heading = "";
	section(out, "WORDS");
	line(out, "What the words mean that the program shows; posviz help WORD says the same, and "
		  ":help WORD in the program.");
	for (size_t i = 0; i < n; i++) {
		const struct glossary_entry *const e = &all[i];
		if (strcmp(heading, e->section) != 0) {
			strbuf_add(out, ".SS ");
			line(out, e->section);
		}
		heading = e->section;
		item(out, glossary_title(e, a), "",
		     arena_printf(a, "%s%s%s%s%s%s%s", e->text, *e->seen ? " Seen: " : "", e->seen,
				  *e->seen ? "." : "", *e->from ? " From: " : "", e->from,
				  *e->from ? "." : ""));
	}
}

static void add_keys(struct strbuf *out)
{
	section(out, "KEYS");
	line(out,
	     "The same help, for the pane that has the focus, is at ? in the program. bind and "
	     "unbind in the configuration change keys: bind F2 colormap next, bind matrix x why.");
	for (const struct binding *b = bindings; b->key; b++) {
		bool said = false;
		for (const struct binding *before = bindings; before < b; before++)
			said |= strcmp(before->context, b->context) == 0;
		if (!said)
			add_context(out, b->context);
	}
	section(out, "MOUSE");
	line(out,
	     "A click chooses a cell, a token, a scheme or a pane; the wheel scrolls what lies "
	     "under it; a token dragged along the sentence moves there; a click on a hint of "
	     "the last line runs it. Shift leaves the mouse to the terminal, to select text; "
	     "the setting mouse off does so for good.");
}

static void add_rows(struct strbuf *out, const char *title, const struct row *rows, size_t n)
{
	section(out, title);
	for (size_t i = 0; i < n; i++)
		item(out, rows[i].word, "", rows[i].text);
}

static const struct row files[] = {
	{"$XDG_CONFIG_HOME/posviz/config",
	 "Commands that run at the start, one a line, over the last scene; # begins a comment. A "
	 "line that is not understood is skipped with a warning that names it. --config FILE takes "
	 "another file, --print-config-dir says where this one is. save-config writes the settings "
	 "and bound keys into it and leaves all other lines as they are. Without XDG_CONFIG_HOME: "
	 "~/.config."},
	{"$XDG_STATE_HOME/posviz/scene",
	 "The last scene, as commands; files in it by their whole path. It comes back at the next "
	 "start, unless a file is named or --fresh is given; it is written when the program ends, "
	 "after --fresh too. One that cannot be read, or is of another version, becomes scene.old. "
	 "Without XDG_STATE_HOME: ~/.local/state."},
	{"$XDG_STATE_HOME/posviz/history",
	 "The commands typed at :, of all sessions, also of those that run at the same time; the "
	 "oldest go when there are many."},
	{"posviz-001.png",
	 "Snapshots are numbered, in the directory where the program runs; none is overwritten."},
};

static const struct row environment[] = {
	{"TERM, COLORTERM, COLORFGBG",
	 "Which terminal it is, whether it has 24-bit colours (truecolor or 24bit), and whether "
	 "its "
	 "background is dark. posviz doctor says what was made of them."},
	{"TMUX, STY", "Inside tmux 24-bit colours are used, inside screen they are not."},
	{"NO_COLOR",
	 "When set and not empty, the terminal is drawn without colours, by signs and bold; the "
	 "setting color comes before it."},
	{"LANG, LC_ALL, LC_CTYPE",
	 "Where the locale is not UTF-8, letters stand for blocks and lines, and words for "
	 "people are spelt in ASCII; files are UTF-8 always. Nothing else depends "
	 "on the locale."},
	{"HOME, XDG_CONFIG_HOME, XDG_STATE_HOME",
	 "Where the files above are; a path that is not absolute does not count."},
	{"OPENBLAS_CORETYPE", "The kernels that OpenBLAS uses; chosen when it is not set."},
	{"OPENBLAS_NUM_THREADS", "How many threads it uses."},
};

/* What is usual among programs of the terminal and is not so here, and why. */
static const struct row conventions[] = {
	{"Ctrl-z takes back, in some programs",
	 "Here it suspends, as the shell expects; u and Ctrl-r take back and do again."},
	{"h opens help, in some programs", "Here it moves left, beside j, k and l."},
	{"r gives a parameter its default, in some programs",
	 "Here Backspace does; r shuffles while tokens are moved."},
	{"p takes a picture, in some programs", "Here it permutes; s takes the picture, S another "
						"format, and none is overwritten."},
	{"The last session comes back when it is asked for, in some programs",
	 "Here it always does, without a word of --resume; --fresh begins anew."},
	{"1 to 9 choose panes, in some programs",
	 "Here they choose views, of which there are more; Tab and Shift-Tab go through panes."},
	{"Dragging moves what is seen, in some programs",
	 "Here it moves a token; the wheel and the cell's keys scroll."},
	{"A menu of settings, in some programs",
	 "Here each is a command of its name, with completion: contrast on, glyphs ascii. "
	 "save-config keeps them."},
	{"A question before leaving", "There is none: the scene is kept, and u takes back."},
	{"Themes are files, in some programs",
	 "Here all but the plots has the terminal's own 16 colours, so its theme is theirs; plots "
	 "have the colour maps above, of which cividis is made for colour blindness. contrast, "
	 "theme and color are settings."},
	{"Symbols are chosen for each box, in some programs",
	 "Here one setting, glyphs, serves all; sextants and octants are in too few fonts."},
	{"Pictures of pixels in the terminal (sixel, kitty)",
	 "Cells of text work on every terminal, inside tmux and over ssh, where pixels are lost "
	 "without a word; s writes the picture."},
	{"FORCE_COLOR, CLICOLOR_FORCE",
	 "A pipe gets colours only by --color with --format ansi, so that no escape code comes "
	 "where nobody asked."},
	{"--dump-detect", "Its name here is posviz doctor."},
	{"Notes in a second terminal", "There are no lectures to take notes for yet."},
	{"A tape of a demonstration comes with the program",
	 "None does; a script of commands, posviz FILE, shows the same anywhere."},
};

#define ROWS(table) (table), sizeof(table) / sizeof *(table)

static void add_rest(struct strbuf *out)
{
	add_rows(out, "FILES", ROWS(files));
	line(out, "Files are written whole or not at all.");
	add_rows(out, "ENVIRONMENT", ROWS(environment));
	section(out, "READING ALOUD");
	line(out,
	     "--plain prints the scene as words: what the scheme is, what was measured, and of "
	     "each matrix its size, range, masked cells and strongest cells in ranks. No line "
	     "is longer than 80 columns, and no letter only draws. The same is printed where "
	     "there is no terminal to draw on, and in the program A shows it.");
	section(out, "YOUR OWN TENSORS");
	line(out,
	     "--units, --weights and --params take vectors, weights and learned parameters from "
	     "files (safetensors, npz, npy, csv, tsv, json); layers count from 0. posviz show EXPR lists "
	     "the parameters: name, shape, meaning. --params finds them, the most precise name "
	     "first, as shaw.w_key.0 (of layer 0), shaw.w_key (of all layers), w_key.0 or w_key "
	     "(of whatever scheme has one), with \"param.\" in front or without; --map "
	     "LEAF=TENSOR, by the same names and the same rule, takes another tensor: posviz "
	     "render shaw --params p.safetensors --map "
	     "'w_key=my.keys w_value=my.values'. A tensor that nothing takes is named in a "
	     "warning, but for those of a dump; one that is missing beside others is refused, but "
	     "for biases that checkpoints may lack, which are 0. An error about a shape says "
	     "which setting would fit. What posviz dump wrote can be given to all three.");
	line(out,
	     "--matrix-from takes your own attention: [n, n], [heads, n, n] or [layers, heads, n, "
	     "n], with a batch of one where PyTorch has one; heads and layers that are not given "
	     "are the file's. From PyTorch: numpy.save(FILE, t.detach().float().numpy()), or "
	     "safetensors.torch.save_file for several. Files of torch.save are pickles, which "
	     "are programs, and are not read.");
	section(out, "FOR OTHER PROGRAMS");
	line(out,
	     "show, check (with --same too) and doctor print with --format json what they print "
	     "for people, list what it lists. Names in it stay; numbers are numbers, \"nan\" and "
	     "\"inf\" where they are none, null where there is nothing. show --format bibtex prints "
	     "the entries of the papers of an expression, list schemes --format bibtex all of "
	     "them, in ASCII, for BibTeX and Biber.");
	section(out, "VECTOR FILES");
	line(out,
	     "In an SVG every line of text is one element, as long as it was measured, so that "
	     "words can be selected, searched and edited; panels are groups whose ids are "
	     "panel- and what --panel calls them. Matrices of up to 1024 cells, and those with "
	     "gaps between their cells, are rectangles, others images of a few pixels to a cell. "
	     "Fonts are named, with those that may stand in for them; with --embed-fonts on the "
	     "letters that are shown are in the file. The licences of Inter (SIL Open Font "
	     "License) and DejaVu allow that; a font that says it must not be embedded is "
	     "refused. A PDF always has the letters it shows. Neither has a date: what is the "
	     "same is written as the same bytes.");
	section(out, "PICTURES OF OTHERS");
	line(out,
	     "A PNG of posviz carries commands that only say what is computed and how it is "
	     "looked at; opening one writes nothing. It may name files to be read: text, units, "
	     "weights and parameters. It is not given more memory than --memory allows here, "
	     "whatever it asks for.");
	section(out, "EXIT STATUS");
	item(out, "0", "", "done");
	item(out, "1", "",
	     "a check failed, two expressions are apart (check --same), or a picture differs");
	item(out, "2", "",
	     "bad use or bad input; one line on standard error says what would be right");
	item(out, "128 + N", "", "signal N ended the program: 130 an interrupt, 143 a request");
	add_rows(out, "CONVENTIONS", ROWS(conventions));
	section(out, "EXAMPLES");
	for (const struct subcommand *s = subcommands; s->name; s++) {
		if (s->hidden)
			continue;
		strbuf_add(out, s == subcommands ? "\\fB" : ".PP\n\\fB");
		add(out, arena_printf(out->arena, "posviz %s", s->example));
		strbuf_add(out, "\\fR\n");
	}
}

int cmd_man(struct cli *c, struct err *err)
{
	struct strbuf out;
	strbuf_init(&out, &c->arena);
	strbuf_add(&out, ".\\\" Printed by posviz man; edit the tables of the program instead.\n");
	strbuf_printf(&out, ".TH POSVIZ 1 %s \"posviz %s\" \"User Commands\"\n", POSVIZ_DATE,
		      POSVIZ_VERSION);
	/* Expressions would be hyphenated, and cannot be stretched. */
	strbuf_add(&out, ".nh\n.ad l\n");
	section(&out, "NAME");
	line(&out, "posviz - shows and computes how Transformers are told of positions");
	add_synopsis(&out);
	section(&out, "DESCRIPTION");
	line(&out,
	     "posviz computes, for any position scheme and any sentence, every matrix of "
	     "Transformer attention, and shows it: heatmaps and curves in the terminal while "
	     "you type, the same figures as PNG, SVG or PDF, the same numbers as safetensors, "
	     "npy, CSV or JSON. Permuting the tokens shows what a model knows of order, and "
	     "measures it.");
	add_subcommands(&out);
	add_options(&out);
	add_expressions(&out);
	add_formulas(&out);
	add_schemes(&out);
	add_list(&out, "VIEWS", "views");
	add_list(&out, "TENSORS OF A DUMP", "matrices");
	add_list(&out, "COLOUR MAPS", "colormaps");
	add_keys(&out);
	add_list(&out, "COMMANDS", "commands");
	add_words(&out);
	add_rest(&out);
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}
