/* completion_bash.c: fills assets/shell/posviz.bash from the tables. */
#include "completion.h"

static const char *option_names(const struct word *w, struct arena *a)
{
	return w->letter ? arena_printf(a, "-%c|--%s", w->letter, w->name)
			 : arena_printf(a, "--%s", w->name);
}

static const char *action(const struct word *w, struct arena *a)
{
	switch (w->value) {
	case VALUE_FILE:
	case VALUE_TENSOR:
		return w->suffixes && *w->suffixes
			       ? arena_printf(a, "_posviz_files '%s'", w->suffixes)
			       : "_posviz_files";
	case VALUE_MAP:
		return "_posviz_ask map";
	case VALUE_SAMPLE:
		return arena_printf(a, "_posviz_samples '%s' '%s'", w->words,
				    w->suffixes ? w->suffixes : "");
	case VALUE_EXPR:
		return "_posviz_expr";
	case VALUE_WORDS:
		return arena_printf(a, "_posviz_words '%s'", w->words);
	case VALUE_NONE:
	case VALUE_OTHER:
		break;
	}
	return ":";
}

/* Adds the options of all sub-commands that take a value: the script needs them to find the
 * sub-command on the line. */
static void add_valued(struct strbuf *out)
{
	struct word *words;
	const size_t n = completion_options(NULL, out->arena, &words);
	const char *before = "";
	for (size_t i = 0; i < n; i++) {
		if (words[i].value == VALUE_NONE)
			continue;
		strbuf_printf(out, "%s%s", before, option_names(&words[i], out->arena));
		before = "|";
	}
}

static void add_case(const struct subcommand *sub, struct strbuf *out)
{
	struct arena *const a = out->arena;
	struct word *words;
	const size_t n = completion_options(sub, a, &words);
	const struct word behind = completion_operand(sub, a);
	strbuf_printf(out, "\t'%s')\n\t\tcase $prev in\n", sub->name);
	for (size_t i = 0; i < n; i++)
		if (words[i].value != VALUE_NONE)
			strbuf_printf(out, "\t\t%s) %s; return ;;\n", option_names(&words[i], a),
				      action(&words[i], a));
	strbuf_add(out, "\t\tesac\n\t\tif [[ $cur == -* ]]; then\n\t\t\t_posviz_words '");
	for (size_t i = 0; i < n; i++)
		strbuf_printf(out, "%s--%s", i > 0 ? " " : "", words[i].name);
	strbuf_add(out, "'\n\t\telse\n");
	strbuf_printf(out, "\t\t\t%s\n", action(&behind, a));
	if (!*sub->name)
		strbuf_printf(out,
			      "\t\t\t[[ $found || $at ]] || "
			      "COMPREPLY+=($(compgen -W '%s' -- \"$cur\"))\n",
			      completion_subcommands(a));
	strbuf_add(out, "\t\tfi ;;\n");
}

static void add_schemes(struct strbuf *out)
{
	for (size_t i = 0; i < scheme_count(); i++)
		strbuf_printf(out, "%s%s", i > 0 ? " " : "", scheme_at(i)->id);
}

static void add_cases(struct strbuf *out)
{
	for (const struct subcommand *s = subcommands; s->name; s++)
		add_case(s, out);
}

void completion_bash(struct strbuf *out)
{
	static const struct slot slots[] = {{"schemes", add_schemes},
					    {"valued", add_valued},
					    {"subcommands", completion_add_subcommands},
					    {"cases", add_cases},
					    {0}};
	template_fill_asset(out, "shell/posviz.bash", slots);
}
