/* completion_fish.c: the script that lets fish complete words, printed from the tables.
 *
 * fish wants a line for each option, with the condition under which it holds: that of the sub-command which
 * stands in the line. Expressions are asked of the program, which knows their brackets. */
#include <string.h>

#include "completion.h"

/* Text between single quotes. */
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

/* "@a @b" of "a b". */
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

/* What follows an option, or stands behind the sub-command: files or none, and words. */
static const char *action(const struct word *w, struct arena *a)
{
	switch (w->value) {
	case VALUE_FILE:
		return "-F";
	case VALUE_SAMPLE:
		return arena_printf(a, "-F -a %s", quoted(with_signs(w->words, a), a));
	case VALUE_TENSOR:
		return "-F -a '(__posviz_ask units)'";
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

static void add_helpers(struct strbuf *out)
{
	struct word *words;
	const size_t n = completion_options(NULL, out->arena, &words);
	strbuf_printf(out,
		      "# posviz: completion for fish, printed by \"posviz completion fish\"\n\n"
		      "# The sub-command in the line: options and their values are passed over.\n"
		      "function __posviz_sub\n"
		      "\tset -l subs %s\n"
		      "\tset -l valued",
		      completion_subcommands(out->arena));
	for (size_t i = 0; i < n; i++) {
		if (words[i].value == VALUE_NONE)
			continue;
		strbuf_printf(out, " --%s", words[i].name);
		if (words[i].letter)
			strbuf_printf(out, " -%c", words[i].letter);
	}
	strbuf_add(out,
		   "\n\tset -l tokens (commandline -opc)\n"
		   "\tset -l skip 1\n"
		   "\tset -l found ''\n"
		   "\tfor token in $tokens\n"
		   "\t\tif test $skip = 1\n"
		   "\t\t\tset skip 0\n"
		   "\t\telse if contains -- $token $valued\n"
		   "\t\t\tset skip 1\n"
		   "\t\telse if not string match -q -- '-*' $token\n"
		   "\t\t\tcontains -- $token $subs; and set found $token\n"
		   "\t\t\tbreak\n"
		   "\t\tend\n"
		   "\tend\n"
		   "\ttest \"$found\" = $argv[1]\n"
		   "end\n\n"
		   "# What the program offers for the word under the cursor.\n"
		   "function __posviz_ask\n"
		   "\tset -l typed (commandline -ct | string replace -r -- '^--[^=]*=' '')\n"
		   "\tset typed (string replace -a -r -- '[\\'\"\\\\\\\\]' '' \"$typed\")\n"
		   "\tset -l options\n"
		   "\tset -l line (commandline -p | string collect)\n"
		   "\tif set -l file (string match -r -g -- '--params[= ]([^ ]+)' \"$line\")\n"
		   "\t\tset options --params $file\n"
		   "\tend\n"
		   "\tif test $argv[1] = map\n"
		   "\t\tset -l named (string match -r -g -- '(?:render|show|dump|check|--scheme) "
		   "+([^ -][^ ]*)' \"$line\" | string replace -a -r -- '[\\'\"\\\\\\\\]' '')\n"
		   "\t\ttest -n \"$named\"; and set options $options --scheme $named\n"
		   "\tend\n"
		   "\tcommand posviz complete $argv[1] \"$typed\" $options 2>/dev/null\n"
		   "end\n\n"
		   "complete -c posviz -e\n");
}

void completion_fish(struct strbuf *out)
{
	struct arena *const a = out->arena;
	add_helpers(out);
	for (const struct subcommand *s = subcommands; s->name; s++)
		if (*s->name && !s->hidden)
			strbuf_printf(out,
				      "complete -c posviz -n \"__posviz_sub ''\" -a %s -d %s\n",
				      s->name, quoted(s->help, a));
	for (const struct subcommand *s = subcommands; s->name; s++)
		if (!s->hidden)
			add_subcommand(s, out);
}
