/* ghost.c: curves as they were before a change, faint behind the present ones. */
#include <string.h>

#include "posviz/plot/figure.h"

static double *copied(struct arena *a, const double *at, size_t n)
{
	double *const out = arena_calloc(a, n + 1, sizeof *out);
	if (n > 0)
		memcpy(out, at, n * sizeof *out);
	return out;
}

static bool has_curves(const struct panel *p)
{
	return p->kind == PANEL_CURVES && !p->absent;
}

void figure_keep_curves(const struct figure *f, struct arena *a, struct figure *out)
{
	*out = (struct figure){0};
	for (size_t i = 0; i < f->n; i++) {
		const struct curves *const k = &f->panels[i].curves;
		if (!has_curves(&f->panels[i]))
			continue;
		struct panel *const p = &out->panels[out->n++];
		struct series *const series = arena_calloc(a, k->n + 1, sizeof *series);
		p->kind = PANEL_CURVES;
		p->name = arena_strdup(a, figure_panel_name(f, i, a));
		for (size_t s = 0; s < k->n; s++)
			series[s] = (struct series){.n = k->series[s].n,
						    .x = copied(a, k->series[s].x, k->series[s].n),
						    .y = copied(a, k->series[s].y, k->series[s].n)};
		p->curves = (struct curves){.series = series, .n = k->n};
	}
}

/* Compares bit by bit, so that gaps (NaN) are equal to gaps. */
static bool is_same(const struct series *a, const struct series *b)
{
	return a->n == b->n && memcmp(a->x, b->x, a->n * sizeof *a->x) == 0 &&
	       memcmp(a->y, b->y, a->n * sizeof *a->y) == 0;
}

/* Puts the former curves behind those that have changed; false: none has. */
static bool put_behind(struct curves *now, const struct curves *first, const char *was,
		       struct arena *a)
{
	struct series *const series = arena_calloc(a, now->n + 1, sizeof *series);
	bool any = false;
	if (now->n != first->n) /* the curves cannot be matched */
		return false;
	for (size_t i = 0; i < now->n; i++) {
		series[i] = now->series[i];
		if (is_same(&now->series[i], &first->series[i]))
			continue;
		struct series *const before = arena_calloc(a, 1, sizeof *before);
		*before = first->series[i];
		before->label = before->brief = was;
		series[i].before = before;
		any = true;
	}
	now->series = series;
	return any;
}

static void say(struct panel *p, const char *was, struct arena *a)
{
	const char *const said = arena_printf(a, "faint: %s", was);
	p->paper_note =
		p->paper_note || p->note
			? arena_printf(a, "%s · %s", said, p->paper_note ? p->paper_note : p->note)
			: said;
	p->note = p->note ? arena_printf(a, "%s · %s", said, p->note) : said;
	p->short_note = said;
}

void figure_ghost(struct figure *f, const struct figure *first, const char *was, struct arena *a)
{
	for (size_t i = 0; i < f->n; i++) {
		struct panel *const p = &f->panels[i];
		const char *const name = has_curves(p) ? figure_panel_name(f, i, a) : "";
		for (size_t k = 0; k < first->n && *name; k++)
			if (strcmp(figure_panel_name(first, k, a), name) == 0 &&
			    has_curves(&first->panels[k]) &&
			    put_behind(&p->curves, &first->panels[k].curves, was, a)) {
				say(p, was, a);
				break;
			}
	}
}
