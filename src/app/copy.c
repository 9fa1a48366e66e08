/* copy.c: the texts that can be copied to a clipboard: the cell under the cursor, the command that
 * makes the figure, the scheme's papers. The terminal program copies them. */
#include <math.h>
#include <string.h>

#include "app_in.h"
#include "posviz/base/strbuf.h"
#include "posviz/base/text.h"
#include "posviz/picture/picture.h"
#include "posviz/scheme/paper.h"
#include "posviz/plot/panel.h"

/* ---- the cell ---------------------------------------------------------------------------- */

/* Returns the value for further computing: with more digits than on the screen, and a plain
 * minus. */
static const char *value_of(const struct heatmap *h, struct arena *a)
{
	const double value = mat_row(h->values, h->row)[h->col];
	const struct heatmap_name *const name = heatmap_name(h, value);
	if (h->masked && h->masked[h->row * h->values.cols + h->col])
		return heatmap_hidden(a, h, h->row, h->col);
	return name ? name->name : arena_printf(a, "%.6g", value);
}

/* Values by name, each once. */
struct values {
	struct strbuf *out;
	const char *said[FIGURE_PANELS + 1];
	size_t n;
};

static void add_value(struct values *v, const char *name, const char *value)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->said[i], name) == 0)
			return;
	strbuf_printf(v->out, ", %s %s", name, value);
	v->said[v->n++] = name;
}

static const char *name_of(const struct panel *p, const struct scene *s, struct arena *a)
{
	const char *const value = view_value_name(p->title);
	const char *const probe = s->setup.probe;
	if (value && strcmp(value, "bias") == 0 && strcmp(probe, "off") != 0)
		return arena_printf(a, "bias with all tokens equal, probe %s",
				    text_escape(a, probe, strlen(probe)));
	return p->term ? figure_scripts(a, p->term) : value ? value : p->title;
}

/* Adds the value of every matrix in the figure, then the logit, also if the figure lacks it. */
static void add_values(struct strbuf *out, const struct picture *p, const struct scene *s)
{
	struct arena *const a = out->arena;
	struct values v = {.out = out};
	for (size_t i = 0; i < p->figure.n; i++) {
		const struct panel *const panel = &p->figure.panels[i];
		if (panel_shows_map(panel) && panel->heatmap.has_cursor)
			add_value(&v, name_of(panel, s, a), value_of(&panel->heatmap, a));
	}
	const bool one = s->layer >= 1 && (size_t)s->layer <= p->trace.n_layers && s->head >= 1 &&
			 s->head <= s->setup.heads;
	const struct mat logits = one ? p->trace.layers[s->layer - 1].heads[s->head - 1].logits
				      : (struct mat){.at = NULL};
	if (logits.at)
		add_value(&v, "logit",
			  arena_printf(a, "%.6g", mat_row(logits, (size_t)s->row - 1)[s->col - 1]));
}

/* Adds ", head 2": the user's name, else the number if the axis exists. */
static void add_which(const struct scene *s, bool axis, enum named kind, long number,
		      struct strbuf *b)
{
	const char *const word = kind == NAMED_HEAD ? "head" : "layer";
	const char *const name =
		number > 0 ? scene_name_of(s, kind, (size_t)number, b->arena) : NULL;
	if (name)
		strbuf_printf(b, ", %s", name);
	else if (axis && number == 0)
		strbuf_printf(b, ", mean of %ss", word);
	else if (axis)
		strbuf_printf(b, ", %s %ld", word, number);
}

static const char *cell_text(struct app *app, struct arena *a, struct err *err)
{
	const struct scene *const s = &app->scene;
	const struct picture *const p = app->shown.picture;
	struct strbuf out;
	if (!p) {
		err_set(err, "copy cell: nothing is shown yet");
		return NULL;
	}
	const struct axis *const query = &p->trace.query, *const key = &p->trace.key;
	if (view_of(s)->rows || s->row < 1 || s->col < 1 || s->row > (long)query->n ||
	    s->col > (long)key->n) {
		err_set(err, "copy cell: there is no cell here; in a matrix the arrows choose one");
		return NULL;
	}
	strbuf_init(&out, a);
	strbuf_printf(&out, "query %s (%ld), key %s (%ld)", query->names[s->row - 1], s->row,
		      key->names[s->col - 1], s->col);
	add_values(&out, p, s);
	const struct view_axes axes = view_axes(&p->built);
	strbuf_printf(&out, "; %s", s->setup.scheme);
	add_which(s, axes.heads, NAMED_HEAD, s->head, &out);
	add_which(s, axes.layers, NAMED_LAYER, s->layer, &out);
	const char *const text = built_source(&s->setup, &p->built);
	if (text)
		strbuf_printf(&out, "; %s", text_escape(a, text, strlen(text)));
	return out.at;
}

/* ---- the rest ---------------------------------------------------------------------------- */

static const char *command_text(struct app *app, struct arena *a, struct err *err)
{
	(void)err;
	return scene_command(&app->scene, a);
}

/* Returns the papers of all members of the expression. */
static const char *bibtex_text(struct app *app, struct arena *a, struct err *err)
{
	const struct expr *const e = expr_of(app->scene.setup.scheme, a, err);
	if (!e)
		return NULL;
	const char *const text = expr_bibtex(e, a);
	if (!text)
		err_set(err, "copy bibtex: %s has no paper to cite", expr_main(e)->scheme->id);
	return text;
}

/* The terminal program takes the expression as an option. */
static const char *cell_instead(const struct app *app, struct arena *a)
{
	static const char render[] = "posviz render ";
	return arena_printf(a, "posviz --plain --scheme %s",
			    scene_command(&app->scene, a) + sizeof render - 1);
}

static const char *command_instead(const struct app *app, struct arena *a)
{
	(void)app, (void)a;
	return ":caption full writes it under a picture";
}

static const char *bibtex_instead(const struct app *app, struct arena *a)
{
	return arena_printf(a, "posviz show '%s' --format bibtex", app->scene.setup.scheme);
}

/* The table of things to copy; keys and completion use its words. */
static const struct copied {
	const char *word, *what;
	const char *(*text)(struct app *app, struct arena *a, struct err *err);
	const char *(*instead)(const struct app *app, struct arena *a); /* if there is no
									 * clipboard */
} rows[] = {
	{"cell", "the cell", cell_text, cell_instead},
	{"command", "the command", command_text, command_instead},
	{"bibtex", "the BibTeX", bibtex_text, bibtex_instead},
};
enum { ROWS = sizeof rows / sizeof *rows };

bool run_copy(struct app *app, const char *args, struct err *err)
{
	if (*args == '\0')
		return command_request(app, REQUEST_COPY, NULL);
	for (size_t i = 0; i < ROWS; i++) {
		if (strcmp(rows[i].word, args) != 0)
			continue;
		const char *const text = rows[i].text(app, app->scratch, err);
		if (!text)
			return false;
		app->copy.what = rows[i].what;
		app->copy.instead = scene_intern(rows[i].instead(app, app->scratch));
		return command_request(app, REQUEST_CLIPBOARD, scene_intern(text));
	}
	return command_usage("copy", err);
}

void complete_copy(const struct app *app, const char *args, struct candidates *out)
{
	(void)app, (void)args;
	for (size_t i = 0; i < ROWS; i++)
		candidates_note(out, rows[i].word, rows[i].what);
}
