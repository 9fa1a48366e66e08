/* man.c: the manual page as troff source: assets/manual.txt, filled from the tables that the
 * program uses.
 *
 * All text is escaped, so that a dash stays a dash and a line that begins with a dot stays text. A
 * long word such as an expression may be broken after its commas and signs. A full stop at the end
 * of a line ends no sentence, because this file breaks the lines, not the author. */
#include "cli.h"

#include <string.h>

#include "posviz/app/glossary.h"
#include "posviz/base/asset.h"
#include "posviz/base/text.h"
#include "posviz/format/kind.h"
#include "posviz/math/calc.h"
#include "posviz/scheme/scheme.h"
#include "template.h"

enum { LINE_BYTES = 80 };

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

/* Adds text in as many lines of the source as it needs. */
static void line(struct strbuf *out, const char *text)
{
	struct strbuf word;
	strbuf_init(&word, out->arena);
	size_t used = 0;
	for (const char *end; *text; text = end + strspn(end, " \n")) {
		end = text + strcspn(text, " \n");
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

/* Adds an item: its words in bold, an argument in italics, then its text. */
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

static void add_cli_options(struct strbuf *out)
{
	for (const struct cli_option *o = cli_options; o->name; o++)
		add_option(out, o->letter, o->name, cli_option_args(o, out->arena), o->help, NULL);
}

static void add_settings(struct strbuf *out)
{
	for (const struct field *f = setting_fields; f->name; f++)
		add_option(out, f->letter, f->name, field_args(f, out->arena), f->help,
			   f->type.def_text);
}

static void add_scene_options(struct strbuf *out, bool setup)
{
	for (const struct field *f = scene_fields; f->name; f++)
		if (f->setup == setup)
			add_option(out, f->letter, f->name, field_args(f, out->arena), f->help,
				   f->type.def_text);
}

static void add_model_options(struct strbuf *out)
{
	add_scene_options(out, true);
}

static void add_look_options(struct strbuf *out)
{
	add_scene_options(out, false);
}

static void add_schemes(struct strbuf *out)
{
	struct arena *const a = out->arena;
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

/* Adds a list of the program as items: the first column, then the last. */
static void add_list(struct strbuf *out, const char *name)
{
	struct listing l;
	struct err err;
	if (!list_rows(name, out->arena, &l, &err))
		BUG("%s", err.text);
	for (size_t i = 0; i < l.n; i++) {
		const char *const *const cells = (const char *const *)l.cells + i * l.cols;
		const bool two = l.cols > 2 && strcmp(name, "colormaps") != 0;
		item(out, cells[0], two ? cells[1] : "", cells[l.cols - 1]);
	}
}

/* Returns whether an earlier binding of the same context does the same. */
static bool repeats(const struct binding *b)
{
	for (const struct binding *before = bindings; before < b; before++)
		if (strcmp(before->context, b->context) == 0 && strcmp(before->note, b->note) == 0)
			return true;
	return false;
}

/* Adds the keys of one context under a heading; keys that do the same are one item. */
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

/* Adds the glossary by its sections. */
static void add_words(struct strbuf *out)
{
	struct arena *const a = out->arena;
	size_t n;
	const struct glossary_entry *const all = glossary_all(a, &n);
	const char *heading = "";
	for (size_t i = 0; i < n; i++) {
		const struct glossary_entry *const e = &all[i];
		if (strcmp(heading, e->section) != 0) {
			strbuf_add(out, ".SS ");
			line(out, e->section);
		}
		heading = e->section;
		const char *text = e->text;
		for (size_t k = 0; k < GLOSSARY_TRIES && e->tries[k]; k++)
			text = arena_printf(a, "%s Try: %s", text, e->tries[k]);
		item(out, glossary_title(e, a), "",
		     arena_printf(a, "%s%s%s%s%s%s%s", text, *e->seen ? " Seen: " : "", e->seen,
				  *e->seen ? "." : "", *e->from ? " From: " : "", e->from,
				  *e->from ? "." : ""));
	}
}

static void add_keys(struct strbuf *out)
{
	for (const struct binding *b = bindings; b->key; b++) {
		bool said = false;
		for (const struct binding *before = bindings; before < b; before++)
			said |= strcmp(before->context, b->context) == 0;
		if (!said)
			add_context(out, b->context);
	}
}

static void add_examples(struct strbuf *out)
{
	for (const struct subcommand *s = subcommands; s->name; s++) {
		if (s->hidden)
			continue;
		strbuf_add(out, s == subcommands ? "\\fB" : ".PP\n\\fB");
		add(out, arena_printf(out->arena, "posviz %s", s->example));
		strbuf_add(out, "\\fR\n");
	}
}

static void add_views(struct strbuf *out)
{
	add_list(out, "views");
}

static void add_matrices(struct strbuf *out)
{
	add_list(out, "matrices");
}

static void add_colormaps(struct strbuf *out)
{
	add_list(out, "colormaps");
}

static void add_formats(struct strbuf *out)
{
	for (const struct format *const *f = formats; *f; f++)
		item(out, (*f)->name, "", (*f)->help);
}

static void add_commands(struct strbuf *out)
{
	add_list(out, "commands");
}

static const char *with_commas(const char *words, const char *before, struct arena *a)
{
	const char *out = "";
	for (const char *at = words; *at; at += strspn(at, " ")) {
		const size_t len = strcspn(at, " ");
		out = arena_printf(a, "%s%s%s%.*s", out, *out ? ", " : "", before, (int)len, at);
		at += len;
	}
	return out;
}

/* Adds the kinds of files that some command or option takes. */
static void add_kinds(struct strbuf *out)
{
	struct arena *const a = out->arena;
	for (size_t i = 0; i < KIND_COUNT; i++) {
		const char *const takers = kind_takers(&kinds[i], "", a);
		const char *const shared = kinds[i].shared;
		const char *const endings =
			with_commas(shared ? arena_printf(a, "%s %s", kinds[i].suffixes, shared)
					   : kinds[i].suffixes,
				    ".", a);
		if (*takers)
			item(out, kinds[i].name, "",
			     *endings ? arena_printf(a, "%s; %s", endings, takers) : takers);
	}
}

static const struct slot tables[] = {{"synopsis", add_synopsis},
				     {"sub-commands", add_subcommands},
				     {"cli options", add_cli_options},
				     {"settings", add_settings},
				     {"options of the model", add_model_options},
				     {"options of the look", add_look_options},
				     {"schemes", add_schemes},
				     {"views", add_views},
				     {"matrices", add_matrices},
				     {"colormaps", add_colormaps},
				     {"keys", add_keys},
				     {"kinds", add_kinds},
				     {"formats", add_formats},
				     {"commands", add_commands},
				     {"glossary", add_words},
				     {"examples", add_examples},
				     {0}};

static void add_formula_bytes(struct strbuf *out)
{
	strbuf_printf(out, "%d", PARAM_TEXT_MAX - 1);
}

static void add_formula_steps(struct strbuf *out)
{
	strbuf_printf(out, "%d", CALC_STEPS);
}

static void add_formula_depth(struct strbuf *out)
{
	strbuf_printf(out, "%d", CALC_DEPTH);
}

static const struct slot numbers[] = {{"formula bytes", add_formula_bytes},
				      {"formula steps", add_formula_steps},
				      {"formula depth", add_formula_depth},
				      {0}};

/* ---- the page -------------------------------------------------------------------------------- */

/* Adds a block of assets/manual.txt: lines without an empty line between them. */
static void add_block(struct strbuf *out, const char *block, bool first)
{
	struct arena *const a = out->arena;
	const size_t len = strlen(block), head = strcspn(block, "\n");
	struct strbuf text;
	strbuf_init(&text, a);
	if (*block == '[' && block[len - 1] == ']') {
		section(out, arena_strndup(a, block + 1, len - 2));
	} else if (strncmp(block, "@{", 2) == 0 && block[len - 1] == '}') {
		template_fill(out, block, tables);
	} else if (strncmp(block, "- ", 2) == 0) {
		template_fill(&text, block + head + 1, numbers);
		item(out, arena_strndup(a, block + 2, head - 2), "", text.at);
	} else {
		strbuf_add(out, first ? "" : ".PP\n");
		template_fill(&text, block, numbers);
		line(out, text.at);
	}
}

static void add_manual(struct strbuf *out)
{
	const struct asset *const file = asset_find("manual.txt");
	bool first = true;
	if (!file)
		BUG("there is no manual.txt");
	for (const char *at = file->begin; *at;) {
		const char *const gap = strstr(at, "\n\n");
		const size_t len = gap ? (size_t)(gap - at) : strlen(at) - 1;
		if (*at != '#')
			add_block(out, arena_strndup(out->arena, at, len), first);
		first = *at == '[';
		at += len + strspn(at + len, "\n");
	}
}

int cmd_man(struct cli *c, struct err *err)
{
	struct strbuf out;
	strbuf_init(&out, &c->arena);
	strbuf_add(
		&out,
		".\\\" Printed by posviz man; edit the tables of the program and assets/manual.txt instead.\n");
	strbuf_printf(&out, ".TH POSVIZ 1 %s \"posviz %s\" \"User Commands\"\n", POSVIZ_DATE,
		      POSVIZ_VERSION);
	/* No hyphenation and no justified lines, because expressions must not be hyphenated or
	 * stretched. */
	strbuf_add(&out, ".nh\n.ad l\n");
	add_manual(&out);
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}
