/* figures.c: the view Figures: a figure of a paper, drawn anew.
 *
 * It is made once for a picture; what follows the background, colours, is chosen when it is drawn. */
#include <math.h>
#include <string.h>

#include "figure_item.h"
#include "figures_in.h"
#include "posviz/plot/panel.h"

static unsigned figures_wants(const struct scene *scene)
{
	(void)scene;
	return 0;
}

static bool figures_fits(const struct scene *scene, struct err *err)
{
	return source_figure_find(scene->figure, err) != NULL;
}

/* Gives weights to columns and rows of which the figure said nothing. */
static void weigh(struct figure *f)
{
	static const unsigned char picture = 5;
	for (size_t i = 0; i < f->n; i++) {
		const struct panel *const p = &f->panels[i];
		for (unsigned char k = p->col; k < p->col + p->cols; k++)
			f->col_weight[k] = f->col_weight[k] ? f->col_weight[k] : 1;
		f->row_weight[p->row] = f->row_weight[p->row] ? f->row_weight[p->row] : picture;
	}
}

void figure_make(const struct view_data *d, const struct source_figure *is, struct arena *a,
		 struct figures_kept *out)
{
	*out = (struct figures_kept){.is = is};
	numbers_init(&out->numbers, a);
	struct fig f = {.d = d, .a = a, .out = &out->figure, .numbers = &out->numbers};
	figure_items_draw(&f, is);
	out->why = f.why;
	out->figure.by_grid = true;
	weigh(&out->figure);
}

static const void *figures_keep(const struct view_data *d, struct arena *a)
{
	struct figures_kept *const k = arena_calloc(a, 1, sizeof *k);
	struct err err = {""};
	const struct source_figure *const is = source_figure_find(d->scene->figure, &err);
	if (is)
		figure_make(d, is, a, k);
	else
		k->why = arena_strdup(a, err.text);
	return k;
}

/* ---- drawing ------------------------------------------------------------------------------------ */

static void recolour_map(const struct view_data *d, struct heatmap *h)
{
	h->colormap = view_colormap(d, h->colormap && h->colormap->diverging);
}

static void recolour(const struct view_data *d, struct panel *p, struct arena *a)
{
	if (p->absent)
		return;
	if (panel_is_map(p))
		recolour_map(d, &p->heatmap);
	if (p->kind == PANEL_CURVES)
		p->curves.colormap = view_colormap(d, true);
	if (p->kind == PANEL_WATERFALL)
		p->waterfall.colormap = view_colormap(d, true);
	if (p->kind == PANEL_COLUMNS)
		p->columns.colormap = view_colormap(d, false);
	if (p->kind != PANEL_MULTIPLES)
		return;
	struct multiple *const items = arena_calloc(a, p->multiples.n + 1, sizeof *items);
	for (size_t i = 0; i < p->multiples.n; i++) {
		items[i] = p->multiples.items[i];
		recolour_map(d, &items[i].map);
	}
	p->multiples.items = items;
}

static const char *words_of(const struct source_figure *is, struct arena *a)
{
	return is->made ? arena_printf(a, "%s %s", is->shows, is->made) : is->shows;
}

/* In cells the words stand beside the pictures; a page has them at its foot. */
static void add_words(const struct figures_kept *k, struct arena *a, struct figure *out)
{
	unsigned char last = 0, cols = 1;
	for (size_t i = 0; i < out->n; i++) {
		const struct panel *const p = &out->panels[i];
		last = p->row >= last ? (unsigned char)(p->row + 1) : last;
		cols = p->col + p->cols > cols ? (unsigned char)(p->col + p->cols) : cols;
	}
	if (out->n == FIGURE_PANELS)
		return;
	struct panel *const p = &out->panels[out->n++];
	*p = (struct panel){
		.name = "about", .title = "What is shown", .paper_title = "What is shown"};
	view_place(p, last, 0, cols, 3);
	p->at_foot = true;
	struct card *const card = card_new(p, a);
	/* A card that shrinks to a line shows its first sentence there. */
	const char *const stop = strstr(out->caption, ". ");
	card->about = stop ? stop + 2 : NULL;
	card_add(card, "shows",
		 stop ? arena_strndup(a, out->caption, (size_t)(stop + 1 - out->caption))
		      : out->caption,
		 "");
	card_add(card, "source", k->is->source, "");
	out->row_weight[last] = 1;
}

static void figures_figure(const struct view_data *d, struct arena *a, struct figure *out)
{
	const struct figures_kept *const k = d->kept;
	*out = k->figure;
	out->whole = true;
	out->caption_right = "posviz " POSVIZ_VERSION;
	out->title = k->is ? k->is->title : "Figures";
	out->command = k->is ? arena_printf(a, "posviz figure %s", k->is->name) : NULL;
	out->subtitle = k->is ? arena_printf(a, "%s   ·   %s", k->is->source, k->is->name) : "";
	out->caption = k->is ? words_of(k->is, a) : "";
	if (k->why) {
		out->n = 1;
		out->panels[0] = (struct panel){.kind = PANEL_CARD,
						.name = "figure",
						.title = "Not computed",
						.paper_title = "Not computed",
						.absent = k->why};
	}
	for (size_t i = 0; i < out->n; i++)
		recolour(d, &out->panels[i], a);
	if (k->is && !k->why)
		add_words(k, a, out);
	view_close(d, out);
}

const struct view view_figures = {"figures",
				  "Figures",
				  "What do the figures of the papers show?",
				  figures_wants,
				  figures_figure,
				  .keep = figures_keep,
				  .fits = figures_fits,
				  .broad = true,
				  .own = true};
