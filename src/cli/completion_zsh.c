/* completion_zsh.c: fills assets/shell/posviz.zsh from the tables. */
#include <string.h>

#include "completion.h"

/* Adds text that is inside single quotes and inside the brackets of an explanation. */
static void add_text(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_add(out, "'\\''");
		else if (strchr("[]:\\", *text))
			strbuf_printf(out, "\\%c", *text);
		else
			strbuf_add_char(out, *text);
	}
}

/* Adds a word and its meaning, for _describe. */
static void add_described(const char *word, const char *text, struct strbuf *out)
{
	strbuf_printf(out, "\t\t'%s:", word);
	add_text(out, text);
	strbuf_add(out, "'\n");
}

/* Returns the endings of files that fit, as _posviz_files takes them. */
static const char *endings(const struct word *w, struct arena *a)
{
	char *const out = arena_strdup(a, w->suffixes && *w->suffixes ? w->suffixes : "any");
	for (char *blank = out; (blank = strchr(blank, ' ')) != NULL;)
		*blank = ',';
	return out;
}

static const char *action(const struct word *w, struct arena *a)
{
	switch (w->value) {
	case VALUE_FILE:
		return arena_printf(a, "{_posviz_files %s}", endings(w, a));
	case VALUE_TENSOR:
		return arena_printf(a, "{_posviz_tensors %s}", endings(w, a));
	case VALUE_MAP:
		return "{_posviz_ask map}";
	case VALUE_SAMPLE:
		return arena_printf(a, "{_posviz_samples %s %s}", endings(w, a), w->words);
	case VALUE_EXPR:
		return "_posviz_expr";
	case VALUE_WORDS:
		return arena_printf(a, "(%s)", w->words);
	case VALUE_NONE:
	case VALUE_OTHER:
		break;
	}
	return " ";
}

static void add_option(const struct word *w, struct strbuf *out)
{
	const bool repeated = strcmp(w->name, "command") == 0;
	const char *const value = w->value == VALUE_NONE ? "" : "=";
	strbuf_add(out, "\t\t\t");
	if (repeated)
		strbuf_printf(out, "'*'{-%c+,--%s=}'[", w->letter, w->name);
	else if (w->letter)
		strbuf_printf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", w->letter, w->name, w->letter,
			      *value ? "+" : "", w->name, value);
	else
		strbuf_printf(out, "'--%s%s[", w->name, value);
	add_text(out, w->help);
	strbuf_add_char(out, ']');
	if (w->value != VALUE_NONE)
		strbuf_printf(out, ":%s:%s", w->name, action(w, out->arena));
	strbuf_add(out, "' \\\n");
}

static void add_case(const struct subcommand *sub, struct strbuf *out)
{
	struct arena *const a = out->arena;
	struct word *words;
	const size_t n = completion_options(sub, a, &words);
	const struct word behind = completion_operand(sub, a);
	strbuf_printf(out, "\t%s)\n\t\t_arguments -s -S \\\n", *sub->name ? sub->name : "*");
	for (size_t i = 0; i < n; i++)
		add_option(&words[i], out);
	strbuf_printf(out, "\t\t\t'%s:%s:%s' ;;\n", sub->max_args > 1 ? "*" : "1",
		      behind.value == VALUE_NONE ? "nothing" : "what", action(&behind, a));
}

static void add_schemes(struct strbuf *out)
{
	for (size_t i = 0; i < scheme_count(); i++)
		add_described(scheme_at(i)->id, scheme_at(i)->title, out);
}

static void add_subcommands(struct strbuf *out)
{
	for (const struct subcommand *s = subcommands; s->name; s++)
		if (*s->name)
			add_described(s->name, s->help, out);
}

static void add_samples(struct strbuf *out)
{
	strbuf_add(out, completion_samples(NULL, out->arena));
}

static void add_options(struct strbuf *out)
{
	struct word *words;
	const size_t n = completion_options(&subcommands[0], out->arena, &words);
	for (size_t i = 0; i < n; i++)
		add_option(&words[i], out);
}

/* Adds a case for each sub-command. The case of no sub-command matches all, so it comes last. */
static void add_cases(struct strbuf *out)
{
	for (const struct subcommand *s = subcommands + 1; s->name; s++)
		add_case(s, out);
	add_case(&subcommands[0], out);
}

void completion_zsh(struct strbuf *out)
{
	static const struct slot slots[] = {
		{"schemes", add_schemes}, {"subcommands", add_subcommands},
		{"samples", add_samples}, {"options", add_options},
		{"cases", add_cases},	  {0}};
	template_fill_asset(out, "shell/posviz.zsh", slots);
}
