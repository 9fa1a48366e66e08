/* figure_items.c: the panels and numbers that the script of a figure asks for. */
#include "figure_item.h"

#include <math.h>
#include <string.h>

#include "posviz/math/calc.h"
#include "posviz/scheme/results.h"

/* ---- panels ------------------------------------------------------------------------------------- */

static const char *text_of(const struct figure_texts *texts, size_t i, const char *usual)
{
	return i < texts->n && *texts->at[i] ? texts->at[i] : usual;
}

/* The view's subtitle says where the panel stands there; its notes stay unless others stand in their place. */
static void change(const struct figure_item *item, struct panel *p, size_t i)
{
	p->title = p->paper_title = text_of(&item->titles, i, p->title);
	p->subtitle = text_of(&item->subtitles, i, NULL);
	if (p->subtitle)
		p->note = p->short_note = p->paper_note = NULL;
	p->name = item->name ? item->name : p->name;
	p->operand.formula = text_of(&item->formulas, i, p->operand.formula);
	if (item->priority >= 0)
		p->priority = (unsigned char)item->priority;
	if (item->bare)
		p->heatmap.more_of = p->heatmap.than = NULL;
	if (item->scale == SCALE_GIVEN) {
		p->heatmap.scale.lo = item->lo;
		p->heatmap.scale.hi = item->hi;
	}
}

static void take(struct fig *f, const struct figure_item *item)
{
	const size_t first = f->out->n;
	if (!fig_take(f, item->view, item->scene, item->text, item->row, item->col, item->cols))
		return;
	for (size_t i = first; i < f->out->n; i++)
		change(item, &f->out->panels[i], i - first);
}

static struct panel *add_panel(struct fig *f, const struct figure_item *item)
{
	return fig_panel(f, item->name, item->titles.at[0], item->row, item->col, item->cols,
			 item->priority < 0 ? 0 : (unsigned char)item->priority);
}

static void tabulate(struct fig *f, const struct figure_item *item)
{
	struct panel *const p = add_panel(f, item);
	fig_table(f, p, item->head, item->cols_n, item->cells, item->rows_n, item->cols_n);
	p->table.priority = item->drops;
}

/* Gives all that share a scale the limits of the largest. */
static void share_scale(struct fig *f, const bool *shares)
{
	double limit = 0;
	for (size_t i = 0; i < f->out->n; i++)
		if (shares[i])
			limit = fmax(limit, f->out->panels[i].heatmap.scale.hi);
	for (size_t i = 0; i < f->out->n; i++) {
		struct scale *const s = &f->out->panels[i].heatmap.scale;
		s->lo = shares[i] ? -limit : s->lo;
		s->hi = shares[i] ? limit : s->hi;
	}
}

/* ---- numbers ------------------------------------------------------------------------------------ */

static double quantity_of(struct fig *f, const struct figure_item *item, const struct quantity *of)
{
	struct scene scene;
	struct quantity_value value;
	struct err err = {""};
	if (!fig_scene(f, item->scene, &scene))
		return NAN;
	struct quantities *const q = quantities_new(&scene, f->d->cache, f->d->watch);
	const bool found = quantity_find(q, of, f->a, &value, &err);
	quantities_free(q);
	if (!found)
		fig_fail(f, err.text);
	return found && value.is == QUANTITY_NUMBER ? value.number : NAN;
}

static double formula_of(struct fig *f, const char *text)
{
	static const char *const names[] = {NULL};
	struct calc calc;
	struct err err = {""};
	size_t wrong;
	double out = NAN;
	if (!calc_parse(&calc, text, names, f->a, &wrong, &err))
		BUG("%s: %s", text, err.text);
	calc_eval(&calc, NULL, &out, 1);
	return out;
}

static void count(struct fig *f, const struct figure_item *item)
{
	const double is = item->formula ? formula_of(f, item->formula)
					: quantity_of(f, item, &item->quantity);
	const double less = item->has_less ? quantity_of(f, item, &item->less) : 0;
	if (fig_goes_on(f))
		fig_number(f, item->name, is - less, item->means);
}

/* ---- all of it ---------------------------------------------------------------------------------- */

static void draw_item(struct fig *f, const struct figure_item *item)
{
	switch (item->kind) {
	case ITEM_PANEL:
		take(f, item);
		break;
	case ITEM_TABLE:
		tabulate(f, item);
		break;
	case ITEM_PUBLISHED:
		fig_results_table(f, add_panel(f, item), results_of(item->text, f->a));
		break;
	case ITEM_NUMBER:
		count(f, item);
		break;
	case ITEM_DRAW:
		f->scene = item->scene;
		f->argument = item->text;
		item->draw(f);
		break;
	}
}

void figure_items_draw(struct fig *f, const struct source_figure *is)
{
	bool shares[FIGURE_PANELS] = {false};
	for (size_t i = 0; i < is->n_items && fig_goes_on(f); i++) {
		const size_t first = f->out->n;
		draw_item(f, &is->items[i]);
		for (size_t k = first; k < f->out->n; k++)
			shares[k] = is->items[i].scale == SCALE_COMMON;
	}
	share_scale(f, shares);
}
