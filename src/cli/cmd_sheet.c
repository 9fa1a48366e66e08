/* cmd_sheet.c: a contact sheet: chooses schemes and sentences, and writes the sheet into a file or
 * draws it on the terminal. */
#include "cli.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "posviz/app/snapshot.h"
#include "posviz/base/text.h"
#include "posviz/export/export.h"
#include "posviz/picture/sheet.h"
#include "posviz/scene/beside.h"
#include "posviz/scene/model_open.h"
#include "posviz/plot/contact.h"
#include "posviz/plot/raster.h"
#include "posviz/scene/sweep.h"
#include "posviz/view/view.h"

enum { MOST_SENTENCES = 8, MOST_SCHEMES = 1000 };

/* ---- schemes --------------------------------------------------------------------------------- */

struct wishes {
	struct cli *c;
	const struct menu_item *items; /* of the list of schemes */
	size_t n_items;
	struct contact_wish *at;
	size_t n_expressions; /* how many of them are expressions, not words of the list */
	size_t n, swept;      /* swept: how many schemes have the parameter of --sweep */
	struct err why;	      /* the error of the first scheme without that parameter */
};

static bool add_one(struct wishes *w, struct contact_wish wish, struct err *err)
{
	if (w->n == MOST_SCHEMES)
		return err_set(err, "sheet: at most %d schemes would be right", MOST_SCHEMES);
	w->at[w->n++] = wish;
	return true;
}

/* Adds a scheme; with --sweep, once for each value. */
static bool add(struct wishes *w, struct contact_wish wish, struct err *err)
{
	struct arena *const a = &w->c->arena;
	struct sweep *const s = arena_calloc(a, 1, sizeof *s);
	struct err why = {""};
	if (strcmp(w->c->scene.sweep, "none") == 0)
		return add_one(w, wish, err);
	if (!sweep_of(wish.expression, w->c->scene.sweep, a, s, &why)) {
		w->why = w->why.text[0] ? w->why : why;
		return add_one(w, wish, err);
	}
	w->swept++;
	const char *const name = wish.name;
	for (size_t i = 0; i < s->n; i++) {
		wish.expression = scene_intern(s->expressions[i]);
		wish.name = arena_printf(a, "%s, %s = %s", name, s->param, s->values[i]);
		if (!add_one(w, wish, err))
			return false;
	}
	return true;
}

/* Adds a scheme of the list; a name that the user defined is added as its expression. */
static bool add_item(struct wishes *w, const struct menu_item *item, struct err *err)
{
	const struct scheme *const s = item->scheme;
	const char *const is = s->flags & SCHEME_YOURS && s->expression ? s->expression : s->id;
	return add(w, (struct contact_wish){is, s->id, item->group, true}, err);
}

/* Returns whether the word names the family: "relative" names "Relative" and "Relative, newer". */
static bool is_family(const char *family, const char *word)
{
	const size_t len = strlen(word);
	return strncasecmp(family, word, len) == 0 && (family[len] == '\0' || family[len] == ',');
}

static bool add_family(struct wishes *w, const char *word, bool *any, struct err *err)
{
	const bool all = strcmp(word, "all") == 0;
	*any = false;
	for (size_t i = 0; i < w->n_items; i++) {
		/* Rules beside a scheme add nothing that a map could show. */
		if (all && w->items[i].scheme->flags & SCHEME_RULE)
			continue;
		if (!all && !is_family(w->items[i].group, word))
			continue;
		*any = true;
		if (!add_item(w, &w->items[i], err))
			return false;
	}
	return true;
}

static const char *family_of(const struct wishes *w, const struct scheme *s)
{
	for (size_t i = 0; i < w->n_items; i++)
		if (w->items[i].scheme == s)
			return w->items[i].group;
	return "Yours";
}

static bool add_expression(struct wishes *w, const char *text, struct err *err)
{
	struct arena *const a = &w->c->arena;
	struct beside b;
	if (!beside_parse(text, a, &b, err))
		return false;
	if (!b.expression || beside_has_input(&b))
		return err_set(err,
			       "%s: on a sheet each has the sentence of all; an expression, or "
			       "EXPR @model PATH, would be right",
			       text_quote(a, text, strlen(text)));
	struct setup as_first = w->c->scene.setup;
	as_first.scheme = b.expression;
	const char *const own = w->n_expressions == 0 ? setup_model_name(&as_first, a) : NULL;
	const char *const name =
		scene_name_of(&w->c->scene, NAMED_EXPRESSION, ++w->n_expressions, a);
	const struct expr *const e = expr_of(b.expression, a, err);
	return e && add(w,
			(struct contact_wish){.expression = scene_intern(b.expression),
					      .name = name	? name
						      : b.model ? model_name(b.model, a)
						      : own	? own
								: expr_brief(b.expression, a),
					      .family = family_of(w, expr_main(e)->scheme),
					      .model = b.model},
			err);
}

/* Adds the families of a word, or its expression if no family has that name. The id of a scheme
 * takes precedence over a family: "none". */
static bool add_word(struct wishes *w, const char *word, struct err *err)
{
	bool any = false;
	const struct scheme *const s = scheme_find(word, strlen(word), NULL);
	const bool id = s && strcmp(s->id, word) == 0;
	if (!id && *word && !add_family(w, word, &any, err))
		return false;
	return any || add_expression(w, word, err);
}

/* Sorts by families, in the order of the list; within a family the given order stays. */
static void sort(struct wishes *w)
{
	struct contact_wish *const out = arena_calloc(&w->c->arena, w->n + 1, sizeof *out);
	size_t n = 0;
	const char *last = NULL;
	for (size_t i = 0; i <= w->n_items; i++) {
		const char *const family = i < w->n_items ? w->items[i].group : "Yours";
		if (last && strcmp(last, family) == 0)
			continue;
		last = family;
		for (size_t k = 0; k < w->n; k++)
			if (w->at[k].family && strcmp(w->at[k].family, family) == 0) {
				out[n++] = w->at[k];
				w->at[k].family = NULL;
			}
	}
	w->at = out;
}

static bool choose_schemes(struct wishes *w, struct err *err)
{
	struct cli *const c = w->c;
	w->items = menu_items(NULL, &c->arena, &w->n_items);
	w->at = arena_calloc(&c->arena, MOST_SCHEMES, sizeof *w->at);
	if (strcmp(c->scene.setup.compare, "none") != 0)
		return err_set(err, "sheet: it takes any number of expressions; leave --compare "
				    "out");
	if (c->scheme_given && c->n_args > 0)
		return err_set(err, "sheet: give the expressions, by --scheme or without it");
	if (c->scheme_given && !add_expression(w, c->scene.setup.scheme, err))
		return false;
	if (!c->scheme_given && c->n_args == 0 && !add_word(w, "all", err))
		return false;
	for (size_t i = 0; i < c->n_args; i++)
		if (!add_word(w, c->args[i], err))
			return false;
	sort(w);
	return w->swept > 0 || !w->why.text[0] || err_set(err, "%s", w->why.text);
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* Makes one scene for each --sentence; with one --sentence or none, the scene that all options
 * made. */
static bool choose_sentences(struct cli *c, struct scene *out, size_t *n, struct err *err)
{
	const struct setup *const s = &c->scene.setup;
	const char *last = NULL;
	*n = 0;
	for (size_t i = 0; i < c->n_given; i++) {
		if (strcmp(c->given[i].name, "sentence") != 0)
			continue;
		if (*n == MOST_SENTENCES)
			return err_set(err, "sheet: at most %d sentences would be right",
				       MOST_SENTENCES);
		out[*n] = c->scene;
		last = c->given[i].value;
		if (!scene_set(&out[(*n)++], field_find("sentence"), last, err))
			return false;
	}
	if (*n > 1 && strcmp(s->sentence, last) != 0)
		return err_set(err, "sheet: give several sentences by --sentence alone");
	if (*n > 1 && (*s->file || *s->conllu || *s->governors || *s->tree || *s->graph))
		return err_set(err, "sheet: several sentences, or one file, tree or graph");
	if (*n < 2) {
		*n = 1;
		out[0] = c->scene;
	}
	return true;
}

/* ---- the sheet ------------------------------------------------------------------------------- */

static bool is_cells(const struct cli *c)
{
	return format_bears(c->format, FORMAT_CELLS);
}

static const double point = 96.0 / 72;

/* Reduces the letters if many maps leave no room for the size that --for prescribes. */
static bool fit_letters(struct cli *c, const struct figure *f, struct raster_look *look,
			struct err *err)
{
	static const double least = 7;
	return raster_contact_letters(f, look, least * point, &c->arena, err);
}

/* Warns if the page differs from what --for leads a user to expect: smaller letters, or more height
 * than paper has. */
static void warn_of_page(struct cli *c, const struct raster_look *wanted,
			 const struct raster_look *look, const struct raster_report *report)
{
	static const double inch = 96, paper = 11;
	if (look->type < wanted->type)
		output_warn("letters of %.3g pt, not %.3g: so the maps have room on the page",
			    look->type / point, wanted->type / point);
	if (!(look->height > 0) && report->height > paper * inch)
		output_warn("the page is %.1f in high, more than paper has; %s, which has several "
			    "pages, a family, fewer schemes or --for poster would be right to "
			    "print",
			    report->height / inch,
			    format_words(FORMAT_SHEET | FORMAT_PAGES, "", ", ", " or ", &c->arena));
}

static bool write_page(struct cli *c, const struct figure *f, struct raster_report *report,
		       char **data, size_t *len, struct err *err)
{
	struct arena *const a = &c->arena;
	struct raster_look look = snapshot_look(&c->scene);
	const struct raster_look wanted = look;
	const struct scene *const usual = scene_defaults();
	const bool chosen = cli_given(c, "size") || cli_given(c, "for") ||
			    strcmp(scene_get(&c->scene, field_find("size"), a),
				   scene_get(usual, field_find("size"), a)) != 0;
	if (!chosen && !raster_contact_size(f, &look, a, err))
		return false;
	if (look.height > 0 && cli_given(c, "for") && !cli_given(c, "font-size") &&
	    !fit_letters(c, f, &look, err))
		return false;
	struct format_page page = {.figure = f, .look = &look, .report = report};
	struct figure *pages;
	if (format_bears(c->format, FORMAT_PAGES)) {
		if (!raster_contact_pages(f, &look, a, &pages, &page.n_pages, err))
			return false;
		page.pages = pages;
	}
	if (!format_find(c->format)->page(&page, a, data, len, err))
		return false;
	warn_of_page(c, &wanted, &look, report);
	return true;
}

/* Draws the sheet with as many rows as it needs, unless the user gave the number of rows. */
static bool write_cells(struct cli *c, const struct figure *f, char **data, size_t *len,
			struct err *err)
{
	const bool colour = format_bears(c->format, FORMAT_COLOUR);
	const bool dark = output_background(c) != BACKGROUND_LIGHT;
	int cols, rows;
	output_cells(c, &cols, &rows);
	struct canvas *canvas = canvas_new(
		&c->arena, rows, cols, colour ? output_tier(c) : TIER_MONO, output_ascii(c), dark);
	const int needed = canvas_contact_rows(canvas, f, rows);
	if (needed == 0 || (c->rows > 0 && needed > rows))
		return canvas_contact_refuse(canvas, f, err);
	canvas = canvas_new(&c->arena, needed, cols, canvas->tier, canvas->ascii, dark);
	canvas_contact(canvas, f);
	export_text(canvas, colour, &c->arena, data, len);
	return true;
}

/* Checks the input: builds the first expression, if the user named it, on each sentence. */
static bool reads(struct cli *c, const struct wishes *w, const struct scene *scenes, size_t n,
		  struct err *err)
{
	bool ok = true;
	for (size_t i = 0; ok && i < n && !w->at[0].of_many; i++) {
		const struct arena_mark mark = arena_mark(&c->arena);
		struct setup setup = scenes[i].setup;
		struct built *const b = arena_calloc(&c->arena, 1, sizeof *b);
		setup.scheme = w->at[0].expression;
		ok = setup_build(&setup, &c->arena, b, err);
		arena_rewind(&c->arena, mark);
	}
	return ok;
}

static bool make_figure(struct cli *c, const struct wishes *w, const char *caption,
			struct figure *f, const char **left_out, struct err *err)
{
	struct scene *const scenes = arena_calloc(&c->arena, MOST_SENTENCES, sizeof *scenes);
	size_t n_scenes;
	if (!choose_sentences(c, scenes, &n_scenes, err) || !reads(c, w, scenes, n_scenes, err) ||
	    !output_free(c, caption, err))
		return false;
	/* The expressions contain the values of a sweep already. */
	for (size_t i = 0; i < n_scenes; i++)
		scenes[i].sweep = "none";
	struct cache *const cache = cache_new(CACHE_BYTES);
	const struct contact_request request = {
		.wishes = w->at,
		.n = w->n,
		.scenes = scenes,
		.n_scenes = n_scenes,
		.matrix = cli_given(c, "matrix") ? (enum matrix)c->scene.matrix : MATRIX_BIAS,
		.share = (enum contact_share)c->share_scale,
		.heads_given = c->sizes_given,
		.layers_given = c->layers_given,
		.background = is_cells(c)		     ? output_background(c)
			      : c->scene.theme == THEME_DARK ? BACKGROUND_DARK
							     : BACKGROUND_LIGHT,
		.command = output_command(c, c->n_args - c->n_matrices, &c->arena),
		.cache = cache};
	const bool ok = contact_make(&request, &c->arena, f, left_out, err);
	cache_free(cache);
	return ok;
}

static bool make(struct cli *c, const char *caption, struct raster_report *report, struct err *err)
{
	struct wishes w = {.c = c};
	struct figure *const f = arena_calloc(&c->arena, 1, sizeof *f);
	const char *left_out = NULL;
	char *data = NULL;
	size_t len = 0;
	if (!choose_schemes(&w, err) || !make_figure(c, &w, caption, f, &left_out, err) ||
	    !(is_cells(c) ? write_cells(c, f, &data, &len, err)
			  : write_page(c, f, report, &data, &len, err)) ||
	    !output_picture(c, data, len, f, report, caption, err))
		return false;
	if (left_out)
		output_warn("%s", left_out);
	return true;
}

/* Draws on the terminal if neither a file nor a format is given and standard output is a
 * terminal. */
static void choose_terminal(struct cli *c)
{
	if (!c->output && !c->format && isatty(STDOUT_FILENO))
		c->format = format_first(FORMAT_SHEET | FORMAT_COLOUR);
}

int cmd_sheet(struct cli *c, struct err *err)
{
	struct raster_report report = {0};
	const char *caption = NULL;
	choose_terminal(c);
	if (!output_format(c, err) || !options_fit(c, err) || !output_check(c, !is_cells(c), err) ||
	    !output_ansi(c, err) ||
	    (c->write_caption && !output_beside(c, ".caption.txt", &caption, err)) ||
	    !make(c, caption, &report, err))
		return EXIT_BAD_USE;
	output_glyphs(c, &report, !is_cells(c));
	return EXIT_FINE;
}
