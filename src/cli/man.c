/* man.c: the manual page as troff source, printed from the tables that the program runs on.
 *
 * Text of ours is escaped like any other, so that a dash stays a dash and a line that begins with a
 * dot stays text. */
#include "cli.h"

#include <string.h>

#include "posviz/scheme.h"
#include "posviz/text.h"

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
	}
}

static void line(struct strbuf *out, const char *text)
{
	add(out, text);
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
		  "it takes. Tokens, positions, heads and layers count from 1.");
	for (const struct cli_option *o = cli_options; o->name; o++)
		add_option(out, o->letter, o->name, o->args, o->help, NULL);
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
	     "Every scheme also takes pos=COLUMN, the positions that it reads (seq, remaining, "
	     "word, segment), and layers= and heads=, where it acts: 1, [1,3], 2-4, odd, even "
	     "or all.");
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

static void add_rest(struct strbuf *out)
{
	section(out, "FILES");
	item(out, "$XDG_CONFIG_HOME/posviz/config", "", "commands run at the start, one a line");
	item(out, "$XDG_STATE_HOME/posviz/", "", "what the terminal program remembers");
	line(out, "Files are written whole or not at all.");
	section(out, "ENVIRONMENT");
	item(out, "NO_COLOR", "", "when set and not empty, the terminal is drawn without colours");
	item(out, "TERM, COLORTERM", "", "which colours the terminal has");
	item(out, "OPENBLAS_CORETYPE", "",
	     "the kernels that OpenBLAS uses; chosen when it is not set");
	section(out, "EXIT STATUS");
	item(out, "0", "", "done");
	item(out, "1", "", "a check failed");
	item(out, "2", "",
	     "bad use or bad input; one line on standard error says what would be right");
	section(out, "EXAMPLES");
	for (const struct subcommand *s = subcommands; s->name; s++) {
		if (s->hidden)
			continue;
		strbuf_add(out, ".PP\n\\fB");
		add(out, arena_printf(out->arena, "posviz %s", s->example));
		strbuf_add(out, "\\fR\n");
	}
}

int cmd_man(struct cli *c, struct err *err)
{
	struct strbuf out;
	strbuf_init(&out, &c->arena);
	strbuf_add(&out, ".\\\" Printed by posviz man; edit the tables of the program instead.\n");
	strbuf_printf(&out, ".TH POSVIZ 1 \"\" \"posviz %s\" \"User Commands\"\n", POSVIZ_VERSION);
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
	add_schemes(&out);
	add_list(&out, "VIEWS", "views");
	add_list(&out, "TENSORS OF A DUMP", "matrices");
	add_list(&out, "COLOUR MAPS", "colormaps");
	add_list(&out, "KEYS", "keys");
	add_list(&out, "COMMANDS", "commands");
	add_rest(&out);
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}
