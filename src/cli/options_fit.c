/* options_fit.c: refuses options that would have no effect, or that contradict each other.
 *
 * No option is ignored silently. An option that the sub-command does not take is refused, and the
 * error names the sub-commands that take it; the same holds for an option that only another format,
 * view or option gives a meaning. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/scheme/scheme.h"

const char *cli_given(const struct cli *c, const char *name)
{
	for (size_t i = c->n_given; i > 0; i--)
		if (strcmp(c->given[i - 1].name, name) == 0)
			return c->given[i - 1].value ? c->given[i - 1].value : "";
	return NULL;
}

/* ---- what takes a field or a setting ------------------------------------------------------- */

unsigned field_takes(const struct field *f)
{
	static const char *const table[] = {"d-model",	"heads",      "head-dim", "value-dim",
					    "kv-heads", "layers",     "t-max",	  "seed",
					    "sort",	"descending", "filter"};
	static const char *const numbers[] = {"matrix", "head", "layer"};
	static const char *const learned[] = {"d-model", "heads", "layers",    "ff",
					      "seed",	 "init",  "activation"};
	static const char *const page[] = {"size",  "dpi",   "font-size", "font",  "caption",
					   "theme", "scale", "colormap",  "sweep", "title"};
	static const char *const profile[] = {"windows", "window-length", "profile-sort",
					      "profile-filter", "descending"};
	unsigned takes = f->setup ? TAKES_SCENE : TAKES_LOOK;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		takes |= strcmp(f->name, numbers[i]) == 0 ? (unsigned)TAKES_MATRIX : 0;
	for (size_t i = 0; i < sizeof page / sizeof *page; i++)
		takes |= strcmp(f->name, page[i]) == 0 ? (unsigned)TAKES_PAGE : 0;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		takes |= strcmp(f->name, table[i]) == 0 ? (unsigned)TAKES_TABLE : 0;
	for (size_t i = 0; i < sizeof learned / sizeof *learned; i++)
		takes |= strcmp(f->name, learned[i]) == 0 ? (unsigned)TAKES_LEARN : 0;
	const bool cell = strcmp(f->name, "row") == 0 || strcmp(f->name, "col") == 0;
	takes |= cell ? (unsigned)TAKES_CELL : 0;
	takes |= strcmp(f->name, "name") == 0 ? (unsigned)TAKES_NAMES : 0;
	takes |= strcmp(f->name, "seed") == 0 ? (unsigned)TAKES_QUIZ : 0;
	takes |= strcmp(f->name, "timing") == 0 ? (unsigned)TAKES_TIMING : 0;
	takes |= strncmp(f->name, "train-", 6) == 0 ? (unsigned)TAKES_SAME : 0;
	for (size_t i = 0; i < sizeof profile / sizeof *profile; i++)
		takes |= strcmp(f->name, profile[i]) == 0 ? (unsigned)TAKES_PROFILE : 0;
	takes |= strcmp(f->name, "presenter") == 0 ? (unsigned)TAKES_TOUR : 0;
	return takes | (strcmp(f->name, "memory") == 0 ? (unsigned)TAKES_MEMORY : 0);
}

unsigned setting_takes(const struct field *f)
{
	const bool drawing = strcmp(f->name, "color") == 0 || strcmp(f->name, "glyphs") == 0;
	if (strcmp(f->name, "graphics") == 0)
		return TAKES_GRAPHICS;
	return drawing ? TAKES_TERMINAL : TAKES_SCREEN;
}

/* ---- sub-commands ---------------------------------------------------------------------------- */

bool options_refuse(const struct cli *c, const char *name, unsigned takes, struct err *err)
{
	char who[300] = "";
	size_t used = 0, n = 0, last = 0;
	for (const struct subcommand *s = subcommands; s->name; s++)
		n += (s->takes & takes) != 0;
	for (const struct subcommand *s = subcommands; s->name && used < sizeof who; s++) {
		if (!(s->takes & takes))
			continue;
		last++;
		used += (size_t)snprintf(who + used, sizeof who - used, "%sposviz%s%s",
					 last == 1   ? ""
					 : last == n ? " and "
						     : ", ",
					 *s->name ? " " : "", s->name);
	}
	return err_set(err, "%s takes no option --%s: %s %s", subcommand_word(c->sub), name, who,
		       n == 1 ? "does" : "do");
}

/* ---- contradictions -------------------------------------------------------------------------- */

/* Returns the option that this one stands for. */
static const char *means(const char *name)
{
	return strcmp(name, "ascii") == 0 ? "glyphs" : name;
}

static bool may_repeat(const struct cli *c, const struct given_option *o)
{
	if (strcmp(o->name, "sentence") == 0)
		return c->sub->takes & (TAKES_SHEET | TAKES_LOOK);
	return !o->value || strcmp(o->name, "command") == 0 || strcmp(o->name, "expect") == 0 ||
	       strcmp(o->name, "task") == 0 || strcmp(o->name, "name") == 0 ||
	       strcmp(o->name, "matrix-from") == 0;
}

static bool twice(const struct given_option *a, const struct given_option *b, struct err *err)
{
	char first[80], second[80];
	if (strcmp(a->name, b->name) != 0)
		return err_set(err, "--%s and --%s say the same thing; leave one of them out",
			       a->name, b->name);
	text_quote_buf(first, sizeof first, a->value, strlen(a->value));
	text_quote_buf(second, sizeof second, b->value, strlen(b->value));
	return err_set(err, "--%s is given twice, as %s and as %s; %s", a->name, first, second,
		       strcmp(a->name, "map") == 0 ? "join them with a blank"
						   : "leave one of them out");
}

static bool check_twice(const struct cli *c, struct err *err)
{
	for (size_t i = 0; i < c->n_given; i++)
		for (size_t k = 0; k < i; k++) {
			const struct given_option *const a = &c->given[k], *const b = &c->given[i];
			const bool same = strcmp(a->name, b->name) == 0;
			if (strcmp(means(a->name), means(b->name)) != 0 ||
			    (same && (may_repeat(c, a) || strcmp(a->value, b->value) == 0)))
				continue;
			return twice(a, b, err);
		}
	return true;
}

/* Returns whether two options for structures may be combined: governors move words of a tree,
 * whether given before or after it; a graph has no governors. */
static bool goes_with(const char *one, const char *other)
{
	const bool first = strcmp(one, "governors") == 0, second = strcmp(other, "governors") == 0;
	return (first && strcmp(other, "graph") != 0) || (second && strcmp(one, "graph") != 0);
}

/* Refuses two different structures on one command line. A single one replaces that of the initial
 * scene. */
static bool check_structures(struct cli *c, struct err *err)
{
	const char *first = NULL;
	for (size_t i = 0; i < c->n_given; i++) {
		const struct given_option *const o = &c->given[i];
		const struct field *const field = field_find(o->name);
		if (!field || !o->value || !*o->value || !field_brings_structure(field))
			continue;
		if (first && strcmp(first, o->name) != 0 && !goes_with(first, o->name))
			return err_set(err,
				       "--%s and --%s both give a structure, and there is one at a "
				       "time; leave one of them out",
				       first, o->name);
		first = !first || strcmp(first, "governors") == 0 ? o->name : first;
	}
	if (first && !cli_given(c, "pick"))
		c->scene.setup.pick = 1;
	return true;
}

static bool has(const struct cli *c, const char *name)
{
	const char *const value = cli_given(c, name);
	return value && *value;
}

/* Warns of a text that takes the place of another. --patches is read behind all others. */
static void warn_of_place(const struct given_option *o, const char *other)
{
	output_warn("--%s takes the place of --%s%s", o->typed ? o->typed : o->name, other,
		    o->typed ? "" : " before it");
}

/* Refuses or warns of options for words that would have no effect beside others. */
static bool check_words(const struct cli *c, struct err *err)
{
	const char *structure = NULL, *words = NULL;
	if (has(c, "alignment") && has(c, "reorder"))
		return err_set(err, "--reorder and --alignment both say where words go; leave one "
				    "of them out");
	if (has(c, "alignment") && !has(c, "translation") && !*c->scene.setup.translation)
		output_warn("--alignment without --translation: the order of its words alone is "
			    "known");
	for (size_t i = 0; i < c->n_given; i++) {
		const struct given_option *const o = &c->given[i];
		const struct field *const field = field_find(o->name);
		const bool text = strcmp(o->name, "sentence") == 0 || strcmp(o->name, "file") == 0;
		if (!field || !o->value || !*o->value)
			continue;
		if (field_brings_structure(field) && strcmp(o->name, "governors") != 0)
			structure = o->name;
		else if (text && structure)
			warn_of_place(o, structure);
		if (text && words && strcmp(words, o->name) != 0)
			warn_of_place(o, words);
		words = text ? o->name : words;
	}
	return true;
}

bool options_agree(struct cli *c, struct err *err)
{
	return check_twice(c, err) && check_structures(c, err) && check_words(c, err);
}

/* ---- options of formats ---------------------------------------------------------------------- */

static const struct {
	const char *option;
	unsigned bits; /* FORMAT_... bits that the format must have */
	bool plain;    /* --plain, which is no format, uses it too */
} of_formats[] = {
	{"cells", FORMAT_CELLS},	{"color", FORMAT_COLOUR},
	{"ascii", FORMAT_CELLS, true},	{"glyphs", FORMAT_CELLS, true},
	{"size", FORMAT_PAGE},		{"dpi", FORMAT_DOTS},
	{"font-size", FORMAT_PAGE},	{"font", FORMAT_FONT},
	{"caption", FORMAT_PAGE},	{"write-caption", FORMAT_BESIDE},
	{"embed-fonts", FORMAT_EMBEDS}, {"theme", FORMAT_THEME},
	{"colormap", FORMAT_THEME},
};

/* Options of a dump, and the formats that they fit: formats that hold everything contain every
 * matrix, and the numbers of views for one head, layer and cell. */
static const struct {
	const char *option;
	unsigned bits;
} of_numbers[] = {
	{"matrix", FORMAT_MATRIX},
	{"leaves", FORMAT_WHOLE},
	{"row", FORMAT_WHOLE},
	{"col", FORMAT_WHOLE},
};

/* Returns the formats of the sub-command that an option fits, "txt ansi"; if it has none, all
 * formats that the option fits. */
static const char *fitting(const struct cli *c, unsigned bits, struct arena *a)
{
	struct strbuf out;
	strbuf_init(&out, a);
	for (const char *const *name = subcommand_formats(c->sub, a); *name; name++)
		if (format_bears(*name, bits))
			strbuf_printf(&out, "%s%s", out.len > 0 ? " " : "", *name);
	return out.len > 0 ? out.at : format_words(bits, "", " ", " ", a);
}

/* Checks an option against the format. A field of the scene causes only a warning, because it is
 * part of the command under a figure. */
static bool check_format(const struct cli *c, const char *option, unsigned bits, bool plain,
			 struct err *err)
{
	const bool field = field_find(option) != NULL && strcmp(c->sub->name, "dump") != 0;
	if (!cli_given(c, option) || (c->format ? format_bears(c->format, bits) : plain))
		return true;
	struct arena a;
	arena_init(&a);
	const char *const text =
		arena_printf(&a, "--%s means nothing for %s; it is for %s%s", option,
			     c->format ? c->format : "--plain", fitting(c, bits, &a),
			     plain && c->sub->takes & TAKES_PLAIN ? " --plain" : "");
	if (field)
		output_warn("%s", text);
	else
		err_set(err, "%s", text);
	arena_release(&a);
	return field;
}

/* Refuses --head all in formats with only rows and columns. */
static bool check_every_head(const struct cli *c, struct err *err)
{
	return !c->every_head || !format_bears(c->format, FORMAT_PLANE) ||
	       err_set(err,
		       "--head all is of three dimensions, and %s has two; npy would be right, or "
		       "a number or mean",
		       c->format);
}

/* Refuses head and layer for the relation, which is the same for all. */
static bool check_relation(const struct cli *c, struct err *err)
{
	static const char *const options[] = {"head", "layer"};
	for (size_t i = 0; i < 2 && c->relation; i++)
		if (cli_given(c, options[i]))
			return err_set(err,
				       "--%s means nothing for --matrix relation, which is one for "
				       "all",
				       options[i]);
	return true;
}

/* Warns of a size in pixels for a page without a resolution. */
static void warn_of_pixels(const struct cli *c)
{
	if (format_bears(c->format, FORMAT_PAGE) && !format_bears(c->format, FORMAT_DOTS) &&
	    cli_given(c, "size") && c->scene.size.unit == PAGE_PX)
		output_warn("--size in pixels means nothing for %s, which is as wide as its line; "
			    "3.25in would be a width",
			    c->format);
}

static bool check_formats(const struct cli *c, struct err *err)
{
	const bool numbers = strcmp(c->sub->name, "dump") == 0 && !c->relation;
	for (size_t i = 0; i < sizeof of_formats / sizeof *of_formats; i++)
		if (!check_format(c, of_formats[i].option, of_formats[i].bits, of_formats[i].plain,
				  err))
			return false;
	for (size_t i = 0; i < sizeof of_numbers / sizeof *of_numbers && numbers; i++)
		if (!check_format(c, of_numbers[i].option, of_numbers[i].bits, false, err))
			return false;
	return true;
}

/* ---- options of views, and of other options -------------------------------------------------- */

enum { OF_VIEWS = 7 };

static const struct {
	const char *option;
	const char *views[OF_VIEWS]; /* that use it, the first above all; then NULL */
} of_views[] = {
	{"sort", {"table"}},
	{"descending", {"table", "profile"}},
	{"filter", {"table", "map"}},
	{"pair", {"compare", "values"}},
	{"reach", {"compare"}},
	{"terms-off", {"terms"}},
	{"heads-of", {"heads"}},
	{"sweep", {"heads"}},
	{"listed", {"table", "relation"}},
	{"vectors", {"vectors"}},
	{"figure", {"figures"}},
	{"timing", {"cost"}},
	{"distance-of", {"map"}},
	{"within", {"lengths"}},
	{"windows", {"profile"}},
	{"window-length", {"profile"}},
	{"profile-sort", {"profile"}},
	{"profile-filter", {"profile"}},
	{"profile-x", {"profile"}},
	{"profile-y", {"profile"}},
	{"train-task", {"learn"}},
	{"train-steps", {"learn"}},
	{"train-layers", {"learn"}},
	{"train-seed", {"learn"}},
	{"train-grid", {"learn"}},
	{"moment", {"learn"}},
	{"compare", {"compare", "cost", "values", "lengths", "map", "profile", "learn"}},
	{"lengths", {"lengths"}},
};

static bool is_one_of(const char *view, const char *const of[OF_VIEWS])
{
	for (size_t i = 0; i < OF_VIEWS && of[i]; i++)
		if (strcmp(of[i], view) == 0)
			return true;
	return false;
}

static void warn_of_views(const struct cli *c)
{
	for (size_t i = 0; i < sizeof of_views / sizeof *of_views; i++)
		if (cli_given(c, of_views[i].option) &&
		    !is_one_of(c->scene.view, of_views[i].views))
			output_warn("--%s is of the view %s, and the view is %s",
				    of_views[i].option, of_views[i].views[0], c->scene.view);
}

/* Warns of options that need another option; uses the final scene, because a command may have set
 * it. */
static void warn_of_needs(const struct cli *c)
{
	const struct setup *const s = &c->scene.setup;
	/* Only an expectation of a training asks for one. */
	const bool trains = strcmp(c->sub->name, "check") != 0 || c->n_expects > 0;
	const struct {
		const char *option, *needed;
		bool there;
	} rows[] = {
		{"train-task", "--expect", trains},
		{"train-steps", "--expect", trains},
		{"train-layers", "--expect", trains},
		{"train-seed", "--expect", trains},
		{"translation", "--alignment", *s->alignment},
		{"pick", "--conllu, --tree or --graph", *s->conllu || *s->tree || *s->graph},
		{"tree-units", "--tree", *s->tree},
		{"keep-empty", "--tree", *s->tree},
		{"keep-functions", "--tree", *s->tree},
		{"lock-lo", "--lock on", c->scene.lock},
		{"lock-hi", "--lock on", c->scene.lock},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (cli_given(c, rows[i].option) && !rows[i].there)
			output_warn("--%s means nothing without %s", rows[i].option,
				    rows[i].needed);
}

/* ---- what expressions say beyond the input ---------------------------------------------------- */

/* Returns whether a member has a parameter that stands for the length that is asked for. */
static bool reads_length(const struct expr *e, struct arena *a)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct scheme *const s = e->members[i].scheme;
		const struct expr *const inner =
			s->expression ? expr_of(s->expression, a, NULL) : NULL;
		if (inner && reads_length(inner, a))
			return true;
		for (const struct param *p = s->params; p && p->name; p++)
			if (strstr(p->help, "--length"))
				return true;
	}
	return false;
}

/* Warns of layers= or heads= with one that is not there. Words, and what repeats, go on for ever. */
static void warn_of_beyond(const struct expr_member *m, const char *key, const char *text,
			   struct subset set, long there)
{
	if (text && strpbrk(text, "0123456789") && !strchr(text, '/') &&
	    !subset_within(set, subset_first((size_t)there)))
		output_warn("%s: %s=%s names more than the %ld %s that there are", m->scheme->id,
			    key, text, there, key);
}

/* Warns of positions of global tokens behind the last one. */
static void warn_of_global(const struct expr_member *m, size_t n)
{
	for (const struct param *p = m->scheme->params; p && p->name; p++) {
		if (strcmp(p->name, "global") != 0 || p->type.kind != &value_listed)
			continue;
		const struct value_list *const at =
			(const void *)((const char *)m->param + p->offset);
		for (size_t i = 0; i < at->n; i++)
			if (at->at[i] > (double)n)
				output_warn("%s: global= names position %.0f, and there are %zu "
					    "tokens",
					    m->scheme->id, at->at[i], n);
	}
}

/* Warns of what an expression, or an option for it, says without an effect on this input. */
static void warn_of_expressions(const struct cli *c)
{
	const struct setup *const s = &c->scene.setup;
	const char *all[COMPARE_MAX];
	struct input tokens = {0};
	struct arena a;
	bool length = false;
	arena_init(&a);
	const size_t n = scene_compared(s, &a, all);
	const bool counted = setup_tokens(s, &a, &tokens, NULL, NULL, NULL) &&
			     (!*s->position_ids || strcmp(s->position_ids, "none") == 0);
	for (size_t i = 0; i < n; i++) {
		const struct expr *const e = expr_of(all[i], &a, NULL);
		length |= !e || reads_length(e, &a);
		for (size_t k = 0; e && k < e->n; k++) {
			const struct expr_member *const m = &e->members[k];
			warn_of_beyond(m, "layers", m->layers_text, m->layers, s->layers);
			warn_of_beyond(m, "heads", m->heads_text, m->heads, s->heads);
			if (counted)
				warn_of_global(m, tokens.n);
		}
	}
	if (cli_given(c, "length") && s->length > 0 && !length)
		output_warn("--length changes nothing here: no member of %s reads a length",
			    n == 1 ? all[0] : "the expressions");
	arena_release(&a);
}

/* Refuses --graphics together with a file or a format, which determine the drawing already. */
static bool check_graphics(const struct cli *c, struct err *err)
{
	const bool render = strcmp(c->sub->name, "render") == 0;
	const bool chosen = c->output || cli_given(c, "format") || c->plain;
	return !render || !chosen || !cli_given(c, "graphics") ||
	       err_set(err, "--graphics is for a terminal; leave it out with --output, --format or "
			    "--plain");
}

bool options_fit(const struct cli *c, struct err *err)
{
	if (!check_graphics(c, err) || !check_formats(c, err) || !check_relation(c, err) ||
	    !check_every_head(c, err))
		return false;
	if (c->sub->takes & TAKES_LOOK)
		warn_of_views(c);
	warn_of_needs(c);
	warn_of_pixels(c);
	if (strcmp(c->sub->name, "check") != 0) {
		options_warn_of_columns(c);
		warn_of_expressions(c);
	}
	return true;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static bool sweeps(const struct scene *scene)
{
	return strcmp(scene->sweep, "none") != 0;
}

void options_sweep(struct cli *c)
{
	if (!cli_given(c, "sweep") || c->view_given || !sweeps(&c->scene))
		return;
	c->scene.view = scene_intern("heads");
	if (!cli_given(c, "matrix"))
		c->scene.matrix = MATRIX_BIAS;
}

void options_sweep_kept(const struct cli *c, const struct scene *after)
{
	if (*c->sub->name && sweeps(&c->scene) && !sweeps(after))
		output_warn("--sweep: a command took it away; heads are shown");
}

/* ---- commands -------------------------------------------------------------------------------- */

bool options_command_fits(const struct cli *c, const char *line, const struct scene *before,
			  const struct settings *settings, struct err *err)
{
	struct arena a;
	const struct field *found = NULL;
	arena_init(&a);
	for (const struct field *f = scene_fields; f->name && !found; f++)
		if (!(field_takes(f) & c->sub->takes) &&
		    strcmp(scene_get(before, f, &a), scene_get(&c->app.scene, f, &a)) != 0)
			found = f;
	for (const struct field *f = setting_fields; f->name && !found; f++)
		if (!(setting_takes(f) & c->sub->takes) &&
		    strcmp(field_get(settings, f, &a), field_get(&c->app.settings, f, &a)) != 0)
			found = f;
	if (found)
		err_set(err, "command %s: %s takes no notice of %s",
			text_quote(&a, line, strlen(line)), c->sub->name, found->name);
	arena_release(&a);
	return !found;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Checks the name of a view or a colour map, which the field itself does not check, before work
 * begins. */
static bool check_name(const char *field, const char *value, const char *const *names, size_t n,
		       struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], value) == 0)
			return true;
	const char *const near = text_nearest(value, names, n);
	if (near)
		return err_set(err, "%s: there is no \"%s\"; did you mean \"%s\"?", field, value,
			       near);
	return err_set(err, "%s: there is no \"%s\"; posviz list %ss names what there is", field,
		       value, field);
}

bool cli_check_names(const struct cli *c, struct err *err)
{
	enum { MOST = 128 };
	const char *names[MOST] = {"auto"};
	size_t n = 1;
	for (const struct colormap *m = colormaps; m->name && n < MOST; m++)
		names[n++] = m->name;
	if (!check_name("colormap", c->scene.colormap, names, n, err))
		return false;
	n = 0;
	for (const struct view *const *at = views, *v; (v = *at) != NULL && n < MOST; at++)
		names[n++] = v->name;
	return check_name("view", c->scene.view, names, n, err);
}
