/* complete.c: completion of a command line.
 *
 * The word at the end of the line is completed: the first word by the names of commands, fields and
 * settings, later ones by the command's own candidates or the field's choices. In an expression the
 * word begins behind the last "+" or "*", in a list of expressions behind the last semicolon; in
 * the brackets of a member complete_brackets() finds its begin. */
#include <string.h>

#include "app_in.h"

enum { CANDIDATES_FIRST = 32 };

static const char **grown(const struct candidates *c, const char **old, size_t more)
{
	const char **const out = arena_calloc(c->arena, more, sizeof *out);
	if (c->n > 0)
		memcpy(out, old, c->n * sizeof *out);
	return out;
}

void candidates_note(struct candidates *c, const char *text, const char *note)
{
	if (c->n == c->cap) {
		const size_t more = c->cap ? 2 * c->cap : CANDIDATES_FIRST;
		c->at = grown(c, c->at, more);
		c->notes = grown(c, c->notes, more);
		c->cap = more;
	}
	c->notes[c->n] = note;
	c->at[c->n++] = text;
}

void candidates_add(struct candidates *c, const char *text)
{
	candidates_note(c, text, "");
}

void complete_values(const struct value_type *t, const char *def, struct candidates *out)
{
	const char *const *const words = value_choices(t);
	for (size_t i = 0; words && words[i]; i++)
		candidates_note(out, words[i], strcmp(words[i], def) == 0 ? "the default" : "");
	if (!words && *def)
		candidates_note(
			out, def,
			arena_printf(out->arena, "the default; %s", value_range(t, out->arena)));
}

static const struct command *command_named(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* A command with the name of a field replaces it. */
void complete_commands(struct candidates *out)
{
	for (const struct command *c = commands; c->name; c++)
		candidates_note(out, c->name, c->help);
	for (const struct field *f = scene_fields; f->name; f++)
		if (!command_named(f->name))
			candidates_note(out, f->name, f->help);
	for (const struct field *f = setting_fields; f->name; f++)
		candidates_note(out, f->name, f->help);
}

static void complete_field(const struct app *app, const struct field *f, const char *args,
			   struct candidates *out)
{
	if (strcmp(f->name, "scheme") == 0)
		complete_scheme(app, args, out);
	if (strcmp(f->name, "map") == 0)
		complete_map(app, args, out);
	if (field_is_file(f) && strcmp(f->args, "FILE[:TENSOR]") == 0 && strchr(args, ':')) {
		out->from = 0;
		complete_tensor(args, out);
	} else if (field_is_file(f)) {
		complete_samples(f->name, args, out);
		complete_file(app, args, out);
	}
	if (f->type.kind != &value_text)
		complete_values(&f->type, f->type.def_text, out);
	if (f->type.kind == &value_choice)
		complete_step(app, args, out);
}

static void complete_argument(const struct app *app, const char *name, const char *args,
			      struct candidates *out)
{
	const struct command *const c = command_named(name);
	const struct field *f = field_find(name);
	if (!f)
		f = setting_find(name);
	if (c && c->complete)
		c->complete(app, args, out);
	for (const char *word = c && c->request ? c->args : ""; *word;) {
		const size_t len = strcspn(word, "|");
		candidates_add(out, arena_strndup(out->arena, word, len));
		word += len + (word[len] == '|');
	}
	if (!c && f)
		complete_field(app, f, args, out);
}

static size_t last_word(const char *args)
{
	size_t at = 0;
	for (size_t i = 0; args[i]; i++)
		if (strchr(" +;*", args[i]))
			at = i + 1;
	return at;
}

/* True if another name continues this one: "scheme-next" continues "scheme". */
static bool is_stem(const struct candidates *all, const char *name)
{
	const size_t len = strlen(name);
	for (size_t i = 0; i < all->n; i++)
		if (strncmp(all->at[i], name, len) == 0 && all->at[i][len] != '\0')
			return true;
	return false;
}

/* Adds the first words; those that others continue come first. */
static void complete_names(struct candidates *out)
{
	struct candidates all = {.arena = out->arena};
	complete_commands(&all);
	for (int stems = 1; stems >= 0; stems--)
		for (size_t i = 0; i < all.n; i++)
			if (is_stem(&all, all.at[i]) == (stems == 1))
				candidates_note(out, all.at[i], all.notes[i]);
}

size_t complete_line(const struct app *app, const char *line, struct candidates *out)
{
	const size_t len = strcspn(line, " ");
	const bool first = line[len] == '\0';
	const char *const args = first ? line : line + len + strspn(line + len, " ");
	struct candidates found = {.arena = out->arena, .from = first ? 0 : last_word(args)},
			  fit = {.arena = out->arena};
	if (first)
		complete_names(&found);
	else
		complete_argument(app, arena_strndup(out->arena, line, len), args, &found);
	const size_t same = (size_t)(args - line) + found.from;
	if (!found.matched)
		candidates_rank(&found, line + same, &fit);
	const struct candidates *const all = found.matched ? &found : &fit;
	for (size_t i = 0; i < all->n; i++)
		candidates_note(out,
				arena_printf(out->arena, "%.*s%s", (int)same, line, all->at[i]),
				all->notes[i]);
	return same;
}

struct completion *app_menu(const struct app *app, const char *line, struct arena *a, size_t *n)
{
	struct candidates all = {.arena = a};
	const size_t same = complete_line(app, line, &all);
	struct completion *const out = arena_calloc(a, all.n + 1, sizeof *out);
	for (size_t i = 0; i < all.n; i++)
		out[i] = (struct completion){all.at[i], all.at[i] + same, all.notes[i]};
	*n = all.n;
	return out;
}
