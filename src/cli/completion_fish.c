/* completion_fish.c: fills assets/shell/posviz.fish from the tables.
 *
 * fish needs a line for each option, with its condition: the sub-command on the typed line.
 * Expressions are completed by the program, which knows their brackets. */
#include <string.h>

#include "completion.h"

/* Returns the text in single quotes. */
static const char *quoted(const char *text, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	strbuf_add_char(&out, '\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			strbuf_add_char(&out, '\\');
		strbuf_add_char(&out, *text);
	}
	strbuf_add_char(&out, '\'');
	return out.at;
}

/* Returns "@a @b" for "a b". */
static const char *with_signs(const char *words, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *at = words; *at;) {
		const size_t len = strcspn(at, " ");
		strbuf_printf(&out, "%s@%.*s", out.len ? " " : "", (int)len, at);
		at += len + strspn(at + len, " ");
	}
	return out.len ? out.at : "";
}

/* Returns the completion of an option's value, or of a sub-command's arguments: files or none, and
 * words. */
static const char *action(const struct word *w, struct arena *a)
{
	const char *const endings = w->suffixes ? w->suffixes : "";
	switch (w->value) {
	case VALUE_FILE:
		return *endings ? arena_printf(a, "-f -a '(__posviz_files %s)'", endings) : "-F";
	case VALUE_SAMPLE:
		return *endings ? arena_printf(a, "-f -a '(__posviz_files %s) %s'", endings,
					       with_signs(w->words, a))
				: arena_printf(a, "-F -a %s", quoted(with_signs(w->words, a), a));
	case VALUE_TENSOR:
		return arena_printf(a, "-f -a '(__posviz_files %s) (__posviz_ask units)'", endings);
	case VALUE_EXPR:
		return "-f -a '(__posviz_ask scheme)'";
	case VALUE_MAP:
		return "-f -a '(__posviz_ask map)'";
	case VALUE_WORDS:
		return arena_printf(a, "-f -a %s", quoted(w->words, a));
	case VALUE_NONE:
	case VALUE_OTHER:
		break;
	}
	return "-f";
}

static void add_option(const char *condition, const struct word *w, struct strbuf *out)
{
	struct arena *const a = out->arena;
	strbuf_printf(out, "complete -c posviz -n %s -l %s", condition, w->name);
	if (w->letter)
		strbuf_printf(out, " -s %c", w->letter);
	if (w->value != VALUE_NONE)
		strbuf_printf(out, " -r %s", action(w, a));
	strbuf_printf(out, " -d %s\n", quoted(w->help, a));
}

static void add_subcommand(const struct subcommand *sub, struct strbuf *out)
{
	struct arena *const a = out->arena;
	struct word *words;
	const char *const condition = quoted(arena_printf(a, "__posviz_sub '%s'", sub->name), a);
	const size_t n = completion_options(sub, a, &words);
	const struct word behind = completion_operand(sub, a);
	strbuf_printf(out, "\ncomplete -c posviz -n %s %s\n", condition, action(&behind, a));
	for (size_t i = 0; i < n; i++)
		add_option(condition, &words[i], out);
}

/* Adds the options that take a value. */
static void add_valued(struct strbuf *out)
{
	struct word *words;
	const size_t n = completion_options(NULL, out->arena, &words);
	for (size_t i = 0; i < n; i++) {
		if (words[i].value == VALUE_NONE)
			continue;
		strbuf_printf(out, " --%s", words[i].name);
		if (words[i].letter)
			strbuf_printf(out, " -%c", words[i].letter);
	}
}

static void add_cases(struct strbuf *out)
{
	struct arena *const a = out->arena;
	for (const struct subcommand *s = subcommands; s->name; s++)
		if (*s->name && !s->hidden)
			strbuf_printf(out,
				      "complete -c posviz -n \"__posviz_sub ''\" -a %s -d %s\n",
				      s->name, quoted(s->help, a));
	for (const struct subcommand *s = subcommands; s->name; s++)
		if (!s->hidden)
			add_subcommand(s, out);
}

void completion_fish(struct strbuf *out)
{
	static const struct slot slots[] = {{"subcommands", completion_add_subcommands},
					    {"valued", add_valued},
					    {"cases", add_cases},
					    {0}};
	template_fill_asset(out, "shell/posviz.fish", slots);
}
