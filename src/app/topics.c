/* topics.c: help on a word: its entry in the glossary, and the view, scheme, command, option,
 * parameters and key of this name. Every kind of help uses this one search. */
#include <string.h>
#include <strings.h>

#include "app_in.h"
#include "posviz/app/glossary.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/scheme/called.h"

enum { TOPICS_MOST = 24, LINES_MOST = 48 };

struct search {
	const struct app *app;
	const char *word;
	struct arena *a;
	struct help_topic *at; /* TOPICS_MOST */
	size_t n;
};

static struct help_topic *add_topic(struct search *s, enum help_kind kind, const char *title)
{
	struct help_topic *const t = &s->at[s->n < TOPICS_MOST ? s->n++ : TOPICS_MOST - 1];
	*t = (struct help_topic){.kind = kind,
				 .title = title,
				 .lines = arena_calloc(s->a, LINES_MOST, sizeof *t->lines)};
	return t;
}

static void add_line(struct help_topic *t, const char *text)
{
	if (text && *text && t->n < LINES_MOST)
		t->lines[t->n++] = text;
}

static bool same(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
}

/* ---- of each kind ------------------------------------------------------------------------ */

/* Finds the glossary's entry with this first name, or else with this other name. */
static void find_word(struct search *s, bool first)
{
	size_t n;
	const struct glossary_entry *const all = glossary_all(s->a, &n);
	const struct glossary_entry *const e = glossary_find(all, n, s->word);
	if (!e || text_same_name(e->names[0], strlen(e->names[0]), s->word) != first)
		return;
	struct help_topic *const t = add_topic(s, HELP_WORD, glossary_title(e, s->a));
	add_line(t, e->text);
	for (size_t i = 0; i < GLOSSARY_TRIES && e->tries[i]; i++)
		add_line(t, arena_printf(s->a, "Try: %s", e->tries[i]));
	add_line(t, *e->seen ? arena_printf(s->a, "Seen: %s.", e->seen) : NULL);
	add_line(t, *e->from ? arena_printf(s->a, "From: %s.", e->from) : NULL);
}

static void find_view(struct search *s)
{
	const struct view *v;
	for (const struct view *const *at = views; (v = *at) != NULL; at++) {
		if (!same(v->name, s->word))
			continue;
		struct help_topic *const t =
			add_topic(s, HELP_VIEW, arena_printf(s->a, "view %s", v->title));
		add_line(t, v->help);
		add_line(t, arena_printf(s->a, "In the program: :view %s; of a picture: --view %s.",
					 v->name, v->name));
	}
}

static const char *param_names(const struct scheme *scheme, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const struct param *p = scheme->params; p && p->name; p++)
		strbuf_printf(&out, "%s%s", p == scheme->params ? "Parameters: " : ", ", p->name);
	return out.len > 0 ? out.at : NULL;
}

/* Finds the scheme with this id, or else with this alias. */
static void find_scheme(struct search *s, bool id)
{
	const struct scheme *m = scheme_find(s->word, strlen(s->word), NULL);
	for (size_t i = 0; !m && i < scheme_count(); i++)
		m = scheme_is_called(scheme_at(i), s->word) ? scheme_at(i) : NULL;
	if (!m || same(m->id, s->word) != id)
		return;
	struct help_topic *const t =
		add_topic(s, HELP_SCHEME, arena_printf(s->a, "scheme %s: %s", m->id, m->title));
	if (m->year > 0)
		add_line(t, arena_printf(s->a, "%s %d", m->authors, m->year));
	add_line(t, m->about);
	add_line(t, m->expression ? arena_printf(s->a, "Stands for %s", m->expression) : NULL);
	add_line(t, param_names(m, s->a));
	add_line(t, arena_printf(s->a, "In the program: :pick %s; all of it: posviz show %s", m->id,
				 m->id));
}

/* Finds a common name for a scheme with certain parameters. */
static void find_called(struct search *s)
{
	const struct scheme_call *const c = scheme_called(s->word);
	if (!c)
		return;
	struct help_topic *const t =
		add_topic(s, HELP_SCHEME,
			  arena_printf(s->a, "%s: %s", text_escape(s->a, s->word, strlen(s->word)),
				       c->expression));
	add_line(t, c->note);
	add_line(t, arena_printf(s->a, "In the program: :scheme %s; all of it: posviz show '%s'",
				 c->expression, c->expression));
}

/* Lists the keys in force that run the command, with any argument: "Up", "k in table". */
static const char *keys_of(const struct search *s, const char *name)
{
	struct strbuf out;
	const struct binding *b;
	const size_t len = strlen(name);
	strbuf_init(&out, s->a);
	for (size_t i = 0; (b = keymap_row(s->app, i)) != NULL; i++)
		if (strncmp(b->command, name, len) == 0 && strchr(" ", b->command[len]))
			strbuf_printf(&out, "%s%s%s%s", out.len > 0 ? ", " : "Keys: ", b->key,
				      *b->context ? " in " : "", b->context);
	return out.len > 0 ? out.at : NULL;
}

static const struct command *command_called(const char *name)
{
	const struct command *c = commands;
	while (c->name && !same(c->name, name))
		c++;
	return c->name ? c : NULL;
}

/* Adds a field, which is a command and an option; a command of the same name can do more. */
static void add_field(struct search *s, const struct field *f, bool of_scene)
{
	const struct command *const c = command_called(f->name);
	const char *const more =
		c ? arena_printf(s->a, "; command :%s %s", f->name, c->args) : ", command :";
	struct help_topic *const t =
		add_topic(s, HELP_OPTION,
			  arena_printf(s->a, "option --%s %s%s%s", f->name, field_args(f, s->a),
				       more, c ? "" : f->name));
	add_line(t, f->help);
	add_line(t, c && strcmp(c->help, f->help) != 0 ? c->help : NULL);
	add_line(t, f->type.def_text && *f->type.def_text
			    ? arena_printf(s->a, "Default: %s", f->type.def_text)
			    : NULL);
	if (of_scene)
		add_line(t, arena_printf(s->a, "Now: %s", scene_get(&s->app->scene, f, s->a)));
	add_line(t, keys_of(s, f->name));
}

static void find_fields(struct search *s)
{
	for (const struct field *f = scene_fields; f->name; f++)
		if (same(f->name, s->word))
			add_field(s, f, true);
	for (const struct field *f = setting_fields; f->name; f++)
		if (same(f->name, s->word))
			add_field(s, f, false);
}

/* Finds a preset by its name, and all presets by the name of their command. */
static void find_presets(struct search *s)
{
	const bool all = same(s->word, "for");
	struct help_topic *t = NULL;
	for (const struct preset *p = presets; p->name; p++) {
		if (!all && !same(s->word, p->name))
			continue;
		if (!t)
			t = add_topic(s, HELP_PRESET,
				      all ? "what a picture can be for"
					  : arena_printf(s->a, "preset %s", p->name));
		add_line(t, arena_printf(s->a, "%s: %s", p->name, p->help));
	}
	add_line(t, t ? "In the program: :for NAME; of a picture: --for NAME." : NULL);
}

static bool is_field(const char *name)
{
	return field_find(name) || setting_find(name);
}

static void find_command(struct search *s)
{
	const struct command *const c = command_called(s->word);
	if (!c || is_field(c->name))
		return;
	struct help_topic *const t = add_topic(
		s, HELP_COMMAND,
		arena_printf(s->a, "command :%s%s%s", c->name, *c->args ? " " : "", c->args));
	add_line(t, c->help);
	add_line(t, keys_of(s, c->name));
}

/* Finds parameters; schemes whose parameter has the same help and range share a line. */
static void find_params(struct search *s)
{
	struct help_topic *t = NULL;
	const struct param *said[LINES_MOST];
	const char *schemes[LINES_MOST];
	size_t n = 0;
	for (size_t i = 0; i < scheme_count(); i++) {
		const struct scheme *const m = scheme_at(i);
		const struct param *const p = scheme_param(m, s->word, strlen(s->word));
		size_t k = 0;
		if (!p)
			continue;
		while (k < n && (strcmp(said[k]->help, p->help) != 0 ||
				 strcmp(value_range(&said[k]->type, s->a),
					value_range(&p->type, s->a)) != 0))
			k++;
		if (k == LINES_MOST)
			continue;
		schemes[k] = k < n ? arena_printf(s->a, "%s, %s", schemes[k], m->id) : m->id;
		said[k] = k < n ? said[k] : p;
		n += k == n;
	}
	if (n > 0)
		t = add_topic(s, HELP_PARAM, arena_printf(s->a, "parameter %s", said[0]->name));
	for (size_t k = 0; k < n; k++)
		add_line(t, arena_printf(s->a, "of %s: %s: %s", schemes[k], said[k]->help,
					 value_range(&said[k]->type, s->a)));
}

static void find_key(struct search *s)
{
	const char *const key = keymap_key(s->word, NULL);
	const struct binding *b;
	struct help_topic *t = NULL;
	for (size_t i = 0; key && (b = keymap_row(s->app, i)) != NULL; i++) {
		if (strcmp(b->key, key) != 0)
			continue;
		if (!t)
			t = add_topic(s, HELP_KEY, arena_printf(s->a, "key %s", key));
		add_line(t, arena_printf(s->a, "%s%s: %s (:%s)", *b->context ? "in " : "everywhere",
					 b->context, *b->note ? b->note : b->command, b->command));
	}
	if (key && !t)
		add_line(add_topic(s, HELP_KEY, arena_printf(s->a, "key %s", key)),
			 "does nothing anywhere; bind gives it something to do");
}

/* ---- names ------------------------------------------------------------------------------- */

static void add_names(struct candidates *out)
{
	size_t n;
	const struct view *v;
	const struct glossary_entry *const all = glossary_all(out->arena, &n);
	for (size_t i = 0; i < n; i++)
		for (const char *const *at = all[i].names; *at; at++)
			candidates_note(out, *at, all[i].text);
	for (const struct view *const *at = views; (v = *at) != NULL; at++)
		candidates_note(out, v->name, v->help);
	for (size_t i = 0; i < scheme_count(); i++)
		candidates_note(out, scheme_at(i)->id, scheme_at(i)->title);
	for (const struct scheme_call *c = scheme_calls; c->names; c++) {
		const char *name;
		size_t len;
		for (size_t i = 0; (name = scheme_call_name(c, i, &len)) != NULL; i++)
			candidates_note(out, arena_strndup(out->arena, name, len), c->expression);
	}
	complete_commands(out);
	for (const struct preset *p = presets; p->name; p++)
		candidates_note(out, p->name, p->help);
	for (size_t i = 0; i < scheme_count(); i++)
		for (const struct param *p = scheme_at(i)->params; p && p->name; p++)
			candidates_note(out, p->name, p->help);
}

const char *topics_near(const char *word, struct arena *a)
{
	struct candidates all = {.arena = a};
	add_names(&all);
	keymap_names(&all);
	return text_suggest(word, all.at, all.n);
}

static bool unknown(struct search *s, struct err *err)
{
	const char *const near = topics_near(s->word, s->a);
	const char *const quoted = text_quote(s->a, s->word, strlen(s->word));
	if (near)
		return err_set(err, "no help on %s; did you mean \"%s\"?", quoted, near);
	return err_set(err,
		       "no help on %s, which is no word of the glossary, view, scheme, command, "
		       "option, parameter or key; posviz list words names the glossary's",
		       quoted);
}

bool topics_find(const struct app *app, const char *word, struct arena *a,
		 const struct help_topic **out, size_t *n, struct err *err)
{
	struct search s = {app, word, a, arena_calloc(a, TOPICS_MOST, sizeof *s.at), 0};
	find_word(&s, true);
	find_scheme(&s, true);
	find_view(&s);
	find_command(&s);
	find_fields(&s);
	find_presets(&s);
	find_word(&s, false);
	find_scheme(&s, false);
	find_called(&s);
	find_params(&s);
	find_key(&s);
	*out = s.at;
	*n = s.n;
	return s.n > 0 || unknown(&s, err);
}

void complete_help(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	out->from = 0; /* a topic may have several words */
	add_names(out);
	keymap_names(out);
}
