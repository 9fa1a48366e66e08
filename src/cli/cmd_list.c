/* cmd_list.c: prints the program's tables as lists. Each list is one function that fills rows;
 * README and manual are made from the same functions. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "posviz/app/app.h"
#include "posviz/app/glossary.h"
#include "posviz/base/text.h"
#include "posviz/figures/source_figure.h"
#include "posviz/learn/task.h"
#include "posviz/math/machine.h"
#include "posviz/picture/picture.h"
#include "posviz/quantity/quantity.h"
#include "posviz/scene/dump.h"
#include "posviz/scene/sample.h"
#include "posviz/scheme/paper.h"
#include "posviz/scheme/released.h"
#include "posviz/tour/tour.h"

static const char *yes(unsigned flags, unsigned flag)
{
	return flags & flag ? "yes" : "no";
}

static void list_schemes(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"scheme",	"title",      "source",	 "topic",
					   "reference", "injection",  "learned", "recurring",
					   "unbounded", "parameters", NULL};
	listing_init(l, a, head);
	l->values = 1u << 6 | 1u << 7 | 1u << 8; /* learned, recurring, unbounded */
	size_t n;
	const struct menu_item *const items = menu_items(NULL, a, &n);
	for (size_t i = 0; i < n; i++) {
		const struct scheme *const s = items[i].scheme;
		/* A name that the user defined has no description but its expression. */
		const char *const title =
			s->flags & SCHEME_YOURS && s->expression
				? arena_printf(a, "%s: %s", s->title, s->expression)
				: s->title;
		listing_add(l, (const char *const[LISTING_COLS]){
				       s->id, title,
				       s->year == 0 ? s->authors
						    : arena_printf(a, "%s %d", s->authors, s->year),
				       topic_names[s->topic], reference_names[s->ref],
				       injection_names[s->inj], yes(s->flags, SCHEME_LEARNABLE),
				       yes(s->flags, SCHEME_RECURRING),
				       yes(s->flags, SCHEME_UNBOUNDED), s->count_printed});
	}
}

static void list_views(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"view", "title", "what it answers", NULL};
	listing_init(l, a, head);
	for (const struct view *const *at = views, *v; (v = *at) != NULL; at++)
		listing_add(l, (const char *const[]){v->name, v->title, v->help});
}

static void list_figures(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"figure", "title", "source", NULL};
	listing_init(l, a, head);
	const struct source_figure *f;
	for (size_t i = 0; (f = source_figure_at(i)) != NULL; i++)
		listing_add(l, (const char *const[]){f->name, f->title, f->source});
}

static void list_tasks(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"task", "sentence", "what is asked", "what it isolates",
					   NULL};
	listing_init(l, a, head);
	for (const struct task_row *t = task_rows; t->id; t++)
		listing_add(l, (const char *const[]){t->id, t->sentence, t->asked, t->isolates});
}

static void list_matrices(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"tensor", "shape", "what it is", NULL};
	listing_init(l, a, head);
	for (const struct dump_name *d = dump_names; d->pattern; d++)
		listing_add(l, (const char *const[]){d->pattern, d->shape, d->help});
}

/* Lists commands and fields. Fields are commands too, unless a command of the same name does
 * more. */
static void list_commands(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"command", "arguments", "group", "what it does", NULL};
	listing_init(l, a, head);
	for (const struct command *c = commands; c->name; c++)
		listing_add(l, (const char *const[]){c->name, c->args, c->group, c->help});
	for (const struct field *f = scene_fields; f->name; f++) {
		bool command = false;
		for (const struct command *c = commands; c->name; c++)
			command |= strcmp(c->name, f->name) == 0;
		if (!command)
			listing_add(l, (const char *const[]){f->name, field_args(f, l->arena),
							     "field", f->help});
	}
	for (const struct field *f = setting_fields; f->name; f++)
		listing_add(l, (const char *const[]){f->name, field_args(f, l->arena), "setting",
						     f->help});
}

static void list_keys(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"key", "where", "command", "what it does", NULL};
	listing_init(l, a, head);
	for (const struct binding *b = bindings; b->key; b++)
		if (keymap_leads(b))
			listing_add(l, (const char *const[]){
					       b->key, *b->context ? b->context : "everywhere",
					       b->command, b->note});
}

static void list_colormaps(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"colormap", "kind",	   "background",
					   "licence",  "good for", NULL};
	static const char *const backgrounds[] = {"any", "light", "dark"};
	listing_init(l, a, head);
	for (const struct colormap *m = colormaps; m->name; m++)
		listing_add(
			l, (const char *const[]){m->name, m->diverging ? "diverging" : "sequential",
						 backgrounds[m->background], m->licence, m->help});
}

static void add_samples(struct arena *a, const struct sample *of, size_t n, struct listing *l)
{
	for (size_t i = 0; i < n; i++)
		listing_add(l, (const char *const[]){arena_printf(a, "@%s", of[i].name),
						     of[i].field, of[i].file, of[i].help});
}

static void list_samples(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"sample", "kind", "file", "what it shows", NULL};
	listing_init(l, a, head);
	size_t n;
	const struct sample *of = samples_all(a, &n);
	add_samples(a, of, n, l);
	of = samples_models(a, &n);
	add_samples(a, of, n, l);
}

static void list_words(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"word",   "other names",   "section", "where it is seen",
					   "source", "what it means", NULL};
	listing_init(l, a, head);
	size_t n;
	const struct glossary_entry *const all = glossary_all(a, &n);
	for (size_t i = 0; i < n; i++) {
		const char *others = "";
		for (size_t k = 1; all[i].names[k]; k++)
			others = arena_printf(a, "%s%s%s", others, k > 1 ? ", " : "",
					      all[i].names[k]);
		listing_add(l, (const char *const[LISTING_COLS]){all[i].names[0], others,
								 all[i].section, all[i].seen,
								 all[i].from, all[i].text});
	}
}

/* "32/8" heads and key heads; "192/128" widths of keys and of values. */
static const char *two(struct arena *a, long one, long other)
{
	return other > 0 && other != one ? arena_printf(a, "%ld/%ld", one, other)
					 : arena_printf(a, "%ld", one);
}

static void list_models(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"model",    "year",	  "heads", "head-dim",
					   "layers",   "d-model", "t-max", "expression",
					   "left out", "source",  NULL};
	listing_init(l, a, head);
	for (const struct released *r = released_models; r->names; r++) {
		size_t len;
		const char *const name = released_name(r, &len);
		listing_add(
			l, (const char *const[LISTING_COLS]){
				   arena_strndup(a, name, len), arena_printf(a, "%d", r->year),
				   two(a, r->heads, r->kv_heads), two(a, r->head_dim, r->value_dim),
				   arena_printf(a, "%ld", r->layers), arena_printf(a, "%ld", r->d),
				   r->t_max ? arena_printf(a, "%ld", r->t_max) : "", r->expression,
				   r->left_out ? r->left_out : "", r->source});
	}
}

static void list_quantities(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"quantity", "arguments", "what it is", NULL};
	listing_init(l, a, head);
	for (size_t i = 0; i < quantity_count(); i++) {
		const struct quantity_row q = quantity_row(i);
		listing_add(l, (const char *const[]){q.name, q.args, q.help});
	}
}

static void list_formats(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"format", "endings", "opens again", "what it is", NULL};
	listing_init(l, a, head);
	l->values = 1u << 2;
	for (const struct format *const *f = formats; *f; f++)
		listing_add(l, (const char *const[]){(*f)->name, (*f)->suffixes,
						     yes((*f)->bears, FORMAT_SCENE), (*f)->help});
}

static void list_tours(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"tour", "title", "steps", "minutes", "what it is about",
					   NULL};
	listing_init(l, a, head);
	size_t n;
	const struct tour_name *const all = tours_all(a, &n);
	for (size_t i = 0; i < n; i++)
		listing_add(l, (const char *const[]){all[i].name, all[i].title,
						     arena_printf(a, "%zu", all[i].steps),
						     tour_time(all[i].seconds, a), all[i].about});
}

static void list_settings(struct arena *a, struct listing *l)
{
	static const char *const head[] = {"setting", "values", "default", "what it does", NULL};
	listing_init(l, a, head);
	for (const struct field *f = setting_fields; f->name; f++)
		listing_add(l, (const char *const[]){f->name, field_args(f, l->arena),
						     f->type.def_text, f->help});
}

static const struct list {
	const char *name;
	void (*rows)(struct arena *a, struct listing *l);
} lists[] = {
	{"schemes", list_schemes},	 {"models", list_models},	{"views", list_views},
	{"figures", list_figures},	 {"matrices", list_matrices},	{"tasks", list_tasks},
	{"quantities", list_quantities}, {"commands", list_commands},	{"keys", list_keys},
	{"settings", list_settings},	 {"colormaps", list_colormaps}, {"samples", list_samples},
	{"words", list_words},		 {"tours", list_tours},		{"formats", list_formats},
};

enum { LISTS = sizeof lists / sizeof lists[0] };

bool list_rows(const char *name, struct arena *a, struct listing *out, struct err *err)
{
	const char *names[LISTS + 1] = {[LISTS] = "table"};
	for (size_t i = 0; i < LISTS; i++) {
		names[i] = lists[i].name;
		if (strcmp(lists[i].name, name) == 0) {
			lists[i].rows(a, out);
			return true;
		}
	}
	const char *const near = text_suggest(name, names, LISTS + 1);
	return err_set(
		err, "list: %s is none of %s%s%s%s", text_quote(a, name, strlen(name)),
		"schemes, models, table, views, figures, tours, matrices, quantities, formats, commands, keys, "
		"settings, colormaps, samples, tasks or words",
		near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* Refuses fields of the scene with any list but the table. */
static bool check_use(struct cli *c, const char *name, struct err *err)
{
	for (size_t i = 0; i < c->n_given && strcmp(name, "table") != 0; i++)
		if (field_find(c->given[i].name))
			return err_set(err, "list %s takes no option --%s: list table does",
				       text_escape(&c->arena, name, strlen(name)),
				       c->given[i].name);
	return true;
}

/* Prints every paper once, however many schemes cite it. */
static int list_bibtex(const char *name, struct arena *a, struct err *err)
{
	struct strbuf out;
	const struct paper *p;
	if (strcmp(name, "schemes") != 0) {
		err_set(err, "list: bibtex is for list schemes, not for list %s",
			text_escape(a, name, strlen(name)));
		return EXIT_BAD_USE;
	}
	strbuf_init(&out, a);
	for (size_t i = 0; (p = paper_at(i)) != NULL; i++)
		strbuf_printf(&out, "%s%s", i ? "\n" : "", paper_bibtex(p, a));
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}

int cmd_list(struct cli *c, struct err *err)
{
	struct listing l;
	struct strbuf out;
	strbuf_init(&out, &c->arena);
	const char *const name = c->n_args > 0 ? c->args[0] : "schemes";
	if (!output_format_or_text(c, err) || !check_use(c, name, err))
		return EXIT_BAD_USE;
	if (strcmp(c->format, "bibtex") == 0)
		return list_bibtex(name, &c->arena, err);
	if (!(strcmp(name, "table") == 0
		      ? machine_check_memory(0, err) && list_table(&c->scene, &c->arena, &l, err)
		      : list_rows(name, &c->arena, &l, err)))
		return EXIT_BAD_USE;
	listing_print(&l, c->format, &out);
	return output_text(&out, err) ? EXIT_FINE : EXIT_BAD_USE;
}
