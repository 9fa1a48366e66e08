/* completion.c: prints the scripts that let shells complete words: those of assets/shell, filled
 * from the program's tables.
 *
 * The scripts contain all words, except for the names that the user's configuration defines, which
 * they read from it. They ask the program for words that depend on the typed text: the brackets of
 * an expression, and tensors of a file (cmd_complete.c). The values of an option or a sub-command
 * are derived from the text that describes them to people: "FILE", "on|off". */
#include "completion.h"

#include <ctype.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/format/kind.h"
#include "posviz/picture/picture.h"
#include "posviz/plot/colormap.h"
#include "posviz/scene/sample.h"

/* ---- values ---------------------------------------------------------------------------------- */

/* Calls `each` for the literal words of a text of arguments ("on|off", "NAME|auto"). */
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

static const char *names_of_formats(const struct subcommand *sub, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *const *name = subcommand_formats(sub, a); *name; name++)
		add_choice(&out, *name);
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

const char *completion_samples(const char *field, struct arena *a)
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
	w->suffixes = kind_suffixes(w->name, a);
	w->value = args ? VALUE_OTHER : VALUE_NONE;
	if (!args)
		return;
	if (strcmp(args, "FILE[:TENSOR]") == 0 || strcmp(w->name, "map") == 0) {
		w->value = strcmp(w->name, "map") == 0 ? VALUE_MAP : VALUE_TENSOR;
		return;
	}
	if (strncmp(args, "FILE", 4) == 0 || strcmp(args, "NAME|FILE") == 0) {
		w->words = completion_samples(w->name, a);
		w->value = *w->words ? VALUE_SAMPLE : VALUE_FILE;
		return;
	}
	if (strcmp(w->name, "scheme") == 0 || strcmp(w->name, "compare") == 0)
		w->value = VALUE_EXPR;
	else if (strcmp(w->name, "format") == 0)
		w->words = names_of_formats(sub, a);
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
		find_value(&words[(*n)++], field_args(f, a), sub ? sub : &subcommands[0], a);
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
		find_value(&words[n++], cli_option_args(o, a), sub ? sub : &subcommands[0], a);
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
	struct word w = {.name = "",
			 .value = VALUE_OTHER,
			 .suffixes = kind_suffixes(sub->name, a),
			 .words = ""};
	if (!*sub->args)
		w.value = VALUE_NONE;
	else if (strstr(sub->args, "@SAMPLE"))
		return (struct word){
			.name = "", .value = VALUE_SAMPLE, .words = completion_samples(NULL, a)};
	else if (strstr(sub->args, "EXPR"))
		w.value = VALUE_EXPR;
	else if (strstr(sub->args, "FILE"))
		w.value = VALUE_FILE;
	else
		w.words = strstr(sub->args, "SUB-COMMAND") ? completion_subcommands(a)
							   : literal_words(sub->args, a);
	if (*w.words)
		w.value = VALUE_WORDS;
	return w;
}

void completion_add_subcommands(struct strbuf *out)
{
	strbuf_add(out, completion_subcommands(out->arena));
}

int cmd_completion(struct cli *c, struct err *err)
{
	static const struct {
		const char *name;
		void (*print)(struct strbuf *out);
	} shells[] = {
		{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
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
