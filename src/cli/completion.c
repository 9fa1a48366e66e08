/* completion.c: scripts that let bash and zsh complete words, printed from the tables.
 *
 * What there is stands in the script, but for the names that the user's configuration defines, which are
 * read off it. The program is asked for what hangs on what is typed: the brackets of an expression, and
 * tensors of a file (cmd_complete.c). What an option or a sub-command
 * takes is read off the text that says it to people: "FILE", "on|off". */
#include "completion.h"

#include <ctype.h>
#include <string.h>

#include "posviz/colormap.h"
#include "posviz/text.h"
#include "posviz/view.h"

/* ---- what is taken ----------------------------------------------------------------------------- */

/* Calls `each` for the words that a text of arguments offers literally ("on|off", "NAME|auto"). */
static void each_choice(const char *args, void (*each)(void *context, const char *word),
			void *context)
{
	char word[64];
	for (const char *at = args; at && *at;) {
		at += strspn(at, "[]|");
		const size_t len = strcspn(at, "[]|");
		size_t plain = 0;
		while (plain < len && (islower((unsigned char)at[plain]) ||
				       isdigit((unsigned char)at[plain]) || at[plain] == '-'))
			plain++;
		if (len > 0 && plain == len && len < sizeof word) {
			memcpy(word, at, len);
			word[len] = '\0';
			each(context, word);
		}
		at += len;
	}
}

static void add_choice(void *context, const char *word)
{
	struct strbuf *const out = context;
	strbuf_printf(out, "%s%s", out->len > 0 ? " " : "", word);
}

static const char *literal_words(const char *args, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	each_choice(args, add_choice, &out);
	return out.at;
}

static const char *command_words(struct arena *a)
{
	struct strbuf out;
	struct listing l;
	struct err err;
	strbuf_init(&out, a);
	if (!list_rows("commands", a, &l, &err))
		BUG("%s", err.text);
	for (size_t i = 0; i < l.n; i++)
		add_choice(&out, l.cells[i * l.cols]);
	return out.at;
}

static const char *format_words(const struct subcommand *sub, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (size_t i = 0; sub->formats && sub->formats[i]; i++)
		add_choice(&out, sub->formats[i]);
	return out.at;
}

static const char *name_words(const char *name, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	if (strcmp(name, "colormap") == 0) {
		add_choice(&out, "auto");
		for (const struct colormap *m = colormaps; m->name; m++)
			add_choice(&out, m->name);
	} else {
		for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
			add_choice(&out, v->name);
	}
	return out.at;
}

/* The samples for a field; NULL: all of them. */
static const char *sample_words(const char *field, struct arena *a)
{
	struct strbuf out;
	size_t n;
	strbuf_init(&out, a);
	const struct sample *const all = samples_all(a, &n);
	for (size_t i = 0; i < n; i++)
		if (!field || strcmp(all[i].field, field) == 0)
			add_choice(&out, all[i].name);
	return out.at;
}

static void find_value(struct word *w, const char *args, const struct subcommand *sub,
		       struct arena *a)
{
	w->words = "";
	w->value = args ? VALUE_OTHER : VALUE_NONE;
	if (!args)
		return;
	if (strcmp(args, "FILE[:TENSOR]") == 0 || strcmp(w->name, "map") == 0) {
		w->value = strcmp(w->name, "map") == 0 ? VALUE_MAP : VALUE_TENSOR;
		return;
	}
	if (strncmp(args, "FILE", 4) == 0) {
		w->words = sample_words(w->name, a);
		w->value = *w->words ? VALUE_SAMPLE : VALUE_FILE;
		return;
	}
	if (strcmp(w->name, "scheme") == 0 || strcmp(w->name, "compare") == 0)
		w->value = VALUE_EXPR;
	else if (strcmp(w->name, "format") == 0)
		w->words = format_words(sub, a);
	else if (strcmp(w->name, "command") == 0)
		w->words = command_words(a);
	else if (strcmp(w->name, "colormap") == 0 || strcmp(w->name, "view") == 0)
		w->words = name_words(w->name, a);
	else
		w->words = literal_words(args, a);
	if (*w->words)
		w->value = VALUE_WORDS;
}

static size_t count_fields(const struct field *fields)
{
	size_t n = 0;
	while (fields[n].name)
		n++;
	return n;
}

static void add_fields(struct word *words, size_t *n, const struct field *fields,
		       unsigned (*groups)(const struct field *f), unsigned takes,
		       const struct subcommand *sub, struct arena *a)
{
	for (const struct field *f = fields; f->name; f++) {
		if (!(groups(f) & takes))
			continue;
		words[*n] = (struct word){.name = f->name, .help = f->help, .letter = f->letter};
		find_value(&words[(*n)++], f->args, sub ? sub : &subcommands[0], a);
	}
}

size_t completion_options(const struct subcommand *sub, struct arena *a, struct word **out)
{
	const unsigned takes = sub ? sub->takes : ~0u;
	size_t n = 0, most = count_fields(scene_fields) + count_fields(setting_fields);
	for (const struct cli_option *o = cli_options; o->name; o++)
		most++;
	struct word *const words = arena_calloc(a, most + 1, sizeof *words);
	for (const struct cli_option *o = cli_options; o->name; o++) {
		if (o->takes != 0 && !(o->takes & takes))
			continue;
		words[n] = (struct word){.name = o->name, .help = o->help, .letter = o->letter};
		find_value(&words[n++], o->args, sub ? sub : &subcommands[0], a);
	}
	add_fields(words, &n, setting_fields, setting_takes, takes, sub, a);
	add_fields(words, &n, scene_fields, field_takes, takes, sub, a);
	*out = words;
	return n;
}

const char *completion_subcommands(struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const struct subcommand *s = subcommands; s->name; s++)
		if (*s->name && s->run != cmd_complete)
			add_choice(&out, s->name);
	return out.at;
}

struct word completion_operand(const struct subcommand *sub, struct arena *a)
{
	struct word w = {.name = "", .value = VALUE_OTHER, .words = ""};
	if (!*sub->args)
		w.value = VALUE_NONE;
	else if (strstr(sub->args, "EXPR"))
		w.value = VALUE_EXPR;
	else if (strstr(sub->args, "@SAMPLE"))
		return (struct word){
			.name = "", .value = VALUE_SAMPLE, .words = sample_words(NULL, a)};
	else if (strstr(sub->args, "FILE"))
		w.value = VALUE_FILE;
	else
		w.words = strstr(sub->args, "SUB-COMMAND") ? completion_subcommands(a)
							   : literal_words(sub->args, a);
	if (*w.words)
		w.value = VALUE_WORDS;
	return w;
}

/* A name that the user may define, for what reads a configuration that anybody wrote. */
#define NAME "[A-Za-z][A-Za-z0-9_.-]*"

/* ---- bash -------------------------------------------------------------------------------------- */

static const char *option_names(const struct word *w, struct arena *a)
{
	return w->letter ? arena_printf(a, "-%c|--%s", w->letter, w->name)
			 : arena_printf(a, "--%s", w->name);
}

static const char *bash_action(const struct word *w, struct arena *a)
{
	switch (w->value) {
	case VALUE_FILE:
	case VALUE_TENSOR:
		return "_posviz_files";
	case VALUE_MAP:
		return "_posviz_ask map";
	case VALUE_SAMPLE:
		return arena_printf(a, "_posviz_samples '%s'", w->words);
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

/* The options that take a value, for finding the sub-command behind them: those of all. */
static void add_bash_valued(struct strbuf *out)
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

static void add_bash_case(const struct subcommand *sub, struct strbuf *out)
{
	struct arena *const a = out->arena;
	struct word *words;
	const size_t n = completion_options(sub, a, &words);
	const struct word behind = completion_operand(sub, a);
	strbuf_printf(out, "\t'%s')\n\t\tcase $prev in\n", sub->name);
	for (size_t i = 0; i < n; i++)
		if (words[i].value != VALUE_NONE)
			strbuf_printf(out, "\t\t%s) %s; return ;;\n", option_names(&words[i], a),
				      bash_action(&words[i], a));
	strbuf_add(out, "\t\tesac\n\t\tif [[ $cur == -* ]]; then\n\t\t\t_posviz_words '");
	for (size_t i = 0; i < n; i++)
		strbuf_printf(out, "%s--%s", i > 0 ? " " : "", words[i].name);
	strbuf_add(out, "'\n\t\telse\n");
	strbuf_printf(out, "\t\t\t%s\n", bash_action(&behind, a));
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

/* What the completion calls. */
static void add_bash_helpers(struct strbuf *out)
{
	strbuf_add(
		out,
		"# posviz: completion for bash, printed by \"posviz completion bash\"\n\n"
		"_posviz_words()\n{\n"
		"\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n}\n\n"
		"_posviz_files()\n{\n"
		"\tcompopt -o filenames 2>/dev/null\n"
		"\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n}\n\n"
		"# Samples and files; before the first letter, both.\n"
		"_posviz_samples()\n{\n"
		"\tif [[ $at || $cur == @* ]]; then\n"
		"\t\tmapfile -t COMPREPLY < <(compgen -P @ -W \"$1\" -- \"${cur#@}\")\n"
		"\telse\n"
		"\t\t_posviz_files\n"
		"\t\t[[ $cur ]] && return\n"
		"\t\t((${#COMPREPLY[@]})) || compopt +o filenames 2>/dev/null\n"
		"\t\tCOMPREPLY+=($(compgen -P @ -W \"$1\"))\n"
		"\tfi\n}\n\n"
		"# What the program offers for the word under the cursor, as the argument of a "
		"command.\n"
		"# bash replaces what stands behind the last of its breaks, but in quotes all.\n"
		"_posviz_ask()\n{\n"
		"\tlocal command=$1 line=${COMP_LINE-} typed bare word front=''\n"
		"\tlocal options=()\n"
		"\tline=${line:0:${COMP_POINT:-0}}\n"
		"\ttyped=${line##*[[:space:]]}\n"
		"\t[[ $typed == --*=* ]] && typed=${typed#*=}\n"
		"\tbare=${typed#[\\\"\\']}\n"
		"\t[[ $bare == \"$typed\" ]] && front=${bare%\"${bare##*[\"$COMP_WORDBREAKS\"]}\"}\n"
		"\t[[ $line =~ --params[=[:space:]]+([^[:space:]]+) ]] && "
		"options+=(--params \"${BASH_REMATCH[1]}\")\n"
		"\tword='(render|show|dump|check|--scheme)[=[:space:]]+([^[:space:]-][^[:space:]]*)'\n"
		"\t[[ $command == map && $line =~ $word ]] && "
		"options+=(--scheme \"${BASH_REMATCH[2]//[\\\"\\']/}\")\n"
		"\tCOMPREPLY=()\n"
		"\twhile IFS=$'\\t' read -r word _; do\n"
		"\t\tCOMPREPLY+=(\"${word:${#front}}\")\n"
		"\tdone < <(\"${COMP_WORDS[0]}\" complete \"$command\" \"$bare\" "
		"\"${options[@]}\" 2>/dev/null)\n"
		"\t[[ ${COMPREPLY[0]-} == *[=:] ]] && compopt -o nospace 2>/dev/null\n"
		"\treturn 0\n}\n\n"
		"# Brackets of an expression, tensors of a file: parts that bash takes for words.\n"
		"_posviz_within()\n{\n"
		"\tlocal line=${COMP_LINE-} typed before\n"
		"\tline=${line:0:${COMP_POINT:-0}}\n"
		"\ttyped=${line##*[[:space:]]}\n"
		"\tbefore=${line%\"$typed\"}\n"
		"\tbefore=${before%\"${before##*[![:space:]]}\"}\n"
		"\tbefore=${before##*[[:space:]]}\n"
		"\t[[ $typed == --*=* ]] && before=${typed%%=*} typed=${typed#*=}\n"
		"\tcase $before in\n"
		"\t--map) _posviz_ask map; return ;;\n"
		"\t--units | --matrix-from)\n"
		"\t\t[[ $typed == *:* ]] || return 1\n"
		"\t\t_posviz_ask units; return ;;\n"
		"\t-s | --sentence | --tree | --graph | -c | --command) return 1 ;;\n"
		"\tesac\n"
		"\t[[ $typed =~ ^[\\\"\\']?[A-Za-z0-9_.*+-]+[\\(:] ]] || return 1\n"
		"\t_posviz_ask scheme\n}\n\n"
		"# The names that the configuration defines.\n"
		"_posviz_names()\n{\n"
		"\tlocal file=${XDG_CONFIG_HOME:-$HOME/.config}/posviz/config\n"
		"\tlocal word name rest names=' '\n"
		"\t[[ -f $file && -r $file ]] || return\n"
		"\twhile read -r word name rest || [[ $word ]]; do\n"
		"\t\t[[ $name =~ ^" NAME "$ ]] || continue\n"
		"\t\t[[ $word == define || $word == undefine ]] && names=${names// $name / }\n"
		"\t\t[[ $word == define && $rest ]] && names+=\"$name \"\n"
		"\tdone <\"$file\"\n"
		"\tprintf '%s' \"$names\"\n}\n\n"
		"# The last member of an expression; + parts them.\n"
		"_posviz_expr()\n{\n"
		"\tlocal last=${cur##*+} schemes='");
	add_schemes(out);
	strbuf_add(out, "'\n"
			"\tmapfile -t COMPREPLY < <(compgen -P \"${cur%\"$last\"}\" "
			"-W \"$schemes$(_posviz_names)\" -- \"$last\")\n}\n\n");
}

static void print_bash(struct strbuf *out)
{
	add_bash_helpers(out);
	strbuf_add(out, "_posviz()\n{\n"
			"\tlocal cur prev word i sub='' found='' at=''\n"
			"\tCOMPREPLY=()\n"
			"\t_posviz_within && return\n"
			"\tcur=${COMP_WORDS[COMP_CWORD]}\n"
			"\tprev=${COMP_WORDS[COMP_CWORD - 1]}\n"
			"\t# --option=value and @name come in parts; what is replaced has its @\n"
			"\tif [[ $cur == = || $cur == @ || $cur == =@ ]]; then\n"
			"\t\t[[ $cur == *@ ]] && at=yes\n"
			"\t\tcur=''\n"
			"\telif [[ $prev == = || $prev == @ || $prev == =@ ]]; then\n"
			"\t\t[[ $prev == *@ ]] && at=yes\n"
			"\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n"
			"\tfi\n"
			"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
			"\t\tword=${COMP_WORDS[i]}\n"
			"\t\tcase $word in\n\t\t");
	add_bash_valued(out);
	strbuf_printf(out,
		      ")\n"
		      "\t\t\t[[ ${COMP_WORDS[i + 1]} =~ ^(=|@|=@)$ ]] && ((i++))\n"
		      "\t\t\t((i++)) ;;\n"
		      "\t\t-*) ;;\n"
		      "\t\t*)\n"
		      "\t\t\tfound=$word\n"
		      "\t\t\tbreak ;;\n"
		      "\t\tesac\n"
		      "\tdone\n"
		      "\tfor word in %s; do\n"
		      "\t\t[[ $found == \"$word\" ]] && sub=$word\n"
		      "\tdone\n"
		      "\tcase $sub in\n",
		      completion_subcommands(out->arena));
	for (const struct subcommand *s = subcommands; s->name; s++)
		add_bash_case(s, out);
	strbuf_add(out, "\tesac\n}\n\ncomplete -F _posviz posviz\n");
}

/* ---- zsh --------------------------------------------------------------------------------------- */

/* Text between single quotes, inside the brackets of an explanation. */
static void add_zsh_text(struct strbuf *out, const char *text)
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

static const char *zsh_action(const struct word *w, struct arena *a)
{
	switch (w->value) {
	case VALUE_FILE:
		return "_files";
	case VALUE_TENSOR:
		return "_posviz_tensors";
	case VALUE_MAP:
		return "{_posviz_ask map}";
	case VALUE_SAMPLE:
		return arena_printf(a, "{_posviz_samples %s}", w->words);
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

static void add_zsh_option(const struct word *w, struct strbuf *out)
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
	add_zsh_text(out, w->help);
	strbuf_add_char(out, ']');
	if (w->value != VALUE_NONE)
		strbuf_printf(out, ":%s:%s", w->name, zsh_action(w, out->arena));
	strbuf_add(out, "' \\\n");
}

static void add_zsh_case(const struct subcommand *sub, struct strbuf *out)
{
	struct arena *const a = out->arena;
	struct word *words;
	const size_t n = completion_options(sub, a, &words);
	const struct word behind = completion_operand(sub, a);
	strbuf_printf(out, "\t%s)\n\t\t_arguments -s -S \\\n", *sub->name ? sub->name : "*");
	for (size_t i = 0; i < n; i++)
		add_zsh_option(&words[i], out);
	strbuf_printf(out, "\t\t\t'%s:%s:%s' ;;\n", sub->max_args > 1 ? "*" : "1",
		      behind.value == VALUE_NONE ? "nothing" : "what", zsh_action(&behind, a));
}

static void print_zsh(struct strbuf *out)
{
	struct word *words;
	const size_t n = completion_options(&subcommands[0], out->arena, &words);
	strbuf_add(out, "#compdef posviz\n"
			"# posviz: completion for zsh, printed by \"posviz completion zsh\"\n\n"
			"_posviz_expr() {\n\tlocal -a schemes\n\tschemes=(\n");
	for (size_t i = 0; i < scheme_count(); i++) {
		strbuf_printf(out, "\t\t'%s:", scheme_at(i)->id);
		add_zsh_text(out, scheme_at(i)->title);
		strbuf_add(out, "'\n");
	}
	strbuf_add(
		out,
		"\t)\n"
		"\t[[ $PREFIX == *[\\(:]* ]] && { _posviz_ask scheme; return }\n"
		"\tlocal file=${XDG_CONFIG_HOME:-$HOME/.config}/posviz/config\n"
		"\tlocal word name rest\n"
		"\t[[ -f $file && -r $file ]] && while read -r word name rest || [[ -n $word "
		"]]; do\n"
		"\t\t[[ $name =~ '^" NAME "$' ]] || continue\n"
		"\t\t[[ $word == (define|undefine) ]] && schemes=(${schemes:#$name:yours})\n"
		"\t\t[[ $word == define && -n $rest ]] && schemes+=(\"$name:yours\")\n"
		"\tdone <$file\n"
		"\tcompset -P '*+'\n\t_describe -t schemes scheme schemes\n}\n\n"
		"# What the program offers for the word under the cursor.\n"
		"_posviz_ask() {\n"
		"\tlocal -a found options line\n"
		"\tlocal i\n"
		"\tfor ((i = 1; i < $#words; i++)); do\n"
		"\t\t[[ $words[i] == --params ]] && options+=(--params $words[i+1])\n"
		"\t\t[[ $1 == map && $words[i] == (render|show|dump|check|--scheme) && "
		"$words[i+1] != -* ]] && options+=(--scheme ${(Q)words[i+1]})\n"
		"\tdone\n"
		"\tfound=(${(f)\"$(command posviz complete $1 ${(Q)PREFIX} $options 2>/dev/null)\"})\n"
		"\tfound=(${found%%$'\\t'*})\n"
		"\tcompadd -S '' -a found\n}\n\n"
		"_posviz_tensors() {\n"
		"\t[[ $PREFIX == *:* ]] && { _posviz_ask units; return }\n\t_files\n}\n\n"
		"_posviz_samples() {\n\tlocal expl\n\tlocal -a samples\n"
		"\tsamples=(@${^@})\n"
		"\t_wanted samples expl sample compadd -a samples\n\t_files\n}\n\n"
		"_posviz_first() {\n\tlocal -a subcommands\n\tsubcommands=(\n");
	for (const struct subcommand *s = subcommands; s->name; s++) {
		if (!*s->name)
			continue;
		strbuf_printf(out, "\t\t'%s:", s->name);
		add_zsh_text(out, s->help);
		strbuf_add(out, "'\n");
	}
	strbuf_printf(out,
		      "\t)\n\t_describe -t subcommands sub-command subcommands\n"
		      "\t_posviz_samples %s\n}\n\n",
		      sample_words(NULL, out->arena));
	strbuf_add(out, "_posviz() {\n"
			"\tlocal curcontext=\"$curcontext\" state line\n"
			"\ttypeset -A opt_args\n"
			"\t_arguments -C -s -S \\\n");
	for (size_t i = 0; i < n; i++)
		add_zsh_option(&words[i], out);
	strbuf_add(out, "\t\t\t'1:sub-command or file:_posviz_first' \\\n"
			"\t\t\t'*::what:->rest' && return\n"
			"\t[[ $state == rest ]] || return 1\n"
			"\tcase $words[1] in\n");
	for (const struct subcommand *s = subcommands + 1; s->name; s++)
		add_zsh_case(s, out);
	add_zsh_case(&subcommands[0], out);
	strbuf_add(out, "\tesac\n}\n\n_posviz \"$@\"\n");
}

int cmd_completion(struct cli *c, struct err *err)
{
	static const struct {
		const char *name;
		void (*print)(struct strbuf *out);
	} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", completion_fish}};
	struct strbuf out;
	strbuf_init(&out, &c->arena);
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (c->n_args > 0 && strcmp(c->args[0], shells[i].name) == 0) {
			shells[i].print(&out);
			return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
		}
	if (c->n_args == 0)
		err_set(err, "completion: name the shell: bash, zsh or fish");
	else
		err_set(err, "completion: %s is none of bash, zsh and fish",
			text_quote(&c->arena, c->args[0], strlen(c->args[0])));
	return EXIT_BAD_USE;
}
